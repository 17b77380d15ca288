/* solvers.c - the solvers of nonlinear programs, the preferred one first. */
#include <string.h>

#include "nlp/ip.h"
#include "nlp/ipopt.h"

/* One line per solver: X(NAME) stands for the name "NAME" and the entry dd_nlp_solver_NAME. */
#define SOLVER_LIST(X) X(daedal) X(ipopt)

#define SOLVER_ENTRY(id) &dd_nlp_solver_##id,
#define SOLVER_NAME(id) #id,
static const dd_nlp_solver *const solvers[] = {SOLVER_LIST(SOLVER_ENTRY)};
const char *const dd_nlp_solver_names[] = {SOLVER_LIST(SOLVER_NAME) NULL};

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

const dd_nlp_solver *dd_nlp_solver_preferred(void)
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
    return dd_nlp_solver_preferred()->available();
}

dd_status dd_nlp_solver_find(const dd_nlp_solver **out, dd_context *ctx, const char *name)
{
    *out = NULL;
    if (name == NULL) {
        return DD_OK;
    }
    const dd_nlp_solver *solver = dd_nlp_solver_named(name);
    if (solver == NULL) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no solver %s", name);
    }
    if (!solver->available()) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s", solver->missing);
    }
    *out = solver;
    return DD_OK;
}

dd_status dd_nlp_solve(dd_context *ctx, const dd_nlp *nlp, const dd_nlp_options *options, dd_nlp_result *result)
{
    const dd_nlp_solver *solver = options->solver != NULL ? options->solver : dd_nlp_solver_preferred();
    return solver->solve(ctx, nlp, options, result);
}

void dd_nlp_memory_free(dd_nlp_memory *memory)
{
    if (memory != NULL && memory->kept != NULL) {
        memory->release(memory->ctx, memory->kept);
        memory->kept = NULL;
    }
}
