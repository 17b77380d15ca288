/* test_parse_classes.c - classes of every kind as the parser leaves them, and mistakes in nested ones: one message
 * each. */
#include <stdlib.h>

#include "lang_kit.h"

#include "lang/parser.h"

typedef struct parsed {
    dd_context *ctx;
    dd_pool *pool;
    dd_names *names;
    dd_forms *forms;
    const char *text;
    dd_ast_file file;
} parsed;

static void parse_body(void *arg)
{
    parsed *p = arg;
    p->names = dd_names_new(p->pool);
    p->forms = dd_forms_new(p->pool, p->names);
    uint32_t file = dd_source_add(p->ctx, "test.mo", p->text, strlen(p->text));
    dd_parser parser = dd_parser_new(p->ctx, p->pool, p->forms, file, 0);
    dd_parse_file(&parser, &p->file);
}

static parsed parse_any(const char *text)
{
    parsed p = {.text = text};
    assert_int_equal(dd_context_new(&p.ctx, NULL), DD_OK);
    p.pool = dd_pool_new(p.ctx);
    assert_int_equal(dd_protect(p.ctx, parse_body, &p), DD_OK);
    return p;
}

static parsed parse_good(const char *text)
{
    parsed p = parse_any(text);
    char line[500];
    for (size_t i = 0; i < dd_context_diagnostic_count(p.ctx); i++) {
        dd_context_format_diagnostic(p.ctx, i, line, sizeof line);
        print_message("%s", line);
    }
    assert_int_equal(dd_context_error_count(p.ctx), 0);
    return p;
}

static void parse_close(parsed *p)
{
    dd_pool_free(p->pool);
    dd_context_free(p->ctx);
}

static const char *name(const parsed *p, uint32_t id)
{
    return dd_names_get(p->names, id);
}

static const char *path(const parsed *p, const dd_ast_name *n)
{
    return dd_ast_name_text(p->names, n, p->pool);
}

static const char *printed(const parsed *p, dd_form f)
{
    dd_text text = dd_text_new(p->pool);
    dd_form_print(p->forms, f, NULL, &text);
    return dd_text_str(&text);
}

static const dd_ast_class *nth(const dd_ast_class *list, int n)
{
    while (n-- > 0) {
        list = list->next;
    }
    return list;
}

static void test_kinds(void **state)
{
    (void)state;
    parsed p =
        parse_good("model A end A; class B end B; block C end C; connector D end D; record E end E; package F end F;"
                   "function G end G; type H = Real; optimization I(objective = 1) end I; pure function J end J;"
                   "partial encapsulated model K end K; final model L end L; encapsulated partial package M end M;");
    static const dd_ast_class_kind kinds[] = {
        DD_CLASS_MODEL,   DD_CLASS_CLASS,    DD_CLASS_BLOCK,  DD_CLASS_CONNECTOR,    DD_CLASS_RECORD,
        DD_CLASS_PACKAGE, DD_CLASS_FUNCTION, DD_CLASS_TYPE,   DD_CLASS_OPTIMIZATION, DD_CLASS_FUNCTION,
        DD_CLASS_MODEL,   DD_CLASS_MODEL,    DD_CLASS_PACKAGE};
    const dd_ast_class *c = p.file.classes;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++, c = c->next) {
        assert_non_null(c);
        assert_int_equal(c->kind, kinds[i]);
        assert_null(c->parent);
    }
    assert_null(c);
    c = nth(p.file.classes, 10);
    assert_true(c->is_partial && c->is_encapsulated && !c->is_final);
    assert_true(nth(p.file.classes, 11)->is_final);
    assert_non_null(nth(p.file.classes, 8)->header);
    parse_close(&p);
}

static void test_nested(void **state)
{
    (void)state;
    parsed p = parse_good("within A.B; package P model M Real x; model In Real y; end In; protected model Hid end Hid;"
                          " public type T = Real; equation x = 1; end M; function f input Real u; output Real v;"
                          " algorithm v := u; end f; optimization O(objective = 1) extends M; extends .P.Q.R(a.b = 3);"
                          " constraint x <= 1; end O; constant Real optimization = 3; end P;");
    assert_string_equal(path(&p, &p.file.within), "A.B");
    const dd_ast_class *pack = p.file.classes, *m = pack->classes, *o = nth(pack->classes, 2);
    assert_ptr_equal(m->parent, pack);
    assert_string_equal(name(&p, m->classes->name), "In");
    assert_ptr_equal(m->classes->parent, m);
    assert_false(m->classes->is_protected);
    assert_true(m->classes->next->is_protected);
    assert_false(m->classes->next->next->is_protected);
    assert_non_null(m->equations[DD_AST_EQUATIONS]);
    assert_int_equal(o->kind, DD_CLASS_OPTIMIZATION);
    assert_string_equal(path(&p, &o->extends->name), "M");
    assert_string_equal(path(&p, &o->extends->next->name), ".P.Q.R");
    const dd_ast_mod *mod = o->extends->next->mods; /* a.b = 3 is a(b = 3) */
    assert_string_equal(name(&p, mod->name), "a");
    assert_int_equal(mod->value, DD_FORM_NONE);
    assert_string_equal(name(&p, mod->nested->name), "b");
    assert_string_equal(printed(&p, mod->nested->value), "3");
    assert_non_null(o->equations[DD_AST_CONSTRAINTS]);
    assert_string_equal(name(&p, pack->decls->name), "optimization");
    parse_close(&p);
}

static void test_short(void **state)
{
    (void)state;
    parsed p =
        parse_good("connector In = input Real(unit = \"1\") \"doc\" annotation(a = 1); connector Out = output P.Q;"
                   "connector F = flow Real; model M2 = M1(k = 3); type V = Real[3, n](each min = 0);"
                   "type E = enumeration(one \"first\", two, 'three 3') \"kinds\"; package S = A.B.C;"
                   "type L extends Real(unit = \"m\"); end L; function g = f(x = 2);");
    const dd_ast_class *c = p.file.classes;
    assert_true(c->is_short && c->short_input && !c->short_output);
    assert_string_equal(name(&p, c->doc), "doc");
    assert_non_null(c->annotation);
    c = c->next;
    assert_true(c->short_output);
    assert_string_equal(path(&p, &c->base.name), "P.Q");
    c = c->next;
    assert_true(c->short_flow);
    c = c->next;
    assert_int_equal(c->kind, DD_CLASS_MODEL);
    assert_true(c->is_short);
    assert_string_equal(name(&p, c->mods->name), "k");
    c = c->next;
    assert_int_equal(dd_form_get(p.forms, c->base.dims)->nargs, 2);
    assert_true(c->mods->each);
    c = c->next;
    assert_true(c->is_enumeration && c->is_short);
    assert_int_equal(c->n_literals, 3);
    assert_string_equal(name(&p, c->literals->doc), "first");
    assert_string_equal(name(&p, c->literals->next->next->name), "three 3");
    assert_string_equal(path(&p, &c->next->base.name), "A.B.C");
    c = c->next->next; /* a type that only extends is a short one */
    assert_true(c->is_short);
    assert_string_equal(path(&p, &c->base.name), "Real");
    assert_string_equal(name(&p, c->mods->name), "unit");
    assert_null(c->extends);
    parse_close(&p);
}

static void test_imports(void **state)
{
    (void)state;
    parsed p = parse_good("model M import A.B.C; import D = A.B; import A.*; import A.B.{X, Y} \"doc\"; import .A.Z;"
                          " import Q annotation(a = 1); end M;");
    const dd_ast_import *i = p.file.classes->imports;
    static const char *const names[] = {"A.B.C", "A.B", "A", "A.B.X", "A.B.Y", ".A.Z", "Q"};
    static const char *const aliases[] = {"C", "D", NULL, "X", "Y", "Z", "Q"};
    for (int k = 0; k < 7; k++, i = i->next) {
        assert_non_null(i);
        assert_string_equal(path(&p, &i->name), names[k]);
        assert_int_equal(i->all, aliases[k] == NULL);
        if (aliases[k] != NULL) {
            assert_string_equal(name(&p, i->alias), aliases[k]);
        }
    }
    assert_null(i);
    parse_close(&p);
}

static void test_declarations(void **state)
{
    (void)state;
    parsed p = parse_good("model M Resistor r[n, 2](each R = 2, final p.v(start = 1) = 3) if flag and n > 1 \"doc\""
                          " annotation(Placement(transformation(extent = {{-10, 10}, {20, 30}}))), s;"
                          " flow Real i; Real[3] x, y[2]; A.B.C c; .D d := 2; protected final parameter Real k = 1;"
                          " public input Real u; end M;");
    const dd_ast_decl *d = p.file.classes->decls;
    assert_string_equal(path(&p, &d->type.name), "Resistor");
    assert_int_equal(dd_form_get(p.forms, d->dims)->nargs, 2);
    assert_true(d->mods->each);
    assert_true(d->mods->next->is_final && d->mods->next->nested->is_final);
    assert_string_equal(name(&p, d->mods->next->nested->nested->name), "start");
    assert_string_equal(printed(&p, d->mods->next->nested->value), "3");
    assert_string_equal(printed(&p, d->condition), "flag and n > 1");
    assert_string_equal(name(&p, d->doc), "doc");
    d = d->next;
    assert_int_equal(d->condition, DD_FORM_NONE);
    assert_int_equal(d->dims, DD_FORM_NONE);
    d = d->next;
    assert_true(d->is_flow);
    d = d->next;
    assert_int_not_equal(d->type.dims, DD_FORM_NONE);
    d = d->next;
    assert_int_not_equal(d->dims, DD_FORM_NONE);
    d = d->next;
    assert_string_equal(path(&p, &d->type.name), "A.B.C");
    d = d->next;
    assert_string_equal(path(&p, &d->type.name), ".D");
    assert_string_equal(printed(&p, d->binding), "2");
    d = d->next;
    assert_true(d->is_protected && d->is_final && d->variability == DD_AST_PARAMETER);
    d = d->next;
    assert_true(d->is_input && !d->is_protected);
    assert_ptr_equal(p.file.classes->last_decl, d);
    parse_close(&p);
}

static void test_statements(void **state)
{
    (void)state;
    parsed p = parse_good("model M equation connect(a.b[i], c[1, 2].d) \"wire\" annotation(Line(points = {{1, 2}}));"
                          " for i loop x[i] = 1; end for \"loop\"; (a, , b) = P.f(x, n = 3); (a + b)*c = 1; (a) = 2;"
                          " for i in 1:2, j loop x = a[2].y[1, j]; end for; end M;");
    const dd_ast_equation *e = p.file.classes->equations[DD_AST_EQUATIONS];
    assert_int_equal(e->kind, DD_AST_CONNECT);
    assert_string_equal(printed(&p, e->lhs), "a.b[i]");
    assert_string_equal(printed(&p, e->rhs), "c[1,2].d");
    assert_string_equal(name(&p, e->doc), "wire");
    e = e->next;
    assert_int_equal(e->body->kind, DD_AST_FOR);
    assert_string_equal(printed(&p, e->body->rhs), "1:size(x, 1)");
    e = e->next;
    assert_int_equal(dd_form_get(p.forms, e->lhs)->op, DD_FORM_TUPLE);
    assert_int_equal(dd_form_get(p.forms, e->lhs)->nargs, 3);
    assert_int_equal(dd_form_get(p.forms, dd_form_arg(p.forms, e->lhs, 1))->op, DD_FORM_COLON);
    const dd_form_node *call = dd_form_get(p.forms, e->rhs);
    assert_int_equal(call->op, DD_FORM_UNKNOWN_CALL);
    assert_int_equal(call->sub, 1);
    assert_int_equal(dd_form_get(p.forms, dd_form_arg(p.forms, e->rhs, 0))->op, DD_FORM_PATH);
    e = e->next;
    assert_int_equal(dd_form_get(p.forms, e->lhs)->op, DD_FORM_MUL);
    e = e->next;
    assert_int_equal(dd_form_get(p.forms, e->lhs)->op, DD_FORM_NAME);
    e = e->next->body;
    assert_string_equal(printed(&p, e->rhs), "1:2");
    assert_string_equal(printed(&p, e->body->rhs), "1:size(a[2].y, 2)");
    parse_close(&p);
}

static void test_algorithms(void **state)
{
    (void)state;
    parsed p =
        parse_good("function f input Real u[:]; output Real y, z; protected Integer k := 1; algorithm y := 0 \"doc\";"
                   " for i in 1:3 loop y := y + u[i]; if y > 3 then break; elseif y < 0 then return;"
                   " else r.a[i] := 1; end if; end for; while k < 9 loop k := k + 1; end while;"
                   " (y, , z) := P.g(u); (, z) := g(u); assert(y > 0, \"no\"); algorithm z := 2;"
                   " annotation(derivative(order = 1) = f_der, Inline = true, smoothOrder = 2); end f;");
    static const dd_ast_equation_kind kinds[] = {DD_AST_ASSIGN, DD_AST_LIST,   DD_AST_WHILE, DD_AST_ASSIGN,
                                                 DD_AST_ASSIGN, DD_AST_ASSERT, DD_AST_ASSIGN};
    const dd_ast_class *f = p.file.classes;
    const dd_ast_equation *e = f->equations[DD_AST_ALGORITHM];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++, e = e->next) {
        assert_non_null(e);
        assert_int_equal(e->kind, kinds[i]);
    }
    assert_null(e);
    e = f->equations[DD_AST_ALGORITHM]->next->body->body->next; /* the if inside the loop */
    assert_int_equal(e->kind, DD_AST_IF);
    assert_int_equal(e->branches->body->kind, DD_AST_BREAK);
    assert_int_equal(e->branches->next->body->kind, DD_AST_RETURN);
    assert_string_equal(printed(&p, e->branches->next->next->body->lhs), "r.a[i]");
    e = f->equations[DD_AST_ALGORITHM]->next->next;
    assert_string_equal(printed(&p, e->rhs), "k < 9");
    assert_non_null(e->body);
    assert_string_equal(name(&p, f->annotation->name), "derivative");
    assert_non_null(f->annotation->nested);
    assert_string_equal(printed(&p, f->annotation->value), "f_der");
    parse_close(&p);
}

static void test_annotations(void **state)
{
    (void)state;
    parsed p = parse_good(
        "model M extends B annotation(x = 1); import Q annotation(x = 1); Real x annotation(Dialog(enable = not y));"
        "equation x = 1 annotation(x = 1); if a then x = 1; end if annotation(x = 1);"
        "annotation(Icon(coordinateSystem(extent = {{-100, -100}, {100, 100}}), graphics = {Line(points = {{0, 0}, {1, "
        "1}},"
        " pattern = LinePattern.Dash, visible = if a then b else not c), Text(textString = \"%class\"), Polygon(points "
        "= {}),"
        " Text(string = DynamicSelect(\"0\", String(y, significantDigits = 2)))}), experiment(StopTime = 2),"
        " choices(choice(redeclare Foo f(a = {1, 2}) \"x\"), choice = 2 \"b\"), Documentation(info = \"<p>a\nb</p>\"));"
        "end M;");
    int n = 0;
    for (const dd_ast_mod *m = p.file.classes->annotation; m != NULL; m = m->next) {
        n++;
    }
    assert_int_equal(n, 4);
    parse_close(&p);
}

static void test_base_modelica(void **state)
{
    (void)state;
    parsed p = parse_good("//! base 0.1.0\npackage 'M' model 'M' Real 'a.b', 'q'; parameter equation guess('q') = 2.5;"
                          " equation 'a.b' = 1; end 'M'; end 'M';");
    assert_true(p.file.is_base);
    const dd_ast_decl *d = p.file.classes->classes->decls;
    assert_string_equal(name(&p, d->name), "a.b");
    assert_string_equal(name(&p, d->next->mods->name), "start");
    assert_string_equal(printed(&p, d->next->mods->value), "2.5");
    parse_close(&p);
    p = parse_good("package M end M;");
    assert_false(p.file.is_base);
    parse_close(&p);
}

/* One mistake, one message: at this line, with this text. */
static void expect_one(const char *text, uint32_t line, const char *part)
{
    parsed p = parse_any(text);
    char full[500];
    for (size_t i = 0; i < dd_context_diagnostic_count(p.ctx) && dd_context_error_count(p.ctx) != 1; i++) {
        dd_context_format_diagnostic(p.ctx, i, full, sizeof full);
        print_message("%s", full);
    }
    assert_int_equal(dd_context_error_count(p.ctx), 1);
    dd_diagnostic d = dd_context_diagnostic(p.ctx, 0);
    if (d.line != line || strstr(d.message, part) == NULL) {
        print_message("expected %u: %s\ngot %u: %s\n", line, part, d.line, d.message);
    }
    assert_int_equal(d.line, line);
    assert_non_null(strstr(d.message, part));
    parse_close(&p);
}

static void test_recovery(void **state)
{
    (void)state;
    expect_one("package P\nmodel A Real x = ; end A;\nmodel B Real y; end B;\nend P;", 2, "expected an expression");
    expect_one("package P\nmodel A\nReal x;\nequation\nx = 1;\nmodel B Real y; end B;\nend P;", 2,
               "the model A is never closed");
    expect_one("package P\nmodel A Real x;\nend P;", 2, "the model A is never closed");
    expect_one("package P\nmodel A model B model C Real x; end C; end A;\nend P;", 2, "the model B is never closed");
    expect_one("model Q\nequation\nx = 1;\nfunction f algorithm y := 1; end f;\nend Q;", 1,
               "the model Q is never closed");
    expect_one("package P\nmodel A Real x; end B;\nmodel C end C;\nend P;", 2, "`end B` does not fit");
    expect_one("package P\nmodel A import B.; Real x; end A;\nend P;", 2, "expected a name after `.`");
    expect_one("package P\nimport A.{B, };\nmodel A end A;\nend P;", 2, "expected the name of a class");
    expect_one("package P\ntype E = enumeration(a, a);\nend P;", 2, "the literal a appears twice");
    expect_one("package P\nmodel M extends A(b = ); Real x; end M;\nend P;", 2, "expected an expression");
    expect_one("package P\nmodel M Real x annotation(Icon(graphics = {); Real y; end M;\nend P;", 2, "expected");
    expect_one("function f\nalgorithm\nwhile x > loop x := 1; end while;\ny := 2;\nend f;", 3,
               "expected an expression");
    expect_one("function f\nalgorithm\nx = 1;\nend f;", 3, "an assignment is written with `:=`");
    expect_one("function f\nalgorithm\nx + 1 := 1;\nend f;", 3, "only variables can be assigned to");
    expect_one("model M\nequation\nconnect(a, b;\nx = 1;\nend M;", 3, "expected `)` to close connect");
    expect_one("model M\nequation\nconnect(a, 2*b);\nend M;", 3, "connect joins two connectors");
    expect_one("model M\ninitial equation\nconnect(a, b);\nend M;", 3, "connect belongs in an `equation` section");
    expect_one("record R\nReal x;\nequation\nx = 1;\nend R;", 3, "a record has no equations");
    expect_one("model M\nReal x = (1, 2);\nend M;", 2, "a list (a, b) of results is allowed only");
    expect_one("package P\nparameter equation guess(x) = 1;\nend P;", 2, "x is not declared before its guess");
}

/* Classes inside classes are read up to the limit of nesting, not deeper. */
static void test_depth(void **state)
{
    (void)state;
    enum { DEEP = 20000 };
    char *text = malloc(DEEP * 40), *at = text;
    for (int i = 0; i < DEEP; i++) {
        at += sprintf(at, "package P%d ", i);
    }
    parsed p = parse_any(text);
    assert_int_equal(dd_context_error_count(p.ctx), 1);
    assert_non_null(strstr(dd_context_diagnostic(p.ctx, 0).message, "nested too deeply"));
    parse_close(&p);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_nested),       cmocka_unit_test(test_short),
        cmocka_unit_test(test_imports),    cmocka_unit_test(test_declarations), cmocka_unit_test(test_statements),
        cmocka_unit_test(test_algorithms), cmocka_unit_test(test_annotations),  cmocka_unit_test(test_base_modelica),
        cmocka_unit_test(test_recovery),   cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
