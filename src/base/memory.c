/* memory.c - every byte of the library comes through here: the hook, the limit, the counters, fail-at-N. */
#include <stdint.h>
#include <string.h>

#include "base/state.h"

/* No single request may pass 2^39 bytes (where size_t can say so): such sizes come from wrong arithmetic or from
 * absurd input, and some allocators stop the process instead of refusing them. */
static const size_t max_request = (size_t)PTRDIFF_MAX >> (sizeof(size_t) > 4 ? 24 : 0);

/* A request for 0 bytes is kept as one byte, since the hook reads a new size of 0 as "free". */
static size_t real_size(size_t size)
{
    return size ? size : 1;
}

static bool is_refused(dd_context *ctx, size_t old_size, size_t new_size)
{
    /* every request counts, refused or not, so that fail-at-N is reproducible */
    ctx->allocations++;
    if (ctx->allocations == ctx->fail_at || new_size > max_request) {
        return true;
    }
    if (ctx->max_memory == 0) {
        return false;
    }
    /* a resize releases its old bytes */
    const size_t rest = ctx->memory - old_size;
    return rest > ctx->max_memory || new_size > ctx->max_memory - rest;
}

void *dd_mem_resize(dd_context *ctx, void *ptr, size_t old_size, size_t new_size)
{
    const size_t old_real = ptr ? real_size(old_size) : 0;
    const size_t new_real = real_size(new_size);
    /* the hook sees both sizes: it may keep its own books */
    void *result = is_refused(ctx, old_real, new_real) ? NULL : ctx->alloc(ctx->alloc_user, ptr, old_real, new_real);
    if (!result) {
        ctx->memory_wanted = ctx->memory - old_real + new_real;
        return NULL;
    }
    /* the peak is the smallest limit that would do */
    ctx->memory = ctx->memory - old_real + new_real;
    if (ctx->memory > ctx->memory_peak) {
        ctx->memory_peak = ctx->memory;
    }
    return result;
}

void dd_mem_charge(dd_context *ctx, size_t size)
{
    ctx->memory += size;
    ctx->memory_peak = ctx->memory > ctx->memory_peak ? ctx->memory : ctx->memory_peak;
}

void dd_mem_discharge(dd_context *ctx, size_t size)
{
    ctx->memory -= size;
}

void *dd_mem_new(dd_context *ctx, size_t size)
{
    return dd_mem_resize(ctx, NULL, 0, size);
}

void *dd_mem_new_array(dd_context *ctx, size_t count, size_t element_size)
{
    /* a product that overflows is refused like one that is too large */
    if (element_size > 0 && count > SIZE_MAX / element_size) {
        ctx->allocations++;
        return NULL;
    }
    const size_t size = count * element_size;
    void *result = dd_mem_new(ctx, size);
    if (result) {
        memset(result, 0, size);
    }
    return result;
}

void dd_mem_free(dd_context *ctx, void *ptr, size_t size)
{
    if (!ptr) {
        return;
    }
    ctx->memory -= real_size(size);
    ctx->alloc(ctx->alloc_user, ptr, real_size(size), 0);
}

size_t dd_context_memory(const dd_context *ctx)
{
    return ctx ? ctx->memory : 0;
}

size_t dd_context_memory_peak(const dd_context *ctx)
{
    return ctx ? ctx->memory_peak : 0;
}

uint64_t dd_context_allocations(const dd_context *ctx)
{
    return ctx ? ctx->allocations : 0;
}

bool dd_file_fault(dd_context *ctx)
{
    ctx->file_operations++;
    return ctx->file_operations == ctx->fail_file_at;
}
