/* steady.c - looks at the last steps of the history. */
#include "ocp/steady.h"

#include <math.h>

enum { STEPS = 4 };     /* that are compared */
#define LONG 0.1        /* scaled: a shorter step is the end of a search */
#define SHORTER 0.8     /* of the step before: Newton's method at x^4 makes them 2/3, at x^2 much less */
#define WHOLE 0.99      /* of a step: a search that cuts them says nothing */
#define SLOPE_FALLS 0.9 /* of the slope before */

bool dd_ocp_steps_steady(const dd_history *h)
{
    if (h->len <= STEPS || h->stride > 1) { /* a long history has gaps, and a solve that long is no steady walk */
        return false;
    }
    bool steady = true;
    for (uint32_t i = h->len - STEPS; i < h->len && steady; i++) {
        const dd_ocp_iteration *it = &h->rows[i].it, *before = &h->rows[i - 1].it;
        steady = it->number > 0 && !it->restoration && it->step > LONG && it->alpha > WHOLE &&
                 it->dual_infeasibility < SLOPE_FALLS * before->dual_infeasibility &&
                 (before->number == 0 || it->step > SHORTER * before->step);
    }
    return steady;
}
