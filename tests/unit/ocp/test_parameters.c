/* Parameters that follow from decided ones through many bindings, and many that do not: x' = k, x(0) = 0, and the best
 * k for (x(1) - 3)^2 is 3. */
#include "unit/ocp/ocp_kit.h"

enum { TEXT_SIZE = 32768 };

/* k1 = first, k2 = k1, k3 = (k1 + k2)/2, ...: each uses the two before it, so there are exponentially many ways back. */
static void write_text(char *text, uint32_t n, const char *first, const char *rate)
{
    int at = snprintf(text, TEXT_SIZE,
                      "optimization M(objective = (x(finalTime) - 3)^2, finalTime = 1)\n"
                      "  parameter Real a(free = true, initialGuess = 1, max = 100);\n"
                      "  parameter Real k1 = %s, k2 = k1;\n",
                      first);
    for (uint32_t i = 3; i <= n; i++) {
        at += snprintf(text + at, (size_t)(TEXT_SIZE - at), "  parameter Real k%u = (k%u + k%u)/2;\n", i, i - 1, i - 2);
    }
    snprintf(text + at, (size_t)(TEXT_SIZE - at),
             "  Real x(start = 0, fixed = true);\nequation\n  der(x) = %s;\nend M;\n", rate);
}

static void assert_best(uint32_t n, const char *first, const char *rate, double a)
{
    static char text[TEXT_SIZE];
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 4;
    write_text(text, n, first, rate);
    kit k = kit_solve("m.mop", text, &o);
    assert_int_equal(k.status, DD_OK);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(kit_parameter(&k, 0), a, 1e-6);
    kit_free(&k);
}

static void test_follows_from_a_decided_one(void **state)
{
    (void)state;
    assert_best(3, "a/2", "k3", 6);
    assert_best(300, "a/2", "k300", 6);
}

static void test_does_not_follow(void **state)
{
    (void)state;
    assert_best(80, "0.5", "a*k80", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_follows_from_a_decided_one),
        cmocka_unit_test(test_does_not_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
