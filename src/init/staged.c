/* staged.c - damped Gauss-Newton with minimum-norm steps.
 *
 * The iteration goes on until the steps are at rounding level, not until the residual is small: where a constraint's gradient
 * vanishes on its own manifold ((x^2 + y^2 - 1)^2 = 0) a small residual still hides a gradient of 1e-6, and rank decisions
 * at such a point would be wrong. Convergence is then linear with factor 1/2, which the iteration limit allows for.
 */
#include "init/staged.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/minnorm.h"

enum { MAX_ITERATIONS = 70, MAX_HALVINGS = 12 };
static const double step_goal = 1e-14;     /* relative to max(1, |x|): rounding level */
static const double residual_goal = 1e-8;  /* relative to what the row's terms amount to */
static const double regularise = 1e-6;     /* Levenberg term for a rank-deficient stage, relative to the matrix */

typedef struct stage_work {
    dd_context *ctx;
    const dd_staged_problem *p;
    const double *weight;
    double *x;              /* all unknowns */
    uint32_t stage;
    dd_csc j;
    const uint32_t *unknown;
    double *r, *trial_r, *rhs, *dx, *w, *trial, *row_size;
    dd_minnorm *solver;
} stage_work;

static double norm(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += v[i] * v[i];
    }
    return sqrt(sum);
}

/* What a row's terms amount to: largest |J_ij| max(1, |x_j|). */
static void row_sizes(stage_work *s)
{
    memset(s->row_size, 0, s->j.nrows * sizeof *s->row_size);
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        double size = fmax(1.0, fabs(s->x[s->unknown[c]]));
        for (uint32_t k = s->j.ptr[c]; k < s->j.ptr[c + 1]; k++) {
            double term = fabs(s->j.val[k]) * size;
            s->row_size[s->j.idx[k]] = fmax(s->row_size[s->j.idx[k]], term);
        }
    }
}

static double worst_row(stage_work *s, uint32_t *row)
{
    double worst = 0;
    *row = 0;
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        double scaled = fabs(s->r[i]) / fmax(s->row_size[i], 1e-3);
        if (!(scaled <= worst)) {
            worst = scaled;
            *row = i;
        }
    }
    return worst;
}

/* Every residual is what rounding its terms can leave. */
static bool at_rounding_level(const stage_work *s)
{
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        if (!(fabs(s->r[i]) <= 4 * DBL_EPSILON * s->row_size[i])) {
            return false;
        }
    }
    return true;
}

static double matrix_size(const dd_csc *a, const double *w)
{
    double most = 0;
    for (uint32_t c = 0; c < a->ncols; c++) {
        for (uint32_t k = a->ptr[c]; k < a->ptr[c + 1]; k++) {
            most = fmax(most, fabs(a->val[k]) * w[c]);
        }
    }
    return most;
}

static dd_status find_step(stage_work *s)
{
    dd_status st = dd_minnorm_factor(s->solver, &s->j, s->w, 0.0, 1e-11);
    dd_minnorm_info info = dd_minnorm_get_info(s->solver);
    if (st == DD_OK && info.singular && !info.dense) {
        double mu = regularise * matrix_size(&s->j, s->w);
        st = dd_minnorm_factor(s->solver, &s->j, s->w, mu * mu + 1e-300, 0.0);
    }
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        s->rhs[i] = -s->r[i];
    }
    return st == DD_OK ? dd_minnorm_solve(s->solver, s->rhs, s->dx, NULL) : st;
}

static void put_trial(stage_work *s, double alpha)
{
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        s->trial[s->unknown[c]] = s->x[s->unknown[c]] + alpha * s->dx[c];
    }
}

/* Takes the longest of the halved steps that does not increase the residual. False when none is found. */
static bool line_search(stage_work *s, double *step)
{
    double before = norm(s->r, s->j.nrows), alpha = 1;
    for (int h = 0; h <= MAX_HALVINGS; h++, alpha /= 2) {
        put_trial(s, alpha);
        if (s->p->residual(s->p->user, s->stage, s->trial, s->trial_r) != 0) {
            continue;
        }
        if (norm(s->trial_r, s->j.nrows) < before * (1 - 1e-4 * alpha) || before == 0) {
            *step = 0;
            for (uint32_t c = 0; c < s->j.ncols; c++) {
                uint32_t u = s->unknown[c];
                *step = fmax(*step, fabs(s->trial[u] - s->x[u]) / fmax(1.0, fabs(s->x[u])));
                s->x[u] = s->trial[u];
            }
            memcpy(s->r, s->trial_r, s->j.nrows * sizeof *s->r);
            return true;
        }
    }
    put_trial(s, 0);
    return false;
}

static dd_status iterate(stage_work *s, dd_staged_info *info)
{
    uint32_t row = 0;
    double worst = INFINITY;
    if (s->p->residual(s->p->user, s->stage, s->x, s->r) == 0) {
        for (int it = 0; it < MAX_ITERATIONS; it++) {
            dd_status st = dd_poll_stop(s->ctx);
            if (st != DD_OK) {
                return st;
            }
            if (s->p->jacobian(s->p->user, s->stage, s->x, &s->j) != 0) {
                break;
            }
            row_sizes(s);
            worst = worst_row(s, &row);
            if (at_rounding_level(s)) {
                break;
            }
            st = find_step(s);
            if (st != DD_OK) {
                return st;
            }
            info->iterations++;
            double step = 0;
            if (!line_search(s, &step)) {
                break;
            }
            worst = worst_row(s, &row);
            if (step < step_goal) {
                break;
            }
        }
    }
    if (!(worst <= residual_goal)) {
        info->converged = false;
        info->stage = s->stage;
        info->row = row;
        info->residual = worst;
    }
    return DD_OK;
}

static dd_status solve_stage(stage_work *s, dd_staged_info *info)
{
    s->p->shape(s->p->user, s->stage, &s->j, &s->unknown);
    if (s->j.nrows == 0 || s->j.ncols == 0) {
        return DD_OK;
    }
    dd_work w = {.ctx = s->ctx};
    s->r = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->trial_r = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->rhs = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->row_size = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->dx = dd_work_array(&w, s->j.ncols, sizeof *s->dx);
    s->w = dd_work_array(&w, s->j.ncols, sizeof *s->w);
    s->trial = dd_work_array(&w, s->p->n, sizeof *s->trial);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_minnorm_new(&s->solver, s->ctx, &s->j);
    if (st == DD_OK) {
        memcpy(s->trial, s->x, s->p->n * sizeof *s->x);
        for (uint32_t c = 0; c < s->j.ncols; c++) {
            s->w[c] = s->weight[s->unknown[c]];
        }
        st = iterate(s, info);
        dd_minnorm_free(s->solver);
    }
    dd_work_free(&w);
    return st;
}

dd_status dd_staged_solve(dd_staged_info *info, dd_context *ctx, const dd_staged_problem *problem, const double *weight,
                          double *x)
{
    *info = (dd_staged_info){.converged = true};
    dd_status st = DD_OK;
    for (uint32_t stage = 0; st == DD_OK && info->converged && stage < problem->stages; stage++) {
        stage_work s = {.ctx = ctx, .p = problem, .weight = weight, .x = x, .stage = stage};
        st = solve_stage(&s, info);
    }
    return st;
}
