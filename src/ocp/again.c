/* again.c - an optimization whose numbers are set, and that is solved again from its solution: nothing is read, analysed
 * or compiled again. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/again.h"
#include "ocp/again_impl.h"
#include "ocp/kinks.h"
#include "ocp/multipliers.h"
#include "ocp/ocp_impl.h"
#include "ocp/reading.h"

/* ---- setting ---- */

typedef struct setting {
    dd_ocp *p;
    const char *name;
    double value;
} setting;

/* The system with numbers that can be set; what was made of the system before reads it from now on. */
static void need_variant(dd_ocp *p)
{
    if (p->variant != NULL) {
        return;
    }
    if (p->own == NULL && (p->own = dd_pool_new(p->ctx)) == NULL) {
        dd_raise(p->ctx, DD_OUT_OF_MEMORY, NULL);
    }
    p->variant = dd_variant_new(p->system, p->own);
    p->system = p->variant->system;
    if (p->problem != NULL) {
        p->problem->system = p->system;
        p->problem->model = p->system->model;
    }
}

/* "NAME.min" or "NAME.max" of something that exists. */
static bool set_bound(const setting *s, dd_pool *scratch)
{
    const char *dot = strrchr(s->name, '.');
    const bool upper = dot != NULL && strcmp(dot, ".max") == 0;
    if (dot == NULL || (!upper && strcmp(dot, ".min") != 0)) {
        return false;
    }
    const char *base = dd_pool_strndup(scratch, s->name, (size_t)(dot - s->name));
    const uint32_t var = dd_system_find(s->p->system, base, scratch);
    if (var == DD_NO_INDEX) {
        return false;
    }
    const dd_var_kind kind = s->p->system->model->vars.data[var].kind;
    if (kind != DD_KIND_VARIABLE && kind != DD_KIND_INPUT) {
        dd_raise(s->p->ctx, DD_INVALID_ARGUMENT, "%s has no bounds that can be set", base);
    }
    dd_variant_set_bound(s->p->variant, var, upper, s->value);
    s->p->bounds_set = true;
    return true;
}

static void set_number(dd_ocp *p, uint32_t var, double value)
{
    const dd_status st = dd_variant_set(p->variant, var, value);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_pool_strdup(p->own, dd_context_message(p->ctx)));
    }
    p->bounds_set = true; /* constraints that became bounds may contain it */
    if (p->problem != NULL && !dd_ocp_kinks_hold(p->problem)) {
        dd_raise(p->ctx, DD_INVALID_ARGUMENT,
                 "with %s = %g the cost or a constraint prefers large values of an abs, max, min or norm in it, and "
                 "before it was small ones: this needs a new optimization",
                 dd_model_var_name_dup(p->system->model, var, p->own), value);
    }
}

static void set_body(void *user)
{
    const setting *s = user;
    dd_ocp *p = s->p;
    need_variant(p);
    dd_pool *scratch = dd_pool_child(p->own);
    if (!set_bound(s, scratch)) {
        const uint32_t var = dd_system_need(p->system, s->name, "parameter or variable", scratch);
        const dd_var_kind kind = p->system->model->vars.data[var].kind;
        if (!isfinite(s->value)) {
            dd_raise(p->ctx, DD_INVALID_ARGUMENT, "%s must be a finite number, not %g", s->name, s->value);
        }
        if (kind == DD_KIND_VARIABLE) {
            dd_variant_set_start(p->variant, var, s->value);
        } else {
            set_number(p, var, s->value);
        }
    }
    dd_pool_free(scratch);
}

dd_status dd_ocp_set(dd_ocp *p, const char *name, double value)
{
    if (p == NULL || name == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (isnan(value)) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "%s must be a number", name);
    }
    setting s = {p, name, value};
    return dd_protect(p->ctx, set_body, &s);
}

typedef struct number_setting {
    dd_ocp *p;
    uint32_t var;
    double value;
} number_setting;

static void number_body(void *user)
{
    const number_setting *s = user;
    need_variant(s->p);
    set_number(s->p, s->var, s->value);
}

dd_status dd_ocp_set_parameter(dd_ocp *p, uint32_t var, double value)
{
    number_setting s = {p, var, value};
    return dd_protect(p->ctx, number_body, &s);
}

/* ---- states and controls ---- */

uint32_t dd_ocp_state_count(const dd_ocp *p)
{
    return p != NULL && p->problem != NULL ? p->problem->x.len : 0;
}

uint32_t dd_ocp_control_count(const dd_ocp *p)
{
    return p != NULL && p->problem != NULL ? p->problem->u.len : 0;
}

typedef struct naming {
    const dd_ocp *p;
    uint32_t var;
    const char *name;
} naming;

static void name_body(void *user)
{
    naming *n = user;
    n->name = dd_model_var_name_dup(n->p->system->model, n->var, n->p->pool);
}

static const char *name_of(const dd_ocp *p, const dd_decision_vec *list, uint32_t i)
{
    naming n = {p, list->data[i].var, ""};
    dd_protect(p->ctx, name_body, &n);
    return n.name;
}

const char *dd_ocp_state_name(const dd_ocp *p, uint32_t i)
{
    return i < dd_ocp_state_count(p) ? name_of(p, &p->problem->x, i) : "";
}

const char *dd_ocp_control_name(const dd_ocp *p, uint32_t i)
{
    return i < dd_ocp_control_count(p) ? name_of(p, &p->problem->u, i) : "";
}

dd_status dd_ocp_set_start(dd_ocp *p, double time, const double *states)
{
    if (p == NULL || states == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!p->options.start_given || p->problem == NULL || p->problem->x_start == NULL) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "%s",
                       p->options.start_given ? "the states are known after the first solve"
                                              : "the start is that of the model: it needs the option start_given");
    }
    dd_ocp_problem *o = p->problem;
    bool finite = isfinite(time);
    for (uint32_t i = 0; i < o->x.len; i++) {
        finite = finite && isfinite(states[i]);
    }
    if (!finite) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "time and states of a start must be finite numbers");
    }
    memcpy(o->x_start, states, o->x.len * sizeof *states);
    if (!o->free_tf) {
        o->tf_value = time + (o->tf_value - o->t0_value);
    } else { /* time runs forward */
        o->tf_lower = fmin(fmax(o->model->vars.data[o->model->optimization->final_var].min_value, time), o->tf_upper);
    }
    o->t0_value = time;
    return DD_OK;
}

static double theta_at(const dd_ocp *p, double t)
{
    const double length = p->info.final_time - p->info.start_time;
    return length > 0 ? fmin(fmax((t - p->info.start_time) / length, 0), 1) : 0;
}

dd_status dd_ocp_point(dd_ocp *p, double t, double *x, double *z, double *u)
{
    const double theta = theta_at(p, t);
    dd_transcription_at(p->transcription, p->result.x, theta, theta >= 1, x, z, u);
    return DD_OK;
}

void dd_ocp_controls_beside(const dd_ocp *p, double t, double inside, double *u)
{
    const dd_transcription *tr = p->transcription;
    const double near = theta_at(p, inside);
    dd_transcription_control(tr, p->result.x, dd_mesh_interval(&tr->mesh, near, near >= 1), theta_at(p, t), u);
}

dd_status dd_ocp_controls(dd_ocp *p, double t, double *controls)
{
    if (controls == NULL || dd_ocp_need_room(p) != DD_OK) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_ocp_point(p, t, p->again.x, p->again.z, controls);
}

dd_status dd_ocp_states(dd_ocp *p, double t, double *states)
{
    if (states == NULL || dd_ocp_need_room(p) != DD_OK) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_ocp_point(p, t, states, p->again.z, p->again.u);
}

/* ---- solving ---- */

static void room_body(void *user)
{
    dd_ocp *p = user;
    const dd_ocp_problem *o = p->problem;
    p->again.x = dd_pool_alloc_array(p->pool, o->x.len + 1, sizeof *p->again.x);
    p->again.z = dd_pool_alloc_array(p->pool, o->z.len + 1, sizeof *p->again.z);
    p->again.u = dd_pool_alloc_array(p->pool, o->u.len + 1, sizeof *p->again.u);
}

dd_status dd_ocp_need_room(dd_ocp *p)
{
    if (p == NULL || !dd_ocp_has_trajectory(p)) {
        return DD_INVALID_ARGUMENT;
    }
    return p->again.u != NULL ? DD_OK : dd_protect(p->ctx, room_body, p);
}

void dd_ocp_refresh(dd_ocp *p)
{
    dd_ocp_problem_refresh(p->problem, p->bounds_set);
    dd_transcription_refresh(p->transcription, p->bounds_set);
    p->outputs_stale = p->outputs_stale || p->variant != NULL;
    p->bounds_set = false;
}

typedef struct again_call {
    dd_ocp *p;
    const dd_ocp_again *how;
} again_call;

static bool must_stop(void *user)
{
    dd_ocp *p = user;
    return dd_poll_stop_now(p->ctx) != DD_OK;
}

static void again_body(void *user)
{
    const again_call *call = user;
    dd_ocp *p = call->p;
    const dd_ocp_again *how = call->how;
    dd_nlp_result *r = &p->result;
    dd_ocp_refresh(p);
    if (how->shift > 0) {
        dd_transcription_shift(p->transcription, how->shift, r->x, r->lambda, r->z_lower, r->z_upper);
    }
    dd_ocp_run_program(p, p->transcription->nlp, how);
}

void dd_ocp_run_program(dd_ocp *p, const dd_nlp *nlp, const dd_ocp_again *how)
{
    dd_nlp_options options = dd_ocp_solver_options(p);
    options.tolerance = p->options.tolerance;
    options.max_iterations = how->max_iterations > 0 ? how->max_iterations : p->options.max_iterations;
    options.max_seconds = how->max_seconds;
    options.barrier = how->barrier > 0 || how->cold ? how->barrier : DD_AGAIN_BARRIER;
    options.warm = !how->cold;
    options.least_step = how->least_step;
    options.memory = &p->memory;
    options.user = p;
    options.stop = must_stop;
    const dd_status st = dd_nlp_solve(p->ctx, nlp, &options, &p->result);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
}

void dd_ocp_retime(dd_ocp *p)
{
    p->info.start_time = dd_transcription_time(p->transcription, p->result.x, 0);
    p->info.final_time = dd_transcription_time(p->transcription, p->result.x, 1);
}

void dd_ocp_guess_final_time(dd_ocp *p, double time)
{
    const dd_ocp_problem *o = p->problem;
    p->result.x[p->transcription->tf_at] = fmin(fmax(time, o->tf_lower), o->tf_upper);
}

void dd_ocp_tell_again(dd_ocp *p, double began)
{
    const dd_nlp_result *r = &p->result;
    p->info.status = dd_ocp_status_of(r->status);
    if (r->status == DD_NLP_INTERRUPTED && dd_poll_stop_now(p->ctx) == DD_TIME_LIMIT) {
        p->info.status = DD_OCP_TIME_LIMIT;
    }
    p->info.objective = r->objective;
    p->info.iterations = p->info.iterations_solve = r->iterations;
    p->info.violation = r->violation;
    p->info.dual_infeasibility = r->dual_infeasibility;
    p->info.complementarity = r->complementarity;
    dd_ocp_retime(p);
    p->info.reason = dd_ocp_solved(p) ? "" : "the solver ended without a solution";
    p->info.estimated_error = p->info.simulation_difference = p->info.objective_change = NAN;
    p->info.seconds_setup = p->info.seconds_verify = 0;
    p->info.seconds_solve = p->info.seconds_total = dd_clock_seconds() - began;
    p->info.seconds_evaluate = r->seconds_evaluate;
    p->info.seconds_linear_algebra = r->seconds_total - r->seconds_evaluate;
    p->info.seconds_factor = r->seconds_factor;
}

dd_status dd_ocp_solve_again(dd_ocp *p, const dd_ocp_again *how)
{
    static const dd_ocp_again usual = {0};
    if (p == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!dd_ocp_has_trajectory(p) || p->transcription->shooting != NULL) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "%s",
                       dd_ocp_has_trajectory(p) ? "programs of shooting cannot be solved again: use collocation"
                                                : "there is no solution to begin from: solve first");
    }
    const double began = dd_clock_seconds();
    again_call call = {p, how != NULL ? how : &usual};
    const dd_status st = dd_protect(p->ctx, again_body, &call);
    if (st == DD_OK) {
        dd_ocp_tell_again(p, began);
    }
    return st;
}

/* ---- for closed loops ---- */

void dd_ocp_use_preview(dd_ocp *p, const dd_data_column_vec *columns)
{
    p->preview = columns;
}

const dd_system *dd_ocp_system_of(const dd_ocp *p)
{
    return p->system;
}

dd_ocp_problem *dd_ocp_problem_of(const dd_ocp *p)
{
    return p->problem;
}

dd_transcription *dd_ocp_transcription_of(const dd_ocp *p)
{
    return p->transcription;
}

const dd_nlp_result *dd_ocp_result_of(const dd_ocp *p)
{
    return &p->result;
}

static void shift_body(void *user)
{
    const again_call *call = user;
    dd_nlp_result *r = &call->p->result;
    dd_transcription_shift(call->p->transcription, call->how->shift, r->x, r->lambda, r->z_lower, r->z_upper);
}

dd_status dd_ocp_shift(dd_ocp *p, uint32_t intervals)
{
    const dd_ocp_again how = {.shift = intervals};
    again_call call = {p, &how};
    return dd_protect(p->ctx, shift_body, &call);
}

/* ---- a guess from memory ---- */

typedef struct memory_guess {
    const double *times, *states, *controls;
    uint32_t n, nx, nu;
} memory_guess;

/* Rows i and i + 1 around t, and the part of the way between them. */
static uint32_t place(const memory_guess *g, double t, double *part)
{
    uint32_t i = 0;
    while (i + 2 < g->n && g->times[i + 1] <= t) {
        i++;
    }
    const double width = g->n > 1 ? g->times[i + 1] - g->times[i] : 0;
    *part = width > 0 ? fmin(fmax((t - g->times[i]) / width, 0), 1) : 0;
    return i;
}

static double between(const double *rows, uint32_t width, uint32_t i, double part, uint32_t column)
{
    const double a = rows[(size_t)i * width + column];
    return part > 0 ? (1 - part) * a + part * rows[(size_t)(i + 1) * width + column] : a;
}

/* x and u of one place of the program, in its scales. */
static void put(const dd_decision_vec *list, const double *rows, uint32_t i, double part, double *y)
{
    for (uint32_t k = 0; k < list->len; k++) {
        y[k] = between(rows, list->len, i, part, k) / list->data[k].scale;
    }
}

dd_status dd_ocp_guess(dd_ocp *p, const double *times, uint32_t n, const double *states, const double *controls)
{
    if (p == NULL || times == NULL || n == 0 || states == NULL || controls == NULL || !dd_ocp_has_trajectory(p) ||
        p->transcription->shooting != NULL) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_ocp_problem *o = p->problem;
    dd_transcription *t = p->transcription;
    const memory_guess g = {times, states, controls, n, o->x.len, o->u.len};
    /* nodes, then the points between them; algebraic variables and multipliers stay as they are */
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        double part, theta = t->mesh.theta[k];
        uint32_t i = place(&g, dd_transcription_time(t, p->result.x, theta), &part);
        put(&o->x, states, i, part, p->result.x + t->x_at[k]);
        if (t->mesh.control == DD_CONTROL_LINEAR || (t->mesh.control == DD_CONTROL_CONSTANT && k < t->mesh.n)) {
            put(&o->u, controls, i, part, p->result.x + t->u_at[k]);
        }
        for (uint32_t j = 1; k < t->mesh.n && j <= t->mesh.degree[k]; j++) {
            theta = t->mesh.theta[k] + t->tau[t->mesh.degree[k]][j] * (t->mesh.theta[k + 1] - t->mesh.theta[k]);
            i = place(&g, dd_transcription_time(t, p->result.x, theta), &part);
            put(&o->x, states, i, part, p->result.x + t->point_at[k * DD_DEGREE_MOST + j - 1]);
            if (t->mesh.control == DD_CONTROL_POLYNOMIAL) {
                put(&o->u, controls, i, part,
                    p->result.x + t->point_at[k * DD_DEGREE_MOST + j - 1] + o->x.len + o->z.len);
            }
        }
    }
    return DD_OK;
}

void dd_ocp_guess_algebraic(dd_ocp *p, const double *z)
{
    const dd_transcription *t = p->transcription;
    const dd_decision_vec *list = &p->problem->z;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        for (uint32_t j = 1; j <= t->mesh.degree[k]; j++) {
            put(list, z, 0, 0, p->result.x + dd_transcription_z(t, k, j, 0));
        }
    }
}

/* ---- multipliers by name ---- */

typedef struct multiplier_call {
    dd_ocp *p;
    const char *name;
    double t, value;
    bool costate;
} multiplier_call;

static void multiplier_body(void *user)
{
    multiplier_call *call = user;
    dd_ocp *p = call->p;
    const dd_ocp_problem *o = p->problem;
    dd_pool *scratch = dd_pool_child(p->pool);
    const dd_multipliers *m = dd_multipliers_new(p->transcription, &p->result, scratch);
    const double theta = theta_at(p, call->t);
    const uint32_t k = dd_mesh_interval(&p->transcription->mesh, theta, theta >= 1);
    double *costates = dd_pool_alloc_array(scratch, o->x.len + 1, sizeof *costates);
    dd_multipliers_costates(m, k, theta, costates);
    for (uint32_t i = 0; i < o->x.len && call->costate; i++) {
        if (strcmp(dd_model_var_name_dup(o->model, o->x.data[i].var, scratch), call->name) == 0) {
            call->value = costates[i];
        }
    }
    const char *wanted = dd_pool_printf(scratch, "multiplier(%s)", call->name);
    for (uint32_t i = 0; i < dd_multipliers_count(m) && !call->costate; i++) {
        if (strcmp(dd_multipliers_name(m, i), wanted) == 0) {
            call->value = dd_multipliers_density(m, i, k, theta);
        }
    }
    dd_pool_free(scratch);
}

static double multiplier(dd_ocp *p, const char *name, double t, bool costate)
{
    multiplier_call call = {p, name, t, NAN, costate};
    if (p != NULL && name != NULL && dd_ocp_has_trajectory(p)) {
        dd_protect(p->ctx, multiplier_body, &call);
    }
    return call.value;
}

double dd_ocp_costate(dd_ocp *p, const char *state, double t)
{
    return multiplier(p, state, t, true);
}

double dd_ocp_multiplier(dd_ocp *p, const char *constraint, double t)
{
    return multiplier(p, constraint, t, false);
}
