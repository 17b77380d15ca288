/* program.c - one input, one run of the program, in this process: files in a folder of its own in memory, standard output
 * caught and looked at. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daedal_main.h"
#include "structured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 8192, MOST_ARGUMENTS = 64, MOST_OPTION_BYTES = 1024 };

static char folder[64];
static int caught = -1;

/* Once: a folder of our own, and standard output into memory. */
static void prepare(void)
{
    if (caught >= 0) {
        return;
    }
    snprintf(folder, sizeof folder, "/dev/shm/daedal-fuzz-%ld", (long)getpid());
    caught = memfd_create("stdout", 0);
    if ((mkdir(folder, 0700) != 0 && access(folder, W_OK) != 0) || chdir(folder) != 0 || caught < 0 ||
        dup2(caught, STDOUT_FILENO) < 0) {
        perror("fuzz");
        exit(1);
    }
}

static void write_file(const char *name, const char *text, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file) != 0) {
        perror(name);
        exit(1);
    }
}

/* The options of the first line; those that would leave the folder are left out. */
static int read_options(char *line, char **argv, int argc)
{
    for (char *word = strtok(line, " \t\r"); word && argc < MOST_ARGUMENTS - 8; word = strtok(NULL, " \t\r")) {
        if (!strchr(word, '/') && !strstr(word, "..") && strcmp(word, "--") != 0) {
            argv[argc++] = word;
        }
    }
    return argc;
}

/* With --json there is one JSON object or nothing; a run that is not done says why. */
static void check_output(bool json, int code)
{
    static char text[1 << 20];
    fflush(stdout);
    const off_t size = lseek(caught, 0, SEEK_CUR);
    const ssize_t got = pread(caught, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = 0;
    if (ftruncate(caught, 0) != 0 || lseek(caught, 0, SEEK_SET) != 0) {
        abort();
    }
    if (code != 0 && code != 1 && code != 2 && code != 130) {
        fuzz_complain("an exit code that does not exist", text);
    }
    if (json && size < (off_t)sizeof text) {
        fuzz_check_json(text);
        if (code == 1 && *text && !strstr(text, "\"reason\":\"") && !strstr(text, "\"errors\":[")) {
            fuzz_complain("a refusal without a reason", text);
        }
        if (code == 0 && strstr(text, "\"status\":\"ok\"") == NULL && strstr(text, "\"status\":\"optimal\"") == NULL &&
            strstr(text, "\"status\":\"acceptable\"") == NULL) {
            fuzz_complain("done, but the status says something else", text);
        }
    }
}

static void remove_outputs(void)
{
    static const char *const names[] = {"out.csv",         "out.html",         "out.svg",
                                        "out.csv.partial", "out.html.partial", "out.svg.partial"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unlink(names[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST_BYTES + 1], line[MOST_OPTION_BYTES];
    if (size > MOST_BYTES) {
        return 0;
    }
    prepare();
    memcpy(text, data, size);
    text[size] = 0;

    /* options, model, table */
    line[0] = 0;
    char *model = text;
    if (strncmp(text, FUZZ_OPTIONS_MARK, strlen(FUZZ_OPTIONS_MARK)) == 0) {
        const size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length - strlen(FUZZ_OPTIONS_MARK)),
                 text + strlen(FUZZ_OPTIONS_MARK));
        model = text + length;
    }
    char *end = text + size, *table = strstr(model, FUZZ_FILE_MARK);
    write_file("model.mop", model, (size_t)((table ? table : end) - model));
    table = table ? table + strlen(FUZZ_FILE_MARK) : end;
    write_file("data.csv", table, (size_t)(end - table));

    /* the run: limits last, so that they hold */
    static char program[] = "daedal", verb[32], file[] = "model.mop";
    static char time_limit[] = "--max-time=5", memory_limit[] = "--max-memory=256M";
    snprintf(verb, sizeof verb, "%s", fuzz_verb);
    char *argv[MOST_ARGUMENTS + 1] = {program, verb, file};
    int argc = read_options(line, argv, 3);
    argv[argc++] = time_limit;
    argv[argc++] = memory_limit;
    argv[argc] = NULL;
    bool json = false;
    for (int i = 3; i < argc; i++) {
        json = json || strcmp(argv[i], "--json") == 0;
    }
    const int code = daedal_main(argc, argv);
    check_output(json, code);
    remove_outputs();
    return 0;
}
