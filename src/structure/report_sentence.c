/* report_sentence.c - sentences over several lines: broken between words, never inside a formula if that can be
 * avoided. */
#include <string.h>

#include "base/utf8.h"
#include "structure/report.h"

enum { LINE_WIDTH = 100 };

static uint32_t columns_of(const char *text, size_t length)
{
    uint32_t columns = 0, code;
    for (size_t i = 0; i < length;) {
        /* characters, not bytes: names may be Greek */
        i += dd_utf8_decode(text + i, length - i, &code);
        columns += dd_utf8_width(code);
    }
    return columns;
}

/* Where a line may be broken, best first: what fits into no line is broken in the next way. */
typedef enum breaks { BEFORE_UNITS, BEFORE_PLACES, AT_SPACES } breaks;

/* Bytes up to the next break. A unit is a formula within `...` together with its place in brackets, or a word. */
static size_t unit_length(const char *text, breaks allowed)
{
    bool quoted = false;
    size_t n = 0;
    for (; text[n]; n++) {
        /* "`formula` (place)": the bracket belongs to the formula */
        const bool place = n > 0 && text[n - 1] == '`' && text[n + 1] == '(';
        if (text[n] == ' ' && (allowed == AT_SPACES || (!quoted && (allowed == BEFORE_PLACES || !place)))) {
            break;
        }
        quoted = quoted != (text[n] == '`');
    }
    return n;
}

static void new_line(dd_text *out, uint32_t indent)
{
    dd_text_printf(out, "\n%*s", (int)indent, "");
}

void dd_report_sentence(dd_text *out, const char *text, uint32_t at, bool clauses)
{
    enum { CONTINUED = 4 };
    const uint32_t begin = at;
    clauses = clauses && at + columns_of(text, strlen(text)) > LINE_WIDTH;
    bool fresh = true; /* nothing on this line yet */
    breaks allowed = BEFORE_UNITS;
    const char *allowed_until = text;
    while (*text) {
        allowed = text < allowed_until ? allowed : BEFORE_UNITS;
        size_t length = unit_length(text, allowed);
        /* a unit wider than a line is broken in the next way, up to its end */
        while (allowed < AT_SPACES && columns_of(text, length) > LINE_WIDTH - CONTINUED) {
            allowed_until = text < allowed_until ? allowed_until : text + length;
            length = unit_length(text, ++allowed);
        }
        const uint32_t width = columns_of(text, length);
        /* this line or the next */
        if (!fresh && at + 1 + width > LINE_WIDTH) {
            new_line(out, at = CONTINUED);
        } else if (!fresh) {
            dd_text_add(out, " ");
            at++;
        }
        dd_text_add_n(out, text, length);
        at += width;
        /* a clause after a semicolon begins a line */
        fresh = clauses && length > 0 && text[length - 1] == ';';
        text += length;
        text += strspn(text, " ");
        if (fresh && *text) {
            new_line(out, at = begin);
        }
    }
    dd_text_add(out, "\n");
}
