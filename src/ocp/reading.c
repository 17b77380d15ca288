/* reading.c - values of a solution through the functions of outputs.h. */
#include "ocp/reading.h"

dd_reading dd_reading_new(dd_ocp *p, dd_pool *pool)
{
    const dd_ocp_problem *o = p->problem;
    dd_reading r = {.p = p};
    r.x = dd_pool_alloc_array(pool, o->x.len + 1, sizeof *r.x);
    r.z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *r.z);
    r.u = dd_pool_alloc_array(pool, o->u.len + 1, sizeof *r.u);
    r.params = dd_pool_alloc_array(pool, o->p.len + 1, sizeof *r.params);
    r.values = dd_pool_alloc_array(pool, p->outputs->vars.len + 1, sizeof *r.values);
    for (uint32_t i = 0; i < o->p.len; i++) {
        r.params[i] = p->result.x[p->transcription->p_at + i] * o->p.data[i].scale;
    }
    return r;
}

void dd_reading_at(dd_reading *r, double theta, bool left)
{
    dd_ocp *p = r->p;
    dd_transcription_at(p->transcription, p->result.x, theta, left, r->x, r->z, r->u);
    dd_ocp_outputs_eval(p->outputs, r->x, r->z, r->u, r->params,
                        dd_transcription_time(p->transcription, p->result.x, theta), p->info.start_time,
                        p->info.final_time, r->values);
}

const char *dd_reading_name(const dd_ocp *p, uint32_t i, dd_pool *pool)
{
    return dd_model_var_name_dup(p->system->model, p->outputs->vars.data[i], pool);
}
