/* A, B, C, D against central differences of the nonlinear model, against closed forms, between formulations; responses by
 * the matrix exponential against simulation; what cannot be linearized is said by name. */
#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_SETTINGS = 16, TEXT = 64 };

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_linsys *l;
    dd_linsys_info info;
} run;

typedef struct settings {
    char text[MOST_SETTINGS][TEXT];
    uint32_t count;
} settings;

static void set(settings *s, const char *name, double value)
{
    snprintf(s->text[s->count++], TEXT, "%s=%.17g", name, value);
}

static const char *path_of(const char *name)
{
    static char path[1000];
    const char *source = getenv("DAEDAL_SOURCE");
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", name);
    return path;
}

static void go(run *r, double at)
{
    dd_sim_options o = dd_sim_options_default();
    assert_int_equal(dd_model_analyse(&r->system, r->model, NULL), DD_OK);
    o.tol = 1e-11;
    o.has_stop = true;
    o.stop = at > 0 ? at : 1;
    assert_int_equal(dd_sim_new(&r->sim, r->system, &o), DD_OK);
    if (at > 0) {
        assert_int_equal(dd_sim_run(r->sim), DD_OK);
    }
    assert_int_equal(dd_linsys_new(&r->l, r->sim), DD_OK);
    r->info = dd_linsys_get_info(r->l);
}

static run load(const char *file, const char *class_name, const settings *s, double at)
{
    run r = {0};
    const char *list[MOST_SETTINGS];
    dd_load_options load = dd_load_options_default();
    for (uint32_t i = 0; i < s->count; i++) {
        list[i] = s->text[i];
    }
    load.class_name = class_name;
    load.settings = list;
    load.n_settings = s->count;
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&r.model, r.ctx, path_of(file), &load), DD_OK);
    go(&r, at);
    return r;
}

static run text(const char *model, double at)
{
    run r = {0};
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", model, strlen(model), NULL), DD_OK);
    go(&r, at);
    return r;
}

static void end(run *r)
{
    dd_linsys_free(r->l);
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

/* ---- differences ---- */

/* One column of (A; C) or (B; D) by central differences: the model started a little aside, its own rates and outputs. */
static void compare_column(const char *file, const char *class_name, const settings *s, const run *r, const char *name,
                           double value, const double *top, const double *bottom, uint32_t width, uint32_t at)
{
    const double h = 1e-4;
    run side[4];
    const double step[4] = {h, -h, 2 * h, -2 * h};
    for (int i = 0; i < 4; i++) {
        settings moved = *s;
        set(&moved, name, value + step[i]);
        side[i] = load(file, class_name, &moved, 0);
        assert_int_equal(side[i].info.status, DD_SIM_OK);
        assert_int_equal(side[i].info.nx, r->info.nx);
    }
    for (uint32_t i = 0; i < r->info.nx + r->info.ny; i++) {
        const bool rate = i < r->info.nx;
        const uint32_t row = rate ? i : i - r->info.nx;
        double v[4];
        for (int k = 0; k < 4; k++) {
            v[k] = rate ? side[k].info.rate[row] : side[k].info.y[row];
        }
        /* fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h */
        const double slope = (8 * (v[0] - v[1]) - (v[2] - v[3])) / (12 * h);
        const double found = rate ? top[(size_t)row * width + at] : bottom[(size_t)row * width + at];
        if (fabs(slope - found) > 1e-7 * (1 + fabs(found))) {
            fail_msg("%s: d %s %u / d %s is %.12g, differences say %.12g", class_name, rate ? "rate" : "output", row,
                     name, found, slope);
        }
    }
    for (int i = 0; i < 4; i++) {
        end(&side[i]);
    }
}

/* The states are variables with fixed start values, so that the start can be moved along each alone. */
static void compare(const char *file, const char *class_name, settings s, uint32_t nx, uint32_t nu)
{
    run r = load(file, class_name, &s, 0);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.nx, nx);
    assert_int_equal(r.info.nu, nu);
    for (uint32_t k = 0; k < nx; k++) {
        compare_column(file, class_name, &s, &r, dd_linsys_state_name(r.l, k), r.info.x[k], r.info.A, r.info.C, nx, k);
    }
    for (uint32_t k = 0; k < nu; k++) {
        compare_column(file, class_name, &s, &r, dd_linsys_input_name(r.l, k), r.info.u[k], r.info.B, r.info.D, nu, k);
    }
    end(&r);
}

static void ode_differences(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "w", 1.3);
    compare("cart_pole.mo", "CartPole", s, 4, 3);
    set(&s, "u", 0.7);
    set(&s, "F[2]", -0.4);
    compare("cart_pole.mo", "CartPole", s, 4, 3);
}

static void index_2_differences(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "Fa", 1.2);
    set(&s, "F", 0.8);
    compare("cstr.mo", "Cstr", s, 3, 2);
}

static void index_3_differences(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "u", 0.9);
    compare("planar_pendulum.mo", "PlanarPendulum", s, 2, 0);
    settings robot = {0};
    set(&robot, "alpha[1]", 0.2);
    set(&robot, "w[2]", 0.7);
    set(&robot, "tau[1]", 0.3);
    compare("delta_robot.mo", "DeltaRobot", robot, 6, 3);
    compare("slider_crank.mo", "SliderCrank", (settings){0}, 2, 0);
    compare("spherical_pendulum.mo", "SphericalPendulum", (settings){0}, 4, 0);
}

/* ---- closed forms ---- */

static void near_to(double value, double expected, double tol)
{
    if (!(fabs(value - expected) <= tol)) {
        fail_msg("%.17g is not %.17g", value, expected);
    }
}

static void spring_damper(void **state)
{
    (void)state;
    run r = text("model M parameter Real m = 2, d = 0.6, k = 8; input Real F; Real x(start = 1, fixed = true); "
                 "Real v(start = 0, fixed = true) = der(x); output Real force = k*x + d*v;\n"
                 "equation m*der(v) + d*v + k*x = F; end M;",
                 0);
    assert_int_equal(r.info.status, DD_SIM_OK);
    const double A[4] = {0, 1, -4, -0.3}, B[2] = {0, 0.5}, C[2] = {8, 0.6};
    assert_int_equal(r.info.ny, 1);
    assert_string_equal(dd_linsys_output_name(r.l, 0), "force");
    for (int i = 0; i < 4; i++) {
        near_to(r.info.A[i], A[i], 1e-15);
    }
    for (int i = 0; i < 2; i++) {
        near_to(r.info.B[i], B[i], 1e-15);
        near_to(r.info.C[i], C[i], 1e-15);
        near_to(r.info.eigen_re[i], -0.15, 1e-14);
    }
    near_to(r.info.D[0], 0, 0);
    near_to(r.info.eigen_im[0], sqrt(4 - 0.15 * 0.15), 1e-14);
    near_to(r.info.eigen_im[1], -sqrt(4 - 0.15 * 0.15), 1e-14);
    end(&r);
}

/* Forces that move a load along a path (index 5, no freedom): a hidden constraint holds the second derivative of a speed,
 * which two rows give only together with der(lam). An oscillator that the trolley drives has the freedom there is. */
static void constraints_with_rates(void **state)
{
    (void)state;
    run r = text(
        "model M Real s(start = 0), l(start = 4), x(start = 0), z(start = 4), vs = der(s), vl = der(l), vx = der(x);\n"
        "Real vz = der(z), lam(start = 5), F, W, a(start = 1, fixed = true), b(start = 0, fixed = true);\n"
        "equation 10*der(vs) = F + lam*(x - s); 5*der(vl) = W + lam*l; 2*der(vx) = -lam*(x - s);\n"
        "2*der(vz) = 2*9.81 - lam*z; (x - s)^2 + z^2 = l^2; x = 0.2*sin(time); z = 4 - 0.1*sin(2*time);\n"
        "der(a) = b; der(b) = -a + vs*b + lam; end M;",
        1);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.nx, 2);
    const double z = 4 - 0.1 * sin(2), lam = 2 * (9.81 - 0.4 * sin(2)) / z;
    const double rate = -(1.6 * cos(2) - 0.2 * lam * cos(2)) / z;
    const double vs = 0.2 * cos(1) - 0.4 * cos(1) / lam + 0.4 * sin(1) * rate / (lam * lam);
    const double A[4] = {0, 1, -1, vs};
    for (int i = 0; i < 4; i++) {
        near_to(r.info.A[i], A[i], 1e-12);
    }
    end(&r);
}

static void pendulum_at_the_bottom(void **state)
{
    (void)state;
    settings s = {0}, none = {0}, angle = {0};
    set(&s, "x", 0);
    set(&s, "y", 1);
    run dae = load("planar_pendulum.mo", "PlanarPendulum", &s, 0);
    set(&angle, "phi", 0);
    run ode = load("planar_pendulum.mo", "PendulumAngle", &angle, 0);
    for (int i = 0; i < 2; i++) {
        near_to(dae.info.eigen_re[i], 0, 1e-14);
        near_to(fabs(dae.info.eigen_im[i]), sqrt(9.81), 1e-13);
        near_to(ode.info.eigen_im[i], dae.info.eigen_im[i], 1e-13);
    }
    end(&dae);
    end(&ode);
    /* along a motion: A = [0 1; -(g/l) cos(phi) 0] in the angle. In x = l sin(phi) it is a change of coordinates that
     * moves, S' S^-1 + S A S^-1 with S = [c 0; -s w, c]: traces and the response agree, not the eigenvalues */
    run moving = load("planar_pendulum.mo", "PlanarPendulum", &none, 0.5);
    run turning = load("planar_pendulum.mo", "PendulumAngle", &none, 0.5);
    const double phi = turning.info.x[0], w = turning.info.x[1], c = cos(phi), n = sin(phi);
    near_to(moving.info.x[0], n, 1e-7); /* 0.6435011 is rounded in the model */
    const double a = -9.81 * c, rate = turning.info.rate[1];
    /* x'' as a function of (x, x'): derivative by x of -sin(phi) w^2 + cos(phi) phi'' with w = x'/cos(phi) */
    const double by_x = (-c * w * w - n * rate + c * a - 2 * n * w * (n * w / c)) / c;
    const double by_u = -2 * n * w / c;
    near_to(moving.info.A[2], by_x, 1e-6);
    near_to(moving.info.A[3], by_u, 1e-6);
    end(&moving);
    end(&turning);
}

/* All time derivatives of inputs are zero at a point of rest, and a DAE and its ODE must have the same poles there. */
static void spherical_at_rest(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "p[1]", 0);
    set(&s, "p[3]", -1);
    set(&s, "v[2]", 0);
    run r = load("spherical_pendulum.mo", "SphericalPendulum", &s, 0);
    assert_int_equal(r.info.nx, 4);
    for (int i = 0; i < 4; i++) {
        near_to(r.info.eigen_re[i], 0, 1e-13);
        near_to(fabs(r.info.eigen_im[i]), sqrt(9.81), 1e-12);
        near_to(r.info.rate[i], 0, 1e-14);
    }
    end(&r);
}

/* ---- states ---- */

static void states_follow_the_point(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "x", 1);
    set(&s, "y", 0);
    run r = load("planar_pendulum.mo", "PlanarPendulum", &s, 0); /* x cannot be a state here */
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_string_equal(dd_linsys_state_name(r.l, 0), "y");
    assert_string_equal(dd_linsys_state_name(r.l, 1), "v");
    near_to(r.info.rate[1], 9.81, 1e-12);
    end(&r);
    r = text("model M Real x(start = 0.6), y(start = 0.8, stateSelect = StateSelect.prefer), f, u, v(stateSelect = "
             "StateSelect.prefer); equation der(x) = u; der(y) = v; der(u) = -f*x; der(v) = 9.81 - f*y; x^2 + y^2 = 1; "
             "end M;",
             0);
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_string_equal(dd_linsys_state_name(r.l, 0), "y");
    end(&r);
}

/* ---- what has no place in the form ---- */

static void input_derivatives(void **state)
{
    (void)state;
    const char *chain =
        "model M input Real u; %s Real x1, x2, z; Real s(start = 1, fixed = true); equation der(x1) = z; "
        "der(x2) = x1; x2 = u; der(s) = -s + x2; end M;";
    char model[400];
    snprintf(model, sizeof model, chain, "");
    run r = text(model, 0);
    assert_int_equal(r.info.status, DD_SIM_INVALID_MODEL);
    assert_non_null(strstr(r.info.reason, "x1 depends on der(u)"));
    assert_int_equal(r.info.nx, 0);
    end(&r);
    snprintf(model, sizeof model, chain, "output Real y = s + 2*x2;");
    r = text(model, 0); /* what is asked for does not need them */
    assert_int_equal(r.info.status, DD_SIM_OK);
    assert_int_equal(r.info.nx, 1);
    near_to(r.info.A[0], -1, 0);
    near_to(r.info.B[0], 1, 0);
    near_to(r.info.C[0], 1, 0);
    near_to(r.info.D[0], 2, 0);
    end(&r);
    r = text("model M input Real u; Real x1(start = 0), x2(start = 0), z; equation der(x1) = z + x2; der(x2) = -z; "
             "x1 + 2*x2 = u; end M;",
             0);
    assert_int_equal(r.info.status, DD_SIM_INVALID_MODEL);
    assert_non_null(strstr(r.info.reason, "der(u)"));
    end(&r);
}

static void failed_simulations(void **state)
{
    (void)state;
    run r = text("model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;", 2);
    assert_int_equal(r.info.status, DD_SIM_STEP_TOO_SMALL);
    assert_true(strlen(r.info.reason) > 0);
    double x;
    assert_int_equal(dd_linsys_response(r.l, 1, NULL, NULL, &x, NULL), DD_INVALID_ARGUMENT);
    end(&r);
}

/* ---- responses ---- */

static void response_matches_simulation(void **state)
{
    (void)state;
    /* linear, index 2, off its rest point, with an input step of 0.5 */
    const char *model = "model M input Real u; Real x[3](start = {1, -0.5, 0.2}, each fixed = true), z, y; equation "
                        "der(x[1]) = x[2]; der(x[2]) = -3*x[1] - 0.4*x[2] + x[3] + u; der(x[3]) = -2*x[3] + z; "
                        "z = 0.3*x[1] + u; y = x[1] - z; end M;";
    run r = text(model, 0);
    assert_int_equal(r.info.status, DD_SIM_OK);
    const double du = 0.5, dx[3] = {0, 0, 0};
    double x[3], y[5];
    assert_int_equal(dd_linsys_response(r.l, 2.5, dx, &du, x, y), DD_OK);
    dd_load_options load = dd_load_options_default();
    const char *setting = "u=0.5";
    load.settings = &setting;
    load.n_settings = 1;
    run s = {0};
    assert_int_equal(dd_context_new(&s.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&s.model, s.ctx, "m.mo", model, strlen(model), &load), DD_OK);
    go(&s, 2.5);
    for (uint32_t i = 0; i < 3; i++) {
        near_to(x[i], s.info.x[i], 1e-9);
    }
    for (uint32_t i = 0; i < 5; i++) {
        near_to(y[i], dd_sim_final(s.sim, i), 1e-9);
    }
    /* and back */
    double there[3], back[3];
    for (uint32_t i = 0; i < 3; i++) {
        there[i] = x[i] - r.info.x[i];
    }
    assert_int_equal(dd_linsys_response(r.l, -2.5, there, &du, back, NULL), DD_OK);
    for (uint32_t i = 0; i < 3; i++) {
        near_to(back[i], r.info.x[i], 1e-11);
    }
    end(&s);
    end(&r);
}

/* Looking does not disturb: the simulation goes on as if nothing had been asked. */
static void looking_is_harmless(void **state)
{
    (void)state;
    settings s = {0};
    set(&s, "tau[1]", 0.2);
    run plain = load("delta_robot.mo", "DeltaRobot", &s, 0.5), asked = load("delta_robot.mo", "DeltaRobot", &s, 0.5);
    dd_linsys *again;
    assert_int_equal(dd_linsys_new(&again, asked.sim), DD_OK);
    assert_memory_equal(dd_linsys_get_info(again).A, asked.info.A, 36 * sizeof(double));
    dd_linsys_free(again);
    assert_int_equal(dd_sim_run(asked.sim), DD_OK);
    for (uint32_t i = 0; i < dd_sim_variable_count(plain.sim); i++) {
        assert_true(dd_sim_final(plain.sim, i) == dd_sim_final(asked.sim, i));
    }
    end(&plain);
    end(&asked);
}

static void reports(void **state)
{
    (void)state;
    settings s = {0};
    run r = load("cstr.mo", "Cstr", &s, 0);
    const char *json, *words;
    assert_int_equal(dd_linsys_json(&json, r.l), DD_OK);
    assert_non_null(strstr(
        json, "{\"status\":\"ok\",\"model\":\"Cstr\",\"t\":0,\"x\":[\"V\",\"CA\",\"CC\"],\"u\":[\"Fa\",\"F\"],"));
    assert_non_null(strstr(json, "\"eigenvalues\":[[0,0],[-0.5,0],[-0.96666666666666"));
    assert_int_equal(dd_linsys_text(&words, r.l, false), DD_OK);
    assert_non_null(strstr(words, "Cstr at time 0: 3 states, 2 inputs, 6 outputs"));
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ode_differences),
                                       cmocka_unit_test(index_2_differences),
                                       cmocka_unit_test(index_3_differences),
                                       cmocka_unit_test(spring_damper),
                                       cmocka_unit_test(pendulum_at_the_bottom),
                                       cmocka_unit_test(constraints_with_rates),
                                       cmocka_unit_test(spherical_at_rest),
                                       cmocka_unit_test(states_follow_the_point),
                                       cmocka_unit_test(input_derivatives),
                                       cmocka_unit_test(failed_simulations),
                                       cmocka_unit_test(response_matches_simulation),
                                       cmocka_unit_test(looking_is_harmless),
                                       cmocka_unit_test(reports)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
