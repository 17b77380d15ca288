/* chain_lanes.h - intervals of one shape, eight at a time in the lanes of vectors (private to chain_*.c).
 *
 * A leaf is what happens inside an interval. With d the variables that the rows R inside determine, e and g the
 * variables and rows outside that meet them:
 *
 *     [ H_DD  A^T   H_De  G_D^T ] [ d ]                       S = A^-1 A_e
 *     [ A     0     A_e   0     ] [ r ]       condensed:      U = H_DD S - H_De
 *     [ H_eD  A_e^T ...         ] [ e ]                       H_ee += S^T U - H_De^T S,   G_e -= G_D S
 *     [ G_D   0     ...         ] [ g ]
 *
 * d and R leave as many positive as negative eigenvalues, and nothing between rows g.
 * Arrays hold one number of each lane side by side; an element is CHAIN_LANES numbers.
 */
#ifndef DD_NLP_CHAIN_LANES_H
#define DD_NLP_CHAIN_LANES_H

#include <stdatomic.h>

#include "nlp/chain_impl.h"

enum { CHAIN_LANES = 8 };

typedef double chain_v8 __attribute__((vector_size(64), aligned(64), may_alias));

/* Where numbers come from. */
enum { FROM_HESSIAN, FROM_JACOBIAN, FROM_P, FROM_ROW, FROM_WEIGHT, FROM_KINDS };

enum { SLOT_ADD = 1u << 31 }; /* mark of a slot that has a number already */

typedef struct chain_program chain_program;

typedef struct chain_product {
    uint32_t to, a, b, weight; /* slots: to += a b weight */
} chain_product;

/* The structure that leaves share. Slots are elements of a batch's values:
 *     [A | A_e] nd x ld, row by row | H_De | H_DD | G_D | condensed rows | their weights
 *     | U: nd x ne | H_ee: ne x ne | G_e: ng x ne
 * Solves need those before the condensed rows, and no others. */
typedef struct chain_shape {
    uint32_t nd, ne, ng, ld;
    uint32_t at_hu, at_hd, at_g, at_row, at_weight, at_u, at_hee, at_ge, total;
    bool near; /* all slots of a batch fit into the second cache: it is factored there, and what solves need is kept */
    const uint32_t *hd_ptr, *hd_col, *hd_slot; /* H_DD, both triangles, by rows; slot from at_hd */
    const uint32_t *hu_ptr, *hu_row;           /* H_De by columns e; values in this order from at_hu */
    const uint32_t *g_ptr, *g_col;             /* G_D by rows; values in this order from at_g */
    uint32_t count[FROM_KINDS], sources;
    const uint32_t *slot; /* sources: of all kinds one after the other */
    uint32_t zeros, products;
    const uint32_t *zero_slot;
    const chain_product *product;
    uint32_t outs; /* numbers of H_ee and G_e */
    /* Sparse leaves (chain_sparse.h) have the entries that are there, and no others:
     *     A | A_e | H_De | H_DD | G_D | condensed rows | their weights | H_ee and G_e */
    const chain_program *program;  /* NULL: the leaf is dense */
    const uint32_t *a_ptr, *a_col; /* A by rows; values from 0 on */
    uint32_t at_ae;
    const uint32_t *ae_ptr, *ae_row; /* A_e by columns */
    uint32_t outers;
    const uint32_t *outer_at; /* where they are among `outs` numbers */
} chain_shape;

/* A number that moves by a step from lane to lane and from batch to batch: most intervals of a program follow each other
 * with equal entries. The steps of one interval stay in the first cache; lists of all do not. */
typedef struct chain_place {
    uint32_t first, step; /* modulo 2^32 */
} chain_place;

typedef struct chain_batch {
    const chain_shape *shape;
    uint32_t lanes, interval[CHAIN_LANES]; /* lanes beyond repeat the last */
    /* numbers of each lane: sources of the slots, then the unknowns d, r, e, g: sources + 2 nd + ne + ng. Either as
     * places, which batches share, `shift` lanes further; or CHAIN_LANES of each */
    const chain_place *place;
    uint32_t shift;
    const chain_place *begin; /* FROM_KINDS: the least of the sources of a kind that move; with `place` */
    const uint32_t *number;
    double *value;   /* elements: at_row of near shapes, else total */
    double *out;     /* H_ee and G_e of every lane by itself: CHAIN_LANES x outs */
    double *outside; /* ne + ng elements: what a right-hand side adds there, or reads there */
    uint32_t outs;
    bool ready;                   /* value has been cleared */
    uint64_t serial;              /* of the Jacobian whose factors it has; 0: of none */
    double *d0, *r1;              /* nd elements each, between forward and backward */
    uint32_t *row;                /* nd: slot at which the row of pivot i begins */
    const chain_program *program; /* sparse leaves */
    double *lu;                   /* their factors */
    size_t lu_room;
    uint32_t programs;             /* that were made for this batch alone */
    double lu_growth[CHAIN_LANES]; /* largest multiplier of LU; not finite where a pivot was zero */
    double growth[CHAIN_LANES];    /* the same, or that of the curvature where it is larger */
    bool apart[CHAIN_LANES];       /* the interval is factored as a whole: solves leave the lane alone */
    bool any_apart;
} chain_batch;

typedef struct chain_source {
    const double *from[FROM_KINDS];
    bool same_inside; /* [A | A_e] is that of the time before: where it was factored then, its factors and S are kept */
} chain_source;

/* c = a^T b, or c += a^T b: c: rows x cols, a: inner x rows, b: inner x cols; all row by row. cols is a multiple of 8. */
typedef struct chain_product_of {
    uint32_t rows, cols, inner;
    const double *a, *b;
    size_t lda, ldb, ldc;
    double *c;
    bool add;
    bool lower; /* only what is on or below the diagonal is needed */
} chain_product_of;

/* Kernels for this processor. */
typedef struct chain_kernels {
    const char *name;
    void (*factor)(chain_batch *b, const chain_source *from, double *scratch); /* scratch: of this thread */
    /* rhs: over all unknowns. Forward reads d and r and leaves what e and g change by in `outside` */
    void (*forward)(const chain_batch *b, const double *rhs);
    void (*backward)(const chain_batch *b, double *rhs);
    /* the same for sparse leaves */
    void (*sparse_factor)(chain_batch *b, const chain_source *from, double *scratch);
    void (*sparse_forward)(const chain_batch *b, const double *rhs);
    void (*sparse_backward)(const chain_batch *b, double *rhs);
    void (*product)(const chain_product_of *p);
} chain_kernels;
/* The best ones are number 0; NULL behind the last. */
const chain_kernels *dd_chain_kernels(uint32_t which);
/* Number i of a lane. */
INLINE uint32_t chain_number(const chain_batch *b, uint32_t i, uint32_t lane)
{
    return b->place ? b->place[i].first + (b->shift + lane) * b->place[i].step : b->number[i * CHAIN_LANES + lane];
}

/* Where the numbers of d, r, e and g begin. */
INLINE uint32_t chain_at_d(const chain_shape *s)
{
    return s->sources;
}

INLINE uint32_t chain_at_r(const chain_shape *s)
{
    return s->sources + s->nd;
}

INLINE uint32_t chain_at_e(const chain_shape *s)
{
    return s->sources + 2 * s->nd;
}

INLINE uint32_t chain_at_g(const chain_shape *s)
{
    return s->sources + 2 * s->nd + s->ne;
}

/* What `forward` has left of a lane, added to e and g. */
void dd_chain_add_outside(const chain_batch *b, uint32_t lane, double *rhs);

enum { DIRECT_EE, DIRECT_XE, DIRECT_LE, DIRECT_LISTS };
enum { DIRECT_H, DIRECT_J, DIRECT_P, DIRECT_Q, DIRECT_KINDS };

/* An entry of a front that meets nothing inside; step: of its source from one interval to the next, modulo 2^32. */
typedef struct chain_direct {
    uint32_t i, j, source, step;
} chain_direct;

/* What the recursion needs of an interval; those that repeat each other share it. */
typedef struct chain_lean {
    uint32_t first; /* the interval for which sources are as they are */
    uint32_t ne, ng;
    const uint32_t *e_at; /* ne: position among v and s */
    const uint32_t *g_at; /* ng: l, or nx + position among v and s */
    /* entries e-e, x-(x, e), l-(x, e), each from H, J, p, q one after the other; x and e count one after the other */
    const chain_direct *direct[DIRECT_LISTS];
    uint32_t directs[DIRECT_LISTS][DIRECT_KINDS];
    uint32_t products;
    const chain_product *product; /* of condensed rows: to: (i << 16 | j); a, b: of row_value; weight */
    const uint32_t *child_at;     /* of the s of front k + 1: x, or nx + position */
    uint32_t child_count;
    bool child_begins; /* they begin with x in this order, and P has no other part */
    bool regular;      /* the inside meets all e and all l, and no other rows: e_at and g_at change nothing */
} chain_lean;

/* ---- chain_threads.c: leaves beside the walk along the nodes ---- */

typedef void (*chain_leaf_work)(chain_system *c, uint32_t batch);

typedef struct chain_share {
    chain_system *c;
    dd_team *team; /* NULL: the walk does the leaves too */
    chain_leaf_work work;
    uint32_t *order, count; /* batches as the walk needs them */
    atomic_uchar *done;     /* per batch */
    atomic_uint next;       /* leaf that nobody has taken */
    atomic_uint passed;     /* intervals below are behind the walk */
} chain_share;

/* False: out of memory. */
bool dd_chain_share_new(chain_share *s, chain_system *c);
/* Leaves that the walk from the last interval to the first needs; need: waits for one, and works meanwhile. */
void dd_chain_share_ahead(chain_share *s, dd_team *team, chain_leaf_work work);
void dd_chain_share_need(chain_share *s, uint32_t batch);
/* Leaves that the walk from the first to the last leaves behind. */
void dd_chain_share_behind(chain_share *s, dd_team *team, chain_leaf_work work);
void dd_chain_share_passed(chain_share *s, uint32_t k);
/* Returns when nobody is at work any more; stop: leaves that were not begun are left. */
void dd_chain_share_end(chain_share *s, bool stop);

typedef struct chain_lanes {
    chain_shape *shape;
    chain_batch *batch;
    uint32_t shapes, batches;
    const chain_kernels *kernels;
    chain_share share;
    dd_team *factor_team, *solve_team; /* NULL: there is too little to share */
    chain_source from;                 /* during a factorisation */
    uint64_t serial;                   /* of the present Jacobian */
    bool far;                          /* what batches keep does not fit into the second cache */
    size_t scratch;                    /* numbers that a factorisation of near or sparse leaves needs */
    uint32_t scratches;                /* threads that may need them at once */
    double **scratch_of;
    atomic_uchar *scratch_used;
    const chain_program **latest; /* shapes: what was made last by values; NULL: nothing */
} chain_lanes;

/* ---- chain_batches.c ---- */

/* Where multipliers are larger, condensing loses more digits. */
#define CHAIN_GROWTH_MOST 1e3

/* False: out of memory. */
bool dd_chain_make_scratch(chain_system *c);
void dd_chain_factor_leaf(chain_system *c, uint32_t batch); /* and forward, where the factorisation takes b with it */
void dd_chain_forward_leaf(chain_system *c, uint32_t batch);
void dd_chain_backward_leaf(chain_system *c, uint32_t batch);
/* Long chains do not fit into the caches, and batches are in a few pages here and a few there, which the processor does
 * not foresee: at interval k the walk asks for a part of the batch that is worked on next. All of it at once would wait for
 * memory as long as without. */
typedef enum chain_pass { CHAIN_FACTOR, CHAIN_FORWARD, CHAIN_BACKWARD } chain_pass;
void dd_chain_foresee(const chain_system *c, uint32_t k, chain_pass pass);
/* A sparse batch whose multipliers are too large gets pivots by its values; they may still be too large then. */
dd_status dd_chain_choose_pivots(chain_system *c, uint32_t batch);

/* Factors of the substitution x+ = t + T e (chain_lean.c). */
typedef struct chain_lean_step {
    uint32_t ldp, late;
    const uint32_t *late_id; /* late: unknowns that the front before delayed */
    double *c, *t, *w;       /* 1 / C; nx x ld */
    const double *p;         /* nx x ldp */
    bool as_assembled;       /* nothing was delayed or moved */
} chain_lean_step;

dd_status dd_chain_plan_leaves(chain_system *c);
dd_status dd_chain_lean(chain_system *c, uint32_t k, const chain_step *child);
void dd_chain_lean_forward(const chain_system *c, uint32_t k, double *b);
void dd_chain_lean_backward(const chain_system *c, uint32_t k, double *b);

#endif
