/* program_export.c - an optimization class from beginning to end: made and solved once, then written. Start at
 * dd_program_export_body. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "export/program.h"

enum {
    FREE_MOST = 60,     /* controls of a quadratic program: fewer than in the library, whose memory is not a struct */
    COLUMNS_MOST = 100, /* with the states */
    SOLVER_ITERATIONS = 500
};

static _Noreturn void fail(const dd_program_export *px, dd_status st)
{
    dd_raise(px->x->ctx, st, "%s", dd_pool_strdup(px->pool, dd_context_message(px->x->ctx)));
}

/* ---- options ---- */

/* The place of a word in a list; raises where it is not there. */
static uint32_t word_at(const dd_program_export *px, const char *option, const char *word, const char *const *words)
{
    uint32_t i = 0;
    while (words[i] != NULL && strcmp(words[i], word) != 0) {
        i++;
    }
    if (words[i] == NULL) {
        dd_raise(px->x->ctx, DD_INVALID_ARGUMENT, "%s cannot be %s", option, word);
    }
    return i;
}

static dd_ocp_control control_kind(const dd_program_export *px, dd_ocp_control otherwise)
{
    static const char *const words[] = {"constant", "linear", "polynomial", NULL};
    static const dd_ocp_control kinds[] = {DD_OCP_CONSTANT, DD_OCP_LINEAR, DD_OCP_POLYNOMIAL};
    const char *word = px->x->options.control;
    return word != NULL ? kinds[word_at(px, dd_option_word(px->x->ctx, "--control"), word, words)] : otherwise;
}

static void take_options(const dd_program_export *px, dd_control_options *o)
{
    static const char *const modes[] = {"converge", "rti", NULL};
    const dd_export_options *given = &px->x->options;
    o->intervals = given->intervals > 0 ? given->intervals : o->intervals;
    o->degree = given->degree > 0 ? given->degree : o->degree;
    o->tolerance = given->tol > 0 ? given->tol : o->tolerance;
    o->max_iterations = given->iterations > 0 ? given->iterations : o->max_iterations;
    o->control = control_kind(px, o->control);
    if (given->mode != NULL) {
        o->mode =
            word_at(px, dd_option_word(px->x->ctx, "--mode"), given->mode, modes) == 1 ? DD_MODE_RTI : DD_MODE_CONVERGE;
    }
}

/* ---- a controller ---- */

static void refuse_controller(const dd_program_export *px, const dd_control_options *o)
{
    if (o->measurements != NULL) {
        dd_raise(px->x->ctx, DD_INVALID_MODEL,
                 "%s estimates from recorded measurements: there is no controller to export",
                 px->x->system->model->name);
    }
}

/* Exported controllers know one set of inputs that is on its way, and that it is held. */
static void refuse_delay(const dd_program_export *px)
{
    const dd_control_options *o = &px->control->options;
    if (o->delay > o->sample_period) {
        dd_raise(px->x->ctx, DD_INVALID_MODEL,
                 "the delay %g of %s is longer than its sample period %g: `daedal control` does that, an exported "
                 "controller cannot",
                 o->delay, px->x->system->model->name, o->sample_period);
    }
    if (o->delay > 0 && dd_control_follows(px->control)) {
        dd_raise(px->x->ctx, DD_INVALID_MODEL,
                 "%s has the delay %g and inputs that change between samples: `daedal control` does that, an exported "
                 "controller with a delay needs inputs that are held and a fixed final time",
                 px->x->system->model->name, o->delay);
    }
}

static void make_controller(dd_program_export *px, const dd_control_options *o)
{
    refuse_controller(px, o);
    dd_status st = dd_control_new(&px->control, px->x->system, o);
    if (st != DD_OK) {
        fail(px, st);
    }
    refuse_delay(px);
    dd_control *c = px->control;
    px->x->control = c;
    /* what there is before the first sample; that sample is solved as if the model were at its start */
    const size_t nw = c->problem->x.len + c->problem->z.len;
    dd_estimator *e = c->estimator;
    px->first_w = dd_pool_alloc_array(px->pool, nw + 1, sizeof(double));
    px->first_u = dd_pool_alloc_array(px->pool, (size_t)c->problem->u.len + 1, sizeof(double));
    memcpy(px->first_w, e->w, nw * sizeof(double));
    memcpy(px->first_u, c->u, c->problem->u.len * sizeof(double));
    double *y = dd_pool_alloc_array(px->pool, (size_t)e->measured.len + 1, sizeof *y);
    double *u = dd_pool_alloc_array(px->pool, (size_t)c->problem->u.len + 1, sizeof *u);
    dd_local_function_eval(e->h, c->t, e->w, c->u, y, NULL);
    st = dd_control_step(c, y, u);
    if (st != DD_OK) {
        fail(px, st);
    }
    px->ocp = c->ocp;
    px->mhe = c->mhe;
    px->tolerance = o->tolerance;
    px->iterations = o->max_iterations;
    px->rti = o->mode == DD_MODE_RTI && !c->free_end; /* a horizon that shrinks is solved in every mode */
    px->t0 = c->first;
    px->tf = c->free_end ? dd_ocp_get_info(c->ocp).final_time : c->first + c->horizon;
}

/* What quadratic programs need beyond the rest: a real-time iteration must have one, other samples have it where it fits. */
static void settle_qp(dd_program_export *px)
{
    const dd_sections *s = px->s;
    const dd_nlp *nlp = px->t->nlp;
    const bool fits = s->border == 0 && s->free <= FREE_MOST && px->o->x.len + 1 + s->free <= COLUMNS_MOST;
    if (px->rti && !fits) {
        dd_raise(
            px->x->ctx, DD_INVALID_MODEL,
            "the quadratic program of a real-time iteration of %s has %u controls, %u states and %u parameters; "
            "generated code has room for %d controls, %d columns and no parameters: take fewer intervals, or mode = "
            "\"converge\"",
            px->x->system->model->name, s->free, px->o->x.len, s->border, (int)FREE_MOST, (int)COLUMNS_MOST);
    }
    px->qp = px->control != NULL && fits && s->free > 0;
    if (!px->qp) {
        return;
    }
    px->qp_rows = s->shared - px->o->x.len;
    for (uint32_t k = 0; k < s->n; k++) {
        px->qp_rows += s->section[k].ni;
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        px->qp_rows += isfinite(nlp->x_lower[i]) || isfinite(nlp->x_upper[i]) ? 1 : 0;
    }
}

/* ---- a solver ---- */

static void make_solver(dd_program_export *px)
{
    dd_ocp_options o = dd_ocp_options_default();
    const dd_export_options *given = &px->x->options;
    o.intervals = given->intervals > 0 ? given->intervals : o.intervals;
    o.degree = given->degree > 0 ? given->degree : o.degree;
    o.tolerance = given->tol > 0 ? given->tol : o.tolerance;
    o.control = control_kind(px, o.control);
    px->tolerance = o.tolerance;
    px->iterations = given->iterations > 0 ? given->iterations : SOLVER_ITERATIONS;
    dd_status st = dd_ocp_new(&px->ocp, px->x->system, &o);
    px->x->ocp = px->ocp;
    st = st == DD_OK ? dd_ocp_solve(px->ocp) : st;
    if (st != DD_OK) {
        fail(px, st);
    }
    const dd_ocp_info info = dd_ocp_get_info(px->ocp);
    if (info.status != DD_OCP_OPTIMAL && info.status != DD_OCP_ACCEPTABLE) {
        dd_raise(px->x->ctx, DD_INVALID_MODEL, "%s has no solution to begin from (%s): %s", px->x->system->model->name,
                 dd_ocp_status_name(info.status), info.reason);
    }
    px->t0 = info.start_time;
    px->tf = info.final_time;
}

/* ---- both ---- */

static void name_items(dd_program_export *px, dd_export_items *items, const dd_decision_vec *list)
{
    dd_names *used = dd_names_new(px->pool);
    for (uint32_t i = 0; i < list->len; i++) {
        dd_export_item item = {.var = list->data[i].var, .symbol = list->data[i].symbol, .formula = DD_EXPR_NONE};
        item.name = dd_model_var_name_dup(px->o->model, item.var, px->pool);
        item.c = dd_export_c_name(px->pool, item.name, used);
        dd_vec_push(px->pool, items, item);
    }
}

static void name_measured(dd_program_export *px)
{
    dd_names *used = dd_names_new(px->pool);
    for (uint32_t i = 0; px->control != NULL && i < px->control->estimator->measured.len; i++) {
        dd_export_item item = {.name = px->control->measured_name[i], .formula = DD_EXPR_NONE};
        item.c = dd_export_c_name(px->pool, item.name, used);
        dd_vec_push(px->pool, &px->measured, item);
    }
}

static void bound_symbols(const dd_program_export *px, const dd_ocp_problem *o, dd_expr_vec *symbols)
{
    for (uint32_t i = 0; i < o->bound_sources.len; i++) {
        dd_symbols(o->dag, o->bound_sources.data[i].coefficient, true, symbols, px->pool);
        dd_symbols(o->dag, o->bound_sources.data[i].rest, true, symbols, px->pool);
    }
    for (uint32_t i = 0; i < o->model->vars.len; i++) {
        const dd_expr bounds[] = {o->model->vars.data[i].min, o->model->vars.data[i].max};
        for (int k = 0; k < 2; k++) {
            if (bounds[k] != DD_EXPR_NONE) {
                dd_symbols(o->dag, bounds[k], true, symbols, px->pool);
            }
        }
    }
}

/* What a fixed parameter follows from is fixed with it. */
static void fix_sources(dd_program_export *px)
{
    dd_expr_vec symbols = {0};
    for (uint32_t i = 0; i < px->x->p.len; i++) {
        const dd_export_item *item = &px->x->p.data[i];
        if (item->fixed && item->formula != DD_EXPR_NONE) {
            dd_symbols(px->o->dag, item->formula, true, &symbols, px->pool);
        }
    }
    for (uint32_t i = 0; i < px->x->p.len; i++) {
        for (uint32_t k = 0; k < symbols.len; k++) {
            px->x->p.data[i].fixed = px->x->p.data[i].fixed || symbols.data[k] == px->x->p.data[i].symbol;
        }
    }
}

/* Parameters that the program has as numbers: bounds contain them, or they are decided. */
static void fix_parameters(dd_program_export *px)
{
    const dd_ocp_problem *o = px->o;
    dd_expr_vec symbols = {0};
    bound_symbols(px, o, &symbols);
    if (px->mhe != NULL) {
        bound_symbols(px, px->mhe->o, &symbols);
    }
    for (uint32_t i = 0; i < px->x->p.len; i++) {
        dd_export_item *item = &px->x->p.data[i];
        for (uint32_t k = 0; k < symbols.len; k++) {
            item->fixed = item->fixed || symbols.data[k] == item->symbol;
        }
        for (uint32_t k = 0; k < o->p.len; k++) {
            item->fixed = item->fixed || o->p.data[k].symbol == item->symbol;
        }
        item->fixed = item->fixed || item->symbol == o->t0 || item->symbol == o->tf;
    }
    fix_sources(px);
}

void dd_program_export_body(dd_export *x, dd_export_files *files)
{
    dd_program_export px = {.x = x, .pool = x->pool};
    dd_control_options control = dd_control_options_default();
    dd_status st = dd_control_options_of(&control, x->system, 0);
    if (x->system->verdict != DD_VERDICT_OK) {
        dd_raise(x->ctx, DD_INVALID_MODEL, "%s cannot be exported: %s", x->system->model->name, x->system->reason);
    }
    if (st != DD_OK) {
        fail(&px, st);
    }
    x->name = dd_export_prefix(x->pool, x->system->model->name);
    if (control.sample_period > 0) {
        take_options(&px, &control);
        make_controller(&px, &control);
    } else {
        make_solver(&px);
    }
    /* the program as it is solved */
    px.o = dd_ocp_problem_of(px.ocp);
    px.t = dd_ocp_transcription_of(px.ocp);
    px.result = dd_ocp_result_of(px.ocp);
    px.s = dd_sections_new(px.t, px.result->x, px.pool);
    settle_qp(&px);
    if (px.control != NULL) {
        dd_program_soften(&px);
    }
    dd_export_collect_parameters(x);
    fix_parameters(&px);
    name_items(&px, &px.states, &px.o->x);
    name_items(&px, &px.inputs, &px.o->u);
    name_measured(&px);
    dd_program_write_functions(&px);
    if (px.mhe != NULL) {
        dd_program_make_window(&px);
    }
    dd_program_files(&px, files);
    static const char *const controller[] = {"init", "prepare", "step"}, *const solver[] = {"init", "solve", "at"};
    for (int i = 0; i < 3; i++) {
        dd_vec_push(x->pool, &x->functions,
                    dd_pool_printf(x->pool, "%s_%s", x->name, px.control != NULL ? controller[i] : solver[i]));
    }
}
