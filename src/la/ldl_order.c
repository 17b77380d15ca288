/* ldl_order.c - the order of an LDL^T factorisation and its fronts.
 *
 * 1. Nodes: single unknowns, and pairs that are eliminated together (the compressed graph of Duff and Pralet, SIAM J.
 *    Matrix Anal. Appl. 27, 2005: a pair of a variable and an equality is a good 2 x 2 pivot where neither is one by
 *    itself, so few pivots have to be delayed).
 * 2. AMD on the graph of the nodes (Amestoy, Davis and Duff, ACM TOMS 30, 2004).
 * 3. Elimination tree and column counts (Liu 1990), by walking up the row subtrees.
 * 4. Fronts: a node joins its parent's where an estimate of the time says so. Zeros that are stored then cost
 *    operations; a front of its own costs its administration and the assembly of its contribution.
 * 5. A postorder, the largest subtree first.
 */
#include <amd.h>
#include <camd.h>
#include <string.h>

#include "la/ldl_impl.h"

/* The graph of the nodes, and what becomes of them. */
typedef struct plan {
    dd_context *ctx;
    uint32_t nodes;
    uint32_t *node_of;       /* n: node of an unknown */
    uint32_t *head, *tail;   /* unknowns of a node; tail: DD_NO_INDEX in a single one */
    uint32_t *ptr, *idx;     /* neighbours of a node */
    uint32_t *order, *where; /* node at a position, position of a node */
    uint32_t *parent;        /* by positions: elimination tree */
    uint32_t *pivots, *rows; /* by positions: unknowns and rows of the front that ends there */
    uint32_t *front;         /* by positions: the position whose front this one joined */
    uint32_t *child, *next;  /* by positions: children */
} plan;

static uint32_t weight(const plan *p, uint32_t node)
{
    return p->tail[node] == DD_NO_INDEX ? 1 : 2;
}

static dd_status check(dd_context *ctx, const dd_ldl_pattern *a)
{
    /* AMD counts with 32-bit integers, and has both triangles and some room */
    if (a->n > INT32_MAX / 8 || a->ptr[a->n] > INT32_MAX / 4) {
        return dd_fail(ctx, DD_LIMIT, "the matrix has too many entries to be ordered");
    }
    for (uint32_t j = 0; j < a->n; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            if (a->idx[e] < j || a->idx[e] >= a->n) {
                return dd_fail(ctx, DD_INVALID_ARGUMENT, "the pattern of the symmetric matrix is not valid");
            }
        }
        const uint32_t other = a->partner != NULL ? a->partner[j] : DD_NO_INDEX;
        if (other != DD_NO_INDEX && (other >= a->n || other == j || a->partner[other] != j)) {
            return dd_fail(ctx, DD_INVALID_ARGUMENT, "the pairs of the symmetric matrix do not agree");
        }
    }
    return DD_OK;
}

static void make_nodes(plan *p, const dd_ldl_pattern *a)
{
    for (uint32_t v = 0; v < a->n; v++) {
        const uint32_t other = a->partner != NULL ? a->partner[v] : DD_NO_INDEX;
        if (other != DD_NO_INDEX && other < v) {
            p->node_of[v] = p->node_of[other];
            continue;
        }
        p->node_of[v] = p->nodes;
        p->head[p->nodes] = v;
        p->tail[p->nodes++] = other;
    }
}

/* Neighbours of all nodes, each once. mark: nodes. */
static void make_graph(plan *p, const dd_ldl_pattern *a, uint32_t *mark)
{
    /* how many there are at most */
    for (uint32_t j = 0; j < a->n; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            const uint32_t u = p->node_of[j], v = p->node_of[a->idx[e]];
            if (u != v) {
                p->ptr[u + 1]++;
                p->ptr[v + 1]++;
            }
        }
    }
    for (uint32_t k = 0; k < p->nodes; k++) {
        p->ptr[k + 1] += p->ptr[k];
        mark[k] = p->ptr[k];
    }
    for (uint32_t j = 0; j < a->n; j++) {
        for (uint32_t e = a->ptr[j]; e < a->ptr[j + 1]; e++) {
            const uint32_t u = p->node_of[j], v = p->node_of[a->idx[e]];
            if (u != v) {
                p->idx[mark[u]++] = v;
                p->idx[mark[v]++] = u;
            }
        }
    }
    /* pairs may be neighbours in several ways */
    memset(mark, 0xff, p->nodes * sizeof *mark);
    uint32_t to = 0;
    for (uint32_t k = 0; k < p->nodes; k++) {
        const uint32_t from = p->ptr[k];
        p->ptr[k] = to;
        for (uint32_t e = from; e < p->ptr[k + 1]; e++) {
            const uint32_t v = p->idx[e];
            if (mark[v] != k) {
                mark[v] = k;
                p->idx[to++] = v;
            }
        }
    }
    p->ptr[p->nodes] = to;
}

/* AMD, or CAMD where nodes have levels: those of a level come after those of the levels before. */
static dd_status run_amd(plan *p, const uint32_t *level)
{
    enum { PARTS = 11 };
    const size_t n = p->nodes, nnz = p->ptr[n], room = nnz + nnz / 5 + n + 1;
    dd_work w = {.ctx = p->ctx};
    int *part[PARTS];
    for (uint32_t i = 0; i < PARTS; i++) {
        part[i] = dd_work_array(&w, n + 1, sizeof **part);
    }
    int *iw = dd_work_array(&w, room, sizeof *iw);
    if (w.failed) {
        dd_work_free(&w);
        return DD_OUT_OF_MEMORY;
    }
    /* AMD destroys its copy of the graph */
    for (size_t k = 0; k < n; k++) {
        part[0][k] = (int)p->ptr[k];
        part[1][k] = (int)(p->ptr[k + 1] - p->ptr[k]);
    }
    memcpy(iw, p->idx, nnz * sizeof *iw);
    if (level != NULL) {
        /* a pair belongs to the later level of the two */
        for (size_t k = 0; k < n; k++) {
            const uint32_t a = level[p->head[k]], b = p->tail[k] == DD_NO_INDEX ? a : level[p->tail[k]];
            part[9][k] = (int)(a > b ? a : b);
        }
        double info[CAMD_INFO];
        camd_2((int)n, part[0], iw, part[1], (int)room, (int)nnz, part[2], part[3], part[4], part[5], part[6], part[7],
               part[8], NULL, info, part[9], part[10]);
    } else {
        double info[AMD_INFO];
        amd_2((int)n, part[0], iw, part[1], (int)room, (int)nnz, part[2], part[3], part[4], part[5], part[6], part[7],
              part[8], NULL, info);
    }
    for (uint32_t k = 0; k < n; k++) {
        p->order[k] = (uint32_t)part[4][k];
        p->where[p->order[k]] = k;
    }
    dd_work_free(&w);
    return DD_OK;
}

/* Parents in the elimination tree, and the rows of each column. ancestor: nodes. */
static void make_tree(plan *p, uint32_t *ancestor)
{
    for (uint32_t k = 0; k < p->nodes; k++) {
        const uint32_t node = p->order[k];
        p->parent[k] = ancestor[k] = DD_NO_INDEX;
        p->pivots[k] = p->rows[k] = weight(p, node);
        for (uint32_t e = p->ptr[node]; e < p->ptr[node + 1]; e++) {
            /* climb to the root, compressing the path: the root gets k as parent */
            for (uint32_t i = p->where[p->idx[e]]; i < k;) {
                const uint32_t up = ancestor[i];
                ancestor[i] = k;
                if (up == DD_NO_INDEX) {
                    p->parent[i] = k;
                }
                i = up == DD_NO_INDEX ? k : up;
            }
        }
    }
    /* row k is in the columns of its row subtree: the paths from its entries to k */
    uint32_t *mark = ancestor;
    for (uint32_t k = 0; k < p->nodes; k++) {
        const uint32_t node = p->order[k], own = weight(p, node);
        mark[k] = k;
        for (uint32_t e = p->ptr[node]; e < p->ptr[node + 1]; e++) {
            uint32_t i = p->where[p->idx[e]];
            while (i < k && mark[i] != k) {
                p->rows[i] += own;
                mark[i] = k;
                i = p->parent[i];
            }
        }
    }
}

/* Nanoseconds that a front takes, roughly, with its part of a solve and the assembly of its contribution. */
static double nanoseconds_of(double pivots, double rows)
{
    static const double administration = 250, row = 5, entry = 4, contribution = 1, operation = 0.4;
    const double below = rows - pivots;
    /* sum of i (i + 1) / 2 for i from below + 1 to rows */
    const double operations = (rows * (rows + 1) * (rows + 2) - below * (below + 1) * (below + 2)) / 6;
    return administration + row * rows + entry * pivots * rows + contribution * below * below / 2 +
           operation * operations;
}

/* Joins fronts with those of their parents. Children come before their parents, so each is final when it is looked at. */
static void join_fronts(plan *p)
{
    for (uint32_t k = 0; k < p->nodes; k++) {
        p->front[k] = k;
        p->child[k] = DD_NO_INDEX;
    }
    for (uint32_t k = 0; k < p->nodes; k++) {
        for (uint32_t c = p->child[k]; c != DD_NO_INDEX; c = p->next[c]) {
            /* the rows of the child but its pivots are all among those of the parent */
            const uint32_t pivots = p->pivots[k] + p->pivots[c], rows = p->rows[k] + p->pivots[c];
            if (nanoseconds_of(pivots, rows) <
                nanoseconds_of(p->pivots[k], p->rows[k]) + nanoseconds_of(p->pivots[c], p->rows[c])) {
                p->pivots[k] = pivots;
                p->rows[k] = rows;
                p->front[c] = k;
            }
        }
        if (p->parent[k] != DD_NO_INDEX) {
            p->next[k] = p->child[p->parent[k]];
            p->child[p->parent[k]] = k;
        }
    }
    /* from the root down: whom a front joined may have joined another */
    for (uint32_t k = p->nodes; k-- > 0;) {
        p->front[k] = p->front[p->front[k]];
    }
}

static double cost_of(const plan *p)
{
    double cost = 0;
    for (uint32_t k = 0; k < p->nodes; k++) {
        cost += p->front[k] == k ? nanoseconds_of(p->pivots[k], p->rows[k]) : 0;
    }
    return cost;
}

/* Postorder of the fronts. start: first position of the subtree; size: unknowns in the subtree; free: next free position
 * (all: nodes; front positions only). Fills tree->first, parent and order. */
static void number_fronts(const plan *p, dd_ldl_tree *tree, uint32_t *start, uint32_t *size, uint32_t *big,
                          uint32_t *number)
{
    uint32_t roots = 0, *vacant = p->child;
    for (uint32_t k = 0; k < p->nodes; k++) {
        size[k] = p->pivots[k];
        big[k] = DD_NO_INDEX;
    }
    /* sums of the subtrees; the largest child of each */
    for (uint32_t k = 0; k < p->nodes; k++) {
        if (p->front[k] == k && p->parent[k] != DD_NO_INDEX) {
            const uint32_t up = p->front[p->parent[k]];
            size[up] += size[k];
            big[up] = big[up] == DD_NO_INDEX || size[k] > size[big[up]] ? k : big[up];
        }
    }
    /* from the roots down: where each subtree begins, the largest child first */
    for (uint32_t k = p->nodes; k-- > 0;) {
        if (p->front[k] != k) {
            continue;
        }
        if (p->parent[k] == DD_NO_INDEX) {
            start[k] = roots;
            roots += size[k];
        } else {
            const uint32_t up = p->front[p->parent[k]];
            start[k] = big[up] == k ? start[up] : vacant[up];
            vacant[up] += big[up] == k ? 0 : size[k];
        }
        vacant[k] = start[k] + (big[k] != DD_NO_INDEX ? size[big[k]] : 0);
    }
    /* the pivots of a front come last in its subtree */
    for (uint32_t k = 0; k < p->nodes; k++) {
        vacant[k] = start[k] + size[k] - p->pivots[k];
    }
    for (uint32_t k = 0; k < p->nodes; k++) {
        const uint32_t node = p->order[k], top = p->front[k];
        number[vacant[top]] = top;
        tree->order[vacant[top]++] = p->head[node];
        if (p->tail[node] != DD_NO_INDEX) {
            number[vacant[top]] = top;
            tree->order[vacant[top]++] = p->tail[node];
        }
    }
    /* fronts by positions; big: their numbers */
    for (uint32_t at = 0; at < roots; at += p->pivots[number[at]]) {
        big[number[at]] = tree->fronts;
        tree->parent[tree->fronts] = number[at];
        tree->first[tree->fronts++] = at;
    }
    tree->first[tree->fronts] = roots;
    for (uint32_t s = 0; s < tree->fronts; s++) {
        const uint32_t up = p->parent[tree->parent[s]];
        tree->parent[s] = up == DD_NO_INDEX ? DD_NO_INDEX : big[p->front[up]];
    }
}

dd_status dd_ldl_order(dd_ldl_tree *tree, dd_context *ctx, const dd_ldl_pattern *a)
{
    dd_status st = check(ctx, a);
    if (st != DD_OK) {
        return st;
    }
    /* arrays by unknowns; nodes are not more */
    const size_t n = a->n;
    dd_work w = {.ctx = ctx};
    plan p = {.ctx = ctx};
    uint32_t **part[] = {&p.node_of, &p.head, &p.tail,  &p.order, &p.where, &p.parent,
                         &p.pivots,  &p.rows, &p.front, &p.child, &p.next};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        *part[i] = dd_work_array(&w, n, sizeof(uint32_t));
    }
    p.ptr = dd_work_array(&w, n + 1, sizeof *p.ptr);
    p.idx = dd_work_array(&w, 2 * (size_t)a->ptr[n], sizeof *p.idx);
    uint32_t *work[4];
    for (uint32_t i = 0; i < 4; i++) {
        work[i] = dd_work_array(&w, n, sizeof **work);
    }
    if (w.failed) {
        dd_work_free(&w);
        return DD_OUT_OF_MEMORY;
    }
    make_nodes(&p, a);
    make_graph(&p, a, work[0]);
    st = p.nodes > 0 ? run_amd(&p, a->level) : DD_OK;
    if (st == DD_OK) {
        make_tree(&p, work[0]);
        join_fronts(&p);
        tree->cost = cost_of(&p);
        number_fronts(&p, tree, work[0], work[1], work[2], work[3]);
    }
    dd_work_free(&w);
    return st;
}

/* The order alone; order or cost: NULL where it is not asked for. */
static dd_status order_alone(uint32_t *order, double *cost, dd_context *ctx, const dd_ldl_pattern *a)
{
    dd_work w = {.ctx = ctx};
    dd_ldl_tree tree = {.order = order != NULL ? order : dd_work_array(&w, a->n, sizeof *tree.order),
                        .first = dd_work_array(&w, (size_t)a->n + 1, sizeof *tree.first),
                        .parent = dd_work_array(&w, a->n, sizeof *tree.parent)};
    const dd_status st = w.failed ? DD_OUT_OF_MEMORY : dd_ldl_order(&tree, ctx, a);
    if (cost != NULL) {
        *cost = tree.cost;
    }
    dd_work_free(&w);
    return st;
}

dd_status dd_ldl_cost(double *nanoseconds, dd_context *ctx, const dd_ldl_pattern *a)
{
    return order_alone(NULL, nanoseconds, ctx, a);
}

dd_status dd_ldl_find_order(uint32_t *order, dd_context *ctx, const dd_ldl_pattern *a)
{
    return order_alone(order, NULL, ctx, a);
}
