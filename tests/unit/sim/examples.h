/* examples.h - models of examples/ simulated within a test, and their values by name. */
#ifndef DD_TESTS_SIM_EXAMPLES_H
#define DD_TESTS_SIM_EXAMPLES_H

#include "daedal/daedal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_SETTINGS = 4 };

typedef struct run {
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    dd_sim *sim;
    dd_sim_info info;
} run;

static const double TOL = 1e-9, NEAR = 1e-7, PI = 3.14159265358979323846;

static inline dd_sim_options until(double stop)
{
    dd_sim_options o = dd_sim_options_default();
    o.has_stop = true;
    o.stop = stop;
    o.tol = TOL;
    return o;
}

static inline void go(run *r, const dd_sim_options *o)
{
    assert_int_equal(dd_model_analyse(&r->system, r->model, NULL), DD_OK);
    assert_int_equal(dd_sim_new(&r->sim, r->system, o), DD_OK);
    assert_int_equal(dd_sim_run(r->sim), DD_OK);
    r->info = dd_sim_get_info(r->sim);
}

/* settings: up to four, separated by spaces; NULL: none */
static inline run simulate(const char *file, const char *class_name, const char *settings, dd_sim_options o)
{
    run r = {0};
    char path[1000], copy[200];
    const char *list[MOST_SETTINGS];
    dd_load_options load = dd_load_options_default();
    const char *source = getenv("DAEDAL_SOURCE");
    snprintf(path, sizeof path, "%s/examples/%s", source ? source : ".", file);
    snprintf(copy, sizeof copy, "%s", settings ? settings : "");
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
        list[load.n_settings++] = word;
    }
    load.class_name = class_name;
    load.settings = list;
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_file(&r.model, r.ctx, path, &load), DD_OK);
    go(&r, &o);
    return r;
}

static inline run simulate_text(const char *text, dd_sim_options o)
{
    run r = {0};
    assert_int_equal(dd_context_new(&r.ctx, NULL), DD_OK);
    assert_int_equal(dd_model_load_text(&r.model, r.ctx, "m.mo", text, strlen(text), NULL), DD_OK);
    go(&r, &o);
    return r;
}

static inline void end(run *r)
{
    dd_sim_free(r->sim);
    dd_system_free(r->system);
    dd_model_free(r->model);
    dd_context_free(r->ctx);
}

static inline uint32_t variable(const run *r, const char *name)
{
    for (uint32_t i = 0; i < dd_sim_variable_count(r->sim); i++) {
        if (strcmp(dd_sim_variable_name(r->sim, i), name) == 0) {
            return i;
        }
    }
    fail_msg("no variable %s", name);
    return 0;
}

static inline double value(const run *r, const char *name)
{
    return dd_sim_final(r->sim, variable(r, name));
}

static inline void expect(const run *r, const char *name, double expected, double tol)
{
    assert_int_equal(r->info.status, DD_SIM_OK);
    if (!(fabs(value(r, name) - expected) <= tol * (1 + fabs(expected)))) {
        fail_msg("%s = %.12g, expected %.12g", name, value(r, name), expected);
    }
}

static inline double row_value(const run *r, uint64_t row, const char *format, uint32_t i)
{
    char name[20];
    snprintf(name, sizeof name, format, i); /* NOLINT: a format of this file */
    return dd_sim_row_value(r->sim, row, variable(r, name));
}

/* The largest |value| of a variable over the rows. */
static inline double largest(const run *r, const char *name)
{
    double most = 0;
    const uint32_t column = variable(r, name);
    for (uint64_t row = 0; row < dd_sim_row_count(r->sim); row++) {
        most = fmax(most, fabs(dd_sim_row_value(r->sim, row, column)));
    }
    return most;
}

/* How much a variable changes over the rows. */
static inline double spread(const run *r, const char *name)
{
    double low = INFINITY, high = -INFINITY;
    const uint32_t column = variable(r, name);
    for (uint64_t row = 0; row < dd_sim_row_count(r->sim); row++) {
        low = fmin(low, dd_sim_row_value(r->sim, row, column));
        high = fmax(high, dd_sim_row_value(r->sim, row, column));
    }
    return high - low;
}

#endif
