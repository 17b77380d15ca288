/* shooting_second.c - the exact Hessian of the reduced Lagrangian. The adjoint of an interval runs backwards through its
 * levels and gives each stage equation its multiplier mu; then every stage adds V^T H V. */
#include <string.h>

#include "ocp/shooting_impl.h"

/* ---- multipliers ---- */

/* Taps of an interval: rows  tap - (X_m + sum_i B_i K_i)  and  tap - sum_i v_i z_i. */
static void add_taps(dd_shooting *s, uint32_t k, uint32_t m, const double *lambda)
{
    for (uint32_t i = 0; i < s->taps.len; i++) {
        const dd_tap *tap = &s->taps.data[i];
        if (tap->interval != k || tap->substep != m) {
            continue;
        }
        const double *x = lambda + tap->row, *z = x + (tap->x_at != DD_NO_ROW ? s->nx : 0);
        for (uint32_t c = 0; c < s->nx && tap->x_at != DD_NO_ROW; c++) {
            s->adjoint_x[c] -= x[c];
        }
        for (uint32_t j = 0; j < s->stages; j++) {
            double *w = s->adjoint_w + (size_t)(m * s->stages + j) * s->ns;
            for (uint32_t c = 0; c < s->nx && tap->x_at != DD_NO_ROW; c++) {
                w[c] -= tap->x_weight[j] * x[c];
            }
            for (uint32_t c = 0; c < s->nz && tap->z_at != DD_NO_ROW; c++) {
                w[s->nx + c] -= tap->z_weight[j] * z[c];
            }
        }
    }
}

/* What a stage's state adds to the adjoint of X_m and of K_j, j < before. */
static void spread(dd_shooting *s, uint32_t m, uint32_t stage, uint32_t before)
{
    const double *a = s->tableau->A + (size_t)stage * s->stages;
    for (uint32_t c = 0; c < s->nx; c++) {
        s->adjoint_x[c] += s->stage_x[c];
    }
    for (uint32_t j = 0; j < before; j++) {
        for (uint32_t c = 0; c < s->nx && a[j] != 0; c++) {
            s->adjoint_w[(size_t)(m * s->stages + j) * s->ns + c] += a[j] * s->stage_x[c];
        }
    }
}

/* stage_x and the adjoint of z from weights of the outputs from `begin` to `end` - 1 of the stage functions. */
static void pull_back(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, uint32_t begin, uint32_t end)
{
    const dd_ocp_problem *o = s->t->o;
    const double *values = level->first_out + i * s->intervals + k;
    const double *weights = level->weights + i * s->intervals + k;
    double *w = s->adjoint_w + (size_t)(level->substep * s->stages + level->first + i) * s->ns;
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

/* Weights of cost and rows of a stage, and what they add to the adjoint. */
static void stage_rows(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, double sigma,
                       const double *lambda)
{
    uint32_t g = level->substep * s->stages + level->first + i;
    double *weights = level->weights + i * s->intervals + k;
    const double *rows = lambda + s->stage_rows_at[k];
    if (s->out_cost < s->n_out) {
        weights[s->out_cost * level->ld] = sigma * s->tableau->b[level->first + i];
    }
    for (uint32_t r = 0; r < s->path.len; r++) {
        uint32_t row = s->path_row[(size_t)g * s->path.len + r];
        weights[(s->out_path + r) * level->ld] = row != DD_NO_ROW ? rows[row] : 0;
    }
    memset(s->stage_x, 0, s->nx * sizeof *s->stage_x);
    pull_back(s, level, k, i, s->ns, s->n_out);
    for (uint32_t b = 0; b < s->bounds[g].len; b++) {
        const dd_stage_bound *at = &s->bounds[g].data[b];
        double *to = at->algebraic ? s->adjoint_w + (size_t)g * s->ns + s->nx : s->stage_x;
        to[at->index] += rows[at->row];
    }
    spread(s, level->substep, level->first + i, level->first + level->n);
}

/* R_w^T mu = -dL/dw of the level; mu becomes weights of h f and g. */
static void solve_adjoint(dd_shooting *s, const dd_level *level, uint32_t k)
{
    const dd_ocp_problem *o = s->t->o;
    for (uint32_t i = 0; i < level->size; i++) {
        s->mu[i] = -s->adjoint_w[(size_t)(level->substep * s->stages + level->first) * s->ns + i];
    }
    if (!level->direct) {
        dd_level_solve_transposed(level, k, s->mu);
    }
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
        spread(s, level->substep, level->first + i, level->first);
    }
}

static void adjoint(dd_shooting *s, uint32_t k, double sigma, const double *lambda)
{
    memset(s->adjoint_w, 0, s->nw * sizeof *s->adjoint_w);
    for (uint32_t c = 0; c < s->nx; c++) {
        s->adjoint_x[c] = -lambda[s->continuity_at[k] + c];
    }
    for (uint32_t l = s->n_levels; l-- > 0;) {
        const dd_level *level = &s->levels[l];
        if (level->first + level->n == s->stages) { /* X_{m+1} = X_m + sum b_i K_i */
            for (uint32_t i = 0; i < s->stages; i++) {
                double *w = s->adjoint_w + (size_t)(level->substep * s->stages + i) * s->ns;
                for (uint32_t c = 0; c < s->nx; c++) {
                    w[c] += s->tableau->b[i] * s->adjoint_x[c];
                }
            }
            add_taps(s, k, level->substep, lambda);
        }
        for (uint32_t i = 0; i < level->n; i++) {
            stage_rows(s, level, k, i, sigma, lambda);
        }
        solve_adjoint(s, level, k);
    }
}

/* Curvature of the cost alone: positive semidefinite for a convex integrand. */
static void cost_weights(dd_shooting *s, uint32_t k, double sigma)
{
    for (uint32_t l = 0; l < s->n_levels; l++) {
        const dd_level *level = &s->levels[l];
        for (uint32_t i = 0; i < level->n; i++) {
            double *weights = level->weights + i * s->intervals + k;
            for (uint32_t out = 0; out < s->n_out; out++) {
                weights[out * level->ld] = out == s->out_cost ? sigma * s->tableau->b[level->first + i] : 0;
            }
        }
    }
}

/* ---- V^T H V ---- */

static void add_product(double *to, double factor, const double *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        to[i] += factor * from[i];
    }
}

static void sandwich(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, double *out)
{
    const dd_derivative *h = s->hessian;
    const double *values = level->second_out + i * s->intervals + k;
    uint32_t nq = s->nq;
    dd_shooting_inputs(s, k, level->substep * s->stages + level->first + i, 0, 0, s->v);
    memset(s->hv, 0, (size_t)s->n_in * nq * sizeof *s->hv);
    for (uint32_t c = 0; c < s->n_in; c++) {
        for (uint32_t e = h->ptr[c]; e < h->ptr[c + 1]; e++) {
            uint32_t r = h->idx[e];
            double value = values[e * level->ld];
            add_product(s->hv + (size_t)r * nq, value, s->v + (size_t)c * nq, nq);
            if (r != c) {
                add_product(s->hv + (size_t)c * nq, value, s->v + (size_t)r * nq, nq);
            }
        }
    }
    for (uint32_t r = 0; r < s->n_in; r++) {
        if (!s->done[r]) {
            continue; /* no second derivative by this input */
        }
        for (uint32_t a = 0; a < nq; a++) {
            double factor = s->v[(size_t)r * nq + a];
            for (uint32_t b = 0; b <= a && factor != 0; b++) {
                out[a * nq + b] += factor * s->hv[(size_t)r * nq + b];
            }
        }
    }
}

/* done: which inputs have second derivatives. */
static void mark_curved(dd_shooting *s)
{
    memset(s->done, 0, s->n_in);
    for (uint32_t c = 0; c < s->n_in; c++) {
        for (uint32_t e = s->hessian->ptr[c]; e < s->hessian->ptr[c + 1]; e++) {
            s->done[c] = s->done[s->hessian->idx[e]] = 1;
        }
    }
}

bool dd_shooting_second(dd_shooting *s, double sigma, const double *lambda, double *out)
{
    uint32_t nq = s->nq, entries = nq * (nq + 1) / 2;
    for (uint32_t k = 0; k < s->intervals; k++) {
        if (s->gauss_newton) {
            cost_weights(s, k, sigma);
        } else {
            adjoint(s, k, sigma, lambda);
        }
    }
    for (uint32_t l = 0; l < s->n_levels; l++) {
        dd_shooting_run(&s->second, &s->levels[l], s->levels[l].second_out);
    }
    mark_curved(s);
    for (uint32_t k = 0; k < s->intervals; k++) {
        const uint32_t *at = s->hessian_at + (size_t)k * entries;
        memset(s->block, 0, (size_t)nq * nq * sizeof *s->block);
        for (uint32_t l = 0; l < s->n_levels; l++) {
            for (uint32_t i = 0; i < s->levels[l].n; i++) {
                sandwich(s, &s->levels[l], k, i, s->block);
            }
        }
        for (uint32_t a = 0; a < nq; a++) {
            for (uint32_t b = 0; b <= a; b++) {
                out[*at++] += s->block[a * nq + b];
            }
        }
    }
    return true;
}
