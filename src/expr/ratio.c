/* ratio.c - rational arithmetic in 64 bits. Every operation is tried exactly with overflow checks; when a result does
 * not fit it is computed in double instead, and stays a double from then on (unless it happens to be a short decimal).
 * */
#include "expr/ratio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define EXACT_INTEGER 9007199254740992.0 /* 2^53: integers up to here are doubles */

static uint64_t magnitude(int64_t a)
{
    return a < 0 ? 0u - (uint64_t)a : (uint64_t)a;
}

uint64_t dd_gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static dd_ratio inexact(double value)
{
    return dd_ratio_from_double(value);
}

static double quotient(int64_t num, int64_t den)
{
    /* both are doubles: one rounding */
    if (magnitude(num) <= (uint64_t)EXACT_INTEGER && (uint64_t)den <= (uint64_t)EXACT_INTEGER) {
        return (double)num / (double)den;
    }
    return (double)((long double)num / (long double)den);
}

dd_ratio dd_ratio_of(int64_t num, int64_t den)
{
    uint64_t g = dd_gcd(magnitude(num), magnitude(den));
    uint64_t n = magnitude(num) / g, d = magnitude(den) / g;
    bool negative = (num < 0) != (den < 0) && num != 0;
    /* -2^63 has no positive counterpart */
    if (n > INT64_MAX || d > INT64_MAX) {
        return inexact((negative ? -1.0 : 1.0) * (double)n / (double)d);
    }
    dd_ratio r = {negative ? -(int64_t)n : (int64_t)n, (int64_t)d, 0};
    r.value = quotient(r.num, r.den);
    return r;
}

/* value = m/10^k with m below 10^15: the division of two exact doubles is correctly rounded, so this is the decimal
 * that was written. A decimal with few digits is one with more, zeros at its end, and the fraction is reduced: so the most
 * digits that fit decide. */
static bool short_decimal(double value, dd_ratio *out)
{
    const double most = 1e15 - 0.5, size = fabs(value); /* what is below it is rounded to 15 digits */
    double scale = 10;
    int64_t den = 10;
    /* 10^18 is the last power of ten in 64 bits */
    for (int k = 1; k < 18 && 10 * scale * size < most; k++) {
        scale *= 10;
        den *= 10;
    }
    /* m and 10^k are exact doubles up to 10^22, so the quotient is the decimal's double */
    const double m = rint(value * scale);
    if (fabs(m) > most || m == 0 || m / scale != value) {
        return false;
    }
    *out = dd_ratio_of((int64_t)m, den);
    return true;
}

/* Integers up to 2^53 are exact; larger doubles may be rounded, and are treated as exact only with few digits
 * (1e18). */
static bool is_exact_integer(double value)
{
    if (value != rint(value) || fabs(value) > 9e18) {
        return false;
    }
    /* 1e18 has one digit, 9007199254740993 has sixteen */
    int64_t m = (int64_t)value;
    while (m != 0 && m % 10 == 0) {
        m /= 10;
    }
    return fabs(value) <= EXACT_INTEGER || magnitude(m) < UINT64_C(1000000000000000);
}

dd_ratio dd_ratio_from_double(double value)
{
    dd_ratio r = {0, 0, value};
    if (!isfinite(value)) {
        return r;
    }
    /* integer, decimal of 15 digits, or dyadic with 31 bits behind the point */
    if (is_exact_integer(value)) {
        r = (dd_ratio){(int64_t)value, 1, (double)(int64_t)value};
    } else if (!short_decimal(value, &r)) {
        double scaled = ldexp(value, 31);
        if (scaled == rint(scaled) && fabs(scaled) <= EXACT_INTEGER && fabs(value) < 4294967296.0) {
            r = dd_ratio_of((int64_t)scaled, INT64_C(1) << 31);
        }
    }
    return r;
}

/* Reads digits into mantissa*10^exponent; false when the mantissa does not fit or the text is not a number. */
static bool read_decimal(const char *s, size_t n, int64_t *mantissa, int *exponent)
{
    int64_t m = 0;
    int e = 0;
    size_t i = 0;
    bool point = false;
    /* digits with at most one point */
    for (; i < n && ((s[i] >= '0' && s[i] <= '9') || (s[i] == '.' && !point)); i++) {
        if (s[i] == '.') {
            point = true;
            continue;
        }
        if (__builtin_mul_overflow(m, 10, &m) || __builtin_add_overflow(m, s[i] - '0', &m) || e < -1000) {
            return false;
        }
        e -= point;
    }
    /* the exponent, clipped: numbers beyond are refused or inexact anyway */
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        bool negative = ++i < n && s[i] == '-';
        i += i < n && (s[i] == '-' || s[i] == '+');
        int digits = 0;
        for (; i < n && s[i] >= '0' && s[i] <= '9'; i++) {
            digits = digits < 100000 ? 10 * digits + (s[i] - '0') : digits;
        }
        e += negative ? -digits : digits;
    }
    *mantissa = m;
    *exponent = e;
    return i == n;
}

/* A literal of any length in few characters: the first 40 significant digits, then one more that is 1 when something
 * but zeros was cut off (it decides the rounding), and the exponent that makes up for the cut. */
static double parse_long(const char *s, size_t n)
{
    char buffer[80];
    int kept = 0, e = 0;
    bool point = false, rest = false;
    size_t i = 0;
    /* leading zeros are skipped; digits behind the 40th only move the exponent */
    for (; i < n && s[i] != 'e' && s[i] != 'E'; i++) {
        if (s[i] == '.') {
            point = true;
        } else if (kept < 40) {
            e -= point;
            kept += kept > 0 || s[i] != '0';
            buffer[kept > 0 ? kept - 1 : 0] = s[i];
        } else {
            e += !point;
            rest = rest || s[i] != '0';
        }
    }
    /* the exponent as written */
    int64_t power = 0;
    bool negative = i + 1 < n && s[i + 1] == '-';
    for (i++; i < n; i++) {
        power = s[i] >= '0' && s[i] <= '9' && power < 100000000 ? 10 * power + (s[i] - '0') : power;
    }
    /* digits kept are digits before the decimal point of the new text */
    power = (negative ? -power : power) + e - (kept > 0);
    const char *end;
    snprintf(buffer + kept, sizeof buffer - (size_t)kept, "%de%lld", rest, (long long)power);
    return dd_number_parse(buffer, &end);
}

static double parse_double(const char *text, size_t length)
{
    char buffer[64];
    const char *end;
    if (length >= sizeof buffer) {
        return parse_long(text, length);
    }
    memcpy(buffer, text, length);
    buffer[length] = 0;
    return dd_number_parse(buffer, &end);
}

dd_ratio dd_ratio_from_decimal(const char *text, size_t length)
{
    int64_t m, scale = 1;
    int e;
    /* too many digits: the nearest double */
    if (!read_decimal(text, length, &m, &e)) {
        return dd_ratio_from_double(parse_double(text, length));
    }
    /* 0.50 is 5/10 */
    while (m != 0 && e < 0 && m % 10 == 0) {
        m /= 10;
        e++;
    }
    if (m == 0) {
        return dd_ratio_of(0, 1);
    }
    /* plain integers are exact as far as 64 bits go, decimals up to 15 digits, as doubles are */
    bool plain = memchr(text, '.', length) == NULL && e == 0;
    if (e > 18 || e < -18 || (!plain && m >= INT64_C(1000000000000000))) { /* as for doubles: at most 15 digits */
        return dd_ratio_from_double(parse_double(text, length));
    }
    /* 10^|e| */
    for (int k = 0; k < (e < 0 ? -e : e); k++) {
        scale *= 10;
    }
    if (e <= 0) {
        return dd_ratio_of(m, scale);
    }
    if (__builtin_mul_overflow(m, scale, &m) || m > (int64_t)EXACT_INTEGER) {
        return dd_ratio_from_double(parse_double(text, length));
    }
    return dd_ratio_of(m, 1);
}

dd_ratio dd_ratio_add(dd_ratio a, dd_ratio b)
{
    /* over the least common denominator; overflow falls back to doubles */
    if (a.den != 0 && b.den != 0) {
        int64_t g = (int64_t)dd_gcd((uint64_t)a.den, (uint64_t)b.den);
        int64_t x, y, sum, den;
        if (!__builtin_mul_overflow(a.num, b.den / g, &x) && !__builtin_mul_overflow(b.num, a.den / g, &y) &&
            !__builtin_add_overflow(x, y, &sum) && !__builtin_mul_overflow(a.den, b.den / g, &den)) {
            return dd_ratio_of(sum, den);
        }
    }
    return inexact(a.value + b.value);
}

dd_ratio dd_ratio_mul(dd_ratio a, dd_ratio b)
{
    /* most products of a dag have a factor 1 */
    if (dd_ratio_is(a, 1) || dd_ratio_is(b, 1)) {
        return dd_ratio_is(a, 1) ? b : a;
    }
    /* common factors first, so that the products stay small */
    if (a.den != 0 && b.den != 0) {
        int64_t g = (int64_t)dd_gcd(magnitude(a.num), (uint64_t)b.den),
                h = (int64_t)dd_gcd(magnitude(b.num), (uint64_t)a.den);
        int64_t num, den;
        if (!__builtin_mul_overflow(a.num / g, b.num / h, &num) &&
            !__builtin_mul_overflow(a.den / h, b.den / g, &den)) {
            return dd_ratio_of(num, den);
        }
    }
    return inexact(a.value * b.value);
}

dd_ratio dd_ratio_neg(dd_ratio a)
{
    return (dd_ratio){-a.num, a.den, a.num == 0 && a.den != 0 ? 0 : -a.value};
}

int dd_ratio_compare(dd_ratio a, dd_ratio b)
{
    int64_t x, y;
    /* cross products, if they fit */
    if (a.den != 0 && b.den != 0 && !__builtin_mul_overflow(a.num, b.den, &x) &&
        !__builtin_mul_overflow(b.num, a.den, &y)) {
        return (x > y) - (x < y);
    }
    return (a.value > b.value) - (a.value < b.value);
}

dd_ratio dd_ratio_floor(dd_ratio a)
{
    if (a.den == 0) {
        return inexact(floor(a.value));
    }
    /* C rounds towards zero */
    int64_t q = a.num / a.den;
    return dd_ratio_of(q - (a.num % a.den < 0), 1);
}

/* base^k by squaring; false on overflow. */
static bool integer_power(dd_ratio base, int64_t k, dd_ratio *out)
{
    /* 1/base, unless it is a division by zero */
    if (k < 0) {
        if (base.num == 0 || k < -4096) {
            return false;
        }
        base = dd_ratio_of(base.num < 0 ? -base.den : base.den, base.num < 0 ? -base.num : base.num);
        k = -k;
    }
    /* binary powers; the first inexact one ends the attempt */
    dd_ratio r = dd_ratio_of(1, 1);
    for (; k != 0; k >>= 1) {
        if (k & 1) {
            r = dd_ratio_mul(r, base);
        }
        if (k > 1) {
            base = dd_ratio_mul(base, base);
        }
        if (r.den == 0 || base.den == 0) {
            return false;
        }
    }
    *out = r;
    return true;
}

/* The q-th root of n when it is an integer. */
static bool integer_root(int64_t n, int64_t q, int64_t *root)
{
    /* a rounded root, checked by its power */
    int64_t r = (int64_t)llround(pow((double)n, 1.0 / (double)q));
    dd_ratio back;
    *root = r;
    return integer_power(dd_ratio_of(r, 1), q, &back) && dd_ratio_is(back, n);
}

static bool exact_power(dd_ratio base, dd_ratio exponent, dd_ratio *out)
{
    /* small exponents only: larger ones would not fit into 64 bits anyway */
    if (base.den == 0 || exponent.den == 0 || exponent.num > 4096 || exponent.num < -4096 || exponent.den > 64) {
        return false;
    }
    /* (p/q)^(a/b): both roots must be whole */
    if (exponent.den != 1) {
        int64_t p, q;
        if (base.num < 0 || !integer_root(base.num, exponent.den, &p) || !integer_root(base.den, exponent.den, &q)) {
            return false;
        }
        base = dd_ratio_of(p, q);
    }
    return integer_power(base, exponent.num, out);
}

bool dd_ratio_power(dd_ratio base, dd_ratio exponent, dd_ratio *out)
{
    if (exact_power(base, exponent, out)) {
        return true;
    }
    double value = pow(base.value, exponent.value);
    /* an underflow to zero is not an exact zero */
    if (!isfinite(value) || (value == 0 && base.value != 0)) {
        return false;
    }
    *out = inexact(value);
    return true;
}
