/* leaps.c - the range of every control in each interval, beside that over the whole horizon. */
#include "ocp/leaps.h"

#include <math.h>

#include "ocp/phases.h"
#include "ocp/reading.h"

enum { PLACES = 4 };              /* in an interval, and both ends: a bend between them is small beside a jump */
static const double LARGE = 0.25; /* of the range: a jump may be spread over two or three intervals */
/* times the range over the horizon: three periods of a sine have a slope of 3 pi, so a coarse mesh is no jump */
static const double STEEP = 10;

typedef struct range {
    double least, most;
} range;

static void widen(range *r, const double *u, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        r[j].least = fmin(r[j].least, u[j]);
        r[j].most = fmax(r[j].most, u[j]);
    }
}

/* Ranges (nu per interval) with the limit from the left at the start, so that jumps between intervals count, too. */
static range *ranges_of(const dd_ocp *p, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const uint32_t nu = p->problem->u.len, n = t->mesh.n;
    range *r = dd_pool_alloc_array(pool, (size_t)n * nu + 1, sizeof *r);
    double *u = dd_pool_alloc_array(pool, nu + 1, sizeof *u);
    for (uint32_t i = 0; i < n * nu; i++) {
        r[i] = (range){INFINITY, -INFINITY};
    }
    for (uint32_t k = 0; k < n; k++) {
        for (int i = 0; i <= PLACES; i++) {
            const double part = (double)i / PLACES;
            dd_transcription_control(t, p->result.x, k, (1 - part) * t->mesh.theta[k] + part * t->mesh.theta[k + 1], u);
            widen(r + (size_t)k * nu, u, nu);
        }
        if (k + 1 < n) {
            widen(r + (size_t)(k + 1) * nu, u, nu);
        }
    }
    return r;
}

dd_control_leap dd_ocp_leap(const dd_ocp *p)
{
    const dd_mesh *mesh = &p->transcription->mesh;
    const uint32_t nu = p->problem->u.len;
    dd_control_leap worst = {0};
    dd_pool *scratch = dd_pool_child(p->pool);
    const range *r = ranges_of(p, scratch);
    for (uint32_t j = 0; j < nu; j++) {
        /* the range over the horizon; rounding is no range */
        double least = INFINITY, most = -INFINITY;
        for (uint32_t k = 0; k < mesh->n; k++) {
            least = fmin(least, r[k * nu + j].least);
            most = fmax(most, r[k * nu + j].most);
        }
        const dd_decision *d = &p->problem->u.data[j];
        const double all = fmax(most - least, p->options.tolerance * d->scale);
        for (uint32_t k = 0; k < mesh->n; k++) {
            const double part = (r[k * nu + j].most - r[k * nu + j].least) / all;
            const double width = mesh->theta[k + 1] - mesh->theta[k];
            if (part > fmax(LARGE, worst.part) && part > STEEP * width) {
                const char *name = dd_model_var_name_dup(p->system->model, d->var, p->pool);
                worst = (dd_control_leap){
                    part, name, dd_reading_when(p, dd_ocp_phase_of(p->problem, name, d->var), mesh->theta[k])};
            }
        }
    }
    dd_pool_free(scratch);
    return worst;
}
