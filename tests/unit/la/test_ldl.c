/* Sparse LDL^T against dense LAPACK: inertia, solutions, zero pivots; shapes, large matrices, limits, memory. */
#include "ldlkit.h"

static void test_random(void **state)
{
    (void)state;
    enum { ROUNDS = 10000 };
    dd_context *ctx = kit_context();
    uint64_t rng = 4711, delayed = 0, pairs = 0;
    static ldl_case c;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t n = kit_below(&rng, round % 100 == 0 ? LDL_MOST : 16);
        const dd_ldl_info info = ldl_check_random(ctx, &rng, &c, round, n);
        delayed += info.delayed;
        pairs += info.pairs;
    }
    assert_true(delayed > 0 && pairs > 0);
    dd_context_free(ctx);
}

/* Nothing, one, diagonals with zeros, arrows, a dense row, parts without connection. */
static void test_shapes(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 3;
    static ldl_case c;
    ldl_clear(&c, 0);
    assert_int_equal(ldl_check(ctx, &rng, &c, true).negative, 0);
    /* one unknown: positive, negative, zero, no entry */
    const double value[] = {3, -2e-300, 0};
    for (uint32_t k = 0; k < 4; k++) {
        ldl_clear(&c, 1);
        if (k < 3) {
            ldl_set(&c, 0, 0, value[k]);
        }
        const dd_ldl_info info = ldl_check(ctx, &rng, &c, true);
        assert_true(info.negative == (k == 1) && info.zero == (k >= 2));
    }
    for (uint32_t n = 2; n <= LDL_MOST; n += 31) {
        /* an arrow whose tip is the first unknown, with zeros on the diagonal but for every third */
        ldl_clear(&c, n);
        for (uint32_t i = 0; i < n; i++) {
            ldl_set(&c, i, 0, 1 + i);
            ldl_set(&c, i, i, i % 3 == 1 ? -2 : 0);
        }
        ldl_check(ctx, &rng, &c, true);
        /* the same at the end, regular */
        ldl_clear(&c, n);
        for (uint32_t i = 0; i < n; i++) {
            ldl_set(&c, n - 1, i, 1);
            ldl_set(&c, i, i, i % 2 == 0 ? 3 : -2.5);
        }
        ldl_check(ctx, &rng, &c, false);
        /* pairs [0 1; 1 0] that are not connected: one negative eigenvalue each */
        ldl_clear(&c, n);
        for (uint32_t i = 0; i + 1 < n; i += 2) {
            ldl_set(&c, i + 1, i, 1e-5 * (1 + i));
        }
        const dd_ldl_info info = ldl_check(ctx, &rng, &c, true);
        assert_true(info.negative == n / 2 && info.zero == n % 2);
    }
    dd_context_free(ctx);
}

/* Any units: scaling rows and columns by powers of two changes nothing but the last digits. */
static void test_units(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 17;
    static ldl_case c;
    for (uint32_t round = 0; round < 300; round++) {
        const uint32_t n = 2 + kit_below(&rng, 20);
        ldl_random_kkt(&c, &rng, n, n / 2);
        const dd_ldl_info before = ldl_check(ctx, &rng, &c, false);
        for (uint32_t k = 0; k < c.n; k++) {
            const double unit = ldexp(1, (int)kit_below(&rng, 81) - 40);
            for (uint32_t i = 0; i < c.n; i++) {
                c.a[i + k * c.n] *= unit;
                c.a[k + i * c.n] *= unit;
            }
        }
        if (ldl_inertia(&c).smallest > LDL_CLEAR && ldl_inertia(&c).zero == 0) {
            const dd_ldl_info after = ldl_check(ctx, &rng, &c, false);
            assert_true(before.negative == after.negative && after.zero == 0);
        }
    }
    dd_context_free(ctx);
}

/* ---- large matrices ---- */

/* The Laplacian of a square of w x w unknowns less a shift, which makes it indefinite. Its eigenvalues are
 * 4 - 2 cos(i pi / (w + 1)) - 2 cos(j pi / (w + 1)) - shift. */
typedef struct grid {
    uint32_t w, *ptr, *idx;
    double *val;
} grid;

static grid grid_new(uint32_t w, double shift)
{
    const size_t n = (size_t)w * w;
    grid g = {.w = w, .ptr = malloc((n + 1) * sizeof *g.ptr)};
    g.idx = malloc(3 * n * sizeof *g.idx);
    g.val = malloc(3 * n * sizeof *g.val);
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++) {
        g.ptr[k] = count;
        g.idx[count] = k;
        g.val[count++] = 4 - shift;
        if (k % w + 1 < w) {
            g.idx[count] = k + 1;
            g.val[count++] = -1;
        }
        if (k + w < n) {
            g.idx[count] = k + w;
            g.val[count++] = -1;
        }
    }
    g.ptr[n] = count;
    return g;
}

static void grid_free(grid *g)
{
    free(g->ptr);
    free(g->idx);
    free(g->val);
}

static uint32_t grid_negative(uint32_t w, double shift)
{
    const double pi = acos(-1);
    uint32_t count = 0;
    for (uint32_t i = 1; i <= w; i++) {
        for (uint32_t j = 1; j <= w; j++) {
            count += 4 - 2 * cos(i * pi / (w + 1)) - 2 * cos(j * pi / (w + 1)) < shift;
        }
    }
    return count;
}

/* The inertia is that of the eigenvalues in closed form; the fill is that of a good order. */
static void test_grid(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 8;
    for (uint32_t w = 5; w <= 80; w = 2 * w) {
        const double shift = 1.2345678;
        const uint32_t n = w * w;
        grid g = grid_new(w, shift);
        const dd_ldl_pattern pattern = {.n = n, .ptr = g.ptr, .idx = g.idx};
        dd_ldl *f;
        dd_ldl_info info;
        assert_int_equal(dd_ldl_new(&f, ctx, &pattern), DD_OK);
        const double start = kit_seconds();
        assert_int_equal(dd_ldl_factor(f, g.val, &info), DD_OK);
        kit_cost("grid", start);
        assert_true(info.negative == grid_negative(w, shift) && info.zero == 0);
        /* nested dissection would have 31/4 n log2(w) entries (George 1973); we store squares in full */
        assert_true((double)info.entries < 12.0 * n * log2(w) + 1000);
        double *x = malloc(n * sizeof *x), *b = malloc(n * sizeof *b), worst = 0;
        for (uint32_t k = 0; k < n; k++) {
            x[k] = b[k] = kit_real(&rng);
        }
        dd_ldl_solve(f, x);
        for (uint32_t k = 0; k < n; k++) {
            const double left = k % w > 0 ? x[k - 1] : 0, right = k % w + 1 < w ? x[k + 1] : 0;
            const double low = k >= w ? x[k - w] : 0, high = k + w < n ? x[k + w] : 0;
            worst = fmax(worst, fabs((4 - shift) * x[k] - left - right - low - high - b[k]));
        }
        assert_true(worst < 1e-12 * (1 + kit_norm(x, n)));
        free(x);
        free(b);
        dd_ldl_free(f);
        grid_free(&g);
    }
    dd_context_free(ctx);
}

/* A full matrix of several panels: D +- 1 in a rotated basis, so inertia and inverse are known. A = Q S Q with the reflection
 * Q = I - 2 v v^T, so A^-1 = Q S Q as well. */
static void test_full(void **state)
{
    (void)state;
    enum { N = 300 };
    dd_context *ctx = kit_context();
    uint64_t rng = 12;
    double *v = malloc(N * sizeof *v), *sign = malloc(N * sizeof *sign), *val = malloc(N * N * sizeof *val), norm = 0;
    uint32_t *ptr = malloc((N + 1) * sizeof *ptr), *idx = malloc(N * N * sizeof *idx), count = 0, negative = 0;
    for (uint32_t i = 0; i < N; i++) {
        v[i] = kit_real(&rng);
        norm += v[i] * v[i];
        sign[i] = kit_below(&rng, 2) ? 1 : -1;
        negative += sign[i] < 0;
    }
    double twist = 0;
    for (uint32_t i = 0; i < N; i++) {
        v[i] /= sqrt(norm);
        twist += v[i] * sign[i] * v[i];
    }
    /* A = S - 2 v (S v)^T - 2 (S v) v^T + 4 (v^T S v) v v^T */
    for (uint32_t j = 0; j < N; j++) {
        ptr[j] = count;
        for (uint32_t i = j; i < N; i++) {
            idx[count] = i;
            val[count++] = (i == j ? sign[i] : 0) - 2 * v[i] * v[j] * (sign[i] + sign[j]) + 4 * twist * v[i] * v[j];
        }
    }
    ptr[N] = count;
    dd_ldl *f;
    dd_ldl_info info;
    double b[N], x[N] = {0};
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = N, .ptr = ptr, .idx = idx}), DD_OK);
    assert_int_equal(dd_ldl_factor(f, val, &info), DD_OK);
    assert_true(info.negative == negative && info.zero == 0 && info.delayed == 0);
    for (uint32_t i = 0; i < N; i++) {
        b[i] = kit_real(&rng);
    }
    /* x = A b, since A is its own inverse */
    for (uint32_t j = 0; j < N; j++) {
        for (uint32_t e = ptr[j]; e < ptr[j + 1]; e++) {
            x[idx[e]] += val[e] * b[j];
            x[j] += idx[e] != j ? val[e] * b[idx[e]] : 0;
        }
    }
    dd_ldl_solve(f, b);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(fabs(x[i] - b[i]) < 1e-11);
    }
    dd_ldl_free(f);
    free(v);
    free(sign);
    free(val);
    free(ptr);
    free(idx);
    dd_context_free(ctx);
}

/* [ e I; I C ]: small blocks with tiny entries, each tied to its own part of a full block C by ones. No pivot of a small
 * block is good before those of C are there: all are delayed, the last front has twice the rows that were foreseen, and
 * the rooms have to grow. For e -> 0 half of the eigenvalues are negative. */
enum { BLOCK = 12, BLOCKS = 6, HALF = BLOCK * BLOCKS };
typedef struct delaying {
    uint32_t n, ptr[2 * HALF + 1], idx[HALF * (HALF + BLOCK + 1)];
    double val[HALF * (HALF + BLOCK + 1)];
} delaying;

static void make_delaying(delaying *d)
{
    uint64_t rng = 77;
    uint32_t count = 0;
    d->n = 2 * HALF;
    for (uint32_t k = 0; k < d->n; k++) {
        d->ptr[k] = count;
        const uint32_t end = k < HALF ? (k / BLOCK + 1) * BLOCK : d->n;
        for (uint32_t i = k; i < end; i++) {
            d->idx[count] = i;
            d->val[count++] = (k < HALF ? 1e-9 : 1) * kit_real(&rng);
        }
        if (k < HALF) {
            d->idx[count] = HALF + k;
            d->val[count++] = 1;
        }
    }
    d->ptr[d->n] = count;
}

static dd_status delaying_call(dd_context *ctx, void *arg)
{
    const delaying *d = arg;
    dd_ldl *f;
    dd_ldl_info info;
    dd_status st = dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = d->n, .ptr = d->ptr, .idx = d->idx});
    if (st == DD_OK) {
        st = dd_ldl_factor(f, d->val, &info);
        /* after a failure the object can be used again: the next allocation succeeds */
        const dd_status again = dd_ldl_factor(f, d->val, &info);
        assert_int_equal(again, DD_OK);
        assert_true(info.delayed > 0 && info.negative == d->n / 2 && info.zero == 0);
        dd_ldl_free(f);
    }
    return st;
}

static void test_delayed(void **state)
{
    (void)state;
    static delaying d;
    make_delaying(&d);
    kit_memory_sweep(delaying_call, &d);
    /* rooms did grow, once */
    dd_context *ctx = kit_context();
    dd_ldl *f;
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = d.n, .ptr = d.ptr, .idx = d.idx}), DD_OK);
    const uint64_t made = dd_context_allocations(ctx);
    assert_int_equal(dd_ldl_factor(f, d.val, NULL), DD_OK);
    const uint64_t grown = dd_context_allocations(ctx);
    assert_int_equal(dd_ldl_factor(f, d.val, NULL), DD_OK);
    assert_true(grown > made && dd_context_allocations(ctx) == grown);
    dd_ldl_free(f);
    dd_context_free(ctx);
}

/* ---- failures ---- */

static void test_refused(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_ldl *f;
    dd_ldl_info info;
    const uint32_t ptr[] = {0, 2, 3}, idx[] = {0, 1, 1}, above[] = {0, 1, 0}, outside[] = {0, 2, 1}, alone[] = {1, 1};
    double val[] = {1, 2, INFINITY}, b[] = {1, 2};
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = 2, .ptr = ptr, .idx = above}), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = 2, .ptr = ptr, .idx = outside}), DD_INVALID_ARGUMENT);
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = 2, .ptr = ptr, .idx = idx, .partner = alone}),
                     DD_INVALID_ARGUMENT);
    /* what is not finite is broken, also in the middle of large numbers; the next matrix is not */
    assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = 2, .ptr = ptr, .idx = idx}), DD_OK);
    assert_int_equal(dd_ldl_factor(f, val, &info), DD_OK);
    assert_true(info.broken);
    dd_ldl_solve(f, b);
    assert_true(isfinite(b[0]) && isfinite(b[1]));
    val[2] = NAN;
    assert_int_equal(dd_ldl_factor(f, val, &info), DD_OK);
    assert_true(info.broken);
    val[2] = 3;
    b[0] = 5;
    b[1] = 8;
    assert_int_equal(dd_ldl_factor(f, val, &info), DD_OK);
    assert_true(!info.broken && info.negative == 1);
    dd_ldl_solve(f, b);
    assert_true(fabs(b[0] - 1) < 1e-14 && fabs(b[1] - 2) < 1e-14);
    dd_ldl_free(f);
    dd_context_free(ctx);
}

/* An interrupt ends a factorisation; so does the time limit. The object can be used afterwards. */
static void test_limits(void **state)
{
    (void)state;
    grid g = grid_new(120, 1);
    dd_context_options options = dd_context_options_default();
    for (uint32_t k = 0; k < 2; k++) {
        dd_context *ctx = NULL;
        options.max_seconds = k == 0 ? 0 : 1e-9;
        assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
        dd_ldl *f;
        dd_ldl_info info;
        assert_int_equal(dd_ldl_new(&f, ctx, &(dd_ldl_pattern){.n = 120 * 120, .ptr = g.ptr, .idx = g.idx}), DD_OK);
        if (k == 0) {
            dd_context_interrupt(ctx);
        }
        assert_int_equal(dd_ldl_factor(f, g.val, &info), k == 0 ? DD_INTERRUPTED : DD_TIME_LIMIT);
        if (k == 0) {
            const dd_respite before = dd_respite_begin(ctx);
            assert_int_equal(dd_ldl_factor(f, g.val, &info), DD_OK);
            assert_int_equal(info.negative, grid_negative(120, 1));
            dd_respite_end(ctx, &before);
        }
        dd_ldl_free(f);
        dd_context_free(ctx);
    }
    grid_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),  cmocka_unit_test(test_shapes), cmocka_unit_test(test_units),
        cmocka_unit_test(test_grid),    cmocka_unit_test(test_full),   cmocka_unit_test(test_delayed),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
