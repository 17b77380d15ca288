/* kkt_kinds.c - which factorisation serves a pattern. */
#include "nlp/kkt_kinds.h"

#include "nlp/chain.h"
#include "nlp/sparse_pattern.h"

/* the special ones first */
static const dd_kkt_kind *const kinds[] = {&dd_kkt_dense, &dd_kkt_chain, &dd_kkt_general};

/* Up to so many unknowns inside an interval, dense leaves in lanes are faster than any sparse factorisation. */
static const double surely_chain = 60;

/* Intervals with many unknowns are sparse: then a general factorisation may need less time than dense leaves. */
static dd_status is_chain_faster(bool *out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    const dd_chain_estimate chain = dd_chain_get_estimate(pattern);
    *out = true;
    if (chain.inside <= surely_chain) {
        return DD_OK;
    }
    dd_sparse_cuts general;
    const dd_status st = dd_sparse_find_cuts(&general, ctx, pattern);
    *out = chain.cost < general.cost;
    return st;
}

dd_status dd_kkt_make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    *out = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool suits = kinds[i]->suits(pattern);
        const dd_status st = suits && kinds[i] == &dd_kkt_chain ? is_chain_faster(&suits, ctx, pattern) : DD_OK;
        if (st != DD_OK) {
            return st;
        }
        if (suits) {
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
