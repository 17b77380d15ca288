/* chain_sparse.h - leaves with many unknowns, of which few meet: their LU factorisation is sparse (private to chain_*.c).
 *
 * What is done at every factorisation is written down once for a shape, as a program of entries, and carried out on the
 * intervals of a batch in lanes (chain_lanes.h). Pivots are those of the structure: each row with the variable that
 * it determines, in an order of minimum degree. Where that makes multipliers too large, pivots are chosen by the values of
 * the batch at hand, and a program is written for it.
 *
 * S = A^-1 A_e is not kept. It is made in panels of columns, dealt out to the intervals and used there; solves go through
 * the factors: with t = A^-T (r_D - H_DD d0), d0 = A^-1 s_R
 *
 *     forward:   e -= A_e^T t + H_De^T d0,   g -= G_D d0
 *     backward:  d = A^-1 (s_R - A_e e),     r = A^-T (r_D - H_DD d - H_De e - G_D^T g)
 */
#ifndef DD_NLP_CHAIN_SPARSE_H
#define DD_NLP_CHAIN_SPARSE_H

#include "nlp/chain_lanes.h"

enum { CHAIN_PANEL = 8 }; /* columns of A_e at a time: their sums stay in registers */

/* Pivots count from 0 on; L and U by rows, the columns of each ascending. */
struct chain_program {
    uint32_t *row, *col;             /* nd: row and variable of a pivot */
    uint32_t *row_at, *col_at;       /* nd: pivot of a row, of a variable */
    uint32_t *a_ptr, *a_slot, *a_at; /* entries of A by pivots: slot, pivot of the column */
    uint32_t *l_ptr, *l_col;         /* below the diagonal; values in this order */
    uint32_t *u_ptr, *u_col;         /* above it; values behind those of L, then the inverse diagonal */
    /* of each panel: the pivots whose rows L^-1 A_e reaches, and of each the entries of L that matter */
    uint32_t *reach_ptr, *reach_row; /* panels + 1 */
    uint32_t *part_ptr, *part;       /* per row reached; numbers of entries of L */
    uint32_t entries;                /* of L and U with the diagonal */
    double operations;               /* multiplications of LU and of S, for one interval */
};

/* value: of a batch, or NULL: pivots by the structure. DD_LIMIT: the structure has no pivots. */
dd_status dd_chain_program_make(chain_program *out, chain_pool *pool, const chain_shape *s, const double *value);

/* Numbers of memory that a factorisation needs beside the batch, for each thread. */
size_t dd_chain_sparse_scratch(const chain_shape *s);

#endif
