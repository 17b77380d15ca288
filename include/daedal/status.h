/* status.h - the outcome of a call.
 *
 * Three outcomes are never mixed: a bug stops at an assert, a failure is a dd_status with a message in the
 * context, and a numerical verdict ("singular", "infeasible") is a value in the result of a successful call.
 */
#ifndef DAEDAL_STATUS_H
#define DAEDAL_STATUS_H

#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One list, expanded into the enum, the stable names and the default messages. */
#define DD_STATUS_LIST(X)                                                                                              \
    X(OK, "ok", "done")                                                                                                \
    X(OUT_OF_MEMORY, "out_of_memory", "memory ran out or the memory limit was reached")                                \
    X(INVALID_MODEL, "invalid_model", "the model text or its meaning is wrong; see the diagnostics")                   \
    X(INVALID_ARGUMENT, "invalid_argument", "a call was made with an argument outside its range")                      \
    X(IO, "io_error", "a file could not be read or written")                                                           \
    X(LIMIT, "limit_reached", "a stated limit was reached")                                                            \
    X(INTERRUPTED, "interrupted", "the caller asked to stop")                                                          \
    X(TIME_LIMIT, "time_limit", "the time limit was reached")                                                          \
    X(NUMERIC, "numeric_failure", "a numerical method did not reach its goal")

typedef enum dd_status {
#define DD_STATUS_ENUM(id, name, text) DD_##id,
    DD_STATUS_LIST(DD_STATUS_ENUM)
#undef DD_STATUS_ENUM
        DD_STATUS_COUNT
} dd_status;

/* The stable name of a status ("out_of_memory"); "unknown" for a value outside the list. Never NULL. */
DD_API const char *dd_status_name(dd_status status);

/* One sentence about a status. Never NULL. */
DD_API const char *dd_status_text(dd_status status);

/* The status with this stable name; DD_STATUS_COUNT when there is none. */
DD_API dd_status dd_status_from_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
