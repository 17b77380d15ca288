/* numbers_jacobian.c - sparse matrices of compiled equations: M = dF/dw' and J = dF/dw on one pattern, and those of the
 * invariants. Entries that are numbers are stored, formulas are outputs of one program. */
#include <string.h>

#include "dynamics/numbers_impl.h"

typedef struct entries {
    DD_VEC(uint32_t) row, col;
    dd_expr_vec value;
    DD_VEC(bool) of_rate;
} entries;

static void add_partials(dd_compiler *c, dd_expr e, uint32_t row, entries *out)
{
    dd_expr_vec symbols = {0}, partials = {0};
    /* partials by symbols that are not unknowns (time, inputs, parameters) are not entries */
    dd_partials(c->q->system->model->dag, e, false, &symbols, &partials, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t at = (uint32_t)dd_map_get(&c->column, symbols.data[i]);
        if (at > 0) {
            dd_vec_push(c->scratch, &out->row, row);
            dd_vec_push(c->scratch, &out->col, (at - 1) % c->q->n);
            dd_vec_push(c->scratch, &out->value, partials.data[i]);
            dd_vec_push(c->scratch, &out->of_rate, at > c->q->n);
        }
    }
    dd_vec_free(c->scratch, &symbols);
    dd_vec_free(c->scratch, &partials);
}

/* A pattern from entries, copied into the pool; position[k] of each entry in it. */
static dd_csc pattern_of(dd_compiler *c, const entries *e, uint32_t rows, uint32_t **position)
{
    dd_numbers *q = c->q;
    uint32_t count = e->row.len;
    /* x and x' of a column may share a place: triplets are added up there */
    double *zero = dd_pool_alloc_array(c->scratch, count + 1, sizeof *zero);
    *position = dd_pool_alloc_array(c->pool, count + 1, sizeof **position);
    dd_csc made = {0};
    dd_system_must(q->system,
                   dd_csc_from_triplets(&made, q->ctx, rows, q->n,
                                        &(dd_triplets){count, e->row.data, e->col.data, zero}, *position),
                   "compiling");
    uint32_t nnz = made.ptr[q->n];
    /* the pool may raise: keep the copy's memory apart from the kernel's */
    dd_csc out = {.nrows = rows, .ncols = q->n};
    dd_status st = DD_OK;
    out.ptr = dd_mem_new_array(q->ctx, q->n + 1, sizeof *out.ptr);
    out.idx = dd_mem_new_array(q->ctx, nnz + 1, sizeof *out.idx);
    out.val = dd_mem_new_array(q->ctx, nnz + 1, sizeof *out.val);
    if (out.ptr && out.idx && out.val) {
        memcpy(out.ptr, made.ptr, (q->n + 1) * sizeof *out.ptr);
        memcpy(out.idx, made.idx, nnz * sizeof *out.idx);
    } else {
        st = DD_OUT_OF_MEMORY;
    }
    dd_csc_free(q->ctx, &made);
    if (st != DD_OK) {
        dd_mem_free(q->ctx, out.ptr, (q->n + 1) * sizeof *out.ptr);
        dd_mem_free(q->ctx, out.idx, (nnz + 1) * sizeof *out.idx);
        dd_mem_free(q->ctx, out.val, (nnz + 1) * sizeof *out.val);
    }
    dd_system_must(q->system, st, "compiling");
    return out;
}

void dd_numbers_free_pattern(dd_context *ctx, dd_csc *a)
{
    if (a->ptr) {
        uint32_t nnz = a->ptr[a->ncols];
        dd_mem_free(ctx, a->val, (nnz + 1) * sizeof *a->val);
        dd_mem_free(ctx, a->idx, (nnz + 1) * sizeof *a->idx);
        dd_mem_free(ctx, a->ptr, (a->ncols + 1) * sizeof *a->ptr);
    }
    *a = (dd_csc){0};
}

bool dd_numbers_is_constant(dd_compiler *c, dd_expr e)
{
    dd_dag *dag = c->q->system->model->dag;
    dd_expr_vec symbols = {0};
    bool constant = true;
    dd_symbols(dag, e, true, &symbols, c->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        constant = constant && dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM;
    }
    dd_vec_free(c->scratch, &symbols);
    return constant;
}

void dd_numbers_compile_jacobian(dd_compiler *c, const dd_expr *rows, const dd_expr *divisors)
{
    dd_numbers *q = c->q;
    dd_dag *dag = q->system->model->dag;
    entries e = {0};
    /* dF/dw' and dF/dw of all rows on one common pattern */
    for (uint32_t i = 0; i < q->n; i++) {
        dd_check_stop(q->ctx);
        add_partials(c, rows[i], i, &e);
    }
    uint32_t *position;
    q->problem.pattern = pattern_of(c, &e, q->n, &position);
    uint32_t nnz = q->problem.pattern.ptr[q->n];
    q->m_fixed = dd_pool_alloc_array(c->pool, nnz + 1, sizeof(double));
    q->j_fixed = dd_pool_alloc_array(c->pool, nnz + 1, sizeof(double));
    q->m_entry = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof *q->m_entry);
    q->j_entry = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof *q->j_entry);
    q->entry_value = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof(double));
    dd_expr_vec outputs = {0};
    q->problem.m_constant = q->problem.j_constant = true;
    /* numbers go to m_fixed and j_fixed once; formulas become outputs of one program */
    for (uint32_t k = 0; k < e.row.len; k++) {
        dd_check_stop(q->ctx);
        dd_expr value = e.value.data[k];
        if (dd_op_of(dag, value) == DD_OP_NUM) {
            double *fixed = e.of_rate.data[k] ? q->m_fixed : q->j_fixed;
            fixed[position[k]] = dd_num_value(dag, value);
            continue;
        }
        /* formulas in parameters alone still make a constant matrix, which integrators factor once */
        bool constant = dd_numbers_is_constant(c, value);
        q->problem.m_constant = q->problem.m_constant && (constant || !e.of_rate.data[k]);
        q->problem.j_constant = q->problem.j_constant && (constant || e.of_rate.data[k]);
        q->m_entry[outputs.len] = e.of_rate.data[k] ? position[k] : DD_NO_INDEX;
        q->j_entry[outputs.len] = e.of_rate.data[k] ? DD_NO_INDEX : position[k];
        dd_vec_push(c->scratch, &outputs, value);
    }
    q->n_entries = outputs.len;
    q->jacobian = dd_numbers_compile(c, outputs.data, outputs.len, 1);
    /* the same entries show which blocks of [dF/dx' dF/dz] can become singular */
    const dd_solvable_entries all = {e.row.len, e.row.data, e.col.data, e.value.data, e.of_rate.data};
    q->solvable = dd_solvable_compile(c, &all, divisors);
}

dd_expr_vec dd_numbers_row_matrix(dd_compiler *c, const dd_expr *list, uint32_t count, dd_row_matrix *out)
{
    dd_numbers *q = c->q;
    entries e = {0};
    for (uint32_t i = 0; i < count; i++) {
        dd_check_stop(q->ctx);
        add_partials(c, list[i], i, &e);
    }
    /* the pattern last: nothing may raise between its memory and its owner */
    out->value = dd_pool_alloc_array(c->pool, e.row.len + 1, sizeof(double));
    out->pattern = pattern_of(c, &e, count, &out->entry);
    return e.value;
}

/* Returns the entries of the matrix. */
dd_expr_vec dd_numbers_compile_invariants(dd_compiler *c, const dd_expr *list, uint32_t count)
{
    dd_numbers *q = c->q;
    dd_row_matrix rows = {0};
    dd_expr_vec matrix = dd_numbers_row_matrix(c, list, count, &rows);
    q->problem.n_invariants = count;
    q->problem.invariant_pattern = rows.pattern;
    q->invariant_entry = rows.entry;
    q->invariant_value = rows.value;
    q->invariants = dd_numbers_compile(c, list, count, 1);
    q->invariant_jacobian = dd_numbers_compile(c, matrix.data, matrix.len, 1);
    return matrix;
}
