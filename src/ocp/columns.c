/* columns.c - variables of a transcription back to states, algebraic variables, controls, parameters and times. */
#include "ocp/columns.h"

#define NONE UINT32_MAX

static uint32_t mark(dd_column *c, uint32_t at, uint32_t n, dd_column_kind kind, double theta)
{
    for (uint32_t i = 0; i < n; i++) {
        c[at + i] = (dd_column){kind, i, theta};
    }
    return at + n;
}

static void mark_interval(const dd_transcription *t, dd_column *c, uint32_t k)
{
    const dd_ocp_problem *o = t->o;
    const dd_mesh *mesh = &t->mesh;
    /* the last node has no interval behind it */
    double theta = mesh->theta[k], width = k < mesh->n ? mesh->theta[k + 1] - theta : 0;
    bool whole = k < mesh->n;
    /* in the order of make_variables in transcription.c: x_k, controls, then the points */
    if (o->x.len > 0) {
        mark(c, t->x_at[k], o->x.len, DD_COLUMN_STATE, theta);
    }
    if (o->u.len > 0 && (mesh->control == DD_CONTROL_LINEAR || (mesh->control == DD_CONTROL_CONSTANT && whole))) {
        mark(c, t->u_at[k], o->u.len, DD_COLUMN_CONTROL, theta);
    }
    /* a value per stage of shooting */
    if (o->u.len > 0 && mesh->control == DD_CONTROL_POLYNOMIAL && mesh->tableau != NULL && whole) {
        for (uint32_t g = 0; g < mesh->substeps * mesh->tableau->stages; g++) {
            mark(c, t->u_at[k] + g * o->u.len, o->u.len, DD_COLUMN_CONTROL, theta + dd_mesh_stage(mesh, g) * width);
        }
    }
    /* x_kj, z_kj, u_kj */
    for (uint32_t j = 1; whole && j <= mesh->degree[k]; j++) {
        double at = theta + t->tau[mesh->degree[k]][j] * width;
        uint32_t next = t->point_at[k * DD_DEGREE_MOST + j - 1];
        if (next == NONE) {
            continue;
        }
        next = mark(c, next, o->x.len, DD_COLUMN_STATE, at);
        next = mark(c, next, o->z.len, DD_COLUMN_ALGEBRAIC, at);
        if (mesh->control == DD_CONTROL_POLYNOMIAL) {
            mark(c, next, o->u.len, DD_COLUMN_CONTROL, at);
        }
    }
}

const dd_column *dd_ocp_columns(const dd_transcription *t, dd_pool *pool)
{
    const dd_ocp_problem *o = t->o;
    dd_column *c = dd_pool_alloc_array(pool, t->nlp->n + 1, sizeof *c);
    /* taps and whatever else has no meaning to a user */
    for (uint32_t i = 0; i < t->nlp->n; i++) {
        c[i].kind = DD_COLUMN_OTHER;
    }
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        mark_interval(t, c, k);
    }
    if (o->p.len > 0) {
        mark(c, t->p_at, o->p.len, DD_COLUMN_PARAMETER, 0);
    }
    if (t->t0_at != NONE) {
        c[t->t0_at] = (dd_column){DD_COLUMN_START_TIME, 0, 0};
    }
    if (t->tf_at != NONE) {
        c[t->tf_at] = (dd_column){DD_COLUMN_FINAL_TIME, 0, 1};
    }
    return c;
}

const dd_decision *dd_column_decision(const dd_ocp_problem *o, const dd_column *c)
{
    switch (c->kind) {
    case DD_COLUMN_STATE:
        return &o->x.data[c->index];
    case DD_COLUMN_ALGEBRAIC:
        return &o->z.data[c->index];
    case DD_COLUMN_CONTROL:
        return &o->u.data[c->index];
    case DD_COLUMN_PARAMETER:
        return &o->p.data[c->index];
    default:
        return NULL;
    }
}
