/* test_derivative.c - sparse Jacobians against complex steps through trees that know nothing of the dag, Hessians against
 * differences of Jacobians and closed forms; patterns, kinds of entries, colours, growth with the size. */
#include "program_kit.h"

#include "eval/derivative.h"

enum { M = 6, N = N_VARS + N_PARAMS };

static void leaves(dd_dag *dag, dd_expr *inputs)
{
    for (uint32_t i = 0; i < N; i++) {
        inputs[i] = i < N_VARS ? dd_var(dag, i, 0) : dd_param(dag, i - N_VARS);
    }
}

static void coordinates(const point *p, double *in)
{
    for (uint32_t i = 0; i < N; i++) {
        in[i] = i < N_VARS ? creal(p->var[i]) : p->param[i - N_VARS];
    }
}

/* All values of the entries at a point. */
static void evaluate(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, uint32_t n, const dd_derivative *d,
                     const double *in, double *val)
{
    dd_program_work *work = new_work(pool, simple_program(pool, dag, inputs, n, d->entries, d->ptr[d->ncols]), 1);
    dd_program_eval(work, (const double *[]){in}, val);
    dd_program_work_free(work);
}

static double entry_at(const dd_derivative *d, const double *val, uint32_t row, uint32_t column)
{
    for (uint32_t k = d->ptr[column]; k < d->ptr[column + 1]; k++) {
        if (d->idx[k] == row) {
            return val[k];
        }
    }
    return 0;
}

static void random_jacobians(dd_dag *dag, dd_pool *pool)
{
    dd_expr inputs[N], outputs[M];
    tree *trees[M];
    uint32_t defined = 0;
    leaves(dag, inputs);
    for (int round = 0; round < 1000; round++) {
        dd_pool *scratch = dd_pool_child(pool);
        tree_count = 0;
        for (int i = 0; i < M; i++) {
            trees[i] = random_tree(1 + random_below(4), round % 2 == 0);
            outputs[i] = tree_to_dag(dag, trees[i]);
        }
        dd_derivative *d = dd_jacobian_new(scratch, dag, outputs, M, inputs, N_VARS);
        point p = random_point();
        double in[N], val[M * N_VARS];
        coordinates(&p, in);
        evaluate(scratch, dag, inputs, N, d, in, val);
        for (uint32_t j = 0; j < N_VARS; j++) {
            point moved = p;
            moved.var[j] += 1e-30 * I;
            for (uint32_t i = 0; i < M; i++) {
                bool bad = false;
                double expected = cimag(tree_value(trees[i], &moved, &bad)) / 1e-30;
                double found = entry_at(d, val, i, j);
                if (!bad && fabs(expected) < 1e6 && isfinite(found)) {
                    defined++;
                    if (!close_to(found, expected, 1e-2, 1e-7)) {
                        fail_msg("d/d%c %s = %.17g, not %.17g", "xyzuvw"[j], print_with(dag, outputs[i], &plain_namer),
                                 found, expected);
                    }
                }
            }
        }
        dd_pool_free(scratch);
    }
    assert_true(defined > 10000);
}

static bool all_finite(dd_pool *pool, dd_dag *dag, const dd_expr *inputs, const dd_expr *outputs, const double *in)
{
    dd_program_work *work = new_work(pool, simple_program(pool, dag, inputs, N + M, outputs, M), 1);
    double out[M];
    bool finite = true;
    dd_program_eval(work, (const double *[]){in}, out);
    for (int i = 0; i < M; i++) {
        finite = finite && isfinite(out[i]);
    }
    dd_program_work_free(work);
    return finite;
}

/* By differences of the gradient, which is a Jacobian of one row. */
static void random_hessians(dd_dag *dag, dd_pool *pool)
{
    dd_expr inputs[N + M], outputs[M], weights[M], sum;
    uint32_t compared = 0;
    leaves(dag, inputs);
    for (uint32_t i = 0; i < M; i++) {
        inputs[N + i] = weights[i] = dd_param(dag, 100 + i);
    }
    for (int round = 0; round < 300; round++) {
        dd_pool *scratch = dd_pool_child(pool);
        dd_expr terms[M];
        tree_count = 0;
        for (int i = 0; i < M; i++) {
            outputs[i] = tree_to_dag(dag, random_tree(1 + random_below(3), true));
            terms[i] = dd_mul(dag, weights[i], outputs[i]);
        }
        sum = dd_sum(dag, terms, M);
        dd_derivative *h = dd_hessian_new(scratch, dag, outputs, weights, M, inputs, N_VARS);
        dd_derivative *g = dd_jacobian_new(scratch, dag, &sum, 1, inputs, N_VARS);
        point p = random_point();
        double in[N + M], val[N_VARS * N_VARS], plus[N_VARS], minus[N_VARS], base[N_VARS];
        coordinates(&p, in);
        for (uint32_t i = 0; i < M; i++) {
            in[N + i] = random_between(-1, 1);
        }
        if (!all_finite(scratch, dag, inputs, outputs, in)) {
            dd_pool_free(scratch);
            continue;
        }
        evaluate(scratch, dag, inputs, N + M, h, in, val);
        evaluate(scratch, dag, inputs, N + M, g, in, base);
        for (uint32_t j = 0; j < N_VARS; j++) {
            const double step = 1e-5, x = in[j];
            in[j] = x + step;
            evaluate(scratch, dag, inputs, N + M, g, in, plus);
            in[j] = x - step;
            evaluate(scratch, dag, inputs, N + M, g, in, minus);
            in[j] = x;
            for (uint32_t i = j; i < N_VARS; i++) {
                double a = entry_at(g, plus, 0, i), b = entry_at(g, base, 0, i), c = entry_at(g, minus, 0, i);
                double slope = (a - c) / (2 * step), curved = (a - 2 * b + c) / step;
                /* only where the difference itself can be trusted */
                if (isfinite(slope) && fabs(slope) < 1e3 && fabs(b) < 1e3 && fabs(curved) < 1e-3) {
                    compared++;
                    if (!close_to(entry_at(h, val, i, j), slope, 1, 1e-4)) {
                        fail_msg("h[%u][%u] = %.17g, difference %.17g: %s", i, j, entry_at(h, val, i, j), slope,
                                 print_with(dag, sum, &plain_namer));
                    }
                }
            }
        }
        dd_pool_free(scratch);
    }
    assert_true(compared > 1000);
}

static void patterns_and_kinds(dd_dag *dag, dd_pool *pool)
{
    dd_expr x = dd_var(dag, 0, 0), y = dd_var(dag, 1, 0), t = dd_time(dag), p = dd_param(dag, 0);
    dd_expr wanted[] = {x, y};
    dd_expr outputs[] = {parse(dag, "3*x + a*y"), DD_EXPR_NONE, parse(dag, "x*time + y^2"), parse(dag, "a*time"),
                         parse(dag, "x*sin(a)*2 - y")};
    dd_derivative *d = dd_jacobian_new(pool, dag, outputs, 5, wanted, 2);
    static const uint32_t ptr[] = {0, 3, 6}, idx[] = {0, 2, 4, 0, 2, 4};
    static const uint8_t kind[] = {DD_ENTRY_NUMBER,     DD_ENTRY_TIME,   DD_ENTRY_PARAMETERS,
                                   DD_ENTRY_PARAMETERS, DD_ENTRY_VARIES, DD_ENTRY_NUMBER};
    assert_memory_equal(d->ptr, ptr, sizeof ptr);
    assert_memory_equal(d->idx, idx, sizeof idx);
    assert_memory_equal(d->kind, kind, sizeof kind);
    assert_true(d->entries[1] == t && d->entries[3] == p && d->colours == 0);
    d = dd_jacobian_new(pool, dag, outputs, 5, &p, 1); /* by a parameter */
    assert_true(d->ptr[1] == 3 && d->entries[0] == y && d->entries[1] == t);
    d = dd_jacobian_new(pool, dag, outputs, 0, wanted, 2);
    assert_true(d->ptr[2] == 0);
}

/* Many outputs of one long computation in two variables: forward derivatives in two directions. */
static void shared_computations_are_coloured(dd_dag *dag, dd_pool *pool)
{
    enum { OUT = 12, DEEP = 30 };
    dd_expr inputs[] = {dd_var(dag, 0, 0), dd_var(dag, 1, 0)}, a = inputs[0], b = inputs[1], outputs[OUT];
    for (int i = 0; i < DEEP; i++) {
        dd_expr next = dd_add(dag, dd_unary(dag, DD_OP_SIN, a), dd_mul(dag, a, b));
        b = dd_sub(dag, dd_unary(dag, DD_OP_COS, b), dd_mul(dag, dd_num(dag, 0.3), a));
        a = next;
    }
    for (uint32_t i = 0; i < OUT; i++) {
        outputs[i] = dd_mul(dag, dd_unary(dag, DD_OP_SIN, dd_mul(dag, a, dd_num(dag, i + 1))), b);
    }
    dd_derivative *d = dd_jacobian_new(pool, dag, outputs, OUT, inputs, 2);
    assert_true(d->colours == 2 && d->ptr[2] == 2 * OUT);
    double in[] = {0.3, 0.4}, val[2 * OUT], plus[OUT], minus[OUT];
    evaluate(pool, dag, inputs, 2, d, in, val);
    dd_program_work *work = new_work(pool, simple_program(pool, dag, inputs, 2, outputs, OUT), 1);
    for (uint32_t j = 0; j < 2; j++) {
        double x = in[j], step = 1e-6;
        in[j] = x + step;
        dd_program_eval(work, (const double *[]){in}, plus);
        in[j] = x - step;
        dd_program_eval(work, (const double *[]){in}, minus);
        in[j] = x;
        for (uint32_t i = 0; i < OUT; i++) {
            assert_true(close_to(val[j * OUT + i], (plus[i] - minus[i]) / (2 * step), 1, 1e-6));
        }
    }
    dd_program_work_free(work);
}

/* sum w_i f_i with f_i = x_i^2 x_{i+1} + exp(x_i): the Hessian is tridiagonal, and 10^4 variables are no matter. */
static void large_hessians_stay_sparse(dd_dag *dag, dd_pool *pool)
{
    enum { BIG = 10000 };
    dd_expr *x = dd_pool_alloc_array(pool, 2 * BIG, sizeof *x), *w = x + BIG;
    dd_expr *f = dd_pool_alloc_array(pool, BIG, sizeof *f);
    for (uint32_t i = 0; i < BIG; i++) {
        x[i] = dd_var(dag, i, 0);
        w[i] = dd_var(dag, BIG + i, 0);
    }
    for (uint32_t i = 0; i < BIG; i++) {
        f[i] = dd_add(dag, dd_mul(dag, dd_mul(dag, x[i], x[i]), x[(i + 1) % BIG]), dd_unary(dag, DD_OP_EXP, x[i]));
    }
    dd_derivative *h = dd_hessian_new(pool, dag, f, w, BIG, x, BIG);
    assert_int_equal(h->ptr[BIG], 2 * BIG);
    double *in = calloc(2 * BIG, sizeof *in), *val = calloc(2 * BIG, sizeof *val);
    for (uint32_t i = 0; i < 2 * BIG; i++) {
        in[i] = random_between(-1, 1);
    }
    evaluate(pool, dag, x, 2 * BIG, h, in, val);
    for (uint32_t i = 0; i < BIG; i++) {
        double diagonal = in[BIG + i] * (2 * in[(i + 1) % BIG] + exp(in[i]));
        uint32_t row = i + 1 < BIG ? i + 1 : i, column = i + 1 < BIG ? i : 0;
        assert_true(close_to(entry_at(h, val, i, i), diagonal, 1, 1e-14));
        assert_true(close_to(entry_at(h, val, row, column), in[BIG + i] * 2 * in[i], 1, 1e-14));
    }
    free(in);
    free(val);
}

#define TEST(name)                                                                                                     \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        in_dag(name);                                                                                                  \
    }
TEST(random_jacobians)
TEST(random_hessians)
TEST(patterns_and_kinds)
TEST(shared_computations_are_coloured)
TEST(large_hessians_stay_sparse)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_jacobians),           cmocka_unit_test(test_random_hessians),
        cmocka_unit_test(test_patterns_and_kinds),         cmocka_unit_test(test_shared_computations_are_coloured),
        cmocka_unit_test(test_large_hessians_stay_sparse),
    };
    return cmocka_run_group_tests_name("derivative", tests, NULL, NULL);
}
