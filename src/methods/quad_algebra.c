/* quad_algebra.c - elimination and polynomial roots in 113-bit arithmetic.
 *
 * Roots: Aberth's iteration, x_i <- x_i - w / (1 - w sum_{j != i} 1/(x_i - x_j)), w = p/p'(x_i), all roots at once; it
 * converges cubically to simple roots and in practice from any start that is not symmetric. O. Aberth, Math. Comp. 27
 * (1973) 339-344. */
#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stddef.h>

#include "methods/quad.h"

bool dd_cquad_solve(dd_cquad *a, dd_cquad *b, uint32_t n, uint32_t m)
{
    for (uint32_t k = 0; k < n; k++) {
        /* partial pivoting by |.|^2 */
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < n; i++) {
            pivot = dd_cquad_norm(a[i * n + k]) > dd_cquad_norm(a[pivot * n + k]) ? i : pivot;
        }
        /* also NaN ends here: the comparison is false */
        if (!(dd_cquad_norm(a[pivot * n + k]) > 0)) {
            return false;
        }
        /* exchange the rows of both a and b */
        for (uint32_t j = 0; j < n + m && pivot != k; j++) {
            dd_cquad *row = j < n ? &a[k * n + j] : &b[k * m + j - n];
            dd_cquad *other = j < n ? &a[pivot * n + j] : &b[pivot * m + j - n];
            const dd_cquad kept = *row;
            *row = *other;
            *other = kept;
        }
        /* subtract multiples of the pivot row; the zeros below the pivot are not stored */
        for (uint32_t i = k + 1; i < n; i++) {
            const dd_cquad factor = dd_cquad_div(a[i * n + k], a[k * n + k]);
            for (uint32_t j = k + 1; j < n; j++) {
                a[i * n + j] = dd_cquad_sub(a[i * n + j], dd_cquad_mul(factor, a[k * n + j]));
            }
            for (uint32_t j = 0; j < m; j++) {
                b[i * m + j] = dd_cquad_sub(b[i * m + j], dd_cquad_mul(factor, b[k * m + j]));
            }
        }
    }
    /* back substitution, all right-hand sides at once */
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = 0; j < m; j++) {
            dd_cquad sum = b[i * m + j];
            for (uint32_t k = i + 1; k < n; k++) {
                sum = dd_cquad_sub(sum, dd_cquad_mul(a[i * n + k], b[k * m + j]));
            }
            b[i * m + j] = dd_cquad_div(sum, a[i * n + i]);
        }
    }
    return true;
}

/* one column of pivots after the other; multipliers are not kept */
static bool eliminate(dd_quad *a, dd_quad *b, uint32_t n, uint32_t m, uint32_t k)
{
    uint32_t pivot = k;
    /* partial pivoting; a NaN is not a pivot */
    for (uint32_t i = k + 1; i < n; i++) {
        pivot = dd_quad_abs(a[i * n + k]) > dd_quad_abs(a[pivot * n + k]) ? i : pivot;
    }
    if (!(dd_quad_abs(a[pivot * n + k]) > 0)) {
        return false;
    }
    for (uint32_t j = 0; j < n + m && pivot != k; j++) {
        dd_quad *row = j < n ? &a[k * n + j] : &b[k * m + j - n];
        dd_quad *other = j < n ? &a[pivot * n + j] : &b[pivot * m + j - n];
        const dd_quad kept = *row;
        *row = *other;
        *other = kept;
    }
    /* subtract multiples of the pivot row; the zeros below the pivot are not stored */
    for (uint32_t i = k + 1; i < n; i++) {
        const dd_quad factor = a[i * n + k] / a[k * n + k];
        for (uint32_t j = k + 1; j < n; j++) {
            a[i * n + j] -= factor * a[k * n + j];
        }
        for (uint32_t j = 0; j < m; j++) {
            b[i * m + j] -= factor * b[k * m + j];
        }
    }
    return true;
}

bool dd_quad_solve(dd_quad *a, dd_quad *b, uint32_t n, uint32_t m)
{
    for (uint32_t k = 0; k < n; k++) {
        if (!eliminate(a, b, n, m, k)) {
            return false;
        }
    }
    /* back substitution */
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t j = 0; j < m; j++) {
            dd_quad sum = b[i * m + j];
            for (uint32_t k = i + 1; k < n; k++) {
                sum -= a[i * n + k] * b[k * m + j];
            }
            b[i * m + j] = sum / a[i * n + i];
        }
    }
    return true;
}

/* ---- polynomials ---- */

dd_cquad dd_quad_polynomial(const dd_quad *p, uint32_t n, dd_cquad z, dd_cquad *derivative)
{
    /* Horner for p and p' together */
    dd_cquad value = {p[n], 0}, slope = {0, 0};
    for (uint32_t k = n; k-- > 0;) {
        slope = dd_cquad_add(dd_cquad_mul(slope, z), value);
        value = dd_cquad_mul(value, z);
        value.re += p[k];
    }
    if (derivative) {
        *derivative = slope;
    }
    return value;
}

/* a radius that encloses about half of the roots, from the geometric means of coefficients */
static double start_radius(const dd_quad *p, uint32_t n)
{
    const double ratio = (double)(dd_quad_abs(p[0]) / dd_quad_abs(p[n]));
    return n > 0 && ratio > 0 && isfinite(ratio) ? pow(ratio, 1.0 / n) : 1;
}

/* the Aberth correction of root i */
static dd_cquad correction(const dd_quad *p, uint32_t n, const dd_cquad *roots, uint32_t i)
{
    dd_cquad slope;
    const dd_cquad value = dd_quad_polynomial(p, n, roots[i], &slope);
    /* an exact root stays */
    if (value.re == 0 && value.im == 0) {
        return value;
    }
    dd_cquad sum = {0, 0};
    /* the other roots repel: sum_{j != i} 1 / (x_i - x_j) */
    const dd_cquad one = {1, 0};
    for (uint32_t j = 0; j < n; j++) {
        const dd_cquad gap = dd_cquad_sub(roots[i], roots[j]);
        if (j != i && dd_cquad_norm(gap) > 0) {
            sum = dd_cquad_add(sum, dd_cquad_div(one, gap));
        }
    }
    /* w / (1 - w sum) = p / (p' - p sum), which also covers p' = 0 */
    const dd_cquad bottom = dd_cquad_sub(slope, dd_cquad_mul(value, sum));
    return dd_cquad_norm(bottom) > 0 ? dd_cquad_div(value, bottom) : dd_cquad_new(DD_QUAD_EPSILON, 0);
}

/* Is |p(z)| at the level of the rounding errors of its evaluation? */
static bool is_noise(const dd_quad *p, uint32_t n, dd_cquad z)
{
    const dd_quad size = dd_quad_sqrt(dd_cquad_norm(z));
    /* |p(z)| is computed with an error of about n eps sum |p_k| |z|^k */
    dd_quad sum = 0;
    for (uint32_t k = n + 1; k-- > 0;) {
        sum = sum * size + dd_quad_abs(p[k]);
    }
    const dd_quad limit = 4 * (dd_quad)(n + 1) * DD_QUAD_EPSILON * sum;
    return dd_cquad_norm(dd_quad_polynomial(p, n, z, NULL)) <= limit * limit;
}

static bool before(dd_cquad a, dd_cquad b)
{
    return a.re < b.re || (a.re == b.re && a.im < b.im);
}

/* makes conjugate pairs exactly conjugate and sorts */
static void tidy(dd_cquad *roots, uint32_t n)
{
    /* each root takes the nearest conjugate among those that follow; nearest to its own conjugate means real */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t mate = i;
        dd_quad best = 4 * dd_cquad_norm(dd_cquad_new(0, roots[i].im)); /* to its own conjugate */
        for (uint32_t j = i + 1; j < n; j++) {
            const dd_quad distance = dd_cquad_norm(dd_cquad_new(roots[i].re - roots[j].re, roots[i].im + roots[j].im));
            if (distance < best) {
                best = distance;
                mate = j;
            }
        }
        if (mate == i) {
            roots[i].im = 0;
            continue;
        }
        /* the mean of a pair; the two become neighbours */
        const dd_cquad mean = {(roots[i].re + roots[mate].re) / 2, (roots[i].im - roots[mate].im) / 2};
        roots[mate] = roots[i + 1];
        roots[i] = (dd_cquad){mean.re, -dd_quad_abs(mean.im)};
        roots[i + 1] = (dd_cquad){mean.re, dd_quad_abs(mean.im)};
        i++;
    }
    /* insertion sort: few roots, nearly sorted */
    for (uint32_t i = 1; i < n; i++) {
        const dd_cquad moved = roots[i];
        uint32_t j = i;
        for (; j > 0 && before(moved, roots[j - 1]); j--) {
            roots[j] = roots[j - 1];
        }
        roots[j] = moved;
    }
}

/* Aberth's iteration in double precision on the polynomial in z / radius; from the roots of unity, turned a little so
 * that no start lies on an axis of symmetry. What it returns need not be good. */
static void rough_roots(const dd_quad *p, uint32_t n, double radius, double complex *z)
{
    enum { ROUNDS = 60 };
    double scaled[DD_QUAD_MOST_ROOTS + 1];
    dd_quad power = 1;
    /* in z / radius the coefficients are of similar size and fit a double */
    for (uint32_t k = 0; k <= n; k++) {
        scaled[k] = (double)(p[k] * power / p[0]);
        power *= (dd_quad)radius;
    }
    for (uint32_t i = 0; i < n; i++) {
        z[i] = cexp(I * (6.283185307179586 * i / n + 0.4));
    }
    double moved = 1;
    /* Gauss-Seidel form: each root uses the others' newest values */
    for (uint32_t round = 0; round < ROUNDS && moved > 1e-13; round++) {
        moved = 0;
        for (uint32_t i = 0; i < n; i++) {
            /* Horner for p and p' */
            double complex value = scaled[n], slope = 0, sum = 0;
            for (uint32_t k = n; k-- > 0;) {
                slope = slope * z[i] + value;
                value = value * z[i] + scaled[k];
            }
            /* coinciding roots would divide by zero; they part in the next round */
            for (uint32_t j = 0; j < n; j++) {
                sum += j != i && z[i] != z[j] ? 1 / (z[i] - z[j]) : 0;
            }
            const double complex bottom = slope - value * sum;
            const double complex step = bottom != 0 ? value / bottom : 0;
            z[i] -= step;
            moved = fmax(moved, cabs(step));
        }
    }
}

/* all roots of a polynomial with p[0] != 0 and p[n] != 0 */
static bool nonzero_roots(const dd_quad *p, uint32_t n, dd_cquad *roots)
{
    enum { MOST_ROUNDS = 400, POLISH = 2 };
    double complex rough[DD_QUAD_MOST_ROOTS];
    const double radius = start_radius(p, n);
    /* double precision first: operations in 113 bits are done in software */
    rough_roots(p, n, radius, rough);
    for (uint32_t i = 0; i < n; i++) {
        const bool usable = isfinite(creal(rough[i])) && isfinite(cimag(rough[i]));
        const double complex start = usable ? rough[i] : cexp(I * (6.283185307179586 * i / n + 0.4));
        roots[i] = dd_cquad_new((dd_quad)radius * (dd_quad)creal(start), (dd_quad)radius * (dd_quad)cimag(start));
    }
    /* settled: every residual is rounding, twice in a row; the second round polishes clusters */
    uint32_t quiet = 0;
    for (uint32_t round = 0; round < MOST_ROUNDS && quiet < POLISH; round++) {
        bool settled = true;
        for (uint32_t i = 0; i < n; i++) {
            settled = settled && is_noise(p, n, roots[i]);
            roots[i] = dd_cquad_sub(roots[i], correction(p, n, roots, i));
        }
        quiet = settled ? quiet + 1 : 0;
    }
    return n == 0 || quiet == POLISH;
}

bool dd_quad_roots(const dd_quad *p, uint32_t n, dd_cquad *roots)
{
    uint32_t zeros = 0;
    assert(n <= DD_QUAD_MOST_ROOTS && p[n] != 0);
    /* roots at zero are divided out, because the start radius needs p[0] != 0 */
    for (; p[zeros] == 0; zeros++) {
        roots[zeros] = dd_cquad_new(0, 0);
    }
    const bool settled = nonzero_roots(p + zeros, n - zeros, roots + zeros);
    tidy(roots, n);
    return settled;
}
