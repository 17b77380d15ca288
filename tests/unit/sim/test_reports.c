/* Reports of a simulation: text, JSON, CSV and pages in any locale, and when memory fails anywhere on the way. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daedal/daedal.h"
#include "unit/base/support.h"

static const char model_text[] =
    "model M\n Real x(start = 1, fixed = true); Real y[2];\nequation\n der(x) = -x + y[1];\n"
    " y[1] = if x > 0.75 then 0.5 else 0.5000001;\n y[2] = 2*x;\nend M;\n";
static const char quoted_text[] =
    "model M\n Real 'a[b'(start = 1, fixed = true);\nequation\n der('a[b') = 0;\nend M;\n";
static const char bad_text[] = "model M\n Real x(start = 1, fixed = true);\nequation\n der(x) = x^2;\nend M;\n";

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
} run;

static dd_status start_run(run *r, const char *text, double stop)
{
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = stop;
    o.keep_curves = true;
    dd_status st = dd_model_load_text(&r->model, r->ctx, "m.mo", text, strlen(text), NULL);
    if (st == DD_OK) {
        st = dd_model_analyse(&r->system, r->model, NULL);
    }
    if (st == DD_OK) {
        st = dd_sim_new(&r->sim, r->system, &o);
    }
    return st == DD_OK ? dd_sim_run(r->sim) : st;
}

static void end_run(run *r)
{
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

/* x = (1 + exp(-t))/2, the switch at log 2 */
static void test_content(void **state)
{
    (void)state;
    run r = {.ctx = new_context()};
    assert_int_equal(start_run(&r, model_text, 2), DD_OK);
    const char *json, *text;
    char expected[200];
    assert_int_equal(dd_sim_json(&json, r.sim), DD_OK);
    assert_int_equal(strncmp(json, "{\"status\":\"ok\",\"model\":\"M\",\"method\":\"", 37), 0);
    const double x = dd_sim_final(r.sim, 0);
    assert_true(fabs(x - 0.5 * (1 + exp(-2.0))) < 1e-5);
    snprintf(expected, sizeof expected, "\"final\":{\"x\":%.17g", x);
    char *cut = strchr(expected + 10, '.'); /* shortest digits may be fewer than 17 */
    cut[14] = 0;
    assert_non_null(strstr(json, expected));
    assert_int_equal(dd_sim_event_count(r.sim), 1);
    assert_true(fabs(dd_sim_event_time(r.sim, 0) - log(2)) < 1e-5);
    assert_non_null(strstr(json, "\"events\":1"));
    assert_int_equal(dd_sim_text(&text, r.sim, false), DD_OK);
    assert_non_null(strstr(text, "M: from time 0 to 2 with "));
    assert_non_null(strstr(text, "1 event,"));
    assert_null(strchr(text, '\033'));
    assert_int_equal(dd_sim_text(&text, r.sim, true), DD_OK);
    assert_non_null(strchr(text, '\033'));
    double begin, end;
    dd_sim_time_range(r.sim, &begin, &end);
    assert_true(begin == 0 && end == 2);
    end_run(&r);
}

/* decimal points stay points (skipped where no other locale is installed) */
static void test_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        skip();
    }
    const char *json, *text;
    run r = {.ctx = new_context()};
    assert_int_equal(start_run(&r, bad_text, 1.5), DD_OK);
    assert_int_equal(dd_sim_get_info(r.sim).status, DD_SIM_STEP_TOO_SMALL);
    assert_int_equal(dd_sim_json(&json, r.sim), DD_OK);
    assert_int_equal(dd_sim_text(&text, r.sim, false), DD_OK);
    char point = localeconv()->decimal_point[0];
    setlocale(LC_ALL, "C");
    assert_int_equal(point, ',');
    assert_non_null(strstr(text, "to 1.5"));
    for (const char *p = text; (p = strchr(p, ',')) != NULL; p++) {
        assert_int_equal(p[1], ' ');
    }
    assert_null(strstr(dd_sim_get_info(r.sim).reason, ","));
    end_run(&r);
}

static dd_status everything(run *r, const char *csv, const char *html)
{
    const char *text;
    dd_status st = start_run(r, model_text, 2);
    if (st == DD_OK && dd_sim_get_info(r->sim).status == DD_SIM_OUT_OF_MEMORY) {
        st = DD_OUT_OF_MEMORY; /* the trajectory so far is kept */
    }
    if (st == DD_OK) {
        st = dd_sim_write_csv(r->sim, csv);
    }
    if (st == DD_OK) {
        st = dd_sim_write_report(r->sim, html);
    }
    if (st == DD_OK) {
        static const char *const requests[] = {"both: x, y", "y[2] over x"};
        st = dd_sim_write_plot(r->sim, html, requests, 2);
    }
    if (st == DD_OK) {
        st = dd_sim_json(&text, r->sim);
    }
    return st == DD_OK ? dd_sim_text(&text, r->sim, false) : st;
}

/* One run with the n-th allocation failing; *made: how many there were. */
static dd_status run_failing(uint64_t n, uint64_t *made)
{
    counting count = {0};
    dd_context_options options = dd_context_options_default();
    options.alloc = counting_alloc;
    options.alloc_user = &count;
    options.fail_at = n;
    run r = {0};
    dd_status st = dd_context_new(&r.ctx, &options);
    if (st == DD_OK) {
        st = everything(&r, "/dev/null", "/dev/null");
        *made = dd_context_allocations(r.ctx);
    }
    end_run(&r);
    assert_int_equal(count.bytes, 0);
    assert_int_equal(count.blocks, 0);
    return st;
}

static void test_failing_allocations(void **state)
{
    (void)state;
    uint64_t total, made;
    assert_int_equal(run_failing(0, &total), DD_OK);
    assert_true(total > 300);
    for (uint64_t n = 1; n <= total; n += n < total - 150 ? 3 : 1) {
        assert_int_equal(run_failing(n, &made), DD_OUT_OF_MEMORY);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    run r = {.ctx = new_context()};
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", bad_text, strlen(bad_text), NULL), DD_OK);
    assert_int_equal(dd_model_analyse(&r.system, r.model, NULL), DD_OK);
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    for (int i = 0; i < 8; i++) {
        dd_sim_options wrong = o;
        wrong.stop = i == 0 ? 0 : i == 1 ? NAN : i == 2 ? INFINITY : 1;
        wrong.tol = i == 3 ? -1 : i == 4 ? NAN : i == 5 ? 1 : 0;
        wrong.method = i == 6 ? "radua" : NULL;
        wrong.points = i == 7 ? 1 : 0;
        wrong.interval = i == 7 ? 0.5 : 0;
        assert_int_equal(dd_sim_new(&r.sim, r.system, &wrong), DD_INVALID_ARGUMENT);
        assert_null(r.sim);
        assert_true(strlen(dd_context_message(r.ctx)) > 10);
    }
    o.stop = 0.5;
    assert_int_equal(dd_sim_new(&r.sim, r.system, &o), DD_OK);
    assert_int_equal(dd_sim_write_report(r.sim, "/dev/null"), DD_INVALID_ARGUMENT); /* nothing to draw yet */
    assert_int_equal(dd_sim_run(r.sim), DD_OK);
    assert_int_equal(dd_sim_write_report(r.sim, "/nonexistent/a.html"), DD_IO);
    assert_int_equal(dd_sim_write_plot(r.sim, "/nonexistent/a.svg", NULL, 0), DD_IO);
    assert_int_equal(dd_sim_write_csv(r.sim, "/nonexistent/a.csv"), DD_IO);
    const char *json;
    assert_int_equal(dd_sim_json(&json, r.sim), DD_OK);
    assert_null(strstr(json, "\"output\""));
    end_run(&r);
}

static char *read_text(const char *path)
{
    static char text[200000];
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    const size_t length = fread(text, 1, sizeof text - 1, f);
    text[length] = 0;
    fclose(f);
    return text;
}

static uint32_t count_of(const char *text, const char *part)
{
    uint32_t count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}

/* which lines, captions and axes a request makes; what it cannot name */
static void test_pictures(void **state)
{
    (void)state;
    static const struct {
        const char *request;
        uint32_t lines; /* curves and the samples beside them in the legend */
        const char *texts[2];
    } good[] = {{"x", 1, {">x<", ">time<"}},
                {"y", 4, {">y[1]<", ">y[2]<"}},
                {"y[:], x", 6, {">y[2]<", ">x<"}},
                {" a <caption> [m] :x , y[1]", 4, {">a &#60;caption&#62; [m]<", ">y[1]<"}},
                {"a path: y[2] over x", 1, {">y[2] \xC2\xB7 a path<", ">x<"}},
                {"x over time [h]", 1, {">x<", ">time [h]<"}}};
    static const char *const bad[] = {"", "z", "x,", "x over z", "x over y", "x over ", "y[3]", "x[1]", "c:", "y[1"};
    char path[] = "/tmp/daedal-picture-XXXXXX";
    const int fd = mkstemp(path);
    run r = {.ctx = new_context()};
    assert_true(fd >= 0);
    assert_int_equal(start_run(&r, model_text, 2), DD_OK);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(dd_sim_check_plot(r.sim, &good[i].request, 1), DD_OK);
        assert_int_equal(dd_sim_write_plot(r.sim, path, &good[i].request, 1), DD_OK);
        const char *svg = read_text(path);
        assert_int_equal(count_of(svg, "class=\"l\""), good[i].lines);
        assert_non_null(strstr(svg, good[i].texts[0]));
        assert_non_null(strstr(svg, good[i].texts[1]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(dd_sim_check_plot(r.sim, &bad[i], 1), DD_INVALID_ARGUMENT);
        assert_true(strlen(dd_context_message(r.ctx)) > 10);
    }
    assert_int_equal(dd_sim_write_plot(r.sim, path, NULL, 0), DD_OK);
    assert_int_equal(count_of(read_text(path), "<g "), 2); /* a panel for x, one for y */
    end_run(&r);
    r = (run){.ctx = new_context()};
    assert_int_equal(start_run(&r, quoted_text, 2), DD_OK);
    static const char *const quoted[] = {"'a[b'", "'a"};
    assert_int_equal(dd_sim_write_plot(r.sim, path, quoted, 1), DD_OK);
    assert_int_equal(dd_sim_check_plot(r.sim, quoted + 1, 1), DD_INVALID_ARGUMENT);
    close(fd);
    unlink(path);
    end_run(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content),  cmocka_unit_test(test_locale),   cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
