/* elements_impl.h - families, their points and the lists by which values are scattered: for elements*.c. */
#ifndef DD_OCP_ELEMENTS_IMPL_H
#define DD_OCP_ELEMENTS_IMPL_H

#include "base/team.h"
#include "ocp/elements.h"

/* Targets of scattering in parts that threads take; one part where there is no team. */
typedef struct dd_target_parts {
    uint32_t targets, size, count;
    bool *finite; /* count: what was found in the part */
} dd_target_parts;

/* How far an entry of a list moves from one repeat to the next. */
typedef struct dd_scatter_step {
    int32_t at, source;
} dd_scatter_step;

/* Entries first .. first + length - 1 of a list, which come `repeats` times, each time a step further: points of equal
 * intervals. */
typedef struct dd_scatter_section {
    uint32_t first, length, repeats;
    const dd_scatter_step *step; /* length; NULL: repeats is 1 */
} dd_scatter_section;
typedef DD_VEC(dd_scatter_section) dd_scatter_section_vec;

/* A list in the order of its targets, as sections; begin: parts + 1, the first section of each part. */
typedef struct dd_cut_list {
    dd_scatter_vec values;
    dd_scatter_section_vec sections;
    uint32_t *begin;
} dd_cut_list;

typedef struct dd_family_part {
    dd_program *program;
    dd_program_work *work;
    dd_program_work **helpers; /* of the members of the team but the first; NULL: the program is run by one thread */
    double *out;               /* n_outputs * ld */
} dd_family_part;

typedef struct dd_point_family {
    const dd_ocp_function *function;
    uint32_t n_in, n_out, n_constants, n_points;
    const dd_derivative *jacobian, *hessian;
    dd_family_part values, first, second;
    double *constants; /* values; NULL: none */
    DD_VEC(dd_input_term) terms;
    DD_VEC(uint32_t) term_input; /* per term: point * n_in + input */
    DD_VEC(double) offset;       /* point * n_in + input */
    DD_VEC(uint32_t) row;        /* point * n_out + output; DD_NOWHERE without */
    DD_VEC(double) factor;
    size_t ld;
    double *constant;  /* n_in * ld: the offsets, as in `in`; */
    bool *has_offset;  /* n_in: any of its offsets is not zero */
    double *in;        /* n_in * ld */
    double *weights;   /* n_out * ld */
    dd_cut_list to_in; /* terms of variables */
    dd_target_parts in_parts;
    dd_cut_list to_rows; /* of values; weights have the same places */
    dd_scatter_vec to_objective;
    dd_cut_list to_gradient, to_jacobian, to_hessian;
} dd_point_family;

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
    dd_cut_list linear_to_rows;
    dd_target_parts row_parts, gradient_parts, jacobian_parts, hessian_parts;
    double *
        fixed; /* Jacobian: the linear part; entries fixed_from .. fixed_to - 1 repeat the first fixed_period of them */
    uint32_t fixed_from, fixed_to, fixed_period;
    bool have_values, have_first;
    double objective;
};

/* ---- elements_patterns.c ---- */
/* Patterns of the program, and for every value of the families its place in them. */
void dd_elements_make_jacobian(dd_elements *e, dd_pool *scratch);
void dd_elements_make_hessian(dd_elements *e, dd_pool *scratch);

/* ---- elements_team.c ---- */
/* Parts of all lists for the present team; once lists are complete, again for another team. */
void dd_elements_divide(dd_elements *e);
/* The inputs of a family at y. */
void dd_elements_gather(const dd_elements *e, const dd_point_family *f, const double *y);
/* Rows, gradient, Jacobian, Hessian from the values of the families; false: something is not finite. */
bool dd_elements_scatter_rows(const dd_elements *e, const double *y, double *out);
bool dd_elements_scatter_gradient(const dd_elements *e, double *out);
bool dd_elements_scatter_jacobian(const dd_elements *e, double *out);
bool dd_elements_scatter_hessian(const dd_elements *e, double *out);

/* ---- elements_sections.c ---- */
/* The sections of the entries from .. to - 1 of a list that is in the order of its targets. */
void dd_scatter_find_sections(dd_pool *pool, dd_cut_list *list, uint32_t from, uint32_t to);
/* targets += factor * values for the sections of a part; every target gets its terms in the order of the list. */
void dd_scatter_add(const dd_cut_list *list, uint32_t part, const double *values, double *targets);
/* How far targets move from one repeat to the next in the longest section of the list where all move alike; 0: in none.
 * *first: its first target. */
uint32_t dd_scatter_period(const dd_cut_list *list, uint32_t *first);
/* The way back, for all entries: values = factor * targets. */
void dd_scatter_back(const dd_cut_list *list, const double *targets, double *values);

#endif
