/* peer_cvode.c - SUNDIALS CVODE (BDF, Newton) on y' = f with the exact Jacobian, restarted at a split. */
#include <stdlib.h>
#include <string.h>

#include <cvode/cvode.h>

#include "peer_sundials.h"

static int rhs(sunrealtype t, N_Vector y, N_Vector f, void *data)
{
    const peer *s = data;
    s->problem->rhs(t, s->phase, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
    return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix m, void *data, N_Vector tmp1, N_Vector tmp2,
                    N_Vector tmp3)
{
    (void)f, (void)tmp1, (void)tmp2, (void)tmp3;
    const peer *s = data;
    ivp_matrix j = peer_matrix(m, 1);
    s->problem->jacobian(t, s->phase, N_VGetArrayPointer(y), &j);
    return 0;
}

#if SUNDIALS_VERSION_MAJOR < 7
static void silent(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code, (void)module, (void)function, (void)message, (void)data;
}
#endif

static void *open_cvode(const ivp_problem *p, const char *folder)
{
    (void)folder;
    peer *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    peer_create(s, p);
    p->start(N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp));
    s->solver = CVodeCreate(CV_BDF, s->context);
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrHandlerFn(s->solver, silent, NULL);
#endif
    if (CVodeInit(s->solver, rhs, 0, s->y) || CVodeSetUserData(s->solver, s) ||
        CVodeSetLinearSolver(s->solver, s->linear, s->matrix) || CVodeSetJacFn(s->solver, jacobian) ||
        CVodeSetMaxNumSteps(s->solver, IVP_MAX_STEPS)) {
        return NULL;
    }
    return s;
}

static int run_cvode(void *self, double rtol, double atol, double *y, ivp_stats *stats)
{
    peer *s = self;
    const ivp_problem *p = s->problem;
    sunrealtype t = 0;
    memset(stats, 0, sizeof *stats);
    p->start(N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp));
    for (s->phase = 0; s->phase < peer_phases(p); s->phase++) {
        const double end = peer_phase_end(p, s->phase);
        if (CVodeReInit(s->solver, t, s->y) || CVodeSStolerances(s->solver, rtol, atol) ||
            CVodeSetStopTime(s->solver, end)) {
            return -100;
        }
        const int flag = CVode(s->solver, end, s->y, &t, CV_NORMAL);
        long steps = 0, evaluations = 0, jacobians = 0;
        CVodeGetNumSteps(s->solver, &steps);
        CVodeGetNumRhsEvals(s->solver, &evaluations);
        CVodeGetNumJacEvals(s->solver, &jacobians);
        stats->steps += steps;
        stats->evaluations += evaluations;
        stats->jacobians += jacobians;
        if (flag < 0) {
            return flag;
        }
    }
    memcpy(y, N_VGetArrayPointer(s->y), (size_t)p->n * sizeof *y);
    return 0;
}

static void close_cvode(void *self)
{
    peer *s = self;
    CVodeFree(&s->solver);
    peer_destroy(s);
    free(s);
}

extern const ivp_solver ivp_solver_cvode;
const ivp_solver ivp_solver_cvode = {
    .name = "cvode", .ode_only = true, .open = open_cvode, .run = run_cvode, .close = close_cvode};
