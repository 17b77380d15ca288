/* cmd_linearize.c - daedal linearize: x' = A x + B u, y = C x + D u near a point of the solution. */
#include <math.h>

#include "cli/cli.h"
#include "daedal/daedal.h"

typedef struct linearize_options {
    cli_common common;
    double at, start; /* NaN: not given */
    double tol;
    const char *input;
    bool auto_init, project;
} linearize_options;

static dd_status print_result(dd_linsys *l, const linearize_options *o, int *code)
{
    const char *text = "";
    const dd_status st = o->common.json ? dd_linsys_json(&text, l) : dd_linsys_text(&text, l, cli_use_colour(stdout));
    if (st == DD_OK) {
        const dd_sim_status status = dd_linsys_get_info(l).status;
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        }
        *code = status == DD_SIM_OK ? CLI_DONE : status == DD_SIM_INTERRUPTED ? CLI_INTERRUPTED : CLI_SAID_NO;
    }
    return st;
}

static dd_sim_options simulation_options(dd_system *system, const linearize_options *o, bool *run)
{
    dd_sim_options sim = dd_sim_options_default();
    double start, stop;
    /* the model's own range, unless another start was given */
    dd_sim_default_range(system, &start, &stop);
    sim.has_start = sim.has_stop = true;
    sim.start = isnan(o->start) ? start : o->start;
    /* at the start nothing needs to be simulated */
    *run = !isnan(o->at) && o->at != sim.start;
    sim.stop = *run ? o->at : sim.start + 1; /* without a run the end does not matter */
    sim.tol = o->tol > 0 ? o->tol : 1e-10;   /* derivatives are taken there: the point should not limit them */
    sim.input_file = o->input;
    sim.auto_init = o->auto_init;
    sim.project = o->project;
    sim.keep_rows = false;
    return sim;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const linearize_options *o = options_given;
    (void)ctx;
    bool wanted;
    const dd_sim_options options = simulation_options(system, o, &wanted);
    dd_sim *sim = NULL;
    dd_linsys *l = NULL;
    /* the solution is known forward in time only */
    if (wanted && o->at < options.start) {
        *code = cli_usage_error("linearize", "--at %.10g is before the start time %.10g", o->at, options.start);
        return DD_OK;
    }
    /* a point of the solution: the start, or the end of a run to --at */
    dd_status st = dd_sim_new(&sim, system, &options);
    if (st == DD_OK && wanted) {
        st = dd_sim_run(sim);
    }
    if (st == DD_OK) {
        st = dd_linsys_new(&l, sim);
    }
    /* messages of the run go to standard error, the result to standard output */
    if (st == DD_OK) {
        for (uint32_t i = 0; i < dd_sim_message_count(sim) && !o->common.json; i++) {
            fprintf(stderr, "daedal: %s\n", dd_sim_message(sim, i));
        }
        st = print_result(l, o, code);
    }
    dd_linsys_free(l);
    dd_sim_free(sim);
    return st;
}

int cmd_linearize(int argc, char **argv)
{
    static linearize_options o; /* a list of settings is large */
    o = (linearize_options){.at = NAN, .start = NAN};
    /* where, how accurately, with which inputs */
    const cli_option options[] = {
        {"--at", 0, CLI_REAL, "T", "linearize at this time of the solution (default: at the start)", &o.at},
        {"--start", 0, CLI_REAL, "T0", "start time (else the model's StartTime, else 0)", &o.start},
        {"--tol", 0, CLI_NUMBER, "R", "relative tolerance of the simulation to that time (default 1e-10)", &o.tol},
        {"--input", 0, CLI_TEXT, "FILE.csv", "inputs from the columns of a table", &o.input},
        {"--auto-init", 0, CLI_FLAG, NULL, "complete missing initial values with defaults", &o.auto_init},
        {"--project", 0, CLI_FLAG, NULL, "move contradictory initial values to the nearest consistent ones",
         &o.project},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "linearize",
                           .operands = "FILE [MODEL]",
                           .summary = "writes a model near a point as x' = A x + B u, y = C x + D u, with eigenvalues",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    const int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    return cli_on_system(&operands, &o.common, cli_analysis(true), run, &o);
}
