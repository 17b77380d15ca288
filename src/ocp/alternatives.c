/* alternatives.c - controls as rows of letters (at the lower bound, at the upper one, between), and what to change in
 * them. */
#include "ocp/alternatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "ocp/columns.h"
#include "ocp/kept.h"
#include "ocp/refine.h"

enum { LOWER, UPPER, BETWEEN };
/* Iterations. A solve that is begun beside a solution costs one more than it takes: its first factorisation. */
enum {
    LONG_SOLVE = 300,      /* a finer mesh and the way back are cheap beside it */
    FINER_ITERATIONS = 20, /* of each of the two */
    MOST_TRY = 10,   /* of one alternative: Newton's method from a solution with the right bounds takes half of them */
    COLD_LEAST = 12, /* below it a try from a larger barrier does not end */
    LEAST_BUDGET = 3,
};
enum { MOST_HALVED = 1000, TRIES = 8, LEAST_LONG = 3, ROUNDS = 3 };
#define AT_BOUND 1e-3       /* of the range of a control: nearer is at the bound */
#define MOSTLY 0.6          /* of its values at bounds: the control switches */
#define SHORT_RUN 0.04      /* of all values of a control: no longer is an exception */
#define LONG_DETOUR 0.3     /* of all values of a control: no longer is left out */
#define SMALL_PRICE 0.1     /* of the mean multiplier of a bound: beside a switch that is not sure of its place */
#define ONE_SIDED 0.3       /* of the multiplier on the other side of a switch; where it belongs they are equal */
#define JUMP 0.5            /* of the range of a control: a switch */
#define BUDGET 0.2          /* of the iterations of the solve before: more are not spent without a gain */
#define BLOCKED 0.1         /* of a Newton step: values off their bounds cannot make up for the change */
#define NEARLY_SETTLED 1e-3 /* violation: full steps lead to the end from here */
#define SETTLED 1e-6        /* violation: the objective is final to second order */

/* One control over the horizon. */
typedef struct sequence {
    const dd_decision *of;
    DD_VEC(uint32_t) column; /* in the order of time */
    uint8_t *letter;
    bool switches; /* at a bound nearly always */
    double price;  /* mean multiplier of its bounds where they hold it */
} sequence;

typedef struct change {
    bool bounds; /* all values are bounds: the multipliers of the solution are a guide */
    bool level;  /* one level of a control throughout: tried although the solve was short */
    DD_VEC(uint32_t) column;
    DD_VEC(double) value;
    const char *words;
} change;

typedef struct searcher {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    DD_VEC(sequence) controls;
    DD_VEC(change) changes;
    uint32_t budget, begun, solves; /* iterations to spend, those before the search; alternatives since */
} searcher;

/* ---- reading ---- */

static uint8_t letter_of(const searcher *s, uint32_t j)
{
    double x = s->p->result.x[j], low = s->nlp->x_lower[j], high = s->nlp->x_upper[j], room = AT_BOUND * (high - low);
    return x <= low + room ? LOWER : x >= high - room ? UPPER : BETWEEN;
}

static double price_of(const searcher *s, uint32_t j)
{
    return fmax(fabs(s->p->result.z_lower[j]), fabs(s->p->result.z_upper[j]));
}

static void read_controls(searcher *s, const dd_column *columns)
{
    const dd_ocp_problem *o = s->p->problem;
    for (uint32_t i = 0; i < o->u.len; i++) {
        sequence q = {.of = &o->u.data[i]};
        dd_vec_push(s->pool, &s->controls, q);
    }
    for (uint32_t j = 0; j < s->nlp->n; j++) {
        /* only two finite bounds make letters; variables are numbered in the order of time */
        bool two =
            isfinite(s->nlp->x_lower[j]) && isfinite(s->nlp->x_upper[j]) && s->nlp->x_upper[j] > s->nlp->x_lower[j];
        if (columns[j].kind == DD_COLUMN_CONTROL && two) {
            dd_vec_push(s->pool, &s->controls.data[columns[j].index].column, j);
        }
    }
    for (uint32_t i = 0; i < s->controls.len; i++) {
        sequence *q = &s->controls.data[i];
        uint32_t held = 0;
        q->letter = dd_pool_alloc_array(s->pool, q->column.len + 1, sizeof *q->letter);
        /* mean multiplier of active bounds: the price of a value that is really held */
        for (uint32_t k = 0; k < q->column.len; k++) {
            q->letter[k] = letter_of(s, q->column.data[k]);
            held += q->letter[k] != BETWEEN;
            q->price += q->letter[k] != BETWEEN ? price_of(s, q->column.data[k]) : 0;
        }
        q->price = held > 0 ? q->price / held : 0;
        /* bang-bang in most of its values */
        q->switches = q->column.len > 0 && held >= MOSTLY * q->column.len;
    }
}

/* ---- changes ---- */

static void set_value(searcher *s, change *c, const sequence *q, uint32_t k, uint8_t letter)
{
    uint32_t j = q->column.data[k];
    dd_vec_push(s->pool, &c->column, j);
    dd_vec_push(s->pool, &c->value, letter == LOWER ? s->nlp->x_lower[j] : s->nlp->x_upper[j]);
}

static uint32_t run_end(const sequence *q, uint32_t k)
{
    uint32_t end = k;
    while (end < q->column.len && q->letter[end] == q->letter[k]) {
        end++;
    }
    return end;
}

static uint32_t run_begin(const sequence *q, uint32_t k)
{
    uint32_t begin = k;
    while (begin > 0 && q->letter[begin - 1] == q->letter[k]) {
        begin--;
    }
    return begin;
}

/* The bound that both neighbours of the run [k, end) have, or the only one where it is first or last; BETWEEN: none.
 * A value between the bounds at an end may have a purpose, except where the horizon is free: there it may be a wait
 * before the motion or behind it, or a switch too many, that the time itself could do without. */
static uint8_t surrounding(const searcher *s, const sequence *q, uint32_t k, uint32_t end)
{
    uint32_t n = q->column.len, most = (uint32_t)fmax(1, SHORT_RUN * n);
    uint8_t left = k > 0 ? q->letter[k - 1] : BETWEEN, right = end < n ? q->letter[end] : BETWEEN;
    /* runs beside: an exception is short among long ones */
    uint32_t before = k > 0 ? k - run_begin(q, k - 1) : 0, after = end < n ? run_end(q, end) - end : 0;
    const bool free_time = s->p->problem->free_t0 || s->p->problem->free_tf;
    bool inside = k > 0 && end < n, purpose = q->letter[k] == BETWEEN && !(free_time && q->switches);
    /* too long, or between different bounds, or a value between the bounds at an end */
    if (end - k > most || (inside && left != right) || (!inside && purpose)) {
        return BETWEEN;
    }
    /* together at least three times as long as the run itself */
    return before + after >= LEAST_LONG * (end - k) ? (k > 0 ? left : right) : BETWEEN;
}

static void find_exceptions(searcher *s)
{
    change all = {.bounds = true, .words = "all exceptions among long runs at a bound"};
    uint32_t count = 0;
    /* every short run becomes a change; all of them together another */
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 0, end; k < q->column.len; k = end) {
            end = run_end(q, k);
            uint8_t to = surrounding(s, q, k, end);
            if (to == BETWEEN) {
                continue;
            }
            change one = {.bounds = true,
                          .words = dd_pool_printf(s->p->problem->pool, "%s in %u interval%s set to its %s bound", name,
                                                  end - k, end - k == 1 ? "" : "s", to == LOWER ? "lower" : "upper")};
            for (uint32_t m = k; m < end; m++) {
                set_value(s, &one, q, m, to);
                set_value(s, &all, q, m, to);
            }
            dd_vec_push(s->pool, &s->changes, one);
            count++;
        }
    }
    if (count > 1) { /* together first: usually they have one cause */
        dd_vec_push(s->pool, &s->changes, all);
        change first = s->changes.data[0];
        s->changes.data[0] = s->changes.data[s->changes.len - 1];
        s->changes.data[s->changes.len - 1] = first;
    }
}

/* A switch from bound to bound within no time, where the multiplier on one side is small: the other side goes on
 * there. The multipliers are means of the switching function over their intervals. It is nearly linear about its
 * zero, so they are equal where the switch is right, and one is less than a third of the other where the zero is
 * so far inside an interval that a quarter of it or more belongs to the other bound. */
static void find_loose_switches(searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 1; q->switches && k < q->column.len; k++) {
            bool jump = q->letter[k] != q->letter[k - 1] && q->letter[k] != BETWEEN && q->letter[k - 1] != BETWEEN;
            /* means of the switching function on both sides of the switch */
            double before = price_of(s, q->column.data[k - 1]), after = price_of(s, q->column.data[k]);
            double small = fmin(before, after), large = fmax(before, after);
            /* equal prices: the switch is where it belongs */
            if (!jump || small > SMALL_PRICE * q->price || small > ONE_SIDED * large) {
                continue;
            }
            /* the side with the small multiplier takes the value of the other */
            change one = {.bounds = true,
                          .words = dd_pool_printf(s->p->problem->pool, "a switch of %s one interval %s", name,
                                                  before < after ? "earlier" : "later")};
            set_value(s, &one, q, before < after ? k - 1 : k, q->letter[before < after ? k : k - 1]);
            dd_vec_push(s->pool, &s->changes, one);
        }
    }
}

/* A control that runs between its bounds on both sides of a visit to them, as on a singular arc, may do without the
 * visit: a straight line takes its place. [from, to): the visit. */
static void add_detour(searcher *s, const dd_column *columns, const sequence *q, uint32_t from, uint32_t to)
{
    const uint32_t a = q->column.data[from - 1], b = q->column.data[to];
    const double *x = s->p->result.x, length = columns[b].theta - columns[a].theta;
    change one = {.words =
                      dd_pool_printf(s->p->problem->pool, "%s between its bounds throughout, without %u values there",
                                     dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool), to - from)};
    /* straight line between the values beside the visit */
    for (uint32_t k = from; k < to; k++) {
        uint32_t j = q->column.data[k];
        double part = length > 0 ? (columns[j].theta - columns[a].theta) / length : 0.5;
        dd_vec_push(s->pool, &one.column, j);
        dd_vec_push(s->pool, &one.value, (1 - part) * x[a] + part * x[b]);
    }
    dd_vec_push(s->pool, &s->changes, one);
}

/* The same visit one value earlier or later. */
static void add_shifted(searcher *s, const sequence *q, uint32_t from, uint32_t to, bool later)
{
    const double *x = s->p->result.x;
    change one = {.words = dd_pool_printf(s->p->problem->pool, "%s %s at its bounds by one interval",
                                          dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool),
                                          later ? "later" : "earlier")};
    /* values move by one place; the place that becomes free takes that of its neighbour */
    for (uint32_t k = from - !later; k < to + later; k++) {
        dd_vec_push(s->pool, &one.column, q->column.data[k]);
        dd_vec_push(s->pool, &one.value, x[q->column.data[later ? k - 1 : k + 1]]);
    }
    dd_vec_push(s->pool, &s->changes, one);
}

static void find_detours(searcher *s, const dd_column *columns)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const uint32_t n = q->column.len, least = (uint32_t)fmax(2, SHORT_RUN * n);
        uint32_t calm = 0, from = 0; /* values between the bounds so far; where a visit to the bounds began */
        /* visits are counted between two calm parts of sufficient length */
        for (uint32_t k = 0, end; !q->switches && k < n; k = end) {
            end = run_end(q, k);
            bool quiet = q->letter[k] == BETWEEN && end - k >= least;
            if (quiet && from > 0 && k - from <= LONG_DETOUR * n) {
                add_detour(s, columns, q, from, k);
                add_shifted(s, q, from, k, false);
                add_shifted(s, q, from, k, true);
            }
            /* the next visit begins behind this part */
            if (quiet) {
                calm = end;
                from = 0;
            } else if (from == 0 && calm == k && k > 0) {
                from = k;
            }
        }
    }
}

/* ---- levels ---- */

/* Values that lie in two heaps with a wide gap between them: where the cost has several minima in the control, each
 * interval may have taken one by chance. */
static void add_level(searcher *s, const sequence *q, double middle, bool upper)
{
    const double *x = s->p->result.x;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t k = 0; k < q->column.len; k++) {
        const bool member = (x[q->column.data[k]] > middle) == upper;
        sum += member ? x[q->column.data[k]] : 0;
        count += member;
    }
    /* all of the other heap move to the mean of this one */
    change one = {.level = true,
                  .words = dd_pool_printf(s->p->problem->pool, "%s on its %s level throughout",
                                          dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool),
                                          upper ? "upper" : "lower")};
    for (uint32_t k = 0; k < q->column.len; k++) {
        if ((x[q->column.data[k]] > middle) != upper) {
            dd_vec_push(s->pool, &one.column, q->column.data[k]);
            dd_vec_push(s->pool, &one.value, sum / count);
        }
    }
    dd_vec_push(s->pool, &s->changes, one);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle of the widest gap between sorted values, if it is wide against their range; else NAN. */
static double widest_gap(searcher *s, const sequence *q)
{
    const uint32_t n = q->column.len;
    double *v = dd_pool_alloc_array(s->pool, n + 1, sizeof *v), gap = 0, middle = NAN;
    for (uint32_t k = 0; k < n; k++) {
        v[k] = s->p->result.x[q->column.data[k]];
    }
    qsort(v, n, sizeof *v, compare_numbers);
    for (uint32_t k = 1; k < n; k++) {
        if (v[k] - v[k - 1] > gap) {
            gap = v[k] - v[k - 1];
            middle = (v[k] + v[k - 1]) / 2;
        }
    }
    return n > 1 && gap > JUMP * (v[n - 1] - v[0]) ? middle : NAN;
}

static void find_levels(searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const double middle = q->switches ? NAN : widest_gap(s, q);
        if (isfinite(middle)) {
            add_level(s, q, middle, false);
            add_level(s, q, middle, true);
        }
    }
}

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
static void apply(dd_ocp *p, const change *c)
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
static bool try_change(searcher *s, const change *c, uint32_t most, dd_beside how)
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

static uint32_t left(const searcher *s)
{
    /* each solve costs one more, its first factorisation */
    uint32_t spent = s->p->info.iterations - s->begun + s->solves;
    return s->budget > spent ? s->budget - spent : 0;
}

/* All changes of bounds or all others, one way. */
static bool try_all(searcher *s, bool bounds, dd_beside how, const char **words)
{
    uint32_t tried = 0;
    /* at most TRIES of a kind; the budget is shared */
    for (uint32_t i = 0; i < s->changes.len && tried < TRIES && dd_ocp_solved(s->p); i++) {
        const change *c = &s->changes.data[i];
        if (left(s) < (how == DD_BESIDE_COLD ? COLD_LEAST : 1)) {
            return false;
        }
        if (c->bounds == bounds && !c->level) {
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
static bool try_levels(searcher *s, const char **words)
{
    for (uint32_t i = 0; i < s->changes.len && dd_ocp_solved(s->p); i++) {
        *words = s->changes.data[i].words;
        if (s->changes.data[i].level && try_change(s, &s->changes.data[i], MOST_TRY, DD_BESIDE_WARM)) {
            return true;
        }
    }
    return false;
}

static bool try_changes(searcher *s, const char **words)
{
    if (try_levels(s, words)) {
        return true;
    }
    /* warm first: a few iterations each; then singular arcs, then bounds again by way of a larger barrier */
    return try_all(s, true, DD_BESIDE_WARM, words) || try_all(s, false, DD_BESIDE_COLD, words) ||
           try_all(s, true, DD_BESIDE_COLD, words);
}

/* ---- a finer mesh and back ---- */

/* Places where a control has an active limit on one side (its bound, or a row of controls) and none on the other. */
static uint32_t count_switches(const searcher *s, const dd_column *columns)
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
            } else if (seen[i] && fabs(x[j] - last[i]) > JUMP * (range[2 * i + 1] - range[2 * i])) {
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
static bool try_finer(searcher *s)
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
static bool worth_a_finer_mesh(const searcher *s, uint32_t iterations, const dd_column *columns)
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
        searcher s = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
        const dd_column *columns = dd_ocp_columns(p->transcription, s.pool);
        s.begun = p->info.iterations;
        /* a fifth of the iterations of the solve */
        s.budget = (uint32_t)fmax(LEAST_BUDGET, BUDGET * iterations); /* a new one after each gain */
        read_controls(&s, columns);
        find_exceptions(&s);
        find_loose_switches(&s);
        find_detours(&s, columns);
        find_levels(&s);
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
