/* radix.c - monotone radix heap. */
#include "graph/radix.h"

#include <assert.h>
#include <string.h>

dd_radix dd_radix_make(dd_work *w, uint32_t n)
{
    dd_radix q = {.n = n};
    q.next = dd_work_array(w, n, sizeof *q.next);
    q.prev = dd_work_array(w, n, sizeof *q.prev);
    q.key = dd_work_array(w, n, sizeof *q.key);
    q.bucket = dd_work_array(w, n, sizeof *q.bucket);
    return q;
}

void dd_radix_clear(dd_radix *q)
{
    memset(q->head, 0xff, sizeof q->head);
    memset(q->bucket, DD_RADIX_BUCKETS, q->n);
    q->last = 0;
    q->count = 0;
}

static uint32_t bucket_of(const dd_radix *q, uint64_t key)
{
    /* the highest bit in which key and last differ; keys above last have a 1 there */
    return key == q->last ? 0 : 64 - (uint32_t)__builtin_clzll(key ^ q->last);
}

static void link_node(dd_radix *q, uint32_t node, uint32_t b)
{
    uint32_t first = q->head[b];
    q->next[node] = first;
    q->prev[node] = DD_NO_INDEX;
    if (first != DD_NO_INDEX) {
        q->prev[first] = node;
    }
    q->head[b] = node;
    q->bucket[node] = (uint8_t)b;
}

static void unlink_node(dd_radix *q, uint32_t node)
{
    uint32_t p = q->prev[node], s = q->next[node];
    if (p != DD_NO_INDEX) {
        q->next[p] = s;
    } else {
        q->head[q->bucket[node]] = s;
    }
    if (s != DD_NO_INDEX) {
        q->prev[s] = p;
    }
    q->bucket[node] = DD_RADIX_BUCKETS;
}

void dd_radix_push(dd_radix *q, uint32_t node, uint64_t key)
{
    assert(key >= q->last);
    /* a queued node only ever moves to a smaller key */
    if (q->bucket[node] == DD_RADIX_BUCKETS) {
        q->count++;
    } else if (key < q->key[node]) {
        unlink_node(q, node);
    } else {
        return;
    }
    q->key[node] = key;
    link_node(q, node, bucket_of(q, key));
}

/* Advances `last` to the smallest key and spreads its bucket over lower ones. */
static void refill(dd_radix *q)
{
    /* the lowest bucket that is not empty holds the smallest key */
    uint32_t b = 1;
    while (q->head[b] == DD_NO_INDEX) {
        b++;
    }
    uint64_t least = UINT64_MAX;
    for (uint32_t k = q->head[b]; k != DD_NO_INDEX; k = q->next[k]) {
        least = q->key[k] < least ? q->key[k] : least;
    }
    q->last = least;
    /* with the new last every one of its keys agrees in at least one more bit, so all move to lower buckets */
    uint32_t k = q->head[b];
    q->head[b] = DD_NO_INDEX;
    while (k != DD_NO_INDEX) {
        uint32_t following = q->next[k];
        link_node(q, k, bucket_of(q, q->key[k]));
        k = following;
    }
}

uint32_t dd_radix_pop(dd_radix *q)
{
    assert(q->count > 0);
    if (q->head[0] == DD_NO_INDEX) {
        refill(q);
    }
    uint32_t node = q->head[0];
    unlink_node(q, node);
    q->count--;
    return node;
}
