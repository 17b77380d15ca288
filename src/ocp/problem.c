/* problem.c - from the analysed model and its optimization class to functions of x, z, u, p and time.
 *
 * Here: decisions, the dynamics, the times and the start. problem_resolve.c expresses the rest of the model in
 * that, problem_rows.c reads the constraints. dd_ocp_problem_new, at the end, is where to begin.
 */
#include "ocp/problem.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/text.h"
#include "init/start.h"
#include "ocp/data.h"
#include "ocp/phases.h"
#include "ocp/problem_impl.h"
#include "ocp/sizes.h"
#include "ocp/window.h"
#include "structure/numeric.h"

#define ROUNDING 1e-14 /* of the terms a value comes from */

/* ---- decisions ---- */

double dd_ocp_expected_size(const dd_decision *d, double guess)
{
    /* a nominal that is written decides; else guess and bounds, where they are far from 1 */
    const double size = fmax(fabs(guess), dd_size_of_bounds(d->lower, d->upper));
    /* between 1e-2 and 100 a size of 1 does no harm, and most values need no scaling */
    return d->nominal > 0 ? d->nominal : size > 100 ? size : size > 0 && size < 1e-2 ? size : 1;
}

/* The remainder of terms that cancel, or of cos(pi/2), is not a size. A function of a number is a number
 * before it comes here; numbers that people write have fewer digits. */
static bool is_rounding(const dd_ocp_problem *o, dd_expr e)
{
    char digits[32];
    const char *end;
    double value = 0, magnitude = 0;
    uint32_t culprit;
    /* expressions with a value only */
    if (e == DD_EXPR_NONE || !dd_model_evaluate(o->model, e, false, &value, &culprit)) {
        return false;
    }
    /* a number that nobody would write: more digits than 15 and next to nothing */
    if (dd_op_of(o->dag, e) == DD_OP_NUM) {
        dd_snprintf(digits, sizeof digits, "%.15g", value);
        return fabs(value) < ROUNDING && dd_number_parse(digits, &end) != value;
    }
    /* terms that cancel: the value is at the rounding of its largest term */
    value = dd_numeric_value(o->system, e, &(dd_numeric_place){.outside.time = o->t0_value}, &magnitude, o->pool);
    return fabs(value) <= ROUNDING * magnitude;
}

static double guess_number(const dd_ocp_problem *o, const dd_variable *v)
{
    double value = v->start_value;
    dd_expr from = v->start;
    uint32_t culprit;
    /* a guess in the text comes before the start value; one that depends on time has no single number */
    if (v->guess != DD_EXPR_NONE) {
        bool fixed = dd_model_evaluate(o->model, v->guess, false, &value, &culprit);
        value = fixed ? value : v->start_value; /* otherwise an expression of time */
        from = fixed ? v->guess : v->start;
    }
    return is_rounding(o, from) ? 0 : value;
}

double dd_ocp_guess_number(const dd_ocp_problem *o, const dd_decision *d)
{
    double value = d->start_value;
    uint32_t culprit;
    /* a guess that depends on time has no single number */
    if (d->guess != DD_EXPR_NONE && !dd_model_evaluate(o->model, d->guess, false, &value, &culprit)) {
        value = d->start_value;
    }
    return is_rounding(o, d->guess) ? 0 : value;
}

static dd_decision decision(const dd_ocp_problem *o, dd_expr symbol)
{
    uint32_t var = dd_symbol_id(o->dag, symbol);
    const dd_variable *v = &o->model->vars.data[var];
    bool param = dd_op_of(o->dag, symbol) == DD_OP_PARAM;
    uint32_t order = param ? 0 : dd_symbol_order(o->dag, symbol);
    dd_decision d = {.symbol = symbol, .var = var, .order = order, .lower = -INFINITY, .upper = INFINITY, .scale = 1};
    d.guess = DD_EXPR_NONE;
    /* derivatives have neither bounds nor guesses in the text */
    if (order == 0) {
        d.lower = v->min_value;
        d.upper = v->max_value;
        d.start_value = param ? v->value : is_rounding(o, v->start) ? 0 : v->start_value;
        d.guess = v->guess;
        d.nominal = !v->has_nominal ? 0 : v->nominal_value != 0 ? fabs(v->nominal_value) : 1;
        d.scale = dd_ocp_expected_size(&d, guess_number(o, o->written != NULL ? &o->written->vars.data[var] : v));
    }
    return d;
}

static void add_controls(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->model->vars.len; i++) {
        const dd_variable *v = &o->model->vars.data[i];
        if (v->kind == DD_KIND_INPUT && !v->has_value && !dd_ocp_is_data(o, i)) {
            dd_vec_push(o->pool, &o->u, decision(o, dd_var(o->dag, i, 0)));
        }
    }
}

static void add_parameters(dd_ocp_problem *o)
{
    const dd_optimization *opt = o->model->optimization;
    for (uint32_t i = 0; i < o->model->vars.len; i++) {
        const dd_variable *v = &o->model->vars.data[i];
        if (v->kind == DD_KIND_PARAMETER && v->free && i != opt->start_var && i != opt->final_var) {
            if (v->structural) {
                dd_text name = dd_text_new(o->pool);
                dd_model_var_name(o->model, i, &name);
                o->reason = dd_pool_printf(o->pool,
                                           "%s shapes the model (a size, a branch, or a coefficient the "
                                           "analysis relies on) and cannot be decided",
                                           dd_text_str(&name));
            }
            dd_vec_push(o->pool, &o->p, decision(o, dd_param(o->dag, i)));
        }
    }
}

/* ---- dynamics ---- */

static void read_dynamics(dd_ocp_problem *o)
{
    const dd_equations *q = o->equations;
    /* states and algebraic variables of the reduced equations, in their order */
    for (uint32_t i = 0; i < q->x.len; i++) {
        dd_vec_push(o->pool, &o->x, decision(o, q->x.data[i]));
        dd_vec_push(o->pool, &o->f, DD_EXPR_NONE);
    }
    for (uint32_t i = 0; i < q->z.len; i++) {
        dd_vec_push(o->pool, &o->z, decision(o, q->z.data[i]));
    }
    bool *taken = dd_pool_alloc_array(o->pool, o->x.len + 1, sizeof *taken);
    dd_expr *row = dd_pool_alloc_array(o->pool, q->rows.len + 1, sizeof *row);
    for (uint32_t i = 0; i < q->rows.len; i++) {
        row[i] = q->rate_of.data[i] != DD_NO_INDEX ? q->rate.data[i] : q->rows.data[i];
    }
    dd_ocp_resolve_all(o, row, q->rows.len);
    /* explicit rates become f, all other rows g */
    for (uint32_t i = 0; i < q->rows.len; i++) {
        const uint32_t state = q->rate_of.data[i];
        if (state != DD_NO_INDEX) {
            taken[state] = true;
            o->f.data[state] = row[i];
        } else {
            dd_vec_push(o->pool, &o->g, row[i]);
            dd_vec_push(o->pool, &o->g_row, i);
        }
    }
    for (uint32_t i = 0; i < o->x.len; i++) { /* x' = s, s decided like an algebraic variable */
        if (!taken[i]) {
            dd_expr rate = dd_var(o->dag, o->x.data[i].var, 1);
            dd_decision d = decision(o, rate);
            d.scale = o->x.data[i].scale;
            dd_vec_push(o->pool, &o->z, d);
            o->f.data[i] = rate;
        }
    }
}

static bool is_affine(const dd_ocp_problem *o, const dd_expr_vec *rows, dd_expr z)
{
    dd_expr coefficient;
    bool affine = true;
    for (uint32_t i = 0; i < rows->len && affine; i++) {
        affine = dd_linear_coefficients(o->dag, rows->data[i], &z, 1, &coefficient);
    }
    return affine;
}

static void note_affine(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->z.len; i++) {
        /* linear in all of f and g: no guess is needed */
        dd_decision *d = &o->z.data[i];
        d->affine = d->order == 0 && is_affine(o, &o->f, d->symbol) && is_affine(o, &o->g, d->symbol);
    }
}

/* ---- times ---- */

static void read_time(dd_ocp_problem *o, uint32_t var, bool *is_free, double *value, double *lower, double *upper)
{
    const dd_variable *v = &o->model->vars.data[var];
    *is_free = v->free;
    *value = v->value;
    *lower = v->free ? v->min_value : v->value;
    *upper = v->free ? v->max_value : v->value;
    /* a guess of the text, where it is a number */
    if (v->free && v->guess != DD_EXPR_NONE) {
        uint32_t culprit;
        dd_model_evaluate(o->model, v->guess, false, value, &culprit);
    }
}

/* Where the text has no guess of a free end: between its bounds, since they may lie orders of magnitude apart. */
static double guessed_end(const dd_ocp_problem *o)
{
    const dd_variable *v = &o->model->vars.data[o->model->optimization->final_var];
    double least = o->tf_lower - o->t0_value, most = o->tf_upper - o->t0_value;
    /* written, or without an upper end: as it is */
    if (v->guess != DD_EXPR_NONE || v->binding != DD_EXPR_NONE || !isfinite(most)) {
        return o->tf_value;
    }
    /* bounds may be orders of magnitude apart: their geometric mean */
    if (least > 0) {
        return o->t0_value + sqrt(least * most);
    }
    return o->tf_value > o->t0_value && o->tf_value < o->tf_upper ? o->tf_value : o->t0_value + 0.5 * most;
}

/* Time runs forward: a free end has a bound at the other end; with both free it is a row. */
static void order_times(dd_ocp_problem *o)
{
    /* the end that is free cannot pass the one that is given */
    if (o->free_tf && !o->free_t0) {
        o->tf_lower = fmax(o->tf_lower, fmin(o->t0_value, o->tf_upper));
    } else if (o->free_t0 && !o->free_tf) {
        o->t0_upper = fmin(o->t0_upper, fmax(o->tf_value, o->t0_lower));
    }
    /* both free: tf - t0 >= 0 as a row */
    if (o->free_t0 && o->free_tf && o->tf_lower < o->t0_upper) {
        dd_ocp_row row = {.e = dd_sub(o->dag, o->tf, o->t0), .lower = 0, .upper = INFINITY};
        row.name = "finalTime >= startTime";
        dd_vec_push(o->pool, &o->points, row);
    }
    const dd_variable *v = &o->model->vars.data[o->model->optimization->final_var];
    o->end_unsaid = o->free_tf && !o->free_t0 && v->guess == DD_EXPR_NONE && v->binding == DD_EXPR_NONE &&
                    o->tf_lower <= o->t0_value && o->tf_lower < o->tf_upper;
    o->tf_value = o->free_tf && o->tf_lower < o->tf_upper ? guessed_end(o) : o->tf_value;
}

/* ---- the start ---- */

/* Inputs at the start: data, and the guess of the controls, where the equations have values when those at 0 have
 * none. */
static const double *start_inputs(dd_ocp_problem *o)
{
    const double *data = dd_ocp_data_inputs(o, o->t0_value);
    double *values = dd_pool_alloc_array(o->pool, o->model->vars.len + 1, sizeof *values);
    if (data != NULL) {
        memcpy(values, data, o->model->vars.len * sizeof *values);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        values[d->var] = fmin(fmax(dd_ocp_guess_number(o, d), d->lower), d->upper); /* inside the bounds */
    }
    return values;
}

/* Does anything that is decided (a parameter, a control, a time) enter what determines the start: the conditions
 * there and the invariants? */
static bool start_depends(dd_ocp_problem *o, dd_expr e)
{
    /* anything decided in the resolved expression */
    e = dd_ocp_resolve(o, e);
    return dd_ocp_contains_any(o, e, &o->p) || dd_ocp_contains_any(o, e, &o->z) || dd_ocp_contains_any(o, e, &o->u) ||
           (o->free_t0 && (dd_depends(o->dag, e, o->time) || dd_depends(o->dag, e, o->t0))) ||
           (o->free_tf && dd_depends(o->dag, e, o->tf));
}

static bool start_varies(dd_ocp_problem *o)
{
    bool varies = false;
    /* a start is computed from invariants, fixed start values and initial equations */
    for (uint32_t i = 0; i < o->equations->invariants.len && !varies; i++) {
        varies = start_depends(o, o->equations->invariants.data[i]);
    }
    for (uint32_t i = 0; i < o->system->declared && !varies; i++) {
        uint32_t var = o->system->unknown[i];
        const dd_variable *v = &o->model->vars.data[var];
        if (v->fixed && v->kind == DD_KIND_VARIABLE) {
            varies = start_depends(o, dd_model_symbol(o->model, var)) ||
                     (v->start != DD_EXPR_NONE && start_depends(o, v->start));
        }
    }
    for (uint32_t i = 0; i < o->model->initial_rows.len && !varies; i++) {
        varies = start_depends(o, o->model->initial_rows.data[i].residual);
    }
    return varies;
}

/* The start values of the states, as they are: whoever gives them has made them consistent. */
static void take_start(dd_ocp_problem *o)
{
    o->x_start = dd_pool_alloc_array(o->pool, o->x.len + 1, sizeof *o->x_start);
    for (uint32_t i = 0; i < o->x.len; i++) {
        o->x_start[i] = o->model->vars.data[o->x.data[i].var].start_value;
    }
    o->start_known = true;
}

/* Variables of which the text says nothing are guessed where they start. Algebraic ones: at 0 the slope of s*s = 2 vanishes (those
 * that enter linearly follow from the others in one step, wherever it begins). States: others are fixed and determine them, and
 * 1/r has no value at 0. */
static void note_open_guesses(dd_ocp_problem *o, const dd_system *s, const dd_start *start)
{
    dd_decision_vec *const lists[] = {&o->x, &o->z};
    for (int l = 0; l < 2; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            dd_decision *d = &lists[l]->data[i];
            const uint32_t col = s->column[d->var];
            const bool said = d->guess != DD_EXPR_NONE || o->model->vars.data[d->var].has_start;
            if (d->order == 0 && !d->affine && !said && col != DD_NO_INDEX) {
                d->open_guess = start->x[(size_t)col * start->stride];
            }
        }
    }
}

/* What condensing left has the same start as the whole system, if the fixed values determine that start and are values of what is
 * left: both begin at the point of the analysis, and so find the same of several starts. */
static const dd_system *system_of_start(const dd_ocp_problem *o)
{
    const dd_system *s = o->system, *rest = o->equations->system;
    bool same = rest != s && s->completion.len == 0 && o->model->initial_rows.len == 0;
    for (uint32_t j = 0; j < s->ncols && same; j++) {
        const dd_variable *v = &o->model->vars.data[s->unknown[j]];
        same = rest->column[s->unknown[j]] != DD_NO_INDEX || !v->fixed;
    }
    return same ? rest : s;
}

static void find_start(dd_ocp_problem *o)
{
    if (o->start_given) {
        take_start(o);
        return;
    }
    /* values that nothing determines: no start */
    o->open_start = o->system->missing;
    if (o->system->missing > 0) {
        return;
    }
    dd_start_options options = dd_start_options_default();
    const dd_outside at = {.time = o->t0_value, .inputs = start_inputs(o), .input_stride = 1};
    const dd_system *s = system_of_start(o);
    dd_start start = dd_system_start(s, &at, &options, o->pool);
    if (!start.ok && s != o->system) { /* in the words of the whole */
        s = o->system;
        start = dd_system_start(s, &at, &options, o->pool);
    }
    /* decided quantities may enter the start: then it is computed for a guess, and stays open */
    bool decided = o->p.len > 0 || o->u.len > 0 || o->free_t0 || o->free_tf, varies = decided && start_varies(o);
    /* no start, and nothing that could change it: the problem has no solution */
    if (!start.ok && !varies) {
        o->reason = start.reason;
        o->infeasible = true;
        o->not_finite = start.not_finite;
        return;
    }
    if (!start.ok) { /* with other parameters it may be */
        return;
    }
    /* the consistent start, by column of the system */
    o->x_start = dd_pool_alloc_array(o->pool, o->x.len + 1, sizeof *o->x_start);
    for (uint32_t i = 0; i < o->x.len; i++) {
        o->x_start[i] = start.x[(size_t)s->column[o->x.data[i].var] * start.stride];
    }
    note_open_guesses(o, s, &start);
    o->start_known = !varies;
}

/* ---- constants ---- */

static void add_constants(dd_ocp_problem *o, dd_map *seen, dd_expr e)
{
    dd_expr_vec symbols = {0};
    if (e == DD_EXPR_NONE) {
        return;
    }
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    /* parameters that are given; decided ones and times are inputs */
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_expr s = symbols.data[i];
        bool constant = dd_op_of(o->dag, s) == DD_OP_PARAM && dd_symbol_id(o->dag, s) < o->model->vars.len &&
                        !o->model->vars.data[dd_symbol_id(o->dag, s)].free && s != o->t0 && s != o->tf &&
                        !dd_ocp_is_preview(o, s);
        if (constant && dd_map_get(seen, s) == 0) {
            dd_map_put(seen, s, 1);
            dd_vec_push(o->pool, &o->constants, s);
        }
    }
    dd_vec_free(o->pool, &symbols);
}

void dd_ocp_collect_constants(dd_ocp_problem *o)
{
    /* again after rows were added: everything that is evaluated */
    o->constants.len = 0;
    dd_map seen = dd_map_new(o->pool);
    for (uint32_t i = 0; i < o->f.len; i++) {
        add_constants(o, &seen, o->f.data[i]);
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        add_constants(o, &seen, o->g.data[i]);
    }
    for (uint32_t i = 0; i < o->path.len; i++) {
        add_constants(o, &seen, o->path.data[i].e);
    }
    for (uint32_t i = 0; i < o->points.len; i++) {
        add_constants(o, &seen, o->points.data[i].e);
    }
    for (uint32_t i = 0; i < o->equations->invariants.len; i++) {
        add_constants(o, &seen, dd_ocp_resolve(o, o->equations->invariants.data[i]));
    }
    add_constants(o, &seen, o->integrand);
    add_constants(o, &seen, o->mayer);
    for (uint32_t i = 0; o->window != NULL && i < o->window->n_measured; i++) {
        add_constants(o, &seen, o->window->h[i]);
    }
    for (uint32_t i = 0; i < o->instant_data.len; i++) {
        dd_vec_push(o->pool, &o->constants, o->instant_data.data[i].symbol);
    }
    o->constant_value = dd_pool_alloc_array(o->pool, o->constants.len + 1, sizeof *o->constant_value);
    dd_ocp_problem_refresh(o, false);
}

static void refresh_bounds(dd_ocp_problem *o)
{
    dd_decision_vec *const lists[] = {&o->x, &o->z, &o->u};
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            dd_decision *d = &lists[l]->data[i];
            d->lower = d->order == 0 ? o->model->vars.data[d->var].min_value : -INFINITY;
            d->upper = d->order == 0 ? o->model->vars.data[d->var].max_value : INFINITY;
        }
    }
    /* constraints that became bounds; then rows of variables that are assigned */
    for (uint32_t i = 0; i < o->bound_sources.len; i++) {
        dd_ocp_apply_bound(o, &o->bound_sources.data[i]);
    }
    for (uint32_t i = 0; i < o->path.len; i++) {
        dd_ocp_row *row = &o->path.data[i];
        if (row->bounds_of != DD_NO_INDEX) {
            row->lower = o->model->vars.data[row->bounds_of].min_value;
            row->upper = o->model->vars.data[row->bounds_of].max_value;
        }
    }
}

double dd_ocp_constant(const dd_ocp_problem *o, dd_expr symbol)
{
    if (symbol == o->t0 || symbol == o->tf) {
        return symbol == o->t0 ? o->t0_value : o->tf_value;
    }
    for (uint32_t i = 0; i < o->instant_data.len; i++) {
        const dd_instant_data *d = &o->instant_data.data[i];
        if (d->symbol == symbol) {
            const double t = o->t0_value + d->theta * (o->tf_value - o->t0_value);
            return dd_data_at(o->data.data[d->data].column, t, d->theta >= 1);
        }
    }
    return o->system->parameter[dd_symbol_id(o->dag, symbol)];
}

void dd_ocp_problem_refresh(dd_ocp_problem *o, bool bounds)
{
    for (uint32_t i = 0; i < o->constants.len; i++) {
        o->constant_value[i] = dd_ocp_constant(o, o->constants.data[i]);
    }
    if (bounds) {
        refresh_bounds(o);
    }
}

/* ---- all of it ---- */

/* The reason why the problem cannot be posed where its cost, a constraint or an initial equation contains the derivative of an
 * input without a formula; NULL: none does. */
static const char *differentiated_input(dd_ocp_problem *o)
{
    dd_expr_vec symbols = {0};
    const dd_expr_vec all = dd_model_asked(o->model, o->pool);
    dd_symbols_of_all(o->dag, all.data, all.len, false, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t var = dd_symbol_id(o->dag, symbols.data[i]);
        const dd_variable *v = &o->model->vars.data[var];
        if (v->kind == DD_KIND_INPUT && !v->has_value && dd_symbol_order(o->dag, symbols.data[i]) > 0) {
            const char *name = dd_model_var_name_dup(o->model, var, o->pool);
            return dd_pool_printf(o->pool,
                                  "the cost, a constraint or an initial equation contains der(%s), but %s is an input, "
                                  "which may jump and has no "
                                  "derivative: make %s a state with its derivative as the new input",
                                  name, name, name);
        }
    }
    return NULL;
}

dd_ocp_problem *dd_ocp_problem_new(const dd_system *s, const dd_ocp_problem_options *options, dd_pool *pool)
{
    dd_ocp_problem *o = dd_pool_alloc(pool, sizeof *o);
    const dd_optimization *opt = s->model->optimization;
    /* the reduced equations in the form that the method wants; symbols past those of the model are ours */
    *o = (dd_ocp_problem){.system = s, .model = s->model, .dag = s->model->dag, .pool = pool, .form = options->form};
    o->start_given = options->start_given;
    o->written = options->written;
    o->integrand = o->mayer = DD_EXPR_NONE;
    o->stabilised = options->baumgarte > 0;
    /* decided at one point, by ranks alone: there is no reduced system */
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        o->reason =
            "the equations are singular at the start values, and are not reduced there: give start values at which "
            "they determine the rates of all states (daedal check names the equation)";
        return o;
    }
    o->equations = dd_system_equations(s, options->form, options->baumgarte, pool);
    o->fresh = s->model->vars.len;
    dd_ocp_find_decided(o);
    /* times first: everything below uses the bounds of the horizon */
    o->time = dd_time(o->dag);
    o->t0 = dd_param(o->dag, opt->start_var);
    o->tf = dd_param(o->dag, opt->final_var);
    read_time(o, opt->start_var, &o->free_t0, &o->t0_value, &o->t0_lower, &o->t0_upper);
    read_time(o, opt->final_var, &o->free_tf, &o->tf_value, &o->tf_lower, &o->tf_upper);
    order_times(o);
    o->first_horizon = o->tf_value - o->t0_value;
    /* controls jump at the boundaries of the mesh, so they have no derivative there */
    if (s->reduced.input_rates.len > 0) {
        o->reason = "the reduced equations need the time derivative of an input, which a control that jumps does not "
                    "have: make the input a state with its derivative as the new input";
        return o;
    }
    if ((o->reason = differentiated_input(o)) != NULL) {
        return o;
    }
    /* data, decisions, then the equations in these */
    dd_ocp_read_data(o);
    dd_ocp_add_preview(o, options->preview);
    add_controls(o);
    add_parameters(o);
    read_dynamics(o);
    dd_ocp_eliminate_assignments(o);
    note_affine(o);
    /* rows need the equations; the start and the sizes need the rows */
    if (!dd_ocp_read_rows(o)) {
        return o;
    }
    dd_ocp_hear_copies(o);
    find_start(o);
    dd_ocp_find_sizes(o);
    if (dd_ocp_phase_count(o) > 0) {
        dd_ocp_phase_guesses(o);
    }
    dd_ocp_collect_constants(o);
    return o;
}
