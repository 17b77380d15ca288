/* pattern.h - sparse integer patterns (CSR) and the workspace all graph and la kernels use.
 *
 *     ptr: nrows+1 numbers, ptr[0] == 0          row i holds the columns idx[ptr[i] .. ptr[i+1]-1]
 *     idx: ptr[nrows] numbers, each < ncols      any order; a column at most once per row
 *
 * Conventions of the whole module. Results go into arrays of the caller with the stated length; nothing given
 * by the caller is kept after the call. A kernel returns DD_OK, DD_OUT_OF_MEMORY, DD_INTERRUPTED/DD_TIME_LIMIT,
 * or a status that its header names; after a failure the contents of the result arrays are unspecified and nothing is
 * leaked. No recursion: the depth of a graph never becomes stack depth. All results are deterministic.
 */
#ifndef DD_GRAPH_PATTERN_H
#define DD_GRAPH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/context.h"

/* "no row", "no column", "not in any component" */
#define DD_NO_INDEX UINT32_MAX

typedef struct dd_pattern {
    uint32_t nrows, ncols;
    const uint32_t *ptr; /* nrows + 1 */
    const uint32_t *idx; /* ptr[nrows] */
} dd_pattern;

/* The transposed pattern: column j holds the rows row_idx[col_ptr[j] .. col_ptr[j+1]-1], ascending.
 * col_ptr: ncols+1; row_idx: ptr[nrows]; entry: ptr[nrows] or NULL, receives for each transposed entry the
 * position of the original entry in idx (to carry values along). Cannot fail. */
void dd_pattern_transpose(const dd_pattern *a, uint32_t *col_ptr, uint32_t *row_idx, uint32_t *entry);

/* Stable counting sort of the items 0..count-1 by key[k] < n: bucket b is order[ptr[b] .. ptr[b+1]-1], ascending.
 * key, order: count; ptr: n+1. Cannot fail. */
void dd_bucket_sort(uint32_t count, uint32_t n, const uint32_t *key, uint32_t *ptr, uint32_t *order);

/* ---- workspace: arrays that are allocated at the top of a function, checked together and freed together ----
 *     dd_work w = {.ctx = ctx};
 *     uint32_t *mark = dd_work_array(&w, n, sizeof *mark);
 *     dd_status st = w.failed ? DD_OUT_OF_MEMORY : run(...);
 *     dd_work_free(&w); */
enum { DD_WORK_BLOCKS = 24 };

typedef struct dd_work {
    dd_context *ctx;
    struct {
        void *ptr;
        size_t size;
    } block[DD_WORK_BLOCKS];
    uint32_t count;
    bool failed; /* some request was refused */
} dd_work;

/* A zeroed array (at least one element is allocated, so only a refusal returns NULL); NULL sets failed.
 * At most DD_WORK_BLOCKS per workspace. */
void *dd_work_array(dd_work *w, size_t count, size_t element_size);
/* The same, not zeroed: pages of it that are not written are never touched. */
void *dd_work_room(dd_work *w, size_t count, size_t element_size);
void dd_work_free(dd_work *w);

#endif
