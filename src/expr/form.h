/* form.h - expressions as the user wrote them: arrays stay arrays, the order is kept, nothing is canonicalised.
 *
 * The parser builds forms; the front end elaborates them into scalar expressions (dag.h); reports print them, and print
 * their time derivatives, so that an index-3 pendulum shows `p*p - L^2 = 0`, `p*v = 0`, `p*der(v) + v*v = 0`.
 *
 *   form index -> op, sub, span, args (indices of smaller forms)
 *
 * Long chains a + b - c ... are one SUM node with NEG around subtracted terms (so a sum of 10^6 terms is not deep).
 * Every node knows its depth; a constructor raises DD_LIMIT past DD_FORM_MAX_DEPTH, so functions here may recurse.
 * Loop variables are bound by an environment at elaboration or printing: the body of a `for` exists once.
 */
#ifndef DD_EXPR_FORM_H
#define DD_EXPR_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/source.h"
#include "base/text.h"
#include "expr/operations.h"

typedef uint32_t dd_form;
#define DD_FORM_NONE 0u
#define DD_FORM_MAX_DEPTH 1000

typedef enum dd_form_op {
    DD_FORM_NUM,    /* payload: name id of the literal's text ("0.1", "2", "1e-3") */
    DD_FORM_BOOL,   /* payload 0 or 1 */
    DD_FORM_STRING, /* payload: name id */
    DD_FORM_NAME,   /* as parsed, unresolved; payload: name id ("a.b" joined, quotes dropped); args: subscripts */
    DD_FORM_PATH,   /* a[1].b.c[2], unresolved: args are NAMEs with their subscripts; sub 1: written .a.b */
    DD_FORM_REF,    /* resolved: payload: symbol number; args: subscripts, none for the whole array */
    DD_FORM_LOOP,   /* loop variable; payload: its unique loop number, sub unused */
    DD_FORM_TIME,   /* time */
    DD_FORM_COLON,  /* `:` as a subscript */
    DD_FORM_END,    /* `end` as a subscript value */
    DD_FORM_NEG,    /* -a */
    DD_FORM_SUM,    /* n >= 2 terms, subtracted ones wrapped in NEG */
    DD_FORM_MUL,    /* a*b: scalar, dot, matrix product by shape */
    DD_FORM_DIV,    /* a/b */
    DD_FORM_POW,    /* a^b */
    DD_FORM_EADD,
    DD_FORM_ESUB,
    DD_FORM_EMUL,
    DD_FORM_EDIV,
    DD_FORM_EPOW, /* .+ .- .* ./ .^ */
    DD_FORM_REL,  /* sub: dd_form_rel */
    DD_FORM_AND,
    DD_FORM_OR, /* n-ary */
    DD_FORM_NOT,
    DD_FORM_IF,           /* c1, v1, c2, v2, ..., else */
    DD_FORM_DER,          /* der(a) */
    DD_FORM_CALL,         /* sub: dd_form_fn; positional args */
    DD_FORM_UNKNOWN_CALL, /* payload: name id of a function that is not built in; args: positional. sub 1: the function
                             is named with dots, and the first argument is its PATH */
    DD_FORM_USER_CALL, /* resolved: payload: number of the function (lang/function.h), sub: which output; args: one per
                             input, COLON where its default holds */
    DD_FORM_LOCAL,     /* in a function: payload: its number, from dd_forms_add_loop; args: subscripts */
    DD_FORM_ELEMENT,   /* an element of a value: args: the value, then its subscripts. sub 1: of its field with the name
                             id `payload`, a.b[i] */
    DD_FORM_TUPLE,     /* (a, , b) = f(x): args, COLON for an output that is left out */
    DD_FORM_NAMED_ARG, /* payload: name id; arg: value (only inside calls before resolution) */
    DD_FORM_POINT,     /* x(t): args: the reference, the time */
    DD_FORM_ARRAY,     /* {a, b, c} */
    DD_FORM_MATRIX,    /* [a, b; c, d]: args are ROWs */
    DD_FORM_ROW,
    DD_FORM_RANGE,         /* a:b or a:step:b */
    DD_FORM_COMPREHENSION, /* {body for i in r, j in s}: body, then pairs LOOP, range; as in Modelica the first iterator
                              is the innermost dimension. sub 1: written without braces, sum(body for i in r): the only
                              argument of sum, product, min or max, which then reduces over the iterations alone */
    DD_FORM_OP_COUNT
} dd_form_op;

typedef enum dd_form_rel { DD_REL_LT, DD_REL_LE, DD_REL_GT, DD_REL_GE, DD_REL_EQ, DD_REL_NE } dd_form_rel;

/* Built-in functions beside the elementary ones (expr/operations.h): id, name, least and most arguments. */
/* clang-format off */
#define DD_FN_LIST(X)                                                                                                  \
    X(ATAN2, "atan2", 2, 2) X(SQRT, "sqrt", 1, 1)                                                                      \
    X(ABS, "abs", 1, 1) X(SIGN, "sign", 1, 1) X(MIN, "min", 1, 2) X(MAX, "max", 1, 2) X(FLOOR, "floor", 1, 1)          \
    X(CEIL, "ceil", 1, 1) X(MOD, "mod", 2, 2) X(REM, "rem", 2, 2) X(DIV, "div", 2, 2) X(INTEGER, "integer", 1, 1)      \
    X(SUM, "sum", 1, 1) X(PRODUCT, "product", 1, 1) X(TRANSPOSE, "transpose", 1, 1) X(ZEROS, "zeros", 1, 8)            \
    X(ONES, "ones", 1, 8) X(FILL, "fill", 2, 9) X(IDENTITY, "identity", 1, 1) X(LINSPACE, "linspace", 3, 3)            \
    X(DIAGONAL, "diagonal", 1, 1) X(CROSS, "cross", 2, 2) X(SKEW, "skew", 1, 1) X(CAT, "cat", 2, 64)                   \
    X(SIZE, "size", 1, 2) X(NDIMS, "ndims", 1, 1) X(SCALAR, "scalar", 1, 1) X(VECTOR, "vector", 1, 1)                  \
    X(MATRIX, "matrix", 1, 1) X(OUTERPRODUCT, "outerProduct", 2, 2) X(SYMMETRIC, "symmetric", 1, 1)                    \
    X(NOEVENT, "noEvent", 1, 1) X(SMOOTH, "smooth", 2, 2) X(HOMOTOPY, "homotopy", 2, 2)                                \
    X(SEMILINEAR, "semiLinear", 3, 3)
/* clang-format on */

typedef enum dd_form_fn {
#define DD_FN_ENUM(id, ...) DD_FN_##id,
    DD_ELEMENTARY_LIST(DD_FN_ENUM) DD_FN_LIST(DD_FN_ENUM)
#undef DD_FN_ENUM
        DD_FN_COUNT
} dd_form_fn;

typedef struct dd_builtin {
    const char *name;
    uint8_t least, most;             /* arguments */
    const dd_elementary *elementary; /* NULL for the others */
} dd_builtin;

dd_builtin dd_builtin_of(dd_form_fn fn);
/* The built-in function of that name; -1 when there is none. */
int dd_builtin_named(const char *name);
/* "atan2 takes 2 arguments, but 1 is given" for a number of arguments that does not fit. */
void dd_builtin_count_words(dd_form_fn fn, uint32_t given, dd_text *out);

typedef struct dd_form_node {
    uint8_t op, sub;
    uint16_t depth;
    uint32_t payload;
    uint32_t args, nargs; /* offset into the argument table */
    dd_span span;
} dd_form_node;

/* One piece of the name of a symbol that denotes members of an array of components: text, then subscripts. */
typedef struct dd_form_part {
    const char *text; /* "arm", ".elbow" */
    uint32_t ndim;
} dd_form_part;

/* The properties of a symbol that forms need (a declared variable, scalar or array). */
typedef struct dd_form_symbol {
    const char *name;          /* as printed, quoted where the language asks for it */
    const dd_form_part *parts; /* arm[i].elbow[k] has its subscripts in several places; NULL: all behind the name */
    uint32_t n_parts;
    uint8_t ndim;
    bool varies;       /* depends on time (variables and inputs; not parameters and constants) */
    uint32_t velocity; /* symbol that is declared or known to be its derivative, elementwise; 0: none */
} dd_form_symbol;

typedef struct dd_forms dd_forms;

dd_forms *dd_forms_new(dd_pool *pool, dd_names *names);
dd_names *dd_forms_names(const dd_forms *forms);

/* Symbols are numbered from 1. */
uint32_t dd_forms_add_symbol(dd_forms *forms, dd_form_symbol symbol);
dd_form_symbol *dd_forms_symbol(dd_forms *forms, uint32_t symbol);

/* A fresh loop variable number with the name it is printed with when it is not bound. */
uint32_t dd_forms_add_loop(dd_forms *forms, uint32_t name_id);
uint32_t dd_forms_loop_name(const dd_forms *forms, uint32_t loop);

/* Functions of the user are numbered from 1; the name is as printed. */
uint32_t dd_forms_add_function(dd_forms *forms, const char *name);
const char *dd_forms_function_name(const dd_forms *forms, uint32_t function);

dd_form dd_form_new(dd_forms *forms, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args, uint32_t nargs,
                    dd_span span);
dd_form dd_form_number(dd_forms *forms, double value, dd_span span);
const dd_form_node *dd_form_get(const dd_forms *forms, dd_form f); /* valid until the next form is made */
const dd_form *dd_form_args(const dd_forms *forms, dd_form f);     /* likewise */
dd_form dd_form_arg(const dd_forms *forms, dd_form f, uint32_t i);
bool dd_form_is_zero(const dd_forms *forms, dd_form f); /* literal 0, zeros(...), {0,0}, fill(0,..) */

/* Loop variables and their values, innermost first. */
typedef struct dd_form_env {
    uint32_t loop;
    int64_t value; /* loop values are integers, or value/1.0 through `real` below */
    double real;
    const struct dd_form_env *outer;
} dd_form_env;

/* Prints with the fewest parentheses. Loop variables bound in env are replaced and subscripts folded: p[i + 1] -> p[4].
 * The text parses back to the same form. */
void dd_form_print(const dd_forms *forms, dd_form f, const dd_form_env *env, dd_text *out);

/* Can f be printed as text of a model without components and functions? Then a member of an array of components is
 * printed as one quoted name, 'arm[2].th', while the forms are in the state of a listing. */
bool dd_form_listable(const dd_forms *forms, dd_form f, const dd_form_env *env);
void dd_forms_set_listing(dd_forms *forms, bool listing);

/* Number of dimensions of the value (0 scalar, 1 vector, 2 matrix), from symbols' ndim and subscripts; -1 unknown. */
int dd_form_ndim(const dd_forms *forms, dd_form f);

/* Time derivative with light, order-keeping simplification: 0 and 1 dropped, a*b + b*a collected for scalars and dot
 * products into 2*(a*b), der(p) replaced by its velocity symbol when it has one, constants moved in front, nothing
 * expanded. DD_FORM_NONE where no closed form at this level exists (the caller then prints scalar rows instead). */
dd_form dd_form_derivative(dd_forms *forms, dd_form f);

/* Substitutes der(symbol) (order 1, whole or subscripted alike) by forms[symbol] where rate(user, symbol) is not
 * DD_FORM_NONE and the reference is to the whole symbol; used to show hidden constraints with derivatives put in. */
typedef dd_form (*dd_form_rate)(void *user, uint32_t symbol);
dd_form dd_form_replace_rates(dd_forms *forms, dd_form f, dd_form_rate rate, void *user);

/* f with every LOOP of this number (or every END) replaced by a value. */
dd_form dd_form_replace_loop(dd_forms *forms, dd_form f, uint32_t loop, dd_form value);
dd_form dd_form_replace_end(dd_forms *forms, dd_form f, dd_form value);

/* lhs = rhs -> its time derivative as an equation, with a common numeric factor divided out of both sides: 2*(p*v) = 0
 * becomes p*v = 0 and *factor is 2 (derivative rows = factor * printed rows). False where not available. */
bool dd_form_differentiate_equation(dd_forms *forms, dd_form *lhs, dd_form *rhs, double *factor);

#endif
