/* chain_whole.c - a front with all its unknowns as one dense matrix: the root, intervals whose inside is nearly
 * singular, and the reference of the tests (chain_impl.h). */
#include "nlp/chain_impl.h"

bool dd_chain_room(chain_system *c, uint32_t size)
{
    if (size <= c->work_size) {
        return true;
    }
    double *work = dd_chain_take(&c->plan, 4 * ((size_t)size + 4), sizeof *work);
    if (!work) {
        return false;
    }
    c->work = work;
    c->local = work + 3 * ((size_t)size + 4);
    c->work_size = size;
    return true;
}

/* Numbers behind a front: the front before it may take its last row in vectors of four, from any place on. */
enum { BEHIND = 3 };

/* Takes the memory of a front from the store. */
static bool new_dense(chain_system *c, chain_dense *a, uint32_t size, uint32_t candidates)
{
    *a = (chain_dense){.size = size, .candidates = candidates, .ld = chain_ld(size), .variables = c->n};
    a->m = dd_chain_take_zero(&c->store, (size_t)size * a->ld + BEHIND, sizeof *a->m);
    a->ids = dd_chain_take(&c->store, size, sizeof *a->ids);
    a->scale = dd_chain_take_zero(&c->store, size, sizeof *a->scale);
    a->error = dd_chain_take_zero(&c->store, size, sizeof *a->error);
    a->inverse = dd_chain_take(&c->store, 3 * (size_t)candidates, sizeof *a->inverse);
    a->block = dd_chain_take(&c->store, candidates, sizeof *a->block);
    return !c->store.failed && dd_chain_room(c, size);
}

static void append(chain_system *c, chain_dense *a, uint32_t *at, uint32_t count, const uint32_t *ids)
{
    for (uint32_t i = 0; i < count; i++) {
        c->at[ids[i]] = *at;
        a->ids[(*at)++] = ids[i];
    }
}

static void add_condensed(chain_system *c, const chain_front *f, chain_dense *a)
{
    for (uint32_t r = 0; r < f->condensed; r++) {
        const uint32_t i = f->condensed_row[r];
        const double weight = c->weight[f->condensed_row + r - c->condensed_row];
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            const uint32_t u = c->pattern.jacobian_col[c->row_entry[e]];
            if (c->class_of[u] == CHAIN_ABSENT) {
                continue;
            }
            double *line = a->m + (size_t)c->at[u] * a->ld;
            const double w = weight * c->row_value[e];
            for (uint32_t g = c->row_ptr[i]; g < c->row_ptr[i + 1]; g++) {
                const uint32_t v = c->pattern.jacobian_col[c->row_entry[g]];
                if (c->class_of[v] != CHAIN_ABSENT) {
                    line[c->at[v]] += w * c->row_value[g];
                }
            }
        }
    }
}

/* What the front before left. */
static void add_child(const chain_system *c, const chain_dense *child, chain_dense *a)
{
    for (uint32_t i = child->pivots; i < child->size; i++) {
        const double *from = child->m + (size_t)i * child->ld;
        double *to = a->m + (size_t)c->at[child->ids[i]] * a->ld;
        for (uint32_t j = child->pivots; j < child->size; j++) {
            to[c->at[child->ids[j]]] += from[j];
        }
        if (child->scaled) {
            a->scale[c->at[child->ids[i]]] = child->scale[i];
            a->error[c->at[child->ids[i]]] = child->error[i];
        }
    }
    a->scaled = child->scaled;
}

dd_status dd_chain_whole(chain_system *c, uint32_t k, const chain_step *before)
{
    const chain_front *f = &c->front[k];
    const chain_dense *child = before ? &before->a : NULL;
    const uint32_t delayed = child ? child->candidates - child->pivots : 0;
    const uint32_t candidates = 2 * (f->nx + f->nd) + f->nv + delayed;
    chain_dense *a = &c->step[k].a;
    c->step[k].whole = true;
    if (!new_dense(c, a, candidates + f->ns, candidates)) {
        return DD_OUT_OF_MEMORY;
    }
    /* unknowns: what may be eliminated comes first */
    uint32_t at = 0;
    append(c, a, &at, f->nx, f->x);
    append(c, a, &at, f->nx, f->l);
    append(c, a, &at, f->nd, f->d);
    append(c, a, &at, f->nd, f->r);
    append(c, a, &at, f->nv, f->e);
    append(c, a, &at, delayed, child ? child->ids + child->pivots : NULL);
    append(c, a, &at, f->ns, f->e + f->nv);
    /* values */
    for (uint32_t e = 0; e < f->entries; e++) {
        const chain_entry *t = &f->entry[e];
        const uint32_t i = c->at[t->u], j = c->at[t->v];
        const double v = chain_value(c, t->source);
        a->m[(size_t)i * a->ld + j] += v;
        if (i != j) {
            a->m[(size_t)j * a->ld + i] += v;
        }
    }
    add_condensed(c, f, a);
    if (child) {
        add_child(c, child, a);
    }
    dd_chain_eliminate(a, k == c->intervals, c->work, &c->counts);
    return DD_OK;
}
