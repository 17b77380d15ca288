/* exact.c - Gauss-Jordan elimination on expressions, with zeros decided at generic points. */
#include "structure/exact.h"

#include <math.h>
#include <string.h>

#include "structure/point.h"

static const double zero_tolerance = 1e-10;
/* Magnitudes are bounds, and can be far too large (factors that cancel): a value of ordinary size that is smaller than
 * any rounding error of terms of that magnitude is no error, but the value. */
static const double ordinary_value = 1e-3, least_error = 1e-18;

dd_exact dd_exact_new(dd_system *s, dd_pool *scratch)
{
    dd_exact x = {.s = s, .scratch = scratch, .field = dd_field_new(s, 2, scratch)};
    for (uint32_t p = 0; p < DD_EXACT_POINTS; p++) {
        x.point[p] = dd_pool_alloc_array(scratch, (size_t)s->ncols * (DD_EXACT_ORDER + 1) + 1, sizeof(double));
        dd_point_guess(s, DD_GUESS_RANDOM, 4 + p, DD_EXACT_ORDER, x.point[p]);
    }
    return x;
}

bool dd_exact_vanishes(dd_exact *x, dd_expr e)
{
    if (dd_op_of(x->s->model->dag, e) == DD_OP_NUM) {
        return dd_num_value(x->s->model->dag, e) == 0;
    }
    /* exactly where everything is rational; a symbol such as sin(x) may hide an identity, so points decide */
    uint64_t element;
    dd_field_kind kind = dd_field_value(&x->field, e, &element);
    if (kind != DD_FIELD_UNDEFINED && (element == 0 || kind != DD_FIELD_AS_SYMBOL)) {
        return element == 0;
    }
    for (uint32_t p = 0; p < DD_EXACT_POINTS; p++) {
        const dd_numeric_place at = {x->point[p], DD_EXACT_ORDER + 1, {.time = dd_system_generic_time(x->s, p)}};
        double magnitude, value = dd_numeric_value(x->s, e, &at, &magnitude, x->scratch);
        const bool no_error = fabs(value) > ordinary_value && fabs(value) < least_error * magnitude;
        if (!(fabs(value) <= zero_tolerance * magnitude) || no_error) {
            return false;
        }
    }
    return true;
}

/* ---- elimination ---- */

typedef struct elimination {
    dd_exact *x;
    dd_expr *a; /* rows * n */
    uint32_t rows, n, target;
    uint32_t *pivot_of; /* per unknown: its equation, DD_NO_INDEX */
    bool *used;         /* per equation */
} elimination;

/* Simple pivots first: numbers, then parameters, then anything by size. */
static uint32_t pivot_cost(dd_exact *x, dd_expr e)
{
    dd_dag *dag = x->s->model->dag;
    if (dd_op_of(dag, e) == DD_OP_NUM) {
        return 0;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, true, &symbols, x->scratch);
    uint32_t cost = 1;
    for (uint32_t i = 0; i < symbols.len; i++) {
        cost += dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM ? 1 : 100;
    }
    return cost;
}

static bool next_pivot(elimination *el, uint32_t *equation, uint32_t *unknown)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t q = 0; q < el->rows; q++) {
        for (uint32_t k = 0; k < el->n && !el->used[q]; k++) {
            dd_expr e = el->a[(size_t)q * el->n + k];
            /* the target stays: everything is expressed by it */
            if (k == el->target || el->pivot_of[k] != DD_NO_INDEX || dd_is_num(el->x->s->model->dag, e, 0)) {
                continue;
            }
            uint32_t cost = pivot_cost(el->x, e);
            if (cost < best && !dd_exact_vanishes(el->x, e)) {
                best = cost;
                *equation = q;
                *unknown = k;
            }
        }
    }
    return best != UINT32_MAX;
}

/* Gauss-Jordan: the unknown disappears from every other equation. */
static void eliminate(elimination *el, uint32_t equation, uint32_t unknown)
{
    dd_dag *dag = el->x->s->model->dag;
    dd_expr zero = dd_rational(dag, 0, 1);
    dd_expr *pivot_row = el->a + (size_t)equation * el->n;
    for (uint32_t q = 0; q < el->rows; q++) {
        dd_expr *row = el->a + (size_t)q * el->n;
        if (q == equation || dd_is_num(dag, row[unknown], 0)) {
            continue;
        }
        dd_expr factor = dd_div(dag, row[unknown], pivot_row[unknown]);
        for (uint32_t k = 0; k < el->n; k++) {
            dd_expr value = k == unknown ? zero : dd_sub(dag, row[k], dd_mul(dag, factor, pivot_row[k]));
            /* zeros that do not look like zeros would be taken as pivots later */
            row[k] = value != row[k] && dd_exact_vanishes(el->x, value) ? zero : value;
        }
    }
    el->used[equation] = true;
    el->pivot_of[unknown] = equation;
}

bool dd_exact_null_vector(dd_exact *x, dd_expr *a, uint32_t rows, uint32_t n, uint32_t target, dd_expr *u)
{
    dd_dag *dag = x->s->model->dag;
    elimination el = {.x = x, .a = a, .rows = rows, .n = n, .target = target};
    el.pivot_of = dd_pool_alloc_array(x->scratch, n + 1, sizeof *el.pivot_of);
    el.used = dd_pool_alloc_array(x->scratch, rows + 1, sizeof *el.used);
    for (uint32_t k = 0; k < n; k++) {
        el.pivot_of[k] = DD_NO_INDEX;
    }
    /* n - 1 pivots express all unknowns by the target */
    uint32_t equation, unknown;
    for (uint32_t step = 0; step + 1 < n; step++) {
        dd_check_stop(x->s->ctx);
        if (!next_pivot(&el, &equation, &unknown)) {
            return false;
        }
        eliminate(&el, equation, unknown);
    }
    /* equations that are left must hold by themselves, or there is no such vector */
    for (uint32_t q = 0; q < rows; q++) {
        if (!el.used[q] && !dd_exact_vanishes(x, a[(size_t)q * n + target])) {
            return false;
        }
    }
    /* row[k] u_k + row[target] u_target = 0 with u_target = 1 */
    for (uint32_t k = 0; k < n; k++) {
        const dd_expr *row = a + (k == target ? 0 : (size_t)el.pivot_of[k] * n);
        u[k] = k == target ? dd_rational(dag, 1, 1) : dd_neg(dag, dd_div(dag, row[target], row[k]));
    }
    return true;
}

/* ---- what an expression contains ---- */

bool dd_exact_has_leading(dd_exact *x, dd_expr e, const dd_offsets *off, uint32_t c, dd_expr_vec *leading)
{
    dd_dag *dag = x->s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, x->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = x->s->column[dd_symbol_id(dag, symbols.data[i])];
        /* what the rows at hand are to determine */
        if (col != DD_NO_INDEX && (int64_t)dd_symbol_order(dag, symbols.data[i]) >= (int64_t)off->d[col] - (int64_t)c) {
            dd_vec_push(x->scratch, leading, symbols.data[i]);
        }
    }
    return leading->len > 0;
}

bool dd_exact_first_order(dd_exact *x, dd_expr e)
{
    dd_dag *dag = x->s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, x->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (x->s->column[dd_symbol_id(dag, symbols.data[i])] != DD_NO_INDEX &&
            dd_symbol_order(dag, symbols.data[i]) > 1) {
            return false;
        }
    }
    return true;
}

const char *dd_exact_places(dd_exact *x, const dd_eq_vec *eqs, const uint32_t *rows, uint32_t n)
{
    const dd_model *m = x->s->model;
    dd_text text = dd_text_new(x->s->pool);
    for (uint32_t k = 0; k < n; k++) {
        const dd_eq *eq = &eqs->data[rows[k]];
        const char *place =
            eq->from ? eq->from : dd_model_place(m, m->groups.data[m->rows.data[eq->row].group].span, x->scratch);
        if (place[0] && !strstr(dd_text_str(&text), place)) {
            dd_text_printf(&text, "%s%s", text.len > 0 ? ", " : "", place);
        }
    }
    return dd_text_str(&text);
}
