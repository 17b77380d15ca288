/* again_step.c - one step of sequential quadratic programming, in two halves: the quadratic model before the measurement, its
 * solution after it. The state at the start enters by rows that are linear, so a new one needs no new model. */
#include <string.h>

#include "base/context.h"
#include "nlp/condense.h"
#include "nlp/linearized.h"
#include "ocp/again.h"
#include "ocp/again_impl.h"

static void release(void *model)
{
    dd_linearized_free(model);
}

/* Another solver that was asked for by name solves the model as it is. */
static bool may_condense(const dd_ocp *p)
{
    const dd_nlp_solver *solver = p->solver != NULL ? p->solver : dd_nlp_solver_preferred();
    return p->problem->start_known && strcmp(solver->name, "daedal") == 0;
}

static void linearize_body(void *user)
{
    dd_ocp *p = user;
    if (p->again.model == NULL) {
        dd_linearized *made;
        const dd_status st = dd_linearized_new(&made, p->ctx, p->transcription->nlp);
        if (st != DD_OK) {
            dd_raise(p->ctx, st, "%s", dd_status_text(st));
        }
        dd_pool_keep(p->pool, made, release);
        p->again.model = made;
        if (may_condense(p)) {
            p->again.condensed =
                dd_condensed_new(p->pool, p->transcription->nlp, p->transcription->start_row, p->problem->x.len);
        }
    }
    dd_ocp_refresh(p);
    p->again.model_fine = dd_linearized_at(p->again.model, p->result.x, p->result.lambda);
    if (p->again.condensed != NULL && p->again.model_fine) {
        dd_condensed_take(p->again.condensed, p->again.model, &p->result);
    }
}

dd_status dd_ocp_linearize(dd_ocp *p)
{
    return dd_protect(p->ctx, linearize_body, p);
}

typedef struct step_call {
    dd_ocp *p;
    const dd_ocp_again *how;
} step_call;

static void step_body(void *user)
{
    const step_call *call = user;
    dd_ocp *p = call->p;
    dd_transcription_set_start(p->transcription);
    if (!p->again.model_fine) { /* a function had no value at the guess */
        p->result.status = DD_NLP_EVALUATION_ERROR;
        return;
    }
    /* without a solution the interior-point solver has the last word: what follows from that is expensive */
    if (p->again.condensed != NULL && dd_condensed_solve(p->again.condensed, &p->result) &&
        p->result.status == DD_NLP_OPTIMAL) {
        return;
    }
    dd_ocp_run_program(p, dd_linearized_nlp(p->again.model), call->how);
}

dd_status dd_ocp_solve_linearized(dd_ocp *p, const dd_ocp_again *how)
{
    const double began = dd_clock_seconds();
    step_call call = {p, how};
    const dd_status st = dd_protect(p->ctx, step_body, &call);
    if (st == DD_OK) {
        dd_ocp_tell_again(p, began);
    }
    return st;
}
