/* operations.h - the one table of operations on scalars.
 *
 * An elementary function of one argument is one line of DD_ELEMENTARY_LIST: values, simplification, derivatives of
 * expressions and of forms, interval bounds, magnitudes, Taylor series, vector kernels, names in the language and in
 * print all follow from it. A new one is a line here, a word in docs/language.md and a test.
 */
#ifndef DD_EXPR_OPERATIONS_H
#define DD_EXPR_OPERATIONS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* clang-format off */

/* id, name in the language, function of the C library (and of its vector library), symmetry, argument where the value
 * is exactly 0 (NAN: nowhere), domain, how its values run over an interval, slope, whose name it is: MODELICA's, or
 * OURS (then a function that the user defines under this name comes first) */
#define DD_ELEMENTARY_LIST(X)                                                                                          \
    X(SIN, "sin", sin, ODD, 0, -INFINITY, INFINITY, WAVE, DD_SLOPE_IS(COS, 1), MODELICA)                               \
    X(COS, "cos", cos, EVEN, NAN, -INFINITY, INFINITY, WAVE, DD_SLOPE_IS(SIN, -1), MODELICA)                           \
    X(TAN, "tan", tan, ODD, 0, -INFINITY, INFINITY, POLES, DD_SLOPE_BY_VALUE(1, 0, 1), MODELICA)                       \
    X(ASIN, "asin", asin, ODD, 0, -1, 1, MONOTONE, DD_SLOPE_ONE_OVER(1, 1, 0, -1, ROOT), MODELICA)                     \
    X(ACOS, "acos", acos, NEITHER, 1, -1, 1, MONOTONE, DD_SLOPE_ONE_OVER(-1, 1, 0, -1, ROOT), MODELICA)                \
    X(ATAN, "atan", atan, ODD, 0, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, 1, 0, 1, ITSELF), MODELICA)      \
    X(SINH, "sinh", sinh, ODD, 0, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_IS(COSH, 1), MODELICA)                       \
    X(COSH, "cosh", cosh, EVEN, NAN, -INFINITY, INFINITY, BY_SIZE, DD_SLOPE_IS(SINH, 1), MODELICA)                     \
    X(TANH, "tanh", tanh, ODD, 0, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_BY_VALUE(1, 0, -1), MODELICA)                \
    X(EXP, "exp", exp, NEITHER, NAN, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_BY_VALUE(0, 1, 0), MODELICA)              \
    X(LOG, "log", log, NEITHER, 1, 0, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, 0, 1, 0, ITSELF), MODELICA)             \
    X(LOG10, "log10", log10, NEITHER, 1, 0, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, 0, 1, 0, LN10), MODELICA)         \
    X(ASINH, "asinh", asinh, ODD, 0, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, 1, 0, 1, ROOT), OURS)         \
    X(ACOSH, "acosh", acosh, NEITHER, 1, 1, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, -1, 0, 1, ROOT), OURS)            \
    X(ATANH, "atanh", atanh, ODD, 0, -1, 1, MONOTONE, DD_SLOPE_ONE_OVER(1, 1, 0, -1, ITSELF), OURS)                    \
    X(EXPM1, "expm1", expm1, NEITHER, 0, -INFINITY, INFINITY, MONOTONE, DD_SLOPE_IS(EXP, 1), OURS)                     \
    X(LOG1P, "log1p", log1p, NEITHER, 0, -1, INFINITY, MONOTONE, DD_SLOPE_ONE_OVER(1, 1, 1, 0, ITSELF), OURS)

/* the other functions and the relations, the same in expressions, tapes and programs: id, printed name, arguments */
#define DD_PLAIN_LIST(X)                                                                                               \
    X(ABS, "abs", 1) X(SIGN, "sign", 1) X(FLOOR, "floor", 1) X(CEIL, "ceil", 1)                                        \
    X(ATAN2, "atan2", 2) X(MIN, "min", 2) X(MAX, "max", 2) X(MOD, "mod", 2)                                            \
    X(LT, "<", 2) X(LE, "<=", 2) X(EQ, "==", 2) X(NE, "<>", 2) /* > and >= are swapped into these */                   \
    X(NOT, "not", 1)

/* operations of expressions alone: id, printed name, number of arguments (-1: n-ary, 0: leaf) */
#define DD_LEAF_LIST(X)                                                                                                \
    X(NUM, "", 0)                                                                                                      \
    X(PARAM, "", 0) /* constant in time; payload: id */                                                                \
    X(VAR, "", 0) /* function of time; payload: id and order of derivative */                                          \
    X(TIME, "time", 0)
#define DD_ALGEBRA_LIST(X)                                                                                             \
    X(ADD, "+", -1) X(MUL, "*", -1) X(POW, "^", 2)                                                                     \
    X(DERIVED, "derived", -1) /* value, then pairs: argument, partial derivative by it; its derivative is given */
#define DD_LOGIC_LIST(X)                                                                                               \
    X(AND, "and", -1) X(OR, "or", -1)                                                                                  \
    X(IF, "if", 3) /* condition, then, else; the branch not taken is never evaluated */                                \
    X(NOEVENT, "noEvent", 1)                                                                                           \
    X(HOMOTOPY, "homotopy", 2) /* actual, simplified */
/* clang-format on */

typedef enum dd_op {
#define DD_OP_ENUM(id, ...) DD_OP_##id,
    DD_LEAF_LIST(DD_OP_ENUM) DD_ALGEBRA_LIST(DD_OP_ENUM) DD_ELEMENTARY_LIST(DD_OP_ENUM) DD_PLAIN_LIST(DD_OP_ENUM)
        DD_LOGIC_LIST(DD_OP_ENUM)
#undef DD_OP_ENUM
            DD_OP_COUNT
} dd_op;

typedef enum dd_symmetry { DD_NEITHER, DD_ODD, DD_EVEN } dd_symmetry;

/* Values over an interval: between those at its ends; increasing with |x|; between -1 and 1 by turns; unknown. */
typedef enum dd_course { DD_MONOTONE, DD_BY_SIZE, DD_WAVE, DD_POLES } dd_course;

/* f'(x) of f(x), with q(v) = q[0] + q[1] v + q[2] v^2:
 *   IS        sign*other(x)
 *   BY_VALUE  q(f)
 *   ONE_OVER  sign/q(x), sign/sqrt(q(x)), sign/(log(10) q(x)) */
typedef enum dd_slope_kind { DD_SLOPE_FUNCTION, DD_SLOPE_VALUE, DD_SLOPE_INVERSE } dd_slope_kind;
typedef enum dd_slope_of { DD_ITSELF, DD_ROOT, DD_LN10 } dd_slope_of;

typedef struct dd_slope {
    dd_slope_kind kind;
    dd_op other;
    dd_slope_of of;
    int sign;
    int8_t q[3];
} dd_slope;

#define DD_SLOPE_IS(function, s)                                                                                       \
    {                                                                                                                  \
        .kind = DD_SLOPE_FUNCTION, .other = DD_OP_##function, .sign = s                                                \
    }
#define DD_SLOPE_BY_VALUE(a, b, c)                                                                                     \
    {                                                                                                                  \
        .kind = DD_SLOPE_VALUE, .sign = 1, .q = { a, b, c }                                                            \
    }
#define DD_SLOPE_ONE_OVER(s, a, b, c, which)                                                                           \
    {                                                                                                                  \
        .kind = DD_SLOPE_INVERSE, .sign = s, .q = {a, b, c}, .of = DD_##which                                          \
    }

typedef struct dd_elementary {
    const char *name;
    double (*value)(double);
    dd_symmetry symmetry;
    double root;      /* where the value is exactly 0; NAN: nowhere */
    double low, high; /* of the domain */
    dd_course course;
    dd_slope slope;
    bool ours; /* not a name of the Modelica language */
} dd_elementary;

/* NULL when op is not elementary. */
const dd_elementary *dd_elementary_of(dd_op op);

/* q(v), without the terms whose coefficient is zero (0*inf would be NaN); 1 - v^2 and v^2 - 1 by their factors. */
double dd_slope_polynomial(const int8_t *q, double v);
/* f'(x), with f = f(x). */
double dd_slope_value(const dd_elementary *e, double x, double f);

/* Its value is 0 or 1: relations and logic. */
bool dd_op_is_condition(dd_op op);
const char *dd_op_name(dd_op op);
int dd_op_arity(dd_op op); /* -1: n-ary, 0: leaf */

#endif
