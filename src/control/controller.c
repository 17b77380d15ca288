/* controller.c - one sample: the state from the measurement, the plan from the state, the input from the plan.
 *
 *   prepare    the plan before moves by a sample; in rti it is linearised there
 *   measure    estimate.c; over the delay the state is predicted
 *   solve      controller_solve.c
 */
#include "control/controller.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/context.h"

#define DIVIDES 1e-6           /* of a sample period: horizons that are a multiple of it but for rounding */
#define NO_TIME 1e-9           /* of the same */
#define MOST_INTERVALS 1e6     /* of a mesh, as the option --intervals */
#define MOST_DELAY 1e6         /* sample periods: as many inputs are on their way */
#define NOISE_MOST 5           /* standard deviations: one sample in two million is farther off */
#define SHRINKING_INTERVALS 50 /* of a free final time: as many as `optimize` begins with */

/* Of this thread: a sample is not charged for what others do. IPOPT has a thread of its own. */
static double thread_seconds(const dd_control *c)
{
    struct timespec now;
    const bool own = c->options.solver == NULL || strcmp(c->options.solver, "ipopt") != 0;
    clock_gettime(own ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- creation ---- */

static const char **names_of(dd_control *c, const dd_decision_vec *list)
{
    const char **names = dd_pool_alloc_array(c->pool, list->len + 1, sizeof *names);
    for (uint32_t i = 0; i < list->len; i++) {
        names[i] = dd_model_var_name_dup(c->system->model, list->data[i].var, c->pool);
    }
    return names;
}

static void settle_horizon(dd_control *c)
{
    const dd_ocp_problem *o = c->problem;
    dd_control_options *s = &c->options;
    c->free_end = o->free_tf;
    c->horizon = c->free_end ? NAN : o->tf_value - o->t0_value;
    c->per_sample = 1;
    if (!(s->sample_period > 0)) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT, "the sample period is not given: nmpc(samplePeriod = ...) or %s",
                 dd_option_word(c->ctx, "--sample-period"));
    }
    if (!(s->delay >= 0 && s->delay <= MOST_DELAY * s->sample_period)) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT, "the delay %g must be between 0 and %g sample periods of %g", s->delay,
                 MOST_DELAY, s->sample_period);
    }
    if (c->free_end) {
        s->intervals = s->intervals > 0 ? s->intervals : SHRINKING_INTERVALS;
        return;
    }
    /* one interval per sample period, or a multiple of that */
    const double samples = round(c->horizon / s->sample_period);
    if (samples < 1 || fabs(samples * s->sample_period - c->horizon) > DIVIDES * s->sample_period) {
        const double fewer = fmax(1, floor(c->horizon / s->sample_period));
        dd_raise(c->ctx, DD_INVALID_ARGUMENT,
                 "the sample period %g does not divide the horizon %g into equal parts; %g or %g would",
                 s->sample_period, c->horizon, c->horizon / (fewer + 1), c->horizon / fewer);
    }
    if (samples > MOST_INTERVALS) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT,
                 "the sample period %g divides the horizon %g into %g intervals: %g are allowed", s->sample_period,
                 c->horizon, samples, MOST_INTERVALS);
    }
    s->intervals = s->intervals > 0 ? s->intervals : (uint32_t)samples;
    if (s->intervals % (uint32_t)samples != 0) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT, "%u intervals are not a multiple of the %u sample periods of the horizon",
                 s->intervals, (uint32_t)samples);
    }
    c->per_sample = s->intervals / (uint32_t)samples;
}

/* What is measured: the names of the settings, else every state; and its noise. */
static void settle_measured(dd_control *c)
{
    const dd_ocp_problem *o = c->problem;
    dd_named_vec list = {0};
    /* names of the settings, else every state */
    if (c->options.measured != NULL) {
        list = dd_read_names(c->system, c->options.measured, "measured variable", c->pool);
    }
    for (uint32_t i = 0; c->options.measured == NULL && i < o->x.len; i++) {
        dd_vec_push(c->pool, &list, (dd_named){o->x.data[i].var, i, NAN});
    }
    for (uint32_t i = 0; i < list.len; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (list.data[i].var == list.data[k].var) {
                dd_raise(c->ctx, DD_INVALID_ARGUMENT, "measured: %s is named twice",
                         dd_model_var_name_dup(c->system->model, list.data[i].var, c->pool));
            }
        }
    }
    /* one standard deviation for all names, or one per name of the list: elements of an array share theirs */
    dd_number_vec sigma = {0};
    if (c->options.noise != NULL) {
        sigma = dd_read_numbers(c->ctx, c->options.noise, "noise", c->pool);
    }
    double *noise = dd_pool_alloc_array(c->pool, list.len + 1, sizeof *noise);
    const uint32_t entries = list.len > 0 ? list.data[list.len - 1].entry + 1 : 0;
    if (sigma.len > 1 && sigma.len != entries) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT, "noise has %u numbers for %u measured names", sigma.len, entries);
    }
    for (uint32_t i = 0; i < sigma.len; i++) {
        if (!(sigma.data[i] >= 0)) {
            dd_raise(c->ctx, DD_INVALID_ARGUMENT, "noise: %g is not a standard deviation: it is negative",
                     sigma.data[i]);
        }
    }
    for (uint32_t i = 0; i < list.len; i++) {
        noise[i] = sigma.len == 0 ? NAN : sigma.data[sigma.len > 1 ? list.data[i].entry : 0];
        if (c->system->column[list.data[i].var] == DD_NO_INDEX) {
            dd_raise(c->ctx, DD_INVALID_ARGUMENT, "measured: %s is not a variable of the model",
                     dd_model_var_name_dup(c->system->model, list.data[i].var, c->pool));
        }
    }
    c->estimator = dd_estimator_new(c->problem, &list, noise, c->pool);
    c->noise = noise;
    c->measured_name = dd_pool_alloc_array(c->pool, list.len + 1, sizeof *c->measured_name);
    for (uint32_t i = 0; i < list.len; i++) {
        c->measured_name[i] = dd_model_var_name_dup(c->system->model, list.data[i].var, c->pool);
    }
}

/* The model's own start, consistent where it can be, is the first prediction. */
static void first_prediction(dd_control *c)
{
    const dd_ocp_problem *o = c->problem;
    for (uint32_t i = 0; i < o->x.len; i++) {
        c->estimator->w[i] = c->system->model->vars.data[o->x.data[i].var].start_value;
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        const dd_decision *d = &o->z.data[i];
        c->estimator->w[o->x.len + i] = d->order == 0 ? c->system->model->vars.data[d->var].start_value : 0;
    }
    dd_estimator_find(c->estimator, c->t, c->u, NULL);
    const char *open = dd_estimator_open_state(c->estimator, c->t, c->u, c->pool);
    if (open != NULL && c->options.mhe_horizon == 0) {
        dd_raise(
            c->ctx, DD_INVALID_ARGUMENT,
            "what is measured does not determine the state: %s is left open. Measure more, or use a moving-horizon "
            "estimator: mhe(horizon = ...)",
            open);
    }
}

static void make_ocp(dd_control *c)
{
    const dd_control_options *s = &c->options;
    dd_ocp_options o = dd_ocp_options_default();
    o.intervals = s->intervals;
    o.degree = s->degree;
    o.legendre = s->legendre;
    o.control = s->control;
    o.tolerance = s->tolerance;
    o.max_iterations = 3000; /* the first solve is not a sample */
    o.solver = s->solver;
    o.threads = s->threads;
    o.start_given = o.program_only = true;
    dd_status st = dd_ocp_new(&c->ocp, c->system, &o);
    if (st == DD_OK && c->preview.len > 0) {
        dd_ocp_use_preview(c->ocp, &c->preview);
    }
    if (st != DD_OK) {
        dd_raise(c->ctx, st, "%s", dd_pool_strdup(c->pool, dd_context_message(c->ctx)));
    }
}

static void inputs_of_predictor(void *user, double t, double *values)
{
    const dd_control *c = user;
    dd_decided_value(c, c->predicted_piece, t, values);
}

/* The model of the class, stepped over the delay. */
static void make_predictor(dd_control *c)
{
    if (c->options.delay <= 0) {
        return;
    }
    dd_sim_options o = dd_sim_options_default();
    o.hold_inputs = true;
    o.keep_rows = false;
    o.has_start = o.has_stop = true;
    o.start = c->t;
    o.stop = c->t + c->options.sample_period;
    o.tol = 1e-8;
    if (dd_control_follows(c)) {
        o.input = inputs_of_predictor;
        o.input_user = c;
    }
    dd_status st = dd_sim_new(&c->predictor, c->system, &o);
    if (st != DD_OK) {
        dd_raise(c->ctx, st, "%s", dd_pool_strdup(c->pool, dd_context_message(c->ctx)));
    }
    c->predictor_state = dd_pool_alloc_array(c->pool, c->problem->x.len + 1, sizeof *c->predictor_state);
    for (uint32_t i = 0; i < c->problem->x.len; i++) {
        c->predictor_state[i] = dd_place_in_sim(c->system, c->state_name[i], c->pool);
    }
}

static void new_body(void *user)
{
    dd_control *c = user;
    const dd_ocp_problem_options how = {.form = DD_EQUATIONS_UNDIVIDED, .start_given = true};
    c->problem = dd_ocp_problem_new(c->system, &how, c->pool);
    const dd_ocp_problem *o = c->problem;
    if (o->reason != NULL) {
        dd_raise(c->ctx, DD_INVALID_MODEL, "%s", o->reason);
    }
    /* time, horizon and names */
    const dd_experiment *e = &c->system->model->experiment;
    c->t = c->options.has_start ? c->options.start : e->has_start ? e->start : o->t0_value;
    c->first = c->t;
    if (o->u.len == 0 && c->options.measurements == NULL) {
        dd_raise(c->ctx, DD_INVALID_ARGUMENT, "%s has no input to decide: a controller needs at least one",
                 c->system->model->name);
    }
    settle_horizon(c);
    c->state_name = names_of(c, &o->x);
    c->input_name = names_of(c, &o->u);
    /* the first input is what the model says, inside its bounds */
    c->x = dd_pool_alloc_array(c->pool, o->x.len + 1, sizeof(double));
    c->z = dd_pool_alloc_array(c->pool, o->z.len + 1, sizeof(double));
    c->u = dd_pool_alloc_array(c->pool, o->u.len + 1, sizeof(double));
    c->now = dd_pool_alloc_array(c->pool, o->u.len + 1, sizeof(double));
    c->expected = dd_pool_alloc_array(c->pool, o->x.len + 1, sizeof(double));
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        c->u[i] = fmin(fmax(c->system->model->vars.data[d->var].start_value, d->lower), d->upper);
    }
    /* measurements, set-points, the estimator and the program, in the order in which they need each other */
    settle_measured(c);
    dd_reference_read(c);
    first_prediction(c);
    dd_control_make_mhe(c);
    make_ocp(c);
    dd_decided_reset(c);
    make_predictor(c);
}

dd_status dd_control_new(dd_control **out, const dd_system *system, const dd_control_options *options)
{
    if (out != NULL) {
        *out = NULL;
    }
    if (out == NULL || system == NULL || options == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    dd_context *ctx = system->ctx;
    /* what cannot be controlled */
    if (system->model->optimization == NULL) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s is a model, not an `optimization`", system->model->name);
    }
    if (system->verdict != DD_VERDICT_OK) {
        return dd_fail(ctx, DD_INVALID_MODEL, "%s", system->reason);
    }
    dd_pool *pool = dd_pool_new(ctx);
    dd_control *c = pool != NULL ? dd_mem_new_array(ctx, 1, sizeof *c) : NULL;
    if (c == NULL) {
        dd_pool_free(pool);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* the rest allocates from the pool, and raises */
    *c = (dd_control){.ctx = ctx, .pool = pool, .system = system, .options = *options, .sample.reason = ""};
    const dd_status st = dd_protect(ctx, new_body, c);
    if (st != DD_OK) {
        dd_control_free(c);
        return st;
    }
    *out = c;
    return DD_OK;
}

void dd_control_free(dd_control *c)
{
    if (c != NULL) {
        dd_ocp_free(c->ocp);
        dd_sim_free(c->predictor);
        dd_mhe_free(c->mhe);
        dd_pool_free(c->pool);
        dd_mem_free(c->ctx, c, sizeof *c);
    }
}

/* ---- a sample ---- */

void dd_control_note(dd_control *c, dd_sample_status status, const char *reason)
{
    c->sample.status = status;
    dd_snprintf(c->reason, sizeof c->reason, "%s", reason);
    c->sample.reason = c->reason;
}

static void room_body(void *user)
{
    dd_control *c = user;
    c->kept = dd_pool_alloc_array(c->pool, dd_ocp_plan_length(c->ocp) + 1, sizeof *c->kept);
    const size_t rows = (size_t)c->options.intervals * c->options.degree + 1;
    c->guess = dd_pool_alloc_array(c->pool, rows * (1 + c->problem->x.len + c->problem->u.len) + 1, sizeof *c->guess);
}

/* The standard deviation of the noise of a state that is measured itself; 0: there is none, or it is not known. */
static double noise_of(const dd_control *c, uint32_t state)
{
    const dd_named_vec *measured = &c->estimator->measured;
    for (uint32_t i = 0; i < measured->len; i++) {
        if (measured->data[i].var == c->problem->x.data[state].var) {
            return c->noise[i] > 0 ? c->noise[i] : 0;
        }
    }
    return 0;
}

/* States beyond their bounds by no more than their noise are put back onto these, on the constraints of the model; c->x is what it
 * was measured to be. False: there are none. */
static bool hide_noise(dd_control *c, double *x)
{
    const dd_ocp_problem *o = c->problem;
    dd_estimator *e = c->estimator;
    bool moved = false;
    memcpy(x, c->x, o->x.len * sizeof *x);
    for (uint32_t i = 0; i < o->x.len; i++) {
        const dd_decision *d = &o->x.data[i];
        const double inside = fmin(fmax(x[i], d->lower), d->upper), off = fabs(x[i] - inside);
        if (off > 0 && off <= NOISE_MOST * noise_of(c, i)) {
            x[i] = inside;
            moved = true;
        }
    }
    if (moved && o->equations->invariants.len > 0) {
        memcpy(e->w, x, o->x.len * sizeof *x);
        dd_estimator_find(e, c->t + c->options.delay, c->u, NULL);
        memcpy(x, e->w, o->x.len * sizeof *x);
    }
    return moved;
}

/* A plan from these states: from the guess of the class, by all means that an optimization has. */
static dd_status solve_from_guess(dd_control *c, const double *x)
{
    const dd_ocp_problem *o = c->problem;
    dd_status st = DD_OK;
    for (uint32_t i = 0; i < o->x.len && st == DD_OK; i++) {
        st = dd_ocp_set(c->ocp, c->state_name[i], x[i]);
    }
    const double begin = c->t + c->options.delay;
    if (st == DD_OK && begin != o->t0_value) {
        st = dd_ocp_set(c->ocp, "startTime", begin);
        st = st == DD_OK && !c->free_end ? dd_ocp_set(c->ocp, "finalTime", begin + c->horizon) : st;
    }
    st = st == DD_OK ? dd_ocp_solve(c->ocp) : st;
    const dd_ocp_info info = dd_ocp_get_info(c->ocp);
    c->has_plan = st == DD_OK && (info.status == DD_OCP_OPTIMAL || info.status == DD_OCP_ACCEPTABLE);
    c->sample.solver = info.status;
    if (st == DD_OK && (info.status == DD_OCP_TIME_LIMIT || info.status == DD_OCP_INTERRUPTED)) {
        return info.status == DD_OCP_TIME_LIMIT ? DD_TIME_LIMIT : DD_INTERRUPTED;
    }
    if (st == DD_OK && !c->has_plan) {
        dd_control_note(c, DD_SAMPLE_FAILED, info.reason);
    }
    /* memory of all samples to come: none of them is charged for it */
    st = st == DD_OK && c->has_plan ? dd_protect(c->ctx, room_body, c) : st;
    st = st == DD_OK && c->has_plan ? dd_ocp_rehearse(c->ocp, c->kept) : st;
    return st == DD_OK && c->has_plan && !c->free_end ? dd_ocp_reserve_steps(c->ocp, &c->can_step) : st;
}

/* The first plan. A start that noise alone has put outside the bounds is no infeasible one: then as at every other sample, from a plan
 * that begins inside. */
static dd_status solve_first(dd_control *c)
{
    double *x = c->estimator->before;
    const bool moved = hide_noise(c, x);
    const dd_status st = solve_from_guess(c, x);
    return st == DD_OK && c->has_plan && moved ? dd_control_solve_next(c) : st;
}

dd_status dd_control_prepare(dd_control *c)
{
    if (c == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!c->has_plan || c->prepared) {
        return DD_OK;
    }
    const double began = thread_seconds(c);
    dd_status st = dd_reference_apply(c);
    st = st == DD_OK ? dd_control_use_estimated(c) : st; /* of the sample before: rti linearises with them */
    /* what the plan expects: now, for the estimate, and where the next plan begins */
    dd_estimator *e = c->estimator;
    const double begin = c->t + c->options.delay;
    if (st == DD_OK) {
        if (c->options.delay > c->options.sample_period) { /* the plan begins later */
            memcpy(e->w, c->expected, c->problem->x.len * sizeof *e->w);
        } else {
            dd_ocp_point(c->ocp, c->t, e->w, e->w + c->problem->x.len, c->guess);
        }
        dd_ocp_point(c->ocp, begin, e->before, c->z, c->guess);
    }
    if (st == DD_OK && !c->free_end) {
        st = dd_ocp_shift(c->ocp, c->per_sample);
        st = st == DD_OK ? dd_ocp_set_start(c->ocp, begin, e->before) : st;
        if (st == DD_OK && c->options.mode == DD_MODE_RTI) {
            bool is_motion = false;
            st = dd_ocp_linearize(c->ocp, &is_motion);
            c->lost = c->lost || !is_motion;
        }
    }
    c->sample.seconds_preparation = thread_seconds(c) - began;
    c->prepared = st == DD_OK;
    return st;
}

/* The state now from the window of samples, put onto the constraints. */
static dd_status observe(dd_control *c, const double *y, bool *found)
{
    dd_estimator *e = c->estimator;
    dd_status st = dd_control_observe(c, y, found);
    if (st == DD_OK && *found && (c->options.mode != DD_MODE_RTI || !c->has_plan)) {
        st = dd_control_use_estimated(c);
    }
    dd_estimator_set(e, dd_ocp_system_of(c->ocp)->parameter);
    dd_estimator_find(e, c->t, c->now, NULL);
    if (st == DD_OK && !*found) {
        char words[256];
        dd_snprintf(words, sizeof words, "the estimator ended with %s; the prediction is used instead",
                    dd_nlp_status_name(c->mhe->status));
        dd_control_note(c, DD_SAMPLE_FAILED, words);
    }
    return st;
}

/* The predictor over the delay: from change to change of the inputs, by way of the next sample. */
static dd_status predict_pieces(dd_control *c)
{
    const double end = c->t + c->options.delay, next = c->t + c->options.sample_period;
    const double close = NO_TIME * c->options.sample_period;
    dd_status st = DD_OK;
    for (double t = c->t; t < end && st == DD_OK;) {
        double to = fmin(dd_decided_change(c, t), next > t + close ? next : INFINITY);
        to = to < end - close ? to : end;
        c->predicted_piece = dd_decided_find(c, t);
        dd_decided_value(c, c->predicted_piece, t, c->now);
        for (uint32_t i = 0; i < c->problem->u.len && st == DD_OK && !dd_control_follows(c); i++) {
            st = dd_sim_set(c->predictor, c->input_name[i], c->now[i]);
        }
        st = st == DD_OK ? dd_sim_step(c->predictor, to) : st;
        for (uint32_t i = 0; i < c->problem->x.len && fabs(to - next) <= close; i++) {
            c->expected[i] = dd_sim_final(c->predictor, c->predictor_state[i]);
        }
        t = to;
    }
    return st;
}

/* The state when the delay has passed, under the inputs that are on their way. Estimated parameters are those of the plan. Where the
 * model cannot be followed so far, the plan says what is expected there. */
static dd_status predict(dd_control *c)
{
    const dd_ocp_problem *o = c->problem;
    const double *parameter = dd_ocp_system_of(c->ocp)->parameter;
    dd_status st = DD_OK;
    for (uint32_t i = 0; i < c->n_estimated && st == DD_OK; i++) {
        st = dd_sim_set(c->predictor, c->estimated_name[i], parameter[c->mhe->o->p.data[i].var]);
    }
    c->predicted_piece = dd_decided_find(c, c->t);
    memcpy(c->expected, c->x, o->x.len * sizeof *c->x);
    st = st == DD_OK ? dd_sim_replace_at(c->predictor, c->t, c->predictor_state, c->x, o->x.len) : st;
    st = st == DD_OK ? predict_pieces(c) : st;
    const dd_sim_info info = dd_sim_get_info(c->predictor);
    if (st == DD_OK && info.status != DD_SIM_OK) {
        if (!c->has_plan) {
            return dd_fail(c->ctx, DD_INVALID_ARGUMENT, "the state cannot be predicted over the delay: %s",
                           info.reason);
        }
        dd_control_note(c, DD_SAMPLE_FAILED, "the state cannot be predicted over the delay; the plan is used instead");
        memcpy(c->x, c->estimator->before, o->x.len * sizeof *c->x);
        return DD_OK;
    }
    for (uint32_t i = 0; i < o->x.len && st == DD_OK; i++) {
        c->x[i] = dd_sim_final(c->predictor, c->predictor_state[i]);
    }
    return st;
}

/* The state now, from the prediction in the estimator, and where the plan will begin. */
static dd_status find_state(dd_control *c, const double *y)
{
    dd_estimator *e = c->estimator;
    const dd_ocp_problem *o = c->problem;
    bool found = false;
    dd_decided_now(c, c->t, c->now);
    if (c->mhe != NULL) {
        const dd_status seen = observe(c, y, &found);
        if (seen != DD_OK) {
            return seen;
        }
    } else {
        dd_estimator_set(e, dd_ocp_system_of(c->ocp)->parameter);
        found = dd_estimator_find(e, c->t, c->now, y);
    }
    if (!found && !c->has_plan) {
        return dd_fail(c->ctx, DD_INVALID_ARGUMENT,
                       "at time %.10g no state fits the measurements: there are too few, or they contradict the "
                       "constraints of the model",
                       c->t);
    }
    memcpy(c->x, e->w, o->x.len * sizeof *c->x);
    return c->predictor != NULL ? predict(c) : DD_OK;
}

/* Inputs at the plan's start, within their bounds. */
static void take_inputs(dd_control *c, double *inputs)
{
    const dd_ocp_problem *o = c->problem;
    const dd_ocp_problem *now = dd_ocp_problem_of(c->ocp);
    dd_ocp_point(c->ocp, c->t + c->options.delay, c->estimator->before, c->z, c->u);
    for (uint32_t i = 0; i < o->u.len; i++) {
        c->u[i] = fmin(fmax(c->u[i], now->u.data[i].lower), now->u.data[i].upper);
        inputs[i] = c->u[i];
    }
}

dd_status dd_control_step(dd_control *c, const double *measurements, double *inputs)
{
    if (c == NULL || measurements == NULL || inputs == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    const double preparation = c->prepared ? c->sample.seconds_preparation : 0;
    c->sample = (dd_sample_info){.time = c->t, .seconds_preparation = preparation, .reason = ""};
    /* what can be done before the measurement, unless the caller has done it */
    dd_status st = c->has_plan ? dd_control_prepare(c) : dd_reference_apply(c);
    /* feedback: the state, then a plan from it */
    const double began = thread_seconds(c);
    st = st == DD_OK ? find_state(c, measurements) : st;
    c->sample.seconds_estimate = thread_seconds(c) - began;
    if (st == DD_OK) {
        st = c->has_plan ? dd_control_solve_next(c) : solve_first(c);
    }
    if (st != DD_OK || !c->has_plan) {
        return st != DD_OK
                   ? st
                   : dd_fail(c->ctx, DD_INVALID_ARGUMENT, "the first sample has no solution: %s", c->sample.reason);
    }
    /* the input of this sample, and what is reported of it */
    take_inputs(c, inputs);
    st = dd_decided_add(c);
    if (st != DD_OK) {
        return st;
    }
    dd_control_note_inputs(c);
    const dd_ocp_info info = dd_ocp_get_info(c->ocp);
    c->sample.objective = info.objective;
    c->sample.iterations = c->sample.iterations > 0 ? c->sample.iterations : info.iterations;
    c->sample.seconds_feedback = thread_seconds(c) - began;
    c->prepared = false;
    c->t = c->first + (double)++c->steps * c->options.sample_period;
    const double left = info.final_time - (c->t + c->options.delay); /* to the next plan */
    c->finished = c->free_end && left < (1 - NO_TIME) * c->options.sample_period;
    return DD_OK;
}

dd_status dd_control_estimate_only(dd_control *c, const double *y)
{
    bool found = false;
    c->sample = (dd_sample_info){.time = c->t, .reason = ""};
    const double began = thread_seconds(c);
    dd_status st = dd_reference_apply(c);
    memcpy(c->now, c->u, c->problem->u.len * sizeof *c->u);
    st = st == DD_OK ? observe(c, y, &found) : st;
    memcpy(c->x, c->estimator->w, c->problem->x.len * sizeof *c->x);
    c->sample.iterations = c->mhe->iterations;
    c->sample.seconds_estimate = c->sample.seconds_feedback = thread_seconds(c) - began;
    c->t += c->options.sample_period;
    return st;
}
