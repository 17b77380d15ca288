/* fit.c - the order of convergence from errors: e = C h^p is a line of slope p in log-log coordinates.
 *
 * The line holds in a range only. Coarse steps have not reached it, errors near rounding have left it. The range taken
 * is the longest run of neighbours whose slopes agree; in it the slope is that of least squares. */
#include <math.h>

#include "study/study_impl.h"

enum { LEAST_POINTS = 3 };             /* two points have a slope, but nothing to compare it with */
static const double AGREE = 0.25;      /* slopes of neighbours in an asymptotic range differ by less, */
static const double AGREE_PART = 0.05; /* or by this part of themselves */
static const double AS_THEORY = 0.2;   /* a measured order differs from the true one by less, beyond its own doubt */

const char *dd_point_use_name(dd_point_use use)
{
    static const char *const names[] = {"", "coarse", "rounding", "failed"};
    return names[use];
}

double dd_fit_slope(const double *h, const double *error, uint32_t i)
{
    if (i == 0 || !(error[i] > 0) || !(error[i - 1] > 0) || !isfinite(error[i]) || !isfinite(error[i - 1])) {
        return NAN;
    }
    return log(error[i] / error[i - 1]) / log(h[i] / h[i - 1]);
}

/* Points first .. last: do their slopes agree? */
static bool agrees(const double *h, const double *error, uint32_t first, uint32_t last, double *spread)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = first + 1; i <= last; i++) {
        const double slope = dd_fit_slope(h, error, i);
        low = fmin(low, slope);
        high = fmax(high, slope);
    }
    *spread = high - low;
    return *spread <= fmax(AGREE, AGREE_PART * fabs(high));
}

static double least_squares(const double *h, const double *error, uint32_t first, uint32_t last)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const double n = last - first + 1;
    for (uint32_t i = first; i <= last; i++) {
        x += log(h[i]) / n;
        y += log(error[i]) / n;
    }
    for (uint32_t i = first; i <= last; i++) {
        xx += (log(h[i]) - x) * (log(h[i]) - x);
        xy += (log(h[i]) - x) * (log(error[i]) - y);
    }
    return xy / xx;
}

/* Failed points and those at the floor; returns how many are left. */
static uint32_t sort_out(const double *error, uint32_t n, double floor, dd_point_use *use)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        use[i] = !isfinite(error[i]) ? DD_POINT_FAILED : error[i] <= floor ? DD_POINT_ROUNDING : DD_POINT_USED;
        left += use[i] == DD_POINT_USED;
    }
    return left;
}

/* The longest range of usable neighbours that agree, the finer one of two; false without. */
static bool find_range(const double *h, const double *error, uint32_t n, const dd_point_use *use, uint32_t *first,
                       uint32_t *last)
{
    uint32_t longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        double spread;
        /* as far as it goes from here */
        for (uint32_t k = i; k < n && use[k] == DD_POINT_USED; k++) {
            if (k > i && !agrees(h, error, i, k, &spread)) {
                break;
            }
            if (k - i + 1 >= LEAST_POINTS && k - i + 1 >= longest) {
                longest = k - i + 1;
                *first = i;
                *last = k;
            }
        }
    }
    return longest > 0;
}

dd_fit dd_fit_order(const double *h, const double *error, uint32_t n, double floor, dd_point_use *use)
{
    dd_fit fit = {.order = NAN, .spread = NAN};
    uint32_t first = 0, last = 0, known = 0;
    const uint32_t left = sort_out(error, n, floor, use);
    for (uint32_t i = 0; i < n; i++) {
        known += use[i] != DD_POINT_FAILED;
    }
    /* nothing but rounding: the method is exact here */
    if (left == 0) {
        fit.exact = known > 0;
        return fit;
    }
    fit.steady = find_range(h, error, n, use, &first, &last);
    /* without a range the two finest points that are left say what there is to say */
    if (!fit.steady) {
        for (last = n - 1; last > 0 && !(use[last] == DD_POINT_USED && use[last - 1] == DD_POINT_USED); last--) {
        }
        first = last > 0 ? last - 1 : 0;
    }
    if (last > first) {
        agrees(h, error, first, last, &fit.spread);
        fit.order = least_squares(h, error, first, last);
        fit.used = last - first + 1;
    }
    /* what lies outside: coarser steps have not arrived, finer ones have left */
    for (uint32_t i = 0; i < n; i++) {
        if (use[i] == DD_POINT_USED && (fit.used == 0 || i < first)) {
            use[i] = DD_POINT_COARSE;
        } else if (use[i] == DD_POINT_USED && i > last) {
            use[i] = DD_POINT_ROUNDING;
        }
    }
    return fit;
}

const char *dd_fit_verdict(const dd_fit *fit, double theory)
{
    if (fit->exact) {
        return "rounding level";
    }
    if (!fit->steady) {
        return "undecided";
    }
    if (isnan(theory)) {
        return "measured";
    }
    const double off = fit->order - theory, allowed = AS_THEORY + 0.5 * fit->spread;
    return fabs(off) <= allowed ? "as the theory" : off > 0 ? "above the theory" : "below the theory";
}
