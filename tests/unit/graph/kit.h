/* kit.h - what the tests of graph and la share: a fixed-seed generator, random patterns, the out-of-memory sweep. */
#ifndef DD_TEST_KIT_H
#define DD_TEST_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "graph/pattern.h"

static inline uint64_t kit_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545f4914f6cdd1du;
}

static inline uint32_t kit_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)((kit_random(state) >> 32) % n);
}

/* Uniform in (-1, 1). */
static inline double kit_real(uint64_t *state)
{
    return (double)(int64_t)kit_random(state) * 0x1p-63;
}

static inline void kit_shuffle(uint64_t *state, uint32_t n, uint32_t *perm)
{
    for (uint32_t i = 0; i < n; i++) {
        perm[i] = i;
    }
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = kit_below(state, i), t = perm[i - 1];
        perm[i - 1] = perm[k];
        perm[k] = t;
    }
}

static inline dd_context *kit_context(void)
{
    dd_context *ctx = NULL;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

/* A pattern under construction, by rows. */
typedef struct kit_rows {
    uint32_t nrows, ncols, *ptr, *idx;
    int32_t *value;
    size_t cap;
} kit_rows;

static inline kit_rows kit_rows_new(uint32_t nrows, uint32_t ncols, size_t cap)
{
    kit_rows a = {.ncols = ncols, .cap = cap};
    a.ptr = calloc((size_t)nrows + 1, sizeof *a.ptr);
    a.idx = malloc((cap + 1) * sizeof *a.idx);
    a.value = malloc((cap + 1) * sizeof *a.value);
    return a;
}

static inline void kit_put(kit_rows *a, uint32_t col, int32_t value)
{
    uint32_t at = a->ptr[a->nrows + 1];
    assert_true(at < a->cap);
    a->idx[at] = col;
    a->value[at] = value;
    a->ptr[a->nrows + 1] = at + 1;
}

/* Starts row: entries are put at ptr[nrows + 1]; ends row: the next one begins where it stopped. */
static inline void kit_end_row(kit_rows *a, uint32_t nrows_total)
{
    a->nrows++;
    if (a->nrows < nrows_total) {
        a->ptr[a->nrows + 1] = a->ptr[a->nrows];
    }
}

static inline dd_pattern kit_pattern(const kit_rows *a)
{
    return (dd_pattern){.nrows = a->nrows, .ncols = a->ncols, .ptr = a->ptr, .idx = a->idx};
}

static inline void kit_rows_free(kit_rows *a)
{
    free(a->ptr);
    free(a->idx);
    free(a->value);
}

/* Small random pattern, each entry with probability percent/100, values 0..vmax. */
static inline kit_rows kit_random_rows(uint64_t *rng, uint32_t m, uint32_t n, uint32_t percent, uint32_t vmax)
{
    kit_rows a = kit_rows_new(m, n, (size_t)m * n);
    for (uint32_t i = 0; i < m; i++) {
        for (uint32_t j = 0; j < n; j++) {
            if (kit_below(rng, 100) < percent) {
                kit_put(&a, j, (int32_t)kit_below(rng, vmax + 1));
            }
        }
        kit_end_row(&a, m);
    }
    return a;
}

/* Runs call(ctx, arg) with the n-th allocation failing, n = 1, 2, ... until it succeeds: every failure must be
 * DD_OUT_OF_MEMORY and leave the memory in use as it was. */
static inline void kit_memory_sweep(dd_status (*call)(dd_context *ctx, void *arg), void *arg)
{
    uint32_t failures = 0;
    for (uint64_t n = 1; n < 100000; n++) {
        dd_context_options options = dd_context_options_default();
        options.fail_at = n;
        dd_context *ctx = NULL;
        if (dd_context_new(&ctx, &options) != DD_OK) {
            continue;
        }
        size_t before = dd_context_memory(ctx);
        dd_status st = call(ctx, arg);
        assert_int_equal(dd_context_memory(ctx), before);
        dd_context_free(ctx);
        if (st == DD_OK) {
            assert_true(failures > 0);
            return;
        }
        assert_int_equal(st, DD_OUT_OF_MEMORY);
        failures++;
    }
    fail_msg("never succeeded");
}

/* Costs are measured by `make bench`, which sets DAEDAL_TIMED; a test alone asserts nothing about the clock. */
static inline double kit_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* Prints the seconds of processor time since `start`; fails in a timed run when they are above the limit. */
static inline void kit_cost(const char *what, double start)
{
    enum { LIMIT = 2 };
    double seconds = kit_seconds() - start;
    print_message("  %s: %.3f s\n", what, seconds);
    if (getenv("DAEDAL_TIMED") && seconds > LIMIT) {
        fail_msg("%s took %.3f s of processor time, more than %d", what, seconds, LIMIT);
    }
}

#endif
