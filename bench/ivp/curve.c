/* curve.c - see curve.h. */
#include "curve.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void ivp_curve_add(ivp_curve *c, double digits, double ms)
{
    if (!isnan(digits) && c->count < IVP_CURVE_MAX) {
        c->points[c->count++] = (ivp_point){digits, ms};
    }
}

static int by_digits(const void *a, const void *b)
{
    const ivp_point *p = a, *q = b;
    return p->digits != q->digits ? (p->digits > q->digits) - (p->digits < q->digits)
                                  : (p->ms < q->ms) - (p->ms > q->ms);
}

/* The runs that are not beaten, by rising digits and so by rising time. */
static ivp_curve envelope(const ivp_curve *c)
{
    ivp_curve sorted = *c, front = {0};
    qsort(sorted.points, (size_t)sorted.count, sizeof sorted.points[0], by_digits);
    double best = INFINITY;
    for (int i = sorted.count - 1; i >= 0; i--) {
        if (sorted.points[i].ms < best) {
            best = sorted.points[i].ms;
            front.points[front.count++] = sorted.points[i];
        }
    }
    for (int i = 0; i < front.count / 2; i++) {
        const ivp_point swap = front.points[i];
        front.points[i] = front.points[front.count - 1 - i];
        front.points[front.count - 1 - i] = swap;
    }
    return front;
}

double ivp_curve_cost(const ivp_curve *c, double digits)
{
    const ivp_curve front = envelope(c);
    for (int i = 0; i < front.count; i++) {
        const ivp_point q = front.points[i];
        if (q.digits < digits) {
            continue;
        }
        if (i == 0 || q.digits == digits) {
            return q.ms;
        }
        const ivp_point p = front.points[i - 1];
        const double share = (digits - p.digits) / (q.digits - p.digits);
        return exp((1 - share) * log(p.ms) + share * log(q.ms));
    }
    return NAN;
}

double ivp_curve_least(const ivp_curve *c)
{
    const ivp_curve front = envelope(c);
    return front.count > 0 ? front.points[front.count - 1].ms : NAN;
}

double ivp_digits(const double *y, const double *reference, const unsigned char *counts, int n, double factor)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        if (!counts[i]) {
            continue;
        }
        const double error = fabs(y[i] - reference[i]) / (fabs(reference[i]) + factor);
        if (!isfinite(error)) {
            return NAN;
        }
        worst = fmax(worst, error);
    }
    return worst > 1e-17 ? -log10(worst) : 17;
}
