/* parse_decl.c - names of types, declarations and their modifications. */
#include <string.h>

#include "lang/parser.h"

/* ---- modifications ---- */

/* redeclare, replaceable: named, then skipped to the `,` or `)` that ends it. */
static void skip_modification(dd_parser *p)
{
    if (p->in_annotation == 0) {
        dd_parse_unsupported(p, p->tok.span, dd_token_text(p->tok.kind));
    }
    /* to the comma or parenthesis that ends this modification, over nested ones */
    for (uint32_t depth = 0; !dd_parse_at(p, DD_TOK_EOF) && !dd_parse_at(p, DD_TOK_SEMICOLON); dd_parse_advance(p)) {
        dd_token_kind k = p->tok.kind;
        if (depth == 0 && (k == DD_TOK_COMMA || k == DD_TOK_RPAREN)) {
            return;
        }
        depth += k == DD_TOK_LPAREN || k == DD_TOK_LBRACE || k == DD_TOK_LBRACKET;
        depth -= k == DD_TOK_RPAREN || k == DD_TOK_RBRACE || k == DD_TOK_RBRACKET;
    }
}

/* = value, or := value; `==` is taken for it after a message. */
static bool parse_value(dd_parser *p, const char *what, dd_form *value)
{
    if (dd_parse_at(p, DD_TOK_EQ)) {
        dd_parse_error(p, p->tok.span, "%s is given with `=`; `==` compares two values", what);
    } else if (!dd_parse_at(p, DD_TOK_EQUALS) && !dd_parse_at(p, DD_TOK_ASSIGN)) {
        return true;
    }
    dd_parse_advance(p);
    *value = dd_parse_expression(p);
    return *value != DD_FORM_NONE;
}

/* a.b.c: a holding b holding c; the last is returned in *inner. */
static dd_ast_mod *parse_modified_name(dd_parser *p, dd_ast_mod prefixes, dd_ast_mod **inner)
{
    dd_ast_mod *outer = NULL, **link = &outer;
    do {
        /* x.start = 1 is x(start = 1): each part holds the next */
        dd_ast_mod *mod = dd_pool_alloc(p->pool, sizeof *mod);
        *mod = prefixes;
        mod->span = p->tok.span;
        mod->name = dd_parse_ident(p, outer == NULL ? "the name of an attribute" : "a name after `.`");
        if (mod->name == 0) {
            return NULL;
        }
        *link = *inner = mod;
        link = &mod->nested;
    } while (dd_parse_accept(p, DD_TOK_DOT));
    return outer;
}

static dd_ast_mod *parse_modification(dd_parser *p, bool *ok)
{
    dd_ast_mod prefixes = {0}, *inner = NULL;
    /* each and final in any order */
    while (dd_parse_at(p, DD_TOK_EACH) || dd_parse_at(p, DD_TOK_FINAL)) {
        prefixes.each |= dd_parse_at(p, DD_TOK_EACH);
        prefixes.is_final |= dd_parse_at(p, DD_TOK_FINAL);
        dd_parse_advance(p);
    }
    /* a later stage of the language */
    if (dd_parse_at(p, DD_TOK_REDECLARE) || dd_parse_at(p, DD_TOK_REPLACEABLE)) {
        skip_modification(p);
        return NULL;
    }
    dd_ast_mod *mod = parse_modified_name(p, prefixes, &inner);
    if (mod == NULL) {
        *ok = false;
        return NULL;
    }
    /* only whole variables can be modified */
    if (dd_parse_at(p, DD_TOK_LBRACKET)) {
        dd_parse_error(p, p->tok.span,
                       "a modification names a whole variable: write x(start = ...), with an array for the elements");
        *ok = false;
        return NULL;
    }
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        inner->nested = dd_parse_modifications(p, ok);
    }
    *ok = *ok && parse_value(p, "the value of an attribute", &inner->value);
    dd_parse_doc(p);
    return mod;
}

dd_ast_mod *dd_parse_modifications(dd_parser *p, bool *ok)
{
    dd_ast_mod *list = NULL, **end = &list;
    if (!dd_parse_enter(p)) {
        *ok = false;
        return NULL;
    }
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_RPAREN)) {
        do {
            dd_ast_mod *mod = parse_modification(p, ok);
            if (mod != NULL) {
                *end = mod;
                end = &mod->next;
            }
        } while (*ok && dd_parse_accept(p, DD_TOK_COMMA));
    }
    *ok = *ok && dd_parse_expect(p, DD_TOK_RPAREN, "or `,` in the list of attributes");
    dd_parse_leave(p);
    return list;
}

/* ---- types ---- */

bool dd_parse_class_name(dd_parser *p, const char *what, dd_ast_name *out)
{
    DD_VEC(uint32_t) parts = {0};
    dd_span begin = p->tok.span;
    *out = (dd_ast_name){.global = dd_parse_accept(p, DD_TOK_DOT)};
    uint32_t part = dd_parse_ident(p, what);
    /* parts as long as a dot follows; .{ ends the name of an import list */
    while (part != 0) {
        dd_vec_push(p->pool, &parts, part);
        bool ends = !dd_parse_at(p, DD_TOK_DOT);
        if (!ends && p->in_import && dd_parse_peek(p, 1).kind == DD_TOK_LBRACE) {
            dd_parse_advance(p);
            ends = true;
        }
        if (ends) {
            out->parts = parts.data;
            out->n = parts.len;
            out->span = dd_parse_since(p, begin);
            return true;
        }
        dd_parse_advance(p);
        part = dd_parse_ident(p, "a name after `.`");
    }
    return false;
}

const char *dd_ast_name_text(const dd_names *names, const dd_ast_name *name, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    /* a leading dot means from the top level */
    for (uint32_t i = 0; i < name->n; i++) {
        if (i > 0 || name->global) {
            dd_text_add_char(&text, '.');
        }
        dd_text_add(&text, dd_name_quoted(pool, dd_names_get(names, name->parts[i])));
    }
    return dd_text_str(&text);
}

bool dd_parse_type_ref(dd_parser *p, dd_ast_type_ref *type)
{
    if (!dd_parse_class_name(p, "a type such as Real", &type->name)) {
        return false;
    }
    type->span = type->name.span;
    if (dd_parse_at(p, DD_TOK_LBRACKET)) {
        type->dims = dd_parse_subscripts(p);
        return type->dims != DD_FORM_NONE;
    }
    return true;
}

/* ---- declarations ---- */

/* Reads the words before the type; those of later stages are reported once each and then ignored. */
void dd_parse_prefixes(dd_parser *p, dd_ast_decl *decl)
{
    for (;; dd_parse_advance(p)) {
        /* in any order; the type follows */
        switch (p->tok.kind) {
        case DD_TOK_PARAMETER:
            decl->variability = DD_AST_PARAMETER;
            break;
        case DD_TOK_CONSTANT:
            decl->variability = DD_AST_CONSTANT;
            break;
        case DD_TOK_INPUT:
            decl->is_input = true;
            break;
        case DD_TOK_OUTPUT:
            decl->is_output = true;
            break;
        case DD_TOK_FINAL:
            decl->is_final = true;
            break;
        case DD_TOK_FLOW:
            decl->is_flow = true;
            break;
        case DD_TOK_STREAM:
        case DD_TOK_DISCRETE:
        case DD_TOK_INNER:
        case DD_TOK_OUTER:
        case DD_TOK_REPLACEABLE:
        case DD_TOK_REDECLARE:
            dd_parse_unsupported(p, p->tok.span, dd_token_text(p->tok.kind));
            break;
        default:
            return;
        }
    }
}

/* `parameter k = 3`: behind a name that should be a type comes something that follows the name of a variable. */
static bool follows_variable(dd_token_kind next)
{
    return next == DD_TOK_EQUALS || next == DD_TOK_ASSIGN || next == DD_TOK_SEMICOLON || next == DD_TOK_COMMA ||
           next == DD_TOK_LPAREN || next == DD_TOK_STRING;
}

/* A token that begins an equation, or NAME followed by an operator. */
static bool begins_equation(const dd_parser *p, dd_token_kind next)
{
    switch (p->tok.kind) {
    case DD_TOK_DER:
    case DD_TOK_FOR:
    case DD_TOK_IF:
    case DD_TOK_NUMBER:
    case DD_TOK_LPAREN:
    case DD_TOK_LBRACE:
    case DD_TOK_MINUS:
    case DD_TOK_CONNECT:
    case DD_TOK_WHEN:
        return true;
    case DD_TOK_IDENT:
        return next == DD_TOK_LPAREN || (next >= DD_TOK_EQUALS && next <= DD_TOK_DOT_CARET);
    default:
        return false;
    }
}

/* Things that are not declarations, recognised by their first tokens. */
static bool reject_non_declaration(dd_parser *p, const dd_ast_decl *decl)
{
    /* from the first two tokens: a type is followed by a name, an equation is not */
    dd_token_kind next = dd_parse_peek(p, 1).kind;
    bool prefixed =
        decl->variability != DD_AST_VARIABLE || decl->is_input || decl->is_output || decl->is_final || decl->is_flow;
    if (dd_parse_at(p, DD_TOK_IDENT) && prefixed && follows_variable(next)) {
        dd_parse_error(p, p->tok.span, "the type of %s is missing: write Real %s", dd_parse_name(p, p->tok.name),
                       dd_parse_name(p, p->tok.name));
        return true;
    }
    if (!prefixed && begins_equation(p, next)) {
        dd_parse_error(p, p->tok.span,
                       "equations belong in an equation section: put `equation` on a line before this one");
        return true;
    }
    if (!p->in_optimization && !prefixed && dd_parse_at_word(p, "constraint")) {
        dd_parse_error(p, p->tok.span, "a `constraint` section is allowed only in an `optimization` class");
        return true;
    }
    return false;
}

/* One word and no name behind it: `equations`, or a second name where the list of names had ended, `Real x; y;`. */
static bool misread_type(dd_parser *p, const dd_ast_decl *decl)
{
    if (decl->type.name.n != 1 || decl->type.dims != DD_FORM_NONE) {
        return false;
    }
    const char *word = dd_parse_name(p, decl->type.name.parts[0]);
    if (strcmp(word, "equations") == 0 || strcmp(word, "Equation") == 0) {
        dd_parse_error(p, decl->type.span, "there is no section `%s`: did you mean `equation`?", word);
        return true;
    }
    if (dd_parse_at(p, DD_TOK_SEMICOLON) || dd_parse_at(p, DD_TOK_COMMA)) {
        dd_parse_error(p, decl->type.span,
                       "`%.60s` is a type without a name, or a name without a type: several names of one type stand in "
                       "one list, `Real x, y;`",
                       word);
        return true;
    }
    return false;
}

/* name [dims] (attributes) = expression if condition "doc" annotation(...) */
static bool parse_component(dd_parser *p, dd_ast_decl *decl)
{
    decl->span = p->tok.span;
    /* Real x[3] = ... or a[2].b = ...: the latter has been read as a type */
    bool equation = p->tok.kind >= DD_TOK_EQUALS && p->tok.kind <= DD_TOK_DOT_CARET;
    if (equation && (decl->type.dims != DD_FORM_NONE || decl->type.name.n > 1)) {
        dd_parse_error(p, decl->type.span,
                       "equations belong in an equation section: put `equation` on a line before this one");
        return false;
    }
    if (!dd_parse_at(p, DD_TOK_IDENT) && misread_type(p, decl)) {
        return false;
    }
    /* name, sizes, attributes, value, condition, description: the order of the grammar */
    decl->name = dd_parse_ident(p, "a name for the variable");
    bool ok = decl->name != 0;
    if (ok && dd_parse_at(p, DD_TOK_LBRACKET)) {
        decl->dims = dd_parse_subscripts(p);
        ok = decl->dims != DD_FORM_NONE;
    }
    if (ok && dd_parse_at(p, DD_TOK_LPAREN)) {
        decl->mods = dd_parse_modifications(p, &ok);
    }
    ok = ok && parse_value(p, "the value of a declaration", &decl->binding);
    if (ok && dd_parse_accept(p, DD_TOK_IF)) {
        decl->condition = dd_parse_expression(p);
        ok = decl->condition != DD_FORM_NONE;
    }
    ok = ok && dd_parse_comment(p, &decl->doc);
    if (ok && decl->doc != 0 && (dd_parse_at(p, DD_TOK_EQUALS) || dd_parse_at(p, DD_TOK_LPAREN))) {
        dd_parse_error(p, p->tok.span, "the description comes last: behind the attributes in brackets and the value");
        return false;
    }
    return ok;
}

static bool check_list(dd_parser *p)
{
    /* Real x, Real y: the type is written once */
    if (dd_parse_at(p, DD_TOK_IDENT) && dd_parse_peek(p, 1).kind == DD_TOK_IDENT) {
        dd_parse_error(p, p->tok.span,
                       "after a comma the type is not repeated: leave out `%s`, or end the line before with `;`",
                       dd_parse_name(p, p->tok.name));
        return false;
    }
    return true;
}

bool dd_parse_declarations(dd_parser *p, dd_ast_class *class, const dd_ast_decl *prefixes)
{
    dd_ast_decl common = *prefixes;
    if (reject_non_declaration(p, &common) || !dd_parse_type_ref(p, &common.type)) {
        return false;
    }
    bool first = true;
    /* Real x, y, z: all share prefixes and type */
    do {
        dd_ast_decl *decl = dd_pool_alloc(p->pool, sizeof *decl);
        *decl = common;
        if ((!first && !check_list(p)) || !parse_component(p, decl)) {
            return false;
        }
        first = false;
        *class->decls_end = class->last_decl = decl;
        class->decls_end = &decl->next;
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    if (dd_parse_at(p, DD_TOK_CONSTRAINEDBY)) {
        dd_parse_unsupported(p, p->tok.span, "constrainedby");
        dd_parse_skip_statement(p);
        return true;
    }
    return dd_parse_semicolon(p, "the declaration");
}
