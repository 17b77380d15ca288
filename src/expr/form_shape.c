/* form_shape.c - how many dimensions a form has, by the rules of the language, from those of its arguments. */
#include "expr/form_private.h"

#define UNKNOWN (-1)
#define MOST_NDIM 100 /* more is an error that elaboration names */

static int8_t ndim_at(const dd_forms *forms, dd_form f)
{
    return forms->facts.data[f].ndim;
}

static int8_t raised(int8_t n, uint32_t by)
{
    return (int8_t)(n < 0 || by > MOST_NDIM || n + (int)by > MOST_NDIM ? UNKNOWN : n + (int)by);
}

static int8_t most(const dd_forms *forms, const dd_form *args, uint32_t nargs)
{
    int8_t result = 0;
    for (uint32_t i = 0; i < nargs; i++) {
        int8_t n = ndim_at(forms, args[i]);
        if (n < 0) {
            return UNKNOWN;
        }
        result = n > result ? n : result;
    }
    return result;
}

/* Terms of a sum have equal shapes: the first known one decides. */
static int8_t first_known(const dd_forms *forms, const dd_form *args, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++) {
        if (ndim_at(forms, args[i]) >= 0) {
            return ndim_at(forms, args[i]);
        }
    }
    return UNKNOWN;
}

/* Scalar subscripts take a dimension away, ranges, vectors and `:` keep it. */
static int8_t ndim_of_element(const dd_forms *forms, int n, const dd_form *args, uint32_t nargs)
{
    for (uint32_t i = 0; i < nargs; i++) {
        int8_t of_subscript = ndim_at(forms, args[i]);
        if (of_subscript < 0) {
            return UNKNOWN;
        }
        n -= of_subscript == 0;
    }
    return (int8_t)(n < 0 ? UNKNOWN : n);
}

static int8_t ndim_of_reference(const dd_forms *forms, uint32_t symbol, const dd_form *args, uint32_t nargs)
{
    return ndim_of_element(forms, forms->symbols.data[symbol].ndim, args, nargs);
}

static int8_t ndim_of_product(int8_t a, int8_t b)
{
    /* scalar times anything keeps the other's shape; vectors and matrices contract one dimension on each side */
    if (a < 0 || b < 0) {
        return UNKNOWN;
    }
    if (a == 0 || b == 0) {
        return (int8_t)(a + b);
    }
    return a <= 2 && b <= 2 ? (int8_t)(a + b - 2) : UNKNOWN;
}

static int8_t ndim_of_call(const dd_forms *forms, dd_form_fn fn, const dd_form *args, uint32_t nargs)
{
    switch (fn) {
    /* sum(e for i in r) has the shape of e, sum(A) is a scalar */
    case DD_FN_SUM:
    case DD_FN_PRODUCT: {
        const dd_form_node *node = &forms->nodes.data[args[0]];
        bool reduction = node->op == DD_FORM_COMPREHENSION && node->sub != 0;
        return reduction ? ndim_at(forms, forms->links.data[node->args]) : 0;
    }
    case DD_FN_MIN:
    case DD_FN_MAX:
    case DD_FN_NDIMS:
    case DD_FN_SCALAR:
    case DD_FN_SEMILINEAR:
        return 0;
    /* one size per dimension */
    case DD_FN_ZEROS:
    case DD_FN_ONES:
        return raised(0, nargs);
    case DD_FN_FILL:
        return raised(0, nargs - 1);
    case DD_FN_LINSPACE:
    case DD_FN_CROSS:
    case DD_FN_VECTOR:
        return 1;
    case DD_FN_IDENTITY:
    case DD_FN_DIAGONAL:
    case DD_FN_SKEW:
    case DD_FN_MATRIX:
    case DD_FN_OUTERPRODUCT:
    case DD_FN_SYMMETRIC:
        return 2;
    /* size(A) is a vector, size(A, i) a number */
    case DD_FN_SIZE:
        return nargs == 1;
    /* the first argument is the dimension along which cat joins */
    case DD_FN_CAT:
        return first_known(forms, args + 1, nargs - 1);
    case DD_FN_SMOOTH:
        return ndim_at(forms, args[nargs - 1]);
    case DD_FN_TRANSPOSE:
    case DD_FN_NOEVENT:
    case DD_FN_HOMOTOPY:
        return ndim_at(forms, args[0]);
    default:
        return most(forms, args, nargs); /* elementwise */
    }
}

int8_t dd_form_ndim_of(const dd_forms *forms, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args,
                       uint32_t nargs)
{
    /* leaves */
    switch (op) {
    case DD_FORM_NUM:
    case DD_FORM_BOOL:
    case DD_FORM_LOOP:
    case DD_FORM_TIME:
    case DD_FORM_END:
        return 0;
    /* `:` and ranges select a vector */
    case DD_FORM_COLON:
    case DD_FORM_RANGE:
        return 1;
    /* subscripts take dimensions away */
    case DD_FORM_REF:
        return ndim_of_reference(forms, payload, args, nargs);
    case DD_FORM_ELEMENT:
        return sub != 0 ? UNKNOWN : ndim_of_element(forms, ndim_at(forms, args[0]), args + 1, nargs - 1);
    /* as their first argument */
    case DD_FORM_NEG:
    case DD_FORM_NOT:
    case DD_FORM_DER:
    case DD_FORM_DIV:
    case DD_FORM_POW:
    case DD_FORM_POINT:
    case DD_FORM_NAMED_ARG:
        return ndim_at(forms, args[0]);
    /* equal shapes, or an error that elaboration names */
    case DD_FORM_SUM:
    case DD_FORM_AND:
    case DD_FORM_OR:
        return first_known(forms, args, nargs);
    case DD_FORM_MUL:
        return ndim_of_product(ndim_at(forms, args[0]), ndim_at(forms, args[1]));
    /* a scalar goes with every element of the other */
    case DD_FORM_EADD:
    case DD_FORM_ESUB:
    case DD_FORM_EMUL:
    case DD_FORM_EDIV:
    case DD_FORM_EPOW:
    case DD_FORM_REL:
        return most(forms, args, nargs);
    /* branches have equal shapes; the first that is known decides */
    case DD_FORM_IF:
        for (uint32_t i = 1; i < nargs; i += 2) {
            if (ndim_at(forms, args[i]) >= 0) {
                return ndim_at(forms, args[i]);
            }
        }
        return ndim_at(forms, args[nargs - 1]);
    case DD_FORM_CALL:
        return nargs == 0 ? UNKNOWN : ndim_of_call(forms, (dd_form_fn)sub, args, nargs);
    /* one dimension more than the elements */
    case DD_FORM_ARRAY:
        return raised(first_known(forms, args, nargs), 1);
    /* rows of matrices are matrices of at least two dimensions */
    case DD_FORM_ROW:
    case DD_FORM_MATRIX: {
        int8_t n = most(forms, args, nargs);
        return (int8_t)(n < 0 ? UNKNOWN : n < 2 ? 2 : n);
    }
    case DD_FORM_COMPREHENSION:
        return raised(ndim_at(forms, args[0]), (nargs - 1) / 2);
    default:
        return UNKNOWN;
    }
}
