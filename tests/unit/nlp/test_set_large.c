/* Sparse problems of about a thousand variables: right verdicts and optima, in a time that only a sparse factorisation
 * allows. With the name of a solver as argument: its table, without a judgement. */
#include "unit/nlp/set/large.h"
#include "unit/nlp/set/run.h"

static void run_list(set_tally *sum, const char *solver)
{
    set_print_head(solver);
    set_run_all(sum, solver, large_problems, SET_COUNT(large_problems));
    set_print_sum(sum);
}

static void test_verdicts(void **state)
{
    (void)state;
    set_tally sum = {0};
    run_list(&sum, "daedal");
    assert_int_equal(sum.wrong, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        set_tally sum = {0};
        run_list(&sum, argv[1]);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_verdicts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
