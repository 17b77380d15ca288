/* multipliers.h - multipliers of a transcribed problem as functions of time, free of scales, weights and step sizes.
 *
 * Costates. lambda(t) = dJ/dx(t): what the optimal cost gains when the state is moved by one unit at that time and
 * the system goes on from there; lambda' = -(dL/dx + (df/dx)^T lambda + path terms). With w_j the quadrature
 * weights, s the scale of x, y the multipliers of h f - sum C x and c those of continuity (both of scaled rows),
 *
 *     lambda(t_kj) = y_kj/(s w_j),   lambda(t_{k+1}-) = -c_k/s,   lambda(t_k+) = -(sum_j C_0j y_kj + D_0 c_k)/s,
 *
 * the discrete adjoint: integrating sum_j w_j lambda_j l_r'(tau_j) by parts, which the quadrature does exactly,
 * leads to the adjoint equation at the points. The two limits at a boundary differ by the multipliers of rows and
 * bounds that hold there and nowhere else (Legendre points); Radau points end at the boundary, and bounds there
 * are part of the interval, so that both limits are that after them. Shooting: adjoints of the steps and stages.
 *
 * Path rows and bounds. The Lagrangian has + y c with y > 0 at an upper bound, < 0 at a lower one; as a density
 * over time it is y over the part of the time axis that the row represents: w_j h at a collocation point, h where
 * a row holds once in an interval; at a boundary that is no collocation point the mean of its neighbours.
 */
#ifndef DD_OCP_MULTIPLIERS_H
#define DD_OCP_MULTIPLIERS_H

#include "ocp/transcription.h"

typedef struct dd_multipliers dd_multipliers;

/* lambda, z_lower, z_upper: of result. Raises. */
dd_multipliers *dd_multipliers_new(const dd_transcription *t, const dd_nlp_result *result, dd_pool *pool);

/* Costates of all states in interval k, at its ends the limits from inside. */
void dd_multipliers_costates(const dd_multipliers *m, uint32_t k, double theta, double *out);

/* Densities: of path rows "multiplier(s <= 1)", then of what has bounds "multiplier(u)". */
uint32_t dd_multipliers_count(const dd_multipliers *m);
const char *dd_multipliers_name(const dd_multipliers *m, uint32_t i);
double dd_multipliers_density(const dd_multipliers *m, uint32_t i, uint32_t k, double theta);

#endif
