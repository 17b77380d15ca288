/* Sparse LDL^T on 10^5 random matrices against dense LAPACK: inertia, residuals, zero pivots, no allocation. */
#include "../unit/la/ldlkit.h"

static void test_random(void **state)
{
    (void)state;
    enum { ROUNDS = 100000 };
    dd_context *ctx = kit_context();
    uint64_t rng = 20260101;
    static ldl_case c;
    uint64_t delayed = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        delayed += ldl_check_random(ctx, &rng, &c, round, kit_below(&rng, round % 10 == 0 ? LDL_MOST : 20)).delayed;
    }
    print_message("  %llu delayed\n", (unsigned long long)delayed);
    assert_true(delayed > 0);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
