/* differences.h - simulates a model given as text, and compares its sensitivities with differences of the simulation
 * itself, of fourth order, to 1e-7. With given steps the differences see exactly the numbers that were differentiated;
 * with error control the step sizes differ a little, and the tolerance is chosen so that it does not matter. */
#ifndef DD_TEST_SENS_DIFFERENCES_H
#define DD_TEST_SENS_DIFFERENCES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "daedal/daedal.h"

/* ---- models ---- */

static const char ode[] = "model M parameter Real a = 1.1, b = 0.4, c = 2*b; Real x(start = 1, fixed = true), "
                          "y(start = a*b, fixed = true), r = x^2 + c*der(y); equation der(x) = a*x - b*x*y; "
                          "der(y) = c*x*y - 0.4*y + 0.1*sin(time); end M;";

static const char index1[] =
    "model M parameter Real a = 0.8, b = 1.5; Real x(start = 1, fixed = true), v(start = a*b, "
    "fixed = true), z(start = 0.5), q; equation der(x) = v - a*z; der(v) = -b*x*z + sin(time); "
    "z^3 + z*exp(x) = b + v^2; q = der(x)*z + a; end M;";

static const char pendulum[] =
    "model M parameter Real L = 1.3, g = 9.81, m = 0.7; Real x(start = 0.9, fixed = true), "
    "y(start = -1), vx(start = 0.2, fixed = true), vy, lam; equation der(x) = vx; der(y) = vy; "
    "m*der(vx) = -2*lam*x; m*der(vy) = -2*lam*y - m*g; x^2 + y^2 = L^2; end M;";

static const char swing[] =
    "model M parameter Real L = 1, g = 9.81; Real p[3](start = {0.6, 0, -0.8}, fixed = {true, true, false}), "
    "v[3](start = {0, 1, 0}, fixed = {true, true, false}) = der(p), z; equation der(v) = -g*{0, 0, 1} - z*p; "
    "(p*p - L^2)/2 = 0; end M;";

static const char crane[] =
    "model M parameter Real L = 1.2, m = 3; input Real F(start = 0.4); Real s(start = 0, fixed = true), u(start = "
    "0.1, "
    "fixed = true) = der(s), x(start = 0.3, fixed = true), y(start = -1.1), vx(start = 0.2, fixed = true) = "
    "der(x), "
    "vy = der(y), lam; equation m*der(u) = F - 0.1*u - 2*lam*(s - x); der(vx) = -2*lam*(x - s); "
    "der(vy) = -2*lam*y - 9.81; (x - s)^2 + y^2 = L^2; end M;";

/* a stop with a spring and a push; passed twice */
static const char bumper[] =
    "model M parameter Real k = 0.8, level = 0.35, a = 1.3; Real x(start = 0.1, fixed = true), v(start = 0.9, fixed = "
    "true); equation der(x) = v; der(v) = -a*x - k*v - (if x > level then 12*(x - level) + 2 else 0.3*sin(5*time)); "
    "end M;";

/* a moment that is a parameter, then a condition on an algebraic variable */
static const char moments[] =
    "model M parameter Real k = 0.8, level = 0.2, on = 0.137; input Real u(start = 1.5); Real x(start = 0.1, fixed = "
    "true), v(start = 1.1, fixed = true), z(start = 0.5); equation der(x) = v + (if time > on*k/0.8 then 0.4*z else "
    "0.1); der(v) = -9*x - k*v + (if z > level then 1.0 else -u) + cos(3*time); z + 0.2*z^3 = x + 0.1*v; end M;";

/* a pendulum whose pivot moves, beyond a wall of thick air */
static const char wall[] =
    "model M parameter Real L = 1, wall = 0.3, w = 4; Real p[2](start = {0.6, -0.8}, fixed = {true, false}), "
    "v[2](start = {-1.2, 0}, fixed = {true, false}) = der(p), z; equation der(v) = -9.81*{0, 1} - z*(p - "
    "{0.1*sin(w*time), 0}) - (if p[1] < wall then 3*v + {2, 0} else {0, 0}); ((p[1] - 0.1*sin(w*time))^2 + p[2]^2 - "
    "L^2)/2 = 0; end M;";

/* a pendulum that is pushed from a moment on that is a parameter, over a pivot that moves */
static const char push[] =
    "model M parameter Real L = 1, on = 0.375, w = 4, F = 2; Real x(start = 0.6, fixed = true), y(start = -0.8), "
    "u(start = -0.2, fixed = true) = der(x), v = der(y), z; equation der(u) = -z*(x - 0.1*sin(w*time)) + "
    "(if time > on then F else 0.1*u); der(v) = -z*y - 9.81; (x - 0.1*sin(w*time))^2 + y^2 = L^2; end M;";

/* index 3, whose reduced system has no constraints: two states are prescribed */
static const char chain[] =
    "model M parameter Real a = 0.7, b = 1.1; Real x, y, z, w(start = 0.2, fixed = true); equation x = a*sin(b*time) "
    "+ 0.1*time^2; der(x) = y + 0.1*x^2; der(y) = z; der(w) = -w + x; end M;";

/* ---- running ---- */

typedef struct way {
    const char *method;
    double step, tol, stop, alpha;
    dd_stabilize stabilize;
    dd_sim_form form;
} way;

enum { MOST = 8 };

typedef struct result {
    uint32_t count, parameters;
    double value[MOST], by[MOST][MOST];
    char name[MOST][16];
} result;

static inline result simulate(const char *text, const way *w, const char *setting, const char *const *names,
                              uint32_t count)
{
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    result out = {0};
    dd_load_options load = dd_load_options_default();
    load.settings = &setting;
    load.n_settings = setting ? 1 : 0;
    dd_sim_options o = dd_sim_options_default();
    o.method = w->method;
    o.step = w->step;
    o.tol = w->tol;
    o.has_stop = true;
    o.stop = w->stop;
    o.stabilize = w->stabilize;
    o.alpha = w->alpha;
    o.form = w->form;
    o.sensitivity = names;
    o.n_sensitivity = count;
    o.keep_rows = false;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&model, ctx, "m.mo", text, strlen(text), &load), DD_OK);
    assert_int_equal(dd_model_analyse(&system, model, NULL), DD_OK);
    if (dd_sim_new(&sim, system, &o) != DD_OK) {
        fail_msg("%s", dd_context_message(ctx));
    }
    assert_int_equal(dd_sim_run(sim), DD_OK);
    if (dd_sim_get_info(sim).status != DD_SIM_OK) {
        fail_msg("%s: %s", w->method, dd_sim_get_info(sim).reason);
    }
    out.count = dd_sim_variable_count(sim);
    out.parameters = dd_sim_sensitivity_count(sim);
    for (uint32_t i = 0; i < out.count; i++) {
        out.value[i] = dd_sim_final(sim, i);
        snprintf(out.name[i], sizeof out.name[i], "%s", dd_sim_variable_name(sim, i));
        for (uint32_t p = 0; p < out.parameters; p++) {
            out.by[p][i] = dd_sim_sensitivity(sim, p, i);
        }
    }
    dd_sim_free(sim);
    dd_system_free(system);
    dd_model_free(model);
    dd_context_free(ctx);
    return out;
}

typedef struct parameter {
    const char *name;
    double value;
} parameter;

/* part: of the parameter, the distance of the differences */
static inline void compare(const char *text, const way *w, const parameter *p, uint32_t count, double part)
{
    const char *names[MOST] = {NULL};
    for (uint32_t k = 0; k < count; k++) {
        names[k] = p[k].name;
    }
    const result r = simulate(text, w, NULL, names, count);
    assert_int_equal(r.parameters, count);
    for (uint32_t k = 0; k < count; k++) {
        const double d = part * fmax(1, fabs(p[k].value)), place[] = {-2, -1, 1, 2};
        const double factor[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
        double difference[MOST] = {0}, largest = 0;
        for (int i = 0; i < 4; i++) {
            char setting[64];
            snprintf(setting, sizeof setting, "%s=%.17g", p[k].name, p[k].value + place[i] * d);
            const result moved = simulate(text, w, setting, NULL, 0);
            for (uint32_t v = 0; v < r.count; v++) {
                difference[v] += factor[i] * moved.value[v] / d;
            }
        }
        for (uint32_t v = 0; v < r.count; v++) {
            largest = fmax(largest, fabs(difference[v]));
        }
        for (uint32_t v = 0; v < r.count; v++) {
            const double off = fabs(difference[v] - r.by[k][v]);
            if (!(off <= 1e-7 * fmax(fabs(difference[v]), 1e-2 * largest))) {
                fail_msg("%s, step %g: d(%s)/d(%s) is %.12g, differences give %.12g", w->method, w->step, r.name[v],
                         p[k].name, r.by[k][v], difference[v]);
            }
        }
    }
}

static const parameter of_ode[] = {{"a", 1.1}, {"b", 0.4}, {"x", 1}};
static const parameter of_index1[] = {{"a", 0.8}, {"b", 1.5}, {"x", 1}};
static const parameter of_pendulum[] = {{"L", 1.3}, {"x", 0.9}, {"g", 9.81}};

static const parameter of_swing[] = {{"v[2]", 1}, {"L", 1}}, of_crane[] = {{"L", 1.2}, {"vx", 0.2}, {"F", 0.4}};

static const parameter of_moment[] = {{"on", 0.375}}, of_push[] = {{"L", 1}, {"F", 2}, {"x", 0.6}},
                       of_chain[] = {{"a", 0.7}, {"b", 1.1}};

static const parameter of_bumper[] = {{"level", 0.35}, {"k", 0.8}, {"x", 0.1}};
static const parameter of_moments[] = {{"on", 0.137}, {"level", 0.2}, {"v", 1.1}, {"u", 1.5}};
static const parameter of_wall[] = {{"wall", 0.3}, {"L", 1}, {"p[1]", 0.6}, {"w", 4}};

static const char *const controlling[] = {"auto", "radau", "bdf", "dop853", "chebyshev"};

static inline void with_error_control(const char *text, const parameter *p, uint32_t count, double stop)
{
    for (size_t i = 0; i < sizeof controlling / sizeof *controlling; i++) {
        const way w = {.method = controlling[i], .tol = 1e-11, .stop = stop};
        compare(text, &w, p, count, strcmp(controlling[i], "bdf") == 0 ? 1e-3 : 4e-4);
    }
}

#endif
