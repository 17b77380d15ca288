/* collect.c - what there is to export: unknowns, inputs, parameters, variables with names, and the consistent start. */
#include <math.h>
#include <string.h>

#include "export/export_impl.h"
#include "init/start.h"
#include "structure/numeric.h"

/* ---- parameters ---- */

static bool is_parameter(const dd_variable *v)
{
    return v->kind == DD_KIND_PARAMETER || v->kind == DD_KIND_CONSTANT;
}

/* The binding of a parameter where it is a formula of others that gives its value. */
static dd_expr formula_of(const dd_export *x, const dd_variable *v)
{
    const dd_system *s = x->system;
    dd_expr_vec symbols = {0};
    double value;
    uint32_t culprit;
    if (v->binding == DD_EXPR_NONE || v->kind != DD_KIND_PARAMETER || v->structural) {
        return DD_EXPR_NONE;
    }
    dd_symbols(s->model->dag, v->binding, true, &symbols, x->pool);
    const bool formula =
        symbols.len > 0 && dd_model_evaluate(s->model, v->binding, false, &value, &culprit) && value == v->value;
    return formula ? v->binding : DD_EXPR_NONE;
}

static void list_parameters(dd_export *x)
{
    const dd_model *m = x->system->model;
    dd_names *used = dd_names_new(x->pool);
    for (uint32_t i = 0; i < m->vars.len; i++) {
        const dd_variable *v = &m->vars.data[i];
        if (!is_parameter(v)) {
            continue;
        }
        dd_export_item item = {.symbol = dd_param(m->dag, i), .var = i, .start = x->system->parameter[i]};
        item.name = dd_model_var_name_dup(m, i, x->pool);
        item.c = dd_export_c_name(x->pool, item.name, used);
        item.fixed = v->structural || v->kind == DD_KIND_CONSTANT;
        item.formula = formula_of(x, v);
        dd_vec_push(x->pool, &x->p, item);
    }
}

typedef struct formula_map {
    const dd_export *x;
    dd_map place; /* symbol -> 1 + index in p */
    bool again;
} formula_map;

static dd_expr formula_value(void *user, dd_expr symbol)
{
    formula_map *m = user;
    const uint32_t at = dd_map_get(&m->place, symbol);
    const dd_expr formula = at > 0 ? m->x->p.data[at - 1].formula : DD_EXPR_NONE;
    m->again = m->again || formula != DD_EXPR_NONE;
    return formula;
}

/* Formulas in independent parameters alone: bindings have no cycles, so this ends. */
static void resolve_formulas(dd_export *x)
{
    formula_map map = {.x = x, .place = dd_map_new(x->pool)};
    for (uint32_t i = 0; i < x->p.len; i++) {
        dd_map_put(&map.place, x->p.data[i].symbol, i + 1);
    }
    for (uint32_t i = 0; i < x->p.len; i++) {
        dd_export_item *item = &x->p.data[i];
        map.again = item->formula != DD_EXPR_NONE;
        while (map.again) {
            map.again = false;
            item->formula = dd_substitute(x->system->model->dag, item->formula, formula_value, &map);
        }
    }
}

void dd_export_collect_parameters(dd_export *x)
{
    list_parameters(x);
    resolve_formulas(x);
}

/* ---- inputs ---- */

static void add_input(dd_export *x, uint32_t var, uint32_t order, dd_names *used)
{
    const dd_model *m = x->system->model;
    dd_export_item item = {.symbol = dd_var(m->dag, var, order), .var = var, .order = order};
    item.name = dd_model_var_name_dup(m, var, x->pool);
    for (uint32_t k = 0; k < order; k++) {
        item.name = dd_pool_printf(x->pool, "der(%s)", item.name);
    }
    item.c = dd_export_c_name(x->pool, item.name, used);
    item.start = order == 0 ? dd_system_unfed_input(x->system, var) : 0.0;
    dd_vec_push(x->pool, &x->u, item);
}

/* Inputs without a formula, then the derivatives of inputs that the equations need. */
static void list_inputs(dd_export *x)
{
    const dd_model *m = x->system->model;
    dd_names *used = dd_names_new(x->pool);
    for (uint32_t i = 0; i < m->vars.len; i++) {
        if (m->vars.data[i].kind == DD_KIND_INPUT && !m->vars.data[i].has_value) {
            add_input(x, i, 0, used);
        }
    }
    for (uint32_t i = 0; i < x->q->inputs.len; i++) {
        const uint32_t order = dd_symbol_order(m->dag, x->q->inputs.data[i]);
        if (order > 0) {
            add_input(x, dd_symbol_id(m->dag, x->q->inputs.data[i]), order, used);
        }
    }
}

/* Values of the inputs as the start has them, for the programs. */
static void input_starts(void *user, double t, double *out)
{
    const dd_export *x = user;
    (void)t;
    for (uint32_t i = 0; i < x->q->inputs.len; i++) {
        out[i] = 0;
        for (uint32_t k = 0; k < x->u.len; k++) {
            out[i] = x->u.data[k].symbol == x->q->inputs.data[i] ? x->u.data[k].start : out[i];
        }
    }
}

/* ---- unknowns and variables ---- */

static void list_unknowns(dd_export *x)
{
    const dd_numbers *q = x->q;
    const dd_model *m = x->system->model;
    dd_names *used = dd_names_new(x->pool);
    x->n = q->n;
    x->nx = q->equations->x.len;
    x->nz = q->equations->z.len;
    for (uint32_t j = 0; j < q->n; j++) {
        dd_export_item item = {.symbol = q->w.data[j], .var = dd_symbol_id(m->dag, q->w.data[j])};
        item.order = dd_symbol_order(m->dag, item.symbol);
        item.name = dd_system_column_name(x->system, x->system->column[item.var], x->pool);
        for (uint32_t k = 0; k < item.order; k++) {
            item.name = dd_pool_printf(x->pool, "der(%s)", item.name);
        }
        item.c = dd_export_c_name(x->pool, item.name, used);
        dd_vec_push(x->pool, &x->w, item);
        dd_vec_push(x->pool, &x->v, q->rate_symbol.data[j]);
    }
}

static void list_variables(dd_export *x)
{
    const dd_system *s = x->system;
    dd_names *used = dd_names_new(x->pool);
    for (uint32_t j = 0; j < s->declared; j++) {
        dd_export_item item = {.symbol = dd_var(s->model->dag, s->unknown[j], 0), .var = s->unknown[j]};
        item.name = dd_system_column_name(s, j, x->pool);
        item.c = dd_export_c_name(x->pool, item.name, used);
        dd_vec_push(x->pool, &x->y, item);
    }
}

/* ---- the start ---- */

static void read_start(dd_export *x, const dd_start *start)
{
    const dd_numbers *q = x->q;
    x->w0 = dd_pool_alloc_array(x->pool, x->n + 1, sizeof(double));
    x->v0 = dd_pool_alloc_array(x->pool, x->n + 1, sizeof(double));
    /* x^(k) = k! times its Taylor coefficient */
    for (uint32_t j = 0; j < x->n; j++) {
        const uint32_t col = q->system->column[x->w.data[j].var], order = x->w.data[j].order;
        const double *taylor = start->x + (size_t)col * start->stride;
        x->w0[j] = order < start->stride ? taylor[order] * tgamma(order + 1.0) : 0.0;
        x->v0[j] = j < x->nx && start->stride > 1 ? taylor[1] : 0.0;
        x->w.data[j].start = x->w0[j];
    }
}

static void find_start(dd_export *x)
{
    dd_outside at = {.time = x->t0};
    dd_start_options o = dd_start_options_default();
    o.auto_init = x->options.auto_init;
    o.project = x->options.project;
    o.tol = x->tol;
    const dd_start start = dd_system_start(x->system, &at, &o, x->pool);
    if (!start.ok) {
        dd_raise(x->ctx, DD_INVALID_MODEL, "%s has no consistent start to export: %s", x->system->model->name,
                 start.reason);
    }
    read_start(x, &start);
    x->q->source = (dd_input_source){.user = x, .values = input_starts};
}

/* Half the width of the layer in which a power with a negative base goes on: far below any tolerance. */
static const double MARGIN = 1e-9;

/* Conditions at the start, in turn until they agree; then the values of all variables there. */
static void settle_modes(dd_export *x)
{
    dd_numbers *q = x->q;
    const uint32_t n = q->switches.len;
    double *g = dd_pool_alloc_array(x->pool, n + 1, sizeof *g);
    x->mode0 = dd_pool_alloc_array(x->pool, n + 1, sizeof(double));
    for (uint32_t round = 0; round <= n; round++) {
        dd_numbers_switching(q, x->t0, x->w0, x->v0, g);
        for (uint32_t k = 0; k < n; k++) {
            const dd_switch *s = &q->switches.data[k];
            const bool slope = s->kind == DD_SWITCH_SLOPE, root = s->kind == DD_SWITCH_MARGIN;
            const bool of_root = slope && q->switches.data[k - 1].kind == DD_SWITCH_MARGIN;
            const double margin = root ? MARGIN * fmax(1.0, fabs(g[k])) : of_root ? x->mode0[k - 1] : 0.0;
            x->mode0[k] = root      ? margin
                          : of_root ? pow(margin, q->switches.data[k - 1].exponent - 1)
                          : slope   ? 0.0
                                    : dd_switch_mode_at(s, g[k], x->t0);
            dd_numbers_freeze(q, k, x->mode0[k]);
        }
    }
    double *y = dd_pool_alloc_array(x->pool, (size_t)q->output_values.len + 1, sizeof *y);
    dd_numbers_outputs(q, x->t0, x->w0, x->v0, y);
    for (uint32_t j = 0; j < x->y.len; j++) {
        x->y.data[j].start = y[j];
    }
}

/* g = rate*(time - at) of conditions on time alone: at as an expression of parameters. */
static void list_switches(dd_export *x)
{
    dd_dag *dag = x->system->model->dag;
    const dd_numbers *q = x->q;
    for (uint32_t k = 0; k < q->switches.len; k++) {
        const dd_switch *s = &q->switches.data[k];
        dd_expr time = dd_time(dag), rate, rest, at = DD_EXPR_NONE;
        if (s->only_time && dd_linear(dag, s->g, &time, 1, &rate, &rest)) {
            at = dd_neg(dag, dd_div(dag, rest, rate));
        }
        dd_vec_push(x->pool, &x->modes, s->node);
        dd_vec_push(x->pool, &x->moments, at);
    }
}

/* ---- all together ---- */

static void settle_times(dd_export *x)
{
    const dd_experiment *e = &x->system->model->experiment;
    enum { STEPS = 500 };
    x->t0 = e->has_start ? e->start : 0.0;
    x->stop = e->has_stop && e->stop > x->t0 ? e->stop : x->t0 + 1.0;
    x->step = x->options.step > 0 ? x->options.step : e->has_interval ? e->interval : (x->stop - x->t0) / STEPS;
    x->tol = x->options.tol > 0 ? x->options.tol : e->has_tolerance ? e->tolerance : 1e-6;
}

static void refuse_what_cannot_be(const dd_export *x)
{
    const dd_system *s = x->system;
    const char *name = s->model->name;
    if (s->model->optimization) {
        dd_raise(x->ctx, DD_INVALID_MODEL,
                 "%s is an optimization class: FMUs are made of models, so name the model instead, or write C (%s)",
                 name, dd_option_word(x->ctx, "--c"));
    }
    if (s->verdict != DD_VERDICT_OK) {
        dd_raise(x->ctx, DD_INVALID_MODEL, "%s cannot be exported: %s", name, s->reason);
    }
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        dd_raise(x->ctx, DD_INVALID_MODEL,
                 "%s cannot be exported: its equations are singular at the start values, so that there is no reduced "
                 "system whose functions could be written; see `daedal check` for the place",
                 name);
    }
}

/* rk4 is stable for rates up to 2.78/h; a part of that, since rates change. Nothing to integrate needs no matrix. */
static const char *default_method(dd_export *x)
{
    const double most = 1.0;
    const bool gentle = x->explicit_rates && x->options.fmi == 0 &&
                        dd_numbers_fastest_rate(x->q, x->t0, x->w0, x->v0, x->pool) * x->step < most;
    return gentle || x->n == 0 ? "rk4" : "radau-3";
}

static void choose_method(dd_export *x)
{
    const char *name = x->options.method;
    name = name && x->n > 0 ? name : default_method(x);
    const dd_status st = dd_tableau_new(&x->tableau, x->ctx, name);
    if (st != DD_OK) {
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
    if (x->tableau->structure == DD_TABLEAU_EXPLICIT && !x->explicit_rates) {
        dd_raise(
            x->ctx, DD_INVALID_ARGUMENT,
            "%s is explicit, but the equations of %s determine rates and algebraic variables only together: take an "
            "implicit method, such as radau-3",
            name, x->system->model->name);
    }
    /* the matrix of all stages is dense */
    enum { MOST_UNKNOWNS = 600 };
    const uint32_t size = x->tableau->stages * x->n;
    if (x->tableau->structure != DD_TABLEAU_EXPLICIT && size > MOST_UNKNOWNS) {
        dd_raise(
            x->ctx, DD_LIMIT,
            "a step of %s on %u unknowns solves %u equations at once, more than the %d for which generated code has "
            "room: take a method with fewer stages (implicit-euler, radau-2)%s",
            name, x->n, size, (int)MOST_UNKNOWNS, x->explicit_rates ? ", or an explicit one (rk4)" : "");
    }
}

void dd_export_collect(dd_export *x)
{
    const dd_system *s = x->system;
    refuse_what_cannot_be(x);
    settle_times(x);
    /* all inputs without a formula come from outside */
    dd_index_vec supplied = {0};
    for (uint32_t i = 0; i < s->model->vars.len; i++) {
        if (s->model->vars.data[i].kind == DD_KIND_INPUT && !s->model->vars.data[i].has_value) {
            dd_vec_push(x->pool, &supplied, i);
        }
    }
    x->q = dd_numbers_new(s, DD_EQUATIONS_REDUCED, 0, &supplied, NULL, x->pool);
    x->name = dd_export_prefix(x->pool, s->model->name);
    list_unknowns(x);
    list_variables(x);
    list_inputs(x);
    dd_export_collect_parameters(x);
    list_switches(x);
    find_start(x);
    settle_modes(x);
    x->explicit_rates = dd_numbers_all_explicit(x->q);
    choose_method(x);
}

void dd_export_release(dd_export *x)
{
    dd_numbers_free(x->q);
    dd_tableau_free(x->tableau);
}
