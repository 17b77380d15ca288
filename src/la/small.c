/* small.c - dense inverses and LU for a few unknowns.
 *
 * Gauss-Jordan runs on the rows of the memory, that is on A^T: its inverse, read by columns, is A^-1 again. */
#include "la/small.h"

#include <math.h>

static void swap_rows(uint32_t n, double *a, uint32_t p, uint32_t q)
{
    double *x = a + (uint64_t)p * n, *y = a + (uint64_t)q * n;
    for (uint32_t k = 0; k < n; k++) {
        double t = x[k];
        x[k] = y[k];
        y[k] = t;
    }
}

static void swap_columns(uint32_t n, double *a, uint32_t p, uint32_t q)
{
    for (uint32_t k = 0; k < n; k++) {
        double t = a[(uint64_t)k * n + p];
        a[(uint64_t)k * n + p] = a[(uint64_t)k * n + q];
        a[(uint64_t)k * n + q] = t;
    }
}

bool dd_small_invert(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        for (uint32_t r = k + 1; r < n; r++) {
            p = fabs(a[(uint64_t)r * n + k]) > fabs(a[(uint64_t)p * n + k]) ? r : p;
        }
        double value = a[(uint64_t)p * n + k];
        if (!(fabs(value) > 0) || !isfinite(value)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        if (p != k) {
            swap_rows(n, a, p, k);
        }
        double *row = a + (uint64_t)k * n, inverse = 1.0 / value;
        row[k] = 1.0;
        for (uint32_t c = 0; c < n; c++) {
            row[c] *= inverse;
        }
        for (uint32_t r = 0; r < n; r++) {
            double *other = a + (uint64_t)r * n, factor = other[k];
            if (r == k || factor == 0) {
                continue;
            }
            other[k] = 0.0;
            for (uint32_t c = 0; c < n; c++) {
                other[c] -= factor * row[c];
            }
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        if ((uint32_t)pivot[k] != k) {
            swap_columns(n, a, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

bool dd_small_invert_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        double most = -1;
        for (uint32_t r = k; r < n; r++) {
            double size = fabs(re[(uint64_t)r * n + k]) + fabs(im[(uint64_t)r * n + k]);
            p = size > most ? r : p;
            most = size > most ? size : most;
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        if (p != k) {
            swap_rows(n, re, p, k);
            swap_rows(n, im, p, k);
        }
        double *rr = re + (uint64_t)k * n, *ri = im + (uint64_t)k * n;
        double d = 1.0 / (rr[k] * rr[k] + ri[k] * ri[k]), ar = rr[k] * d, ai = -ri[k] * d;
        rr[k] = 1.0;
        ri[k] = 0.0;
        for (uint32_t c = 0; c < n; c++) {
            double x = rr[c];
            rr[c] = x * ar - ri[c] * ai;
            ri[c] = x * ai + ri[c] * ar;
        }
        for (uint32_t r = 0; r < n; r++) {
            double *orr = re + (uint64_t)r * n, *oi = im + (uint64_t)r * n, fr = orr[k], fi = oi[k];
            if (r == k || (fr == 0 && fi == 0)) {
                continue;
            }
            orr[k] = oi[k] = 0.0;
            for (uint32_t c = 0; c < n; c++) {
                orr[c] -= fr * rr[c] - fi * ri[c];
                oi[c] -= fr * ri[c] + fi * rr[c];
            }
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        if ((uint32_t)pivot[k] != k) {
            swap_columns(n, re, k, (uint32_t)pivot[k]);
            swap_columns(n, im, k, (uint32_t)pivot[k]);
        }
    }
    return true;
}

void dd_small_multiply(uint32_t n, const double *a, const double *x, double *y)
{
    for (uint32_t i = 0; i < n; i++) {
        y[i] = a[i] * x[0];
    }
    for (uint32_t j = 1; j < n; j++) {
        const double *col = a + (uint64_t)j * n;
        for (uint32_t i = 0; i < n; i++) {
            y[i] += col[i] * x[j];
        }
    }
}

void dd_small_multiply_complex(uint32_t n, const double *re, const double *im, const double *xr, const double *xi,
                               double *yr, double *yi)
{
    for (uint32_t i = 0; i < n; i++) {
        yr[i] = yi[i] = 0;
    }
    for (uint32_t j = 0; j < n; j++) {
        const double *cr = re + (uint64_t)j * n, *ci = im + (uint64_t)j * n;
        for (uint32_t i = 0; i < n; i++) {
            yr[i] += cr[i] * xr[j] - ci[i] * xi[j];
            yi[i] += cr[i] * xi[j] + ci[i] * xr[j];
        }
    }
}

bool dd_small_factor(uint32_t n, double *a, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        double *col = a + (uint64_t)k * n;
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
            swap_columns(n, a, k, p);
        }
        double inverse = 1.0 / col[k];
        col[k] = inverse;
        for (uint32_t r = k + 1; r < n; r++) {
            col[r] *= inverse;
        }
        for (uint32_t j = k + 1; j < n; j++) {
            double *other = a + (uint64_t)j * n, factor = other[k];
            if (factor != 0) {
                for (uint32_t r = k + 1; r < n; r++) {
                    other[r] -= factor * col[r];
                }
            }
        }
    }
    return true;
}

void dd_small_solve(uint32_t n, const double *lu, const int32_t *pivot, double *x)
{
    for (uint32_t k = 0; k < n; k++) {
        double t = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = t;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *col = lu + (uint64_t)k * n;
        for (uint32_t r = k + 1; r < n; r++) {
            x[r] -= col[r] * x[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *col = lu + (uint64_t)k * n;
        x[k] *= col[k];
        for (uint32_t r = 0; r < k; r++) {
            x[r] -= col[r] * x[k];
        }
    }
}

bool dd_small_factor_complex(uint32_t n, double *re, double *im, int32_t *pivot, uint32_t *failed)
{
    for (uint32_t k = 0; k < n; k++) {
        double *cr = re + (uint64_t)k * n, *ci = im + (uint64_t)k * n, most = -1;
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
            swap_columns(n, re, k, p);
            swap_columns(n, im, k, p);
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
            double *orr = re + (uint64_t)j * n, *oi = im + (uint64_t)j * n, fr = orr[k], fi = oi[k];
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

void dd_small_solve_complex(uint32_t n, const double *lr, const double *li, const int32_t *pivot, double *xr,
                            double *xi)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = (uint32_t)pivot[k];
        double tr = xr[p], ti = xi[p];
        xr[p] = xr[k];
        xi[p] = xi[k];
        xr[k] = tr;
        xi[k] = ti;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *cr = lr + (uint64_t)k * n, *ci = li + (uint64_t)k * n;
        for (uint32_t r = k + 1; r < n; r++) {
            xr[r] -= cr[r] * xr[k] - ci[r] * xi[k];
            xi[r] -= cr[r] * xi[k] + ci[r] * xr[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *cr = lr + (uint64_t)k * n, *ci = li + (uint64_t)k * n;
        double x = xr[k] * cr[k] - xi[k] * ci[k], y = xr[k] * ci[k] + xi[k] * cr[k];
        xr[k] = x;
        xi[k] = y;
        for (uint32_t r = 0; r < k; r++) {
            xr[r] -= cr[r] * x - ci[r] * y;
            xi[r] -= cr[r] * y + ci[r] * x;
        }
    }
}
