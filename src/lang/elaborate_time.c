/* elaborate_time.c - time, der(...) and the point values x(t) of optimizations. */
#include "base/hash.h"
#include "lang/elaborate_private.h"

bool dd_el_time(dd_el *el, dd_form f, dd_ev *out)
{
    if (el->e->parameters_only) {
        return dd_el_fail(el, f, "only parameters and constants are allowed here, not time");
    }
    dd_ev_set(out, dd_time(el->dag), DD_TYPE_REAL);
    return true;
}

/* ---- derivatives ---- */

static dd_expr rate_of(dd_dag *dag, dd_expr e)
{
    /* a symbol: the next order. Anything else: the chain rule */
    if (dd_op_of(dag, e) == DD_OP_VAR) {
        return dd_var(dag, dd_symbol_id(dag, e), dd_symbol_order(dag, e) + 1);
    }
    return dd_total_derivative(dag, e, NULL, NULL);
}

bool dd_el_der(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form arg = dd_form_arg(el->forms, f, 0);
    dd_ev v;
    if (!dd_el_form(el, arg, &v) || !dd_el_numeric(el, arg, &v, "der")) {
        return false;
    }
    if (v.ndim == 0) {
        dd_ev_set(out, rate_of(el->dag, v.one), DD_TYPE_REAL);
        return true;
    }
    dd_ev_like(el, out, &v);
    out->type = DD_TYPE_REAL;
    for (uint32_t k = 0; k < v.size; k++) {
        out->elems[k] = rate_of(el->dag, v.elems[k]);
    }
    return true;
}

/* ---- point values ---- */

static uint64_t point_key(uint32_t var, dd_expr time)
{
    return dd_hash_mix(dd_hash_mix(0, var), time);
}

/* Takes points into the map that were made since it was last used. */
static void index_points(dd_el *el)
{
    dd_elaborator *e = el->e;
    if (e->points.pool == NULL) {
        e->points = dd_map_new(el->m->pool);
    }
    /* point_value appends to the list only; the map catches up here */
    for (; e->points_known < el->m->optimization->points.len; e->points_known++) {
        const dd_point *p = &el->m->optimization->points.data[e->points_known];
        dd_map_put(&e->points, point_key(p->of, p->time), e->points_known + 1);
    }
}

/* The POINT variable of a variable at a time; made when it is new, with the name x[2](finalTime). */
static dd_expr point_value(dd_el *el, dd_form f, uint32_t var, dd_expr time, const char *time_text)
{
    dd_optimization *o = el->m->optimization;
    /* a hash finds it; the comparison guards against two keys with one hash */
    index_points(el);
    uint32_t known = dd_map_get(&el->e->points, point_key(var, time));
    if (known != 0 && o->points.data[known - 1].of == var && o->points.data[known - 1].time == time) {
        return dd_model_symbol(el->m, o->points.data[known - 1].var);
    }
    /* the name decides in the end: x(finalTime) is one variable however its time was computed */
    const char *name = dd_pool_printf(el->scratch, "%s(%s)", dd_model_var_name_dup(el->m, var, el->scratch), time_text);
    uint32_t array = dd_model_find_array(el->m, name);
    if (array == DD_NO_INDEX) {
        array = dd_model_add_array(el->m, name, NULL, 0, DD_KIND_POINT, DD_TYPE_REAL, dd_form_get(el->forms, f)->span);
        dd_point point = {.var = el->m->arrays.data[array].first, .of = var, .time = time};
        dd_vec_push(el->m->pool, &o->points, point);
    }
    return dd_model_symbol(el->m, el->m->arrays.data[array].first);
}

static bool point_time(dd_el *el, dd_form f, dd_ev *out)
{
    /* the time must be known in parameters, startTime and finalTime: while it is read, variables are errors */
    bool before = el->e->parameters_only;
    el->e->parameters_only = true;
    bool ok = dd_el_form(el, f, out) && dd_el_numeric(el, f, out, "the time of a point value");
    el->e->parameters_only = before;
    if (ok && out->ndim > 0) {
        return dd_el_fail(el, f, "the time of a point value must be a scalar, but %s %s", dd_el_text(el, f),
                          dd_el_has(el, out));
    }
    return ok;
}

bool dd_el_point(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form reference = dd_form_arg(el->forms, f, 0), at = dd_form_arg(el->forms, f, 1);
    dd_ev v, time;
    /* outside an optimization there is no time to take values at */
    if (!el->e->in_optimization || el->m->optimization == NULL) {
        return dd_el_fail(el, f, "a value at one time, %s, is allowed only in an optimization", dd_el_text(el, f));
    }
    if (!dd_el_form(el, reference, &v) || !point_time(el, at, &time)) {
        return false;
    }
    /* the time as written becomes part of the names */
    dd_text text = dd_text_new(el->scratch);
    dd_form_print(el->forms, at, el->env, &text);
    dd_ev_like(el, out, &v);
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; k < v.size; k++) {
        dd_expr e = dd_ev_elems(&v)[k];
        if (dd_op_of(el->dag, e) != DD_OP_VAR || dd_symbol_order(el->dag, e) != 0) {
            return dd_el_fail(el, f, "%s is not a variable, so it has no value at a time", dd_el_text(el, reference));
        }
        elems[k] = point_value(el, f, dd_symbol_id(el->dag, e), time.one, dd_text_str(&text));
    }
    return true;
}
