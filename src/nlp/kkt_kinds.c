/* kkt_kinds.c - which factorisation serves a pattern. */
#include "nlp/kkt_kinds.h"

#include "nlp/chain.h"

/* the special ones first */
static const dd_kkt_kind *const kinds[] = {&dd_kkt_dense, &dd_kkt_chain, &dd_kkt_general};

dd_status dd_kkt_make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i]->suits(pattern)) {
            return kinds[i]->make(out, ctx, pattern);
        }
    }
    return dd_fail(ctx, DD_INVALID_ARGUMENT, "no factorisation suits the program");
}

void dd_kkt_free(dd_kkt_system *k)
{
    if (k != NULL) {
        k->kind->free(k);
    }
}
