/* condense_plan.c - which variable and which entry of the program belongs where in the stages of condense_impl.h. */
#include <math.h>
#include <string.h>

#include "nlp/condense_impl.h"

enum {
    /* controls, and with the states at the start: beyond, a walk along the stages is cheaper than dense matrices. With 120 of them
     * a step takes 0.6 to 1.5 times as long as by walks, and what is left after the measurement a sixth to a tenth */
    FREE_MOST = 160,
    COLUMNS_MOST = 200,
    NOWHERE = UINT32_MAX
};

typedef struct planner {
    dd_pool *pool;
    const dd_nlp *nlp;
    dd_condensed_qp *c;
    uint32_t *by;            /* n: the row that determines a variable */
    uint32_t *local, *ahead; /* n: in its own stage; in the one before, where it is free and at a node */
    uint32_t *column;        /* n: of free variables */
    uint32_t *ptr, *entry;   /* the Jacobian by rows */
} planner;

bool dd_condensed_is_bounded(const double *lower, const double *upper, uint32_t i)
{
    return isfinite(lower[i]) || isfinite(upper[i]);
}

static uint32_t stage_of(const planner *p, uint32_t var)
{
    return p->nlp->shape->variable_place[var] / 2;
}

static bool at_node(const planner *p, uint32_t var)
{
    return p->nlp->shape->variable_place[var] % 2 == 0;
}

/* Where a variable is among the unknowns of stage k. */
static uint32_t local_in(const planner *p, uint32_t k, uint32_t var)
{
    const uint32_t own = stage_of(p, var);
    return own == k ? p->local[var] : own == k + 1 ? p->ahead[var] : NOWHERE;
}

static void *room(const planner *p, size_t count, size_t size)
{
    void *made = dd_pool_alloc_array(p->pool, count + 1, size);
    memset(made, 0, (count + 1) * size);
    return made;
}

static uint32_t *nowhere(const planner *p, uint32_t count)
{
    uint32_t *made = room(p, count, sizeof *made);
    memset(made, 0xff, (size_t)count * sizeof *made);
    return made;
}

static void sort_rows(planner *p)
{
    const dd_nlp *nlp = p->nlp;
    p->ptr = room(p, (size_t)nlp->m + 1, sizeof *p->ptr);
    p->entry = room(p, nlp->jacobian_nnz, sizeof *p->entry);
    for (uint32_t s = 0; s < nlp->jacobian_nnz; s++) {
        p->ptr[nlp->jacobian_row[s] + 1]++;
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        p->ptr[i + 1] += p->ptr[i];
    }
    uint32_t *at = room(p, nlp->m, sizeof *at);
    for (uint32_t s = 0; s < nlp->jacobian_nnz; s++) {
        const uint32_t row = nlp->jacobian_row[s];
        p->entry[p->ptr[row] + at[row]++] = s;
    }
}

/* Which row determines which variable: those of the shape, and those of the start. */
static bool pair_rows(planner *p, uint32_t start_row, uint32_t states)
{
    const dd_nlp *nlp = p->nlp;
    uint8_t *determines = room(p, nlp->m, sizeof *determines);
    for (uint32_t i = 0; i < nlp->m; i++) {
        const bool start = i >= start_row && i - start_row < states;
        uint32_t var = nlp->shape->determines[i];
        /* a row of the start has one entry, a state of the first node */
        if (start) {
            if (p->ptr[i + 1] - p->ptr[i] != 1 || var != DD_DETERMINES_NONE) {
                return false;
            }
            var = nlp->jacobian_col[p->entry[p->ptr[i]]];
            if (nlp->shape->variable_place[var] != DD_PLACE_NODE(0)) {
                return false;
            }
        }
        if (var == DD_DETERMINES_NONE) {
            continue;
        }
        /* one equality per variable */
        if (p->by[var] != NOWHERE || nlp->c_lower[i] != nlp->c_upper[i]) {
            return false;
        }
        p->by[var] = i;
        determines[i] = 1;
    }
    p->c->determines = determines;
    return true;
}

/* Free variables in the order of places. */
static bool find_free(planner *p)
{
    const dd_nlp *nlp = p->nlp;
    uint32_t *list = room(p, FREE_MOST, sizeof *list), *count = room(p, 2 * p->c->stages + 1, sizeof *count);
    for (uint32_t i = 0; i < nlp->n; i++) {
        const uint32_t place = nlp->shape->variable_place[i];
        if (place == DD_PLACE_BORDER || (p->by[i] == NOWHERE && ++p->c->free > FREE_MOST)) {
            return false;
        }
        count[place + 1] += p->by[i] == NOWHERE;
    }
    for (uint32_t i = 0; i < 2 * p->c->stages; i++) {
        count[i + 1] += count[i];
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (p->by[i] == NOWHERE) {
            p->column[i] = count[nlp->shape->variable_place[i]]++;
            list[p->column[i]] = i;
        }
    }
    p->c->free_var = list;
    p->c->columns = p->c->states + 1 + p->c->free;
    p->c->line = CONDENSE_LINE(p->c->columns);
    return p->c->free > 0 && p->c->columns <= COLUMNS_MOST;
}

/* d, r and e of all stages: counted first, then written. */
static void list_variables(planner *p)
{
    const uint32_t n = p->nlp->n;
    for (uint32_t k = 0; k < p->c->stages; k++) {
        condense_stage *s = &p->c->stage[k];
        /* how many there are of each kind */
        for (uint32_t i = 0; i < n; i++) {
            const bool mine = stage_of(p, i) == k, open = p->by[i] == NOWHERE;
            s->nd += mine && !open && !at_node(p, i);
            s->nx += mine && !open && at_node(p, i);
            s->ne += (mine && (open || at_node(p, i))) || (stage_of(p, i) == k + 1 && open && at_node(p, i));
        }
        uint32_t *d = room(p, s->nd, sizeof *d), *r = room(p, s->nd, sizeof *r);
        uint32_t *link = room(p, s->nx, sizeof *link), *e = room(p, s->ne, sizeof *e);
        /* what rows determine: inside, and the states at the node */
        uint32_t nd = 0, nx = 0, ne = s->nx;
        for (uint32_t i = 0; i < n; i++) {
            if (stage_of(p, i) != k) {
                continue;
            }
            const bool open = p->by[i] == NOWHERE;
            if (!open && !at_node(p, i)) {
                d[nd] = i;
                r[nd] = p->by[i];
                p->local[i] = nd++;
            } else if (!open) {
                e[nx] = i;
                link[nx] = p->by[i];
                p->local[i] = s->nd + nx++;
            }
        }
        /* free variables, and the columns up to the last of them */
        for (uint32_t f = 0; f < p->c->free; f++) {
            const uint32_t i = p->c->free_var[f], own = stage_of(p, i);
            if (own == k) {
                p->local[i] = s->nd + ne;
                e[ne++] = i;
                s->slopes = ne;
                s->nn += at_node(p, i);
            } else if (own == k + 1 && at_node(p, i)) {
                p->ahead[i] = s->nd + ne;
                e[ne++] = i;
            }
            s->width = own <= k || (own == k + 1 && at_node(p, i)) ? p->c->states + 2 + f : s->width;
        }
        s->width = s->width > 0 ? s->width : p->c->states + 1;
        s->slopes = s->slopes > 0 ? s->slopes : s->nx;
        s->known = k > 0 ? s->nx + s->nn : s->nx;
        s->d = d, s->r = r, s->e = e, s->link = link;
        s->ld = s->nd + s->ne + 1;
    }
}

/* The entries of rows that determine variables. */
static bool list_rows(planner *p)
{
    const dd_nlp *nlp = p->nlp;
    for (uint32_t k = 0; k < p->c->stages; k++) {
        condense_stage *s = &p->c->stage[k], *before = k > 0 ? s - 1 : NULL;
        uint32_t inside = 0, onward = 0;
        for (uint32_t i = 0; i < s->nd; i++) {
            inside += p->ptr[s->r[i] + 1] - p->ptr[s->r[i]];
        }
        for (uint32_t i = 0; i < s->nx; i++) {
            onward += p->ptr[s->link[i] + 1] - p->ptr[s->link[i]];
        }
        condense_entry *in = room(p, inside, sizeof *in), *on = room(p, onward, sizeof *on);
        uint32_t *own = nowhere(p, s->nx);
        /* rows inside meet the unknowns of their stage alone */
        for (uint32_t i = 0; i < s->nd; i++) {
            for (uint32_t a = p->ptr[s->r[i]]; a < p->ptr[s->r[i] + 1]; a++) {
                const uint32_t at = local_in(p, k, nlp->jacobian_col[p->entry[a]]);
                if (at == NOWHERE) {
                    return false;
                }
                in[s->insides++] = (condense_entry){i, at, p->entry[a]};
            }
        }
        /* rows that lead here from the stage before; those of the start have one entry */
        for (uint32_t i = 0; i < s->nx; i++) {
            for (uint32_t a = p->ptr[s->link[i]]; a < p->ptr[s->link[i] + 1]; a++) {
                const uint32_t var = nlp->jacobian_col[p->entry[a]];
                if (var == s->e[i]) {
                    own[i] = p->entry[a];
                    continue;
                }
                const uint32_t at = before != NULL ? local_in(p, k - 1, var) : NOWHERE;
                if (at == NOWHERE) {
                    return false;
                }
                on[before->links++] = (condense_entry){i, at, p->entry[a]};
            }
            if (own[i] == NOWHERE) {
                return false;
            }
        }
        s->inside = in;
        s->own = own;
        if (before != NULL) {
            before->onward = on;
            before->nx_next = s->nx;
        }
    }
    return p->c->stage[0].nx == p->c->states;
}

/* Entries of the Hessian: where both variables are local. */
static bool list_curvature(planner *p)
{
    const dd_nlp *nlp = p->nlp;
    uint32_t *of = room(p, nlp->hessian_nnz, sizeof *of);
    for (uint32_t s = 0; s < nlp->hessian_nnz; s++) {
        const uint32_t a = stage_of(p, nlp->hessian_row[s]), b = stage_of(p, nlp->hessian_col[s]);
        of[s] = a < b ? a : b;
        p->c->stage[of[s]].curvatures++;
    }
    condense_entry **list = room(p, p->c->stages, sizeof *list);
    for (uint32_t k = 0; k < p->c->stages; k++) {
        p->c->stage[k].curvature = list[k] = room(p, p->c->stage[k].curvatures, sizeof **list);
    }
    for (uint32_t s = 0; s < nlp->hessian_nnz; s++) {
        const uint32_t i = local_in(p, of[s], nlp->hessian_row[s]), j = local_in(p, of[s], nlp->hessian_col[s]);
        if (i == NOWHERE || j == NOWHERE) {
            return false;
        }
        /* the first of both inside, where one is */
        *list[of[s]]++ = i < j ? (condense_entry){i, j, s} : (condense_entry){j, i, s};
    }
    return true;
}

/* Rows that determine nothing, and variables with bounds. */
static void list_bounds(planner *p)
{
    const dd_nlp *nlp = p->nlp;
    dd_condensed_qp *c = p->c;
    c->row = room(p, (size_t)nlp->m + nlp->n, sizeof *c->row);
    condense_entry *list = room(p, (size_t)nlp->jacobian_nnz + nlp->n, sizeof *list);
    uint32_t at = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        if (c->determines[i] || !dd_condensed_is_bounded(nlp->c_lower, nlp->c_upper, i)) {
            continue;
        }
        condense_row *row = &c->row[c->rows++];
        *row = (condense_row){i, false, at, p->ptr[i + 1] - p->ptr[i], 0};
        /* by stages: a row meets few of them, or it is one of a kind */
        for (uint32_t a = p->ptr[i]; a < p->ptr[i + 1]; a++, at++) {
            const uint32_t var = nlp->jacobian_col[p->entry[a]], k = stage_of(p, var);
            uint32_t to = at;
            for (; to > row->first && list[to - 1].i > k; to--) {
                list[to] = list[to - 1];
            }
            list[to] = (condense_entry){k, p->local[var], p->entry[a]};
        }
    }
    /* bounds are rows with one entry */
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (dd_condensed_is_bounded(nlp->x_lower, nlp->x_upper, i)) {
            c->row[c->rows++] = (condense_row){i, true, at, 1, 0};
            list[at++] = (condense_entry){stage_of(p, i), p->local[i], CONDENSE_ONE};
        }
    }
    c->row_entry = list;
    c->bounded = c->rows;
}

/* The stage of a row that is a sum of several lines of e; NOWHERE: it meets several stages, or is one line. */
static uint32_t stage_of_row(const dd_condensed_qp *c, const condense_row *row)
{
    const condense_entry *first = c->row_entry + row->first;
    const bool one_stage = row->count > 0 && first->i == first[row->count - 1].i;
    const bool one_line = row->count == 1 && first->j >= c->stage[first->i].nd;
    return one_stage && !one_line ? first->i : NOWHERE;
}

/* Rows one after the other of one stage. Returns the most of them. */
static uint32_t group_rows(dd_condensed_qp *c)
{
    uint32_t most = 0;
    for (uint32_t r = 0; r < c->rows;) {
        const uint32_t k = stage_of_row(c, &c->row[r]), first = r++;
        while (k != NOWHERE && r < c->rows && stage_of_row(c, &c->row[r]) == k) {
            r++;
        }
        c->row[first].together = k != NOWHERE ? r - first : 0;
        most = r - first > most ? r - first : most;
    }
    return most;
}

static void take_memory(planner *p)
{
    dd_condensed_qp *c = p->c;
    const size_t n = p->nlp->n, columns = c->line;
    size_t nd = 0, ne = 0, nz = 0;
    for (uint32_t k = 0; k < c->stages; k++) {
        condense_stage *s = &c->stage[k];
        nd = s->nd > nd ? s->nd : nd;
        ne = s->ne > ne ? s->ne : ne;
        nz = s->nx + s->nn + 1 > nz ? s->nx + s->nn + 1 : nz;
        s->lu = room(p, (size_t)s->nd * s->ld, sizeof *s->lu);
        s->pivot = room(p, s->nd, sizeof *s->pivot);
        s->f = room(p, (size_t)s->nx_next * CONDENSE_LINE(s->ne + 1), sizeof *s->f);
        /* free variables and 1 are columns themselves; so are the states at the start */
        s->span = room(p, (s->ne + 1) * columns, sizeof *s->span);
        s->span[s->ne * columns + c->states] = 1;
        for (uint32_t i = s->nx; i < s->ne; i++) {
            s->span[i * columns + c->states + 1 + p->column[s->e[i]]] = 1;
        }
        for (uint32_t i = 0; k == 0 && i < s->nx; i++) {
            s->span[i * columns + i] = 1;
        }
    }
    /* the dense program, and the work of one stage */
    const size_t together = group_rows(c);
    c->product = dd_chain_kernels(0)->product;
    c->quadratic = room(p, columns * columns, sizeof(double));
    c->affine = room(p, c->rows * columns, sizeof(double));
    c->u = room(p, nd * CONDENSE_LINE(ne + 1), sizeof(double));
    c->q = room(p, (ne + 1) * CONDENSE_LINE(ne + 1), sizeof(double));
    c->v = room(p, nz * CONDENSE_LINE(ne + 1), sizeof(double));
    c->togo = room(p, nz * CONDENSE_LINE(nz), sizeof(double));
    c->turned = room(p, (ne + 1) * (together > ne ? together : ne), sizeof(double));
    c->local = room(p, nd + ne + 1, sizeof(double));
    c->g = room(p, c->free, sizeof(double));
    c->x = room(p, c->free, sizeof(double));
    c->lower = room(p, c->rows, sizeof(double));
    c->upper = room(p, c->rows, sizeof(double));
    c->lambda = room(p, c->rows, sizeof(double));
    c->start = room(p, c->states, sizeof(double));
    c->step = room(p, n, sizeof(double));
    c->slope = room(p, n, sizeof(double));
    c->rest = room(p, nd, sizeof(double));
    c->qp = dd_dense_qp_new(p->pool, c->free, c->rows);
}

dd_condensed_qp *dd_condensed_plan(dd_pool *pool, const dd_nlp *nlp, uint32_t start_row, uint32_t states)
{
    if (nlp->shape == NULL || nlp->hessian == NULL || start_row >= nlp->m || states > nlp->m - start_row) {
        return NULL;
    }
    planner p = {.pool = pool, .nlp = nlp};
    /* a stage per interval and one for the end */
    p.c = room(&p, 1, sizeof *p.c);
    p.c->nlp = nlp;
    p.c->stages = nlp->shape->intervals + 1;
    p.c->states = states;
    p.c->stage = room(&p, p.c->stages, sizeof *p.c->stage);
    p.by = nowhere(&p, nlp->n);
    p.local = nowhere(&p, nlp->n);
    p.ahead = nowhere(&p, nlp->n);
    p.column = nowhere(&p, nlp->n);
    /* every row that determines a state is paired with it; what is left over are the controls */
    sort_rows(&p);
    if (!pair_rows(&p, start_row, states) || !find_free(&p)) {
        return NULL;
    }
    list_variables(&p);
    if (!list_rows(&p) || !list_curvature(&p)) {
        return NULL;
    }
    list_bounds(&p);
    take_memory(&p);
    return p.c;
}
