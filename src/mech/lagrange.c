/* lagrange.c - equations of motion from energies and constraints, by three gradients and one time derivative:
 *
 *   g  = d/dq  ( -T + V + sum lambda_c c - sum force point )     one reverse pass; the forces are not differentiated
 *   h  = d/dq' ( D + sum lambda_a a )                            one reverse pass
 *   m  = d/dq' ( T )                                             one reverse pass
 *   r  = dm/dt + g + h - Q                                       one forward pass over all m
 */
#include "mech/lagrange.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"

typedef struct motion {
    dd_dag *dag;
    dd_pool *pool;
    const dd_lagrange *in;
    dd_map place;   /* symbol q or q' -> coordinate + 1 */
    dd_expr *rates; /* q' */
    dd_expr_vec exprs, seeds;
    dd_expr_vec symbols, partials;
    dd_expr *momentum; /* dT/dq' */
    dd_expr *along_q, *along_rate;
} motion;

static dd_expr *zeros(const motion *m)
{
    dd_expr *a = dd_pool_alloc_array(m->pool, (size_t)m->in->nq + 1, sizeof *a);
    for (uint32_t i = 0; i < m->in->nq; i++) {
        a[i] = dd_rational(m->dag, 0, 1);
    }
    return a;
}

static void take(motion *m, dd_expr e, dd_expr seed)
{
    if (e != DD_EXPR_NONE) {
        dd_vec_push(m->pool, &m->exprs, e);
        dd_vec_push(m->pool, &m->seeds, seed);
    }
}

/* The gradient of the weighted sum taken so far, one entry per coordinate; empties the sum. */
static dd_expr *gradient(motion *m, const dd_expr *wanted)
{
    dd_expr *out = zeros(m);
    /* one reverse pass over sum_i seed_i e_i; only the coordinates that appear come back, the rest stays zero */
    m->symbols.len = m->partials.len = 0;
    dd_gradient(m->dag, &(dd_gradient_of){m->exprs.data, m->seeds.data, m->exprs.len, wanted, m->in->nq}, &m->symbols,
                &m->partials, m->pool);
    for (uint32_t k = 0; k < m->symbols.len; k++) {
        out[dd_map_get(&m->place, m->symbols.data[k]) - 1] = m->partials.data[k];
    }
    m->exprs.len = m->seeds.len = 0;
    return out;
}

static void name_coordinates(motion *m)
{
    m->place = dd_map_new(m->pool);
    m->rates = dd_pool_alloc_array(m->pool, (size_t)m->in->nq + 1, sizeof *m->rates);
    for (uint32_t i = 0; i < m->in->nq; i++) {
        assert(dd_op_of(m->dag, m->in->q[i]) == DD_OP_VAR && dd_symbol_order(m->dag, m->in->q[i]) == 0);
        m->rates[i] = dd_var(m->dag, dd_symbol_id(m->dag, m->in->q[i]), 1);
        dd_map_put(&m->place, m->in->q[i], i + 1);
        dd_map_put(&m->place, m->rates[i], i + 1);
    }
}

static void gradient_along_q(motion *m)
{
    /* -T + V + lambda_c c - force point; lambda and force are seeds, so they are constants for this derivative */
    dd_expr one = dd_rational(m->dag, 1, 1);
    take(m, m->in->T, dd_neg(m->dag, one));
    take(m, m->in->V, one);
    for (uint32_t i = 0; i < m->in->nc; i++) {
        take(m, m->in->c[i], m->in->lambda[i]);
    }
    for (uint32_t i = 0; i < m->in->nf; i++) {
        take(m, m->in->points[i], dd_neg(m->dag, m->in->forces[i]));
    }
    m->along_q = gradient(m, m->in->q);
}

static void gradients_along_rates(motion *m)
{
    dd_expr one = dd_rational(m->dag, 1, 1);
    /* momentum p = dT/dq' */
    take(m, m->in->T, one);
    m->momentum = gradient(m, m->rates);
    /* D + lambda_a a by q': dissipation and the forces of the constraints that are linear in speeds */
    take(m, m->in->D, one);
    for (uint32_t i = 0; i < m->in->na; i++) {
        take(m, m->in->a[i], m->in->lambda[m->in->nc + i]);
    }
    m->along_rate = gradient(m, m->rates);
}

void dd_lagrange_equations(dd_dag *dag, const dd_lagrange *in, dd_expr *residuals, dd_pool *scratch)
{
    motion m = {.dag = dag, .pool = scratch, .in = in};
    name_coordinates(&m);
    gradient_along_q(&m);
    gradients_along_rates(&m);
    /* p' by the chain rule in all symbols: this is where the accelerations q'' enter, linearly */
    dd_total_derivatives(dag, m.momentum, in->nq, NULL, NULL, m.momentum);
    /* r = p' + d(-T + V + ...)/dq + d(D + ...)/dq' - Q */
    for (uint32_t i = 0; i < in->nq; i++) {
        dd_expr force = in->Q != NULL ? dd_neg(dag, in->Q[i]) : dd_rational(dag, 0, 1);
        residuals[i] = dd_sum(dag, (dd_expr[]){m.momentum[i], m.along_q[i], m.along_rate[i], force}, 4);
    }
}

dd_lagrange_terms dd_lagrange_terms_of(dd_dag *dag, const dd_lagrange *in, dd_pool *pool)
{
    motion m = {.dag = dag, .pool = pool, .in = in};
    const dd_expr one = dd_rational(dag, 1, 1);
    dd_lagrange_terms t;
    name_coordinates(&m);
    /* L = T - V */
    take(&m, in->T, one);
    take(&m, in->V, dd_neg(dag, one));
    t.along_q = gradient(&m, in->q);
    take(&m, in->T, one);
    t.momentum = gradient(&m, m.rates);
    t.momentum_rate = zeros(&m);
    dd_total_derivatives(dag, t.momentum, in->nq, NULL, NULL, t.momentum_rate);
    take(&m, in->D, one);
    t.dissipation = gradient(&m, m.rates);
    /* forces of the constraints: holonomic ones by q, those linear in the speeds by q' */
    for (uint32_t i = 0; i < in->nc; i++) {
        take(&m, in->c[i], in->lambda[i]);
    }
    t.constraint = gradient(&m, in->q);
    for (uint32_t i = 0; i < in->na; i++) {
        take(&m, in->a[i], in->lambda[in->nc + i]);
    }
    const dd_expr *of_rates = gradient(&m, m.rates);
    /* virtual work of forces at points, and what is given directly */
    for (uint32_t i = 0; i < in->nf; i++) {
        take(&m, in->points[i], in->forces[i]);
    }
    t.force = gradient(&m, in->q);
    for (uint32_t i = 0; i < in->nq; i++) {
        t.constraint[i] = dd_add(dag, t.constraint[i], of_rates[i]);
        t.force[i] = in->Q ? dd_add(dag, t.force[i], in->Q[i]) : t.force[i];
    }
    return t;
}

static const dd_expr *copied(const dd_expr *list, uint32_t n, dd_pool *pool)
{
    dd_expr *copy = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *copy);
    if (n > 0) {
        memcpy(copy, list, n * sizeof *copy);
    }
    return copy;
}

dd_lagrange *dd_lagrange_copy(const dd_lagrange *in, dd_pool *pool)
{
    dd_lagrange *l = dd_pool_alloc(pool, sizeof *l);
    *l = *in;
    l->q = copied(in->q, in->nq, pool);
    l->c = copied(in->c, in->nc, pool);
    l->a = copied(in->a, in->na, pool);
    l->lambda = copied(in->lambda, in->nc + in->na, pool);
    l->Q = in->Q ? copied(in->Q, in->nq, pool) : NULL;
    l->forces = copied(in->forces, in->nf, pool);
    l->points = copied(in->points, in->nf, pool);
    return l;
}
