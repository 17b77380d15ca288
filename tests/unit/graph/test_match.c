/* Maximum matching against brute force, the row order against the greedy definition, and large inputs. */
#include "kit.h"

#include "graph/match.h"
#include "sizes.h"

/* Largest matching of the chosen rows by trying everything (bit masks of columns). */
static uint32_t brute(const dd_pattern *a, const uint8_t *use, uint32_t i, uint32_t taken)
{
    if (i == a->nrows) {
        return 0;
    }
    uint32_t best = brute(a, use, i + 1, taken);
    for (uint32_t e = a->ptr[i]; use[i] && e < a->ptr[i + 1]; e++) {
        uint32_t bit = 1u << a->idx[e];
        if ((taken & bit) == 0) {
            uint32_t n = 1 + brute(a, use, i + 1, taken | bit);
            best = n > best ? n : best;
        }
    }
    return best;
}

static void check_matching(const dd_pattern *a, const uint32_t *rm, const uint32_t *cm, uint32_t size)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->nrows; i++) {
        if (rm[i] == DD_NO_INDEX) {
            continue;
        }
        count++;
        assert_int_equal(cm[rm[i]], i);
        bool entry = false;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            entry = entry || a->idx[e] == rm[i];
        }
        assert_true(entry);
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        assert_true(cm[j] == DD_NO_INDEX || rm[cm[j]] == j);
    }
    assert_int_equal(count, size);
}

/* Greedy: a row in order is kept when it can be matched together with the kept rows before it. */
static void check_order(const dd_pattern *a, const uint32_t *order, const uint32_t *rm)
{
    uint8_t use[8] = {0};
    uint32_t kept = 0;
    for (uint32_t k = 0; k < a->nrows; k++) {
        use[order[k]] = 1;
        uint32_t n = brute(a, use, 0, 0);
        if (n > kept) {
            kept = n;
            assert_true(rm[order[k]] != DD_NO_INDEX);
        } else {
            use[order[k]] = 0;
            assert_true(rm[order[k]] == DD_NO_INDEX);
        }
    }
}

static void test_random_small(void **state)
{
    (void)state;
    uint64_t rng = 0x1234567;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t m = kit_below(&rng, 8), n = 1 + kit_below(&rng, 7);
        kit_rows rows = kit_random_rows(&rng, m, n, 10 + kit_below(&rng, 50), 0);
        dd_pattern a = kit_pattern(&rows);
        uint8_t all[8] = {1, 1, 1, 1, 1, 1, 1, 1};
        uint32_t want = brute(&a, all, 0, 0), size, rm[8], cm[8], order[8];
        assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
        assert_int_equal(size, want);
        check_matching(&a, rm, cm, size);
        kit_shuffle(&rng, m, order);
        assert_int_equal(dd_graph_match(&size, ctx, &a, order, round % 2 == 0, rm, cm), DD_OK);
        assert_int_equal(size, want);
        check_matching(&a, rm, cm, size);
        check_order(&a, order, rm);
        kit_rows_free(&rows);
    }
    dd_context_free(ctx);
}

/* Row i may take columns i-1 and i, the last row only column 0... so that one augmentation crosses everything, and N / 10
 * rows too many ask for the same columns again. */
static void test_large(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(100000, 1000000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 99;
    kit_rows rows = kit_rows_new(N + N / 10, N, 4 * (size_t)N);
    for (uint32_t i = 0; i < N + N / 10; i++) {
        uint32_t k = i < N ? N - 1 - i : kit_below(&rng, N);
        if (k > 0) {
            kit_put(&rows, k - 1, 0);
        }
        kit_put(&rows, k, 0);
        kit_end_row(&rows, N + N / 10);
    }
    dd_pattern a = kit_pattern(&rows);
    uint32_t *rm = malloc(2 * N * sizeof *rm), *cm = malloc(N * sizeof *cm), size;
    uint32_t *order = malloc(2 * N * sizeof *order);
    for (uint32_t i = 0; i < a.nrows; i++) {
        order[i] = i;
    }
    double start = kit_seconds();
    assert_int_equal(dd_graph_match(&size, ctx, &a, order, false, rm, cm), DD_OK);
    assert_int_equal(size, N);
    for (uint32_t i = 0; i < a.nrows; i++) {
        assert_true((rm[i] != DD_NO_INDEX) == (i < N)); /* the first N rows are matched by order */
    }
    kit_cost("match", start);
    free(order);
    free(rm);
    free(cm);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

static void test_random_large(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(30000, 300000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 5;
    kit_rows rows = kit_rows_new(N, N, 3 * (size_t)N);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t j = kit_below(&rng, N - 2);
        kit_put(&rows, j, 0);
        kit_put(&rows, j + 1 + kit_below(&rng, N - 1 - j), 0);
        kit_end_row(&rows, N);
    }
    dd_pattern a = kit_pattern(&rows);
    uint32_t *rm = malloc(N * sizeof *rm), *cm = malloc(N * sizeof *cm), size, again;
    double start = kit_seconds();
    assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
    check_matching(&a, rm, cm, size);
    /* the same size seen from the columns */
    uint32_t *tp = malloc((N + 1) * sizeof *tp), *ti = malloc(2 * (size_t)N * sizeof *ti);
    dd_pattern_transpose(&a, tp, ti, NULL);
    dd_pattern t = {.nrows = N, .ncols = N, .ptr = tp, .idx = ti};
    assert_int_equal(dd_graph_match(&again, ctx, &t, NULL, false, cm, rm), DD_OK);
    assert_int_equal(size, again);
    kit_cost("match", start);
    free(tp);
    free(ti);
    free(rm);
    free(cm);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    uint32_t size, rm[8], cm[8], order[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    return dd_graph_match(&size, ctx, arg, order, false, rm, cm);
}

static void test_memory(void **state)
{
    (void)state;
    uint64_t rng = 3;
    kit_rows rows = kit_random_rows(&rng, 8, 8, 20, 0);
    dd_pattern a = kit_pattern(&rows);
    kit_memory_sweep(sweep_call, &a);
    kit_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_small), cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_random_large), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
