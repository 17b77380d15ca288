/* test_derived.c - values whose derivatives are given. The given ones are wrong on purpose, 3*x for x^2 and the like, so
 * that every rule that used the value's own derivative would show. */
#include "program_kit.h"

#include "eval/derivative.h"
#include "eval/tape.h"
#include "expr/value.h"

/* x^2*y with the partials 3*x and 5*y + x */
static dd_expr fake(dd_dag *dag)
{
    dd_expr args[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)};
    dd_expr partials[] = {parse(dag, "3*x"), parse(dag, "5*y + x")};
    return dd_derived(dag, parse(dag, "x^2*y"), args, partials, 2);
}

static double leaf_value(void *user, dd_expr symbol)
{
    (void)user;
    (void)symbol;
    return 2;
}

static void values(dd_dag *dag, dd_pool *pool)
{
    dd_expr e = fake(dag);
    assert_true(fabs(dd_value_of(dag, e, leaf_value, NULL, pool) - 8) <= 0);
    assert_string_equal(print_with(dag, e, &plain_namer), print_with(dag, parse(dag, "x^2*y"), &plain_namer));
    dd_expr sum = dd_add(dag, dd_pow(dag, e, dd_num(dag, 2)), dd_num(dag, 1));
    char expected[64];
    snprintf(expected, sizeof expected, "(%s)^2 + 1", print_with(dag, e, &plain_namer));
    assert_string_equal(print_with(dag, sum, &plain_namer), expected);
    dd_expr in[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)};
    double at[] = {2, 3}, out, magnitude;
    dd_tape *tape = dd_tape_new(pool, dag, in, 2, &e, 1);
    dd_tape_eval(tape, at, &out);
    assert_true(fabs(out - 12) <= 0);
    dd_tape_eval_magnitude(tape, at, NULL, &out, &magnitude);
    assert_true(fabs(out - 12) <= 0);
    assert_true(fabs(magnitude - 12) <= 0);
    dd_program_work *work = new_work(pool, simple_program(pool, dag, in, 2, &e, 1), 1);
    dd_program_eval(work, (const double *[]){at}, &out);
    assert_true(fabs(out - 12) <= 0);
    dd_program_work_free(work);
}

static void small_cases(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    dd_expr x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0), zero = dd_num(dag, 0), two = dd_num(dag, 2);
    /* a number stays a number; a value without pairs has the derivative 0 */
    assert_int_equal(dd_derived(dag, two, &x, &zero, 1), two);
    dd_expr constant = dd_derived(dag, parse(dag, "x^2"), &x, &zero, 1);
    assert_int_equal(dd_diff(dag, constant, x), zero);
    assert_int_equal(dd_total_derivative(dag, constant, NULL, NULL), zero);
    /* a number has no derivative, so its pair is dropped: equal nodes */
    dd_expr args[] = {x, two}, partials[] = {y, y};
    assert_int_equal(dd_derived(dag, x, args, partials, 2), dd_derived(dag, x, &x, &y, 1));
    dd_expr c, rest;
    assert_false(dd_linear(dag, dd_derived(dag, x, &x, &y, 1), &x, 1, &c, &rest));
}

static void symbolic(dd_dag *dag, dd_pool *pool)
{
    dd_expr e = fake(dag), x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0);
    assert_int_equal(dd_diff(dag, e, x), parse(dag, "3*x"));
    assert_int_equal(dd_diff(dag, e, y), parse(dag, "5*y + x"));
    assert_int_equal(dd_total_derivative(dag, e, NULL, NULL), parse(dag, "3*x*der(x) + (5*y + x)*der(y)"));
    dd_expr_vec symbols = {0}, partials = {0};
    dd_expr twice = dd_mul(dag, e, x);
    dd_partials(dag, twice, false, &symbols, &partials, pool);
    assert_int_equal(partials.len, 2);
    assert_int_equal(partials.data[0], dd_add(dag, e, parse(dag, "3*x^2")));
    assert_int_equal(partials.data[1], parse(dag, "x*(5*y + x)"));
}

static dd_expr swap(void *user, dd_expr symbol)
{
    dd_dag *dag = user;
    return symbol == dd_var(dag, 0, 0) ? parse(dag, "sin(y)") : DD_EXPR_NONE;
}

/* chain rule through a substituted argument */
static void substituted(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    dd_expr e = dd_substitute(dag, fake(dag), swap, dag), y = dd_var(dag, 1, 0);
    assert_int_equal(dd_diff(dag, e, y), parse(dag, "3*sin(y)*cos(y) + 5*y + sin(y)"));
}

/* x = 1 + tau, y = 2 - tau: f' = 3*x - (5*y + x) = -8 + 7*tau */
static void series(dd_dag *dag, dd_pool *pool)
{
    dd_expr e = fake(dag), in[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)};
    double at[8] = {1, 1, 0, 0, 2, -1, 0, 0}, out[4];
    dd_tape_eval_taylor(dd_tape_new(pool, dag, in, 2, &e, 1), 3, at, out);
    const double expected[] = {2, -8, 3.5, 0};
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(out[k] - expected[k]) <= 1e-14);
    }
}

static void jacobian_and_hessian(dd_dag *dag, dd_pool *pool)
{
    dd_expr e = fake(dag), in[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, one = dd_num(dag, 1);
    dd_derivative *j = dd_jacobian_new(pool, dag, &e, 1, in, 2);
    assert_int_equal(j->ptr[2], 2);
    assert_int_equal(j->entries[0], parse(dag, "3*x"));
    assert_int_equal(j->entries[1], parse(dag, "5*y + x"));
    dd_derivative *h = dd_hessian_new(pool, dag, &e, &one, 1, in, 2);
    assert_int_equal(h->ptr[2], 3);
    assert_true(dd_is_num(dag, h->entries[0], 3));
    assert_true(dd_is_num(dag, h->entries[1], 1)); /* row y, column x: of the given d/dy */
    assert_true(dd_is_num(dag, h->entries[2], 5));
}

DAG_TEST(values)
DAG_TEST(small_cases)
DAG_TEST(symbolic)
DAG_TEST(substituted)
DAG_TEST(series)
DAG_TEST(jacobian_and_hessian)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),   cmocka_unit_test(test_small_cases),
        cmocka_unit_test(test_symbolic), cmocka_unit_test(test_substituted),
        cmocka_unit_test(test_series),   cmocka_unit_test(test_jacobian_and_hessian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
