/* doubt.c - is the Jacobian regular at a solution, or does it only look so because the solution was computed?
 *
 * At a fold a solution is known to the square root of the rounding error only (z^3 - 3*z = -2 at z = 1), and a pivot
 * that vanishes there is 1e-8 at the computed point: small, but not zero. So where something is that small, the
 * solution is computed twice more, from disturbed points on both sides. A regular solution is found again to rounding.
 * Where the two differ so much that a small entry, or the smallest singular value, changes by a fifth of itself between
 * them, the point cannot distinguish it from zero, and it is treated as zero.
 */
#include <math.h>
#include <string.h>

#include "structure/point.h"

static const double disturbance = 1e-6; /* of the size of each value that is not fixed */
static const double small_entry = 1e-5; /* of the magnitude an entry is computed from: may come from a zero nearby */
static const double zero_entry = 1e-13; /* the same: zero already (certificate.c) */
static const double small_value = 1e-6; /* a scaled singular value */
static const double far_change = 0.2;   /* of itself */
enum { SAMPLES = 5 };

typedef struct doubt {
    dd_system *s;
    dd_numeric *nm;
    const dd_offsets *off;
    const dd_blocks *blocks;
    const dd_taylor_point *point;
    dd_pool *scratch;
    double *low, *high,
        *most; /* per entry: smallest and largest value between the two solutions, largest |value| / magnitude */
    double least, greatest; /* of the smallest singular values there */
} doubt;

/* Something is small, but not as small as rounding. */
static bool suspicious(const doubt *d, const dd_regularity *at)
{
    const dd_incidence *inc = d->nm->inc;
    bool found = at->least <= small_value;
    for (uint32_t i = 0; i < inc->n && !found; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1] && !found; e++) {
            if (dd_is_tight(inc, d->off, i, e)) {
                double magnitude, value = fabs(dd_numeric_tight(d->nm, e, &magnitude));
                found = value > zero_entry * magnitude && value <= small_entry * magnitude;
            }
        }
    }
    return found;
}

static dd_taylor_point solve_beside(doubt *d, double sign)
{
    const dd_system *s = d->s;
    uint32_t stride = d->point->order + 1;
    double *x = dd_pool_alloc_array(d->scratch, (size_t)s->ncols * stride + 1, sizeof *x);
    memcpy(x, d->point->x, (size_t)s->ncols * stride * sizeof *x);
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        /* every variable by at least half the disturbance */
        double noise = dd_noise(j, 0, 31), part = noise + copysign(0.5, noise);
        x[(size_t)j * stride] += v->fixed ? 0.0 : sign * disturbance * s->size[j] * part;
    }
    return dd_point_solve(d->s, d->nm, d->off, d->blocks, x, d->point->order, d->scratch);
}

/* Entries and the smallest singular value from one solution over the point to the other; false when not finite. */
static bool sample(doubt *d, const dd_taylor_point *a, const dd_taylor_point *b)
{
    const dd_incidence *inc = d->nm->inc;
    size_t size = (size_t)d->s->ncols * (d->point->order + 1);
    double *x = dd_pool_alloc_array(d->scratch, size + 1, sizeof *x);
    d->least = 1.0;
    d->greatest = 0.0;
    enum { HALF = SAMPLES / 2 };
    for (uint32_t q = 0; q < SAMPLES; q++) {
        const double *from = q < HALF ? a->x : d->point->x, *to = q < HALF ? d->point->x : b->x;
        double part = (double)(q % HALF) / HALF; /* a, half way, the point, half way, b */
        for (size_t k = 0; k < size; k++) {
            x[k] = q + 1 == SAMPLES ? b->x[k] : (1 - part) * from[k] + part * to[k];
        }
        dd_regularity at =
            dd_system_regularity(d->s, d->nm, d->off, d->blocks, x, d->point->order + 1, false, d->scratch);
        if (!at.finite) {
            return false;
        }
        at.least = at.singular ? 0.0 : at.least;
        d->least = fmin(d->least, at.least);
        d->greatest = fmax(d->greatest, at.least);
        /* what each entry ranges over between the two solutions */
        for (uint32_t e = 0; e < inc->ptr[inc->n]; e++) {
            double magnitude, value = dd_numeric_tight(d->nm, e, &magnitude);
            d->low[e] = q == 0 ? value : fmin(d->low[e], value);
            d->high[e] = q == 0 ? value : fmax(d->high[e], value);
            d->most[e] = fmax(d->most[e], fabs(value) / fmax(magnitude, 1e-300));
        }
    }
    return true;
}

/* Entries that cannot be distinguished from zero; false without any. */
static bool mark_vanishing(const doubt *d, bool *vanishing)
{
    const dd_incidence *inc = d->nm->inc;
    bool any = false;
    for (uint32_t e = 0; e < inc->ptr[inc->n]; e++) {
        double size = fmax(fabs(d->low[e]), fabs(d->high[e]));
        vanishing[e] = d->most[e] > 0 && d->most[e] <= small_entry && d->high[e] - d->low[e] >= far_change * size;
        any = any || vanishing[e];
    }
    return any;
}

static dd_regularity judge_between(doubt *d, const dd_regularity *before, dd_pool *pool)
{
    dd_taylor_point a = solve_beside(d, 1.0), b = solve_beside(d, -1.0);
    uint32_t entries = d->nm->inc->ptr[d->nm->inc->n], stride = d->point->order + 1;
    d->low = dd_pool_alloc_array(d->scratch, entries + 1, sizeof *d->low);
    d->high = dd_pool_alloc_array(d->scratch, entries + 1, sizeof *d->high);
    d->most = dd_pool_alloc_array(d->scratch, entries + 1, sizeof *d->most);
    bool *vanishing = dd_pool_alloc_array(d->scratch, entries + 1, sizeof *vanishing);
    /* no second opinion: the first holds */
    if (!a.consistent || !b.consistent || !sample(d, &a, &b)) {
        return *before;
    }
    /* entries that change by a fifth of themselves are treated as zero */
    dd_regularity at = *before;
    if (mark_vanishing(d, vanishing)) {
        d->nm->vanishing = vanishing;
        at = dd_system_regularity(d->s, d->nm, d->off, d->blocks, d->point->x, stride, false, pool);
        d->nm->vanishing = NULL;
    }
    /* the same for the smallest singular value, with a tolerance above it so that its rows and columns are named */
    if (!at.singular && d->greatest <= small_value && d->least <= (1 - far_change) * d->greatest) {
        dd_system tolerant = *d->s;
        tolerant.options.rank_tolerance = 2 * small_value;
        at = dd_system_regularity(&tolerant, d->nm, d->off, d->blocks, d->point->x, stride, false, pool);
    }
    return at;
}

dd_regularity dd_point_regularity(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                  const dd_taylor_point *point, dd_pool *pool)
{
    dd_regularity at = dd_system_regularity(s, nm, off, blocks, point->x, point->order + 1, false, pool);
    doubt d = {.s = s, .nm = nm, .off = off, .blocks = blocks, .point = point};
    if (!point->consistent || !at.finite || at.singular || !suspicious(&d, &at)) {
        return at;
    }
    d.scratch = dd_pool_child(pool);
    at = judge_between(&d, &at, pool);
    dd_pool_free(d.scratch);
    return at;
}
