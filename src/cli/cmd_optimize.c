/* cmd_optimize.c - daedal optimize: solves the optimization class of a file. */
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "daedal/daedal.h"
#include "daedal/optimize.h"

typedef struct optimize_options {
    cli_common common;
    uint64_t intervals, degree, max_iterations, substeps, multistart;
    const char *integrator, *hessian, *guess;
    bool coarse;
    const char *nodes, *control, *solver, *method, *output;
    double tol, alpha, refine;
    const char *stabilize, *consistency;
} optimize_options;

static int choose(const char *option, const char *value, const char *const *names, int count, int otherwise)
{
    if (value == NULL) {
        return otherwise;
    }
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
    static const char *const controls[] = {"constant", "linear", "polynomial"};
    static const char *const nodes[] = {"radau", "legendre"};
    static const char *const solvers[] = {"ipopt", "daedal"};
    static const char *const methods[] = {"collocation", "shooting"};
    static const char *const hessians[] = {"exact", "bfgs", "gauss-newton"};
    static const char *const stabilizers[] = {"none", "baumgarte"};
    static const char *const places[] = {"start", "end", "none"};
    const int control = choose("--control", o->control, controls, 3, 0),
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
    *out = dd_ocp_options_default();
    out->control = (dd_ocp_control)control;
    out->legendre = node == 1;
    out->shooting = method == 1;
    out->integrator = o->integrator;
    out->substeps = o->substeps > 0 ? (uint32_t)o->substeps : out->substeps;
    out->hessian = (dd_ocp_hessian)hessian;
    out->intervals = o->intervals > 0 ? (uint32_t)o->intervals : out->intervals;
    out->degree = o->degree > 0 ? (uint32_t)o->degree : out->degree;
    out->max_iterations = o->max_iterations > 0 ? (uint32_t)o->max_iterations : out->max_iterations;
    out->tolerance = o->tol > 0 ? o->tol : out->tolerance;
    out->refine = o->refine;
    out->guess = o->guess;
    out->multistart = (uint32_t)(o->multistart < 100000 ? o->multistart : 100000);
    out->coarse = o->coarse;
    out->consistency = (dd_ocp_consistency)consistency;
    out->baumgarte = stabilize == 1 ? (o->alpha > 0 ? o->alpha : 1) : 0;
    return true;
}

static bool show_iteration(void *user, uint32_t iteration, double objective, double violation, double dual)
{
    const optimize_options *o = user;
    if (!o->common.json && isatty(STDERR_FILENO)) {
        if (iteration % 20 == 0) {
            fprintf(stderr, "  iter      objective  violation       dual\n");
        }
        fprintf(stderr, "%6u %14.7e %10.2e %10.2e\n", iteration, objective, violation, dual);
    }
    return true;
}

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const optimize_options *o = options_given;
    (void)ctx;
    dd_ocp_options options;
    dd_ocp *ocp = NULL;
    const char *text = "";
    if (!read_options(o, &options)) {
        *code = CLI_USAGE;
        return DD_OK;
    }
    options.user = (void *)(uintptr_t)o;
    options.progress = show_iteration;
    dd_status st = dd_ocp_new(&ocp, system, &options);
    if (st == DD_OK) {
        st = dd_ocp_solve(ocp);
    }
    if (st == DD_OK && o->output != NULL && dd_ocp_get_info(ocp).variables > 0) {
        st = dd_ocp_write_csv(ocp, o->output);
    }
    if (st == DD_OK) {
        st = o->common.json ? dd_ocp_json(&text, ocp) : dd_ocp_text(&text, ocp, cli_use_colour(stdout));
    }
    if (st == DD_OK) {
        const dd_ocp_status status = dd_ocp_get_info(ocp).status;
        fputs(text, stdout);
        if (o->common.json) {
            putchar('\n');
        }
        *code = status == DD_OCP_OPTIMAL || status == DD_OCP_ACCEPTABLE ? CLI_DONE
                : status == DD_OCP_INTERRUPTED                          ? CLI_INTERRUPTED
                                                                        : CLI_SAID_NO;
    }
    dd_ocp_free(ocp);
    return st;
}

int cmd_optimize(int argc, char **argv)
{
    static optimize_options o; /* a list of settings is large */
    o = (optimize_options){0};
    const cli_option options[] = {
        {"--method", 0, CLI_TEXT, "NAME", "collocation (default) or shooting", &o.method},
        {"--integrator", 0, CLI_TEXT, "NAME", "of shooting: a Runge-Kutta method with fixed steps (default radau-3)",
         &o.integrator},
        {"--substeps", 0, CLI_COUNT, "M", "of shooting: steps of the integrator in an interval (default 1)",
         &o.substeps},
        {"--hessian", 0, CLI_TEXT, "KIND", "exact (default), bfgs, or gauss-newton (shooting)", &o.hessian},
        {"--intervals", 0, CLI_COUNT, "N", "intervals of the mesh (default 50)", &o.intervals},
        {"--degree", 0, CLI_COUNT, "D", "collocation points of an interval, 1 to 9 (default 3)", &o.degree},
        {"--nodes", 0, CLI_TEXT, "NAME", "radau (default) or legendre", &o.nodes},
        {"--control", 0, CLI_TEXT, "KIND", "constant (default), linear or polynomial in an interval", &o.control},
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
        {"--output", 'o', CLI_TEXT, "FILE.csv", "write the trajectory", &o.output},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "optimize",
                           .operands = "FILE [CLASS]",
                           .summary = "solves an optimization class: optimal control, parameters, times",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    const int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    return cli_on_system(&operands, &o.common, true, run, &o);
}
