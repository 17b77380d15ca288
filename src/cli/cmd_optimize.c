/* cmd_optimize.c - daedal optimize: solves the optimization class of a file. */
#include "cli/cli.h"
#include "cli/iterations.h"
#include "daedal/daedal.h"
#include "daedal/optimize.h"

typedef struct optimize_options {
    cli_common common;
    dd_ocp_options ocp;
    uint64_t given; /* options of the library */
    bool quiet;
    const char *output, *report, *plot, *film;
    cli_list show, overlay;
} optimize_options;

static bool set_option(void *options, const char *name, const char *value, char *why)
{
    optimize_options *o = options;
    return dd_ocp_options_set(&o->ocp, name, value, why);
}

/* Options that need another one: CLI_GO_ON, or the exit code of wrong usage. */
static int check_options(const optimize_options *o, const cli_library_options *library)
{
    if (cli_given(library, "alpha") && o->ocp.stabilize != DD_OCP_BAUMGARTE) {
        return cli_usage_error("optimize", "--alpha belongs to --stabilize baumgarte");
    }
    if (o->overlay.count > 0 && !o->film && !o->report) {
        return cli_usage_error("optimize", "--overlay belongs to --report FILE.html or --film FILE.svg");
    }
    return CLI_GO_ON;
}

/* The name asked for holds a solution; the best iterate of a run that was stopped goes beside it. */
static dd_status write_files(dd_ocp *ocp, const optimize_options *o)
{
    /* a stopped run keeps its best iterate, under another name */
    const dd_ocp_status status = dd_ocp_get_info(ocp).status;
    const bool stopped = status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT;
    const bool drawn = dd_ocp_has_trajectory(ocp);
    dd_status st = DD_OK;
    /* a run without a trajectory leaves files alone */
    if (o->output && drawn) {
        st = dd_ocp_write_csv(ocp, stopped ? cli_partial_name(o->output) : o->output);
    }
    if (st == DD_OK && o->report) {
        st = dd_ocp_write_report(ocp, stopped ? cli_partial_name(o->report) : o->report);
    }
    if (st == DD_OK && o->plot && drawn) {
        const char *path = stopped ? cli_partial_name(o->plot) : o->plot;
        st = dd_ocp_write_plot(ocp, path, o->show.items, (uint32_t)o->show.count);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    if (st == DD_OK && o->film && drawn) {
        const char *path = stopped ? cli_partial_name(o->film) : o->film;
        st = dd_ocp_write_film(ocp, path);
        cli_finish_picture(st == DD_OK ? path : "");
    }
    return st;
}

/* A page or table that could not be finished does not take the answer with it. */
static dd_status forgive(dd_context *ctx, dd_status st, int *code)
{
    /* failures of writing that must not hide the answer */
    if (st != DD_TIME_LIMIT && st != DD_INTERRUPTED && st != DD_OUT_OF_MEMORY) {
        return st;
    }
    cli_complain("a file was not written: %s", dd_context_message(ctx));
    *code = cli_exit_code(st);
    return DD_OK;
}

/* Where everything is, for people. */
static void print_files(const dd_ocp *ocp, const optimize_options *o)
{
    const dd_ocp_status status = dd_ocp_get_info(ocp).status;
    const char *partial = status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT ? ".partial" : "";
    const bool drawn = dd_ocp_has_trajectory(ocp);
    if ((drawn && (o->output || o->plot || o->film)) || o->report) {
        putchar('\n');
    }
    /* names as they were written */
    if (o->output && drawn) {
        printf("  trajectory in %s%s\n", o->output, partial);
    }
    if (o->report) {
        printf("  plots in %s%s\n", o->report, partial);
    }
    if (o->plot && drawn) {
        printf("  picture in %s%s\n", o->plot, partial);
    }
    if (o->film && drawn) {
        printf("  film strip in %s%s\n", o->film, partial);
    }
}

static dd_status print_result(dd_ocp *ocp, const optimize_options *o, const char *unwritten, int *code)
{
    const char *text = "";
    /* result on standard output, then where the files are */
    const dd_status st = o->common.json ? dd_ocp_json(&text, ocp) : dd_ocp_text(&text, ocp, cli_use_colour(stdout));
    if (st == DD_OK) {
        const dd_ocp_status status = dd_ocp_get_info(ocp).status;
        if (o->common.json) {
            cli_print_object(text, unwritten);
        } else {
            fputs(text, stdout);
        }
        if (!o->common.json && !unwritten) {
            print_files(ocp, o);
        }
        *code = status == DD_OCP_OPTIMAL || status == DD_OCP_ACCEPTABLE ? CLI_DONE
                : status == DD_OCP_INTERRUPTED                          ? CLI_INTERRUPTED
                                                                        : CLI_SAID_NO;
    }
    return st;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const optimize_options *o = options_given;
    dd_ocp_options options = o->ocp;
    dd_ocp *ocp = NULL;
    cli_iterations table = cli_iterations_new(o->common.verbose, o->quiet || (o->common.json && !o->common.verbose));
    options.seconds_before = cli_seconds();
    options.user = &table;
    options.progress = cli_iterations_show;
    dd_status st = dd_ocp_new(&ocp, system, &options);
    /* names of plots are checked before hours of solving */
    if (st == DD_OK) {
        st = dd_ocp_show(ocp, o->show.items, (uint32_t)o->show.count);
    }
    if (st == DD_OK && (o->film || o->overlay.count > 0)) {
        st = dd_ocp_set_overlays(ocp, o->overlay.items, (uint32_t)o->overlay.count);
    }
    if (st == DD_OK) {
        st = dd_ocp_solve(ocp);
    }
    /* files first, so that the report can say where they are */
    if (st == DD_OK) {
        st = write_files(ocp, o);
        if (st == DD_IO) {
            *code = cli_report_io(dd_context_message(ctx), o->common.json);
            dd_ocp_free(ocp);
            return DD_OK;
        }
        int unwritten = CLI_DONE;
        st = forgive(ctx, st, &unwritten);
        st = st == DD_OK ? print_result(ocp, o, unwritten == CLI_DONE ? NULL : dd_context_message(ctx), code) : st;
        *code = unwritten != CLI_DONE ? unwritten : *code;
    }
    dd_ocp_free(ocp);
    return st;
}

int cmd_optimize(int argc, char **argv)
{
    static optimize_options o; /* a list of settings is large */
    o = (optimize_options){.ocp = dd_ocp_options_default()};
    /* the optimization's own options, then files, pictures and progress */
    const cli_library_options library = {dd_ocp_option, set_option, &o, &o.given};
    const cli_option options[] = {
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the trajectory", &o.output},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with plots", &o.report},
        {"--plot", 0, CLI_TEXT, "FILE.svg",
         "write a picture (SVG, PNG, PDF) of the variables in --show (default: the first ones)", &o.plot},
        {"--show", 0, CLI_LIST, "NAMES",
         "what pictures, pages and final values show: x[1:3],*.phi or 'caption: x,v over y'; may be repeated", &o.show},
        {"--film", 0, CLI_TEXT, "FILE.svg", "write the motion of what the model draws as a picture of several poses",
         &o.film},
        {"--overlay", 0, CLI_LIST, "FILE.csv",
         "draw another trajectory of the model over the solution; may be repeated", &o.overlay},
        {"--quiet", 'q', CLI_FLAG, NULL, "show no iterations (--verbose: even if standard error is not a terminal)",
         &o.quiet},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "optimize",
                           .operands = "FILE [CLASS]",
                           .summary = "solves an optimization class: optimal control, parameters, times",
                           .library = &library,
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    /* everything that can be refused is refused before the model is read */
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    code = code == CLI_GO_ON ? check_options(&o, &library) : code;
    if (code != CLI_GO_ON) {
        return code;
    }
    int picture = cli_check_picture("optimize", "--plot", o.plot);
    picture = picture == CLI_GO_ON ? cli_check_picture("optimize", "--film", o.film) : picture;
    if (picture != CLI_GO_ON) {
        return picture;
    }
    const char *written[] = {o.output, o.report, o.plot, o.film};
    code = cli_check_outputs("optimize", &operands, written, sizeof written / sizeof *written, o.common.json);
    if (code != CLI_GO_ON) {
        return code;
    }
    cli_limit_threads(o.ocp.threads);
    dd_analyse_options analysis = cli_analysis(true);
    analysis.parameters_stay = true; /* nothing is set after this */
    analysis.fewer_unknowns = true;  /* nobody reads the analysis */
    return cli_on_system(&operands, &o.common, analysis, run, &o);
}
