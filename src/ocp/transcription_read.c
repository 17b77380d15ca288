/* transcription_read.c - a solution of the program as functions of time, and its rows and failures in words. */
#include <math.h>
#include <string.h>

#include "ocp/shooting.h"
#include "ocp/transcription_impl.h"

/* ---- reading a solution ---- */

double dd_mesh_stage(const dd_mesh *mesh, uint32_t g)
{
    const dd_tableau *b = mesh->tableau;
    uint32_t step = g / b->stages;
    return (step + b->c[g % b->stages]) / mesh->substeps;
}

double dd_transcription_time(const dd_transcription *t, const double *y, double theta)
{
    double t0 = t->t0_at != NONE ? y[t->t0_at] : t->o->t0_value, tf = t->tf_at != NONE ? y[t->tf_at] : t->o->tf_value;
    return theta >= 1 ? tf : t0 + theta * (tf - t0);
}

void dd_transcription_control(const dd_transcription *t, const double *y, uint32_t k, double theta, double *u)
{
    const dd_ocp_problem *o = t->o;
    double v[DD_DEGREE_MOST + 1] = {0}, s = (theta - t->mesh.theta[k]) / (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    double stage_weight[DD_TABLEAU_STAGES];
    uint32_t first = 0, stages = 0;
    if (t->shooting != NULL) {
        /* weights once for all controls; they depend on theta alone */
        stages = dd_shooting_controls(t->shooting, k, theta, &first, stage_weight);
    } else if (t->mesh.control == DD_CONTROL_POLYNOMIAL) {
        dd_transcription_point_weights(t, k, theta, v);
    }
    /* the same polynomials as control_terms in transcription.c, with numbers in place of variables */
    for (uint32_t i = 0; i < o->u.len; i++) {
        u[i] = 0;
        if (t->mesh.control == DD_CONTROL_CONSTANT) {
            u[i] = y[t->u_at[k] + i];
        } else if (t->mesh.control == DD_CONTROL_LINEAR) {
            u[i] = (1 - s) * y[t->u_at[k] + i] + s * y[t->u_at[k + 1] + i];
        } else {
            for (uint32_t r = 0; r < stages; r++) {
                u[i] += stage_weight[r] * y[first + r * o->u.len + i];
            }
            for (uint32_t r = 1; r <= t->mesh.degree[k] && t->shooting == NULL; r++) {
                u[i] += v[r] * y[dd_transcription_u(t, k, r, i)];
            }
        }
        u[i] *= o->u.data[i].scale;
    }
}

/* sum_r w_r x_kr over the left end and the d points of interval k; z over the points alone. */
static void collocated_at(const dd_transcription *t, const double *y, uint32_t k, double theta, double *x, double *z)
{
    const dd_ocp_problem *o = t->o;
    uint32_t d = t->mesh.degree[k];
    double w[DD_DEGREE_MOST + 1];
    dd_transcription_weights(t, k, theta, w);
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] = 0;
        for (uint32_t r = 0; r <= d; r++) {
            x[i] += w[r] * y[dd_transcription_x(t, k, r, i)];
        }
        x[i] *= o->x.data[i].scale;
    }
    if (o->z.len == 0) {
        return;
    }
    dd_transcription_point_weights(t, k, theta, w);
    for (uint32_t i = 0; i < o->z.len; i++) {
        z[i] = 0;
        for (uint32_t r = 1; r <= d; r++) {
            z[i] += w[r] * y[dd_transcription_z(t, k, r, i)];
        }
        z[i] *= o->z.data[i].scale;
    }
}

void dd_transcription_at(const dd_transcription *t, const double *y, double theta, bool left, double *x, double *z,
                         double *u)
{
    uint32_t k = dd_mesh_interval(&t->mesh, theta, left);
    /* inside a step of shooting x and z follow from the integrator's own dense output */
    if (t->shooting != NULL) {
        dd_shooting_at(t->shooting, y, k, theta, x, z);
    } else {
        collocated_at(t, y, k, theta, x, z);
    }
    dd_transcription_control(t, y, k, theta, u);
}

uint32_t dd_transcription_points(const dd_transcription *t, uint32_t k)
{
    uint32_t d = t->mesh.degree[k];
    return t->shooting != NULL ? dd_shooting_points(t->shooting) : t->tau[d][d] < 1 - 1e-12 ? d : d - 1;
}

double dd_transcription_point(const dd_transcription *t, uint32_t k, uint32_t i)
{
    double part = t->shooting != NULL ? dd_shooting_point(t->shooting, i) : t->tau[t->mesh.degree[k]][i + 1];
    return t->mesh.theta[k] + part * (t->mesh.theta[k + 1] - t->mesh.theta[k]);
}

void dd_transcription_row_name(const dd_transcription *t, uint32_t row, dd_text *out)
{
    const dd_ocp_problem *o = t->o;
    const dd_row_tag *tag = &t->tags.data[row];
    /* a defect and a continuity row of the same state are the same to a user: his differential equation */
    switch (tag->kind) {
    case DD_ROW_DYNAMICS:
    case DD_ROW_CONTINUITY:
        dd_text_add(out, "the equation of der(");
        dd_model_var_name(o->model, o->x.data[tag->index].var, out);
        dd_text_add(out, ")");
        break;
    case DD_ROW_ALGEBRAIC: {
        /* rows of the reduced system have no name; the equation that they were derived from has */
        uint32_t row_of = o->g_row.data[tag->index];
        const dd_eq *eq = &o->system->eqs.data[o->equations->row_eq.data[row_of]];
        dd_text_add(out, dd_system_row_words(o->system, eq, o->pool));
        break;
    }
    case DD_ROW_START:
        dd_text_add(out, "the start value of ");
        dd_model_var_name(o->model, o->x.data[tag->index].var, out);
        break;
    case DD_ROW_STATE_BOUND:
        dd_text_add(out, "bounds of ");
        dd_model_var_name(o->model, o->x.data[tag->index].var, out);
        break;
    case DD_ROW_ALGEBRAIC_BOUND:
    case DD_ROW_TAP:
        dd_text_add(out, tag->kind == DD_ROW_TAP ? "the value of " : "bounds of ");
        dd_model_var_name(o->model, o->z.data[tag->index].var, out);
        break;
    case DD_ROW_PATH:
        dd_text_add(out, o->path.data[tag->index].name);
        break;
    case DD_ROW_KINK:
        dd_text_add(out, "a kink of the cost, of a constraint or of a rate");
        break;
    case DD_ROW_POINT:
    case DD_ROW_CONSISTENCY:
        dd_text_add(out, o->points.data[tag->index].name);
        break;
    }
}

/* ---- failures in words ---- */

static void add_value(const dd_transcription *t, dd_text *out, uint32_t var, uint32_t order, double value,
                      uint32_t *shown)
{
    if (*shown >= 6) {
        return;
    }
    dd_text_add(out, (*shown)++ == 0 ? ", where " : ", ");
    dd_text_add(out, order > 0 ? "der(" : "");
    dd_model_var_name(t->o->model, var, out);
    dd_text_printf(out, "%s = %.6g", order > 0 ? ")" : "", value);
}

const char *dd_transcription_nonfinite_words(const dd_transcription *t, const double *y, uint32_t family,
                                             uint32_t point, uint32_t output, const char *where)
{
    const dd_ocp_problem *o = t->o;
    dd_text text = dd_text_new(o->pool);
    uint32_t row = dd_elements_row_of(t->elements, family, point, output), n = dd_transcription_inputs(o), shown = 0;
    size_t ld;
    const double *in = dd_elements_inputs(t->elements, family, y, &ld);
    /* first how many inputs there are, then which of them the failing function contains */
    bool *on = dd_pool_alloc_array(o->pool, dd_elements_depends(t->elements, family, output, NULL) + 1, sizeof *on);
    uint32_t n_in = dd_elements_depends(t->elements, family, output, on);
    /* the function, the time and the values: with these a user finds a division by zero */
    if (row == DD_OBJECTIVE) {
        dd_text_add(&text, "the objective");
    } else if (row < t->tags.len) {
        dd_transcription_row_name(t, row, &text);
    }
    double theta = row < t->tags.len ? t->tags.data[row].theta : 0, time = dd_transcription_time(t, y, theta);
    if (n_in >= n) { /* families of points begin with x, z, u, p and time */
        time = in[(size_t)(o->x.len + o->z.len + o->u.len + o->p.len) * ld + point];
    }
    dd_text_printf(&text, " is not a finite number at time %.4g%s", time, where);
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->u, &o->p};
    uint32_t input = 0;
    for (int k = 0; k < 4 && n_in >= n; k++) { /* families of points begin with these */
        for (uint32_t i = 0; i < lists[k]->len; i++, input++) {
            if (on[input]) {
                add_value(t, &text, lists[k]->data[i].var, lists[k]->data[i].order, in[input * ld + point], &shown);
            }
        }
    }
    dd_text_add(&text, "; give an initialGuess or bounds that keep it defined");
    return dd_text_str(&text);
}
