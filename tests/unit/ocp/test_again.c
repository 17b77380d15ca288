/* Solving twice, answers before and after, and allocations that fail on the way (more of them in tests/fault). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fault/sweep_optimize.h"
#include "ocp/history.h"
#include "unit/ocp/ocp_kit.h"

static void test_failing_allocations(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < SWEEP_PROBLEMS; i++) {
        sweep_optimize_all(i, 151);
    }
}

/* The second solve begins anew and ends where the first did; there are no answers of the first left over. */
static void test_twice(void **state)
{
    (void)state;
    const dd_ocp_options o = sweep_optimize_options(0);
    kit k = kit_solve("m.mop", sweep_optimize_texts[0], &o);
    const char *text;
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    const uint32_t messages = k.ocp->problem->messages.len;
    assert_int_equal(dd_ocp_json(&text, k.ocp), DD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dd_ocp_solve(k.ocp), DD_OK);
        const dd_ocp_info info = dd_ocp_get_info(k.ocp);
        assert_int_equal(info.status, DD_OCP_OPTIMAL);
        assert_near(info.objective, k.info.objective, 1e-12);
        assert_int_equal(info.iterations, k.info.iterations);
        assert_int_equal(info.meshes, k.info.meshes);
        assert_int_equal(k.ocp->problem->messages.len, messages);
        assert_int_equal(dd_ocp_json(&text, k.ocp), DD_OK);
        assert_non_null(strstr(text, "\"status\":\"optimal\""));
    }
    kit_free(&k);
}

static void test_not_solved(void **state)
{
    (void)state;
    kit k = {.ctx = new_context()};
    const char *text = sweep_optimize_texts[0];
    assert_int_equal(dd_model_load_text(&k.model, k.ctx, "m.mop", text, strlen(text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&k.system, k.model, NULL), DD_OK);
    assert_int_equal(dd_ocp_new(&k.ocp, k.system, NULL), DD_OK);
    assert_false(dd_ocp_has_trajectory(k.ocp));
    assert_int_equal(dd_ocp_json(&text, k.ocp), DD_OK);
    assert_non_null(strstr(text, "not solved yet"));
    assert_int_equal(dd_ocp_text(&text, k.ocp, false), DD_OK);
    assert_int_equal(dd_ocp_write_csv(k.ocp, "/nowhere/x"), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_write_plot(k.ocp, "/nowhere/x", NULL, 0), DD_INVALID_ARGUMENT);
    const char *const good = "x, u", *const bad = "nothing";
    assert_int_equal(dd_ocp_check_plot(k.ocp, &good, 1), DD_OK);
    assert_int_equal(dd_ocp_check_plot(k.ocp, &bad, 1), DD_INVALID_ARGUMENT);
    kit_free(&k);
}

static bool stop_at_three(void *user, const dd_ocp_iteration *it)
{
    uint32_t *seen = user;
    *seen = it->number;
    return it->number < 3;
}

/* A caller that wants no more gets the best iterate, not worse than the guess. */
static void test_stopped_by_caller(void **state)
{
    (void)state;
    uint32_t seen = 0;
    dd_ocp_options o = sweep_optimize_options(3);
    o.user = &seen;
    o.progress = stop_at_three;
    kit k = kit_solve("m.mop", sweep_optimize_texts[3], &o);
    assert_int_equal(k.status, DD_OK);
    assert_int_equal(k.info.status, DD_OCP_INTERRUPTED);
    assert_int_equal(seen, 3);
    assert_true(dd_ocp_has_trajectory(k.ocp));
    double least = INFINITY;
    for (uint32_t i = 0; i < k.ocp->history->len; i++) {
        least = fmin(least, k.ocp->history->rows[i].it.violation);
    }
    assert_true(k.info.violation <= least + 1e-8);
    assert_true(strlen(k.info.reason) > 0);
    kit_free(&k);
}

/* However many iterations there are, the kept ones are spread over all of them, the first among them. */
static void test_history(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    dd_history *h = dd_history_new(pool);
    for (uint32_t i = 0; i < 10000; i++) {
        dd_history_add(h, &(dd_ocp_iteration){.number = i});
    }
    assert_true(h->len > DD_HISTORY_MOST / 4 && h->len <= DD_HISTORY_MOST);
    for (uint32_t i = 0; i < h->len; i++) {
        assert_int_equal(h->rows[i].index, i * h->stride);
        assert_int_equal(h->rows[i].it.number, i * h->stride);
    }
    assert_true(h->rows[h->len - 1].index + h->stride >= 10000);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

/* Nothing there, or nothing yet: the public calls say so. */
static void test_null(void **state)
{
    (void)state;
    double value;
    const char *text;
    dd_ocp_free(NULL);
    assert_int_equal(dd_ocp_new(NULL, NULL, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_solve(NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_inspect(NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_json(&text, NULL), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_text(NULL, NULL, false), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_write_csv(NULL, "x"), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_values(NULL, 0, false, &value), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_variable_count(NULL), 0);
    assert_string_equal(dd_ocp_variable_name(NULL, 0), "");
    assert_int_equal(dd_ocp_parameter_count(NULL), 0);
    assert_string_equal(dd_ocp_parameter_name(NULL, 0), "");
    assert_true(isnan(dd_ocp_parameter(NULL, 0)));
    assert_false(dd_ocp_has_trajectory(NULL));
    assert_false(dd_ocp_is_contradictory(NULL));
}

/* x' = a with a decided so that x(2) = 3: values and parameters by name, within the horizon only. */
static void test_read(void **state)
{
    (void)state;
    kit k = kit_solve("m.mop",
                      "optimization M(objectiveIntegrand = u^2, finalTime = 2) parameter Real a(free = true); "
                      "Real x(start = 1, fixed = true); input Real u; equation der(x) = a + u; "
                      "constraint x(finalTime) = 3; end M;",
                      NULL);
    double values[2];
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(dd_ocp_variable_count(k.ocp), 2);
    assert_string_equal(dd_ocp_variable_name(k.ocp, 0), "x");
    assert_string_equal(dd_ocp_variable_name(k.ocp, 1), "u");
    assert_int_equal(dd_ocp_parameter_count(k.ocp), 1);
    assert_string_equal(dd_ocp_parameter_name(k.ocp, 0), "a");
    assert_near(dd_ocp_parameter(k.ocp, 0), 1, 1e-7);
    assert_int_equal(dd_ocp_values(k.ocp, 0.77, false, values), DD_OK);
    assert_near(values[0], 1.77, 1e-7);
    assert_near(values[1], 0, 1e-7);
    assert_int_equal(dd_ocp_values(k.ocp, 2, false, values), DD_OK);
    assert_near(values[0], 3, 1e-7);
    assert_int_equal(dd_ocp_values(k.ocp, 2.1, false, values), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ocp_values(k.ocp, NAN, false, values), DD_INVALID_ARGUMENT);
    kit_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),   cmocka_unit_test(test_read),       cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_twice),  cmocka_unit_test(test_not_solved), cmocka_unit_test(test_stopped_by_caller),
        cmocka_unit_test(test_history)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
