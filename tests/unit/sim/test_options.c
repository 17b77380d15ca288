/* test_options.c - options by name: every entry of the lists takes what it says it takes, and nothing else. */
#include "unit/base/support.h"

#include <math.h>
#include <string.h>

#include "daedal/study.h"
#include "ocp/ocp_impl.h"
#include "sim/sim_impl.h"

typedef bool (*setter)(void *options, const char *name, const char *value, char *why);

static bool set_sim(void *options, const char *name, const char *value, char *why)
{
    return dd_sim_options_set(options, name, value, why);
}

static bool set_ocp(void *options, const char *name, const char *value, char *why)
{
    return dd_ocp_options_set(options, name, value, why);
}

static bool set_study(void *options, const char *name, const char *value, char *why)
{
    return dd_study_options_set(options, name, value, why);
}

/* A value that must be refused leaves the options as they were, with a reason. */
static void refused(setter set, void *options, size_t size, const char *name, const char *value)
{
    char why[DD_OPTION_WHY] = "", before[sizeof(dd_study_options) + sizeof(dd_ocp_options)];
    assert_true(size <= sizeof before);
    memcpy(before, options, size);
    assert_false(set(options, name, value, why));
    assert_true(strncmp(why, "expected ", 9) == 0);
    assert_memory_equal(before, options, size);
}

static void try_option(setter set, void *options, size_t size, const dd_option *o)
{
    char why[DD_OPTION_WHY] = "", text[40];
    static const char *const never[] = {"", "x", "1e", "nan", "inf", "-", NULL};
    assert_non_null(o->help);
    assert_true((o->kind == DD_OPTION_FLAG) == (o->value == NULL));
    for (size_t i = 0; never[i] && o->kind != DD_OPTION_TEXT; i++) {
        refused(set, options, size, o->name, never[i]);
    }
    switch (o->kind) {
    case DD_OPTION_FLAG:
        assert_true(set(options, o->name, NULL, why));
        return;
    case DD_OPTION_REAL:
        assert_true(set(options, o->name, "-2.5e3", why));
        return;
    case DD_OPTION_POSITIVE:
        assert_true(set(options, o->name, "0.125", why));
        refused(set, options, size, o->name, "0");
        refused(set, options, size, o->name, "-1");
        if (o->most > 0) {
            snprintf(text, sizeof text, "%g", o->most);
            refused(set, options, size, o->name, text);
        }
        return;
    case DD_OPTION_COUNT:
        snprintf(text, sizeof text, "%.0f", o->least);
        assert_true(set(options, o->name, text, why));
        snprintf(text, sizeof text, "%.0f", 1.01 * o->most + 1);
        refused(set, options, size, o->name, text);
        refused(set, options, size, o->name, "1.5");
        return;
    case DD_OPTION_WORD:
        for (size_t i = 0; o->words[i]; i++) {
            assert_true(set(options, o->name, o->words[i], why));
        }
        return;
    case DD_OPTION_TEXT:
        assert_true(set(options, o->name, "any text", why));
        refused(set, options, size, o->name, NULL);
        return;
    }
}

static void every_option(void **state)
{
    (void)state;
    dd_sim_options sim = dd_sim_options_default();
    dd_ocp_options ocp = dd_ocp_options_default();
    uint32_t count = 0;
    for (; dd_sim_option(count); count++) {
        try_option(set_sim, &sim, sizeof sim, dd_sim_option(count));
    }
    assert_true(count > 10);
    for (count = 0; dd_ocp_option(count); count++) {
        try_option(set_ocp, &ocp, sizeof ocp, dd_ocp_option(count));
    }
    assert_true(count > 10);
    dd_study_options study = dd_study_options_default();
    for (count = 0; dd_study_option(count); count++) {
        try_option(set_study, &study, sizeof study, dd_study_option(count));
    }
    assert_true(count > 10);
}

/* Values arrive where they belong. */
static void values_arrive(void **state)
{
    (void)state;
    char why[DD_OPTION_WHY];
    dd_sim_options sim = dd_sim_options_default();
    dd_ocp_options ocp = dd_ocp_options_default();
    assert_true(dd_sim_options_set(&sim, "stop", "12.5", why) && sim.has_stop && sim.stop == 12.5 && !sim.has_start);
    assert_true(dd_sim_options_set(&sim, "stabilize", "dummy", why) && sim.stabilize == DD_STABILIZE_DUMMY);
    assert_true(dd_sim_options_set(&sim, "max-steps", "5000000000", why) && sim.max_steps == 5000000000u);
    assert_true(dd_sim_options_set(&sim, "points", "7", why) && sim.points == 7);
    assert_true(dd_ocp_options_set(&ocp, "control", "polynomial", why) && ocp.control == DD_OCP_POLYNOMIAL);
    assert_true(dd_ocp_options_set(&ocp, "method", "shooting", why) && ocp.shooting);
    assert_true(dd_ocp_options_set(&ocp, "method", "collocation", why) && !ocp.shooting);
    assert_true(dd_ocp_options_set(&ocp, "stabilize", "baumgarte", why) && ocp.stabilize == DD_OCP_BAUMGARTE);
    assert_true(dd_ocp_options_set(&ocp, "alpha", "2", why) && ocp.alpha == 2);
    assert_true(dd_ocp_options_set(&ocp, "refine", "1e-5", why) && ocp.refine == 1e-5);
    assert_false(dd_ocp_options_set(&ocp, "toll", "1", why));
    assert_string_equal(why, "there is no option toll");
    assert_false(dd_sim_options_set(NULL, "tol", "1", why));
    assert_false(dd_sim_options_set(&sim, NULL, "1", why));
}

/* Members that a program sets without the list are held to the same ranges. */
static void members_are_checked(void **state)
{
    (void)state;
    char why[DD_OPTION_WHY];
    const dd_sim_options usual = dd_sim_options_default();
    const dd_ocp_options plain = dd_ocp_options_default();
    assert_true(dd_sim_options_possible(&usual, why));
    assert_true(dd_ocp_options_possible(&plain, why));
    dd_sim_options sim = usual;
    sim.tol = 1;
    assert_false(dd_sim_options_possible(&sim, why));
    assert_string_equal(why, "tol: expected a number below 1");
    sim = usual;
    sim.alpha = -1;
    assert_false(dd_sim_options_possible(&sim, why));
    assert_string_equal(why, "alpha: expected a positive number");
    sim = usual;
    sim.has_stop = true;
    sim.stop = NAN;
    assert_false(dd_sim_options_possible(&sim, why));
    assert_string_equal(why, "stop: expected a number");
    dd_ocp_options ocp = plain;
    ocp.degree = 10;
    assert_false(dd_ocp_options_possible(&ocp, why));
    assert_string_equal(why, "degree: expected a whole number from 1 to 9");
    ocp = plain;
    ocp.stabilize = (dd_ocp_stabilization)2;
    assert_false(dd_ocp_options_possible(&ocp, why));
    assert_string_equal(why, "stabilize: expected one of none, baumgarte");
    ocp.stabilize = DD_OCP_BAUMGARTE;
    ocp.alpha = 2;
    assert_true(dd_ocp_options_possible(&ocp, why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_option), cmocka_unit_test(values_arrive),
                                       cmocka_unit_test(members_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
