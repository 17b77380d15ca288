/* residuals.h - a fit measurement by measurement: what the objective squares, at the solution.
 *
 * The objective is looked at as it was written, before variables are put into each other: a residual a*y(t) + b in one
 * variable y compares y with the measured value -b/a, which can be drawn beside its curve. */
#ifndef DD_OCP_RESIDUALS_H
#define DD_OCP_RESIDUALS_H

#include "ocp/ocp_impl.h"

typedef struct dd_residual {
    double t;
    double value;     /* of weight 1: sqrt(c) r */
    double measured;  /* NaN where `of` is DD_NO_INDEX */
    uint32_t of;      /* the variable of the model that was measured; DD_NO_INDEX: no single one */
    const char *data; /* the column that it was compared with; NULL: none, or several */
} dd_residual;
typedef DD_VEC(dd_residual) dd_residual_vec;

/* p has a trajectory; empty where the objective is no sum of squares. In the order of variables, columns and times.
 * Raises. */
dd_residual_vec dd_ocp_residuals(dd_ocp *p, dd_pool *pool);
/* How many from i on are of the same variable and column. */
uint32_t dd_residuals_alike(const dd_residual_vec *list, uint32_t i);

#endif
