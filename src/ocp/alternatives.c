/* alternatives.c - solves beside a solution with other controls (alternatives_find.c), and by way of a finer mesh. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/alternatives_impl.h"
#include "ocp/kept.h"
#include "ocp/refine.h"

/* Iterations. A solve that is begun beside a solution costs one more than it takes: its first factorisation. */
enum {
    LONG_SOLVE = 300,      /* a finer mesh and the way back are cheap beside it */
    FINER_ITERATIONS = 20, /* of each of the two */
    MOST_TRY = 10,   /* of one alternative: Newton's method from a solution with the right bounds takes half of them */
    JUMP_TRY = 40,   /* of a jump elsewhere, for which nothing of the solution is a guide: twice that if it gains */
    COLD_LEAST = 12, /* below it a try from a larger barrier does not end */
    LEAST_BUDGET = 3,
};
enum { MOST_HALVED = 1000, TRIES = 8, ROUNDS = 5 };
#define BUDGET 0.2          /* of the iterations of the solve before: more are not spent without a gain */
#define BLOCKED 0.1         /* of a Newton step: values off their bounds cannot make up for the change */
#define NEARLY_SETTLED 1e-3 /* violation: full steps lead to the end from here */
#define SETTLED 1e-6        /* violation: the objective is final to second order */

/* ---- trying ---- */

/* The objective that another solution must fall below: a smaller barrier alone takes the gap. */
bool dd_ocp_alternative_fails(const dd_ocp *p, const dd_nlp_iteration *it)
{
    bool better = it->objective < p->to_beat;
    /* warm: full Newton steps, or the change is not feasible; once settled, the objective is final */
    if (p->beside == DD_BESIDE_WARM && it->number > 0) {
        bool blocked = it->number <= 2 && it->alpha < BLOCKED;
        return blocked || (it->number >= 2 && it->violation <= SETTLED && !better);
    }
    /* cold: at the end of the budget only a solve that is about to gain goes on */
    bool about_to_gain = better && it->violation <= NEARLY_SETTLED && it->alpha > 0.5;
    return p->beside == DD_BESIDE_COLD && it->number >= p->budget && !about_to_gain;
}

/* The multipliers of the two bounds change places with the value. */
static void apply(dd_ocp *p, const dd_change *c)
{
    /* the bound that was active is the other one now */
    for (uint32_t i = 0; i < c->column.len; i++) {
        uint32_t j = c->column.data[i];
        double lower = p->result.z_lower[j];
        p->result.x[j] = c->value.data[i];
        p->result.z_lower[j] = p->result.z_upper[j];
        p->result.z_upper[j] = lower;
    }
}

/* True when the change leads to a cheaper solution, which is then the present one. Warm: from the multipliers of
 * the solution, given up as soon as it shows that nothing is gained. Cold: by way of a larger barrier; one that is
 * about to gain at the end of the budget may end. */
static bool try_change(dd_searcher *s, const dd_change *c, uint32_t most, dd_beside how)
{
    dd_ocp *p = s->p;
    /* everything of the solution is kept: most changes gain nothing */
    dd_kept before = dd_ocp_keep(p, s->pool);
    p->to_beat = dd_ocp_to_beat(p);
    p->budget = most;
    p->beside = how;
    dd_ocp_begin_trial(p);
    apply(p, c);
    dd_ocp_run_from(p, how == DD_BESIDE_COLD ? 2 * most : most, how == DD_BESIDE_WARM);
    p->beside = DD_BESIDE_NOTHING;
    p->alternatives++;
    s->solves++;
    /* cheaper by more than the gap and rounding */
    if (dd_ocp_solved(p) && p->info.objective < p->to_beat) {
        dd_ocp_keep_trial(p);
        return true;
    }
    dd_ocp_put_back_after(p, &before);
    return false;
}

static uint32_t left(const dd_searcher *s)
{
    /* each solve costs one more, its first factorisation */
    uint32_t spent = s->p->info.iterations - s->begun + s->solves;
    return s->budget > spent ? s->budget - spent : 0;
}

/* All changes of bounds or all others, one way. */
static bool try_all(dd_searcher *s, bool bounds, dd_beside how, const char **words)
{
    uint32_t tried = 0;
    /* at most TRIES of a kind; the budget is shared */
    for (uint32_t i = 0; i < s->changes.len && tried < TRIES && dd_ocp_solved(s->p); i++) {
        const dd_change *c = &s->changes.data[i];
        if (left(s) < (how == DD_BESIDE_COLD ? COLD_LEAST : 1)) {
            return false;
        }
        if (c->bounds == bounds && !c->level && !c->jump) {
            tried++;
            *words = c->words;
            if (try_change(s, c, how == DD_BESIDE_WARM ? MOST_TRY : left(s), how)) {
                return true;
            }
        }
    }
    return false;
}

/* Levels come first: by chance the solution is one of very many. Two or three iterations show that nothing is gained. */
static bool try_levels(dd_searcher *s, const char **words)
{
    for (uint32_t i = 0; i < s->changes.len && dd_ocp_solved(s->p); i++) {
        *words = s->changes.data[i].words;
        if (s->changes.data[i].level && try_change(s, &s->changes.data[i], MOST_TRY, DD_BESIDE_WARM)) {
            return true;
        }
    }
    return false;
}

/* The same for jumps, by way of a larger barrier: the states behind the jump become others. */
static bool try_jumps(dd_searcher *s, const char **words)
{
    uint32_t tried = 0;
    bool better = false;
    for (uint32_t i = 0; i < s->changes.len && tried < TRIES && !better && dd_ocp_solved(s->p); i++) {
        if (s->changes.data[i].jump) {
            tried++;
            *words = s->changes.data[i].words;
            better = try_change(s, &s->changes.data[i], JUMP_TRY, DD_BESIDE_COLD);
        }
    }
    s->begun = s->p->info.iterations; /* what follows has its own budget */
    s->solves = 0;
    return better;
}

static bool try_changes(dd_searcher *s, const char **words)
{
    if (try_levels(s, words) || try_jumps(s, words)) {
        return true;
    }
    /* warm first: a few iterations each; then singular arcs, then bounds again by way of a larger barrier */
    return try_all(s, true, DD_BESIDE_WARM, words) || try_all(s, false, DD_BESIDE_COLD, words) ||
           try_all(s, true, DD_BESIDE_COLD, words);
}

/* ---- a finer mesh and back ---- */

/* Places where a control has an active limit on one side (its bound, or a row of controls) and none on the other. */
static uint32_t count_switches(const dd_searcher *s, const dd_column *columns)
{
    const dd_nlp *nlp = s->nlp;
    const double *x = s->p->result.x;
    double *last = dd_pool_alloc_array(s->pool, s->p->problem->u.len + 1, sizeof *last);
    double *range = dd_pool_alloc_array(s->pool, 2 * (size_t)s->p->problem->u.len + 1, sizeof *range);
    uint32_t switches = 0, n_u = s->p->problem->u.len;
    bool *seen = dd_pool_alloc_array(s->pool, n_u + 1, sizeof *seen);
    /* first the range of each control, then jumps that are large within it */
    for (int pass = 0; pass < 2; pass++) {
        memset(seen, 0, n_u * sizeof *seen);
        for (uint32_t j = 0; j < nlp->n; j++) {
            uint32_t i = columns[j].index;
            if (columns[j].kind != DD_COLUMN_CONTROL || !(isfinite(nlp->x_lower[j]) || isfinite(nlp->x_upper[j]))) {
                continue;
            }
            if (pass == 0) {
                range[2 * i] = seen[i] ? fmin(range[2 * i], x[j]) : x[j];
                range[2 * i + 1] = seen[i] ? fmax(range[2 * i + 1], x[j]) : x[j];
            } else if (seen[i] && fabs(x[j] - last[i]) > DD_CONTROL_JUMP * (range[2 * i + 1] - range[2 * i])) {
                switches++; /* two neighbours that differ by half of the range */
            }
            last[i] = x[j];
            seen[i] = true;
        }
    }
    return switches;
}

/* Solves on the mesh from the present solution, which becomes the previous one. */
static void solve_near(dd_ocp *p, const dd_mesh *mesh)
{
    /* a few iterations: it is a small change of a solution */
    dd_guess guess = dd_ocp_continue(p);
    p->iteration_cap = FINER_ITERATIONS;
    dd_ocp_solve_on(p, mesh, &guess, true);
    p->iteration_cap = 0;
}

/* A switch that is off by half an interval moves on the finer mesh, and stays there on the first mesh. True when
 * that is cheaper. */
static bool try_finer(dd_searcher *s)
{
    dd_ocp *p = s->p;
    double bar = dd_ocp_to_beat(p);
    dd_mesh own = p->transcription->mesh, finer = dd_mesh_halved(&own, s->pool);
    p->alternatives++;
    /* twice the intervals: a switch can move by half of one */
    solve_near(p, &finer);
    if (!dd_ocp_solved(p)) {
        dd_ocp_status status = p->info.status;
        dd_ocp_take_back(p);
        dd_ocp_keep_stop(p, status);
        return false;
    }
    /* back on the first mesh from there; the first solution waits aside */
    p->aside = p->previous; /* the first one, while the finer one is the previous */
    p->previous = (dd_ocp_meshed){0};
    solve_near(p, &own);
    dd_ocp_forget_previous(p);
    p->previous = p->aside;
    p->aside = (dd_ocp_meshed){0};
    /* only a lower objective on the same mesh is a gain */
    if (dd_ocp_solved(p) && p->info.objective < bar) {
        p->info.meshes = p->previous.info.meshes;
        dd_ocp_forget_previous(p);
        return true;
    }
    dd_ocp_status status = p->info.status;
    dd_ocp_take_back(p);
    dd_ocp_keep_stop(p, status);
    return false;
}

/* Where the solve was so long that a finer mesh and the way back cost little beside it. */
static bool worth_a_finer_mesh(const dd_searcher *s, uint32_t iterations, const dd_column *columns)
{
    const dd_mesh *mesh = &s->p->transcription->mesh;
    return iterations >= LONG_SOLVE && mesh->n <= MOST_HALVED && mesh->control != DD_CONTROL_POLYNOMIAL &&
           count_switches(s, columns) > 0;
}

void dd_ocp_try_alternatives(dd_ocp *p)
{
    double first = p->info.objective, begin = dd_clock_seconds();
    uint32_t iterations = p->info.iterations;
    const char *words = "", *gained = NULL;
    bool more = true;
    /* a gain is a new solution with other switches: again from there, a few times */
    for (uint32_t round = 0; round < ROUNDS && more && dd_ocp_solved(p); round++) {
        dd_searcher s = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool), .reach = 1u << round};
        const dd_column *columns = dd_ocp_columns(p->transcription, s.pool);
        s.begun = p->info.iterations;
        /* a fifth of the iterations of the solve */
        s.budget = (uint32_t)fmax(LEAST_BUDGET, BUDGET * iterations); /* a new one after each gain */
        dd_searcher_find(&s, columns);
        more = try_changes(&s, &words);
        /* long solves only: a finer mesh costs little beside them */
        if (!more && round == 0 && dd_ocp_solved(p) && worth_a_finer_mesh(&s, iterations, columns)) {
            words = "by way of a mesh with twice the intervals";
            more = try_finer(&s);
        }
        gained = more ? words : gained;
        dd_pool_free(s.pool);
    }
    /* the report shows this effort */
    p->seconds_alternatives += dd_clock_seconds() - begin;
    p->iterations_alternatives += p->info.iterations - iterations;
    if (gained != NULL) {
        p->gained += first - p->info.objective;
        dd_ocp_say(p, dd_pool_printf(p->problem->pool,
                                     "a cheaper solution was found near the first (%s): the objective fell from %.10g "
                                     "to %.10g, after %u more iterations",
                                     gained, first, p->info.objective, p->info.iterations - iterations));
    }
}
