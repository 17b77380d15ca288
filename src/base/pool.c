/* pool.c - pools: bump chunks for things that live as long as the pool, linked blocks for things that grow.
 *
 *   chunk: [next size used | bytes .......... free ]      newest first; a large request gets a separate chunk
 *   block: [prev next size | bytes ]                      the caller holds the address after the header
 *
 * Under AddressSanitizer the unused part of a chunk and a gap after each piece are poisoned, so that overruns
 * inside a pool are found as well as those of single allocations. */
#include "base/pool.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/state.h"

#if defined(__SANITIZE_ADDRESS__)
#define DD_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DD_POISON 1
#endif
#endif
#ifdef DD_POISON
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#define poison(ptr, size) ASAN_POISON_MEMORY_REGION((ptr), (size))
#define unpoison(ptr, size) ASAN_UNPOISON_MEMORY_REGION((ptr), (size))
#else
enum { GAP = 0 };
#define poison(ptr, size) ((void)(ptr), (void)(size))
#define unpoison(ptr, size) ((void)(ptr), (void)(size))
#endif

enum { ALIGNMENT = 16, FIRST_CHUNK = 1024, LARGEST_CHUNK = 64 * 1024, FIRST_CAPACITY = 8 };
static const uint64_t max_elements = UINT64_C(1) << 31;

typedef struct chunk {
    _Alignas(16) struct chunk *next;
    size_t size; /* bytes after this header */
    size_t used;
} chunk;

typedef struct block {
    _Alignas(16) struct block *prev;
    struct block *next;
    size_t size; /* bytes after this header */
} block;

/* Something that is not the pool's memory but goes with it. */
typedef struct keepsake {
    struct keepsake *next;
    void *thing;
    void (*release)(void *thing);
} keepsake;

struct dd_pool {
    dd_context *ctx;
    keepsake *kept;
    dd_pool *parent, *first_child, *prev, *next; /* prev and next: siblings */
    chunk *chunks;
    block *blocks;
    size_t next_chunk;
};

static _Noreturn void out_of_memory(dd_context *ctx)
{
    dd_raise(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
}

/* ---- pools ---- */

dd_pool *dd_pool_new(dd_context *ctx)
{
    dd_pool *pool = dd_mem_new_array(ctx, 1, sizeof *pool);
    if (pool) {
        pool->ctx = ctx;
        pool->next_chunk = FIRST_CHUNK;
    }
    return pool;
}

dd_pool *dd_pool_child(dd_pool *parent)
{
    dd_pool *pool = dd_pool_new(parent->ctx);
    if (!pool) {
        out_of_memory(parent->ctx);
    }
    /* children are linked through their siblings: newest first */
    pool->parent = parent;
    pool->next = parent->first_child;
    if (pool->next) {
        pool->next->prev = pool;
    }
    parent->first_child = pool;
    return pool;
}

static void unlink_from_parent(dd_pool *pool)
{
    if (pool->next) {
        pool->next->prev = pool->prev;
    }
    if (pool->prev) {
        pool->prev->next = pool->next;
    } else if (pool->parent) {
        pool->parent->first_child = pool->next;
    }
}

static void free_one(dd_pool *pool)
{
    /* keepsakes may use the pool's memory, so they go first */
    for (const keepsake *k = pool->kept; k; k = k->next) {
        k->release(k->thing);
    }
    for (chunk *c = pool->chunks, *next; c; c = next) {
        next = c->next;
        unpoison(c + 1, c->size);
        dd_mem_free(pool->ctx, c, sizeof *c + c->size);
    }
    for (block *b = pool->blocks, *next; b; b = next) {
        next = b->next;
        dd_mem_free(pool->ctx, b, sizeof *b + b->size);
    }
    dd_mem_free(pool->ctx, pool, sizeof *pool);
}

void dd_pool_free(dd_pool *pool)
{
    /* deepest children first, without recursion */
    dd_pool *at = pool;
    while (at) {
        while (at->first_child) {
            at = at->first_child;
        }
        dd_pool *parent = at == pool ? NULL : at->parent;
        unlink_from_parent(at);
        free_one(at);
        at = parent;
    }
}

dd_context *dd_pool_context(const dd_pool *pool)
{
    return pool->ctx;
}

/* ---- bump allocation ---- */

static chunk *add_chunk(dd_pool *pool, size_t needed)
{
    /* large requests get a chunk alone; otherwise chunks double until they are large */
    const bool own = needed > LARGEST_CHUNK / 4;
    while (!own && pool->next_chunk < 2 * needed) {
        pool->next_chunk *= 2;
    }
    const size_t size = own ? needed : pool->next_chunk;
    chunk *c = size <= SIZE_MAX - sizeof *c ? dd_mem_new(pool->ctx, sizeof *c + size) : NULL;
    if (!c) {
        out_of_memory(pool->ctx);
    }
    c->size = size;
    c->used = 0;
    poison(c + 1, size);
    if (own && pool->chunks) {
        /* a separate chunk goes behind the current one, whose rest stays in use */
        c->next = pool->chunks->next;
        pool->chunks->next = c;
        return c;
    }
    c->next = pool->chunks;
    pool->chunks = c;
    if (!own && pool->next_chunk < LARGEST_CHUNK) {
        pool->next_chunk *= 2;
    }
    return c;
}

void *dd_pool_alloc(dd_pool *pool, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT - GAP) {
        out_of_memory(pool->ctx);
    }
    /* rounded up to the alignment, with a gap that the sanitizer watches */
    const size_t needed = ((size ? size : 1) + GAP + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    chunk *c = pool->chunks;
    /* the rest of the current chunk is lost when it is too short: less than a quarter of the largest chunk */
    if (!c || needed > c->size - c->used) {
        c = add_chunk(pool, needed);
    }
    char *result = (char *)(c + 1) + c->used;
    c->used += needed;
    unpoison(result, size);
    memset(result, 0, size);
    return result;
}

void *dd_pool_alloc_array(dd_pool *pool, size_t count, size_t element_size)
{
    if (element_size > 0 && count > SIZE_MAX / element_size) {
        out_of_memory(pool->ctx);
    }
    return dd_pool_alloc(pool, count * element_size);
}

char *dd_pool_strndup(dd_pool *pool, const char *text, size_t length)
{
    if (length == SIZE_MAX) {
        out_of_memory(pool->ctx);
    }
    char *copy = dd_pool_alloc(pool, length + 1);
    if (length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *dd_pool_strdup(dd_pool *pool, const char *text)
{
    return dd_pool_strndup(pool, text, strlen(text));
}

char *dd_pool_printf(dd_pool *pool, const char *format, ...)
{
    char small[256];
    va_list args;
    va_start(args, format);
    /* most texts fit on the stack: one pass */
    const int n = dd_format(small, sizeof small, format, args);
    va_end(args);
    const size_t length = n > 0 ? (size_t)n : 0;
    if (length < sizeof small) {
        return dd_pool_strndup(pool, small, length);
    }
    /* a longer one is written a second time, into memory of its length */
    char *text = dd_pool_alloc(pool, length + 1);
    va_start(args, format);
    dd_format(text, length + 1, format, args);
    va_end(args);
    return text;
}

/* ---- blocks ---- */

static void link_block(dd_pool *pool, block *b)
{
    b->prev = NULL;
    b->next = pool->blocks;
    if (b->next) {
        b->next->prev = b;
    }
    pool->blocks = b;
}

void *dd_block_resize(dd_pool *pool, void *old, size_t new_size)
{
    /* the header lies before the caller's address */
    block *b = old ? (block *)old - 1 : NULL;
    const size_t old_bytes = b ? sizeof *b + b->size : 0;
    block *moved = NULL;
    if (new_size <= SIZE_MAX - sizeof *b) {
        moved = dd_mem_resize(pool->ctx, b, old_bytes, sizeof *b + new_size);
    }
    if (!moved) {
        out_of_memory(pool->ctx);
    }
    moved->size = new_size;
    if (!b) {
        link_block(pool, moved);
        return moved + 1;
    }
    /* the neighbours still point at the old address */
    if (moved->prev) {
        moved->prev->next = moved;
    } else {
        pool->blocks = moved;
    }
    if (moved->next) {
        moved->next->prev = moved;
    }
    return moved + 1;
}

void dd_block_free(dd_pool *pool, void *old)
{
    if (!old) {
        return;
    }
    block *b = (block *)old - 1;
    /* out of the list, then to the hook */
    if (b->prev) {
        b->prev->next = b->next;
    } else {
        assert(pool->blocks == b);
        pool->blocks = b->next;
    }
    if (b->next) {
        b->next->prev = b->prev;
    }
    dd_mem_free(pool->ctx, b, sizeof *b + b->size);
}

void *dd_vec_grow(dd_pool *pool, void *data, uint32_t *cap, uint64_t needed, size_t element_size)
{
    if (needed <= *cap) {
        return data;
    }
    if (needed > max_elements) {
        dd_raise(pool->ctx, DD_LIMIT, "a list would need more than 2^31 elements");
    }
    /* doubling, within the limit on elements */
    uint64_t wanted = *cap ? (uint64_t)*cap * 2 : FIRST_CAPACITY;
    if (wanted < needed) {
        wanted = needed;
    }
    if (wanted > max_elements) {
        wanted = max_elements;
    }
    if (wanted > SIZE_MAX / element_size) {
        out_of_memory(pool->ctx);
    }
    void *grown = dd_block_resize(pool, data, (size_t)wanted * element_size);
    *cap = (uint32_t)wanted;
    return grown;
}

typedef struct keep_call {
    dd_pool *pool;
    keepsake *made;
} keep_call;

static void make_keepsake(void *arg)
{
    keep_call *call = arg;
    call->made = dd_pool_alloc(call->pool, sizeof *call->made);
}

void dd_pool_keep(dd_pool *pool, void *thing, void (*release)(void *thing))
{
    keep_call call = {.pool = pool};
    /* without memory to remember the thing it is released at once */
    if (dd_protect(pool->ctx, make_keepsake, &call) != DD_OK) {
        release(thing);
        out_of_memory(pool->ctx);
    }
    *call.made = (keepsake){pool->kept, thing, release};
    pool->kept = call.made;
}
