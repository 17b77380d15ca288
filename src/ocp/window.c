/* window.c - terms at the nodes of a window, the arrival cost, consistency at the end. */
#include "ocp/window.h"

#include "ocp/transcription_impl.h"

static dd_expr square(dd_dag *dag, dd_expr e)
{
    return dd_pow(dag, e, dd_num(dag, 2));
}

/* A family in the inputs that all families have, and the two lists of a node behind them. */
static void add_nodes(dd_transcription *t)
{
    dd_ocp_problem *o = t->o;
    dd_window *w = o->window;
    dd_dag *dag = o->dag;
    const size_t most = dd_transcription_inputs(o) + 2 * (size_t)w->n_measured + 1;
    dd_expr *inputs = dd_pool_alloc_array(t->pool, most, sizeof *inputs), sum = dd_num(dag, 0);
    uint32_t n_in = dd_transcription_common_inputs(o, inputs);
    w->y_input = n_in;
    for (uint32_t i = 0; i < 2 * w->n_measured; i++) {
        inputs[n_in++] = dd_param(dag, o->fresh++);
    }
    /* (c (h - y))^2, and the noise of the interval that ends here */
    for (uint32_t i = 0; i < w->n_measured; i++) {
        const dd_expr y = inputs[w->y_input + i], c = inputs[w->y_input + w->n_measured + i];
        sum = dd_add(dag, sum, square(dag, dd_mul(dag, c, dd_sub(dag, w->h[i], y))));
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_expr weight = dd_num(dag, w->dt / (w->sigma[i] * w->sigma[i]));
        sum = dd_add(dag, sum, dd_mul(dag, weight, square(dag, o->u.data[i].symbol)));
    }
    w->nodes =
        dd_elements_add_family(t->elements, inputs, n_in, &sum, 1, o->constants.data, o->constants.len, o->fresh);
    o->fresh++;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        const uint32_t point = dd_elements_add_point(t->elements, w->nodes);
        dd_transcription_fill_common(t, w->nodes, point, k, t->mesh.degree[k]);
        dd_elements_output(t->elements, w->nodes, point, 0, DD_OBJECTIVE, 1);
    }
}

static void add_end(dd_transcription *t)
{
    dd_ocp_problem *o = t->o;
    const uint32_t n = o->equations->invariants.len, last = t->mesh.n - 1;
    o->window->end = NONE;
    if (n == 0) {
        return;
    }
    dd_expr *inputs = dd_pool_alloc_array(t->pool, dd_transcription_inputs(o) + 1, sizeof *inputs);
    dd_expr *outputs = dd_pool_alloc_array(t->pool, n + 1, sizeof *outputs);
    const uint32_t n_in = dd_transcription_common_inputs(o, inputs);
    for (uint32_t i = 0; i < n; i++) {
        outputs[i] = dd_ocp_resolve(o, o->equations->invariants.data[i]);
    }
    const uint32_t family =
        dd_elements_add_family(t->elements, inputs, n_in, outputs, n, o->constants.data, o->constants.len, o->fresh);
    o->fresh += n;
    o->window->end = family;
    const uint32_t point = dd_elements_add_point(t->elements, family);
    dd_transcription_fill_common(t, family, point, last, t->mesh.degree[last]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t row = dd_transcription_add_row(t, DD_ROW_CONSISTENCY, i, last, t->mesh.degree[last], 1, 0, 0);
        dd_elements_output(t->elements, family, point, i, row, 1);
    }
}

/* sum_ab A_ab (v_a - mean_a) (v_b - mean_b) with v = (x_0, p) as the program has them. */
static void add_arrival(dd_transcription *t)
{
    dd_ocp_problem *o = t->o;
    dd_dag *dag = o->dag;
    const uint32_t nx = o->x.len, n = nx + o->p.len;
    dd_expr *v = dd_pool_alloc_array(t->pool, n + 1, sizeof *v), sum = dd_num(dag, 0);
    dd_expr *constants = dd_pool_alloc_array(t->pool, n + (size_t)n * (n + 1) / 2 + 1, sizeof *constants);
    uint32_t count = 0;
    /* symbols of v and of the numbers that every sample sets: the mean, then the lower triangle of A */
    for (uint32_t i = 0; i < n; i++) {
        v[i] = dd_param(dag, o->fresh++);
        constants[count++] = dd_param(dag, o->fresh++);
    }
    for (uint32_t i = 0; i < n; i++) {
        const dd_expr a = dd_sub(dag, v[i], constants[i]);
        for (uint32_t j = 0; j <= i; j++, count++) {
            constants[count] = dd_param(dag, o->fresh++);
            const dd_expr b = dd_sub(dag, v[j], constants[j]), term = dd_mul(dag, constants[count], dd_mul(dag, a, b));
            sum = dd_add(dag, sum, i == j ? term : dd_mul(dag, dd_num(dag, 2), term));
        }
    }
    /* one point of one function, added to the objective */
    const uint32_t family = dd_elements_add_family(t->elements, v, n, &sum, 1, constants, count, o->fresh++);
    o->window->arrival = family;
    dd_elements_add_point(t->elements, family);
    for (uint32_t i = 0; i < n; i++) {
        dd_elements_input(t->elements, family, 0, i, i < nx ? t->x_at[0] + i : t->p_at + (i - nx), 1);
    }
    dd_elements_output(t->elements, family, 0, 0, DD_OBJECTIVE, 1);
}

void dd_window_add(dd_transcription *t)
{
    add_nodes(t);
    add_end(t);
    add_arrival(t); /* the last family: its constants are its own */
}

/* ---- numbers ---- */

/* Time and data of one point; both times of the horizon stay as they are. */
static void set_point(dd_transcription *t, uint32_t family, uint32_t point, double time, const double *data)
{
    const dd_ocp_problem *o = t->o;
    const uint32_t first = o->x.len + o->z.len + o->u.len + o->p.len;
    dd_elements_set_offset(t->elements, family, point, first, time);
    for (uint32_t i = 0; i < o->data.len; i++) {
        dd_elements_set_offset(t->elements, family, point, first + 3 + i, data[i]);
    }
}

void dd_window_set_interval(dd_transcription *t, uint32_t k, double length, const double *times, const double *data)
{
    const dd_ocp_problem *o = t->o;
    const dd_window *w = o->window;
    const uint32_t d = t->mesh.degree[k];
    for (uint32_t j = 0; j < d; j++) {
        const uint32_t point = k * d + j; /* all intervals have the same degree */
        set_point(t, t->dynamics, point, times[j], data + (size_t)j * o->data.len);
        dd_elements_set_offset(t->elements, t->dynamics, point, dd_transcription_inputs(o), length);
    }
    set_point(t, w->nodes, k, times[d - 1], data + (size_t)(d - 1) * o->data.len);
    if (k + 1 == t->mesh.n && w->end != NONE) {
        set_point(t, w->end, 0, times[d - 1], data + (size_t)(d - 1) * o->data.len);
    }
}

void dd_window_set_node(dd_transcription *t, uint32_t k, const double *y, const double *c)
{
    const dd_window *w = t->o->window;
    for (uint32_t i = 0; i < w->n_measured; i++) {
        dd_elements_set_offset(t->elements, w->nodes, k, w->y_input + i, y[i]);
        dd_elements_set_offset(t->elements, w->nodes, k, w->y_input + w->n_measured + i, c[i]);
    }
}

void dd_window_set_arrival(dd_transcription *t, const double *mean, const double *a, double *work)
{
    const uint32_t n = t->o->x.len + t->o->p.len;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        work[count++] = mean[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            work[count++] = a[(size_t)j * n + i];
        }
    }
    dd_elements_set_constants(t->elements, t->o->window->arrival, work);
}

void dd_window_set_constants(dd_transcription *t)
{
    for (uint32_t family = 0; family < t->o->window->arrival; family++) {
        dd_elements_set_constants(t->elements, family, t->o->constant_value);
    }
}
