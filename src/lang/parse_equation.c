/* parse_equation.c - the statements of equation and constraint sections, and the parts that algorithms share with
 * them. */
#include <string.h>

#include "lang/parser.h"

static void parse_item(dd_parser *p, dd_ast_section section, dd_ast_equation ***end);

dd_ast_equation *dd_parse_new_equation(dd_parser *p, dd_ast_equation_kind kind, dd_span span)
{
    dd_ast_equation *eq = dd_pool_alloc(p->pool, sizeof *eq);
    eq->kind = kind;
    eq->span = span;
    return eq;
}

static bool at_body_end(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_END) || dd_parse_at(p, DD_TOK_ELSE) || dd_parse_at(p, DD_TOK_ELSEIF) ||
           dd_parse_at(p, DD_TOK_ELSEWHEN) || dd_parse_at(p, DD_TOK_EOF) || dd_parse_at_section(p) ||
           dd_parse_at_class(p);
}

/* The statements of a for or if, up to end, else, elseif. */
dd_ast_equation *dd_parse_body(dd_parser *p, dd_ast_section section)
{
    dd_ast_equation *list = NULL, **end = &list;
    while (!at_body_end(p)) {
        parse_item(p, section, &end);
    }
    return list;
}

/* end for; end if; `advice` is added to the message when it is not there. */
void dd_parse_end_of(dd_parser *p, dd_token_kind kind, dd_span opened, const char *advice)
{
    const char *word = dd_token_text(kind);
    /* the wrong end, or none: skip the rest of this statement, keep an `end` that closes something outside */
    if (!dd_parse_at(p, DD_TOK_END) || dd_parse_peek(p, 1).kind != kind) {
        dd_parse_error(p, p->tok.span, "expected `end %s;` for the `%s` in line %u, %s%s", word, word,
                       (unsigned)dd_span_line(p->ctx, opened), dd_parse_found(p), advice);
        if (dd_parse_at(p, DD_TOK_END) && dd_parse_peek(p, 1).kind != DD_TOK_IDENT) {
            dd_parse_skip_statement(p); /* a wrong end of this statement; `end Name` closes the class */
            if (dd_parse_at(p, DD_TOK_END)) {
                dd_parse_advance(p);
                dd_parse_skip_statement(p);
            }
        } else if (dd_parse_at(p, DD_TOK_ELSE) || dd_parse_at(p, DD_TOK_ELSEIF) || dd_parse_at(p, DD_TOK_ELSEWHEN)) {
            dd_parse_advance(p);
            dd_parse_skip_statement(p);
        }
        return;
    }
    dd_parse_advance(p);
    dd_parse_advance(p);
    const char *what = kind == DD_TOK_IF ? "`end if`" : kind == DD_TOK_WHILE ? "`end while`" : "`end for`";
    if (!dd_parse_comment(p, NULL) || !dd_parse_semicolon(p, what)) {
        dd_parse_skip_statement(p);
    }
}

/* After an error in the head of a for or if: to the word that ends the head, so that its body is still read. */
bool dd_parse_recover_head(dd_parser *p, dd_token_kind word)
{
    /* not past the end of the statement: the next one must be found */
    while (!dd_parse_at(p, word)) {
        if (dd_parse_at(p, DD_TOK_SEMICOLON) || at_body_end(p)) {
            return false;
        }
        dd_parse_advance(p);
    }
    dd_parse_advance(p);
    return true;
}

static bool parse_iterators(dd_parser *p, dd_span opened, dd_ast_equation ***inner)
{
    do {
        /* every iterator is a FOR inside the one before */
        dd_form loop, range;
        if (!dd_parse_iterator(p, &loop, &range)) {
            return false;
        }
        dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_FOR, opened);
        eq->loop = dd_form_get(p->forms, loop)->payload;
        eq->rhs = range;
        **inner = eq;
        *inner = &eq->body;
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    return dd_parse_expect(p, DD_TOK_LOOP, "after the range");
}

/* for i in r, j in s loop ... end for: one FOR inside the other. */
static dd_ast_equation *parse_for(dd_parser *p, dd_ast_section section)
{
    dd_span opened = p->tok.span;
    /* a LIST around the loops: a statement is always one node */
    dd_ast_equation *outermost = dd_parse_new_equation(p, DD_AST_LIST, opened), **inner = &outermost->body;
    dd_parse_advance(p);
    if (!parse_iterators(p, opened, &inner) && !dd_parse_recover_head(p, DD_TOK_LOOP)) {
        return NULL;
    }
    *inner = dd_parse_body(p, section);
    /* ranges that are not written follow from the body, which is complete now */
    for (dd_ast_equation *loop = outermost->body; loop != NULL && loop->kind == DD_AST_FOR; loop = loop->body) {
        dd_parse_find_range(p, loop);
        if (&loop->body == inner) {
            break;
        }
    }
    dd_parse_end_of(p, DD_TOK_FOR, opened, "");
    return outermost;
}

static bool parse_branch(dd_parser *p, dd_ast_section section, dd_ast_branch ***end)
{
    dd_ast_branch *branch = dd_pool_alloc(p->pool, sizeof *branch);
    bool is_else = dd_parse_at(p, DD_TOK_ELSE);
    branch->span = p->tok.span;
    /* the branch with its condition; `else` has none */
    dd_parse_advance(p);
    if (!is_else) {
        branch->condition = dd_parse_expression(p);
        if ((branch->condition == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_THEN, "after the condition")) &&
            !dd_parse_recover_head(p, DD_TOK_THEN)) {
            return false;
        }
    }
    branch->body = dd_parse_body(p, section);
    **end = branch;
    *end = &branch->next;
    return true;
}

static dd_ast_equation *parse_if_equation(dd_parser *p, dd_ast_section section)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_IF, p->tok.span);
    dd_ast_branch **end = &eq->branches;
    bool seen_else = false, else_if = false;
    /* branches up to the matching end; `else if` instead of `elseif` is noticed for the message */
    do {
        if (seen_else) {
            dd_parse_error(p, p->tok.span, "`%s` after `else`: `else` is the last branch", dd_token_text(p->tok.kind));
        }
        seen_else = dd_parse_at(p, DD_TOK_ELSE);
        else_if |= seen_else && dd_parse_peek(p, 1).kind == DD_TOK_IF;
        if (!parse_branch(p, section, &end)) {
            return NULL;
        }
    } while (dd_parse_at(p, DD_TOK_ELSEIF) || dd_parse_at(p, DD_TOK_ELSE));
    dd_parse_end_of(p, DD_TOK_IF, eq->span, else_if ? "; `else if` opens a second `if`: write `elseif`" : "");
    return eq;
}

/* assert(condition, "message", level) */
dd_ast_equation *dd_parse_assert(dd_parser *p)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_ASSERT, p->tok.span);
    /* condition, message, and optionally a level */
    dd_parse_advance(p);
    dd_parse_advance(p);
    eq->lhs = dd_parse_expression(p);
    if (eq->lhs == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_COMMA, "and a message after the condition of assert")) {
        return NULL;
    }
    /* String(..) has a meaning in messages only */
    p->in_message = true;
    eq->rhs = dd_parse_expression(p);
    p->in_message = false;
    if (eq->rhs == DD_FORM_NONE) {
        return NULL;
    }
    if (dd_parse_accept(p, DD_TOK_COMMA)) {
        /* level = AssertionLevel.warning, with or without the name */
        if (dd_parse_at(p, DD_TOK_IDENT) && dd_parse_peek(p, 1).kind == DD_TOK_EQUALS) {
            dd_parse_advance(p);
            dd_parse_advance(p);
        }
        dd_span level = p->tok.span;
        dd_form f = dd_parse_expression(p);
        if (f == DD_FORM_NONE) {
            return NULL;
        }
        const char *text = dd_path_text(p->forms, f, p->pool);
        eq->is_warning = text != NULL && strcmp(text, "AssertionLevel.warning") == 0;
        if (text == NULL || (strcmp(text, "AssertionLevel.error") != 0 && !eq->is_warning)) {
            dd_parse_error(p, level, "the level of an assertion is AssertionLevel.error or AssertionLevel.warning");
        }
    }
    if (!dd_parse_expect(p, DD_TOK_RPAREN, "to close assert")) {
        return NULL;
    }
    eq->span = dd_parse_since(p, eq->span);
    return dd_parse_comment(p, NULL) && dd_parse_semicolon(p, "assert(...)") ? eq : NULL;
}

/* lagrange(q = .., T = .., ...) */
static dd_ast_equation *parse_lagrange(dd_parser *p)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_LAGRANGE, p->tok.span);
    bool ok = true;
    /* arguments are modifications: named, in any order */
    dd_parse_advance(p);
    if (dd_parse_peek(p, 1).kind != DD_TOK_RPAREN && dd_parse_peek(p, 2).kind != DD_TOK_EQUALS) {
        dd_parse_error(p, dd_parse_peek(p, 1).span,
                       "the arguments of lagrange are named: lagrange(q = .., T = .., V = ..)");
        return NULL;
    }
    eq->mods = dd_parse_modifications(p, &ok);
    if (!ok) {
        return NULL;
    }
    eq->span = dd_parse_since(p, eq->span);
    return dd_parse_comment(p, &eq->doc) && dd_parse_semicolon(p, "lagrange(...)") ? eq : NULL;
}

/* The part of lhs = rhs after lhs. In a constraint section a relation has already been read as one expression. */
static bool parse_right_side(dd_parser *p, dd_ast_section section, dd_ast_equation *eq)
{
    /* a <= b in a constraint section is a constraint, elsewhere it cannot be an equation */
    const dd_form_node *node = dd_form_get(p->forms, eq->lhs);
    if (node->op == DD_FORM_REL && section == DD_AST_CONSTRAINTS) {
        eq->kind = DD_AST_CONSTRAINT;
        eq->rel = (dd_form_rel)node->sub;
        dd_form whole = eq->lhs;
        eq->lhs = dd_form_arg(p->forms, whole, 0);
        eq->rhs = dd_form_arg(p->forms, whole, 1);
        return true;
    }
    if (node->op == DD_FORM_REL && !dd_parse_at(p, DD_TOK_EQUALS)) {
        dd_parse_error(p, eq->span,
                       node->sub == DD_REL_EQ ? "an equation is written with one `=`; `==` compares two values"
                                              : "an equation has the form a = b; inequalities belong in the "
                                                "`constraint` section of an `optimization`, or in assert(...)");
        return false;
    }
    /* `:=` is read as `=` after a message */
    if (dd_parse_at(p, DD_TOK_ASSIGN)) {
        dd_parse_error(p, p->tok.span, "an equation is written with `=`; `:=` is an assignment in an algorithm");
        dd_parse_advance(p);
    } else if (!dd_parse_accept(p, DD_TOK_EQUALS)) {
        dd_parse_error(p, p->tok.span,
                       section == DD_AST_CONSTRAINTS ? "expected `=`, `<=` or `>=` in the constraint, %s"
                                                     : "expected `=` in the equation, %s",
                       dd_parse_found(p));
        return false;
    }
    /* the right side; a second `=` cannot be meant */
    eq->kind = section == DD_AST_CONSTRAINTS ? DD_AST_CONSTRAINT : DD_AST_EQUALITY;
    eq->rel = DD_REL_EQ;
    eq->rhs = dd_parse_expression(p);
    if (eq->rhs != DD_FORM_NONE && dd_parse_at(p, DD_TOK_EQUALS)) {
        dd_parse_error(p, p->tok.span, "two `=` in one equation: write a = b; b = c;");
        return false;
    }
    return eq->rhs != DD_FORM_NONE;
}

bool dd_parse_is_call_alone(const dd_parser *p, dd_form f)
{
    return dd_form_get(p->forms, f)->op == DD_FORM_UNKNOWN_CALL &&
           (dd_parse_at(p, DD_TOK_SEMICOLON) || dd_parse_at(p, DD_TOK_STRING));
}

/* f(x); alone, which is a statement of equation sections. */
static bool parse_call(dd_parser *p, dd_ast_section section, dd_ast_equation *eq)
{
    const dd_form_node *node = dd_form_get(p->forms, eq->lhs);
    const char *name = node->sub == 1 ? dd_path_text(p->forms, dd_form_arg(p->forms, eq->lhs, 0), p->pool)
                                      : dd_parse_name(p, node->payload);
    if (strncmp(name, "Connections.", 12) == 0) {
        dd_parse_error(p, node->span, "overconstrained connectors (`%.60s`) are not supported yet", name);
        return false;
    }
    if (section == DD_AST_CONSTRAINTS) {
        dd_parse_error(p, node->span, "a call of %.60s alone is not a constraint: compare its result", name);
        return false;
    }
    eq->kind = DD_AST_CALL;
    return true;
}

/* a.b[i] or a: a connector. */
static dd_form parse_connector(dd_parser *p)
{
    /* names and paths; anything else cannot be connected */
    dd_form f = dd_parse_expression(p);
    if (f != DD_FORM_NONE) {
        const dd_form_node *node = dd_form_get(p->forms, f);
        if (node->op != DD_FORM_NAME && node->op != DD_FORM_PATH) {
            dd_parse_error(p, node->span, "connect joins two connectors, as in connect(a.p, b.n)");
            return DD_FORM_NONE;
        }
    }
    return f;
}

/* connect(a.p, b.n); of phases, in a constraint section, also connect(a, b, m = -3, v = free) */
static dd_ast_equation *parse_connect(dd_parser *p, dd_ast_section section)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_CONNECT, p->tok.span);
    /* in constraint sections connect links phases and may have further items */
    bool phases = section == DD_AST_CONSTRAINTS;
    if (section != DD_AST_EQUATIONS && !phases) {
        dd_parse_error(p, p->tok.span, "connect belongs in an `equation` section");
        return NULL;
    }
    dd_parse_advance(p);
    if (!dd_parse_expect(p, DD_TOK_LPAREN, "after connect")) {
        return NULL;
    }
    eq->lhs = parse_connector(p);
    if (eq->lhs == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_COMMA, "between the two connectors")) {
        return NULL;
    }
    eq->rhs = parse_connector(p);
    if (eq->rhs != DD_FORM_NONE && phases && dd_parse_at(p, DD_TOK_COMMA)) {
        bool ok = true;
        eq->mods = dd_parse_modifications(p, &ok); /* from the comma on, up to the `)` */
        if (!ok) {
            return NULL;
        }
    } else if (eq->rhs == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_RPAREN, "to close connect")) {
        return NULL;
    }
    eq->span = dd_parse_since(p, eq->span);
    return dd_parse_comment(p, &eq->doc) && dd_parse_semicolon(p, "connect(...)") ? eq : NULL;
}

static dd_ast_equation *parse_equality(dd_parser *p, dd_ast_section section)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_EQUALITY, p->tok.span);
    /* a list on the left is allowed only there; the span grows with what is read */
    eq->lhs = dd_parse_left_side(p);
    eq->span = dd_parse_since(p, eq->span);
    if (eq->lhs == DD_FORM_NONE) {
        return NULL;
    }
    if (dd_parse_is_call_alone(p, eq->lhs) ? !parse_call(p, section, eq) : !parse_right_side(p, section, eq)) {
        return NULL;
    }
    eq->span = dd_parse_since(p, eq->span);
    if (!dd_parse_comment(p, &eq->doc)) {
        return NULL;
    }
    return dd_parse_semicolon(p, section == DD_AST_CONSTRAINTS ? "the constraint" : "the equation") ? eq : NULL;
}

/* A declaration in the wrong place, or a statement of a later stage: reported. */
static bool reject_statement(dd_parser *p, dd_ast_section section)
{
    bool algorithm = section == DD_AST_ALGORITHM;
    /* statements of algorithms, and constructs that are not supported yet */
    switch (p->tok.kind) {
    case DD_TOK_WHEN:
        dd_parse_unsupported(p, p->tok.span, "when");
        dd_parse_advance(p);
        dd_parse_skip_past_end(p, DD_TOK_WHEN, 0);
        return true;
    case DD_TOK_WHILE:
        if (algorithm) {
            return false;
        }
        dd_parse_error(p, p->tok.span, "`while` belongs to algorithms, which only functions have");
        dd_parse_advance(p);
        dd_parse_skip_past_end(p, DD_TOK_WHILE, 0);
        return true;
    case DD_TOK_BREAK:
    case DD_TOK_RETURN:
        if (algorithm) {
            return false;
        }
        dd_parse_error(p, p->tok.span, "`%s` belongs to algorithms, which only functions have",
                       dd_token_text(p->tok.kind));
        dd_parse_skip_statement(p);
        return true;
    case DD_TOK_SEMICOLON:
        dd_parse_error(p, p->tok.span, "a `;` without %s before it", algorithm ? "a statement" : "an equation");
        dd_parse_advance(p);
        return true;
    /* declarations behind the first section */
    case DD_TOK_PARAMETER:
    case DD_TOK_CONSTANT:
    case DD_TOK_INPUT:
    case DD_TOK_OUTPUT:
    case DD_TOK_FLOW:
    case DD_TOK_FINAL:
    case DD_TOK_EXTENDS:
    case DD_TOK_IMPORT:
        dd_parse_error(p, p->tok.span, "declarations come before the first section: move this above `%s`",
                       algorithm ? "algorithm" : "equation");
        dd_parse_advance(p);
        dd_parse_skip_statement(p);
        return true;
    case DD_TOK_IDENT:
        /* two names in a row look like a declaration */
        if (dd_parse_peek(p, 1).kind == DD_TOK_IDENT) {
            dd_parse_error(p, p->tok.span,
                           "declarations come before the first section: move this above `%s` (or is an operator "
                           "or a `;` missing between `%.60s` and `%.60s`?)",
                           algorithm ? "algorithm" : "equation", dd_parse_name(p, p->tok.name),
                           dd_parse_name(p, dd_parse_peek(p, 1).name));
            dd_parse_skip_statement(p);
            return true;
        }
        return false;
    default:
        return false;
    }
}

/* reinit(..); terminate(..): statements of later stages that look like calls. */
static bool at_later_call(dd_parser *p)
{
    return dd_parse_at(p, DD_TOK_IDENT) && dd_parse_peek(p, 1).kind == DD_TOK_LPAREN &&
           (dd_parse_at_word(p, "reinit") || dd_parse_at_word(p, "terminate"));
}

/* One statement with its `;`. NULL after an error, somewhere inside it. */
static dd_ast_equation *parse_statement(dd_parser *p, dd_ast_section section)
{
    /* statements that contain others: their nesting is bounded */
    if (dd_parse_at(p, DD_TOK_FOR) || dd_parse_at(p, DD_TOK_IF)) {
        if (!dd_parse_enter(p)) {
            return NULL;
        }
        dd_ast_equation *eq = dd_parse_at(p, DD_TOK_FOR) ? parse_for(p, section) : parse_if_equation(p, section);
        dd_parse_leave(p);
        return eq;
    }
    /* assert and lagrange are names to the lexer */
    if (dd_parse_at(p, DD_TOK_IDENT) && dd_parse_peek(p, 1).kind == DD_TOK_LPAREN) {
        if (dd_parse_at_word(p, "assert")) {
            return dd_parse_assert(p);
        }
        if (dd_parse_at_word(p, "lagrange")) {
            if (section != DD_AST_EQUATIONS) {
                dd_parse_error(p, p->tok.span, "lagrange(...) belongs in an `equation` section");
                return NULL;
            }
            return parse_lagrange(p);
        }
    }
    if (at_later_call(p)) {
        dd_parse_unsupported(p, p->tok.span, dd_parse_name(p, p->tok.name));
        return NULL;
    }
    if (dd_parse_at(p, DD_TOK_CONNECT)) {
        return parse_connect(p, section);
    }
    return section == DD_AST_ALGORITHM ? dd_parse_algorithm_statement(p) : parse_equality(p, section);
}

/* One statement onto the list, or an error and the way to the next one. */
static void parse_item(dd_parser *p, dd_ast_section section, dd_ast_equation ***end)
{
    if (reject_statement(p, section)) {
        return;
    }
    /* after an error the parser continues behind the next `;` */
    dd_ast_equation *eq = parse_statement(p, section);
    if (eq == NULL) {
        dd_parse_skip_statement(p);
        return;
    }
    **end = eq;
    *end = &eq->next;
}

void dd_parse_equations(dd_parser *p, dd_ast_section section, dd_ast_class *owner)
{
    /* up to the end of the section or class; annotations may come in between */
    while (!dd_parse_at(p, DD_TOK_END) && !dd_parse_at(p, DD_TOK_EOF) && !dd_parse_at_section(p)) {
        if (dd_parse_at(p, DD_TOK_ANNOTATION)) {
            if (!dd_parse_annotation(p, owner) || !dd_parse_semicolon(p, "the annotation")) {
                dd_parse_skip_statement(p);
            }
            continue;
        }
        if (dd_parse_at_class(p)) {
            return; /* the class was not closed: its reader says so */
        }
        if (dd_parse_at(p, DD_TOK_ELSE) || dd_parse_at(p, DD_TOK_ELSEIF) || dd_parse_at(p, DD_TOK_ELSEWHEN)) {
            dd_parse_error(p, p->tok.span, "`%s` without an `if` before it", dd_token_text(p->tok.kind));
            dd_parse_advance(p);
            continue;
        }
        parse_item(p, section, &owner->equations_end[section]);
    }
}
