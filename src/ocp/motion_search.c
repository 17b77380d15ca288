/* motion_search.c - starts near and far, by the misfit of their motions.
 *
 * Where nothing but the start decides (a closed orbit of given period, the cycle that a model settles on), the rows are
 * functions of the start, and a solver that begins in the wrong valley of their violation stays there. A simulation is
 * cheap beside a solve: many starts are simulated, then some more around the best one, and solves begin from the few
 * that fit best.
 */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ocp/motion_impl.h"

enum {
    FAR_STARTS = 48,  /* anywhere, */
    NEAR_STARTS = 14, /* then around each of the best of them */
    MOST_STATES = 12, /* more have too many directions for a search by chance */
    SIZES = 6         /* of the distance from the guess */
};
#define SMALLEST_SIZE 0.125 /* of the values of the guess; each size is twice the one before */
#define LEAST_EXTENT 1e-3   /* sizes of the states: what moves by less rests */
#define APART 0.25          /* of its size, in a state: other starts are another chance, */
#define NEAR 0.2            /* and in this distance one is improved */
#define FARTHER 1.5         /* after a step that helped; */
#define CLOSER 0.7          /* after one that did not */

typedef struct candidate {
    double *x;
    double misfit;
} candidate;

typedef struct dd_motion_found {
    candidate best[DD_MOTIONS_FOUND]; /* best first */
    uint32_t n;
    double *room; /* what a state may change by: its size, or its value at the guess where that is larger */
} dd_motion_found;

/* ---- starts ---- */

/* Into the bounds by reflection, so that half of the starts are not on a bound. */
static double inside(double x, double lower, double upper)
{
    x = x < lower ? 2 * lower - x : x > upper ? 2 * upper - x : x;
    return fmin(fmax(x, lower), upper);
}

static void displace(const dd_motion *m, const double *from, double times, uint64_t *state, double *x)
{
    const dd_ocp_problem *o = m->p->problem;
    for (uint32_t i = 0; i < o->x.len; i++) {
        /* within the bounds of the state and what rows ask for at the start */
        double lower, upper;
        dd_ocp_rows_on_state(o, 0, i, &lower, &upper);
        lower = fmax(lower, o->x.data[i].lower);
        upper = fmin(upper, o->x.data[i].upper);
        const double moved = from[i] + times * m->found->room[i] * dd_random(state);
        x[i] = lower <= upper ? inside(moved, lower, upper) : moved;
    }
}

/* ---- the best of them ---- */

static void sort_in(dd_motion_found *f, uint32_t at)
{
    for (; at > 0 && at < DD_MOTIONS_FOUND && f->best[at].misfit < f->best[at - 1].misfit; at--) {
        candidate swap = f->best[at];
        f->best[at] = f->best[at - 1];
        f->best[at - 1] = swap;
    }
}

/* Among those that are kept, or in the place of one that is nearly the same. */
static void keep(dd_motion_found *f, const double *x, double misfit, uint32_t states)
{
    uint32_t at = f->n < DD_MOTIONS_FOUND ? f->n : f->n - 1;
    bool like_one = false;
    for (uint32_t k = 0; k < f->n && !like_one; k++) {
        like_one = true;
        for (uint32_t i = 0; i < states && like_one; i++) {
            like_one = fabs(x[i] - f->best[k].x[i]) <= APART * f->room[i];
        }
        at = like_one ? k : at;
    }
    if (at < f->n && !(misfit < f->best[at].misfit)) {
        return;
    }
    f->n = at == f->n ? f->n + 1 : f->n;
    memcpy(f->best[at].x, x, states * sizeof *x);
    f->best[at].misfit = misfit;
    sort_in(f, at);
}

/* The misfit of the motion from x, beside what it moves by: a motion that rests closes without being a cycle. Infinite
 * where there is none. */
static double try_start(dd_motion *m, const double *x)
{
    m->start = x;
    const double horizon = dd_motion_simulate(m);
    double misfit = INFINITY;
    if (horizon > 0) {
        dd_motion_best_part(m, horizon, true);
        const double extent = dd_motion_extent(m);
        misfit = extent > LEAST_EXTENT ? m->misfit / (extent * extent) : INFINITY;
    }
    m->start = NULL;
    return misfit;
}

/* Steps by chance that are taken where they help, longer after each that does and shorter after others. */
static void improve(dd_motion *m, candidate *c, double *x, uint64_t *state)
{
    const uint32_t n = m->p->problem->x.len;
    double by = NEAR;
    for (uint32_t k = 0; k < NEAR_STARTS && c->misfit > 0; k++) {
        displace(m, c->x, by, state, x);
        const double misfit = try_start(m, x);
        const bool better = misfit < c->misfit;
        if (better) {
            memcpy(c->x, x, n * sizeof *x);
            c->misfit = misfit;
        }
        by *= better ? FARTHER : CLOSER;
    }
}

static void search(dd_motion *m)
{
    dd_ocp *p = m->p;
    const dd_ocp_problem *o = p->problem;
    const uint32_t n = o->x.len;
    double *guess = dd_pool_alloc_array(p->pool, 3 * (size_t)n + o->z.len + o->u.len + 1, sizeof *guess);
    double *x = guess + n, *z = x + n;
    uint64_t state = 1; /* the same starts in every run */
    m->found = dd_pool_alloc(p->pool, sizeof *m->found);
    m->found->room = dd_pool_alloc_array(p->pool, n + 1, sizeof *m->found->room);
    for (uint32_t k = 0; k < DD_MOTIONS_FOUND; k++) {
        m->found->best[k] = (candidate){dd_pool_alloc_array(p->pool, n + 1, sizeof *x), INFINITY};
    }
    /* far: by the sizes of the states at the guess, so that small and large cycles are among them */
    m->raw.at(m->raw.user, 0, false, guess, z, z + o->z.len);
    for (uint32_t i = 0; i < n; i++) {
        m->found->room[i] = fmax(o->x.data[i].scale, fabs(guess[i]));
    }
    for (uint32_t k = 0; k < FAR_STARTS; k++) {
        displace(m, guess, ldexp(SMALLEST_SIZE, (int)(k % SIZES)), &state, x);
        const double misfit = try_start(m, x);
        if (isfinite(misfit)) {
            keep(m->found, x, misfit, n);
        }
    }
    for (uint32_t k = 0; k < m->found->n; k++) {
        improve(m, &m->found->best[k], x, &state);
    }
    for (uint32_t k = 1; k < m->found->n; k++) {
        sort_in(m->found, k);
    }
}

bool dd_motion_search(dd_motion *m, uint32_t number, dd_guess *out)
{
    const dd_ocp_problem *o = m->p->problem;
    if (o->start_known || o->x_start != NULL || o->u.len > 0 || o->points.len == 0 || o->x.len > MOST_STATES) {
        return false;
    }
    m->share = -1;
    m->away = 0;
    if (number == 0) {
        const dd_spent begin = dd_ocp_now();
        search(m);
        dd_ocp_add_spent(&m->p->setup, begin);
    }
    if (number >= m->found->n) {
        return false;
    }
    m->words = dd_pool_printf(o->pool, "a simulation from the best of %d starts", FAR_STARTS);
    if (number > 0) {
        m->words = dd_pool_printf(o->pool, "a simulation from number %u of %d starts", number + 1, FAR_STARTS);
    }
    m->start = m->found->best[number].x;
    return dd_motion_by_simulation(m, true, out);
}
