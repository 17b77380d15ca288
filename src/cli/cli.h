/* cli.h - shared by the commands: the table of commands, options, messages, interruption.
 *
 * A command is a file cmd_<name>.c with `int cmd_<name>(int argc, char **argv)`, argv[0] being the verb; it returns
 * the exit code. It describes its options in one table, from which parsing and help both come:
 *
 *     bool json = false;
 *     const cli_option options[] = {
 *         {"--json", 0, CLI_FLAG, NULL, "print one JSON object", &json},
 *     };
 *     const cli_spec spec = {.verb = "check", .options = options, .option_count = 1, .max_operands = 2};
 *     cli_operands operands;
 *     const int code = cli_parse(&spec, argc, argv, &operands);
 *     if (code != CLI_GO_ON) { return code; }
 */
#ifndef DD_CLI_CLI_H
#define DD_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "daedal/check.h"
#include "daedal/context.h"
#include "daedal/options.h"

/* ---- exit codes ---- */
enum { CLI_DONE = 0, CLI_SAID_NO = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130, CLI_GO_ON = -1 };

/* 0 for DD_OK, 130 for DD_INTERRUPTED, else 1. */
int cli_exit_code(dd_status status);

/* ---- commands ---- */
typedef struct cli_command {
    const char *name;
    const char *summary; /* one line of `daedal help` */
    int (*run)(int argc, char **argv);
} cli_command;

extern const cli_command cli_commands[];
extern const size_t cli_command_count;

/* NULL when no command has this name. */
const cli_command *cli_find_command(const char *name);

/* Says that there is no such command and which may have been meant; returns CLI_USAGE. */
int cli_unknown_command(const char *name);

int cmd_check(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_help(int argc, char **argv);
int cmd_linearize(int argc, char **argv);
int cmd_methods(int argc, char **argv);
int cmd_optimize(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_study(int argc, char **argv);

/* ---- options ---- */
typedef enum cli_type {
    CLI_FLAG,   /* value: bool *, set to true */
    CLI_TEXT,   /* value: const char ** */
    CLI_NUMBER, /* value: double *; finite and positive */
    CLI_REAL,   /* value: double *; finite */
    CLI_COUNT,  /* value: uint64_t *; a whole number */
    CLI_BYTES,  /* value: uint64_t *; a whole number, with K, M, G or T (powers of 1024) */
    CLI_LIST,   /* value: cli_list *; may be given several times */
    CLI_WORD    /* value: const char **; "" where none is given. A value needs the sign =: --name=value */
} cli_type;

enum { CLI_MOST_OPERANDS = 4, CLI_MOST_LISTED = 1000 };

typedef struct cli_list {
    const char *items[CLI_MOST_LISTED];
    size_t count;
} cli_list;

typedef struct cli_option {
    const char *name; /* "--output" */
    char letter;      /* 'o' for -o; 0: none */
    cli_type type;
    const char *argument; /* how help calls the value ("FILE"); NULL for flags */
    const char *help;
    void *value; /* where it goes, by type; its value before parsing is the default */
} cli_option;

/* Options that the library lists (daedal/options.h), with "--" before their names. */
typedef struct cli_library_options {
    const dd_option *(*at)(uint32_t i); /* NULL behind the last */
    bool (*set)(void *options, const char *name, const char *value, char *why);
    void *options;
    uint64_t *given; /* bit i: option i was given */
} cli_library_options;

typedef struct cli_spec {
    const char *verb;
    const char *operands; /* as help shows them: "FILE [MODEL]" */
    const char *summary;
    const cli_option *options;
    size_t option_count;
    size_t min_operands, max_operands;  /* at most CLI_MOST_OPERANDS */
    const cli_library_options *library; /* help lists them first; NULL: none */
} cli_spec;

typedef struct cli_operands {
    const char *items[CLI_MOST_OPERANDS]; /* NULL past count */
    size_t count;
} cli_operands;

/* Reads argv[1..] by the table. Options may appear anywhere, "--name value" or "--name=value"; "--" ends them. Prints
 * help for --help and a message for wrong usage. Returns CLI_GO_ON, or the exit code to end with. */
int cli_parse(const cli_spec *spec, int argc, char **argv, cli_operands *operands);

/* Was this option of the library given? */
bool cli_given(const cli_library_options *library, const char *name);

/* One sentence about wrong usage on standard error, with where to look; returns CLI_USAGE. */
int cli_usage_error(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The candidate that is one edit (insert, delete, replace, swap) away or begins with text; NULL when none. */
const char *cli_suggest(const char *text, const char *const *candidates, size_t count);

/* ---- options that every command has ---- */
typedef struct cli_common {
    bool json, verbose;
    cli_list set;                   /* NAME=VALUE */
    cli_list library;               /* folders */
    double max_time;                /* 0: no limit */
    uint64_t max_memory;            /* 0: no limit */
    uint64_t fail_at, fail_file_at; /* 0: never */
} cli_common;

/* Rows for the command's table; c is a cli_common *. Commands that read no model take the plain ones. */
#define CLI_PLAIN_OPTIONS(c)                                                                                            \
    {"--json", 0, CLI_FLAG, NULL, "print one JSON object and nothing else", &(c)->json},                                \
        {"--max-time", 0, CLI_NUMBER, "SECONDS", "stop after this time", &(c)->max_time},                               \
        {"--max-memory", 0, CLI_BYTES, "BYTES", "use at most this memory (K, M, G: powers of 1024)", &(c)->max_memory}, \
        {"--verbose", 'v', CLI_FLAG, NULL, "print more", &(c)->verbose},                                                \
        {"--fail-at", 0, CLI_COUNT, "N", "testing: the N-th allocation fails", &(c)->fail_at},                          \
    {                                                                                                                   \
        "--fail-file-at", 0, CLI_COUNT, "N", "testing: the N-th file operation fails", &(c)->fail_file_at               \
    }
#define CLI_PLAIN_COUNT 6
#define CLI_COMMON_OPTIONS(c)                                                                                          \
    {"--set", 0, CLI_LIST, "NAME=VALUE", "set a parameter or start value; may be repeated", &(c)->set},                \
        {"--library", 0, CLI_LIST, "DIR", "look for packages in this folder too; may be repeated", &(c)->library},     \
        CLI_PLAIN_OPTIONS(c)
#define CLI_COMMON_COUNT (2 + CLI_PLAIN_COUNT)

/* A context with those limits, watched for Ctrl-C. On failure prints why and sets *out to NULL. */
dd_status cli_context_new(dd_context **out, const cli_common *common);
/* A factorisation that was left and that nobody waits for ends with the program: exits with the code. */
void cli_exit_when_busy(dd_context *ctx, int code);
void cli_context_free(dd_context *ctx);

/* From now on SIGINT and SIGTERM ask ctx to stop (NULL: as before); a second one ends the program at once. */
void cli_watch(dd_context *ctx);

/* ---- messages ---- */
/* Colours are for terminals only, and not when NO_COLOR is set. */
bool cli_use_colour(FILE *stream);

/* All diagnostics of the context, with source lines, on standard error. */
void cli_print_diagnostics(const dd_context *ctx);

/* Why a call failed: messages on standard error, with json also the object on standard output; returns the exit
 * code. */
int cli_report_failure(dd_context *ctx, dd_status status, bool json);

/* ---- files ---- */
/* CLI_GO_ON, or wrong usage: one of the files to write (NULL: none) is the model file, by whatever name. */
int cli_spare_model(const char *verb, const cli_operands *operands, const char *const *written, size_t n);
/* The same, and a run of hours should not end with a file that cannot be written: looks before, and says why not. */
int cli_check_outputs(const char *verb, const cli_operands *operands, const char *const *written, size_t n, bool json);
/* A picture is SVG, PNG or PDF, as its name says, if this machine can make it: CLI_GO_ON, or the exit code of wrong
 * usage. option: --plot or --film; path NULL: none is wanted. */
int cli_check_picture(const char *verb, const char *option, const char *path);
/* The file of this name was written as SVG: makes what the name says of it. */
void cli_finish_picture(const char *path);
/* Could one of them not be made? */
bool cli_pictures_failed(void);
/* A file could not be written, which is not a verdict about the model: the message, with json also the object; returns
 * the exit code. */
int cli_report_io(const char *reason, bool json);

/* The object of a result on standard output; unwritten: why a file is missing, which becomes a key of it, or NULL. */
void cli_print_object(const char *text, const char *unwritten);
/* The name for an incomplete file, valid until the next call. */
const char *cli_partial_name(const char *path);

/* The linear algebra uses at most that many threads, where its library can be controlled. */
void cli_limit_threads(uint64_t most);

/* The job of a verb on an analysed system: *code is the exit code of the program when it returns DD_OK. */
typedef dd_status (*cli_system_job)(dd_context *ctx, dd_system *system, const void *options, int *code);
/* Loads FILE [MODEL] with the common options, analyses it, does the job, prints the messages and frees
 * everything. Returns the exit code; a wrong argument that only the library
 * can detect is CLI_USAGE. */
int cli_on_system(const cli_operands *operands, const cli_common *common, dd_analyse_options analysis,
                  cli_system_job job, const void *options);
/* The analysis that verbs need: without formulas. trust_structure: as in dd_analyse_options. */
dd_analyse_options cli_analysis(bool trust_structure);

/* The end of a command: messages, the failure if there is one, memory for --verbose. code: the exit code when the status
 * is DD_OK; returns the one to exit with. */
int cli_conclude(dd_context *ctx, dd_status status, int code, const cli_common *common);

/* Wall time since the program began. */
double cli_seconds(void);

/* The memory used, for --verbose, on standard error. */
void cli_print_memory(const dd_context *ctx);

/* "daedal: message" on standard error. */
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
