/* form_rates.c - derivatives put in: der(x) replaced by an expression that is known to equal it. */
#include "expr/form_build.h"

/* Replacing must not nest forms beyond DD_FORM_MAX_DEPTH. */
#define MAX_DEPTH (DD_FORM_MAX_DEPTH / 3)

typedef struct replacer {
    dd_forms *forms;
    dd_form_rate rate;
    void *user;
} replacer;

/* ---- f[subscripts] for a form f, by pushing the subscripts inwards; DD_FORM_NONE where that cannot be done ---- */

static dd_form subscripted(dd_forms *forms, dd_form f, dd_form reference);

static dd_form subscripted_parts(dd_forms *forms, dd_form f, dd_form reference)
{
    dd_form_node node = *dd_form_get(forms, f);
    dd_form *parts = dd_block_resize(forms->pool, NULL, node.nargs * sizeof *parts), result = DD_FORM_NONE;
    bool ok = true;
    /* all parts or none: (a + b)[i] is a[i] + b[i] */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        parts[i] = subscripted(forms, dd_form_arg(forms, f, i), reference);
        ok = parts[i] != DD_FORM_NONE;
    }
    if (ok) {
        result = node.op == DD_FORM_SUM   ? dd_fb_sum(forms, parts, node.nargs)
                 : node.op == DD_FORM_NEG ? dd_fb_neg(forms, parts[0])
                                          : dd_fb_new(forms, (dd_form_op)node.op, parts, node.nargs);
    }
    dd_block_free(forms->pool, parts);
    return result;
}

/* {a, b, c}[2] */
static dd_form element(dd_forms *forms, dd_form f, dd_form reference)
{
    dd_decimal_number literal;
    int64_t i;
    const dd_form_node *node = dd_form_get(forms, f);
    /* one whole number within the array */
    if (dd_form_get(forms, reference)->nargs != 1 ||
        !dd_fb_literal(forms, dd_form_arg(forms, reference, 0), &literal) || !dd_decimal_is_integer(literal, &i) ||
        i < 1 || i > node->nargs) {
        return DD_FORM_NONE;
    }
    return dd_form_arg(forms, f, (uint32_t)i - 1);
}

static dd_form subscripted_product(dd_forms *forms, dd_form f, dd_form reference)
{
    dd_form a = dd_form_arg(forms, f, 0), b = dd_form_arg(forms, f, 1);
    int na = dd_form_ndim(forms, a), nb = dd_form_ndim(forms, b);
    /* a scalar factor stays outside */
    if (na == 0 && nb > 0) {
        dd_form inner = subscripted(forms, b, reference);
        return inner == DD_FORM_NONE ? inner : dd_fb_mul(forms, a, inner);
    }
    if (nb == 0 && na > 0) {
        dd_form inner = subscripted(forms, a, reference);
        return inner == DD_FORM_NONE                      ? inner
               : dd_form_get(forms, f)->op == DD_FORM_MUL ? dd_fb_mul(forms, inner, b)
                                                          : dd_fb_div(forms, inner, b);
    }
    return DD_FORM_NONE;
}

/* the zero of a sum that cancelled becomes a scalar zero */
static dd_form settled(dd_forms *forms, dd_form f)
{
    return f == DD_FORM_ZERO ? dd_fb_integer(forms, 0) : f;
}

static dd_form subscripted(dd_forms *forms, dd_form f, dd_form reference)
{
    dd_form_node node = *dd_form_get(forms, f), subscripts = *dd_form_get(forms, reference);
    /* as many subscripts as dimensions, all scalar */
    if (dd_form_ndim(forms, f) != (int)subscripts.nargs || dd_form_ndim(forms, reference) != 0) {
        return DD_FORM_NONE;
    }
    /* whole variables take the subscripts, operators pass them inwards */
    switch (node.op) {
    case DD_FORM_REF:
        return node.nargs > 0 ? DD_FORM_NONE
                              : dd_form_new(forms, DD_FORM_REF, 0, node.payload, dd_form_args(forms, reference),
                                            subscripts.nargs, DD_NO_SPAN);
    case DD_FORM_NEG:
    case DD_FORM_SUM:
    case DD_FORM_DER:
        return settled(forms, subscripted_parts(forms, f, reference));
    case DD_FORM_MUL:
    case DD_FORM_DIV:
        return settled(forms, subscripted_product(forms, f, reference));
    case DD_FORM_ARRAY:
        return element(forms, f, reference);
    default:
        return dd_form_is_zero(forms, f) ? dd_fb_integer(forms, 0) : DD_FORM_NONE;
    }
}

/* ---- replacing ---- */

/* der(x) or der(x[i]); DD_FORM_NONE when it is not known */
static dd_form known_rate(const replacer *r, dd_form f)
{
    dd_form reference = dd_form_arg(r->forms, f, 0);
    dd_form_node node = *dd_form_get(r->forms, reference);
    /* only der(x) of a symbol is known */
    if (node.op != DD_FORM_REF) {
        return DD_FORM_NONE;
    }
    dd_form rate = r->rate(r->user, node.payload);
    /* a deep rate would nest the result too deeply */
    if (rate == DD_FORM_NONE || dd_form_get(r->forms, rate)->depth > MAX_DEPTH) {
        return DD_FORM_NONE;
    }
    return node.nargs == 0 ? rate : subscripted(r->forms, rate, reference);
}

static dd_form rebuilt(dd_forms *forms, const dd_form_node *node, const dd_form *args)
{
    switch (node->op) {
    case DD_FORM_SUM:
        return dd_fb_sum(forms, args, node->nargs);
    case DD_FORM_NEG:
        return dd_fb_neg(forms, args[0]);
    case DD_FORM_MUL:
        return dd_fb_mul(forms, args[0], args[1]);
    case DD_FORM_DIV:
        return dd_fb_div(forms, args[0], args[1]);
    default:
        return dd_form_new(forms, (dd_form_op)node->op, node->sub, node->payload, args, node->nargs, node->span);
    }
}

static dd_form replace(const replacer *r, dd_form f)
{
    dd_form_node node = *dd_form_get(r->forms, f);
    /* der(x): the known rate, or as it is */
    if (node.op == DD_FORM_DER) {
        dd_form inner = dd_form_arg(r->forms, f, 0);
        if (dd_form_get(r->forms, inner)->op == DD_FORM_DER) {
            return f; /* rate knows first derivatives only */
        }
        dd_form rate = known_rate(r, f);
        return rate == DD_FORM_NONE ? f : rate;
    }
    if (node.nargs == 0) {
        return f;
    }
    dd_form *args = dd_block_resize(r->forms->pool, NULL, node.nargs * sizeof *args), result = f;
    bool changed = false;
    /* arguments first; a zero needs the shape of the argument it replaces */
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_form before = dd_form_arg(r->forms, f, i), after = replace(r, before);
        args[i] = after == DD_FORM_ZERO ? dd_fb_zero_like(r->forms, before) : after;
        args[i] = args[i] == DD_FORM_NONE ? before : args[i];
        changed = changed || args[i] != before;
    }
    if (changed) {
        result = rebuilt(r->forms, &node, args);
    }
    dd_block_free(r->forms->pool, args);
    return result;
}

dd_form dd_form_replace_rates(dd_forms *forms, dd_form f, dd_form_rate rate, void *user)
{
    replacer r = {forms, rate, user};
    /* too deep to be rebuilt */
    if (dd_form_get(forms, f)->depth > MAX_DEPTH) {
        return f;
    }
    dd_form result = replace(&r, f);
    if (result == DD_FORM_ZERO) {
        result = dd_fb_zero_like(forms, f);
    }
    return result == DD_FORM_NONE ? f : result;
}
