/* test_random.c - canonical forms and derivatives of random expressions against an evaluator of the unsimplified tree
 * with complex perturbations (the imaginary part divided by the step is the derivative, without cancellation). */
#include "dag_support.h"

#include "eval/tape.h"

#define STEP 1e-30

enum { ROUNDS = 4000, POINTS = 4 };

/* How well the value of a badly conditioned expression can be known: the tape's magnitude. */
static double size_of(dd_dag *dag, dd_pool *pool, dd_expr e, const point *p)
{
    dd_expr inputs[N_VARS + N_PARAMS];
    double in[N_VARS + N_PARAMS], out, magnitude;
    for (uint32_t i = 0; i < N_VARS; i++) {
        inputs[i] = dd_var(dag, i, 0);
        in[i] = creal(p->var[i]);
    }
    for (uint32_t i = 0; i < N_PARAMS; i++) {
        inputs[N_VARS + i] = dd_param(dag, i);
        in[N_VARS + i] = p->param[i];
    }
    dd_tape *tape = dd_tape_new(pool, dag, inputs, N_VARS + N_PARAMS, &e, 1);
    dd_tape_eval_magnitude(tape, in, NULL, &out, &magnitude);
    return isfinite(magnitude) ? magnitude : 1e300;
}

static void check_value(dd_dag *dag, dd_pool *pool, const tree *t, dd_expr e, point *p)
{
    bool bad = false;
    double expected = creal(tree_value(t, p, &bad));
    if (bad) {
        return;
    }
    double value = dag_value(dag, e, point_leaf, p);
    if (!close_to(value, expected, 1e-3, 1e-9) && !close_to(value, expected, size_of(dag, pool, e, p), 1e-11)) {
        fail_msg("value %.17g, tree %.17g of %s", value, expected, print_with(dag, e, &plain_namer));
    }
}

static void values_survive_simplification(dd_dag *dag, dd_pool *pool)
{
    uint32_t defined = 0;
    for (int round = 0; round < ROUNDS; round++) {
        tree_count = 0;
        tree *t = random_tree(2 + random_below(4), false);
        dd_expr e = tree_to_dag(dag, t);
        for (int k = 0; k < POINTS; k++) {
            point p = random_point();
            bool bad = false;
            tree_value(t, &p, &bad);
            defined += !bad;
            check_value(dag, pool, t, e, &p);
        }
    }
    assert_true(defined > ROUNDS); /* the test must not pass by testing nothing */
}

static double derivative_of_tree(const tree *t, const point *p, uint32_t id, bool *bad)
{
    point q = *p;
    q.var[id] += I * STEP;
    return cimag(tree_value(t, &q, bad)) / STEP;
}

static uint32_t check_partials(dd_dag *dag, dd_pool *pool, const tree *t, dd_expr e)
{
    dd_expr_vec symbols = {0}, partials = {0};
    uint32_t checked = 0;
    dd_partials(dag, e, false, &symbols, &partials, pool);
    for (uint32_t i = 1; i < symbols.len; i++) {
        assert_true(symbols.data[i - 1] < symbols.data[i]);
    }
    for (int k = 0; k < POINTS; k++) {
        point p = random_point();
        for (uint32_t id = 0; id < N_VARS; id++) {
            bool bad = false;
            double expected = derivative_of_tree(t, &p, id, &bad);
            dd_expr reverse = dd_rational(dag, 0, 1), forward = dd_diff(dag, e, dd_var(dag, id, 0));
            for (uint32_t i = 0; i < symbols.len; i++) {
                reverse = dd_symbol_id(dag, symbols.data[i]) == id ? partials.data[i] : reverse;
            }
            if (bad || fabs(expected) > 1e8) {
                continue;
            }
            double r = dag_value(dag, reverse, point_leaf, &p), f = dag_value(dag, forward, point_leaf, &p);
            bool r_good =
                close_to(r, expected, 1, 1e-8) || close_to(r, expected, size_of(dag, pool, reverse, &p), 1e-10);
            bool f_good =
                close_to(f, expected, 1, 1e-8) || close_to(f, expected, size_of(dag, pool, forward, &p), 1e-10);
            if (!r_good || !f_good) {
                fail_msg("expected %.17g, reverse %.17g, forward %.17g by %u of %s: %s", expected, r, f, id,
                         print_with(dag, e, &plain_namer), print_with(dag, reverse, &plain_namer));
            }
            checked++;
        }
    }
    return checked;
}

static void derivatives_agree(dd_dag *dag, dd_pool *pool)
{
    uint32_t checked = 0;
    for (int round = 0; round < ROUNDS; round++) {
        tree_count = 0;
        tree *t = random_tree(2 + random_below(3), round % 2 == 0);
        checked += check_partials(dag, pool, t, tree_to_dag(dag, t));
    }
    assert_true(checked > ROUNDS);
}

static dd_expr swap_xy(void *user, dd_expr symbol)
{
    dd_dag *dag = user;
    if (dd_op_of(dag, symbol) != DD_OP_VAR || dd_symbol_id(dag, symbol) > 1) {
        return DD_EXPR_NONE;
    }
    return dd_var(dag, 1 - dd_symbol_id(dag, symbol), 0);
}

static void substitution_swaps(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    for (int round = 0; round < ROUNDS; round++) {
        tree_count = 0;
        tree *t = random_tree(4, false);
        dd_expr e = tree_to_dag(dag, t), swapped = dd_substitute(dag, e, swap_xy, dag);
        point p = random_point(), q = p;
        q.var[0] = p.var[1];
        q.var[1] = p.var[0];
        bool bad = false;
        double expected = creal(tree_value(t, &q, &bad));
        if (!bad &&
            !close_to(dag_value(dag, swapped, point_leaf, &p), expected, 1 + size_of(dag, pool, swapped, &p), 1e-10)) {
            fail_msg("swapping gave %s from %s", print_with(dag, swapped, &plain_namer),
                     print_with(dag, e, &plain_namer));
        }
    }
}

static void expansion_keeps_values(dd_dag *dag, dd_pool *pool)
{
    uint32_t changed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        tree_count = 0;
        tree *t = random_tree(4, true);
        dd_expr e = tree_to_dag(dag, t), x = dd_expand(dag, e, 200);
        changed += x != e;
        point p = random_point();
        bool bad = false;
        double expected = creal(tree_value(t, &p, &bad));
        if (!bad && !close_to(dag_value(dag, x, point_leaf, &p), expected, 1 + size_of(dag, pool, x, &p), 1e-9)) {
            fail_msg("expanded %s from %s", print_with(dag, x, &plain_namer), print_with(dag, e, &plain_namer));
        }
    }
    assert_true(changed > ROUNDS / 100);
}

static void printed_text_reads_back(dd_dag *dag, dd_pool *pool)
{
    (void)pool;
    for (int round = 0; round < 5 * ROUNDS; round++) {
        tree_count = 0;
        dd_expr e = tree_to_dag(dag, random_tree(2 + random_below(4), false));
        const char *s = print_with(dag, e, &plain_namer);
        dd_expr back = parse(dag, s);
        if (back != e) {
            fail_msg("%s reads back as %s", s, print_with(dag, back, &plain_namer));
        }
    }
}

DAG_TEST(values_survive_simplification)
DAG_TEST(derivatives_agree)
DAG_TEST(substitution_swaps)
DAG_TEST(expansion_keeps_values)
DAG_TEST(printed_text_reads_back)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_survive_simplification),
        cmocka_unit_test(test_derivatives_agree),
        cmocka_unit_test(test_substitution_swaps),
        cmocka_unit_test(test_expansion_keeps_values),
        cmocka_unit_test(test_printed_text_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
