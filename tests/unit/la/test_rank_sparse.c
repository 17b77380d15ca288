/* Sparse rank, dependent rows in priority and null vectors against the SVD; large chains with candidate rows. */
#include "lakit.h"

#include "la/rank_sparse.h"
#include "sizes.h"

enum { NMAX = 40 };

/* Random sparse rows, some of which are combinations of others; integers, so that dependence is exact. */
static dd_csc random_deficient(dd_context *ctx, uint64_t *rng, uint32_t m, uint32_t n)
{
    kit_triplets t = kit_triplets_new(m * n);
    double row[NMAX][NMAX] = {{0}};
    for (uint32_t i = 0; i < m; i++) {
        if (i >= 2 && kit_below(rng, 3) == 0) {
            uint32_t p = kit_below(rng, i), q = kit_below(rng, i);
            double f = (double)kit_below(rng, 5) - 2, g = (double)kit_below(rng, 5) - 2;
            for (uint32_t j = 0; j < n; j++) {
                row[i][j] = f * row[p][j] + g * row[q][j];
            }
        } else {
            uint32_t count = 1 + kit_below(rng, 3);
            for (uint32_t k = 0; k < count; k++) {
                row[i][kit_below(rng, n)] = (double)kit_below(rng, 9) - 4;
            }
        }
        for (uint32_t j = 0; j < n; j++) {
            if (row[i][j] != 0) {
                kit_entry(&t, i, j, row[i][j]);
            }
        }
    }
    return kit_matrix(ctx, m, n, &t);
}

/* Rank of the chosen rows by SVD. */
static uint32_t dense_rank(dd_context *ctx, const dd_csc *a, const uint32_t *rows, uint32_t count)
{
    double *full = kit_dense(a), *d = malloc(((size_t)count * a->ncols + 1) * sizeof *d);
    for (uint32_t j = 0; j < a->ncols; j++) {
        for (uint32_t k = 0; k < count; k++) {
            d[k + (size_t)j * count] = full[rows[k] + (size_t)j * a->nrows];
        }
    }
    dd_rank_info info;
    assert_int_equal(dd_rank_dense(&info, ctx, &(dd_dense){count, a->ncols, d, count}, 1e-10, NULL, NULL, NULL), DD_OK);
    free(full);
    free(d);
    return info.rank;
}

/* y^T A = 0 (transposed) or A x = 0, relative to the sizes. */
static void check_null(const dd_csc *a, const dd_csc *vectors, bool left)
{
    uint32_t n = left ? a->nrows : a->ncols, other = left ? a->ncols : a->nrows;
    double *x = calloc(n + 1, sizeof *x), *y = calloc(other + 1, sizeof *y), *size = calloc(other + 1, sizeof *size);
    dd_csc absolute = *a;
    absolute.val = malloc((a->ptr[a->ncols] + 1) * sizeof *absolute.val);
    for (uint32_t e = 0; e < a->ptr[a->ncols]; e++) {
        absolute.val[e] = fabs(a->val[e]);
    }
    for (uint32_t q = 0; q < vectors->ncols; q++) {
        memset(x, 0, n * sizeof *x);
        memset(y, 0, other * sizeof *y);
        memset(size, 0, other * sizeof *size);
        for (uint32_t e = vectors->ptr[q]; e < vectors->ptr[q + 1]; e++) {
            x[vectors->idx[e]] = vectors->val[e];
        }
        (left ? dd_csc_multiply_t : dd_csc_multiply)(a, 1, x, y);
        for (uint32_t i = 0; i < n; i++) {
            x[i] = fabs(x[i]);
        }
        (left ? dd_csc_multiply_t : dd_csc_multiply)(&absolute, 1, x, size);
        double floor = kit_norm(x, n) * 0.1;
        for (uint32_t i = 0; i < other; i++) {
            assert_true(fabs(y[i]) <= 1e-11 * (size[i] + floor));
        }
    }
    free(absolute.val);
    free(x);
    free(y);
    free(size);
}

static void check_random(dd_context *ctx, uint64_t *rng, const dd_csc *a)
{
    uint32_t m = a->nrows, n = a->ncols, order[NMAX], kept[NMAX], count = 0;
    uint8_t dependent[NMAX], col_free[NMAX];
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = options.max_right = NMAX;
    dd_rowspace_info info;
    dd_csc left, right;
    kit_shuffle(rng, m, order);
    options.row_priority = order;
    assert_int_equal(dd_rank_sparse(&info, ctx, a, &options, dependent, col_free, &left, &right), DD_OK);
    /* greedy in priority, by SVD */
    for (uint32_t k = 0; k < m; k++) {
        kept[count] = order[k];
        bool independent = dense_rank(ctx, a, kept, count + 1) == count + 1;
        assert_int_equal(dependent[order[k]], !independent);
        count += independent;
    }
    assert_int_equal(info.rank, count);
    assert_true(info.clear);
    uint32_t free_count = 0;
    for (uint32_t j = 0; j < n; j++) {
        free_count += col_free[j];
    }
    assert_int_equal(free_count, n - count);
    assert_int_equal(left.ncols, m - count);
    assert_int_equal(right.ncols, n - count);
    check_null(a, &left, true);
    check_null(a, &right, false);
    /* the pivot columns are independent: the transpose with them first has no dependence among them */
    dd_csc t;
    assert_int_equal(dd_csc_transpose(&t, ctx, a), DD_OK);
    uint32_t cols[NMAX], c = 0;
    for (uint32_t j = 0; j < n; j++) {
        if (!col_free[j]) {
            cols[c++] = j;
        }
    }
    assert_int_equal(dense_rank(ctx, &t, cols, c), c);
    dd_csc_free(ctx, &t);
    dd_csc_free(ctx, &left);
    dd_csc_free(ctx, &right);
}

static void test_random(void **state)
{
    (void)state;
    uint64_t rng = 20250101;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < TEST_SIZE(40, 120); round++) {
        uint32_t m = 1 + kit_below(&rng, NMAX), n = 1 + kit_below(&rng, NMAX);
        dd_csc a = random_deficient(ctx, &rng, m, n);
        check_random(ctx, &rng, &a);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* Bad units: rows and columns scaled by 10^+-12 do not change any decision. */
static void test_units(void **state)
{
    (void)state;
    uint64_t rng = 5150;
    dd_context *ctx = kit_context();
    for (uint32_t round = 0; round < 80; round++) {
        uint32_t m = 1 + kit_below(&rng, NMAX), n = 1 + kit_below(&rng, NMAX);
        dd_csc a = random_deficient(ctx, &rng, m, n);
        uint8_t before[NMAX], after[NMAX];
        dd_rowspace_info info;
        assert_int_equal(dd_rank_sparse(&info, ctx, &a, NULL, before, NULL, NULL, NULL), DD_OK);
        double row_scale[NMAX], col_scale[NMAX];
        for (uint32_t i = 0; i < NMAX; i++) {
            row_scale[i] = pow(10, 12 * kit_real(&rng));
            col_scale[i] = pow(10, 12 * kit_real(&rng));
        }
        dd_csc_scale(&a, row_scale, col_scale);
        assert_int_equal(dd_rank_sparse(&info, ctx, &a, NULL, after, NULL, NULL, NULL), DD_OK);
        assert_memory_equal(before, after, m);
        assert_true(info.clear);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* Dense low-rank products, real numbers. */
static void test_low_rank(void **state)
{
    (void)state;
    uint64_t rng = 808;
    dd_context *ctx = kit_context();
    const uint32_t sizes[][3] = {{40, 60, 17}, {150, 120, 80}, {300, 300, 299}, {90, 400, 1}};
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t m = sizes[s][0], n = sizes[s][1], r = sizes[s][2];
        double *u = malloc(m * r * sizeof *u), *v = malloc(n * r * sizeof *v);
        for (uint32_t k = 0; k < m * r; k++) {
            u[k] = kit_real(&rng);
        }
        for (uint32_t k = 0; k < n * r; k++) {
            v[k] = kit_real(&rng);
        }
        kit_triplets t = kit_triplets_new(m * n);
        for (uint32_t i = 0; i < m; i++) {
            for (uint32_t j = 0; j < n; j++) {
                double sum = 0;
                for (uint32_t k = 0; k < r; k++) {
                    sum += u[i * r + k] * v[j * r + k];
                }
                kit_entry(&t, i, j, sum);
            }
        }
        dd_csc a = kit_matrix(ctx, m, n, &t), left, right;
        uint8_t *dependent = malloc(m);
        dd_rowspace_info info;
        dd_rank_sparse_options options = dd_rank_sparse_options_default();
        options.max_left = options.max_right = 3;
        assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, &right), DD_OK);
        print_message("  %u x %u of rank %u: kept %.1e, dropped %.1e\n", m, n, r, info.kept, info.dropped);
        assert_int_equal(info.rank, r);
        for (uint32_t i = 0; i < m; i++) {
            assert_int_equal(dependent[i], i >= r);
        }
        check_null(&a, &left, true);
        check_null(&a, &right, false);
        dd_csc_free(ctx, &left);
        dd_csc_free(ctx, &right);
        dd_csc_free(ctx, &a);
        free(dependent);
        free(u);
        free(v);
    }
    dd_context_free(ctx);
}

/* A row of rounding noise is a row only as long as nobody says how large its terms were. */
static void test_magnitude(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    kit_triplets t = kit_triplets_new(4);
    kit_entry(&t, 0, 0, 1.0);
    kit_entry(&t, 0, 1, 2.0);
    kit_entry(&t, 1, 0, 3e-14);
    kit_entry(&t, 1, 1, 1e-14);
    dd_csc a = kit_matrix(ctx, 2, 2, &t);
    double magnitude[2] = {1, 1};
    uint8_t dependent[2];
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 2);
    options.row_magnitude = magnitude;
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, NULL, NULL), DD_OK);
    assert_int_equal(info.rank, 1);
    assert_int_equal(dependent[1], 1);
    /* a matrix with a value that is no number */
    a.val[0] = NAN;
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, NULL, dependent, NULL, NULL, NULL), DD_INVALID_ARGUMENT);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

/* Constraint gradients of a chain followed by every variable as a candidate initial condition. */
typedef struct chain_case {
    const char *name;
    uint32_t variables, constraints;
    dd_csc a;
} chain_case;

static chain_case candidates(dd_context *ctx, const char *name, uint32_t n, uint32_t m, kit_triplets *t)
{
    for (uint32_t j = 0; j < n; j++) {
        kit_entry(t, m + j, j, 1.0);
    }
    return (chain_case){name, n, m, kit_matrix(ctx, m + n, n, t)};
}

static void check_chain(dd_context *ctx, chain_case *c, uint32_t want_first)
{
    uint32_t m = c->constraints, n = c->variables;
    uint8_t *dependent = malloc(m + n);
    dd_rowspace_info info;
    double start = kit_seconds();
    assert_int_equal(dd_rank_sparse(&info, ctx, &c->a, NULL, dependent, NULL, NULL, NULL), DD_OK);
    double seconds = kit_seconds() - start;
    print_message("  %s, %u + %u rows: %.3f s, %.1f updates and %.1f stored per row, kept %.1e dropped %.1e\n", c->name,
                  m, n, seconds, (double)info.work / (m + n), (double)info.stored / (m + n), info.kept, info.dropped);
    kit_cost("rank sparse", start);
    assert_int_equal(info.rank, n);
    uint32_t independent = 0;
    for (uint32_t i = 0; i < m; i++) {
        independent += !dependent[i];
    }
    assert_int_equal(independent, want_first);
    free(dependent);
    dd_csc_free(ctx, &c->a);
}

static void test_chains(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 17;
    enum { N = TEST_SIZE(10000, 100000) };
    /* x_i - f x_{i+1} = 0: one candidate fixes everything; f = 1, and f = 2 whose powers leave the range of double */
    for (int f = 1; f <= 2; f++) {
        kit_triplets t = kit_triplets_new(3 * N);
        for (uint32_t i = 0; i + 1 < N; i++) {
            kit_entry(&t, i, i, 1);
            kit_entry(&t, i, i + 1, -f);
        }
        chain_case c = candidates(ctx, f == 1 ? "equal neighbours" : "doubling neighbours", N, N - 1, &t);
        check_chain(ctx, &c, N - 1);
    }
    /* rods between neighbouring points in the plane, at positions and speeds: 2 rows each, random order of the
     * points */
    {
        enum { K = TEST_SIZE(2500, 25000) };
        kit_triplets t = kit_triplets_new(40 * K);
        uint32_t *name = malloc(4 * K * sizeof *name);
        kit_shuffle(&rng, 4 * K, name);
        for (uint32_t k = 0; k < K; k++) {
            for (uint32_t q = 0; q < 4; q++) {
                double here = 1 + kit_real(&rng) / 2, there = kit_real(&rng);
                kit_entry(&t, 2 * k + q / 2, name[4 * k + q], here);
                if (q < 2) { /* the speed row sees the positions, too */
                    kit_entry(&t, 2 * k + 1, name[4 * k + q], there);
                }
                if (k > 0) {
                    kit_entry(&t, 2 * k + q / 2, name[4 * k - 4 + q], -here);
                }
            }
        }
        free(name);
        chain_case c = candidates(ctx, "rods", 4 * K, 2 * K, &t);
        check_chain(ctx, &c, 2 * K);
    }
    dd_context_free(ctx);
}

/* x_{i+1} = M x_i with a stable M of fast and slow modes: the candidates at the start are the natural initial
 * conditions, although the end hardly remembers them. The elimination must not run towards the end blindly. */
static void test_forgetful_chain(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 2718;
    enum { K = TEST_SIZE(2000, 10000), D = 3, M = D * (K - 1) };
    const double mode[D] = {0.7, -0.3, 0.05};
    for (uint32_t reverse = 0; reverse < 2; reverse++) {
        double v[D][D], w[D][D] = {{0}}; /* M = H diag(mode) H with a reflection H */
        double h[D], norm = 0;
        for (uint32_t i = 0; i < D; i++) {
            h[i] = kit_real(&rng);
            norm += h[i] * h[i];
        }
        for (uint32_t i = 0; i < D; i++) {
            for (uint32_t j = 0; j < D; j++) {
                v[i][j] = (i == j) - 2 * h[i] * h[j] / norm;
            }
        }
        for (uint32_t i = 0; i < D; i++) {
            for (uint32_t j = 0; j < D; j++) {
                for (uint32_t k = 0; k < D; k++) {
                    w[i][j] += v[i][k] * mode[k] * v[j][k];
                }
            }
        }
        kit_triplets t = kit_triplets_new((D + 2) * D * K);
        for (uint32_t i = 0; i + 1 < K; i++) {
            uint32_t here = D * (reverse ? K - 1 - i : i), next = D * (reverse ? K - 2 - i : i + 1);
            for (uint32_t a = 0; a < D; a++) {
                kit_entry(&t, D * i + a, next + a, 1);
                for (uint32_t b = 0; b < D; b++) {
                    kit_entry(&t, D * i + a, here + b, -w[a][b]);
                }
            }
        }
        for (uint32_t j = 0; j < D * K; j++) { /* candidates from the start of the chain on */
            uint32_t start = D * (reverse ? K - 1 - j / D : j / D);
            kit_entry(&t, M + j, start + j % D, 1.0);
        }
        dd_csc a = kit_matrix(ctx, M + D * K, D * K, &t);
        uint8_t *dependent = malloc(M + D * K);
        dd_rowspace_info info;
        assert_int_equal(dd_rank_sparse(&info, ctx, &a, NULL, dependent, NULL, NULL, NULL), DD_OK);
        print_message("  forgetful chain: %.1f updates per row, kept %.1e, dropped %.1e\n",
                      (double)info.work / (M + D * K), info.kept, info.dropped);
        assert_int_equal(info.rank, D * K);
        for (uint32_t i = 0; i < M + D * K; i++) {
            assert_int_equal(dependent[i], i >= M + D);
        }
        free(dependent);
        dd_csc_free(ctx, &a);
    }
    dd_context_free(ctx);
}

/* One sum over all variables, a difference chain, and redundant differences: long rows, first or last in priority. */
static void test_long_rows(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    enum { N = TEST_SIZE(10000, 100000) };
    for (int first = 0; first < 2; first++) {
        kit_triplets t = kit_triplets_new(6 * N);
        uint32_t sum = first ? 0 : N - 1;
        for (uint32_t j = 0; j < N; j++) {
            kit_entry(&t, sum, j, 1 + (j % 7));
            kit_entry(&t, N, j, 2 * (1 + (double)(j % 7))); /* the same sum again */
        }
        for (uint32_t i = 0; i + 1 < N; i++) {
            kit_entry(&t, i + (first ? 1 : 0), i, 1);
            kit_entry(&t, i + (first ? 1 : 0), i + 1, 1);
        }
        chain_case c = candidates(ctx, first ? "sum first" : "sum last", N, N + 1, &t);
        check_chain(ctx, &c, N);
    }
    /* three weighted sums over a band and one column in all rows */
    {
        enum { K = 3, B = TEST_SIZE(2000, 8000) };
        uint64_t rng = 44;
        kit_triplets t = kit_triplets_new((K + 5) * B);
        for (uint32_t k = 0; k < K; k++) {
            for (uint32_t j = 0; j < B; j++) {
                kit_entry(&t, k, j, cos(3.0 * k * j / B));
            }
        }
        for (uint32_t i = 0; i + 8 < B; i++) {
            kit_entry(&t, K + i, i, 1);
            kit_entry(&t, K + i, i + 1, 0.3 + 0.2 * kit_real(&rng));
            kit_entry(&t, K + i, i + 7, kit_real(&rng));
            kit_entry(&t, K + i, B - 1, kit_real(&rng));
        }
        chain_case c = candidates(ctx, "three sums over a band", B, K + B - 8, &t);
        check_chain(ctx, &c, K + B - 8);
    }
    /* the long row alone, and its null vectors */
    kit_triplets t = kit_triplets_new(3000);
    for (uint32_t j = 0; j < 1000; j++) {
        kit_entry(&t, 0, j, 1 + (j % 5));
        kit_entry(&t, 2, j, 3 * (1 + (double)(j % 5)) + (j == 7));
    }
    kit_entry(&t, 1, 7, 1);
    dd_csc a = kit_matrix(ctx, 3, 1000, &t), left, right;
    uint8_t dependent[3], col_free[1000];
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = 5;
    options.max_right = 1000;
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, col_free, &left, &right), DD_OK);
    assert_int_equal(info.rank, 2);
    assert_int_equal(dependent[2], 1);
    assert_int_equal(left.ncols, 1);
    assert_int_equal(left.ptr[1], 3);
    assert_true(fabs(left.val[0] + 3) < 1e-10 && fabs(left.val[1] + 1) < 1e-10 && left.val[2] == 1);
    assert_int_equal(right.ncols, 998);
    check_null(&a, &right, false);
    dd_csc_free(ctx, &left);
    dd_csc_free(ctx, &right);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

/* x_i = x_j along a chain, and as many random pairs again: all of those are redundant. */
static void test_redundant(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(10000, 100000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 7;
    kit_triplets t = kit_triplets_new(4 * N);
    for (uint32_t i = 0; i + 1 < N; i++) {
        uint32_t j = kit_below(&rng, N - 1);
        kit_entry(&t, i, i, 1);
        kit_entry(&t, i, i + 1, -1);
        kit_entry(&t, N - 1 + i, i, 1);
        kit_entry(&t, N - 1 + i, j < i ? j : j + 1, -1);
    }
    dd_csc a = kit_matrix(ctx, 2 * N - 2, N, &t), left;
    uint8_t *dependent = malloc(2 * N);
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = 20;
    double start = kit_seconds();
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, NULL), DD_OK);
    kit_cost("rank sparse", start);
    assert_int_equal(info.rank, N - 1);
    for (uint32_t i = 0; i < a.nrows; i++) {
        assert_int_equal(dependent[i], i >= N - 1);
    }
    assert_int_equal(left.ncols, 20);
    check_null(&a, &left, true);
    free(dependent);
    dd_csc_free(ctx, &left);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

/* Square and regular: many blocks, shuffled; then one entry changed so that a single block of two is singular. */
static void test_blocks(void **state)
{
    (void)state;
    enum { N = TEST_SIZE(10000, 100000) };
    dd_context *ctx = kit_context();
    uint64_t rng = 19;
    uint32_t *rows = malloc(N * sizeof *rows), *cols = malloc(N * sizeof *cols);
    kit_shuffle(&rng, N, rows);
    kit_shuffle(&rng, N, cols);
    for (uint32_t singular = 0; singular < 2; singular++) {
        kit_triplets t = kit_triplets_new(6 * N);
        for (uint32_t k = 0; k < N; k++) { /* blocks of 1, 2, 3, ... columns coupled in a ring, and earlier columns */
            uint32_t size = 1 + k % 4 / 2, next = size == 2 ? (k ^ 1) : k;
            kit_entry(&t, rows[k], cols[k], k == 6 ? 1 : 3);
            if (next != k) {
                kit_entry(&t, rows[k], cols[next], singular && k == 6 ? 3 : 1);
            }
            if (k > 10) {
                kit_entry(&t, rows[k], cols[kit_below(&rng, k - k % 4)], kit_real(&rng));
            }
        }
        dd_csc a = kit_matrix(ctx, N, N, &t), left, right;
        uint8_t *dependent = malloc(N);
        dd_rowspace_info info;
        dd_rank_sparse_options options = dd_rank_sparse_options_default();
        options.max_left = options.max_right = 1;
        double start = kit_seconds();
        assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, &left, &right), DD_OK);
        print_message("  %s blocks: %.3f s\n", singular ? "singular" : "regular", kit_seconds() - start);
        kit_cost("rank sparse", start);
        assert_int_equal(info.rank, N - singular);
        assert_int_equal(left.ncols, singular);
        assert_int_equal(right.ncols, singular);
        check_null(&a, &left, true);
        check_null(&a, &right, false);
        free(dependent);
        dd_csc_free(ctx, &left);
        dd_csc_free(ctx, &right);
        dd_csc_free(ctx, &a);
    }
    free(rows);
    free(cols);
    dd_context_free(ctx);
}

/* Grid: rows couple a point with its right and lower neighbours; planar, so fronts grow with the side. */
static void test_grid(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 71;
    enum { S = 60, N = S * S };
    kit_triplets t = kit_triplets_new(4 * N);
    for (uint32_t i = 0; i < N; i++) {
        kit_entry(&t, i, i, 2 + kit_real(&rng));
        if (i % S + 1 < S) {
            kit_entry(&t, i, i + 1, kit_real(&rng));
        }
        if (i / S + 1 < S) {
            kit_entry(&t, i, i + S, kit_real(&rng));
        }
    }
    chain_case c = candidates(ctx, "grid", N, N, &t);
    check_chain(ctx, &c, N);
    dd_context_free(ctx);
}

/* Adding, testing and expressing one row after another. */
static void test_incremental(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    dd_rowspace_options options = dd_rowspace_options_default();
    options.track = true;
    dd_rowspace *rs;
    assert_int_equal(dd_rowspace_new(&rs, ctx, 4, NULL, &options), DD_OK);
    const uint32_t idx[] = {0, 1, 2, 3};
    const double r0[] = {1, 1}, r1[] = {1, -1}, r2[] = {5, 3}, r3[] = {5, 3, 1};
    bool independent;
    uint32_t of[4], pivot_row[4];
    double coef[4], x[4];
    assert_int_equal(dd_rowspace_add(rs, 2, idx, r0, 0, &independent), DD_OK);
    assert_true(independent);
    assert_int_equal(dd_rowspace_test(rs, 2, idx, r1, 0, &independent), DD_OK);
    assert_true(independent);
    assert_int_equal(dd_rowspace_add(rs, 2, idx, r1, 0, &independent), DD_OK);
    assert_true(independent);
    assert_int_equal(dd_rowspace_add(rs, 2, idx, r2, 0, &independent), DD_OK);
    assert_false(independent);
    dd_combination sum = {.of = of, .coef = coef};
    assert_int_equal(dd_rowspace_express(rs, 2, idx, r2, 0, &sum), DD_OK);
    assert_true(sum.in_space);
    assert_int_equal(sum.terms, 2);
    assert_true(of[0] == 0 && of[1] == 1 && coef[0] == 4 && coef[1] == 1);
    assert_int_equal(dd_rowspace_express(rs, 3, idx, r3, 0, &sum), DD_OK);
    assert_false(sum.in_space);
    assert_int_equal(dd_rowspace_add(rs, 3, idx, r3, 0, &independent), DD_OK);
    assert_true(independent);
    assert_int_equal(dd_rowspace_add(rs, 0, NULL, NULL, 0, &independent), DD_OK);
    assert_false(independent);
    dd_rowspace_pivots(rs, pivot_row);
    assert_int_equal(pivot_row[3], DD_NO_INDEX);
    assert_int_equal(dd_rowspace_null_vector(rs, 3, x), DD_OK);
    assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 1);
    assert_int_equal(dd_rowspace_null_vector(rs, 2, x), DD_INVALID_ARGUMENT);
    /* x0 + x1 = 3, x0 - x1 = 1 (rows 0 and 1), 5 x0 + 3 x1 + x2 = 14 (row 3) */
    const double rhs[5] = {3, 1, 0, 14, 0};
    assert_int_equal(dd_rowspace_solve(rs, rhs, x), DD_OK);
    assert_true(fabs(x[0] - 2) < 1e-14 && fabs(x[1] - 1) < 1e-14 && fabs(x[2] - 1) < 1e-14 && x[3] == 0);
    dd_rowspace_info info = dd_rowspace_get_info(rs);
    assert_true(info.rows == 5 && info.rank == 3 && info.clear);
    const uint32_t bad = 4;
    assert_int_equal(dd_rowspace_add(rs, 1, &bad, r0, 0, &independent), DD_INVALID_ARGUMENT);
    dd_rowspace_free(rs);
    dd_context_free(ctx);
}

/* The work limit is named when it is reached. */
static void test_limit(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 1;
    dd_csc a = kit_sparse(ctx, &rng, 60, 61, 60);
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.space.max_work = 1000;
    uint8_t dependent[60];
    dd_rowspace_info info;
    assert_int_equal(dd_rank_sparse(&info, ctx, &a, &options, dependent, NULL, NULL, NULL), DD_LIMIT);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

static dd_status sweep_call(dd_context *ctx, void *arg)
{
    dd_csc left = {0}, right = {0};
    uint8_t dependent[NMAX];
    dd_rowspace_info info;
    dd_rank_sparse_options options = dd_rank_sparse_options_default();
    options.max_left = options.max_right = 4;
    dd_status st = dd_rank_sparse(&info, ctx, arg, &options, dependent, NULL, &left, &right);
    dd_csc_free(ctx, &left);
    dd_csc_free(ctx, &right);
    return st;
}

/* The quick half: never clear where the rank is deficient, or nearly, whatever the units of rows and columns; clear where the
 * diagonal is large. */
static void test_clear(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    const dd_rank_sparse_options options = dd_rank_sparse_options_default();
    uint64_t rng = 7;
    uint32_t deficient = 0;
    for (uint32_t round = 0; round < TEST_SIZE(200, 2000); round++) {
        const uint32_t n = 2 + kit_below(&rng, NMAX - 2);
        dd_csc a = random_deficient(ctx, &rng, n, n);
        uint32_t all[NMAX];
        bool clear;
        double rcond;
        for (uint32_t i = 0; i < n; i++) {
            all[i] = i;
        }
        const bool regular = dense_rank(ctx, &a, all, n) == n;
        deficient += !regular;
        for (uint32_t j = 0; j < n; j++) {
            const double unit = pow(10, (double)kit_below(&rng, 13) - 6);
            for (uint32_t e = a.ptr[j]; e < a.ptr[j + 1]; e++) {
                a.val[e] *= unit;
            }
        }
        assert_int_equal(dd_rank_is_clear(&clear, &rcond, ctx, &a, &options, 1e-4), DD_OK);
        assert_true(regular || !clear);
        assert_true(!clear || (rcond >= 1e-4 && rcond <= 1.001));
        dd_csc_free(ctx, &a);
        /* a diagonal beside entries that are smaller; then its last entry vanishes */
        kit_triplets t = kit_triplets_new(3 * n);
        for (uint32_t i = 0; i < n; i++) {
            kit_entry(&t, i, i, 1);
            kit_entry(&t, i, (i + 1) % n, 0.3 * kit_real(&rng));
        }
        dd_csc b = kit_matrix(ctx, n, n, &t);
        assert_int_equal(dd_rank_is_clear(&clear, &rcond, ctx, &b, &options, 1e-4), DD_OK);
        assert_true(clear);
        for (uint32_t e = b.ptr[n - 1]; e < b.ptr[n]; e++) {
            b.val[e] = 0;
        }
        assert_int_equal(dd_rank_is_clear(&clear, &rcond, ctx, &b, &options, 1e-4), DD_OK);
        assert_false(clear);
        dd_csc_free(ctx, &b);
    }
    assert_true(deficient > 20);
    dd_context_free(ctx);
}

static void test_memory(void **state)
{
    (void)state;
    dd_context *ctx = kit_context();
    uint64_t rng = 12;
    dd_csc a = random_deficient(ctx, &rng, 30, 20);
    kit_memory_sweep(sweep_call, &a);
    dd_csc_free(ctx, &a);
    /* with a long row */
    kit_triplets t = kit_triplets_new(300);
    for (uint32_t j = 0; j < 100; j++) {
        kit_entry(&t, 0, j, 1);
        kit_entry(&t, 2, j, 1 + (j == 3));
    }
    kit_entry(&t, 1, 3, 1);
    a = kit_matrix(ctx, 3, 100, &t);
    kit_memory_sweep(sweep_call, &a);
    dd_csc_free(ctx, &a);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),          cmocka_unit_test(test_units),
        cmocka_unit_test(test_low_rank),        cmocka_unit_test(test_magnitude),
        cmocka_unit_test(test_incremental),     cmocka_unit_test(test_chains),
        cmocka_unit_test(test_long_rows),       cmocka_unit_test(test_grid),
        cmocka_unit_test(test_redundant),       cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_forgetful_chain), cmocka_unit_test(test_limit),
        cmocka_unit_test(test_clear),           cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
