/* elements_impl.h - families, their points and the lists by which values are scattered: for elements*.c. */
#ifndef DD_OCP_ELEMENTS_IMPL_H
#define DD_OCP_ELEMENTS_IMPL_H

#include "base/team.h"
#include "ocp/elements.h"

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

typedef struct dd_family_part {
    dd_program *program;
    dd_program_work *work;
    dd_program_work **helpers; /* of the members of the team but the first; NULL: the program is run by one thread */
    double *out;               /* n_outputs * ld */
} dd_family_part;

typedef struct dd_point_family {
    uint32_t n_in, n_out, n_constants, n_points;
    const dd_derivative *jacobian, *hessian;
    dd_family_part values, first, second;
    const double *constants; /* values; NULL: none */
    DD_VEC(dd_input_term) terms;
    DD_VEC(uint32_t) term_input; /* per term: point * n_in + input */
    DD_VEC(double) offset;       /* point * n_in + input */
    DD_VEC(uint32_t) row;        /* point * n_out + output; DD_NOWHERE without */
    DD_VEC(double) factor;
    size_t ld;
    double *constant;                     /* n_in * ld: the offsets, as in `in` */
    uint32_t *term_at;                    /* per term: its place in `in` */
    double *in;                           /* n_in * ld */
    double *weights;                      /* n_out * ld */
    dd_scatter_vec to_rows, to_objective; /* of values; weights have the same places */
    dd_scatter_vec to_jacobian, to_gradient, to_hessian;
} dd_point_family;

#define DD_NOWHERE (UINT32_MAX - 1)

typedef struct dd_entry {
    uint32_t row, col;
} dd_entry;

struct dd_elements {
    dd_pool *pool;
    dd_dag *dag;
    dd_ocp_functions *functions;
    dd_context *ctx;
    dd_team *team;
    uint32_t n_helpers;
    dd_nlp nlp;
    DD_VEC(double) lower, upper, start, size, row_lower, row_upper;
    DD_VEC(dd_point_family) families;
    DD_VEC(dd_entry) linear;
    DD_VEC(double) linear_factor;
    uint32_t *linear_at; /* position in the Jacobian */
    uint32_t *jacobian_row, *jacobian_col, *hessian_row, *hessian_col;
    double *fixed; /* Jacobian: the linear part */
    bool have_values, have_first;
    double objective;
    double *c; /* m */
};

/* ---- elements_patterns.c ---- */
/* Patterns of the program, and for every value of the families its place in them. */
void dd_elements_make_jacobian(dd_elements *e, dd_pool *scratch);
void dd_elements_make_hessian(dd_elements *e, dd_pool *scratch);

#endif
