/* context.h - the context of all Daedal objects: memory, limits, messages, interruption.
 *
 * Every object is made from a context and must be freed before it. A context and the objects made from it
 * belong to one thread at a time; different contexts are independent. The library never prints, exits or
 * installs signal handlers.
 */
#ifndef DAEDAL_CONTEXT_H
#define DAEDAL_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "daedal/export.h"
#include "daedal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dd_context dd_context;

/* Allocator hook. new_size == 0 frees ptr and returns NULL; ptr == NULL allocates; otherwise reallocates.
 * old_size is the size the block was allocated with. Returns NULL when the request cannot be met, and the old
 * block is then untouched. */
typedef void *(*dd_alloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

typedef struct dd_context_options {
    dd_alloc_fn alloc;     /* NULL: the C library's realloc and free */
    void *alloc_user;      /* first argument of alloc */
    size_t max_memory;     /* bytes that may be in use at once; 0: no limit */
    double max_seconds;    /* wall time from creation; 0: no limit */
    uint64_t fail_at;      /* testing: the n-th allocation fails (1 is the first); 0: never */
    uint64_t fail_file_at; /* testing: the n-th file operation fails; 0: never */
    uint32_t max_errors;   /* error messages kept; later ones are only counted (default 100) */
    /* prefix of option names in messages: NULL or "" for none, "--" as on the command line */
    const char *option_prefix;
} dd_context_options;

DD_API dd_context_options dd_context_options_default(void);

/* Creates a context. options may be NULL for the defaults. Fails with DD_OUT_OF_MEMORY, or with DD_INVALID_ARGUMENT
 * when out is NULL or option_prefix is not one of these. */
DD_API dd_status dd_context_new(dd_context **out, const dd_context_options *options);

/* Frees the context and its messages; NULL is fine. Objects made from it must have been freed. */
DD_API void dd_context_free(dd_context *ctx);

/* True after a call that ended at a limit while a foreign solver was inside a factorisation. The solver continues in a
 * separate thread until it can be stopped, and dd_context_free waits for it. A program that is about to exit need not
 * free the context. */
DD_API bool dd_context_busy(const dd_context *ctx);

/* Asks whatever runs in this context to stop soon with DD_INTERRUPTED. May be called from a signal handler
 * or another thread. */
DD_API void dd_context_interrupt(dd_context *ctx);

/* Memory in use, the most that was in use at once, and the number of allocations made so far. */
DD_API size_t dd_context_memory(const dd_context *ctx);
DD_API size_t dd_context_memory_peak(const dd_context *ctx);
DD_API uint64_t dd_context_allocations(const dd_context *ctx);

/* The message of the last failure in this context, one sentence; "" when there was none. */
DD_API const char *dd_context_message(const dd_context *ctx);

/* ---- diagnostics: messages about model text, in the order they were found ---- */

typedef enum dd_severity { DD_SEVERITY_ERROR, DD_SEVERITY_WARNING, DD_SEVERITY_NOTE } dd_severity;

typedef struct dd_diagnostic {
    dd_severity severity;
    const char *file;    /* "" when the message belongs to no place */
    uint32_t line;       /* from 1; 0 when the message belongs to no place */
    uint32_t column;     /* from 1, in characters */
    uint32_t end_column; /* one past the last character on the same line */
    const char *message;
} dd_diagnostic;

/* Diagnostics kept so far; i < dd_context_diagnostic_count. The strings live until the next call of
 * dd_context_clear_diagnostics or dd_context_free. */
DD_API size_t dd_context_diagnostic_count(const dd_context *ctx);
DD_API dd_diagnostic dd_context_diagnostic(const dd_context *ctx, size_t i);

/* Number of errors found, including those beyond max_errors that were not kept. */
DD_API size_t dd_context_error_count(const dd_context *ctx);
DD_API void dd_context_clear_diagnostics(dd_context *ctx);

/* Writes diagnostic i for people, as "file:line:column: error: message", the source line and a caret, into
 * buffer (always terminated when size > 0). Returns the length the full text has, as snprintf does. */
DD_API size_t dd_context_format_diagnostic(const dd_context *ctx, size_t i, char *buffer, size_t size);

/* A failure as one JSON object:
 * {"status":"invalid_model","reason":"...","errors":[{"file","line","column","message"}]}. Same buffer rules. */
DD_API size_t dd_context_failure_json(dd_context *ctx, dd_status status, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
