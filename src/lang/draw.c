/* draw.c - Daedal(draw(...)) of every instance of the tree.
 *
 *   annotation(Daedal(draw(bob = point(p, radius = 0.05), rods = {line(elbow[i], p) for i in 1:3}, view(width = 2))))
 *
 * An entry is a shape, a list of shapes, or false for none. An entry of a class replaces that of the same name in the
 * classes it extends. Shapes are read when the values of parameters are known, in a model of their own that shares names and
 * numbers of variables with the real one, but not the dag (model/drawing.h). */
#include "lang/draw.h"

#include <string.h>

#include "lang/lexer.h"

enum { MOST_SHAPES = 20000, MOST_NUMBERS = 400000 }; /* more would neither be seen nor move smoothly */

/* ---- names of shapes ---- */

/* A name that is nearly that of a shape, and nothing else: true after a message. */
static bool is_mistyped(dd_flattener *fl, dd_form f, const char *name)
{
    const char *names[DD_SHAPE_COUNT];
    for (uint32_t k = 0; k < DD_SHAPE_COUNT; k++) {
        names[k] = dd_shape_name((dd_shape_kind)k);
    }
    const char *near = dd_closest_name(name, names, DD_SHAPE_COUNT);
    const dd_form_node *node = dd_form_get(fl->m->forms, f);
    if (near == NULL || dd_functions_knows(fl->el.functions, fl->place.class, f) ||
        dd_instance_find(fl->place.instance, node->payload) != NULL) {
        return false;
    }
    dd_error(fl->ctx, node->span, "there is no shape %s: did you mean %s?", name, near);
    return true;
}

/* f(...) in a drawing: a shape keeps its name, everything else is resolved as in equations. */
static bool resolve_shape(void *user, dd_resolver *r, dd_form f, dd_form *out)
{
    dd_flattener *fl = user;
    const dd_form_node node = *dd_form_get(r->forms, f);
    if (node.sub != 0) {
        return fl->draw_call(user, r, f, out);
    }
    const char *name = dd_names_get(r->names, node.payload);
    if (dd_draw_kind(name) == DD_SHAPE_COUNT) {
        *out = DD_FORM_NONE;
        return is_mistyped(fl, f, name) || fl->draw_call(user, r, f, out);
    }
    /* arguments, with those that have a name inside NAMED_ARG */
    const uint32_t base = r->stack.len;
    bool ok = true;
    for (uint32_t i = 0; i < node.nargs; i++) {
        const dd_form arg = dd_resolve(r, dd_form_arg(r->forms, f, i));
        ok = ok && arg != DD_FORM_NONE;
        dd_vec_push(r->pool, &r->stack, arg);
    }
    const uint32_t n = r->stack.len - base;
    r->stack.len = base;
    *out = ok ? dd_form_new(r->forms, DD_FORM_UNKNOWN_CALL, 0, node.payload, dd_vec_from(&r->stack, base), n, node.span)
              : DD_FORM_NONE;
    return true;
}

/* ---- lists, loops, branches ---- */

static bool add_entry(dd_draw *d, dd_form f, const dd_form_env *env);

/* {shape for i in r, j in s}: from iterator k on. */
static bool add_loop(dd_draw *d, dd_form f, uint32_t k, const dd_form_env *env)
{
    dd_flattener *fl = d->fl;
    double *values;
    uint64_t count;
    bool all_integer;
    if (k >= dd_form_get(fl->m->forms, f)->nargs) {
        return add_entry(d, dd_form_arg(fl->m->forms, f, 0), env);
    }
    if (!dd_elaborate_range(&fl->el, dd_form_arg(fl->m->forms, f, k + 1), env, &values, &count, &all_integer)) {
        return false;
    }
    /* loops of drawings count with those of equations */
    fl->iterations += count;
    if (fl->iterations > DD_FLAT_MAX_ITERATIONS) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                 "the loops of the model run more than %u times in all, the limit", DD_FLAT_MAX_ITERATIONS);
        return false;
    }
    const uint32_t loop = dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, f, k))->payload;
    double *kept = dd_block_resize(fl->pool, NULL, (count + 1) * sizeof *kept); /* the scratch pool may be replaced */
    if (count > 0) {
        memcpy(kept, values, count * sizeof *kept);
    }
    bool ok = true;
    for (uint64_t i = 0; i < count && ok; i++) {
        const dd_form_env inner = {.loop = loop, .value = dd_saturated(kept[i]), .real = kept[i], .outer = env};
        ok = add_loop(d, f, k + 2, &inner);
        dd_check_stop(fl->ctx);
    }
    dd_block_free(fl->pool, kept);
    return ok;
}

/* if c then shape else shape, with a condition in parameters and loop indices */
static bool add_branch(dd_draw *d, dd_form f, const dd_form_env *env)
{
    const dd_forms *forms = d->fl->m->forms;
    const uint32_t n = dd_form_get(forms, f)->nargs;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        bool taken;
        if (!dd_elaborate_boolean(&d->fl->el, dd_form_arg(forms, f, i), env, &taken)) {
            return false;
        }
        if (taken) {
            return add_entry(d, dd_form_arg(forms, f, i + 1), env);
        }
    }
    return add_entry(d, dd_form_arg(forms, f, n - 1), env);
}

static bool add_call(dd_draw *d, dd_form f, const dd_form_env *env)
{
    if (d->drawing->shapes.len >= MOST_SHAPES || d->drawing->numbers.len >= MOST_NUMBERS) {
        d->drawing->left_out++;
        return true;
    }
    const bool ok = dd_draw_shape(d, f, env);
    dd_flat_recycle(d->fl, 64); /* about what a shape makes */
    return ok;
}

static bool add_entry(dd_draw *d, dd_form f, const dd_form_env *env)
{
    const dd_forms *forms = d->fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    bool ok = true;
    /* one shape, or something made of shapes */
    switch (node.op) {
    case DD_FORM_UNKNOWN_CALL:
        return add_call(d, f, env);
    case DD_FORM_ARRAY:
        for (uint32_t i = 0; i < node.nargs && ok; i++) {
            ok = add_entry(d, dd_form_arg(forms, f, i), env);
        }
        return ok;
    case DD_FORM_COMPREHENSION:
        return add_loop(d, f, 1, env);
    case DD_FORM_IF:
        return add_branch(d, f, env);
    case DD_FORM_BOOL:
        if (node.payload == 0) {
            return true;
        }
        break;
    default:
        break;
    }
    dd_error(
        d->fl->ctx, node.span,
        "%s in draw is not a shape: point, sphere, line, cylinder, spring, box, hinge, frame, arrow, trail, text or "
        "ground, "
        "as in "
        "%s = point(p)",
        d->name, d->name);
    return false;
}

/* ---- the entries of an instance ---- */

typedef struct draw_entry {
    const dd_ast_mod *mod;
    dd_ast_class *class;
} draw_entry;

typedef DD_VEC(draw_entry) draw_entry_vec;

static void collect_entry(dd_flattener *fl, const dd_ast_mod *mod, dd_ast_class *class, draw_entry_vec *out)
{
    /* the last class that has the name decides */
    const draw_entry entry = {mod, class};
    for (uint32_t i = 0; i < out->len; i++) {
        if (out->data[i].mod->name != mod->name) {
            continue;
        }
        if (out->data[i].class == class) {
            dd_error(fl->ctx, mod->span, "draw has two entries named %s", dd_names_get(fl->m->names, mod->name));
            return;
        }
        out->data[i] = entry;
        return;
    }
    dd_vec_push(fl->pool, out, entry);
}

static bool is_named(const dd_flattener *fl, const dd_ast_mod *mod, const char *name)
{
    return strcmp(dd_names_get(fl->m->names, mod->name), name) == 0;
}

static void collect_entries(dd_flattener *fl, dd_ast_class *class, draw_entry_vec *out)
{
    for (const dd_ast_mod *tool = class->annotation; tool != NULL; tool = tool->next) {
        for (const dd_ast_mod *mod = is_named(fl, tool, "Daedal") ? tool->nested : NULL; mod != NULL; mod = mod->next) {
            if (!is_named(fl, mod, "draw")) {
                continue;
            }
            if (mod->value != DD_FORM_NONE) {
                dd_error(fl->ctx, mod->span,
                         "draw takes a list in parentheses: draw(bob = point(p), rod = line({0, 0}, p))");
            }
            for (const dd_ast_mod *entry = mod->nested; entry != NULL; entry = entry->next) {
                collect_entry(fl, entry, class, out);
            }
        }
    }
}

static void read_entry(dd_draw *d, const draw_entry *entry)
{
    dd_flattener *fl = d->fl;
    d->name = dd_names_get(fl->m->names, entry->mod->name);
    fl->place.class = entry->class;
    if (is_named(fl, entry->mod, "view") && entry->mod->value == DD_FORM_NONE) {
        /* the view of the model itself counts, not that of its parts */
        if (d->instance->parent == NULL) {
            dd_draw_view(d, entry->mod->nested);
        }
        return;
    }
    if (entry->mod->value == DD_FORM_NONE) {
        dd_error(fl->ctx, entry->mod->span, "%s needs a name in draw: draw(name = %s(...))", d->name, d->name);
        return;
    }
    const dd_form f = dd_resolve(&fl->resolver, entry->mod->value);
    if (f != DD_FORM_NONE) {
        add_entry(d, f, NULL);
    }
}

/* ---- the model that drawings are read in ---- */

static dd_model *drawing_model(const dd_model *m, dd_drawing *drawing, dd_pool *pool)
{
    dd_model *shadow = dd_model_copy(m, pool);
    /* expressions of the real dag mean nothing here; every parameter has its number by now */
    for (uint32_t i = 0; i < shadow->vars.len; i++) {
        dd_variable *v = &shadow->vars.data[i];
        v->start = v->min = v->max = v->nominal = v->guess = v->binding = DD_EXPR_NONE;
        v->has_value = v->has_value || v->kind == DD_KIND_PARAMETER || v->kind == DD_KIND_CONSTANT;
    }
    shadow->dag = drawing->dag;
    shadow->assertions = (dd_assertion_vec){0}; /* those of functions that drawings call are dropped */
    return shadow;
}

/* Turns the flattener to the drawing, once: whatever is resolved and elaborated from now on goes to the dag of the drawing. */
static dd_drawing *begin_drawing(dd_flattener *fl)
{
    dd_drawing *drawing = dd_pool_alloc(fl->m->pool, sizeof *drawing);
    *drawing = (dd_drawing){.dag = dd_dag_new(fl->m->pool, 0), .view.follow = DD_NO_INDEX};
    fl->m->drawing = drawing;
    fl->m = drawing_model(fl->m, drawing, fl->pool);
    /* a new elaborator, whose caches hold expressions of the new dag; families are numbers of variables */
    dd_elaborator el = dd_elaborator_new(fl->m, fl->scratch);
    el.keep = fl->pool;
    el.whole_of_form = dd_map_new(fl->pool);
    for (uint32_t i = 0; i < fl->el.families.len; i++) {
        dd_elaborator_add_family(&el, fl->el.families.data[i]);
    }
    el.functions = dd_flat_functions(fl);
    fl->el = el;
    /* shapes are calls that only drawings know */
    fl->draw_call = fl->resolver.scope.call;
    fl->resolver.scope.call = resolve_shape;
    fl->resolver.no_points = "which cannot be drawn";
    return drawing;
}

/* ---- the tree ---- */

static void draw_instance(dd_flattener *fl, dd_instance *in, dd_drawing **drawing)
{
    draw_entry_vec entries = {0};
    for (uint32_t i = 0; i < in->sources.len; i++) {
        collect_entries(fl, in->sources.data[i], &entries);
    }
    if (entries.len > 0 && *drawing == NULL) {
        *drawing = begin_drawing(fl);
    }
    dd_draw d = {.fl = fl, .drawing = *drawing, .instance = in};
    const size_t before = dd_context_error_count(fl->ctx);
    for (uint32_t i = 0; i < entries.len; i++) {
        fl->place = (dd_place){in, NULL};
        read_entry(&d, &entries.data[i]);
    }
    if (dd_context_error_count(fl->ctx) > before) {
        dd_instance_note(fl, in);
    }
    /* then the parts, in the order of their declaration */
    for (uint32_t i = 0; i < in->n_members; i++) {
        const dd_member *member = in->members[i];
        for (uint32_t k = 0; !member->is_leaf && !member->removed && !member->broken && k < member->count; k++) {
            draw_instance(fl, member->elements[k], drawing);
        }
    }
}

void dd_flat_draw(dd_flattener *fl)
{
    dd_drawing *drawing = NULL;
    dd_model *real = fl->m;
    if (fl->root != NULL) {
        draw_instance(fl, fl->root, &drawing);
    }
    fl->m = real;
}
