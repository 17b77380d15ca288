/* chain.c - the kind of linear system for programs with a shape: making, factoring, solving (chain.h). */
#include <math.h>
#include <string.h>

#include "nlp/chain_impl.h"

static const double weight_most = 1e20; /* 1 / q times the square of the row: beyond, the row holds like an equality */

static void release(dd_kkt_system *system)
{
    chain_system *c = (chain_system *)system;
    if (c) {
        dd_chain_release(&c->plan);
        dd_chain_release(&c->store);
        dd_mem_free(system->ctx, c, sizeof *c);
    }
}

/* Memory of all factors when nothing is delayed, and of the largest front. */
static void reserve(chain_system *c)
{
    uint32_t largest = 0;
    size_t bytes = 0;
    for (uint32_t k = 0; k <= c->intervals; k++) {
        const chain_front *f = &c->front[k];
        const uint32_t size = 2 * (f->nx + f->nd) + f->nv + f->ns;
        largest = size > largest ? size : largest;
        bytes += (size_t)size * chain_ld(size) * sizeof(double) + (size_t)size * 64 + 5 * (size_t)CHAIN_ALIGN;
    }
    c->work_size = largest;
    c->work = dd_chain_take(&c->plan, 2 * (size_t)largest, sizeof *c->work);
    c->local = c->work ? c->work + largest : NULL;
    dd_chain_reserve(&c->store, bytes);
}

static dd_status make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    *out = NULL;
    chain_system *c = dd_mem_new_array(ctx, 1, sizeof *c);
    if (!c) {
        return DD_OUT_OF_MEMORY;
    }
    c->base = (dd_kkt_system){&dd_kkt_chain, ctx};
    c->pattern = *pattern;
    c->n = pattern->n;
    c->m = pattern->m;
    c->intervals = pattern->shape->intervals;
    c->plan.ctx = c->store.ctx = ctx;
    const size_t unknowns = (size_t)c->n + c->m;
    dd_status status = dd_chain_plan(c);
    if (status == DD_OK) {
        c->at = dd_chain_take_zero(&c->plan, unknowns, sizeof *c->at);
        c->step = dd_chain_take_zero(&c->plan, (size_t)c->intervals + 1, sizeof *c->step);
        c->rhs = dd_chain_take_zero(&c->plan, unknowns, sizeof *c->rhs);
        c->weight = dd_chain_take_zero(&c->plan, c->condensed, sizeof *c->weight);
        c->row_value = dd_chain_take_zero(&c->plan, pattern->jacobian_nnz, sizeof *c->row_value);
        reserve(c);
        status = c->plan.failed || c->store.failed ? DD_OUT_OF_MEMORY : DD_OK;
    }
    if (status != DD_OK) {
        release(&c->base);
        return status;
    }
    *out = &c->base;
    return DD_OK;
}

/* Condensed rows: their values and weights are kept for the solves. */
static void keep_condensed(chain_system *c)
{
    for (uint32_t t = 0; t < c->condensed; t++) {
        const uint32_t i = c->condensed_row[t];
        double largest = 0;
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            c->row_value[e] = c->values->jacobian[c->row_entry[e]];
            const double v = fabs(c->row_value[e]);
            largest = v > largest ? v : largest;
        }
        const double q = c->values->q[i], limit = weight_most / (largest * largest);
        c->weight[t] = q * limit > 1 ? 1 / q : limit < weight_most ? limit : weight_most;
        c->counts.broken |= !(q >= 0);
    }
}

static dd_status factor(dd_kkt_system *system, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    chain_system *c = (chain_system *)system;
    dd_chain_reset(&c->store);
    c->values = values;
    c->counts = (chain_counts){.negative = c->condensed};
    c->factored = false;
    keep_condensed(c);
    dd_status status = DD_OK;
    const chain_step *before = NULL;
    for (uint32_t i = 0; i <= c->intervals && status == DD_OK; i++) {
        const uint32_t k = i < c->intervals ? c->intervals - 1 - i : c->intervals;
        status = dd_chain_whole(c, k, before);
        before = &c->step[k];
        if (status == DD_OK) {
            status = dd_poll_stop(system->ctx);
        }
    }
    if (status != DD_OK) {
        return status;
    }
    c->factored = true;
    *out = (dd_kkt_inertia){c->counts.negative, c->counts.zero, c->counts.broken};
    return DD_OK;
}

/* r += J^T (s / q) of the condensed rows. */
static void add_condensed(const chain_system *c, const double *s, double *b)
{
    for (uint32_t t = 0; t < c->condensed; t++) {
        const uint32_t i = c->condensed_row[t];
        const double y = c->weight[t] * s[i];
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            b[c->pattern.jacobian_col[c->row_entry[e]]] += c->row_value[e] * y;
        }
    }
}

/* Their y = (J x - s) / q; the others are in b. */
static void find_condensed(const chain_system *c, const double *r, double *s, const double *b)
{
    for (uint32_t t = 0; t < c->condensed; t++) {
        const uint32_t i = c->condensed_row[t];
        double sum = -s[i];
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            sum += c->row_value[e] * r[c->pattern.jacobian_col[c->row_entry[e]]];
        }
        s[i] = c->weight[t] * sum;
    }
    for (uint32_t i = 0; i < c->m; i++) {
        s[i] = c->class_of[c->n + i] == CHAIN_CONDENSED ? s[i] : b[c->n + i];
    }
}

static void solve(dd_kkt_system *system, double *r, double *s)
{
    chain_system *c = (chain_system *)system;
    double *b = c->rhs;
    memcpy(b, r, c->n * sizeof *b);
    memcpy(b + c->n, s, c->m * sizeof *b);
    add_condensed(c, s, b);
    for (uint32_t i = 0; i <= c->intervals; i++) {
        dd_chain_forward(&c->step[i < c->intervals ? c->intervals - 1 - i : c->intervals].a, b, c->local);
    }
    for (uint32_t i = c->intervals + 1; i-- > 0;) {
        dd_chain_backward(&c->step[i < c->intervals ? c->intervals - 1 - i : c->intervals].a, b, c->local);
    }
    for (uint32_t j = 0; j < c->n; j++) {
        r[j] = c->class_of[j] == CHAIN_ABSENT ? 0 : b[j];
    }
    find_condensed(c, r, s, b);
}

static uint32_t dependent(const dd_kkt_system *system, uint32_t *rows, uint32_t most)
{
    const chain_system *c = (const chain_system *)system;
    uint32_t count = 0;
    for (uint32_t k = 0; k <= c->intervals; k++) {
        const chain_dense *a = &c->step[k].a;
        for (uint32_t p = 0; p < a->pivots; p++) {
            if (a->block[p] == CHAIN_ZERO && a->ids[p] >= c->n) {
                if (count < most) {
                    rows[count] = a->ids[p] - c->n;
                }
                count++;
            }
        }
    }
    return count;
}

dd_chain_info dd_chain_get_info(const dd_kkt_system *system)
{
    const chain_system *c = (const chain_system *)system;
    dd_chain_info info = c->info;
    info.delayed = c->counts.delayed;
    return info;
}

void dd_chain_set_whole(dd_kkt_system *system, bool whole)
{
    ((chain_system *)system)->always_whole = whole;
}

const dd_kkt_kind dd_kkt_chain = {
    .name = "chain",
    .suits = dd_chain_suits,
    .make = make,
    .free = release,
    .factor = factor,
    .solve = solve,
    .dependent = dependent,
};
