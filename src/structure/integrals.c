/* integrals.c - the left null space of the matrix of terms, by exact elimination.
 *
 * Each row is a sum of number*rest. Where rest is the derivative of a variable, times parameters, the term counts in
 * the integral; all others are columns of a matrix A with one row per equation, and lambda^T A = 0 is asked for. A
 * column with one entry excludes its row, which empties most systems at once. What is left is eliminated in rational
 * numbers: what only nearly cancels is no integral. */
#include "structure/integrals.h"

#include "base/context.h"
#include "base/hash.h"
#include "expr/ratio.h"

enum {
    MOST_EQUATIONS = 20000, /* that are looked at */
    MOST_ROWS = 64,
    MOST_COLUMNS = 256 /* of the matrix that is eliminated: a few milliseconds */
};

typedef struct term {
    dd_expr rest;
    dd_ratio number;
    bool rate; /* the derivative of a variable, times constants */
} term;
typedef DD_VEC(term) term_vec;

typedef struct finder {
    dd_dag *dag;
    dd_pool *scratch;
    term_vec *row; /* per equation */
    bool *out;     /* per equation: in no combination */
    uint32_t n;
    dd_map column;           /* rest -> 1 + index into the two lists */
    dd_index_vec uses, user; /* per column: how many rows have it, and the exclusive or of their indices */
    dd_index_vec queue;      /* columns with one row left */
} finder;

/* ---- terms ---- */

/* A derivative times parameters? */
static bool is_rate(const finder *f, dd_expr e)
{
    const bool product = dd_op_of(f->dag, e) == DD_OP_MUL;
    uint32_t rates = 0;
    for (uint32_t i = 0; i < (product ? dd_arg_count(f->dag, e) : 1); i++) {
        const dd_expr factor = product ? dd_arg(f->dag, e, i) : e;
        const dd_op op = dd_op_of(f->dag, factor);
        if (op == DD_OP_VAR && dd_symbol_order(f->dag, factor) == 1) {
            rates++;
        } else if (op != DD_OP_PARAM) {
            return false;
        }
    }
    return rates == 1;
}

/* number*rest; a number that is not exact stays a part of rest. */
static term split(finder *f, dd_expr e)
{
    int64_t num, den;
    term t = {.rest = e, .number = dd_ratio_of(1, 1)};
    const bool product = dd_op_of(f->dag, e) == DD_OP_MUL;
    const dd_expr number = product ? dd_arg(f->dag, e, 0) : e;
    /* a factor that is exact goes into the matrix */
    if (dd_op_of(f->dag, number) == DD_OP_NUM && dd_num_rational(f->dag, number, &num, &den)) {
        t.number = dd_ratio_of(num, den);
        t.rest = dd_div(f->dag, e, number);
    }
    t.rate = is_rate(f, t.rest);
    return t;
}

static void read_row(finder *f, uint32_t i, dd_expr row)
{
    const bool sum = dd_op_of(f->dag, row) == DD_OP_ADD;
    const uint32_t count = sum ? dd_arg_count(f->dag, row) : dd_is_num(f->dag, row, 0) ? 0 : 1;
    for (uint32_t k = 0; k < count; k++) {
        const term t = split(f, sum ? dd_arg(f->dag, row, k) : row);
        dd_vec_push(f->scratch, &f->row[i], t);
        if (t.rate) {
            continue;
        }
        /* one column per distinct rest; uses and user find the last row that has it */
        uint32_t at = dd_map_get(&f->column, t.rest);
        if (at == 0) {
            dd_vec_push(f->scratch, &f->uses, 0);
            dd_vec_push(f->scratch, &f->user, 0);
            at = f->uses.len;
            dd_map_put(&f->column, t.rest, at);
        }
        f->uses.data[at - 1]++;
        f->user.data[at - 1] ^= i;
    }
}

/* ---- rows that cannot take part ---- */

static void exclude(finder *f, uint32_t i)
{
    f->out[i] = true;
    for (uint32_t k = 0; k < f->row[i].len; k++) {
        const term *t = &f->row[i].data[k];
        if (t->rate) {
            continue;
        }
        const uint32_t at = dd_map_get(&f->column, t->rest) - 1;
        f->uses.data[at]--;
        f->user.data[at] ^= i;
        /* the row that is left with this column cannot cancel it */
        if (f->uses.data[at] == 1) {
            dd_vec_push(f->scratch, &f->queue, at);
        }
    }
}

static void exclude_rows(finder *f)
{
    for (uint32_t at = 0; at < f->uses.len; at++) {
        if (f->uses.data[at] == 1) {
            dd_vec_push(f->scratch, &f->queue, at);
        }
    }
    while (f->queue.len > 0) {
        const uint32_t at = f->queue.data[--f->queue.len];
        if (f->uses.data[at] == 1) {
            exclude(f, f->user.data[at]);
        }
    }
}

/* ---- elimination ---- */

typedef struct matrix {
    uint32_t rows, columns, width; /* [A I]: width = columns + rows */
    dd_ratio *a;
    uint32_t *equation; /* per row */
} matrix;

static matrix new_matrix(finder *f)
{
    matrix m = {0};
    m.equation = dd_pool_alloc_array(f->scratch, (size_t)f->n + 1, sizeof *m.equation);
    /* rows that are left, columns that some of them have */
    for (uint32_t i = 0; i < f->n; i++) {
        if (!f->out[i] && f->row[i].len > 0) {
            m.equation[m.rows++] = i;
        }
    }
    uint32_t *index = dd_pool_alloc_array(f->scratch, (size_t)f->uses.len + 1, sizeof *index);
    for (uint32_t at = 0; at < f->uses.len; at++) {
        index[at] = f->uses.data[at] > 0 ? m.columns++ : 0;
    }
    if (m.rows > MOST_ROWS || m.columns > MOST_COLUMNS) {
        m.rows = 0;
    }
    /* [A I]: what elimination does to I are the combinations lambda */
    m.width = m.columns + m.rows;
    m.a = dd_pool_alloc_array(f->scratch, (size_t)m.rows * m.width + 1, sizeof *m.a);
    for (uint32_t i = 0; i < m.rows; i++) {
        dd_ratio *row = m.a + (size_t)i * m.width;
        for (uint32_t k = 0; k < m.width; k++) {
            row[k] = dd_ratio_of(k == m.columns + i, 1);
        }
        const term_vec *terms = &f->row[m.equation[i]];
        for (uint32_t k = 0; k < terms->len; k++) {
            if (!terms->data[k].rate) {
                row[index[dd_map_get(&f->column, terms->data[k].rest) - 1]] = terms->data[k].number;
            }
        }
    }
    return m;
}

/* row -= row[column]/pivot[column] pivot; false when 64 bits do not hold the result. */
static bool subtract(const matrix *m, dd_ratio *row, const dd_ratio *pivot, uint32_t column)
{
    dd_ratio inverse;
    if (!dd_ratio_power(pivot[column], dd_ratio_of(-1, 1), &inverse)) {
        return false;
    }
    const dd_ratio factor = dd_ratio_neg(dd_ratio_mul(row[column], inverse));
    for (uint32_t k = 0; k < m->width; k++) {
        if (!dd_ratio_is(pivot[k], 0)) {
            row[k] = dd_ratio_add(row[k], dd_ratio_mul(factor, pivot[k]));
            if (row[k].den == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Rows from the result on have zeros in all columns of A. */
static uint32_t eliminate(dd_context *ctx, matrix *m)
{
    uint32_t done = 0;
    for (uint32_t column = 0; column < m->columns; column++) {
        dd_check_stop(ctx);
        /* any entry that is not zero: arithmetic is exact */
        uint32_t pivot = done;
        while (pivot < m->rows && dd_ratio_is(m->a[(size_t)pivot * m->width + column], 0)) {
            pivot++;
        }
        if (pivot == m->rows) {
            continue;
        }
        dd_ratio *row = m->a + (size_t)done * m->width, *other = m->a + (size_t)pivot * m->width;
        for (uint32_t k = 0; k < m->width && pivot != done; k++) {
            const dd_ratio swap = row[k];
            row[k] = other[k];
            other[k] = swap;
        }
        done++;
        /* a number that 64 bits do not hold ends the search without a result */
        for (uint32_t i = done; i < m->rows; i++) {
            dd_ratio *next = m->a + (size_t)i * m->width;
            if (!dd_ratio_is(next[column], 0) && !subtract(m, next, row, column)) {
                return m->rows;
            }
        }
    }
    return done;
}

/* ---- the integral ---- */

static dd_expr value_of_rate(void *user, dd_expr symbol)
{
    dd_dag *dag = user;
    return dd_op_of(dag, symbol) == DD_OP_VAR ? dd_var(dag, dd_symbol_id(dag, symbol), 0) : DD_EXPR_NONE;
}

/* sum_k lambda_k (rates of equation k), integrated. */
static void add_integral(finder *f, const matrix *m, uint32_t i, dd_expr_vec *out, dd_row_factor_vec *factors,
                         dd_pool *pool)
{
    dd_expr_vec sum = {0};
    for (uint32_t k = 0; k < m->rows; k++) {
        const dd_ratio lambda = m->a[(size_t)i * m->width + m->columns + k];
        const term_vec *terms = &f->row[m->equation[k]];
        for (uint32_t t = 0; t < terms->len && !dd_ratio_is(lambda, 0); t++) {
            /* all other terms cancel in the sum */
            if (!terms->data[t].rate) {
                continue;
            }
            const dd_ratio number = dd_ratio_mul(lambda, terms->data[t].number);
            if (number.den == 0) {
                return;
            }
            const dd_expr x = dd_substitute(f->dag, terms->data[t].rest, value_of_rate, f->dag);
            dd_vec_push(f->scratch, &sum, dd_mul(f->dag, dd_rational(f->dag, number.num, number.den), x));
        }
    }
    const dd_expr e = dd_sum(f->dag, sum.data, sum.len);
    if (dd_op_of(f->dag, e) != DD_OP_ADD) {
        return; /* what is alone does not change at all */
    }
    for (uint32_t k = 0; factors && k < m->rows; k++) {
        const double lambda = m->a[(size_t)i * m->width + m->columns + k].value;
        if (lambda != 0) {
            dd_vec_push(pool, factors, ((dd_row_factor){out->len, m->equation[k], lambda}));
        }
    }
    dd_vec_push(pool, out, e);
}

void dd_find_integrals(const dd_system *s, const dd_expr *rows, uint32_t n, dd_expr_vec *out,
                       dd_row_factor_vec *factors, dd_pool *pool)
{
    if (n > MOST_EQUATIONS) {
        return;
    }
    finder f = {.dag = s->model->dag, .scratch = dd_pool_child(pool), .n = n};
    f.row = dd_pool_alloc_array(f.scratch, (size_t)n + 1, sizeof *f.row);
    f.out = dd_pool_alloc_array(f.scratch, (size_t)n + 1, sizeof *f.out);
    f.column = dd_map_new(f.scratch);
    for (uint32_t i = 0; i < n; i++) {
        dd_check_stop(s->ctx);
        read_row(&f, i, rows[i]);
    }
    /* lambda^T A = 0 on what is left; rows of zeros are the integrals */
    exclude_rows(&f);
    matrix m = new_matrix(&f);
    for (uint32_t i = eliminate(s->ctx, &m); i < m.rows; i++) {
        add_integral(&f, &m, i, out, factors, pool);
    }
    dd_pool_free(f.scratch);
}
