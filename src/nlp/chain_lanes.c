/* chain_lanes.c - condensing leaves, eight intervals in the lanes of vectors (chain_lanes.h).
 *
 * LU with partial pivoting, left-looking in panels of four columns, the columns of A_e appended; rows are not moved but
 * found through `row`. All lanes share the pivots: that of the last time when it is not small beside its column in any
 * lane, otherwise the row whose smallest size relative to the column's largest, over the lanes, is largest.
 */
#include <math.h>
#include <string.h>

#include "nlp/chain_vector.h"

enum { PANEL = 4 };
static const double keep_pivot = 0.1; /* the last pivot is kept when it is this large beside its column */

/* An element whole, and one of its halves: the other is not touched. */
typedef struct whole_element {
    v8 v;
} whole_element;

typedef double half_vector __attribute__((vector_size(32), aligned(32), may_alias));
typedef struct half_element {
    half_vector v, other;
} half_element;

#define V v8
#define E whole_element
#define TILES(name) name##_whole
#include "nlp/chain_tiles.h"
#undef V
#undef E
#undef TILES
#define V half_vector
#define E half_element
#define TILES(name) name##_half
#include "nlp/chain_tiles.h"
#undef V
#undef E
#undef TILES

/* The products for one processor; value: that of a batch. */
typedef struct products_of {
    void (*reach)(double *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin, uint32_t end);
    void (*back)(double *value, const uint32_t *row, uint32_t nd, uint32_t begin, uint32_t end);
    void (*eliminate)(double *value, const uint32_t *row, uint32_t j, uint32_t end, uint32_t nd);
    void (*condense)(const chain_batch *b, double *value);
} products_of;

INLINE double smallest_lane(v8 x)
{
    double least = x[0];
    UNROLL for (int l = 1; l < CHAIN_LANES; l++)
    {
        least = x[l] < least ? x[l] : least;
    }
    return least;
}

/* The pivot of column j into place; returns the growth of every lane. */
INLINE v8 choose_pivot(v8 *value, uint32_t *row, uint32_t j, uint32_t nd)
{
    v8 largest = absolute(value[row[j] + j]);
    for (uint32_t i = j + 1; i < nd; i++) {
        largest = larger(largest, absolute(value[row[i] + j]));
    }
    const v8 own = absolute(value[row[j] + j]);
    if (smallest_lane(own - keep_pivot * largest) < 0) {
        double best = -1;
        uint32_t at = j;
        for (uint32_t i = j; i < nd; i++) {
            const double least = smallest_lane(absolute(value[row[i] + j]) / largest);
            if (least > best) {
                best = least;
                at = i;
            }
        }
        const uint32_t t = row[j];
        row[j] = row[at];
        row[at] = t;
    }
    return largest / absolute(value[row[j] + j]);
}

/* LU of the panel's columns; what came before was applied. */
INLINE void factor_panel(const products_of *p, chain_batch *b, v8 *value, uint32_t begin, uint32_t end, v8 *growth)
{
    const uint32_t nd = b->shape->nd;
    uint32_t *row = b->row;
    for (uint32_t j = begin; j < end; j++) {
        const v8 g = choose_pivot(value, row, j, nd);
        *growth = either(g <= *growth, *growth, g); /* NaN stays */
        v8 *pivot = value + row[j];
        pivot[j] = 1 / pivot[j];
        p->eliminate((double *)value, row, j, end, nd);
    }
}

INLINE void lu(const products_of *p, chain_batch *b, v8 *value)
{
    const uint32_t nd = b->shape->nd;
    v8 growth = {0};
    for (uint32_t j = 0; j < nd; j += PANEL) {
        const uint32_t end = j + PANEL < nd ? j + PANEL : nd;
        if (j > 0) {
            p->reach((double *)value, b->row, j, nd, j, end);
        }
        factor_panel(p, b, value, j, end, &growth);
    }
    memcpy(b->lu_growth, &growth, sizeof growth);
}

/* Where the inside leaves far more curvature outside than it has itself, its matrix is nearly singular although no
 * multiplier is large. */
INLINE void judge_curvature(chain_batch *b, const v8 *value, const v8 *before)
{
    const chain_shape *s = b->shape;
    v8 inside = {0}, outside = {0}, growth;
    for (uint32_t i = s->at_hu; i < s->at_g; i++) { /* H_De and H_DD */
        inside = larger(inside, absolute(value[i]));
    }
    for (uint32_t e = 0; e < s->ne; e++) {
        const v8 change = absolute(value[s->at_hee + e * (s->ne + 1)] - before[e]);
        outside = larger(outside, change - CHAIN_NOISE_OF_CHANGE * absolute(before[e]));
    }
    memcpy(&growth, b->lu_growth, sizeof growth);
    const v8 ratio = outside / (inside * CHAIN_CURVATURE_GROWTH);
    growth = either(ratio > growth, ratio, growth);
    memcpy(b->growth, &growth, sizeof growth);
}

/* H_ee and G_e of the lanes, each by itself. */
INLINE void separate(bool wide, const chain_batch *b, const v8 *value)
{
    const v8 *from = value + b->shape->at_hee;
    for (uint32_t i = 0; i < b->outs; i += CHAIN_LANES) {
        deal_out(wide, from + i, b->out + i, b->outs);
    }
}

/* Slots that a near leaf keeps between a factorisation and the next. */
INLINE void copy_slots(v8 *to, const v8 *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
}

INLINE void factor_batch(bool wide, const products_of *p, chain_batch *b, const chain_source *from, double *scratch)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)(s->near ? scratch : b->value);
    if (s->near && from->same_inside) {
        copy_slots(value, (const v8 *)b->value, s->at_hu);
    }
    gather(b, from, value);
    if (!from->same_inside) {
        lu(p, b, value);
        p->reach((double *)value, b->row, s->nd, s->nd, s->nd, s->ld);
        p->back((double *)value, b->row, s->nd, s->nd, s->ld);
    }
    /* the diagonal of H_ee as it is outside, where nothing else is yet */
    v8 *diagonal = (v8 *)b->out;
    for (uint32_t e = 0; e < s->ne; e++) {
        diagonal[e] = value[s->at_hee + e * (s->ne + 1)];
    }
    p->condense(b, (double *)value);
    judge_curvature(b, value, diagonal);
    separate(wide, b, value);
    /* for the solves */
    if (s->near) {
        const uint32_t known = from->same_inside ? s->at_hu : 0;
        copy_slots((v8 *)b->value + known, value + known, s->at_row - known);
    }
}

/* The same text for several processors: T, rows and columns of the largest tile for the registers there are; kind, whole
 * or half; step, numbers of a vector. */
#define FACTOR(name, T, kind, step, target)                                                                            \
    target static void reach_##name(double *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin,  \
                                    uint32_t end)                                                                      \
    {                                                                                                                  \
        for (int l = 0; l < CHAIN_LANES; l += step) {                                                                  \
            reach_##kind(T, (kind##_element *)(value + l), row, pivots, nd, begin, end);                               \
        }                                                                                                              \
    }                                                                                                                  \
    target static void back_##name(double *value, const uint32_t *row, uint32_t nd, uint32_t begin, uint32_t end)      \
    {                                                                                                                  \
        for (int l = 0; l < CHAIN_LANES; l += step) {                                                                  \
            back_##kind(T, (kind##_element *)(value + l), row, nd, begin, end);                                        \
        }                                                                                                              \
    }                                                                                                                  \
    target static void eliminate_##name(double *value, const uint32_t *row, uint32_t j, uint32_t end, uint32_t nd)     \
    {                                                                                                                  \
        for (int l = 0; l < CHAIN_LANES; l += step) {                                                                  \
            eliminate_rows_##kind((kind##_element *)(value + l), row, j, end, nd);                                     \
        }                                                                                                              \
    }                                                                                                                  \
    target static void condense_##name(const chain_batch *b, double *value)                                            \
    {                                                                                                                  \
        for (int l = 0; l < CHAIN_LANES; l += step) {                                                                  \
            condense_##kind(T, b, (kind##_element *)(value + l));                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    static const products_of products_##name = {reach_##name, back_##name, eliminate_##name, condense_##name};         \
    target void dd_chain_factor_##name(chain_batch *b, const chain_source *from, double *scratch)                      \
    {                                                                                                                  \
        factor_batch(step == CHAIN_LANES, &products_##name, b, from, scratch);                                         \
    }

FACTOR(plain, 1, half, 4, )
#ifdef CHAIN_TARGETS
FACTOR(avx2, 2, half, 4, CHAIN_AVX2)
FACTOR(avx512, 4, whole, 8, CHAIN_AVX512)
#endif
