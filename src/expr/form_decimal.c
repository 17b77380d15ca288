/* form_decimal.c - arithmetic on the literals of forms without rounding. */
#include "expr/form_decimal.h"

#include <stdio.h>

#include "expr/ratio.h"

#define LIMIT INT64_C(1000000000000000) /* 10^15: doubles distinguish all decimals below */
#define MAX_EXPONENT 300

static bool normal(int64_t digits, int64_t exponent, dd_decimal_number *out)
{
    if (digits == 0) {
        *out = (dd_decimal_number){0, 0};
        return true;
    }
    /* the shortest digits: 120e3 is 12e4 */
    while (digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    /* a double distinguishes decimals of up to 15 digits */
    if (digits <= -LIMIT || digits >= LIMIT || exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT) {
        return false;
    }
    *out = (dd_decimal_number){digits, (int32_t)exponent};
    return true;
}

bool dd_decimal_read(const char *text, dd_decimal_number *out)
{
    int64_t digits = 0, exponent = 0, written = 0;
    bool point = false, minus = false;
    /* digits without the point, which only moves the exponent */
    for (; (*text >= '0' && *text <= '9') || *text == '.'; text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        if (digits >= LIMIT) {
            return false;
        }
        digits = 10 * digits + (*text - '0');
        exponent -= point;
    }
    /* an exponent beyond all doubles is cut off and refused below */
    if (*text == 'e' || *text == 'E') {
        text++;
        minus = *text == '-';
        text += *text == '-' || *text == '+';
        for (; *text >= '0' && *text <= '9' && written <= MAX_EXPONENT; text++) {
            written = 10 * written + (*text - '0');
        }
    }
    return *text == 0 && normal(digits, exponent + (minus ? -written : written), out);
}

static int64_t magnitude(int64_t v)
{
    return v < 0 ? -v : v;
}

bool dd_decimal_mul(dd_decimal_number a, dd_decimal_number b, dd_decimal_number *out)
{
    /* |digits| of a product may have trailing zeros to lose, but 64 bits must hold it */
    if (b.digits != 0 && magnitude(a.digits) > INT64_MAX / magnitude(b.digits)) {
        return false;
    }
    return normal(a.digits * b.digits, (int64_t)a.exponent + b.exponent, out);
}

/* digits of a, written with the smaller exponent */
static bool aligned(dd_decimal_number a, int32_t exponent, int64_t *digits)
{
    *digits = a.digits;
    for (int32_t e = a.exponent; e > exponent && *digits != 0; e--) {
        if (magnitude(*digits) >= LIMIT) {
            return false;
        }
        *digits *= 10;
    }
    return true;
}

bool dd_decimal_add(dd_decimal_number a, dd_decimal_number b, dd_decimal_number *out)
{
    /* to a common exponent, then integers */
    int32_t exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
    int64_t x, y;
    return aligned(a, exponent, &x) && aligned(b, exponent, &y) && normal(x + y, exponent, out);
}

bool dd_decimal_div(dd_decimal_number a, dd_decimal_number b, dd_decimal_number *out)
{
    int32_t exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
    int64_t x, y;
    /* only whole multiples: 1/3 has no decimal */
    if (b.digits == 0 || !aligned(a, exponent, &x) || !aligned(b, exponent, &y) || x % y != 0) {
        return false;
    }
    return normal(x / y, 0, out);
}

dd_decimal_number dd_decimal_of(int64_t value)
{
    dd_decimal_number result = {0, 0};
    normal(value, 0, &result);
    return result;
}

bool dd_decimal_is(dd_decimal_number a, int64_t value)
{
    dd_decimal_number b = dd_decimal_of(value);
    return a.digits == b.digits && a.exponent == b.exponent;
}

bool dd_decimal_is_integer(dd_decimal_number a, int64_t *value)
{
    return a.exponent >= 0 && aligned(a, 0, value) && magnitude(*value) < LIMIT;
}

double dd_decimal_value(dd_decimal_number a)
{
    char text[48];
    const char *end;
    /* by text: parsing rounds correctly, a product of powers of ten would not */
    snprintf(text, sizeof text, "%llde%d", (long long)magnitude(a.digits), (int)a.exponent);
    double value = dd_number_parse(text, &end);
    return a.digits < 0 ? -value : value;
}

dd_decimal_number dd_decimal_common(dd_decimal_number a, dd_decimal_number b)
{
    int64_t x, y;
    a.digits = magnitude(a.digits);
    b.digits = magnitude(b.digits);
    /* equal numbers divide each other whatever their exponents */
    if (a.digits == b.digits && a.exponent == b.exponent) {
        return a;
    }
    if (!dd_decimal_is_integer(a, &x) || !dd_decimal_is_integer(b, &y)) {
        return DD_DECIMAL_ONE;
    }
    return dd_decimal_of((int64_t)dd_gcd((uint64_t)x, (uint64_t)y));
}
