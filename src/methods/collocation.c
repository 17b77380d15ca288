/* collocation.c - quadrature nodes by Newton's method on Legendre polynomials, collocation coefficients by Gauss
 * quadrature of Lagrange polynomials.
 *
 * A Lagrange polynomial is evaluated as its product, which keeps every digit, and integrated by a Gauss formula that is
 * exact for its degree; nodes and weights are positive, so nothing cancels but what the integral itself cancels. */
#include "methods/collocation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* P_n(x) and P_n'(x) by P_{k+1} = ((2k+1) x P_k - k P_{k-1})/(k+1) and P'_{k+1} = P'_{k-1} + (2k+1) P_k, which stays
 * accurate up to the ends of [-1, 1] */
static dd_quad legendre(uint32_t n, dd_quad x, dd_quad *slope)
{
    dd_quad before = 0, value = 1, slope_before = 0, slope_now = 0;
    for (uint32_t k = 0; k < n; k++) {
        const dd_quad next = ((2 * k + 1) * x * value - k * before) / (k + 1);
        const dd_quad slope_next = slope_before + (2 * k + 1) * value;
        before = value;
        value = next;
        slope_before = slope_now;
        slope_now = slope_next;
    }
    *slope = slope_now;
    return value;
}

/* the polynomial whose zeros are the nodes: P_s, P_s - P_{s-1}, P_s - P_{s-2} for drop = 0, 1, 2 */
static dd_quad node_polynomial(uint32_t s, uint32_t drop, dd_quad x, dd_quad *slope)
{
    dd_quad value = legendre(s, x, slope);
    if (drop > 0) {
        dd_quad other;
        value -= legendre(s - drop, x, &other);
        *slope -= other;
    }
    return value;
}

/* the same in double precision, to find the zeros */
static double rough_legendre(uint32_t n, double x)
{
    double before = 0, value = 1;
    for (uint32_t k = 0; k < n; k++) {
        const double next = ((2 * k + 1) * x * value - k * before) / (k + 1);
        before = value;
        value = next;
    }
    return value;
}

static double rough_polynomial(uint32_t s, uint32_t drop, double x)
{
    return rough_legendre(s, x) - (drop > 0 ? rough_legendre(s - drop, x) : 0);
}

/* The zero in (low, high), where the sign changes: bisection in double precision, then Newton: 10, 20, 40 digits. */
static dd_quad find_node(uint32_t s, uint32_t drop, double low, double high)
{
    /* 36 halvings of a short interval leave about ten digits, from where Newton doubles them three times */
    const bool rising = rough_polynomial(s, drop, low) < 0;
    for (int k = 0; k < 36; k++) {
        const double middle = 0.5 * (low + high);
        if ((rough_polynomial(s, drop, middle) < 0) == rising) {
            low = middle;
        } else {
            high = middle;
        }
    }
    dd_quad x = (dd_quad)(0.5 * (low + high));
    for (int k = 0; k < 3; k++) {
        dd_quad slope;
        const dd_quad value = node_polynomial(s, drop, x, &slope);
        x -= value / slope;
    }
    return x;
}

/* Interior zeros on (-1, 1), found between points that are denser than the zeros; they interlace with the angles
 * k pi / (s + 1), so 16 points per zero cannot miss one. */
static void interior_nodes(uint32_t s, uint32_t drop, uint32_t count, dd_quad *x)
{
    /* points at cosines are as dense towards the ends as the zeros are */
    const uint32_t pieces = 16 * (s + 1);
    uint32_t found = 0;
    double left = -cos(3.14159265358979 / pieces);
    double value = rough_polynomial(s, drop, left);
    for (uint32_t k = 2; k < pieces && found < count; k++) {
        const double right = -cos(3.14159265358979 * k / pieces);
        const double next = rough_polynomial(s, drop, right);
        if ((value < 0) != (next < 0)) {
            x[found++] = find_node(s, drop, left, right);
        }
        left = right;
        value = next;
    }
    assert(found == count);
}

/* nodes that mirror each other at 1/2 do so exactly */
static void make_symmetric(uint32_t s, dd_quad *c)
{
    for (uint32_t i = 0; i < s / 2; i++) {
        c[s - 1 - i] = 1 - c[i];
    }
    if (s % 2 == 1) {
        c[s / 2] = (dd_quad)0.5;
    }
}

void dd_collocation_nodes(dd_nodes family, uint32_t s, dd_quad *c)
{
    assert(s >= 1 && s <= DD_COLLOCATION_MOST && (family != DD_NODES_LOBATTO || s >= 2));
    /* Chebyshev nodes in closed form; 1 - cos keeps the digits near zero that a cosine would lose */
    if (family == DD_NODES_CHEBYSHEV) {
        const dd_quad pi = dd_quad_pi();
        for (uint32_t k = 1; k <= s; k++) {
            c[k - 1] = k == s ? 1 : dd_quad_versine(k * pi / s) / 2;
        }
        return;
    }
    const uint32_t drop = family == DD_NODES_GAUSS ? 0 : family == DD_NODES_RADAU ? 1 : 2;
    const uint32_t first = family == DD_NODES_LOBATTO;
    /* P_s - P_{s-1} and P_s - P_{s-2} have zeros at 1 (and -1) besides, which are set exactly */
    interior_nodes(s, drop, s - drop, c + first);
    for (uint32_t i = first; i < s - drop + first; i++) {
        /* from [-1, 1] to [0, 1] */
        c[i] = (1 + c[i]) / 2;
    }
    if (family == DD_NODES_LOBATTO) {
        c[0] = 0;
    }
    if (drop > 0) {
        c[s - 1] = 1;
    }
    if (drop != 1) {
        make_symmetric(s, c);
    }
}

/* ---- integrals of Lagrange polynomials ---- */

dd_quad dd_lagrange(const dd_quad *c, uint32_t n, uint32_t j, dd_quad t)
{
    dd_quad product = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (k != j) {
            product *= (t - c[k]) / (c[j] - c[k]);
        }
    }
    return product;
}

/* Gauss quadrature on [0, 1] with m points: exact up to degree 2m - 1. Weights 1 / (1 - x^2) / P_m'(x)^2 on [0, 1]. */
static void gauss_rule(uint32_t m, dd_quad *nodes, dd_quad *weights)
{
    dd_collocation_nodes(DD_NODES_GAUSS, m, nodes);
    for (uint32_t q = 0; q < m; q++) {
        dd_quad slope;
        legendre(m, 2 * nodes[q] - 1, &slope);
        weights[q] = 1 / (4 * nodes[q] * (1 - nodes[q]) * slope * slope);
    }
}

/* 1 / prod_{k != j} (c_j - c_k) */
static void barycentric_weights(const dd_quad *c, uint32_t n, dd_quad *w)
{
    for (uint32_t j = 0; j < n; j++) {
        dd_quad product = 1;
        for (uint32_t k = 0; k < n; k++) {
            product *= k == j ? 1 : c[j] - c[k];
        }
        w[j] = 1 / product;
    }
}

/* all l_j(t) at once: the product of the factors before j, of those behind it, and w_j */
static void lagrange_all(const dd_quad *c, const dd_quad *w, uint32_t n, dd_quad t, dd_quad *values)
{
    dd_quad product = 1;
    for (uint32_t j = 0; j < n; j++) {
        values[j] = w[j] * product;
        product *= t - c[j];
    }
    product = 1;
    for (uint32_t j = n; j-- > 0;) {
        values[j] *= product;
        product *= t - c[j];
    }
}

typedef struct {
    uint32_t m;
    dd_quad nodes[DD_COLLOCATION_MOST], weights[DD_COLLOCATION_MOST];
    dd_quad w[DD_COLLOCATION_MOST]; /* barycentric weights of the collocation nodes */
} quadrature;

static void integrate_up_to(const quadrature *rule, const dd_quad *c, uint32_t n, dd_quad upper, dd_quad *out)
{
    dd_quad values[DD_COLLOCATION_MOST];
    for (uint32_t j = 0; j < n; j++) {
        out[j] = 0;
    }
    /* int_0^upper l_j = upper sum_q w_q l_j(upper x_q), exact since l_j has degree n - 1 <= 2m - 1 */
    for (uint32_t q = 0; q < rule->m; q++) {
        lagrange_all(c, rule->w, n, upper * rule->nodes[q], values);
        for (uint32_t j = 0; j < n; j++) {
            out[j] += rule->weights[q] * values[j];
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        out[j] *= upper;
    }
}

static void make_rule(quadrature *rule, const dd_quad *c, uint32_t n)
{
    rule->m = (n + 1) / 2;
    gauss_rule(rule->m, rule->nodes, rule->weights);
    barycentric_weights(c, n, rule->w);
}

void dd_lagrange_integrals(const dd_quad *c, uint32_t n, dd_quad upper, dd_quad *weights)
{
    quadrature rule;
    make_rule(&rule, c, n);
    integrate_up_to(&rule, c, n, upper, weights);
}

void dd_lagrange_rule_make(dd_lagrange_rule *rule, const dd_quad *c, uint32_t n)
{
    quadrature exact;
    make_rule(&exact, c, n);
    *rule = (dd_lagrange_rule){.n = n, .m = exact.m};
    for (uint32_t j = 0; j < n; j++) {
        rule->c[j] = (double)c[j];
        rule->factor[j] = (double)exact.w[j];
    }
    for (uint32_t q = 0; q < exact.m; q++) {
        rule->node[q] = (double)exact.nodes[q];
        rule->weight[q] = (double)exact.weights[q];
    }
}

void dd_lagrange_rule_integrals(const dd_lagrange_rule *rule, double upper, double *weights)
{
    double value[DD_COLLOCATION_MOST];
    for (uint32_t j = 0; j < rule->n; j++) {
        weights[j] = 0;
    }
    for (uint32_t q = 0; q < rule->m; q++) {
        const double t = upper * rule->node[q], part = upper * rule->weight[q];
        /* as in lagrange_all: factors before j, then those behind it */
        double before = 1, behind = 1;
        for (uint32_t j = 0; j < rule->n; j++) {
            value[j] = rule->factor[j] * before;
            before *= t - rule->c[j];
        }
        for (uint32_t j = rule->n; j-- > 0;) {
            weights[j] += part * value[j] * behind;
            behind *= t - rule->c[j];
        }
    }
}

void dd_collocation(const dd_quad *c, uint32_t s, dd_quad *a, dd_quad *b)
{
    quadrature rule;
    make_rule(&rule, c, s);
    /* A_ij = int_0^{c_i} l_j, b_j = int_0^1 l_j */
    for (uint32_t i = 0; i < s; i++) {
        integrate_up_to(&rule, c, s, c[i], a + (size_t)i * s);
    }
    integrate_up_to(&rule, c, s, 1, b);
}

/* N_j'(c_i) = (w_j / w_i) / (c_i - c_j) off the diagonal and sum_k 1 / (c_i - c_k) on it, with the barycentric weights
 * w_j = 1 / prod_k (c_j - c_k); k runs over the other nodes and 0 */
void dd_collocation_inverse(const dd_quad *c, uint32_t s, dd_quad *inverse)
{
    dd_quad w[DD_COLLOCATION_MOST];
    barycentric_weights(c, s, w);
    for (uint32_t i = 0; i < s; i++) {
        dd_quad diagonal = 1 / c[i];
        for (uint32_t j = 0; j < s; j++) {
            if (j != i) {
                inverse[(size_t)i * s + j] = (w[j] * c[i]) / (w[i] * c[j] * (c[i] - c[j]));
                diagonal += 1 / (c[i] - c[j]);
            }
        }
        inverse[(size_t)i * s + i] = diagonal;
    }
}
