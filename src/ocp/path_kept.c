/* path_kept.c - der(e) = de/dt + sum_i de/dx_i f_i at random points with e = c. */
#include "ocp/path_kept.h"

#include <math.h>

#include "base/random.h"
#include "ocp/compiled.h"

enum { POINTS = 6, LEAST_POINTS = 4, NEWTON = 30 };
#define SPREAD 0.3     /* of an expected size: how far points are from the guess */
#define ON_ROW 1e-12   /* residual beside the terms of the row: Newton's method is there */
#define ROUNDING 1e-10 /* of the largest term of the derivative */

typedef struct probe {
    dd_ocp_problem *o;
    const dd_ocp_row *row;
    dd_expr_vec inputs;    /* x, u, p, time */
    dd_expr_vec outputs;   /* e, de/dx_i, de/dt, de/dx_i f_i */
    dd_program_work *work; /* of the outputs */
    double *v, *value, *z;
} probe;

/* Algebraic variables and data have values that a random point does not know. */
static bool has_unknowns(const probe *k)
{
    const dd_ocp_problem *o = k->o;
    bool has = false;
    for (uint32_t i = 0; i < k->outputs.len && !has; i++) {
        for (uint32_t j = 0; j < o->z.len && !has; j++) {
            has = dd_depends(o->dag, k->outputs.data[i], o->z.data[j].symbol);
        }
        for (uint32_t j = 0; j < o->data.len && !has; j++) {
            has = dd_depends(o->dag, k->outputs.data[i], o->data.data[j].symbol);
        }
    }
    return has;
}

static void prepare(probe *k, dd_pool *pool)
{
    dd_ocp_problem *o = k->o;
    const dd_decision_vec *lists[] = {&o->x, &o->u, &o->p};
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            dd_vec_push(pool, &k->inputs, lists[l]->data[i].symbol);
        }
    }
    dd_vec_push(pool, &k->inputs, o->time);
    /* the row, its gradient, and the terms of its derivative */
    dd_vec_push(pool, &k->outputs, k->row->e);
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_vec_push(pool, &k->outputs, dd_diff(o->dag, k->row->e, o->x.data[i].symbol));
    }
    dd_vec_push(pool, &k->outputs, dd_diff(o->dag, k->row->e, o->time));
    for (uint32_t i = 0; i < o->x.len; i++) {
        dd_vec_push(pool, &k->outputs, dd_mul(o->dag, k->outputs.data[1 + i], o->f.data[i]));
    }
}

static void evaluate(probe *k)
{
    const double *in[] = {k->v};
    dd_program_eval(k->work, in, k->value);
}

/* States of the guess at a time, moved; controls anywhere between their bounds. */
static void choose(probe *k, const dd_guess *guess, double theta, uint64_t *random)
{
    const dd_ocp_problem *o = k->o;
    double *x = k->v, *u = x + o->x.len, *p = u + o->u.len;
    guess->at(guess->user, theta, false, x, k->z, u);
    for (uint32_t i = 0; i < o->x.len; i++) {
        x[i] += SPREAD * o->x.data[i].scale * dd_random(random);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const dd_decision *d = &o->u.data[i];
        const double moved = u[i] + d->scale * dd_random(random);
        u[i] = fmin(fmax(moved, d->lower), d->upper);
    }
    for (uint32_t i = 0; i < o->p.len; i++) {
        p[i] = o->p.data[i].start_value;
    }
    p[o->p.len] = o->t0_value + theta * (o->tf_value - o->t0_value);
}

/* Onto the row along its scaled gradient s^2 g, by the least change in expected sizes: x += s^2 g (c - e)/(g s^2 g). */
static bool go_to_row(probe *k)
{
    const dd_ocp_problem *o = k->o;
    for (uint32_t n = 0; n < NEWTON; n++) {
        evaluate(k);
        double slope = 0, size = fabs(k->row->lower);
        for (uint32_t i = 0; i < o->x.len; i++) {
            const double g = k->value[1 + i], s = o->x.data[i].scale;
            slope += g * g * s * s;
            size += fabs(g * k->v[i]);
        }
        const double off = k->row->lower - k->value[0];
        if (!isfinite(off) || !(slope > 0)) {
            return false;
        }
        if (fabs(off) <= ON_ROW * size) {
            return true;
        }
        for (uint32_t i = 0; i < o->x.len; i++) {
            const double s = o->x.data[i].scale;
            k->v[i] += s * s * k->value[1 + i] * off / slope;
        }
    }
    return false;
}

/* The derivative along the motion is the rounding of its terms. */
static bool stays(const probe *k, bool *known)
{
    const double *term = k->value + 1 + k->o->x.len;
    double sum = 0, size = 0;
    for (uint32_t i = 0; i <= k->o->x.len; i++) {
        sum += term[i];
        size += fabs(term[i]);
    }
    *known = isfinite(size);
    return *known && fabs(sum) <= ROUNDING * size;
}

bool dd_ocp_path_is_kept(dd_ocp_problem *o, const dd_ocp_row *row, const dd_guess *guess, dd_pool *pool)
{
    probe k = {.o = o, .row = row};
    if (o->x.len == 0) {
        return false;
    }
    prepare(&k, pool);
    if (has_unknowns(&k)) {
        return false;
    }
    k.work = dd_ocp_compile(o, k.inputs.data, k.inputs.len, k.outputs.data, k.outputs.len, pool);
    k.v = dd_pool_alloc_array(pool, k.inputs.len + 1, sizeof *k.v);
    k.value = dd_pool_alloc_array(pool, k.outputs.len + 1, sizeof *k.value);
    k.z = dd_pool_alloc_array(pool, o->z.len + 1, sizeof *k.z);
    /* one point that leaves the row is enough to say no */
    uint32_t points = 0;
    uint64_t random = 1;
    for (uint32_t n = 0; n < POINTS; n++) {
        choose(&k, guess, (n + 0.5) / POINTS, &random);
        bool known = false;
        if (!go_to_row(&k)) {
            continue; /* a logarithm has no value there, say */
        }
        if (!stays(&k, &known) && known) {
            return false;
        }
        points += known;
    }
    return points >= LEAST_POINTS;
}
