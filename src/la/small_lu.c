/* small_lu.c - dense LU for a few unknowns.
 *
 * Columns are vectors here: the multipliers of a column are copied with zeros above them, so that all work on the other
 * columns is on whole vectors; solves take four columns at a time, the triangle among them by numbers. */
#include <math.h>

#include "base/vector.h"
#include "la/small.h"
#include "la/small_impl.h"

static void identity(uint32_t n, int32_t *order)
{
    for (uint32_t k = 0; k < n; k++) {
        order[k] = (int32_t)k;
    }
}

INLINE void swap_rows(int32_t *order, uint32_t p, uint32_t q)
{
    int32_t t = order[p];
    order[p] = order[q];
    order[q] = t;
}

DD_CLONES static bool fast_factor(uint32_t n, double *a, int32_t *order, uint32_t *failed)
{
    size_t ld = dd_small_ld(n);
    double l[DD_SMALL_MOST];
    identity(n, order);
    for (uint32_t k = 0; k < n; k++) {
        /* the largest entry on or below the diagonal */
        double *col = a + k * ld;
        uint32_t p = k;
        double most = fabs(col[k]);
        for (uint32_t r = k + 1; r < n; r++) {
            double size = fabs(col[r]);
            if (__builtin_expect(size > most, 0)) {
                most = size;
                p = r;
            }
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        if (p != k) {
            swap_entries(n, ld, a, k, p);
            swap_rows(order, k, p);
        }
        /* the multipliers, computed in whole vectors from the multiple of four at or below k + 1 */
        double inverse = 1.0 / col[k];
        size_t first = (k + 1) & ~(size_t)3;
        for (size_t r = first; r < ld; r += 4) {
            dd_v4_store(l + r, dd_v4_load(col + r) * inverse);
        }
        /* zeros in the lanes at or above the diagonal: the updates below then leave those rows alone */
        for (size_t r = first; r <= k; r++) {
            l[r] = 0.0;
        }
        for (size_t r = k + 1; r < n; r++) {
            col[r] = l[r];
        }
        /* the pivot is stored inverted: solving multiplies instead of dividing */
        col[k] = inverse;
        /* right-looking update of the columns behind; sparse matrices have many zero factors */
        for (uint32_t j = k + 1; j < n; j++) {
            double *other = a + j * ld, factor = other[k];
            if (factor != 0) {
                for (size_t r = first; r < ld; r += 4) {
                    dd_v4_store(other + r, dd_v4_load(other + r) - dd_v4_load(l + r) * factor);
                }
            }
        }
    }
    return true;
}

bool dd_small_factor(uint32_t n, double *a, int32_t *order, uint32_t *failed)
{
    return fast_factor(n, a, order, failed);
}

/* Entries from..to of x, both multiples of four, less `count` columns times their unknowns at x + at. */
INLINE void subtract(const double *column, size_t ld, double *x, size_t at, size_t count, size_t from, size_t to)
{
    /* columns that are not there read the first one again and take zero of it */
    const double x0 = x[at], x1 = count > 1 ? x[at + 1] : 0, x2 = count > 2 ? x[at + 2] : 0,
                 x3 = count > 3 ? x[at + 3] : 0;
    const double *c1 = column + (count > 1 ? ld : 0), *c2 = column + (count > 2 ? 2 * ld : 0),
                 *c3 = column + (count > 3 ? 3 * ld : 0);
    for (size_t r = from; r < to; r += 4) {
        dd_v4 s = dd_v4_load(column + r) * x0 + dd_v4_load(c1 + r) * x1;
        dd_v4 t = dd_v4_load(c2 + r) * x2 + dd_v4_load(c3 + r) * x3;
        dd_v4_store(x + r, dd_v4_load(x + r) - (s + t));
    }
}

/* The triangles of a block on the diagonal. */
INLINE void lower(size_t n, const double *lu, size_t ld, double *x)
{
    UNROLLED for (size_t k = 0; k < n; k++)
    {
        UNROLLED for (size_t r = k + 1; r < n; r++)
        {
            x[r] -= lu[k * ld + r] * x[k];
        }
    }
}

INLINE void upper(size_t n, const double *lu, size_t ld, double *x)
{
    UNROLLED for (size_t k = n; k-- > 0;)
    {
        x[k] *= lu[k * ld + k];
        UNROLLED for (size_t r = 0; r < k; r++)
        {
            x[r] -= lu[k * ld + r] * x[k];
        }
    }
}

DD_CLONES static void fast_solve(uint32_t n, const double *lu, const int32_t *order, double *b)
{
    size_t ld = dd_small_ld(n);
    double x[DD_SMALL_MOST];
    /* P b, padded with zeros */
    for (size_t k = 0; k < ld; k++) {
        x[k] = k < n ? b[order[k]] : 0.0;
    }
    /* L y = P b, four columns at a time: the triangle among them, then their effect on all rows below */
    for (size_t at = 0; at < n; at += 4) {
        size_t count = n - at < 4 ? n - at : 4;
        if (count == 4) {
            lower(4, lu + at * ld + at, ld, x + at);
        } else {
            lower(count, lu + at * ld + at, ld, x + at);
        }
        subtract(lu + at * ld, ld, x, at, count, at + 4, ld);
    }
    /* U x = y from the last block up */
    for (size_t at = ld; at > 0;) {
        at -= 4;
        size_t count = n - at < 4 ? n - at : 4;
        if (count == 4) {
            upper(4, lu + at * ld + at, ld, x + at);
        } else {
            upper(count, lu + at * ld + at, ld, x + at);
        }
        subtract(lu + at * ld, ld, x, at, count, 0, at);
    }
    for (uint32_t k = 0; k < n; k++) {
        b[k] = x[k];
    }
}

void dd_small_solve(uint32_t n, const double *lu, const int32_t *order, double *b)
{
    fast_solve(n, lu, order, b);
}

DD_CLONES static bool fast_factor_complex(uint32_t n, double *re, double *im, int32_t *order, uint32_t *failed)
{
    size_t ld = dd_small_ld(n);
    double lr[DD_SMALL_MOST], li[DD_SMALL_MOST];
    identity(n, order);
    for (uint32_t k = 0; k < n; k++) {
        /* the largest |re| + |im| on or below the diagonal */
        double *cr = re + k * ld, *ci = im + k * ld, most = fabs(cr[k]) + fabs(ci[k]);
        uint32_t p = k;
        for (uint32_t r = k + 1; r < n; r++) {
            double size = fabs(cr[r]) + fabs(ci[r]);
            if (__builtin_expect(size > most, 0)) {
                most = size;
                p = r;
            }
        }
        if (!(most > 0) || !isfinite(most)) {
            *failed = k;
            return false;
        }
        if (p != k) {
            swap_entries(n, ld, re, k, p);
            swap_entries(n, ld, im, k, p);
            swap_rows(order, k, p);
        }
        /* 1 / pivot */
        double d = 1.0 / (cr[k] * cr[k] + ci[k] * ci[k]), ar = cr[k] * d, ai = -ci[k] * d;
        size_t first = (k + 1) & ~(size_t)3;
        /* multipliers in whole vectors, with zeros at and above the diagonal */
        for (size_t r = first; r < ld; r += 4) {
            dd_v4 x = dd_v4_load(cr + r), y = dd_v4_load(ci + r);
            dd_v4_store(lr + r, x * ar - y * ai);
            dd_v4_store(li + r, x * ai + y * ar);
        }
        for (size_t r = first; r <= k; r++) {
            lr[r] = li[r] = 0.0;
        }
        for (size_t r = k + 1; r < n; r++) {
            cr[r] = lr[r];
            ci[r] = li[r];
        }
        cr[k] = ar;
        ci[k] = ai;
        /* right-looking update of the columns behind */
        for (uint32_t j = k + 1; j < n; j++) {
            double *other_r = re + j * ld, *other_i = im + j * ld, fr = other_r[k], fi = other_i[k];
            if (fr == 0 && fi == 0) {
                continue;
            }
            for (size_t r = first; r < ld; r += 4) {
                dd_v4 x = dd_v4_load(lr + r), y = dd_v4_load(li + r);
                dd_v4_store(other_r + r, dd_v4_load(other_r + r) - x * fr + y * fi);
                dd_v4_store(other_i + r, dd_v4_load(other_i + r) - y * fr - x * fi);
            }
        }
    }
    return true;
}

bool dd_small_factor_complex(uint32_t n, double *re, double *im, int32_t *order, uint32_t *failed)
{
    return fast_factor_complex(n, re, im, order, failed);
}

INLINE void subtract_complex(const double *re, const double *im, size_t ld, double *xr, double *xi, size_t at,
                             size_t count, size_t from, size_t to)
{
    /* two columns at a time halve the loads and stores of x */
    for (size_t k = 0; k + 1 < count; k += 2) {
        const double *a = re + k * ld, *b = im + k * ld, *c = a + ld, *d = b + ld;
        const double pr = xr[at + k], pi = xi[at + k], qr = xr[at + k + 1], qi = xi[at + k + 1];
        for (size_t r = from; r < to; r += 4) {
            dd_v4 v = dd_v4_load(a + r), w = dd_v4_load(b + r), y = dd_v4_load(c + r), z = dd_v4_load(d + r);
            dd_v4_store(xr + r, dd_v4_load(xr + r) - (v * pr - w * pi) - (y * qr - z * qi));
            dd_v4_store(xi + r, dd_v4_load(xi + r) - (v * pi + w * pr) - (y * qi + z * qr));
        }
    }
    /* the last of an odd number */
    if (count % 2 == 1) {
        const double *a = re + (count - 1) * ld, *b = im + (count - 1) * ld;
        const double pr = xr[at + count - 1], pi = xi[at + count - 1];
        for (size_t r = from; r < to; r += 4) {
            dd_v4 v = dd_v4_load(a + r), w = dd_v4_load(b + r);
            dd_v4_store(xr + r, dd_v4_load(xr + r) - (v * pr - w * pi));
            dd_v4_store(xi + r, dd_v4_load(xi + r) - (v * pi + w * pr));
        }
    }
}

INLINE void lower_complex(size_t n, const double *lr, const double *li, size_t ld, double *xr, double *xi)
{
    UNROLLED for (size_t k = 0; k < n; k++)
    {
        UNROLLED for (size_t r = k + 1; r < n; r++)
        {
            xr[r] -= lr[k * ld + r] * xr[k] - li[k * ld + r] * xi[k];
            xi[r] -= lr[k * ld + r] * xi[k] + li[k * ld + r] * xr[k];
        }
    }
}

INLINE void upper_complex(size_t n, const double *lr, const double *li, size_t ld, double *xr, double *xi)
{
    UNROLLED for (size_t k = n; k-- > 0;)
    {
        /* the inverted pivot is on the diagonal */
        const double *cr = lr + k * ld, *ci = li + k * ld;
        double x = xr[k] * cr[k] - xi[k] * ci[k], y = xr[k] * ci[k] + xi[k] * cr[k];
        xr[k] = x;
        xi[k] = y;
        UNROLLED for (size_t r = 0; r < k; r++)
        {
            xr[r] -= cr[r] * x - ci[r] * y;
            xi[r] -= cr[r] * y + ci[r] * x;
        }
    }
}

DD_CLONES static void fast_solve_complex(uint32_t n, const double *lr, const double *li, const int32_t *order,
                                         double *br, double *bi)
{
    size_t ld = dd_small_ld(n);
    double xr[DD_SMALL_MOST], xi[DD_SMALL_MOST];
    /* P b, padded with zeros */
    for (size_t k = 0; k < ld; k++) {
        xr[k] = k < n ? br[order[k]] : 0.0;
        xi[k] = k < n ? bi[order[k]] : 0.0;
    }
    /* L y = P b in blocks of four columns */
    for (size_t at = 0; at < n; at += 4) {
        size_t count = n - at < 4 ? n - at : 4;
        const double *tr = lr + at * ld + at, *ti = li + at * ld + at;
        if (count == 4) {
            lower_complex(4, tr, ti, ld, xr + at, xi + at);
        } else {
            lower_complex(count, tr, ti, ld, xr + at, xi + at);
        }
        subtract_complex(lr + at * ld, li + at * ld, ld, xr, xi, at, count, at + 4, ld);
    }
    /* U x = y from the last block up */
    for (size_t at = ld; at > 0;) {
        at -= 4;
        size_t count = n - at < 4 ? n - at : 4;
        const double *tr = lr + at * ld + at, *ti = li + at * ld + at;
        if (count == 4) {
            upper_complex(4, tr, ti, ld, xr + at, xi + at);
        } else {
            upper_complex(count, tr, ti, ld, xr + at, xi + at);
        }
        subtract_complex(lr + at * ld, li + at * ld, ld, xr, xi, at, count, 0, at);
    }
    for (uint32_t k = 0; k < n; k++) {
        br[k] = xr[k];
        bi[k] = xi[k];
    }
}

void dd_small_solve_complex(uint32_t n, const double *lr, const double *li, const int32_t *order, double *br,
                            double *bi)
{
    fast_solve_complex(n, lr, li, order, br, bi);
}
