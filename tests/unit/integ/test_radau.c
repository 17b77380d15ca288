/* test_radau.c - the production integrator: tolerances are met at every order, dense output, projection, sparse matrices,
 * failures with the right verdict. */
#include "problems.h"

#include <string.h>

#include "integ/radau.h"
#include "integ/slopes.h"

typedef struct outcome {
    double x, z, inside; /* largest errors at steps, and of x between them */
    double violation;
    dd_integ_stats stats;
} outcome;

/* Radau takes a consistent start: x' and z of the problems are guesses. */
static void start_values(const ivp_problem *p, const ivp *from, double *w, double *v)
{
    dd_slopes *slopes;
    memcpy(w, from->w0, sizeof from->w0);
    memcpy(v, from->v0, sizeof from->v0);
    assert_int_equal(dd_slopes_new(&slopes, ctx, &p->p), DD_OK);
    assert_true(dd_slopes_solve(slopes, from->t0, w, v).converged);
    dd_slopes_free(slopes);
}

static outcome solve_dense(const ivp *from, double rtol, uint32_t least, uint32_t most, dd_dense_error dense)
{
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, from, rtol);
    dd_integ_options options = ivp_options(&p, rtol, 0);
    options.least_stages = least;
    options.most_stages = most;
    options.dense = dense;
    assert_int_equal(dd_radau_new(&it, ctx, &p.p, &options), DD_OK);
    double w0[IVP_MOST], v0[IVP_MOST];
    start_values(&p, from, w0, v0);
    outcome out = {0};
    uint64_t before = dd_context_allocations(ctx);
    assert_int_equal(dd_integ_start(it, from->t0, w0, v0), DD_STEP_OK);
    while (it->t < from->t1) {
        assert_int_equal(dd_integ_step(it, from->t1), DD_STEP_OK);
        if (from != &ivp_pendulum || it->t == from->t1) {
            out.x = fmax(out.x, ivp_error(it, from, true));
            out.z = fmax(out.z, ivp_error(it, from, false));
        }
        for (uint32_t k = 1; k < 4 && from != &ivp_pendulum; k++) {
            double w[IVP_MOST], wdot[IVP_MOST], exact[IVP_MOST], t = it->t_old + k * 0.25 * (it->t - it->t_old);
            dd_integ_interpolate(it, t, w, wdot);
            from->exact(t, exact);
            for (uint32_t j = 0; j < from->n; j++) {
                out.inside = from->differential[j] ? fmax(out.inside, fabs(w[j] - exact[j])) : out.inside;
            }
        }
    }
    assert_int_equal(dd_context_allocations(ctx), before);
    out.stats = it->stats;
    out.violation = it->violation;
    dd_integ_free(it);
    return out;
}

static outcome solve(const ivp *from, double rtol, uint32_t least, uint32_t most)
{
    return solve_dense(from, rtol, least, most, DD_DENSE_UNSEEN);
}

/* What a result may be off: errors add up over the run, by the problem's own condition. Where a stiff component follows a
 * forcing term nothing adds up, and the order is s instead of 2s - 1: the integrator knows. */
static double allowed(const ivp *p, double tol)
{
    return (p == &ivp_stiff ? 3 : 20) * tol;
}

static void test_tolerances(void **state)
{
    (void)state;
    const ivp *const problems[] = {&ivp_ode, &ivp_dae, &ivp_stiff, &ivp_pendulum};
    int bad = 0;
    const uint32_t orders[][2] = {{3, 3}, {5, 5}, {7, 7}, {3, 7}};
    for (size_t p = 0; p < 4; p++) {
        for (size_t o = 0; o < 4; o++) {
            for (double tol = 1e-4; tol > 1e-11; tol /= 100) {
                outcome r = solve(problems[p], tol, orders[o][0], orders[o][1]);
                if (!(r.x < allowed(problems[p], tol) && r.z < 200 * tol)) {
                    bad++;
                    print_error("%s, stages %u to %u, tolerance %g: errors %g, %g\n", problems[p]->name, orders[o][0],
                                orders[o][1], tol, r.x, r.z);
                }
            }
        }
    }
    assert_int_equal(bad, 0);
}

/* The polynomial has degree s: less accurate between the steps than at their ends, but not by much; as accurate where that is
 * asked for, also where a step could be long at its ends. */
static void test_dense_output(void **state)
{
    (void)state;
    for (double tol = 1e-5; tol > 1e-10; tol /= 100) {
        assert_true(solve(&ivp_ode, tol, 3, 7).inside < 200 * tol);
        assert_true(solve(&ivp_dae, tol, 3, 7).inside < 200 * tol);
    }
    for (double tol = 1e-5; tol > 1e-12; tol /= 100) {
        assert_true(solve_dense(&ivp_ode, tol, 3, 7, DD_DENSE_KEPT).inside < 3 * tol);
        assert_true(solve_dense(&ivp_dae, tol, 3, 7, DD_DENSE_KEPT).inside < 3 * tol);
        assert_true(solve_dense(&ivp_stiff, tol, 7, 7, DD_DENSE_KEPT).inside < 3 * tol);
    }
}

/* Higher order pays at tight tolerances. */
static void test_order_pays(void **state)
{
    (void)state;
    uint64_t low = solve(&ivp_ode, 1e-10, 3, 3).stats.steps, high = solve(&ivp_ode, 1e-10, 7, 7).stats.steps;
    assert_true(high * 4 < low);
    assert_true(solve(&ivp_ode, 1e-10, 3, 7).stats.steps < low / 2);
}

static void test_projection(void **state)
{
    (void)state;
    outcome r = solve(&ivp_pendulum, 1e-6, 3, 7);
    assert_true(r.stats.projections >= r.stats.steps);
    assert_true(r.violation < 1e-12);
}

/* KLU for a large sparse system: few steps, cost per unknown that does not grow. */
static void test_sparse(void **state)
{
    (void)state;
    rod r;
    dd_integrator *it;
    rod_make(&r, 2000, 1e-6);
    dd_integ_options options = {.rtol = 1e-6, .atol = r.atol};
    assert_int_equal(dd_radau_new(&it, ctx, &r.p, &options), DD_OK);
    assert_int_equal(dd_integ_start(it, 0, r.w0, r.v0), DD_STEP_OK);
    while (it->t < 0.1) {
        assert_int_equal(dd_integ_step(it, 0.1), DD_STEP_OK);
    }
    assert_true(rod_error(&r, it) < 1e-5);
    assert_true(it->stats.steps < 200);
    dd_integ_free(it);
    rod_free(&r);
}

static dd_step_verdict verdict_of(const ivp *from, double *t)
{
    ivp_problem p;
    dd_integrator *it;
    ivp_make(&p, from, 1e-6);
    dd_integ_options options = ivp_options(&p, 1e-6, 0);
    assert_int_equal(dd_radau_new(&it, ctx, &p.p, &options), DD_OK);
    dd_step_verdict v = ivp_run(it, from);
    *t = it->t;
    dd_integ_free(it);
    return v;
}

static void test_failures(void **state)
{
    (void)state;
    double t;
    dd_step_verdict v = verdict_of(&ivp_blowup, &t);
    assert_true(v == DD_STEP_STEP_TOO_SMALL || v == DD_STEP_NEWTON_FAILED || v == DD_STEP_NONFINITE);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(verdict_of(&ivp_nan, &t), DD_STEP_NONFINITE);
    assert_true(fabs(t - 1) < 1e-3);
    assert_int_equal(verdict_of(&ivp_singular, &t), DD_STEP_SINGULAR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tolerances), cmocka_unit_test(test_dense_output),
                                       cmocka_unit_test(test_order_pays), cmocka_unit_test(test_projection),
                                       cmocka_unit_test(test_sparse),     cmocka_unit_test(test_failures)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
