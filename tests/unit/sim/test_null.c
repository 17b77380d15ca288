/* Every public function given NULL for its handles, results and texts: an invalid argument or an empty answer, no crash. */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define INVALID(call) assert_int_equal(call, DD_INVALID_ARGUMENT)
#define EMPTY(text) assert_string_equal(text, "")

static const char *const model_text = "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;";

static void contexts(void **state)
{
    (void)state;
    dd_context *ctx = NULL;
    char buffer[64];
    INVALID(dd_context_new(NULL, NULL));
    dd_context_free(NULL);
    dd_context_interrupt(NULL);
    assert_int_equal(dd_context_memory(NULL), 0);
    assert_int_equal(dd_context_memory_peak(NULL), 0);
    assert_int_equal(dd_context_allocations(NULL), 0);
    EMPTY(dd_context_message(NULL));
    assert_int_equal(dd_context_diagnostic_count(NULL), 0);
    EMPTY(dd_context_diagnostic(NULL, 0).message);
    assert_int_equal(dd_context_error_count(NULL), 0);
    dd_context_clear_diagnostics(NULL);
    assert_int_equal(dd_context_format_diagnostic(NULL, 0, buffer, sizeof buffer), 0);
    assert_int_equal(dd_context_failure_json(NULL, DD_OK, buffer, sizeof buffer), 0);
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    EMPTY(dd_context_diagnostic(ctx, 7).message);
    assert_int_equal(dd_context_format_diagnostic(ctx, 7, NULL, 0), 0);
    assert_true(dd_context_failure_json(ctx, DD_NUMERIC, NULL, 0) > 0);
    dd_context_free(ctx);
    assert_int_equal(dd_status_from_name(NULL), DD_STATUS_COUNT);
}

static void expressions(void **state)
{
    (void)state;
    char buffer[8];
    dd_expr none = DD_EXPR_NONE;
    assert_int_equal(dd_expr_number(NULL, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_time(NULL), DD_EXPR_NONE);
    assert_int_equal(dd_expr_add(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_sub(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_mul(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_div(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_neg(NULL, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_pow(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_call(NULL, "sin", &none, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_dot(NULL, &none, &none, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_sum(NULL, &none, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_der(NULL, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_diff(NULL, 1, 1), DD_EXPR_NONE);
    assert_int_equal(dd_expr_print(NULL, 1, buffer, sizeof buffer), 0);
}

/* Each on a model of its own: the first failure stays with it. */
static void wrong_expressions(void **state)
{
    (void)state;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    for (int i = 0; i < 4; i++) {
        dd_model *m;
        assert_int_equal(dd_model_new(&m, ctx, "M"), DD_OK);
        dd_expr t = dd_expr_time(m);
        dd_expr e = i == 0   ? dd_expr_call(m, NULL, &t, 1)
                    : i == 1 ? dd_expr_call(m, "sin", NULL, 1)
                    : i == 2 ? dd_expr_dot(m, NULL, NULL, 2)
                             : dd_expr_sum(m, NULL, 2);
        assert_int_equal(e, DD_EXPR_NONE);
        INVALID(dd_model_add_equation(m, NULL, t, t));
        dd_model_free(m);
    }
    dd_context_free(ctx);
}

static void models(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_model *m = NULL;
    const char *text = NULL;
    dd_expr symbol;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    INVALID(dd_model_load_file(NULL, ctx, "m.mo", NULL));
    INVALID(dd_model_load_file(&m, NULL, "m.mo", NULL));
    INVALID(dd_model_load_file(&m, ctx, NULL, NULL));
    INVALID(dd_model_load_text(NULL, ctx, "m.mo", model_text, strlen(model_text), NULL));
    INVALID(dd_model_load_text(&m, NULL, "m.mo", model_text, strlen(model_text), NULL));
    INVALID(dd_model_load_text(&m, ctx, "m.mo", NULL, 4, NULL));
    INVALID(dd_model_new(NULL, ctx, "M"));
    INVALID(dd_model_new(&m, NULL, "M"));
    assert_null(m);
    dd_model_free(NULL);
    INVALID(dd_model_add_variable(NULL, "x", 1, NULL, &symbol));
    INVALID(dd_model_add_input(NULL, "x", 1, NULL, &symbol));
    INVALID(dd_model_add_parameter(NULL, "x", 1, NULL, &symbol));
    INVALID(dd_model_add_equation(NULL, NULL, 1, 1));
    INVALID(dd_model_add_initial_equation(NULL, NULL, 1, 1));
    INVALID(dd_model_add_lagrange(NULL, NULL));
    EMPTY(dd_model_name(NULL));
    INVALID(dd_model_flat_text(&text, NULL));
    INVALID(dd_model_flat_text(NULL, NULL));
    assert_int_equal(dd_model_new(&m, ctx, "M"), DD_OK);
    INVALID(dd_model_add_variable(m, NULL, 1, NULL, &symbol));
    dd_model_free(m);
    assert_int_equal(dd_model_new(&m, ctx, "M"), DD_OK);
    INVALID(dd_model_add_lagrange(m, NULL));
    dd_model_free(m);
    dd_context_free(ctx);
}

static void systems(void **state)
{
    (void)state;
    dd_system *s = NULL;
    const char *text = NULL;
    INVALID(dd_model_analyse(&s, NULL, NULL));
    INVALID(dd_model_analyse(NULL, NULL, NULL));
    dd_system_free(NULL);
    assert_int_equal(dd_system_verdict(NULL), DD_VERDICT_SINGULAR);
    assert_int_equal(dd_system_certificate(NULL), DD_CERTIFICATE_UNDECIDED);
    (void)dd_system_get_kind(NULL);
    assert_int_equal(dd_system_index(NULL), -1);
    assert_int_equal(dd_system_structural_index(NULL), -1);
    assert_int_equal(dd_system_dof(NULL), -1);
    assert_int_equal(dd_system_unknown_count(NULL) + dd_system_equation_count(NULL), 0);
    assert_int_equal(dd_system_constraint_count(NULL) + dd_system_hidden_count(NULL), 0);
    EMPTY(dd_system_reason(NULL));
    assert_int_equal(dd_system_visible_text_count(NULL) + dd_system_hidden_text_count(NULL), 0);
    EMPTY(dd_system_visible_text(NULL, 0).equation);
    EMPTY(dd_system_hidden_text(NULL, 0).equation);
    assert_int_equal(dd_system_initial_given(NULL) + dd_system_initial_missing(NULL) + dd_system_initial_excess(NULL),
                     0);
    INVALID(dd_system_json(&text, NULL));
    INVALID(dd_system_json(NULL, NULL));
    INVALID(dd_system_text(&text, NULL, false));
    INVALID(dd_system_explain(&text, NULL, DD_EXPLAIN_TEXT));
    INVALID(dd_system_explain(NULL, NULL, DD_EXPLAIN_TEXT));
    INVALID(dd_system_print_form(&text, NULL, DD_PRINT_REDUCED));
    INVALID(dd_system_print_form(NULL, NULL, DD_PRINT_REDUCED));
    INVALID(dd_system_text(NULL, NULL, false));
}

static void simulations(void **state)
{
    (void)state;
    dd_sim *sim = NULL;
    const char *text = NULL;
    double a = 1, b = 1;
    INVALID(dd_sim_new(NULL, NULL, NULL));
    INVALID(dd_sim_new(&sim, NULL, NULL));
    assert_null(sim);
    dd_sim_free(NULL);
    dd_sim_default_range(NULL, &a, &b);
    assert_true(isnan(a) && isnan(b));
    dd_sim_default_range(NULL, NULL, NULL);
    INVALID(dd_sim_run(NULL));
    INVALID(dd_sim_set_tolerance(NULL, 1e-3, 0));
    assert_int_equal(dd_sim_get_info(NULL).status, DD_SIM_INVALID_MODEL);
    EMPTY(dd_sim_get_info(NULL).reason);
    a = b = 1;
    dd_sim_time_range(NULL, &a, &b);
    assert_true(isnan(a) && isnan(b));
    assert_int_equal(dd_sim_message_count(NULL), 0);
    EMPTY(dd_sim_message(NULL, 0));
    assert_int_equal(dd_sim_variable_count(NULL), 0);
    EMPTY(dd_sim_variable_name(NULL, 0));
    assert_true(isnan(dd_sim_final(NULL, 0)));
    assert_int_equal(dd_sim_row_count(NULL), 0);
    assert_true(isnan(dd_sim_row_time(NULL, 0)) && isnan(dd_sim_row_value(NULL, 0, 0)));
    assert_int_equal(dd_sim_sensitivity_count(NULL), 0);
    EMPTY(dd_sim_sensitivity_name(NULL, 0));
    assert_true(isnan(dd_sim_sensitivity(NULL, 0, 0)) && isnan(dd_sim_row_sensitivity(NULL, 0, 0, 0)));
    assert_int_equal(dd_sim_event_count(NULL), 0);
    assert_true(isnan(dd_sim_event_time(NULL, 0)));
    INVALID(dd_sim_write_csv(NULL, "x"));
    INVALID(dd_sim_write_report(NULL, "x"));
    INVALID(dd_sim_json(&text, NULL));
    INVALID(dd_sim_json(NULL, NULL));
    INVALID(dd_sim_text(&text, NULL, false));
    INVALID(dd_sim_text(NULL, NULL, false));
}

static void linear_systems(void **state)
{
    (void)state;
    dd_linsys *l = NULL;
    dd_descriptor *d = NULL;
    const char *said = "";
    INVALID(dd_descriptor_new(&d, NULL));
    INVALID(dd_descriptor_new(NULL, NULL));
    dd_descriptor_free(NULL);
    assert_int_equal(dd_descriptor_get_info(NULL).status, DD_SIM_INVALID_MODEL);
    EMPTY(dd_descriptor_unknown_name(NULL, 0));
    EMPTY(dd_descriptor_input_name(NULL, 0));
    EMPTY(dd_descriptor_output_name(NULL, 0));
    INVALID(dd_descriptor_json(&said, NULL));
    INVALID(dd_descriptor_text(&said, NULL, true, false));
    const char *text = NULL;
    INVALID(dd_linsys_new(&l, NULL));
    INVALID(dd_linsys_new(NULL, NULL));
    dd_linsys_free(NULL);
    assert_int_equal(dd_linsys_get_info(NULL).status, DD_SIM_INVALID_MODEL);
    EMPTY(dd_linsys_get_info(NULL).reason);
    EMPTY(dd_linsys_state_name(NULL, 0));
    EMPTY(dd_linsys_input_name(NULL, 0));
    EMPTY(dd_linsys_output_name(NULL, 0));
    INVALID(dd_linsys_response(NULL, 1, NULL, NULL, NULL, NULL));
    INVALID(dd_linsys_json(&text, NULL));
    INVALID(dd_linsys_json(NULL, NULL));
    INVALID(dd_linsys_text(&text, NULL, false));
    INVALID(dd_linsys_text(NULL, NULL, false));
}

/* Handles that exist, results and paths that do not; numbers beyond the end. */
static void results(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_model *m;
    dd_system *s;
    dd_sim *sim;
    dd_linsys *l;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&m, ctx, "m.mo", model_text, strlen(model_text), NULL), DD_OK);
    INVALID(dd_model_flat_text(NULL, m));
    INVALID(dd_model_analyse(NULL, m, NULL));
    assert_int_equal(dd_model_analyse(&s, m, NULL), DD_OK);
    INVALID(dd_system_json(NULL, s));
    INVALID(dd_system_text(NULL, s, false));
    INVALID(dd_sim_new(NULL, s, NULL));
    dd_sim_default_range(s, NULL, NULL);
    assert_int_equal(dd_sim_new(&sim, s, NULL), DD_OK);
    assert_int_equal(dd_sim_run(sim), DD_OK);
    dd_sim_time_range(sim, NULL, NULL);
    INVALID(dd_sim_json(NULL, sim));
    INVALID(dd_sim_text(NULL, sim, false));
    INVALID(dd_sim_write_csv(sim, NULL));
    INVALID(dd_sim_write_report(sim, NULL));
    EMPTY(dd_sim_message(sim, 99));
    EMPTY(dd_sim_variable_name(sim, 99));
    assert_true(isnan(dd_sim_final(sim, 99)) && isnan(dd_sim_row_time(sim, 1u << 30)));
    assert_true(isnan(dd_sim_row_value(sim, 0, 99)) && isnan(dd_sim_event_time(sim, 99)));
    EMPTY(dd_sim_sensitivity_name(sim, 0));
    assert_true(isnan(dd_sim_sensitivity(sim, 0, 0)) && isnan(dd_sim_row_sensitivity(sim, 0, 0, 0)));
    INVALID(dd_linsys_new(NULL, sim));
    assert_int_equal(dd_linsys_new(&l, sim), DD_OK);
    EMPTY(dd_linsys_state_name(l, 99));
    EMPTY(dd_linsys_input_name(l, 0));
    EMPTY(dd_linsys_output_name(l, 99));
    INVALID(dd_linsys_json(NULL, l));
    INVALID(dd_linsys_text(NULL, l, false));
    assert_int_equal(dd_linsys_response(l, 1, NULL, NULL, NULL, NULL), DD_OK); /* nothing asked, nothing told */
    dd_linsys_free(l);
    dd_sim_free(sim);
    dd_system_free(s);
    dd_model_free(m);
    dd_context_free(ctx);
}

static void methods(void **state)
{
    (void)state;
    dd_context *ctx;
    dd_method *m = NULL;
    dd_method_list *list = NULL;
    const char *text = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    INVALID(dd_method_new(NULL, ctx, "rk4"));
    INVALID(dd_method_new(&m, NULL, "rk4"));
    INVALID(dd_method_new(&m, ctx, NULL));
    INVALID(dd_method_read(NULL, ctx, "x"));
    INVALID(dd_method_read(&m, NULL, "x"));
    INVALID(dd_method_read(&m, ctx, NULL));
    dd_method_free(NULL);
    EMPTY(dd_method_name(NULL));
    (void)dd_method_kind_of(NULL);
    assert_int_equal(dd_method_stages(NULL) + dd_method_order(NULL) + dd_method_embedded_order(NULL), 0);
    assert_false(dd_method_row_sums_ok(NULL) || dd_method_a_stable(NULL) || dd_method_l_stable(NULL));
    assert_null(dd_method_A(NULL));
    assert_null(dd_method_b(NULL));
    assert_null(dd_method_c(NULL));
    assert_null(dd_method_bhat(NULL));
    assert_true(isnan(dd_method_factor(NULL, 0, 0)) && isnan(dd_method_evaluations(NULL, 1e-3)));
    INVALID(dd_method_json(&text, NULL, 1e-3));
    INVALID(dd_method_text(&text, NULL, 1e-3, 3));
    INVALID(dd_method_plot(NULL, "x"));
    assert_int_equal(dd_method_new(&m, ctx, "rk4"), DD_OK);
    INVALID(dd_method_json(NULL, m, 1e-3));
    INVALID(dd_method_text(NULL, m, 1e-3, 3));
    INVALID(dd_method_plot(m, NULL));
    dd_method_free(m);
    INVALID(dd_method_list_new(NULL, ctx));
    INVALID(dd_method_list_new(&list, NULL));
    dd_method_list_free(NULL);
    assert_int_equal(dd_method_list_count(NULL), 0);
    assert_null(dd_method_list_get(NULL, 0));
    assert_null(dd_method_list_suggest(NULL, DD_METHOD_EXPLICIT, 1e-3));
    INVALID(dd_method_list_json(&text, NULL, 1e-3));
    INVALID(dd_method_list_text(&text, NULL, 1e-3));
    assert_int_equal(dd_method_list_new(&list, ctx), DD_OK);
    assert_null(dd_method_list_get(list, dd_method_list_count(list)));
    INVALID(dd_method_list_json(NULL, list, 1e-3));
    INVALID(dd_method_list_text(NULL, list, 1e-3));
    dd_method_list_free(list);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts),       cmocka_unit_test(expressions), cmocka_unit_test(wrong_expressions),
        cmocka_unit_test(models),         cmocka_unit_test(systems),     cmocka_unit_test(simulations),
        cmocka_unit_test(linear_systems), cmocka_unit_test(results),     cmocka_unit_test(methods)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
