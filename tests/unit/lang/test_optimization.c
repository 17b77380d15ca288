/* test_optimization.c - what an optimization class becomes: times, bounds, points, guesses, constraints as
 * expressions. */
#include "lang_kit.h"

static const char car[] = "model Car\n"
                          "  parameter Real m = 2;\n"
                          "  Real x(start = 0, fixed = true), v(start = 0, fixed = true) = der(x);\n"
                          "  input Real u(min = -1, max = 1);\n"
                          "equation\n"
                          "  m*der(v) = u;\n"
                          "end Car;\n";

static kit load_class(const char *text)
{
    static char all[4000];
    snprintf(all, sizeof all, "%s%s", car, text);
    return kit_load(all);
}

static dd_expr value_of(const kit *k, const char *name)
{
    return dd_model_symbol(k->m, kit_var(k, name, 0));
}

static void test_times(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objective = finalTime, startTime = 1, finalTime(free = true, min = 2, max = "
                       "2*m, initialGuess = 3))\n"
                       "  extends Car;\nend O;\n");
    kit_expect_ok(&k);
    const dd_optimization *o = k.m->optimization;
    dd_dag *dag = k.m->dag;
    assert_non_null(o);
    assert_false(o->start.free);
    assert_true(o->final.free);
    assert_int_equal(o->start.value, dd_rational(dag, 1, 1));
    assert_int_equal(o->final.value, DD_EXPR_NONE);
    assert_int_equal(o->final.min, dd_rational(dag, 2, 1));
    assert_int_equal(o->final.max, dd_mul(dag, dd_rational(dag, 2, 1), value_of(&k, "m")));
    assert_int_equal(o->final.guess, dd_rational(dag, 3, 1));
    assert_int_equal(o->start_var, kit_var(&k, "startTime", 0));
    assert_int_equal(o->final_var, kit_var(&k, "finalTime", 0));
    assert_int_equal(o->objective, value_of(&k, "finalTime"));
    assert_int_equal(o->integrand, DD_EXPR_NONE);
    assert_true(k.m->vars.data[o->final_var].value == 3);
    assert_true(k.m->vars.data[o->start_var].value == 1);
    kit_close(&k);
}

/* A free final time without a guess begins within its bounds. */
static void test_time_without_guess(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objective = finalTime, finalTime(free = true, min = 4)) extends Car; end O;");
    kit_expect_ok(&k);
    assert_true(k.m->vars.data[k.m->optimization->final_var].value == 4);
    kit_close(&k);
    k = load_class("optimization O(objective = finalTime, startTime = 2, finalTime(free = true)) extends Car; end O;");
    kit_expect_ok(&k);
    assert_true(k.m->vars.data[k.m->optimization->final_var].value == 3);
    kit_close(&k);
}

static void test_points(void **state)
{
    (void)state;
    kit k =
        load_class("optimization O(objective = x(finalTime)^2 + v(1/2), finalTime = 1)\n  extends Car;\nconstraint\n"
                   "  x(finalTime) = x(startTime);\n  v(0.5) <= 3;\nend O;\n");
    kit_expect_ok(&k);
    const dd_optimization *o = k.m->optimization;
    dd_dag *dag = k.m->dag;
    assert_int_equal(o->points.len, 3); /* x(finalTime), v(1/2) = v(0.5), x(startTime) */
    assert_int_equal(o->points.data[0].of, kit_var(&k, "x", 0));
    assert_int_equal(o->points.data[0].time, value_of(&k, "finalTime"));
    assert_int_equal(o->points.data[1].of, kit_var(&k, "v", 0));
    assert_int_equal(o->points.data[1].time, dd_rational(dag, 1, 2));
    assert_int_equal(k.m->vars.data[o->points.data[2].var].kind, DD_KIND_POINT);
    dd_expr end = dd_model_symbol(k.m, o->points.data[0].var), half = dd_model_symbol(k.m, o->points.data[1].var);
    assert_int_equal(o->objective, dd_add(dag, dd_pow(dag, end, dd_rational(dag, 2, 1)), half));
    assert_int_equal(o->constraints.len, 2);
    assert_int_equal(o->constraints.data[0].lhs, end);
    assert_int_equal(o->constraints.data[0].relation, DD_CONSTRAINT_EQ);
    assert_int_equal(o->constraints.data[1].lhs, half);
    assert_int_equal(o->constraints.data[1].rhs, dd_rational(dag, 3, 1));
    assert_int_equal(o->constraints.data[1].relation, DD_CONSTRAINT_LE);
    kit_close(&k);
}

static void test_path_constraints(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objectiveIntegrand = u^2, finalTime = 1)\n  extends Car;\n  parameter Real "
                       "vmax[2] = {1, 2};\nconstraint\n"
                       "  for i in 1:2 loop\n    i*v <= vmax[i];\n  end for;\n  x + time >= u;\n  x == 0;\nend O;\n");
    kit_expect_ok(&k);
    const dd_optimization *o = k.m->optimization;
    dd_dag *dag = k.m->dag;
    assert_int_equal(o->objective, DD_EXPR_NONE);
    assert_int_equal(o->integrand, dd_pow(dag, value_of(&k, "u"), dd_rational(dag, 2, 1)));
    assert_int_equal(o->constraints.len, 4);
    assert_int_equal(o->constraints.data[1].lhs, dd_mul(dag, dd_rational(dag, 2, 1), value_of(&k, "v")));
    assert_int_equal(o->constraints.data[1].rhs, dd_model_symbol(k.m, kit_var(&k, "vmax", 1)));
    assert_int_equal(o->constraints.data[1].env->value, 2);
    assert_int_equal(o->constraints.data[2].relation, DD_CONSTRAINT_GE);
    assert_int_equal(o->constraints.data[2].lhs, dd_add(dag, value_of(&k, "x"), dd_time(dag)));
    assert_int_equal(o->constraints.data[3].relation, DD_CONSTRAINT_EQ);
    kit_close(&k);
}

static void test_modifications(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objective = a*x(finalTime), finalTime = 1)\n"
                       "  parameter Real a(free = true, min = 1, initialGuess = 2), b = 5;\n"
                       "  extends Car(m = b, x(start = b, fixed = false, max = 9, initialGuess = 1 + time/b), u(min = "
                       "-b));\nend O;\n");
    kit_expect_ok(&k);
    dd_dag *dag = k.m->dag;
    const dd_variable *x = kit_variable(&k, "x", 0), *a = kit_variable(&k, "a", 0);
    assert_true(kit_variable(&k, "m", 0)->value == 5);
    assert_true(x->start_value == 5 && x->max_value == 9 && !x->fixed);
    dd_expr ramp = dd_div(dag, dd_time(dag), value_of(&k, "b"));
    assert_int_equal(x->guess, dd_add(dag, dd_rational(dag, 1, 1), ramp));
    assert_true(kit_variable(&k, "u", 0)->min_value == -5 && kit_variable(&k, "u", 0)->max_value == 1);
    assert_true(a->free && a->has_value && a->value == 2 && a->min_value == 1);
    assert_int_equal(a->binding, DD_EXPR_NONE);
    assert_int_equal(dd_model_find_array(k.m, "a"), 0); /* declared before the extends clause */
    kit_close(&k);
}

/* A free parameter may have no value but its guess; parameters made of it follow the guess, declared before or after,
 * and so do attributes. */
static void test_made_of_free(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objective = x(finalTime), finalTime = 1)\n"
                       "  extends Car(m = 2*c, x(start = c));\n"
                       "  parameter Real c = b + 1, b(free = true, initialGuess = a), a = 3;\nend O;\n");
    kit_expect_ok(&k);
    assert_true(kit_variable(&k, "b", 0)->value == 3 && kit_variable(&k, "c", 0)->value == 4);
    assert_true(kit_variable(&k, "m", 0)->value == 8 && kit_variable(&k, "x", 0)->start_value == 4);
    assert_int_equal(kit_variable(&k, "m", 0)->binding,
                     dd_mul(k.m->dag, dd_rational(k.m->dag, 2, 1), value_of(&k, "c")));
    kit_close(&k);
    k = load_class("optimization O(objective = x(finalTime), finalTime = 1)\n"
                   "  extends Car(m = b);\n"
                   "  parameter Real b(free = false, initialGuess = 1);\nend O;\n");
    kit_expect_error(&k, 0, 10, 18, "parameter b has no value: give one in the model, or with set b=VALUE");
    kit_close(&k);
}

static void test_data_file(void **state)
{
    (void)state;
    kit k = load_class("optimization O(objective = 1, finalTime = 1)\n  extends Car;\n  annotation(Daedal(data = \"run "
                       "1.csv\"));\nend O;\n");
    kit_expect_ok(&k);
    assert_string_equal(k.m->optimization->data_file, "run 1.csv");
    kit_close(&k);
    k = load_class(
        "optimization O(objective = 1, finalTime = 1)\n  extends Car;\n  annotation(Daedal(data = 3));\nend O;\n");
    kit_expect_error(&k, 0, 10, 21, "name of a file in quotes");
    kit_close(&k);
}

static void test_set_times(void **state)
{
    (void)state;
    const dd_setting settings[] = {{.name = "finalTime", .value = "7"}, {.name = "v", .value = "0.5"}};
    static char all[2000];
    snprintf(all, sizeof all, "%soptimization O(objective = x(finalTime), finalTime = 1)\n  extends Car;\nend O;\n",
             car);
    kit k = kit_load_set(all, settings, 2);
    kit_expect_ok(&k);
    assert_true(k.m->vars.data[k.m->optimization->final_var].value == 7);
    assert_true(kit_variable(&k, "v", 0)->start_value == 0.5);
    kit_close(&k);

    /* where a free one begins */
    snprintf(
        all, sizeof all,
        "%soptimization O(objective = finalTime, finalTime(free = true, initialGuess = 2))\n  extends Car;\nend O;\n",
        car);
    k = kit_load_set(all, settings, 1);
    kit_expect_ok(&k);
    assert_true(k.m->optimization->final.free);
    assert_int_equal(k.m->optimization->final.guess, dd_rational(k.m->dag, 7, 1));
    assert_true(k.m->vars.data[k.m->optimization->final_var].value == 7);
    kit_close(&k);
}

static void test_plain_model_has_none(void **state)
{
    (void)state;
    kit k = kit_load(car);
    kit_expect_ok(&k);
    assert_null(k.m->optimization);
    kit_close(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_time_without_guess),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_path_constraints),
        cmocka_unit_test(test_modifications),
        cmocka_unit_test(test_made_of_free),
        cmocka_unit_test(test_data_file),
        cmocka_unit_test(test_set_times),
        cmocka_unit_test(test_plain_model_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
