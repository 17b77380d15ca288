/* lagrange.h - energies and constraints to equations of motion.
 *
 *   d/dt(dT/dq') - dT/dq + dV/dq + dD/dq' + (dc/dq)^T lambda_c + (da/dq')^T lambda_a
 *       = Q + sum_i (dpoint_i/dq)^T force_i,
 *   c = 0,  a = 0
 */
#ifndef DD_MECH_LAGRANGE_H
#define DD_MECH_LAGRANGE_H

#include "expr/dag.h"

typedef struct dd_lagrange {
    const dd_expr *q; /* nq VAR nodes of order 0 */
    uint32_t nq;
    dd_expr T;        /* kinetic energy */
    dd_expr V, D;     /* potential, dissipation; DD_EXPR_NONE when absent */
    const dd_expr *c; /* nc holonomic constraints */
    uint32_t nc;
    const dd_expr *a; /* na constraints linear in q' */
    uint32_t na;
    const dd_expr *lambda; /* nc + na multipliers */
    const dd_expr *Q;      /* nq generalised forces, or NULL */
    const dd_expr *forces; /* 3 or 2 components each: nf scalar components, paired with points */
    const dd_expr *points; /* nf scalar components */
    uint32_t nf;
    uint32_t first_group; /* of the equations of motion in the model, where it is kept there */
} dd_lagrange;

/* The terms of the equations, nq each. */
typedef struct dd_lagrange_terms {
    dd_expr *momentum;      /* dT/dq' */
    dd_expr *momentum_rate; /* d/dt dT/dq' */
    dd_expr *along_q;       /* dL/dq = dT/dq - dV/dq */
    dd_expr *dissipation;   /* dD/dq' */
    dd_expr *constraint;    /* (dc/dq)^T lambda_c + (da/dq')^T lambda_a */
    dd_expr *force;         /* Q + sum_i (dpoint_i/dq)^T force_i */
} dd_lagrange_terms;

/* One by one, for people; their sum momentum_rate - along_q + dissipation + constraint - force is the residual. */
dd_lagrange_terms dd_lagrange_terms_of(dd_dag *dag, const dd_lagrange *in, dd_pool *pool);

/* A copy of the statement with its lists, in the pool. */
dd_lagrange *dd_lagrange_copy(const dd_lagrange *in, dd_pool *pool);

/* Writes nq residuals (left side minus right side); the constraints themselves are the caller's rows. All
 * gradients by reverse accumulation: cost of T, V, c and their derivatives, not times nq. Expressions must already
 * be in q, der(q) (VAR order 1), time, parameters and other variables treated as given. */
void dd_lagrange_equations(dd_dag *dag, const dd_lagrange *in, dd_expr *residuals, dd_pool *scratch);

#endif
