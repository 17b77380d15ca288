/* print.c - expressions as text of the modelling language.
 *
 * A stack of pieces (texts and expressions with the level the place asks for) is worked off; an expression is replaced
 * by its pieces, in parentheses when its own level is below the one asked for. Levels follow the grammar:
 *
 *   ANY      if c then a else b
 *   OR AND NOT RELATION
 *   SUM      a + b, -a          (a sign belongs to the whole term behind it: -a*b, but a*(-b))
 *   TERM     a*b/c
 *   FACTOR   a^b                (not associative: both sides are primaries)
 *   PRIMARY  x, 2, f(x), (...)
 */
#include <string.h>

#include "expr/dag_impl.h"
#include "expr/roll.h"

enum level { ANY, OR, AND, NOT, RELATION, SUM, TERM, FACTOR, PRIMARY };

enum kind {
    TEXT,  /* text */
    EXPR,  /* e at a level */
    POWER, /* e^b with a positive number b, at a level */
    DOT    /* the arrays of which e and b are elements, multiplied */
};

typedef struct piece {
    uint8_t kind, level;
    dd_expr e, b;
    const char *text;
} piece;

typedef struct printer {
    dd_dag *dag;
    dd_pool *pool;
    const dd_namer *namer;
    dd_text *out;
    DD_VEC(piece) stack;
    DD_VEC(piece) next; /* the pieces that replace the one at hand, in reading order */
    dd_term_vec terms;
} printer;

static void text(printer *p, const char *s)
{
    dd_vec_push(p->pool, &p->next, (piece){.kind = TEXT, .text = s});
}

static void expr(printer *p, dd_expr e, enum level level)
{
    dd_vec_push(p->pool, &p->next, (piece){.kind = EXPR, .level = (uint8_t)level, .e = e});
}

/* ---- numbers ---- */

/* The decimal text of a number when it reads back as the same number. */
static bool decimal_text(dd_ratio r, char buffer[32])
{
    dd_number_text(r.value, buffer);
    size_t n = strlen(buffer);
    /* an inexact number must not read back as an exact one */
    if (r.den == 0) {
        if (strcspn(buffer, ".en") == n && n < 30) {
            strcpy(buffer + n, ".0"); /* plain digits would read as an exact integer */
        }
        return true;
    }
    /* an exact one must read back as the same fraction */
    bool negative = buffer[0] == '-';
    dd_ratio back = dd_ratio_from_decimal(buffer + negative, n - negative);
    return back.den == r.den && back.num == (negative ? -r.num : r.num);
}

static bool is_decimal(const dd_dag *dag, dd_expr number)
{
    char buffer[32];
    dd_ratio r = dd_ratio_at(dag, number);
    return r.den == 1 || decimal_text(r, buffer);
}

static enum level number_level(const dd_dag *dag, dd_expr number)
{
    return dd_ratio_at(dag, number).value < 0 ? SUM : is_decimal(dag, number) ? PRIMARY : TERM;
}

static void write_number(printer *p, dd_ratio r)
{
    char buffer[32];
    if (decimal_text(r, buffer)) {
        dd_text_add(p->out, buffer);
    } else if (r.den == 1) {
        dd_text_printf(p->out, "%lld", (long long)r.num);
    } else {
        dd_text_printf(p->out, "%lld/%lld", (long long)r.num, (long long)r.den);
    }
}

/* ---- symbols ---- */

static void write_symbol(printer *p, dd_expr e, bool whole_array)
{
    /* der(der(x)) around the name */
    dd_node node = p->dag->nodes[e];
    uint32_t order = node.op == DD_OP_VAR ? node.b : 0, array = 0, index, size;
    bool is_param = node.op == DD_OP_PARAM;
    for (uint32_t i = 0; i < order; i++) {
        dd_text_add(p->out, "der(");
    }
    if (node.op == DD_OP_TIME) {
        dd_text_add(p->out, dd_op_name(DD_OP_TIME));
    } else if (whole_array && p->namer->element(p->namer->user, is_param, node.a, &array, &index, &size)) {
        p->namer->array_name(p->namer->user, is_param, array, p->out);
    } else {
        p->namer->name(p->namer->user, is_param, node.a, p->out);
    }
    for (uint32_t i = 0; i < order; i++) {
        dd_text_add_char(p->out, ')');
    }
}

/* ---- products ---- */

/* base^exponent of a factor; a negative number as exponent means that the factor divides. */
static dd_expr split_factor(printer *p, dd_expr factor, dd_expr *exponent, bool *divides)
{
    *exponent = p->dag->one;
    *divides = false;
    /* x^(-2) divides as x^2 */
    if (!dd_is_op(p->dag, factor, DD_OP_POW) || !dd_is_op(p->dag, p->dag->nodes[factor].b, DD_OP_NUM)) {
        return factor;
    }
    dd_expr base = p->dag->nodes[factor].a;
    *exponent = p->dag->nodes[factor].b;
    if (dd_ratio_at(p->dag, *exponent).value < 0) {
        *exponent = dd_neg(p->dag, *exponent);
        *divides = true;
    }
    return base;
}

/* Adds the factors of `rest` that divide (or those that do not), after `count` factors that are already there. */
static uint32_t add_factors(printer *p, dd_expr rest, bool dividing, uint32_t count)
{
    /* one factor or several: the same loop */
    bool many = rest != DD_EXPR_NONE && dd_is_op(p->dag, rest, DD_OP_MUL);
    uint32_t n = rest == DD_EXPR_NONE ? 0 : many ? p->dag->nodes[rest].n : 1;
    for (uint32_t i = 0; i < n; i++) {
        dd_expr exponent, factor = many ? dd_args_of(p->dag, rest)[i] : rest;
        bool divides;
        dd_expr base = split_factor(p, factor, &exponent, &divides);
        if (divides == dividing) {
            if (count++ > 0) {
                text(p, "*");
            }
            dd_vec_push(p->pool, &p->next, (piece){POWER, FACTOR, base, exponent, NULL});
        }
    }
    return count;
}

/* The absolute value of the number as above/below; below is 1 when the number is a plain decimal. */
static void split_number(printer *p, dd_expr number, dd_expr *above, dd_expr *below)
{
    /* the sign is printed by the caller */
    dd_ratio r = dd_ratio_at(p->dag, number);
    if (r.value < 0) {
        r = dd_ratio_neg(r);
    }
    *above = dd_intern_number(p->dag, r);
    *below = p->dag->one;
    /* 3/7 is no decimal: 3 above, 7 below the line */
    if (!is_decimal(p->dag, *above)) {
        *above = dd_rational(p->dag, r.num, 1);
        *below = dd_rational(p->dag, r.den, 1);
    }
}

static uint32_t count_divisors(printer *p, dd_expr rest, dd_expr below)
{
    uint32_t begin = p->next.len, n = add_factors(p, rest, true, 0) + (below != p->dag->one);
    p->next.len = begin;
    return n;
}

static bool has_inexact_number(const dd_dag *dag, dd_expr sum)
{
    for (uint32_t i = 0; i < dag->nodes[sum].n; i++) {
        dd_expr rest;
        if (dd_ratio_at(dag, dd_term_split(dag, dd_args_of(dag, sum)[i], &rest)).den == 0) {
            return true;
        }
    }
    return false;
}

/* Is there a sum among the factors (or among the divisors) that would not release a number multiplied into it,
 * because that number or one of its own is not exact? */
static bool sum_keeps_number(printer *p, const dd_term *t, bool dividing)
{
    /* a number multiplied into a sum with inexact numbers does not come out again when read back */
    bool inexact = dd_ratio_at(p->dag, t->number).den == 0, divides;
    bool many = t->rest != DD_EXPR_NONE && dd_is_op(p->dag, t->rest, DD_OP_MUL);
    uint32_t n = t->rest == DD_EXPR_NONE ? 0 : many ? p->dag->nodes[t->rest].n : 1;
    for (uint32_t i = 0; i < n; i++) {
        dd_expr exponent, base = split_factor(p, many ? dd_args_of(p->dag, t->rest)[i] : t->rest, &exponent, &divides);
        if (divides == dividing && dd_is_op(p->dag, base, DD_OP_ADD) && (inexact || has_inexact_number(p->dag, base))) {
            return true;
        }
    }
    return false;
}

/* Everything that divides, with the part of the number below the line; n is how many that are. */
static void divisors(printer *p, const dd_term *t, dd_expr below, uint32_t n)
{
    bool has_number = below != p->dag->one;
    /* below a sum that would swallow it the number divides by itself: x/7/(a + b) */
    if (has_number && n > 1 && sum_keeps_number(p, t, true)) {
        text(p, "/");
        expr(p, below, FACTOR);
        has_number = false;
        n--;
    }
    /* several divisors need parentheses: a/(b*c) */
    text(p, n > 1 ? "/(" : "/");
    if (has_number) {
        expr(p, below, FACTOR);
    }
    add_factors(p, t->rest, true, has_number);
    text(p, n > 1 ? ")" : "");
}

/* |number|*rest*(a*b), without sign: number, scalar factors, product of arrays, divisors. The number comes last when it
 * could not be separated again: (x + y)*z*0.1234567890123456. */
static void product(printer *p, const dd_term *t)
{
    dd_expr above, below;
    /* number first, then factors, arrays, divisors */
    split_number(p, t->number, &above, &below);
    uint32_t n_divisors = count_divisors(p, t->rest, below), count = 0;
    bool has_number = above != p->dag->one, last = has_number && sum_keeps_number(p, t, false);
    if (has_number && !last) {
        expr(p, above, FACTOR);
        count = 1;
    }
    count = add_factors(p, t->rest, false, count);
    /* a single factor may be a product of arrays without parentheses */
    if (count == 1 && t->a == DD_EXPR_NONE) {
        p->next.data[p->next.len - 1].level = TERM; /* a product of arrays alone before the divisors: p*v/m */
    }
    if (t->a != DD_EXPR_NONE) {
        text(p, count > 0 ? "*(" : "");
        dd_vec_push(p->pool, &p->next, (piece){DOT, 0, t->a, t->b, NULL});
        text(p, count > 0 ? ")" : "");
    } else if (count == 0) {
        /* nothing above the line but a 1 */
        expr(p, p->dag->one, FACTOR);
    }
    if (n_divisors > 0) {
        divisors(p, t, below, n_divisors);
    }
    if (last) {
        text(p, "*");
        expr(p, above, FACTOR);
    }
}

/* ---- the pieces of an expression; each returns its level ---- */

static bool is_negative(const printer *p, const dd_term *t)
{
    return dd_ratio_at(p->dag, t->number).value < 0;
}

static enum level sum_pieces(printer *p, dd_expr e)
{
    dd_roll(p->dag, e, p->namer, &p->terms, p->pool);
    /* a leading minus reads badly: find a positive term */
    uint32_t first = 0, n = p->terms.len;
    while (first < n && is_negative(p, &p->terms.data[first])) {
        first++;
    }
    first = first == n ? 0 : first; /* a positive term leads when there is one */
    text(p, is_negative(p, &p->terms.data[first]) ? "-" : "");
    product(p, &p->terms.data[first]);
    for (uint32_t i = 0; i < n; i++) {
        if (i != first) {
            text(p, is_negative(p, &p->terms.data[i]) ? " - " : " + ");
            product(p, &p->terms.data[i]);
        }
    }
    return n == 1 && !is_negative(p, &p->terms.data[0]) ? TERM : SUM;
}

static enum level term_pieces(printer *p, dd_expr e)
{
    dd_term t = {0};
    t.number = dd_term_split(p->dag, e, &t.rest);
    text(p, is_negative(p, &t) ? "-" : "");
    product(p, &t);
    return is_negative(p, &t) ? SUM : TERM;
}

/* base^exponent for a positive number or an expression as exponent */
static enum level power_pieces(printer *p, dd_expr base, dd_expr exponent)
{
    /* x^(1/2) is sqrt(x) */
    if (dd_is_num(p->dag, exponent, 0.5)) {
        text(p, "sqrt(");
        expr(p, base, ANY);
        text(p, ")");
        return PRIMARY;
    }
    expr(p, base, PRIMARY);
    text(p, "^");
    expr(p, exponent, PRIMARY);
    return FACTOR;
}

static enum level infix_pieces(printer *p, dd_expr e, const char *sign, enum level level)
{
    /* arguments of an operator bind more tightly than it does */
    for (uint32_t i = 0; i < p->dag->nodes[e].n; i++) {
        text(p, i > 0 ? sign : "");
        expr(p, dd_args_of(p->dag, e)[i], level + 1);
    }
    return level;
}

static enum level call_pieces(printer *p, dd_expr e)
{
    text(p, dd_op_name(dd_op_at(p->dag, e)));
    text(p, "(");
    for (uint32_t i = 0; i < p->dag->nodes[e].n; i++) {
        text(p, i > 0 ? ", " : "");
        expr(p, dd_args_of(p->dag, e)[i], ANY);
    }
    text(p, ")");
    return PRIMARY;
}

static enum level if_pieces(printer *p, dd_expr e)
{
    const char *word = "if ";
    /* nested selections on the else side are elseif */
    for (; dd_is_op(p->dag, e, DD_OP_IF); e = dd_args_of(p->dag, e)[2]) {
        text(p, word);
        expr(p, dd_args_of(p->dag, e)[0], OR);
        text(p, " then ");
        expr(p, dd_args_of(p->dag, e)[1], OR);
        word = " elseif ";
    }
    text(p, " else ");
    expr(p, e, OR);
    return ANY;
}

static enum level pieces(printer *p, dd_expr e)
{
    dd_expr exponent;
    bool divides;
    /* each case fills the pieces and names its level */
    switch (dd_op_at(p->dag, e)) {
    case DD_OP_ADD:
        return sum_pieces(p, e);
    case DD_OP_MUL:
        return term_pieces(p, e);
    case DD_OP_POW:
        split_factor(p, e, &exponent, &divides);
        return divides ? term_pieces(p, e) : power_pieces(p, p->dag->nodes[e].a, p->dag->nodes[e].b);
    case DD_OP_OR:
        return infix_pieces(p, e, " or ", OR);
    case DD_OP_AND:
        return infix_pieces(p, e, " and ", AND);
    case DD_OP_LT:
        return infix_pieces(p, e, " < ", RELATION);
    case DD_OP_LE:
        return infix_pieces(p, e, " <= ", RELATION);
    case DD_OP_EQ:
        return infix_pieces(p, e, " == ", RELATION);
    case DD_OP_NE:
        return infix_pieces(p, e, " <> ", RELATION);
    case DD_OP_NOT:
        text(p, "not ");
        expr(p, p->dag->nodes[e].a, RELATION);
        return NOT;
    case DD_OP_IF:
        return if_pieces(p, e);
    default:
        return call_pieces(p, e);
    }
}

/* ---- the loop ---- */

/* Puts the collected pieces on the stack, the first on top, in parentheses when they bind less than asked for. */
static void replace(printer *p, enum level has, enum level asked)
{
    /* the stack is worked off from the top, so pieces are pushed in reverse */
    bool wrap = has < asked;
    if (wrap) {
        dd_vec_push(p->pool, &p->stack, (piece){.kind = TEXT, .text = ")"});
    }
    while (p->next.len > 0) {
        dd_vec_push(p->pool, &p->stack, p->next.data[--p->next.len]);
    }
    if (wrap) {
        dd_vec_push(p->pool, &p->stack, (piece){.kind = TEXT, .text = "("});
    }
}

static void write_leaf(printer *p, const piece *t)
{
    if (!dd_is_op(p->dag, t->e, DD_OP_NUM)) {
        write_symbol(p, t->e, false);
        return;
    }
    bool wrap = number_level(p->dag, t->e) < (enum level)t->level;
    dd_text_add(p->out, wrap ? "(" : "");
    write_number(p, dd_ratio_at(p->dag, t->e));
    dd_text_add(p->out, wrap ? ")" : "");
}

static void write_piece(printer *p, const piece *t)
{
    /* texts and names are written, everything else is replaced by its pieces */
    switch ((enum kind)t->kind) {
    case TEXT:
        dd_text_add(p->out, t->text);
        return;
    case DOT:
        write_symbol(p, t->e, true);
        dd_text_add_char(p->out, '*');
        write_symbol(p, t->b, true);
        return;
    case POWER:
        if (t->b != p->dag->one) {
            enum level has = power_pieces(p, t->e, t->b);
            replace(p, has, t->level);
            return;
        }
        break;
    case EXPR:
        break;
    }
    /* of a derived value only the value is printed */
    if (dd_is_op(p->dag, t->e, DD_OP_DERIVED)) {
        dd_vec_push(p->pool, &p->stack, (piece){.kind = EXPR, .level = t->level, .e = *dd_args_of(p->dag, t->e)});
    } else if (p->dag->nodes[t->e].n == 0) {
        write_leaf(p, t);
    } else {
        enum level has = pieces(p, t->e);
        replace(p, has, t->level);
    }
}

void dd_print(dd_dag *dag, dd_expr e, const dd_namer *namer, dd_text *out)
{
    /* depth of an expression never becomes depth of the stack */
    printer p = {.dag = dag, .pool = dd_pool_child(dag->pool), .namer = namer, .out = out};
    dd_vec_push(p.pool, &p.stack, (piece){.kind = EXPR, .level = ANY, .e = e});
    while (p.stack.len > 0) {
        piece t = p.stack.data[--p.stack.len];
        write_piece(&p, &t);
        dd_check_stop(dag->ctx);
    }
    dd_pool_free(p.pool);
}

void dd_print_equation(dd_dag *dag, dd_expr e, dd_expr solve_for, const dd_namer *namer, dd_text *out)
{
    dd_expr coefficient, rest;
    /* x = rest when the coefficient of x is 1 or -1 */
    if (solve_for != DD_EXPR_NONE && dd_linear(dag, e, &solve_for, 1, &coefficient, &rest) &&
        (coefficient == dag->one || coefficient == dag->minus_one)) {
        dd_print(dag, solve_for, namer, out);
        dd_text_add(out, " = ");
        dd_print(dag, coefficient == dag->one ? dd_neg(dag, rest) : rest, namer, out);
        return;
    }
    dd_print(dag, e, namer, out);
    dd_text_add(out, " = 0");
}
