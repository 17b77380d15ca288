/* elements.h - a nonlinear program made of a few functions that are evaluated at many points.
 *
 *     row_i(y) = sum of linear terms + sum over points of families  factor * Phi_o(v(y))
 *
 * A family is one vector function Phi with its sparse derivatives, compiled once; all its points are evaluated in one
 * batch. Each input v of a point is a constant plus a few multiples of variables y (mostly one; two for a piecewise
 * linear control; d + 1 for a state between collocation points). Outputs go to rows or to the objective. So the
 * collocation equations of all intervals, the cost, the boundary conditions and the data of a fit are all the same
 * thing. Patterns of the Jacobian and the Hessian follow from this by themselves.
 */
#ifndef DD_OCP_ELEMENTS_H
#define DD_OCP_ELEMENTS_H

#include "base/pool.h"
#include "base/team.h"
#include "eval/derivative.h"
#include "eval/program.h"
#include "nlp/nlp.h"
#include "ocp/functions.h"

#define DD_OBJECTIVE UINT32_MAX     /* in the place of a row */
#define DD_NOWHERE (UINT32_MAX - 1) /* the same: the value is not used */

typedef struct dd_elements dd_elements;

typedef struct dd_input_term {
    uint32_t variable;
    double factor;
} dd_input_term;

/* A value of the batch that goes into the Jacobian, the gradient or the Hessian: at position `at`, times factor. */
typedef struct dd_scatter {
    uint32_t source; /* entry * ld + point */
    uint32_t at;
    double factor;
} dd_scatter;
typedef DD_VEC(dd_scatter) dd_scatter_vec;

/* A family as it was built, for those who write the program in another form. */
typedef struct dd_family_view {
    const dd_ocp_function *function;
    uint32_t points, terms;
    const dd_input_term *term;
    const uint32_t *term_input; /* per term: point * n_in + input */
    const double *offset;       /* point * n_in + input: constant parts when it was built */
    const uint32_t *row;        /* point * n_out + output: a row, DD_OBJECTIVE or DD_NOWHERE */
    const double *factor;
    size_t ld;
    const dd_scatter_vec *jacobian, *gradient, *hessian; /* at: entry, variable, entry of the program */
} dd_family_view;

/* functions: where compiled functions are found again, and kept for the next program; NULL: nowhere. */
dd_elements *dd_elements_new(dd_pool *pool, dd_dag *dag, dd_ocp_functions *functions);

/* ---- building; all of this raises ---- */
uint32_t dd_elements_add_variable(dd_elements *e, double lower, double upper, double start);
void dd_elements_set_size(dd_elements *e, uint32_t variable, double size); /* expected, for scaling; 1 otherwise */
uint32_t dd_elements_add_row(dd_elements *e, double lower, double upper);
void dd_elements_add_linear(dd_elements *e, uint32_t row, uint32_t variable, double factor);

/* Phi with inputs (symbols) and outputs; constants are symbols whose values are the same at all points, set by
 * dd_elements_set_constants. fresh: numbers from which on PARAM symbols are free, for the weights of the Hessian. */
uint32_t dd_elements_add_family(dd_elements *e, const dd_expr *inputs, uint32_t n_inputs, const dd_expr *outputs,
                                uint32_t n_outputs, const dd_expr *constants, uint32_t n_constants, uint32_t fresh);
/* One more point; its inputs are zero and its outputs go nowhere until they are set. */
uint32_t dd_elements_add_point(dd_elements *e, uint32_t family);
/* input = input + factor * variable; constant parts add up. Inputs of a point are filled in order. */
void dd_elements_input(dd_elements *e, uint32_t family, uint32_t point, uint32_t input, uint32_t variable,
                       double factor);
void dd_elements_offset(dd_elements *e, uint32_t family, uint32_t point, uint32_t input, double constant);
void dd_elements_output(dd_elements *e, uint32_t family, uint32_t point, uint32_t output, uint32_t row, double factor);

/* ---- using ---- */
/* Patterns and work memory; nothing can be added after it. The memory that is not the pool's goes with
 * dd_elements_free. Raises. */
const dd_nlp *dd_elements_finish(dd_elements *e);
void dd_elements_free(dd_elements *e); /* NULL is fine */
/* After finish and constants: points of families that are worth it are evaluated by all members of the team, which must
 * live as long. The values are the same. NULL: by one thread. Raises. */
void dd_elements_use_team(dd_elements *e, dd_team *team);
/* Where an output goes: a row, DD_OBJECTIVE, or UINT32_MAX - 1 for nowhere. */
uint32_t dd_elements_row_of(const dd_elements *e, uint32_t family, uint32_t point, uint32_t output);
/* The inputs that an output depends on: how many there are in all, and for each whether it does. */
uint32_t dd_elements_depends(const dd_elements *e, uint32_t family, uint32_t output, bool *on);
/* Do the functions of a family contain this input? */
bool dd_elements_uses(const dd_elements *e, uint32_t family, uint32_t input);
uint32_t dd_elements_families(const dd_elements *e);
/* After finish. */
dd_family_view dd_elements_family(const dd_elements *e, uint32_t family);
/* The linear part of the Jacobian, per entry. */
const double *dd_elements_linear_part(const dd_elements *e);
/* The derivative of a row by a variable when it is the same number everywhere; NaN: it is not known to be. */
double dd_elements_slope(const dd_elements *e, uint32_t row, uint32_t variable);
/* Allocates in its first call only. */
void dd_elements_set_constants(dd_elements *e, uint32_t family, const double *values);
/* After finish: the constant part of an input of a point. */
void dd_elements_set_offset(dd_elements *e, uint32_t family, uint32_t point, uint32_t input, double constant);
double *dd_elements_start(dd_elements *e); /* n: where to begin; may be changed */
double *dd_elements_lower(dd_elements *e); /* bounds of variables, also after finish */
double *dd_elements_upper(dd_elements *e);
double *dd_elements_row_lower(dd_elements *e);
double *dd_elements_row_upper(dd_elements *e);
/* Inputs of a family at y, as a structure of arrays: input i of point k at in[i*ld + k]. */
const double *dd_elements_inputs(dd_elements *e, uint32_t family, const double *y, size_t *ld);
/* After an evaluation failed: a point and output that is not finite. False when all are. */
bool dd_elements_nonfinite(dd_elements *e, const double *y, uint32_t *family, uint32_t *point, uint32_t *output);

#endif
