/* no_memory.c - memory ran out: how large the program is, what was asked for and what needs less. */
#include "ocp/no_memory.h"

#include <math.h>
#include <stdio.h>

#include "base/context.h"

enum { WORDS = 32 };
#define MANY_STATES 200 /* with more of them the linear systems grow like those of a grid: faster than the states */

/* "15.1 GB", in a buffer of the caller: there is no memory for it elsewhere. */
static const char *size_words(char *buffer, size_t size, double bytes)
{
    snprintf(buffer, size, bytes < 1e9 ? "%.3g MB" : "%.3g GB", bytes < 1e9 ? 1e-6 * bytes : 1e-9 * bytes);
    return buffer;
}

dd_status dd_ocp_say_no_memory(const dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    char wanted[WORDS], limit[WORDS], program[4 * WORDS] = "", tail[4 * WORDS] = "";
    size_words(wanted, sizeof wanted, dd_memory_wanted(p->ctx));
    if (isfinite(dd_memory_left(p->ctx))) {
        const double all = dd_memory_left(p->ctx) + (double)dd_context_memory(p->ctx);
        snprintf(tail, sizeof tail, "; %s is %s", dd_option_word(p->ctx, "--max-memory"),
                 size_words(limit, sizeof limit, all));
    }
    if (o == NULL) { /* it is the model that is too large */
        return dd_fail(p->ctx, DD_OUT_OF_MEMORY,
                       "%s: %s would have been in use while the equations of the model (%u unknowns) were solved for "
                       "rates and algebraic variables; a model with fewer of them needs less, such as a coarser grid%s",
                       dd_context_message(p->ctx), wanted, p->system->ncols, tail);
    }
    const dd_transcription *t = p->transcription;
    const uint32_t states = o->x.len, intervals = t != NULL ? t->mesh.n : dd_ocp_first_intervals(p);
    if (t != NULL && t->nlp != NULL) {
        snprintf(program, sizeof program, "%u variables and %u rows on ", t->nlp->n, t->nlp->m);
    }
    return dd_fail(
        p->ctx, DD_OUT_OF_MEMORY,
        "%s: the program has %s%u intervals with %u states, and %s would have been in use; fewer %s%s%s need "
        "less%s%s",
        dd_context_message(p->ctx), program, intervals, states, wanted, dd_option_word(p->ctx, "--intervals"),
        p->tableau == NULL ? " or a smaller " : "", p->tableau == NULL ? dd_option_word(p->ctx, "--degree") : "",
        states > MANY_STATES ? ", and so does a model with fewer states, such as a coarser grid" : "", tail);
}
