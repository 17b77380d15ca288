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

static void print_option(const cli_option *o)
{
    char left[64];
    /* "-o, --output FILE   what it does", in two columns */
    char letter[8] = "    ";
    if (o->letter) {
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    }
    snprintf(left, sizeof left, "%s%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    printf("  %-28s %s\n", left, o->help);
}

static void print_help(const cli_spec *spec)
{
    printf("usage: daedal %s %s [options]\n\n%s\n\n", spec->verb, spec->operands, spec->summary);
    for (size_t i = 0; i < spec->option_count; i++) {
        print_option(&spec->options[i]);
    }
    printf("  %-28s %s\n", "-h, --help", "print this");
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

static int unknown_option(const cli_spec *spec, const char *text, size_t length)
{
    /* the message suggests the closest option */
    const char *names[MOST_OPTIONS];
    char asked[64];
    size_t count = 0;
    for (; count < spec->option_count && count < MOST_OPTIONS; count++) {
        names[count] = spec->options[count].name;
    }
    snprintf(asked, sizeof asked, "%.*s", (int)(length < sizeof asked ? length : sizeof asked - 1), text);
    const char *meant = cli_suggest(asked, names, count);
    if (meant) {
        return cli_usage_error(spec->verb, "unknown option %s; did you mean %s?", asked, meant);
    }
    return cli_usage_error(spec->verb, "unknown option %s", asked);
}

static int read_option(reader *r)
{
    const char *text = r->argv[r->at];
    /* --name=value, or the next argument is the value */
    const char *equals = text[1] == '-' ? strchr(text, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const cli_option *o = find_option(r->spec, text, length);
    if (!o) {
        return unknown_option(r->spec, text, length);
    }
    const char *value = equals ? equals + 1 : NULL;
    /* flags have no value, all others need one */
    if (o->type == CLI_FLAG && value) {
        return cli_usage_error(r->spec->verb, "%s takes no value", o->name);
    }
    if (o->type != CLI_FLAG && !value) {
        if (r->at + 1 >= r->argc) {
            return cli_usage_error(r->spec->verb, "%s needs a value: %s", o->name, o->argument);
        }
        value = r->argv[++r->at];
    }
    /* the table knows what is expected */
    const char *expected = store(o, value);
    if (expected) {
        return cli_usage_error(r->spec->verb, "%s %s: expected %s", o->name, value, expected);
    }
    return CLI_GO_ON;
}

static int read_operand(const cli_spec *spec, cli_operands *operands, const char *text)
{
    if (operands->count >= spec->max_operands || operands->count >= CLI_MOST_OPERANDS) {
        return cli_usage_error(spec->verb, "%s is one argument too many", text);
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
            code = read_operand(spec, operands, text);
        }
        if (code != CLI_GO_ON) {
            return code;
        }
    }
    /* help says what is missing */
    if (operands->count < spec->min_operands) {
        return cli_usage_error(spec->verb, "%s needs %s", spec->verb, spec->operands);
    }
    return CLI_GO_ON;
}
