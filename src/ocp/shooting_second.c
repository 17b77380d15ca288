/* shooting_second.c - the exact Hessian of the reduced Lagrangian. The adjoint of an interval runs backwards
 * through its levels and determines the multiplier mu of each stage equation; then every stage adds V^T H V. */
#include <math.h>
#include <string.h>

#include "ocp/shooting_impl.h"

/* Loops run over the intervals inside those over levels and stages: values of neighbouring points are neighbours. */

/* ---- multipliers ---- */

static double *adjoint_x(const dd_shooting *s, uint32_t k)
{
    return s->adjoint_x + (size_t)k * s->nx;
}

static double *adjoint_w(const dd_shooting *s, uint32_t k, uint32_t g)
{
    return s->adjoint_w + (size_t)k * s->nw + (size_t)g * s->ns;
}

/* Taps of an interval: rows  tap - (X_m + sum_i B_i K_i)  and  tap - sum_i v_i z_i. */
static void add_taps(const dd_shooting *s, uint32_t m, const double *lambda)
{
    /* derivative of lambda^T (tap rows) by X_m, K_i and z_i of the step that the tap lies in */
    for (uint32_t i = 0; i < s->taps.len; i++) {
        const dd_tap *tap = &s->taps.data[i];
        if (tap->substep != m) {
            continue;
        }
        const double *x = lambda + tap->row, *z = x + (tap->x_at != DD_NO_ROW ? s->nx : 0);
        for (uint32_t c = 0; c < s->nx && tap->x_at != DD_NO_ROW; c++) {
            adjoint_x(s, tap->interval)[c] -= x[c];
        }
        for (uint32_t j = 0; j < s->stages; j++) {
            double *w = adjoint_w(s, tap->interval, m * s->stages + j);
            for (uint32_t c = 0; c < s->nx && tap->x_at != DD_NO_ROW; c++) {
                w[c] -= tap->x_weight[j] * x[c];
            }
            for (uint32_t c = 0; c < s->nz && tap->z_at != DD_NO_ROW; c++) {
                w[s->nx + c] -= tap->z_weight[j] * z[c];
            }
        }
    }
}

/* The part of a stage's state in the adjoint of X_m and of K_j, j < before. */
static void spread(const dd_shooting *s, uint32_t k, uint32_t m, uint32_t stage, uint32_t before)
{
    const double *a = s->tableau->A + (size_t)stage * s->stages;
    double *x = adjoint_x(s, k), *w = adjoint_w(s, k, m * s->stages);
    /* x_i = X_m + sum_j A_ij K_j, transposed */
    for (uint32_t c = 0; c < s->nx; c++) {
        x[c] += s->stage_x[c];
    }
    for (uint32_t j = 0; j < before; j++) {
        for (uint32_t c = 0; c < s->nx && a[j] != 0; c++) {
            w[(size_t)j * s->ns + c] += a[j] * s->stage_x[c];
        }
    }
}

/* stage_x and the adjoint of z from weights of the outputs from `begin` to `end` - 1 of the stage functions. */
static void pull_back(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, uint32_t begin, uint32_t end)
{
    const dd_ocp_problem *o = s->t->o;
    const double *values = level->first_out + i * s->intervals + k;
    const double *weights = level->weights + i * s->intervals + k;
    double *w = adjoint_w(s, k, level->substep * s->stages + level->first + i);
    /* sum over outputs of weight * d(output)/d(input): one column of V^T at a time */
    for (uint32_t c = 0; c < s->ns; c++) {
        double sum = 0;
        for (uint32_t e = s->jacobian->ptr[c]; e < s->jacobian->ptr[c + 1]; e++) {
            uint32_t out = s->jacobian->idx[e];
            sum += out >= begin && out < end ? weights[out * level->ld] * values[e * level->ld] : 0;
        }
        if (c < s->nx) {
            s->stage_x[c] += sum * o->x.data[c].scale;
        } else {
            w[c] += sum * o->z.data[c - s->nx].scale;
        }
    }
}

/* Weights of cost and rows of a stage, and their part in the adjoint. */
static void stage_rows(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, double sigma,
                       const double *lambda)
{
    uint32_t g = level->substep * s->stages + level->first + i;
    double *weights = level->weights + i * s->intervals + k;
    const double *rows = lambda + s->stage_rows_at[k];
    /* weights of the Lagrangian: sigma b_i for h L, lambda for path rows */
    if (s->out_cost < s->n_out) {
        weights[s->out_cost * level->ld] = sigma * s->tableau->b[level->first + i];
    }
    for (uint32_t r = 0; r < s->n_stage_outputs; r++) {
        uint32_t row = s->path_row[(size_t)g * s->n_stage_outputs + r];
        weights[(s->out_path + r) * level->ld] = row != DD_NO_ROW ? rows[row] : 0;
    }
    /* their derivatives by x_i and z_i; bounds at stages are single inputs */
    memset(s->stage_x, 0, s->nx * sizeof *s->stage_x);
    pull_back(s, level, k, i, s->ns, s->n_out);
    for (uint32_t b = 0; b < s->bounds[g].len; b++) {
        const dd_stage_bound *at = &s->bounds[g].data[b];
        double *to = at->algebraic ? adjoint_w(s, k, g) + s->nx : s->stage_x;
        to[at->index] += rows[at->row];
    }
    spread(s, k, level->substep, level->first + i, level->first + level->n);
}

/* R_w^T mu = -dL/dw of the level; mu becomes weights of h f and g. */
static void solve_adjoint(dd_shooting *s, const dd_level *level, uint32_t k)
{
    const dd_ocp_problem *o = s->t->o;
    const double *w = adjoint_w(s, k, level->substep * s->stages + level->first);
    /* R_w^T mu = -dL/dw; for explicit stages R_w is the identity */
    for (uint32_t i = 0; i < level->size; i++) {
        s->mu[i] = -w[i];
    }
    if (!level->direct) {
        dd_level_solve_transposed(level, k, s->mu);
    }
    /* R contains K - h f / scale: the weight of h f is -mu / scale, that of g is mu */
    for (uint32_t i = 0; i < level->n; i++) {
        double *weights = level->weights + i * s->intervals + k;
        for (uint32_t c = 0; c < s->ns; c++) {
            double mu = s->mu[i * s->ns + c];
            weights[c * level->ld] = c < s->nx ? -mu / o->x.data[c].scale : mu;
        }
    }
    for (uint32_t i = 0; i < level->n; i++) { /* mu^T R by X_m and earlier stages */
        memset(s->stage_x, 0, s->nx * sizeof *s->stage_x);
        pull_back(s, level, k, i, 0, s->ns);
        spread(s, k, level->substep, level->first + i, level->first);
    }
}

/* X_{m+1} = X_m + sum b_i K_i */
static void enter_step(const dd_shooting *s, uint32_t m, const double *lambda, double *ends)
{
    /* reverse mode begins with the multipliers at the right end of the step */
    for (uint32_t k = 0; k < s->intervals; k++) {
        const double *x = adjoint_x(s, k);
        if (ends != NULL) {
            memcpy(ends + ((size_t)k * (s->substeps + 1) + m + 1) * s->nx, x, s->nx * sizeof *x);
        }
        for (uint32_t i = 0; i < s->stages; i++) {
            double *w = adjoint_w(s, k, m * s->stages + i);
            for (uint32_t c = 0; c < s->nx; c++) {
                w[c] += s->tableau->b[i] * x[c];
            }
        }
    }
    add_taps(s, m, lambda);
}

/* ends: NULL, or where the adjoints of X_1 .. X_M of all intervals go. */
static void adjoint(dd_shooting *s, double sigma, const double *lambda, double *ends)
{
    memset(s->adjoint_w, 0, (size_t)s->intervals * s->nw * sizeof *s->adjoint_w);
    /* the row x_{k+1} - X_M has derivative -1 by X_M */
    for (uint32_t k = 0; k < s->intervals; k++) {
        for (uint32_t c = 0; c < s->nx; c++) {
            adjoint_x(s, k)[c] = -lambda[s->continuity_at[k] + c];
        }
    }
    /* backwards in time: everything that uses a stage has added its part before mu of the stage is solved for */
    for (uint32_t l = s->n_levels; l-- > 0;) {
        const dd_level *level = &s->levels[l];
        if (level->first + level->n == s->stages) {
            enter_step(s, level->substep, lambda, ends);
        }
        /* first the direct part of rows, then the equation itself */
        for (uint32_t k = 0; k < s->intervals; k++) {
            for (uint32_t i = 0; i < level->n; i++) {
                stage_rows(s, level, k, i, sigma, lambda);
            }
            solve_adjoint(s, level, k);
        }
    }
}

/* A stage's equation K = h f has the weight b_i lambda(t_i) in the Lagrangian. */
static void stage_costates(const dd_shooting *s, const dd_level *level, double *stages)
{
    for (uint32_t i = 0; i < level->n; i++) {
        uint32_t g = level->substep * s->stages + level->first + i;
        double b = s->tableau->b[level->first + i];
        for (uint32_t k = 0; k < s->intervals; k++) {
            double *to = stages + ((size_t)k * s->substeps * s->stages + g) * s->nx;
            for (uint32_t c = 0; c < s->nx; c++) {
                to[c] = b != 0 ? level->weights[c * level->ld + i * s->intervals + k] / b : NAN;
            }
        }
    }
}

bool dd_shooting_costates(dd_shooting *s, const double *y, const double *lambda, double *ends, double *stages)
{
    /* the factors and Jacobians that the adjoint needs are those at y */
    bool ok = dd_shooting_values(s, y) && dd_shooting_first(s);
    s->have_y = false; /* the elements have not seen it */
    if (!ok) {
        return false;
    }
    /* sigma = 1: costates of the cost itself */
    adjoint(s, 1, lambda, ends);
    /* scaled rows: lambda = dJ/dx has the unit of the cost over that of x */
    for (uint32_t k = 0; k < s->intervals; k++) {
        double *to = ends + (size_t)k * (s->substeps + 1) * s->nx;
        memcpy(to, adjoint_x(s, k), s->nx * sizeof *to);
        for (uint32_t i = 0; i < (s->substeps + 1) * s->nx; i++) {
            to[i] /= s->t->o->x.data[i % s->nx].scale;
        }
    }
    for (uint32_t l = 0; l < s->n_levels; l++) {
        stage_costates(s, &s->levels[l], stages);
    }
    return true;
}

/* Curvature of the cost alone: positive semidefinite for a convex integrand. */
static void cost_weights(dd_shooting *s, double sigma)
{
    /* sigma b_i on h L and nothing else: curvature of rows and of the dynamics is neglected */
    for (uint32_t l = 0; l < s->n_levels; l++) {
        const dd_level *level = &s->levels[l];
        memset(level->weights, 0, s->n_out * level->ld * sizeof *level->weights);
        for (uint32_t i = 0; i < level->n && s->out_cost < s->n_out; i++) {
            double *weights = level->weights + s->out_cost * level->ld + i * s->intervals;
            for (uint32_t k = 0; k < s->intervals; k++) {
                weights[k] = sigma * s->tableau->b[level->first + i];
            }
        }
    }
}

/* ---- V^T H V ---- */

DD_CLONES static void sandwich(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, double *out)
{
    const dd_derivative *h = s->hessian;
    const double *values = level->second_out + i * s->intervals + k;
    size_t qs = s->qs;
    dd_shooting_inputs(s, k, level->substep * s->stages + level->first + i, 0, 0, s->v);
    /* H V with the symmetric half of H, then V^T (H V) over inputs that have curvature */
    memset(s->hv, 0, s->n_live * qs * sizeof *s->hv);
    for (uint32_t c = 0; c < s->n_live; c++) {
        for (uint32_t e = h->ptr[c]; e < h->ptr[c + 1]; e++) {
            uint32_t r = h->idx[e];
            double value = values[e * level->ld];
            dd_add_scaled(s->hv + r * qs, value, s->v + c * qs, qs);
            if (r != c) {
                dd_add_scaled(s->hv + c * qs, value, s->v + r * qs, qs);
            }
        }
    }
    for (uint32_t j = 0; j < s->curved.len; j++) {
        const double *v = s->v + s->curved.data[j] * qs, *hv = s->hv + s->curved.data[j] * qs;
        for (uint32_t a = 0; a < s->nq; a++) {
            dd_add_scaled(out + a * qs, v[a], hv, qs);
        }
    }
}

bool dd_shooting_second(dd_shooting *s, double sigma, const double *lambda, double *out)
{
    size_t size = (size_t)s->nq * s->qs;
    const uint32_t *at = s->hessian_at;
    /* weights of all stage functions: exact Hessian or Gauss-Newton */
    if (s->gauss_newton) {
        cost_weights(s, sigma);
    } else {
        adjoint(s, sigma, lambda, NULL);
    }
    memset(s->products, 0, s->intervals * size * sizeof *s->products);
    /* one batch per level, then a small dense product per stage */
    for (uint32_t l = 0; l < s->n_levels; l++) {
        const dd_level *level = &s->levels[l];
        dd_shooting_run(&s->second, level, level->second_out);
        for (uint32_t i = 0; i < level->n; i++) {
            for (uint32_t k = 0; k < s->intervals; k++) {
                sandwich(s, level, k, i, s->products + k * size);
            }
        }
    }
    /* lower triangle of each interval, added at positions that were found once */
    for (uint32_t k = 0; k < s->intervals; k++) {
        for (uint32_t a = 0; a < s->nq; a++) {
            for (uint32_t b = 0; b <= a; b++) {
                out[*at++] += s->products[k * size + (size_t)a * s->qs + b];
            }
        }
    }
    return true;
}
