/* ldl_impl.h - the parts that the files of the LDL^T factorisation share (private).
 *
 *     ldl_order.c    which unknowns are eliminated when: pairs, AMD, elimination tree, fronts
 *     ldl_symbolic.c rows of the fronts, where children and entries go, sizes
 *     ldl.c          a factorisation: scaling, assembly, stacks, delayed pivots
 *     ldl_front.c    the pivots of one front, dense
 *     ldl_kernel.c   products of blocks, substitution; ldl_lanes.h: vectors
 *     ldl_solve.c    forward and backward substitution
 *
 * A front (leading dimension: its rows rounded up to four, the rows behind are zero):
 *
 *              candidates      below
 *            +-------------+             candidates: the pivots of the front, then those that its children delayed;
 *            |  square,    |             their square is stored in full
 *            |  symmetric  |             below: rows that are eliminated later; their lower triangle is the
 *            +-------------+--------.    contribution, which the parent assembles
 *            |  rows below | lower  |
 *            |             | half   |
 *            +-------------+--------+
 */
#ifndef DD_LA_LDL_IMPL_H
#define DD_LA_LDL_IMPL_H

#include "graph/pattern.h"
#include "la/ldl.h"

/* Vectors have four numbers. */
#define DD_LDL_ROUND(n) (((size_t)(n) + 3) & ~(size_t)3)

/* ---- ldl_order.c ---- */

/* Fronts in postorder: front s eliminates the positions first[s] .. first[s+1]-1. */
typedef struct dd_ldl_tree {
    uint32_t fronts;
    uint32_t *first;  /* fronts + 1 */
    uint32_t *parent; /* fronts; DD_NO_INDEX: a root */
    uint32_t *order;  /* n: the unknown at each position */
    double cost;      /* nanoseconds of a factorisation, estimated */
} dd_ldl_tree;

/* Fills the arrays of the tree, which have room for n fronts. */
dd_status dd_ldl_order(dd_ldl_tree *tree, dd_context *ctx, const dd_ldl_pattern *pattern);

/* ---- the object ---- */

typedef struct dd_ldl_node {
    uint32_t first, pivots; /* positions that it eliminates */
    uint32_t below;         /* rows behind them */
    uint32_t parent;        /* DD_NO_INDEX: a root */
    uint32_t child, next;   /* first child, next child of the same parent; DD_NO_INDEX: none */
    uint32_t side;          /* stack of its contribution: depth modulo 2 */
    size_t rows;            /* its place in below[] and place[] */
    size_t entries;         /* its first entry */
} dd_ldl_node;

/* What a factorisation made of a front. */
typedef struct dd_ldl_done {
    size_t factor;       /* place of L, and of D behind it, in factor[] */
    size_t order;        /* place of its candidates in pivot[]: eliminated, then delayed */
    size_t contribution; /* place in its stack: lower triangle of the rows below, then the delayed columns */
    uint32_t eliminated, delayed;
    size_t ld;
} dd_ldl_done;

/* An array that may grow. */
typedef struct dd_ldl_room {
    void *at;
    size_t count, size; /* elements, bytes of one */
} dd_ldl_room;

struct dd_ldl {
    dd_context *ctx;
    uint32_t n, fronts;
    size_t nnz, rows; /* entries; rows below, of all fronts */
    /* the pattern in the order of the elimination; made once */
    uint32_t *order;     /* n: unknown at a position */
    dd_ldl_node *node;   /* fronts */
    uint32_t *below;     /* positions of the rows below, by fronts */
    uint32_t *place;     /* the same rows in the front of the parent, which has no delayed pivots */
    uint32_t *entry;     /* nnz: entries by fronts, as numbers of those given */
    size_t *target;      /* nnz: where each goes: column * leading dimension + row, without delayed pivots */
    uint32_t *row, *col; /* nnz: their positions; row >= col */
    /* a factorisation */
    dd_ldl_done *done; /* fronts */
    double *scale;     /* n, by positions */
    double *scaled;    /* nnz: entries by fronts, scaled */
    double *noise;     /* n, by positions: terms that were subtracted in this column */
    double *work;      /* n */
    uint32_t *zeros;   /* n */
    dd_ldl_room factor, pivot, stack[2];
    dd_ldl_room panel;  /* L D of a front */
    dd_ldl_room pivots; /* D^-1 of a front */
    dd_ldl_room sizes;  /* noise of its rows */
    dd_ldl_room looks;  /* what is known of its columns */
    dd_ldl_info info;
    bool valid;
};

/* ---- ldl_symbolic.c ---- */

/* Room for `count` elements at least; what is there stays. */
dd_status dd_ldl_grow(dd_ldl *f, dd_ldl_room *room, size_t count);

/* ---- ldl_front.c ---- */

/* What is known of a candidate's column. */
typedef struct dd_ldl_look {
    uint32_t updated; /* by this many pivots */
    uint32_t looked;  /* pivots eliminated when it was last examined; DD_NO_INDEX: never */
    double diagonal;
    double inside;  /* largest magnitude beside the diagonal among the candidates, */
    double below;   /* and below them */
    double quality; /* 1 / its largest multiplier, when it was refused */
} dd_ldl_look;

typedef struct dd_ldl_front {
    uint32_t rows, candidates;
    size_t ld;
    double *a;         /* ld x candidates: becomes L */
    double *w;         /* ld x candidates: L D */
    double *d;         /* 2 x candidates: D^-1, diagonal and what is beside it */
    double *noise;     /* ld */
    uint32_t *order;   /* candidates: their positions */
    dd_ldl_look *look; /* candidates */
    dd_context *ctx;
    /* results */
    uint32_t eliminated, negative, zeros, pairs;
    bool broken;
} dd_ldl_front;

/* Eliminates all candidates that make good pivots; they come first afterwards. The columns of the others are up to date.
 * Fails with what the context's limits say. */
dd_status dd_ldl_eliminate(dd_ldl_front *front);

/* ---- ldl_kernel.c: rows and leading dimensions are multiples of four, arrays may begin anywhere ---- */

/* C := C - L W^T: rows x cols, count columns in L and W of leading dimension ld. */
typedef struct dd_ldl_product {
    size_t rows, cols, count;
    const double *l, *w;
    size_t ld;
    double *c;
    size_t ldc;
    bool lower; /* only the entries on and below the diagonal matter */
} dd_ldl_product;
void dd_ldl_subtract_product(const dd_ldl_product *p);

/* Substitution with the L of a front: k columns, rows in all; y has `ld` places. */
void dd_ldl_forward(size_t ld, size_t k, const double *l, double *y);
void dd_ldl_backward(size_t ld, size_t k, const double *l, double *y);

#endif
