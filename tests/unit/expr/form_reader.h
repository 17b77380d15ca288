/* form_reader.h - for tests of forms: a small model to refer to, and a reader of expressions that is independent of
 * the product's parser. Operators, calls, arrays, matrices, comprehensions, subscripts and point values; one token at
 * a time. */
#ifndef DD_TESTS_FORM_READER_H
#define DD_TESTS_FORM_READER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/model.h"

typedef struct reader {
    dd_model *m;
    const char *at;
    const char *loop_names[32];
    uint32_t loops[32], n_loops;
    bool tolerant, failed; /* tolerant: a wrong text sets failed and ends, instead of failing the test */
} reader;

static dd_form read_expression(reader *r);

static inline dd_form form_of(reader *r, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args, uint32_t n)
{
    return dd_form_new(r->m->forms, op, sub, payload, args, n, DD_NO_SPAN);
}

static inline dd_form form_of2(reader *r, dd_form_op op, uint8_t sub, dd_form a, dd_form b)
{
    return form_of(r, op, sub, 0, (dd_form[]){a, b}, 2);
}

static inline void skip_blanks(reader *r)
{
    while (*r->at == ' ') {
        r->at++;
    }
}

static inline bool word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Takes the symbol or word when it is next. */
static bool take(reader *r, const char *token)
{
    size_t n = strlen(token);
    skip_blanks(r);
    if (strncmp(r->at, token, n) != 0 || (word_character(token[0]) && word_character(r->at[n]))) {
        return false;
    }
    r->at += n;
    return true;
}

static void wrong(reader *r, const char *what)
{
    if (!r->tolerant) {
        fail_msg("%s at %s", what, r->at);
    }
    r->failed = true;
    r->at = "";
}

static void expect(reader *r, const char *token)
{
    if (!take(r, token)) {
        wrong(r, token);
    }
}

static uint32_t read_list(reader *r, const char *close, dd_form args[64])
{
    uint32_t n = 0;
    while (!take(r, close) && !r->failed && n < 64) {
        if (n > 0) {
            expect(r, ",");
        }
        args[n++] = take(r, ":") ? form_of(r, DD_FORM_COLON, 0, 0, NULL, 0) : read_expression(r);
    }
    return n;
}

static const char *read_word(reader *r)
{
    skip_blanks(r);
    const char *from = r->at;
    if (*r->at == '\'' && strchr(r->at + 1, '\'') != NULL) {
        r->at = strchr(r->at + 1, '\'') + 1;
    } else {
        while (word_character(*r->at)) {
            r->at++;
        }
    }
    return dd_pool_strndup(r->m->pool, from, (size_t)(r->at - from));
}

/* Is there a ` for ` before this bracket closes? Then its loop variables must be known before the body is read. */
static const char *find_for(const char *at)
{
    int depth = 0;
    for (; *at != 0 && depth >= 0; at++) {
        depth += (*at == '(' || *at == '{' || *at == '[') - (*at == ')' || *at == '}' || *at == ']');
        if (depth == 0 && strncmp(at, " for ", 5) == 0) {
            return at;
        }
        if (depth == 0 && *at == ',') {
            return NULL;
        }
    }
    return NULL;
}

static dd_form read_comprehension(reader *r, const char *iterators, uint8_t sub, const char *close)
{
    dd_form args[16];
    uint32_t n = 1, known = r->n_loops;
    const char *body = r->at;
    r->at = iterators;
    expect(r, "for");
    do {
        const char *name = read_word(r);
        uint32_t loop = dd_forms_add_loop(r->m->forms, dd_names_intern(r->m->names, name, strlen(name)));
        expect(r, "in");
        args[n++] = form_of(r, DD_FORM_LOOP, 0, loop, NULL, 0);
        args[n++] = read_expression(r);
        r->loop_names[r->n_loops] = name;
        r->loops[r->n_loops++] = loop;
    } while (take(r, ","));
    const char *after = r->at;
    r->at = body;
    args[0] = read_expression(r);
    r->at = after;
    expect(r, close);
    r->n_loops = known;
    return form_of(r, DD_FORM_COMPREHENSION, sub, 0, args, n);
}

static dd_form read_call(reader *r, const char *name)
{
    dd_form args[64];
    const char *iterators = find_for(r->at);
    uint32_t n = 1;
    if (iterators != NULL) {
        args[0] = read_comprehension(r, iterators, 1, ")");
    } else {
        n = read_list(r, ")", args);
    }
    if (strcmp(name, "der") == 0) {
        return form_of(r, DD_FORM_DER, 0, 0, args, n);
    }
    for (uint8_t fn = 0; fn < DD_FN_COUNT; fn++) {
        if (strcmp(dd_builtin_of((dd_form_fn)fn).name, name) == 0) {
            return form_of(r, DD_FORM_CALL, fn, 0, args, n);
        }
    }
    wrong(r, name);
    return dd_form_number(r->m->forms, 0, DD_NO_SPAN);
}

static dd_form read_reference(reader *r)
{
    dd_form args[64];
    const char *name = read_word(r);
    if (strcmp(name, "time") == 0 || strcmp(name, "end") == 0) {
        return form_of(r, name[0] == 't' ? DD_FORM_TIME : DD_FORM_END, 0, 0, NULL, 0);
    }
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0) {
        return form_of(r, DD_FORM_BOOL, 0, name[0] == 't', NULL, 0);
    }
    for (uint32_t i = r->n_loops; i-- > 0;) {
        if (strcmp(r->loop_names[i], name) == 0) {
            return form_of(r, DD_FORM_LOOP, 0, r->loops[i], NULL, 0);
        }
    }
    uint32_t array = dd_model_find_array(r->m, name);
    if (array == DD_NO_INDEX) {
        expect(r, "(");
        return read_call(r, name);
    }
    uint32_t n = take(r, "[") ? read_list(r, "]", args) : 0;
    dd_form f = form_of(r, DD_FORM_REF, 0, r->m->arrays.data[array].symbol, args, n);
    if (take(r, "(")) {
        f = form_of2(r, DD_FORM_POINT, 0, f, read_expression(r));
        expect(r, ")");
    }
    return f;
}

static dd_form read_braces(reader *r)
{
    dd_form args[64];
    const char *iterators = find_for(r->at);
    if (iterators != NULL) {
        return read_comprehension(r, iterators, 0, "}");
    }
    uint32_t n = read_list(r, "}", args);
    return form_of(r, DD_FORM_ARRAY, 0, 0, args, n);
}

static dd_form read_matrix(reader *r)
{
    dd_form rows[16], args[16];
    uint32_t n = 0, k;
    do {
        k = 0;
        do {
            args[k++] = read_expression(r);
        } while (take(r, ","));
        rows[n++] = form_of(r, DD_FORM_ROW, 0, 0, args, k);
    } while (take(r, ";"));
    expect(r, "]");
    return form_of(r, DD_FORM_MATRIX, 0, 0, rows, n);
}

static dd_form read_primary(reader *r)
{
    skip_blanks(r);
    if (*r->at >= '0' && *r->at <= '9') {
        const char *from = r->at;
        dd_number_parse(from, &r->at);
        return form_of(r, DD_FORM_NUM, 0, dd_names_intern(r->m->names, from, (size_t)(r->at - from)), NULL, 0);
    }
    if (take(r, "(")) {
        dd_form f = read_expression(r);
        expect(r, ")");
        return f;
    }
    return take(r, "{") ? read_braces(r) : take(r, "[") ? read_matrix(r) : read_reference(r);
}

static dd_form read_power(reader *r)
{
    dd_form f = read_primary(r);
    if (take(r, ".^")) {
        return form_of2(r, DD_FORM_EPOW, 0, f, read_primary(r));
    }
    return take(r, "^") ? form_of2(r, DD_FORM_POW, 0, f, read_primary(r)) : f;
}

static dd_form read_product(reader *r)
{
    dd_form f = read_power(r);
    for (;;) {
        if (take(r, "*")) {
            f = form_of2(r, DD_FORM_MUL, 0, f, read_power(r));
        } else if (take(r, "/")) {
            f = form_of2(r, DD_FORM_DIV, 0, f, read_power(r));
        } else if (take(r, ".*")) {
            f = form_of2(r, DD_FORM_EMUL, 0, f, read_power(r));
        } else if (take(r, "./")) {
            f = form_of2(r, DD_FORM_EDIV, 0, f, read_power(r));
        } else {
            return f;
        }
    }
}

static dd_form read_sum(reader *r)
{
    dd_form local[64];
    uint32_t n = 1;
    bool minus = take(r, "-");
    local[0] = read_product(r);
    local[0] = minus ? form_of(r, DD_FORM_NEG, 0, 0, local, 1) : local[0];
    for (;;) {
        bool elementwise = (skip_blanks(r), r->at[0] == '.' && (r->at[1] == '+' || r->at[1] == '-'));
        if (elementwise) {
            dd_form left = n > 1 ? form_of(r, DD_FORM_SUM, 0, 0, local, n) : local[0];
            dd_form_op op = r->at[1] == '+' ? DD_FORM_EADD : DD_FORM_ESUB;
            r->at += 2;
            local[0] = form_of2(r, op, 0, left, read_product(r));
            n = 1;
        } else if (take(r, "+")) {
            local[n++] = read_product(r);
        } else if (take(r, "-")) {
            dd_form term = read_product(r);
            local[n++] = form_of(r, DD_FORM_NEG, 0, 0, &term, 1);
        } else {
            return n > 1 ? form_of(r, DD_FORM_SUM, 0, 0, local, n) : local[0];
        }
        assert_true(n < 64);
    }
}

static dd_form read_relation(reader *r)
{
    static const char *const symbols[] = {"<=", ">=", "<>", "==", "<", ">"};
    static const uint8_t relations[] = {DD_REL_LE, DD_REL_GE, DD_REL_NE, DD_REL_EQ, DD_REL_LT, DD_REL_GT};
    dd_form a = read_sum(r);
    for (uint32_t i = 0; i < 6; i++) {
        if (take(r, symbols[i])) {
            return form_of2(r, DD_FORM_REL, relations[i], a, read_sum(r));
        }
    }
    return a;
}

static dd_form read_not(reader *r)
{
    if (!take(r, "not")) {
        return read_relation(r);
    }
    dd_form f = read_relation(r);
    return form_of(r, DD_FORM_NOT, 0, 0, &f, 1);
}

static dd_form read_logical(reader *r, const char *word, dd_form_op op, dd_form (*operand)(reader *))
{
    dd_form args[16] = {operand(r)};
    uint32_t n = 1;
    while (take(r, word)) {
        args[n++] = operand(r);
    }
    return n == 1 ? args[0] : form_of(r, op, 0, 0, args, n);
}

static dd_form read_and(reader *r)
{
    return read_logical(r, "and", DD_FORM_AND, read_not);
}

static dd_form read_range(reader *r)
{
    dd_form args[3];
    uint32_t n = 0;
    do {
        args[n++] = read_logical(r, "or", DD_FORM_OR, read_and);
    } while (n < 3 && take(r, ":"));
    return n == 1 ? args[0] : form_of(r, DD_FORM_RANGE, 0, 0, args, n);
}

static dd_form read_expression(reader *r)
{
    dd_form args[16];
    uint32_t n = 0;
    if (!take(r, "if")) {
        return read_range(r);
    }
    do {
        args[n++] = read_expression(r);
        expect(r, "then");
        args[n++] = read_expression(r);
    } while (take(r, "elseif"));
    expect(r, "else");
    args[n++] = read_expression(r);
    return form_of(r, DD_FORM_IF, 0, 0, args, n);
}

static dd_form read_form(reader *r, const char *text)
{
    r->at = text;
    dd_form f = read_expression(r);
    skip_blanks(r);
    if (*r->at != 0) {
        wrong(r, "left over");
    }
    return f;
}

/* Binds a loop variable for reading; its number goes into the environment. */
static inline uint32_t reader_loop(reader *r, const char *name)
{
    uint32_t loop = dd_forms_add_loop(r->m->forms, dd_names_intern(r->m->names, name, strlen(name)));
    r->loop_names[r->n_loops] = name;
    r->loops[r->n_loops++] = loop;
    return loop;
}

/* ---- a model to speak about ---- */

static inline uint32_t declare(dd_model *m, const char *name, dd_var_kind kind, dd_base_type type, uint8_t ndim,
                               uint32_t n1, uint32_t n2)
{
    return dd_model_add_array(m, name, (uint32_t[]){n1, n2}, ndim, kind, type, DD_NO_SPAN);
}

static inline uint32_t declare_parameter(dd_model *m, const char *name, dd_base_type type, double value)
{
    uint32_t array = declare(m, name, DD_KIND_PARAMETER, type, 0, 0, 0);
    m->vars.data[m->arrays.data[array].first].value = value;
    m->vars.data[m->arrays.data[array].first].has_value = true;
    return array;
}

/* Says that array `velocity` is the derivative of `position`. */
static inline void declare_velocity(dd_model *m, uint32_t position, uint32_t velocity)
{
    dd_forms_symbol(m->forms, m->arrays.data[position].symbol)->velocity = m->arrays.data[velocity].symbol;
}

/* Scalars x y s th with velocities vx vy vs w, z without; vectors p q (3) with v u, r (3) without, e (2); matrices A
 * (3 x 3), B (2 x 3), C (3 x 3, a parameter); parameters L m g, vector d (3), integers n = 3, from = {3, 1, 2};
 * Boolean parameter b. */
static inline void standard_model(dd_model *m)
{
    static const char *const scalars[][2] = {{"x", "vx"}, {"y", "vy"}, {"s", "vs"}, {"th", "w"}};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t position = declare(m, scalars[i][0], DD_KIND_VARIABLE, DD_TYPE_REAL, 0, 0, 0);
        declare_velocity(m, position, declare(m, scalars[i][1], DD_KIND_VARIABLE, DD_TYPE_REAL, 0, 0, 0));
    }
    declare(m, "z", DD_KIND_VARIABLE, DD_TYPE_REAL, 0, 0, 0);
    uint32_t p = declare(m, "p", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 3, 0);
    declare_velocity(m, p, declare(m, "v", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 3, 0));
    uint32_t q = declare(m, "q", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 3, 0);
    declare_velocity(m, q, declare(m, "u", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 3, 0));
    declare(m, "r", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 3, 0);
    declare(m, "e", DD_KIND_VARIABLE, DD_TYPE_REAL, 1, 2, 0);
    declare(m, "A", DD_KIND_VARIABLE, DD_TYPE_REAL, 2, 3, 3);
    declare(m, "B", DD_KIND_VARIABLE, DD_TYPE_REAL, 2, 2, 3);
    uint32_t c = declare(m, "C", DD_KIND_PARAMETER, DD_TYPE_REAL, 2, 3, 3),
             d = declare(m, "d", DD_KIND_PARAMETER, DD_TYPE_REAL, 1, 3, 0);
    uint32_t from = declare(m, "from", DD_KIND_PARAMETER, DD_TYPE_INTEGER, 1, 3, 0);
    for (uint32_t k = 0; k < 9; k++) {
        dd_variable *of_c = &m->vars.data[m->arrays.data[c].first + k];
        of_c->has_value = true;
        of_c->value = 0.3 * (double)k - 1;
        if (k < 3) {
            dd_variable *of_d = &m->vars.data[m->arrays.data[d].first + k],
                        *of_from = &m->vars.data[m->arrays.data[from].first + k];
            of_d->has_value = of_from->has_value = true;
            of_d->value = 1.5 - (double)k;
            of_from->value = k == 0 ? 3 : k;
        }
    }
    declare_parameter(m, "L", DD_TYPE_REAL, 0.7);
    declare_parameter(m, "m", DD_TYPE_REAL, 1.3);
    declare_parameter(m, "g", DD_TYPE_REAL, 9.81);
    declare_parameter(m, "n", DD_TYPE_INTEGER, 3);
    declare_parameter(m, "b", DD_TYPE_BOOLEAN, 1);
    declare(m, "'a.b'", DD_KIND_VARIABLE, DD_TYPE_REAL, 0, 0, 0);
}

/* ---- one test in a protected pool ---- */

typedef struct fixture {
    dd_context *ctx;
    dd_pool *pool;
    dd_model *m;
    reader r;
    void (*body)(struct fixture *fix);
} fixture;

static inline void fixture_body(void *arg)
{
    fixture *fix = arg;
    fix->m = dd_model_create(fix->ctx, fix->pool, "Test");
    fix->r = (reader){.m = fix->m};
    standard_model(fix->m);
    fix->body(fix);
}

static inline void run_fixture(void (*body)(fixture *))
{
    fixture fix = {.body = body};
    assert_int_equal(dd_context_new(&fix.ctx, NULL), DD_OK);
    fix.pool = dd_pool_new(fix.ctx);
    dd_status status = dd_protect(fix.ctx, fixture_body, &fix);
    if (status != DD_OK) {
        fail_msg("raised %s: %s", dd_status_name(status), dd_context_message(fix.ctx));
    }
    dd_pool_free(fix.pool);
    dd_context_free(fix.ctx);
}

/* The cmocka test `test_name` out of `static void check_name(fixture *fix)`. */
#define FIXTURE_TEST(name)                                                                                             \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        run_fixture(check_##name);                                                                                     \
    }

static inline const char *text_of(fixture *fix, dd_form f, const dd_form_env *env)
{
    dd_text text = dd_text_new(fix->pool);
    dd_form_print(fix->m->forms, f, env, &text);
    return dd_text_str(&text);
}

#endif
