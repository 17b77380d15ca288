/* form_decimal.h - exact decimal numbers: products of the literals of a text that can still be written as a
 * person would. value = digits * 10^exponent, |digits| < 10^15, no trailing zeros. */
#ifndef DD_EXPR_FORM_DECIMAL_H
#define DD_EXPR_FORM_DECIMAL_H

#include "expr/form.h"

typedef struct dd_decimal_number {
    int64_t digits;
    int32_t exponent;
} dd_decimal_number;

#define DD_DECIMAL_ONE ((dd_decimal_number){1, 0})

/* False when the result (or the literal) does not fit; *out is then untouched. */
bool dd_decimal_read(const char *text, dd_decimal_number *out);
bool dd_decimal_mul(dd_decimal_number a, dd_decimal_number b, dd_decimal_number *out);
bool dd_decimal_add(dd_decimal_number a, dd_decimal_number b, dd_decimal_number *out);
bool dd_decimal_div(dd_decimal_number a, dd_decimal_number b,
                    dd_decimal_number *out); /* false also when a is not a whole multiple of b */

bool dd_decimal_is(dd_decimal_number a, int64_t value);
bool dd_decimal_is_integer(dd_decimal_number a, int64_t *value); /* and below 10^15 */
dd_decimal_number dd_decimal_of(int64_t value);                  /* |value| < 10^15 */
double dd_decimal_value(dd_decimal_number a);

/* The largest decimal both are whole multiples of, for integers; for others the common value, or 1. Of the
 * magnitudes. */
dd_decimal_number dd_decimal_common(dd_decimal_number a, dd_decimal_number b);

#endif
