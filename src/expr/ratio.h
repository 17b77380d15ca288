/* ratio.h - the numbers of the dag: exact rationals that fall to double when 64 bits do not hold them. */
#ifndef DD_EXPR_RATIO_H
#define DD_EXPR_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* num/den in lowest terms with den > 0, or den == 0: only the double is known. value is always set. */
typedef struct dd_ratio {
    int64_t num, den;
    double value;
} dd_ratio;

/* A double that is a decimal of at most 15 digits, an integer that fits or a small dyadic becomes exact. */
dd_ratio dd_ratio_from_double(double value);
dd_ratio dd_ratio_of(int64_t num, int64_t den);                  /* den != 0 */
dd_ratio dd_ratio_from_decimal(const char *text, size_t length); /* digits[.digits][e[+-]digits] */
dd_ratio dd_ratio_add(dd_ratio a, dd_ratio b);
dd_ratio dd_ratio_mul(dd_ratio a, dd_ratio b);
int dd_ratio_compare(dd_ratio a, dd_ratio b);                         /* -1, 0, 1 */
bool dd_ratio_power(dd_ratio base, dd_ratio exponent, dd_ratio *out); /* false when not a finite number */
dd_ratio dd_ratio_floor(dd_ratio a);
dd_ratio dd_ratio_neg(dd_ratio a);
uint64_t dd_gcd(uint64_t a, uint64_t b); /* greatest common divisor; gcd(0, a) = a */

static inline bool dd_ratio_is(dd_ratio a, int64_t integer)
{
    return a.den == 1 && a.num == integer;
}
static inline bool dd_ratio_is_integer(dd_ratio a)
{
    return a.den == 1;
}

#endif
