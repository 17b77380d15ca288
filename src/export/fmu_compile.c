/* fmu_compile.c - the sources of an FMU to a shared library, by the C compiler of this machine in a temporary folder. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "export/fmu_impl.h"

extern char **environ;

enum { MOST_WORDS = 32, MOST_OUTPUT = 2000, MOST_BINARY = 1 << 28 };

typedef struct compiling {
    dd_export *x;
    const dd_export_files *sources;
    char folder[64];
    dd_export_file result;
} compiling;

static const char *in_folder(const compiling *c, const char *name)
{
    return dd_path_join(c->x->pool, c->folder, name);
}

static void remove_all(compiling *c)
{
    size_t count;
    const char *const *names = dd_folder_names(c->x->pool, c->folder, &count);
    for (size_t i = 0; i < count; i++) {
        unlink(in_folder(c, names[i]));
    }
    rmdir(c->folder);
}

/* CC may be several words: "ccache gcc". */
static int split(char *text, char **words, int most)
{
    int n = 0;
    char *rest;
    for (char *word = strtok_r(text, " \t", &rest); word && n < most; word = strtok_r(NULL, " \t", &rest)) {
        words[n++] = word;
    }
    return n;
}

/* Runs the command; its messages go to a file. Returns the exit code, 127 when there is no such program. */
static int run(compiling *c, char **words)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return 127;
    }
    posix_spawn_file_actions_addopen(&actions, 2, in_folder(c, "messages"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 2, 1);
    const int started = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (started != 0) {
        return 127;
    }
    /* limits hold while it runs */
    while (waitpid(child, &status, WNOHANG) == 0) {
        const dd_status stop = dd_poll_stop_now(c->x->ctx);
        if (stop != DD_OK) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            dd_raise(c->x->ctx, stop, "stopped while the FMU was compiled");
        }
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void compile_body(void *arg)
{
    compiling *c = arg;
    dd_export *x = c->x;
    const char *given = getenv("CC"), *compiler = given && given[0] ? given : "cc";
    char *words[MOST_WORDS + 16], *source = NULL;
    /* the sources as files; one of them is C */
    for (uint32_t i = 0; i < c->sources->len; i++) {
        const dd_export_file *s = &c->sources->data[i];
        const size_t n = strlen(s->path);
        const dd_status st = dd_file_write(x->ctx, in_folder(c, s->path), s->data, s->length);
        if (st != DD_OK) {
            dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
        }
        source = n > 2 && strcmp(s->path + n - 2, ".c") == 0 ? dd_pool_strdup(x->pool, in_folder(c, s->path)) : source;
    }
    /* the command: optimised, nothing visible but the interface, no symbols */
    int n = split(dd_pool_strdup(x->pool, compiler), words, MOST_WORDS);
    char *const rest[] = {"-std=c99", "-O2", "-fPIC", "-fvisibility=hidden", "-shared", "-s", "-o"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        words[n++] = rest[i];
    }
    const char *binary = in_folder(c, "binary.so");
    words[n++] = dd_pool_strdup(x->pool, binary);
    words[n++] = source;
    words[n++] = "-lm";
    words[n] = NULL;
    const int code = run(c, words);
    char *text = "", *data;
    size_t length = 0;
    /* no compiler, a compiler that complains, or a binary */
    if (code == 127) {
        dd_raise(x->ctx, DD_IO,
                 "an FMU needs a C compiler, and \"%s\" cannot be run: install one (package gcc), or name one in the "
                 "environment variable CC",
                 compiler);
    }
    if (code != 0) {
        (void)dd_file_read(x->pool, in_folder(c, "messages"), MOST_BINARY, &text, &length);
        dd_raise(x->ctx, DD_IO, "the C compiler \"%s\" refused the FMU's sources: %.*s", compiler,
                 (int)(length < MOST_OUTPUT ? length : MOST_OUTPUT), text);
    }
    const dd_status st = dd_file_read(x->pool, binary, MOST_BINARY, &data, &length);
    if (st != DD_OK) {
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
    c->result = (dd_export_file){NULL, data, length};
}

dd_export_file dd_fmu_compile(dd_export *x, const dd_export_files *sources)
{
    const char *place = getenv("TMPDIR");
    compiling c = {.x = x, .sources = sources};
    if (snprintf(c.folder, sizeof c.folder, "%s/daedal-XXXXXX", place && place[0] ? place : "/tmp") >=
        (int)sizeof c.folder) {
        strcpy(c.folder, "/tmp/daedal-XXXXXX");
    }
    if (!mkdtemp(c.folder)) {
        dd_raise(x->ctx, DD_IO, "cannot make a temporary folder %s: %s", c.folder, strerror(errno));
    }
    const dd_status st = dd_protect(x->ctx, compile_body, &c);
    remove_all(&c);
    if (st != DD_OK) {
        dd_raise(x->ctx, st, "%s", dd_context_message(x->ctx));
    }
    return c.result;
}
