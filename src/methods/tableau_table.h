/* tableau_table.h - methods whose coefficients are written down. Entries are formulas (expression.h) separated by
 * blanks, rows are separated by semicolons. */
#ifndef DD_METHODS_TABLEAU_TABLE_H
#define DD_METHODS_TABLEAU_TABLE_H

#include <stdint.h>

typedef struct dd_table_row {
    const char *name;
    uint32_t stages, order, embedded_order, low_order;
    const char *c;
    const char *A; /* row i begins at the first column; what is left out at its end is 0 */
    const char *b, *bhat, *bhat_low;
    /* The continuous extension in the form of Hairer, Norsett & Wanner I, sec. II.6:
     *   x_n + theta (r2 + (1 - theta)(r3 + theta (r4 + (1 - theta)(r5 + theta (r6 + ...))))),
     * r2 = h b k,  r3 = h k_first - r2,  r4 = r2 - h k_last - r3,  r5, ... = h d k with one row of d each. */
    uint32_t dense_order, dense_stages; /* 0: none */
    uint32_t dense_last;                /* the stage at t_{n+1}, counted from 0 */
    const char *dense_A, *dense_c;      /* of the stages beyond those of the method */
    const char *dense_d;                /* "": Hermite's cubic */
} dd_table_row;

extern const dd_table_row dd_tableau_table[];
extern const uint32_t dd_tableau_table_size;

#endif
