/* shooting_impl.h - shared by the files of multiple shooting. */
#ifndef DD_OCP_SHOOTING_IMPL_H
#define DD_OCP_SHOOTING_IMPL_H

#include "base/vector.h"
#include "methods/collocation.h"
#include "methods/tableau.h"
#include "ocp/shooting.h"

#define DD_NO_ROW UINT32_MAX

/* Stages that are solved together: those of one step, or a single one. Points are numbered stage * intervals + k. */
typedef struct dd_level {
    uint32_t substep, first, n; /* stages first .. first + n - 1 of the tableau */
    bool direct;                /* explicit and without z: nothing to solve */
    uint32_t size;              /* unknowns: n (nx + nz) */
    uint32_t lanes;
    size_t ld;
    double *in, *out, *first_out, *weights, *second_out;
    double *lu; /* per interval: the matrix R_w, then its factors */
    int *pivot;
} dd_level;

/* Values between nodes, or of z, at an instant. */
typedef struct dd_tap {
    uint32_t interval, substep;
    uint32_t x_at, z_at; /* variables; UINT32_MAX: none */
    uint32_t row;        /* rows of x, then of z */
    uint32_t *jacobian_at;
    double x_weight[DD_TABLEAU_STAGES], z_weight[DD_TABLEAU_STAGES];
} dd_tap;

typedef struct dd_stage_program {
    dd_program *program;
    dd_program_work *work;
} dd_stage_program;

/* Rows of a stage: bounds of states and of algebraic variables that are rows here. */
typedef struct dd_stage_bound {
    bool algebraic;
    uint32_t index; /* of x or z */
    uint32_t row;   /* among the stage rows of an interval */
} dd_stage_bound;
typedef DD_VEC(dd_stage_bound) dd_stage_bound_vec;

struct dd_shooting {
    dd_transcription *t;
    dd_pool *pool;
    const dd_tableau *tableau;
    dd_lagrange_rule rule; /* of a collocation method: states between its stages */
    const dd_nlp *outer;
    dd_nlp nlp;
    bool gauss_newton;
    uint32_t intervals, substeps, stages; /* N, M, s */
    uint32_t nx, nz, nu, np;
    uint32_t ns; /* nx + nz: unknowns of a stage */
    uint32_t nw; /* M s ns: unknowns of an interval */
    uint32_t nq; /* variables that an interval depends on */
    uint32_t qs; /* nq rounded up to four: distance of rows of derivatives by them */
    uint32_t q_u, q_p, q_k, q_t0, q_tf;
    uint32_t nk, n_slots;       /* kinks of the integrand and of rates; variables of them in an interval */
    uint32_t *kink_slot;        /* stage of an interval * nk: the variable, or DD_NO_ROW */
    uint32_t *kinks_at;         /* interval * n_slots: variables of the program */
    uint32_t n_kink_rows;       /* outputs of a stage: pieces of kinks, behind path rows */
    uint32_t *columns;          /* interval * nq: the variables */
    uint32_t n_in;              /* x, z, u, p, kinks, time, t0, tf, h, data */
    uint32_t n_live;            /* of these depend on variables: times do only when they are free */
    dd_index_vec curved;        /* of these have second derivatives */
    uint32_t n_out;             /* h f, g, h L, path rows, rows of kinks */
    uint32_t out_cost;          /* n_out: none */
    uint32_t out_path;          /* the first */
    dd_index_vec path;          /* which */
    uint32_t n_stage_outputs;   /* path rows and rows of kinks */
    uint32_t *path_row;         /* stage of an interval * n_stage_outputs: row among the stage rows, or DD_NO_ROW */
    dd_stage_bound_vec *bounds; /* per stage of an interval */
    uint32_t n_rows;            /* stage rows of an interval */
    uint32_t *continuity_at, *stage_rows_at; /* per interval: the first row */
    DD_VEC(dd_tap) taps;
    dd_index_vec instant_tap; /* per instant: tap + 1, or 0 */
    const dd_derivative *jacobian, *hessian;
    dd_stage_program values, first, second;
    dd_level *levels;
    uint32_t n_levels;

    double *w_base, *y_base; /* the point that dw belongs to */
    bool have_base;
    bool implicit;       /* some level is not direct */
    double *w, *w_start; /* N nw: per stage K / scale of x, then z / scale */
    double *ends;        /* N (M+1) nx: X_m, scaled */
    double *dw, *dends;  /* the same times qs: derivatives, row-major */
    double *rows;        /* N (nx + n_rows) qs: of -X_M and the stage rows */
    double *cost;        /* N qs: gradient */
    double objective;
    double *y; /* of which all this is */
    bool have_y, have_values, values_ok, have_first, first_ok;
    uint32_t *jacobian_at, *hessian_at; /* positions in the patterns */
    double *zero_lambda;
    double *given;                               /* per stage of an interval: rows of u, p, times of V */
    double *adjoint_x, *adjoint_w;               /* N nx, N nw */
    double *products;                            /* N nq qs: the Hessian of each interval */
    double *v, *hv, *rhs, *block, *stage_x, *mu; /* work */
    uint8_t *done;
    uint32_t failed_level, failed_interval; /* where the last solve failed, if it did */
};

/* to += factor * from; n is a multiple of four */
static inline __attribute__((always_inline)) void dd_add_scaled(double *to, double factor, const double *from, size_t n)
{
    for (size_t i = 0; i < n; i += 4) {
        dd_v4_store(to + i, dd_v4_load(to + i) + factor * dd_v4_load(from + i));
    }
}

/* ---- shooting_step.c ---- */
/* Solves all stage equations at y; false when they have no solution that Newton's method finds. */
bool dd_shooting_values(dd_shooting *s, const double *y);
/* Once, before anything else. */
void dd_shooting_prepare(const dd_shooting *s);
/* dw/dq, dX/dq, rows and cost at the point of the last values. */
bool dd_shooting_first(dd_shooting *s);
/* V of stage g = substep * stages + i of interval k, n_live x qs row-major; the stages skip .. skip + n - 1 of its
 * step and its own z are treated as constant when n > 0. */
void dd_shooting_inputs(const dd_shooting *s, uint32_t k, uint32_t g, uint32_t skip, uint32_t n, double *v);
void dd_shooting_run(dd_stage_program *p, const dd_level *level, double *out);

/* ---- shooting_kinks.c: all of it raises ---- */
/* Which of them there are, and their variables in an interval. */
void dd_shooting_list_kinks(dd_shooting *s);
/* The integrand with symbols for its kinks, where these are variables. */
dd_expr dd_shooting_integrand(const dd_shooting *s);
const dd_kink *dd_shooting_kink(const dd_shooting *s, uint32_t i);
void dd_shooting_add_kinks(dd_shooting *s);
/* Outputs of a stage; rows for them at stage g, by number and in the program. */
uint32_t dd_shooting_kink_outputs(const dd_shooting *s, dd_expr *out);
void dd_shooting_number_kink_rows(dd_shooting *s, uint32_t g, uint32_t *rows);
void dd_shooting_add_kink_rows(const dd_shooting *s, uint32_t k, uint32_t g, double theta);

/* ---- shooting_lu.c: matrices are column-major with leading dimension dd_level_ld(size) ---- */
size_t dd_level_ld(uint32_t size);
double *dd_level_matrix(const dd_level *level, uint32_t k); /* cleared */
bool dd_level_factor(const dd_level *level, uint32_t k);    /* false: singular */
void dd_level_solve(const dd_level *level, uint32_t k, uint32_t columns, double *rhs);
void dd_level_solve_transposed(const dd_level *level, uint32_t k, double *rhs);

/* ---- shooting_second.c ---- */
/* Adds the second derivatives of all intervals to the values of the Hessian. */
bool dd_shooting_second(dd_shooting *s, double sigma, const double *lambda, double *out);

/* ---- shooting_read.c ---- */
/* Weights of K and z of a step's stages for values at tau in [0, 1] of it. */
void dd_shooting_weights(const dd_shooting *s, double tau, double *x_weight, double *z_weight);
/* The step that theta lies in, and where in it. */
uint32_t dd_shooting_place(const dd_shooting *s, uint32_t k, double theta, double *tau);

#endif
