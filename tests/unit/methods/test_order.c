/* Rooted trees and order conditions against counts and densities from the literature, and against methods whose
 * order is known to be lower than it looks. */
#include "methods/order.h"

#include "tableau_kit.h"

static void test_trees(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 1, 2, 4, 9, 20, 48, 115, 286, 719}; /* OEIS A000081 */
    static dd_tree trees[DD_ORDER_MOST_TREES];
    const uint32_t n = dd_trees(trees, DD_ORDER_TREES);
    uint32_t found[DD_ORDER_TREES + 1] = {0};
    assert_int_equal(n, DD_ORDER_MOST_TREES);
    for (uint32_t i = 0; i < n; i++) {
        found[trees[i].order]++;
    }
    for (uint32_t k = 1; k <= DD_ORDER_TREES; k++) {
        assert_int_equal(found[k], counts[k - 1]);
    }
    assert_int_equal(dd_trees(trees, 8), 200);
}

/* sum over the trees of order n of n! / (gamma sigma) is (n-1)!: the number of increasingly labelled trees. sigma
 * comes from the multiplicities of equal branches. */
static void test_densities(void **state)
{
    (void)state;
    static dd_tree trees[DD_ORDER_MOST_TREES];
    static double sigma[DD_ORDER_MOST_TREES];
    const uint32_t n = dd_trees(trees, DD_ORDER_TREES);
    double sums[DD_ORDER_TREES + 1] = {0}, factorial[DD_ORDER_TREES + 1] = {1};
    for (uint32_t k = 1; k <= DD_ORDER_TREES; k++) {
        factorial[k] = factorial[k - 1] * k;
    }
    for (uint32_t i = 0; i < n; i++) {
        sigma[i] = 1;
        if (i > 0) {
            uint32_t equal = 1; /* branches at the root that are equal to the last one, with it */
            for (uint32_t rest = trees[i].rest; rest > 0 && trees[rest].branch == trees[i].branch;
                 rest = trees[rest].rest) {
                equal++;
            }
            sigma[i] = sigma[trees[i].rest] * sigma[trees[i].branch] * equal;
        }
        sums[trees[i].order] += factorial[trees[i].order] / (trees[i].gamma * sigma[i]);
    }
    for (uint32_t k = 1; k <= DD_ORDER_TREES; k++) {
        assert_true(fabs(sums[k] - factorial[k - 1]) < 1e-9 * factorial[k - 1]);
    }
}

static dd_order order_of(dd_context *ctx, uint32_t s, const dd_quad *a, const dd_quad *b, dd_quad accuracy)
{
    const dd_tableau_input in = {.name = "test", .stages = s, .A = a, .b = b, .accuracy = accuracy, .order = 1};
    dd_tableau *t;
    dd_order o;
    assert_int_equal(dd_tableau_new_from(&t, ctx, &in), DD_OK);
    assert_int_equal(dd_order_find(&o, ctx, t, t->exact.b), DD_OK);
    dd_tableau_free(t);
    return o;
}

/* order for quadrature 3 or 4, for differential equations less: only the trees tell */
static void test_lower_than_it_looks(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const dd_quad simpson[] = {0, 0, 0, (dd_quad)0.5, 0, 0, 1, 0, 0};
    const dd_quad weights[] = {(dd_quad)1 / 6, (dd_quad)2 / 3, (dd_quad)1 / 6};
    dd_order o = order_of(ctx, 3, simpson, weights, 0);
    assert_int_equal(o.B, 4);
    assert_int_equal(o.order, 2);
    assert_int_equal(o.fails_at, 3);
    /* weights that do not sum up to 1 have order 0 */
    const dd_quad half[] = {(dd_quad)0.5}, zero[] = {0};
    assert_int_equal(order_of(ctx, 1, zero, half, 0).order, 0);
    /* the Euler method repeated: b = (1/2, 1/2), A_21 = 1/2 */
    const dd_quad twice[] = {0, 0, (dd_quad)0.5, 0}, both[] = {(dd_quad)0.5, (dd_quad)0.5};
    assert_int_equal(order_of(ctx, 2, twice, both, 0).order, 1);
    dd_context_free(ctx);
}

/* Coefficients rounded to d digits still show the order when their accuracy is told, and no order too much. */
static void test_rounded(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    static const char *const names[] = {"rk4",        "dopri54", "cash-karp54", "verner65",
                                        "fehlberg78", "dop853",  "gauss-4",     "radau-5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        dd_tableau *t = kit_tableau(ctx, names[i]);
        dd_quad a[20 * 20], b[20];
        for (uint32_t k = 0; k < t->stages * t->stages; k++) {
            a[k] = (dd_quad)t->A[k];
        }
        for (uint32_t k = 0; k < t->stages; k++) {
            b[k] = (dd_quad)t->b[k];
        }
        assert_int_equal(order_of(ctx, t->stages, a, b, (dd_quad)2e-16).order, t->order);
        assert_true(order_of(ctx, t->stages, a, b, 0).order < 3); /* taken as exact they are wrong */
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

/* beyond the trees: the simplifying conditions alone */
static void test_high(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_tableau *t = kit_tableau(ctx, "radau-11");
    dd_order o;
    assert_int_equal(dd_order_find(&o, ctx, t, t->exact.b), DD_OK);
    assert_int_equal(o.order, 21);
    assert_false(o.at_least);
    assert_int_equal(o.trees, 0);
    dd_tableau_free(t);
    dd_context_free(ctx);
}

/* The error at t = 1/2 of y' = y (exp(1/2)) or y' = y^2 (2), y(0) = 1, in 113 bits so that order 8 shows. */
static double error_after(const dd_tableau *t, int steps, bool nonlinear)
{
    const dd_quad h = (dd_quad)0.5 / steps, e = dd_quad_parse("1.648721270700128146848650787814164", NULL, NULL);
    dd_quad y = 1;
    for (int n = 0; n < steps; n++) {
        dd_quad k[DD_TABLEAU_STAGES], next = y;
        for (uint32_t i = 0; i < t->stages; i++) {
            dd_quad stage = y;
            for (uint32_t j = 0; j < i; j++) {
                stage += h * t->exact.A[i * t->stages + j] * k[j];
            }
            k[i] = nonlinear ? stage * stage : stage;
            next += h * t->exact.b[i] * k[i];
        }
        y = next;
    }
    return (double)dd_quad_abs(y - (nonlinear ? 2 : e));
}

/* of both problems taken as one system */
static double measured_order(const dd_tableau *t)
{
    double errors[2];
    for (int round = 0; round < 2; round++) {
        errors[round] = hypot(error_after(t, 250 << round, false), error_after(t, 250 << round, true));
    }
    return log2(errors[0] / errors[1]);
}

static void test_measured(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    for (uint32_t i = 0; dd_tableau_listed(i); i++) {
        dd_tableau *t = kit_tableau(ctx, dd_tableau_listed(i));
        if (t->structure == DD_TABLEAU_EXPLICIT) {
            const double measured = measured_order(t);
            if (fabs(measured - t->order) > 0.2) {
                fail_msg("%s: measured order %.2f, %u by trees", t->name, measured, t->order);
            }
        }
        dd_tableau_free(t);
    }
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees),   cmocka_unit_test(test_densities), cmocka_unit_test(test_lower_than_it_looks),
        cmocka_unit_test(test_rounded), cmocka_unit_test(test_high),      cmocka_unit_test(test_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
