/* linearize_impl.h - a linear system, for linearize.c (the matrices), linearize_point.c (the point), linearize_states.c
 * (which states) and linearize_report.c (looking, responses, texts). */
#ifndef DD_SIM_LINEARIZE_IMPL_H
#define DD_SIM_LINEARIZE_IMPL_H

#include "base/json.h"
#include "daedal/linearize.h"
#include "la/linsolver.h"
#include "sim/sim_impl.h"
#include "structure/numeric.h"

struct dd_linsys {
    dd_context *ctx;
    dd_pool *pool;
    dd_sim *sim;
    const dd_system *system; /* with general inputs */
    dd_system *own_system;   /* the same, analysed here: some input has a formula; else NULL */
    dd_outside at;           /* time and inputs of the point */
    dd_numbers *numbers;     /* of that system, reduced; all inputs are supplied; NULL after the work */
    dd_linsys_info info;
    const char **x_name, **u_name, **y_name;
    double *A, *B, *C, *D;
};

/* Which of the nx unknowns x stay states, the others following from G dx = 0. g: ninv x nx (column-major, already
 * scaled: columns by the size of the unknown, rows to largest entry 1; destroyed). preference: per unknown, smaller
 * is wanted more. follows: ninv, receives the unknowns that follow, in the order they were taken. False when G has
 * no full rank. Orthogonalisation with threshold pivoting: among the columns whose part independent of those taken
 * before is at least a tenth of the largest, the one wanted least as a state follows. */
bool dd_linsys_choose_states(uint32_t ninv, uint32_t nx, double *g, const uint32_t *preference, uint32_t *follows);

/* The point of a descriptor system: its model and memory. */
const dd_linsys *dd_descriptor_system(const dd_descriptor *d);

/* ---- while it is made ---- */

typedef struct dd_lin_partial { /* d expr / d symbol at the point */
    uint32_t row, direction;
    double value;
} dd_lin_partial;

typedef DD_VEC(dd_lin_partial) dd_lin_partial_vec;

typedef struct dd_lin_work {
    void (*work)(struct dd_lin_work *k); /* what is computed at the point; may raise */
    void *user;
    dd_linsys *l;
    dd_pool *scratch;
    const dd_system *s;
    dd_numbers *q;
    double t, *w, *wdot; /* the point */
    double *taylor;      /* the same by columns: x_j^(k)/k!, `stride` per column */
    uint32_t stride;
    uint32_t n, nx, ninv, nin;        /* nin: input symbols VAR(u, k) that occur */
    dd_index_vec inputs;              /* variables */
    uint32_t *state, *follows;        /* of x */
    dd_index_vec outputs;             /* columns */
    dd_expr_vec output;               /* their expressions */
    dd_lin_partial_vec f_u, c_u, h_w; /* by input symbol; h_w by 0..n-1 w', n..2n-1 w, then input symbols */
    double *m, *j, *g;                /* values on the patterns */
    dd_linsolver *index_one, *dependent;
} dd_lin_work;

/* A holder for a point of the simulation, and the work done there. */
dd_status dd_lin_make(dd_linsys **out, dd_sim *sim, void (*work)(dd_lin_work *k), void *user);

/* The variables declared as outputs, or all. */
void dd_lin_find_outputs(dd_lin_work *k);

/* The verdict; the caller returns. */
void dd_lin_refuse(dd_lin_work *k, dd_sim_status status, const char *reason);
bool dd_lin_refused(const dd_lin_work *k);

/* linearize_point.c: the system to differentiate, then the point in its unknowns. */
void dd_lin_choose_system(dd_lin_work *k);
void dd_lin_find_point(dd_lin_work *k);

/* linearize_report.c: pieces of JSON and text. */
void dd_lin_json_names(dd_json *j, const char *key, const char *const *names, uint32_t count);
void dd_lin_json_numbers(dd_json *j, const double *values, size_t count);
void dd_lin_json_matrix(dd_json *j, const char *key, const double *a, size_t rows, size_t columns);
void dd_lin_json_eigenvalues(dd_json *j, const char *key, const double *re, const double *im, uint32_t n);
typedef struct dd_lin_table { /* a matrix with names, row by row */
    const char *title;
    const double *a;
    uint32_t rows, columns;
    const char *const *row_names, *const *column_names;
} dd_lin_table;
void dd_lin_print_matrix(dd_text *out, bool colour, const dd_lin_table *t);
void dd_lin_print_eigenvalues(dd_text *out, const char *title, const double *re, const double *im, uint32_t n);

/* linearize_states.c: which x are states, which follow from them. */
void dd_lin_choose_states(dd_lin_work *k);

#endif
