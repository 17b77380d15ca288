/* Moving-horizon estimation against independent truth: the Kalman filter, a plant whose parameter is known, statistics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "control/random.h"
#include "daedal/daedal.h"
#include "unit/base/support.h"

typedef struct rig {
    dd_context *ctx;
    dd_model *model, *plant_model;
    dd_system *system, *plant;
} rig;

static dd_system *load(rig *r, const char *text, const char *class_name, const char *setting, dd_model **model)
{
    dd_load_options o = dd_load_options_default();
    dd_system *s;
    o.class_name = class_name;
    o.settings = &setting;
    o.n_settings = setting != NULL ? 1 : 0;
    assert_int_equal(dd_model_load_text(model, r->ctx, "m.mop", text, strlen(text), &o), DD_OK);
    assert_int_equal(dd_model_analyse(&s, *model, NULL), DD_OK);
    return s;
}

static rig new_rig(const char *text)
{
    rig r = {.ctx = new_context()};
    r.system = load(&r, text, NULL, NULL, &r.model);
    return r;
}

static void free_rig(rig *r)
{
    dd_system_free(r->system);
    dd_system_free(r->plant);
    dd_model_free(r->model);
    dd_model_free(r->plant_model);
    dd_context_free(r->ctx);
}

static dd_control_options settings(const rig *r)
{
    dd_control_options o = dd_control_options_default();
    assert_int_equal(dd_control_options_of(&o, r->system, 0), DD_OK);
    return o;
}

/* ---- the Kalman filter ---- */

/* An oscillator with an unknown constant force: with v = (x, v, b) it is linear. */
#define OSCILLATOR(mhe)                                                                                                \
    "model M input Real u(min = -5, max = 5); parameter Real b = 0.1; Real x(start = 1, fixed = true);"                \
    " Real v(start = 0, fixed = true); equation der(x) = v; der(v) = -x - 0.3*v + u + b; end M;"                       \
    " optimization P(objectiveIntegrand = x^2 + v^2 + u^2, startTime = 0, finalTime = 1) extends M;"                   \
    " annotation(experiment(StopTime = 4), Daedal(nmpc(samplePeriod = 0.1, measured = {\"x\"}, noise = {0.02}), "      \
    "mhe(" mhe "))); end P;"

static const char *const oscillator =
    OSCILLATOR("horizon = 5, estimate = {\"b\"}, processNoise = {\"v: 0.05\"}, initialError = {\"b: 0.5\", \"x: 0.2\", "
               "\"v: 0.4\"}");

enum { N = 3 };

/* v(t + h) = F v + G (u + w), by the series of the exponential. */
static void discretise(double h, double f[N][N], double g[N])
{
    const double a[N][N] = {{0, 1, 0}, {-1, -0.3, 1}, {0, 0, 0}}, b[N] = {0, 1, 0};
    double term[N][N] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memset(f, 0, sizeof(double[N][N]));
    memset(g, 0, sizeof(double[N]));
    for (int k = 0; k < 25; k++) {
        double next[N][N] = {{0}};
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                f[i][j] += term[i][j];
                g[i] += term[i][j] * b[j] * h / (k + 1);
                for (int l = 0; l < N; l++) {
                    next[i][j] += term[i][l] * a[l][j] * h / (k + 1);
                }
            }
        }
        memcpy(term, next, sizeof term);
    }
}

typedef struct filter {
    double f[N][N], g[N], mean[N], p[N][N];
} filter;

static void filter_update(filter *k, double y, double sigma)
{
    const double s = k->p[0][0] + sigma * sigma, residual = y - k->mean[0];
    double gain[N], p[N][N];
    for (int i = 0; i < N; i++) {
        gain[i] = k->p[i][0] / s;
    }
    for (int i = 0; i < N; i++) {
        k->mean[i] += gain[i] * residual;
        for (int j = 0; j < N; j++) {
            p[i][j] = k->p[i][j] - gain[i] * k->p[0][j];
        }
    }
    memcpy(k->p, p, sizeof p);
}

static void filter_predict(filter *k, double u, double q)
{
    double mean[N], fp[N][N] = {{0}}, p[N][N];
    for (int i = 0; i < N; i++) {
        mean[i] = k->g[i] * u;
        for (int j = 0; j < N; j++) {
            mean[i] += k->f[i][j] * k->mean[j];
            for (int l = 0; l < N; l++) {
                fp[i][j] += k->f[i][l] * k->p[l][j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            p[i][j] = q * k->g[i] * k->g[j];
            for (int l = 0; l < N; l++) {
                p[i][j] += fp[i][l] * k->f[j][l];
            }
        }
    }
    memcpy(k->mean, mean, sizeof mean);
    memcpy(k->p, p, sizeof p);
}

/* With the exact arrival cost the newest estimate is that of the filter, however long the window is. */
static void test_kalman(void **state)
{
    (void)state;
    rig r = new_rig(oscillator);
    dd_control_options o = settings(&r);
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    assert_int_equal(dd_control_estimate_count(c), 3);
    assert_string_equal(dd_control_estimate_name(c, 2), "b");
    filter k = {.mean = {1, 0, 0.1}, .p = {{0.04, 0, 0}, {0, 0.16, 0}, {0, 0, 0.25}}};
    discretise(0.1, k.f, k.g);
    dd_random random = dd_random_new(3);
    for (int i = 0; i < 40; i++) {
        /* any numbers will do; some are missing */
        double y = i % 7 == 3 ? NAN : cos(0.1 * i) + 0.1 * dd_random_normal(&random), u;
        assert_int_equal(dd_control_step(c, &y, &u), DD_OK);
        assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
        if (!isnan(y)) {
            filter_update(&k, y, 0.02);
        }
        for (uint32_t j = 0; j < N; j++) {
            if (!(fabs(dd_control_estimate(c, j) - k.mean[j]) < 1e-6)) {
                print_message("sample %d, %s: %.12g, filter %.12g\n", i, dd_control_estimate_name(c, j),
                              dd_control_estimate(c, j), k.mean[j]);
            }
            assert_true(fabs(dd_control_estimate(c, j) - k.mean[j]) < 1e-6);
        }
        filter_predict(&k, u, 0.05 * 0.05 / 0.1);
    }
    dd_control_free(c);
    free_rig(&r);
}

/* Recorded data: the same filter. Inputs hold from their row on; a row between samples changes the input alone. */
static void test_recorded(void **state)
{
    (void)state;
    const char *path = "mhe_recorded.csv";
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    filter k = {.mean = {1, 0, 0.1}, .p = {{0.04, 0, 0}, {0, 0.16, 0}, {0, 0, 0.25}}};
    discretise(0.1, k.f, k.g);
    dd_random random = dd_random_new(5);
    fprintf(file, "note,time,u,x\n");
    for (int i = 0; i < 30; i++) {
        const double y = cos(0.1 * i) + 0.1 * dd_random_normal(&random), u = sin(0.3 * i);
        const char *missing = i % 5 == 1 ? "nan" : i % 5 == 3 ? "" : NULL;
        if (missing != NULL) {
            fprintf(file, "a,%.17g,%.17g,%s\n", 0.1 * i, u, missing);
        } else {
            fprintf(file, "b,%.17g,%.17g,%.17g\n", 0.1 * i, u, y);
            filter_update(&k, y, 0.02);
        }
        if (i < 29) {
            filter_predict(&k, u, 0.05 * 0.05 / 0.1);
        }
    }
    fclose(file);
    rig r = new_rig(oscillator);
    dd_control_options o = settings(&r);
    o.measurements = path;
    dd_loop *loop;
    assert_int_equal(dd_loop_new(&loop, r.system, NULL, &o), DD_OK);
    assert_int_equal(dd_loop_run(loop), DD_OK);
    const dd_loop_info info = dd_loop_get_info(loop);
    assert_int_equal(info.status, DD_LOOP_OK);
    assert_int_equal(info.samples, 30);
    assert_int_equal(info.failed, 0);
    for (uint32_t j = 0; j < N; j++) {
        assert_true(fabs(dd_control_estimate(dd_loop_controller(loop), j) - k.mean[j]) < 1e-6);
    }
    const char *json;
    assert_int_equal(dd_loop_json(&json, loop), DD_OK);
    assert_non_null(strstr(json, "\"cost\":null"));
    dd_loop_free(loop);
    remove(path);
    assert_int_not_equal(dd_loop_new(&loop, r.system, NULL, &o), DD_OK);
    free_rig(&r);
}

/* ---- a mechanism of index 3 ---- */

static const char *const pendulum =
    "model C parameter Real M = 1, m = 0.2, L = 0.5, g = 9.81; Real s(start = 0, fixed = true);"
    " Real vs(start = 0, fixed = true) = der(s); Real b[2](start = {0, -L}, fixed = {true, false});"
    " Real vb[2](start = {0, 0}, fixed = {true, false}) = der(b); input Real F(min = -10, max = 10); Real lam[1];"
    " equation lagrange(q = cat(1, {s}, b), T = 0.5*M*vs^2 + 0.5*m*(vb*vb), V = m*g*b[2],"
    " c = {(b[1] - s)^2 + b[2]^2 - L^2}, Q = {F, 0, 0}, lambda = lam); end C;"
    " optimization P(objectiveIntegrand = (b[2] - L)^2 + 0.1*s^2 + 1e-3*F^2, startTime = 0, finalTime = 1) extends C;"
    " annotation(experiment(StopTime = 8), Daedal(nmpc(samplePeriod = 0.05, measured = {\"s\", \"b\"}, noise = {0.002,"
    " 0.002}), mhe(horizon = 10, estimate = {\"m\"}, processNoise = {\"vs: 0.02\", \"vb: 0.02\"}, initialError ="
    " {\"m: 0.1\"}))); end P;";

/* Positions are measured: velocities and the mass are estimated, every estimate is on the constraint, and the swing-up of a
 * heavier pendulum than the model's ends upright. */
static void test_pendulum(void **state)
{
    (void)state;
    rig r = new_rig(pendulum);
    r.plant = load(&r, pendulum, "C", "m=0.25", &r.plant_model);
    dd_control_options o = settings(&r);
    dd_loop *loop;
    assert_int_equal(dd_loop_new(&loop, r.system, r.plant, &o), DD_OK);
    assert_int_equal(dd_loop_run(loop), DD_OK);
    const dd_loop_info info = dd_loop_get_info(loop);
    assert_int_equal(info.status, DD_LOOP_OK);
    assert_int_equal(info.failed, 0);
    const dd_control *c = dd_loop_controller(loop);
    double s = 0, b[2] = {0}, vs = 0, vb[2] = {0}, mass = 0;
    const char *const names[] = {"s", "b[1]", "b[2]", "vs", "vb[1]", "vb[2]", "m"};
    double *const values[] = {&s, &b[0], &b[1], &vs, &vb[0], &vb[1], &mass};
    for (uint32_t i = 0; i < dd_control_estimate_count(c); i++) {
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            if (strcmp(dd_control_estimate_name(c, i), names[k]) == 0) {
                *values[k] = dd_control_estimate(c, i);
            }
        }
    }
    assert_true(fabs((b[0] - s) * (b[0] - s) + b[1] * b[1] - 0.25) < 1e-9);
    assert_true(fabs((b[0] - s) * (vb[0] - vs) + b[1] * vb[1]) < 1e-8);
    assert_true(fabs(b[1] - 0.5) < 0.01);
    assert_true(fabs(mass - 0.25) < 0.02 * 0.25);
    dd_loop_free(loop);
    free_rig(&r);
}

/* ---- the reactor of index 2 ---- */

/* A <-> B -> C with a fast equilibrium; settings of mhe(...) and nmpc(...) to be put in. */
#define REACTOR(mode, mhe)                                                                                             \
    "model R parameter Real tau = 2, Keq = 2, kB = 0.7; input Real cA0(min = 0, max = 3, start = 1);"                  \
    " Real cA(start = 0.4, fixed = true), cB(start = 0.8), cC(start = 0, fixed = true); Real rA, rB;"                  \
    " equation der(cA) = (cA0 - cA)/tau - rA; der(cB) = -cB/tau + rA - rB; der(cC) = -cC/tau + rB;"                    \
    " cB = Keq*cA; rB = kB*cB; end R;"                                                                                 \
    " optimization P(objectiveIntegrand = (cC - 0.8)^2 + 1e-3*(cA0 - 1)^2, startTime = 0, finalTime = 4) extends R;"   \
    " annotation(experiment(StopTime = 20), Daedal(nmpc(samplePeriod = 0.2, measured = {\"cA\", \"cC\"},"              \
    " noise = {0.005, 0.005}" mode "), mhe(" mhe "))); end P;"

static const char *const reactor =
    REACTOR("", "horizon = 20, estimate = {\"kB\"}, processNoise = {\"cA: 0.001\", \"cC: 0.001\"}, initialError = "
                "{\"kB: 0.3\", \"cA: 0.1\", \"cC: 0.1\"}");
static const char *const reactor_rti =
    REACTOR(", mode = \"rti\"", "horizon = 20, estimate = {\"kB\"}, processNoise = {\"cA: 0.001\", \"cC: 0.001\"}, "
                                "initialError = {\"kB: 0.3\", \"cA: 0.1\", \"cC: 0.1\"}");

enum { SAMPLES = 100, LATER = 40 }; /* what is judged comes after LATER */

/* The plant has kB = 0.9; a part of the measurements is missing. */
static void recovers(const char *text, double missing, uint64_t seed)
{
    const double true_kb = 0.9, noise = 0.005;
    rig r = new_rig(text);
    r.plant = load(&r, text, "R", "kB=0.9", &r.plant_model);
    dd_control_options o = settings(&r);
    dd_control *c;
    assert_int_equal(dd_control_new(&c, r.system, &o), DD_OK);
    dd_sim_options so = dd_sim_options_default();
    so.hold_inputs = so.has_stop = true;
    so.keep_rows = false;
    so.stop = 0.2 * SAMPLES;
    dd_sim *plant;
    assert_int_equal(dd_sim_new(&plant, r.plant, &so), DD_OK);
    assert_int_equal(dd_sim_set(plant, "cA0", 1), DD_OK);
    assert_int_equal(dd_sim_begin(plant), DD_OK);
    const uint32_t at[2] = {dd_sim_find(plant, "cA"), dd_sim_find(plant, "cC")};
    dd_random random = dd_random_new(seed);
    double square = 0, kb = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double y[2], u;
        for (int j = 0; j < 2; j++) {
            const double gone = (double)(dd_random_bits(&random) >> 11) * 0x1p-53;
            y[j] = dd_sim_final(plant, at[j]) + noise * dd_random_normal(&random);
            y[j] = gone < missing ? NAN : y[j];
        }
        /* once the window is full a sample allocates nothing, estimate and plan with new parameters included */
        const uint64_t allocations = dd_context_allocations(r.ctx);
        assert_int_equal(dd_control_prepare(c), DD_OK);
        assert_int_equal(dd_control_step(c, y, &u), DD_OK);
        assert_true(i < LATER || dd_context_allocations(r.ctx) == allocations);
        assert_int_equal(dd_control_get_sample(c).status, DD_SAMPLE_SOLVED);
        for (uint32_t j = 0; j < 2 && i >= LATER; j++) {
            assert_string_equal(dd_control_estimate_name(c, j), j == 0 ? "cA" : "cC");
            const double error = dd_control_estimate(c, j) - dd_sim_final(plant, at[j]);
            square += error * error;
        }
        kb = dd_control_estimate(c, 2);
        assert_int_equal(dd_sim_set(plant, "cA0", u), DD_OK);
        assert_int_equal(dd_sim_step(plant, 0.2 * (i + 1)), DD_OK);
    }
    const double rms = sqrt(square / (2 * (SAMPLES - LATER)));
    if (fabs(kb - true_kb) >= 0.02 * true_kb || rms >= noise) {
        print_message("kB %.6g, error of the states %.3g\n", kb, rms);
    }
    assert_true(fabs(kb - true_kb) < 0.02 * true_kb);
    assert_true(rms < noise);
    /* the controller knows the parameter too: the set-point is met */
    assert_true(fabs(dd_sim_final(plant, at[1]) - 0.8) < 0.01);
    dd_sim_free(plant);
    dd_control_free(c);
    free_rig(&r);
}

static void test_reactor(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        recovers(reactor, 0, seed);
    }
}

static void test_missing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        recovers(reactor, 0.2, seed);
    }
}

static void test_reactor_rti(void **state)
{
    (void)state;
    recovers(reactor_rti, 0, 1);
    recovers(reactor_rti, 0.2, 2);
}

/* ---- what is refused ---- */

static void refused(const char *text, const char *part)
{
    rig r = new_rig(text);
    dd_control_options o = settings(&r);
    dd_control *c;
    const dd_status st = dd_control_new(&c, r.system, &o);
    if (st == DD_OK || strstr(dd_context_message(r.ctx), part) == NULL) {
        print_message("%s\n", st == DD_OK ? "accepted" : dd_context_message(r.ctx));
    }
    assert_true(st != DD_OK);
    assert_non_null(strstr(dd_context_message(r.ctx), part));
    assert_null(c);
    free_rig(&r);
}

static void test_refused(void **state)
{
    (void)state;
    refused(OSCILLATOR("horizon = 1"), "at least 2 samples");
    refused(OSCILLATOR("horizon = 5, estimate = {\"b\"}"), "b needs the error of its first value");
    refused(OSCILLATOR("horizon = 5, estimate = {\"x\"}"), "x is not a parameter");
    refused(OSCILLATOR("horizon = 5, estimate = {\"bb\"}"), "did you mean \"b\"");
    refused(OSCILLATOR("horizon = 5, processNoise = {\"v\"}"), "v needs a positive standard deviation");
    refused(OSCILLATOR("horizon = 5, processNoise = {\"u: 1\"}"), "u is not a variable");
    refused(OSCILLATOR("horizon = 5, initialError = {\"b: 1\"}"), "b is neither a state nor");
    refused(OSCILLATOR("horizon = 5, initialError = {\"x: -1\"}"), "x needs a positive standard deviation");
    refused(REACTOR("", "horizon = 5, processNoise = {\"rA: 1\"}"), "rA has no derivative");
    /* a position whose constraint is differentiated twice */
    refused("model M input Real F; Real x(start = 0, fixed = true), y(start = -1), vx(start = 0, fixed = true), vy, l;"
            " equation der(x) = vx; der(y) = vy; der(vx) = l*x + F; der(vy) = l*y - 9.81; x^2 + y^2 = 1; end M;"
            " optimization P(objectiveIntegrand = x^2 + F^2, startTime = 0, finalTime = 1) extends M;"
            " annotation(Daedal(nmpc(samplePeriod = 0.1), mhe(horizon = 4, processNoise = {\"x: 1\"}))); end P;",
            "would differentiate the noise of x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kalman),  cmocka_unit_test(test_recorded), cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_reactor), cmocka_unit_test(test_missing),  cmocka_unit_test(test_reactor_rti),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
