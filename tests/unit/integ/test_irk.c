/* test_irk.c - implicit Runge-Kutta methods: observed orders of x and z, dense output, stiff problems, step control,
 * failures. */
#include "problems.h"

#include "integ/irk.h"

typedef struct outcome {
    double x, z;             /* largest errors on the grid (pendulum: at the end) */
    double inside, inside_z; /* between grid points; not for the pendulum */
    dd_integ_stats stats;
} outcome;

static outcome solve(const char *method, const ivp *from, double rtol, double fixed)
{
    ivp_problem p;
    dd_tableau *tab;
    dd_integrator *it;
    ivp_make(&p, from, rtol);
    dd_integ_options options = ivp_options(&p, rtol, fixed);
    assert_int_equal(dd_tableau_new(&tab, ctx, method), DD_OK);
    assert_int_equal(dd_irk_new(&it, ctx, &p.p, tab, &options), DD_OK);
    outcome out = {0};
    uint64_t before = dd_context_allocations(ctx);
    assert_int_equal(dd_integ_start(it, from->t0, from->w0, from->v0), DD_STEP_OK);
    while (it->t < from->t1) {
        dd_step_verdict v = dd_integ_step(it, from->t1);
        if (v != DD_STEP_OK && fixed > 0) { /* a long step may leave the domain of log */
            out.x = out.z = out.inside = out.inside_z = INFINITY;
            break;
        }
        assert_int_equal(v, DD_STEP_OK);
        if (from != &ivp_pendulum || it->t == from->t1) {
            out.x = fmax(out.x, ivp_error(it, from, true));
            out.z = fmax(out.z, ivp_error(it, from, false));
        }
        for (uint32_t k = 1; k < 4 && from != &ivp_pendulum; k++) {
            double w[IVP_MOST], exact[IVP_MOST], t = it->t_old + k * 0.25 * (it->t - it->t_old);
            dd_integ_interpolate(it, t, w, NULL);
            from->exact(t, exact);
            for (uint32_t j = 0; j < from->n; j++) {
                double *most = from->differential[j] ? &out.inside : &out.inside_z;
                *most = fmax(*most, fabs(w[j] - exact[j]));
            }
        }
    }
    assert_int_equal(dd_context_allocations(ctx), before);
    out.stats = it->stats;
    dd_integ_free(it);
    dd_tableau_free(tab);
    return out;
}

/* The order seen at the smallest steps whose errors are not rounding: the last one against the one twice as long. */
static double observed(const char *method, const ivp *from, double at(const outcome *))
{
    static const uint32_t grid[] = {2,  3,   4,   6,   8,   12,  16,  24,   32,   48,  64,
                                    96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};
    double err[sizeof grid / sizeof *grid], order = 0;
    for (size_t k = 0; k < sizeof grid / sizeof *grid; k++) {
        outcome o = solve(method, from, 1e-6, (from->t1 - from->t0) / grid[k]);
        err[k] = at(&o);
        if (err[k] < 1e-14 + 2e-15 * grid[k]) {
            break;
        }
        order = k >= 2 ? log2(err[k - 2] / err[k]) : 0;
    }
    return order;
}

static double of_x(const outcome *o)
{
    return o->x;
}

static double of_z(const outcome *o)
{
    return o->z;
}

static double of_inside(const outcome *o)
{
    return o->inside;
}

static double of_inside_z(const outcome *o)
{
    return o->inside_z;
}

static void expect_order(const char *method, const ivp *from, double at(const outcome *), const char *what,
                         double order)
{
    double seen = observed(method, from, at);
    if (!(fabs(seen - order) < 0.2)) {
        print_error("%s on %s, %s: order %.2f, not %.0f\n", method, from->name, what, seen, order);
    }
    assert_true(fabs(seen - order) < 0.2);
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
        expect_order(method, &ivp_ode, of_x, "x", order);
        expect_order(method, &ivp_dae, of_x, "x", order);
        expect_order(method, &ivp_dae, of_z, "z", order);
        expect_order(method, &ivp_pendulum, of_x, "x", order);
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
        expect_order(list[i].method, &ivp_dae, of_inside, "x inside", list[i].x);
        expect_order(list[i].method, &ivp_dae, of_inside_z, "z inside", list[i].z);
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
    ivp_problem p;
    ivp_make(&p, &ivp_pendulum, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0.1);
    const char *methods[] = {"gauss-2", "sdirk4"};
    for (size_t i = 0; i < 2; i++) {
        dd_tableau *tab;
        assert_int_equal(dd_tableau_new(&tab, ctx, methods[i]), DD_OK);
        dd_status st = DD_OUT_OF_MEMORY;
        for (uint64_t at = 2; st != DD_OK; at++) {
            dd_context_options limits = dd_context_options_default();
            limits.fail_at = at;
            dd_context *small;
            dd_integrator *it;
            assert_int_equal(dd_context_new(&small, &limits), DD_OK);
            st = dd_irk_new(&it, small, &p.p, tab, &options);
            if (st == DD_OK) {
                dd_integ_free(it);
            }
            assert_int_equal(dd_context_memory(small), empty);
            dd_context_free(small);
            assert_true(at < 200);
        }
        dd_tableau_free(tab);
    }
}

/* An integrator with other tolerances behaves like a new one. */
static void test_set_tolerance(void **state)
{
    (void)state;
    ivp_problem p;
    dd_integrator *it[2];
    dd_tableau *tab;
    assert_int_equal(dd_tableau_new(&tab, ctx, "esdirk43"), DD_OK);
    ivp_make(&p, &ivp_dae, 1e-4);
    for (int k = 0; k < 2; k++) {
        const double tol = k == 0 ? 1e-4 : 1e-6;
        for (uint32_t j = 0; j < p.p.n; j++) {
            p.atol[j] = tol;
        }
        dd_integ_options options = ivp_options(&p, tol, 0);
        assert_int_equal(dd_irk_new(&it[k], ctx, &p.p, tab, &options), DD_OK);
    }
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    it[0]->ops->set_tolerance(it[0], 1e-6, p.atol);
    it[0]->h = 0;
    assert_int_equal(ivp_run(it[0], &ivp_dae), DD_STEP_OK);
    assert_int_equal(ivp_run(it[1], &ivp_dae), DD_STEP_OK);
    for (uint32_t j = 0; j < p.p.n; j++) {
        assert_true(fabs(it[0]->w[j] - it[1]->w[j]) < 1e-7);
    }
    assert_true(ivp_error(it[0], &ivp_dae, true) < 2e-6);
    for (int k = 0; k < 2; k++) {
        dd_integ_free(it[k]);
    }
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
