/* hash.c - the map from 64-bit keys to 32-bit values: open addressing, linear probing, at most half full. */
#include "base/hash.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SIZE = 32 };

uint64_t dd_hash_bytes(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t h = dd_hash_mix(0x243f6a8885a308d3u, n);
    /* eight bytes at a time; memcpy because they need not be aligned */
    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = dd_hash_mix(h, word);
    }
    uint64_t last = 0;
    if (n > 0) {
        memcpy(&last, p, n);
    }
    return dd_hash_mix(h, last);
}

dd_map dd_map_new(dd_pool *pool)
{
    return (dd_map){.pool = pool};
}

/* the slot that holds the key, or the empty one where it belongs */
static uint32_t find_slot(const uint64_t *keys, const uint32_t *values, uint32_t mask, uint64_t key)
{
    uint32_t slot = (uint32_t)dd_hash_mix(0, key) & mask;
    while (values[slot] && keys[slot] != key) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

uint32_t dd_map_get(const dd_map *map, uint64_t key)
{
    return map->values ? map->values[find_slot(map->keys, map->values, map->mask, key)] : 0;
}

static void grow(dd_map *map)
{
    if (map->values && map->count < (map->mask + 1) / 2) {
        return;
    }
    /* the size doubles and must stay within 32 bits */
    if (map->mask > UINT32_MAX / 4) {
        dd_raise(dd_pool_context(map->pool), DD_LIMIT, "a table would need more than 2^29 entries");
    }
    const uint32_t size = map->values ? 2 * (map->mask + 1) : FIRST_SIZE;
    uint64_t *keys = dd_block_resize(map->pool, NULL, size * sizeof *keys);
    uint32_t *values = dd_block_resize(map->pool, NULL, size * sizeof *values);
    memset(values, 0, size * sizeof *values);
    /* every key finds its place again, since the mask has changed */
    for (uint32_t i = 0; map->values && i <= map->mask; i++) {
        if (map->values[i]) {
            const uint32_t slot = find_slot(keys, values, size - 1, map->keys[i]);
            keys[slot] = map->keys[i];
            values[slot] = map->values[i];
        }
    }
    dd_block_free(map->pool, map->keys);
    dd_block_free(map->pool, map->values);
    map->keys = keys;
    map->values = values;
    map->mask = size - 1;
}

void dd_map_put(dd_map *map, uint64_t key, uint32_t value)
{
    assert(value != 0);
    grow(map);
    const uint32_t slot = find_slot(map->keys, map->values, map->mask, key);
    map->count += map->values[slot] == 0;
    map->keys[slot] = key;
    map->values[slot] = value;
}

void dd_map_clear(dd_map *map)
{
    if (map->values) {
        memset(map->values, 0, ((size_t)map->mask + 1) * sizeof *map->values);
    }
    map->count = 0;
}

void dd_map_free(dd_map *map)
{
    dd_block_free(map->pool, map->keys);
    dd_block_free(map->pool, map->values);
    map->keys = NULL;
    map->values = NULL;
    map->count = map->mask = 0;
}
