/* residuals.c - terms of the objective as one compiled function: of values at times, or of one moment. */
#include "ocp/residuals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ocp/compiled.h"
#include "ocp/data.h"
#include "ocp/reading.h"
#include "ocp/squares.h"

/* A term, and what is computed of it: r, its factor, and the measured value where there is one. */
typedef struct term {
    dd_square_term square;
    dd_expr measured; /* DD_EXPR_NONE: no single variable */
    uint32_t of;      /* as in dd_residual */
    const char *data;
    double t;             /* of the latest of its values; not for integrals */
    const dd_table *rows; /* an integral is sampled here; NULL: it is none */
} term;

typedef struct work {
    dd_ocp *p;
    dd_pool *pool;
    dd_reading reading;
    const dd_point **point; /* per variable of the model: the value at a time that it is, or NULL */
    bool *varies;           /* per variable of the model: integrals contain it */
    DD_VEC(term) terms;
    dd_expr_vec inputs, outputs;
    DD_VEC(double) in; /* per input */
    dd_residual_vec out;
} work;

/* The column of the data that supplies a variable; NULL: none. */
static const dd_data_column *column_of(const dd_ocp_problem *o, uint32_t var)
{
    for (uint32_t i = 0; i < o->data.len; i++) {
        if (o->data.data[i].column->var == var) {
            return o->data.data[i].column;
        }
    }
    return NULL;
}

/* The value of a variable in the reading at hand, which is that of time t. */
static double value_of(const work *w, uint32_t var, double t)
{
    const dd_data_column *data = column_of(w->p->problem, var);
    for (uint32_t i = 0; data == NULL && i < w->p->outputs->vars.len; i++) {
        if (w->p->outputs->vars.data[i] == var) {
            return w->reading.values[i];
        }
    }
    return data != NULL ? dd_data_at(data, t, t >= w->p->info.final_time) : (double)NAN;
}

static double theta_of(const dd_ocp *p, double t)
{
    const double length = p->info.final_time - p->info.start_time;
    return length > 0 ? fmin(fmax((t - p->info.start_time) / length, 0), 1) : 0;
}

/* ---- what a term compares ---- */

/* What a symbol of a term says of it: data that it is compared with, or a variable that is measured. False: a
 * derivative, which nothing here has a value of. */
static bool note_symbol(const work *w, term *at, dd_expr symbol, dd_expr_vec *variables)
{
    const dd_ocp_problem *o = w->p->problem;
    const dd_op op = dd_op_of(o->dag, symbol);
    if (op != DD_OP_VAR && op != DD_OP_PARAM) {
        return true;
    }
    const uint32_t id = dd_symbol_id(o->dag, symbol);
    const dd_point *point = op == DD_OP_PARAM ? w->point[id] : NULL;
    double t;
    if (point != NULL && dd_ocp_number(o, point->time, &t)) {
        at->t = fmax(at->t, t);
    }
    w->varies[id] = w->varies[id] || op == DD_OP_VAR;
    if (point != NULL || op == DD_OP_VAR) {
        const uint32_t var = point != NULL ? point->of : id;
        const dd_data_column *data = column_of(o, var);
        at->data = data != NULL ? data->name : at->data;
        at->of = data != NULL ? at->of : var;
        if (data == NULL) {
            dd_vec_push(w->pool, variables, symbol);
        }
    }
    return op == DD_OP_PARAM || dd_symbol_order(o->dag, symbol) == 0;
}

static bool look_at(work *w, term *at)
{
    const dd_ocp_problem *o = w->p->problem;
    dd_expr_vec symbols = {0}, variables = {0};
    dd_expr coefficient, rest;
    bool known = true;
    at->t = -INFINITY;
    dd_symbols(o->dag, at->square.r, true, &symbols, w->pool);
    for (uint32_t i = 0; known && i < symbols.len; i++) {
        known = note_symbol(w, at, symbols.data[i], &variables);
    }
    if (at->square.integral) {
        uint32_t count;
        at->rows = dd_ocp_square_rows(o, at->square.r, &count);
        known = known && at->rows != NULL;
    }
    /* a*y + b is zero at y = -b/a */
    const bool single = variables.len == 1 && dd_linear(o->dag, at->square.r, variables.data, 1, &coefficient, &rest);
    at->measured = single ? dd_div(o->dag, dd_neg(o->dag, rest), coefficient) : DD_EXPR_NONE;
    at->of = single ? at->of : DD_NO_INDEX;
    return known;
}

/* ---- the function ---- */

static void add_input(work *w, dd_expr symbol, double value)
{
    dd_vec_push(w->pool, &w->inputs, symbol);
    dd_vec_push(w->pool, &w->in, value);
}

/* Parameters and times first, values at times behind them; the moment of an integral is put in later. */
static void list_inputs(work *w)
{
    const dd_ocp_problem *o = w->p->problem;
    const dd_optimization *opt = o->model->optimization;
    for (uint32_t i = 0; i < o->p.len; i++) {
        add_input(w, o->p.data[i].symbol, w->reading.params[i]);
    }
    add_input(w, o->t0, w->p->info.start_time);
    add_input(w, o->tf, w->p->info.final_time);
    for (uint32_t i = 0; i < opt->points.len; i++) {
        double t, value = NAN;
        if (dd_ocp_number(o, opt->points.data[i].time, &t)) {
            const double theta = theta_of(w->p, t);
            dd_reading_at(&w->reading, theta, theta >= 1);
            value = value_of(w, opt->points.data[i].of, t);
        }
        add_input(w, dd_model_symbol(o->model, opt->points.data[i].var), value);
    }
    add_input(w, o->time, NAN);
    for (uint32_t i = 0; i < o->model->vars.len; i++) {
        if (w->varies[i]) {
            add_input(w, dd_var(o->dag, i, 0), NAN);
        }
    }
}

static dd_program_work *compiled(work *w)
{
    dd_dag *dag = w->p->problem->dag;
    for (uint32_t i = 0; i < w->terms.len; i++) {
        const term *at = &w->terms.data[i];
        dd_vec_push(w->pool, &w->outputs, at->square.r);
        dd_vec_push(w->pool, &w->outputs, at->square.factor);
        dd_vec_push(w->pool, &w->outputs, at->measured != DD_EXPR_NONE ? at->measured : dd_num(dag, 0));
    }
    return dd_ocp_compile(w->p->problem, w->inputs.data, w->inputs.len, w->outputs.data, w->outputs.len, w->pool);
}

/* ---- samples ---- */

/* Those of terms that are sampled at these rows, at time t; without rows those that are no integrals. */
static void add_samples(work *w, const double *values, const dd_table *rows, double t)
{
    for (uint32_t i = 0; i < w->terms.len; i++) {
        const term *at = &w->terms.data[i];
        const double *v = values + 3 * (size_t)i;
        if (at->rows != rows) {
            continue;
        }
        const dd_residual sample = {.t = rows != NULL ? t : at->t,
                                    .value = sqrt(v[1]) * v[0],
                                    .measured = at->measured != DD_EXPR_NONE ? v[2] : (double)NAN,
                                    .of = at->of,
                                    .data = at->data};
        if (isfinite(sample.value) && isfinite(sample.t)) {
            dd_vec_push(w->pool, &w->out, sample);
        }
    }
}

/* Integrals at the rows of a column. */
static void add_rows(work *w, dd_program_work *f, const dd_table *rows, double *values)
{
    const dd_ocp_problem *o = w->p->problem;
    for (uint64_t k = 0; k < rows->count; k++) {
        const double t = dd_table_time(rows, k);
        if (t < o->t0_value || t > o->tf_value) {
            continue;
        }
        const double theta = theta_of(w->p, t);
        dd_reading_at(&w->reading, theta, theta >= 1);
        for (uint32_t i = 0; i < w->inputs.len; i++) {
            const dd_expr symbol = w->inputs.data[i];
            if (symbol == o->time) {
                w->in.data[i] = t;
            } else if (dd_op_of(o->dag, symbol) == DD_OP_VAR) {
                w->in.data[i] = value_of(w, dd_symbol_id(o->dag, symbol), t);
            }
        }
        const double *in[] = {w->in.data};
        dd_program_eval(f, in, values);
        add_samples(w, values, rows, t);
    }
}

static int compare(const void *a, const void *b)
{
    const dd_residual *x = a, *y = b;
    if (x->of != y->of) {
        return x->of < y->of ? -1 : 1;
    }
    if (x->data != y->data) {
        return x->data == NULL || (y->data != NULL && x->data < y->data) ? -1 : 1;
    }
    return x->t < y->t ? -1 : x->t > y->t ? 1 : 0;
}

dd_residual_vec dd_ocp_residuals(dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    const dd_optimization *opt = o->model->optimization;
    work w = {.p = p, .pool = pool};
    dd_square_term_vec squares = {0};
    if (o->data.len == 0 || !dd_ocp_squares(o, opt->objective, false, &squares, pool) ||
        !dd_ocp_squares(o, opt->integrand, true, &squares, pool) || squares.len == 0) {
        return w.out;
    }
    w.point = dd_pool_alloc_array(pool, o->model->vars.len + 1, sizeof *w.point);
    w.varies = dd_pool_alloc_array(pool, o->model->vars.len + 1, sizeof *w.varies);
    memset(w.point, 0, o->model->vars.len * sizeof *w.point);
    memset(w.varies, 0, o->model->vars.len * sizeof *w.varies);
    for (uint32_t i = 0; i < opt->points.len; i++) {
        w.point[opt->points.data[i].var] = &opt->points.data[i];
    }
    for (uint32_t i = 0; i < squares.len; i++) {
        term at = {.square = squares.data[i], .of = DD_NO_INDEX};
        if (look_at(&w, &at)) {
            dd_vec_push(pool, &w.terms, at);
        }
    }
    /* values at times in one evaluation, then the rows of each column that integrals are sampled at */
    w.reading = dd_reading_new(p, pool);
    list_inputs(&w);
    dd_program_work *f = compiled(&w);
    double *values = dd_pool_alloc_array(pool, w.outputs.len + 1, sizeof *values);
    const double *in[] = {w.in.data};
    dd_program_eval(f, in, values);
    add_samples(&w, values, NULL, 0);
    for (uint32_t i = 0; i < o->data.len; i++) {
        add_rows(&w, f, o->data.data[i].column->rows, values);
    }
    qsort(w.out.data, w.out.len, sizeof *w.out.data, compare);
    return w.out;
}

uint32_t dd_residuals_alike(const dd_residual_vec *list, uint32_t i)
{
    const dd_residual *first = &list->data[i];
    uint32_t n = 1;
    while (i + n < list->len && first[n].of == first->of && first[n].data == first->data) {
        n++;
    }
    return n;
}
