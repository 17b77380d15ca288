/* test_lagrange.c - equations of motion with known answers, and that a chain of n masses costs in proportion to n. */
#include "../expr/dag_support.h"

#include "../base/support.h"
#include "mech/lagrange.h"

/* Symbols: PARAM a b c d; VAR x y z u v w and the arrays P, Q. */

static void assert_same(dd_dag *dag, dd_expr e, const char *text)
{
    dd_expr difference = dd_expand(dag, dd_sub(dag, e, parse(dag, text)), 1000);
    if (!dd_is_num(dag, difference, 0)) {
        fail_msg("%s is not %s", print_with(dag, e, &plain_namer), text);
    }
}

/* m x'' + k x = 0 */
static void spring_mass(dd_dag *dag, dd_pool *pool)
{
    dd_expr q = parse(dag, "x"), r;
    dd_lagrange in = {.q = &q, .nq = 1, .T = parse(dag, "0.5*a*der(x)^2"), .V = parse(dag, "0.5*b*x^2")};
    dd_lagrange_equations(dag, &in, &r, pool);
    assert_int_equal(r, parse(dag, "a*der(der(x)) + b*x"));
    in.D = parse(dag, "0.5*c*der(x)^2");
    in.Q = (dd_expr[]){parse(dag, "sin(time)")};
    dd_lagrange_equations(dag, &in, &r, pool);
    assert_int_equal(r, parse(dag, "a*der(der(x)) + b*x + c*der(x) - sin(time)"));
}

/* The cart-pole: T = 0.5 m x'^2 + 0.5 M (p'.p'), p = (x + L cos y, L sin y); a = m, b = M, c = L, d = g. The mass
 * matrix is [M + m, -M L sin y; -M L sin y, M L^2]; with V = M g L cos y the right side is (M L y'^2 cos y, M g L sin
 * y). */
static void cart_pole(dd_dag *dag, dd_pool *pool)
{
    dd_expr q[] = {parse(dag, "x"), parse(dag, "y")}, r[2], acceleration[] = {dd_var(dag, 0, 2), dd_var(dag, 1, 2)};
    dd_expr m[2], rest;
    dd_lagrange in = {.q = q, .nq = 2, .V = parse(dag, "b*d*c*cos(y)")};
    in.T = parse(dag, "0.5*a*der(x)^2 + 0.5*b*((der(x + c*cos(y)))^2 + (der(c*sin(y)))^2)");
    dd_lagrange_equations(dag, &in, r, pool);
    assert_true(dd_linear(dag, r[0], acceleration, 2, m, &rest));
    assert_same(dag, m[0], "a + b");
    assert_same(dag, m[1], "-b*c*sin(y)");
    assert_same(dag, rest, "-b*c*der(y)^2*cos(y)");
    assert_true(dd_linear(dag, r[1], acceleration, 2, m, &rest));
    assert_same(dag, m[0], "-b*c*sin(y)");
}

/* Where cos^2 + sin^2 = 1 is needed, numbers are compared. */
static double leaf_value(void *user, dd_op op, uint32_t id, uint32_t order)
{
    (void)user;
    return op == DD_OP_PARAM ? 1.1 + 0.3 * id : op == DD_OP_TIME ? 0.7 : sin(1 + 3.1 * id + 1.7 * order);
}

static void assert_same_value(dd_dag *dag, dd_expr e, const char *text)
{
    double value = dag_value(dag, e, leaf_value, NULL), expected = dag_value(dag, parse(dag, text), leaf_value, NULL);
    if (!close_to(value, expected, 1, 1e-13)) {
        fail_msg("%s = %.17g, but %s = %.17g", print_with(dag, e, &plain_namer), value, text, expected);
    }
}

static void cart_pole_values(dd_dag *dag, dd_pool *pool)
{
    dd_expr q[] = {parse(dag, "x"), parse(dag, "y")}, r[2];
    dd_lagrange in = {.q = q, .nq = 2, .V = parse(dag, "b*d*c*cos(y)")};
    in.T = parse(dag, "0.5*a*der(x)^2 + 0.5*b*((der(x + c*cos(y)))^2 + (der(c*sin(y)))^2)");
    dd_lagrange_equations(dag, &in, r, pool);
    assert_same_value(dag, r[0], "(a + b)*der(der(x)) - b*c*sin(y)*der(der(y)) - b*c*der(y)^2*cos(y)");
    assert_same_value(dag, r[1], "-b*c*sin(y)*der(der(x)) + b*c^2*der(der(y)) - b*d*c*sin(y)");
    in.V = parse(dag, "b*d*c*sin(y)"); /* the physical one: right side (M L y'^2 cos y, -M g L cos y) */
    dd_lagrange_equations(dag, &in, r, pool);
    assert_same_value(dag, r[1], "-b*c*sin(y)*der(der(x)) + b*c^2*der(der(y)) + b*d*c*cos(y)");
}

/* A force (u, v) on the bob of the cart-pole: generalised forces (u, -L sin(y) u + L cos(y) v). */
static void virtual_work(dd_dag *dag, dd_pool *pool)
{
    dd_expr q[] = {parse(dag, "x"), parse(dag, "y")}, with[2], without[2];
    dd_lagrange in = {.q = q, .nq = 2, .T = parse(dag, "0.5*a*der(x)^2 + 0.5*b*der(y)^2")};
    dd_lagrange_equations(dag, &in, without, pool);
    dd_expr forces[] = {parse(dag, "u"), parse(dag, "v*x")},
            points[] = {parse(dag, "x + c*cos(y)"), parse(dag, "c*sin(y)")};
    in.forces = forces;
    in.points = points;
    in.nf = 2;
    dd_lagrange_equations(dag, &in, with, pool);
    assert_same(dag, dd_sub(dag, without[0], with[0]), "u");
    assert_same(dag, dd_sub(dag, without[1], with[1]),
                "-c*sin(y)*u + c*cos(y)*v*x"); /* the force itself is not differentiated */
}

/* m p'' + m g e3 + z p = u from c = (p.p - L^2)/2 */
static void pendulum(dd_dag *dag, dd_pool *pool)
{
    dd_expr q[] = {parse(dag, "P[1]"), parse(dag, "P[2]"), parse(dag, "P[3]")}, r[3], lambda = parse(dag, "z");
    dd_expr c = parse(dag, "(P[1]^2 + P[2]^2 + P[3]^2 - c^2)/2");
    dd_expr force[] = {parse(dag, "u"), parse(dag, "v"), parse(dag, "w")};
    dd_lagrange in = {.q = q, .nq = 3, .c = &c, .nc = 1, .lambda = &lambda, .Q = force};
    in.T = parse(dag, "0.5*a*(der(P[1])^2 + der(P[2])^2 + der(P[3])^2)");
    in.V = parse(dag, "a*b*P[3]");
    dd_lagrange_equations(dag, &in, r, pool);
    assert_int_equal(r[0], parse(dag, "a*der(der(P[1])) + z*P[1] - u"));
    assert_int_equal(r[1], parse(dag, "a*der(der(P[2])) + z*P[2] - v"));
    assert_int_equal(r[2], parse(dag, "a*der(der(P[3])) + a*b + z*P[3] - w"));
}

/* A skate on ice: x' sin(z) - y' cos(z) = 0, the multiplier acts across the blade. */
static void nonholonomic(dd_dag *dag, dd_pool *pool)
{
    dd_expr q[] = {parse(dag, "x"), parse(dag, "y"), parse(dag, "z")}, r[3],
            lambda[] = {parse(dag, "u"), parse(dag, "v")};
    dd_expr a = parse(dag, "der(x)*sin(z) - der(y)*cos(z)"), c = parse(dag, "x - a");
    dd_lagrange in = {.q = q, .nq = 3, .c = &c, .nc = 1, .a = &a, .na = 1, .lambda = lambda};
    in.T = parse(dag, "0.5*b*(der(x)^2 + der(y)^2) + 0.5*c*der(z)^2");
    dd_lagrange_equations(dag, &in, r, pool);
    assert_same(dag, r[0], "b*der(der(x)) + u + v*sin(z)");
    assert_same(dag, r[1], "b*der(der(y)) - v*cos(z)");
    assert_same(dag, r[2], "c*der(der(z))");
}

/* ---- a chain of n masses joined by rods ---- */

static uint32_t chain_length;
static uint32_t chain_nodes;

static void chain(dd_dag *dag, dd_pool *pool)
{
    uint32_t n = chain_length;
    dd_expr half = dd_num(dag, 0.5), two = dd_num(dag, 2), mass = dd_param(dag, 0), length = dd_param(dag, 1);
    dd_expr *q = dd_pool_alloc_array(pool, 2 * n, sizeof *q), *t = dd_pool_alloc_array(pool, 2 * n, sizeof *t);
    dd_expr *c = dd_pool_alloc_array(pool, n, sizeof *c), *lambda = dd_pool_alloc_array(pool, n, sizeof *lambda);
    dd_expr *v = dd_pool_alloc_array(pool, n, sizeof *v), *r = dd_pool_alloc_array(pool, 2 * n, sizeof *r);
    dd_expr before[2] = {dd_num(dag, 0), dd_num(dag, 0)};
    for (uint32_t i = 0; i < n; i++) {
        dd_expr sum[3];
        for (uint32_t k = 0; k < 2; k++) {
            q[2 * i + k] = dd_var(dag, 2 * i + k, 0);
            dd_expr rate = dd_var(dag, 2 * i + k, 1);
            t[2 * i + k] = dd_product(dag, (dd_expr[]){half, mass, dd_pow(dag, rate, two)}, 3);
            sum[k] = dd_pow(dag, dd_sub(dag, q[2 * i + k], before[k]), two);
            before[k] = q[2 * i + k];
        }
        sum[2] = dd_neg(dag, dd_pow(dag, length, two));
        c[i] = dd_sum(dag, sum, 3);
        v[i] = dd_product(dag, (dd_expr[]){mass, dd_param(dag, 2), before[1]}, 3);
        lambda[i] = dd_var(dag, 2 * n + i, 0);
    }
    dd_lagrange in = {.q = q, .nq = 2 * n, .c = c, .nc = n, .lambda = lambda};
    in.T = dd_sum(dag, t, 2 * n);
    in.V = dd_sum(dag, v, n);
    dd_lagrange_equations(dag, &in, r, pool);
    chain_nodes = dd_dag_count(dag);
    /* m x2'' + 2 l2 (x2 - x1) + 2 l3 (x2 - x3) = 0 */
    uint32_t i = 1;
    dd_expr terms[] = {dd_mul(dag, mass, dd_var(dag, 2 * i, 2)),
                       dd_product(dag, (dd_expr[]){two, lambda[i], dd_sub(dag, q[2 * i], q[2 * i - 2])}, 3),
                       dd_product(dag, (dd_expr[]){two, lambda[i + 1], dd_sub(dag, q[2 * i], q[2 * i + 2])}, 3)};
    assert_true(dd_is_num(dag, dd_expand(dag, dd_sub(dag, r[2 * i], dd_sum(dag, terms, 3)), 100), 0));
}

static void test_chain_costs_its_length(void **state)
{
    (void)state;
    uint32_t nodes[2];
    double seconds[2];
    for (int k = 0; k < 2; k++) {
        chain_length = k == 0 ? 10000 : 20000;
        double begin = dd_clock_seconds();
        in_dag(chain);
        seconds[k] = dd_clock_seconds() - begin;
        nodes[k] = chain_nodes;
    }
    print_message("chain of 10^4: %.3f s, %u nodes; 2*10^4: %.3f s, %u nodes\n", seconds[0], nodes[0], seconds[1],
                  nodes[1]);
    assert_true(nodes[1] < 2.1 * nodes[0]);
    if (getenv("DAEDAL_TIMED") && seconds[1] > 5 * seconds[0] + 0.1) { /* `make bench` */
        fail_msg("twice the length took %.3f s after %.3f s", seconds[1], seconds[0]);
    }
}

static void small_chain(void *pool)
{
    chain_length = 4;
    chain(dd_dag_new(pool, 0), pool);
}

static void test_failing_memory(void **state)
{
    (void)state;
    assert_true(sweep_failures(small_chain) > 20);
}

DAG_TEST(spring_mass)
DAG_TEST(cart_pole)
DAG_TEST(cart_pole_values)
DAG_TEST(virtual_work)
DAG_TEST(pendulum)
DAG_TEST(nonholonomic)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring_mass),
        cmocka_unit_test(test_cart_pole),
        cmocka_unit_test(test_cart_pole_values),
        cmocka_unit_test(test_virtual_work),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_nonholonomic),
        cmocka_unit_test(test_chain_costs_its_length),
        cmocka_unit_test(test_failing_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
