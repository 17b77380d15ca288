/* Measured data and fits: columns as functions of time, least squares against closed forms and against a Newton iteration
 * of its own, standard deviations and correlations from the formulas of regression. */
#include "nlp/nlp.h"
#include "ocp/data.h"
#include "ocp/residuals.h"
#include "ocp/statistics.h"
#include "unit/ocp/ocp_kit.h"

/* linear between rows, held beyond, a repeated time is a jump */
static void test_column(void **state)
{
    (void)state;
    double rows[] = {0, 2, 1, 4, 1, -1, 3, 1}; /* time, value */
    dd_table table = {.data = rows, .count = 4, .capacity = 4, .width = 2};
    const dd_data_column c = {.rows = &table};
    assert_true(dd_data_at(&c, -5, false) == 2 && dd_data_at(&c, 9, false) == 1);
    assert_near(dd_data_at(&c, 0.25, false), 2.5, 1e-15);
    assert_near(dd_data_at(&c, 2.5, true), 0.5, 1e-15);
    assert_true(dd_data_at(&c, 1, true) == 4 && dd_data_at(&c, 1, false) == -1);
    assert_true(dd_data_at(&c, 0, true) == 2 && dd_data_at(&c, 3, false) == 1);
}

/* ---- a line ---- */

enum { LINE = 9 };
static const double line_t[LINE] = {0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4};
static const double line_y[LINE] = {1.02, 1.31, 1.48, 1.77, 2.05, 2.21, 2.53, 2.72, 3.04};

static void write_table(const char *path, const char *name, const double *t, const double *y, uint32_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fprintf(f, "time,%s,other\n", name);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(f, "%.17g,%.17g,%u\n", t[i], y[i], i);
        if (i == 3) {
            fprintf(f, "%.17g,,7\n", t[i] + 0.1); /* a measurement that was not made */
        }
    }
    fclose(f);
}

static const char line_text[] =
    "model Line\n"
    "  parameter Real a = 0, b = 0;\n"
    "  Real y(start = a, fixed = true);\n"
    "equation\n"
    "  der(y) = b;\n"
    "end Line;\n"
    "optimization Fit(objective = sum({(y(0.5*i) - m(0.5*i))^2 for i in 0:8}), startTime = 0, finalTime = 4)\n"
    "  extends Line(a(free = true), b(free = true));\n"
    "  annotation(Daedal(data = \"line.csv\"SIGMA));\n"
    "end Fit;\n";

/* [n St; St Stt] [a b] = [Sy Sty], cov = s^2 of its inverse */
static void check_line(const kit *k, double sigma)
{
    double st = 0, stt = 0, sy = 0, sty = 0, s = 0;
    for (int i = 0; i < LINE; i++) {
        st += line_t[i];
        stt += line_t[i] * line_t[i];
        sy += line_y[i];
        sty += line_t[i] * line_y[i];
    }
    const double det = LINE * stt - st * st, a = (stt * sy - st * sty) / det, b = (LINE * sty - st * sy) / det;
    for (int i = 0; i < LINE; i++) {
        s += pow(a + b * line_t[i] - line_y[i], 2);
    }
    const double variance = sigma > 0 ? sigma * sigma : s / (LINE - 2);
    const struct dd_statistics *got = k->ocp->statistics;
    assert_int_equal(k->info.status, DD_OCP_OPTIMAL);
    assert_near(k->info.objective, s, 1e-12);
    assert_near(kit_parameter(k, 0), a, 1e-9);
    assert_near(kit_parameter(k, 1), b, 1e-9);
    assert_non_null(got);
    assert_int_equal(got->residuals, LINE);
    assert_int_equal(got->estimated, 2);
    assert_true(got->given == (sigma > 0));
    assert_near(got->deviation[0], sqrt(variance * stt / det), 1e-9);
    assert_near(got->deviation[1], sqrt(variance * LINE / det), 1e-9);
    assert_near(got->correlation[1], -st / sqrt(LINE * stt), 1e-9);
    assert_near(got->correlation[2], got->correlation[1], 1e-12);
    assert_true(got->correlation[0] == 1 && got->correlation[3] == 1);
}

static void with_sigma(const char *text, const char *setting, char *out, size_t size)
{
    const char *at = strstr(text, "SIGMA");
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, setting, at + 5);
}

static void test_line(void **state)
{
    (void)state;
    kit_folder f = kit_folder_new("line.csv");
    dd_ocp_options o = dd_ocp_options_default();
    char text[2000];
    write_table(f.file, "m", line_t, line_y, LINE);
    o.intervals = 8;
    with_sigma(line_text, "", text, sizeof text);
    kit k = kit_solve(f.model, text, &o);
    check_line(&k, 0);
    const char *json;
    assert_int_equal(dd_ocp_json(&json, k.ocp), DD_OK);
    assert_non_null(strstr(json, "\"parameters_std\":{\"a\":"));
    assert_non_null(strstr(json, "\"correlation\":[[1,"));
    kit_free(&k);
    with_sigma(line_text, ", sigma = 0.25", text, sizeof text);
    k = kit_solve(f.model, text, &o);
    check_line(&k, 0.25);
    kit_free(&k);
    kit_folder_free(&f);
}

/* what a page draws: a line's own residuals, and the measured values beside y; `scale` is that of a residual */
static void check_residuals(const kit *k, double scale)
{
    dd_pool *pool = dd_pool_new(k->ctx);
    const dd_residual_vec list = dd_ocp_residuals(k->ocp, pool);
    const double a = kit_parameter(k, 0), b = kit_parameter(k, 1);
    assert_int_equal(list.len, LINE);
    assert_int_equal(dd_residuals_alike(&list, 0), LINE);
    for (int i = 0; i < LINE; i++) {
        const dd_residual *r = &list.data[i];
        assert_near(r->t, line_t[i], 1e-12);
        assert_near(r->value, scale * (a + b * line_t[i] - line_y[i]), 1e-9);
        assert_near(r->measured, line_y[i], 1e-9);
        assert_string_equal(dd_model_var_name_dup(k->model, r->of, pool), "y");
        assert_string_equal(r->data, "m");
    }
    dd_pool_free(pool);
}

/* the terms of the objective, and of an integral at the rows of the data */
static void test_residuals(void **state)
{
    (void)state;
    static const struct {
        const char *objective;
        double scale;
    } cases[] = {{"objective = sum({(y(0.5*i) - m(0.5*i))^2 for i in 0:8})", 1},
                 {"objective = 4*sum({3*((m(0.5*i) - y(0.5*i))/2)^2 for i in 0:8}) + 7", -1.7320508075688772},
                 {"objectiveIntegrand = 9*(y - m)^2", 3}};
    kit_folder f = kit_folder_new("line.csv");
    dd_ocp_options o = dd_ocp_options_default();
    write_table(f.file, "m", line_t, line_y, LINE);
    o.intervals = 8;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "optimization Fit(%s, startTime = 0, finalTime = 4)\n"
                 "  parameter Real a(free = true) = 0, b(free = true) = 0;\n"
                 "  Real y(start = a, fixed = true);\n"
                 "equation\n"
                 "  der(y) = b;\n"
                 "  annotation(Daedal(data = \"line.csv\"));\n"
                 "end Fit;\n",
                 cases[i].objective);
        kit k = kit_solve(f.model, text, &o);
        assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
        check_residuals(&k, cases[i].scale);
        kit_free(&k);
    }
    kit_folder_free(&f);
}

/* ---- exponential decay, y = a exp(-k t) ---- */

enum { DECAY = 21 };

static void decay_table(double *t, double *y)
{
    for (int i = 0; i < DECAY; i++) {
        t[i] = 0.2 * i;
        y[i] = 2 * exp(-0.7 * t[i]) + 0.03 * sin(5.0 * i * i); /* errors that look random */
    }
}

typedef struct decay_fit {
    double k, a, sum, k_deviation;
} decay_fit;

/* Gauss-Newton to the solution, then the Hessian with its second derivatives. */
static decay_fit fit_decay(const double *t, const double *y)
{
    decay_fit f = {.k = 1, .a = 2};
    double h[3] = {0};
    for (int it = 0; it < 200; it++) {
        double n[3] = {0}, g[2] = {0};
        f.sum = h[0] = h[1] = h[2] = 0;
        for (int i = 0; i < DECAY; i++) {
            const double e = exp(-f.k * t[i]), r = f.a * e - y[i], jk = -t[i] * f.a * e, ja = e;
            f.sum += r * r;
            g[0] += jk * r;
            g[1] += ja * r;
            n[0] += jk * jk;
            n[1] += jk * ja;
            n[2] += ja * ja;
            h[0] += jk * jk + r * t[i] * t[i] * f.a * e;
            h[1] += jk * ja - r * t[i] * e;
            h[2] += ja * ja;
        }
        const double det = n[0] * n[2] - n[1] * n[1];
        f.k -= (n[2] * g[0] - n[1] * g[1]) / det;
        f.a -= (n[0] * g[1] - n[1] * g[0]) / det;
    }
    f.k_deviation = sqrt(f.sum / (DECAY - 2) * h[2] / (h[0] * h[2] - h[1] * h[1]));
    return f;
}

static const char decay_text[] =
    "model Decay\n"
    "  parameter Real k = 1;\n"
    "  Real y(start = 1);\n"
    "equation\n"
    "  der(y) = -k*y;\n"
    "end Decay;\n"
    "optimization Fit(objective = sum({(y(0.2*i) - m(0.2*i))^2 for i in 0:20}), startTime = 0, finalTime = 4)\n"
    "  extends Decay(k(free = true, min = 0, initialGuess = 1));\n"
    "  annotation(Daedal(data = \"decay.csv\"));\n"
    "end Fit;\n";

/* the start value is estimated too, though it is no parameter */
static void test_decay(void **state)
{
    (void)state;
    kit_folder f = kit_folder_new("decay.csv");
    double t[DECAY], y[DECAY];
    decay_table(t, y);
    write_table(f.file, "m", t, y, DECAY);
    const decay_fit truth = fit_decay(t, y);
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = 20;
    kit k = kit_solve(f.model, decay_text, &o);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_near(kit_parameter(&k, 0), truth.k, 1e-7);
    assert_near(k.info.objective, truth.sum, 1e-8);
    assert_non_null(k.ocp->statistics);
    assert_int_equal(k.ocp->statistics->estimated, 2);
    assert_near(k.ocp->statistics->deviation[0], truth.k_deviation, 1e-6 * truth.k_deviation);
    kit_free(&k);
    kit_folder_free(&f);
}

/* ---- an integral of squares, and an input that is measured ---- */

static const char tracking_text[] =
    "model Tank\n"
    "  parameter Real c = 1;\n"
    "  input Real q;\n"
    "  Real h(start = 1, fixed = true);\n"
    "equation\n"
    "  der(h) = q - c*h;\n"
    "end Tank;\n"
    "optimization Fit(objectiveIntegrand = (h - level)^2, startTime = 0, finalTime = 2)\n"
    "  extends Tank(c(free = true, min = 0.1, max = 10, initialGuess = 0.5));\n"
    "  annotation(Daedal(data = \"tank.csv\"));\n"
    "end Fit;\n";

/* q = 1 + t from two rows; level is the exact answer with c = 2: h' = 1 + t - 2 h, h = 1/4 + t/2 + 3/4 exp(-2 t) */
static void test_measured_input(void **state)
{
    (void)state;
    kit_folder f = kit_folder_new("tank.csv");
    FILE *file = fopen(f.file, "wb");
    assert_non_null(file);
    fprintf(file, "time,q,level\n");
    for (int i = 0; i <= 1000; i++) {
        const double t = 2.0 * i / 1000;
        if (i == 0 || i == 1000) {
            fprintf(file, "%.17g,%.17g,", t, 1 + t);
        } else {
            fprintf(file, "%.17g,,", t);
        }
        fprintf(file, "%.17g\n", 0.25 + t / 2 + 0.75 * exp(-2 * t));
    }
    fclose(file);
    kit k = kit_solve(f.model, tracking_text, NULL);
    assert_int_equal(k.info.status, DD_OCP_OPTIMAL);
    assert_int_equal(k.ocp->problem->u.len, 0); /* the input is measured, not decided */
    assert_near(kit_parameter(&k, 0), 2, 1e-5);
    assert_true(k.info.objective < 1e-11);
    assert_true(k.info.simulation_difference < 1e-6); /* the simulation sees the data too */
    assert_non_null(k.ocp->statistics);
    assert_int_equal(k.ocp->statistics->residuals, 1001);
    kit_free(&k);
    kit_folder_free(&f);
}

/* ---- what is refused ---- */

static void load_fails(const char *csv, const char *words)
{
    kit_folder f = kit_folder_new("line.csv");
    FILE *file = fopen(f.file, "wb");
    assert_non_null(file);
    fputs(csv, file);
    fclose(file);
    char text[2000];
    with_sigma(line_text, "", text, sizeof text);
    dd_context *ctx = new_context();
    dd_model *model = NULL;
    assert_int_equal(dd_model_load_text(&model, ctx, f.model, text, strlen(text), NULL), DD_INVALID_MODEL);
    bool found = false;
    for (size_t i = 0; i < dd_context_diagnostic_count(ctx); i++) {
        found = found || strstr(dd_context_diagnostic(ctx, i).message, words) != NULL;
    }
    assert_true(found);
    dd_model_free(model);
    dd_context_free(ctx);
    kit_folder_free(&f);
}

static void test_refused(void **state)
{
    (void)state;
    load_fails("", "empty");
    load_fails("t,m\n0,1\n", "no column is named `time`");
    load_fails("time,m\n0,1\n1\n", "line.csv:3: 1 fields, but the header has 2");
    load_fails("time,m\n0,x\n", "is not a finite number");
    load_fails("time,m\n1,1\n0,1\n", "time goes backwards");
    load_fails("time,m,m\n0,1,1\n", "appears twice");
    load_fails("time,m\n0,\n", "contains no number");
    load_fails("time,n\n0,1\n", "m"); /* no such name */
}

/* with a free horizon the time of a measurement is not known */
static void test_free_horizon(void **state)
{
    (void)state;
    kit_folder f = kit_folder_new("line.csv");
    static const char text[] =
        "optimization O(objectiveIntegrand = (x - m)^2, finalTime(free = true, min = 1, max = 2))\n"
        "  Real x(start = 0, fixed = true);\n  input Real u;\nequation\n  der(x) = u;\n"
        "  annotation(Daedal(data = \"line.csv\"));\nend O;\n";
    write_table(f.file, "m", line_t, line_y, LINE);
    kit k = kit_solve(f.model, text, NULL);
    assert_int_equal(k.info.status, DD_OCP_INVALID_MODEL);
    assert_non_null(strstr(k.info.reason, "free"));
    kit_free(&k);
    unlink(f.file);
    k = kit_solve(f.model,
                  "optimization O(objectiveIntegrand = x^2, finalTime = 1)\n"
                  "  Real x(start = 0, fixed = true);\n  input Real u;\nequation\n  der(x) = u;\n"
                  "  annotation(Daedal(data = \"line.csv\"));\nend O;\n",
                  NULL);
    assert_int_equal(k.info.status, DD_OCP_INVALID_MODEL); /* no such file */
    assert_non_null(strstr(k.info.reason, "line.csv"));
    kit_free(&k);
    kit_folder_free(&f);
}

int main(void)
{
    if (!dd_nlp_available()) {
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column),         cmocka_unit_test(test_line),
                                       cmocka_unit_test(test_residuals),      cmocka_unit_test(test_decay),
                                       cmocka_unit_test(test_measured_input), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_free_horizon)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
