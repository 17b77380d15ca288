/* test_waves.c - sums of sines and cosines collected: known short forms, what must stay, equal values. */
#include "dag_support.h"

#include "expr/waves.h"

static dd_expr collected(dd_dag *dag, dd_expr e)
{
    dd_collect_waves(dag, &e, 1, 12);
    return e;
}

/* Rotations by half angles, as quaternions make them. */
static void half_angles_become_whole(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const cases[][2] = {
        {"1 - 2*sin(0.5*x)^2", "cos(x)"},
        {"2*y*sin(0.5*x)*cos(0.5*x)", "y*sin(x)"},
        {"z*(cos(0.5*x)^2 + sin(0.5*x)^2) - z*u", "z - z*u"},
        {"sin(x)^2*y + y*cos(x)^2 + z", "y + z"},
        {"2*cos(0.5*x)^2*cos(0.5*y)^2 + 2*sin(0.5*x)^2*sin(0.5*y)^2 - 1", "cos(x)*cos(y)"},
        /* a torque: what cancels in it leaves */
        {"u*(z*cos(x) + 0.3*sin(x)*cos(x)) - u*sin(x)*(y + 0.3*cos(x))", "u*z*cos(x) - u*y*sin(x)"},
        {"0.3*x - 0.1*x - 0.2*x", "0"},
        /* held together, but short */
        {"sin(noEvent(x)) + y*noEvent(1 - 2*sin(0.5*x)^2)", "sin(x) + y*cos(x)"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dd_expr e = collected(dag, parse(dag, cases[i][0]));
        if (e != parse(dag, cases[i][1])) {
            fail_msg("%s is not collected to %s", cases[i][0], cases[i][1]);
        }
    }
}

/* Digits that cancel before a square would be lost after it; long sums stay together. */
static void what_is_short_stays(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const cases[] = {"(x - 1000)^2 + (y - 2000 + 0.1*cos(z))^2",
                                        "(x - 1e6)*(y + 1e6)",
                                        "sqrt(x + y)",
                                        "(x + y)^2 - x^2",
                                        "x^2 + exp(y)*z",
                                        "3",
                                        "x"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dd_expr e = parse(dag, cases[i]);
        assert_int_equal(collected(dag, e), e);
    }
    dd_expr none = DD_EXPR_NONE;
    dd_collect_waves(dag, &none, 1, 12);
    assert_int_equal(none, DD_EXPR_NONE);
}

/* A sum of products of up to four factors, all from one list. */
static dd_expr random_waves(dd_dag *dag)
{
    static const char *const factors[] = {
        "sin(0.5*x)", "cos(0.5*x)", "sin(0.5*y)", "cos(0.5*y)", "sin(x)",
        "cos(x)",     "z",          "u",          "0.7",        "(1 - 2*sin(0.5*y)^2)"};
    dd_expr total = dd_num(dag, random_between(-1, 1));
    for (uint32_t i = 0; i < 5; i++) {
        dd_expr product = dd_num(dag, random_between(-2, 2));
        for (uint32_t k = random_below(5); k > 0; k--) {
            product = dd_mul(dag, product, parse(dag, factors[random_below(10)]));
        }
        total = random_below(6) == 0 ? dd_mul(dag, total, product) : dd_add(dag, total, product);
    }
    return total;
}

static void values_stay(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    for (int i = 0; i < 300; i++) {
        point p = random_point();
        const dd_expr e = random_waves(dag), c = collected(dag, e);
        const double was = dag_value(dag, e, point_leaf, &p), is = dag_value(dag, c, point_leaf, &p);
        assert_true(fabs(was - is) <= 1e-11 * (1 + fabs(was)));
    }
}

DAG_TEST(half_angles_become_whole)
DAG_TEST(what_is_short_stays)
DAG_TEST(values_stay)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_angles_become_whole),
        cmocka_unit_test(test_what_is_short_stays),
        cmocka_unit_test(test_values_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
