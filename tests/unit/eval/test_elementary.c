/* test_elementary.c - every line of the table of elementary functions (expr/operations.h), against the long double
 * functions of the C library: values, slopes, derivatives of expressions, Taylor series, vector kernels, ranges. */
#include "program_kit.h"

#include "eval/tape.h"
#include "expr/operations.h"
#include "expr/value.h"
#include "ocp/range.h"

typedef long double (*precise)(long double);

static const precise functions[] = {
#define PRECISE(id, text, f, ...) f##l,
    DD_ELEMENTARY_LIST(PRECISE)};

enum { COUNT = sizeof functions / sizeof functions[0], POINTS = 12, ORDER = 5 };

static dd_op op_at(uint32_t i)
{
    return (dd_op)(DD_OP_SIN + i);
}

/* Points inside the domain, away from its ends. */
static double place(const dd_elementary *e, uint32_t k)
{
    double part = (k + 0.5) / POINTS;
    double low = isinf(e->low) ? -1.4 : e->low, high = isinf(e->high) ? fmax(low + 2.8, 1.4) : e->high;
    return low + (high - low) * (0.06 + 0.88 * part);
}

/* f'(x) by differences of fourth order: right to about 1e-14 */
static double difference(precise f, double x)
{
    const long double h = 1e-4L;
    return (double)((8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h));
}

static void assert_close(const char *name, const char *what, double x, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance * fmax(1, fabs(expected)))) {
        fail_msg("%s of %s at %.17g: %.17g, expected %.17g", what, name, x, got, expected);
    }
}

static double symbol_value(void *user, dd_expr symbol)
{
    (void)symbol;
    return *(double *)user;
}

static void values_and_slopes(dd_dag *dag, dd_pool *pool)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const dd_elementary *e = dd_elementary_of(op_at(i));
        dd_expr x = dd_var(dag, 0, 0), fx = dd_unary(dag, op_at(i), x), slope = dd_diff(dag, fx, x);
        assert_string_equal(e->name, dd_op_name(op_at(i)));
        for (uint32_t k = 0; k < POINTS; k++) {
            double at = place(e, k), expected = difference(functions[i], at);
            assert_close(e->name, "the value", at, e->value(at), (double)functions[i](at), 1e-15);
            assert_close(e->name, "the slope", at, dd_slope_value(e, at, e->value(at)), expected, 1e-12);
            assert_close(e->name, "the derivative", at, dd_value_of(dag, slope, symbol_value, &at, pool), expected,
                         1e-12);
        }
        if (!isnan(e->root)) {
            assert_true(e->value(e->root) == 0);
            assert_true(dd_is_num(dag, dd_unary(dag, op_at(i), dd_num(dag, e->root)), 0));
        }
    }
}

/* The symmetry that simplification relies on. */
static void test_symmetry(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        const dd_elementary *e = dd_elementary_of(op_at(i));
        double x = 0.37;
        assert_true(e->symmetry != DD_ODD || e->value(-x) == -e->value(x));
        assert_true(e->symmetry != DD_EVEN || e->value(-x) == e->value(x));
    }
}

/* Coefficient k of f(x0 + tau) is the k-th derivative by k!, where derivatives come from expressions. */
static void series(dd_dag *dag, dd_pool *pool)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const dd_elementary *e = dd_elementary_of(op_at(i));
        dd_expr x = dd_var(dag, 0, 0), fx = dd_unary(dag, op_at(i), x), derivative = fx;
        dd_tape *tape = dd_tape_new(pool, dag, &x, 1, &fx, 1);
        double at = place(e, 3), in[ORDER + 1] = {at, 1}, out[ORDER + 1], factorial = 1;
        dd_tape_eval_taylor(tape, ORDER, in, out);
        for (uint32_t k = 0; k <= ORDER; k++) {
            factorial *= k > 0 ? k : 1;
            double expected = dd_value_of(dag, derivative, symbol_value, &at, pool) / factorial;
            assert_close(e->name, "a coefficient", at, out[k], expected, 1e-11);
            derivative = dd_diff(dag, derivative, x);
        }
    }
}

static void check_lane(void *user, uint32_t output, uint32_t lane, dd_simd simd, double batch, double alone)
{
    (void)user;
    if (ulps(batch, alone) > 8) { /* the vector library promises 4, the other one half */
        fail_msg("%s in lane %u of instructions %d: %.17g instead of %.17g", dd_op_name(op_at(output)), lane, (int)simd,
                 batch, alone);
    }
}

static void vector_kernels(dd_dag *dag, dd_pool *pool)
{
    dd_expr x[COUNT], fx[COUNT];
    double all[COUNT * LD] = {0}, alone[COUNT * LD];
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = dd_var(dag, i, 0);
        fx[i] = dd_unary(dag, op_at(i), x[i]);
        for (uint32_t k = 0; k < MOST_LANES; k++) {
            all[i * LD + k] = place(dd_elementary_of(op_at(i)), k % POINTS);
        }
    }
    dd_program_work *work = new_work(pool, simple_program(pool, dag, x, COUNT, fx, COUNT), MOST_LANES);
    by_every_way(work, all, COUNT, alone, COUNT, check_lane, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_close(dd_op_name(op_at(i)), "the value", all[i * LD], alone[i * LD], (double)functions[i](all[i * LD]),
                     1e-14);
    }
    dd_program_work_free(work);
}

static dd_range symbol_range(void *user, dd_expr symbol)
{
    (void)symbol;
    return *(dd_range *)user;
}

/* Values at points of an interval lie within the range; monotone functions are no wider than their ends. */
static void ranges(dd_dag *dag, dd_pool *pool)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        const dd_elementary *e = dd_elementary_of(op_at(i));
        dd_expr fx = dd_unary(dag, op_at(i), dd_var(dag, 0, 0));
        dd_range in = {place(e, 1), place(e, POINTS - 2)}, out = dd_range_of(dag, fx, symbol_range, &in, pool);
        for (uint32_t k = 1; k + 1 < POINTS; k++) {
            double value = e->value(place(e, k));
            assert_true(out.low <= value && value <= out.high);
        }
        if (e->course == DD_MONOTONE) {
            double u = e->value(in.low), v = e->value(in.high);
            assert_close(e->name, "the lower bound", in.low, out.low, fmin(u, v), 1e-13);
            assert_close(e->name, "the upper bound", in.high, out.high, fmax(u, v), 1e-13);
        }
    }
}

DAG_TEST(values_and_slopes)
DAG_TEST(series)
DAG_TEST(vector_kernels)
DAG_TEST(ranges)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_and_slopes), cmocka_unit_test(test_symmetry), cmocka_unit_test(test_series),
        cmocka_unit_test(test_vector_kernels),    cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
