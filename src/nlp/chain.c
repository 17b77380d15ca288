/* chain.c - the kind of linear system for programs with a shape: making, factoring, solving (chain.h). */
#include <math.h>
#include <string.h>

#include "nlp/chain_sparse.h"

static const double weight_most = 1e20; /* 1 / q times the square of the row: beyond, the row holds like an equality */

static const double team_least = 4e6;  /* operations of all leaves: a tenth of a millisecond and more, */
static const double solve_least = 1e6; /* and of a solve, which waits for memory */
enum {
    WHOLE_MOST = 500, /* unknowns of a front: with more, a general factorisation of the whole system is faster, */
    DELAYED_MOST = 2  /* as with more pivots that are put off from front to front than this many times a front's own */
};

static void release(dd_kkt_system *system)
{
    chain_system *c = (chain_system *)system;
    if (c) {
        if (c->general) {
            c->general->kind->free(c->general);
        }
        dd_chain_release(&c->plan);
        dd_chain_release(&c->store);
        dd_mem_free(system->ctx, c, sizeof *c);
    }
}

/* Memory of all factors when nothing is delayed, and of the largest front. */
static void reserve(chain_system *c)
{
    uint32_t largest = 0;
    size_t bytes = 0, largest_bytes = 0;
    for (uint32_t k = 0; k <= c->intervals; k++) {
        const chain_front *f = &c->front[k];
        const uint32_t whole = 2 * (f->nx + f->nd) + f->nv + f->ns, outer = f->nv + f->ns;
        const size_t whole_bytes =
            ((size_t)whole * (chain_ld(whole) + 8) + 8) * sizeof(double) + 5 * (size_t)CHAIN_ALIGN;
        const size_t lean_bytes =
            ((size_t)outer * (chain_ld(outer) + 8) + f->nx * (2 * (size_t)chain_ld(outer) + chain_ld(f->nx) + 1)) *
                sizeof(double) +
            4 * (size_t)CHAIN_ALIGN;
        largest = whole > largest ? whole : largest;
        bytes += f->lean ? lean_bytes : whole_bytes;
        largest_bytes = whole > WHOLE_MOST ? largest_bytes : whole_bytes > largest_bytes ? whole_bytes : largest_bytes;
    }
    c->work_size = largest;
    c->work = dd_chain_take(&c->plan, 4 * ((size_t)largest + 4), sizeof *c->work);
    c->local = c->work ? c->work + 3 * ((size_t)largest + 4) : NULL;
    chain_lean_step *lean = dd_chain_take_zero(&c->plan, c->intervals, sizeof *lean);
    for (uint32_t k = 0; lean && c->step && k < c->intervals; k++) {
        c->step[k].lean = lean + k;
    }
    /* one interval that must be factored as a whole is foreseen */
    dd_chain_reserve(&c->store, bytes + largest_bytes);
}

/* Threads, where the leaves take longer than to wake them. */
static void hire(chain_system *c)
{
    chain_lanes *lanes = c->lanes;
    double factor = 0, solve = 0;
    for (uint32_t b = 0; b < lanes->batches; b++) {
        const chain_shape *s = lanes->batch[b].shape;
        factor += CHAIN_LANES * (double)s->nd * s->nd * (0.7 * s->nd + 2.0 * s->ne);
        solve += CHAIN_LANES * (double)s->nd * (s->nd + 2.0 * s->ne);
    }
    lanes->factor_team = lanes->batches > 1 && factor > team_least ? c->pattern.team : NULL;
    lanes->solve_team = lanes->batches > 1 && solve > solve_least ? c->pattern.team : NULL;
    dd_chain_share_new(&lanes->share, c);
    dd_chain_make_scratch(c);
}

/* Does any front have rows that it does not eliminate? */
static bool find_rows_that_stay(const chain_system *c)
{
    bool stay = false;
    for (uint32_t k = 0; k < c->intervals; k++) {
        const chain_front *f = &c->front[k];
        for (uint32_t i = f->nv; i < f->nv + f->ns; i++) {
            stay |= f->e[i] >= c->n;
        }
    }
    return stay;
}

/* Memory of factorisations and solves, which allocate nothing. */
static void take_memory(chain_system *c)
{
    const size_t unknowns = (size_t)c->n + c->m;
    c->step = dd_chain_take_zero(&c->plan, (size_t)c->intervals + 1, sizeof *c->step);
    c->rhs = dd_chain_take_zero(&c->plan, unknowns, sizeof *c->rhs);
    c->paired = dd_chain_take_zero(&c->plan, c->m, sizeof *c->paired);
    for (uint32_t i = 0; c->paired && i < c->m; i++) {
        const uint8_t class = c->class_of[c->n + i];
        c->paired[i] = class == CHAIN_R || class == CHAIN_L;
    }
    c->rows_stay = find_rows_that_stay(c);
    c->lanes->serial = 1;
    c->weight = dd_chain_take_zero(&c->plan, c->condensed, sizeof *c->weight);
    c->row_value = dd_chain_take_zero(&c->plan, c->condensed > 0 ? c->pattern.jacobian_nnz : 0, sizeof *c->row_value);
    reserve(c);
    hire(c);
}

/* What a chain is made for. */
typedef enum chain_purpose { CHAIN_TO_FACTOR, CHAIN_TO_FACTOR_SPARSE, CHAIN_TO_PLAN } chain_purpose;

static dd_status make_chain(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern, chain_purpose purpose)
{
    const bool all_sparse = purpose == CHAIN_TO_FACTOR_SPARSE;
    *out = NULL;
    chain_system *c = dd_mem_new_array(ctx, 1, sizeof *c);
    if (!c) {
        return DD_OUT_OF_MEMORY;
    }
    c->base = (dd_kkt_system){all_sparse ? &dd_kkt_chain_sparse : &dd_kkt_chain, ctx};
    c->all_sparse = all_sparse;
    c->pattern = *pattern;
    c->n = pattern->n;
    c->m = pattern->m;
    c->intervals = pattern->shape->intervals;
    c->plan.ctx = c->store.ctx = ctx;
    const size_t unknowns = (size_t)c->n + c->m;
    /* which unknowns and entries belong to which front, then the shapes of the intervals */
    dd_status status = dd_chain_plan(c);
    if (status == DD_OK) {
        c->at = dd_chain_take_zero(&c->plan, unknowns, sizeof *c->at);
        status = c->at ? dd_chain_plan_leaves(c) : DD_OUT_OF_MEMORY;
    }
    if (status == DD_OK && purpose != CHAIN_TO_PLAN) {
        take_memory(c);
    }
    if (status == DD_OK) {
        status = c->plan.failed || c->store.failed ? DD_OUT_OF_MEMORY : DD_OK;
    }
    if (status != DD_OK) {
        release(&c->base);
        return status;
    }
    *out = &c->base;
    return DD_OK;
}

static dd_status make(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    return make_chain(out, ctx, pattern, CHAIN_TO_FACTOR);
}

static dd_status make_sparse(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    return make_chain(out, ctx, pattern, CHAIN_TO_FACTOR_SPARSE);
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

/* The batch that interval k is in, as soon as its leaves are done; NULL: it is in none. */
static chain_batch *batch_of(chain_system *c, uint32_t k)
{
    const chain_front *f = &c->front[k];
    if (k == c->intervals || !f->lean || c->always_whole || f->batch == UINT32_MAX) {
        return NULL;
    }
    dd_chain_share_need(&c->lanes->share, f->batch);
    return &c->lanes->batch[f->batch];
}

/* Has any row that determines a variable a q? */
static bool has_any_paired_q(const chain_system *c)
{
    double sum[4] = {0};
    uint32_t i = 0;
    for (; i + 4 <= c->m; i += 4) {
        for (uint32_t j = 0; j < 4; j++) {
            sum[j] += c->values->q[i + j] * c->paired[i + j];
        }
    }
    for (; i < c->m; i++) {
        sum[0] += c->values->q[i] * c->paired[i];
    }
    return sum[0] + sum[1] + (sum[2] + sum[3]) != 0;
}

/* Is the interval condensed, and was that accurate? */
static bool can_be_lean(chain_system *c, uint32_t k, dd_status *status)
{
    const chain_front *f = &c->front[k];
    if (k == c->intervals || !f->lean || c->always_whole) {
        return false;
    }
    chain_batch *b = batch_of(c, k);
    if (!b) {
        return true;
    }
    /* the last of a batch comes first */
    if (f->lane == b->lanes - 1) {
        *status = dd_chain_choose_pivots(c, f->batch);
        b->any_apart = false;
    }
    b->apart[f->lane] = !(b->growth[f->lane] <= CHAIN_GROWTH_MOST);
    b->any_apart |= b->apart[f->lane];
    return !b->apart[f->lane];
}

/* One step of the walk. */
static dd_status walk_to(chain_system *c, uint32_t k, const chain_step *before)
{
    const chain_front *f = &c->front[k];
    dd_status status = DD_OK;
    if (can_be_lean(c, k, &status)) {
        return status == DD_OK ? dd_chain_lean(c, k, before) : status;
    }
    const size_t own = 2 * ((size_t)f->nx + f->nd) + f->nv + f->ns;
    const size_t delayed = before ? before->a.candidates - before->a.pivots : 0;
    const bool large = own > WHOLE_MOST && f->lean && f->batch != UINT32_MAX;
    if ((large || delayed > DELAYED_MOST * own) && !c->always_whole) {
        c->use_general = true;
        return status;
    }
    return status == DD_OK ? dd_chain_whole(c, k, before) : status;
}

/* Condensing does not see q of rows that determine a variable. They have one in restorations, when all rows give way:
 * a general factorisation serves then. It is made when it is needed first. */
static dd_status factor_general(chain_system *c, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    dd_status status = DD_OK;
    if (!c->general) {
        status = dd_kkt_general.make(&c->general, c->base.ctx, &c->pattern);
    }
    if (status == DD_OK) {
        status = c->general->kind->factor(c->general, values, out);
    }
    c->use_general = status == DD_OK;
    return status;
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

/* Their y = (J x - s) / q. */
static void find_condensed(const chain_system *c, const double *r, double *s, const double *b)
{
    for (uint32_t t = 0; t < c->condensed; t++) {
        const uint32_t i = c->condensed_row[t];
        double sum = -b[c->n + i]; /* s: nothing else touched it */
        for (uint32_t e = c->row_ptr[i]; e < c->row_ptr[i + 1]; e++) {
            sum += c->row_value[e] * r[c->pattern.jacobian_col[c->row_entry[e]]];
        }
        s[i] = c->weight[t] * sum;
    }
}

/* Right-hand sides as one vector: in place where they are one. */
static void begin_solve(chain_system *c, double *r, double *s)
{
    const bool apart = s != r + c->n;
    c->b = apart ? c->rhs : r;
    if (apart) {
        memcpy(c->b, r, c->n * sizeof *r);
        memcpy(c->b + c->n, s, c->m * sizeof *s);
    }
    add_condensed(c, s, c->b);
}

/* Forward through interval k to the node before it. */
static void pass_interval(chain_system *c, uint32_t k)
{
    const chain_batch *leaf = batch_of(c, k);
    if (leaf && !leaf->apart[c->front[k].lane]) {
        dd_chain_add_outside(leaf, c->front[k].lane, c->b);
    }
    if (c->step[k].whole) {
        dd_chain_forward(&c->step[k].a, c->b, c->local);
    } else {
        dd_chain_lean_forward(c, k, c->b);
    }
}

/* Rows among unknowns from .. to - 1 of a front. */
static uint32_t count_rows(const chain_system *c, const chain_dense *a, uint32_t from, uint32_t to)
{
    uint32_t rows = 0;
    for (uint32_t i = from; i < to; i++) {
        rows += a->ids[i] >= c->n ? 1 : 0;
    }
    return rows;
}

/* After front k: are there more negative eigenvalues than rows that were eliminated (*rows so far)? Where no row that
 * remains meets what was eliminated, these rows are a block without positive eigenvalues of what remains, which thus has as
 * many that are negative or zero: by Sylvester's law the inertia cannot be right any more. */
static bool is_wrong(const chain_system *c, uint32_t k, uint32_t *rows)
{
    const chain_dense *a = &c->step[k].a;
    if (!c->values->only_right || c->rows_stay || c->had_zero || c->counts.zero > 0) {
        return false;
    }
    *rows += count_rows(c, a, 0, a->pivots) + (c->step[k].whole ? 0 : c->front[k].nx + c->front[k].nd);
    return c->counts.negative > *rows && count_rows(c, a, a->pivots, a->candidates) == 0;
}

/* The nodes from the last to the first, and the root. */
static dd_status walk(chain_system *c, bool *wrong)
{
    dd_status status = DD_OK;
    uint32_t rows = c->condensed;
    *wrong = false;
    const chain_step *before = NULL;
    for (uint32_t i = 0; i <= c->intervals && status == DD_OK && !c->use_general && !*wrong; i++) {
        const uint32_t k = i < c->intervals ? c->intervals - 1 - i : c->intervals;
        status = walk_to(c, k, before);
        before = &c->step[k];
        if (k < c->intervals) {
            *wrong = status == DD_OK && !c->use_general && is_wrong(c, k, &rows);
            dd_chain_foresee(c, k, CHAIN_FACTOR);
        }
        if (c->passing && k < c->intervals && status == DD_OK && !c->use_general) {
            pass_interval(c, k);
        }
        if (status == DD_OK) {
            status = dd_poll_stop(c->base.ctx);
        }
    }
    return status;
}

static dd_status factor(dd_kkt_system *system, const dd_kkt_values *values, dd_kkt_inertia *out)
{
    chain_system *c = (chain_system *)system;
    dd_chain_reset(&c->store);
    c->values = values;
    c->counts = (chain_counts){.negative = c->condensed};
    c->factored = false;
    c->lanes->serial += values->same_jacobian ? 0 : 1;
    c->use_general = c->begun = false;
    if (!c->always_whole && (values->careful || (!values->no_q && has_any_paired_q(c)))) {
        return factor_general(c, values, out);
    }
    /* the intervals in lanes; the nodes from the last to the first, and the root */
    keep_condensed(c);
    c->lanes->from = (chain_source){{[FROM_HESSIAN] = values->hessian,
                                     [FROM_JACOBIAN] = values->jacobian,
                                     [FROM_P] = values->p,
                                     [FROM_ROW] = c->row_value,
                                     [FROM_WEIGHT] = c->weight},
                                    values->same_jacobian};
    c->passing = values->r != NULL;
    if (c->passing) {
        begin_solve(c, values->r, values->s);
    }
    chain_share *share = &c->lanes->share;
    dd_chain_share_ahead(share, c->always_whole ? NULL : c->lanes->factor_team, dd_chain_factor_leaf);
    bool wrong;
    dd_status status = walk(c, &wrong);
    dd_chain_share_end(share, true);
    const bool passed = c->passing;
    c->passing = false;
    if (status != DD_OK || c->use_general) {
        return status == DD_OK ? factor_general(c, values, out) : status;
    }
    if (wrong) {
        *out = (dd_kkt_inertia){.wrong = true};
        return DD_OK;
    }
    c->factored = true;
    c->had_zero |= c->counts.zero > 0;
    c->begun = passed;
    *out = (dd_kkt_inertia){
        .negative = c->counts.negative, .zero = c->counts.zero, .broken = c->counts.broken, .begun = passed};
    return DD_OK;
}

static void solve(dd_kkt_system *system, double *r, double *s)
{
    chain_system *c = (chain_system *)system;
    if (c->use_general) {
        c->general->kind->solve(c->general, r, s);
        return;
    }
    const bool apart = s != r + c->n;
    const uint32_t last = c->intervals;
    chain_share *share = &c->lanes->share;
    dd_team *team = c->always_whole ? NULL : c->lanes->solve_team;
    /* forward: the nodes down to the root, each after its interval; unless the factorisation has done it */
    if (!c->begun) {
        begin_solve(c, r, s);
        dd_chain_share_ahead(share, team, dd_chain_forward_leaf);
        for (uint32_t k = last; k-- > 0;) {
            pass_interval(c, k);
            dd_chain_foresee(c, k, CHAIN_FORWARD);
        }
        dd_chain_share_end(share, true);
    }
    c->begun = false;
    double *b = c->b;
    /* the root, and back again in the opposite order */
    dd_chain_forward(&c->step[last].a, b, c->local);
    dd_chain_backward(&c->step[last].a, b, c->local);
    dd_chain_share_behind(share, team, dd_chain_backward_leaf);
    for (uint32_t k = 0; k < last; k++) {
        dd_chain_foresee(c, k, CHAIN_BACKWARD);
        if (c->step[k].whole) {
            dd_chain_backward(&c->step[k].a, b, c->local);
        } else {
            dd_chain_lean_backward(c, k, b);
        }
        if (!c->always_whole) {
            dd_chain_share_passed(share, k);
        }
    }
    dd_chain_share_end(share, c->always_whole);
    if (apart) {
        memcpy(r, b, c->n * sizeof *r);
        memcpy(s, b + c->n, c->m * sizeof *s);
    }
    for (uint32_t i = 0; i < c->absent; i++) {
        r[c->absent_id[i]] = 0;
    }
    find_condensed(c, r, s, b);
}

static uint32_t dependent(const dd_kkt_system *system, uint32_t *rows, uint32_t most)
{
    const chain_system *c = (const chain_system *)system;
    if (c->use_general) {
        return c->general->kind->dependent(c->general, rows, most);
    }
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
    info.intervals = c->intervals;
    info.batches = c->lanes->batches;
    info.delayed = c->counts.delayed;
    for (uint32_t b = 0; b < c->lanes->batches; b++) {
        info.sparse += c->lanes->batch[b].program != NULL;
        info.programs += c->lanes->batch[b].programs;
    }
    for (uint32_t k = 0; c->factored && k < c->intervals; k++) {
        info.whole += c->step[k].whole;
        info.lean += !c->step[k].whole;
    }
    return info;
}

static double cost_of(const chain_system *c)
{
    static const double dense = 0.08, sparse = 0.05, product = 0.04; /* of a multiplication */
    static const double element = 6;                                 /* of an entry of S, which is written and read */
    double cost = 0;
    for (uint32_t k = 0; k < c->intervals; k++) {
        const chain_front *f = &c->front[k];
        const double nx = f->nx, nd = f->nd, ne = f->nv + f->ns, whole = 2 * (nx + nd) + ne;
        if (!f->lean) {
            cost += dense * whole * whole * whole / 3;
            continue;
        }
        /* the recursion, then the leaf */
        cost += product * 1.5 * nx * nx * ne;
        const chain_shape *s = nd > 0 ? c->lanes->batch[f->batch].shape : NULL;
        if (s && s->program) {
            cost += sparse * s->program->operations + product * nd * ne * ne / 2 + element * nd * ne;
        } else {
            cost += dense * nd * (nd * nd / 3 + nd * ne + ne * ne);
        }
    }
    return cost;
}

dd_status dd_chain_cost(double *nanoseconds, dd_context *ctx, const dd_kkt_pattern *pattern)
{
    dd_kkt_system *plan = NULL;
    const dd_status status = make_chain(&plan, ctx, pattern, CHAIN_TO_PLAN);
    *nanoseconds = status == DD_OK ? cost_of((const chain_system *)plan) : 0;
    release(plan);
    return status;
}

void dd_chain_set_whole(dd_kkt_system *system, bool whole)
{
    ((chain_system *)system)->always_whole = whole;
}

void dd_chain_set_team(dd_kkt_system *system, dd_team *team)
{
    chain_lanes *lanes = ((chain_system *)system)->lanes;
    lanes->factor_team = lanes->solve_team = team;
}

const char *dd_chain_set_kernels(dd_kkt_system *system, uint32_t which)
{
    const chain_kernels *kernels = dd_chain_kernels(which);
    if (kernels) {
        ((chain_system *)system)->lanes->kernels = kernels;
    }
    return kernels ? kernels->name : NULL;
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

const dd_kkt_kind dd_kkt_chain_sparse = {
    .name = "chain of sparse leaves",
    .suits = dd_chain_suits,
    .make = make_sparse,
    .free = release,
    .factor = factor,
    .solve = solve,
    .dependent = dependent,
};
