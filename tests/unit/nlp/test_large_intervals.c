/* Chains with many unknowns at a node or inside an interval: cuts of the general kind, and which kind serves them. */
#include "unit/base/support.h"
#include "unit/nlp/chain_reference.h"

#include "nlp/kkt_kinds.h"
#include "nlp/sparse_pattern.h"

/* States in a row, each with its neighbours. */
static const chain_options banded = {
    .nx = 40, .nu = 1, .degree = 2, .density = 1, .band = 1, .selection = true, .fix_start = true};

static dd_ldl *ldl_of(dd_context *ctx, const dd_sparse_pattern *k, const uint32_t *level)
{
    dd_ldl *f = NULL;
    const dd_ldl_pattern pattern = {
        .n = k->unknowns, .ptr = k->matrix.ptr, .idx = k->matrix.idx, .partner = k->partner, .level = level};
    assert_int_equal(dd_ldl_new(&f, ctx, &pattern), DD_OK);
    return f;
}

/* Cuts change the order, and nothing else: inertia and solution are those of the matrix without. */
static void test_levels(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    chain_options o = banded;
    o.intervals = 9;
    o.parameters = 1;
    o.terminal = 2;
    o.indefinite = 3;
    chain_problem_make(&g, &o, 5);
    g.pattern.shape = &g.shape;
    dd_sparse_pattern k;
    assert_int_equal(dd_sparse_pattern_make(&k, ctx, &g.pattern), DD_OK);
    uint32_t *level = calloc(k.unknowns, sizeof *level);
    double *x = calloc(2 * (size_t)k.unknowns, sizeof *x), *y = x + k.unknowns;
    double *values[] = {g.h, g.p, g.j, g.q};
    const uint32_t counts[] = {g.hn, g.n, g.jn, g.m};
    const uint32_t *at = k.at;
    for (int part = 0; part < 4; at += counts[part++]) {
        for (uint32_t e = 0; e < counts[part]; e++) {
            if (at[e] != DD_NO_INDEX) {
                k.matrix.val[at[e]] += part == 3 ? -values[part][e] : values[part][e];
            }
        }
    }
    dd_ldl *free_order = ldl_of(ctx, &k, NULL);
    dd_ldl_info one, two;
    assert_int_equal(dd_ldl_factor(free_order, k.matrix.val, &one), DD_OK);
    for (uint32_t step = 1; step < 5; step += 2) {
        dd_sparse_levels(&k, step, level);
        uint32_t cuts = 0, border = 0;
        for (uint32_t u = 0; u < k.unknowns; u++) {
            cuts += level[u] == 1;
            border += level[u] == 2;
        }
        /* inner nodes: states and the control that begins there; the parameter */
        assert_int_equal(cuts, (step == 1 ? 8 : 2) * 41);
        assert_int_equal(border, 1);
        dd_ldl *cut = ldl_of(ctx, &k, level);
        assert_int_equal(dd_ldl_factor(cut, k.matrix.val, &two), DD_OK);
        assert_true(two.negative == one.negative && two.zero == 0 && one.zero == 0);
        for (uint32_t u = 0; u < k.unknowns; u++) {
            x[u] = y[u] = rnd(&g);
        }
        dd_ldl_solve(free_order, x);
        dd_ldl_solve(cut, y);
        double largest = 0;
        for (uint32_t u = 0; u < k.unknowns; u++) {
            largest = fmax(largest, fabs(x[u]));
        }
        for (uint32_t u = 0; u < k.unknowns; u++) {
            assert_true(fabs(x[u] - y[u]) <= 1e-9 * largest);
        }
        dd_ldl_free(cut);
    }
    dd_ldl_free(free_order);
    dd_sparse_pattern_free(&k);
    free(level);
    free(x);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* Long chains of many states are cut, and then cost in proportion to their length; short and slender ones are not. */
static void test_cuts(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    double cost[2];
    for (uint32_t i = 0; i < 2; i++) {
        chain_problem g;
        chain_options o = banded;
        o.intervals = 60 << i;
        chain_problem_make(&g, &o, 5);
        g.pattern.shape = &g.shape;
        dd_sparse_cuts cuts;
        assert_int_equal(dd_sparse_find_cuts(&cuts, ctx, &g.pattern), DD_OK);
        assert_true(cuts.step > 0);
        cost[i] = cuts.cost;
        chain_problem_free(&g);
    }
    assert_true(cost[1] < 2.05 * cost[0]);
    chain_problem g;
    chain_options o = banded;
    o.intervals = 60;
    o.nx = 4;
    chain_problem_make(&g, &o, 5);
    dd_sparse_cuts cuts;
    assert_int_equal(dd_sparse_find_cuts(&cuts, ctx, &g.pattern), DD_OK);
    assert_true(cuts.step == 0 && cuts.cost == 0);
    g.pattern.shape = &g.shape;
    assert_int_equal(dd_sparse_find_cuts(&cuts, ctx, &g.pattern), DD_OK);
    assert_true(cuts.step == 0 && cuts.cost > 0);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* Few unknowns inside: the chain. Hundreds in a band: not with dense leaves. */
static void test_kinds(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    for (uint32_t large = 0; large < 2; large++) {
        chain_problem g;
        chain_options o = banded;
        o.intervals = 20;
        o.nx = large ? 300 : 8;
        chain_problem_make(&g, &o, 5);
        g.pattern.shape = &g.shape;
        dd_kkt_system *k;
        assert_int_equal(dd_kkt_make(&k, ctx, &g.pattern), DD_OK);
        assert_string_equal(k->kind->name, large ? "general" : "chain");
        dd_kkt_free(k);
        chain_problem_free(&g);
    }
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_cuts),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
