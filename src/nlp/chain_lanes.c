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
static const double curvature_growth = 1e4;  /* of the Hessian, that counts like growth 1 of multipliers */
static const double noise_of_change = 1e-13; /* of what was there before */
static const double keep_pivot = 0.1;        /* the last pivot is kept when it is this large beside its column */

/* Numbers to their slots. */
INLINE void gather(const chain_batch *b, const chain_source *from)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    for (uint32_t i = 0; i < s->zeros; i++) {
        value[s->zero_slot[i]] = (v8){0};
    }
    const uint32_t *slot = s->slot, *source = b->source;
    for (int kind = 0; kind < FROM_KINDS; kind++) {
        const double *numbers = from->from[kind];
        for (uint32_t i = 0; i < s->count[kind]; i++, slot++, source += CHAIN_LANES) {
            const v8 x = collect(numbers, source);
            v8 *to = value + (*slot & ~SLOT_ADD);
            if (*slot & SLOT_ADD) {
                *to += x;
            } else {
                *to = x;
            }
        }
    }
    for (uint32_t i = 0; i < s->products; i++) {
        const chain_product *p = &s->product[i];
        value[p->to] += value[p->a] * value[p->b] * value[p->weight];
    }
}

/* acc -= rows of L times rows of U, over the pivots before `end`: R rows, C columns from `column`. */
INLINE void subtract(int R, int C, v8 acc[4][4], const v8 *value, const uint32_t *row, uint32_t first, uint32_t begin,
                     uint32_t end, uint32_t column)
{
    const v8 *l[4];
    UNROLL for (int i = 0; i < R; i++)
    {
        l[i] = value + row[first + i];
    }
    for (uint32_t k = begin; k < end; k++) {
        const v8 *u = value + row[k] + column;
        v8 uk[4];
        UNROLL for (int j = 0; j < C; j++)
        {
            uk[j] = u[j];
        }
        UNROLL for (int i = 0; i < R; i++)
        {
            const v8 lk = l[i][k];
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= lk * uk[j];
            }
        }
    }
}

INLINE void load_tile(int R, int C, v8 acc[4][4], const v8 *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[i][j] = value[row[first + i] + column + j];
        }
    }
}

INLINE void store_tile(int R, int C, v8 acc[4][4], v8 *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            value[row[first + i] + column + j] = acc[i][j];
        }
    }
}

/* Rows first .. first + R - 1, of which all pivots before are known: forward substitution, also among themselves. */
INLINE void forward_tile(int R, int C, v8 *value, const uint32_t *row, uint32_t first, uint32_t column)
{
    v8 acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, 0, first, column);
    UNROLL for (int i = 1; i < R; i++)
    {
        UNROLL for (int k = 0; k < i; k++)
        {
            const v8 l = value[row[first + i] + first + k];
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= l * acc[k][j];
            }
        }
    }
    store_tile(R, C, acc, value, row, first, column);
}

/* Rows below the pivots: only the update. */
INLINE void update_tile(int R, int C, v8 *value, const uint32_t *row, uint32_t first, uint32_t end, uint32_t column)
{
    v8 acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, 0, end, column);
    store_tile(R, C, acc, value, row, first, column);
}

/* Backward substitution of rows first .. first + R - 1; the diagonal of U is stored inverted. */
INLINE void backward_tile(int R, int C, v8 *value, const uint32_t *row, uint32_t first, uint32_t nd, uint32_t column)
{
    v8 acc[4][4];
    load_tile(R, C, acc, value, row, first, column);
    subtract(R, C, acc, value, row, first, first + (uint32_t)R, nd, column);
    UNROLL for (int i = R - 1; i >= 0; i--)
    {
        UNROLL for (int k = i + 1; k < R; k++)
        {
            const v8 u = value[row[first + i] + first + k];
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] -= u * acc[k][j];
            }
        }
        const v8 inverse = value[row[first + i] + first + i];
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[i][j] *= inverse;
        }
    }
    store_tile(R, C, acc, value, row, first, column);
}

/* Columns column .. column + C - 1: forward substitution of the rows with pivots, update of the others. */
INLINE void reach_panel(int R, int C, v8 *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t column)
{
    uint32_t i = 0;
    for (; R > 1 && i + (uint32_t)R <= pivots; i += (uint32_t)R) {
        forward_tile(R, C, value, row, i, column);
    }
    for (; i < pivots; i++) {
        forward_tile(1, C, value, row, i, column);
    }
    for (; R > 1 && i + (uint32_t)R <= nd; i += (uint32_t)R) {
        update_tile(R, C, value, row, i, pivots, column);
    }
    for (; i < nd; i++) {
        update_tile(1, C, value, row, i, pivots, column);
    }
}

INLINE void back_panel(int R, int C, v8 *value, const uint32_t *row, uint32_t nd, uint32_t column)
{
    uint32_t i = nd;
    for (; R > 1 && i >= (uint32_t)R; i -= (uint32_t)R) {
        backward_tile(R, C, value, row, i - (uint32_t)R, nd, column);
    }
    for (; i > 0; i--) {
        backward_tile(1, C, value, row, i - 1, nd, column);
    }
}

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
INLINE void factor_panel(v8 *value, uint32_t *row, uint32_t begin, uint32_t end, uint32_t nd, v8 *growth)
{
    for (uint32_t j = begin; j < end; j++) {
        const v8 g = choose_pivot(value, row, j, nd);
        *growth = either(g <= *growth, *growth, g); /* NaN stays */
        v8 *pivot = value + row[j];
        const v8 inverse = 1 / pivot[j];
        pivot[j] = inverse;
        for (uint32_t i = j + 1; i < nd; i++) {
            v8 *line = value + row[i];
            const v8 l = line[j] * inverse;
            line[j] = l;
            for (uint32_t k = j + 1; k < end; k++) {
                line[k] -= l * pivot[k];
            }
        }
    }
}

/* Columns begin .. end - 1 in panels; T: rows and columns of the largest tile. */
INLINE void reach(int T, v8 *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin, uint32_t end)
{
    uint32_t j = begin;
    for (; T >= 4 && j + 4 <= end; j += 4) {
        reach_panel(T, 4, value, row, pivots, nd, j);
    }
    for (; T >= 2 && j + 2 <= end; j += 2) {
        reach_panel(T, 2, value, row, pivots, nd, j);
    }
    for (; j < end; j++) {
        reach_panel(T, 1, value, row, pivots, nd, j);
    }
}

INLINE void back(int T, v8 *value, const uint32_t *row, uint32_t nd, uint32_t begin, uint32_t end)
{
    uint32_t j = begin;
    for (; T >= 4 && j + 4 <= end; j += 4) {
        back_panel(T, 4, value, row, nd, j);
    }
    for (; T >= 2 && j + 2 <= end; j += 2) {
        back_panel(T, 2, value, row, nd, j);
    }
    for (; j < end; j++) {
        back_panel(T, 1, value, row, nd, j);
    }
}

typedef void reach_function(v8 *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin, uint32_t end);

INLINE void lu(chain_batch *b, reach_function *reach_columns)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    v8 growth = {0};
    for (uint32_t j = 0; j < s->nd; j += PANEL) {
        const uint32_t end = j + PANEL < s->nd ? j + PANEL : s->nd;
        if (j > 0) {
            reach_columns(value, b->row, j, s->nd, j, end);
        }
        factor_panel(value, b->row, j, end, s->nd, &growth);
    }
    memcpy(b->growth, &growth, sizeof growth);
}

/* H_ee -= H_De^T S, for C columns of S. */
INLINE void cross(int C, const chain_batch *b, uint32_t column)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    for (uint32_t e = 0; e < s->ne; e++) {
        v8 acc[4], *to = value + s->at_hee + e * s->ne + column;
        UNROLL for (int j = 0; j < C; j++)
        {
            acc[j] = to[j];
        }
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            const v8 h = value[s->at_hu + k], *line = value + b->row[s->hu_row[k]] + s->nd + column;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[j] -= h * line[j];
            }
        }
        UNROLL for (int j = 0; j < C; j++)
        {
            to[j] = acc[j];
        }
    }
}

/* U = H_DD S - H_De, for C columns. */
INLINE void products(int C, const chain_batch *b, uint32_t column)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    for (uint32_t i = 0; i < s->nd; i++) {
        v8 acc[4] = {{0}}, *u = value + s->at_u + i * s->ne + column;
        for (uint32_t e = s->hd_ptr[i]; e < s->hd_ptr[i + 1]; e++) {
            const v8 h = value[s->at_hd + s->hd_slot[e]], *line = value + b->row[s->hd_col[e]] + s->nd + column;
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[j] += h * line[j];
            }
        }
        UNROLL for (int j = 0; j < C; j++)
        {
            u[j] = acc[j];
        }
    }
    for (uint32_t k = s->hu_ptr[column]; k < s->hu_ptr[column + (uint32_t)C]; k++) {
        const uint32_t e = k < s->hu_ptr[column + 1]            ? 0
                           : C > 1 && k < s->hu_ptr[column + 2] ? 1
                           : C > 2 && k < s->hu_ptr[column + 3] ? 2
                                                                : 3;
        value[s->at_u + s->hu_row[k] * s->ne + column + e] -= value[s->at_hu + k];
    }
}

/* H_ee += S^T U: R rows from `first`, C columns. */
INLINE void square(int R, int C, const chain_batch *b, uint32_t first, uint32_t column)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value, acc[4][4] = {{{0}}};
    for (uint32_t k = 0; k < s->nd; k++) {
        const v8 *line = value + b->row[k] + s->nd + first, *u = value + s->at_u + k * s->ne + column;
        UNROLL for (int i = 0; i < R; i++)
        {
            UNROLL for (int j = 0; j < C; j++)
            {
                acc[i][j] += line[i] * u[j];
            }
        }
    }
    UNROLL for (int i = 0; i < R; i++)
    {
        UNROLL for (int j = 0; j < C; j++)
        {
            value[s->at_hee + (first + i) * s->ne + column + j] += acc[i][j];
        }
    }
}

/* G_e -= G_D S. */
INLINE void outer_rows(const chain_batch *b)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    for (uint32_t g = 0; g < s->ng; g++) {
        v8 *to = value + s->at_ge + g * s->ne;
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            const v8 x = value[s->at_g + k], *line = value + b->row[s->g_col[k]] + s->nd;
            for (uint32_t e = 0; e < s->ne; e++) {
                to[e] -= x * line[e];
            }
        }
    }
}

/* H_ee += S^T U: columns column .. column + C - 1. */
INLINE void square_panel(int R, int C, const chain_batch *b, uint32_t column)
{
    const uint32_t ne = b->shape->ne;
    uint32_t i = 0;
    for (; R > 1 && i + (uint32_t)R <= ne; i += (uint32_t)R) {
        square(R, C, b, i, column);
    }
    for (; i < ne; i++) {
        square(1, C, b, i, column);
    }
}

INLINE void condense_panel(int R, int C, const chain_batch *b, uint32_t column)
{
    products(C, b, column);
    square_panel(R, C, b, column);
}

INLINE void condense(int T, const chain_batch *b)
{
    const uint32_t ne = b->shape->ne;
    uint32_t j = 0;
    for (; T >= 4 && j + 4 <= ne; j += 4) {
        cross(4, b, j);
    }
    for (; T >= 2 && j + 2 <= ne; j += 2) {
        cross(2, b, j);
    }
    for (; j < ne; j++) {
        cross(1, b, j);
    }
    j = 0;
    for (; T >= 4 && j + 4 <= ne; j += 4) {
        condense_panel(T, 4, b, j);
    }
    for (; T >= 2 && j + 2 <= ne; j += 2) {
        condense_panel(T, 2, b, j);
    }
    for (; j < ne; j++) {
        condense_panel(T, 1, b, j);
    }
    outer_rows(b);
}

/* Where the inside leaves far more curvature outside than it has itself, its matrix is nearly singular although no
 * multiplier is large. */
INLINE void judge_curvature(chain_batch *b, const v8 *before)
{
    const chain_shape *s = b->shape;
    const v8 *value = (const v8 *)b->value;
    v8 inside = {0}, outside = {0}, growth;
    for (uint32_t i = s->at_hu; i < s->at_g; i++) { /* H_De and H_DD */
        inside = larger(inside, absolute(value[i]));
    }
    for (uint32_t e = 0; e < s->ne; e++) {
        const v8 change = absolute(value[s->at_hee + e * (s->ne + 1)] - before[e]);
        outside = larger(outside, change - noise_of_change * absolute(before[e]));
    }
    memcpy(&growth, b->growth, sizeof growth);
    const v8 ratio = outside / (inside * curvature_growth);
    growth = either(ratio > growth, ratio, growth);
    memcpy(b->growth, &growth, sizeof growth);
}

#ifdef __clang__
#define PAIR(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PAIR(a, b, ...) __builtin_shuffle(a, b, (m8){__VA_ARGS__})
#endif

/* Eight elements to eight numbers of every lane: pairs, fours, eights. */
INLINE void transpose(const v8 *from, double *to, uint32_t stride)
{
    v8 a[8], b[8];
    UNROLL for (int i = 0; i < 8; i += 2)
    {
        a[i] = PAIR(from[i], from[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = PAIR(from[i], from[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    UNROLL for (int i = 0; i < 8; i += 4)
    {
        UNROLL for (int j = 0; j < 2; j++)
        {
            b[i + j] = PAIR(a[i + j], a[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + j + 2] = PAIR(a[i + j], a[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    UNROLL for (int j = 0; j < 4; j++)
    {
        *(v8 *)(to + (size_t)j * stride) = PAIR(b[j], b[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(v8 *)(to + (size_t)(j + 4) * stride) = PAIR(b[j], b[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* H_ee and G_e of the lanes, each by itself. */
INLINE void separate(int T, const chain_batch *b)
{
    const chain_shape *s = b->shape;
    const v8 *from = (const v8 *)b->value + s->at_hee;
    for (uint32_t i = 0; i < b->outs; i += CHAIN_LANES) {
        if (T >= 4) {
            transpose(from + i, b->out + i, b->outs);
            continue;
        }
        const double *number = (const double *)(from + i);
        for (uint32_t l = 0; l < CHAIN_LANES; l++) {
            for (uint32_t j = 0; j < CHAIN_LANES; j++) {
                b->out[(size_t)l * b->outs + i + j] = number[j * CHAIN_LANES + l];
            }
        }
    }
}

INLINE void factor_batch(int T, chain_batch *b, const chain_source *from, reach_function *reach_columns)
{
    const chain_shape *s = b->shape;
    v8 *value = (v8 *)b->value;
    gather(b, from);
    lu(b, reach_columns);
    reach_columns(value, b->row, s->nd, s->nd, s->nd, s->ld);
    back(T, value, b->row, s->nd, s->nd, s->ld);
    /* the diagonal of H_ee as it is outside, where nothing else is yet */
    v8 *diagonal = (v8 *)b->out;
    for (uint32_t e = 0; e < s->ne; e++) {
        diagonal[e] = value[s->at_hee + e * (s->ne + 1)];
    }
    condense(T, b);
    judge_curvature(b, diagonal);
    separate(T, b);
}

/* The same text for several processors. T: rows and columns of the largest tile, for the registers there are. */
#define FACTOR(name, T, target)                                                                                        \
    target static void reach_##name(v8 *value, const uint32_t *row, uint32_t pivots, uint32_t nd, uint32_t begin,      \
                                    uint32_t end)                                                                      \
    {                                                                                                                  \
        reach(T, value, row, pivots, nd, begin, end);                                                                  \
    }                                                                                                                  \
    target void dd_chain_factor_##name(chain_batch *b, const chain_source *from)                                       \
    {                                                                                                                  \
        factor_batch(T, b, from, reach_##name);                                                                        \
    }

FACTOR(plain, 1, )
#ifdef CHAIN_TARGETS
FACTOR(avx2, 2, CHAIN_AVX2)
FACTOR(avx512, 4, CHAIN_AVX512)
#endif
