/* expr.h - building scalar expressions by calls.
 *
 * Expressions belong to a model and are plain numbers (dd_expr), equal when the expressions are equal after exact simplification. Calls never fail loudly: a wrong
 * argument or a lack of memory gives DD_EXPR_NONE, every operation on DD_EXPR_NONE gives DD_EXPR_NONE, and
 * dd_model_add_equation or dd_model_analyse then reports the first cause.
 */
#ifndef DAEDAL_EXPR_H
#define DAEDAL_EXPR_H

#include <stdint.h>

#include "daedal/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t dd_expr;
#define DD_EXPR_NONE 0u

typedef struct dd_model dd_model;

dd_expr dd_expr_number(dd_model *model, double value);
dd_expr dd_expr_time(dd_model *model);
dd_expr dd_expr_add(dd_model *model, dd_expr a, dd_expr b);
dd_expr dd_expr_sub(dd_model *model, dd_expr a, dd_expr b);
dd_expr dd_expr_mul(dd_model *model, dd_expr a, dd_expr b);
dd_expr dd_expr_div(dd_model *model, dd_expr a, dd_expr b);
dd_expr dd_expr_neg(dd_model *model, dd_expr a);
dd_expr dd_expr_pow(dd_model *model, dd_expr a, dd_expr b);

/* A function by its name in the language: "sin", "sqrt", "atan2", "max", ...; n arguments. */
dd_expr dd_expr_call(dd_model *model, const char *function, const dd_expr *args, uint32_t n);

/* a[0]*b[0] + ... + a[n-1]*b[n-1], and a[0] + ... + a[n-1]. */
dd_expr dd_expr_dot(dd_model *model, const dd_expr *a, const dd_expr *b, uint32_t n);
dd_expr dd_expr_sum(dd_model *model, const dd_expr *a, uint32_t n);

/* Time derivative: a variable gives der(variable), an expression its total derivative. */
dd_expr dd_expr_der(dd_model *model, dd_expr a);

/* Partial derivative with respect to a variable, a derivative der(x) or a parameter. */
dd_expr dd_expr_diff(dd_model *model, dd_expr a, dd_expr with_respect_to);

/* Writes the expression in the modelling language into buffer (always terminated when size > 0); returns the length of
 * the full text, as snprintf does; 0 on failure. */
size_t dd_expr_print(dd_model *model, dd_expr a, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
