/* chain_threads.c - batches of leaves by several threads (chain_lanes.h). Every batch is computed by one thread and by
 * itself: results do not depend on how many there are. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "nlp/chain_lanes.h"

enum { THREADS_MOST = 64 };

struct chain_team {
    uint32_t threads; /* beside the one that asks */
    pthread_t thread[THREADS_MOST];
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    uint64_t round;   /* of work; changes when there is some */
    uint32_t working; /* threads that have not finished it */
    bool leave;
    chain_lanes *lanes;
    const chain_source *from;
    atomic_uint next; /* batch */
};

static void work(chain_team *t)
{
    for (uint32_t b = atomic_fetch_add(&t->next, 1); b < t->lanes->batches; b = atomic_fetch_add(&t->next, 1)) {
        t->lanes->kernels->factor(&t->lanes->batch[b], t->from);
    }
}

static void *run(void *argument)
{
    chain_team *t = argument;
    uint64_t done = 0;
    pthread_mutex_lock(&t->lock);
    for (;;) {
        while (t->round == done && !t->leave) {
            pthread_cond_wait(&t->begin, &t->lock);
        }
        if (t->leave) {
            break;
        }
        done = t->round;
        pthread_mutex_unlock(&t->lock);
        work(t);
        pthread_mutex_lock(&t->lock);
        if (--t->working == 0) {
            pthread_cond_signal(&t->end);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static void start_threads(chain_team *t, uint32_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (t->threads < count && pthread_create(&t->thread[t->threads], NULL, run, t) == 0) {
        t->threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

chain_team *dd_chain_team_new(chain_pool *pool, chain_lanes *lanes, uint32_t threads)
{
    chain_team *t = dd_chain_take_zero(pool, 1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->lanes = lanes;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->begin, NULL);
    pthread_cond_init(&t->end, NULL);
    threads = threads < lanes->batches ? threads : lanes->batches;
    start_threads(t, threads - 1 < THREADS_MOST ? threads - 1 : THREADS_MOST);
    return t;
}

void dd_chain_team_factor(chain_team *t, const chain_source *from)
{
    pthread_mutex_lock(&t->lock);
    t->from = from;
    atomic_store(&t->next, 0);
    t->working = t->threads;
    t->round++;
    pthread_cond_broadcast(&t->begin);
    pthread_mutex_unlock(&t->lock);
    work(t);
    pthread_mutex_lock(&t->lock);
    while (t->working > 0) {
        pthread_cond_wait(&t->end, &t->lock);
    }
    pthread_mutex_unlock(&t->lock);
}

void dd_chain_team_free(chain_team *t)
{
    if (!t) {
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->leave = true;
    pthread_cond_broadcast(&t->begin);
    pthread_mutex_unlock(&t->lock);
    for (uint32_t i = 0; i < t->threads; i++) {
        pthread_join(t->thread[i], NULL);
    }
    pthread_cond_destroy(&t->end);
    pthread_cond_destroy(&t->begin);
    pthread_mutex_destroy(&t->lock);
}
