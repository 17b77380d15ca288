/* dag_support.h - what the tests of expressions share: a dag in a context of its own, a small parser of the language's
 * expressions (for reading printed text back), names, random trees with an evaluator that knows nothing of the dag, and
 * a plain evaluator of dag nodes. */
#ifndef DD_TEST_DAG_SUPPORT_H
#define DD_TEST_DAG_SUPPORT_H

#include <complex.h>
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expr/dag.h"
#include "expr/walk.h"

#define UNUSED_OK __attribute__((unused))

/* ---- a dag to work in ---- */

typedef struct dag_test {
    dd_dag *dag;
    dd_pool *pool;
    void (*body)(dd_dag *dag, dd_pool *pool);
} dag_test;

static void run_body(void *arg)
{
    dag_test *t = arg;
    t->dag = dd_dag_new(t->pool, 0);
    t->body(t->dag, t->pool);
}

/* Runs the body; everything is freed and must be gone afterwards. */
static UNUSED_OK void in_dag(void (*body)(dd_dag *dag, dd_pool *pool))
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    size_t baseline = dd_context_memory(ctx);
    dag_test t = {.pool = dd_pool_new(ctx), .body = body};
    dd_status status = dd_protect(ctx, run_body, &t);
    if (status != DD_OK) {
        fail_msg("raised %s: %s", dd_status_name(status), dd_context_message(ctx));
    }
    dd_pool_free(t.pool);
    assert_int_equal(dd_context_memory(ctx), baseline);
    dd_context_free(ctx);
}

/* The cmocka test `test_name` out of the body `name`. */
#define DAG_TEST(name)                                                                                                 \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        in_dag(name);                                                                                                  \
    }

/* ---- random numbers: xorshift64*, fixed seed ---- */

static UNUSED_OK uint64_t random_state = 0x9e3779b97f4a7c15u;

static UNUSED_OK uint64_t random_bits(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 0x2545f4914f6cdd1du;
}
static UNUSED_OK uint32_t random_below(uint32_t n)
{
    return (uint32_t)(random_bits() >> 33) % n;
}
static UNUSED_OK double random_between(double a, double b)
{
    return a + (b - a) * (double)(random_bits() >> 11) / 9007199254740992.0;
}

/* ---- names: VAR 0..5 are x y z u v w; arrays P Q (VAR), C (PARAM) of 3; PARAM 0..3 are a b c d ---- */

enum { P0 = 10, Q0 = 20, LAM = 30, C0 = 10 };

static UNUSED_OK void test_name(void *user, bool is_param, uint32_t id, dd_text *out)
{
    (void)user;
    if (is_param) {
        if (id >= C0) {
            dd_text_printf(out, "C[%u]", id - C0 + 1);
        } else {
            dd_text_add_char(out, (char)('a' + id));
        }
    } else if (id == LAM) {
        dd_text_add(out, "lam[1]");
    } else if (id >= P0) {
        dd_text_printf(out, "%c[%u]", id >= Q0 ? 'Q' : 'P', (id >= Q0 ? id - Q0 : id - P0) + 1);
    } else {
        dd_text_add_char(out, "xyzuvw"[id % 6]);
    }
}

static UNUSED_OK bool test_element(void *user, bool is_param, uint32_t id, uint32_t *array, uint32_t *index,
                                   uint32_t *size)
{
    (void)user;
    *size = id == LAM ? 1 : 3;
    *array = is_param ? 0 : id >= LAM ? 2 : id >= Q0 ? 1 : 0;
    *index = is_param ? id - C0 : id >= LAM ? id - LAM : id >= Q0 ? id - Q0 : id - P0;
    return id >= 10;
}

static UNUSED_OK void test_array_name(void *user, bool is_param, uint32_t array, dd_text *out)
{
    (void)user;
    dd_text_add(out, is_param ? "C" : array == 0 ? "P" : array == 1 ? "Q" : "lam");
}

static UNUSED_OK const dd_namer plain_namer = {.name = test_name};
static UNUSED_OK const dd_namer array_namer = {
    .name = test_name, .element = test_element, .array_name = test_array_name};

static UNUSED_OK const char *print_with(dd_dag *dag, dd_expr e, const dd_namer *namer)
{
    dd_text out = dd_text_new(dd_dag_pool(dag));
    dd_print(dag, e, namer, &out);
    return dd_text_str(&out);
}

/* ---- a small parser: the grammar of the language's expressions, for names as above ---- */

typedef struct reader {
    dd_dag *dag;
    const char *s;
} reader;

static dd_expr read_expr(reader *r);

static UNUSED_OK bool accept(reader *r, const char *token)
{
    size_t n = strlen(token);
    while (*r->s == ' ') {
        r->s++;
    }
    if (strncmp(r->s, token, n) != 0 || (isalpha((unsigned char)token[0]) && isalnum((unsigned char)r->s[n]))) {
        return false;
    }
    r->s += n;
    return true;
}

static UNUSED_OK void expect(reader *r, const char *token)
{
    if (!accept(r, token)) {
        fail_msg("expected '%s' at '%s'", token, r->s);
    }
}

/* A name; subscripts in [ ]; without them an array name stands for element `element` (dot products of arrays). */
static UNUSED_OK dd_expr read_name(reader *r, const char *name, size_t n)
{
    static const char vars[] = "xyzuvw", params[] = "abcd";
    const char *at;
    if (n == 1 && (at = strchr(vars, name[0])) != NULL) {
        return dd_var(r->dag, (uint32_t)(at - vars), 0);
    }
    if (n == 1 && (at = strchr(params, name[0])) != NULL) {
        return dd_param(r->dag, (uint32_t)(at - params));
    }
    if (n == 4 && strncmp(name, "time", 4) == 0) {
        return dd_time(r->dag);
    }
    expect(r, "[");
    uint32_t k = (uint32_t)strtoul(r->s, (char **)&r->s, 10) - 1;
    expect(r, "]");
    return name[0] == 'C' ? dd_param(r->dag, C0 + k)
                          : dd_var(r->dag,
                                   (name[0] == 'l'   ? LAM
                                    : name[0] == 'Q' ? Q0
                                                     : P0) +
                                       k,
                                   0);
}

static UNUSED_OK dd_expr read_call(reader *r, const char *name, size_t n)
{
    dd_expr args[3];
    uint32_t count = 0;
    do {
        args[count++] = read_expr(r);
    } while (accept(r, ","));
    expect(r, ")");
    if (n == 4 && strncmp(name, "sqrt", 4) == 0) {
        return dd_sqrt(r->dag, args[0]);
    }
    if (n == 3 && strncmp(name, "der", 3) == 0) {
        return dd_total_derivative(r->dag, args[0], NULL, NULL);
    }
    for (dd_op op = DD_OP_SIN; op < DD_OP_COUNT; op++) {
        if (strlen(dd_op_name(op)) == n && strncmp(dd_op_name(op), name, n) == 0) {
            return dd_make(r->dag, op, args, count);
        }
    }
    fail_msg("unknown function at '%s'", name);
    return DD_EXPR_NONE;
}

static UNUSED_OK dd_expr read_primary(reader *r)
{
    if (accept(r, "(")) {
        dd_expr e = read_expr(r);
        expect(r, ")");
        return e;
    }
    const char *begin = r->s;
    while (*begin == ' ') {
        begin++;
    }
    r->s = begin;
    if (isdigit((unsigned char)*begin)) {
        strtod(begin, (char **)&r->s);
        return dd_decimal(r->dag, begin, (size_t)(r->s - begin));
    }
    while (isalnum((unsigned char)*r->s)) {
        r->s++;
    }
    size_t n = (size_t)(r->s - begin);
    if (n == 0) {
        fail_msg("expected a primary at '%s'", begin);
    }
    return accept(r, "(") ? read_call(r, begin, n) : read_name(r, begin, n);
}

static UNUSED_OK dd_expr read_factor(reader *r)
{
    dd_expr e = read_primary(r);
    return accept(r, "^") ? dd_pow(r->dag, e, read_primary(r)) : e;
}

static UNUSED_OK dd_expr read_term(reader *r)
{
    dd_expr e = read_factor(r);
    for (;;) {
        if (accept(r, "*")) {
            e = dd_mul(r->dag, e, read_factor(r));
        } else if (accept(r, "/")) {
            e = dd_div(r->dag, e, read_factor(r));
        } else {
            return e;
        }
    }
}

static UNUSED_OK dd_expr read_sum(reader *r)
{
    bool minus = accept(r, "-");
    dd_expr e = read_term(r);
    e = minus ? dd_neg(r->dag, e) : e;
    for (;;) {
        if (accept(r, "+")) {
            e = dd_add(r->dag, e, read_term(r));
        } else if (accept(r, "-")) {
            e = dd_sub(r->dag, e, read_term(r));
        } else {
            return e;
        }
    }
}

static UNUSED_OK dd_expr read_relation(reader *r)
{
    dd_expr a = read_sum(r);
    static const struct {
        const char *text;
        dd_op op;
        bool swap;
    } relations[] = {{"<>", DD_OP_NE, false}, {"<=", DD_OP_LE, false}, {">=", DD_OP_LE, true},
                     {"<", DD_OP_LT, false},  {">", DD_OP_LT, true},   {"==", DD_OP_EQ, false}};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        if (accept(r, relations[i].text)) {
            dd_expr b = read_sum(r);
            return dd_binary(r->dag, relations[i].op, relations[i].swap ? b : a, relations[i].swap ? a : b);
        }
    }
    return a;
}

static UNUSED_OK dd_expr read_and(reader *r)
{
    dd_expr e = accept(r, "not") ? dd_unary(r->dag, DD_OP_NOT, read_relation(r)) : read_relation(r);
    return accept(r, "and") ? dd_binary(r->dag, DD_OP_AND, e, read_and(r)) : e;
}

static UNUSED_OK dd_expr read_or(reader *r)
{
    dd_expr e = read_and(r);
    return accept(r, "or") ? dd_binary(r->dag, DD_OP_OR, e, read_or(r)) : e;
}

static UNUSED_OK dd_expr read_if(reader *r)
{
    dd_expr c = read_expr(r);
    expect(r, "then");
    dd_expr a = read_expr(r);
    if (accept(r, "elseif")) {
        return dd_if(r->dag, c, a, read_if(r));
    }
    expect(r, "else");
    return dd_if(r->dag, c, a, read_expr(r));
}

static UNUSED_OK dd_expr read_expr(reader *r)
{
    return accept(r, "if") ? read_if(r) : read_or(r);
}

static UNUSED_OK dd_expr parse(dd_dag *dag, const char *s)
{
    reader r = {dag, s};
    dd_expr e = read_expr(&r);
    if (*r.s != 0) {
        fail_msg("left over: '%s' of '%s'", r.s, s);
    }
    return e;
}

/* ---- values of dag expressions, node by node ---- */

/* values of VAR (id, order) and PARAM id, TIME */
typedef double (*value_fn)(void *user, dd_op op, uint32_t id, uint32_t order);

static UNUSED_OK double node_value(dd_dag *dag, dd_expr e, const double *a, value_fn leaf, void *user)
{
    uint32_t n = dd_arg_count(dag, e);
    double r = 0;
    switch (dd_op_of(dag, e)) {
    case DD_OP_NUM:
        return dd_num_value(dag, e);
    case DD_OP_VAR:
        return leaf(user, DD_OP_VAR, dd_symbol_id(dag, e), dd_symbol_order(dag, e));
    case DD_OP_PARAM:
        return leaf(user, DD_OP_PARAM, dd_symbol_id(dag, e), 0);
    case DD_OP_TIME:
        return leaf(user, DD_OP_TIME, 0, 0);
    case DD_OP_ADD:
        for (uint32_t i = 0; i < n; i++) {
            r += a[i];
        }
        return r;
    case DD_OP_MUL:
        r = 1;
        for (uint32_t i = 0; i < n; i++) {
            r *= a[i];
        }
        return r;
    case DD_OP_POW:
        return pow(a[0], a[1]);
#define APPLY(id, text, f, ...)                                                                                        \
    case DD_OP_##id:                                                                                                   \
        return f(a[0]);
        DD_ELEMENTARY_LIST(APPLY)
#undef APPLY
    case DD_OP_ABS:
        return fabs(a[0]);
    case DD_OP_SIGN:
        return (a[0] > 0) - (a[0] < 0);
    case DD_OP_FLOOR:
        return floor(a[0]);
    case DD_OP_CEIL:
        return ceil(a[0]);
    case DD_OP_ATAN2:
        return atan2(a[0], a[1]);
    case DD_OP_MIN:
        return a[0] <= a[1] ? a[0] : a[1];
    case DD_OP_MAX:
        return a[1] <= a[0] ? a[0] : a[1];
    case DD_OP_MOD:
        return a[0] - floor(a[0] / a[1]) * a[1];
    case DD_OP_LT:
        return a[0] < a[1];
    case DD_OP_LE:
        return a[0] <= a[1];
    case DD_OP_EQ:
        return a[0] == a[1];
    case DD_OP_NE:
        return a[0] != a[1];
    case DD_OP_AND:
        r = 1;
        for (uint32_t i = 0; i < n; i++) {
            r = r != 0 && a[i] != 0;
        }
        return r;
    case DD_OP_OR:
        for (uint32_t i = 0; i < n; i++) {
            r = r != 0 || a[i] != 0;
        }
        return r;
    case DD_OP_NOT:
        return a[0] == 0;
    case DD_OP_IF:
        return a[0] != 0 ? a[1] : a[2];
    case DD_OP_NOEVENT:
        return a[0];
    case DD_OP_HOMOTOPY:
    case DD_OP_DERIVED:
        return a[0];
    case DD_OP_COUNT:
        break;
    }
    fail();
    return 0;
}

static UNUSED_OK double dag_value(dd_dag *dag, dd_expr e, value_fn leaf, void *user)
{
    dd_walk walk = dd_walk_new(dag, &e, 1, 0);
    double *values = calloc(walk.n, sizeof *values), args[4096];
    for (uint32_t i = 0; i < walk.n; i++) {
        uint32_t n = dd_arg_count(dag, walk.nodes[i]);
        assert_true(n <= 4096);
        for (uint32_t k = 0; k < n; k++) {
            args[k] = values[dd_walk_place(dag, &walk, dd_arg(dag, walk.nodes[i], k))];
        }
        values[i] = node_value(dag, walk.nodes[i], args, leaf, user);
    }
    double result = values[walk.n - 1];
    free(values);
    dd_walk_free(dag, &walk);
    return result;
}

/* ---- random trees that know nothing of the dag ---- */

typedef struct tree {
    int op; /* a dd_op; -1: subtraction, -2: division, -3: negation, -4: square root */
    struct tree *a, *b, *c;
    double value;
    uint32_t id;
} tree;

enum { T_SUB = -1, T_DIV = -2, T_NEG = -3, T_SQRT = -4, N_VARS = 4, N_PARAMS = 2 };

static tree tree_store[4096];
static uint32_t tree_count;

static UNUSED_OK tree *new_tree(int op, tree *a, tree *b, tree *c)
{
    assert_true(tree_count < 4096);
    tree_store[tree_count] = (tree){op, a, b, c, 0, 0};
    return &tree_store[tree_count++];
}

static UNUSED_OK tree *random_leaf(void)
{
    static const double numbers[] = {0, 1, 2, -1, 3, 0.5, -2, 0.1, 4, 1.0 / 3};
    switch (random_below(5)) {
    case 0: {
        tree *t = new_tree(DD_OP_NUM, NULL, NULL, NULL);
        t->value = numbers[random_below(10)];
        return t;
    }
    case 1: {
        tree *t = new_tree(DD_OP_PARAM, NULL, NULL, NULL);
        t->id = random_below(N_PARAMS);
        return t;
    }
    default: {
        tree *t = new_tree(DD_OP_VAR, NULL, NULL, NULL);
        t->id = random_below(N_VARS);
        return t;
    }
    }
}

/* smooth: without jumps and kinks */
static UNUSED_OK tree *random_tree(uint32_t depth, bool smooth)
{
    static const int unary[] = {DD_OP_SIN,  DD_OP_COS,  DD_OP_TAN,   DD_OP_ASIN, DD_OP_ACOS,   DD_OP_ATAN, DD_OP_SINH,
                                DD_OP_COSH, DD_OP_TANH, DD_OP_EXP,   DD_OP_LOG,  DD_OP_LOG10,  T_SQRT,     T_NEG,
                                DD_OP_ABS,  DD_OP_SIGN, DD_OP_FLOOR, DD_OP_CEIL, DD_OP_NOEVENT};
    static const int rough[] = {DD_OP_MIN, DD_OP_MAX, DD_OP_MOD};
    if (depth == 0 || random_below(10) == 0) {
        return random_leaf();
    }
    uint32_t pick = random_below(20);
    tree *a = random_tree(depth - 1, smooth);
    if (pick < 5) {
        return new_tree(unary[random_below(smooth ? 14 : 19)], a, NULL, NULL);
    }
    tree *b = random_below(6) == 0 ? a : random_tree(depth - 1, smooth);
    if (pick < 8) {
        return new_tree(DD_OP_ADD, a, b, NULL);
    }
    if (pick < 10) {
        return new_tree(T_SUB, a, b, NULL);
    }
    if (pick < 13) {
        return new_tree(DD_OP_MUL, a, b, NULL);
    }
    if (pick < 15) {
        return new_tree(T_DIV, a, b, NULL);
    }
    if (pick < 17) {
        tree *exponent = random_below(3) == 0 ? b : new_tree(DD_OP_NUM, NULL, NULL, NULL);
        if (exponent != b) {
            exponent->value = (double)random_below(7) - 3;
        }
        return new_tree(DD_OP_POW, a, exponent, NULL);
    }
    if (pick == 17) {
        return new_tree(DD_OP_ATAN2, a, b, NULL);
    }
    if (smooth) {
        return new_tree(DD_OP_MUL, a, b, NULL);
    }
    if (pick == 18) {
        return new_tree(rough[random_below(3)], a, b, NULL);
    }
    tree *condition = new_tree(DD_OP_LT + (int)random_below(2), random_tree(1, smooth), random_tree(1, smooth), NULL);
    if (random_below(3) == 0) {
        tree *other = new_tree(DD_OP_LT, random_tree(1, smooth), random_tree(1, smooth), NULL);
        condition = new_tree(random_below(2) ? DD_OP_AND : DD_OP_OR, condition, other, NULL);
        condition = random_below(2) ? condition : new_tree(DD_OP_NOT, condition, NULL, NULL);
    }
    return new_tree(DD_OP_IF, condition, a, b);
}

static UNUSED_OK dd_expr tree_to_dag(dd_dag *dag, const tree *t)
{
    dd_expr a = t->a ? tree_to_dag(dag, t->a) : 0, b = t->b ? tree_to_dag(dag, t->b) : 0;
    switch (t->op) {
    case DD_OP_NUM:
        return dd_num(dag, t->value);
    case DD_OP_VAR:
        return dd_var(dag, t->id, 0);
    case DD_OP_PARAM:
        return dd_param(dag, t->id);
    case T_SUB:
        return dd_sub(dag, a, b);
    case T_DIV:
        return dd_div(dag, a, b);
    case T_NEG:
        return dd_neg(dag, a);
    case T_SQRT:
        return dd_sqrt(dag, a);
    default:
        break;
    }
    dd_expr args[3] = {a, b, t->c ? tree_to_dag(dag, t->c) : 0};
    return dd_make(dag, (dd_op)t->op, args, t->c ? 3 : t->b ? 2 : 1);
}

typedef struct point {
    double complex var[N_VARS];
    double param[N_PARAMS];
} point;

/* The value with a complex perturbation of the variables: the imaginary part is the derivative. bad is set where the
 * value is not defined (or an intermediate one is huge). */
static UNUSED_OK double complex tree_value(const tree *t, const point *p, bool *bad)
{
    double complex a = 0, b = 0, f = 0;
    if (t->op == DD_OP_IF) {
        return creal(tree_value(t->a, p, bad)) != 0 ? tree_value(t->b, p, bad) : tree_value(t->c, p, bad);
    }
    a = t->a ? tree_value(t->a, p, bad) : 0;
    b = t->b ? tree_value(t->b, p, bad) : 0;
    double x = creal(a), y = creal(b);
    switch (t->op) {
    case DD_OP_NUM:
        f = t->value;
        break;
    case DD_OP_VAR:
        f = p->var[t->id];
        break;
    case DD_OP_PARAM:
        f = p->param[t->id];
        break;
    case DD_OP_ADD:
        f = a + b;
        break;
    case T_SUB:
        f = a - b;
        break;
    case DD_OP_MUL:
        f = a * b;
        break;
    case T_DIV:
        f = a / b;
        *bad = *bad || fabs(y) < 1e-6;
        break;
    case T_NEG:
        f = -a;
        break;
    case T_SQRT:
        f = csqrt(a);
        *bad = *bad || x <= 1e-6;
        break;
    case DD_OP_POW:
        f = pow(x, y) + I * (cimag(a) * y * pow(x, y - 1) + (cimag(b) != 0 ? cimag(b) * pow(x, y) * log(x) : 0));
        *bad = *bad || fabs(x) < 1e-6 || !isfinite(pow(x, y)) || (x < 0 && t->b->op != DD_OP_NUM);
        break;
    case DD_OP_SIN:
        f = csin(a);
        break;
    case DD_OP_COS:
        f = ccos(a);
        break;
    case DD_OP_TAN:
        f = ctan(a);
        break;
    case DD_OP_ASIN:
        f = asin(x) + I * cimag(a) / sqrt(1 - x * x);
        *bad = *bad || fabs(x) > 0.999;
        break;
    case DD_OP_ACOS:
        f = acos(x) - I * cimag(a) / sqrt(1 - x * x);
        *bad = *bad || fabs(x) > 0.999;
        break;
    case DD_OP_ATAN:
        f = catan(a);
        break;
    case DD_OP_SINH:
        f = csinh(a);
        break;
    case DD_OP_COSH:
        f = ccosh(a);
        break;
    case DD_OP_TANH:
        f = ctanh(a);
        break;
    case DD_OP_EXP:
        f = cexp(a);
        break;
    case DD_OP_LOG:
        f = clog(a);
        *bad = *bad || x <= 1e-6;
        break;
    case DD_OP_LOG10:
        f = clog(a) / log(10);
        *bad = *bad || x <= 1e-6;
        break;
    case DD_OP_ATAN2:
        f = atan2(x, y) + I * (y * cimag(a) - x * cimag(b)) / (x * x + y * y);
        *bad = *bad || x * x + y * y < 1e-6 || (fabs(x) < 1e-6 && y < 0);
        break;
    case DD_OP_ABS:
        f = x < 0 ? -a : a;
        *bad = *bad || fabs(x) < 1e-6;
        break;
    case DD_OP_SIGN:
        f = (x > 0) - (x < 0);
        *bad = *bad || fabs(x) < 1e-6;
        break;
    case DD_OP_FLOOR:
        f = floor(x);
        *bad = *bad || fabs(x - rint(x)) < 1e-6;
        break;
    case DD_OP_CEIL:
        f = ceil(x);
        *bad = *bad || fabs(x - rint(x)) < 1e-6;
        break;
    case DD_OP_MIN:
        f = x <= y ? a : b;
        *bad = *bad || fabs(x - y) < 1e-6;
        break;
    case DD_OP_MAX:
        f = x >= y ? a : b;
        *bad = *bad || fabs(x - y) < 1e-6;
        break;
    case DD_OP_MOD:
        f = a - floor(x / y) * b;
        *bad = *bad || fabs(y) < 1e-6 || fabs(x / y - rint(x / y)) < 1e-6;
        break;
    case DD_OP_LT:
        f = x < y;
        *bad = *bad || fabs(x - y) < 1e-9;
        break;
    case DD_OP_LE:
        f = x <= y;
        *bad = *bad || fabs(x - y) < 1e-9;
        break;
    case DD_OP_AND:
        f = x != 0 && y != 0;
        break;
    case DD_OP_OR:
        f = x != 0 || y != 0;
        break;
    case DD_OP_NOT:
        f = x == 0;
        break;
    case DD_OP_NOEVENT:
        f = a;
        break;
    default:
        fail();
    }
    *bad = *bad || !(fabs(creal(f)) < 1e6) || !isfinite(cimag(f));
    return f;
}

static UNUSED_OK point random_point(void)
{
    point p;
    for (int i = 0; i < N_VARS; i++) {
        p.var[i] = random_between(-2, 2);
    }
    for (int i = 0; i < N_PARAMS; i++) {
        p.param[i] = random_between(-2, 2);
    }
    return p;
}

static UNUSED_OK double point_leaf(void *user, dd_op op, uint32_t id, uint32_t order)
{
    const point *p = user;
    assert_int_equal(order, 0);
    return op == DD_OP_VAR ? creal(p->var[id]) : p->param[id];
}

/* |a - b| small against scale and both */
static UNUSED_OK bool close_to(double a, double b, double scale, double tolerance)
{
    return fabs(a - b) <= tolerance * (scale + fabs(a) + fabs(b));
}

#endif
