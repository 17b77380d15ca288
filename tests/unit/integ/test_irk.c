/* test_irk.c - implicit Runge-Kutta methods: observed orders of x and z, dense output, stiff problems, step control,
 * failures. */
#include "outcomes.h"

#include "integ/irk.h"

static dd_status make(dd_integrator **out, dd_context *c, const dd_problem *p, const void *method,
                      const dd_integ_options *options)
{
    return dd_irk_new(out, c, p, method, options);
}

static outcome solve(const char *method, const ivp *from, double rtol, double fixed)
{
    return outcome_of_tableau(make, method, from, rtol, fixed);
}

static void test_orders(void **state)
{
    (void)state;
    const char *method;
    uint32_t count = 0;
    for (uint32_t i = 0; (method = dd_tableau_listed(i)); i++) {
        dd_tableau *tab;
        assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
        const double order = tab->order;
        const bool wanted = tab->structure != DD_TABLEAU_EXPLICIT;
        dd_tableau_free(tab);
        if (!wanted) {
            continue;
        }
        count++;
        if (order > 8) { /* too few steps before rounding to see an order exactly */
            assert_true(log2(solve(method, &ivp_dae, 1e-6, 1.0).x / solve(method, &ivp_dae, 1e-6, 0.5).x) > order - 1);
            continue;
        }
        expect_tableau_order(make, method, &ivp_ode, of_x, "x", order);
        expect_tableau_order(make, method, &ivp_dae, of_x, "x", order);
        expect_tableau_order(make, method, &ivp_dae, of_z, "z", order);
        expect_tableau_order(make, method, &ivp_pendulum, of_x, "x", order);
    }
    assert_true(count >= 25);
}

/* Many stages: the largest of each family. */
static void test_many_stages(void **state)
{
    (void)state;
    const char *methods[] = {"gauss-20", "radau-20", "lobatto-20", "lobatto-iiia-20", "chebyshev-24"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        outcome o = solve(methods[i], &ivp_dae, 1e-6, 2.0);
        assert_true(o.x < 1e-13 && o.z < 1e-13);
        assert_true(i == 2 || (o.inside < 1e-12 && o.inside_z < 1e-11)); /* lobatto-20 has Hermite's cubic inside */
    }
}

/* The collocation polynomial has order s + 1 in x, s in z; Hermite's cubic 4 with z from the equations. */
static void test_dense_orders(void **state)
{
    (void)state;
    const struct {
        const char *method;
        double x, z;
    } list[] = {{"gauss-1", 2, 1},   {"gauss-2", 3, 2}, {"gauss-3", 4, 3},    {"gauss-4", 5, 4},
                {"radau-2", 3, 2},   {"radau-3", 4, 3}, {"radau-4", 5, 4},    {"lobatto-iiia-3", 4, 3},
                {"lobatto-4", 4, 4}, {"sdirk4", 4, 4},  {"chebyshev-4", 3, 3}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        expect_tableau_order(make, list[i].method, &ivp_dae, of_inside, "x inside", list[i].x);
        expect_tableau_order(make, list[i].method, &ivp_dae, of_inside_z, "z inside", list[i].z);
    }
}

/* Steps 10^5 times longer than the time constant. */
static void test_stiff(void **state)
{
    (void)state;
    const char *strong[] = {"implicit-euler", "radau-2", "radau-3", "lobatto-3",
                            "sdirk2",         "sdirk3",  "sdirk4",  "esdirk43"};
    for (size_t i = 0; i < sizeof strong / sizeof *strong; i++) {
        assert_true(solve(strong[i], &ivp_stiff, 1e-6, 0.1).x < 2e-6); /* of size 1/lambda */
    }
    const char *others[] = {"gauss-1", "gauss-2", "gauss-3", "lobatto-iiia-3", "trapezoidal", "implicit-midpoint"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_true(solve(others[i], &ivp_stiff, 1e-6, 0.1).x < 2e-2); /* order s only, but stable */
    }
}

static void test_tolerances(void **state)
{
    (void)state;
    const char *methods[] = {"sdirk4", "tr-bdf2", "esdirk43"};
    const ivp *problems[] = {&ivp_ode, &ivp_dae, &ivp_pendulum, &ivp_stiff};
    for (size_t q = 0; q < 4; q++) {
        for (size_t i = 0; i < 3; i++) {
            for (double tol = 1e-3; tol > (i == 1 ? 1e-6 : 1e-8); tol *= 1e-1) {
                outcome o = solve(methods[i], problems[q], tol, 0);
                if (!(o.x <= tol * 2)) {
                    print_error("%s on %s at %g: error %g, %d of %d rejected\n", methods[i], problems[q]->name, tol,
                                o.x, (int)o.stats.rejected, (int)o.stats.steps);
                }
                assert_true(o.x <= tol * 2);
                assert_true(q != 3 || o.stats.steps < 20000);
                assert_true(o.stats.rejected <= 4 + o.stats.steps / 3);
            }
        }
    }
}

/* Large and sparse: all stages in one sparse matrix, and one stage after the other. */
static void test_sparse(void **state)
{
    (void)state;
    const struct {
        const char *method;
        double error;
    } list[] = {{"gauss-2", 1e-6}, {"radau-3", 1e-8}, {"sdirk4", 1e-5}, {"implicit-euler", 0.02}};
    rod r;
    rod_make(&r, 300, 1e-6);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        dd_tableau *tab;
        dd_integrator *it;
        dd_integ_options options = {.rtol = 1e-6, .atol = r.atol, .fixed_step = 0.01};
        assert_int_equal(dd_tableau_new(&tab, ctx, list[i].method), DD_OK);
        assert_int_equal(dd_irk_new(&it, ctx, &r.p, tab, &options), DD_OK);
        assert_int_equal(dd_integ_start(it, 0, r.w0, r.v0), DD_STEP_OK);
        while (it->t < 0.2) {
            assert_int_equal(dd_integ_step(it, 0.2), DD_STEP_OK);
        }
        assert_true(rod_error(&r, it) < list[i].error);
        assert_true(it->stats.factorizations <= 3);
        dd_integ_free(it);
        dd_tableau_free(tab);
    }
    rod_free(&r);
}

/* A method from coefficients; A is singular and the first stage explicit. */
static void test_given_coefficients(void **state)
{
    (void)state;
    const dd_quad A[4] = {0, 0, (dd_quad)1 / 2, (dd_quad)1 / 2}, b[2] = {(dd_quad)1 / 2, (dd_quad)1 / 2};
    const dd_tableau_input input = {.name = "mine", .stages = 2, .A = A, .b = b};
    dd_tableau *tab, *known;
    assert_int_equal(dd_tableau_new_from(&tab, ctx, &input), DD_OK);
    assert_int_equal(dd_tableau_new(&known, ctx, "trapezoidal"), DD_OK);
    double end[2];
    for (int k = 0; k < 2; k++) {
        ivp_problem p;
        dd_integrator *it;
        ivp_make(&p, &ivp_dae, 1e-6);
        dd_integ_options options = ivp_options(&p, 1e-6, 0.1);
        assert_int_equal(dd_irk_new(&it, ctx, &p.p, k ? known : tab, &options), DD_OK);
        assert_int_equal(ivp_run(it, &ivp_dae), DD_STEP_OK);
        end[k] = it->w[0];
        dd_integ_free(it);
    }
    assert_true(end[0] == end[1]);
    dd_tableau_free(tab);
    dd_tableau_free(known);
}

static dd_step_verdict fate(const char *method, const ivp *from, double fixed, double *t)
{
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, fixed);
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    assert_int_equal(dd_irk_new(&it, ctx, &p.p, tab, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    for (uint32_t j = 0; j < from->n; j++) {
        assert_true(isfinite(it->w[j]));
    }
    *t = it->t;
    dd_integ_free(it);
    dd_tableau_free(tab);
    return v;
}

static void test_failures(void **state)
{
    (void)state;
    double t;
    dd_step_verdict v = fate("sdirk4", &ivp_blowup, 0, &t);
    assert_true(v == DD_STEP_STEP_TOO_SMALL || v == DD_STEP_NEWTON_FAILED);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(fate("sdirk4", &ivp_nan, 0, &t), DD_STEP_NONFINITE);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(fate("radau-3", &ivp_nan, 0.15, &t), DD_STEP_NONFINITE);
    assert_int_equal(fate("gauss-2", &ivp_nan, 0.15, &t), DD_STEP_NONFINITE);
    assert_true(t > 0.89 && t < 1);
    assert_int_equal(fate("gauss-2", &ivp_singular, 0.1, &t), DD_STEP_SINGULAR);
    assert_int_equal(fate("sdirk2", &ivp_singular, 0.1, &t), DD_STEP_SINGULAR);
}

static void test_refusals(void **state)
{
    (void)state;
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, &ivp_ode, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_tableau_new(&tab, ctx, "gauss-3"), DD_OK);
    assert_int_equal(dd_irk_new(&it, ctx, &p.p, tab, &options), DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(ctx), "step size"));
    dd_tableau_free(tab);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    const char *methods[] = {"gauss-2", "sdirk4"};
    for (size_t i = 0; i < 2; i++) {
        dd_tableau *tab;
        assert_int_equal(dd_tableau_new(&tab, ctx, methods[i]), DD_OK);
        expect_clean_failures(make, tab, 0.1, 0);
        dd_tableau_free(tab);
    }
}

static void test_set_tolerance(void **state)
{
    (void)state;
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "esdirk43"), DD_OK);
    expect_new_tolerance(make, tab);
    dd_tableau_free(tab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_many_stages),
        cmocka_unit_test(test_dense_orders),
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_given_coefficients),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_set_tolerance),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
