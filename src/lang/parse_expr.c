/* parse_expr.c - expressions, one function per level of precedence:
 *
 *   if | range a:b:c | or | and | not | relation | + - .+ .- | * / .* ./ | ^ .^ | primary
 *
 * Arguments of n-ary forms are collected on p->stack; every function returns DD_FORM_NONE after it has reported.
 */
#include <assert.h>
#include <string.h>

#include "lang/parser.h"
#include "lang/resolve.h"

static const char tuple_alone[] = "a list (a, b) of results stands alone on the left side of an equation or assignment";

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
            dd_parse_error(p, dd_form_get(p->forms, args[i])->span, "%s", tuple_alone);
            return DD_FORM_NONE;
        }
        if (dd_form_get(p->forms, args[i])->depth >= DD_PARSE_MAX_DEPTH) {
            dd_parse_error(
                p, span,
                "this expression is more than %d operators deep, the limit; give a part of it a name of its own",
                DD_PARSE_MAX_DEPTH);
            dd_parse_stop(p);
            return DD_FORM_NONE;
        }
    }
    return dd_form_new(p->forms, op, sub, payload, args, n, span);
}

static dd_form make_binary(dd_parser *p, dd_form_op op, dd_form a, dd_form b, dd_span begin)
{
    dd_form args[] = {a, b};
    return dd_parse_make(p, op, 0, 0, args, 2, dd_parse_since(p, begin));
}

static void push(dd_parser *p, dd_form f)
{
    dd_vec_push(p->pool, &p->stack, f);
}

/* One form of everything collected since base, which leaves the stack. */
static dd_form make_collected(dd_parser *p, dd_form_op op, uint8_t sub, uint32_t payload, uint32_t base, dd_span span)
{
    dd_form f = dd_parse_make(p, op, sub, payload, dd_vec_from(&p->stack, base), p->stack.len - base, span);
    p->stack.len = base;
    return f;
}

static dd_form drop(dd_parser *p, uint32_t base)
{
    p->stack.len = base;
    return DD_FORM_NONE;
}

/* ---- subscripts, arguments, comprehensions ---- */

static dd_form parse_subscript(dd_parser *p)
{
    if (dd_parse_at(p, DD_TOK_COLON)) {
        dd_parse_advance(p);
        return dd_parse_make(p, DD_FORM_COLON, 0, 0, NULL, 0, p->previous);
    }
    return dd_parse_expression(p);
}

/* [a, :, b] onto the stack. */
static bool collect_subscripts(dd_parser *p)
{
    /* `end` has a value while subscripts are read */
    dd_parse_advance(p);
    p->subscripts++;
    bool ok = true;
    do {
        dd_form s = parse_subscript(p);
        ok = s != DD_FORM_NONE;
        push(p, s);
    } while (ok && dd_parse_accept(p, DD_TOK_COMMA));
    p->subscripts--;
    return ok && dd_parse_expect(p, DD_TOK_RBRACKET, "after the subscripts");
}

dd_form dd_parse_subscripts(dd_parser *p)
{
    uint32_t base = p->stack.len;
    dd_span begin = p->tok.span;
    if (!collect_subscripts(p)) {
        return drop(p, base);
    }
    return make_collected(p, DD_FORM_ARRAY, 0, 0, base, dd_parse_since(p, begin));
}

bool dd_parse_iterator(dd_parser *p, dd_form *loop, dd_form *range)
{
    /* NAME, or NAME in RANGE; without a range what follows must end the iterator */
    dd_span begin = p->tok.span;
    uint32_t name = dd_parse_ident(p, "the name of a loop variable");
    if (name == 0) {
        return false;
    }
    bool has_range = dd_parse_at(p, DD_TOK_IN);
    bool ends = dd_parse_at(p, DD_TOK_LOOP) || dd_parse_at(p, DD_TOK_COMMA) || dd_parse_at(p, DD_TOK_RPAREN) ||
                dd_parse_at(p, DD_TOK_RBRACE);
    if (!has_range && !ends) {
        dd_parse_error(p, p->tok.span, "expected `in` and the range of %s, as in `for %s in 1:n`, %s",
                       dd_parse_name(p, name), dd_parse_name(p, name), dd_parse_found(p));
        return false;
    }
    /* every loop variable has its own number: equal names may be nested */
    *loop = dd_form_new(p->forms, DD_FORM_LOOP, 0, dd_forms_add_loop(p->forms, name), NULL, 0, begin);
    *range = DD_FORM_NONE;
    if (!has_range) {
        return true;
    }
    dd_parse_advance(p);
    *range = dd_parse_expression(p);
    return *range != DD_FORM_NONE;
}

/* The body is on top of the stack and `for` is the token: replaces it by the comprehension. bare: without braces, as
 * the argument of a call. */
static bool finish_comprehension(dd_parser *p, bool bare, dd_span begin)
{
    /* the body was read before its iterators: it is replaced on the stack */
    uint32_t base = p->stack.len - 1;
    dd_parse_advance(p);
    do {
        dd_form loop, range;
        if (!dd_parse_iterator(p, &loop, &range)) {
            return false;
        }
        /* the range follows from the use of the variable in the body */
        if (range == DD_FORM_NONE) {
            uint32_t name = dd_forms_loop_name(p->forms, dd_form_get(p->forms, loop)->payload);
            range = dd_parse_range_from(p, p->stack.data[base], name);
            if (range == DD_FORM_NONE) {
                dd_parse_no_range(p, dd_form_get(p->forms, loop)->span, name);
                return false;
            }
        }
        push(p, loop);
        push(p, range);
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    dd_form f = make_collected(p, DD_FORM_COMPREHENSION, bare, 0, base, dd_parse_since(p, begin));
    push(p, f);
    return f != DD_FORM_NONE;
}

/* One argument of a call: name = value, or a value. */
static dd_form parse_argument(dd_parser *p)
{
    /* two tokens distinguish name = value from a value */
    if (!dd_parse_at(p, DD_TOK_IDENT) || dd_parse_peek(p, 1).kind != DD_TOK_EQUALS) {
        return dd_parse_expression(p);
    }
    dd_span begin = p->tok.span;
    uint32_t name = p->tok.name;
    dd_parse_advance(p);
    dd_parse_advance(p);
    dd_form value = dd_parse_expression(p);
    return dd_parse_make(p, DD_FORM_NAMED_ARG, 0, name, &value, 1, dd_parse_since(p, begin));
}

/* (a, b, name = c) or (e for i in r) onto the stack. */
static bool collect_arguments(dd_parser *p)
{
    dd_parse_advance(p);
    if (dd_parse_accept(p, DD_TOK_RPAREN)) {
        return true;
    }
    do {
        /* each may be followed by iterators: sum(x[i] for i in r) */
        dd_span begin = p->tok.span;
        dd_form argument = parse_argument(p);
        push(p, argument);
        if (argument == DD_FORM_NONE || (dd_parse_at(p, DD_TOK_FOR) && !finish_comprehension(p, true, begin))) {
            return false;
        }
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    return dd_parse_expect(p, DD_TOK_RPAREN, "after the arguments");
}

/* ---- names and calls ---- */

bool dd_parse_is_later_function(const char *name)
{
    /* events, clocks and streams: of later stages */
    static const char *const later[] = {"pre",
                                        "edge",
                                        "change",
                                        "reinit",
                                        "sample",
                                        "terminate",
                                        "initial",
                                        "terminal",
                                        "delay",
                                        "String",
                                        "spatialDistribution",
                                        "inStream",
                                        "actualStream",
                                        "cardinality",
                                        "getInstanceName",
                                        "Clock",
                                        "previous",
                                        "hold",
                                        "interval",
                                        "shiftSample",
                                        "subSample",
                                        "superSample",
                                        "noClock",
                                        "rooted",
                                        "connect"};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (strcmp(name, later[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* String(x) in the message of assert: the formula instead of its value, which is not known when the text is made. */
static dd_form make_formula_text(dd_parser *p, uint32_t base, dd_span span)
{
    dd_text text = dd_text_new(p->pool);
    /* the argument is printed as written */
    dd_form_print(p->forms, p->stack.data[base], NULL, &text);
    p->stack.len = base;
    return dd_parse_make(p, DD_FORM_STRING, 0, dd_names_intern(p->names, dd_text_str(&text), text.len), NULL, 0, span);
}

/* array(a, b) is {a, b}; array(e for i in r) is {e for i in r}. */
static dd_form make_array(dd_parser *p, uint32_t base, dd_span span)
{
    /* as {e for i in r}: without the mark of a bare comprehension, which reductions look for */
    if (p->stack.len == base + 1 && dd_form_get(p->forms, p->stack.data[base])->op == DD_FORM_COMPREHENSION) {
        const dd_form_node *node = dd_form_get(p->forms, p->stack.data[base]);
        uint32_t n = node->nargs;
        dd_form bare = p->stack.data[base];
        p->stack.len = base;
        for (uint32_t i = 0; i < n; i++) {
            push(p, dd_form_arg(p->forms, bare, i));
        }
        return make_collected(p, DD_FORM_COMPREHENSION, 0, 0, base, span);
    }
    return make_collected(p, DD_FORM_ARRAY, 0, 0, base, span);
}

/* f(...): a built-in function, or a name that only the resolver can judge: x(finalTime). */
static dd_form parse_call(dd_parser *p, uint32_t name, dd_span begin)
{
    /* arguments first, then what the name means */
    uint32_t base = p->stack.len;
    bool ok = collect_arguments(p);
    if (!ok) {
        return drop(p, base);
    }
    dd_span span = dd_parse_since(p, begin);
    const char *text = dd_parse_name(p, name);
    /* names with a meaning at certain places */
    if (p->in_message && strcmp(text, "String") == 0 && p->stack.len > base) {
        return make_formula_text(p, base, span);
    }
    if (strcmp(text, "array") == 0 && p->stack.len > base) {
        return make_array(p, base, span);
    }
    /* names that are known but not supported, or are not expressions */
    if (dd_parse_is_later_function(text) && p->in_annotation == 0) {
        dd_parse_unsupported(p, begin, text);
        return drop(p, base);
    }
    if (strcmp(text, "lagrange") == 0 || strcmp(text, "assert") == 0) {
        dd_parse_error(p, begin, "`%s` is a statement of its own in an equation section, not part of an expression",
                       text);
        return drop(p, base);
    }
    /* a built-in function; a name that the user may define himself is left to the resolver */
    int fn = dd_builtin_named(text);
    if (fn >= 0 && !dd_function_yields((dd_form_fn)fn)) {
        return make_collected(p, DD_FORM_CALL, (uint8_t)fn, 0, base, span);
    }
    return make_collected(p, DD_FORM_UNKNOWN_CALL, 0, name, base, span);
}

static dd_form parse_der(dd_parser *p)
{
    dd_span begin = p->tok.span;
    dd_parse_advance(p);
    if (!dd_parse_at(p, DD_TOK_LPAREN)) {
        dd_parse_error(p, p->tok.span, "expected `(` after der, as in der(x), %s", dd_parse_found(p));
        return DD_FORM_NONE;
    }
    /* exactly one argument; two are a common guess at the second derivative */
    uint32_t base = p->stack.len;
    bool ok = collect_arguments(p);
    dd_span span = dd_parse_since(p, begin);
    if (ok && p->stack.len != base + 1) {
        dd_parse_error(p, span,
                       p->stack.len == base + 2
                           ? "der takes one argument, 2 are given: a second derivative is der(der(x))"
                           : "der takes one argument, as in der(x)");
        ok = false;
    }
    return ok ? make_collected(p, DD_FORM_DER, 0, 0, base, span) : drop(p, base);
}

const char *dd_path_text(const dd_forms *forms, dd_form f, dd_pool *pool)
{
    const dd_form_node *node = dd_form_get(forms, f);
    const dd_names *names = dd_forms_names(forms);
    /* only plain names and paths have such a text */
    if (node->op == DD_FORM_NAME) {
        return node->nargs == 0 ? dd_names_get(names, node->payload) : NULL;
    }
    if (node->op != DD_FORM_PATH) {
        return NULL;
    }
    dd_text text = dd_text_new(pool);
    for (uint32_t i = 0; i < node->nargs; i++) {
        const dd_form_node *part = dd_form_get(forms, dd_form_arg(forms, f, i));
        if (part->nargs > 0) {
            return NULL;
        }
        dd_text_printf(&text, i > 0 ? ".%s" : "%s", dd_names_get(names, part->payload));
    }
    return dd_text_str(&text);
}

/* x(t) where x is a reference with subscripts: certainly a point value. */
static dd_form parse_point(dd_parser *p, dd_form reference, dd_span begin)
{
    /* one argument: the time */
    uint32_t base = p->stack.len;
    bool ok = collect_arguments(p);
    if (!ok) {
        return drop(p, base);
    }
    if (p->stack.len != base + 1) {
        dd_parse_error(p, dd_parse_since(p, begin), "a value at one time has one argument, as in x(finalTime)");
        return drop(p, base);
    }
    dd_form time = p->stack.data[base];
    p->stack.len = base;
    return make_binary(p, DD_FORM_POINT, reference, time, begin);
}

/* One part name[subscripts] of a path onto the stack. */
static bool collect_part(dd_parser *p, const char *what)
{
    /* subscripts are collected first, the name is made around them */
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len, name = dd_parse_ident(p, what);
    if (name == 0 || (dd_parse_at(p, DD_TOK_LBRACKET) && !collect_subscripts(p))) {
        return false;
    }
    dd_form part = make_collected(p, DD_FORM_NAME, 0, name, base, dd_parse_since(p, begin));
    push(p, part);
    return part != DD_FORM_NONE;
}

/* .b.c of a[1].b.c, with `first` before it (DD_FORM_NONE: .a.b); a call f.g(..) when `(` follows and no part has
 * subscripts, else a value at one time. */
static dd_form parse_path(dd_parser *p, dd_form first, dd_span begin)
{
    /* parts with dots; subscripts anywhere mean that it cannot be a function */
    uint32_t base = p->stack.len;
    bool subscripted = false;
    if (first != DD_FORM_NONE) {
        subscripted = dd_form_get(p->forms, first)->nargs > 0;
        push(p, first);
    }
    while (dd_parse_accept(p, DD_TOK_DOT)) {
        if (!collect_part(p, "a name after `.`")) {
            return drop(p, base);
        }
        subscripted |= dd_form_get(p->forms, p->stack.data[p->stack.len - 1])->nargs > 0;
    }
    dd_form path = make_collected(p, DD_FORM_PATH, first == DD_FORM_NONE, 0, base, dd_parse_since(p, begin));
    if (path == DD_FORM_NONE || !dd_parse_at(p, DD_TOK_LPAREN)) {
        return path;
    }
    /* a subscripted path with ( is a value at one time, a plain one a call */
    if (subscripted) {
        return parse_point(p, path, begin);
    }
    const char *name = dd_path_text(p->forms, path, p->pool);
    if (strcmp(name, "Connections.isRoot") == 0 || strcmp(name, "Connections.rooted") == 0) {
        dd_parse_error(p, dd_parse_since(p, begin), "overconstrained connectors (`%s`) are not supported yet", name);
        return drop(p, base);
    }
    push(p, path);
    return collect_arguments(p) ? make_collected(p, DD_FORM_UNKNOWN_CALL, 1, 0, base, dd_parse_since(p, begin))
                                : drop(p, base);
}

/* name, name[..], f(..), x[1](t), or the first part of a path */
static dd_form parse_reference(dd_parser *p)
{
    dd_span begin = p->tok.span;
    /* what follows the name decides: [ ( or . */
    uint32_t name = p->tok.name, base = p->stack.len;
    dd_parse_advance(p);
    if (dd_parse_at(p, DD_TOK_LBRACKET) && !collect_subscripts(p)) {
        return drop(p, base);
    }
    bool subscripted = p->stack.len > base;
    if (dd_parse_at(p, DD_TOK_LPAREN) && !subscripted) {
        return parse_call(p, name, begin);
    }
    dd_span span = dd_parse_since(p, begin);
    if (dd_parse_at(p, DD_TOK_DOT)) {
        dd_form first = make_collected(p, DD_FORM_NAME, 0, name, base, span);
        return first != DD_FORM_NONE ? parse_path(p, first, begin) : first;
    }
    /* time is a variable that every model has */
    if (!subscripted && strcmp(dd_parse_name(p, name), "time") == 0) {
        return dd_parse_make(p, DD_FORM_TIME, 0, 0, NULL, 0, span);
    }
    dd_form f = make_collected(p, DD_FORM_NAME, 0, name, base, span);
    return f != DD_FORM_NONE && dd_parse_at(p, DD_TOK_LPAREN) ? parse_point(p, f, begin) : f;
}

/* ---- brackets ---- */

/* The rest of (a, , b): `first` is the form before the comma here, DD_FORM_NONE when it is left out. */
static dd_form parse_tuple(dd_parser *p, dd_form first, dd_span begin)
{
    uint32_t base = p->stack.len;
    /* a place left empty is a colon */
    push(p, first != DD_FORM_NONE ? first : dd_parse_make(p, DD_FORM_COLON, 0, 0, NULL, 0, p->tok.span));
    while (dd_parse_accept(p, DD_TOK_COMMA)) {
        bool left_out = dd_parse_at(p, DD_TOK_COMMA) || dd_parse_at(p, DD_TOK_RPAREN);
        dd_form f = left_out ? dd_parse_make(p, DD_FORM_COLON, 0, 0, NULL, 0, p->tok.span) : dd_parse_expression(p);
        push(p, f);
        if (f == DD_FORM_NONE) {
            return drop(p, base);
        }
    }
    if (!dd_parse_expect(p, DD_TOK_RPAREN, "or `,` in the list of results")) {
        return drop(p, base);
    }
    return make_collected(p, DD_FORM_TUPLE, 0, 0, base, dd_parse_since(p, begin));
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
        dd_parse_error(p, p->tok.span, "%s", tuple_alone);
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
        push(p, f);
        if (f == DD_FORM_NONE) {
            return drop(p, base);
        }
        if (dd_parse_at(p, DD_TOK_FOR) && p->stack.len == base + 1) {
            if (!finish_comprehension(p, false, from) || !dd_parse_expect(p, DD_TOK_RBRACE, "to close the brace")) {
                return drop(p, base);
            }
            dd_form comprehension = p->stack.data[base];
            p->stack.len = base;
            return comprehension;
        }
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    if (!dd_parse_expect(p, DD_TOK_RBRACE, "or `,` in the array")) {
        return drop(p, base);
    }
    return make_collected(p, DD_FORM_ARRAY, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_row(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* elements of a row, separated by commas */
    do {
        dd_form f = dd_parse_expression(p);
        push(p, f);
        if (f == DD_FORM_NONE) {
            return drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    return make_collected(p, DD_FORM_ROW, 0, 0, base, dd_parse_since(p, begin));
}

static dd_form parse_matrix(dd_parser *p)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    dd_parse_advance(p);
    /* rows, separated by semicolons */
    do {
        dd_form row = parse_row(p);
        push(p, row);
        if (row == DD_FORM_NONE) {
            return drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_SEMICOLON));
    if (!dd_parse_expect(p, DD_TOK_RBRACKET, "or `,` or `;` in the matrix")) {
        return drop(p, base);
    }
    return make_collected(p, DD_FORM_MATRIX, 0, 0, base, dd_parse_since(p, begin));
}

/* ---- operands ---- */

/* What cannot begin an operand, with the reason where one is likely. */
static dd_form reject_operand(dd_parser *p)
{
    /* messages for what people write; nothing is consumed, so that recovery finds the rest */
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
        return parse_reference(p);
    case DD_TOK_DOT:
        return parse_path(p, DD_FORM_NONE, p->tok.span);
    case DD_TOK_DER:
        return parse_der(p);
    case DD_TOK_INITIAL:
        return parse_initial(p);
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

static dd_form parse_primary(dd_parser *p)
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

/* ---- operators ---- */

static dd_form parse_power(dd_parser *p)
{
    dd_span begin = p->tok.span;
    dd_form base = parse_primary(p);
    bool elementwise = dd_parse_at(p, DD_TOK_DOT_CARET);
    if (base == DD_FORM_NONE || (!elementwise && !dd_parse_at(p, DD_TOK_CARET))) {
        return base;
    }
    dd_parse_advance(p);
    dd_form exponent = parse_primary(p);
    /* Modelica's grammar has no order for a^b^c: parentheses are required */
    if (exponent != DD_FORM_NONE && (dd_parse_at(p, DD_TOK_CARET) || dd_parse_at(p, DD_TOK_DOT_CARET))) {
        dd_parse_error(p, p->tok.span, "two powers in a row need parentheses: (a^b)^c or a^(b^c)");
        return DD_FORM_NONE;
    }
    return make_binary(p, elementwise ? DD_FORM_EPOW : DD_FORM_POW, base, exponent, begin);
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
        f = make_binary(p, op, f, parse_power(p), begin);
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
    return make_collected(p, DD_FORM_SUM, 0, 0, base, dd_parse_since(p, begin));
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
    push(p, parse_first_term(p));
    while (p->stack.data[p->stack.len - 1] != DD_FORM_NONE) {
        dd_span sign = p->tok.span;
        switch (p->tok.kind) {
        case DD_TOK_PLUS:
            dd_parse_advance(p);
            push(p, parse_product(p));
            break;
        case DD_TOK_MINUS:
            dd_parse_advance(p);
            push(p, negated(p, parse_product(p), sign));
            break;
        /* a .+ b is not n-ary: what was summed so far is its left side */
        case DD_TOK_DOT_PLUS:
        case DD_TOK_DOT_MINUS: {
            dd_form_op op = dd_parse_at(p, DD_TOK_DOT_PLUS) ? DD_FORM_EADD : DD_FORM_ESUB;
            dd_form left = close_sum(p, base, begin);
            dd_parse_advance(p);
            push(p, make_binary(p, op, left, parse_product(p), begin));
            break;
        }
        default:
            return close_sum(p, base, begin);
        }
    }
    return drop(p, base);
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
        push(p, f);
        if (f == DD_FORM_NONE) {
            return drop(p, base);
        }
    } while (dd_parse_accept(p, token));
    if (p->stack.len == base + 1) {
        dd_form f = p->stack.data[base];
        p->stack.len = base;
        return f;
    }
    return make_collected(p, op, 0, 0, base, dd_parse_since(p, begin));
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
        push(p, condition);
        if (condition == DD_FORM_NONE || !dd_parse_expect(p, DD_TOK_THEN, "after the condition")) {
            return drop(p, base);
        }
        dd_form value = dd_parse_expression(p);
        push(p, value);
        if (value == DD_FORM_NONE) {
            return drop(p, base);
        }
    } while (dd_parse_at(p, DD_TOK_ELSEIF));
    if (!dd_parse_at(p, DD_TOK_ELSE)) {
        dd_parse_error(p, p->tok.span, "an `if` expression needs an `else`, %s", dd_parse_found(p));
        return drop(p, base);
    }
    dd_parse_advance(p);
    push(p, dd_parse_expression(p));
    return make_collected(p, DD_FORM_IF, 0, 0, base, dd_parse_since(p, begin));
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

dd_form dd_parse_reference_text(dd_parser *p, dd_token_kind stop)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* parts with dots, up to the token that must follow */
    do {
        const char *what = p->stack.len == base ? "the name of a parameter, input or variable" : "a name after `.`";
        if (!collect_part(p, what)) {
            return drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_DOT));
    if (!dd_parse_at(p, stop)) {
        dd_parse_error(p, p->tok.span, "expected `%s` after the name, %s", dd_token_text(stop), dd_parse_found(p));
        return drop(p, base);
    }
    if (p->stack.len == base + 1) {
        dd_form name = p->stack.data[base];
        p->stack.len = base;
        return name;
    }
    return make_collected(p, DD_FORM_PATH, 0, 0, base, dd_parse_since(p, begin));
}
