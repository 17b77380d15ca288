/* chain_planner.h - what is known while leaves are planned: chain_leaf.c, chain_repeat.c, chain_shape.c,
 * chain_fill.c (private). */
#ifndef DD_NLP_CHAIN_PLANNER_H
#define DD_NLP_CHAIN_PLANNER_H

#include "graph/pattern.h"
#include "nlp/chain_lanes.h"

/* Roles of unknowns in the front at hand, and areas of slots: in the upper bits, an index in the lower ones. */
enum { SHIFT = 28, INDEX = (1 << SHIFT) - 1, ROLE_D = 1, ROLE_R, ROLE_X, ROLE_L, ROLE_E };
enum { AREA_A = 1, AREA_U, AREA_HD, AREA_G, AREA_HEE, AREA_GE };
enum { SIDE_MOST = 1 << 12 }; /* unknowns of a front: positions and slots must fit into their bits */

typedef struct chain_planner {
    chain_system *c;
    dd_work work;
    /* signatures and sources of all intervals, one after the other */
    uint32_t *sign, *source;
    size_t *sign_at, *sign_end; /* intervals; those that share the signature of another one are written over */
    size_t sign_top;            /* the end of all that are kept */
    size_t *source_at;          /* intervals + 1 */
    uint32_t *shape_of;         /* intervals; UINT32_MAX: none */
    uint32_t *like;             /* shapes: an interval that has it */
    /* the interval at hand */
    uint32_t k, nd, ne, ng;
    uint32_t *e_index, *g_index, *l_index; /* positions of e and l: number outside, or UINT32_MAX */
    uint32_t *hd_table, *g_table;          /* nd x nd, ng x nd: number + 1 */
    uint32_t *hu_table;                    /* nd x ne: likewise, set when a shape is made */
    uint32_t *a_table, *outer_table;       /* nd x (nd + ne), outs: number + 1; NULL: the shape is dense */
    uint32_t table_nd;                     /* of the interval whose entries are in hd_table and g_table */
    uint32_t hds, hus, gs, *hd_i, *hd_j, *g_i, *g_j;
    chain_direct *direct[DIRECT_LISTS];
    uint32_t count[DIRECT_LISTS], directs[DIRECT_LISTS][DIRECT_KINDS];
    uint32_t shapes;
    /* the interval before, or the one that it repeats: for every entry of its front the roles of the two unknowns; the
     * entries that became sources of the leaf, and those of each direct list */
    bool repeatable;
    chain_lean *lean; /* the plan that it has */
    uint64_t *roles;
    uint32_t *source_entry, *direct_entry[DIRECT_LISTS];
} chain_planner;

INLINE uint32_t chain_role(const chain_planner *p, uint32_t u)
{
    return p->c->at[u] >> SHIFT;
}

INLINE uint32_t chain_index(const chain_planner *p, uint32_t u)
{
    return p->c->at[u] & INDEX;
}

/* Position among x and e. */
INLINE uint32_t chain_outer_position(const chain_planner *p, uint32_t u, uint32_t nx)
{
    return chain_role(p, u) == ROLE_X ? chain_index(p, u) : nx + chain_index(p, u);
}

/* The roles of an entry's unknowns, and where its number comes from: Hessian, Jacobian or diagonal. */
INLINE uint64_t chain_roles_of(const chain_planner *p, const chain_entry *t)
{
    const uint32_t hn = p->c->pattern.hessian_nnz, jn = p->c->pattern.jacobian_nnz;
    const uint64_t kind = (t->source >= hn) + (t->source >= hn + jn);
    return kind << 62 | (uint64_t)p->c->at[t->u] << 31 | p->c->at[t->v];
}

/* The number of an entry of H_DD, made known when it is new. */
uint32_t dd_chain_hd_slot(chain_planner *p, uint32_t i, uint32_t j);
/* Sets the roles of the unknowns of a front. */
void dd_chain_assign_roles(chain_system *c, const chain_front *f);
/* Plans the interval at hand like the one before it, where all its entries have the same roles; false: they have not, or
 * there is no memory. */
bool dd_chain_repeat(chain_planner *p);
/* Intervals of one shape into batches, in their order. */
void dd_chain_fill_batches(chain_planner *p, chain_lanes *lanes);
/* The shape that the signature of the interval at hand describes. */
void dd_chain_make_shape(chain_planner *p, chain_shape *s);

#endif
