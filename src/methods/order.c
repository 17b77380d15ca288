/* order.c - order conditions over generated trees, and the simplifying conditions.
 *
 * Phi_i(single vertex) = 1, Phi_i(t) = Phi_i(rest) (A Phi(branch))_i, gamma(t) = |t| gamma(rest)/|rest| gamma(branch).
 * Each condition is judged against a bound of what rounded coefficients can do to it: the same sums with absolute
 * values, times the accuracy of the coefficients. */
#include "methods/order.h"

#include <math.h>
#include <string.h>

uint32_t dd_trees(dd_tree *trees, uint32_t order)
{
    uint32_t first[DD_ORDER_TREES + 2] = {0}; /* first tree of each order */
    trees[0] = (dd_tree){.order = 1, .gamma = 1};
    uint32_t count = 1;
    first[2] = 1;
    /* every tree of order n is a tree of order m with one branch of order n - m more at its root */
    for (uint32_t n = 2; n <= order; n++) {
        first[n] = count;
        for (uint32_t branch = 0; branch < first[n]; branch++) {
            const uint32_t m = n - trees[branch].order;
            for (uint32_t rest = m == 1 ? 0 : first[m]; rest < (m == 1 ? 1 : first[m + 1]); rest++) {
                /* branches in rising order only: each multiset of branches appears once */
                if (m == 1 || trees[rest].branch <= branch) {
                    /* gamma(t) = n prod gamma(branches); the tree `rest` contributes its product as gamma / m */
                    const double gamma = n * (trees[rest].gamma / m) * trees[branch].gamma;
                    trees[count++] = (dd_tree){.order = n, .rest = rest, .branch = branch, .gamma = gamma};
                }
            }
        }
        first[n + 1] = count;
    }
    return count;
}

/* ---- weights of trees ---- */

typedef struct {
    dd_context *ctx;
    uint32_t s, count, done; /* stages, trees, those whose vectors are there */
    const dd_quad *A;        /* s x s */
    dd_tree *trees;
    dd_quad *phi, *a_phi;  /* count x s: Phi(t), A Phi(t) */
    double *size, *a_size; /* the same with absolute values */
} weights;

static void weights_free(weights *w)
{
    const size_t n = (size_t)w->count * w->s;
    if (w->trees) {
        dd_mem_free(w->ctx, w->trees, w->count * sizeof *w->trees);
    }
    if (w->phi) {
        dd_mem_free(w->ctx, w->phi, 2 * n * sizeof *w->phi);
    }
    if (w->size) {
        dd_mem_free(w->ctx, w->size, 2 * n * sizeof *w->size);
    }
}

static dd_status weights_new(weights *w, dd_context *ctx, uint32_t s, const dd_quad *A)
{
    *w = (weights){.ctx = ctx, .s = s, .count = DD_ORDER_MOST_TREES, .A = A};
    const size_t n = (size_t)w->count * s;
    w->trees = dd_mem_new_array(ctx, w->count, sizeof *w->trees);
    w->phi = dd_mem_new_array(ctx, 2 * n, sizeof *w->phi);
    w->size = dd_mem_new_array(ctx, 2 * n, sizeof *w->size);
    if (!w->trees || !w->phi || !w->size) {
        weights_free(w);
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    w->a_phi = w->phi + n;
    w->a_size = w->size + n;
    dd_trees(w->trees, DD_ORDER_TREES);
    return DD_OK;
}

/* fills the vectors of tree t; those of smaller trees are there */
static void weigh(weights *w, uint32_t t)
{
    const uint32_t s = w->s;
    dd_quad *phi = w->phi + (size_t)t * s, *a_phi = w->a_phi + (size_t)t * s;
    double *size = w->size + (size_t)t * s, *a_size = w->a_size + (size_t)t * s;
    const dd_tree *tree = &w->trees[t];
    /* Phi_i(t) = Phi_i(rest) (A Phi(branch))_i, and the same with absolute values for the rounding bound */
    for (uint32_t i = 0; i < s; i++) {
        phi[i] = t == 0 ? 1 : w->phi[(size_t)tree->rest * s + i] * w->a_phi[(size_t)tree->branch * s + i];
        size[i] = t == 0 ? 1 : w->size[(size_t)tree->rest * s + i] * w->a_size[(size_t)tree->branch * s + i];
    }
    if (tree->order == DD_ORDER_TREES) {
        return; /* never a branch */
    }
    /* A Phi(t), for the trees that have t as a branch */
    for (uint32_t i = 0; i < s; i++) {
        dd_quad sum = 0;
        double bound = 0;
        for (uint32_t j = 0; j < s; j++) {
            const dd_quad a = w->A[(size_t)i * s + j];
            if (a != 0) {
                sum += a * phi[j];
                bound += fabs((double)a) * size[j];
            }
        }
        a_phi[i] = sum;
        a_size[i] = bound;
    }
}

typedef struct {
    dd_quad residual;
    double bound; /* what rounded coefficients can explain */
} condition;

/* sum_i b_i Phi_i(t) - value. The bound never exceeds a small part of 1/gamma, so that crude decimals do not pass for
 * anything. */
static condition evaluate(weights *w, uint32_t t, const dd_quad *b, dd_quad value, dd_quad accuracy)
{
    const uint32_t s = w->s;
    condition c = {-value, fabs((double)value)};
    /* trees are weighed when they are first needed: low orders stop early */
    for (; w->done <= t; w->done++) {
        weigh(w, w->done);
    }
    for (uint32_t i = 0; i < s; i++) {
        c.residual += b[i] * w->phi[(size_t)t * s + i];
        c.bound += fabs((double)b[i]) * w->size[(size_t)t * s + i];
    }
    /* each edge and vertex of the tree is a product, each sum over stages adds s roundings */
    c.bound *= (double)accuracy * (4.0 * w->trees[t].order + s);
    c.bound = fmin(c.bound, 1e-4 / w->trees[t].gamma);
    return c;
}

/* ---- simplifying conditions ---- */

static bool vanishes(dd_quad sum, dd_quad value, double size, dd_quad accuracy)
{
    return dd_quad_abs(sum - value) <= 64 * accuracy * (dd_quad_abs(value) + (dd_quad)size);
}

typedef struct {
    const dd_tableau *t;
    const dd_quad *b;
    dd_quad accuracy;
    dd_quad c[DD_TABLEAU_STAGES], power[DD_TABLEAU_STAGES]; /* row sums, and their powers c^(k-1) */
} simplifying;

static bool holds_b(const simplifying *f, uint32_t k)
{
    dd_quad sum = 0;
    double size = 0;
    for (uint32_t i = 0; i < f->t->stages; i++) {
        sum += f->b[i] * f->power[i];
        size += fabs((double)(f->b[i] * f->power[i]));
    }
    return vanishes(sum, (dd_quad)1 / k, size * k, f->accuracy);
}

static bool holds_c(const simplifying *f, uint32_t k)
{
    const uint32_t s = f->t->stages;
    for (uint32_t i = 0; i < s; i++) {
        dd_quad sum = 0;
        double size = 0;
        for (uint32_t j = 0; j < s; j++) {
            const dd_quad term = f->t->exact.A[(size_t)i * s + j] * f->power[j];
            sum += term;
            size += fabs((double)term);
        }
        if (!vanishes(sum, f->power[i] * f->c[i] / k, size * k, f->accuracy)) {
            return false;
        }
    }
    return true;
}

static bool holds_d(const simplifying *f, uint32_t k)
{
    const uint32_t s = f->t->stages;
    for (uint32_t j = 0; j < s; j++) {
        dd_quad sum = 0;
        double size = fabs((double)f->b[j]);
        for (uint32_t i = 0; i < s; i++) {
            const dd_quad term = f->b[i] * f->power[i] * f->t->exact.A[(size_t)i * s + j];
            sum += term;
            size += fabs((double)term);
        }
        if (!vanishes(sum, f->b[j] / k * (1 - f->power[j] * f->c[j]), size * k, f->accuracy)) {
            return false;
        }
    }
    return true;
}

void dd_order_simplifying(dd_order *out, const dd_tableau *t, const dd_quad *b)
{
    const uint32_t s = t->stages;
    simplifying f = {.t = t, .b = b, .accuracy = t->exact.accuracy};
    /* c is replaced by the row sums: the order is a property of A and b for autonomous systems */
    for (uint32_t i = 0; i < s; i++) {
        f.power[i] = 1;
        for (uint32_t j = 0; j < s; j++) {
            f.c[i] += t->exact.A[(size_t)i * s + j];
        }
    }
    out->B = out->C = out->D = 0;
    /* each condition applies only if it held for all smaller k; B(p) cannot hold beyond p = 2s */
    for (uint32_t k = 1; k <= 2 * s + 1; k++) {
        out->B += out->B == k - 1 && holds_b(&f, k);
        out->C += out->C == k - 1 && k <= s && holds_c(&f, k);
        out->D += out->D == k - 1 && k <= s && holds_d(&f, k);
        for (uint32_t i = 0; i < s; i++) {
            f.power[i] *= f.c[i];
        }
    }
}

bool dd_order_row_sums(const dd_tableau *t)
{
    for (uint32_t i = 0; i < t->stages; i++) {
        dd_quad sum = 0;
        double size = 0;
        for (uint32_t j = 0; j < t->stages; j++) {
            sum += t->exact.A[(size_t)i * t->stages + j];
            size += fabs((double)t->exact.A[(size_t)i * t->stages + j]);
        }
        if (!vanishes(sum, t->exact.c[i], size, t->exact.accuracy)) {
            return false;
        }
    }
    return true;
}

/* ---- the order ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* goes through the trees until one order fails */
static void check_trees(dd_order *out, weights *w, const dd_quad *b, dd_quad accuracy)
{
    /* all trees of the first order that fails are looked at, for the largest residual there */
    for (uint32_t t = 0; t < w->count; t++) {
        const uint32_t n = w->trees[t].order;
        if (out->fails_at > 0 && n > out->fails_at) {
            break;
        }
        const condition c = evaluate(w, t, b, 1 / (dd_quad)w->trees[t].gamma, accuracy);
        const double residual = (double)c.residual;
        out->trees++;
        if (fabs(residual) > c.bound) {
            out->next = out->fails_at == 0 || fabs(residual) > fabs(out->next) ? residual : out->next;
            out->fails_at = n;
        } else if (out->fails_at == 0 && c.bound > 0) {
            out->residual = fmax(out->residual, fabs(residual) / c.bound);
        }
    }
    out->order = out->fails_at > 0 ? out->fails_at - 1 : DD_ORDER_TREES;
    out->at_least = out->fails_at == 0;
}

dd_status dd_order_find(dd_order *out, dd_context *ctx, const dd_tableau *t, const dd_quad *b)
{
    weights w;
    *out = (dd_order){0};
    /* B(p), C(q), D(r) imply order min(p, q + r + 1, 2q + 2) (Butcher 1964): enough where trees would be too many */
    dd_order_simplifying(out, t, b);
    const uint32_t implied = least(out->B, least(out->C + out->D + 1, 2 * out->C + 2));
    if (implied >= DD_ORDER_TREES) { /* B(p) fails at order p + 1 for sure, as the bushy tree there */
        out->order = implied;
        out->at_least = implied < out->B;
        out->fails_at = out->at_least ? 0 : implied + 1;
        return DD_OK;
    }
    const dd_status st = weights_new(&w, ctx, t->stages, t->exact.A);
    if (st != DD_OK) {
        return st;
    }
    check_trees(out, &w, b, t->exact.accuracy);
    weights_free(&w);
    return DD_OK;
}

/* ---- the continuous extension ---- */

/* the method with all stages of its continuous extension */
static dd_status extended_matrix(dd_quad **out, dd_context *ctx, const dd_tableau *t)
{
    const uint32_t s = t->stages, n = t->dense.stages;
    dd_quad *a = dd_mem_new_array(ctx, (size_t)n * n, sizeof *a);
    if (!a) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    /* the further stages use those of the method and each other; the method does not use them */
    for (uint32_t i = 0; i < s; i++) {
        memcpy(a + (size_t)i * n, t->exact.A + (size_t)i * s, s * sizeof *a);
    }
    if (n > s) {
        memcpy(a + (size_t)s * n, t->dense.exact_A, (size_t)(n - s) * n * sizeof *a);
    }
    *out = a;
    return DD_OK;
}

/* b_i(theta) */
static void dense_weights(const dd_tableau *t, dd_quad theta, dd_quad *b)
{
    const uint32_t degree = t->dense.degree;
    for (uint32_t i = 0; i < t->dense.stages; i++) {
        b[i] = 0;
        /* Horner; b_i(theta) has no constant term, hence the factor theta at the end */
        for (uint32_t k = degree; k-- > 0;) {
            b[i] = (b[i] + t->dense.exact_B[(size_t)i * degree + k]) * theta;
        }
    }
}

/* A polynomial identity of degree d in theta that holds at d + 1 points holds everywhere. */
static uint32_t dense_order(weights *w, const dd_tableau *t)
{
    const uint32_t points = t->dense.degree + 1;
    dd_quad b[DD_TABLEAU_STAGES];
    uint32_t order = t->dense.degree; /* a higher one is impossible: theta^(degree + 1) */
    /* a condition that fails at one theta lowers the order for all the following ones */
    for (uint32_t k = 1; k <= points; k++) {
        const dd_quad theta = (dd_quad)k / points;
        dense_weights(t, theta, b);
        for (uint32_t i = 0; i < w->count && w->trees[i].order <= order; i++) {
            dd_quad value = 1 / (dd_quad)w->trees[i].gamma;
            for (uint32_t n = 0; n < w->trees[i].order; n++) {
                value *= theta;
            }
            const condition c = evaluate(w, i, b, value, t->exact.accuracy);
            if (fabs((double)c.residual) > c.bound) {
                order = w->trees[i].order - 1;
            }
        }
    }
    return order;
}

dd_status dd_order_find_dense(uint32_t *out, dd_context *ctx, const dd_tableau *t)
{
    dd_quad *a = NULL;
    weights w;
    *out = 0;
    if (t->dense.stages == 0) {
        return DD_OK;
    }
    dd_status st = extended_matrix(&a, ctx, t);
    if (st == DD_OK) {
        st = weights_new(&w, ctx, t->dense.stages, a);
        if (st == DD_OK) {
            *out = dense_order(&w, t);
            weights_free(&w);
        }
        dd_mem_free(ctx, a, (size_t)t->dense.stages * t->dense.stages * sizeof *a);
    }
    return st;
}
