/* guess.c - the guesses of the model text, compiled as functions of time; lines to the end; values of a source made
 * consistent point by point. */
#include "ocp/guess.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "eval/program.h"
#include "ocp/compiled.h"
#include "ocp/guess_consistent.h"

struct dd_guess_source {
    dd_ocp_problem *o;
    /* written */
    dd_program_work *work;
    double *out;
    /* linear */
    bool *has_line; /* per state */
    double *begin, *end;
    const dd_guess_table *table; /* NULL: none */
    dd_consistent *consistent;   /* NULL: nothing to be done */
    dd_guess inner;              /* at == NULL: the source itself */
    double *last_x;              /* the last consistent states */
    bool has_last;
};

/* ---- written ---- */

static void add_guesses(dd_ocp_problem *o, const dd_decision_vec *list, dd_expr_vec *out, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        const double value = d->open_guess != 0 ? d->open_guess : d->start_value;
        dd_vec_push(pool, out, d->guess != DD_EXPR_NONE ? d->guess : dd_num(o->dag, value));
    }
}

static void compile_written(dd_guess_source *g, dd_pool *pool)
{
    dd_ocp_problem *o = g->o;
    dd_expr_vec outputs = {0};
    /* all of them in one compiled function of time */
    add_guesses(o, &o->x, &outputs, pool);
    add_guesses(o, &o->z, &outputs, pool);
    add_guesses(o, &o->u, &outputs, pool);
    g->out = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *g->out);
    g->work = dd_ocp_compile(o, &o->time, 1, outputs.data, outputs.len, pool);
}

static double finite_or_zero(double v)
{
    return isfinite(v) ? v : 0;
}

static void written_at(dd_guess_source *g, double theta, double *x, double *z, double *u)
{
    const dd_ocp_problem *o = g->o;
    double t = o->t0_value + theta * (o->tf_value - o->t0_value), *out = g->out;
    const double *in[] = {&t};
    /* a guess without a value there is 0 */
    dd_program_eval(g->work, in, out);
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = finite_or_zero(*out++);
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        z[i] = finite_or_zero(*out++);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        u[i] = finite_or_zero(*out++);
    }
}

/* ---- linear ---- */

void dd_ocp_rows_on_state(const dd_ocp_problem *o, uint32_t instant, uint32_t state, double *lower, double *upper)
{
    dd_expr symbol = o->instants.data[instant].x.data[state];
    *lower = -INFINITY;
    *upper = INFINITY;
    /* one state at one instant with numbers: x(finalTime) = 1, x(startTime) >= 2 */
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        dd_expr coefficient, rest;
        double a, b;
        if (dd_linear(o->dag, row->e, &symbol, 1, &coefficient, &rest) && dd_ocp_number(o, coefficient, &a) && a != 0 &&
            dd_ocp_number(o, rest, &b)) {
            /* a x + b between the bounds of the row */
            *lower = fmax(*lower, ((a > 0 ? row->lower : row->upper) - b) / a);
            *upper = fmin(*upper, ((a > 0 ? row->upper : row->lower) - b) / a);
        }
    }
}

/* The value of a state at an instant, where a row gives one. */
static bool row_value(const dd_ocp_problem *o, uint32_t instant, uint32_t state, double *value)
{
    double lower, upper;
    dd_ocp_rows_on_state(o, instant, state, &lower, &upper);
    *value = lower == upper ? lower : *value;
    return lower == upper;
}

static bool draw_lines(dd_guess_source *g, dd_pool *pool)
{
    const dd_ocp_problem *o = g->o;
    bool any = false;
    double *z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(pool, o->u.len + 1, sizeof *u);
    g->has_line = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *g->has_line);
    g->begin = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *g->begin);
    g->end = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *g->end);
    /* lines begin at the start, or at a value that is given there, or where the text says */
    written_at(g, 0, g->begin, z, u);
    for (uint32_t i = 0; i < o->x.len; i++) {
        const dd_variable *v = &o->model->vars.data[o->x.data[i].var];
        if (o->x_start != NULL) {
            g->begin[i] = o->x_start[i];
        } else if (!row_value(o, 0, i, &g->begin[i]) && v->fixed) {
            g->begin[i] = v->start_value;
        }
        g->has_line[i] = row_value(o, 1, i, &g->end[i]);
        any = any || g->has_line[i];
    }
    return any;
}

/* ---- all of them ---- */

static double held(double value, const dd_decision *d)
{
    return fmin(fmax(finite_or_zero(value), d->lower), d->upper);
}

static void raw_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    dd_guess_source *g = user;
    const dd_ocp_problem *o = g->o;
    written_at(g, theta, x, z, u);
    /* later sources win: the text, lines, a table */
    for (uint32_t i = 0; g->has_line != NULL && i < o->x.len; i++) {
        x[i] = g->has_line[i] ? g->begin[i] + theta * (g->end[i] - g->begin[i]) : x[i];
    }
    if (g->table != NULL) {
        dd_guess_table_at(g->table, o, theta, left, x, z, u);
    }
}

static void make_consistent(dd_guess_source *g, double theta, double *x, double *z, const double *u)
{
    const dd_ocp_problem *o = g->o;
    double t = o->t0_value + theta * (o->tf_value - o->t0_value);
    /* neighbours are close: from half of the way to the last point that worked */
    if (!dd_consistent_point(g->consistent, t, x, z, u) && g->has_last) {
        for (uint32_t i = 0; i < o->x.len; i++) { /* from between here and where it worked */
            x[i] = 0.5 * (x[i] + g->last_x[i]);
        }
        if (!dd_consistent_point(g->consistent, t, x, z, u)) {
            return;
        }
    }
    memcpy(g->last_x, x, o->x.len * sizeof *x);
    g->has_last = true;
}

static void source_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    dd_guess_source *g = user;
    const dd_ocp_problem *o = g->o;
    /* a wrapper of the source, for example a perturbation */
    if (g->inner.at != NULL) {
        g->inner.at(g->inner.user, theta, left, x, z, u);
    } else {
        raw_at(g, theta, left, x, z, u);
    }
    /* within bounds first, then on the constraints; z follows from both */
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = held(x[i], &o->x.data[i]);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        u[i] = held(u[i], &o->u.data[i]);
    }
    if (g->consistent != NULL) {
        make_consistent(g, theta, x, z, u);
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        z[i] = held(z[i], &o->z.data[i]);
    }
}

void dd_guess_source_new(dd_guess_source **out, dd_ocp_problem *o, const char *kind, dd_pool *pool)
{
    dd_guess_source *g = dd_pool_alloc(pool, sizeof *g);
    bool simulate = kind != NULL && strcmp(kind, "simulate") == 0, line = kind != NULL && strcmp(kind, "linear") == 0;
    *out = g;
    g->o = o;
    g->last_x = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *g->last_x);
    /* any other word is the name of a file */
    if (kind != NULL && !simulate && !line) {
        g->table = dd_guess_table_read(o, kind, pool);
    }
    compile_written(g, pool);
    if (line) {
        draw_lines(g, pool);
    }
    /* something must be made consistent */
    if (o->z.len > 0 || o->equations->invariants.len > 0 || simulate) {
        dd_consistent_new(&g->consistent, o, pool);
    }
    if (simulate) {
        dd_guess controls = {.user = g, .at = raw_at};
        g->table = dd_consistent_simulate(g->consistent, &controls, false, pool);
    }
}

void dd_guess_source_free(dd_guess_source *g)
{
    if (g != NULL) {
        dd_consistent_free(g->consistent);
    }
}

dd_guess dd_guess_source_as(dd_guess_source *g)
{
    g->inner = (dd_guess){0};
    return (dd_guess){.user = g, .at = source_at};
}

bool dd_guess_source_lines(dd_guess_source *g)
{
    return g->has_line == NULL && g->table == NULL && draw_lines(g, g->o->pool);
}

void dd_guess_source_no_lines(dd_guess_source *g)
{
    g->has_line = NULL;
}

bool dd_guess_source_simulate(dd_guess_source *g, const dd_guess *controls)
{
    if (g->consistent == NULL) {
        dd_consistent_new(&g->consistent, g->o, g->o->pool);
    }
    const dd_guess_table *table = dd_consistent_simulate(g->consistent, controls, true, g->o->pool);
    if (table != NULL) {
        g->table = table;
    }
    return table != NULL;
}

const dd_guess_table *dd_guess_source_table(const dd_guess_source *g)
{
    return g->table;
}

void dd_guess_source_use_table(dd_guess_source *g, const dd_guess_table *table)
{
    g->table = table;
}

dd_guess dd_guess_source_raw(dd_guess_source *g)
{
    return (dd_guess){.user = g, .at = raw_at};
}

dd_guess dd_guess_source_around(dd_guess_source *g, const dd_guess *inner)
{
    g->inner = *inner;
    return (dd_guess){.user = g, .at = source_at};
}
