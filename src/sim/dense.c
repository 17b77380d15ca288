/* dense.c - the solution between the ends of a step, as accurate as at the ends.
 *
 * The polynomials of collocation methods with s stages have order s, the ends of their steps up to 2s. So where it
 * matters rows do not come from the polynomial of the step: from the point where the step began another integrator,
 * the inner one, goes to the row. For the adaptive Radau method that is Radau with 7 stages and steps that are short
 * enough for its own polynomials; for methods with given steps, and explicit ones with a poor continuous extension,
 * one step of the same method that ends at the row. x' and z then follow from x by the equations: between the ends
 * of a step z may be anything, its own polynomial says little. The steps themselves are not disturbed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/explicit.h"
#include "integ/irk.h"
#include "integ/radau.h"
#include "sim/sim_impl.h"

/* Polynomials that are off by more than this, relative to the unknowns, may even have wrong signs. */
static const double ROUGH = 1e-3;

/* ---- creation ---- */

/* Order of the error that the method's own dense output has in one step, with the step size as variable. */
static uint32_t dense_order(const dd_tableau *tab)
{
    if (tab->collocation) {
        return tab->stages + 1;
    }
    if (tab->structure != DD_TABLEAU_EXPLICIT) {
        return 4; /* Hermite's cubic */
    }
    return 1 + (tab->dense.stages > 0 ? tab->dense.order : tab->order <= 3 ? 3 : 5);
}

bool dd_sim_inner_wanted(const dd_sim *sim)
{
    const dd_numbers *q = sim->numbers;
    return (!sim->sens || sim->options.step > 0) &&
           (dd_sim_row_spacing(sim) > 0 || sim->options.keep_curves || q->changing > 0 || q->kinks.len > 0);
}

/* Is M not known beforehand, so that Newton's method at a stage can fail? */
static bool rates_are_guessed(const dd_problem *p)
{
    bool all = p->m_constant;
    for (uint32_t j = 0; j < p->n && !all; j++) {
        if (p->differential[j] && !(p->rate_row && p->rate_row[j] != DD_NO_INDEX)) {
            return true;
        }
    }
    return false;
}

dd_status dd_sim_make_inner(dd_sim *sim, const dd_problem *p, const dd_integ_options *options, bool radau)
{
    dd_integ_options o = *options;
    dd_integ_free(sim->inner);
    sim->inner = NULL;
    sim->inner_from = NAN;
    sim->one_step = !radau;
    sim->z_plain = 0;
    sim->z_trusted = 0;
    sim->spare = false;
    /* sensitivities of free steps differentiate the polynomial itself; above index 1 x alone is no start */
    if (!dd_sim_inner_wanted(sim) || o.higher_index) {
        return DD_OK;
    }
    /* seven stages: polynomials of order 8, so that a few short steps are as accurate as the long one */
    if (radau) {
        o.least_stages = o.most_stages = 7;
        o.dense = DD_DENSE_KEPT;
        return dd_radau_new(&sim->inner, sim->ctx, p, &o);
    }
    /* with given steps: only where the method's own polynomial is worse than its steps */
    const dd_tableau *tab = sim->tableau;
    const bool is_explicit = tab->structure == DD_TABLEAU_EXPLICIT;
    const bool guesses = is_explicit && sim->numbers->equations->z.len > 0; /* extra stages look for z from afar */
    const uint32_t enough = dense_order(tab) + (is_explicit ? 1 : 0);       /* of a high order one less is little */
    sim->spare = tab->order + 1 <= enough && !guesses;
    if (sim->spare && !(is_explicit && rates_are_guessed(p))) {
        return DD_OK;
    }
    o.fixed_step = DBL_MAX; /* up to the row, however far */
    return is_explicit ? dd_explicit_new(&sim->inner, sim->ctx, p, tab, &o)
                       : dd_irk_new(&sim->inner, sim->ctx, p, tab, &o);
}

/* ---- use ---- */

void dd_sim_dense_before(dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    const size_t bytes = sim->numbers->n * sizeof *it->w;
    memcpy(sim->w_before, it->w, bytes);
    memcpy(sim->wdot_before, it->wdot, bytes);
    sim->inner_from = sim->solved_at = sim->state_at = NAN;
    sim->z_steep = false;
    sim->z_trusted -= sim->z_trusted > 0;
}

void dd_sim_start_inner(dd_sim *sim)
{
    const dd_integrator *it = sim->integrator;
    dd_integrator *inner = sim->inner;
    inner->wary = it->wary;
    dd_integ_start(inner, it->t_old, sim->w_before, sim->wdot_before);
    inner->steep = it->steep;
    /* the step that brings the polynomial's error, of order 8, below half the tolerance */
    inner->h = (it->t - it->t_old) * fmin(1.0, pow(2 * it->dense_error, -1.0 / 8)); /* 7 stages: an error of order 8 */
    sim->inner_from = it->t_old;
}

/* To t in as many steps of one size; false when it gets stuck. */
static bool go_in_steps(dd_sim *sim, double t, uint32_t steps)
{
    dd_integrator *inner = sim->inner;
    const double from = sim->integrator->t_old;
    dd_sim_start_inner(sim);
    for (uint32_t k = 1; k <= steps; k++) {
        if (dd_integ_step(inner, k == steps ? t : from + k * ((t - from) / steps)) != DD_STEP_OK) {
            return false;
        }
    }
    return true;
}

/* By steps of its own choice, which may be those of a row before, or end at the row; false when it gets stuck or is stopped. */
static bool go_freely(dd_sim *sim, double t)
{
    const dd_integrator *it = sim->integrator;
    dd_integrator *inner = sim->inner;
    const bool end_there = sim->z_steep;
    /* it can go on from the row before, unless that is later */
    if (sim->inner_from != it->t_old || t < (end_there ? inner->t : inner->t_old)) {
        dd_sim_start_inner(sim);
    }
    while (inner->t < t) {
        /* where a limit stops it the polynomial serves, and the run ends after this step */
        if (dd_poll_stop(sim->ctx) != DD_OK || dd_integ_step(inner, end_there ? t : it->t) != DD_STEP_OK) {
            return false;
        }
    }
    return true;
}

/* x by the inner integrator; false when it gets stuck. */
static bool inner_state(dd_sim *sim, double t)
{
    /* one step; where that fails, a few short ones */
    const bool there = sim->one_step ? go_in_steps(sim, t, 1) || go_in_steps(sim, t, DD_INNER_MANY) : go_freely(sim, t);
    if (!there) {
        sim->inner_from = NAN;
        return false;
    }
    dd_integ_interpolate(sim->inner, t, sim->w, sim->wdot);
    return true;
}

void dd_sim_differential(dd_sim *sim, double t)
{
    const dd_integrator *it = sim->integrator;
    /* a point may be asked for several times: rows, events and outputs share it */
    if (t == sim->state_at) {
        memcpy(sim->w, sim->state_w, sim->numbers->n * sizeof *sim->w);
        memcpy(sim->wdot, sim->state_wdot, sim->numbers->n * sizeof *sim->wdot);
        return;
    }
    /* ends of steps are exact; inside, the polynomial where it is known to be good */
    const bool inside = sim->inner && t > it->t_old && t < it->t;
    const bool doubtful = inside && !sim->spare && (sim->one_step || !(it->dense_error <= 1.0) || sim->z_steep);
    if (doubtful && inner_state(sim, t)) {
        return;
    }
    dd_integ_interpolate(it, t, sim->w, sim->wdot);
    /* only that shows whether its further stages have a solution */
    if (inside && sim->spare && !(it->dense_error <= 1.0) && !inner_state(sim, t)) {
        dd_integ_interpolate(it, t, sim->w, sim->wdot);
    }
}

/* Steps end on first integrals, which may say more on x than its derivatives do: between steps events are looked for
 * on them too, or one would be found where there is none. */
static bool keeps_integrals(const dd_sim *sim)
{
    return sim->keeper && sim->numbers->problem.kept_known && sim->options.step <= 0 &&
           sim->options.stabilize == DD_STABILIZE_PROJECTION;
}

bool dd_sim_dense_is_rough(const dd_sim *sim)
{
    if (sim->options.step > 0) { /* of a few stages: z may be constant in a step */
        return sim->numbers->equations->z.len > 0;
    }
    if (keeps_integrals(sim)) {
        return true;
    }
    return sim->inner && !sim->one_step && sim->integrator->dense_rough > ROUGH;
}

/* ---- x' and z ---- */

/* The largest change of an algebraic unknown, relative to its size. */
static double change_of_z(const dd_sim *sim, const double *before)
{
    const dd_problem *p = &sim->numbers->problem;
    double most = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        if (!p->differential[j]) {
            most = fmax(most, fabs(sim->w[j] - before[j]) / fmax(p->nominal[j], fabs(sim->w[j])));
        }
    }
    return most;
}

static void take_z(const dd_sim *sim, const double *from, double *to)
{
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        to[j] = sim->numbers->problem.differential[j] ? to[j] : from[j];
    }
}

/* From the last point at which z was solved for, in pieces, so that it stays on its branch. False: it could not be. */
static bool march(dd_sim *sim, double t)
{
    enum { PIECES = 16 };
    /* z from piece to piece as the next guess */
    const double from = sim->solved_at;
    for (uint32_t k = 1; k <= PIECES; k++) {
        const double at = k == PIECES ? t : from + k * ((t - from) / PIECES);
        if (k < PIECES && sim->one_step) { /* whose own z is no better on the way, and x is good enough there */
            dd_integ_interpolate(sim->integrator, at, sim->w, sim->wdot);
        } else if (k < PIECES) {
            dd_sim_differential(sim, at);
        } else { /* the row itself, whose x may have been moved */
            memcpy(sim->w, sim->guess, sim->numbers->n * sizeof *sim->w);
        }
        take_z(sim, sim->z_solved, sim->w);
        if (!dd_slopes_solve(sim->slopes, at, sim->w, sim->wdot).converged) {
            return false;
        }
        memcpy(sim->z_solved, sim->w, sim->numbers->n * sizeof *sim->w);
    }
    return true;
}

/* One long step to the row has looked for its z from afar: is that what the last point leads to as well? */
static bool agrees_with_last(dd_sim *sim, double t)
{
    const double same = 1e-6; /* of the size: both are solved for */
    const size_t bytes = sim->numbers->n * sizeof *sim->w;
    memcpy(sim->first_z, sim->w, bytes);
    memcpy(sim->first_rate, sim->wdot, bytes);
    take_z(sim, sim->z_solved, sim->w);
    const bool solved = dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot).converged;
    const bool agrees = solved && change_of_z(sim, sim->first_z) <= same;
    memcpy(sim->w, sim->first_z, bytes);
    memcpy(sim->wdot, sim->first_rate, bytes);
    return agrees;
}

void dd_sim_solve_rest(dd_sim *sim, double t)
{
    const dd_integrator *it = sim->integrator;
    /* only where x' and z follow from x: index 1, or reduced */
    const bool follows = sim->numbers->equations->form == DD_EQUATIONS_REDUCED || sim->system->index <= 1;
    if (!follows || t <= it->t_old || t >= it->t || t == sim->state_at) {
        return;
    }
    const double near = 0.01; /* a change of z by this part of its size is no matter of branches */
    const size_t bytes = sim->numbers->n * sizeof *sim->w;
    /* a later row cannot be the guess for an earlier one: begin at the start of the step again */
    if (!(sim->solved_at <= t)) {
        memcpy(sim->z_solved, sim->w_before, bytes);
        sim->solved_at = it->t_old;
    }
    /* the polynomial as a guess; a large change of z means that it may have left its branch */
    memcpy(sim->guess, sim->w, bytes);
    memcpy(sim->guess_rate, sim->wdot, bytes);
    bool good = dd_slopes_solve(sim->slopes, t, sim->w, sim->wdot).converged && change_of_z(sim, sim->guess) <= near;
    good = good && (!sim->one_step || sim->numbers->equations->z.len == 0 || agrees_with_last(sim, t));
    if (!good) {
        good = march(sim, t);
    }
    /* nothing worked: the polynomial is the best there is */
    if (!good) {
        memcpy(sim->w, sim->guess, bytes);
        memcpy(sim->wdot, sim->guess_rate, bytes);
        return;
    }
    memcpy(sim->z_solved, sim->w, bytes);
    sim->solved_at = t;
}

double dd_sim_z_off(const dd_sim *sim, const double *z)
{
    double most = 0;
    for (uint32_t j = 0; j < sim->numbers->n; j++) {
        if (!sim->numbers->problem.differential[j]) {
            const double tolerance = sim->atol[j] + dd_sim_tolerance(sim) * fabs(sim->w[j]);
            most = fmax(most, fabs(sim->w[j] - z[j]) / tolerance);
        }
    }
    return most;
}

/* Where a stiff z pulls x along, errors of x that are far below the tolerance make it wrong: z = k (x - g(t)) with k
 * large. At stages both are accurate, and so they are in the polynomial of z. That this contradicts the z of the
 * equations is a reason to ask a step that ends at the row: it tells which one is wrong. Where that is the polynomial
 * of z, as usual, this answer holds for some steps, unless they contradict each other much more. */
bool dd_sim_z_is_doubtful(const dd_sim *sim, double t)
{
    const double part = 0.5, more = 2.0;
    const dd_integrator *it = sim->integrator;
    const bool radau = sim->inner && !sim->one_step && sim->options.step <= 0;
    if (!radau || t <= it->t_old || t >= it->t || sim->solved_at != t || sim->z_steep) {
        return false;
    }
    const double off = dd_sim_z_off(sim, sim->guess);
    return off > part && (sim->z_trusted == 0 || off > more * sim->z_plain);
}

void dd_sim_state(void *user, double t)
{
    dd_sim *sim = user;
    const size_t bytes = sim->numbers->n * sizeof *sim->w;
    if (keeps_integrals(sim)) {
        dd_sim_point(sim, t);
    } else {
        dd_sim_differential(sim, t);
        dd_sim_solve_rest(sim, t);
    }
    memcpy(sim->state_w, sim->w, bytes);
    memcpy(sim->state_wdot, sim->wdot, bytes);
    sim->state_at = t;
}

void dd_sim_state_x(void *user, double t)
{
    dd_sim *sim = user;
    if (keeps_integrals(sim)) {
        dd_sim_state(user, t);
    } else {
        dd_sim_differential(sim, t);
    }
}
