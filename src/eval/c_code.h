/* c_code.h - expressions as C99: functions of arrays that compute values, and by derivative.h sparse derivatives.
 *
 *     dd_c_writer w = dd_c_writer_new(pool, dag, "pendulum");
 *     dd_c_add_function(&w, &(dd_c_function){.name = "pendulum_rates", ...});
 *     dd_c_helpers(&w, &out);                 functions that the code below calls
 *     dd_text_add(&out, dd_text_str(&w.code));
 *
 * The code needs <math.h> alone, allocates nothing and keeps nothing between calls. Every subexpression is computed
 * once; the sides of `if` that only one value needs are computed where they are taken, so that what is not defined on
 * the other side is never evaluated. Numbers are written so that they read back exactly. Values are computed in the
 * order of tapes (tape.h): they differ from those of programs by rounding alone.
 *
 * A function in lanes computes the same for several points, in vectors PREFIX_v, which the code around it defines; what depends on arguments without lanes alone
 * stays a number. PREFIX_every is a number in all lanes, PREFIX_lane and PREFIX_set_lane are single lanes. Where it would
 * choose between sides, it is a function of one point that is called for every lane.
 */
#ifndef DD_EVAL_C_CODE_H
#define DD_EVAL_C_CODE_H

#include "expr/dag.h"

/* An argument: `const double *name` with the values of the symbols, or `double name` of one symbol. Symbols are any
 * nodes whose values are given and not computed (program.h). */
typedef struct dd_c_argument {
    const char *name;
    const dd_expr *symbols;
    uint32_t n;
    bool scalar;
} dd_c_argument;

/* A result: `double *name`, n values. No two arrays of a call may overlap. */
typedef struct dd_c_result {
    const char *name;
    const dd_expr *values;
    uint32_t n;
} dd_c_result;

typedef struct dd_c_function {
    const char *name;
    const char *comment; /* one line; NULL: none */
    bool local;          /* static */
    uint32_t lanes;      /* so many first arguments, and the results, are PREFIX_v instead of double; 0: none */
    const dd_c_argument *arguments;
    uint32_t n_arguments;
    const dd_c_result *results;
    uint32_t n_results;
} dd_c_function;

typedef struct dd_c_writer {
    dd_pool *pool;
    dd_dag *dag;
    const char *prefix;       /* of helpers */
    dd_text prototypes, code; /* of all functions so far */
    uint32_t helpers;         /* bits: which were used */
    uint64_t each;            /* bits: operations of tapes that were used in lanes */
} dd_c_writer;

dd_c_writer dd_c_writer_new(dd_pool *pool, dd_dag *dag, const char *prefix);

/* Writes one function; long ones in pieces, so that compilers need little time. Raises: DD_INVALID_ARGUMENT when a
 * value contains a symbol that no argument has. */
void dd_c_add_function(dd_c_writer *w, const dd_c_function *f);

/* The helper functions that the code so far calls. */
void dd_c_helpers(const dd_c_writer *w, dd_text *out);

/* Do they call PREFIX_each_sin or _cos, which the code around it defines? */
bool dd_c_needs_waves(const dd_c_writer *w);

/* A number as a C expression of type double that reads back exactly; negative ones in parentheses. */
const char *dd_c_number(dd_pool *pool, double value);

#endif
