/* state.h - the contents of a dd_context; seen only by the files of base.
 *
 *   dd_context
 *     ├─ memory: hook, bytes in use, peak, allocation counter, fail-at-N
 *     ├─ stop: interrupt flag (atomic), deadline, how many polls may skip the clock
 *     ├─ unfinished: work in threads that nobody waits for any more
 *     ├─ frame: innermost dd_protect ── the one around it ── ... ── NULL
 *     ├─ message: a fixed buffer, so that "memory ran out" needs no memory
 *     ├─ source_pool: texts and their line tables
 *     └─ diagnostic_pool: messages, emptied by dd_context_clear_diagnostics
 */
#ifndef DD_BASE_STATE_H
#define DD_BASE_STATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "base/hash.h"
#include "base/pool.h"
#include "base/source.h"
#include "base/text.h"

enum { DD_MESSAGE_SIZE = 1024 };

typedef struct dd_frame {
    struct dd_frame *outer;
    dd_status status;
    jmp_buf place;
} dd_frame;

typedef struct dd_source {
    const char *name;
    const char *text;
    uint32_t length;
    uint32_t line_count;
    const uint32_t *line_start; /* line_count offsets, rising */
    const uint32_t *characters; /* characters before byte 256*i; NULL when the text is pure ASCII */
} dd_source;

typedef struct dd_message {
    dd_severity severity;
    dd_span span;
    const char *text;
} dd_message;

/* Work that nobody waits for any more (watched.h). */
typedef struct dd_unfinished {
    struct dd_unfinished *next;
    void (*finish)(struct dd_unfinished *self); /* waits, and frees it */
} dd_unfinished;

struct dd_context {
    dd_alloc_fn alloc;
    void *alloc_user;
    size_t max_memory, memory, memory_peak;
    size_t memory_wanted; /* that would have been in use if the last refusal had not been one */
    uint64_t allocations, fail_at;
    uint64_t file_operations, fail_file_at;

    atomic_int interrupted;
    double max_seconds, deadline, last_clock;
    uint32_t skip, skips_left;
    dd_unfinished *unfinished;
    bool expired, foreseen; /* the time limit; it was not waited for (dd_poll_afford) */

    dd_frame *frame;

    dd_pool *source_pool;
    DD_VEC(dd_source) sources;

    dd_pool *diagnostic_pool;
    DD_VEC(dd_message) diagnostics;
    uint32_t max_errors;
    uint32_t kept[3]; /* per severity */
    size_t error_count;
    bool once;       /* a place is reported once: the same code is flattened for many components */
    dd_map reported; /* place and message -> 1, while `once` */
    bool last_kept;  /* a note is kept when the message it belongs to was */
    bool dashes;     /* options appear as --name in messages */

    char message[DD_MESSAGE_SIZE];
};

/* One line of a source: bytes [begin, end) of text without its line end; number from 1, 0 when there is none. */
typedef struct dd_line {
    const char *text;
    uint32_t number, begin, end;
} dd_line;

/* The line where a span begins. */
dd_line dd_span_find_line(const dd_context *ctx, dd_span span);

/* Raises again the status that an inner dd_protect returned; the message stays as it is. */
_Noreturn void dd_raise_again(dd_context *ctx, dd_status status);

#endif
