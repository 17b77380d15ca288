/* ldl_kernel.c - the loops of an LDL^T factorisation over the columns of a dense front, in vectors of four.
 *
 * They are our own for all sizes: fronts of ten to a few hundred rows are too small for the administration of most BLAS
 * libraries, and so the numbers are the same whichever is installed. */
#include "la/ldl_impl.h"
#include "la/ldl_lanes.h"

/* A tile of C with 4 `tall` rows and `wide` columns stays in registers while all columns of L and W go by. */
INLINE void tile(size_t tall, size_t wide, size_t count, const double *l, const double *w, size_t ld, double *c,
                 size_t ldc)
{
    dd_v4 sum[2][4];
    UNROLLED for (size_t j = 0; j < wide; j++)
    {
        UNROLLED for (size_t i = 0; i < tall; i++)
        {
            sum[i][j] = dd_v4_load(c + j * ldc + 4 * i);
        }
    }
    /* rank-one updates of the tile */
    for (size_t k = 0; k < count; k++, l += ld, w += ld) {
        dd_v4 column[2];
        UNROLLED for (size_t i = 0; i < tall; i++)
        {
            column[i] = dd_v4_load(l + 4 * i);
        }
        UNROLLED for (size_t j = 0; j < wide; j++)
        {
            UNROLLED for (size_t i = 0; i < tall; i++)
            {
                sum[i][j] -= column[i] * w[j];
            }
        }
    }
    UNROLLED for (size_t j = 0; j < wide; j++)
    {
        UNROLLED for (size_t i = 0; i < tall; i++)
        {
            dd_v4_store(c + j * ldc + 4 * i, sum[i][j]);
        }
    }
}

/* Four columns of C, or the last ones. */
INLINE void strip(size_t wide, size_t from, const dd_ldl_product *p, size_t count, const double *l, const double *w,
                  double *c)
{
    size_t r = from;
    for (; r + 8 <= p->rows; r += 8) {
        tile(2, wide, count, l + r, w, p->ld, c + r, p->ldc);
    }
    if (r < p->rows) {
        tile(1, wide, count, l + r, w, p->ld, c + r, p->ldc);
    }
}

DD_CLONES static void subtract_product(const dd_ldl_product *p)
{
    enum { SLICE = 128 }; /* columns of L at a time: with a few hundred rows they fit into the second cache */
    for (size_t k = 0; k < p->count; k += SLICE) {
        const size_t count = p->count - k < SLICE ? p->count - k : SLICE;
        for (size_t j = 0; j < p->cols; j += 4) {
            const size_t from = p->lower ? j : 0;
            const double *l = p->l + k * p->ld, *w = p->w + k * p->ld + j;
            double *c = p->c + j * p->ldc;
            switch (p->cols - j) {
            case 1:
                strip(1, from, p, count, l, w, c);
                break;
            case 2:
                strip(2, from, p, count, l, w, c);
                break;
            case 3:
                strip(3, from, p, count, l, w, c);
                break;
            default:
                strip(4, from, p, count, l, w, c);
            }
        }
    }
}

void dd_ldl_subtract_product(const dd_ldl_product *p)
{
    subtract_product(p);
}

/* ---- substitution ---- */

DD_CLONES static void forward(size_t ld, size_t k, const double *l, double *y)
{
    for (size_t at = 0; at < k; at += 4, l += 4 * ld) {
        /* the triangle among four rows, then all rows behind them */
        const size_t count = k - at < 4 ? k - at : 4;
        for (size_t i = 0; i < count; i++) {
            for (size_t r = i + 1; r < 4; r++) {
                y[at + r] -= l[i * ld + at + r] * y[at + i];
            }
        }
        const double y0 = y[at], y1 = count > 1 ? y[at + 1] : 0, y2 = count > 2 ? y[at + 2] : 0,
                     y3 = count > 3 ? y[at + 3] : 0;
        const double *l1 = l + (count > 1 ? ld : 0), *l2 = l + (count > 2 ? 2 * ld : 0),
                     *l3 = l + (count > 3 ? 3 * ld : 0);
        for (size_t r = at + 4; r < ld; r += 4) {
            const dd_v4 s = dd_v4_load(l + r) * y0 + dd_v4_load(l1 + r) * y1;
            const dd_v4 t = dd_v4_load(l2 + r) * y2 + dd_v4_load(l3 + r) * y3;
            dd_v4_store(y + r, dd_v4_load(y + r) - (s + t));
        }
    }
}

void dd_ldl_forward(size_t ld, size_t k, const double *l, double *y)
{
    forward(ld, k, l, y);
}

DD_CLONES static void backward(size_t ld, size_t k, const double *l, double *y)
{
    for (size_t at = DD_LDL_ROUND(k); at > 0;) {
        at -= 4;
        /* rows behind the four, then the triangle among them */
        const size_t count = k - at < 4 ? k - at : 4;
        const double *c = l + at * ld, *c1 = c + (count > 1 ? ld : 0), *c2 = c + (count > 2 ? 2 * ld : 0),
                     *c3 = c + (count > 3 ? 3 * ld : 0);
        dd_v4 s0 = all_of(0), s1 = s0, s2 = s0, s3 = s0;
        for (size_t r = at + 4; r < ld; r += 4) {
            const dd_v4 x = dd_v4_load(y + r);
            s0 += dd_v4_load(c + r) * x;
            s1 += dd_v4_load(c1 + r) * x;
            s2 += dd_v4_load(c2 + r) * x;
            s3 += dd_v4_load(c3 + r) * x;
        }
        const double sum[4] = {total_of(s0), total_of(s1), total_of(s2), total_of(s3)};
        for (size_t i = count; i-- > 0;) {
            double s = sum[i];
            for (size_t r = i + 1; r < 4; r++) {
                s += c[i * ld + at + r] * y[at + r];
            }
            y[at + i] -= s;
        }
    }
}

void dd_ldl_backward(size_t ld, size_t k, const double *l, double *y)
{
    backward(ld, k, l, y);
}
