/* diagnostics.c - messages about model text: keeping them, and showing them to people.
 *
 *     model.mo:3:7: error: unknown name lamda
 *      3 |   p = lamda;
 *        |       ^~~~~
 *
 * Showing needs no memory: it writes into the caller's buffer and counts the bytes that did not fit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/state.h"
#include "base/utf8.h"

enum {
    TAB_WIDTH = 4,
    BEFORE_CARET = 60, /* most characters shown before the caret ... */
    LINE_WIDTH = 100   /* ... and most columns in all; omitted parts are shown as "..." */
};

static bool is_kept(dd_context *ctx, dd_severity severity)
{
    /* a note goes with the message it belongs to */
    if (severity != DD_SEVERITY_NOTE) {
        ctx->last_kept = ctx->kept[severity] < ctx->max_errors;
    }
    return ctx->last_kept || ctx->diagnostics.len == 0;
}

static void need_pool(dd_context *ctx)
{
    if (!ctx->diagnostic_pool) {
        ctx->diagnostic_pool = dd_pool_new(ctx);
        if (!ctx->diagnostic_pool) {
            dd_raise(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
        }
    }
}

void dd_report_once(dd_context *ctx, bool on)
{
    need_pool(ctx);
    ctx->reported = dd_map_new(ctx->diagnostic_pool);
    ctx->once = on;
}

/* Was this said of this place before? Formats are texts of the program: their addresses distinguish them. */
static bool is_reported(dd_context *ctx, dd_span span, const char *format)
{
    if (!ctx->once || span.file == 0) {
        return false;
    }
    /* place and format: names inside the message may differ between components */
    uint64_t key = dd_hash_mix(dd_hash_mix(span.file, span.begin), span.end);
    key = dd_hash_mix(key, (uint64_t)(uintptr_t)format);
    if (dd_map_get(&ctx->reported, key) != 0) {
        return true;
    }
    dd_map_put(&ctx->reported, key, 1);
    return false;
}

void dd_report(dd_context *ctx, dd_severity severity, dd_span span, const char *format, ...)
{
    /* the same place said the same before */
    if (severity != DD_SEVERITY_NOTE && is_reported(ctx, span, format)) {
        ctx->last_kept = false; /* nor are its notes */
        return;
    }
    ctx->error_count += severity == DD_SEVERITY_ERROR;
    if (!is_kept(ctx, severity)) {
        return;
    }
    need_pool(ctx);
    va_list args;
    va_start(args, format);
    /* length first, then the text itself */
    const int n = dd_format(NULL, 0, format, args);
    va_end(args);
    const size_t length = n > 0 ? (size_t)n : 0;
    char *text = dd_pool_alloc(ctx->diagnostic_pool, length + 1);
    va_start(args, format);
    dd_format(text, length + 1, format, args);
    va_end(args);
    dd_vec_push(ctx->diagnostic_pool, &ctx->diagnostics, (dd_message){severity, span, text});
    ctx->kept[severity]++;
}

void dd_context_clear_diagnostics(dd_context *ctx)
{
    if (!ctx) {
        return;
    }
    dd_pool_free(ctx->diagnostic_pool);
    ctx->diagnostic_pool = NULL;
    memset(&ctx->diagnostics, 0, sizeof ctx->diagnostics);
    memset(ctx->kept, 0, sizeof ctx->kept);
    ctx->error_count = 0;
    ctx->once = false;
    ctx->last_kept = false;
}

size_t dd_context_diagnostic_count(const dd_context *ctx)
{
    return ctx ? ctx->diagnostics.len : 0;
}

size_t dd_context_error_count(const dd_context *ctx)
{
    return ctx ? ctx->error_count : 0;
}

static dd_span clamp_to_line(dd_span span, const dd_line *line)
{
    span.begin = span.begin < line->begin ? line->begin : span.begin > line->end ? line->end : span.begin;
    span.end = span.end < span.begin ? span.begin : span.end > line->end ? line->end : span.end;
    return span;
}

dd_diagnostic dd_context_diagnostic(const dd_context *ctx, size_t i)
{
    if (!ctx || i >= ctx->diagnostics.len) {
        return (dd_diagnostic){.severity = DD_SEVERITY_NOTE, .file = "", .message = ""};
    }
    const dd_message *m = &ctx->diagnostics.data[i];
    /* without a place only severity and message remain */
    dd_diagnostic d = {.severity = m->severity, .file = dd_source_name(ctx, m->span.file), .message = m->text};
    const dd_line line = dd_span_find_line(ctx, m->span);
    if (line.number > 0) {
        const dd_span span = clamp_to_line(m->span, &line);
        d.line = line.number;
        d.column = dd_span_column(ctx, span);
        d.end_column = dd_span_column(ctx, (dd_span){span.file, span.end, span.end});
        /* columns count characters from 1, the end is one beyond the last */
        if (d.end_column <= d.column) {
            d.end_column = d.column + 1; /* an empty place, as at the end of the text, is shown as one character */
        }
    }
    return d;
}

/* ---- showing ---- */

typedef struct {
    char *buffer;
    size_t size, length;
} writer;

static void put(writer *w, const char *s, size_t n)
{
    /* beyond the buffer only the length grows */
    for (size_t i = 0; i < n; i++, w->length++) {
        if (w->length + 1 < w->size) {
            w->buffer[w->length] = s[i];
        }
    }
}

static void put_text(writer *w, const char *s)
{
    put(w, s, strlen(s));
}

static void put_repeated(writer *w, char c, size_t n)
{
    while (n-- > 0) {
        put(w, &c, 1);
    }
}

/* Writes the character at s for a terminal: broken bytes and control characters become U+FFFD, a tab becomes
 * spaces. Returns its bytes in the text and adds its columns. */
static size_t put_character(writer *w, const char *s, size_t n, size_t *column)
{
    uint32_t code;
    const size_t length = dd_utf8_decode(s, n, &code);
    /* tabs end at multiples of TAB_WIDTH, so that the marks below line up */
    if (code == '\t') {
        const size_t spaces = TAB_WIDTH - *column % TAB_WIDTH;
        put_repeated(w, ' ', spaces);
        *column += spaces;
    } else if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code == UINT32_MAX) {
        /* control characters could move the cursor of a terminal */
        put_text(w, DD_UTF8_REPLACEMENT);
        *column += 1;
    } else {
        put(w, s, length);
        *column += dd_utf8_width(code);
    }
    return length;
}

static void put_clean(writer *w, const char *s)
{
    size_t column = 0;
    for (size_t n = strlen(s); n > 0;) {
        const size_t used = put_character(w, s, n, &column);
        s += used;
        n -= used;
    }
}

/* Where the shown part of a line begins: the line's begin, or BEFORE_CARET characters before the caret when the
 * line has too much before it. */
static uint32_t shown_begin(const dd_line *line, uint32_t caret)
{
    if (caret - line->begin <= BEFORE_CARET) {
        return line->begin;
    }
    /* back by whole characters, not into one of them */
    uint32_t at = caret;
    for (unsigned left = BEFORE_CARET; left > 0 && at > line->begin; left--) {
        do {
            at--;
        } while (at > line->begin && dd_utf8_is_continuation(line->text[at]));
    }
    return at;
}

/* The line and, below it, the caret and the tilde marks under the rest of the span. */
static void put_source_line(writer *w, const dd_line *line, dd_span span)
{
    /* " 12 | " */
    char number[16];
    const int digits = snprintf(number, sizeof number, " %u", line->number);
    put_text(w, number);
    put_text(w, " | ");

    /* long lines begin near the caret */
    const uint32_t begin = shown_begin(line, span.begin);
    size_t column = 0, first = 0, last = 0;
    if (begin > line->begin) {
        put_text(w, "...");
        column = 3;
    }
    /* columns of the first and one beyond the last character of the span, as they are shown */
    bool first_known = false, last_known = false;
    uint32_t at = begin;
    while (at < line->end && column < LINE_WIDTH) {
        if (!first_known && at >= span.begin) {
            first = column;
            first_known = true;
        }
        if (!last_known && at >= span.end) {
            last = column;
            last_known = true;
        }
        at += (uint32_t)put_character(w, line->text + at, line->end - at, &column);
    }
    /* a span that ends behind the shown part ends with it */
    first = first_known ? first : column;
    last = last_known ? last : column;
    put_text(w, at < line->end ? "...\n" : "\n");

    /* the line of marks: ^ under the first, ~ under the others */
    put_repeated(w, ' ', (size_t)digits);
    put_text(w, " | ");
    put_repeated(w, ' ', first);
    put_text(w, "^");
    if (last > first + 1) {
        put_repeated(w, '~', last - first - 1);
    }
    put_text(w, "\n");
}

size_t dd_context_format_diagnostic(const dd_context *ctx, size_t i, char *buffer, size_t size)
{
    static const char *const severities[] = {"error: ", "warning: ", "note: "};
    writer w = {buffer, size, 0};
    if (ctx && i < ctx->diagnostics.len) {
        /* file:line:column, severity, message; then the source line */
        const dd_diagnostic d = dd_context_diagnostic(ctx, i);
        if (d.line > 0) {
            char place[32];
            snprintf(place, sizeof place, ":%u:%u: ", d.line, d.column);
            put_clean(&w, d.file);
            put_text(&w, place);
        }
        put_text(&w, severities[d.severity]);
        put_clean(&w, d.message);
        put_text(&w, "\n");
        if (d.line > 0) {
            const dd_span span = ctx->diagnostics.data[i].span;
            const dd_line line = dd_span_find_line(ctx, span);
            put_source_line(&w, &line, clamp_to_line(span, &line));
        }
    }
    /* always terminated, also when it was cut */
    if (size > 0) {
        buffer[w.length < size ? w.length : size - 1] = '\0';
    }
    return w.length;
}
