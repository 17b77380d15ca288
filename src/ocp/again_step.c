/* again_step.c - sequential quadratic programming. One step in two halves: the quadratic model before the measurement, its
 * solution after it; the state at the start enters by rows that are linear, so a new one needs no new model. And whole steps
 * one after the other, which settle what the interior-point method is slow at from a guess on its bounds: which of them are
 * active. */
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
/* Of several steps, the second and later ones must reduce the defects to this part; the first one may raise them, because it
 * answers a new start or set-point. */
#define STEP_GAIN 0.9

static void release(void *model)
{
    dd_linearized_free(model);
}

/* Another solver that was asked for by name keeps no plans, */
static bool plans_stay(const dd_ocp *p)
{
    const dd_nlp_solver *solver = p->solver != NULL ? p->solver : dd_nlp_solver_preferred();
    return strcmp(solver->name, "daedal") == 0;
}

/* and solves the model as it is. */
static bool may_condense(const dd_ocp *p)
{
    return p->problem->start_known && plans_stay(p);
}

/* The largest defect of an equation at the point of the model, as a part of the largest term of its linear part, without the
 * rows of the start; *inner: also without those of the last interval, whose states are held there and not yet a motion. */
static double relative_defect(dd_ocp *p, double *inner)
{
    const dd_linearized_values v = dd_linearized_get_values(p->again.model);
    const dd_transcription *t = p->transcription;
    const dd_nlp *nlp = t->nlp;
    double *term = p->again.term, worst = *inner = 0;
    memset(term, 0, nlp->m * sizeof *term);
    for (uint32_t k = 0; k < nlp->jacobian_nnz; k++) {
        const uint32_t row = nlp->jacobian_row[k];
        term[row] = fmax(term[row], fabs(v.jacobian[k] * v.x[nlp->jacobian_col[k]]));
    }
    for (uint32_t i = 0; i < nlp->m; i++) {
        const dd_row_tag *tag = &t->tags.data[i];
        if (nlp->c_lower[i] == nlp->c_upper[i] && tag->kind != DD_ROW_START) {
            const double defect = fabs(v.c[i] - nlp->c_lower[i]) / (1 + term[i]);
            worst = fmax(worst, defect);
            *inner = tag->interval + 1 < t->mesh.n ? fmax(*inner, defect) : *inner;
        }
    }
    return worst;
}

/* Memory of the model and of a plan; once. */
static void make_model(dd_ocp *p)
{
    if (p->again.model != NULL) {
        return;
    }
    const dd_nlp *nlp = p->transcription->nlp;
    dd_linearized *made;
    const dd_status st = dd_linearized_new(&made, p->ctx, nlp);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_status_text(st));
    }
    dd_pool_keep(p->pool, made, release);
    p->again.term = dd_pool_alloc_array(p->pool, (size_t)nlp->m + 1, sizeof *p->again.term);
    p->again.plan = dd_pool_alloc_array(p->pool, dd_ocp_plan_length(p) + 1, sizeof *p->again.plan);
    if (may_condense(p)) {
        p->again.condensed = dd_condensed_new(p->pool, nlp, p->transcription->start_row, p->problem->x.len);
    }
    p->again.model = made;
}

/* The model where the plan is now. Returns the largest defect there, infinite where a function has no value. */
static double take_model(dd_ocp *p)
{
    double inner = 0, defect = INFINITY;
    p->again.model_fine = dd_linearized_at(p->again.model, p->result.x, p->result.lambda);
    if (p->again.model_fine) {
        defect = relative_defect(p, &inner);
    }
    p->again.is_motion = p->again.model_fine && inner <= MOTION;
    return defect;
}

static void linearize_body(void *user)
{
    dd_ocp *p = user;
    make_model(p);
    dd_ocp_refresh(p);
    take_model(p);
    if (p->again.is_motion && p->again.condensed != NULL) {
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
    /* rows that contradict each other are proven to do so; without a verdict the interior-point solver has the last word */
    if (p->again.condensed != NULL && dd_condensed_solve(p->again.condensed, &p->result)) {
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

/* ---- several steps ---- */

size_t dd_ocp_plan_length(const dd_ocp *p)
{
    return 3 * (size_t)p->transcription->nlp->n + p->transcription->nlp->m;
}

void dd_ocp_copy_plan(dd_ocp *p, double *plan, bool back)
{
    const dd_nlp *nlp = p->transcription->nlp;
    const dd_nlp_result *r = &p->result;
    double *const parts[] = {r->x, r->z_lower, r->z_upper, r->lambda};
    for (int i = 0; i < 4; i++) {
        const size_t length = i < 3 ? nlp->n : nlp->m;
        memcpy(back ? parts[i] : plan, back ? plan : parts[i], length * sizeof *plan);
        plan += length;
    }
    if (back) {
        dd_ocp_retime(p);
    }
}

static void reserve_body(void *user)
{
    make_model(user);
}

dd_status dd_ocp_reserve_steps(dd_ocp *p, bool *condensed)
{
    const dd_status st = may_condense(p) ? dd_protect(p->ctx, reserve_body, p) : DD_OK;
    *condensed = st == DD_OK && p->again.condensed != NULL;
    return st;
}

static void rehearse_body(void *user)
{
    dd_ocp *p = user;
    const dd_ocp_again how = {.max_iterations = 1};
    dd_ocp_refresh(p);
    dd_ocp_run_program(p, p->transcription->nlp, &how);
}

dd_status dd_ocp_rehearse(dd_ocp *p, double *plan)
{
    if (!plans_stay(p)) {
        return DD_OK;
    }
    const dd_nlp_result told = p->result;
    dd_ocp_copy_plan(p, plan, false);
    const dd_status st = dd_protect(p->ctx, rehearse_body, p);
    p->result = told;
    dd_ocp_copy_plan(p, plan, true);
    return st;
}

typedef struct steps_call {
    dd_ocp *p;
    uint32_t most, steps;
    double near;
    bool infeasible;
} steps_call;

/* Whole steps, as long as they bring the plan nearer to a motion; the step that does not is taken back. */
static void steps_body(void *user)
{
    steps_call *call = user;
    dd_ocp *p = call->p;
    make_model(p);
    dd_ocp_refresh(p);
    p->result.status = DD_NLP_ITERATION_LIMIT;
    double before = INFINITY;
    while (dd_poll_stop_now(p->ctx) == DD_OK) {
        const double defect = take_model(p);
        /* the first step is judged by what the second makes of it */
        if (call->steps > 1 && !(defect <= STEP_GAIN * before)) {
            dd_ocp_copy_plan(p, p->again.plan, true);
            return;
        }
        if (call->steps == call->most || (call->steps > 0 && defect <= call->near) || !p->again.model_fine) {
            return;
        }
        dd_ocp_copy_plan(p, p->again.plan, false);
        before = defect;
        if (!dd_condensed_take(p->again.condensed, p->again.model, &p->result) ||
            !dd_condensed_solve(p->again.condensed, &p->result) || p->result.status != DD_NLP_OPTIMAL) {
            call->infeasible = p->result.status == DD_NLP_INFEASIBLE;
            return;
        }
        call->steps++;
    }
}

dd_status dd_ocp_take_steps(dd_ocp *p, uint32_t most, double near)
{
    const double began = dd_clock_seconds();
    steps_call call = {.p = p, .most = most, .near = near};
    const dd_status st = dd_protect(p->ctx, steps_body, &call);
    p->result.status = call.infeasible ? DD_NLP_INFEASIBLE : DD_NLP_ITERATION_LIMIT;
    p->result.iterations = call.steps;
    if (st == DD_OK) {
        dd_ocp_tell_again(p, began);
    }
    return st;
}
