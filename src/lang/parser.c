/* parser.c - tokens, messages and recovery of the parser. The grammar is in the parse_*.c files. */
#include "lang/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_DIGITS = 40 }; /* of a number in a message */

dd_parser dd_parser_new(dd_context *ctx, dd_pool *pool, dd_forms *forms, uint32_t file, uint32_t at)
{
    dd_parser p = {.ctx = ctx, .pool = pool, .forms = forms, .names = dd_forms_names(forms)};
    p.lexer = dd_lexer_new(ctx, pool, p.names, file, at);
    p.tok = dd_lexer_next(&p.lexer);
    p.previous = (dd_span){file, at, at};
    return p;
}

/* Every token passes here, so that no 2x is read as 2. */
void dd_parse_advance(dd_parser *p)
{
    if (p->tok.glued_end != 0) {
        dd_parse_error(p, p->tok.span, "a letter follows the number %.*s directly: write `*` between them, or a blank",
                       SHOWN_DIGITS, dd_parse_name(p, p->tok.name));
    }
    p->previous = p->tok.span;
    p->previous_word = p->tok.kind == DD_TOK_IDENT ? p->tok.name : 0;
    /* tokens that were peeked at come first */
    if (p->n_ahead == 0) {
        p->tok = dd_lexer_next(&p->lexer);
        return;
    }
    p->tok = p->ahead[0];
    p->ahead[0] = p->ahead[1];
    p->n_ahead--;
}

dd_token dd_parse_peek(dd_parser *p, uint32_t k)
{
    /* at most two, which the grammar needs */
    while (p->n_ahead < k) {
        p->ahead[p->n_ahead++] = dd_lexer_next(&p->lexer);
    }
    return p->ahead[k - 1];
}

bool dd_parse_accept(dd_parser *p, dd_token_kind kind)
{
    if (p->tok.kind != kind) {
        return false;
    }
    dd_parse_advance(p);
    return true;
}

const char *dd_parse_name(const dd_parser *p, uint32_t id)
{
    return dd_names_get(p->names, id);
}

bool dd_parse_at_word(const dd_parser *p, const char *word)
{
    return p->tok.kind == DD_TOK_IDENT && strcmp(dd_parse_name(p, p->tok.name), word) == 0;
}

dd_span dd_parse_since(const dd_parser *p, dd_span begin)
{
    return dd_span_join(begin, p->previous);
}

void dd_parse_error(dd_parser *p, dd_span span, const char *format, ...)
{
    if (p->lexer.stopped) {
        return; /* a consequence of an earlier message */
    }
    /* a fixed buffer is enough: names in messages are cut to 60 characters */
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    dd_error(p->ctx, span, "%s", message);
}

const char *dd_parse_found(dd_parser *p)
{
    switch (p->tok.kind) {
    /* a token in the words of a message */
    case DD_TOK_EOF:
        return "found the end of the text";
    case DD_TOK_STRING:
        return "found a string";
    case DD_TOK_IDENT:
    case DD_TOK_NUMBER:
        snprintf(p->found, sizeof p->found, "found `%.60s`", dd_parse_name(p, p->tok.name));
        return p->found;
    default:
        snprintf(p->found, sizeof p->found, "found `%s`", dd_token_text(p->tok.kind));
        return p->found;
    }
}

/* What to write instead of a construct that is not supported; NULL where nothing simple takes its place. */
static const char *instead_of(const char *what)
{
    static const char switches[] = "write what switches as an `if` expression; values that jump cannot be modelled";
    static const char scope[] = "give every component the value, by a modification, or make it a constant of a package";
    static const char classes[] = "name the class itself; its parameters and start values may be modified";
    static const struct {
        const char *word, *instead;
    } list[] = {
        {"when", switches},
        {"pre", switches},
        {"edge", switches},
        {"change", switches},
        {"sample", switches},
        {"reinit", switches},
        {"initial", "conditions at the start belong in an `initial equation` section"},
        {"terminate", "set the stop time, or stop with an `assert`"},
        {"inner", scope},
        {"outer", scope},
        {"replaceable", classes},
        {"redeclare", classes},
        {"constrainedby", classes},
        {"stream", "make it an ordinary variable, and write its balance as an equation"},
        {"inStream", "use the variable of the connector itself"},
        {"actualStream", "use the variable of the connector itself"},
        {"delay", "a chain of first-order lags comes near to it"},
        {"external", "write the function as an `algorithm`"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (strcmp(list[i].word, what) == 0) {
            return list[i].instead;
        }
    }
    return NULL;
}

void dd_parse_unsupported(dd_parser *p, dd_span span, const char *what)
{
    const char *instead = instead_of(what);
    dd_parse_error(p, span, "`%s` is not supported yet%s%s", what, instead ? ": " : "", instead ? instead : "");
}

void dd_parse_stop(dd_parser *p)
{
    p->lexer.stopped = true;
    p->lexer.at = p->lexer.length;
    p->n_ahead = 0;
    p->tok = dd_lexer_next(&p->lexer);
}

bool dd_parse_enter(dd_parser *p)
{
    if (++p->nesting <= DD_PARSE_MAX_NESTING) {
        return true;
    }
    dd_parse_error(p, p->tok.span,
                   "nested too deeply here: the limit is %d levels of parentheses, calls and loops inside each "
                   "other; introduce a variable for a part of it",
                   DD_PARSE_MAX_NESTING);
    dd_parse_stop(p);
    return false;
}

void dd_parse_leave(dd_parser *p)
{
    p->nesting--;
}

/* A keyword in place of a name is the most common slip of all: the message names it as a keyword. */
static const char *keyword_note(const dd_parser *p)
{
    return dd_token_is_keyword(p->tok.kind) ? ", a keyword" : "";
}

/* `sin x`: the argument of a function without its parentheses. */
static bool report_bare_argument(dd_parser *p)
{
    const bool argument = dd_parse_at(p, DD_TOK_IDENT) || dd_parse_at(p, DD_TOK_NUMBER);
    if (!argument || p->previous_word == 0 || dd_builtin_named(dd_parse_name(p, p->previous_word)) < 0 ||
        dd_span_line(p->ctx, p->tok.span) > dd_span_line(p->ctx, p->previous)) {
        return false;
    }
    const char *function = dd_parse_name(p, p->previous_word);
    dd_parse_error(p, dd_span_join(p->previous, p->tok.span),
                   "the argument of %s stands in parentheses: write `%s(%.60s)`", function, function,
                   dd_parse_name(p, p->tok.name));
    return true;
}

bool dd_parse_expect(dd_parser *p, dd_token_kind kind, const char *context)
{
    if (dd_parse_accept(p, kind)) {
        return true;
    }
    if (report_bare_argument(p)) {
        return false;
    }
    if (kind == DD_TOK_THEN && dd_parse_at(p, DD_TOK_EQUALS)) {
        dd_parse_error(p, p->tok.span, "expected `then`, found `=`: two values are compared with `==`");
        return false;
    }
    dd_parse_error(p, p->tok.span, "expected `%s` %s, %s%s", dd_token_text(kind), context, dd_parse_found(p),
                   keyword_note(p));
    return false;
}

bool dd_parse_semicolon(dd_parser *p, const char *what)
{
    if (dd_parse_accept(p, DD_TOK_SEMICOLON)) {
        return true;
    }
    /* a missing `;` is reported where it should be, at the end of the text before */
    dd_span end = {p->previous.file, p->previous.end, p->previous.end};
    /* at the end of a line it is taken as written: the next statement is fine */
    if (dd_parse_at(p, DD_TOK_EOF) || dd_span_line(p->ctx, p->tok.span) > dd_span_line(p->ctx, p->previous)) {
        dd_parse_error(p, end, "missing `;` after %s", what);
        return true; /* as if it were there */
    }
    if (report_bare_argument(p)) {
        return false;
    }
    dd_parse_error(p, p->tok.span, "expected `;` after %s, %s%s", what, dd_parse_found(p), keyword_note(p));
    return false;
}

uint32_t dd_parse_ident(dd_parser *p, const char *what)
{
    if (dd_parse_at(p, DD_TOK_IDENT)) {
        uint32_t name = p->tok.name;
        dd_parse_advance(p);
        return name;
    }
    /* a keyword as a name is skipped, unless it seems to close something */
    if (dd_token_is_keyword(p->tok.kind)) {
        const char *word = dd_token_text(p->tok.kind);
        dd_parse_error(p, p->tok.span, "expected %s, found the keyword `%s`: choose another name, or quote it as '%s'",
                       what, word, word);
        if (!dd_parse_at(p, DD_TOK_END) || dd_parse_peek(p, 1).kind == DD_TOK_SEMICOLON) {
            dd_parse_advance(p); /* it was meant as a name, not as what it means */
        }
    } else if (p->tok.glued_end != 0) {
        dd_span word = {p->tok.span.file, p->tok.span.begin, p->tok.glued_end};
        dd_parse_error(p, word, "expected %s, which cannot begin with a digit: put a letter or `_` before it", what);
        p->tok.glued_end = 0; /* reported */
    } else {
        dd_parse_error(p, p->tok.span, "expected %s, %s", what, dd_parse_found(p));
    }
    return 0;
}

/* A string, or several joined by +. */
uint32_t dd_parse_doc(dd_parser *p)
{
    if (!dd_parse_at(p, DD_TOK_STRING)) {
        return 0;
    }
    uint32_t doc = p->tok.name;
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_PLUS)) {
        return doc;
    }
    /* "a" + "b" is one text */
    dd_text joined = dd_text_new(p->pool);
    dd_text_add(&joined, dd_parse_name(p, doc));
    while (dd_parse_at(p, DD_TOK_PLUS) && dd_parse_peek(p, 1).kind == DD_TOK_STRING) {
        dd_parse_advance(p);
        dd_text_add(&joined, dd_parse_name(p, p->tok.name));
        dd_parse_advance(p);
    }
    return dd_names_intern(p->names, dd_text_str(&joined), joined.len);
}

bool dd_parse_at_section(dd_parser *p)
{
    /* keywords that are headings, `initial` with what follows, and `constraint` in an optimization */
    switch (p->tok.kind) {
    case DD_TOK_EQUATION:
    case DD_TOK_ALGORITHM:
    case DD_TOK_PUBLIC:
    case DD_TOK_PROTECTED:
    case DD_TOK_EXTERNAL:
        return true;
    case DD_TOK_INITIAL: {
        dd_token_kind next = dd_parse_peek(p, 1).kind;
        return next == DD_TOK_EQUATION || next == DD_TOK_ALGORITHM;
    }
    case DD_TOK_IDENT: {
        if (!p->in_optimization || !dd_parse_at_word(p, "constraint")) {
            return false;
        }
        /* a variable may be called constraint: an operator or dot behind it says so */
        dd_token_kind next = dd_parse_peek(p, 1).kind;
        return next != DD_TOK_EQUALS && next != DD_TOK_DOT && !(next >= DD_TOK_EQ && next <= DD_TOK_GE);
    }
    default:
        return false;
    }
}

/* `end` that closes something, not the last index of an array. */
static bool at_closing_end(dd_parser *p)
{
    if (!dd_parse_at(p, DD_TOK_END)) {
        return false;
    }
    /* `end` inside a subscript is followed by an operator or a bracket */
    switch (dd_parse_peek(p, 1).kind) {
    case DD_TOK_IDENT:
    case DD_TOK_FOR:
    case DD_TOK_IF:
    case DD_TOK_WHEN:
    case DD_TOK_WHILE:
    case DD_TOK_SEMICOLON:
    case DD_TOK_EOF:
        return true;
    default:
        return false;
    }
}

void dd_parse_skip_statement(dd_parser *p)
{
    while (!dd_parse_at(p, DD_TOK_EOF)) {
        /* behind `;`, or in front of something that is read by others */
        if (dd_parse_accept(p, DD_TOK_SEMICOLON) || at_closing_end(p) || dd_parse_at_section(p)) {
            return;
        }
        dd_parse_advance(p);
        if (dd_parse_at_class(p) && dd_parse_peek(p, 1).kind == DD_TOK_IDENT) {
            return; /* a class begins here: its `end` must find it */
        }
    }
}

void dd_parse_skip_past_end(dd_parser *p, dd_token_kind kind, uint32_t name)
{
    for (; !dd_parse_at(p, DD_TOK_EOF); dd_parse_advance(p)) {
        if (!dd_parse_at(p, DD_TOK_END)) {
            continue;
        }
        /* `end kind` or `end name`; others inside are passed over */
        dd_token next = dd_parse_peek(p, 1);
        if (next.kind == kind && (kind != DD_TOK_IDENT || next.name == name)) {
            dd_parse_advance(p);
            dd_parse_advance(p);
            dd_parse_accept(p, DD_TOK_SEMICOLON);
            return;
        }
    }
}
