/* parse_algorithm.c - the statements of functions: assignments, while, return and break. */
#include "lang/parser.h"

/* while condition loop ... end while; */
static dd_ast_equation *parse_while(dd_parser *p)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_WHILE, p->tok.span);
    if (!dd_parse_enter(p)) {
        return NULL;
    }
    /* after an error in the head the body is still read, for its own errors */
    dd_parse_advance(p);
    eq->rhs = dd_parse_expression(p);
    bool head = eq->rhs != DD_FORM_NONE && dd_parse_expect(p, DD_TOK_LOOP, "after the condition");
    if (head || dd_parse_recover_head(p, DD_TOK_LOOP)) {
        eq->body = dd_parse_body(p, DD_AST_ALGORITHM);
        dd_parse_end_of(p, DD_TOK_WHILE, eq->span, "");
    } else {
        eq = NULL;
    }
    dd_parse_leave(p);
    return eq;
}

/* return; break; */
static dd_ast_equation *parse_jump(dd_parser *p, dd_ast_equation_kind kind)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, kind, p->tok.span);
    dd_parse_advance(p);
    return dd_parse_comment(p, NULL) && dd_parse_semicolon(p, kind == DD_AST_BREAK ? "break" : "return") ? eq : NULL;
}

/* Can this be assigned to? x, x[i], a.b[i]. */
static bool is_reference(const dd_forms *forms, dd_form f)
{
    dd_form_op op = (dd_form_op)dd_form_get(forms, f)->op;
    return op == DD_FORM_NAME || op == DD_FORM_PATH;
}

static bool check_target(dd_parser *p, dd_form lhs)
{
    const dd_form_node node = *dd_form_get(p->forms, lhs);
    /* x, x[i], a.b[i], or a list of them in which places may be empty */
    bool ok = node.op == DD_FORM_TUPLE || is_reference(p->forms, lhs);
    for (uint32_t i = 0; node.op == DD_FORM_TUPLE && i < node.nargs; i++) {
        dd_form part = dd_form_arg(p->forms, lhs, i);
        ok = ok && (dd_form_get(p->forms, part)->op == DD_FORM_COLON || is_reference(p->forms, part));
    }
    if (!ok) {
        dd_parse_error(p, node.span, "only variables can be assigned to: x := ..., x[i] := ..., (a, b) := f(...)");
    }
    return ok;
}

/* x := e; (a, , b) := f(x); or f(x); alone */
static dd_ast_equation *parse_assignment(dd_parser *p)
{
    dd_ast_equation *eq = dd_parse_new_equation(p, DD_AST_ASSIGN, p->tok.span);
    eq->lhs = dd_parse_left_side(p);
    if (eq->lhs == DD_FORM_NONE) {
        return NULL;
    }
    /* `=` is the usual slip: reported and read as `:=` */
    if (dd_parse_at(p, DD_TOK_EQUALS) || dd_parse_at(p, DD_TOK_EQ)) {
        dd_parse_error(p, p->tok.span, "an assignment is written with `:=`, `%s` %s", dd_token_text(p->tok.kind),
                       dd_parse_at(p, DD_TOK_EQ) ? "compares two values" : "is for equations");
        dd_parse_advance(p);
    } else if (dd_parse_is_call_alone(p, eq->lhs)) {
        eq->kind = DD_AST_CALL;
        eq->span = dd_parse_since(p, eq->span);
        return dd_parse_comment(p, &eq->doc) && dd_parse_semicolon(p, "the call") ? eq : NULL;
    } else if (!dd_parse_expect(p, DD_TOK_ASSIGN, "in the assignment")) {
        return NULL;
    }
    if (!check_target(p, eq->lhs)) {
        return NULL;
    }
    eq->rhs = dd_parse_expression(p);
    eq->span = dd_parse_since(p, eq->span);
    if (eq->rhs == DD_FORM_NONE || !dd_parse_comment(p, &eq->doc)) {
        return NULL;
    }
    return dd_parse_semicolon(p, "the assignment") ? eq : NULL;
}

dd_ast_equation *dd_parse_algorithm_statement(dd_parser *p)
{
    switch (p->tok.kind) {
    case DD_TOK_WHILE:
        return parse_while(p);
    case DD_TOK_RETURN:
        return parse_jump(p, DD_AST_RETURN);
    case DD_TOK_BREAK:
        return parse_jump(p, DD_AST_BREAK);
    default:
        return parse_assignment(p);
    }
}
