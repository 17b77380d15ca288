/* parse_class.c - files, classes and their sections; names what the language does not have yet. */
#include "lang/parser.h"

/* ---- what is not supported yet ---- */

/* Words that can begin a class we do not read. */
static bool is_class_word(dd_token_kind kind)
{
    switch (kind) {
    case DD_TOK_PACKAGE:
    case DD_TOK_CONNECTOR:
    case DD_TOK_RECORD:
    case DD_TOK_BLOCK:
    case DD_TOK_FUNCTION:
    case DD_TOK_CLASS:
    case DD_TOK_OPERATOR:
    case DD_TOK_PARTIAL:
    case DD_TOK_ENCAPSULATED:
    case DD_TOK_EXPANDABLE:
    case DD_TOK_PURE:
    case DD_TOK_IMPURE:
        return true;
    default:
        return false;
    }
}

/* Names the class by its first word and skips it as a whole. */
static void skip_class(dd_parser *p, const char *message)
{
    dd_span span = p->tok.span;
    if (message != NULL) {
        dd_parse_error(p, span, "%s", message);
    } else {
        dd_parse_unsupported(p, span, dd_token_text(p->tok.kind));
    }
    while (is_class_word(p->tok.kind) || dd_parse_at(p, DD_TOK_MODEL) || dd_parse_at(p, DD_TOK_TYPE)) {
        dd_parse_advance(p);
    }
    if (dd_parse_at(p, DD_TOK_EXTENDS)) {
        dd_parse_advance(p);
    }
    if (!dd_parse_at(p, DD_TOK_IDENT)) {
        dd_parse_skip_statement(p);
        return;
    }
    uint32_t name = p->tok.name;
    dd_parse_advance(p);
    if (dd_parse_at(p, DD_TOK_EQUALS)) {
        dd_parse_skip_statement(p);
    } else {
        dd_parse_skip_past_end(p, DD_TOK_IDENT, name);
    }
}

/* algorithm ... up to the next section or the end of the class. */
static void skip_algorithm(dd_parser *p)
{
    dd_parse_unsupported(p, p->tok.span, "algorithm");
    dd_parse_advance(p);
    for (; !dd_parse_at(p, DD_TOK_EOF) && !dd_parse_at_section(p); dd_parse_advance(p)) {
        if (dd_parse_at(p, DD_TOK_END)) {
            dd_token_kind next = dd_parse_peek(p, 1).kind;
            if (next == DD_TOK_IDENT || next == DD_TOK_EOF) {
                return;
            }
            dd_parse_advance(p);
        }
    }
}

static void skip_unsupported_statement(dd_parser *p)
{
    dd_parse_unsupported(p, p->tok.span, dd_token_text(p->tok.kind));
    dd_parse_advance(p);
    dd_parse_skip_statement(p);
}

/* ---- parts of a class ---- */

bool dd_parse_annotation(dd_parser *p, dd_ast_class *owner)
{
    bool ok = true;
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_LPAREN)) {
        return dd_parse_expect(p, DD_TOK_LPAREN, "after annotation");
    }
    dd_ast_mod *mods = dd_parse_modifications(p, &ok);
    if (owner != NULL) {
        *owner->annotation_end = mods;
        while (*owner->annotation_end != NULL) {
            owner->annotation_end = &(*owner->annotation_end)->next;
        }
    }
    return ok;
}

static bool parse_extends(dd_parser *p, dd_ast_class *class)
{
    bool ok = true;
    dd_ast_extends *extends = dd_pool_alloc(p->pool, sizeof *extends);
    dd_parse_advance(p);
    extends->span = p->tok.span;
    extends->before = class->last_decl;
    if (!dd_parse_class_name(p, "the name of a model", &extends->name)) {
        return false;
    }
    if (extends->name.n > 1) {
        dd_parse_error(p, extends->name.span, "names with a dot need `package`, which is not supported yet");
        return false;
    }
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        extends->mods = dd_parse_modifications(p, &ok);
    }
    *class->extends_end = extends;
    class->extends_end = &extends->next;
    ok = ok && (!dd_parse_at(p, DD_TOK_ANNOTATION) || dd_parse_annotation(p, NULL));
    return ok && dd_parse_semicolon(p, "extends");
}

static bool parse_section(dd_parser *p, dd_ast_class *class)
{
    switch (p->tok.kind) {
    case DD_TOK_EQUATION:
        dd_parse_advance(p);
        dd_parse_equations(p, DD_AST_EQUATIONS, class);
        return true;
    case DD_TOK_INITIAL:
        dd_parse_advance(p);
        if (dd_parse_at(p, DD_TOK_ALGORITHM)) {
            skip_algorithm(p);
            return true;
        }
        dd_parse_advance(p);
        dd_parse_equations(p, DD_AST_INITIAL, class);
        return true;
    case DD_TOK_ALGORITHM:
        skip_algorithm(p);
        return true;
    case DD_TOK_PUBLIC:
    case DD_TOK_PROTECTED:
        dd_parse_unsupported(p, p->tok.span, dd_token_text(p->tok.kind));
        dd_parse_advance(p);
        return true;
    case DD_TOK_EXTERNAL:
        skip_unsupported_statement(p);
        return true;
    default: /* constraint */
        dd_parse_advance(p);
        dd_parse_equations(p, DD_AST_CONSTRAINTS, class);
        return true;
    }
}

static void parse_type_element(dd_parser *p, dd_ast_class ***end)
{
    dd_ast_class *type = dd_parse_type_definition(p);
    if (type != NULL) {
        **end = type;
        *end = &type->next;
    }
}

/* Declarations, extends, types, nested classes. */
static void parse_element(dd_parser *p, dd_ast_class *class)
{
    bool ok = true;
    if (is_class_word(p->tok.kind)) {
        skip_class(p, NULL);
        return;
    }
    switch (p->tok.kind) {
    case DD_TOK_TYPE:
        parse_type_element(p, &class->classes_end);
        return;
    case DD_TOK_MODEL:
        skip_class(p, "a model inside a model is not supported yet (or is the `end` of the model before it missing?)");
        return;
    case DD_TOK_IMPORT:
        skip_unsupported_statement(p);
        return;
    case DD_TOK_ANNOTATION:
        ok = dd_parse_annotation(p, class) && dd_parse_semicolon(p, "the annotation");
        break;
    case DD_TOK_EXTENDS:
        if (class->kind != DD_CLASS_OPTIMIZATION) {
            dd_parse_error(p, p->tok.span, "`extends` in a model is not supported yet");
            ok = false;
            break;
        }
        ok = parse_extends(p, class);
        break;
    case DD_TOK_SEMICOLON:
        dd_parse_error(p, p->tok.span, "a `;` without a declaration before it");
        dd_parse_advance(p);
        return;
    default: {
        dd_ast_decl **first = class->decls_end;
        uint32_t at = p->tok.span.begin;
        ok = dd_parse_declarations(p, &class->decls_end);
        for (dd_ast_decl *d = *first; d != NULL; d = d->next) {
            class->last_decl = d;
        }
        if (!ok && p->tok.span.begin == at && !dd_parse_at(p, DD_TOK_EOF)) {
            dd_parse_advance(p); /* never stand still */
        }
    }
    }
    if (!ok) {
        dd_parse_skip_statement(p);
    }
}

/* end NAME; false when this `end` closes something else, which was then skipped. */
static bool parse_class_end(dd_parser *p, dd_ast_class *class)
{
    const char *name = dd_parse_name(p, class->name),
               *kind = class->kind == DD_CLASS_OPTIMIZATION ? "optimization" : "model";
    dd_span span = p->tok.span;
    dd_token next = dd_parse_peek(p, 1);
    dd_parse_advance(p);
    if (next.kind == DD_TOK_IDENT) {
        if (next.name != class->name) {
            dd_parse_error(p, next.span, "`end %.60s` does not fit: the %s that begins in line %u is called %.60s",
                           dd_parse_name(p, next.name), kind, (unsigned)dd_span_line(p->ctx, class->span), name);
        }
        dd_parse_advance(p);
    } else if (next.kind == DD_TOK_SEMICOLON || next.kind == DD_TOK_EOF) {
        dd_parse_error(p, span, "`end` names what it closes: write `end %.60s;`", name);
    } else {
        dd_parse_error(p, span, "`end %s` closes nothing here", dd_token_text(next.kind));
        dd_parse_advance(p);
        dd_parse_accept(p, DD_TOK_SEMICOLON);
        return false;
    }
    dd_parse_semicolon(p, "the end of the class");
    return true;
}

bool dd_parse_at_class(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_MODEL) ||
           (dd_parse_at_word(p, "optimization") && dd_parse_peek(p, 1).kind == DD_TOK_IDENT &&
            dd_parse_peek(p, 2).kind == DD_TOK_LPAREN);
}

static void parse_class_body(dd_parser *p, dd_ast_class *class)
{
    const char *kind = class->kind == DD_CLASS_OPTIMIZATION ? "optimization" : "model";
    bool in_sections = false;
    for (;;) {
        bool unclosed = dd_parse_at_class(p) && (in_sections || !dd_parse_at(p, DD_TOK_MODEL));
        if (dd_parse_at(p, DD_TOK_EOF) || unclosed) {
            dd_parse_error(p, class->span, "the %s %.60s is never closed: add `end %.60s;`", kind,
                           dd_parse_name(p, class->name), dd_parse_name(p, class->name));
            return;
        }
        if (dd_parse_at(p, DD_TOK_END)) {
            if (parse_class_end(p, class)) {
                return;
            }
        } else if (dd_parse_at_section(p)) {
            in_sections = parse_section(p, class);
        } else {
            parse_element(p, class);
        }
    }
}

dd_ast_class *dd_parse_new_class(dd_parser *p, dd_ast_class_kind kind)
{
    dd_ast_class *class = dd_pool_alloc(p->pool, sizeof *class);
    class->kind = kind;
    class->file = p->lexer.file;
    class->classes_end = &class->classes;
    class->imports_end = &class->imports;
    class->decls_end = &class->decls;
    class->extends_end = &class->extends;
    class->annotation_end = &class->annotation;
    for (int i = 0; i < DD_AST_SECTIONS; i++) {
        class->equations_end[i] = &class->equations[i];
    }
    return class;
}

/* model NAME or optimization NAME(header) ... end NAME; NULL for what is not read. */
static dd_ast_class *parse_class(dd_parser *p, bool is_optimization)
{
    dd_ast_class *class = dd_parse_new_class(p, is_optimization ? DD_CLASS_OPTIMIZATION : DD_CLASS_MODEL);
    bool ok = true;
    dd_parse_advance(p);
    if (dd_parse_at(p, DD_TOK_EXTENDS)) {
        skip_class(p, "`model extends` is not supported yet");
        return NULL;
    }
    class->span = p->tok.span;
    class->name = dd_parse_ident(p, is_optimization ? "the name of the optimization" : "the name of the model");
    if (class->name == 0) {
        dd_parse_skip_statement(p);
    }
    if (dd_parse_at(p, DD_TOK_EQUALS)) {
        dd_parse_error(p, class->span, "a model defined as `%.60s = ...` is not supported yet",
                       dd_parse_name(p, class->name));
        dd_parse_skip_statement(p);
        return NULL;
    }
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        if (!is_optimization) {
            dd_parse_error(p, p->tok.span, "a model has no attributes in its header; only an `optimization` has");
        }
        class->header = dd_parse_modifications(p, &ok);
        if (!ok) {
            dd_parse_skip_statement(p);
        }
    }
    if (class->name == 0) {
        class->name = dd_names_intern(p->names, "?", 1);
    }
    class->doc = dd_parse_doc(p);
    p->in_optimization = is_optimization;
    parse_class_body(p, class);
    p->in_optimization = false;
    return class;
}

/* ---- the file ---- */

static bool at_definition(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_EOF) || dd_parse_at(p, DD_TOK_MODEL) || dd_parse_at(p, DD_TOK_TYPE) ||
           dd_parse_at(p, DD_TOK_WITHIN) || dd_parse_at(p, DD_TOK_IMPORT) || is_class_word(p->tok.kind) ||
           (dd_parse_at_word(p, "optimization") && dd_parse_peek(p, 1).kind == DD_TOK_IDENT);
}

static void parse_definition(dd_parser *p, dd_ast_class ***class_end)
{
    bool is_optimization = dd_parse_at_word(p, "optimization");
    if (is_optimization || dd_parse_at(p, DD_TOK_MODEL)) {
        dd_ast_class *class = parse_class(p, is_optimization);
        if (class != NULL) {
            **class_end = class;
            *class_end = &class->next;
        }
    } else if (dd_parse_at(p, DD_TOK_TYPE)) {
        parse_type_element(p, class_end);
    } else if (dd_parse_at(p, DD_TOK_WITHIN) || dd_parse_at(p, DD_TOK_IMPORT)) {
        skip_unsupported_statement(p);
    } else if (is_class_word(p->tok.kind)) {
        skip_class(p, NULL);
    } else {
        if (dd_parse_at(p, DD_TOK_SEMICOLON)) {
            dd_parse_error(p, p->tok.span, "a `;` without a class before it");
        } else {
            dd_parse_error(p, p->tok.span, "expected `model NAME`, `optimization NAME` or `type NAME`, %s",
                           dd_parse_found(p));
        }
        do {
            dd_parse_advance(p);
        } while (!at_definition(p));
    }
}

void dd_parse_file(dd_parser *p, dd_ast_file *file)
{
    dd_ast_class **class_end = &file->classes;
    while (!dd_parse_at(p, DD_TOK_EOF)) {
        parse_definition(p, &class_end);
    }
}
