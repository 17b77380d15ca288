/* format.c - printf, number printing and number reading that do not depend on the process's locale. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/state.h"
#include "base/text.h"

/* The "C" locale. C libraries hand out a constant object for it, so this neither allocates nor costs. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static void end_locale(locale_t locale)
{
    if (locale != (locale_t)0) {
        freelocale(locale);
    }
}

int dd_format(char *buffer, size_t size, const char *format, va_list args)
{
    const locale_t plain = c_locale();
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    const int n = vsnprintf(buffer, size, format, args);
    if (plain != (locale_t)0) {
        uselocale(before);
    }
    end_locale(plain);
    return n;
}

int dd_snprintf(char *buffer, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = dd_format(buffer, size, format, args);
    va_end(args);
    return n;
}

/* "1e-07" -> "1e-7", "1e+20" -> "1e20" */
static void shorten_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (!e) {
        return;
    }
    /* the sign stays when it is a minus; leading zeros go */
    char *to = e + 1;
    const char *from = to;
    if (*from == '+') {
        from++;
    } else if (*from == '-') {
        to++;
        from++;
    }
    while (*from == '0' && from[1] != '\0') {
        from++;
    }
    memmove(to, from, strlen(from) + 1);
}

/* Every decimal of up to 15 digits survives conversion to a normal double and back, so 15 digits yield the shortest
 * text whenever 15 suffice, and 17 always suffice. Subnormal numbers carry fewer digits: they are tried from one on. */
const char *dd_number_text(double value, char buffer[32])
{
    enum { SIZE = 32 };
    if (isnan(value)) {
        return strcpy(buffer, "nan");
    }
    if (isinf(value)) {
        return strcpy(buffer, value > 0 ? "inf" : "-inf");
    }
    /* integers as they are: 15 digits are exact */
    if (fabs(value) < 1e15 && value == trunc(value) && !(value == 0 && signbit(value))) {
        snprintf(buffer, SIZE, "%lld", (long long)value);
        return buffer;
    }
    const int fewest = isnormal(value) ? 15 : 1;
    /* the first number of digits that reads back exactly */
    for (int digits = fewest; digits <= 17; digits++) {
        dd_snprintf(buffer, SIZE, "%.*g", digits, value);
        const char *end;
        if (digits == 17 || dd_number_parse(buffer, &end) == value) {
            break;
        }
    }
    shorten_exponent(buffer);
    return buffer;
}

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9') {
        s++;
    }
    return s;
}

/* One past the number at s ([+-] digits [. digits] [e [+-] digits], at least one digit before e); s when none. */
static const char *scan_number(const char *s)
{
    /* sign, digits, fraction, exponent; the exponent only with digits behind it */
    const char *p = *s == '+' || *s == '-' ? s + 1 : s;
    const char *digits = p;
    p = skip_digits(p);
    ptrdiff_t count = p - digits;
    if (*p == '.') {
        const char *fraction = p + 1;
        p = skip_digits(fraction);
        count += p - fraction;
    }
    if (count == 0) {
        return s;
    }
    if (*p == 'e' || *p == 'E') {
        const char *exponent = p[1] == '+' || p[1] == '-' ? p + 2 : p + 1;
        const char *after = skip_digits(exponent);
        if (after > exponent) {
            p = after;
        }
    }
    return p;
}

double dd_number_parse(const char *s, const char **end)
{
    *end = scan_number(s);
    if (*end == s) {
        return 0;
    }
    /* strtod would read 0x1p3 */
    if (**end == 'x' || **end == 'X') {
        return *s == '-' ? -0.0 : 0.0; /* only "0" can precede x here where strtod would read on in hexadecimal */
    }
    const locale_t plain = c_locale();
    const double value = plain != (locale_t)0 ? strtod_l(s, NULL, plain) : strtod(s, NULL);
    end_locale(plain);
    return value;
}
