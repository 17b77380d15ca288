/* roll.h - finding sums over all elements of two arrays among the terms of a sum: p[1]*v[1] + p[2]*v[2] -> p*v. */
#ifndef DD_EXPR_ROLL_H
#define DD_EXPR_ROLL_H

#include "expr/dag.h"

/* number*rest*(a*b): rest is DD_EXPR_NONE for 1. a is DD_EXPR_NONE for a plain term; otherwise a and b are the first
 * elements of the two arrays. */
typedef struct dd_term {
    dd_expr number, rest;
    dd_expr a, b;
} dd_term;

typedef DD_VEC(dd_term) dd_term_vec;

/* The terms of the sum in the order they are printed (numbers last), with complete sets joined when namer->element is
 * given. O(n log n) apart from the pairs of array elements within single terms. */
void dd_roll(dd_dag *dag, dd_expr sum, const dd_namer *namer, dd_term_vec *out, dd_pool *pool);

#endif
