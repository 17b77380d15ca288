/* chain_impl.h - the parts of chain.c and chain_*.c (private).
 *
 * Unknowns are numbered: variable j is j, row i is n + i. Front k belongs to interval k and is worked on in the order
 * N - 1, ..., 0, then the root (index N of the array of fronts). Every entry of the matrix is assembled in one front;
 * an unknown is in the fronts lo <= k <= hi, and front lo eliminates it:
 *
 *     x, l   variables of node k + 1 and the continuity rows that determine them
 *     d, r   variables inside k and the collocation rows that determine them
 *     v      other unknowns of which front k is the last: controls, stage equalities
 *     s      unknowns that stay: states at node k, the border
 *
 * A front leaves a symmetric matrix on its delayed unknowns and its s to the next one.
 */
#ifndef DD_NLP_CHAIN_IMPL_H
#define DD_NLP_CHAIN_IMPL_H

#include "nlp/chain.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- memory: blocks that are freed together, with room aligned for vectors ---- */

enum { CHAIN_ALIGN = 64 };

typedef struct chain_block {
    struct chain_block *next;
    size_t size, used;
} chain_block;

typedef struct chain_pool {
    dd_context *ctx;
    chain_block *first, *current;
    size_t size; /* of all blocks */
    bool failed;
} chain_pool;

/* Cleared only where said; NULL sets failed. */
void *dd_chain_take(chain_pool *pool, size_t count, size_t element_size);
void *dd_chain_take_zero(chain_pool *pool, size_t count, size_t element_size);
/* Makes sure that `bytes` can be taken without asking the context. */
void dd_chain_reserve(chain_pool *pool, size_t bytes);
/* Everything taken is given back, the blocks are kept. */
void dd_chain_reset(chain_pool *pool);
void dd_chain_release(chain_pool *pool);

/* ---- plan: what is where ---- */

typedef enum chain_class {
    CHAIN_ABSENT,
    CHAIN_D,
    CHAIN_R,
    CHAIN_X,
    CHAIN_L,
    CHAIN_ORDINARY,
    CHAIN_CONDENSED
} chain_class;

/* An entry of the matrix: source counts through hessian, jacobian, p, q one after the other. */
typedef struct chain_entry {
    uint32_t u, v, source;
} chain_entry;

typedef struct chain_front {
    uint32_t nx, nd, nv, ns;
    const uint32_t *x, *l, *d, *r;
    const uint32_t *e;        /* v, then s: nv + ns */
    const chain_entry *entry; /* all entries of this front without those of condensed rows */
    uint32_t entries, condensed;
    const uint32_t *condensed_row; /* inequalities that are eliminated before everything else */
    bool lean;                     /* can be condensed in lanes */
    uint32_t batch, lane;          /* then; batch: UINT32_MAX where nothing is inside */
    const struct chain_lean *lean_plan;
} chain_front;

/* ---- dense symmetric elimination (chain_pivot.c) ---- */

typedef struct chain_dense {
    uint32_t size, candidates, ld;
    uint32_t variables; /* unknowns below this number are variables, the others rows */
    uint32_t pivots;    /* eliminated: rows 0 .. pivots - 1 of m are those of L^T, the rest is what remains */
    double *m;          /* size x ld, both triangles; row by row */
    uint32_t *ids;      /* size: which unknown; moved along */
    double *scale;      /* size: sizes of the unknowns, 0: not known yet */
    double *error;      /* size: rounding errors of the diagonal, where scale is known */
    bool moved;         /* the order of the unknowns has changed */
    bool scaled;        /* scale holds numbers */
    double *inverse;    /* 3 per candidate: of the pivot block, (1,1), (2,1), (2,2) */
    uint8_t *block;     /* per candidate: 1, 2 (then the next is its partner, 0) or CHAIN_ZERO */
} chain_dense;

enum { CHAIN_ZERO = 3 };

typedef struct chain_counts {
    uint32_t negative, zero, delayed;
    bool broken;
} chain_counts;

/* Eliminates what it can of the first `candidates` unknowns; at the root everything, zero pivots counted. work: 3 size. */
void dd_chain_eliminate(chain_dense *a, bool root, double *work, chain_counts *counts);
void dd_chain_forward(const chain_dense *a, double *b, double *y);
void dd_chain_backward(const chain_dense *a, double *b, double *y);
/* The same for a right-hand side in the order of the front. */
void dd_chain_forward_local(const chain_dense *a, double *y);
void dd_chain_backward_local(const chain_dense *a, double *y);

/* ---- the system ---- */

typedef struct chain_step {
    bool whole;
    chain_dense a;
    struct chain_lean_step *lean;
} chain_step;

typedef struct chain_system {
    dd_kkt_system base;
    dd_kkt_pattern pattern;
    uint32_t n, m, intervals;
    chain_pool plan, store;        /* for the life of the system; for one factorisation */
    chain_front *front;            /* intervals + 1 */
    const uint8_t *class_of;       /* n + m */
    uint32_t *row_ptr, *row_entry; /* entries of the Jacobian by rows */
    uint32_t *at;                  /* n + m: position in the front that is assembled */
    chain_step *step;              /* intervals + 1 */
    double *work, *rhs, *local;
    double *b;    /* right-hand sides of all unknowns during a solve: rhs, or the caller's */
    bool passing; /* a factorisation takes b forward with it, interval by interval while its factors are at hand, */
    bool begun;   /* and has done so to the end */
    uint32_t work_size;
    const dd_kkt_values *values; /* during factor */
    chain_counts counts;
    uint32_t condensed;            /* rows, each a negative pivot */
    const uint32_t *condensed_row; /* by fronts */
    uint32_t absent;
    const uint32_t *absent_id; /* fixed variables */
    double *paired;            /* m: 1 for rows that determine a variable, else 0 */
    dd_kkt_system *general;    /* for systems in which these have a q; NULL: not needed yet */
    bool use_general;
    double *weight;    /* condensed: 1 / q, limited */
    double *row_value; /* by row_ptr: of condensed rows */
    bool always_whole, factored;
    bool rows_stay;  /* rows of a border, or of nodes, are in fronts that do not eliminate them, */
    bool had_zero;   /* or a pivot was zero: then no factorisation is given up */
    bool all_sparse; /* for tests: sparse leaves, however small */
    struct chain_lanes *lanes;
    dd_chain_info info;
} chain_system;

bool dd_chain_suits(const dd_kkt_pattern *pattern);
dd_status dd_chain_plan(chain_system *c);

/* Front k with all its unknowns; child: the step before, or NULL. */
dd_status dd_chain_whole(chain_system *c, uint32_t k, const chain_step *child);

/* Room for right-hand sides of a front of this size. */
bool dd_chain_room(chain_system *c, uint32_t size);

INLINE double chain_value(const chain_system *c, uint32_t source)
{
    const dd_kkt_pattern *p = &c->pattern;
    if (source < p->hessian_nnz) {
        return c->values->hessian[source];
    }
    source -= p->hessian_nnz;
    if (source < p->jacobian_nnz) {
        return c->values->jacobian[source];
    }
    source -= p->jacobian_nnz;
    return source < p->n ? c->values->p[source] : -c->values->q[source - p->n];
}

/* Rows of fronts: large ones are multiplied in vectors of eight. */
enum { CHAIN_LARGE = 16 };

INLINE uint32_t chain_ld(uint32_t size)
{
    return size < CHAIN_LARGE ? (size + 3) & ~3u : (size + 7) & ~7u;
}

#endif
