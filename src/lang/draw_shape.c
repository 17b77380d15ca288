/* draw_shape.c - one shape of a drawing: kind(points, keyword = value). What every kind takes is a row of `rules`. */
#include <math.h>
#include <string.h>

#include "lang/draw.h"

/* ---- what a kind takes ---- */

enum {
    RADIUS = 1,
    SIZE = 2,
    ROTATION = 4,
    SCALE = 8,
    DURATION = 16,
    COILS = 32,
    CLOSED = 64,
    HEIGHT = 128,
    LENGTH = 256,
    LOOK = 512 /* colour, opacity, label: all have them */
};

static const struct keyword {
    const char *name;
    unsigned bit;
} keywords[] = {{"radius", RADIUS},     {"size", SIZE},   {"rotation", ROTATION}, {"scale", SCALE},
                {"duration", DURATION}, {"coils", COILS}, {"closed", CLOSED},     {"height", HEIGHT},
                {"length", LENGTH},     {"colour", LOOK}, {"color", LOOK},        {"opacity", LOOK},
                {"label", LOOK}};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static const struct rule {
    unsigned allowed, needed;
    const char *usage;
} rules[DD_SHAPE_COUNT] = {
    [DD_SHAPE_POINT] = {RADIUS, 0, "point(p, radius = 0.02)"},
    [DD_SHAPE_SPHERE] = {RADIUS, RADIUS, "sphere(p, radius = 0.1)"},
    [DD_SHAPE_LINE] = {RADIUS | CLOSED, 0, "line(a, b, radius = 0.01)"},
    [DD_SHAPE_CYLINDER] = {RADIUS, RADIUS, "cylinder(a, b, radius = 0.05)"},
    [DD_SHAPE_SPRING] = {RADIUS | COILS, 0, "spring(a, b, radius = 0.05, coils = 8)"},
    [DD_SHAPE_BOX] = {SIZE | ROTATION, SIZE, "box(p, size = {0.2, 0.1, 0.1}, rotation = R)"},
    [DD_SHAPE_HINGE] = {RADIUS, 0, "hinge(p, axis)"},
    [DD_SHAPE_FRAME] = {LENGTH | ROTATION, 0, "frame(p, rotation = R, length = 0.1)"},
    [DD_SHAPE_ARROW] = {SCALE | RADIUS, 0, "arrow(p, f, scale = 0.01)"},
    [DD_SHAPE_TRAIL] = {DURATION, 0, "trail(p, duration = 2)"},
    [DD_SHAPE_TEXT] = {0, 0, "text(p, \"start\")"},
    [DD_SHAPE_GROUND] = {HEIGHT, 0, "ground(height = 0)"},
};

dd_shape_kind dd_draw_kind(const char *name)
{
    uint32_t kind = 0;
    while (kind < DD_SHAPE_COUNT && strcmp(name, dd_shape_name((dd_shape_kind)kind)) != 0) {
        kind++;
    }
    return (dd_shape_kind)kind;
}

/* A shape that is being read: its numbers are put together at the end, points first. */
typedef struct reading {
    dd_draw *d;
    dd_scene_shape shape;
    const dd_form_env *env;
    uint32_t dims; /* coordinates of its points; 0: not known yet */
    dd_expr_vec points;
    dd_expr part[DD_PART_COUNT][6];
    unsigned given;
    const char *words; /* text(p, words) */
} reading;

/* ---- values ---- */

/* Derivatives are not along the trajectory; a variable for them is. */
static bool can_follow(reading *r, dd_form f, const dd_value *v)
{
    dd_flattener *fl = r->d->fl;
    dd_expr_vec symbols = {0};
    for (uint32_t i = 0; i < v->size; i++) {
        dd_symbols(fl->m->dag, v->elems[i], false, &symbols, fl->scratch);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(fl->m->dag, symbols.data[i]) == DD_OP_VAR && dd_symbol_order(fl->m->dag, symbols.data[i]) > 0) {
            const char *name = dd_model_var_name_dup(fl->m, dd_symbol_id(fl->m->dag, symbols.data[i]), fl->pool);
            dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                     "a derivative of %s cannot be drawn: declare a variable for it, Real v = der(...), and draw v",
                     name);
            return false;
        }
    }
    return true;
}

static bool read_value(reading *r, dd_form f, dd_value *v)
{
    dd_flattener *fl = r->d->fl;
    if (dd_form_get(fl->m->forms, f)->op == DD_FORM_STRING) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "numbers are needed here, not a text, as in %s",
                 rules[r->shape.kind].usage);
        return false;
    }
    return dd_elaborate(&fl->el, f, r->env, v) && can_follow(r, f, v);
}

static bool refuse(reading *r, dd_form f, const char *what, const dd_value *v)
{
    dd_flattener *fl = r->d->fl;
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, r->env, &text);
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s, but %s %s %s", what, dd_text_str(&text),
             v->ndim > 0 ? "has" : "is", dd_flat_size(fl, v));
    return false;
}

/* Coordinates of a vector in space; a vector of the plane has x and z. */
static void put_in_space(reading *r, const dd_expr *from, uint32_t dims, dd_expr to[3])
{
    dd_dag *dag = r->d->fl->m->dag;
    to[0] = from[0];
    to[1] = dims == 2 ? dd_num(dag, 0) : from[1];
    to[2] = from[dims - 1];
}

/* All vectors of a shape have two coordinates, or all have three. */
static bool same_dims(reading *r, dd_form f, uint32_t dims, const dd_value *v)
{
    if (r->dims != 0 && r->dims != dims) {
        return refuse(r, f,
                      r->dims == 2 ? "the points of a shape have two coordinates all, or three; here two"
                                   : "the points of a shape have two coordinates all, or three; here three",
                      v);
    }
    r->dims = dims;
    return true;
}

static bool read_vector(reading *r, dd_form f, const char *what, dd_expr to[3])
{
    dd_value v;
    if (!read_value(r, f, &v)) {
        return false;
    }
    if (v.ndim != 1 || (v.size != 2 && v.size != 3) || v.type == DD_TYPE_BOOLEAN) {
        return refuse(r, f, what, &v);
    }
    if (!same_dims(r, f, v.size, &v)) {
        return false;
    }
    put_in_space(r, v.elems, v.size, to);
    return true;
}

static void push_point(reading *r, const dd_expr at[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        dd_vec_push(r->d->fl->pool, &r->points, at[k]);
    }
    r->shape.n_points++;
}

/* A point; in a line also the rows of a matrix. */
static bool read_point(reading *r, dd_form f)
{
    dd_value v;
    dd_expr at[3];
    if (!read_value(r, f, &v)) {
        return false;
    }
    const bool many = r->shape.kind == DD_SHAPE_LINE && v.ndim == 2;
    const uint32_t dims = v.ndim > 0 ? v.dims[v.ndim - 1] : 0, rows = many ? v.dims[0] : 1;
    if ((v.ndim != 1 && !many) || (dims != 2 && dims != 3) || v.type == DD_TYPE_BOOLEAN) {
        return refuse(r, f, "a point is a vector of two or three coordinates", &v);
    }
    if (!same_dims(r, f, dims, &v)) {
        return false;
    }
    for (uint32_t i = 0; i < rows; i++) {
        put_in_space(r, v.elems + (size_t)i * dims, dims, at);
        push_point(r, at);
    }
    return true;
}

static bool read_scalar(reading *r, dd_form f, const char *name, dd_expr *to)
{
    dd_value v;
    if (!read_value(r, f, &v)) {
        return false;
    }
    if (v.ndim != 0 || v.type == DD_TYPE_BOOLEAN) {
        return refuse(r, f, dd_pool_printf(r->d->fl->pool, "%s is a number", name), &v);
    }
    *to = v.elems[0];
    return true;
}

/* A number that stays the same during a run. */
static bool read_constant(reading *r, dd_form f, const char *name, double *to)
{
    uint32_t culprit;
    dd_expr e;
    if (!read_scalar(r, f, name, &e)) {
        return false;
    }
    if (!dd_model_evaluate(r->d->fl->m, e, false, to, &culprit) || !isfinite(*to)) {
        dd_error(r->d->fl->ctx, dd_form_get(r->d->fl->m->forms, f)->span,
                 "%s is a number that does not change with time", name);
        return false;
    }
    return true;
}

/* ---- rotations ---- */

/* The first two axes of the body in the world, which are columns of R. */
static void axes_of_matrix(const dd_expr *R, dd_expr to[6])
{
    for (uint32_t k = 0; k < 3; k++) {
        to[k] = R[3 * k];
        to[3 + k] = R[3 * k + 1];
    }
}

/* q = (s, x, y, z) of length 1: R = I + 2 s [v] + 2 [v]^2 */
static void axes_of_quaternion(dd_dag *g, const dd_expr *q, dd_expr to[6])
{
    const dd_expr two = dd_num(g, 2), one = dd_num(g, 1);
#define TWICE(a, b) dd_mul(g, two, dd_mul(g, q[a], q[b]))
    to[0] = dd_sub(g, one, dd_add(g, TWICE(2, 2), TWICE(3, 3)));
    to[1] = dd_add(g, TWICE(1, 2), TWICE(0, 3));
    to[2] = dd_sub(g, TWICE(1, 3), TWICE(0, 2));
    to[3] = dd_sub(g, TWICE(1, 2), TWICE(0, 3));
    to[4] = dd_sub(g, one, dd_add(g, TWICE(1, 1), TWICE(3, 3)));
    to[5] = dd_add(g, TWICE(2, 3), TWICE(0, 1));
#undef TWICE
}

/* In the plane: x and z turn, y stays. */
static void axes_of_angle(dd_dag *g, dd_expr angle, dd_expr to[6])
{
    const dd_expr none = dd_num(g, 0), one = dd_num(g, 1);
    const dd_expr axes[] = {dd_unary(g, DD_OP_COS, angle), none, dd_unary(g, DD_OP_SIN, angle), none, one, none};
    memcpy(to, axes, sizeof axes);
}

static bool read_rotation(reading *r, dd_form f)
{
    dd_dag *g = r->d->fl->m->dag;
    dd_value v;
    if (!read_value(r, f, &v)) {
        return false;
    }
    if (v.ndim == 0 && r->dims == 2) {
        axes_of_angle(g, v.elems[0], r->part[DD_PART_AXES]);
    } else if (v.ndim == 1 && v.size == 4 && r->dims == 3) {
        axes_of_quaternion(g, v.elems, r->part[DD_PART_AXES]);
    } else if (v.ndim == 2 && v.dims[0] == 3 && v.dims[1] == 3 && r->dims == 3) {
        axes_of_matrix(v.elems, r->part[DD_PART_AXES]);
    } else {
        return refuse(r, f,
                      r->dims == 2 ? "a rotation in the plane is an angle"
                                   : "a rotation is a matrix of size 3 x 3 or a quaternion of size 4",
                      &v);
    }
    return true;
}

static void no_rotation(reading *r)
{
    dd_dag *g = r->d->fl->m->dag;
    for (uint32_t k = 0; k < 6; k++) {
        r->part[DD_PART_AXES][k] = dd_num(g, k == 0 || k == 4);
    }
}

/* ---- keywords ---- */

static bool read_size(reading *r, dd_form f)
{
    return read_vector(
        r, f, r->dims == 2 ? "the size of a box in the plane has two numbers" : "the size of a box has three numbers",
        r->part[DD_PART_SIZE]);
}

static bool read_text(reading *r, dd_form f, const char *name, const char **to)
{
    const dd_form_node *node = dd_form_get(r->d->fl->m->forms, f);
    if (node->op != DD_FORM_STRING) {
        dd_error(r->d->fl->ctx, node->span, "%s is a text in quotes", name);
        return false;
    }
    *to = dd_names_get(r->d->fl->m->names, node->payload);
    return true;
}

static bool read_look(reading *r, const char *name, dd_form f)
{
    dd_flattener *fl = r->d->fl;
    dd_shape_look *look = &r->shape.look;
    const char *colour;
    if (strcmp(name, "label") == 0) {
        return read_text(r, f, name, &look->label);
    }
    if (strcmp(name, "opacity") == 0) {
        const dd_span span = dd_form_get(fl->m->forms, f)->span;
        if (read_constant(r, f, name, &look->opacity) && (look->opacity < 0 || look->opacity > 1)) {
            dd_error(fl->ctx, span, "opacity is a number from 0 to 1");
            return false;
        }
        return true;
    }
    if (!read_text(r, f, name, &colour)) {
        return false;
    }
    look->colour = dd_colour_named(colour);
    if (look->colour < 0) {
        const char *near = dd_colour_suggest(colour);
        dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                 near != NULL ? "there is no colour \"%s\": did you mean \"%s\"?"
                              : "there is no colour \"%s\": write a name such as \"red\", or \"#rrggbb\"",
                 colour, near);
    }
    return look->colour >= 0;
}

static bool read_closed(reading *r, dd_form f)
{
    return dd_elaborate_boolean(&r->d->fl->el, f, r->env, &r->shape.closed);
}

/* The keyword of this name that the kind takes; NULL after a message. */
static const struct keyword *find_keyword(reading *r, const char *name, dd_span span)
{
    const dd_shape_kind kind = r->shape.kind;
    const char *names[KEYWORDS];
    size_t n = 0;
    for (size_t i = 0; i < KEYWORDS; i++) {
        if ((keywords[i].bit & (rules[kind].allowed | LOOK)) == 0) {
            continue;
        }
        if (strcmp(keywords[i].name, name) == 0) {
            return &keywords[i];
        }
        names[n++] = keywords[i].name;
    }
    const char *near = dd_closest_name(name, names, n);
    dd_error(r->d->fl->ctx, span, near != NULL ? "%s has no %s: did you mean %s?" : "%s has no %s; an example is %s",
             dd_shape_name(kind), name, near != NULL ? near : rules[kind].usage);
    return NULL;
}

static bool read_keyword(reading *r, dd_form named)
{
    dd_flattener *fl = r->d->fl;
    const dd_form_node node = *dd_form_get(fl->m->forms, named);
    const char *name = dd_names_get(fl->m->names, node.payload);
    const dd_form f = dd_form_arg(fl->m->forms, named, 0);
    const struct keyword *k = find_keyword(r, name, node.span);
    if (k == NULL) {
        return false;
    }
    r->given |= k->bit;
    switch (k->bit) {
    case RADIUS:
    case LENGTH:
        return read_scalar(r, f, name, &r->part[DD_PART_RADIUS][0]);
    case SIZE:
        return read_size(r, f);
    case ROTATION:
        return read_rotation(r, f);
    case SCALE:
    case DURATION:
    case COILS:
        return read_constant(r, f, name, &r->shape.look.scale);
    case CLOSED:
        return read_closed(r, f);
    case HEIGHT: {
        dd_dag *g = fl->m->dag;
        dd_expr at[3] = {dd_num(g, 0), dd_num(g, 0), dd_num(g, 0)};
        const bool ok = read_scalar(r, f, name, &at[2]);
        memcpy(r->points.data, at, sizeof at);
        return ok;
    }
    default:
        return read_look(r, name, f);
    }
}

/* ---- the shape ---- */

/* Arguments without a name: points, then the vector of an arrow or the words of a text. */
static bool read_positional(reading *r, dd_form f, uint32_t at)
{
    static const uint8_t points[] = {
#define DD_SHAPE_POINTS(id, name, n) n,
        DD_SHAPE_LIST(DD_SHAPE_POINTS)
#undef DD_SHAPE_POINTS
    };
    const dd_shape_kind kind = r->shape.kind;
    dd_flattener *fl = r->d->fl;
    if (kind != DD_SHAPE_GROUND && (kind == DD_SHAPE_LINE || at < points[kind])) {
        return read_point(r, f);
    }
    if (kind == DD_SHAPE_ARROW && at == 1) {
        return read_vector(r, f, "the second argument of arrow is a vector of two or three numbers",
                           r->part[DD_PART_VECTOR]);
    }
    if (kind == DD_SHAPE_HINGE && at == 1 && r->dims == 3) {
        r->shape.has[DD_PART_VECTOR] = true;
        return read_vector(r, f, "the axis of a hinge is a vector of three numbers", r->part[DD_PART_VECTOR]);
    }
    if (kind == DD_SHAPE_TEXT && at == 1) {
        return read_text(r, f, "the second argument of text", &r->words);
    }
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s has too many arguments; an example is %s",
             dd_shape_name(kind), rules[kind].usage);
    return false;
}

static bool is_complete(reading *r, dd_span span, uint32_t positional)
{
    const dd_shape_kind kind = r->shape.kind;
    const bool two =
        kind == DD_SHAPE_CYLINDER || kind == DD_SHAPE_SPRING || kind == DD_SHAPE_ARROW || kind == DD_SHAPE_TEXT;
    const bool few = kind == DD_SHAPE_LINE ? r->shape.n_points < 2
                                           : positional < (two                       ? 2u
                                                           : kind == DD_SHAPE_GROUND ? 0u
                                                                                     : 1u);
    if (few || (rules[kind].needed & ~r->given) != 0) {
        dd_error(r->d->fl->ctx, span, "%s needs more: an example is %s", dd_shape_name(kind), rules[kind].usage);
        return false;
    }
    return true;
}

static bool read_arguments(reading *r, dd_form call)
{
    const dd_forms *forms = r->d->fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, call);
    uint32_t positional = 0;
    bool ok = true;
    /* points first, since they say whether the shape is in the plane */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        const dd_form f = dd_form_arg(forms, call, i);
        if (dd_form_get(forms, f)->op != DD_FORM_NAMED_ARG) {
            ok = read_positional(r, f, positional++);
        }
    }
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        const dd_form f = dd_form_arg(forms, call, i);
        if (dd_form_get(forms, f)->op == DD_FORM_NAMED_ARG) {
            ok = read_keyword(r, f);
        }
    }
    return ok && is_complete(r, node.span, positional);
}

static void store(reading *r)
{
    dd_drawing *drawing = r->d->drawing;
    dd_pool *pool = dd_dag_pool(drawing->dag);
    dd_scene_shape *s = &r->shape;
    s->first = drawing->numbers.len;
    s->plane = r->dims == 2;
    for (uint32_t i = 0; i < r->points.len; i++) {
        dd_vec_push(pool, &drawing->numbers, r->points.data[i]);
    }
    /* parts behind the points, in the order of their kinds */
    for (uint32_t part = 0; part < DD_PART_COUNT; part++) {
        for (uint32_t k = 0; s->has[part] && k < dd_shape_part_size[part]; k++) {
            dd_vec_push(pool, &drawing->numbers, r->part[part][k]);
        }
    }
    /* texts of the class are gone after flattening; those of names live as long as the model */
    s->look.name = r->d->instance->path[0] != '\0' ? dd_pool_printf(pool, "%s.%s", r->d->instance->path, r->d->name)
                                                   : dd_pool_strdup(pool, r->d->name);
    dd_vec_push(pool, &drawing->shapes, *s);
}

bool dd_draw_shape(dd_draw *d, dd_form call, const dd_form_env *env)
{
    dd_flattener *fl = d->fl;
    const dd_form_node node = *dd_form_get(fl->m->forms, call);
    reading r = {.d = d, .env = env, .words = ""};
    r.shape = (dd_scene_shape){.kind = dd_draw_kind(dd_names_get(fl->m->names, node.payload)),
                               .look = {.label = "", .colour = -1, .opacity = 1}};
    const dd_shape_kind kind = r.shape.kind;
    if (kind == DD_SHAPE_GROUND) {
        const dd_expr zero = dd_num(fl->m->dag, 0);
        push_point(&r, (dd_expr[]){zero, zero, zero});
    }
    no_rotation(&r);
    const bool ok = read_arguments(&r, call);
    r.shape.has[DD_PART_SIZE] = kind == DD_SHAPE_BOX;
    r.shape.has[DD_PART_AXES] = kind == DD_SHAPE_BOX || kind == DD_SHAPE_FRAME;
    r.shape.has[DD_PART_VECTOR] |= kind == DD_SHAPE_ARROW;
    r.shape.has[DD_PART_RADIUS] = (r.given & (RADIUS | LENGTH)) != 0;
    r.shape.look.label = kind == DD_SHAPE_TEXT ? r.words : r.shape.look.label;
    if (ok) {
        store(&r);
    }
    dd_vec_free(fl->pool, &r.points);
    return ok;
}

/* ---- the view ---- */

static bool read_direction(reading *r, dd_form f, const char *name, double to[3])
{
    uint32_t culprit;
    dd_expr at[3];
    r->dims = 0;
    bool ok = read_vector(r, f, dd_pool_printf(r->d->fl->pool, "%s is a vector of two or three numbers", name), at);
    for (uint32_t k = 0; k < 3 && ok; k++) {
        if (!dd_model_evaluate(r->d->fl->m, at[k], false, &to[k], &culprit)) {
            dd_error(r->d->fl->ctx, dd_form_get(r->d->fl->m->forms, f)->span,
                     "%s is made of numbers that do not change with time", name);
            ok = false;
        }
    }
    return ok;
}

static void read_follow(reading *r, dd_form f)
{
    dd_drawing *drawing = r->d->drawing;
    dd_expr at[3];
    r->dims = 0;
    if (!read_vector(r, f, "follow is a point: a vector of two or three coordinates", at)) {
        return;
    }
    drawing->view.follow = drawing->numbers.len;
    for (uint32_t k = 0; k < 3; k++) {
        dd_vec_push(dd_dag_pool(drawing->dag), &drawing->numbers, at[k]);
    }
}

void dd_draw_view(dd_draw *d, const dd_ast_mod *list)
{
    static const char *const names[] = {"from", "centre", "width", "follow"};
    dd_flattener *fl = d->fl;
    dd_scene_view *view = &d->drawing->view;
    reading r = {.d = d, .shape.kind = DD_SHAPE_POINT};
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
            view->has_width = read_constant(&r, f, name, &view->width) && view->width > 0;
        } else if (strcmp(name, names[3]) == 0) {
            read_follow(&r, f);
        } else {
            const char *near = dd_closest_name(name, names, 4);
            dd_error(fl->ctx, mod->span, near != NULL ? "view has no %s: did you mean %s?" : "view has no %s", name,
                     near);
        }
    }
}
