/* boundary.c - conditions of the start as rows; ranks of rows at the boundary by orthogonalisation, the row with the
 * largest remainder first. */
#include "ocp/boundary.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "eval/derivative.h"
#include "eval/program.h"
#include "la/dense.h"
#include "ocp/compiled.h"

#define MOST_STEPS 50
#define ATTEMPTS 8         /* searches for a point on all rows */
#define DEPENDENT 1e-7     /* remainder of a unit gradient below which a row adds nothing */
#define CONTRADICTION 1e-6 /* residual of a dependent row above which it cannot hold */
#define GUARD 0.25         /* a dropped row may be off by this, relative */

/* ---- rows of the start ---- */

static void add_point_row(dd_ocp_problem *o, dd_expr e, const char *name, dd_span span, bool invariant)
{
    dd_ocp_row row = {.e = e, .name = name, .span = span, .invariant = invariant};
    dd_vec_push(o->pool, &o->points, row);
}

/* x = 1 for what is fixed, and the initial equations. */
static void add_start_conditions(dd_ocp_problem *o)
{
    for (uint32_t i = 0; i < o->system->declared; i++) {
        uint32_t var = o->system->unknown[i];
        const dd_variable *v = &o->model->vars.data[var];
        if (!v->fixed || v->kind != DD_KIND_VARIABLE) {
            continue;
        }
        dd_expr value = v->start != DD_EXPR_NONE ? v->start : dd_num(o->dag, v->start_value);
        dd_expr e = dd_sub(o->dag, dd_ocp_resolve(o, dd_model_symbol(o->model, var)), dd_ocp_resolve(o, value));
        const char *name = dd_pool_printf(o->pool, "%s = %g at the start",
                                          dd_model_var_name_dup(o->model, var, o->pool), v->start_value);
        add_point_row(o, dd_ocp_at(o, 0, e), name, o->model->arrays.data[v->array].span, false);
    }
    for (uint32_t i = 0; i < o->model->initial_rows.len; i++) {
        const dd_row *r = &o->model->initial_rows.data[i];
        dd_text name = dd_text_new(o->pool);
        dd_model_print_residual(o->model, r->residual, &name);
        dd_expr e = dd_ocp_at(o, 0, dd_ocp_resolve(o, r->residual));
        add_point_row(o, e, dd_text_str(&name), o->model->initial_groups.data[r->group].span, false);
    }
}

/* ---- what is ranked ---- */

typedef struct ranking {
    dd_ocp_problem *o;
    dd_pool *pool;
    dd_expr_vec inputs;        /* x at every instant, p, t0, tf and the times */
    uint32_t n_states;         /* of these: x of the instants */
    dd_index_vec rows;         /* of o->points that take part */
    uint32_t n_invariants;     /* outputs that are invariants; they come first */
    dd_index_vec invariant_of; /* per invariant output: which one */
    dd_expr_vec outputs;
    bool *fixed;     /* inputs that do not move */
    double *v;       /* values of the inputs */
    double *scale;   /* of the inputs */
    double *r, *jac; /* residuals; m x n, column-major */
    const dd_derivative *derivative;
    dd_program_work *values, *first;
    double *entries;
} ranking;

static bool only_inputs(ranking *k, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool ok = true;
    dd_symbols(k->o->dag, e, true, &symbols, k->pool);
    for (uint32_t i = 0; i < symbols.len && ok; i++) {
        dd_expr s = symbols.data[i];
        bool known = false;
        for (uint32_t j = 0; j < k->inputs.len && !known; j++) {
            known = k->inputs.data[j] == s;
        }
        bool constant = dd_op_of(k->o->dag, s) == DD_OP_PARAM && dd_symbol_id(k->o->dag, s) < k->o->model->vars.len;
        ok = known || constant;
    }
    dd_vec_free(k->pool, &symbols);
    return ok;
}

static void list_inputs(ranking *k)
{
    dd_ocp_problem *o = k->o;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        for (uint32_t j = 0; j < o->x.len; j++) {
            dd_vec_push(k->pool, &k->inputs, o->instants.data[i].x.data[j]);
        }
    }
    k->n_states = k->inputs.len;
    for (uint32_t i = 0; i < o->p.len; i++) {
        dd_vec_push(k->pool, &k->inputs, o->p.data[i].symbol);
    }
    dd_vec_push(k->pool, &k->inputs, o->t0);
    dd_vec_push(k->pool, &k->inputs, o->tf);
    for (uint32_t i = 0; i < o->instants.len; i++) {
        dd_vec_push(k->pool, &k->inputs, o->instants.data[i].time);
    }
}

static void list_outputs(ranking *k)
{
    dd_ocp_problem *o = k->o;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        for (uint32_t c = 0; c < o->equations->invariants.len; c++) {
            dd_expr e = dd_ocp_at(o, i, dd_ocp_resolve(o, o->equations->invariants.data[c]));
            if (only_inputs(k, e)) {
                dd_vec_push(k->pool, &k->outputs, e);
                dd_vec_push(k->pool, &k->invariant_of, c);
            }
        }
    }
    k->n_invariants = k->outputs.len;
    for (uint32_t i = 0; i < o->points.len; i++) {
        const dd_ocp_row *row = &o->points.data[i];
        if (row->lower == row->upper && !row->invariant && only_inputs(k, row->e)) {
            dd_vec_push(k->pool, &k->rows, i);
            dd_vec_push(k->pool, &k->outputs, dd_sub(o->dag, row->e, dd_num(o->dag, row->lower)));
        }
    }
}

/* ---- values ---- */

static void set_values(ranking *k, void (*guess)(void *user, double theta, double *x), void *user)
{
    dd_ocp_problem *o = k->o;
    uint32_t at = 0;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        double theta = o->instants.data[i].theta;
        guess(user, theta, k->v + at);
        if (theta == 0 && o->start_known) {
            memcpy(k->v + at, o->x_start, o->x.len * sizeof *k->v);
        }
        for (uint32_t j = 0; j < o->x.len; j++, at++) {
            k->scale[at] = o->x.data[j].scale;
            k->fixed[at] = theta == 0 && o->start_known;
        }
    }
    for (uint32_t i = 0; i < o->p.len; i++, at++) {
        k->v[at] = o->p.data[i].start_value;
        k->scale[at] = o->p.data[i].scale;
    }
    double horizon = o->tf_value - o->t0_value;
    k->v[at] = o->t0_value;
    k->v[at + 1] = o->tf_value;
    for (uint32_t i = 0; i < o->instants.len; i++) {
        k->v[at + 2 + i] = o->t0_value + o->instants.data[i].theta * horizon;
    }
    for (; at < k->inputs.len; at++) {
        k->scale[at] = 1;
        k->fixed[at] = true;
    }
}

static void evaluate(ranking *k)
{
    const double *in[] = {k->v};
    uint32_t m = k->outputs.len, n = k->inputs.len;
    dd_program_eval(k->values, in, k->r);
    dd_program_eval(k->first, in, k->entries);
    memset(k->jac, 0, (size_t)m * n * sizeof *k->jac);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t e = k->derivative->ptr[j]; e < k->derivative->ptr[j + 1]; e++) {
            k->jac[(size_t)j * m + k->derivative->idx[e]] = k->fixed[j] ? 0 : k->entries[e] * k->scale[j];
        }
    }
}

static double largest(const double *v, uint32_t n)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        most = fabs(v[i]) > most || isnan(v[i]) ? fabs(v[i]) : most;
    }
    return most;
}

/* Nearest states on all rows and invariants: Gauss-Newton with smallest corrections, whatever the rank. */
static void project(ranking *k)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    double *dx = dd_pool_alloc_array(k->pool, n + 1, sizeof *dx),
           *rhs = dd_pool_alloc_array(k->pool, m + 1, sizeof *rhs);
    double last = INFINITY;
    for (uint32_t step = 0; step < MOST_STEPS; step++) {
        evaluate(k);
        double norm = largest(k->r, m);
        if (!(norm > 1e-13) || !isfinite(norm) || (step > 10 && norm > 0.9 * last)) {
            return;
        }
        last = norm;
        for (uint32_t i = 0; i < m; i++) {
            rhs[i] = -k->r[i];
        }
        dd_status solved = dd_lstsq_dense(dd_pool_context(k->pool), m, n, k->jac, m, rhs, 1e-8, dx, NULL, NULL);
        if (solved == DD_OUT_OF_MEMORY) {
            dd_raise(dd_pool_context(k->pool), solved, NULL);
        }
        if (solved != DD_OK) {
            return;
        }
        double length = largest(dx, n), damp = length > 2 ? 2 / length : 1;
        for (uint32_t j = 0; j < n; j++) {
            k->v[j] += damp * dx[j] * k->scale[j];
        }
    }
    evaluate(k);
}

/* A search that ends off the rows proves nothing where they are curved: it may stand where a gradient vanishes. So it
 * begins again a few times, elsewhere within the bounds; the point with the smallest residual counts. */
static void find_point(ranking *k, void (*guess)(void *user, double theta, double *x), void *user)
{
    uint32_t m = k->outputs.len, n = k->inputs.len;
    double *best = dd_pool_alloc_array(k->pool, n + 1, sizeof *best), least = INFINITY;
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (uint32_t attempt = 0; attempt < ATTEMPTS && least > 1e-9; attempt++) {
        set_values(k, guess, user);
        for (uint32_t j = 0; j < k->n_states + k->o->p.len && attempt > 0; j++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double r = (double)(random >> 11) * 0x1p-53 - 0.5;
            k->v[j] += k->fixed[j] ? 0 : 2 * attempt * r * k->scale[j];
        }
        project(k);
        double norm = largest(k->r, m);
        if (norm < least) {
            least = norm;
            memcpy(best, k->v, n * sizeof *best);
        }
    }
    if (isfinite(least)) {
        memcpy(k->v, best, n * sizeof *best);
    }
    evaluate(k);
}

/* ---- ranks ---- */

/* Takes the directions of q (n_q unit vectors) out of row; returns what is left of its length. */
static double remainder_of(double *row, const double *q, uint32_t n_q, uint32_t n)
{
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < n_q; k++) {
            double dot = 0;
            for (uint32_t j = 0; j < n; j++) {
                dot += row[j] * q[(size_t)k * n + j];
            }
            for (uint32_t j = 0; j < n; j++) {
                row[j] -= dot * q[(size_t)k * n + j];
            }
        }
    }
    double sum = 0;
    for (uint32_t j = 0; j < n; j++) {
        sum += row[j] * row[j];
    }
    return sqrt(sum);
}

static void take(double *q, uint32_t *n_q, const double *row, double length, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++) {
        q[(size_t)*n_q * n + j] = row[j] / length;
    }
    (*n_q)++;
}

/* The other row whose gradient has most in common with this one. */
static const char *nearest_row(ranking *k, const double *unit, uint32_t self, uint32_t n)
{
    double best = 0;
    const char *name = "the other rows";
    for (uint32_t i = 0; i < k->rows.len; i++) {
        double dot = 0, norm = 0;
        for (uint32_t j = 0; j < n; j++) {
            double g = k->jac[(size_t)j * k->outputs.len + k->n_invariants + i];
            dot += g * unit[j];
            norm += g * g;
        }
        if (i != self && norm > 0 && fabs(dot) / sqrt(norm) > best) {
            best = fabs(dot) / sqrt(norm);
            name = k->o->points.data[k->rows.data[i]].name;
        }
    }
    return name;
}

/* The invariant whose gradient has most in common with a row: what it follows from. */
static const char *follows_from(ranking *k, const double *unit, uint32_t self, uint32_t n)
{
    double best = 0;
    uint32_t which = 0;
    for (uint32_t i = 0; i < k->n_invariants; i++) {
        double dot = 0, norm = 0;
        for (uint32_t j = 0; j < n; j++) {
            double g = k->jac[(size_t)j * k->outputs.len + i];
            dot += g * unit[j];
            norm += g * g;
        }
        if (norm > 0 && fabs(dot) / sqrt(norm) > best) {
            best = fabs(dot) / sqrt(norm);
            which = k->invariant_of.data[i];
        }
    }
    if (best < 1e-6) {
        return nearest_row(k, unit, self, n);
    }
    dd_ocp_problem *o = k->o;
    const dd_eq *eq = &o->system->eqs.data[o->equations->invariant_eq.data[which]];
    dd_text text = dd_text_new(o->pool);
    dd_model_print_row(o->model, eq->row, &text);
    return dd_text_str(&text);
}

static void drop(ranking *k, uint32_t index, const double *unit, double residual)
{
    dd_ocp_problem *o = k->o;
    dd_ocp_row *row = &o->points.data[k->rows.data[index]];
    const char *from = follows_from(k, unit, index, k->inputs.len);
    if (fabs(residual) > CONTRADICTION) {
        o->infeasible = true;
        o->reason = dd_pool_printf(o->pool, "%s contradicts %s: no end or start satisfies both (off by %.3g at best)",
                                   row->name, from, fabs(residual));
        return;
    }
    double value = fabs(row->lower), room = GUARD * fmax(1, value);
    row->dropped = true;
    row->guard_lower = row->lower - room;
    row->guard_upper = row->upper + room;
    row->follows = dd_pool_printf(o->pool, "%s: follows from %s", row->name, from);
    dd_vec_push(o->pool, &o->redundant, row->follows);
}

static void rank_rows(ranking *k)
{
    uint32_t m = k->outputs.len, n = k->inputs.len, n_q = 0, n_rows = k->rows.len;
    double *q = dd_pool_alloc_array(k->pool, (size_t)m * n + 1, sizeof *q);
    double *unit = dd_pool_alloc_array(k->pool, (size_t)m * n + 1, sizeof *unit);
    double *work = dd_pool_alloc_array(k->pool, n + 1, sizeof *work);
    bool *done = dd_pool_alloc_array(k->pool, n_rows + 1, sizeof *done);
    for (uint32_t i = 0; i < m; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < n; j++) {
            unit[(size_t)i * n + j] = k->jac[(size_t)j * m + i];
            sum += unit[(size_t)i * n + j] * unit[(size_t)i * n + j];
        }
        for (uint32_t j = 0; j < n && sum > 0; j++) {
            unit[(size_t)i * n + j] /= sqrt(sum);
        }
    }
    for (uint32_t i = 0; i < k->n_invariants; i++) {
        memcpy(work, unit + (size_t)i * n, n * sizeof *work);
        double rest = remainder_of(work, q, n_q, n);
        if (rest > DEPENDENT) {
            take(q, &n_q, work, rest, n);
        }
    }
    for (uint32_t round = 0; round < n_rows; round++) { /* the row with the largest remainder is kept next */
        double best = -1;
        uint32_t which = 0;
        for (uint32_t i = 0; i < n_rows; i++) {
            if (!done[i]) {
                memcpy(work, unit + (size_t)(k->n_invariants + i) * n, n * sizeof *work);
                double rest = remainder_of(work, q, n_q, n);
                if (rest > best) {
                    best = rest;
                    which = i;
                }
            }
        }
        done[which] = true;
        uint32_t row = k->n_invariants + which;
        if (best > DEPENDENT) {
            memcpy(work, unit + (size_t)row * n, n * sizeof *work);
            take(q, &n_q, work, remainder_of(work, q, n_q, n), n);
        } else {
            drop(k, which, unit + (size_t)row * n, k->r[row]);
        }
    }
}

/* ---- all of it ---- */

static void add_consistency(dd_ocp_problem *o, bool at_end)
{
    for (uint32_t c = 0; c < o->equations->invariants.len; c++) {
        const dd_eq *eq = &o->system->eqs.data[o->equations->invariant_eq.data[c]];
        dd_text name = dd_text_new(o->pool);
        dd_model_print_row(o->model, eq->row, &name);
        if (o->equations->invariant_level.data[c] > 0) {
            dd_text_printf(&name, " (differentiated %u times)", o->equations->invariant_level.data[c]);
        }
        dd_expr e = dd_ocp_at(o, at_end ? 1 : 0, dd_ocp_resolve(o, o->equations->invariants.data[c]));
        dd_span span = o->model->groups.data[o->model->rows.data[eq->row].group].span;
        add_point_row(o, e, dd_text_str(&name), span, true);
    }
}

typedef struct rank_call {
    ranking *k;
    void (*guess)(void *user, double theta, double *x);
    void *user;
} rank_call;

static void rank_body(void *arg)
{
    const rank_call *call = arg;
    ranking *k = call->k;
    const dd_ocp_problem *o = k->o;
    uint32_t m = k->outputs.len, n = k->inputs.len;
    k->values = dd_ocp_compile(o, k->inputs.data, n, k->outputs.data, m, k->pool);
    k->first = dd_ocp_compile(o, k->inputs.data, n, k->derivative->entries, k->derivative->ptr[n], k->pool);
    find_point(k, call->guess, call->user);
    rank_rows(k);
}

/* Compiled functions are not the pool's: they must go also when something is raised. */
static void rank_all(ranking *k, void (*guess)(void *user, double theta, double *x), void *user)
{
    dd_context *ctx = dd_pool_context(k->pool);
    rank_call call = {k, guess, user};
    dd_status status = dd_protect(ctx, rank_body, &call);
    dd_program_work_free(k->values);
    dd_program_work_free(k->first);
    if (status != DD_OK) {
        dd_raise(ctx, status, "%s", dd_pool_strdup(k->pool, dd_context_message(ctx)));
    }
}

void dd_ocp_boundary(dd_ocp_problem *o, void (*guess)(void *user, double theta, double *x), void *user, bool at_end)
{
    ranking k = {.o = o, .pool = dd_pool_child(o->pool)};
    if (!o->start_known) {
        add_start_conditions(o);
        add_consistency(o, at_end);
    }
    list_inputs(&k);
    list_outputs(&k);
    uint32_t m = k.outputs.len, n = k.inputs.len;
    if (k.rows.len > 0 && (size_t)m * n < 4000000) {
        k.fixed = dd_pool_alloc_array(k.pool, n + 1, sizeof *k.fixed);
        k.v = dd_pool_alloc_array(k.pool, n + 1, sizeof *k.v);
        k.scale = dd_pool_alloc_array(k.pool, n + 1, sizeof *k.scale);
        k.r = dd_pool_alloc_array(k.pool, m + 1, sizeof *k.r);
        k.jac = dd_pool_alloc_array(k.pool, (size_t)m * n + 1, sizeof *k.jac);
        k.derivative = dd_jacobian_new(k.pool, o->dag, k.outputs.data, m, k.inputs.data, n);
        k.entries = dd_pool_alloc_array(k.pool, k.derivative->ptr[n] + 1, sizeof *k.entries);
        rank_all(&k, guess, user);
    }
    dd_pool_free(k.pool);
    dd_ocp_collect_constants(o);
}
