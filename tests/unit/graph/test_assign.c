/* Highest-value transversal and smallest offsets against all permutations and a dense fixed point; known systems;
 * 10^4 or 10^5 equations of the kinds that models consist of. */
#include "kit.h"

#include "graph/assign.h"
#include "sizes.h"

enum { NMAX = 8, CAP = 1 << 22 };

typedef struct dense {
    uint32_t n;
    int32_t s[NMAX][NMAX]; /* -1: no entry */
} dense;

static void to_dense(const kit_rows *a, dense *out)
{
    out->n = a->nrows;
    memset(out->s, 0xff, sizeof out->s);
    for (uint32_t i = 0; i < a->nrows; i++) {
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            out->s[i][a->idx[e]] = a->value[e];
        }
    }
}

/* Best value over all permutations from row i on, or -1. Calls each(perm) for those that reach `target`. */
typedef struct search {
    const dense *m;
    uint32_t perm[NMAX], taken;
    int64_t target;
    void (*each)(struct search *s);
    const uint32_t *dmin, *c, *d;
    uint32_t tight;
} search;

static int64_t best_value(search *s, uint32_t i, int64_t sum)
{
    if (i == s->m->n) {
        if (s->each != NULL && sum == s->target) {
            s->each(s);
        }
        return sum;
    }
    int64_t best = -1;
    for (uint32_t j = 0; j < s->m->n; j++) {
        if (s->m->s[i][j] >= 0 && (s->taken & 1u << j) == 0) {
            s->taken |= 1u << j;
            s->perm[i] = j;
            int64_t v = best_value(s, i + 1, sum + s->m->s[i][j]);
            best = v > best ? v : best;
            s->taken &= ~(1u << j);
        }
    }
    return best;
}

/* Pryce's fixed point from c = 0 on the dense matrix with one transversal. */
static void fixed_point(const dense *m, const uint32_t *perm, const uint32_t *dmin, int64_t *c, int64_t *d)
{
    bool changed = true;
    memset(c, 0, NMAX * sizeof *c);
    while (changed) {
        changed = false;
        for (uint32_t j = 0; j < m->n; j++) {
            d[j] = dmin != NULL ? dmin[j] : 0;
            for (uint32_t i = 0; i < m->n; i++) {
                if (m->s[i][j] >= 0 && m->s[i][j] + c[i] > d[j]) {
                    d[j] = m->s[i][j] + c[i];
                }
            }
        }
        for (uint32_t i = 0; i < m->n; i++) {
            int64_t ci = d[perm[i]] - m->s[i][perm[i]];
            changed = changed || ci != c[i];
            c[i] = ci;
        }
    }
}

static void compare_offsets(search *s)
{
    int64_t c[NMAX], d[NMAX];
    fixed_point(s->m, s->perm, s->dmin, c, d);
    for (uint32_t i = 0; i < s->m->n; i++) {
        assert_int_equal(c[i], s->c[i]);
        assert_int_equal(d[i], s->d[i]);
    }
    s->tight++;
}

static void test_random_small(void **state)
{
    (void)state;
    enum { ROUNDS = TEST_SIZE(1000, 3000) };
    uint64_t rng = 31337;
    dd_context *ctx = kit_context();
    uint32_t perfect = 0, several = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t n = 1 + kit_below(&rng, round % 20 == 0 ? 8 : 6), vmax = 1 + kit_below(&rng, 4);
        kit_rows rows = kit_random_rows(&rng, n, n, 20 + kit_below(&rng, 60), vmax);
        dd_pattern a = kit_pattern(&rows);
        dense m;
        to_dense(&rows, &m);
        search s = {.m = &m};
        int64_t best = best_value(&s, 0, 0), rd[NMAX], cd[NMAX];
        uint32_t rm[NMAX], cm[NMAX], c[NMAX], d[NMAX], dmin[NMAX];
        dd_assign_info info;
        assert_int_equal(dd_graph_assign(&info, ctx, &a, rows.value, rm, cm, rd, cd), DD_OK);
        assert_int_equal(info.perfect, best >= 0);
        if (info.perfect) {
            perfect++;
            assert_int_equal(info.value, best);
            for (uint32_t j = 0; j < n; j++) {
                dmin[j] = kit_below(&rng, 3);
            }
            s.dmin = round % 3 == 0 ? NULL : dmin;
            assert_int_equal(dd_graph_offsets(ctx, &a, &(dd_transversal){rows.value, rm, rd, cd}, s.dmin, 100000, c, d),
                             DD_OK);
            s.c = c;
            s.d = d;
            s.target = best;
            s.each = compare_offsets; /* the same offsets from every optimal transversal */
            best_value(&s, 0, 0);
            assert_true(s.tight > 0);
            several += s.tight > 1;
        }
        kit_rows_free(&rows);
    }
    print_message("  %u perfect, %u of them with several optimal transversals\n", perfect, several);
    assert_true(perfect > ROUNDS / 3 && several > ROUNDS / 10);
    dd_context_free(ctx);
}

typedef struct solved {
    uint32_t *rm, *cm, *c, *d;
    int64_t *rd, *cd;
    dd_assign_info info;
    double seconds;
} solved;

static solved solve(dd_context *ctx, const kit_rows *rows)
{
    dd_pattern a = kit_pattern(rows);
    size_t n = rows->nrows;
    solved s = {.rm = malloc(n * 4), .cm = malloc(n * 4), .c = malloc(n * 4), .d = malloc(n * 4)};
    s.rd = malloc(n * 8);
    s.cd = malloc(n * 8);
    double start = kit_seconds();
    assert_int_equal(dd_graph_assign(&s.info, ctx, &a, rows->value, s.rm, s.cm, s.rd, s.cd), DD_OK);
    if (s.info.perfect) {
        assert_int_equal(
            dd_graph_offsets(ctx, &a, &(dd_transversal){rows->value, s.rm, s.rd, s.cd}, NULL, CAP, s.c, s.d), DD_OK);
    }
    s.seconds = kit_seconds() - start;
    print_message("  n = %u, nnz = %u: %u phases, %.3f s\n", rows->nrows, rows->ptr[rows->nrows], s.info.phases,
                  s.seconds);
    kit_cost("assign", start);
    return s;
}

static void solved_free(solved *s)
{
    free(s->rm);
    free(s->cm);
    free(s->c);
    free(s->d);
    free(s->rd);
    free(s->cd);
}

/* x1 = f, x1' = x2, ..., x_{n-1}' = x_n: c = (n-1, n-2, ..., 0) in the order of the equations given below. */
static void differentiator(kit_rows *rows, uint32_t n, uint32_t first, uint32_t total)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) {
            kit_put(rows, first + i - 1, 1);
        }
        kit_put(rows, first + i, 0);
        kit_end_row(rows, total);
    }
}

static void test_differentiators(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const uint32_t lengths[] = {2000, TEST_SIZE(10000, 100000)};
    for (int k = 0; k < 2; k++) {
        uint32_t n = lengths[k];
        kit_rows rows = kit_rows_new(n, n, 2 * (size_t)n);
        differentiator(&rows, n, 0, n);
        solved s = solve(ctx, &rows);
        assert_true(s.info.perfect);
        assert_int_equal(s.info.value, 0);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(s.c[i], n - 1 - i);
            assert_int_equal(s.d[i], n - 1 - i);
        }
        /* the cap is named when hit */
        dd_pattern a = kit_pattern(&rows);
        assert_int_equal(
            dd_graph_offsets(ctx, &a, &(dd_transversal){rows.value, s.rm, s.rd, s.cd}, NULL, n - 1, s.c, s.d), DD_OK);
        assert_int_equal(
            dd_graph_offsets(ctx, &a, &(dd_transversal){rows.value, s.rm, s.rd, s.cd}, NULL, n - 2, s.c, s.d),
            DD_LIMIT);
        solved_free(&s);
        kit_rows_free(&rows);
    }
    dd_context_free(ctx);
}

/* Chains of all lengths 1..K, of 10^5 equations at full size: many different distances at once. */
static void test_chains_of_all_lengths(void **state)
{
    (void)state;
    enum { K = TEST_SIZE(141, 447), N = K * (K + 1) / 2 };
    dd_context *ctx = kit_context();
    kit_rows rows = kit_rows_new(N, N, 2 * (size_t)N);
    uint32_t first = 0;
    for (uint32_t len = 1; len <= K; len++) {
        differentiator(&rows, len, first, N);
        first += len;
    }
    solved s = solve(ctx, &rows);
    first = 0;
    for (uint32_t len = 1; len <= K; len++) {
        for (uint32_t i = 0; i < len; i++) {
            assert_int_equal(s.c[first + i], len - 1 - i);
        }
        first += len;
    }
    solved_free(&s);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

/* RC ladder, 3 equations per cell: C v_k' = i_k - i_{k+1}; R i_k = v_{k-1} - v_k; p_k = v_k i_k. Index 1: all c = 0. */
static void test_ladder(void **state)
{
    (void)state;
    enum { K = TEST_SIZE(4000, 40000), N = 3 * K };
    dd_context *ctx = kit_context();
    kit_rows rows = kit_rows_new(N, N, 10 * (size_t)K);
    for (uint32_t k = 0; k < K; k++) {
        uint32_t v = 3 * k, i = 3 * k + 1, p = 3 * k + 2;
        kit_put(&rows, v, 1);
        kit_put(&rows, i, 0);
        if (k + 1 < K) {
            kit_put(&rows, i + 3, 0);
        }
        kit_end_row(&rows, N);
        if (k > 0) {
            kit_put(&rows, v - 3, 0);
        }
        kit_put(&rows, v, 0);
        kit_put(&rows, i, 0);
        kit_end_row(&rows, N);
        kit_put(&rows, v, 0);
        kit_put(&rows, i, 0);
        kit_put(&rows, p, 0);
        kit_end_row(&rows, N);
    }
    solved s = solve(ctx, &rows);
    assert_int_equal(s.info.value, K);
    for (uint32_t i = 0; i < N; i++) {
        assert_int_equal(s.c[i], 0);
    }
    solved_free(&s);
    kit_rows_free(&rows);
    dd_context_free(ctx);
}

/* Chain of K point masses on rods: x' = u, y' = v, u' and v' with the multipliers of both rods, and the rod constraint
 * between neighbours. Index 3: constraint rows c = 2, kinematic rows c = 1, dynamic rows c = 0; dof 2K. */
static void pendulum_chain(kit_rows *rows, uint32_t k, const uint32_t *name, uint32_t K)
{
    uint32_t x = 5 * k, N = 5 * K;
    for (uint32_t q = 0; q < 2; q++) {
        kit_put(rows, name[x + q], 1);
        kit_put(rows, name[x + 2 + q], 0);
        kit_end_row(rows, N);
    }
    for (uint32_t q = 0; q < 2; q++) {
        kit_put(rows, name[x + 2 + q], 1);
        kit_put(rows, name[x + q], 0);
        kit_put(rows, name[x + 4], 0);
        if (k > 0) {
            kit_put(rows, name[x + q - 5], 0);
        }
        if (k + 1 < K) {
            kit_put(rows, name[x + q + 5], 0);
            kit_put(rows, name[x + 9], 0);
        }
        kit_end_row(rows, N);
    }
    for (uint32_t q = 0; q < 2; q++) {
        kit_put(rows, name[x + q], 0);
        if (k > 0) {
            kit_put(rows, name[x + q - 5], 0);
        }
    }
    kit_end_row(rows, N);
}

static void test_pendulums(void **state)
{
    (void)state;
    enum { K = TEST_SIZE(2000, 20000), N = 5 * K };
    dd_context *ctx = kit_context();
    uint32_t *name = malloc(N * sizeof *name);
    uint64_t rng = 8;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        for (uint32_t i = 0; i < N; i++) {
            name[i] = i;
        }
        if (shuffled) {
            kit_shuffle(&rng, N, name);
        }
        kit_rows rows = kit_rows_new(N, N, 24 * (size_t)K);
        for (uint32_t k = 0; k < K; k++) {
            pendulum_chain(&rows, k, name, K);
        }
        solved s = solve(ctx, &rows);
        assert_true(s.info.perfect);
        assert_int_equal(s.info.value, 2 * K);
        for (uint32_t i = 0; i < N; i++) {
            assert_int_equal(s.c[i], i % 5 == 4 ? 2 : i % 5 < 2 ? 1 : 0);
            assert_int_equal(s.d[name[i]], i % 5 == 4 ? 0 : i % 5 < 2 ? 2 : 1);
        }
        solved_free(&s);
        kit_rows_free(&rows);
    }
    free(name);
    dd_context_free(ctx);
}

/* Random sparse: a hidden permutation makes it regular. */
static void test_random_large(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(10000, 100000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 123;
    uint32_t *perm = malloc(N * sizeof *perm);
    kit_shuffle(&rng, N, perm);
    for (uint32_t vmax = 1; vmax <= 9; vmax += 4) {
        kit_rows rows = kit_rows_new(N, N, 5 * (size_t)N);
        for (uint32_t i = 0; i < N; i++) {
            uint32_t col[5] = {perm[i]}, count = 1;
            while (count < 5) {
                uint32_t j = kit_below(&rng, N), k = 0;
                while (k < count && col[k] != j) {
                    k++;
                }
                if (k == count) {
                    col[count++] = j;
                }
            }
            for (uint32_t k = 0; k < 5; k++) {
                kit_put(&rows, col[k], (int32_t)kit_below(&rng, vmax + 1));
            }
            kit_end_row(&rows, N);
        }
        solved s = solve(ctx, &rows);
        assert_true(s.info.perfect);
        solved_free(&s);
        kit_rows_free(&rows);
    }
    free(perm);
    dd_context_free(ctx);
}

static void test_not_perfect(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    /* 3 x 3 of structural rank 2, and 2 x 3 */
    uint32_t ptr[] = {0, 2, 3, 4}, idx[] = {0, 1, 2, 2}, rm[3], cm[3], c[3], d[3];
    int32_t sigma[] = {1, 0, 2, 1};
    int64_t rd[3] = {0}, cd[3] = {0};
    dd_assign_info info;
    dd_pattern a = {.nrows = 3, .ncols = 3, .ptr = ptr, .idx = idx};
    assert_int_equal(dd_graph_assign(&info, ctx, &a, sigma, rm, cm, rd, cd), DD_OK);
    assert_false(info.perfect);
    assert_int_equal(info.size, 2);
    a.nrows = 2;
    assert_int_equal(dd_graph_assign(&info, ctx, &a, sigma, rm, cm, rd, cd), DD_OK);
    assert_false(info.perfect);
    assert_int_equal(info.size, 2);
    /* duals that prove nothing, and an order out of range */
    uint32_t one_ptr[] = {0, 1}, one_idx[] = {0}, zero = 0;
    int64_t wrong = 5, naught = 0;
    dd_pattern one = {.nrows = 1, .ncols = 1, .ptr = one_ptr, .idx = one_idx};
    assert_int_equal(dd_graph_offsets(ctx, &one, &(dd_transversal){sigma, &zero, &wrong, &naught}, NULL, 10, c, d),
                     DD_INVALID_ARGUMENT);
    sigma[0] = -1;
    assert_int_equal(dd_graph_assign(&info, ctx, &one, sigma, rm, cm, rd, cd), DD_INVALID_ARGUMENT);
    /* nothing at all */
    uint32_t none = 0;
    dd_pattern empty = {.ptr = &none, .idx = NULL};
    assert_int_equal(dd_graph_assign(&info, ctx, &empty, NULL, rm, cm, rd, cd), DD_OK);
    assert_true(info.perfect);
    assert_int_equal(dd_graph_offsets(ctx, &empty, &(dd_transversal){NULL, rm, rd, cd}, NULL, 0, c, d), DD_OK);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    kit_rows *rows = arg;
    dd_pattern a = kit_pattern(rows);
    uint32_t rm[6], cm[6], c[6], d[6];
    int64_t rd[6], cd[6];
    dd_assign_info info;
    dd_status st = dd_graph_assign(&info, ctx, &a, rows->value, rm, cm, rd, cd);
    if (st == DD_OK) {
        st = dd_graph_offsets(ctx, &a, &(dd_transversal){rows->value, rm, rd, cd}, NULL, 100, c, d);
    }
    return st;
}

static void test_memory(void **state)
{
    (void)state;
    kit_rows rows = kit_rows_new(6, 6, 12);
    differentiator(&rows, 6, 0, 6);
    kit_memory_sweep(sweep_call, &rows);
    kit_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_small),
        cmocka_unit_test(test_differentiators),
        cmocka_unit_test(test_chains_of_all_lengths),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_pendulums),
        cmocka_unit_test(test_random_large),
        cmocka_unit_test(test_not_perfect),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
