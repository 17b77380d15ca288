/* colour.c - greedy distance-2 colouring of columns, largest neighbourhood first. */
#include "graph/colour.h"

#include <string.h>

typedef struct colouring {
    const dd_pattern *a, *t; /* by rows and by columns */
    uint32_t *order;         /* columns, largest neighbourhood first */
    uint32_t *taken;         /* colours: the last column that found it taken, plus one */
    uint32_t *colour, count;
} colouring;

/* Size of the neighbourhood of column j: entries of all rows it appears in, at most UINT32_MAX - 1. */
static uint32_t degree(const colouring *c, uint32_t j)
{
    uint64_t sum = 0;
    for (uint32_t e = c->t->ptr[j]; e < c->t->ptr[j + 1]; e++) {
        /* columns of one row are pairwise neighbours, so the row adds its length (the column itself included each
         * time) */
        uint32_t i = c->t->idx[e];
        sum += c->a->ptr[i + 1] - c->a->ptr[i];
    }
    return sum < UINT32_MAX - 1 ? (uint32_t)sum : UINT32_MAX - 1;
}

/* Stable radix sort of the columns by decreasing degree, 8 bits at a time: as many passes as the degrees have digits, mostly
 * one or two. */
static void sort_by_degree(colouring *c, uint32_t *key, uint32_t *other)
{
    enum { BITS = 8, BUCKETS = 1 << BITS };
    const uint32_t n = c->a->ncols;
    uint32_t most = 0, range = 0, *to = other;
    for (uint32_t j = 0; j < n; j++) {
        key[j] = degree(c, j);
        most = key[j] > most ? key[j] : most;
        c->order[j] = j;
    }
    /* the largest degree gets the smallest key */
    for (uint32_t j = 0; j < n; j++) {
        key[j] = most - key[j];
        range = key[j] > range ? key[j] : range;
    }
    /* least significant digits first: the sort is stable, so the upper ones then decide */
    for (uint32_t shift = 0; shift < 32 && range >> shift > 0; shift += BITS) {
        uint32_t bucket[BUCKETS + 1] = {0};
        for (uint32_t j = 0; j < n; j++) {
            bucket[(key[j] >> shift) % BUCKETS + 1]++;
        }
        for (uint32_t b = 0; b < BUCKETS; b++) {
            bucket[b + 1] += bucket[b];
        }
        for (uint32_t k = 0; k < n; k++) {
            to[bucket[(key[c->order[k]] >> shift) % BUCKETS]++] = c->order[k];
        }
        uint32_t *swap = c->order;
        c->order = to;
        to = swap;
    }
}

static void paint(colouring *c, uint32_t j)
{
    /* columns that share a row with j may not share its colour; taken[k] == j + 1 needs no clearing between columns */
    for (uint32_t e = c->t->ptr[j]; e < c->t->ptr[j + 1]; e++) {
        uint32_t i = c->t->idx[e];
        for (uint32_t f = c->a->ptr[i]; f < c->a->ptr[i + 1]; f++) {
            uint32_t k = c->colour[c->a->idx[f]];
            if (k != DD_NO_INDEX) {
                c->taken[k] = j + 1;
            }
        }
    }
    /* the first colour that no neighbour has */
    uint32_t k = 0;
    while (k < c->count && c->taken[k] == j + 1) {
        k++;
    }
    c->colour[j] = k;
    c->count = k == c->count ? k + 1 : c->count;
}

static dd_status paint_all(dd_context *ctx, colouring *c)
{
    memset(c->colour, 0xff, (size_t)c->a->ncols * sizeof *c->colour);
    for (uint32_t k = 0; k < c->a->ncols; k++) {
        dd_status st = dd_poll_stop(ctx);
        if (st != DD_OK) {
            return st;
        }
        paint(c, c->order[k]);
    }
    return DD_OK;
}

dd_status dd_graph_colour(uint32_t *count, dd_context *ctx, const dd_pattern *a, uint32_t *colour)
{
    dd_work w = {.ctx = ctx};
    uint32_t *ptr = dd_work_array(&w, (size_t)a->ncols + 1, sizeof *ptr);
    uint32_t *idx = dd_work_array(&w, a->ptr[a->nrows], sizeof *idx);
    uint32_t *key = dd_work_array(&w, a->ncols, sizeof *key);
    uint32_t *other = dd_work_array(&w, a->ncols, sizeof *other);
    dd_pattern t = {.nrows = a->ncols, .ncols = a->nrows, .ptr = ptr, .idx = idx};
    colouring c = {.a = a, .t = &t, .colour = colour};
    c.order = dd_work_array(&w, a->ncols, sizeof *c.order);
    c.taken = dd_work_array(&w, a->ncols, sizeof *c.taken);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        /* neighbours of a column are found by columns and by rows, so both patterns are needed */
        dd_pattern_transpose(a, ptr, idx, NULL);
        sort_by_degree(&c, key, other);
        st = paint_all(ctx, &c);
    }
    dd_work_free(&w);
    *count = c.count;
    return st;
}
