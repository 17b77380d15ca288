/* linsolver.c - the table of square solvers: the common part is here, the methods are in solver_dense.c and
 * solver_klu.c.
 */
#include "la/linsolver.h"

#include <string.h>

#include "la/solver.h"

static const dd_solver_method *const methods[] = {&dd_solver_klu, &dd_solver_dense};
enum { METHODS = sizeof methods / sizeof methods[0] };

const char *dd_linsolver_name(uint32_t i)
{
    return i < METHODS ? methods[i]->name : NULL;
}

dd_status dd_linsolver_new(dd_linsolver **out, dd_context *ctx, const char *name)
{
    *out = NULL;
    const dd_solver_method *method = NULL;
    /* by name: the table is short */
    for (uint32_t i = 0; i < METHODS; i++) {
        if (strcmp(methods[i]->name, name) == 0) {
            method = methods[i];
        }
    }
    if (method == NULL) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "there is no linear solver \"%s\"", name);
    }
    dd_linsolver *ls = dd_mem_new_array(ctx, 1, sizeof *ls);
    void *state = ls != NULL ? dd_mem_new_array(ctx, 1, method->state_size) : NULL;
    if (state == NULL) {
        dd_mem_free(ctx, ls, sizeof *ls);
        return DD_OUT_OF_MEMORY;
    }
    *ls = (dd_linsolver){.ctx = ctx, .method = method, .state = state, .info.column = DD_NO_INDEX};
    *out = ls;
    return DD_OK;
}

/* Forgets pattern and factors. */
static void reset(dd_linsolver *ls)
{
    ls->method->clear(ls);
    memset(ls->state, 0, ls->method->state_size);
    dd_csc_free(ls->ctx, &ls->pattern);
    ls->factored = false;
}

void dd_linsolver_free(dd_linsolver *ls)
{
    if (ls == NULL) {
        return;
    }
    dd_context *ctx = ls->ctx;
    reset(ls);
    dd_mem_free(ctx, ls->state, ls->method->state_size);
    dd_mem_free(ctx, ls, sizeof *ls);
}

void dd_linsolver_set_singular(dd_linsolver *ls, double rcond_limit)
{
    ls->rcond_limit = rcond_limit;
}

void dd_linsolver_set_one_block(dd_linsolver *ls)
{
    ls->one_block = true;
}

dd_status dd_linsolver_analyse(dd_linsolver *ls, const dd_csc *a)
{
    reset(ls);
    uint32_t nnz = a->ptr[a->ncols];
    if (a->nrows != a->ncols || nnz > INT32_MAX || a->ncols > INT32_MAX / 8) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "a linear solver needs a square matrix of moderate size");
    }
    dd_status st = dd_csc_new(&ls->pattern, ls->ctx, a->nrows, a->ncols, nnz);
    if (st != DD_OK) {
        return st;
    }
    /* the pattern is copied: the caller may free or change its matrix between factorisations */
    memcpy(ls->pattern.ptr, a->ptr, ((size_t)a->ncols + 1) * sizeof *a->ptr);
    memcpy(ls->pattern.idx, a->idx, nnz * sizeof *a->idx);
    st = a->ncols > 0 ? ls->method->analyse(ls) : DD_OK;
    if (st != DD_OK) {
        reset(ls);
    }
    return st;
}

/* The values must belong to the analysed pattern; comparing sizes catches the usual mistakes at no cost. */
static bool same_pattern(const dd_linsolver *ls, const dd_csc *a)
{
    return ls->pattern.ptr != NULL && a->nrows == ls->pattern.nrows && a->ncols == ls->pattern.ncols &&
           a->ptr[a->ncols] == ls->pattern.ptr[ls->pattern.ncols];
}

static dd_status factor_with(dd_linsolver *ls, const dd_csc *a, bool reuse)
{
    if (!same_pattern(ls, a)) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "the matrix does not have the analysed pattern");
    }
    /* the verdict of the last factorisation must not survive this one */
    dd_linsolver_info *info = &ls->info;
    info->singular = info->structural = false;
    info->column = DD_NO_INDEX;
    info->rank = a->ncols;
    info->rcond = 1;
    ls->factored = false;
    *(reuse ? &info->refactor_count : &info->factor_count) += 1;
    dd_status st = a->ncols == 0 ? DD_OK : ls->method->factor(ls, a, reuse);
    if (st != DD_OK) {
        return st;
    }
    /* !(rcond >= limit) also catches NaN */
    if (!info->singular && (!(info->rcond >= ls->rcond_limit) || info->rcond == 0)) {
        info->singular = true;
        info->column = ls->method->weakest(ls);
    }
    ls->factored = !info->singular;
    return DD_OK;
}

dd_status dd_linsolver_factor(dd_linsolver *ls, const dd_csc *a)
{
    return factor_with(ls, a, false);
}

dd_status dd_linsolver_refactor(dd_linsolver *ls, const dd_csc *a)
{
    if (!ls->factored || !same_pattern(ls, a)) {
        return factor_with(ls, a, false);
    }
    dd_status st = factor_with(ls, a, true);
    /* old pivots that have become bad say nothing about the matrix: only fresh ones may call it singular */
    if (st == DD_OK && (ls->info.singular || ls->bad_pivots)) {
        st = factor_with(ls, a, false);
    }
    return st;
}

static dd_status solve_with(dd_linsolver *ls, uint32_t nrhs, double *b, bool transposed)
{
    if (!ls->factored) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "there is no regular factorisation to solve with");
    }
    ls->info.solve_count += nrhs;
    return ls->pattern.ncols == 0 || nrhs == 0 ? DD_OK : ls->method->solve(ls, nrhs, b, transposed);
}

dd_status dd_linsolver_solve(dd_linsolver *ls, uint32_t nrhs, double *b)
{
    return solve_with(ls, nrhs, b, false);
}

dd_status dd_linsolver_solve_t(dd_linsolver *ls, uint32_t nrhs, double *b)
{
    return solve_with(ls, nrhs, b, true);
}

dd_status dd_linsolver_condition(dd_linsolver *ls, const dd_csc *a, double *condition)
{
    *condition = __builtin_huge_val();
    if (!same_pattern(ls, a)) {
        return dd_fail(ls->ctx, DD_INVALID_ARGUMENT, "the matrix does not have the analysed pattern");
    }
    if (!ls->factored) {
        return DD_OK;
    }
    if (a->ncols == 0) {
        *condition = 1;
        return DD_OK;
    }
    return ls->method->condition(ls, a, condition);
}

dd_linsolver_info dd_linsolver_get_info(const dd_linsolver *ls)
{
    return ls->info;
}
