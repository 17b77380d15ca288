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

/* The parts of an attitude, and what they become; NULL: they stay. */
typedef struct attitude {
    const char *parts[4], *joined[4];
} attitude;

/* Hinges about z: about axes parallel to it angles add up, also below another axis, and with a difference; about z, y and z they
 * do not. */
static void parallel_axes_add_up(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
#define CC "cos(0.5*x)*cos(0.5*y)"
#define SS "sin(0.5*x)*sin(0.5*y)"
#define SC "sin(0.5*x)*cos(0.5*y)"
#define CS "cos(0.5*x)*sin(0.5*y)"
    static const attitude cases[] = {
        {{CC " - " SS, "0", "0", SC " + " CS}, {"cos(0.5*x + 0.5*y)", "0", "0", "sin(0.5*x + 0.5*y)"}},
        {{CC " + " SS, "0", "0", SC " - " CS}, {"cos(0.5*x - 0.5*y)", "0", "0", "sin(0.5*x - 0.5*y)"}},
        {{"noEvent(cos(0.5*z)*noEvent(" CC " - " SS "))", "sin(0.5*z)*noEvent(" CC " - " SS ")",
          "sin(0.5*z)*noEvent(" SC " + " CS ")", "noEvent(cos(0.5*z)*noEvent(" SC " + " CS "))"},
         {"cos(0.5*z)*cos(0.5*x + 0.5*y)", "sin(0.5*z)*cos(0.5*x + 0.5*y)", "sin(0.5*z)*sin(0.5*x + 0.5*y)",
          "cos(0.5*z)*sin(0.5*x + 0.5*y)"}},
        {{"cos(0.5*z)*" CC " - cos(0.5*z)*" SS, "sin(0.5*z)*" CS " - sin(0.5*z)*" SC,
          "sin(0.5*z)*" CC " + sin(0.5*z)*" SS, "cos(0.5*z)*" SC " + cos(0.5*z)*" CS},
         {NULL}},
        {{CC " - 0.5*" SS, "0", "0", SC " + " CS}, {NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_expr e[4], was[4];
        for (int k = 0; k < 4; k++) {
            e[k] = was[k] = parse(dag, cases[i].parts[k]);
        }
        dd_join_angles(dag, e, 4);
        for (int k = 0; k < 4; k++) {
            const dd_expr is = cases[i].joined[0] ? parse(dag, cases[i].joined[k]) : was[k];
            if (e[k] != is) {
                fail_msg("part %d of case %zu", k, i);
            }
        }
    }
#undef CC
#undef SS
#undef SC
#undef CS
}

/* Half angles of hinges that add up are half angles still. */
static void joined_halves_become_whole(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    assert_int_equal(collected(dag, parse(dag, "1 - 2*sin(0.5*x + 0.5*y)^2")), parse(dag, "cos(x + y)"));
    assert_int_equal(collected(dag, parse(dag, "2*z*sin(0.5*x - 0.5*y)*cos(0.5*x - 0.5*y)")),
                     parse(dag, "z*sin(x - y)"));
}

/* A product with a long sum: its other factors are collected. */
static void factors_are_gathered(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
#define LONG "(x*y + y*z + z*u + u*x + exp(x) + exp(y) + exp(z))"
    assert_int_equal(collected(dag, parse(dag, "4*sin(0.5*x)*cos(0.5*x)*sin(0.5*y)*cos(0.5*y)*" LONG)),
                     parse(dag, "sin(x)*sin(y)*" LONG));
#undef LONG
    /* a held sum of four terms is looked into: y^2 of (y cos)^2 + (y sin)^2 */
    assert_int_equal(collected(dag, parse(dag, "cos(x)*noEvent(z*sin(x) + y*u*cos(x) + 2*y*z*cos(x) - y^2*sin(x)) - "
                                               "sin(x)*noEvent(z*cos(x) - y*u*sin(x) - 2*y*z*sin(x) - y^2*cos(x))")),
                     parse(dag, "y*u + 2*y*z"));
}

/* The place of a body on two hinges; what would be hardly shorter stays as it is, with what others share with it. */
static void values_become_short(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    static const char *const cases[][2] = {
        {"4*noEvent(sin(0.5*x)*cos(0.5*x))*noEvent(cos(0.5*y)*sin(0.5*y)) - z*noEvent(1 - 2*sin(0.5*x)^2)",
         "sin(x)*sin(y) - z*cos(x)"},
        {"z*cos(0.5*x)*sin(0.5*x) + exp(u)", NULL},
        {"x - y + z", NULL},
        {"x + y + z + u + sin(0.5*x)*cos(0.5*x) + sin(0.5*y)*cos(0.5*y)", NULL}, /* too many terms */
        {"sin(noEvent(noEvent(1 - 2*sin(0.5*x)^2) + y))*exp(2*sin(0.5*x)^2)", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dd_expr e = parse(dag, cases[i][0]), is = dd_collect_waves_near(dag, e, 4);
        if (is != (cases[i][1] != NULL ? parse(dag, cases[i][1]) : e)) {
            fail_msg("case %zu", i);
        }
    }
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
        const dd_expr e = random_waves(dag), c = i % 2 == 0 ? collected(dag, e) : dd_collect_waves_near(dag, e, 6);
        const double was = dag_value(dag, e, point_leaf, &p), is = dag_value(dag, c, point_leaf, &p);
        assert_true(fabs(was - is) <= 1e-11 * (1 + fabs(was)));
    }
}

DAG_TEST(half_angles_become_whole)
DAG_TEST(what_is_short_stays)
DAG_TEST(values_stay)
DAG_TEST(parallel_axes_add_up)
DAG_TEST(joined_halves_become_whole)
DAG_TEST(factors_are_gathered)
DAG_TEST(values_become_short)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_angles_become_whole),
        cmocka_unit_test(test_what_is_short_stays),
        cmocka_unit_test(test_values_stay),
        cmocka_unit_test(test_parallel_axes_add_up),
        cmocka_unit_test(test_joined_halves_become_whole),
        cmocka_unit_test(test_factors_are_gathered),
        cmocka_unit_test(test_values_become_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
