/* waves_impl.h - shared by waves.c (sums of terms, nodes collected) and waves_join.c (sums of angles). */
#ifndef DD_EXPR_WAVES_IMPL_H
#define DD_EXPR_WAVES_IMPL_H

#include <float.h>

#include "expr/walk.h"
#include "expr/waves.h"

enum {
    DD_WAVE_TERMS = 24,  /* of a sum on the way: a product of two rotations before anything cancels has 16 */
    DD_WAVE_FACTORS = 8, /* of a term */
};
#define DD_WAVE_CANCELLED (16 * DBL_EPSILON) /* a sum of some rounded products, relative to their sizes */

typedef struct dd_wave_term {
    double number, size; /* the coefficient; sum of the absolute values of what it is made of */
    uint32_t n;
    dd_expr base[DD_WAVE_FACTORS]; /* increasing */
    uint32_t power[DD_WAVE_FACTORS];
} dd_wave_term;

typedef struct dd_wave_sum {
    uint32_t n;
    bool full; /* too many terms or factors: worthless */
    dd_wave_term t[DD_WAVE_TERMS];
} dd_wave_sum;

/* The terms of a node: a part of one list. */
typedef struct dd_wave_part {
    uint32_t first, n;
} dd_wave_part;

typedef DD_VEC(dd_wave_term) dd_wave_term_vec;

typedef struct dd_wave_collector {
    dd_dag *dag;
    dd_walk walk;
    dd_wave_part *parts; /* per node of the walk: its terms */
    dd_expr *image;      /* and the node that takes its place */
    dd_wave_term_vec terms;
    bool held; /* what noEvent holds together may be no part of the walk */
} dd_wave_collector;

/* t * base^power; false when it has too many factors. */
bool dd_wave_times(dd_wave_term *t, dd_expr base, uint32_t power);
/* Factor i to a power that is smaller by that. */
void dd_wave_lower(dd_wave_term *t, uint32_t i, uint32_t by);
void dd_wave_scale(dd_wave_term *t, double by);
/* Adds to the term with the same factors, where there is one. */
void dd_wave_add(dd_wave_sum *s, const dd_wave_term *t);
/* Of a factor; t->n without. */
uint32_t dd_wave_place_of(const dd_wave_term *t, dd_expr base);
/* The nodes of a walk, arguments first: dd_wave_take has the terms of each. */
void dd_wave_begin(dd_wave_collector *c);
void dd_wave_take(const dd_wave_collector *c, dd_expr e, dd_wave_sum *s);
void dd_wave_end(dd_wave_collector *c);
dd_expr dd_wave_written(dd_dag *dag, const dd_wave_term *t, uint32_t n);
/* The expressions, and what noEvent holds together directly in them, but not what it holds in that. */
dd_walk dd_wave_two_levels(dd_dag *dag, const dd_expr *e, uint32_t n);

#endif
