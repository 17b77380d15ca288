/* chain_sparse.c - condensing sparse leaves: LU and right-hand sides of eight intervals in lanes, then the products of
 * each interval by itself (chain_sparse.h). */
#include "nlp/chain_sparse.h"

#include <math.h>
#include <string.h>

#include "nlp/chain_vector.h"

/* Rows of S that are used at a time: they, as many of U, and S^T U stay in the second cache. */
enum { SLICE = 96 };

typedef double unaligned8 __attribute__((vector_size(64), aligned(8), may_alias));

/* What a factorisation uses beside the batch. */
typedef struct room {
    v8 *x;     /* nd: a row of LU */
    v8 *panel; /* nd x CHAIN_PANEL: columns of S, by pivots */
    double *s; /* CHAIN_LANES of nd x ld: S of each interval, by variables */
    double *u; /* SLICE x ld: some rows of H_DD S - H_De of one interval */
    double *c; /* ne x ld: S^T U of one interval */
    uint32_t ld;
} room;

static uint32_t width_of(const chain_shape *s)
{
    return (s->ne + CHAIN_PANEL - 1) / CHAIN_PANEL * CHAIN_PANEL;
}

size_t dd_chain_sparse_scratch(const chain_shape *s)
{
    const size_t ld = width_of(s), nd = s->nd;
    return nd * CHAIN_LANES * (1 + CHAIN_PANEL + ld) + (SLICE + ld) * ld;
}

static room room_in(const chain_shape *s, double *scratch)
{
    const size_t ld = width_of(s), nd = s->nd;
    room r = {.x = (v8 *)scratch, .ld = (uint32_t)ld};
    r.panel = r.x + nd;
    r.s = (double *)(r.panel + nd * CHAIN_PANEL);
    r.u = r.s + nd * ld * CHAIN_LANES;
    r.c = r.u + SLICE * ld;
    return r;
}

/* LU row by row in the order of the pivots; the largest multiplier of every lane. */
INLINE void lu(chain_batch *b, v8 *x)
{
    const chain_program *p = b->program;
    const v8 *value = (const v8 *)b->value;
    const uint32_t nd = b->shape->nd;
    v8 *l = (v8 *)b->lu, *u = l + p->l_ptr[nd], *inverse = u + p->u_ptr[nd], growth = {0}, bad = {0};
    for (uint32_t i = 0; i < nd; i++) {
        for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
            x[p->l_col[k]] = (v8){0};
        }
        for (uint32_t k = p->u_ptr[i]; k < p->u_ptr[i + 1]; k++) {
            x[p->u_col[k]] = (v8){0};
        }
        x[i] = (v8){0};
        for (uint32_t e = p->a_ptr[i]; e < p->a_ptr[i + 1]; e++) {
            x[p->a_at[e]] = value[p->a_slot[e]];
        }
        /* the pivots before, in their order */
        for (uint32_t k = p->l_ptr[i]; k < p->l_ptr[i + 1]; k++) {
            const uint32_t j = p->l_col[k];
            const v8 m = x[j] * inverse[j], size = absolute(m);
            l[k] = m;
            growth = either(size <= growth, growth, size); /* NaN stays */
            for (uint32_t t = p->u_ptr[j]; t < p->u_ptr[j + 1]; t++) {
                x[p->u_col[t]] -= m * u[t];
            }
        }
        for (uint32_t k = p->u_ptr[i]; k < p->u_ptr[i + 1]; k++) {
            u[k] = x[p->u_col[k]];
        }
        inverse[i] = 1 / x[i];
        bad += inverse[i] * 0;
    }
    growth += bad;
    memcpy(b->lu_growth, &growth, sizeof growth);
}

/* Columns c .. c + C - 1 of row i of a panel: minus the entries at these columns. */
INLINE void forward_row(int C, const chain_program *p, const v8 *l, v8 *panel, uint32_t at, uint32_t c)
{
    v8 sum[CHAIN_PANEL], *to = panel + (size_t)p->reach_row[at] * CHAIN_PANEL + c;
    UNROLL for (int j = 0; j < C; j++)
    {
        sum[j] = to[j];
    }
    for (uint32_t t = p->part_ptr[at]; t < p->part_ptr[at + 1]; t++) {
        const uint32_t k = p->part[t];
        const v8 m = l[k], *from = panel + (size_t)p->l_col[k] * CHAIN_PANEL + c;
        UNROLL for (int j = 0; j < C; j++)
        {
            sum[j] -= m * from[j];
        }
    }
    UNROLL for (int j = 0; j < C; j++)
    {
        to[j] = sum[j];
    }
}

INLINE void backward_row(int C, const chain_program *p, const v8 *u, v8 inverse, v8 *panel, uint32_t i, uint32_t c,
                         bool reached)
{
    v8 sum[CHAIN_PANEL], *to = panel + (size_t)i * CHAIN_PANEL + c;
    UNROLL for (int j = 0; j < C; j++)
    {
        sum[j] = reached ? to[j] : (v8){0};
    }
    for (uint32_t k = p->u_ptr[i]; k < p->u_ptr[i + 1]; k++) {
        const v8 m = u[k], *from = panel + (size_t)p->u_col[k] * CHAIN_PANEL + c;
        UNROLL for (int j = 0; j < C; j++)
        {
            sum[j] -= m * from[j];
        }
    }
    UNROLL for (int j = 0; j < C; j++)
    {
        to[j] = sum[j] * inverse;
    }
}

/* One panel of S = A^-1 A_e, dealt out to the intervals. C: columns whose sums fit into the registers. */
INLINE void solve_panel(int C, bool wide, const chain_batch *b, const room *r, uint32_t number)
{
    const chain_program *p = b->program;
    const chain_shape *s = b->shape;
    const uint32_t nd = s->nd, first = number * CHAIN_PANEL;
    const uint32_t end = first + CHAIN_PANEL < s->ne ? first + CHAIN_PANEL : s->ne;
    const v8 *l = (const v8 *)b->lu, *u = l + p->l_ptr[nd], *inverse = u + p->u_ptr[nd];
    const v8 *value = (const v8 *)b->value;
    /* the columns of A_e, in the rows that the solution reaches */
    for (uint32_t at = p->reach_ptr[number]; at < p->reach_ptr[number + 1]; at++) {
        memset(r->panel + (size_t)p->reach_row[at] * CHAIN_PANEL, 0, CHAIN_PANEL * sizeof *r->panel);
    }
    for (uint32_t e = first; e < end; e++) {
        for (uint32_t k = s->ae_ptr[e]; k < s->ae_ptr[e + 1]; k++) {
            r->panel[(size_t)p->row_at[s->ae_row[k]] * CHAIN_PANEL + e - first] = value[s->at_ae + k];
        }
    }
    for (uint32_t at = p->reach_ptr[number]; at < p->reach_ptr[number + 1]; at++) {
        for (uint32_t c = 0; c < CHAIN_PANEL; c += (uint32_t)C) {
            forward_row(C, p, l, r->panel, at, c);
        }
    }
    /* back substitution; each row is dealt out when it is complete */
    uint32_t at = p->reach_ptr[number + 1];
    for (uint32_t i = nd; i-- > 0;) {
        const bool reached = at > p->reach_ptr[number] && p->reach_row[at - 1] == i;
        at -= reached;
        for (uint32_t c = 0; c < CHAIN_PANEL; c += (uint32_t)C) {
            backward_row(C, p, u, inverse[i], r->panel, i, c, reached);
        }
        deal_out(wide, r->panel + (size_t)i * CHAIN_PANEL, r->s + (size_t)p->col[i] * r->ld + first, nd * r->ld);
    }
}

/* ---- one interval by itself ---- */

/* to -= h from, count numbers. */
INLINE void subtract_row(double *to, double h, const double *from, uint32_t count)
{
    uint32_t j = 0;
    for (; j + 8 <= count; j += 8) {
        *(unaligned8 *)(to + j) -= h * *(const unaligned8 *)(from + j);
    }
    for (; j < count; j++) {
        to[j] -= h * from[j];
    }
}

/* u = H_DD S - H_De, rows first .. end - 1; the largest of |H|. */
INLINE double multiply_inside(const chain_batch *b, const room *r, uint32_t lane, uint32_t first, uint32_t end)
{
    const chain_shape *s = b->shape;
    const double *value = b->value + lane, *of = r->s + (size_t)lane * s->nd * r->ld;
    double largest = 0;
    for (uint32_t i = first; i < end; i++) {
        /* H_DD S by rows */
        v8 *to = (v8 *)(r->u + (size_t)(i - first) * r->ld);
        for (uint32_t j = 0; j < r->ld / 8; j++) {
            to[j] = (v8){0};
        }
        for (uint32_t e = s->hd_ptr[i]; e < s->hd_ptr[i + 1]; e++) {
            const double h = value[(size_t)(s->at_hd + s->hd_slot[e]) * CHAIN_LANES];
            const v8 *from = (const v8 *)(of + (size_t)s->hd_col[e] * r->ld);
            largest = fabs(h) > largest ? fabs(h) : largest;
            for (uint32_t j = 0; h != 0 && j < r->ld / 8; j++) {
                to[j] += h * from[j];
            }
        }
    }
    /* less H_De */
    for (uint32_t e = 0; e < s->ne; e++) {
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            const double h = value[(size_t)(s->at_hu + k) * CHAIN_LANES];
            const uint32_t i = s->hu_row[k];
            largest = fabs(h) > largest ? fabs(h) : largest;
            if (i >= first && i < end) {
                r->u[(size_t)(i - first) * r->ld + e] -= h;
            }
        }
    }
    return largest;
}

/* H_ee += S^T U - H_De^T S, G_e -= G_D S, on top of what is outside anyway. Returns the largest change of the diagonal
 * that is no rounding error. */
INLINE double write_out(const chain_batch *b, const room *r, uint32_t lane)
{
    const chain_shape *s = b->shape;
    const uint32_t ne = s->ne;
    const double *value = b->value + lane, *of = r->s + (size_t)lane * s->nd * r->ld;
    double *out = b->out + (size_t)lane * b->outs, *ge = out + (size_t)ne * ne, largest = 0;
    for (uint32_t e = 0; e < ne; e++) {
        double *line = r->c + (size_t)e * r->ld;
        for (uint32_t k = s->hu_ptr[e]; k < s->hu_ptr[e + 1]; k++) {
            const double h = value[(size_t)(s->at_hu + k) * CHAIN_LANES];
            subtract_row(line, h, of + (size_t)s->hu_row[k] * r->ld, e + 1);
        }
    }
    /* the lower triangle is known; the other one in blocks, which stay in the first cache */
    for (uint32_t e = 0; e < ne; e++) {
        memcpy(out + (size_t)e * ne, r->c + (size_t)e * r->ld, (e + 1) * sizeof *out);
    }
    for (uint32_t f = 0; f < ne; f += 8) {
        for (uint32_t e = f + 1; e < ne; e++) {
            for (uint32_t j = f; j < f + 8 && j < e; j++) {
                out[(size_t)j * ne + e] = r->c[(size_t)e * r->ld + j];
            }
        }
    }
    for (uint32_t g = 0; g < s->ng; g++) {
        double *line = ge + (size_t)g * ne;
        memset(line, 0, ne * sizeof *line);
        for (uint32_t k = s->g_ptr[g]; k < s->g_ptr[g + 1]; k++) {
            const double h = value[(size_t)(s->at_g + k) * CHAIN_LANES];
            subtract_row(line, h, of + (size_t)s->g_col[k] * r->ld, ne);
        }
    }
    for (uint32_t k = 0; k < s->outers; k++) {
        out[s->outer_at[k]] += value[(size_t)(s->at_hee + k) * CHAIN_LANES];
    }
    for (uint32_t e = 0; e < ne; e++) {
        const double change = r->c[(size_t)e * r->ld + e], before = out[(size_t)e * ne + e] - change;
        const double counts = fabs(change) - CHAIN_NOISE_OF_CHANGE * fabs(before);
        largest = counts > largest || isnan(counts) ? counts : largest;
    }
    return largest;
}

INLINE void condense_lane(chain_batch *b, const room *r, uint32_t lane, void (*product)(const chain_product_of *))
{
    const chain_shape *s = b->shape;
    double inside = 0;
    for (uint32_t first = 0; first < s->nd; first += SLICE) {
        const uint32_t end = first + SLICE < s->nd ? first + SLICE : s->nd;
        const double largest = multiply_inside(b, r, lane, first, end);
        inside = largest > inside ? largest : inside;
        product(&(chain_product_of){.rows = s->ne,
                                    .cols = r->ld,
                                    .inner = end - first,
                                    .a = r->s + ((size_t)lane * s->nd + first) * r->ld,
                                    .lda = r->ld,
                                    .b = r->u,
                                    .ldb = r->ld,
                                    .c = r->c,
                                    .ldc = r->ld,
                                    .add = first > 0,
                                    .lower = true});
    }
    const double ratio = write_out(b, r, lane) / (inside * CHAIN_CURVATURE_GROWTH);
    b->growth[lane] = ratio > b->lu_growth[lane] ? ratio : b->lu_growth[lane];
}

INLINE void factor_batch(int C, bool wide, chain_batch *b, const chain_source *from, double *scratch,
                         void (*product)(const chain_product_of *))
{
    const room r = room_in(b->shape, scratch);
    gather(b, from, (v8 *)b->value);
    if (!from->same_inside) {
        lu(b, r.x);
    }
    for (uint32_t panel = 0; panel < r.ld / CHAIN_PANEL; panel++) {
        solve_panel(C, wide, b, &r, panel);
    }
    for (uint32_t lane = 0; lane < b->lanes; lane++) {
        condense_lane(b, &r, lane, product);
    }
}

void dd_chain_sparse_factor_plain(chain_batch *b, const chain_source *from, double *scratch)
{
    factor_batch(1, false, b, from, scratch, dd_chain_product_plain);
}
#ifdef CHAIN_TARGETS
CHAIN_AVX2 void dd_chain_sparse_factor_avx2(chain_batch *b, const chain_source *from, double *scratch)
{
    factor_batch(4, false, b, from, scratch, dd_chain_product_avx2);
}
CHAIN_AVX512 void dd_chain_sparse_factor_avx512(chain_batch *b, const chain_source *from, double *scratch)
{
    factor_batch(8, true, b, from, scratch, dd_chain_product_avx512);
}
#endif
