/* solvers.c - which solvers this build has. The adapter of Daedal itself is one more file with an ivp_solver. */
#include "solver.h"

#include <stddef.h>

extern const ivp_solver ivp_solver_ida, ivp_solver_cvode, ivp_solver_daedal;

const ivp_solver *const ivp_solvers[] = {
#ifdef IVP_HAVE_SUNDIALS
    &ivp_solver_ida,
    &ivp_solver_cvode,
#endif
#ifdef IVP_HAVE_DAEDAL
    &ivp_solver_daedal,
#endif
    NULL,
};
