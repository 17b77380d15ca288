/* transcription.h - direct collocation: the problem in functions of time on a mesh, as a nonlinear program.
 *
 * Per interval k in this order: x_k, controls, then for each collocation point j: x_kj, z_kj (with polynomial
 * controls also u_kj), variables of kinks of the cost; last x_N, then u_N of linear controls, parameters, free times. x has d + 1 points in an
 * interval (the left end and d collocation points), z has d and none at the left end; continuity is asked of x
 * only.
 *
 *     h f(x_kj, z_kj, u_kj) - sum_r C_rj x_kr = 0,   g(x_kj, z_kj, u_kj) = 0,   x_{k+1} - sum_r D_r x_kr = 0
 */
#ifndef DD_OCP_TRANSCRIPTION_H
#define DD_OCP_TRANSCRIPTION_H

#include "methods/collocation.h"
#include "methods/tableau.h"
#include "ocp/elements.h"
#include "ocp/problem.h"

enum { DD_DEGREE_MOST = 9 };

typedef enum dd_control_kind { DD_CONTROL_CONSTANT, DD_CONTROL_LINEAR, DD_CONTROL_POLYNOMIAL } dd_control_kind;

typedef struct dd_mesh {
    uint32_t n;       /* intervals */
    double *theta;    /* n + 1 boundaries, from 0 to 1 */
    uint32_t *degree; /* n */
    dd_nodes nodes;
    dd_control_kind control;
    const dd_tableau *tableau; /* NULL: collocation; else multiple shooting with this method, all degrees 0 */
    uint32_t substeps;         /* of the method in an interval */
    bool gauss_newton;         /* shooting: curvature of the cost alone */
} dd_mesh;

typedef enum dd_row_kind {
    DD_ROW_DYNAMICS,
    DD_ROW_ALGEBRAIC,
    DD_ROW_CONTINUITY,
    DD_ROW_START,
    DD_ROW_PATH,
    DD_ROW_POINT,
    DD_ROW_CONSISTENCY,
    DD_ROW_STATE_BOUND, /* shooting: bounds of x and z at the stages of a step */
    DD_ROW_ALGEBRAIC_BOUND,
    DD_ROW_TAP, /* shooting: z at an instant */
    DD_ROW_KINK /* a variable of a kink against one of its pieces */
} dd_row_kind;

/* The origin of a row of the program: for messages and worst violations. */
typedef struct dd_row_tag {
    dd_row_kind kind;
    uint32_t index;    /* of f, g, x, path, points, the invariants or the pieces of kinks */
    uint32_t interval; /* from 0 */
    uint32_t point;    /* collocation point from 1; 0: the left end */
    double theta;
} dd_row_tag;

typedef struct dd_shooting dd_shooting;

/* An input of a point whose constant part changes with the times of the horizon: of_t0 t0 + of_tf tf (of those that are
 * not free), or the value of data at theta. */
typedef struct dd_moving_input {
    uint32_t family, point, input;
    uint32_t data; /* DD_NO_INDEX: a time */
    bool left;     /* data: the value before a jump */
    double of_t0, of_tf;
} dd_moving_input;

/* A variable that stands for a kink at a point, and a row of it. */
typedef struct dd_kink_variable {
    uint32_t variable, kink;
    uint32_t interval, point; /* interval UINT32_MAX: of no single one */
} dd_kink_variable;

typedef struct dd_kink_row {
    uint32_t row, variable, kink;
} dd_kink_row;

typedef struct dd_transcription {
    dd_ocp_problem *o;
    dd_mesh mesh;
    dd_pool *pool;
    dd_elements *elements;
    dd_shooting *shooting; /* NULL: collocation */
    const dd_nlp *nlp;
    uint32_t *x_at;              /* node -> first variable of x, n + 1 */
    uint32_t *u_at;              /* constant: interval -> u; linear: node -> u */
    uint32_t *point_at;          /* n * DD_DEGREE_MOST: first variable of x_kj; z_kj and u_kj follow */
    uint32_t p_at, t0_at, tf_at; /* UINT32_MAX: none */
    uint32_t *kinks_at;          /* as point_at: the first variable of the integrand's kinks there */
    DD_VEC(dd_kink_variable) kinks;
    DD_VEC(dd_kink_row) kink_rows; /* those of a variable follow each other */
    DD_VEC(dd_row_tag) tags;
    uint32_t dynamics;  /* family */
    uint32_t start_row; /* the first of those that impose a known start */
    DD_VEC(dd_moving_input) moving;
    struct dd_shift *shift; /* transcription_again.c; NULL: not needed so far */
    double tau[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1];
    double weight[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1];
    double slope[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1]; /* C: [degree][j][r] */
    double end[DD_DEGREE_MOST + 1][DD_DEGREE_MOST + 1];                       /* D: [degree][r] */
} dd_transcription;

/* Variables of state, algebraic variable and control i at point j of interval k; j = 0: the node it begins at. */
static inline uint32_t dd_transcription_x(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return j == 0 ? t->x_at[k] + i : t->point_at[k * DD_DEGREE_MOST + j - 1] + i;
}

static inline uint32_t dd_transcription_z(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return t->point_at[k * DD_DEGREE_MOST + j - 1] + t->o->x.len + i;
}

static inline uint32_t dd_transcription_u(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return t->point_at[k * DD_DEGREE_MOST + j - 1] + t->o->x.len + t->o->z.len + i;
}

/* Values of x, z, u at a time, to begin with. */
typedef struct dd_guess {
    void *user;
    /* left: the limit from the left where controls or z jump */
    void (*at)(void *user, double theta, bool left, double *x, double *z, double *u);
} dd_guess;

/* Raises. */
dd_transcription *dd_transcribe(dd_ocp_problem *o, const dd_mesh *mesh, const dd_guess *guess, dd_pool *pool);

void dd_transcription_free(dd_transcription *t); /* NULL is fine; the rest goes with the pool */

/* ---- transcription_again.c: the same program with other numbers ---- */
/* Takes times, constants, bounds (with `bounds`) and the start from the problem again. Nothing is allocated. */
void dd_transcription_refresh(dd_transcription *t, bool bounds);
/* The start alone. */
void dd_transcription_set_start(dd_transcription *t);
/* Moves a point and its multipliers (n, m, n, n) towards the start by this many intervals of equal width; the last ones
 * repeat the end. Allocates in the first call. Raises. */
void dd_transcription_shift(dd_transcription *t, uint32_t intervals, double *y, double *lambda, double *z_lower,
                            double *z_upper);

/* ---- for shooting.c ---- */
typedef enum dd_path_where { DD_WHERE_POINTS, DD_WHERE_STATES, DD_WHERE_CONTROLS } dd_path_where;
dd_path_where dd_transcription_where(const dd_transcription *t, const dd_ocp_row *row);
uint32_t dd_transcription_add_row(dd_transcription *t, dd_row_kind kind, uint32_t index, uint32_t interval,
                                  uint32_t point, double theta, double lower, double upper);
uint32_t dd_mesh_interval(const dd_mesh *mesh, double theta, bool left);
/* Where in an interval stage g of all its steps is, from 0 to 1; shooting only. */
double dd_mesh_stage(const dd_mesh *mesh, uint32_t g);

/* Times inside interval k that are worth a row in a file: how many, and theta of the i-th from 0. */
uint32_t dd_transcription_points(const dd_transcription *t, uint32_t k);
double dd_transcription_point(const dd_transcription *t, uint32_t k, uint32_t i);

/* Weights of values at theta inside interval k for the d + 1 points of x: x(theta) = sum_r w[r] x_kr. */
void dd_transcription_weights(const dd_transcription *t, uint32_t interval, double theta, double *w);

/* x, z, u of a solution y at theta; left: the limit from the left where a control jumps. */
void dd_transcription_at(const dd_transcription *t, const double *y, double theta, bool left, double *x, double *z,
                         double *u);
/* u by the polynomial of interval k, also at its ends. */
void dd_transcription_control(const dd_transcription *t, const double *y, uint32_t interval, double theta, double *u);
double dd_transcription_time(const dd_transcription *t, const double *y, double theta);
/* "der(x) = v" with interval and time. */
void dd_transcription_row_name(const dd_transcription *t, uint32_t row, dd_text *out);

/* Which function is not finite at y, at what time and with what values: one sentence. where: " of the guess". */
const char *dd_transcription_nonfinite_words(const dd_transcription *t, const double *y, uint32_t family,
                                             uint32_t point, uint32_t output, const char *where);

#endif
