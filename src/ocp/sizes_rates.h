/* sizes_rates.h - how states move, and what moves them: x' = f and its slopes by states and controls, where algebraic
 * variables follow from 0 = g(x, z, u): the total slope is df/dx - df/dz (dg/dz)^-1 dg/dx. Gravity turns a pendulum by way
 * of an acceleration that is such a variable; at fixed z nothing would move it. */
#ifndef DD_OCP_SIZES_RATES_H
#define DD_OCP_SIZES_RATES_H

#include "ocp/problem.h"

typedef struct dd_size_rates {
    uint32_t nx, n; /* states; states and controls */
    bool *meets;    /* nx times n: may x_i' contain (x, u)_j, perhaps by way of z? */
    double *flow;   /* nx: |x_i'| */
    double *rate;   /* nx times n, row by row: |dx_i'/d(x, u)_j| */
    uint32_t nz;    /* 0: algebraic variables do not follow there */
    double *z;      /* nz: |z_k|, or 0 where that is rounding */
    double *row;    /* nz: terms of g_k, added up without their signs */
    double *z_rate; /* nz times n, by column: |dz_k/d(x, u)_j|, the same */
    struct dd_size_rates_work *work;
} dd_size_rates;

/* Raises. */
dd_size_rates dd_size_rates_new(dd_ocp_problem *o, dd_pool *pool);

/* Fills all of it at these states and controls; z is sought from its start values. What is not finite is 0, and so are
 * slopes that are no larger than their rounding. */
void dd_size_rates_at(dd_size_rates *r, const double *xu);

#endif
