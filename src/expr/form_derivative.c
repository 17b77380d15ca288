/* form_derivative.c - time derivatives of forms, arrays kept as arrays.
 *
 * Every operation of the language has its rule here, by the product and chain rules on arrays: (A*x)' = A*x' + A'*x
 * with the order of the factors kept. A derivative that vanishes is DD_FORM_ZERO, whatever its shape, until a place
 * needs a shape. Writing is left to form_build.c. The work is bounded: where a form is too deep or its derivative
 * grows too large, there is none.
 */
#include "expr/form_derivative.h"

/* A level of a form becomes at most a few levels of its derivative; this keeps the result below DD_FORM_MAX_DEPTH. */
#define MAX_DEPTH (DD_FORM_MAX_DEPTH / 5)
#define MAX_VISITS 1000000 /* forms looked at, and forms made: beyond, nobody reads the text any more */
#define MAX_FORMS 1000000

/* ---- symbols ---- */

/* der^order(x): each velocity that a symbol has takes one der away */
static dd_form rate_of_reference(dd_deriver *d, dd_form reference, uint32_t order)
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

static dd_form derive_der(dd_deriver *d, dd_form f)
{
    uint32_t order = 1;
    dd_form inner = dd_derive_arg(d, f, 0);
    /* der(der(x)): count the ders */
    while (dd_form_get(d->forms, inner)->op == DD_FORM_DER) {
        inner = dd_derive_arg(d, inner, 0);
        order++;
    }
    /* of a symbol: one more der, or its velocity */
    if (dd_form_get(d->forms, inner)->op == DD_FORM_REF) {
        return rate_of_reference(d, inner, order + 1);
    }
    /* of an expression: twice the derivative */
    dd_form first = dd_derive(d, dd_derive_arg(d, f, 0));
    return first == DD_FORM_NONE || first == DD_FORM_ZERO ? first : dd_derive(d, first);
}

/* ---- arithmetic ---- */

static dd_form derive_sum(dd_deriver *d, dd_form f)
{
    uint32_t n = dd_form_get(d->forms, f)->nargs;
    dd_form result = DD_FORM_NONE;
    dd_form *terms = dd_block_resize(d->forms->pool, NULL, n * sizeof *terms);
    uint32_t i = 0;
    /* one term that cannot be differentiated spoils the sum */
    for (; i < n; i++) {
        terms[i] = dd_derive(d, dd_derive_arg(d, f, i));
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

/* times(a, b)' = times(a, b') + times(a', b) */
dd_form dd_derive_product_rule(dd_deriver *d, dd_form a, dd_form b, dd_form_product times)
{
    dd_form da = dd_derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, b);
    if (db == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    return dd_fb_add(d->forms, times(d->forms, a, db), times(d->forms, da, b));
}

/* The same for a product of several scalars: one term for each factor. */
static dd_form derive_product(dd_deriver *d, dd_form f)
{
    dd_form factors[DD_FB_MAX_FACTORS], terms[DD_FB_MAX_FACTORS];
    uint32_t n = dd_fb_factors(d->forms, f, factors);
    if (n < 3) {
        return dd_derive_product_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), dd_fb_mul);
    }
    /* last factor first, so that a*b' precedes a'*b */
    for (uint32_t i = 0; i < n; i++) {
        dd_form rate = dd_derive(d, factors[n - 1 - i]), term = DD_FORM_NONE;
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
static dd_form base_of(dd_deriver *d, dd_form f, int64_t *n)
{
    uint8_t op = dd_form_get(d->forms, f)->op;
    dd_decimal_number literal;
    if ((op == DD_FORM_POW || op == DD_FORM_EPOW) && dd_fb_literal(d->forms, dd_derive_arg(d, f, 1), &literal) &&
        dd_decimal_is_integer(literal, n) && *n >= 1 && *n < 1000) {
        return dd_derive_arg(d, f, 0);
    }
    *n = 1;
    return f;
}

/* (a/b)' = a'/b for a constant b; (a/c^n)' = (c*a' - n*a*c')/c^(n+1) */
static dd_form quotient_rule(dd_deriver *d, dd_form a, dd_form b, dd_form_product times, dd_form_product over,
                             dd_form_product power)
{
    int64_t n;
    dd_form c = base_of(d, b, &n), da = dd_derive(d, a), dc = da == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, c);
    if (dc == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    if (dc == DD_FORM_ZERO) {
        return over(d->forms, da, b);
    }
    /* c^(n+1) instead of (c^n)^2: people cancel one c */
    dd_form of_divisor = dd_fb_mul(d->forms, dd_derive_integer(d, n), times(d->forms, a, dc));
    dd_form top = dd_fb_sub(d->forms, times(d->forms, c, da), of_divisor);
    return top == DD_FORM_ZERO ? top : over(d->forms, top, power(d->forms, c, dd_derive_integer(d, n + 1)));
}

/* (A^n)' = sum_k A^k A' A^(n-1-k) */
static dd_form derive_matrix_power(dd_deriver *d, dd_form a, dd_form b)
{
    dd_decimal_number literal;
    int64_t n;
    dd_form da = dd_derive(d, a), terms[8];
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
            term = dd_fb_mul(d->forms, dd_fb_pow(d->forms, a, dd_derive_integer(d, k)), term);
        }
        if (n - 1 - k > 0) {
            term = dd_fb_mul(d->forms, term, dd_fb_pow(d->forms, a, dd_derive_integer(d, n - 1 - k)));
        }
        terms[k] = term;
    }
    return dd_fb_sum(d->forms, terms, (uint32_t)n);
}

/* b - 1, as a number where b is one */
dd_form dd_derive_one_less(dd_deriver *d, dd_form b)
{
    dd_decimal_number n;
    if (dd_fb_literal(d->forms, b, &n) && dd_decimal_add(n, dd_decimal_of(-1), &n)) {
        return dd_fb_decimal(d->forms, n);
    }
    return dd_fb_esub(d->forms, b, dd_derive_integer(d, 1));
}

/* (a^b)' = b*a^(b-1)*a', and a^b*(log(a)*b' + b*a'/a) where the exponent changes too */
static dd_form power_rule(dd_deriver *d, dd_form f, dd_form_product times, dd_form_product over, dd_form_product power)
{
    dd_form a = dd_derive_arg(d, f, 0), b = dd_derive_arg(d, f, 1);
    dd_form da = dd_derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, b);
    if (db == DD_FORM_NONE) {
        return DD_FORM_NONE;
    }
    /* a constant exponent: b a^(b-1) a' */
    if (db == DD_FORM_ZERO) {
        if (da == DD_FORM_ZERO) {
            return da;
        }
        return times(d->forms, times(d->forms, b, power(d->forms, a, dd_derive_one_less(d, b))), da);
    }
    /* a^b = exp(b log a) */
    dd_form log_a = dd_derive_call1(d, DD_FN_LOG, a);
    if (da == DD_FORM_ZERO) {
        return times(d->forms, times(d->forms, f, log_a), db);
    }
    dd_form of_base = over(d->forms, times(d->forms, b, da), a);
    return times(d->forms, f, dd_fb_add(d->forms, times(d->forms, log_a, db), of_base));
}

static dd_form derive_pow(dd_deriver *d, dd_form f)
{
    switch (dd_form_ndim(d->forms, f)) {
    case 0:
        return power_rule(d, f, dd_fb_mul, dd_fb_div, dd_fb_pow);
    case 2:
        return derive_matrix_power(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1));
    default:
        return DD_FORM_NONE;
    }
}

/* fill(a, size(like, 1), ...) */
static dd_form spread(dd_deriver *d, dd_form a, dd_form like)
{
    dd_form args[9] = {a};
    int n = dd_form_ndim(d->forms, like);
    if (n > 8) {
        return DD_FORM_NONE;
    }
    for (int i = 0; i < n; i++) {
        args[i + 1] = dd_fb_call(d->forms, DD_FN_SIZE, (dd_form[]){like, dd_derive_integer(d, i + 1)}, 2);
    }
    return dd_fb_call(d->forms, DD_FN_FILL, args, (uint32_t)n + 1);
}

/* a .+ b and a .- b: a scalar goes with every element of the other, also when that one is constant */
static dd_form derive_elementwise_sum(dd_deriver *d, dd_form f)
{
    bool minus = dd_form_get(d->forms, f)->op == DD_FORM_ESUB;
    dd_form a = dd_derive_arg(d, f, 0), b = dd_derive_arg(d, f, 1);
    dd_form da = dd_derive(d, a), db = da == DD_FORM_NONE ? DD_FORM_NONE : dd_derive(d, b);
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

/* ---- dispatch ---- */

static dd_form derive_operator(dd_deriver *d, dd_form f)
{
    switch (dd_form_get(d->forms, f)->op) {
    case DD_FORM_NEG: {
        dd_form rate = dd_derive(d, dd_derive_arg(d, f, 0));
        return rate == DD_FORM_NONE ? rate : dd_fb_neg(d->forms, rate);
    }
    case DD_FORM_SUM:
        return derive_sum(d, f);
    case DD_FORM_MUL:
        return derive_product(d, f);
    case DD_FORM_EMUL:
        return dd_derive_product_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), dd_fb_emul);
    case DD_FORM_DIV:
        return quotient_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), dd_fb_mul, dd_fb_div, dd_fb_pow);
    case DD_FORM_EDIV:
        return quotient_rule(d, dd_derive_arg(d, f, 0), dd_derive_arg(d, f, 1), dd_fb_emul, dd_fb_ediv, dd_fb_epow);
    case DD_FORM_POW:
        return derive_pow(d, f);
    case DD_FORM_EPOW:
        return power_rule(d, f, dd_fb_emul, dd_fb_ediv, dd_fb_epow);
    default:
        return derive_elementwise_sum(d, f);
    }
}

dd_form dd_derive(dd_deriver *d, dd_form f)
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
        return dd_derive_integer(d, 1);
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
        return dd_derive_parts(d, f, 1, 2);
    case DD_FORM_CALL:
        return dd_derive_call(d, f);
    case DD_FORM_ARRAY:
        return dd_derive_parts(d, f, 0, 1);
    case DD_FORM_MATRIX:
        return dd_derive_matrix(d, f);
    case DD_FORM_COMPREHENSION:
        return dd_derive_parts(d, f, 0, UINT32_MAX);
    case DD_FORM_RANGE:
        return dd_derive_range(d, f);
    case DD_FORM_USER_CALL:
        return dd_derive_user_call(d, f);
    case DD_FORM_ELEMENT:
        return dd_derive_element(d, f);
    default:
        return DD_FORM_NONE;
    }
}

dd_form dd_form_derivative(dd_forms *forms, dd_form f)
{
    dd_deriver d = {forms, 0, forms->nodes.len};
    return dd_derive_shaped(&d, dd_derive(&d, f), f);
}
