/* parse_expr.c - expressions, one function per level of precedence:
 *
 *   if | range a:b:c | or | and | not | relation | + - .+ .- | * / .* ./ | ^ .^ | primary (parse_operand.c)
 *
 * Arguments of n-ary forms are collected on p->stack; every function returns DD_FORM_NONE after it has reported.
 */
#include <assert.h>

#include "lang/parser.h"

void dd_parse_refuse_list(dd_parser *p, dd_span span)
{
    dd_parse_error(p, span, "a list (a, b) of results is allowed only as the left side of an equation or assignment");
}

dd_form dd_parse_make(dd_parser *p, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args, uint32_t n,
                      dd_span span)
{
    assert(n == 0 || args != NULL);
    /* wrong arguments were reported; lists and deep expressions are refused here, for all operators at once */
    for (uint32_t i = 0; i < n; i++) {
        if (args[i] == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
        if (dd_form_get(p->forms, args[i])->op == DD_FORM_TUPLE) {
            dd_parse_refuse_list(p, dd_form_get(p->forms, args[i])->span);
            return DD_FORM_NONE;
        }
        if (dd_form_get(p->forms, args[i])->depth >= DD_PARSE_MAX_DEPTH) {
            dd_parse_error(
                p, span,
                "this expression is more than %d operators deep, the limit; introduce a variable for a part of it",
                DD_PARSE_MAX_DEPTH);
            dd_parse_stop(p);
            return DD_FORM_NONE;
        }
    }
    return dd_form_new(p->forms, op, sub, payload, args, n, span);
}

dd_form dd_parse_binary(dd_parser *p, dd_form_op op, dd_form a, dd_form b, dd_span begin)
{
    dd_form args[] = {a, b};
    return dd_parse_make(p, op, 0, 0, args, 2, dd_parse_since(p, begin));
}

void dd_parse_push(dd_parser *p, dd_form f)
{
    dd_vec_push(p->pool, &p->stack, f);
}

/* One form of everything collected since base, which leaves the stack. */
dd_form dd_parse_collected(dd_parser *p, dd_form_op op, uint8_t sub, uint32_t payload, uint32_t base, dd_span span)
{
    dd_form f = dd_parse_make(p, op, sub, payload, dd_vec_from(&p->stack, base), p->stack.len - base, span);
    p->stack.len = base;
    return f;
}

dd_form dd_parse_drop(dd_parser *p, uint32_t base)
{
    p->stack.len = base;
    return DD_FORM_NONE;
}

/* ---- operators ---- */

static dd_form parse_power(dd_parser *p)
{
    dd_span begin = p->tok.span;
    dd_form base = dd_parse_primary(p);
    bool elementwise = dd_parse_at(p, DD_TOK_DOT_CARET);
    if (base == DD_FORM_NONE || (!elementwise && !dd_parse_at(p, DD_TOK_CARET))) {
        return base;
    }
    dd_parse_advance(p);
    dd_form exponent = dd_parse_primary(p);
    /* Modelica's grammar has no order for a^b^c: parentheses are required */
    if (exponent != DD_FORM_NONE && (dd_parse_at(p, DD_TOK_CARET) || dd_parse_at(p, DD_TOK_DOT_CARET))) {
        dd_parse_error(p, p->tok.span, "two powers in a row need parentheses: (a^b)^c or a^(b^c)");
        return DD_FORM_NONE;
    }
    return dd_parse_binary(p, elementwise ? DD_FORM_EPOW : DD_FORM_POW, base, exponent, begin);
}

static dd_form parse_product(dd_parser *p)
{
    dd_span begin = p->tok.span;
    dd_form f = parse_power(p);
    /* left to right, as they are written: division does not commute */
    while (f != DD_FORM_NONE) {
        dd_form_op op;
        switch (p->tok.kind) {
        case DD_TOK_STAR:
            op = DD_FORM_MUL;
            break;
        case DD_TOK_SLASH:
            op = DD_FORM_DIV;
            break;
        case DD_TOK_DOT_STAR:
            op = DD_FORM_EMUL;
            break;
        case DD_TOK_DOT_SLASH:
            op = DD_FORM_EDIV;
            break;
        default:
            return f;
        }
        dd_parse_advance(p);
        f = dd_parse_binary(p, op, f, parse_power(p), begin);
    }
    return f;
}

/* The terms since base become one SUM; a single one stays itself. */
static dd_form close_sum(dd_parser *p, uint32_t base, dd_span begin)
{
    /* a single term stays itself */
    if (p->stack.len == base + 1) {
        dd_form f = p->stack.data[base];
        p->stack.len = base;
        return f;
    }
    return dd_parse_collected(p, DD_FORM_SUM, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form negated(dd_parser *p, dd_form f, dd_span begin)
{
    return dd_parse_make(p, DD_FORM_NEG, 0, 0, &f, 1, dd_parse_since(p, begin));
}

/* The first term, with its sign. */
static dd_form parse_first_term(dd_parser *p)
{
    dd_span begin = p->tok.span;
    /* a sign in front belongs to the first term only: -a + b is (-a) + b */
    bool minus = dd_parse_at(p, DD_TOK_MINUS) || dd_parse_at(p, DD_TOK_DOT_MINUS);
    if (minus || dd_parse_at(p, DD_TOK_PLUS) || dd_parse_at(p, DD_TOK_DOT_PLUS)) {
        dd_parse_advance(p);
    }
    dd_form f = parse_product(p);
    return minus ? negated(p, f, begin) : f;
}

/* a + b - c: all terms in one SUM. A .+ or .- closes the sum so far and becomes its first term. */
static dd_form parse_sum(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* terms onto the stack, negated ones wrapped */
    dd_parse_push(p, parse_first_term(p));
    while (p->stack.data[p->stack.len - 1] != DD_FORM_NONE) {
        dd_span sign = p->tok.span;
        switch (p->tok.kind) {
        case DD_TOK_PLUS:
            dd_parse_advance(p);
            dd_parse_push(p, parse_product(p));
            break;
        case DD_TOK_MINUS:
            dd_parse_advance(p);
            dd_parse_push(p, negated(p, parse_product(p), sign));
            break;
        /* a .+ b is not n-ary: the sum so far is its left side */
        case DD_TOK_DOT_PLUS:
        case DD_TOK_DOT_MINUS: {
            dd_form_op op = dd_parse_at(p, DD_TOK_DOT_PLUS) ? DD_FORM_EADD : DD_FORM_ESUB;
            dd_form left = close_sum(p, base, begin);
            dd_parse_advance(p);
            dd_parse_push(p, dd_parse_binary(p, op, left, parse_product(p), begin));
            break;
        }
        default:
            return close_sum(p, base, begin);
        }
    }
    return dd_parse_drop(p, base);
}

static bool at_relation(const dd_parser *p, dd_form_rel *rel)
{
    switch (p->tok.kind) {
    case DD_TOK_LT:
        *rel = DD_REL_LT;
        return true;
    case DD_TOK_LE:
        *rel = DD_REL_LE;
        return true;
    case DD_TOK_GT:
        *rel = DD_REL_GT;
        return true;
    case DD_TOK_GE:
        *rel = DD_REL_GE;
        return true;
    case DD_TOK_EQ:
        *rel = DD_REL_EQ;
        return true;
    case DD_TOK_NE:
        *rel = DD_REL_NE;
        return true;
    default:
        return false;
    }
}

static dd_form parse_relation(dd_parser *p)
{
    dd_span begin = p->tok.span;
    dd_form_rel rel, second;
    /* relations do not chain */
    dd_form a = parse_sum(p);
    if (a == DD_FORM_NONE || !at_relation(p, &rel)) {
        return a;
    }
    dd_parse_advance(p);
    dd_form b = parse_sum(p);
    if (b != DD_FORM_NONE && at_relation(p, &second)) {
        dd_parse_error(p, p->tok.span,
                       "a <= b <= c is written as two relations: a <= b and b <= c (in a constraint section as two "
                       "constraints)");
        return DD_FORM_NONE;
    }
    dd_form args[] = {a, b};
    return dd_parse_make(p, DD_FORM_REL, (uint8_t)rel, 0, args, 2, dd_parse_since(p, begin));
}

static dd_form parse_not(dd_parser *p)
{
    dd_span begin = p->tok.span;
    if (!dd_parse_accept(p, DD_TOK_NOT)) {
        return parse_relation(p);
    }
    dd_form f = parse_relation(p);
    return dd_parse_make(p, DD_FORM_NOT, 0, 0, &f, 1, dd_parse_since(p, begin));
}

/* a op b op c as one n-ary form. */
static dd_form parse_logical(dd_parser *p, dd_token_kind token, dd_form_op op, dd_form (*operand)(dd_parser *))
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* operands onto the stack; one alone stays itself */
    do {
        dd_form f = operand(p);
        dd_parse_push(p, f);
        if (f == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
    } while (dd_parse_accept(p, token));
    if (p->stack.len == base + 1) {
        dd_form f = p->stack.data[base];
        p->stack.len = base;
        return f;
    }
    return dd_parse_collected(p, op, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_and(dd_parser *p)
{
    return parse_logical(p, DD_TOK_AND, DD_FORM_AND, parse_not);
}

static dd_form parse_or(dd_parser *p)
{
    return parse_logical(p, DD_TOK_OR, DD_FORM_OR, parse_and);
}

static dd_form parse_range(dd_parser *p)
{
    dd_span begin = p->tok.span;
    /* a:b or a:b:c */
    dd_form args[3] = {parse_or(p)};
    uint32_t n = 1;
    while (args[n - 1] != DD_FORM_NONE && n < 3 && dd_parse_accept(p, DD_TOK_COLON)) {
        args[n++] = parse_or(p);
    }
    return n == 1 ? args[0] : dd_parse_make(p, DD_FORM_RANGE, 0, 0, args, n, dd_parse_since(p, begin));
}

/* if c then a elseif d then b else e */
static dd_form parse_if(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* pairs of condition and value, then the value of else */
    do {
        dd_parse_advance(p);
        dd_form condition = dd_parse_expression(p);
        dd_parse_push(p, condition);
        if (condition == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_THEN, "after the condition")) {
            return dd_parse_drop(p, base);
        }
        dd_form value = dd_parse_expression(p);
        dd_parse_push(p, value);
        if (value == DD_FORM_NONE) {
            return dd_parse_drop(p, base);
        }
    } while (dd_parse_at(p, DD_TOK_ELSEIF));
    if (!dd_parse_at(p, DD_TOK_ELSE)) {
        dd_parse_error(p, p->tok.span, "an `if` expression needs an `else`, %s", dd_parse_found(p));
        return dd_parse_drop(p, base);
    }
    dd_parse_advance(p);
    dd_parse_push(p, dd_parse_expression(p));
    return dd_parse_collected(p, DD_FORM_IF, 0, 0, base, dd_parse_since(p, begin));
}

dd_form dd_parse_expression(dd_parser *p)
{
    /* every expression is a level of nesting: parentheses, arguments and subscripts come through here */
    if (!dd_parse_enter(p)) {
        return DD_FORM_NONE;
    }
    dd_form f = dd_parse_at(p, DD_TOK_IF) ? parse_if(p) : parse_range(p);
    dd_parse_leave(p);
    return f;
}

/* ---- texts that are one expression ---- */

bool dd_parse_equation_text(dd_parser *p, dd_form *lhs, dd_form *rhs)
{
    *rhs = DD_FORM_NONE;
    *lhs = dd_parse_expression(p);
    if (*lhs == DD_FORM_NONE) {
        return false;
    }
    /* an optional right side, then nothing */
    if (dd_parse_accept(p, DD_TOK_EQUALS) && (*rhs = dd_parse_expression(p)) == DD_FORM_NONE) {
        return false;
    }
    dd_parse_accept(p, DD_TOK_SEMICOLON);
    if (!dd_parse_at(p, DD_TOK_EOF)) {
        dd_parse_error(p, p->tok.span, "expected the end of the text, %s", dd_parse_found(p));
        return false;
    }
    return !p->lexer.stopped;
}

dd_form dd_parse_left_side(dd_parser *p)
{
    uint32_t outer = p->tuple_at;
    /* a list may begin exactly here */
    dd_span begin = p->tok.span;
    p->tuple_at = dd_parse_at(p, DD_TOK_LPAREN) ? begin.begin + 1 : 0;
    dd_form f = dd_parse_expression(p);
    p->tuple_at = outer;
    return f;
}
