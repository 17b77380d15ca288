/* json_read.c - a JSON reader without recursion: the open arrays and objects are a stack, and after each token a
 * state says which tokens may come next. */
#include "base/json_read.h"

#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

typedef enum { WANT_VALUE, WANT_VALUE_OR_END, WANT_KEY, WANT_KEY_OR_END, WANT_COMMA_OR_END } expectation;

typedef struct {
    dd_pool *pool;
    dd_context *ctx;
    const char *text;
    uint32_t file, length, at;
    dd_json_value *open[DD_JSON_DEEPEST];
    uint32_t depth;
    dd_json_value *root;
    const char *key; /* of the value that comes next */
    dd_span key_span;
    bool failed;
} reader;

const char *dd_json_kind_name(dd_json_kind kind)
{
    static const char *const names[] = {"null", "true or false", "a number", "a text", "an array", "an object"};
    return names[kind];
}

#define complain(r, from, to, ...)                                                                                     \
    ((r)->failed = true, dd_error((r)->ctx, ((dd_span){(r)->file, (from), (to)}), __VA_ARGS__))

static char look(const reader *r)
{
    return r->at < r->length ? r->text[r->at] : '\0';
}

static void skip_blanks(reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at]) {
        r->at++;
    }
}

/* hangs a value into the innermost open array or object */
static dd_json_value *add_value(reader *r, dd_json_kind kind, uint32_t begin)
{
    dd_json_value *v = dd_pool_alloc(r->pool, sizeof *v);
    v->kind = kind;
    v->span = (dd_span){r->file, begin, r->at};
    v->key = r->key;
    v->key_span = r->key_span;
    r->key = NULL;
    /* the outermost value has no parent */
    if (r->depth == 0) {
        r->root = v;
        return v;
    }
    dd_json_value *parent = r->open[r->depth - 1];
    if (parent->last) {
        parent->last->next = v;
    } else {
        parent->first = v;
    }
    parent->last = v;
    parent->count++;
    return v;
}

/* ---- strings ---- */

/* four hexadecimal digits; UINT32_MAX when they are not there */
static uint32_t read_hex(reader *r)
{
    uint32_t code = 0;
    for (int k = 0; k < 4; k++, r->at++) {
        const char c = look(r);
        /* a digit, or 16 for anything else */
        const uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                               : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                               : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                      : 16;
        if (digit == 16) {
            return UINT32_MAX;
        }
        code = code * 16 + digit;
    }
    return code;
}

static void add_utf8(dd_text *out, uint32_t code)
{
    /* one to four bytes by the size of the code point (RFC 3629) */
    if (code < 0x80) {
        dd_text_add_char(out, (char)code);
    } else if (code < 0x800) {
        dd_text_add_char(out, (char)(0xc0 | code >> 6));
        dd_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        dd_text_add_char(out, (char)(0xe0 | code >> 12));
        dd_text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        dd_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    } else {
        dd_text_add_char(out, (char)(0xf0 | code >> 18));
        dd_text_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
        dd_text_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
        dd_text_add_char(out, (char)(0x80 | (code & 0x3f)));
    }
}

/* \uXXXX, r->at behind the u; two of them make one character beyond 0xffff; a lone half becomes U+FFFD */
static bool read_unicode(reader *r, dd_text *out)
{
    const uint32_t begin = r->at - 2;
    uint32_t code = read_hex(r);
    /* texts are terminated by a zero, so that \u0000 cannot be kept */
    if (code == UINT32_MAX || code == 0) {
        complain(r, begin, r->at, "\\u needs four hexadecimal digits that are not all 0");
        return false;
    }
    /* two halves of a surrogate pair: 0x10000 + 10 bits + 10 bits */
    if (code >= 0xd800 && code < 0xdc00 && r->at + 1 < r->length && r->text[r->at] == '\\' &&
        r->text[r->at + 1] == 'u') {
        const uint32_t kept = r->at;
        r->at += 2;
        const uint32_t low = read_hex(r);
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else {
            r->at = kept;
        }
    }
    add_utf8(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
    return true;
}

static bool read_escape(reader *r, dd_text *out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    /* the character behind the backslash */
    const char c = ++r->at < r->length ? r->text[r->at] : '\0';
    r->at++;
    if (c == 'u') {
        return read_unicode(r, out);
    }
    const char *found = c ? strchr(letters, c) : NULL;
    if (!found) {
        complain(r, r->at - 2, r->at, "JSON has no such escape; write a backslash as \\\\");
        return false;
    }
    dd_text_add_char(out, meanings[found - letters]);
    return true;
}

/* r->at is on the opening quote */
static bool read_string(reader *r, dd_text *out)
{
    const uint32_t begin = r->at++;
    *out = dd_text_new(r->pool);
    while (r->at < r->length && r->text[r->at] != '"') {
        /* escapes, an end of line inside the text, or a character */
        const unsigned char c = (unsigned char)r->text[r->at];
        if (c == '\\') {
            if (!read_escape(r, out)) {
                return false;
            }
        } else if (c < 0x20) {
            /* a text ends on its line: a missing quote is noticed there */
            complain(r, begin, r->at, "this text is not closed: \" is missing at its end");
            return false;
        } else {
            uint32_t code;
            const size_t n = dd_utf8_decode(r->text + r->at, r->length - r->at, &code);
            if (code == UINT32_MAX) {
                dd_text_add(out, DD_UTF8_REPLACEMENT);
            } else {
                dd_text_add_n(out, r->text + r->at, n);
            }
            r->at += (uint32_t)n;
        }
    }
    /* the end of the file came first */
    if (r->at == r->length) {
        complain(r, begin, begin + 1, "this text is not closed: \" is missing at its end");
        return false;
    }
    r->at++;
    return true;
}

/* ---- other values ---- */

static void skip_digits(reader *r)
{
    while (look(r) >= '0' && look(r) <= '9') {
        r->at++;
    }
}

static bool read_number(reader *r)
{
    const uint32_t begin = r->at;
    /* sign, digits without a leading zero, fraction, exponent */
    r->at += look(r) == '-';
    uint32_t digits = r->at;
    skip_digits(r);
    bool fine = r->at > digits && (r->text[digits] != '0' || r->at == digits + 1);
    if (look(r) == '.') {
        digits = ++r->at;
        skip_digits(r);
        fine = fine && r->at > digits;
    }
    if (look(r) == 'e' || look(r) == 'E') {
        r->at++;
        r->at += look(r) == '-' || look(r) == '+';
        digits = r->at;
        skip_digits(r);
        fine = fine && r->at > digits;
    }
    /* tableaux are full of fractions, which JSON cannot write as numbers */
    if (look(r) == '/') {
        complain(r, begin, r->at + 1, "JSON has no fractions; put quotes around it, as in \"1/6\"");
        return false;
    }
    if (!fine) {
        complain(r, begin, r->at > begin ? r->at : begin + 1, "JSON writes numbers as 12, -0.5 or 1e-3");
        return false;
    }
    /* the digits as written: the caller decides how exactly they are read */
    dd_json_value *v = add_value(r, DD_JSON_NUMBER, begin);
    v->length = r->at - begin;
    v->text = dd_pool_strndup(r->pool, r->text + begin, v->length);
    return true;
}

static bool read_word(reader *r)
{
    const uint32_t begin = r->at;
    /* letters only; | 32 makes them lower case */
    while ((look(r) | 32) >= 'a' && (look(r) | 32) <= 'z') {
        r->at++;
    }
    const uint32_t n = r->at - begin;
    const char *word = r->text + begin;
    if (n == 4 && memcmp(word, "null", 4) == 0) {
        add_value(r, DD_JSON_NULL, begin);
    } else if (n == 4 && memcmp(word, "true", 4) == 0) {
        add_value(r, DD_JSON_BOOL, begin)->boolean = true;
    } else if (n == 5 && memcmp(word, "false", 5) == 0) {
        add_value(r, DD_JSON_BOOL, begin);
    } else {
        complain(r, begin, r->at, "%.*s is not a JSON value; put text in quotes", n < 40 ? (int)n : 40, word);
        return false;
    }
    return true;
}

static bool open_value(reader *r, dd_json_kind kind)
{
    if (r->depth == DD_JSON_DEEPEST) {
        complain(r, r->at, r->at + 1, "brackets are nested more than %d deep", DD_JSON_DEEPEST);
        return false;
    }
    /* the bracket is open until its partner is found: later values are added to it */
    r->at++;
    dd_json_value *v = add_value(r, kind, r->at - 1);
    r->open[r->depth++] = v;
    return true;
}

static bool read_value(reader *r, expectation *next)
{
    const char c = look(r);
    *next = WANT_COMMA_OR_END;
    /* the first character decides */
    if (c == '[' || c == '{') {
        *next = c == '[' ? WANT_VALUE_OR_END : WANT_KEY_OR_END;
        return open_value(r, c == '[' ? DD_JSON_ARRAY : DD_JSON_OBJECT);
    }
    if (c == '"') {
        dd_text text;
        const uint32_t begin = r->at;
        if (!read_string(r, &text)) {
            return false;
        }
        dd_json_value *v = add_value(r, DD_JSON_STRING, begin);
        v->text = dd_text_str(&text);
        v->length = text.len;
        return true;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
        return read_number(r);
    }
    if ((c | 32) >= 'a' && (c | 32) <= 'z') {
        return read_word(r);
    }
    /* nothing of the kind */
    if (r->at >= r->length) {
        complain(r, r->length, r->length, r->root ? "the text ends before a value" : "this file is empty");
    } else {
        complain(r, r->at, r->at + 1, "a value is expected here: a number, a text in quotes, [ or {");
    }
    return false;
}

/* ---- structure ---- */

static bool close_value(reader *r, expectation *next)
{
    /* the closing bracket must belong to the last one that is open */
    dd_json_value *top = r->open[--r->depth];
    const char wanted = top->kind == DD_JSON_ARRAY ? ']' : '}';
    if (look(r) != wanted) {
        complain(r, r->at, r->at + 1, "\"%c\" is expected here, for \"%c\" in line %u", wanted,
                 wanted == ']' ? '[' : '{', dd_span_line(r->ctx, top->span));
        return false;
    }
    r->at++;
    top->span.end = r->at;
    *next = WANT_COMMA_OR_END;
    return true;
}

static bool read_key(reader *r, expectation *next)
{
    const uint32_t begin = r->at;
    dd_text text;
    if (look(r) != '"') {
        complain(r, r->at, r->at < r->length ? r->at + 1 : r->at, "a name in quotes is expected here");
        return false;
    }
    if (!read_string(r, &text)) {
        return false;
    }
    /* the value that follows takes the key */
    r->key = dd_text_str(&text);
    r->key_span = (dd_span){r->file, begin, r->at};
    skip_blanks(r);
    if (look(r) != ':') {
        complain(r, r->at, r->at < r->length ? r->at + 1 : r->at, "\":\" is missing after \"%.40s\"", r->key);
        return false;
    }
    r->at++;
    *next = WANT_VALUE;
    return true;
}

static bool read_comma_or_end(reader *r, expectation *next)
{
    const dd_json_value *top = r->open[r->depth - 1];
    const char c = look(r);
    /* a comma asks for another element */
    if (c == ',') {
        r->at++;
        *next = top->kind == DD_JSON_ARRAY ? WANT_VALUE : WANT_KEY;
        return true;
    }
    if (c == ']' || c == '}') {
        return close_value(r, next);
    }
    /* the place to show is where the bracket was opened */
    if (r->at >= r->length) {
        complain(r, top->span.begin, top->span.begin + 1, "this bracket is never closed");
    } else {
        complain(r, r->at, r->at + 1, "\",\" or \"%c\" is expected here", top->kind == DD_JSON_ARRAY ? ']' : '}');
    }
    return false;
}

static bool step(reader *r, expectation *state)
{
    const char c = look(r);
    switch (*state) {
    case WANT_VALUE_OR_END:
    case WANT_KEY_OR_END:
        if (c == ']' || c == '}') {
            return close_value(r, state);
        }
        return *state == WANT_KEY_OR_END ? read_key(r, state) : read_value(r, state);
    case WANT_KEY:
        return read_key(r, state);
    case WANT_COMMA_OR_END:
        return read_comma_or_end(r, state);
    default:
        return read_value(r, state);
    }
}

dd_json_value *dd_json_read(dd_pool *pool, uint32_t file)
{
    dd_context *ctx = dd_pool_context(pool);
    size_t length;
    reader r = {.pool = pool, .ctx = ctx, .file = file, .text = dd_source_text(ctx, file, &length)};
    r.length = (uint32_t)length;
    if (length >= 3 && memcmp(r.text, "\xef\xbb\xbf", 3) == 0) {
        r.at = 3; /* a byte order mark */
    }
    expectation state = WANT_VALUE;
    uint32_t steps = 0;
    /* one token at a time, until the outermost value is complete */
    do {
        skip_blanks(&r);
        if (!step(&r, &state)) {
            return NULL;
        }
        if (++steps % 1024 == 0) {
            dd_check_stop(ctx);
        }
    } while (r.depth > 0);
    /* nothing but blanks may follow */
    skip_blanks(&r);
    if (r.at < r.length) {
        complain(&r, r.at, r.at + 1, "unexpected text after the JSON value");
        return NULL;
    }
    return r.root;
}
