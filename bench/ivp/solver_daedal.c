/* solver_daedal.c - Daedal as a solver of the benchmark: the model's text is read, analysed and compiled by open(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal/daedal.h"
#include "data.h"
#include "solver.h"

typedef struct daedal {
    const ivp_problem *problem;
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    uint32_t *variable; /* per value of the problem: the simulation's variable */
} daedal;

static void daedal_close(void *self)
{
    daedal *d = self;
    dd_sim_free(d->sim);
    dd_system_free(d->system);
    dd_model_free(d->model);
    dd_context_free(d->ctx);
    free(d->variable);
    free(d);
}

/* The reference file says which variable of the model each value is. */
static bool find_variables(daedal *d, const char *folder)
{
    char path[1024];
    ivp_reference *reference = calloc(1, sizeof *reference);
    const char *base = getenv("IVP_REFERENCE");
    snprintf(path, sizeof path, "%s/../../../tests/verify/ivp/reference.txt", folder);
    bool found = reference && ivp_read_reference(base ? base : path, d->problem->name, reference) == 0;
    d->variable = calloc((size_t)d->problem->n, sizeof *d->variable);
    for (int i = 0; i < d->problem->n && found && d->variable; i++) {
        bool known = false;
        for (uint32_t k = 0; k < dd_sim_variable_count(d->sim) && !known; k++) {
            known = strcmp(dd_sim_variable_name(d->sim, k), reference->name[i]) == 0;
            d->variable[i] = k;
        }
        found = known;
    }
    free(reference);
    return found && d->variable;
}

static void *daedal_open(const ivp_problem *p, const char *folder)
{
    daedal *d = calloc(1, sizeof *d);
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.mo", folder, p->name);
    if (!d) {
        return NULL;
    }
    d->problem = p;
    dd_sim_options o = dd_sim_options_default();
    o.keep_rows = false;
    if (dd_context_new(&d->ctx, NULL) == DD_OK && dd_model_load_file(&d->model, d->ctx, path, NULL) == DD_OK &&
        dd_model_analyse(&d->system, d->model, NULL) == DD_OK && dd_sim_new(&d->sim, d->system, &o) == DD_OK &&
        find_variables(d, folder)) {
        return d;
    }
    daedal_close(d);
    return NULL;
}

static int daedal_run(void *self, double rtol, double atol, double *y, ivp_stats *stats)
{
    daedal *d = self;
    if (dd_sim_set_tolerance(d->sim, rtol, atol) != DD_OK || dd_sim_run(d->sim) != DD_OK) {
        return -1;
    }
    dd_sim_info info = dd_sim_get_info(d->sim);
    for (int i = 0; i < d->problem->n; i++) {
        y[i] = dd_sim_final(d->sim, d->variable[i]);
    }
    stats->steps = (long)info.stats.steps;
    stats->evaluations = (long)info.stats.residuals;
    stats->jacobians = (long)info.stats.jacobians;
    return -(int)info.status;
}

const ivp_solver ivp_solver_daedal = {"daedal", false, daedal_open, daedal_run, daedal_close};
