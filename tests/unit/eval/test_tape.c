/* test_tape.c - tapes against the evaluator of plain trees; that branches not taken are not evaluated; magnitudes. */
#include "../expr/dag_support.h"

#include <fenv.h>

#include "eval/tape.h"

enum { ROUNDS = 20000 };

static void leaves(dd_dag *dag, dd_expr *inputs)
{
    for (uint32_t i = 0; i < N_VARS; i++) {
        inputs[i] = dd_var(dag, i, 0);
    }
    for (uint32_t i = 0; i < N_PARAMS; i++) {
        inputs[N_VARS + i] = dd_param(dag, i);
    }
}

static void coordinates(const point *p, double *in)
{
    for (uint32_t i = 0; i < N_VARS; i++) {
        in[i] = creal(p->var[i]);
    }
    for (uint32_t i = 0; i < N_PARAMS; i++) {
        in[N_VARS + i] = p->param[i];
    }
}

static void random_expressions(dd_dag *dag, dd_pool *pool)
{
    dd_expr inputs[N_VARS + N_PARAMS], outputs[3];
    tree *trees[3];
    uint32_t defined = 0;
    leaves(dag, inputs);
    for (int round = 0; round < ROUNDS; round++) {
        tree_count = 0;
        for (int k = 0; k < 3; k++) {
            trees[k] = random_tree(1 + random_below(5), false);
            outputs[k] = tree_to_dag(dag, trees[k]);
        }
        dd_pool *scratch = dd_pool_child(pool);
        dd_tape *tape = dd_tape_new(scratch, dag, inputs, N_VARS + N_PARAMS, outputs, 3);
        for (int repeat = 0; repeat < 3; repeat++) {
            point p = random_point();
            double in[N_VARS + N_PARAMS], out[3], again[3], magnitude[3], series[3];
            coordinates(&p, in);
            dd_tape_eval(tape, in, out);
            dd_tape_eval_magnitude(tape, in, NULL, again, magnitude);
            dd_tape_eval_taylor(tape, 0, in, series);
            for (int k = 0; k < 3; k++) {
                bool bad = false;
                double expected = creal(tree_value(trees[k], &p, &bad));
                if (bad) {
                    continue;
                }
                defined++;
                if (!close_to(out[k], expected, 1e-3, 1e-9) && !close_to(out[k], expected, magnitude[k], 1e-11)) {
                    fail_msg("%.17g, tree %.17g: %s", out[k], expected, print_with(dag, outputs[k], &plain_namer));
                }
                assert_true(out[k] == again[k] && magnitude[k] >= fabs(out[k]));
                if (!close_to(out[k], series[k], 1e-3 + magnitude[k], 1e-12)) {
                    fail_msg("%.17g, series %.17g: %s", out[k], series[k], print_with(dag, outputs[k], &plain_namer));
                }
            }
        }
        dd_pool_free(scratch);
    }
    assert_true(defined > ROUNDS);
}

static double eval_at(dd_dag *dag, dd_pool *pool, const char *text, double x, double y)
{
    dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, e = parse(dag, text);
    double out;
    dd_tape_eval(dd_tape_new(pool, dag, inputs, 2, &e, 1), (double[]){x, y}, &out);
    return out;
}

/* The branch not taken would divide by zero or leave the domain: the floating point flags tell whether it was run. */
static void branches_not_taken_are_skipped(dd_dag *dag, dd_pool *pool)
{
    static const struct {
        const char *text;
        double x, y, value;
    } cases[] = {
        {"if x > 0 then 1/x else 7", 0, 0, 7},
        {"if x > 0 then sqrt(x)*log(y) else y", -1, 3, 3},
        {"if x > 0 then 3 else log(-x)", 1, 0, 3},
        {"1 + (if x > 0 then (if y > 0 then 1/y else 2) else 1/x)", 1, 0, 3},
        {"if x > 0 then 1/x + sin(1/x) else cos(y)", 0, 0, 1},
        {"(if x > 0 then 1/x else 5) + (if x > 0 then 2/x else 6)", 0, 0, 11},
        {"(if x > 0 then 1/x else 5)*(if y > 0 then 2/x else 6)", 0, -1, 30},
        {"if x > 0 then log(x) elseif y > 0 then log(y) else 4", -1, -1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        feclearexcept(FE_ALL_EXCEPT);
        double value = eval_at(dag, pool, cases[i].text, cases[i].x, cases[i].y);
        int raised = fetestexcept(FE_DIVBYZERO | FE_INVALID);
        if (raised != 0 || value != cases[i].value) {
            fail_msg("%s: %g, flags %d", cases[i].text, value, raised);
        }
    }
}

/* What both sides or something outside needs is there on either way. */
static void shared_parts_are_available(dd_dag *dag, dd_pool *pool)
{
    static const char *const text =
        "(if x > 0 then sin(y)^2 + exp(x) else sin(y)^2 - exp(x)) + (if y > 0 then exp(x)*cos(y) "
        "else cos(y))*(if x > 0 then cos(y) else 1)";
    for (int i = 0; i < 16; i++) {
        double x = i % 4 - 1.5, y = i / 4 - 1.5, e = exp(x);
        double expected =
            (x > 0 ? sin(y) * sin(y) + e : sin(y) * sin(y) - e) + (y > 0 ? e * cos(y) : cos(y)) * (x > 0 ? cos(y) : 1);
        assert_true(close_to(eval_at(dag, pool, text, x, y), expected, 0, 1e-15));
    }
}

/* A chain of selections deeper than the scopes that are kept, and a long sum. */
static void long_chains(dd_dag *dag, dd_pool *pool)
{
    enum { N = 5000 };
    dd_expr x = dd_var(dag, 0, 0), e = dd_num(dag, -1), *terms = dd_pool_alloc_array(pool, N, sizeof *terms);
    for (uint32_t i = N; i-- > 0;) {
        dd_expr c = dd_binary(dag, DD_OP_LT, x, dd_num(dag, i + 1));
        e = dd_if(dag, c, dd_mul(dag, dd_num(dag, i), dd_unary(dag, DD_OP_EXP, dd_mul(dag, x, dd_num(dag, i)))), e);
        terms[i] = dd_mul(dag, dd_num(dag, i % 2 == 0 ? 1 : -1), dd_pow(dag, x, dd_num(dag, i % 7)));
    }
    dd_expr outputs[] = {e, dd_sum(dag, terms, N)};
    dd_tape *tape = dd_tape_new(pool, dag, &x, 1, outputs, 2);
    double out[2], v = 0.5;
    dd_tape_eval(tape, &v, out);
    assert_true(out[0] == 0);
    v = 1.5;
    dd_tape_eval(tape, &v, out);
    assert_true(close_to(out[0], exp(1.5), 0, 1e-15));
    double expected = 0;
    for (uint32_t i = 0; i < N; i++) {
        expected += (i % 2 == 0 ? 1 : -1) * pow(1.5, i % 7);
    }
    assert_true(close_to(out[1], expected, 1000, 1e-12));
    v = N + 1;
    dd_tape_eval(tape, &v, out);
    assert_true(out[0] == -1);
}

static void magnitudes_show_cancellation(dd_dag *dag, dd_pool *pool)
{
    static const struct {
        const char *text;
        double x, y;
        bool zero;
    } cases[] = {{"sin(x)^2 + cos(x)^2 - 1", 0.7, 0, true},
                 {"(x + y)^2 - x^2 - 2*x*y - y^2", 1.1, 2.3, true},
                 {"exp(x)*exp(y) - exp(x + y)", 1.3, 0.4, true},
                 {"sqrt(x^2 + y^2) - 1", 0.6, 0.8, true},
                 {"1/(x + y) - 1/(y + x*1)", 1, 2, true},
                 {"tan(x)*cos(x) - sin(x)", 1, 0, true},
                 {"x^2 + y^2 - 1", 0.6, 0.800001, false},
                 {"x*1e-20", 3, 0, false},
                 {"sin(x)", 1e-10, 0, false},
                 {"log(exp(x)*y) - x - log(y)", 3, 5, true},
                 {"(x*3 - y)/(x - y)", 1, 3, true},
                 {"atan2(x*y, y^2) - atan(x/y)", 0.3, 0.7, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, e = parse(dag, cases[i].text);
        double out, magnitude;
        dd_tape *tape = dd_tape_new(pool, dag, inputs, 2, &e, 1);
        dd_tape_eval_magnitude(tape, (double[]){cases[i].x, cases[i].y}, NULL, &out, &magnitude);
        bool zero = fabs(out) <= 1e-14 * magnitude;
        if (zero != cases[i].zero) {
            fail_msg("%s = %g with magnitude %g", cases[i].text, out, magnitude);
        }
    }
}

/* A magnitude given with an input says how exact that input is. */
static void magnitudes_of_inputs_count(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = dd_mul(dag, dd_num(dag, 3), x);
    double out, magnitude;
    dd_tape *tape = dd_tape_new(pool, dag, &x, 1, &e, 1);
    dd_tape_eval_magnitude(tape, (double[]){1e-17}, (double[]){2}, &out, &magnitude);
    assert_true(magnitude == 6);
}

static void outputs_may_be_anything(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), p = dd_param(dag, 0), t = dd_time(dag);
    dd_expr inputs[] = {t, p, x}, outputs[] = {x, dd_num(dag, 2.5), x, p, dd_neg(dag, t), dd_num(dag, 2.5)};
    double out[6];
    dd_tape *tape = dd_tape_new(pool, dag, inputs, 3, outputs, 6);
    dd_tape_eval(tape, (double[]){1, 2, 3}, out);
    static const double expected[] = {3, 2.5, 3, 2, -1, 2.5};
    assert_memory_equal(out, expected, sizeof expected);
    dd_tape_eval(dd_tape_new(pool, dag, inputs, 3, outputs, 0), (double[]){1, 2, 3}, out);
}

static void forget_an_input(void *arg)
{
    dd_dag *dag = dd_dag_new(arg, 0);
    dd_expr x = dd_var(dag, 0, 0), e = dd_add(dag, x, dd_var(dag, 1, 0));
    dd_tape_new(arg, dag, &x, 1, &e, 1);
}

static void test_missing_input(void **state)
{
    (void)state;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(dd_protect(ctx, forget_an_input, pool), DD_INVALID_ARGUMENT);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void no_memory_after_the_first_call(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = parse(dag, "if x > 0 then sin(x)^3 + sqrt(x)*x^1.7 else x^2/3");
    dd_tape *tape = dd_tape_new(pool, dag, &x, 1, &e, 1);
    double in[9] = {1}, out[9], m;
    dd_tape_eval_taylor(tape, 8, in, out);
    uint64_t allocations = dd_context_allocations(dd_pool_context(pool));
    for (int i = 0; i < 100; i++) {
        dd_tape_eval(tape, in, out);
        dd_tape_eval_magnitude(tape, in, NULL, out, &m);
        dd_tape_eval_taylor(tape, (uint32_t)i % 9, in, out);
    }
    assert_int_equal(dd_context_allocations(dd_pool_context(pool)), allocations);
}

/* Two tapes of the same instructions do not disturb each other, whatever is computed with either in between. */
static void twins_are_independent(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), e = parse(dag, "if x > 0 then sin(x)^3 + sqrt(x)*x^1.7 else x^2/3");
    dd_tape *tape = dd_tape_new(pool, dag, &x, 1, &e, 1);
    double in[5] = {0.7, 1, 0.5}, other[5] = {-1.3, 2}, before[5], series[5], value, magnitude[2], elsewhere[5];
    dd_tape_eval_taylor(tape, 4, in, before);
    dd_tape *twin = dd_tape_twin(pool, tape);
    dd_tape_eval_taylor(tape, 4, other, elsewhere);
    dd_tape_eval_taylor(twin, 4, in, series);
    assert_memory_equal(series, before, sizeof before);
    dd_tape_eval_magnitude(tape, in, NULL, &value, &magnitude[0]);
    dd_tape_eval(tape, other, elsewhere);
    dd_tape_eval_magnitude(twin, in, NULL, &value, &magnitude[1]);
    assert_true(value == before[0] && magnitude[0] == magnitude[1]);
}

DAG_TEST(random_expressions)
DAG_TEST(twins_are_independent)
DAG_TEST(branches_not_taken_are_skipped)
DAG_TEST(shared_parts_are_available)
DAG_TEST(long_chains)
DAG_TEST(magnitudes_show_cancellation)
DAG_TEST(magnitudes_of_inputs_count)
DAG_TEST(outputs_may_be_anything)
DAG_TEST(no_memory_after_the_first_call)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_expressions),
        cmocka_unit_test(test_twins_are_independent),
        cmocka_unit_test(test_branches_not_taken_are_skipped),
        cmocka_unit_test(test_shared_parts_are_available),
        cmocka_unit_test(test_long_chains),
        cmocka_unit_test(test_magnitudes_show_cancellation),
        cmocka_unit_test(test_magnitudes_of_inputs_count),
        cmocka_unit_test(test_outputs_may_be_anything),
        cmocka_unit_test(test_missing_input),
        cmocka_unit_test(test_no_memory_after_the_first_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
