/* again_step.c - one step of sequential quadratic programming, in two halves: the quadratic model before the measurement, its
 * solution after it. The state at the start enters by rows that are linear, so a new one needs no new model. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "nlp/condense.h"
#include "nlp/linearized.h"
#include "ocp/again.h"
#include "ocp/again_impl.h"

/* Equations that are off by half of their largest term: no motion, and a linearisation there says nothing about one. Plans
 * that follow their plant stay below 0.1, those after a jump of the set-point were seen up to 0.56. */
#define MOTION 0.7

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

/* The largest defect of an equation at the point of the model, as a part of the largest term of its linear part; without the
 * rows of the start and those of the last interval, whose states are held there and not yet a motion. */
static double relative_defect(dd_ocp *p)
{
    const dd_linearized_values v = dd_linearized_get_values(p->again.model);
    const dd_transcription *t = p->transcription;
    const dd_nlp *nlp = t->nlp;
    double *term = p->again.term, worst = 0;
    memset(term, 0, nlp->m * sizeof *term);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        const uint32_t row = nlp->jacobian_row[k];
        term[row] = fmax(term[row], fabs(v.jacobian[k] * v.x[nlp->jacobian_col[k]]));
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        if (nlp->c_lower[i] == nlp->c_upper[i] && tag->kind != DD_ROW_START && tag->interval + 1 < t->mesh.n) {
            worst = fmax(worst, fabs(v.c[i] - nlp->c_lower[i]) / (1 + term[i]));
        }
    }
    return worst;
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
        p->again.term = dd_pool_alloc_array(p->pool, (size_t)p->transcription->nlp->m + 1, sizeof *p->again.term);
        if (may_condense(p)) {
            p->again.condensed =
                dd_condensed_new(p->pool, p->transcription->nlp, p->transcription->start_row, p->problem->x.len);
        }
    }
    dd_ocp_refresh(p);
    p->again.model_fine = dd_linearized_at(p->again.model, p->result.x, p->result.lambda);
    p->again.is_motion = p->again.model_fine && relative_defect(p) <= MOTION;
    if (p->again.condensed != NULL && p->again.is_motion) {
        dd_condensed_take(p->again.condensed, p->again.model, &p->result);
    }
}

dd_status dd_ocp_linearize(dd_ocp *p, bool *is_motion)
{
    const dd_status st = dd_protect(p->ctx, linearize_body, p);
    *is_motion = st == DD_OK && p->again.is_motion;
    return st;
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
