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

bool dd_chain_repeat(chain_planner *p)
{
    chain_system *c = p->c;
    chain_front *f = &c->front[p->k];
    const chain_front *before = f - 1;
    /* the last interval has no next one */
    if (p->k + 1 == c->intervals || !has_same_sizes(c, f, before) || !has_same_entries(p, f, before->lean_plan)) {
        return false;
    }
    const size_t directs = (size_t)p->count[DIRECT_EE] + p->count[DIRECT_XE] + p->count[DIRECT_LE];
    chain_lean *lean = dd_chain_take(&c->plan, 1, sizeof *lean);
    chain_direct *direct = dd_chain_take(&c->plan, directs, sizeof *direct);
    if (c->plan.failed) {
        return false;
    }
    /* numbers move by as much as those of the entries */
    *lean = *before->lean_plan;
    for (int t = 0; t < DIRECT_LISTS; t++) {
        const chain_direct *from = lean->direct[t];
        lean->direct[t] = direct;
        for (uint32_t i = 0; i < p->count[t]; i++) {
            const uint32_t e = p->direct_entry[t][i];
            *direct = *from++;
            direct++->source += f->entry[e].source - before->entry[e].source;
        }
    }
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
    f->lean_plan = lean;
    f->lean = true;
    return true;
}
