/* reading.c - values of a solution through the functions of outputs.h; the public calls that read it. */
#include "ocp/reading.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/phases.h"
#include "result/table.h"

static void read_parameters(const dd_ocp *p, double *params)
{
    for (uint32_t i = 0; i < p->problem->p.len; i++) {
        params[i] = p->result.x[p->transcription->p_at + i] * p->problem->p.data[i].scale;
    }
}

dd_reading dd_reading_of(const dd_ocp *p, dd_ocp_outputs *outputs, uint32_t count, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    dd_reading r = {.p = p, .outputs = outputs};
    r.x = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *r.x);
    r.z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *r.z);
    r.u = dd_pool_alloc_array(pool, o->u.len + 1, sizeof *r.u);
    r.params = dd_pool_alloc_array(pool, o->p.len + 1, sizeof *r.params);
    r.values = dd_pool_alloc_array(pool, count + 1, sizeof *r.values);
    read_parameters(p, r.params);
    return r;
}

dd_reading dd_reading_new(dd_ocp *p, dd_pool *pool)
{
    return dd_reading_of(p, p->outputs, p->outputs->vars.len, pool);
}

void dd_reading_at(dd_reading *r, double theta, bool left)
{
    const dd_transcription *t = r->p->transcription;
    const double *y = r->p->result.x;
    dd_transcription_at(t, y, theta, left, r->x, r->z, r->u);
    if (r->outputs != NULL) {
        const dd_ocp_moment m = {.x = r->x,
                                 .z = r->z,
                                 .u = r->u,
                                 .p = r->params,
                                 .t = dd_transcription_time(t, y, theta),
                                 .t0 = dd_transcription_time(t, y, 0),
                                 .tf = dd_transcription_time(t, y, 1)};
        dd_ocp_outputs_eval(r->outputs, &m, r->values);
    }
}

const double *dd_reading_end(dd_reading *r, dd_pool *pool)
{
    enum { LOOKS = 32 }; /* places at which the size of a curve is looked at */
    const uint32_t count = r->p->outputs->vars.len;
    double *size = dd_pool_alloc_array(pool, count + 1, sizeof *size),
           *end = dd_pool_alloc_array(pool, count + 1, sizeof *end);
    memset(size, 0, (count + 1) * sizeof *size);
    for (uint32_t k = 0; k <= LOOKS; k++) {
        dd_reading_at(r, (double)k / LOOKS, k > 0);
        for (uint32_t i = 0; i < count; i++) {
            size[i] = fmax(size[i], fabs(r->values[i]));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        end[i] = dd_rounded_beside(size[i], r->values[i]);
    }
    return end;
}

const char *dd_reading_name(const dd_ocp *p, uint32_t i, dd_pool *pool)
{
    return dd_model_var_name_dup(p->system->model, p->outputs->vars.data[i], pool);
}

const char *dd_reading_when(const dd_ocp *p, uint32_t phase, double theta)
{
    if (phase == 0) {
        return dd_pool_printf(p->pool, "time %.6g", dd_transcription_time(p->transcription, p->result.x, theta));
    }
    double start, final, *params = dd_pool_alloc_array(p->pool, p->problem->p.len + 1, sizeof *params);
    read_parameters(p, params);
    dd_ocp_phase_times(p->problem, phase - 1, params, &start, &final);
    return dd_pool_printf(p->pool, "time %.6g in phase %s", start + theta * (final - start),
                          p->problem->model->optimization->phases.data[phase - 1].name);
}

/* ---- public ---- */

typedef struct reading_call {
    dd_ocp *p;
    uint32_t var;
    double theta;
    bool left;
    double *values;
    const char *name;
} reading_call;

uint32_t dd_ocp_variable_count(const dd_ocp *p)
{
    return dd_ocp_has_trajectory(p) ? p->outputs->vars.len : 0;
}

static void name_var(void *user)
{
    reading_call *call = user;
    call->name = dd_model_var_name_dup(call->p->system->model, call->var, call->p->pool);
}

static const char *name_of(dd_ocp *p, uint32_t var)
{
    reading_call call = {.p = p, .var = var, .name = ""};
    return dd_protect(p->ctx, name_var, &call) == DD_OK ? call.name : "";
}

const char *dd_ocp_variable_name(dd_ocp *p, uint32_t i)
{
    return i < dd_ocp_variable_count(p) ? name_of(p, p->outputs->vars.data[i]) : "";
}

static void read_values(void *user)
{
    reading_call *call = user;
    dd_pool *scratch = dd_pool_child(call->p->pool);
    if (call->p->outputs_stale) {
        call->p->outputs = dd_ocp_outputs_new(call->p->problem, call->p->pool);
        call->p->outputs_stale = false;
    }
    dd_reading r = dd_reading_new(call->p, scratch);
    dd_reading_at(&r, call->theta, call->left);
    memcpy(call->values, r.values, dd_ocp_variable_count(call->p) * sizeof *r.values);
    dd_pool_free(scratch);
}

dd_status dd_ocp_values(dd_ocp *p, double t, bool left, double *values)
{
    if (p == NULL || values == NULL || !dd_ocp_has_trajectory(p)) {
        return DD_INVALID_ARGUMENT;
    }
    /* a rounding error outside of the horizon is inside */
    double length = p->info.final_time - p->info.start_time, rest = 1e-12 * fmax(1, fabs(length));
    if (!(t >= p->info.start_time - rest && t <= p->info.final_time + rest)) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "time %g is not between %g and %g", t, p->info.start_time,
                       p->info.final_time);
    }
    double theta = length > 0 ? fmin(fmax((t - p->info.start_time) / length, 0), 1) : 0;
    reading_call call = {.p = p, .theta = theta, .left = left || theta == 1, .values = values};
    return dd_protect(p->ctx, read_values, &call);
}

uint32_t dd_ocp_parameter_count(const dd_ocp *p)
{
    return dd_ocp_has_trajectory(p) ? p->problem->p.len : 0;
}

const char *dd_ocp_parameter_name(dd_ocp *p, uint32_t i)
{
    return i < dd_ocp_parameter_count(p) ? name_of(p, p->problem->p.data[i].var) : "";
}

double dd_ocp_parameter(const dd_ocp *p, uint32_t i)
{
    return i < dd_ocp_parameter_count(p) ? p->result.x[p->transcription->p_at + i] * p->problem->p.data[i].scale : NAN;
}
