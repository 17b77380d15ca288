/* radix.h - monotone priority queue of nodes with integer keys (radix heap; Ahuja, Mehlhorn, Orlin, Tarjan 1990).
 *
 *     bucket b holds the queued nodes whose key differs from `last` (the key popped last) first in bit b-1:
 *     head[0]: key == last   head[1]: last bit differs   ...   head[64]: top bit differs
 *
 * Keys may only be pushed at or above the key popped last. Push and decrease cost O(1), a node moves down at most
 * 64 buckets in its life, so memory does not depend on how large distances grow.
 */
#ifndef DD_GRAPH_RADIX_H
#define DD_GRAPH_RADIX_H

#include "graph/pattern.h"

enum { DD_RADIX_BUCKETS = 65 };

typedef struct dd_radix {
    uint32_t head[DD_RADIX_BUCKETS];
    uint32_t *next, *prev; /* n: lists inside the buckets */
    uint64_t *key;         /* n: key of a node that is or was queued */
    uint8_t *bucket;       /* n: the bucket of a queued node, DD_RADIX_BUCKETS when not queued */
    uint64_t last;
    uint32_t n, count;
} dd_radix;

/* A queue for nodes 0..n-1 with arrays from w (check w->failed), empty after dd_radix_clear. */
dd_radix dd_radix_make(dd_work *w, uint32_t n);
void dd_radix_clear(dd_radix *q);

/* Queues node with key, or lowers its key when it is queued with a larger one. key >= q->last. */
void dd_radix_push(dd_radix *q, uint32_t node, uint64_t key);

/* Takes out a node of smallest key; q->count > 0. Its key is q->last afterwards. */
uint32_t dd_radix_pop(dd_radix *q);

#endif
