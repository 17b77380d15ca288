/* request.c - reads what --show asks for. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "report/panel_private.h"

static const char *name_of(const dd_curves *c, uint32_t column)
{
    return c->table->columns[column].name;
}

const char *dd_panel_unit(const dd_curves *c, uint32_t column)
{
    const char *unit = c->table->columns[column].unit;
    return strcmp(unit, "1") == 0 ? "" : unit;
}

const char *dd_panel_with_unit(dd_pool *pool, const char *name, const char *unit)
{
    return unit[0] ? dd_pool_printf(pool, "%s [%s]", name, unit) : name;
}

/* ---- words ---- */

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

/* The first of `wanted` outside of brackets and quotes; the end of the text when there is none. */
static const char *find_outside(const char *text, char wanted)
{
    int depth = 0;
    bool quoted = false;
    for (; *text; text++) {
        /* a quote toggles; brackets count only outside of quotes */
        quoted = quoted != (*text == '\'');
        depth += quoted ? 0 : (*text == '[') - (*text == ']');
        if (!quoted && depth == 0 && *text == wanted) {
            return text;
        }
    }
    return text;
}

/* ---- names and patterns ---- */

static uint64_t read_number(const char **text)
{
    uint64_t value = 0;
    while (isdigit((unsigned char)**text)) {
        value = value < UINT32_MAX ? 10 * value + (uint64_t)(**text - '0') : value;
        (*text)++;
    }
    return value;
}

/* "2:5", "2:", ":5", ":" at the pattern against the number at the name; both are moved on. */
static bool matches_range(const char **pattern, const char **name)
{
    const char *p = *pattern, *n = *name;
    if (!isdigit((unsigned char)*n)) {
        return false;
    }
    const uint64_t value = read_number(&n), low = isdigit((unsigned char)*p) ? read_number(&p) : 0;
    p++; /* the colon */
    const uint64_t high = isdigit((unsigned char)*p) ? read_number(&p) : UINT64_MAX;
    *pattern = p;
    *name = n;
    return value >= low && value <= high;
}

/* Does a range begin here? */
static bool is_range(const char *pattern)
{
    return pattern[strspn(pattern, "0123456789")] == ':';
}

bool dd_panel_matches(const char *pattern, const char *name)
{
    while (*pattern && *name) {
        /* a star matches any letters: the rest is tried from every place */
        if (*pattern == '*') {
            for (const char *at = name;; at++) {
                if (dd_panel_matches(pattern + 1, at)) {
                    return true;
                }
                if (*at == '\0') {
                    return false;
                }
            }
        }
        if (is_range(pattern)) {
            if (!matches_range(&pattern, &name)) {
                return false;
            }
        } else if (*pattern++ != *name++) {
            return false;
        }
    }
    /* stars may match nothing; an element belongs to the array that was named */
    pattern += strspn(pattern, "*");
    const char *end = *name == '[' ? strchr(name, ']') : NULL;
    return *pattern == '\0' && (*name == '\0' || (end && end[1] == '\0'));
}

static _Noreturn void no_such_name(const dd_curves *c, const char *name, dd_pool *pool)
{
    const uint32_t count = c->table->width - 1;
    const char **names = dd_pool_alloc_array(pool, count + 1, sizeof *names);
    for (uint32_t i = 0; i < count; i++) {
        names[i] = name_of(c, i);
    }
    /* the message names the closest variable */
    const char *near = dd_closest_name(name, names, count);
    dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT, "there is no variable \"%s\" to plot%s%s%s", name,
             near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* Parameters that match, if no column does: a profile may be drawn over them. */
static bool add_places(const dd_curves *c, dd_panel *p, const char *name, dd_pool *pool)
{
    for (uint32_t i = 0; i < c->n_places; i++) {
        if (dd_panel_matches(name, c->places[i].name)) {
            dd_vec_push(pool, &p->over_places, i);
        }
    }
    return p->over_places.len > 0;
}

/* All columns that match; no match is an error of the request. */
static void add_columns(const dd_curves *c, dd_panel *p, bool over, const char *name, dd_pool *pool)
{
    bool found = false;
    for (uint32_t i = 0; i + 1 < c->table->width; i++) {
        if (!dd_panel_matches(name, name_of(c, i))) {
            continue;
        }
        found = true;
        if (over) {
            dd_vec_push(pool, &p->over, i);
        } else {
            dd_vec_push(pool, &p->columns, i);
        }
    }
    if (!found && !(over && add_places(c, p, name, pool))) {
        no_such_name(c, name, pool);
    }
}

/* ---- parts of a request ---- */

/* "profile:", "heat:", "equal:" before the rest; the kinds may be captions of nothing else. */
static const char *read_kind(dd_panel *p, const char *text, dd_pool *pool)
{
    static const char *const words[] = {"profile", "heat", "equal"};
    const char *colon = find_outside(text, ':');
    const char *word = trimmed(pool, text, colon);
    for (int k = 0; *colon && k < 3; k++) {
        if (strcmp(word, words[k]) == 0) {
            p->kind = k == 0 ? DD_PANEL_PROFILE : k == 1 ? DD_PANEL_HEAT : p->kind;
            p->equal = p->equal || k == 2;
            return read_kind(p, colon + 1, pool);
        }
    }
    return text;
}

static void read_times(dd_panel *p, const char *text, dd_pool *pool)
{
    for (const char *at = text;; at++) {
        const char *end;
        at += strspn(at, " ");
        const double value = dd_number_parse(at, &end);
        if (end == at || !isfinite(value)) {
            dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT, "at %s: expected times separated by commas", text);
        }
        dd_vec_push(pool, &p->times, value);
        at = end + strspn(end, " ");
        if (*at != ',') {
            if (*at != '\0') {
                dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT, "at %s: expected times separated by commas", text);
            }
            return;
        }
    }
}

static void read_over(const dd_curves *c, dd_panel *p, const char *text, dd_pool *pool)
{
    /* "over time [h]" only changes the label */
    if (strcmp(text, "time") == 0 || strncmp(text, "time ", 5) == 0) {
        p->x_name = text;
        return;
    }
    add_columns(c, p, true, text, pool);
    /* an array over another one of its size is a profile; over parameters nothing else is possible */
    const uint32_t given = p->over.len + p->over_places.len;
    if (p->over_places.len > 0 || (given > 1 && given == p->columns.len)) {
        p->kind = p->kind == DD_PANEL_LINES ? DD_PANEL_PROFILE : p->kind;
    }
    const uint32_t wanted = p->kind == DD_PANEL_LINES ? 1 : p->columns.len;
    if (given != wanted) {
        dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT, "over %s: %s needed, not %u", text,
                 wanted == 1 ? "one variable is" : dd_pool_printf(pool, "%u variables are", wanted), given);
    }
}

static void read_names(const dd_curves *c, dd_panel *p, const char *names, dd_pool *pool)
{
    /* names separated by commas outside of brackets */
    for (const char *at = names;;) {
        const char *comma = find_outside(at, ',');
        add_columns(c, p, false, trimmed(pool, at, comma), pool);
        if (!*comma) {
            return;
        }
        at = comma + 1;
    }
}

dd_panel dd_panel_read(const dd_curves *c, const char *request, dd_pool *pool)
{
    dd_panel p = {.kind = DD_PANEL_LINES};
    /* kind, caption, names, over, at: in this order */
    const char *text = read_kind(&p, request, pool);
    const char *colon = find_outside(text, ':');
    if (*colon) {
        p.caption = trimmed(pool, text, colon);
        text = colon + 1;
    }
    const char *end = text + strlen(text), *at = strstr(text, " at ");
    if (at != NULL) {
        read_times(&p, trimmed(pool, at + 4, end), pool);
        p.kind = p.kind == DD_PANEL_LINES ? DD_PANEL_PROFILE : p.kind;
        end = at;
    }
    const char *over = strstr(text, " over ");
    over = over != NULL && over < end ? over : NULL;
    read_names(c, &p, trimmed(pool, text, over != NULL ? over : end), pool);
    if (over != NULL) {
        read_over(c, &p, trimmed(pool, over + 6, end), pool);
    }
    if (p.kind == DD_PANEL_LINES && p.columns.len > DD_MOST_LINES) {
        dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT,
                 "\"%s\" would draw more than %d lines in one plot; a profile or a heat map shows many", request,
                 (int)DD_MOST_LINES);
    }
    return p;
}
