/* form_equation.c - derivatives of equations, with the number that all terms share divided out: 2*(p*v) = 0 is p*v =
 * 0. */
#include "expr/form_build.h"

/* Does this node hand a factor of its parts on to itself? Then parts are those from `first` on, every `step`-th. */
static bool linear_parts(const dd_form_node *node, uint32_t *first, uint32_t *step)
{
    *first = 0;
    *step = 1;
    /* sums and arrays hand a factor of all parts on; conditions and iterators are no parts */
    switch (node->op) {
    case DD_FORM_SUM:
    case DD_FORM_NEG:
    case DD_FORM_ARRAY:
    case DD_FORM_MATRIX:
    case DD_FORM_ROW:
        return true;
    case DD_FORM_COMPREHENSION:
        *step = UINT32_MAX;
        return true;
    case DD_FORM_IF:
        *first = 1;
        *step = 2;
        return true;
    case DD_FORM_CALL:
        *first = node->sub == DD_FN_CAT;
        return node->sub == DD_FN_CAT || node->sub == DD_FN_SUM || node->sub == DD_FN_TRANSPOSE ||
               node->sub == DD_FN_VECTOR || node->sub == DD_FN_MATRIX || node->sub == DD_FN_SCALAR ||
               node->sub == DD_FN_DIAGONAL || node->sub == DD_FN_SKEW || node->sub == DD_FN_NOEVENT;
    default:
        return false;
    }
}

static bool is_part(const dd_form_node *node, uint32_t first, uint32_t step, uint32_t i)
{
    return i >= first && ((i - first) % step == 0 || (node->op == DD_FORM_IF && i + 1 == node->nargs));
}

/* The common number and sign of the terms met so far. */
typedef struct content {
    bool any, all_negative;
    dd_decimal_number common;
} content;

static void measure(dd_forms *forms, dd_form f, bool minus, content *c)
{
    dd_form_node node = *dd_form_get(forms, f);
    uint32_t first, step;
    /* zero has every factor */
    if (dd_form_is_zero(forms, f)) {
        return;
    }
    /* look inside; signs flip at a negation */
    if (linear_parts(&node, &first, &step)) {
        for (uint32_t i = 0; i < node.nargs; i++) {
            if (is_part(&node, first, step, i)) {
                measure(forms, dd_form_arg(forms, f, i), minus != (node.op == DD_FORM_NEG), c);
            }
        }
        return;
    }
    /* a term: its number without sign, and the sign apart */
    dd_decimal_number number;
    dd_fb_split(forms, f, &number);
    bool negative = (number.digits < 0) != minus;
    number.digits = number.digits < 0 ? -number.digits : number.digits;
    c->common = c->any ? dd_decimal_common(c->common, number) : number;
    c->all_negative = negative && (c->all_negative || !c->any);
    c->any = true;
}

/* f/number, term by term; every term is a whole multiple of it, or it is -1 or 1 times such a multiple */
static dd_form divided(dd_forms *forms, dd_form f, dd_decimal_number number)
{
    dd_form_node node = *dd_form_get(forms, f);
    uint32_t first, step;
    if (dd_form_is_zero(forms, f)) {
        return f;
    }
    /* a term: its own number divided */
    if (!linear_parts(&node, &first, &step)) {
        dd_decimal_number c;
        dd_form rest = dd_fb_split(forms, f, &c);
        return dd_decimal_div(c, number, &c) ? dd_fb_scale(forms, c, rest) : DD_FORM_NONE;
    }
    dd_form *parts = dd_block_resize(forms->pool, NULL, node.nargs * sizeof *parts), result = DD_FORM_NONE;
    bool ok = true;
    /* the parts that are values, everything else as it is */
    for (uint32_t i = 0; i < node.nargs && ok; i++) {
        parts[i] = dd_form_arg(forms, f, i);
        parts[i] = is_part(&node, first, step, i) ? divided(forms, parts[i], number) : parts[i];
        ok = parts[i] != DD_FORM_NONE;
    }
    if (ok) {
        result = node.op == DD_FORM_SUM ? dd_fb_sum(forms, parts, node.nargs)
                 : node.op == DD_FORM_NEG
                     ? dd_fb_neg(forms, parts[0])
                     : dd_form_new(forms, (dd_form_op)node.op, node.sub, node.payload, parts, node.nargs, node.span);
    }
    dd_block_free(forms->pool, parts);
    return result;
}

bool dd_form_differentiate_equation(dd_forms *forms, dd_form *lhs, dd_form *rhs, double *factor)
{
    /* both sides, or neither */
    dd_form left = dd_form_derivative(forms, *lhs), right = dd_form_derivative(forms, *rhs);
    if (left == DD_FORM_NONE || right == DD_FORM_NONE) {
        return false;
    }
    /* the number that all terms of both sides share */
    content c = {.common = DD_DECIMAL_ONE};
    measure(forms, left, false, &c);
    measure(forms, right, false, &c);
    dd_decimal_number number = c.common;
    number.digits = c.all_negative ? -number.digits : number.digits;
    *factor = 1;
    /* minus signs everywhere are a factor of -1 */
    if (c.any && !dd_decimal_is(number, 1)) {
        dd_form l = divided(forms, left, number), r = divided(forms, right, number);
        if (l != DD_FORM_NONE && r != DD_FORM_NONE) {
            left = l;
            right = r;
            *factor = dd_decimal_value(number);
        }
    }
    *lhs = left;
    *rhs = right;
    return true;
}
