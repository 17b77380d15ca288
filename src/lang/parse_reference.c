/* parse_reference.c - names with subscripts, paths and calls, and the lists inside their brackets:
 *
 *   a[1].b[:, i]   f(x, y = 2)   sum(x[i] for i in r)   der(x)   x(finalTime)
 */
#include <string.h>

#include "lang/parser.h"
#include "lang/resolve.h"

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
        dd_parse_push(p, s);
    } while (ok && dd_parse_accept(p, DD_TOK_COMMA));
    p->subscripts--;
    return ok && dd_parse_expect(p, DD_TOK_RBRACKET, "after the subscripts");
}

dd_form dd_parse_subscripts(dd_parser *p)
{
    uint32_t base = p->stack.len;
    dd_span begin = p->tok.span;
    if (!collect_subscripts(p)) {
        return dd_parse_drop(p, base);
    }
    return dd_parse_collected(p, DD_FORM_ARRAY, 0, 0, base, dd_parse_since(p, begin));
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
bool dd_parse_comprehension(dd_parser *p, bool bare, dd_span begin)
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
        dd_parse_push(p, loop);
        dd_parse_push(p, range);
    } while (dd_parse_accept(p, DD_TOK_COMMA));
    dd_form f = dd_parse_collected(p, DD_FORM_COMPREHENSION, bare, 0, base, dd_parse_since(p, begin));
    dd_parse_push(p, f);
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
        dd_parse_push(p, argument);
        if (argument == DD_FORM_NONE || (dd_parse_at(p, DD_TOK_FOR) && !dd_parse_comprehension(p, true, begin))) {
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
            dd_parse_push(p, dd_form_arg(p->forms, bare, i));
        }
        return dd_parse_collected(p, DD_FORM_COMPREHENSION, 0, 0, base, span);
    }
    return dd_parse_collected(p, DD_FORM_ARRAY, 0, 0, base, span);
}

/* f(...): a built-in function, or a name that only the resolver can judge: x(finalTime). */
static dd_form parse_call(dd_parser *p, uint32_t name, dd_span begin)
{
    /* arguments first, then what the name means */
    uint32_t base = p->stack.len;
    bool ok = collect_arguments(p);
    if (!ok) {
        return dd_parse_drop(p, base);
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
        return dd_parse_drop(p, base);
    }
    if (strcmp(text, "lagrange") == 0 || strcmp(text, "assert") == 0) {
        dd_parse_error(p, begin, "`%s` is a statement of an equation section, not part of an expression", text);
        return dd_parse_drop(p, base);
    }
    /* a built-in function; a name that the user may define himself is left to the resolver */
    int fn = dd_builtin_named(text);
    if (fn >= 0 && !dd_function_yields((dd_form_fn)fn)) {
        return dd_parse_collected(p, DD_FORM_CALL, (uint8_t)fn, 0, base, span);
    }
    return dd_parse_collected(p, DD_FORM_UNKNOWN_CALL, 0, name, base, span);
}

dd_form dd_parse_der(dd_parser *p)
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
    return ok ? dd_parse_collected(p, DD_FORM_DER, 0, 0, base, span) : dd_parse_drop(p, base);
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
        return dd_parse_drop(p, base);
    }
    if (p->stack.len != base + 1) {
        dd_parse_error(p, dd_parse_since(p, begin), "a value at one time has one argument, as in x(finalTime)");
        return dd_parse_drop(p, base);
    }
    dd_form time = p->stack.data[base];
    p->stack.len = base;
    return dd_parse_binary(p, DD_FORM_POINT, reference, time, begin);
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
    dd_form part = dd_parse_collected(p, DD_FORM_NAME, 0, name, base, dd_parse_since(p, begin));
    dd_parse_push(p, part);
    return part != DD_FORM_NONE;
}

/* .b.c of a[1].b.c, with `first` before it (DD_FORM_NONE: .a.b); a call f.g(..) when `(` follows and no part has
 * subscripts, else a value at one time. */
dd_form dd_parse_path(dd_parser *p, dd_form first, dd_span begin)
{
    /* parts with dots; subscripts anywhere mean that it cannot be a function */
    uint32_t base = p->stack.len;
    bool subscripted = false;
    if (first != DD_FORM_NONE) {
        subscripted = dd_form_get(p->forms, first)->nargs > 0;
        dd_parse_push(p, first);
    }
    while (dd_parse_accept(p, DD_TOK_DOT)) {
        if (!collect_part(p, "a name after `.`")) {
            return dd_parse_drop(p, base);
        }
        subscripted |= dd_form_get(p->forms, p->stack.data[p->stack.len - 1])->nargs > 0;
    }
    dd_form path = dd_parse_collected(p, DD_FORM_PATH, first == DD_FORM_NONE, 0, base, dd_parse_since(p, begin));
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
        return dd_parse_drop(p, base);
    }
    dd_parse_push(p, path);
    return collect_arguments(p) ? dd_parse_collected(p, DD_FORM_UNKNOWN_CALL, 1, 0, base, dd_parse_since(p, begin))
                                : dd_parse_drop(p, base);
}

/* name, name[..], f(..), x[1](t), or the first part of a path */
dd_form dd_parse_reference(dd_parser *p)
{
    dd_span begin = p->tok.span;
    /* what follows the name decides: [ ( or . */
    uint32_t name = p->tok.name, base = p->stack.len;
    dd_parse_advance(p);
    if (dd_parse_at(p, DD_TOK_LBRACKET) && !collect_subscripts(p)) {
        return dd_parse_drop(p, base);
    }
    bool subscripted = p->stack.len > base;
    if (dd_parse_at(p, DD_TOK_LPAREN) && !subscripted) {
        return parse_call(p, name, begin);
    }
    dd_span span = dd_parse_since(p, begin);
    if (dd_parse_at(p, DD_TOK_DOT)) {
        dd_form first = dd_parse_collected(p, DD_FORM_NAME, 0, name, base, span);
        return first != DD_FORM_NONE ? dd_parse_path(p, first, begin) : first;
    }
    /* time is a variable that every model has */
    if (!subscripted && strcmp(dd_parse_name(p, name), "time") == 0) {
        return dd_parse_make(p, DD_FORM_TIME, 0, 0, NULL, 0, span);
    }
    dd_form f = dd_parse_collected(p, DD_FORM_NAME, 0, name, base, span);
    return f != DD_FORM_NONE && dd_parse_at(p, DD_TOK_LPAREN) ? parse_point(p, f, begin) : f;
}

/* ---- a reference alone ---- */

dd_form dd_parse_reference_text(dd_parser *p, dd_token_kind stop)
{
    dd_span begin = p->tok.span;
    uint32_t base = p->stack.len;
    /* parts with dots, up to the token that must follow */
    do {
        const char *what = p->stack.len == base ? "the name of a parameter, input or variable" : "a name after `.`";
        if (!collect_part(p, what)) {
            return dd_parse_drop(p, base);
        }
    } while (dd_parse_accept(p, DD_TOK_DOT));
    if (!dd_parse_at(p, stop)) {
        dd_parse_error(p, p->tok.span, "expected `%s` after the name, %s", dd_token_text(stop), dd_parse_found(p));
        return dd_parse_drop(p, base);
    }
    if (p->stack.len == base + 1) {
        dd_form name = p->stack.data[base];
        p->stack.len = base;
        return name;
    }
    return dd_parse_collected(p, DD_FORM_PATH, 0, 0, base, dd_parse_since(p, begin));
}
