/* mhe.c - the window of a moving-horizon estimator: it is moved, filled and solved.
 *
 * Samples stand at the ends of the intervals, the newest at the end of the last one. An interval without a sample at its
 * begin has no length.
 */
#include "control/mhe.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/data.h"

#define COLD_ITERATIONS 3000 /* of the first solve, which is not a sample in a row */
#define WARM_BARRIER 1e-6    /* bounds are few here: those of parameters */

/* ---- creation ---- */

typedef struct first_guess {
    dd_mhe *m;
    const dd_mhe_setup *setup;
} first_guess;

static double number_of(const first_guess *g, const dd_decision *d)
{
    const dd_decision_vec *const lists[] = {g->setup->states, g->setup->algebraic};
    const double *values = g->setup->first;
    for (int l = 0; l < 2; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            if (lists[l]->data[i].var == d->var && lists[l]->data[i].order == d->order) {
                return values[i];
            }
        }
        values += lists[l]->len;
    }
    return d->order == 0 ? g->m->o->model->vars.data[d->var].start_value : 0;
}

static void guess_at(void *user, double theta, bool left, double *x, double *z, double *u)
{
    const first_guess *g = user;
    const dd_ocp_problem *o = g->m->o;
    (void)theta;
    (void)left;
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = number_of(g, &o->x.data[i]);
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        z[i] = number_of(g, &o->z.data[i]);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        u[i] = 0;
    }
}

/* What is measured, the invariants, and the states of the class as functions of x, z and p. */
static void make_functions(dd_mhe *m, const dd_mhe_setup *s)
{
    dd_ocp_problem *o = m->o;
    const uint32_t n_invariants = o->equations->invariants.len;
    dd_expr *h = dd_pool_alloc_array(m->pool, s->measured->len + 1, sizeof *h);
    dd_expr *c = dd_pool_alloc_array(m->pool, n_invariants + 1, sizeof *c);
    dd_expr *states = dd_pool_alloc_array(m->pool, s->states->len + 1, sizeof *states);
    double *sigma = dd_pool_alloc_array(m->pool, o->u.len + 1, sizeof *sigma);
    for (uint32_t i = 0; i < s->measured->len; i++) {
        h[i] = dd_ocp_resolve(o, dd_model_symbol(o->model, s->measured->data[i].var));
    }
    for (uint32_t i = 0; i < n_invariants; i++) {
        c[i] = dd_ocp_resolve(o, o->equations->invariants.data[i]);
    }
    m->state_var = dd_pool_alloc_array(m->pool, s->states->len + 1, sizeof *m->state_var);
    for (uint32_t i = 0; i < s->states->len; i++) {
        m->state_var[i] = s->states->data[i].var;
        states[i] = dd_ocp_resolve(o, dd_model_symbol(o->model, s->states->data[i].var));
    }
    for (uint32_t i = 0; i < o->u.len; i++) { /* inputs that are left are noise, in the order in which it was added */
        sigma[i] = m->model->noise.data[i].number;
    }
    m->h = dd_function_of_parameters(o, h, s->measured->len, m->pool);
    m->c = dd_function_of_parameters(o, c, n_invariants, m->pool);
    m->states = dd_function_of_parameters(o, states, s->states->len, m->pool);
    m->window = (dd_window){.h = h, .n_measured = s->measured->len, .sigma = sigma, .dt = m->dt};
    o->window = &m->window;
    dd_ocp_collect_constants(o);
}

static void make_program(dd_mhe *m, const dd_mhe_setup *s)
{
    dd_mesh mesh = {.n = m->size, .nodes = DD_NODES_RADAU, .control = DD_CONTROL_CONSTANT};
    mesh.theta = dd_pool_alloc_array(m->pool, m->size + 1, sizeof *mesh.theta);
    mesh.degree = dd_pool_alloc_array(m->pool, m->size + 1, sizeof *mesh.degree);
    for (uint32_t k = 0; k <= m->size; k++) {
        mesh.theta[k] = (double)k / m->size;
        mesh.degree[k] = m->degree;
    }
    first_guess from = {m, s};
    const dd_guess guess = {&from, guess_at};
    m->t = dd_transcribe(m->o, &mesh, &guess, m->pool);
    const dd_nlp *nlp = m->t->nlp;
    dd_nlp_result *r = &m->result;
    r->x = dd_pool_alloc_array(m->pool, nlp->n + 1, sizeof *r->x);
    r->lambda = dd_pool_alloc_array(m->pool, nlp->m + 1, sizeof *r->lambda);
    r->z_lower = dd_pool_alloc_array(m->pool, nlp->n + 1, sizeof *r->z_lower);
    r->z_upper = dd_pool_alloc_array(m->pool, nlp->n + 1, sizeof *r->z_upper);
    r->failed_at = dd_pool_alloc_array(m->pool, nlp->n + 1, sizeof *r->failed_at);
    m->before = dd_pool_alloc_array(m->pool, 3 * (size_t)nlp->n + nlp->m + 1, sizeof *m->before);
    memcpy(r->x, dd_elements_start(m->t->elements), nlp->n * sizeof *r->x);
}

static void make_room(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    const uint32_t ny = m->window.n_measured;
    m->n_data = o->data.len;
    m->y = dd_pool_alloc_array(m->pool, (size_t)m->size * ny + 1, sizeof(double));
    m->data = dd_pool_alloc_array(m->pool, (size_t)m->size * m->degree * m->n_data + 1, sizeof(double));
    m->times = dd_pool_alloc_array(m->pool, m->size + 1, sizeof(double));
    m->w = dd_pool_alloc_array(m->pool, o->x.len + o->z.len + o->p.len + 1, sizeof(double));
    m->u = dd_pool_alloc_array(m->pool, (size_t)m->degree * (o->u.len + m->n_data) + 1, sizeof(double));
    m->node_y = dd_pool_alloc_array(m->pool, ny + 1, sizeof(double));
    m->node_c = dd_pool_alloc_array(m->pool, ny + 1, sizeof(double));
    m->point_times = dd_pool_alloc_array(m->pool, m->degree + 1, sizeof(double));
    m->estimate = dd_pool_alloc_array(m->pool, m->n_states + o->p.len + 1, sizeof(double));
}

dd_mhe *dd_mhe_new(const dd_mhe_setup *s, dd_pool *pool)
{
    const dd_control_options *options = s->options;
    dd_mhe *m = dd_pool_alloc(pool, sizeof *m);
    *m = (dd_mhe){.ctx = dd_pool_context(pool), .pool = pool, .size = options->mhe_horizon, .degree = options->degree};
    m->dt = options->sample_period;
    m->tolerance = options->tolerance;
    m->max_iterations = options->max_iterations;
    m->sigma = s->sigma;
    m->n_states = s->states->len;
    if (m->size < 2) {
        dd_raise(m->ctx, DD_INVALID_ARGUMENT, "mhe: the window needs a horizon of at least 2 samples");
    }
    const dd_status st = dd_nlp_solver_find(&m->solver, m->ctx, options->solver);
    if (st != DD_OK) {
        dd_raise(m->ctx, st, "%s", dd_pool_strdup(pool, dd_context_message(m->ctx)));
    }
    uint32_t *inputs = dd_pool_alloc_array(pool, s->inputs->len + 1, sizeof *inputs);
    for (uint32_t i = 0; i < s->inputs->len; i++) {
        inputs[i] = s->inputs->data[i].var;
    }
    m->model = dd_mhe_model_new(s->system, options, inputs, s->inputs->len, m->dt * m->size, pool);
    const dd_ocp_problem_options how = {.form = DD_EQUATIONS_UNDIVIDED, .start_given = true};
    m->o = dd_ocp_problem_new(m->model->system, &how, pool);
    if (m->o->reason != NULL) {
        dd_raise(m->ctx, DD_INVALID_MODEL, "mhe: %s", m->o->reason);
    }
    m->o->start_known = false; /* it is estimated */
    make_functions(m, s);
    make_room(m);
    make_program(m, s);
    dd_arrival_new(m);
    return m;
}

void dd_mhe_free(dd_mhe *m)
{
    if (m != NULL) {
        dd_nlp_memory_free(&m->memory);
        dd_transcription_free(m->t);
    }
}

double dd_mhe_point(const dd_mhe *m, uint32_t j)
{
    return m->t->tau[m->degree][j + 1];
}

/* ---- the window ---- */

/* Intervals up to this one have no length: its end is the first sample. */
static uint32_t first_sample(const dd_mhe *m)
{
    return m->size - m->samples;
}

static void move_rows(double *rows, uint32_t count, size_t width)
{
    memmove(rows, rows + width, (count - 1) * width * sizeof *rows);
}

/* By one sample towards the start. The interval before the first sample is at rest there. */
static void move_window(dd_mhe *m)
{
    const dd_ocp_problem *o = m->o;
    const dd_transcription *t = m->t;
    dd_nlp_result *r = &m->result;
    move_rows(m->y, m->size, m->window.n_measured);
    move_rows(m->data, m->size, (size_t)m->degree * m->n_data);
    move_rows(m->times, m->size, 1);
    dd_transcription_shift(m->t, 1, r->x, r->lambda, r->z_lower, r->z_upper);
    m->samples += m->samples < m->size ? 1 : 0;
    const uint32_t k = first_sample(m);
    const double *x = r->x + t->x_at[k + 1], *z = r->x + dd_transcription_z(t, k, m->degree, 0);
    for (uint32_t i = 0; i <= k; i++) {
        memcpy(r->x + t->x_at[i], x, o->x.len * sizeof *x);
        for (uint32_t j = 1; j <= m->degree; j++) {
            memcpy(r->x + dd_transcription_x(t, i, j, 0), x, o->x.len * sizeof *x);
            memmove(r->x + dd_transcription_z(t, i, j, 0), z, o->z.len * sizeof *z);
        }
        memset(r->x + t->u_at[i], 0, o->u.len * sizeof *x);
    }
}

static void take_sample(dd_mhe *m, double time, const double *inputs, const double *y)
{
    const uint32_t last = m->size - 1, n_inputs = m->model->n_inputs;
    memcpy(m->y + (size_t)last * m->window.n_measured, y, m->window.n_measured * sizeof *y);
    m->times[last] = time;
    for (uint32_t j = 0; j < m->degree; j++) {
        double *to = m->data + ((size_t)last * m->degree + j) * m->n_data;
        const double at = time - (1 - dd_mhe_point(m, j)) * m->dt;
        for (uint32_t i = 0; i < m->model->first_data; i++) { /* data of the class itself */
            to[i] = dd_data_at(m->o->data.data[i].column, at, true);
        }
        memcpy(to + m->model->first_data, inputs + (size_t)j * n_inputs, n_inputs * sizeof *inputs);
    }
}

/* All numbers of the program: lengths, times, inputs, measurements, parameters, the prior. */
static void set_numbers(dd_mhe *m)
{
    const uint32_t first = first_sample(m), ny = m->window.n_measured;
    const size_t width = (size_t)m->degree * m->n_data;
    dd_ocp_problem_refresh(m->o, false);
    dd_window_set_constants(m->t);
    for (uint32_t k = 0; k < m->size; k++) {
        const bool live = k > first;
        const uint32_t from = live ? k : first;
        const double *data = m->data + from * width;
        for (uint32_t j = 0; j < m->degree; j++) {
            m->point_times[j] = m->times[from] - (live ? (1 - dd_mhe_point(m, j)) * m->dt : 0);
        }
        if (!live) { /* all points have the inputs just before the sample */
            for (uint32_t j = 0; j < m->degree; j++) {
                memcpy(m->u + j * (size_t)m->n_data, data + (m->degree - 1) * (size_t)m->n_data,
                       m->n_data * sizeof *data);
            }
            data = m->u;
        }
        dd_window_set_interval(m->t, k, live ? m->dt : 0, m->point_times, data);
        for (uint32_t i = 0; i < ny; i++) {
            const double y = m->y[(size_t)k * ny + i];
            const bool known = k >= first && isfinite(y);
            m->node_y[i] = known ? y : 0;
            m->node_c[i] = known ? 1 / m->sigma[i] : 0;
        }
        dd_window_set_node(m->t, k, m->node_y, m->node_c);
    }
    dd_window_set_arrival(m->t, m->arrival.mean, m->arrival.a, m->arrival.packed);
}

/* ---- solving ---- */

static void keep_point(dd_mhe *m, bool back)
{
    const dd_nlp *nlp = m->t->nlp;
    double *const parts[] = {m->result.x, m->result.z_lower, m->result.z_upper, m->result.lambda};
    double *at = m->before;
    for (int i = 0; i < 4; i++) {
        const size_t length = i < 3 ? nlp->n : nlp->m;
        memcpy(back ? parts[i] : at, back ? at : parts[i], length * sizeof *at);
        at += length;
    }
}

static bool must_stop(void *user)
{
    const dd_mhe *m = user;
    return dd_poll_stop_now(m->ctx) != DD_OK;
}

static bool solve(dd_mhe *m)
{
    dd_nlp_options options = dd_nlp_options_default();
    const bool warm = m->samples > 1;
    options.solver = m->solver;
    options.tolerance = m->tolerance;
    options.max_iterations = warm ? m->max_iterations : COLD_ITERATIONS;
    options.warm = warm;
    options.barrier = warm ? WARM_BARRIER : 0;
    options.memory = &m->memory;
    options.user = m;
    options.stop = must_stop;
    keep_point(m, false);
    const dd_status st = dd_nlp_solve(m->ctx, m->t->nlp, &options, &m->result);
    if (st != DD_OK) {
        dd_raise(m->ctx, st, "%s", dd_pool_strdup(m->pool, dd_context_message(m->ctx)));
    }
    m->status = m->result.status;
    m->iterations = m->result.iterations;
    const bool solved = m->status == DD_NLP_OPTIMAL || m->status == DD_NLP_ACCEPTABLE;
    if (!solved) {
        keep_point(m, true);
    }
    return solved;
}

double dd_mhe_end_of(dd_mhe *m, uint32_t k)
{
    const dd_ocp_problem *o = m->o;
    const double *y = m->result.x, *data = m->data + ((size_t)(k + 1) * m->degree - 1) * m->n_data;
    double *w = m->w, *u = m->u;
    for (uint32_t i = 0; i < o->x.len; i++) {
        *w++ = y[dd_transcription_x(m->t, k, m->degree, i)] * o->x.data[i].scale;
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        *w++ = y[dd_transcription_z(m->t, k, m->degree, i)] * o->z.data[i].scale;
    }
    for (uint32_t i = 0; i < o->p.len; i++) {
        *w++ = y[m->t->p_at + i] * o->p.data[i].scale;
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        *u++ = y[m->t->u_at[k] + i] * o->u.data[i].scale;
    }
    memcpy(u, data, m->n_data * sizeof *u);
    return m->times[k];
}

static void read_estimate(dd_mhe *m)
{
    const double time = dd_mhe_end_of(m, m->size - 1);
    dd_local_function_eval(m->states, time, m->w, m->u, m->estimate, NULL);
    for (uint32_t i = 0; i < m->o->p.len; i++) {
        m->estimate[m->n_states + i] = m->w[m->o->x.len + m->o->z.len + i];
    }
}

/* Parameters of the class that are not estimated: set-points, what a user sets. */
static void take_parameters(dd_mhe *m, const double *parameter)
{
    dd_system *s = m->model->system;
    for (uint32_t i = 0; i < m->o->constants.len; i++) {
        const uint32_t var = dd_symbol_id(m->o->dag, m->o->constants.data[i]);
        if (var < s->model->vars.len && s->model->vars.data[var].kind == DD_KIND_PARAMETER) {
            s->parameter[var] = parameter[var];
        }
    }
    dd_local_function_set(m->h, s->parameter);
    dd_local_function_set(m->c, s->parameter);
    dd_local_function_set(m->states, s->parameter);
}

bool dd_mhe_step(dd_mhe *m, double time, const double *inputs, const double *y, const double *parameter)
{
    take_parameters(m, parameter);
    if (m->samples == m->size) {
        dd_arrival_carry(m);
    }
    if (m->samples > 0) {
        move_window(m);
    }
    take_sample(m, time, inputs, y);
    if (m->samples == 0) {
        m->samples = 1;
        dd_arrival_begin(m);
    }
    set_numbers(m);
    if (m->samples > 1) {
        dd_mhe_predict(m);
    }
    const bool solved = solve(m);
    read_estimate(m);
    return solved;
}
