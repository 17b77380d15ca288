/* alternatives.c - controls as rows of letters (at the lower bound, at the upper one, between), and what to change in
 * them. */
#include "ocp/alternatives.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/columns.h"
#include "ocp/kept.h"
#include "ocp/refine.h"

enum { LOWER, UPPER, BETWEEN };
enum {
    LONG_SOLVE = 150,
    FINER_ITERATIONS = 60,

    MOST_HALVED = 1000
}; /* the first two: iterations */
enum { TRIES = 4, LEAST_LONG = 3, ROUNDS = 3, LEAST_ITERATIONS = 25 };
#define AT_BOUND 1e-3    /* of the range of a control: nearer is at the bound */
#define MOSTLY 0.6       /* of its values at bounds: switching is what the control does */
#define SHORT_RUN 0.04   /* of all values of a control: no longer is an exception */
#define SMALL_PRICE 0.1  /* of the mean multiplier of a bound: beside a switch that is not sure of its place */
#define JUMP 0.5         /* of what a control does at all: a switch */
#define GAIN 1e-7        /* relative: less is no gain */
#define ITERATIONS 1.0   /* of the solve before: more are not spent on one alternative */
#define MOST_SECONDS 0.5 /* of what the solve before took: more are not spent on all without a gain */

/* One control over the horizon. */
typedef struct sequence {
    const dd_decision *of;
    DD_VEC(uint32_t) column; /* in the order of time */
    uint8_t *letter;
    double price; /* mean multiplier of its bounds where they hold it */
} sequence;

typedef struct change {
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
        for (uint32_t k = 0; k < q->column.len; k++) {
            q->letter[k] = letter_of(s, q->column.data[k]);
            held += q->letter[k] != BETWEEN;
            q->price += q->letter[k] != BETWEEN ? price_of(s, q->column.data[k]) : 0;
        }
        q->price = held > 0 ? q->price / held : 0;
        q->column.len = held >= MOSTLY * q->column.len ? q->column.len : 0; /* it does not switch */
    }
}

/* ---- what to change ---- */

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
 * What lies between the bounds at an end may be there for a purpose. */
static uint8_t surrounding(const sequence *q, uint32_t k, uint32_t end)
{
    uint32_t n = q->column.len, most = (uint32_t)fmax(1, SHORT_RUN * n);
    uint8_t left = k > 0 ? q->letter[k - 1] : BETWEEN, right = end < n ? q->letter[end] : BETWEEN;
    uint32_t before = k > 0 ? k - run_begin(q, k - 1) : 0, after = end < n ? run_end(q, end) - end : 0;
    bool inside = k > 0 && end < n;
    if (end - k > most || (inside && left != right) || (!inside && q->letter[k] == BETWEEN)) {
        return BETWEEN;
    }
    return before + after >= LEAST_LONG * (end - k) ? (k > 0 ? left : right) : BETWEEN;
}

static void find_exceptions(searcher *s)
{
    change all = {.words = "all exceptions among long runs at a bound"};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 0, end; k < q->column.len; k = end) {
            end = run_end(q, k);
            uint8_t to = surrounding(q, k, end);
            if (to == BETWEEN) {
                continue;
            }
            change one = {.words = dd_pool_printf(s->p->problem->pool, "%s in %u interval%s set to its %s bound", name,
                                                  end - k, end - k == 1 ? "" : "s", to == LOWER ? "lower" : "upper")};
            for (uint32_t m = k; m < end; m++) {
                set_value(s, &one, q, m, to);
                set_value(s, &all, q, m, to);
            }
            dd_vec_push(s->pool, &s->changes, one);
            count++;
        }
    }
    if (count > 1) { /* together first: mostly they are of one kind */
        dd_vec_push(s->pool, &s->changes, all);
        change first = s->changes.data[0];
        s->changes.data[0] = s->changes.data[s->changes.len - 1];
        s->changes.data[s->changes.len - 1] = first;
    }
}

/* A switch from bound to bound within no time, where the multiplier on one side is small: the other side goes on there.
 * */
static void find_loose_switches(searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 1; k < q->column.len; k++) {
            bool jump = q->letter[k] != q->letter[k - 1] && q->letter[k] != BETWEEN && q->letter[k - 1] != BETWEEN;
            double before = price_of(s, q->column.data[k - 1]), after = price_of(s, q->column.data[k]);
            if (!jump || fmin(before, after) > SMALL_PRICE * q->price) {
                continue;
            }
            change one = {.words = dd_pool_printf(s->p->problem->pool, "a switch of %s one interval %s", name,
                                                  before < after ? "earlier" : "later")};
            set_value(s, &one, q, before < after ? k - 1 : k, q->letter[before < after ? k : k - 1]);
            dd_vec_push(s->pool, &s->changes, one);
        }
    }
}

/* ---- trying ---- */

static bool cheaper(const dd_ocp *p, double before)
{
    return dd_ocp_solved(p) && p->info.objective < before - GAIN * fmax(fabs(before), 1e-3);
}

/* The solution before; a stop stays one. */
static void put_back(dd_ocp *p, const dd_kept *kept)
{
    dd_ocp_status status = p->info.status;
    dd_ocp_put_back(p, kept);
    if (status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT) {
        p->info.status = status;
        p->info.reason = "stopped while cheaper solutions beside this one were looked for";
    }
}

/* True when the change leads to a cheaper solution, which is then the present one. */
static bool try_change(searcher *s, const change *c, uint32_t most)
{
    dd_ocp *p = s->p;
    dd_kept before = dd_ocp_keep(p, s->pool);
    for (uint32_t i = 0; i < c->column.len; i++) {
        p->result.x[c->column.data[i]] = c->value.data[i];
    }
    dd_ocp_run_from(p, most);
    if (cheaper(p, before.info.objective)) {
        return true;
    }
    put_back(p, &before);
    return false;
}

static bool try_changes(searcher *s, uint32_t most, double deadline, const char **words)
{
    for (uint32_t i = 0; i < s->changes.len && i < TRIES && dd_ocp_solved(s->p); i++) {
        if (i > 0 && dd_clock_seconds() > deadline) {
            return false;
        }
        *words = s->changes.data[i].words;
        s->p->alternatives++;
        if (try_change(s, &s->changes.data[i], most)) {
            return true;
        }
    }
    return false;
}

/* ---- a finer mesh and back ---- */

/* Places where a control with an active limit on one side, of its own or of a row of controls, has none on the other.
 * */
static uint32_t count_switches(const searcher *s, const dd_column *columns)
{
    const dd_nlp *nlp = s->nlp;
    const double *x = s->p->result.x;
    double *last = dd_pool_alloc_array(s->pool, s->p->problem->u.len + 1, sizeof *last);
    double *range = dd_pool_alloc_array(s->pool, 2 * (size_t)s->p->problem->u.len + 1, sizeof *range);
    uint32_t switches = 0, n_u = s->p->problem->u.len;
    bool *seen = dd_pool_alloc_array(s->pool, n_u + 1, sizeof *seen);
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
                switches++;
            }
            last[i] = x[j];
            seen[i] = true;
        }
    }
    return switches;
}

/* Solves on the mesh from the present solution, which becomes the previous one. */
static void solve_near(dd_ocp *p, const dd_mesh *mesh, uint32_t most)
{
    dd_guess guess = dd_ocp_continue(p);
    p->iteration_cap = most;
    dd_ocp_solve_on(p, mesh, &guess, false);
    p->iteration_cap = 0;
}

/* A switch that is off by half an interval moves on the finer mesh, and stays moved on the way back. True when that is
 * cheaper. */
static bool try_finer(searcher *s, uint32_t most)
{
    dd_ocp *p = s->p;
    double before = p->info.objective;
    dd_mesh own = p->transcription->mesh, finer = dd_mesh_halved(&own, s->pool);
    p->alternatives++;
    solve_near(p, &finer, most);
    if (!dd_ocp_solved(p)) {
        dd_ocp_status status = p->info.status;
        dd_ocp_take_back(p);
        p->info.status = status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT ? status : p->info.status;
        return false;
    }
    p->aside = p->previous; /* the first one, while the finer one is the previous */
    p->previous = (dd_ocp_meshed){0};
    solve_near(p, &own, most);
    dd_ocp_forget_previous(p);
    p->previous = p->aside;
    p->aside = (dd_ocp_meshed){0};
    if (cheaper(p, before)) {
        p->info.meshes = p->previous.info.meshes;
        dd_ocp_forget_previous(p);
        return true;
    }
    dd_ocp_status status = p->info.status;
    dd_ocp_take_back(p);
    p->info.status = status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT ? status : p->info.status;
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
    double first = p->info.objective, begin = dd_clock_seconds(), spent = begin - p->began;
    uint32_t iterations = p->info.iterations,
             most = (uint32_t)fmax(LEAST_ITERATIONS, ITERATIONS * p->result.iterations);
    const char *words = "", *gained = NULL;
    bool more = true;
    for (uint32_t round = 0; round < ROUNDS && more && dd_ocp_solved(p); round++) {
        searcher s = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
        const dd_column *columns = dd_ocp_columns(p->transcription, s.pool);
        read_controls(&s, columns);
        find_exceptions(&s);
        find_loose_switches(&s);
        more = try_changes(&s, most, begin + MOST_SECONDS * spent, &words);
        if (!more && round == 0 && dd_ocp_solved(p) && worth_a_finer_mesh(&s, iterations, columns)) {
            words = "by way of a mesh with twice the intervals";
            more = try_finer(&s, FINER_ITERATIONS);
        }
        gained = more ? words : gained;
        dd_pool_free(s.pool);
    }
    p->seconds_alternatives += dd_clock_seconds() - begin;
    if (gained != NULL) {
        p->gained += first - p->info.objective;
        dd_ocp_say(p,
                   dd_pool_printf(p->problem->pool,
                                  "a cheaper solution was found beside the first (%s): the objective fell from %.10g "
                                  "to %.10g, after %u more iterations",
                                  gained, first, p->info.objective, p->info.iterations - iterations));
    }
}
