/* sizes_rates.c - f, g and their slopes in one compiled function; z by Newton's method, and out of the slopes, with dense
 * factors of dg/dz. Where these are singular, or z are too many, z stays as it is guessed. */
#include "ocp/sizes_rates.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "eval/derivative.h"
#include "eval/tape.h"
#include "la/lapack.h"
#include "ocp/compiled.h"

enum {
    MOST_Z = 300,        /* algebraic variables: the work of dense factors grows with the cube */
    MOST_CORRECTIONS = 8 /* of z: most enter linearly and need one */
};
static const double settled = 1e-6;              /* a correction of z beside z: sizes need no more */
static const double clear_rcond = 1e-12;         /* of dg/dz */
static const double rounding = 16 * DBL_EPSILON; /* of a sum of some products, relative to their sizes */

typedef struct dd_size_rates_work {
    dd_ocp_problem *o;
    uint32_t nx, n, nz, rows;    /* rows: nx, or nx + nz where z follows */
    const dd_derivative *slopes; /* d(f, g)/d(x, u, z), by column */
    dd_tape *tape;               /* f, g, then the slopes */
    double *in, *values;         /* of it */
    double *magnitude;           /* of the values: what they would be if nothing cancelled in them */
    double *gz, *follow;         /* factors of dg/dz; -dz/d(x, u), nz times n by column */
    double *inverse;             /* absolute values of (dg/dz)^-1, by column */
    double *size, *noise;        /* nz: terms of g, and of z, in a column; rounding of follow in it */
    double *error;               /* nx: rounding of a column of rates */
    double *step, *lapack;       /* nz; 4 nz */
    int *pivot, *iwork;          /* nz */
} work;

/* ---- set up ---- */

static void add_symbols(const dd_decision_vec *list, dd_expr_vec *out, dd_pool *pool)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(pool, out, list->data[i].symbol);
    }
}

static void compile(work *w, dd_pool *pool)
{
    dd_ocp_problem *o = w->o;
    dd_expr_vec inputs = {0}, outputs = {0};
    for (uint32_t i = 0; i < w->rows; i++) {
        dd_vec_push(pool, &outputs, i < w->nx ? o->f.data[i] : o->g.data[i - w->nx]);
    }
    add_symbols(&o->x, &inputs, pool);
    add_symbols(&o->u, &inputs, pool);
    add_symbols(&o->z, &inputs, pool);
    const uint32_t wanted = w->rows > w->nx ? w->n + w->nz : w->n;
    w->slopes = dd_jacobian_new(pool, o->dag, outputs.data, outputs.len, inputs.data, wanted);
    /* parameters, time and data are given */
    add_symbols(&o->p, &inputs, pool);
    dd_vec_push(pool, &inputs, o->time);
    for (uint32_t i = 0; i < o->data.len; i++) {
        dd_vec_push(pool, &inputs, o->data.data[i].symbol);
    }
    for (uint32_t e = 0; e < w->slopes->ptr[wanted]; e++) {
        dd_vec_push(pool, &outputs, w->slopes->entries[e]);
    }
    const uint32_t n = inputs.len;
    const dd_expr_vec constants = dd_ocp_constants_of(o, inputs.data, n, outputs.data, outputs.len, pool);
    w->in = dd_pool_alloc_array(pool, n + constants.len + 1, sizeof *w->in);
    for (uint32_t i = 0; i < constants.len; i++) {
        dd_vec_push(pool, &inputs, constants.data[i]);
        w->in[n + i] = dd_ocp_constant(o, constants.data[i]);
    }
    w->values = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *w->values);
    w->magnitude = dd_pool_alloc_array(pool, outputs.len + 1, sizeof *w->magnitude);
    w->tape = dd_tape_new(pool, o->dag, inputs.data, inputs.len, outputs.data, outputs.len);
}

/* From a column over the rows that contain it, to all z in these rows of g, and on: what the column may move. */
static void reach(const work *w, uint32_t column, bool *row, uint32_t *todo)
{
    const dd_derivative *d = w->slopes;
    uint32_t n = 0;
    todo[n++] = column;
    while (n > 0) {
        const uint32_t j = todo[--n];
        for (uint32_t e = d->ptr[j]; e < d->ptr[j + 1]; e++) {
            const uint32_t i = d->idx[e];
            if (row[i]) {
                continue;
            }
            row[i] = true;
            /* a row of g that is new: its z follow */
            for (uint32_t k = w->n; k < d->ncols && i >= w->nx; k++) {
                for (uint32_t q = d->ptr[k]; q < d->ptr[k + 1]; q++) {
                    if (d->idx[q] == i) {
                        todo[n++] = k;
                    }
                }
            }
        }
    }
}

static void find_meetings(const work *w, bool *meets, dd_pool *pool)
{
    /* every row of g puts its z on the list once */
    uint32_t *todo = dd_pool_alloc_array(pool, w->slopes->ptr[w->slopes->ncols] + 2, sizeof *todo);
    bool *row = dd_pool_alloc_array(pool, w->rows + 1, sizeof *row);
    for (uint32_t j = 0; j < w->n; j++) {
        memset(row, 0, w->rows * sizeof *row);
        reach(w, j, row, todo);
        for (uint32_t i = 0; i < w->nx; i++) {
            meets[(size_t)i * w->n + j] = row[i];
        }
    }
}

dd_size_rates dd_size_rates_new(dd_ocp_problem *o, dd_pool *pool)
{
    work *w = dd_pool_alloc(pool, sizeof *w);
    *w = (work){.o = o, .nx = o->x.len, .n = o->x.len + o->u.len, .nz = o->z.len};
    w->rows = w->nx + (w->nz <= MOST_Z && o->g.len == w->nz ? w->nz : 0);
    compile(w, pool);
    const size_t nz = w->rows - w->nx;
    w->gz = dd_pool_alloc_array(pool, nz * nz + 1, sizeof *w->gz);
    w->follow = dd_pool_alloc_array(pool, nz * w->n + 1, sizeof *w->follow);
    w->inverse = dd_pool_alloc_array(pool, nz * nz + 1, sizeof *w->inverse);
    w->size = dd_pool_alloc_array(pool, nz + 1, sizeof *w->size);
    w->noise = dd_pool_alloc_array(pool, nz + 1, sizeof *w->noise);
    w->error = dd_pool_alloc_array(pool, w->nx + 1, sizeof *w->error);
    w->step = dd_pool_alloc_array(pool, nz + 1, sizeof *w->step);
    w->lapack = dd_pool_alloc_array(pool, 4 * nz + 1, sizeof *w->lapack);
    w->pivot = dd_pool_alloc_array(pool, nz + 1, sizeof *w->pivot);
    w->iwork = dd_pool_alloc_array(pool, nz + 1, sizeof *w->iwork);
    dd_size_rates out = {.nx = w->nx, .n = w->n, .work = w};
    out.meets = dd_pool_alloc_array(pool, (size_t)w->nx * w->n + 1, sizeof *out.meets);
    out.flow = dd_pool_alloc_array(pool, w->nx + 1, sizeof *out.flow);
    out.rate = dd_pool_alloc_array(pool, (size_t)w->nx * w->n + 1, sizeof *out.rate);
    out.z = dd_pool_alloc_array(pool, nz + 1, sizeof *out.z);
    out.row = dd_pool_alloc_array(pool, nz + 1, sizeof *out.row);
    out.z_rate = dd_pool_alloc_array(pool, nz * w->n + 1, sizeof *out.z_rate);
    find_meetings(w, out.meets, pool);
    return out;
}

/* ---- at a place ---- */

static void evaluate(work *w)
{
    dd_tape_eval_magnitude(w->tape, w->in, NULL, w->values, w->magnitude);
}

/* Factors dg/dz; false where it is singular, or not finite. */
static bool factor(work *w)
{
    const dd_derivative *d = w->slopes;
    const double *entry = w->values + w->rows;
    const int nz = (int)w->nz;
    double norm = 0, rcond = 0;
    int info = 0;
    memset(w->gz, 0, (size_t)w->nz * w->nz * sizeof *w->gz);
    for (uint32_t k = 0; k < w->nz; k++) {
        double sum = 0;
        for (uint32_t e = d->ptr[w->n + k]; e < d->ptr[w->n + k + 1]; e++) {
            if (d->idx[e] >= w->nx) {
                w->gz[d->idx[e] - w->nx + (size_t)k * w->nz] = entry[e];
                sum += fabs(entry[e]);
            }
        }
        if (!isfinite(sum)) {
            return false;
        }
        norm = fmax(norm, sum);
    }
    dgetrf_(&nz, &nz, w->gz, &nz, w->pivot, &info);
    if (info == 0) {
        dgecon_("1", &nz, w->gz, &nz, &norm, &rcond, w->lapack, w->iwork, &info, 1);
    }
    return info == 0 && rcond >= clear_rcond;
}

static void solve(work *w, double *b, uint32_t columns)
{
    const int nz = (int)w->nz, count = (int)columns;
    int info = 0;
    dgetrs_("N", &nz, &count, w->gz, &nz, w->pivot, b, &nz, &info, 1);
}

/* z from 0 = g. True: it was found, and dg/dz is factored there. */
static bool find_z(work *w)
{
    double *z = w->in + w->n;
    bool found = false;
    for (int i = 0; i < MOST_CORRECTIONS && !found; i++) {
        if (!factor(w)) {
            return false;
        }
        memcpy(w->step, w->values + w->nx, w->nz * sizeof *w->step);
        solve(w, w->step, 1);
        found = true;
        for (uint32_t k = 0; k < w->nz; k++) {
            z[k] -= w->step[k];
            found = found && fabs(w->step[k]) <= settled * fabs(z[k]);
        }
        evaluate(w);
    }
    return found && factor(w);
}

static double or_nothing(double value)
{
    return isfinite(value) ? fabs(value) : 0;
}

/* ---- rounding ----
 *
 * A slope that is zero but for rounding would say that something moves by 1e-17 of its size. The rounding of the solution of
 * A f = b is at most eps |A^-1| (|A| |f| + |b|) (Skeel 1979), whatever the units of rows and columns. Entries have rounding
 * themselves, of the size of what they are computed from: that stands for their absolute values here. */

static void find_inverse(work *w)
{
    const int nz = (int)w->nz;
    int info = 0;
    memset(w->inverse, 0, (size_t)w->nz * w->nz * sizeof *w->inverse);
    for (uint32_t k = 0; k < w->nz; k++) {
        w->inverse[k + (size_t)k * w->nz] = 1;
    }
    dgetrs_("N", &nz, &nz, w->gz, &nz, w->pivot, w->inverse, &nz, &info, 1);
    for (size_t i = 0; i < (size_t)w->nz * w->nz; i++) {
        w->inverse[i] = fabs(w->inverse[i]);
    }
}

/* Adds what the entries of column c in the rows of g are computed from, times `by`. */
static void add_sizes(const work *w, uint32_t c, double by)
{
    const dd_derivative *d = w->slopes;
    for (uint32_t e = d->ptr[c]; e < d->ptr[c + 1]; e++) {
        if (d->idx[e] >= w->nx) {
            w->size[d->idx[e] - w->nx] += w->magnitude[w->rows + e] * by;
        }
    }
}

/* The rounding of column j of the rates. */
static void find_error(work *w, uint32_t j, bool follows)
{
    const dd_derivative *d = w->slopes;
    const double *entry = w->values + w->rows, *magnitude = w->magnitude + w->rows;
    const double *f = w->follow + (size_t)j * w->nz;
    const uint32_t nz = follows ? w->nz : 0;
    memset(w->size, 0, nz * sizeof *w->size);
    memset(w->noise, 0, nz * sizeof *w->noise);
    memset(w->error, 0, w->nx * sizeof *w->error);
    for (uint32_t e = d->ptr[j]; e < d->ptr[j + 1]; e++) {
        if (d->idx[e] < w->nx) {
            w->error[d->idx[e]] += rounding * magnitude[e];
        }
    }
    /* that of z, by the bound above */
    if (follows) {
        add_sizes(w, j, 1);
    }
    for (uint32_t k = 0; k < nz; k++) {
        add_sizes(w, w->n + k, fabs(f[k]));
    }
    for (uint32_t l = 0; l < nz; l++) {
        for (uint32_t k = 0; k < nz; k++) {
            w->noise[k] += w->inverse[k + (size_t)l * w->nz] * w->size[l];
        }
    }
    /* and through df/dz */
    for (uint32_t k = 0; k < nz; k++) {
        for (uint32_t e = d->ptr[w->n + k]; e < d->ptr[w->n + k + 1]; e++) {
            if (d->idx[e] < w->nx) {
                w->error[d->idx[e]] += rounding * (magnitude[e] * fabs(f[k]) + fabs(entry[e]) * w->noise[k]);
            }
        }
    }
}

static void drop_rounding(work *w, bool follows, double *rate)
{
    if (follows) {
        find_inverse(w);
    }
    for (uint32_t j = 0; j < w->n; j++) {
        find_error(w, j, follows);
        for (uint32_t i = 0; i < w->nx; i++) {
            double *r = &rate[(size_t)i * w->n + j];
            *r = fabs(*r) <= w->error[i] ? 0 : *r;
        }
    }
}

/* ---- slopes ---- */

/* df/dx, and df/dz times dz/dx where z follows. */
static void fill_slopes(work *w, bool follows, double *rate)
{
    const dd_derivative *d = w->slopes;
    const double *entry = w->values + w->rows;
    memset(rate, 0, (size_t)w->nx * w->n * sizeof *rate);
    memset(w->follow, 0, follows ? (size_t)w->nz * w->n * sizeof *w->follow : 0);
    for (uint32_t j = 0; j < w->n; j++) {
        for (uint32_t e = d->ptr[j]; e < d->ptr[j + 1]; e++) {
            if (d->idx[e] < w->nx) {
                rate[(size_t)d->idx[e] * w->n + j] = entry[e];
            } else if (follows) {
                w->follow[d->idx[e] - w->nx + (size_t)j * w->nz] = entry[e];
            }
        }
    }
    /* dz/dx = -(dg/dz)^-1 dg/dx */
    if (follows) {
        solve(w, w->follow, w->n);
    }
    for (uint32_t k = 0; k < w->nz && follows; k++) {
        for (uint32_t e = d->ptr[w->n + k]; e < d->ptr[w->n + k + 1]; e++) {
            for (uint32_t j = 0; j < w->n && d->idx[e] < w->nx; j++) {
                rate[(size_t)d->idx[e] * w->n + j] -= entry[e] * w->follow[k + (size_t)j * w->nz];
            }
        }
    }
    drop_rounding(w, follows, rate);
}

/* What is more than rounding of z, by the same bound with g itself as the right-hand side, and of its slopes. */
static void fill_z(dd_size_rates *r)
{
    work *w = r->work;
    for (uint32_t k = 0; k < w->nz; k++) {
        double noise = 0;
        for (uint32_t l = 0; l < w->nz; l++) {
            noise += w->inverse[k + (size_t)l * w->nz] * w->magnitude[w->nx + l];
        }
        const double value = or_nothing(w->in[w->n + k]);
        r->z[k] = value > rounding * noise ? value : 0;
        r->row[k] = or_nothing(w->magnitude[w->nx + k]);
    }
    for (uint32_t j = 0; j < w->n; j++) {
        find_error(w, j, true);
        for (uint32_t k = 0; k < w->nz; k++) {
            const double slope = or_nothing(w->follow[k + (size_t)j * w->nz]);
            r->z_rate[k + (size_t)j * w->nz] = slope > rounding * w->noise[k] ? slope : 0;
        }
    }
}

void dd_size_rates_at(dd_size_rates *r, const double *xu)
{
    work *w = r->work;
    const dd_ocp_problem *o = w->o;
    memcpy(w->in, xu, w->n * sizeof *xu);
    for (uint32_t i = 0; i < w->nz; i++) {
        w->in[w->n + i] = o->z.data[i].start_value;
    }
    for (uint32_t i = 0; i < o->p.len; i++) {
        w->in[w->n + w->nz + i] = o->p.data[i].start_value;
    }
    w->in[w->n + w->nz + o->p.len] = o->t0_value;
    evaluate(w);
    /* z that solves 0 = g; where none is found it is what it starts with, and does not follow */
    bool follows = w->rows > w->nx;
    if (follows && !find_z(w)) {
        follows = false;
        for (uint32_t i = 0; i < w->nz; i++) {
            w->in[w->n + i] = o->z.data[i].start_value;
        }
        evaluate(w);
    }
    for (uint32_t i = 0; i < w->nx; i++) {
        r->flow[i] = or_nothing(w->values[i]);
    }
    fill_slopes(w, follows, r->rate);
    r->nz = follows ? w->nz : 0;
    if (follows) {
        fill_z(r);
    }
    for (size_t i = 0; i < (size_t)w->nx * w->n; i++) {
        r->rate[i] = or_nothing(r->rate[i]);
    }
}
