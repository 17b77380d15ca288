/* series.c - linear pieces and cubic splines.
 *
 * With h = t_1 - t_0, a = (t_1 - t)/h, b = (t - t_0)/h and the curvatures m_i = u''(t_i):
 *
 *     u = v_0 + b (v_1 - v_0) + ((a^3 - a) m_0 + (b^3 - b) m_1) h^2/6
 *     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (d_i - d_{i-1}),   d_i = (v_{i+1} - v_i)/h_i
 *
 * and u''' continuous at the second and the last but one row (not-a-knot), which keeps the accuracy h^4 up to the ends
 * (de Boor, A Practical Guide to Splines, chapter IV). */
#include "result/series.h"

#include <string.h>

/* ---- pieces ---- */

static void copy_rows(dd_series *c, const dd_table *table, uint32_t column, bool repeated)
{
    for (uint64_t i = 0; i < table->count; i++) {
        const double t = dd_table_time(table, i), v = dd_table_row(table, i)[1 + column];
        const bool again = c->n > 0 && t == c->t[c->n - 1];
        const bool third = again && c->n > 1 && t == c->t[c->n - 2];
        if (again && v == c->v[c->n - 1] && !repeated) {
            continue;
        }
        c->n -= third; /* of several rows at one time the first and the last are kept */
        c->t[c->n] = t;
        c->v[c->n++] = v;
    }
}

static void find_pieces(dd_series *c)
{
    c->first[c->pieces++] = 0;
    /* two rows at the same time are a jump */
    for (uint32_t i = 1; i < c->n; i++) {
        if (c->t[i] == c->t[i - 1]) {
            c->first[c->pieces++] = i;
        }
    }
    c->first[c->pieces] = c->n;
}

/* ---- curvatures ---- */

/* Rows 0..k-1 with k >= 4; diagonally dominant, so elimination needs no pivots. work: k. */
static void solve_spline(const double *t, const double *v, uint32_t k, double *m, double *work)
{
    /* tridiagonal rows of the curvatures, eliminated on the fly;
     * not-a-knot folds m_0 and m_{k-1} into their neighbours */
    for (uint32_t i = 1; i + 1 < k; i++) {
        const double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i];
        double low = h0, middle = 2 * (h0 + h1), up = h1;
        const double right = 6 * ((v[i + 1] - v[i]) / h1 - (v[i] - v[i - 1]) / h0);
        if (i == 1) { /* m_0 = m_1 + (m_1 - m_2) h_0/h_1 */
            middle += h0 + h0 * h0 / h1;
            up -= h0 * h0 / h1;
            low = 0;
        }
        if (i + 2 == k) {
            middle += h1 + h1 * h1 / h0;
            low -= h1 * h1 / h0;
            up = 0;
        }
        const double pivot = i == 1 ? middle : middle - low * work[i - 1];
        work[i] = up / pivot;
        m[i] = (right - (i == 1 ? 0.0 : low * m[i - 1])) / pivot;
    }
    /* back substitution, then the two ends by continuity of the third derivative */
    for (uint32_t i = k - 2; i > 1; i--) {
        m[i - 1] -= work[i - 1] * m[i];
    }
    m[0] = m[1] + (m[1] - m[2]) * (t[1] - t[0]) / (t[2] - t[1]);
    m[k - 1] = m[k - 2] + (m[k - 2] - m[k - 3]) * (t[k - 1] - t[k - 2]) / (t[k - 2] - t[k - 3]);
}

static void find_curvatures(dd_series *c, dd_pool *pool)
{
    c->curvature = dd_pool_alloc_array(pool, c->n, sizeof *c->curvature);
    double *work = dd_pool_alloc_array(pool, c->n, sizeof *work);
    for (uint32_t p = 0; p < c->pieces; p++) {
        const uint32_t begin = c->first[p], k = c->first[p + 1] - begin;
        const double *t = c->t + begin, *v = c->v + begin;
        double *m = c->curvature + begin;
        if (k == 3) { /* one parabola */
            m[0] = m[1] = m[2] = 2 * ((v[2] - v[1]) / (t[2] - t[1]) - (v[1] - v[0]) / (t[1] - t[0])) / (t[2] - t[0]);
        } else if (k > 3) {
            solve_spline(t, v, k, m, work);
        }
    }
}

dd_series dd_series_new(const dd_table *table, uint32_t column, bool spline, bool repeated, dd_pool *pool)
{
    dd_series c = {0};
    const size_t n = table->count;
    c.t = dd_pool_alloc_array(pool, n, sizeof *c.t);
    c.v = dd_pool_alloc_array(pool, n, sizeof *c.v);
    c.first = dd_pool_alloc_array(pool, n + 1, sizeof *c.first);
    copy_rows(&c, table, column, repeated);
    find_pieces(&c);
    if (spline) {
        find_curvatures(&c, pool);
    }
    return c;
}

dd_series dd_series_basis(const dd_series *c, uint32_t first, uint32_t last, dd_pool *pool)
{
    dd_series out = *c;
    /* the same rows with value 1 at first..last and 0 elsewhere: u is linear in its values */
    out.v = dd_pool_alloc_array(pool, c->n, sizeof *out.v);
    for (uint32_t i = first; i <= last; i++) {
        out.v[i] = 1;
    }
    if (c->curvature) {
        find_curvatures(&out, pool);
    }
    return out;
}

/* ---- values ---- */

void dd_series_enter(dd_series *c, double t)
{
    /* binary search for the piece that holds to the right of t */
    uint32_t low = 0, high = c->pieces; /* first[low] is not after t, or low is 0 */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->t[c->first[middle]] <= t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    c->piece = low;
    c->cursor = c->first[low];
}

/* The interval of t, within begin..end - 1: t_i <= t < t_{i+1}, the last one also at its end. */
static uint32_t find_interval(dd_series *c, uint32_t begin, uint32_t end, double t)
{
    /* mostly the interval of the last call, or the next one */
    uint32_t i = c->cursor >= begin && c->cursor + 1 < end ? c->cursor : begin;
    if (t >= c->t[i + 1] && i + 2 < end && t < c->t[i + 2]) {
        i++; /* time goes on, as a rule */
    } else if (t < c->t[i] || (t >= c->t[i + 1] && i + 2 < end)) {
        uint32_t low = begin, high = end - 1;
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (c->t[middle] <= t) {
                low = middle;
            } else {
                high = middle;
            }
        }
        i = low;
    }
    c->cursor = i;
    return i;
}

double dd_series_value(dd_series *c, uint32_t order, double t)
{
    const uint32_t begin = c->first[c->piece], end = c->first[c->piece + 1];
    /* held constant before and behind the table */
    if (t < c->t[begin] || end - begin == 1) {
        return order == 0 ? c->v[begin] : 0.0;
    }
    if (t > c->t[end - 1] || (t == c->t[end - 1] && order == 0)) {
        return order == 0 ? c->v[end - 1] : 0.0;
    }
    const uint32_t i = find_interval(c, begin, end, t);
    /* the formulas at the top of this file, and their derivatives */
    const double h = c->t[i + 1] - c->t[i], b = (t - c->t[i]) / h, a = 1 - b, rise = c->v[i + 1] - c->v[i];
    if (!c->curvature) {
        return order == 0 ? c->v[i] + b * rise : 0.0;
    }
    const double m0 = c->curvature[i], m1 = c->curvature[i + 1];
    switch (order) {
    case 0:
        return c->v[i] + b * rise + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
    case 1:
        return rise / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
    case 2:
        return a * m0 + b * m1;
    default:
        return 0.0;
    }
}
