/* form_derivative_call.c - time derivatives of calls and arrays: elementary functions by their slopes, functions of two
 * arguments, linear functions and constructors part by part. The operators are in form_derivative.c. */
#include "expr/form_derivative.h"

#define MOST_SUBSCRIPTS 32

/* ---- functions of one argument ---- */

static dd_form square(dd_deriver *d, dd_form u)
{
    return dd_fb_epow(d->forms, u, dd_derive_integer(d, 2));
}

/* q[0] + q[1] v + q[2] v^2, a negative number last; the coefficients are -1, 0 or 1 */
static dd_form polynomial(dd_deriver *d, const int8_t *q, dd_form v)
{
    dd_forms *forms = d->forms;
    /* 1 first, then terms in v, then -1: 1 - v^2, v^2 - 1 */
    dd_form sum = q[0] > 0 ? dd_derive_integer(d, 1) : DD_FORM_NONE;
    for (int k = 1; k <= 2; k++) {
        if (q[k] != 0) {
            dd_form term = k == 1 ? v : square(d, v);
            sum = sum == DD_FORM_NONE ? (q[k] < 0 ? dd_fb_neg(forms, term) : term)
                  : q[k] < 0          ? dd_fb_esub(forms, sum, term)
                                      : dd_fb_eadd(forms, sum, term);
        }
    }
    return q[0] < 0 ? dd_fb_esub(forms, sum, dd_derive_integer(d, 1)) : sum;
}

/* f'(u)*u' by the slope of f (expr/operations.h); a quotient where people write one */
static dd_form chain_rule(dd_deriver *d, const dd_slope *s, dd_form f, dd_form u, dd_form du)
{
    dd_forms *forms = d->forms;
    dd_form rate, below;
    switch (s->kind) {
    /* f' = sign*g(u) */
    case DD_SLOPE_FUNCTION:
        rate = dd_fb_emul(forms, dd_derive_call1(d, (dd_form_fn)(s->other - DD_OP_SIN), u), du);
        break;
    /* f' = q(f) */
    case DD_SLOPE_VALUE:
        rate = dd_fb_emul(forms, polynomial(d, s->q, f), du);
        break;
    /* f' = sign/q(u), sign/sqrt(q(u)) or sign/(log(10)*q(u)) */
    default:
        below = polynomial(d, s->q, u);
        below = s->of == DD_ROOT   ? dd_derive_call1(d, DD_FN_SQRT, below)
                : s->of == DD_LN10 ? dd_fb_emul(forms, dd_derive_call1(d, DD_FN_LOG, dd_derive_integer(d, 10)), below)
                                   : below;
        rate = dd_fb_ediv(forms, du, below);
        break;
    }
    return s->sign < 0 ? dd_fb_neg(forms, rate) : rate;
}

static dd_form derive_of_one(dd_deriver *d, dd_form_fn fn, dd_form f, dd_form u, dd_form du)
{
    const dd_elementary *function = dd_builtin_of(fn).elementary;
    switch (fn) {
    case DD_FN_TAN: /* people write 1/cos^2, not 1 + tan^2 */
        return dd_fb_ediv(d->forms, du, square(d, dd_derive_call1(d, DD_FN_COS, u)));
    case DD_FN_SQRT:
        return dd_fb_ediv(d->forms, du, dd_fb_emul(d->forms, dd_derive_integer(d, 2), f));
    case DD_FN_ABS:
        return dd_fb_emul(d->forms, dd_derive_call1(d, DD_FN_SIGN, u), du);
    default:
        return function != NULL ? chain_rule(d, &function->slope, f, u, du) : DD_FORM_NONE;
    }
}

static dd_form derive_elementary(dd_deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form u = dd_derive_arg(d, f, 0), du = dd_derive(d, u);
    if (du == DD_FORM_NONE || du == DD_FORM_ZERO || dd_form_ndim(d->forms, u) < 0) {
        return du == DD_FORM_ZERO ? du : DD_FORM_NONE;
    }
    return derive_of_one(d, fn, f, u, du);
}

/* ---- functions of two arguments ---- */

/* atan2(y, x)' = (x*y' - y*x')/(x^2 + y^2) */
static dd_form derive_atan2(dd_deriver *d, dd_form f)
{
    dd_form y = dd_derive_arg(d, f, 0), x = dd_derive_arg(d, f, 1);
    dd_form dy = dd_derive(d, y), dx = dy == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, x);
    /* both derivatives exist: the numerator may still cancel to zero */
    if (dx == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    dd_form top = dd_fb_sub(d->forms, dd_fb_emul(d->forms, x, dy), dd_fb_emul(d->forms, y, dx));
    return dd_fb_ediv(d->forms, top, dd_fb_eadd(d->forms, square(d, x), square(d, y)));
}

/* mod(a, b)' = a' - floor(a/b)*b', rem(a, b)' = a' - div(a, b)*b' */
static dd_form derive_remainder(dd_deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form a = dd_derive_arg(d, f, 0), b = dd_derive_arg(d, f, 1);
    dd_form da = dd_derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, b);
    if (db == DD_FORM_NONE || dd_form_ndim(d->forms, a) != dd_form_ndim(d->forms, f)) {
        return DD_FORM_NONE;
    }
    /* the quotient is constant between its jumps */
    if (db == DD_FORM_ZERO) {
        return da;
    }
    dd_form times = fn == DD_FN_MOD ? dd_derive_call1(d, DD_FN_FLOOR, dd_fb_ediv(d->forms, a, b))
                                    : dd_fb_call(d->forms, DD_FN_DIV, (dd_form[]){a, b}, 2);
    return dd_fb_sub(d->forms, da, dd_fb_emul(d->forms, times, db));
}

/* A derivative outside of any other form: a zero has the shape of `like`, -(a + b) is -a - b. */
dd_form dd_derive_shaped(dd_deriver *d, dd_form rate, dd_form like)
{
    if (rate == DD_FORM_ZERO || rate == DD_FORM_NONE) {
        return rate == DD_FORM_NONE ? rate : dd_fb_zero_like(d->forms, like);
    }
    bool negated_sum = dd_form_get(d->forms, rate)->op == DD_FORM_NEG &&
                       dd_form_get(d->forms, dd_derive_arg(d, rate, 0))->op == DD_FORM_SUM;
    return negated_sum ? dd_fb_sum(d->forms, &rate, 1) : rate;
}

/* min(a, b)' = if a < b then a' else b' */
static dd_form derive_extreme(dd_deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form a = dd_derive_arg(d, f, 0), da = dd_derive(d, a);
    /* of one array only: min(x) has no readable derivative unless x is constant */
    if (dd_form_get(d->forms, f)->nargs == 1 || da == DD_FORM_NONE) {
        return da == DD_FORM_ZERO ? da : DD_FORM_NONE;
    }
    dd_form b = dd_derive_arg(d, f, 1), db = dd_derive(d, b);
    if (db == DD_FORM_NONE || (da == DD_FORM_ZERO && db == DD_FORM_ZERO)) {
        return db;
    }
    /* a < b for min, a > b for max; equal arguments take the second branch */
    uint8_t relation = fn == DD_FN_MIN ? DD_REL_LT : DD_REL_GT;
    dd_form condition = dd_form_new(d->forms, DD_FORM_REL, relation, 0, (dd_form[]){a, b}, 2, DD_NO_SPAN);
    dd_form args[3] = {condition, dd_derive_shaped(d, da, a), dd_derive_shaped(d, db, b)};
    return dd_fb_new(d->forms, DD_FORM_IF, args, 3);
}

/* semiLinear(x, a, b)' = (if x >= 0 then a else b)*x' + semiLinear(x, a', b') */
static dd_form derive_semi_linear(dd_deriver *d, dd_form f)
{
    dd_form arg[3], rate[3];
    for (uint32_t i = 0; i < 3; i++) {
        arg[i] = dd_derive_arg(d, f, i);
        rate[i] = dd_derive(d, arg[i]);
        if (rate[i] == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
    }
    const dd_form zero = dd_derive_integer(d, 0);
    dd_form slope = DD_FORM_ZERO, slopes = DD_FORM_ZERO;
    if (rate[0] != DD_FORM_ZERO) {
        dd_form condition = dd_form_new(d->forms, DD_FORM_REL, DD_REL_GE, 0, (dd_form[]){arg[0], zero}, 2, DD_NO_SPAN);
        slope =
            dd_fb_mul(d->forms, dd_fb_new(d->forms, DD_FORM_IF, (dd_form[]){condition, arg[1], arg[2]}, 3), rate[0]);
    }
    if (rate[1] != DD_FORM_ZERO || rate[2] != DD_FORM_ZERO) {
        dd_form of_slopes[3] = {arg[0], dd_derive_shaped(d, rate[1], arg[1]), dd_derive_shaped(d, rate[2], arg[2])};
        slopes = dd_fb_call(d->forms, DD_FN_SEMILINEAR, of_slopes, 3);
    }
    return dd_fb_add(d->forms, slope, slopes);
}

static dd_form times_cross(dd_forms *forms, dd_form a, dd_form b)
{
    if (a == DD_FORM_ZERO || b == DD_FORM_ZERO || dd_form_equal(forms, a, b)) {
        return DD_FORM_ZERO; /* cross(v, v) vanishes */
    }
    return dd_fb_call(forms, DD_FN_CROSS, (dd_form[]){a, b}, 2);
}

static dd_form times_outer(dd_forms *forms, dd_form a, dd_form b)
{
    if (a == DD_FORM_ZERO || b == DD_FORM_ZERO) {
        return DD_FORM_ZERO;
    }
    return dd_fb_call(forms, DD_FN_OUTERPRODUCT, (dd_form[]){a, b}, 2);
}

/* ---- arrays: element by element ---- */

/* The same node with the derivatives of the arguments i >= first where (i - first) % step == 0; the others are kept.
 * Zeros get the shape of the parts they replace. ZERO when all derivatives vanish. */
dd_form dd_derive_parts(dd_deriver *d, dd_form f, uint32_t first, uint32_t step)
{
    dd_form_node node = *dd_form_get(d->forms, f);
    dd_form *parts = dd_block_resize(d->forms->pool, NULL, node.nargs * sizeof *parts);
    bool vanishes = true, ok = true;
    /* derivatives of the parts that carry values; conditions and sizes stay */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        parts[i] = dd_derive_arg(d, f, i);
        bool last_of_if = node.op == DD_FORM_IF && i + 1 == node.nargs;
        if (i >= first && ((i - first) % step == 0 || last_of_if)) {
            parts[i] = dd_derive(d, parts[i]);
            ok = parts[i] != DD_FORM_NONE;
            vanishes = vanishes && parts[i] == DD_FORM_ZERO;
        }
    }
    dd_form result = ok ? DD_FORM_ZERO : DD_FORM_NONE;
    /* parts that vanish need a shape beside parts that do not */
    if (ok && !vanishes) {
        for (uint32_t i = 0; i < node.nargs && ok; i++) {
            parts[i] =
                parts[i] == dd_derive_arg(d, f, i) ? parts[i] : dd_derive_shaped(d, parts[i], dd_derive_arg(d, f, i));
            ok = parts[i] != DD_FORM_NONE;
        }
        result =
            !ok ? DD_FORM_NONE
                : dd_form_new(d->forms, (dd_form_op)node.op, node.sub, node.payload, parts, node.nargs, DD_NO_SPAN);
    }
    dd_block_free(d->forms->pool, parts);
    return result;
}

/* Rows are not values: one that vanishes becomes a row of zeros. */
dd_form dd_derive_matrix(dd_deriver *d, dd_form f)
{
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    dd_form *rows = dd_block_resize(d->forms->pool, NULL, n * sizeof *rows), result = DD_FORM_NONE;
    bool vanishes = true, ok = true;
    /* row by row; a row that does not vanish keeps its zeros inside */
    for (uint32_t i = 0; i < n && ok; i++) {
        rows[i] = dd_derive_parts(d, dd_derive_arg(d, f, i), 0, 1);
        ok = rows[i] != DD_FORM_NONE;
        vanishes = vanishes && rows[i] == DD_FORM_ZERO;
    }
    /* rows of zeros beside others */
    for (uint32_t i = 0; i < n && ok && !vanishes; i++) {
        if (rows[i] != DD_FORM_ZERO) {
            continue;
        }
        dd_form row = dd_derive_arg(d, f, i), zeros[DD_FB_MAX_FACTORS];
        uint32_t m = dd_form_get(d->forms, row)->nargs;
        ok = m <= DD_FB_MAX_FACTORS;
        for (uint32_t j = 0; j < m && ok; j++) {
            zeros[j] = dd_fb_zero_like(d->forms, dd_derive_arg(d, row, j));
            ok = zeros[j] != DD_FORM_NONE;
        }
        rows[i] = ok ? dd_fb_new(d->forms, DD_FORM_ROW, zeros, m) : DD_FORM_NONE;
    }
    if (ok) {
        result = vanishes ? DD_FORM_ZERO : dd_fb_new(d->forms, DD_FORM_MATRIX, rows, n);
    }
    dd_block_free(d->forms->pool, rows);
    return result;
}

/* A range stays constant in time, or it is not differentiated at all. */
dd_form dd_derive_range(dd_deriver *d, dd_form f)
{
    return dd_derive_parts(d, f, 0, 1) == DD_FORM_ZERO ? DD_FORM_ZERO : DD_FORM_NONE;
}

/* smooth(k, e)' = smooth(k - 1, e'), without events at the end */
static dd_form derive_smooth(dd_deriver *d, dd_form f)
{
    dd_decimal_number k;
    dd_form rate = dd_derive(d, dd_derive_arg(d, f, 1));
    if (rate == DD_FORM_NONE || rate == DD_FORM_ZERO) {
        return rate;
    }
    /* one order of smoothness less */
    if (dd_fb_literal(d->forms, dd_derive_arg(d, f, 0), &k) && k.digits > 0 && k.exponent >= 0) {
        return dd_fb_call(d->forms, DD_FN_SMOOTH, (dd_form[]){dd_derive_one_less(d, dd_derive_arg(d, f, 0)), rate}, 2);
    }
    return dd_derive_call1(d, DD_FN_NOEVENT, rate);
}

/* ---- dispatch ---- */

dd_form dd_derive_call(dd_deriver *d, dd_form f)
{
    const dd_form_node *node = dd_form_get(d->forms, f);
    dd_form_fn fn = (dd_form_fn)node->sub;
    /* piecewise constant, or a matter of shape */
    switch (fn) {
    case DD_FN_SIGN:
    case DD_FN_FLOOR:
    case DD_FN_CEIL:
    case DD_FN_INTEGER:
    case DD_FN_DIV:
    case DD_FN_ZEROS:
    case DD_FN_ONES:
    case DD_FN_IDENTITY:
    case DD_FN_SIZE:
    case DD_FN_NDIMS:
        return DD_FORM_ZERO;
    /* linear functions: the function of the derivative */
    case DD_FN_SUM:
    case DD_FN_TRANSPOSE:
    case DD_FN_DIAGONAL:
    case DD_FN_SKEW:
    case DD_FN_SCALAR:
    case DD_FN_VECTOR:
    case DD_FN_MATRIX:
    case DD_FN_SYMMETRIC:
    case DD_FN_NOEVENT:
    case DD_FN_HOMOTOPY:
        return dd_derive_parts(d, f, 0, 1); /* linear */
    case DD_FN_FILL:
        return dd_derive_parts(d, f, 0, UINT32_MAX);
    case DD_FN_CAT:
        return dd_derive_parts(d, f, 1, 1);
    /* linear in both ends */
    case DD_FN_LINSPACE: {
        dd_form of_first = dd_derive(d, dd_derive_arg(d, f, 0)), of_last = dd_derive(d, dd_derive_arg(d, f, 1));
        if (of_first == DD_FORM_NONE || of_last == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
        dd_form args[3] = {dd_derive_shaped(d, of_first, dd_derive_arg(d, f, 0)),
                           dd_derive_shaped(d, of_last, dd_derive_arg(d, f, 1)), dd_derive_arg(d, f, 2)};
        return of_first == DD_FORM_ZERO && of_last == DD_FORM_ZERO ? DD_FORM_ZERO : dd_fb_call(d->forms, fn, args, 3);
    }
    /* no readable form: only the constant case */
    case DD_FN_PRODUCT:
        return dd_derive(d, dd_derive_arg(d, f, 0)) == DD_FORM_ZERO ? DD_FORM_ZERO : DD_FORM_NONE;
    /* functions with their own rule */
    case DD_FN_MIN:
    case DD_FN_MAX:
        return derive_extreme(d, fn, f);
    case DD_FN_CROSS:
        return dd_derive_product_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), times_cross);
    case DD_FN_OUTERPRODUCT:
        return dd_derive_product_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), times_outer);
    case DD_FN_ATAN2:
        return derive_atan2(d, f);
    case DD_FN_MOD:
    case DD_FN_REM:
        return derive_remainder(d, fn, f);
    case DD_FN_SMOOTH:
        return derive_smooth(d, f);
    case DD_FN_SEMILINEAR:
        return derive_semi_linear(d, f);
    default:
        return derive_elementary(d, fn, f);
    }
}

/* The body of a function is not known here: only that its value is constant when its arguments are. */
dd_form dd_derive_user_call(dd_deriver *d, dd_form f)
{
    /* a colon is an argument that was left out */
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    for (uint32_t i = 0; i < n; i++) {
        dd_form arg = dd_form_arg(d->forms, f, i);
        if (dd_form_get(d->forms, arg)->op != DD_FORM_COLON && dd_derive(d, arg) != DD_FORM_ZERO) {
            return DD_FORM_NONE;
        }
    }
    return DD_FORM_ZERO;
}

/* The same element of the derivative. */
dd_form dd_derive_element(dd_deriver *d, dd_form f)
{
    dd_form_node node = *dd_form_get(d->forms, f);
    dd_form rate = dd_derive(d, dd_form_arg(d->forms, f, 0)), args[MOST_SUBSCRIPTS];
    /* fields of records are not differentiated */
    if (node.sub != 0 || rate == DD_FORM_NONE || rate == DD_FORM_ZERO || node.nargs > MOST_SUBSCRIPTS) {
        return rate == DD_FORM_ZERO ? DD_FORM_ZERO : DD_FORM_NONE;
    }
    args[0] = rate;
    for (uint32_t i = 1; i < node.nargs; i++) {
        args[i] = dd_form_arg(d->forms, f, i);
    }
    return dd_form_new(d->forms, DD_FORM_ELEMENT, 0, 0, args, node.nargs, node.span);
}
