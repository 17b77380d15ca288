/* start_rows.c - the rows a start has to satisfy, with their incidence: the system's and the initial equations. */
#include <string.h>

#include "init/start_impl.h"

uint32_t dd_start_row_order(const start_work *w, uint32_t row)
{
    return row < w->rows.n ? w->s->off.c[row] + w->extra : 0;
}

uint32_t dd_start_meets(const start_rows *r, uint32_t e, uint32_t k, uint32_t m)
{
    uint32_t how = 0;
    /* d^k f/dt^k contains x^(m) with m < k only if the partial itself changes in time */
    if (r->inc.partial0[e] != DD_EXPR_NONE && (m == k || (m < k && (r->varies[e] & 1)))) {
        how |= 1;
    }
    if (r->inc.partial1[e] != DD_EXPR_NONE && m >= 1 && (m == k + 1 || (m < k + 1 && (r->varies[e] & 2)))) {
        how |= 2;
    }
    return how;
}

/* Does the expression change with time or an unknown? */
static bool varies(const dd_system *s, dd_expr e, dd_expr_vec *symbols, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    if (e == DD_EXPR_NONE || dd_op_of(dag, e) == DD_OP_NUM || dd_op_of(dag, e) == DD_OP_PARAM) {
        return false;
    }
    symbols->len = 0;
    dd_symbols(dag, e, true, symbols, scratch);
    for (uint32_t i = 0; i < symbols->len; i++) {
        if (dd_op_of(dag, symbols->data[i]) != DD_OP_PARAM) {
            return true;
        }
    }
    return false;
}

typedef struct entry_vecs {
    dd_index_vec idx;
    DD_VEC(int32_t) sigma;
    dd_expr_vec partial0, partial1;
} entry_vecs;

/* The entries of an initial equation; a column's x and x' share one. */
static void add_initial_row(start_work *w, dd_expr residual, entry_vecs *v)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0}, partials = {0};
    uint32_t first = v->idx.len;
    /* partials by x and by x' of the same column share one entry */
    dd_partials(dag, residual, false, &symbols, &partials, w->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t col = s->column[dd_symbol_id(dag, symbols.data[i])], order = dd_symbol_order(dag, symbols.data[i]);
        if (col == DD_NO_INDEX) {
            continue;
        }
        uint32_t at = first;
        while (at < v->idx.len && v->idx.data[at] != col) {
            at++;
        }
        if (at == v->idx.len) {
            dd_vec_push(w->scratch, &v->idx, col);
            dd_vec_push(w->scratch, &v->sigma, 0);
            dd_vec_push(w->scratch, &v->partial0, DD_EXPR_NONE);
            dd_vec_push(w->scratch, &v->partial1, DD_EXPR_NONE);
        }
        /* der() of a column that is algebraic in the system: one more derivative of everything */
        if (order == 0) {
            v->partial0.data[at] = partials.data[i];
        } else {
            v->partial1.data[at] = partials.data[i];
            v->sigma.data[at] = 1;
            w->extra = s->off.d[col] == 0 ? 1 : w->extra;
        }
    }
}

/* The system's incidence with the initial equations below it. */
static void extend_incidence(start_work *w)
{
    const dd_system *s = w->s;
    start_rows *r = &w->rows;
    const dd_incidence *a = &s->inc;
    uint32_t old = a->ptr[a->n];
    /* the system's entries first, so that their numbers stay the same */
    entry_vecs v = {0};
    r->inc.n = r->eqs.len;
    r->inc.ncols = s->ncols;
    r->inc.ptr = dd_pool_alloc_array(w->scratch, r->eqs.len + 2, sizeof(uint32_t));
    memcpy(r->inc.ptr, a->ptr, (a->n + 1) * sizeof(uint32_t));
    for (uint32_t i = r->n; i < r->eqs.len; i++) {
        add_initial_row(w, r->eqs.data[i].residual, &v);
        r->inc.ptr[i + 1] = old + v.idx.len;
    }
    uint32_t entries = old + v.idx.len;
    r->inc.idx = dd_pool_alloc_array(w->scratch, entries + 1, sizeof(uint32_t));
    r->inc.sigma = dd_pool_alloc_array(w->scratch, entries + 1, sizeof(int32_t));
    r->inc.partial0 = dd_pool_alloc_array(w->scratch, entries + 1, sizeof(dd_expr));
    r->inc.partial1 = dd_pool_alloc_array(w->scratch, entries + 1, sizeof(dd_expr));
    /* then those of the initial equations */
    for (uint32_t e = 0; e < entries; e++) {
        bool fresh = e >= old;
        r->inc.idx[e] = fresh ? v.idx.data[e - old] : a->idx[e];
        r->inc.sigma[e] = fresh ? v.sigma.data[e - old] : a->sigma[e];
        r->inc.partial0[e] = fresh ? v.partial0.data[e - old] : a->partial0[e];
        r->inc.partial1[e] = fresh ? v.partial1.data[e - old] : a->partial1[e];
    }
}

void dd_start_collect_rows(start_work *w)
{
    const dd_system *s = w->s;
    start_rows *r = &w->rows;
    r->n = s->eqs.len;
    uint32_t initial = s->model->initial_rows.len;
    /* without initial equations the system's own tapes serve */
    if (initial == 0) {
        r->eqs = s->eqs;
        r->inc = s->inc;
        r->numeric = w->numeric;
    } else {
        for (uint32_t i = 0; i < s->eqs.len; i++) {
            dd_vec_push(w->scratch, &r->eqs, s->eqs.data[i]);
        }
        for (uint32_t i = 0; i < initial; i++) {
            dd_eq eq = {.residual = dd_system_lower(s, s->model->initial_rows.data[i].residual)};
            dd_vec_push(w->scratch, &r->eqs, eq);
        }
        extend_incidence(w);
        r->numeric = dd_numeric_new(s, &r->eqs, &r->inc, w->scratch);
        dd_numeric_set_outside(r->numeric, &w->at);
    }
    /* a constant partial couples derivatives of equal order alone, which keeps the pattern sparse */
    uint32_t entries = r->inc.ptr[r->inc.n];
    r->varies = dd_pool_alloc_array(w->scratch, entries + 1, 1);
    dd_expr_vec symbols = {0};
    for (uint32_t e = 0; e < entries; e++) {
        r->varies[e] = (uint8_t)((varies(s, r->inc.partial0[e], &symbols, w->scratch) ? 1 : 0) |
                                 (varies(s, r->inc.partial1[e], &symbols, w->scratch) ? 2 : 0));
    }
}
