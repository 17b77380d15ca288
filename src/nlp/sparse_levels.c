/* sparse_levels.c - where a chain of intervals is cut for the general factorisation (sparse_pattern.h).
 *
 * Long chains with many states at the nodes are like grids, time in one direction and the states in the other. Minimum
 * degree alone finds separators there that grow with the chain. So the chain is cut at every `step`-th node: what is
 * between two cuts is ordered by minimum degree, the cuts come last, and work and memory are linear in the length.
 * The right step depends on how states meet each other; it is found by ordering the first intervals in several ways.
 */
#include <math.h>

#include "nlp/kkt_section.h"
#include "nlp/sparse_pattern.h"

/* Nodes with fewer unknowns than this are small separators, which minimum degree finds by itself. */
enum { NODE_LEAST = 16 };
/* Intervals that are ordered for trial: two cuts at the widest step. */
enum { TRIAL = 30 };

void dd_sparse_levels(const dd_sparse_pattern *k, uint32_t step, uint32_t *level)
{
    const dd_kkt_pattern *p = k->kkt;
    const dd_nlp_shape *s = p->shape;
    const uint32_t last = DD_PLACE_NODE(s->intervals);
    for (uint32_t u = 0; u < p->n + p->m; u++) {
        const uint32_t place = u < p->n ? s->variable_place[u] : s->row_place[u - p->n];
        const uint32_t to = u < p->n ? k->unknown_of[u] : k->free + (u - p->n);
        if (to != DD_NO_INDEX) {
            const bool cut = place % 2 == 0 && place / 2 % step == 0 && place > 0 && place < last;
            level[to] = place == DD_PLACE_BORDER ? 2 : cut;
        }
    }
}

/* The cost of a section with cuts at every step-th node; 0: with none. level: unknowns. */
static dd_status cost_of(double *cost, const dd_sparse_pattern *k, uint32_t step, uint32_t *level)
{
    if (step > 0) {
        dd_sparse_levels(k, step, level);
    }
    const dd_ldl_pattern pattern = {.n = k->unknowns,
                                    .ptr = k->matrix.ptr,
                                    .idx = k->matrix.idx,
                                    .partner = k->partner,
                                    .level = step > 0 ? level : NULL};
    return dd_ldl_cost(cost, k->ctx, &pattern);
}

/* The cheapest of the steps for a section of this many intervals. */
static dd_status try_section(dd_sparse_cuts *best, dd_context *ctx, const dd_kkt_pattern *p, uint32_t intervals,
                             const uint32_t *steps, uint32_t count)
{
    *best = (dd_sparse_cuts){0};
    dd_kkt_section s;
    dd_sparse_pattern k = {0};
    dd_work w = {.ctx = ctx};
    dd_status st = dd_kkt_section_take(&s, ctx, p, intervals);
    st = st == DD_OK ? dd_sparse_pattern_make(&k, ctx, &s.pattern) : st;
    uint32_t *level = st == DD_OK ? dd_work_array(&w, k.unknowns, sizeof *level) : NULL;
    st = w.failed ? DD_OUT_OF_MEMORY : st;
    for (uint32_t i = 0; i < count && st == DD_OK; i++) {
        double cost = 0;
        st = cost_of(&cost, &k, steps[i], level);
        if (st == DD_OK && (i == 0 || cost < best->cost)) {
            *best = (dd_sparse_cuts){steps[i], cost};
        }
    }
    dd_work_free(&w);
    dd_sparse_pattern_free(&k);
    dd_kkt_section_free(&s);
    return st;
}

dd_status dd_sparse_find_cuts(dd_sparse_cuts *out, dd_context *ctx, const dd_kkt_pattern *p)
{
    static const uint32_t none[] = {0}, steps[] = {5, 10, 2};
    *out = (dd_sparse_cuts){0};
    if (p->shape == NULL || p->shape->intervals < 2) {
        return DD_OK;
    }
    const uint32_t all = p->shape->intervals, intervals = all < TRIAL ? all : TRIAL;
    uint64_t nodes = 0;
    for (uint32_t j = 0; j < p->n; j++) {
        nodes += p->shape->variable_place[j] % 2 == 0;
    }
    const bool small = nodes < (uint64_t)NODE_LEAST * all;
    /* without cuts the cost grows like a power of the length, which two sections tell; with them it is linear */
    dd_sparse_cuts half = {0}, whole = {0}, cut;
    dd_status st = try_section(&half, ctx, p, intervals / 2, none, 1);
    st = st == DD_OK ? try_section(&whole, ctx, p, intervals, none, 1) : st;
    cut = whole;
    st = st == DD_OK && !small ? try_section(&cut, ctx, p, intervals, steps, 3) : st;
    if (st == DD_OK) {
        const double times = (double)all / intervals, power = log2(whole.cost / half.cost);
        whole.cost *= pow(times, power > 1 ? power : 1);
        cut.cost *= times;
        *out = !small && cut.cost < whole.cost ? cut : whole;
    }
    return st;
}
