/* problem.c - from the analysed model and its optimization class to functions of x, z, u, p and time. */
#include "ocp/problem.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/data.h"
#include "ocp/phases.h"
#include "ocp/sizes.h"
#include "sim/start.h"

#define SAME_TIME 1e-12 /* instants closer than this, relative to the horizon, are one */

static bool is_affine(const dd_ocp_problem *o, const dd_expr_vec *rows, dd_expr z)
{
    dd_expr coefficient, rest;
    bool affine = true;
    for (uint32_t i = 0; i < rows->len && affine; i++) {
        affine = dd_linear(o->dag, rows->data[i], &z, 1, &coefficient, &rest);
    }
    return affine;
}

static void note_affine(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->z.len; i++) {
        dd_decision *d = &o->z.data[i];
        d->affine = d->order == 0 && is_affine(o, &o->f, d->symbol) && is_affine(o, &o->g, d->symbol);
    }
}

static dd_expr put_assigned(void *user, dd_expr symbol);

/* ---- symbols ---- */

/* Parameters that follow from a decided one are put in as what they are bound to. */
static dd_expr bound_parameter(void *user, dd_expr symbol)
{
    dd_ocp_problem *o = user;
    if (dd_op_of(o->dag, symbol) != DD_OP_PARAM) {
        return DD_EXPR_NONE;
    }
    uint32_t var = dd_symbol_id(o->dag, symbol);
    if (var >= o->model->vars.len) {
        return DD_EXPR_NONE;
    }
    const dd_variable *v = &o->model->vars.data[var];
    bool bound = v->kind == DD_KIND_PARAMETER && !v->free && v->binding != DD_EXPR_NONE;
    return bound && dd_op_of(o->dag, v->binding) != DD_OP_NUM ? v->binding : DD_EXPR_NONE;
}

static bool depends_on_decided(dd_ocp_problem *o, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        dd_expr s = symbols.data[i];
        if (dd_op_of(o->dag, s) == DD_OP_PARAM && dd_symbol_id(o->dag, s) < o->model->vars.len) {
            const dd_variable *v = &o->model->vars.data[dd_symbol_id(o->dag, s)];
            found = v->free || (bound_parameter(o, s) != DD_EXPR_NONE && depends_on_decided(o, v->binding));
        }
    }
    dd_vec_free(o->pool, &symbols);
    return found;
}

static dd_expr decided_parameter(void *user, dd_expr symbol)
{
    dd_expr binding = bound_parameter(user, symbol);
    return binding != DD_EXPR_NONE && depends_on_decided(user, binding) ? binding : DD_EXPR_NONE;
}

dd_expr dd_ocp_resolve(dd_ocp_problem *o, dd_expr e)
{
    e = dd_system_lower(o->system, e);
    e = dd_equations_resolve(o->system, o->equations, e);
    for (uint32_t depth = 0; depth < 100; depth++) { /* bindings of bindings */
        dd_expr next = dd_substitute(o->dag, e, decided_parameter, o);
        if (next == e) {
            break;
        }
        e = next;
    }
    return o->assigned.len > 0 ? dd_substitute(o->dag, e, put_assigned, o) : e;
}

/* ---- decisions ---- */

static double expected_size(const dd_variable *v, double guess)
{
    double size = fabs(guess);
    if (v->has_nominal) {
        return fabs(v->nominal_value) > 0 ? fabs(v->nominal_value) : 1;
    }
    size = isfinite(v->min_value) ? fmax(size, fabs(v->min_value)) : size;
    size = isfinite(v->max_value) ? fmax(size, fabs(v->max_value)) : size;
    return size > 100 ? size : size > 0 && size < 1e-2 ? size : 1;
}

static double guess_number(const dd_ocp_problem *o, const dd_variable *v)
{
    double value = v->start_value;
    uint32_t culprit;
    if (v->guess != DD_EXPR_NONE && !dd_model_evaluate(o->model, v->guess, false, &value, &culprit)) {
        value = v->start_value; /* an expression of time */
    }
    return value;
}

static dd_decision decision(const dd_ocp_problem *o, dd_expr symbol)
{
    uint32_t var = dd_symbol_id(o->dag, symbol);
    const dd_variable *v = &o->model->vars.data[var];
    bool param = dd_op_of(o->dag, symbol) == DD_OP_PARAM;
    uint32_t order = param ? 0 : dd_symbol_order(o->dag, symbol);
    dd_decision d = {.symbol = symbol, .var = var, .order = order, .lower = -INFINITY, .upper = INFINITY, .scale = 1};
    d.guess = DD_EXPR_NONE;
    if (order == 0) {
        d.lower = v->min_value;
        d.upper = v->max_value;
        d.start_value = param ? v->value : v->start_value;
        d.guess = v->guess;
        d.scale = expected_size(v, guess_number(o, v));
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

/* The state whose derivative a row x' - f = 0 gives; x.len when there is none left. */
static uint32_t state_of_row(dd_ocp_problem *o, dd_expr row, const bool *taken, dd_expr *f)
{
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_expr rate = dd_var(o->dag, o->x.data[i].var, 1), coefficient, rest;
        if (taken[i] || !dd_linear(o->dag, row, &rate, 1, &coefficient, &rest)) {
            continue;
        }
        if (dd_op_of(o->dag, coefficient) == DD_OP_NUM && dd_num_value(o->dag, coefficient) == 1) {
            *f = dd_neg(o->dag, rest);
            return i;
        }
    }
    return o->x.len;
}

static void read_dynamics(dd_ocp_problem *o)
{
    const dd_equations *q = o->equations;
    for (uint32_t i = 0; i < q->x.len; i++) {
        dd_vec_push(o->pool, &o->x, decision(o, q->x.data[i]));
        dd_vec_push(o->pool, &o->f, DD_EXPR_NONE);
    }
    for (uint32_t i = 0; i < q->z.len; i++) {
        dd_vec_push(o->pool, &o->z, decision(o, q->z.data[i]));
    }
    bool *taken = dd_pool_alloc_array(o->pool, o->x.len + 1, sizeof *taken);
    for (uint32_t i = 0; i < q->rows.len; i++) {
        dd_expr f;
        uint32_t state = q->explicit_rate.data[i] ? state_of_row(o, q->rows.data[i], taken, &f) : o->x.len;
        if (state < o->x.len) {
            taken[state] = true;
            o->f.data[state] = dd_ocp_resolve(o, f);
        } else {
            dd_vec_push(o->pool, &o->g, dd_ocp_resolve(o, q->rows.data[i]));
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

/* ---- assignments ---- */

typedef struct elimination {
    dd_ocp_problem *o;
    dd_expr symbol, value;
} elimination;

static dd_expr put_value(void *user, dd_expr symbol)
{
    const elimination *e = user;
    return symbol == e->symbol ? e->value : DD_EXPR_NONE;
}

/* A row a z + b = 0 with a number a, for a z without bounds: z is put in everywhere and is no unknown any more. */
static bool assignment(dd_ocp_problem *o, dd_expr row, uint32_t *which, dd_expr *value)
{
    for (uint32_t i = 0; i < o->z.len; i++) {
        const dd_decision *d = &o->z.data[i];
        dd_expr coefficient, rest;
        if (isfinite(d->lower) || isfinite(d->upper) || !dd_linear(o->dag, row, &d->symbol, 1, &coefficient, &rest)) {
            continue;
        }
        if (dd_op_of(o->dag, coefficient) == DD_OP_NUM && dd_num_value(o->dag, coefficient) != 0) {
            *which = i;
            *value = dd_neg(o->dag, dd_div(o->dag, rest, coefficient));
            return true;
        }
    }
    return false;
}

static void eliminate(dd_ocp_problem *o, uint32_t row, uint32_t which, dd_expr value)
{
    elimination e = {o, o->z.data[which].symbol, value};
    for (uint32_t i = 0; i < o->f.len; i++) {
        o->f.data[i] = dd_substitute(o->dag, o->f.data[i], put_value, &e);
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        o->g.data[i] = dd_substitute(o->dag, o->g.data[i], put_value, &e);
    }
    for (uint32_t i = 0; i < o->assigned.len; i++) {
        o->assigned.data[i].value = dd_substitute(o->dag, o->assigned.data[i].value, put_value, &e);
    }
    dd_vec_push(o->pool, &o->assigned, ((dd_assigned){e.symbol, value}));
    memmove(&o->g.data[row], &o->g.data[row + 1], (o->g.len - row - 1) * sizeof *o->g.data);
    memmove(&o->g_row.data[row], &o->g_row.data[row + 1], (o->g_row.len - row - 1) * sizeof *o->g_row.data);
    memmove(&o->z.data[which], &o->z.data[which + 1], (o->z.len - which - 1) * sizeof *o->z.data);
    o->g.len--;
    o->g_row.len--;
    o->z.len--;
}

/* Rows that are assignments, one after the other; what they leave is solved with the rest. */
static void eliminate_assignments(dd_ocp_problem *o)
{
    for (uint32_t row = 0; row < o->g.len;) {
        uint32_t which;
        dd_expr value;
        if (assignment(o, o->g.data[row], &which, &value)) {
            eliminate(o, row, which, value);
        } else {
            row++;
        }
    }
}

static dd_expr put_assigned(void *user, dd_expr symbol)
{
    const dd_ocp_problem *o = user;
    for (uint32_t i = 0; i < o->assigned.len; i++) {
        if (o->assigned.data[i].symbol == symbol) {
            return o->assigned.data[i].value;
        }
    }
    return DD_EXPR_NONE;
}

/* ---- instants ---- */

static dd_expr fresh_symbol(dd_ocp_problem *o)
{
    return dd_param(o->dag, o->fresh++);
}

static void add_symbols(dd_ocp_problem *o, const dd_decision_vec *list, dd_expr_vec *out)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(o->pool, out, fresh_symbol(o));
    }
}

static uint32_t instant_at(dd_ocp_problem *o, double theta)
{
    for (uint32_t i = 0; i < o->instants.len; i++) {
        if (fabs(o->instants.data[i].theta - theta) < SAME_TIME) {
            return i;
        }
    }
    dd_instant instant = {.theta = theta};
    add_symbols(o, &o->x, &instant.x);
    add_symbols(o, &o->z, &instant.z);
    add_symbols(o, &o->u, &instant.u);
    instant.time = fresh_symbol(o);
    dd_vec_push(o->pool, &o->instants, instant);
    return o->instants.len - 1;
}

typedef struct at_instant {
    dd_ocp_problem *o;
    const dd_instant *i;
} at_instant;

static dd_expr symbol_at(const dd_ocp_problem *o, const dd_decision_vec *list, const dd_expr_vec *there, dd_expr symbol)
{
    (void)o;
    for (uint32_t k = 0; k < list->len; k++) {
        if (list->data[k].symbol == symbol) {
            return there->data[k];
        }
    }
    return DD_EXPR_NONE;
}

static dd_expr put_instant(void *user, dd_expr symbol)
{
    const at_instant *a = user;
    const dd_ocp_problem *o = a->o;
    if (symbol == o->time) {
        return a->i->time;
    }
    dd_expr found = symbol_at(o, &o->x, &a->i->x, symbol);
    found = found != DD_EXPR_NONE ? found : symbol_at(o, &o->z, &a->i->z, symbol);
    found = found != DD_EXPR_NONE
                ? found
                : dd_ocp_data_number(o, symbol, o->t0_value + a->i->theta * (o->tf_value - o->t0_value));
    return found != DD_EXPR_NONE ? found : symbol_at(o, &o->u, &a->i->u, symbol);
}

dd_expr dd_ocp_at(dd_ocp_problem *o, uint32_t instant, dd_expr resolved)
{
    at_instant a = {o, &o->instants.data[instant]};
    return dd_substitute(o->dag, resolved, put_instant, &a);
}

/* The value of an expression of parameters when startTime and finalTime are these. */
static double time_value(dd_ocp_problem *o, dd_expr e, double t0, double tf)
{
    dd_variable *vars = o->model->vars.data;
    const dd_optimization *opt = o->model->optimization;
    double value = NAN, before0 = vars[opt->start_var].value, before1 = vars[opt->final_var].value;
    uint32_t culprit;
    vars[opt->start_var].value = t0;
    vars[opt->final_var].value = tf;
    dd_model_evaluate(o->model, e, false, &value, &culprit);
    vars[opt->start_var].value = before0;
    vars[opt->final_var].value = before1;
    return value;
}

/* Where between start and end a point value is; NaN after a reason was given. */
static double theta_of(dd_ocp_problem *o, const dd_point *point)
{
    double t0 = o->t0_value, tf = o->tf_value, t = time_value(o, point->time, t0, tf);
    double theta = (t - t0) / (tf - t0);
    dd_text name = dd_text_new(o->pool);
    dd_model_var_name(o->model, point->var, &name);
    if (!isfinite(theta) || theta < -SAME_TIME || theta > 1 + SAME_TIME) {
        o->reason = dd_pool_printf(o->pool, "%s is a value outside the time from %g to %g", dd_text_str(&name), t0, tf);
        return NAN;
    }
    if (o->free_t0 || o->free_tf) { /* the same fraction of any other horizon? */
        double a = o->free_t0 ? t0 - 1 : t0, b = o->free_tf ? tf + 1 : tf;
        double other = (time_value(o, point->time, a, b) - a) / (b - a);
        if (!(fabs(other - theta) < 1e-9)) {
            o->reason = dd_pool_printf(o->pool,
                                       "%s is asked for at a time in seconds, but the horizon is free: write the "
                                       "time as a part of it, startTime + c*(finalTime - startTime)",
                                       dd_text_str(&name));
            return NAN;
        }
    }
    return fmin(fmax(theta, 0), 1);
}

/* ---- rows ---- */

typedef struct point_map {
    dd_ocp_problem *o;
    dd_map value; /* POINT symbol -> index + 1 */
    dd_expr_vec values;
} point_map;

static dd_expr put_point(void *user, dd_expr symbol)
{
    const point_map *m = user;
    uint32_t at = dd_map_get(&m->value, symbol);
    return at != 0 ? m->values.data[at - 1] : DD_EXPR_NONE;
}

static bool read_points(dd_ocp_problem *o, point_map *m)
{
    const dd_optimization *opt = o->model->optimization;
    *m = (point_map){.o = o, .value = dd_map_new(o->pool)};
    for (uint32_t i = 0; i < opt->points.len; i++) {
        const dd_point *point = &opt->points.data[i];
        double theta = theta_of(o, point);
        if (isnan(theta)) {
            return false;
        }
        uint32_t instant = instant_at(o, theta);
        dd_expr e = dd_ocp_at(o, instant, dd_ocp_resolve(o, dd_model_symbol(o->model, point->of)));
        dd_vec_push(o->pool, &m->values, e);
        dd_map_put(&m->value, dd_model_symbol(o->model, point->var), m->values.len);
    }
    return true;
}

static bool has_point(const dd_ocp_problem *o, const point_map *m, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        found = found || dd_map_get(&m->value, symbols.data[i]) != 0;
    }
    dd_vec_free(o->pool, &symbols);
    return found;
}

static bool contains_any(const dd_ocp_problem *o, dd_expr e, const dd_decision_vec *list)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        for (uint32_t k = 0; k < list->len && !found; k++) {
            found = symbols.data[i] == list->data[k].symbol;
        }
    }
    dd_vec_free(o->pool, &symbols);
    return found;
}

static bool contains_data(const dd_ocp_problem *o, dd_expr e)
{
    bool found = false;
    for (uint32_t i = 0; i < o->data.len && !found; i++) {
        found = dd_depends(o->dag, e, o->data.data[i].symbol);
    }
    return found;
}

static void classify(const dd_ocp_problem *o, dd_ocp_row *row)
{
    row->at_points = contains_any(o, row->e, &o->z);
    dd_expr_vec symbols = {0};
    bool time = contains_data(o, row->e);
    dd_symbols(o->dag, row->e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        time = time || symbols.data[i] == o->time;
    }
    dd_vec_free(o->pool, &symbols);
    row->of_control = !row->at_points && !time && !contains_any(o, row->e, &o->x) && contains_any(o, row->e, &o->u);
}

/* Several scalars of one statement are told apart by what each of them says. */
static bool one_of_several(const dd_optimization *opt, uint32_t i)
{
    const dd_constraint *c = &opt->constraints.data[i];
    bool before =
        i > 0 && opt->constraints.data[i - 1].lhs_form == c->lhs_form && opt->constraints.data[i - 1].env == c->env;
    bool after = i + 1 < opt->constraints.len && opt->constraints.data[i + 1].lhs_form == c->lhs_form &&
                 opt->constraints.data[i + 1].env == c->env;
    return before || after;
}

static const char *constraint_name(const dd_ocp_problem *o, uint32_t i)
{
    static const char *const relation[] = {" = ", " <= ", " >= "};
    const dd_optimization *opt = o->model->optimization;
    const dd_constraint *c = &opt->constraints.data[i];
    dd_text text = dd_text_new(o->pool);
    if (c->lhs_form != DD_FORM_NONE && !one_of_several(opt, i)) {
        dd_model_print_left(o->model, c->lhs_form, c->env, &text);
        dd_text_add(&text, relation[c->relation]);
        dd_form_print(o->model->forms, c->rhs_form, c->env, &text);
    } else {
        dd_namer namer = dd_model_namer(o->model);
        dd_print(o->dag, c->lhs, &namer, &text);
        dd_text_add(&text, relation[c->relation]);
        dd_print(o->dag, c->rhs, &namer, &text);
    }
    return dd_text_str(&text);
}

/* The number of an expression without anything that is decided; NaN when it has none. */
static double constant_value(const dd_ocp_problem *o, dd_expr e)
{
    double value = NAN;
    uint32_t culprit;
    return dd_model_evaluate(o->model, e, false, &value, &culprit) ? value : NAN;
}

/* The size of a side that is a number, else 0. */
static double side_value(dd_ocp_problem *o, dd_expr e)
{
    double value = depends_on_decided(o, e) ? NAN : constant_value(o, e);
    return isfinite(value) ? fabs(value) : 0;
}

static dd_ocp_row constraint_row(dd_ocp_problem *o, uint32_t i, const point_map *m)
{
    const dd_constraint *c = &o->model->optimization->constraints.data[i];
    dd_expr e = dd_sub(o->dag, c->lhs, c->rhs);
    dd_ocp_row row = {
        .name = constraint_name(o, i), .span = c->span, .value = fmax(side_value(o, c->lhs), side_value(o, c->rhs))};
    row.lower = c->relation == DD_CONSTRAINT_LE ? -INFINITY : 0;
    row.upper = c->relation == DD_CONSTRAINT_GE ? INFINITY : 0;
    bool point = has_point(o, m, e);
    row.e = point ? dd_substitute(o->dag, e, put_point, (void *)(uintptr_t)m) : dd_ocp_resolve(o, e);
    classify(o, &row);
    return row;
}

/* a x + b <= c with numbers a, b, c is a bound of x: solvers keep bounds at all times. */
static bool as_bound(dd_ocp_problem *o, const dd_ocp_row *row, dd_decision_vec *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_decision *d = &list->data[i];
        dd_expr coefficient, rest;
        if (!dd_linear(o->dag, row->e, &d->symbol, 1, &coefficient, &rest)) {
            continue;
        }
        double a = constant_value(o, coefficient), b = constant_value(o, rest);
        if (!isfinite(a) || !isfinite(b) || a == 0 || depends_on_decided(o, coefficient) ||
            depends_on_decided(o, rest)) {
            continue;
        }
        double low = (row->lower - b) / a, high = (row->upper - b) / a, least = fmin(low, high), most = fmax(low, high);
        d->lower_from = least > d->lower ? row->name : d->lower_from;
        d->upper_from = most < d->upper ? row->name : d->upper_from;
        d->lower = fmax(d->lower, least);
        d->upper = fmin(d->upper, most);
        return true;
    }
    return false;
}

static bool is_bound(dd_ocp_problem *o, const dd_ocp_row *row)
{
    bool inequality = row->lower != row->upper;
    return inequality && (as_bound(o, row, &o->x) || as_bound(o, row, &o->z) || as_bound(o, row, &o->u));
}

static void read_rows(dd_ocp_problem *o, const point_map *m)
{
    const dd_optimization *opt = o->model->optimization;
    for (uint32_t i = 0; i < opt->constraints.len; i++) {
        const dd_constraint *c = &opt->constraints.data[i];
        dd_ocp_row row = constraint_row(o, i, m);
        bool varies = contains_any(o, row.e, &o->x) || contains_any(o, row.e, &o->z) || contains_any(o, row.e, &o->u) ||
                      contains_data(o, row.e);
        if (has_point(o, m, dd_sub(o->dag, c->lhs, c->rhs)) || !varies) {
            dd_vec_push(o->pool, &o->points, row);
        } else if (!is_bound(o, &row)) {
            dd_vec_push(o->pool, &o->path, row);
        }
    }
}

/* min and max of variables that are assigned: rows, since they are no unknowns. */
static void read_assigned_bounds(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->system->declared; i++) {
        uint32_t var = o->system->unknown[i];
        const dd_variable *v = &o->model->vars.data[var];
        bool bounded = isfinite(v->min_value) || isfinite(v->max_value), unknown = false;
        for (uint32_t k = 0; k < o->x.len && !unknown; k++) {
            unknown = o->x.data[k].var == var;
        }
        for (uint32_t k = 0; k < o->z.len && !unknown; k++) {
            unknown = o->z.data[k].var == var && o->z.data[k].order == 0;
        }
        if (!bounded || unknown) {
            continue;
        }
        dd_ocp_row row = {.e = dd_ocp_resolve(o, dd_model_symbol(o->model, var)),
                          .lower = v->min_value,
                          .upper = v->max_value,
                          .name =
                              dd_pool_printf(o->pool, "bounds of %s", dd_model_var_name_dup(o->model, var, o->pool)),
                          .span = o->model->arrays.data[v->array].span};
        classify(o, &row);
        dd_vec_push(o->pool, &o->path, row);
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
    if (v->guess != DD_EXPR_NONE || v->binding != DD_EXPR_NONE || !isfinite(most)) {
        return o->tf_value;
    }
    if (least > 0) {
        return o->t0_value + sqrt(least * most);
    }
    return o->tf_value > o->t0_value && o->tf_value < o->tf_upper ? o->tf_value : o->t0_value + 0.5 * most;
}

/* Time runs forward: what is free has a bound at the other end; with both free it is a row. */
static void order_times(dd_ocp_problem *o)
{
    if (o->free_tf && !o->free_t0) {
        o->tf_lower = fmax(o->tf_lower, fmin(o->t0_value, o->tf_upper));
    } else if (o->free_t0 && !o->free_tf) {
        o->t0_upper = fmin(o->t0_upper, fmax(o->tf_value, o->t0_lower));
    }
    if (o->free_t0 && o->free_tf && o->tf_lower < o->t0_upper) {
        dd_ocp_row row = {.e = dd_sub(o->dag, o->tf, o->t0), .lower = 0, .upper = INFINITY};
        row.name = "finalTime >= startTime";
        dd_vec_push(o->pool, &o->points, row);
    }
    o->tf_value = o->free_tf && o->tf_lower < o->tf_upper ? guessed_end(o) : o->tf_value;
}

/* ---- the start ---- */

/* Inputs at the start: data, and the guess of the controls, where the equations have values when those at 0 have none. */
static const double *start_inputs(dd_ocp_problem *o)
{
    const double *data = dd_ocp_data_inputs(o, o->t0_value);
    double *values = dd_pool_alloc_array(o->pool, o->model->vars.len + 1, sizeof *values);
    if (data != NULL) {
        memcpy(values, data, o->model->vars.len * sizeof *values);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        values[d->var] = fmin(fmax(guess_number(o, &o->model->vars.data[d->var]), d->lower), d->upper);
    }
    return values;
}

/* Does anything that is decided (a parameter, a control, a time) enter what determines the start: the conditions there
 * and the invariants? */
static bool start_depends(dd_ocp_problem *o, dd_expr e)
{
    e = dd_ocp_resolve(o, e);
    return contains_any(o, e, &o->p) || contains_any(o, e, &o->z) || contains_any(o, e, &o->u) ||
           (o->free_t0 && (dd_depends(o->dag, e, o->time) || dd_depends(o->dag, e, o->t0))) ||
           (o->free_tf && dd_depends(o->dag, e, o->tf));
}

static bool start_varies(dd_ocp_problem *o)
{
    bool varies = false;
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

static void find_start(dd_ocp_problem *o)
{
    o->open_start = o->system->missing;
    if (o->system->missing > 0) {
        return;
    }
    dd_experiment *e = &o->model->experiment;
    const dd_experiment before = *e;
    e->has_start = true;
    e->start = o->t0_value;
    dd_start_options options = dd_start_options_default();
    o->system->inputs = start_inputs(o);
    o->system->input_stride = 1;
    dd_start start = dd_system_start(o->system, &options, o->pool);
    o->system->inputs = NULL;
    *e = before;
    bool decided = o->p.len > 0 || o->u.len > 0 || o->free_t0 || o->free_tf, varies = decided && start_varies(o);
    if (!start.ok && !varies) {
        o->reason = start.reason;
        o->infeasible = true;
        o->not_finite = start.not_finite;
        return;
    }
    if (!start.ok) { /* with other parameters it may be */
        return;
    }
    o->x_start = dd_pool_alloc_array(o->pool, o->x.len + 1, sizeof *o->x_start);
    for (uint32_t i = 0; i < o->x.len; i++) {
        o->x_start[i] = start.x[(size_t)o->system->column[o->x.data[i].var] * start.stride];
    }
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
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_expr s = symbols.data[i];
        bool constant = dd_op_of(o->dag, s) == DD_OP_PARAM && dd_symbol_id(o->dag, s) < o->model->vars.len &&
                        !o->model->vars.data[dd_symbol_id(o->dag, s)].free && s != o->t0 && s != o->tf;
        if (constant && dd_map_get(seen, s) == 0) {
            dd_map_put(seen, s, 1);
            dd_vec_push(o->pool, &o->constants, s);
        }
    }
    dd_vec_free(o->pool, &symbols);
}

void dd_ocp_collect_constants(dd_ocp_problem *o)
{
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
    o->constant_value = dd_pool_alloc_array(o->pool, o->constants.len + 1, sizeof *o->constant_value);
    for (uint32_t i = 0; i < o->constants.len; i++) {
        o->constant_value[i] = o->system->parameter[dd_symbol_id(o->dag, o->constants.data[i])];
    }
}

/* ---- all of it ---- */

dd_ocp_problem *dd_ocp_problem_new(dd_system *s, dd_form_of_equations form, double baumgarte, dd_pool *pool)
{
    dd_ocp_problem *o = dd_pool_alloc(pool, sizeof *o);
    const dd_optimization *opt = s->model->optimization;
    point_map points;
    *o = (dd_ocp_problem){.system = s, .model = s->model, .dag = s->model->dag, .pool = pool, .form = form};
    o->integrand = o->mayer = DD_EXPR_NONE;
    o->equations = dd_system_equations(s, form, baumgarte, pool);
    o->fresh = s->model->vars.len;
    o->time = dd_time(o->dag);
    o->t0 = dd_param(o->dag, opt->start_var);
    o->tf = dd_param(o->dag, opt->final_var);
    read_time(o, opt->start_var, &o->free_t0, &o->t0_value, &o->t0_lower, &o->t0_upper);
    read_time(o, opt->final_var, &o->free_tf, &o->tf_value, &o->tf_lower, &o->tf_upper);
    order_times(o);
    o->first_horizon = o->tf_value - o->t0_value;
    if (s->reduced.input_rates.len > 0) {
        o->reason = "the reduced equations need the time derivative of an input, which a control that jumps does not "
                    "have: make the input a state with its derivative as the new input";
        return o;
    }
    dd_ocp_read_data(o);
    add_controls(o);
    add_parameters(o);
    read_dynamics(o);
    eliminate_assignments(o);
    note_affine(o);
    instant_at(o, 0);
    instant_at(o, 1);
    if (o->reason != NULL || !read_points(o, &points)) {
        return o;
    }
    read_rows(o, &points);
    read_assigned_bounds(o);
    o->integrand = opt->integrand != DD_EXPR_NONE ? dd_ocp_resolve(o, opt->integrand) : DD_EXPR_NONE;
    o->mayer =
        opt->objective != DD_EXPR_NONE ? dd_substitute(o->dag, opt->objective, put_point, &points) : DD_EXPR_NONE;
    find_start(o);
    dd_ocp_find_sizes(o);
    if (dd_ocp_phase_count(o) > 0) {
        dd_ocp_phase_guesses(o);
    }
    dd_ocp_collect_constants(o);
    return o;
}
