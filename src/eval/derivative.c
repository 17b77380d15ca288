/* derivative.c - sparse Jacobians and Hessians of weighted sums as expressions.
 *
 * Reverse accumulation per row costs a small multiple of the row, whatever the number of columns; it is right for rows
 * that have little in common. Rows that share a long computation (kinematics) repeat its adjoint for every row; then
 * forward derivatives are cheaper: one per colour, where columns of one colour have no row in common (Curtis, Powell
 * and Reid 1974), so that each entry is the derivative of its row in the direction of its colour. */
#include "eval/derivative.h"

#include "base/hash.h"
#include "expr/walk.h"
#include "graph/colour.h"

#define MOST_FORWARD (UINT32_C(1) << 22)      /* nodes times colours that are tried */
#define SHORT_COMPUTATION (UINT32_C(1) << 18) /* the same for Hessians, where a second way is tried: milliseconds */

typedef struct rows {
    dd_dag *dag;
    dd_pool *pool;    /* scratch */
    dd_map column_of; /* symbol -> column + 1 */
    uint32_t n, m;
    uint32_t *ptr;           /* m + 1 */
    DD_VEC(uint32_t) column; /* entries row by row */
    dd_expr_vec entry;
    dd_expr_vec symbols, partials, here; /* of the row at hand */
} rows;

static rows open_rows(dd_pool *pool, dd_dag *dag, const dd_expr *wanted, uint32_t n, uint32_t m)
{
    rows r = {.dag = dag, .pool = pool, .column_of = dd_map_new(pool), .n = n, .m = m};
    for (uint32_t j = 0; j < n; j++) {
        dd_map_put(&r.column_of, wanted[j], j + 1);
    }
    r.ptr = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *r.ptr);
    return r;
}

/* Adds row i: the derivatives of e by the wanted symbols in it whose column is <= last. */
static void add_row(rows *r, uint32_t i, dd_expr e, uint32_t last)
{
    r->symbols.len = r->partials.len = r->here.len = 0;
    if (e != DD_EXPR_NONE) {
        /* only symbols that occur are asked for: the cost is that of the row, not of the number of columns */
        dd_symbols(r->dag, e, true, &r->symbols, r->pool);
        for (uint32_t k = 0; k < r->symbols.len; k++) {
            uint32_t column = dd_map_get(&r->column_of, r->symbols.data[k]);
            if (column != 0 && column - 1 <= last) {
                dd_vec_push(r->pool, &r->here, r->symbols.data[k]);
            }
        }
        r->symbols.len = 0;
        /* reverse accumulation with seed 1; zero partials are left out */
        dd_expr one = dd_num(r->dag, 1);
        dd_gradient(r->dag, &(dd_gradient_of){&e, &one, 1, r->here.data, r->here.len}, &r->symbols, &r->partials,
                    r->pool);
    }
    for (uint32_t k = 0; k < r->symbols.len; k++) {
        dd_vec_push(r->pool, &r->column, dd_map_get(&r->column_of, r->symbols.data[k]) - 1);
        dd_vec_push(r->pool, &r->entry, r->partials.data[k]);
    }
    r->ptr[i + 1] = r->column.len;
    dd_check_stop(dd_pool_context(r->pool));
}

/* ---- the cost of evaluating some expressions ---- */

static uint64_t node_cost(const dd_dag *dag, dd_expr e)
{
    /* operations of a program: a sum of n terms costs n - 1, a multiplication as much as an addition */
    switch (dd_op_of(dag, e)) {
    case DD_OP_ADD:
    case DD_OP_MUL:
    case DD_OP_AND:
    case DD_OP_OR:
        return dd_arg_count(dag, e) - 1;
    /* constant exponents become a few products, others exp and log */
    case DD_OP_POW:
        return dd_op_of(dag, dd_arg(dag, e, 1)) == DD_OP_NUM ? 3 : 20;
    /* one comparison or selection */
    case DD_OP_LT:
    case DD_OP_LE:
    case DD_OP_EQ:
    case DD_OP_NE:
    case DD_OP_NOT:
    case DD_OP_IF:
    case DD_OP_MIN:
    case DD_OP_MAX:
    case DD_OP_ABS:
    case DD_OP_SIGN:
        return 1;
    /* these cost nothing when only values are wanted */
    case DD_OP_NOEVENT:
    case DD_OP_HOMOTOPY:
    case DD_OP_DERIVED:
        return 0;
    /* a call of the mathematical library costs about ten operations */
    default:
        return dd_arg_count(dag, e) > 0 ? 10 : 0;
    }
}

static uint64_t cost_of(dd_dag *dag, const dd_expr *outputs, uint32_t m, const dd_expr_vec *entries, uint32_t *nodes)
{
    dd_expr_vec all = {0};
    dd_pool *pool = dd_pool_child(dd_dag_pool(dag));
    /* together, since derivatives share much of the computation of the values */
    for (uint32_t i = 0; i < m && outputs != NULL; i++) {
        dd_vec_push(pool, &all, outputs[i]);
    }
    for (uint32_t i = 0; i < entries->len; i++) {
        dd_vec_push(pool, &all, entries->data[i]);
    }
    dd_walk walk = dd_walk_new(dag, all.data, all.len, 0);
    uint64_t cost = 0;
    for (uint32_t i = 0; i < walk.n; i++) {
        cost += node_cost(dag, walk.nodes[i]);
    }
    *nodes = walk.n;
    dd_walk_free(dag, &walk);
    dd_pool_free(pool);
    return cost;
}

/* ---- forward derivatives by colours ---- */

/* The entries of one colour: the derivatives of the rows that have one, in the direction of all its columns. */
static void forward_colour(rows *r, const dd_expr *outputs, const dd_expr *wanted, const uint32_t *colour, uint32_t c,
                           dd_expr *entry)
{
    dd_expr_vec exprs = {0}, directions = {0}, ones = {0};
    DD_VEC(uint32_t) places = {0};
    /* the direction: the sum of the unit vectors of all columns of this colour */
    for (uint32_t j = 0; j < r->n; j++) {
        if (colour[j] == c) {
            dd_vec_push(r->pool, &directions, wanted[j]);
            dd_vec_push(r->pool, &ones, dd_num(r->dag, 1));
        }
    }
    /* columns of one colour have no row in common, so a row has at most one entry here */
    for (uint32_t i = 0; i < r->m; i++) {
        for (uint32_t k = r->ptr[i]; k < r->ptr[i + 1]; k++) {
            if (colour[r->column.data[k]] == c) {
                dd_vec_push(r->pool, &exprs, outputs[i]);
                dd_vec_push(r->pool, &places, k);
            }
        }
    }
    dd_expr *rates = dd_block_resize(r->pool, NULL, ((size_t)exprs.len + 1) * sizeof *rates);
    dd_directional(r->dag, exprs.data, exprs.len, directions.data, ones.data, directions.len, rates);
    /* J d has that entry and nothing else in the row */
    for (uint32_t k = 0; k < exprs.len; k++) {
        entry[places.data[k]] = rates[k];
    }
    dd_block_free(r->pool, rates);
    dd_vec_free(r->pool, &exprs);
    dd_vec_free(r->pool, &directions);
    dd_vec_free(r->pool, &ones);
    dd_vec_free(r->pool, &places);
}

/* Replaces the entries by forward derivatives when these cost less; returns the number of colours then, else 0. */
static uint32_t try_forward(rows *r, const dd_expr *outputs, const dd_expr *wanted)
{
    uint32_t nodes, rest, colours = 0, nnz = r->entry.len;
    dd_expr_vec none = {0};
    /* the price of the derivatives alone is the difference, as the values are needed in any case */
    uint64_t plain = cost_of(r->dag, outputs, r->m, &none, &rest);
    uint64_t direct = cost_of(r->dag, outputs, r->m, &r->entry, &nodes);
    if (direct - plain <= 2 * (uint64_t)nnz) {
        return 0; /* one or two operations per entry: nothing to gain */
    }
    /* as few directions as the greedy colouring finds */
    uint32_t *colour = dd_pool_alloc_array(r->pool, (size_t)r->n + 1, sizeof *colour);
    dd_pattern pattern = {r->m, r->n, r->ptr, r->column.data};
    dd_context *ctx = dd_pool_context(r->pool);
    dd_status status = dd_graph_colour(&colours, ctx, &pattern, colour);
    if (status != DD_OK) {
        dd_raise(ctx, status, NULL);
    }
    /* forward derivatives visit every node once per colour: too many are not tried */
    if ((uint64_t)colours * rest > MOST_FORWARD) {
        return 0;
    }
    /* all colours, then the comparison by operations */
    dd_expr_vec forward = {0};
    dd_vec_reserve(r->pool, &forward, (uint64_t)nnz + 1);
    forward.len = nnz;
    for (uint32_t c = 0; c < colours; c++) {
        forward_colour(r, outputs, wanted, colour, c, forward.data);
        dd_check_stop(ctx);
    }
    if (cost_of(r->dag, outputs, r->m, &forward, &nodes) >= direct) {
        return 0;
    }
    r->entry = forward;
    return colours;
}

/* ---- the result ---- */

static uint8_t leaf_kind(dd_op op)
{
    return op == DD_OP_NUM     ? DD_ENTRY_NUMBER
           : op == DD_OP_PARAM ? DD_ENTRY_PARAMETERS
           : op == DD_OP_TIME  ? DD_ENTRY_TIME
                               : DD_ENTRY_VARIES;
}

static void find_kinds(dd_dag *dag, dd_derivative *d, dd_pool *scratch)
{
    dd_walk walk = dd_walk_new(dag, d->entries, d->ptr[d->ncols], 0);
    uint8_t *kind = dd_pool_alloc_array(scratch, (size_t)walk.n + 1, sizeof *kind);
    /* arguments come first in a walk, so one pass is enough: the kind of a node is the largest of its arguments */
    for (uint32_t i = 0; i < walk.n; i++) {
        dd_expr e = walk.nodes[i];
        uint32_t n = dd_arg_count(dag, e);
        kind[i] = n == 0 ? leaf_kind(dd_op_of(dag, e)) : DD_ENTRY_NUMBER;
        for (uint32_t k = 0; k < n; k++) {
            uint8_t other = kind[dd_walk_place(dag, &walk, dd_arg(dag, e, k))];
            kind[i] = other > kind[i] ? other : kind[i];
        }
    }
    for (uint32_t k = 0; k < d->ptr[d->ncols]; k++) {
        d->kind[k] = kind[dd_walk_place(dag, &walk, d->entries[k])];
    }
    dd_walk_free(dag, &walk);
}

/* From rows to columns; rows stay in order within a column. */
static dd_derivative *finish(dd_pool *pool, rows *r)
{
    dd_derivative *d = dd_pool_alloc(pool, sizeof *d);
    uint32_t nnz = r->entry.len;
    d->nrows = r->m;
    d->ncols = r->n;
    d->ptr = dd_pool_alloc_array(pool, (size_t)r->n + 1, sizeof *d->ptr);
    d->idx = dd_pool_alloc_array(pool, (size_t)nnz + 1, sizeof *d->idx);
    d->entries = dd_pool_alloc_array(pool, (size_t)nnz + 1, sizeof *d->entries);
    d->kind = dd_pool_alloc_array(pool, (size_t)nnz + 1, sizeof *d->kind);
    uint32_t *from = dd_pool_alloc_array(r->pool, (size_t)nnz + 1, sizeof *from);
    dd_pattern pattern = {r->m, r->n, r->ptr, r->column.data};
    dd_pattern_transpose(&pattern, d->ptr, d->idx, from);
    /* values follow the transposed pattern */
    for (uint32_t k = 0; k < nnz; k++) {
        d->entries[k] = r->entry.data[from[k]];
    }
    find_kinds(r->dag, d, r->pool);
    return d;
}

dd_derivative *dd_jacobian_new(dd_pool *pool, dd_dag *dag, const dd_expr *outputs, uint32_t m, const dd_expr *wanted,
                               uint32_t n)
{
    dd_pool *scratch = dd_pool_child(pool);
    rows r = open_rows(scratch, dag, wanted, n, m);
    for (uint32_t i = 0; i < m; i++) {
        add_row(&r, i, outputs[i], UINT32_MAX);
    }
    uint32_t colours = try_forward(&r, outputs, wanted);
    dd_derivative *d = finish(pool, &r);
    d->colours = colours;
    dd_pool_free(scratch);
    return d;
}

/* Entries of a lower triangle with column j (of_row: row j): the derivatives of the gradient's other components in the
 * direction of variable j. */
static void forward_direction(rows *r, const dd_expr *gradient, dd_expr wanted, uint32_t j, bool of_row, dd_expr *entry)
{
    dd_expr_vec exprs = {0};
    DD_VEC(uint32_t) places = {0};
    for (uint32_t i = j; i < (of_row ? j + 1 : r->m); i++) {
        for (uint32_t k = r->ptr[i]; k < r->ptr[i + 1]; k++) {
            if (of_row || r->column.data[k] == j) {
                dd_vec_push(r->pool, &exprs, gradient[of_row ? r->column.data[k] : i]);
                dd_vec_push(r->pool, &places, k);
            }
        }
    }
    dd_expr one = dd_num(r->dag, 1), *rates = dd_block_resize(r->pool, NULL, ((size_t)exprs.len + 1) * sizeof *rates);
    if (exprs.len > 0) {
        dd_directional(r->dag, exprs.data, exprs.len, &wanted, &one, 1, rates);
    }
    for (uint32_t k = 0; k < exprs.len; k++) {
        entry[places.data[k]] = rates[k];
    }
    dd_block_free(r->pool, rates);
    dd_vec_free(r->pool, &exprs);
    dd_vec_free(r->pool, &places);
}

/* Components of the gradient share most of its computation: forward derivatives where these cost less. The matrix is
 * symmetric, so each entry may be had in the direction of its column or of its row. */
static void try_forward_directions(rows *r, const dd_expr *gradient, const dd_expr *wanted)
{
    uint32_t nodes, nnz = r->entry.len;
    uint64_t least = cost_of(r->dag, gradient, 0, &r->entry, &nodes); /* of the entries alone */
    if (least <= 2 * (uint64_t)nnz || (uint64_t)r->n * nodes > MOST_FORWARD) {
        return;
    }
    /* directions of columns win where a computation is long; those of rows are worth a look where it is short */
    const int ways = (uint64_t)r->n * nodes <= SHORT_COMPUTATION ? 2 : 1;
    for (int of_row = 0; of_row < ways; of_row++) {
        dd_expr_vec forward = {0};
        dd_vec_reserve(r->pool, &forward, (uint64_t)nnz + 1);
        forward.len = nnz;
        for (uint32_t j = 0; j < r->n; j++) {
            forward_direction(r, gradient, wanted[j], j, of_row != 0, forward.data);
            dd_check_stop(dd_pool_context(r->pool));
        }
        uint64_t cost = cost_of(r->dag, NULL, 0, &forward, &nodes);
        if (cost < least) {
            least = cost;
            r->entry = forward;
        }
    }
}

dd_derivative *dd_hessian_new(dd_pool *pool, dd_dag *dag, const dd_expr *outputs, const dd_expr *weights, uint32_t m,
                              const dd_expr *wanted, uint32_t n)
{
    dd_pool *scratch = dd_pool_child(pool);
    rows r = open_rows(scratch, dag, wanted, n, n);
    /* grad = sum_i weights_i d outputs_i / dx in one sweep */
    dd_expr_vec symbols = {0}, partials = {0};
    dd_gradient(dag, &(dd_gradient_of){outputs, weights, m, wanted, n}, &symbols, &partials, scratch);
    dd_expr *gradient = dd_pool_alloc_array(scratch, (size_t)n + 1, sizeof *gradient);
    for (uint32_t k = 0; k < symbols.len; k++) {
        gradient[dd_map_get(&r.column_of, symbols.data[k]) - 1] = partials.data[k];
    }
    /* lower triangle only: the derivatives of row i by columns up to i */
    for (uint32_t i = 0; i < n; i++) {
        add_row(&r, i, gradient[i], i);
    }
    try_forward_directions(&r, gradient, wanted);
    dd_derivative *d = finish(pool, &r);
    dd_pool_free(scratch);
    return d;
}
