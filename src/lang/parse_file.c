/* parse_file.c - a file: `within`, then classes. */
#include <string.h>

#include "lang/parser.h"

static bool at_definition(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_EOF) || dd_parse_at(p, DD_TOK_WITHIN) || dd_parse_at(p, DD_TOK_IMPORT) ||
           dd_parse_is_class_word(p->tok.kind) || dd_parse_at_optimization(p);
}

static void reject_definition(dd_parser *p)
{
    /* the `end` of a class that was reported as unclosed is expected here, once */
    if (dd_parse_at(p, DD_TOK_END) && dd_parse_peek(p, 1).kind == DD_TOK_IDENT &&
        dd_parse_peek(p, 1).name == p->unclosed) {
        p->unclosed = 0; /* that of a class whose end was found to be missing */
    } else if (dd_parse_at(p, DD_TOK_SEMICOLON)) {
        dd_parse_error(p, p->tok.span, "a `;` without a class before it");
    } else {
        dd_parse_error(p, p->tok.span, "expected `model NAME`, `package NAME` or another class, %s", dd_parse_found(p));
    }
    /* on to the next thing that can begin a class */
    do {
        dd_parse_advance(p);
    } while (!at_definition(p));
}

/* within A.B; */
static void parse_within(dd_parser *p, dd_ast_file *file)
{
    /* at most once, before all classes */
    if (file->has_within || file->classes != NULL) {
        dd_parse_error(p, p->tok.span, "`within` is allowed once, before the first class of a file");
    }
    file->has_within = true;
    dd_parse_advance(p);
    bool ok = dd_parse_at(p, DD_TOK_SEMICOLON) || dd_parse_class_name(p, "the name of a package", &file->within);
    if (!ok || !dd_parse_semicolon(p, "within")) {
        dd_parse_skip_statement(p);
    }
}

static void parse_definition(dd_parser *p, dd_ast_file *file, dd_ast_class ***end)
{
    dd_ast_decl prefixes = {0};
    /* within, classes, and the usual mistakes */
    if (dd_parse_at(p, DD_TOK_WITHIN)) {
        parse_within(p, file);
        return;
    }
    if (dd_parse_at(p, DD_TOK_IMPORT)) {
        dd_parse_error(p, p->tok.span, "an `import` belongs inside a class, among its declarations");
        dd_parse_advance(p);
        dd_parse_skip_statement(p);
        return;
    }
    if (dd_parse_at(p, DD_TOK_FINAL) || dd_parse_at(p, DD_TOK_REPLACEABLE) || dd_parse_at(p, DD_TOK_REDECLARE)) {
        dd_parse_prefixes(p, &prefixes);
    }
    if (dd_parse_is_class_word(p->tok.kind) || dd_parse_at_optimization(p)) {
        dd_parse_class(p, NULL, end, &prefixes);
    } else {
        reject_definition(p);
    }
}

void dd_parse_file(dd_parser *p, dd_ast_file *file)
{
    static const char mark[] = "//! base";
    size_t length = 0;
    const char *text = dd_source_text(p->ctx, p->lexer.file, &length);
    dd_ast_class **end = &file->classes;
    /* the mark of a file in Base Modelica */
    file->is_base = length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0;
    while (!dd_parse_at(p, DD_TOK_EOF)) {
        parse_definition(p, file, &end);
    }
}
