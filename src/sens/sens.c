/* sens.c - sensitivities from step to step. Start reading at dd_sens_step. */
#include "sens/sens.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed_newton.h"
#include "sens/sens_impl.h"

/* ---- creation ---- */

/* clang-format off */
#define SENS_ARRAYS(X)                                                                                                 \
    X(s, block) X(sdot, block) X(s_old, block) X(sdot_old, block) X(y, inputs * block) X(y_old, inputs * block)        \
    X(value, stages * block) X(rate, stages * block) X(shift, block) X(m, jac) X(j, jac) X(fp, coupled * block)        \
    X(val, nnz) X(base, n) X(residual, coupled * n) X(point, n) X(slope, n) X(record.A, stages * stages)               \
    X(record.time, stages) X(record.point, stages * n) X(record.rate, stages * n) X(moment, SENS_TIMES * q->np)        \
    X(extra, block) X(time_rate, n) X(sample, 2 * n)
/* clang-format on */

#define SENS_SIZES(q)                                                                                                  \
    const size_t n = (q)->n, block = (q)->block, inputs = (q)->inputs, stages = (q)->most_stages;                      \
    const size_t coupled = (q)->coupled_stages, nnz = (q)->nnz, jac = coupled * nnz

static dd_status allocate(dd_sens *q)
{
    SENS_SIZES(q);
    bool all = true;
#define SENS_NEW(field, length)                                                                                        \
    q->field = dd_mem_new_array(q->ctx, (length) + 1, sizeof(double));                                                 \
    all = all && q->field;
    SENS_ARRAYS(SENS_NEW)
#undef SENS_NEW
    return all ? DD_OK : DD_OUT_OF_MEMORY;
}

void dd_sens_free(dd_sens *q)
{
    if (!q) {
        return;
    }
    SENS_SIZES(q);
#define SENS_FREE(field, length) dd_mem_free(q->ctx, q->field, ((length) + 1) * sizeof(double));
    SENS_ARRAYS(SENS_FREE)
#undef SENS_FREE
    dd_pencil_free(q->solver);
    dd_sens_matrices_free(q);
    dd_sens_projection_free(q->projection);
    dd_mem_free(q->ctx, q, sizeof *q);
}

static dd_status create(dd_sens **out, dd_context *ctx, const dd_problem *problem, const dd_step_record *shape)
{
    *out = NULL;
    dd_sens *q = dd_mem_new_array(ctx, 1, sizeof *q);
    if (!q) {
        return DD_OUT_OF_MEMORY;
    }
    q->ctx = ctx;
    /* sizes of the record decide the sizes here: the most stages, the vectors that a step takes in */
    q->problem = problem;
    q->n = problem->n;
    q->np = problem->n_parameters;
    q->block = (size_t)q->n * q->np;
    q->nnz = problem->pattern.ptr[q->n];
    q->most_stages = shape->stages + shape->extra;
    q->coupled_stages = shape->extra > 0 ? 1 : shape->stages; /* explicit methods have extra stages */
    q->inputs = shape->inputs;
    dd_status st = allocate(q);
    st = st == DD_OK ? dd_pencil_new(&q->solver, ctx, &q->problem->pattern, false, DD_PENCIL_AUTO) : st;
    if (st == DD_OK && q->problem->n_invariants > 0) {
        st = dd_sens_projection_new(&q->projection, ctx, q->problem);
    }
    if (st != DD_OK) {
        dd_sens_free(q);
        return st;
    }
    q->record.room = q->most_stages;
    q->span = 1;
    *out = q;
    return DD_OK;
}

dd_status dd_sens_new(dd_sens **out, dd_context *ctx, dd_integrator *it)
{
    assert(it->ops->record); /* every integrator describes its steps (step_record.h) */
    dd_step_record shape = {0};
    it->ops->record(it, true, &shape);
    return create(out, ctx, it->problem, &shape);
}

dd_status dd_sens_new_at_points(dd_sens **out, dd_context *ctx, const dd_problem *problem)
{
    return create(out, ctx, problem, &(dd_step_record){.stages = 1, .inputs = 1});
}

const double *dd_sens_values(const dd_sens *q)
{
    return q->s;
}

const double *dd_sens_slopes(const dd_sens *q)
{
    return q->sdot;
}

/* ---- a point ---- */

/* [F_x' F_z] at a point, factored; J stays in q->j. */
static dd_step_verdict factor_point(dd_sens *q, double t, const double *w, const double *wdot)
{
    const dd_problem *p = q->problem;
    p->jacobian(p->user, t, w, wdot, q->m, q->j);
    /* columns of M for x' and of J for z */
    for (uint32_t col = 0; col < q->n; col++) {
        const double *from = p->differential[col] ? q->m : q->j;
        for (uint32_t k = p->pattern.ptr[col]; k < p->pattern.ptr[col + 1]; k++) {
            q->val[k] = from[k];
        }
    }
    bool singular;
    uint32_t column;
    if (!dd_all_finite(q->val, p->pattern.ptr[q->n])) {
        return DD_STEP_NONFINITE;
    }
    dd_status st = dd_pencil_factor(q->solver, 0, 0, q->val, q->val, &singular, &column);
    return st != DD_OK ? DD_STEP_OUT_OF_MEMORY : singular ? DD_STEP_SINGULAR : DD_STEP_OK;
}

/* r := -[F_x' F_z]^-1 (r + F_x dx) */
static void solve_point(dd_sens *q, const double *dx, double *r)
{
    const dd_problem *p = q->problem;
    /* the right-hand side F_p + F_x dx */
    for (uint32_t col = 0; col < q->n; col++) {
        for (uint32_t e = p->pattern.ptr[col]; e < p->pattern.ptr[col + 1] && p->differential[col]; e++) {
            r[p->pattern.idx[e]] += q->j[e] * dx[col];
        }
    }
    dd_pencil_solve(q->solver, r, NULL);
    for (uint32_t col = 0; col < q->n; col++) {
        r[col] = -r[col];
    }
}

/* At fixed time, or (follow) along the moment of the step's end. */
static dd_step_verdict solve(dd_sens *q, double t, const double *w, const double *wdot, bool follow, double *s,
                             double *sdot)
{
    const dd_problem *p = q->problem;
    const uint32_t n = q->n;
    dd_step_verdict v = factor_point(q, t, w, wdot);
    p->parameter_derivatives(p->user, t, w, wdot, q->fp);
    if (follow) {
        dd_sens_moving_end(q, t, w, wdot, q->fp);
    }
    if (v == DD_STEP_OK && !dd_all_finite(q->fp, q->block)) {
        v = DD_STEP_NONFINITE;
    }
    /* x of S is known; x' and z of it follow */
    for (uint32_t k = 0; k < q->np && v == DD_STEP_OK; k++) {
        double *sk = s + (size_t)k * n, *vk = sdot + (size_t)k * n;
        memcpy(q->residual, q->fp + (size_t)k * n, n * sizeof *q->residual);
        solve_point(q, sk, q->residual);
        for (uint32_t col = 0; col < n; col++) {
            *(p->differential[col] ? vk + col : sk + col) = q->residual[col];
        }
    }
    return v;
}

dd_step_verdict dd_sens_solve(dd_sens *q, double t, const double *w, const double *wdot, double *s, double *sdot)
{
    return solve(q, t, w, wdot, false, s, sdot);
}

dd_step_verdict dd_sens_rates(dd_sens *q, double t, const double *w, const double *wdot, double part, double *out)
{
    const dd_problem *p = q->problem;
    dd_step_verdict v = factor_point(q, t, w, wdot);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* F_t at a fixed point, to fourth order: the difference over 2 part, and over 4 part to correct it */
    static const double factor[] = {-1.0 / 12, 2.0 / 3, -2.0 / 3, 1.0 / 12}, place[] = {2, 1, -1, -2};
    memset(out, 0, q->n * sizeof *out);
    for (int i = 0; i < 4; i++) {
        p->residual(p->user, t + place[i] * part, w, wdot, q->residual);
        for (uint32_t j = 0; j < q->n; j++) {
            out[j] += factor[i] / part * q->residual[j];
        }
    }
    /* w'' = -[F_x' F_z]^-1 (F_t + F_x x') */
    solve_point(q, wdot, out);
    return dd_all_finite(out, q->n) ? DD_STEP_OK : DD_STEP_NONFINITE;
}

dd_step_verdict dd_sens_start(dd_sens *q, dd_integrator *it, const double *s, const double *sdot, const double *moment,
                              bool solved)
{
    memcpy(q->s, s, q->block * sizeof *s);
    memcpy(q->sdot, sdot, q->block * sizeof *sdot);
    q->t_old = q->t = it->t;
    q->solve = solved;
    /* behind an event S may belong to the old branch in z and x' */
    dd_sens_moment_start(q, moment);
    dd_step_verdict v = solved ? solve(q, it->t, it->w, it->wdot, true, q->s, q->sdot) : DD_STEP_OK;
    memset(q->y, 0, q->inputs * q->block * sizeof *q->y);
    memcpy(q->y, q->s, q->block * sizeof *q->s);
    if (q->inputs > 1) { /* where a history of differences begins */
        memcpy(q->y + q->block, q->sdot, q->block * sizeof *q->sdot);
    }
    q->stepped = false;
    return v;
}

void dd_sens_restart(dd_sens *q, dd_integrator *it, const dd_sens *from)
{
    dd_sens_start(q, it, from->s_old, from->sdot_old, from->moment + from->np, false);
}

/* ---- a step ---- */

static void read_record(dd_sens *q, dd_integrator *it, bool dense)
{
    /* the record is written into our arrays: its pointers survive */
    dd_step_record fresh = {.room = q->record.room,
                            .A = q->record.A,
                            .time = q->record.time,
                            .point = q->record.point,
                            .rate = q->record.rate};
    it->ops->record(it, dense, &fresh);
    q->record = fresh;
}

/* y_old := mix y, or y */
static void take_inputs(dd_sens *q)
{
    const dd_step_record *r = &q->record;
    double *swap = q->y_old;
    q->y_old = q->y;
    q->y = swap;
    if (!r->mixed) {
        return;
    }
    /* rescaled differences of a multistep method are mixed before the step */
    for (size_t at = 0; at < q->block; at++) {
        double old[DD_RECORD_INPUTS];
        for (uint32_t m = 0; m < r->inputs; m++) {
            old[m] = q->y_old[m * q->block + at];
        }
        for (uint32_t m = 0; m < r->inputs; m++) {
            double sum = 0;
            for (uint32_t k = 0; k < r->inputs; k++) {
                sum += r->mix[m][k] * old[k];
            }
            q->y_old[m * q->block + at] = sum;
        }
    }
}

/* y := keep y_old + take S */
static void hand_on(dd_sens *q)
{
    const dd_step_record *r = &q->record;
    /* what a step hands on is linear in what it took in and in the end */
    for (uint32_t m = 0; m < r->inputs; m++) {
        double *y = q->y + m * q->block;
        for (size_t at = 0; at < q->block; at++) {
            y[at] = r->take[m] * q->s[at];
        }
        for (uint32_t k = 0; k < r->inputs; k++) {
            const double *old = q->y_old + k * q->block, keep = r->keep[m][k];
            for (size_t at = 0; at < q->block && keep != 0; at++) {
                y[at] += keep * old[at];
            }
        }
    }
}

/* S and S' at the end from the stages, before projection. */
static void finish_stages(dd_sens *q)
{
    const dd_step_record *r = &q->record;
    const uint8_t *x = q->problem->differential;
    const uint32_t last = r->stages - 1;
    for (uint32_t p = 0; p < q->np; p++) {
        double *s = sens_column(q, q->s, 0, p), *sdot = sens_column(q, q->sdot, 0, p);
        /* dx_{n+1} = sum base dy + sum b_i d(h K_i); z and x' are those of the last stage, or of the stages' polynomial */
        for (uint32_t j = 0; j < q->n; j++) {
            double z = 0, rate = 0;
            for (uint32_t i = r->end_continued ? 0 : last; i <= last; i++) {
                const double weight = r->end_continued ? r->end[i] : 1.0;
                z += weight * sens_column(q, q->value, i, p)[j];
                rate +=
                    weight * (sens_column(q, q->rate, i, p)[j] - sens_stretch(q, p) * r->rate[(size_t)i * q->n + j]);
            }
            double sum = x[j] ? sens_column(q, q->extra, 0, p)[j] : z;
            for (uint32_t m = 0; m < r->inputs && x[j]; m++) {
                sum += r->base[m] * sens_column(q, q->y_old, m, p)[j];
            }
            for (uint32_t i = 0; i < r->stages && x[j]; i++) {
                sum += r->b[i] * sens_column(q, q->rate, i, p)[j];
            }
            s[j] = sum;
            sdot[j] = x[j] ? rate / r->h : 0.0;
        }
    }
}

static void keep_old(dd_sens *q)
{
    double *swap = q->s_old;
    q->s_old = q->s;
    q->s = swap;
    swap = q->sdot_old;
    q->sdot_old = q->sdot;
    q->sdot = swap;
}

dd_step_verdict dd_sens_step(dd_sens *q, dd_integrator *it, const double *moment)
{
    /* what the integrator did, as a general linear method */
    read_record(q, it, false);
    q->t_old = it->t_old;
    q->t = it->t;
    q->span = it->t - it->t_old;
    dd_sens_moment_step(q, moment);
    dd_sens_moving_history(q);
    take_inputs(q);
    keep_old(q);
    q->stepped = true;
    q->extended = false;
    /* the linear equations of the stages */
    dd_step_verdict v = q->record.coupled ? dd_sens_coupled(q, it) : dd_sens_sequential(q, 0, q->record.stages);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* the end, moved onto the constraints as the solution was, then x' and z where the step solved for them */
    finish_stages(q);
    memset(q->shift, 0, q->block * sizeof *q->shift);
    if (q->record.shift) {
        v = dd_sens_project(q, it->t, it->w);
        for (size_t at = 0; at < q->block; at++) {
            q->s[at] += q->shift[at];
        }
    }
    if (v == DD_STEP_OK && q->record.end_solved) {
        v = solve(q, it->t, it->w, it->wdot, true, q->s, q->sdot);
    }
    hand_on(q);
    return v == DD_STEP_OK && !dd_all_finite(q->s, q->block) ? DD_STEP_NONFINITE : v;
}

/* ---- between the ends ---- */

static void add(double factor, const double *from, size_t count, double *to)
{
    for (size_t at = 0; at < count && factor != 0; at++) {
        to[at] += factor * from[at];
    }
}

/* to := the weighted sum, all unknowns */
static void combine(dd_sens *q, const dd_step_weights *w, double *to)
{
    const dd_step_record *r = &q->record;
    const size_t block = q->block;
    memset(to, 0, block * sizeof *to);
    /* weights are those of the dense output, which is linear in everything below */
    for (uint32_t m = 0; m < r->inputs; m++) {
        add(w->input[m], q->y_old + m * block, block, to);
        add(w->output[m], q->y + m * block, block, to);
    }
    for (uint32_t i = 0; i < r->stages + r->extra; i++) {
        add(w->value[i], q->value + i * block, block, to);
        add(w->rate[i], q->rate + i * block, block, to);
    }
    add(w->shift, q->shift, block, to);
    add(w->old_slope, q->sdot_old, block, to);
    add(w->new_slope, q->sdot, block, to);
}

/* Stages that the dense output alone has, once per step. */
static dd_step_verdict extend(dd_sens *q, dd_integrator *it)
{
    /* explicit methods have stages that the dense output alone needs */
    if (q->extended || q->record.extra == 0) {
        return DD_STEP_OK;
    }
    read_record(q, it, true);
    q->extended = true;
    return dd_sens_sequential(q, q->record.stages, q->record.stages + q->record.extra);
}

static void pick(const dd_sens *q, const double *from, bool differential, double *to)
{
    for (size_t at = 0; at < q->block; at++) {
        to[at] = q->problem->differential[at % q->n] == differential ? from[at] : to[at];
    }
}

dd_step_verdict dd_sens_interpolate(dd_sens *q, dd_integrator *it, double t, double *s, double *sdot)
{
    /* at the end: along its moment, back to a fixed time where that moves */
    if (!q->stepped || t == it->t) {
        memcpy(s, q->s, q->block * sizeof *s);
        memcpy(sdot, q->sdot, q->block * sizeof *sdot);
        dd_sens_to_fixed_end(q, it, s, sdot);
        return q->moving && q->solve ? dd_sens_solve(q, it->t, it->w, it->wdot, s, sdot) : DD_STEP_OK;
    }
    dd_step_verdict v = extend(q, it);
    if (v != DD_STEP_OK) {
        return v;
    }
    /* x by its polynomial; z by its own, or from the equations like x' */
    dd_step_dense dense = {0};
    it->ops->dense(it, t, &dense);
    combine(q, &dense.x, s);
    if (!dense.solved) {
        combine(q, &dense.z, sdot);
        pick(q, sdot, false, s);
        combine(q, &dense.slope, sdot);
        for (size_t at = 0; at < q->block; at++) {
            sdot[at] = q->problem->differential[at % q->n] ? sdot[at] : 0.0;
        }
        dd_sens_to_fixed(q, it, t, &dense, s, sdot);
        return DD_STEP_OK;
    }
    memset(sdot, 0, q->block * sizeof *sdot);
    dd_sens_to_fixed(q, it, t, &dense, s, sdot);
    dd_integ_interpolate(it, t, q->point, q->slope);
    return dd_sens_solve(q, t, q->point, q->slope, s, sdot);
}
