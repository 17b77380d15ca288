/* tape.h - expressions to numbers: a straight-line program for a set of expressions.
 *
 *   inputs: symbols (VAR, PARAM, TIME nodes)  ->  slots 0 .. n_in-1
 *   instructions in topological order          ->  one slot each
 *   outputs: a slot per expression
 *
 * One tape serves three arithmetics: plain doubles; doubles with a magnitude (the value |v| each result would have if
 * no cancellation had happened, for judging zeros); truncated Taylor series in time.
 */
#ifndef DD_EVAL_TAPE_H
#define DD_EVAL_TAPE_H

#include "expr/dag.h"

typedef struct dd_tape dd_tape;

/* Compiles outputs[0..m-1] as functions of inputs[0..n-1]: symbols, or other nodes whose values are then given and not
 * computed. Every symbol that the outputs need must be among the inputs. Raises. Lives in the pool. */
dd_tape *dd_tape_new(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n, const dd_expr *outputs, uint32_t m);
uint32_t dd_tape_length(const dd_tape *tape);

/* The same functions with work memory of its own: the two may be evaluated independently. Shares the instructions, so the
 * other must outlive it. Raises. */
dd_tape *dd_tape_twin(dd_pool *pool, const dd_tape *of);

/* out[m] = outputs at in[n]. Never raises or allocates after the first call. Non-finite results are simply returned.
 * `if` evaluates only the branch taken (instructions of the other branch are skipped), so no 0/0 arises there. */
void dd_tape_eval(dd_tape *tape, const double *in, double *out);

/* Also magnitude[m] >= |out|: sums add magnitudes, products multiply them, functions f(a) get max(|f(a)|, |f'(a)|
 * mag(a)) . in_mag may be NULL: |in|. A derived value with |out| <= tol*magnitude is zero up to rounding. */
void dd_tape_eval_magnitude(dd_tape *tape, const double *in, const double *in_mag, double *out, double *magnitude);

/* Truncated Taylor series: each input has `order + 1` coefficients in[i*(order+1) + k] of tau^k (divided by k!),
 * likewise each output. Exact recurrences for every operation; at a kink (abs, min, max, if) the branch at tau = 0
 * applies. Work memory is kept in the tape's pool and grows with the order. Raises only DD_OUT_OF_MEMORY. */
void dd_tape_eval_taylor(dd_tape *tape, uint32_t order, const double *in, double *out);

#endif
