/* plot_axis.c - ticks at 1, 2 or 5 times a power of ten, and their labels. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot.h"

enum { MOST_DECIMALS = 12, LARGE_EXPONENT = 5, SMALL_EXPONENT = -4 };

static double nice_step(double span, uint32_t wanted)
{
    /* 1, 2, 5 or 10 times the power of ten below the raw step */
    const double raw = span / wanted, power = pow(10, floor(log10(raw)));
    const double part = raw / power * (1 - 1e-9); /* 0.01/5 is 2e-3 and a little */
    return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Something to show where there is no extent, or only one of rounding. */
static void widen(double *low, double *high)
{
    /* differences of two such numbers do not overflow */
    const double most = DBL_MAX / 8;
    *low = fmin(fmax(*low, -most), most);
    *high = fmin(fmax(*high, -most), most);
    const double size = fmax(fabs(*low), fabs(*high)), span = *high - *low;
    /* nothing but zeros, or no extent: 10 % to each side */
    if (size < DBL_MIN * 1e10) {
        *low = -1;
        *high = 1;
    } else if (span <= 1e-9 * size) {
        *low -= 0.1 * size;
        *high += 0.1 * size;
    }
}

dd_axis dd_axis_new(double low, double high, uint32_t wanted, bool whole)
{
    widen(&low, &high);
    dd_axis a = {.low = low, .high = high, .step = nice_step(high - low, wanted)};
    /* first and last tick inside; or outside, where the axis shall begin and end with one */
    const double slack = 1e-9; /* a tick that misses the end by rounding is one */
    double first = ceil(low / a.step - slack), last = floor(high / a.step + slack);
    if (whole) {
        first = floor(low / a.step + slack);
        last = ceil(high / a.step - slack);
        a.low = first * a.step;
        a.high = last * a.step;
    }
    a.first = first * a.step;
    a.ticks = (uint32_t)(last - first + 1);
    /* large and small numbers share a power of ten */
    const double size = fmax(fabs(a.low), fabs(a.high));
    const int magnitude = (int)floor(log10(size));
    a.exponent = magnitude >= LARGE_EXPONENT || magnitude <= SMALL_EXPONENT ? magnitude : 0;
    /* as many decimals as the step has */
    const double decimals = a.exponent - floor(log10(a.step) + slack);
    a.decimals = decimals < 0 ? 0 : decimals > MOST_DECIMALS ? MOST_DECIMALS : (uint32_t)decimals;
    return a;
}

dd_axis dd_axis_new_log(double low, double high, uint32_t wanted)
{
    /* whole powers of ten, several per step when there are many */
    const double step = fmax(ceil((high - low) / wanted), 1), first = floor(low / step);
    const double last = fmax(ceil(high / step), first + 1);
    return (dd_axis){.low = first * step,
                     .high = last * step,
                     .step = step,
                     .first = first * step,
                     .ticks = (uint32_t)(last - first + 1)};
}

double dd_axis_tick(const dd_axis *a, uint32_t i)
{
    const double number = round(a->first / a->step) + i; /* whole multiples: 0 is 0 */
    return number * a->step;
}

void dd_axis_label(const dd_axis *a, uint32_t i, char out[40])
{
    /* digits are cut from a text that does not depend on the locale */
    const double value = dd_axis_tick(a, i) / pow(10, a->exponent), scale = pow(10, a->decimals);
    /* a fixed number of decimals, rounded as an integer */
    const double whole = round(fabs(value) * scale);
    if (whole > 9e17) {
        char text[32];
        snprintf(out, 40, "%s", dd_number_text(value, text));
        return;
    }
    /* digits before and behind the point */
    char digits[32];
    const int n = snprintf(digits, sizeof digits, "%0*lld", (int)a->decimals + 1, (long long)whole);
    snprintf(out, 40, "%s%.*s%s%s", value < 0 && whole > 0 ? "\xE2\x88\x92" : "", n - (int)a->decimals, digits,
             a->decimals > 0 ? "." : "", digits + (n - (int)a->decimals));
}
