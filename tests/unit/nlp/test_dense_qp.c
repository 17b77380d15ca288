/* Dense quadratic programs: the optimality conditions on random ones, again from the active rows of the one before,
 * degenerate rows, equalities, and infeasible ones with the proof of it. */
#include <math.h>
#include <string.h>

#include "nlp/dense_qp.h"
#include "unit/base/support.h"

enum { N = 12, M = 30 };

static uint64_t state = 1;

static double uniform(void) /* -1 .. 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / (double)(1ull << 52) - 1;
}

typedef struct problem {
    uint32_t n, m;
    double h[N * N], c[M * N], g[N], lower[M], upper[M], x[N], lambda[M];
} problem;

/* H = B B^T + I / 10; rows hold at a random point, some as equalities, some repeat others. */
static void make(problem *p, uint32_t n, uint32_t m, uint32_t equalities)
{
    double b[N * N], at[N];
    p->n = n;
    p->m = m;
    for (uint32_t i = 0; i < n * n; i++) {
        b[i] = uniform();
    }
    for (uint32_t i = 0; i < n; i++) {
        p->g[i] = 5 * uniform();
        at[i] = uniform();
        for (uint32_t j = 0; j < n; j++) {
            double sum = i == j ? 0.1 : 0;
            for (uint32_t k = 0; k < n; k++) {
                sum += b[i * n + k] * b[j * n + k];
            }
            p->h[i * n + j] = sum;
        }
    }
    for (uint32_t r = 0; r < m; r++) {
        double value = 0;
        for (uint32_t j = 0; j < n; j++) {
            p->c[r * n + j] = r % 7 == 6 ? -2 * p->c[(r - 1) * n + j] : uniform();
            value += p->c[r * n + j] * at[j];
        }
        p->lower[r] = r < equalities ? value : value - 0.2 * fabs(uniform());
        p->upper[r] = r < equalities ? value : r % 3 == 0 ? INFINITY : value + 0.2 * fabs(uniform());
    }
}

/* The largest violation of the optimality conditions. */
static double residual(const problem *p)
{
    double worst = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double sum = p->g[i];
        for (uint32_t j = 0; j < p->n; j++) {
            sum += p->h[i * p->n + j] * p->x[j];
        }
        for (uint32_t r = 0; r < p->m; r++) {
            sum += p->c[r * p->n + i] * p->lambda[r];
        }
        worst = fmax(worst, fabs(sum));
    }
    for (uint32_t r = 0; r < p->m; r++) {
        double value = 0;
        for (uint32_t j = 0; j < p->n; j++) {
            value += p->c[r * p->n + j] * p->x[j];
        }
        worst = fmax(worst, fmax(p->lower[r] - value, value - p->upper[r]));
        /* a multiplier only where its bound holds */
        const double held = p->lambda[r] > 0 ? p->upper[r] - value : value - p->lower[r];
        worst = p->lambda[r] != 0 ? fmax(worst, fabs(p->lambda[r]) * held) : worst;
    }
    return worst;
}

typedef struct call {
    dd_pool *pool;
    uint32_t n, m;
    dd_dense_qp *q;
} call;

static void new_body(void *user)
{
    call *c = user;
    c->q = dd_dense_qp_new(c->pool, c->n, c->m);
}

static dd_dense_qp *new_qp(dd_context *ctx, dd_pool *pool, uint32_t n, uint32_t m)
{
    call c = {pool, n, m, NULL};
    assert_true(dd_protect(ctx, new_body, &c) == DD_OK);
    return c.q;
}

static void take(dd_dense_qp *q, const problem *p)
{
    memcpy(dd_dense_qp_hessian(q), p->h, p->n * p->n * sizeof(double));
    memcpy(dd_dense_qp_rows(q), p->c, p->m * p->n * sizeof(double));
    assert_true(dd_dense_qp_factor(q));
}

/* Each with other gradients and bounds afterwards, from the active rows before. */
static void test_random_ones(void **unused)
{
    (void)unused;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    for (uint32_t trial = 0; trial < 300; trial++) {
        problem p;
        const uint32_t n = 2 + trial % (N - 1), m = 1 + trial % M;
        make(&p, n, m, trial % 2 == 0 && m > 1 ? 1 : 0);
        dd_dense_qp *q = new_qp(ctx, pool, n, m);
        take(q, &p);
        assert_true(dd_dense_qp_added(q) == 0);
        uint32_t cold = 0, warm = 0;
        assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, &cold) == DD_DENSE_QP_OPTIMAL);
        assert_true(residual(&p) < 1e-9);
        /* the same again changes nothing; a little different, also with another matrix */
        take(q, &p);
        assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, &warm) == DD_DENSE_QP_OPTIMAL);
        assert_true(warm == 0 && residual(&p) < 1e-9);
        for (uint32_t i = 0; i < n; i++) {
            p.g[i] += 3 * uniform();
            p.h[i * n + i] += 0.1;
        }
        take(q, &p);
        assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, NULL) == DD_DENSE_QP_OPTIMAL);
        assert_true(residual(&p) < 1e-9);
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* x_1 + x_2 >= 3 with both below 1; and the same with room. */
static void test_infeasible_ones(void **unused)
{
    (void)unused;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    problem p = {.n = 2,
                 .m = 4,
                 .h = {1, 0, 0, 1},
                 .c = {1, 0, 0, 1, 1, 1, 0, 0},
                 .lower = {-1, -1, 3, -1},
                 .upper = {1, 1, INFINITY, 1}};
    dd_dense_qp *q = new_qp(ctx, pool, 2, 4);
    take(q, &p);
    assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, NULL) == DD_DENSE_QP_INFEASIBLE);
    p.lower[2] = 1.5;
    assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, NULL) == DD_DENSE_QP_OPTIMAL);
    assert_true(fabs(p.x[0] - 0.75) < 1e-14 && fabs(p.x[1] - 0.75) < 1e-14 && residual(&p) < 1e-12);
    /* a row of zeros that does not hold */
    p.upper[3] = -0.5;
    assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, NULL) == DD_DENSE_QP_INFEASIBLE);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* An indefinite matrix is made definite, and the solution is that of the matrix made. */
static void test_indefinite(void **unused)
{
    (void)unused;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    problem p = {
        .n = 2, .m = 2, .h = {1, 2, 2, 1}, .c = {1, 0, 0, 1}, .g = {-1, 1}, .lower = {-2, -2}, .upper = {2, 2}};
    dd_dense_qp *q = new_qp(ctx, pool, 2, 2);
    take(q, &p);
    assert_true(dd_dense_qp_added(q) > 1 && dd_dense_qp_added(q) < 5);
    assert_true(dd_dense_qp_solve(q, p.g, p.lower, p.upper, p.x, p.lambda, NULL) == DD_DENSE_QP_OPTIMAL);
    p.h[0] += dd_dense_qp_added(q);
    p.h[3] += dd_dense_qp_added(q);
    assert_true(residual(&p) < 1e-10);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_ones),
        cmocka_unit_test(test_infeasible_ones),
        cmocka_unit_test(test_indefinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
