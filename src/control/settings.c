/* settings.c - the settings of closed loops: one list for options, annotations and C programs. */
#include <string.h>

#include "base/context.h"
#include "base/option.h"
#include "base/text.h"
#include "daedal/control.h"
#include "nlp/nlp.h"
#include "structure/system.h"

#define AT(member) .offset = offsetof(dd_control_options, member)

static const char *const modes[] = {"converge", "rti", NULL};
static const char *const nodes[] = {"radau", "legendre", NULL};
static const char *const controls[] = {"constant", "linear", "polynomial", NULL};

/* clang-format off */
static const dd_option_entry entries[] = {
    {{"sample-period", DD_OPTION_POSITIVE, "S", "seconds between samples", NULL, 0, 0}, AT(sample_period)},
    {{"plant", DD_OPTION_TEXT, "MODEL", "the model to control: MODEL or FILE:MODEL, with modifications (default: that of the class)", NULL, 0, 0}, AT(plant)},
    {{"measured", DD_OPTION_TEXT, "NAMES", "names of the measured variables (default: every state)", NULL, 0, 0}, AT(measured)},
    {{"noise", DD_OPTION_TEXT, "SIGMAS", "standard deviations of the measurements, one per name", NULL, 0, 0}, AT(noise)},
    {{"delay", DD_OPTION_REAL, "S", "seconds between a measurement and the input that follows from it", NULL, 0, 0}, AT(delay)},
    {{"reference", DD_OPTION_TEXT, "FILE.csv", "set-points: columns named like parameters of the class", NULL, 0, 0}, AT(reference)},
    {{"preview", DD_OPTION_FLAG, NULL, "each solve knows the set-points over its whole horizon", NULL, 0, 0}, AT(preview)},
    {{"disturbance", DD_OPTION_TEXT, "FILE.csv", "disturbances: columns named like inputs or parameters of the plant", NULL, 0, 0}, AT(disturbance)},
    {{"seed", DD_OPTION_COUNT, "N", "seed of the noise (default 1)", NULL, 0, 4e9}, AT(seed), .store = DD_STORE_U64},
    {{"mode", DD_OPTION_WORD, "MODE", "converge (default), or rti: one quadratic program per sample", modes, 0, 0}, AT(mode)},
    {{"mhe-horizon", DD_OPTION_COUNT, "N", "samples in the window of the moving-horizon estimator", NULL, 0, 1e5}, AT(mhe_horizon)},
    {{"estimate", DD_OPTION_TEXT, "NAMES", "parameters that the moving-horizon estimator estimates", NULL, 0, 0}, AT(estimate)},
    {{"process-noise", DD_OPTION_TEXT, "LIST", "variables with disturbed rates, each with its standard deviation: NAME: SIGMA, ...", NULL, 0, 0}, AT(process_noise)},
    {{"initial-error", DD_OPTION_TEXT, "LIST", "standard deviations of the first estimate: NAME: SIGMA, ...", NULL, 0, 0}, AT(initial_error)},
    {{"measurements", DD_OPTION_TEXT, "FILE.csv", "recorded data instead of a plant", NULL, 0, 0}, AT(measurements)},
    {{"start", DD_OPTION_REAL, "T", "start time of the loop (else the model's StartTime, else 0)", NULL, 0, 0}, AT(start), .has_given = true, .given = offsetof(dd_control_options, has_start)},
    {{"stop", DD_OPTION_REAL, "T", "stop time of the loop (else the model's StopTime, else 1)", NULL, 0, 0}, AT(stop), .has_given = true, .given = offsetof(dd_control_options, has_stop)},
    {{"plant-tol", DD_OPTION_POSITIVE, "R", "tolerance of the plant's simulation (default 1e-8)", NULL, 0, 1}, AT(plant_tol)},
    {{"deadline", DD_OPTION_POSITIVE, "S", "the most seconds that a solve may take (default: no limit)", NULL, 0, 0}, AT(deadline)},
    {{"intervals", DD_OPTION_COUNT, "N", "mesh intervals of the horizon, a multiple of its sample periods (default: one per period)", NULL, 1, 1e6}, AT(intervals)},
    {{"degree", DD_OPTION_COUNT, "D", "collocation points per interval, 1 to 9 (default 3)", NULL, 1, 9}, AT(degree)},
    {{"nodes", DD_OPTION_WORD, "NAME", "collocation points: radau (default) or legendre", nodes, 0, 0}, AT(legendre), .store = DD_STORE_BOOL},
    {{"control", DD_OPTION_WORD, "KIND", "controls on an interval: constant (default), linear or polynomial", controls, 0, 0}, AT(control)},
    {{"tol", DD_OPTION_POSITIVE, "R", "tolerance of the optimality conditions (default 1e-8)", NULL, 0, 0}, AT(tolerance)},
    {{"max-iterations", DD_OPTION_COUNT, "N", "maximum number of iterations per sample (default 200)", NULL, 1, 1e9}, AT(max_iterations)},
    {{"solver", DD_OPTION_WORD, "NAME", "solver of the nonlinear program: daedal (default) or ipopt", dd_nlp_solver_names, 0, 0}, AT(solver), .store = DD_STORE_NAME},
    {{"threads", DD_OPTION_COUNT, "N", "threads for functions and linear algebra (default 1)", NULL, 1, 1024}, AT(threads)},
};
/* clang-format on */

enum { COUNT = sizeof entries / sizeof entries[0] };

dd_control_options dd_control_options_default(void)
{
    return (dd_control_options){.seed = 1, .degree = 3, .tolerance = 1e-8, .max_iterations = 200, .threads = 1};
}

const dd_option *dd_control_option(uint32_t i)
{
    return i < COUNT ? &entries[i].shown : NULL;
}

bool dd_control_options_set(dd_control_options *options, const char *name, const char *value, char *why)
{
    return dd_option_set(entries, COUNT, options, name, value, why);
}

static bool is_given(uint64_t given, const char *name)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        if (strcmp(entries[i].shown.name, name) == 0) {
            return (given >> i & 1) != 0;
        }
    }
    return false;
}

typedef struct reading {
    dd_control_options *options;
    const dd_system *system;
    uint64_t given;
} reading;

/* The name of a setting in the annotation: samplePeriod of "sample-period". The estimator's horizon is mhe(horizon). */
static const char *setting_name(const char *option, dd_pool *pool)
{
    if (strcmp(option, "mhe-horizon") == 0) {
        return "horizon";
    }
    dd_text name = dd_text_new(pool);
    for (const char *c = option; *c != '\0'; c++) {
        if (*c == '-' && c[1] >= 'a' && c[1] <= 'z') {
            dd_text_add_char(&name, (char)(*++c - 'a' + 'A'));
        } else {
            dd_text_add_char(&name, *c);
        }
    }
    return dd_text_str(&name);
}

static const dd_option *find_option(const char *name)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        if (strcmp(entries[i].shown.name, name) == 0) {
            return &entries[i].shown;
        }
    }
    return NULL;
}

/* Files of the annotation are looked for beside the file of the class, those of options where the program runs. */
static const char *value_of(const reading *r, const dd_control_setting *s, const dd_option *option)
{
    const char *model = r->system->model->source, *slash = model != NULL ? strrchr(model, '/') : NULL;
    const bool is_file = option->value != NULL && strcmp(option->value, "FILE.csv") == 0;
    return !is_file || s->value[0] == '/' || slash == NULL
               ? s->value
               : dd_pool_printf(r->system->pool, "%.*s/%s", (int)(slash - model), model, s->value);
}

static void read_settings(void *user)
{
    const reading *r = user;
    const dd_optimization *opt = r->system->model->optimization;
    char why[DD_OPTION_WHY];
    for (uint32_t i = 0; i < opt->control.len; i++) {
        const dd_control_setting *s = &opt->control.data[i];
        const dd_option *option = find_option(s->option);
        if (option == NULL) {
            dd_raise(r->system->ctx, DD_INVALID_MODEL,
                     "%s: closed loops have no setting %s; `daedal help control` lists them as options",
                     dd_model_place(r->system->model, s->span, r->system->pool),
                     setting_name(s->option, r->system->pool));
        }
        if (!is_given(r->given, s->option) &&
            !dd_control_options_set(r->options, s->option, value_of(r, s, option), why)) {
            dd_raise(r->system->ctx, DD_INVALID_MODEL, "%s: %s = %s: %s",
                     dd_model_place(r->system->model, s->span, r->system->pool),
                     setting_name(s->option, r->system->pool), s->value, why);
        }
    }
    if (opt->has_mhe && r->options->mhe_horizon == 0) {
        dd_raise(r->system->ctx, DD_INVALID_MODEL,
                 "mhe(...) needs its horizon, a number of samples: mhe(horizon = 20)");
    }
}

dd_status dd_control_options_of(dd_control_options *options, const dd_system *system, uint64_t given)
{
    if (options == NULL || system == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (system->model->optimization == NULL) {
        return dd_fail(system->ctx, DD_INVALID_ARGUMENT, "%s is a model, not an `optimization`", system->model->name);
    }
    reading r = {options, system, given};
    return dd_protect(system->ctx, read_settings, &r);
}
