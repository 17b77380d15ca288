/* Colouring: no two columns of a row share a colour; a band of width w needs exactly w colours at least. */
#include "kit.h"

#include "graph/colour.h"
#include "sizes.h"

static void check_colours(const dd_pattern *a, const uint32_t *colour, uint32_t count)
{
    uint32_t *last = calloc((size_t)count + 1, sizeof *last), longest = 0;
    for (uint32_t i = 0; i < a->nrows; i++) {
        longest = a->ptr[i + 1] - a->ptr[i] > longest ? a->ptr[i + 1] - a->ptr[i] : longest;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            uint32_t k = colour[a->idx[e]];
            assert_true(k < count);
            assert_int_not_equal(last[k], i + 1);
            last[k] = i + 1;
        }
    }
    assert_true(count >= longest);
    free(last);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t rng = 11;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 500; round++) {
        uint32_t m = 1 + kit_below(&rng, 30), n = 1 + kit_below(&rng, 30), count, colour[30];
        kit_rows rows = kit_random_rows(&rng, m, n, 2 + kit_below(&rng, 30), 0);
        dd_pattern a = kit_pattern(&rows);
        assert_int_equal(dd_graph_colour(&count, ctx, &a, colour), DD_OK);
        check_colours(&a, colour, count);
        kit_rows_free(&rows);
    }
    dd_context_free(ctx);
}

static void test_band(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(20000, 200000), W = 5 };
    dd_context *ctx = kit_context();
    kit_rows rows = kit_rows_new(N, N, (size_t)N * W);
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t k = 0; k < W && i + k < N; k++) {
            kit_put(&rows, i + k, 0);
        }
        kit_end_row(&rows, N);
    }
    dd_pattern a = kit_pattern(&rows);
    uint32_t *colour = malloc(N * sizeof *colour), count;
    double start = kit_seconds();
    assert_int_equal(dd_graph_colour(&count, ctx, &a, colour), DD_OK);
    kit_cost("colour", start);
    check_colours(&a, colour, count);
    assert_true(count <= 2 * W);
    free(colour);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    uint32_t count, colour[5];
    return dd_graph_colour(&count, ctx, arg, colour);
}

static void test_memory(void **state)
{
    (void)state;
    uint64_t rng = 3;
    kit_rows rows = kit_random_rows(&rng, 5, 5, 50, 0);
    dd_pattern a = kit_pattern(&rows);
    kit_memory_sweep(sweep_call, &a);
    kit_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_band),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
