/* sim_text.c - `daedal simulate` for people: what was integrated, where it ended, what to know. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sim/growth.h"

enum { MOST_VALUES = 24, FIRST_VALUES = 12, LINE_WIDTH = 100, MOST_MESSAGES = 20, MOST_PARAMETERS = 6 };

typedef struct page {
    dd_sim *sim;
    dd_text *out;
    bool colour;
} page;

static void bold(page *p, const char *text)
{
    dd_text_printf(p->out, "%s%s%s", p->colour ? "\033[1m" : "", text, p->colour ? "\033[0m" : "");
}

static uint32_t columns_of(const char *text, size_t length)
{
    uint32_t columns = 0, code;
    for (size_t i = 0; i < length;) {
        i += dd_utf8_decode(text + i, length - i, &code);
        columns += dd_utf8_width(code);
    }
    return columns;
}

/* A sentence in lines of LINE_WIDTH, all indented alike. */
static void add_sentence(page *p, const char *text, uint32_t indent)
{
    uint32_t at = indent;
    dd_text_printf(p->out, "%*s", (int)indent, "");
    for (bool first = true; *text; first = false) {
        const size_t length = strcspn(text, " ");
        const uint32_t width = columns_of(text, length);
        if (!first && at + 1 + width > LINE_WIDTH) {
            dd_text_printf(p->out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            dd_text_add(p->out, " ");
            at++;
        }
        dd_text_add_n(p->out, text, length);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    dd_text_add(p->out, "\n");
}

static const char *count_of(char *buffer, size_t size, uint64_t n, const char *what)
{
    snprintf(buffer, size, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
    return buffer;
}

static void add_headline(page *p)
{
    const dd_sim *sim = p->sim;
    const dd_sim_info *info = &sim->info;
    dd_text line = dd_text_new(sim->pool);
    char a[32], b[32];
    dd_text_printf(&line, "%s: ", sim->system->model->name);
    if (info->status == DD_SIM_OK) {
        dd_text_printf(&line, "from time %s to %s with %s", dd_number_text(info->t0, a), dd_number_text(info->t, b),
                       info->method);
        const bool fixed = sim->options.step > 0;
        dd_text_printf(&line, ", %s %s", fixed ? "step" : "tolerance",
                       dd_number_text(fixed ? sim->options.step : dd_sim_tolerance(sim), a));
    } else if (!sim->started) {
        dd_text_printf(&line, "not started (%s)", dd_sim_status_name(info->status));
    } else {
        dd_text_printf(&line, "stopped at time %.10g in a run from %s to %s (%s)", info->t, dd_number_text(info->t0, a),
                       dd_number_text(sim->t_stop, b), dd_sim_status_name(info->status));
    }
    bold(p, dd_text_str(&line));
    dd_text_add(p->out, "\n");
    if (info->status != DD_SIM_OK) {
        add_sentence(p, info->reason, 2);
    }
}

static void add_effort(page *p)
{
    const dd_sim_stats *s = &p->sim->info.stats;
    char text[64];
    dd_text_printf(p->out, "  %s", count_of(text, sizeof text, s->steps, "step"));
    if (s->rejected > 0) {
        dd_text_printf(p->out, " (%llu rejected)", (unsigned long long)s->rejected);
    }
    if (s->events > 0) {
        dd_text_printf(p->out, ", %s", count_of(text, sizeof text, s->events, "event"));
    }
    dd_text_printf(p->out, ", %s", count_of(text, sizeof text, s->residuals, "evaluation"));
    if (s->jacobians > 0) {
        dd_text_printf(p->out, ", %s", count_of(text, sizeof text, s->jacobians, "Jacobian"));
    }
    if (p->sim->info.status != DD_SIM_OK) {
        dd_text_printf(p->out, " with %s", p->sim->info.method);
    }
    dd_text_add(p->out, "\n");
}

/* One line per variable; parameter: whose derivatives, DD_NO_INDEX for the values. */
static void add_table(page *p, uint32_t parameter)
{
    const dd_sim *sim = p->sim;
    const dd_index_vec list = dd_sim_listed(sim, MOST_VALUES, p->out->pool);
    const uint32_t count = list.len, shown = count <= MOST_VALUES ? count : FIRST_VALUES;
    uint32_t widest = 0;
    for (uint32_t k = 0; k < shown; k++) {
        const char *name = dd_sim_variable_name(sim, list.data[k]);
        const uint32_t width = columns_of(name, strlen(name));
        widest = width > widest ? width : widest;
    }
    for (uint32_t k = 0; k < shown; k++) {
        const uint32_t i = list.data[k];
        const char *name = dd_sim_variable_name(sim, i);
        dd_text_printf(p->out, "    %s%*s  % .6g\n", name, (int)(widest - columns_of(name, strlen(name))), "",
                       parameter == DD_NO_INDEX ? dd_table_rounded(&sim->rows, i, dd_sim_final(sim, i))
                                                : dd_sim_sensitivity(sim, parameter, i));
    }
    if (shown < count) {
        dd_text_printf(
            p->out, "    ... and %u more (%s)\n", count - shown,
            dd_option_phrase(p->sim->ctx, "--json and -o FILE.csv have all", "the JSON and the CSV file have all"));
    }
}

static void add_values(page *p)
{
    dd_text_printf(p->out, "\n  Values at time %.10g\n", p->sim->info.t);
    add_table(p, DD_NO_INDEX);
}

static void add_sensitivities(page *p)
{
    const uint32_t count = dd_sim_sensitivity_count(p->sim);
    for (uint32_t k = 0; k < count && k < MOST_PARAMETERS; k++) {
        dd_text_printf(p->out, "\n  Derivatives by %s\n", dd_sim_sensitivity_name(p->sim, k));
        add_table(p, k);
    }
    if (count > MOST_PARAMETERS) {
        dd_text_printf(
            p->out, "\n  Derivatives by %u more (%s)\n", count - MOST_PARAMETERS,
            dd_option_phrase(p->sim->ctx, "--json and -o FILE.csv have all", "the JSON and the CSV file have all"));
    }
}

/* One digit, rounded up: the next smaller size is not claimed. */
static void add_size(dd_text *out, double value)
{
    if (!(value > 0)) {
        dd_text_add(out, "0");
        return;
    }
    const double power = floor(log10(value));
    const double digit = ceil(value / pow(10, power));
    dd_text_printf(out, "%.0fe%.0f", digit < 10 ? digit : 1.0, digit < 10 ? power : power + 1);
}

static void add_constraints(page *p)
{
    const dd_sim *sim = p->sim;
    const uint32_t count = sim->watch ? dd_watch_count(sim->watch) : sim->numbers->problem.n_invariants;
    /* projection and dummy derivatives solve the constraints in every step; other runs only satisfy their derivatives */
    const bool solved = sim->options.stabilize == DD_STABILIZE_DUMMY && sim->options.form == DD_SIM_FORM_REDUCED;
    const bool kept = solved || (sim->options.stabilize == DD_STABILIZE_PROJECTION && !sim->watch);
    if (count == 0) {
        return;
    }
    char text[64];
    dd_text_printf(p->out, "\n  %s", count_of(text, sizeof text, count, "constraint"));
    dd_text_add(p->out, kept ? " kept to " : " drifted by ");
    add_size(p->out, sim->info.constraint_violation);
    dd_text_add(p->out, " (largest residual of the run)\n");
}

static void add_messages(page *p)
{
    const dd_sim *sim = p->sim;
    const uint32_t own = sim->messages.len, count = own + dd_sim_warning_count(sim);
    if (count > 0) {
        dd_text_add(p->out, "\n");
    }
    for (uint32_t i = 0; i < count && i < MOST_MESSAGES; i++) {
        add_sentence(p, i < own ? sim->messages.data[i] : sim->system->warnings.data[i - own], 2);
    }
    if (count > MOST_MESSAGES) {
        dd_text_printf(p->out, "  ... and %u more messages (%s has all)\n", count - MOST_MESSAGES,
                       dd_option_phrase(sim->ctx, "--json", "the JSON"));
    }
}

static void add_files(page *p)
{
    const dd_sim *sim = p->sim;
    char rows[64], columns[64];
    if (sim->written || sim->reported || sim->plotted || sim->filmed) {
        dd_text_add(p->out, "\n");
    }
    if (sim->written) {
        dd_text_printf(p->out, "  trajectory in %s (%s, %s)\n", sim->written,
                       count_of(rows, sizeof rows, sim->rows.count, "row"),
                       count_of(columns, sizeof columns, sim->rows.width, "column"));
    }
    if (sim->reported) {
        dd_text_printf(p->out, "  plots in %s\n", sim->reported);
    }
    if (sim->plotted) {
        dd_text_printf(p->out, "  picture in %s\n", sim->plotted);
    }
    if (sim->filmed) {
        dd_text_printf(p->out, "  film strip in %s\n", sim->filmed);
    }
}

typedef struct text_call {
    dd_sim *sim;
    bool colour;
    const char *out;
} text_call;

static void text_body(void *arg)
{
    text_call *call = arg;
    dd_text text = dd_text_new(call->sim->pool);
    page p = {.sim = call->sim, .out = &text, .colour = call->colour};
    (void)dd_growth_of_errors(call->sim); /* may add a message */
    add_headline(&p);
    if (call->sim->started) {
        add_effort(&p);
        add_values(&p);
        add_sensitivities(&p);
        add_constraints(&p);
    }
    add_messages(&p);
    add_files(&p);
    call->out = dd_text_str(&text);
}

dd_status dd_sim_text(const char **out, dd_sim *sim, bool colour)
{
    if (!sim || !out) {
        return DD_INVALID_ARGUMENT;
    }
    text_call call = {.sim = sim, .colour = colour, .out = ""};
    dd_status st = dd_protect(sim->ctx, text_body, &call);
    *out = call.out;
    return st;
}
