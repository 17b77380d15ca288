/* chain_memory.c - blocks of memory that are freed together (chain_impl.h). */
#include <string.h>

#include "nlp/chain_impl.h"

/* Bytes: small requests share a block, which grows with what the pool has, up to a limit. */
enum { BLOCK_LEAST = 1 << 14, BLOCK_PART = 4, BLOCK_MOST = 1 << 23 };

static size_t aligned(size_t size)
{
    return (size + CHAIN_ALIGN - 1) / CHAIN_ALIGN * CHAIN_ALIGN;
}

/* The first aligned byte behind the header. */
static char *payload(chain_block *b)
{
    const uintptr_t p = (uintptr_t)(b + 1);
    return (char *)b + (aligned(p) - (uintptr_t)b);
}

static chain_block *add_block(chain_pool *pool, size_t bytes)
{
    size_t shared = pool->size / BLOCK_PART;
    shared = shared < BLOCK_LEAST ? BLOCK_LEAST : shared > BLOCK_MOST ? BLOCK_MOST : shared;
    const size_t size = sizeof(chain_block) + CHAIN_ALIGN + (bytes < shared ? shared : bytes);
    chain_block *b = size < bytes ? NULL : dd_mem_new(pool->ctx, size);
    if (!b) {
        pool->failed = true;
        return NULL;
    }
    *b = (chain_block){.size = size};
    pool->size += size;
    chain_block **last = pool->current ? &pool->current->next : &pool->first;
    while (*last) {
        last = &(*last)->next;
    }
    *last = b;
    return b;
}

static size_t room(chain_block *b)
{
    return b->size - (size_t)(payload(b) - (char *)b) - b->used;
}

void dd_chain_reserve(chain_pool *pool, size_t bytes)
{
    chain_block *b = add_block(pool, bytes);
    if (b && !pool->current) {
        pool->current = b;
    }
}

void *dd_chain_take(chain_pool *pool, size_t count, size_t element_size)
{
    size_t bytes = 0;
    if (pool->failed) {
        return NULL;
    }
    if (__builtin_mul_overflow(count, element_size, &bytes) || bytes > SIZE_MAX / 2) {
        pool->failed = true;
        return NULL;
    }
    bytes = aligned(bytes ? bytes : 1);
    /* the next block with room: those before stay as they are */
    while (pool->current && room(pool->current) < bytes && pool->current->next) {
        pool->current = pool->current->next;
    }
    if (!pool->current || room(pool->current) < bytes) {
        pool->current = add_block(pool, bytes);
        if (!pool->current) {
            return NULL;
        }
    }
    char *result = payload(pool->current) + pool->current->used;
    pool->current->used += bytes;
    return result;
}

void *dd_chain_take_zero(chain_pool *pool, size_t count, size_t element_size)
{
    void *result = dd_chain_take(pool, count, element_size);
    return result ? memset(result, 0, count * element_size) : NULL;
}

void dd_chain_reset(chain_pool *pool)
{
    for (chain_block *b = pool->first; b; b = b->next) {
        b->used = 0;
    }
    pool->current = pool->first;
    pool->failed = false;
}

void dd_chain_release(chain_pool *pool)
{
    for (chain_block *b = pool->first, *next; b; b = next) {
        next = b->next;
        dd_mem_free(pool->ctx, b, b->size);
    }
    pool->first = pool->current = NULL;
    pool->size = 0;
}
