/* fit.c - the order of convergence from errors: e = C h^p is a line of slope p in log-log coordinates.
 *
 * The line holds in a range only. Coarse steps have not reached it, errors near rounding have left it. The range taken
 * is the finest run of neighbours whose slopes agree; in it the slope is that of least squares. Finer points
 * outside of it must be explained by rounding, else the errors are still on their way to the line. */
#include <math.h>

#include "study/study_impl.h"

enum { LEAST_POINTS = 3 };             /* two points have a slope, but nothing to compare it with */
static const double AGREE = 0.25;      /* slopes of neighbours in an asymptotic range differ by less, */
static const double AGREE_PART = 0.05; /* or by this part of themselves */
static const double AS_THEORY = 0.2;   /* a measured order differs from the true one by less beyond its own doubt, */
static const double AS_THEORY_PART = 0.06; /* or by this part of it */
static const double ROUNDED = 1e-6; /* of the size: rounding of a reference is below it, also of a sensitive one */

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
static uint32_t sort_out(const double *error, uint32_t n, const double *floor, dd_point_use *use)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++) {
        use[i] = !isfinite(error[i]) ? DD_POINT_FAILED : error[i] <= floor[i] ? DD_POINT_ROUNDING : DD_POINT_USED;
        left += use[i] == DD_POINT_USED;
    }
    return left;
}

/* From `last` to coarser steps as long as the slopes agree: the first point. */
static uint32_t range_begin(const double *h, const double *error, uint32_t last, const dd_point_use *use)
{
    uint32_t first = last;
    double spread;
    while (first > 0 && use[first - 1] == DD_POINT_USED &&
           (first == last || agrees(h, error, first - 1, last, &spread))) {
        first--;
    }
    return first;
}

/* Point i is finer than a range of this order. Is it outside because of rounding: does an error of the size of the floor
 * explain its slope, or has it nearly stopped to fall? */
static bool is_rounding(const double *h, const double *error, uint32_t i, double order, const double *floor)
{
    const double slope = dd_fit_slope(h, error, i), slower = fmax(0.75, 0.45 * fabs(order));
    if (!(error[i] > floor[i]) || slope < order - slower) {
        return true;
    }
    const double doubt = 2 * log1p(floor[i] / error[i]) / log(h[i - 1] / h[i]);
    return fabs(slope - order) <= AGREE + doubt && doubt > 0.5 * AGREE;
}

/* The finest range of enough usable points that agree; false without, or when finer points contradict it. */
static bool find_range(const double *h, const double *error, uint32_t n, const double *floor, const dd_point_use *use,
                       uint32_t *first, uint32_t *last)
{
    for (*last = n; (*last)-- > 0;) {
        if (use[*last] != DD_POINT_USED) {
            continue;
        }
        *first = range_begin(h, error, *last, use);
        if (*last - *first + 1 < LEAST_POINTS) {
            continue;
        }
        /* finer points that rounding does not explain: this is no range yet */
        const double order = least_squares(h, error, *first, *last);
        const uint32_t next = *last + 1; /* where the error changes its sign it is small by accident: one more */
        return next >= n || is_rounding(h, error, next, order, floor) ||
               (next + 1 < n && is_rounding(h, error, next + 1, order, floor) && error[next + 1] > error[next]);
    }
    return false;
}

dd_fit dd_fit_order(const double *h, const double *error, uint32_t n, const double *floor, dd_point_use *use)
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
    fit.steady = find_range(h, error, n, floor, use, &first, &last);
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

bool dd_fit_is_hidden(double floor, double size)
{
    return floor > ROUNDED * size;
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
        return fit->order > AS_THEORY ? "measured" : "no convergence"; /* an order of 0, within what is told apart */
    }
    const double off = fit->order - theory, allowed = fmax(AS_THEORY, AS_THEORY_PART * theory) + 0.5 * fit->spread;
    return fabs(off) <= allowed ? "as the theory" : off > 0 ? "above the theory" : "below the theory";
}
