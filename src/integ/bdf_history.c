/* bdf_history.c - the history of BDF as backward differences: rescaling, prediction, the next point, dense output,
 * and the step for its derivatives. The formulas are in bdf.c. */
#include <math.h>
#include <string.h>

#include "integ/bdf_impl.h"
#include "integ/step_record.h"

_Static_assert((int)BDF_ROWS <= (int)DD_RECORD_INPUTS, "a record holds the history");

/* Klopfenstein's parameters of the numerical differentiation formulas, by order (Shampine & Reichelt 1997). */
static const double kappa[BDF_MOST_ORDER + 1] = {0, -37.0 / 200, -1.0 / 9, -0.0823, -0.0415, 0};

double *dd_bdf_row(const bdf *b, uint32_t k)
{
    return b->difference + (size_t)k * b->n;
}

void dd_bdf_setup(bdf *b)
{
    /* gamma_q, alpha_q and the error constant, from kappa_q (Klopfenstein; Shampine & Reichelt 1997) */
    for (uint32_t q = 1; q <= BDF_MOST_ORDER; q++) {
        b->gamma[q] = b->gamma[q - 1] + 1.0 / q;
        b->alpha[q] = (1 - kappa[q]) * b->gamma[q];
        b->error[q] = fabs(kappa[q] * b->gamma[q] + 1.0 / (q + 1));
    }
}

/* R_ij(r) = prod_{m=1..i} (m - 1 - j r) / m, i, j = 1..q: differences over r h are D R(r) U, U = R(1). */
static void step_matrix(uint32_t q, double r, double out[BDF_MOST_ORDER][BDF_MOST_ORDER])
{
    for (uint32_t j = 1; j <= q; j++) {
        double product = 1;
        for (uint32_t i = 1; i <= q; i++) {
            product *= (i - 1 - j * r) / i;
            out[i - 1][j - 1] = product;
        }
    }
}

/* mix := (rows 1..q of the history by T^T) mix */
static void note_rescaling(bdf *b, uint32_t q, double T[BDF_MOST_ORDER][BDF_MOST_ORDER])
{
    /* mix is how the differences now depend on those when the step began */
    double old[BDF_ROWS][BDF_ROWS];
    memcpy(old, b->mix, sizeof old);
    for (uint32_t j = 0; j < q; j++) {
        for (uint32_t at = 0; at < BDF_ROWS; at++) {
            double sum = 0;
            for (uint32_t i = 0; i < q; i++) {
                sum += T[i][j] * old[i + 1][at];
            }
            b->mix[j + 1][at] = sum;
        }
    }
}

void dd_bdf_rescale(bdf *b, double h)
{
    const uint32_t q = b->order, n = b->n;
    /* T = R(h_new/h) U: the same polynomial, sampled at distance h_new */
    double R[BDF_MOST_ORDER][BDF_MOST_ORDER], U[BDF_MOST_ORDER][BDF_MOST_ORDER],
        T[BDF_MOST_ORDER][BDF_MOST_ORDER] = {{0}};
    step_matrix(q, h / b->h_now, R);
    step_matrix(q, 1.0, U);
    for (uint32_t i = 0; i < q; i++) {
        for (uint32_t k = 0; k < q; k++) {
            for (uint32_t j = 0; j < q; j++) {
                T[i][j] += R[i][k] * U[k][j];
            }
        }
    }
    /* D := D T, unknown by unknown */
    for (uint32_t at = 0; at < n; at++) {
        double old[BDF_MOST_ORDER];
        for (uint32_t i = 0; i < q; i++) {
            old[i] = dd_bdf_row(b, i + 1)[at];
        }
        for (uint32_t j = 0; j < q; j++) {
            double sum = 0;
            for (uint32_t i = 0; i < q; i++) {
                sum += old[i] * T[i][j];
            }
            dd_bdf_row(b, j + 1)[at] = sum;
        }
    }
    note_rescaling(b, q, T);
    b->h_now = h;
    b->even = 0;
}

void dd_bdf_predict(bdf *b)
{
    const uint32_t n = b->n;
    /* w0 = sum D_k and psi = sum gamma_k D_k */
    memcpy(b->predicted, dd_bdf_row(b, 0), n * sizeof *b->predicted);
    memset(b->psi, 0, n * sizeof *b->psi);
    for (uint32_t k = 1; k <= b->order; k++) {
        const double *D = dd_bdf_row(b, k), gamma = b->gamma[k];
        for (uint32_t j = 0; j < n; j++) {
            b->predicted[j] += D[j];
            b->psi[j] += gamma * D[j];
        }
    }
}

/* The differences at the new point. */
void dd_bdf_append(bdf *b)
{
    const uint32_t n = b->n, q = b->order;
    double *last = dd_bdf_row(b, q + 2), *next = dd_bdf_row(b, q + 1);
    /* nabla^{q+1} = d, nabla^{q+2} its change; then each lower difference gains the one above it */
    for (uint32_t j = 0; j < n; j++) {
        last[j] = b->d[j] - next[j];
        next[j] = b->d[j];
    }
    for (uint32_t k = q; k >= 1; k--) {
        double *D = dd_bdf_row(b, k);
        const double *higher = dd_bdf_row(b, k + 1);
        for (uint32_t j = 0; j < n; j++) {
            D[j] += higher[j];
        }
    }
    memcpy(dd_bdf_row(b, 0), b->w_new, n * sizeof *b->w_new);
}

void dd_bdf_begin_history(bdf *b, double h)
{
    memcpy(dd_bdf_row(b, 0), b->base.w, b->n * sizeof *b->base.w);
    for (uint32_t j = 0; j < b->n; j++) {
        dd_bdf_row(b, 1)[j] = h * b->base.wdot[j];
    }
    b->h_now = h;
    memset(b->mix, 0, sizeof b->mix); /* from (w, w') */
    b->mix[0][0] = 1;
    b->mix[1][1] = h;
}

/* prod_{m < k} (s + m) / (m + 1), the weights of the differences at s = (t - t_n) / h, and their derivatives by s */
static void newton_weights(uint32_t q, double s, double *value, double *slope)
{
    value[0] = 1;
    slope[0] = 0;
    for (uint32_t k = 1; k <= q; k++) {
        value[k] = value[k - 1] * (s + k - 1) / k;
        slope[k] = (slope[k - 1] * (s + k - 1) + value[k - 1]) / k;
    }
}

void dd_bdf_interpolate(const dd_integrator *it, double t, double *w, double *wdot)
{
    const bdf *b = (const bdf *)it;
    const uint32_t n = b->n, q = b->started ? b->order_last : 0;
    const double s = b->started ? (t - it->t) / b->h_now : 0;
    double value[BDF_MOST_ORDER + 1], slope[BDF_MOST_ORDER + 1];
    /* Newton's backward form through the last q + 1 points */
    newton_weights(q, s, value, slope);
    for (uint32_t j = 0; j < n; j++) {
        double sum = b->started ? dd_bdf_row(b, 0)[j] : it->w[j], rate = 0;
        for (uint32_t k = 1; k <= q; k++) {
            sum += value[k] * dd_bdf_row(b, k)[j];
            rate += slope[k] * dd_bdf_row(b, k)[j];
        }
        if (w) {
            w[j] = sum;
        }
        if (wdot) {
            const bool here = !b->started || t == it->t;
            wdot[j] = here ? it->wdot[j] : it->problem->differential[j] ? rate / b->h_now : 0.0;
        }
    }
}

/* With h w' = alpha d + psi the new point is w = w0 - psi/alpha + h w'/alpha: one stage. The differences there follow
 * from d = w - sum_k D_k as in dd_bdf_append. */
void dd_bdf_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    bdf *b = (bdf *)it;
    const uint32_t n = b->n, q = b->order_last;
    (void)dense;
    out->stages = 1;
    out->inputs = BDF_ROWS;
    if (!out->point) {
        return;
    }
    /* w = w0 - psi/alpha + h w'/alpha is one stage with A = b = 1/alpha */
    const double alpha = b->alpha[q];
    out->h = b->h_now;
    out->A[0] = out->b[0] = 1 / alpha;
    out->time[0] = it->t;
    out->end_stage = DD_NO_INDEX;
    out->mixed = true;
    out->end_solved = b->end_solved;
    memcpy(out->mix, b->mix, sizeof b->mix);
    double history[BDF_ROWS][BDF_ROWS + 1] = {{0}}, d[BDF_ROWS + 1] = {0}; /* in terms of the old differences and w */
    d[BDF_ROWS] = 1;
    /* w0 - psi/alpha = sum (1 - gamma_k/alpha) D_k, and d = w - sum D_k */
    for (uint32_t k = 0; k < BDF_ROWS; k++) {
        history[k][k] = 1;
        out->base[k] = k <= q ? 1 - b->gamma[k] / alpha : 0;
        d[k] = k <= q ? -1 : 0;
    }
    /* the new differences in terms of the old ones and w, by the same recurrence as dd_bdf_append */
    for (uint32_t at = 0; at <= BDF_ROWS; at++) {
        history[q + 2][at] = d[at] - history[q + 1][at];
        history[q + 1][at] = d[at];
        for (uint32_t k = q; k >= 1; k--) {
            history[k][at] += history[k + 1][at];
        }
        history[0][at] = at == BDF_ROWS;
    }
    for (uint32_t k = 0; k < BDF_ROWS; k++) {
        memcpy(out->keep[k], history[k], BDF_ROWS * sizeof(double));
        out->take[k] = history[k][BDF_ROWS];
    }
    out->shift = b->projector ? b->shift : NULL;
    out->scale = b->scale;
    out->old = b->w_old;
    out->scale_slope = b->rtol_now;
    /* the stage is the point before projection */
    for (uint32_t j = 0; j < n; j++) {
        out->point[j] = (b->end_solved ? b->stage_w[j] : it->w[j]) - (b->projector ? b->shift[j] : 0.0);
        out->rate[j] = b->end_solved ? b->stage_v[j] : it->wdot[j];
    }
}

void dd_bdf_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const bdf *b = (const bdf *)it;
    double value[BDF_MOST_ORDER + 1], slope[BDF_MOST_ORDER + 1];
    newton_weights(b->order_last, (t - it->t) / b->h_now, value, slope);
    for (uint32_t k = 0; k <= b->order_last; k++) {
        out->x.output[k] = out->z.output[k] = value[k];
        out->slope.output[k] = slope[k] / b->h_now;
    }
}
