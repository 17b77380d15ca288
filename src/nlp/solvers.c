/* solvers.c - the solvers of nonlinear programs, the preferred one first. */
#include <string.h>

#include "nlp/ipopt.h"

static const dd_nlp_solver *const solvers[] = {&dd_nlp_solver_ipopt};

enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

const dd_nlp_solver *dd_nlp_solver_at(uint32_t i)
{
    return i < SOLVER_COUNT ? solvers[i] : NULL;
}

const dd_nlp_solver *dd_nlp_solver_named(const char *name)
{
    for (uint32_t i = 0; i < SOLVER_COUNT; i++) {
        if (strcmp(solvers[i]->name, name) == 0) {
            return solvers[i];
        }
    }
    return NULL;
}

/* The first that is available; the first of all where none is, whose message names the missing library. */
static const dd_nlp_solver *preferred(void)
{
    for (uint32_t i = 0; i < SOLVER_COUNT; i++) {
        if (solvers[i]->available()) {
            return solvers[i];
        }
    }
    return solvers[0];
}

bool dd_nlp_available(void)
{
    return preferred()->available();
}

dd_status dd_nlp_solve(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    const dd_nlp_solver *solver = options->solver != NULL ? options->solver : preferred();
    return solver->solve(ctx, nlp, options, result);
}
