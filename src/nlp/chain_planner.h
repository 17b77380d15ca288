/* chain_planner.h - what is known while leaves are planned: chain_leaf.c, chain_shape.c (private). */
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
} chain_planner;

/* The number of an entry of H_DD, made known when it is new. */
uint32_t dd_chain_hd_slot(chain_planner *p, uint32_t i, uint32_t j);
/* The shape that the signature of the interval at hand describes. */
void dd_chain_make_shape(chain_planner *p, chain_shape *s);

#endif
