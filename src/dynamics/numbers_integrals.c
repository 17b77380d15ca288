/* numbers_integrals.c - first integrals that the equations have by their form (structure/integrals.h), for integrators.
 *
 * Of two kinds. Linear ones of the compiled rows, c^T x with constant c, hold at the stages of a method as well: linear
 * solvers keep them (integ/conserve.h). Those of the rows as written may be functions of x by way of assigned variables
 * (the charge of a transistor), or be lost where a solution is moved onto constraints: projections keep them beside the
 * invariants, with the value they have at the start. */
#include <math.h>
#include <string.h>

#include "dynamics/numbers_impl.h"
#include "integ/project.h"
#include "structure/integrals.h"

enum { MOST_LINEAR = 16, MOST_UNKNOWNS = 2000 }; /* more are not looked for: V has their product of numbers */

/* ---- finding ---- */

typedef struct linear_rows {
    dd_index_vec ptr, idx;
    dd_expr_vec value;
    dd_index_vec row_ptr, row; /* of lambda */
    DD_VEC(double) factor;
} linear_rows;

/* Coefficients of e = sum c_j x_j + rest with constant c_j and rest; false when it is not of that form. */
static bool add_linear(dd_compiler *c, dd_expr e, linear_rows *out)
{
    const dd_equations *eq = c->q->equations;
    dd_dag *dag = c->q->system->model->dag;
    dd_expr *coefficient = dd_pool_alloc_array(c->scratch, eq->x.len + 1, sizeof *coefficient), rest;
    if (!dd_linear(dag, e, eq->x.data, eq->x.len, coefficient, &rest) || !dd_numbers_is_constant(c, rest)) {
        return false;
    }
    /* undone if a coefficient is not constant */
    const uint32_t before = out->idx.len;
    for (uint32_t j = 0; j < eq->x.len; j++) {
        if (dd_is_num(dag, coefficient[j], 0)) {
            continue;
        }
        if (!dd_numbers_is_constant(c, coefficient[j])) {
            out->idx.len = out->value.len = before;
            return false;
        }
        dd_vec_push(c->pool, &out->idx, j);
        dd_vec_push(c->scratch, &out->value, coefficient[j]);
    }
    if (out->idx.len == before) {
        return false; /* a constant */
    }
    dd_vec_push(c->pool, &out->ptr, out->idx.len);
    return true;
}

/* Is e a function of x, parameters, inputs and time? */
static bool is_of_states(dd_compiler *c, dd_expr e)
{
    const dd_numbers *q = c->q;
    const dd_system *s = q->system;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    bool of_states = true, any = false;
    dd_symbols(dag, e, false, &symbols, c->scratch);
    /* x and inputs only: z and x' are not carried from step to step */
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]), var = dd_symbol_id(dag, symbols.data[i]);
        const bool input = var < s->model->vars.len && s->model->vars.data[var].kind == DD_KIND_INPUT;
        of_states = of_states && (input || (at > 0 && at <= q->equations->x.len));
        any = any || !input;
    }
    dd_vec_free(c->scratch, &symbols);
    return of_states && any;
}

static void find_linear(dd_compiler *c, const dd_expr *rows)
{
    dd_numbers *q = c->q;
    dd_expr_vec found = {0};
    linear_rows list = {0};
    dd_row_factor_vec factors = {0};
    dd_find_integrals(q->system, rows, q->n, &found, &factors, c->scratch);
    dd_vec_push(c->pool, &list.ptr, 0);
    dd_vec_push(c->pool, &list.row_ptr, 0);
    /* linear in x with constant coefficients: kept together with the rows whose combination it is */
    for (uint32_t i = 0, at = 0; i < found.len && list.ptr.len <= MOST_LINEAR; i++) {
        const bool linear = add_linear(c, found.data[i], &list);
        for (; at < factors.len && factors.data[at].integral == i; at++) {
            if (linear) {
                dd_vec_push(c->pool, &list.row, factors.data[at].row);
                dd_vec_push(c->pool, &list.factor, factors.data[at].value);
            }
        }
        if (linear) {
            dd_vec_push(c->pool, &list.row_ptr, list.row.len);
        }
    }
    q->problem.n_linear = list.ptr.len - 1;
    q->problem.linear_ptr = list.ptr.data;
    q->problem.linear_idx = list.idx.data;
    q->problem.linear_row_ptr = list.row_ptr.data;
    q->problem.linear_row = list.row.data;
    q->problem.linear_factor = list.factor.data;
    q->linear_value = list.value;
}

/* Projections move x: they keep linear ones as well, where there are any. */
static void find_others(dd_compiler *c)
{
    dd_numbers *q = c->q;
    const dd_system *s = q->system;
    const uint32_t room = q->equations->invariants.len;
    /* integrals of the rows as written, in the unknowns that are left */
    dd_expr_vec found = {0};
    dd_expr *rows = dd_pool_alloc_array(c->scratch, s->original.len + 1, sizeof *rows);
    for (uint32_t i = 0; i < s->original.len; i++) {
        rows[i] = s->original.data[i].residual;
    }
    dd_find_integrals(s, rows, s->original.len, &found, NULL, c->scratch);
    for (uint32_t i = 0; i < found.len && q->integrals.len < MOST_LINEAR; i++) {
        const dd_expr e = dd_equations_resolve(s, q->equations, found.data[i]);
        linear_rows ignored = {0};
        /* linear ones are kept by the linear solver, unless projections would move them */
        const bool lost = room > 0 || !add_linear(c, e, &ignored);
        if (lost && is_of_states(c, e) && room + q->integrals.len < DD_PROJECT_DENSE) {
            dd_vec_push(c->pool, &q->integrals, e);
        }
    }
}

void dd_numbers_find_integrals(dd_compiler *c, const dd_expr *rows)
{
    dd_numbers *q = c->q;
    if (q->n > MOST_UNKNOWNS) {
        return;
    }
    find_linear(c, rows);
    /* the value at the start would have to be differentiated too */
    if (q->equations->form == DD_EQUATIONS_REDUCED && !q->directions) {
        find_others(c);
    }
}

/* ---- numbers ---- */

static void kept(void *user, double t, const double *w, double *out)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->kept, t, w, w, out); /* no derivatives in them */
    /* relative to the value at the start: zero along the exact solution */
    for (uint32_t k = q->problem.n_invariants; k < q->problem.n_kept; k++) {
        out[k] -= q->integral_start[k - q->problem.n_invariants];
    }
}

static void kept_jacobian(void *user, double t, const double *w, double *values)
{
    dd_numbers *q = user;
    dd_numbers_evaluate(q, q->kept_jacobian, t, w, w, q->kept_value);
    for (uint32_t k = 0; k < q->problem.kept_pattern.ptr[q->n]; k++) {
        values[q->kept_entry[k]] = q->kept_value[k];
    }
}

void dd_numbers_compile_integrals(dd_compiler *c, const dd_expr *list)
{
    dd_numbers *q = c->q;
    dd_problem *p = &q->problem;
    const uint32_t count = q->integrals.len, rows = q->equations->invariants.len + count;
    /* coefficients are formulas in parameters: evaluated once when these are set */
    if (p->n_linear > 0) {
        q->linear = dd_numbers_compile(c, q->linear_value.data, q->linear_value.len, 1);
        p->linear_val = dd_pool_alloc_array(c->pool, q->linear_value.len, sizeof(double));
        p->linear_start = q->linear_start = dd_pool_alloc_array(c->pool, p->n_linear, sizeof(double));
    }
    if (count == 0) {
        return;
    }
    /* invariants and integrals together are one set of constraints for projections */
    dd_row_matrix m = {0};
    const dd_expr_vec matrix = dd_numbers_row_matrix(c, list, rows, &m);
    p->kept_pattern = m.pattern;
    q->kept_entry = m.entry;
    q->kept_value = m.value;
    q->kept = dd_numbers_compile(c, list, rows, 1);
    q->kept_jacobian = dd_numbers_compile(c, matrix.data, matrix.len, 1);
    q->integral_start = dd_pool_alloc_array(c->pool, count, sizeof(double));
    q->kept_room = dd_pool_alloc_array(c->pool, rows + (size_t)matrix.len + (size_t)rows * q->n + 1, sizeof(double));
    p->n_kept = rows;
    p->kept = kept;
    p->kept_jacobian = kept_jacobian;
}

/* Parameters are constants: any point will do. */
void dd_numbers_finish_integrals(dd_numbers *q)
{
    if (q->problem.n_linear > 0) {
        double *values = (double *)q->problem.linear_val;
        dd_numbers_evaluate(q, q->linear, 0, q->problem.nominal, q->problem.nominal, values);
    }
}

/* Gram-Schmidt on rows of n numbers: does any lose all but a part of its length? */
static bool are_dependent(double *rows, uint32_t m, uint32_t n)
{
    const double part = 1e-6;
    /* each row less its components along the rows before */
    for (uint32_t i = 0; i < m; i++) {
        double *a = rows + (size_t)i * n, length = 0, left = 0;
        for (uint32_t j = 0; j < n; j++) {
            length += a[j] * a[j];
        }
        for (uint32_t k = 0; k < i; k++) {
            const double *b = rows + (size_t)k * n;
            double product = 0;
            for (uint32_t j = 0; j < n; j++) {
                product += a[j] * b[j];
            }
            for (uint32_t j = 0; j < n; j++) {
                a[j] -= product * b[j];
            }
        }
        for (uint32_t j = 0; j < n; j++) {
            left += a[j] * a[j];
        }
        /* almost nothing left: the row is a combination of the others */
        if (!(left > part * part * length)) {
            return true;
        }
        for (uint32_t j = 0; j < n; j++) {
            a[j] /= sqrt(left);
        }
    }
    return false;
}

void dd_numbers_start_integrals(dd_numbers *q, double t, const double *w)
{
    dd_problem *p = &q->problem;
    /* c^T x at the start */
    for (uint32_t i = 0; i < p->n_linear; i++) {
        q->linear_start[i] = 0;
        for (uint32_t at = p->linear_ptr[i]; at < p->linear_ptr[i + 1]; at++) {
            q->linear_start[i] += p->linear_val[at] * w[p->linear_idx[at]];
        }
    }
    p->linear_known = true;
    if (p->n_kept == 0) {
        return;
    }
    const uint32_t count = p->n_kept - p->n_invariants, n = q->n;
    /* the values to keep, and whether they can be: their gradients must be independent of those of the constraints */
    double *value = q->kept_room, *g = value + p->n_kept, *rows = g + p->kept_pattern.ptr[n];
    memset(q->integral_start, 0, count * sizeof *q->integral_start);
    kept(q, t, w, value);
    kept_jacobian(q, t, w, g);
    memcpy(q->integral_start, value + p->n_invariants, count * sizeof *value);
    memset(rows, 0, (size_t)p->n_kept * n * sizeof *rows);
    /* gradients in units of the nominals */
    for (uint32_t j = 0; j < q->equations->x.len; j++) {
        for (uint32_t k = p->kept_pattern.ptr[j]; k < p->kept_pattern.ptr[j + 1]; k++) {
            rows[(size_t)p->kept_pattern.idx[k] * n + j] = g[k] * p->nominal[j];
        }
    }
    bool finite = true;
    for (uint32_t k = 0; k < count; k++) {
        finite = finite && isfinite(q->integral_start[k]);
    }
    p->kept_known = finite && !are_dependent(rows, p->n_kept, n);
}
