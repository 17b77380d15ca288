/* context.h - the private side of dd_context: raising failures, checking limits, reporting.
 *
 * How failures travel. Symbolic code (expr, model, lang, mech, structure) allocates from pools and does not
 * check each allocation: a failure raises with dd_raise, which returns to the innermost dd_protect. Every
 * public entry point runs its work in dd_protect and then frees the pools that the work had opened, so
 * nothing leaks. Numerical kernels (graph, la, nls, integ, nlp) never raise: they return dd_status.
 *
 *     public call -> dd_protect(ctx, body, arg) -> body ... dd_raise -> dd_protect returns the status
 *                    then dd_pool_free of the unfinished results
 */
#ifndef DD_BASE_CONTEXT_H
#define DD_BASE_CONTEXT_H

#include <stdarg.h>
#include <stdbool.h>

#include "daedal/context.h"

/* Runs body(arg). Returns DD_OK, or the status that was raised inside. May be nested. */
dd_status dd_protect(dd_context *ctx, void (*body)(void *arg), void *arg);

/* Ends the innermost dd_protect with this status. message may be NULL to take the status's own text. */
_Noreturn void dd_raise(dd_context *ctx, dd_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Records the failure's message without raising; returns status, for "return dd_fail(...)". */
dd_status dd_fail(dd_context *ctx, dd_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* An option in a message. dashed is a literal, "--step": returned as it is where the context has the prefix "--" (the
 * command line), and without the dashes elsewhere. */
const char *dd_option_word(const dd_context *ctx, const char *dashed);
/* The same for a phrase that a program with the C interface would put in other words: "see --json", "see the JSON". */
const char *dd_option_phrase(const dd_context *ctx, const char *dashed, const char *plain);

/* Raises DD_INTERRUPTED or DD_TIME_LIMIT when asked to stop. Cheap: call it in every long loop.
 * (The clock is read only once per many calls.) */
void dd_check_stop(dd_context *ctx);

/* Same question without raising, for kernels: DD_OK, DD_INTERRUPTED or DD_TIME_LIMIT. */
dd_status dd_poll_stop(dd_context *ctx);
/* The clock is read each time: for calls that are far apart. */
dd_status dd_poll_stop_now(dd_context *ctx);

/* Time to write the results of a run, whether it was stopped or the limit comes while they are written: the reasons to
 * stop so far are set aside, and the work until the end of the respite has at least ten seconds, or a tenth of the time
 * limit. Another interrupt stops it as usual. */
typedef struct dd_respite {
    int interrupted;
    bool expired;
    double max_seconds, deadline;
} dd_respite;
dd_respite dd_respite_begin(dd_context *ctx);
void dd_respite_end(dd_context *ctx, const dd_respite *before);
/* For loops that write a file within a respite: dd_poll_stop, but the first reason to stop only begins another respite,
 * in which the file is finished; the second one counts. *late is false at first. */
dd_status dd_poll_patiently(dd_context *ctx, bool *late);

/* Before a call into a library that cannot be stopped and takes its memory elsewhere: does it fit into the limits?
 * seconds: its time, by a low estimate; bytes: its memory. Anything but DD_OK: it should not be made;
 * the message says why. A call may end up to a second or 5 % after the limit. */
dd_status dd_poll_afford(dd_context *ctx, double seconds, double bytes);

/* Bytes left below the memory limit; INFINITY without. */
double dd_memory_left(const dd_context *ctx);
/* Bytes that would have been in use with the last request that was refused; 0: none was. */
double dd_memory_wanted(const dd_context *ctx);
/* Seconds left until the time limit; INFINITY without. */
double dd_seconds_left(const dd_context *ctx);
/* The run was stopped before the limit, because something that cannot be stopped would have passed it. */
bool dd_stop_foreseen(const dd_context *ctx);

/* Raw memory through the hook, limit and fail-at-N; NULL when refused. Kernels use these and return
 * DD_OUT_OF_MEMORY; symbolic code uses pools (pool.h). */
void *dd_mem_new(dd_context *ctx, size_t size);                             /* not cleared */
void *dd_mem_new_array(dd_context *ctx, size_t count, size_t element_size); /* cleared; checked product */
void *dd_mem_resize(dd_context *ctx, void *ptr, size_t old_size, size_t new_size);
void dd_mem_free(dd_context *ctx, void *ptr, size_t size);
/* Memory that a library holds for an object: counted like our own until it is discharged. */
void dd_mem_charge(dd_context *ctx, size_t size);
void dd_mem_discharge(dd_context *ctx, size_t size);

/* Seconds on a monotonic clock. */
double dd_clock_seconds(void);
/* Of all threads of the process. */
double dd_cpu_seconds(void);

/* Testing hook for files: true when this file operation is the one that must fail. */
bool dd_file_fault(dd_context *ctx);

#endif
