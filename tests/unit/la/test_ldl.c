/* Sparse LDL^T against dense LAPACK: inertia, solutions, zero pivots; shapes, limits, memory. */
#include "ldlkit.h"

/* Eigenvalues of the scaled matrix above this have the right sign. */
static const double clear_eigenvalue = 1e-10;

/* Factors the case; inertia and residual are right. singular: eigenvalues that are zero but for rounding are zero; else
 * the matrix is passed over if it has such. Returns the information. */
static dd_ldl_info check_case(dd_context *ctx, uint64_t *rng, ldl_case *c, bool singular)
{
    const dd_ldl_pattern pattern = ldl_pattern(c);
    dd_ldl *f;
    dd_ldl_info info;
    double b[LDL_MOST], x[LDL_MOST];
    assert_int_equal(dd_ldl_new(&f, ctx, &pattern), DD_OK);
    const uint64_t allocations = dd_context_allocations(ctx);
    assert_int_equal(dd_ldl_factor(f, c->val, &info), DD_OK);
    assert_false(info.broken);
    const ldl_truth truth = ldl_inertia(c);
    const bool clear = truth.smallest > clear_eigenvalue && (singular || truth.zero == 0);
    if (clear) {
        assert_int_equal(info.zero, truth.zero);
        assert_int_equal(info.negative, truth.negative);
    }
    /* the right-hand side of a known solution is in the range, also of a singular matrix */
    for (uint32_t i = 0; i < c->n; i++) {
        x[i] = kit_real(rng);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        b[i] = 0;
        for (uint32_t j = 0; j < c->n; j++) {
            b[i] += c->a[i + j * c->n] * x[j];
        }
    }
    const double residual = ldl_solved(f, c, b, x);
    if (clear) {
        assert_true(residual < 1e-13);
        for (uint32_t k = 0; k < info.zero; k++) {
            assert_true(x[dd_ldl_zeros(f)[k]] == 0);
        }
    }
    if (info.delayed == 0) {
        assert_int_equal(dd_context_allocations(ctx), allocations);
    }
    dd_ldl_free(f);
    return info;
}

static void test_random(void **state)
{
    (void)state;
    enum { ROUNDS = 10000 };
    dd_context *ctx = kit_context();
    uint64_t rng = 4711;
    ldl_case c;
    uint64_t delayed = 0, pairs = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t n = kit_below(&rng, round % 100 == 0 ? LDL_MOST : 16);
        switch (round % 3) {
        case 0:
            ldl_random_symmetric(&c, &rng, n);
            break;
        case 1:
            ldl_random_kkt(&c, &rng, n, kit_below(&rng, n < LDL_MOST / 2 ? n + 1 : LDL_MOST - n));
            break;
        default:
            ldl_random_singular(&c, &rng, n);
        }
        if (round % 2 == 0) {
            ldl_random_pairs(&c, &rng);
        }
        const dd_ldl_info info = check_case(ctx, &rng, &c, round % 3 == 2);
        delayed += info.delayed;
        pairs += info.pairs;
    }
    print_message("  %llu delayed, %llu pairs\n", (unsigned long long)delayed, (unsigned long long)pairs);
    assert_true(delayed > 0 && pairs > 0);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
