/* Every method that `daedal methods` lists, and higher members of the families, has its order on a nonlinear system with
 * a known solution: y1' = 2 t log(y2) y1, y2' = -2 t log(y1) y2, y1 = exp(sin(t^2)), y2 = exp(cos(t^2)). */
#include "unit/study/kit.h"

static const char *const text = "model M Real y1(start = 1, fixed = true), y2(start = exp(1), fixed = true);\n"
                                "equation der(y1) = 2*time*log(y2)*y1; der(y2) = -2*time*log(y1)*y2; end M;\n";

static void expect_order(const char *name, double order)
{
    static const char *const exact[] = {"y1 = exp(sin(time^2))", "y2 = exp(cos(time^2))"};
    dd_study_options o = dd_study_options_default();
    o.methods = name;
    /* the higher the order, the sooner errors are at rounding */
    o.steps = order >= 8 ? "0.4:0.8:16" : order >= 5 ? "0.2:0.7:12" : "0.1:0.6:10";
    o.exact = exact;
    o.n_exact = 2;
    o.sim.stop = 2;
    o.sim.has_stop = true;
    study_case c = study_make(text, NULL, &o);
    const double measured = study_value(c.study, DD_STUDY_SUMMARY, name, "differential", "order");
    assert_true(study_value(c.study, DD_STUDY_SUMMARY, name, "differential", "theory") == order);
    print_message("%s: %.2f, theory %g\n", name, measured, order);
    if (!(fabs(measured - order) < 0.06 * order + 0.1)) {
        fail_msg("%s: order %g, theory %g", name, measured, order);
    }
    study_end(&c);
}

static void test_listed(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_method_list *list;
    assert_int_equal(dd_method_list_new(&list, ctx), DD_OK);
    for (uint32_t i = 0; i < dd_method_list_count(list); i++) {
        const dd_method *m = dd_method_list_get(list, i);
        if (dd_method_order(m) <= 8) { /* beyond there is nothing between the first steps and rounding */
            expect_order(dd_method_name(m), dd_method_order(m));
        }
    }
    dd_method_list_free(list);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
