/* watched.c - a thread, a lock that is held while anybody computes, and a clock. */
#include "base/watched.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/state.h"

#define TICK_SECONDS 0.02        /* between two questions whether to stop */
#define SOON_SECONDS 0.3         /* work that was asked to stop may take this long until it is left */
#define STACK_BYTES (64u << 20)  /* Fortran codes put arrays on it; only pages that are touched are taken */
#define STATM "/proc/self/statm" /* pages: all, resident, ... */

struct dd_watched {
    dd_unfinished unfinished; /* in the list of the context, once it was left */
    dd_context *ctx;
    size_t size;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    pthread_t thread;
    void (*work)(void *memory);
    bool started, done, left, reentrant;
    max_align_t memory[];
};

/* Work that was left and still runs, in all contexts: foreign solvers need not be able to run twice at a time. */
static atomic_int left_running;

static void *memory_of(dd_watched *w)
{
    return w->memory;
}

void *dd_watched_memory(dd_watched *w)
{
    return memory_of(w);
}

dd_status dd_watched_new(dd_watched **out, dd_context *ctx, size_t size)
{
    pthread_condattr_t clock;
    *out = NULL;
    dd_watched *w = dd_mem_new_array(ctx, 1, sizeof *w + size);
    if (w == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    w->ctx = ctx;
    w->size = size;
    /* a condition that waits by the monotonic clock: setting the time of day must not disturb it */
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->ended, &clock);
    pthread_condattr_destroy(&clock);
    *out = w;
    return DD_OK;
}

static void destroy(dd_watched *w)
{
    pthread_cond_destroy(&w->ended);
    pthread_mutex_destroy(&w->lock);
    dd_mem_free(w->ctx, w, sizeof *w + w->size);
}

void dd_watched_set_reentrant(dd_watched *w)
{
    w->reentrant = true;
}

/* ---- the thread ---- */

static void *run_work(void *user)
{
    dd_watched *w = user;
    w->work(memory_of(w));
    /* whoever waits must see done and the result together */
    pthread_mutex_lock(&w->lock);
    w->done = true;
    bool was_left = w->left;
    pthread_cond_signal(&w->ended);
    pthread_mutex_unlock(&w->lock);
    /* nobody waited: others may start now */
    if (was_left && !w->reentrant) {
        atomic_fetch_sub(&left_running, 1);
    }
    return NULL;
}

static bool start(dd_watched *w)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    w->started = pthread_create(&w->thread, &attributes, run_work, w) == 0;
    pthread_attr_destroy(&attributes);
    return w->started;
}

bool dd_watched_enter(dd_watched *w)
{
    pthread_mutex_lock(&w->lock);
    /* the caller has gone: its data may not be touched any more */
    if (w->left) {
        pthread_mutex_unlock(&w->lock);
        return false;
    }
    return true;
}

void dd_watched_leave(dd_watched *w)
{
    pthread_mutex_unlock(&w->lock);
}

/* ---- who waits ---- */

/* Bytes of the process that are in memory; 0 where the system does not report them. */
static size_t resident_bytes(void)
{
    unsigned long all = 0, resident = 0;
    FILE *f = fopen(STATM, "r");
    if (f == NULL) {
        return 0;
    }
    int n = fscanf(f, "%lu %lu", &all, &resident);
    fclose(f);
    return n == 2 ? (size_t)resident * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Memory that does not come from the context's hook is included. */
static bool too_large(const dd_watched *w, size_t resident_before, size_t memory_before)
{
    /* growth of the process since the work began, against the memory left below the limit */
    size_t now = w->ctx->max_memory > 0 ? resident_bytes() : 0;
    return now > resident_before && now - resident_before > w->ctx->max_memory - memory_before;
}

static struct timespec tick_from_now(void)
{
    /* nanoseconds carry into seconds */
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += (long)(TICK_SECONDS * 1e9);
    t.tv_sec += t.tv_nsec / 1000000000L;
    t.tv_nsec %= 1000000000L;
    return t;
}

/* With the lock held. */
static dd_watched_end wait_for_end(dd_watched *w, bool (*stop)(void *memory))
{
    /* the state before the work: its memory is the difference */
    size_t resident = w->ctx->max_memory > 0 ? resident_bytes() : 0, memory = w->ctx->memory;
    double asked = 0;
    while (!w->done) {
        /* the lock is free while waiting: callbacks run then */
        struct timespec until = tick_from_now();
        pthread_cond_timedwait(&w->ended, &w->lock, &until);
        if (!w->done && too_large(w, resident, memory)) {
            return DD_WATCHED_NO_MEMORY;
        }
        /* asked to stop: the work gets a moment to end by itself */
        if (!w->done && stop != NULL && stop(memory_of(w))) {
            double now = dd_clock_seconds();
            asked = asked > 0 ? asked : now;
            if (w->reentrant || now - asked > SOON_SECONDS) {
                return DD_WATCHED_STOPPED;
            }
        }
    }
    return DD_WATCHED_DONE;
}

/* Until nothing that was left runs any more; false: asked to stop before. */
static bool wait_for_others(dd_watched *w, bool (*stop)(void *memory))
{
    while (atomic_load(&left_running) > 0) {
        const struct timespec tick = {.tv_nsec = (long)(TICK_SECONDS * 1e9)};
        if (stop != NULL && stop(memory_of(w))) {
            return false;
        }
        nanosleep(&tick, NULL);
    }
    return true;
}

dd_watched_end dd_watched_run(dd_watched *w, void (*work)(void *memory), bool (*stop)(void *memory))
{
    w->work = work;
    /* a solver that was left may still be in its library, which need not be reentrant */
    if (!w->reentrant && !wait_for_others(w, stop)) {
        w->done = true;
        return DD_WATCHED_STOPPED;
    }
    /* held from before the start, so that callbacks wait until the caller does */
    pthread_mutex_lock(&w->lock);
    if (!start(w)) { /* no thread to be had: then it cannot be left */
        pthread_mutex_unlock(&w->lock);
        work(memory_of(w));
        w->done = true;
        return DD_WATCHED_DONE;
    }
    /* left: counted until it ends by itself */
    dd_watched_end end = wait_for_end(w, stop);
    w->left = end != DD_WATCHED_DONE;
    if (w->left && !w->reentrant) {
        atomic_fetch_add(&left_running, 1);
    }
    pthread_mutex_unlock(&w->lock);
    return end;
}

static void join_and_destroy(dd_unfinished *unfinished)
{
    dd_watched *w = (dd_watched *)unfinished;
    pthread_join(w->thread, NULL);
    destroy(w);
}

void dd_watched_free(dd_watched *w)
{
    if (w == NULL) {
        return;
    }
    /* the context waits for it at its own end */
    if (w->left) {
        w->unfinished = (dd_unfinished){w->ctx->unfinished, join_and_destroy};
        w->ctx->unfinished = &w->unfinished;
        return;
    }
    if (w->started) {
        pthread_join(w->thread, NULL);
    }
    destroy(w);
}
