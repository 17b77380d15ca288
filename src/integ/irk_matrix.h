/* irk_matrix.h - the matrix of all stages at once: s x s blocks of n x n,
 *
 *     block (i, j) = sigma P_ij M_i + Q_ij J_i   in columns of differential unknowns,
 *                    delta_ij J_i                in columns of algebraic ones,
 *
 * with M_i, J_i at stage i. Runge-Kutta methods with unknowns h K have P = I, Q = A; collocation with unknown values
 * has P = D (differentiation), Q = I. Unknown j of stage i has the index i n + j. Dense or sparse, whichever is
 * cheaper. */
#ifndef DD_INTEG_IRK_MATRIX_H
#define DD_INTEG_IRK_MATRIX_H

#include "integ/problem.h"

typedef struct dd_stage_matrix dd_stage_matrix;

/* P, Q: s x s row-major, copied. The problem must live longer. */
dd_status dd_stage_matrix_new(dd_stage_matrix **out, dd_context *ctx, const dd_problem *problem, uint32_t s,
                              const double *P, const double *Q);
void dd_stage_matrix_free(dd_stage_matrix *a); /* NULL is fine */

/* m, j: values on the problem's pattern, those of stage i at i * stride (0: the same for all). *unknown: where the
 * factor failed, as an unknown of the problem, or DD_NO_INDEX. */
dd_status dd_stage_matrix_factor(dd_stage_matrix *a, double sigma, const double *m, const double *j, size_t stride,
                                 bool *singular, uint32_t *unknown);

/* In place; b: s * n. */
void dd_stage_matrix_solve(dd_stage_matrix *a, double *b);

#endif
