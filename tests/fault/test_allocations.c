/* Every allocation of every model of the corpus fails in turn (evenly thinned out to 2000 for the largest). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    assert_true(sweep_corpus(1500, sweep_block, (sweep_tally){.most = 2000, .seconds = 4}) > 20000);
}

static void test_large_models(void **state)
{
    (void)state;
    assert_true(sweep_corpus(SIZE_MAX, sweep_block, (sweep_tally){.most = 60, .seconds = 2}) > 1000);
}

static void test_memory_limit(void **state)
{
    (void)state;
    assert_true(sweep_corpus(SIZE_MAX, sweep_limits, (sweep_tally){0}) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_large_models),
                                       cmocka_unit_test(test_memory_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
