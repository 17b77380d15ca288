/* chain.h - linear systems of programs with a shape (kkt_system.h, shape.h): every interval is condensed to its nodes by
 * itself, several intervals in the lanes of vector registers; then a recursion of Riccati's kind walks along the nodes.
 *
 * Accuracy: what a row determines inside an interval is found by LU with partial pivoting (sparse leaves: with pivots that
 * are kept as long as they are good, chain_sparse.h). An interval whose matrix is nearly singular is factored as a whole
 * instead (Bunch and Parlett); if it is too large for that, the general factorisation serves. Rows that nothing in their front can hold safely
 * are delayed to the next front. Where rows that determine a variable have q > 0, the general factorisation
 * serves instead. The recursion loses all digits where motions grow by more than 1e16 over the chain and no control holds them
 * (the sizes of what it carries to the first node are squares of this growth): callers see it in the residuals of a solve and
 * ask for a careful factorisation, which chooses pivots at all nodes.
 */
#ifndef DD_NLP_CHAIN_H
#define DD_NLP_CHAIN_H

#include "nlp/kkt_system.h"

extern const dd_kkt_kind dd_kkt_chain;

/* Nanoseconds that a factorisation takes, roughly. Its memory, which may be more than there is, is not taken. */
dd_status dd_chain_cost(double *nanoseconds, dd_context *ctx, const dd_kkt_pattern *pattern);

/* For measurements and tests: all leaves are sparse, however small. */
extern const dd_kkt_kind dd_kkt_chain_sparse;

typedef struct dd_chain_info {
    uint32_t intervals, lean, whole; /* condensed in lanes; factored as a whole */
    uint32_t batches;                /* of lanes */
    uint32_t sparse;                 /* batches of sparse leaves, */
    uint32_t programs;               /* and how often one got other pivots */
    uint32_t delayed;                /* pivots, each counted once per front it left */
} dd_chain_info;
dd_chain_info dd_chain_get_info(const dd_kkt_system *k);
/* Factors every interval as a whole from now on: slow, the reference of the tests. */
void dd_chain_set_whole(dd_kkt_system *k, bool whole);
/* The team takes part however little there is to do; NULL: one thread. */
void dd_chain_set_team(dd_kkt_system *k, dd_team *team);
/* Takes other kernels than the best ones of this processor, which are number 0; returns their name, NULL behind the
 * last. */
const char *dd_chain_set_kernels(dd_kkt_system *k, uint32_t which);

#endif
