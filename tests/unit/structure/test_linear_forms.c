/* Linear systems made from their Weierstrass form: index, degrees of freedom and constraints are known exactly. */
#include "linear_forms.h"

static void test_regular(void **state)
{
    (void)state;
    assert_int_equal(linear_run(0, 400, false), 0);
}

static void test_singular(void **state)
{
    (void)state;
    assert_int_equal(linear_run(0, 150, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_regular), cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
