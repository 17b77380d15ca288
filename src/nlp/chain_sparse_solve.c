/* chain_sparse_solve.c - right-hand sides through sparse leaves, eight intervals at a time (chain_sparse.h). */
#include "nlp/chain_sparse.h"
#include "nlp/chain_vector.h"

/* Factors of a batch. */
typedef struct factors {
    const chain_program *p;
    const v8 *l, *u, *inverse;
    uint32_t nd;
} factors;

INLINE factors factors_of(const chain_batch *b)
{
    const chain_program *p = b->program;
    const uint32_t nd = b->shape->nd;
    const v8 *l = (const v8 *)b->lu;
    return (factors){p, l, l + p->l_ptr[nd], l + p->l_ptr[nd] + p->u_ptr[nd], nd};
}

/* y := A^-1 y: rows in the order of the pivots become variables in that order. */
INLINE void solve_rows(const factors *f, v8 *y)
{
    const chain_program *p = f->p;
    for (uint32_t i = 0; i < f->nd; i++) {
        v8 sum = y[i];
        for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
            sum -= f->l[k] * y[p->l_col[k]];
        }
        y[i] = sum;
    }
    for (uint32_t i = f->nd; i-- > 0;) {
        v8 sum = y[i];
        for (uint32_t k = p->u_ptr[i]; k < p->u_ptr[i + 1]; k++) {
            sum -= f->u[k] * y[p->u_col[k]];
        }
        y[i] = sum * f->inverse[i];
    }
}

/* z := A^-T z: variables become rows. */
INLINE void solve_columns(const factors *f, v8 *z)
{
    const chain_program *p = f->p;
    for (uint32_t i = 0; i < f->nd; i++) {
        const v8 x = z[i] * f->inverse[i];
        z[i] = x;
        for (uint32_t k = p->u_ptr[i]; k < p->u_ptr[i + 1]; k++) {
            z[p->u_col[k]] -= f->u[k] * x;
        }
    }
    for (uint32_t i = f->nd; i-- > 0;) {
        const v8 x = z[i];
        for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
            z[p->l_col[k]] -= f->l[k] * x;
        }
    }
}

/* z = r_D - H_DD y, both in the order of the pivots. */
INLINE void subtract_inside(const chain_batch *b, const double *rhs, const v8 *y, v8 *z)
{
    const chain_shape *s = b->shape;
    const chain_program *p = b->program;
    const v8 *value = (const v8 *)b->value;
    for (uint32_t i = 0; i < s->nd; i++) {
        v8 sum = collect(b, rhs, chain_at_d(s) + i);
        for (uint32_t e = s->hd_ptr[i]; e < s->hd_ptr[i + 1]; e++) {
            sum -= value[s->at_hd + s->hd_slot[e]] * y[p->col_at[s->hd_col[e]]];
        }
        z[p->col_at[i]] = sum;
    }
}

INLINE void forward_batch(const chain_batch *b, const double *rhs)
{
    const chain_shape *s = b->shape;
    const factors f = factors_of(b);
    const chain_program *p = f.p;
    const v8 *value = (const v8 *)b->value;
    v8 *y = (v8 *)b->d0, *z = (v8 *)b->r1, *out = (v8 *)b->outside;
    for (uint32_t i = 0; i < s->nd; i++) {
        y[i] = collect(b, rhs, chain_at_r(s) + p->row[i]);
    }
    solve_rows(&f, y);
    subtract_inside(b, rhs, y, z);
    solve_columns(&f, z);
    /* outside: variables, then rows */
    for (uint32_t e = 0; e < s->ne; e++) {
        v8 sum = {0};
        for (uint32_t k = s->ae_ptr[e]; k < s->ae_ptr[e + 1]; k++) {
            sum -= value[s->at_ae + k] * z[p->row_at[s->ae_row[k]]];
        }
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            sum -= value[s->at_hu + k] * y[p->col_at[s->hu_row[k]]];
        }
        out[e] = sum;
    }
    for (uint32_t g = 0; g < s->ng; g++) {
        v8 sum = {0};
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            sum -= value[s->at_g + k] * y[p->col_at[s->g_col[k]]];
        }
        out[s->ne + g] = sum;
    }
}

INLINE void backward_batch(const chain_batch *b, double *rhs)
{
    const chain_shape *s = b->shape;
    const factors f = factors_of(b);
    const chain_program *p = f.p;
    const v8 *value = (const v8 *)b->value;
    v8 *y = (v8 *)b->d0, *z = (v8 *)b->r1, *in = (v8 *)b->outside;
    /* A d = r - A_e e: the inside from its ends, which are known now */
    for (uint32_t i = 0; i < s->nd; i++) {
        y[i] = collect(b, rhs, chain_at_r(s) + p->row[i]);
    }
    for (uint32_t e = 0; e < s->ne; e++) {
        in[e] = collect(b, rhs, chain_at_e(s) + e);
        for (uint32_t k = s->ae_ptr[e]; k < s->ae_ptr[e + 1]; k++) {
            y[p->row_at[s->ae_row[k]]] -= value[s->at_ae + k] * in[e];
        }
    }
    solve_rows(&f, y);
    subtract_inside(b, rhs, y, z);
    for (uint32_t e = 0; e < s->ne; e++) {
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            z[p->col_at[s->hu_row[k]]] -= value[s->at_hu + k] * in[e];
        }
    }
    for (uint32_t g = 0; g < s->ng; g++) {
        const v8 x = collect(b, rhs, chain_at_g(s) + g);
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            z[p->col_at[s->g_col[k]]] -= value[s->at_g + k] * x;
        }
    }
    solve_columns(&f, z);
    for (uint32_t i = 0; i < s->nd; i++) {
        put(b, rhs, chain_at_d(s) + p->col[i], y[i]);
        put(b, rhs, chain_at_r(s) + p->row[i], z[i]);
    }
}

void dd_chain_sparse_forward_plain(const chain_batch *b, const double *rhs)
{
    forward_batch(b, rhs);
}
void dd_chain_sparse_backward_plain(const chain_batch *b, double *rhs)
{
    backward_batch(b, rhs);
}
#ifdef CHAIN_TARGETS
CHAIN_AVX512 void dd_chain_sparse_forward_avx512(const chain_batch *b, const double *rhs)
{
    forward_batch(b, rhs);
}
CHAIN_AVX512 void dd_chain_sparse_backward_avx512(const chain_batch *b, double *rhs)
{
    backward_batch(b, rhs);
}
#endif
