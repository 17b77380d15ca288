/* draw_view.c - view(from = .., centre = .., width = .., follow = .., path = ..): where one looks from. */
#include <string.h>

#include "lang/draw.h"

static bool read_direction(dd_draw_reading *r, dd_form f, const char *name, double to[3])
{
    uint32_t culprit;
    dd_expr at[3];
    r->dims = 0;
    bool ok = dd_draw_vector(r, f, dd_pool_printf(r->d->fl->pool, "%s is a vector of two or three numbers", name), at);
    for (uint32_t k = 0; k < 3 && ok; k++) {
        if (!dd_model_evaluate(r->d->fl->m, at[k], false, &to[k], &culprit)) {
            dd_error(r->d->fl->ctx, dd_form_get(r->d->fl->m->forms, f)->span,
                     "%s is made of numbers that do not change with time", name);
            ok = false;
        }
    }
    return ok;
}

static void read_follow(dd_draw_reading *r, dd_form f)
{
    dd_drawing *drawing = r->d->drawing;
    dd_expr at[3];
    r->dims = 0;
    if (!dd_draw_vector(r, f, "follow is a point: a vector of two or three coordinates", at)) {
        return;
    }
    drawing->view.follow = drawing->numbers.len;
    for (uint32_t k = 0; k < 3; k++) {
        dd_vec_push(dd_dag_pool(drawing->dag), &drawing->numbers, at[k]);
    }
}

/* Two variables: their plot is a map of what stands still. */
static void read_path(dd_draw_reading *r, dd_form f)
{
    dd_drawing *drawing = r->d->drawing;
    const dd_dag *dag = r->d->fl->m->dag;
    dd_expr at[3];
    r->dims = 0;
    /* a vector of the plane has its second number in the third place */
    if (!dd_draw_vector(r, f, "path has two variables: path = {x, y}", at)) {
        return;
    }
    const dd_expr symbol[] = {at[0], at[2]};
    bool ok = r->dims == 2;
    for (uint32_t k = 0; k < 2 && ok; k++) {
        ok = dd_op_of(dag, symbol[k]) == DD_OP_VAR && dd_symbol_order(dag, symbol[k]) == 0;
    }
    if (!ok) {
        dd_error(r->d->fl->ctx, dd_form_get(r->d->fl->m->forms, f)->span, "path has two variables: path = {x, y}");
        return;
    }
    for (uint32_t k = 0; k < 2; k++) {
        drawing->view.path[k] =
            dd_model_var_name_dup(r->d->fl->m, dd_symbol_id(dag, symbol[k]), dd_dag_pool(drawing->dag));
    }
}

void dd_draw_view(dd_draw *d, const dd_ast_mod *list)
{
    static const char *const names[] = {"from", "centre", "width", "follow", "path"};
    enum { NAMES = sizeof names / sizeof *names };
    dd_flattener *fl = d->fl;
    dd_scene_view *view = &d->drawing->view;
    dd_draw_reading r = {.d = d, .usage = "view(from = {1, -2, 1}, width = 2)"};
    /* each keyword by itself; one that is wrong does not hide the others */
    for (const dd_ast_mod *mod = list; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        const dd_form f = mod->value != DD_FORM_NONE ? dd_resolve(&fl->resolver, mod->value) : DD_FORM_NONE;
        if (mod->value == DD_FORM_NONE) {
            dd_error(fl->ctx, mod->span, "%s needs a value: view(%s = ...)", name, name);
        } else if (f == DD_FORM_NONE) {
            continue;
        } else if (strcmp(name, names[0]) == 0) {
            view->has_from = read_direction(&r, f, name, view->from);
        } else if (strcmp(name, names[1]) == 0) {
            view->has_centre = read_direction(&r, f, name, view->centre);
        } else if (strcmp(name, names[2]) == 0) {
            view->has_width = dd_draw_constant(&r, f, name, &view->width) && view->width > 0;
        } else if (strcmp(name, names[3]) == 0) {
            read_follow(&r, f);
        } else if (strcmp(name, names[4]) == 0) {
            read_path(&r, f);
        } else {
            const char *near = dd_closest_name(name, names, NAMES);
            dd_error(fl->ctx, mod->span, near != NULL ? "view has no %s: did you mean %s?" : "view has no %s", name,
                     near);
        }
    }
}
