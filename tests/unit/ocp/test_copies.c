/* What the text says about a copy of a decision, with a sign, a factor and an offset, it says about the decision. */
#include "ocp_kit.h"

/* A car with drag 0.1 v/r, where r = 2 at the start: r has no value at 0. */
static kit solve(const char *declarations, const char *equations)
{
    static char text[2000];
    dd_ocp_options options = dd_ocp_options_default();
    options.intervals = 20;
    options.solver = "daedal";
    snprintf(text, sizeof text,
             "optimization M(objectiveIntegrand = u^2, startTime = 0, finalTime = 1)\n"
             "  %s\n"
             "equation\n"
             "  der(v) = u - 0.1*v/r; der(r) = v;\n"
             "  %s\n"
             "constraint\n"
             "  r(finalTime) = 3; v(finalTime) = 0;\n"
             "end M;\n",
             declarations, equations);
    return kit_solve("m.mop", text, &options);
}

static void assert_same_work(const kit *a, const kit *b)
{
    assert_int_equal(a->info.status, DD_OCP_OPTIMAL);
    assert_int_equal(b->info.status, DD_OCP_OPTIMAL);
    assert_near(a->info.objective, b->info.objective, 1e-9 * b->info.objective);
    assert_int_equal(a->info.iterations, b->info.iterations);
    assert_int_equal(a->info.variables, b->info.variables);
    assert_int_equal(a->info.inequalities, b->info.inequalities);
}

static void test_bounds(void **state)
{
    (void)state;
    kit own = solve(
        "Real r(start = 2, fixed = true), v(start = 0, fixed = true, max = 1.45); input Real u(min = -6.5, max = 5.5);",
        "");
    kit copy = solve("Real r(start = 2, fixed = true), v(start = 0, fixed = true), b(min = -3.5, max = 8.5), "
                     "c(min = -1.45) = -v; input Real u; parameter Real k = 3;",
                     "b + u = 2;");
    assert_same_work(&copy, &own);
    assert_int_equal(copy.ocp->problem->path.len, 0);
    assert_near(copy.ocp->problem->u.data[0].lower, -6.5, 0);
    assert_near(copy.ocp->problem->u.data[0].upper, 5.5, 0);
    /* and follow them when they are set */
    assert_int_equal(dd_ocp_set(copy.ocp, "b.min", -3), DD_OK);
    assert_int_equal(dd_ocp_set(own.ocp, "u.max", 5), DD_OK);
    assert_int_equal(dd_ocp_solve(copy.ocp), DD_OK);
    assert_int_equal(dd_ocp_solve(own.ocp), DD_OK);
    assert_near(copy.ocp->problem->u.data[0].upper, 5, 0);
    assert_near(dd_ocp_get_info(copy.ocp).objective, dd_ocp_get_info(own.ocp).objective, 1e-6);
    assert_true(dd_ocp_get_info(copy.ocp).objective > copy.info.objective + 1e-3);
    kit_free(&own);
    kit_free(&copy);
}

/* They tell the sizes of decisions, as constraints do that are bounds. */
static void test_small_bounds(void **state)
{
    (void)state;
    const char *const ways[][2] = {
        {"input Real u(min = -1e-6, max = 1e-6);", ""},
        {"Real b(min = -1e-6, max = 1e-6) = -u; input Real u;", ""},
        {"input Real u;", "u <= 1e-6; u >= -1e-6;"},
    };
    dd_ocp_options options = dd_ocp_options_default();
    options.solver = "daedal";
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "optimization M(objective = finalTime, startTime = 0, finalTime(free = true, min = 0, max = 40000))\n"
                 "  Real x(start = -0.5, fixed = true), v(start = 0.0012, fixed = true);\n  %s\n"
                 "equation\n  der(x) = v; der(v) = u;\nconstraint\n  x(finalTime) = 0; v(finalTime) = 0; %s\nend M;\n",
                 ways[i][0], ways[i][1]);
        kit k = kit_solve("m.mop", text, &options);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        assert_near(k.ocp->problem->u.data[0].scale, 1e-6, 1e-18);
        kit_free(&k);
    }
}

static void test_guesses(void **state)
{
    (void)state;
    kit own = solve("Real r(start = 2, fixed = true, initialGuess = 2 + time), v(start = 0, fixed = true); "
                    "input Real u(initialGuess = 3 - 6*time);",
                    "");
    kit copy = solve("Real r(start = 2, fixed = true), v(start = 0, fixed = true), a(initialGuess = 5 + 2*time), "
                     "b(initialGuess = 6*time - 3); input Real u;",
                     "a = 2*r + 1; b + u = 0;");
    assert_same_work(&copy, &own);
    kit_free(&own);
    kit_free(&copy);
}

/* r is what is differentiated; what is fixed is something that follows from it. */
static void test_starts(void **state)
{
    (void)state;
    kit own = solve("Real r(start = 2, fixed = true), v(start = 0, fixed = true); input Real u(start = 3);", "");
    kit copy = solve("Real r, v(start = 0, fixed = true), a(start = 5, fixed = true), b(start = -3); input Real u;",
                     "a = 2*r + 1; b + u = 0;");
    assert_same_work(&copy, &own);
    kit_free(&copy);
    /* no copy: the start says where it is */
    copy = solve("Real r, v(start = 0, fixed = true), a(start = 4.2, fixed = true); input Real u(start = 3);",
                 "a = r^2 + 0.1*r;");
    assert_int_equal(copy.info.status, DD_OCP_OPTIMAL);
    assert_near(copy.info.objective, own.info.objective, 1e-9 * own.info.objective);
    kit_free(&own);
    kit_free(&copy);
}

static void test_sizes(void **state)
{
    (void)state;
    kit k =
        solve("Real r(start = 2, fixed = true), v(start = 0, fixed = true), a(nominal = 600), b(nominal = 2e4) = 100*u;"
              " input Real u;",
              "a = 3 - 2*v;");
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(k.ocp->problem->u.data[0].scale, 200, 1e-12);
    const dd_decision_vec *x = &k.ocp->problem->x;
    for (uint32_t i = 0; i < x->len; i++) {
        if (x->data[i].var == dd_system_find(k.system, "v", k.ocp->pool)) {
            assert_near(x->data[i].scale, 300, 1e-12);
        }
    }
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds), cmocka_unit_test(test_small_bounds), cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_starts), cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
