/* shooting.h - direct multiple shooting: steps of a Runge-Kutta method from node to node, as a nonlinear program.
 *
 * Variables are x_k, the controls, x_N, parameters and free times; the solver does not see
 * stages inside an interval. With M steps of length h in interval k, X_0 = x_k and for each step m
 *
 *     K_i = h f(X_m + sum_j A_ij K_j, z_i, u, p, t_i),  0 = g(X_m + sum_j A_ij K_j, z_i, u, p, t_i),
 *     X_{m+1} = X_m + sum_i b_i K_i,
 *
 * the rows are x_{k+1} - X_M = 0 and the cost is sum_i b_i h L at the stages. The stage equations R(w, q) = 0 are
 * solved to rounding by Newton's method, level by level (all stages of a step together; for explicit and diagonal
 * methods one after the other), the same level of all intervals in one batch. Derivatives are those of the
 * discrete equations:
 *
 *     first   dw/dq = -R_w^-1 R_q
 *     second  sum over stages of V^T H V,  V = d(inputs of the stage)/dq,  H = second derivative of the stage functions
 *             weighted with the multipliers: lambda for rows, sigma b_i for the cost, mu with R_w^T mu = -dL/dw for R
 *
 * which is the exact Hessian of the reduced Lagrangian.
 *
 * Where rows hold: rows in states, and bounds of states, at the nodes and, when the stages are points of a
 * collocation polynomial, at those as well (as in collocation; controls there are those of the interval that the
 * stage is in); rows with z or der(), and bounds of z, at the stages. Point values of z and values between nodes
 * are taps: separate variables, tied to the stages by one row each.
 */
#ifndef DD_OCP_SHOOTING_H
#define DD_OCP_SHOOTING_H

#include "ocp/transcription.h"

typedef struct dd_shooting dd_shooting;

/* Makes t->shooting and adds the rows of all intervals to the elements of t, whose variables are there already.
 * Raises. */
void dd_shooting_add(dd_transcription *t, const dd_guess *guess);
/* Do weights of stages allow variables for kinks (kinks.h)? */
bool dd_shooting_takes_kinks(const dd_tableau *b);
/* Variables x, then z, of an instant that is not read off a node; UINT32_MAX: none of them. */
uint32_t dd_shooting_tap_x(const dd_shooting *s, uint32_t instant);
uint32_t dd_shooting_tap_z(const dd_shooting *s, uint32_t instant);
/* The last stage is a point of a collocation polynomial, the end of the interval. */
bool dd_shooting_reaches_end(const dd_shooting *s);
/* The whole program; outer: of the elements. Raises. */
const dd_nlp *dd_shooting_finish(dd_shooting *s, const dd_nlp *outer);
void dd_shooting_free(dd_shooting *s); /* NULL is fine */

/* x and z at theta in interval k of a solution y. */
void dd_shooting_at(dd_shooting *s, const double *y, uint32_t k, double theta, double *x, double *z);
/* Polynomial controls at theta: u = sum_i weight[i] u_i with variables u_i from *first + i nu on. Returns how many. */
uint32_t dd_shooting_controls(const dd_shooting *s, uint32_t k, double theta, uint32_t *first, double *weight);
/* Points inside an interval that are worth a row in a file, as parts of the interval: how many, and which. */
uint32_t dd_shooting_points(const dd_shooting *s);
double dd_shooting_point(const dd_shooting *s, uint32_t i);

/* The adjoints of the steps at a solution y with multipliers lambda of all rows, as derivatives of the cost by x:
 * ends[(k (M+1) + m) nx + i] of X_m in interval k, stages[(k M s + g) nx + i] of the stages (NaN where b is 0).
 * False when the steps cannot be computed at y. */
bool dd_shooting_costates(dd_shooting *s, const double *y, const double *lambda, double *ends, double *stages);

/* NULL when the steps can be computed at y, else why not, in the user's words. where: " of the guess". Raises. */
const char *dd_shooting_failure(dd_shooting *s, const double *y, const char *where);
/* The same for their derivatives. */
const char *dd_shooting_derivative_failure(dd_shooting *s, const double *y, const char *where);

#endif
