/* peer_ida.c - SUNDIALS IDA on M y' - f = 0 with the exact Jacobian c M - df/dy, restarted at a split. */
#include <stdlib.h>
#include <string.h>

#include <ida/ida.h>

#include "peer_sundials.h"

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *data)
{
    const peer *s = data;
    ivp_residual(s->problem, t, s->phase, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(r));
    return 0;
}

static int jacobian(sunrealtype t, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix m, void *data,
                    N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    (void)yp, (void)r, (void)tmp1, (void)tmp2, (void)tmp3;
    const peer *s = data;
    ivp_matrix j = peer_matrix(m, -1);
    s->problem->jacobian(t, s->phase, N_VGetArrayPointer(y), &j);
    ivp_add_mass(s->problem, cj, &j);
    return 0;
}

#if SUNDIALS_VERSION_MAJOR < 7
static void silent(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code, (void)module, (void)function, (void)message, (void)data;
}
#endif

/* Above index 1 algebraic variables are left out of the error test, as IDA's manual advises. */
static bool suppress_algebraic(peer *s)
{
    N_Vector id = N_VNew_Serial(s->problem->n, s->context);
    for (int i = 0; i < s->problem->n; i++) {
        N_VGetArrayPointer(id)[i] = i < s->problem->differential;
    }
    const bool fine = !IDASetId(s->solver, id) && !IDASetSuppressAlg(s->solver, 1);
    N_VDestroy(id); /* IDA has copied it */
    return fine;
}

static void *open_ida(const ivp_problem *p, const char *folder)
{
    (void)folder;
    peer *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    peer_create(s, p);
    p->start(N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp));
    s->solver = IDACreate(s->context);
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrHandlerFn(s->solver, silent, NULL);
#endif
    if (IDAInit(s->solver, residual, 0, s->y, s->yp) || IDASetUserData(s->solver, s) ||
        IDASetLinearSolver(s->solver, s->linear, s->matrix) || IDASetJacFn(s->solver, jacobian) ||
        IDASetMaxNumSteps(s->solver, IVP_MAX_STEPS)) {
        return NULL;
    }
    if (p->index >= 2 && !suppress_algebraic(s)) {
        return NULL;
    }
    return s;
}

static int run_ida(void *self, double rtol, double atol, double *y, ivp_stats *stats)
{
    peer *s = self;
    const ivp_problem *p = s->problem;
    sunrealtype t = 0;
    memset(stats, 0, sizeof *stats);
    p->start(N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp));
    for (s->phase = 0; s->phase < peer_phases(p); s->phase++) {
        if (s->phase > 0) { /* only ODEs have two phases */
            p->rhs(t, s->phase, N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->yp));
        }
        const double end = peer_phase_end(p, s->phase);
        if (IDAReInit(s->solver, t, s->y, s->yp) || IDASStolerances(s->solver, rtol, atol) ||
            IDASetStopTime(s->solver, end)) {
            return -100;
        }
        const int flag = IDASolve(s->solver, end, &t, s->y, s->yp, IDA_NORMAL);
        long steps = 0, evaluations = 0, jacobians = 0;
        IDAGetNumSteps(s->solver, &steps);
        IDAGetNumResEvals(s->solver, &evaluations);
        IDAGetNumJacEvals(s->solver, &jacobians);
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

static void close_ida(void *self)
{
    peer *s = self;
    IDAFree(&s->solver);
    peer_destroy(s);
    free(s);
}

extern const ivp_solver ivp_solver_ida;
const ivp_solver ivp_solver_ida = {.name = "ida", .open = open_ida, .run = run_ida, .close = close_ida};
