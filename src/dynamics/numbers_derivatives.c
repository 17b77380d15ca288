/* numbers_derivatives.c - symbolic derivatives of the equations by parameters, compiled; and what sensitivities need of
 * switching functions and outputs. */
#include <string.h>

#include "dynamics/numbers_impl.h"

/* ---- compiling ---- */

typedef struct table_entries {
    DD_VEC(uint32_t) row, col, factor;
    dd_expr_vec value;
} table_entries;

static void add_entry(dd_compiler *c, table_entries *e, uint32_t row, uint32_t col, uint32_t factor, dd_expr value)
{
    if (!dd_is_num(c->q->system->model->dag, value, 0)) {
        dd_vec_push(c->scratch, &e->row, row);
        dd_vec_push(c->scratch, &e->col, col);
        dd_vec_push(c->scratch, &e->factor, factor);
        dd_vec_push(c->scratch, &e->value, value);
    }
}

/* sum of change * partial over the symbols of the direction */
static dd_expr along(dd_compiler *c, const dd_direction *d, const dd_expr_vec *symbols, const dd_expr_vec *partials)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr sum = dd_rational(dag, 0, 1);
    /* only symbols of the direction that the expression contains */
    for (uint32_t i = 0; i < symbols->len; i++) {
        for (uint32_t k = 0; k < d->symbols.len; k++) {
            if (d->symbols.data[k] == symbols->data[i]) {
                sum = dd_add(dag, sum, dd_mul(dag, dd_num(dag, d->change.data[k]), partials->data[i]));
            }
        }
    }
    return sum;
}

/* point: derivatives by w, w' and time too */
static void add_derivatives(dd_compiler *c, dd_expr e, uint32_t row, bool point, table_entries *out)
{
    dd_numbers *q = c->q;
    dd_dag *dag = q->system->model->dag;
    dd_expr_vec symbols = {0}, partials = {0};
    dd_partials(dag, e, true, &symbols, &partials, c->scratch);
    /* columns 0..n-1 by w, n..2n-1 by w', 2n by time */
    for (uint32_t i = 0; i < symbols.len && point; i++) {
        const uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]);
        if (at > 0) {
            add_entry(c, out, row, at - 1, 0, partials.data[i]);
        } else if (dd_op_of(dag, symbols.data[i]) == DD_OP_TIME) {
            add_entry(c, out, row, 2 * q->n, 0, partials.data[i]);
        }
    }
    /* then one column per direction: by parameters in one sum, along a table times its basis at run time */
    for (uint32_t k = 0; k < q->directions->len; k++) {
        const dd_direction *d = &q->directions->data[k];
        if (!d->of_table) {
            add_entry(c, out, row, 2 * q->n + 1 + k, 0, along(c, d, &symbols, &partials));
            continue;
        }
        for (uint32_t i = 0; i < symbols.len; i++) {
            if (dd_op_of(dag, symbols.data[i]) == DD_OP_VAR && dd_symbol_id(dag, symbols.data[i]) == d->var) {
                const uint32_t factor = 1 + dd_symbol_order(dag, symbols.data[i]);
                add_entry(c, out, row, 2 * q->n + 1 + k, factor, partials.data[i]);
            }
        }
    }
    dd_vec_free(c->scratch, &symbols);
    dd_vec_free(c->scratch, &partials);
}

static void make_table(dd_compiler *c, const dd_expr *list, uint32_t count, bool point, dd_derivative_table *out)
{
    table_entries e = {0};
    /* only entries that are not zero by their formula */
    for (uint32_t i = 0; i < count; i++) {
        dd_check_stop(c->q->ctx);
        add_derivatives(c, list[i], i, point, &e);
    }
    out->count = e.row.len;
    out->row = dd_pool_alloc_array(c->pool, out->count + 1, sizeof *out->row);
    out->col = dd_pool_alloc_array(c->pool, out->count + 1, sizeof *out->col);
    out->factor = dd_pool_alloc_array(c->pool, out->count + 1, sizeof *out->factor);
    out->value = dd_pool_alloc_array(c->pool, out->count + 1, sizeof *out->value);
    for (uint32_t k = 0; k < out->count; k++) {
        out->row[k] = e.row.data[k];
        out->col[k] = e.col.data[k];
        out->factor[k] = e.factor.data[k];
    }
    out->program = dd_numbers_compile(c, e.value.data, e.value.len, 1);
}

/* ---- callbacks ---- */

static void evaluate(dd_numbers *q, const dd_derivative_table *table, double t, const double *w, const double *wdot)
{
    /* one evaluation of all formulas, then the factors that depend on time through tables */
    if (table->count > 0) {
        dd_numbers_evaluate(q, table->program, t, w, wdot, table->value);
    }
    for (uint32_t k = 0; k < table->count; k++) {
        if (table->factor[k] > 0) {
            const uint32_t basis = q->directions->data[table->col[k] - 2 * q->n - 1].basis;
            table->value[k] *= q->source.basis(q->source.user, basis, table->factor[k] - 1, t);
        }
    }
}

/* Columns by direction of a table that has no others. */
static void spread(dd_numbers *q, const dd_derivative_table *table, uint32_t rows, double *out)
{
    memset(out, 0, (size_t)rows * q->directions->len * sizeof *out);
    for (uint32_t k = 0; k < table->count; k++) {
        out[(size_t)(table->col[k] - 2 * q->n - 1) * rows + table->row[k]] += table->value[k];
    }
}

static void parameter_derivatives(void *user, double t, const double *w, const double *wdot, double *out)
{
    dd_numbers *q = user;
    evaluate(q, &q->row_table, t, w, wdot);
    spread(q, &q->row_table, q->n, out);
}

static void invariant_derivatives(void *user, double t, const double *w, double *out)
{
    dd_numbers *q = user;
    evaluate(q, &q->invariant_table, t, w, w);
    spread(q, &q->invariant_table, q->problem.n_invariants, out);
}

static void invariant_change(void *user, double t, const double *w, const double *dw, uint32_t parameter,
                             double *values)
{
    dd_numbers *q = user;
    const dd_derivative_table *table = &q->matrix_table;
    /* G along dw, with dw in the place of w' */
    dd_numbers_evaluate(q, q->matrix_change, t, w, dw, q->matrix_value);
    for (uint32_t k = 0; k < q->problem.invariant_pattern.ptr[q->n]; k++) {
        values[q->invariant_entry[k]] = q->matrix_value[k];
    }
    /* and G's own dependence on the parameter */
    evaluate(q, table, t, w, w);
    for (uint32_t k = 0; k < table->count; k++) {
        if (table->col[k] == 2 * q->n + 1 + parameter) {
            values[q->invariant_entry[table->row[k]]] += table->value[k];
        }
    }
}

void dd_numbers_compile_derivatives(dd_compiler *c, const dd_expr *rows, const dd_expr *invariants,
                                    const dd_expr_vec *matrix, const dd_expr_vec *switching, const dd_expr *outputs)
{
    dd_numbers *q = c->q;
    /* tables for rows, invariants and their matrix by parameters; switches and outputs also by the point */
    make_table(c, rows, q->n, false, &q->row_table);
    make_table(c, invariants, q->problem.n_invariants, false, &q->invariant_table);
    make_table(c, matrix->data, matrix->len, false, &q->matrix_table);
    make_table(c, switching->data, switching->len, true, &q->switch_table);
    make_table(c, outputs, q->system->declared, true, &q->output_table);
    /* dG/dw dw as one program: the rate symbols are the seeds */
    dd_expr *change = dd_pool_alloc_array(c->scratch, matrix->len + 1, sizeof *change);
    dd_directional(q->system->model->dag, matrix->data, matrix->len, q->w.data, q->rate_symbol.data, q->n, change);
    q->matrix_change = dd_numbers_compile(c, change, matrix->len, 1);
    q->matrix_value = dd_pool_alloc_array(c->pool, matrix->len + 1, sizeof *q->matrix_value);
    q->problem.n_parameters = q->directions->len;
    q->problem.parameter_derivatives = parameter_derivatives;
    q->problem.invariant_derivatives = invariant_derivatives;
    q->problem.invariant_change = invariant_change;
}

/* ---- outputs and switches ---- */

void dd_numbers_output_derivatives(dd_numbers *q, double t, const double *w, const double *wdot, const double *s,
                                   const double *sdot, double *out)
{
    const dd_derivative_table *table = &q->output_table;
    const uint32_t n = q->n, rows = q->system->declared, np = q->directions->len;
    memset(out, 0, (size_t)rows * np * sizeof *out);
    evaluate(q, table, t, w, wdot);
    /* do/dp = do/dw s + do/dw' s' + partial do/dp */
    for (uint32_t k = 0; k < table->count; k++) {
        const uint32_t col = table->col[k], row = table->row[k];
        if (col > 2 * n) {
            out[(size_t)(col - 2 * n - 1) * rows + row] += table->value[k];
            continue;
        }
        const double *from = col < n ? s + col : sdot + col - n;
        for (uint32_t p = 0; p < np && col < 2 * n; p++) {
            out[(size_t)p * rows + row] += table->value[k] * from[(size_t)p * n];
        }
    }
}

double dd_numbers_switch_derivatives(dd_numbers *q, uint32_t k, const dd_sensitive_point *at, double *out)
{
    const dd_derivative_table *table = &q->switch_table;
    const uint32_t n = q->n, np = q->directions->len;
    double rate = 0;
    memset(out, 0, np * sizeof *out);
    evaluate(q, table, at->t, at->w, at->wdot);
    /* dg/dp likewise, and dg/dt along the solution: g_w w' + g_w' w'' + g_t */
    for (uint32_t e = 0; e < table->count; e++) {
        const uint32_t col = table->col[e];
        const double value = table->value[e];
        if (table->row[e] != k) {
            continue;
        }
        if (col > 2 * n) {
            out[col - 2 * n - 1] += value;
        } else if (col == 2 * n) {
            rate += value;
        } else {
            /* x' is known from the rates; z' and x'' only where the caller has them */
            const bool slope = col >= n;
            const uint32_t j = slope ? col - n : col;
            const bool x = q->problem.differential[j];
            rate += value * (x && !slope ? at->wdot[j] : at->second ? at->second[j] : 0.0);
            for (uint32_t p = 0; p < np; p++) {
                out[p] += value * (slope ? at->sdot : at->s)[(size_t)p * n + j];
            }
        }
    }
    return rate;
}

double dd_numbers_switch_time_rate(const dd_numbers *q, uint32_t k)
{
    const dd_derivative_table *table = &q->switch_table;
    double rate = 0;
    for (uint32_t e = 0; e < table->count; e++) {
        rate += table->row[e] == k && table->col[e] == 2 * q->n ? table->value[e] : 0.0;
    }
    return rate;
}
