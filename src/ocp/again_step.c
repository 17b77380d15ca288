/* again_step.c - one step of sequential quadratic programming, in two halves: the quadratic model before the measurement, its
 * solution after it. The state at the start enters by rows that are linear, so a new one needs no new model. */
#include "base/context.h"
#include "nlp/linearized.h"
#include "ocp/again.h"
#include "ocp/again_impl.h"

static void release(void *model)
{
    dd_linearized_free(model);
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
    }
    dd_ocp_refresh(p);
    p->again.model_fine = dd_linearized_at(p->again.model, p->result.x, p->result.lambda);
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
