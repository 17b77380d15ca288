/* elaborate_array.c - arrays from parts: {a, b}, [a, b; c, d], cat(k, ...), {e for i in r, j in s}. */
#include <assert.h>
#include <string.h>

#include "lang/elaborate_private.h"

#define MAX_ITERATORS 16 /* nested iterators of one comprehension */

/* ---- {a, b, c} ---- */

static bool same_element(dd_el *el, dd_form f, dd_form fa, const dd_ev *a, dd_form fb, const dd_ev *b)
{
    /* 10.4: elements have one shape, and are all truth values or all numbers */
    if (!dd_ev_same_shape(a, b)) {
        return dd_el_unequal(el, f, "an array constructor", fa, a, fb, b);
    }
    if ((a->type == DD_TYPE_BOOLEAN) != (b->type == DD_TYPE_BOOLEAN)) {
        return dd_el_fail(el, f, "an array mixes Booleans and numbers: %s and %s", dd_el_text(el, fa),
                          dd_el_text(el, fb));
    }
    return true;
}

bool dd_el_array_constructor(dd_el *el, dd_form f, dd_ev *out)
{
    uint32_t n = dd_form_get(el->forms, f)->nargs;
    if (n == 0) {
        return dd_el_fail(el, f, "an array constructor needs at least one element; zeros(0) is the empty vector");
    }
    /* the first element decides: records are arrays of fields, everything else an array of scalars */
    dd_form first_form = dd_form_arg(el->forms, f, 0);
    dd_ev first;
    if (!dd_el_any(el, first_form, &first)) {
        return false;
    }
    if (first.type == DD_EV_RECORD) {
        return dd_el_record_array(el, f, out);
    }
    /* the shape: the number of elements in front of the shape of one */
    uint64_t dims[DD_MAX_DIMS + 1] = {n};
    for (uint32_t d = 0; d < first.ndim; d++) {
        dims[d + 1] = first.dims[d];
    }
    if (!dd_ev_new(el, f, out, first.ndim + 1u, dims, (dd_base_type)first.type)) {
        return false;
    }
    /* the scalars one element after the other, row-major */
    memcpy(out->elems, dd_ev_elems(&first), first.size * sizeof *out->elems);
    for (uint32_t i = 1; i < n; i++) {
        dd_form form = dd_form_arg(el->forms, f, i);
        dd_ev v;
        if (!dd_el_form(el, form, &v) || !same_element(el, f, first_form, &first, form, &v)) {
            return false;
        }
        memcpy(out->elems + (size_t)i * first.size, dd_ev_elems(&v), v.size * sizeof *out->elems);
        out->type = (uint8_t)dd_ev_join(out, &v);
    }
    return true;
}

/* ---- concatenation ---- */

/* Copies the parts one after the other along dimension k (from 0): blocks of `inner` scalars, repeated `outer`
 * times. */
static void join(const dd_ev *parts, uint32_t n, uint32_t k, dd_ev *out)
{
    size_t outer = 1, at = 0;
    for (uint32_t d = 0; d < k; d++) {
        outer *= out->dims[d];
    }
    for (size_t o = 0; o < outer; o++) {
        for (uint32_t i = 0; i < n; i++) {
            size_t block = parts[i].size / outer;
            memcpy(out->elems + at, dd_ev_elems(&parts[i]) + o * block, block * sizeof *out->elems);
            at += block;
        }
    }
}

static bool fits(const dd_ev *a, const dd_ev *b, uint32_t k)
{
    /* equal in every dimension but the one that grows */
    bool same = a->ndim == b->ndim;
    for (uint32_t d = 0; same && d < a->ndim; d++) {
        same = d == k || a->dims[d] == b->dims[d];
    }
    return same;
}

/* forms: one per part, for messages */
static bool concatenate(dd_el *el, dd_form f, const char *operation, const dd_form *forms, const dd_ev *parts,
                        uint32_t n, uint32_t k, dd_ev *out)
{
    uint64_t dims[DD_MAX_DIMS];
    dd_base_type type = (dd_base_type)parts[0].type;
    /* the sizes of the first part; dimension k adds up over all parts */
    for (uint32_t d = 0; d < parts[0].ndim; d++) {
        dims[d] = parts[0].dims[d];
    }
    for (uint32_t i = 1; i < n; i++) {
        if (!fits(&parts[0], &parts[i], k)) {
            return dd_el_fail(el, f, "%s needs equal sizes except in dimension %u: %s %s, %s %s", operation, k + 1,
                              dd_el_text(el, forms[0]), dd_el_has(el, &parts[0]), dd_el_text(el, forms[i]),
                              dd_el_has(el, &parts[i]));
        }
        if ((parts[i].type == DD_TYPE_BOOLEAN) != (parts[0].type == DD_TYPE_BOOLEAN)) {
            return dd_el_fail(el, f, "%s mixes Booleans and numbers", operation);
        }
        dims[k] += parts[i].dims[k];
        type = parts[i].type == DD_TYPE_REAL ? DD_TYPE_REAL : type;
    }
    if (!dd_ev_new(el, f, out, parts[0].ndim, dims, type)) {
        return false;
    }
    if (out->size > 0) {
        join(parts, n, k, out);
    }
    return true;
}

bool dd_el_cat(dd_el *el, dd_form f, dd_ev *out)
{
    uint32_t n = dd_form_get(el->forms, f)->nargs - 1;
    int64_t k;
    /* the dimension must be known before the parts: it decides which sizes may differ */
    if (!dd_el_integer(el, dd_form_arg(el->forms, f, 0), "the dimension given to cat", &k)) {
        return false;
    }
    dd_ev *parts = dd_pool_alloc_array(el->scratch, n, sizeof *parts);
    dd_form *forms = dd_pool_alloc_array(el->scratch, n, sizeof *forms);
    for (uint32_t i = 0; i < n; i++) {
        forms[i] = dd_form_arg(el->forms, f, i + 1);
        if (!dd_el_form(el, forms[i], &parts[i])) {
            return false;
        }
    }
    if (k < 1 || k > parts[0].ndim) {
        return dd_el_fail(el, f, "cat along dimension %lld, but %s %s", (long long)k, dd_el_text(el, forms[0]),
                          dd_el_has(el, &parts[0]));
    }
    return concatenate(el, f, "cat", forms, parts, n, (uint32_t)k - 1, out);
}

/* ---- [a, b; c, d] ---- */

/* Appends dimensions of size 1: a scalar is a 1 x 1 matrix here, a vector a column. */
static void promote(dd_el *el, dd_ev *v, uint32_t ndim)
{
    if (v->ndim == 0) {
        dd_expr one = v->one;
        v->elems = dd_pool_alloc(el->scratch, sizeof *v->elems);
        v->elems[0] = one;
    }
    while (v->ndim < ndim) {
        v->dims[v->ndim++] = 1;
    }
}

static bool matrix_row(dd_el *el, dd_form row, dd_ev *out)
{
    /* a row goes along dimension 2; every part is promoted to the highest number of dimensions among them */
    uint32_t n = dd_form_get(el->forms, row)->nargs, ndim = 2;
    dd_ev *parts = dd_pool_alloc_array(el->scratch, n, sizeof *parts);
    dd_form *forms = dd_pool_alloc_array(el->scratch, n, sizeof *forms);
    for (uint32_t i = 0; i < n; i++) {
        forms[i] = dd_form_arg(el->forms, row, i);
        if (!dd_el_form(el, forms[i], &parts[i])) {
            return false;
        }
        ndim = parts[i].ndim > ndim ? parts[i].ndim : ndim;
    }
    for (uint32_t i = 0; i < n; i++) {
        promote(el, &parts[i], ndim);
    }
    return concatenate(el, row, "a row of a matrix", forms, parts, n, 1, out);
}

bool dd_el_matrix_constructor(dd_el *el, dd_form f, dd_ev *out)
{
    /* rows are put below each other along dimension 1, by the same rules */
    uint32_t n = dd_form_get(el->forms, f)->nargs, ndim = 2;
    dd_ev *rows = dd_pool_alloc_array(el->scratch, n, sizeof *rows);
    dd_form *forms = dd_pool_alloc_array(el->scratch, n, sizeof *forms);
    for (uint32_t i = 0; i < n; i++) {
        forms[i] = dd_form_arg(el->forms, f, i);
        if (!matrix_row(el, forms[i], &rows[i])) {
            return false;
        }
        ndim = rows[i].ndim > ndim ? rows[i].ndim : ndim;
    }
    for (uint32_t i = 0; i < n; i++) {
        promote(el, &rows[i], ndim);
    }
    return concatenate(el, f, "a matrix", forms, rows, n, 0, out);
}

/* ---- {e for i in r, j in s} ---- */

/* Scalars of all iterations, in the order the outermost (last) iterator varies slowest. */
typedef struct collection {
    dd_form form, body;
    uint32_t iterators;
    uint64_t counts[MAX_ITERATORS]; /* of iterator i; UINT64_MAX until its range was read once */
    bool started;
    dd_ev shape; /* of the body */
    dd_expr_vec elems;
} collection;

/* The first iteration determines the size of the whole: every range was read once by then. */
static bool size_fits(dd_el *el, const collection *c, uint64_t body)
{
    /* in floating point: the product of the counts may not fit any integer */
    double size = (double)body;
    for (uint32_t i = 0; i < c->iterators; i++) {
        size *= (double)c->counts[i];
    }
    if (size <= (double)el->e->max_elements) {
        return true;
    }
    char buffer[32];
    return dd_el_fail(el, c->form, "%s has %s elements, more than the limit of %llu", dd_el_text(el, c->form),
                      dd_number_text(size, buffer), (unsigned long long)el->e->max_elements);
}

static bool collect_body(dd_el *el, collection *c)
{
    dd_ev v;
    dd_check_stop(el->m->ctx);
    if (!dd_el_form(el, c->body, &v)) {
        return false;
    }
    /* the body of the first iteration fixes the shape; later ones must agree */
    if (!c->started) {
        c->started = true;
        c->shape = v;
        if (!size_fits(el, c, v.size)) {
            return false;
        }
    } else if (!dd_ev_same_shape(&c->shape, &v)) {
        return dd_el_fail(el, c->body, "%s changes its size between iterations: first it %s, then it %s",
                          dd_el_text(el, c->body), dd_el_has(el, &c->shape), dd_el_has(el, &v));
    }
    c->shape.type = (uint8_t)dd_ev_join(&c->shape, &v);
    for (uint32_t k = 0; k < v.size; k++) {
        dd_vec_push(el->scratch, &c->elems, dd_ev_elems(&v)[k]);
    }
    return true;
}

/* Runs iterator `i` (counted from 0) and those before it, which are inside. */
static bool collect(dd_el *el, collection *c, uint32_t i)
{
    /* the range of the innermost iterator may depend on the outer ones, but not its length */
    dd_form range = dd_form_arg(el->forms, c->form, 2 * i + 2);
    const dd_form_env *outer = el->env;
    double *values;
    uint64_t count;
    bool integer, ok = true;
    if (!dd_el_iteration(el, range, &values, &count, &integer)) {
        return false;
    }
    if (c->counts[i] != UINT64_MAX && c->counts[i] != count) {
        return dd_el_fail(el, range, "%s has %llu values here and %llu before: the array would not be rectangular",
                          dd_el_text(el, range), (unsigned long long)count, (unsigned long long)c->counts[i]);
    }
    c->counts[i] = count;
    /* one environment per iterator, on the stack, chained to those outside */
    dd_form_env env = {.loop = dd_form_get(el->forms, dd_form_arg(el->forms, c->form, 2 * i + 1))->payload,
                       .outer = outer};
    for (uint64_t k = 0; k < count && ok; k++) {
        env.real = values[k];
        env.value = dd_loop_integer(values[k]);
        el->env = &env;
        ok = i == 0 ? collect_body(el, c) : collect(el, c, i - 1);
    }
    el->env = outer;
    return ok;
}

bool dd_el_comprehension(dd_el *el, dd_form f, dd_ev *out)
{
    collection c = {
        .form = f, .body = dd_form_arg(el->forms, f, 0), .iterators = (dd_form_get(el->forms, f)->nargs - 1) / 2};
    if (c.iterators > MAX_ITERATORS) {
        return dd_el_fail(el, f, "%u iterators in one array; at most %d are supported", c.iterators, MAX_ITERATORS);
    }
    /* counts stay UINT64_MAX for iterators inside an empty one: their size is 0 */
    for (uint32_t i = 0; i < c.iterators; i++) {
        c.counts[i] = UINT64_MAX;
    }
    dd_ev_set(&c.shape, DD_EXPR_NONE, DD_TYPE_INTEGER);
    /* the last iterator is the outermost (10.4.1), the recursion goes inwards */
    if (!collect(el, &c, c.iterators - 1)) {
        return false;
    }
    /* the sizes of the iterators from the outermost inwards, then those of the body */
    uint64_t dims[MAX_ITERATORS + DD_MAX_DIMS];
    uint32_t ndim = 0;
    for (uint32_t i = c.iterators; i-- > 0;) {
        dims[ndim++] = c.counts[i] == UINT64_MAX ? 0 : c.counts[i];
    }
    for (uint32_t d = 0; d < c.shape.ndim; d++) {
        dims[ndim++] = c.shape.dims[d];
    }
    /* a reduction, sum(e for i in r), sees its iterations as one dimension */
    if (dd_form_get(el->forms, f)->sub != 0 && c.iterators > 1) {
        uint64_t iterations = c.shape.size == 0 ? 0 : c.elems.len / c.shape.size;
        memmove(dims + 1, dims + c.iterators, c.shape.ndim * sizeof *dims);
        dims[0] = iterations;
        ndim = c.shape.ndim + 1u;
    }
    if (!dd_ev_new(el, f, out, ndim, dims, (dd_base_type)c.shape.type)) {
        return false;
    }
    assert(c.elems.len == out->size);
    if (c.elems.data != NULL) {
        memcpy(out->elems, c.elems.data, out->size * sizeof *out->elems);
    }
    dd_vec_free(el->scratch, &c.elems);
    return true;
}
