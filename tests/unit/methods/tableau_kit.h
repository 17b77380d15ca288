/* tableau_kit.h - what the tests of methods share. */
#ifndef DD_TESTS_INTEG_TABLEAU_KIT_H
#define DD_TESTS_INTEG_TABLEAU_KIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/context.h"
#include "methods/tableau.h"

static inline dd_context *kit_context(void)
{
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, NULL), DD_OK);
    return ctx;
}

static inline dd_tableau *kit_tableau(dd_context *ctx, const char *name)
{
    dd_tableau *t;
    if (dd_tableau_new(&t, ctx, name) != DD_OK) {
        fail_msg("%s: %s", name, dd_context_message(ctx));
    }
    return t;
}

/* The number prints as this text, of so many digits as the text has. */
static inline void kit_same_digits(dd_quad value, const char *text)
{
    char buffer[DD_QUAD_TEXT];
    uint32_t digits = 0;
    for (const char *p = text; *p && *p != 'e'; p++) {
        digits += *p >= '0' && *p <= '9' && (digits > 0 || *p != '0');
    }
    assert_string_equal(dd_quad_text(value, digits > 0 ? digits : 30, buffer), text);
}

static inline void kit_near(dd_quad value, dd_quad truth, double tolerance)
{
    const double gap = (double)dd_quad_abs(value - truth);
    if (!(gap <= tolerance)) {
        char a[DD_QUAD_TEXT], b[DD_QUAD_TEXT];
        fail_msg("%s is not %s: %g apart", dd_quad_text(value, 34, a), dd_quad_text(truth, 34, b), gap);
    }
}

/* A context whose n-th allocation fails, with an allocator that counts. */
typedef struct kit_ledger {
    size_t bytes;
} kit_ledger;

static inline void *kit_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    kit_ledger *ledger = user;
    if (new_size == 0) {
        ledger->bytes -= old_size;
        free(ptr);
        return NULL;
    }
    void *result = realloc(ptr, new_size);
    ledger->bytes += result ? new_size - old_size : 0;
    return result;
}

/* Runs call with the n-th allocation failing, n = 1, 2, ... until it comes through: each failure must be a clean
 * DD_OUT_OF_MEMORY, and nothing may leak. Returns how many were made to fail. */
static inline uint64_t kit_memory_sweep(dd_status (*call)(dd_context *ctx))
{
    for (uint64_t n = 1;; n++) {
        kit_ledger ledger = {0};
        dd_context_options options = dd_context_options_default();
        options.alloc = kit_alloc;
        options.alloc_user = &ledger;
        options.fail_at = n;
        dd_context *ctx;
        dd_status st = dd_context_new(&ctx, &options);
        if (st == DD_OK) {
            st = call(ctx);
            dd_context_free(ctx);
        }
        assert_int_equal(ledger.bytes, 0);
        if (st == DD_OK) {
            return n - 1;
        }
        assert_int_equal(st, DD_OUT_OF_MEMORY);
    }
}

#endif
