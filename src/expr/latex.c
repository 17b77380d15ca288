/* latex.c - formulas as LaTeX, by reading the text that the printers of forms and of scalar expressions write: one
 * translation for both, and what is set is what was printed. Recursive descent over the grammar of expressions, with a
 * limit on its depth. Start reading at equation(). */
#include "expr/latex.h"

#include <ctype.h>
#include <string.h>

enum {
    MOST_DEPTH = 200,   /* nesting of parentheses; a formula beyond it is set as text */
    MOST_LENGTH = 20000 /* characters of a formula; nobody reads a longer one */
};

/* How tightly a piece binds: what is written around it decides whether it needs parentheses. */
typedef enum binding { BIND_LOOSE, BIND_SUM, BIND_PRODUCT, BIND_POWER, BIND_ATOM } binding;

/* A part of the formula, translated. */
typedef struct piece {
    const char *tex;
    binding binds;
    bool negative; /* begins with a minus sign */
    bool vector;   /* a whole vector, as far as names tell */
    bool number;   /* begins with a digit: a product needs a dot before it */
    bool dotted;   /* a product of two vectors */
    bool call;     /* sin(x): a power is set around it */
} piece;

typedef struct reader {
    const char *at;
    const dd_latex_names *names;
    dd_pool *pool;
    uint32_t depth;
    bool failed;
} reader;

static piece expression(reader *r);

/* ---- tokens ---- */

static void skip_blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\n') {
        r->at++;
    }
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Takes the symbol or keyword that comes next. */
static bool take(reader *r, const char *token)
{
    const size_t n = strlen(token);
    skip_blanks(r);
    if (strncmp(r->at, token, n) != 0 || (isalpha((unsigned char)token[n - 1]) && is_word_character(r->at[n]))) {
        return false;
    }
    r->at += n;
    return true;
}

static piece fail(reader *r)
{
    r->failed = true;
    return (piece){.tex = "", .binds = BIND_ATOM};
}

static void expect(reader *r, const char *token)
{
    if (!take(r, token)) {
        r->failed = true;
    }
}

static const char *within(reader *r, const piece *p, binding needed)
{
    return p->binds >= needed ? p->tex : dd_pool_printf(r->pool, "\\left(%s\\right)", p->tex);
}

/* ---- names, subscripts, calls ---- */

/* a, 'b c', a.b: up to the first subscript or call. */
static size_t name_length(const char *s)
{
    size_t n = 0;
    for (;;) {
        if (s[n] == '\'') {
            for (n++; s[n] && s[n] != '\''; n++) {
                n += s[n] == '\\' && s[n + 1];
            }
            n += s[n] == '\'';
        } else {
            while (is_word_character(s[n])) {
                n++;
            }
        }
        /* a.b goes on, and so does what follows the subscripts of a component in the middle: not read here */
        if (s[n] != '.' || !(isalpha((unsigned char)s[n + 1]) || s[n + 1] == '_' || s[n + 1] == '\'')) {
            return n;
        }
        n++;
    }
}

/* Pieces separated by commas up to the closing token, which is taken. */
static const char *list(reader *r, const char *close)
{
    dd_text text = dd_text_new(r->pool);
    const char *separator = "";
    while (!r->failed && !take(r, close)) {
        piece p = expression(r);
        dd_text_printf(&text, "%s%s", separator, p.tex);
        separator = ",";
        /* a:b, e for i in r, rows of a matrix */
        if (take(r, ":")) {
            dd_text_printf(&text, ":%s", expression(r).tex);
        } else if (take(r, "for")) {
            const char *variable = expression(r).tex;
            expect(r, "in");
            const char *from = expression(r).tex;
            expect(r, ":");
            dd_text_printf(&text, "\\mid %s=%s,\\dots,%s", variable, from, expression(r).tex);
        } else if (take(r, ";")) {
            separator = ";\\;";
            continue;
        }
        if (!take(r, ",")) {
            expect(r, close);
            break;
        }
    }
    return dd_text_str(&text);
}

/* A variable and its subscripts: arm[2].th[1] is set as it is written, each subscript at its own name. */
typedef struct variable {
    const char *before; /* the parts that it is inside of, with a point behind each */
    dd_latex_name name;
    const char *subscripts;
    bool vector;
} variable;

static const char *with_subscripts(reader *r, const char *base, const char *sub, const char *subscripts)
{
    const char *comma = sub[0] && subscripts[0] ? "," : "";
    return sub[0] || subscripts[0] ? dd_pool_printf(r->pool, "%s_{%s%s%s}", base, sub, comma, subscripts) : base;
}

static variable read_variable(reader *r)
{
    const char *start = r->at;
    variable v = {.before = ""};
    for (;;) {
        const size_t n = name_length(r->at);
        v.name = dd_latex_name_of(r->at, n, r->pool);
        r->at += n;
        const size_t length = (size_t)(r->at - start); /* arm[2].q: declared under this name */
        v.subscripts = take(r, "[") ? list(r, "]") : "";
        if (v.subscripts[0] && *r->at == '.' && (isalpha((unsigned char)r->at[1]) || r->at[1] == '_')) {
            v.before =
                dd_pool_printf(r->pool, "%s%s.", v.before, with_subscripts(r, v.name.base, v.name.sub, v.subscripts));
            r->at++;
            continue;
        }
        v.vector = r->names && !v.subscripts[0] && r->names->dimensions(r->names->user, start, length) == 1;
        return v;
    }
}

/* x or x[2] inside `order` calls of der, closed: dots above the name. False, and nothing taken, for anything else. */
static bool dotted_name(reader *r, uint32_t order, piece *out)
{
    static const char *const accents[] = {"", "\\dot", "\\ddot", "\\dddot"};
    const char *start = r->at;
    if (name_length(r->at) == 0 || isdigit((unsigned char)*r->at) || order >= sizeof accents / sizeof *accents) {
        return false;
    }
    const variable v = read_variable(r);
    /* der( as often as ) */
    uint32_t closed = 0;
    while (closed < order && take(r, ")")) {
        closed++;
    }
    if (closed < order) {
        r->at = start;
        return false;
    }
    const char *base = dd_pool_printf(r->pool, "%s{%s}", accents[order], v.name.base);
    *out = (piece){.binds = BIND_ATOM, .vector = v.vector};
    out->tex = dd_pool_printf(r->pool, "%s%s", v.before, with_subscripts(r, base, v.name.sub, v.subscripts));
    return true;
}

/* What follows "der(": dots above a name, d/dt before anything else. */
static piece derivative(reader *r)
{
    uint32_t order = 1;
    while (take(r, "der(")) {
        order++;
    }
    skip_blanks(r);
    piece p;
    if (dotted_name(r, order, &p)) {
        return p;
    }
    const piece inner = expression(r);
    for (uint32_t i = 0; i < order; i++) {
        expect(r, ")");
    }
    const char *power = order > 1 ? dd_pool_printf(r->pool, "^{%u}", order) : "";
    return (piece){.tex = dd_pool_printf(r->pool, "\\frac{d%s}{dt%s}\\left(%s\\right)", power, power, inner.tex),
                   .binds = BIND_PRODUCT,
                   .vector = inner.vector};
}

/* f(x): functions that LaTeX has a command for, those with a notation of their own, and all others. */
static piece call(reader *r, const char *name, size_t n)
{
    static const char *const known[] = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"};
    static const struct {
        const char *name, *before, *behind;
    } special[] = {{"sqrt", "\\sqrt{", "}"},
                   {"abs", "\\left|", "\\right|"},
                   {"asin", "\\arcsin\\left(", "\\right)"},
                   {"acos", "\\arccos\\left(", "\\right)"},
                   {"atan", "\\arctan\\left(", "\\right)"},
                   {"noEvent", "", ""},
                   {"log10", "\\log_{10}\\left(", "\\right)"}};
    /* a notation of its own, a command of LaTeX, or the name as it is */
    const char *arguments = list(r, ")");
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (strlen(special[i].name) == n && memcmp(special[i].name, name, n) == 0) {
            const char *tex = dd_pool_printf(r->pool, "%s%s%s", special[i].before, arguments, special[i].behind);
            return (piece){.tex = tex, .binds = special[i].before[0] ? BIND_ATOM : BIND_LOOSE, .call = true};
        }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strlen(known[i]) == n && memcmp(known[i], name, n) == 0) {
            return (piece){.tex = dd_pool_printf(r->pool, "\\%s\\left(%s\\right)", known[i], arguments),
                           .binds = BIND_ATOM,
                           .call = true};
        }
    }
    dd_text other = dd_text_new(r->pool);
    dd_text_add(&other, "\\operatorname{");
    dd_latex_text(dd_pool_strndup(r->pool, name, n), &other);
    dd_text_printf(&other, "}\\left(%s\\right)", arguments);
    return (piece){.tex = dd_text_str(&other), .binds = BIND_ATOM, .call = true};
}

static piece name(reader *r)
{
    const size_t n = name_length(r->at);
    const char *start = r->at;
    r->at += n;
    if (take(r, "(")) {
        return call(r, start, n);
    }
    if (n == 4 && memcmp(start, "time", n) == 0) {
        return (piece){.tex = "t", .binds = BIND_ATOM};
    }
    r->at = start;
    const variable v = read_variable(r);
    return (piece){
        .tex = dd_pool_printf(r->pool, "%s%s", v.before, with_subscripts(r, v.name.base, v.name.sub, v.subscripts)),
        .binds = BIND_ATOM,
        .vector = v.vector};
}

/* 1.5e-3 is set as 1.5 times a power of ten. */
static piece number(reader *r)
{
    const char *start = r->at;
    while (isdigit((unsigned char)*r->at) || *r->at == '.') {
        r->at++;
    }
    const char *mantissa = dd_pool_strndup(r->pool, start, (size_t)(r->at - start));
    const char *e = r->at;
    if ((*e == 'e' || *e == 'E') && (isdigit((unsigned char)e[1]) || ((e[1] == '-' || e[1] == '+') && e[2]))) {
        start = ++r->at;
        r->at += *r->at == '-' || *r->at == '+';
        while (isdigit((unsigned char)*r->at)) {
            r->at++;
        }
        const char *exponent = dd_pool_strndup(r->pool, start, (size_t)(r->at - start));
        return (piece){.tex = dd_pool_printf(r->pool, "%s\\cdot 10^{%s}", mantissa, exponent),
                       .binds = BIND_PRODUCT,
                       .number = true};
    }
    return (piece){.tex = mantissa, .binds = BIND_ATOM, .number = true};
}

static piece primary(reader *r)
{
    skip_blanks(r);
    if (++r->depth > MOST_DEPTH || r->failed) {
        return fail(r);
    }
    /* the first character decides */
    piece p;
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1]))) {
        p = number(r);
    } else if (take(r, "der(")) {
        p = derivative(r);
    } else if (take(r, "(")) {
        p = expression(r);
        expect(r, ")");
    } else if (take(r, "{")) {
        p = (piece){
            .tex = dd_pool_printf(r->pool, "\\left(%s\\right)", list(r, "}")), .binds = BIND_ATOM, .vector = true};
    } else if (take(r, "[")) {
        p = (piece){.tex = dd_pool_printf(r->pool, "\\left[%s\\right]", list(r, "]")), .binds = BIND_ATOM};
    } else if (take(r, ":")) {
        p = (piece){.tex = ":", .binds = BIND_ATOM};
    } else if (isalpha((unsigned char)*r->at) || *r->at == '_' || *r->at == '\'') {
        p = name(r);
    } else {
        p = fail(r);
    }
    r->depth--;
    return p;
}

/* ---- operators ---- */

static piece power(reader *r)
{
    piece base = primary(r);
    if (!take(r, "^") && !take(r, ".^")) {
        return base;
    }
    const piece exponent = primary(r);
    const bool bare = base.binds == BIND_ATOM && !base.call;
    return (piece){.tex = dd_pool_printf(r->pool, bare ? "%s^{%s}" : "\\left(%s\\right)^{%s}", base.tex, exponent.tex),
                   .binds = BIND_POWER,
                   .number = base.number};
}

/* left times right, with a dot between vectors and before digits. */
static piece times(reader *r, const piece *left, const piece *right)
{
    const bool dot = left->vector && right->vector;
    const char *a = left->dotted ? within(r, left, BIND_POWER) : within(r, left, BIND_PRODUCT);
    const char *b = right->dotted || right->negative ? within(r, right, BIND_POWER) : within(r, right, BIND_PRODUCT);
    return (piece){.tex = dd_pool_printf(r->pool, dot || right->number ? "%s\\cdot %s" : "%s\\,%s", a, b),
                   .binds = BIND_PRODUCT,
                   .negative = left->negative,
                   .vector = !dot && (left->vector || right->vector),
                   .number = left->number,
                   .dotted = dot};
}

static piece product(reader *r)
{
    piece left = power(r);
    while (!r->failed) {
        if (take(r, "*") || take(r, ".*")) {
            const piece right = power(r);
            left = times(r, &left, &right);
        } else if (take(r, "/") || take(r, "./")) {
            const piece right = power(r);
            left = (piece){.tex = dd_pool_printf(r->pool, "\\frac{%s}{%s}", left.tex, right.tex),
                           .binds = BIND_PRODUCT,
                           .vector = left.vector};
        } else {
            break;
        }
    }
    return left;
}

/* A term behind a sign: -(a + b), a - (-b). */
static const char *signed_term(reader *r, const piece *p)
{
    return within(r, p, p->negative ? BIND_POWER : BIND_PRODUCT);
}

static piece sum(reader *r)
{
    const bool negative = take(r, "-");
    piece p = product(r);
    dd_text text = dd_text_new(r->pool);
    /* a sum of many terms is one text: no term is copied twice */
    dd_text_printf(&text, "%s%s", negative ? "-" : "", negative ? signed_term(r, &p) : p.tex);
    uint32_t terms = 1;
    for (; !r->failed; terms++) {
        const char *sign = take(r, "+") || take(r, ".+") ? "+" : take(r, "-") || take(r, ".-") ? "-" : NULL;
        if (!sign) {
            break;
        }
        const piece next = product(r);
        dd_text_printf(&text, "%s%s", sign, signed_term(r, &next));
    }
    if (terms == 1 && !negative) {
        return p;
    }
    return (piece){.tex = dd_text_str(&text),
                   .binds = terms == 1 ? BIND_PRODUCT : BIND_SUM,
                   .negative = negative,
                   .vector = p.vector};
}

static piece relation(reader *r)
{
    static const struct {
        const char *token, *tex;
    } relations[] = {{"<=", "\\le "}, {">=", "\\ge "}, {"<>", "\\ne "}, {"==", "="}, {"<", "<"}, {">", ">"}};
    const bool negated = take(r, "not");
    piece left = sum(r);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (take(r, relations[i].token)) {
            const piece right = sum(r);
            left = (piece){.tex = dd_pool_printf(r->pool, "%s%s%s", left.tex, relations[i].tex, right.tex)};
            break;
        }
    }
    if (negated) {
        left = (piece){.tex = dd_pool_printf(r->pool, "\\neg\\left(%s\\right)", left.tex)};
    }
    return left;
}

static piece condition(reader *r)
{
    piece left = relation(r);
    while (!r->failed) {
        const char *sign = take(r, "and") ? "\\wedge" : take(r, "or") ? "\\vee" : NULL;
        if (!sign) {
            break;
        }
        left = (piece){.tex = dd_pool_printf(r->pool, "%s %s %s", left.tex, sign, relation(r).tex)};
    }
    return left;
}

/* if c then a elseif d then b else e: one line of the cases each. */
static piece choice(reader *r)
{
    dd_text text = dd_text_new(r->pool);
    dd_text_add(&text, "\\begin{cases}");
    do {
        const piece when = condition(r);
        expect(r, "then");
        dd_text_printf(&text, "%s & \\text{if } %s \\\\ ", expression(r).tex, when.tex);
    } while (!r->failed && take(r, "elseif"));
    expect(r, "else");
    dd_text_printf(&text, "%s & \\text{otherwise}\\end{cases}", expression(r).tex);
    return (piece){.tex = dd_text_str(&text), .binds = BIND_LOOSE};
}

static piece expression(reader *r)
{
    if (++r->depth > MOST_DEPTH) {
        return fail(r);
    }
    const piece p = take(r, "if") ? choice(r) : condition(r);
    r->depth--;
    return p;
}

/* One side, or both with the sign between them; several equations are separated by semicolons. */
static const char *equation(reader *r)
{
    dd_text text = dd_text_new(r->pool);
    do {
        dd_text_add(&text, text.len > 0 ? ",\\quad " : "");
        dd_text_add(&text, expression(r).tex);
        while (take(r, "=")) {
            dd_text_printf(&text, " = %s", expression(r).tex);
        }
    } while (!r->failed && take(r, ";"));
    skip_blanks(r);
    return dd_text_str(&text);
}

void dd_latex_formula(const char *formula, const dd_latex_names *names, dd_text *out)
{
    if (formula[0] == '\0') {
        return;
    }
    dd_pool *scratch = dd_pool_child(out->pool);
    reader r = {.at = formula, .names = names, .pool = scratch, .failed = strlen(formula) > MOST_LENGTH};
    const char *tex = r.failed ? "" : equation(&r);
    if (!r.failed && *r.at == '\0') {
        dd_text_add(out, tex);
    } else {
        dd_text_add(out, "\\texttt{");
        dd_latex_text(formula, out);
        dd_text_add(out, "}");
    }
    dd_pool_free(scratch);
}
