/* permuted.c - index maps between the two orders. */
#include "nlp/permuted.h"

#include <math.h>
#include <string.h>

#include "base/random.h"

struct dd_permuted {
    dd_context *ctx;
    const dd_nlp *inner;
    dd_nlp nlp;
    size_t n_indices, n_numbers;
    uint32_t *indices;           /* memory of all index arrays, */
    double *numbers;             /* and of all numbers */
    uint32_t *col, *row;         /* place of each variable and row of the inner program */
    uint32_t *jr, *jc, *hr, *hc; /* patterns */
    dd_nlp_shape shape;
    uint32_t *variable_place, *row_place, *determines;
    double *xl, *xu, *cl, *cu, *size;
    double *x, *g, *c, *lambda; /* in the order of the inner program */
    double *r;                  /* x, z_lower, z_upper, failed_at, lambda of a result */
    dd_nlp_options options;
};

/* ---- making ---- */

/* A random order within each block of neighbours. */
static void shuffle(uint32_t *place, uint32_t n, uint32_t blocks, uint64_t *random)
{
    uint32_t width = blocks > 0 ? n / blocks + 1 : n;
    for (uint32_t i = 0; i < n; i++) {
        place[i] = i;
    }
    for (uint32_t begin = 0; begin < n; begin += width) {
        /* Fisher-Yates within the block */
        uint32_t count = n - begin < width ? n - begin : width;
        for (uint32_t i = count; i > 1; i--) {
            uint32_t j = (uint32_t)fmin(fabs(dd_random(random)) * i, i - 1), other = place[begin + j];
            place[begin + j] = place[begin + i - 1];
            place[begin + i - 1] = other;
        }
    }
}

static void put(double *out, const double *in, const uint32_t *place, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        out[place[i]] = in[i];
    }
}

static void take(double *out, const double *in, const uint32_t *place, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        out[i] = in[place[i]];
    }
}

/* ---- functions ---- */

static bool objective(void *user, const double *x, bool new_x, double *f)
{
    dd_permuted *p = user;
    take(p->x, x, p->col, p->inner->n);
    return p->inner->objective(p->inner->user, p->x, new_x, f);
}

static bool gradient(void *user, const double *x, bool new_x, double *g)
{
    dd_permuted *p = user;
    take(p->x, x, p->col, p->inner->n);
    bool ok = p->inner->gradient(p->inner->user, p->x, new_x, p->g);
    put(g, p->g, p->col, p->inner->n);
    return ok;
}

static bool constraints(void *user, const double *x, bool new_x, double *c)
{
    dd_permuted *p = user;
    take(p->x, x, p->col, p->inner->n);
    bool ok = p->inner->constraints(p->inner->user, p->x, new_x, p->c);
    put(c, p->c, p->row, p->inner->m);
    return ok;
}

static bool jacobian(void *user, const double *x, bool new_x, double *values)
{
    dd_permuted *p = user;
    take(p->x, x, p->col, p->inner->n);
    return p->inner->jacobian(p->inner->user, p->x, new_x, values);
}

static bool hessian(void *user, const double *x, bool new_x, double sigma, const double *lambda, double *values)
{
    dd_permuted *p = user;
    take(p->x, x, p->col, p->inner->n);
    take(p->lambda, lambda, p->row, p->inner->m);
    return p->inner->hessian(p->inner->user, p->x, new_x, sigma, p->lambda, values);
}

/* ---- memory ---- */

void dd_permuted_free(dd_permuted *p)
{
    if (p != NULL) {
        dd_mem_free(p->ctx, p->indices, p->n_indices * sizeof *p->indices);
        dd_mem_free(p->ctx, p->numbers, p->n_numbers * sizeof *p->numbers);
        dd_mem_free(p->ctx, p, sizeof *p);
    }
}

static bool take_memory(dd_permuted *p)
{
    size_t n = p->inner->n, m = p->inner->m, j = p->inner->jacobian_nnz, h = p->inner->hessian_nnz;
    p->n_indices = 2 * n + 3 * m + 2 * (j + h) + 1;
    p->n_numbers = 9 * n + 5 * m + 1;
    p->indices = dd_mem_new_array(p->ctx, p->n_indices, sizeof *p->indices);
    p->numbers = dd_mem_new_array(p->ctx, p->n_numbers, sizeof *p->numbers);
    if (p->indices == NULL || p->numbers == NULL) {
        return false;
    }
    p->col = p->indices, p->row = p->col + n;
    p->jr = p->row + m, p->jc = p->jr + j, p->hr = p->jc + j, p->hc = p->hr + h;
    p->variable_place = p->hc + h, p->row_place = p->variable_place + n, p->determines = p->row_place + m;
    p->xl = p->numbers, p->xu = p->xl + n, p->size = p->xu + n, p->x = p->size + n, p->g = p->x + n;
    p->cl = p->g + n, p->cu = p->cl + m, p->c = p->cu + m, p->lambda = p->c + m, p->r = p->lambda + m;
    return true;
}

static void set_patterns(dd_permuted *p)
{
    const dd_nlp *in = p->inner;
    for (uint32_t k = 0; k < in->jacobian_nnz; k++) {
        p->jr[k] = p->row[in->jacobian_row[k]];
        p->jc[k] = p->col[in->jacobian_col[k]];
    }
    for (uint32_t k = 0; k < in->hessian_nnz; k++) {
        /* the Hessian is given by its lower triangle: the place may have to be mirrored */
        uint32_t a = p->col[in->hessian_row[k]], b = p->col[in->hessian_col[k]];
        p->hr[k] = a > b ? a : b;
        p->hc[k] = a > b ? b : a;
    }
}

static void set_shape(dd_permuted *p)
{
    const dd_nlp_shape *in = p->inner->shape;
    for (uint32_t j = 0; j < p->inner->n; j++) {
        p->variable_place[p->col[j]] = in->variable_place[j];
    }
    for (uint32_t i = 0; i < p->inner->m; i++) {
        bool none = in->determines[i] == DD_DETERMINES_NONE;
        p->row_place[p->row[i]] = in->row_place[i];
        p->determines[p->row[i]] = none ? DD_DETERMINES_NONE : p->col[in->determines[i]];
    }
    p->shape = (dd_nlp_shape){in->intervals, p->variable_place, p->row_place, p->determines};
    p->nlp.shape = &p->shape;
}

dd_status dd_permuted_new(dd_permuted **out, dd_context *ctx, const dd_nlp *nlp, uint32_t seed, uint32_t blocks)
{
    dd_permuted *p = *out = dd_mem_new_array(ctx, 1, sizeof *p);
    if (p != NULL) {
        *p = (dd_permuted){.ctx = ctx, .inner = nlp, .nlp = *nlp};
    }
    if (p == NULL || !take_memory(p)) {
        dd_permuted_free(p);
        *out = NULL;
        return dd_fail(ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    /* the same seed, the same order */
    uint64_t random = seed;
    shuffle(p->col, nlp->n, blocks, &random);
    shuffle(p->row, nlp->m, blocks, &random);
    set_patterns(p);
    if (nlp->shape != NULL) {
        set_shape(p);
    }
    /* bounds and sizes go to the new places */
    put(p->xl, nlp->x_lower, p->col, nlp->n);
    put(p->xu, nlp->x_upper, p->col, nlp->n);
    put(p->cl, nlp->c_lower, p->row, nlp->m);
    put(p->cu, nlp->c_upper, p->row, nlp->m);
    dd_nlp *q = &p->nlp;
    if (nlp->x_size != NULL) {
        put(p->size, nlp->x_size, p->col, nlp->n);
        q->x_size = p->size;
    }
    /* a program like the inner one with other data and functions */
    q->user = p;
    q->x_lower = p->xl, q->x_upper = p->xu, q->c_lower = p->cl, q->c_upper = p->cu;
    q->jacobian_row = p->jr, q->jacobian_col = p->jc, q->hessian_row = p->hr, q->hessian_col = p->hc;
    q->objective = objective;
    q->gradient = gradient;
    q->constraints = constraints;
    q->jacobian = jacobian;
    q->hessian = nlp->hessian != NULL ? hessian : NULL;
    return DD_OK;
}

const dd_nlp *dd_permuted_nlp(const dd_permuted *p)
{
    return &p->nlp;
}

/* ---- solving ---- */

static bool progress(void *user, const dd_nlp_iteration *it)
{
    dd_permuted *p = user;
    dd_nlp_iteration own = *it;
    /* the caller sees the iterate in its own order */
    if (it->x != NULL) {
        take(p->x, it->x, p->col, p->inner->n);
        own.x = p->x;
    }
    return p->options.progress(p->options.user, &own);
}

static bool stop(void *user)
{
    dd_permuted *p = user;
    return p->options.stop(p->options.user);
}

dd_status dd_permuted_solve(dd_permuted *p, const dd_nlp_options *options, dd_nlp_result *result)
{
    uint32_t n = p->inner->n, m = p->inner->m;
    dd_nlp_result own = *result;
    dd_nlp_options passed = *options;
    p->options = *options;
    /* x, z_lower, z_upper, failed_at and lambda in the solver's order */
    own.x = p->r, own.z_lower = p->r + n, own.z_upper = p->r + 2 * (size_t)n;
    own.failed_at = result->failed_at != NULL ? p->r + 3 * (size_t)n : NULL;
    own.lambda = p->r + 4 * (size_t)n;
    /* where to begin, multipliers included for a warm start */
    put(own.x, result->x, p->col, n);
    put(own.z_lower, result->z_lower, p->col, n);
    put(own.z_upper, result->z_upper, p->col, n);
    put(own.lambda, result->lambda, p->row, m);
    passed.user = p;
    passed.progress = options->progress != NULL ? progress : NULL;
    passed.stop = options->stop != NULL ? stop : NULL;
    dd_status status = dd_nlp_solve(p->ctx, &p->nlp, &passed, &own);
    /* back to the caller's order; the figures are the same in any order */
    if (status == DD_OK) {
        take(result->x, own.x, p->col, n);
        take(result->z_lower, own.z_lower, p->col, n);
        take(result->z_upper, own.z_upper, p->col, n);
        take(result->lambda, own.lambda, p->row, m);
        if (own.failed_at != NULL) {
            take(result->failed_at, own.failed_at, p->col, n);
        }
        own.x = result->x, own.z_lower = result->z_lower, own.z_upper = result->z_upper;
        own.lambda = result->lambda, own.failed_at = result->failed_at;
        *result = own;
    }
    return status;
}
