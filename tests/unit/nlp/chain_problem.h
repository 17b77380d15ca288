/* chain_problem.h - random linear systems of optimal control with a shape, for tests and measurements of chain.h. */
#ifndef DD_TESTS_CHAIN_PROBLEM_H
#define DD_TESTS_CHAIN_PROBLEM_H

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "nlp/chain.h"

typedef struct chain_options {
    uint32_t intervals, nx, nz, nu, degree, parameters;
    int control;        /* 0: of the interval (at its left node), 1: linear between nodes, 2: at the points */
    bool differ;        /* patterns differ between points */
    bool mixed_degrees; /* degree and degree - 1 alternate */
    bool selection;     /* the last point is the next node */
    uint32_t periodic;  /* border rows x_N - x_0 = 0 */
    uint32_t terminal;  /* equality rows at node N */
    uint32_t initial;   /* equality rows at node 0 */
    uint32_t stage;     /* equality rows per node that hold controls */
    uint32_t path;      /* inequality rows per point, or per node with degree 0 */
    uint32_t across;    /* rows of inner nodes that meet both sides */
    uint32_t integral;  /* border rows over everything, half of them inequalities */
    uint32_t repeated;  /* rows that repeat others */
    bool fix_start;     /* node 0 is fixed */
    double fix;         /* share of other variables that is fixed */
    double indefinite;  /* the Hessian's diagonal: 1 - indefinite * |random| */
    double spread;      /* decades of p on both sides of 1 */
    double regular;     /* q of equalities that determine nothing */
    double soft;        /* q of the others */
    double density;     /* of dynamics and Hessian */
    uint32_t band;      /* states and algebraic variables meet those at most so far away; 0: all */
    int twist;          /* algebraic rows hold the variable of their neighbour (nz is even) and of their own 1: little,
                           2: nothing */
    double weak;        /* intervals whose algebraic part is nearly singular: its size; 0: none */
    double growth;      /* with degree 0: pairs of states turn and grow by this factor an interval */
} chain_options;

typedef struct chain_problem {
    dd_kkt_pattern pattern;
    dd_nlp_shape shape;
    dd_kkt_values values;
    uint32_t n, m, hn, jn, most;
    uint32_t *variable_place, *row_place, *determines, *hr, *hc, *jr, *jc;
    bool *fixed, *equality;
    double *h, *j, *p, *q;
    uint64_t seed, first_seed, pattern_seed;
    chain_options o;
    uint32_t *x_at, *u_at, *point_at; /* nodes, nodes, points */
} chain_problem;

static inline double rnd(chain_problem *g)
{
    return dd_random(&g->seed);
}

static inline bool chance(chain_problem *g, double share)
{
    return 0.5 * (rnd(g) + 1) < share;
}

/* The same for patterns. */
static inline bool there(chain_problem *g, double share)
{
    return 0.5 * (dd_random(&g->pattern_seed) + 1) < share;
}

static inline uint32_t add_variables(chain_problem *g, uint32_t count, uint32_t place)
{
    const uint32_t first = g->n;
    for (uint32_t i = 0; i < count; i++) {
        g->variable_place[g->n++] = place;
    }
    return first;
}

static inline uint32_t add_row(chain_problem *g, uint32_t place, uint32_t determines, bool equality)
{
    g->row_place[g->m] = place;
    g->determines[g->m] = determines;
    g->equality[g->m] = equality;
    return g->m++;
}

static inline void add_j(chain_problem *g, uint32_t row, uint32_t col, double v)
{
    assert(g->jn < g->most);
    g->jr[g->jn] = row;
    g->jc[g->jn] = col;
    g->j[g->jn++] = v;
}

static inline void add_h(chain_problem *g, uint32_t a, uint32_t b, double v)
{
    assert(g->hn < g->most);
    g->hr[g->hn] = a > b ? a : b;
    g->hc[g->hn] = a > b ? b : a;
    g->h[g->hn++] = v;
}

static inline uint32_t degree_of(const chain_problem *g, uint32_t k)
{
    return g->o.mixed_degrees && g->o.degree > 1 ? g->o.degree - k % 2 : g->o.degree;
}

enum { POINT_MOST = 1024 };

/* The unknowns that functions at a point see: x, z, u, parameters. */
typedef struct chain_point {
    uint32_t count, id[POINT_MOST];
    uint32_t nx, nz, nu;
} chain_point;

static inline void see(chain_point *p, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && p->count < POINT_MOST; i++) {
        p->id[p->count++] = first + i;
    }
}

/* May unknowns a and b of a point meet? */
static inline bool near(const chain_options *o, uint32_t a, uint32_t b)
{
    const uint32_t inner = o->nx + o->nz;
    if (o->band == 0 || a >= inner || b >= inner) {
        return true;
    }
    /* algebraic variables lie beside states */
    const uint32_t i = a < o->nx ? a : a - o->nx, j = b < o->nx ? b : b - o->nx;
    return (i > j ? i - j : j - i) <= o->band;
}

/* Dynamics, algebraic rows, path rows and the Hessian at one point. */
static inline void add_point(chain_problem *g, uint32_t k, uint32_t j, uint32_t degree, const double *slope)
{
    const chain_options *o = &g->o;
    const uint32_t first = g->point_at[k * 10 + j], inside = DD_PLACE_INSIDE(k);
    chain_point p = {.nx = o->nx};
    see(&p, first, o->nx + o->nz);
    if (o->control == 2) {
        see(&p, first + o->nx + o->nz, o->nu);
    } else {
        see(&p, g->u_at[k], o->nu);
    }
    see(&p, g->n - o->parameters, o->parameters);
    const uint32_t own = p.count;
    if (o->control == 1) {
        see(&p, g->u_at[k + 1], o->nu);
    }
    const double step = 0.3;
    g->pattern_seed = o->differ ? g->seed : g->first_seed;
    for (uint32_t i = 0; i < o->nx + o->nz; i++) {
        const uint32_t row = add_row(g, inside, first + i, true);
        for (uint32_t r = 0; i < o->nx && r <= degree; r++) {
            add_j(g, row, (r ? g->point_at[k * 10 + r] : g->x_at[k]) + i, slope[r]);
        }
        for (uint32_t c = 0; c < p.count; c++) {
            const bool own_pair = o->twist && i >= o->nx && c >= o->nx && c < o->nx + o->nz;
            if (own_pair && c - o->nx == ((i - o->nx) ^ 1)) {
                add_j(g, row, p.id[c], 2 + rnd(g));
            } else if (own_pair && c == i) {
                if (o->twist == 1) {
                    add_j(g, row, p.id[c], 1e-9 * rnd(g));
                }
            } else if (i >= o->nx && c == i) {
                add_j(g, row, p.id[c], o->weak > 0 && k % 3 == 1 ? o->weak : 2 + rnd(g));
            } else if (near(o, i, c) && there(g, o->density)) {
                add_j(g, row, p.id[c], step * rnd(g) * (i >= o->nx && o->weak > 0 && c < i ? 0 : 1));
            }
        }
    }
    for (uint32_t a = 0; a < own; a++) {
        add_h(g, p.id[a], p.id[a], 0.5 * (1 - o->indefinite * fabs(rnd(g))));
        for (uint32_t b = 0; b < a; b++) {
            if (near(o, a, b) && there(g, o->density)) {
                add_h(g, p.id[a], p.id[b], 0.2 * rnd(g));
            }
        }
    }
    for (uint32_t i = 0; i < o->path; i++) {
        const uint32_t row = add_row(g, inside, DD_DETERMINES_NONE, false);
        for (uint32_t c = 0; c < p.count; c++) {
            if (there(g, 0.5)) {
                add_j(g, row, p.id[c], rnd(g));
            }
        }
    }
}

static inline void add_interval(chain_problem *g, uint32_t k)
{
    const chain_options *o = &g->o;
    const uint32_t d = degree_of(g, k);
    for (uint32_t j = 1; j <= d; j++) {
        double slope[11];
        for (uint32_t r = 0; r <= d; r++) {
            slope[r] = r == j ? 3 + rnd(g) : 0.8 * rnd(g);
        }
        add_point(g, k, j, d, slope);
    }
    for (uint32_t i = 0; i < o->nx; i++) {
        const uint32_t next = g->x_at[k + 1] + i, row = add_row(g, DD_PLACE_INSIDE(k), next, true);
        add_j(g, row, next, d ? 1 : -1 - 0.5 * fabs(rnd(g)));
        for (uint32_t r = 1; r <= d; r++) {
            if (!o->selection || r == d) {
                add_j(g, row, g->point_at[k * 10 + r] + i, r == d ? -1 : 0.3 * rnd(g));
            }
        }
        if (d == 0) { /* shooting */
            add_j(g, row, g->x_at[k] + i, 1);
            for (uint32_t c = 0; c < o->nx; c++) {
                /* a turn by one radian */
                const double turn = c == i ? cos(1) : c == (i ^ 1) ? (c < i ? sin(1) : -sin(1)) : 0;
                add_j(g, row, g->x_at[k] + c, 0.3 * rnd(g) + o->growth * turn);
            }
            for (uint32_t c = 0; c < o->nu; c++) {
                add_j(g, row, g->u_at[k] + c, 0.3 * rnd(g));
            }
            for (uint32_t c = 0; c < o->parameters; c++) {
                add_j(g, row, g->n - o->parameters + c, 0.3 * rnd(g));
            }
        } else if (!o->selection) {
            add_j(g, row, g->x_at[k] + i, 0.2);
        }
    }
}

static inline void add_node(chain_problem *g, uint32_t k)
{
    const chain_options *o = &g->o;
    const bool controls = o->nu > 0 && o->control != 2 && (k < o->intervals || o->control == 1);
    for (uint32_t i = 0; i < o->nx; i++) {
        add_h(g, g->x_at[k] + i, g->x_at[k] + i, 1 - o->indefinite * fabs(rnd(g)));
    }
    for (uint32_t i = 0; controls && i < o->nu; i++) {
        add_h(g, g->u_at[k] + i, g->u_at[k] + i, 1 - o->indefinite * fabs(rnd(g)));
        if (o->nx) {
            add_h(g, g->u_at[k] + i, g->x_at[k], 0.3 * rnd(g));
        }
    }
    for (uint32_t s = 0; controls && s < o->stage + (o->degree ? 0 : o->path); s++) {
        const uint32_t row = add_row(g, DD_PLACE_NODE(k), DD_DETERMINES_NONE, s < o->stage);
        for (uint32_t i = 0; i < o->nx; i++) {
            add_j(g, row, g->x_at[k] + i, rnd(g));
        }
        for (uint32_t i = 0; i < o->nu; i++) {
            add_j(g, row, g->u_at[k] + i, rnd(g));
        }
    }
    for (uint32_t s = 0; s < o->across && k > 0 && k < o->intervals; s++) {
        const uint32_t row = add_row(g, DD_PLACE_NODE(k), DD_DETERMINES_NONE, s % 2 == 0);
        for (uint32_t i = 0; i < o->nx; i++) {
            add_j(g, row, g->x_at[k - 1] + i, rnd(g));
            add_j(g, row, g->x_at[k + 1] + i, rnd(g));
        }
    }
    const uint32_t ends = k == 0 ? o->initial : k == o->intervals ? o->terminal : 0;
    for (uint32_t s = 0; s < ends; s++) {
        const uint32_t row = add_row(g, DD_PLACE_NODE(k), DD_DETERMINES_NONE, true);
        for (uint32_t i = 0; i < o->nx; i++) {
            add_j(g, row, g->x_at[k] + i, rnd(g));
        }
    }
}

static inline void add_border(chain_problem *g)
{
    const chain_options *o = &g->o;
    const uint32_t first = g->n - o->parameters;
    for (uint32_t i = 0; i < o->parameters; i++) {
        add_h(g, first + i, first + i, 1 - o->indefinite * fabs(rnd(g)));
        if (i) {
            add_h(g, first + i, first + i - 1, 0.3 * rnd(g));
        }
    }
    for (uint32_t s = 0; s < o->periodic && s < o->nx; s++) {
        const uint32_t row = add_row(g, DD_PLACE_BORDER, DD_DETERMINES_NONE, true);
        add_j(g, row, g->x_at[o->intervals] + s, 1);
        add_j(g, row, g->x_at[0] + s, -1);
    }
    for (uint32_t s = 0; s < o->integral; s++) {
        const uint32_t row = add_row(g, DD_PLACE_BORDER, DD_DETERMINES_NONE, s % 2 == 0);
        for (uint32_t j = 0; j < g->n; j++) {
            if (chance(g, 0.3)) {
                add_j(g, row, j, rnd(g));
            }
        }
    }
    for (uint32_t s = 0; s < o->repeated && g->m > 0; s++) {
        /* a row that determines nothing, once more */
        const uint32_t rows = g->m, entries = g->jn;
        uint32_t old = (uint32_t)(0.5 * (rnd(g) + 1) * rows);
        while (old < rows && (g->determines[old] != DD_DETERMINES_NONE || !g->equality[old])) {
            old++;
        }
        if (old >= rows) {
            continue;
        }
        const uint32_t row = add_row(g, g->row_place[old], DD_DETERMINES_NONE, true);
        for (uint32_t e = 0; e < entries; e++) {
            if (g->jr[e] == old) {
                add_j(g, row, g->jc[e], 2 * g->j[e]);
            }
        }
    }
}

static inline void chain_problem_free(chain_problem *g)
{
    void *all[] = {g->variable_place, g->row_place, g->determines, g->hr, g->hc, g->jr,   g->jc,   g->fixed,
                   g->equality,       g->h,         g->j,          g->p,  g->q,  g->x_at, g->u_at, g->point_at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
}

static inline void allocate(chain_problem *g)
{
    const chain_options *o = &g->o;
    const uint32_t width = o->nx + o->nz + o->nu;
    const uint32_t unknowns = (o->intervals + 1) * (o->degree + 1) * (width + o->stage + o->path + o->across + 2) +
                              2 * o->parameters + o->periodic + o->terminal + o->initial + o->integral + o->repeated +
                              8;
    const uint32_t most =
        unknowns * (2 * width + 2 * o->parameters + o->degree + 4 + o->integral) + o->repeated * unknowns;
    g->most = most;
    g->variable_place = calloc(unknowns, sizeof(uint32_t));
    g->row_place = calloc(unknowns, sizeof(uint32_t));
    g->determines = calloc(unknowns, sizeof(uint32_t));
    g->fixed = calloc(unknowns, sizeof(bool));
    g->equality = calloc(unknowns, sizeof(bool));
    g->hr = calloc(most, sizeof(uint32_t));
    g->hc = calloc(most, sizeof(uint32_t));
    g->jr = calloc(most, sizeof(uint32_t));
    g->jc = calloc(most, sizeof(uint32_t));
    g->h = calloc(most, sizeof(double));
    g->j = calloc(most, sizeof(double));
    g->p = calloc(unknowns, sizeof(double));
    g->q = calloc(unknowns, sizeof(double));
    g->x_at = calloc(o->intervals + 1, sizeof(uint32_t));
    g->u_at = calloc(o->intervals + 1, sizeof(uint32_t));
    g->point_at = calloc((o->intervals + 1) * 10, sizeof(uint32_t));
}

/* p and q, and which variables are fixed. */
static inline void add_diagonal(chain_problem *g)
{
    const chain_options *o = &g->o;
    for (uint32_t j = 0; j < g->n; j++) {
        g->p[j] = pow(10, o->spread * rnd(g));
        g->fixed[j] = chance(g, o->fix) || (o->fix_start && j >= g->x_at[0] && j < g->x_at[0] + o->nx);
    }
    for (uint32_t i = 0; i < g->m; i++) {
        g->q[i] = g->determines[i] != DD_DETERMINES_NONE ? o->soft
                  : g->equality[i]                       ? o->regular
                                                         : pow(10, o->spread * rnd(g));
    }
}

static inline void chain_problem_make(chain_problem *g, const chain_options *o, uint64_t seed)
{
    *g = (chain_problem){.o = *o, .seed = seed, .first_seed = seed};
    allocate(g);
    /* variables */
    for (uint32_t k = 0; k <= o->intervals; k++) {
        g->x_at[k] = add_variables(g, o->nx, DD_PLACE_NODE(k));
        if (o->control != 2 && (k < o->intervals || o->control == 1)) {
            g->u_at[k] = add_variables(g, o->nu, DD_PLACE_NODE(k));
        }
        for (uint32_t j = 1; k < o->intervals && j <= degree_of(g, k); j++) {
            g->point_at[k * 10 + j] =
                add_variables(g, o->nx + o->nz + (o->control == 2 ? o->nu : 0), DD_PLACE_INSIDE(k));
        }
    }
    add_variables(g, o->parameters, DD_PLACE_BORDER);
    /* rows and the Hessian */
    for (uint32_t k = 0; k < o->intervals; k++) {
        add_interval(g, k);
    }
    for (uint32_t k = 0; k <= o->intervals; k++) {
        add_node(g, k);
    }
    add_border(g);
    add_diagonal(g);
    g->shape = (dd_nlp_shape){o->intervals, g->variable_place, g->row_place, g->determines};
    g->pattern = (dd_kkt_pattern){.n = g->n,
                                  .m = g->m,
                                  .hessian_nnz = g->hn,
                                  .jacobian_nnz = g->jn,
                                  .hessian_row = g->hr,
                                  .hessian_col = g->hc,
                                  .jacobian_row = g->jr,
                                  .jacobian_col = g->jc,
                                  .fixed = g->fixed,
                                  .equality = g->equality,
                                  .shape = NULL};
    g->values = (dd_kkt_values){.hessian = g->h, .jacobian = g->j, .p = g->p, .q = g->q};
}

/* (r, s) -= K (x, y); rows of fixed variables become 0. */
static inline void chain_residual(const chain_problem *g, const double *x, const double *y, double *r, double *s)
{
    for (uint32_t j = 0; j < g->n; j++) {
        r[j] -= g->p[j] * x[j];
    }
    for (uint32_t i = 0; i < g->m; i++) {
        s[i] += g->q[i] * y[i];
    }
    for (uint32_t e = 0; e < g->hn; e++) {
        const uint32_t a = g->hr[e], b = g->hc[e];
        r[a] -= g->h[e] * x[b];
        r[b] -= a != b ? g->h[e] * x[a] : 0;
    }
    for (uint32_t e = 0; e < g->jn; e++) {
        r[g->jc[e]] -= g->j[e] * y[g->jr[e]];
        s[g->jr[e]] -= g->j[e] * x[g->jc[e]];
    }
    for (uint32_t j = 0; j < g->n; j++) {
        r[j] = g->fixed[j] ? 0 : r[j];
    }
}

#endif
