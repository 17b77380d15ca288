/* elaborate_calls.c - built-in functions: the table of who does what, and those that go element by element. */
#include "lang/elaborate_private.h"

static const dd_op unary_ops[DD_FN_COUNT] = {
#define SAME(id, ...) [DD_FN_##id] = DD_OP_##id,
    DD_ELEMENTARY_LIST(SAME)
#undef SAME
        [DD_FN_ABS] = DD_OP_ABS,
    [DD_FN_SIGN] = DD_OP_SIGN,
    [DD_FN_FLOOR] = DD_OP_FLOOR,
    [DD_FN_CEIL] = DD_OP_CEIL,
    [DD_FN_INTEGER] = DD_OP_FLOOR,
    [DD_FN_NOEVENT] = DD_OP_NOEVENT,
    [DD_FN_SMOOTH] = DD_OP_NOEVENT,
};

/* ---- one argument ---- */

static dd_expr apply(const dd_el *el, dd_form_fn fn, dd_expr a)
{
    /* inside functions a jump makes no event (dd_el_jump) */
    dd_expr e = fn == DD_FN_SQRT ? dd_sqrt(el->dag, a) : dd_unary(el->dag, unary_ops[fn], a);
    bool jumps = fn == DD_FN_ABS || fn == DD_FN_SIGN || fn == DD_FN_FLOOR || fn == DD_FN_CEIL || fn == DD_FN_INTEGER;
    return jumps ? dd_el_jump(el, e) : e;
}

static dd_base_type result_type(dd_form_fn fn, const dd_ev *v)
{
    switch (fn) {
    case DD_FN_ABS:
    case DD_FN_NOEVENT:
    case DD_FN_SMOOTH:
        return (dd_base_type)v->type;
    case DD_FN_SIGN:
    case DD_FN_INTEGER:
        return DD_TYPE_INTEGER;
    default:
        return DD_TYPE_REAL;
    }
}

static bool elementwise(dd_el *el, dd_form_fn fn, dd_form arg, dd_ev *out)
{
    /* noEvent and smooth take truth values too; all others need numbers */
    dd_ev v;
    if (!dd_el_form(el, arg, &v)) {
        return false;
    }
    if (fn != DD_FN_NOEVENT && fn != DD_FN_SMOOTH && !dd_el_numeric(el, arg, &v, dd_builtin_of(fn).name)) {
        return false;
    }
    if (v.ndim == 0) {
        dd_ev_set(out, apply(el, fn, v.one), result_type(fn, &v));
        return true;
    }
    dd_ev_like(el, out, &v);
    out->type = (uint8_t)result_type(fn, &v);
    for (uint32_t k = 0; k < v.size; k++) {
        out->elems[k] = apply(el, fn, v.elems[k]);
    }
    return true;
}

/* smooth(p, e): e without events, p says how often it may be differentiated */
static bool smooth(dd_el *el, dd_form f, dd_ev *out)
{
    int64_t order;
    return dd_el_integer(el, dd_form_arg(el->forms, f, 0), "the order given to smooth", &order) &&
           elementwise(el, DD_FN_SMOOTH, dd_form_arg(el->forms, f, 1), out);
}

/* ---- two arguments ---- */

static dd_expr combine_atan2(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_binary(dag, DD_OP_ATAN2, a, b);
}

static dd_expr combine_mod(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_binary(dag, DD_OP_MOD, a, b);
}

/* a/b rounded towards zero */
static dd_expr combine_div(dd_dag *dag, dd_expr a, dd_expr b)
{
    dd_expr q = dd_div(dag, a, b), positive = dd_binary(dag, DD_OP_LE, dd_num(dag, 0), q);
    return dd_if(dag, positive, dd_unary(dag, DD_OP_FLOOR, q), dd_unary(dag, DD_OP_CEIL, q));
}

static dd_expr combine_rem(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_sub(dag, a, dd_mul(dag, b, combine_div(dag, a, b)));
}

static dd_expr combine_homotopy(dd_dag *dag, dd_expr a, dd_expr b)
{
    return dd_binary(dag, DD_OP_HOMOTOPY, a, b);
}

static bool divides(dd_el *el, dd_form f, dd_form_fn fn, dd_combine combine, dd_ev *out)
{
    dd_form second = dd_form_arg(el->forms, f, 1);
    /* a literal 0 is refused at once; a divisor that turns 0 later is the evaluation's failure */
    if (dd_form_is_zero(el->forms, second)) {
        return dd_el_fail(el, f, "division by zero in %s", dd_el_text(el, f));
    }
    if (!dd_el_broadcast(el, f, dd_builtin_of(fn).name, combine, out)) {
        return false;
    }
    /* inside a function the jumps of mod, rem and div make no events */
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; el->frame != NULL && k < out->size; k++) {
        elems[k] = dd_el_jump(el, elems[k]);
    }
    return true;
}

static bool two_arguments(dd_el *el, dd_form f, dd_form_fn fn, dd_ev *out)
{
    switch (fn) {
    case DD_FN_ATAN2:
        if (!dd_el_broadcast(el, f, "atan2", combine_atan2, out)) {
            return false;
        }
        out->type = DD_TYPE_REAL;
        return true;
    case DD_FN_MOD:
        return divides(el, f, fn, combine_mod, out);
    case DD_FN_REM:
        return divides(el, f, fn, combine_rem, out);
    case DD_FN_DIV:
        return divides(el, f, fn, combine_div, out);
    default:
        return dd_el_broadcast(el, f, "homotopy", combine_homotopy, out);
    }
}

/* ---- three arguments ---- */

/* semiLinear(x, a, b): a*x where x is positive, b*x where it is negative: a kink and no jump, so it makes no events. */
static bool semi_linear(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev v[3];
    for (uint32_t i = 0; i < 3; i++) {
        const dd_form arg = dd_form_arg(el->forms, f, i);
        if (!dd_el_form(el, arg, &v[i]) || !dd_el_numeric(el, arg, &v[i], "semiLinear")) {
            return false;
        }
        if (v[i].ndim > 0) {
            return dd_el_fail(el, f, "semiLinear takes scalars, but %s %s", dd_el_text(el, arg), dd_el_has(el, &v[i]));
        }
    }
    dd_ev_set(out, dd_semi_linear(el->dag, v[0].one, v[1].one, v[2].one), DD_TYPE_REAL);
    return true;
}

/* ---- dispatch ---- */

static bool check_count(dd_el *el, dd_form f, dd_form_fn fn, uint32_t n)
{
    const dd_builtin builtin = dd_builtin_of(fn);
    if (n >= builtin.least && n <= builtin.most) {
        return true;
    }
    dd_text words = dd_text_new(el->scratch);
    dd_builtin_count_words(fn, n, &words);
    return dd_el_fail(el, f, "%s", dd_text_str(&words));
}

bool dd_el_call(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    dd_form_fn fn = (dd_form_fn)node->sub;
    /* the number of arguments is checked here once; shapes and types by each function */
    if (!check_count(el, f, fn, node->nargs)) {
        return false;
    }
    switch (fn) {
    /* two scalars, or element by element with a scalar spread */
    case DD_FN_ATAN2:
    case DD_FN_MOD:
    case DD_FN_REM:
    case DD_FN_DIV:
    case DD_FN_HOMOTOPY:
        return two_arguments(el, f, fn, out);
    case DD_FN_SMOOTH:
        return smooth(el, f, out);
    case DD_FN_SEMILINEAR:
        return semi_linear(el, f, out);
    /* many values to one */
    case DD_FN_MIN:
    case DD_FN_MAX:
    case DD_FN_SUM:
    case DD_FN_PRODUCT:
        return dd_el_reduce(el, f, out);
    /* arrays made from sizes and vectors */
    case DD_FN_ZEROS:
    case DD_FN_ONES:
    case DD_FN_FILL:
        return dd_el_fill(el, f, out);
    case DD_FN_IDENTITY:
        return dd_el_identity(el, f, out);
    case DD_FN_LINSPACE:
        return dd_el_linspace(el, f, out);
    case DD_FN_DIAGONAL:
        return dd_el_diagonal(el, f, out);
    case DD_FN_CROSS:
        return dd_el_cross(el, f, out);
    case DD_FN_SKEW:
        return dd_el_skew(el, f, out);
    case DD_FN_OUTERPRODUCT:
        return dd_el_outer(el, f, out);
    /* arrays rearranged */
    case DD_FN_TRANSPOSE:
        return dd_el_transpose(el, f, out);
    case DD_FN_SYMMETRIC:
        return dd_el_symmetric(el, f, out);
    case DD_FN_CAT:
        return dd_el_cat(el, f, out);
    /* arrays measured */
    case DD_FN_SCALAR:
    case DD_FN_VECTOR:
    case DD_FN_MATRIX:
        return dd_el_reshape(el, f, out);
    case DD_FN_SIZE:
    case DD_FN_NDIMS:
        return dd_el_size(el, f, out);
    default:
        return elementwise(el, fn, dd_form_arg(el->forms, f, 0), out);
    }
}
