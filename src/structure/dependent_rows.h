/* dependent_rows.h - minimal dependent sets among the rows of a matrix of leading derivatives, at generic points. */
#ifndef DD_STRUCTURE_DEPENDENT_ROWS_H
#define DD_STRUCTURE_DEPENDENT_ROWS_H

#include "structure/certificate.h"
#include "structure/exact.h"

/* The matrix df_i/dx_j^(d_j - c_i) of some rows i and columns j. */
typedef struct dd_row_scope {
    dd_system *s;
    dd_numeric *nm;        /* of all rows */
    const dd_offsets *off; /* c and d in force */
    uint32_t n;
    const uint32_t *rows; /* n: among which a combination is looked for */
    const bool *columns;  /* per column: its leading derivative must cancel */
    dd_exact exact;
    dd_pool *scratch;
} dd_row_scope;

/* Set q is rows[ptr[q]] .. rows[ptr[q+1]-1]; the dependent row comes first. */
typedef struct dd_dependent_sets {
    bool finite, clear;
    uint32_t rank;
    DD_VEC(uint32_t) ptr;
    DD_VEC(uint32_t) rows;
    DD_VEC(double) coefs; /* of the vanishing combination, at the point */
} dd_dependent_sets;

/* Up to `most` sets: exactly where that can be afforded, else at the generic point that shows them best. known:
 * dependent rows exist, so a point that shows none is not believed. In the scope's scratch pool. */
dd_dependent_sets dd_dependent_rows(dd_row_scope *c, uint32_t most, bool known);

#endif
