/* ldl_solve.c - forward and backward substitution, front by front. */
#include <string.h>

#include "la/ldl_impl.h"

/* y := rows of the front in x; the rest of its last vector is zero. */
static void gather(const dd_ldl *f, uint32_t s, const double *x, double *y)
{
    const dd_ldl_done *done = &f->done[s];
    const uint32_t *order = (uint32_t *)f->pivot.at + done->order, *below = f->below + f->node[s].rows;
    const uint32_t k = done->eliminated + done->delayed, rows = k + f->node[s].below;
    for (uint32_t i = 0; i < k; i++) {
        y[i] = x[order[i]];
    }
    for (uint32_t i = k; i < rows; i++) {
        y[i] = x[below[i - k]];
    }
    for (size_t i = rows; i < done->ld; i++) {
        y[i] = 0;
    }
}

/* y := D^-1 y. A pivot that is zero gives zero. */
static void divide(uint32_t k, const double *d, double *y)
{
    for (uint32_t i = 0; i < k; i++) {
        if (d[2 * i + 1] == 0) {
            y[i] *= d[2 * i];
            continue;
        }
        const double u = y[i], v = y[i + 1];
        y[i] = d[2 * i] * u + d[2 * i + 1] * v;
        y[i + 1] = d[2 * i + 1] * u + d[2 * i + 2] * v;
        i++;
    }
}

/* L y = x, and D z = y: all of a front's rows are known when its parent comes. */
static void down(dd_ldl *f, double *x)
{
    double *y = f->sizes.at;
    for (uint32_t s = 0; s < f->fronts; s++) {
        const dd_ldl_done *done = &f->done[s];
        const double *l = (double *)f->factor.at + done->factor;
        const uint32_t *order = (uint32_t *)f->pivot.at + done->order, *below = f->below + f->node[s].rows;
        const uint32_t k = done->eliminated + done->delayed;
        gather(f, s, x, y);
        dd_ldl_forward(done->ld, done->eliminated, l, y);
        divide(done->eliminated, l + done->eliminated * done->ld, y);
        for (uint32_t i = 0; i < k; i++) {
            x[order[i]] = y[i];
        }
        for (uint32_t i = 0; i < f->node[s].below; i++) {
            x[below[i]] = y[k + i];
        }
    }
}

/* L^T x = z. */
static void up(dd_ldl *f, double *x)
{
    double *y = f->sizes.at;
    for (uint32_t s = f->fronts; s-- > 0;) {
        const dd_ldl_done *done = &f->done[s];
        const uint32_t *order = (uint32_t *)f->pivot.at + done->order;
        gather(f, s, x, y);
        dd_ldl_backward(done->ld, done->eliminated, (double *)f->factor.at + done->factor, y);
        for (uint32_t i = 0; i < done->eliminated; i++) {
            x[order[i]] = y[i];
        }
    }
}

void dd_ldl_solve(dd_ldl *f, double *b)
{
    double *x = f->work;
    if (!f->valid) {
        memset(b, 0, f->n * sizeof *b);
        return;
    }
    /* A = S^-1 P^T L D L^T P S^-1 */
    for (uint32_t k = 0; k < f->n; k++) {
        x[k] = b[f->order[k]] * f->scale[k];
    }
    down(f, x);
    up(f, x);
    for (uint32_t k = 0; k < f->n; k++) {
        b[f->order[k]] = x[k] * f->scale[k];
    }
}
