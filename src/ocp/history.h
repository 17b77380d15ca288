/* history.h - the iterations of all solves of an optimization, for the picture of how it converged. The memory is
 * there from the beginning, since the solver calls from inside; when it is full every second iteration is dropped. */
#ifndef DD_OCP_HISTORY_H
#define DD_OCP_HISTORY_H

#include "base/pool.h"
#include "daedal/optimize.h"

enum { DD_HISTORY_MOST = 512 };

typedef struct dd_history_row {
    uint64_t index; /* over all solves, from 0 */
    dd_ocp_iteration it;
} dd_history_row;

typedef struct dd_history {
    dd_history_row rows[DD_HISTORY_MOST];
    uint32_t len;
    uint64_t count, stride; /* iterations so far; every stride-th is kept */
} dd_history;

dd_history *dd_history_new(dd_pool *pool); /* raises */
void dd_history_add(dd_history *h, const dd_ocp_iteration *it);

#endif
