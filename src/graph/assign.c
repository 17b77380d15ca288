/* assign.c - highest-value transversal with dual variables, and the smallest offsets.
 *
 * Reduced cost of an entry: r_ij = d_j - c_i - sigma_ij >= 0, zero on matched entries. A phase computes the
 * distances of all rows and columns from the free rows (row -> column costs r_ij, column -> its matched row costs 0),
 * subtracts them from c and d, which keeps r >= 0 and makes all shortest paths tight, and then takes a
 * maximum matching of the tight entries (Hopcroft-Karp from the present one). For perfect matchings the duals of free
 * rows and columns are not bound by anything, so whole distances may be used and one phase serves free rows at very
 * different distances at once.
 */
#include "graph/assign.h"

#include <string.h>

#include "graph/match.h"
#include "graph/radix.h"

enum { SIGMA_MAX = 1 << 20 };

typedef struct assigner {
    const dd_pattern *a;
    const int32_t *sigma;
    uint32_t *row_match, *col_match;
    int64_t *c, *d;
    uint64_t *row_dist, *col_dist;   /* UINT64_MAX: not reached */
    uint32_t *tight_ptr, *tight_idx; /* the entries with r_ij = 0 */
    dd_radix queue;                  /* columns */
    uint32_t size, phases;
} assigner;

static int64_t reduced(const assigner *s, uint32_t i, uint32_t e)
{
    return s->d[s->a->idx[e]] - s->c[i] - s->sigma[e];
}

/* Feasible duals with a tight entry in every row and, as far as possible, every column; then a greedy tight
 * matching. */
static void start(assigner *s)
{
    const dd_pattern *a = s->a;
    /* d_j = max_i sigma_ij and c = 0 are feasible: r_ij = d_j - sigma_ij >= 0 */
    for (uint32_t j = 0; j < a->ncols; j++) {
        s->d[j] = 0;
    }
    for (uint32_t i = 0; i < a->nrows; i++) {
        s->c[i] = 0;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            int64_t *d = &s->d[a->idx[e]];
            *d = s->sigma[e] > *d ? s->sigma[e] : *d;
        }
    }
    for (uint32_t i = 0; i < a->nrows; i++) {
        /* raise c_i until the row has a tight entry; feasibility allows exactly the smallest reduced cost */
        int64_t slack = INT64_MAX;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            int64_t r = reduced(s, i, e);
            slack = r < slack ? r : slack;
        }
        s->c[i] = slack == INT64_MAX ? 0 : slack;
        /* a tight entry in a free column may be matched at once: it costs nothing */
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1] && s->row_match[i] == DD_NO_INDEX; e++) {
            uint32_t j = a->idx[e];
            if (s->col_match[j] == DD_NO_INDEX && reduced(s, i, e) == 0) {
                s->row_match[i] = j;
                s->col_match[j] = i;
                s->size++;
            }
        }
    }
}

static void relax_row(assigner *s, uint32_t i)
{
    for (uint32_t e = s->a->ptr[i]; e < s->a->ptr[i + 1]; e++) {
        uint32_t j = s->a->idx[e];
        uint64_t dist = s->row_dist[i] + (uint64_t)reduced(s, i, e);
        if (dist < s->col_dist[j]) {
            s->col_dist[j] = dist;
            dd_radix_push(&s->queue, j, dist);
        }
    }
}

/* Shortest distances from all free rows (Dijkstra), until half as many free columns are reached as there are free rows
 * (few rows left: a search near them is enough). Returns the largest distance that is final; columns beyond it keep
 * tentative labels that are no smaller. */
static uint64_t distances(assigner *s)
{
    uint64_t largest = 0;
    /* half of the free rows: reaching the last one may take a search of the whole graph for one more pair */
    uint32_t wanted = (s->a->nrows - s->size + 1) / 2;
    dd_radix_clear(&s->queue);
    memset(s->row_dist, 0xff, (size_t)s->a->nrows * sizeof *s->row_dist);
    memset(s->col_dist, 0xff, (size_t)s->a->ncols * sizeof *s->col_dist);
    /* sources: every free row at distance 0 */
    for (uint32_t i = 0; i < s->a->nrows; i++) {
        if (s->row_match[i] == DD_NO_INDEX) {
            s->row_dist[i] = 0;
            relax_row(s, i);
        }
    }
    /* Dijkstra: columns become final in order of distance; a matched column passes its distance on to its row */
    while (s->queue.count > 0 && wanted > 0) {
        uint32_t j = dd_radix_pop(&s->queue);
        largest = s->col_dist[j];
        uint32_t i = s->col_match[j];
        if (i != DD_NO_INDEX) {
            s->row_dist[i] = largest;
            relax_row(s, i);
        } else {
            wanted--;
        }
    }
    return largest;
}

/* r'_ij = r_ij + dist_i - dist_j: nodes that were not reached are treated as at the largest distance. */
static void update_duals(assigner *s, uint64_t largest)
{
    for (uint32_t i = 0; i < s->a->nrows; i++) {
        s->c[i] -= (int64_t)(s->row_dist[i] < largest ? s->row_dist[i] : largest);
    }
    for (uint32_t j = 0; j < s->a->ncols; j++) {
        s->d[j] -= (int64_t)(s->col_dist[j] < largest ? s->col_dist[j] : largest);
    }
}

/* The pattern of the tight entries; matched entries are tight, so the matching lives in it. */
static dd_pattern tight_pattern(assigner *s)
{
    const dd_pattern *a = s->a;
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->nrows; i++) {
        s->tight_ptr[i] = n;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            if (reduced(s, i, e) == 0) {
                s->tight_idx[n++] = a->idx[e];
            }
        }
    }
    s->tight_ptr[a->nrows] = n;
    return (dd_pattern){.nrows = a->nrows, .ncols = a->ncols, .ptr = s->tight_ptr, .idx = s->tight_idx};
}

/* Phases until the matching is perfect or no free column can be reached. */
static dd_status run_phases(dd_context *ctx, assigner *s)
{
    uint32_t before = DD_NO_INDEX;
    while (s->size < s->a->nrows && s->size != before) {
        before = s->size;
        update_duals(s, distances(s));
        /* every shortest path is tight now, so a maximum matching of the tight entries augments along many of them
         * at once */
        dd_pattern tight = tight_pattern(s);
        dd_status st = dd_graph_match(&s->size, ctx, &tight, NULL, true, s->row_match, s->col_match);
        if (st != DD_OK) {
            return st;
        }
        s->phases++;
    }
    return DD_OK;
}

static dd_status check_sigma(dd_context *ctx, const dd_pattern *a, const int32_t *sigma)
{
    for (uint32_t e = 0; e < a->ptr[a->nrows]; e++) {
        if (sigma[e] < 0 || sigma[e] > SIGMA_MAX) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "a derivative order is outside 0..%d", SIGMA_MAX);
        }
    }
    return DD_OK;
}

static int64_t transversal_value(const dd_pattern *a, const int32_t *sigma, const uint32_t *row_match)
{
    int64_t value = 0;
    for (uint32_t i = 0; i < a->nrows; i++) {
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            value += a->idx[e] == row_match[i] ? sigma[e] : 0;
        }
    }
    return value;
}

static dd_status assign_square(dd_context *ctx, const dd_pattern *a, const int32_t *sigma, uint32_t *row_match,
                               uint32_t *col_match, int64_t *row_dual, int64_t *col_dual, dd_assign_info *out)
{
    dd_work w = {.ctx = ctx};
    assigner s = {.a = a, .sigma = sigma, .row_match = row_match, .col_match = col_match};
    s.c = row_dual;
    s.d = col_dual;
    /* workspace first, checked together below; the duals live in the caller's arrays */
    s.row_dist = dd_work_array(&w, a->nrows, sizeof *s.row_dist);
    s.col_dist = dd_work_array(&w, a->ncols, sizeof *s.col_dist);
    s.tight_ptr = dd_work_array(&w, (size_t)a->nrows + 1, sizeof *s.tight_ptr);
    s.tight_idx = dd_work_array(&w, a->ptr[a->nrows], sizeof *s.tight_idx);
    s.queue = dd_radix_make(&w, a->ncols);
    dd_status st = DD_OUT_OF_MEMORY;
    if (!w.failed) {
        start(&s);
        st = run_phases(ctx, &s);
    }
    dd_work_free(&w);
    out->size = s.size;
    out->phases = s.phases;
    return st;
}

dd_status dd_graph_assign(dd_assign_info *out, dd_context *ctx, const dd_pattern *a, const int32_t *sigma,
                          uint32_t *row_match, uint32_t *col_match, int64_t *row_dual, int64_t *col_dual)
{
    memset(out, 0, sizeof *out);
    memset(row_match, 0xff, (size_t)a->nrows * sizeof *row_match);
    memset(col_match, 0xff, (size_t)a->ncols * sizeof *col_match);
    dd_status st = check_sigma(ctx, a, sigma);
    /* a rectangular pattern has no perfect matching: its maximum matching below is all there is to say */
    if (st == DD_OK && a->nrows == a->ncols) {
        st = assign_square(ctx, a, sigma, row_match, col_match, row_dual, col_dual, out);
    }
    if (st != DD_OK) {
        return st;
    }
    out->perfect = a->nrows == a->ncols && out->size == a->nrows;
    /* perfect: sum sigma over the transversal is the structural number of degrees of freedom */
    if (out->perfect) {
        out->value = transversal_value(a, sigma, row_match);
        return DD_OK;
    }
    /* singular: extend the present matching to a maximum one of the whole pattern, for the diagnosis */
    return dd_graph_match(&out->size, ctx, a, NULL, true, row_match, col_match);
}

/* ---- offsets ----
 *
 * Write c_i = c0_i - q_i and d_j = d0_j - q_i for the row i matched with j, where (c0, d0) are the duals. The
 * conditions d_j - c_i >= sigma_ij become q_k <= q_i + r_ij with k the row of column j, and c >= 0, d >= dmin become
 * q_i <= b_i = min(c0_i, d0_j(i) - dmin_j(i)). The smallest offsets have the largest q, which is the shortest distance
 * q_k = min_i (b_i + dist(i, k)): one Dijkstra with every row as a source.
 */
typedef struct offsetter {
    const dd_pattern *a;
    const int32_t *sigma;
    const uint32_t *row_match;
    const int64_t *c0, *d0;
    uint32_t *col_match;
    uint8_t *done;
    dd_radix queue; /* rows, keyed by q - base */
    int64_t base;   /* smallest b_i */
} offsetter;

/* Checks that the duals prove the transversal optimal; fills col_match. */
static bool verify_duals(offsetter *o)
{
    const dd_pattern *a = o->a;
    memset(o->col_match, 0xff, (size_t)a->ncols * sizeof *o->col_match);
    for (uint32_t i = 0; i < a->nrows; i++) {
        /* r_ij >= 0 everywhere and = 0 on the transversal: complementary slackness, the proof of optimality */
        bool tight = false;
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            uint32_t j = a->idx[e];
            int64_t r = o->d0[j] - o->c0[i] - o->sigma[e];
            if (r < 0) {
                return false;
            }
            tight = tight || (j == o->row_match[i] && r == 0);
        }
        /* a matched column that is not tight, or one that two rows claim, is no transversal */
        if (!tight || o->col_match[o->row_match[i]] != DD_NO_INDEX) {
            return false;
        }
        o->col_match[o->row_match[i]] = i;
    }
    return true;
}

static int64_t bound_of(const offsetter *o, const uint32_t *dmin, uint32_t i)
{
    /* c_i = c0_i - q >= 0 and d_j = d0_j - q >= dmin_j */
    uint32_t j = o->row_match[i];
    int64_t from_d = o->d0[j] - (dmin != NULL ? (int64_t)dmin[j] : 0);
    return o->c0[i] < from_d ? o->c0[i] : from_d;
}

static void push_sources(offsetter *o, const uint32_t *dmin)
{
    /* the queue takes keys from 0 on, so all bounds are shifted by the smallest */
    o->base = INT64_MAX;
    for (uint32_t i = 0; i < o->a->nrows; i++) {
        int64_t b = bound_of(o, dmin, i);
        o->base = b < o->base ? b : o->base;
    }
    dd_radix_clear(&o->queue);
    for (uint32_t i = 0; i < o->a->nrows; i++) {
        dd_radix_push(&o->queue, i, (uint64_t)(bound_of(o, dmin, i) - o->base));
    }
}

static dd_status shortest(dd_context *ctx, offsetter *o, uint32_t max_offset, uint32_t *c, uint32_t *d)
{
    const dd_pattern *a = o->a;
    /* rows leave the queue with their final q; the largest q has the smallest offsets */
    while (o->queue.count > 0) {
        uint32_t i = dd_radix_pop(&o->queue), j = o->row_match[i];
        o->done[i] = 1;
        int64_t q = (int64_t)o->queue.last + o->base;
        int64_t ci = o->c0[i] - q, dj = o->d0[j] - q;
        /* the limit is tested before the offsets are narrowed to 32 bits */
        if (ci > max_offset || dj > max_offset) {
            return dd_fail(ctx, DD_LIMIT, "an equation would have to be differentiated more than %u times", max_offset);
        }
        c[i] = (uint32_t)ci;
        d[j] = (uint32_t)dj;
        /* q_k <= q_i + r_ij for the row k matched with each column of row i */
        for (uint32_t e = a->ptr[i]; e < a->ptr[i + 1]; e++) {
            uint32_t col = a->idx[e], k = o->col_match[col];
            if (!o->done[k]) {
                int64_t r = o->d0[col] - o->c0[i] - o->sigma[e];
                dd_radix_push(&o->queue, k, o->queue.last + (uint64_t)r);
            }
        }
    }
    return DD_OK;
}

dd_status dd_graph_offsets(dd_context *ctx, const dd_pattern *a, const dd_transversal *t, const uint32_t *dmin,
                           uint32_t max_offset, uint32_t *c, uint32_t *d)
{
    dd_work w = {.ctx = ctx};
    offsetter o = {.a = a, .sigma = t->sigma, .row_match = t->row_match, .c0 = t->row_dual, .d0 = t->col_dual};
    o.col_match = dd_work_array(&w, a->ncols, sizeof *o.col_match);
    o.done = dd_work_array(&w, a->nrows, sizeof *o.done);
    o.queue = dd_radix_make(&w, a->nrows);
    dd_status st = w.failed ? DD_OUT_OF_MEMORY : DD_OK;
    /* without the certificate the shortest distances below would not be the smallest offsets */
    if (st == DD_OK && (a->nrows != a->ncols || !verify_duals(&o))) {
        st = dd_fail(ctx, DD_INVALID_ARGUMENT, "the duals do not prove the transversal optimal");
    }
    if (st == DD_OK && a->nrows > 0) {
        push_sources(&o, dmin);
        st = shortest(ctx, &o, max_offset, c, d);
    }
    dd_work_free(&w);
    return st;
}
