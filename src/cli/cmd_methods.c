/* cmd_methods.c - daedal methods: Runge-Kutta methods, their order, stability and cost. */
#include "cli/cli.h"
#include "daedal/methods.h"

typedef struct methods_options {
    cli_common common;
    const char *tableau, *plot, *report;
    double tol; /* 0: not given */
    uint64_t digits;
} methods_options;

static int print_text(dd_context *ctx, dd_status st, const char *text, const methods_options *o)
{
    if (st != DD_OK) {
        return cli_report_failure(ctx, st, o->common.json);
    }
    fputs(text, stdout);
    if (o->common.json) {
        putchar('\n');
    }
    return CLI_DONE;
}

static int show_list(dd_context *ctx, const methods_options *o)
{
    dd_method_list *list;
    const char *text = "";
    dd_status st = dd_method_list_new(&list, ctx);
    if (st == DD_OK) {
        st = o->common.json ? dd_method_list_json(&text, list, o->tol) : dd_method_list_text(&text, list, o->tol);
    }
    const int code = print_text(ctx, st, text, o);
    dd_method_list_free(list);
    return code;
}

static int show_method(dd_context *ctx, const char *name, const methods_options *o)
{
    dd_method *method;
    const char *text = "";
    /* by name or from a file */
    dd_status st = name ? dd_method_new(&method, ctx, name) : dd_method_read(&method, ctx, o->tableau);
    /* a misspelt name is wrong usage, with a hint at the closest one */
    if (st == DD_INVALID_ARGUMENT && name && !o->common.json) {
        return cli_usage_error("methods", "%s", dd_context_message(ctx));
    }
    if (st == DD_OK && o->plot) {
        st = dd_method_plot(method, o->plot);
        cli_finish_picture(st == DD_OK ? o->plot : "");
    }
    if (st == DD_OK && o->report) {
        st = dd_method_write_report(method, o->report);
    }
    /* JSON, or a report with the digits asked for */
    if (st == DD_OK) {
        st = o->common.json ? dd_method_json(&text, method, o->tol)
                            : dd_method_text(&text, method, o->tol, (uint32_t)o->digits);
    }
    int code = print_text(ctx, st, text, o);
    if (st == DD_INVALID_ARGUMENT && name) {
        code = CLI_USAGE;
    }
    dd_method_free(method);
    return code;
}

int cmd_methods(int argc, char **argv)
{
    static methods_options o;
    o = (methods_options){0};
    /* source, picture, estimate, digits */
    const cli_option options[] = {
        {"--tableau", 0, CLI_TEXT, "FILE", "a method from a JSON file: {\"A\": [[..]], \"b\": [..]}", &o.tableau},
        {"--plot", 0, CLI_TEXT, "FILE.svg", "write a picture of the stability region", &o.plot},
        {"--report", 0, CLI_TEXT, "FILE.html", "write a page: tableau, stability region", &o.report},
        {"--tol", 0, CLI_NUMBER, "R", "estimate the evaluations for this global error, and suggest methods", &o.tol},
        {"--digits", 0, CLI_COUNT, "N", "print decimals with N digits (1 to 34) instead of fractions", &o.digits},
        CLI_PLAIN_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "methods",
                           .operands = "[NAME]",
                           .summary = "lists Runge-Kutta methods, or reports order, stability and cost of one",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .max_operands = 1};
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    if (code != CLI_GO_ON) {
        return code;
    }
    /* combinations that make no sense, before anything is computed */
    const char *name = operands.items[0];
    if (name && o.tableau) {
        return cli_usage_error("methods", "give a name or --tableau, not both");
    }
    if (o.plot && !name && !o.tableau) {
        return cli_usage_error("methods", "--plot needs a method: a name or --tableau");
    }
    const int picture = cli_check_picture("methods", "--plot", o.plot);
    if (picture != CLI_GO_ON) {
        return picture;
    }
    if (o.report && !name && !o.tableau) {
        return cli_usage_error("methods", "--report needs a method: a name or --tableau");
    }
    if (o.tol >= 1) {
        return cli_usage_error("methods", "--tol must be below 1");
    }
    if (o.digits > 34) {
        return cli_usage_error("methods", "--digits: 34 at most");
    }
    /* one method, or the list of all */
    dd_context *ctx;
    const dd_status st = cli_context_new(&ctx, &o.common);
    if (st != DD_OK) {
        return cli_exit_code(st);
    }
    code = name || o.tableau ? show_method(ctx, name, &o) : show_list(ctx, &o);
    if (o.common.verbose) {
        cli_print_memory(ctx);
    }
    cli_context_free(ctx);
    return code;
}
