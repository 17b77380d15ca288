/* row_blocks.h - the block-triangular form of square systems of expressions, and determinants of small blocks. */
#ifndef DD_STRUCTURE_ROW_BLOCKS_H
#define DD_STRUCTURE_ROW_BLOCKS_H

#include "structure/system.h"

enum {
    DD_ROW_BLOCKS_COUPLED = 3
}; /* unknowns of a block up to which it is solved in formulas: larger determinants cost
                                   more than numbers do */

/* rows[n] = 0 for n unknowns (symbols); other symbols are known. */
typedef struct dd_row_blocks {
    uint32_t n;
    dd_map place;                  /* unknown -> 1 + index */
    uint32_t *ptr, *idx;           /* the unknowns of each row */
    uint32_t count;                /* blocks, in the order of evaluation: a row contains unknowns of its own */
    uint32_t *row_perm, *col_perm; /* block and of earlier ones */
    uint32_t *first;               /* count + 1: block b is the positions first[b] .. first[b + 1] - 1 */
} dd_row_blocks;

/* False when not every unknown has a row of its own. In the pool. Raises. */
bool dd_row_blocks_find(dd_row_blocks *b, const dd_system *s, const dd_expr *rows, const dd_expr *unknowns, uint32_t n,
                        dd_pool *pool);

/* The determinant of k rows of a, k <= DD_ROW_BLOCKS_COUPLED. */
dd_expr dd_row_blocks_determinant(dd_dag *dag, uint32_t k, dd_expr a[DD_ROW_BLOCKS_COUPLED][DD_ROW_BLOCKS_COUPLED]);

#endif
