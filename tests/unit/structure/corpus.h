/* corpus.h - the models of tests/corpus/check with the comments in them, for tests that look inside the analysis.
 *
 * A block is one way to run a model: `// run: --set a=1 Class` starts a new one, `// expect-...: text` lines belong to it
 * (tests/corpus/expect.awk describes them all). */
#ifndef TEST_STRUCTURE_CORPUS_H
#define TEST_STRUCTURE_CORPUS_H

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daedal/daedal.h"

enum { CORPUS_MOST_LINES = 64, CORPUS_MOST_SETTINGS = 16 };

typedef struct corpus_block {
    const char *file; /* name without folder */
    const char *text;
    size_t length;
    const char *class_name;
    const char *settings[CORPUS_MOST_SETTINGS];
    uint32_t n_settings;
    const char *what[CORPUS_MOST_LINES]; /* "expect-hidden" */
    const char *line[CORPUS_MOST_LINES];
    uint32_t n_lines;
} corpus_block;

typedef void (*corpus_visit)(const corpus_block *block, void *user);

static inline char *corpus_read(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(1);
    }
    fseek(f, 0, SEEK_END);
    const long size = ftell(f);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    *length = fread(text, 1, (size_t)size, f);
    text[*length] = 0;
    fclose(f);
    return text;
}

/* "--set a=1 --set b=2 Class", cut in place */
static inline void corpus_arguments(corpus_block *b, char *arguments)
{
    b->n_settings = 0;
    b->class_name = NULL;
    char *rest = arguments, *word;
    while ((word = strsep(&rest, " "))) {
        if (strcmp(word, "--set") == 0) {
            word = strsep(&rest, " ");
            if (word && b->n_settings < CORPUS_MOST_SETTINGS) {
                b->settings[b->n_settings++] = word;
            }
        } else if (*word) {
            b->class_name = word;
        }
    }
}

static inline void corpus_each_block(const char *file, const char *text, size_t length, corpus_visit visit, void *user)
{
    corpus_block b = {.file = file, .text = text, .length = length};
    char *copy = strdup(text), *rest = copy, *line;
    while ((line = strsep(&rest, "\n"))) {
        line += strspn(line, " \t");
        char *colon = strstr(line, ": ");
        if (strncmp(line, "// ", 3) != 0 || !colon ||
            (strncmp(line, "// run: ", 8) != 0 && strncmp(line, "// expect", 9) != 0)) {
            continue;
        }
        *colon = 0;
        if (strcmp(line, "// run") == 0) {
            if (b.n_lines > 0) {
                visit(&b, user);
            }
            b.n_lines = 0;
            corpus_arguments(&b, colon + 2);
        } else if (b.n_lines < CORPUS_MOST_LINES) {
            b.what[b.n_lines] = line + 3;
            b.line[b.n_lines++] = colon + 2;
        }
    }
    if (b.n_lines > 0) {
        visit(&b, user);
    }
    free(copy);
}

/* Visits every block of every model whose file is at most `max_size` bytes, in the order of names. */
static inline void corpus_each(size_t max_size, corpus_visit visit, void *user)
{
    const char *root = getenv("DAEDAL_SOURCE");
    char folder[3000], path[4096];
    snprintf(folder, sizeof folder, "%s/tests/corpus/check", root ? root : ".");
    struct dirent **entries;
    const int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0) {
        fprintf(stderr, "cannot open %s\n", folder);
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name, *end = strrchr(name, '.');
        if (end && (strcmp(end, ".mo") == 0 || strcmp(end, ".mop") == 0)) {
            size_t length;
            snprintf(path, sizeof path, "%s/%s", folder, name);
            char *text = corpus_read(path, &length);
            if (length <= max_size) {
                corpus_each_block(name, text, length, visit, user);
            }
            free(text);
        }
        free(entries[i]);
    }
    free(entries);
}

static inline dd_status corpus_load(dd_model **model, dd_context *ctx, const corpus_block *b)
{
    dd_load_options options = dd_load_options_default();
    options.class_name = b->class_name;
    options.settings = b->settings;
    options.n_settings = b->n_settings;
    return dd_model_load_text(model, ctx, b->file, b->text, b->length, &options);
}

typedef void (*corpus_look)(const corpus_block *block, dd_system *system, void *user);

/* Loads and analyses a block and looks at the system; false, with the message printed, when that fails. */
static inline bool corpus_analyse(const corpus_block *b, corpus_look look, void *user)
{
    dd_context *ctx = NULL;
    dd_model *model = NULL;
    dd_system *s = NULL;
    dd_status st = dd_context_new(&ctx, NULL);
    st = st == DD_OK ? corpus_load(&model, ctx, b) : st;
    st = st == DD_OK ? dd_model_analyse(&s, model, NULL) : st;
    if (st == DD_OK) {
        look(b, s, user);
    } else {
        fprintf(stderr, "%s: %s\n", b->file, ctx ? dd_context_message(ctx) : dd_status_text(st));
    }
    dd_system_free(s);
    dd_model_free(model);
    dd_context_free(ctx);
    return st == DD_OK;
}

#endif
