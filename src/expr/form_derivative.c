/* form_derivative.c - time derivatives of forms, arrays kept as arrays.
 *
 * Every operation of the language has its rule here, by the product and chain rules on arrays: (A*x)' = A*x' + A'*x
 * with the order of the factors kept. A derivative that vanishes is DD_FORM_ZERO, whatever its shape, until a place
 * needs a shape. Writing is left to form_build.c. The work is bounded: where a form is too deep or its derivative
 * grows too large, there is none.
 */
#include "expr/form_build.h"

/* A level of a form becomes at most a few levels of its derivative; this keeps the result below DD_FORM_MAX_DEPTH. */
#define MAX_DEPTH (DD_FORM_MAX_DEPTH / 5)
#define MAX_VISITS 1000000 /* forms looked at, and forms made: beyond, nobody reads the text any more */
#define MAX_FORMS 1000000
#define MOST_SUBSCRIPTS 32

typedef struct deriver {
    dd_forms *forms;
    uint32_t visits, before; /* before: number of forms at the beginning */
} deriver;

static dd_form derive(deriver *d, dd_form f);

static dd_form arg(const deriver *d, dd_form f, uint32_t i)
{
    return dd_form_arg(d->forms, f, i);
}

static dd_form integer(deriver *d, int64_t value)
{
    return dd_fb_integer(d->forms, value);
}

static dd_form call1(deriver *d, dd_form_fn fn, dd_form a)
{
    return dd_fb_call(d->forms, fn, &a, 1);
}

/* ---- symbols ---- */

/* der^order(x): each velocity that a symbol has takes one der away */
static dd_form rate_of_reference(deriver *d, dd_form reference, uint32_t order)
{
    dd_form_node node = *dd_form_get(d->forms, reference);
    dd_form_symbol *symbol = dd_forms_symbol(d->forms, node.payload);
    /* parameters and constants */
    if (!symbol->varies) {
        return DD_FORM_ZERO;
    }
    /* der(x) is v when the model says v = der(x) */
    while (order > 0 && symbol->velocity != 0) {
        node.payload = symbol->velocity;
        symbol = dd_forms_symbol(d->forms, node.payload);
        order--;
    }
    dd_form f =
        dd_form_new(d->forms, DD_FORM_REF, 0, node.payload, dd_form_args(d->forms, reference), node.nargs, DD_NO_SPAN);
    for (; order > 0; order--) {
        f = dd_fb_new(d->forms, DD_FORM_DER, &f, 1);
    }
    return f;
}

static dd_form derive_der(deriver *d, dd_form f)
{
    uint32_t order = 1;
    dd_form inner = arg(d, f, 0);
    /* der(der(x)): count the ders */
    while (dd_form_get(d->forms, inner)->op == DD_FORM_DER) {
        inner = arg(d, inner, 0);
        order++;
    }
    /* of a symbol: one more der, or its velocity */
    if (dd_form_get(d->forms, inner)->op == DD_FORM_REF) {
        return rate_of_reference(d, inner, order + 1);
    }
    /* of an expression: twice the derivative */
    dd_form first = derive(d, arg(d, f, 0));
    return first == DD_FORM_NONE || first == DD_FORM_ZERO ? first : derive(d, first);
}

/* ---- arithmetic ---- */

static dd_form derive_sum(deriver *d, dd_form f)
{
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    dd_form result = DD_FORM_NONE;
    dd_form *terms = dd_block_resize(d->forms->pool, NULL, n * sizeof *terms);
    uint32_t i = 0;
    /* one term that cannot be differentiated spoils the sum */
    for (; i < n; i++) {
        terms[i] = derive(d, arg(d, f, i));
        if (terms[i] == DD_FORM_NONE) {
            break;
        }
    }
    if (i == n) {
        result = dd_fb_sum(d->forms, terms, n);
    }
    dd_block_free(d->forms->pool, terms);
    return result;
}

typedef dd_form (*product)(dd_forms *forms, dd_form a, dd_form b);

/* times(a, b)' = times(a, b') + times(a', b) */
static dd_form product_rule(deriver *d, dd_form a, dd_form b, product times)
{
    dd_form da = derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : derive(d, b);
    if (db == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    return dd_fb_add(d->forms, times(d->forms, a, db), times(d->forms, da, b));
}

/* The same for a product of several scalars: one term for each factor. */
static dd_form derive_product(deriver *d, dd_form f)
{
    dd_form factors[DD_FB_MAX_FACTORS], terms[DD_FB_MAX_FACTORS];
    uint32_t n = dd_fb_factors(d->forms, f, factors);
    if (n < 3) {
        return product_rule(d, arg(d, f, 0), arg(d, f, 1), dd_fb_mul);
    }
    /* last factor first, so that a*b' precedes a'*b */
    for (uint32_t i = 0; i < n; i++) {
        dd_form rate = derive(d, factors[n - 1 - i]), term = DD_FORM_NONE;
        if (rate == DD_FORM_NONE) {
            return rate;
        }
        /* the product with one factor replaced by its rate */
        for (uint32_t j = 0; j < n && rate != DD_FORM_ZERO; j++) {
            dd_form next = j == n - 1 - i ? rate : factors[j];
            term = j == 0 ? next : dd_fb_mul(d->forms, term, next);
        }
        terms[i] = rate == DD_FORM_ZERO ? rate : term;
    }
    return dd_fb_sum(d->forms, terms, n);
}

/* base^n with a whole n >= 1, elementwise or not; other forms are their own base */
static dd_form base_of(deriver *d, dd_form f, int64_t *n)
{
    uint8_t op = dd_form_get(d->forms, f)->op;
    dd_decimal_number literal;
    if ((op == DD_FORM_POW || op == DD_FORM_EPOW) && dd_fb_literal(d->forms, arg(d, f, 1), &literal) &&
        dd_decimal_is_integer(literal, n) && *n >= 1 && *n < 1000) {
        return arg(d, f, 0);
    }
    *n = 1;
    return f;
}

/* (a/b)' = a'/b for a constant b; (a/c^n)' = (c*a' - n*a*c')/c^(n+1) */
static dd_form quotient_rule(deriver *d, dd_form a, dd_form b, product times, product over, product power)
{
    int64_t n;
    dd_form c = base_of(d, b, &n), da = derive(d, a), dc = da == DD_FORM_NONE ? DD_FORM_NONE : derive(d, c);
    if (dc == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    if (dc == DD_FORM_ZERO) {
        return over(d->forms, da, b);
    }
    /* c^(n+1) instead of (c^n)^2: people cancel one c */
    dd_form of_divisor = dd_fb_mul(d->forms, integer(d, n), times(d->forms, a, dc));
    dd_form top = dd_fb_sub(d->forms, times(d->forms, c, da), of_divisor);
    return top == DD_FORM_ZERO ? top : over(d->forms, top, power(d->forms, c, integer(d, n + 1)));
}

/* (A^n)' = sum_k A^k A' A^(n-1-k) */
static dd_form derive_matrix_power(deriver *d, dd_form a, dd_form b)
{
    dd_decimal_number literal;
    int64_t n;
    dd_form da = derive(d, a), terms[8];
    if (da == DD_FORM_NONE || da == DD_FORM_ZERO) {
        return da;
    }
    if (!dd_fb_literal(d->forms, b, &literal) || !dd_decimal_is_integer(literal, &n) || n < 0 || n > 8) {
        return DD_FORM_NONE;
    }
    /* A does not commute with A': one term per place of A' */
    for (int64_t k = 0; k < n; k++) {
        dd_form term = da;
        if (k > 0) {
            term = dd_fb_mul(d->forms, dd_fb_pow(d->forms, a, integer(d, k)), term);
        }
        if (n - 1 - k > 0) {
            term = dd_fb_mul(d->forms, term, dd_fb_pow(d->forms, a, integer(d, n - 1 - k)));
        }
        terms[k] = term;
    }
    return dd_fb_sum(d->forms, terms, (uint32_t)n);
}

/* b - 1, as a number where b is one */
static dd_form one_less(deriver *d, dd_form b)
{
    dd_decimal_number n;
    if (dd_fb_literal(d->forms, b, &n) && dd_decimal_add(n, dd_decimal_of(-1), &n)) {
        return dd_fb_decimal(d->forms, n);
    }
    return dd_fb_esub(d->forms, b, integer(d, 1));
}

/* (a^b)' = b*a^(b-1)*a', and a^b*(log(a)*b' + b*a'/a) where the exponent changes too */
static dd_form power_rule(deriver *d, dd_form f, product times, product over, product power)
{
    dd_form a = arg(d, f, 0), b = arg(d, f, 1);
    dd_form da = derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : derive(d, b);
    if (db == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    /* a constant exponent: b a^(b-1) a' */
    if (db == DD_FORM_ZERO) {
        if (da == DD_FORM_ZERO) {
            return da;
        }
        return times(d->forms, times(d->forms, b, power(d->forms, a, one_less(d, b))), da);
    }
    /* a^b = exp(b log a) */
    dd_form log_a = call1(d, DD_FN_LOG, a);
    if (da == DD_FORM_ZERO) {
        return times(d->forms, times(d->forms, f, log_a), db);
    }
    dd_form of_base = over(d->forms, times(d->forms, b, da), a);
    return times(d->forms, f, dd_fb_add(d->forms, times(d->forms, log_a, db), of_base));
}

static dd_form derive_pow(deriver *d, dd_form f)
{
    switch (dd_form_ndim(d->forms, f)) {
    case 0:
        return power_rule(d, f, dd_fb_mul, dd_fb_div, dd_fb_pow);
    case 2:
        return derive_matrix_power(d, arg(d, f, 0), arg(d, f, 1));
    default:
        return DD_FORM_NONE;
    }
}

/* fill(a, size(like, 1), ...) */
static dd_form spread(deriver *d, dd_form a, dd_form like)
{
    dd_form args[9] = {a};
    int n = dd_form_ndim(d->forms, like);
    if (n > 8) {
        return DD_FORM_NONE;
    }
    for (int i = 0; i < n; i++) {
        args[i + 1] = dd_fb_call(d->forms, DD_FN_SIZE, (dd_form[]){like, integer(d, i + 1)}, 2);
    }
    return dd_fb_call(d->forms, DD_FN_FILL, args, (uint32_t)n + 1);
}

/* a .+ b and a .- b: a scalar goes with every element of the other, also when that one is constant */
static dd_form derive_elementwise_sum(deriver *d, dd_form f)
{
    bool minus = dd_form_get(d->forms, f)->op == DD_FORM_ESUB;
    dd_form a = arg(d, f, 0), b = arg(d, f, 1);
    dd_form da = derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : derive(d, b);
    if (db == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    int na = dd_form_ndim(d->forms, a), nb = dd_form_ndim(d->forms, b);
    /* one side is constant: its shape may still decide that of the result */
    if (da == DD_FORM_ZERO || db == DD_FORM_ZERO) {
        bool left = db == DD_FORM_ZERO, widen = left ? na < nb : nb < na;
        dd_form rate = left ? da : db, wide = left ? b : a;
        if (rate == DD_FORM_ZERO) {
            return rate;
        }
        rate = minus && !left ? dd_fb_neg(d->forms, rate) : rate;
        return widen ? spread(d, rate, wide) : rate;
    }
    return minus ? dd_fb_esub(d->forms, da, db) : dd_fb_eadd(d->forms, da, db);
}

/* ---- functions of one argument ---- */

static dd_form square(deriver *d, dd_form u)
{
    return dd_fb_epow(d->forms, u, integer(d, 2));
}

/* q[0] + q[1] v + q[2] v^2, a negative number last; the coefficients are -1, 0 or 1 */
static dd_form polynomial(deriver *d, const int8_t *q, dd_form v)
{
    dd_forms *forms = d->forms;
    /* 1 first, then terms in v, then -1: 1 - v^2, v^2 - 1 */
    dd_form sum = q[0] > 0 ? integer(d, 1) : DD_FORM_NONE;
    for (int k = 1; k <= 2; k++) {
        if (q[k] != 0) {
            dd_form term = k == 1 ? v : square(d, v);
            sum = sum == DD_FORM_NONE ? (q[k] < 0 ? dd_fb_neg(forms, term) : term)
                  : q[k] < 0          ? dd_fb_esub(forms, sum, term)
                                      : dd_fb_eadd(forms, sum, term);
        }
    }
    return q[0] < 0 ? dd_fb_esub(forms, sum, integer(d, 1)) : sum;
}

/* f'(u)*u' by the slope of f (expr/operations.h); a quotient where people write one */
static dd_form chain_rule(deriver *d, const dd_slope *s, dd_form f, dd_form u, dd_form du)
{
    dd_forms *forms = d->forms;
    dd_form rate, below;
    switch (s->kind) {
    /* f' = sign*g(u) */
    case DD_SLOPE_FUNCTION:
        rate = dd_fb_emul(forms, call1(d, (dd_form_fn)(s->other - DD_OP_SIN), u), du);
        break;
    /* f' = q(f) */
    case DD_SLOPE_VALUE:
        rate = dd_fb_emul(forms, polynomial(d, s->q, f), du);
        break;
    /* f' = sign/q(u), sign/sqrt(q(u)) or sign/(log(10)*q(u)) */
    default:
        below = polynomial(d, s->q, u);
        below = s->of == DD_ROOT   ? call1(d, DD_FN_SQRT, below)
                : s->of == DD_LN10 ? dd_fb_emul(forms, call1(d, DD_FN_LOG, integer(d, 10)), below)
                                   : below;
        rate = dd_fb_ediv(forms, du, below);
        break;
    }
    return s->sign < 0 ? dd_fb_neg(forms, rate) : rate;
}

static dd_form derive_of_one(deriver *d, dd_form_fn fn, dd_form f, dd_form u, dd_form du)
{
    const dd_elementary *function = dd_builtin_of(fn).elementary;
    switch (fn) {
    case DD_FN_TAN: /* people write 1/cos^2, not 1 + tan^2 */
        return dd_fb_ediv(d->forms, du, square(d, call1(d, DD_FN_COS, u)));
    case DD_FN_SQRT:
        return dd_fb_ediv(d->forms, du, dd_fb_emul(d->forms, integer(d, 2), f));
    case DD_FN_ABS:
        return dd_fb_emul(d->forms, call1(d, DD_FN_SIGN, u), du);
    default:
        return function != NULL ? chain_rule(d, &function->slope, f, u, du) : DD_FORM_NONE;
    }
}

static dd_form derive_elementary(deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form u = arg(d, f, 0), du = derive(d, u);
    if (du == DD_FORM_NONE || du == DD_FORM_ZERO || dd_form_ndim(d->forms, u) < 0) {
        return du == DD_FORM_ZERO ? du : DD_FORM_NONE;
    }
    return derive_of_one(d, fn, f, u, du);
}

/* ---- functions of two arguments ---- */

/* atan2(y, x)' = (x*y' - y*x')/(x^2 + y^2) */
static dd_form derive_atan2(deriver *d, dd_form f)
{
    dd_form y = arg(d, f, 0), x = arg(d, f, 1);
    dd_form dy = derive(d, y), dx = dy == DD_FORM_NONE ? DD_FORM_NONE : derive(d, x);
    /* both derivatives exist: the numerator may still cancel to zero */
    if (dx == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    dd_form top = dd_fb_sub(d->forms, dd_fb_emul(d->forms, x, dy), dd_fb_emul(d->forms, y, dx));
    return dd_fb_ediv(d->forms, top, dd_fb_eadd(d->forms, square(d, x), square(d, y)));
}

/* mod(a, b)' = a' - floor(a/b)*b', rem(a, b)' = a' - div(a, b)*b' */
static dd_form derive_remainder(deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form a = arg(d, f, 0), b = arg(d, f, 1);
    dd_form da = derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : derive(d, b);
    if (db == DD_FORM_NONE || dd_form_ndim(d->forms, a) != dd_form_ndim(d->forms, f)) {
        return DD_FORM_NONE;
    }
    /* the quotient is constant between its jumps */
    if (db == DD_FORM_ZERO) {
        return da;
    }
    dd_form times = fn == DD_FN_MOD ? call1(d, DD_FN_FLOOR, dd_fb_ediv(d->forms, a, b))
                                    : dd_fb_call(d->forms, DD_FN_DIV, (dd_form[]){a, b}, 2);
    return dd_fb_sub(d->forms, da, dd_fb_emul(d->forms, times, db));
}

/* A derivative outside of any other form: a zero has the shape of `like`, -(a + b) is -a - b. */
static dd_form shaped(deriver *d, dd_form rate, dd_form like)
{
    if (rate == DD_FORM_ZERO || rate == DD_FORM_NONE) {
        return rate == DD_FORM_NONE ? rate : dd_fb_zero_like(d->forms, like);
    }
    bool negated_sum =
        dd_form_get(d->forms, rate)->op == DD_FORM_NEG && dd_form_get(d->forms, arg(d, rate, 0))->op == DD_FORM_SUM;
    return negated_sum ? dd_fb_sum(d->forms, &rate, 1) : rate;
}

/* min(a, b)' = if a < b then a' else b' */
static dd_form derive_extreme(deriver *d, dd_form_fn fn, dd_form f)
{
    dd_form a = arg(d, f, 0), da = derive(d, a);
    /* of one array only: min(x) has no readable derivative unless x is constant */
    if (dd_form_get(d->forms, f)->nargs == 1 || da == DD_FORM_NONE) {
        return da == DD_FORM_ZERO ? da : DD_FORM_NONE;
    }
    dd_form b = arg(d, f, 1), db = derive(d, b);
    if (db == DD_FORM_NONE || (da == DD_FORM_ZERO && db == DD_FORM_ZERO)) {
        return db;
    }
    /* a < b for min, a > b for max; equal arguments take the second branch */
    uint8_t relation = fn == DD_FN_MIN ? DD_REL_LT : DD_REL_GT;
    dd_form condition = dd_form_new(d->forms, DD_FORM_REL, relation, 0, (dd_form[]){a, b}, 2, DD_NO_SPAN);
    dd_form args[3] = {condition, shaped(d, da, a), shaped(d, db, b)};
    return dd_fb_new(d->forms, DD_FORM_IF, args, 3);
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
static dd_form derive_parts(deriver *d, dd_form f, uint32_t first, uint32_t step)
{
    dd_form_node node = *dd_form_get(d->forms, f);
    dd_form *parts = dd_block_resize(d->forms->pool, NULL, node.nargs * sizeof *parts);
    bool vanishes = true, ok = true;
    /* derivatives of the parts that carry values; conditions and sizes stay */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        parts[i] = arg(d, f, i);
        bool last_of_if = node.op == DD_FORM_IF && i + 1 == node.nargs;
        if (i >= first && ((i - first) % step == 0 || last_of_if)) {
            parts[i] = derive(d, parts[i]);
            ok = parts[i] != DD_FORM_NONE;
            vanishes = vanishes && parts[i] == DD_FORM_ZERO;
        }
    }
    dd_form result = ok ? DD_FORM_ZERO : DD_FORM_NONE;
    /* parts that vanish need a shape beside parts that do not */
    if (ok && !vanishes) {
        for (uint32_t i = 0; i < node.nargs && ok; i++) {
            parts[i] = parts[i] == arg(d, f, i) ? parts[i] : shaped(d, parts[i], arg(d, f, i));
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
static dd_form derive_matrix(deriver *d, dd_form f)
{
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    dd_form *rows = dd_block_resize(d->forms->pool, NULL, n * sizeof *rows), result = DD_FORM_NONE;
    bool vanishes = true, ok = true;
    /* row by row; a row that does not vanish keeps its zeros inside */
    for (uint32_t i = 0; i < n && ok; i++) {
        rows[i] = derive_parts(d, arg(d, f, i), 0, 1);
        ok = rows[i] != DD_FORM_NONE;
        vanishes = vanishes && rows[i] == DD_FORM_ZERO;
    }
    /* rows of zeros beside others */
    for (uint32_t i = 0; i < n && ok && !vanishes; i++) {
        if (rows[i] != DD_FORM_ZERO) {
            continue;
        }
        dd_form row = arg(d, f, i), zeros[DD_FB_MAX_FACTORS];
        uint32_t m = dd_form_get(d->forms, row)->nargs;
        ok = m <= DD_FB_MAX_FACTORS;
        for (uint32_t j = 0; j < m && ok; j++) {
            zeros[j] = dd_fb_zero_like(d->forms, arg(d, row, j));
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
static dd_form derive_range(deriver *d, dd_form f)
{
    return derive_parts(d, f, 0, 1) == DD_FORM_ZERO ? DD_FORM_ZERO : DD_FORM_NONE;
}

/* smooth(k, e)' = smooth(k - 1, e'), without events at the end */
static dd_form derive_smooth(deriver *d, dd_form f)
{
    dd_decimal_number k;
    dd_form rate = derive(d, arg(d, f, 1));
    if (rate == DD_FORM_NONE || rate == DD_FORM_ZERO) {
        return rate;
    }
    /* one order of smoothness less */
    if (dd_fb_literal(d->forms, arg(d, f, 0), &k) && k.digits > 0 && k.exponent >= 0) {
        return dd_fb_call(d->forms, DD_FN_SMOOTH, (dd_form[]){one_less(d, arg(d, f, 0)), rate}, 2);
    }
    return call1(d, DD_FN_NOEVENT, rate);
}

/* ---- dispatch ---- */

static dd_form derive_call(deriver *d, dd_form f)
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
        return derive_parts(d, f, 0, 1); /* linear */
    case DD_FN_FILL:
        return derive_parts(d, f, 0, UINT32_MAX);
    case DD_FN_CAT:
        return derive_parts(d, f, 1, 1);
    /* linear in both ends */
    case DD_FN_LINSPACE: {
        dd_form of_first = derive(d, arg(d, f, 0)), of_last = derive(d, arg(d, f, 1));
        if (of_first == DD_FORM_NONE || of_last == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
        dd_form args[3] = {shaped(d, of_first, arg(d, f, 0)), shaped(d, of_last, arg(d, f, 1)), arg(d, f, 2)};
        return of_first == DD_FORM_ZERO && of_last == DD_FORM_ZERO ? DD_FORM_ZERO : dd_fb_call(d->forms, fn, args, 3);
    }
    /* no readable form: only the constant case */
    case DD_FN_PRODUCT:
        return derive(d, arg(d, f, 0)) == DD_FORM_ZERO ? DD_FORM_ZERO : DD_FORM_NONE;
    /* functions with their own rule */
    case DD_FN_MIN:
    case DD_FN_MAX:
        return derive_extreme(d, fn, f);
    case DD_FN_CROSS:
        return product_rule(d, arg(d, f, 0), arg(d, f, 1), times_cross);
    case DD_FN_OUTERPRODUCT:
        return product_rule(d, arg(d, f, 0), arg(d, f, 1), times_outer);
    case DD_FN_ATAN2:
        return derive_atan2(d, f);
    case DD_FN_MOD:
    case DD_FN_REM:
        return derive_remainder(d, fn, f);
    case DD_FN_SMOOTH:
        return derive_smooth(d, f);
    default:
        return derive_elementary(d, fn, f);
    }
}

static dd_form derive_operator(deriver *d, dd_form f)
{
    switch (dd_form_get(d->forms, f)->op) {
    case DD_FORM_NEG: {
        dd_form rate = derive(d, arg(d, f, 0));
        return rate == DD_FORM_NONE ? rate : dd_fb_neg(d->forms, rate);
    }
    case DD_FORM_SUM:
        return derive_sum(d, f);
    case DD_FORM_MUL:
        return derive_product(d, f);
    case DD_FORM_EMUL:
        return product_rule(d, arg(d, f, 0), arg(d, f, 1), dd_fb_emul);
    case DD_FORM_DIV:
        return quotient_rule(d, arg(d, f, 0), arg(d, f, 1), dd_fb_mul, dd_fb_div, dd_fb_pow);
    case DD_FORM_EDIV:
        return quotient_rule(d, arg(d, f, 0), arg(d, f, 1), dd_fb_emul, dd_fb_ediv, dd_fb_epow);
    case DD_FORM_POW:
        return derive_pow(d, f);
    case DD_FORM_EPOW:
        return power_rule(d, f, dd_fb_emul, dd_fb_ediv, dd_fb_epow);
    default:
        return derive_elementwise_sum(d, f);
    }
}

/* The body of a function is not known here: only that its value is constant when its arguments are. */
static dd_form derive_user_call(deriver *d, dd_form f)
{
    /* a colon is an argument that was left out */
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    for (uint32_t i = 0; i < n; i++) {
        dd_form arg = dd_form_arg(d->forms, f, i);
        if (dd_form_get(d->forms, arg)->op != DD_FORM_COLON && derive(d, arg) != DD_FORM_ZERO) {
            return DD_FORM_NONE;
        }
    }
    return DD_FORM_ZERO;
}

/* The same element of the derivative. */
static dd_form derive_element(deriver *d, dd_form f)
{
    dd_form_node node = *dd_form_get(d->forms, f);
    dd_form rate = derive(d, dd_form_arg(d->forms, f, 0)), args[MOST_SUBSCRIPTS];
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

static dd_form derive(deriver *d, dd_form f)
{
    const dd_form_node *node = dd_form_get(d->forms, f);
    /* beyond these bounds nobody reads the result: there is none */
    if (++d->visits > MAX_VISITS || d->forms->nodes.len - d->before > MAX_FORMS || node->depth > MAX_DEPTH) {
        return DD_FORM_NONE;
    }
    /* leaves are constant, but for time and variables */
    switch (node->op) {
    case DD_FORM_NUM:
    case DD_FORM_LOOP:
    case DD_FORM_END:
    case DD_FORM_POINT:
        return DD_FORM_ZERO;
    case DD_FORM_TIME:
        return integer(d, 1);
    case DD_FORM_REF:
        return rate_of_reference(d, f, 1);
    case DD_FORM_DER:
        return derive_der(d, f);
    /* operators need known shapes to keep their order */
    case DD_FORM_NEG:
    case DD_FORM_SUM:
    case DD_FORM_MUL:
    case DD_FORM_DIV:
    case DD_FORM_POW:
    case DD_FORM_EADD:
    case DD_FORM_ESUB:
    case DD_FORM_EMUL:
    case DD_FORM_EDIV:
    case DD_FORM_EPOW:
        return dd_form_ndim(d->forms, f) < 0 ? DD_FORM_NONE : derive_operator(d, f);
    /* conditions stay, branches are differentiated */
    case DD_FORM_IF:
        return derive_parts(d, f, 1, 2);
    case DD_FORM_CALL:
        return derive_call(d, f);
    case DD_FORM_ARRAY:
        return derive_parts(d, f, 0, 1);
    case DD_FORM_MATRIX:
        return derive_matrix(d, f);
    case DD_FORM_COMPREHENSION:
        return derive_parts(d, f, 0, UINT32_MAX);
    case DD_FORM_RANGE:
        return derive_range(d, f);
    case DD_FORM_USER_CALL:
        return derive_user_call(d, f);
    case DD_FORM_ELEMENT:
        return derive_element(d, f);
    default:
        return DD_FORM_NONE;
    }
}

dd_form dd_form_derivative(dd_forms *forms, dd_form f)
{
    deriver d = {forms, 0, forms->nodes.len};
    return shaped(&d, derive(&d, f), f);
}
