/* hash.h - open-addressing map from 64-bit keys to 32-bit values, and the mixing function used everywhere. */
#ifndef DD_BASE_HASH_H
#define DD_BASE_HASH_H

#include <stdint.h>

#include "base/pool.h"

static inline uint64_t dd_hash_mix(uint64_t h, uint64_t v)
{
    h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    h ^= h >> 32;
    return h;
}
uint64_t dd_hash_bytes(const void *data, size_t n);

typedef struct dd_map {
    dd_pool *pool;
    uint64_t *keys;
    uint32_t *values; /* 0 means empty: stored values must be non-zero */
    uint32_t count, mask;
} dd_map;

dd_map dd_map_new(dd_pool *pool);
uint32_t dd_map_get(const dd_map *map, uint64_t key);       /* 0 when absent */
void dd_map_put(dd_map *map, uint64_t key, uint32_t value); /* value must not be 0; overwrites */
void dd_map_clear(dd_map *map);
void dd_map_free(dd_map *map);

#endif
