/* condense_impl.h - the parts of condense*.c (private).
 *
 * Stage k has what is at node k and inside interval k; stage N the last node alone. Its unknowns are local: first d, which
 * the rows inside determine, then e: the states at node k, the free variables of node k, inside and of node k + 1. All is
 * expressed in e and 1, and e in columns that all stages share: the states at the start, 1, the free variables in
 * the order of stages. So the columns that a stage can meet are the first ones.
 */
#ifndef DD_NLP_CONDENSE_IMPL_H
#define DD_NLP_CONDENSE_IMPL_H

#include "nlp/chain_lanes.h"
#include "nlp/condense.h"
#include "nlp/dense_qp.h"

enum { CONDENSE_ONE = UINT32_MAX }; /* source of an entry that is 1 */
/* Lines of matrices end at a multiple of eight, as tiles of registers do; what is behind their numbers is 0. */
#define CONDENSE_LINE(n) (((n) + 7) / 8 * 8)

/* A number of the Jacobian or the Hessian, and where it goes. */
typedef struct condense_entry {
    uint32_t i, j, source;
} condense_entry;

typedef struct condense_stage {
    uint32_t nd, nx, ne, nx_next, ld; /* ld = nd + ne + 1 */
    uint32_t nn;                      /* free variables at the node, behind its states */
    uint32_t known;                   /* of e: behind them are the free variables that no stage before has */
    uint32_t width;                   /* columns */
    uint32_t slopes;                  /* the first of e, whose gradient is counted here */
    const uint32_t *d, *r, *e;
    const uint32_t *link, *own; /* nx: the rows that determine the states here, and their entry there */
    uint32_t insides, links, curvatures;
    const condense_entry *inside;    /* of rows r: row, local */
    const condense_entry *onward;    /* of the next stage's links: row, local */
    const condense_entry *curvature; /* local, local */
    double *lu;                      /* nd x ld: [L U | T], with d = T [e; 1] */
    uint32_t *pivot;                 /* nd: the row that was swapped with this one */
    double *f;                       /* nx_next lines of ne + 1: the states of the next stage */
    double *span;                    /* (ne + 1) x line: e and 1 in columns */
} condense_stage;

/* A row of the dense program: a row, or a variable with bounds, of the program. */
typedef struct condense_row {
    uint32_t index; /* of the row or variable */
    bool variable;
    uint32_t first, count; /* of the entries: i: the stage, ascending, j: local */
    uint32_t together;     /* this and the next ones are made at once; 0: it is made alone, or with one before */
} condense_row;

struct dd_condensed_qp {
    const dd_nlp *nlp;
    uint32_t stages, states, free, columns; /* columns = states + 1 + free */
    uint32_t line;                          /* CONDENSE_LINE(columns) */
    uint32_t rows;
    uint32_t bounded;          /* rows and variables with bounds when this was planned */
    const uint32_t *free_var;  /* free */
    const uint8_t *determines; /* m: the row determines a variable */
    condense_stage *stage;
    condense_row *row;
    const condense_entry *row_entry;
    dd_dense_qp *qp;
    const dd_linearized *model;
    bool ready;
    void (*product)(const chain_product_of *p);
    /* columns x line, of which the rows of free variables count, up to the diagonal; rows x line */
    double *quadratic, *affine;
    double *u, *q, *v, *local, *turned;     /* work of one stage, of which turned has rows in e and 1 by columns */
    double *togo;                           /* the cost from a node on, in its states, its free variables and 1 */
    double *g, *lower, *upper, *x, *lambda; /* of the dense program */
    double *start;                          /* states: the step s */
    double *step, *slope, *rest;            /* n, n, nd */
};

/* condense_plan.c: the lists of all stages. NULL: not possible. */
dd_condensed_qp *dd_condensed_plan(dd_pool *pool, const dd_nlp *nlp, uint32_t start_row, uint32_t states);
bool dd_condensed_is_bounded(const double *lower, const double *upper, uint32_t i);

/* condense_recover.c: the step of all variables and the multipliers, from those of the dense program. */
void dd_condensed_recover(dd_condensed_qp *c, dd_nlp_result *result);

#endif
