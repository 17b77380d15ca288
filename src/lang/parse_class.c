/* parse_class.c - classes: their heading, short definitions, and the end of long ones. Elements and sections are in
 * parse_element.c, files in parse_file.c.
 *
 *   class ── heading (kind, name) ── long: elements and sections up to `end NAME;`
 *                                └── short: = base(modifications);  = enumeration(...);
 *
 * A class that is not closed ends before the next thing that cannot be inside it; the end of an enclosing class closes
 * it too, so that one missing `end` is one message.
 */
#include <string.h>

#include "lang/parser.h"

static const char *const kind_words[] = {
    [DD_CLASS_MODEL] = "model",         [DD_CLASS_CLASS] = "class",   [DD_CLASS_BLOCK] = "block",
    [DD_CLASS_CONNECTOR] = "connector", [DD_CLASS_RECORD] = "record", [DD_CLASS_PACKAGE] = "package",
    [DD_CLASS_FUNCTION] = "function",   [DD_CLASS_TYPE] = "type",     [DD_CLASS_OPTIMIZATION] = "optimization"};

const char *dd_class_kind_word(dd_ast_class_kind kind)
{
    return kind_words[kind];
}

/* ---- recognising classes ---- */

/* Words that begin a class. */
bool dd_parse_is_class_word(dd_token_kind kind)
{
    switch (kind) {
    case DD_TOK_MODEL:
    case DD_TOK_PACKAGE:
    case DD_TOK_CONNECTOR:
    case DD_TOK_RECORD:
    case DD_TOK_BLOCK:
    case DD_TOK_FUNCTION:
    case DD_TOK_CLASS:
    case DD_TOK_TYPE:
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

bool dd_parse_at_class(dd_parser *p)
{
    return dd_parse_is_class_word(p->tok.kind) ||
           /* a variable may be called optimization: only NAME( behind it makes it a class */
           (dd_parse_at_word(p, "optimization") && dd_parse_peek(p, 1).kind == DD_TOK_IDENT &&
            dd_parse_peek(p, 2).kind == DD_TOK_LPAREN);
}

/* `optimization NAME` where such a class is allowed: in a file and in a package. */
bool dd_parse_at_optimization(dd_parser *p)
{
    return dd_parse_at_word(p, "optimization") && dd_parse_peek(p, 1).kind == DD_TOK_IDENT;
}

static bool class_kind_of(dd_token_kind token, dd_ast_class_kind *kind)
{
    switch (token) {
    /* the kinds of classes with a keyword; `optimization` is an ordinary name */
    case DD_TOK_MODEL:
        *kind = DD_CLASS_MODEL;
        return true;
    case DD_TOK_CLASS:
        *kind = DD_CLASS_CLASS;
        return true;
    case DD_TOK_BLOCK:
        *kind = DD_CLASS_BLOCK;
        return true;
    case DD_TOK_CONNECTOR:
        *kind = DD_CLASS_CONNECTOR;
        return true;
    case DD_TOK_RECORD:
        *kind = DD_CLASS_RECORD;
        return true;
    case DD_TOK_PACKAGE:
        *kind = DD_CLASS_PACKAGE;
        return true;
    case DD_TOK_FUNCTION:
        *kind = DD_CLASS_FUNCTION;
        return true;
    case DD_TOK_TYPE:
        *kind = DD_CLASS_TYPE;
        return true;
    default:
        return false;
    }
}

/* ---- constructs that are not supported yet ---- */

/* Skips a class as a whole, from any of its first words. */
static void skip_class(dd_parser *p)
{
    /* past the words in front of the name, then to the matching end */
    while (dd_parse_is_class_word(p->tok.kind)) {
        dd_parse_advance(p);
    }
    dd_parse_accept(p, DD_TOK_EXTENDS);
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

/* ---- short definitions ---- */

/* enumeration(a "doc", b); after a look at it */
static bool parse_enumeration(dd_parser *p, dd_ast_class *class)
{
    /* literals in order, each once */
    dd_ast_literal **end = &class->literals;
    dd_map seen = dd_map_new(p->pool);
    class->is_enumeration = true;
    dd_parse_advance(p);
    if (!dd_parse_expect(p, DD_TOK_LPAREN, "after enumeration")) {
        return false;
    }
    if (dd_parse_at(p, DD_TOK_COLON)) {
        dd_parse_error(p, p->tok.span, "`enumeration(:)` is not supported yet: name the literals");
        return false;
    }
    do {
        dd_ast_literal *literal = dd_pool_alloc(p->pool, sizeof *literal);
        literal->span = p->tok.span;
        literal->name = dd_parse_ident(p, "the name of a literal");
        if (literal->name == 0 || !dd_parse_comment(p, &literal->doc)) {
            return false;
        }
        if (dd_map_get(&seen, literal->name) != 0) {
            dd_parse_error(p, literal->span, "the literal %.60s appears twice", dd_parse_name(p, literal->name));
        }
        dd_map_put(&seen, literal->name, 1);
        *end = literal;
        end = &literal->next;
        class->n_literals++;
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    return dd_parse_expect(p, DD_TOK_RPAREN, "or `,` in the list of literals");
}

/* [input|output|flow] base[dims](modifications) */
static bool parse_base(dd_parser *p, dd_ast_class *class)
{
    bool ok = true;
    /* prefixes of the type, then the type itself with sizes and modifications */
    for (;; dd_parse_advance(p)) {
        if (dd_parse_at(p, DD_TOK_INPUT)) {
            class->short_input = true;
        } else if (dd_parse_at(p, DD_TOK_OUTPUT)) {
            class->short_output = true;
        } else if (dd_parse_at(p, DD_TOK_FLOW)) {
            class->short_flow = true;
        } else if (dd_parse_at(p, DD_TOK_STREAM)) {
            dd_parse_unsupported(p, p->tok.span, "stream");
        } else {
            break;
        }
    }
    ok = dd_parse_type_ref(p, &class->base);
    if (ok && dd_parse_at(p, DD_TOK_LPAREN)) {
        class->mods = dd_parse_modifications(p, &ok);
    }
    return ok;
}

/* = ...; after the name */
static bool parse_short_class(dd_parser *p, dd_ast_class *class)
{
    bool ok;
    class->is_short = true;
    dd_parse_advance(p);
    /* = der(f, x), an enumeration, or another class with modifications */
    if (dd_parse_at(p, DD_TOK_DER)) {
        dd_parse_error(p, p->tok.span, "a function defined as a partial derivative, = der(f, x), is not supported yet");
        return false;
    }
    ok = dd_parse_at(p, DD_TOK_ENUMERATION) ? parse_enumeration(p, class) : parse_base(p, class);
    if (ok && dd_parse_at(p, DD_TOK_CONSTRAINEDBY)) {
        return false; /* of a replaceable class, which was named */
    }
    if (ok) {
        class->doc = dd_parse_doc(p);
        ok = !dd_parse_at(p, DD_TOK_ANNOTATION) || dd_parse_annotation(p, class);
    }
    return ok && dd_parse_semicolon(p, class->kind == DD_CLASS_TYPE ? "the type" : "the definition");
}

/* ---- the body ---- */

static void report_unclosed(dd_parser *p, dd_ast_class *class)
{
    dd_parse_error(p, class->span, "the %s %.60s is never closed: add `end %.60s;`", kind_words[class->kind],
                   dd_parse_name(p, class->name), dd_parse_name(p, class->name));
    p->unclosed = class->name;
}

static bool closes_outer(const dd_ast_class *class, uint32_t name)
{
    for (const dd_ast_class *c = class->parent; c != NULL; c = c->parent) {
        if (c->name == name) {
            return true;
        }
    }
    return false;
}

/* end NAME; false when this `end` closes something else, which was then skipped. */
static bool parse_class_end(dd_parser *p, dd_ast_class *class)
{
    const char *name = dd_parse_name(p, class->name), *kind = kind_words[class->kind];
    dd_span span = p->tok.span;
    dd_token next = dd_parse_peek(p, 1);
    /* `end OUTER`: this class was not closed, and the outer one must see its end */
    if (next.kind == DD_TOK_IDENT && next.name != class->name && closes_outer(class, next.name)) {
        report_unclosed(p, class);
        return true;
    }
    dd_parse_advance(p);
    /* the name is wrong, missing, or something else was closed */
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

/* A class can appear among the elements, an optimization only in a package; after a section it means that this
 * class was not closed. */
static bool at_unclosed(dd_parser *p, const dd_ast_class *class, bool in_sections)
{
    if (dd_parse_at(p, DD_TOK_EOF) || dd_parse_at(p, DD_TOK_WITHIN)) {
        return true;
    }
    if (!dd_parse_at_class(p)) {
        return false;
    }
    return in_sections || (!dd_parse_is_class_word(p->tok.kind) && class->kind != DD_CLASS_PACKAGE);
}

static void parse_class_body(dd_parser *p, dd_ast_class *class)
{
    bool in_sections = false, is_protected = false;
    /* until `end`, or something that cannot be inside */
    for (;;) {
        if (at_unclosed(p, class, in_sections)) {
            report_unclosed(p, class);
            return;
        }
        if (dd_parse_at(p, DD_TOK_END)) {
            if (parse_class_end(p, class)) {
                return;
            }
        } else if (dd_parse_at_section(p)) {
            in_sections = dd_parse_section(p, class, &is_protected);
        } else {
            dd_parse_element(p, class, is_protected);
        }
    }
}

/* ---- classes ---- */

dd_ast_class *dd_parse_new_class(dd_parser *p, dd_ast_class_kind kind)
{
    dd_ast_class *class = dd_pool_alloc(p->pool, sizeof *class);
    class->kind = kind;
    class->file = p->lexer.file;
    /* lists are appended through these ends */
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

/* [encapsulated] [partial] [pure] kind; NULL after a kind that is not read, which was then skipped. */
static dd_ast_class *parse_heading(dd_parser *p, const dd_ast_decl *prefixes)
{
    dd_ast_class *class = dd_parse_new_class(p, DD_CLASS_MODEL);
    class->is_final = prefixes->is_final;
    class->is_protected = prefixes->is_protected;
    for (;; dd_parse_advance(p)) {
        /* prefixes in any order */
        if (dd_parse_at(p, DD_TOK_ENCAPSULATED)) {
            class->is_encapsulated = true;
        } else if (dd_parse_at(p, DD_TOK_PARTIAL)) {
            class->is_partial = true;
        } else if (!dd_parse_at(p, DD_TOK_PURE)) {
            break;
        }
    }
    /* the kind; one that is not supported yet is named and skipped with its body */
    if (dd_parse_at_optimization(p)) {
        class->kind = DD_CLASS_OPTIMIZATION;
    } else if (!class_kind_of(p->tok.kind, &class->kind)) {
        bool known =
            dd_parse_at(p, DD_TOK_OPERATOR) || dd_parse_at(p, DD_TOK_EXPANDABLE) || dd_parse_at(p, DD_TOK_IMPURE);
        if (known) {
            dd_parse_unsupported(p, p->tok.span, dd_token_text(p->tok.kind));
        } else {
            dd_parse_error(p, p->tok.span, "expected `model`, `block`, `package` or another kind of class, %s",
                           dd_parse_found(p));
        }
        skip_class(p);
        return NULL;
    }
    /* redeclaring forms: class extends NAME, function operator */
    if (dd_parse_peek(p, 1).kind == DD_TOK_EXTENDS) {
        dd_parse_error(p, p->tok.span, "`%s extends` is not supported yet", kind_words[class->kind]);
        skip_class(p);
        return NULL;
    }
    if (dd_parse_at(p, DD_TOK_FUNCTION) && dd_parse_peek(p, 1).kind == DD_TOK_OPERATOR) {
        dd_parse_unsupported(p, p->tok.span, "operator");
        skip_class(p);
        return NULL;
    }
    dd_parse_advance(p);
    return class;
}

/* The attributes in parentheses; they belong to an optimization alone. */
static void parse_header(dd_parser *p, dd_ast_class *class)
{
    bool ok = true;
    if (class->kind != DD_CLASS_OPTIMIZATION) {
        dd_parse_error(p, p->tok.span, "a %s has no attributes in its header; only an `optimization` has",
                       kind_words[class->kind]);
    }
    class->header = dd_parse_modifications(p, &ok);
    if (!ok) {
        dd_parse_skip_statement(p);
    }
}

/* The name, and the attributes of an optimization. */
static void parse_class_name(dd_parser *p, dd_ast_class *class)
{
    char what[48] = "the name of the ";
    strcat(what, kind_words[class->kind]);
    /* without a name the class is read as `?`, so that its body is still checked */
    class->span = p->tok.span;
    class->name = dd_parse_ident(p, what);
    if (class->name == 0) {
        class->name = dd_names_intern(p->names, "?", 1);
        dd_parse_skip_statement(p);
    }
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        parse_header(p, class);
    }
}

/* type T extends Real(unit = "m"); end T; is type T = Real(unit = "m"); */
static void shorten_type(dd_ast_class *class)
{
    /* a type with one extends clause and nothing else */
    const dd_ast_extends *e = class->extends;
    if (class->kind != DD_CLASS_TYPE || e == NULL || e->next != NULL || class->decls != NULL) {
        return;
    }
    class->is_short = true;
    class->base = (dd_ast_type_ref){.name = e->name, .span = e->span};
    class->mods = e->mods;
    class->extends = NULL;
}

static void parse_long_class(dd_parser *p, dd_ast_class *class)
{
    /* `constraint` is a heading inside an optimization only; classes may be nested */
    bool outer = p->in_optimization;
    class->doc = dd_parse_doc(p);
    if (class->kind == DD_CLASS_OPTIMIZATION && class->header == NULL && dd_parse_at(p, DD_TOK_LPAREN)) {
        dd_parse_error(p, p->tok.span, "a description stands behind the parentheses: `%s %s(objective = ...) \"...\"`",
                       kind_words[class->kind], dd_parse_name(p, class->name));
        parse_header(p, class);
    }
    p->in_optimization = class->kind == DD_CLASS_OPTIMIZATION;
    parse_class_body(p, class);
    p->in_optimization = outer;
    shorten_type(class);
}

/* One class with its `;`, appended to *end. prefixes: those before it. */
void dd_parse_class(dd_parser *p, dd_ast_class *parent, dd_ast_class ***end, const dd_ast_decl *prefixes)
{
    dd_ast_class *class = parse_heading(p, prefixes);
    if (class == NULL || !dd_parse_enter(p)) {
        return;
    }
    /* the parent is known before the body is read: the end of a class looks for those around it */
    class->parent = parent;
    parse_class_name(p, class);
    **end = class;
    *end = &class->next;
    if (dd_parse_at(p, DD_TOK_EQUALS)) {
        if (!parse_short_class(p, class)) {
            dd_parse_skip_statement(p);
        }
    } else if (class->kind == DD_CLASS_TYPE && !dd_parse_at(p, DD_TOK_EXTENDS) && !dd_parse_at(p, DD_TOK_STRING)) {
        /* a type without `=`: most likely the `=` was forgotten */
        dd_parse_expect(p, DD_TOK_EQUALS, "after the name of the type");
        dd_parse_skip_statement(p);
    } else {
        parse_long_class(p, class);
    }
    dd_parse_leave(p);
}
