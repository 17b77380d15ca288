/* shooting_step.c - the steps of all intervals: stage equations by Newton's method, then their sensitivities with the
 * factors of the converged point (linear equations solved to rounding: the derivatives are exact). */
#include <math.h>
#include <string.h>

#include "ocp/data.h"
#include "ocp/shooting_impl.h"

/* Newton's method is quadratic here, the matrix being that of the iterate: after a step of relative size 1e-9 the
 * error is of the size of rounding. */
#define SMALL_STEP 1e-9
enum { MOST_NEWTON = 25 };

static double *stage_w(const dd_shooting *s, uint32_t k, uint32_t g)
{
    return s->w + (size_t)k * s->nw + (size_t)g * s->ns;
}

static double *end_of(const dd_shooting *s, uint32_t k, uint32_t m)
{
    return s->ends + ((size_t)k * (s->substeps + 1) + m) * s->nx;
}

static double *stage_dw(const dd_shooting *s, uint32_t k, uint32_t g)
{
    return s->dw + ((size_t)k * s->nw + (size_t)g * s->ns) * s->qs;
}

static double *dend_of(const dd_shooting *s, uint32_t k, uint32_t m)
{
    return s->dends + ((size_t)k * (s->substeps + 1) + m) * s->nx * s->qs;
}

void dd_shooting_run(dd_stage_program *p, const dd_level *level, double *out)
{
    const double *in[2] = {level->in, level->weights};
    dd_program_eval_batch(p->work, level->lanes, level->ld, in, out);
}

/* ---- inputs ---- */

/* Part of the interval at which stage i of step m is. */
static double part_of(const dd_shooting *s, uint32_t m, uint32_t i)
{
    return (m + s->tableau->c[i]) / s->substeps;
}

/* u, p, time, t0, tf, h, data: they do not change while the stage equations are solved. */
static void fill_given(const dd_shooting *s, const dd_level *level, const double *y)
{
    const dd_transcription *t = s->t;
    const dd_ocp_problem *o = t->o;
    double t0 = dd_transcription_time(t, y, 0), tf = dd_transcription_time(t, y, 1);
    bool polynomial = t->mesh.control == DD_CONTROL_POLYNOMIAL;
    /* lanes of a batch: stage i of interval k is lane i N + k */
    for (uint32_t i = 0; i < level->n; i++) {
        double part = part_of(s, level->substep, level->first + i);
        uint32_t g = level->substep * s->stages + level->first + i;
        for (uint32_t k = 0; k < s->intervals; k++) {
            double *in = level->in + (size_t)s->ns * level->ld + i * s->intervals + k;
            double left = t->mesh.theta[k], width = t->mesh.theta[k + 1] - left;
            /* constant over the interval, or (1 - s) u_k + s u_{k+1} at the stage, or a value per stage */
            for (uint32_t c = 0; c < s->nu; c++, in += level->ld) {
                double u = y[t->u_at[k] + (polynomial ? g * s->nu : 0) + c];
                u = t->mesh.control == DD_CONTROL_LINEAR ? (1 - part) * u + part * y[t->u_at[k + 1] + c] : u;
                *in = u * o->u.data[c].scale;
            }
            for (uint32_t c = 0; c < s->np; c++, in += level->ld) {
                *in = y[t->p_at + c] * o->p.data[c].scale;
            }
            /* kinks; where the cost does not count the stage, any number */
            for (uint32_t c = 0; c < s->nk; c++, in += level->ld) {
                const uint32_t slot = s->kink_slot[(size_t)g * s->nk + c];
                const double value = slot != DD_NO_ROW ? y[s->kinks_at[(size_t)k * s->n_slots + slot]] : 1;
                *in = value * dd_shooting_kink(s, c)->scale;
            }
            /* t_i = t0 + theta_i (tf - t0) and h = (theta_{k+1} - theta_k)(tf - t0) / M */
            in[0] = t0 + (left + part * width) * (tf - t0);
            in[level->ld] = t0;
            in[2 * level->ld] = tf;
            in[3 * level->ld] = width * (tf - t0) / s->substeps;
            for (uint32_t c = 0; c < o->data.len; c++) {
                /* at a step's right end data that jump there still have the value from the left */
                bool left_limit = s->tableau->c[level->first + i] >= 1;
                in[(4 + c) * level->ld] = dd_data_at(o->data.data[c].column, in[0], left_limit);
            }
        }
    }
}

/* x = X_m + sum_j A_ij K_j and z */
static void fill_unknown(const dd_shooting *s, const dd_level *level)
{
    const dd_ocp_problem *o = s->t->o;
    for (uint32_t i = 0; i < level->n; i++) {
        uint32_t stage = level->first + i;
        const double *a = s->tableau->A + (size_t)stage * s->stages;
        for (uint32_t k = 0; k < s->intervals; k++) {
            const double *w = stage_w(s, k, level->substep * s->stages), *x = end_of(s, k, level->substep);
            double *in = level->in + i * s->intervals + k;
            /* explicit methods have zeros in A: stages that are not known yet are not read */
            for (uint32_t c = 0; c < s->nx; c++, in += level->ld) {
                double value = x[c];
                for (uint32_t j = 0; j < s->stages; j++) {
                    value += a[j] != 0 ? a[j] * w[j * s->ns + c] : 0;
                }
                *in = value * o->x.data[c].scale;
            }
            for (uint32_t c = 0; c < s->nz; c++, in += level->ld) {
                *in = w[stage * s->ns + s->nx + c] * o->z.data[c].scale;
            }
        }
    }
}

/* ---- the matrix R_w of a level ---- */

/* Entry e of the Jacobian of the stage functions in column c as one of R = (K - h f / scale, g), by scaled unknowns. */
static double scaled_entry(const dd_shooting *s, uint32_t row, double value)
{
    return row < s->nx ? -value / s->t->o->x.data[row].scale : value;
}

static void add_stage(const dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i, double *matrix)
{
    const dd_ocp_problem *o = s->t->o;
    const double *a = s->tableau->A + (size_t)(level->first + i) * s->stages + level->first;
    const double *values = level->first_out + i * s->intervals + k;
    size_t size = dd_level_ld(level->size);
    /* R = (K_i - h f_i / scale, g_i): column c of the stage functions, by scaled unknowns */
    for (uint32_t c = 0; c < s->ns; c++) {
        double scale = c < s->nx ? o->x.data[c].scale : o->z.data[c - s->nx].scale;
        for (uint32_t e = s->jacobian->ptr[c]; e < s->jacobian->ptr[c + 1]; e++) {
            uint32_t row = s->jacobian->idx[e];
            /* entries are sorted by row: cost and path rows come last and are no part of R */
            if (row >= s->ns) {
                break;
            }
            double value = scaled_entry(s, row, values[e * level->ld]) * scale;
            double *at = matrix + (size_t)i * s->ns + row;
            /* z_i occurs in its own stage only */
            if (c >= s->nx) {
                at[((size_t)i * s->ns + c) * size] += value;
                continue;
            }
            /* x_i = X_m + sum_j A_ij K_j, so dR_i/dK_j has A_ij times the derivative by x */
            for (uint32_t j = 0; j < level->n; j++) {
                at[((size_t)j * s->ns + c) * size] += a[j] * value;
            }
        }
    }
    /* the identity of K_i */
    for (uint32_t c = 0; c < s->nx; c++) {
        size_t at = (size_t)i * s->ns + c;
        matrix[at * size + at] += 1;
    }
}

static bool factor(const dd_shooting *s, const dd_level *level, uint32_t k)
{
    double *matrix = dd_level_matrix(level, k);
    for (uint32_t i = 0; i < level->n; i++) {
        add_stage(s, level, k, i, matrix);
    }
    return dd_level_factor(level, k);
}

/* ---- solving ---- */

/* The relative size of the step; NaN or infinite when there is none. */
static double newton_step(dd_shooting *s, const dd_level *level, uint32_t k)
{
    const dd_ocp_problem *o = s->t->o;
    double *w = stage_w(s, k, level->substep * s->stages + level->first), *r = s->rhs, size = 0;
    /* R at the iterate */
    for (uint32_t i = 0; i < level->n; i++) {
        const double *out = level->out + i * s->intervals + k;
        for (uint32_t c = 0; c < s->ns; c++, out += level->ld) {
            r[i * s->ns + c] = c < s->nx ? w[i * s->ns + c] - *out / o->x.data[c].scale : *out;
        }
    }
    /* one factorisation per iteration: the matrix is that of the iterate, and convergence is quadratic */
    if (!factor(s, level, k)) {
        return INFINITY;
    }
    dd_level_solve(level, k, 1, r);
    /* relative to 1 + |w|: unknowns are scaled, so 1 is their expected size */
    for (uint32_t i = 0; i < level->size; i++) {
        double part = fabs(r[i]) / (1 + fabs(w[i]));
        size = part > size || isnan(part) ? part : size;
        w[i] -= r[i];
    }
    return size;
}

static void take_slopes(const dd_shooting *s, const dd_level *level)
{
    const dd_ocp_problem *o = s->t->o;
    /* K = h f: an explicit stage without z needs no equation */
    for (uint32_t k = 0; k < s->intervals; k++) {
        double *w = stage_w(s, k, level->substep * s->stages + level->first);
        for (uint32_t c = 0; c < s->nx; c++) {
            w[c] = level->out[c * level->ld + k] / o->x.data[c].scale;
        }
    }
}

static bool solve_level(dd_shooting *s, const dd_level *level)
{
    uint32_t left = level->direct ? 0 : s->intervals;
    memset(s->done, 0, s->intervals);
    /* one batch for the same level of all intervals; each interval leaves it when it has converged */
    for (uint32_t it = 0; it < MOST_NEWTON && left > 0; it++) {
        fill_unknown(s, level);
        dd_shooting_run(&s->values, level, level->out);
        dd_shooting_run(&s->first, level, level->first_out);
        for (uint32_t k = 0; k < s->intervals; k++) {
            /* one interval without a solution fails the whole evaluation: a solver then shortens its step */
            if (s->done[k] == 0) {
                double size = newton_step(s, level, k);
                if (!isfinite(size)) {
                    s->failed_interval = k;
                    return false;
                }
                s->done[k] = size <= SMALL_STEP;
                s->failed_interval = s->done[k] ? s->failed_interval : k;
                left -= s->done[k];
            }
        }
    }
    /* outputs at the solution: cost and path rows are read from them */
    fill_unknown(s, level);
    dd_shooting_run(&s->values, level, level->out);
    if (level->direct) {
        take_slopes(s, level);
    }
    return left == 0;
}

static void finish_step(const dd_shooting *s, uint32_t m)
{
    /* X_{m+1} = X_m + sum_i b_i K_i */
    for (uint32_t k = 0; k < s->intervals; k++) {
        const double *w = stage_w(s, k, m * s->stages), *x = end_of(s, k, m);
        double *end = end_of(s, k, m + 1);
        for (uint32_t c = 0; c < s->nx; c++) {
            end[c] = x[c];
            for (uint32_t i = 0; i < s->stages; i++) {
                end[c] += s->tableau->b[i] * w[i * s->ns + c];
            }
        }
    }
}

static bool last_of_step(const dd_shooting *s, const dd_level *level)
{
    return level->first + level->n == s->stages;
}

static bool solve_all(dd_shooting *s, const double *y)
{
    const dd_transcription *t = s->t;
    double sum = 0;
    /* X_0 = x_k */
    for (uint32_t k = 0; k < s->intervals && s->nx > 0; k++) {
        memcpy(end_of(s, k, 0), y + t->x_at[k], s->nx * sizeof *y);
    }
    s->objective = 0;
    /* levels in the order of time: each one only needs those before it */
    for (uint32_t l = 0; l < s->n_levels; l++) {
        const dd_level *level = &s->levels[l];
        fill_given(s, level, y);
        s->failed_level = l;
        if (!solve_level(s, level)) {
            return false;
        }
        /* int L dt = sum over steps of sum_i b_i h L_i */
        for (uint32_t i = 0; i < level->n && s->out_cost < s->n_out; i++) {
            const double *out = level->out + s->out_cost * level->ld + i * s->intervals;
            for (uint32_t k = 0; k < s->intervals; k++) {
                s->objective += s->tableau->b[level->first + i] * out[k];
            }
        }
        if (last_of_step(s, level)) {
            finish_step(s, level->substep);
        }
    }
    /* 0 where all are finite, NaN otherwise */
    for (size_t i = 0; i < (size_t)s->intervals * s->nw; i++) {
        sum += s->w[i] * 0;
    }
    return sum == 0;
}

/* Where Newton's method begins: the stages of the last point that has derivatives, moved along them. */
static void predict(dd_shooting *s)
{
    uint32_t nq = s->nq;
    /* w(y) = w(y_base) + dw/dq (q - q_base): the error is of second order in the step of the solver */
    for (uint32_t k = 0; k < s->intervals && s->have_base; k++) {
        const uint32_t *columns = s->columns + (size_t)k * nq;
        for (uint32_t i = 0; i < nq; i++) {
            s->mu[i] = s->y[columns[i]] - s->y_base[columns[i]];
        }
        for (size_t i = (size_t)k * s->nw; i < (size_t)(k + 1) * s->nw; i++) {
            double value = s->w_base[i];
            for (uint32_t j = 0; j < nq; j++) {
                value += s->dw[i * s->qs + j] * s->mu[j];
            }
            s->w[i] = value;
        }
    }
}

/* Stages on the chords between the nodes: sum_j A_ij = c_i, so equal slopes K put x_i at X + c_i (X_next - X). Nodes of a
 * line or of a motion have values between them where a step that stays at its node has none (a root at zero). */
static void take_chords(const dd_shooting *s)
{
    const dd_transcription *t = s->t;
    for (uint32_t k = 0; k < s->intervals; k++) {
        for (uint32_t g = 0; g < s->substeps * s->stages; g++) {
            double *w = stage_w(s, k, g);
            for (uint32_t c = 0; c < s->nx; c++) {
                w[c] = (s->y[t->x_at[k + 1] + c] - s->y[t->x_at[k] + c]) / s->substeps;
            }
        }
    }
}

bool dd_shooting_values(dd_shooting *s, const double *y)
{
    size_t bytes = (size_t)s->intervals * s->nw * sizeof *s->w;
    if (y != s->y) {
        memcpy(s->y, y, s->nlp.n * sizeof *y);
    }
    s->have_values = true;
    s->have_first = false;
    /* first from the prediction, then from the guess of the problem, then from chords */
    predict(s);
    s->values_ok = solve_all(s, s->y);
    if (!s->values_ok) { /* the last solution was too far away */
        memcpy(s->w, s->w_start, bytes);
        s->values_ok = solve_all(s, s->y);
    }
    if (!s->values_ok) {
        memcpy(s->w, s->w_start, bytes);
        take_chords(s);
        s->values_ok = solve_all(s, s->y);
    }
    /* a failed point must not be where the next solve begins */
    if (!s->values_ok) {
        memcpy(s->w, s->w_start, bytes);
    }
    return s->values_ok;
}

/* ---- sensitivities ---- */

/* Rows of u and p are the same in all intervals. */
void dd_shooting_prepare(const dd_shooting *s)
{
    const dd_ocp_problem *o = s->t->o;
    bool linear = s->t->mesh.control == DD_CONTROL_LINEAR, polynomial = s->t->mesh.control == DD_CONTROL_POLYNOMIAL;
    /* du/dq and dp/dq at stage g: constant numbers, since controls are linear in their variables */
    for (uint32_t g = 0; g < s->substeps * s->stages; g++) {
        double *v = s->given + (size_t)g * (s->n_live - s->ns) * s->qs, part = part_of(s, g / s->stages, g % s->stages);
        for (uint32_t c = 0; c < s->nu; c++, v += s->qs) {
            v[s->q_u + (polynomial ? g * s->nu : 0) + c] = (linear ? 1 - part : 1) * o->u.data[c].scale;
            if (linear) {
                v[s->q_u + s->nu + c] = part * o->u.data[c].scale;
            }
        }
        for (uint32_t c = 0; c < s->np; c++, v += s->qs) {
            v[s->q_p + c] = o->p.data[c].scale;
        }
        for (uint32_t c = 0; c < s->nk; c++, v += s->qs) {
            const uint32_t slot = s->kink_slot[(size_t)g * s->nk + c];
            if (slot != DD_NO_ROW) {
                v[s->q_k + slot] = dd_shooting_kink(s, c)->scale;
            }
        }
    }
}

/* time, t0, tf, h */
static void time_inputs(const dd_shooting *s, uint32_t k, uint32_t g, double *v)
{
    const double *mesh = s->t->mesh.theta;
    double width = mesh[k + 1] - mesh[k], theta = mesh[k] + part_of(s, g / s->stages, g % s->stages) * width;
    size_t qs = s->qs;
    /* derivatives of t_i, t0, tf and h by the free ones among t0 and tf */
    if (s->q_t0 < qs) {
        v[s->q_t0] = 1 - theta;
        v[qs + s->q_t0] = 1;
        v[3 * qs + s->q_t0] = -width / s->substeps;
    }
    if (s->q_tf < qs) {
        v[s->q_tf] = theta;
        v[2 * qs + s->q_tf] = 1;
        v[3 * qs + s->q_tf] = width / s->substeps;
    }
}

DD_CLONES static void fast_inputs(const dd_shooting *s, uint32_t k, uint32_t g, uint32_t skip, uint32_t n, double *v)
{
    const dd_ocp_problem *o = s->t->o;
    uint32_t m = g / s->stages, stage = g % s->stages;
    size_t qs = s->qs, nx = s->nx;
    const double *a = s->tableau->A + (size_t)stage * s->stages, *w = stage_dw(s, k, m * s->stages);
    /* V = d(x_i, z_i, u, p, t, ..)/dq: dx_i = dX_m + sum_j A_ij dK_j over the stages that are known already */
    memcpy(v, dend_of(s, k, m), nx * qs * sizeof *v);
    memcpy(v + s->ns * qs, s->given + g * (s->n_live - s->ns) * qs, (s->n_live - s->ns) * qs * sizeof *v);
    for (uint32_t j = 0; j < s->stages; j++) {
        if ((j < skip || j >= skip + n) && a[j] != 0) {
            dd_add_scaled(v, a[j], w + j * s->ns * qs, nx * qs);
        }
    }
    /* unknowns are scaled by the sizes of the variables, inputs of the functions are not */
    for (uint32_t c = 0; c < nx; c++) {
        if (o->x.data[c].scale != 1) {
            dd_add_scaled(v + c * qs, o->x.data[c].scale - 1, v + c * qs, qs);
        }
    }
    /* z of its own stage takes part only when the level is solved (n = 0) */
    if (s->nz > 0) {
        memset(v + nx * qs, 0, s->nz * qs * sizeof *v);
    }
    for (uint32_t c = 0; c < s->nz && n == 0; c++) {
        dd_add_scaled(v + (nx + c) * qs, o->z.data[c].scale, w + (stage * s->ns + nx + c) * qs, qs);
    }
    if (s->n_live == s->n_in) {
        time_inputs(s, k, g, v + (s->n_in - 4) * qs);
    }
}

void dd_shooting_inputs(const dd_shooting *s, uint32_t k, uint32_t g, uint32_t skip, uint32_t n, double *v)
{
    fast_inputs(s, k, g, skip, n, v);
}

/* -R_q of stage i, with all that the level does not decide, into rows of block. */
DD_CLONES static void right_side(dd_shooting *s, const dd_level *level, uint32_t k, uint32_t i)
{
    const double *values = level->first_out + i * s->intervals + k;
    dd_shooting_inputs(s, k, level->substep * s->stages + level->first + i, level->first, level->n, s->v);
    size_t qs = s->qs;
    double *block = s->block + i * s->ns * qs;
    memset(block, 0, s->ns * qs * sizeof *block);
    /* -R_q = -(dR/d inputs) V, row by row in blocks of four columns */
    for (uint32_t c = 0; c < s->n_live; c++) {
        for (uint32_t e = s->jacobian->ptr[c]; e < s->jacobian->ptr[c + 1]; e++) {
            uint32_t row = s->jacobian->idx[e];
            if (row < s->ns) {
                dd_add_scaled(block + row * qs, -scaled_entry(s, row, values[e * level->ld]), s->v + c * qs, qs);
            }
        }
    }
}

static bool level_first(dd_shooting *s, const dd_level *level, uint32_t k)
{
    double *dw = stage_dw(s, k, level->substep * s->stages + level->first);
    uint32_t nq = s->nq;
    size_t qs = s->qs;
    /* dw/dq = -R_w^-1 R_q; explicit stages have R_w = I */
    for (uint32_t i = 0; i < level->n; i++) {
        right_side(s, level, k, i);
    }
    if (level->direct) {
        memcpy(dw, s->block, level->size * qs * sizeof *dw);
        return true;
    }
    /* factors of the converged point: those of the last Newton iteration belong to the iterate before */
    if (!factor(s, level, k)) {
        return false;
    }
    /* the solver wants columns, everything else rows */
    for (uint32_t r = 0; r < level->size; r++) {
        for (uint32_t c = 0; c < nq; c++) {
            s->rhs[(size_t)c * level->size + r] = s->block[r * qs + c];
        }
    }
    dd_level_solve(level, k, nq, s->rhs);
    for (uint32_t r = 0; r < level->size; r++) {
        for (uint32_t c = 0; c < nq; c++) {
            dw[r * qs + c] = s->rhs[(size_t)c * level->size + r];
        }
    }
    return true;
}

/* Gradient of the cost and of the rows at the stages of a level. */
DD_CLONES static void level_rows(dd_shooting *s, const dd_level *level, uint32_t k)
{
    const dd_ocp_problem *o = s->t->o;
    size_t qs = s->qs;
    double *rows = s->rows + ((size_t)k * (s->nx + s->n_rows) + s->nx) * qs;
    for (uint32_t i = 0; i < level->n; i++) {
        uint32_t g = level->substep * s->stages + level->first + i;
        const double *values = level->first_out + i * s->intervals + k;
        if (!level->direct) { /* there the right side has them already */
            dd_shooting_inputs(s, k, g, 0, 0, s->v);
        }
        /* chain rule: d(output)/dq = sum over inputs of d(output)/d(input) V */
        for (uint32_t c = 0; c < s->n_live; c++) {
            for (uint32_t e = s->jacobian->ptr[c]; e < s->jacobian->ptr[c + 1]; e++) {
                uint32_t out = s->jacobian->idx[e];
                if (out == s->out_cost) {
                    double weight = s->tableau->b[level->first + i] * values[e * level->ld];
                    dd_add_scaled(s->cost + k * qs, weight, s->v + c * qs, qs);
                } else if (out >= s->out_path) {
                    uint32_t row = s->path_row[(size_t)g * s->n_stage_outputs + out - s->out_path];
                    if (row != DD_NO_ROW) {
                        dd_add_scaled(rows + row * qs, values[e * level->ld], s->v + c * qs, qs);
                    }
                }
            }
        }
        /* bounds at stages are rows that contain one input */
        for (uint32_t b = 0; b < s->bounds[g].len; b++) {
            const dd_stage_bound *at = &s->bounds[g].data[b];
            uint32_t input = at->algebraic ? s->nx + at->index : at->index;
            double scale = at->algebraic ? o->z.data[at->index].scale : o->x.data[at->index].scale;
            dd_add_scaled(rows + at->row * qs, 1 / scale, s->v + input * qs, qs);
        }
    }
}

DD_CLONES static void finish_first(dd_shooting *s, uint32_t m, uint32_t k)
{
    size_t n = (size_t)s->nx * s->qs;
    double *end = dend_of(s, k, m + 1);
    /* dX_{m+1} = dX_m + sum_i b_i dK_i */
    memcpy(end, dend_of(s, k, m), n * sizeof *end);
    for (uint32_t i = 0; i < s->stages; i++) {
        dd_add_scaled(end, s->tableau->b[i], stage_dw(s, k, m * s->stages + i), n);
    }
    /* the row is x_{k+1} - X_M = 0; its linear part is the elements' */
    if (m + 1 == s->substeps) {
        dd_add_scaled(s->rows + (size_t)k * (s->nx + s->n_rows) * s->qs, -1, end, n);
    }
}

bool dd_shooting_first(dd_shooting *s)
{
    bool ok = true;
    memset(s->cost, 0, (size_t)s->intervals * s->qs * sizeof *s->cost);
    memset(s->rows, 0, (size_t)s->intervals * (s->nx + s->n_rows) * s->qs * sizeof *s->rows);
    /* dX_0/dq = I in the columns of x_k */
    for (uint32_t k = 0; k < s->intervals; k++) {
        double *start = dend_of(s, k, 0);
        memset(start, 0, (size_t)s->nx * s->qs * sizeof *start);
        for (uint32_t c = 0; c < s->nx; c++) {
            start[c * s->qs + c] = 1;
        }
    }
    /* forward mode through all levels: nq columns per interval, and nq is small */
    for (uint32_t l = 0; l < s->n_levels && ok; l++) {
        const dd_level *level = &s->levels[l];
        dd_shooting_run(&s->first, level, level->first_out);
        for (uint32_t k = 0; k < s->intervals && ok; k++) {
            ok = level_first(s, level, k);
            level_rows(s, level, k);
            if (last_of_step(s, level)) {
                finish_first(s, level->substep, k);
            }
        }
    }
    /* the next prediction starts from here */
    s->have_first = true;
    s->first_ok = ok;
    s->have_base = ok && s->implicit;
    if (s->have_base) {
        memcpy(s->y_base, s->y, s->nlp.n * sizeof *s->y);
        memcpy(s->w_base, s->w, (size_t)s->intervals * s->nw * sizeof *s->w);
    }
    return ok;
}
