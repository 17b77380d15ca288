/* tableau.c - a Runge-Kutta method as one block of memory: the struct, the 113-bit numbers, the rounded ones. */
#include "methods/tableau.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "methods/order.h"
#include "methods/tableau_build.h"

/* ---- sizes ---- */

typedef struct {
    uint32_t s, extra, dense, degree;
    bool bhat, bhat_low;
} shape;

static size_t entries(const shape *p)
{
    const size_t s = p->s, method = s * s + s * (2u + p->bhat + p->bhat_low);
    return method + (size_t)p->extra * p->dense + p->extra + (size_t)p->dense * p->degree;
}

/* ---- filling ---- */

typedef struct {
    dd_quad *exact;
    double *rounded;
} cursor;

/* copies n numbers, exact and rounded; NULL stays NULL */
static void place(cursor *at, const dd_quad *from, size_t n, const dd_quad **exact, const double **rounded)
{
    if (!from || n == 0) {
        *exact = NULL;
        *rounded = NULL;
        return;
    }
    *exact = at->exact;
    *rounded = at->rounded;
    for (size_t k = 0; k < n; k++) {
        *at->exact++ = from[k];
        *at->rounded++ = (double)from[k];
    }
}

static dd_tableau_structure find_structure(const dd_quad *a, uint32_t s)
{
    dd_tableau_structure structure = DD_TABLEAU_EXPLICIT;
    /* an entry above the diagonal couples all stages; one on it makes its stage implicit by itself */
    for (uint32_t i = 0; i < s; i++) {
        for (uint32_t j = i; j < s; j++) {
            if (a[(size_t)i * s + j] != 0) {
                if (j > i) {
                    return DD_TABLEAU_IMPLICIT;
                }
                structure = DD_TABLEAU_DIAGONAL;
            }
        }
    }
    return structure;
}

static bool last_row_is_b(const dd_tableau *t)
{
    const dd_quad *row = t->exact.A + (size_t)(t->stages - 1) * t->stages;
    for (uint32_t j = 0; j < t->stages; j++) {
        const dd_quad gap = dd_quad_abs(row[j] - t->exact.b[j]);
        /* the last row and b may come from different formulas: allow for the rounding of either */
        if (gap > 4 * t->exact.accuracy * dd_quad_max(1, dd_quad_abs(row[j]))) {
            return false;
        }
    }
    return true;
}

/* Collocation at distinct nodes: C(s) holds, sum_j A_ij c_j^(k-1) = c_i^k / k for k <= s. */
static bool is_collocation(dd_tableau_family family)
{
    return family == DD_FAMILY_GAUSS || family == DD_FAMILY_RADAU_IIA || family == DD_FAMILY_LOBATTO_IIIA ||
           family == DD_FAMILY_CHEBYSHEV;
}

static void describe(dd_tableau *t, const dd_tableau_input *in)
{
    snprintf(t->name, sizeof t->name, "%s", in->name);
    t->family = in->family;
    t->order = in->order;
    t->embedded_order = in->bhat ? in->embedded_order : 0;
    t->low_order = in->bhat_low ? in->low_order : 0;
    t->structure = find_structure(in->A, in->stages);
    t->collocation = is_collocation(in->family);
    t->stiffly_accurate = last_row_is_b(t);
    t->first_same_as_last = t->structure == DD_TABLEAU_EXPLICIT && t->stiffly_accurate && t->stages > 1;
}

static dd_status find_orders(dd_tableau *t)
{
    dd_order order;
    dd_status st = DD_OK;
    /* a family knows its order; a method from a file has it computed from the order conditions */
    if (t->order == 0) {
        st = dd_order_find(&order, t->ctx, t, t->exact.b);
        t->order = order.order;
    }
    if (st == DD_OK && t->bhat && t->embedded_order == 0) {
        st = dd_order_find(&order, t->ctx, t, t->exact.bhat);
        t->embedded_order = order.order;
    }
    return st;
}

/* ---- creation ---- */

static bool is_representable(const dd_quad *values, size_t n)
{
    for (size_t k = 0; values && k < n; k++) {
        if (!isfinite((double)values[k])) {
            return false;
        }
    }
    return true;
}

static dd_status check_input(dd_context *ctx, const dd_tableau_input *in)
{
    const size_t s = in->stages;
    if (s < 1 || s > DD_TABLEAU_STAGES) {
        return dd_fail(ctx, DD_INVALID_ARGUMENT, "%s has %zu stages; 1 to %d are possible", in->name, s,
                       DD_TABLEAU_STAGES);
    }
    const bool fine = is_representable(in->A, s * s) && is_representable(in->b, s) && is_representable(in->c, s) &&
                      is_representable(in->bhat, s) && is_representable(in->bhat_low, s);
    return fine ? DD_OK
                : dd_fail(ctx, DD_INVALID_ARGUMENT, "%s has a coefficient that is not a finite number", in->name);
}

static void row_sums(const dd_tableau_input *in, dd_quad *c)
{
    for (uint32_t i = 0; i < in->stages; i++) {
        c[i] = 0;
        for (uint32_t j = 0; j < in->stages; j++) {
            c[i] += in->A[(size_t)i * in->stages + j];
        }
    }
}

static void fill(dd_tableau *t, const dd_tableau_input *in, const dd_tableau_room *room, const shape *p)
{
    const size_t s = p->s;
    dd_quad sums[DD_TABLEAU_STAGES];
    /* one block: the struct, the 113-bit numbers, the same numbers as doubles */
    cursor at = {.exact = (dd_quad *)(t + 1)};
    at.rounded = (double *)(void *)(at.exact + entries(p));
    row_sums(in, sums);
    place(&at, in->A, s * s, &t->exact.A, &t->A);
    place(&at, in->b, s, &t->exact.b, &t->b);
    /* where no nodes are given, c_i = sum_j A_ij, as the order conditions assume */
    place(&at, in->c ? in->c : sums, s, &t->exact.c, &t->c);
    place(&at, in->bhat, s, &t->exact.bhat, &t->bhat);
    place(&at, in->bhat_low, s, &t->exact.bhat_low, &t->bhat_low);
    /* the continuous extension has its further stages in separate rows, behind those of the method */
    if (p->dense > 0) {
        dd_tableau_dense *d = &t->dense;
        *d = (dd_tableau_dense){.stages = p->dense, .degree = p->degree, .order = room->dense_order};
        place(&at, room->dense_A, (size_t)p->extra * p->dense, &d->exact_A, &d->A);
        place(&at, room->dense_c, p->extra, &d->exact_c, &d->c);
        place(&at, room->dense_B, (size_t)p->dense * p->degree, &d->exact_B, &d->B);
    }
}

dd_status dd_tableau_finish(dd_tableau **out, dd_context *ctx, const dd_tableau_input *in, const dd_tableau_room *room)
{
    *out = NULL;
    dd_status st = check_input(ctx, in);
    if (st != DD_OK) {
        return st;
    }
    /* how many numbers there are decides the size of the block */
    shape p = {.s = in->stages, .bhat = in->bhat != NULL, .bhat_low = in->bhat_low != NULL};
    if (room && room->dense_stages > 0) {
        p.dense = room->dense_stages;
        p.extra = p.dense - p.s;
        p.degree = room->dense_degree;
    }
    const size_t bytes = sizeof(dd_tableau) + entries(&p) * (sizeof(dd_quad) + sizeof(double));
    dd_tableau *t = dd_mem_new(ctx, bytes);
    if (!t) {
        return dd_fail(ctx, DD_OUT_OF_MEMORY, NULL);
    }
    memset(t, 0, sizeof *t);
    t->ctx = ctx;
    t->bytes = bytes;
    t->stages = in->stages;
    /* decimals of a file may carry fewer digits than the format */
    t->exact.accuracy = dd_quad_max(in->accuracy, DD_QUAD_EPSILON);
    fill(t, in, room, &p);
    /* the structure and the order are properties of the numbers, so they come last */
    describe(t, in);
    st = find_orders(t);
    if (st != DD_OK) {
        dd_tableau_free(t);
        return st;
    }
    *out = t;
    return DD_OK;
}

dd_status dd_tableau_new_from(dd_tableau **out, dd_context *ctx, const dd_tableau_input *input)
{
    return dd_tableau_finish(out, ctx, input, NULL);
}

void dd_tableau_free(dd_tableau *tableau)
{
    if (tableau) {
        dd_mem_free(tableau->ctx, tableau, tableau->bytes);
    }
}
