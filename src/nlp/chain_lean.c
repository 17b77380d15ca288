/* chain_lean.c - the recursion over the nodes with condensed intervals (chain_impl.h, chain_lanes.h).
 *
 * With x+ the states of node k + 1, l their continuity rows C x+ + G e = s, and P, M_xe what is known of x+:
 *
 *     x+ = t + T e,  T = -C^-1 G        W = M_xe + P T        M_ee += M_xe^T T + T^T W
 *
 * x+ and l leave as many positive as negative eigenvalues. Then the unknowns v of the front are eliminated from M_ee.
 */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "nlp/chain_lanes.h"

/* m += a^T b; m: rows x ld, a, b: inner x ld; all of it, although it is symmetric. */
DD_CLONES static void add_transposed(double *m, uint32_t rows, uint32_t ld, const double *a, const double *b,
                                     uint32_t inner)
{
    for (uint32_t i = 0; i < rows; i += 4) {
        const uint32_t end = rows - i < 4 ? rows - i : 4;
        for (uint32_t c = 0; c < ld; c += 4) {
            dd_v4 s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
            const double *p = a + i, *q = b + c;
            for (uint32_t x = 0; x < inner; x++, p += ld, q += ld) {
                const dd_v4 v = dd_v4_load(q);
                s0 += p[0] * v;
                s1 += p[1] * v;
                s2 += p[2] * v;
                s3 += p[3] * v;
            }
            double *to = m + (size_t)i * ld + c;
            dd_v4_store(to, dd_v4_load(to) + s0);
            if (end > 1) {
                dd_v4_store(to + ld, dd_v4_load(to + ld) + s1);
            }
            if (end > 2) {
                dd_v4_store(to + 2 * (size_t)ld, dd_v4_load(to + 2 * (size_t)ld) + s2);
            }
            if (end > 3) {
                dd_v4_store(to + 3 * (size_t)ld, dd_v4_load(to + 3 * (size_t)ld) + s3);
            }
        }
    }
}

/* w += p t; p: nx x ldp, t, w: nx x ld. */
DD_CLONES static void add_product(double *w, uint32_t nx, uint32_t ld, const double *p, uint32_t ldp, const double *t)
{
    for (uint32_t i = 0; i < nx; i += 2) {
        const bool two = i + 1 < nx;
        const double *first = p + (size_t)i * ldp, *second = two ? first + ldp : first;
        for (uint32_t c = 0; c < ld; c += 4) {
            dd_v4 s0 = dd_v4_load(w + (size_t)i * ld + c), s1 = {0};
            const double *q = t + c;
            for (uint32_t x = 0; x < nx; x++, q += ld) {
                const dd_v4 v = dd_v4_load(q);
                s0 += first[x] * v;
                s1 += second[x] * v;
            }
            dd_v4_store(w + (size_t)i * ld + c, s0);
            if (two) {
                double *to = w + (size_t)(i + 1) * ld + c;
                dd_v4_store(to, dd_v4_load(to) + s1);
            }
        }
    }
}

/* A front while it is assembled. */
typedef struct assembly {
    const chain_system *c;
    const chain_front *f;
    const chain_lean *lean;
    chain_dense *a;
    uint32_t nx, ld, ldp, shift; /* shift: delayed unknowns before v */
    double *p, *t, *w, *diagonal;
    bool crossed; /* M_xe has entries */
} assembly;

/* Adds to x-x, x-e or e-e; positions among x, then e. */
static void add_outer(assembly *s, uint32_t i, uint32_t j, double v)
{
    const uint32_t nx = s->nx;
    if (i >= nx && j >= nx) {
        const size_t r = i - nx + s->shift, q = j - nx + s->shift;
        s->a->m[r * s->ld + q] += v;
        if (r != q) {
            s->a->m[q * s->ld + r] += v;
        }
    } else if (i < nx && j < nx) {
        s->p[(size_t)i * s->ldp + j] += v;
        if (i != j) {
            s->p[(size_t)j * s->ldp + i] += v;
        }
    } else {
        const uint32_t x = i < nx ? i : j, e = (i < nx ? j : i) - nx + s->shift;
        s->w[(size_t)x * s->ld + e] += v;
        s->crossed = true;
    }
}

static void add_direct(assembly *s)
{
    const chain_lean *lean = s->lean;
    const uint32_t nx = s->nx, ld = s->ld, shift = s->shift;
    double *m = s->a->m;
    for (uint32_t i = 0; i < lean->ees; i++) {
        const chain_direct *t = &lean->ee[i];
        const size_t r = t->i + shift, q = t->j + shift;
        const double v = chain_value(s->c, t->source);
        m[r * ld + q] += v;
        if (r != q) {
            m[q * ld + r] += v;
        }
    }
    for (uint32_t i = 0; i < lean->xes; i++) {
        const chain_direct *t = &lean->xe[i];
        add_outer(s, t->i, t->j, chain_value(s->c, t->source));
    }
    for (uint32_t i = 0; i < lean->les; i++) {
        const chain_direct *t = &lean->le[i];
        const double v = chain_value(s->c, t->source);
        if (t->j < nx) {
            s->diagonal[t->i] += v;
        } else {
            s->t[(size_t)t->i * ld + t->j - nx + shift] += v;
        }
    }
    for (uint32_t i = 0; i < lean->products; i++) {
        const chain_product *t = &lean->product[i];
        const uint32_t r = t->to >> 16, q = t->to & 0xffff;
        const double v = s->c->row_value[t->a] * s->c->row_value[t->b] * s->c->weight[t->weight];
        add_outer(s, r, q, r == q && t->a != t->b ? 2 * v : v);
    }
}

/* H_ee and G_e of the condensed interval. */
static void add_leaf(assembly *s)
{
    const chain_lean *lean = s->lean;
    if (lean->batch == UINT32_MAX) {
        return;
    }
    const chain_batch *b = &s->c->lanes->batch[lean->batch];
    const double *h = b->out + (size_t)lean->lane * b->outs, *g = h + (size_t)lean->ne * lean->ne;
    const uint32_t ne = lean->ne, ld = s->ld, shift = s->shift;
    for (uint32_t i = 0; i < ne; i++) {
        double *line = s->a->m + (size_t)(lean->e_at[i] + shift) * ld + shift;
        for (uint32_t j = 0; j < ne; j++, h++) {
            line[lean->e_at[j]] += *h;
        }
    }
    for (uint32_t i = 0; i < lean->ng; i++) {
        if (lean->g_at[i] < s->nx) {
            double *line = s->t + (size_t)lean->g_at[i] * ld + shift;
            for (uint32_t j = 0; j < ne; j++, g++) {
                line[lean->e_at[j]] += *g;
            }
            continue;
        }
        for (uint32_t j = 0; j < ne; j++, g++) {
            add_outer(s, lean->g_at[i], s->nx + lean->e_at[j], *g);
        }
    }
}

/* What the front before left: delayed unknowns come first here. */
static void add_child(assembly *s, const chain_dense *child)
{
    const uint32_t first = child->pivots, delayed = s->shift, nx = s->nx;
    for (uint32_t i = 0; i < delayed + s->lean->child_count; i++) {
        const double *from = child->m + (size_t)(first + i) * child->ld + first;
        const bool late_i = i < delayed;
        const uint32_t at_i = late_i ? 0 : s->lean->child_at[i - delayed];
        for (uint32_t j = 0; j < delayed + s->lean->child_count; j++) {
            const bool late_j = j < delayed;
            const uint32_t at_j = late_j ? 0 : s->lean->child_at[j - delayed];
            const bool x_i = !late_i && at_i < nx, x_j = !late_j && at_j < nx;
            const size_t e_i = late_i ? i : at_i - nx + delayed, e_j = late_j ? j : at_j - nx + delayed;
            if (x_i && x_j) {
                s->p[(size_t)at_i * s->ldp + at_j] += from[j];
            } else if (x_i) {
                s->w[(size_t)at_i * s->ld + e_j] += from[j];
                s->crossed = true;
            } else if (!x_j) {
                s->a->m[e_i * s->ld + e_j] += from[j];
            }
        }
        if (child->scaled && (late_i || at_i >= nx)) {
            s->a->scale[late_i ? i : at_i - nx + delayed] = child->scale[first + i];
        }
    }
    s->a->scaled = child->scaled;
}

/* T, W and M_ee from G, M_xe and P. */
static void substitute(assembly *s, chain_counts *counts)
{
    const uint32_t nx = s->nx, ld = s->ld;
    for (uint32_t i = 0; i < nx; i++) {
        const double inverse = 1 / s->diagonal[i];
        s->diagonal[i] = inverse;
        counts->broken |= !isfinite(inverse);
        for (uint32_t j = 0; j < ld; j++) {
            s->t[(size_t)i * ld + j] *= -inverse;
        }
    }
    if (s->crossed) {
        add_transposed(s->a->m, s->a->size, ld, s->w, s->t, nx);
    }
    add_product(s->w, nx, ld, s->p, s->ldp, s->t);
    add_transposed(s->a->m, s->a->size, ld, s->t, s->w, nx);
}

/* Takes the memory of the front from the store. */
static bool new_front(chain_system *c, assembly *s, chain_lean_step *step, bool own_p)
{
    chain_dense *a = s->a;
    const uint32_t size = s->shift + s->f->nv + s->f->ns, candidates = s->shift + s->f->nv;
    *a = (chain_dense){.size = size, .candidates = candidates, .ld = chain_ld(size)};
    s->ld = a->ld;
    const size_t panel = (size_t)s->nx * a->ld, square = (size_t)size * a->ld;
    const size_t p = own_p ? (size_t)s->nx * chain_ld(s->nx) : 0;
    const size_t cleared = square + 2 * panel + p + s->nx + size;
    double *m = dd_chain_take(&c->store, cleared + 3 * (size_t)candidates, sizeof *m);
    uint32_t *ids = dd_chain_take(&c->store, size, sizeof *ids);
    uint8_t *block = dd_chain_take(&c->store, candidates, sizeof *block);
    if (c->store.failed || !dd_chain_room(c, size)) {
        return false;
    }
    memset(m, 0, cleared * sizeof *m);
    a->m = m;
    s->t = m + square;
    s->w = s->t + panel;
    s->p = own_p ? s->w + panel : NULL;
    s->ldp = chain_ld(s->nx);
    s->diagonal = s->w + panel + p;
    a->scale = s->diagonal + s->nx;
    a->inverse = a->scale + size;
    a->ids = ids;
    a->block = block;
    *step = (chain_lean_step){.c = s->diagonal, .t = s->t, .w = s->w};
    return true;
}

dd_status dd_chain_lean(chain_system *c, uint32_t k, const chain_step *before)
{
    const chain_front *f = &c->front[k];
    const chain_dense *child = before ? &before->a : NULL;
    chain_step *step = &c->step[k];
    assembly s = {.c = c, .f = f, .lean = f->lean_plan, .a = &step->a, .nx = f->nx};
    s.shift = child ? child->candidates - child->pivots : 0;
    const bool borrowed = child && s.shift == 0 && s.lean->child_is_x;
    step->whole = false;
    if (!new_front(c, &s, step->lean, !borrowed)) {
        return DD_OUT_OF_MEMORY;
    }
    if (s.shift) {
        memcpy(s.a->ids, child->ids + child->pivots, s.shift * sizeof *s.a->ids);
    }
    memcpy(s.a->ids + s.shift, f->e, ((size_t)f->nv + f->ns) * sizeof *s.a->ids);
    /* values */
    if (borrowed) {
        s.p = child->m + (size_t)child->pivots * child->ld + child->pivots;
        s.ldp = child->ld;
    } else if (child) {
        add_child(&s, child);
    }
    add_direct(&s);
    add_leaf(&s);
    substitute(&s, &c->counts);
    step->lean->p = s.p;
    step->lean->ldp = s.ldp;
    step->lean->late = s.shift;
    step->lean->late_id = child ? child->ids + child->pivots : NULL;
    c->counts.negative += f->nx + f->nd;
    dd_chain_eliminate(s.a, false, c->work, &c->counts);
    return DD_OK;
}

/* The unknowns in the order in which the front was assembled: y = b, or back. */
static void collect(const chain_front *f, const chain_lean_step *lean, const double *b, double *y)
{
    for (uint32_t j = 0; j < lean->late; j++) {
        y[j] = b[lean->late_id[j]];
    }
    for (uint32_t j = 0; j < f->nv + f->ns; j++) {
        y[lean->late + j] = b[f->e[j]];
    }
}

static void put_back(const chain_front *f, const chain_lean_step *lean, double *b, const double *y)
{
    for (uint32_t j = 0; j < lean->late; j++) {
        b[lean->late_id[j]] = y[j];
    }
    for (uint32_t j = 0; j < f->nv + f->ns; j++) {
        b[f->e[j]] = y[lean->late + j];
    }
}

/* t = C^-1 s, r_e += T^T r_x - W^T t, r_x -= P t; then the elimination. t is kept at l, r_x at x. */
void dd_chain_lean_forward(const chain_system *c, uint32_t k, double *b)
{
    const chain_front *f = &c->front[k];
    const chain_step *step = &c->step[k];
    const chain_lean_step *lean = step->lean;
    const chain_dense *a = &step->a;
    double *y = c->local;
    collect(f, lean, b, y);
    for (uint32_t i = 0; i < f->nx; i++) {
        const double t = b[f->l[i]] * lean->c[i], r = b[f->x[i]];
        const double *line = lean->t + (size_t)i * a->ld, *w = lean->w + (size_t)i * a->ld;
        b[f->l[i]] = t;
        for (uint32_t j = 0; j < a->size; j++) {
            y[j] += line[j] * r - w[j] * t;
        }
    }
    for (uint32_t i = 0; i < f->nx; i++) {
        double sum = b[f->x[i]];
        for (uint32_t j = 0; j < f->nx; j++) {
            sum -= lean->p[(size_t)i * lean->ldp + j] * b[f->l[j]];
        }
        b[f->x[i]] = sum;
    }
    put_back(f, lean, b, y);
    dd_chain_forward(a, b, y);
}

/* x = t + T e, l = C^-1 (r_x - W e). */
void dd_chain_lean_backward(const chain_system *c, uint32_t k, double *b)
{
    const chain_front *f = &c->front[k];
    const chain_step *step = &c->step[k];
    const chain_lean_step *lean = step->lean;
    const chain_dense *a = &step->a;
    double *y = c->local;
    dd_chain_backward(a, b, y);
    collect(f, lean, b, y);
    for (uint32_t i = 0; i < f->nx; i++) {
        const double *line = lean->t + (size_t)i * a->ld, *w = lean->w + (size_t)i * a->ld;
        double x = b[f->l[i]], l = b[f->x[i]];
        for (uint32_t j = 0; j < a->size; j++) {
            x += line[j] * y[j];
            l -= w[j] * y[j];
        }
        b[f->x[i]] = x;
        b[f->l[i]] = l * lean->c[i];
    }
}
