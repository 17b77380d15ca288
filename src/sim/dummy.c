/* dummy.c - choosing dummies, and the problem with their rate rows replaced.
 *
 * The choice. L: gradients of the invariants with columns in units of their sizes, each row with its leading entries
 * only (unknowns that lower derivatives of the same constraint do not have): so velocities are not chosen to
 * determine positions. Gauss-Jordan elimination with complete pivoting picks a column per row; the rows then hold T
 * = L_D^-1 L, and exchanging the dummy of row i for column j multiplies the volume |det L_D| by |T_ij|. Exchanges go
 * on while they gain a factor 2; during the run the same T measures how far the choice has worn. */
#include "sim/dummy.h"

#include <math.h>
#include <string.h>

#include "base/context.h"

static const double SINGULAR = 1e-10, WORTH_IT = 2;

struct dd_dummy {
    dd_problem problem;
    dd_numbers *q;
    uint32_t n, nx, ninv;
    const uint32_t *rate_row; /* of the whole problem: per x the row x' - f = 0; DD_NO_INDEX without */
    uint32_t *rate_left;      /* without those of dummies */
    bool *leading;            /* per entry of the invariants' pattern */
    double *weight;           /* per x: size times wish */
    bool all;                 /* leading entries alone are singular: all are taken */
    uint32_t *dummy;          /* per invariant: its unknown */
    uint8_t *differential;
    uint32_t *row_of;    /* per invariant: the row it replaces */
    uint8_t *replaced;   /* per row */
    uint32_t *f_entry;   /* per entry of F's pattern: position in ours, DD_NO_INDEX */
    uint32_t *g_entry;   /* per entry of the invariants' pattern */
    double *m, *j, *g;   /* values on those patterns */
    double *c, *lane;    /* ninv; n */
    double *cp;          /* ninv * n_parameters */
    double *a;           /* ninv x nx, row by row */
    uint32_t *row, *col; /* triplets */
    double *zero;
    dd_csc made;
};

/* ---- elimination ---- */

/* L (or G) at the point into d->a, rows scaled to largest entry 1. only_rates: columns without an explicit rate are
 * 0. */
static void fill(dd_dummy *d, double t, const double *w, bool leading, bool only_rates)
{
    const dd_problem *p = &d->q->problem;
    p->invariant_jacobian(p->user, t, w, d->g);
    memset(d->a, 0, (size_t)d->ninv * d->nx * sizeof *d->a);
    /* gradients in units of the sizes, by the wishes of stateSelect */
    for (uint32_t j = 0; j < d->nx; j++) {
        for (uint32_t e = p->invariant_pattern.ptr[j]; e < p->invariant_pattern.ptr[j + 1]; e++) {
            if ((!leading || d->leading[e]) && (!only_rates || d->rate_row[j] != DD_NO_INDEX)) {
                d->a[(size_t)p->invariant_pattern.idx[e] * d->nx + j] = d->g[e] * d->weight[j];
            }
        }
    }
    /* constraints in different units are compared only after this */
    for (uint32_t i = 0; i < d->ninv; i++) {
        double *row = d->a + (size_t)i * d->nx, most = 0;
        for (uint32_t j = 0; j < d->nx; j++) {
            most = fmax(most, fabs(row[j]));
        }
        for (uint32_t j = 0; j < d->nx && most > 0; j++) {
            row[j] /= most;
        }
    }
}

/* Column `col` becomes the unit vector of `row`. */
static void pivot_on(dd_dummy *d, uint32_t row, uint32_t col)
{
    double *pivot = d->a + (size_t)row * d->nx;
    /* the pivot row with 1 at col, then col is eliminated from all other rows */
    const double scale = 1 / pivot[col];
    for (uint32_t j = 0; j < d->nx; j++) {
        pivot[j] *= scale;
    }
    pivot[col] = 1;
    for (uint32_t i = 0; i < d->ninv; i++) {
        double *other = d->a + (size_t)i * d->nx, factor = other[col];
        if (i == row || factor == 0) {
            continue;
        }
        for (uint32_t j = 0; j < d->nx; j++) {
            other[j] -= factor * pivot[j];
        }
        other[col] = 0;
    }
}

/* The largest entry of the rows that are free (all: of all rows) with its place. Entries of dummies are not larger than
 * 1 in their row, and 0 elsewhere. */
static double largest(const dd_dummy *d, const uint8_t *done, uint32_t *row, uint32_t *col)
{
    double most = 0;
    for (uint32_t i = 0; i < d->ninv; i++) {
        for (uint32_t j = 0; j < d->nx && !(done && done[i]); j++) {
            double size = fabs(d->a[(size_t)i * d->nx + j]);
            if (!(size <= most)) { /* also when it is no number */
                most = size;
                *row = i;
                *col = j;
            }
        }
    }
    return most;
}

/* Gauss-Jordan with complete pivoting, then exchanges. False: rank below ninv. */
static bool eliminate(dd_dummy *d)
{
    uint8_t *done = d->replaced; /* not in use yet; n >= ninv */
    uint32_t row = 0, col = 0;
    memset(done, 0, d->n);
    /* complete pivoting: the best conditioned column for the rows that are left */
    for (uint32_t step = 0; step < d->ninv; step++) {
        double most = largest(d, done, &row, &col);
        if (!(most > SINGULAR) || !isfinite(most)) {
            return false;
        }
        pivot_on(d, row, col);
        done[row] = 1;
        d->dummy[row] = col;
    }
    /* |T_ij| > 2: exchanging the dummy of row i for column j doubles the volume */
    for (uint32_t round = 0; round < 10 * d->ninv && largest(d, NULL, &row, &col) > WORTH_IT; round++) {
        pivot_on(d, row, col);
        d->dummy[row] = col;
    }
    return true;
}

/* Eliminates the dummies' columns, rows by partial pivoting. False: singular. */
static bool eliminate_dummies(dd_dummy *d)
{
    uint8_t *done = (uint8_t *)d->lane; /* n doubles are enough bytes */
    memset(done, 0, d->ninv);
    /* the columns are given; partial pivoting over rows */
    for (uint32_t k = 0; k < d->ninv; k++) {
        uint32_t best = DD_NO_INDEX;
        double most = SINGULAR;
        for (uint32_t i = 0; i < d->ninv; i++) {
            double size = fabs(d->a[(size_t)i * d->nx + d->dummy[k]]);
            if (!done[i] && size > most) {
                most = size;
                best = i;
            }
        }
        if (best == DD_NO_INDEX) {
            return false;
        }
        pivot_on(d, best, d->dummy[k]);
        done[best] = 1;
    }
    return true;
}

/* ---- the problem ---- */

static void residual(void *user, double t, const double *w, const double *wdot, double *f)
{
    dd_dummy *d = user;
    const dd_problem *p = &d->q->problem;
    /* rows of the dummies' rates give way to the invariants */
    p->residual(p->user, t, w, wdot, f);
    p->invariants(p->user, t, w, d->c);
    for (uint32_t k = 0; k < d->ninv; k++) {
        f[d->row_of[k]] = d->c[k];
    }
}

static void residuals(void *user, uint32_t lanes, size_t ld, const double *t, const double *w, const double *wdot,
                      double *f)
{
    dd_dummy *d = user;
    const dd_problem *p = &d->q->problem;
    p->residuals(p->user, lanes, ld, t, w, wdot, f);
    /* invariants have no batch: lane by lane */
    for (uint32_t lane = 0; lane < lanes; lane++) {
        for (uint32_t j = 0; j < d->n; j++) {
            d->lane[j] = w[j * ld + lane];
        }
        p->invariants(p->user, t[lane], d->lane, d->c);
        for (uint32_t k = 0; k < d->ninv; k++) {
            f[d->row_of[k] * ld + lane] = d->c[k];
        }
    }
}

static void jacobian(void *user, double t, const double *w, const double *wdot, double *m, double *j)
{
    dd_dummy *d = user;
    const dd_problem *p = &d->q->problem;
    const uint32_t nnz = d->made.ptr[d->n], f_nnz = p->pattern.ptr[d->n], g_nnz = p->invariant_pattern.ptr[d->n];
    memset(m, 0, nnz * sizeof *m);
    memset(j, 0, nnz * sizeof *j);
    /* entries of replaced rows are skipped, gradients of the invariants take their places */
    p->jacobian(p->user, t, w, wdot, d->m, d->j);
    for (uint32_t e = 0; e < f_nnz; e++) {
        if (d->f_entry[e] != DD_NO_INDEX) {
            m[d->f_entry[e]] = d->m[e];
            j[d->f_entry[e]] = d->j[e];
        }
    }
    p->invariant_jacobian(p->user, t, w, d->g);
    for (uint32_t e = 0; e < g_nnz; e++) {
        j[d->g_entry[e]] = d->g[e];
    }
}

static void parameter_derivatives(void *user, double t, const double *w, const double *wdot, double *out)
{
    dd_dummy *d = user;
    const dd_problem *p = &d->q->problem;
    p->parameter_derivatives(p->user, t, w, wdot, out);
    p->invariant_derivatives(p->user, t, w, d->cp);
    for (uint32_t i = 0; i < p->n_parameters; i++) {
        for (uint32_t k = 0; k < d->ninv; k++) {
            out[(size_t)i * d->n + d->row_of[k]] = d->cp[(size_t)i * d->ninv + k];
        }
    }
}

/* Rows of the dummies replaced; the pattern of all that. */
static dd_status make(dd_dummy *d)
{
    const dd_problem *p = &d->q->problem;
    uint32_t count = 0, *entry = d->row + (p->pattern.ptr[d->n] + p->invariant_pattern.ptr[d->n] + 1);
    memset(d->replaced, 0, d->n);
    /* a dummy is algebraic: its rate row is replaced, its derivative is not integrated */
    memcpy(d->differential, p->differential, d->n);
    memcpy(d->rate_left, d->rate_row, d->n * sizeof *d->rate_left);
    for (uint32_t k = 0; k < d->ninv; k++) {
        d->row_of[k] = d->rate_row[d->dummy[k]];
        d->replaced[d->row_of[k]] = 1;
        d->differential[d->dummy[k]] = 0;
        d->rate_left[d->dummy[k]] = DD_NO_INDEX;
    }
    /* triplets of the new pattern, with the number of each entry noted */
    for (uint32_t j = 0; j < d->n; j++) {
        for (uint32_t e = p->pattern.ptr[j]; e < p->pattern.ptr[j + 1]; e++) {
            d->f_entry[e] = d->replaced[p->pattern.idx[e]] ? DD_NO_INDEX : count;
            if (d->f_entry[e] != DD_NO_INDEX) {
                d->row[count] = p->pattern.idx[e];
                d->col[count++] = j;
            }
        }
        for (uint32_t e = p->invariant_pattern.ptr[j]; e < p->invariant_pattern.ptr[j + 1]; e++) {
            d->g_entry[e] = count;
            d->row[count] = d->row_of[p->invariant_pattern.idx[e]];
            d->col[count++] = j;
        }
    }
    dd_csc_free(d->q->ctx, &d->made);
    dd_status st =
        dd_csc_from_triplets(&d->made, d->q->ctx, d->n, d->n, &(dd_triplets){count, d->row, d->col, d->zero}, entry);
    /* from numbers of triplets to places in the pattern */
    for (uint32_t e = 0; st == DD_OK && e < p->pattern.ptr[d->n]; e++) {
        d->f_entry[e] = d->f_entry[e] == DD_NO_INDEX ? DD_NO_INDEX : entry[d->f_entry[e]];
    }
    for (uint32_t e = 0; st == DD_OK && e < p->invariant_pattern.ptr[d->n]; e++) {
        d->g_entry[e] = entry[d->g_entry[e]];
    }
    d->problem.pattern = d->made;
    return st;
}

/* ---- choosing ---- */

/* The choice by leading entries is valid when all gradients in the dummies are regular. */
static bool choose_from(dd_dummy *d, double t, const double *w, bool leading)
{
    fill(d, t, w, leading, true);
    if (!eliminate(d)) {
        return false;
    }
    if (leading) {
        fill(d, t, w, false, true);
        return eliminate_dummies(d);
    }
    return true;
}

dd_dummy_verdict dd_dummy_choose(dd_dummy *d, double t, const double *w, uint32_t *blamed)
{
    *blamed = DD_NO_INDEX;
    /* leading entries first, so that positions follow from positions and velocities from velocities */
    d->all = !choose_from(d, t, w, true);
    if (!d->all || choose_from(d, t, w, false)) {
        return make(d) == DD_OK ? DD_DUMMY_OK : DD_DUMMY_OUT_OF_MEMORY;
    }
    /* which of the two is it: constraints that depend on each other, or a dummy without an explicit rate? */
    fill(d, t, w, false, false);
    if (!eliminate(d)) {
        return DD_DUMMY_DEPENDENT;
    }
    for (uint32_t k = 0; k < d->ninv; k++) {
        *blamed = d->rate_row[d->dummy[k]] == DD_NO_INDEX ? d->dummy[k] : *blamed;
    }
    return DD_DUMMY_NO_RATE;
}

double dd_dummy_gain(dd_dummy *d, double t, const double *w)
{
    uint32_t row, col;
    fill(d, t, w, !d->all, true);
    return eliminate_dummies(d) ? largest(d, NULL, &row, &col) : INFINITY;
}

const dd_problem *dd_dummy_problem(const dd_dummy *d)
{
    return &d->problem;
}

bool dd_dummy_is(const dd_dummy *d, uint32_t unknown)
{
    return d->q->problem.differential[unknown] && !d->differential[unknown];
}

/* ---- creation ---- */

/* An entry is leading unless a lower derivative of the same constraint has one in its column. */
static void find_leading(dd_dummy *d)
{
    const dd_equations *eq = d->q->equations;
    const dd_csc *p = &d->q->problem.invariant_pattern;
    /* a lower derivative of the same constraint that has the column too makes the entry follow from that one */
    for (uint32_t j = 0; j < d->nx; j++) {
        for (uint32_t e = p->ptr[j]; e < p->ptr[j + 1]; e++) {
            const uint32_t k = p->idx[e];
            d->leading[e] = true;
            for (uint32_t o = p->ptr[j]; o < p->ptr[j + 1]; o++) {
                const uint32_t other = p->idx[o];
                if (eq->invariant_eq.data[other] == eq->invariant_eq.data[k] &&
                    eq->invariant_level.data[other] < eq->invariant_level.data[k]) {
                    d->leading[e] = false;
                }
            }
        }
    }
}

/* Sizes, and what stateSelect asks for: a state that is wanted makes a bad dummy. */
static void find_weights(dd_dummy *d)
{
    const dd_system *s = d->q->system;
    /* factors of ten and a thousand: wishes, then strong wishes, against the sizes of gradients */
    for (uint32_t j = 0; j < d->nx; j++) {
        double wish = 1;
        switch (s->model->vars.data[dd_symbol_id(s->model->dag, d->q->w.data[j])].select) {
        case DD_SELECT_NEVER:
            wish = 1e3;
            break;
        case DD_SELECT_AVOID:
            wish = 10;
            break;
        case DD_SELECT_PREFER:
            wish = 0.1;
            break;
        case DD_SELECT_ALWAYS:
            wish = 1e-3;
            break;
        default:
            break;
        }
        d->weight[j] = wish * d->q->problem.nominal[j];
    }
}

static void allocate(dd_dummy *d, dd_pool *pool)
{
    const dd_problem *p = &d->q->problem;
    const size_t n = d->n, f = p->pattern.ptr[n], g = p->invariant_pattern.ptr[n], both = f + g + 1;
    d->rate_row = p->rate_row;
    d->rate_left = dd_pool_alloc_array(pool, n + 1, sizeof *d->rate_left);
    memcpy(d->rate_left, p->rate_row, n * sizeof *d->rate_left);
    d->leading = dd_pool_alloc_array(pool, g + 1, sizeof *d->leading);
    d->weight = dd_pool_alloc_array(pool, n + 1, sizeof *d->weight);
    d->dummy = dd_pool_alloc_array(pool, d->ninv + 1, sizeof *d->dummy);
    d->row_of = dd_pool_alloc_array(pool, d->ninv + 1, sizeof *d->row_of);
    d->differential = dd_pool_alloc_array(pool, n + 1, 1);
    d->replaced = dd_pool_alloc_array(pool, n + 1, 1);
    d->f_entry = dd_pool_alloc_array(pool, f + 1, sizeof *d->f_entry);
    d->g_entry = dd_pool_alloc_array(pool, g + 1, sizeof *d->g_entry);
    d->m = dd_pool_alloc_array(pool, f + 1, sizeof(double));
    d->j = dd_pool_alloc_array(pool, f + 1, sizeof(double));
    d->g = dd_pool_alloc_array(pool, g + 1, sizeof(double));
    d->c = dd_pool_alloc_array(pool, d->ninv + 1, sizeof(double));
    d->lane = dd_pool_alloc_array(pool, n + 1, sizeof(double));
    d->cp = dd_pool_alloc_array(pool, (size_t)d->ninv * p->n_parameters + 1, sizeof(double));
    d->a = dd_pool_alloc_array(pool, (size_t)d->ninv * d->nx + 1, sizeof(double));
    d->row = dd_pool_alloc_array(pool, 2 * both, sizeof *d->row);
    d->col = dd_pool_alloc_array(pool, both, sizeof *d->col);
    d->zero = dd_pool_alloc_array(pool, both, sizeof(double));
}

dd_dummy *dd_dummy_new(dd_numbers *q, dd_pool *pool)
{
    enum { MOST_ENTRIES = 4000000 };
    if (q->problem.n_invariants == 0) {
        return NULL;
    }
    dd_dummy *d = dd_pool_alloc(pool, sizeof *d);
    *d = (dd_dummy){.q = q, .n = q->n, .nx = q->equations->x.len, .ninv = q->problem.n_invariants};
    /* elimination is dense */
    if ((double)d->nx * d->ninv > MOST_ENTRIES) {
        dd_raise(q->ctx, DD_LIMIT, "dummy derivatives are for models with fewer constraints than %u; use projection",
                 d->ninv);
    }
    allocate(d, pool);
    find_leading(d);
    find_weights(d);
    /* the same problem with other rows; projections and first integrals have nothing left to do */
    d->problem = q->problem;
    d->problem.user = d;
    d->problem.differential = d->differential;
    d->problem.rate_row = d->rate_left;
    d->problem.residual = residual;
    d->problem.residuals = residuals;
    d->problem.jacobian = jacobian;
    d->problem.parameter_derivatives = parameter_derivatives;
    d->problem.j_constant = false;
    d->problem.n_assigned = 0; /* they are evaluated for another user */
    d->problem.n_invariants = d->problem.n_kept = d->problem.n_linear = 0;
    return d;
}

void dd_dummy_free(dd_dummy *d)
{
    if (d) {
        dd_csc_free(d->q->ctx, &d->made);
        d->problem.pattern = (dd_csc){0};
    }
}
