/* page_columns.c - numbers as base64 of little-endian doubles or floats. */
#include "report/page_columns.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "report/base64.h"

/* Up to this many numbers a page of doubles is 3 MB at most; beyond it 32 bits are what a screen can show. */
enum { MOST_DOUBLES = 300000 };
/* Numbers of 32 bits that a page of less than 30 MB can hold, beside its text. */
enum { MOST_NUMBERS = 5300000 };

typedef struct column {
    const double *values;
    uint64_t count;
    size_t stride;
    const uint64_t *rows; /* `kept` of them are written; NULL: all */
    uint64_t kept;
} column;

struct dd_page_columns {
    dd_pool *pool;
    DD_VEC(column) list;
};

dd_page_columns *dd_page_columns_new(dd_pool *pool)
{
    dd_page_columns *c = dd_pool_alloc(pool, sizeof *c);
    *c = (dd_page_columns){.pool = pool};
    return c;
}

uint32_t dd_page_columns_add(dd_page_columns *c, const double *values, uint64_t count, size_t stride)
{
    const column wanted = {.values = values, .count = count, .stride = stride == 0 ? 1 : stride, .kept = count};
    for (uint32_t i = 0; i < c->list.len; i++) {
        const column *k = &c->list.data[i];
        if (k->values == values && k->count == count && k->stride == wanted.stride) {
            return i;
        }
    }
    dd_vec_push(c->pool, &c->list, wanted);
    return c->list.len - 1;
}

/* ---- fewer rows ---- */

/* Columns with the same number of rows are thinned alike: x and y of a line stay together. */
static uint32_t columns_like(const dd_page_columns *c, uint64_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->list.len; i++) {
        n += c->list.data[i].count == count ? 1 : 0;
    }
    return n;
}

static void mark_extremes(const column *k, uint64_t begin, uint64_t end, bool *keep)
{
    uint64_t low = begin, high = begin;
    for (uint64_t i = begin; i < end; i++) {
        const double value = k->values[i * k->stride];
        low = value < k->values[low * k->stride] ? i : low;
        high = value > k->values[high * k->stride] ? i : high;
    }
    keep[low] = keep[high] = true;
}

/* Marks the extremes of so many stretches of rows in all columns of `count`; returns how many rows that are. */
static uint64_t mark_stretches(const dd_page_columns *c, uint64_t count, uint64_t stretches, bool *keep)
{
    memset(keep, 0, count * sizeof *keep);
    for (uint64_t s = 0; s < stretches; s++) {
        const uint64_t begin = (uint64_t)((double)count * (double)s / (double)stretches);
        const uint64_t end = (uint64_t)((double)count * (double)(s + 1) / (double)stretches);
        for (uint32_t i = 0; i < c->list.len && begin < end; i++) {
            if (c->list.data[i].count == count) {
                mark_extremes(&c->list.data[i], begin, end, keep);
            }
        }
    }
    keep[0] = keep[count - 1] = true;
    dd_check_stop(dd_pool_context(c->pool));
    uint64_t kept = 0;
    for (uint64_t i = 0; i < count; i++) {
        kept += keep[i] ? 1 : 0;
    }
    return kept;
}

/* All columns of `count` rows keep nearly `wanted` of them. */
static void thin_rows(dd_page_columns *c, uint64_t count, uint64_t wanted)
{
    enum { ROUNDS = 3 };
    uint64_t stretches = wanted / (2 * (uint64_t)columns_like(c, count)) + 1;
    bool *keep = dd_pool_alloc_array(c->pool, count, sizeof *keep);
    uint64_t kept = mark_stretches(c, count, stretches, keep);
    /* extremes of smooth columns are at the ends of a stretch, the same for many: then there may be more stretches */
    for (int k = 0; k < ROUNDS && kept < wanted / 2; k++) {
        const double more = 0.8 * (double)wanted / (double)kept;
        const uint64_t before = stretches;
        stretches = (uint64_t)(more * (double)stretches) + 1;
        kept = mark_stretches(c, count, stretches, keep);
        if (kept > wanted) {
            kept = mark_stretches(c, count, before, keep);
            break;
        }
    }
    uint64_t n = 0, *rows = dd_pool_alloc_array(c->pool, kept, sizeof *rows);
    for (uint64_t i = 0; i < count; i++) {
        if (keep[i]) {
            rows[n++] = i;
        }
    }
    for (uint32_t i = 0; i < c->list.len; i++) {
        column *k = &c->list.data[i];
        k->rows = k->count == count ? rows : k->rows;
        k->kept = k->count == count ? kept : k->kept;
    }
}

uint64_t dd_page_columns_thin(dd_page_columns *c)
{
    uint64_t numbers = 0, longest = 0;
    for (uint32_t i = 0; i < c->list.len; i++) {
        numbers += c->list.data[i].count;
        longest = longest < c->list.data[i].count ? c->list.data[i].count : longest;
    }
    if (numbers <= MOST_NUMBERS) {
        return 0;
    }
    /* every table by the same part, the short ones not at all */
    enum { SHORT = 10000 };
    const double part = (double)MOST_NUMBERS / (double)numbers;
    for (uint32_t i = 0; i < c->list.len; i++) {
        const column *k = &c->list.data[i];
        if (k->rows == NULL && k->count > SHORT) {
            thin_rows(c, k->count, (uint64_t)(part * (double)k->count));
        }
    }
    for (uint32_t i = 0; i < c->list.len; i++) {
        if (c->list.data[i].count == longest) {
            return c->list.data[i].kept;
        }
    }
    return 0;
}

/* ---- blocks ---- */

/* Numbers far from zero with a small extent, such as late times, are written as differences: 0 else. */
static double offset_of(const column *k)
{
    double low = INFINITY, high = -INFINITY;
    for (uint64_t i = 0; i < k->count; i++) {
        const double value = k->values[i * k->stride];
        if (isfinite(value)) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    }
    const double size = fmax(fabs(low), fabs(high));
    return low <= high && isfinite(high - low) && high - low < 0.25 * size ? 0.5 * (low + high) : 0;
}

static void write_block(const dd_page_columns *c, uint32_t k, bool wide, dd_text *out)
{
    const column *col = &c->list.data[k];
    const double offset = wide ? 0 : offset_of(col);
    char number[32];
    dd_text_printf(out, "<script type=\"text/plain\" id=\"c%u\" data-type=\"%s\" data-offset=\"%s\">", k,
                   wide ? "f64" : "f32", dd_number_text(offset, number));
    dd_base64 e = {.out = out};
    for (uint64_t i = 0; i < col->kept; i++) {
        enum { EVERY = 1 << 14 };
        if (i % EVERY == 0) {
            dd_check_stop(dd_pool_context(c->pool));
        }
        const double value = col->values[(col->rows != NULL ? col->rows[i] : i) * col->stride];
        if (wide) {
            dd_base64_double(&e, value);
        } else {
            dd_base64_float(&e, value - offset);
        }
    }
    dd_base64_end(&e);
    dd_text_add(out, "</script>\n");
}

void dd_page_columns_write(const dd_page_columns *c, dd_text *out)
{
    uint64_t numbers = 0;
    for (uint32_t k = 0; k < c->list.len; k++) {
        numbers += c->list.data[k].kept;
    }
    for (uint32_t k = 0; k < c->list.len; k++) {
        write_block(c, k, numbers <= MOST_DOUBLES, out);
    }
}
