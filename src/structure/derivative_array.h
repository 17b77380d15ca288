/* derivative_array.h - the definition itself: index and constraints from ranks of [F; F'; ...; F^(k)] at a point. */
#ifndef DD_STRUCTURE_DERIVATIVE_ARRAY_H
#define DD_STRUCTURE_DERIVATIVE_ARRAY_H

#include "structure/numeric.h"

typedef struct dd_array_verdict {
    bool decided;
    bool finite_index; /* decided and there is one */
    bool clear;        /* ranks stayed the same for one more differentiation and a little later in time */
    uint32_t index;
    uint32_t visible, hidden;
    double *x; /* the point: ncols * stride Taylor coefficients */
    uint32_t stride;
    uint32_t n_open; /* no finite index: columns whose derivative stays undetermined */
    uint32_t *open;
    bool motion_varies; /* ranks changed along the solution */
    double *tangent;    /* ncols x dof: directions of consistent initial values, column-major */
    uint32_t dof;
    uint32_t failed_row; /* no consistent point: a row that is not satisfied */
    bool consistent;
    bool exhausted; /* the work allowed to one analysis (dd_array_budget) is used up */
} dd_array_verdict;

/* Rows of the derivative array that decides an index: [F; F'; ...] up to order index + 2, in ncols unknowns. Up to
 * DD_ARRAY_CHEAP it is computed for every system, up to DD_ARRAY_CONVERTED where the structure is known to deceive. */
enum { DD_ARRAY_CHEAP = 160, DD_ARRAY_CONVERTED = 500 };
uint32_t dd_array_rows(const dd_system *s, uint32_t index);

/* Takes the rows as written. x0: guess, ncols * stride0 coefficients. Needs a small system (dense algebra);
 * undecided for more than about 60 unknowns.
 *   singular   the Jacobian is singular at the point: coefficients that only the highest rows hold must not be
 *   believed.
 *              Where a gradient vanishes ((g)^2 = 0) rows 0..k force the first k/2 coefficients only, so an index
 *              counts when rows up to twice as high agree. */
dd_array_verdict dd_system_derivative_array(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0,
                                            bool singular, dd_pool *pool);

/* Can the equations and what follows from them by up to `order` differentiations be satisfied near x0 (ncols * stride0
 * coefficients) with the fixed values as they are given? *row: otherwise one that is not, *defined: it has a value
 * there. True without a test where there are too many rows. */
bool dd_system_fixed_hold(dd_system *s, dd_numeric *nm, const double *x0, uint32_t stride0, uint32_t order,
                          uint32_t *row, bool *defined, dd_pool *pool);

#endif
