/* cmd_simulate.c - daedal simulate: from a consistent start to the end, or to the point of failure with its reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "daedal/daedal.h"

enum { MOST_SENSITIVITIES = 1000, MOST_THREADS = 1024 };
#define NOT_GIVEN UINT64_MAX

typedef struct simulate_options {
    cli_common common;
    dd_sim_options sim;
    uint64_t given; /* options of the library */
    uint64_t threads;
    const char *output, *report, *plot, *film;
    cli_list sensitivity, show, overlay;
    bool quiet, progress;
} simulate_options;

/* ---- options ---- */

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

static bool set_option(void *options, const char *name, const char *value, char *why)
{
    return dd_sim_options_set(options, name, value, why);
}

/* Options that need another one, or exclude it: CLI_GO_ON, or the exit code of wrong usage. */
static int check_options(const simulate_options *o, const cli_library_options *library)
{
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {cli_given(library, "points") && cli_given(library, "interval"), "give --points or --interval, not both"},
        {cli_given(library, "alpha") && o->sim.stabilize != DD_STABILIZE_BAUMGARTE,
         "--alpha belongs to --stabilize baumgarte"},
        {cli_given(library, "interpolate") && !o->sim.input_file, "--interpolate belongs to --input FILE.csv"},
        {o->overlay.count > 0 && !o->film && !o->report, "--overlay belongs to --report FILE.html or --film FILE.svg"},
        {o->threads != NOT_GIVEN && (o->threads == 0 || o->threads > MOST_THREADS),
         "--threads: expected a whole number from 1 to 1024"},
    };
    /* the first rule that is broken is reported */
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].wrong) {
            return cli_usage_error("simulate", "%s", rules[i].why);
        }
    }
    return CLI_GO_ON;
}

/* ---- files ---- */

/* A file of the name asked for holds a whole trajectory; the rows of a failed run go beside it. */
static dd_status write_files(dd_sim *sim, const simulate_options *o)
{
    /* a failed run keeps its rows, under another name */
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
        const char *path = stopped ? cli_partial_name(o->plot) : o->plot;
        st = dd_sim_write_plot(sim, path, o->show.items, (uint32_t)o->show.count);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    if (st == DD_OK && o->film) {
        const char *path = stopped ? cli_partial_name(o->film) : o->film;
        st = dd_sim_write_film(sim, path);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    return st;
}

/* ---- the run ---- */

static int verdict_code(dd_sim_status status)
{
    return status == DD_SIM_OK ? CLI_DONE : status == DD_SIM_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
}

static dd_status print_result(dd_sim *sim, const simulate_options *o, const char *unwritten, int *code)
{
    const char *text = "";
    /* report or JSON on standard output, then the verdict as exit code */
    const dd_status st = o->common.json ? dd_sim_json(&text, sim) : dd_sim_text(&text, sim, cli_use_colour(stdout));
    if (st == DD_OK) {
        if (o->common.json) {
            cli_print_object(text, unwritten);
        } else {
            fputs(text, stdout);
        }
        *code = verdict_code(dd_sim_get_info(sim).status);
    }
    return st;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const simulate_options *o = options_given;
    dd_sim *sim = NULL;
    dd_sim_options with_progress = o->sim;
    /* the line of progress goes to standard error */
    cli_progress bar = cli_progress_new(o->progress, o->quiet);
    with_progress.progress = bar.shown ? cli_progress_show : NULL;
    with_progress.progress_user = &bar;
    dd_status st = dd_sim_new(&sim, system, &with_progress);
    /* names of plots are checked before the run */
    if (st == DD_OK) {
        dd_sim_time_range(sim, &bar.begin, &bar.end);
        st = dd_sim_show(sim, o->show.items, (uint32_t)o->show.count);
    }
    if (st == DD_OK && (o->film || o->overlay.count > 0)) {
        st = dd_sim_set_overlays(sim, o->overlay.items, (uint32_t)o->overlay.count);
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
    /* stopped while a file was written, twice or for long: that file is as it was before, the results are printed */
    const dd_status stopped = st == DD_INTERRUPTED || st == DD_TIME_LIMIT ? st : DD_OK;
    if (stopped != DD_OK && dd_sim_row_count(sim) > 0) {
        cli_complain("a file was not written: %s", dd_context_message(ctx));
        st = DD_OK;
    }
    if (st == DD_OK) {
        st = print_result(sim, o, stopped != DD_OK ? dd_context_message(ctx) : NULL, code);
        *code = stopped != DD_OK ? cli_exit_code(stopped) : *code;
        if (o->common.verbose) {
            fprintf(stderr, "daedal: %.3f s of integration\n", dd_sim_get_info(sim).stats.seconds);
        }
    }
    dd_sim_free(sim);
    return st;
}

int cmd_simulate(int argc, char **argv)
{
    static simulate_options o; /* lists are large */
    o = (simulate_options){.sim = dd_sim_options_default(), .threads = NOT_GIVEN};
    /* the simulation's own options, then files, pictures and progress */
    const cli_library_options library = {dd_sim_option, set_option, &o.sim, &o.given};
    const cli_option options[] = {
        {"--sensitivity", 0, CLI_LIST, "NAMES",
         "derivatives with respect to parameters, start values, inputs, table rows (a,p[1],u,u@0.5,u@0:1)",
         &o.sensitivity},
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the trajectory", &o.output},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with plots", &o.report},
        {"--plot", 0, CLI_TEXT, "FILE.svg",
         "write a picture (SVG, PNG, PDF) of the variables in --show (default: the first ones)", &o.plot},
        {"--show", 0, CLI_LIST, "NAMES",
         "what pictures, pages and final values show: x[1:3],*.phi or 'caption: x,v over y'; may be repeated", &o.show},
        {"--film", 0, CLI_TEXT, "FILE.svg", "write the motion of what the model draws as a picture of several poses",
         &o.film},
        {"--overlay", 0, CLI_LIST, "FILE.csv", "draw another trajectory of the model over the run; may be repeated",
         &o.overlay},
        {"--threads", 0, CLI_COUNT, "N", "use at most N threads (a simulation runs in one)", &o.threads},
        {"--progress", 0, CLI_FLAG, NULL, "show progress even if standard error is not a terminal", &o.progress},
        {"--quiet", 'q', CLI_FLAG, NULL, "show no progress", &o.quiet},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "simulate",
                           .operands = "FILE [MODEL]",
                           .summary = "integrates a model from a consistent start, with error control",
                           .library = &library,
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    /* everything that can be refused is refused before the model is read */
    int code = cli_parse(&spec, argc, argv, &operands);
    code = code == CLI_GO_ON ? check_options(&o, &library) : code;
    if (code != CLI_GO_ON) {
        return code;
    }
    read_sensitivity(&o, &o.sim);
    o.sim.keep_rows = o.output || o.report || o.plot || o.film;
    o.sim.write_rows = o.output;
    o.sim.keep_curves = o.report || o.plot || o.film;
    int picture = cli_check_picture("simulate", "--plot", o.plot);
    picture = picture == CLI_GO_ON ? cli_check_picture("simulate", "--film", o.film) : picture;
    if (picture != CLI_GO_ON) {
        return picture;
    }
    const char *written[] = {o.output, o.report, o.plot, o.film};
    const int outputs =
        cli_check_outputs("simulate", &operands, written, sizeof written / sizeof *written, o.common.json);
    if (outputs != CLI_GO_ON) {
        return outputs;
    }
    const bool reduced = o.sim.form == DD_SIM_FORM_REDUCED; /* else the index is reported */
    return cli_on_system(&operands, &o.common, cli_analysis(reduced), run, &o);
}
