/* resolved.c - bounds on speeds, for a while. */
#include "ocp/resolved.h"

#include <math.h>

/* Of a coordinate's size (1 for angles), in an interval: polynomials of degree 3 follow that to 1e-4. */
#define PART 0.5
#define AT_BOUND 0.98 /* of a bound */
#define SPARE 2       /* times a speed that the start has */

/* The state whose derivative state j is; DD_NO_INDEX: none. */
static uint32_t coordinate_of(const dd_ocp_problem *o, uint32_t j)
{
    /* x_i' = x_j: state j is the speed of coordinate i */
    for (uint32_t i = 0; i < o->f.len; i++) {
        if (i != j && o->f.data[i] == o->x.data[j].symbol) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

/* The speed that a mesh of this many intervals resolves; infinite where state j is not a speed. */
static double resolved_speed(const dd_ocp_problem *o, uint32_t j, double horizon, uint32_t intervals)
{
    uint32_t coordinate = coordinate_of(o, j);
    double start = o->x_start ? fabs(o->x_start[j]) : fabs(o->x.data[j].start_value);
    if (coordinate == DD_NO_INDEX || !(horizon > 0)) {
        return INFINITY;
    }
    /* half of a size per interval, at least twice the speed it starts with */
    return fmax(PART * o->x.data[coordinate].scale * intervals / horizon, SPARE * start);
}

/* Is a state at some node of the present iterate larger than most[j]? */
static bool any_larger(dd_ocp *p, const double *most)
{
    const dd_ocp_problem *o = p->problem;
    const dd_mesh *mesh = &p->transcription->mesh;
    dd_pool *scratch = dd_pool_child(p->pool);
    double *x = dd_pool_alloc_array(scratch, o->x.len + 1, sizeof *x);
    double *z = dd_pool_alloc_array(scratch, o->z.len + 1, sizeof *z);
    double *u = dd_pool_alloc_array(scratch, o->u.len + 1, sizeof *u);
    bool larger = false;
    /* at the nodes */
    for (uint32_t k = 0; k <= mesh->n && !larger; k++) {
        dd_transcription_at(p->transcription, p->result.x, mesh->theta[k], k > 0, x, z, u);
        for (uint32_t j = 0; j < o->x.len && !larger; j++) {
            larger = fabs(x[j]) > most[j];
        }
    }
    dd_pool_free(scratch);
    return larger;
}

bool dd_resolved_exceeded(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    double *most = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *most);
    for (uint32_t j = 0; j < o->x.len; j++) {
        most[j] = resolved_speed(o, j, p->info.final_time - p->info.start_time, p->transcription->mesh.n);
    }
    return any_larger(p, most);
}

bool dd_resolved_open(const dd_ocp_problem *o)
{
    bool open = false;
    for (uint32_t j = 0; j < o->x.len && !open; j++) {
        /* a speed without two bounds is free to run away */
        bool bounded = isfinite(o->x.data[j].lower) && isfinite(o->x.data[j].upper);
        open = !bounded && coordinate_of(o, j) != DD_NO_INDEX;
    }
    return open;
}

bool dd_resolved_active(dd_ocp *p, const dd_resolved *r)
{
    const dd_ocp_problem *o = p->problem;
    double *most = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *most);
    for (uint32_t j = 0; j < o->x.len; j++) {
        most[j] = AT_BOUND * r->most[j];
    }
    return any_larger(p, most);
}

dd_resolved dd_resolved_new(dd_ocp *p, uint32_t intervals)
{
    dd_ocp_problem *o = p->problem;
    dd_resolved r = {.o = o};
    r.lower = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *r.lower);
    r.upper = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *r.upper);
    r.most = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *r.most);
    /* bounds for this solve; those of the text come back with dd_resolved_restore */
    for (uint32_t j = 0; j < o->x.len; j++) {
        dd_decision *d = &o->x.data[j];
        double most = resolved_speed(o, j, o->tf_value - o->t0_value, intervals);
        r.lower[j] = d->lower;
        r.upper[j] = d->upper;
        r.most[j] = INFINITY;
        if (d->lower < most && d->upper > -most) { /* otherwise the text asks for more */
            r.most[j] = most < fmax(fabs(d->lower), fabs(d->upper)) ? most : INFINITY;
            d->lower = fmax(d->lower, -most);
            d->upper = fmin(d->upper, most);
        }
    }
    return r;
}

void dd_resolved_restore(dd_resolved *r)
{
    for (uint32_t j = 0; j < r->o->x.len; j++) {
        r->o->x.data[j].lower = r->lower[j];
        r->o->x.data[j].upper = r->upper[j];
    }
}
