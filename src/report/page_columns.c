/* page_columns.c - numbers as base64 of little-endian doubles or floats. */
#include "report/page_columns.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

/* Up to this many numbers a page of doubles is 3 MB at most; beyond it 32 bits are what a screen can show. */
enum { MOST_DOUBLES = 300000 };

typedef struct column {
    const double *values;
    uint64_t count;
    size_t stride;
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
    const column wanted = {values, count, stride == 0 ? 1 : stride};
    for (uint32_t i = 0; i < c->list.len; i++) {
        const column *k = &c->list.data[i];
        if (k->values == values && k->count == count && k->stride == wanted.stride) {
            return i;
        }
    }
    dd_vec_push(c->pool, &c->list, wanted);
    return c->list.len - 1;
}

/* ---- base64 ---- */

typedef struct encoder {
    dd_text *out;
    uint8_t waiting[3];
    uint32_t n;
} encoder;

static void encode_group(encoder *e)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)e->waiting[0] << 16 | (uint32_t)e->waiting[1] << 8 | e->waiting[2];
    char text[4] = {letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63]};
    for (uint32_t i = e->n + 1; i < 4; i++) {
        text[i] = '=';
    }
    dd_text_add_n(e->out, text, 4);
    memset(e->waiting, 0, sizeof e->waiting);
    e->n = 0;
}

static void encode(encoder *e, uint64_t bits, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++) {
        e->waiting[e->n++] = (uint8_t)(bits >> (8 * i));
        if (e->n == 3) {
            encode_group(e);
        }
    }
}

/* ---- blocks ---- */

static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_float(double value)
{
    const float near = (float)value;
    uint32_t bits;
    memcpy(&bits, &near, sizeof bits);
    return bits;
}

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
    encoder e = {.out = out};
    for (uint64_t i = 0; i < col->count; i++) {
        enum { EVERY = 1 << 14 };
        if (i % EVERY == 0) {
            dd_check_stop(dd_pool_context(c->pool));
        }
        const double value = col->values[i * col->stride];
        encode(&e, wide ? bits_of_double(value) : bits_of_float(value - offset), wide ? 8 : 4);
    }
    if (e.n > 0) {
        encode_group(&e);
    }
    dd_text_add(out, "</script>\n");
}

void dd_page_columns_write(const dd_page_columns *c, dd_text *out)
{
    uint64_t numbers = 0;
    for (uint32_t k = 0; k < c->list.len; k++) {
        numbers += c->list.data[k].count;
    }
    for (uint32_t k = 0; k < c->list.len; k++) {
        write_block(c, k, numbers <= MOST_DOUBLES, out);
    }
}
