/* perturbed.c - guesses beside the guess: cosine waves on states and controls, other parameters and times. */
#include "ocp/perturbed.h"

#include <math.h>

#include "base/random.h"

enum { WAVES = 4 };
#define TOO_WIDE 1e6 /* expected sizes: bounds so far apart are no range to choose from */
#define NEAR 0.4     /* amplitude of every other guess, in ranges or sizes */

static bool bounded(const dd_decision *d)
{
    return isfinite(d->lower) && isfinite(d->upper) && d->upper - d->lower < TOO_WIDE * d->scale;
}

/* A value moved by s in [-1, 1] or a little more. Small amplitudes stay near the guess; with amplitude 1 what has
 * bounds goes anywhere between them. */
static double displaced(const dd_decision *d, double value, double amplitude, double s)
{
    /* half of the range where there are bounds, else the size of the value */
    double room = bounded(d) ? 0.5 * (d->upper - d->lower) : fmax(d->scale, fabs(value));
    double centre = bounded(d) && amplitude >= 1 ? 0.5 * (d->lower + d->upper) : value;
    return fmin(fmax(centre + amplitude * room * s, d->lower), d->upper);
}

/* sum_m c_m cos(m pi theta) */
static double moved(const dd_perturbed *q, const dd_decision *d, const double *wave, double theta, double value)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    /* low frequencies dominate: 1, 1/2, 1/3, 1/4 */
    for (int m = 0; m < WAVES; m++) {
        sum += wave[m] * cos(m * pi * theta) / (1 + m);
    }
    return displaced(d, value, q->amplitude, sum);
}

static void perturbed_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    const dd_perturbed *q = user;
    const dd_ocp_problem *o = q->p->problem;
    const double *wave = q->wave;
    /* states of a simulation are left alone: they fit together */
    q->raw.at(q->raw.user, theta, left, x, z, u);
    for (uint32_t i = 0; i < o->x.len; i++, wave += WAVES) {
        x[i] = q->simulated ? x[i] : moved(q, &o->x.data[i], wave, theta, x[i]);
    }
    for (uint32_t i = 0; i < o->u.len; i++, wave += WAVES) {
        u[i] = moved(q, &o->u.data[i], wave, theta, u[i]);
    }
}

static void perturb_decided(dd_perturbed *q, uint64_t *state)
{
    dd_ocp_problem *o = q->p->problem;
    double amplitude = q->amplitude;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_decision *d = &o->p.data[i];
        d->start_value = displaced(d, q->first_p[i], amplitude, dd_random(state));
    }
    o->t0_value = q->first_t0;
    /* horizons are multiplied: between 1/e and e times */
    double factor = exp(amplitude * dd_random(state));
    o->tf_value = q->first_tf;
    if (o->free_tf) {
        o->tf_value = fmin(fmax(q->first_t0 + (q->first_tf - q->first_t0) * factor, o->tf_lower), o->tf_upper);
    }
}

void dd_perturbed_restore(const dd_perturbed *q)
{
    dd_guess_source_as(q->p->guess); /* the wrapper ends here */
    dd_guess_source_use_table(q->p->guess, q->table);
    dd_ocp_problem *o = q->p->problem;
    for (uint32_t i = 0; i < o->p.len; i++) {
        o->p.data[i].start_value = q->first_p[i];
    }
    o->t0_value = q->first_t0;
    o->tf_value = q->first_tf;
}

dd_perturbed dd_perturbed_new(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_perturbed q = {.p = p, .raw = dd_guess_source_raw(p->guess), .first_t0 = o->t0_value, .first_tf = o->tf_value};
    q.wave = dd_pool_alloc_array(p->pool, (size_t)(o->x.len + o->u.len) * WAVES + 1, sizeof *q.wave);
    q.table = dd_guess_source_table(p->guess);
    q.first_p = dd_pool_alloc_array(p->pool, o->p.len + 1, sizeof *q.first_p);
    for (uint32_t i = 0; i < o->p.len; i++) {
        q.first_p[i] = o->p.data[i].start_value;
    }
    return q;
}

/* Large waves of the controls swing the model into motions that no wave of the states would guess. */
static bool is_motion(uint32_t number)
{
    return number % 4 == 2 || number % 4 == 3;
}

dd_guess dd_perturbed_guess(dd_perturbed *q, uint32_t number)
{
    const dd_ocp_problem *o = q->p->problem;
    uint64_t state = number;
    /* odd numbers stay near, even ones go anywhere */
    q->amplitude = number % 2 == 1 ? NEAR : 1;
    /* the same number is the same guess in every run */
    for (uint32_t i = 0; i < (o->x.len + o->u.len) * WAVES; i++) {
        q->wave[i] = dd_random(&state);
    }
    perturb_decided(q, &state);
    dd_guess inner = {.user = q, .at = perturbed_at};
    /* a simulation begins from the table that was given */
    dd_guess_source_use_table(q->p->guess, q->table);
    q->simulated = is_motion(number) && o->u.len > 0; /* only controls are moved while it runs, and after it */
    if (q->simulated) {
        const dd_spent begin = dd_ocp_now();
        q->simulated = dd_guess_source_simulate(q->p->guess, &inner);
        dd_ocp_add_spent(&q->p->setup, begin);
    }
    return dd_guess_source_around(q->p->guess, &inner);
}
