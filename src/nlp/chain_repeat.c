/* chain_repeat.c - intervals whose structure is that of the one before them: most of a program. Their lists are those of
 * the interval before, with other numbers of entries; positions in the front are shared (chain_planner.h). */
#include "nlp/chain_planner.h"

void dd_chain_assign_roles(chain_system *c, const chain_front *f)
{
    uint32_t *at = c->at;
    for (uint32_t i = 0; i < f->nx; i++) {
        at[f->x[i]] = ROLE_X << SHIFT | i;
        at[f->l[i]] = ROLE_L << SHIFT | i;
    }
    for (uint32_t i = 0; i < f->nd; i++) {
        at[f->d[i]] = ROLE_D << SHIFT | i;
        at[f->r[i]] = ROLE_R << SHIFT | i;
    }
    for (uint32_t i = 0; i < f->nv + f->ns; i++) {
        at[f->e[i]] = (uint32_t)ROLE_E << SHIFT | i;
    }
}

/* Are there as many unknowns and entries of every kind, and no inequality? */
static bool has_same_sizes(const chain_system *c, const chain_front *f, const chain_front *before)
{
    bool same = f->nx == before->nx && f->nd == before->nd && f->nv == before->nv && f->ns == before->ns &&
                f->entries == before->entries && f->condensed == 0 && before->condensed == 0;
    for (uint32_t i = 0; same && i < f->nv + f->ns; i++) {
        same = (f->e[i] < c->n) == (before->e[i] < c->n);
    }
    return same;
}

/* The roles of the interval's unknowns are set here. */
static bool has_same_entries(const chain_planner *p, const chain_front *f, const chain_lean *before)
{
    dd_chain_assign_roles(p->c, f);
    for (uint32_t e = 0; e < f->entries; e++) {
        if (chain_roles_of(p, &f->entry[e]) != p->roles[e]) {
            return false;
        }
    }
    /* what the next interval leaves */
    const chain_front *child = f + 1;
    bool same = child->ns == before->child_count;
    for (uint32_t i = 0; same && i < child->ns; i++) {
        same = chain_outer_position(p, child->e[child->nv + i], f->nx) == before->child_at[i];
    }
    return same;
}

/* Entry i of a direct list in the interval at hand: where it comes from, and by how much that moved. */
static chain_direct moved(const chain_planner *p, int list, uint32_t i)
{
    const chain_front *f = &p->c->front[p->k];
    const uint32_t e = p->direct_entry[list][i];
    chain_direct t = p->lean->direct[list][i];
    const uint32_t step = f->entry[e].source - f[-1].entry[e].source;
    t.source += (p->k - 1 - p->lean->first) * t.step + step;
    t.step = step;
    return t;
}

/* Do sources of direct entries move like those before? The second interval of a plan says how. */
static bool moves_on(const chain_planner *p)
{
    const bool second = p->k == p->lean->first + 1;
    bool same = true;
    for (int t = 0; t < DIRECT_LISTS; t++) {
        chain_direct *direct = (chain_direct *)p->lean->direct[t];
        for (uint32_t i = 0; i < p->count[t]; i++) {
            const uint32_t step = moved(p, t, i).step;
            direct[i].step = second ? step : direct[i].step;
            same &= direct[i].step == step;
        }
    }
    return same;
}

/* The plan of the interval before from the one at hand on; NULL: no memory. */
static chain_lean *new_plan(const chain_planner *p)
{
    chain_pool *pool = &p->c->plan;
    const size_t directs = (size_t)p->count[DIRECT_EE] + p->count[DIRECT_XE] + p->count[DIRECT_LE];
    chain_lean *lean = dd_chain_take(pool, 1, sizeof *lean);
    chain_direct *direct = dd_chain_take(pool, directs, sizeof *direct);
    if (pool->failed) {
        return NULL;
    }
    *lean = *p->lean;
    lean->first = p->k;
    for (int t = 0; t < DIRECT_LISTS; t++) {
        lean->direct[t] = direct;
        for (uint32_t i = 0; i < p->count[t]; i++) {
            *direct++ = moved(p, t, i);
        }
    }
    return lean;
}

bool dd_chain_repeat(chain_planner *p)
{
    chain_system *c = p->c;
    chain_front *f = &c->front[p->k];
    const chain_front *before = f - 1;
    /* the last interval has no next one */
    if (p->k + 1 == c->intervals || !has_same_sizes(c, f, before) || !has_same_entries(p, f, before->lean_plan)) {
        return false;
    }
    chain_lean *lean = moves_on(p) ? p->lean : new_plan(p);
    if (!lean) {
        return false;
    }
    /* sources of leaves move by as much as those of the entries */
    const uint32_t *from = p->source + p->source_at[p->k - 1];
    uint32_t *source = p->source + p->source_at[p->k];
    const size_t sources = p->source_at[p->k] - p->source_at[p->k - 1];
    for (size_t i = 0; i < sources; i++) {
        const uint32_t e = p->source_entry[i];
        source[i] = from[i] + (f->entry[e].source - before->entry[e].source);
    }
    p->source_at[p->k + 1] = p->source_at[p->k] + sources;
    p->sign_at[p->k] = p->sign_end[p->k] = p->sign_top;
    p->shape_of[p->k] = p->shape_of[p->k - 1];
    f->lean_plan = p->lean = lean;
    f->batch = UINT32_MAX;
    f->lean = true;
    return true;
}
