/* elaborate_range.c - first:last and first:step:last: their numbers, as values and to iterate over. */
#include <math.h>

#include "lang/elaborate_private.h"

/* How far beyond the last value a range of Reals may end by rounding, in steps: 0:0.1:1 has 11 values. */
#define ROUNDING_STEPS 1e-9

static bool read_bound(dd_el *el, dd_form f, double *value, dd_expr *expr, bool *integer)
{
    int64_t quick;
    dd_ev v;
    *expr = DD_EXPR_NONE;
    if (dd_el_quick_integer(el, f, &quick)) {
        *value = (double)quick;
        return true;
    }
    if (!dd_el_form(el, f, &v)) {
        return false;
    }
    if (v.ndim > 0 || v.type == DD_TYPE_BOOLEAN) {
        return dd_el_fail(el, f, "a range needs scalar numbers, but %s %s", dd_el_text(el, f),
                          v.ndim > 0 ? dd_el_has(el, &v) : "is Boolean");
    }
    *integer = *integer && v.type == DD_TYPE_INTEGER;
    if (dd_op_of(el->dag, v.one) == DD_OP_NUM) {
        *expr = v.one;
    }
    return dd_el_evaluate(el, f, v.one, "a range", value);
}

static bool count_values(dd_el *el, dd_form f, double last, dd_el_range *r)
{
    /* number of steps = floor((last - first)/step); for Reals with a margin, since 0.3/0.1 rounds below 3 */
    if (r->step == 0 || !isfinite(r->first) || !isfinite(r->step) || !isfinite(last)) {
        return dd_el_fail(el, f, r->step == 0 ? "the step of the range %s is 0" : "the range %s is not finite",
                          dd_el_text(el, f));
    }
    double steps = floor((last - r->first) / r->step + (r->integer ? 0 : ROUNDING_STEPS));
    /* compared as doubles: the count may exceed any integer */
    if (steps >= (double)el->e->max_elements) {
        char buffer[32];
        return dd_el_fail(el, f, "the range %s has %s values, more than the limit of %llu", dd_el_text(el, f),
                          dd_number_text(steps + 1, buffer), (unsigned long long)el->e->max_elements);
    }
    r->count = steps < 0 ? 0 : (uint64_t)steps + 1;
    return true;
}

bool dd_el_read_range(dd_el *el, dd_form f, dd_el_range *out)
{
    /* first:last or first:step:last; the range is of Integers only if all bounds are */
    bool stepped = dd_form_get(el->forms, f)->nargs == 3;
    double last = 0;
    dd_expr last_expr;
    *out = (dd_el_range){.step = 1, .integer = true};
    if (!read_bound(el, dd_form_arg(el->forms, f, 0), &out->first, &out->first_expr, &out->integer) ||
        (stepped && !read_bound(el, dd_form_arg(el->forms, f, 1), &out->step, &out->step_expr, &out->integer)) ||
        !read_bound(el, dd_form_arg(el->forms, f, stepped ? 2 : 1), &last, &last_expr, &out->integer)) {
        return false;
    }
    return count_values(el, f, last, out);
}

static double value_at(const dd_el_range *r, uint64_t k)
{
    return r->first + (double)k * r->step;
}

/* first + k*step, exactly when both are exact numbers */
static dd_expr expr_at(dd_el *el, const dd_el_range *r, uint64_t k)
{
    double value = value_at(r, k);
    if (r->integer && fabs(value) < DD_EXACT_LIMIT) {
        return dd_rational(el->dag, (int64_t)value, 1);
    }
    dd_expr first = r->first_expr != DD_EXPR_NONE ? r->first_expr : dd_num(el->dag, r->first);
    dd_expr step = r->step_expr != DD_EXPR_NONE ? r->step_expr : dd_num(el->dag, r->step);
    return dd_add(el->dag, first, dd_mul(el->dag, dd_rational(el->dag, (int64_t)k, 1), step));
}

bool dd_el_range_value(dd_el *el, dd_form f, dd_ev *out)
{
    dd_el_range r;
    if (!dd_el_read_range(el, f, &r) ||
        !dd_ev_new(el, f, out, 1, &r.count, r.integer ? DD_TYPE_INTEGER : DD_TYPE_REAL)) {
        return false;
    }
    for (uint64_t k = 0; k < r.count; k++) {
        out->elems[k] = expr_at(el, &r, k);
    }
    return true;
}

static bool iterate_vector(dd_el *el, dd_form f, double **values, uint64_t *count, bool *all_integer)
{
    dd_ev v;
    if (!dd_el_form(el, f, &v)) {
        return false;
    }
    if (v.ndim != 1 || v.type == DD_TYPE_BOOLEAN) {
        return dd_el_fail(el, f, "a loop runs over a range or a vector of numbers, but %s %s", dd_el_text(el, f),
                          v.type == DD_TYPE_BOOLEAN ? "is Boolean" : dd_el_has(el, &v));
    }
    *count = v.size;
    *values = dd_pool_alloc_array(el->scratch, v.size, sizeof **values);
    *all_integer = v.type == DD_TYPE_INTEGER;
    for (uint32_t k = 0; k < v.size; k++) {
        if (!dd_el_evaluate(el, f, v.elems[k], "a loop range", &(*values)[k])) {
            return false;
        }
    }
    return true;
}

bool dd_el_iteration(dd_el *el, dd_form f, double **values, uint64_t *count, bool *all_integer)
{
    dd_el_range r;
    if (dd_form_get(el->forms, f)->op != DD_FORM_RANGE) {
        return iterate_vector(el, f, values, count, all_integer);
    }
    if (!dd_el_read_range(el, f, &r)) {
        return false;
    }
    *count = r.count;
    *all_integer = r.integer;
    *values = dd_pool_alloc_array(el->scratch, r.count, sizeof **values);
    for (uint64_t k = 0; k < r.count; k++) {
        /* a number as the dag has it, so that 0:0.1:1 contains 0.3 and not 0.30000000000000004 */
        (*values)[k] = r.integer ? value_at(&r, k) : dd_num_value(el->dag, expr_at(el, &r, k));
    }
    return true;
}
