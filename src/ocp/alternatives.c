/* alternatives.c - controls as rows of letters (at the lower bound, at the upper one, between), and what to change in them. */
#include "ocp/alternatives.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/columns.h"
#include "ocp/kept.h"

enum { LOWER, UPPER, BETWEEN };
enum { TRIES = 4, LEAST_LONG = 3, ROUNDS = 3, LEAST_ITERATIONS = 25 };
#define AT_BOUND 1e-3    /* of the range of a control: nearer is at the bound */
#define MOSTLY 0.6       /* of its values at bounds: switching is what the control does */
#define SHORT_RUN 0.04   /* of all values of a control: no longer is an exception */
#define SMALL_PRICE 0.1  /* of the mean multiplier of a bound: beside a switch that is not sure of its place */
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

static void read_controls(searcher *s)
{
    const dd_column *columns = dd_ocp_columns(s->p->transcription, s->pool);
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

/* The bound that both neighbours of the run [k, end) have, or the only one where it is first or last; BETWEEN: none. What lies
 * between the bounds at an end may be there for a purpose. */
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

/* A switch from bound to bound within no time, where the multiplier on one side is small: the other side goes on there. */
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
    dd_ocp_status status = p->info.status;
    dd_ocp_put_back(p, &before);
    if (status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT) {
        p->info.status = status;
        p->info.reason = "stopped while cheaper solutions beside this one were looked for";
    }
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

void dd_ocp_try_alternatives(dd_ocp *p)
{
    double first = p->info.objective, begin = dd_clock_seconds(), spent = begin - p->began;
    uint32_t iterations = p->info.iterations,
             most = (uint32_t)fmax(LEAST_ITERATIONS, ITERATIONS * p->result.iterations);
    const char *words = "", *gained = NULL;
    bool more = true;
    for (uint32_t round = 0; round < ROUNDS && more && dd_ocp_solved(p); round++) {
        searcher s = {.p = p, .nlp = p->transcription->nlp, .pool = dd_pool_child(p->pool)};
        read_controls(&s);
        find_exceptions(&s);
        find_loose_switches(&s);
        more = try_changes(&s, most, begin + MOST_SECONDS * spent, &words);
        gained = more ? words : gained;
        dd_pool_free(s.pool);
    }
    p->seconds_alternatives = dd_clock_seconds() - begin;
    if (gained != NULL) {
        p->gained = first - p->info.objective;
        dd_ocp_say(p,
                   dd_pool_printf(p->problem->pool,
                                  "a cheaper solution was found beside the first (%s): the objective fell from %.10g "
                                  "to %.10g, after %u more iterations",
                                  gained, first, p->info.objective, p->info.iterations - iterations));
    }
}
