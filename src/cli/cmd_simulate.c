/* cmd_simulate.c - daedal simulate: from a consistent start to the end, or to the point of failure with its reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "daedal/daedal.h"

enum { MOST_SENSITIVITIES = 1000 };
#define NOT_GIVEN UINT64_MAX

typedef struct simulate_options {
    cli_common common;
    double start, stop; /* NaN: not given */
    double tol, atol, step, interval, alpha;
    uint64_t points, max_steps, threads;
    const char *method, *tableau, *form, *stabilize, *input, *interpolate, *output, *report, *plot;
    cli_list sensitivity, show;
    bool auto_init, project, through, quiet, progress;
} simulate_options;

/* ---- options ---- */

/* The place of text in a list of words that ends with NULL; -1 after a message when it is not in the list. */
static int pick(const char *option, const char *text, const char *const *words)
{
    /* the message lists all words */
    char list[200] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(text, words[i]) == 0) {
            return i;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    cli_usage_error("simulate", "%s %s: expected one of %s", option, text, list);
    return -1;
}

/* Splits "a,p[1,2],b" at the commas outside brackets; the texts are cut in place. */
static size_t split_names(char *text, const char **names, size_t count)
{
    int depth = 0;
    char *begin = text;
    for (;; text++) {
        depth += (*text == '[') - (*text == ']');
        /* a comma inside brackets belongs to the name: p[1,2] */
        if (*text == '\0' || (*text == ',' && depth == 0)) {
            const bool last = *text == '\0';
            *text = '\0';
            if (count < MOST_SENSITIVITIES) {
                names[count++] = begin;
            }
            begin = text + 1;
            if (last) {
                return count;
            }
        }
    }
}

/* Names of all --sensitivity options. They are split in place: a program may change its argv. */
static void read_sensitivity(const simulate_options *o, dd_sim_options *sim)
{
    static const char *names[MOST_SENSITIVITIES];
    size_t count = 0;
    /* several options add up */
    for (size_t i = 0; i < o->sensitivity.count; i++) {
        count = split_names((char *)o->sensitivity.items[i], names, count);
    }
    sim->sensitivity = names;
    sim->n_sensitivity = (uint32_t)count;
}

/* CLI_GO_ON, or the exit code of wrong usage. */
static int read_words(const simulate_options *o, dd_sim_options *sim)
{
    static const char *const forms[] = {"reduced", "original", NULL};
    static const char *const stabilizations[] = {"projection", "baumgarte", "dummy", "none", NULL};
    static const char *const interpolations[] = {"linear", "spline", NULL};
    /* the first wrong word ends the search: one message */
    const int form = o->form ? pick("--form", o->form, forms) : 0;
    const int stabilize = form >= 0 && o->stabilize ? pick("--stabilize", o->stabilize, stabilizations) : 0;
    const int between =
        form >= 0 && stabilize >= 0 && o->interpolate ? pick("--interpolate", o->interpolate, interpolations) : 0;
    if (form < 0 || stabilize < 0 || between < 0) {
        return CLI_USAGE;
    }
    sim->form = (dd_sim_form)form;
    sim->stabilize = (dd_stabilize)stabilize;
    sim->interpolation = (dd_interpolation)between;
    /* options that need another one */
    if (o->alpha > 0 && sim->stabilize != DD_STABILIZE_BAUMGARTE) {
        return cli_usage_error("simulate", "--alpha belongs to --stabilize baumgarte");
    }
    if (o->interpolate && !o->input) {
        return cli_usage_error("simulate", "--interpolate belongs to --input FILE.csv");
    }
    if (o->show.count > 0 && !o->plot) {
        return cli_usage_error("simulate", "--show belongs to --plot FILE.svg");
    }
    return CLI_GO_ON;
}

static int read_options(const simulate_options *o, dd_sim_options *sim)
{
    /* the library's defaults, then what was given */
    *sim = dd_sim_options_default();
    sim->has_start = !isnan(o->start);
    sim->has_stop = !isnan(o->stop);
    sim->start = o->start;
    sim->stop = o->stop;
    sim->tol = o->tol;
    sim->atol = o->atol;
    sim->method = o->method;
    sim->tableau_file = o->tableau;
    sim->step = o->step;
    sim->interval = o->interval;
    sim->alpha = o->alpha;
    sim->input_file = o->input;
    sim->auto_init = o->auto_init;
    sim->project = o->project;
    sim->through = o->through;
    sim->points = o->points == NOT_GIVEN ? 0 : (uint32_t)o->points;
    /* rows and curves are kept only when a file needs them */
    sim->keep_rows = o->output || o->report || o->plot;
    sim->keep_curves = o->report || o->plot;
    sim->max_steps = o->max_steps == NOT_GIVEN ? sim->max_steps : o->max_steps;
    /* each count has its largest sensible value */
    const struct {
        const char *name;
        uint64_t value, most;
    } counts[] = {{"--points", o->points, 1000000000},
                  {"--threads", o->threads, 1024},
                  {"--max-steps", o->max_steps, UINT64_MAX}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (counts[i].value != NOT_GIVEN && (counts[i].value == 0 || counts[i].value > counts[i].most)) {
            return cli_usage_error("simulate", "%s: expected a whole number from 1 to %llu", counts[i].name,
                                   (unsigned long long)counts[i].most);
        }
    }
    /* options that exclude each other */
    if (o->points != NOT_GIVEN && o->interval > 0) {
        return cli_usage_error("simulate", "give --points or --interval, not both");
    }
    if (o->tol >= 1) {
        return cli_usage_error("simulate", "--tol must be below 1");
    }
    read_sensitivity(o, sim);
    return read_words(o, sim);
}

/* ---- files ---- */

/* A file of the name asked for holds a whole trajectory; the rows of a failed run go beside it. */
static dd_status write_files(dd_sim *sim, const simulate_options *o)
{
    /* a failed run keeps what it has, under another name */
    const dd_sim_status status = dd_sim_get_info(sim).status;
    const bool stopped = status == DD_SIM_INTERRUPTED || status == DD_SIM_TIME_LIMIT;
    dd_status st = DD_OK;
    if (dd_sim_row_count(sim) == 0) {
        return st;
    }
    if (o->output) {
        st = dd_sim_write_csv(sim, status == DD_SIM_OK ? o->output : cli_partial_name(o->output));
    }
    if (st == DD_OK && o->report) {
        st = dd_sim_write_report(sim, stopped ? cli_partial_name(o->report) : o->report);
    }
    if (st == DD_OK && o->plot) {
        st = dd_sim_write_plot(sim, stopped ? cli_partial_name(o->plot) : o->plot, o->show.items,
                               (uint32_t)o->show.count);
    }
    return st;
}

/* ---- the run ---- */

static int verdict_code(dd_sim_status status)
{
    return status == DD_SIM_OK ? CLI_DONE : status == DD_SIM_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
}

static dd_status print_result(dd_sim *sim, const simulate_options *o, int *code)
{
    const char *text = "";
    /* report or JSON on standard output, then the verdict as exit code */
    const dd_status st = o->common.json ? dd_sim_json(&text, sim) : dd_sim_text(&text, sim, cli_use_colour(stdout));
    if (st == DD_OK) {
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        }
        *code = verdict_code(dd_sim_get_info(sim).status);
    }
    return st;
}

static dd_status run(dd_context *ctx, dd_system *system, const dd_sim_options *options, const simulate_options *o,
                     int *code)
{
    dd_sim *sim = NULL;
    dd_sim_options with_progress = *options;
    /* the line of progress goes to standard error */
    cli_progress bar = cli_progress_new(o->progress, o->quiet);
    with_progress.progress = bar.shown ? cli_progress_show : NULL;
    with_progress.progress_user = &bar;
    dd_status st = dd_sim_new(&sim, system, &with_progress);
    /* names of plots are checked before the run */
    if (st == DD_OK) {
        dd_sim_time_range(sim, &bar.begin, &bar.end);
        st = dd_sim_check_plot(sim, o->show.items, (uint32_t)o->show.count);
    }
    if (st == DD_OK) {
        st = dd_sim_run(sim);
    }
    cli_progress_end(&bar);
    /* files first; a file that cannot be written is no verdict about the model */
    if (st == DD_OK) {
        st = write_files(sim, o);
        if (st == DD_IO) {
            *code = cli_report_io(dd_context_message(ctx), o->common.json);
            dd_sim_free(sim);
            return DD_OK;
        }
    }
    if (st == DD_OK) {
        st = print_result(sim, o, code);
        if (o->common.verbose) {
            fprintf(stderr, "daedal: %.3f s of integration\n", dd_sim_get_info(sim).stats.seconds);
        }
    }
    dd_sim_free(sim);
    return st;
}

/* Both kinds of options, for the job. */
typedef struct simulate_job {
    const simulate_options *o;
    const dd_sim_options *sim;
} simulate_job;

static dd_status simulate(dd_context *ctx, dd_system *system, const void *job, int *code)
{
    const simulate_job *j = job;
    return run(ctx, system, j->sim, j->o, code);
}

int cmd_simulate(int argc, char **argv)
{
    static simulate_options o; /* lists are large */
    o = (simulate_options){
        .start = NAN, .stop = NAN, .points = NOT_GIVEN, .max_steps = NOT_GIVEN, .threads = NOT_GIVEN};
    /* interval, method, accuracy, rows, form, inputs, start, outputs */
    const cli_option options[] = {
        {"--start", 0, CLI_REAL, "T0", "begin here (else the model's StartTime, else 0)", &o.start},
        {"--stop", 0, CLI_REAL, "T", "end here (else the model's StopTime, else 1)", &o.stop},
        {"--method", 0, CLI_TEXT, "NAME", "auto (default), radau, bdf, chebyshev, or a name from: daedal methods",
         &o.method},
        {"--tableau", 0, CLI_TEXT, "FILE", "a Runge-Kutta method from a file instead", &o.tableau},
        {"--tol", 0, CLI_NUMBER, "R", "relative tolerance (else the model's Tolerance, else 1e-6)", &o.tol},
        {"--atol", 0, CLI_NUMBER, "A", "absolute tolerance of every variable (default: tol times nominal)", &o.atol},
        {"--step", 0, CLI_NUMBER, "H", "fixed step, no error control", &o.step},
        {"--points", 0, CLI_COUNT, "N", "rows at N equal intervals (default: at the solver's own steps)", &o.points},
        {"--interval", 0, CLI_NUMBER, "DT", "rows this far apart", &o.interval},
        {"--form", 0, CLI_TEXT, "FORM", "reduced (default: index 1) or original (the equations as written)", &o.form},
        {"--stabilize", 0, CLI_TEXT, "HOW", "projection (default), baumgarte, dummy or none", &o.stabilize},
        {"--alpha", 0, CLI_NUMBER, "A", "the parameter of baumgarte", &o.alpha},
        {"--input", 0, CLI_TEXT, "FILE.csv", "inputs from the columns of a table", &o.input},
        {"--interpolate", 0, CLI_TEXT, "HOW", "linear (default) or spline between the rows of the table",
         &o.interpolate},
        {"--sensitivity", 0, CLI_LIST, "NAMES",
         "derivatives by parameters, start values, inputs, values of a table (a,p[1],u,u@0.5,u@0:1)", &o.sensitivity},
        {"--auto-init", 0, CLI_FLAG, NULL, "complete missing initial values with defaults", &o.auto_init},
        {"--project", 0, CLI_FLAG, NULL, "move contradictory initial values to the nearest consistent ones",
         &o.project},
        {"--through", 0, CLI_FLAG, NULL, "go on, with a warning, behind a point where the solution is not determined",
         &o.through},
        {"--max-steps", 0, CLI_COUNT, "N", "give up after N steps (default 10 million)", &o.max_steps},
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the trajectory", &o.output},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with plots", &o.report},
        {"--plot", 0, CLI_TEXT, "FILE.svg", "write a picture (of the first variables, or of those to --show)", &o.plot},
        {"--show", 0, CLI_LIST, "NAMES", "a panel of the picture: x,v or 'caption: x,v over y'; may be repeated",
         &o.show},
        {"--threads", 0, CLI_COUNT, "N", "use at most N threads (a simulation runs in one)", &o.threads},
        {"--progress", 0, CLI_FLAG, NULL, "show progress also where standard error is no terminal", &o.progress},
        {"--quiet", 'q', CLI_FLAG, NULL, "show no progress", &o.quiet},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "simulate",
                           .operands = "FILE [MODEL]",
                           .summary = "integrates a model from a consistent start, with error control",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    /* everything that can be refused is refused before the model is read */
    dd_sim_options sim;
    int code = cli_parse(&spec, argc, argv, &operands);
    code = code == CLI_GO_ON ? read_options(&o, &sim) : code;
    if (code != CLI_GO_ON) {
        return code;
    }
    /* an output must not replace the model */
    const char *written[] = {o.output, o.report, o.plot};
    const int spared = cli_spare_model("simulate", &operands, written, sizeof written / sizeof *written);
    if (spared != CLI_GO_ON) {
        return spared;
    }
    if (!cli_can_write(o.output, o.common.json) || !cli_can_write(o.report, o.common.json) ||
        !cli_can_write(o.plot, o.common.json)) {
        return CLI_SAID_NO;
    }
    const simulate_job job = {&o, &sim};
    const bool reduced = sim.form == DD_SIM_FORM_REDUCED; /* else the index is reported */
    return cli_on_system(&operands, &o.common, reduced, simulate, &job);
}
