/* linearize.h - a model near a point of its solution as a linear system in a minimal set of states.
 *
 *     x' = r + A (x - x0) + B (u - u0),     y = y0 + C (x - x0) + D (u - u0)
 *
 *     dd_linsys *l;
 *     if (dd_linsys_new(&l, sim) == DD_OK && dd_linsys_get_info(l).status == DD_SIM_OK) ...
 *     dd_linsys_free(l);
 *
 * Works for ODEs and for DAEs of any index: states are as many differential variables as there are degrees of freedom;
 * everything else follows from them by the constraints, visible and hidden. At a point of rest the rates r are 0.
 */
#ifndef DAEDAL_LINEARIZE_H
#define DAEDAL_LINEARIZE_H

#include "daedal/export.h"
#include "daedal/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_linsys dd_linsys;

/* Linearizes at the time that the simulation has reached: its start before dd_sim_run, then the end of the run. The
 * simulation must outlive it. A model that cannot be written in this form is a status of a successful call:
 * INVALID_MODEL when a derivative of an input would be needed, SINGULAR when constraints or equations lose rank at
 * this point, or the status of the simulation if that is not ok. DD_LIMIT: the matrices would have more than 10^8
 * entries. */
DD_API dd_status dd_linsys_new(dd_linsys **out, dd_sim *sim);
DD_API void dd_linsys_free(dd_linsys *l); /* NULL is fine */

typedef struct dd_linsys_info {
    dd_sim_status status;
    const char *reason;     /* one sentence; "" when ok */
    double t;               /* the time of the point */
    uint32_t nx, nu, ny;    /* states, inputs, outputs; 0 unless ok */
    const double *A;        /* nx x nx, row by row */
    const double *B;        /* nx x nu */
    const double *C;        /* ny x nx */
    const double *D;        /* ny x nu */
    const double *x, *rate; /* nx: x0 and r */
    const double *u;        /* nu: u0 */
    const double *y;        /* ny: y0 */
    const double *eigen_re; /* nx: eigenvalues of A, by decreasing real part, conjugate pairs together */
    const double *eigen_im; /* nx */
} dd_linsys_info;
DD_API dd_linsys_info dd_linsys_get_info(const dd_linsys *l); /* the arrays live as long as l */

/* Names. States are chosen by stateSelect, then fixed values, then the order of declaration, provided that the
 * others are well determined by them at this point. Inputs are all inputs of the model. Outputs are the variables
 * declared `output`, or all variables if there are none. */
DD_API const char *dd_linsys_state_name(const dd_linsys *l, uint32_t i);
DD_API const char *dd_linsys_input_name(const dd_linsys *l, uint32_t i);
DD_API const char *dd_linsys_output_name(const dd_linsys *l, uint32_t i);

/* The linear system after the time `after` (any sign) with the input held at u0 + du, from x0 + dx, exactly by the
 * matrix exponential. dx: nx, du: nu, NULL is 0; x: nx and y: ny receive the values, either may be NULL. */
DD_API dd_status dd_linsys_response(dd_linsys *l, double after, const double *dx, const double *du, double *x,
                                    double *y);

/* The reports of `daedal linearize`: one JSON object (a line), or text for people; they live as long as l. */
DD_API dd_status dd_linsys_json(const char **out, dd_linsys *l);
/* Writes a page with the eigenvalues in the complex plane and the matrices: one HTML file that needs no other. */
DD_API dd_status dd_linsys_write_report(dd_linsys *l, const char *path);
/* The same for `count` points of one simulation in the order of their times: eigenvalues of all, matrices of the
 * last. */
DD_API dd_status dd_linsys_write_reports(dd_linsys *const *points, uint32_t count, const char *path);
DD_API dd_status dd_linsys_text(const char **out, dd_linsys *l, bool colour);

/* ---- the equations as written ----
 *
 *     E w' = A w + B u,     y = C w + D u        (deviations from the point)
 *
 * in the unknowns w of the model as it is, not reduced: E is singular for a DAE. The pencil s E - A has finite
 * eigenvalues, those of the motion, and infinite ones, whose Jordan blocks show the index: the largest has the size of
 * the nilpotency index, which for linear models is the differential index. */
typedef struct dd_descriptor dd_descriptor;

/* As dd_linsys_new. INVALID_MODEL also when an equation contains the derivative of an input. */
DD_API dd_status dd_descriptor_new(dd_descriptor **out, dd_sim *sim);
DD_API void dd_descriptor_free(dd_descriptor *d); /* NULL is fine */

typedef struct dd_descriptor_info {
    dd_sim_status status;
    const char *reason;     /* one sentence; "" when ok */
    double t;               /* the time of the point */
    uint32_t n, nu, ny;     /* unknowns (as many equations), inputs, outputs; 0 unless ok */
    const double *E, *A;    /* n x n, row by row */
    const double *B;        /* n x nu */
    const double *C;        /* ny x n: outputs are unknowns, so its rows are unit vectors */
    const double *D;        /* ny x nu: 0 */
    const double *w, *u;    /* n, nu: the point */
    bool analysed;          /* false: more than 600 unknowns, nothing below is known */
    bool regular;           /* det(s E - A) does not vanish for all s; otherwise nothing below is known */
    bool decided;           /* every rank was clear: no singular value of the balanced matrices, relative to the
                                  largest, between 1e-12 and 1e-8 */
    double doubtful;        /* not decided: that singular value; ranks were taken with 1e-10 */
    uint32_t n_finite;      /* finite eigenvalues, by decreasing real part, conjugate pairs together */
    const double *eigen_re; /* n_finite */
    const double *eigen_im; /* n_finite */
    uint32_t n_infinite;    /* n - n_finite */
    uint32_t n_blocks;      /* Jordan blocks at infinity */
    const uint32_t *block;  /* n_blocks: their sizes, largest first */
    uint32_t nilpotency;    /* the largest of them; 0 where E is regular */
    int differential_index; /* of the model; -1 where undefined */
} dd_descriptor_info;
DD_API dd_descriptor_info dd_descriptor_get_info(const dd_descriptor *d); /* the arrays live as long as d */
DD_API const char *dd_descriptor_unknown_name(const dd_descriptor *d, uint32_t i);
DD_API const char *dd_descriptor_input_name(const dd_descriptor *d, uint32_t i);
DD_API const char *dd_descriptor_output_name(const dd_descriptor *d, uint32_t i);

/* The reports of `daedal linearize --descriptor`; matrices: false leaves them out of the text. They live as long as
 * d. */
DD_API dd_status dd_descriptor_json(const char **out, dd_descriptor *d);
DD_API dd_status dd_descriptor_text(const char **out, dd_descriptor *d, bool matrices, bool colour);
/* A page of `count` points, as dd_linsys_write_reports: the pencils and their finite eigenvalues, matrices of the
 * last. */
DD_API dd_status dd_descriptor_write_reports(dd_descriptor *const *points, uint32_t count, const char *path);

#ifdef __cplusplus
}
#endif
#endif
