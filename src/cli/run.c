/* run.c - the surroundings of the work of a command: its context, Ctrl-C, messages, exit codes. */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "daedal/optimize.h"

int cli_exit_code(dd_status status)
{
    switch (status) {
    case DD_OK:
        return CLI_DONE;
    case DD_INTERRUPTED:
        return CLI_INTERRUPTED;
    default:
        return CLI_SAID_NO;
    }
}

/* ---- context and interruption ---- */

static dd_context *volatile watched;
static volatile sig_atomic_t signalled; /* a first signal has come, */
static struct timespec first_signal;    /* at this time; written before `signalled` is */
static const double same_signal = 0.3;  /* seconds: no finger is as quick */

/* True also for a copy that follows at once: timeout(1), and shells that pass a signal on, send it to the process and to
 * its group. */
static bool is_first_press(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!signalled) {
        first_signal = now;
        signalled = 1;
        return true;
    }
    return (double)(now.tv_sec - first_signal.tv_sec) + 1e-9 * (double)(now.tv_nsec - first_signal.tv_nsec) <
           same_signal;
}

/* Asks the work to stop. A second signal ends the program at once, as if nobody listened. */
static void on_signal(int number)
{
    dd_context *ctx = watched;
    if (!is_first_press()) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (ctx) {
        dd_context_interrupt(ctx);
    }
}

void cli_watch(dd_context *ctx)
{
    watched = ctx;
    signalled = 0;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT); /* one at a time */
    sigaddset(&action.sa_mask, SIGTERM);
    action.sa_handler = ctx ? on_signal : SIG_DFL;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

dd_status cli_context_new(dd_context **out, const cli_common *common)
{
    /* the limits of the command line */
    dd_context_options options = dd_context_options_default();
    options.max_memory = (size_t)common->max_memory;
    options.max_seconds = common->max_time;
    options.fail_at = common->fail_at;
    options.fail_file_at = common->fail_file_at;
    options.option_prefix = "--";
    const dd_status status = dd_context_new(out, &options);
    if (status == DD_OK) {
        cli_watch(*out);
    } else {
        cli_complain("%s", dd_status_text(status));
        if (common->json) { /* without a context there is nothing that could write it */
            puts("{\"status\":\"out_of_memory\",\"reason\":\"memory ran out before anything was read\"}");
        }
    }
    return status;
}

void cli_exit_when_busy(dd_context *ctx, int code)
{
    if (dd_context_busy(ctx)) {
        fflush(NULL);
        _Exit(code);
    }
}

void cli_context_free(dd_context *ctx)
{
    cli_watch(NULL);
    dd_context_free(ctx);
}

/* ---- messages ---- */

bool cli_use_colour(FILE *stream)
{
    /* NO_COLOR and dumb terminals are respected */
    const char *refused = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if ((refused && *refused) || (terminal && strcmp(terminal, "dumb") == 0)) {
        return false;
    }
    return isatty(fileno(stream)) == 1;
}

void cli_complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("daedal: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

/* writes the text with the severity, which is its first such word on the first line, in colour */
static void print_coloured(const char *text, dd_severity severity)
{
    static const char *const words[] = {"error:", "warning:", "note:"};
    static const char *const colours[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
    /* the first such word is the severity: it comes before the message */
    const char *word = strstr(text, words[severity]);
    if (!word) {
        fputs(text, stderr);
        return;
    }
    const size_t length = strlen(words[severity]);
    fprintf(stderr, "%.*s%s%s\033[0m%s", (int)(word - text), text, colours[severity], words[severity], word + length);
}

static void print_diagnostic(const dd_context *ctx, size_t i, bool colour)
{
    char small[2048];
    char *text = small;
    /* most messages fit; longer ones are formatted again */
    const size_t length = dd_context_format_diagnostic(ctx, i, small, sizeof small);
    if (length >= sizeof small) {
        char *large = malloc(length + 1);
        if (large) {
            dd_context_format_diagnostic(ctx, i, large, length + 1);
            text = large; /* otherwise the shortened text has to do */
        }
    }
    if (colour) {
        print_coloured(text, dd_context_diagnostic(ctx, i).severity);
    } else {
        fputs(text, stderr);
    }
    if (text != small) {
        free(text);
    }
}

void cli_print_diagnostics(const dd_context *ctx)
{
    const bool colour = cli_use_colour(stderr);
    const size_t count = dd_context_diagnostic_count(ctx);
    size_t errors = 0;
    /* errors beyond the limit are counted, not shown */
    for (size_t i = 0; i < count; i++) {
        errors += dd_context_diagnostic(ctx, i).severity == DD_SEVERITY_ERROR;
        print_diagnostic(ctx, i, colour);
    }
    if (dd_context_error_count(ctx) > errors) {
        fprintf(stderr, "%zu more errors are not shown\n", dd_context_error_count(ctx) - errors);
    }
}

/* Where memory is short a call may return the short text and the next one the long one: until it fits. */
static void print_failure(dd_context *ctx, dd_status status)
{
    size_t room = 0, length = dd_context_failure_json(ctx, status, NULL, 0);
    char *text = NULL;
    while (length >= room) {
        room = length + 1;
        char *grown = realloc(text, room);
        if (!grown) {
            free(text);
            return;
        }
        text = grown;
        length = dd_context_failure_json(ctx, status, text, room);
    }
    puts(text);
    free(text);
}

int cli_report_failure(dd_context *ctx, dd_status status, bool json)
{
    /* messages with a place, or else the one sentence */
    cli_print_diagnostics(ctx);
    if (dd_context_error_count(ctx) == 0) {
        cli_complain("%s", dd_context_message(ctx));
    }
    /* the same for programs, on standard output */
    if (json) {
        print_failure(ctx, status);
    }
    return cli_exit_code(status);
}

void cli_print_memory(const dd_context *ctx)
{
    fprintf(stderr, "daedal: %.1f MiB of memory at most, %llu allocations\n",
            (double)dd_context_memory_peak(ctx) / 1048576.0, (unsigned long long)dd_context_allocations(ctx));
}

static dd_status load_system(dd_model **model, dd_system **system, dd_context *ctx, const cli_operands *operands,
                             const cli_common *common, const dd_analyse_options *analysis)
{
    *model = NULL;
    *system = NULL;
    /* class, settings and libraries as given */
    dd_load_options load = dd_load_options_default();
    load.class_name = operands->items[1];
    load.settings = common->set.items;
    load.n_settings = (uint32_t)common->set.count;
    load.libraries = common->library.items;
    load.n_libraries = (uint32_t)common->library.count;
    dd_status st = dd_model_load_file(model, ctx, operands->items[0], &load);
    st = st == DD_OK ? dd_model_analyse(system, *model, analysis) : st;
    if (st == DD_OK && dd_system_certificate(*system) == DD_CERTIFICATE_UNDECIDED &&
        !dd_system_has_optimization(*system)) {
        st = dd_system_test_start(*system); /* the start may confirm the regularity that the analysis could not */
    }
    return st;
}

int cli_conclude(dd_context *ctx, dd_status status, int code, const cli_common *common)
{
    if (status == DD_OK) {
        cli_print_diagnostics(ctx);
    } else {
        code = cli_report_failure(ctx, status, common->json);
        code = status == DD_INVALID_ARGUMENT ? CLI_USAGE : code;
    }
    if (common->verbose) {
        cli_print_memory(ctx);
    }
    return code;
}

dd_analyse_options cli_analysis(bool trust_structure)
{
    /* formulas are for reports; here they would only cost time */
    dd_analyse_options analysis = dd_analyse_options_default();
    analysis.max_formulas = 1; /* nobody reads them */
    analysis.trust_structure = trust_structure;
    return analysis;
}

int cli_on_system(const cli_operands *operands, const cli_common *common, dd_analyse_options analysis,
                  cli_system_job job, const void *options)
{
    dd_context *ctx;
    dd_model *model;
    dd_system *system;
    int code = CLI_DONE;
    /* context, model, job, messages, and everything freed */
    dd_status st = cli_context_new(&ctx, common);
    if (st != DD_OK) {
        return cli_exit_code(st);
    }
    st = load_system(&model, &system, ctx, operands, common, &analysis);
    if (st == DD_OK) {
        st = job(ctx, system, options, &code);
    }
    code = cli_conclude(ctx, st, code, common);
    cli_exit_when_busy(ctx, code);
    dd_system_free(system);
    dd_model_free(model);
    cli_context_free(ctx);
    return code;
}
