/* team.c - helpers that wait for work, first awake, then asleep. */
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

/* Looks for work before a helper sleeps: some tens of microseconds, about the time that waking it would take. */
enum { LOOKS = 2000 };

typedef struct helper {
    dd_team *team;
    pthread_t thread;
    uint32_t member;
} helper;

struct dd_team {
    dd_context *ctx;
    uint32_t asked, size; /* members that there is memory for, that there are */
    pthread_mutex_t lock;
    pthread_cond_t called;
    atomic_uint call; /* counts pieces of work; changes under the lock, read without it */
    /* under the lock: */
    bool open, ending; /* helpers may enter the present work; they are to end */
    dd_team_work work;
    void *user;
    uint32_t parts;
    atomic_uint next;   /* part */
    atomic_uint inside; /* helpers that are at work; rises under the lock while it is open */
    helper helpers[];
};

static size_t bytes_of(uint32_t members)
{
    return sizeof(dd_team) + members * sizeof(helper);
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void take_parts(dd_team *t, uint32_t member)
{
    for (uint32_t part = atomic_fetch_add(&t->next, 1); part < t->parts; part = atomic_fetch_add(&t->next, 1)) {
        t->work(t->user, part, member);
    }
}

/* Waits for another call than the last one seen; true: there is work to join. */
static bool join_next(dd_team *t, uint32_t *seen)
{
    for (uint32_t k = 0; k < LOOKS && atomic_load(&t->call) == *seen; k++) {
        relax();
    }
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->call) == *seen) {
        pthread_cond_wait(&t->called, &t->lock);
    }
    *seen = atomic_load(&t->call);
    bool joined = t->open && !t->ending;
    if (joined) {
        atomic_fetch_add(&t->inside, 1);
    }
    pthread_mutex_unlock(&t->lock);
    return joined;
}

static void *help(void *user)
{
    helper *h = user;
    dd_team *t = h->team;
    /* from the beginning: work may have been called before this thread ran */
    for (uint32_t seen = 0;;) {
        if (join_next(t, &seen)) {
            take_parts(t, h->member);
            atomic_fetch_sub(&t->inside, 1);
        }
        pthread_mutex_lock(&t->lock);
        bool ending = t->ending;
        pthread_mutex_unlock(&t->lock);
        if (ending) {
            return NULL;
        }
    }
}

dd_status dd_team_new(dd_team **out, dd_context *ctx, uint32_t threads)
{
    sigset_t all, before;
    *out = NULL;
    if (threads < 2) {
        return DD_OK;
    }
    dd_team *t = dd_mem_new_array(ctx, 1, bytes_of(threads));
    if (t == NULL) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    t->ctx = ctx;
    t->asked = threads;
    t->size = 1;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->called, NULL);
    /* signals are for the caller's thread */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (t->size < threads) {
        helper *h = &t->helpers[t->size];
        *h = (helper){.team = t, .member = t->size};
        if (pthread_create(&h->thread, NULL, help, h) != 0) {
            break;
        }
        t->size++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *out = t;
    return DD_OK;
}

static void call(dd_team *t)
{
    atomic_fetch_add(&t->call, 1);
    pthread_cond_broadcast(&t->called);
    pthread_mutex_unlock(&t->lock);
}

void dd_team_free(dd_team *t)
{
    if (t == NULL) {
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->ending = true;
    call(t);
    for (uint32_t i = 1; i < t->size; i++) {
        pthread_join(t->helpers[i].thread, NULL);
    }
    pthread_cond_destroy(&t->called);
    pthread_mutex_destroy(&t->lock);
    dd_mem_free(t->ctx, t, bytes_of(t->asked));
}

uint32_t dd_team_size(const dd_team *t)
{
    return t != NULL ? t->size : 1;
}

void dd_team_begin(dd_team *t, uint32_t parts, dd_team_work work, void *user)
{
    pthread_mutex_lock(&t->lock);
    t->work = work;
    t->user = user;
    t->parts = parts;
    atomic_store(&t->next, 0);
    t->open = true;
    call(t);
}

void dd_team_end(dd_team *t)
{
    take_parts(t, 0);
    /* nobody enters any more; those inside end their part */
    pthread_mutex_lock(&t->lock);
    t->open = false;
    pthread_mutex_unlock(&t->lock);
    for (uint32_t k = 1; atomic_load(&t->inside) > 0; k++) {
        relax();
        if (k % LOOKS == 0) {
            sched_yield();
        }
    }
}

void dd_team_run(dd_team *t, uint32_t parts, dd_team_work work, void *user)
{
    if (t == NULL || t->size == 1 || parts < 2) {
        for (uint32_t part = 0; part < parts; part++) {
            work(user, part, 0);
        }
        return;
    }
    dd_team_begin(t, parts, work, user);
    dd_team_end(t);
}
