/* guess_consistent.c - projection of guessed states, Newton for algebraic variables, simulation under guessed
 * controls. */
#include "ocp/guess_consistent.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "dynamics/numbers.h"
#include "integ/project.h"
#include "integ/radau.h"
#include "integ/slopes.h"
#include "ocp/data.h"

enum { MOST_NEWTON = 60, MOST_STEPS = 20000, ROWS = 400, LEAST_PER_STEP = 4 };
static const double simulation_tolerance = 1e-6, rest_tolerance = 1e-6;
static const double unmoved = 1e-10; /* correction in expected sizes: the point is on the constraints */

struct dd_consistent {
    dd_ocp_problem *o;
    dd_numbers *numbers;
    dd_projector *projector; /* NULL: no invariants */
    dd_slopes *slopes;
    dd_integrator *integrator;
    /* where the unknowns of the numbers are in the problem */
    uint32_t *x_of, *z_of; /* per w_j: index in o->x or o->z, DD_NO_INDEX */
    uint32_t *rate_of;     /* per w_j: its derivative's index in o->z */
    uint32_t *input_of;    /* per input symbol: index in o->u, or o->u.len + that in o->data; DD_NO_INDEX: 0 */
    double *w, *wdot, *dw, *weight, *switching;
    const double *u;       /* controls at the point looked at */
    const dd_guess *guess; /* not NULL: they come from here, at any time */
    double *guess_x, *guess_z, *guess_u;
    bool quiet; /* a simulation that fails is no news */
};

/* ---- making ---- */

static uint32_t find(const dd_decision_vec *list, dd_expr symbol)
{
    uint32_t i = 0;
    while (i < list->len && list->data[i].symbol != symbol) {
        i++;
    }
    return i < list->len ? i : DD_NO_INDEX;
}

static void input_values(void *user, double t, double *out)
{
    dd_consistent *c = user;
    const dd_ocp_problem *o = c->o;
    const double *u = c->u;
    /* while a simulation runs, controls at any time come from the guess */
    if (c->guess != NULL) {
        double theta = (t - o->t0_value) / (o->tf_value - o->t0_value);
        c->guess->at(c->guess->user, fmin(fmax(theta, 0), 1), theta >= 1, c->guess_x, c->guess_z, c->guess_u);
        u = c->guess_u;
    }
    /* controls, then data; inputs that nothing supplies are 0 */
    for (uint32_t i = 0; i < c->numbers->inputs.len; i++) {
        uint32_t at = c->input_of[i];
        out[i] = at == DD_NO_INDEX ? 0
                 : at < o->u.len   ? u[at]
                                   : dd_data_at(o->data.data[at - o->u.len].column, t, t >= o->tf_value);
    }
}

static void connect(dd_consistent *c, dd_pool *pool)
{
    const dd_ocp_problem *o = c->o;
    dd_numbers *q = c->numbers;
    c->x_of = dd_pool_alloc_array(pool, q->n + 1, sizeof *c->x_of);
    c->z_of = dd_pool_alloc_array(pool, q->n + 1, sizeof *c->z_of);
    c->rate_of = dd_pool_alloc_array(pool, q->n + 1, sizeof *c->rate_of);
    c->input_of = dd_pool_alloc_array(pool, q->inputs.len + 1, sizeof *c->input_of);
    /* unknowns of the compiled equations to those of the problem, by symbol */
    for (uint32_t j = 0; j < q->n; j++) {
        c->x_of[j] = find(&o->x, q->w.data[j]);
        c->z_of[j] = find(&o->z, q->w.data[j]);
        c->rate_of[j] = q->problem.differential[j] ? find(&o->z, q->rate_symbol.data[j]) : DD_NO_INDEX;
    }
    /* data win over a control of the same symbol */
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        c->input_of[i] = find(&o->u, q->inputs.data[i]);
        for (uint32_t k = 0; k < o->data.len; k++) {
            c->input_of[i] = o->data.data[k].symbol == q->inputs.data[i] ? o->u.len + k : c->input_of[i];
        }
    }
    q->source = (dd_input_source){.user = c, .values = input_values};
}

static void must(dd_consistent *c, dd_status status)
{
    if (status != DD_OK) {
        dd_raise(c->o->system->ctx, status, "%s", dd_status_text(status));
    }
}

void dd_consistent_new(dd_consistent **out, dd_ocp_problem *o, dd_pool *pool)
{
    dd_consistent *c = dd_pool_alloc(pool, sizeof *c);
    dd_index_vec supplied = {0};
    *out = c;
    c->o = o;
    /* inputs that somebody supplies: controls and data */
    for (uint32_t i = 0; i < o->u.len; i++) {
        dd_vec_push(pool, &supplied, o->u.data[i].var);
    }
    for (uint32_t i = 0; i < o->data.len; i++) {
        dd_vec_push(pool, &supplied, o->data.data[i].column->var);
    }
    /* the same equations as in a simulation */
    c->numbers = o->stabilised ? dd_numbers_new(o->system, o->form, 0, &supplied, NULL, pool)
                               : dd_numbers_of(o->system, o->equations, &supplied, NULL, pool);
    connect(c, pool);
    c->u = c->guess_u = dd_pool_alloc_array(pool, o->u.len + 1, sizeof *c->guess_u);
    uint32_t n = c->numbers->n;
    /* projection onto the invariants, and x', z from x */
    must(c, dd_projector_new(&c->projector, o->system->ctx, &c->numbers->problem));
    must(c, dd_slopes_new(&c->slopes, o->system->ctx, &c->numbers->problem));
    c->w = dd_pool_alloc_array(pool, n + 1, sizeof *c->w);
    c->wdot = dd_pool_alloc_array(pool, n + 1, sizeof *c->wdot);
    c->dw = dd_pool_alloc_array(pool, n + 1, sizeof *c->dw);
    c->weight = dd_pool_alloc_array(pool, n + 1, sizeof *c->weight);
    c->switching = dd_pool_alloc_array(pool, c->numbers->switches.len + 1, sizeof *c->switching);
    c->guess_x = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *c->guess_x);
    c->guess_z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *c->guess_z);
    /* corrections are smallest in expected sizes */
    for (uint32_t j = 0; j < n; j++) {
        c->weight[j] = c->x_of[j] != DD_NO_INDEX ? o->x.data[c->x_of[j]].scale : 1;
    }
}

void dd_consistent_free(dd_consistent *c)
{
    if (c != NULL) {
        dd_integ_free(c->integrator);
        dd_slopes_free(c->slopes);
        dd_projector_free(c->projector);
        dd_numbers_free(c->numbers);
    }
}

/* ---- a point ---- */

static void load(dd_consistent *c, const double *x, const double *z)
{
    for (uint32_t j = 0; j < c->numbers->n; j++) {
        c->w[j] = c->x_of[j] != DD_NO_INDEX ? x[c->x_of[j]] : c->z_of[j] != DD_NO_INDEX ? z[c->z_of[j]] : 0;
        c->wdot[j] = c->rate_of[j] != DD_NO_INDEX ? z[c->rate_of[j]] : 0;
    }
}

static void store_x(const dd_consistent *c, const double *w, double *x)
{
    for (uint32_t j = 0; j < c->numbers->n; j++) {
        if (c->x_of[j] != DD_NO_INDEX) {
            x[c->x_of[j]] = w[j];
        }
    }
}

/* open_only: not those that enter linearly. */
static void store_z(const dd_consistent *c, const double *w, const double *wdot, bool open_only, double *z)
{
    for (uint32_t j = 0; j < c->numbers->n; j++) {
        if (c->z_of[j] != DD_NO_INDEX && !(open_only && c->o->z.data[c->z_of[j]].affine)) {
            z[c->z_of[j]] = w[j];
        }
        if (c->rate_of[j] != DD_NO_INDEX) {
            z[c->rate_of[j]] = wdot[j];
        }
    }
}

/* Whether the model is at rest here: over the whole horizon nothing would move. Then the guess solves the model, and
 * forces of constraints belong to it: a load that hangs from a rope without force is free of it to first order, and a
 * program linearised there cannot be solved. */
static bool rests(const dd_consistent *c)
{
    const dd_ocp_problem *o = c->o;
    double horizon = fabs(o->tf_value - o->t0_value);
    bool still = true;
    for (uint32_t j = 0; j < c->numbers->n; j++) {
        /* a state at rest moves by less than rounding over the whole horizon */
        still = still && !(c->x_of[j] != DD_NO_INDEX && fabs(c->wdot[j]) * horizon > rest_tolerance * c->weight[j]);
    }
    return still;
}

/* Branches as they are at this point. */
static void set_modes(dd_consistent *c, double t, const double *w, const double *wdot)
{
    dd_numbers *q = c->numbers;
    if (q->switches.len > 0) {
        /* relations as they are at this point: the branch is frozen for the solves */
        dd_numbers_switching(q, t, w, wdot, c->switching);
        for (uint32_t k = 0; k < q->switches.len; k++) {
            dd_numbers_freeze(q, k, dd_switch_mode_at(&q->switches.data[k], c->switching[k], t));
        }
    }
}

/* Newton on c = 0 with smallest corrections, until they are rounding. */
static bool project(dd_consistent *c, double t)
{
    for (int k = 0; k < MOST_NEWTON && c->projector != NULL; k++) {
        dd_projection r = dd_project(c->projector, t, c->w, c->weight, 1, c->dw);
        /* on the invariants to rounding */
        if (r.violation == 0 || (r.converged && r.moved < unmoved)) {
            return true;
        }
        /* no value, or no direction to move in */
        if (!isfinite(r.violation) || !(r.moved > 0) || !isfinite(r.moved)) {
            return false;
        }
    }
    return c->projector == NULL;
}

bool dd_consistent_point(dd_consistent *c, double t, double *x, double *z, const double *u)
{
    c->u = u;
    load(c, x, z);
    /* states first, then rates and algebraic variables; a failed projection leaves the guess as it was */
    bool ok = project(c, t);
    if (ok) {
        store_x(c, c->w, x);
    } else {
        load(c, x, z);
    }
    set_modes(c, t, c->w, c->wdot);
    dd_slopes_info info = dd_slopes_solve(c->slopes, t, c->w, c->wdot);
    if (info.converged && info.finite) {
        /* algebraic variables that enter linearly are left to the solver, except where the model rests */
        store_z(c, c->w, c->wdot, !rests(c), z);
    }
    return ok && info.converged && info.finite;
}

/* ---- simulation ---- */

static void keep_row(dd_consistent *c, dd_guess_table *table, double t, const double *w, const double *wdot,
                     double *row)
{
    const dd_ocp_problem *o = c->o;
    store_x(c, w, row);
    store_z(c, w, wdot, false, row + o->x.len);
    dd_guess_table_add(table, (t - o->t0_value) / (o->tf_value - o->t0_value), row);
}

static bool failed(dd_consistent *c, double t, const char *why)
{
    dd_ocp_problem *o = c->o;
    if (c->quiet) {
        return false;
    }
    dd_vec_push(
        o->pool, &o->messages,
        dd_pool_printf(o->pool,
                       "the simulation for the guess stopped at time %g (%s): the guess of the model text is used", t,
                       why));
    return false;
}

/* Rows of the last step. */
static void keep_step(dd_consistent *c, dd_guess_table *table, double *row)
{
    const dd_integrator *it = c->integrator;
    double h = it->t - it->t_old, horizon = c->o->tf_value - c->o->t0_value;
    /* at least a few rows per step, about 400 over the horizon */
    uint32_t n = (uint32_t)fmax(LEAST_PER_STEP, ceil(ROWS * h / horizon));
    for (uint32_t i = 1; i < n; i++) {
        double t = it->t_old + h * i / n;
        dd_integ_interpolate(it, t, c->w, c->wdot);
        keep_row(c, table, t, c->w, c->wdot, row);
    }
    keep_row(c, table, it->t, it->w, it->wdot, row);
}

static bool all_finite(const double *v, uint32_t n)
{
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        ok = ok && isfinite(v[i]);
    }
    return ok;
}

static bool run(dd_consistent *c, dd_guess_table *table, dd_pool *pool)
{
    const dd_ocp_problem *o = c->o;
    double *row = dd_pool_alloc_array(pool, table->width + 1, sizeof *row);
    dd_integrator *it = c->integrator;
    dd_step_verdict v = dd_integ_start(it, o->t0_value, c->w, c->wdot);
    /* a start that the integrator refuses */
    if (v != DD_STEP_OK) {
        return failed(c, o->t0_value, dd_step_verdict_text(v));
    }
    keep_row(c, table, it->t, it->w, it->wdot, row);
    /* events are passed without stopping: relations change after a step */
    for (int k = 0; it->t < o->tf_value; k++) {
        dd_check_stop(o->system->ctx);
        v = k < MOST_STEPS ? dd_integ_step(it, o->tf_value) : DD_STEP_STEP_TOO_SMALL;
        if (v != DD_STEP_OK || !all_finite(it->w, c->numbers->n)) {
            return failed(c, it->t, v != DD_STEP_OK ? dd_step_verdict_text(v) : "nonfinite");
        }
        keep_step(c, table, row);
        set_modes(c, it->t, it->w, it->wdot);
    }
    return true;
}

dd_guess_table *dd_consistent_simulate(dd_consistent *c, const dd_guess *controls, bool quiet, dd_pool *pool)
{
    c->quiet = quiet;
    const dd_ocp_problem *o = c->o;
    dd_context *ctx = o->system->ctx;
    dd_guess_table *table = dd_guess_table_new(o, pool);
    uint32_t n = c->numbers->n;
    double *atol = dd_pool_alloc_array(pool, n + 1, sizeof *atol);
    double *x = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *x);
    double *z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(pool, o->u.len + 1, sizeof *u);
    /* 1e-6: it is a guess */
    for (uint32_t j = 0; j < n; j++) {
        atol[j] = simulation_tolerance * c->numbers->problem.nominal[j];
    }
    for (uint32_t i = 0; i < o->x.len + o->z.len; i++) {
        table->has[i] = true;
    }
    /* invariants are kept by projection, as in a simulation */
    dd_integ_options options = {.rtol = simulation_tolerance, .atol = atol, .project = c->projector != NULL};
    dd_integ_free(c->integrator);
    c->integrator = NULL;
    must(c, dd_radau_new(&c->integrator, ctx, &c->numbers->problem, &options));
    /* controls of the guess, the given start where there is one */
    controls->at(controls->user, 0, false, x, z, u);
    if (o->x_start != NULL) {
        memcpy(x, o->x_start, o->x.len * sizeof *x);
    }
    bool ok = dd_consistent_point(c, o->t0_value, x, z, u) || failed(c, o->t0_value, "no consistent start");
    c->guess = controls;
    ok = ok && run(c, table, pool);
    c->guess = NULL;
    return ok ? table : NULL;
}
