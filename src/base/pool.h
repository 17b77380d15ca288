/* pool.h - memory that is freed together.
 *
 *   pool ── child pool ── ...        freeing a pool frees its children
 *    ├─ chunks: bump allocation, small things that live as long as the pool
 *    └─ blocks: doubly linked, can be resized or freed one by one (growing vectors, hash tables)
 *
 * All functions that allocate raise DD_OUT_OF_MEMORY (context.h) instead of returning NULL, except dd_pool_new.
 */
#ifndef DD_BASE_POOL_H
#define DD_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

typedef struct dd_pool dd_pool;

dd_pool *dd_pool_new(dd_context *ctx);   /* NULL when out of memory */
dd_pool *dd_pool_child(dd_pool *parent); /* raises; freed with the parent or by itself before it */
void dd_pool_free(dd_pool *pool);        /* NULL is fine */
dd_context *dd_pool_context(const dd_pool *pool);
/* thing goes with the pool: `release` is called once, before the pool's memory goes, in the reverse order of these
 * calls. When this raises it is called at once. */
void dd_pool_keep(dd_pool *pool, void *thing, void (*release)(void *thing));

/* Bump allocation: zeroed, aligned to 16, lives as long as the pool. */
void *dd_pool_alloc(dd_pool *pool, size_t size);
void *dd_pool_alloc_array(dd_pool *pool, size_t count, size_t element_size); /* checked product */
char *dd_pool_strdup(dd_pool *pool, const char *text);
char *dd_pool_strndup(dd_pool *pool, const char *text, size_t length);
char *dd_pool_printf(dd_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Blocks: not cleared; may be resized and freed one by one. resize(NULL) allocates. */
void *dd_block_resize(dd_pool *pool, void *block, size_t new_size);
void dd_block_free(dd_pool *pool, void *block);

/* ---- typed growing vectors, stored in blocks ----
 *     DD_VEC(uint32_t) v = {0};  dd_vec_push(pool, &v, 7);  v.data[0], v.len;  dd_vec_free(pool, &v) (or never) */
#define DD_VEC(T)                                                                                                      \
    struct {                                                                                                           \
        T *data;                                                                                                       \
        uint32_t len, cap;                                                                                             \
    }
#define dd_vec_reserve(pool, v, n) ((v)->data = dd_vec_grow((pool), (v)->data, &(v)->cap, (n), sizeof *(v)->data))
#define dd_vec_push(pool, v, ...)                                                                                      \
    do {                                                                                                               \
        if ((v)->len == (v)->cap) {                                                                                    \
            dd_vec_reserve((pool), (v), (uint64_t)(v)->len + 1);                                                       \
        }                                                                                                              \
        (v)->data[(v)->len++] = (__VA_ARGS__);                                                                         \
    } while (0)
/* The elements from i <= len on; NULL when the vector is empty (NULL + 0 is undefined in C). */
#define dd_vec_from(v, i) ((v)->data ? (v)->data + (i) : NULL)
#define dd_vec_free(pool, v) (dd_block_free((pool), (v)->data), (v)->data = NULL, (v)->len = (v)->cap = 0)

/* Grows to at least `needed` elements (doubling); raises DD_LIMIT past 2^31 elements. */
void *dd_vec_grow(dd_pool *pool, void *data, uint32_t *cap, uint64_t needed, size_t element_size);

#endif
