/* observe.c - the moving-horizon estimator in a controller: what it is told, and where its answers go. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/controller.h"

void dd_control_make_mhe(dd_control *c)
{
    const dd_ocp_problem *o = c->problem;
    if (c->options.mhe_horizon == 0) {
        const char *const needs[][2] = {{"estimate", c->options.estimate},
                                        {"processNoise", c->options.process_noise},
                                        {"initialError", c->options.initial_error}};
        for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
            if (needs[i][1] != NULL && needs[i][1][0] != '\0') {
                dd_raise(
                    c->ctx, DD_INVALID_ARGUMENT,
                    "%s is a setting of the moving-horizon estimator, which needs its horizon too: mhe(horizon = ...)",
                    needs[i][0]);
            }
        }
        if (c->options.measurements != NULL) {
            dd_raise(c->ctx, DD_INVALID_ARGUMENT,
                     "recorded measurements need a moving-horizon estimator: "
                     "mhe(horizon = ...)");
        }
        return;
    }
    const dd_estimator *e = c->estimator;
    const dd_mhe_setup setup = {.system = c->system,
                                .options = &c->options,
                                .states = &o->x,
                                .algebraic = &o->z,
                                .inputs = &o->u,
                                .measured = &e->measured,
                                .sigma = e->sigma,
                                .first = e->w};
    c->mhe = dd_mhe_new(&setup, c->pool);
    /* inputs are held at their first values until a plan says more */
    c->u_points = dd_pool_alloc_array(c->pool, (size_t)c->mhe->degree * o->u.len + 1, sizeof *c->u_points);
    for (uint32_t j = 0; j < c->mhe->degree; j++) {
        memcpy(c->u_points + (size_t)j * o->u.len, c->u, o->u.len * sizeof *c->u);
    }
    c->n_estimated = c->mhe->o->p.len;
    c->estimated = dd_pool_alloc_array(c->pool, c->n_estimated + 1, sizeof *c->estimated);
    c->estimated_name = dd_pool_alloc_array(c->pool, c->n_estimated + 1, sizeof *c->estimated_name);
    for (uint32_t i = 0; i < c->n_estimated; i++) {
        const uint32_t var = c->mhe->o->p.data[i].var;
        c->estimated[i] = c->system->model->vars.data[var].value;
        c->estimated_name[i] = dd_model_var_name_dup(c->system->model, var, c->pool);
    }
}

typedef struct observing {
    dd_control *c;
    const double *y;
    bool found;
} observing;

static void observe_body(void *user)
{
    observing *call = user;
    dd_control *c = call->c;
    call->found = dd_mhe_step(c->mhe, c->t, c->u_points, call->y, dd_ocp_system_of(c->ocp)->parameter);
}

dd_status dd_control_observe(dd_control *c, const double *y, bool *found)
{
    observing call = {c, y, false};
    const uint32_t nx = c->problem->x.len;
    dd_estimator *e = c->estimator;
    dd_status st = dd_protect(c->ctx, observe_body, &call);
    *found = call.found;
    if (st != DD_OK || !call.found) {
        return st;
    }
    memcpy(e->w, c->mhe->estimate, nx * sizeof *e->w);
    memcpy(c->estimated, c->mhe->estimate + nx, c->n_estimated * sizeof *c->estimated);
    return DD_OK;
}

dd_status dd_control_use_estimated(dd_control *c)
{
    dd_status st = DD_OK;
    for (uint32_t i = 0; i < c->n_estimated && st == DD_OK; i++) {
        st = dd_ocp_set_parameter(c->ocp, c->mhe->o->p.data[i].var, c->estimated[i]);
    }
    return st;
}

#define BEFORE 1e-6 /* of a sample period: an input that jumps at the end of the interval counts as it was before */

void dd_control_note_inputs(dd_control *c)
{
    const uint32_t nu = c->problem->u.len;
    const double period = c->options.sample_period;
    const bool late = c->options.delay > 0, follows = dd_control_follows(c);
    for (uint32_t j = 0; c->mhe != NULL && j < c->mhe->degree; j++) {
        double *to = c->u_points + (size_t)j * nu;
        const double t = c->t + dd_mhe_point(c->mhe, j) * period;
        if (late && follows) {
            dd_decided_now(c, t, to);
        } else if (late) { /* held inputs change within the interval: their mean has the same effect to first order */
            dd_decided_mean(c, c->t, c->t + period, to);
        } else if (!follows || !dd_control_plan_beside(c, t, t - BEFORE * period, to)) {
            memcpy(to, c->u, nu * sizeof *to);
        }
    }
}
