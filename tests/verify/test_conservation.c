/* Conservation over 100 s without friction: the spherical pendulum and the delta robot. Energy stays within 100 tol |E| and
 * its error falls in proportion to the tolerance; constraints stay at rounding level with projection and dummy
 * derivatives, bounded with Baumgarte's method, and drift away without any of these (catalog B3, B4, E3, E5). */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_VARIABLES = 32 };

typedef struct machine {
    const char *file, *class_name;
    double (*energy)(const double *y);
} machine;

/* p[1:3], v[1:3], lam */
static double pendulum_energy(const double *y)
{
    return 0.5 * (y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) + 9.81 * y[2];
}

/* alpha[1:3], w[1:3], p[1:3], v[1:3], lam[1:3] */
static double robot_energy(const double *y)
{
    const double J = 0.05, m = 0.2, M = 0.1, l = 0.3, g = 9.81;
    double e = m * g * y[8];
    for (int k = 0; k < 3; k++) {
        e += 0.5 * J * y[3 + k] * y[3 + k] + 0.5 * m * y[9 + k] * y[9 + k] - 0.5 * M * g * l * sin(y[k]);
    }
    return e;
}

static const machine PENDULUM = {"spherical_pendulum.mo", "SphericalPendulum", pendulum_energy};
static const machine ROBOT = {"delta_robot.mo", "DeltaRobot", robot_energy};

typedef struct outcome {
    dd_sim_info info;
    double energy;       /* at the start */
    double energy_error; /* largest over all rows, relative to |energy| */
    double late[2];      /* largest constraint residual of the rows of the first and of the last tenth */
} outcome;

/* The pendulum's and the robot's constraints, by hand. */
static double residual(const machine *m, const double *y)
{
    if (m == &PENDULUM) {
        const double c = y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1;
        return fmax(fabs(c), fabs(y[0] * y[3] + y[1] * y[4] + y[2] * y[5]));
    }
    double most = 0;
    for (int k = 0; k < 3; k++) {
        const double gamma = k == 0 ? 0 : k == 1 ? 2.0943951 : 4.1887902, reach = 0.1 + 0.3 * cos(y[k]);
        const double a = y[6] - cos(gamma) * reach, b = y[7] - sin(gamma) * reach, c = y[8] + 0.3 * sin(y[k]);
        most = fmax(most, fabs(a * a + b * b + c * c - 0.49));
    }
    return most;
}

static outcome run(const machine *m, dd_stabilize how, double tol, double stop)
{
    outcome out = {0};
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    char path[1000];
    const char *source = getenv("DAEDAL_SOURCE");
    dd_load_options load = dd_load_options_default();
    load.class_name = m->class_name;
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", m->file);
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&model, ctx, path, &load), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = stop;
    o.tol = tol;
    o.stabilize = how;
    o.alpha = how == DD_STABILIZE_BAUMGARTE ? 10 : 0;
    assert_int_equal(dd_sim_new(&sim, system, &o), DD_OK);
    assert_int_equal(dd_sim_run(sim), DD_OK);
    out.info = dd_sim_get_info(sim);
    assert_int_equal(out.info.status, DD_SIM_OK);
    double y[MOST_VARIABLES];
    const uint32_t n = dd_sim_variable_count(sim);
    assert_true(n <= MOST_VARIABLES);
    for (uint64_t r = 0; r < dd_sim_row_count(sim); r++) {
        for (uint32_t j = 0; j < n; j++) {
            y[j] = dd_sim_row_value(sim, r, j);
        }
        const double e = m->energy(y), t = dd_sim_row_time(sim, r);
        out.energy = r == 0 ? e : out.energy;
        out.energy_error = fmax(out.energy_error, fabs(e - out.energy) / fabs(out.energy));
        if (t <= 0.1 * stop || t >= 0.9 * stop) {
            double *worst = &out.late[t >= 0.9 * stop];
            *worst = fmax(*worst, residual(m, y));
        }
    }
    print_message("%-18s stabilize %d tol %.0e: %6llu steps, energy %.2e, constraints %.1e early, %.1e late\n",
                  m->class_name, (int)how, tol, (unsigned long long)out.info.stats.steps, out.energy_error, out.late[0],
                  out.late[1]);
    dd_sim_free(sim);
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return out;
}

static void energy_is_kept(const machine *m)
{
    const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
    double error[4];
    for (int i = 0; i < 4; i++) {
        const outcome out = run(m, DD_STABILIZE_PROJECTION, tolerances[i], 100);
        error[i] = out.energy_error;
        assert_true(out.energy_error < 100 * tolerances[i]);
        assert_true(out.late[0] < 1e-11 && out.late[1] < 1e-11);
        assert_true(out.info.constraint_violation < 1e-11);
    }
    /* in proportion: four decades less tolerance give three to five decades less error */
    assert_true(error[0] / error[2] > 1e3);
    assert_true(error[1] / error[3] > 1e3);
}

static void pendulum_energy_is_kept(void **state)
{
    (void)state;
    energy_is_kept(&PENDULUM);
}

static void robot_energy_is_kept(void **state)
{
    (void)state;
    energy_is_kept(&ROBOT);
}

static void compare_stabilizations(const machine *m)
{
    const double tol = 1e-6, stop = 100;
    const outcome none = run(m, DD_STABILIZE_NONE, tol, stop), damped = run(m, DD_STABILIZE_BAUMGARTE, tol, stop),
                  dummy = run(m, DD_STABILIZE_DUMMY, tol, stop);
    assert_true(none.late[1] > 5 * none.late[0] && none.late[1] > tol); /* drift: it grows and grows */
    assert_true(damped.late[1] < 5 * damped.late[0] && damped.late[1] < 100 * tol);
    assert_true(dummy.late[0] < 1e-11 && dummy.late[1] < 1e-11);
    assert_true(dummy.energy_error < 100 * tol);
}

static void pendulum_does_not_drift(void **state)
{
    (void)state;
    compare_stabilizations(&PENDULUM);
}

static void robot_does_not_drift(void **state)
{
    (void)state;
    compare_stabilizations(&ROBOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_energy_is_kept), cmocka_unit_test(robot_energy_is_kept),
        cmocka_unit_test(pendulum_does_not_drift), cmocka_unit_test(robot_does_not_drift)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
