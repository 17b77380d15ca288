/* Dulmage-Mendelsohn labels against their definition: a row is over-determined when some maximum matching leaves it
 * (or a row it competes with) out, found by trying: deleting the row does not lower the matching number. */
#include "kit.h"

#include "graph/dm.h"
#include "graph/match.h"
#include "sizes.h"

/* Matching number without one row or one column (DD_NO_INDEX: none left out). */
static uint32_t matching_without(dd_context *ctx, const dd_pattern *a, uint32_t row, uint32_t col)
{
    uint32_t ptr[9] = {0}, idx[64], n = 0, size, rm[8], cm[8];
    for (uint32_t i = 0; i < a->nrows; i++) {
        for (uint32_t e = a->ptr[i]; i != row && e < a->ptr[i + 1]; e++) {
            if (a->idx[e] != col) {
                idx[n++] = a->idx[e];
            }
        }
        ptr[i + 1] = n;
    }
    dd_pattern b = {.nrows = a->nrows, .ncols = a->ncols, .ptr = ptr, .idx = idx};
    assert_int_equal(dd_graph_match(&size, ctx, &b, NULL, false, rm, cm), DD_OK);
    return size;
}

/* Row i is over <=> deleting it keeps the matching number; column j is under likewise. A column is over (a row is
 * under) <=> it is adjacent to an over row (under column). */
static void check_labels(dd_context *ctx, const dd_pattern *a, uint32_t size, const uint8_t *rpart,
                         const uint8_t *cpart)
{
    uint8_t over_col[8] = {0}, under_row[8] = {0};
    for (uint32_t i = 0; i < a->nrows; i++) {
        bool over = matching_without(ctx, a, i, DD_NO_INDEX) == size;
        assert_int_equal(rpart[i] == DD_DM_OVER, over);
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            over_col[a->idx[e]] |= over;
            under_row[i] |= matching_without(ctx, a, DD_NO_INDEX, a->idx[e]) == size;
        }
        assert_int_equal(rpart[i] == DD_DM_UNDER, under_row[i]);
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        assert_int_equal(cpart[j] == DD_DM_OVER, over_col[j]);
        assert_int_equal(cpart[j] == DD_DM_UNDER, matching_without(ctx, a, DD_NO_INDEX, j) == size);
    }
}

/* Components: entries inside a part join, each component is one defect, numbers are used without gaps. */
static void check_components(const dd_pattern *a, const dd_dm_info *info, const uint8_t *rpart, const uint8_t *cpart,
                             const uint32_t *rc, const uint32_t *cc)
{
    uint32_t total = info->over_components + info->under_components, rows[16] = {0}, cols[16] = {0};
    for (uint32_t i = 0; i < a->nrows; i++) {
        assert_int_equal(rc[i] == DD_NO_INDEX, rpart[i] == DD_DM_SQUARE);
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            if (rpart[i] == cpart[a->idx[e]]) {
                assert_int_equal(rc[i], cc[a->idx[e]]);
            }
        }
        if (rc[i] != DD_NO_INDEX) {
            assert_true(rc[i] < total);
            rows[rc[i]]++;
        }
    }
    for (uint32_t j = 0; j < a->ncols; j++) {
        assert_int_equal(cc[j] == DD_NO_INDEX, cpart[j] == DD_DM_SQUARE);
        if (cc[j] != DD_NO_INDEX) {
            assert_true(cc[j] < total);
            cols[cc[j]]++;
        }
    }
    for (uint32_t k = 0; k < total; k++) {
        assert_true(k < info->over_components ? rows[k] > cols[k] : cols[k] > rows[k]);
    }
}

static void test_random(void **state)
{
    (void)state;
    uint64_t rng = 2024;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t m = 1 + kit_below(&rng, 8), n = 1 + kit_below(&rng, 8), size, rm[8], cm[8], rc[8], cc[8];
        uint8_t rpart[8], cpart[8];
        kit_rows rows = kit_random_rows(&rng, m, n, 5 + kit_below(&rng, 40), 0);
        dd_pattern a = kit_pattern(&rows);
        dd_dm_info info;
        assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
        assert_int_equal(dd_graph_dm(&info, ctx, &a, rm, cm, &(dd_dm_labels){rpart, cpart, rc, cc}), DD_OK);
        check_labels(ctx, &a, size, rpart, cpart);
        check_components(&a, &info, rpart, cpart, rc, cc);
        assert_int_equal(info.rows[DD_DM_SQUARE], info.cols[DD_DM_SQUARE]);
        assert_int_equal(info.rows[0] + info.rows[1] + info.rows[2], m);
        assert_int_equal(info.cols[0] + info.cols[1] + info.cols[2], n);
        kit_rows_free(&rows);
    }
    dd_context_free(ctx);
}

/* x + y = s, z = s, z' = c with unknowns x, y, z: z determined twice, x and y share one equation. */
static void test_two_defects(void **state)
{
    (void)state;
    uint32_t ptr[] = {0, 2, 3, 4}, idx[] = {0, 1, 2, 2}, size, rm[3], cm[3], rc[3], cc[3];
    uint8_t rpart[3], cpart[3];
    dd_pattern a = {.nrows = 3, .ncols = 3, .ptr = ptr, .idx = idx};
    dd_dm_info info;
    dd_context *ctx = kit_context();
    assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
    assert_int_equal(size, 2);
    assert_int_equal(dd_graph_dm(&info, ctx, &a, rm, cm, &(dd_dm_labels){rpart, cpart, rc, cc}), DD_OK);
    assert_int_equal(info.over_components, 1);
    assert_int_equal(info.under_components, 1);
    assert_int_equal(rpart[0], DD_DM_UNDER);
    assert_int_equal(rpart[1], DD_DM_OVER);
    assert_int_equal(rpart[2], DD_DM_OVER);
    assert_int_equal(cpart[2], DD_DM_OVER);
    assert_int_equal(rc[0], 1);
    assert_int_equal(cc[1], 1);
    assert_int_equal(rc[2], 0);
    assert_int_equal(dd_graph_dm(&info, ctx, &a, rm, cm, &(dd_dm_labels){rpart, cpart, NULL, NULL}), DD_OK);
    dd_context_free(ctx);
}

/* 10^5 independent defects, each reported by itself. */
static void test_many_defects(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(10000, 100000) };
    kit_rows rows = kit_rows_new(3 * N, 2 * N, 6 * (size_t)N);
    for (uint32_t i = 0; i < 3 * N; i++) {
        kit_put(&rows, 2 * (i / 3), 0);
        kit_put(&rows, 2 * (i / 3) + 1, 0);
        kit_end_row(&rows, 3 * N);
    }
    dd_pattern a = kit_pattern(&rows);
    uint32_t *rm = malloc(3 * N * sizeof *rm), *cm = malloc(2 * N * sizeof *cm), *rc = malloc(3 * N * sizeof *rc);
    uint32_t *cc = malloc(2 * N * sizeof *cc), size;
    uint8_t *rpart = malloc(3 * N), *cpart = malloc(2 * N);
    dd_context *ctx = kit_context();
    dd_dm_info info;
    double start = kit_seconds();
    assert_int_equal(dd_graph_match(&size, ctx, &a, NULL, false, rm, cm), DD_OK);
    assert_int_equal(dd_graph_dm(&info, ctx, &a, rm, cm, &(dd_dm_labels){rpart, cpart, rc, cc}), DD_OK);
    kit_cost("dm", start);
    assert_int_equal(info.over_components, N);
    for (uint32_t i = 0; i < 3 * N; i++) {
        assert_int_equal(rc[i], i / 3);
    }
    free(rm);
    free(cm);
    free(rc);
    free(cc);
    free(rpart);
    free(cpart);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    uint32_t rm[3] = {0, 2, DD_NO_INDEX}, cm[3] = {0, DD_NO_INDEX, 1};
    uint8_t rpart[3], cpart[3];
    dd_dm_info info;
    return dd_graph_dm(&info, ctx, arg, rm, cm, &(dd_dm_labels){rpart, cpart, NULL, NULL});
}

static void test_memory(void **state)
{
    (void)state;
    uint32_t ptr[] = {0, 2, 3, 4}, idx[] = {0, 1, 2, 2};
    dd_pattern a = {.nrows = 3, .ncols = 3, .ptr = ptr, .idx = idx};
    kit_memory_sweep(sweep_call, &a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_two_defects),
                                       cmocka_unit_test(test_many_defects), cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
