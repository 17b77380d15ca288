/* passed.c - the rows remembered at a column, and whether a passing row lies in their span.
 *
 * Remembered rows b_1, b_2, ... of a column are in echelon form in the order of remembering: b_k has no entry in the
 * pivot columns of b_1 .. b_{k-1}. A copy of the travelling row is reduced by them in that order; the row itself goes
 * on unchanged. Where many rows are remembered, those with their pivot in the copy are found by a hash table.
 */
#include <math.h>
#include <string.h>

#include "la/travel.h"

/* Up to this many remembered rows are simply tried one after the other. */
enum { SCAN = 8 };

/* ---- finding a remembered row by its pivot column ---- */

static size_t place_of(const dd_rowspace *rs, uint32_t at, uint32_t column)
{
    /* Fibonacci hashing of the pair (column where remembered, pivot column), linear probing */
    uint64_t h = ((uint64_t)at << 32 | column) * 0x9e3779b97f4a7c15u;
    size_t k = (size_t)(h >> 20) & (rs->lookup_cap - 1);
    while (rs->lookup[k].passed != DD_NO_INDEX && (rs->lookup[k].at != at || rs->lookup[k].column != column)) {
        k = (k + 1) & (rs->lookup_cap - 1);
    }
    return k;
}

static dd_status grow_lookup(dd_rowspace *rs)
{
    size_t old_cap = rs->lookup_cap, cap = old_cap > 0 ? 2 * old_cap : 64;
    struct dd_passed_key *old = rs->lookup, *fresh = dd_mem_new_array(rs->ctx, cap, sizeof *fresh);
    if (fresh == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    /* all bits set is DD_NO_INDEX: every place is empty */
    memset(fresh, 0xff, cap * sizeof *fresh);
    rs->lookup = fresh;
    rs->lookup_cap = cap;
    for (size_t k = 0; k < old_cap; k++) {
        if (old[k].passed != DD_NO_INDEX) {
            rs->lookup[place_of(rs, old[k].at, old[k].column)] = old[k];
        }
    }
    dd_mem_free(rs->ctx, old, old_cap * sizeof *old);
    return DD_OK;
}

static dd_status enter(dd_rowspace *rs, uint32_t at, uint32_t passed)
{
    /* at most half full keeps the probes short */
    if (2 * (rs->lookup_len + 1) > rs->lookup_cap && grow_lookup(rs) != DD_OK) {
        return DD_OUT_OF_MEMORY;
    }
    uint32_t column = rs->passed[passed].column;
    rs->lookup[place_of(rs, at, column)] = (struct dd_passed_key){at, column, passed};
    rs->lookup_len++;
    return DD_OK;
}

/* ---- rows still to be subtracted, a heap by age ---- */

static void pending_push(dd_rowspace *rs, uint32_t passed)
{
    dd_row_column *h = rs->column;
    uint32_t k = rs->pending_len++;
    while (k > 0 && passed < h[(k - 1) / 2].pending) {
        h[k].pending = h[(k - 1) / 2].pending;
        k = (k - 1) / 2;
    }
    h[k].pending = passed;
}

static uint32_t pending_pop(dd_rowspace *rs)
{
    /* sift down: move the hole from the top until `last` fits */
    dd_row_column *h = rs->column;
    uint32_t top = h[0].pending, last = h[--rs->pending_len].pending, k = 0, n = rs->pending_len;
    while (2 * k + 1 < n) {
        uint32_t child = 2 * k + 1;
        if (child + 1 < n && h[child + 1].pending < h[child].pending) {
            child++;
        }
        if (last <= h[child].pending) {
            break;
        }
        h[k].pending = h[child].pending;
        k = child;
    }
    h[k].pending = last;
    return top;
}

/* ---- the copy ---- */

/* Column i joins the copy of length len. at: where rows are looked up, or DD_NO_INDEX when they are tried in turn. */
static uint32_t join_copy(dd_rowspace *rs, uint32_t i, uint32_t len, uint32_t at)
{
    rs->column[i].in_copy = true;
    rs->column[len].list = i;
    /* many rows remembered: only one whose pivot column is in the copy can reduce it */
    if (at != DD_NO_INDEX) {
        uint32_t k = rs->lookup[place_of(rs, at, i)].passed;
        if (k != DD_NO_INDEX) {
            pending_push(rs, k);
        }
    }
    return len + 1;
}

static uint32_t copy_row(dd_rowspace *rs, uint32_t at)
{
    uint32_t len = 0;
    /* the pattern of the travelling row is its heap */
    for (uint32_t k = 0; k < rs->heap_len; k++) {
        dd_row_column *c = &rs->column[rs->column[k].heap];
        c->value2 = c->value;
        c->magnitude2 = c->magnitude;
        len = join_copy(rs, rs->column[k].heap, len, at);
    }
    return len;
}

/* Reduces the copy by one remembered row; returns the new length of the copy. */
static uint32_t reduce_copy(dd_rowspace *rs, const dd_passed *p, uint32_t len, uint32_t at)
{
    dd_row_column *lead = &rs->column[p->column];
    /* nothing to eliminate: the copy has no entry in the pivot column, or one that is rounding */
    if (!lead->in_copy || dd_entry_is_zero(rs, lead->value2, lead->magnitude2)) {
        lead->value2 = 0;
        return len;
    }
    double factor = lead->value2 / p->value;
    lead->value2 = 0;
    /* copy -= (lead / pivot) b; fill-in joins the copy and may call for further remembered rows */
    for (size_t e = p->start; e < p->start + p->len; e++) {
        uint32_t i = rs->entries.data[e].idx;
        dd_row_column *c = &rs->column[i];
        double term = factor * rs->entries.data[e].val;
        if (!c->in_copy) {
            c->value2 = c->magnitude2 = 0;
            len = join_copy(rs, i, len, at);
        }
        c->value2 -= term;
        c->magnitude2 = fmax(c->magnitude2, fabs(term));
    }
    rs->info.work += p->len + 1;
    return len;
}

static uint32_t reduce_by_all(dd_rowspace *rs, uint32_t j)
{
    uint32_t at = rs->column[j].remembered > SCAN ? j : DD_NO_INDEX, len = copy_row(rs, at);
    /* few rows: each in order of remembering */
    if (at == DD_NO_INDEX) {
        for (uint32_t k = rs->column[j].first; k != DD_NO_INDEX; k = rs->passed[k].next) {
            len = reduce_copy(rs, &rs->passed[k], len, at);
        }
    }
    /* many: oldest first, since the echelon form holds in that order only */
    while (rs->pending_len > 0) {
        len = reduce_copy(rs, &rs->passed[pending_pop(rs)], len, at);
    }
    return len;
}

/* The column where the copy is largest, or DD_NO_INDEX when it is zero. */
static uint32_t largest_of_copy(dd_rowspace *rs, uint32_t len)
{
    uint32_t best = DD_NO_INDEX;
    double largest = 0;
    for (uint32_t k = 0; k < len; k++) {
        /* the largest scaled entry that is not rounding */
        const dd_row_column *c = &rs->column[rs->column[k].list];
        if (c->value2 != 0 && !dd_entry_is_zero(rs, c->value2, c->magnitude2) && fabs(c->value2) * c->scale > largest) {
            largest = fabs(c->value2) * c->scale;
            best = rs->column[k].list;
        }
    }
    return best;
}

/* ---- remembering ---- */

/* Puts passed row k behind the others of column j. */
static dd_status append(dd_rowspace *rs, uint32_t j, uint32_t k)
{
    dd_row_column *c = &rs->column[j];
    if (c->first == DD_NO_INDEX) {
        c->first = k;
    } else {
        rs->passed[c->last].next = k;
    }
    c->last = k;
    c->remembered++;
    dd_status st = DD_OK;
    if (c->remembered == SCAN + 1) { /* from now on by lookup: enter all */
        for (uint32_t i = c->first; i != DD_NO_INDEX && st == DD_OK; i = rs->passed[i].next) {
            st = enter(rs, j, i);
        }
    } else if (c->remembered > SCAN) {
        st = enter(rs, j, k);
    }
    return st;
}

/* Remembers the rest of the copy, with its pivot in column best. */
static dd_status remember(dd_rowspace *rs, uint32_t j, uint32_t best, uint32_t len)
{
    dd_passed p = {.start = rs->entries.len, .value = rs->column[best].value2, .column = best, .next = DD_NO_INDEX};
    /* entries that are rounding would only cost time in later comparisons */
    for (uint32_t k = 0; k < len; k++) {
        uint32_t i = rs->column[k].list;
        const dd_row_column *c = &rs->column[i];
        if (i != best && fabs(c->value2) > rs->options.tol * c->magnitude2) {
            if (dd_pairs_push(rs->ctx, &rs->entries, i, c->value2) != DD_OK) {
                return DD_OUT_OF_MEMORY;
            }
        }
    }
    p.len = (uint32_t)(rs->entries.len - p.start);
    void *grown = dd_grow(rs->ctx, rs->passed, &rs->passed_cap, (size_t)rs->passed_len + 1, sizeof p);
    if (grown == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    rs->passed = grown;
    rs->passed[rs->passed_len] = p;
    return append(rs, j, rs->passed_len++);
}

dd_status dd_passed_compare(dd_rowspace *rs, uint32_t j, bool keep, bool *zero)
{
    double dropped = rs->row_dropped;
    /* the verdict: the row lies in the span of the remembered ones when nothing of its copy is left */
    uint32_t len = reduce_by_all(rs, j), best = largest_of_copy(rs, len);
    dd_status st = DD_OK;
    *zero = best == DD_NO_INDEX;
    if (!*zero) {
        rs->row_dropped = dropped; /* the row goes on unchanged: entries dropped from the copy do not matter */
        st = keep ? remember(rs, j, best, len) : DD_OK;
    }
    /* leave no marks behind */
    for (uint32_t k = 0; k < len; k++) {
        rs->column[rs->column[k].list].in_copy = false;
    }
    rs->steps = 0;
    return st;
}
