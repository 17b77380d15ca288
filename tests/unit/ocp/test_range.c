/* Ranges of expressions: against values at random points inside the bounds, and against closed forms where interval
 * arithmetic is exact. */
#include "ocp/range.h"

#include <math.h>

#include "expr/value.h"
#include "unit/base/support.h"

typedef struct box {
    dd_dag *dag;
    dd_range range[3];
    double at[3];
} box;

static dd_range range_of(void *user, dd_expr symbol)
{
    const box *b = user;
    return b->range[dd_symbol_id(b->dag, symbol)];
}

static double value_of(void *user, dd_expr symbol)
{
    const box *b = user;
    return b->at[dd_symbol_id(b->dag, symbol)];
}

static double random_part(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ldexp((double)(*state >> 11), -53);
}

/* No value at any point of the box lies outside. */
static void test_enclosure(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    dd_dag *dag = dd_dag_new(pool, 0);
    dd_expr x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0), z = dd_var(dag, 2, 0);
    static const dd_op ops[] = {DD_OP_SIN, DD_OP_COS,  DD_OP_ATAN, DD_OP_SINH, DD_OP_COSH,
                                DD_OP_EXP, DD_OP_TANH, DD_OP_ABS,  DD_OP_SIGN, DD_OP_TAN};
    dd_expr list[20];
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        list[n++] = dd_add(dag, dd_unary(dag, ops[i], dd_mul(dag, x, y)), z);
    }
    list[n++] = dd_pow(dag, dd_sub(dag, x, y), dd_num(dag, 2));
    list[n++] = dd_pow(dag, x, dd_num(dag, 3));
    list[n++] = dd_div(dag, y, dd_add(dag, dd_num(dag, 5), x));
    list[n++] = dd_pow(dag, z, dd_num(dag, -2));
    list[n++] = dd_binary(dag, DD_OP_MIN, x, dd_binary(dag, DD_OP_MAX, y, z));
    list[n++] = dd_sqrt(dag, dd_add(dag, dd_num(dag, 20), dd_mul(dag, x, z)));
    list[n++] = dd_binary(dag, DD_OP_ATAN2, x, y);
    uint64_t random = 7;
    for (int trial = 0; trial < 200; trial++) {
        box b = {.dag = dag};
        for (int i = 0; i < 3; i++) {
            double p = 8 * random_part(&random) - 4, q = 8 * random_part(&random) - 4;
            b.range[i] = (dd_range){fmin(p, q), fmax(p, q)};
        }
        for (uint32_t i = 0; i < n; i++) {
            dd_range r = dd_range_of(dag, list[i], range_of, &b, pool);
            assert_true(r.low <= r.high);
            for (int point = 0; point < 20; point++) {
                for (int k = 0; k < 3; k++) {
                    b.at[k] = b.range[k].low + random_part(&random) * (b.range[k].high - b.range[k].low);
                }
                double v = dd_value_of(dag, list[i], value_of, &b, pool);
                assert_true(isnan(v) || (v >= r.low && v <= r.high));
            }
        }
    }
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static bool equal(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

static void check(dd_range r, double low, double high)
{
    if (!equal(r.low, low) || !equal(r.high, high)) {
        fail_msg("[%g, %g] is not [%g, %g]", r.low, r.high, low, high);
    }
}

/* Where each symbol occurs once the range is exact. */
static void test_exact(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    dd_dag *dag = dd_dag_new(pool, 0);
    dd_expr x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0);
    box b = {.dag = dag, .range = {{-1, 2}, {3, INFINITY}, {0, 0}}};
    const double pi = 3.14159265358979323846;
    check(dd_range_of(dag, dd_mul(dag, x, x), range_of, &b, pool), 0, 4);
    check(dd_range_of(dag, dd_mul(dag, x, y), range_of, &b, pool), -INFINITY, INFINITY);
    double high = dd_range_of(dag, dd_div(dag, dd_num(dag, 1), y), range_of, &b, pool).high;
    assert_true(fabs(high - 1 / 3.0) < 1e-12);
    check(dd_range_of(dag, dd_unary(dag, DD_OP_SIN, x), range_of, &b, pool), sin(-1), 1);
    check(dd_range_of(dag, dd_unary(dag, DD_OP_COS, y), range_of, &b, pool), -1, 1);
    check(dd_range_of(dag, dd_unary(dag, DD_OP_EXP, x), range_of, &b, pool), exp(-1), exp(2));
    check(dd_range_of(dag, dd_unary(dag, DD_OP_LOG, y), range_of, &b, pool), log(3), INFINITY);
    check(dd_range_of(dag, dd_unary(dag, DD_OP_ATAN, y), range_of, &b, pool), atan(3), pi / 2);
    check(dd_range_of(dag, dd_sub(dag, x, dd_mul(dag, dd_num(dag, 2), y)), range_of, &b, pool), -INFINITY, -4);
    check(dd_range_of(dag, dd_num(dag, 0.25), range_of, &b, pool), 0.25, 0.25);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_enclosure), cmocka_unit_test(test_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
