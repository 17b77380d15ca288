/* travel.c - how a sparse row is reduced on its way through the columns (see travel.h and rowspace.h).
 *
 * Zero decisions follow the backward error of elimination: an entry r_c is the sum of a_c and of products l_k u_kc; if
 * it is below tol times the largest of these, a relative change of that size in the data makes it zero. Nothing else
 * enters, so the decision is the same in all units.
 */
#include "la/travel.h"

#include <math.h>
#include <string.h>

/* Columns within this many positions are compared for the pivot; others only when all of these are smaller by far. */
enum { NEAR = 256 };
/* Reductions between two questions whether to stop: each takes microseconds. */
enum { STOP_EVERY = 64 };
static const double far_threshold = 1e-6;

/* Multipliers outside 2^-40 .. 2^40 call for rescaling the travelling row. */
static const double multiplier_large = 0x1p40, multiplier_small = 0x1p-40;

void *dd_grow(dd_context *ctx, void *data, size_t *cap, size_t need, size_t element_size)
{
    if (need <= *cap) {
        return data;
    }
    /* growth by half keeps the total cost of copying linear */
    size_t want = need + need / 2 + 8;
    void *p = data == NULL ? dd_mem_new(ctx, want * element_size)
                           : dd_mem_resize(ctx, data, *cap * element_size, want * element_size);
    if (p != NULL) {
        *cap = want;
    }
    return p;
}

dd_status dd_pairs_push(dd_context *ctx, dd_pairs *p, uint32_t idx, double val)
{
    if (p->len == p->cap) {
        void *data = dd_grow(ctx, p->data, &p->cap, p->len + 1, sizeof *p->data);
        if (data == NULL) {
            return DD_OUT_OF_MEMORY;
        }
        p->data = data;
    }
    p->data[p->len++] = (struct dd_pair){idx, val};
    return DD_OK;
}

/* ---- the heap ---- */

static void heap_push(dd_rowspace *rs, uint32_t c)
{
    dd_row_column *h = rs->column;
    /* sift up */
    uint32_t k = rs->heap_len++;
    while (k > 0 && dd_column_before(rs, c, h[(k - 1) / 2].heap)) {
        h[k].heap = h[(k - 1) / 2].heap;
        k = (k - 1) / 2;
    }
    h[k].heap = c;
}

static uint32_t heap_pop(dd_rowspace *rs)
{
    dd_row_column *h = rs->column;
    uint32_t top = h[0].heap, last = h[--rs->heap_len].heap, k = 0, n = rs->heap_len;
    /* sift down: the hole moves to the smaller child */
    while (2 * k + 1 < n) {
        uint32_t child = 2 * k + 1;
        if (child + 1 < n && dd_column_before(rs, h[child + 1].heap, h[child].heap)) {
            child++;
        }
        if (!dd_column_before(rs, h[child].heap, last)) {
            break;
        }
        h[k].heap = h[child].heap;
        k = child;
    }
    h[k].heap = last;
    return top;
}

void dd_travel_put(dd_rowspace *rs, uint32_t column, double value, double magnitude)
{
    dd_row_column *c = &rs->column[column];
    /* a column that joins the row goes on the heap; its value may still cancel to zero later */
    if (!c->in_row) {
        c->in_row = true;
        c->value = c->magnitude = 0;
        heap_push(rs, column);
    }
    c->value += value;
    c->magnitude = fmax(c->magnitude, magnitude);
}

/* ---- decisions ---- */

bool dd_entry_is_zero(dd_rowspace *rs, double value, double magnitude)
{
    /* a magnitude of zero means that nothing was ever added: then the value is zero, too */
    if (fabs(value) > rs->options.tol * magnitude) {
        return false;
    }
    rs->row_dropped = fmax(rs->row_dropped, magnitude > 0 ? fabs(value) / magnitude : 0);
    return true;
}

/* Distance of two columns in the elimination order, in positions. */
static uint64_t distance(const dd_rowspace *rs, uint32_t from, uint32_t to)
{
    return (rs->column[to].key >> 32) - (rs->column[from].key >> 32);
}

/* May free column j carry the pivot? Yes (DD_NO_INDEX) for partial sums, and when its entry is large enough within the
 * row; otherwise the column of a larger entry. Partial sums are not compared: their unit is arbitrary, and columns
 * must not move behind them. Columns far behind (one that is in all rows, say) matter only when they are very much
 * larger, since columns moved behind them stay in the way of everything between. */
static uint32_t better_column(const dd_rowspace *rs, uint32_t j)
{
    /* compare sizes in scaled columns: the decision must not depend on units */
    double own = fabs(rs->column[j].value) * rs->column[j].scale;
    double largest = own, largest_near = own;
    uint32_t best = j, best_near = j;
    for (uint32_t k = 0; k < rs->heap_len && j < rs->ncols; k++) {
        uint32_t i = rs->column[k].heap;
        const dd_row_column *c = &rs->column[i];
        double size = fabs(c->value) * c->scale;
        if (i >= rs->ncols || fabs(c->value) <= rs->options.tol * c->magnitude) {
            continue;
        }
        if (size > largest) {
            largest = size;
            best = i;
        }
        /* near columns: moving behind them costs little fill */
        if (size > largest_near && distance(rs, j, i) <= NEAR) {
            largest_near = size;
            best_near = i;
        }
    }
    /* everything near is negligible: the row would land on a pivot 1e-6 of its largest entry */
    if (largest_near < far_threshold * largest) {
        return best;
    }
    return own >= rs->options.threshold * largest_near ? DD_NO_INDEX : best_near;
}

/* ---- one reduction ---- */

/* Brings the largest entry of the row (with its leading column j, already off the heap) near 1. */
static void rescale(dd_rowspace *rs, uint32_t j)
{
    double largest = fabs(rs->column[j].value);
    /* the largest entry decides the power of two, so rescaling is exact */
    for (uint32_t k = 0; k < rs->heap_len; k++) {
        largest = fmax(largest, fabs(rs->column[rs->column[k].heap].value));
    }
    int exponent;
    frexp(largest, &exponent);
    if (largest == 0 || !isfinite(largest) || (exponent > -30 && exponent < 30)) {
        return;
    }
    for (uint32_t k = 0; k <= rs->heap_len; k++) {
        dd_row_column *c = &rs->column[k < rs->heap_len ? rs->column[k].heap : j];
        c->value = ldexp(c->value, -exponent);
        c->magnitude = ldexp(c->magnitude, -exponent);
    }
    rs->exponent += exponent;
}

/* row -= (row_j / pivot) * basis row; j is off the heap. */
static dd_status reduce(dd_rowspace *rs, uint32_t j, bool record)
{
    const dd_basis *b = &rs->basis[rs->column[j].pivot];
    double factor = rs->column[j].value / b->value;
    /* a multiplier far from 1 means that row and basis row differ in units: rescale before products over- or
     * underflow */
    if (fabs(factor) > multiplier_large || fabs(factor) < multiplier_small) {
        rescale(rs, j);
        factor = rs->column[j].value / b->value;
    }
    rs->column[j].in_row = false;
    /* the leading entry is eliminated exactly; all others are updated with their magnitudes */
    for (size_t e = b->start; e < b->start + b->len; e++) {
        double term = factor * rs->entries.data[e].val;
        dd_travel_put(rs, rs->entries.data[e].idx, -term, fabs(term));
    }
    rs->info.work += b->len + 1;
    rs->steps++;
    /* the multiplier in the scale of the row as it was given */
    if (record) {
        return dd_pairs_push(rs->ctx, &rs->history, rs->column[j].pivot, ldexp(factor, rs->exponent));
    }
    return DD_OK;
}

/* ---- the journey ---- */

/* Comparing costs about length x remembered rows, a reduction about length: so compare once in about length/2 steps,
 * a little earlier where something is remembered already. */
static bool worth_comparing(const dd_rowspace *rs, uint32_t j)
{
    return 2 * (uint64_t)rs->steps * (rs->column[j].first != DD_NO_INDEX ? 2 : 1) >= rs->heap_len;
}

static dd_status stop_requested(dd_rowspace *rs)
{
    if (rs->options.max_work > 0 && rs->info.work > rs->options.max_work) {
        return dd_fail(rs->ctx, DD_LIMIT, "the rank decision needs more than the %llu updates allowed",
                       (unsigned long long)rs->options.max_work);
    }
    return dd_poll_stop(rs->ctx);
}

/* Decides about free column j, off the heap: true when the row lands there. Otherwise the column is moved behind the
 * largest one, which comes first then: it carries the pivot or is reduced away. */
static bool land_or_postpone(dd_rowspace *rs, uint32_t j)
{
    uint32_t better = better_column(rs, j);
    if (better != DD_NO_INDEX) {
        rs->column[j].key = rs->column[better].key + 1;
        heap_push(rs, j);
    }
    return better == DD_NO_INDEX;
}

dd_status dd_travel_run(dd_rowspace *rs, dd_travel mode, uint32_t *landing)
{
    /* multipliers are kept to express the row, or later rows through it */
    bool record = mode == DD_TRAVEL_EXPRESS || (mode == DD_TRAVEL_ADD && rs->options.track);
    *landing = DD_NO_INDEX;
    rs->exponent = 0;
    rs->steps = 0;
    rs->row_dropped = 0;
    dd_status st = stop_requested(rs);
    while (rs->heap_len > 0 && st == DD_OK) {
        /* the leading column in elimination order */
        uint32_t j = heap_pop(rs);
        dd_row_column *c = &rs->column[j];
        /* cancelled: the entry leaves the row */
        if (dd_entry_is_zero(rs, c->value, c->magnitude)) {
            c->in_row = false;
        } else if (c->pivot == DD_NO_INDEX) {
            /* a free column: the row lands, or the column moves behind a larger one and the journey goes on */
            if (land_or_postpone(rs, j)) {
                *landing = j;
                return DD_OK;
            }
        } else {
            /* a pivot row is there: reduce, and now and then look whether the rest of the row is known already */
            st = reduce(rs, j, record);
            bool zero = false;
            if (st == DD_OK && rs->heap_len > 0 && mode != DD_TRAVEL_EXPRESS && worth_comparing(rs, j)) {
                st = dd_passed_compare(rs, j, mode == DD_TRAVEL_ADD, &zero);
            }
            /* in the span of the rows that passed here: dependent, nothing left to travel */
            if (zero) {
                dd_travel_clear(rs, DD_NO_INDEX);
            }
            if (st == DD_OK && rs->steps % STOP_EVERY == STOP_EVERY - 1) {
                st = stop_requested(rs);
            }
        }
    }
    if (st != DD_OK) {
        dd_travel_clear(rs, DD_NO_INDEX);
    }
    return st;
}

void dd_travel_clear(dd_rowspace *rs, uint32_t landing)
{
    for (uint32_t k = 0; k < rs->heap_len; k++) {
        rs->column[rs->column[k].heap].in_row = false;
    }
    rs->heap_len = 0;
    if (landing != DD_NO_INDEX) {
        rs->column[landing].in_row = false;
    }
}

dd_status dd_travel_settle(dd_rowspace *rs, uint32_t landing, uint32_t row, bool partial, size_t history_start)
{
    /* the new basis row: pivot at the landing column, then all entries that are not rounding */
    dd_basis b = {.start = rs->entries.len, .column = landing, .row = row, .partial = partial};
    double kept = fabs(rs->column[landing].value) / rs->column[landing].magnitude;
    b.value = rs->column[landing].value;
    b.scale = ldexp(1.0, rs->exponent);
    for (uint32_t k = 0; k < rs->heap_len; k++) {
        uint32_t j = rs->column[k].heap;
        const dd_row_column *c = &rs->column[j];
        if (fabs(c->value) > rs->options.tol * c->magnitude) {
            /* kept: the largest relative entry, a measure of how far the row is from being dependent */
            kept = fmax(kept, fabs(c->value) / c->magnitude);
            if (dd_pairs_push(rs->ctx, &rs->entries, j, c->value) != DD_OK) {
                return DD_OUT_OF_MEMORY;
            }
        }
    }
    b.len = (uint32_t)(rs->entries.len - b.start);
    b.history = history_start;
    b.history_len = (uint32_t)(rs->history.len - history_start);
    /* the row is off the heap before memory may be refused */
    dd_travel_clear(rs, landing);
    void *grown = dd_grow(rs->ctx, rs->basis, &rs->basis_cap, (size_t)rs->basis_len + 1, sizeof b);
    if (grown == NULL) {
        return DD_OUT_OF_MEMORY;
    }
    rs->basis = grown;
    rs->column[landing].pivot = rs->basis_len;
    rs->basis[rs->basis_len++] = b;
    /* a partial sum defines its own column: it adds nothing to the rank of the caller's rows */
    if (!partial) {
        rs->info.rank++;
        rs->info.kept = fmin(rs->info.kept, kept);
    }
    return DD_OK;
}
