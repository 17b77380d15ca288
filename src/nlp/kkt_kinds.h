/* kkt_kinds.h - the kinds of factorisations of kkt_system.h, and which one serves a pattern. */
#ifndef DD_NLP_KKT_KINDS_H
#define DD_NLP_KKT_KINDS_H

#include "nlp/kkt_system.h"
#include "nlp/nlp.h"

extern const dd_kkt_kind dd_kkt_dense;

/* The entries of a program; one thread. */
dd_kkt_pattern dd_kkt_pattern_of(const dd_nlp *nlp, const bool *fixed, const bool *equality);
/* The first kind that suits. */
dd_status dd_kkt_make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern);
void dd_kkt_free(dd_kkt_system *k); /* NULL is fine */

#endif
