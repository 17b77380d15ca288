/* stability.c - stability functions as ratios of polynomials, A- and L-stability by proof.
 *
 * det(I - zM) is evaluated at s + 1 points of a circle (M once brought to Hessenberg form, so each costs s^2) and
 * interpolated there, which is a discrete Fourier transform and keeps all digits. The radius is 1 over the spectral
 * radius of M: then the terms of the polynomial are of similar size on the circle.
 *
 * A-stability (Hairer & Wanner II, sec. IV.3): all poles to the right of the imaginary axis, and
 * E(y) = |Q(iy)|^2 - |P(iy)|^2 >= 0 for all real y. E is a polynomial in y^2, which can change its sign only at its
 * positive zeros; it is evaluated between them. */
#include "methods/stability.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST = DD_TABLEAU_STAGES };

/* ---- det(I - zM) ---- */

typedef struct {
    dd_context *ctx;
    uint32_t s;
    dd_quad accuracy;
    dd_quad *matrix, *product;                                      /* s x s each */
    dd_cquad *work;                                                 /* s x s */
    dd_quad numerator_error[MOST + 1], denominator_error[MOST + 1]; /* of the coefficients */
} room;

static dd_quad norm_of(const dd_quad *m, uint32_t s)
{
    dd_quad largest = 0;
    for (uint32_t i = 0; i < s; i++) {
        dd_quad sum = 0;
        for (uint32_t j = 0; j < s; j++) {
            sum += dd_quad_abs(m[(size_t)i * s + j]);
        }
        largest = dd_quad_max(largest, sum);
    }
    return largest;
}

/* |M^(2^k)|^(1/2^k) for 2^k >= 4 s: close to the spectral radius; 0 when M is nilpotent */
static double spectral_radius(const room *r, dd_quad *power, dd_quad *square)
{
    const uint32_t s = r->s;
    double logarithm = 0, weight = 1;
    /* square repeatedly; the norms taken out keep the powers in range, and their logarithms add up to log |M^n| / n */
    memcpy(power, r->matrix, (size_t)s * s * sizeof *power);
    for (uint32_t n = 1;; n *= 2) {
        /* a nilpotent matrix (an explicit method) becomes exactly zero */
        const dd_quad norm = norm_of(power, s);
        if (norm == 0) {
            return 0;
        }
        logarithm += weight * log((double)norm);
        weight /= 2;
        /* by |M^n| <= const rho^n n^(s-1) the n-th root is off by a small factor, enough for the radius of a circle */
        if (n >= 4 * s) {
            return exp(logarithm);
        }
        for (size_t k = 0; k < (size_t)s * s; k++) {
            power[k] /= norm;
        }
        for (uint32_t i = 0; i < s; i++) {
            for (uint32_t j = 0; j < s; j++) {
                dd_quad sum = 0;
                for (uint32_t k = 0; k < s; k++) {
                    sum += power[(size_t)i * s + k] * power[(size_t)k * s + j];
                }
                square[(size_t)i * s + j] = sum;
            }
        }
        memcpy(power, square, (size_t)s * s * sizeof *power);
    }
}

/* Brings M to upper Hessenberg form by elimination with pivoting, which keeps its eigenvalues. */
static void hessenberg(dd_quad *m, uint32_t s)
{
    for (uint32_t k = 1; k + 1 < s; k++) {
        /* pivot: the largest entry of column k - 1 below the diagonal */
        uint32_t pivot = k;
        for (uint32_t i = k + 1; i < s; i++) {
            pivot = dd_quad_abs(m[(size_t)i * s + k - 1]) > dd_quad_abs(m[(size_t)pivot * s + k - 1]) ? i : pivot;
        }
        if (m[(size_t)pivot * s + k - 1] == 0) {
            continue;
        }
        /* a similarity exchanges rows and columns alike */
        for (uint32_t j = 0; j < s && pivot != k; j++) {
            const dd_quad kept = m[(size_t)k * s + j];
            m[(size_t)k * s + j] = m[(size_t)pivot * s + j];
            m[(size_t)pivot * s + j] = kept;
        }
        for (uint32_t i = 0; i < s && pivot != k; i++) {
            const dd_quad kept = m[(size_t)i * s + k];
            m[(size_t)i * s + k] = m[(size_t)i * s + pivot];
            m[(size_t)i * s + pivot] = kept;
        }
        const dd_quad head = m[(size_t)k * s + k - 1];
        /* eliminate below the subdiagonal: L^-1 M L, so the columns get the opposite multiples */
        for (uint32_t i = k + 1; i < s && dd_quad_abs(head) > 0; i++) {
            const dd_quad factor = m[(size_t)i * s + k - 1] / head;
            if (factor == 0) {
                continue;
            }
            for (uint32_t j = k - 1; j < s; j++) {
                m[(size_t)i * s + j] -= factor * m[(size_t)k * s + j];
            }
            for (uint32_t l = 0; l < s; l++) {
                m[(size_t)l * s + k] += factor * m[(size_t)l * s + i];
            }
            m[(size_t)i * s + k - 1] = 0;
        }
    }
}

/* det(I - zH) for Hessenberg H: elimination between neighbouring rows, with pivoting */
static dd_cquad determinant(const room *r, dd_cquad z)
{
    const uint32_t s = r->s;
    dd_cquad *a = r->work;
    /* I - zH */
    for (size_t k = 0; k < (size_t)s * s; k++) {
        a[k] = dd_cquad_new((dd_quad)(k / s == k % s) - z.re * r->matrix[k], -z.im * r->matrix[k]);
    }
    dd_cquad det = {1, 0};
    for (uint32_t k = 0; k < s; k++) {
        dd_cquad *row = a + (size_t)k * s, *next = row + s;
        /* only the next row has an entry in column k, so partial pivoting looks at two rows */
        if (k + 1 < s && dd_cquad_norm(next[k]) > dd_cquad_norm(row[k])) {
            for (uint32_t j = k; j < s; j++) {
                const dd_cquad kept = row[j];
                row[j] = next[j];
                next[j] = kept;
            }
            det = dd_cquad_new(-det.re, -det.im);
        }
        det = dd_cquad_mul(det, row[k]);
        /* a zero pivot is a zero determinant */
        if (dd_cquad_norm(row[k]) == 0) {
            return det;
        }
        if (k + 1 < s && dd_cquad_norm(next[k]) > 0) {
            const dd_cquad factor = dd_cquad_div(next[k], row[k]);
            for (uint32_t j = k; j < s; j++) {
                next[j] = dd_cquad_sub(next[j], dd_cquad_mul(factor, row[j]));
            }
        }
    }
    return det;
}

/* e^{2 pi i k / n} */
static dd_cquad root_of_unity(uint32_t k, uint32_t n)
{
    const dd_quad angle = 2 * dd_quad_pi() * k / n;
    const bool below = 2 * k > n;
    const dd_quad h = dd_quad_versine(below ? 2 * dd_quad_pi() - angle : angle);
    const dd_quad sine = dd_quad_sqrt(h * (2 - h));
    return dd_cquad_new(1 - h, below ? -sine : sine);
}

/* Coefficients of det(I - zM), M in r->matrix (destroyed), and a bound of their errors. What is below it is set to
 * zero. */
static void polynomial(const room *r, dd_quad *p, dd_quad *error)
{
    const uint32_t s = r->s, n = s + 1;
    const double spectral = spectral_radius(r, r->product, (dd_quad *)r->work);
    dd_cquad values[MOST + 1], unity[MOST + 1];
    /* nilpotent: det(I - zM) = 1 */
    memset(p, 0, n * sizeof *p);
    p[0] = 1;
    if (spectral == 0) {
        return;
    }
    /* on |z| = 1 / rho the terms p_j z^j are of similar size, so no digits are lost to cancellation */
    const dd_quad radius = (dd_quad)(1 / spectral);
    hessenberg(r->matrix, s);
    for (uint32_t k = 0; k < n; k++) {
        unity[k] = root_of_unity(k, n);
    }
    for (uint32_t k = 0; 2 * k <= n; k++) { /* the other half is conjugate */
        values[k] = determinant(r, dd_cquad_new(radius * unity[k].re, radius * unity[k].im));
        values[(n - k) % n] = dd_cquad_new(values[k].re, 2 * k == n || k == 0 ? 0 : -values[k].im);
        values[k].im = 2 * k == n || k == 0 ? 0 : values[k].im;
    }
    const dd_quad share = 1 / (dd_quad)n;
    dd_quad largest = 0, power = 1;
    for (uint32_t j = 0; j < n; j++) {
        p[j] = 0;
        for (uint32_t k = 0; k < n; k++) { /* sum_k values_k w^(-jk) / n */
            const dd_cquad w = unity[j * k % n];
            p[j] += values[k].re * w.re + values[k].im * w.im;
        }
        p[j] *= share;
        largest = dd_quad_max(largest, dd_quad_abs(p[j]));
    }
    /* back from z / radius; the transform's error is the same for all j relative to the largest term */
    for (uint32_t j = 0; j < n; j++) {
        error[j] = 4096 * n * r->accuracy * largest / power;
        p[j] = dd_quad_abs(p[j] / power) > error[j] ? p[j] / power : 0;
        power *= radius;
    }
    p[0] = 1;
}

/* An explicit method: P(z) = 1 + sum_k b^T A^(k-1) 1 z^k, Q = 1. */
static void explicit_polynomial(const dd_tableau *t, dd_quad *p, dd_quad *error)
{
    const uint32_t s = t->stages;
    dd_quad v[MOST], next[MOST];
    /* v = A^(k-1) 1, beginning with k = 1 */
    for (uint32_t i = 0; i < s; i++) {
        v[i] = 1;
    }
    p[0] = 1;
    for (uint32_t k = 1; k <= s; k++) {
        dd_quad size = 0;
        p[k] = 0;
        for (uint32_t i = 0; i < s; i++) {
            p[k] += t->exact.b[i] * v[i];
            size += dd_quad_abs(t->exact.b[i] * v[i]);
            next[i] = 0;
            for (uint32_t j = 0; j < i; j++) {
                next[i] += t->exact.A[(size_t)i * s + j] * v[j];
            }
        }
        error[k] = 64 * t->exact.accuracy * size;
        p[k] = dd_quad_abs(p[k]) > error[k] ? p[k] : 0;
        memcpy(v, next, s * sizeof *v);
    }
}

/* Collocation with the nodes c: the coefficient of z^j is (s-j)!/s! times the j-th elementary symmetric function of the
 * numbers 1 - c_i in P and of -c_i in Q (Hairer & Wanner II, theorem IV.3.10). All terms of such a sum have the same
 * sign, so it keeps all digits for any s. */
static void collocation_polynomial(const dd_tableau *t, bool numerator, dd_quad *p, dd_quad *error)
{
    const uint32_t s = t->stages;
    /* multiply out prod (1 + factor_i z) */
    memset(p, 0, (s + 1) * sizeof *p);
    p[0] = 1;
    for (uint32_t i = 0; i < s; i++) {
        const dd_quad factor = numerator ? 1 - t->exact.c[i] : -t->exact.c[i];
        for (uint32_t j = i + 1; j > 0; j--) {
            p[j] += factor * p[j - 1];
        }
    }
    /* then the factor (s - j)! / s! */
    dd_quad ratio = 1;
    for (uint32_t j = 1; j <= s; j++) {
        ratio /= s - j + 1;
        p[j] *= ratio;
        error[j] = 4 * s * t->exact.accuracy * dd_quad_abs(p[j]);
    }
}

static uint32_t degree_of(const dd_quad *p, uint32_t n)
{
    while (n > 0 && p[n] == 0) {
        n--;
    }
    return n;
}

/* ---- common factors ---- */

/* sum |p_k| |z|^k */
static dd_quad size_at(const dd_quad *p, uint32_t n, dd_quad z)
{
    dd_quad sum = 0;
    for (uint32_t k = n + 1; k-- > 0;) {
        sum = sum * z + dd_quad_abs(p[k]);
    }
    return sum;
}

static bool is_zero(const dd_quad *p, uint32_t n, dd_cquad z, dd_quad tolerance)
{
    const dd_quad limit = tolerance * size_at(p, n, dd_quad_sqrt(dd_cquad_norm(z)));
    return dd_cquad_norm(dd_quad_polynomial(p, n, z, NULL)) <= limit * limit;
}

/* Divides p (p_0 = 1) by 1 - z/root or, for a nonreal root, by (1 - z/root)(1 - z/conjugate) = 1 - u z - v z^2. */
static void divide(dd_quad *p, uint32_t *n, dd_cquad root)
{
    const dd_quad norm = dd_cquad_norm(root);
    const bool pair = root.im != 0;
    const dd_quad u = pair ? 2 * root.re / norm : 1 / root.re, v = pair ? -1 / norm : 0;
    /* power series division: q_k = p_k + u q_{k-1} + v q_{k-2} */
    for (uint32_t k = 1; k <= *n; k++) {
        p[k] += u * p[k - 1] + (k > 1 ? v * p[k - 2] : 0);
    }
    *n -= pair ? 2 : 1;
}

/* Multiple zeros come out as a cluster. One of m zeros is a simple zero of the derivative of order m - 1, found from
 * their mean by Newton's method. */
static dd_cquad centre_of(const dd_quad *p, uint32_t n, const dd_cquad *roots, uint32_t i)
{
    /* a cluster: zeros within a thousandth of each other, the
     * size that rounding in 113 bits spreads ten equal ones to */
    dd_cquad mean = {0, 0};
    uint32_t m = 0;
    for (uint32_t j = 0; j < n; j++) {
        const dd_quad gap = dd_cquad_norm(dd_cquad_sub(roots[i], roots[j]));
        if (gap <= (dd_quad)1e-6 * dd_cquad_norm(roots[i])) {
            mean = dd_cquad_add(mean, roots[j]);
            m++;
        }
    }
    mean = dd_cquad_new(mean.re / m, mean.im / m);
    /* differentiate m - 1 times, then Newton from the mean */
    if (m > 1) {
        dd_quad d[MOST + 1];
        memcpy(d, p, (n + 1) * sizeof *d);
        for (uint32_t order = 1; order < m; order++) {
            for (uint32_t k = 0; k + order <= n; k++) {
                d[k] = d[k + 1] * (k + 1);
            }
        }
        for (int round = 0; round < 4; round++) {
            dd_cquad slope;
            const dd_cquad value = dd_quad_polynomial(d, n - m + 1, mean, &slope);
            mean = dd_cquad_norm(slope) > 0 ? dd_cquad_sub(mean, dd_cquad_div(value, slope)) : mean;
        }
    }
    /* a real zero is exactly real, so that it divides out as a linear factor */
    mean.im = dd_quad_abs(mean.im) <= (dd_quad)1e-12 * dd_quad_abs(mean.re) ? 0 : mean.im;
    return mean;
}

static bool cancel(dd_stability *f, dd_quad accuracy)
{
    /* zeros of both polynomials carry rounding; 1e-20 is far below any gap of nodes that are really different */
    const dd_quad tolerance = dd_quad_max((dd_quad)1e-20, 1000 * accuracy);
    dd_cquad roots[MOST];
    dd_quad whole[MOST + 1]; /* the denominator before anything is cancelled */
    const uint32_t n = f->denominator_degree;
    memcpy(whole, f->denominator, (n + 1) * sizeof *whole);
    if (!dd_quad_roots(whole, n, roots)) {
        return false;
    }
    /* P and Q share the factor 1 - z/root when the root annihilates both; conjugates are divided out together */
    for (uint32_t i = 0; i < n && f->numerator_degree > 0 && f->denominator_degree > 0; i++) {
        const dd_cquad root = centre_of(whole, n, roots, i);
        if (root.im < 0 || !is_zero(f->numerator, f->numerator_degree, root, tolerance) ||
            !is_zero(f->denominator, f->denominator_degree, root, tolerance)) {
            continue;
        }
        f->cancelled += root.im != 0 ? 2 : 1;
        divide(f->numerator, &f->numerator_degree, root);
        divide(f->denominator, &f->denominator_degree, root);
    }
    return true;
}

/* ---- A-stability ---- */

/* |p(iy)|^2 = sum_{j,k} p_j p_k i^(j-k) y^(j+k), a polynomial in w = y^2; terms with odd j - k cancel */
static void add_square(const dd_quad *p, const dd_quad *error, uint32_t n, dd_quad sign, dd_quad *e, dd_quad *noise)
{
    /* only terms with i and j of the same parity remain; i^(i-j) is 1 or -1 */
    for (uint32_t i = 0; i <= n; i++) {
        for (uint32_t j = i % 2; j <= n; j += 2) {
            const uint32_t gap = i > j ? i - j : j - i;
            const dd_quad term = gap % 4 == 0 ? p[i] * p[j] : -p[i] * p[j];
            e[(i + j) / 2] += sign * term;
            noise[(i + j) / 2] +=
                2 * error[i] * (dd_quad_abs(p[j]) + error[j]) + 16 * DD_QUAD_EPSILON * dd_quad_abs(term);
        }
    }
}

static dd_quad value_at(const dd_quad *p, uint32_t n, dd_quad x)
{
    dd_quad value = 0;
    for (uint32_t k = n + 1; k-- > 0;) {
        value = value * x + p[k];
    }
    return value;
}

/* Is the polynomial nonnegative for all w > 0? It is looked at once between any two neighbouring positive real parts of
 * its zeros, among which are all places where its sign can change. */
static bool is_nonnegative(const dd_quad *e, uint32_t n, dd_quad tolerance, bool *fine)
{
    dd_cquad roots[2 * MOST];
    uint32_t low = 0;
    /* w^low divides the polynomial and does not change its sign for w > 0 */
    while (low < n && e[low] == 0) {
        low++;
    }
    if (e[n] == 0) {
        return true; /* identically zero */
    }
    /* the lowest term decides near zero, the highest at infinity */
    if (e[low] < 0 || e[n] < 0) {
        return false;
    }
    *fine = dd_quad_roots(e + low, n - low, roots);
    dd_quad before = 0;
    for (uint32_t i = 0; i < n - low; i++) { /* sorted by real part */
        if (roots[i].re <= 0) {
            continue;
        }
        if (before > 0) {
            const dd_quad middle = (before + roots[i].re) / 2;
            const dd_quad noise = tolerance * size_at(e + low, n - low, middle);
            if (value_at(e + low, n - low, middle) < -noise) {
                return false;
            }
        }
        before = roots[i].re;
    }
    return true;
}

static bool poles_are_right(const dd_stability *f, bool *fine)
{
    dd_cquad roots[MOST];
    *fine = dd_quad_roots(f->denominator, f->denominator_degree, roots);
    /* multiple poles scatter around their centre, which decides */
    for (uint32_t i = 0; i < f->denominator_degree; i++) {
        if (!(centre_of(f->denominator, f->denominator_degree, roots, i).re > 0)) {
            return false;
        }
    }
    return true;
}

/* E(y) by its coefficients in y^2; returns its degree there. What rounding can explain is zero. */
static uint32_t e_polynomial(const dd_stability *f, const room *r, dd_quad *e)
{
    dd_quad noise[MOST + 1] = {0};
    /* |Q|^2 - |P|^2; what cancels down to rounding is zero (for symmetric methods all of E is) */
    const uint32_t p = f->numerator_degree, q = f->denominator_degree, n = p > q ? p : q;
    memset(e, 0, (MOST + 1) * sizeof *e);
    add_square(f->denominator, r->denominator_error, q, 1, e, noise);
    add_square(f->numerator, r->numerator_error, p, -1, e, noise);
    for (uint32_t k = 0; k <= n; k++) {
        e[k] = dd_quad_abs(e[k]) > noise[k] ? e[k] : 0;
    }
    return degree_of(e, n);
}

/* Is the first coefficient that does not vanish negative? Then |R(iy)| > 1 for all small y. */
static bool starts_negative(const dd_quad *e, uint32_t n)
{
    uint32_t low = 0;
    while (low < n && e[low] == 0) {
        low++;
    }
    return e[low] < 0;
}

/* ---- intervals ---- */

/* how far |R| <= 1 along a ray from the origin, up to 10^6: steps of 0.2 %, then bisection */
static double stable_up_to(const dd_stability *f, double re, double im)
{
    enum { STEPS = 10400 };
    const double first = 1e-3, growth = 1.002, tolerance = 1 + 1e-12;
    /* geometric steps from 1e-3: the first violation bounds the interval from above */
    double good = 0, bad = first;
    int step = 0;
    for (; step < STEPS && dd_stability_factor(f, re * bad, im * bad) <= tolerance; step++) {
        good = bad;
        bad *= growth;
    }
    if (step == STEPS || step == 0) {
        return step == 0 ? 0 : HUGE_VAL;
    }
    /* 60 halvings exhaust a double */
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (good + bad);
        const bool stable = dd_stability_factor(f, re * middle, im * middle) <= tolerance;
        good = stable ? middle : good;
        bad = stable ? bad : middle;
    }
    return good;
}

double dd_stability_factor(const dd_stability *f, double re, double im)
{
    double value[2];
    for (int side = 0; side < 2; side++) {
        /* Horner in real arithmetic, P first, then Q */
        const double *p = side == 0 ? f->rough_numerator : f->rough_denominator;
        double x = 0, y = 0;
        for (uint32_t k = (side == 0 ? f->numerator_degree : f->denominator_degree) + 1; k-- > 0;) {
            const double kept = x * re - y * im + p[k];
            y = x * im + y * re;
            x = kept;
        }
        value[side] = hypot(x, y);
    }
    return value[1] > 0 ? value[0] / value[1] : HUGE_VAL;
}

/* ---- all of it ---- */

static dd_status find_polynomials(dd_stability *out, room *r, const dd_tableau *t)
{
    const uint32_t s = t->stages;
    /* R = P/Q: Q = 1 for explicit methods, closed formulas for collocation */
    out->denominator[0] = 1;
    if (t->structure == DD_TABLEAU_EXPLICIT) {
        explicit_polynomial(t, out->numerator, r->numerator_error);
    } else if (t->collocation) {
        collocation_polynomial(t, true, out->numerator, r->numerator_error);
        collocation_polynomial(t, false, out->denominator, r->denominator_error);
    } else {
        const size_t n = (size_t)s * s;
        /* others: Q = det(I - zA), P = det(I - z(A - 1 b^T)) */
        r->matrix = dd_mem_new_array(r->ctx, 2 * n, sizeof *r->matrix);
        r->work = dd_mem_new_array(r->ctx, n, sizeof *r->work);
        const bool fine = r->matrix && r->work;
        if (fine) {
            r->product = r->matrix + n;
            memcpy(r->matrix, t->exact.A, n * sizeof *r->matrix);
            polynomial(r, out->denominator, r->denominator_error);
            for (size_t k = 0; k < n; k++) {
                r->matrix[k] = t->exact.A[k] - t->exact.b[k % s];
            }
            polynomial(r, out->numerator, r->numerator_error);
        }
        if (r->matrix) {
            dd_mem_free(r->ctx, r->matrix, 2 * n * sizeof *r->matrix);
        }
        if (r->work) {
            dd_mem_free(r->ctx, r->work, n * sizeof *r->work);
        }
        if (!fine) {
            return dd_fail(r->ctx, DD_OUT_OF_MEMORY, NULL);
        }
    }
    out->numerator_degree = degree_of(out->numerator, s);
    out->denominator_degree = degree_of(out->denominator, s);
    return DD_OK;
}

dd_status dd_stability_find(dd_stability *out, dd_context *ctx, const dd_tableau *t)
{
    assert(t->stages >= 1 && t->stages <= MOST);
    room r = {.ctx = ctx, .s = t->stages, .accuracy = t->exact.accuracy};
    memset(out, 0, sizeof *out);
    const dd_status st = find_polynomials(out, &r, t);
    if (st != DD_OK) {
        return st;
    }
    dd_quad e[MOST + 1];
    bool fine = cancel(out, r.accuracy);
    const uint32_t p = out->numerator_degree, q = out->denominator_degree, n = e_polynomial(out, &r, e);
    const dd_quad tolerance = dd_quad_max((dd_quad)1e-20, 1000 * r.accuracy);
    /* A-stable: no pole in the left half plane and |R(iy)| <= 1, hence |R| <= 1 there by the maximum principle */
    out->a_stable = fine && p <= q && poles_are_right(out, &fine) && is_nonnegative(e, n, tolerance, &fine);
    /* L-stable: R(infinity) = 0 besides */
    out->l_stable = out->a_stable && p < q;
    out->at_infinity = p > q ? HUGE_VAL : p < q ? 0 : fabs((double)out->numerator[p] / (double)out->denominator[q]);
    for (uint32_t k = 0; k <= t->stages; k++) {
        out->rough_numerator[k] = (double)out->numerator[k];
        out->rough_denominator[k] = (double)out->denominator[k];
    }
    /* without A-stability, the intervals on both axes where |R| <= 1 */
    out->real = out->a_stable ? HUGE_VAL : stable_up_to(out, -1, 0);
    out->imaginary = out->a_stable ? HUGE_VAL : starts_negative(e, n) ? 0 : stable_up_to(out, 0, 1);
    return fine ? DD_OK : dd_fail(ctx, DD_NUMERIC, "the poles of the stability function of %s were not found", t->name);
}
