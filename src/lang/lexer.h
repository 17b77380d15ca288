/* lexer.h - model text to tokens, one at a time.
 *
 * Outside comments and strings everything is ASCII; inside them any bytes are allowed but control characters, which
 * no text file contains: such a byte, or broken UTF-8 outside them, stops the lexer with one message. Slips from
 * other languages (`!=`, `&&`, `**`) are reported and read as the operator that was meant.
 */
#ifndef DD_LANG_LEXER_H
#define DD_LANG_LEXER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/source.h"
#include "base/text.h"

#define DD_LEX_MAX_NAME 1000 /* characters of a name or number */

/* clang-format off */
/* Reserved words of Modelica, sorted. `optimization` and `constraint` are ordinary names to the lexer. */
#define DD_KEYWORD_LIST(X)                                                                                             \
    X(ALGORITHM, "algorithm") X(AND, "and") X(ANNOTATION, "annotation") X(BLOCK, "block") X(BREAK, "break")            \
    X(CLASS, "class") X(CONNECT, "connect") X(CONNECTOR, "connector") X(CONSTANT, "constant")                          \
    X(CONSTRAINEDBY, "constrainedby") X(DER, "der") X(DISCRETE, "discrete") X(EACH, "each") X(ELSE, "else")            \
    X(ELSEIF, "elseif") X(ELSEWHEN, "elsewhen") X(ENCAPSULATED, "encapsulated") X(END, "end")                          \
    X(ENUMERATION, "enumeration") X(EQUATION, "equation") X(EXPANDABLE, "expandable") X(EXTENDS, "extends")            \
    X(EXTERNAL, "external") X(FALSE, "false") X(FINAL, "final") X(FLOW, "flow") X(FOR, "for") X(FUNCTION, "function")  \
    X(IF, "if") X(IMPORT, "import") X(IMPURE, "impure") X(IN, "in") X(INITIAL, "initial") X(INNER, "inner")            \
    X(INPUT, "input") X(LOOP, "loop") X(MODEL, "model") X(NOT, "not") X(OPERATOR, "operator") X(OR, "or")              \
    X(OUTER, "outer") X(OUTPUT, "output") X(PACKAGE, "package") X(PARAMETER, "parameter") X(PARTIAL, "partial")        \
    X(PROTECTED, "protected") X(PUBLIC, "public") X(PURE, "pure") X(RECORD, "record") X(REDECLARE, "redeclare")        \
    X(REPLACEABLE, "replaceable") X(RETURN, "return") X(STREAM, "stream") X(THEN, "then") X(TRUE, "true")              \
    X(TYPE, "type") X(WHEN, "when") X(WHILE, "while") X(WITHIN, "within")

#define DD_SYMBOL_LIST(X)                                                                                              \
    X(SEMICOLON, ";") X(COMMA, ",") X(LPAREN, "(") X(RPAREN, ")") X(LBRACKET, "[") X(RBRACKET, "]") X(LBRACE, "{")     \
    X(RBRACE, "}") X(COLON, ":") X(DOT, ".") X(EQUALS, "=") X(ASSIGN, ":=") X(EQ, "==") X(NE, "<>") X(LT, "<")         \
    X(LE, "<=") X(GT, ">") X(GE, ">=") X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/") X(CARET, "^")             \
    X(DOT_PLUS, ".+") X(DOT_MINUS, ".-") X(DOT_STAR, ".*") X(DOT_SLASH, "./") X(DOT_CARET, ".^")
/* clang-format on */

typedef enum dd_token_kind {
    DD_TOK_EOF,
    DD_TOK_IDENT,  /* name: its text, quoted names without quotes */
    DD_TOK_NUMBER, /* name: its text */
    DD_TOK_STRING, /* name: its contents, escapes replaced */
#define DD_TOK_ENUM(id, text) DD_TOK_##id,
    DD_SYMBOL_LIST(DD_TOK_ENUM) DD_KEYWORD_LIST(DD_TOK_ENUM)
#undef DD_TOK_ENUM
        DD_TOK_COUNT
} dd_token_kind;

typedef struct dd_token {
    dd_token_kind kind;
    uint32_t name;
    dd_span span;
    uint32_t glued_end; /* of a number with a word directly behind it, 2x: where the word ends; else 0 */
} dd_token;

typedef struct dd_lexer {
    dd_context *ctx;
    dd_names *names;
    const char *text;
    uint32_t file, length, at;
    bool stopped;   /* after junk or a limit: only EOF follows, and no further message makes sense */
    dd_text buffer; /* of a string being read */
} dd_lexer;

/* Starts at byte `at` of a registered source. The text must live as long as the lexer. */
dd_lexer dd_lexer_new(dd_context *ctx, dd_pool *scratch, dd_names *names, uint32_t file, uint32_t at);
dd_token dd_lexer_next(dd_lexer *lx);

/* The text of a symbol or keyword; "" for the others. */
const char *dd_token_text(dd_token_kind kind);
bool dd_token_is_keyword(dd_token_kind kind);

/* A name as the language writes it: x, 'a.b', 'if'. The inverse of what the lexer does to quoted names. */
const char *dd_name_quoted(dd_pool *pool, const char *name);

/* The name id of such a text of n characters, interned. */
uint32_t dd_name_id(dd_names *names, const char *text, size_t n);

#endif
