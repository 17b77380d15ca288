/* Extending a matching row by row keeps the lexicographically first set of rows: the same as a fresh ordered match. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"
#include "graph/match.h"

enum { ROWS = 14, COLS = 9 };

static uint32_t random_pattern(uint32_t seed, uint32_t *ptr, uint32_t *idx)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < COLS; j++) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 24 < 50) {
                idx[at++] = j;
            }
        }
        ptr[i + 1] = at;
    }
    return at;
}

static void same_as_ordered(void **state)
{
    (void)state;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    uint32_t left_out = 0;
    for (uint32_t seed = 1; seed <= 400; seed++) {
        uint32_t ptr[ROWS + 1] = {0}, idx[ROWS * COLS], order[ROWS], rows[ROWS], cols[COLS], row2[ROWS], col2[COLS];
        uint32_t size, size2, first = seed % ROWS;
        random_pattern(seed * 7919u, ptr, idx);
        for (uint32_t i = 0; i < ROWS; i++) {
            order[i] = i;
        }
        dd_pattern all = {ROWS, COLS, ptr, idx}, head = {first, COLS, ptr, idx};
        assert_int_equal(dd_graph_match(&size, ctx, &all, order, false, rows, cols), DD_OK);
        memset(row2, 0xff, sizeof row2);
        assert_int_equal(dd_graph_match(&size2, ctx, &head, order, false, row2, col2), DD_OK);
        assert_int_equal(dd_graph_match_extend(&size2, ctx, &all, first, row2, col2), DD_OK);
        assert_int_equal(size, size2);
        for (uint32_t i = 0; i < ROWS; i++) {
            assert_int_equal(rows[i] == DD_NO_INDEX, row2[i] == DD_NO_INDEX);
            left_out += rows[i] == DD_NO_INDEX;
            if (row2[i] != DD_NO_INDEX) {
                assert_int_equal(col2[row2[i]], i);
            }
        }
    }
    assert_true(left_out > 400);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_ordered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
