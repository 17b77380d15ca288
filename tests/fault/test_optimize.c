/* Every fifth allocation of small optimizations fails in turn: each run must end in DD_OUT_OF_MEMORY, and nothing may leak. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep_optimize.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SWEEP_PROBLEMS; i++) {
        sweep_optimize_all(i, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
