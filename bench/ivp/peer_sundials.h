/* peer_sundials.h - what the adapters of IDA and CVODE share: vectors, matrix and linear solver for a problem. */
#ifndef IVP_PEER_SUNDIALS_H
#define IVP_PEER_SUNDIALS_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_band.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "solver.h"

typedef struct peer {
    const ivp_problem *problem;
    void *solver; /* IDA's or CVODE's memory */
    SUNContext context;
    N_Vector y, yp;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    int phase;
} peer;

static inline void peer_create(peer *s, const ivp_problem *p)
{
    s->problem = p;
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &s->context);
    SUNContext_ClearErrHandlers(s->context); /* failures are counted, not printed */
#else
    SUNContext_Create(NULL, &s->context);
#endif
    s->y = N_VNew_Serial(p->n, s->context);
    s->yp = N_VNew_Serial(p->n, s->context);
    if (p->band > 0) {
        s->matrix = SUNBandMatrix(p->n, p->band, p->band, s->context);
        s->linear = SUNLinSol_Band(s->y, s->matrix, s->context);
    } else {
        s->matrix = SUNDenseMatrix(p->n, p->n, s->context);
        s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    }
}

static inline void peer_destroy(peer *s)
{
    SUNLinSolFree(s->linear);
    SUNMatDestroy(s->matrix);
    N_VDestroy(s->yp);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

static inline ivp_matrix peer_matrix(SUNMatrix m, double factor)
{
    const bool band = SUNMatGetID(m) == SUNMATRIX_BAND;
    return (ivp_matrix){.columns = band ? SUNBandMatrix_Cols(m) : SUNDenseMatrix_Cols(m),
                        .diagonal = band ? (int)SUNBandMatrix_StoredUpperBandwidth(m) : -1,
                        .factor = factor};
}

/* The end of phase 0 or 1 of a problem; phase 1 exists only with a split. */
static inline int peer_phases(const ivp_problem *p)
{
    return p->split > 0 ? 2 : 1;
}

static inline double peer_phase_end(const ivp_problem *p, int phase)
{
    return p->split > 0 && phase == 0 ? p->split : p->stop;
}

#endif
