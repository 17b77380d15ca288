/* klu_watched.h - KLU's analysis (matching, blocks, AMD inside them) and its factorisations, which may take seconds for
 * large grids and cannot be asked to stop: long ones run in a thread that can be left. */
#ifndef DD_LA_KLU_WATCHED_H
#define DD_LA_KLU_WATCHED_H

#include <klu.h>

#include "base/context.h"

/* klu_analyze with the settings in common; *out is NULL where it fails, and common->status says why. Anything but
 * DD_OK: the context's limits ended it, or memory ran out. */
dd_status dd_klu_analyse(klu_symbolic **out, dd_context *ctx, uint32_t n, const uint32_t *ptr, const uint32_t *idx,
                         klu_common *common);

typedef struct dd_klu_task {
    uint32_t n;
    const uint32_t *ptr, *idx;
    double *val; /* pairs where complex */
    bool is_complex;
    bool reuse;     /* klu_refactor; else klu_factor, and *numeric is NULL before */
    double seconds; /* that it takes, by a low estimate */
    klu_symbolic **symbolic;
    klu_numeric **numeric;
    klu_common *common;
} dd_klu_task;

/* *ok: the result of klu_refactor. Anything but DD_OK: as above; the thread that was left then keeps *symbolic and
 * *numeric, which are NULL, and later calls fail in the same way. */
dd_status dd_klu_factor(dd_context *ctx, const dd_klu_task *task, bool *ok);

#endif
