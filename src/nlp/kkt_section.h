/* kkt_section.h - the first intervals of a pattern with a shape, as a pattern of their own: intervals are much alike, so what
 * a factorisation of the whole costs can be told from a few of them. */
#ifndef DD_NLP_KKT_SECTION_H
#define DD_NLP_KKT_SECTION_H

#include "graph/pattern.h"
#include "nlp/kkt_system.h"

typedef struct dd_kkt_section {
    dd_kkt_pattern pattern;
    dd_nlp_shape shape;
    dd_work work;
} dd_kkt_section;

/* What meets both a part that is there and one that is not is cut. To be freed, also after a failure
 * (DD_OUT_OF_MEMORY). */
dd_status dd_kkt_section_take(dd_kkt_section *s, dd_context *ctx, const dd_kkt_pattern *p, uint32_t intervals);
void dd_kkt_section_free(dd_kkt_section *s);

#endif
