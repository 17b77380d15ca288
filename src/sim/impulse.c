/* impulse.c - moments at which a variable jumps whose derivative the equations need.
 *
 * Where a constraint ties a variable to time or to an input that jumps, the variable jumps with it, and its derivative is an
 * impulse: so is every algebraic variable that follows from that derivative. On both sides of the moment all values are
 * ordinary, so the run goes on and says it. But a state whose rate contains the impulse would have to jump as well, which
 * integration of ordinary functions cannot do: there the solution ends.
 *
 * What an impulse reaches is read off the structure. Each x_j^(m), m <= d_j, has a grade: 0 continuous, 1 it jumps, 2 an
 * impulse, 3 the derivative of one.
 *     x_j^(m+1) has at least one more than x_j^(m), when that is not 0
 *     row i, differentiated k <= c_i times, determines its matched x_j^(d_j - c_i + k): the largest grade of what is in it
 *     what no row determines is an integral: x_j^(m) has one less than x_j^(m+1)
 */
#include "sim/impulse.h"

#include <math.h>
#include <string.h>

#include "sim/sim_impl.h"

enum {
    MOST_NAMES = 4,
    MOST_MESSAGES = 10,
    HIGHEST_GRADE = 100 /* only the comparison with 1 and 2 matters: loops among rows end */
};
static const double seen_as_jump = 10; /* times the tolerance: less is the error of the solution on either side */

struct dd_impulses {
    double *before;     /* declared columns at the moment, before it */
    bool *jumps, *said; /* per declared column */
    uint32_t n_jumps, n_messages;
    uint32_t *offset; /* column -> its first grade */
    uint8_t *grade;
    double *moved, *dw; /* n: states before, and how far they are off the constraints behind, */
    double *residual;   /* of which these are the residuals */
};

dd_impulses *dd_impulses_new(const dd_sim *sim)
{
    const dd_system *s = sim->system;
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY || !s->off.d) {
        return NULL;
    }
    dd_pool *pool = sim->pool;
    dd_impulses *q = dd_pool_alloc(pool, sizeof *q);
    /* values before the moment; assertions are outputs too */
    q->before = dd_pool_alloc_array(pool, s->declared + sim->system->model->assertions.len + 1, sizeof *q->before);
    q->jumps = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *q->jumps);
    q->said = dd_pool_alloc_array(pool, s->ncols + 1, sizeof *q->said);
    q->offset = dd_pool_alloc_array(pool, s->ncols + 2, sizeof *q->offset);
    for (uint32_t j = 0; j < s->ncols; j++) {
        q->offset[j + 1] = q->offset[j] + s->off.d[j] + 1;
    }
    q->grade = dd_pool_alloc_array(pool, q->offset[s->ncols] + 1, sizeof *q->grade);
    const size_t own = sim->numbers->n, watched = dd_watch_unknowns(sim->watch), n = own > watched ? own : watched;
    q->moved = dd_pool_alloc_array(pool, n + 1, sizeof *q->moved);
    q->dw = dd_pool_alloc_array(pool, n + 1, sizeof *q->dw);
    const size_t rows = sim->watch ? dd_watch_count(sim->watch) : sim->numbers->problem.n_invariants;
    q->residual = dd_pool_alloc_array(pool, rows + 1, sizeof *q->residual);
    return q;
}

/* ---- grades ---- */

static bool raise_grade(uint8_t *grade, uint32_t to)
{
    to = to < HIGHEST_GRADE ? to : HIGHEST_GRADE;
    if (*grade >= to) {
        return false;
    }
    *grade = (uint8_t)to;
    return true;
}

/* One column: derivatives of what jumps, integrals of impulses. given: orders from here on are given by a row. */
static bool spread_in_column(uint8_t *grade, uint32_t d, uint32_t given)
{
    bool changed = false;
    /* each derivative of what jumps is one grade higher, integrals of impulses one lower */
    for (uint32_t m = 0; m < d; m++) {
        changed |= grade[m] > 0 && raise_grade(&grade[m + 1], grade[m] + 1u);
    }
    for (uint32_t m = given < d ? given : d; m-- > 0;) {
        changed |= grade[m + 1] > 1 && raise_grade(&grade[m], grade[m + 1] - 1u);
    }
    return changed;
}

static bool spread_in_row(const dd_system *s, dd_impulses *q, uint32_t i)
{
    const uint32_t own = s->off.row_match[i], c = s->off.c[i];
    bool changed = false;
    /* the k-th derivative of row i determines its matched unknown: it gets the worst grade of the others */
    for (uint32_t k = 0; k <= c; k++) {
        uint32_t most = 0;
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            const uint32_t j = s->inc.idx[e], reach = (uint32_t)s->inc.sigma[e] + k;
            const uint32_t order = reach < s->off.d[j] ? reach : s->off.d[j];
            const uint32_t there = j == own ? 0 : q->grade[q->offset[j] + order];
            most = there > most ? there : most;
        }
        changed |= raise_grade(&q->grade[q->offset[own] + s->off.d[own] - c + k], most);
    }
    return changed;
}

/* From the columns that jump to everything they reach. */
static void spread(const dd_system *s, dd_impulses *q)
{
    memset(q->grade, 0, q->offset[s->ncols] * sizeof *q->grade);
    /* grade 1 where a value was seen to jump */
    for (uint32_t j = 0; j < s->declared; j++) {
        q->grade[q->offset[j]] = q->jumps[j];
    }
    bool changed = true;
    /* to a fixed point: grades only rise and are bounded */
    for (uint32_t round = 0; changed && round <= s->ncols; round++) {
        dd_check_stop(s->ctx);
        changed = false;
        for (uint32_t j = 0; j < s->ncols; j++) {
            const uint32_t given = s->off.d[j] - s->off.c[s->off.col_match[j]];
            changed |= spread_in_column(q->grade + q->offset[j], s->off.d[j], given);
        }
        for (uint32_t i = 0; i < s->inc.n; i++) {
            changed |= spread_in_row(s, q, i);
        }
    }
}

/* ---- words ---- */

/* Columns of a kind: those that jump, those that are impulses, states that would have to jump. */
typedef enum kind { JUMPS, IMPULSE, STATE } kind;

static bool is_kind(const dd_system *s, const dd_impulses *q, uint32_t j, kind what)
{
    const uint8_t grade = q->grade[q->offset[j]];
    /* d > c: the value itself is not determined by a row, it is integrated */
    const bool state = s->off.d[j] > s->off.c[s->off.col_match[j]];
    return what == JUMPS ? q->jumps[j] : what == IMPULSE ? grade > 1 && !state : grade > 0 && state && !q->jumps[j];
}

static uint32_t list(const dd_sim *sim, const dd_impulses *q, kind what, dd_text *out)
{
    const dd_system *s = sim->system;
    uint32_t count = 0;
    for (uint32_t j = 0; j < s->declared; j++) {
        if (!is_kind(s, q, j, what) || count++ >= MOST_NAMES) {
            continue;
        }
        dd_text_printf(out, "%s%s", count > 1 ? ", " : "", dd_system_column_name(s, j, sim->pool));
        if (what == JUMPS) {
            dd_text_printf(out, " jumps from %.6g to %.6g", q->before[j], sim->values[j]);
        }
    }
    if (count > MOST_NAMES) {
        dd_text_printf(out, " and %u more", count - MOST_NAMES);
    }
    return count;
}

/* The input whose formula has this condition. */
static const char *input_with(const dd_sim *sim, dd_expr node)
{
    const dd_model *m = sim->system->model;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const dd_variable *u = &m->vars.data[v];
        if (u->kind == DD_KIND_INPUT && u->binding != DD_EXPR_NONE && dd_depends(m->dag, u->binding, node)) {
            return dd_pool_printf(sim->pool, " of the input %s", dd_model_var_name_dup(m, v, sim->pool));
        }
    }
    return "";
}

/* ", where `time < 0.5` of the input u changes": what makes the moment. */
static const char *cause(const dd_sim *sim, const dd_switch_vec *list_of, uint32_t which, double t)
{
    const dd_model *m = sim->system->model;
    /* a condition on time alone at this moment, or the table of inputs */
    for (uint32_t k = 0; k < list_of->len && which == DD_NO_INDEX; k++) {
        const dd_switch *w = &list_of->data[k];
        which = w->only_time && fabs(w->at - t) <= 1e-12 * fmax(1, fabs(t)) ? k : which;
    }
    if (which == DD_NO_INDEX) {
        const char *path = sim->inputs ? dd_inputs_path(sim->inputs) : NULL;
        return path          ? dd_pool_printf(sim->pool, ", where an input of %s jumps", path)
               : sim->inputs ? ", where an input or a parameter was set"
                             : "";
    }
    dd_text text = dd_text_new(sim->pool);
    dd_namer namer = dd_model_namer(m);
    dd_print(m->dag, list_of->data[which].shown, &namer, &text);
    return dd_pool_printf(sim->pool, ", where `%s`%s changes", dd_text_str(&text),
                          input_with(sim, list_of->data[which].shown));
}

static const char *advice =
    "smooth the jump (a ramp that is steep but finite; with index 3 one whose slope is continuous), "
    "or let the model say what happens there";

static void say(dd_sim *sim, dd_impulses *q, const char *where, double t)
{
    /* each column is said once */
    bool fresh = false;
    for (uint32_t j = 0; j < sim->system->declared; j++) {
        fresh = fresh || (q->jumps[j] && !q->said[j]);
        q->said[j] = q->said[j] || q->jumps[j];
    }
    if (!fresh || q->n_messages++ >= MOST_MESSAGES) {
        return;
    }
    dd_text jumps = dd_text_new(sim->pool), hit = dd_text_new(sim->pool);
    list(sim, q, JUMPS, &jumps);
    const uint32_t count = list(sim, q, IMPULSE, &hit);
    /* names of what is an impulse there, if any */
    const char *values = count == 0
                             ? ""
                             : dd_pool_printf(sim->pool, ", and so %s %s, which %s no value at that moment",
                                              count > 1 ? "are" : "is", dd_text_str(&hit), count > 1 ? "have" : "has");
    dd_vec_push(sim->pool, &sim->messages,
                (const char *)dd_pool_printf(sim->pool,
                                             "impulse at time %.10g%s: %s, and the derivative, which the equations "
                                             "need, is an impulse there%s; rows show what is before and after",
                                             t, where, dd_text_str(&jumps), values));
}

static void refuse(dd_sim *sim, dd_impulses *q, const char *where, double t)
{
    dd_text jumps = dd_text_new(sim->pool), hit = dd_text_new(sim->pool);
    list(sim, q, JUMPS, &jumps);
    list(sim, q, STATE, &hit);
    dd_sim_end(sim, DD_SIM_SINGULAR,
               dd_pool_printf(
                   sim->pool,
                   "at time %.10g%s, %s, and the derivative, an impulse there, acts on %s, which would have to jump "
                   "as well: %s",
                   t, where, dd_text_str(&jumps), dd_text_str(&hit), advice));
}

/* Moments that are known are exact; one that was found during the run has the errors of the solution up to there,
 * which several relations that change at about that moment turn into small jumps. */
static double accuracy(const dd_switch_vec *list, uint32_t which)
{
    const bool by_time = which == DD_NO_INDEX || list->data[which].columns == 0; /* mod(time, 2) */
    return by_time ? 1.0 : 100.0;
}

/* ---- states that a constraint wants elsewhere ---- */

/* The variables of a row that was differentiated `level` times. */
static const char *names_of_row(const dd_sim *sim, uint32_t eq, uint32_t level)
{
    const dd_system *s = sim->system;
    dd_text out = dd_text_new(sim->pool);
    uint32_t count = 0;
    /* velocities of the row's variables, as the model names them */
    for (uint32_t e = s->inc.ptr[eq]; e < s->inc.ptr[eq + 1]; e++) {
        uint32_t var = s->unknown[s->inc.idx[e]];
        for (uint32_t k = 0; k < level && var != DD_NO_INDEX; k++) {
            var = s->velocity[var];
        }
        if (var == DD_NO_INDEX || !s->differentiated[s->inc.idx[e]] || count++ >= MOST_NAMES) {
            continue;
        }
        dd_text_printf(&out, "%s%s", count > 1 ? ", " : "", dd_model_var_name_dup(s->model, var, sim->pool));
    }
    return count > 0 ? dd_text_str(&out) : "its variables";
}

/* States behind an event, the numbers that they are unknowns of, and what moves them onto the constraints. */
typedef struct states {
    const dd_numbers *numbers;
    dd_projector *projector;
    double *w;
} states;

/* With equations as written: those of the reduced system before the event, beside the constraints behind it. */
static states states_of(dd_sim *sim, double t)
{
    states x = {sim->numbers, sim->projector, sim->w};
    if (sim->watch) {
        x.numbers = dd_watch_states(sim->watch, t, sim->impulses->before, &x.projector, &x.w);
    }
    return x;
}

/* Is a state further from the constraints than the tolerance sees? In the run's own weights. */
static bool is_off(dd_sim *sim, const states *x, double t, uint32_t which)
{
    const dd_numbers *n = x->numbers;
    dd_impulses *q = sim->impulses;
    const double tol = dd_sim_tolerance(sim);
    /* without projection the drift of the run is no jump; a watched point was moved onto the constraints before */
    const bool drifts = sim->options.stabilize != DD_STABILIZE_PROJECTION && !sim->watch;
    const double most = seen_as_jump * (drifts ? 1e3 : accuracy(&sim->numbers->switches, which));
    /* one correction in the nominals: how far the constraints want the states */
    memcpy(q->moved, x->w, n->n * sizeof *q->moved);
    dd_project(x->projector, t, q->moved, n->problem.nominal, 1, q->dw);
    bool off = false;
    for (uint32_t j = 0; j < n->n && !off; j++) {
        const double least = sim->options.atol > 0 ? sim->options.atol : tol * n->problem.nominal[j];
        const double size = (sim->watch ? least : sim->atol[j]) + tol * fabs(x->w[j]);
        off = n->problem.differential[j] && fabs(q->dw[j]) > most * size;
    }
    return off;
}

static bool off_the_constraints(dd_sim *sim, const char *where, double t, uint32_t which)
{
    const states x = states_of(sim, t);
    const dd_problem *p = &x.numbers->problem;
    if (!x.projector || !is_off(sim, &x, t, which)) {
        return false;
    }
    /* the constraint that is violated most names the culprit */
    uint32_t worst = 0;
    double *c = sim->impulses->residual;
    p->invariants(p->user, t, x.w, c);
    for (uint32_t k = 1; k < p->n_invariants; k++) {
        worst = fabs(c[k]) > fabs(c[worst]) ? k : worst;
    }
    const dd_system *s = sim->system;
    const dd_equations *q = x.numbers->equations;
    const uint32_t eq = q->invariant_eq.data[worst], level = q->invariant_level.data[worst];
    dd_sim_end(sim, DD_SIM_SINGULAR,
               dd_pool_printf(sim->pool, "at time %.10g%s, %s%s requires a jump of %s, which are states: %s", t, where,
                              level == 0   ? ""
                              : level == 1 ? "the derivative of "
                                           : "a higher derivative of ",
                              dd_system_row_words(s, &s->eqs.data[eq], sim->pool), names_of_row(sim, eq, level),
                              advice));
    return true;
}

/* ---- looking ---- */

/* Marks the differentiated columns whose values differ: before it in q->before, now in sim->values. */
static bool find_jumps(const dd_sim *sim, dd_impulses *q, const dd_switch_vec *switches, uint32_t which)
{
    const double most = seen_as_jump * accuracy(switches, which);
    const dd_system *s = sim->system;
    const double tol = dd_sim_tolerance(sim);
    q->n_jumps = 0;
    /* differentiated columns alone: a jump of another one has no derivative that matters */
    for (uint32_t j = 0; j < s->declared; j++) {
        const double a = q->before[j], b = sim->values[j];
        const double small = sim->options.atol > 0 ? sim->options.atol : tol * s->size[j];
        q->jumps[j] = s->differentiated[j] && fabs(b - a) > most * (small + tol * fmax(fabs(a), fabs(b)));
        q->n_jumps += q->jumps[j];
    }
    return q->n_jumps > 0;
}

/* Something jumps: a message, or the end. */
static bool judge(dd_sim *sim, dd_impulses *q, const char *where, double t)
{
    const dd_system *s = sim->system;
    spread(s, q);
    for (uint32_t j = 0; j < s->declared; j++) {
        if (is_kind(s, q, j, STATE) && !sim->options.through) {
            refuse(sim, q, where, t);
            return false;
        }
    }
    say(sim, q, where, t);
    return true;
}

void dd_sim_before_event(dd_sim *sim, double t)
{
    if (sim->impulses) {
        dd_sim_point(sim, t);
        dd_numbers_outputs(sim->numbers, t, sim->w, sim->wdot, sim->values);
        /* equations as written go on from a point that is made consistent: what they were off by is no jump */
        if (sim->watch) {
            dd_watch_complete(sim->watch, t, sim->values);
        }
        memcpy(sim->impulses->before, sim->values, sim->system->declared * sizeof(double));
    }
}

bool dd_sim_behind_event(dd_sim *sim, double t, uint32_t which)
{
    dd_impulses *q = sim->impulses;
    if (!q) {
        return true;
    }
    dd_numbers_outputs(sim->numbers, t, sim->w, sim->wdot, sim->values);
    const bool jumps = find_jumps(sim, q, &sim->numbers->switches, which);
    if (!jumps && sim->numbers->problem.n_invariants == 0 && dd_watch_count(sim->watch) == 0) {
        return true;
    }
    const char *where = cause(sim, &sim->numbers->switches, which, t);
    if (off_the_constraints(sim, where, t, which)) {
        return false;
    }
    return !jumps || judge(sim, q, where, t);
}

void dd_sim_before_kink(dd_sim *sim)
{
    if (sim->impulses) {
        memcpy(sim->impulses->before, sim->values, sim->system->declared * sizeof(double));
    }
}

bool dd_sim_behind_kink(dd_sim *sim, double t, uint32_t which)
{
    dd_impulses *q = sim->impulses;
    return !q || !find_jumps(sim, q, &sim->numbers->kinks, which) ||
           judge(sim, q, cause(sim, &sim->numbers->kinks, which, t), t);
}
