/* collocation.h - nodes of Gauss, Radau and Lobatto quadrature and Runge-Kutta coefficients of collocation at given
 * nodes, in 113-bit arithmetic. Well-conditioned to the last: no Vandermonde matrix anywhere. */
#ifndef DD_METHODS_COLLOCATION_H
#define DD_METHODS_COLLOCATION_H

#include "methods/quad.h"

enum { DD_COLLOCATION_MOST = 64 }; /* nodes */

typedef enum dd_nodes {
    DD_NODES_GAUSS,    /* zeros of P_s(2c - 1); s >= 1 */
    DD_NODES_RADAU,    /* zeros of P_s - P_{s-1}, the last one 1 (Radau IIA); s >= 1 */
    DD_NODES_LOBATTO,  /* zeros of P_s - P_{s-2}: 0, ..., 1; s >= 2 */
    DD_NODES_CHEBYSHEV /* (1 - cos(k pi / s)) / 2, k = 1..s: Gauss-Lobatto points without the first, which is 0 */
} dd_nodes;

/* Writes s nodes in [0, 1], rising. s at most DD_COLLOCATION_MOST. */
void dd_collocation_nodes(dd_nodes family, uint32_t s, dd_quad *c);

/* l_j(t): the Lagrange polynomial of degree n - 1 that is 1 at c[j] and 0 at the other n - 1 nodes. */
dd_quad dd_lagrange(const dd_quad *c, uint32_t n, uint32_t j, dd_quad t);

/* weights[j] = integral of l_j from 0 to upper, j < n. */
void dd_lagrange_integrals(const dd_quad *c, uint32_t n, dd_quad upper, dd_quad *weights);

/* The same integrals in double precision, many times for the same nodes. */
typedef struct dd_lagrange_rule {
    uint32_t n, m;                                                 /* nodes of the polynomials, of the quadrature */
    double c[DD_COLLOCATION_MOST], factor[DD_COLLOCATION_MOST];    /* l_j(t) = factor_j prod_{k != j} (t - c_k) */
    double node[DD_COLLOCATION_MOST], weight[DD_COLLOCATION_MOST]; /* of Gauss, on [0, 1] */
} dd_lagrange_rule;
void dd_lagrange_rule_make(dd_lagrange_rule *rule, const dd_quad *c, uint32_t n);
void dd_lagrange_rule_integrals(const dd_lagrange_rule *rule, double upper, double *weights);

/* Collocation at the s different nodes c: A_ij = int_0^{c_i} l_j (row-major), b_j = int_0^1 l_j. */
void dd_collocation(const dd_quad *c, uint32_t s, dd_quad *a, dd_quad *b);

/* The inverse of A for nodes different from 0, which is a differentiation matrix: row i, column j is N_j'(c_i), N_j the
 * Lagrange polynomial of degree s on 0, c_1, ..., c_s. */
void dd_collocation_inverse(const dd_quad *c, uint32_t s, dd_quad *inverse);

#endif
