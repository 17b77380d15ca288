/* Many more of the linear systems of tests/unit/structure/test_linear_forms.c. */
#include "unit/structure/linear_forms.h"

static void test_regular(void **state)
{
    (void)state;
    assert_int_equal(linear_run(1000, 20000, false, false), 0);
}

static void test_singular(void **state)
{
    (void)state;
    assert_int_equal(linear_run(1000, 10000, true, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_regular), cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
