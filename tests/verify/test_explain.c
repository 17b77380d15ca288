/* The whole corpus of tests/unit/structure/test_explain.c. */
#include "unit/structure/explain_checks.h"

static void test_explanations_agree(void **state)
{
    (void)state;
    const tally sum = explain_corpus(6000); /* larger files are generated ones, of one kind of equation */
    assert_true(sum.systems > 250 && sum.formulas > 4000 && sum.ranks > 300 && sum.terms > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_explanations_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
