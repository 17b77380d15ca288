/* staged.c - damped Gauss-Newton (gauss_newton.h) with minimum-norm steps.
 *
 * The iteration goes on until the steps are at rounding level, not until the residual is small: where a constraint's
 * gradient vanishes on its own manifold ((x^2 + y^2 - 1)^2 = 0) a small residual still hides a gradient of 1e-6, and
 * rank decisions at such a point would be wrong. Convergence is then linear with factor 1/2, which the iteration
 * limit allows for.
 */
#include "nls/staged.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "la/linsolver.h"
#include "la/minnorm.h"
#include "nls/equilibrate.h"
#include "nls/gauss_newton.h"

enum { MAX_ITERATIONS = 70, MAX_HALVINGS = 12 };
static const double step_goal = 1e-14; /* relative to max(1, |x|): rounding level */
static const double fast_step = 1e-7,
                    fast_ratio = 1e-3;    /* linear or quadratic convergence: one more digit pair is there */
static const double residual_goal = 1e-8; /* relative to the size of the row's terms */
static const double regularise = 1e-6;    /* Levenberg term for a rank-deficient stage, relative to the matrix */
static const double rank_tol = 1e-11;     /* of a stage: well above the rounding errors of the derivatives */
static const double still_moving = 1e-3;  /* a step of that length is on its way to infinity where the iteration ends */
static const double least_rcond = 1e-14;  /* of a square stage that is solved by its LU */
#define NO_ROOT 1.0                       /* a residual that is none of rounding */
static const double least_terms = 1e-3;   /* rows with smaller terms are measured against this */
static const double decrease = 1e-4;      /* of the residual, relative to a linear model (Armijo) */

typedef struct stage_work {
    dd_context *ctx;
    const dd_staged_problem *p;
    const double *weight;
    double *x; /* all unknowns */
    uint32_t stage;
    dd_csc j;
    const uint32_t *unknown;
    double *r, *trial_r, *rhs, *dx, *w, *trial, *row_size;
    double *col_scale;    /* room for scales of the columns */
    double *row_scale;    /* powers of two that bring the rows of J W to largest entries in [1, 2) */
    dd_minnorm *solver;   /* NULL until it is needed where the stage is square and large */
    dd_linsolver *square; /* as many rows as unknowns: the step is unique, one sparse LU finds it */
    dd_csc matched;       /* the matrix with its columns in the order of their matched rows */
    uint32_t *column;     /* matched column -> column */
    uint32_t *row_match;
    bool any_pivot; /* last resort: steps of a square stage with whatever pivots there are */
} stage_work;

enum { SQUARE_SIZE = 60 }; /* smaller stages use dense minimum-norm steps, which bear any rank */

/* The size of the scaled residual, so that the units of equations do not matter. */
static double residual_norm(const stage_work *s, const double *r)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        sum += r[i] * s->row_scale[i] * r[i] * s->row_scale[i];
    }
    return sqrt(sum);
}

/* Scales the rows of J, which may be scaled already. A smallest correction does not depend on that, but the rank that
 * rounding leaves does: ohms and farads are many powers of ten apart. */
static void scale_rows(stage_work *s)
{
    double *most = s->rhs; /* free until the step is asked for */
    memset(most, 0, s->j.nrows * sizeof *most);
    /* |J_ij| w_j: the matrix as the weighted minimum-norm step sees it */
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        for (uint32_t k = s->j.ptr[c]; k < s->j.ptr[c + 1]; k++) {
            most[s->j.idx[k]] = fmax(most[s->j.idx[k]], fabs(s->j.val[k]) * s->w[c]);
        }
    }
    /* powers of two are exact, so that a regular matrix is not changed by them */
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        int exponent = 0;
        frexp(most[i], &exponent);
        most[i] = most[i] > 0 ? ldexp(1.0, 1 - exponent) : 1.0;
        s->row_scale[i] *= most[i];
    }
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        for (uint32_t k = s->j.ptr[c]; k < s->j.ptr[c + 1]; k++) {
            s->j.val[k] *= most[s->j.idx[k]];
        }
    }
}

/* The size of a row's terms: largest |J_ij| max(1, |x_j|). */
static void row_sizes(stage_work *s)
{
    memset(s->row_size, 0, s->j.nrows * sizeof *s->row_size);
    /* unknowns near zero are taken as of size 1 */
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
        double scaled = fabs(s->r[i]) / fmax(s->row_size[i], least_terms);
        if (!(scaled <= worst)) {
            worst = scaled;
            *row = i;
        }
    }
    return worst;
}

/* Every residual is within the rounding error of its terms. */
static bool at_rounding_level(const stage_work *s)
{
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        /* 4 eps: a handful of operations, each with half an eps */
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

static dd_status factor(stage_work *s, dd_minnorm_info *info)
{
    dd_status st = s->solver ? DD_OK : dd_minnorm_new(&s->solver, s->ctx, &s->j);
    st = st == DD_OK ? dd_minnorm_factor(s->solver, &s->j, s->w, 0.0, rank_tol) : st;
    if (st == DD_OK) {
        *info = dd_minnorm_get_info(s->solver);
    }
    return st;
}

/* Rows that look dependent may only be far apart in size: columns are scaled too, from here on, if that helps. */
static dd_status factor_scaled(stage_work *s, dd_minnorm_info *info)
{
    bool found = false;
    dd_status st = dd_equilibrate_columns(s->ctx, &s->j, s->col_scale, &found);
    if (st != DD_OK || !found) {
        return st;
    }
    /* both sides scaled: a smallest correction in the new weights is another one, but the rank is clear */
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        s->w[c] *= s->col_scale[c];
    }
    scale_rows(s);
    st = factor(s, info);
    /* no help: back to the caller's weights, whose smallest correction is the one asked for */
    if (st == DD_OK && info->singular) {
        for (uint32_t c = 0; c < s->j.ncols; c++) {
            s->w[c] /= s->col_scale[c];
        }
        scale_rows(s);
        st = factor(s, info);
    }
    return st;
}

static dd_status minimum_norm_step(stage_work *s)
{
    dd_minnorm_info info = {0};
    dd_status st = factor(s, &info);
    if (st == DD_OK && info.singular) {
        st = factor_scaled(s, &info);
    }
    /* Levenberg: the step of [J; mu I] exists for any rank and tends to the minimum-norm one */
    if (st == DD_OK && info.singular && !info.dense) {
        double mu = regularise * matrix_size(&s->j, s->w);
        st = dd_minnorm_factor(s->solver, &s->j, s->w, mu * mu + 1e-300, 0.0);
    }
    /* the right-hand side in the row scales that are in use now */
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        s->rhs[i] = -s->r[i] * s->row_scale[i];
    }
    return st == DD_OK ? dd_minnorm_solve(s->solver, s->rhs, s->dx, NULL) : st;
}

/* Prepares the sparse LU of a square stage; leaves s->square NULL when the pattern has no transversal. */
static dd_status prepare_square(stage_work *s)
{
    uint32_t size = 0, n = s->j.ncols;
    /* columns of J are rows of its transpose; a transversal puts a nonzero on every diagonal place */
    dd_pattern transposed = {n, n, s->j.ptr, s->j.idx};
    dd_status st = dd_graph_match(&size, s->ctx, &transposed, NULL, false, s->row_match, s->column);
    if (st != DD_OK || size < n) {
        return st;
    }
    st = dd_csc_new(&s->matched, s->ctx, n, n, s->j.ptr[n]);
    /* columns in the order of their matched rows: KLU then finds its pivots near the diagonal */
    for (uint32_t c = 0, at = 0; st == DD_OK && c < n; c++) {
        for (uint32_t k = s->j.ptr[s->column[c]]; k < s->j.ptr[s->column[c] + 1]; k++) {
            s->matched.idx[at++] = s->j.idx[k];
        }
        s->matched.ptr[c + 1] = at;
    }
    st = st == DD_OK ? dd_linsolver_new(&s->square, s->ctx, "klu") : st;
    if (st == DD_OK) {
        dd_linsolver_set_one_block(s->square);
        dd_linsolver_set_singular(s->square, s->any_pivot ? 0.0 : least_rcond);
        st = dd_linsolver_analyse(s->square, &s->matched);
    }
    return st;
}

/* The step of a square stage; *done stays false when the matrix is singular. */
static dd_status square_step(stage_work *s, bool *done)
{
    /* values follow the pattern's permutation */
    for (uint32_t c = 0, at = 0; c < s->j.ncols; c++) {
        for (uint32_t k = s->j.ptr[s->column[c]]; k < s->j.ptr[s->column[c] + 1]; k++) {
            s->matched.val[at++] = s->j.val[k];
        }
    }
    dd_status st = dd_linsolver_refactor(s->square, &s->matched);
    if (st != DD_OK || dd_linsolver_get_info(s->square).singular) {
        return st;
    }
    /* undo the permutation of columns */
    st = dd_linsolver_solve(s->square, 1, s->rhs);
    for (uint32_t c = 0; st == DD_OK && c < s->j.ncols; c++) {
        s->dx[s->column[c]] = s->rhs[c];
    }
    *done = st == DD_OK;
    return st;
}

static dd_status find_step(stage_work *s)
{
    /* scales from scratch: J has changed by orders of magnitude where exponentials are in it */
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        s->row_scale[i] = 1.0;
    }
    scale_rows(s);
    for (uint32_t i = 0; i < s->j.nrows; i++) {
        s->rhs[i] = -s->r[i] * s->row_scale[i];
    }
    /* a unique step needs no least norm; a singular matrix falls through to it */
    if (s->square) {
        bool done = false;
        dd_status square = square_step(s, &done);
        if (done || square != DD_OK) {
            return square;
        }
    }
    return minimum_norm_step(s);
}

/* ---- the iteration, as gauss_newton.h asks for it ---- */

static int stage_residual(void *user, const double *x, double *r)
{
    const stage_work *s = user;
    return s->p->residual(s->p->user, s->stage, x, r);
}

static double stage_size(void *user, const double *r)
{
    return residual_norm(user, r);
}

static dd_status stage_step(void *user, const double *x, const double *r, double *dx, dd_correction *found)
{
    stage_work *s = user;
    (void)r; /* s->r, s->dx */
    (void)dx;
    /* beyond the domain of derivatives there is nothing to linearise */
    if (s->p->jacobian(s->p->user, s->stage, x, &s->j) != 0) {
        *found = DD_CORRECTION_MISSING;
        return DD_OK;
    }
    /* measured with J before its rows are scaled; a residual at rounding level cannot become smaller */
    row_sizes(s);
    if (at_rounding_level(s)) {
        *found = DD_CORRECTION_NOT_NEEDED;
        return DD_OK;
    }
    return find_step(s);
}

/* The full step, relative to max(1, |x|). */
static double stage_length(void *user, const double *x, const double *dx)
{
    const stage_work *s = user;
    double size = 0;
    for (uint32_t c = 0; c < s->j.ncols; c++) {
        size = fmax(size, fabs(dx[c]) / fmax(1.0, fabs(x[s->unknown[c]])));
    }
    return size;
}

/* Leaves the scaled residual of the worst row, INFINITY where nothing is finite, and where there is no root in sight: exp(z) = 0
 * has as small a residual as is wanted, and its steps never become shorter. */
static dd_status iterate(stage_work *s, dd_staged_info *info, double *worst, uint32_t *row)
{
    const dd_gauss_newton g = {.user = s,
                               .n = s->j.ncols,
                               .rows = s->j.nrows,
                               .unknown = s->unknown,
                               .residual = stage_residual,
                               .size = stage_size,
                               .step = stage_step,
                               .length = stage_length,
                               .x = s->x,
                               .r = s->r,
                               .dx = s->dx,
                               .trial = s->trial,
                               .trial_r = s->trial_r,
                               .most_steps = MAX_ITERATIONS,
                               .trials = MAX_HALVINGS + 1,
                               .decrease = decrease,
                               .short_step = fast_step,
                               .residual_goal = -1,
                               .step_goal = step_goal,
                               .fast_ratio = fast_ratio};
    dd_gauss_newton_info run;
    dd_status st = dd_gauss_newton_run(&run, s->ctx, &g);
    info->iterations += run.steps;
    /* without a residual or a Jacobian at the beginning there is nothing to measure */
    *worst = INFINITY;
    if (run.end != DD_END_NOT_FINITE && (run.end != DD_END_NO_STEP || run.steps > 0)) {
        const bool runs_away = run.end == DD_END_TOO_MANY && run.step > still_moving;
        const double size = worst_row(s, row);
        *worst = runs_away ? fmax(size, NO_ROOT) : size;
    }
    return st;
}

/* Rows that are dependent up to rounding, in a stage with as many unknowns: elimination often separates them where
 * singular values do not, as sums and differences of the same few numbers stay exact in it. */
static dd_status any_pivot_steps(stage_work *s, dd_staged_info *info, double *worst, uint32_t *row)
{
    dd_linsolver_free(s->square);
    dd_csc_free(s->ctx, &s->matched);
    s->square = NULL;
    s->matched = (dd_csc){0};
    s->any_pivot = true;
    dd_status st = prepare_square(s);
    return st == DD_OK && s->square ? iterate(s, info, worst, row) : st;
}

static dd_status find_root(stage_work *s, dd_staged_info *info)
{
    double worst = INFINITY;
    uint32_t row = 0;
    dd_status st = iterate(s, info, &worst, &row);
    /* no root with independent rows only: perhaps rounding took them for dependent */
    if (st == DD_OK && !(worst <= residual_goal) && isfinite(worst) && s->j.nrows == s->j.ncols) {
        st = any_pivot_steps(s, info, &worst, &row);
    }
    if (st == DD_OK && !(worst <= residual_goal)) {
        info->converged = false;
        info->stage = s->stage;
        info->row = row;
        info->residual = worst;
    }
    return st;
}

static dd_status solve_stage(stage_work *s, dd_staged_info *info)
{
    /* the arrays of the pattern stay the problem's */
    s->p->shape(s->p->user, s->stage, &s->j, &s->unknown);
    if (s->j.nrows == 0 || s->j.ncols == 0) {
        return DD_OK;
    }
    /* workspace of one stage; the next one may have another size */
    dd_work w = {.ctx = s->ctx};
    s->r = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->trial_r = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->rhs = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->row_size = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->row_scale = dd_work_array(&w, s->j.nrows, sizeof *s->r);
    s->dx = dd_work_array(&w, s->j.ncols, sizeof *s->dx);
    s->w = dd_work_array(&w, s->j.ncols, sizeof *s->w);
    s->col_scale = dd_work_array(&w, s->j.ncols, sizeof *s->col_scale);
    s->trial = dd_work_array(&w, s->p->n, sizeof *s->trial);
    s->column = dd_work_array(&w, s->j.ncols, sizeof *s->column);
    s->row_match = dd_work_array(&w, s->j.ncols, sizeof *s->row_match);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    /* large and square: the step is unique, and a sparse LU is far cheaper than a minimum norm */
    if (st == DD_OK && s->j.nrows == s->j.ncols && s->j.nrows > SQUARE_SIZE) {
        st = prepare_square(s);
    }
    if (st == DD_OK) {
        /* unknowns of earlier stages keep their values in the trial point */
        memcpy(s->trial, s->x, s->p->n * sizeof *s->x);
        for (uint32_t c = 0; c < s->j.ncols; c++) {
            s->w[c] = s->weight[s->unknown[c]];
        }
        st = find_root(s, info);
    }
    dd_minnorm_free(s->solver);
    dd_linsolver_free(s->square);
    dd_csc_free(s->ctx, &s->matched);
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
