/* linearize_point.c - the point of a linearization: the system with general inputs, their values, and x, x', z there
 * in the unknowns of that system. */
#include "base/context.h"
#include "sim/linearize_impl.h"
#include "structure/numeric.h"

static bool has_formula(const dd_variable *v)
{
    return v->kind == DD_KIND_INPUT && v->has_value && v->binding != DD_EXPR_NONE;
}

void dd_lin_choose_system(dd_lin_work *k)
{
    dd_linsys *l = k->l;
    const dd_model *m = l->sim->system->model;
    /* inputs with a formula are no inputs of the equations any more: analyse with all of them general */
    bool formulas = false;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        formulas = formulas || has_formula(&m->vars.data[v]);
        if (m->vars.data[v].kind == DD_KIND_INPUT) {
            dd_vec_push(l->pool, &k->inputs, v);
        }
    }
    l->system = l->sim->system;
    if (formulas) {
        dd_analyse_options o = l->sim->system->options;
        o.general_inputs = true;
        dd_system *general = NULL;
        dd_status st = dd_model_analyse(&general, l->sim->system->model, &o);
        if (st != DD_OK) {
            dd_raise(l->ctx, st, "%s", dd_context_message(l->ctx));
        }
        l->system = general;
        l->own_system = general;
        if (general->verdict != DD_VERDICT_OK) {
            dd_lin_refuse(k, DD_SIM_INVALID_MODEL,
                          dd_pool_printf(l->pool, "with general inputs: %s", dd_system_reason(general)));
        }
    }
    k->s = l->system;
    /* the derivative array decides at one point only, and has no equations to differentiate */
    if (!dd_lin_refused(k) && k->s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        dd_lin_refuse(
            k, DD_SIM_SINGULAR,
            "the equations are singular at the start values: there they do not determine the other variables from "
            "the states");
    }
}

static double factorial(uint32_t n)
{
    double f = 1;
    for (uint32_t i = 2; i <= n; i++) {
        f *= i;
    }
    return f;
}

/* Values of VAR(u, order) at the point. */
static double input_value(dd_lin_work *k, uint32_t var, uint32_t order)
{
    dd_sim *sim = k->l->sim;
    dd_dag *dag = k->s->model->dag;
    /* from the table, the start value, or the formula and its total derivatives */
    if (sim->inputs) {
        const dd_index_vec *given = dd_inputs_supplied(sim->inputs);
        for (uint32_t i = 0; i < given->len; i++) {
            if (given->data[i] == var) {
                return dd_inputs_value(sim->inputs, var, order, k->t);
            }
        }
    }
    if (!has_formula(&k->s->model->vars.data[var])) {
        return order == 0 ? dd_system_unfed_input(k->s, var) : 0.0;
    }
    dd_expr e = k->s->model->vars.data[var].binding;
    for (uint32_t i = 0; i < order; i++) {
        e = dd_total_derivative(dag, e, NULL, NULL);
    }
    double magnitude;
    return dd_numeric_value(k->s, e, &(dd_numeric_place){.outside.time = k->t}, &magnitude, k->scratch);
}

static void set_inputs(dd_lin_work *k)
{
    dd_numbers *q = k->q;
    dd_dag *dag = k->s->model->dag;
    /* Taylor coefficients u^(k)/k! up to the highest derivative that the equations contain */
    uint32_t most = 0;
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        uint32_t order = dd_symbol_order(dag, q->inputs.data[i]);
        most = order > most ? order : most;
    }
    uint32_t stride = most + 1;
    double *coefficient =
        dd_pool_alloc_array(k->l->pool, (size_t)stride * k->s->model->vars.len + 1, sizeof *coefficient);
    for (uint32_t i = 0; i < k->inputs.len; i++) {
        for (uint32_t order = 0; order < stride; order++) {
            coefficient[(size_t)k->inputs.data[i] * stride + order] =
                input_value(k, k->inputs.data[i], order) / factorial(order);
        }
    }
    k->l->at = (dd_outside){.time = k->t, .inputs = coefficient, .input_stride = stride};
    k->nin = q->inputs.len;
}

/* Inputs stay what they are at the point. */
static void held_inputs(void *user, double t, double *out)
{
    (void)t;
    const dd_linsys *l = user;
    const dd_numbers *q = l->numbers;
    dd_dag *dag = q->system->model->dag;
    for (uint32_t i = 0; i < q->inputs.len; i++) {
        uint32_t order = dd_symbol_order(dag, q->inputs.data[i]);
        uint32_t var = dd_symbol_id(dag, q->inputs.data[i]);
        out[i] = factorial(order) * l->at.inputs[(size_t)var * l->at.input_stride + order];
    }
}

/* Columns of the first-order form: values and derivatives that the simulation has. */
static void read_columns(dd_lin_work *k)
{
    const dd_sim *sim = k->l->sim;
    const dd_numbers *q = sim->numbers;
    dd_dag *dag = k->s->model->dag;
    /* the end of the run, or the start where there was none */
    const bool ran = sim->info.method != NULL;
    const double *w = ran ? sim->w : sim->w0, *wdot = ran ? sim->wdot : sim->wdot0;
    /* orders of the unknowns of the reduced system decide how many coefficients are needed */
    k->stride = 2;
    for (uint32_t j = 0; j < k->q->n; j++) {
        uint32_t order = dd_symbol_order(dag, k->q->w.data[j]);
        k->stride = order + 1 > k->stride ? order + 1 : k->stride;
    }
    k->taylor = dd_pool_alloc_array(k->scratch, (size_t)k->stride * k->s->ncols + 1, sizeof(double));
    /* declared variables from the outputs, then everything the simulation has as unknowns */
    dd_numbers_outputs(sim->numbers, k->t, w, wdot, sim->values);
    for (uint32_t c = 0; c < k->s->declared; c++) {
        k->taylor[(size_t)c * k->stride] = sim->values[c];
    }
    for (uint32_t j = 0; j < q->n; j++) {
        uint32_t col = k->s->column[dd_symbol_id(dag, q->w.data[j])], order = dd_symbol_order(dag, q->w.data[j]);
        if (col == DD_NO_INDEX || order >= k->stride) {
            continue;
        }
        k->taylor[(size_t)col * k->stride + order] = w[j] / factorial(order);
        if (order == 0 && q->problem.differential[j]) {
            k->taylor[(size_t)col * k->stride + 1] = wdot[j];
        }
    }
    for (uint32_t c = k->s->declared; c < k->s->ncols; c++) { /* auxiliaries, by their definition */
        double magnitude;
        dd_expr meaning = k->s->meaning.data[c - k->s->declared];
        const dd_numeric_place at = {k->taylor, k->stride, k->l->at};
        k->taylor[(size_t)c * k->stride] = dd_numeric_value(k->s, meaning, &at, &magnitude, k->scratch);
    }
}

/* z and x' from x, to rounding; also back into the Taylor coefficients. */
static void settle_point(dd_lin_work *k)
{
    dd_numbers *q = k->q;
    dd_dag *dag = k->s->model->dag;
    /* the point in the unknowns of this system, which may be other ones than the simulation's */
    for (uint32_t j = 0; j < q->n; j++) {
        uint32_t order = dd_symbol_order(dag, q->w.data[j]);
        const double *series = k->taylor + (size_t)k->s->column[dd_symbol_id(dag, q->w.data[j])] * k->stride;
        k->w[j] = series[order] * factorial(order);
        k->wdot[j] = q->problem.differential[j] ? series[1] : 0.0;
    }
    /* relations keep the branch that they have at the point */
    double *g = dd_pool_alloc_array(k->scratch, q->switches.len + 1, sizeof *g);
    dd_numbers_switching(q, k->t, k->w, k->wdot, g);
    for (uint32_t i = 0; i < q->switches.len; i++) {
        dd_numbers_freeze(q, i, dd_switch_mode_at(&q->switches.data[i], g[i], k->t));
    }
    /* x' and z to rounding: derivatives at a point that is slightly off would be off as well */
    dd_slopes *slopes = NULL;
    dd_system_must(k->s, dd_slopes_new(&slopes, k->l->ctx, &q->problem), "linearization");
    dd_slopes_info info = dd_slopes_solve(slopes, k->t, k->w, k->wdot);
    dd_slopes_free(slopes);
    if (!info.converged) {
        dd_lin_refuse(k, info.finite ? DD_SIM_SINGULAR : DD_SIM_NONFINITE,
                      dd_pool_printf(k->l->pool,
                                     "at time %.10g the derivatives and algebraic variables do not follow from the "
                                     "states: the equations %s there",
                                     k->t, info.finite ? "lose rank" : "cannot be evaluated"));
    }
    /* back, because outputs are evaluated from the columns */
    for (uint32_t j = 0; j < q->n; j++) {
        uint32_t order = dd_symbol_order(dag, q->w.data[j]);
        double *series = k->taylor + (size_t)k->s->column[dd_symbol_id(dag, q->w.data[j])] * k->stride;
        series[order] = k->w[j] / factorial(order);
        if (q->problem.differential[j]) {
            series[1] = k->wdot[j];
        }
    }
}

void dd_lin_find_point(dd_lin_work *k)
{
    dd_linsys *l = k->l;
    const dd_sim *sim = l->sim;
    k->t = l->info.t;
    /* all inputs are treated as supplied, so that none becomes a constant */
    l->numbers = k->q = dd_numbers_new(k->s, DD_EQUATIONS_REDUCED, 0, &k->inputs, NULL, l->pool);
    k->n = k->q->n;
    k->nx = k->q->equations->x.len;
    k->ninv = k->q->problem.n_invariants;
    if (sim->inputs) {
        dd_inputs_enter(sim->inputs, k->t);
    }
    set_inputs(k);
    k->q->source = (dd_input_source){.user = l, .values = held_inputs};
    k->w = dd_pool_alloc_array(k->scratch, k->n + 1, sizeof(double));
    k->wdot = dd_pool_alloc_array(k->scratch, k->n + 1, sizeof(double));
    read_columns(k);
    settle_point(k);
}
