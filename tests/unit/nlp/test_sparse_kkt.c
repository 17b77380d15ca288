/* Linear systems of interior-point iterations by the general kind against dense LAPACK: inertia, solutions, fixed
 * variables, entries that share a place, dependent rows; collocation on many intervals. */
#include "../la/ldlkit.h"

#include "nlp/kkt_system.h"

enum { N = 24, M = 16, ENTRIES = 600 };

typedef struct program {
    dd_kkt_pattern pattern;
    dd_kkt_values values;
    uint32_t hessian_row[ENTRIES], hessian_col[ENTRIES], jacobian_row[ENTRIES], jacobian_col[ENTRIES];
    double hessian[ENTRIES], jacobian[ENTRIES], p[N], q[M];
    bool fixed[N], equality[M];
} program;

static void add_hessian(program *g, uint32_t i, uint32_t j, double value)
{
    assert_true(g->pattern.hessian_nnz < ENTRIES);
    g->hessian_row[g->pattern.hessian_nnz] = i > j ? i : j;
    g->hessian_col[g->pattern.hessian_nnz] = i > j ? j : i;
    g->hessian[g->pattern.hessian_nnz++] = value;
}

static void add_jacobian(program *g, uint32_t i, uint32_t j, double value)
{
    assert_true(g->pattern.jacobian_nnz < ENTRIES);
    g->jacobian_row[g->pattern.jacobian_nnz] = i;
    g->jacobian_col[g->pattern.jacobian_nnz] = j;
    g->jacobian[g->pattern.jacobian_nnz++] = value;
}

static void begin(program *g, uint32_t n, uint32_t m)
{
    *g = (program){.pattern = {.n = n, .m = m}};
    g->pattern.hessian_row = g->hessian_row;
    g->pattern.hessian_col = g->hessian_col;
    g->pattern.jacobian_row = g->jacobian_row;
    g->pattern.jacobian_col = g->jacobian_col;
    g->pattern.fixed = g->fixed;
    g->pattern.equality = g->equality;
    g->values = (dd_kkt_values){.hessian = g->hessian, .jacobian = g->jacobian, .p = g->p, .q = g->q};
}

/* Some entries twice, some variables fixed, some rows inequalities. */
static void random_program(program *g, uint64_t *rng)
{
    const uint32_t n = 1 + kit_below(rng, N), m = kit_below(rng, n < M ? n : M);
    begin(g, n, m);
    for (uint32_t j = 0; j < n; j++) {
        g->p[j] = ldl_power(rng, -8, 8);
        g->fixed[j] = kit_below(rng, 8) == 0;
    }
    for (uint32_t k = 0; k < 3 * n; k++) {
        add_hessian(g, kit_below(rng, n), kit_below(rng, n), kit_real(rng));
    }
    for (uint32_t i = 0; i < m; i++) {
        const uint32_t count = 1 + kit_below(rng, 4);
        add_jacobian(g, i, i, kit_real(rng));
        for (uint32_t k = 0; k < count; k++) {
            add_jacobian(g, i, kit_below(rng, n), kit_real(rng));
        }
        g->equality[i] = kit_below(rng, 2) == 0;
        g->q[i] = g->equality[i] ? 0 : ldl_power(rng, -8, 8);
    }
}

/* The dense matrix; a fixed variable has 1 on the diagonal and nothing else. */
static void dense(const program *g, ldl_case *c)
{
    const dd_kkt_pattern *p = &g->pattern;
    ldl_clear(c, p->n + p->m);
    for (uint32_t e = 0; e < p->hessian_nnz; e++) {
        const uint32_t i = g->hessian_row[e], j = g->hessian_col[e];
        if (!g->fixed[i] && !g->fixed[j]) {
            ldl_set(c, i, j, c->a[i + j * c->n] + g->hessian[e]);
        }
    }
    for (uint32_t j = 0; j < p->n; j++) {
        ldl_set(c, j, j, g->fixed[j] ? 1 : c->a[j + j * c->n] + g->p[j]);
    }
    for (uint32_t e = 0; e < p->jacobian_nnz; e++) {
        const uint32_t i = p->n + g->jacobian_row[e], j = g->jacobian_col[e];
        if (!g->fixed[j]) {
            ldl_set(c, i, j, c->a[i + j * c->n] + g->jacobian[e]);
        }
    }
    for (uint32_t i = 0; i < p->m; i++) {
        ldl_set(c, p->n + i, p->n + i, -g->q[i]);
    }
}

/* b := A^-1 b by LAPACK. */
static void dense_solve(const ldl_case *c, double *b)
{
    double a[LDL_MOST * LDL_MOST];
    int n = (int)c->n, one = 1, pivot[LDL_MOST], info;
    memcpy(a, c->a, (size_t)c->n * c->n * sizeof *a);
    dgetrf_(&n, &n, a, &n, pivot, &info);
    assert_int_equal(info, 0);
    dgetrs_("N", &n, &one, a, &n, pivot, b, &n, &info, 1);
}

static void check(dd_context *ctx, uint64_t *rng, const program *g)
{
    const uint32_t n = g->pattern.n, m = g->pattern.m;
    static ldl_case c;
    double b[N + M], x[N + M], truth[N + M];
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    assert_true(dd_kkt_general.suits(&g->pattern));
    assert_int_equal(dd_kkt_general.make(&k, ctx, &g->pattern), DD_OK);
    const uint64_t allocations = dd_context_allocations(ctx);
    assert_int_equal(dd_kkt_general.factor(k, &g->values, &inertia), DD_OK);
    assert_false(inertia.broken);
    dense(g, &c);
    const ldl_truth t = ldl_inertia(&c);
    if (t.smallest > 1e-10 && t.zero == 0) {
        assert_int_equal(inertia.negative, t.negative);
        assert_int_equal(inertia.zero, 0);
        assert_int_equal(dd_kkt_general.dependent(k, NULL, 0), 0);
    }
    /* the difference is at most that of the condition of the scaled matrix, whose largest eigenvalue is about 1 */
    if (t.smallest > 1e-6 && t.zero == 0) {
        for (uint32_t i = 0; i < n + m; i++) {
            b[i] = x[i] = truth[i] = i < n && g->fixed[i] ? 0 : kit_real(rng);
        }
        dd_kkt_general.solve(k, x, x + n);
        dense_solve(&c, truth);
        double r[LDL_MOST];
        assert_true(ldl_residual(&c, b, x, r) < 1e-9);
        dd_kkt_general.solve(k, r, r + n);
        for (uint32_t i = 0; i < n + m; i++) {
            x[i] += r[i];
            assert_true(fabs(x[i] - truth[i]) <= 1e-8 * kit_norm(truth, n + m));
            assert_true(i >= n || !g->fixed[i] || x[i] == 0);
        }
        assert_true(ldl_residual(&c, b, x, r) < 1e-14);
    }
    assert_int_equal(dd_context_allocations(ctx), allocations);
    dd_kkt_general.free(k);
}

static void test_random(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 97;
    program g;
    for (uint32_t round = 0; round < 4000; round++) {
        random_program(&g, &rng);
        check(ctx, &rng, &g);
    }
    dd_context_free(ctx);
}

/* Rows that depend on others are found, also those that have no variable left; with delta_c they are regular. */
static void test_dependent(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    program g;
    begin(&g, 5, 4);
    for (uint32_t j = 0; j < 5; j++) {
        add_hessian(&g, j, j, 1 + 0.1 * j);
    }
    /* rows 0, 1 and their sum; row 3 has a fixed variable only */
    g.fixed[4] = true;
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t j = i; j < i + 3; j++) {
            add_jacobian(&g, i, j, 1.0 / (1 + i + 2 * j));
            add_jacobian(&g, 2, j, 1.0 / (1 + i + 2 * j));
        }
    }
    add_jacobian(&g, 3, 4, 2);
    memset(g.equality, true, sizeof g.equality);
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    uint32_t rows[4];
    assert_int_equal(dd_kkt_general.make(&k, ctx, &g.pattern), DD_OK);
    assert_int_equal(dd_kkt_general.factor(k, &g.values, &inertia), DD_OK);
    assert_true(inertia.negative == 2 && inertia.zero == 2 && !inertia.broken);
    assert_int_equal(dd_kkt_general.dependent(k, rows, 4), 2);
    assert_true((rows[0] == 3) + (rows[1] == 3) == 1);
    assert_int_equal(dd_kkt_general.dependent(k, rows, 1), 2);
    /* a right-hand side that the rows can satisfy: the multipliers of the zero pivots are zero */
    double r[5] = {1, 2, 3, 4, 5}, s[4] = {1, 2, 3, 0};
    dd_kkt_general.solve(k, r, s);
    assert_true(s[3] == 0 && s[0] * s[1] * s[2] == 0 && r[4] == 0);
    double sum[3] = {0};
    for (uint32_t e = 0; e < g.pattern.jacobian_nnz; e++) {
        if (g.jacobian_row[e] < 3) {
            sum[g.jacobian_row[e]] += g.jacobian[e] * r[g.jacobian_col[e]];
        }
    }
    assert_true(fabs(sum[0] - 1) < 1e-13 && fabs(sum[1] - 2) < 1e-13 && fabs(sum[2] - 3) < 1e-13);
    /* regularised; then a value that is not a number */
    for (uint32_t i = 0; i < 4; i++) {
        g.q[i] = 1e-8;
    }
    assert_int_equal(dd_kkt_general.factor(k, &g.values, &inertia), DD_OK);
    assert_true(inertia.negative == 4 && inertia.zero == 0 && !inertia.broken);
    g.jacobian[2] = NAN;
    assert_int_equal(dd_kkt_general.factor(k, &g.values, &inertia), DD_OK);
    assert_true(inertia.broken);
    dd_kkt_general.free(k);
    dd_context_free(ctx);
}

/* ---- collocation ---- */

/* Radau collocation of x' = A x + B u with `NX` states and 3 points on `count` intervals; the last point is the next node.
 * Some bounds are active (large p), the others are not. */
enum { NX = 6, POINTS = 3, PER = POINTS * NX + 1 };

typedef struct collocation {
    dd_kkt_pattern pattern;
    dd_kkt_values values;
    uint32_t *index[4];
    double *value[4];
    bool *equality;
} collocation;

static void put(collocation *g, uint32_t kind, uint32_t i, uint32_t j, double value)
{
    uint32_t *count = kind == 0 ? &g->pattern.hessian_nnz : &g->pattern.jacobian_nnz;
    g->index[2 * kind][*count] = i;
    g->index[2 * kind + 1][*count] = j;
    g->value[kind][(*count)++] = value;
}

static collocation collocation_new(uint64_t *rng, uint32_t count)
{
    static const double slope[POINTS][POINTS + 1] = {
        {-4.13939, 3.22474, 1.16784, -0.253197}, {1.73939, -3.56784, 0.775255, 1.05320}, {-3, 5.53197, -7.53197, 5}};
    const uint32_t n = count * PER + NX, m = count * POINTS * NX + NX;
    collocation g = {.pattern = {.n = n, .m = m}};
    for (uint32_t k = 0; k < 4; k++) {
        g.index[k] = malloc((size_t)n * 2 * (NX + 8) * sizeof **g.index);
        g.value[k] = calloc((size_t)n * 2 * (NX + 8), sizeof **g.value);
    }
    g.equality = malloc(m);
    memset(g.equality, true, m);
    for (uint32_t j = 0; j < n; j++) {
        g.value[2][j] = kit_below(rng, 10) == 0 ? ldl_power(rng, -2, 8) : ldl_power(rng, -8, -2);
        put(&g, 0, j, j, 1 + 0.5 * kit_real(rng));
    }
    uint32_t row = 0;
    for (; row < NX; row++) {
        put(&g, 1, row, row, 1);
    }
    /* node, control, two points inside; the third is the next node */
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t at = k * PER, point[] = {at, at + NX + 1, at + 2 * NX + 1, at + PER};
        for (uint32_t p = 0; p < POINTS; p++) {
            for (uint32_t s = 0; s < NX; s++, row++) {
                for (uint32_t q = 0; q <= POINTS; q++) {
                    put(&g, 1, row, point[q] + s, slope[p][q]);
                }
                for (uint32_t t = 0; t < NX; t++) {
                    put(&g, 1, row, point[p + 1] + t, 0.1 * kit_real(rng));
                }
                put(&g, 1, row, at + NX, 0.1 * kit_real(rng));
            }
        }
    }
    g.pattern.hessian_row = g.index[0];
    g.pattern.hessian_col = g.index[1];
    g.pattern.jacobian_row = g.index[2];
    g.pattern.jacobian_col = g.index[3];
    g.pattern.equality = g.equality;
    g.values = (dd_kkt_values){.hessian = g.value[0], .jacobian = g.value[1], .p = g.value[2], .q = g.value[3]};
    return g;
}

static void collocation_free(collocation *g)
{
    for (uint32_t k = 0; k < 4; k++) {
        free(g->index[k]);
        free(g->value[k]);
    }
    free(g->equality);
}

/* The largest residual of a solution of the right-hand side 1, by the entries. */
static double residual_of(const collocation *g, const double *x, double *r)
{
    const uint32_t n = g->pattern.n, m = g->pattern.m;
    for (uint32_t i = 0; i < n + m; i++) {
        r[i] = i < n ? 1 - g->values.p[i] * x[i] : 1;
    }
    for (uint32_t e = 0; e < g->pattern.hessian_nnz; e++) {
        r[g->index[0][e]] -= g->value[0][e] * x[g->index[1][e]];
    }
    for (uint32_t e = 0; e < g->pattern.jacobian_nnz; e++) {
        const uint32_t i = n + g->index[2][e], j = g->index[3][e];
        r[i] -= g->value[1][e] * x[j];
        r[j] -= g->value[1][e] * x[i];
    }
    return kit_norm(r, n + m) / (1 + kit_norm(x, n + m));
}

/* Delayed pivots stay in the room that was foreseen, and memory is linear in the number of intervals. The Hessian is
 * positive definite: as many negative eigenvalues as rows. */
static void test_collocation(void **state)
{
    (void)state;
    uint64_t rng = 31;
    size_t memory[2];
    for (uint32_t k = 0; k < 2; k++) {
        dd_context *ctx = kit_context();
        collocation g = collocation_new(&rng, k == 0 ? 100 : 400);
        const uint32_t n = g.pattern.n, m = g.pattern.m;
        const size_t before = dd_context_memory(ctx);
        dd_kkt_system *kkt;
        dd_kkt_inertia inertia;
        assert_int_equal(dd_kkt_general.make(&kkt, ctx, &g.pattern), DD_OK);
        memory[k] = dd_context_memory(ctx) - before;
        const uint64_t allocations = dd_context_allocations(ctx);
        const double start = kit_seconds();
        assert_int_equal(dd_kkt_general.factor(kkt, &g.values, &inertia), DD_OK);
        kit_cost("collocation", start);
        assert_true(inertia.negative == m && inertia.zero == 0 && !inertia.broken);
        double *x = malloc((n + m) * sizeof *x), *r = malloc((n + m) * sizeof *r);
        for (uint32_t i = 0; i < n + m; i++) {
            x[i] = 1;
        }
        dd_kkt_general.solve(kkt, x, x + n);
        residual_of(&g, x, r);
        dd_kkt_general.solve(kkt, r, r + n);
        for (uint32_t i = 0; i < n + m; i++) {
            x[i] += r[i];
        }
        assert_true(residual_of(&g, x, r) < 1e-13);
        assert_int_equal(dd_context_allocations(ctx), allocations);
        free(x);
        free(r);
        dd_kkt_general.free(kkt);
        collocation_free(&g);
        dd_context_free(ctx);
    }
    assert_true((double)memory[1] < 4.2 * (double)memory[0]);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    const program *g = arg;
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    dd_status st = dd_kkt_general.make(&k, ctx, &g->pattern);
    if (st == DD_OK) {
        st = dd_kkt_general.factor(k, &g->values, &inertia);
        dd_kkt_general.free(k);
    }
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    uint64_t rng = 5;
    program g;
    random_program(&g, &rng);
    kit_memory_sweep(sweep_call, &g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_dependent),
                                       cmocka_unit_test(test_collocation), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
