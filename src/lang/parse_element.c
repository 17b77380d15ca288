/* parse_element.c - the contents of a class: extends, import, declarations and nested classes, annotations, and the
 * headings of its sections. */
#include <string.h>

#include "lang/parser.h"

/* ---- annotations ---- */

bool dd_parse_annotation(dd_parser *p, dd_ast_class *owner)
{
    bool ok = true;
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_LPAREN)) {
        return dd_parse_expect(p, DD_TOK_LPAREN, "after annotation");
    }
    /* functions and graphics of other tools are allowed inside */
    p->in_annotation++;
    dd_ast_mod *mods = dd_parse_modifications(p, &ok);
    p->in_annotation--;
    /* several annotations of a class are one list */
    if (owner != NULL) {
        *owner->annotation_end = mods;
        while (*owner->annotation_end != NULL) {
            owner->annotation_end = &(*owner->annotation_end)->next;
        }
    }
    return ok;
}

bool dd_parse_comment(dd_parser *p, uint32_t *doc)
{
    uint32_t text = dd_parse_doc(p);
    if (doc != NULL) {
        *doc = text;
    }
    return !dd_parse_at(p, DD_TOK_ANNOTATION) || dd_parse_annotation(p, NULL);
}

/* ---- extends and import ---- */

static bool parse_extends(dd_parser *p, dd_ast_class *class, bool is_protected)
{
    bool ok = true;
    /* `before` keeps its place among the declarations: inherited ones come where the clause is */
    dd_ast_extends *extends = dd_pool_alloc(p->pool, sizeof *extends);
    dd_parse_advance(p);
    extends->before = class->last_decl;
    extends->is_protected = is_protected;
    if (!dd_parse_class_name(p, "the name of a class", &extends->name)) {
        return false;
    }
    extends->span = extends->name.span;
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        extends->mods = dd_parse_modifications(p, &ok);
    }
    *class->extends_end = extends;
    class->extends_end = &extends->next;
    /* a later stage of the language: named, then skipped */
    if (ok && dd_parse_at(p, DD_TOK_CONSTRAINEDBY)) {
        dd_parse_unsupported(p, p->tok.span, "constrainedby");
        return false;
    }
    return ok && dd_parse_comment(p, NULL) && dd_parse_semicolon(p, "extends");
}

static dd_ast_import *add_import(dd_parser *p, dd_ast_class *class, dd_ast_name name, uint32_t alias)
{
    dd_ast_import *import = dd_pool_alloc(p->pool, sizeof *import);
    *import = (dd_ast_import){.name = name, .alias = alias, .span = name.span};
    import->all = alias == 0;
    *class->imports_end = import;
    class->imports_end = &import->next;
    return import;
}

/* {B, C} of import A.{B, C}, after A. */
static bool parse_import_list(dd_parser *p, dd_ast_class *class, const dd_ast_name *package)
{
    do {
        dd_parse_advance(p); /* { or , */
        dd_ast_name full = {.n = package->n + 1, .global = package->global, .span = p->tok.span};
        uint32_t *parts = dd_pool_alloc_array(p->pool, full.n, sizeof *parts);
        /* A.B, A.C: one import each, with the package's name in front */
        memcpy(parts, package->parts, package->n * sizeof *parts);
        parts[package->n] = dd_parse_ident(p, "the name of a class");
        if (parts[package->n] == 0) {
            return false;
        }
        full.parts = parts;
        add_import(p, class, full, parts[package->n]);
    } while (dd_parse_at(p, DD_TOK_COMMA));
    return dd_parse_expect(p, DD_TOK_RBRACE, "or `,` in the list of classes");
}

/* import A.B;  import C = A.B;  import A.*;  import A.{B, C}; */
static bool parse_import(dd_parser *p, dd_ast_class *class)
{
    dd_parse_advance(p);
    uint32_t alias = 0;
    dd_ast_name name;
    /* three tokens distinguish import C = A.B from import A.B */
    bool renamed = dd_parse_at(p, DD_TOK_IDENT) && dd_parse_peek(p, 1).kind == DD_TOK_EQUALS, ok = true;
    if (renamed) {
        alias = p->tok.name;
        dd_parse_advance(p);
        dd_parse_advance(p);
    }
    p->in_import = true;
    ok = dd_parse_class_name(p, "the name of a package or class", &name);
    p->in_import = false;
    if (!ok) {
        return false;
    }
    /* a list, everything, or one class; without an alias its last part is the name */
    if (dd_parse_at(p, DD_TOK_LBRACE) && !renamed) {
        ok = parse_import_list(p, class, &name);
    } else if (dd_parse_at(p, DD_TOK_DOT_STAR) && !renamed) {
        dd_parse_advance(p);
        add_import(p, class, name, 0);
    } else {
        add_import(p, class, name, renamed ? alias : name.parts[name.n - 1]);
    }
    return ok && dd_parse_comment(p, NULL) && dd_parse_semicolon(p, "import");
}

/* ---- sections ---- */

/* algorithm ... up to the next section or the end of the class. */
static void skip_algorithm(dd_parser *p)
{
    dd_parse_error(
        p, p->tok.span,
        "`algorithm` is not supported yet in a model: only functions have algorithms; write equations, or call a "
        "function that has them");
    dd_parse_advance(p);
    /* inside algorithms `end for` and the like are passed over; `end NAME` closes the class */
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

static bool is_initial_section(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_INITIAL) && dd_parse_peek(p, 1).kind == DD_TOK_ALGORITHM;
}

static void parse_algorithm_section(dd_parser *p, dd_ast_class *class)
{
    if (class->kind != DD_CLASS_FUNCTION) {
        skip_algorithm(p);
        return;
    }
    dd_parse_advance(p);
    dd_parse_equations(p, DD_AST_ALGORITHM, class);
}

static void parse_equation_section(dd_parser *p, dd_ast_class *class, dd_ast_section section)
{
    /* parsed all the same: one message instead of one per equation */
    if (class->kind == DD_CLASS_FUNCTION) {
        dd_parse_error(p, p->tok.span, "a function has no equations: its statements follow `algorithm`");
    } else if (class->kind == DD_CLASS_RECORD || class->kind == DD_CLASS_PACKAGE || class->kind == DD_CLASS_TYPE ||
               class->kind == DD_CLASS_CONNECTOR) {
        dd_parse_error(p, p->tok.span, "a %s has no equations", dd_class_kind_word(class->kind));
    }
    dd_parse_advance(p);
    dd_parse_equations(p, section, class);
}

/* True when a section of statements was read: no declaration can follow. */
bool dd_parse_section(dd_parser *p, dd_ast_class *class, bool *is_protected)
{
    /* headings; true where statements were read */
    switch (p->tok.kind) {
    case DD_TOK_PUBLIC:
    case DD_TOK_PROTECTED:
        *is_protected = dd_parse_at(p, DD_TOK_PROTECTED);
        dd_parse_advance(p);
        return false;
    case DD_TOK_EQUATION:
        parse_equation_section(p, class, DD_AST_EQUATIONS);
        return true;
    case DD_TOK_INITIAL: {
        bool algorithm = is_initial_section(p);
        dd_parse_advance(p);
        if (algorithm) {
            skip_algorithm(p);
        } else {
            parse_equation_section(p, class, DD_AST_INITIAL);
        }
        return true;
    }
    case DD_TOK_ALGORITHM:
        parse_algorithm_section(p, class);
        return true;
    case DD_TOK_EXTERNAL:
        dd_parse_unsupported(p, p->tok.span, "external");
        dd_parse_advance(p);
        dd_parse_skip_statement(p);
        return true;
    default: /* constraint */
        dd_parse_advance(p);
        dd_parse_equations(p, DD_AST_CONSTRAINTS, class);
        return true;
    }
}

/* ---- elements ---- */

/* Base Modelica: guess(x) = value is the start value of x. */
static void add_start(dd_parser *p, dd_ast_class *class, uint32_t name, dd_span span, dd_form value)
{
    /* as if start = value were written at the declaration */
    for (dd_ast_decl *d = class->decls; d != NULL; d = d->next) {
        if (d->name == name) {
            dd_ast_mod *mod = dd_pool_alloc(p->pool, sizeof *mod);
            *mod = (dd_ast_mod){.next = d->mods, .value = value, .span = span};
            mod->name = dd_names_intern(p->names, "start", 5);
            d->mods = mod;
            return;
        }
    }
    dd_parse_error(p, span, "%.60s is not declared before its guess", dd_parse_name(p, name));
}

/* parameter equation guess(x) = value; of Base Modelica. */
static bool parse_parameter_equation(dd_parser *p, dd_ast_class *class)
{
    /* parameter equation guess(x) = value */
    dd_parse_advance(p);
    dd_parse_advance(p);
    if (!dd_parse_at_word(p, "guess")) {
        dd_parse_error(p, p->tok.span, "expected guess(x) = value after `parameter equation`, %s", dd_parse_found(p));
        return false;
    }
    dd_parse_advance(p);
    if (!dd_parse_expect(p, DD_TOK_LPAREN, "after guess")) {
        return false;
    }
    dd_span span = p->tok.span;
    uint32_t name = dd_parse_ident(p, "the name of a variable");
    if (name == 0 || !dd_parse_expect(p, DD_TOK_RPAREN, "after the variable") ||
        !dd_parse_expect(p, DD_TOK_EQUALS, "after guess(..)")) {
        return false;
    }
    dd_form value = dd_parse_expression(p);
    if (value == DD_FORM_NONE || !dd_parse_comment(p, NULL)) {
        return false;
    }
    add_start(p, class, name, span, value);
    return dd_parse_semicolon(p, "the guess");
}

/* A declaration, or a class inside this one. */
static bool parse_definition_element(dd_parser *p, dd_ast_class *class, bool is_protected)
{
    dd_ast_decl common = {.is_protected = is_protected};
    uint32_t at = p->tok.span.begin;
    /* prefixes belong to declarations and to nested classes alike: read first, then decided */
    if (class->kind == DD_CLASS_PACKAGE && dd_parse_at_optimization(p)) {
        dd_parse_class(p, class, &class->classes_end, &common);
        return true;
    }
    dd_parse_prefixes(p, &common);
    if (dd_parse_is_class_word(p->tok.kind)) {
        dd_parse_class(p, class, &class->classes_end, &common);
        if (dd_parse_at(p, DD_TOK_CONSTRAINEDBY)) {
            dd_parse_skip_statement(p); /* of a replaceable class, which was named */
        }
        return true;
    }
    bool ok = dd_parse_declarations(p, class, &common);
    if (!ok && p->tok.span.begin == at && !dd_parse_at(p, DD_TOK_EOF)) {
        dd_parse_advance(p); /* always make progress */
    }
    return ok;
}

/* Declarations, extends, imports, nested classes. */
void dd_parse_element(dd_parser *p, dd_ast_class *class, bool is_protected)
{
    bool ok = true;
    switch (p->tok.kind) {
    /* elements that begin with a keyword */
    case DD_TOK_IMPORT:
        ok = parse_import(p, class);
        break;
    case DD_TOK_ANNOTATION:
        ok = dd_parse_annotation(p, class) && dd_parse_semicolon(p, "the annotation");
        break;
    case DD_TOK_EXTENDS:
        ok = parse_extends(p, class, is_protected);
        break;
    case DD_TOK_SEMICOLON:
        dd_parse_error(p, p->tok.span, "a `;` without a declaration before it: leave it out");
        dd_parse_advance(p);
        return;
    /* `parameter equation` is Base Modelica; otherwise `parameter` begins a declaration */
    case DD_TOK_PARAMETER:
        if (dd_parse_peek(p, 1).kind == DD_TOK_EQUATION) {
            ok = parse_parameter_equation(p, class);
            break;
        }
        ok = parse_definition_element(p, class, is_protected);
        break;
    default:
        ok = parse_definition_element(p, class, is_protected);
    }
    if (!ok) {
        dd_parse_skip_statement(p);
    }
}
