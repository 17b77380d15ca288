/* support.h - a counting allocator and a protected call, for the tests of base. */
#ifndef DD_TESTS_BASE_SUPPORT_H
#define DD_TESTS_BASE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/context.h"
#include "base/pool.h"

typedef struct counting {
    size_t bytes, blocks;
} counting;

static inline void *counting_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    counting *c = user;
    if (new_size == 0) {
        c->bytes -= old_size;
        c->blocks -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    void *result = realloc(ptr, new_size);
    if (result) {
        c->bytes += new_size - old_size;
        c->blocks += ptr == NULL;
    }
    return result;
}

static inline dd_context *new_context(void)
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

/* Runs body with the n-th allocation failing, for n = 1, 2, ... until it comes through. Each failure must be a clean
 * DD_OUT_OF_MEMORY that leaves nothing behind. Returns the number of allocations that were made to fail. */
static inline uint64_t sweep_failures(void (*body)(void *pool))
{
    for (uint64_t n = 1;; n++) {
        counting count = {0};
        dd_context_options options = dd_context_options_default();
        options.alloc = counting_alloc;
        options.alloc_user = &count;
        options.fail_at = n;
        dd_context *ctx;
        dd_status status = dd_context_new(&ctx, &options);
        if (status == DD_OK) {
            const size_t before = dd_context_memory(ctx);
            dd_pool *pool = dd_pool_new(ctx);
            status = pool ? dd_protect(ctx, body, pool) : DD_OUT_OF_MEMORY;
            dd_pool_free(pool);
            assert_true(dd_context_memory(ctx) >= before); /* sources and diagnostics live in the context */
            assert_int_equal(dd_context_memory(ctx), count.bytes);
            if (status != DD_OK) {
                assert_int_equal(dd_context_allocations(ctx), n); /* nothing was tried after the failure */
            }
            dd_context_free(ctx);
        }
        assert_int_equal(count.bytes, 0);
        assert_int_equal(count.blocks, 0);
        if (status == DD_OK) {
            return n - 1;
        }
        assert_int_equal(status, DD_OUT_OF_MEMORY);
    }
}

#endif
