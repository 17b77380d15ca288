/* names.c - interned names: a vector of strings by id and an open-addressing table of ids by hash. */
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

typedef struct {
    const char *text;
    size_t length;
    uint64_t hash;
} name;

struct dd_names {
    dd_pool *pool;
    DD_VEC(name) list; /* id - 1 */
    uint32_t *table;   /* ids; 0 is empty */
    uint32_t mask;     /* table size - 1, a power of two less one */
};

enum { FIRST_TABLE = 64 };

static uint32_t *new_table(dd_pool *pool, uint32_t size)
{
    uint32_t *table = dd_block_resize(pool, NULL, (size_t)size * sizeof *table);
    memset(table, 0, (size_t)size * sizeof *table);
    return table;
}

dd_names *dd_names_new(dd_pool *pool)
{
    dd_names *names = dd_pool_alloc(pool, sizeof *names);
    names->pool = pool;
    names->table = new_table(pool, FIRST_TABLE);
    names->mask = FIRST_TABLE - 1;
    return names;
}

/* the slot that holds this string, or the empty one where it belongs */
static uint32_t find_slot(const dd_names *names, const char *s, size_t n, uint64_t hash)
{
    uint32_t slot = (uint32_t)hash & names->mask;
    for (; names->table[slot]; slot = (slot + 1) & names->mask) {
        /* hash and length settle nearly all comparisons */
        const name *have = &names->list.data[names->table[slot] - 1];
        if (have->hash == hash && have->length == n && memcmp(have->text, s, n) == 0) {
            break;
        }
    }
    return slot;
}

/* keeps the table at most half full */
static void grow(dd_names *names)
{
    if (names->list.len < (names->mask + 1) / 2) {
        return;
    }
    /* ids are 32 bits, and the table twice as large */
    if (names->mask > UINT32_MAX / 4) {
        dd_raise(dd_pool_context(names->pool), DD_LIMIT, "more than 2^29 names");
    }
    const uint32_t size = 2 * (names->mask + 1);
    uint32_t *table = new_table(names->pool, size);
    /* all names again, with the longer mask */
    for (uint32_t i = 0; i < names->list.len; i++) {
        uint32_t slot = (uint32_t)names->list.data[i].hash & (size - 1);
        while (table[slot]) {
            slot = (slot + 1) & (size - 1);
        }
        table[slot] = i + 1;
    }
    dd_block_free(names->pool, names->table);
    names->table = table;
    names->mask = size - 1;
}

uint32_t dd_names_intern(dd_names *names, const char *s, size_t n)
{
    const uint64_t hash = dd_hash_bytes(s, n);
    const uint32_t found = names->table[find_slot(names, s, n, hash)];
    if (found) {
        return found;
    }
    /* the table may move before the name is entered */
    grow(names);
    const name added = {dd_pool_strndup(names->pool, s, n), n, hash};
    dd_vec_push(names->pool, &names->list, added);
    names->table[find_slot(names, s, n, hash)] = names->list.len;
    return names->list.len;
}

uint32_t dd_names_find(const dd_names *names, const char *s, size_t n)
{
    return names->table[find_slot(names, s, n, dd_hash_bytes(s, n))];
}

const char *dd_names_get(const dd_names *names, uint32_t id)
{
    return id > 0 && id <= names->list.len ? names->list.data[id - 1].text : "";
}

uint32_t dd_names_count(const dd_names *names)
{
    return names->list.len;
}
