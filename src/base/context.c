/* context.c - making and freeing contexts; protect and raise; asking whether to stop.
 *
 * The only setjmp and longjmp of the library are here. Memory is in memory.c, messages about model text are in
 * diagnostics.c. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/state.h"

static_assert(ATOMIC_INT_LOCK_FREE == 2, "the interrupt flag is set in signal handlers");

enum { DEFAULT_MAX_ERRORS = 100, MAX_SKIP = 255 };

/* The clock is asked about once in this many seconds when polls come often. */
static const double clock_interval = 1e-3;

/* A library call may end this much after the limit: a second, or a part of a long limit. An estimate need not be
 * better, and short limits must not refuse everything. */
static const double late_seconds = 1.0, late_part = 0.05;

static void *default_alloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return ptr == NULL ? malloc(new_size) : realloc(ptr, new_size);
}

dd_context_options dd_context_options_default(void)
{
    return (dd_context_options){.max_errors = DEFAULT_MAX_ERRORS};
}

dd_status dd_context_new(dd_context **out, const dd_context_options *options)
{
    if (!out) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_context_options o = options ? *options : dd_context_options_default();
    *out = NULL;
    /* two ways to write an option and no other, so that dd_option_word needs no memory */
    const char *prefix = o.option_prefix ? o.option_prefix : "";
    const bool dashes = strcmp(prefix, "--") == 0;
    if (!dashes && prefix[0] != '\0') {
        return DD_INVALID_ARGUMENT;
    }

    /* the first allocation belongs to no context yet, so limits and fail-at-N are applied by hand */
    const dd_alloc_fn alloc = o.alloc ? o.alloc : default_alloc;
    const size_t size = sizeof(dd_context);
    if (o.fail_at == 1 || (o.max_memory > 0 && size > o.max_memory)) {
        return DD_OUT_OF_MEMORY;
    }
    dd_context *ctx = alloc(o.alloc_user, NULL, 0, size);
    if (!ctx) {
        return DD_OUT_OF_MEMORY;
    }
    /* the context counts itself: its own memory is part of the peak */
    memset(ctx, 0, size);
    ctx->alloc = alloc;
    ctx->alloc_user = o.alloc_user;
    ctx->max_memory = o.max_memory;
    ctx->memory = ctx->memory_peak = size;
    ctx->allocations = 1;
    ctx->fail_at = o.fail_at;
    ctx->fail_file_at = o.fail_file_at;
    ctx->max_errors = o.max_errors ? o.max_errors : DEFAULT_MAX_ERRORS;
    ctx->dashes = dashes;
    atomic_init(&ctx->interrupted, 0);
    /* the clock starts with the context, so that loading counts towards the time limit */
    ctx->last_clock = dd_clock_seconds();
    ctx->max_seconds = o.max_seconds;
    ctx->deadline = ctx->last_clock + o.max_seconds;
    *out = ctx;
    return DD_OK;
}

void dd_context_free(dd_context *ctx)
{
    if (!ctx) {
        return;
    }
    /* work in threads may still use the context: wait for it before anything is freed */
    while (ctx->unfinished) {
        dd_unfinished *first = ctx->unfinished;
        ctx->unfinished = first->next;
        first->finish(first);
    }
    dd_pool_free(ctx->diagnostic_pool);
    dd_pool_free(ctx->source_pool);
    ctx->alloc(ctx->alloc_user, ctx, sizeof *ctx, 0);
}

bool dd_context_busy(const dd_context *ctx)
{
    return ctx && ctx->unfinished;
}

const char *dd_context_message(const dd_context *ctx)
{
    return ctx ? ctx->message : "";
}

const char *dd_option_word(const dd_context *ctx, const char *dashed)
{
    assert(strncmp(dashed, "--", 2) == 0);
    return ctx->dashes ? dashed : dashed + 2;
}

const char *dd_option_phrase(const dd_context *ctx, const char *dashed, const char *plain)
{
    return ctx->dashes ? dashed : plain;
}

/* ---- protect and raise ---- */

dd_status dd_protect(dd_context *ctx, void (*body)(void *arg), void *arg)
{
    dd_frame frame = {.outer = ctx->frame, .status = DD_OK};
    ctx->frame = &frame;
    /* zero the first time, one when dd_raise_again returns here */
    if (setjmp(frame.place) == 0) {
        body(arg);
    }
    ctx->frame = frame.outer;
    return frame.status;
}

_Noreturn void dd_raise_again(dd_context *ctx, dd_status status)
{
    assert(ctx->frame && "dd_raise outside dd_protect");
    assert(status != DD_OK);
    if (!ctx->frame) {
        abort(); /* a bug in any build; there is no place to return to */
    }
    ctx->frame->status = status;
    longjmp(ctx->frame->place, 1);
}

/* cuts an incomplete UTF-8 sequence off the end of a truncated message */
static void trim_cut_character(char *text, size_t length)
{
    /* a lead byte without all of its continuation bytes: at most three of them can be there */
    size_t lead = length;
    while (lead > 0 && length - lead < 3 && ((unsigned char)text[lead - 1] & 0xc0) == 0x80) {
        lead--;
    }
    if (lead > 0 && (unsigned char)text[lead - 1] >= 0xc0) {
        text[lead - 1] = '\0';
    }
}

static void set_message(dd_context *ctx, dd_status status, const char *format, va_list args)
{
    if (!format) {
        snprintf(ctx->message, sizeof ctx->message, "%s", dd_status_text(status));
        return;
    }
    /* the arguments may point into the old message ("%s: more", dd_context_message(ctx)) */
    char fresh[DD_MESSAGE_SIZE];
    fresh[0] = '\0';
    const int n = dd_format(fresh, sizeof fresh, format, args);
    if (n >= (int)sizeof fresh) {
        trim_cut_character(fresh, sizeof fresh - 1);
    }
    memcpy(ctx->message, fresh, strlen(fresh) + 1);
}

_Noreturn void dd_raise(dd_context *ctx, dd_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(ctx, status, format, args);
    va_end(args);
    dd_raise_again(ctx, status);
}

dd_status dd_fail(dd_context *ctx, dd_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_message(ctx, status, format, args);
    va_end(args);
    return status;
}

/* ---- stopping ---- */

void dd_context_interrupt(dd_context *ctx)
{
    if (ctx) {
        atomic_store_explicit(&ctx->interrupted, 1, memory_order_relaxed);
    }
}

double dd_clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double dd_cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Reads the clock and adapts how many polls may go by without reading it: loops that poll every microsecond
 * skip many, loops that poll every second skip none. */
static bool deadline_passed(dd_context *ctx)
{
    /* frequent polls cost a decrement */
    if (ctx->skips_left > 0) {
        ctx->skips_left--;
        return false;
    }
    const double now = dd_clock_seconds();
    /* polls are close together: double the number to skip; far apart: skip fewer at once */
    if (now - ctx->last_clock < clock_interval) {
        ctx->skip = ctx->skip < MAX_SKIP / 2 ? 2 * ctx->skip + 1 : MAX_SKIP;
    } else {
        ctx->skip /= 4;
    }
    ctx->skips_left = ctx->skip;
    ctx->last_clock = now;
    return now >= ctx->deadline;
}

dd_status dd_poll_stop(dd_context *ctx)
{
    /* an interrupt is seen by every poll, the clock only by some */
    if (atomic_load_explicit(&ctx->interrupted, memory_order_relaxed)) {
        return dd_fail(ctx, DD_INTERRUPTED, "%s", dd_status_text(DD_INTERRUPTED));
    }
    if (ctx->max_seconds <= 0) {
        return DD_OK;
    }
    /* a limit that has passed stays passed */
    if (ctx->expired || deadline_passed(ctx)) {
        ctx->expired = true;
        return dd_fail(ctx, DD_TIME_LIMIT,
                       ctx->foreseen ? "the time limit of %g s leaves no time for the next factorisation"
                                     : "the time limit of %g s was reached",
                       ctx->max_seconds);
    }
    return DD_OK;
}

dd_status dd_poll_stop_now(dd_context *ctx)
{
    ctx->skips_left = 0;
    return dd_poll_stop(ctx);
}

double dd_memory_left(const dd_context *ctx)
{
    return ctx->max_memory > 0 ? (double)ctx->max_memory - (double)ctx->memory : INFINITY;
}

double dd_memory_wanted(const dd_context *ctx)
{
    return (double)ctx->memory_wanted;
}

double dd_seconds_left(const dd_context *ctx)
{
    return ctx->max_seconds > 0 ? ctx->deadline - dd_clock_seconds() : INFINITY;
}

bool dd_stop_foreseen(const dd_context *ctx)
{
    return ctx->foreseen;
}

dd_status dd_poll_afford(dd_context *ctx, double seconds, double bytes)
{
    const dd_status st = dd_poll_stop_now(ctx);
    if (st != DD_OK) {
        return st;
    }
    /* memory that the library takes outside of our hook */
    if (ctx->max_memory > 0 && (double)ctx->memory + bytes > (double)ctx->max_memory) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY,
                       "a factorisation of %.3g MB does not fit into the memory limit of %.3g MB", 1e-6 * bytes,
                       1e-6 * (double)ctx->max_memory);
    }
    const double late = fmax(late_seconds, late_part * ctx->max_seconds);
    if (ctx->max_seconds > 0 && dd_clock_seconds() + seconds > ctx->deadline + late) {
        ctx->expired = ctx->foreseen = true;
        return dd_fail(ctx, DD_TIME_LIMIT,
                       "the next factorisation takes about %.2g s, more than the time limit of %g s leaves", seconds,
                       ctx->max_seconds);
    }
    return DD_OK;
}

void dd_check_stop(dd_context *ctx)
{
    const dd_status status = dd_poll_stop(ctx);
    if (status != DD_OK) {
        dd_raise_again(ctx, status);
    }
}

/* ---- writing after a stop ---- */

#define RESPITE_SECONDS 10.0
#define RESPITE_PART 0.1 /* of the time limit */

dd_respite dd_respite_begin(dd_context *ctx)
{
    /* pending reasons to stop are set aside, so that results can be written */
    const dd_respite before = {.interrupted = atomic_exchange_explicit(&ctx->interrupted, 0, memory_order_relaxed),
                               .expired = ctx->expired,
                               .max_seconds = ctx->max_seconds,
                               .deadline = ctx->deadline};
    const double seconds =
        ctx->max_seconds * RESPITE_PART > RESPITE_SECONDS ? ctx->max_seconds * RESPITE_PART : RESPITE_SECONDS;
    const double until = dd_clock_seconds() + seconds;
    const bool stopped = before.interrupted || before.expired;
    /* an unlimited run that was interrupted gets a limit for its writing */
    if (stopped || (ctx->max_seconds > 0 && ctx->deadline < until)) {
        ctx->max_seconds = ctx->max_seconds > 0 ? ctx->max_seconds : seconds;
        ctx->deadline = until;
    }
    ctx->expired = false;
    ctx->skips_left = 0;
    return before;
}

dd_status dd_poll_patiently(dd_context *ctx, bool *late)
{
    const dd_status st = dd_poll_stop(ctx);
    if (st == DD_OK || *late) {
        return st;
    }
    *late = true;
    dd_respite_begin(ctx);
    return DD_OK;
}

void dd_respite_end(dd_context *ctx, const dd_respite *before)
{
    /* and put back afterwards */
    if (before->interrupted) {
        atomic_store_explicit(&ctx->interrupted, 1, memory_order_relaxed);
    }
    ctx->expired = ctx->expired || before->expired;
    ctx->max_seconds = before->max_seconds;
    ctx->deadline = before->deadline;
    ctx->skips_left = 0;
}
