/* ranking.h - rows at some instants and the invariants there: which of them are independent.
 *
 * All outputs (invariants first, then rows) are functions of the states at the instants, of the parameters and of
 * the times. Ranks are taken at a point that satisfies all of them: at a raw guess they are wrong. Gradients are
 * scaled by the expected sizes of the inputs and then to unit length, so a remainder is the sine of an angle.
 */
#ifndef DD_OCP_RANKING_H
#define DD_OCP_RANKING_H

#include "eval/derivative.h"
#include "eval/program.h"
#include "ocp/problem.h"

#define DD_RANKING_FOUND 1e-9 /* of their sizes: residual of a point on the rows, which searches reach if they cross */

typedef struct dd_ranking_values {
    void *user;
    void (*at)(void *user, double theta, double *x); /* states to begin with */
} dd_ranking_values;

typedef struct dd_ranking {
    dd_ocp_problem *o;
    dd_pool *pool;
    dd_index_vec instants;     /* that take part */
    dd_expr_vec inputs;        /* x at these instants, p, t0, tf */
    uint32_t n_states;         /* of these: x of the instants */
    dd_index_vec invariant_of; /* per invariant output: which one */
    dd_index_vec rows;         /* per further output: of o->points */
    dd_expr_vec outputs;
    bool hold_parameters;   /* and times */
    bool *fixed;            /* inputs that do not move */
    double *v, *scale;      /* values and sizes of the inputs */
    double *size;           /* of the outputs: searches compare them in these */
    double *r, *jac, *unit; /* residuals; m x n, column-major; unit gradients, a row each */
    const double *at_best;  /* residuals where all outputs together are violated least; NULL: as r */
    bool *kept;             /* per output: in the independent set */
    double *q;              /* orthonormal directions of the kept ones */
    uint32_t n_q;
    double quality; /* smallest remainder of a kept row: 1 is best */
    const dd_derivative *derivative;
    dd_program_work *values, *first;
    double *entries;
} dd_ranking;

/* The equality rows of o->points among [first, last) that contain nothing but states, parameters and times; with
 * invariants: those at the instants of these rows. NULL: there are none, or too many to rank. Raises; must be freed. */
dd_ranking *dd_ranking_new(dd_ocp_problem *o, uint32_t first, uint32_t last, bool invariants, dd_pool *pool);
void dd_ranking_free(dd_ranking *k); /* NULL is fine */

/* Values and Jacobian at the point. */
void dd_ranking_evaluate(dd_ranking *k);
/* Moves the point onto the outputs, or onto the kept ones alone; returns the largest residual that is left, in sizes of
 * the outputs. Raises. */
double dd_ranking_project(dd_ranking *k, bool only_kept, dd_pool *scratch);

/* Goes to a point on all outputs: from the given states, and when that ends off them from others around, at most
 * `attempts` searches in all. Returns the largest residual, in sizes of the outputs. */
double dd_ranking_find(dd_ranking *k, const dd_ranking_values *values, uint32_t attempts);

/* Chooses the best-conditioned independent set there: invariants, then always the row with the largest remainder. */
void dd_ranking_select(dd_ranking *k);
/* Smallest remainder of the rows that o->points does not drop, in their best order. */
double dd_ranking_quality_now(dd_ranking *k);

/* Which outputs change along the set that the kept ones leave: such a row does not follow from them although it looks
 * so at the point. And which inputs: the others are determined. */
void dd_ranking_varies(dd_ranking *k, bool *varies, bool *moves);
/* out[i]: output i after a step along the direction and back onto the kept ones. False: there is no way. */
bool dd_ranking_step(dd_ranking *k, const double *direction, double *out);
/* The part of a direction that leaves the kept outputs as they are; its largest component is 1. False: none. */
bool dd_ranking_tangent(const dd_ranking *k, double *direction);

/* Goes to an extreme of an output in the given states on the kept ones: Newton on its gradient along them. */
void dd_ranking_extreme(dd_ranking *k, uint32_t output, const uint32_t *states, uint32_t count);
/* From points around, do all outputs together lead back to the same values of these states? */
bool dd_ranking_returns(dd_ranking *k, const uint32_t *states, uint32_t count);

/* The least and largest value of each output over solutions of the kept ones, as far as searches from elsewhere find
 * others: branches. The same of each input, unless NULL. */
void dd_ranking_branches(dd_ranking *k, double *low, double *high, double *low_input, double *high_input);

/* Gradient of an output in those of the kept ones: factors of unit gradients, 0 elsewhere. */
void dd_ranking_combination(dd_ranking *k, uint32_t output, double *factor);

/* Expected size of an output's value: of its largest term. */
double dd_ranking_size(const dd_ranking *k, uint32_t output);

/* "y(finalTime)": input i, one of n_states. */
const char *dd_ranking_input_name(const dd_ranking *k, uint32_t i);

#endif
