/* test_corpus.c - model texts with what is expected of them inside, as comments:
 *
 * tests/corpus/errors/     all errors, in order, and nothing but these
 *   // expect-error: 4:12: part of the message         (place "--set 1:3" for settings)
 *   // expect-note: 1:7: part of a note
 * tests/corpus/parse/      models that load
 *   // expect-model: name                // expect-count: vars=4 rows=2 groups=2 initial=1 constraints=2 points=1
 *   // expect-var: p[2] kind=input start=0.5 fixed=true min=0 max=1 nominal=2 value=3 select=prefer free=true unit=m
 *   // expect-equation: p*p - L^2 = 0    the next equation, as printed      expect-doc: its text
 *   // expect-row: x - y = 2             the next scalar rows: the same expression, however it is written
 *   // expect-initial: x = 2             the next rows of the initial equations
 *   // expect-constraint: x <= 1         the next constraint, as printed
 *   // expect-objective: E               // expect-integrand: E
 *   // expect-experiment: start=0 stop=1 tolerance=1e-6 interval=0.1
 *   // expect-assertion: text            // expect-warning: 4:12: part of the message
 * both:  // set: NAME=VALUE    // class: NAME
 */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>

#include "lang_kit.h"

#include "base/file.h"

#ifndef DD_SOURCE_DIR
#define DD_SOURCE_DIR "."
#endif

#define MAX_SETTINGS 8

typedef struct corpus_case {
    kit k;
    const char *path;
    dd_setting settings[MAX_SETTINGS];
    uint32_t failures;
    uint32_t group, row, initial, constraint, assertion; /* matched so far */
    size_t errors, warnings;
} corpus_case;

static void fail_case(corpus_case *c, const char *what, const char *expected, const char *got)
{
    print_message("%s: %s\n  expected: %s\n  got:      %s\n", c->path, what, expected, got);
    c->failures++;
}

/* ---- directives ---- */

/* The argument of the directive on this line ("// name: argument"), copied; NULL when it is another line. */
static char *directive(dd_pool *pool, const char *line, size_t n, const char *name)
{
    char head[64];
    int length = snprintf(head, sizeof head, "// %s:", name);
    const char *at = memmem(line, n, head, (size_t)length);
    if (at == NULL) {
        return NULL;
    }
    at += length;
    while (at < line + n && *at == ' ') {
        at++;
    }
    size_t rest = (size_t)(line + n - at);
    while (rest > 0 && (at[rest - 1] == ' ' || at[rest - 1] == '\r')) {
        rest--;
    }
    return dd_pool_strndup(pool, at, rest);
}

typedef void (*check_fn)(corpus_case *c, char *argument);

static void for_each(corpus_case *c, const char *name, check_fn check)
{
    const char *text = c->k.text, *end = text + c->k.length;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline != NULL ? newline : end) - text);
        char *argument = directive(c->k.pool, text, n, name);
        if (argument != NULL) {
            check(c, argument);
        }
        text += n + 1;
    }
}

static void take_setting(corpus_case *c, char *argument)
{
    char *equals = strchr(argument, '=');
    assert_non_null(equals);
    assert_true(c->k.n_settings < MAX_SETTINGS);
    *equals = '\0';
    c->settings[c->k.n_settings++] = (dd_setting){.name = argument, .value = equals + 1};
}

static void take_class(corpus_case *c, char *argument)
{
    c->k.class_name = argument;
}

/* ---- errors and warnings ---- */

static void check_diagnostic(corpus_case *c, const char *argument, dd_severity severity, size_t *seen)
{
    char got[1200] = "nothing more";
    const char *file = strncmp(argument, "--set ", 6) == 0 ? "--set" : "test.mo", *place = argument;
    unsigned line = 0, column = 0;
    int used = 0;
    place += strcmp(file, "--set") == 0 ? 6 : 0;
    if (sscanf(place, "%u:%u: %n", &line, &column, &used) != 2 || used == 0) {
        fail_case(c, "cannot read the expectation", argument, "");
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < dd_context_diagnostic_count(c->k.ctx); i++) {
        dd_diagnostic d = dd_context_diagnostic(c->k.ctx, i);
        if (d.severity != severity || count++ != *seen) {
            continue;
        }
        snprintf(got, sizeof got, "%s %u:%u: %s", d.file, d.line, d.column, d.message);
        if (strcmp(d.file, file) == 0 && d.line == line && d.column == column &&
            strstr(d.message, place + used) != NULL) {
            got[0] = '\0';
        }
        break;
    }
    ++*seen;
    if (got[0] != '\0') {
        fail_case(c, severity == DD_SEVERITY_ERROR ? "error" : "warning", argument, got);
    }
}

/* One of the notes is this one. */
static void check_note(corpus_case *c, char *argument)
{
    unsigned line = 0, column = 0;
    int used = 0;
    bool found = false;
    assert_int_equal(sscanf(argument, "%u:%u: %n", &line, &column, &used), 2);
    for (size_t i = 0; i < dd_context_diagnostic_count(c->k.ctx); i++) {
        dd_diagnostic d = dd_context_diagnostic(c->k.ctx, i);
        found |= d.severity == DD_SEVERITY_NOTE && d.line == line && d.column == column &&
                 strstr(d.message, argument + used) != NULL;
    }
    if (!found) {
        fail_case(c, "note", argument, "none like it");
    }
}

static void check_error(corpus_case *c, char *argument)
{
    check_diagnostic(c, argument, DD_SEVERITY_ERROR, &c->errors);
}

static void check_warning(corpus_case *c, char *argument)
{
    check_diagnostic(c, argument, DD_SEVERITY_WARNING, &c->warnings);
}

static void report_rest(corpus_case *c, dd_severity severity, size_t seen)
{
    size_t count = 0;
    for (size_t i = 0; i < dd_context_diagnostic_count(c->k.ctx); i++) {
        dd_diagnostic d = dd_context_diagnostic(c->k.ctx, i);
        if (d.severity == severity && count++ >= seen) {
            char got[1200];
            snprintf(got, sizeof got, "%s %u:%u: %s", d.file, d.line, d.column, d.message);
            fail_case(c, "not expected", "nothing more", got);
        }
    }
}

/* ---- models ---- */

static void check_model(corpus_case *c, char *argument)
{
    if (strcmp(c->k.m->name, argument) != 0) {
        fail_case(c, "model", argument, c->k.m->name);
    }
}

static bool next_pair(char **at, char **key, char **value)
{
    char *word = strtok_r(NULL, " ", at), *equals = word != NULL ? strchr(word, '=') : NULL;
    if (equals == NULL) {
        return false;
    }
    *equals = '\0';
    *key = word;
    *value = equals + 1;
    return true;
}

static void check_number(corpus_case *c, const char *what, const char *expected, double got)
{
    char text[40];
    snprintf(text, sizeof text, "%.17g", got);
    double wanted = strtod(expected, NULL);
    if (!(wanted == got || fabs(wanted - got) <= 1e-15 * fabs(wanted))) {
        fail_case(c, what, expected, text);
    }
}

static void check_count(corpus_case *c, char *argument)
{
    const dd_model *m = c->k.m;
    char *at, *key, *value, *first = dd_pool_printf(c->k.pool, "- %s", argument);
    const struct {
        const char *name;
        uint32_t count;
    } counts[] = {{"vars", m->vars.len},
                  {"arrays", m->arrays.len},
                  {"rows", m->rows.len},
                  {"groups", m->groups.len},
                  {"initial", m->initial_rows.len},
                  {"assertions", m->assertions.len},
                  {"constraints", m->optimization != NULL ? m->optimization->constraints.len : 0},
                  {"points", m->optimization != NULL ? m->optimization->points.len : 0}};
    strtok_r(first, " ", &at);
    while (next_pair(&at, &key, &value)) {
        bool known = false;
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            if (strcmp(key, counts[i].name) == 0) {
                check_number(c, key, value, counts[i].count);
                known = true;
            }
        }
        assert_true(known);
    }
}

static uint32_t find_scalar(const corpus_case *c, const char *name)
{
    for (uint32_t i = 0; i < c->k.m->vars.len; i++) {
        if (strcmp(dd_model_var_name_dup(c->k.m, i, c->k.pool), name) == 0) {
            return i;
        }
    }
    return DD_NO_INDEX;
}

static void check_attribute(corpus_case *c, const dd_variable *v, const char *key, const char *value)
{
    static const char *const kinds[] = {"variable", "input", "parameter", "constant", "point"};
    static const char *const selects[] = {"never", "avoid", "default", "prefer", "always"};
    const dd_array *a = &c->k.m->arrays.data[v->array];
    const struct {
        const char *key, *text;
    } texts[] = {{"kind", kinds[v->kind]},
                 {"select", selects[v->select]},
                 {"fixed", v->fixed ? "true" : "false"},
                 {"free", v->free ? "true" : "false"},
                 {"output", a->is_output ? "true" : "false"},
                 {"unit", a->unit},
                 {"displayUnit", a->display_unit},
                 {"quantity", a->quantity},
                 {"structural", v->structural ? "true" : "false"},
                 {"has_start", v->has_start ? "true" : "false"},
                 {"doc", a->doc}};
    const struct {
        const char *key;
        double number;
    } numbers[] = {{"start", v->start_value},
                   {"min", v->min_value},
                   {"max", v->max_value},
                   {"nominal", v->nominal_value},
                   {"value", v->value}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(key, texts[i].key) == 0) {
            if (strcmp(value, texts[i].text) != 0) {
                fail_case(c, key, value, texts[i].text);
            }
            return;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(key, numbers[i].key) == 0) {
            check_number(c, key, value, numbers[i].number);
            return;
        }
    }
    fail_case(c, "unknown attribute", key, "");
}

static void check_var(corpus_case *c, char *argument)
{
    char *at, *key, *value, *name = strtok_r(argument, " ", &at);
    uint32_t var = find_scalar(c, name);
    if (var == DD_NO_INDEX) {
        fail_case(c, "variable", name, "none");
        return;
    }
    while (next_pair(&at, &key, &value)) {
        check_attribute(c, &c->k.m->vars.data[var], key, value);
    }
}

static void check_equation(corpus_case *c, char *argument)
{
    dd_text text = dd_text_new(c->k.pool);
    if (c->group < c->k.m->groups.len) {
        dd_model_print_group(c->k.m, &c->k.m->groups.data[c->group++], &text);
    }
    if (strcmp(dd_text_str(&text), argument) != 0) {
        fail_case(c, "equation", argument, dd_text_str(&text));
    }
}

/* doc of the equation that the last expect-equation looked at */
static void check_doc(corpus_case *c, char *argument)
{
    for (uint32_t i = 0; i < c->k.m->groups.len; i++) {
        if (strcmp(c->k.m->groups.data[i].doc, argument) == 0) {
            return;
        }
    }
    fail_case(c, "no equation has this text", argument, "");
}

static bool read_rows(corpus_case *c, const char *text, kit_equation *equation)
{
    *equation = kit_read_equation(&c->k, text);
    if (!equation->ok) {
        kit_print(&c->k);
        fail_case(c, "cannot read the expected equation", text, "");
    }
    return equation->ok;
}

static void compare_rows(corpus_case *c, const char *text, const dd_row_vec *rows, uint32_t *at)
{
    kit_equation job;
    if (!read_rows(c, text, &job)) {
        return;
    }
    for (uint32_t i = 0; i < job.count; i++, ++*at) {
        if (*at >= rows->len || rows->data[*at].residual != job.rows[i]) {
            dd_text got = dd_text_new(c->k.pool);
            dd_namer namer = dd_model_namer(c->k.m);
            if (*at < rows->len) {
                dd_print(c->k.m->dag, rows->data[*at].residual, &namer, &got);
            }
            fail_case(c, "row", text, dd_text_str(&got));
        }
    }
}

static void check_row(corpus_case *c, char *argument)
{
    compare_rows(c, argument, &c->k.m->rows, &c->row);
}

static void check_initial(corpus_case *c, char *argument)
{
    compare_rows(c, argument, &c->k.m->initial_rows, &c->initial);
}

static void check_constraint(corpus_case *c, char *argument)
{
    static const char *const relations[] = {" = ", " <= ", " >= "};
    const dd_optimization *o = c->k.m->optimization;
    dd_text text = dd_text_new(c->k.pool);
    if (o != NULL && c->constraint < o->constraints.len) {
        const dd_constraint *k = &o->constraints.data[c->constraint++];
        dd_form_print(c->k.m->forms, k->lhs_form, k->env, &text);
        dd_text_add(&text, relations[k->relation]);
        dd_form_print(c->k.m->forms, k->rhs_form, k->env, &text);
    }
    if (strcmp(dd_text_str(&text), argument) != 0) {
        fail_case(c, "constraint", argument, dd_text_str(&text));
    }
}

static void compare_expression(corpus_case *c, const char *argument, dd_expr got)
{
    kit_equation job;
    if (read_rows(c, argument, &job) && (job.count != 1 || job.rows[0] != got)) {
        fail_case(c, "expression", argument, "another one");
    }
}

static void check_objective(corpus_case *c, char *argument)
{
    compare_expression(c, argument, c->k.m->optimization->objective);
}

static void check_integrand(corpus_case *c, char *argument)
{
    compare_expression(c, argument, c->k.m->optimization->integrand);
}

static void check_experiment(corpus_case *c, char *argument)
{
    const dd_experiment *e = &c->k.m->experiment;
    char *at, *key, *value, *first = dd_pool_printf(c->k.pool, "- %s", argument);
    strtok_r(first, " ", &at);
    while (next_pair(&at, &key, &value)) {
        bool start = strcmp(key, "start") == 0, stop = strcmp(key, "stop") == 0,
             tolerance = strcmp(key, "tolerance") == 0;
        bool has = start ? e->has_start : stop ? e->has_stop : tolerance ? e->has_tolerance : e->has_interval;
        check_number(c, key, value,
                     !has        ? NAN
                     : start     ? e->start
                     : stop      ? e->stop
                     : tolerance ? e->tolerance
                                 : e->interval);
    }
}

static void check_assertion(corpus_case *c, char *argument)
{
    const char *got = c->assertion < c->k.m->assertions.len ? c->k.m->assertions.data[c->assertion++].message : "none";
    if (strcmp(got, argument) != 0) {
        fail_case(c, "assertion", argument, got);
    }
}

typedef struct flat_job {
    corpus_case *c;
    dd_model *again;
    const char *first, *second;
} flat_job;

static const char *flat_text(corpus_case *c, const dd_model *m)
{
    dd_text text = dd_text_new(c->k.pool);
    dd_model_print_flat(m, &text);
    return dd_text_str(&text);
}

static void read_flat(void *arg)
{
    flat_job *job = arg;
    job->first = flat_text(job->c, job->c->k.m);
    dd_lang_source source = {.file = "flat.mo", .text = job->first, .length = strlen(job->first)};
    job->again = dd_lang_load(job->c->k.ctx, job->c->k.pool, &source, NULL);
    job->second = flat_text(job->c, job->again);
}

/* The flat model as text is a model of the same size, whose flat text is the same. */
static void check_flat(corpus_case *c)
{
    flat_job job = {.c = c};
    if (dd_protect(c->k.ctx, read_flat, &job) != DD_OK) {
        kit_print(&c->k);
        fail_case(c, "the flat text cannot be read back", "", job.first != NULL ? job.first : "");
        return;
    }
    if (strcmp(job.first, job.second) != 0) {
        fail_case(c, "the flat text read back prints differently", job.first, job.second);
    }
    if (c->k.m->vars.len != job.again->vars.len || c->k.m->rows.len != job.again->rows.len ||
        c->k.m->initial_rows.len != job.again->initial_rows.len) {
        fail_case(c, "the flat text read back has another size", job.first, "");
    }
}

static const struct {
    const char *name;
    check_fn check;
} model_checks[] = {{"expect-model", check_model},
                    {"expect-count", check_count},
                    {"expect-var", check_var},
                    {"expect-equation", check_equation},
                    {"expect-doc", check_doc},
                    {"expect-row", check_row},
                    {"expect-initial", check_initial},
                    {"expect-constraint", check_constraint},
                    {"expect-objective", check_objective},
                    {"expect-integrand", check_integrand},
                    {"expect-experiment", check_experiment},
                    {"expect-assertion", check_assertion},
                    {"expect-warning", check_warning}};

/* ---- running ---- */

static void run_checks(corpus_case *c, bool errors)
{
    if (errors) {
        for_each(c, "expect-error", check_error);
        for_each(c, "expect-note", check_note);
        report_rest(c, DD_SEVERITY_ERROR, c->errors);
        if (c->k.status != DD_INVALID_MODEL || c->errors == 0) {
            fail_case(c, "status", "invalid_model", dd_status_name(c->k.status));
        }
        return;
    }
    if (c->k.status != DD_OK) {
        kit_print(&c->k);
        fail_case(c, "status", "ok", dd_status_name(c->k.status));
        return;
    }
    for (size_t i = 0; i < sizeof model_checks / sizeof model_checks[0]; i++) {
        for_each(c, model_checks[i].name, model_checks[i].check);
    }
    report_rest(c, DD_SEVERITY_WARNING, c->warnings);
    check_flat(c);
}

typedef struct file_job {
    dd_pool *pool;
    const char *path;
    char *text;
    size_t length;
    dd_status status;
} file_job;

static void read_file(void *arg)
{
    file_job *job = arg;
    job->status = dd_file_read(job->pool, job->path, 1 << 20, &job->text, &job->length);
}

static uint32_t run_case(const char *path, bool errors)
{
    /* the expectations are those of the program, which writes options with dashes */
    dd_context_options options = dd_context_options_default();
    options.option_prefix = "--";
    corpus_case c = {.path = path, .k = kit_open_with("", 0, &options)};
    file_job job = {.pool = c.k.pool, .path = path};
    assert_int_equal(dd_protect(c.k.ctx, read_file, &job), DD_OK);
    assert_int_equal(job.status, DD_OK);
    c.k.text = job.text;
    c.k.length = job.length;
    c.k.settings = c.settings;
    for_each(&c, "set", take_setting);
    for_each(&c, "class", take_class);
    kit_run(&c.k);
    run_checks(&c, errors);
    kit_close(&c.k);
    return c.failures;
}

static int is_model_file(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && (strcmp(dot, ".mo") == 0 || strcmp(dot, ".mop") == 0);
}

static void run_folder(const char *folder, bool errors, int least)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_model_file, alphasort);
    uint32_t failures = 0;
    assert_true(n >= least);
    for (int i = 0; i < n; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        failures += run_case(path, errors);
        free(entries[i]);
    }
    free(entries);
    print_message("%d cases in %s\n", n, folder);
    assert_int_equal(failures, 0);
}

static void test_parse(void **state)
{
    (void)state;
    run_folder(DD_SOURCE_DIR "/tests/corpus/parse", false, 30);
}

static void test_errors(void **state)
{
    (void)state;
    run_folder(DD_SOURCE_DIR "/tests/corpus/errors", true, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parse), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
