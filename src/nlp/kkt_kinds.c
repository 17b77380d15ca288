/* kkt_kinds.c - which factorisation serves a pattern. */
#include "nlp/kkt_kinds.h"

#include "nlp/chain.h"
#include "nlp/kkt_section.h"
#include "nlp/sparse_pattern.h"

/* the special ones first */
static const dd_kkt_kind *const kinds[] = {&dd_kkt_dense, &dd_kkt_chain, &dd_kkt_general};

/* With up to so many variables in an interval and its node the chain is faster than any other kind. */
enum { SURELY_CHAIN = 250 };
/* Intervals that tell what one costs. */
enum { SECTION = 10 };
/* What a general factorisation takes of its estimate, which counts large fronts at the speed of small ones. */
static const double general_share = 0.5;

/* Discretised partial differential equations have so many states that a general factorisation, which also cuts across
 * the states, may need less time than the recursion along the nodes. */
static dd_status is_chain_faster(bool *out, dd_context *ctx, const dd_kkt_pattern *p)
{
    const uint32_t intervals = p->shape->intervals, few = intervals < SECTION ? intervals : SECTION;
    *out = p->n <= (uint64_t)SURELY_CHAIN * intervals || intervals == 0;
    if (*out) {
        return DD_OK;
    }
    dd_kkt_section section;
    double chain = 0;
    dd_sparse_cuts general = {0};
    dd_status st = dd_kkt_section_take(&section, ctx, p, few);
    st = st == DD_OK ? dd_chain_cost(&chain, ctx, &section.pattern) : st;
    st = st == DD_OK ? dd_sparse_find_cuts(&general, ctx, p) : st;
    if (st == DD_OK) {
        *out = chain / few < general_share * general.cost / intervals;
    }
    dd_kkt_section_free(&section);
    return st;
}

dd_kkt_pattern dd_kkt_pattern_of(const dd_nlp *nlp, const bool *fixed, const bool *equality)
{
    return (dd_kkt_pattern){.n = nlp->n,
                            .m = nlp->m,
                            .hessian_nnz = nlp->hessian_nnz,
                            .jacobian_nnz = nlp->jacobian_nnz,
                            .hessian_row = nlp->hessian_row,
                            .hessian_col = nlp->hessian_col,
                            .jacobian_row = nlp->jacobian_row,
                            .jacobian_col = nlp->jacobian_col,
                            .fixed = fixed,
                            .equality = equality,
                            .shape = nlp->shape};
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
