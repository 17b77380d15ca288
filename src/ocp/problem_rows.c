/* problem_rows.c - the constraints of an optimization class as rows: at all times, at instants, or bounds.
 *
 * Values at times (x(finalTime), x(0.3)) become symbols of an instant; instants are fractions theta of the
 * horizon, also of a free one. A constraint with such values is a point row, any other a path row, or bounds of a
 * decision when that is all it says.
 */
#include <math.h>

#include "ocp/data.h"
#include "ocp/problem_impl.h"

#define SAME_TIME 1e-12 /* instants closer than this, relative to the horizon, are one */

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
    /* times that differ by rounding are one instant */
    for (uint32_t i = 0; i < o->instants.len; i++) {
        if (fabs(o->instants.data[i].theta - theta) < SAME_TIME) {
            return i;
        }
    }
    dd_instant instant = {.theta = theta};
    /* symbols in one go: their numbers are a range (transcription.c relies on it) */
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

static dd_expr symbol_at(const dd_decision_vec *list, const dd_expr_vec *there, dd_expr symbol)
{
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
    /* states, algebraic variables, data (numbers at this time), controls */
    if (symbol == o->time) {
        return a->i->time;
    }
    dd_expr known = dd_ocp_preview_at(a->o, symbol, a->i->theta);
    if (known != DD_EXPR_NONE) {
        return known;
    }
    dd_expr found = symbol_at(&o->x, &a->i->x, symbol);
    found = found != DD_EXPR_NONE ? found : symbol_at(&o->z, &a->i->z, symbol);
    found = found != DD_EXPR_NONE
                ? found
                : dd_ocp_data_number(o, symbol, o->t0_value + a->i->theta * (o->tf_value - o->t0_value));
    return found != DD_EXPR_NONE ? found : symbol_at(&o->u, &a->i->u, symbol);
}

dd_expr dd_ocp_at(dd_ocp_problem *o, uint32_t instant, dd_expr resolved)
{
    at_instant a = {o, &o->instants.data[instant]};
    return dd_substitute(o->dag, resolved, put_instant, &a);
}

/* The value of an expression of parameters when startTime and finalTime are these. */
static double time_value(dd_ocp_problem *o, dd_expr e, double t0, double tf)
{
    /* the model evaluates with these times for a moment */
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
    /* the fraction of the horizon at its guess */
    double t0 = o->t0_value, tf = o->tf_value, t = time_value(o, point->time, t0, tf);
    double theta = (t - t0) / (tf - t0);
    dd_text name = dd_text_new(o->pool);
    dd_model_var_name(o->model, point->var, &name);
    if (!isfinite(theta) || theta < -SAME_TIME || theta > 1 + SAME_TIME) {
        o->reason = dd_pool_printf(o->pool, "%s is a value outside the time from %g to %g", dd_text_str(&name), t0, tf);
        return NAN;
    }
    /* the same fraction of any other horizon? A horizon without a length is refused in words of its own */
    if ((o->free_t0 || o->free_tf) && tf > t0) {
        /* with another horizon the fraction must be the same: only then is it one */
        double a = o->free_t0 ? t0 - 1 : t0, b = o->free_tf ? tf + 1 : tf;
        double other = (time_value(o, point->time, a, b) - a) / (b - a);
        if (!(fabs(other - theta) < 1e-9)) {
            o->reason = dd_pool_printf(o->pool,
                                       "%s is required at a time in seconds, but the horizon is free: write the "
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
    dd_map value;   /* POINT symbol -> index + 1 */
    dd_map instant; /* POINT symbol -> its instant + 1 */
    dd_expr_vec values;
    uint32_t here; /* the only instant of the expression at hand; DD_NO_INDEX: none, or several */
} point_map;

static dd_expr put_point(void *user, dd_expr symbol)
{
    const point_map *m = user;
    uint32_t at = dd_map_get(&m->value, symbol);
    if (at != 0) {
        return m->values.data[at - 1];
    }
    return m->here != DD_NO_INDEX ? dd_ocp_preview_at(m->o, symbol, m->o->instants.data[m->here].theta) : DD_EXPR_NONE;
}

/* An expression of point values. A set-point that is known over the horizon has its value at their time. */
static dd_expr at_points(point_map *m, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_expr known = DD_EXPR_NONE;
    bool several = false;
    m->here = DD_NO_INDEX;
    dd_symbols(m->o->dag, e, true, &symbols, m->o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t at = dd_map_get(&m->instant, symbols.data[i]);
        const uint32_t instant = at != 0 ? at - 1 : m->here;
        several = several || (m->here != DD_NO_INDEX && instant != m->here);
        m->here = instant;
        known = dd_ocp_is_preview(m->o, symbols.data[i]) ? symbols.data[i] : known;
    }
    m->here = several ? DD_NO_INDEX : m->here;
    /* with values at several times there is no one time to take it from */
    if (known != DD_EXPR_NONE && m->here == DD_NO_INDEX) {
        m->o->reason = dd_pool_printf(m->o->pool,
                                      "the set-point %s is known over the horizon, and values at %s do not determine "
                                      "its time: declare a variable "
                                      "that contains it, such as Real e = x - %s, and use e at each time",
                                      dd_model_var_name_dup(m->o->model, dd_symbol_id(m->o->dag, known), m->o->pool),
                                      several ? "several times" : "no time",
                                      dd_model_var_name_dup(m->o->model, dd_symbol_id(m->o->dag, known), m->o->pool));
    }
    dd_vec_free(m->o->pool, &symbols);
    return dd_substitute(m->o->dag, e, put_point, m);
}

static bool read_points(dd_ocp_problem *o, point_map *m)
{
    const dd_optimization *opt = o->model->optimization;
    *m = (point_map){.o = o, .value = dd_map_new(o->pool), .instant = dd_map_new(o->pool)};
    /* each point value becomes an expression in symbols of its instant */
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
        dd_map_put(&m->instant, dd_model_symbol(o->model, point->var), instant + 1);
    }
    return true;
}

static bool symbol_in(const dd_expr_vec *list, dd_expr symbol)
{
    bool found = false;
    for (uint32_t i = 0; i < list->len && !found; i++) {
        found = list->data[i] == symbol;
    }
    return found;
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

bool dd_ocp_contains_any(const dd_ocp_problem *o, dd_expr e, const dd_decision_vec *list)
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
    /* z is known at collocation points only */
    row->at_points = dd_ocp_contains_any(o, row->e, &o->z);
    dd_expr_vec symbols = {0};
    bool time = contains_data(o, row->e);
    dd_symbols(o->dag, row->e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        time = time || symbols.data[i] == o->time;
    }
    dd_vec_free(o->pool, &symbols);
    /* rows in controls alone need one row per interval where controls are constant */
    row->of_control =
        !row->at_points && !time && !dd_ocp_contains_any(o, row->e, &o->x) && dd_ocp_contains_any(o, row->e, &o->u);
}

/* Several scalars of one statement: their names must differ. */
static bool one_of_several(const dd_optimization *opt, uint32_t i)
{
    const dd_constraint *c = &opt->constraints.data[i];
    /* neighbours with the same form and environment are scalars of one statement */
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
    /* as written where the statement is one scalar; else each scalar as it is */
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
    double value = dd_ocp_depends_on_decided(o, e) ? NAN : constant_value(o, e);
    return isfinite(value) ? fabs(value) : 0;
}

static dd_ocp_row constraint_row(dd_ocp_problem *o, uint32_t i, point_map *m)
{
    const dd_constraint *c = &o->model->optimization->constraints.data[i];
    /* lhs - rhs with the bounds of the relation */
    dd_expr e = dd_sub(o->dag, c->lhs, c->rhs);
    dd_ocp_row row = {.name = constraint_name(o, i),
                      .span = c->span,
                      .bounds_of = DD_NO_INDEX,
                      .value = fmax(side_value(o, c->lhs), side_value(o, c->rhs))};
    row.lower = c->relation == DD_CONSTRAINT_LE ? -INFINITY : 0;
    row.upper = c->relation == DD_CONSTRAINT_GE ? INFINITY : 0;
    /* values at instants, or the expression at all times */
    bool point = has_point(o, m, e);
    row.e = point ? at_points(m, e) : dd_ocp_resolve(o, e);
    classify(o, &row);
    return row;
}

void dd_ocp_apply_bound(dd_ocp_problem *o, const dd_bound_source *s)
{
    dd_decision *d = &s->list->data[s->index];
    const double a = constant_value(o, s->coefficient), b = constant_value(o, s->rest);
    /* a negative coefficient turns the sides around */
    const dd_variable *v = s->bounds_of != DD_NO_INDEX ? &o->model->vars.data[s->bounds_of] : NULL;
    const double low = ((v ? v->min_value : s->lower) - b) / a, high = ((v ? v->max_value : s->upper) - b) / a;
    d->lower = fmax(d->lower, fmin(low, high));
    d->upper = fmin(d->upper, fmax(low, high));
}

double dd_ocp_bound_factor(const dd_ocp_problem *o, const dd_decision *d)
{
    for (uint32_t i = 0; i < o->bound_sources.len; i++) {
        const dd_bound_source *s = &o->bound_sources.data[i];
        if (&s->list->data[s->index] == d) {
            return fabs(constant_value(o, s->coefficient));
        }
    }
    return 1;
}

/* a x + b <= c with numbers a, b, c is a bound of x: solvers keep bounds at all times. */
static bool as_bound(dd_ocp_problem *o, const dd_ocp_row *row, dd_decision_vec *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_decision *d = &list->data[i];
        dd_expr coefficient, rest;
        /* a x + b with numbers: a bound of x */
        if (!dd_linear(o->dag, row->e, &d->symbol, 1, &coefficient, &rest)) {
            continue;
        }
        double a = constant_value(o, coefficient), b = constant_value(o, rest);
        if (!isfinite(a) || !isfinite(b) || a == 0 || dd_ocp_depends_on_decided(o, coefficient) ||
            dd_ocp_depends_on_decided(o, rest)) {
            continue;
        }
        /* the tightest bound keeps its name for messages */
        const double lower = d->lower, upper = d->upper;
        const dd_bound_source source = {list, i, coefficient, rest, row->lower, row->upper, row->bounds_of};
        dd_vec_push(o->pool, &o->bound_sources, source);
        dd_ocp_apply_bound(o, &source);
        if (o->written == NULL) { /* a start that was set from outside is no size */
            d->scale = dd_ocp_expected_size(d, dd_ocp_guess_number(o, d));
        }
        d->lower_from = d->lower > lower ? row->name : d->lower_from;
        d->upper_from = d->upper < upper ? row->name : d->upper_from;
        return true;
    }
    return false;
}

static bool is_bound(dd_ocp_problem *o, const dd_ocp_row *row)
{
    bool inequality = row->lower != row->upper;
    return inequality && (as_bound(o, row, &o->x) || as_bound(o, row, &o->z) || as_bound(o, row, &o->u));
}

/* Is it about values at the start and about no other instant? */
static bool of_start_alone(const dd_ocp_problem *o, dd_expr e)
{
    bool start = false, other = false;
    dd_expr_vec symbols = {0};
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        for (uint32_t k = 0; k < o->instants.len; k++) {
            const dd_instant *at = &o->instants.data[k];
            bool here = symbols.data[i] == at->time;
            here = here || symbol_in(&at->x, symbols.data[i]) || symbol_in(&at->z, symbols.data[i]) ||
                   symbol_in(&at->u, symbols.data[i]);
            start = start || (here && at->theta == 0);
            other = other || (here && at->theta != 0);
        }
    }
    dd_vec_free(o->pool, &symbols);
    return start && !other;
}

static void read_constraints(dd_ocp_problem *o, point_map *m)
{
    const dd_optimization *opt = o->model->optimization;
    for (uint32_t i = 0; i < opt->constraints.len; i++) {
        const dd_constraint *c = &opt->constraints.data[i];
        dd_ocp_row row = constraint_row(o, i, m);
        /* nothing that varies: a condition on parameters and times, asked for once */
        bool varies = dd_ocp_contains_any(o, row.e, &o->x) || dd_ocp_contains_any(o, row.e, &o->z) ||
                      dd_ocp_contains_any(o, row.e, &o->u) || contains_data(o, row.e);
        if (has_point(o, m, dd_sub(o->dag, c->lhs, c->rhs)) || !varies) {
            if (!o->start_given || !of_start_alone(o, row.e)) {
                dd_vec_push(o->pool, &o->points, row);
            }
        } else if (!is_bound(o, &row)) {
            dd_vec_push(o->pool, &o->path, row);
        }
    }
}

/* min and max of variables that are assigned, and so no unknowns: bounds of what they are copies of, or rows. */
static void read_assigned_bounds(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->system->n_shown; i++) {
        uint32_t var = o->system->shown[i];
        const dd_variable *v = &o->model->vars.data[var];
        /* unknowns have bounds already */
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
                          .bounds_of = var,
                          .lower = v->min_value,
                          .upper = v->max_value,
                          .name =
                              dd_pool_printf(o->pool, "bounds of %s", dd_model_var_name_dup(o->model, var, o->pool)),
                          .span = o->model->arrays.data[v->array].span};
        classify(o, &row);
        if (!is_bound(o, &row)) {
            dd_vec_push(o->pool, &o->path, row);
        }
    }
}

bool dd_ocp_read_rows(dd_ocp_problem *o)
{
    const dd_optimization *opt = o->model->optimization;
    point_map points;
    /* start and end are always instants 0 and 1 */
    instant_at(o, 0);
    instant_at(o, 1);
    if (o->reason != NULL || !read_points(o, &points)) {
        return false;
    }
    read_constraints(o, &points);
    read_assigned_bounds(o);
    /* the cost: an integral, and values at instants */
    o->integrand = opt->integrand != DD_EXPR_NONE ? dd_ocp_resolve(o, opt->integrand) : DD_EXPR_NONE;
    o->mayer = opt->objective != DD_EXPR_NONE ? at_points(&points, opt->objective) : DD_EXPR_NONE;
    return o->reason == NULL;
}
