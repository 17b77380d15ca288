/* table.c - rows of a table over time, and values between them. */
#include "result/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"

/* ---- rows ---- */

enum { FIRST_ROWS = 256 };

static bool grow(dd_table *t, dd_context *ctx, uint64_t capacity)
{
    double *data =
        dd_mem_resize(ctx, t->data, t->capacity * t->width * sizeof *data, capacity * t->width * sizeof *data);
    if (!data) {
        return false;
    }
    t->data = data;
    t->capacity = capacity;
    return true;
}

double *dd_table_new_row(dd_table *t, dd_context *ctx)
{
    /* doubling, except that a grid's number of rows is known beforehand */
    if (t->count == t->capacity) {
        uint64_t more = t->capacity == 0 ? FIRST_ROWS : 2 * t->capacity;
        more = t->expected > t->capacity && t->expected < more ? t->expected : more;
        if (!grow(t, ctx, more)) {
            return NULL;
        }
    }
    return t->data + t->count++ * t->width;
}

dd_status dd_table_add(dd_table *t, dd_context *ctx, double time, const double *values)
{
    double *row = dd_table_new_row(t, ctx);
    if (!row) {
        return DD_OUT_OF_MEMORY;
    }
    row[0] = time;
    memcpy(row + 1, values, (t->width - 1) * sizeof *row);
    return DD_OK;
}

void dd_table_free(dd_table *t, dd_context *ctx)
{
    dd_mem_free(ctx, t->data, t->capacity * t->width * sizeof *t->data);
    t->data = NULL;
    t->count = t->capacity = 0;
}

/* ---- tables of a pool ---- */

typedef struct pooled {
    dd_table table; /* the first member: a table of the pool is one of these */
    dd_context *ctx;
} pooled;

static void release(void *thing)
{
    pooled *p = thing;
    dd_table_free(&p->table, p->ctx);
}

dd_table *dd_table_of_pool(dd_pool *pool, uint32_t columns)
{
    pooled *p = dd_pool_alloc(pool, sizeof *p);
    p->ctx = dd_pool_context(pool);
    p->table.width = 1 + columns;
    dd_pool_keep(pool, p, release);
    return &p->table;
}

void dd_table_reserve(dd_table *t, dd_pool *pool, uint64_t rows)
{
    if (rows > t->capacity && !grow(t, dd_pool_context(pool), rows)) {
        dd_raise(dd_pool_context(pool), DD_OUT_OF_MEMORY, NULL);
    }
}

double *dd_table_push_row(dd_table *t, dd_pool *pool)
{
    double *row = dd_table_new_row(t, dd_pool_context(pool));
    if (!row) {
        dd_raise(dd_pool_context(pool), DD_OUT_OF_MEMORY, NULL);
    }
    return row;
}

void dd_table_push(dd_table *t, dd_pool *pool, double time, const double *values)
{
    double *row = dd_table_push_row(t, pool);
    row[0] = time;
    memcpy(row + 1, values, (t->width - 1) * sizeof *row);
}

dd_table *dd_table_merge(const dd_table *a, const dd_table *b, dd_pool *pool)
{
    dd_table *all = dd_table_of_pool(pool, a->width - 1);
    dd_table_reserve(all, pool, a->count + b->count);
    all->columns = a->columns;
    for (uint64_t i = 0, k = 0; i < a->count || k < b->count;) {
        const bool first = k == b->count || (i < a->count && dd_table_time(a, i) <= dd_table_time(b, k));
        const double *row = first ? dd_table_row(a, i++) : dd_table_row(b, k++);
        dd_table_push(all, pool, row[0], row + 1);
    }
    return all;
}

/* ---- between the rows ---- */

dd_table_place dd_table_find(const dd_table *t, double time, double edge, bool closed)
{
    uint64_t low = 0, high = t->count; /* rows before `low` are before the edge */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const double at = dd_table_time(t, middle);
        if (closed ? at <= edge : at < edge) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* held before the first row and behind the last one */
    dd_table_place p = {.row = low > 0 ? low - 1 : 0};
    if (low > 0 && low < t->count) {
        const double begin = dd_table_time(t, low - 1);
        p.s = (time - begin) / (dd_table_time(t, low) - begin);
    }
    return p;
}

double dd_table_value(const dd_table *t, dd_table_place at, uint32_t c)
{
    const double *v = dd_table_row(t, at.row) + 1 + c;
    /* both weights: exactly the values of the rows at s = 0 and s = 1 */
    return at.s > 0 ? (1 - at.s) * v[0] + at.s * v[t->width] : v[0];
}

double dd_rounded_beside(double size, double value)
{
    const double rounding = 1e-14; /* a few units of the last digit of what the value is a sum of */
    return fabs(value) < rounding * size ? 0 : value;
}

double dd_rounded_digits(double value, int digits)
{
    if (value == 0 || !isfinite(value)) {
        return value;
    }
    /* a power of ten that is a whole number, or one that is divided by: both are exact */
    const int places = digits - 1 - (int)floor(log10(fabs(value)));
    const double power = pow(10, abs(places));
    return !isfinite(power) ? value : places < 0 ? round(value / power) * power : round(value * power) / power;
}

double dd_table_rounded(const dd_table *t, uint32_t c, double value)
{
    double size = 0;
    for (uint64_t i = 0; i < t->count; i++) {
        size = fmax(size, fabs(dd_table_row(t, i)[1 + c]));
    }
    return dd_rounded_beside(size, value);
}
