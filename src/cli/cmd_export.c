/* cmd_export.c - daedal export: a model, a controller or a solver as C code, a model as an FMU. */
#include "cli/cli.h"
#include "daedal/daedal.h"

typedef struct export_options {
    cli_common common;
    const char *c, *fmu, *method, *control, *mode;
    uint64_t fmi, iterations, intervals, degree;
    double step, tol;
    bool auto_init, project;
} export_options;

static dd_status run(dd_context *ctx, dd_system *system, const void *options_given, int *code)
{
    const export_options *o = options_given;
    dd_export_options options = dd_export_options_default();
    /* the options of the command line as the library has them */
    options.method = o->method;
    options.step = o->step;
    options.tol = o->tol;
    options.iterations = (uint32_t)o->iterations;
    options.fmi = (int)o->fmi;
    options.auto_init = o->auto_init;
    options.project = o->project;
    options.intervals = (uint32_t)o->intervals;
    options.degree = (uint32_t)o->degree;
    options.control = o->control;
    options.mode = o->mode;
    dd_export *x = NULL;
    const dd_status st = o->c ? dd_export_c(&x, system, o->c, &options) : dd_export_fmu(&x, system, o->fmu, &options);
    /* files that cannot be written are no verdict about the model */
    if (st == DD_IO) {
        *code = cli_report_io(dd_context_message(ctx), o->common.json);
        return DD_OK;
    }
    if (st == DD_OK) {
        if (o->common.json) {
            puts(dd_export_json(x));
        } else {
            printf("%s written\n", o->c ? o->c : o->fmu);
        }
        *code = CLI_DONE;
    }
    dd_export_free(x);
    return st;
}

/* CLI_GO_ON, or wrong usage. */
static int check_options(const export_options *o)
{
    if ((o->c != NULL) == (o->fmu != NULL)) {
        return cli_usage_error("export", "give either --c DIR or --fmu FILE.fmu");
    }
    if (o->fmi != 2 && o->fmi != 3) {
        return cli_usage_error("export", "--fmi is 2 or 3");
    }
    if (o->intervals > 1000000 || o->degree > 9) {
        return cli_usage_error("export", "--intervals is at most 1000000, --degree at most 9");
    }
    if (o->iterations > 1000) {
        return cli_usage_error("export", "--iterations is at most 1000");
    }
    return CLI_GO_ON;
}

int cmd_export(int argc, char **argv)
{
    static export_options o; /* a list of settings is large */
    o = (export_options){.fmi = 2};
    const cli_option options[] = {
        {"--c", 0, CLI_TEXT, "DIR", "write C99 sources to this folder", &o.c},
        {"--fmu", 0, CLI_TEXT, "FILE.fmu", "write a Functional Mock-up Unit", &o.fmu},
        {"--fmi", 0, CLI_COUNT, "2|3", "version of the FMU's interface (default 2)", &o.fmi},
        {"--method", 0, CLI_TEXT, "NAME",
         "a Runge-Kutta method (default rk4 if x' = f is explicit and not stiff, else radau-3)", &o.method},
        {"--step", 0, CLI_NUMBER, "H",
         "step size of main.c (default: the model's Interval, else a 500th of the experiment)", &o.step},
        {"--tol", 0, CLI_NUMBER, "R",
         "tolerance of the FMU's co-simulation (default: the model's Tolerance, else 1e-6), or of an optimization "
         "class",
         &o.tol},
        {"--iterations", 0, CLI_COUNT, "K",
         "maximum number of Newton iterations per step (default 10); of a class: of a solve (default 200, 500)",
         &o.iterations},
        {"--mode", 0, CLI_TEXT, "MODE", "controllers: converge, or rti (default: the class's annotation)", &o.mode},
        {"--intervals", 0, CLI_COUNT, "N", "optimization classes: mesh intervals", &o.intervals},
        {"--degree", 0, CLI_COUNT, "D", "optimization classes: collocation points per interval, 1 to 9", &o.degree},
        {"--control", 0, CLI_TEXT, "KIND", "optimization classes: constant, linear or polynomial controls", &o.control},
        {"--auto-init", 0, CLI_FLAG, NULL, "complete missing initial values with defaults", &o.auto_init},
        {"--project", 0, CLI_FLAG, NULL, "move contradictory initial values to the nearest consistent ones",
         &o.project},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "export",
                           .operands = "FILE [MODEL]",
                           .summary =
                               "writes a model, a controller or a solver as C code without dependencies; a model "
                               "also as an FMU",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    code = code == CLI_GO_ON ? check_options(&o) : code;
    if (code != CLI_GO_ON) {
        return code;
    }
    const char *const written[] = {o.c, o.fmu};
    code = cli_spare_model("export", &operands, written, 2);
    return code != CLI_GO_ON ? code : cli_on_system(&operands, &o.common, cli_analysis(true), run, &o);
}
