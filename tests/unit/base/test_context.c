/* Contexts: limits, failures, interruption, time, statuses. */
#include "unit/base/support.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "base/watched.h"
#include "daedal/version.h"

static void test_statuses(void **state)
{
    (void)state;
    for (int i = 0; i < DD_STATUS_COUNT; i++) {
        assert_int_equal(dd_status_from_name(dd_status_name((dd_status)i)), i);
        assert_true(strlen(dd_status_text((dd_status)i)) > 0);
    }
    assert_string_equal(dd_status_name(DD_OUT_OF_MEMORY), "out_of_memory");
    assert_string_equal(dd_status_name((dd_status)-1), "unknown");
    assert_non_null(dd_status_text((dd_status)1000));
    assert_int_equal(dd_status_from_name("nonsense"), DD_STATUS_COUNT);
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", DD_VERSION_MAJOR, DD_VERSION_MINOR, DD_VERSION_PATCH);
    assert_string_equal(dd_version(), version);
}

static void *refuse(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void)user, (void)ptr, (void)old_size, (void)new_size;
    return NULL;
}

static void test_new_fails_cleanly(void **state)
{
    (void)state;
    dd_context *ctx = (dd_context *)(uintptr_t)1;
    dd_context_options options = dd_context_options_default();
    options.fail_at = 1;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OUT_OF_MEMORY);
    assert_null(ctx);
    options = dd_context_options_default();
    options.max_memory = 10;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OUT_OF_MEMORY);
    options = dd_context_options_default();
    options.alloc = refuse;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OUT_OF_MEMORY);
    dd_context_free(NULL);
}

/* Programs see the names of options; the command line has its dashes; other prefixes are refused. */
static void test_option_words(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    assert_string_equal(dd_option_word(ctx, "--step"), "step");
    assert_string_equal(dd_option_phrase(ctx, "see --json", "see the JSON"), "see the JSON");
    dd_fail(ctx, DD_INVALID_ARGUMENT, "euler needs a step size (%s H)", dd_option_word(ctx, "--step"));
    assert_string_equal(dd_context_message(ctx), "euler needs a step size (step H)");
    dd_context_free(ctx);

    dd_context_options options = dd_context_options_default();
    assert_null(options.option_prefix);
    options.option_prefix = "--";
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    assert_string_equal(dd_option_word(ctx, "--step"), "--step");
    assert_string_equal(dd_option_phrase(ctx, "see --json", "see the JSON"), "see --json");
    dd_context_free(ctx);

    options.option_prefix = "";
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    assert_string_equal(dd_option_word(ctx, "--step"), "step");
    dd_context_free(ctx);
    options.option_prefix = "/";
    assert_int_equal(dd_context_new(&ctx, &options), DD_INVALID_ARGUMENT);
    assert_null(ctx);
}

typedef struct {
    dd_context *ctx;
    int reached;
} steps;

static void raise_inner(void *arg)
{
    steps *s = arg;
    s->reached++;
    dd_raise(s->ctx, DD_LIMIT, "inner %d", 5);
}

static void raise_outer(void *arg)
{
    steps *s = arg;
    assert_int_equal(dd_protect(s->ctx, raise_inner, s), DD_LIMIT);
    assert_string_equal(dd_context_message(s->ctx), "inner 5");
    s->reached++;
    dd_raise(s->ctx, DD_IO, "outer after %s", dd_context_message(s->ctx)); /* the old message is an argument */
}

static void raise_default(void *arg)
{
    dd_raise(arg, DD_NUMERIC, NULL);
}

static void test_protect_nests(void **state)
{
    (void)state;
    steps s = {new_context(), 0};
    assert_string_equal(dd_context_message(s.ctx), "");
    assert_int_equal(dd_protect(s.ctx, raise_outer, &s), DD_IO);
    assert_int_equal(s.reached, 2);
    assert_string_equal(dd_context_message(s.ctx), "outer after inner 5");
    assert_int_equal(dd_protect(s.ctx, raise_default, s.ctx), DD_NUMERIC);
    assert_string_equal(dd_context_message(s.ctx), dd_status_text(DD_NUMERIC));
    assert_int_equal(dd_fail(s.ctx, DD_INVALID_ARGUMENT, "n = %d", 3), DD_INVALID_ARGUMENT);
    assert_string_equal(dd_context_message(s.ctx), "n = 3");
    dd_context_free(s.ctx);
}

static void test_long_message_is_cut_between_characters(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    char text[4001];
    for (size_t shift = 0; shift < 4; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3) {
            memcpy(text + i, "\xe2\x82\xac", 3);
        }
        text[4000] = '\0';
        dd_fail(ctx, DD_LIMIT, "%s", text);
        const char *message = dd_context_message(ctx);
        const size_t length = strlen(message);
        assert_true(length >= 1000);
        assert_int_equal((length - shift) % 3, 0);
    }
    dd_context_free(ctx);
}

static void fill(void *arg)
{
    for (;;) {
        dd_pool_alloc(arg, 500);
    }
}

static void test_memory_limit(void **state)
{
    (void)state;
    dd_context_options options = dd_context_options_default();
    options.max_memory = 1 << 20;
    dd_context *ctx;
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    dd_pool *pool = dd_pool_new(ctx);
    assert_int_equal(dd_protect(ctx, fill, pool), DD_OUT_OF_MEMORY);
    assert_true(dd_context_memory_peak(ctx) <= 1 << 20);
    assert_true(dd_context_memory_peak(ctx) > 1 << 19);
    dd_pool_free(pool);
    /* what was freed can be used again */
    void *p = dd_mem_new(ctx, 900000);
    assert_non_null(p);
    assert_null(dd_mem_resize(ctx, p, 900000, 2000000));
    p = dd_mem_resize(ctx, p, 900000, 1000000);
    assert_non_null(p);
    dd_mem_free(ctx, p, 1000000);
    dd_context_free(ctx);
}

static void spin(void *arg)
{
    for (;;) {
        dd_check_stop(arg);
    }
}

static dd_context *signalled;

static void on_alarm(int number)
{
    (void)number;
    dd_context_interrupt(signalled);
}

static void test_interrupt_from_signal(void **state)
{
    (void)state;
    signalled = new_context();
    assert_int_equal(dd_poll_stop(signalled), DD_OK);
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigaction(SIGALRM, &action, &before);
    const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_int_equal(dd_protect(signalled, spin, signalled), DD_INTERRUPTED);
    assert_int_equal(dd_poll_stop(signalled), DD_INTERRUPTED);
    assert_string_equal(dd_context_message(signalled), "the caller asked to stop");
    sigaction(SIGALRM, &before, NULL);
    dd_context_free(signalled);
}

static void *interrupt_thread(void *arg)
{
    dd_context_interrupt(arg);
    return NULL;
}

static void test_interrupt_from_thread(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_thread, ctx), 0);
    assert_int_equal(dd_protect(ctx, spin, ctx), DD_INTERRUPTED);
    pthread_join(thread, NULL);
    dd_context_free(ctx);
}

static int slow_polls;

static void slow_spin(void *arg)
{
    for (slow_polls = 1;; slow_polls++) {
        const double until = dd_clock_seconds() + 0.01;
        while (dd_clock_seconds() < until) {
        }
        dd_check_stop(arg);
    }
}

static void check_time_limit(void (*body)(void *))
{
    dd_context_options options = dd_context_options_default();
    options.max_seconds = 0.1;
    dd_context *ctx;
    const double start = dd_clock_seconds();
    assert_int_equal(dd_context_new(&ctx, &options), DD_OK);
    assert_int_equal(dd_protect(ctx, body, ctx), DD_TIME_LIMIT);
    assert_true(dd_clock_seconds() - start >= 0.1);
    assert_int_equal(dd_poll_stop(ctx), DD_TIME_LIMIT);
    assert_string_equal(dd_context_message(ctx), "the time limit of 0.1 s was reached");
    dd_context_free(ctx);
}

static void test_time_limit(void **state)
{
    (void)state;
    check_time_limit(spin);
    check_time_limit(slow_spin);
    assert_in_range(slow_polls, 1, 50); /* 10 of 10 ms; quick polls skip 255 between two looks at the clock */
}

/* ---- work that cannot be asked to stop ---- */

typedef struct toil {
    dd_watched *watched;
    _Atomic double until; /* busy, without asking */
    int calls;            /* then callbacks, until told to end */
    int most;
    bool stop, told;
} toil;

static void work_hard(void *memory)
{
    toil *t = memory;
    while (dd_clock_seconds() < t->until) {
    }
    for (; t->calls < t->most; t->calls++) {
        if (!dd_watched_enter(t->watched)) {
            t->told = true;
            return;
        }
        dd_watched_leave(t->watched);
    }
}

static bool toil_stops(void *memory)
{
    return ((const toil *)memory)->stop;
}

static dd_watched_end toil_for(dd_context *ctx, double seconds, bool stop, dd_watched **w, toil **t)
{
    assert_int_equal(dd_watched_new(w, ctx, sizeof **t), DD_OK);
    *t = dd_watched_memory(*w);
    **t = (toil){.watched = *w, .until = dd_clock_seconds() + seconds, .most = 10, .stop = stop};
    return dd_watched_run(*w, work_hard, toil_stops);
}

/* Busy for ever, it is left; once it is no longer busy it ends at its next callback. The context waits for it, and so
 * does the next work. */
static void test_watched(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_watched *w;
    toil *t;
    assert_int_equal(toil_for(ctx, 0, false, &w, &t), DD_WATCHED_DONE);
    assert_int_equal(t->calls, 10);
    dd_watched_free(w);
    assert_false(dd_context_busy(ctx));
    assert_int_equal(toil_for(ctx, INFINITY, true, &w, &t), DD_WATCHED_STOPPED);
    assert_int_equal(t->calls, 0);
    dd_watched_free(w);
    assert_true(dd_context_busy(ctx));
    toil *left = t;
    const double end = dd_clock_seconds() + 0.2;
    left->until = end;
    assert_int_equal(toil_for(ctx, 0, false, &w, &t), DD_WATCHED_DONE);
    assert_true(dd_clock_seconds() >= end);
    assert_true(left->told && left->calls == 0);
    dd_watched_free(w);
    dd_context_free(ctx);
}

/* After a stop there is time to write, and the stop still counts afterwards. */
static void test_respite(void **state)
{
    (void)state;
    dd_context *ctx = new_context();
    dd_context_interrupt(ctx);
    assert_int_equal(dd_poll_stop_now(ctx), DD_INTERRUPTED);
    const dd_respite before = dd_respite_begin(ctx);
    assert_int_equal(dd_poll_stop_now(ctx), DD_OK);
    dd_context_interrupt(ctx);
    assert_int_equal(dd_poll_stop_now(ctx), DD_INTERRUPTED);
    dd_respite_end(ctx, &before);
    assert_int_equal(dd_poll_stop_now(ctx), DD_INTERRUPTED);
    dd_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_new_fails_cleanly),
        cmocka_unit_test(test_option_words),
        cmocka_unit_test(test_protect_nests),
        cmocka_unit_test(test_long_message_is_cut_between_characters),
        cmocka_unit_test(test_memory_limit),
        cmocka_unit_test(test_interrupt_from_signal),
        cmocka_unit_test(test_interrupt_from_thread),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_watched),
        cmocka_unit_test(test_respite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
