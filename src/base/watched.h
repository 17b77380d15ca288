/* watched.h - work that cannot be asked to stop, such as the factorisation inside a foreign solver, in a separate
 * thread: the caller that waits for it can leave.
 *
 *     new -> run ... (work calls back: enter, ..., leave) ... -> free
 *
 * The caller waits while the work runs, so both never compute at the same time: callbacks run between enter and leave,
 * the caller's questions in between. Work that was left goes on until it asks `enter`, which asks it to end; until
 * then its memory belongs to the context, and dd_context_free waits for it.
 */
#ifndef DD_BASE_WATCHED_H
#define DD_BASE_WATCHED_H

#include "base/context.h"

typedef struct dd_watched dd_watched;

/* size: bytes that live as long as the work does, zero. */
dd_status dd_watched_new(dd_watched **out, dd_context *ctx, size_t size);
void *dd_watched_memory(dd_watched *w);

/* Before run: the work uses no global data and never calls back. It need not wait for work that was left, nothing waits
 * for it, and it is left at once. */
void dd_watched_set_reentrant(dd_watched *w);

typedef enum dd_watched_end {
    DD_WATCHED_DONE,
    DD_WATCHED_STOPPED,  /* left, because it did not end soon after `stop` had said true */
    DD_WATCHED_NO_MEMORY /* left: it took more than the limit of the context */
} dd_watched_end;
/* stop (may be NULL) is asked many times a second, never while a callback runs. */
dd_watched_end dd_watched_run(dd_watched *w, void (*work)(void *memory), bool (*stop)(void *memory));

/* Around each callback of the work. False: it was left, must touch nothing but its own memory, and end. */
bool dd_watched_enter(dd_watched *w);
void dd_watched_leave(dd_watched *w);

/* Work that was left is handed to the context. NULL is fine. */
void dd_watched_free(dd_watched *w);

#endif
