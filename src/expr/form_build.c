/* form_build.c - products, quotients and powers as a person would write them. A product is kept as number * rest:
 * numbers and signs move to the front, equal scalar factors become powers, and products are associated to the left
 * where the shapes allow it, so that few parentheses are needed: 2*x*vx, but 2*(p*v) for a dot product. */
#include "expr/form_build.h"

dd_form dd_fb_new(dd_forms *forms, dd_form_op op, const dd_form *args, uint32_t n)
{
    return dd_form_new(forms, op, 0, 0, args, n, DD_NO_SPAN);
}

dd_form dd_fb_call(dd_forms *forms, dd_form_fn fn, const dd_form *args, uint32_t n)
{
    return dd_form_new(forms, DD_FORM_CALL, (uint8_t)fn, 0, args, n, DD_NO_SPAN);
}

static dd_form binary(dd_forms *forms, dd_form_op op, dd_form a, dd_form b)
{
    return dd_fb_new(forms, op, (dd_form[]){a, b}, 2);
}

static dd_form_op op_of(const dd_forms *forms, dd_form f)
{
    return (dd_form_op)dd_form_get(forms, f)->op;
}

/* ---- numbers ---- */

dd_form dd_fb_decimal(dd_forms *forms, dd_decimal_number value)
{
    return dd_form_number(forms, dd_decimal_value(value), DD_NO_SPAN);
}

dd_form dd_fb_integer(dd_forms *forms, int64_t value)
{
    return dd_form_number(forms, (double)value, DD_NO_SPAN);
}

bool dd_fb_literal(const dd_forms *forms, dd_form f, dd_decimal_number *out)
{
    const dd_form_node *node = dd_form_get(forms, f);
    if (node->op == DD_FORM_NEG && dd_fb_literal(forms, dd_form_arg(forms, f, 0), out)) {
        out->digits = -out->digits;
        return true;
    }
    return node->op == DD_FORM_NUM && dd_decimal_read(dd_names_get(forms->names, node->payload), out);
}

static bool is_number(const dd_forms *forms, dd_form f, int64_t value)
{
    dd_decimal_number number;
    return dd_fb_literal(forms, f, &number) && dd_decimal_is(number, value);
}

/* ---- coefficients ---- */

static dd_form raw_mul(dd_forms *forms, dd_form a, dd_form b);
static dd_form raw_emul(dd_forms *forms, dd_form a, dd_form b);

static dd_form split_product(dd_forms *forms, dd_form f, dd_decimal_number *c)
{
    dd_decimal_number ca, cb;
    /* c*x times d*y is (c*d)*(x*y) when the product of the numbers is exact */
    dd_form a = dd_fb_split(forms, dd_form_arg(forms, f, 0), &ca),
            b = dd_fb_split(forms, dd_form_arg(forms, f, 1), &cb);
    *c = DD_DECIMAL_ONE;
    if ((dd_decimal_is(ca, 1) && dd_decimal_is(cb, 1)) || !dd_decimal_mul(ca, cb, c)) {
        return f;
    }
    if (a == DD_FORM_NONE || b == DD_FORM_NONE) {
        return a == DD_FORM_NONE ? b : a;
    }
    return op_of(forms, f) == DD_FORM_MUL ? raw_mul(forms, a, b) : raw_emul(forms, a, b);
}

/* a quotient has the number of its dividend */
static dd_form split_quotient(dd_forms *forms, dd_form f, dd_decimal_number *c)
{
    dd_form rest = dd_fb_split(forms, dd_form_arg(forms, f, 0), c);
    if (dd_decimal_is(*c, 1)) {
        return f;
    }
    rest = rest == DD_FORM_NONE ? dd_fb_integer(forms, 1) : rest;
    return binary(forms, op_of(forms, f), rest, dd_form_arg(forms, f, 1));
}

/* The number in front of f, without making forms. */
static dd_decimal_number coefficient(const dd_forms *forms, dd_form f)
{
    dd_decimal_number a, b, c = DD_DECIMAL_ONE;
    if (dd_fb_literal(forms, f, &c)) {
        return c;
    }
    /* the number in front, as dd_fb_split finds it, but without building the rest */
    switch (op_of(forms, f)) {
    case DD_FORM_NEG:
        c = coefficient(forms, dd_form_arg(forms, f, 0));
        c.digits = -c.digits;
        return c;
    case DD_FORM_MUL:
    case DD_FORM_EMUL:
        a = coefficient(forms, dd_form_arg(forms, f, 0));
        b = coefficient(forms, dd_form_arg(forms, f, 1));
        return dd_decimal_mul(a, b, &c) ? c : DD_DECIMAL_ONE;
    case DD_FORM_DIV:
    case DD_FORM_EDIV:
        return coefficient(forms, dd_form_arg(forms, f, 0));
    default:
        return c;
    }
}

/* 2*a + 4*b is 2*(a + 2*b), -a - b is -(a + b) */
static dd_form split_sum(dd_forms *forms, dd_form f, dd_decimal_number *c)
{
    uint32_t n = dd_form_get(forms, f)->nargs;
    bool negative = true;
    /* the largest number that divides all terms; negative when all terms are */
    dd_decimal_number common = coefficient(forms, dd_form_arg(forms, f, 0));
    for (uint32_t i = 0; i < n; i++) {
        dd_decimal_number of_term = coefficient(forms, dd_form_arg(forms, f, i));
        negative = negative && of_term.digits <= 0;
        common = dd_decimal_common(common, of_term);
    }
    common.digits = negative ? -common.digits : common.digits;
    if (dd_decimal_is(common, 1) || common.digits == 0) {
        return f;
    }
    /* divide every term by it; not possible exactly: the sum stays as it is. A zero as written, as in 0 - 8*x, goes */
    dd_form *terms = dd_block_resize(forms->pool, NULL, n * sizeof *terms);
    bool ok = true;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n && ok; i++) {
        dd_decimal_number of_term;
        dd_form rest = dd_fb_split(forms, dd_form_arg(forms, f, i), &of_term);
        ok = dd_decimal_div(of_term, common, &of_term);
        terms[kept] = ok ? dd_fb_scale(forms, of_term, rest) : rest;
        kept += terms[kept] != DD_FORM_ZERO;
    }
    dd_form result = !ok ? f : kept == 1 ? terms[0] : dd_fb_new(forms, DD_FORM_SUM, terms, kept);
    dd_block_free(forms->pool, terms);
    *c = ok ? common : DD_DECIMAL_ONE;
    return result;
}

dd_form dd_fb_split(dd_forms *forms, dd_form f, dd_decimal_number *c)
{
    *c = DD_DECIMAL_ONE;
    /* a number by itself: there is no rest */
    if (dd_fb_literal(forms, f, c)) {
        return DD_FORM_NONE;
    }
    switch (op_of(forms, f)) {
    case DD_FORM_NEG: {
        dd_form rest = dd_fb_split(forms, dd_form_arg(forms, f, 0), c);
        c->digits = -c->digits;
        return rest;
    }
    case DD_FORM_MUL:
    case DD_FORM_EMUL:
        return split_product(forms, f, c);
    case DD_FORM_DIV:
    case DD_FORM_EDIV:
        return split_quotient(forms, f, c);
    case DD_FORM_SUM:
        return split_sum(forms, f, c);
    default:
        return f;
    }
}

static dd_form scalar_mul(dd_forms *forms, dd_form a, dd_form b);

/* scalar*f with the scalar put to the leftmost factor: 2*(x*y) is 2*x*y, a*(B*x) is a*B*x */
static dd_form prepend(dd_forms *forms, dd_form scalar, dd_form f)
{
    dd_form_op op = op_of(forms, f);
    /* scalars commute: 2*(x*y) is 2*x*y */
    if (dd_form_ndim(forms, f) == 0 && op != DD_FORM_SUM) {
        return scalar_mul(forms, scalar, f);
    }
    /* a*(B*x) is (a*B)*x when both shapes are known */
    if (op == DD_FORM_MUL || op == DD_FORM_EMUL) {
        dd_form a = dd_form_arg(forms, f, 0), b = dd_form_arg(forms, f, 1);
        if (dd_form_ndim(forms, a) >= 0 && dd_form_ndim(forms, b) >= 0) {
            return binary(forms, op, prepend(forms, scalar, a), b);
        }
    }
    /* into the dividend: 2*(x/y) is 2*x/y */
    if (op == DD_FORM_DIV || op == DD_FORM_EDIV) {
        dd_form top = dd_form_arg(forms, f, 0);
        return binary(forms, op, is_number(forms, top, 1) ? scalar : prepend(forms, scalar, top),
                      dd_form_arg(forms, f, 1));
    }
    return binary(forms, DD_FORM_MUL, scalar, f);
}

dd_form dd_fb_scale(dd_forms *forms, dd_decimal_number c, dd_form f)
{
    /* nothing, a number, a sign, or 1: no product at all */
    if (c.digits == 0 || f == DD_FORM_ZERO) {
        return DD_FORM_ZERO;
    }
    if (f == DD_FORM_NONE) {
        return dd_fb_decimal(forms, c);
    }
    if (c.digits < 0) {
        c.digits = -c.digits;
        return dd_fb_neg(forms, dd_fb_scale(forms, c, f));
    }
    if (dd_decimal_is(c, 1)) {
        return f;
    }
    /* c*(x/y) is c*x/y */
    if (op_of(forms, f) == DD_FORM_DIV) {
        dd_form top = dd_form_arg(forms, f, 0), bottom = dd_form_arg(forms, f, 1);
        top = is_number(forms, top, 1) ? dd_fb_decimal(forms, c) : dd_fb_scale(forms, c, top);
        return dd_fb_div(forms, top, bottom);
    }
    return prepend(forms, dd_fb_decimal(forms, c), f);
}

dd_form dd_fb_neg(dd_forms *forms, dd_form a)
{
    if (a == DD_FORM_ZERO) {
        return a;
    }
    if (op_of(forms, a) == DD_FORM_NEG) {
        return dd_form_arg(forms, a, 0);
    }
    return dd_fb_new(forms, DD_FORM_NEG, &a, 1);
}

/* ---- products ---- */

/* base^n with a whole n >= 1; other forms are their own base */
static dd_form base_of(const dd_forms *forms, dd_form f, int64_t *n)
{
    dd_decimal_number exponent;
    if (op_of(forms, f) == DD_FORM_POW && dd_fb_literal(forms, dd_form_arg(forms, f, 1), &exponent) &&
        dd_decimal_is_integer(exponent, n) && *n >= 1) {
        return dd_form_arg(forms, f, 0);
    }
    *n = 1;
    return f;
}

/* a*(x/y)*b is a*x*b/y */
static dd_form over_common_divisor(dd_forms *forms, const dd_form *factors, uint32_t n)
{
    dd_form top = dd_fb_integer(forms, 1), bottom = top;
    for (uint32_t i = 0; i < n; i++) {
        bool quotient_here = op_of(forms, factors[i]) == DD_FORM_DIV;
        top = dd_fb_mul(forms, top, quotient_here ? dd_form_arg(forms, factors[i], 0) : factors[i]);
        bottom = quotient_here ? dd_fb_mul(forms, bottom, dd_form_arg(forms, factors[i], 1)) : bottom;
    }
    return dd_fb_div(forms, top, bottom);
}

/* Product of scalars: factors in order, equal bases joined into powers. */
static dd_form scalar_mul(dd_forms *forms, dd_form a, dd_form b)
{
    dd_form factors[2 * DD_FB_MAX_FACTORS];
    int64_t powers[2 * DD_FB_MAX_FACTORS];
    /* both as lists of factors; too many are not looked at */
    uint32_t na = dd_fb_factors(forms, a, factors), nb = na == 0 ? 0 : dd_fb_factors(forms, b, factors + na), n = 0;
    if (nb == 0) {
        return binary(forms, DD_FORM_MUL, a, b);
    }
    /* a quotient behind the first place: one fraction for the whole product */
    for (uint32_t i = 1; i < na + nb; i++) {
        if (op_of(forms, factors[i]) == DD_FORM_DIV) {
            return over_common_divisor(forms, factors, na + nb);
        }
    }
    /* equal bases join: x*y*x is x^2*y */
    for (uint32_t i = 0; i < na + nb; i++) {
        int64_t power;
        dd_form base = base_of(forms, factors[i], &power);
        uint32_t j = 0;
        while (j < n && !dd_form_equal(forms, factors[j], base)) {
            j++;
        }
        if (j < n) {
            powers[j] += power;
        } else {
            factors[n] = base;
            powers[n++] = power;
        }
    }
    /* left associated, in the order the bases appeared */
    dd_form result = DD_FORM_NONE;
    for (uint32_t i = 0; i < n; i++) {
        dd_form f = powers[i] == 1 ? factors[i] : dd_fb_pow(forms, factors[i], dd_fb_integer(forms, powers[i]));
        result = result == DD_FORM_NONE ? f : binary(forms, DD_FORM_MUL, result, f);
    }
    return result;
}

static dd_form raw_div(dd_forms *forms, dd_form a, dd_form b)
{
    if (op_of(forms, a) == DD_FORM_DIV) { /* (x/y)/b is x/(y*b) */
        dd_form bottom = dd_fb_mul(forms, dd_form_arg(forms, a, 1), b);
        return dd_fb_div(forms, dd_form_arg(forms, a, 0), bottom);
    }
    return binary(forms, DD_FORM_DIV, a, b);
}

/* a*b where neither has a number in front */
static dd_form raw_mul(dd_forms *forms, dd_form a, dd_form b)
{
    if (op_of(forms, b) == DD_FORM_DIV) { /* a*(x/y) is a*x/y: the divisor is a scalar */
        dd_form x = dd_form_arg(forms, b, 0), y = dd_form_arg(forms, b, 1);
        return raw_div(forms, is_number(forms, x, 1) ? a : raw_mul(forms, a, x), y);
    }
    if (op_of(forms, a) == DD_FORM_DIV) {
        dd_form x = dd_form_arg(forms, a, 0), y = dd_form_arg(forms, a, 1);
        return raw_div(forms, is_number(forms, x, 1) ? b : raw_mul(forms, x, b), y);
    }
    /* by shape: scalars commute, a scalar goes to the front, arrays keep their order */
    int na = dd_form_ndim(forms, a), nb = dd_form_ndim(forms, b);
    if (na == 0 && nb == 0) {
        return scalar_mul(forms, a, b);
    }
    return na == 0 ? prepend(forms, a, b) : binary(forms, DD_FORM_MUL, a, b);
}

static bool vanishes(const dd_forms *forms, dd_form f)
{
    return f == DD_FORM_ZERO || dd_form_is_zero(forms, f);
}

dd_form dd_fb_mul(dd_forms *forms, dd_form a, dd_form b)
{
    if (vanishes(forms, a) || vanishes(forms, b)) {
        return DD_FORM_ZERO;
    }
    dd_decimal_number ca, cb, c;
    /* numbers to the front, the rest multiplied as it is */
    dd_form x = dd_fb_split(forms, a, &ca), y = dd_fb_split(forms, b, &cb);
    if (!dd_decimal_mul(ca, cb, &c)) {
        return binary(forms, DD_FORM_MUL, a, b);
    }
    return dd_fb_scale(forms, c, x == DD_FORM_NONE ? y : y == DD_FORM_NONE ? x : raw_mul(forms, x, y));
}

/* (ca*x)/(cb*y), x and y without numbers in front; either may be DD_FORM_NONE */
static dd_form quotient(dd_forms *forms, dd_decimal_number ca, dd_form x, dd_decimal_number cb, dd_form y)
{
    dd_decimal_number c;
    /* 6/3 and 3/6 both lose their common number when the quotient is a whole one */
    if (dd_decimal_div(ca, cb, &c)) {
        cb = DD_DECIMAL_ONE;
        ca = c;
    } else if (dd_decimal_div(cb, ca, &c)) {
        ca = DD_DECIMAL_ONE;
        cb = c;
    }
    if (y == DD_FORM_NONE && dd_decimal_is(cb, 1)) {
        return dd_fb_scale(forms, ca, x);
    }
    dd_form top = dd_fb_scale(forms, ca, x);
    return raw_div(forms, top, dd_fb_scale(forms, cb, y));
}

dd_form dd_fb_div(dd_forms *forms, dd_form a, dd_form b)
{
    if (a == DD_FORM_ZERO) {
        return a;
    }
    dd_decimal_number ca, cb;
    dd_form x = dd_fb_split(forms, a, &ca), y = dd_fb_split(forms, b, &cb);
    /* a division by zero stays as it is written */
    if (cb.digits == 0) {
        return binary(forms, DD_FORM_DIV, a, b);
    }
    /* one sign in front of the whole quotient */
    bool minus = (ca.digits < 0) != (cb.digits < 0);
    ca.digits = ca.digits < 0 ? -ca.digits : ca.digits;
    cb.digits = cb.digits < 0 ? -cb.digits : cb.digits;
    if (x != DD_FORM_NONE && op_of(forms, x) == DD_FORM_DIV) { /* (p/q)/y is p/(q*y) */
        dd_form bottom = dd_fb_mul(forms, dd_form_arg(forms, x, 1), dd_fb_scale(forms, cb, y));
        dd_form top = dd_form_arg(forms, x, 0);
        top = is_number(forms, top, 1) ? dd_fb_decimal(forms, ca) : dd_fb_scale(forms, ca, top);
        dd_form result = binary(forms, DD_FORM_DIV, top, bottom);
        return minus ? dd_fb_neg(forms, result) : result;
    }
    dd_form result = quotient(forms, ca, x, cb, y);
    return minus ? dd_fb_neg(forms, result) : result;
}

/* ---- powers ---- */

dd_form dd_fb_pow(dd_forms *forms, dd_form a, dd_form b)
{
    /* exponents that are not numbers stay */
    dd_decimal_number outer, inner, product;
    if (!dd_fb_literal(forms, b, &outer)) {
        return binary(forms, DD_FORM_POW, a, b);
    }
    /* x^0 is 1, x^1 is x */
    if (dd_decimal_is(outer, 0) || dd_decimal_is(outer, 1)) {
        return outer.digits == 0 ? dd_fb_integer(forms, 1) : a;
    }
    /* (x^a)^b is x^(a*b) for whole a and b: true for negative x as well */
    int64_t n;
    if (dd_decimal_is_integer(outer, &n) && op_of(forms, a) == DD_FORM_POW &&
        dd_fb_literal(forms, dd_form_arg(forms, a, 1), &inner) && dd_decimal_is_integer(inner, &n) &&
        dd_decimal_mul(inner, outer, &product)) {
        return dd_fb_pow(forms, dd_form_arg(forms, a, 0), dd_fb_decimal(forms, product));
    }
    /* (c*x)^2 is c^2*x^2, where people expect the number in front */
    dd_decimal_number c;
    if (dd_form_ndim(forms, a) == 0 && dd_decimal_is(outer, 2)) { /* (2*x)^2 is 4*x^2 */
        dd_form rest = dd_fb_split(forms, a, &c);
        if (rest != DD_FORM_NONE && !dd_decimal_is(c, 1) && dd_decimal_mul(c, c, &product)) {
            return dd_fb_scale(forms, product, dd_fb_pow(forms, rest, b));
        }
    }
    /* sqrt(x)^2 is x */
    const dd_form_node *node = dd_form_get(forms, a);
    if (dd_decimal_is(outer, 2) && node->op == DD_FORM_CALL && node->sub == DD_FN_SQRT && dd_form_ndim(forms, a) == 0) {
        return dd_form_arg(forms, a, 0);
    }
    return binary(forms, DD_FORM_POW, a, b);
}

/* ---- element by element ---- */

static bool both_scalar(const dd_forms *forms, dd_form a, dd_form b)
{
    return dd_form_ndim(forms, a) == 0 && dd_form_ndim(forms, b) == 0;
}

static dd_form raw_emul(dd_forms *forms, dd_form a, dd_form b)
{
    if (op_of(forms, b) == DD_FORM_EMUL) { /* a .* (x .* y) is a .* x .* y */
        return binary(forms, DD_FORM_EMUL, raw_emul(forms, a, dd_form_arg(forms, b, 0)), dd_form_arg(forms, b, 1));
    }
    /* a .* (x ./ y) is (a .* x) ./ y when x is an array */
    if (op_of(forms, b) == DD_FORM_EDIV && dd_form_ndim(forms, dd_form_arg(forms, b, 0)) > 0) {
        return binary(forms, DD_FORM_EDIV, raw_emul(forms, a, dd_form_arg(forms, b, 0)), dd_form_arg(forms, b, 1));
    }
    return binary(forms, DD_FORM_EMUL, a, b);
}

dd_form dd_fb_emul(dd_forms *forms, dd_form a, dd_form b)
{
    if (vanishes(forms, a) || vanishes(forms, b)) {
        return DD_FORM_ZERO;
    }
    /* with a scalar the elementwise product is the plain one */
    if (dd_form_ndim(forms, a) == 0 || dd_form_ndim(forms, b) == 0) {
        return dd_fb_mul(forms, a, b);
    }
    dd_decimal_number ca, cb, c;
    dd_form x = dd_fb_split(forms, a, &ca), y = dd_fb_split(forms, b, &cb);
    if (x == DD_FORM_NONE || y == DD_FORM_NONE || !dd_decimal_mul(ca, cb, &c)) {
        return binary(forms, DD_FORM_EMUL, a, b);
    }
    return dd_fb_scale(forms, c, raw_emul(forms, x, y));
}

dd_form dd_fb_ediv(dd_forms *forms, dd_form a, dd_form b)
{
    if (a == DD_FORM_ZERO) {
        return a;
    }
    if (dd_form_ndim(forms, b) == 0) {
        return dd_fb_div(forms, a, b);
    }
    dd_decimal_number ca, cb, c;
    dd_form x = dd_fb_split(forms, a, &ca), y = dd_fb_split(forms, b, &cb);
    /* the numbers divide evenly: they go in front */
    if (dd_decimal_div(ca, cb, &c)) {
        dd_form top = x == DD_FORM_NONE ? dd_fb_integer(forms, 1) : x;
        return dd_fb_scale(forms, c, binary(forms, DD_FORM_EDIV, top, y));
    }
    if (ca.digits < 0) {
        return dd_fb_neg(forms, dd_fb_ediv(forms, dd_fb_neg(forms, a), b));
    }
    return binary(forms, DD_FORM_EDIV, a, b);
}

dd_form dd_fb_epow(dd_forms *forms, dd_form a, dd_form b)
{
    if (both_scalar(forms, a, b)) {
        return dd_fb_pow(forms, a, b);
    }
    return is_number(forms, b, 1) ? a : binary(forms, DD_FORM_EPOW, a, b);
}

dd_form dd_fb_eadd(dd_forms *forms, dd_form a, dd_form b)
{
    /* equal shapes need no elementwise operator */
    if (dd_form_ndim(forms, a) == dd_form_ndim(forms, b)) {
        return dd_fb_add(forms, a, b);
    }
    if (op_of(forms, b) == DD_FORM_NEG) {
        return binary(forms, DD_FORM_ESUB, a, dd_form_arg(forms, b, 0));
    }
    return binary(forms, DD_FORM_EADD, a, b);
}

dd_form dd_fb_esub(dd_forms *forms, dd_form a, dd_form b)
{
    if (dd_form_ndim(forms, a) == dd_form_ndim(forms, b)) {
        return dd_fb_sub(forms, a, b);
    }
    if (op_of(forms, b) == DD_FORM_NEG) {
        return binary(forms, DD_FORM_EADD, a, dd_form_arg(forms, b, 0));
    }
    return binary(forms, DD_FORM_ESUB, a, b);
}

/* ---- zeros with a shape ---- */

/* zeros(...) with the sizes that a call is given: fill(x, n, m), ones(n), linspace(a, b, n), identity(n) */
static dd_form zeros_of_call(dd_forms *forms, dd_form f, const dd_form_node *node)
{
    dd_form sizes[64] = {0};
    /* sizes begin behind the values: fill(x, n), linspace(a, b, n) */
    uint32_t first = node->sub == DD_FN_FILL ? 1 : node->sub == DD_FN_LINSPACE ? 2 : 0, n = 0;
    for (uint32_t i = first; i < node->nargs && n < 64; i++) {
        sizes[n++] = dd_form_arg(forms, f, i);
    }
    if (node->sub == DD_FN_IDENTITY) {
        sizes[n++] = sizes[0];
    }
    return dd_fb_call(forms, DD_FN_ZEROS, sizes, n);
}

static dd_form zeros_of_size(dd_forms *forms, dd_form f, int ndim)
{
    dd_form sizes[8];
    /* zeros(size(f, 1), size(f, 2), ...) */
    for (int d = 0; d < ndim; d++) {
        sizes[d] = dd_fb_call(forms, DD_FN_SIZE, (dd_form[]){f, dd_fb_integer(forms, d + 1)}, 2);
    }
    return dd_fb_call(forms, DD_FN_ZEROS, sizes, (uint32_t)ndim);
}

dd_form dd_fb_zero_like(dd_forms *forms, dd_form f)
{
    dd_form_node node = *dd_form_get(forms, f);
    int ndim = dd_form_ndim(forms, f);
    /* unknown shape */
    if (ndim < 0 || ndim > 8) {
        return DD_FORM_NONE;
    }
    if (ndim == 0) {
        return dd_fb_integer(forms, 0);
    }
    if (dd_form_is_zero(forms, f)) {
        return f;
    }
    /* constructors name their sizes */
    if (node.op == DD_FORM_CALL && (node.sub == DD_FN_FILL || node.sub == DD_FN_ONES || node.sub == DD_FN_LINSPACE ||
                                    node.sub == DD_FN_IDENTITY)) {
        return zeros_of_call(forms, f, &node);
    }
    if (node.op != DD_FORM_ARRAY || ndim > 1) {
        return zeros_of_size(forms, f, ndim);
    }
    /* {a, b, c} becomes {0, 0, 0}: shorter than zeros(size(...)) */
    dd_form zero = dd_fb_integer(forms, 0), *zeros = dd_block_resize(forms->pool, NULL, node.nargs * sizeof *zeros);
    for (uint32_t i = 0; i < node.nargs; i++) {
        zeros[i] = zero;
    }
    dd_form result = dd_fb_new(forms, DD_FORM_ARRAY, zeros, node.nargs);
    dd_block_free(forms->pool, zeros);
    return result;
}
