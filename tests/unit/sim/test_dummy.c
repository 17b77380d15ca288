/* Dummy derivatives: models that turn over need other states on the way; the solution is that of projection and of the
 * angle equation, constraints hold without drift, with one-step and multistep methods; what does not fit is refused by
 * name. */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_status status;
    dd_sim_info info;
} run;

static void go(run *r, dd_sim_options o)
{
    assert_int_equal(dd_model_analyse(&r->system, r->model, NULL), DD_OK);
    r->status = dd_sim_new(&r->sim, r->system, &o);
    if (r->status == DD_OK) {
        assert_int_equal(dd_sim_run(r->sim), DD_OK);
        r->info = dd_sim_get_info(r->sim);
    }
}

static run file(const char *name, const char *class_name, const char *setting, dd_sim_options o)
{
    run r = {0};
    char path[1000];
    dd_load_options load = dd_load_options_default();
    const char *source = getenv("DAEDAL_SOURCE");
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", name);
    load.class_name = class_name;
    load.settings = &setting;
    load.n_settings = setting ? 1 : 0;
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&r.model, r.ctx, path, &load), DD_OK);
    go(&r, o);
    return r;
}

static run text(const char *model, dd_sim_options o)
{
    run r = {0};
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", model, strlen(model), NULL), DD_OK);
    go(&r, o);
    return r;
}

static void end(run *r)
{
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static dd_sim_options options(dd_stabilize how, double stop, double tol, const char *method)
{
    dd_sim_options o = dd_sim_options_default();
    o.stabilize = how;
    o.has_stop = true;
    o.stop = stop;
    o.tol = tol;
    o.method = method;
    return o;
}

static double value(const run *r, const char *name)
{
    for (uint32_t i = 0; i < dd_sim_variable_count(r->sim); i++) {
        if (strcmp(dd_sim_variable_name(r->sim, i), name) == 0) {
            return dd_sim_final(r->sim, i);
        }
    }
    fail_msg("no variable %s", name);
    return NAN;
}

static void near_to(double a, double b, double tol)
{
    if (!(fabs(a - b) <= tol)) {
        fail_msg("%.15g is not %.15g", a, b);
    }
}

/* x = 0.6, u = 7 at the start is the angle asin(0.6) with the angular velocity 7/0.8: it turns over for ever. */
static const char *const ANGLE = "model A Real phi(start = asin(0.6), fixed = true), w(start = 8.75, fixed = true) = "
                                 "der(phi); equation der(w) = -9.81*sin(phi); end A;";

static void turns_over(void **state)
{
    (void)state;
    const char *const methods[] = {"radau", "radau5", "bdf"};
    run angle = text(ANGLE, options(DD_STABILIZE_PROJECTION, 5, 1e-12, "radau"));
    const double phi = value(&angle, "phi");
    assert_true(phi > 6 * 6.28318); /* several turns */
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const double tol = i == 2 ? 1e-7 : 1e-9;
        run r = file("planar_pendulum.mo", "PlanarPendulum", "u=7", options(DD_STABILIZE_DUMMY, 5, tol, methods[i]));
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_true(r.info.stats.choices >= 4 * 6);
        assert_true(r.info.constraint_distance < 10 * tol);
        near_to(value(&r, "x"), sin(phi), 2000 * tol);
        near_to(value(&r, "y"), cos(phi), 2000 * tol);
        /* again: the same run, from the first choice on */
        const double x = value(&r, "x");
        assert_int_equal(dd_sim_run(r.sim), DD_OK);
        assert_true(value(&r, "x") == x);
        assert_int_equal(dd_sim_get_info(r.sim).stats.choices, r.info.stats.choices);
        end(&r);
    }
    end(&angle);
}

static void fixed_steps(void **state)
{
    (void)state;
    run angle = text(ANGLE, options(DD_STABILIZE_PROJECTION, 2, 1e-12, "radau"));
    double error[2];
    for (int i = 0; i < 2; i++) {
        dd_sim_options o = options(DD_STABILIZE_DUMMY, 2, 1e-9, "radau-3");
        o.step = i == 0 ? 0.004 : 0.002;
        run r = file("planar_pendulum.mo", "PlanarPendulum", "u=7", o);
        assert_int_equal(r.info.status, DD_SIM_OK);
        assert_true(r.info.stats.choices > 8);
        error[i] = fabs(value(&r, "x") - sin(value(&angle, "phi")));
        end(&r);
    }
    assert_true(error[0] < 1e-5 && log2(error[0] / error[1]) > 4.5); /* order 5, also across the changes */
    end(&angle);
}

static void no_drift(void **state)
{
    (void)state;
    double distance[2], plain[2];
    for (int i = 0; i < 2; i++) {
        const double stop = i == 0 ? 2 : 40;
        run r = file("planar_pendulum.mo", "PlanarPendulum", NULL, options(DD_STABILIZE_DUMMY, stop, 1e-6, "radau5"));
        run p = file("planar_pendulum.mo", "PlanarPendulum", NULL, options(DD_STABILIZE_NONE, stop, 1e-6, "radau5"));
        distance[i] = r.info.constraint_distance;
        plain[i] = p.info.constraint_distance;
        end(&r);
        end(&p);
    }
    assert_true(distance[0] < 1e-14 && distance[1] < 1e-14);
    assert_true(plain[1] > 5 * plain[0] && plain[1] > 10 * distance[1]); /* what is prevented */
}

static void compare_with_projection(const char *name, const char *class_name, const char *setting, double stop)
{
    const double tol = 1e-9;
    run p = file(name, class_name, setting, options(DD_STABILIZE_PROJECTION, stop, tol, "radau"));
    run d = file(name, class_name, setting, options(DD_STABILIZE_DUMMY, stop, tol, "radau"));
    assert_int_equal(p.info.status, DD_SIM_OK);
    assert_int_equal(d.info.status, DD_SIM_OK);
    assert_true(d.info.constraint_distance < 10 * tol);
    for (uint32_t i = 0; i < dd_sim_variable_count(p.sim); i++) {
        const double a = dd_sim_final(p.sim, i), b = dd_sim_final(d.sim, i);
        if (fabs(a - b) > 1e-6 * (1 + fabs(a))) {
            fail_msg("%s: %s = %.12g by projection, %.12g by dummies", class_name, dd_sim_variable_name(p.sim, i), a,
                     b);
        }
    }
    end(&p);
    end(&d);
}

static void closed_loops(void **state)
{
    (void)state;
    compare_with_projection("slider_crank.mo", "SliderCrank", NULL, 4);
    compare_with_projection("delta_robot.mo", "DeltaRobot", "tau[1]=0.3*sin(2*time)", 1.2);
    compare_with_projection("pendulum_chain.mo", "PendulumChain", NULL, 1);
    compare_with_projection("spherical_pendulum.mo", "SphericalPendulum", NULL, 4);
    compare_with_projection("rigid_body.mo", "RigidBody", NULL, 10);
    compare_with_projection("rolling_coin.mo", "RollingCoin", NULL, 3);
    compare_with_projection("cstr.mo", "Cstr", NULL, 2);
}

static void nothing_to_do(void **state)
{
    (void)state;
    run r = text(ANGLE, options(DD_STABILIZE_DUMMY, 1, 1e-6, NULL)); /* an ODE has no constraints */
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.stats.choices, 0);
    end(&r);
}

static void refused_by_name(void **state)
{
    (void)state;
    run r = text("model M Real hidden(start = 0.5), z; equation der(hidden)^3 + der(hidden) + 0.1*hidden = z; "
                 "hidden^3 + hidden = 1 + time; end M;",
                 options(DD_STABILIZE_DUMMY, 1, 1e-6, NULL));
    assert_int_equal(r.status, DD_INVALID_ARGUMENT);
    assert_non_null(strstr(dd_context_message(r.ctx), "hidden"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(turns_over),    cmocka_unit_test(fixed_steps),
                                       cmocka_unit_test(no_drift),      cmocka_unit_test(closed_loops),
                                       cmocka_unit_test(nothing_to_do), cmocka_unit_test(refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
