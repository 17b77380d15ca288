/* Linear systems with a shape against one dense matrix: inertia by eigenvalues, steps by eigenvectors. */
#include "sizes.h"
#include "unit/base/support.h"
#include "unit/nlp/chain_reference.h"

static const double clear = 1e-10; /* smallest scaled eigenvalue from which signs are certain */

typedef struct situation {
    const char *name;
    chain_options o;
} situation;

#define BASE .intervals = 5, .nx = 3, .nz = 1, .nu = 2, .degree = 3, .density = 0.6

static const situation situations[] = {
    {"collocation", {BASE}},
    {"last point is the node", {BASE, .selection = true}},
    {"fixed start", {BASE, .fix_start = true, .selection = true}},
    {"initial and terminal rows", {BASE, .initial = 3, .terminal = 2}},
    {"linear controls", {BASE, .control = 1, .terminal = 1}},
    {"polynomial controls", {BASE, .control = 2, .initial = 2}},
    {"parameters", {BASE, .parameters = 2, .selection = true}},
    {"periodic", {BASE, .periodic = 3, .parameters = 1}},
    {"stage equalities", {BASE, .stage = 1, .initial = 3}},
    {"path inequalities", {BASE, .path = 2, .spread = 6}},
    {"rows over three nodes", {BASE, .across = 2}},
    {"integrals", {BASE, .integral = 2, .parameters = 1}},
    {"fixed variables", {BASE, .fix = 0.2, .stage = 1}},
    {"patterns differ", {BASE, .differ = true, .path = 1}},
    {"degrees differ", {BASE, .mixed_degrees = true, .control = 1}},
    {"indefinite", {BASE, .indefinite = 4, .terminal = 1}},
    {"sizes over 16 decades", {BASE, .spread = 8, .path = 1, .parameters = 1}},
    {"regularised", {BASE, .regular = 1e-8, .initial = 3, .terminal = 3}},
    {"regularised everywhere", {BASE, .regular = 1e-8, .soft = 1e-8, .spread = 4}},
    {"soft rows", {BASE, .regular = 0.1, .soft = 0.1, .terminal = 2}},
    {"nearly singular inside", {BASE, .weak = 1e-7}},
    {"shooting", {.intervals = 6, .nx = 4, .nu = 2, .density = 1, .spread = 3, .terminal = 2, .path = 1}},
    {"no controls", {.intervals = 4, .nx = 3, .degree = 2, .density = 0.6, .parameters = 2}},
    {"no states", {.intervals = 4, .nz = 2, .nu = 1, .degree = 2, .density = 0.6}},
    {"one node", {.intervals = 0, .nx = 4, .initial = 2, .parameters = 1}},
    {"nothing", {.intervals = 3}},
    {"more than one batch", {.intervals = 21, .nx = 2, .nz = 1, .nu = 1, .degree = 2, .density = 0.7, .spread = 2}},
};

/* Intervals in lanes or each as a whole; AGAIN: in lanes, after a factorisation with the same Jacobian and another
 * Hessian, whose factors are kept. */
typedef enum way { LANES, WHOLE, AGAIN } way;

/* A factorisation with another Hessian; the values say then that the Jacobian is the same. */
static void factor_another(chain_problem *g, dd_kkt_system *k)
{
    dd_kkt_inertia inertia;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t e = 0; e < g->hn; e++) {
            g->h[e] *= pass == 0 ? -2 : -0.5;
        }
        for (uint32_t i = 0; i < g->n; i++) {
            g->p[i] *= pass == 0 ? 4 : 0.25;
        }
        if (pass == 0) {
            assert_int_equal(k->kind->factor(k, &g->values, &inertia), DD_OK);
        }
    }
    g->values.same_jacobian = true;
}

/* The verdict on one problem; returns false when it is too near a singular one to say. */
static bool agrees(const dd_kkt_kind *kind, const chain_options *o, uint64_t seed, const char *name, way how,
                   uint32_t kernels)
{
    dd_context *ctx = new_context();
    chain_problem g;
    chain_problem_make(&g, o, seed);
    g.pattern.shape = &g.shape;
    chain_truth t;
    chain_truth_make(&t, &g, 1e-13);
    assert_true(kind->suits(&g.pattern));
    dd_kkt_system *k;
    assert_int_equal(kind->make(&k, ctx, &g.pattern), DD_OK);
    dd_chain_set_whole(k, how == WHOLE);
    assert_non_null(dd_chain_set_kernels(k, kernels));
    if (how == AGAIN) {
        factor_another(&g, k);
    }
    const chain_outcome out = chain_judge(&g, k, &t, 3);
    const bool certain = t.smallest > clear || t.size == 0;
    if (certain) {
        const double bound = 1e-11 + 1e-13 / t.smallest;
        if (out.inertia.negative != t.negative || out.inertia.zero || out.inertia.broken || !(out.residual < 1e-12) ||
            !(out.error < bound)) {
            fail_msg("%s, seed %lu: negative %u, zero %u instead of %u; residual %g, error %g, smallest %g", name,
                     (unsigned long)seed, out.inertia.negative, out.inertia.zero, t.negative, out.residual, out.error,
                     t.smallest);
        }
    }
    k->kind->free(k);
    chain_truth_free(&t);
    chain_problem_free(&g);
    dd_context_free(ctx);
    return certain;
}

/* Where only the right inertia counts, factorisations are given up early: never one whose inertia is right, and then nothing
 * of it is left behind for the next one with the same Jacobian. Returns whether this one was. */
static bool gives_up(const chain_options *o, uint64_t seed, uint32_t threads)
{
    dd_context *ctx = new_context();
    dd_team *team;
    dd_kkt_system *k;
    chain_problem g;
    chain_problem_make(&g, o, seed);
    g.pattern.shape = &g.shape;
    const size_t all = (size_t)g.n + g.m;
    double *x = calloc(2 * all + 1, sizeof *x), *y = x + all;
    assert_int_equal(dd_team_new(&team, ctx, threads), DD_OK);
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    dd_chain_set_team(k, team);
    const dd_kkt_inertia truth = chain_solve_ones(&g, k, false, x);
    const uint32_t rows = g.m;
    dd_kkt_inertia found = {0};
    dd_kkt_values values = g.values;
    values.only_right = true;
    assert_int_equal(k->kind->factor(k, &values, &found), DD_OK);
    assert_true(!found.wrong || truth.negative != rows || truth.zero > 0);
    assert_true(found.wrong || (found.negative == truth.negative && found.zero == truth.zero));
    g.values.same_jacobian = true;
    chain_solve_ones(&g, k, true, y);
    assert_memory_equal(x, y, all * sizeof *x);
    k->kind->free(k);
    dd_team_free(team);
    free(x);
    chain_problem_free(&g);
    dd_context_free(ctx);
    return found.wrong;
}

static void test_only_right(void **state)
{
    (void)state;
    uint32_t given_up = 0;
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        for (uint64_t seed = 1; seed < 4; seed++) {
            const bool one = gives_up(&situations[i].o, seed, 1);
            assert_int_equal(gives_up(&situations[i].o, seed, 2), one);
            given_up += one;
        }
    }
    const chain_options o = {.intervals = 21, .nx = 2, .nu = 1, .degree = 2, .density = 0.7, .indefinite = 40};
    assert_true(gives_up(&o, 1, 1));
    assert_true(given_up > 0);
}

static void test_situations(void **state)
{
    (void)state;
    uint32_t certain = 0, count = 0;
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        const uint64_t seed = 1; /* tests/verify/test_chain_random.c has many more */
        certain += agrees(&dd_kkt_chain, &situations[i].o, seed, situations[i].name, LANES, 0);
        certain += agrees(&dd_kkt_chain, &situations[i].o, seed, situations[i].name, WHOLE, 0);
        certain += agrees(&dd_kkt_chain, &situations[i].o, seed, situations[i].name, AGAIN, 0);
        certain += agrees(&dd_kkt_chain_sparse, &situations[i].o, seed, situations[i].name, LANES, 0);
        certain += agrees(&dd_kkt_chain_sparse, &situations[i].o, seed, situations[i].name, AGAIN, 0);
        count += 5;
    }
    assert_true(certain > count / 2);
}

/* Open loops that grow by det T = e and more an interval, and a control that holds them: errors of the recursion over
 * the nodes must not grow as they do (by 1/eps within 36 intervals). */
static void test_unstable(void **state)
{
    (void)state;
    const chain_options all[] = {
        {.intervals = TEST_SIZE(45, 80), .nx = 2, .nu = 1, .growth = 1.65},
        {.intervals = TEST_SIZE(45, 80), .nx = 2, .nu = 1, .growth = 1.65, .parameters = 1, .path = 1, .terminal = 1},
        {.intervals = TEST_SIZE(40, 60), .nx = 3, .nu = 2, .growth = 1.65, .spread = 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_true(agrees(&dd_kkt_chain, &all[i], 1, "unstable", false, 0));
        assert_true(agrees(&dd_kkt_chain, &all[i], 1, "unstable", true, 0));
    }
}

/* The kernels of processors older than this one. */
static void test_kernels(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options small = {.intervals = 1, .nx = 1, .degree = 1};
    chain_problem_make(&g, &small, 1);
    g.pattern.shape = &g.shape;
    dd_kkt_system *k;
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    uint32_t count = 0;
    while (dd_chain_set_kernels(k, count)) {
        count++;
    }
    k->kind->free(k);
    chain_problem_free(&g);
    dd_context_free(ctx);
    assert_true(count >= 1);
    for (uint32_t which = 1; which < count; which++) {
        for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
            agrees(&dd_kkt_chain, &situations[i].o, 2, situations[i].name, LANES, which);
            agrees(&dd_kkt_chain_sparse, &situations[i].o, 2, situations[i].name, LANES, which);
        }
    }
}

/* Interval 0 has its states from nobody, and still the structure of the others: as many batches as eights of intervals,
 * whatever holds the first states. With linear controls the last interval has those of the last node as well. */
static void test_batches(void **state)
{
    (void)state;
    const chain_options all[] = {
        {BASE, .initial = 3},
        {BASE, .initial = 2, .parameters = 1, .terminal = 1},
        {BASE, .initial = 3, .control = 1},
        {BASE, .initial = 1, .control = 2},
        {BASE, .periodic = 3, .path = 1},
        {BASE, .initial = 3, .stage = 1},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        for (uint32_t eights = 1; eights < 3; eights++) {
            dd_context *ctx = new_context();
            chain_problem g;
            chain_options o = all[i];
            o.intervals = 8 * eights;
            chain_problem_make(&g, &o, 1);
            g.pattern.shape = &g.shape;
            dd_kkt_system *k;
            dd_kkt_inertia inertia;
            assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
            assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
            assert_int_equal(dd_chain_get_info(k).batches, eights + (o.control == 1));
            k->kind->free(k);
            chain_problem_free(&g);
            dd_context_free(ctx);
        }
    }
}

/* Intervals are condensed in lanes, and nearly singular ones are not. */
static void test_ways(void **state)
{
    (void)state;
    for (int weak = 0; weak < 2; weak++) {
        dd_context *ctx = new_context();
        chain_problem g;
        const chain_options o = {BASE, .weak = weak ? 1e-7 : 0};
        chain_problem_make(&g, &o, 3);
        g.pattern.shape = &g.shape;
        dd_kkt_system *k;
        dd_kkt_inertia inertia;
        assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
        const dd_chain_info info = dd_chain_get_info(k);
        assert_int_equal(info.intervals, 5);
        /* intervals 1 and 4, and those for which the pivots that all share are bad then */
        assert_in_range(info.whole, weak ? 2 : 0, weak ? 4 : 0);
        assert_int_equal(info.lean, 5 - info.whole);
        k->kind->free(k);
        chain_problem_free(&g);
        dd_context_free(ctx);
    }
}

/* Rows that repeat others are zero pivots, and they are named. */
static void test_dependent(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options o = {BASE, .terminal = 1, .stage = 1, .repeated = 6};
    chain_problem_make(&g, &o, 8);
    g.pattern.shape = &g.shape;
    chain_truth t;
    chain_truth_make(&t, &g, 1e-13);
    assert_true(t.zero > 0);
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
    assert_int_equal(inertia.zero, t.zero);
    assert_int_equal(inertia.negative, t.negative);
    uint32_t rows[8];
    assert_int_equal(k->kind->dependent(k, rows, 8), t.zero);
    for (uint32_t i = 0; i < t.zero; i++) {
        assert_int_equal(g.determines[rows[i]], DD_DETERMINES_NONE);
    }
    k->kind->free(k);
    chain_truth_free(&t);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* Without curvature, controls that a row of their own leaves free in part and that hardly move what a row at the end
 * asks for: all of them but one depend on others.
 * They are zero pivots where they are, and are not delayed to the root, which fills up the fronts on the way. */
static void test_surplus(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options o = {.intervals = 60, .nx = 3, .nu = 3, .growth = 1, .terminal = 1, .stage = 1};
    chain_problem_make(&g, &o, 3);
    g.pattern.shape = &g.shape;
    memset(g.h, 0, g.hn * sizeof *g.h);
    memset(g.p, 0, g.n * sizeof *g.p);
    for (uint32_t e = 0; e < g.jn; e++) {
        const uint32_t of_node = g.jc[e] - g.x_at[g.variable_place[g.jc[e]] / 2];
        g.j[e] *= of_node >= o.nx && g.determines[g.jr[e]] != DD_DETERMINES_NONE ? 1e-8 : 1;
    }
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
    assert_int_equal(inertia.negative, g.m);
    assert_int_equal(inertia.zero, g.n - g.m);
    /* in each front the row, and no more controls than it and the states */
    assert_in_range(dd_chain_get_info(k).delayed, o.intervals, o.intervals * (o.nx + 2));
    k->kind->free(k);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* A value that is not finite is said. */
static void test_broken(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options o = {BASE, .path = 1};
    chain_problem_make(&g, &o, 4);
    g.pattern.shape = &g.shape;
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    double *all[] = {&g.h[g.hn / 2], &g.j[g.jn / 2], &g.p[g.n / 2], &g.j[0], &g.h[0]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double kept = *all[i];
        *all[i] = NAN;
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
        assert_true(inertia.broken);
        *all[i] = kept;
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
        assert_false(inertia.broken);
    }
    k->kind->free(k);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

/* Factors and solves some times; the last solution, and the inertia. */
static dd_kkt_inertia solve_with(chain_problem *g, uint32_t threads, double *x)
{
    dd_context *ctx = new_context();
    dd_team *team;
    dd_kkt_system *k;
    dd_kkt_inertia inertia = {0};
    assert_int_equal(dd_team_new(&team, ctx, threads), DD_OK);
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g->pattern), DD_OK);
    dd_chain_set_team(k, team);
    const size_t all = (size_t)g->n + g->m;
    double *other = calloc(all + 1, sizeof *other);
    for (int pass = 0; pass < 3; pass++) {
        inertia = chain_solve_ones(g, k, false, x);
        chain_solve_ones(g, k, true, other);
        assert_memory_equal(other, x, all * sizeof *x);
    }
    free(other);
    k->kind->free(k);
    dd_team_free(team);
    dd_context_free(ctx);
    return inertia;
}

/* The same bits with any number of threads: with every kind of row, delayed pivots, fronts that are factored as a whole,
 * several shapes; and in a long chain, where threads are ahead of each other. */
static void test_threads(void **state)
{
    (void)state;
    const size_t count = sizeof situations / sizeof *situations;
    const chain_options lengthy = {.intervals = 300,
                                   .nx = 9,
                                   .nz = 1,
                                   .nu = 2,
                                   .degree = 3,
                                   .density = 0.6,
                                   .spread = 4,
                                   .parameters = 1,
                                   .path = 1,
                                   .terminal = 3,
                                   .control = 1,
                                   .mixed_degrees = true};
    for (size_t s = 0; s <= count; s++) {
        chain_options o = s < count ? situations[s].o : lengthy;
        o.intervals = s < count ? 9 * o.intervals : o.intervals;
        chain_problem g;
        chain_problem_make(&g, &o, 2 + s);
        g.pattern.shape = &g.shape;
        const size_t all = (size_t)g.n + g.m;
        double *x = calloc(2 * all + 1, sizeof *x);
        const dd_kkt_inertia one = solve_with(&g, 1, x);
        for (uint32_t threads = 2; threads <= 3; threads++) {
            const dd_kkt_inertia several = solve_with(&g, threads, x + all);
            assert_int_equal(several.negative, one.negative);
            assert_int_equal(several.zero, one.zero);
            assert_memory_equal(x, x + all, all * sizeof *x);
        }
        free(x);
        chain_problem_free(&g);
    }
}

/* A factorisation ends when it is told to, whoever is at work. */
static void test_stop(void **state)
{
    (void)state;
    const chain_options o = {.intervals = 200, .nx = 5, .nz = 1, .nu = 2, .degree = 3, .density = 0.6};
    chain_problem g;
    chain_problem_make(&g, &o, 3);
    g.pattern.shape = &g.shape;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        dd_context *ctx = new_context();
        dd_team *team;
        dd_kkt_system *k;
        dd_kkt_inertia inertia;
        assert_int_equal(dd_team_new(&team, ctx, threads), DD_OK);
        assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
        dd_chain_set_team(k, team);
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
        dd_context_interrupt(ctx);
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_INTERRUPTED);
        k->kind->free(k);
        dd_team_free(team);
        dd_context_free(ctx);
    }
    chain_problem_free(&g);
}

/* Factors and solves ask for no memory; without a shape, or with entries that it forbids, the kind refuses. */
static void test_memory(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    chain_problem g;
    const chain_options o = {BASE, .path = 1, .parameters = 1, .terminal = 1};
    chain_problem_make(&g, &o, 5);
    assert_false(dd_kkt_chain.suits(&g.pattern));
    g.pattern.shape = &g.shape;
    assert_true(dd_kkt_chain.suits(&g.pattern));
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    assert_int_equal(dd_kkt_chain.make(&k, ctx, &g.pattern), DD_OK);
    const uint64_t before = dd_context_allocations(ctx);
    double *r = calloc(g.n + g.m, sizeof *r);
    for (int pass = 0; pass < 3; pass++) {
        assert_int_equal(k->kind->factor(k, &g.values, &inertia), DD_OK);
        k->kind->solve(k, r, r + g.n);
    }
    assert_int_equal(dd_context_allocations(ctx), before);
    k->kind->free(k);
    g.variable_place[g.hr[0]] = DD_PLACE_NODE(5);
    assert_false(dd_kkt_chain.suits(&g.pattern));
    free(r);
    chain_problem_free(&g);
    dd_context_free(ctx);
}

static dd_status run_once(dd_context *ctx, chain_problem *g)
{
    dd_kkt_system *k;
    dd_kkt_inertia inertia;
    dd_status status = dd_kkt_chain.make(&k, ctx, &g->pattern);
    if (status == DD_OK) {
        status = k->kind->factor(k, &g->values, &inertia);
        k->kind->free(k);
    }
    return status;
}

/* Every allocation may fail, and then nothing is left. */
static void test_failures(void **state)
{
    (void)state;
    chain_problem g;
    const chain_options o = {
        .intervals = 3, .nx = 2, .nz = 1, .nu = 1, .degree = 2, .density = 0.6, .path = 1, .stage = 1};
    chain_problem_make(&g, &o, 5);
    g.pattern.shape = &g.shape;
    dd_status status = DD_OUT_OF_MEMORY;
    uint64_t n = 1;
    for (; status != DD_OK; n++) {
        counting count = {0};
        dd_context_options options = dd_context_options_default();
        options.alloc = counting_alloc;
        options.alloc_user = &count;
        options.fail_at = n;
        dd_context *ctx;
        status = dd_context_new(&ctx, &options);
        if (status == DD_OK) {
            const size_t before = dd_context_memory(ctx);
            status = run_once(ctx, &g);
            assert_int_equal(dd_context_memory(ctx), before);
            dd_context_free(ctx);
        }
        assert_true(status == DD_OK || status == DD_OUT_OF_MEMORY);
        assert_int_equal(count.bytes, 0);
    }
    assert_true(n > 5);
    chain_problem_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_situations), cmocka_unit_test(test_only_right), cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_ways),       cmocka_unit_test(test_batches),    cmocka_unit_test(test_dependent),
        cmocka_unit_test(test_broken),     cmocka_unit_test(test_memory),     cmocka_unit_test(test_unstable),
        cmocka_unit_test(test_threads),    cmocka_unit_test(test_stop),       cmocka_unit_test(test_failures),
        cmocka_unit_test(test_surplus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
