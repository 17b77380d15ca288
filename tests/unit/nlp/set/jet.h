/* jet.h - values with exact first and second derivatives in forward mode: for u = g(v) the chain rule gives
 * u'' = g' v'' + g'' v' v'^T. */
#ifndef DD_TESTS_NLP_JET_H
#define DD_TESTS_NLP_JET_H

#include <math.h>
#include <stdint.h>

enum { MOST_LOCAL = 12 };
enum { HESSIAN_ROOM = MOST_LOCAL * (MOST_LOCAL + 1) / 2 };

typedef struct jet {
    double v, g[MOST_LOCAL], h[HESSIAN_ROOM]; /* h: lower triangle by rows */
} jet;

/* u = f(a) with f, f', f'' at a; in place. */
static inline void jet_chain(jet *a, uint32_t k, double f0, double f1, double f2)
{
    for (uint32_t i = 0, e = 0; i < k; i++) {
        for (uint32_t j = 0; j <= i; j++, e++) {
            a->h[e] = f1 * a->h[e] + f2 * a->g[i] * a->g[j];
        }
    }
    for (uint32_t i = 0; i < k; i++) {
        a->g[i] *= f1;
    }
    a->v = f0;
}

/* a = alpha a + beta b */
static inline void jet_combine(jet *a, uint32_t k, double alpha, const jet *b, double beta)
{
    a->v = alpha * a->v + beta * b->v;
    for (uint32_t i = 0; i < k; i++) {
        a->g[i] = alpha * a->g[i] + beta * b->g[i];
    }
    for (uint32_t e = 0; e < k * (k + 1) / 2; e++) {
        a->h[e] = alpha * a->h[e] + beta * b->h[e];
    }
}

static inline void jet_multiply(jet *a, uint32_t k, const jet *b)
{
    for (uint32_t i = 0, e = 0; i < k; i++) {
        for (uint32_t j = 0; j <= i; j++, e++) {
            a->h[e] = a->v * b->h[e] + b->v * a->h[e] + a->g[i] * b->g[j] + b->g[i] * a->g[j];
        }
    }
    for (uint32_t i = 0; i < k; i++) {
        a->g[i] = a->v * b->g[i] + b->v * a->g[i];
    }
    a->v *= b->v;
}

static inline double times_power(double factor, double base, double exponent)
{
    return factor == 0 ? 0 : factor * pow(base, exponent);
}

static inline void jet_power(jet *a, uint32_t k, double p)
{
    double v = a->v;
    jet_chain(a, k, pow(v, p), times_power(p, v, p - 1), times_power(p * (p - 1), v, p - 2));
}

#endif
