/* radau_record.c - the last step of the Radau integrator for its derivatives: stages, polynomial, and the transformed
 * factors as an approximate inverse of the linear equations at the converged stages. */
#include "integ/radau_impl.h"
#include "integ/step_record.h"

void dd_radau_record(dd_integrator *it, bool dense, dd_step_record *out)
{
    const radau *r = (const radau *)it;
    const uint32_t n = r->n;
    (void)dense;
    /* one vector in, one out: x_n, x_{n+1} */
    dd_record_one_input(out, r->h_last);
    if (!out->point) {
        out->stages = 3 + 2 * r->most;
        return;
    }
    /* the order may have changed since: use that of the step */
    const radau_order *o = &r->order[r->last];
    const uint32_t s = o->k.s;
    out->stages = s;
    out->coupled = true;
    out->shift = r->projector ? r->shift : NULL;
    out->scale = r->scale;
    out->old = r->w_old;
    out->scale_slope = r->scale_slope;
    /* a collocation method with coupled stages, its last row b */
    for (uint32_t i = 0; i < s; i++) {
        out->time[i] = it->t_old + o->k.c[i] * r->h_last;
        out->b[i] = o->k.A[(size_t)(s - 1) * s + i];
        for (uint32_t k = 0; k < s; k++) {
            out->A[(size_t)i * out->room + k] = o->k.A[(size_t)i * s + k];
        }
        for (uint32_t j = 0; j < n; j++) {
            const size_t at = (size_t)j * o->ld + i;
            out->point[(size_t)i * n + j] = r->w_old[j] + r->z_last[at];
            out->rate[(size_t)i * n + j] = r->base.problem->differential[j] ? r->k[at] : 0.0;
        }
    }
}

void dd_radau_dense(const dd_integrator *it, double t, dd_step_dense *out)
{
    const radau *r = (const radau *)it;
    const radau_order *o = &r->order[r->last];
    const double theta = (t - it->t_old) / r->h_last;
    /* P is linear in the stages; the weights sum to one, so x_n has what is left */
    dd_radau_polynomial(o, theta, out->x.value);
    dd_radau_polynomial_slope(o, theta, out->slope.value);
    out->x.input[0] = 1;
    out->x.shift = theta;
    for (uint32_t i = 0; i < o->k.s; i++) {
        out->x.input[0] -= out->x.value[i];
        out->slope.value[i] /= r->h_last;
        out->slope.input[0] -= out->slope.value[i];
    }
    out->z = out->x;
}

void dd_radau_correct(dd_integrator *it, double *v)
{
    radau *r = (radau *)it;
    const radau_order *o = &r->order[r->last];
    const uint32_t n = r->n, s = o->k.s;
    /* r = -T^-1 v, as in Newton's method */
    for (uint32_t c = 0; c < s; c++) {
        for (uint32_t j = 0; j < n; j++) {
            double sum = 0;
            for (uint32_t i = 0; i < s; i++) {
                sum -= o->k.T_inverse[(size_t)c * s + i] * v[(size_t)i * n + j];
            }
            r->du[(size_t)c * n + j] = sum;
        }
    }
    /* the factors of the step, approximate for the stages at the solution */
    dd_pencil_solve(r->real, r->du, NULL);
    for (uint32_t q = 0; q < o->k.pairs; q++) {
        dd_pencil_solve(r->pair[q], r->du + (size_t)(2 * q + 1) * n, r->du + (size_t)(2 * q + 2) * n);
    }
    /* back: K for x, Z for algebraic unknowns */
    for (uint32_t j = 0; j < n; j++) {
        const double *from = it->problem->differential[j] ? o->t_lambda : o->t;
        for (uint32_t i = 0; i < s; i++) {
            double sum = 0;
            for (uint32_t c = 0; c < s; c++) {
                sum += from[(size_t)c * o->ld + i] * r->du[(size_t)c * n + j];
            }
            v[(size_t)i * n + j] = sum;
        }
    }
}
