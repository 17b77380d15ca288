/* mhe_model.c - a copy of the class's model, changed and analysed again.
 *
 * Noise w of x enters where the model has der(x): der(x) = f + w, so der(x) - w takes the place of der(x). This is done
 * before the reduction, which then differentiates constraints with the noise in them; noise that it would have to
 * differentiate is refused.
 */
#include "control/mhe_model.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

static const char *name_of(const dd_system *s, uint32_t var, dd_pool *pool)
{
    return dd_model_var_name_dup(s->model, var, pool);
}

/* ---- settings ---- */

static void read_noise(dd_mhe_model *m, const dd_system *s, const char *list, dd_pool *pool)
{
    m->noise = dd_read_names(s, list, "process noise", pool);
    for (uint32_t i = 0; i < m->noise.len; i++) {
        const dd_named *n = &m->noise.data[i];
        if (s->model->vars.data[n->var].kind != DD_KIND_VARIABLE) {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT, "processNoise: %s is not a variable of the model",
                     name_of(s, n->var, pool));
        }
        if (!(n->number > 0)) {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT,
                     "processNoise: %s needs a positive standard deviation, as in \"%s: 0.01\"",
                     name_of(s, n->var, pool), name_of(s, n->var, pool));
        }
    }
}

static void read_estimated(dd_mhe_model *m, const dd_system *s, const char *list, dd_pool *pool)
{
    m->estimated = dd_read_names(s, list, "parameter", pool);
    for (uint32_t i = 0; i < m->estimated.len; i++) {
        const uint32_t var = m->estimated.data[i].var;
        const char *why =
            s->model->vars.data[var].kind != DD_KIND_PARAMETER ? "is not a parameter" : dd_system_refuses(s, var);
        why = why == NULL && s->model->optimization->start_var == var ? "is the time of the horizon" : why;
        why = why == NULL && s->model->optimization->final_var == var ? "is the time of the horizon" : why;
        if (why != NULL) {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT, "estimate: %s %s", name_of(s, var, pool), why);
        }
        m->estimated.data[i].number = NAN;
    }
}

/* Errors of estimated parameters go to these, those of states are kept for the states. */
static void read_errors(dd_mhe_model *m, const dd_system *s, const char *list, dd_pool *pool)
{
    const dd_named_vec given = dd_read_names(s, list, "state or parameter", pool);
    for (uint32_t i = 0; i < given.len; i++) {
        const dd_named *g = &given.data[i];
        const char *name = name_of(s, g->var, pool);
        if (!(g->number > 0)) {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT,
                     "initialError: %s needs a positive standard deviation, as in \"%s: 0.2\"", name, name);
        }
        /* a parameter that is estimated, a state, or a mistake */
        uint32_t k = 0;
        while (k < m->estimated.len && m->estimated.data[k].var != g->var) {
            k++;
        }
        if (k < m->estimated.len) {
            m->estimated.data[k].number = g->number;
        } else if (s->model->vars.data[g->var].kind == DD_KIND_VARIABLE) {
            dd_vec_push(pool, &m->start_errors, *g);
        } else {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT,
                     "initialError: %s is neither a state nor among the estimated parameters", name);
        }
    }
    /* no estimated parameter may be left without an error */
    for (uint32_t k = 0; k < m->estimated.len; k++) {
        if (isnan(m->estimated.data[k].number)) {
            const char *name = name_of(s, m->estimated.data[k].var, pool);
            dd_raise(s->ctx, DD_INVALID_ARGUMENT,
                     "estimate: %s needs the error of its first value: mhe(initialError = {\"%s: SIGMA\"})", name,
                     name);
        }
    }
}

/* ---- the copy ---- */

/* Without what the analysis has added: velocities, their rows, auxiliaries. */
static dd_model *copy_model(const dd_model *from, dd_pool *pool)
{
    dd_model cut = *from;
    for (uint32_t i = 0; i < cut.arrays.len; i++) {
        if (cut.arrays.data[i].introduced || cut.arrays.data[i].auxiliary) {
            cut.vars.len = cut.arrays.data[i].first;
            cut.arrays.len = i;
        }
    }
    while (cut.groups.len > 0 && cut.groups.data[cut.groups.len - 1].origin == DD_ORIGIN_VELOCITY) {
        cut.rows.len = cut.groups.data[--cut.groups.len].first;
    }
    dd_model *m = dd_model_copy(&cut, pool);
    for (uint32_t i = 0; i < m->symbol_arrays.len; i++) {
        m->symbol_arrays.data[i] = m->symbol_arrays.data[i] > m->arrays.len ? 0 : m->symbol_arrays.data[i];
    }
    return m;
}

/* Nothing that the optimization asks for: conditions of the start, constraints, costs, bounds of variables. */
static void clear_class(dd_model *m, double horizon, dd_pool *pool)
{
    dd_optimization *opt = dd_pool_alloc(pool, sizeof *opt);
    *opt = *m->optimization;
    m->optimization = opt;
    opt->objective = opt->integrand = DD_EXPR_NONE;
    opt->constraints.len = opt->points.len = 0;
    const dd_data_column_vec columns = opt->data; /* a separate list: inputs are added to it */
    opt->data = (dd_data_column_vec){0};
    for (uint32_t i = 0; i < columns.len; i++) {
        dd_vec_push(pool, &opt->data, columns.data[i]);
    }
    m->initial_groups.len = m->initial_rows.len = 0;
    for (uint32_t i = 0; i < m->vars.len; i++) {
        dd_variable *v = &m->vars.data[i];
        v->fixed = v->fixed && v->kind != DD_KIND_VARIABLE;
        v->free = false;
        if (v->kind == DD_KIND_VARIABLE) {
            v->has_min = v->has_max = false;
            v->min = v->max = DD_EXPR_NONE;
            v->min_value = -INFINITY;
            v->max_value = INFINITY;
        }
    }
    dd_variable *start = &m->vars.data[opt->start_var], *final = &m->vars.data[opt->final_var];
    start->has_value = final->has_value = true;
    final->value = start->value + horizon;
}

/* ---- noise ---- */

typedef struct placing {
    dd_model *m;
    uint32_t var, base; /* base: what var is the velocity of; DD_NO_INDEX: nothing */
    dd_expr noise;
    bool found, twice;
} placing;

static dd_expr with_noise(void *user, dd_expr symbol)
{
    placing *p = user;
    dd_dag *dag = p->m->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    const uint32_t id = dd_symbol_id(dag, symbol), order = dd_symbol_order(dag, symbol);
    p->twice = p->twice || (id == p->var && order > 1) || (id == p->base && order > 2);
    if ((id == p->var && order == 1) || (id == p->base && order == 2)) {
        p->found = true;
        return dd_sub(dag, symbol, p->noise);
    }
    return DD_EXPR_NONE;
}

static uint32_t base_of(const dd_system *s, uint32_t velocity)
{
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        if (s->velocity[v] == velocity) {
            return v;
        }
    }
    return DD_NO_INDEX;
}

static void add_noise(dd_mhe_model *m, const dd_system *s, dd_model *model, double dt, dd_pool *pool)
{
    m->noise_input = dd_pool_alloc_array(pool, m->noise.len + 1, sizeof *m->noise_input);
    for (uint32_t i = 0; i < m->noise.len; i++) {
        const uint32_t var = m->noise.data[i].var;
        const char *name = name_of(s, var, pool);
        const dd_array *of = &s->model->arrays.data[s->model->vars.data[var].array];
        const uint32_t array = dd_model_add_array(model, dd_pool_printf(pool, "noise(%s)", name), NULL, 0,
                                                  DD_KIND_INPUT, DD_TYPE_REAL, of->span);
        const uint32_t input = model->arrays.data[array].first;
        m->noise_input[i] = input;
        model->vars.data[input].has_nominal = true;
        model->vars.data[input].nominal_value = m->noise.data[i].number / sqrt(dt);
        placing p = {.m = model, .var = var, .base = base_of(s, var), .noise = dd_var(model->dag, input, 0)};
        for (uint32_t r = 0; r < model->rows.len; r++) {
            model->rows.data[r].residual = dd_substitute(model->dag, model->rows.data[r].residual, with_noise, &p);
        }
        if (p.twice || !p.found) {
            dd_raise(s->ctx, DD_INVALID_ARGUMENT, "processNoise: %s %s", name,
                     p.twice ? "has a second derivative in the model: name its velocity instead"
                             : "has no derivative in the model that noise could enter");
        }
    }
}

/* ---- all of it ---- */

static void free_system(void *system)
{
    dd_system_free(system);
}

static void analyse(dd_mhe_model *m, const dd_model *model, const dd_system *s, dd_pool *pool)
{
    const dd_status st = dd_model_analyse(&m->system, model, &s->options);
    if (st != DD_OK) {
        dd_raise(s->ctx, st, "%s", dd_pool_strdup(pool, dd_context_message(s->ctx)));
    }
    dd_pool_keep(pool, m->system, free_system);
    if (m->system->verdict != DD_VERDICT_OK) {
        dd_raise(s->ctx, DD_INVALID_MODEL, "mhe: with process noise the model is refused: %s", m->system->reason);
    }
    /* noise jumps at samples: it has no derivative */
    for (uint32_t i = 0; i < m->system->reduced.input_rates.len; i++) {
        const uint32_t id = dd_symbol_id(model->dag, m->system->reduced.input_rates.data[i]);
        for (uint32_t k = 0; k < m->noise.len; k++) {
            if (m->noise_input[k] == id) {
                dd_raise(s->ctx, DD_INVALID_ARGUMENT,
                         "processNoise: the constraints of the model would differentiate the noise of %s, which has no "
                         "derivative: name another variable (of a mechanism: a velocity, not a position)",
                         name_of(s, m->noise.data[k].var, pool));
            }
        }
    }
}

dd_mhe_model *dd_mhe_model_new(const dd_system *s, const dd_control_options *options, const uint32_t *inputs,
                               uint32_t n_inputs, double horizon, dd_pool *pool)
{
    dd_mhe_model *m = dd_pool_alloc(pool, sizeof *m);
    *m = (dd_mhe_model){.n_inputs = n_inputs};
    if (s->model->optimization->phases.len > 0) {
        dd_raise(s->ctx, DD_INVALID_ARGUMENT, "mhe does not work with phases");
    }
    read_noise(m, s, options->process_noise, pool);
    read_estimated(m, s, options->estimate, pool);
    read_errors(m, s, options->initial_error, pool);
    dd_model *model = copy_model(s->model, pool);
    clear_class(model, horizon, pool);
    for (uint32_t i = 0; i < m->estimated.len; i++) {
        model->vars.data[m->estimated.data[i].var].free = true;
    }
    /* the inputs are known: data, whose numbers are set sample by sample */
    dd_optimization *opt = model->optimization;
    for (uint32_t i = 0; i < opt->data.len; i++) {
        m->first_data += opt->data.data[i].var != DD_NO_INDEX ? 1 : 0;
    }
    for (uint32_t i = 0; i < n_inputs; i++) {
        dd_table *rows = dd_table_of_pool(pool, 1);
        dd_table_push(rows, pool, 0, &(double){0});
        dd_vec_push(pool, &opt->data, ((dd_data_column){name_of(s, inputs[i], pool), inputs[i], rows}));
    }
    add_noise(m, s, model, options->sample_period, pool);
    analyse(m, model, s, pool);
    return m;
}
