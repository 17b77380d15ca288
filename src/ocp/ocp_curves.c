/* ocp_curves.c - columns of the table put into groups, with the values of path rows beside them. */
#include "ocp/ocp_curves.h"

#include <math.h>
#include <string.h>

#include "dynamics/drawn.h"
#include "ocp/ocp_table.h"
#include "ocp/phases.h"
#include "ocp/reading.h"
#include "ocp/residuals.h"

/* A column of the curves: where its values come from. */
typedef struct source {
    uint32_t column; /* of the table; or of the path rows */
    bool path;
    uint32_t var; /* of the model; DD_NO_INDEX: none */
    dd_table_column name;
    dd_curve curve;
} source;

typedef struct sorting {
    dd_ocp *p;
    dd_pool *pool;
    const dd_ocp_table *table;
    DD_VEC(source) list;
} sorting;

static const dd_decision *decision_of(const dd_decision_vec *list, uint32_t var)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->data[i].var == var && list->data[i].order == 0) {
            return &list->data[i];
        }
    }
    return NULL;
}

static dd_curve variable_curve(const dd_model *m, uint32_t var, const char *name)
{
    const uint32_t array = m->vars.data[var].array;
    const dd_array *a = &m->arrays.data[array];
    return (dd_curve){
        .doc = a->doc, .title = a->introduced ? name : a->name, .array = array, .lower = -INFINITY, .upper = INFINITY};
}

/* Variables of a phase are drawn over its own time. */
static void set_phase_time(dd_ocp *p, uint32_t var, dd_curve *curve)
{
    const dd_optimization *opt = p->problem->model->optimization;
    uint32_t phase = var < opt->n_phase_of ? opt->phase_of[var] : 0;
    if (phase != 0) {
        dd_pool *scratch = dd_pool_child(p->pool);
        dd_reading r = dd_reading_new(p, scratch);
        double final;
        dd_ocp_phase_times(p->problem, phase - 1, r.params, &curve->from, &final);
        curve->length = final - curve->from;
        dd_pool_free(scratch);
    }
}

static void add_variable(sorting *s, uint32_t column, dd_curve_group group)
{
    const dd_ocp_problem *o = s->p->problem;
    const uint32_t var = s->p->outputs->vars.data[s->table->columns.data[column].index];
    const dd_decision *x = decision_of(&o->x, var), *u = decision_of(&o->u, var), *z = decision_of(&o->z, var);
    const dd_curve_group own = u != NULL ? DD_GROUP_CONTROLS : x != NULL ? DD_GROUP_STATES : DD_GROUP_ALGEBRAIC;
    if (own != group) {
        return;
    }
    const dd_decision *d = u != NULL ? u : x != NULL ? x : z;
    source at = {.column = column, .var = var, .name = s->table->rows->columns[column]};
    at.curve = variable_curve(s->p->system->model, var, at.name.name);
    at.curve.role = own == DD_GROUP_STATES ? DD_ROLE_STATE : own == DD_GROUP_CONTROLS ? DD_ROLE_INPUT : DD_ROLE_OTHER;
    at.curve.lower = d != NULL ? d->lower : -INFINITY;
    at.curve.upper = d != NULL ? d->upper : INFINITY;
    set_phase_time(s->p, var, &at.curve);
    dd_vec_push(s->pool, &s->list, at);
}

/* A separate figure: a curve without an array has a number past all of them. */
static void add_alone(sorting *s, uint32_t column, bool path, const char *name, double lower, double upper)
{
    const uint32_t array = s->p->system->model->arrays.len + s->list.len;
    const dd_curve curve = {
        .doc = "", .title = name, .array = array, .role = DD_ROLE_OTHER, .lower = lower, .upper = upper};
    dd_vec_push(s->pool, &s->list, ((source){column, path, DD_NO_INDEX, {name, ""}, curve}));
}

static void add_group(sorting *s, dd_curve_group group, bool path)
{
    const dd_ocp_problem *o = s->p->problem;
    for (uint32_t i = 0; group == DD_GROUP_PATH && path && i < o->path.len; i++) {
        add_alone(s, i, true, o->path.data[i].name, o->path.data[i].lower, o->path.data[i].upper);
    }
    for (uint32_t i = 0; i < s->table->columns.len; i++) {
        const dd_ocp_column *c = &s->table->columns.data[i];
        if (c->kind == DD_COLUMN_VARIABLE) {
            add_variable(s, i, group);
        } else if ((c->kind == DD_COLUMN_COSTATE && group == DD_GROUP_COSTATES) ||
                   (c->kind == DD_COLUMN_MULTIPLIER && group == DD_GROUP_MULTIPLIERS)) {
            add_alone(s, i, false, s->table->rows->columns[i].name, -INFINITY, INFINITY);
        }
    }
}

/* ---- values ---- */

static dd_table *fill(const sorting *s, dd_ocp_outputs *path)
{
    const dd_ocp *p = s->p;
    const dd_ocp_table *t = s->table;
    dd_table *out = dd_table_of_pool(s->pool, s->list.len);
    dd_table_reserve(out, s->pool, t->rows->count);
    dd_reading r = dd_reading_of(p, path, p->problem->path.len, s->pool);
    /* columns of the table in the order of the groups; path rows are evaluated at the same places */
    for (uint32_t row = 0; row < t->rows->count; row++) {
        const dd_ocp_place *at = &t->places.data[row];
        const double *from = dd_table_row(t->rows, row);
        double *to = dd_table_push_row(out, s->pool);
        if (path != NULL) {
            dd_reading_at(&r, at->read, at->left);
        }
        to[0] = from[0];
        for (uint32_t i = 0; i < s->list.len; i++) {
            const source *c = &s->list.data[i];
            to[1 + i] = c->path ? r.values[c->column] : from[1 + c->column];
        }
    }
    return out;
}

/* Measured values of a fit, for the columns of their variables. */
static void add_dots(const sorting *s, dd_curves *c)
{
    const dd_residual_vec list = dd_ocp_residuals(s->p, s->pool);
    DD_VEC(dd_curve_dots) dots = {0};
    for (uint32_t i = 0, n; i < list.len; i += n) {
        n = dd_residuals_alike(&list, i);
        for (uint32_t k = 0; list.data[i].of != DD_NO_INDEX && k < s->list.len; k++) {
            if (s->list.data[k].var != list.data[i].of) {
                continue;
            }
            double *x = dd_pool_alloc_array(s->pool, n, sizeof *x), *y = dd_pool_alloc_array(s->pool, n, sizeof *y);
            for (uint32_t j = 0; j < n; j++) {
                x[j] = list.data[i + j].t;
                y[j] = list.data[i + j].measured;
            }
            const char *name = list.data[i].data != NULL ? list.data[i].data : "measured";
            dd_vec_push(s->pool, &dots, ((dd_curve_dots){k, name, x, y, n}));
        }
    }
    c->dots = dots.data;
    c->n_dots = dots.len;
}

static dd_ocp_curves curves_of(dd_ocp *p, dd_ocp_outputs *path, bool costates, dd_ocp_rows rows, dd_pool *pool)
{
    const bool multipliers = p->options.multipliers;
    sorting s = {.p = p, .pool = pool, .table = dd_ocp_table_new(p, multipliers || costates, rows, pool)};
    dd_ocp_curves out = {0};
    for (uint32_t g = 0; g < DD_GROUPS; g++) {
        out.first[g] = s.list.len;
        if (g != DD_GROUP_MULTIPLIERS || multipliers) {
            add_group(&s, (dd_curve_group)g, path != NULL);
        }
    }
    out.first[DD_GROUPS] = s.list.len;
    dd_curve *columns = dd_pool_alloc_array(pool, s.list.len + 1, sizeof *columns);
    dd_table_column *names = dd_pool_alloc_array(pool, s.list.len + 1, sizeof *names);
    for (uint32_t i = 0; i < s.list.len; i++) {
        columns[i] = s.list.data[i].curve;
        names[i] = s.list.data[i].name;
    }
    dd_table *table = fill(&s, path);
    table->columns = names;
    out.curves = (dd_curves){.table = table,
                             .columns = columns,
                             .x_name = dd_ocp_phase_count(p->problem) > 0 ? "part of the phase" : NULL,
                             .x_end = dd_transcription_time(p->transcription, p->result.x, 1)};
    add_dots(&s, &out.curves);
    const double *parameter = dd_ocp_all_parameters(p, pool);
    out.curves.map = dd_drawn_map(p->system->model, parameter, pool);
    dd_drawn_places(&out.curves, p->system->model, parameter, pool);
    return out;
}

dd_ocp_curves dd_ocp_curves_new(dd_ocp *p, dd_ocp_outputs *path, bool costates, dd_pool *pool)
{
    return curves_of(p, path, costates, DD_ROWS_PICTURE, pool);
}

dd_final_values dd_ocp_final_values(dd_ocp *p, uint32_t most, dd_pool *pool)
{
    dd_final_values out = {0};
    const uint32_t declared = p->outputs->vars.len;
    if (p->show.count == 0 && declared <= most) {
        dd_reading r = dd_reading_new(p, pool);
        const double *end = dd_reading_end(&r, pool);
        for (uint32_t i = 0; i < declared; i++) {
            dd_vec_push(pool, &out, ((dd_final_value){dd_reading_name(p, i, pool), end[i]}));
        }
        return out;
    }
    const dd_curves c = curves_of(p, NULL, false, DD_ROWS_GLANCE, pool).curves;
    const double *last = dd_table_row(c.table, c.table->count - 1);
    const bool *chosen = dd_panels_chosen(&c, p->show.items, p->show.count, pool);
    const uint32_t *order = p->show.count == 0 ? dd_curves_order(&c, pool) : NULL;
    for (uint32_t k = 0; k + 1 < c.table->width; k++) {
        const uint32_t i = order != NULL ? order[k] : k;
        if (chosen[i]) {
            const double value = dd_table_rounded(c.table, i, last[1 + i]);
            dd_vec_push(pool, &out, ((dd_final_value){c.table->columns[i].name, value}));
        }
    }
    return out;
}

dd_curves dd_ocp_curve_names(const dd_system *s, dd_pool *pool)
{
    const dd_model *m = s->model;
    DD_VEC(dd_curve) columns = {0};
    DD_VEC(dd_table_column) names = {0};
    /* the unknowns, then the inputs */
    for (uint32_t i = 0; i < s->n_shown + m->vars.len; i++) {
        const uint32_t var = i < s->n_shown ? s->shown[i] : i - s->n_shown;
        if (i < s->n_shown || m->vars.data[var].kind == DD_KIND_INPUT) {
            const char *name = dd_model_var_name_dup(m, var, pool);
            dd_vec_push(pool, &names, ((dd_table_column){name, m->arrays.data[m->vars.data[var].array].unit}));
            dd_vec_push(pool, &columns, variable_curve(m, var, name));
        }
    }
    dd_table *table = dd_table_of_pool(pool, names.len);
    table->columns = names.data;
    dd_curves curves = {.table = table, .columns = columns.data};
    dd_drawn_places(&curves, m, s->parameter, pool);
    return curves;
}
