/* load.c - the public calls that read models: protection, files, NAME=VALUE. */
#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "lang/lang.h"

#define MAX_FILE_BYTES ((size_t)64 << 20)

typedef struct load_job {
    dd_context *ctx;
    dd_pool *pool;
    const char *path; /* NULL: text is given */
    const char *name, *text;
    size_t length;
    dd_load_options options;
    dd_model *model;
} load_job;

dd_load_options dd_load_options_default(void)
{
    return (dd_load_options){0};
}

/* The `=` between name and value; one inside a quoted name is part of the name. */
static const char *find_equals(const char *text)
{
    /* quotes protect `=`; a backslash protects a quote */
    bool quoted = false;
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '\\' && quoted && s[1] != '\0') {
            s++;
        } else if (*s == '\'') {
            quoted = !quoted;
        } else if (*s == '=' && !quoted) {
            return s;
        }
    }
    return NULL;
}

static const char *trimmed(dd_pool *pool, const char *s, size_t n)
{
    for (; n > 0 && (*s == ' ' || *s == '\t'); n--) {
        s++;
    }
    for (; n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t');) {
        n--;
    }
    return dd_pool_strndup(pool, s, n);
}

static dd_setting *split_settings(load_job *job)
{
    dd_setting *settings = dd_pool_alloc_array(job->pool, job->options.n_settings + 1, sizeof *settings);
    const char *set =
        job->options.settings_from != NULL ? job->options.settings_from : dd_option_word(job->ctx, "--set");
    for (uint32_t i = 0; i < job->options.n_settings; i++) {
        /* each at its first `=`; the text becomes a source for the message */
        const char *text = job->options.settings[i], *equals = find_equals(text);
        if (equals == NULL) {
            uint32_t file = dd_source_add(job->ctx, set, text, strlen(text));
            dd_error(job->ctx, ((dd_span){file, 0, (uint32_t)strlen(text)}), "expected NAME=VALUE, as in %s k=3", set);
            dd_raise(job->ctx, DD_INVALID_MODEL, "%s %s: expected NAME=VALUE", set, text);
        }
        settings[i].from = set;
        settings[i].name = trimmed(job->pool, text, (size_t)(equals - text));
        settings[i].value = trimmed(job->pool, equals + 1, strlen(equals + 1));
    }
    return settings;
}

/* Where other files are looked for first: beside the model, then where the caller says. */
static const char *const *search_paths(load_job *job)
{
    uint32_t n = 0;
    const char **paths = dd_pool_alloc_array(job->pool, (size_t)job->options.n_libraries + 2, sizeof *paths);
    if (job->path != NULL) {
        paths[n++] = dd_path_folder(job->pool, job->path);
    }
    for (uint32_t i = 0; i < job->options.n_libraries; i++) {
        const char *folder = job->options.libraries[i];
        if (!dd_path_is_folder(folder)) {
            dd_raise(job->ctx, DD_IO, "there is no folder %s to look for libraries in", folder);
        }
        paths[n++] = folder;
    }
    return paths;
}

static void load(void *arg)
{
    /* settings first: a wrong one is reported even if the file cannot be read */
    load_job *job = arg;
    dd_setting *settings = split_settings(job);
    dd_pool *file_pool = NULL;
    /* the text of a file lives until the model is complete; a given text belongs to the caller */
    if (job->path != NULL) {
        char *text;
        file_pool = dd_pool_child(job->pool);
        dd_status status = dd_file_read(file_pool, job->path, MAX_FILE_BYTES, &text, &job->length);
        if (status != DD_OK) {
            dd_raise(job->ctx, status, "%s", dd_pool_strdup(job->pool, dd_context_message(job->ctx)));
        }
        job->text = text;
    } else if (job->length > MAX_FILE_BYTES) {
        dd_raise(job->ctx, DD_LIMIT, "%s has %zu bytes; the limit is %zu", job->name, job->length, MAX_FILE_BYTES);
    }
    const char *choice = NULL;
    dd_lang_source source = {.file = job->name,
                             .text = job->text,
                             .length = job->length,
                             .paths = search_paths(job),
                             .class_name = job->options.class_name,
                             .settings = settings,
                             .n_settings = job->options.n_settings};
    job->model = dd_lang_load(job->ctx, job->pool, &source, &choice);
    /* the caller may not know that there was a choice */
    if (choice != NULL) {
        dd_note(job->ctx, job->model->span, "choosing %s, the last class here that no other class uses", choice);
    }
    dd_pool_free(file_pool);
}

static dd_status run(load_job *job, dd_model **out, const dd_load_options *options)
{
    *out = NULL;
    job->options = options != NULL ? *options : dd_load_options_default();
    /* one pool per model: after a failure everything is freed with it */
    job->pool = dd_pool_new(job->ctx);
    if (job->pool == NULL) {
        return dd_fail(job->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    dd_status status = dd_protect(job->ctx, load, job);
    if (status != DD_OK) {
        dd_pool_free(job->pool);
        return status;
    }
    *out = job->model;
    return DD_OK;
}

dd_status dd_model_load_file(dd_model **out, dd_context *ctx, const char *path, const dd_load_options *options)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ctx || !path) {
        return DD_INVALID_ARGUMENT;
    }
    load_job job = {.ctx = ctx, .path = path, .name = path};
    return run(&job, out, options);
}

dd_status dd_model_load_text(dd_model **out, dd_context *ctx, const char *name, const char *text, size_t length,
                             const dd_load_options *options)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !ctx || !name || (!text && length > 0)) {
        return DD_INVALID_ARGUMENT;
    }
    load_job job = {.ctx = ctx, .name = name, .text = text, .length = length};
    return run(&job, out, options);
}
