/* explicit_record.c - the last step of an explicit Runge-Kutta method for its derivatives. */
#include <string.h>

#include "integ/explicit_impl.h"
#include "integ/step_record.h"

static void set_stage(explicit_rk *e, uint32_t i, const double *a, double c, dd_step_record *out)
{
    const uint32_t n = e->n, s = e->tableau->stages;
    out->time[i] = e->base.t_old + c * e->h_last;
    memcpy(out->A + (size_t)i * out->room, a, (i < s ? s : e->extension.stages) * sizeof *a);
    memcpy(out->point + (size_t)i * n, i == 0 ? e->w_old : e->points + (size_t)i * n, n * sizeof *out->point);
    memcpy(out->rate + (size_t)i * n, e->k + (size_t)i * n, n * sizeof *out->rate);
}

void dd_explicit_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    explicit_rk *e = (explicit_rk *)it;
    const dd_tableau *tab = e->tableau;
    const uint32_t s = tab->stages, extra = e->extension.stages - s;
    /* one vector in, one out: x_n, x_{n+1} */
    dd_record_one_input(out, e->h_last);
    out->stages = s;
    out->extra = extra;
    if (!out->point) {
        return;
    }
    /* stage 1 is the end of the last step, whose derivative is known */
    out->first_known = true;
    out->end_solved = e->end_solved;
    /* the end is x_n + h sum b_i k_i, then projected in this norm, then solved for x' and z */
    out->shift = e->projector ? e->shift : NULL;
    out->scale = e->scale;
    out->old = e->w_old;
    out->scale_floor = e->options.fixed_step > 0;
    out->scale_both = !out->scale_floor;
    out->scale_slope = out->scale_floor ? 1.0 : e->rtol_now;
    memcpy(out->b, tab->b, s * sizeof *out->b);
    for (uint32_t i = 0; i < s; i++) {
        set_stage(e, i, tab->A + (size_t)i * s, tab->c[i], out);
    }
    /* the further stages only where values between the ends are differentiated */
    if (dense && !e->extended) {
        dd_explicit_extend(e);
    }
    for (uint32_t q = 0; q < extra && dense; q++) {
        set_stage(e, s + q, e->extension.A + (size_t)q * e->extension.stages, e->extension.c[q], out);
        out->end_stage = dd_explicit_is_end(e, q) ? s + q : out->end_stage;
    }
}

void dd_explicit_weights_at(const dd_integrator *it, double t, dd_step_dense *out)
{
    const explicit_rk *e = (const explicit_rk *)it;
    const double theta = (t - it->t_old) / e->h_last;
    out->solved = e->n_algebraic > 0;
    /* x(theta) is x_n, the stages by their weights, and the projection's part */
    out->x.input[0] = 1;
    out->x.shift = e->projector ? theta : 0.0;
    dd_explicit_extension_weights(e, theta, out->x.rate, out->slope.rate);
    for (uint32_t i = 0; i < e->extension.stages; i++) {
        out->slope.rate[i] /= e->h_last;
    }
}
