/* sparse_pattern.h - the symmetric matrix of a linear system of kkt_system.h, for general sparse factorisations
 * (sparse_kkt.c, sparse_levels.c).
 *
 * An equality has no diagonal of its own. It is paired with a variable that it contains, so that the two are eliminated
 * together: with the one that the shape of the program names, or else one of a maximum matching that begins with the
 * variables in the fewest entries.
 */
#ifndef DD_NLP_SPARSE_PATTERN_H
#define DD_NLP_SPARSE_PATTERN_H

#include "la/csc.h"
#include "la/ldl.h"
#include "nlp/kkt_system.h"

typedef struct dd_sparse_pattern {
    dd_context *ctx;
    const dd_kkt_pattern *kkt;
    uint32_t unknowns, free; /* rows and free variables; free variables, which come first */
    uint32_t *unknown_of;    /* n: DD_NO_INDEX where it is fixed */
    uint32_t *partner;       /* unknowns: the other one of a pair, or DD_NO_INDEX */
    dd_csc matrix;           /* lower triangle */
    uint32_t *at;            /* triplets: where each is added; hessian, p, jacobian, q in this order */
    size_t triplets;
} dd_sparse_pattern;

/* The KKT pattern must live as long. Fails with DD_OUT_OF_MEMORY, DD_LIMIT; then there is nothing to free. */
dd_status dd_sparse_pattern_make(dd_sparse_pattern *k, dd_context *ctx, const dd_kkt_pattern *pattern);
void dd_sparse_pattern_free(dd_sparse_pattern *k); /* one that is cleared is fine */

/* ---- sparse_levels.c: chains are cut at nodes, which are eliminated last ---- */

/* How many intervals lie between two cuts, 0: no cuts; and how long a factorisation takes, in nanoseconds (an estimate; 0
 * for patterns without a shape). */
typedef struct dd_sparse_cuts {
    uint32_t step;
    double cost;
} dd_sparse_cuts;
dd_status dd_sparse_find_cuts(dd_sparse_cuts *out, dd_context *ctx, const dd_kkt_pattern *pattern);
/* level: unknowns (ldl.h). */
void dd_sparse_levels(const dd_sparse_pattern *k, uint32_t step, uint32_t *level);

#endif
