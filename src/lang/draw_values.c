/* draw_values.c - arguments of shapes as expressions: points, vectors, numbers, rotations. A vector of the plane has x and y, which
 * become x and z in space. */
#include <math.h>
#include <string.h>

#include "lang/draw.h"

/* ---- values ---- */

/* Derivatives are not along the trajectory; a variable for them is. */
static bool can_follow(dd_draw_reading *r, dd_form f, const dd_value *v)
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

static bool dd_draw_value(dd_draw_reading *r, dd_form f, dd_value *v)
{
    dd_flattener *fl = r->d->fl;
    if (dd_form_get(fl->m->forms, f)->op == DD_FORM_STRING) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "numbers are needed here, not a text, as in %s",
                 r->usage);
        return false;
    }
    return dd_elaborate(&fl->el, f, r->env, v) && can_follow(r, f, v);
}

static bool refuse(dd_draw_reading *r, dd_form f, const char *what, const dd_value *v)
{
    dd_flattener *fl = r->d->fl;
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, r->env, &text);
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s, but %s %s %s", what, dd_text_str(&text),
             v->ndim > 0 ? "has" : "is", dd_flat_size(fl, v));
    return false;
}

/* Coordinates of a vector in space; a vector of the plane has x and z. */
static void put_in_space(dd_draw_reading *r, const dd_expr *from, uint32_t dims, dd_expr to[3])
{
    dd_dag *dag = r->d->fl->m->dag;
    to[0] = from[0];
    to[1] = dims == 2 ? dd_num(dag, 0) : from[1];
    to[2] = from[dims - 1];
}

/* All vectors of a shape have two coordinates, or all have three. */
static bool same_dims(dd_draw_reading *r, dd_form f, uint32_t dims, const dd_value *v)
{
    if (r->dims != 0 && r->dims != dims) {
        return refuse(r, f,
                      r->dims == 2 ? "all points of a shape have two coordinates, or all three; here two"
                                   : "all points of a shape have two coordinates, or all three; here three",
                      v);
    }
    r->dims = dims;
    return true;
}

bool dd_draw_vector(dd_draw_reading *r, dd_form f, const char *what, dd_expr to[3])
{
    dd_value v;
    if (!dd_draw_value(r, f, &v)) {
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

void dd_draw_push_point(dd_draw_reading *r, const dd_expr at[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        dd_vec_push(r->d->fl->pool, &r->points, at[k]);
    }
    r->shape.n_points++;
}

/* A point; in a line also the rows of a matrix. */
bool dd_draw_point(dd_draw_reading *r, dd_form f)
{
    dd_value v;
    dd_expr at[3];
    if (!dd_draw_value(r, f, &v)) {
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
        dd_draw_push_point(r, at);
    }
    return true;
}

bool dd_draw_scalar(dd_draw_reading *r, dd_form f, const char *name, dd_expr *to)
{
    dd_value v;
    if (!dd_draw_value(r, f, &v)) {
        return false;
    }
    if (v.ndim != 0 || v.type == DD_TYPE_BOOLEAN) {
        return refuse(r, f, dd_pool_printf(r->d->fl->pool, "%s is a number", name), &v);
    }
    *to = v.elems[0];
    return true;
}

/* A number that stays the same during a run. */
bool dd_draw_constant(dd_draw_reading *r, dd_form f, const char *name, double *to)
{
    uint32_t culprit;
    dd_expr e;
    if (!dd_draw_scalar(r, f, name, &e)) {
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

bool dd_draw_rotation(dd_draw_reading *r, dd_form f)
{
    dd_dag *g = r->d->fl->m->dag;
    dd_value v;
    if (!dd_draw_value(r, f, &v)) {
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

void dd_draw_no_rotation(dd_draw_reading *r)
{
    dd_dag *g = r->d->fl->m->dag;
    for (uint32_t k = 0; k < 6; k++) {
        r->part[DD_PART_AXES][k] = dd_num(g, k == 0 || k == 4);
    }
}
