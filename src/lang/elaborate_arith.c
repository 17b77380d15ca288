/* elaborate_arith.c - arithmetic on scalars and arrays by the rules of Modelica 10.6: sums need equal shapes, `*` is
 * the scalar, dot, matrix-vector or matrix product by shape, the operators with a dot go element by element. */
#include "lang/elaborate_private.h"

#define SMALL_SUM 8 /* terms gathered on the stack */

/* ---- sums ---- */

/* Reads term i of a sum without its minus sign; *minus says whether it had one. */
static bool read_term(dd_el *el, dd_form f, uint32_t i, const dd_ev *first, dd_ev *out, bool *minus)
{
    /* a - b is the sum of a and NEG(b): the sign is taken off, so that messages name b and the operator as written */
    dd_form term = dd_form_arg(el->forms, f, i);
    *minus = dd_form_get(el->forms, term)->op == DD_FORM_NEG;
    dd_form inner = *minus ? dd_form_arg(el->forms, term, 0) : term;
    const char *operation = *minus ? "`-`" : "`+`";
    if (!dd_el_form(el, inner, out) || !dd_el_numeric(el, inner, out, operation)) {
        return false;
    }
    return dd_ev_same_shape(first, out) ||
           dd_el_unequal(el, f, operation, dd_form_arg(el->forms, f, 0), first, inner, out);
}

static bool sum_scalars(dd_el *el, dd_form f, uint32_t n, dd_ev *out)
{
    /* one n-ary sum instead of a chain of additions: the dag stays flat and its terms are sorted once */
    dd_expr small[SMALL_SUM];
    dd_expr *terms = n <= SMALL_SUM ? small : dd_pool_alloc_array(el->scratch, n, sizeof *terms);
    dd_base_type type = (dd_base_type)out->type;
    terms[0] = out->one;
    for (uint32_t i = 1; i < n; i++) {
        dd_ev v;
        bool minus;
        if (!read_term(el, f, i, out, &v, &minus)) {
            return false;
        }
        /* the sum of Integers is an Integer, one Real makes it Real */
        type = v.type == DD_TYPE_REAL ? DD_TYPE_REAL : type;
        terms[i] = minus ? dd_neg(el->dag, v.one) : v.one;
    }
    dd_ev_set(out, n == 2 ? dd_add(el->dag, terms[0], terms[1]) : dd_sum(el->dag, terms, n), type);
    return true;
}

static bool sum_arrays(dd_el *el, dd_form f, uint32_t n, dd_ev *out)
{
    const dd_expr **terms = dd_pool_alloc_array(el->scratch, n, sizeof *terms);
    bool *minus = dd_pool_alloc_array(el->scratch, n, sizeof *minus);
    dd_expr *column = dd_pool_alloc_array(el->scratch, n, sizeof *column);
    /* all terms first, each with the shape of the first, then one n-ary sum per element */
    dd_ev first = *out, v;
    dd_ev_like(el, out, &first);
    terms[0] = first.elems;
    for (uint32_t i = 1; i < n; i++) {
        if (!read_term(el, f, i, &first, &v, &minus[i])) {
            return false;
        }
        terms[i] = v.elems;
        out->type = (uint8_t)dd_ev_join(out, &v);
    }
    for (uint32_t k = 0; k < out->size; k++) {
        for (uint32_t i = 0; i < n; i++) {
            column[i] = minus[i] ? dd_neg(el->dag, terms[i][k]) : terms[i][k];
        }
        out->elems[k] = dd_sum(el->dag, column, n);
    }
    return true;
}

bool dd_el_sum(dd_el *el, dd_form f, dd_ev *out)
{
    /* the first term decides between scalars and arrays; the others must agree */
    uint32_t n = dd_form_get(el->forms, f)->nargs;
    dd_form first = dd_form_arg(el->forms, f, 0);
    if (!dd_el_form(el, first, out) || !dd_el_numeric(el, first, out, "a sum")) {
        return false;
    }
    return out->ndim == 0 ? sum_scalars(el, f, n, out) : sum_arrays(el, f, n, out);
}

bool dd_el_neg(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form inner = dd_form_arg(el->forms, f, 0);
    dd_ev v;
    if (!dd_el_form(el, inner, &v) || !dd_el_numeric(el, inner, &v, "`-`")) {
        return false;
    }
    if (v.ndim == 0) {
        dd_ev_set(out, dd_neg(el->dag, v.one), (dd_base_type)v.type);
        return true;
    }
    dd_ev_like(el, out, &v);
    for (uint32_t k = 0; k < v.size; k++) {
        out->elems[k] = dd_neg(el->dag, v.elems[k]);
    }
    return true;
}

/* ---- products ---- */

static bool two_numbers(dd_el *el, dd_form f, const char *operation, dd_ev *a, dd_ev *b)
{
    dd_form x = dd_form_arg(el->forms, f, 0), y = dd_form_arg(el->forms, f, 1);
    return dd_el_form(el, x, a) && dd_el_numeric(el, x, a, operation) && dd_el_form(el, y, b) &&
           dd_el_numeric(el, y, b, operation);
}

static bool scale(dd_el *el, const dd_ev *scalar, const dd_ev *array, bool scalar_first, dd_ev *out)
{
    dd_ev_like(el, out, array);
    out->type =
        (uint8_t)dd_ev_join(scalar, array); /* the order of the factors is kept: printed formulas look as written */
    for (uint32_t k = 0; k < array->size; k++) {
        out->elems[k] = scalar_first ? dd_mul(el->dag, scalar->one, array->elems[k])
                                     : dd_mul(el->dag, array->elems[k], scalar->one);
    }
    return true;
}

/* out[i,j] = sum_l a[i,l]*b[l,j], a rows x inner, b inner x columns, as one n-ary sum each */
static void multiply(dd_el *el, const dd_expr *a, const dd_expr *b, uint32_t rows, uint32_t inner, uint32_t columns,
                     dd_expr *out)
{
    dd_expr *terms = dd_pool_alloc_array(el->scratch, inner, sizeof *terms);
    for (uint32_t i = 0; i < rows; i++) {
        dd_check_stop(el->m->ctx);
        for (uint32_t j = 0; j < columns; j++) {
            for (uint32_t l = 0; l < inner; l++) {
                terms[l] = dd_mul(el->dag, a[(size_t)i * inner + l], b[(size_t)l * columns + j]);
            }
            out[(size_t)i * columns + j] = dd_sum(el->dag, terms, inner);
        }
    }
}

/* dot, matrix*vector, vector*matrix, matrix*matrix */
static bool array_product(dd_el *el, dd_form f, const dd_ev *a, const dd_ev *b, dd_ev *out)
{
    /* vectors and matrices only: Modelica 10.6 defines no product of higher arrays */
    dd_form x = dd_form_arg(el->forms, f, 0), y = dd_form_arg(el->forms, f, 1);
    if (a->ndim > 2 || b->ndim > 2) {
        return dd_el_fail(el, f, "`*` works on vectors and matrices: %s %s, %s %s; use `.*` for elementwise products",
                          dd_el_text(el, x), dd_el_has(el, a), dd_el_text(el, y), dd_el_has(el, b));
    }
    /* a vector is a row on the left and a column on the right, so one kernel serves all four products */
    uint32_t rows = a->ndim == 2 ? a->dims[0] : 1, inner = a->dims[a->ndim - 1];
    uint32_t columns = b->ndim == 2 ? b->dims[1] : 1;
    if (inner != b->dims[0]) {
        return dd_el_fail(el, f, "`*` needs matching sizes: %s %s, %s %s", dd_el_text(el, x), dd_el_has(el, a),
                          dd_el_text(el, y), dd_el_has(el, b));
    }
    dd_base_type type = dd_ev_join(a, b);
    /* both are vectors: the product is a scalar */
    if (a->ndim == 1 && b->ndim == 1) {
        dd_expr dot;
        multiply(el, a->elems, b->elems, 1, inner, 1, &dot);
        dd_ev_set(out, dot, type);
        return true;
    }
    /* the dimension that a vector was promoted by drops out of the result */
    uint64_t dims[2] = {rows, columns};
    const uint64_t *used = a->ndim == 2 ? dims : dims + 1;
    if (!dd_ev_new(el, f, out, (uint32_t)(a->ndim + b->ndim - 2), used, type)) {
        return false;
    }
    multiply(el, a->elems, b->elems, rows, inner, columns, out->elems);
    return true;
}

bool dd_el_mul(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a, b;
    if (!two_numbers(el, f, "`*`", &a, &b)) {
        return false;
    }
    /* by shape: two scalars, a scaled array, or a matrix product */
    if (a.ndim == 0 && b.ndim == 0) {
        dd_ev_set(out, dd_mul(el->dag, a.one, b.one), dd_ev_join(&a, &b));
        return true;
    }
    if (a.ndim == 0 || b.ndim == 0) {
        return a.ndim == 0 ? scale(el, &a, &b, true, out) : scale(el, &b, &a, false, out);
    }
    return array_product(el, f, &a, &b, out);
}

static bool by_zero(dd_el *el, dd_form f, dd_expr divisor)
{
    return dd_is_num(el->dag, divisor, 0) && !dd_el_fail(el, f, "division by zero in %s", dd_el_text(el, f));
}

bool dd_el_div(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev a, b;
    if (!two_numbers(el, f, "`/`", &a, &b)) {
        return false;
    }
    /* the divisor is a scalar; an array divided by it goes element by element and is Real */
    if (b.ndim > 0) {
        dd_form y = dd_form_arg(el->forms, f, 1);
        return dd_el_fail(el, f, "`/` needs a scalar divisor, but %s %s; use `./` for elementwise division",
                          dd_el_text(el, y), dd_el_has(el, &b));
    }
    if (by_zero(el, f, b.one)) {
        return false;
    }
    if (a.ndim == 0) {
        dd_ev_set(out, dd_div(el->dag, a.one, b.one), DD_TYPE_REAL);
        return true;
    }
    dd_ev_like(el, out, &a);
    out->type = DD_TYPE_REAL;
    for (uint32_t k = 0; k < a.size; k++) {
        out->elems[k] = dd_div(el->dag, a.elems[k], b.one);
    }
    return true;
}

/* ---- powers ---- */

static void identity_into(dd_el *el, dd_expr *out, uint32_t n)
{
    dd_expr zero = dd_rational(el->dag, 0, 1), one = dd_rational(el->dag, 1, 1);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) {
            out[(size_t)i * n + j] = i == j ? one : zero;
        }
    }
}

/* A^p by repeated squaring; A^0 is the identity */
static void matrix_power(dd_el *el, const dd_ev *a, int64_t p, dd_ev *out)
{
    uint32_t n = a->dims[0];
    dd_ev square, next;
    dd_ev_like(el, out, a);
    dd_ev_like(el, &square, a);
    identity_into(el, out->elems, n);
    for (uint32_t k = 0; k < a->size; k++) {
        square.elems[k] = a->elems[k];
    }
    /* binary digits of p from the lowest: out collects A^(2^k) for the digits that are 1 */
    for (; p > 0; p /= 2) {
        if (p % 2 == 1) {
            dd_ev_like(el, &next, a);
            multiply(el, out->elems, square.elems, n, n, n, next.elems);
            *out = next;
        }
        if (p > 1) {
            dd_ev_like(el, &next, a);
            multiply(el, square.elems, square.elems, n, n, n, next.elems);
            square = next;
        }
    }
}

static bool power_of_array(dd_el *el, dd_form f, const dd_ev *a, dd_ev *out)
{
    dd_form x = dd_form_arg(el->forms, f, 0);
    int64_t p;
    /* A^p is defined for square matrices and p = 0, 1, 2, ... known from parameters */
    if (a->ndim != 2 || a->dims[0] != a->dims[1]) {
        return dd_el_fail(el, f, "`^` needs a scalar or a square matrix, but %s %s; use `.^` for elementwise powers",
                          dd_el_text(el, x), dd_el_has(el, a));
    }
    if (!dd_el_integer(el, dd_form_arg(el->forms, f, 1), "the exponent of a matrix", &p)) {
        return false;
    }
    if (p < 0) {
        return dd_el_fail(el, f, "the exponent of a matrix must not be negative, but it is %lld", (long long)p);
    }
    matrix_power(el, a, p, out);
    return true;
}

bool dd_el_pow(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form x = dd_form_arg(el->forms, f, 0), y = dd_form_arg(el->forms, f, 1);
    dd_ev a, b;
    if (!dd_el_form(el, x, &a) || !dd_el_numeric(el, x, &a, "`^`")) {
        return false;
    }
    /* the shape of the base decides what `^` means; a scalar base takes any scalar exponent */
    if (a.ndim > 0) {
        return power_of_array(el, f, &a, out);
    }
    if (!dd_el_form(el, y, &b) || !dd_el_numeric(el, y, &b, "`^`")) {
        return false;
    }
    if (b.ndim > 0) {
        return dd_el_fail(el, f, "`^` needs a scalar exponent, but %s %s; use `.^` for elementwise powers",
                          dd_el_text(el, y), dd_el_has(el, &b));
    }
    /* 0^-p would fold to a number that is not finite */
    if (dd_is_num(el->dag, a.one, 0) && dd_op_of(el->dag, b.one) == DD_OP_NUM && dd_num_value(el->dag, b.one) < 0) {
        return dd_el_fail(el, f, "division by zero in %s", dd_el_text(el, f));
    }
    dd_ev_set(out, dd_pow(el->dag, a.one, b.one), DD_TYPE_REAL);
    return true;
}

/* ---- element by element ---- */

bool dd_el_broadcast(dd_el *el, dd_form f, const char *operation, dd_combine combine, dd_ev *out)
{
    dd_ev a, b;
    if (!two_numbers(el, f, operation, &a, &b)) {
        return false;
    }
    dd_base_type type = dd_ev_join(&a, &b);
    if (a.ndim == 0 && b.ndim == 0) {
        dd_ev_set(out, combine(el->dag, a.one, b.one), type);
        return true;
    }
    /* equal shapes, or a scalar that goes with every element */
    if (a.ndim > 0 && b.ndim > 0 && !dd_ev_same_shape(&a, &b)) {
        return dd_el_unequal(el, f, operation, dd_form_arg(el->forms, f, 0), &a, dd_form_arg(el->forms, f, 1), &b);
    }
    dd_ev_like(el, out, a.ndim > 0 ? &a : &b);
    out->type = (uint8_t)type;
    for (uint32_t k = 0; k < out->size; k++) {
        out->elems[k] = combine(el->dag, a.ndim > 0 ? a.elems[k] : a.one, b.ndim > 0 ? b.elems[k] : b.one);
    }
    return true;
}

bool dd_el_elementwise(dd_el *el, dd_form f, dd_ev *out)
{
    bool ok;
    /* quotients and powers are Real whatever their operands are */
    switch (dd_form_get(el->forms, f)->op) {
    case DD_FORM_EADD:
        return dd_el_broadcast(el, f, "`.+`", dd_add, out);
    case DD_FORM_ESUB:
        return dd_el_broadcast(el, f, "`.-`", dd_sub, out);
    case DD_FORM_EMUL:
        return dd_el_broadcast(el, f, "`.*`", dd_mul, out);
    case DD_FORM_EDIV:
        ok = dd_el_broadcast(el, f, "`./`", dd_div, out);
        break;
    default:
        ok = dd_el_broadcast(el, f, "`.^`", dd_pow, out);
        break;
    }
    out->type = DD_TYPE_REAL;
    return ok;
}
