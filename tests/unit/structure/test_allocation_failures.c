/* A short sweep of failing allocations over the small models of the corpus; tests/fault has the full one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    assert_true(sweep_corpus(600, sweep_block, (sweep_tally){.most = 20, .seconds = 0.05}) > 300);
}

static void test_memory_limit(void **state)
{
    (void)state;
    assert_true(sweep_corpus(420, sweep_limits, (sweep_tally){0}) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations), cmocka_unit_test(test_memory_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
