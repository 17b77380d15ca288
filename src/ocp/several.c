/* several.c - other starts, the distinct optima that they lead to, and the better end of two runs. */
#include "ocp/several.h"

#include <math.h>

#include "base/context.h"
#include "ocp/multistart.h"
#include "ocp/perturbed.h"
#include "ocp/transcription_kinks.h"

enum { LOOKS = 11 };
#define SAME_OBJECTIVE 1e-6  /* relative */
#define SMALL_OBJECTIVE 1e-3 /* smaller ones are compared with this */
#define SAME_STATES 1e-2     /* of their size */

/* ---- distinct optima ---- */

static const double *look_at(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    double *look = dd_pool_alloc_array(p->pool, (size_t)LOOKS * o->x.len + 1, sizeof *look);
    double *z = dd_pool_alloc_array(p->pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(p->pool, o->u.len + 1, sizeof *u);
    /* states at a few times are the fingerprint of a solution */
    for (uint32_t k = 0; k < LOOKS; k++) {
        double *x = look + (size_t)k * o->x.len;
        dd_transcription_at(p->transcription, p->result.x, (double)k / (LOOKS - 1), k > 0, x, z, u);
        for (uint32_t i = 0; i < o->x.len; i++) {
            x[i] /= o->x.data[i].scale;
        }
    }
    return look;
}

static bool same(const dd_ocp *p, const dd_optimum *a, double objective, const double *look)
{
    /* objective first: it is cheap, and mostly differs */
    const double size = fmax(SMALL_OBJECTIVE * dd_ocp_cost_unit(p), fabs(a->objective));
    bool equal = fabs(a->objective - objective) <= SAME_OBJECTIVE * size;
    for (uint32_t i = 0; i < LOOKS * p->problem->x.len && equal; i++) {
        equal = fabs(a->look[i] - look[i]) <= SAME_STATES * fmax(1, fabs(look[i]));
    }
    return equal;
}

/* Kept in the order of the objective. */
static void note_optimum(dd_ocp *p, uint32_t start)
{
    const double *look = look_at(p);
    /* known already: one more start led to it */
    for (uint32_t i = 0; i < p->optima.len; i++) {
        if (same(p, &p->optima.data[i], p->info.objective, look)) {
            p->optima.data[i].count++;
            return;
        }
    }
    dd_optimum found = {.objective = p->info.objective, .count = 1, .first = start, .look = look};
    dd_vec_push(p->pool, &p->optima, found);
    /* insertion: the best first */
    for (uint32_t i = p->optima.len - 1; i > 0 && p->optima.data[i].objective < p->optima.data[i - 1].objective; i--) {
        dd_optimum swap = p->optima.data[i];
        p->optima.data[i] = p->optima.data[i - 1];
        p->optima.data[i - 1] = swap;
    }
}

/* Fingerprints live as long as the run that took them. */
static void copy_optima(dd_ocp *to, const dd_ocp *from, bool with_looks)
{
    const uint32_t n = LOOKS * from->problem->x.len;
    to->optima.len = 0;
    for (uint32_t i = 0; i < from->optima.len; i++) {
        dd_optimum copy = from->optima.data[i];
        double *look = with_looks ? dd_pool_alloc_array(to->pool, n + 1, sizeof *look) : NULL;
        for (uint32_t j = 0; j < n && with_looks; j++) {
            look[j] = copy.look[j];
        }
        copy.look = look;
        dd_vec_push(to->pool, &to->optima, copy);
    }
}

/* ---- the starts ---- */

/* p: a run that is solved */
static bool is_lower(const dd_ocp *p, double objective, double than)
{
    return objective < than - SAME_OBJECTIVE * fmax(SMALL_OBJECTIVE * dd_ocp_cost_unit(p), fabs(than));
}

/* One that uses what was relaxed is no solution. */
static bool is_solution(dd_ocp *p)
{
    return dd_ocp_is_real(p) && dd_transcription_kinks_tight(p->transcription, p->result.x);
}

/* From perturbed guess `number`; true when the present solution is that one, and the best so far. */
static bool solve_start(dd_ocp *p, const dd_mesh *mesh, dd_perturbed *q, uint32_t number)
{
    const bool had = p->best_start > 0;
    const dd_ocp_status before = p->info.status;
    const double best = p->info.objective;
    dd_guess guess = dd_perturbed_guess(q, number);
    p->start = number + 1;
    /* with a cap: there are others */
    p->iteration_cap = DD_FIRST_TRY;
    dd_ocp_solve_on(p, mesh, &guess, false);
    p->iteration_cap = 0;
    const bool found = is_solution(p);
    if (found) {
        note_optimum(p, number + 1);
    }
    p->failed_starts += found ? 0 : 1;
    if (found && (!had || is_lower(p, p->info.objective, best))) {
        p->best_start = number + 1;
        return true;
    }
    /* the best so far is the present one again */
    const dd_ocp_status after = p->info.status;
    const bool stopped = dd_ocp_stopped(p);
    if (had) {
        dd_ocp_take_back(p);
        p->info.status = stopped ? after : before;
    }
    return false;
}

static void solve_others(dd_ocp *p, const dd_mesh *mesh)
{
    /* with relaxed rates or rounded roots they begin once more */
    copy_optima(p, p->instead_of, true);
    p->failed_starts = dd_ocp_solved(p->instead_of) ? 0 : 1;
    p->best_start = 0;
    p->done_starts = 1;
    dd_perturbed q = dd_perturbed_new(p);
    bool stopped = false;
    for (; p->done_starts < p->options.multistart && !stopped; p->done_starts++) {
        if (solve_start(p, mesh, &q, p->done_starts)) {
            dd_ocp_forget_previous(p);
        }
        stopped = dd_ocp_stopped(p);
    }
    dd_perturbed_restore(&q);
    p->start = p->best_start;
}

void dd_ocp_first_solve(dd_ocp *p, const dd_mesh *mesh)
{
    if (p->instead_of != NULL) {
        solve_others(p, mesh);
    } else {
        dd_ocp_solve_from_guess(p, mesh);
    }
    p->info.meshes = 1;
}

void dd_ocp_note_first(dd_ocp *p)
{
    if (p->options.multistart > 1 && dd_ocp_is_real(p)) {
        note_optimum(p, 1);
    }
}

bool dd_ocp_wants_others(const dd_ocp *p)
{
    /* a cost without a minimum has none from other guesses */
    return p->options.multistart > 1 && p->instead_of == NULL && p->info.iterations > 0 && !dd_ocp_stopped(p) &&
           !p->options.program_only && p->info.status != DD_OCP_UNBOUNDED;
}

/* ---- the better run ---- */

bool dd_ocp_others_go_on(dd_ocp *p)
{
    const dd_ocp *first = p->instead_of;
    const bool beaten = dd_ocp_solved(first) && first->optima.len > 0 &&
                        !is_lower(p, p->info.objective, first->optima.data[0].objective);
    p->went_on = p->best_start > 0 && dd_ocp_solved(p) && !beaten;
    return p->went_on;
}

/* What can be said of the end: a motion that is optimal, one that is not accurate, nothing. */
static uint32_t rank(const dd_ocp *p)
{
    return dd_ocp_solved(p) ? 0 : p->info.status == DD_OCP_INACCURATE ? 1 : 2;
}

/* others: stopped in the middle, or at their end */
static bool is_better(const dd_ocp *others, const dd_ocp *first, bool raised)
{
    if (others->best_start == 0 || others->transcription == NULL) {
        return false;
    }
    const bool lower = is_lower(others, others->info.objective, first->info.objective);
    if (raised || dd_ocp_stopped(others)) { /* without a verdict, and called stopped */
        return rank(first) > 1 || (lower && !raised);
    }
    return rank(others) != rank(first) ? rank(others) < rank(first) : lower;
}

static const char *end_of(const dd_ocp *p, dd_pool *pool)
{
    return rank(p) > 1 ? dd_ocp_status_name(p->info.status)
                       : dd_pool_printf(pool, "%s with %.10g", dd_ocp_status_name(p->info.status), p->info.objective);
}

/* What both runs have taken; *p is the one that stays. */
static void add_effort(dd_ocp *p, const dd_ocp *other)
{
    p->info.iterations += other->info.iterations;
    p->setup.wall += other->setup.wall;
    p->setup.cpu += other->setup.cpu;
    p->trial = other->solving;
    dd_ocp_keep_trial(p);
}

/* "start 3 is the best one; from the given guess the run ends optimal with 48.57" */
static void say_which(dd_ocp *p, const dd_ocp *other, uint32_t start, bool changed)
{
    dd_pool *pool = p->problem->pool;
    if (changed) {
        dd_ocp_say(p, dd_pool_printf(pool, "start %u has the best solution; from the given guess the run ended %s",
                                     start, end_of(other, pool)));
    } else if (other->went_on) {
        dd_ocp_say(p, dd_pool_printf(pool, "start %u was better on the first mesh, but not in the end: %s", start,
                                     end_of(other, pool)));
    }
}

void dd_ocp_take_better(dd_ocp *p, dd_ocp *others, dd_status ended)
{
    const bool changed = is_better(others, p, ended != DD_OK);
    const uint32_t start = others->best_start, done = others->done_starts, failed = others->failed_starts;
    const bool stopped = dd_ocp_stopped(others) || ended == DD_INTERRUPTED || ended == DD_TIME_LIMIT;
    const dd_ocp_status how = dd_ocp_stopped(others)    ? others->info.status
                              : ended == DD_INTERRUPTED ? DD_OCP_INTERRUPTED
                                                        : DD_OCP_TIME_LIMIT;
    /* the better end becomes that of the run, with the effort of both */
    if (changed) {
        const dd_ocp swap = *p;
        *p = *others;
        *others = swap;
        p->instead_of = NULL;
    } else if (others->optima.len > 0) {
        copy_optima(p, others, false);
    }
    add_effort(p, others);
    dd_pool *pool = p->problem->pool;
    if (stopped) {
        p->info.status = how;
        p->info.reason = dd_pool_printf(pool, "stopped at start %u of %u; this is the best one so far",
                                        done < p->options.multistart ? done + 1 : done, p->options.multistart);
        return;
    }
    dd_ocp_say(
        p, dd_pool_printf(pool, "%u starts, %u without a solution, %u distinct optima", done, failed, p->optima.len));
    say_which(p, others, start, changed);
}
