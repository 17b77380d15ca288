/* options.c - reading the command line by a table, and printing that table as help. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_OPTIONS = 64 };

int cli_usage_error(const char *verb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("daedal: ", stderr);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nSee: daedal help%s%s\n", verb ? " " : "", verb ? verb : "");
    return CLI_USAGE;
}

/* ---- "did you mean" ---- */

/* Is b one insertion, deletion, replacement or swap of neighbours away from a? The parts left after the common
 * beginning and the common end decide. */
static bool one_edit_away(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    while (n > 0 && m > 0 && *a == *b) {
        a++, b++, n--, m--;
    }
    while (n > 0 && m > 0 && a[n - 1] == b[m - 1]) {
        n--, m--;
    }
    return n + m == 1 || (n == 1 && m == 1) || (n == 2 && m == 2 && a[0] == b[1] && a[1] == b[0]);
}

const char *cli_suggest(const char *text, const char *const *candidates, size_t count)
{
    /* one edit away first, then abbreviations of at least three letters */
    for (size_t i = 0; i < count; i++) {
        if (one_edit_away(text, candidates[i])) {
            return candidates[i];
        }
    }
    const size_t n = strlen(text);
    for (size_t i = 0; n > 2 && i < count; i++) {
        if (strncmp(text, candidates[i], n) == 0 || strncmp(text, candidates[i], strlen(candidates[i])) == 0) {
            return candidates[i];
        }
    }
    return NULL;
}

/* ---- help ---- */

static void print_line(char letter, const char *name, const char *argument, const char *help)
{
    char left[64];
    char before[8] = "    ";
    if (letter) {
        snprintf(before, sizeof before, "-%c, ", letter);
    }
    const bool attached = argument && *argument == '['; /* --name[=VALUE] */
    snprintf(left, sizeof left, "%s--%s%s%s", before, name, argument && !attached ? " " : "", argument ? argument : "");
    printf("  %-28s %s\n", left, help);
}

static void print_help(const cli_spec *spec)
{
    printf("usage: daedal %s %s [options]\n\n%s\n\n", spec->verb, spec->operands, spec->summary);
    const dd_option *listed;
    for (uint32_t i = 0; spec->library && (listed = spec->library->at(i)) != NULL; i++) {
        print_line(0, listed->name, listed->value, listed->help);
    }
    for (size_t i = 0; i < spec->option_count; i++) {
        const cli_option *o = &spec->options[i];
        print_line(o->letter, o->name + 2, o->argument, o->help);
    }
    print_line('h', "help", NULL, "print this");
}

/* ---- values ---- */

/* No locale is ever set by this program, so strtod reads '.' as the decimal point. */
static bool read_number(const char *text, double *value)
{
    char *end;
    errno = 0;
    /* the whole text must be a finite number */
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

static unsigned unit_shift(char unit)
{
    switch (unit) {
    case 'K':
    case 'k':
        return 10;
    case 'M':
        return 20;
    case 'G':
        return 30;
    case 'T':
        return 40;
    default:
        return 0;
    }
}

static bool read_count(const char *text, bool with_unit, uint64_t *value)
{
    char *end;
    /* strtoull would accept a sign */
    if (*text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (errno != 0) {
        return false;
    }
    /* the unit shifts by powers of 1024, if the number has room for it */
    const unsigned shift = with_unit ? unit_shift(*end) : 0;
    end += shift > 0;
    if (*value > UINT64_MAX >> shift) {
        return false;
    }
    *value <<= shift;
    return *end == '\0';
}

/* NULL when the value was taken, else the value that was expected */
static const char *store(const cli_option *o, const char *text)
{
    /* each type has its own place and its own range */
    cli_list *list = o->value;
    switch (o->type) {
    case CLI_FLAG:
        *(bool *)o->value = true;
        return NULL;
    case CLI_TEXT:
        *(const char **)o->value = text;
        return NULL;
    case CLI_WORD:
        *(const char **)o->value = text ? text : "";
        return NULL;
    case CLI_NUMBER:
        return read_number(text, o->value) && *(double *)o->value > 0 ? NULL : "a positive number";
    case CLI_REAL:
        return read_number(text, o->value) ? NULL : "a number";
    case CLI_COUNT:
        return read_count(text, false, o->value) ? NULL : "a whole number";
    case CLI_BYTES:
        return read_count(text, true, o->value) ? NULL : "a number of bytes, such as 500M";
    case CLI_LIST:
        if (list->count == CLI_MOST_LISTED) {
            return "at most 1000 of these";
        }
        list->items[list->count++] = text;
        return NULL;
    }
    return "a value of a known type";
}

/* ---- parsing ---- */

typedef struct {
    const cli_spec *spec;
    int argc, at;
    char **argv;
} reader;

static const cli_option *find_option(const cli_spec *spec, const char *text, size_t length)
{
    for (size_t i = 0; i < spec->option_count; i++) {
        const cli_option *o = &spec->options[i];
        /* -o or --output */
        const bool is_letter = length == 2 && o->letter && text[0] == '-' && text[1] == o->letter;
        if (is_letter || (strlen(o->name) == length && memcmp(o->name, text, length) == 0)) {
            return o;
        }
    }
    return NULL;
}

/* The number of a library option in the list; -1 when it is not there. */
static int find_listed(const cli_library_options *library, const char *name, size_t length)
{
    const dd_option *listed;
    for (uint32_t i = 0; library && (listed = library->at(i)) != NULL; i++) {
        if (strlen(listed->name) == length && memcmp(listed->name, name, length) == 0) {
            return (int)i;
        }
    }
    return -1;
}

bool cli_given(const cli_library_options *library, const char *name)
{
    const int i = find_listed(library, name, strlen(name));
    return i >= 0 && (*library->given >> i & 1) != 0;
}

static int unknown_option(const cli_spec *spec, const char *text, size_t length)
{
    /* the message suggests the closest option, with its two dashes */
    static char listed[MOST_OPTIONS][32];
    const char *names[2 * MOST_OPTIONS];
    char asked[64];
    size_t count = 0;
    for (uint32_t i = 0; spec->library && spec->library->at(i) && i < MOST_OPTIONS; i++) {
        snprintf(listed[i], sizeof listed[i], "--%s", spec->library->at(i)->name);
        names[count++] = listed[i];
    }
    for (size_t i = 0; i < spec->option_count && i < MOST_OPTIONS; i++) {
        names[count++] = spec->options[i].name;
    }
    snprintf(asked, sizeof asked, "%.*s", (int)(length < sizeof asked ? length : sizeof asked - 1), text);
    const char *meant = cli_suggest(asked, names, count);
    if (meant) {
        return cli_usage_error(spec->verb, "unknown option %s; did you mean %s?", asked, meant);
    }
    return cli_usage_error(spec->verb, "unknown option %s", asked);
}

/* An option of the command line: of the program's own table, or of the library. */
typedef struct found_option {
    const cli_option *own;
    const dd_option *listed;
    int number; /* of the listed one */
} found_option;

static found_option find(const cli_spec *spec, const char *text, size_t length)
{
    found_option f = {.own = find_option(spec, text, length), .number = -1};
    if (!f.own && length > 2 && text[1] == '-') {
        f.number = find_listed(spec->library, text + 2, length - 2);
        f.listed = f.number >= 0 ? spec->library->at((uint32_t)f.number) : NULL;
    }
    return f;
}

/* Stores the value; NULL, or the kind of value that was expected. */
static const char *take(const cli_spec *spec, const found_option *f, const char *value)
{
    static char why[DD_OPTION_WHY];
    if (f->own) {
        const char *expected = store(f->own, value);
        snprintf(why, sizeof why, "expected %s", expected ? expected : "");
        return expected ? why : NULL;
    }
    if (!spec->library->set(spec->library->options, f->listed->name, value, why)) {
        return why;
    }
    *spec->library->given |= UINT64_C(1) << f->number;
    return NULL;
}

static int read_option(reader *r)
{
    const char *text = r->argv[r->at];
    /* --name=value, or the next argument is the value */
    const char *equals = text[1] == '-' ? strchr(text, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const found_option f = find(r->spec, text, length);
    if (!f.own && !f.listed) {
        return unknown_option(r->spec, text, length);
    }
    const char *dashes = f.own ? "" : "--", *name = f.own ? f.own->name : f.listed->name;
    const char *value = equals ? equals + 1 : NULL;
    /* flags have no value, all others need one */
    const bool flag = f.own ? f.own->type == CLI_FLAG : f.listed->kind == DD_OPTION_FLAG;
    if (flag && value) {
        return cli_usage_error(r->spec->verb, "%s%s takes no value", dashes, name);
    }
    const bool optional = f.own && f.own->type == CLI_WORD;
    if (!flag && !value && !optional) {
        if (r->at + 1 >= r->argc) {
            return cli_usage_error(r->spec->verb, "%s%s needs a value: %s", dashes, name,
                                   f.own ? f.own->argument : f.listed->value);
        }
        value = r->argv[++r->at];
    }
    /* the table knows the kind of value */
    const char *why = take(r->spec, &f, value);
    return why ? cli_usage_error(r->spec->verb, "%s%s %s: %s", dashes, name, value ? value : "", why) : CLI_GO_ON;
}

/* No file and no class is called by a number: behind an option with a number it is the next of a list. */
static bool goes_on_a_list(const reader *r)
{
    double value;
    return r->at >= 3 && read_number(r->argv[r->at], &value) && read_number(r->argv[r->at - 1], &value) &&
           strncmp(r->argv[r->at - 2], "--", 2) == 0;
}

static int read_operand(const reader *r, cli_operands *operands, const char *text)
{
    const cli_spec *spec = r->spec;
    if (goes_on_a_list(r)) {
        return cli_usage_error(spec->verb, "%s is on its own: a list has commas and no blanks, as in %s %s,%s", text,
                               r->argv[r->at - 2], r->argv[r->at - 1], text);
    }
    if (operands->count >= spec->max_operands || operands->count >= CLI_MOST_OPERANDS) {
        return cli_usage_error(spec->verb, "unexpected argument %s", text);
    }
    operands->items[operands->count++] = text;
    return CLI_GO_ON;
}

int cli_parse(const cli_spec *spec, int argc, char **argv, cli_operands *operands)
{
    reader r = {.spec = spec, .argc = argc, .argv = argv};
    bool options_ended = false;
    *operands = (cli_operands){0};
    /* options, then operands, in any order; "--" ends the options */
    for (r.at = 1; r.at < argc; r.at++) {
        const char *text = argv[r.at];
        int code = CLI_GO_ON;
        /* `-` alone is an operand */
        if (!options_ended && strcmp(text, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0)) {
            print_help(spec);
            return CLI_DONE;
        } else if (!options_ended && text[0] == '-' && text[1] != '\0') {
            code = read_option(&r);
        } else {
            code = read_operand(&r, operands, text);
        }
        if (code != CLI_GO_ON) {
            return code;
        }
    }
    /* help lists the operands that are missing */
    if (operands->count < spec->min_operands) {
        return cli_usage_error(spec->verb, "%s needs %s", spec->verb, spec->operands);
    }
    return CLI_GO_ON;
}
