/* small.c - dense inverses and LU for a few unknowns.
 *
 * Gauss-Jordan runs on the rows of the memory, that is on A^T: its inverse, read by columns, is A^-1 again. Leading
 * dimensions are multiples of four, so that its inner loops are whole vectors. */
#include "la/small.h"

#include <math.h>

#include "base/vector.h"

#define INLINE static inline __attribute__((always_inline))

/* Exchanges entries p and q of every line. */
INLINE void swap_entries(uint32_t n, size_t ld, double *a, uint32_t p, uint32_t q)
{
    for (uint32_t k = 0; k < n; k++) {
        double *line = a + k * ld, t = line[p];
        line[p] = line[q];
        line[q] = t;
    }
}

INLINE bool invert_body(uint32_t n, size_t ld, double *a, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        for (uint32_t r = k + 1; r < n; r++) {
            p = fabs(a[r * ld + k]) > fabs(a[p * ld + k]) ? r : p;
        }
        double value = a[p * ld + k];
        if (!(fabs(value) > 0) || !isfinite(value)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        double *line = a + k * ld, inverse = 1.0 / value;
        dd_v4 v[2] = {{0}};
        for (size_t c = 0; c < ld; c += 4) {
            v[c / 4] = dd_v4_load(a + p * ld + c) * inverse;
            dd_v4_store(a + p * ld + c, dd_v4_load(line + c));
            dd_v4_store(line + c, v[c / 4]);
        }
        line[k] = inverse;
        for (uint32_t r = 0; r < n; r++) {
            double *other = a + r * ld, factor = other[k];
            if (r != k) {
                for (size_t c = 0; c < ld; c += 4) {
                    dd_v4_store(other + c, dd_v4_load(other + c) - v[c / 4] * factor);
                }
                other[k] = -factor * inverse; /* after the vector: a load behind a shorter store waits for it */
            }
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        if ((uint32_t)pivot[k] != k) {
            swap_entries(n, ld, a, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

DD_CLONES bool dd_small_invert(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    return n <= 4 ? invert_body(n, 4, a, pivot, failed) : invert_body(n, 8, a, pivot, failed);
}

INLINE bool invert_complex_body(uint32_t n, size_t ld, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        double most = -1;
        for (uint32_t r = k; r < n; r++) {
            double size = fabs(re[r * ld + k]) + fabs(im[r * ld + k]);
            p = size > most ? r : p;
            most = size > most ? size : most;
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        double *lr = re + k * ld, *li = im + k * ld, *pr = re + p * ld, *pi = im + p * ld;
        double d = 1.0 / (pr[k] * pr[k] + pi[k] * pi[k]), ar = pr[k] * d, ai = -pi[k] * d;
        dd_v4 vr[2] = {{0}}, vi[2] = {{0}};
        for (size_t c = 0; c < ld; c += 4) {
            dd_v4 x = dd_v4_load(pr + c), y = dd_v4_load(pi + c);
            vr[c / 4] = x * ar - y * ai;
            vi[c / 4] = x * ai + y * ar;
            dd_v4_store(pr + c, dd_v4_load(lr + c));
            dd_v4_store(pi + c, dd_v4_load(li + c));
            dd_v4_store(lr + c, vr[c / 4]);
            dd_v4_store(li + c, vi[c / 4]);
        }
        lr[k] = ar;
        li[k] = ai;
        for (uint32_t r = 0; r < n; r++) {
            double *other_r = re + r * ld, *other_i = im + r * ld, fr = other_r[k], fi = other_i[k];
            if (r == k) {
                continue;
            }
            for (size_t c = 0; c < ld; c += 4) {
                dd_v4_store(other_r + c, dd_v4_load(other_r + c) - vr[c / 4] * fr + vi[c / 4] * fi);
                dd_v4_store(other_i + c, dd_v4_load(other_i + c) - vi[c / 4] * fr - vr[c / 4] * fi);
            }
            other_r[k] = fi * ai - fr * ar;
            other_i[k] = -fr * ai - fi * ar;
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        if ((uint32_t)pivot[k] != k) {
            swap_entries(n, ld, re, k, (uint32_t)pivot[k]);
            swap_entries(n, ld, im, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

DD_CLONES bool dd_small_invert_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    return n <= 4 ? invert_complex_body(n, 4, re, im, pivot, failed) : invert_complex_body(n, 8, re, im, pivot, failed);
}

INLINE void apply_body(uint32_t n, size_t ld, const double *a, double *x)
{
    dd_v4 sum[2] = {{0}};
    for (uint32_t j = 0; j < n; j++) {
        for (size_t c = 0; c < ld; c += 4) {
            sum[c / 4] += dd_v4_load(a + j * ld + c) * x[j];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        x[i] = sum[i / 4][i % 4];
    }
}

DD_CLONES void dd_small_apply(uint32_t n, const double *a, double *x)
{
    if (n <= 4) {
        apply_body(n, 4, a, x);
    } else {
        apply_body(n, 8, a, x);
    }
}

INLINE void apply_complex_body(uint32_t n, size_t ld, const double *re, const double *im, double *xr, double *xi)
{
    dd_v4 sr[2] = {{0}}, si[2] = {{0}};
    for (uint32_t j = 0; j < n; j++) {
        for (size_t c = 0; c < ld; c += 4) {
            dd_v4 ar = dd_v4_load(re + j * ld + c), ai = dd_v4_load(im + j * ld + c);
            sr[c / 4] += ar * xr[j] - ai * xi[j];
            si[c / 4] += ar * xi[j] + ai * xr[j];
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        xr[i] = sr[i / 4][i % 4];
        xi[i] = si[i / 4][i % 4];
    }
}

DD_CLONES void dd_small_apply_complex(uint32_t n, const double *re, const double *im, double *xr, double *xi)
{
    if (n <= 4) {
        apply_complex_body(n, 4, re, im, xr, xi);
    } else {
        apply_complex_body(n, 8, re, im, xr, xi);
    }
}

DD_CLONES bool dd_small_factor(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    size_t ld = dd_small_ld(n);
    for (uint32_t k = 0; k < n; k++) {
        double *col = a + k * ld;
        uint32_t p = k;
        for (uint32_t r = k + 1; r < n; r++) {
            p = fabs(col[r]) > fabs(col[p]) ? r : p;
        }
        if (!(fabs(col[p]) > 0) || !isfinite(col[p])) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        if (p != k) {
            swap_entries(n, ld, a, k, p);
        }
        double inverse = 1.0 / col[k];
        col[k] = inverse;
        for (uint32_t r = k + 1; r < n; r++) {
            col[r] *= inverse;
        }
        for (uint32_t j = k + 1; j < n; j++) {
            double *other = a + j * ld, factor = other[k];
            if (factor != 0) {
                for (uint32_t r = k + 1; r < n; r++) {
                    other[r] -= factor * col[r];
                }
            }
        }
    }
    return true;
}

DD_CLONES void dd_small_solve(uint32_t n, const double *lu, const int32_t *pivot, double *x)
{
    size_t ld = dd_small_ld(n);
    for (uint32_t k = 0; k < n; k++) {
        double t = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = t;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *col = lu + k * ld;
        for (uint32_t r = k + 1; r < n; r++) {
            x[r] -= col[r] * x[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *col = lu + k * ld;
        x[k] *= col[k];
        for (uint32_t r = 0; r < k; r++) {
            x[r] -= col[r] * x[k];
        }
    }
}

DD_CLONES bool dd_small_factor_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    size_t ld = dd_small_ld(n);
    for (uint32_t k = 0; k < n; k++) {
        double *cr = re + k * ld, *ci = im + k * ld, most = -1;
        uint32_t p = k;
        for (uint32_t r = k; r < n; r++) {
            double size = fabs(cr[r]) + fabs(ci[r]);
            p = size > most ? r : p;
            most = size > most ? size : most;
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        if (p != k) {
            swap_entries(n, ld, re, k, p);
            swap_entries(n, ld, im, k, p);
        }
        double d = 1.0 / (cr[k] * cr[k] + ci[k] * ci[k]), ar = cr[k] * d, ai = -ci[k] * d;
        cr[k] = ar;
        ci[k] = ai;
        for (uint32_t r = k + 1; r < n; r++) {
            double x = cr[r];
            cr[r] = x * ar - ci[r] * ai;
            ci[r] = x * ai + ci[r] * ar;
        }
        for (uint32_t j = k + 1; j < n; j++) {
            double *orr = re + j * ld, *oi = im + j * ld, fr = orr[k], fi = oi[k];
            if (fr == 0 && fi == 0) {
                continue;
            }
            for (uint32_t r = k + 1; r < n; r++) {
                orr[r] -= fr * cr[r] - fi * ci[r];
                oi[r] -= fr * ci[r] + fi * cr[r];
            }
        }
    }
    return true;
}

DD_CLONES void dd_small_solve_complex(uint32_t n, const double *lr, const double *li, const int32_t *pivot, double *xr,
                                      double *xi)
{
    size_t ld = dd_small_ld(n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = (uint32_t)pivot[k];
        double tr = xr[p], ti = xi[p];
        xr[p] = xr[k];
        xi[p] = xi[k];
        xr[k] = tr;
        xi[k] = ti;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *cr = lr + k * ld, *ci = li + k * ld;
        for (uint32_t r = k + 1; r < n; r++) {
            xr[r] -= cr[r] * xr[k] - ci[r] * xi[k];
            xi[r] -= cr[r] * xi[k] + ci[r] * xr[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *cr = lr + k * ld, *ci = li + k * ld;
        double x = xr[k] * cr[k] - xi[k] * ci[k], y = xr[k] * ci[k] + xi[k] * cr[k];
        xr[k] = x;
        xi[k] = y;
        for (uint32_t r = 0; r < k; r++) {
            xr[r] -= cr[r] * x - ci[r] * y;
            xi[r] -= cr[r] * y + ci[r] * x;
        }
    }
}
