/* row_blocks.c - rows and unknowns matched and put into the order of evaluation. */
#include "structure/row_blocks.h"

#include "graph/match.h"
#include "graph/scc.h"

static void find_pattern(dd_row_blocks *b, const dd_system *s, const dd_expr *rows, const dd_expr *unknowns,
                         dd_pool *pool)
{
    dd_dag *dag = s->model->dag;
    DD_VEC(uint32_t) idx = {0};
    dd_expr_vec symbols = {0};
    b->place = dd_map_new(pool);
    b->ptr = dd_pool_alloc_array(pool, (size_t)b->n + 1, sizeof *b->ptr);
    for (uint32_t i = 0; i < b->n; i++) {
        dd_map_put(&b->place, unknowns[i], i + 1);
    }
    /* unknowns of each row; other symbols are known */
    for (uint32_t i = 0; i < b->n; i++) {
        symbols.len = 0;
        dd_symbols(dag, rows[i], false, &symbols, pool);
        for (uint32_t k = 0; k < symbols.len; k++) {
            uint32_t at = (uint32_t)dd_map_get(&b->place, symbols.data[k]);
            if (at > 0) {
                dd_vec_push(pool, &idx, at - 1);
            }
        }
        b->ptr[i + 1] = idx.len;
    }
    b->idx = idx.data;
}

bool dd_row_blocks_find(dd_row_blocks *b, const dd_system *s, const dd_expr *rows, const dd_expr *unknowns, uint32_t n,
                        dd_pool *pool)
{
    *b = (dd_row_blocks){.n = n};
    find_pattern(b, s, rows, unknowns, pool);
    uint32_t size;
    uint32_t *row_match = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *row_match);
    uint32_t *col_match = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *col_match);
    dd_pattern pattern = {n, n, b->ptr, b->idx};
    dd_system_must(s, dd_graph_match(&size, s->ctx, &pattern, NULL, false, row_match, col_match), "matching of blocks");
    /* no row for each unknown: nothing can be solved */
    if (size < n) {
        return false;
    }
    b->row_perm = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *b->row_perm);
    b->col_perm = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *b->col_perm);
    b->first = dd_pool_alloc_array(pool, (size_t)n + 2, sizeof *b->first);
    dd_system_must(s, dd_graph_btf(&b->count, s->ctx, &pattern, row_match, b->row_perm, b->col_perm, b->first),
                   "order of blocks");
    return true;
}

static dd_expr minor_of(dd_dag *dag, dd_expr a, dd_expr d, dd_expr b, dd_expr c)
{
    return dd_sub(dag, dd_mul(dag, a, d), dd_mul(dag, b, c));
}

dd_expr dd_row_blocks_determinant(dd_dag *dag, uint32_t k, dd_expr a[DD_ROW_BLOCKS_COUPLED][DD_ROW_BLOCKS_COUPLED])
{
    if (k == 1) {
        return a[0][0];
    }
    if (k == 2) {
        return minor_of(dag, a[0][0], a[1][1], a[0][1], a[1][0]);
    }
    dd_expr sum = dd_rational(dag, 0, 1);
    for (uint32_t j = 0; j < 3; j++) { /* cyclic: no signs */
        uint32_t p = (j + 1) % 3, q = (j + 2) % 3;
        dd_expr rest = minor_of(dag, a[1][p], a[2][q], a[1][q], a[2][p]);
        sum = dd_add(dag, sum, dd_mul(dag, a[0][j], rest));
    }
    return sum;
}
