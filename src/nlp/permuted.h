/* permuted.h - the same program with its variables and rows in another order.
 *
 * A solver's rounding errors depend on the order of variables and rows; its answer must not. Tests use this to imitate
 * other processors and libraries. Within blocks of neighbours (those of one interval) the order is random and the same
 * in every run.
 */
#ifndef DD_NLP_PERMUTED_H
#define DD_NLP_PERMUTED_H

#include "nlp/nlp.h"

typedef struct dd_permuted dd_permuted;

/* The program must live as long. Fails with DD_OUT_OF_MEMORY. */
dd_status dd_permuted_new(dd_permuted **out, dd_context *ctx, const dd_nlp *nlp, uint32_t seed, uint32_t blocks);
void dd_permuted_free(dd_permuted *p);               /* NULL is fine */
const dd_nlp *dd_permuted_nlp(const dd_permuted *p); /* the program in the other order */

/* Solves it in that order, with options->solver; the result, also where it begins, is in the order of the program itself. */
dd_status dd_permuted_solve(dd_permuted *p, const dd_nlp_options *options, dd_nlp_result *result);

#endif
