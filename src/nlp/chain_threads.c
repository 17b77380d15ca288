/* chain_threads.c - the leaves of a chain beside the walk along its nodes (chain_lanes.h).
 *
 * One thread walks; it needs leaf after leaf (factorisation, forward) or leaves them behind (backward). Helpers, where
 * there are any, work on the leaves ahead or behind, so the walk costs nothing as long as the leaves take longer. Every
 * leaf is computed by one thread and by itself, and only the walk adds up what leaves have in common: results do not
 * depend on how many threads there are.
 */
#include <sched.h>

#include "nlp/chain_lanes.h"

enum { LOOKS = 1000 }; /* before a thread that waits lets others have the processor: tens of microseconds */

static void wait_a_little(uint32_t *looks)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (++*looks % LOOKS == 0) {
        sched_yield();
    }
}

/* Batches in the order in which the walk needs them: by their last interval, from the last to the first. */
bool dd_chain_share_new(chain_share *s, chain_system *c)
{
    const uint32_t count = c->lanes->batches;
    *s = (chain_share){.c = c, .count = count};
    s->order = dd_chain_take(&c->plan, count, sizeof *s->order);
    s->done = dd_chain_take_zero(&c->plan, count, sizeof *s->done);
    if (!s->order || !s->done) {
        return false;
    }
    uint32_t found = 0;
    for (uint32_t k = c->intervals; k-- > 0;) {
        const chain_front *f = &c->front[k];
        if (f->lean && f->batch != UINT32_MAX && !atomic_load(&s->done[f->batch])) {
            atomic_store(&s->done[f->batch], 1);
            s->order[found++] = f->batch;
        }
    }
    s->count = found;
    return true;
}

static bool take_ahead(chain_share *s)
{
    const uint32_t i = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
    if (i >= s->count) {
        return false;
    }
    s->work(s->c, s->order[i]);
    atomic_store_explicit(&s->done[s->order[i]], 1, memory_order_release);
    return true;
}

static bool take_behind(chain_share *s)
{
    const uint32_t i = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed);
    if (i >= s->count) {
        return false;
    }
    /* until the walk has passed its last interval */
    const chain_batch *b = &s->c->lanes->batch[s->order[s->count - 1 - i]];
    for (uint32_t looks = 0; atomic_load_explicit(&s->passed, memory_order_acquire) <= b->interval[b->lanes - 1];) {
        wait_a_little(&looks);
    }
    s->work(s->c, s->order[s->count - 1 - i]);
    return true;
}

static void help_ahead(void *user, uint32_t part, uint32_t member)
{
    (void)part;
    (void)member;
    while (take_ahead(user)) {
    }
}

static void help_behind(void *user, uint32_t part, uint32_t member)
{
    (void)part;
    (void)member;
    while (take_behind(user)) {
    }
}

static void begin(chain_share *s, dd_team *team, chain_leaf_work work, dd_team_work help)
{
    s->team = dd_team_size(team) > 1 ? team : NULL;
    s->work = work;
    atomic_store(&s->next, 0);
    atomic_store(&s->passed, 0);
    for (uint32_t i = 0; i < s->count; i++) {
        atomic_store_explicit(&s->done[s->order[i]], 0, memory_order_relaxed);
    }
    if (s->team) {
        dd_team_begin(s->team, dd_team_size(team) - 1, help, s);
    }
}

void dd_chain_share_ahead(chain_share *s, dd_team *team, chain_leaf_work work)
{
    begin(s, team, work, help_ahead);
}

void dd_chain_share_need(chain_share *s, uint32_t batch)
{
    /* others are at work on it when no leaf is left to take */
    for (uint32_t looks = 0; !atomic_load_explicit(&s->done[batch], memory_order_acquire);) {
        if (!take_ahead(s)) {
            wait_a_little(&looks);
        }
    }
}

void dd_chain_share_behind(chain_share *s, dd_team *team, chain_leaf_work work)
{
    begin(s, team, work, help_behind);
}

/* The leaf that is behind the walk next; NULL: none is left. */
static const chain_batch *next_behind(chain_share *s)
{
    const uint32_t i = atomic_load_explicit(&s->next, memory_order_relaxed);
    return i < s->count ? &s->c->lanes->batch[s->order[s->count - 1 - i]] : NULL;
}

void dd_chain_share_passed(chain_share *s, uint32_t k)
{
    atomic_store_explicit(&s->passed, k + 1, memory_order_release);
    /* alone, at once: what the leaf needs of its nodes is still in the cache */
    for (const chain_batch *b; !s->team && (b = next_behind(s)) && b->interval[b->lanes - 1] <= k;) {
        take_behind(s);
    }
}

void dd_chain_share_end(chain_share *s, bool stop)
{
    if (stop) {
        atomic_store(&s->next, s->count);
    }
    while (!stop && atomic_load(&s->passed) > 0 && take_behind(s)) {
    }
    if (s->team) {
        dd_team_end(s->team);
    }
}
