/* csv_read.c - CSV records out of a text, unquoted in place. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "result/csv.h"

dd_csv_reader dd_csv_reader_new(dd_pool *pool, char *text, size_t length)
{
    dd_csv_reader r = {.at = text, .end = text + length, .next_line = 1, .pool = pool};
    text[length] = '\0';
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        r.at += 3;
    }
    return r;
}

/* Skips a line end at *at; counts it. */
static bool skip_line_end(dd_csv_reader *r)
{
    if (r->at < r->end && (*r->at == '\n' || *r->at == '\r')) {
        /* LF, CR LF or CR */
        r->at += r->at[0] == '\r' && r->at[1] == '\n' ? 2 : 1;
        r->next_line++;
        return true;
    }
    return false;
}

static void add_field(dd_csv_reader *r, char *text)
{
    if (r->count == r->capacity) {
        r->field = dd_vec_grow(r->pool, r->field, &r->capacity, (uint64_t)r->count + 1, sizeof *r->field);
    }
    r->field[r->count++] = text;
}

/* A field that begins with a quote: moved together to where it begins. Stops behind the closing quote. */
static bool read_quoted(dd_csv_reader *r)
{
    char *to = r->at++;
    add_field(r, to);
    for (; r->at < r->end; r->at++) {
        /* a doubled quote is a quote; a single one ends the field */
        if (*r->at == '"' && r->at[1] != '"') {
            *to = '\0'; /* at or before the closing quote */
            r->at++;
            return true;
        }
        /* skip the first of two quotes */
        r->at += *r->at == '"';
        r->next_line += *r->at == '\n';
        *to++ = *r->at;
    }
    r->problem = "a quoted field has no closing quote";
    return false;
}

/* One field; true when a comma follows. */
static bool read_field(dd_csv_reader *r)
{
    /* quoted or plain; plain fields end at a comma or line end */
    if (r->at < r->end && *r->at == '"') {
        if (!read_quoted(r)) {
            return false;
        }
    } else {
        add_field(r, r->at);
        while (r->at < r->end && *r->at != ',' && *r->at != '\n' && *r->at != '\r') {
            if (*r->at == '\0') {
                r->problem = "a field contains a zero byte";
                return false;
            }
            r->at++;
        }
    }
    /* a comma: another field follows */
    if (r->at < r->end && *r->at == ',') {
        *r->at++ = '\0';
        return true;
    }
    /* the terminator replaces the line end, which is skipped first */
    char *stop = r->at;
    if (r->at < r->end && !skip_line_end(r)) {
        r->problem = "text follows a closing quote";
    }
    *stop = '\0';
    return false;
}

bool dd_csv_next(dd_csv_reader *r)
{
    /* empty lines */
    while (skip_line_end(r)) {
    }
    r->count = 0;
    r->line = r->next_line;
    if (r->at >= r->end || r->problem) {
        return false;
    }
    while (read_field(r)) {
    }
    return r->problem == NULL;
}

bool dd_csv_read_number(const char *field, double *value)
{
    /* blanks around the number are fine */
    field += strspn(field, " \t");
    const char *end;
    *value = dd_number_parse(field, &end);
    return end != field && end[strspn(end, " \t")] == '\0' && isfinite(*value);
}

bool dd_csv_field_number(dd_csv_reader *r, uint32_t i, double *value)
{
    if (dd_csv_read_number(r->field[i], value)) {
        return true;
    }
    r->problem = dd_pool_printf(r->pool, "`%.40s` in field %u is not a finite number", r->field[i], i + 1);
    return false;
}
