/* start_derivative.c - how a consistent start changes with parameters and start values: the implicit function theorem
 * on the square system of start_solve.c.
 *
 *     sum_jm d(f_i)_k/dX_jm dX_jm = -(df_i/dp)_k,   dX_j0 of held values is known: d(start_j)/dp, 1, or 0
 *
 * (f)_k are Taylor coefficients; d(f_i)_k/dX_jm = (df_i/dx_j)_{k-m} + m (df_i/dx_j')_{k+1-m} as in tangent.c. */
#include "init/start_impl.h"
#include "la/linsolver.h"

typedef struct derivative_work {
    start_work *w;
    dd_pool *pool;
    uint32_t np, n, rows, order; /* directions, unknowns, rows, highest derivative of a row */
    uint32_t *number;            /* unknown of w->shape -> number here, DD_NO_INDEX when held */
    dd_index_vec row, level;     /* row of w->rows and its derivative */
    dd_csc a;
    double *rhs;  /* n * np */
    double *held; /* np * ncols: derivatives of held values */
} derivative_work;

/* ---- the known values ---- */

/* d(start)/dp of a column whose start is an expression of parameters */
static double start_change(derivative_work *d, uint32_t col, uint32_t k)
{
    const dd_system *s = d->w->s;
    dd_dag *dag = s->model->dag;
    const dd_direction *direction = &d->w->o->directions->data[k];
    const dd_expr start = s->model->vars.data[s->unknown[col]].start;
    /* 1 for the start value itself, the chain rule where the start is a formula */
    double sum = d->w->o->start_of[k] == col ? 1.0 : 0.0;
    for (uint32_t i = 0; i < direction->symbols.len && start != DD_EXPR_NONE; i++) {
        double partial = 0;
        uint32_t culprit;
        dd_model_evaluate(s->model, dd_diff(dag, start, direction->symbols.data[i]), false, &partial, &culprit);
        sum += direction->change.data[i] * partial;
    }
    return sum;
}

static void note_held(derivative_work *d, uint32_t col)
{
    for (uint32_t k = 0; k < d->np; k++) {
        d->held[(size_t)k * d->w->s->ncols + col] = start_change(d, col, k);
        d->w->out->acts[k] = d->w->out->acts[k] || d->w->o->start_of[k] == col;
    }
}

/* Speeds taken as 0 and default starts do not change. */
static void find_held(derivative_work *d, const start_choice *choice)
{
    start_work *w = d->w;
    /* directions by parameters act in any case, by start values only where the value is held */
    for (uint32_t k = 0; k < d->np; k++) {
        w->out->acts[k] = w->o->start_of[k] == DD_NO_INDEX;
    }
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (w->conditions.data[i].col != DD_NO_INDEX && !choice->dependent[i]) {
            note_held(d, w->conditions.data[i].col);
        }
    }
    for (uint32_t i = 0; i < choice->starts.len; i++) {
        note_held(d, choice->starts.data[i]);
    }
}

/* ---- the system ---- */

static void number_all(derivative_work *d, const start_choice *choice)
{
    start_work *w = d->w;
    const uint32_t fixed = w->conditions.len - (w->rows.eqs.len - w->rows.n);
    d->number = dd_pool_alloc_array(d->pool, w->shape.total + 1, sizeof *d->number);
    /* unknowns are the values not held, rows those that apply: as in start_solve.c */
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        for (uint32_t u = w->shape.offset[j]; u < w->shape.offset[j + 1]; u++) {
            d->number[u] = u == w->shape.offset[j] && w->held[j] ? DD_NO_INDEX : d->n++;
        }
    }
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        if (i >= w->rows.n && choice->dependent[fixed + i - w->rows.n]) {
            continue;
        }
        for (uint32_t k = 0; k <= dd_start_row_order(w, i); k++) {
            dd_vec_push(d->pool, &d->row, i);
            dd_vec_push(d->pool, &d->level, k);
            d->order = k > d->order ? k : d->order;
        }
    }
    d->rows = d->row.len;
}

/* -(df_i/dp)_k for all rows */
static void fill_parameters(derivative_work *d)
{
    start_work *w = d->w;
    const dd_system *s = w->s;
    const uint32_t count = w->rows.eqs.len;
    dd_expr *rows = dd_pool_alloc_array(d->pool, count + 1, sizeof *rows);
    dd_expr *out = dd_pool_alloc_array(d->pool, count + 1, sizeof *out);
    /* df_i/dp as expressions, then their Taylor coefficients at the solution */
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = w->rows.eqs.data[i].residual;
    }
    for (uint32_t k = 0; k < d->np; k++) {
        const dd_direction *direction = &w->o->directions->data[k];
        if (direction->symbols.len == 0) {
            continue;
        }
        /* a direction changes several symbols at once, each by its part */
        dd_expr *seeds = dd_pool_alloc_array(d->pool, direction->symbols.len + 1, sizeof *seeds);
        for (uint32_t i = 0; i < direction->symbols.len; i++) {
            seeds[i] =
                direction->seeds.len > 0 ? direction->seeds.data[i] : dd_num(s->model->dag, direction->change.data[i]);
        }
        dd_directional(s->model->dag, rows, count, direction->symbols.data, seeds, direction->symbols.len, out);
        dd_eq_vec eqs = {0};
        for (uint32_t i = 0; i < count; i++) {
            dd_eq eq = {.residual = out[i]};
            dd_vec_push(d->pool, &eqs, eq);
        }
        /* the tape needs an incidence; an empty one asks for no partials */
        dd_incidence none = {.n = count, .ncols = s->ncols}; /* no partials are wanted of these */
        none.ptr = dd_pool_alloc_array(d->pool, count + 1, sizeof *none.ptr);
        dd_numeric *nm = dd_numeric_new(s, &eqs, &none, d->pool);
        dd_numeric_set_outside(nm, &d->w->at);
        const double *series = dd_numeric_residual_series(nm, w->x, w->stride, d->order);
        for (uint32_t q = 0; q < d->rows; q++) {
            d->rhs[(size_t)k * d->n + q] -= series[(size_t)d->row.data[q] * (d->order + 1) + d->level.data[q]];
        }
    }
}

/* The matrix; the part of held values goes to the right-hand side. */
static void fill_matrix(derivative_work *d)
{
    start_work *w = d->w;
    const start_rows *r = &w->rows;
    const dd_numeric *nm = r->numeric;
    const uint32_t order = d->order + 1;
    const double *series = dd_numeric_partial_series(r->numeric, w->x, w->stride, order);
    dd_index_vec row = {0}, col = {0};
    DD_VEC(double) val = {0};
    for (uint32_t q = 0; q < d->rows; q++) {
        const uint32_t i = d->row.data[q], k = d->level.data[q];
        /* d(f_i)_k/dX_jm for the unknowns to the matrix, for held values times their change to the right */
        for (uint32_t e = r->inc.ptr[i]; e < r->inc.ptr[i + 1]; e++) {
            const uint32_t j = r->inc.idx[e], first = w->shape.offset[j], known = w->shape.offset[j + 1] - first;
            for (uint32_t m = 0; m <= k + 1 && m < known; m++) {
                const uint32_t how = dd_start_meets(r, e, k, m);
                double v = how & 1 ? series[(size_t)nm->slot0[e] * (order + 1) + k - m] : 0.0;
                v += how & 2 ? m * series[(size_t)nm->slot1[e] * (order + 1) + k + 1 - m] : 0.0;
                if (how && d->number[first + m] != DD_NO_INDEX) {
                    dd_vec_push(d->pool, &row, q);
                    dd_vec_push(d->pool, &col, d->number[first + m]);
                    dd_vec_push(d->pool, &val, v);
                }
                for (uint32_t p = 0; how && p < d->np && d->number[first + m] == DD_NO_INDEX; p++) {
                    d->rhs[(size_t)p * d->n + q] -= v * d->held[(size_t)p * w->s->ncols + j];
                }
            }
        }
    }
    dd_system_must(
        w->s,
        dd_csc_from_triplets(&d->a, w->s->ctx, d->n, d->n, &(dd_triplets){row.len, row.data, col.data, val.data}, NULL),
        "derivatives of the start");
}

/* Never raises. */
static dd_status solve(derivative_work *d, bool *regular)
{
    dd_linsolver *solver = NULL;
    /* dense below 60 unknowns, where sparse bookkeeping costs more than it saves */
    dd_status st = dd_linsolver_new(&solver, d->w->s->ctx, d->n <= 60 ? "dense" : "klu");
    st = st == DD_OK ? dd_linsolver_analyse(solver, &d->a) : st;
    st = st == DD_OK ? dd_linsolver_factor(solver, &d->a) : st;
    *regular = st == DD_OK && !dd_linsolver_get_info(solver).singular;
    st = *regular ? dd_linsolver_solve(solver, d->np, d->rhs) : st;
    dd_linsolver_free(solver);
    return st;
}

static void read_solution(derivative_work *d)
{
    start_work *w = d->w;
    const uint32_t ncols = w->s->ncols;
    double *out = dd_pool_alloc_array(w->pool, (size_t)d->np * ncols * w->stride + 1, sizeof *out);
    for (uint32_t k = 0; k < d->np; k++) {
        for (uint32_t j = 0; j < ncols; j++) {
            /* held values change as they were given to change, the others by the solution */
            for (uint32_t u = w->shape.offset[j]; u < w->shape.offset[j + 1]; u++) {
                const double v = d->number[u] == DD_NO_INDEX ? d->held[(size_t)k * ncols + j]
                                                             : d->rhs[(size_t)k * d->n + d->number[u]];
                out[((size_t)k * ncols + j) * w->stride + u - w->shape.offset[j]] = v;
            }
        }
    }
    w->out->derivative = out;
}

static void derivative_body(void *arg)
{
    derivative_work *d = arg;
    bool regular = true;
    fill_parameters(d);
    fill_matrix(d);
    dd_system_must(d->w->s, d->n > 0 ? solve(d, &regular) : DD_OK, "derivatives of the start");
    if (regular) {
        read_solution(d);
    } else {
        d->w->out->no_derivative = "the start lies at a singular point: a small change of what is given moves it far";
    }
}

void dd_start_derivative(start_work *w, const start_choice *choice)
{
    w->out->acts = dd_pool_alloc_array(w->pool, w->o->directions->len + 1, sizeof *w->out->acts);
    if (w->projected) {
        w->out->no_derivative = "fixed values were moved to the nearest consistent point, which is not differentiated";
        return;
    }
    derivative_work d = {.w = w, .pool = dd_pool_child(w->scratch), .np = w->o->directions->len};
    d.held = dd_pool_alloc_array(d.pool, (size_t)d.np * w->s->ncols + 1, sizeof *d.held);
    find_held(&d, choice);
    number_all(&d, choice);
    /* an overdetermined start has no implicit function theorem */
    if (d.rows != d.n) {
        w->out->no_derivative = "the start is not determined by as many equations as unknowns";
        return;
    }
    d.rhs = dd_pool_alloc_array(d.pool, (size_t)d.n * d.np + 1, sizeof *d.rhs);
    dd_status st = dd_protect(w->s->ctx, derivative_body, &d);
    dd_csc_free(w->s->ctx, &d.a);
    if (st != DD_OK) {
        dd_raise(w->s->ctx, st, "%s", dd_pool_strdup(w->scratch, dd_context_message(w->s->ctx)));
    }
    dd_pool_free(d.pool);
}
