/* history.c - keeps every stride-th iteration. */
#include "ocp/history.h"

dd_history *dd_history_new(dd_pool *pool)
{
    dd_history *h = dd_pool_alloc(pool, sizeof *h);
    h->stride = 1;
    return h;
}

static void thin_out(dd_history *h)
{
    for (uint32_t i = 0; 2 * i < h->len; i++) {
        h->rows[i] = h->rows[2 * i];
    }
    h->len = (h->len + 1) / 2;
    h->stride *= 2;
}

void dd_history_add(dd_history *h, const dd_ocp_iteration *it)
{
    if (h->len == DD_HISTORY_MOST) {
        thin_out(h);
    }
    if (h->count % h->stride == 0) {
        h->rows[h->len++] = (dd_history_row){h->count, *it};
    }
    h->count++;
}
