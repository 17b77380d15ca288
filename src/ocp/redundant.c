/* redundant.c - residuals of rows that were left out, active guards, ranks at the solution. */
#include "ocp/redundant.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/boundary.h"
#include "ocp/columns.h"
#include "ocp/refine.h"

#define AT_EDGE 1e-4   /* this near to a guard, relative to the size of the row, it is active */
#define UNEXPLAINED 10 /* residual over the error of all intervals together from which on a row was wrongly left out */

/* ---- values of point rows ---- */

typedef struct point_values {
    double *residual; /* per row of o->points: value minus lower bound */
    bool *known;
} point_values;

static point_values read_points(dd_ocp *p, dd_pool *pool)
{
    const dd_transcription *t = p->transcription;
    const dd_ocp_problem *o = p->problem;
    point_values v = {dd_pool_alloc_array(pool, o->points.len + 1, sizeof *v.residual),
                      dd_pool_alloc_array(pool, o->points.len + 1, sizeof *v.known)};
    double *c = dd_pool_alloc_array(pool, t->nlp->m + 1, sizeof *c);
    /* rows that were left out are still evaluated, as guards */
    t->nlp->constraints(t->nlp->user, p->result.x, true, c);
    for (uint32_t i = 0; i < t->tags.len; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        if (tag->kind == DD_ROW_POINT) {
            v.known[tag->index] = true;
            v.residual[tag->index] = c[i];
        }
    }
    return v;
}

double dd_ocp_redundant_error(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    if (o->redundant.len == 0) {
        return 0;
    }
    dd_pool *scratch = dd_pool_child(p->pool);
    point_values v = read_points(p, scratch);
    double most = 0;
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        /* relative to the size of the row */
        if (row->dropped && v.known[i]) {
            most = fmax(most, fabs(v.residual[i] - row->lower) / row->guard_size);
        }
    }
    dd_pool_free(scratch);
    return most;
}

/* ---- guards ---- */

static void demote(dd_ocp *p, dd_ocp_status status, const char *reason)
{
    if (dd_ocp_solved(p)) {
        p->info.status = status;
        p->info.reason = reason;
    }
}

/* The residual of a redundant row that errors of all intervals together explain. */
static double explained_error(const dd_ocp *p)
{
    return UNEXPLAINED * p->transcription->mesh.n * fmax(p->interval_error, p->options.tolerance);
}

/* Per variable of the program: what it reaches at the solution, of its scale. Scales are inferred, and may be far too
 * large; 1 in its unit, or a smaller scale, counts always, as in the errors of states (estimate.c). */
static const double *reached_parts(const dd_ocp *p, dd_pool *pool)
{
    const dd_nlp *nlp = p->transcription->nlp;
    const dd_column *columns = dd_ocp_columns(p->transcription, pool);
    double *part = dd_pool_alloc_array(pool, nlp->n + 1, sizeof *part);
    double *most = dd_pool_alloc_array(pool, p->problem->x.len + 1, sizeof *most);
    for (uint32_t j = 0; j < nlp->n; j++) {
        if (columns[j].kind == DD_COLUMN_STATE) {
            most[columns[j].index] = fmax(most[columns[j].index], fabs(p->result.x[j]));
        }
    }
    for (uint32_t j = 0; j < nlp->n; j++) {
        const bool state = columns[j].kind == DD_COLUMN_STATE;
        const double scale = state ? p->problem->x.data[columns[j].index].scale : 1;
        part[j] = state ? fmin(1, fmax(most[columns[j].index], fmin(1, scale) / scale)) : 1;
    }
    return part;
}

/* Rows whose terms are zero have the size of their changes. */
static void measure_again(dd_ocp *p, dd_pool *pool)
{
    const dd_nlp *nlp = p->transcription->nlp;
    const double *part = reached_parts(p, pool);
    double *values = dd_pool_alloc_array(pool, nlp->jacobian_nnz + 1, sizeof *values);
    double *most = dd_pool_alloc_array(pool, nlp->m + 1, sizeof *most);
    if (!nlp->jacobian(nlp->user, p->result.x, true, values)) {
        return;
    }
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        double *size = &most[nlp->jacobian_row[k]];
        *size = fmax(*size, fabs(values[k]) * part[nlp->jacobian_col[k]]);
    }
    for (uint32_t i = 0; i < p->transcription->tags.len; i++) {
        const dd_row_tag *tag = &p->transcription->tags.data[i];
        dd_ocp_row *row = tag->kind == DD_ROW_POINT ? &p->problem->points.data[tag->index] : NULL;
        if (row != NULL && row->repeated && row->value <= DD_OCP_NO_VALUE && most[i] > 0) {
            row->guard_size = fmin(row->guard_size, most[i]);
        }
    }
}

bool dd_ocp_repeated_hold(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_pool *scratch = dd_pool_child(p->pool);
    point_values v = read_points(p, scratch);
    bool hold = true;
    measure_again(p, scratch);
    /* errors of the mesh add up along the horizon: that much is explained */
    dd_ocp_interval_error(p);
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        double off = row->repeated && v.known[i] ? fabs(v.residual[i] - row->lower) / row->guard_size : 0;
        hold = hold && off <= fmin(explained_error(p) + 1e-9, 0.5 * DD_OCP_GUARD);
    }
    dd_pool_free(scratch);
    return hold;
}

static void judge_dropped(dd_ocp *p, const dd_ocp_row *row, double residual)
{
    double off = fabs(residual) / row->guard_size, edge = DD_OCP_GUARD;
    double explained = explained_error(p);
    /* at the edge of its guard: another branch. Farther off than the mesh explains: doubtful */
    if (off > edge - AT_EDGE) {
        demote(p, DD_OCP_INFEASIBLE,
               dd_pool_printf(
                   p->pool,
                   "%s was left out (it %s), but the solution is off by %.3g, which is as far as its guard allows: it "
                   "is on another branch; give a guess nearer to what the row requires",
                   row->name, row->follows + strlen(row->name) + 2, residual));
    } else if (isfinite(explained) && off > explained + 1e-9) {
        demote(p, DD_OCP_ACCEPTABLE,
               dd_pool_printf(p->pool,
                              "%s was left out (it %s), but the solution is off by %.3g: refine the mesh, or give "
                              "a better guess",
                              row->name, row->follows + strlen(row->name) + 2, residual));
    }
}

static void judge_branch(dd_ocp *p, const dd_ocp_row *row, double value)
{
    /* within a hair of its bound: only the guard keeps it there */
    double room = AT_EDGE * row->guard_size;
    if (value < row->lower + room || value > row->upper - room) {
        demote(p, DD_OCP_ACCEPTABLE,
               dd_pool_printf(p->pool,
                              "%s ends at %.4g, the edge of that branch: give start values on the "
                              "intended branch",
                              row->name, value));
    }
}

void dd_ocp_judge_guards(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    dd_pool *scratch = dd_pool_child(p->pool);
    point_values v = read_points(p, scratch);
    uint32_t count = 0;
    p->redundant_residual = dd_pool_alloc_array(p->pool, o->redundant.len + 1, sizeof *p->redundant_residual);
    /* in the order of the list of redundant rows */
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        if (row->dropped && v.known[i] && count < o->redundant.len) {
            p->redundant_residual[count++] = v.residual[i] - row->lower;
            judge_dropped(p, row, v.residual[i] - row->lower);
        } else if (row->branch && v.known[i]) {
            judge_branch(p, row, v.residual[i]);
        }
    }
    dd_pool_free(scratch);
}

/* ---- ranks at the solution ---- */

typedef struct states_of {
    const dd_ocp *p;
    double *z, *u;
} states_of;

static void states_at(void *user, double theta, double *x)
{
    const states_of *s = user;
    dd_transcription_at(s->p->transcription, s->p->result.x, theta, theta >= 1, x, s->z, s->u);
}

void dd_ocp_rank_again(dd_ocp *p)
{
    dd_ocp_problem *o = p->problem;
    dd_pool *scratch = dd_pool_child(p->pool);
    states_of s = {p, dd_pool_alloc_array(scratch, o->z.len + 1, sizeof *s.z),
                   dd_pool_alloc_array(scratch, o->u.len + 1, sizeof *s.u)};
    const dd_ranking_values solution = {&s, states_at};
    /* outside of the guard: closed on both sides, and again from the guess */
    if (dd_ocp_redundant_error(p) > DD_OCP_GUARD) { /* another branch, which no search had found */
        dd_guess first = dd_guess_source_as(p->guess);
        dd_ocp_close_guards(o);
        dd_ocp_solve_on(p, &p->transcription->mesh, &first, false);
        dd_ocp_forget_previous(p);
        p->info.meshes--;
        dd_pool_free(scratch);
        return;
    }
    /* ranks at the solution: another choice of rows means another program */
    dd_guess guess = dd_ocp_continue(p);
    if (dd_ocp_boundary_again(o, &solution, (dd_consistency)p->options.consistency)) {
        const char *words =
            "other rows at the boundary are independent at the solution than at the guess: solved again";
        dd_vec_push(o->pool, &o->messages, words);
        dd_ocp_solve_on(p, &p->transcription->mesh, &guess, true);
        p->info.meshes--; /* it is the same one */
        dd_ocp_forget_previous(p);
    }
    dd_pool_free(scratch);
}
