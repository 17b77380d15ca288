/* Pools, blocks, vectors, maps, and the failure of each of their allocations. */
#include "unit/base/support.h"

#include <string.h>

#include "base/hash.h"

static void run(void (*body)(void *), void *arg)
{
    dd_pool *pool = arg;
    assert_int_equal(dd_protect(dd_pool_context(pool), body, arg), DD_OK);
}

static void alloc_body(void *arg)
{
    dd_pool *pool = arg;
    unsigned char *pieces[2000];
    for (size_t i = 0; i < 2000; i++) {
        const size_t size = i % 700 == 0 ? 100000 : i % 97;
        pieces[i] = dd_pool_alloc(pool, size);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        for (size_t j = 0; j < size; j++) {
            assert_int_equal(pieces[i][j], 0);
        }
        memset(pieces[i], (int)(i & 0xff), size);
    }
    for (size_t i = 0; i < 2000; i++) {
        const size_t size = i % 700 == 0 ? 100000 : i % 97;
        for (size_t j = 0; j < size; j++) {
            assert_int_equal(pieces[i][j], i & 0xff);
        }
    }
}

static void test_alloc_is_zeroed_aligned_disjoint(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const size_t before = dd_context_memory(ctx);
    dd_pool *pool = dd_pool_new(ctx);
    run(alloc_body, pool);
    assert_true(dd_context_memory(ctx) > 3 * 100000);
    dd_pool_free(pool);
    assert_int_equal(dd_context_memory(ctx), before);
    assert_true(dd_context_memory_peak(ctx) > 3 * 100000);
    dd_context_free(ctx);
}

static void strings_body(void *arg)
{
    dd_pool *pool = arg;
    assert_string_equal(dd_pool_strdup(pool, "abc"), "abc");
    assert_string_equal(dd_pool_strndup(pool, "abcdef", 2), "ab");
    assert_string_equal(dd_pool_strndup(pool, NULL, 0), "");
    assert_string_equal(dd_pool_printf(pool, "%d %s", 7, "x"), "7 x");
    char big[1001];
    memset(big, 'y', 1000);
    big[1000] = '\0';
    const char *text = dd_pool_printf(pool, "<%s>", big);
    assert_int_equal(strlen(text), 1002);
    assert_int_equal(text[1001], '>');
}

static void children_body(void *arg)
{
    dd_pool *pool = arg, *at = pool;
    for (int i = 0; i < 100000; i++) { /* so deep that freeing by recursion would overflow the stack */
        at = dd_pool_child(at);
        if (i % 1000 == 0) {
            dd_pool_alloc(at, 10);
            dd_block_resize(at, NULL, 10);
        }
    }
    dd_pool *a = dd_pool_child(pool), *b = dd_pool_child(pool), *c = dd_pool_child(pool);
    dd_pool_free(b);
    dd_pool_free(c);
    dd_pool_alloc(a, 5000);
}

static void test_strings_and_children(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    const size_t before = dd_context_memory(ctx);
    dd_pool *pool = dd_pool_new(ctx);
    run(strings_body, pool);
    run(children_body, pool);
    dd_pool_free(pool);
    dd_pool_free(NULL);
    assert_int_equal(dd_context_memory(ctx), before);
    dd_context_free(ctx);
}

static void blocks_body(void *arg)
{
    dd_pool *pool = arg;
    DD_VEC(uint32_t) v[5] = {{0}};
    for (uint32_t i = 0; i < 50000; i++) {
        dd_vec_push(pool, &v[i % 5], i);
    }
    for (uint32_t i = 0; i < 50000; i++) {
        assert_int_equal(v[i % 5].data[i / 5], i);
    }
    /* middle, first and last of the list of blocks */
    dd_vec_free(pool, &v[2]);
    dd_vec_free(pool, &v[4]);
    dd_vec_free(pool, &v[0]);
    dd_vec_reserve(pool, &v[1], 200000);
    assert_int_equal(v[1].data[9999], 49996);
    assert_true(v[1].cap >= 200000);
    dd_vec_free(pool, &v[0]); /* empty already */
}

static void limit_body(void *arg)
{
    uint32_t cap = 0;
    dd_vec_grow(arg, NULL, &cap, (UINT64_C(1) << 31) + 1, 1);
}

static void absurd_body(void *arg)
{
    dd_pool_alloc_array(arg, SIZE_MAX / 4, 8);
}

static void huge_body(void *arg)
{
    dd_pool_alloc(arg, SIZE_MAX - 8);
}

static void test_blocks_and_limits(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    const size_t before = dd_context_memory(ctx);
    run(blocks_body, pool);
    assert_int_equal(dd_protect(ctx, limit_body, pool), DD_LIMIT);
    assert_non_null(strstr(dd_context_message(ctx), "2^31"));
    assert_int_equal(dd_protect(ctx, absurd_body, pool), DD_OUT_OF_MEMORY);
    assert_int_equal(dd_protect(ctx, huge_body, pool), DD_OUT_OF_MEMORY);
    assert_null(dd_mem_new_array(ctx, SIZE_MAX / 2, 4));
    assert_null(dd_mem_new(ctx, SIZE_MAX / 2));
    assert_true(dd_context_memory(ctx) > before);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void test_raw_memory_is_counted(void **state)
{
    (void)state;
    counting count = {0};
    dd_context_options options = dd_context_options_default();
    options.alloc = counting_alloc;
    options.alloc_user = &count;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    const size_t before = dd_context_memory(ctx);
    char *a = dd_mem_new_array(ctx, 10, 10);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(a[i], 0);
    }
    a = dd_mem_resize(ctx, a, 100, 1000);
    void *empty = dd_mem_new(ctx, 0);
    assert_non_null(empty);
    assert_int_equal(dd_context_memory(ctx), count.bytes);
    dd_mem_free(ctx, a, 1000);
    dd_mem_free(ctx, empty, 0);
    dd_mem_free(ctx, NULL, 0);
    assert_int_equal(dd_context_memory(ctx), before);
    dd_context_free(ctx);
    assert_int_equal(count.bytes, 0);
}

static void map_body(void *arg)
{
    dd_pool *pool = arg;
    dd_map map = dd_map_new(pool);
    assert_int_equal(dd_map_get(&map, 5), 0);
    for (uint32_t i = 0; i < 10000; i++) {
        dd_map_put(&map, (uint64_t)i << 32, i + 1);
    }
    dd_map_put(&map, 0, 77);
    assert_int_equal(map.count, 10000);
    assert_int_equal(dd_map_get(&map, 0), 77);
    for (uint32_t i = 1; i < 10000; i++) {
        assert_int_equal(dd_map_get(&map, (uint64_t)i << 32), i + 1);
        assert_int_equal(dd_map_get(&map, i), 0);
    }
    dd_map_clear(&map);
    assert_int_equal(map.count, 0);
    assert_int_equal(dd_map_get(&map, (uint64_t)1 << 32), 0);
    dd_map_free(&map);
    dd_map_put(&map, 3, 4);
    assert_int_equal(dd_map_get(&map, 3), 4);
}

static void test_map(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx);
    run(map_body, pool);
    dd_pool_free(pool);
    dd_context_free(ctx);
}

static void everything(void *arg)
{
    dd_pool *pool = arg;
    for (int i = 0; i < 20; i++) {
        dd_pool_alloc(pool, i % 4 == 0 ? 100000 : 3000);
        dd_pool_printf(pool, "%0300d", i);
    }
    dd_pool *child = dd_pool_child(pool);
    DD_VEC(int) v = {0};
    for (int i = 0; i < 100; i++) {
        dd_vec_push(child, &v, i);
    }
    dd_map map = dd_map_new(child);
    for (uint32_t i = 1; i < 200; i++) {
        dd_map_put(&map, i, i);
    }
    dd_pool_free(child);
}

static int released[4], n_released;

static void release_number(void *thing)
{
    released[n_released++] = *(const int *)thing;
}

/* Things go with their pool: the last one first, those of children before, each once. */
static void test_kept_things(void **state)
{
    (void)state;
    static int numbers[] = {1, 2, 3};
    dd_context *ctx = new_context();
    dd_pool *pool = dd_pool_new(ctx), *child = dd_pool_child(pool);
    n_released = 0;
    dd_pool_keep(pool, &numbers[0], release_number);
    dd_pool_keep(pool, &numbers[1], release_number);
    dd_pool_keep(child, &numbers[2], release_number);
    dd_pool_free(pool);
    assert_int_equal(n_released, 3);
    assert_int_equal(released[0], 3);
    assert_int_equal(released[1], 2);
    assert_int_equal(released[2], 1);
    dd_context_free(ctx);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(sweep_failures(everything) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc_is_zeroed_aligned_disjoint),
        cmocka_unit_test(test_strings_and_children),
        cmocka_unit_test(test_blocks_and_limits),
        cmocka_unit_test(test_raw_memory_is_counted),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_kept_things),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
