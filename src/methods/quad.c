/* quad.c - functions of 113-bit numbers: roots by Newton's method from a double, 1 - cosine by its series, decimals by
 * exact integers and powers of ten (10^48 is the largest one that is exact). */
#include "methods/quad.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- functions ---- */

dd_quad dd_quad_sqrt(dd_quad a)
{
    if (!(a > 0) || !dd_quad_is_finite(a)) {
        return a >= 0 ? a : (dd_quad)NAN;
    }
    /* bring a into the range of double by powers of 4, which is exact */
    dd_quad scale = 1;
    while (a > (dd_quad)0x1p512) {
        a *= (dd_quad)0x1p-512;
        scale *= (dd_quad)0x1p256;
    }
    while (a < (dd_quad)0x1p-512) {
        a *= (dd_quad)0x1p512;
        scale *= (dd_quad)0x1p-256;
    }
    dd_quad x = (dd_quad)sqrt((double)a);
    for (int k = 0; k < 2; k++) { /* 53 -> 106 -> 113 bits */
        x = (x + a / x) / 2;
    }
    return x * scale;
}

dd_quad dd_quad_pi(void)
{
    return dd_quad_parse("3.141592653589793238462643383279502", NULL, NULL) +
           dd_quad_parse("0.000000000000000000000000000000000884197169399375105820974944592", NULL, NULL);
}

/* by its series at a/8, where nothing cancels, and doubling: with h = 1 - cos x,  1 - cos 2x = 2 h (2 - h) */
dd_quad dd_quad_versine(dd_quad a)
{
    const dd_quad x = a / 8, square = x * x;
    dd_quad term = square / 2, h = 0;
    for (int k = 3; k < 60 && dd_quad_abs(term) > DD_QUAD_EPSILON * h; k += 2) {
        h += term;
        term *= -square / (k * (k + 1));
    }
    for (int k = 0; k < 3; k++) {
        h = 2 * h * (2 - h);
    }
    return h;
}

/* ---- decimals ---- */

enum { EXACT_POWER = 48 };

static dd_quad power_of_ten(uint32_t n)
{
    dd_quad p = 1;
    for (uint32_t k = 0; k < n; k++) {
        p *= 10;
    }
    return p;
}

/* a * 10^exponent with as few roundings as can be */
static dd_quad scale_by_ten(dd_quad a, int32_t exponent)
{
    /* powers up to 10^EXACT_POWER are exact, so each pass rounds once */
    while (exponent > 0 && dd_quad_is_finite(a)) {
        const int32_t k = exponent < EXACT_POWER ? exponent : EXACT_POWER;
        a *= power_of_ten((uint32_t)k);
        exponent -= k;
    }
    while (exponent < 0 && a != 0) {
        const int32_t k = -exponent < EXACT_POWER ? -exponent : EXACT_POWER;
        a /= power_of_ten((uint32_t)k);
        exponent += k;
    }
    return a;
}

typedef struct {
    dd_quad mantissa;
    int32_t exponent;
    uint32_t kept, digits; /* digits in the mantissa; significant digits as written */
    bool any;
} decimal;

static const char *read_digits(const char *s, decimal *d, bool fraction)
{
    for (; *s >= '0' && *s <= '9'; s++) {
        d->any = true;
        /* leading zeros are not significant */
        d->digits += d->digits > 0 || *s != '0';
        /* digits beyond the precision only move the decimal point */
        if (d->digits > 0 && d->kept < DD_QUAD_DIGITS) {
            d->mantissa = d->mantissa * 10 + (*s - '0');
            d->kept++;
            d->exponent -= fraction;
        } else if (d->digits == 0) {
            d->exponent -= fraction;
        } else {
            d->exponent += !fraction;
        }
        if (d->exponent > 20000 || d->exponent < -20000) {
            d->exponent = d->exponent > 0 ? 20000 : -20000; /* beyond the range of any binary128 number */
        }
    }
    return s;
}

static const char *read_exponent(const char *s, decimal *d)
{
    const char *p = s + 1;
    const bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    /* "2e" without digits ends before the e */
    if (*p < '0' || *p > '9') {
        return s;
    }
    int32_t e = 0;
    /* larger exponents overflow or underflow in any case; keeping e small avoids an integer overflow */
    for (; *p >= '0' && *p <= '9'; p++) {
        e = e < 10000 ? e * 10 + (*p - '0') : e;
    }
    d->exponent += negative ? -e : e;
    return p;
}

dd_quad dd_quad_parse(const char *s, const char **end, uint32_t *digits)
{
    decimal d = {0};
    const char *p = read_digits(s, &d, false);
    if (*p == '.') {
        const char *after = read_digits(p + 1, &d, true);
        p = d.any ? after : p;
    }
    if (d.any && (*p == 'e' || *p == 'E')) {
        p = read_exponent(p, &d);
    }
    if (end) {
        *end = d.any ? p : s;
    }
    if (digits) {
        *digits = d.digits;
    }
    return scale_by_ten(d.mantissa, d.exponent);
}

/* the largest e with 10^e <= a */
static int32_t decimal_exponent(dd_quad a)
{
    int32_t e = 0;
    /* steps of EXACT_POWER far away, of one near the answer */
    while (scale_by_ten(a, -e) >= 10) {
        e += scale_by_ten(a, -e) >= power_of_ten(EXACT_POWER) ? EXACT_POWER : 1;
    }
    while (scale_by_ten(a, -e) < 1) {
        e -= scale_by_ten(a, -e) * power_of_ten(EXACT_POWER) < 1 ? EXACT_POWER : 1;
    }
    return e;
}

/* digits of a / 10^e rounded; returns the exponent, which a carry may have raised */
static int32_t write_digits(dd_quad a, int32_t e, uint32_t digits, char *out)
{
    dd_quad x = scale_by_ten(a, (int32_t)digits - 1 - e); /* now an integer of that many digits, and a fraction */
    /* peel off digits from the left; the last one is rounded by adding a half */
    for (uint32_t k = 0; k < digits; k++) {
        const dd_quad unit = power_of_ten(digits - 1 - k);
        const dd_quad shifted = k + 1 == digits ? x + (dd_quad)0.5 : x;
        int digit = (int)(shifted / unit);
        digit = digit > 10 ? 10 : digit; /* 10 in the last place: a carry */
        out[k] = (char)digit;
        x -= digit * unit;
        if (x < 0 && k + 1 < digits) { /* the quotient was rounded up */
            out[k]--;
            x += unit;
        }
    }
    /* carries of the rounding move to the left */
    for (uint32_t k = digits; k-- > 1;) {
        if (out[k] >= 10) {
            out[k] = (char)(out[k] - 10);
            out[k - 1]++;
        }
    }
    /* 99..9 became 100..0: one digit more, written with a higher exponent */
    const bool carry = out[0] >= 10;
    if (carry) {
        memset(out, 0, digits);
        out[0] = 1;
    }
    for (uint32_t k = 0; k < digits; k++) {
        out[k] = (char)(out[k] + '0');
    }
    return carry ? e + 1 : e;
}

const char *dd_quad_text(dd_quad a, uint32_t digits, char buffer[DD_QUAD_TEXT])
{
    assert(digits >= 1 && digits <= DD_QUAD_DIGITS);
    if (!dd_quad_is_finite(a) || a == 0) {
        strcpy(buffer, a == 0 ? "0" : a != a ? "nan" : a > 0 ? "inf" : "-inf");
        return buffer;
    }
    char figures[DD_QUAD_DIGITS];
    const dd_quad size = dd_quad_abs(a);
    const int32_t e = write_digits(size, decimal_exponent(size), digits, figures);
    int n = (int)digits;
    /* trailing zeros say nothing */
    while (n > 1 && figures[n - 1] == '0') {
        n--;
    }
    const char *sign = a < 0 ? "-" : "";
    /* scientific notation where plain notation would need many zeros */
    if (e < -4 || e >= (int32_t)digits) {
        snprintf(buffer, DD_QUAD_TEXT, "%s%c%s%.*se%d", sign, figures[0], n > 1 ? "." : "", n - 1, figures + 1, (int)e);
    } else if (e < 0) {
        snprintf(buffer, DD_QUAD_TEXT, "%s0.%.*s%.*s", sign, (int)(-e - 1), "000", n, figures);
    } else if (n <= e + 1) {
        snprintf(buffer, DD_QUAD_TEXT, "%s%.*s", sign, (int)(e + 1), figures);
    } else {
        snprintf(buffer, DD_QUAD_TEXT, "%s%.*s.%.*s", sign, (int)(e + 1), figures, (int)(n - e - 1), figures + e + 1);
    }
    return buffer;
}
