/* lexer.c - hand-written scanner. Start reading at dd_lexer_next. */
#include "lang/lexer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { LONGEST_KEYWORD = 13 }; /* constrainedby */

static const char *const token_texts[DD_TOK_COUNT] = {
#define TOKEN_TEXT(id, text) [DD_TOK_##id] = text,
    DD_SYMBOL_LIST(TOKEN_TEXT) DD_KEYWORD_LIST(TOKEN_TEXT)
#undef TOKEN_TEXT
};

static const dd_token_kind first_keyword = DD_TOK_ALGORITHM, last_keyword = DD_TOK_WITHIN;

const char *dd_token_text(dd_token_kind kind)
{
    const char *text = kind < DD_TOK_COUNT ? token_texts[kind] : NULL;
    return text != NULL ? text : "";
}

bool dd_token_is_keyword(dd_token_kind kind)
{
    return kind >= first_keyword && kind <= last_keyword;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The keyword with this text, DD_TOK_IDENT when there is none. */
static dd_token_kind keyword_of(const char *s, size_t n)
{
    /* binary search; a name that is a prefix of a keyword comes before it */
    int lo = (int)first_keyword, hi = (int)last_keyword;
    while (lo <= hi) {
        int mid = (lo + hi) / 2;
        int order = strncmp(s, token_texts[mid], n);
        if (order == 0 && token_texts[mid][n] != '\0') {
            order = -1;
        }
        if (order == 0) {
            return (dd_token_kind)mid;
        }
        if (order < 0) {
            hi = mid - 1;
        } else {
            lo = mid + 1;
        }
    }
    return DD_TOK_IDENT;
}

static bool is_plain_name(const char *s, size_t n)
{
    if (n == 0 || !is_letter(s[0])) {
        return false;
    }
    for (size_t i = 1; i < n; i++) {
        if (!is_letter(s[i]) && !is_digit(s[i])) {
            return false;
        }
    }
    return keyword_of(s, n) == DD_TOK_IDENT;
}

const char *dd_name_quoted(dd_pool *pool, const char *name)
{
    size_t n = strlen(name);
    if (is_plain_name(name, n) || (n > 2 && name[0] == '\'' && name[n - 1] == '\'')) {
        return dd_pool_strdup(pool, name);
    }
    return dd_pool_printf(pool, "'%s'", name);
}

/* The text of a name between quotes is kept with them where it could be written without: 'x' is not x. */
static void strip_quotes(const char **s, size_t *n)
{
    /* 'if' and 'a b' lose their quotes, 'x' keeps them */
    if (*n > 2 && !is_plain_name(*s + 1, *n - 2)) {
        *s += 1;
        *n -= 2;
    }
}

uint32_t dd_name_id(dd_names *names, const char *text, size_t n)
{
    if (n > 2 && text[0] == '\'' && text[n - 1] == '\'') {
        strip_quotes(&text, &n);
    }
    return dd_names_intern(names, text, n);
}

static void stop(dd_lexer *lx)
{
    lx->stopped = true;
    lx->at = lx->length;
}

static void reject_byte(dd_lexer *lx, uint32_t at)
{
    dd_error(lx->ctx, ((dd_span){lx->file, at, at + 1}),
             "byte 0x%02X is not allowed in a model: model files are UTF-8 text, and this "
             "one seems to be binary or in another encoding",
             (unsigned)(unsigned char)lx->text[at]);
    stop(lx);
}

static bool is_control(char c)
{
    return ((unsigned char)c < 0x20 && c != '\t' && !(c >= '\n' && c <= '\r')) || c == 0x7F;
}

/* A text with control characters anywhere is not a model: one message instead of one per piece of it that looks
 * wrong. */
static void check_binary(dd_lexer *lx)
{
    for (uint32_t i = lx->at; i < lx->length; i++) {
        if (is_control(lx->text[i])) {
            reject_byte(lx, i);
            return;
        }
    }
}

dd_lexer dd_lexer_new(dd_context *ctx, dd_pool *scratch, dd_names *names, uint32_t file, uint32_t at)
{
    size_t length = 0;
    const char *text = dd_source_text(ctx, file, &length);
    dd_lexer lx = {.ctx = ctx, .names = names, .text = text, .file = file, .length = (uint32_t)length, .at = at};
    lx.buffer = dd_text_new(scratch);
    if (at == 0 && length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        lx.at = 3; /* byte order mark */
    }
    check_binary(&lx);
    return lx;
}

static char peek(const dd_lexer *lx, uint32_t ahead)
{
    return (uint64_t)lx->at + ahead < lx->length ? lx->text[lx->at + ahead] : '\0';
}

static dd_span span_from(const dd_lexer *lx, uint32_t begin)
{
    return (dd_span){lx->file, begin, lx->at};
}

/* Skips blanks and comments. */
static void skip_space(dd_lexer *lx)
{
    while (lx->at < lx->length) {
        /* blanks, line comments, block comments (which do not nest) */
        char c = lx->text[lx->at];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
            lx->at++;
        } else if (c == '/' && peek(lx, 1) == '/') {
            const char *end = memchr(lx->text + lx->at, '\n', lx->length - lx->at);
            lx->at = end != NULL ? (uint32_t)(end - lx->text) : lx->length;
        } else if (c == '/' && peek(lx, 1) == '*') {
            uint32_t begin = lx->at;
            const char *from = lx->text + begin + 2;
            const char *end = memmem(from, lx->length - begin - 2, "*/", 2);
            if (end == NULL) {
                dd_error(lx->ctx, ((dd_span){lx->file, begin, begin + 2}), "this comment is never closed: add `*/`");
                stop(lx);
                return;
            }
            lx->at = (uint32_t)(end - lx->text) + 2;
        } else {
            return;
        }
    }
}

/* Characters that word processors and web pages put in place of ASCII. */
static const char *ascii_for(uint32_t code)
{
    /* dashes and minus */
    switch (code) {
    case 0x2212:
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
        return "-";
    /* products and quotients */
    case 0x00D7:
    case 0x00B7:
    case 0x22C5:
    case 0x2217:
        return "*";
    case 0x00F7:
    case 0x2215:
        return "/";
    /* quotes */
    case 0x201C:
    case 0x201D:
        return "\"";
    case 0x2018:
    case 0x2019:
        return "'";
    /* relations */
    case 0x2264:
        return "<=";
    case 0x2265:
        return ">=";
    case 0x2260:
        return "<>";
    /* spaces that are not U+0020 */
    case 0x00A0:
    case 0x2009:
    case 0x202F:
    case 0x3000:
        return " ";
    case 0xFF1B:
        return ";";
    default:
        return NULL;
    }
}

/* The symbol with this text. */
static dd_token_kind symbol_of(const char *text)
{
    for (int k = DD_TOK_SEMICOLON; k <= DD_TOK_DOT_CARET; k++) {
        if (strcmp(token_texts[k], text) == 0) {
            return (dd_token_kind)k;
        }
    }
    return DD_TOK_EOF;
}

/* An ASCII character that begins no token. Returns what was probably meant. */
static dd_token_kind reject_ascii(dd_lexer *lx, uint32_t begin, char c)
{
    /* habits from other languages, then a message without advice */
    dd_span span = {lx->file, begin, begin + 1};
    if (c == '%') {
        dd_error(lx->ctx, span, "`%%` is not allowed here: the remainder of a/b is mod(a, b)");
        return DD_TOK_SLASH;
    }
    if (c == '#') {
        dd_error(lx->ctx, span, "`#` is not allowed here: comments begin with `//`");
        const char *end = memchr(lx->text + begin, '\n', lx->length - begin);
        lx->at = end != NULL ? (uint32_t)(end - lx->text) : lx->length;
        return DD_TOK_EOF;
    }
    dd_error(lx->ctx, span, "`%c` is not allowed here", c);
    return DD_TOK_EOF;
}

/* A character that begins no token: reported; lexing ends when it is not text. Returns the symbol that was
 * probably meant, DD_TOK_EOF: none. */
static dd_token_kind reject_character(dd_lexer *lx)
{
    uint32_t begin = lx->at, code = 0;
    uint32_t len = (uint32_t)dd_utf8_decode(lx->text + begin, lx->length - begin, &code);
    if (code == UINT32_MAX) {
        reject_byte(lx, begin);
        return DD_TOK_EOF;
    }
    /* what follows is read as if the suggestion had been written, to find further errors */
    lx->at += len;
    const char *instead = ascii_for(code);
    if (code < 0x80) {
        return reject_ascii(lx, begin, (char)code);
    }
    if (instead != NULL) {
        dd_error(lx->ctx, span_from(lx, begin), "`%.*s` (U+%04X) is not allowed here: write `%s`", (int)len,
                 lx->text + begin, (unsigned)code, instead);
        return symbol_of(instead);
    }
    dd_error(lx->ctx, span_from(lx, begin),
             "`%.*s` (U+%04X) is not allowed here: names are made of ASCII letters, digits and "
             "`_`; others need quotes, as in '%.*s'",
             (int)len, lx->text + begin, (unsigned)code, (int)len, lx->text + begin);
    return DD_TOK_EOF;
}

static dd_token make_token(const dd_lexer *lx, dd_token_kind kind, uint32_t begin, uint32_t name)
{
    return (dd_token){.kind = kind, .name = name, .span = span_from(lx, begin)};
}

/* Interns a name or number; an overlong one is an error. */
static uint32_t intern_short(dd_lexer *lx, uint32_t begin, const char *s, size_t n, const char *what)
{
    if (n > DD_LEX_MAX_NAME) {
        dd_error(lx->ctx, ((dd_span){lx->file, begin, begin + 1}), "this %s has %zu characters; the limit is %d", what,
                 n, DD_LEX_MAX_NAME);
        n = DD_LEX_MAX_NAME;
    }
    return dd_names_intern(lx->names, s, n);
}

static dd_token lex_word(dd_lexer *lx)
{
    /* letters, digits, _; only short words can be keywords */
    uint32_t begin = lx->at;
    while (lx->at < lx->length && (is_letter(lx->text[lx->at]) || is_digit(lx->text[lx->at]))) {
        lx->at++;
    }
    size_t n = lx->at - begin;
    dd_token_kind kind = n <= LONGEST_KEYWORD ? keyword_of(lx->text + begin, n) : DD_TOK_IDENT;
    return make_token(lx, kind, begin, intern_short(lx, begin, lx->text + begin, n, "name"));
}

/* 'a.b': quotes are part of a name in Modelica ('x' is not x), so they are dropped only where x alone could not be
 * written. Escapes stay as they are written. */
static dd_token lex_quoted_name(dd_lexer *lx)
{
    /* to the closing quote in the same line; a backslash takes the next character along */
    uint32_t begin = lx->at++;
    while (lx->at < lx->length && lx->text[lx->at] != '\'') {
        if (lx->text[lx->at] == '\n') {
            break;
        }
        lx->at += lx->text[lx->at] == '\\' && lx->at + 1 < lx->length ? 2 : 1;
    }
    if (peek(lx, 0) != '\'') {
        dd_error(lx->ctx, ((dd_span){lx->file, begin, begin + 1}), "this quoted name is never closed: add `'`");
        return make_token(lx, DD_TOK_IDENT, begin, intern_short(lx, begin, "?", 1, "name"));
    }
    lx->at++;
    const char *s = lx->text + begin;
    size_t n = lx->at - begin;
    if (n == 2) {
        dd_error(lx->ctx, span_from(lx, begin), "a quoted name cannot be empty");
    }
    strip_quotes(&s, &n);
    return make_token(lx, DD_TOK_IDENT, begin, intern_short(lx, begin, s, n, "name"));
}

static void skip_digits(dd_lexer *lx)
{
    while (is_digit(peek(lx, 0))) {
        lx->at++;
    }
}

static dd_token lex_number(dd_lexer *lx)
{
    uint32_t begin = lx->at;
    /* digits, fraction, exponent; `e` without digits behind it begins a name */
    skip_digits(lx);
    if (peek(lx, 0) == '.') { /* longest match: `2.*x` is 2.0 * x, elementwise needs a blank, `2 .* x` */
        lx->at++;
        skip_digits(lx);
    }
    uint32_t sign = peek(lx, 1) == '+' || peek(lx, 1) == '-';
    if ((peek(lx, 0) == 'e' || peek(lx, 0) == 'E') && is_digit(peek(lx, 1 + sign))) {
        lx->at += 1 + sign;
        skip_digits(lx);
    }
    const char *s = lx->text + begin;
    dd_token token = make_token(lx, DD_TOK_NUMBER, begin, intern_short(lx, begin, s, lx->at - begin, "number"));
    /* overflow is an error, not infinity: no model means it */
    const char *end = NULL;
    if (!isfinite(dd_number_parse(dd_names_get(lx->names, token.name), &end))) {
        dd_error(lx->ctx, token.span, "this number is too large: the largest is about 1.8e308");
    }
    /* 2x: the parser knows whether a product or a name was meant */
    if (is_letter(peek(lx, 0))) {
        lex_word(lx);
        token.glued_end = lx->at;
    }
    return token;
}

/* One escape of a string, after the backslash. */
static void lex_escape(dd_lexer *lx)
{
    static const char from[] = "'\"?\\abfnrtv", to[] = "'\"?\\\a\b\f\n\r\t\v";
    /* from and to are parallel: position in one is position in the other */
    char c = peek(lx, 0);
    const char *found = c != '\0' ? strchr(from, c) : NULL;
    if (found == NULL) {
        dd_error(lx->ctx, ((dd_span){lx->file, lx->at - 1, lx->at + (lx->at < lx->length)}),
                 "unknown escape in a string: a backslash itself is written `\\\\`");
        return;
    }
    dd_text_add_char(&lx->buffer, to[found - from]);
    lx->at++;
}

static dd_token lex_string(dd_lexer *lx)
{
    uint32_t begin = lx->at++;
    dd_text_clear(&lx->buffer);
    /* strings may span lines, as Modelica allows */
    while (lx->at < lx->length && lx->text[lx->at] != '"') {
        char c = lx->text[lx->at];
        lx->at++;
        if (c == '\\') {
            lex_escape(lx);
        } else {
            dd_text_add_char(&lx->buffer, c);
        }
    }
    if (lx->at >= lx->length) {
        dd_error(lx->ctx, ((dd_span){lx->file, begin, begin + 1}), "this string is never closed: add `\"`");
        stop(lx);
        return make_token(lx, DD_TOK_EOF, lx->at, 0);
    }
    lx->at++;
    return make_token(lx, DD_TOK_STRING, begin, dd_names_intern(lx->names, dd_text_str(&lx->buffer), lx->buffer.len));
}

/* Habits from other languages, and the token that is meant. */
static const struct slip {
    const char *text;
    dd_token_kind meant;
    const char *advice;
} slips[] = {
    {"!=", DD_TOK_NE, "`!=` is written `<>`"},
    {"~=", DD_TOK_NE, "`~=` is written `<>`"},
    {"&&", DD_TOK_AND, "`&&` is written `and`"},
    {"||", DD_TOK_OR, "`||` is written `or`"},
    {"**", DD_TOK_CARET, "`**` is written `^`"},
    {"=<", DD_TOK_LE, "`=<` is written `<=`"},
    {"=>", DD_TOK_GE, "`=>` is written `>=`"},
    {"+=", DD_TOK_EQUALS, "`+=` does not exist: an equation has the form a = b"},
    {"-=", DD_TOK_EQUALS, "`-=` does not exist: an equation has the form a = b"},
    {"!", DD_TOK_NOT, "`!` is written `not`"},
    {"&", DD_TOK_AND, "`&` is written `and`"},
    {"|", DD_TOK_OR, "`|` is written `or`"},
};

static bool lex_slip(dd_lexer *lx, dd_token *token)
{
    uint32_t begin = lx->at;
    if (strchr("!~&|*=+-", lx->text[begin]) == NULL) {
        return false;
    }
    /* longer slips come first in the table */
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        uint32_t n = (uint32_t)strlen(slips[i].text);
        if (lx->length - begin >= n && memcmp(lx->text + begin, slips[i].text, n) == 0) {
            lx->at += n;
            dd_error(lx->ctx, span_from(lx, begin), "%s", slips[i].advice);
            *token = make_token(lx, slips[i].meant, begin, 0);
            return true;
        }
    }
    return false;
}

/* The longest symbol here; DD_TOK_EOF when none begins here. */
static dd_token_kind symbol_at(const dd_lexer *lx, uint32_t *length)
{
    dd_token_kind best = DD_TOK_EOF;
    *length = 0;
    /* longest match: `:=` before `:` */
    for (int k = DD_TOK_SEMICOLON; k <= DD_TOK_DOT_CARET; k++) {
        const char *text = token_texts[k];
        uint32_t n = text[1] == '\0' ? 1 : 2;
        if (n > *length && text[0] == peek(lx, 0) && (n == 1 || text[1] == peek(lx, 1))) {
            best = (dd_token_kind)k;
            *length = n;
        }
    }
    return best;
}

/* ; , ( ) [ ] { }: half of all symbols, and none of them begins another one. DD_TOK_EOF: something else. */
static dd_token_kind single_symbol(char c)
{
    switch (c) {
    case ';':
        return DD_TOK_SEMICOLON;
    case ',':
        return DD_TOK_COMMA;
    case '(':
        return DD_TOK_LPAREN;
    case ')':
        return DD_TOK_RPAREN;
    case '[':
        return DD_TOK_LBRACKET;
    case ']':
        return DD_TOK_RBRACKET;
    case '{':
        return DD_TOK_LBRACE;
    case '}':
        return DD_TOK_RBRACE;
    default:
        return DD_TOK_EOF;
    }
}

static bool lex_symbol(dd_lexer *lx, dd_token *token)
{
    uint32_t begin = lx->at, length = 0;
    dd_token_kind single = single_symbol(lx->text[begin]);
    if (single != DD_TOK_EOF) {
        lx->at++;
        *token = make_token(lx, single, begin, 0);
        return true;
    }
    if (lex_slip(lx, token)) {
        return true;
    }
    dd_token_kind kind = symbol_at(lx, &length);
    if (kind == DD_TOK_EOF) {
        return false;
    }
    if (kind == DD_TOK_DOT && is_digit(peek(lx, 1))) {
        dd_error(lx->ctx, ((dd_span){lx->file, begin, begin + 1}),
                 "a number begins with a digit: write `0.%c` for `.%c`", peek(lx, 1), peek(lx, 1));
        lx->at++;
        *token = lex_number(lx);
        return true;
    }
    lx->at += length;
    *token = make_token(lx, kind, begin, 0);
    return true;
}

/* A quote right behind a name or a bracket starts no quoted name: x' and x[1]' mean derivatives elsewhere. */
static bool is_prime(const dd_lexer *lx)
{
    char before = lx->at > 0 ? lx->text[lx->at - 1] : ' ';
    return is_letter(before) || is_digit(before) || before == ')' || before == ']' || before == '\'';
}

dd_token dd_lexer_next(dd_lexer *lx)
{
    dd_token token;
    for (;;) {
        skip_space(lx);
        if (lx->at >= lx->length) {
            return (dd_token){.kind = DD_TOK_EOF, .span = {lx->file, lx->length, lx->length}};
        }
        /* the first character decides; one that begins no token is reported, then skipped or read as its look-alike */
        char c = lx->text[lx->at];
        if (is_letter(c)) {
            return lex_word(lx);
        }
        if (is_digit(c)) {
            return lex_number(lx);
        }
        if (c == '"') {
            return lex_string(lx);
        }
        if (c == '\'' && is_prime(lx)) {
            dd_error(lx->ctx, ((dd_span){lx->file, lx->at, lx->at + 1}), "a derivative is written der(x), not x'");
            lx->at++;
            continue;
        }
        if (c == '\'') {
            return lex_quoted_name(lx);
        }
        if (lex_symbol(lx, &token)) {
            return token;
        }
        uint32_t begin = lx->at;
        dd_token_kind meant = reject_character(lx);
        if (meant != DD_TOK_EOF) {
            return make_token(lx, meant, begin, 0);
        }
    }
}
