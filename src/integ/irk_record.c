/* irk_record.c - the last step of an implicit Runge-Kutta method for its derivatives. */
#include <string.h>

#include "integ/irk_impl.h"
#include "integ/step_record.h"

/* W_i = x_n + sum_j A_ij u_j for x, u_i for z. */
static void set_point(const irk *r, uint32_t i, double *point, double *rate)
{
    const uint8_t *x = r->base.problem->differential;
    const uint32_t n = r->n, s = r->s;
    for (uint32_t j = 0; j < n; j++) {
        const double own = r->u_last[(size_t)i * n + j];
        double sum = x[j] ? r->w_old[j] : own;
        for (uint32_t k = 0; k < s && x[j]; k++) {
            sum += r->tableau->A[(size_t)i * s + k] * r->u_last[(size_t)k * n + j];
        }
        point[j] = sum;
        rate[j] = x[j] ? own / r->h_last : 0.0;
    }
}

void dd_irk_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    const irk *r = (const irk *)it;
    const dd_tableau *tab = r->tableau;
    const uint32_t n = r->n, s = r->s;
    (void)dense;
    /* one vector in, one out: x_n, x_{n+1} */
    dd_record_one_input(out, r->h_last);
    out->stages = s;
    if (!out->point) {
        return;
    }
    /* diagonal methods are differentiated stage by stage, coupled ones at once */
    out->coupled = r->matrix != NULL;
    out->first_known = r->first > 0 || (!r->matrix && tab->A[0] == 0);
    out->end_solved = r->end_solved;
    out->end_continued = dd_irk_end_weights(r, out->end);
    /* the end is x_n + h sum b_i K_i, then projected in this norm, then solved for x' and z */
    out->shift = r->projector ? r->shift : NULL;
    out->scale = r->scale;
    out->old = r->w_old;
    out->scale_floor = r->options.fixed_step > 0;
    out->scale_both = !out->scale_floor;
    out->scale_slope = out->scale_floor ? 1.0 : r->rtol_now;
    memcpy(out->b, tab->b, s * sizeof *out->b);
    for (uint32_t i = 0; i < s; i++) {
        out->time[i] = it->t_old + tab->c[i] * r->h_last;
        memcpy(out->A + (size_t)i * out->room, tab->A + (size_t)i * s, s * sizeof *out->A);
        set_point(r, i, out->point + (size_t)i * n, out->rate + (size_t)i * n);
    }
}

void dd_irk_weights(const dd_integrator *it, double t, dd_step_dense *out)
{
    const irk *r = (const irk *)it;
    const double h = r->h_last, theta = (t - it->t_old) / h;
    /* the collocation polynomial is linear in x_n, K_i and z_i */
    if (r->tableau->collocation) {
        out->x.input[0] = 1;
        out->x.shift = theta;
        dd_irk_lagrange_integrals(r, theta, out->x.rate);
        dd_irk_lagrange(r, theta, out->z.value);
        for (uint32_t i = 0; i < r->s; i++) {
            out->slope.rate[i] = out->z.value[i] / h;
        }
        return;
    }
    /* Hermite's cubic */
    const double a = theta * theta * (3 - 2 * theta), b = theta * (1 - theta);
    out->solved = dd_irk_z_follows(r);
    out->x.input[0] = 1 - a;
    out->x.output[0] = a;
    out->z.input[0] = 1 - theta;
    out->z.output[0] = theta;
    out->x.old_slope = h * b * (1 - theta);
    out->x.new_slope = -h * b * theta;
    out->slope.input[0] = -6 * b / h;
    out->slope.output[0] = 6 * b / h;
    out->slope.old_slope = (1 - theta) * (1 - 3 * theta);
    out->slope.new_slope = theta * (3 * theta - 2);
}
