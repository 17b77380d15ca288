/* condense.c - the dense program of a quadratic model: every interval is solved for what its rows determine, then the
 * states are followed along the nodes, in columns of the start and the controls (Bock and Plitt 1984). */
#include "nlp/condense.h"

#include <math.h>
#include <string.h>

#include "nlp/chain_vector.h"
#include "nlp/condense_impl.h"

#define PIVOT_LEAST 1e-14 /* rows of the program are of size 1: a smaller pivot means a singular interval */

dd_condensed_qp *dd_condensed_new(dd_pool *pool, const dd_nlp *nlp, uint32_t start_row, uint32_t states)
{
    return dd_condensed_plan(pool, nlp, start_row, states);
}

/* Eight numbers at once, and four: compiled for several processors, all that makes the dense program is one function. */
typedef double pack __attribute__((vector_size(64), aligned(8), may_alias));
typedef double half_pack __attribute__((vector_size(32), aligned(8), may_alias));

/* Rows are short and their number large. The rows are different ones. */
INLINE void add_scaled(double *restrict to, double factor, const double *restrict from, uint32_t n)
{
    uint32_t i = 0;
    for (; i + 8 <= n; i += 8) {
        *(pack *)(to + i) += factor * *(const pack *)(from + i);
    }
    if (i + 4 <= n) {
        *(half_pack *)(to + i) += factor * *(const half_pack *)(from + i);
        i += 4;
    }
    for (; i < n; i++) {
        to[i] += factor * from[i];
    }
}

/* ---- an interval ---- */

INLINE void keep_larger(double value, uint32_t i, double *largest, uint32_t *best)
{
    if (fabs(value) > *largest) {
        *largest = fabs(value);
        *best = i;
    }
}

/* [A | A_e | c] to [L U | A^-1 A_e | A^-1 c], with row exchanges; false: A is singular. */
INLINE bool eliminate(condense_stage *s)
{
    const uint32_t nd = s->nd, ld = s->ld;
    /* the largest number of the next column is known when its rows are: no pass of its own, which took as long as theirs */
    uint32_t best = 0;
    double largest = nd > 0 ? fabs(s->lu[0]) : 0;
    for (uint32_t i = 1; i < nd; i++) {
        keep_larger(s->lu[(size_t)i * ld], i, &largest, &best);
    }
    for (uint32_t p = 0; p < nd; p++) {
        double *pivot = s->lu + (size_t)p * ld, *other = s->lu + (size_t)best * ld;
        s->pivot[p] = best;
        for (uint32_t j = 0; best != p && j < ld; j++) {
            const double keep = pivot[j];
            pivot[j] = other[j];
            other[j] = keep;
        }
        if (!(fabs(pivot[p]) > PIVOT_LEAST)) {
            return false;
        }
        const double inverse = 1 / pivot[p];
        largest = -1;
        best = p + 1;
        for (uint32_t i = p + 1; i < nd; i++) {
            double *row = s->lu + (size_t)i * ld;
            if (row[p] != 0) {
                row[p] *= inverse;
                add_scaled(row + p + 1, -row[p], pivot + p + 1, ld - p - 1);
            }
            keep_larger(row[p + 1], i, &largest, &best);
        }
    }
    /* backwards through U */
    for (uint32_t p = nd; p-- > 0;) {
        double *row = s->lu + (size_t)p * ld;
        for (uint32_t i = p + 1; i < nd; i++) {
            if (row[i] != 0) {
                add_scaled(row + nd, -row[i], s->lu + (size_t)i * ld + nd, ld - nd);
            }
        }
        const double inverse = 1 / row[p];
        for (uint32_t j = nd; j < ld; j++) {
            row[j] *= inverse;
        }
    }
    return true;
}

/* d = T [e; 1] from the rows inside. */
INLINE bool solve_inside(const dd_condensed_qp *c, condense_stage *s, const dd_linearized_values *v)
{
    memset(s->lu, 0, (size_t)s->nd * s->ld * sizeof *s->lu);
    for (uint32_t a = 0; a < s->insides; a++) {
        const condense_entry *at = &s->inside[a];
        s->lu[(size_t)at->i * s->ld + at->j] += v->jacobian[at->source];
    }
    for (uint32_t i = 0; i < s->nd; i++) {
        s->lu[(size_t)i * s->ld + s->ld - 1] = v->c[s->r[i]] - c->nlp->c_lower[s->r[i]];
    }
    if (!eliminate(s)) {
        return false;
    }
    for (uint32_t i = 0; i < s->nd; i++) {
        double *row = s->lu + (size_t)i * s->ld;
        for (uint32_t j = s->nd; j < s->ld; j++) {
            row[j] = -row[j];
        }
    }
    return true;
}

/* A number times a local unknown, added to a row in e and 1. */
INLINE void add_local(const condense_stage *s, uint32_t at, double factor, double *row)
{
    if (at < s->nd) {
        add_scaled(row, factor, s->lu + (size_t)at * s->ld + s->nd, s->ne + 1);
    } else {
        row[at - s->nd] += factor;
    }
}

/* A row in e and 1 as one in columns, added. */
INLINE void add_columns(const dd_condensed_qp *c, const condense_stage *s, const double *row, double *to)
{
    for (uint32_t i = 0; i <= s->ne; i++) {
        if (row[i] != 0) {
            add_scaled(to, row[i], s->span + (size_t)i * c->line, s->width);
        }
    }
}

/* to = rows in e and 1, turned, times e and 1 in columns: in tiles of registers. */
INLINE void put_columns(const dd_condensed_qp *c, const condense_stage *s, const double *turned, size_t ld,
                        uint32_t rows, double *to)
{
    const chain_product_of p = {.rows = rows,
                                .cols = CONDENSE_LINE(s->width),
                                .inner = s->ne + 1,
                                .a = turned,
                                .lda = ld,
                                .b = s->span,
                                .ldb = c->line,
                                .c = to,
                                .ldc = c->line};
    c->product(&p);
}

/* The states of the next stage: in e and 1, and in columns. */
INLINE bool go_on(const dd_condensed_qp *c, condense_stage *s, const dd_linearized_values *v)
{
    const condense_stage *next = s + 1;
    const uint32_t ld = CONDENSE_LINE(s->ne + 1);
    memset(s->f, 0, (size_t)s->nx_next * ld * sizeof *s->f);
    for (uint32_t a = 0; a < s->links; a++) {
        const condense_entry *at = &s->onward[a];
        add_local(s, at->j, v->jacobian[at->source], s->f + (size_t)at->i * ld);
    }
    for (uint32_t i = 0; i < s->nx_next; i++) {
        double *row = s->f + (size_t)i * ld;
        const double own = v->jacobian[next->own[i]];
        if (own == 0) {
            return false;
        }
        row[s->ne] += v->c[next->link[i]] - c->nlp->c_lower[next->link[i]];
        for (uint32_t j = 0; j <= s->ne; j++) {
            row[j] /= -own;
            c->turned[(size_t)j * s->nx_next + i] = row[j];
        }
    }
    put_columns(c, s, c->turned, s->nx_next, s->nx_next, next->span);
    return true;
}

/* The curvature inside a stage: u = H_DD T + H_De, and q = H_eD T + H_ee. */
INLINE void add_curvature(const dd_condensed_qp *c, const condense_stage *s, const dd_linearized_values *v)
{
    const uint32_t nd = s->nd, w = s->ne + 1, ld = CONDENSE_LINE(w);
    memset(c->u, 0, (size_t)nd * ld * sizeof *c->u);
    memset(c->q, 0, (size_t)w * ld * sizeof *c->q);
    for (uint32_t a = 0; a < s->curvatures; a++) {
        const condense_entry *at = &s->curvature[a];
        const double h = v->hessian[at->source];
        if (h == 0) {
            continue;
        }
        if (at->j < nd) { /* both inside */
            add_scaled(c->u + (size_t)at->i * ld, h, s->lu + (size_t)at->j * s->ld + nd, w);
            if (at->i != at->j) {
                add_scaled(c->u + (size_t)at->j * ld, h, s->lu + (size_t)at->i * s->ld + nd, w);
            }
        } else if (at->i < nd) {
            c->u[(size_t)at->i * ld + at->j - nd] += h;
            add_scaled(c->q + (size_t)(at->j - nd) * ld, h, s->lu + (size_t)at->i * s->ld + nd, w);
        } else {
            c->q[(size_t)(at->i - nd) * ld + at->j - nd] += h;
            c->q[(size_t)(at->j - nd) * ld + at->i - nd] += at->i != at->j ? h : 0;
        }
    }
}

/* q += M^T P M: the cost from the next node on, P in its states, its free variables and 1, which are M [e; 1]. */
INLINE void add_cost_to_go(const dd_condensed_qp *c, const condense_stage *s)
{
    const uint32_t ne = s->ne, nx = s->nx_next, nn = s[1].nn, nz = nx + nn + 1;
    const uint32_t ld = CONDENSE_LINE(ne + 1), ldp = CONDENSE_LINE(nz);
    /* v = P M: states in e and 1, free variables of that node the last of e */
    chain_product_of by = {
        .rows = nz, .cols = ld, .inner = nx, .a = c->togo, .lda = ldp, .b = s->f, .ldb = ld, .c = c->v, .ldc = ld};
    c->product(&by);
    for (uint32_t i = 0; i < nz; i++) {
        add_scaled(c->v + (size_t)i * ld + ne - nn, 1, c->togo + (size_t)i * ldp + nx, nn + 1);
    }
    /* M^T v, without its last row */
    by = (chain_product_of){.rows = ne,
                            .cols = ld,
                            .inner = nx,
                            .a = s->f,
                            .lda = ld,
                            .b = c->v,
                            .ldb = ld,
                            .c = c->q,
                            .ldc = ld,
                            .add = true};
    c->product(&by);
    for (uint32_t i = 0; i < nn; i++) {
        add_scaled(c->q + (size_t)(ne - nn + i) * ld, 1, c->v + (size_t)(nx + i) * ld, ne + 1);
    }
}

/* The cost of a stage and all later ones in e and 1, Q = T^T (H_DD T + H_De) + H_eD T + H_ee and what the next node costs, with
 * the gradients in the last column. The free variables that are first met here have their rows of the dense program from it: the
 * columns below the diagonal are those of e, since no later control counts (Andersson 2013: the work is quadratic in the number of
 * stages, and a sum over stages in columns would be cubic). */
INLINE void add_cost(const dd_condensed_qp *c, const condense_stage *s, const dd_linearized_values *v, bool is_last)
{
    const uint32_t nd = s->nd, ne = s->ne, ld = CONDENSE_LINE(ne + 1);
    add_curvature(c, s, v);
    for (uint32_t i = 0; i < nd; i++) {
        c->u[(size_t)i * ld + ne] += v->gradient[s->d[i]];
    }
    const chain_product_of inside = {.rows = ne,
                                     .cols = ld,
                                     .inner = nd,
                                     .a = s->lu + nd,
                                     .lda = s->ld,
                                     .b = c->u,
                                     .ldb = ld,
                                     .c = c->q,
                                     .ldc = ld,
                                     .add = true};
    c->product(&inside);
    for (uint32_t e = 0; e < s->slopes; e++) {
        c->q[(size_t)e * ld + ne] += v->gradient[s->e[e]];
    }
    if (!is_last) {
        add_cost_to_go(c, s);
    }
    /* Q is symmetric, so that its lines are its rows turned; a skew part of rounding would grow along unstable stages */
    for (uint32_t e = 0; e <= ne; e++) {
        for (uint32_t i = 0; i < e; i++) {
            c->q[(size_t)e * ld + i] = c->q[(size_t)i * ld + e];
        }
    }
    put_columns(c, s, c->q + s->known, ld, ne - s->known, c->quadratic + (size_t)(s->width + s->known - ne) * c->line);
    /* what this node costs */
    const uint32_t nz = s->nx + s->nn, ldp = CONDENSE_LINE(nz + 1);
    for (uint32_t i = 0; i <= nz; i++) {
        const double *row = c->q + (size_t)(i < nz ? i : ne) * ld;
        memcpy(c->togo + (size_t)i * ldp, row, nz * sizeof *row);
        c->togo[(size_t)i * ldp + nz] = row[ne];
    }
}

/* ---- the dense program ---- */

/* One row in columns, whatever it meets. */
INLINE void make_row(const dd_condensed_qp *c, const condense_row *row, const dd_linearized_values *v, double *to)
{
    const condense_entry *at = c->row_entry + row->first, *end = at + row->count;
    memset(to, 0, c->line * sizeof *to);
    while (at < end) {
        const condense_stage *s = &c->stage[at->i];
        const uint32_t k = at->i;
        memset(c->local, 0, (s->ne + 1) * sizeof *c->local);
        for (; at < end && at->i == k; at++) {
            add_local(s, at->j, at->source == CONDENSE_ONE ? 1 : v->jacobian[at->source], c->local);
        }
        add_columns(c, s, c->local, to);
    }
}

/* Rows one after the other that meet one stage alone, from row r on: together, turned. */
INLINE void make_rows(const dd_condensed_qp *c, uint32_t r, const dd_linearized_values *v)
{
    const uint32_t count = c->row[r].together;
    const condense_stage *s = &c->stage[c->row_entry[c->row[r].first].i];
    for (uint32_t i = 0; i < count; i++) {
        const condense_entry *at = c->row_entry + c->row[r + i].first, *end = at + c->row[r + i].count;
        memset(c->local, 0, (s->ne + 1) * sizeof *c->local);
        for (; at < end; at++) {
            add_local(s, at->j, at->source == CONDENSE_ONE ? 1 : v->jacobian[at->source], c->local);
        }
        for (uint32_t j = 0; j <= s->ne; j++) {
            c->turned[(size_t)j * count + i] = c->local[j];
        }
    }
    put_columns(c, s, c->turned, count, count, c->affine + (size_t)r * c->line);
}

/* The cost and all rows in columns. False: an interval is singular. */
INLINE bool columns_body(dd_condensed_qp *c, const dd_linearized_values *v)
{
    for (uint32_t k = 0; k < c->stages; k++) {
        condense_stage *s = &c->stage[k];
        if (!solve_inside(c, s, v) || (k + 1 < c->stages && !go_on(c, s, v))) {
            return false;
        }
    }
    for (uint32_t k = c->stages; k-- > 0;) {
        add_cost(c, &c->stage[k], v, k + 1 == c->stages);
    }
    for (uint32_t r = 0; r < c->rows;) {
        if (c->row[r].together > 0) {
            make_rows(c, r, v);
            r += c->row[r].together;
        } else {
            make_row(c, &c->row[r], v, c->affine + (size_t)r * c->line);
            r++;
        }
    }
    for (uint32_t r = 0; r < c->rows; r++) {
        const condense_row *row = &c->row[r];
        c->affine[(size_t)r * c->line + c->states] += row->variable ? v->x[row->index] : v->c[row->index];
    }
    return true;
}

static bool columns_plain(dd_condensed_qp *c, const dd_linearized_values *v)
{
    return columns_body(c, v);
}

#ifdef CHAIN_TARGETS
CHAIN_AVX2 static bool columns_avx2(dd_condensed_qp *c, const dd_linearized_values *v)
{
    return columns_body(c, v);
}

CHAIN_AVX512 static bool columns_avx512(dd_condensed_qp *c, const dd_linearized_values *v)
{
    return columns_body(c, v);
}

/* For the processor that the product of tiles was chosen for. */
static bool make_columns(dd_condensed_qp *c, const dd_linearized_values *v)
{
    return c->product == dd_chain_product_avx512 ? columns_avx512(c, v)
           : c->product == dd_chain_product_avx2 ? columns_avx2(c, v)
                                                 : columns_plain(c, v);
}
#else
static bool make_columns(dd_condensed_qp *c, const dd_linearized_values *v)
{
    return columns_plain(c, v);
}
#endif

static bool bounds_as_planned(const dd_condensed_qp *c)
{
    const dd_nlp *nlp = c->nlp;
    uint32_t bounded = 0;
    for (uint32_t i = 0; i < nlp->m; i++) {
        bounded += !c->determines[i] && dd_condensed_is_bounded(nlp->c_lower, nlp->c_upper, i);
    }
    for (uint32_t i = 0; i < nlp->n; i++) {
        bounded += dd_condensed_is_bounded(nlp->x_lower, nlp->x_upper, i);
    }
    return bounded == c->bounded;
}

/* What follows from the start: its step, the gradient and the bounds. */
static void take_start(dd_condensed_qp *c)
{
    const dd_nlp *nlp = c->nlp;
    const dd_linearized_values v = dd_linearized_get_values(c->model);
    const condense_stage *first = &c->stage[0];
    /* s, g + G s, and bounds less c + D s */
    for (uint32_t i = 0; i < c->states; i++) {
        c->start[i] = (nlp->c_lower[first->link[i]] - v.c[first->link[i]]) / v.jacobian[first->own[i]];
    }
    for (uint32_t f = 0; f < c->free; f++) {
        const double *row = c->quadratic + (size_t)(c->states + 1 + f) * c->line;
        c->g[f] = row[c->states];
        for (uint32_t i = 0; i < c->states; i++) {
            c->g[f] += row[i] * c->start[i];
        }
    }
    for (uint32_t r = 0; r < c->rows; r++) {
        const double *row = c->affine + (size_t)r * c->line;
        const uint32_t at = c->row[r].index;
        double value = row[c->states];
        for (uint32_t i = 0; i < c->states; i++) {
            value += row[i] * c->start[i];
        }
        c->lower[r] = (c->row[r].variable ? nlp->x_lower[at] : nlp->c_lower[at]) - value;
        c->upper[r] = (c->row[r].variable ? nlp->x_upper[at] : nlp->c_upper[at]) - value;
    }
}

bool dd_condensed_take(dd_condensed_qp *c, const dd_linearized *model, const dd_nlp_result *guess)
{
    const dd_linearized_values v = dd_linearized_get_values(model);
    /* bounds that came or went since the plan need another one */
    c->model = model;
    c->ready = false;
    if (!bounds_as_planned(c)) {
        return false;
    }
    if (!make_columns(c, &v)) {
        return false;
    }
    /* the parts of the controls */
    double *h = dd_dense_qp_hessian(c->qp), *rows = dd_dense_qp_rows(c->qp);
    for (uint32_t f = 0; f < c->free; f++) {
        memcpy(h + (size_t)f * c->free, c->quadratic + (size_t)(c->states + 1 + f) * c->line + c->states + 1,
               ((size_t)f + 1) * sizeof *h);
    }
    for (uint32_t r = 0; r < c->rows; r++) {
        const double *row = c->affine + (size_t)r * c->line;
        memcpy(rows + (size_t)r * c->free, row + c->states + 1, c->free * sizeof *rows);
        const uint32_t at = c->row[r].index;
        c->lambda[r] = c->row[r].variable ? guess->z_upper[at] - guess->z_lower[at] : guess->lambda[at];
    }
    dd_dense_qp_expect(c->qp, c->lambda);
    /* the expected start settles the active rows, as far as it is right */
    c->ready = dd_dense_qp_factor(c->qp);
    if (c->ready) {
        take_start(c);
        dd_dense_qp_solve(c->qp, c->g, c->lower, c->upper, c->x, c->lambda, NULL);
    }
    return c->ready;
}

bool dd_condensed_solve(dd_condensed_qp *c, dd_nlp_result *result)
{
    if (!c->ready) {
        return false;
    }
    uint32_t changes = 0;
    take_start(c);
    const dd_dense_qp_status status = dd_dense_qp_solve(c->qp, c->g, c->lower, c->upper, c->x, c->lambda, &changes);
    if (status != DD_DENSE_QP_OPTIMAL && status != DD_DENSE_QP_INFEASIBLE) {
        return false;
    }
    result->iterations = changes + 1;
    result->factorizations = 1;
    result->seconds_evaluate = result->seconds_factor = result->seconds_total = 0;
    result->failed = false;
    if (status == DD_DENSE_QP_INFEASIBLE) {
        result->status = DD_NLP_INFEASIBLE;
        return true;
    }
    result->status = DD_NLP_OPTIMAL;
    dd_condensed_recover(c, result);
    return true;
}
