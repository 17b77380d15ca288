/* Strong components and block-triangular form against reachability by transitive closure, and a long chain. */
#include "kit.h"

#include "graph/match.h"
#include "graph/scc.h"
#include "sizes.h"

static void closure(const dd_pattern *g, const uint32_t *target, uint8_t reach[10][10])
{
    memset(reach, 0, 100);
    for (uint32_t i = 0; i < g->nrows; i++) {
        reach[i][i] = 1;
        for (uint32_t e = g->ptr[i]; e < g->ptr[i + 1]; e++) {
            reach[i][target != NULL ? target[g->idx[e]] : g->idx[e]] = 1;
        }
    }
    for (uint32_t k = 0; k < g->nrows; k++) {
        for (uint32_t i = 0; i < g->nrows; i++) {
            for (uint32_t j = 0; j < g->nrows; j++) {
                reach[i][j] |= reach[i][k] & reach[k][j];
            }
        }
    }
}

static void test_components(void **state)
{
    (void)state;
    uint64_t rng = 77;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t n = 1 + kit_below(&rng, 10), count, comp[10];
        kit_rows rows = kit_random_rows(&rng, n, n, 5 + kit_below(&rng, 25), 0);
        dd_pattern g = kit_pattern(&rows);
        assert_int_equal(dd_graph_scc(&count, ctx, &g, comp), DD_OK);
        uint8_t reach[10][10];
        closure(&g, NULL, reach);
        for (uint32_t i = 0; i < n; i++) {
            assert_true(comp[i] < count);
            for (uint32_t j = 0; j < n; j++) {
                assert_int_equal(comp[i] == comp[j], reach[i][j] && reach[j][i]);
                assert_true(!reach[i][j] || comp[i] >= comp[j]);
            }
        }
        kit_rows_free(&rows);
    }
    dd_context_free(ctx);
}

static void check_blocks(const dd_pattern *a, const uint32_t *rm, uint32_t count, const uint32_t *rp,
                         const uint32_t *cp, const uint32_t *bp, uint8_t reach[10][10])
{
    uint32_t row_block[10], col_block[10], n = a->nrows;
    assert_int_equal(bp[0], 0);
    assert_int_equal(bp[count], n);
    memset(row_block, 0xff, sizeof row_block);
    for (uint32_t b = 0; b < count; b++) {
        assert_true(bp[b] < bp[b + 1]);
        for (uint32_t k = bp[b]; k < bp[b + 1]; k++) {
            assert_int_equal(row_block[rp[k]], DD_NO_INDEX);
            row_block[rp[k]] = col_block[cp[k]] = b;
            assert_int_equal(rm[rp[k]], cp[k]);
            assert_true(k == bp[b] || rp[k - 1] < rp[k]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            assert_true(col_block[a->idx[e]] <= row_block[i]);
        }
        for (uint32_t k = 0; k < n; k++) {
            assert_int_equal(row_block[i] == row_block[k], reach[i][k] && reach[k][i]);
        }
    }
}

static void test_btf(void **state)
{
    (void)state;
    uint64_t rng = 4242;
    dd_context *ctx = kit_context();
    uint32_t perfect = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t n = 1 + kit_below(&rng, 9), count, size, rm[10], cm[10], rp[10], cp[10], bp[11];
        kit_rows rows = kit_random_rows(&rng, n, n, 15 + kit_below(&rng, 35), 0);
        dd_pattern a = kit_pattern(&rows);
        assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
        dd_status st = dd_graph_btf(&count, ctx, &a, rm, rp, cp, bp);
        assert_int_equal(st, size == n ? DD_OK : DD_INVALID_ARGUMENT);
        if (size == n) {
            uint8_t reach[10][10];
            closure(&a, cm, reach);
            check_blocks(&a, rm, count, rp, cp, bp, reach);
            perfect++;
        }
        kit_rows_free(&rows);
    }
    assert_true(perfect > 500);
    dd_context_free(ctx);
}

/* One chain of 10^6 equations, each needing the next: depth 10^6 and blocks in reverse order; then closed to a ring. */
static void test_deep(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(100000, 1000000) };
    dd_context *ctx = kit_context();
    uint32_t *rm = malloc(N * sizeof *rm), *rp = malloc(N * sizeof *rp), *cp = malloc(N * sizeof *cp);
    uint32_t *bp = malloc((N + 1) * sizeof *bp), count;
    double start = kit_seconds();
    for (int ring = 0; ring < 2; ring++) {
        kit_rows rows = kit_rows_new(N, N, 2 * (size_t)N);
        for (uint32_t i = 0; i < N; i++) {
            rm[i] = i;
            kit_put(&rows, i, 0);
            if (i + 1 < N || ring) {
                kit_put(&rows, (i + 1) % N, 0);
            }
            kit_end_row(&rows, N);
        }
        dd_pattern a = kit_pattern(&rows);
        assert_int_equal(dd_graph_btf(&count, ctx, &a, rm, rp, cp, bp), DD_OK);
        assert_int_equal(count, ring ? 1 : N);
        assert_int_equal(rp[0], ring ? 0 : N - 1);
        kit_rows_free(&rows);
    }
    kit_cost("scc", start);
    free(rm);
    free(rp);
    free(cp);
    free(bp);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    uint32_t count, comp[4], rm[4] = {0, 1, 2, 3}, rp[4], cp[4], bp[5];
    dd_status st = dd_graph_scc(&count, ctx, arg, comp);
    return st != DD_OK ? st : dd_graph_btf(&count, ctx, arg, rm, rp, cp, bp);
}

static void test_memory(void **state)
{
    (void)state;
    uint64_t rng = 3;
    kit_rows rows = kit_random_rows(&rng, 4, 4, 100, 0);
    dd_pattern a = kit_pattern(&rows);
    kit_memory_sweep(sweep_call, &a);
    kit_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_components), cmocka_unit_test(test_btf),
                                       cmocka_unit_test(test_deep), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
