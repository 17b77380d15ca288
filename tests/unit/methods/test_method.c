/* The public face of methods: properties, cost guide, texts, pictures, failing memory and files. */
#include "daedal/methods.h"

#include <unistd.h>

#include "tableau_kit.h"

static dd_method *method(dd_context *ctx, const char *name)
{
    dd_method *m;
    if (dd_method_new(&m, ctx, name) != DD_OK) {
        fail_msg("%s: %s", name, dd_context_message(ctx));
    }
    return m;
}

static void test_properties(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_method *m = method(ctx, "dopri54");
    assert_string_equal(dd_method_name(m), "dopri54");
    assert_int_equal(dd_method_kind_of(m), DD_METHOD_EXPLICIT);
    assert_int_equal(dd_method_stages(m), 7);
    assert_int_equal(dd_method_order(m), 5);
    assert_int_equal(dd_method_embedded_order(m), 4);
    assert_true(dd_method_row_sums_ok(m));
    assert_true(dd_method_A(m)[7] == 0.2 && dd_method_b(m)[0] == 35.0 / 384 && dd_method_c(m)[3] == 0.8);
    assert_true(dd_method_bhat(m)[6] == 1.0 / 40);
    assert_false(dd_method_a_stable(m));
    dd_method_free(m);
    m = method(ctx, "bdf-2");
    assert_int_equal(dd_method_kind_of(m), DD_METHOD_MULTISTEP);
    assert_int_equal(dd_method_order(m), 2);
    assert_true(dd_method_a_stable(m) && dd_method_l_stable(m));
    assert_null(dd_method_A(m));
    assert_true(dd_method_factor(m, -5, 0) < 1);
    dd_method_free(m);
    assert_int_equal(dd_method_new(&m, ctx, "rk44"), DD_INVALID_ARGUMENT);
    assert_null(m);
    assert_string_equal(dd_method_kind_name(DD_METHOD_IMPLICIT), "implicit");
    dd_method_free(NULL);
    dd_context_free(ctx);
}

/* n >= s tol^(-1/o), by hand */
static void test_cost(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double tol, evaluations;
    } rows[] = {{"euler", 1e-3, 1000},  {"rk4", 1e-8, 400},    {"rk4", 1e-6, 127},
                {"gauss-2", 1e-8, 200}, {"kutta3", 1e-6, 300}, {"bdf-1", 1e-6, 1e6}};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_method *m = method(ctx, rows[i].name);
        assert_true(dd_method_evaluations(m, rows[i].tol) == rows[i].evaluations);
        assert_true(isnan(dd_method_evaluations(m, 0)) && isnan(dd_method_evaluations(m, 1)));
        dd_method_free(m);
    }
    dd_method_list *list;
    assert_int_equal(dd_method_list_new(&list, ctx), DD_OK);
    for (int k = 1; k < 14; k++) { /* the suggestion is the cheapest of its kind */
        const double tol = pow(10, -k);
        const dd_method *best = dd_method_list_suggest(list, DD_METHOD_EXPLICIT, tol);
        const dd_method *stiff = dd_method_list_suggest(list, DD_METHOD_IMPLICIT, tol);
        assert_true(dd_method_embedded_order(best) > 0 && dd_method_l_stable(stiff));
        for (uint32_t i = 0; i < dd_method_list_count(list); i++) {
            const dd_method *m = dd_method_list_get(list, i);
            if (dd_method_kind_of(m) == DD_METHOD_EXPLICIT && dd_method_embedded_order(m) > 0) {
                assert_true(dd_method_evaluations(best, tol) <= dd_method_evaluations(m, tol));
            }
        }
    }
    assert_null(dd_method_list_get(list, dd_method_list_count(list)));
    dd_method_list_free(list);
    dd_method_list_free(NULL);
    dd_context_free(ctx);
}

static void test_json(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_method *m = method(ctx, "trapezoidal");
    const char *text;
    assert_int_equal(dd_method_json(&text, m, 0), DD_OK);
    assert_string_equal(
        text, "{\"name\":\"trapezoidal\",\"stages\":2,\"order\":2,\"kind\":\"implicit\",\"A\":[[0,0],[0.5,0.5]],"
              "\"b\":[0.5,0.5],\"c\":[0,1],\"row_sums_ok\":true,\"stability\":{\"numerator\":[1,0.5],"
              "\"denominator\":[1,-0.5],\"a_stable\":true,\"l_stable\":false},\"embedded\":null}");
    dd_method_free(m);
    m = method(ctx, "heun-euler21");
    assert_int_equal(dd_method_json(&text, m, 0.01), DD_OK);
    assert_non_null(
        strstr(text, "\"embedded\":{\"order\":1,\"bhat\":[1,0]},\"cost\":{\"tol\":0.01,\"evaluations\":20}}"));
    dd_method_free(m);
    m = method(ctx, "bdf-2");
    assert_int_equal(dd_method_json(&text, m, 0), DD_OK);
    assert_string_equal(text,
                        "{\"name\":\"bdf-2\",\"stages\":1,\"order\":2,\"kind\":\"multistep\",\"alpha\":[1.5,-2,0.5],"
                        "\"row_sums_ok\":true,\"stability\":{\"numerator\":null,\"denominator\":null,\"a_stable\":true,"
                        "\"l_stable\":true,\"angle\":90},\"embedded\":null}");
    dd_method_free(m);
    dd_context_free(ctx);
}

static void test_text(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_method *m = method(ctx, "heun2");
    const char *text;
    assert_int_equal(dd_method_text(&text, m, 0, 0), DD_OK);
    assert_string_equal(text, "heun2: an explicit Runge-Kutta method with 2 stages, order 2\n\n"
                              "    0 |\n"
                              "    1 |    1\n"
                              "  ----+----------\n"
                              "    b |  1/2  1/2\n\n"
                              "  R(z) = 1 + z + 1/2 z^2\n"
                              "  real axis to -2\n");
    dd_method_free(m);
    m = method(ctx, "gauss-2");
    assert_int_equal(dd_method_text(&text, m, 0, 30), DD_OK);
    assert_non_null(strstr(text, "0.211324865405187117745425609749 |"));
    dd_method_free(m);
    m = method(ctx, "gauss-20");
    assert_int_equal(dd_method_text(&text, m, 0, 0), DD_OK);
    assert_non_null(strstr(text, "20 x 20 coefficients"));
    dd_method_free(m);
    dd_context_free(ctx);
}

/* The picture is one SVG element without anything outside of it, and its boundary is where the factor is 1. */
static void test_picture(void **state)
{
    (void)state;
    char path[] = "/tmp/daedal_plot_XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    dd_context *ctx = kit_context();
    static const char *const names[] = {"rk4", "gauss-3", "bdf-5", "chebyshev-6"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_method *m = method(ctx, names[i]);
        assert_int_equal(dd_method_plot(m, path), DD_OK);
        static char text[1 << 20];
        FILE *file = fopen(path, "r");
        const size_t n = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        text[n] = '\0';
        assert_int_equal(strncmp(text, "<svg xmlns=", 11), 0);
        assert_string_equal(text + n - 7, "</svg>\n");
        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        assert_null(strstr(text, "href"));
        assert_non_null(strstr(text, names[i]));
        dd_method_free(m);
    }
    dd_method *m = method(ctx, "rk4");
    assert_int_equal(dd_method_plot(m, "/nonexistent/x.svg"), DD_IO);
    dd_method_free(m);
    unlink(path);
    dd_context_free(ctx);
}

static dd_status use(dd_context *ctx)
{
    dd_method *m;
    const char *text;
    dd_status st = dd_method_new(&m, ctx, "sdirk2");
    st = st == DD_OK ? dd_method_json(&text, m, 0.1) : st;
    st = st == DD_OK ? dd_method_text(&text, m, 0.1, 5) : st;
    st = st == DD_OK ? dd_method_plot(m, "/dev/null") : st;
    dd_method_free(m);
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_memory_sweep(use) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_properties), cmocka_unit_test(test_cost),
                                       cmocka_unit_test(test_json),       cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_picture),    cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
