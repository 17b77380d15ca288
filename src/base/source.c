/* source.c - model texts and where an offset lies in them.
 *
 * The line table is made when a text is added: a place is then found by bisection. Columns count characters; a text
 * that is not pure ASCII also keeps the number of characters before every 256th byte, so that a column costs the
 * same on a line of a million characters. A line ends at LF, CR LF or a lone CR. */
#include "base/source.h"

#include <string.h>

#include "base/state.h"
#include "base/utf8.h"

enum { STRIDE = 256 };

static uint32_t scan_lines(const char *text, uint32_t length, uint32_t first, uint32_t *starts)
{
    uint32_t count = 0;
    /* twice: to count the lines, then to note where they start */
    if (starts) {
        starts[0] = first;
    }
    count++;
    for (uint32_t i = first; i < length; i++) {
        /* CR LF is one line end */
        const bool ends = text[i] == '\n' || (text[i] == '\r' && (i + 1 == length || text[i + 1] != '\n'));
        if (ends) {
            if (starts) {
                starts[count] = i + 1;
            }
            count++;
        }
    }
    return count;
}

static bool is_ascii(const char *text, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        if ((unsigned char)text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

static uint32_t count_characters(const char *text, uint32_t begin, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        count += !dd_utf8_is_continuation(text[i]);
    }
    return count;
}

static const uint32_t *character_table(dd_pool *pool, const char *text, uint32_t length)
{
    /* pure ASCII: bytes are characters */
    if (is_ascii(text, length)) {
        return NULL;
    }
    const uint32_t count = length / STRIDE + 1;
    uint32_t *table = dd_pool_alloc_array(pool, count, sizeof *table);
    /* characters before every 256th byte */
    for (uint32_t i = 1; i < count; i++) {
        table[i] = table[i - 1] + count_characters(text, (i - 1) * STRIDE, i * STRIDE);
    }
    return table;
}

uint32_t dd_source_add(dd_context *ctx, const char *name, const char *text, size_t length)
{
    /* offsets are 32 bits */
    if (length >= UINT32_MAX) {
        dd_raise(ctx, DD_LIMIT, "%s is longer than 4 GiB", name);
    }
    if (!ctx->source_pool) {
        ctx->source_pool = dd_pool_new(ctx);
        if (!ctx->source_pool) {
            dd_raise(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
        }
    }
    dd_pool *pool = ctx->source_pool;
    dd_source source = {.length = (uint32_t)length};
    source.name = dd_pool_strdup(pool, name);
    source.text = dd_pool_strndup(pool, text, length);

    /* a byte order mark is no part of the first line */
    const uint32_t first = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    /* counted first, so that the table has its exact size */
    source.line_count = scan_lines(source.text, source.length, first, NULL);
    uint32_t *starts = dd_pool_alloc_array(pool, source.line_count, sizeof *starts);
    scan_lines(source.text, source.length, first, starts);
    source.line_start = starts;
    source.characters = character_table(pool, source.text, source.length);

    dd_vec_push(pool, &ctx->sources, source);
    return ctx->sources.len;
}

static const dd_source *find_source(const dd_context *ctx, uint32_t file)
{
    return file > 0 && file <= ctx->sources.len ? &ctx->sources.data[file - 1] : NULL;
}

const char *dd_source_name(const dd_context *ctx, uint32_t file)
{
    const dd_source *source = find_source(ctx, file);
    return source ? source->name : "";
}

const char *dd_source_text(const dd_context *ctx, uint32_t file, size_t *length)
{
    const dd_source *source = find_source(ctx, file);
    if (length) {
        *length = source ? source->length : 0;
    }
    return source ? source->text : "";
}

/* the number, from 0, of the line that holds this offset */
static uint32_t line_of(const dd_source *source, uint32_t offset)
{
    uint32_t low = 0, high = source->line_count; /* line_start[low] <= offset < line_start[high] */
    /* bisection */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (source->line_start[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint32_t characters_before(const dd_source *source, uint32_t offset)
{
    if (!source->characters) {
        return offset;
    }
    /* from the last entry of the table: at most 255 bytes are counted */
    const uint32_t i = offset / STRIDE;
    return source->characters[i] + count_characters(source->text, i * STRIDE, offset);
}

uint32_t dd_span_line(const dd_context *ctx, dd_span span)
{
    const dd_source *source = find_source(ctx, span.file);
    return source ? line_of(source, span.begin) + 1 : 0;
}

uint32_t dd_span_column(const dd_context *ctx, dd_span span)
{
    const dd_source *source = find_source(ctx, span.file);
    if (!source) {
        return 0;
    }
    const uint32_t begin = span.begin < source->length ? span.begin : source->length;
    const uint32_t start = source->line_start[line_of(source, begin)];
    return begin <= start ? 1 : characters_before(source, begin) - characters_before(source, start) + 1;
}

dd_span dd_span_join(dd_span a, dd_span b)
{
    /* a place that is not known adds nothing */
    if (a.file == 0) {
        return b;
    }
    if (b.file != a.file) {
        return a;
    }
    return (dd_span){a.file, a.begin, b.end > a.end ? b.end : a.end};
}

dd_line dd_span_find_line(const dd_context *ctx, dd_span span)
{
    const dd_source *source = find_source(ctx, span.file);
    if (!source) {
        return (dd_line){0};
    }
    dd_line line = {.text = source->text, .number = line_of(source, span.begin) + 1};
    line.begin = source->line_start[line.number - 1];
    line.end = line.number < source->line_count ? source->line_start[line.number] : source->length;
    /* the line as it is shown: without its end */
    while (line.end > line.begin && (source->text[line.end - 1] == '\n' || source->text[line.end - 1] == '\r')) {
        line.end--;
    }
    return line;
}
