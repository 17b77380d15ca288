/* record_loop.c - a closed loop in the library, with noise and missing measurements, as CSV: what was measured, the inputs, the
 * estimates, the status and the milliseconds of every sample. Generated controllers are run on these measurements and must
 * answer the same.
 *
 *     record_loop FILE CLASS STOP MISSING [NAME VALUE]...     MISSING: part of the measurements, 0 to 1; options by their names
 *
 * The plant, its noise and all other settings are those of the class. A missing measurement is an empty cell. */
#include <daedal/daedal.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct record {
    dd_control_options options;
    dd_control *control;
    dd_sim *plant;
    double sigma[MOST];
    double stop, missing;
} record;

/* ---- noise: any sequence will do, so long as it is always the same ---- */

static double uniform(void)
{
    static unsigned long long state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    const double r = sqrt(-2 * log(1 - uniform()));
    return r * cos(6.283185307179586 * uniform());
}

/* One standard deviation for all names, or one per name. */
static void read_sigma(record *r)
{
    const char *at = r->options.noise != NULL ? r->options.noise : "0";
    for (uint32_t i = 0; i < dd_control_measured_count(r->control); i++) {
        r->sigma[i] = strtod(at, NULL);
        const char *next = strchr(at, ',');
        at = next != NULL ? next + 1 : at;
    }
}

/* ---- the loop ---- */

/* m[1,2] has a comma. */
static void print_name(const char *before, const char *name)
{
    const char *quote = strchr(name, ',') != NULL ? "\"" : "";
    printf(",%s%s%s%s", quote, before, name, quote);
}

static void print_header(const record *r)
{
    const dd_control *c = r->control;
    printf("time");
    for (uint32_t i = 0; i < dd_control_measured_count(c); i++) {
        print_name("", dd_control_measured_name(c, i));
    }
    for (uint32_t i = 0; i < dd_control_input_count(c); i++) {
        print_name("input.", dd_control_input_name(c, i));
    }
    for (uint32_t i = 0; i < dd_control_estimate_count(c); i++) {
        print_name("estimate.", dd_control_estimate_name(c, i));
    }
    printf(",status,solve_ms\n");
}

static dd_status sample(record *r)
{
    dd_control *c = r->control;
    const double t = dd_control_time(c);
    double y[MOST], u[MOST];
    printf("%.17g", t);
    for (uint32_t i = 0; i < dd_control_measured_count(c); i++) {
        const double value = dd_sim_final(r->plant, dd_sim_find(r->plant, dd_control_measured_name(c, i)));
        y[i] = value + r->sigma[i] * normal();
        y[i] = uniform() < r->missing && t > 0 ? NAN : y[i]; /* the first sample determines where the search begins */
        printf(isnan(y[i]) ? "," : ",%.17g", y[i]);
    }
    dd_status st = dd_control_prepare(c);
    st = st == DD_OK ? dd_control_step(c, y, u) : st;
    /* the inputs are applied after the delay, and held */
    st = st == DD_OK && r->options.delay > 0 ? dd_sim_step(r->plant, t + r->options.delay) : st;
    for (uint32_t i = 0; i < dd_control_input_count(c) && st == DD_OK; i++) {
        printf(",%.17g", u[i]);
        st = dd_sim_set(r->plant, dd_control_input_name(c, i), u[i]);
    }
    for (uint32_t i = 0; i < dd_control_estimate_count(c); i++) {
        printf(",%.17g", dd_control_estimate(c, i));
    }
    const dd_sample_info done = dd_control_get_sample(c);
    printf(",%d,%.9f\n", (int)done.status, 1e3 * (done.seconds_preparation + done.seconds_feedback));
    return st == DD_OK ? dd_sim_step(r->plant, dd_control_time(c)) : st;
}

static dd_status run(record *r, const dd_system *system, const dd_system *plant)
{
    dd_sim_options options = dd_sim_options_default();
    dd_status st = dd_control_new(&r->control, system, &r->options);
    options.hold_inputs = options.has_start = options.has_stop = true;
    options.keep_rows = false;
    options.start = dd_control_time(r->control);
    options.stop = r->stop + 2 * r->options.sample_period;
    st = st == DD_OK ? dd_sim_new(&r->plant, plant, &options) : st;
    st = st == DD_OK ? dd_sim_begin(r->plant) : st;
    if (st == DD_OK && (dd_control_measured_count(r->control) > MOST || dd_control_input_count(r->control) > MOST)) {
        return DD_INVALID_ARGUMENT;
    }
    if (st == DD_OK) {
        read_sigma(r);
        print_header(r);
    }
    while (st == DD_OK && dd_control_time(r->control) <= r->stop + 1e-6 * r->options.sample_period) {
        st = sample(r);
    }
    return st;
}

int main(int argc, char **argv)
{
    if (argc < 5 || argc % 2 == 0) {
        return 2;
    }
    dd_context *ctx = NULL;
    dd_model *model = NULL, *plant_model = NULL;
    dd_system *system = NULL, *plant = NULL;
    dd_load_options load = dd_load_options_default();
    record r = {.options = dd_control_options_default(), .stop = atof(argv[3]), .missing = atof(argv[4])};
    load.class_name = argv[2];
    dd_status st = dd_context_new(&ctx, NULL);
    st = st == DD_OK ? dd_model_load_file(&model, ctx, argv[1], &load) : st;
    st = st == DD_OK ? dd_model_analyse(&system, model, NULL) : st;
    st = st == DD_OK ? dd_control_options_of(&r.options, system, 0) : st;
    for (int i = 5; i + 1 < argc && st == DD_OK; i += 2) {
        char why[256] = "";
        st = dd_control_options_set(&r.options, argv[i], argv[i + 1], why) ? DD_OK : DD_INVALID_ARGUMENT;
        fprintf(stderr, st == DD_OK ? "" : "%s %s: %s\n", argv[i], argv[i + 1], why);
    }
    load.class_name = NULL;
    st = st == DD_OK ? dd_loop_load_plant(&plant_model, system, argv[1], r.options.plant, &load) : st;
    st = st == DD_OK ? dd_model_analyse(&plant, plant_model, NULL) : st;
    st = st == DD_OK ? run(&r, system, plant) : st;
    if (st != DD_OK) {
        fprintf(stderr, "record_loop: %s\n", ctx != NULL ? dd_context_message(ctx) : "no memory");
    }
    dd_control_free(r.control);
    dd_sim_free(r.plant);
    dd_system_free(plant);
    dd_system_free(system);
    dd_model_free(plant_model);
    dd_model_free(model);
    dd_context_free(ctx);
    return st == DD_OK ? 0 : 1;
}
