/* transcription_inputs.c - the inputs of points: which combinations of variables x, z, u, p and the times of a
 * point are. */
#include <math.h>

#include "ocp/data.h"
#include "ocp/shooting.h"
#include "ocp/transcription_impl.h"

#define AT_NODE 1e-12 /* of the horizon: an instant that is a node but for rounding */

/* ---- points of the mesh ---- */

/* Only those that the functions of the family contain. */
static void note_moving(dd_transcription *t, dd_moving_input moving)
{
    if (dd_elements_uses(t->elements, moving.family, moving.input)) {
        dd_vec_push(t->pool, &t->moving, moving);
    }
}

/* input = t0 + theta (tf - t0), times factor */
void dd_transcription_time_terms(dd_transcription *t, uint32_t family, uint32_t point, uint32_t input, double of_t0,
                                 double of_tf)
{
    const dd_ocp_problem *o = t->o;
    note_moving(t, (dd_moving_input){family, point, input, DD_NO_INDEX, false, of_t0, of_tf});
    if (t->t0_at != NONE) {
        dd_elements_input(t->elements, family, point, input, t->t0_at, of_t0);
    } else {
        dd_elements_offset(t->elements, family, point, input, of_t0 * o->t0_value);
    }
    if (t->tf_at != NONE) {
        dd_elements_input(t->elements, family, point, input, t->tf_at, of_tf);
    } else {
        dd_elements_offset(t->elements, family, point, input, of_tf * o->tf_value);
    }
}

/* Controls at collocation point j of interval k (j = 0: its left end), or at its right end. */
static void control_terms(dd_transcription *t, uint32_t family, uint32_t point, uint32_t input, uint32_t k,
                          double theta)
{
    const dd_ocp_problem *o = t->o;
    double w[DD_DEGREE_MOST + 1], s = (theta - t->mesh.theta[k]) / (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    double v[DD_TABLEAU_STAGES];
    uint32_t d = t->mesh.degree[k], first = 0;
    uint32_t stages = t->shooting != NULL ? dd_shooting_controls(t->shooting, k, theta, &first, v) : 0;
    dd_transcription_point_weights(t, k, theta, w);
    /* a control at theta is a combination of few variables; its factors are those of its polynomial in the
     * interval */
    for (uint32_t i = 0; i < o->u.len; i++) {
        double scale = o->u.data[i].scale;
        switch (t->mesh.control) {
        case DD_CONTROL_CONSTANT:
            dd_elements_input(t->elements, family, point, input + i, t->u_at[k] + i, scale);
            break;
        case DD_CONTROL_LINEAR:
            /* (1 - s) u_k + s u_{k+1}; at the nodes themselves only one of the two takes part */
            if (s < 1) {
                dd_elements_input(t->elements, family, point, input + i, t->u_at[k] + i, (1 - s) * scale);
            }
            if (s > 0) {
                dd_elements_input(t->elements, family, point, input + i, t->u_at[k + 1] + i, s * scale);
            }
            break;
        case DD_CONTROL_POLYNOMIAL:
            /* of the stages of a shooting step, or of the collocation points; d = 0 in the first case, no stages
             * in the second */
            for (uint32_t r = 0; r < stages; r++) {
                if (fabs(v[r]) > DD_NO_WEIGHT) {
                    dd_elements_input(t->elements, family, point, input + i, first + r * o->u.len + i, v[r] * scale);
                }
            }
            for (uint32_t r = 1; r <= d; r++) {
                if (fabs(w[r]) > DD_NO_WEIGHT) {
                    dd_elements_input(t->elements, family, point, input + i, dd_transcription_u(t, k, r, i),
                                      w[r] * scale);
                }
            }
            break;
        }
    }
}

/* The inputs that all families begin with: x, z, u, p, time, t0, tf, data. Returns how many there are. */
uint32_t dd_transcription_common_inputs(const dd_ocp_problem *o, dd_expr *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->x.len; i++) {
        out[n++] = o->x.data[i].symbol;
    }
    for (uint32_t i = 0; i < o->z.len; i++) {
        out[n++] = o->z.data[i].symbol;
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        out[n++] = o->u.data[i].symbol;
    }
    for (uint32_t i = 0; i < o->p.len; i++) {
        out[n++] = o->p.data[i].symbol;
    }
    out[n++] = o->time;
    out[n++] = o->t0;
    out[n++] = o->tf;
    for (uint32_t i = 0; i < o->data.len; i++) {
        out[n++] = o->data.data[i].symbol;
    }
    return n;
}

void dd_transcription_parameter_terms(dd_transcription *t, uint32_t family, uint32_t point, uint32_t input)
{
    const dd_ocp_problem *o = t->o;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_elements_input(t->elements, family, point, input + i, t->p_at + i, o->p.data[i].scale);
    }
}

/* Common inputs at point j of interval k; j = 0: its left end, j = d + 1: its right end. There z is not. */
void dd_transcription_fill_common(dd_transcription *t, uint32_t family, uint32_t point, uint32_t k, uint32_t j)
{
    const dd_ocp_problem *o = t->o;
    uint32_t d = t->mesh.degree[k], input = 0;
    double s = j == 0 ? 0 : j > d ? 1 : t->tau[d][j];
    double theta = j > d ? t->mesh.theta[k + 1] : t->mesh.theta[k] + s * (t->mesh.theta[k + 1] - t->mesh.theta[k]);
    /* the order is that of common_inputs */
    for (uint32_t i = 0; i < o->x.len; i++, input++) {
        uint32_t at = j > d ? t->x_at[k + 1] + i : dd_transcription_x(t, k, j, i);
        dd_elements_input(t->elements, family, point, input, at, o->x.data[i].scale);
    }
    for (uint32_t i = 0; i < o->z.len; i++, input++) {
        if (j >= 1 && j <= d) {
            dd_elements_input(t->elements, family, point, input, dd_transcription_z(t, k, j, i), o->z.data[i].scale);
        }
    }
    control_terms(t, family, point, input, k, theta);
    input += o->u.len;
    dd_transcription_parameter_terms(t, family, point, input);
    input += o->p.len;
    /* time, t0 and tf are linear in the free ones among t0 and tf */
    dd_transcription_time_terms(t, family, point, input, 1 - theta, theta);
    dd_transcription_time_terms(t, family, point, input + 1, 1, 0);
    dd_transcription_time_terms(t, family, point, input + 2, 0, 1);
    double time = theta >= 1 ? o->tf_value : o->t0_value + theta * (o->tf_value - o->t0_value);
    for (uint32_t i = 0; i < o->data.len; i++) { /* with data the horizon is not free: this is the time */
        double at = dd_data_at(o->data.data[i].column, time, j >= d);
        dd_elements_offset(t->elements, family, point, input + 3 + i, at);
        note_moving(t, (dd_moving_input){family, point, input + 3 + i, i, j >= d, 1 - theta, theta});
    }
}

/* ---- instants ---- */

uint32_t dd_mesh_interval(const dd_mesh *mesh, double theta, bool left)
{
    uint32_t low = 0, high = mesh->n - 1;
    while (low < high) {
        uint32_t mid = (low + high + 1) / 2;
        bool past = left ? mesh->theta[mid] < theta : mesh->theta[mid] <= theta;
        if (past) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

void dd_transcription_instant_terms(dd_transcription *t, uint32_t family, uint32_t input, const dd_instant *at)
{
    const dd_ocp_problem *o = t->o;
    uint32_t k = dd_mesh_interval(&t->mesh, at->theta, at->theta >= 1), d = t->mesh.degree[k];
    double w[DD_DEGREE_MOST + 1] = {0}, v[DD_DEGREE_MOST + 1] = {0};
    uint32_t instant = (uint32_t)(at - o->instants.data);
    uint32_t tap_x = t->shooting != NULL ? dd_shooting_tap_x(t->shooting, instant) : NONE;
    uint32_t tap_z = t->shooting != NULL ? dd_shooting_tap_z(t->shooting, instant) : NONE;
    /* x by the d + 1 values of its interval, z and controls by the d values at the points */
    dd_transcription_weights(t, k, at->theta, w);
    dd_transcription_point_weights(t, k, at->theta, v);
    bool at_left = fabs(at->theta - t->mesh.theta[k]) < AT_NODE,
         at_right = fabs(at->theta - t->mesh.theta[k + 1]) < AT_NODE;
    /* at a node x itself is a variable; inside an interval it is a combination, or a tap of the integrator with
     * shooting */
    for (uint32_t i = 0; i < o->x.len; i++, input++) {
        double scale = o->x.data[i].scale;
        if (at_left || at_right || t->shooting != NULL) {
            uint32_t at_node = t->x_at[at_left ? k : k + 1];
            dd_elements_input(t->elements, family, 0, input, (at_left || at_right ? at_node : tap_x) + i, scale);
            continue;
        }
        for (uint32_t r = 0; r <= d; r++) {
            dd_elements_input(t->elements, family, 0, input, dd_transcription_x(t, k, r, i), w[r] * scale);
        }
    }
    for (uint32_t i = 0; i < o->z.len; i++, input++) {
        if (tap_z != NONE) {
            dd_elements_input(t->elements, family, 0, input, tap_z + i, o->z.data[i].scale);
        }
        for (uint32_t r = 1; r <= d; r++) {
            if (fabs(v[r]) > DD_NO_WEIGHT) {
                dd_elements_input(t->elements, family, 0, input, dd_transcription_z(t, k, r, i),
                                  v[r] * o->z.data[i].scale);
            }
        }
    }
    control_terms(t, family, 0, input, k, at->theta);
    input += o->u.len;
    dd_transcription_time_terms(t, family, 0, input, 1 - at->theta, at->theta);
}
