/* test_lookup.c - what names mean: scopes, inheritance, imports, encapsulation; files of folder packages; circles and
 * wrong names end with a message. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lang_kit.h"

#include "lang/library.h"
#include "lang/parser.h"

typedef struct look {
    dd_context *ctx;
    dd_pool *pool;
    dd_forms *forms;
    dd_names *names;
    dd_library *lib;
    dd_ast_file *ast;
    const char *text, *file;
    const char *const *paths;
    const char *scope, *name; /* of the question */
    dd_element found;
    uint32_t rest;
    dd_ast_class *class;
    bool several;
} look;

static void open_body(void *arg)
{
    look *l = arg;
    l->names = dd_names_new(l->pool);
    l->forms = dd_forms_new(l->pool, l->names);
    uint32_t file = dd_source_add(l->ctx, l->file, l->text, strlen(l->text));
    dd_parser p = dd_parser_new(l->ctx, l->pool, l->forms, file, 0);
    l->ast = dd_pool_alloc(l->pool, sizeof *l->ast);
    dd_parse_file(&p, l->ast);
    l->lib = dd_library_new(l->pool, l->forms, l->ast, file, l->paths);
}

static look open_file(const char *file, const char *text, const char *const *paths)
{
    look l = {.text = text, .file = file, .paths = paths};
    assert_int_equal(dd_context_new(&l.ctx, NULL), DD_OK);
    l.pool = dd_pool_new(l.ctx);
    assert_int_equal(dd_protect(l.ctx, open_body, &l), DD_OK);
    return l;
}

static look open_text(const char *text)
{
    return open_file("test.mo", text, NULL);
}

static void look_close(look *l)
{
    dd_pool_free(l->pool);
    dd_context_free(l->ctx);
}

static dd_ast_name split(look *l, const char *text)
{
    DD_VEC(uint32_t) parts = {0};
    dd_ast_name name = {.global = *text == '.'};
    text += name.global;
    for (size_t n; *text != '\0'; text += n + (text[n] == '.')) {
        n = strcspn(text, ".");
        dd_vec_push(l->pool, &parts, dd_names_intern(l->names, text, n));
    }
    name.parts = parts.data;
    name.n = parts.len;
    return name;
}

static void path_body(void *arg)
{
    look *l = arg;
    dd_ast_class *scope = NULL;
    if (l->scope[0] != '\0') {
        dd_ast_name place = split(l, l->scope);
        scope = dd_lookup_class(l->lib, NULL, &place);
        assert_non_null(scope);
    }
    dd_ast_name name = split(l, l->name);
    l->found = dd_lookup_path(l->lib, scope, &name, &l->rest);
}

static void class_body(void *arg)
{
    look *l = arg;
    dd_ast_class *scope = NULL;
    if (l->scope[0] != '\0') {
        dd_ast_name place = split(l, l->scope);
        scope = dd_lookup_class(l->lib, NULL, &place);
        assert_non_null(scope);
    }
    dd_ast_name name = split(l, l->name);
    l->class = dd_lookup_class(l->lib, scope, &name);
}

static void main_body(void *arg)
{
    look *l = arg;
    l->class = dd_library_main_class(l->lib, l->name, &l->several);
}

/* "class A.B", "decl x of A", "literal 2 of E", "type 1", "none", "broken"; with "+n" for parts that were not read. */
static const char *describe(look *l)
{
    static char text[200];
    const dd_element *e = &l->found;
    switch (e->kind) {
    case DD_ELEMENT_CLASS:
        snprintf(text, sizeof text, "class %s", dd_class_full_name(l->lib, e->class, l->pool));
        break;
    case DD_ELEMENT_DECL:
        snprintf(text, sizeof text, "decl %s of %s", dd_names_get(l->names, e->decl->name),
                 dd_class_full_name(l->lib, e->owner, l->pool));
        break;
    case DD_ELEMENT_LITERAL:
        snprintf(text, sizeof text, "literal %u of %s", e->literal, dd_class_full_name(l->lib, e->class, l->pool));
        break;
    case DD_ELEMENT_PREDEFINED:
        snprintf(text, sizeof text, "type %d", e->type);
        break;
    default:
        snprintf(text, sizeof text, "%s at %u", e->kind == DD_ELEMENT_NONE ? "none" : "broken", l->rest);
        return text;
    }
    uint32_t n = split(l, l->name).n;
    if (l->rest < n) {
        snprintf(text + strlen(text), sizeof text - strlen(text), " +%u", n - l->rest);
    }
    return text;
}

static void expect(look *l, const char *scope, const char *name, const char *found)
{
    l->scope = scope;
    l->name = name;
    assert_int_equal(dd_protect(l->ctx, path_body, l), DD_OK);
    if (strcmp(describe(l), found) != 0) {
        print_message("in %s: %s\n", scope, name);
    }
    assert_string_equal(describe(l), found);
}

static void expect_message(look *l, size_t i, const char *part)
{
    assert_true(i < dd_context_diagnostic_count(l->ctx));
    const char *message = dd_context_diagnostic(l->ctx, i).message;
    if (strstr(message, part) == NULL) {
        print_message("expected: %s\ngot: %s\n", part, message);
    }
    assert_non_null(strstr(message, part));
}

/* The class is not found, and this is the last message of `count`. */
static void expect_wrong(look *l, const char *scope, const char *name, size_t count, const char *part)
{
    l->scope = scope;
    l->name = name;
    assert_int_equal(dd_protect(l->ctx, class_body, l), DD_OK);
    assert_null(l->class);
    assert_int_equal(dd_context_error_count(l->ctx), count);
    expect_message(l, count - 1, part);
}

static void test_scopes(void **state)
{
    (void)state;
    look l = open_text("package P constant Real g = 1; model A Real x; end A;"
                       "  package Q model B Real y; model A Real z; end A; end B; type E = enumeration(a, b); end Q;"
                       "  record R Real r; end R; constant R rr; end P; model A end A;");
    expect(&l, "P.Q.B", "A", "class P.Q.B.A");
    expect(&l, "P.Q", "A", "class P.A");
    expect(&l, "", "A", "class A");
    expect(&l, "P.Q.B", ".A", "class A");
    expect(&l, "P.Q.B", "g", "decl g of P");
    expect(&l, "P.Q.B", "y", "decl y of P.Q.B");
    expect(&l, "P.Q.B", "Q.E.b", "literal 2 of P.Q.E");
    expect(&l, "P.Q.B", "P.rr.r", "decl rr of P +1");
    expect(&l, "P.Q.B", "Real", "type 0");
    expect(&l, "P.Q.B", "String", "type 3");
    expect(&l, "P", "StateSelect.prefer", "literal 4 of StateSelect");
    expect(&l, "P", "Q.C.D", "none at 1");
    expect(&l, "P", "C", "none at 0");
    expect(&l, "P", "x", "none at 0");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    look_close(&l);
}

static void test_inheritance(void **state)
{
    (void)state;
    look l = open_text("package Base constant Real c = 1; model In end In; end Base;"
                       "package Other constant Real d = 2; constant Real c = 3; end Other;"
                       "package P extends Base; extends Other; model M extends In; Real x; end M; end P;"
                       "package S = P; model T = P.M(x = 2);"
                       "partial model Two Real v; end Two; model R extends Two; end R; model RR extends R; end RR;"
                       "type E = enumeration(a, b, c); type F = E;");
    expect(&l, "P", "c", "decl c of Base"); /* the first clause comes first */
    expect(&l, "P", "d", "decl d of Other");
    expect(&l, "P.M", "In", "class Base.In");
    expect(&l, "S", "c", "none at 0"); /* a short definition is no scope */
    expect(&l, "", "S.c", "decl c of Base");
    expect(&l, "", "S.M.x", "decl x of P.M");
    expect(&l, "", "T.x", "decl x of P.M");
    expect(&l, "", "RR.v", "decl v of Two");
    expect(&l, "", "F.c", "literal 3 of E");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    look_close(&l);
}

static void test_imports(void **state)
{
    (void)state;
    look l = open_text("package Lib package Sub model A end A; model B end B; constant Real k = 1; end Sub;"
                       "  model C end C; end Lib;"
                       "model Q import Lib.Sub.A; import N = Lib.C; import Lib.Sub.{B}; Real x; end Q;"
                       "model All import Lib.Sub.*; end All; model Sub extends All; end Sub;"
                       "encapsulated model Closed import Lib; Real y; end Closed;"
                       "encapsulated package Cp model In end In; end Cp;"
                       "model Wrong import Lib.Sob.A; import Lib.Nothing.*; end Wrong;");
    expect(&l, "Q", "A", "class Lib.Sub.A");
    expect(&l, "Q", "N", "class Lib.C");
    expect(&l, "Q", "B", "class Lib.Sub.B");
    expect(&l, "Q", "C", "none at 0");
    expect(&l, "All", "k", "decl k of Lib.Sub");
    expect(&l, "All", "Q", "class Q");
    expect(&l, "Sub", "k", "none at 0"); /* imports are not inherited */
    expect(&l, "", "Q.A", "none at 1");  /* and no members */
    expect(&l, "Closed", "Lib.C", "class Lib.C");
    expect(&l, "Closed", "Q", "none at 0");
    expect(&l, "Closed", "Real", "type 0");
    expect(&l, "Cp.In", "Cp", "none at 0");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    expect(&l, "Wrong", "A", "broken at 0");
    expect_message(&l, 0, "there is no class Sob in Lib: did you mean Sub?");
    expect(&l, "Wrong", "Z", "none at 0");
    expect(&l, "Wrong", "Z", "none at 0"); /* said once */
    assert_int_equal(dd_context_error_count(l.ctx), 2);
    expect_message(&l, 1, "there is no package Nothing in Lib");
    look_close(&l);
}

static void test_circles(void **state)
{
    (void)state;
    look l = open_text("model A extends B; end A; model B extends C; end B; model C extends A; end C;"
                       "model Self extends Self; end Self; type T = U; type U = T;"
                       "package P extends P.In; package In extends P; end In; end P;"
                       "package I1 import I2.x; end I1; package I2 import I1.x; end I2;"
                       "package J import J.q; extends q; end J;");
    expect(&l, "", "A.x", "none at 1");
    expect_message(&l, 0, "C extends itself: it extends A, which leads back to C");
    expect(&l, "", "B.x", "none at 1");
    expect(&l, "", "Self.x", "none at 1");
    expect_message(&l, 1, "Self extends itself");
    expect(&l, "", "T.x", "none at 1");
    expect_message(&l, 2, "U is defined by itself: as T, which leads back to U");
    expect(&l, "P.In", "x", "none at 0");
    expect_message(&l, 3, "extends itself");
    expect(&l, "I1", "x", "broken at 0");
    expect_message(&l, 4, "there is no class x in I2");
    expect(&l, "J", "q", "broken at 0");
    expect_message(&l, 5, "there is no class q in J");
    look_close(&l);
}

/* A chain of base classes as long as one likes, and of lookups that wait for each other up to a limit. */
static void test_long_chains(void **state)
{
    (void)state;
    enum { LONG = 20000 };
    char *text = malloc(LONG * 80), *at = text;
    at += sprintf(at, "model M0 Real x; end M0;");
    for (int i = 1; i <= LONG; i++) {
        at += sprintf(at, "model M%d extends M%d; end M%d;", i, i - 1, i);
    }
    look l = open_text(text);
    char name[32];
    sprintf(name, "M%d.x", LONG);
    expect(&l, "", name, "decl x of M0");
    expect(&l, "", "M5.x", "decl x of M0");
    look_close(&l);

    at = text;
    for (int i = 0; i < LONG / 10; i++) {
        at += sprintf(at, "package P%d import P%d.X; extends X; end P%d;", i, i + 1, i);
    }
    l = open_text(text);
    expect(&l, "", "P0.y", "none at 1");
    expect_message(&l, 0, "depend on each other over more than");
    look_close(&l);
    free(text);
}

static void test_messages(void **state)
{
    (void)state;
    look l =
        open_text("package Circuit connector Pin end Pin; model Resistor end Resistor; constant Real g = 1;"
                  "  type E = enumeration(a); function f end f; end Circuit; model M extends Circuit.Resistr; end M;"
                  "model N Real x, x; type T = Real; type T = Real; model Z end Z; model Z end Z; end N;");
    expect_wrong(&l, "", "Circuit.Resistr", 1, "there is no class Resistr in Circuit: did you mean Resistor?");
    expect_wrong(&l, "Circuit", "Reistor", 2, "there is no class Reistor: did you mean Resistor?");
    expect_wrong(&l, "", "Cirkuit.Pin", 3, "Cirkuit.Pin: there is no package or class Cirkuit: did you mean Circuit?");
    expect_wrong(&l, "", "Circuit.g", 4, "Circuit.g is a constant; a class is needed here");
    expect_wrong(&l, "", "Circuit.E.a", 5, "Circuit.E.a is a value of the enumeration Circuit.E");
    expect_wrong(&l, "", "double", 6, "there is no class double: did you mean Real?");
    expect_wrong(&l, "", "Real", 7, "Real is a predefined type");
    expect(&l, "M", "zzz", "none at 0");
    expect_message(&l, 7, "there is no class Resistr in Circuit");
    expect(&l, "M", "zzz", "none at 0"); /* said once */
    assert_int_equal(dd_context_error_count(l.ctx), 8);
    expect(&l, "N", "T", "class N.T");
    expect_message(&l, 8, "the type T is defined twice, the first time in line 1");
    expect_message(&l, 9, "the class Z is defined twice, the first time in line 1");
    assert_int_equal(dd_context_error_count(l.ctx), 10);
    look_close(&l);
}

/* ---- which class ---- */

static void expect_main(const char *text, const char *name, const char *class, bool several)
{
    look l = open_text(text);
    l.name = name;
    assert_int_equal(dd_protect(l.ctx, main_body, &l), DD_OK);
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    assert_string_equal(dd_class_full_name(l.lib, l.class, l.pool), class);
    assert_int_equal(l.several, several);
    look_close(&l);
}

static void expect_no_main(const char *text, const char *name, const char *message)
{
    look l = open_text(text);
    l.name = name;
    assert_int_equal(dd_protect(l.ctx, main_body, &l), DD_OK);
    assert_null(l.class);
    expect_message(&l, 0, message);
    look_close(&l);
}

static void test_main_class(void **state)
{
    (void)state;
    const char *circuit = "package Circuit connector Pin Real v; end Pin; partial model TwoPin Pin p; end TwoPin;"
                          "  model Resistor extends TwoPin; end Resistor; model Two Resistor r; end Two;"
                          "  package More model Three Two t; end Three; end More; function f end f; end Circuit;";
    expect_main(circuit, NULL, "Circuit.More.Three", false);
    expect_main(circuit, "Circuit.Two", "Circuit.Two", false);
    expect_main(circuit, "Two", "Circuit.Two", false);
    expect_main(circuit, "Three", "Circuit.More.Three", false);
    expect_main("model A end A; model B end B;", NULL, "B", true);
    expect_main("model A end A; model B = A;", NULL, "B", false);
    expect_main("model B A a; end B; model A end A;", NULL, "B", false);
    expect_main("model B model In end In; In i; end B;", NULL, "B", false);
    expect_main("model A A a; end A;", NULL, "A", false);
    expect_main("package P model 'a b' end 'a b'; end P;", "P.'a b'", "P.'a b'", false);
    expect_main("within ; model A extends Unknown.X; end A; block C A a; end C;", NULL, "C", false);
    expect_no_main(circuit, "Circuit.Too", "there is no class Circuit.Too here: did you mean Circuit.Two?");
    expect_no_main(circuit, "Circuit", "Circuit is a package; a model, block or optimization is needed");
    expect_no_main(circuit, "Circuit.TwoPin", "Circuit.TwoPin is partial");
    expect_no_main(circuit, "Circuit..", "there is no class Circuit.. here");
    expect_no_main("function f end f;", NULL, "only classes of other kinds: the first is a function");
    expect_no_main("partial model f end f;", NULL, "only partial ones");
    expect_no_main("", NULL, "there is no model here");
}

/* ---- files ---- */

static char folder[] = "/tmp/daedal_lookup_XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    write_file("Lib/package.mo", "within ; package Lib \"doc\" constant Real k = 2; model Here end Here; end Lib;");
    write_file("Lib/package.order", "Part\nSub\n");
    write_file("Lib/Part.mo", "within Lib; model Part extends Sub.Deep; Real x = k; end Part;");
    write_file("Lib/Sub/package.mo", "within Lib; package Sub end Sub;");
    write_file("Lib/Sub/Deep.mo", "within Lib.Sub; model Deep Here h; Real d; end Deep;");
    write_file("Lib/Bad.mo", "within Lib; model Bad Real end Bad;");
    write_file("Lib/Lost.mo", "within Somewhere.Else; model Lost end Lost;");
    write_file("Lib/Named.mo", "within Lib; model Other end Other;");
    write_file("Lib/Blank.mo", "// nothing");
    write_file("Lib/Junk.mo", "\x01\x02\x03");
    write_file("Lib/NoPackage/package.mo", "within Lib; model NoPackage end NoPackage;");
    write_file("Alone.mo", "model Alone Lib.Part p; end Alone;");
    write_file("Inside.mo", "within Lib; model Inside end Inside;");
    write_file("second/Alone.mo", "model Alone Real other; end Alone;");
    write_file("second/Second.mo", "model Second end Second;");
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void test_files(void **state)
{
    (void)state;
    char second[100];
    snprintf(second, sizeof second, "%s/second", folder);
    const char *paths[] = {folder, second, NULL};
    look l = open_file("test.mo", "model M end M;", paths);
    expect(&l, "M", "Lib.k", "decl k of Lib");
    expect(&l, "M", "Lib.Here", "class Lib.Here");
    expect(&l, "M", "Lib.Part", "class Lib.Part");
    expect(&l, "M", "Lib.Part.d", "decl d of Lib.Sub.Deep");
    expect(&l, "Lib.Sub.Deep", "Here", "class Lib.Here");
    expect(&l, "Lib.Sub.Deep", "Part", "class Lib.Part");
    expect(&l, "M", "Alone", "class Alone");
    expect(&l, "M", "Alone.other", "none at 1"); /* the first root wins */
    expect(&l, "M", "Second", "class Second");
    expect(&l, "M", "Lib.Absent", "none at 1");
    expect(&l, "M", "Lib.Absent", "none at 1");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    expect_wrong(&l, "M", "Lib.Prat", 1, "there is no class Prat in Lib: did you mean Part?");
    expect(&l, "M", "Lib.Bad", "broken at 1");
    expect_message(&l, 1, "expected");
    expect(&l, "M", "Lib.Bad", "broken at 1"); /* read once, said once */
    expect(&l, "M", "Lib.Lost", "broken at 1");
    expect_message(&l, 2, "is in the folder of Lib: it must begin with `within Lib;`, not with Somewhere.Else");
    expect(&l, "M", "Lib.Named", "broken at 1");
    expect_message(&l, 3, "by its location this file should define the class Named, but it defines Other");
    expect(&l, "M", "Lib.Blank", "broken at 1");
    expect_message(&l, 4, "by its location this file should define the class Blank, but it is empty");
    expect(&l, "M", "Lib.Junk", "broken at 1");
    expect_message(&l, 5, "byte 0x01 is not allowed in a model");
    expect(&l, "M", "Lib.NoPackage", "broken at 1");
    expect_message(&l, 6, "a package.mo defines a package, but NoPackage is a model");
    expect(&l, "M", "Inside", "broken at 0");
    expect_message(&l, 7, "this file says `within Lib;`, but by its location its class belongs to no package");
    look_close(&l);
}

/* A member of a package given by itself finds the package around it. */
static void test_file_within(void **state)
{
    (void)state;
    char path[100];
    const char *paths[] = {folder, NULL};
    snprintf(path, sizeof path, "%s/Lib/Sub/Deep.mo", folder);
    look l = open_file(path, "within Lib.Sub; model Deep Here h; Real own; end Deep;", NULL);
    expect(&l, "Lib.Sub.Deep", "Part", "class Lib.Part");
    expect(&l, "", "Lib.Part.own", "decl own of Lib.Sub.Deep");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    l.name = NULL;
    assert_int_equal(dd_protect(l.ctx, main_body, &l), DD_OK);
    assert_string_equal(dd_class_full_name(l.lib, l.class, l.pool), "Lib.Sub.Deep");
    look_close(&l);

    snprintf(path, sizeof path, "%s/Lib/package.mo", folder);
    l = open_file(path, "package Lib constant Real mine = 1; end Lib;", paths);
    expect(&l, "", "Lib.mine", "decl mine of Lib");
    expect(&l, "", "Lib.Sub.Deep", "class Lib.Sub.Deep");
    assert_int_equal(dd_context_error_count(l.ctx), 0);
    look_close(&l);

    l = open_file("Nowhere.mo", "within No.Such.Package; model Nowhere end Nowhere;", NULL);
    assert_int_equal(dd_context_error_count(l.ctx), 1);
    expect_message(&l, 0, "there is no package or class No");
    look_close(&l);
    l = open_file("No.mo", "within No; model No end No;", NULL); /* looked for before it is there */
    expect(&l, "", "No", "class No");
    look_close(&l);
    l = open_text(
        "model M = ; type T = enumeration(a, ; model N extends ; end N;"); /* what the parser leaves of mistakes */
    expect(&l, "", "M.x", "none at 1");
    expect(&l, "", "N.x", "none at 1");
    look_close(&l);
}

static void test_environment(void **state)
{
    (void)state;
    char list[300];
    snprintf(list, sizeof list, "/nowhere:%s:", folder);
    setenv("DAEDAL_PATH", list, 1);
    look l = open_text("model M end M;");
    expect(&l, "", "Alone", "class Alone");
    unsetenv("DAEDAL_PATH");
    look_close(&l);
}

/* Names of files are plain names: no path can be made of a class name. */
static void test_no_paths(void **state)
{
    (void)state;
    const char *paths[] = {folder, NULL};
    look l = open_file("test.mo", "model M end M;", paths);
    expect(&l, "", "second/Second", "none at 0");
    expect(&l, "", "../second", "none at 0");
    expect(&l, "", "Lib.Sub/Deep", "none at 1");
    look_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scopes),      cmocka_unit_test(test_inheritance), cmocka_unit_test(test_imports),
        cmocka_unit_test(test_circles),     cmocka_unit_test(test_long_chains), cmocka_unit_test(test_messages),
        cmocka_unit_test(test_main_class),  cmocka_unit_test(test_files),       cmocka_unit_test(test_file_within),
        cmocka_unit_test(test_environment), cmocka_unit_test(test_no_paths),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
