/* assigning.c - assignments among the rows, found like the values on a spreadsheet.
 *
 * A row whose unknowns are all known but one waits in a queue; what it assigns may complete other rows. So the work is
 * that of reading the incidence twice, for any length of chains.
 */
#include "structure/assigning.h"

#include "base/hash.h"
#include "graph/pattern.h"

typedef struct queue {
    dd_system *s;
    dd_assigning *out;
    dd_pool *pool;
    bool *known, *varies; /* per column */
    uint32_t *open;       /* per row: columns that are not known; UINT32_MAX: the row is not used */
    uint32_t *ptr, *idx;  /* column -> rows */
    uint32_t *waiting;
    uint32_t first, last;
} queue;

bool dd_system_is_constant(const dd_system *s, dd_expr e, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    bool constant = true;
    if (dd_op_of(s->model->dag, e) != DD_OP_NUM) {
        dd_symbols(s->model->dag, e, true, &symbols, scratch);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        constant = constant && dd_op_of(s->model->dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(scratch, &symbols);
    return constant;
}

bool dd_system_is_short(const dd_system *s, dd_expr e, uint32_t most, dd_pool *scratch)
{
    dd_pool *pool = dd_pool_child(scratch);
    dd_map seen = dd_map_new(pool);
    dd_expr_vec nodes = {0};
    dd_vec_push(pool, &nodes, e);
    /* each node of the graph once, and no further than needed */
    for (uint32_t i = 0; i < nodes.len && nodes.len <= most; i++) {
        for (uint32_t k = 0; k < dd_arg_count(s->model->dag, nodes.data[i]); k++) {
            dd_expr arg = dd_arg(s->model->dag, nodes.data[i], k);
            if (!dd_map_get(&seen, arg)) {
                dd_map_put(&seen, arg, 1);
                dd_vec_push(pool, &nodes, arg);
            }
        }
    }
    bool is_short = nodes.len <= most;
    dd_pool_free(pool);
    return is_short;
}

static void transpose(queue *q)
{
    const dd_incidence *inc = &q->s->inc;
    q->ptr = dd_pool_alloc_array(q->pool, inc->ncols + 2, sizeof *q->ptr);
    q->idx = dd_pool_alloc_array(q->pool, inc->ptr[inc->n] + 1, sizeof *q->idx);
    dd_pattern pattern = {inc->n, inc->ncols, inc->ptr, inc->idx};
    dd_pattern_transpose(&pattern, q->ptr, q->idx, NULL);
}

static void wait(queue *q, uint32_t row)
{
    if (q->open[row] == 1) {
        q->waiting[q->last++] = row;
    }
}

static void make_known(queue *q, uint32_t col)
{
    q->known[col] = true;
    for (uint32_t k = q->ptr[col]; k < q->ptr[col + 1]; k++) {
        uint32_t row = q->idx[k];
        /* a row with one unknown left is ready */
        if (q->open[row] != UINT32_MAX && q->open[row] > 0) {
            q->open[row]--;
            wait(q, row);
        }
    }
}

/* Does the row contain the time, an input, or a column that varies? */
static bool row_varies(queue *q, uint32_t row)
{
    dd_dag *dag = q->s->model->dag;
    dd_expr_vec symbols = {0};
    bool varies = false;
    dd_symbols(dag, q->s->eqs.data[row].residual, true, &symbols, q->pool);
    for (uint32_t i = 0; i < symbols.len && !varies; i++) {
        dd_op op = dd_op_of(dag, symbols.data[i]);
        uint32_t col = op == DD_OP_VAR ? q->s->column[dd_symbol_id(dag, symbols.data[i])] : DD_NO_INDEX;
        varies = op == DD_OP_TIME || (op == DD_OP_VAR && (col == DD_NO_INDEX || q->varies[col]));
    }
    dd_vec_free(q->pool, &symbols);
    return varies;
}

/* The row's last open column, when the row determines it by a division by a constant. */
static void assign(queue *q, uint32_t row)
{
    const dd_incidence *inc = &q->s->inc;
    uint32_t entry = inc->ptr[row];
    /* the one unknown that is left */
    while (entry < inc->ptr[row + 1] && q->known[inc->idx[entry]]) {
        entry++;
    }
    if (entry == inc->ptr[row + 1] || !dd_system_is_constant(q->s, inc->partial0[entry], q->pool)) {
        return; /* known by another row meanwhile, or not linear */
    }
    uint32_t col = inc->idx[entry], k = q->out->n++;
    q->out->row[k] = row;
    q->out->col[k] = col;
    q->out->varies[k] = q->varies[col] = row_varies(q, row);
    make_known(q, col);
}

static queue new_queue(dd_system *s, dd_assigning *out, const bool *allowed, dd_pool *pool)
{
    const dd_incidence *inc = &s->inc;
    queue q = {.s = s, .out = out, .pool = dd_pool_child(pool)};
    out->row = dd_pool_alloc_array(pool, inc->ncols + 1, sizeof *out->row);
    out->col = dd_pool_alloc_array(pool, inc->ncols + 1, sizeof *out->col);
    out->varies = dd_pool_alloc_array(pool, inc->ncols + 1, sizeof *out->varies);
    q.known = dd_pool_alloc_array(q.pool, inc->ncols + 1, sizeof *q.known);
    q.varies = dd_pool_alloc_array(q.pool, inc->ncols + 1, sizeof *q.varies);
    q.open = dd_pool_alloc_array(q.pool, inc->n + 1, sizeof *q.open);
    q.waiting = dd_pool_alloc_array(q.pool, inc->n + 1, sizeof *q.waiting); /* a row waits once: when one is open */
    transpose(&q);
    /* rows with derivatives assign nothing */
    for (uint32_t i = 0; i < inc->n; i++) {
        q.open[i] = !allowed || allowed[i] ? inc->ptr[i + 1] - inc->ptr[i] : UINT32_MAX;
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            q.open[i] = inc->sigma[e] == 1 ? UINT32_MAX : q.open[i];
        }
        wait(&q, i);
    }
    return q;
}

static void run(queue *q)
{
    while (q->first < q->last) {
        assign(q, q->waiting[q->first++]);
    }
    dd_pool_free(q->pool);
}

dd_assigning dd_system_assigned_by_time(dd_system *s, dd_pool *pool)
{
    dd_assigning out = {0};
    queue q = new_queue(s, &out, NULL, pool);
    run(&q);
    return out;
}

dd_assigning dd_system_assigned_by_states(dd_system *s, const bool *allowed, dd_pool *pool)
{
    dd_assigning out = {0};
    queue q = new_queue(s, &out, allowed, pool);
    for (uint32_t j = 0; j < s->inc.ncols; j++) {
        /* states, and auxiliaries, are where formulas end */
        if (j >= s->declared || s->differentiated[j]) {
            make_known(&q, j);
        }
    }
    run(&q);
    return out;
}

dd_expr dd_assigning_formula(dd_system *s, const dd_assigning *a, uint32_t k)
{
    dd_expr symbol = dd_var(s->model->dag, s->unknown[a->col[k]], 0), coefficient, rest;
    if (!dd_linear(s->model->dag, s->eqs.data[a->row[k]].residual, &symbol, 1, &coefficient, &rest)) {
        return DD_EXPR_NONE;
    }
    return dd_neg(s->model->dag, dd_div(s->model->dag, rest, coefficient));
}
