/* json.c - the JSON writer (RFC 8259). Commas come from one flag per level: nothing written there yet. */
#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

enum { MAX_DEPTH = 32 };

dd_json dd_json_new(dd_text *out)
{
    dd_json j = {.out = out};
    j.first[0] = true;
    return j;
}

/* called before every key and every value that follows no key */
static void separate(dd_json *j)
{
    /* a value behind its key needs no comma */
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    /* the first element of a level needs none either */
    if (!j->first[j->depth]) {
        dd_text_add_char(j->out, ',');
    }
    j->first[j->depth] = false;
}

static void begin(dd_json *j, char bracket)
{
    separate(j);
    dd_text_add_char(j->out, bracket);
    assert(j->depth + 1 < MAX_DEPTH);
    j->depth++;
    j->first[j->depth] = true;
}

static void end(dd_json *j, char bracket)
{
    assert(j->depth > 0 && !j->after_key);
    j->depth--;
    dd_text_add_char(j->out, bracket);
}

void dd_json_begin_object(dd_json *j)
{
    begin(j, '{');
}

void dd_json_end_object(dd_json *j)
{
    end(j, '}');
}

void dd_json_begin_array(dd_json *j)
{
    begin(j, '[');
}

void dd_json_end_array(dd_json *j)
{
    end(j, ']');
}

static void add_escaped(dd_text *out, const char *s, size_t length, uint32_t code)
{
    static const char named[] = "\b\f\n\r\t\"\\";
    static const char letters[] = "bfnrt\"\\";
    /* the short escapes, then \u for other control characters; broken UTF-8 becomes U+FFFD */
    const char *found = code > 0 && code < 0x80 ? strchr(named, (int)code) : NULL;
    if (found) {
        dd_text_add_char(out, '\\');
        dd_text_add_char(out, letters[found - named]);
    } else if (code < 0x20 || code == 0x7f) {
        dd_text_printf(out, "\\u%04" PRIx32, code);
    } else if (code == UINT32_MAX) {
        dd_text_add(out, DD_UTF8_REPLACEMENT);
    } else {
        dd_text_add_n(out, s, length);
    }
}

static void add_string(dd_text *out, const char *s)
{
    dd_text_add_char(out, '"');
    for (size_t n = strlen(s); n > 0;) {
        uint32_t code;
        const size_t length = dd_utf8_decode(s, n, &code);
        add_escaped(out, s, length, code);
        s += length;
        n -= length;
    }
    dd_text_add_char(out, '"');
}

void dd_json_key(dd_json *j, const char *key)
{
    assert(j->depth > 0 && !j->after_key);
    separate(j);
    add_string(j->out, key);
    dd_text_add_char(j->out, ':');
    j->after_key = true;
}

void dd_json_string(dd_json *j, const char *s)
{
    separate(j);
    add_string(j->out, s);
}

void dd_json_number(dd_json *j, double v)
{
    char buffer[32];
    separate(j);
    /* JSON has no NaN and no infinities */
    dd_text_add(j->out, isfinite(v) ? dd_number_text(v, buffer) : "null");
}

void dd_json_int(dd_json *j, int64_t v)
{
    separate(j);
    dd_text_printf(j->out, "%" PRId64, v);
}

void dd_json_bool(dd_json *j, bool v)
{
    separate(j);
    dd_text_add(j->out, v ? "true" : "false");
}

void dd_json_null(dd_json *j)
{
    separate(j);
    dd_text_add(j->out, "null");
}

/* ---- keys with values ---- */

void dd_json_put_string(dd_json *j, const char *key, const char *s)
{
    dd_json_key(j, key);
    dd_json_string(j, s);
}

void dd_json_put_number(dd_json *j, const char *key, double v)
{
    dd_json_key(j, key);
    dd_json_number(j, v);
}

void dd_json_put_int(dd_json *j, const char *key, int64_t v)
{
    dd_json_key(j, key);
    dd_json_int(j, v);
}

void dd_json_put_strings(dd_json *j, const char *key, const char *const *list, uint32_t n)
{
    dd_json_key(j, key);
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < n; i++) {
        dd_json_string(j, list[i]);
    }
    dd_json_end_array(j);
}
