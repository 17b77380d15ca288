/* chain_fill.c - intervals of one shape into batches of lanes, in their order; what their numbers have in common
 * (chain_lanes.h, chain_planner.h). */
#include "nlp/chain_planner.h"
#include "nlp/chain_sparse.h"

/* Intervals of a shape on their way into a batch. */
typedef struct filling {
    chain_planner *p;
    const chain_shape *shape;
    uint32_t interval[CHAIN_LANES], lanes;
    uint32_t *number;         /* CHAIN_LANES x count, lane by lane */
    uint32_t count;           /* numbers of a lane */
    const chain_place *place; /* of the batches before; NULL: none */
    const chain_place *begin;
    uint32_t shift; /* how many lanes ago these were found */
} filling;

static uint32_t count_numbers(const chain_shape *s)
{
    return chain_at_g(s) + s->ng;
}

/* The numbers of a lane: sources, then unknowns. */
static void list_numbers(const filling *x, uint32_t lane)
{
    const chain_planner *p = x->p;
    const chain_shape *s = x->shape;
    const uint32_t k = x->interval[lane];
    const chain_front *f = &p->c->front[k];
    const chain_lean *lean = f->lean_plan;
    uint32_t *to = x->number + (size_t)lane * x->count;
    for (uint32_t i = 0; i < s->sources; i++) {
        *to++ = p->source[p->source_at[k] + i];
    }
    for (uint32_t i = 0; i < s->nd; i++, to++) {
        to[0] = f->d[i];
        to[s->nd] = f->r[i];
    }
    to += s->nd;
    for (uint32_t i = 0; i < s->ne; i++) {
        *to++ = f->e[lean->e_at[i]];
    }
    for (uint32_t i = 0; i < s->ng; i++) {
        *to++ = lean->g_at[i] < f->nx ? f->l[lean->g_at[i]] : f->e[lean->g_at[i] - f->nx];
    }
}

/* Do the numbers move as these places say? */
static bool moves_like(const filling *x, const chain_place *place, uint32_t shift)
{
    for (uint32_t l = 0; l < CHAIN_LANES; l++) {
        const uint32_t *number = x->number + (size_t)l * x->count;
        for (uint32_t i = 0; i < x->count; i++) {
            if (number[i] != place[i].first + (shift + l) * place[i].step) {
                return false;
            }
        }
    }
    return true;
}

/* The least source of each kind among those that move most. */
static const chain_place *find_begin(const filling *x)
{
    chain_place *begin = dd_chain_take_zero(&x->p->c->plan, FROM_KINDS, sizeof *begin);
    uint32_t i = 0;
    for (int kind = 0; begin && x->place && kind < FROM_KINDS; kind++) {
        for (const uint32_t end = i + x->shape->count[kind]; i < end; i++) {
            const chain_place *p = &x->place[i];
            const int32_t step = (int32_t)p->step, most = (int32_t)begin[kind].step;
            if (step > most || (step > 0 && step == most && p->first < begin[kind].first)) {
                begin[kind] = *p;
            }
        }
    }
    return begin;
}

/* Places of the batches before, or new ones; NULL: each lane has numbers of its own. */
static const chain_place *find_places(filling *x)
{
    if (x->lanes < CHAIN_LANES) {
        return NULL;
    }
    x->shift += CHAIN_LANES;
    if (x->place && moves_like(x, x->place, x->shift)) {
        return x->place;
    }
    chain_place *place = dd_chain_take(&x->p->c->plan, x->count, sizeof *place);
    x->place = NULL;
    if (!place) {
        return NULL;
    }
    for (uint32_t i = 0; i < x->count; i++) {
        place[i] = (chain_place){x->number[i], x->number[x->count + i] - x->number[i]};
    }
    x->shift = 0;
    x->place = moves_like(x, place, 0) ? place : NULL;
    x->begin = find_begin(x);
    return x->place;
}

/* Memory of a batch for its factorisations and solves. */
static void take_memory(chain_pool *pool, chain_batch *b)
{
    const chain_shape *s = b->shape;
    const size_t slots = s->near ? s->at_row : (size_t)s->total + CHAIN_LANES;
    /* transposed eight by eight: some elements more */
    b->outs = (s->outs + CHAIN_LANES - 1) / CHAIN_LANES * CHAIN_LANES;
    b->value = dd_chain_take(pool, slots * CHAIN_LANES, sizeof *b->value);
    b->outside = dd_chain_take_zero(pool, ((size_t)s->ne + s->ng) * CHAIN_LANES, sizeof *b->outside);
    b->out = dd_chain_take_zero(pool, (size_t)b->outs * CHAIN_LANES + 4, sizeof *b->out);
    b->d0 = dd_chain_take_zero(pool, (size_t)s->nd * CHAIN_LANES, sizeof *b->d0);
    b->r1 = dd_chain_take_zero(pool, (size_t)s->nd * CHAIN_LANES, sizeof *b->r1);
    if (s->program) {
        b->program = s->program;
        b->lu_room = (size_t)s->program->entries * CHAIN_LANES;
        b->lu = dd_chain_take(pool, b->lu_room, sizeof *b->lu);
        return;
    }
    b->row = dd_chain_take(pool, s->nd, sizeof *b->row);
    for (uint32_t i = 0; b->row && i < s->nd; i++) {
        b->row[i] = i * s->ld;
    }
}

/* Bytes that all batches keep, from which on they are asked for before their turn: less stays in the second cache. */
enum { FAR_LEAST = 1 << 20 };

static void make_batch(filling *x, chain_lanes *lanes)
{
    chain_system *c = x->p->c;
    const uint32_t index = lanes->batches++;
    chain_batch *b = &lanes->batch[index];
    *b = (chain_batch){.shape = x->shape, .lanes = x->lanes};
    for (uint32_t l = 0; l < x->lanes; l++) {
        c->front[x->interval[l]].batch = index;
        c->front[x->interval[l]].lane = l;
        b->interval[l] = x->interval[l];
        list_numbers(x, l);
    }
    b->place = find_places(x);
    b->shift = x->shift;
    b->begin = b->place ? x->begin : NULL;
    take_memory(&c->plan, b);
    if (b->place || c->plan.failed) {
        return;
    }
    uint32_t *number = dd_chain_take(&c->plan, (size_t)x->count * CHAIN_LANES, sizeof *number);
    for (uint32_t l = 0; number && l < CHAIN_LANES; l++) {
        /* lanes that stay empty compute copies of the last interval */
        const uint32_t *from = x->number + (size_t)(l < x->lanes ? l : x->lanes - 1) * x->count;
        for (uint32_t i = 0; i < x->count; i++) {
            number[i * CHAIN_LANES + l] = from[i];
        }
    }
    b->number = number;
}

void dd_chain_fill_batches(chain_planner *p, chain_lanes *lanes)
{
    chain_system *c = p->c;
    size_t most = 1, bytes = 0;
    /* room for the numbers of the largest shape */
    for (uint32_t s = 0; s < p->shapes; s++) {
        const size_t count = count_numbers(&lanes->shape[s]);
        most = count > most ? count : most;
    }
    lanes->shapes = p->shapes;
    lanes->batch = dd_chain_take_zero(&c->plan, c->intervals, sizeof *lanes->batch);
    uint32_t *number = dd_work_room(&p->work, most * CHAIN_LANES, sizeof *number);
    /* intervals of one shape fill the lanes in their order; the last batch may stay partly empty */
    for (uint32_t s = 0; s < p->shapes && number && !c->plan.failed; s++) {
        filling x = {.p = p, .shape = &lanes->shape[s], .number = number, .count = count_numbers(&lanes->shape[s])};
        for (uint32_t k = 0; k < c->intervals && !c->plan.failed; k++) {
            if (p->shape_of[k] == s) {
                x.interval[x.lanes++] = k;
            }
            if (x.lanes == CHAIN_LANES || (x.lanes > 0 && k + 1 == c->intervals)) {
                make_batch(&x, lanes);
                x.lanes = 0;
                bytes += (size_t)x.shape->at_row * CHAIN_LANES * sizeof(double);
            }
        }
    }
    lanes->far = bytes >= FAR_LEAST;
}
