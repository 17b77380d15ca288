/* expression.h - numbers written as formulas: "1/6", "(3-sqrt(3))/6", "-2^3/7". */
#ifndef DD_METHODS_EXPRESSION_H
#define DD_METHODS_EXPRESSION_H

#include <stddef.h>

#include "methods/quad.h"

typedef struct dd_expression_error {
    size_t at;         /* byte where it stopped */
    char message[128]; /* for a person, one sentence without the place */
} dd_expression_error;

/* Evaluates numbers, + - * / ^ (whole exponents up to 1000), parentheses (up to 64 deep) and sqrt() in 113-bit
 * arithmetic. *accuracy is raised to 10^-d when a decimal number of d >= 12 digits is met, since that is a rounded one.
 * False with *error filled when the text is no such formula or its value is not finite. No memory, no recursion. */
bool dd_expression_evaluate(const char *text, size_t length, dd_quad *value, dd_quad *accuracy,
                            dd_expression_error *error);

#endif
