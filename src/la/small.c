/* small.c - dense inverses and LU for a few unknowns.
 *
 * Gauss-Jordan runs on the rows of the memory, that is on A^T: its inverse, read by columns, is A^-1 again. Leading
 * dimensions are multiples of four, so that its inner loops are whole vectors. */
#include "la/small.h"

#include <math.h>

#include "base/vector.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLLED4 _Pragma("GCC unroll 4")
#define UNROLLED _Pragma("GCC unroll 8")

/* Exchanges entries p and q of every line. */
INLINE void swap_entries(uint32_t n, size_t ld, double *a, uint32_t p, uint32_t q)
{
    for (uint32_t k = 0; k < n; k++) {
        double *line = a + k * ld, t = line[p];
        line[p] = line[q];
        line[q] = t;
    }
}

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
        double value = a[p * ld + k];
        if (!(fabs(value) > 0) || !isfinite(value)) {
            *failed = k;
            return false;
        }
        pivot[k] = (int32_t)p;
        double *line = a + k * ld, inverse = 1.0 / value;
        dd_v4 v[2] = {{0}}, w[2] = {{0}};
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            v[c / 4] = dd_v4_load(a + p * ld + c);
            dd_v4_store(a + p * ld + c, dd_v4_load(line + c));
        }
        put_out(v, ld, k);
        UNROLLED for (size_t c = 0; c < ld; c += 4)
        {
            v[c / 4] = v[c / 4] * inverse + only(inverse, c, k);
            dd_v4_store(line + c, v[c / 4]);
        }
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

/* ---- triangular factors ---- */

/* Columns are vectors here: the multipliers of a column are copied with zeros above them, so that all work on the other
 * columns is on whole vectors; solves take four columns at a time, the triangle among them by numbers. */

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
        double inverse = 1.0 / col[k];
        size_t first = (k + 1) & ~(size_t)3;
        for (size_t r = first; r < ld; r += 4) {
            dd_v4_store(l + r, dd_v4_load(col + r) * inverse);
        }
        for (size_t r = first; r <= k; r++) {
            l[r] = 0.0;
        }
        for (size_t r = k + 1; r < n; r++) {
            col[r] = l[r];
        }
        col[k] = inverse;
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
    for (size_t k = 0; k < ld; k++) {
        x[k] = k < n ? b[order[k]] : 0.0;
    }
    for (size_t at = 0; at < n; at += 4) {
        size_t count = n - at < 4 ? n - at : 4;
        if (count == 4) {
            lower(4, lu + at * ld + at, ld, x + at);
        } else {
            lower(count, lu + at * ld + at, ld, x + at);
        }
        subtract(lu + at * ld, ld, x, at, count, at + 4, ld);
    }
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
        double d = 1.0 / (cr[k] * cr[k] + ci[k] * ci[k]), ar = cr[k] * d, ai = -ci[k] * d;
        size_t first = (k + 1) & ~(size_t)3;
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
    for (size_t k = 0; k + 1 < count; k += 2) {
        const double *a = re + k * ld, *b = im + k * ld, *c = a + ld, *d = b + ld;
        const double pr = xr[at + k], pi = xi[at + k], qr = xr[at + k + 1], qi = xi[at + k + 1];
        for (size_t r = from; r < to; r += 4) {
            dd_v4 v = dd_v4_load(a + r), w = dd_v4_load(b + r), y = dd_v4_load(c + r), z = dd_v4_load(d + r);
            dd_v4_store(xr + r, dd_v4_load(xr + r) - (v * pr - w * pi) - (y * qr - z * qi));
            dd_v4_store(xi + r, dd_v4_load(xi + r) - (v * pi + w * pr) - (y * qi + z * qr));
        }
    }
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
    for (size_t k = 0; k < ld; k++) {
        xr[k] = k < n ? br[order[k]] : 0.0;
        xi[k] = k < n ? bi[order[k]] : 0.0;
    }
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
