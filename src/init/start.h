/* start.h - consistent initial values of an analysed model of any index.
 *
 *   conditions: fixed values, initial equations      -> as many independent ones as degrees of freedom,
 *   completed by written starts, zero speeds, ...       judged by rank at a consistent point
 *   f_i^(k) = 0, k <= c_i, and the conditions        -> solved for x_j^(k), k <= d_j, block by block
 *
 * A start that is refused or not found is a verdict with a reason, not a failure. Raises (base/context.h) when memory
 * runs out or the run is stopped.
 */
#ifndef DD_INIT_START_H
#define DD_INIT_START_H

#include "dynamics/numbers.h"
#include "structure/numeric.h"

typedef struct dd_start_options {
    bool auto_init; /* conditions that are still missing: default starts (0) of states */
    bool project;   /* contradictory fixed values move to the nearest consistent point */
    double tol;     /* surplus conditions that hold to this, relative, are dropped (default 1e-6) */

    /* derivatives of the start: by directions of parameters, or by the start values of columns; NULL: none */
    const dd_direction_vec *directions;
    const uint32_t *start_of; /* per direction: the column whose start value it is, DD_NO_INDEX for a parameter */
} dd_start_options;

dd_start_options dd_start_options_default(void);

typedef struct dd_start {
    bool ok;
    const char *reason; /* not ok: one sentence; "" otherwise */
    bool not_finite;    /* not ok: because equations have no finite value */
    dd_string_vec messages;

    /* Taylor coefficients x_j^(k)/k! of column j at x[j*stride + k], k <= d_j and at least 1 (stride >= 2); where the
     * search stopped when not ok, NULL when there was none. */
    double *x;
    uint32_t stride;
    bool rates; /* first derivatives of algebraic columns are known too; otherwise they are 0 */

    /* d x / dp: that of direction k begins at k * ncols * stride. NULL when not asked for. A sentence when there is
     * none: nothing in the rest of the answer changes by that. */
    double *derivative;
    const char *no_derivative;
    bool *acts; /* per direction: the start value is a condition (parameters: true) */

    /* counters */
    uint32_t blocks, largest_block, iterations, homotopies;
    double residual; /* largest residual of any row and derivative, relative to the size of its terms */
} dd_start;

/* The start at a time and with inputs; at NULL: at the start time of the experiment; inputs NULL: their start values.
 * Everything returned lives in the pool, and the system is not changed: after a failure it can be asked again. */
dd_start dd_system_start(const dd_system *s, const dd_outside *at, const dd_start_options *options, dd_pool *pool);

#endif
