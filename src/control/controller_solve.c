/* controller_solve.c - the plan of a sample: attempts one after the other, until one of them has a solution.
 *
 *   step      rti: the quadratic program at the moved plan
 *   near      the program from the moved plan, with its multipliers and the last barrier: a few iterations, or none of it
 *   steps     quadratic programs one after the other, then the same: where other bounds become active, or a linearisation in rti
 *             has left the motions
 *   moved     the same with a larger barrier
 *   state     from the newest state and the inputs held, without multipliers: for a plan that the plant did not follow
 *   written   the same with the algebraic variables that the class guesses: forces that hold the newest state still may make
 *             the first linear system nearly singular
 *   longer    a free final time: as before, with more time left. Near the end nothing but the time can correct a state
 *             that is off: a cart that comes in too fast has to pass its goal and return
 *   whole     a free final time: first held at the length that the class guesses, then free from the motion found so
 *   softened  an infeasible program with rows that give way (ocp/again_soft.c)
 *
 * All share the deadline of the sample. If none has a solution, the moved plan goes on.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/controller.h"

#define STEP_ITERATIONS 100 /* of a quadratic program */
/* Of a plan whose multipliers are not moved with it: it takes 3 to 20, and what has not settled by then is found sooner anew.
 * Moved multipliers are worth going on with: a fermenter was seen to need 140. */
#define MOVED_ITERATIONS 50
#define NO_SECONDS 1e-9 /* the deadline has passed: the next iterate is the last */
/* First values of the barrier. A moved plan is mostly within noise of the solution, and so are its multipliers: there the
 * barrier begins at its end, a small part of the tolerance. On the examples that takes half to two thirds of the iterations
 * of 1e-6, and inputs beside bounds with small multipliers come out closer to them. Where other bounds become active, after a
 * push or a change of the set-points, no barrier helps: iterates on the wrong bounds take 20 to 60 iterations with any. */
#define NEAR_BARRIER 1e-4 /* times the tolerance */
#define PUSHED_BARRIER 1e-6
#define MOVED_BARRIER 1e-4
#define NEAR_ITERATIONS 20 /* it takes 3 to 13 */
/* The first step that is cut to less says that other bounds are active than the plan before has: near the right ones steps are
 * whole, and on the examples shorter ones take 9 iterations and more. */
#define NEAR_STEP 0.1
/* Defects of the equations, relative to their terms, from which the last barrier takes three to five iterations. Quadratic programs
 * get there in 1 to 5 steps. */
#define NEAR_DEFECT 0.1
#define MOST_STEPS 8
#define LEAST_PUSH 1e-2  /* of the size of a state: below it is noise around a steady state */
#define LONGER 2         /* times the time left */
#define LONGER_SAMPLES 4 /* sample periods at least: two changes of the control and what lies between them */

/* A horizon that shrinks: the plan at the times that are left becomes the guess there. */
static dd_status read_again(dd_control *c, double begin)
{
    const uint32_t nx = c->problem->x.len, nu = c->problem->u.len;
    const uint32_t rows = c->options.intervals * c->options.degree + 1;
    const double end = dd_ocp_get_info(c->ocp).final_time;
    double *times = c->guess, *x = times + rows, *u = x + (size_t)rows * nx;
    for (uint32_t i = 0; i < rows; i++) {
        times[i] = begin + (end - begin) * i / (rows - 1);
        dd_ocp_point(c->ocp, times[i], x + (size_t)i * nx, c->z, u + (size_t)i * nu);
    }
    dd_status st = dd_ocp_set_start(c->ocp, begin, c->x);
    return st == DD_OK ? dd_ocp_guess(c->ocp, times, rows, x, u) : st;
}

static bool is_solved(const dd_ocp_info *info)
{
    return info->status == DD_OCP_OPTIMAL || info->status == DD_OCP_ACCEPTABLE;
}

/* The newest state and the inputs held, until `end`; algebraic variables as they are there, or as written in the class. */
static dd_status guess_state(dd_control *c, double begin, double end, bool written)
{
    const uint32_t nx = c->problem->x.len, nu = c->problem->u.len;
    double *times = c->guess, *x = times + 2, *u = x + 2 * (size_t)nx;
    times[0] = begin;
    times[1] = end;
    for (size_t i = 0; i < 2; i++) {
        memcpy(x + i * nx, c->x, nx * sizeof *x);
        memcpy(u + i * nu, c->u, nu * sizeof *u);
    }
    if (c->free_end) {
        dd_ocp_guess_final_time(c->ocp, end);
    }
    const dd_decision_vec *z = &c->problem->z;
    for (uint32_t i = 0; i < z->len; i++) {
        c->z[i] = written ? z->data[i].start_value : c->estimator->w[nx + i];
    }
    dd_ocp_guess_algebraic(c->ocp, c->z);
    return dd_ocp_guess(c->ocp, times, 2, x, u);
}

/* A motion of the length that the class guesses; the shortest one is sought from there. Where time is the cost, a search from
 * elsewhere shortens the motion before it is one, and ends where no small change helps. */
static dd_status solve_held(dd_control *c, double begin, const dd_ocp_again *limits)
{
    dd_ocp_problem *o = dd_ocp_problem_of(c->ocp);
    const double lower = o->tf_lower, upper = o->tf_upper;
    const double end = fmin(fmax(begin + c->problem->tf_value - c->problem->t0_value, lower), upper);
    dd_ocp_again how = *limits;
    how.cold = true;
    o->tf_lower = o->tf_upper = end;
    dd_status st = guess_state(c, begin, end, false);
    st = st == DD_OK ? dd_ocp_solve_again(c->ocp, &how) : st;
    o->tf_lower = lower;
    o->tf_upper = upper;
    return st;
}

/* Is the newest state farther from what the moved plan expects than the plan ever goes? */
static bool was_pushed(const dd_control *c)
{
    const dd_transcription *t = dd_ocp_transcription_of(c->ocp);
    const dd_nlp_result *r = dd_ocp_result_of(c->ocp);
    bool pushed = false;
    for (uint32_t i = 0; i < c->problem->x.len && !pushed; i++) {
        const double expected = r->x[dd_transcription_x(t, 0, 0, i)], now = c->x[i] / t->o->x.data[i].scale;
        double most = 0;
        for (uint32_t k = 0; k <= t->mesh.n; k++) {
            most = fmax(most, fabs(r->x[dd_transcription_x(t, k, 0, i)]));
        }
        pushed = fabs(now - expected) > fmax(most, LEAST_PUSH);
    }
    return pushed;
}

typedef enum attempt { STEP, NEAR, STEPS, MOVED, STATE, WRITTEN, LONG, WHOLE, SOFTENED, ATTEMPTS } attempt;

static bool applies(const dd_control *c, attempt a, bool was_lost, bool infeasible)
{
    switch (a) {
    case STEP: /* one linearisation cannot find back to a state that the plan did not follow */
        return c->options.mode == DD_MODE_RTI && !c->free_end && !was_lost;
    case NEAR:
        return !was_lost && !c->free_end && !c->jumped && !was_pushed(c);
    case STEPS:
        return c->can_step && !c->free_end;
    case MOVED:
        return !was_lost || c->free_end;
    case STATE:
        return true;
    case WRITTEN:
        return c->problem->z.len > 0;
    case LONG:
    case WHOLE:
        return c->free_end;
    default:
        return infeasible;
    }
}

/* From here with the last barrier: a few iterations. */
static dd_status solve_near(dd_control *c, const dd_ocp_again *limits, double least_step)
{
    dd_ocp_again how = *limits;
    how.barrier = NEAR_BARRIER * c->options.tolerance;
    how.max_iterations = how.max_iterations < NEAR_ITERATIONS ? how.max_iterations : NEAR_ITERATIONS;
    how.least_step = least_step;
    return dd_ocp_solve_again(c->ocp, &how);
}

/* Quadratic programs, then the last barrier, whatever its steps are. */
static dd_status solve_steps(dd_control *c, const dd_ocp_again *limits)
{
    const dd_status st = dd_ocp_take_steps(c->ocp, MOST_STEPS, NEAR_DEFECT);
    const dd_ocp_info info = dd_ocp_get_info(c->ocp);
    if (st != DD_OK || info.status == DD_OCP_INFEASIBLE) {
        return st;
    }
    c->sample.iterations += info.iterations;
    return solve_near(c, limits, 0);
}

/* One attempt, from the moved plan in c->kept; the verdict is in the info. */
static dd_status run_attempt(dd_control *c, attempt a, bool was_lost, double begin, const dd_ocp_again *limits,
                             const char **names)
{
    const double end = c->free_end ? c->kept_end : begin + c->horizon;
    dd_ocp_again how = *limits;
    dd_status st = DD_OK;
    switch (a) {
    case STEP:
        how.max_iterations = STEP_ITERATIONS;
        return dd_ocp_solve_linearized(c->ocp, &how);
    case NEAR: /* where no quadratic programs can follow, it is not cut */
        return solve_near(c, &how, c->can_step ? NEAR_STEP : 0);
    case STEPS:
        return solve_steps(c, &how);
    case STATE:
    case WRITTEN:
    case LONG: {
        const double more = fmax(LONGER * (end - begin), LONGER_SAMPLES * c->options.sample_period);
        st = guess_state(c, begin, a == LONG ? begin + more : end, a == WRITTEN);
        how.cold = true;
        break;
    }
    case WHOLE:
        st = solve_held(c, begin, &how);
        how.cold = true;
        how.barrier = MOVED_BARRIER;
        break;
    case SOFTENED: /* a plan that was lost is no guess for amounts either */
        st = was_lost && !c->free_end ? guess_state(c, begin, end, false) : DD_OK;
        return st != DD_OK ? st : dd_ocp_solve_softened(c->ocp, &how, &c->sample.violation, names);
    default:
        how.cold = c->free_end; /* the multipliers belong to other times */
        how.barrier = c->free_end || c->jumped ? MOVED_BARRIER : PUSHED_BARRIER;
        if (c->free_end && how.max_iterations > MOVED_ITERATIONS) {
            how.max_iterations = MOVED_ITERATIONS;
        }
        break;
    }
    return st == DD_OK ? dd_ocp_solve_again(c->ocp, &how) : st;
}

/* Seconds that are left to the sample; 0: no limit. */
static double seconds_left(const dd_control *c, double began)
{
    return c->options.deadline > 0 ? fmax(c->options.deadline - (dd_clock_seconds() - began), NO_SECONDS) : 0;
}

static void note_failed(dd_control *c)
{
    char words[256];
    dd_snprintf(words, sizeof words, "the solver ended with %s; the previous plan stays in use",
                dd_ocp_status_name(c->sample.solver));
    dd_control_note(c, DD_SAMPLE_FAILED, words);
}

/* What is tried next after `a`: an infeasible program is softened at once, whatever is left to try; that takes a few iterations,
 * while every other start takes a hundred to end where this one did. If rows need not give way after all, it says so. */
static attempt next_attempt(attempt a, bool infeasible, bool softened, attempt *resume)
{
    if (infeasible && !softened) {
        *resume = a + 1;
        return SOFTENED;
    }
    const attempt next = a == SOFTENED ? *resume : a + 1;
    *resume = a == SOFTENED ? ATTEMPTS : *resume;
    return next;
}

dd_status dd_control_solve_next(dd_control *c)
{
    const double begin = c->t + c->options.delay, began = dd_clock_seconds();
    const bool was_lost = c->lost;
    c->lost = true; /* until a solution is there */
    dd_status st = c->free_end ? read_again(c, begin) : dd_ocp_set_start(c->ocp, begin, c->x);
    c->kept_end = dd_ocp_get_info(c->ocp).final_time;
    dd_ocp_copy_plan(c->ocp, c->kept, false);
    bool first = true, infeasible = false, softened = false;
    attempt resume = ATTEMPTS;
    for (attempt a = STEP; a < ATTEMPTS && st == DD_OK; a = next_attempt(a, infeasible, softened, &resume)) {
        if (!applies(c, a, was_lost, infeasible && !softened)) {
            continue;
        }
        if (!first) {
            dd_ocp_copy_plan(c->ocp, c->kept, true);
        }
        softened = softened || a == SOFTENED;
        const char *names = "";
        const dd_ocp_again how = {.max_iterations = c->options.max_iterations, .max_seconds = seconds_left(c, began)};
        st = run_attempt(c, a, was_lost, begin, &how, &names);
        const dd_ocp_info info = dd_ocp_get_info(c->ocp);
        c->sample.iterations += info.iterations;
        c->sample.solver = first || is_solved(&info) ? info.status : c->sample.solver;
        first = false;
        if (st == DD_OK && is_solved(&info)) {
            c->lost = c->jumped = false;
            if (a == SOFTENED && names[0] != '\0') {
                dd_control_note(c, DD_SAMPLE_SOFTENED, names);
            }
            return st;
        }
        infeasible = infeasible || info.status == DD_OCP_INFEASIBLE;
        /* stopped from outside, or out of time */
        const dd_status stop = dd_poll_stop_now(c->ctx);
        st = st == DD_OK ? stop : st;
        if (info.status == DD_OCP_TIME_LIMIT) {
            break;
        }
    }
    dd_ocp_copy_plan(c->ocp, c->kept, true);
    note_failed(c);
    return st;
}
