/* chain_batches.c - one batch of leaves, dense or sparse: its factorisation, its part of a solve, other pivots where those
 * of a sparse one are bad (chain_lanes.h). */
#include <string.h>

#include "nlp/chain_sparse.h"

enum { PREFETCH_MOST = 1 << 15 }; /* bytes: of more, the processor foresees what comes next */
enum { PROGRAMS_MOST = 4 };       /* for one batch alone, each with memory of its own */

/* Scratch memory that no other thread uses: there is one for each of them. */
static uint32_t claim(chain_lanes *lanes)
{
    uint32_t i = 0;
    while (atomic_exchange_explicit(&lanes->scratch_used[i], 1, memory_order_acquire)) {
        i = (i + 1) % lanes->scratches;
    }
    return i;
}

bool dd_chain_make_scratch(chain_system *c)
{
    chain_lanes *lanes = c->lanes;
    for (uint32_t s = 0; s < lanes->shapes; s++) {
        const chain_shape *shape = &lanes->shape[s];
        const size_t needed = shape->program ? dd_chain_sparse_scratch(shape)
                              : shape->near  ? ((size_t)shape->total + CHAIN_LANES) * CHAIN_LANES
                                             : 0;
        lanes->scratch = needed > lanes->scratch ? needed : lanes->scratch;
    }
    if (lanes->scratch == 0) {
        return true;
    }
    lanes->scratches = dd_team_size(c->pattern.team);
    lanes->latest = dd_chain_take_zero(&c->plan, lanes->shapes, sizeof *lanes->latest);
    lanes->scratch_of = dd_chain_take_zero(&c->plan, lanes->scratches, sizeof *lanes->scratch_of);
    lanes->scratch_used = dd_chain_take_zero(&c->plan, lanes->scratches, sizeof *lanes->scratch_used);
    for (uint32_t i = 0; lanes->scratch_of && i < lanes->scratches; i++) {
        lanes->scratch_of[i] = dd_chain_take_zero(&c->plan, lanes->scratch, sizeof **lanes->scratch_of);
    }
    return !c->plan.failed;
}

static void factor_leaf(chain_lanes *lanes, uint32_t batch, const chain_source *source)
{
    chain_batch *b = &lanes->batch[batch];
    chain_source here = *source, *from = &here;
    here.same_inside &= b->serial == lanes->serial;
    b->serial = lanes->serial;
    if (!b->ready && !b->shape->near) { /* not before: pages are touched first by the thread that works on them */
        memset(b->value, 0, ((size_t)b->shape->total + CHAIN_LANES) * CHAIN_LANES * sizeof *b->value);
        b->ready = true;
    }
    if (!b->program && !b->shape->near) {
        lanes->kernels->factor(b, from, NULL);
        return;
    }
    const uint32_t i = claim(lanes);
    (b->program ? lanes->kernels->sparse_factor : lanes->kernels->factor)(b, from, lanes->scratch_of[i]);
    atomic_store_explicit(&lanes->scratch_used[i], 0, memory_order_release);
}

/* Part `part` of CHAIN_LANES of some memory. */
static void prefetch(const void *from, size_t bytes, uint32_t part)
{
    const size_t each = (bytes / CHAIN_LANES + CHAIN_ALIGN) / CHAIN_ALIGN * CHAIN_ALIGN;
    const size_t begin = part * each, end = begin + each < bytes ? begin + each : bytes;
    for (size_t i = begin; i < end; i += CHAIN_ALIGN) {
        __builtin_prefetch((const char *)from + i);
        __asm__ volatile(""); /* without it gcc takes the loop for one that does nothing, and leaves it out */
    }
}

/* What a batch keeps for solves. */
static void prefetch_kept(const chain_batch *b, uint32_t part)
{
    const chain_shape *s = b->shape;
    const size_t inside = (size_t)s->nd * CHAIN_LANES, element = CHAIN_LANES * sizeof *b->value;
    if (b->program || s->at_row * element > PREFETCH_MOST) {
        return;
    }
    prefetch(b->value, s->at_row * element, part);
    prefetch(b->d0, inside * sizeof *b->d0, part);
    if (b->number) {
        prefetch(b->number + (size_t)s->sources * CHAIN_LANES, 2 * inside * sizeof *b->number, part);
    }
}

/* Where its numbers come from: those of an interval are close together, but in as many places as there are lanes. */
static void prefetch_sources(const chain_lanes *lanes, const chain_batch *b, uint32_t part)
{
    for (int kind = 0; b->begin && kind < FROM_KINDS; kind++) {
        const chain_place *p = &b->begin[kind];
        const size_t bytes = (size_t)p->step * CHAIN_LANES * sizeof(double);
        if (bytes <= PREFETCH_MOST) {
            prefetch(lanes->from.from[kind] + (uint32_t)(p->first + b->shift * p->step), bytes, part);
        }
    }
}

void dd_chain_foresee(const chain_system *c, uint32_t k, chain_pass pass)
{
    const chain_lanes *lanes = c->lanes;
    const chain_front *f = &c->front[k];
    if (!lanes->far || lanes->share.team || !f->lean || f->batch == UINT32_MAX) {
        return;
    }
    /* down the chain the batch before this one comes next; up it, this one, when the walk has passed it */
    const uint32_t batch = pass == CHAIN_BACKWARD ? f->batch : f->batch - 1;
    if (batch < lanes->batches) {
        const chain_batch *b = &lanes->batch[batch];
        if (pass == CHAIN_FACTOR) {
            prefetch_sources(lanes, b, f->lane);
        } else {
            prefetch_kept(b, f->lane);
        }
    }
}

static void forward_leaf(const chain_system *c, uint32_t batch)
{
    const chain_batch *b = &c->lanes->batch[batch];
    (b->program ? c->lanes->kernels->sparse_forward : c->lanes->kernels->forward)(b, c->b);
}

void dd_chain_factor_leaf(chain_system *c, uint32_t batch)
{
    factor_leaf(c->lanes, batch, &c->lanes->from);
    if (c->passing) {
        forward_leaf(c, batch);
    }
}

void dd_chain_forward_leaf(chain_system *c, uint32_t batch)
{
    forward_leaf(c, batch);
}

void dd_chain_backward_leaf(chain_system *c, uint32_t batch)
{
    const chain_batch *b = &c->lanes->batch[batch];
    (b->program ? c->lanes->kernels->sparse_backward : c->lanes->kernels->backward)(b, c->b);
}

static bool is_good(const chain_batch *b)
{
    bool good = true;
    for (uint32_t l = 0; l < b->lanes; l++) {
        good &= b->growth[l] <= CHAIN_GROWTH_MOST;
    }
    return good;
}

/* Factors the batch once more by another program. */
static bool try_program(chain_system *c, uint32_t batch, const chain_program *p)
{
    chain_batch *b = &c->lanes->batch[batch];
    const size_t room = (size_t)p->entries * CHAIN_LANES;
    if (room > b->lu_room) {
        double *lu = dd_chain_take(&c->plan, room, sizeof *lu);
        if (!lu) {
            return false;
        }
        b->lu = lu;
        b->lu_room = room;
    }
    b->program = p;
    chain_source from = c->lanes->from;
    from.same_inside = false; /* other pivots: no factor is kept */
    factor_leaf(c->lanes, batch, &from);
    if (c->passing) { /* once more, too: nothing of it has left the leaf */
        forward_leaf(c, batch);
    }
    return is_good(b);
}

dd_status dd_chain_choose_pivots(chain_system *c, uint32_t batch)
{
    chain_batch *b = &c->lanes->batch[batch];
    if (!b->program || is_good(b)) {
        return DD_OK;
    }
    /* what was found last for another batch of the shape may do; only the walk comes here, so the order is always the
     * same */
    const chain_program **latest = &c->lanes->latest[b->shape - c->lanes->shape];
    if (*latest && *latest != b->program && try_program(c, batch, *latest)) {
        return DD_OK;
    }
    if (b->programs < PROGRAMS_MOST && !c->plan.failed) {
        chain_program *p = dd_chain_take_zero(&c->plan, 1, sizeof *p);
        const dd_status status = p ? dd_chain_program_make(p, &c->plan, b->shape, b->value) : DD_OUT_OF_MEMORY;
        b->programs++;
        if (status == DD_OK && try_program(c, batch, p)) {
            *latest = p;
        } else if (status != DD_OK && status != DD_LIMIT) {
            return status;
        }
    }
    return c->plan.failed ? DD_OUT_OF_MEMORY : DD_OK;
}
