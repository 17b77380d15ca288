/* shooting_nlp.c - multiple shooting as a nonlinear program: the elements over the nodes, plus the
 * intervals. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "ocp/shooting_impl.h"

/* ---- patterns: those of the elements, then the entries of the intervals that are not among them ---- */

typedef struct merge {
    dd_pool *pool;
    dd_map place; /* row, column -> position + 1 */
    DD_VEC(uint32_t) row, col;
} merge;

static uint32_t position(merge *m, uint32_t row, uint32_t col)
{
    /* positions of equal entries are the same: both parts are added up there */
    uint64_t key = (uint64_t)row << 32 | col;
    uint32_t at = dd_map_get(&m->place, key);
    if (at == 0) {
        dd_vec_push(m->pool, &m->row, row);
        dd_vec_push(m->pool, &m->col, col);
        at = m->row.len;
        dd_map_put(&m->place, key, at);
    }
    return at - 1;
}

static merge begin_merge(dd_pool *pool, const uint32_t *row, const uint32_t *col, uint32_t nnz)
{
    merge m = {.pool = pool, .place = dd_map_new(pool)};
    for (uint32_t k = 0; k < nnz; k++) {
        position(&m, row[k], col[k]);
    }
    return m;
}

static void merge_jacobian(dd_shooting *s)
{
    const dd_nlp *outer = s->outer;
    merge m = begin_merge(s->pool, outer->jacobian_row, outer->jacobian_col, outer->jacobian_nnz);
    uint32_t nq = s->nq, per = s->nx + s->n_rows, *at;
    s->jacobian_at = at = dd_pool_alloc_array(s->pool, (size_t)s->intervals * per * nq + 1, sizeof *at);
    /* every row of an interval depends on all of its q: dense blocks of nq columns */
    for (uint32_t k = 0; k < s->intervals; k++) {
        for (uint32_t r = 0; r < per; r++) {
            uint32_t row = r < s->nx ? s->continuity_at[k] + r : s->stage_rows_at[k] + r - s->nx;
            for (uint32_t c = 0; c < nq; c++) {
                *at++ = position(&m, row, s->columns[(size_t)k * nq + c]);
            }
        }
    }
    /* taps depend on the q of their interval */
    for (uint32_t i = 0; i < s->taps.len; i++) {
        dd_tap *tap = &s->taps.data[i];
        uint32_t rows = (tap->x_at != DD_NO_ROW ? s->nx : 0) + (tap->z_at != DD_NO_ROW ? s->nz : 0);
        tap->jacobian_at = at = dd_pool_alloc_array(s->pool, (size_t)rows * nq + 1, sizeof *at);
        for (uint32_t r = 0; r < rows; r++) {
            for (uint32_t c = 0; c < nq; c++) {
                *at++ = position(&m, tap->row + r, s->columns[(size_t)tap->interval * nq + c]);
            }
        }
    }
    s->nlp.jacobian_row = m.row.data;
    s->nlp.jacobian_col = m.col.data;
    s->nlp.jacobian_nnz = m.row.len;
    dd_map_free(&m.place);
}

static void merge_hessian(dd_shooting *s)
{
    const dd_nlp *outer = s->outer;
    merge m = begin_merge(s->pool, outer->hessian_row, outer->hessian_col, outer->hessian_nnz);
    uint32_t nq = s->nq, *at;
    s->hessian_at = at = dd_pool_alloc_array(s->pool, (size_t)s->intervals * nq * (nq + 1) / 2 + 1, sizeof *at);
    /* lower triangle, the larger variable first */
    for (uint32_t k = 0; k < s->intervals; k++) {
        const uint32_t *columns = s->columns + (size_t)k * nq;
        for (uint32_t a = 0; a < nq; a++) {
            for (uint32_t b = 0; b <= a; b++) {
                uint32_t high = columns[a] > columns[b] ? columns[a] : columns[b];
                *at++ = position(&m, high, columns[a] + columns[b] - high);
            }
        }
    }
    s->nlp.hessian_row = m.row.data;
    s->nlp.hessian_col = m.col.data;
    s->nlp.hessian_nnz = m.row.len;
    dd_map_free(&m.place);
}

/* ---- functions ---- */

/* True: the stages are solved at y. *fresh: the elements must read y again. */
static bool solved_at(dd_shooting *s, const double *y, bool new_x, bool *fresh)
{
    /* solvers ask for objective, constraints and derivatives at one point: the steps are computed once */
    *fresh = new_x || !s->have_y;
    if (*fresh || !s->have_values) {
        dd_shooting_values(s, y);
        s->have_y = true;
    }
    return s->values_ok;
}

static bool differentiated_at(dd_shooting *s, const double *y, bool new_x, bool *fresh)
{
    if (!solved_at(s, y, new_x, fresh)) {
        return false;
    }
    return s->have_first ? s->first_ok : dd_shooting_first(s);
}

static bool shooting_objective(void *user, const double *y, bool new_x, double *out)
{
    dd_shooting *s = user;
    bool fresh, ok = solved_at(s, y, new_x, &fresh);
    ok = s->outer->objective(s->outer->user, y, fresh, out) && ok;
    *out += s->objective;
    return ok && isfinite(*out);
}

static bool shooting_gradient(void *user, const double *y, bool new_x, double *out)
{
    dd_shooting *s = user;
    bool fresh, ok = differentiated_at(s, y, new_x, &fresh);
    ok = s->outer->gradient(s->outer->user, y, fresh, out) && ok;
    /* of the stage costs; the elements have that of the Mayer term */
    for (size_t k = 0; k < s->intervals && ok; k++) {
        for (uint32_t i = 0; i < s->nq; i++) {
            out[s->columns[k * s->nq + i]] += s->cost[k * s->qs + i];
        }
    }
    return ok && dd_all_finite(out, s->nlp.n);
}

static void add_stage_values(const dd_shooting *s, const dd_level *level, uint32_t i, double *c)
{
    const dd_ocp_problem *o = s->t->o;
    uint32_t g = level->substep * s->stages + level->first + i;
    for (uint32_t k = 0; k < s->intervals; k++) {
        double *rows = c + s->stage_rows_at[k];
        const double *out = level->out + i * s->intervals + k, *in = level->in + i * s->intervals + k;
        /* path rows are outputs of the stage functions, bounds are inputs of them */
        for (uint32_t r = 0; r < s->n_stage_outputs; r++) {
            uint32_t row = s->path_row[(size_t)g * s->n_stage_outputs + r];
            if (row != DD_NO_ROW) {
                rows[row] += out[(s->out_path + r) * level->ld];
            }
        }
        for (uint32_t b = 0; b < s->bounds[g].len; b++) {
            const dd_stage_bound *at = &s->bounds[g].data[b];
            uint32_t input = at->algebraic ? s->nx + at->index : at->index;
            double scale = at->algebraic ? o->z.data[at->index].scale : o->x.data[at->index].scale;
            rows[at->row] += in[input * level->ld] / scale;
        }
    }
}

static void add_tap_values(const dd_shooting *s, const dd_tap *tap, double *c)
{
    const double *w = s->w + (size_t)tap->interval * s->nw + (size_t)tap->substep * s->stages * s->ns;
    const double *x = s->ends + ((size_t)tap->interval * (s->substeps + 1) + tap->substep) * s->nx;
    double *row = c + tap->row;
    /* tap - (X_m + sum_j B_j K_j) and tap - sum_j v_j z_j */
    for (uint32_t i = 0; i < s->nx && tap->x_at != DD_NO_ROW; i++, row++) {
        *row -= x[i];
        for (uint32_t j = 0; j < s->stages; j++) {
            *row -= tap->x_weight[j] * w[j * s->ns + i];
        }
    }
    for (uint32_t i = 0; i < s->nz && tap->z_at != DD_NO_ROW; i++, row++) {
        for (uint32_t j = 0; j < s->stages; j++) {
            *row -= tap->z_weight[j] * w[j * s->ns + s->nx + i];
        }
    }
}

static bool shooting_constraints(void *user, const double *y, bool new_x, double *c)
{
    dd_shooting *s = user;
    bool fresh, ok = solved_at(s, y, new_x, &fresh);
    ok = s->outer->constraints(s->outer->user, y, fresh, c) && ok;
    /* the elements have x_{k+1}; -X_M completes the defect */
    for (uint32_t k = 0; k < s->intervals; k++) {
        const double *end = s->ends + ((size_t)k * (s->substeps + 1) + s->substeps) * s->nx;
        for (uint32_t i = 0; i < s->nx; i++) {
            c[s->continuity_at[k] + i] -= end[i];
        }
    }
    /* rows at the stages */
    for (uint32_t l = 0; l < s->n_levels && s->n_rows > 0; l++) {
        for (uint32_t i = 0; i < s->levels[l].n; i++) {
            add_stage_values(s, &s->levels[l], i, c);
        }
    }
    for (uint32_t i = 0; i < s->taps.len; i++) {
        add_tap_values(s, &s->taps.data[i], c);
    }
    return ok && dd_all_finite(c, s->nlp.m);
}

static void subtract(const dd_shooting *s, const uint32_t *at, double factor, const double *rows, uint32_t n,
                     double *out)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = 0; c < s->nq; c++) {
            out[*at++] -= factor * rows[(size_t)i * s->qs + c];
        }
    }
}

static void add_tap_first(const dd_shooting *s, const dd_tap *tap, double *out)
{
    /* the same with derivatives: dX_m and dK_j are rows by q */
    size_t qs = s->qs;
    const double *w = s->dw + ((size_t)tap->interval * s->nw + (size_t)tap->substep * s->stages * s->ns) * qs;
    const double *x = s->dends + ((size_t)tap->interval * (s->substeps + 1) + tap->substep) * s->nx * qs;
    const uint32_t *of_x = tap->jacobian_at, *of_z = of_x + (tap->x_at != DD_NO_ROW ? s->nx * s->nq : 0);
    if (tap->x_at != DD_NO_ROW) {
        subtract(s, of_x, 1, x, s->nx, out);
    }
    for (uint32_t j = 0; j < s->stages; j++) {
        if (tap->x_at != DD_NO_ROW) {
            subtract(s, of_x, tap->x_weight[j], w + j * s->ns * qs, s->nx, out);
        }
        if (tap->z_at != DD_NO_ROW) {
            subtract(s, of_z, tap->z_weight[j], w + (j * s->ns + s->nx) * qs, s->nz, out);
        }
    }
}

static bool shooting_jacobian(void *user, const double *y, bool new_x, double *out)
{
    dd_shooting *s = user;
    bool fresh, ok = differentiated_at(s, y, new_x, &fresh);
    /* entries of the intervals alone are zero before anything is added */
    memset(out, 0, s->nlp.jacobian_nnz * sizeof *out);
    ok = s->outer->jacobian(s->outer->user, y, fresh, out) && ok;
    const uint32_t *at = s->jacobian_at;
    for (size_t row = 0; row < (size_t)s->intervals * (s->nx + s->n_rows) && ok; row++) {
        for (uint32_t i = 0; i < s->nq; i++) {
            out[*at++] += s->rows[row * s->qs + i];
        }
    }
    for (uint32_t i = 0; i < s->taps.len && ok; i++) {
        add_tap_first(s, &s->taps.data[i], out);
    }
    return ok && dd_all_finite(out, s->nlp.jacobian_nnz);
}

static bool shooting_hessian(void *user, const double *y, bool new_x, double sigma, const double *lambda, double *out)
{
    dd_shooting *s = user;
    bool fresh, ok = differentiated_at(s, y, new_x, &fresh);
    /* Gauss-Newton: multipliers of rows are left out everywhere */
    const double *weights = s->gauss_newton ? s->zero_lambda : lambda;
    memset(out, 0, s->nlp.hessian_nnz * sizeof *out);
    ok = s->outer->hessian(s->outer->user, y, fresh, sigma, weights, out) && ok;
    return ok && dd_shooting_second(s, sigma, weights, out) && dd_all_finite(out, s->nlp.hessian_nnz);
}

const dd_nlp *dd_shooting_finish(dd_shooting *s, const dd_nlp *outer)
{
    s->outer = outer;
    /* bounds, rows and sizes are those of the elements; only the functions differ */
    s->nlp = *outer;
    s->nlp.user = s;
    s->y = dd_pool_alloc_array(s->pool, outer->n + 1, sizeof *s->y);
    s->y_base = dd_pool_alloc_array(s->pool, outer->n + 1, sizeof *s->y_base);
    s->zero_lambda = dd_pool_alloc_array(s->pool, outer->m + 1, sizeof *s->zero_lambda);
    merge_jacobian(s);
    merge_hessian(s);
    s->nlp.objective = shooting_objective;
    s->nlp.gradient = shooting_gradient;
    s->nlp.constraints = shooting_constraints;
    s->nlp.jacobian = shooting_jacobian;
    s->nlp.hessian = shooting_hessian;
    return &s->nlp;
}
