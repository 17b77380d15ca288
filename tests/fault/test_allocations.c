/* Every allocation of every model of the corpus fails in turn (evenly thinned out to 2000 for the largest). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    sweep_tally sum = {.most = 2000, .seconds = 4};
    corpus_each(1500, sweep_block, &sum);
    print_message("%llu failures in %u runs\n", (unsigned long long)sum.tried, sum.blocks);
    assert_int_equal(sum.failures, 0);
    assert_true(sum.tried > 20000);
}

static void test_large_models(void **state)
{
    (void)state;
    sweep_tally sum = {.most = 60, .seconds = 2};
    corpus_each(SIZE_MAX, sweep_block, &sum);
    assert_int_equal(sum.failures, 0);
}

static void test_memory_limit(void **state)
{
    (void)state;
    sweep_tally sum = {0};
    corpus_each(SIZE_MAX, sweep_limits, &sum);
    assert_int_equal(sum.failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_large_models),
                                       cmocka_unit_test(test_memory_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
