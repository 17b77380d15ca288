/* linearize.c - A, B, C, D of a model at a point of its solution.
 *
 * The reduced equations F(x', x, z, u) = 0 and invariants c(x, u) = 0 are differentiated at the point:
 *
 *     G dx + c_u du = 0                          dependent ones dx_D = -G_D^-1 (G_S dx_S + c_u du), states x_S chosen
 *     [F_x' F_z] (dx', dz) = -(F_x dx + F_u du)  index 1: this matrix is regular
 *     dy = h_x' dx' + h_w dw + h_u du
 *
 * so one direction dx_S = e_k or du = e_k after the other yields the columns of A, C and B, D. Directions of
 * derivatives of inputs must have no effect: the form has no place for them. Inputs that --set gives a formula were
 * put into the equations of the simulation; for these the model is analysed once more with general inputs, and the
 * formula is their value at the point. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "la/lapack.h"
#include "la/linsolver.h"
#include "la/weierstrass.h"
#include "sim/linearize_impl.h"
#include "structure/numeric.h"

enum { DENSE_UP_TO = 100 }; /* unknowns: above, sparse factors pay */

void dd_lin_refuse(dd_lin_work *k, dd_sim_status status, const char *reason)
{
    k->l->info.status = status;
    k->l->info.reason = reason;
}

bool dd_lin_refused(const dd_lin_work *k)
{
    return k->l->info.status != DD_SIM_OK;
}

/* ---- derivatives ---- */

typedef struct columns { /* symbol -> 1 + direction */
    dd_map of;
} columns;

static void differentiate(dd_lin_work *k, const dd_expr *rows, uint32_t count, const columns *c,
                          dd_lin_partial_vec *out)
{
    dd_dag *dag = k->s->model->dag;
    dd_expr_vec values = {0};
    /* formulas of all partials first, their values in one evaluation */
    for (uint32_t i = 0; i < count; i++) {
        dd_expr_vec symbols = {0}, partials = {0};
        dd_check_stop(k->l->ctx);
        dd_partials(dag, rows[i], false, &symbols, &partials, k->scratch);
        for (uint32_t p = 0; p < symbols.len; p++) {
            uint32_t at = (uint32_t)dd_map_get(&c->of, symbols.data[p]);
            if (at > 0) {
                dd_vec_push(k->scratch, out, (dd_lin_partial){i, at - 1, 0});
                dd_vec_push(k->scratch, &values, partials.data[p]);
            }
        }
        dd_vec_free(k->scratch, &symbols);
        dd_vec_free(k->scratch, &partials);
    }
    double *number = dd_pool_alloc_array(k->scratch, 2 * (size_t)values.len + 2, sizeof *number);
    const dd_numeric_place at = {k->taylor, k->stride, k->l->at};
    dd_numeric_values(k->s, values.data, values.len, &at, number, number + values.len, k->scratch);
    for (uint32_t p = 0; p < values.len; p++) {
        out->data[p].value = number[p];
    }
}

void dd_lin_find_outputs(dd_lin_work *k)
{
    const dd_model *m = k->s->model;
    /* declared outputs; without any, all variables */
    for (int declared = 1; declared >= 0 && k->outputs.len == 0; declared--) {
        for (uint32_t c = 0; c < k->s->declared; c++) {
            if (!declared || m->arrays.data[m->vars.data[k->s->unknown[c]].array].is_output) {
                dd_vec_push(k->scratch, &k->outputs, c);
                dd_vec_push(k->scratch, &k->output,
                            dd_equations_resolve(k->s, k->q->equations, dd_var(m->dag, k->s->unknown[c], 0)));
            }
        }
    }
}

static void find_derivatives(dd_lin_work *k)
{
    const dd_numbers *q = k->q;
    const dd_equations *eq = q->equations;
    /* one map for inputs alone, one for everything an output can depend on */
    columns inputs = {dd_map_new(k->scratch)}, all = {dd_map_new(k->scratch)};
    for (uint32_t j = 0; j < k->n; j++) {
        dd_map_put(&all.of, q->rate_symbol.data[j], j + 1);
        dd_map_put(&all.of, q->w.data[j], k->n + j + 1);
    }
    for (uint32_t i = 0; i < k->nin; i++) {
        dd_map_put(&inputs.of, q->inputs.data[i], i + 1);
        dd_map_put(&all.of, q->inputs.data[i], 2 * k->n + i + 1);
    }
    differentiate(k, eq->rows.data, eq->rows.len, &inputs, &k->f_u);
    differentiate(k, eq->invariants.data, eq->invariants.len, &inputs, &k->c_u);
    differentiate(k, k->output.data, k->output.len, &all, &k->h_w);
    uint32_t nnz = q->problem.pattern.ptr[k->n], gnnz = q->problem.invariant_pattern.ptr[k->n];
    k->m = dd_pool_alloc_array(k->scratch, nnz + 1, sizeof(double));
    k->j = dd_pool_alloc_array(k->scratch, nnz + 1, sizeof(double));
    k->g = dd_pool_alloc_array(k->scratch, gnnz + 1, sizeof(double));
    /* F_x', F_x, F_z and G by the compiled programs */
    q->problem.jacobian(q->problem.user, k->t, k->w, k->wdot, k->m, k->j);
    q->problem.invariant_jacobian(q->problem.user, k->t, k->w, k->g);
}

/* ---- factorisations ---- */

/* Never raises. */
static dd_status factor(dd_linsolver **out, dd_context *ctx, const dd_csc *a, bool *singular)
{
    dd_status st = dd_linsolver_new(out, ctx, a->ncols <= DENSE_UP_TO ? "dense" : "klu");
    /* a pivot below rounding means that the point is singular */
    if (st == DD_OK) {
        dd_linsolver_set_singular(*out, 1e-15);
        st = dd_linsolver_analyse(*out, a);
    }
    if (st == DD_OK) {
        st = dd_linsolver_factor(*out, a);
    }
    *singular = st != DD_OK || dd_linsolver_get_info(*out).singular;
    return st;
}

/* [F_x' F_z] on the pattern of F; G_D. */
static void factor_all(dd_lin_work *k)
{
    const dd_problem *p = &k->q->problem;
    /* columns of M for x', of J for z */
    dd_csc a = p->pattern, d = {.nrows = k->ninv, .ncols = k->ninv};
    bool singular = false;
    a.val = dd_pool_alloc_array(k->scratch, a.ptr[k->n] + 1, sizeof(double));
    for (uint32_t j = 0; j < k->n; j++) {
        for (uint32_t e = a.ptr[j]; e < a.ptr[j + 1]; e++) {
            a.val[e] = j < k->nx ? k->m[e] : k->j[e];
        }
    }
    dd_system_must(k->s, k->n > 0 ? factor(&k->index_one, k->l->ctx, &a, &singular) : DD_OK, "linearization");
    /* G restricted to the dependent unknowns */
    d.ptr = dd_pool_alloc_array(k->scratch, k->ninv + 1, sizeof *d.ptr);
    d.idx = dd_pool_alloc_array(k->scratch, p->invariant_pattern.ptr[k->n] + 1, sizeof *d.idx);
    d.val = dd_pool_alloc_array(k->scratch, p->invariant_pattern.ptr[k->n] + 1, sizeof *d.val);
    for (uint32_t r = 0, at = 0; r < k->ninv; r++) {
        const uint32_t *ptr = p->invariant_pattern.ptr + k->follows[r];
        for (uint32_t e = ptr[0]; e < ptr[1]; e++, at++) {
            d.idx[at] = p->invariant_pattern.idx[e];
            d.val[at] = k->g[e];
        }
        d.ptr[r + 1] = at;
    }
    bool dependent = false;
    dd_system_must(k->s, k->ninv > 0 ? factor(&k->dependent, k->l->ctx, &d, &dependent) : DD_OK, "linearization");
    if (singular || dependent) {
        dd_lin_refuse(
            k, DD_SIM_SINGULAR,
            dd_pool_printf(k->l->pool, "at time %.10g the equations lose rank: they cannot be linearized there", k->t));
    }
}

/* ---- directions ---- */

typedef struct direction {
    double *dx; /* nx */
    double *r;  /* n: dx', then dz */
    double *c;  /* ninv */
    double *dy; /* outputs */
} direction;

/* dx from the states (d->dx has them) and the input symbol (DD_NO_INDEX: none); then dx', dz and dy. */
static void follow(dd_lin_work *k, uint32_t input, direction *d)
{
    /* three solves: dependent dx, then dx' and dz, then dy by substitution */
    const dd_problem *p = &k->q->problem;
    memset(d->c, 0, (k->ninv + 1) * sizeof *d->c);
    memset(d->r, 0, (k->n + 1) * sizeof *d->r);
    memset(d->dy, 0, (k->outputs.len + 1) * sizeof *d->dy);
    const dd_csc g = {k->ninv, k->nx, p->invariant_pattern.ptr, p->invariant_pattern.idx, k->g, 0};
    dd_csc_multiply(&g, -1, d->dx, d->c);
    for (uint32_t i = 0; i < k->c_u.len; i++) {
        d->c[k->c_u.data[i].row] -= k->c_u.data[i].direction == input ? k->c_u.data[i].value : 0.0;
    }
    dd_system_must(k->s, k->ninv > 0 ? dd_linsolver_solve(k->dependent, 1, d->c) : DD_OK, "linearization");
    for (uint32_t r = 0; r < k->ninv; r++) {
        d->dx[k->follows[r]] = d->c[r];
    }
    const dd_csc f_x = {k->n, k->nx, p->pattern.ptr, p->pattern.idx, k->j, 0};
    dd_csc_multiply(&f_x, -1, d->dx, d->r);
    for (uint32_t i = 0; i < k->f_u.len; i++) {
        d->r[k->f_u.data[i].row] -= k->f_u.data[i].direction == input ? k->f_u.data[i].value : 0.0;
    }
    dd_system_must(k->s, k->n > 0 ? dd_linsolver_solve(k->index_one, 1, d->r) : DD_OK, "linearization");
    for (uint32_t i = 0; i < k->h_w.len; i++) {
        const dd_lin_partial *h = &k->h_w.data[i];
        double step;
        if (h->direction < k->n) {
            step = d->r[h->direction]; /* of x': z has none */
        } else if (h->direction < 2 * k->n) {
            uint32_t j = h->direction - k->n;
            step = j < k->nx ? d->dx[j] : d->r[j];
        } else {
            step = h->direction - 2 * k->n == input ? 1.0 : 0.0;
        }
        d->dy[h->row] += h->value * step;
    }
}

/* A derivative of an input must not matter. */
static void check_rate(dd_lin_work *k, uint32_t input, const direction *d)
{
    dd_linsys *l = k->l;
    dd_dag *dag = k->s->model->dag;
    /* relative to the largest effect that this direction has anywhere */
    double most = 0;
    for (uint32_t j = 0; j < k->n; j++) {
        most = fmax(most, fmax(fabs(d->r[j]), j < k->nx ? fabs(d->dx[j]) : 0.0));
    }
    const char *affected = NULL;
    bool rate = false;
    /* states first, then outputs: the first that moves is named */
    for (uint32_t i = 0; i < l->info.nx && !affected; i++) {
        if (fabs(d->r[k->state[i]]) > 1e-12 * most) {
            affected = dd_model_var_name_dup(k->s->model, dd_symbol_id(dag, k->q->w.data[k->state[i]]), l->pool);
            rate = true;
        }
    }
    for (uint32_t i = 0; i < k->outputs.len && !affected; i++) {
        if (fabs(d->dy[i]) > 1e-12 * most) {
            affected = dd_system_column_name(k->s, k->outputs.data[i], l->pool);
        }
    }
    /* name the derivative as the model would write it */
    if (affected) {
        const char *u = dd_model_var_name_dup(k->s->model, dd_symbol_id(dag, k->q->inputs.data[input]), l->pool);
        uint32_t order = dd_symbol_order(dag, k->q->inputs.data[input]);
        const char *derivative = u;
        for (uint32_t i = 0; i < order; i++) {
            derivative = dd_pool_printf(l->pool, "der(%s)", derivative);
        }
        dd_lin_refuse(
            k, DD_SIM_INVALID_MODEL,
            dd_pool_printf(l->pool,
                           "%s%s depends on %s, which x' = A x + B u, y = C x + D u cannot represent: %s, or make "
                           "%s a variable of the model and its highest derivative the input",
                           rate ? "the rate of " : "", affected, derivative,
                           rate ? "choose other states (stateSelect)" : "declare other variables as output", u));
    }
}

static void store(const dd_lin_work *k, const direction *d, uint32_t at, bool input)
{
    dd_linsys *l = k->l;
    uint32_t width = input ? l->info.nu : l->info.nx;
    double *top = input ? l->B : l->A, *bottom = input ? l->D : l->C;
    for (uint32_t i = 0; i < l->info.nx; i++) {
        top[(size_t)i * width + at] = d->r[k->state[i]];
    }
    for (uint32_t i = 0; i < k->outputs.len; i++) {
        bottom[(size_t)i * width + at] = d->dy[i];
    }
}

static void all_directions(dd_lin_work *k)
{
    dd_linsys *l = k->l;
    dd_dag *dag = k->s->model->dag;
    direction d = {dd_pool_alloc_array(k->scratch, k->nx + 1, sizeof(double)),
                   dd_pool_alloc_array(k->scratch, k->n + 1, sizeof(double)),
                   dd_pool_alloc_array(k->scratch, k->ninv + 1, sizeof(double)),
                   dd_pool_alloc_array(k->scratch, k->outputs.len + 1, sizeof(double))};
    /* columns of A and C: one state at a time */
    for (uint32_t i = 0; i < l->info.nx; i++) {
        dd_check_stop(l->ctx);
        memset(d.dx, 0, (k->nx + 1) * sizeof *d.dx);
        d.dx[k->state[i]] = 1;
        follow(k, DD_NO_INDEX, &d);
        store(k, &d, i, false);
    }
    /* columns of B and D: inputs themselves; derivatives of inputs must have no effect */
    for (uint32_t i = 0; i < k->nin && !dd_lin_refused(k); i++) {
        memset(d.dx, 0, (k->nx + 1) * sizeof *d.dx);
        follow(k, i, &d);
        if (dd_symbol_order(dag, k->q->inputs.data[i]) > 0) {
            check_rate(k, i, &d);
            continue;
        }
        uint32_t var = dd_symbol_id(dag, k->q->inputs.data[i]), at = 0;
        while (k->inputs.data[at] != var) {
            at++;
        }
        store(k, &d, at, true);
    }
}

/* ---- the answer ---- */

static void allocate(dd_lin_work *k)
{
    dd_linsys *l = k->l;
    dd_linsys_info *info = &l->info;
    dd_dag *dag = k->s->model->dag;
    size_t nx = info->nx, nu = info->nu, ny = info->ny;
    /* matrices row by row, and the point they belong to */
    info->A = l->A = dd_pool_alloc_array(l->pool, nx * nx + 1, sizeof(double));
    info->B = l->B = dd_pool_alloc_array(l->pool, nx * nu + 1, sizeof(double));
    info->C = l->C = dd_pool_alloc_array(l->pool, ny * nx + 1, sizeof(double));
    info->D = l->D = dd_pool_alloc_array(l->pool, ny * nu + 1, sizeof(double));
    double *x = dd_pool_alloc_array(l->pool, nx + 1, sizeof *x),
           *rate = dd_pool_alloc_array(l->pool, nx + 1, sizeof *x);
    double *u = dd_pool_alloc_array(l->pool, nu + 1, sizeof *u), *y = dd_pool_alloc_array(l->pool, ny + 1, sizeof *y);
    l->x_name = dd_pool_alloc_array(l->pool, nx + 1, sizeof *l->x_name);
    l->u_name = dd_pool_alloc_array(l->pool, nu + 1, sizeof *l->u_name);
    l->y_name = dd_pool_alloc_array(l->pool, ny + 1, sizeof *l->y_name);
    for (size_t i = 0; i < nx; i++) {
        x[i] = k->w[k->state[i]];
        rate[i] = k->wdot[k->state[i]];
        l->x_name[i] = dd_model_var_name_dup(k->s->model, dd_symbol_id(dag, k->q->w.data[k->state[i]]), l->pool);
    }
    for (size_t i = 0; i < nu; i++) {
        u[i] = k->l->at.inputs[(size_t)k->inputs.data[i] * k->l->at.input_stride];
        l->u_name[i] = dd_model_var_name_dup(k->s->model, k->inputs.data[i], l->pool);
    }
    double *magnitude = dd_pool_alloc_array(k->scratch, ny + 1, sizeof *magnitude);
    const dd_numeric_place at = {k->taylor, k->stride, k->l->at};
    dd_numeric_values(k->s, k->output.data, k->output.len, &at, y, magnitude, k->scratch);
    for (size_t i = 0; i < ny; i++) {
        l->y_name[i] = dd_system_column_name(k->s, k->outputs.data[i], l->pool);
    }
    info->x = x;
    info->rate = rate;
    info->u = u;
    info->y = y;
}

static void find_eigenvalues(dd_lin_work *k)
{
    dd_linsys *l = k->l;
    int n = (int)l->info.nx, one = 1, lwork = 8 * n + 8, info = 0;
    double *a = dd_pool_alloc_array(k->scratch, (size_t)n * n + 1, sizeof *a);
    double *re = dd_pool_alloc_array(l->pool, (size_t)n + 1, sizeof *re),
           *im = dd_pool_alloc_array(l->pool, (size_t)n + 1, sizeof *im);
    double *room = dd_pool_alloc_array(k->scratch, (size_t)lwork, sizeof *room);
    /* LAPACK takes columns */
    for (size_t e = 0; e < (size_t)n * n; e++) {
        a[(e % n) * n + e / n] = l->A[e];
        if (!isfinite(l->A[e])) {
            dd_lin_refuse(
                k, DD_SIM_NONFINITE,
                dd_pool_printf(l->pool, "the derivatives of the equations are not finite at time %.10g", k->t));
            return;
        }
    }
    if (n > 0) {
        dgeev_("N", "N", &n, a, &n, re, im, NULL, &one, NULL, &one, room, &lwork, &info, 1, 1);
    }
    if (info != 0) {
        dd_raise(l->ctx, DD_NUMERIC, "the eigenvalues were not found");
    }
    dd_sort_eigenvalues((uint32_t)n, re, im);
    l->info.eigen_re = re;
    l->info.eigen_im = im;
}

static void linearize(dd_lin_work *k)
{
    dd_lin_choose_system(k);
    if (dd_lin_refused(k)) {
        return;
    }
    dd_lin_find_point(k);
    if (dd_lin_refused(k)) {
        return;
    }
    dd_lin_find_outputs(k);
    find_derivatives(k);
    dd_lin_choose_states(k);
    if (dd_lin_refused(k)) {
        return;
    }
    factor_all(k);
    allocate(k);
    if (!dd_lin_refused(k)) {
        all_directions(k);
    }
    if (!dd_lin_refused(k)) {
        find_eigenvalues(k);
    }
}

static void body(void *arg)
{
    dd_lin_work *k = arg;
    const dd_sim *sim = k->l->sim;
    k->scratch = dd_pool_child(k->l->pool);
    k->l->info = (dd_linsys_info){.status = sim->info.status, .reason = sim->info.reason, .t = sim->info.t};
    if (!dd_lin_refused(k)) {
        k->work(k);
    }
    if (dd_lin_refused(k)) { /* no half of an answer */
        k->l->info = (dd_linsys_info){.status = k->l->info.status, .reason = k->l->info.reason, .t = k->l->info.t};
    }
}

dd_status dd_lin_make(dd_linsys **out, dd_sim *sim, void (*work)(dd_lin_work *k), void *user)
{
    dd_context *ctx = sim->ctx;
    *out = NULL;
    dd_pool *pool = dd_pool_new(ctx);
    dd_linsys *l = pool ? dd_mem_new_array(ctx, 1, sizeof *l) : NULL;
    if (!l) {
        dd_pool_free(pool);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    l->ctx = ctx;
    l->pool = pool;
    l->sim = sim;
    dd_lin_work k = {.l = l, .work = work, .user = user};
    /* solvers and programs use memory of the context, which is freed here whatever happened */
    dd_status st = dd_protect(ctx, body, &k);
    dd_linsolver_free(k.index_one);
    dd_linsolver_free(k.dependent);
    dd_numbers_free(l->numbers);
    l->numbers = NULL;
    if (k.scratch) {
        dd_pool_free(k.scratch);
    }
    if (st != DD_OK) {
        dd_linsys_free(l);
        return st;
    }
    *out = l;
    return DD_OK;
}

dd_status dd_linsys_new(dd_linsys **out, dd_sim *sim)
{
    if (out) {
        *out = NULL;
    }
    return out && sim ? dd_lin_make(out, sim, linearize, NULL) : DD_INVALID_ARGUMENT;
}

void dd_linsys_free(dd_linsys *l)
{
    if (!l) {
        return;
    }
    dd_system_free(l->own_system);
    dd_pool_free(l->pool);
    dd_mem_free(l->ctx, l, sizeof *l);
}
