/* cmd_study.c - daedal study: errors over steps, tolerances, meshes and methods, as table, CSV and picture. */
#include "cli/cli.h"
#include "cli/progress.h"
#include "daedal/daedal.h"
#include "daedal/study.h"

typedef struct study_command {
    cli_common common;
    dd_study_options study;
    uint64_t given; /* options of the library */
    const char *output, *plot, *report;
    cli_list exact;
    bool quiet, progress;
} study_command;

static bool set_option(void *options, const char *name, const char *value, char *why)
{
    return dd_study_options_set(options, name, value, why);
}

/* ---- results ---- */

/* A file of the name asked for holds a whole study; what was computed before a limit goes beside it. */
static dd_status write_files(dd_study *study, const study_command *o)
{
    const dd_study_status status = dd_study_get_info(study).status;
    const bool stopped = status == DD_STUDY_INTERRUPTED || status == DD_STUDY_TIME_LIMIT;
    const struct {
        const char *path;
        dd_status (*write)(dd_study *study, const char *path);
    } files[] = {{o->output, dd_study_write_csv}, {o->plot, dd_study_write_plot}, {o->report, dd_study_write_report}};
    dd_status st = DD_OK;
    if (dd_study_row_count(study, DD_STUDY_POINTS) == 0) {
        return st;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files && st == DD_OK; i++) {
        if (files[i].path && files[i].path == o->plot && !dd_study_has_picture(study)) {
            fprintf(stderr, "daedal: there is nothing to draw: %s is not written\n", o->plot);
        } else if (files[i].path) {
            const char *path = stopped ? cli_partial_name(files[i].path) : files[i].path;
            st = files[i].write(study, path);
            cli_finish_picture(st == DD_OK && files[i].path == o->plot ? path : "");
        }
    }
    return st;
}

static dd_status print_result(dd_study *study, const study_command *o, int *code)
{
    const char *text = "";
    const dd_status st =
        o->common.json ? dd_study_json(&text, study) : dd_study_text(&text, study, cli_use_colour(stdout));
    if (st == DD_OK) {
        const dd_study_status status = dd_study_get_info(study).status;
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        }
        *code = status == DD_STUDY_OK ? CLI_DONE : status == DD_STUDY_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
    }
    return st;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const study_command *o = options_given;
    dd_study *study = NULL;
    dd_study_options options = o->study;
    cli_progress bar = cli_progress_new(o->progress, o->quiet);
    options.progress = bar.shown ? cli_progress_count : NULL;
    options.user = &bar;
    dd_status st = dd_study_new(&study, ctx, system, &options);
    if (st == DD_OK) {
        st = dd_study_run(study);
    }
    cli_progress_end(&bar);
    /* files first; a file that cannot be written is no verdict about the model */
    if (st == DD_OK) {
        st = write_files(study, o);
        if (st == DD_IO) {
            *code = cli_report_io(dd_context_message(ctx), o->common.json);
            dd_study_free(study);
            return DD_OK;
        }
    }
    if (st == DD_OK) {
        st = print_result(study, o, code);
    }
    dd_study_free(study);
    return st;
}

/* ---- the command ---- */

/* A study of methods alone: no model is read. */
static int without_model(const study_command *o)
{
    dd_context *ctx;
    int code = CLI_DONE;
    dd_status st = cli_context_new(&ctx, &o->common);
    if (st != DD_OK) {
        return cli_exit_code(st);
    }
    st = run(ctx, NULL, o, &code);
    code = cli_conclude(ctx, st, code, &o->common);
    cli_context_free(ctx);
    return code;
}

/* Options that cannot be right, whatever the model is: CLI_GO_ON, or the exit code. */
static int check_options(const study_command *o, const cli_operands *operands)
{
    dd_context *ctx;
    const bool needs = dd_study_needs_model(o->study.kind);
    if (needs && operands->count == 0) {
        return cli_usage_error("study", "a study of %s needs a model: daedal study FILE",
                               dd_study_kind_name(o->study.kind));
    }
    if (!needs && operands->count > 0) {
        return cli_usage_error("study", "a study of %s is about methods alone: leave %s out",
                               dd_study_kind_name(o->study.kind), operands->items[0]);
    }
    dd_status st = cli_context_new(&ctx, &o->common);
    if (st != DD_OK) {
        return cli_exit_code(st);
    }
    st = dd_study_check(ctx, &o->study);
    const int code = st == DD_OK ? CLI_GO_ON : cli_conclude(ctx, st, CLI_DONE, &o->common);
    cli_context_free(ctx);
    return code;
}

int cmd_study(int argc, char **argv)
{
    static study_command o; /* lists are large */
    o = (study_command){.study = dd_study_options_default()};
    /* the study's own options, then exact solutions, files and progress */
    const cli_library_options library = {dd_study_option, set_option, &o.study, &o.given};
    const cli_option options[] = {
        {"--exact", 0, CLI_LIST, "NAME=FORMULA",
         "a relation of the exact solution, x=cos(time) or objective=2; may be repeated (default: a reference run)",
         &o.exact},
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the points", &o.output},
        {"--plot", 0, CLI_TEXT, "FILE.svg", "write a picture", &o.plot},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with tables and plots", &o.report},
        {"--progress", 0, CLI_FLAG, NULL, "show progress even if standard error is not a terminal", &o.progress},
        {"--quiet", 'q', CLI_FLAG, NULL, "show no progress", &o.quiet},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "study",
                           .operands = "[FILE [MODEL]]",
                           .summary = "measures errors over steps, tolerances, meshes and methods: orders, work, drift",
                           .library = &library,
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .max_operands = 2};
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    o.study.exact = o.exact.items;
    o.study.n_exact = (uint32_t)o.exact.count;
    code = check_options(&o, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    code = cli_check_picture("study", "--plot", o.plot);
    if (code != CLI_GO_ON) {
        return code;
    }
    const char *written[] = {o.output, o.plot, o.report};
    code = cli_check_outputs("study", &operands, written, sizeof written / sizeof *written, o.common.json);
    if (code != CLI_GO_ON) {
        return code;
    }
    if (operands.count == 0) {
        return without_model(&o);
    }
    const bool reduced = o.study.sim.form == DD_SIM_FORM_REDUCED; /* else the index matters */
    return cli_on_system(&operands, &o.common, cli_analysis(reduced), run, &o);
}
