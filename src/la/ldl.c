/* ldl.c - a multifrontal LDL^T factorisation (Duff and Reid 1983): fronts from the leaves to the roots.
 *
 * Each front is assembled from the entries of its columns and the contributions of its children, its pivots are
 * eliminated (ldl_front.c), and what is left is its contribution to its parent. Contributions lie on two stacks, by the
 * parity of the depth in the tree: that of a front is made on one while those of its children still are on top of the
 * other, so nothing is moved.
 *
 * Pivots that a front refuses go to the parent with their columns. The front of the parent then has more rows than was
 * foreseen, between its own pivots and the rows below: all places of rows below are shifted.
 */
#include <math.h>
#include <string.h>

#include "la/ldl_impl.h"

/* Loops over vectors read this far behind the end of an array. */
enum { BEHIND = 8 };

/* ---- scaling ---- */

/* 2^-floor(e/2) for a size in [2^e, 2^(e+1)), by its bits; 1 for zero and for numbers without full precision. */
static double half_power(double size)
{
    enum { BIAS = 1023, HALF = (BIAS + 1) / 2, MANTISSA = 52 };
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    /* floor(e/2) = floor((biased + 1)/2) - 512, without shifting a negative number */
    const uint64_t biased = bits >> MANTISSA;
    bits = (BIAS + HALF - ((biased + 1) >> 1)) << MANTISSA;
    double power;
    memcpy(&power, &bits, sizeof power);
    return biased == 0 ? 1 : power;
}

/* Symmetric equilibration in the maximum norm (Ruiz 2001; Knight, Ruiz and Ucar 2014) by powers of two: exact in floating
 * point. False: a value is not finite. */
static bool scale_entries(dd_ldl *f, const double *val)
{
    enum { SWEEPS = 8 }; /* each takes the root of what is left: 2^256 becomes 2 */
    double sum = 0;
    for (size_t k = 0; k < f->nnz; k++) {
        f->scaled[k] = val[f->entry[k]];
        sum += f->scaled[k] * 0;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        f->scale[i] = 1;
    }
    /* 0 times what is not finite is not a number */
    if (isnan(sum)) {
        return false;
    }
    for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
        bool changed = false;
        memset(f->work, 0, f->n * sizeof *f->work);
        for (size_t k = 0; k < f->nnz; k++) {
            const uint32_t i = f->row[k], j = f->col[k];
            const double size = fabs(f->scaled[k]) * f->scale[i] * f->scale[j];
            f->work[i] = size > f->work[i] ? size : f->work[i];
            f->work[j] = size > f->work[j] ? size : f->work[j];
        }
        for (uint32_t i = 0; i < f->n; i++) {
            const double factor = half_power(f->work[i]);
            f->scale[i] *= factor;
            /* a factor of two is good enough */
            changed = changed || factor > 2 || factor < 0.5;
        }
        if (!changed) {
            break;
        }
    }
    for (size_t k = 0; k < f->nnz; k++) {
        f->scaled[k] *= f->scale[f->row[k]] * f->scale[f->col[k]];
    }
    return true;
}

/* ---- assembly ---- */

/* A front under construction. */
typedef struct assembly {
    dd_ldl *f;
    const dd_ldl_node *node;
    dd_ldl_done *done;
    dd_ldl_front front;
    double *c; /* contribution: leading dimension ldc */
    size_t ldc;
    uint32_t delayed; /* pivots that came from children */
} assembly;

/* How far the arrays are in use. */
typedef struct usage {
    size_t factor, pivot, stack[2];
} usage;

static dd_status begin_front(assembly *x, const usage *used)
{
    dd_ldl *f = x->f;
    const dd_ldl_node *node = x->node;
    for (uint32_t c = node->child; c != DD_NO_INDEX; c = f->node[c].next) {
        x->delayed += f->done[c].delayed;
    }
    /* rooms may have to grow where there are more candidates than was foreseen */
    const uint32_t k = node->pivots + x->delayed, m = k + node->below;
    const size_t ld = DD_LDL_ROUND(m), ldc = DD_LDL_ROUND(node->below), square = ldc * node->below;
    const struct {
        dd_ldl_room *room;
        size_t count;
    } list[] = {
        {&f->factor, used->factor + ld * k + 2 * (size_t)k + BEHIND},
        {&f->panel, ld * k + BEHIND},
        {&f->stack[node->side], used->stack[node->side] + square},
        {&f->pivots, 2 * (size_t)k},
        {&f->sizes, ld},
        {&f->looks, k},
        {&f->pivot, used->pivot + k},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const dd_status st = dd_ldl_grow(f, list[i].room, list[i].count);
        if (st != DD_OK) {
            return st;
        }
    }
    *x->done =
        (dd_ldl_done){.factor = used->factor, .order = used->pivot, .contribution = used->stack[node->side], .ld = ld};
    x->front = (dd_ldl_front){.rows = m,
                              .candidates = k,
                              .ld = ld,
                              .a = (double *)f->factor.at + used->factor,
                              .w = f->panel.at,
                              .d = f->pivots.at,
                              .noise = f->sizes.at,
                              .order = (uint32_t *)f->pivot.at + used->pivot,
                              .look = f->looks.at,
                              .ctx = f->ctx};
    x->c = (double *)f->stack[node->side].at + used->stack[node->side];
    x->ldc = ldc;
    memset(x->front.a, 0, ld * k * sizeof(double));
    memset(x->c, 0, square * sizeof(double));
    return DD_OK;
}

/* The entries of the matrix in the columns of the front. */
static void add_entries(assembly *x, size_t to)
{
    const dd_ldl *f = x->f;
    double *a = x->front.a;
    if (x->delayed == 0) {
        for (size_t k = x->node->entries; k < to; k++) {
            a[f->target[k]] += f->scaled[k];
        }
        return;
    }
    /* rows below come later than was foreseen */
    const size_t foreseen = DD_LDL_ROUND(x->node->pivots + x->node->below);
    for (size_t k = x->node->entries; k < to; k++) {
        const size_t col = f->target[k] / foreseen, row = f->target[k] % foreseen;
        a[col * x->front.ld + row + (row < x->node->pivots ? 0 : x->delayed)] += f->scaled[k];
    }
}

/* The contribution of a child: columns that are pivots here, then those that are below here too. */
static void add_child(assembly *x, const dd_ldl_node *child, const double *c)
{
    const uint32_t n = child->below, pivots = x->node->pivots, *place = x->f->place + child->rows;
    const size_t ld = DD_LDL_ROUND(n);
    uint32_t own = 0;
    while (own < n && place[own] < pivots) {
        own++;
    }
    for (uint32_t j = 0; j < own; j++, c += ld) {
        double *to = x->front.a + place[j] * x->front.ld;
        for (uint32_t i = j; i < own; i++) {
            to[place[i]] += c[i];
        }
        to += x->delayed;
        for (uint32_t i = own; i < n; i++) {
            to[place[i]] += c[i];
        }
    }
    for (uint32_t j = own; j < n; j++, c += ld) {
        double *to = x->c + (place[j] - pivots) * x->ldc;
        for (uint32_t i = j; i < n; i++) {
            to[place[i] - pivots] += c[i];
        }
    }
}

/* The columns of the pivots that a child delayed: they become candidates from `slot` on. */
static void add_delayed(assembly *x, const dd_ldl_node *child, const dd_ldl_done *done, const double *c, uint32_t slot)
{
    const uint32_t count = done->delayed, pivots = x->node->pivots, *place = x->f->place + child->rows;
    const size_t ld = x->front.ld;
    double *a = x->front.a;
    for (uint32_t k = 0; k < count; k++, c += count + child->below) {
        x->front.order[slot + k] = ((uint32_t *)x->f->pivot.at)[done->order + done->eliminated + k];
        for (uint32_t i = k; i < count; i++) {
            a[(slot + k) * ld + slot + i] += c[i];
        }
        /* the lower triangle: own pivots come before, rows below behind */
        for (uint32_t i = 0; i < child->below; i++) {
            const size_t at = place[i] < pivots ? place[i] * ld + slot + k : (slot + k) * ld + place[i] + x->delayed;
            a[at] += c[count + i];
        }
    }
}

static void assemble(assembly *x, size_t entries_to)
{
    dd_ldl *f = x->f;
    const dd_ldl_node *node = x->node;
    dd_ldl_front *front = &x->front;
    add_entries(x, entries_to);
    for (uint32_t k = 0; k < node->pivots; k++) {
        front->order[k] = node->first + k;
    }
    uint32_t slot = node->pivots;
    for (uint32_t s = node->child; s != DD_NO_INDEX; s = f->node[s].next) {
        const dd_ldl_node *child = &f->node[s];
        const double *c = (double *)f->stack[child->side].at + f->done[s].contribution;
        add_child(x, child, c);
        add_delayed(x, child, &f->done[s], c + DD_LDL_ROUND(child->below) * child->below, slot);
        slot += f->done[s].delayed;
    }
    /* the upper triangle of the candidates' square */
    for (uint32_t j = 0; j < front->candidates; j++) {
        for (uint32_t i = j + 1; i < front->candidates; i++) {
            front->a[i * front->ld + j] = front->a[j * front->ld + i];
        }
    }
    for (uint32_t k = 0; k < front->candidates; k++) {
        front->noise[k] = f->noise[front->order[k]];
    }
    for (uint32_t k = 0; k < node->below; k++) {
        front->noise[front->candidates + k] = f->noise[f->below[node->rows + k]];
    }
    for (size_t k = front->rows; k < front->ld; k++) {
        front->noise[k] = 0;
    }
}

/* ---- what is left of a front ---- */

static void note_zeros(dd_ldl *f, const dd_ldl_front *front)
{
    for (uint32_t k = 0; k < front->eliminated; k++) {
        if (front->d[2 * k + 1] != 0) {
            k++; /* two by two */
        } else if (front->d[2 * k] == 0) {
            f->zeros[f->info.zero++] = f->order[front->order[k]];
        }
    }
}

/* Keeps the columns of delayed pivots behind the contribution. */
static dd_status keep_delayed(assembly *x, usage *used)
{
    dd_ldl *f = x->f;
    const dd_ldl_front *front = &x->front;
    const uint32_t done = front->eliminated, count = front->candidates - done, side = x->node->side;
    const size_t rows = (size_t)count + x->node->below;
    const dd_status st = dd_ldl_grow(f, &f->stack[side], used->stack[side] + rows * count);
    if (st != DD_OK) {
        return st;
    }
    double *to = (double *)f->stack[side].at + used->stack[side];
    for (uint32_t k = 0; k < count; k++) {
        memcpy(to + k * rows, front->a + (done + k) * front->ld + done, rows * sizeof(double));
    }
    used->stack[side] += rows * count;
    f->info.delayed += count;
    return DD_OK;
}

static dd_status finish_front(assembly *x, usage *used)
{
    dd_ldl *f = x->f;
    const dd_ldl_node *node = x->node;
    const dd_ldl_front *front = &x->front;
    const uint32_t k = front->candidates, done = front->eliminated;
    if (node->below > 0 && done > 0) {
        dd_ldl_subtract_product(&(dd_ldl_product){.rows = x->ldc,
                                                  .cols = node->below,
                                                  .count = done,
                                                  .l = front->a + k,
                                                  .w = front->w + k,
                                                  .ld = front->ld,
                                                  .c = x->c,
                                                  .ldc = x->ldc,
                                                  .lower = true});
    }
    for (uint32_t i = done; i < k; i++) {
        f->noise[front->order[i]] = front->noise[i];
    }
    for (uint32_t i = 0; i < node->below; i++) {
        f->noise[f->below[node->rows + i]] = front->noise[k + i];
    }
    /* its contribution is on one stack, those of its children leave the other */
    used->stack[node->side] += x->ldc * node->below;
    const dd_status st = done < k ? keep_delayed(x, used) : DD_OK;
    if (node->child != DD_NO_INDEX) {
        used->stack[1 - node->side] = f->done[node->child].contribution;
    }
    memcpy(front->a + done * front->ld, front->d, 2 * done * sizeof(double));
    x->done->eliminated = done;
    x->done->delayed = k - done;
    used->factor += done * front->ld + 2 * (size_t)done;
    used->pivot += k;
    /* statistics */
    const double rows = front->rows, rest = rows - done;
    f->info.operations += (rows * (rows + 1) * (rows + 2) - rest * (rest + 1) * (rest + 2)) / 6;
    f->info.negative += front->negative;
    f->info.pairs += front->pairs;
    if (front->zeros > 0) {
        note_zeros(f, front);
    }
    return st;
}

/* ---- a factorisation ---- */

static dd_status factor_fronts(dd_ldl *f)
{
    usage used = {0};
    for (uint32_t s = 0; s < f->fronts && !f->info.broken; s++) {
        assembly x = {.f = f, .node = &f->node[s], .done = &f->done[s]};
        dd_status st = dd_poll_stop(f->ctx);
        st = st == DD_OK ? begin_front(&x, &used) : st;
        if (st != DD_OK) {
            return st;
        }
        assemble(&x, s + 1 < f->fronts ? f->node[s + 1].entries : f->nnz);
        st = dd_ldl_eliminate(&x.front);
        st = st == DD_OK ? finish_front(&x, &used) : st;
        if (st != DD_OK) {
            return st;
        }
        /* a root has no one to leave pivots to, and always finds them */
        f->info.broken = x.front.broken || (x.node->parent == DD_NO_INDEX && x.done->delayed > 0);
    }
    f->info.entries = used.factor;
    return DD_OK;
}

dd_status dd_ldl_factor(dd_ldl *f, const double *val, dd_ldl_info *out)
{
    dd_status st = DD_OK;
    f->valid = false;
    f->info = (dd_ldl_info){0};
    memset(f->noise, 0, f->n * sizeof *f->noise);
    if (scale_entries(f, val)) {
        st = factor_fronts(f);
    } else {
        f->info.broken = true;
    }
    f->valid = st == DD_OK && !f->info.broken;
    if (out != NULL) {
        *out = f->info;
    }
    return st;
}

const uint32_t *dd_ldl_zeros(const dd_ldl *f)
{
    return f->zeros;
}

dd_ldl_info dd_ldl_get_info(const dd_ldl *f)
{
    return f->info;
}
