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

/* The same step by two kinds, after refinement by each; and the same inertia. */
static void compare(chain_problem *g, dd_kkt_system *k, dd_kkt_system *other)
{
    const uint32_t n = g->n, m = g->m;
    dd_kkt_inertia one, two;
    assert_int_equal(k->kind->factor(k, &g->values, &one), DD_OK);
    assert_int_equal(other->kind->factor(other, &g->values, &two), DD_OK);
    assert_true(one.negative == two.negative && one.zero == 0 && two.zero == 0 && !one.broken && !two.broken);
    double *b = calloc(4 * ((size_t)n + m), sizeof *b), *r = b + n + m, *x[2] = {r + n + m, r + 2 * ((size_t)n + m)};
    for (uint32_t u = 0; u < n + m; u++) {
        b[u] = u < n && g->fixed[u] ? 0 : rnd(g);
    }
    for (int which = 0; which < 2; which++) {
        dd_kkt_system *by = which ? other : k;
        for (int pass = 0; pass < 3; pass++) {
            memcpy(r, b, ((size_t)n + m) * sizeof *r);
            chain_residual(g, x[which], x[which] + n, r, r + n);
            by->kind->solve(by, r, r + n);
            for (uint32_t u = 0; u < n + m; u++) {
                x[which][u] += r[u];
            }
        }
        /* the residual is that of rounding */
        memcpy(r, b, ((size_t)n + m) * sizeof *r);
        chain_residual(g, x[which], x[which] + n, r, r + n);
        double size = 1;
        for (uint32_t u = 0; u < n + m; u++) {
            size = fmax(size, fabs(x[which][u]));
        }
        for (uint32_t u = 0; u < n + m; u++) {
            assert_true(fabs(r[u]) < 1e-13 * size);
        }
    }
    double largest = 0;
    for (uint32_t u = 0; u < n + m; u++) {
        largest = fmax(largest, fabs(x[1][u]));
    }
    for (uint32_t u = 0; u < n + m; u++) {
        assert_true(fabs(x[0][u] - x[1][u]) <= 1e-9 * largest);
    }
    free(b);
}

typedef struct situation {
    const char *name;
    chain_options o;
    bool sparse, pivots; /* what the chain does with it */
} situation;

#define BAND .density = 0.8, .band = 1, .selection = true
static const situation situations[] = {
    {"diffusion", {.intervals = 10, .nx = 60, .nu = 1, .degree = 3, BAND, .fix_start = true}, true, false},
    {"column", {.intervals = 11, .nx = 20, .nz = 20, .nu = 2, .degree = 3, BAND, .spread = 4}, true, false},
    {"path rows",
     {.intervals = 9, .nx = 30, .nz = 2, .nu = 2, .degree = 2, BAND, .path = 2, .parameters = 1},
     true,
     false},
    {"controls at points",
     {.intervals = 9, .nx = 30, .nu = 1, .degree = 3, BAND, .control = 2, .terminal = 3},
     true,
     false},
    {"degrees differ",
     {.intervals = 17, .nx = 40, .nu = 1, .degree = 3, BAND, .mixed_degrees = true, .control = 1},
     true,
     false},
    {"small pivots", {.intervals = 10, .nx = 30, .nz = 30, .nu = 1, .degree = 2, BAND, .twist = 1}, true, true},
    {"no pivots on the diagonal",
     {.intervals = 10, .nx = 30, .nz = 30, .nu = 1, .degree = 2, BAND, .twist = 2},
     true,
     false},
    {"indefinite",
     {.intervals = 10, .nx = 30, .nz = 4, .nu = 1, .degree = 2, BAND, .indefinite = 3, .initial = 4},
     true,
     false},
    {"not sparse", {.intervals = 9, .nx = 24, .nu = 2, .degree = 2, .density = 1, .selection = true}, false, false},
};

/* Condensing by sparse leaves against the general kind. */
static void test_sparse(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        const situation *s = &situations[i];
        dd_context *ctx = new_context();
        chain_problem g;
        chain_problem_make(&g, &s->o, 3 + i);
        g.pattern.shape = &g.shape;
        dd_kkt_system *chain, *general;
        assert_int_equal(dd_kkt_chain.make(&chain, ctx, &g.pattern), DD_OK);
        assert_int_equal(dd_kkt_general.make(&general, ctx, &g.pattern), DD_OK);
        compare(&g, chain, general);
        const dd_chain_info info = dd_chain_get_info(chain);
        if ((info.sparse > 0) != s->sparse || (info.programs > 0) != s->pivots || info.whole > 0) {
            fail_msg("%s: %u sparse batches, %u programs, %u intervals whole", s->name, info.sparse, info.programs,
                     info.whole);
        }
        /* once more, by what is known now, and without memory */
        const uint64_t before = dd_context_allocations(ctx);
        compare(&g, chain, general);
        assert_int_equal(dd_context_allocations(ctx), before);
        dd_kkt_free(general);
        dd_kkt_free(chain);
        chain_problem_free(&g);
        dd_context_free(ctx);
    }
}

/* Large intervals that cannot be condensed accurately, and what is not finite: by the general kind. */
static void test_not_condensed(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options o = {.intervals = 6, .nx = 100, .nz = 1, .nu = 1, .degree = 2, BAND, .weak = 1e-5};
    chain_problem_make(&g, &o, 4);
    g.pattern.shape = &g.shape;
    dd_kkt_system *chain, *general;
    assert_int_equal(dd_kkt_chain.make(&chain, ctx, &g.pattern), DD_OK);
    assert_int_equal(dd_kkt_general.make(&general, ctx, &g.pattern), DD_OK);
    compare(&g, chain, general);
    dd_kkt_inertia inertia;
    const double kept = g.j[g.jn / 2];
    g.j[g.jn / 2] = NAN;
    assert_int_equal(chain->kind->factor(chain, &g.values, &inertia), DD_OK);
    assert_true(inertia.broken);
    g.j[g.jn / 2] = kept;
    compare(&g, chain, general);
    dd_kkt_free(general);
    dd_kkt_free(chain);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* The same bits with any number of threads, also where pivots are chosen by values. */
static void test_threads(void **state)
{
    (void)state;
    chain_problem g;
    const chain_options o = {.intervals = 60, .nx = 20, .nz = 20, .nu = 1, .degree = 2, BAND, .twist = 1};
    chain_problem_make(&g, &o, 4);
    g.pattern.shape = &g.shape;
    const size_t all = (size_t)g.n + g.m;
    double *x = calloc(3 * all, sizeof *x);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        dd_context *ctx = new_context();
        dd_kkt_system *k;
        assert_int_equal(dd_team_new(&g.pattern.team, ctx, threads), DD_OK);
        assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
        double *to = x + (threads - 1) * all;
        for (int pass = 0; pass < 3; pass++) {
            chain_solve_ones(&g, k, (pass + threads) % 2 == 0, to); /* other pivots on the way, too */
        }
        assert_true(dd_chain_get_info(k).programs > 0);
        assert_memory_equal(to, x, all * sizeof *x);
        dd_kkt_free(k);
        dd_team_free(g.pattern.team);
        dd_context_free(ctx);
    }
    free(x);
    chain_problem_free(&g);
}

/* Few unknowns inside: the chain. Hundreds of states in a band: not with their recursion. */
static void test_kinds(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    for (uint32_t large = 0; large < 2; large++) {
        chain_problem g;
        chain_options o = banded;
        o.intervals = 20;
        o.nx = large ? 600 : 8;
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
        cmocka_unit_test(test_levels), cmocka_unit_test(test_cuts),          cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_sparse), cmocka_unit_test(test_not_condensed), cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
