/* tangent.h - the linearised rows f_i^(k) = 0, k <= c_i, in the unknowns x_j^(k), k <= d_j, and the gradients of
 * initial conditions in the same unknowns. What is left free by the rows is the tangent space of the consistent
 * points. */
#ifndef DD_STRUCTURE_TANGENT_H
#define DD_STRUCTURE_TANGENT_H

#include "structure/numeric.h"

/* A condition: a fixed variable or an initial equation. */
typedef struct dd_condition {
    dd_index_vec idx; /* unknowns, numbered by offset */
    DD_VEC(double)
    val, floor; /* slopes, in units of the unknowns; what is rounding of each, below which it is no slope */
    const char *text;
    uint32_t col; /* a fixed variable: its column; DD_NO_INDEX for an equation */
    uint32_t row; /* an equation: its row of the model's initial rows */
} dd_condition;

typedef DD_VEC(dd_condition) dd_condition_vec;

typedef struct dd_tangent {
    const dd_system *s;
    dd_numeric *numeric; /* of the system's rows */
    dd_pool *pool;
    uint32_t *offset; /* column -> first of its unknowns x_j^(0..d_j) */
    uint32_t total;   /* unknowns */
    uint32_t extra;   /* derivatives beyond c and d */
    uint32_t rows;    /* f_i^(k) in order of i, then k */
    bool by_sizes;    /* unknowns are in units of their expected sizes, and not in those that J asks for */
    dd_index_vec row, col;
    DD_VEC(double) val; /* in Taylor coefficients and the scaling of J */
    dd_expr_vec of;     /* of the entries of the rows: the slope that an entry is, if its terms do not cancel */
} dd_tangent;

/* Numbers the unknowns x_j^(0 .. d_j + extra); d NULL: the values x_j^(0) alone. numeric: the system's rows, at the
 * time and with the inputs that count. */
dd_tangent dd_tangent_new(const dd_system *s, dd_numeric *numeric, const uint32_t *d, uint32_t extra, dd_pool *pool);
/* DD_NO_INDEX when that derivative is no unknown. */
uint32_t dd_tangent_unknown(const dd_tangent *t, uint32_t col, uint32_t order);

/* Fills the rows at a point; scale: total, receives the scale of each unknown (a column's entry was multiplied by
 * it). */
void dd_tangent_rows(dd_tangent *t, const double *x, uint32_t stride, double *scale);

/* x_j = value as a condition, without a text. */
dd_condition dd_tangent_column(const dd_tangent *t, uint32_t col);

/* Fixed values in order of declaration, then initial equations, with gradients at the point. Texts live in `texts`
 * (NULL: none). */
dd_condition_vec dd_tangent_conditions(const dd_tangent *t, const double *x, uint32_t stride, dd_pool *texts);

#endif
