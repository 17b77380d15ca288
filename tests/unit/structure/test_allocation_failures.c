/* A short sweep of failing allocations over the small models of the corpus; tests/fault has the full one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    sweep_tally sum = {.most = 40, .seconds = 0.1};
    corpus_each(600, sweep_block, &sum);
    print_message("%llu failures in %u runs\n", (unsigned long long)sum.tried, sum.blocks);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.tried > 500);
}

static void test_memory_limit(void **state)
{
    (void)state;
    sweep_tally sum = {0};
    corpus_each(420, sweep_limits, &sum);
    assert_int_equal(sum.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_memory_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
