/* expr.h - building scalar expressions by calls.
 *
 *     dd_expr energy = dd_expr_mul(m, dd_expr_number(m, 0.5), dd_expr_dot(m, v, v, 3));
 *
 * An expression is a number that belongs to one model; two expressions that are equal after exact simplification are
 * the same number. The calls never fail loudly: after a wrong argument or a lack of memory they return DD_EXPR_NONE,
 * and so does every later call on the same model. The next call that returns a status (dd_model_add_equation,
 * dd_model_analyse, ...) returns the first cause, and dd_context_message names the call, the argument and the mistake.
 */
#ifndef DAEDAL_EXPR_H
#define DAEDAL_EXPR_H

#include <stdint.h>

#include "daedal/context.h"
#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t dd_expr;
#define DD_EXPR_NONE 0u

typedef struct dd_model dd_model;

DD_API dd_expr dd_expr_number(dd_model *model, double value); /* finite; 0.1 is taken as exactly 1/10 */
DD_API dd_expr dd_expr_time(dd_model *model);
DD_API dd_expr dd_expr_add(dd_model *model, dd_expr a, dd_expr b);
DD_API dd_expr dd_expr_sub(dd_model *model, dd_expr a, dd_expr b);
DD_API dd_expr dd_expr_mul(dd_model *model, dd_expr a, dd_expr b);
DD_API dd_expr dd_expr_div(dd_model *model, dd_expr a, dd_expr b); /* b must not be the number 0 */
DD_API dd_expr dd_expr_neg(dd_model *model, dd_expr a);
DD_API dd_expr dd_expr_pow(dd_model *model, dd_expr a, dd_expr b);

/* A function of n arguments by its name in the language: sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh
 * atanh exp expm1 log log1p log10 sqrt abs sign floor ceil mod min max sum product noEvent smooth homotopy semiLinear.
 * Relations and conditions are called in the same way: "<" "<=" ">" ">=" "==" "<>" of two numbers, "and" "or" "not"
 * of conditions, "if" of a condition and two numbers. */
DD_API dd_expr dd_expr_call(dd_model *model, const char *function, const dd_expr *args, uint32_t n);

/* a[0]*b[0] + ... + a[n-1]*b[n-1], and a[0] + ... + a[n-1]; 0 for n = 0. */
DD_API dd_expr dd_expr_dot(dd_model *model, const dd_expr *a, const dd_expr *b, uint32_t n);
DD_API dd_expr dd_expr_sum(dd_model *model, const dd_expr *a, uint32_t n);

/* Time derivative: der(x) of a variable x, the next derivative of a derivative (up to order 1000), the total derivative
 * of an expression. */
DD_API dd_expr dd_expr_der(dd_model *model, dd_expr a);

/* Partial derivative with respect to a variable, a derivative der(x), a parameter or time. */
DD_API dd_expr dd_expr_diff(dd_model *model, dd_expr a, dd_expr with_respect_to);

/* Writes the expression in the modelling language into buffer (always terminated when size > 0); returns the length of
 * the full text, as snprintf does; 0 on failure, which does not fail the model. */
DD_API size_t dd_expr_print(dd_model *model, dd_expr a, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
