/* outlines.c - what a model draws and does not move, as outlines on a map: obstacles, tracks, goals. */
#include <math.h>
#include <string.h>

#include "dynamics/drawn.h"
#include "expr/value.h"

enum { CORNERS = 49 }; /* of a circle: smooth at the size of a plot */

typedef struct mapping {
    const dd_drawing *drawing;
    const double *parameter;
    dd_pool *pool;
    DD_VEC(dd_curve_outline) list;
} mapping;

static double parameter_value(void *user, dd_expr symbol)
{
    const mapping *m = user;
    return m->parameter[dd_symbol_id(m->drawing->dag, symbol)];
}

/* All numbers of a shape; NULL when one of them changes with time. */
static const double *numbers_of(mapping *m, const dd_scene_shape *shape)
{
    const dd_drawing *d = m->drawing;
    uint32_t n = 3 * shape->n_points;
    for (uint32_t part = 0; part < DD_PART_COUNT; part++) {
        n += shape->has[part] ? dd_shape_part_size[part] : 0;
    }
    double *values = dd_pool_alloc_array(m->pool, (size_t)n + 1, sizeof *values);
    for (uint32_t i = 0; i < n; i++) {
        const dd_expr e = d->numbers.data[shape->first + i];
        dd_expr_vec symbols = {0};
        dd_symbols(d->dag, e, true, &symbols, m->pool);
        for (uint32_t k = 0; k < symbols.len; k++) {
            if (dd_op_of(d->dag, symbols.data[k]) != DD_OP_PARAM) {
                return NULL;
            }
        }
        values[i] = dd_value_of(d->dag, e, parameter_value, m, m->pool);
    }
    return values;
}

/* The place of the second coordinate: shapes of the plane have it as height, a map of space is seen from above. */
static uint32_t second_of(const dd_scene_shape *shape)
{
    return shape->plane ? 2 : 1;
}

typedef struct outline {
    double *x, *y;
    uint64_t count;
} outline;

static outline outline_new(uint64_t room, dd_pool *pool)
{
    return (outline){dd_pool_alloc_array(pool, room, sizeof(double)), dd_pool_alloc_array(pool, room, sizeof(double)),
                     0};
}

static void go_to(outline *o, double x, double y)
{
    o->x[o->count] = x;
    o->y[o->count++] = y;
}

static outline circle(double x, double y, double radius, dd_pool *pool)
{
    outline o = outline_new(CORNERS, pool);
    for (uint32_t i = 0; i < CORNERS; i++) {
        const double angle = 2 * M_PI * i / (CORNERS - 1);
        go_to(&o, x + radius * cos(angle), y + radius * sin(angle));
    }
    return o;
}

static outline lines(const dd_scene_shape *shape, const double *v, dd_pool *pool)
{
    const uint32_t second = second_of(shape), n = shape->n_points;
    outline o = outline_new((uint64_t)n + 1, pool);
    for (uint32_t i = 0; i < n + (shape->closed ? 1 : 0); i++) {
        go_to(&o, v[(size_t)3 * (i % n)], v[(size_t)3 * (i % n) + second]);
    }
    return o;
}

/* The side of a box that the map shows: along the first axis and, in the plane, the third one. */
static outline rectangle(const dd_scene_shape *shape, const double *v, dd_pool *pool)
{
    static const double corner[][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const uint32_t second = second_of(shape);
    const double *size = v + dd_shape_offset(shape, DD_PART_SIZE), *a = v + dd_shape_offset(shape, DD_PART_AXES),
                 *b = a + 3;
    const double third[] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double *other = shape->plane ? third : b;
    outline o = outline_new(5, pool);
    for (uint32_t i = 0; i < 5; i++) {
        const double s = 0.5 * size[0] * corner[i][0], t = 0.5 * size[second] * corner[i][1];
        go_to(&o, v[0] + s * a[0] + t * other[0], v[second] + s * a[second] + t * other[second]);
    }
    return o;
}

/* An upright cylinder is a disk from above, any other one a line. */
static bool is_upright(const dd_scene_shape *shape, const double *v)
{
    return !shape->plane && v[0] == v[3] && v[1] == v[4];
}

/* A list of shapes is one line, interrupted between them. */
static bool joined(const mapping *m, const dd_curve_outline *next)
{
    if (m->list.len == 0) {
        return false;
    }
    dd_curve_outline *last = &m->list.data[m->list.len - 1];
    if (last->style != next->style || strcmp(last->name, next->name) != 0) {
        return false;
    }
    outline both = outline_new(last->count + 1 + next->count, m->pool);
    for (uint64_t i = 0; i < last->count; i++) {
        go_to(&both, last->x[i], last->y[i]);
    }
    go_to(&both, NAN, NAN);
    for (uint64_t i = 0; i < next->count; i++) {
        go_to(&both, next->x[i], next->y[i]);
    }
    last->x = both.x;
    last->y = both.y;
    last->count = both.count;
    return true;
}

static void add_shape(mapping *m, const dd_scene_shape *shape)
{
    const double *v = numbers_of(m, shape);
    const uint32_t second = second_of(shape);
    outline o = {0};
    bool filled = true;
    if (v == NULL) {
        return;
    }
    const double *radius = v + dd_shape_offset(shape, DD_PART_RADIUS);
    switch (shape->kind) {
    case DD_SHAPE_POINT:
    case DD_SHAPE_SPHERE:
        o = shape->has[DD_PART_RADIUS] ? circle(v[0], v[second], *radius, m->pool) : lines(shape, v, m->pool);
        filled = shape->has[DD_PART_RADIUS];
        break;
    case DD_SHAPE_CYLINDER:
        filled = is_upright(shape, v);
        o = filled ? circle(v[0], v[1], *radius, m->pool) : lines(shape, v, m->pool);
        break;
    case DD_SHAPE_BOX:
        o = rectangle(shape, v, m->pool);
        break;
    case DD_SHAPE_LINE:
        o = lines(shape, v, m->pool);
        filled = shape->closed;
        break;
    default:
        return; /* nothing that something could run into */
    }
    const dd_line_style style = filled ? DD_LINE_AREA : o.count == 1 ? DD_LINE_POINTS : DD_LINE_PLAIN;
    const char *name = shape->look.label[0] != '\0' ? shape->look.label : shape->look.name;
    const dd_curve_outline next = {name, o.x, o.y, o.count, style};
    if (!joined(m, &next)) {
        dd_vec_push(m->pool, &m->list, next);
    }
}

dd_curve_map dd_drawn_map(const dd_model *m, const double *parameter, dd_pool *pool)
{
    mapping map = {.drawing = m->drawing, .parameter = parameter, .pool = pool};
    if (m->drawing == NULL || m->drawing->view.path[0] == NULL) {
        return (dd_curve_map){0};
    }
    for (uint32_t i = 0; i < m->drawing->shapes.len; i++) {
        add_shape(&map, &m->drawing->shapes.data[i]);
    }
    return (dd_curve_map){m->drawing->view.path[0], m->drawing->view.path[1], map.list.data, map.list.len};
}

void dd_drawn_places(dd_curves *c, const dd_model *m, const double *parameter, dd_pool *pool)
{
    DD_VEC(dd_curve_place) places = {0};
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const dd_variable *var = &m->vars.data[v];
        const dd_array *a = &m->arrays.data[var->array];
        if (var->kind == DD_KIND_PARAMETER && (a->ndim > 0 || strchr(a->name, '[') != NULL)) {
            const char *name = dd_model_var_name_dup(m, v, pool);
            dd_vec_push(pool, &places, ((dd_curve_place){name, a->name, a->unit, parameter[v]}));
        }
    }
    c->places = places.data;
    c->n_places = places.len;
}
