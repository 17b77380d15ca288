/* linearize_impl.h - a linear system, for linearize.c (the point, the matrices), linearize_states.c (which states) and
 * linearize_report.c (looking, responses, texts). */
#ifndef DD_SIM_LINEARIZE_IMPL_H
#define DD_SIM_LINEARIZE_IMPL_H

#include "daedal/linearize.h"
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

/* Which of the nx unknowns x stay states, the others following from G dx = 0. g: ninv x nx (column-major, already scaled:
 * columns by the size of the unknown, rows to largest entry 1; destroyed). preference: per unknown, smaller is wanted
 * more. follows: ninv, receives the unknowns that follow, in the order they were taken. False when G has no full rank.
 * Orthogonalisation with threshold pivoting: among the columns whose part independent of those taken before is at least
 * a tenth of the largest, the one wanted least as a state follows. */
bool dd_linsys_choose_states(uint32_t ninv, uint32_t nx, double *g, const uint32_t *preference, uint32_t *follows);

#endif
