/* pattern.c - transposing a pattern, counting sort, and workspaces. */
#include "graph/pattern.h"

#include <assert.h>
#include <string.h>

/* ptr[b+1] holds the size of bucket b: makes it the start of bucket b, so that placing items moves it to the start of
 * bucket b+1 and ptr[0] = 0 completes the pointers without a second pass. */
static void sizes_to_starts(uint32_t n, uint32_t *ptr)
{
    uint32_t start = 0;
    for (uint32_t b = 0; b < n; b++) {
        uint32_t size = ptr[b + 1];
        ptr[b + 1] = start;
        start += size;
    }
}

void dd_pattern_transpose(const dd_pattern *a, uint32_t *col_ptr, uint32_t *row_idx, uint32_t *entry)
{
    memset(col_ptr, 0, ((size_t)a->ncols + 1) * sizeof *col_ptr);
    /* sizes of the columns, then their starts */
    for (uint32_t e = 0; e < a->ptr[a->nrows]; e++) {
        col_ptr[a->idx[e] + 1]++;
    }
    sizes_to_starts(a->ncols, col_ptr);
    /* rows in ascending order, so each column receives its rows ascending */
    for (uint32_t i = 0; i < a->nrows; i++) {
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            uint32_t at = col_ptr[a->idx[e] + 1]++;
            row_idx[at] = i;
            if (entry != NULL) {
                entry[at] = e;
            }
        }
    }
}

void dd_bucket_sort(uint32_t count, uint32_t n, const uint32_t *key, uint32_t *ptr, uint32_t *order)
{
    memset(ptr, 0, ((size_t)n + 1) * sizeof *ptr);
    for (uint32_t k = 0; k < count; k++) {
        ptr[key[k] + 1]++;
    }
    sizes_to_starts(n, ptr);
    for (uint32_t k = 0; k < count; k++) {
        order[ptr[key[k] + 1]++] = k;
    }
}

void *dd_work_room(dd_work *w, size_t count, size_t element_size)
{
    assert(w->count < DD_WORK_BLOCKS);
    /* after a refusal nothing more is allocated: the caller checks once, at the end */
    if (w->failed) {
        return NULL;
    }
    /* never zero bytes: NULL means a refusal and nothing else */
    size_t n = count > 0 ? count : 1;
    void *ptr = n <= SIZE_MAX / element_size ? dd_mem_new(w->ctx, n * element_size) : NULL;
    if (ptr == NULL) {
        w->failed = true;
        return NULL;
    }
    w->block[w->count].ptr = ptr;
    w->block[w->count].size = n * element_size;
    w->count++;
    return ptr;
}

void *dd_work_array(dd_work *w, size_t count, size_t element_size)
{
    void *ptr = dd_work_room(w, count, element_size);
    return ptr != NULL ? memset(ptr, 0, w->block[w->count - 1].size) : NULL;
}

void dd_work_free(dd_work *w)
{
    while (w->count > 0) {
        w->count--;
        dd_mem_free(w->ctx, w->block[w->count].ptr, w->block[w->count].size);
    }
}
