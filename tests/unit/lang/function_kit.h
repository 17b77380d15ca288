/* function_kit.h - functions parsed from text, called with the variables of a small model, and their values as numbers.
 *
 * x = 0.7, y = -1.3, z = 2.1, v = {0.3, -0.8, 1.1}, w = {1.2, 0.4, -0.5}, A = [2, 1, 0.5; 1, 3, -1; 0.25, -1, 4];
 * parameters: Real k = 2, Real h = -0.5, Integer n = 3, Boolean b = true, Real c[2] = {1.5, -2}. */
#ifndef FUNCTION_KIT_H
#define FUNCTION_KIT_H

#include <math.h>

#include "lang_kit.h"

#include "expr/value.h"
#include "lang/function_private.h"
#include "lang/parser.h"

#define MOST_VALUES 64

typedef struct fkit {
    dd_context *ctx;
    dd_pool *pool, *syntax;
    dd_model *m;
    dd_functions *fs;
    dd_library *library;
    dd_elaborator e;
    const char *classes; /* the text of the functions */
    double nudge;        /* added to variable number `nudged` */
    uint32_t nudged;
    void (*body)(struct fkit *k);
} fkit;

static const struct {
    const char *name;
    uint8_t ndim;
    uint32_t dims[2];
    dd_var_kind kind;
    dd_base_type type;
    double values[9];
} declared[] = {
    {"x", 0, {0}, DD_KIND_VARIABLE, DD_TYPE_REAL, {0.7}},
    {"y", 0, {0}, DD_KIND_VARIABLE, DD_TYPE_REAL, {-1.3}},
    {"z", 0, {0}, DD_KIND_VARIABLE, DD_TYPE_REAL, {2.1}},
    {"v", 1, {3}, DD_KIND_VARIABLE, DD_TYPE_REAL, {0.3, -0.8, 1.1}},
    {"w", 1, {3}, DD_KIND_VARIABLE, DD_TYPE_REAL, {1.2, 0.4, -0.5}},
    {"A", 2, {3, 3}, DD_KIND_VARIABLE, DD_TYPE_REAL, {2, 1, 0.5, 1, 3, -1, 0.25, -1, 4}},
    {"k", 0, {0}, DD_KIND_PARAMETER, DD_TYPE_REAL, {2}},
    {"h", 0, {0}, DD_KIND_PARAMETER, DD_TYPE_REAL, {-0.5}},
    {"n", 0, {0}, DD_KIND_PARAMETER, DD_TYPE_INTEGER, {3}},
    {"b", 0, {0}, DD_KIND_PARAMETER, DD_TYPE_BOOLEAN, {1}},
    {"c", 1, {2}, DD_KIND_PARAMETER, DD_TYPE_REAL, {1.5, -2}},
};

static void fkit_declare(fkit *k)
{
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++) {
        uint32_t array = dd_model_add_array(k->m, declared[i].name, declared[i].dims, declared[i].ndim,
                                            declared[i].kind, declared[i].type, DD_NO_SPAN);
        const dd_array *a = &k->m->arrays.data[array];
        for (uint32_t j = 0; j < a->size; j++) {
            k->m->vars.data[a->first + j].value = declared[i].values[j];
            k->m->vars.data[a->first + j].has_value = declared[i].kind == DD_KIND_PARAMETER;
        }
    }
}

static double fkit_number(void *user, dd_expr symbol)
{
    const fkit *k = user;
    if (dd_op_of(k->m->dag, symbol) == DD_OP_TIME) {
        return 0.25;
    }
    uint32_t var = dd_symbol_id(k->m->dag, symbol);
    return k->m->vars.data[var].value + (var == k->nudged ? k->nudge : 0);
}

/* A constant of a package, or a variable of the model. */
static dd_form fkit_reference(void *user, dd_ast_class *scope, dd_form f)
{
    fkit *k = user;
    dd_form_node node = *dd_form_get(k->m->forms, f);
    (void)scope;
    const char *name = node.op == DD_FORM_NAME ? dd_names_get(k->m->names, node.payload) : "";
    uint32_t array = dd_model_find_array(k->m, name);
    if (array == DD_NO_INDEX) {
        dd_error(k->ctx, node.span, "%s is not declared", name);
        return DD_FORM_NONE;
    }
    dd_form args[8];
    for (uint32_t i = 0; i < node.nargs; i++) {
        args[i] = dd_form_arg(k->m->forms, f, i);
    }
    return dd_form_new(k->m->forms, DD_FORM_REF, 0, k->m->arrays.data[array].symbol, args, node.nargs, node.span);
}

static dd_element fkit_lookup(void *user, dd_ast_class *scope, const dd_ast_name *name)
{
    fkit *k = user;
    return dd_function_scope_of(k->library).lookup(k->library, scope, name);
}

static dd_ast_class *fkit_base(void *user, dd_ast_class *class, const dd_ast_extends *extends)
{
    fkit *k = user;
    return dd_function_scope_of(k->library).base(k->library, class, extends);
}

static const char *fkit_full_name(void *user, const dd_ast_class *class, dd_pool *pool)
{
    return dd_class_full_name(((fkit *)user)->library, class, pool);
}

static void fkit_body(void *arg)
{
    fkit *k = arg;
    k->syntax = dd_pool_child(k->pool);
    k->m = dd_model_create(k->ctx, k->pool, "M");
    dd_ast_file *file = dd_pool_alloc(k->syntax, sizeof *file);
    uint32_t source = dd_source_add(k->ctx, "test.mo", k->classes, strlen(k->classes));
    dd_parser parser = dd_parser_new(k->ctx, k->syntax, k->m->forms, source, 0);
    dd_parse_file(&parser, file);
    if (dd_context_error_count(k->ctx) > 0) {
        dd_raise(k->ctx, DD_INVALID_MODEL, "%s", dd_context_diagnostic(k->ctx, 0).message);
    }
    k->library = dd_library_new(k->syntax, k->m->forms, file, source, NULL);
    fkit_declare(k);
    dd_function_scope scope = {
        .user = k, .reference = fkit_reference, .lookup = fkit_lookup, .base = fkit_base, .full_name = fkit_full_name};
    k->fs = dd_functions_new(k->m, scope);
    k->e = dd_elaborator_new(k->m, k->syntax);
    k->e.functions = k->fs;
    k->nudged = UINT32_MAX;
    k->body(k);
}

static inline void fkit_run(const char *classes, void (*body)(fkit *k))
{
    fkit k = {.classes = classes, .body = body};
    assert_int_equal(dd_context_new(&k.ctx, NULL), DD_OK);
    k.pool = dd_pool_new(k.ctx);
    dd_status status = dd_protect(k.ctx, fkit_body, &k);
    if (status != DD_OK) {
        fail_msg("raised %s: %s", dd_status_name(status), dd_context_message(k.ctx));
    }
    dd_pool_free(k.pool);
    dd_context_free(k.ctx);
}

static inline void fkit_print(const fkit *k)
{
    char text[2000];
    for (size_t i = 0; i < dd_context_diagnostic_count(k->ctx); i++) {
        dd_context_format_diagnostic(k->ctx, i, text, sizeof text);
        print_message("%s", text);
    }
}

/* The text as a resolved form. */
static inline dd_form fkit_form(fkit *k, const char *text)
{
    dd_form lhs, rhs;
    uint32_t source = dd_source_add(k->ctx, "expression", text, strlen(text));
    dd_parser parser = dd_parser_new(k->ctx, k->syntax, k->m->forms, source, 0);
    if (!dd_parse_equation_text(&parser, &lhs, &rhs)) {
        return DD_FORM_NONE;
    }
    return dd_function_resolve_form(k->fs, NULL, lhs);
}

/* The value of the text; all its leaves. */
static inline bool fkit_leaves(fkit *k, const char *text, dd_leaf **leaves, uint32_t *n)
{
    dd_form f = fkit_form(k, text);
    return f != DD_FORM_NONE && dd_elaborate_leaves(&k->e, f, NULL, leaves, n);
}

/* The scalars of the text, one behind the other. */
static inline uint32_t fkit_exprs(fkit *k, const char *text, dd_expr *out)
{
    dd_leaf *leaves;
    uint32_t n, count = 0;
    if (!fkit_leaves(k, text, &leaves, &n)) {
        fkit_print(k);
        fail_msg("%s has no value", text);
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < leaves[i].value.size; j++) {
            assert_true(count < MOST_VALUES);
            out[count++] = leaves[i].value.elems[j];
        }
    }
    return count;
}

static inline void fkit_check(fkit *k, const char *text, uint32_t n, const double *expected)
{
    dd_expr found[MOST_VALUES];
    uint32_t count = fkit_exprs(k, text, found);
    if (count != n) {
        fail_msg("%s has %u scalars, not %u", text, count, n);
    }
    for (uint32_t i = 0; i < n; i++) {
        double value = dd_value_of(k->m->dag, found[i], fkit_number, k, k->syntax);
        if (!(fabs(value - expected[i]) <= 1e-12 * (1 + fabs(expected[i])))) {
            fail_msg("%s: scalar %u is %.17g, not %.17g", text, i + 1, value, expected[i]);
        }
    }
}

#define CHECK(k, text, ...)                                                                                            \
    fkit_check((k), (text), (uint32_t)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__})

/* Derivatives of all scalars by all variables against central differences. */
static inline void fkit_check_derivatives(fkit *k, const char *text)
{
    dd_expr found[MOST_VALUES];
    uint32_t count = fkit_exprs(k, text, found);
    for (uint32_t var = 0; var < k->m->vars.len; var++) {
        if (k->m->vars.data[var].kind != DD_KIND_VARIABLE) {
            continue;
        }
        for (uint32_t i = 0; i < count; i++) {
            dd_expr partial = dd_diff(k->m->dag, found[i], dd_model_symbol(k->m, var));
            double exact = dd_value_of(k->m->dag, partial, fkit_number, k, k->syntax), step = 1e-5;
            k->nudged = var;
            k->nudge = step;
            double above = dd_value_of(k->m->dag, found[i], fkit_number, k, k->syntax);
            k->nudge = -step;
            double below = dd_value_of(k->m->dag, found[i], fkit_number, k, k->syntax);
            k->nudged = UINT32_MAX;
            if (!(fabs((above - below) / (2 * step) - exact) <= 1e-8 * (1 + fabs(exact)))) {
                fail_msg("%s: derivative of scalar %u by %u is %.12g, not %.12g", text, i + 1, var, exact,
                         (above - below) / (2 * step));
            }
        }
    }
}

/* The text has no value, and the first message says this. */
static inline void fkit_expect_error(fkit *k, const char *text, const char *part)
{
    dd_leaf *leaves;
    uint32_t n;
    size_t before = dd_context_diagnostic_count(k->ctx);
    if (fkit_leaves(k, text, &leaves, &n)) {
        fail_msg("%s has a value", text);
    }
    if (dd_context_diagnostic_count(k->ctx) == before) {
        fail_msg("%s: nothing is reported", text);
    }
    const char *message = dd_context_diagnostic(k->ctx, before).message;
    if (strstr(message, part) == NULL) {
        fail_msg("%s: reported is `%s`, not `%s`", text, message, part);
    }
}

#endif
