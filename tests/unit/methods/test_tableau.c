/* Methods by name: published coefficients of the families to 30 digits, their simplifying conditions for every S,
 * generic formulas, names that are wrong, memory. */
#include "methods/collocation.h"
#include "methods/order.h"
#include "tableau_kit.h"

/* closed forms to 30 digits; entries of A row by row, then b */
static void check_digits(dd_context *ctx, const char *name, const char *const *digits)
{
    dd_tableau *t = kit_tableau(ctx, name);
    const uint32_t s = t->stages;
    for (uint32_t k = 0; k < s * s + s; k++) {
        kit_same_digits(k < s * s ? t->exact.A[k] : t->exact.b[k - s * s], digits[k]);
    }
    for (uint32_t k = 0; k < s * s; k++) {
        assert_true(t->A[k] == (double)t->exact.A[k]);
    }
    dd_tableau_free(t);
}

/* decimal expansions of the closed forms in Hairer & Wanner II, tables IV.5.2 to IV.5.13 */
static void test_published_digits(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    static const char *const gauss2[] = {
        "0.25", "-0.038675134594812882254574390251", "0.538675134594812882254574390251", "0.25", "0.5", "0.5"};
    static const char *const gauss3[] = {
        "0.138888888888888888888888888889", "-0.0359766675249389034563954710966", "0.00978944401530832604958004222948",
        "0.300263194980864592438024947213", "0.222222222222222222222222222222",   "-0.0224854172030868146602471694354",
        "0.267988333762469451728197735548", "0.480421111969383347900839915541",   "0.138888888888888888888888888889",
        "0.277777777777777777777777777778", "0.444444444444444444444444444444",   "0.277777777777777777777777777778"};
    static const char *const radau2[] = {
        "0.416666666666666666666666666667", "-0.0833333333333333333333333333333", "0.75", "0.25", "0.75", "0.25"};
    static const char *const radau3[] = {
        "0.196815477223660425868386142992", "-0.0655354258501983881085227825696", "0.0237709743482201524204082321072",
        "0.394424314739087276997411671458", "0.292073411665228463020502745897",   "-0.041548752125997930198186009885",
        "0.376403062700467275050075442369", "0.51248582618842161383881344652",    "0.111111111111111111111111111111",
        "0.376403062700467275050075442369", "0.51248582618842161383881344652",    "0.111111111111111111111111111111"};
    static const char *const lobatto3[] = {
        "0.166666666666666666666666666667", "-0.333333333333333333333333333333", "0.166666666666666666666666666667",
        "0.166666666666666666666666666667", "0.416666666666666666666666666667",  "-0.0833333333333333333333333333333",
        "0.166666666666666666666666666667", "0.666666666666666666666666666667",  "0.166666666666666666666666666667",
        "0.166666666666666666666666666667", "0.666666666666666666666666666667",  "0.166666666666666666666666666667"};
    static const char *const lobatto3a[] = {"0",
                                            "0",
                                            "0",
                                            "0.208333333333333333333333333333",
                                            "0.333333333333333333333333333333",
                                            "-0.0416666666666666666666666666667",
                                            "0.166666666666666666666666666667",
                                            "0.666666666666666666666666666667",
                                            "0.166666666666666666666666666667",
                                            "0.166666666666666666666666666667",
                                            "0.666666666666666666666666666667",
                                            "0.166666666666666666666666666667"};
    static const char *const lobatto3b[] = {
        "0.166666666666666666666666666667", "-0.166666666666666666666666666667", "0",
        "0.166666666666666666666666666667", "0.333333333333333333333333333333",  "0",
        "0.166666666666666666666666666667", "0.833333333333333333333333333333",  "0",
        "0.166666666666666666666666666667", "0.666666666666666666666666666667",  "0.166666666666666666666666666667"};
    static const char *const lobatto2[] = {"0.5", "-0.5", "0.5", "0.5", "0.5", "0.5"};
    check_digits(ctx, "gauss-3", gauss3);
    check_digits(ctx, "radau-2", radau2);
    check_digits(ctx, "radau-3", radau3);
    check_digits(ctx, "lobatto-2", lobatto2);
    check_digits(ctx, "lobatto-3", lobatto3);
    check_digits(ctx, "lobatto-iiia-3", lobatto3a);
    check_digits(ctx, "lobatto-iiic-3", lobatto3);
    check_digits(ctx, "lobatto-iiib-3", lobatto3b);
    check_digits(ctx, "gauss-2", gauss2);
    dd_context_free(ctx);
}

typedef struct {
    const char *prefix;
    uint32_t least;
    int b, c, d; /* B(2s + b), C(s + c), D(s + d): theory */
} family;

/* every S up to 20: the simplifying conditions of theory, in 113 bits, neither less nor more */
static void test_families(void **state)
{
    (void)state;
    static const family families[] = {{"gauss", 1, 0, 0, 0},
                                      {"radau", 1, -1, 0, -1},
                                      {"lobatto", 2, -2, -1, -1},
                                      {"lobatto-iiia", 2, -2, 0, -2},
                                      {"lobatto-iiib", 2, -2, -2, 0}};
    dd_context *ctx = kit_context();
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        for (uint32_t s = families[f].least; s <= 20; s++) {
            char name[32];
            snprintf(name, sizeof name, "%s-%u", families[f].prefix, s);
            dd_tableau *t = kit_tableau(ctx, name);
            dd_order o = {0};
            dd_order_simplifying(&o, t, t->exact.b);
            assert_int_equal(t->stages, s);
            assert_int_equal(o.B, 2 * s + (uint32_t)families[f].b);
            if (s > 2) { /* iiib with two stages has C(1) beyond its s - 2 */
                assert_int_equal(o.C, s + (uint32_t)families[f].c);
                assert_int_equal(o.D, s + (uint32_t)families[f].d);
            }
            assert_int_equal(t->order, o.B);
            /* C(0) is all that iiib with two stages has, so its row sums are not its nodes */
            const bool sums = strcmp(name, "lobatto-iiib-2") != 0;
            if (dd_order_row_sums(t) != sums) {
                fail_msg("%s: row sums", name);
            }
            dd_tableau_free(t);
        }
    }
    dd_context_free(ctx);
}

/* entries of A in double precision against a route of their own: the highest simplifying conditions at s = 20 */
static void test_rounding_once(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_tableau *t = kit_tableau(ctx, "gauss-20");
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t k = 1; k <= 20; k++) {
            dd_quad sum = 0, truth = 1 / (dd_quad)k, size = 0;
            for (uint32_t j = 0; j < 20; j++) {
                dd_quad term = (dd_quad)t->A[i * 20 + j];
                for (uint32_t n = 1; n < k; n++) {
                    term *= t->exact.c[j];
                }
                sum += term;
                size += dd_quad_abs(term);
            }
            for (uint32_t n = 0; n < k; n++) {
                truth *= t->exact.c[i];
            }
            kit_near(sum, truth, 1.2e-16 * (double)size); /* half a unit in the last place per entry */
        }
    }
    dd_tableau_free(t);
    dd_context_free(ctx);
}

/* Every listed method has exactly the orders that the table states, by trees, also of its other formulas. */
static void test_listed_orders(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint32_t count = 0;
    for (const char *name; (name = dd_tableau_listed(count)); count++) {
        dd_tableau *t = kit_tableau(ctx, name);
        dd_order o;
        uint32_t dense;
        assert_string_equal(t->name, name);
        assert_int_equal(dd_order_find(&o, ctx, t, t->exact.b), DD_OK);
        if (o.order != t->order || o.at_least) {
            fail_msg("%s: order %u by trees, %u stated", name, o.order, t->order);
        }
        assert_true(o.residual <= 1);
        if (t->bhat) {
            assert_int_equal(dd_order_find(&o, ctx, t, t->exact.bhat), DD_OK);
            assert_int_equal(o.order, t->embedded_order);
        }
        if (t->bhat_low) {
            assert_int_equal(dd_order_find(&o, ctx, t, t->exact.bhat_low), DD_OK);
            assert_int_equal(o.order, t->low_order);
        }
        assert_int_equal(dd_order_find_dense(&dense, ctx, t), DD_OK);
        assert_int_equal(dense, t->dense.order);
        assert_true(dd_order_row_sums(t));
        dd_tableau_free(t);
    }
    assert_true(count > 40);
    dd_context_free(ctx);
}

static void test_structure(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        dd_tableau_structure structure;
        bool collocation, stiffly_accurate, same;
    } rows[] = {{"rk4", DD_TABLEAU_EXPLICIT, false, false, false},
                {"dopri54", DD_TABLEAU_EXPLICIT, false, true, true},
                {"bs32", DD_TABLEAU_EXPLICIT, false, true, true},
                {"dop853", DD_TABLEAU_EXPLICIT, false, false, false},
                {"sdirk4", DD_TABLEAU_DIAGONAL, false, true, false},
                {"trapezoidal", DD_TABLEAU_DIAGONAL, false, true, false},
                {"gauss-3", DD_TABLEAU_IMPLICIT, true, false, false},
                {"radau-3", DD_TABLEAU_IMPLICIT, true, true, false},
                {"lobatto-3", DD_TABLEAU_IMPLICIT, false, true, false},
                {"lobatto-iiib-3", DD_TABLEAU_IMPLICIT, false, false, false},
                {"chebyshev-5", DD_TABLEAU_IMPLICIT, true, true, false}};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_tableau *t = kit_tableau(ctx, rows[i].name);
        assert_int_equal(t->structure, rows[i].structure);
        assert_int_equal(t->collocation, rows[i].collocation);
        assert_int_equal(t->stiffly_accurate, rows[i].stiffly_accurate);
        assert_int_equal(t->first_same_as_last, rows[i].same);
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

/* the derivative matrix of Chebyshev collocation, D_ij of the source without its first row and column, is A^-1 */
static void test_chebyshev(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_tableau *t = kit_tableau(ctx, "chebyshev-9");
    enum { N = 8 }; /* x_k = -cos(k pi / 8) */
    double d[N + 1][N + 1], x[N + 1];
    for (int i = 0; i <= N; i++) {
        x[i] = -cos(3.14159265358979324 * i / N);
    }
    for (int i = 0; i <= N; i++) { /* closed form: c_i/c_j (-1)^(i+j) / (x_i - x_j), rows of D sum up to 0 */
        double sum = 0;
        for (int j = 0; j <= N; j++) {
            const double ci = i % N == 0 ? 2 : 1, cj = j % N == 0 ? 2 : 1;
            d[i][j] = i == j ? 0 : ci / cj * ((i + j) % 2 == 0 ? 1 : -1) / (x[i] - x[j]);
            sum += d[i][j];
        }
        d[i][i] = -sum;
    }
    for (int i = 1; i <= N; i++) {
        assert_true(fabs(t->c[i - 1] - 0.5 * (1 + x[i])) < 1e-15);
        for (int j = 1; j <= N; j++) {
            double sum = 0;
            for (int k = 1; k <= N; k++) {
                sum += 2 * d[i][k] * t->A[(k - 1) * N + j - 1]; /* d/dt = 2 d/dx on [0, 1] */
            }
            assert_true(fabs(sum - (i == j)) < 1e-12);
        }
    }
    dd_tableau_free(t);
    t = kit_tableau(ctx, "chebyshev-2");
    assert_true(t->stages == 1 && t->A[0] == 1 && t->order == 1);
    dd_tableau_free(t);
    t = kit_tableau(ctx, "chebyshev-65");
    assert_true(t->stages == 64 && dd_order_row_sums(t));
    dd_tableau_free(t);
    dd_context_free(ctx);
}

/* generic2 and generic3 are known methods for known alpha */
static void test_generic(void **state)
{
    (void)state;
    static const char *const same[][2] = {{"generic2:1/2", "midpoint"},
                                          {"generic2:2/3", "ralston2"},
                                          {"generic2:1", "heun2"},
                                          {"generic3:1/2", "kutta3"}};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        dd_tableau *t = kit_tableau(ctx, same[i][0]), *u = kit_tableau(ctx, same[i][1]);
        assert_int_equal(t->stages, u->stages);
        for (uint32_t k = 0; k < t->stages * t->stages; k++) {
            kit_near(t->exact.A[k], u->exact.A[k], 1e-33);
        }
        for (uint32_t k = 0; k < t->stages; k++) {
            kit_near(t->exact.b[k], u->exact.b[k], 1e-33);
        }
        dd_tableau_free(t);
        dd_tableau_free(u);
    }
    for (int k = 1; k < 40; k++) {
        char name[40];
        snprintf(name, sizeof name, "generic3:%d/17", k);
        if (k != 17) {
            dd_tableau *t = kit_tableau(ctx, name);
            assert_int_equal(t->order, 3);
            dd_tableau_free(t);
        }
        snprintf(name, sizeof name, "generic2:-%d/7", k);
        dd_tableau *t = kit_tableau(ctx, name);
        assert_int_equal(t->order, 2);
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

static void test_wrong_names(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"rk5", "there is no method \"rk5\"; did you mean \"rk4\"?"},
        {"gaus-2", "there is no method \"gaus-2\"; did you mean \"gauss-2\"?"},
        {"dorpi54", "there is no method \"dorpi54\"; did you mean \"dopri54\"?"},
        {"gauss-21", "there is no method \"gauss-21\"; gauss-S takes S from 1 to 20"},
        {"gauss-0", "there is no method \"gauss-0\"; gauss-S takes S from 1 to 20"},
        {"gauss-02", "there is no method \"gauss-02\"; gauss-S takes S from 1 to 20"},
        {"gauss-3x", "there is no method \"gauss-3x\"; gauss-S takes S from 1 to 20"},
        {"radau-99999999999999999999",
         "there is no method \"radau-99999999999999999999\"; radau-S takes S from 1 to 20"},
        {"lobatto-1", "there is no method \"lobatto-1\"; lobatto-S takes S from 2 to 20"},
        {"chebyshev-66", "there is no method \"chebyshev-66\"; chebyshev-S takes S from 2 to 65"},
        {"bdf-3", "bdf-3 is a multistep formula, not a Runge-Kutta method"},
        {"bdf-7", "there is no method \"bdf-7\"; bdf-M takes M from 1 to 6"},
        {"", "there is no method \"\"; `daedal methods` lists them"},
        {"quite something else", "there is no method \"quite something else\"; `daedal methods` lists them"},
        {"generic2:0", "generic2:0: there is no such method for ALPHA = 0"},
        {"generic3:2/3", "generic3:2/3: there is no such method for ALPHA = 0, 2/3 or 1"},
        {"generic2:1e9", "generic2:1e9: ALPHA must lie between 0.001 and 1000"},
        {"generic2:nan",
         "generic2:nan: ALPHA, \"nan\", is not a number: \"nan\" is not known here; numbers, + - * / ^ and sqrt() "
         "are"},
        {"generic2:", "generic2:: ALPHA, \"\", is not a number: an empty text is not a number"},
    };
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_tableau *t;
        assert_int_equal(dd_tableau_new(&t, ctx, rows[i][0]), DD_INVALID_ARGUMENT);
        assert_null(t);
        assert_string_equal(dd_context_message(ctx), rows[i][1]);
    }
    char long_name[5000];
    memset(long_name, 'a', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    dd_tableau *t;
    assert_int_equal(dd_tableau_new(&t, ctx, long_name), DD_INVALID_ARGUMENT);
    dd_context_free(ctx);
}

static void test_from_arrays(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const dd_quad a[] = {0, 0, 1, 0}, b[] = {(dd_quad)0.5, (dd_quad)0.5}, bad[] = {(dd_quad)NAN, 1}, bhat[] = {1, 0};
    dd_tableau_input in = {.name = "mine", .stages = 2, .A = a, .b = b, .bhat = bhat};
    dd_tableau *t;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_OK);
    assert_true(t->order == 2 && t->embedded_order == 1 && t->c[1] == 1);
    dd_tableau_free(t);
    in.b = bad;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_INVALID_ARGUMENT);
    in.b = b;
    in.stages = 0;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_INVALID_ARGUMENT);
    in.stages = 65;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_INVALID_ARGUMENT);
    dd_tableau_free(NULL);
    dd_context_free(ctx);
}

static dd_status create(dd_context *ctx)
{
    static const char *const names[] = {"generic3:1/3", "dop853", "gauss-7"};
    dd_status st = DD_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && st == DD_OK; i++) {
        dd_tableau *t;
        uint32_t order;
        st = dd_tableau_new(&t, ctx, names[i]);
        st = st == DD_OK ? dd_order_find_dense(&order, ctx, t) : st;
        dd_tableau_free(t);
    }
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_memory_sweep(create) > 8);
}

/* Integrals of Lagrange polynomials in double precision, against those in 113 bits. */
static void test_integrals(void **state)
{
    (void)state;
    const dd_nodes kind[] = {DD_NODES_GAUSS, DD_NODES_RADAU, DD_NODES_LOBATTO, DD_NODES_CHEBYSHEV};
    const uint32_t many[] = {DD_TABLEAU_FAMILY_STAGES, DD_TABLEAU_FAMILY_STAGES, DD_TABLEAU_FAMILY_STAGES,
                             DD_COLLOCATION_MOST};
    for (uint32_t f = 0; f < 4; f++) {
        for (uint32_t n = 2; n <= many[f]; n++) {
            dd_quad c[DD_COLLOCATION_MOST], exact[DD_COLLOCATION_MOST];
            double found[DD_COLLOCATION_MOST];
            dd_lagrange_rule rule;
            dd_collocation_nodes(kind[f], n, c);
            dd_lagrange_rule_make(&rule, c, n);
            for (int k = 0; k <= 7; k++) {
                const double upper = k / 7.0;
                dd_lagrange_integrals(c, n, upper, exact);
                dd_lagrange_rule_integrals(&rule, upper, found);
                for (uint32_t j = 0; j < n; j++) {
                    assert_true(fabs(found[j] - (double)exact[j]) < 2e-16 * n);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_integrals),     cmocka_unit_test(test_published_digits),
                                       cmocka_unit_test(test_families),      cmocka_unit_test(test_rounding_once),
                                       cmocka_unit_test(test_listed_orders), cmocka_unit_test(test_structure),
                                       cmocka_unit_test(test_chebyshev),     cmocka_unit_test(test_generic),
                                       cmocka_unit_test(test_wrong_names),   cmocka_unit_test(test_from_arrays),
                                       cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
