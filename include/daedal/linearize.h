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
DD_API dd_status dd_linsys_text(const char **out, dd_linsys *l, bool colour);

#ifdef __cplusplus
}
#endif
#endif
