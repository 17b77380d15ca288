/* plant.c - the plant of a loop by its text: "MODEL", "MODEL(k = 0.8)", "FILE:MODEL(...)". Modifications become settings, as
 * the command line would give them. */
#include <ctype.h>
#include <string.h>

#include "base/context.h"
#include "control/loop.h"

typedef struct loading {
    const dd_system *system;
    const char *class_file, *plant;
    dd_pool *pool;
    const char *file, *class_name;
    const char *from; /* the text in messages */
    dd_string_vec settings;
} loading;

static char *trimmed(dd_pool *pool, const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin)) {
        begin++;
    }
    while (end > begin && isspace((unsigned char)end[-1])) {
        end--;
    }
    return dd_pool_strndup(pool, begin, (size_t)(end - begin));
}

static void read_modification(loading *l, const char *prefix, const char *begin, const char *end);

/* Modifications up to the closing parenthesis before `close`, split at commas outside of brackets. */
static void read_list(loading *l, const char *prefix, const char *begin, const char *close)
{
    int depth = 0;
    for (const char *c = begin; c < close; c++) {
        if (((*c == ',' && depth == 0) || c == close - 1)) {
            read_modification(l, prefix, begin, c);
            begin = c + 1;
        }
        depth += *c == '(' || *c == '{' || *c == '[' ? 1 : *c == ')' || *c == '}' || *c == ']' ? -1 : 0;
    }
}

/* "x(start = 3)" is x=3, "k = 0.8" is k=0.8; components are joined by dots. */
static void read_modification(loading *l, const char *prefix, const char *begin, const char *end)
{
    const char *open = memchr(begin, '(', (size_t)(end - begin)), *equals = memchr(begin, '=', (size_t)(end - begin));
    if (open != NULL && (equals == NULL || open < equals) && end > open && end[-1] == ')') {
        const char *name = trimmed(l->pool, begin, open);
        const char *inner = dd_pool_printf(l->pool, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", name);
        read_list(l, inner, open + 1, end);
        return;
    }
    if (equals == NULL) {
        dd_raise(l->system->ctx, DD_INVALID_MODEL, "plant: \"%s\" is not a modification NAME = VALUE",
                 trimmed(l->pool, begin, end));
    }
    const char *name = trimmed(l->pool, begin, equals), *value = trimmed(l->pool, equals + 1, end);
    const bool start = strcmp(name, "start") == 0 && prefix[0] != '\0';
    dd_vec_push(l->pool, &l->settings,
                (const char *)(start ? dd_pool_printf(l->pool, "%s=%s", prefix, value)
                                     : dd_pool_printf(l->pool, "%s%s%s=%s", prefix, prefix[0] != '\0' ? "." : "", name,
                                                      value)));
}

static void read_text(void *user)
{
    loading *l = user;
    const char *text = l->plant, *open = strchr(text, '('), *end = text + strlen(text);
    const char *name_end = open != NULL ? open : end;
    const char *colon = NULL;
    l->from = dd_pool_printf(l->pool, "plant = \"%s\"", text);
    for (const char *c = text; c < name_end; c++) {
        colon = *c == ':' ? c : colon;
    }
    /* a file beside that of the class */
    l->file = l->class_file;
    if (colon != NULL) {
        const char *file = trimmed(l->pool, text, colon), *slash = strrchr(l->class_file, '/');
        l->file = file[0] == '/' || slash == NULL
                      ? file
                      : dd_pool_printf(l->pool, "%.*s/%s", (int)(slash - l->class_file), l->class_file, file);
    }
    l->class_name = trimmed(l->pool, colon != NULL ? colon + 1 : text, name_end);
    if (open != NULL) {
        const char *close = end;
        while (close > open && close[-1] != ')') {
            close--;
        }
        if (close == open) {
            dd_raise(l->system->ctx, DD_INVALID_MODEL, "plant: a parenthesis is missing in \"%s\"", text);
        }
        read_list(l, "", open + 1, close);
    }
}

dd_status dd_loop_load_plant(dd_model **out, const dd_system *system, const char *class_file, const char *plant,
                             const dd_load_options *load)
{
    if (out == NULL || system == NULL || class_file == NULL || plant == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    *out = NULL;
    loading l = {.system = system, .class_file = class_file, .plant = plant};
    l.pool = dd_pool_new(system->ctx);
    if (l.pool == NULL) {
        return dd_fail(system->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    dd_status st = dd_protect(system->ctx, read_text, &l);
    if (st == DD_OK) {
        dd_load_options o = load != NULL ? *load : dd_load_options_default();
        o.class_name = l.class_name;
        o.settings = l.settings.data;
        o.n_settings = l.settings.len;
        o.settings_from = l.from;
        st = dd_model_load_file(out, system->ctx, l.file, &o);
    }
    dd_pool_free(l.pool);
    return st;
}
