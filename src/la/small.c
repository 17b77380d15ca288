/* small.c - dense inverses for a few unknowns; the triangular factors are in small_lu.c.
 *
 * Gauss-Jordan runs on the rows of the memory, that is on A^T: its inverse, read by columns, is A^-1 again. Leading
 * dimensions are multiples of four, so that its inner loops are whole vectors. */
#include "la/small.h"

#include <math.h>

#include "base/vector.h"
#include "la/small_impl.h"

/* Entry k out of a row of vectors, in vectors: a number stored among them would hold up the loads that follow. */
typedef long long mask4 __attribute__((vector_size(32)));

INLINE void put_out(dd_v4 *v, size_t ld, uint32_t k)
{
    UNROLLED for (size_t c = 0; c < ld; c += 4)
    {
        const long long at = (long long)k - (long long)c;
        const mask4 lane = {0, 1, 2, 3}, keep = lane != at;
        v[c / 4] = (dd_v4)((mask4)v[c / 4] & keep);
    }
}

INLINE dd_v4 only(double x, size_t c, uint32_t k)
{
    const long long at = (long long)k - (long long)c;
    const mask4 lane = {0, 1, 2, 3}, there = lane == at;
    const dd_v4 all = {x, x, x, x};
    return (dd_v4)((mask4)all & there);
}

INLINE bool invert_body(uint32_t n, size_t ld, double *a, int32_t *pivot, uint32_t *failed)
{
    UNROLLED4 for (uint32_t k = 0; k < n; k++)
    {
        /* partial pivoting: the largest entry of column k on or below the diagonal (the first of equals) */
        uint32_t p = k;
        double most = fabs(a[k * ld + k]);
        UNROLLED4 for (uint32_t r = k + 1; r < n; r++)
        {
            double size = fabs(a[r * ld + k]);
            if (__builtin_expect(size > most, 0)) {
                most = size;
                p = r;
            }
        }
        /* negated comparison: NaN fails too */
        double value = a[p * ld + k];
        if (!(fabs(value) > 0) || !isfinite(value)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        /* the pivot line moves to k, and the line that was there takes its place */
        double *line = a + k * ld, inverse = 1.0 / value;
        dd_v4 v[2] = {{0}}, w[2] = {{0}};
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            v[c / 4] = dd_v4_load(a + p * ld + c);
            dd_v4_store(a + p * ld + c, dd_v4_load(line + c));
        }
        /* with entry k replaced by 1 and divided by the pivot the line is that of the inverse so far */
        put_out(v, ld, k);
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            v[c / 4] = v[c / 4] * inverse + only(inverse, c, k);
            dd_v4_store(line + c, v[c / 4]);
        }
        /* all other lines: subtract factor times the pivot line; their entry k starts at 0 and becomes -factor /
         * pivot */
        UNROLLED4 for (uint32_t r = 0; r < n; r++)
        {
            double *other = a + r * ld, factor = other[k];
            if (r != k) {
                UNROLLED for (size_t c = 0; c < ld; c += 4)
                {
                    w[c / 4] = dd_v4_load(other + c);
                }
                put_out(w, ld, k);
                UNROLLED for (size_t c = 0; c < ld; c += 4)
                {
                    dd_v4_store(other + c, w[c / 4] - v[c / 4] * factor);
                }
            }
        }
    }
    /* the exchanges of lines, undone on the entries of the lines in reverse order */
    UNROLLED4 for (uint32_t k = n; k-- > 0;)
    {
        if ((uint32_t)pivot[k] != k) {
            swap_entries(n, ld, a, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

DD_CLONES static bool fast_invert(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    switch (n) { /* the smallest with all loops unrolled */
    case 1:
        return invert_body(1, 4, a, pivot, failed);
    case 2:
        return invert_body(2, 4, a, pivot, failed);
    case 3:
        return invert_body(3, 4, a, pivot, failed);
    case 4:
        return invert_body(4, 4, a, pivot, failed);
    default:
        return invert_body(n, 8, a, pivot, failed);
    }
}

bool dd_small_invert(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    return fast_invert(n, a, pivot, failed);
}

INLINE bool invert_complex_body(uint32_t n, size_t ld, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    UNROLLED4 for (uint32_t k = 0; k < n; k++)
    {
        /* the same in complex arithmetic; |re| + |im| is within sqrt 2 of the modulus and costs no root */
        uint32_t p = k;
        double most = fabs(re[k * ld + k]) + fabs(im[k * ld + k]);
        UNROLLED4 for (uint32_t r = k + 1; r < n; r++)
        {
            double size = fabs(re[r * ld + k]) + fabs(im[r * ld + k]);
            if (__builtin_expect(size > most, 0)) {
                most = size;
                p = r;
            }
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        /* 1 / (a + ib) = (a - ib) / (a^2 + b^2) */
        double *lr = re + k * ld, *li = im + k * ld, *pr = re + p * ld, *pi = im + p * ld;
        double d = 1.0 / (pr[k] * pr[k] + pi[k] * pi[k]), ar = pr[k] * d, ai = -pi[k] * d;
        dd_v4 vr[2] = {{0}}, vi[2] = {{0}}, wr[2] = {{0}}, wi[2] = {{0}};
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            vr[c / 4] = dd_v4_load(pr + c);
            vi[c / 4] = dd_v4_load(pi + c);
            dd_v4_store(pr + c, dd_v4_load(lr + c));
            dd_v4_store(pi + c, dd_v4_load(li + c));
        }
        /* the pivot line divided by the pivot, with 1 / pivot in place of the pivot */
        put_out(vr, ld, k);
        put_out(vi, ld, k);
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            dd_v4 x = vr[c / 4], y = vi[c / 4];
            vr[c / 4] = x * ar - y * ai + only(ar, c, k);
            vi[c / 4] = x * ai + y * ar + only(ai, c, k);
            dd_v4_store(lr + c, vr[c / 4]);
            dd_v4_store(li + c, vi[c / 4]);
        }
        /* (wr + i wi) -= (vr + i vi)(fr + i fi) */
        UNROLLED4 for (uint32_t r = 0; r < n; r++)
        {
            double *other_r = re + r * ld, *other_i = im + r * ld, fr = other_r[k], fi = other_i[k];
            if (r == k) {
                continue;
            }
            UNROLLED for (size_t c = 0; c < ld; c += 4)
            {
                wr[c / 4] = dd_v4_load(other_r + c);
                wi[c / 4] = dd_v4_load(other_i + c);
            }
            put_out(wr, ld, k);
            put_out(wi, ld, k);
            UNROLLED for (size_t c = 0; c < ld; c += 4)
            {
                dd_v4_store(other_r + c, wr[c / 4] - vr[c / 4] * fr + vi[c / 4] * fi);
                dd_v4_store(other_i + c, wi[c / 4] - vi[c / 4] * fr - vr[c / 4] * fi);
            }
        }
    }
    /* exchanges undone, as in the real case */
    UNROLLED4 for (uint32_t k = n; k-- > 0;)
    {
        if ((uint32_t)pivot[k] != k) {
            swap_entries(n, ld, re, k, (uint32_t)pivot[k]);
            swap_entries(n, ld, im, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

DD_CLONES static bool fast_invert_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    switch (n) {
    case 1:
        return invert_complex_body(1, 4, re, im, pivot, failed);
    case 2:
        return invert_complex_body(2, 4, re, im, pivot, failed);
    case 3:
        return invert_complex_body(3, 4, re, im, pivot, failed);
    case 4:
        return invert_complex_body(4, 4, re, im, pivot, failed);
    default:
        return invert_complex_body(n, 8, re, im, pivot, failed);
    }
}

bool dd_small_invert_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    return fast_invert_complex(n, re, im, pivot, failed);
}

/* The first n of ld numbers; whole vectors where they fit. */
INLINE void store(uint32_t n, size_t ld, double *x, const dd_v4 *v)
{
    UNROLLED for (size_t c = 0; c < ld; c += 4)
    {
        if (c + 4 <= n) {
            dd_v4_store(x + c, v[c / 4]);
        } else {
            UNROLLED for (size_t i = c; i < c + 4; i++)
            {
                if (i < n) {
                    x[i] = v[c / 4][i - c];
                }
            }
        }
    }
}

INLINE void apply_body(uint32_t n, size_t ld, const double *a, double *x)
{
    /* A x as a sum of columns: the accumulators stay in registers */
    dd_v4 sum[2] = {{0}};
    for (uint32_t j = 0; j < n; j++) {
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            sum[c / 4] += dd_v4_load(a + j * ld + c) * x[j];
        }
    }
    store(n, ld, x, sum);
}

DD_CLONES static void fast_apply(uint32_t n, const double *a, double *x)
{
    if (n <= 4) {
        apply_body(n, 4, a, x);
    } else {
        apply_body(n, 8, a, x);
    }
}

void dd_small_apply(uint32_t n, const double *a, double *x)
{
    fast_apply(n, a, x);
}

INLINE void apply_complex_body(uint32_t n, size_t ld, const double *re, const double *im, double *xr, double *xi)
{
    dd_v4 sr[2] = {{0}}, si[2] = {{0}};
    for (uint32_t j = 0; j < n; j++) {
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            dd_v4 ar = dd_v4_load(re + j * ld + c), ai = dd_v4_load(im + j * ld + c);
            sr[c / 4] += ar * xr[j] - ai * xi[j];
            si[c / 4] += ar * xi[j] + ai * xr[j];
        }
    }
    store(n, ld, xr, sr);
    store(n, ld, xi, si);
}

DD_CLONES static void fast_apply_complex(uint32_t n, const double *re, const double *im, double *xr, double *xi)
{
    if (n <= 4) {
        apply_complex_body(n, 4, re, im, xr, xi);
    } else {
        apply_complex_body(n, 8, re, im, xr, xi);
    }
}

void dd_small_apply_complex(uint32_t n, const double *re, const double *im, double *xr, double *xi)
{
    fast_apply_complex(n, re, im, xr, xi);
}
