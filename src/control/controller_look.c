/* controller_look.c - what a controller tells: names, the sample, the time, the estimate, the plan. */
#include <math.h>

#include "control/controller.h"

#define ROUNDING 1e-9 /* of a sample period: nodes this near are passed */

uint32_t dd_control_measured_count(const dd_control *c)
{
    return c != NULL ? c->estimator->measured.len : 0;
}

const char *dd_control_measured_name(const dd_control *c, uint32_t i)
{
    return i < dd_control_measured_count(c) ? c->measured_name[i] : "";
}

uint32_t dd_control_input_count(const dd_control *c)
{
    return c != NULL ? c->problem->u.len : 0;
}

const char *dd_control_input_name(const dd_control *c, uint32_t i)
{
    return i < dd_control_input_count(c) ? c->input_name[i] : "";
}

dd_status dd_control_set(dd_control *c, const char *name, double value)
{
    if (c == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    c->jumped = true;
    return dd_ocp_set(c->ocp, name, value);
}

dd_sample_info dd_control_get_sample(const dd_control *c)
{
    return c != NULL ? c->sample : (dd_sample_info){.status = DD_SAMPLE_FAILED, .reason = ""};
}

double dd_control_time(const dd_control *c)
{
    return c != NULL ? c->t : NAN;
}

void dd_control_set_time(dd_control *c, double time)
{
    if (c != NULL && isfinite(time)) {
        c->t = c->first = time;
        c->steps = 0;
        dd_decided_reset(c); /* what was on its way belongs to other times */
    }
}

uint32_t dd_control_estimate_count(const dd_control *c)
{
    return c != NULL ? c->problem->x.len + c->n_estimated : 0;
}

const char *dd_control_estimate_name(const dd_control *c, uint32_t i)
{
    if (c == NULL || i >= dd_control_estimate_count(c)) {
        return "";
    }
    const uint32_t nx = c->problem->x.len;
    return i < nx ? c->state_name[i] : c->estimated_name[i - nx];
}

double dd_control_estimate(const dd_control *c, uint32_t i)
{
    if (c == NULL || i >= dd_control_estimate_count(c)) {
        return NAN;
    }
    const uint32_t nx = c->problem->x.len;
    return i < nx ? c->x[i] : c->estimated[i - nx];
}

/* Between its points a polynomial may leave the bounds that it keeps there. */
static void keep_bounds(const dd_control *c, double *inputs)
{
    const dd_ocp_problem *now = dd_ocp_problem_of(c->ocp);
    for (uint32_t i = 0; i < now->u.len; i++) {
        inputs[i] = fmin(fmax(inputs[i], now->u.data[i].lower), now->u.data[i].upper);
    }
}

dd_status dd_control_plan(dd_control *c, double time, double *inputs)
{
    if (c == NULL || inputs == NULL || !c->has_plan) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_status st = dd_ocp_controls(c->ocp, time, inputs);
    if (st == DD_OK) {
        keep_bounds(c, inputs);
    }
    return st;
}

bool dd_control_plan_beside(const dd_control *c, double time, double inside, double *inputs)
{
    if (c->has_plan) {
        dd_ocp_controls_beside(c->ocp, time, inside, inputs);
        keep_bounds(c, inputs);
    }
    return c->has_plan;
}

bool dd_control_follows(const dd_control *c)
{
    return c->free_end || c->options.control == DD_OCP_LINEAR || c->options.control == DD_OCP_POLYNOMIAL;
}

double dd_control_plan_end(const dd_control *c)
{
    return dd_ocp_get_info(c->ocp).final_time;
}

double dd_control_next_change(const dd_control *c, double time)
{
    const dd_mesh *mesh = &dd_ocp_transcription_of(c->ocp)->mesh;
    const dd_ocp_info info = dd_ocp_get_info(c->ocp);
    const double length = info.final_time - info.start_time;
    for (uint32_t k = 1; k < mesh->n; k++) {
        const double node = info.start_time + mesh->theta[k] * length;
        if (node > time + ROUNDING * c->options.sample_period) {
            return node;
        }
    }
    return INFINITY;
}
