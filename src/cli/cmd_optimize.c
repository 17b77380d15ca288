/* cmd_optimize.c - daedal optimize: solves the optimization class of a file. */
#include <string.h>

#include "cli/cli.h"
#include "cli/iterations.h"
#include "daedal/daedal.h"
#include "daedal/optimize.h"

enum { MOST_THREADS = 1024 };
#define NOT_GIVEN UINT64_MAX /* a count that the user left open */

typedef struct optimize_options {
    cli_common common;
    uint64_t intervals, degree, max_iterations, substeps, multistart, permutation;
    const char *integrator, *hessian, *guess;
    bool coarse, multipliers, quiet;
    const char *nodes, *control, *solver, *method, *output, *report, *plot;
    cli_list show;
    uint64_t threads;
    double tol, alpha, refine;
    const char *stabilize, *consistency;
} optimize_options;

static int choose(const char *option, const char *value, const char *const *names, int count, int otherwise)
{
    if (value == NULL) {
        return otherwise;
    }
    /* words are in the order of their enumeration */
    for (int i = 0; i < count; i++) {
        if (strcmp(value, names[i]) == 0) {
            return i;
        }
    }
    cli_usage_error("optimize", "%s has no value %s", option, value);
    return -1;
}

/* False after a message. */
static bool read_options(const optimize_options *o, dd_ocp_options *out)
{
    static const char *const controls[] = {"constant", "linear", "polynomial"}; /* in the order of dd_ocp_control */
    static const char *const nodes[] = {"radau", "legendre"};
    static const char *const solvers[] = {"ipopt", "daedal"};
    static const char *const methods[] = {"collocation", "shooting"};
    static const char *const hessians[] = {"exact", "bfgs", "gauss-newton"};
    static const char *const stabilizers[] = {"none", "baumgarte"};
    static const char *const places[] = {"start", "end", "none"};
    /* all words first: the message names the option that is wrong */
    const int control = choose("--control", o->control, controls, 3, DD_OCP_CHOSEN),
              node = choose("--nodes", o->nodes, nodes, 2, 0);
    const int solver = choose("--solver", o->solver, solvers, 2, 0);
    const int method = choose("--method", o->method, methods, 2, 0);
    const int hessian = choose("--hessian", o->hessian, hessians, 3, 0);
    const int stabilize = choose("--stabilize", o->stabilize, stabilizers, 2, 0);
    const int consistency = choose("--consistency", o->consistency, places, 3, 0);
    if (control < 0 || node < 0 || solver < 0 || method < 0 || hessian < 0 || stabilize < 0 || consistency < 0) {
        return false;
    }
    if (solver == 1) {
        fputs("daedal: --solver daedal is not there yet: ipopt solves\n", stderr);
    }
    /* the library's defaults, then what was given */
    *out = dd_ocp_options_default();
    out->control = (dd_ocp_control)control;
    out->legendre = node == 1;
    out->shooting = method == 1;
    out->integrator = o->integrator;
    out->substeps = (uint32_t)o->substeps;
    out->hessian = (dd_ocp_hessian)hessian;
    out->intervals = o->intervals != NOT_GIVEN ? (uint32_t)o->intervals : 0;
    out->degree = (uint32_t)o->degree;
    out->max_iterations = (uint32_t)o->max_iterations;
    out->tolerance = o->tol > 0 ? o->tol : out->tolerance;
    out->refine = o->refine;
    out->guess = o->guess;
    out->multistart = (uint32_t)o->multistart;
    out->coarse = o->coarse;
    out->permutation = (uint32_t)o->permutation;
    out->consistency = (dd_ocp_consistency)consistency;
    out->multipliers = o->multipliers;
    out->baumgarte = stabilize == 1 ? (o->alpha > 0 ? o->alpha : 1) : 0;
    return true;
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
        st = dd_ocp_write_plot(ocp, stopped ? cli_partial_name(o->plot) : o->plot, o->show.items,
                               (uint32_t)o->show.count);
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
    cli_complain("a file of this answer was not written: %s", dd_context_message(ctx));
    *code = cli_exit_code(st);
    return DD_OK;
}

/* Where everything is, for people. */
static void print_files(const dd_ocp *ocp, const optimize_options *o)
{
    const dd_ocp_status status = dd_ocp_get_info(ocp).status;
    const char *partial = status == DD_OCP_INTERRUPTED || status == DD_OCP_TIME_LIMIT ? ".partial" : "";
    const bool drawn = dd_ocp_has_trajectory(ocp);
    if ((o->output && drawn) || o->report || (o->plot && drawn)) {
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
}

static dd_status print_result(dd_ocp *ocp, const optimize_options *o, bool written, int *code)
{
    const char *text = "";
    /* result on standard output, then where the files are */
    const dd_status st = o->common.json ? dd_ocp_json(&text, ocp) : dd_ocp_text(&text, ocp, cli_use_colour(stdout));
    if (st == DD_OK) {
        const dd_ocp_status status = dd_ocp_get_info(ocp).status;
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        } else if (written) {
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
    dd_ocp_options options;
    dd_ocp *ocp = NULL;
    /* words are checked before the model is solved */
    if (!read_options(o, &options)) {
        *code = CLI_USAGE;
        return DD_OK;
    }
    /* the iteration table goes to standard error */
    cli_iterations table = cli_iterations_new(o->common.verbose, o->quiet || (o->common.json && !o->common.verbose));
    options.seconds_before = cli_seconds();
    options.user = &table;
    options.progress = cli_iterations_show;
    dd_status st = dd_ocp_new(&ocp, system, &options);
    /* names of plots are checked before hours of solving */
    if (st == DD_OK) {
        st = dd_ocp_check_plot(ocp, o->show.items, (uint32_t)o->show.count);
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
        st = st == DD_OK ? print_result(ocp, o, unwritten == CLI_DONE, code) : st;
        *code = unwritten != CLI_DONE ? unwritten : *code;
    }
    dd_ocp_free(ocp);
    return st;
}

/* Counts out of their range: the code of wrong usage. */
static int check_counts(const optimize_options *o)
{
    /* each count has its largest sensible value */
    const struct {
        const char *name;
        uint64_t value;
        int most;
    } counts[] = {{"--intervals", o->intervals, 1000000},   {"--degree", o->degree, 9},
                  {"--substeps", o->substeps, 1000000},     {"--max-iterations", o->max_iterations, 1000000000},
                  {"--multistart", o->multistart, 1000000}, {"--threads", o->threads, MOST_THREADS}};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        if (counts[k].value == NOT_GIVEN) {
            continue;
        }
        if (counts[k].value == 0 || counts[k].value > (uint64_t)counts[k].most) {
            return cli_usage_error("optimize", "%s: expected a whole number from 1 to %d", counts[k].name,
                                   counts[k].most);
        }
    }
    return CLI_GO_ON;
}

int cmd_optimize(int argc, char **argv)
{
    static optimize_options o; /* a list of settings is large */
    const dd_ocp_options usual = dd_ocp_options_default();
    o = (optimize_options){.threads = 1,
                           .intervals = NOT_GIVEN,
                           .degree = usual.degree,
                           .substeps = usual.substeps,
                           .max_iterations = usual.max_iterations,
                           .multistart = 1};
    /* method and mesh, then solver, then guesses, then outputs */
    const cli_option options[] = {
        {"--method", 0, CLI_TEXT, "NAME", "collocation (default) or shooting", &o.method},
        {"--integrator", 0, CLI_TEXT, "NAME", "of shooting: a Runge-Kutta method with fixed steps (default radau-3)",
         &o.integrator},
        {"--substeps", 0, CLI_COUNT, "M", "of shooting: steps of the integrator in an interval (default 1)",
         &o.substeps},
        {"--hessian", 0, CLI_TEXT, "KIND", "exact (default), bfgs, or gauss-newton (shooting)", &o.hessian},
        {"--intervals", 0, CLI_COUNT, "N", "intervals of the mesh (default 50, refined where that is too coarse)",
         &o.intervals},
        {"--degree", 0, CLI_COUNT, "D", "collocation points of an interval, 1 to 9 (default 3)", &o.degree},
        {"--nodes", 0, CLI_TEXT, "NAME", "radau (default) or legendre", &o.nodes},
        {"--control", 0, CLI_TEXT, "KIND",
         "constant, linear or polynomial in an interval (default constant; --refine chooses)", &o.control},
        {"--solver", 0, CLI_TEXT, "NAME", "ipopt (default); daedal: our own, not there yet (ipopt runs, and says so)",
         &o.solver},
        {"--tol", 0, CLI_NUMBER, "R", "tolerance of the optimality conditions (default 1e-8)", &o.tol},
        {"--max-iterations", 0, CLI_COUNT, "N", "iterations at most (default 3000)", &o.max_iterations},
        {"--refine", 0, CLI_NUMBER, "TOL", "refine the mesh until the estimated error is below TOL", &o.refine},
        {"--stabilize", 0, CLI_TEXT, "KIND", "none (default) or baumgarte, for models of index 2 and more",
         &o.stabilize},
        {"--alpha", 0, CLI_NUMBER, "A", "the rate of baumgarte (default 1)", &o.alpha},
        {"--consistency", 0, CLI_TEXT, "WHERE",
         "constraints of the model are imposed at the start (default), end or none", &o.consistency},
        {"--guess", 0, CLI_TEXT, "WHAT", "linear, simulate or FILE.csv (default: initialGuess and start values)",
         &o.guess},
        {"--multistart", 0, CLI_COUNT, "N", "solve from N guesses and take the best", &o.multistart},
        {"--coarse", 0, CLI_FLAG, NULL, "solve on a coarse mesh first", &o.coarse},
        {"--permutation", 0, CLI_COUNT, "N", "for tests: order N of the program's variables (default 0, as they come)",
         &o.permutation},
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the trajectory", &o.output},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page with plots", &o.report},
        {"--plot", 0, CLI_TEXT, "FILE.svg", "write a picture (of the first variables, or of those to --show)", &o.plot},
        {"--show", 0, CLI_LIST, "NAMES", "a panel of the picture: x,v or 'caption: x,v over y'; may be repeated",
         &o.show},
        {"--multipliers", 0, CLI_FLAG, NULL,
         "costates and multipliers of rows as well: in the trajectory, --json, --report", &o.multipliers},
        {"--threads", 0, CLI_COUNT, "N", "threads of the linear algebra (default 1)", &o.threads},
        {"--quiet", 'q', CLI_FLAG, NULL, "show no iterations (--verbose: also where standard error is no terminal)",
         &o.quiet},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "optimize",
                           .operands = "FILE [CLASS]",
                           .summary = "solves an optimization class: optimal control, parameters, times",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    /* everything that can be refused is refused before the model is read */
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    code = code == CLI_GO_ON ? check_counts(&o) : code;
    if (code != CLI_GO_ON) {
        return code;
    }
    if (o.show.count > 0 && !o.plot) {
        return cli_usage_error("optimize", "--show belongs to --plot FILE.svg");
    }
    /* an output must neither replace the model nor turn out not to be writable after a long run */
    const char *written[] = {o.output, o.report, o.plot};
    code = cli_spare_model("optimize", &operands, written, sizeof written / sizeof *written);
    if (code != CLI_GO_ON) {
        return code;
    }
    if (!cli_can_write(o.output, o.common.json) || !cli_can_write(o.report, o.common.json) ||
        !cli_can_write(o.plot, o.common.json)) {
        return CLI_SAID_NO;
    }
    cli_limit_threads(o.threads);
    return cli_on_system(&operands, &o.common, true, run, &o);
}
