/* elaborate_build.c - functions that make, rearrange or measure arrays: zeros, identity, linspace, cross, transpose,
 * size. */
#include <string.h>

#include "lang/elaborate_private.h"

#define MOST_SIZES 16 /* read of zeros(..), ones(..), fill(..): more than DD_MAX_DIMS, which dd_ev_new enforces */

/* ---- sizes as arguments ---- */

static bool read_size(dd_el *el, dd_form f, uint64_t *out)
{
    int64_t n;
    if (!dd_el_integer(el, f, "a size", &n)) {
        return false;
    }
    if (n < 0) {
        return dd_el_fail(el, f, "a size must not be negative, but %s is %lld", dd_el_text(el, f), (long long)n);
    }
    *out = (uint64_t)n;
    return true;
}

static dd_expr integer(dd_el *el, int64_t value)
{
    return dd_rational(el->dag, value, 1);
}

static const char *name_of(dd_el *el, dd_form f)
{
    return dd_builtin_of((dd_form_fn)dd_form_get(el->forms, f)->sub).name;
}

static void fill_all(dd_ev *v, dd_expr e)
{
    for (uint32_t k = 0; k < v->size; k++) {
        v->elems[k] = e;
    }
}

/* ---- zeros, ones, fill, identity, linspace ---- */

bool dd_el_fill(dd_el *el, dd_form f, dd_ev *out)
{
    /* fill has its value in front of the sizes; zeros and ones know theirs */
    dd_form_fn fn = (dd_form_fn)dd_form_get(el->forms, f)->sub;
    uint32_t n = dd_form_get(el->forms, f)->nargs, skip = fn == DD_FN_FILL;
    uint64_t dims[MOST_SIZES];
    dd_ev v;
    dd_ev_set(&v, integer(el, fn == DD_FN_ONES), DD_TYPE_INTEGER);
    if (fn == DD_FN_FILL && !dd_el_form(el, dd_form_arg(el->forms, f, 0), &v)) {
        return false;
    }
    if (v.ndim > 0) {
        return dd_el_fail(el, f, "fill needs a scalar, but %s %s", dd_el_text(el, dd_form_arg(el->forms, f, 0)),
                          dd_el_has(el, &v));
    }
    /* too many dimensions are refused by dd_ev_new; their sizes need not be read */
    for (uint32_t i = skip; i < n && i - skip < MOST_SIZES; i++) {
        if (!read_size(el, dd_form_arg(el->forms, f, i), &dims[i - skip])) {
            return false;
        }
    }
    if (!dd_ev_new(el, f, out, n - skip, dims, (dd_base_type)v.type)) {
        return false;
    }
    fill_all(out, v.one);
    return true;
}

bool dd_el_identity(dd_el *el, dd_form f, dd_ev *out)
{
    /* a square of zeros with ones on the diagonal, all exact integers */
    uint64_t dims[2] = {0};
    if (!read_size(el, dd_form_arg(el->forms, f, 0), &dims[0])) {
        return false;
    }
    dims[1] = dims[0];
    if (!dd_ev_new(el, f, out, 2, dims, DD_TYPE_INTEGER)) {
        return false;
    }
    fill_all(out, integer(el, 0));
    for (uint32_t i = 0; i < out->dims[0]; i++) {
        out->elems[(size_t)i * out->dims[0] + i] = integer(el, 1);
    }
    return true;
}

static bool scalar_number(dd_el *el, dd_form f, const char *operation, dd_ev *out)
{
    if (!dd_el_form(el, f, out) || !dd_el_numeric(el, f, out, operation)) {
        return false;
    }
    return out->ndim == 0 ||
           dd_el_fail(el, f, "%s needs scalars here, but %s %s", operation, dd_el_text(el, f), dd_el_has(el, out));
}

/* first + (last - first)*k/(n - 1), k = 0 .. n-1 */
bool dd_el_linspace(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev first, last;
    uint64_t n = 0;
    if (!scalar_number(el, dd_form_arg(el->forms, f, 0), "linspace", &first) ||
        !scalar_number(el, dd_form_arg(el->forms, f, 1), "linspace", &last) ||
        !read_size(el, dd_form_arg(el->forms, f, 2), &n)) {
        return false;
    }
    if (n < 2) {
        return dd_el_fail(el, f, "linspace needs at least 2 points, not %llu", (unsigned long long)n);
    }
    if (!dd_ev_new(el, f, out, 1, &n, DD_TYPE_REAL)) {
        return false;
    }
    /* k/(n - 1) is an exact rational, so that linspace(0, 1, 11) has the nodes 1/10, 2/10, ... */
    dd_expr width = dd_sub(el->dag, last.one, first.one);
    for (uint64_t k = 0; k < n; k++) {
        dd_expr part = dd_mul(el->dag, dd_rational(el->dag, (int64_t)k, (int64_t)n - 1), width);
        out->elems[k] = dd_add(el->dag, first.one, part);
    }
    return true;
}

/* ---- vectors to vectors and matrices ---- */

/* Argument i as numbers with `ndim` dimensions; size 0: any. */
static bool array_argument(dd_el *el, dd_form f, uint32_t i, uint32_t ndim, uint32_t size, dd_ev *out)
{
    /* shape and type of the argument, with the name of the function in the message */
    dd_form arg = dd_form_arg(el->forms, f, i);
    if (!dd_el_form(el, arg, out) || !dd_el_numeric(el, arg, out, name_of(el, f))) {
        return false;
    }
    if (out->ndim == ndim && (size == 0 || out->size == size)) {
        return true;
    }
    const char *wanted = ndim == 2 ? "a matrix" : size == 3 ? "vectors of size 3" : "a vector";
    return dd_el_fail(el, f, "%s needs %s, but %s %s", name_of(el, f), wanted, dd_el_text(el, arg), dd_el_has(el, out));
}

bool dd_el_diagonal(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev v;
    if (!array_argument(el, f, 0, 1, 0, &v)) {
        return false;
    }
    /* a square matrix with v on the diagonal */
    uint64_t dims[2] = {v.size, v.size};
    if (!dd_ev_new(el, f, out, 2, dims, (dd_base_type)v.type)) {
        return false;
    }
    fill_all(out, integer(el, 0));
    for (uint32_t i = 0; i < v.size; i++) {
        out->elems[(size_t)i * v.size + i] = v.elems[i];
    }
    return true;
}

/* {a2 b3 - a3 b2, a3 b1 - a1 b3, a1 b2 - a2 b1} */
bool dd_el_cross(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a, b;
    uint64_t three = 3;
    if (!array_argument(el, f, 0, 1, 3, &a) || !array_argument(el, f, 1, 1, 3, &b) ||
        !dd_ev_new(el, f, out, 1, &three, dd_ev_join(&a, &b))) {
        return false;
    }
    /* the three components by cyclic permutation of the indices */
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        dd_expr plus = dd_mul(el->dag, a.elems[j], b.elems[k]), minus = dd_mul(el->dag, a.elems[k], b.elems[j]);
        out->elems[i] = dd_sub(el->dag, plus, minus);
    }
    return true;
}

/* skew(a)*b = cross(a, b) */
bool dd_el_skew(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a;
    uint64_t dims[2] = {3, 3};
    if (!array_argument(el, f, 0, 1, 3, &a) || !dd_ev_new(el, f, out, 2, dims, (dd_base_type)a.type)) {
        return false;
    }
    /* row j, column k = -a_i and its mirror, for the cyclic (i, j, k) */
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        out->elems[3 * i + i] = integer(el, 0);
        out->elems[3 * j + k] = dd_neg(el->dag, a.elems[i]);
        out->elems[3 * k + j] = a.elems[i];
    }
    return true;
}

bool dd_el_outer(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a, b;
    if (!array_argument(el, f, 0, 1, 0, &a) || !array_argument(el, f, 1, 1, 0, &b)) {
        return false;
    }
    /* rows by the first, columns by the second: a b^T */
    uint64_t dims[2] = {a.size, b.size};
    if (!dd_ev_new(el, f, out, 2, dims, dd_ev_join(&a, &b))) {
        return false;
    }
    for (uint32_t i = 0; i < a.size; i++) {
        for (uint32_t j = 0; j < b.size; j++) {
            out->elems[(size_t)i * b.size + j] = dd_mul(el->dag, a.elems[i], b.elems[j]);
        }
    }
    return true;
}

/* ---- matrices ---- */

bool dd_el_transpose(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a;
    dd_form arg = dd_form_arg(el->forms, f, 0);
    if (!dd_el_form(el, arg, &a)) {
        return false;
    }
    if (a.ndim < 2) {
        return dd_el_fail(el, f, "transpose needs a matrix, but %s %s", dd_el_text(el, arg), dd_el_has(el, &a));
    }
    /* the first two dimensions are exchanged; blocks of the others move as they are */
    dd_ev_like(el, out, &a);
    out->dims[0] = a.dims[1];
    out->dims[1] = a.dims[0];
    size_t block = a.size == 0 ? 0 : a.size / ((size_t)a.dims[0] * a.dims[1]);
    for (size_t i = 0; block > 0 && i < a.dims[0]; i++) {
        for (size_t j = 0; j < a.dims[1]; j++) {
            memcpy(out->elems + (j * a.dims[0] + i) * block, a.elems + (i * a.dims[1] + j) * block,
                   block * sizeof *a.elems);
        }
    }
    return true;
}

/* the upper triangle, mirrored */
bool dd_el_symmetric(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a;
    if (!array_argument(el, f, 0, 2, 0, &a)) {
        return false;
    }
    if (a.dims[0] != a.dims[1]) {
        return dd_el_fail(el, f, "symmetric needs a square matrix, but %s %s",
                          dd_el_text(el, dd_form_arg(el->forms, f, 0)), dd_el_has(el, &a));
    }
    dd_ev_like(el, out, &a);
    size_t n = a.dims[0];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            out->elems[i * n + j] = i <= j ? a.elems[i * n + j] : a.elems[j * n + i];
        }
    }
    return true;
}

/* ---- scalar, vector, matrix ---- */

static bool to_scalar(dd_el *el, dd_form f, const dd_ev *v, dd_ev *out)
{
    if (v->size != 1) {
        return dd_el_fail(el, f, "scalar needs one element, but %s %s", dd_el_text(el, dd_form_arg(el->forms, f, 0)),
                          dd_el_has(el, v));
    }
    dd_ev_set(out, dd_ev_elems(v)[0], (dd_base_type)v->type);
    return true;
}

static bool to_array(dd_el *el, dd_form f, const dd_ev *v, uint32_t ndim, const uint64_t *dims, dd_ev *out)
{
    if (!dd_ev_new(el, f, out, ndim, dims, (dd_base_type)v->type)) {
        return false;
    }
    memcpy(out->elems, dd_ev_elems(v), v->size * sizeof *out->elems);
    return true;
}

static bool to_vector(dd_el *el, dd_form f, const dd_ev *v, dd_ev *out)
{
    /* at most one dimension may be longer than 1, so the order of the scalars stays */
    uint32_t wide = 0;
    for (uint32_t d = 0; d < v->ndim; d++) {
        wide += v->dims[d] > 1;
    }
    if (wide > 1) {
        return dd_el_fail(el, f, "vector needs an array with one dimension above 1, but %s %s",
                          dd_el_text(el, dd_form_arg(el->forms, f, 0)), dd_el_has(el, v));
    }
    uint64_t size = v->size;
    return to_array(el, f, v, 1, &size, out);
}

static bool to_matrix(dd_el *el, dd_form f, const dd_ev *v, dd_ev *out)
{
    /* the third dimension and those behind it must be 1, so the order of the scalars stays */
    for (uint32_t d = 2; d < v->ndim; d++) {
        if (v->dims[d] != 1) {
            return dd_el_fail(el, f, "matrix needs size 1 in dimension %u, but %s %s", d + 1,
                              dd_el_text(el, dd_form_arg(el->forms, f, 0)), dd_el_has(el, v));
        }
    }
    uint64_t dims[2] = {v->ndim > 0 ? v->dims[0] : 1, v->ndim > 1 ? v->dims[1] : 1};
    return to_array(el, f, v, 2, dims, out);
}

bool dd_el_reshape(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev v;
    if (!dd_el_form(el, dd_form_arg(el->forms, f, 0), &v)) {
        return false;
    }
    switch (dd_form_get(el->forms, f)->sub) {
    case DD_FN_SCALAR:
        return to_scalar(el, f, &v, out);
    case DD_FN_VECTOR:
        return to_vector(el, f, &v, out);
    default:
        return to_matrix(el, f, &v, out);
    }
}

/* ---- size, ndims ---- */

/* The shape of a form; for a plain reference without making its scalars. */
static bool shape_of(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    /* variables of functions have a size before they have a value */
    if (dd_el_local_shape(el, f, out)) {
        return true;
    }
    /* anything but a plain name has to be computed for its shape */
    if (node->op != DD_FORM_REF || node->nargs > 0) {
        return dd_el_form(el, f, out);
    }
    const dd_array *a = dd_el_array(el, f);
    out->ndim = a->ndim;
    memcpy(out->dims, a->dims, sizeof out->dims);
    return true;
}

bool dd_el_size(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    dd_form arg = dd_form_arg(el->forms, f, 0);
    dd_ev v;
    int64_t k;
    if (!shape_of(el, arg, &v)) {
        return false;
    }
    /* ndims(A) */
    if (node->sub == DD_FN_NDIMS) {
        dd_ev_set(out, integer(el, v.ndim), DD_TYPE_INTEGER);
        return true;
    }
    /* size(A): the vector of all sizes */
    if (node->nargs == 1) {
        uint64_t n = v.ndim;
        if (!dd_ev_new(el, f, out, 1, &n, DD_TYPE_INTEGER)) {
            return false;
        }
        for (uint32_t d = 0; d < v.ndim; d++) {
            out->elems[d] = integer(el, v.dims[d]);
        }
        return true;
    }
    /* size(A, k) */
    if (!dd_el_integer(el, dd_form_arg(el->forms, f, 1), "the dimension given to size", &k)) {
        return false;
    }
    if (k < 1 || k > v.ndim) {
        return dd_el_fail(el, f, "dimension %lld is requested, but %s has %u dimension%s", (long long)k,
                          dd_el_text(el, arg), v.ndim, v.ndim == 1 ? "" : "s");
    }
    dd_ev_set(out, integer(el, v.dims[k - 1]), DD_TYPE_INTEGER);
    return true;
}
