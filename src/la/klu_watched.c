/* klu_watched.c - see klu_watched.h. A thread has copies of pattern, values and settings, and owns the factors
 * meanwhile: a caller that leaves it may free the matrix, and the thread frees the factors itself. */
#include "la/klu_watched.h"

#include <string.h>

#include "base/watched.h"

/* Entries below which an analysis is over before anybody could want to stop it: some milliseconds. */
enum { QUICK_ENTRIES = 30000 };
/* The same for a factorisation. On a busy machine it takes a multiple. */
static const double QUICK_SECONDS = 0.05;

typedef struct job {
    dd_context *ctx;
    dd_watched *self;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool is_complex, reuse, ok;
    int n;
    int *ptr, *idx; /* in the memory of the thread, behind this and the values */
    double val[];
} job;

static void free_factors(job *o, klu_symbolic *symbolic, klu_numeric *numeric)
{
    if (o->is_complex) {
        klu_z_free_numeric(&numeric, &o->common);
    } else {
        klu_free_numeric(&numeric, &o->common);
    }
    klu_free_symbolic(&symbolic, &o->common);
}

/* ---- in the thread ---- */

static bool factor(int *ptr, int *idx, double *val, bool is_complex, bool reuse, klu_symbolic *symbolic,
                   klu_numeric **numeric, klu_common *common)
{
    if (reuse) {
        return (is_complex ? klu_z_refactor : klu_refactor)(ptr, idx, val, symbolic, *numeric, common);
    }
    *numeric = (is_complex ? klu_z_factor : klu_factor)(ptr, idx, val, symbolic, common);
    return *numeric != NULL;
}

/* Results are handed over, or freed when nobody waits for them any more. */
static void hand_over(job *o, klu_symbolic *symbolic, klu_numeric *numeric)
{
    if (dd_watched_enter(o->self)) {
        o->symbolic = symbolic;
        o->numeric = numeric;
        dd_watched_leave(o->self);
    } else {
        free_factors(o, symbolic, numeric);
    }
}

static void analyse_work(void *memory)
{
    job *o = memory;
    hand_over(o, klu_analyze(o->n, o->ptr, o->idx, &o->common), NULL);
}

static void factor_work(void *memory)
{
    job *o = memory;
    /* a caller that has left before the thread began frees them itself */
    if (!dd_watched_enter(o->self)) {
        return;
    }
    klu_symbolic *symbolic = o->symbolic;
    klu_numeric *numeric = o->numeric;
    /* while the thread works the factors are its own: the caller may leave */
    o->symbolic = NULL;
    o->numeric = NULL;
    dd_watched_leave(o->self);
    o->ok = factor(o->ptr, o->idx, o->val, o->is_complex, o->reuse, symbolic, &numeric, &o->common);
    hand_over(o, symbolic, numeric);
}

/* ---- who waits ---- */

static bool asked_to_stop(void *memory)
{
    job *o = memory;
    return dd_poll_stop_now(o->ctx) != DD_OK;
}

/* values: doubles, 0: none */
static dd_status new_job(job **out, dd_context *ctx, uint32_t n, const uint32_t *ptr, const uint32_t *idx,
                         const double *val, size_t values, const klu_common *common)
{
    const size_t head = (size_t)n + 1, entries = ptr[n];
    dd_watched *w;
    const dd_status st =
        dd_watched_new(&w, ctx, sizeof(job) + values * sizeof(double) + (head + entries) * sizeof(int));
    if (st != DD_OK) {
        return st;
    }
    job *o = dd_watched_memory(w);
    *o = (job){.ctx = ctx, .self = w, .common = *common, .n = (int)n};
    /* values first, then the integers: everything is aligned */
    o->ptr = (int *)(void *)(o->val + values);
    o->idx = o->ptr + head;
    memcpy(o->ptr, ptr, head * sizeof *ptr);
    memcpy(o->idx, idx, entries * sizeof *idx);
    if (values > 0) {
        memcpy(o->val, val, values * sizeof *val);
    }
    /* KLU has no global state, so another factorisation may run beside one that was left */
    dd_watched_set_reentrant(w);
    *out = o;
    return DD_OK;
}

/* Why there is no result. */
static dd_status failure(dd_context *ctx, bool memory)
{
    if (memory) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "a sparse factorisation passed the memory limit");
    }
    const dd_status st = dd_poll_stop_now(ctx);
    return st != DD_OK ? st : dd_fail(ctx, DD_TIME_LIMIT, "a factorisation was left at the time limit");
}

/* Runs the work; its results stay in the job. */
static dd_status run(job *o, void (*work)(void *memory))
{
    const dd_watched_end end = dd_watched_run(o->self, work, asked_to_stop);
    if (end == DD_WATCHED_DONE) {
        return DD_OK;
    }
    /* it has not begun, or ended just before it was left; otherwise nothing is there, and it frees its own results */
    free_factors(o, o->symbolic, o->numeric);
    return failure(o->ctx, end == DD_WATCHED_NO_MEMORY);
}

dd_status dd_klu_analyse(klu_symbolic **out, dd_context *ctx, uint32_t n, const uint32_t *ptr, const uint32_t *idx,
                         klu_common *common)
{
    *out = NULL;
    /* quick ones are not worth a thread and a copy */
    if (ptr[n] < QUICK_ENTRIES) {
        *out = klu_analyze((int)n, (int *)ptr, (int *)idx, common);
        return DD_OK;
    }
    job *o;
    dd_status st = new_job(&o, ctx, n, ptr, idx, NULL, 0, common);
    if (st != DD_OK) {
        return st;
    }
    st = run(o, analyse_work);
    /* the settings carry KLU's status and statistics back */
    if (st == DD_OK) {
        *out = o->symbolic;
        *common = o->common;
    }
    dd_watched_free(o->self);
    return st;
}

dd_status dd_klu_factor(dd_context *ctx, const dd_klu_task *task, bool *ok)
{
    *ok = false;
    /* an earlier factorisation was left and took the analysis with it */
    if (!*task->symbolic) {
        return failure(ctx, false);
    }
    /* quick ones are not worth a thread and a copy */
    if (task->seconds < QUICK_SECONDS) {
        *ok = factor((int *)task->ptr, (int *)task->idx, task->val, task->is_complex, task->reuse, *task->symbolic,
                     task->numeric, task->common);
        return DD_OK;
    }
    job *o;
    const size_t values = (size_t)task->ptr[task->n] * (task->is_complex ? 2 : 1);
    dd_status st = new_job(&o, ctx, task->n, task->ptr, task->idx, task->val, values, task->common);
    if (st != DD_OK) {
        return st;
    }
    /* the factors go to the thread with the job */
    o->is_complex = task->is_complex;
    o->reuse = task->reuse;
    o->symbolic = *task->symbolic;
    o->numeric = *task->numeric;
    *task->symbolic = NULL;
    *task->numeric = NULL;
    st = run(o, factor_work);
    /* and come back with the result; otherwise the thread frees them */
    if (st == DD_OK) {
        *task->symbolic = o->symbolic;
        *task->numeric = o->numeric;
        *task->common = o->common;
        *ok = o->ok;
    }
    dd_watched_free(o->self);
    return st;
}
