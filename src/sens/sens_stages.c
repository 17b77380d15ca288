/* sens_stages.c - the linear equations of the stages,
 *
 *     M_i dK_i + J_i dW_i + dF/dp = 0,   dW_i = sum_m base_m dy_m + h sum_j A_ij dK_j  (x; dz_i is unknown),
 *
 * with M and J of each stage. Unknown are h dK_i for x and dz_i. Where stages follow each other, each has a separate
 * matrix. Coupled stages are solved by iterating with the factors that the step had, which belong to an older Jacobian,
 * until rounding stops it; where that converges slowly, or there are none, by the matrix of all stages. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "integ/fixed_newton.h"
#include "sens/sens_impl.h"

enum { MOST_ITERATIONS = 30 };
static const double SLOW = 0.4;    /* a rate of convergence that the matrix of all stages beats */
static const double NOISE = 1e-13; /* corrections below this that do not shrink any more are rounding */

/* sum_m base_m dy_m of parameter p */
static void set_base(dd_sens *q, uint32_t p, double *out)
{
    const dd_step_record *r = &q->record;
    memcpy(out, sens_column(q, q->extra, 0, p), q->n * sizeof *out);
    for (uint32_t m = 0; m < r->inputs; m++) {
        const double *y = sens_column(q, q->y_old, m, p), factor = r->base[m];
        for (uint32_t j = 0; j < q->n && factor != 0; j++) {
            out[j] += factor * y[j];
        }
    }
}

/* dW_i of x from the base and the first `count` stages */
static void set_value(dd_sens *q, uint32_t i, uint32_t p, uint32_t count)
{
    const dd_step_record *r = &q->record;
    const uint8_t *x = q->problem->differential;
    double *value = sens_column(q, q->value, i, p);
    /* base, then the stages that are known so far */
    for (uint32_t j = 0; j < q->n; j++) {
        value[j] = x[j] ? q->base[j] : value[j];
    }
    for (uint32_t k = 0; k < count; k++) {
        const double a = r->A[(size_t)i * r->room + k], *rate = sens_column(q, q->rate, k, p);
        for (uint32_t j = 0; j < q->n && a != 0; j++) {
            value[j] += x[j] ? a * rate[j] : 0.0;
        }
    }
}

/* out := F_p + J dW over the columns of x (and of z when with_z), and M dK */
static void residual(const dd_sens *q, const double *m, const double *j, const double *fp, const double *value,
                     const double *rate, bool with_z, double *out)
{
    const dd_csc *p = &q->problem->pattern;
    const double per_h = 1.0 / q->record.h;
    memcpy(out, fp, q->n * sizeof *out);
    /* column by column, as the pattern is stored */
    for (uint32_t col = 0; col < q->n; col++) {
        const bool x = q->problem->differential[col];
        const double v = x || with_z ? value[col] : 0.0, k = x ? rate[col] * per_h : 0.0;
        for (uint32_t e = p->ptr[col]; e < p->ptr[col + 1]; e++) {
            out[p->idx[e]] += j[e] * v + m[e] * k;
        }
    }
}

/* ---- one after the other ---- */

static dd_step_verdict factor_stage(dd_sens *q, uint32_t i)
{
    const dd_step_record *r = &q->record;
    const dd_problem *p = q->problem;
    const size_t at = (size_t)i * q->n;
    const double a = r->A[(size_t)i * r->room + i], per_h = 1.0 / r->h;
    /* M, J and F_p at the stage of the converged solution */
    p->jacobian(p->user, r->time[i], r->point + at, r->rate + at, q->m, q->j);
    p->parameter_derivatives(p->user, r->time[i], r->point + at, r->rate + at, q->fp);
    dd_sens_moving_stage(q, i, q->m, q->fp);
    /* the matrix for h dK (x) and dz: M/h + a_ii J, and J */
    for (uint32_t col = 0; col < q->n; col++) {
        for (uint32_t e = p->pattern.ptr[col]; e < p->pattern.ptr[col + 1]; e++) {
            q->val[e] = p->differential[col] ? per_h * q->m[e] + a * q->j[e] : q->j[e];
        }
    }
    if (!dd_all_finite(q->val, p->pattern.ptr[q->n]) || !dd_all_finite(q->fp, q->block)) {
        return DD_STEP_NONFINITE;
    }
    bool singular;
    uint32_t column;
    dd_status st = dd_pencil_factor(q->solver, 0, 0, q->val, q->val, &singular, &column);
    return st != DD_OK ? DD_STEP_OUT_OF_MEMORY : singular ? DD_STEP_SINGULAR : DD_STEP_OK;
}

static void solve_stage(dd_sens *q, uint32_t i, uint32_t p)
{
    const uint8_t *x = q->problem->differential;
    double *value = sens_column(q, q->value, i, p), *rate = sens_column(q, q->rate, i, p);
    /* what the stages before contribute, then one solve */
    set_base(q, p, q->base);
    set_value(q, i, p, i);
    memset(rate, 0, q->n * sizeof *rate);
    residual(q, q->m, q->j, q->fp + (size_t)p * q->n, value, rate, false, q->residual);
    dd_pencil_solve(q->solver, q->residual, NULL);
    const double a = q->record.A[(size_t)i * q->record.room + i];
    for (uint32_t j = 0; j < q->n; j++) {
        const double u = -q->residual[j];
        rate[j] = x[j] ? u : 0.0;
        value[j] = x[j] ? value[j] + a * u : u;
    }
}

/* A stage that is an end of the step. */
static void copy_stage(dd_sens *q, uint32_t i, const double *s, const double *sdot)
{
    const double *rate = q->record.rate + (size_t)i * q->n;
    memcpy(q->value + i * q->block, s, q->block * sizeof *s);
    for (size_t at = 0; at < q->block; at++) {
        const double stretch = sens_stretch(q, (uint32_t)(at / q->n));
        q->rate[i * q->block + at] = q->record.h * sdot[at] + (stretch != 0 ? stretch * rate[at % q->n] : 0.0);
    }
}

dd_step_verdict dd_sens_sequential(dd_sens *q, uint32_t from, uint32_t to)
{
    const dd_step_record *r = &q->record;
    dd_step_verdict v = DD_STEP_OK;
    for (uint32_t i = from; i < to && v == DD_STEP_OK; i++) {
        if ((i == 0 && r->first_known) || i == r->end_stage) {
            copy_stage(q, i, i == 0 ? q->s_old : q->s, i == 0 ? q->sdot_old : q->sdot);
            continue;
        }
        v = factor_stage(q, i);
        for (uint32_t p = 0; p < q->np && v == DD_STEP_OK; p++) {
            solve_stage(q, i, p);
        }
    }
    return v;
}

/* ---- coupled ---- */

/* The first of the stages whose equations are solved: one that is the end of the last step is known. */
static uint32_t first_of(const dd_step_record *r)
{
    return r->first_known ? 1 : 0;
}

void dd_sens_matrices_free(dd_sens *q)
{
    /* one matrix per set of coefficients: methods of variable order have a few */
    for (uint32_t k = 0; k < SENS_MATRICES; k++) {
        sens_matrix *a = &q->matrix[k];
        dd_stage_matrix_free(a->matrix);
        dd_mem_free(q->ctx, a->A, (size_t)a->s * a->s * sizeof *a->A);
        *a = (sens_matrix){0};
    }
}

static bool same_coefficients(const sens_matrix *a, const dd_step_record *r)
{
    const uint32_t first = first_of(r);
    bool same = a->matrix && a->s == r->stages - first;
    for (uint32_t i = 0; i < a->s && same; i++) {
        same = memcmp(a->A + (size_t)i * a->s, r->A + (size_t)(i + first) * r->room + first, a->s * sizeof *a->A) == 0;
    }
    return same;
}

/* Made when it is first needed: the factors of the step are usually good enough. */
static dd_status make_matrix(dd_sens *q, sens_matrix *a)
{
    const dd_step_record *r = &q->record;
    const uint32_t first = first_of(r);
    a->s = r->stages - first;
    const size_t square = (size_t)a->s * a->s;
    a->A = dd_mem_new_array(q->ctx, square, sizeof *a->A);
    double *identity = dd_mem_new_array(q->ctx, square, sizeof *identity);
    dd_status st = a->A && identity ? DD_OK : DD_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < a->s && st == DD_OK; i++) {
        identity[(size_t)i * (a->s + 1)] = 1;
        memcpy(a->A + (size_t)i * a->s, r->A + (size_t)(i + first) * r->room + first, a->s * sizeof *a->A);
    }
    st = st == DD_OK ? dd_stage_matrix_new(&a->matrix, q->ctx, q->problem, a->s, identity, a->A) : st;
    dd_mem_free(q->ctx, identity, square * sizeof *identity);
    return st;
}

static dd_step_verdict factor_all(dd_sens *q, dd_stage_matrix **out)
{
    sens_matrix *a = NULL;
    /* the one with these coefficients, or a free place */
    for (uint32_t k = 0; k < SENS_MATRICES && !a; k++) {
        sens_matrix *candidate = &q->matrix[k];
        a = !candidate->matrix || same_coefficients(candidate, &q->record) ? candidate : NULL;
    }
    if (!a) { /* more kinds of steps than ever occur */
        dd_sens_matrices_free(q);
        a = &q->matrix[0];
    }
    if (!a->matrix && make_matrix(q, a) != DD_OK) {
        return DD_STEP_OUT_OF_MEMORY;
    }
    bool singular;
    uint32_t unknown;
    const size_t nnz = q->problem->pattern.ptr[q->n], at = first_of(&q->record) * nnz;
    dd_status st = dd_stage_matrix_factor(a->matrix, 1.0 / q->record.h, q->m + at, q->j + at, nnz, &singular, &unknown);
    *out = a->matrix;
    return st != DD_OK ? DD_STEP_OUT_OF_MEMORY : singular ? DD_STEP_SINGULAR : DD_STEP_OK;
}

/* Residuals of all stages. */
static void residuals(dd_sens *q, uint32_t p)
{
    const dd_step_record *r = &q->record;
    const size_t nnz = q->problem->pattern.ptr[q->n];
    for (uint32_t i = first_of(r); i < r->stages; i++) {
        set_value(q, i, p, r->stages);
        residual(q, q->m + i * nnz, q->j + i * nnz, sens_column(q, q->fp, i, p), sens_column(q, q->value, i, p),
                 sens_column(q, q->rate, i, p), true, q->residual + (size_t)i * q->n);
    }
}

/* Adds the corrections; their size, and that of the solution, in units of the nominal values. */
static double move(dd_sens *q, uint32_t p, double *whole)
{
    const uint8_t *x = q->problem->differential;
    const double *nominal = q->problem->nominal;
    double sum = 0, all = 0;
    /* corrections of h dK for x, of dz for the others */
    for (uint32_t i = first_of(&q->record); i < q->record.stages; i++) {
        double *value = sens_column(q, q->value, i, p), *rate = sens_column(q, q->rate, i, p);
        const double *d = q->residual + (size_t)i * q->n;
        for (uint32_t j = 0; j < q->n; j++) {
            double *u = x[j] ? rate + j : value + j;
            const double scale = nominal ? 1.0 / nominal[j] : 1.0;
            *u += d[j];
            sum += d[j] * scale * (d[j] * scale);
            all += (*u * *u + (x[j] ? q->base[j] * q->base[j] : 0.0)) * scale * scale;
        }
    }
    *whole = sqrt(all);
    return sqrt(sum);
}

static void begin(dd_sens *q, uint32_t p)
{
    set_base(q, p, q->base);
    for (uint32_t i = first_of(&q->record); i < q->record.stages; i++) {
        memset(sens_column(q, q->value, i, p), 0, q->n * sizeof *q->value);
        memset(sens_column(q, q->rate, i, p), 0, q->n * sizeof *q->rate);
    }
}

/* With the factors of the step; false when that does not reach rounding soon. */
static bool iterate(dd_sens *q, dd_integrator *it, uint32_t p)
{
    double last = INFINITY, whole;
    begin(q, p);
    /* iterative refinement with the factors of the step */
    for (uint32_t k = 0; k < MOST_ITERATIONS; k++) {
        residuals(q, p);
        it->ops->correct(it, q->residual);
        const double size = move(q, p, &whole);
        if (!isfinite(size)) {
            return false;
        }
        /* converged to rounding, or stalled at its level */
        if (size <= 0.5 * DBL_EPSILON * whole || (size <= NOISE * whole && size > 0.5 * last)) {
            return true;
        }
        /* slow: an old Jacobian; the matrix of all stages is the better way */
        if (k > 1 && size > SLOW * last && size > NOISE * whole) {
            return false;
        }
        last = size;
    }
    return false;
}

/* By the matrix of all stages, and once more for the residual. */
static void solve_all(dd_sens *q, dd_stage_matrix *a, uint32_t p)
{
    double whole;
    begin(q, p);
    /* solve, then correct by the residual */
    for (int pass = 0; pass < 2; pass++) {
        residuals(q, p);
        const size_t first = (size_t)first_of(&q->record) * q->n, end = (size_t)q->record.stages * q->n;
        for (size_t at = first; at < end; at++) {
            q->residual[at] = -q->residual[at];
        }
        dd_stage_matrix_solve(a, q->residual + first);
        move(q, p, &whole);
    }
}

dd_step_verdict dd_sens_coupled(dd_sens *q, dd_integrator *it)
{
    const dd_step_record *r = &q->record;
    const dd_problem *p = q->problem;
    const size_t nnz = p->pattern.ptr[q->n];
    /* M, J and F_p of all stages */
    for (uint32_t i = 0; i < r->stages; i++) {
        const double *w = r->point + (size_t)i * q->n, *v = r->rate + (size_t)i * q->n;
        p->jacobian(p->user, r->time[i], w, v, q->m + i * nnz, q->j + i * nnz);
        p->parameter_derivatives(p->user, r->time[i], w, v, q->fp + i * q->block);
        dd_sens_moving_stage(q, i, q->m + i * nnz, q->fp + i * q->block);
    }
    if (!dd_all_finite(q->m, r->stages * nnz) || !dd_all_finite(q->j, r->stages * nnz) ||
        !dd_all_finite(q->fp, r->stages * q->block)) {
        return DD_STEP_NONFINITE;
    }
    if (r->first_known) {
        copy_stage(q, 0, q->s_old, q->sdot_old);
    }
    dd_stage_matrix *all = NULL;
    /* parameter by parameter; once the factors of the step have failed, all others use the large matrix too */
    for (uint32_t k = 0; k < q->np; k++) {
        if (!all && it->ops->correct && iterate(q, it, k)) {
            continue;
        }
        dd_step_verdict v = all ? DD_STEP_OK : factor_all(q, &all);
        if (v != DD_STEP_OK) {
            return v;
        }
        solve_all(q, all, k);
    }
    for (uint32_t k = 0; k < q->np; k++) { /* dW_i of the solution */
        set_base(q, k, q->base);
        for (uint32_t i = first_of(r); i < r->stages; i++) {
            set_value(q, i, k, r->stages);
        }
    }
    return DD_STEP_OK;
}
