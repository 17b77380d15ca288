/* test_parser.c - the shapes of parsed expressions and classes, and the limits of the parser. */
#include <stdlib.h>

#include "lang_kit.h"

#include "lang/parser.h"

typedef struct parsed {
    dd_context *ctx;
    dd_pool *pool;
    dd_names *names;
    dd_forms *forms;
    const char *text;
    size_t length;
    bool whole_file;
    dd_form f;
    dd_ast_file file;
    dd_text printed;
} parsed;

/* A form as nested names: (SUM x (NEG y)). */
static void sketch(parsed *p, dd_form f, dd_text *out)
{
    static const char *const ops[DD_FORM_OP_COUNT] = {
        "NUM",     "BOOL",  "STRING",    "NAME",  "PATH",  "REF",    "LOOP", "TIME",         "COLON",        "END",
        "NEG",     "SUM",   "MUL",       "DIV",   "POW",   "EADD",   "ESUB", "EMUL",         "EDIV",         "EPOW",
        "REL",     "AND",   "OR",        "NOT",   "IF",    "DER",    "CALL", "UNKNOWN_CALL", "USER_CALL",    "LOCAL",
        "ELEMENT", "TUPLE", "NAMED_ARG", "POINT", "ARRAY", "MATRIX", "ROW",  "RANGE",        "COMPREHENSION"};
    dd_form_node node = *dd_form_get(p->forms, f);
    if (node.op == DD_FORM_NUM || (node.op == DD_FORM_NAME && node.nargs == 0)) {
        dd_text_add(out, dd_names_get(p->names, node.payload));
        return;
    }
    if (node.op == DD_FORM_LOOP) {
        dd_text_add(out, dd_names_get(p->names, dd_forms_loop_name(p->forms, node.payload)));
        return;
    }
    dd_text_printf(out, "(%s", ops[node.op]);
    if (node.op == DD_FORM_NAME || node.op == DD_FORM_UNKNOWN_CALL || node.op == DD_FORM_NAMED_ARG) {
        dd_text_printf(out, ":%s", dd_names_get(p->names, node.payload));
    }
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_text_add(out, " ");
        sketch(p, dd_form_arg(p->forms, f, i), out);
    }
    dd_text_add(out, ")");
}

static void parse_body(void *arg)
{
    parsed *p = arg;
    dd_form rhs;
    p->names = dd_names_new(p->pool);
    p->forms = dd_forms_new(p->pool, p->names);
    p->printed = dd_text_new(p->pool);
    uint32_t file = dd_source_add(p->ctx, "test.mo", p->text, p->length);
    dd_parser parser = dd_parser_new(p->ctx, p->pool, p->forms, file, 0);
    if (p->whole_file) {
        dd_parse_file(&parser, &p->file);
    } else if (dd_parse_equation_text(&parser, &p->f, &rhs)) {
        sketch(p, p->f, &p->printed);
    }
}

static parsed parse_text(const char *text, size_t length, bool whole_file)
{
    parsed p = {.text = text, .length = length, .whole_file = whole_file};
    assert_int_equal(dd_context_new(&p.ctx, NULL), DD_OK);
    p.pool = dd_pool_new(p.ctx);
    assert_int_equal(dd_protect(p.ctx, parse_body, &p), DD_OK);
    return p;
}

static void parse_close(parsed *p)
{
    dd_pool_free(p->pool);
    dd_context_free(p->ctx);
}

static void expect_shape(const char *text, const char *shape)
{
    parsed p = parse_text(text, strlen(text), false);
    assert_int_equal(dd_context_error_count(p.ctx), 0);
    assert_string_equal(dd_text_str(&p.printed), shape);
    parse_close(&p);
}

static void test_precedence(void **state)
{
    (void)state;
    expect_shape("a + b - c + d", "(SUM a b (NEG c) d)");
    expect_shape("a + (b - c) + d", "(SUM a (SUM b (NEG c)) d)");
    expect_shape("-a^2*b", "(NEG (MUL (POW a 2) b))");
    expect_shape("-a + b", "(SUM (NEG a) b)");
    expect_shape("a*b/c*d", "(MUL (DIV (MUL a b) c) d)");
    expect_shape("a .+ b + c .- d", "(ESUB (SUM (EADD a b) c) d)");
    expect_shape("a .* b ./ c .^ d", "(EDIV (EMUL a b) (EPOW c d))");
    expect_shape("not a < b and c or d and not e", "(OR (AND (NOT (REL a b)) c) (AND d (NOT e)))");
    expect_shape("a and b and c", "(AND a b c)");
    expect_shape("1:n + 1", "(RANGE 1 (SUM n 1))");
    expect_shape("1:2:n", "(RANGE 1 2 n)");
    expect_shape("+a", "a");
}

static void test_operands(void **state)
{
    (void)state;
    expect_shape("if a then b elseif c then d else e + f", "(IF a b c d (SUM e f))");
    expect_shape("der(der(x))", "(DER (DER x))");
    expect_shape("x[1, :, end - 1]", "(NAME:x 1 (COLON) (SUM (END) (NEG 1)))");
    expect_shape("x[1:end]", "(NAME:x (RANGE 1 (END)))");
    expect_shape("{a, {b}}", "(ARRAY a (ARRAY b))");
    expect_shape("[a, b; c, d]", "(MATRIX (ROW a b) (ROW c d))");
    expect_shape("{i*j for i in 1:2, j in r}", "(COMPREHENSION (MUL i j) i (RANGE 1 2) j r)");
    expect_shape("sum(i for i in 1:2)", "(CALL (COMPREHENSION i i (RANGE 1 2)))");
    expect_shape("f(a, b = 2)", "(UNKNOWN_CALL:f a (NAMED_ARG:b 2))");
    expect_shape("x(finalTime)", "(UNKNOWN_CALL:x finalTime)");
    expect_shape("x[2](finalTime/2)", "(POINT (NAME:x 2) (DIV finalTime 2))");
    expect_shape("time*2", "(MUL (TIME) 2)");
    expect_shape("a.b.c", "(PATH a b c)");
    expect_shape("a[1].b[i,j].c", "(PATH (NAME:a 1) (NAME:b i j) c)");
    expect_shape(".a.b", "(PATH a b)");
    expect_shape("a.f(x, k = 2)", "(UNKNOWN_CALL: (PATH a f) x (NAMED_ARG:k 2))");
    expect_shape("a[1].x(t)", "(POINT (PATH (NAME:a 1) x) t)");
    expect_shape("der(a.b)", "(DER (PATH a b))");
    expect_shape("array(a, b)", "(ARRAY a b)");
    expect_shape("array(i for i in 1:2)", "(COMPREHENSION i i (RANGE 1 2))");
    expect_shape("'a.b'[1]", "(NAME:a.b 1)");
}

static void test_spans(void **state)
{
    (void)state;
    const char *text = "alpha + sin( beta )*2 ";
    parsed p = parse_text(text, strlen(text), false);
    dd_span whole = dd_form_get(p.forms, p.f)->span, call;
    call = dd_form_get(p.forms, dd_form_arg(p.forms, dd_form_arg(p.forms, p.f, 1), 0))->span;
    assert_int_equal(whole.begin, 0);
    assert_int_equal(whole.end, 21);
    assert_int_equal(call.begin, 8);
    assert_int_equal(call.end, 19);
    parse_close(&p);
}

static void test_class(void **state)
{
    (void)state;
    const char *text =
        "type V = Real; model A \"doc\" Real x, y[2] = {1, 2}; equation x = 1; initial equation x = 2; equation x = 3;"
        " annotation(a = 1, b(c = 2)); end A; optimization B(objective = 1) parameter Real k = 1; extends A(x(start = "
        "1));"
        " Real z; constraint z <= 1; for i in 1:2, j in 1:3 loop z >= i; end for; end B;";
    parsed p = parse_text(text, strlen(text), true);
    assert_int_equal(dd_context_error_count(p.ctx), 0);
    assert_int_equal(p.file.classes->kind, DD_CLASS_TYPE);
    const dd_ast_class *a = p.file.classes->next, *b = a->next;
    assert_int_equal(a->kind, DD_CLASS_MODEL);
    assert_string_equal(dd_names_get(p.names, a->doc), "doc");
    assert_non_null(a->decls->next);
    assert_null(a->decls->next->next);
    assert_int_not_equal(a->decls->next->binding, DD_FORM_NONE);
    assert_non_null(a->equations[DD_AST_EQUATIONS]->next); /* two sections, one list */
    assert_null(a->equations[DD_AST_EQUATIONS]->next->next);
    assert_non_null(a->equations[DD_AST_INITIAL]);
    assert_string_equal(dd_names_get(p.names, a->annotation->next->nested->name), "c");
    assert_int_equal(b->kind, DD_CLASS_OPTIMIZATION);
    assert_null(b->next);
    assert_ptr_equal(b->extends->before, b->decls);
    const dd_ast_equation *c = b->equations[DD_AST_CONSTRAINTS];
    assert_int_equal(c->kind, DD_AST_CONSTRAINT);
    assert_int_equal(c->rel, DD_REL_LE);
    assert_int_equal(c->next->body->kind, DD_AST_FOR);       /* i */
    assert_int_equal(c->next->body->body->kind, DD_AST_FOR); /* j */
    parse_close(&p);
}

/* repeat(prefix, n) middle repeat(suffix, n) */
static char *nested_text(const char *begin, const char *prefix, const char *middle, const char *suffix, const char *end,
                         size_t n)
{
    size_t size = strlen(begin) + strlen(middle) + strlen(end) + n * (strlen(prefix) + strlen(suffix)) + 1;
    char *text = malloc(size), *at = text;
    at += sprintf(at, "%s", begin);
    for (size_t i = 0; i < n; i++) {
        at = stpcpy(at, prefix);
    }
    at = stpcpy(at, middle);
    for (size_t i = 0; i < n; i++) {
        at = stpcpy(at, suffix);
    }
    stpcpy(at, end);
    return text;
}

/* A million levels of something give one error that names the limit. */
static void expect_limit(const char *prefix, const char *middle, const char *suffix, const char *part)
{
    char *text = nested_text("model M Real x; equation x = ", prefix, middle, suffix, "; end M;", 1000000);
    parsed p = parse_text(text, strlen(text), true);
    assert_int_equal(dd_context_error_count(p.ctx), 1);
    assert_non_null(strstr(dd_context_diagnostic(p.ctx, 0).message, part));
    assert_int_equal(dd_context_diagnostic(p.ctx, 0).line, 1);
    parse_close(&p);
    free(text);
}

static void test_nesting_limits(void **state)
{
    (void)state;
    expect_limit("(", "1", ")", "the limit is 250 levels");
    expect_limit("{", "1", "}", "the limit is 250 levels");
    expect_limit("[", "1", "]", "the limit is 250 levels");
    expect_limit("sin(", "1", ")", "the limit is 250 levels");
    expect_limit("x[", "1", "]", "the limit is 250 levels");
    expect_limit("if true then 1 else ", "1", "", "the limit is 250 levels");
    expect_limit("x*", "1", "", "500 operators deep");
    expect_limit("x .+ ", "1", "", "500 operators deep");
    expect_limit("1; for i in 1:1 loop x = ", "1", "", "the limit is 250 levels");
    expect_limit("1; if true then x = ", "1", "", "the limit is 250 levels");
}

static void test_nesting_allowed(void **state)
{
    (void)state;
    char *text = nested_text("", "(", "x", ")", "", 200);
    expect_shape(text, "x");
    free(text);
}

static void test_long_sum_is_flat(void **state)
{
    (void)state;
    char *text = nested_text("a", " + b", "", " - c", "", 100000);
    parsed p = parse_text(text, strlen(text), false);
    assert_int_equal(dd_context_error_count(p.ctx), 0);
    assert_int_equal(dd_form_get(p.forms, p.f)->op, DD_FORM_SUM);
    assert_int_equal(dd_form_get(p.forms, p.f)->nargs, 200001);
    assert_true(dd_form_get(p.forms, p.f)->depth <= 3);
    parse_close(&p);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_operands),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_class),
        cmocka_unit_test(test_nesting_limits),
        cmocka_unit_test(test_nesting_allowed),
        cmocka_unit_test(test_long_sum_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
