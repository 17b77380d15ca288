/* overshoot.c - see overshoot.h. A polynomial through values at its bounds leaves them in between where the control should
 * jump: cheaper than any control within the bounds, and not what was asked for. */
#include "ocp/overshoot.h"

#include <math.h>

enum { PLACES = 8 };             /* in an interval: a polynomial of degree 8 has no room to hide between them */
static const double SAID = 1e-2; /* part of the range */

static void look(const dd_decision *u, double value, double theta, uint32_t j, dd_overshoot *worst)
{
    const double range = isfinite(u->upper - u->lower) ? u->upper - u->lower : u->scale;
    const double by = fmax(u->lower - value, value - u->upper);
    if (by > 0 && range > 0 && by / range > worst->part) {
        *worst = (dd_overshoot){.part = by / range, .by = by, .theta = theta, .control = j};
    }
}

dd_overshoot dd_ocp_overshoot(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    const dd_mesh *mesh = &p->transcription->mesh;
    dd_overshoot worst = {0};
    if (mesh->control != DD_CONTROL_POLYNOMIAL || o->u.len == 0) {
        return worst;
    }
    dd_pool *scratch = dd_pool_child(p->pool);
    double *x = dd_pool_alloc_array(scratch, o->x.len + 1, sizeof *x);
    double *z = dd_pool_alloc_array(scratch, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(scratch, o->u.len + 1, sizeof *u);
    for (uint32_t k = 0; k < mesh->n; k++) {
        for (int i = 0; i <= PLACES; i++) {
            const double part = (double)i / PLACES, theta = (1 - part) * mesh->theta[k] + part * mesh->theta[k + 1];
            dd_transcription_at(p->transcription, p->result.x, theta, i == PLACES, x, z, u);
            for (uint32_t j = 0; j < o->u.len; j++) {
                look(&o->u.data[j], u[j], theta, j, &worst);
            }
        }
    }
    dd_pool_free(scratch);
    return worst;
}

void dd_ocp_say_overshoot(dd_ocp *p)
{
    const dd_overshoot worst = dd_ocp_overshoot(p);
    if (worst.part <= SAID) {
        return;
    }
    const dd_ocp_problem *o = p->problem;
    const char *name = dd_model_var_name_dup(p->system->model, o->u.data[worst.control].var, p->pool);
    dd_ocp_say(p, dd_pool_printf(
                      p->pool,
                      "between collocation points, where nothing holds it, %s leaves its bounds by up to %.2g "
                      "(time %.6g): --control linear or constant keeps them, more --intervals make it less",
                      name, worst.by, p->info.start_time + worst.theta * (p->info.final_time - p->info.start_time)));
}
