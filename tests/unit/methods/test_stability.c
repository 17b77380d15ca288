/* Stability functions against Pade approximations and known facts about A- and L-stability. */
#include "methods/stability.h"

#include "tableau_kit.h"

static dd_stability stability_of(dd_context *ctx, const dd_tableau *t)
{
    dd_stability f;
    if (dd_stability_find(&f, ctx, t) != DD_OK) {
        fail_msg("%s: %s", t->name, dd_context_message(ctx));
    }
    return f;
}

/* coefficients of the Pade approximation (k, j) of exp: numerator degree k, denominator degree j */
static void check_pade(const dd_stability *f, uint32_t k, uint32_t j, double tolerance)
{
    dd_quad p = 1, q = 1;
    assert_int_equal(f->numerator_degree, k);
    assert_int_equal(f->denominator_degree, j);
    for (uint32_t i = 0; i <= k; i++) {
        kit_near(f->numerator[i] / p, 1, tolerance);
        p *= i < k ? (dd_quad)(k - i) / ((dd_quad)(k + j - i) * (i + 1)) : 1;
    }
    for (uint32_t i = 0; i <= j; i++) {
        kit_near(f->denominator[i] / q, 1, tolerance);
        q *= i < j ? -(dd_quad)(j - i) / ((dd_quad)(k + j - i) * (i + 1)) : 1;
    }
}

static void test_pade(void **state)
{
    (void)state;
    static const struct {
        const char *prefix;
        uint32_t least, k, j; /* degrees s - k over s - j */
        bool l_stable;
    } rows[] = {{"gauss", 1, 0, 0, false},
                {"radau", 1, 1, 0, true},
                {"lobatto", 2, 2, 0, true},
                {"lobatto-iiia", 2, 1, 1, false},
                {"lobatto-iiib", 2, 1, 1, false}};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t s = rows[i].least; s <= 20; s += s < 6 ? 1 : 7) {
            char name[32];
            snprintf(name, sizeof name, "%s-%u", rows[i].prefix, s);
            dd_tableau *t = kit_tableau(ctx, name);
            const dd_stability f = stability_of(ctx, t);
            check_pade(&f, s - rows[i].k, s - rows[i].j, s < 10 ? 1e-30 : 1e-26);
            assert_true(f.a_stable);
            assert_int_equal(f.l_stable, rows[i].l_stable);
            dd_tableau_free(t);
        }
    }
    dd_context_free(ctx);
}

/* The general way, by determinants, is the reference for the short way of collocation methods. */
static void test_general_way(void **state)
{
    (void)state;
    static const char *const names[] = {"gauss-3", "gauss-12", "radau-8", "lobatto-iiia-6", "chebyshev-9", "radau-20"};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_tableau *t = kit_tableau(ctx, names[i]), *u;
        const dd_tableau_input in = {.name = "copy",
                                     .stages = t->stages,
                                     .A = t->exact.A,
                                     .b = t->exact.b,
                                     .accuracy = t->exact.accuracy,
                                     .order = 1};
        assert_int_equal(dd_tableau_new_from(&u, ctx, &in), DD_OK);
        const dd_stability f = stability_of(ctx, t), g = stability_of(ctx, u);
        assert_int_equal(f.numerator_degree, g.numerator_degree);
        assert_int_equal(f.denominator_degree, g.denominator_degree);
        assert_int_equal(f.a_stable, g.a_stable);
        assert_int_equal(f.l_stable, g.l_stable);
        for (uint32_t k = 0; k <= f.denominator_degree; k++) {
            kit_near(g.denominator[k] / f.denominator[k], 1, 1e-25);
        }
        for (uint32_t k = 0; k <= f.numerator_degree; k++) {
            kit_near(g.numerator[k] / f.numerator[k], 1, 1e-25);
        }
        dd_tableau_free(t);
        dd_tableau_free(u);
    }
    dd_context_free(ctx);
}

/* the same numbers rounded to double, and told so: the verdicts stay */
static void test_rounded(void **state)
{
    (void)state;
    static const char *const names[] = {"gauss-2", "gauss-5", "radau-4",  "lobatto-4",  "sdirk4",
                                        "sdirk2",  "tr-bdf2", "esdirk43", "chebyshev-5"};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_tableau *t = kit_tableau(ctx, names[i]), *u;
        dd_quad a[64], b[8];
        for (uint32_t k = 0; k < t->stages * t->stages; k++) {
            a[k] = (dd_quad)t->A[k];
        }
        for (uint32_t k = 0; k < t->stages; k++) {
            b[k] = (dd_quad)t->b[k];
        }
        const dd_tableau_input in = {
            .name = "rounded", .stages = t->stages, .A = a, .b = b, .accuracy = (dd_quad)2e-16, .order = 1};
        assert_int_equal(dd_tableau_new_from(&u, ctx, &in), DD_OK);
        const dd_stability f = stability_of(ctx, t), g = stability_of(ctx, u);
        assert_int_equal(f.a_stable, g.a_stable);
        assert_int_equal(f.l_stable, g.l_stable);
        dd_tableau_free(t);
        dd_tableau_free(u);
    }
    dd_context_free(ctx);
}

static dd_stability small(dd_context *ctx, uint32_t s, const dd_quad *a, const dd_quad *b)
{
    const dd_tableau_input in = {.name = "small", .stages = s, .A = a, .b = b, .order = 1};
    dd_tableau *t;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_OK);
    const dd_stability f = stability_of(ctx, t);
    dd_tableau_free(t);
    return f;
}

/* theta methods: A-stable from 1/2 on, L-stable for 1; SDIRK of order 3: gamma = (3 + sqrt 3)/6 yes, (3 - sqrt 3)/6 no;
 * SDIRK of order 2: A-stable for gamma >= 1/4, L-stable for gamma = 1 -+ sqrt(2)/2 */
static void test_borders(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    for (int k = 0; k <= 100; k++) {
        const dd_quad theta = (dd_quad)k / 100, a[] = {0, 0, 1 - theta, theta}, b[] = {1 - theta, theta};
        const dd_stability f = small(ctx, 2, a, b);
        assert_int_equal(f.a_stable, k >= 50);
        assert_int_equal(f.l_stable, k == 100);
    }
    for (int k = 1; k <= 60; k++) {
        const dd_quad g = (dd_quad)k / 40, a[] = {g, 0, 1 - 2 * g, g}, b[] = {(dd_quad)0.5, (dd_quad)0.5};
        assert_int_equal(small(ctx, 2, a, b).a_stable, k >= 10);
    }
    const dd_quad root = dd_quad_sqrt(3);
    for (int sign = -1; sign <= 1; sign += 2) {
        const dd_quad g = (3 + sign * root) / 6, a[] = {g, 0, 1 - 2 * g, g}, b[] = {(dd_quad)0.5, (dd_quad)0.5};
        assert_int_equal(small(ctx, 2, a, b).a_stable, sign > 0);
        const dd_quad l = 1 + sign * dd_quad_sqrt(2) / 2, al[] = {l, 0, 1 - l, l}, bl[] = {1 - l, l};
        assert_true(small(ctx, 2, al, bl).l_stable);
    }
    dd_context_free(ctx);
}

/* poles on the wrong side, common factors, a stage that is not used */
static void test_odd_ones(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const dd_quad minus[] = {-1}, one[] = {1};
    dd_stability f = small(ctx, 1, minus, one);
    assert_false(f.a_stable); /* R = (1 + 2z)/(1 + z) */
    kit_near(f.numerator[1], 2, 1e-33);
    const dd_quad unused[] = {1, 0, 0, 3}, first[] = {1, 0};
    f = small(ctx, 2, unused, first); /* implicit Euler with a stage for nothing */
    assert_int_equal(f.cancelled, 1);
    assert_int_equal(f.numerator_degree, 0);
    assert_int_equal(f.denominator_degree, 1);
    kit_near(f.denominator[1], -1, 1e-30);
    assert_true(f.l_stable);
    /* two useless stages of the same kind: a double factor */
    const dd_quad twice[] = {1, 0, 0, 0, 3, 0, 0, 1, 3}, b[] = {1, 0, 0};
    f = small(ctx, 3, twice, b);
    assert_int_equal(f.cancelled, 2);
    assert_true(f.l_stable);
    /* a nonreal pair that cancels: an unused Gauss method beside implicit Euler */
    const dd_quad q = (dd_quad)0.25, r = dd_quad_sqrt(3) / 6;
    const dd_quad beside[] = {1, 0, 0, 0, q, q - r, 0, q + r, q};
    f = small(ctx, 3, beside, b);
    assert_int_equal(f.cancelled, 2);
    assert_true(f.l_stable);
    /* an explicit method whose stages are in the wrong order counts as implicit but has R = 1 + z + z^2/2 */
    const dd_quad turned[] = {0, (dd_quad)0.5, 0, 0}, last[] = {1, 0};
    f = small(ctx, 2, turned, last);
    assert_int_equal(f.denominator_degree, 0);
    kit_near(f.numerator[2], (dd_quad)0.5, 1e-30);
    assert_false(f.a_stable);
    dd_context_free(ctx);
}

/* intervals of stability from the literature (Hairer & Wanner II, sec. IV.2) */
static void test_intervals(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double real, imaginary;
    } rows[] = {{"euler", 2, 0},
                {"midpoint", 2, 0},
                {"kutta3", 2.5127453266, 1.7320508076},
                {"rk4", 2.7852935634, 2.8284271247},
                {"dopri54", 3.3066, 0.997}};
    dd_context *ctx = kit_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dd_tableau *t = kit_tableau(ctx, rows[i].name);
        const dd_stability f = stability_of(ctx, t);
        const double tolerance = i < 4 ? 1e-9 : 1e-3;
        assert_true(fabs(f.real - rows[i].real) < tolerance);
        assert_true(fabs(f.imaginary - rows[i].imaginary) < tolerance);
        assert_false(f.a_stable);
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

/* |R| from the polynomials against a step of the method on x' = lambda x */
static void test_factor(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_tableau *t = kit_tableau(ctx, "rk4");
    const dd_stability f = stability_of(ctx, t);
    /* R(z) = 1 + z + z^2/2 + z^3/6 + z^4/24 at z = -1 + i */
    const double re = 1 - 1 + 0 + 2.0 / 6 - 4.0 / 24, im = 1 - 2.0 / 2 + 2.0 / 6;
    assert_true(fabs(dd_stability_factor(&f, -1, 1) - hypot(re, im)) < 1e-15);
    dd_tableau_free(t);
    t = kit_tableau(ctx, "implicit-euler");
    const dd_stability g = stability_of(ctx, t);
    assert_true(dd_stability_factor(&g, 1, 0) == HUGE_VAL);
    assert_true(fabs(dd_stability_factor(&g, -3, 0) - 0.25) < 1e-16);
    dd_tableau_free(t);
    dd_context_free(ctx);
}

static dd_status run(dd_context *ctx)
{
    dd_tableau *t;
    dd_stability f;
    dd_status st = dd_tableau_new(&t, ctx, "lobatto-4");
    st = st == DD_OK ? dd_stability_find(&f, ctx, t) : st;
    dd_tableau_free(t);
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_memory_sweep(run) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pade),     cmocka_unit_test(test_general_way),
                                       cmocka_unit_test(test_rounded),  cmocka_unit_test(test_borders),
                                       cmocka_unit_test(test_odd_ones), cmocka_unit_test(test_intervals),
                                       cmocka_unit_test(test_factor),   cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
