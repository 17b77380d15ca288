/* jumps.c - rates and integrand along the solution; a change between two looks that bisection does not shrink is a jump. */
#include "ocp/jumps.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "expr/walk.h"
#include "ocp/reading.h"

enum { LOOKS = 20, BISECTIONS = 40 }; /* places in an interval; 1e-12 of the distance of two of them */
#define JUMP 1e-2                     /* of the largest value of a rate or the integrand: a jump that counts */
#define INSIDE 1e-4                   /* of its expected size: a control that no bound holds */

typedef struct path { /* rates and integrand on one solution */
    dd_reading at;
    uint32_t n;
    double *largest; /* n */
} path;

static void values_at(path *a, double theta, double *value)
{
    dd_reading_at(&a->at, theta, true);
    memcpy(value, a->at.values, a->n * sizeof *value);
}

/* The largest change of an output, of its size. */
static double change(const path *a, const double *before, const double *after)
{
    double most = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        const double size = a->largest[i] > 0 ? a->largest[i] : 1;
        most = fmax(most, fabs(after[i] - before[i]) / size);
    }
    return most;
}

/* A jump between the places *from and to, where these values are; *from is then where. work: n. */
static bool is_jump(path *a, double *from, double to, double *before, double *after, double *work)
{
    for (int i = 0; i < BISECTIONS && change(a, before, after) > JUMP; i++) {
        const double middle = 0.5 * (*from + to);
        values_at(a, middle, work);
        const bool left = change(a, before, work) > change(a, work, after);
        memcpy(left ? after : before, work, a->n * sizeof *work);
        *from = left ? *from : middle;
        to = left ? middle : to;
    }
    return change(a, before, after) > JUMP;
}

static bool is_free(path *a, double theta)
{
    const dd_ocp_problem *o = a->at.p->problem;
    bool any = o->p.len > 0;
    dd_reading_at(&a->at, theta, true);
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        any = any || fmin(a->at.u[i] - d->lower, d->upper - a->at.u[i]) > INSIDE * d->scale;
    }
    return any;
}

static path new_path(const dd_ocp *p, dd_pool *pool)
{
    dd_ocp_problem *o = p->problem;
    dd_expr_vec values = {0};
    for (uint32_t i = 0; i < o->f.len; i++) {
        dd_vec_push(pool, &values, o->f.data[i]);
    }
    if (o->integrand != DD_EXPR_NONE) {
        dd_vec_push(pool, &values, o->integrand);
    }
    path a = {.n = values.len};
    /* nothing can jump where nothing switches */
    if (!dd_has_switch(o->dag, values.data, values.len)) {
        return a;
    }
    a.at = dd_reading_of(p, dd_ocp_outputs_of(o, &values, pool), a.n, pool);
    a.largest = dd_pool_alloc_array(pool, a.n + 1, sizeof *a.largest);
    return a;
}

/* theta of the first jump that a free decision could move; NAN: there is none. */
static double first_jump(path *a, dd_pool *pool)
{
    const dd_mesh *mesh = &a->at.p->transcription->mesh;
    double *before = dd_pool_alloc_array(pool, a->n + 1, sizeof *before);
    double *after = dd_pool_alloc_array(pool, a->n + 1, sizeof *after);
    double *next = dd_pool_alloc_array(pool, a->n + 1, sizeof *next);
    double *work = dd_pool_alloc_array(pool, a->n + 1, sizeof *work);
    /* sizes first */
    for (uint32_t k = 0; k < mesh->n; k++) {
        values_at(a, 0.5 * (mesh->theta[k] + mesh->theta[k + 1]), work);
        for (uint32_t i = 0; i < a->n; i++) {
            a->largest[i] = fmax(a->largest[i], fabs(work[i]));
        }
    }
    /* within intervals: between them controls jump too */
    for (uint32_t k = 0; k < mesh->n; k++) {
        const double width = (mesh->theta[k + 1] - mesh->theta[k]) / LOOKS;
        double from = mesh->theta[k] + 0.5 * width;
        dd_check_stop(a->at.p->ctx);
        values_at(a, from, before);
        for (int i = 1; i < LOOKS; i++) {
            const double to = mesh->theta[k] + (i + 0.5) * width;
            values_at(a, to, after);
            memcpy(next, after, a->n * sizeof *next);
            if (is_jump(a, &from, to, before, after, work) && is_free(a, from)) {
                return from;
            }
            from = to;
            memcpy(before, next, a->n * sizeof *before);
        }
    }
    return NAN;
}

const char *dd_ocp_jump_words(const dd_ocp *p)
{
    dd_pool *pool = dd_pool_child(p->pool);
    path a = new_path(p, pool);
    const double theta = a.at.outputs != NULL ? first_jump(&a, pool) : NAN;
    dd_pool_free(pool);
    if (isnan(theta)) {
        return NULL;
    }
    return dd_pool_printf(p->pool,
                          "this is a motion of the model, but perhaps not the cheapest: at time %.6g the equations or "
                          "the cost jump%s%s, and "
                          "what it costs to get there earlier or later is not known to the solver; end a phase there, "
                          "or round the jump off",
                          dd_transcription_time(p->transcription, p->result.x, theta),
                          p->problem->relations != NULL ? " where a relation changes, " : "",
                          p->problem->relations != NULL ? p->problem->relations : "");
}
