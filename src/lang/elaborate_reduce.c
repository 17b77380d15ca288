/* elaborate_reduce.c - sum, product, min, max: of all elements of an array, of the iterations of `sum(e for i in r)`,
 * and min, max of two scalars. */
#include "lang/elaborate_private.h"

typedef struct reduction {
    const char *name;
    dd_expr (*apply)(dd_dag *dag, dd_expr *terms, uint32_t n); /* may overwrite terms */
    bool of_nothing;                                           /* has a value for no terms */
} reduction;

static dd_expr apply_sum(dd_dag *dag, dd_expr *terms, uint32_t n)
{
    return dd_sum(dag, terms, n);
}

static dd_expr apply_product(dd_dag *dag, dd_expr *terms, uint32_t n)
{
    return n == 0 ? dd_rational(dag, 1, 1) : dd_product(dag, terms, n);
}

/* Pairs of pairs: the depth of the result is the logarithm of n. */
static dd_expr apply_pairs(dd_dag *dag, dd_op op, dd_expr *terms, uint32_t n)
{
    /* neighbours are joined; an odd one at the end moves up unchanged */
    while (n > 1) {
        for (uint32_t i = 0; i < n / 2; i++) {
            terms[i] = dd_binary(dag, op, terms[2 * i], terms[2 * i + 1]);
        }
        if (n % 2 == 1) {
            terms[n / 2] = terms[n - 1];
        }
        n = (n + 1) / 2;
    }
    return terms[0];
}

static dd_expr apply_min(dd_dag *dag, dd_expr *terms, uint32_t n)
{
    return apply_pairs(dag, DD_OP_MIN, terms, n);
}

static dd_expr apply_max(dd_dag *dag, dd_expr *terms, uint32_t n)
{
    return apply_pairs(dag, DD_OP_MAX, terms, n);
}

static reduction reduction_of(dd_form_fn fn)
{
    switch (fn) {
    case DD_FN_SUM:
        return (reduction){"sum", apply_sum, true};
    case DD_FN_PRODUCT:
        return (reduction){"product", apply_product, true};
    case DD_FN_MIN:
        return (reduction){"min", apply_min, false};
    default:
        return (reduction){"max", apply_max, false};
    }
}

/* min and max have kinks */
static dd_expr finish(const dd_el *el, const reduction *r, dd_expr e)
{
    return r->of_nothing ? e : dd_el_jump(el, e);
}

static bool two_scalars(dd_el *el, dd_form f, const reduction *r, dd_ev *out)
{
    /* two scalars: min(a, b) and max(a, b) */
    dd_ev v[2];
    for (uint32_t i = 0; i < 2; i++) {
        dd_form arg = dd_form_arg(el->forms, f, i);
        if (!dd_el_form(el, arg, &v[i]) || !dd_el_numeric(el, arg, &v[i], r->name)) {
            return false;
        }
        if (v[i].ndim > 0) {
            return dd_el_fail(el, f, "%s takes one array or two scalars, but %s %s", r->name, dd_el_text(el, arg),
                              dd_el_has(el, &v[i]));
        }
    }
    dd_expr terms[2] = {v[0].one, v[1].one};
    dd_ev_set(out, finish(el, r, r->apply(el->dag, terms, 2)), dd_ev_join(&v[0], &v[1]));
    return true;
}

/* Reduces the leading dimension, leaving an array of `inner` elements (the body of an iteration). */
static bool over_iterations(dd_el *el, dd_form f, const reduction *r, const dd_ev *v, dd_ev *out)
{
    uint64_t dims[DD_MAX_DIMS];
    uint32_t inner = v->dims[0] == 0 ? 0 : v->size / v->dims[0];
    for (uint32_t d = 1; d < v->ndim; d++) {
        dims[d - 1] = v->dims[d];
    }
    if (!dd_ev_new(el, f, out, v->ndim - 1u, dims, (dd_base_type)v->type)) {
        return false;
    }
    /* element k of the result reduces element k of every iteration */
    dd_expr *terms = dd_pool_alloc_array(el->scratch, v->dims[0], sizeof *terms);
    for (uint32_t k = 0; k < inner; k++) {
        for (uint32_t i = 0; i < v->dims[0]; i++) {
            terms[i] = v->elems[(size_t)i * inner + k];
        }
        out->elems[k] = finish(el, r, r->apply(el->dag, terms, v->dims[0]));
    }
    return true;
}

bool dd_el_reduce(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    reduction r = reduction_of((dd_form_fn)node->sub);
    if (node->nargs == 2) {
        return two_scalars(el, f, &r, out);
    }
    /* one array: all of its elements, or the iterations of a comprehension */
    dd_form arg = dd_form_arg(el->forms, f, 0);
    dd_ev v;
    if (!dd_el_form(el, arg, &v) || !dd_el_numeric(el, arg, &v, r.name)) {
        return false;
    }
    if (v.ndim == 0) {
        return dd_el_fail(el, f, "%s needs an array, but %s is a scalar", r.name, dd_el_text(el, arg));
    }
    if (v.size == 0 && !r.of_nothing) {
        return dd_el_fail(el, f, "%s of an empty array has no value", r.name);
    }
    const dd_form_node *inner = dd_form_get(el->forms, arg);
    if (inner->op == DD_FORM_COMPREHENSION && inner->sub != 0 && v.ndim > 1) {
        return over_iterations(el, f, &r, &v, out);
    }
    /* no value shares its scalars with another one that is still needed, so they may be overwritten */
    dd_ev_set(out, finish(el, &r, r.apply(el->dag, v.elems, v.size)), (dd_base_type)v.type);
    return true;
}
