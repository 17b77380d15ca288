/* parse_operand.c - operands of expressions: literals, references (parse_reference.c), (..), {..}, [.., ..; ..], and
 * the messages about anything else. */
#include "lang/parser.h"

/* ---- brackets ---- */

/* The rest of (a, , b): `first` is the form before the comma here, DD_FORM_NONE when it is left out. */
static dd_form parse_tuple(dd_parser *p, dd_form first, dd_span begin)
{
    uint32_t base = p->stack.len;
    /* a place left empty is a colon */
    dd_parse_push(p, first != DD_FORM_NONE ? first : dd_parse_make(p, DD_FORM_COLON, 0, 0, NULL, 0, p->tok.span));
    while (dd_parse_accept(p, DD_TOK_COMMA)) {
        bool left_out = dd_parse_at(p, DD_TOK_COMMA) || dd_parse_at(p, DD_TOK_RPAREN);
        dd_form f = left_out ? dd_parse_make(p, DD_FORM_COLON, 0, 0, NULL, 0, p->tok.span) : dd_parse_expression(p);
        dd_parse_push(p, f);
        if (f == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
    }
    if (!dd_parse_expect(p, DD_TOK_RPAREN, "or `,` in the list of results")) {
        return dd_parse_drop(p, base);
    }
    return dd_parse_collected(p, DD_FORM_TUPLE, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_parentheses(dd_parser *p)
{
    /* (a, b) is allowed where p->tuple_at says so: on the left side of an equation or assignment */
    dd_span begin = p->tok.span;
    bool may_list = p->tuple_at == begin.begin + 1;
    dd_parse_advance(p);
    dd_form f = DD_FORM_NONE;
    if (!may_list || !dd_parse_at(p, DD_TOK_COMMA)) {
        f = dd_parse_expression(p);
        if (f == DD_FORM_NONE) {
            return f;
        }
    }
    if (dd_parse_at(p, DD_TOK_COMMA)) {
        if (may_list) {
            return parse_tuple(p, f, begin);
        }
        dd_parse_refuse_list(p, p->tok.span);
        return DD_FORM_NONE;
    }
    return f != DD_FORM_NONE && dd_parse_expect(p, DD_TOK_RPAREN, "to close the parenthesis") ? f : DD_FORM_NONE;
}

static dd_form parse_braces(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    dd_parse_advance(p);
    /* annotations of other tools have empty lists; elsewhere the element type would be unknown */
    if (dd_parse_at(p, DD_TOK_RBRACE) && p->in_annotation > 0) {
        dd_parse_advance(p);
        return dd_parse_make(p, DD_FORM_ARRAY, 0, 0, NULL, 0, dd_parse_since(p, begin));
    }
    if (dd_parse_at(p, DD_TOK_RBRACE)) {
        dd_parse_error(p, begin, "{} has no elements: an empty vector is zeros(0)");
        return DD_FORM_NONE;
    }
    /* elements, or one element with iterators */
    do {
        dd_span from = p->tok.span;
        dd_form f = dd_parse_expression(p);
        dd_parse_push(p, f);
        if (f == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
        if (dd_parse_at(p, DD_TOK_FOR) && p->stack.len == base + 1) {
            if (!dd_parse_comprehension(p, false, from) || !dd_parse_expect(p, DD_TOK_RBRACE, "to close the brace")) {
                return dd_parse_drop(p, base);
            }
            dd_form comprehension = p->stack.data[base];
            p->stack.len = base;
            return comprehension;
        }
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    if (!dd_parse_expect(p, DD_TOK_RBRACE, "or `,` in the array")) {
        return dd_parse_drop(p, base);
    }
    return dd_parse_collected(p, DD_FORM_ARRAY, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_row(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* elements of a row, separated by commas */
    do {
        dd_form f = dd_parse_expression(p);
        dd_parse_push(p, f);
        if (f == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    return dd_parse_collected(p, DD_FORM_ROW, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_matrix(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    dd_parse_advance(p);
    /* rows, separated by semicolons */
    do {
        dd_form row = parse_row(p);
        dd_parse_push(p, row);
        if (row == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_SEMICOLON));
    if (!dd_parse_expect(p, DD_TOK_RBRACKET, "or `,` or `;` in the matrix")) {
        return dd_parse_drop(p, base);
    }
    return dd_parse_collected(p, DD_FORM_MATRIX, 0, 0, base, dd_parse_since(p, begin));
}

/* ---- operands ---- */

/* Tokens that cannot begin an operand, with the likely reason. */
static dd_form reject_operand(dd_parser *p)
{
    /* messages for likely mistakes; the token stays for the recovery, except for a stray `end;` */
    switch (p->tok.kind) {
    case DD_TOK_MINUS:
    case DD_TOK_PLUS:
        dd_parse_error(p, p->tok.span, "a sign directly after an operator needs parentheses: a*(-b), a^(-2)");
        break;
    case DD_TOK_IF:
        dd_parse_error(p, p->tok.span, "an `if` inside an expression needs parentheses: 1 + (if c then a else b)");
        break;
    case DD_TOK_NOT:
        dd_parse_error(p, p->tok.span, "`not` inside an expression needs parentheses: a == (not b)");
        break;
    case DD_TOK_END:
        if (p->subscripts == 0) {
            dd_parse_error(p, p->tok.span,
                           "expected an expression, found `end` (which is a value only inside subscripts)");
            if (dd_parse_peek(p, 1).kind == DD_TOK_SEMICOLON) {
                dd_parse_advance(p);
            }
            break;
        }
        /* fall through */
    default:
        dd_parse_error(p, p->tok.span, "expected an expression, %s%s", dd_parse_found(p),
                       dd_token_is_keyword(p->tok.kind) ? ", a keyword" : "");
    }
    return DD_FORM_NONE;
}

static dd_form parse_leaf(dd_parser *p, dd_form_op op, uint32_t payload)
{
    dd_parse_advance(p);
    return dd_parse_make(p, op, 0, payload, NULL, 0, p->previous);
}

static dd_form parse_initial(dd_parser *p)
{
    dd_parse_unsupported(p, p->tok.span, "initial()");
    return DD_FORM_NONE;
}

/* pure(f(x)): the value of f(x); functions here have no other effect */
static dd_form parse_pure(dd_parser *p)
{
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_LPAREN)) {
        dd_parse_error(p, p->tok.span, "expected `(` after pure, as in pure(f(x)), %s", dd_parse_found(p));
        return DD_FORM_NONE;
    }
    return parse_parentheses(p);
}

static dd_form parse_operand(dd_parser *p)
{
    /* one token decides */
    switch (p->tok.kind) {
    case DD_TOK_NUMBER:
        return parse_leaf(p, DD_FORM_NUM, p->tok.name);
    case DD_TOK_STRING:
        return parse_leaf(p, DD_FORM_STRING, p->tok.name);
    case DD_TOK_TRUE:
    case DD_TOK_FALSE:
        return parse_leaf(p, DD_FORM_BOOL, p->tok.kind == DD_TOK_TRUE);
    case DD_TOK_IDENT:
        return dd_parse_reference(p);
    case DD_TOK_DOT:
        return dd_parse_path(p, DD_FORM_NONE, p->tok.span);
    case DD_TOK_DER:
        return dd_parse_der(p);
    case DD_TOK_INITIAL:
        return parse_initial(p);
    case DD_TOK_PURE:
        return parse_pure(p);
    case DD_TOK_LPAREN:
        return parse_parentheses(p);
    case DD_TOK_LBRACE:
        return parse_braces(p);
    case DD_TOK_LBRACKET:
        return parse_matrix(p);
    case DD_TOK_END:
        return p->subscripts > 0 ? parse_leaf(p, DD_FORM_END, 0) : reject_operand(p);
    default:
        return reject_operand(p);
    }
}

dd_form dd_parse_primary(dd_parser *p)
{
    dd_form f = parse_operand(p);
    if (f == DD_FORM_NONE) {
        return f;
    }
    if (dd_form_get(p->forms, f)->op == DD_FORM_TUPLE) {
        return f;
    }
    /* x[1] is a reference and was read as such: a bracket here follows a value */
    if (dd_parse_at(p, DD_TOK_LBRACKET)) {
        dd_parse_error(p, p->tok.span, "subscripts can only follow a name: give the value a name first");
        return DD_FORM_NONE;
    }
    if (dd_parse_at(p, DD_TOK_LPAREN)) {
        dd_parse_error(p, p->tok.span,
                       "found `(` after a value: write `*` for a product; only a name can be followed by "
                       "arguments or a time");
        return DD_FORM_NONE;
    }
    return f;
}
