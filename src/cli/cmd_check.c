/* cmd_check.c - daedal check: index, constraints and initial values of a model. */
#include <string.h>

#include "cli/cli.h"
#include "daedal/daedal.h"
#include "daedal/optimize.h"

enum { SHOWN = 12 }; /* formulas of each kind that the report for people shows */

typedef struct check_options {
    cli_common common;
    bool flat;
    bool forms[3]; /* a printed form is asked for: by dd_printed_form */
    const char *report;
    const char *explain; /* how, "" for text; NULL: not asked for */
    dd_explain_format format;
} check_options;

/* The same with its optimization class, before the solve. */
static dd_status report_optimization(dd_ocp *ocp, const check_options *o, const char **text)
{
    dd_status st = dd_ocp_inspect(ocp);
    if (st == DD_OK) {
        st = o->common.json ? dd_ocp_inspect_json(text, ocp) : dd_ocp_inspect_text(text, ocp, cli_use_colour(stdout));
    }
    return st;
}

/* The report, or the explanation that was asked for. */
static dd_status report_model(dd_system *system, const check_options *o, const char **text)
{
    return o->common.json ? dd_system_json(text, system)
           : o->explain   ? dd_system_explain(text, system, o->format)
                          : dd_system_text(text, system, cli_use_colour(stdout));
}

static dd_status print_report(dd_context *ctx, dd_model *model, const check_options *o, int *code)
{
    dd_system *system = NULL;
    dd_ocp *ocp = NULL;
    const char *text = "";
    /* JSON has all formulas, people get the first few and a count */
    dd_analyse_options analysis = dd_analyse_options_default();
    analysis.max_formulas = o->common.json || o->explain || o->report ? 0 : SHOWN + 1;
    analysis.explain = o->explain != NULL;
    dd_status st = dd_model_analyse(&system, model, &analysis);
    /* an optimization class is inspected; a plain model is tried at its start */
    if (st == DD_OK && dd_system_has_optimization(system) && dd_system_verdict(system) == DD_VERDICT_OK) {
        st = dd_ocp_new(&ocp, system, NULL);
        st = st == DD_OK ? report_optimization(ocp, o, &text) : st;
        if (st == DD_OK && o->explain && !o->common.json) {
            st = dd_system_explain(&text, system, o->format);
        }
    } else if (st == DD_OK) {
        st = dd_system_test_start(system);
    }
    /* text is that of the class, or of the model alone */
    if (st == DD_OK && !ocp) {
        st = report_model(system, o, &text);
    }
    /* the page first; one that cannot be written is no verdict about the model */
    if (st == DD_OK && o->report && (st = dd_system_write_report(system, o->report)) == DD_IO) {
        *code = cli_report_io(dd_context_message(ctx), o->common.json);
        st = DD_OK;
    } else if (st == DD_OK) {
        fputs(text, stdout);
        if (o->report && !o->common.json) {
            printf("\n  page in %s\n", o->report);
        }
        if (o->common.json) {
            putchar('\n');
        }
        /* exit code 1 where the answer is no */
        const bool good = dd_system_verdict(system) == DD_VERDICT_OK && !dd_ocp_is_contradictory(ocp);
        *code = good ? CLI_DONE : CLI_SAID_NO;
    }
    dd_ocp_free(ocp);
    dd_system_free(system);
    return st;
}

/* The number of forms asked for; *form: the last of them. */
static int forms_wanted(const check_options *o, dd_printed_form *form)
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        n += o->forms[i];
        *form = o->forms[i] ? (dd_printed_form)i : *form;
    }
    return n;
}

/* A model in the language in place of a report. */
static dd_status print_model(dd_model *model, const check_options *o)
{
    const char *text = "";
    dd_printed_form form = DD_PRINT_REDUCED;
    dd_system *system = NULL;
    dd_status st;
    if (o->flat) {
        st = dd_model_flat_text(&text, model);
    } else {
        forms_wanted(o, &form);
        st = dd_model_analyse(&system, model, NULL);
        st = st == DD_OK ? dd_system_print_form(&text, system, form) : st;
    }
    if (st == DD_OK) {
        fputs(text, stdout);
    }
    dd_system_free(system);
    return st;
}

static int check(dd_context *ctx, const cli_operands *operands, const check_options *o)
{
    dd_load_options load = dd_load_options_default();
    load.class_name = operands->items[1];
    load.settings = o->common.set.items;
    load.n_settings = (uint32_t)o->common.set.count;
    load.libraries = o->common.library.items;
    load.n_libraries = (uint32_t)o->common.library.count;
    dd_model *model = NULL;
    int code = CLI_DONE;
    dd_printed_form form = DD_PRINT_REDUCED;
    /* a model instead of a report, when asked for */
    dd_status st = dd_model_load_file(&model, ctx, operands->items[0], &load);
    if (st == DD_OK && (o->flat || forms_wanted(o, &form) > 0)) {
        st = print_model(model, o);
    } else if (st == DD_OK) {
        st = print_report(ctx, model, o, &code);
    }
    /* warnings appear also when all went well */
    if (st == DD_OK) {
        cli_print_diagnostics(ctx);
    } else {
        code = cli_report_failure(ctx, st, o->common.json);
    }
    if (o->common.verbose) {
        cli_print_memory(ctx);
    }
    cli_exit_when_busy(ctx, code);
    dd_model_free(model);
    return code;
}

/* False for a word that is no format. */
static bool read_format(const char *word, dd_explain_format *format)
{
    static const char *const names[] = {"text", "markdown", "latex"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) == 0) {
            *format = (dd_explain_format)i;
            return true;
        }
    }
    *format = DD_EXPLAIN_TEXT;
    return word[0] == '\0';
}

int cmd_check(int argc, char **argv)
{
    static check_options o; /* a list of settings is large */
    o = (check_options){0};
    /* the command's own options, then the common ones */
    const cli_option options[] = {
        {"--flat", 0, CLI_FLAG, NULL, "print the flattened model in the same language instead", &o.flat},
        {"--reduced", 0, CLI_FLAG, NULL, "print the reduced system of index 1 as a model instead",
         &o.forms[DD_PRINT_REDUCED]},
        {"--semi-explicit", 0, CLI_FLAG, NULL, "the same as x' = f, 0 = g", &o.forms[DD_PRINT_SEMI_EXPLICIT]},
        {"--normal", 0, CLI_FLAG, NULL, "the same as x' = f, algebraic variables eliminated",
         &o.forms[DD_PRINT_NORMAL]},
        {"--explain", 0, CLI_WORD, "[=FORMAT]", "explain the reduction step by step: text, markdown or latex",
         &o.explain},
        {"--report", 0, CLI_TEXT, "FILE.html",
         "write a page: formulas, structure, initial values, the reduction explained", &o.report},
        CLI_COMMON_OPTIONS(&o.common),
    };
    const cli_spec spec = {.verb = "check",
                           .operands = "FILE [MODEL]",
                           .summary = "reports index, hidden constraints and initial values of a model",
                           .options = options,
                           .option_count = sizeof options / sizeof *options,
                           .min_operands = 1,
                           .max_operands = 2};
    /* parse, context, work */
    cli_operands operands;
    int code = cli_parse(&spec, argc, argv, &operands);
    dd_printed_form form = DD_PRINT_REDUCED;
    const int models = o.flat + forms_wanted(&o, &form);
    if (code == CLI_GO_ON && o.flat && o.common.json) {
        return cli_usage_error("check", "choose --flat or --json, not both: the flattened model is text");
    }
    if (code == CLI_GO_ON && (models > 1 || (models == 1 && (o.common.json || o.explain)))) {
        return cli_usage_error("check", "choose one of --flat, --reduced, --semi-explicit, --normal, --explain; "
                                        "models are text, so --json does not apply");
    }
    if (code != CLI_GO_ON) {
        return code;
    }
    if (o.explain && !read_format(o.explain, &o.format)) {
        return cli_usage_error("check", "--explain=%s: expected text, markdown or latex", o.explain);
    }
    const int outputs = cli_check_outputs("check", &operands, &o.report, 1, o.common.json);
    if (outputs != CLI_GO_ON) {
        return outputs;
    }
    dd_context *ctx;
    dd_status st = cli_context_new(&ctx, &o.common);
    if (st != DD_OK) {
        return cli_exit_code(st);
    }
    code = check(ctx, &operands, &o);
    cli_context_free(ctx);
    return code;
}
