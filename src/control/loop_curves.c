/* loop_curves.c - what pictures of a closed loop are drawn from: the record as curves, and plans of a few samples. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/loop.h"
#include "dynamics/drawn.h"

/* As many plans can be told apart in one figure; a line of so many points is smooth at its width. */
enum { MOST_PLANS = 6, MOST_POINTS = 120 };

/* ---- plans ---- */

void dd_loop_keep_plan(dd_loop *l, const dd_sample_info *sample)
{
    const double all = ceil((l->stop - l->start) / l->options.sample_period - 0.5);
    const double every =
        fmax(1, ceil(all / MOST_PLANS)); /* more than an integer holds where the loop runs without end */
    if (l->plant == NULL || fmod(l->info.samples - 1, every) != 0 || l->predictions.len >= MOST_PLANS) {
        return;
    }
    /* from where the plan begins to its end, four points an interval as far as they are needed */
    dd_control *c = l->control;
    const uint32_t nx = c->problem->x.len, nu = c->problem->u.len, width = 1 + nx + nu;
    const uint32_t wanted = 4 * c->options.intervals + 1, points = wanted < MOST_POINTS ? wanted : MOST_POINTS;
    const double begin = sample->time + l->options.delay;
    const double end = c->free_end ? dd_ocp_get_info(c->ocp).final_time : begin + c->horizon;
    double *z = dd_pool_alloc_array(l->pool, c->problem->z.len + 1, sizeof *z);
    dd_prediction p = {sample->time, points, NULL};
    p.rows = dd_pool_alloc_array(l->pool, (size_t)points * width, sizeof *p.rows);
    for (uint32_t i = 0; i < points; i++) {
        double *row = p.rows + (size_t)i * width;
        row[0] = begin + (end - begin) * i / (points - 1);
        if (dd_ocp_point(c->ocp, row[0], row + 1, z, row + 1 + nx) != DD_OK) {
            return;
        }
    }
    dd_vec_push(l->pool, &l->predictions, p);
}

/* ---- the record ---- */

static bool is_sample(const dd_loop *l, const double *row)
{
    return !isnan(row[l->record.width - 1]);
}

/* Rows of the record; where inputs jump, a row of the same time with the inputs and set-points before. */
static dd_table *rows_with_jumps(const dd_loop *l, dd_pool *pool)
{
    const dd_table *from = &l->record;
    dd_table *to = dd_table_of_pool(pool, from->width - 1);
    for (uint64_t i = 0; i < from->count; i++) {
        const double *row = dd_table_row(from, i);
        if (i > 0 && is_sample(l, row)) {
            double *before = dd_table_push_row(to, pool);
            memcpy(before, row, from->width * sizeof *row);
            const double *last = dd_table_row(from, i - 1);
            for (uint32_t k = 1 + l->n_plant; k < from->width; k++) {
                const bool of_sample =
                    k >= 1 + l->n_plant + l->n_inputs + l->n_estimates + l->n_references ||
                    (k >= 1 + l->n_plant + l->n_inputs && k < 1 + l->n_plant + l->n_inputs + l->n_estimates);
                before[k] = of_sample ? (double)NAN : last[k];
            }
        }
        double *copy = dd_table_push_row(to, pool);
        memcpy(copy, row, from->width * sizeof *row);
    }
    return to;
}

/* What is known at samples only becomes a line between them. */
static void join_samples(dd_table *t, uint32_t column)
{
    uint64_t last = UINT64_MAX;
    for (uint64_t i = 0; i < t->count; i++) {
        const double *row = dd_table_row(t, i);
        if (isnan(row[column])) {
            continue;
        }
        for (uint64_t k = last + 1; last != UINT64_MAX && k < i; k++) {
            const double *a = dd_table_row(t, last);
            double *between = t->data + k * t->width;
            const double span = row[0] - a[0], s = span > 0 ? (between[0] - a[0]) / span : 1;
            between[column] = a[column] + s * (row[column] - a[column]);
        }
        last = i;
    }
}

/* ---- names, units, bounds ---- */

typedef struct naming {
    dd_table_column *names;
    dd_curve *columns;
    uint32_t count;
} naming;

static void add_column(naming *n, const char *name, const dd_model *m, uint32_t var, uint32_t array)
{
    const dd_array *a = var != DD_NO_INDEX ? &m->arrays.data[m->vars.data[var].array] : NULL;
    n->names[n->count] = (dd_table_column){name, a != NULL ? a->unit : ""};
    n->columns[n->count++] = (dd_curve){.doc = a != NULL ? a->doc : "",
                                        .title = a != NULL && !a->introduced ? a->name : name,
                                        .array = array,
                                        .lower = -INFINITY,
                                        .upper = INFINITY};
}

static void set_bounds(naming *n, uint32_t column, const dd_decision *d)
{
    n->columns[column].lower = d->lower;
    n->columns[column].upper = d->upper;
}

dd_curves dd_loop_curves(const dd_loop *l, bool data, dd_pool *pool)
{
    const dd_model *plant = l->plant_system->model, *class_model = l->system->model;
    const dd_ocp_problem *o = l->control->problem;
    const uint32_t count = l->record.width - 1;
    naming n = {dd_pool_alloc_array(pool, count + 1, sizeof *n.names),
                dd_pool_alloc_array(pool, count + 1, sizeof *n.columns), 0};
    /* figures are per array: those of the class are numbered behind the plant's */
    const uint32_t behind = plant->arrays.len, more = behind + class_model->arrays.len;
    for (uint32_t i = 0; i < l->n_plant; i++) {
        const uint32_t var =
            l->recorded.rows != NULL ? l->control->estimator->measured.data[i].var : l->plant_system->unknown[i];
        add_column(&n, l->columns[i], plant, var, plant->vars.data[var].array);
    }
    /* bounds of the class belong to the plant's variables of the same name */
    for (uint32_t i = 0; i < o->x.len; i++) {
        if (l->ledger.state_of[i] < l->n_plant) {
            set_bounds(&n, l->ledger.state_of[i], &o->x.data[i]);
        }
    }
    for (uint32_t i = 0; i < l->n_inputs; i++) {
        const uint32_t var = o->u.data[i].var;
        add_column(&n, l->columns[n.count], class_model, var, behind + class_model->vars.data[var].array);
        set_bounds(&n, n.count - 1, &o->u.data[i]);
    }
    for (uint32_t k = n.count; k < count; k++) {
        add_column(&n, l->columns[k], class_model, DD_NO_INDEX, more + k);
    }
    /* data: all columns but the plant's, inputs and set-points are known at samples only */
    dd_table *table = data ? rows_with_jumps(l, pool) : dd_table_of_pool(pool, count);
    const uint32_t first = 1 + l->n_plant + l->n_inputs;
    for (uint32_t k = first; k <= count; k++) {
        if (k < first + l->n_estimates || k >= first + l->n_estimates + l->n_references) {
            join_samples(table, k);
        }
    }
    table->columns = n.names;
    /* what the class draws comes first: its constraints are about obstacles */
    dd_curve_map map = dd_drawn_map(class_model, l->system->parameter, pool);
    map = map.x != NULL ? map : dd_drawn_map(plant, l->plant_system->parameter, pool);
    dd_curves curves = {.table = table, .columns = n.columns, .x_end = l->stop, .map = map};
    dd_drawn_places(&curves, plant, l->plant_system->parameter, pool);
    return curves;
}
