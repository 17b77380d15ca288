/* Condensed quadratic models against the optimality conditions of the whole program and against the interior-point
 * solver, on random chains of intervals with bounds, path rows and a condition at the end, for several starts. */
#include <math.h>
#include <string.h>

#include "nlp/condense.h"
#include "unit/base/support.h"

enum { STAGES = 6, NX = 3, NU = 2, ND = 4, PER = NX + NU + ND, N = STAGES * PER + NX, ROWS = 800, MOST = 2000 };

static uint64_t state = 7;

static double uniform(void) /* -1 .. 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / (double)(1ull << 52) - 1;
}

/* min g^T x + x^T H x / 2 with linear rows. */
typedef struct chain {
    uint32_t m, jacobian_nnz, hessian_nnz, start;
    double g[N], lower[N], upper[N], c_lower[ROWS], c_upper[ROWS], j[MOST], h[MOST];
    uint32_t jr[MOST], jc[MOST], hr[MOST], hc[MOST];
    uint32_t place[N], row_place[ROWS], determines[ROWS];
    dd_nlp_shape shape;
    dd_nlp nlp;
} chain;

static bool curvature(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    const chain *c = user;
    (void)x, (void)new_x, (void)lambda;
    for (uint32_t i = 0; i < c->hessian_nnz; i++) {
        values[i] = sigma * c->h[i];
    }
    return true;
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    const chain *c = user;
    (void)new_x;
    memcpy(g, c->g, sizeof c->g);
    for (uint32_t i = 0; i < c->hessian_nnz; i++) {
        g[c->hr[i]] += c->h[i] * x[c->hc[i]];
        g[c->hc[i]] += c->hr[i] != c->hc[i] ? c->h[i] * x[c->hr[i]] : 0;
    }
    return true;
}

static bool objective(void *user, const double *x, bool new_x, double *f)
{
    const chain *c = user;
    double g[N];
    gradient(user, x, new_x, g);
    *f = 0;
    for (uint32_t i = 0; i < N; i++) {
        *f += (g[i] + c->g[i]) * x[i] / 2;
    }
    return true;
}

static bool rows(void *user, const double *x, bool new_x, double *out)
{
    const chain *c = user;
    (void)new_x;
    memset(out, 0, c->m * sizeof *out);
    for (uint32_t i = 0; i < c->jacobian_nnz; i++) {
        out[c->jr[i]] += c->j[i] * x[c->jc[i]];
    }
    return true;
}

static bool slopes(void *user, const double *x, bool new_x, double *values)
{
    const chain *c = user;
    (void)x, (void)new_x;
    memcpy(values, c->j, c->jacobian_nnz * sizeof *values);
    return true;
}

static uint32_t add_row(chain *c, uint32_t place, uint32_t determines, double lower, double upper)
{
    c->c_lower[c->m] = lower;
    c->c_upper[c->m] = upper;
    c->row_place[c->m] = place;
    c->determines[c->m] = determines;
    return c->m++;
}

static void put(chain *c, uint32_t row, uint32_t col, double value)
{
    c->jr[c->jacobian_nnz] = row;
    c->jc[c->jacobian_nnz] = col;
    c->j[c->jacobian_nnz++] = value;
}

/* B B^T of some variables. */
static void add_square(chain *c, uint32_t first, uint32_t count)
{
    double b[PER][PER];
    for (uint32_t i = 0; i < count * PER; i++) {
        b[i / PER][i % PER] = uniform();
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k <= i; k++) {
            double sum = i == k ? 0.05 : 0;
            for (uint32_t l = 0; l < count; l++) {
                sum += b[i][l] * b[k][l];
            }
            c->hr[c->hessian_nnz] = first + i;
            c->hc[c->hessian_nnz] = first + k;
            c->h[c->hessian_nnz++] = sum;
        }
    }
}

static void make_stage(chain *c, uint32_t k)
{
    const uint32_t x = k * PER, u = x + NX, d = u + NU, next = x + PER;
    for (uint32_t i = 0; i < PER; i++) {
        c->place[x + i] = i < NX ? DD_PLACE_NODE(k) : DD_PLACE_INSIDE(k);
    }
    for (uint32_t i = 0; i < ND; i++) {
        const double value = uniform();
        const uint32_t row = add_row(c, DD_PLACE_INSIDE(k), d + i, value, value);
        for (uint32_t a = 0; a < PER; a++) {
            put(c, row, x + a, uniform() + (x + a == d + (i + 1) % ND ? 3 : 0));
        }
    }
    for (uint32_t i = 0; i < NX; i++) {
        const double value = 0.1 * uniform();
        const uint32_t row = add_row(c, DD_PLACE_INSIDE(k), next + i, value, value);
        put(c, row, next + i, -2);
        put(c, row, x + i, 1);
        for (uint32_t a = 0; a < ND; a++) {
            put(c, row, d + a, 0.5 * uniform());
        }
    }
    /* a path inequality, bounds of controls and of an inner variable */
    const uint32_t path = add_row(c, DD_PLACE_INSIDE(k), DD_DETERMINES_NONE, -1, k % 2 == 0 ? 1 : INFINITY);
    put(c, path, d + 1, uniform());
    put(c, path, u, uniform());
    for (uint32_t i = 0; i < NU; i++) {
        c->lower[u + i] = -1;
        c->upper[u + i] = 1;
    }
    c->lower[d] = -1.5;
    add_square(c, x, PER);
}

static void make(chain *c)
{
    *c = (chain){.m = 0};
    for (uint32_t i = 0; i < N; i++) {
        c->lower[i] = -INFINITY;
        c->upper[i] = INFINITY;
        c->g[i] = 3 * uniform();
    }
    for (uint32_t k = 0; k < STAGES; k++) {
        make_stage(c, k);
    }
    /* the end: a cost and an equality; the start */
    add_square(c, STAGES * PER, NX);
    const uint32_t end = add_row(c, DD_PLACE_NODE(STAGES), DD_DETERMINES_NONE, 0.1, 0.1);
    put(c, end, N - 1, 1);
    put(c, end, N - 2, -0.5);
    c->start = c->m;
    for (uint32_t i = 0; i < NX; i++) {
        c->place[STAGES * PER + i] = DD_PLACE_NODE(STAGES);
        put(c, add_row(c, DD_PLACE_NODE(0), DD_DETERMINES_NONE, 0, 0), i, 1);
    }
    c->shape = (dd_nlp_shape){STAGES, c->place, c->row_place, c->determines};
    c->nlp = (dd_nlp){.user = c,
                      .n = N,
                      .m = c->m,
                      .x_lower = c->lower,
                      .x_upper = c->upper,
                      .c_lower = c->c_lower,
                      .c_upper = c->c_upper,
                      .jacobian_nnz = c->jacobian_nnz,
                      .hessian_nnz = c->hessian_nnz,
                      .jacobian_row = c->jr,
                      .jacobian_col = c->jc,
                      .hessian_row = c->hr,
                      .hessian_col = c->hc,
                      .objective = objective,
                      .gradient = gradient,
                      .constraints = rows,
                      .jacobian = slopes,
                      .hessian = curvature,
                      .shape = &c->shape};
}

typedef struct call {
    dd_pool *pool;
    const chain *c;
    dd_condensed_qp *made;
} call;

static void new_body(void *user)
{
    call *a = user;
    a->made = dd_condensed_new(a->pool, &a->c->nlp, a->c->start, NX);
}

/* Both ways from a random point; how many programs had a solution. */
static uint32_t compare(dd_context *ctx, chain *c, dd_condensed_qp *condensed, dd_linearized *model)
{
    static double x[2][N], lambda[2][ROWS], z[4][N];
    dd_nlp_result a = {.x = x[0], .lambda = lambda[0], .z_lower = z[0], .z_upper = z[1]};
    dd_nlp_result b = {.x = x[1], .lambda = lambda[1], .z_lower = z[2], .z_upper = z[3]};
    for (uint32_t i = 0; i < N; i++) {
        a.x[i] = b.x[i] = uniform();
    }
    assert_true(dd_linearized_at(model, a.x, NULL));
    assert_true(dd_condensed_take(condensed, model, &a));
    for (uint32_t i = 0; i < NX; i++) { /* the measurement */
        c->c_lower[c->start + i] = c->c_upper[c->start + i] = uniform();
    }
    assert_true(dd_condensed_solve(condensed, &a));
    dd_nlp_options options = dd_nlp_options_default();
    options.solver = dd_nlp_solver_named("daedal");
    options.tolerance = 1e-11;
    options.complementarity = 1e-13;
    options.max_iterations = 200;
    assert_int_equal(dd_nlp_solve(ctx, dd_linearized_nlp(model), &options, &b), DD_OK);
    assert_true((a.status == DD_NLP_OPTIMAL) == (b.status == DD_NLP_OPTIMAL || b.status == DD_NLP_ACCEPTABLE));
    if (a.status != DD_NLP_OPTIMAL) {
        assert_int_equal(a.status, DD_NLP_INFEASIBLE);
        return 0;
    }
    /* the conditions, independent of both; then the same point and cost */
    dd_kkt kkt;
    assert_int_equal(dd_nlp_kkt(ctx, &c->nlp, &a, &kkt), DD_OK);
    assert_true(kkt.violation < 1e-9 && kkt.dual_infeasibility < 1e-9);
    assert_true(kkt.complementarity < 1e-9 && kkt.sign < 1e-12);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(fabs(a.x[i] - b.x[i]) < 1e-8 * (1 + fabs(b.x[i])));
    }
    assert_true(fabs(a.objective - b.objective) < 1e-8 * (1 + fabs(b.objective)));
    return 1;
}

static void test_random_chains(void **unused)
{
    (void)unused;
    static chain c;
    dd_context *ctx = new_context();
    uint32_t solved = 0;
    for (uint32_t trial = 0; trial < 40; trial++) {
        make(&c);
        call a = {dd_pool_new(ctx), &c, NULL};
        dd_linearized *model;
        assert_int_equal(dd_protect(ctx, new_body, &a), DD_OK);
        assert_non_null(a.made);
        assert_int_equal(dd_linearized_new(&model, ctx, &c.nlp), DD_OK);
        for (uint32_t again = 0; again < 5; again++) {
            solved += compare(ctx, &c, a.made, model);
        }
        dd_linearized_free(model);
        dd_pool_free(a.pool);
    }
    assert_in_range(solved, 50, 200); /* some have no solution */
    dd_context_free(ctx);
}

/* Without a shape, and with variables that meet everything: not condensed. */
static void test_refused(void **unused)
{
    (void)unused;
    static chain c;
    dd_context *ctx = new_context();
    make(&c);
    c.place[0] = DD_PLACE_BORDER;
    call a = {dd_pool_new(ctx), &c, NULL};
    assert_int_equal(dd_protect(ctx, new_body, &a), DD_OK);
    assert_null(a.made);
    c.nlp.shape = NULL;
    assert_int_equal(dd_protect(ctx, new_body, &a), DD_OK);
    assert_null(a.made);
    dd_pool_free(a.pool);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_chains),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
