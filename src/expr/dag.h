/* dag.h - hash-consed scalar expressions.
 *
 *   node index ->  op | args            children always have smaller indices than their parents, so a loop over
 *        7         MUL  {3, 5, 6}       increasing indices is a topological order and nothing here recurses.
 *        8         ADD  {2, 7}          equal expressions have equal indices: comparing is ==.
 *
 * Canonical form (kept by every constructor):
 *   NUM   an exact rational num/den (64-bit, den > 0, lowest terms) as long as it fits, else a double
 *   ADD   n >= 2 terms sorted by index, at most one NUM (first); like terms collected, terms are c*t with NUM c
 *   MUL   n >= 2 factors sorted by index, at most one NUM (first, never 0 or 1); equal bases collected into POW
 *   POW   base, exponent; a/b is a*b^(-1), sqrt(x) is x^(1/2)
 * A NUM times an ADD is multiplied out; nothing else is expanded. A sum that is a factor or has an integer power hands
 * its common number to the product: (2*a + 2*b)*x is 2*(a + b)*x. Every simplification is exact: the result equals the
 * original wherever the original is defined (x/x -> 1, 0*x -> 0, (x^2)^(1/2) stays).
 *
 * All constructors raise (base/context.h) when memory or the node limit runs out.
 */
#ifndef DD_EXPR_DAG_H
#define DD_EXPR_DAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/pool.h"
#include "base/text.h"
#include "expr/operations.h"

typedef uint32_t dd_expr;
#define DD_EXPR_NONE 0u

typedef struct dd_dag dd_dag;

/* The dag lives in the pool. max_nodes: 0 for the default (2^28); past it DD_LIMIT is raised. */
dd_dag *dd_dag_new(dd_pool *pool, uint32_t max_nodes);
dd_pool *dd_dag_pool(const dd_dag *dag);
uint32_t dd_dag_count(const dd_dag *dag); /* all nodes have index < count */

/* ---- constructors ---- */
dd_expr dd_num(dd_dag *dag, double value); /* exact when value is a small decimal or dyadic */
dd_expr dd_rational(dd_dag *dag, int64_t num, int64_t den);
dd_expr dd_decimal(dd_dag *dag, const char *text, size_t length); /* a literal: "0.1" is exactly 1/10 when it fits */
dd_expr dd_param(dd_dag *dag, uint32_t id);
dd_expr dd_var(dd_dag *dag, uint32_t id, uint32_t order);
dd_expr dd_time(dd_dag *dag);
dd_expr dd_add(dd_dag *dag, dd_expr a, dd_expr b);
dd_expr dd_sub(dd_dag *dag, dd_expr a, dd_expr b);
dd_expr dd_neg(dd_dag *dag, dd_expr a);
dd_expr dd_mul(dd_dag *dag, dd_expr a, dd_expr b);
dd_expr dd_div(dd_dag *dag, dd_expr a, dd_expr b);
dd_expr dd_pow(dd_dag *dag, dd_expr base, dd_expr exponent);
dd_expr dd_sqrt(dd_dag *dag, dd_expr a);
dd_expr dd_sum(dd_dag *dag, const dd_expr *terms, uint32_t n); /* O(n log n) for any n; 0 for n = 0 */
dd_expr dd_product(dd_dag *dag, const dd_expr *factors, uint32_t n);
dd_expr dd_unary(dd_dag *dag, dd_op op, dd_expr a);                       /* SIN .. CEIL, NOT, NOEVENT */
dd_expr dd_binary(dd_dag *dag, dd_op op, dd_expr a, dd_expr b);           /* ATAN2 .. NE, AND, OR, HOMOTOPY */
dd_expr dd_logic(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n); /* AND, OR of any number of conditions */
dd_expr dd_if(dd_dag *dag, dd_expr condition, dd_expr then,
              dd_expr otherwise); /* folded when condition is NUM or both are equal */
/* Modelica's semiLinear: above*x where x >= 0, below*x elsewhere, without events. */
dd_expr dd_semi_linear(dd_dag *dag, dd_expr x, dd_expr above, dd_expr below);
/* value(args[0..n-1]) whose derivative is given as sum partials[i]*d(args[i]), whatever value itself is made of: a
 * function of the user with annotation(derivative = ...). */
dd_expr dd_derived(dd_dag *dag, dd_expr value, const dd_expr *args, const dd_expr *partials, uint32_t n);
dd_expr dd_make(dd_dag *dag, dd_op op, const dd_expr *args, uint32_t n); /* any op, by its canonical constructor */

/* ---- looking ---- */
dd_op dd_op_of(const dd_dag *dag, dd_expr e);
uint32_t dd_arg_count(const dd_dag *dag, dd_expr e);
dd_expr dd_arg(const dd_dag *dag, dd_expr e, uint32_t i);
double dd_num_value(const dd_dag *dag, dd_expr e);                              /* of a NUM */
bool dd_num_rational(const dd_dag *dag, dd_expr e, int64_t *num, int64_t *den); /* false for an inexact NUM */
uint32_t dd_symbol_id(const dd_dag *dag, dd_expr e);                            /* of PARAM or VAR */
uint32_t dd_symbol_order(const dd_dag *dag, dd_expr e);                         /* of VAR */
bool dd_is_num(const dd_dag *dag, dd_expr e, double value);

typedef DD_VEC(dd_expr) dd_expr_vec;

/* Appends every distinct VAR node (and PARAM and TIME nodes when asked) that e depends on, in increasing index. Cost:
 * the size of e, not of the dag. */
void dd_symbols(dd_dag *dag, dd_expr e, bool with_params, dd_expr_vec *out, dd_pool *pool);
/* The same for all of n expressions together. */
void dd_symbols_of_all(dd_dag *dag, const dd_expr *e, uint32_t n, bool with_params, dd_expr_vec *out, dd_pool *pool);
bool dd_depends(dd_dag *dag, dd_expr e, dd_expr symbol);

/* ---- calculus ---- */

/* Partial derivatives with respect to every VAR (with_params: also PARAM, TIME) node that e contains, by reverse
 * accumulation: symbols[i] -> partials[i], increasing symbol index, zero partials left out. Cost: a small multiple of
 * the size of e. abs' = sign, min/max/if -> if, floor/ceil/sign -> 0, mod(a,b)' = a' - floor(a/b) b'. */
void dd_partials(dd_dag *dag, dd_expr e, bool with_params, dd_expr_vec *symbols, dd_expr_vec *partials, dd_pool *pool);
dd_expr dd_diff(dd_dag *dag, dd_expr e, dd_expr symbol);

/* out[i] = sum_k seeds[k] * d(exprs[i])/d(symbols[k]), in one forward pass over all n expressions; seeds are not
 * differentiated. DD_EXPR_NONE among exprs stays. */
void dd_directional(dd_dag *dag, const dd_expr *exprs, uint32_t n, const dd_expr *symbols, const dd_expr *seeds,
                    uint32_t n_symbols, dd_expr *out);

/* sum_i seeds[i] * d(exprs[i])/d(symbol) for the wanted symbols, in one reverse pass over all n expressions; outputs as
 * dd_partials. DD_EXPR_NONE among exprs is skipped; seeds are not differentiated. */
typedef struct dd_gradient_of {
    const dd_expr *exprs, *seeds; /* n each */
    uint32_t n;
    const dd_expr *wanted; /* n_wanted symbols */
    uint32_t n_wanted;
} dd_gradient_of;
void dd_gradient(dd_dag *dag, const dd_gradient_of *of, dd_expr_vec *symbols, dd_expr_vec *partials, dd_pool *pool);

/* Total time derivative: VAR(id,k) -> rule(user, id, k) when that is not DD_EXPR_NONE, else VAR(id,k+1); PARAM -> 0,
 * TIME -> 1. rule may be NULL. */
typedef dd_expr (*dd_rate_rule)(void *user, uint32_t id, uint32_t order);
dd_expr dd_total_derivative(dd_dag *dag, dd_expr e, dd_rate_rule rule, void *user);
void dd_total_derivatives(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_rate_rule rule, void *user, dd_expr *out);

/* Replaces symbols: every VAR/PARAM/TIME node s for which map(user, s) is not DD_EXPR_NONE, once (results are not
 * substituted again), and rebuilds canonically. */
typedef dd_expr (*dd_symbol_map)(void *user, dd_expr symbol);
dd_expr dd_substitute(dd_dag *dag, dd_expr e, dd_symbol_map map, void *user);
void dd_substitute_all(dd_dag *dag, const dd_expr *exprs, uint32_t n, dd_symbol_map map, void *user, dd_expr *out);

/* e = rest + sum coefficient[i]*symbols[i], with coefficients and rest free of all the symbols. False when e is not
 * linear in them (outputs untouched then). n symbols. */
bool dd_linear(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr *coefficients, dd_expr *rest);

/* The same in two steps, for callers that look at the coefficients before they want the rest, which is half the work. */
bool dd_linear_coefficients(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n, dd_expr *coefficients);
dd_expr dd_linear_rest(dd_dag *dag, dd_expr e, const dd_expr *symbols, uint32_t n);

/* Multiplies out products and small positive integer powers of sums (up to max_terms terms; e itself when that would
 * be exceeded). Used for deciding that a difference is zero. */
dd_expr dd_expand(dd_dag *dag, dd_expr e, uint32_t max_terms);

/* ---- printing, in the modelling language ---- */

/* How symbols are called. array/element may be NULL: no array notation. */
typedef struct dd_namer {
    void *user;
    /* adds the name of VAR (der applied by the printer: der(x), der(der(x))) or PARAM id to the text */
    void (*name)(void *user, bool is_param, uint32_t id, dd_text *out);
    /* says that symbol id is element `index` (from 0) of the one-dimensional array number `array` of `size` elements */
    bool (*element)(void *user, bool is_param, uint32_t id, uint32_t *array, uint32_t *index, uint32_t *size);
    /* adds the name of a whole array */
    void (*array_name)(void *user, bool is_param, uint32_t array, dd_text *out);
} dd_namer;

/* Prints with the fewest parentheses that read back as the same expression: a - b, a/b, -x, sqrt(x), x^2, 1/3, 0.5.
 * Sums over all elements of arrays are printed as products of arrays when namer->element is given:
 * p[1]*v[1] + p[2]*v[2] + p[3]*v[3] -> p*v, p[1]^2 + p[2]^2 -> p*p (also with a common factor, 2*m*(p*v)). */
void dd_print(dd_dag *dag, dd_expr e, const dd_namer *namer, dd_text *out);

/* Prints the equation e = 0 readably: "lhs = rhs" with negative terms moved to the right when everything is moved
 * easily (der(x) = ...): `solve_for` (may be DD_EXPR_NONE) is a symbol that appears linearly with coefficient 1 or -1
 * and is then alone on the left; otherwise "e = 0". */
void dd_print_equation(dd_dag *dag, dd_expr e, dd_expr solve_for, const dd_namer *namer, dd_text *out);

#endif
