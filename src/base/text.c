/* text.c - strings that grow. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/state.h"

enum { FIRST_TEXT = 64 };

/* room for n more bytes and the terminating 0 */
static void make_room(dd_text *text, size_t n)
{
    dd_context *ctx = dd_pool_context(text->pool);
    /* far beyond anything that can be allocated */
    if (n > SIZE_MAX / 2 - text->len - 1) {
        dd_raise(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    const size_t needed = text->len + n + 1;
    if (needed <= text->cap) {
        return;
    }
    /* doubling, or the size needed */
    size_t cap = text->cap ? text->cap * 2 : FIRST_TEXT;
    if (cap < needed) {
        cap = needed;
    }
    text->data = dd_block_resize(text->pool, text->data, cap);
    text->cap = cap;
}

dd_text dd_text_new(dd_pool *pool)
{
    return (dd_text){.pool = pool};
}

void dd_text_add_n(dd_text *text, const char *s, size_t n)
{
    make_room(text, n);
    if (n > 0) {
        memcpy(text->data + text->len, s, n);
    }
    text->len += n;
    text->data[text->len] = '\0';
}

void dd_text_add(dd_text *text, const char *s)
{
    dd_text_add_n(text, s, strlen(s));
}

void dd_text_add_char(dd_text *text, char c)
{
    dd_text_add_n(text, &c, 1);
}

/* Without printf, which takes a thousand instructions for a subscript. */
void dd_text_add_uint(dd_text *text, uint32_t value)
{
    char digits[10];
    uint32_t first = sizeof digits;
    do {
        digits[--first] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    dd_text_add_n(text, digits + first, sizeof digits - first);
}

void dd_text_printf(dd_text *text, const char *format, ...)
{
    char small[256];
    va_list args;
    va_start(args, format);
    /* most pieces fit on the stack */
    const int n = dd_format(small, sizeof small, format, args);
    va_end(args);
    const size_t length = n > 0 ? (size_t)n : 0;
    if (length < sizeof small) {
        dd_text_add_n(text, small, length);
        return;
    }
    /* a longer one is written again, straight into the text */
    make_room(text, length);
    va_start(args, format);
    dd_format(text->data + text->len, length + 1, format, args);
    va_end(args);
    text->len += length;
}

void dd_text_add_xml(dd_text *text, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '<':
            dd_text_add(text, "&lt;");
            break;
        case '>':
            dd_text_add(text, "&gt;");
            break;
        case '&':
            dd_text_add(text, "&amp;");
            break;
        case '"':
            dd_text_add(text, "&quot;");
            break;
        default:
            dd_text_add_char(text, (unsigned char)*s < 0x20 ? ' ' : *s);
        }
    }
}

const char *dd_text_str(const dd_text *text)
{
    return text->data ? text->data : "";
}

void dd_text_clear(dd_text *text)
{
    text->len = 0;
    if (text->data) {
        text->data[0] = '\0';
    }
}
