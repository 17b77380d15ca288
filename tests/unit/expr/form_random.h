/* form_random.h - random well-shaped expressions over the standard model, as texts with more parentheses than needed,
 * and numbers for its symbols at a time: every variable is a smooth function of time, so derivatives of any order are
 * known. */
#ifndef DD_TESTS_FORM_RANDOM_H
#define DD_TESTS_FORM_RANDOM_H

#include <math.h>

#include "form_reader.h"

/* ---- symbols as functions of time ---- */

typedef struct motion {
    dd_model *m;
    double time;
    double scale; /* 1, or another curve through other points */
} motion;

/* The variable whose derivative this one is, and how many times. */
static inline uint32_t position_of(dd_model *m, uint32_t var, uint32_t *order)
{
    const dd_variable *v = &m->vars.data[var];
    uint32_t symbol = m->arrays.data[v->array].symbol;
    for (uint32_t a = 0; a < m->arrays.len; a++) {
        if (dd_forms_symbol(m->forms, m->arrays.data[a].symbol)->velocity == symbol) {
            (*order)++;
            return position_of(m, m->arrays.data[a].first + v->element, order);
        }
    }
    return var;
}

/* x(t) = 1.2 + 0.5 sin(c t + phase): its n-th derivative */
static inline double motion_value(void *user, dd_expr symbol)
{
    motion *at = user;
    dd_model *m = at->m;
    if (dd_op_of(m->dag, symbol) == DD_OP_TIME) {
        return at->time;
    }
    uint32_t var = dd_symbol_id(m->dag, symbol);
    if (dd_op_of(m->dag, symbol) == DD_OP_PARAM) {
        return m->vars.data[var].value;
    }
    uint32_t order = dd_symbol_order(m->dag, symbol);
    var = position_of(m, var, &order);
    double c = 0.6 + 0.13 * (var % 7), phase = 1.7 * var * at->scale;
    double turned = c * at->time + phase + 1.5707963267948966 * order;
    return (order == 0 ? 1.2 : 0) + 0.5 * pow(c, order) * sin(turned);
}

/* ---- texts ---- */

typedef struct generator {
    uint64_t state;
    dd_text *out;
    int loop; /* a loop variable i in 1:3 may be used */
} generator;

static inline uint32_t pick(generator *g, uint32_t n)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33) % n;
}

static inline void say(generator *g, const char *text)
{
    dd_text_add(g->out, text);
}

static void make(generator *g, char shape, int depth);

/* A pattern: S V M stand for scalar, vector and matrix parts, # for a subscript, other characters for themselves. `~`
 * in front of a character says that it is meant as it is. */
static void follow(generator *g, const char *pattern, int depth)
{
    for (; *pattern != 0; pattern++) {
        if (*pattern == '~') {
            dd_text_add_char(g->out, *++pattern);
        } else if (*pattern == 'S' || *pattern == 'V' || *pattern == 'M') {
            make(g, *pattern, depth - 1);
        } else if (*pattern == '#') {
            if (g->loop > 0 && pick(g, 2) == 0) {
                dd_text_add_char(g->out, 'i');
            } else {
                dd_text_add_char(g->out, (char)('1' + pick(g, 3)));
            }
        } else {
            dd_text_add_char(g->out, *pattern);
        }
    }
}

static const char *const scalar_leaves[] = {"x",    "y",      "s",    "th",   "z",      "vx",        "w",    "L",
                                            "m",    "2",      "0.5",  "3",    "p[#]",   "q[#]",      "r[#]", "A[#,#]",
                                            "d[#]", "C[#,2]", "time", "v[#]", "der(z)", "der(r[#])", "e[1]"};
static const char *const vector_leaves[] = {
    "p",         "q",      "r",      "d",    "v",      "A[#,:]", "A[:,#]", "p[3:-1:1]", "q[{2, 1, 3}]",
    "{1, 2, 3}", "der(r)", "C[:,#]", "p[:]", "r[from]"};
static const char *const matrix_leaves[] = {
    "A", "C", "identity(3)", "A[:,:]", "der(A)", "transpose(A)", "[1, 2, 3; 4, 5, 6; 0, 1, 2]"};

static const char *const scalar_patterns[] = {
    "(S) + (S)",
    "(S) - (S)",
    "(S) + (S) - (S)",
    "-(S)",
    "(S)*(S)",
    "(S)*(S)",
    "(S)*(S)*(S)",
    "(S)/(2 + sin(S))",
    "(S)/((S)^2 + 1)",
    "(S)^2",
    "(S)^3",
    "((S)^2 + 1)^(-2)",
    "((S)^2 + 1)^0.5",
    "((S)^2 + 1)^L",
    "L^(S)",
    "((S)^2 + 1)^(sin(S))",
    "(V)*(V)",
    "(V)*(V)",
    "(V)*(M)*(V)",
    "sum(V)",
    "sum(M)",
    "sin(S)",
    "cos(S)",
    "tan(0.3*sin(S))",
    "asin(0.5*sin(S))",
    "acos(0.5*cos(S))",
    "atan(S)",
    "sinh(sin(S))",
    "cosh(sin(S))",
    "tanh(S)",
    "exp(sin(S))",
    "log(2 + cos(S))",
    "log10(2 + cos(S))",
    "sqrt((S)^2 + 1)",
    "abs(S)",
    "atan2(S, 2 + sin(S))",
    "min(S, S)",
    "max(S, S)",
    "if (S) > (S) then (S) else (S)",
    "if (S) > 1 then (S) elseif (S) < 0 then 1 else (S)",
    "noEvent(S)",
    "smooth(1, S)",
    "homotopy(S, S)",
    "scalar({S})",
    "sum({@ for i in 1:3})",
    "sum(@ for i in 1:3)",
    "(V)*(V)/(2 + cos(S))",
    "sqrt((V)*(V) + 1)",
    "~m*(V)*(V)",
    "2*(S)",
    "(S)/4",
    "(S)*0.1",
    "(0 - 8*(S))*(S)",
    "mod(10 + sin(S), 20 + sin(S))",
    "der((S)*(S))",
};
static const char *const vector_patterns[] = {
    "(V) + (V)",
    "(V) - (V)",
    "(V) + (V) - (V)",
    "-(V)",
    "(S)*(V)",
    "(V)*(S)",
    "(V)/(2 + sin(S))",
    "(M)*(V)",
    "(V)*(M)",
    "cross(V, V)",
    "skew(V)*(V)",
    "{S, S, S}",
    "{S, 1, S}",
    "{@ for i in 1:3}",
    "(V) .* (V)",
    "(V) ./ (2 .+ sin(V))",
    "(V) .^ 2",
    "(V) .+ (S)",
    "(S) .- (V)",
    "(V) .- (V)",
    "sin(V)",
    "cos(V)",
    "exp(sin(V))",
    "sqrt(1 .+ (V) .^ 2)",
    "log(2 .+ cos(V))",
    "tanh(V)",
    "atan(V)",
    "if (S) > 0.5 then (V) else (V)",
    "if (S) > 0.5 then {1, 2, 3} else (V)",
    "cat(1, {S}, {S, 1})",
    "vector(matrix(V))",
    "linspace(S, S, 3)",
    "fill(S, 3)",
    "diagonal(V)*(V)",
    "transpose(M)*(V)",
    "sum(~i*(V) for i in 1:3)",
    "2*(V)",
    "(S)*(S)*(V)",
    "((V)*(V))*(V)",
    "abs(V)",
    "atan2(V, 2 .+ sin(V))",
    "(2 .+ sin(V)) .^ L",
    "noEvent(V)",
    "~d .+ (S)",
    "(S) .* (V)",
    "1 ./ (2 .+ cos(V))",
};
static const char *const matrix_patterns[] = {
    "(M) + (M)",
    "(M) - (M)",
    "(S)*(M)",
    "(M)*(M)",
    "transpose(M)",
    "skew(V)",
    "diagonal(V)",
    "outerProduct(V, V)",
    "[S, S, 1; 0, S, S; 1, 2, S]",
    "[V, V, V]",
    "{V, V, {1, 0, 0}}",
    "symmetric(M)",
    "(M)^2",
    "(M) .* (M)",
    "(M)/(2 + sin(S))",
    "-(M)",
    "cat(1, {V}, {V, V})",
    "sin(M)",
    "{~i*(V) for i in 1:3}",
    "if (S) > 0.5 then (M) else identity(3)",
    "cat(2, matrix(V), [V, V])",
};

#define COUNT(list) ((uint32_t)(sizeof list / sizeof *list))

static void make_pattern(generator *g, const char *pattern, int depth)
{
    const char *body = strchr(pattern, '@'); /* @: a scalar in which the loop variable is known */
    if (body == NULL) {
        follow(g, pattern, depth);
        return;
    }
    char head[64];
    snprintf(head, sizeof head, "%.*s", (int)(body - pattern), pattern);
    follow(g, head, depth);
    g->loop++;
    say(g, "(");
    make(g, 'S', depth - 1);
    say(g, ")");
    g->loop--;
    follow(g, body + 1, depth);
}

static void make(generator *g, char shape, int depth)
{
    bool leaf = depth <= 0 || pick(g, 5) == 0;
    const char *pattern;
    if (shape == 'S') {
        pattern =
            leaf ? scalar_leaves[pick(g, COUNT(scalar_leaves))] : scalar_patterns[pick(g, COUNT(scalar_patterns))];
    } else if (shape == 'V') {
        pattern =
            leaf ? vector_leaves[pick(g, COUNT(vector_leaves))] : vector_patterns[pick(g, COUNT(vector_patterns))];
    } else {
        pattern =
            leaf ? matrix_leaves[pick(g, COUNT(matrix_leaves))] : matrix_patterns[pick(g, COUNT(matrix_patterns))];
    }
    /* nested loops would all be called i: only one at a time */
    if (g->loop > 0 && (strstr(pattern, " for ") != NULL)) {
        pattern = shape == 'S' ? "x" : shape == 'V' ? "p" : "A";
    }
    if (strchr(pattern, '~') != NULL && strstr(pattern, " for ") != NULL) {
        g->loop++;
        make_pattern(g, pattern, depth);
        g->loop--;
        return;
    }
    if (leaf) {
        follow(g, pattern, 0);
    } else {
        make_pattern(g, pattern, depth);
    }
}

/* An expression of the shape S (scalar), V (3) or M (3 x 3), the same for the same number. */
static inline const char *random_text(dd_pool *pool, uint64_t number, char shape, int depth)
{
    dd_text text = dd_text_new(pool);
    generator g = {.state = 0x9e3779b97f4a7c15u * (number + 1), .out = &text};
    pick(&g, 2);
    make(&g, shape, depth);
    return dd_text_str(&text);
}

#endif
