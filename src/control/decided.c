/* decided.c - inputs that are decided and act later: the queue between a controller with a delay and its plant.
 *
 * A sample at t decides the inputs from t + delay on, until those of the next sample. Over [t, t + delay) act those of the
 * samples before, in their order. Pieces are smooth functions of time: a constant, or a part of a plan by its values at
 * Chebyshev's points, which are inside the piece, where a plan has one value; their polynomial is the plan's.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/controller.h"

#define ROUNDING 1e-9 /* of a sample period: a change this near has happened */

static const double pi = 3.14159265358979323846;

static double point_at(const dd_decided *d, uint32_t j)
{
    return 0.5 - 0.5 * cos((2 * (double)j + 1) * pi / (2 * (double)d->points));
}

/* The last piece, with room for its values; pieces that were dropped lend theirs. */
static dd_decided_piece *push(dd_control *c, double begin, double end)
{
    dd_decided *d = &c->decided;
    if (d->count == d->pieces.len) {
        const size_t numbers = (size_t)d->points * c->problem->u.len;
        dd_vec_push(c->pool, &d->pieces,
                    (dd_decided_piece){.value = dd_pool_alloc_array(c->pool, numbers + 1, sizeof(double))});
    }
    dd_decided_piece *p = &d->pieces.data[d->count++];
    p->begin = begin;
    p->end = end;
    return p;
}

static void push_held(dd_control *c, double begin)
{
    const uint32_t nu = c->problem->u.len;
    const dd_decided_piece *p = push(c, begin, INFINITY);
    for (uint32_t j = 0; j < c->decided.points; j++) {
        memcpy(p->value + (size_t)j * nu, c->u, nu * sizeof *c->u);
    }
}

void dd_decided_reset(dd_control *c)
{
    if (c->options.delay > 0) {
        c->decided.count = 0;
        c->decided.points = dd_control_follows(c) ? c->options.degree + 1 : 1;
        push_held(c, -INFINITY);
    }
}

/* Drops pieces that have passed at t. */
static void forget(dd_control *c, double t)
{
    dd_decided *d = &c->decided;
    const uint32_t passed = dd_decided_find(c, t);
    for (uint32_t i = passed; i < d->count && passed > 0; i++) {
        const dd_decided_piece old = d->pieces.data[i - passed];
        d->pieces.data[i - passed] = d->pieces.data[i];
        d->pieces.data[i] = old;
    }
    d->count -= passed;
}

/* The plan from begin to end, interval by interval. */
static void push_plan(dd_control *c, double begin, double end)
{
    const dd_decided *d = &c->decided;
    for (double t = begin; t < end;) {
        const double to = fmin(dd_control_next_change(c, t), end);
        const dd_decided_piece *p = push(c, t, to);
        for (uint32_t j = 0; j < d->points; j++) {
            double *value = p->value + (size_t)j * c->problem->u.len;
            if (dd_ocp_controls(c->ocp, t + point_at(d, j) * (to - t), value) != DD_OK) {
                memcpy(value, c->u, c->problem->u.len * sizeof *value);
            }
        }
        t = to;
    }
}

static void add_body(void *user)
{
    dd_control *c = user;
    const double begin = c->t + c->options.delay;
    forget(c, c->t);
    /* what the plan before said of later times is void */
    const uint32_t last = dd_decided_find(c, begin - 2 * ROUNDING * c->options.sample_period);
    c->decided.count = last + 1;
    /* a horizon that shrinks is applied by time to its end; other plans until those of the next sample, at least */
    if (c->free_end) {
        push_plan(c, begin, dd_control_plan_end(c));
    } else if (dd_control_follows(c)) {
        push_plan(c, begin, begin + c->options.sample_period);
    } else {
        push_held(c, begin);
    }
}

dd_status dd_decided_add(dd_control *c)
{
    return c->options.delay > 0 ? dd_protect(c->ctx, add_body, c) : DD_OK;
}

uint32_t dd_decided_find(const dd_control *c, double t)
{
    const dd_decided *d = &c->decided;
    uint32_t i = 0;
    while (i + 1 < d->count && d->pieces.data[i + 1].begin <= t + ROUNDING * c->options.sample_period) {
        i++;
    }
    return i;
}

double dd_decided_change(const dd_control *c, double t)
{
    const uint32_t next = dd_decided_find(c, t) + 1;
    return next < c->decided.count ? c->decided.pieces.data[next].begin : INFINITY;
}

void dd_decided_value(const dd_control *c, uint32_t piece, double t, double *u)
{
    const dd_decided *d = &c->decided;
    const dd_decided_piece *p = &d->pieces.data[piece];
    const uint32_t nu = c->problem->u.len;
    if (d->points == 1 || !isfinite(p->begin) || !isfinite(p->end)) {
        memcpy(u, p->value, nu * sizeof *u);
        return;
    }
    /* Lagrange's polynomial; between its points it may leave the bounds */
    const double s = fmin(fmax((t - p->begin) / (p->end - p->begin), 0), 1);
    memset(u, 0, nu * sizeof *u);
    for (uint32_t j = 0; j < d->points; j++) {
        double basis = 1;
        for (uint32_t k = 0; k < d->points; k++) {
            basis *= k != j ? (s - point_at(d, k)) / (point_at(d, j) - point_at(d, k)) : 1;
        }
        for (uint32_t i = 0; i < nu; i++) {
            u[i] += basis * p->value[(size_t)j * nu + i];
        }
    }
    const dd_decision *bound = dd_ocp_problem_of(c->ocp)->u.data;
    for (uint32_t i = 0; i < nu; i++) {
        u[i] = fmin(fmax(u[i], bound[i].lower), bound[i].upper);
    }
}

void dd_decided_now(const dd_control *c, double t, double *u)
{
    if (c->options.delay > 0) {
        dd_decided_value(c, dd_decided_find(c, t - 2 * ROUNDING * c->options.sample_period), t, u);
    } else {
        memcpy(u, c->u, c->problem->u.len * sizeof *u);
    }
}

void dd_decided_mean(const dd_control *c, double from, double to, double *u)
{
    const dd_decided *d = &c->decided;
    const uint32_t nu = c->problem->u.len;
    memset(u, 0, nu * sizeof *u);
    for (uint32_t k = 0; k < d->count; k++) {
        const dd_decided_piece *p = &d->pieces.data[k];
        const double next = k + 1 < d->count ? d->pieces.data[k + 1].begin : INFINITY;
        const double share = fmax(fmin(next, to) - fmax(p->begin, from), 0) / (to - from);
        for (uint32_t i = 0; i < nu && share > 0; i++) {
            u[i] += share * p->value[i];
        }
    }
}
