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

/* m += a^T b in the lower triangle; m: rows x ld, a, b: inner x ld. */
INLINE void add_transposed(double *m, uint32_t rows, uint32_t ld, const double *a, const double *b, uint32_t inner)
{
    for (uint32_t i = 0; i < rows; i += 4) {
        const uint32_t end = rows - i < 4 ? rows - i : 4;
        for (uint32_t c = 0; c <= i; c += 4) {
            /* a tile of four by four stays in registers while the inner index runs */
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

/* w = p t, or w += p t; p: nx x ldp, t, w: nx x ld. */
INLINE void add_product(double *w, uint32_t nx, uint32_t ld, const double *p, uint32_t ldp, const double *t, bool add)
{
    for (uint32_t i = 0; i < nx; i += 2) {
        const bool two = i + 1 < nx;
        const double *first = p + (size_t)i * ldp, *second = two ? first + ldp : first;
        for (uint32_t c = 0; c < ld; c += 4) {
            dd_v4 s0 = {0}, s1 = {0};
            const double *q = t + c;
            for (uint32_t x = 0; x < nx; x++, q += ld) {
                const dd_v4 v = dd_v4_load(q);
                s0 += first[x] * v;
                s1 += second[x] * v;
            }
            double *to = w + (size_t)i * ld + c, *below = two ? to + ld : to;
            if (add) {
                s0 += dd_v4_load(to);
                s1 += dd_v4_load(below);
            }
            dd_v4_store(below, s1); /* where there is no second row, the first comes next */
            dd_v4_store(to, s0);
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
    uint32_t by;                 /* intervals behind that of the plan */
    double *p, *t, *w, *diagonal;
    bool crossed; /* M_xe has entries: w is cleared */
} assembly;

/* T = -C^-1 G. */
DD_CLONES static void divide(const assembly *s)
{
    const uint32_t nx = s->nx, ld = s->ld;
    for (uint32_t i = 0; i < nx; i++) {
        const double inverse = 1 / s->diagonal[i];
        s->diagonal[i] = inverse;
        double *line = s->t + (size_t)i * ld;
        for (uint32_t j = 0; j < ld; j += 4) {
            dd_v4_store(line + j, dd_v4_load(line + j) * -inverse);
        }
    }
}

/* The upper triangle from the lower one. It is not computed by itself: P of an interval is T^T P T of the next one, and
 * what rounding errors leave of a skew part grows in it as the open loop does (in the plane by det T a node), however
 * well the controls hold the symmetric part. */
static void mirror(double *m, uint32_t size, uint32_t ld)
{
    for (uint32_t i = 1; i < size; i++) {
        for (uint32_t j = 0; j < i; j++) {
            m[(size_t)j * ld + i] = m[(size_t)i * ld + j];
        }
    }
}

/* W and M_ee from T, M_xe and P. */
DD_CLONES static void multiply_small(const assembly *s)
{
    const uint32_t nx = s->nx, ld = s->ld;
    if (s->crossed) {
        add_transposed(s->a->m, s->a->size, ld, s->w, s->t, nx);
    }
    add_product(s->w, nx, ld, s->p, s->ldp, s->t, s->crossed);
    add_transposed(s->a->m, s->a->size, ld, s->t, s->w, nx);
    mirror(s->a->m, s->a->size, ld);
}

/* The same for many states: half of M_ee, which is symmetric, by products in larger tiles. */
static void multiply_large(const assembly *s)
{
    void (*product)(const chain_product_of *) = s->c->lanes->kernels->product;
    const uint32_t size = s->a->size, ld = s->ld;
    double *m = s->a->m;
    chain_product_of to_m = {.rows = size,
                             .cols = ld,
                             .inner = s->nx,
                             .a = s->w,
                             .b = s->t,
                             .lda = ld,
                             .ldb = ld,
                             .c = m,
                             .ldc = ld,
                             .add = true,
                             .lower = true};
    if (s->crossed) {
        product(&to_m);
    }
    /* P is symmetric, and may be read by columns */
    product(&(chain_product_of){.rows = s->nx,
                                .cols = ld,
                                .inner = s->nx,
                                .a = s->p,
                                .b = s->t,
                                .lda = s->ldp,
                                .ldb = ld,
                                .c = s->w,
                                .ldc = ld,
                                .add = s->crossed});
    to_m.a = s->t;
    to_m.b = s->w;
    product(&to_m);
    mirror(m, size, ld);
}

/* M_xe gets its first entry. */
static void begin_cross(assembly *s)
{
    if (!s->crossed) {
        memset(s->w, 0, (size_t)s->nx * s->ld * sizeof *s->w);
        s->crossed = true;
    }
}

/* Adds to x-x, x-e or e-e; positions among x, then e. */
static void add_outer(assembly *s, uint32_t i, uint32_t j, double v)
{
    const uint32_t nx = s->nx;
    if (i >= nx && j >= nx) {
        const size_t r = i - nx + s->shift, q = j - nx + s->shift;
        s->a->m[r * s->ld + q] += v;
        s->a->m[q * s->ld + r] = s->a->m[r * s->ld + q];
    } else if (i < nx && j < nx) {
        s->p[(size_t)i * s->ldp + j] += v;
        s->p[(size_t)j * s->ldp + i] = s->p[(size_t)i * s->ldp + j];
    } else {
        const uint32_t x = i < nx ? i : j, e = (i < nx ? j : i) - nx + s->shift;
        begin_cross(s);
        s->w[(size_t)x * s->ld + e] += v;
    }
}

/* Entries that meet nothing inside, from one array of values. */
static void add_direct(assembly *s, const chain_direct *at[DIRECT_LISTS], int kind, const double *values, double sign)
{
    const uint32_t nx = s->nx, ld = s->ld, shift = s->shift;
    double *m = s->a->m;
    /* three lists: among what stays in the front; with the states that are substituted; in their continuity rows */
    const chain_direct *t = at[DIRECT_EE];
    at[DIRECT_EE] += s->lean->directs[DIRECT_EE][kind];
    for (; t < at[DIRECT_EE]; t++) {
        const size_t r = t->i + shift, q = t->j + shift;
        const double v = m[r * ld + q] + sign * values[(uint32_t)(t->source + s->by * t->step)];
        m[r * ld + q] = v;
        m[q * ld + r] = v;
    }
    t = at[DIRECT_XE];
    at[DIRECT_XE] += s->lean->directs[DIRECT_XE][kind];
    for (; t < at[DIRECT_XE]; t++) {
        add_outer(s, t->i, t->j, sign * values[(uint32_t)(t->source + s->by * t->step)]);
    }
    t = at[DIRECT_LE];
    at[DIRECT_LE] += s->lean->directs[DIRECT_LE][kind];
    for (; t < at[DIRECT_LE]; t++) {
        if (t->j < nx) {
            s->diagonal[t->i] += sign * values[(uint32_t)(t->source + s->by * t->step)];
        } else {
            s->t[(size_t)t->i * ld + t->j - nx + shift] += sign * values[(uint32_t)(t->source + s->by * t->step)];
        }
    }
}

static void add_all_direct(assembly *s)
{
    const dd_kkt_values *values = s->c->values;
    const chain_direct *at[DIRECT_LISTS];
    memcpy(at, s->lean->direct, sizeof at);
    add_direct(s, at, DIRECT_H, values->hessian, 1);
    add_direct(s, at, DIRECT_J, values->jacobian, 1);
    add_direct(s, at, DIRECT_P, values->p, 1);
    add_direct(s, at, DIRECT_Q, values->q, -1);
    for (uint32_t i = 0; i < s->lean->products; i++) {
        const chain_product *t = &s->lean->product[i];
        const uint32_t r = t->to >> 16, q = t->to & 0xffff;
        const double v = s->c->row_value[t->a] * s->c->row_value[t->b] * s->c->weight[t->weight];
        add_outer(s, r, q, r == q && t->a != t->b ? 2 * v : v);
    }
}

/* M_ee and G begin with H_ee and G_e of the condensed interval, which have the same order. */
static void copy_leaf(assembly *s, const double *h)
{
    const uint32_t ne = s->lean->ne, ld = s->ld;
    double *to = s->a->m; /* t follows */
    for (uint32_t i = 0; i < ne + s->nx; i++, h += ne, to += ld) {
        for (uint32_t j = 0; j < ne; j += 4) {
            dd_v4_store(to + j, dd_v4_load(h + j)); /* some of the next row */
        }
        for (uint32_t j = ne; j < ld; j++) {
            to[j] = 0;
        }
    }
}

/* The same in any order. */
static void add_leaf(assembly *s, const double *h)
{
    const chain_lean *lean = s->lean;
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
            for (uint32_t j = 0; j < ne; j++, h++) {
                line[lean->e_at[j]] += *h;
            }
            continue;
        }
        for (uint32_t j = 0; j < ne; j++, h++) {
            add_outer(s, lean->g_at[i], s->nx + lean->e_at[j], *h);
        }
    }
}

/* What the front before left, where it is in the order delayed, x, others: P is taken as it is. */
static void borrow_child(assembly *s, const chain_dense *child)
{
    const uint32_t first = child->pivots, late = s->shift, nx = s->nx, others = s->lean->child_count - nx;
    const double *block = child->m + (size_t)first * child->ld + first;
    const uint32_t *at = s->lean->child_at + nx;
    s->p = (double *)block + (size_t)late * child->ld + late;
    s->ldp = child->ld;
    if (late + others == 0) {
        return;
    }
    begin_cross(s);
    for (uint32_t i = 0; i < late + nx + others; i++, block += child->ld) {
        const bool x = i >= late && i < late + nx;
        double *to = x          ? s->w + (size_t)(i - late) * s->ld
                     : i < late ? s->a->m + (size_t)i * s->ld
                                : s->a->m + (size_t)(at[i - late - nx] - nx + late) * s->ld;
        for (uint32_t j = 0; j < late; j++) {
            to[j] += block[j];
        }
        for (uint32_t j = 0; j < others; j++) {
            to[at[j] - nx + late] += block[late + nx + j];
        }
    }
}

/* The same in any order. */
static void add_child(assembly *s, const chain_dense *child)
{
    const uint32_t first = child->pivots, delayed = s->shift, nx = s->nx, count = delayed + s->lean->child_count;
    for (uint32_t i = 0; i < count; i++) {
        const double *from = child->m + (size_t)(first + i) * child->ld + first;
        const uint32_t at_i = i < delayed ? nx : s->lean->child_at[i - delayed];
        const size_t e_i = i < delayed ? i : at_i - nx + delayed;
        for (uint32_t j = 0; j < count; j++) {
            const uint32_t at_j = j < delayed ? nx : s->lean->child_at[j - delayed];
            const size_t e_j = j < delayed ? j : at_j - nx + delayed;
            if (at_i < nx && at_j < nx) {
                s->p[(size_t)at_i * s->ldp + at_j] += from[j];
            } else if (at_i < nx) {
                begin_cross(s);
                s->w[(size_t)at_i * s->ld + e_j] += from[j];
            } else if (at_j >= nx) {
                s->a->m[e_i * s->ld + e_j] += from[j];
            }
        }
    }
}

/* Sizes of unknowns that were in the front before. */
static void inherit_scales(assembly *s, const chain_dense *child)
{
    memset(s->a->scale, 0, s->a->size * sizeof *s->a->scale);
    const uint32_t count = s->shift + s->lean->child_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = i < s->shift ? s->nx : s->lean->child_at[i - s->shift];
        if (at >= s->nx) {
            const uint32_t to = i < s->shift ? i : at - s->nx + s->shift;
            s->a->scale[to] = child->scale[child->pivots + i];
            s->a->error[to] = child->error[child->pivots + i];
        }
    }
    s->a->scaled = true;
}

/* Takes the memory of the front from the store. */
static bool new_front(chain_system *c, assembly *s, chain_lean_step *step, bool own_p)
{
    chain_dense *a = s->a;
    const uint32_t size = s->shift + s->f->nv + s->f->ns, candidates = s->shift + s->f->nv;
    *a = (chain_dense){.size = size, .candidates = candidates, .ld = chain_ld(size), .variables = c->n};
    s->ld = a->ld;
    const size_t panel = (size_t)s->nx * a->ld, square = (size_t)size * a->ld;
    const size_t p = own_p ? (size_t)s->nx * chain_ld(s->nx) : 0;
    const size_t numbers = square + 2 * panel + p + s->nx + 2 * (size_t)size + 3 * (size_t)candidates;
    double *m = dd_chain_take(&c->store, numbers * sizeof *m + size * sizeof *a->ids + candidates, 1);
    if (!m || !dd_chain_room(c, size)) {
        return false;
    }
    /* one piece of memory: the square front, [A B C], P [A B C], P where it is not the child's, numbers per unknown */
    a->m = m;
    s->t = m + square;
    s->w = s->t + panel;
    s->p = own_p ? s->w + panel : NULL;
    s->ldp = chain_ld(s->nx);
    s->diagonal = s->w + panel + p;
    a->scale = s->diagonal + s->nx;
    a->error = a->scale + size;
    a->inverse = a->error + size;
    a->ids = (void *)(a->inverse + 3 * (size_t)candidates);
    a->block = (void *)(a->ids + size);
    for (uint32_t i = 0; i < s->nx; i++) {
        s->diagonal[i] = 0;
    }
    if (own_p) {
        memset(s->p, 0, p * sizeof *s->p);
    }
    step->c = s->diagonal;
    step->t = s->t;
    step->w = s->w;
    return true;
}

/* All values of the front. */
static void assemble(assembly *s, const chain_dense *child, bool borrowed)
{
    const chain_lean *lean = s->lean;
    const chain_batch *b = s->f->batch == UINT32_MAX ? NULL : &s->c->lanes->batch[s->f->batch];
    const double *h = b ? b->out + (size_t)s->f->lane * b->outs : NULL;
    if (lean->regular && s->shift == 0) {
        copy_leaf(s, h);
    } else {
        memset(s->a->m, 0, ((size_t)s->a->size + s->nx) * s->ld * sizeof *s->a->m); /* and t */
        if (h) {
            add_leaf(s, h);
        }
    }
    if (borrowed) {
        borrow_child(s, child);
    } else if (child) {
        add_child(s, child);
    }
    if (child && child->scaled) {
        inherit_scales(s, child);
    }
    add_all_direct(s);
}

dd_status dd_chain_lean(chain_system *c, uint32_t k, const chain_step *before)
{
    const chain_front *f = &c->front[k];
    const chain_dense *child = before ? &before->a : NULL;
    chain_step *step = &c->step[k];
    assembly s = {.c = c, .f = f, .lean = f->lean_plan, .a = &step->a, .nx = f->nx, .by = k - f->lean_plan->first};
    s.shift = child ? child->candidates - child->pivots : 0;
    const bool borrowed = child && s.lean->child_begins;
    step->whole = false;
    if (!new_front(c, &s, step->lean, !borrowed)) {
        return DD_OUT_OF_MEMORY;
    }
    /* unknowns in this order: those that the front before delayed, then this front's own */
    for (uint32_t i = 0; child && i < s.shift; i++) {
        s.a->ids[i] = child->ids[child->pivots + i];
    }
    for (uint32_t i = 0; i < f->nv + f->ns; i++) {
        s.a->ids[s.shift + i] = f->e[i];
    }
    assemble(&s, child, borrowed);
    divide(&s);
    (s.ld % 8 == 0 && f->nx >= CHAIN_LARGE ? multiply_large : multiply_small)(&s);
    for (uint32_t i = 0; i < f->nx; i++) {
        c->counts.broken |= !isfinite(s.diagonal[i]);
    }
    /* each pair of a continuity row and its state, and each pair inside, has one negative eigenvalue */
    c->counts.negative += f->nx + f->nd;
    dd_chain_eliminate(s.a, false, c->work, &c->counts);
    step->lean->p = s.p;
    step->lean->ldp = s.ldp;
    step->lean->late = s.shift;
    step->lean->late_id = child ? child->ids + child->pivots : NULL;
    step->lean->as_assembled = s.shift == 0 && !s.a->moved;
    return DD_OK;
}

/* The unknowns in the order in which the front was assembled: y = b, or back; the end of y is cleared. */
static void collect(const chain_front *f, const chain_lean_step *lean, const double *b, double *y, uint32_t ld)
{
    uint32_t at = 0;
    for (uint32_t j = 0; j < lean->late; j++) {
        y[at++] = b[lean->late_id[j]];
    }
    for (uint32_t j = 0; j < f->nv + f->ns; j++) {
        y[at++] = b[f->e[j]];
    }
    while (at < ld) {
        y[at++] = 0;
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

/* y += T^T r_x - W^T t, r_x -= P t for r_x at x and t at l. rest: nx + 4. */
DD_CLONES static void forward_panel(const chain_front *f, const chain_lean_step *lean, uint32_t ld, double *b,
                                    double *y, double *rest)
{
    const uint32_t nx = f->nx;
    for (uint32_t i = 0; i < nx; i++) {
        rest[i] = b[f->x[i]];
    }
    for (uint32_t i = nx; i < ((nx + 3) & ~3u); i++) {
        rest[i] = 0;
    }
    for (uint32_t i = 0; i < nx; i++) {
        const double t = b[f->l[i]] * lean->c[i], r = b[f->x[i]];
        const double *line = lean->t + (size_t)i * ld, *w = lean->w + (size_t)i * ld;
        const double *p = lean->p + (size_t)i * lean->ldp;
        b[f->l[i]] = t;
        for (uint32_t j = 0; j < ld; j += 4) {
            dd_v4_store(y + j, dd_v4_load(y + j) + dd_v4_load(line + j) * r - dd_v4_load(w + j) * t);
        }
        for (uint32_t j = 0; j < nx; j += 4) {
            dd_v4_store(rest + j,
                        dd_v4_load(rest + j) - dd_v4_load(p + j) * t); /* what is behind the row is not used */
        }
    }
    for (uint32_t i = 0; i < nx; i++) {
        b[f->x[i]] = rest[i];
    }
}

/* x = t + T e, l = C^-1 (r_x - W e). */
DD_CLONES static void backward_panel(const chain_front *f, const chain_lean_step *lean, uint32_t ld, double *b,
                                     const double *y)
{
    for (uint32_t i = 0; i < f->nx; i++) {
        const double *line = lean->t + (size_t)i * ld, *w = lean->w + (size_t)i * ld;
        dd_v4 x = {0}, l = {0};
        for (uint32_t j = 0; j < ld; j += 4) {
            const dd_v4 v = dd_v4_load(y + j);
            x += dd_v4_load(line + j) * v;
            l += dd_v4_load(w + j) * v;
        }
        const double t = b[f->l[i]], r = b[f->x[i]];
        b[f->x[i]] = t + ((x[0] + x[1]) + (x[2] + x[3]));
        b[f->l[i]] = (r - ((l[0] + l[1]) + (l[2] + l[3]))) * lean->c[i];
    }
}

/* t = C^-1 s is kept at l, r_x at x; then the elimination. */
void dd_chain_lean_forward(const chain_system *c, uint32_t k, double *b)
{
    const chain_front *f = &c->front[k];
    const chain_lean_step *lean = c->step[k].lean;
    const chain_dense *a = &c->step[k].a;
    double *y = c->local;
    collect(f, lean, b, y, a->ld);
    forward_panel(f, lean, a->ld, b, y, c->work);
    if (lean->as_assembled) {
        dd_chain_forward_local(a, y);
        put_back(f, lean, b, y);
    } else {
        put_back(f, lean, b, y);
        dd_chain_forward(a, b, y);
    }
}

void dd_chain_lean_backward(const chain_system *c, uint32_t k, double *b)
{
    const chain_front *f = &c->front[k];
    const chain_lean_step *lean = c->step[k].lean;
    const chain_dense *a = &c->step[k].a;
    double *y = c->local;
    if (!lean->as_assembled) {
        dd_chain_backward(a, b, y);
    }
    collect(f, lean, b, y, a->ld);
    if (lean->as_assembled) {
        dd_chain_backward_local(a, y);
        for (uint32_t j = 0; j < a->pivots; j++) {
            b[a->ids[j]] = y[j];
        }
    }
    backward_panel(f, lean, a->ld, b, y);
}
