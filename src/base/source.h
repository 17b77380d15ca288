/* source.h - model text, places in it, and messages about those places. */
#ifndef DD_BASE_SOURCE_H
#define DD_BASE_SOURCE_H

#include <stdint.h>

#include "base/context.h"

/* A piece of source text: bytes [begin, end) of file number `file` (from 1; 0 means no place). */
typedef struct dd_span {
    uint32_t file, begin, end;
} dd_span;

#define DD_NO_SPAN ((dd_span){0, 0, 0})

/* Registers a text under a name shown to the user; both are copied into the context and live as long as it. Returns
 * its number. Raises. Text may hold any bytes. */
uint32_t dd_source_add(dd_context *ctx, const char *name, const char *text, size_t length);

const char *dd_source_name(const dd_context *ctx, uint32_t file); /* "" for 0 */
const char *dd_source_text(const dd_context *ctx, uint32_t file, size_t *length);
uint32_t dd_span_line(const dd_context *ctx, dd_span span);   /* from 1; 0 for no place */
uint32_t dd_span_column(const dd_context *ctx, dd_span span); /* from 1, in characters */
dd_span dd_span_join(dd_span a, dd_span b);                   /* from a's begin to b's end */

/* Adds a message. Past max_errors, errors are only counted. Raises only when memory runs out. */
void dd_report(dd_context *ctx, dd_severity severity, dd_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* While on, a message that came from the same place of the text before, with whatever names, is not counted again. */
void dd_report_once(dd_context *ctx, bool on);
#define dd_error(ctx, span, ...) dd_report((ctx), DD_SEVERITY_ERROR, (span), __VA_ARGS__)
#define dd_warning(ctx, span, ...) dd_report((ctx), DD_SEVERITY_WARNING, (span), __VA_ARGS__)
#define dd_note(ctx, span, ...) dd_report((ctx), DD_SEVERITY_NOTE, (span), __VA_ARGS__)

#endif
