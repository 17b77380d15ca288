/* initial.c - which initial values are given, missing or too many, judged by rank at the consistent point.
 *
 * The linearised system f_i^(k) = 0, k <= c_i, in the unknowns x_j^(k), k <= d_j, has dof more unknowns than rows. A
 * set of dof values x_j that the other unknowns follow from (states) is found by matching, given and preferred ones
 * first, and confirmed by a factorisation; the directions it spans are the tangent space. A condition counts when
 * its gradient along these directions is independent of the conditions before it.
 */
#include <math.h>
#include <string.h>

#include "graph/match.h"
#include "la/dense.h"
#include "la/linsolver.h"
#include "la/rank_sparse.h"
#include "structure/numeric.h"
#include "structure/tangent.h"

enum {
    MAX_DENSE_DOF = 256,  /* up to here all directions are computed */
    MAX_DENSE_TOTAL = 400 /* up to here a dense null space is the way out where the matched set is singular */
};

static const double independent_part = 1e-8; /* of a condition: what is left of it when others are taken out */
static const double least_pivot = 1e-13;     /* of the largest: the chosen states do not determine the rest */
static const double least_motion = 1e-11;   /* of the largest: a column that moves by less follows from what is given */
static const double rank_tolerance = 1e-10; /* of the null space, where a matched set is singular */
static const double suspect_motion = 1e-6;  /* of the largest: smaller ones may be rounding errors, and are tested */
static const double disturbance = 1e-9;     /* of every coefficient, for that test: far above rounding errors */
static const double null_noise = 1e-12;     /* of directions of length 1 that a dense factorisation found */

typedef struct tangent_work {
    dd_system *s;
    dd_pool *scratch;
    dd_tangent t;
    uint32_t dof, rank;

    /* few degrees of freedom: directions as a total x dof matrix, and the images of the conditions so far */
    const double *tangent;
    double *image; /* dof x dof, orthonormal columns */

    /* many: states and what is given of them; others are solved for one by one */
    uint32_t *state_of; /* unknown -> number of the state, DD_NO_INDEX */
    bool *state_given;
    struct state_system *states;
} tangent_work;

/* The image of a condition along all directions. */
static double *project(const tangent_work *w, const dd_condition *c, double *size)
{
    double *v = dd_pool_alloc_array(w->scratch, w->dof + 1, sizeof *v);
    *size = 0;
    /* v_q = gradient times direction q; size: the largest term of that sum, for judging cancellation */
    for (uint32_t k = 0; k < c->idx.len; k++) {
        double most = 0;
        for (uint32_t q = 0; q < w->dof; q++) {
            double t = w->tangent[(size_t)q * w->t.total + c->idx.data[k]];
            v[q] += c->val.data[k] * t;
            most = fmax(most, fabs(t));
        }
        *size = fmax(*size, fmax(fabs(c->val.data[k]), c->floor.data[k]) * most);
    }
    return v;
}

/* Takes out what earlier conditions have used; true when something is left. */
static bool try_condition(tangent_work *w, const dd_condition *c, bool keep)
{
    double size, left = 0;
    double *v = project(w, c, &size);
    /* Gram-Schmidt, twice, which is enough (Parlett 1980) */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < w->rank; r++) {
            double dot = 0;
            for (uint32_t q = 0; q < w->dof; q++) {
                dot += v[q] * w->image[(size_t)r * w->dof + q];
            }
            for (uint32_t q = 0; q < w->dof; q++) {
                v[q] -= dot * w->image[(size_t)r * w->dof + q];
            }
        }
    }
    for (uint32_t q = 0; q < w->dof; q++) {
        left += v[q] * v[q];
    }
    bool independent = sqrt(left) > independent_part * size && w->rank < w->dof;
    /* one more orthonormal vector */
    if (independent && keep) {
        for (uint32_t q = 0; q < w->dof; q++) {
            w->image[(size_t)w->rank * w->dof + q] = v[q] / sqrt(left);
        }
        w->rank++;
    }
    return independent;
}

static void count_condition(dd_system *s, const dd_condition *c, bool independent)
{
    dd_vec_push(s->pool, &s->given, c->text);
    s->given_count++;
    if (!independent) {
        s->excess++;
        dd_vec_push(s->pool, &s->redundant_given, c->text);
    }
    s->missing = (uint32_t)s->dof - (s->given_count - s->excess);
}

/* Columns in the order they are wanted as states: stateSelect, then differentiated before algebraic, then as
 * declared; auxiliaries at the very end. */
static uint32_t *preferred_columns(dd_system *s, dd_pool *scratch)
{
    uint32_t *order = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *order);
    uint32_t count = 0;
    for (int select = DD_SELECT_ALWAYS; select >= DD_SELECT_NEVER; select--) {
        for (int differentiated = 1; differentiated >= 0; differentiated--) {
            for (uint32_t j = 0; j < s->declared; j++) {
                if ((int)s->model->vars.data[s->unknown[j]].select == select &&
                    s->differentiated[j] == differentiated) {
                    order[count++] = j;
                }
            }
        }
    }
    for (uint32_t j = s->declared; j < s->ncols; j++) {
        order[count++] = j;
    }
    return order;
}

/* ---- few degrees of freedom: all directions ---- */

/* What else may be chosen: every variable that is still open; and one completion. */
static void judge_dense(tangent_work *w, const double *x, uint32_t stride)
{
    dd_system *s = w->s;
    w->image = dd_pool_alloc_array(w->scratch, (size_t)w->dof * w->dof + 1, sizeof *w->image);
    dd_condition_vec list = dd_tangent_conditions(&w->t, x, stride, s->pool);
    s->missing = (uint32_t)s->dof;
    /* conditions as given: those that add nothing are too many */
    for (uint32_t i = 0; i < list.len; i++) {
        count_condition(s, &list.data[i], list.data[i].idx.len > 0 && try_condition(w, &list.data[i], true));
    }
    /* any variable that is not determined by them could be given next */
    for (uint32_t j = 0; j < s->declared && s->missing > 0; j++) {
        dd_condition c = dd_tangent_column(&w->t, j);
        if (try_condition(w, &c, false)) {
            dd_vec_push(s->pool, &s->free_choice, j);
        }
    }
    /* one complete choice, preferred states first */
    uint32_t *order = preferred_columns(s, w->scratch);
    for (uint32_t q = 0, left = s->missing; q < s->declared && left > 0; q++) {
        dd_condition c = dd_tangent_column(&w->t, order[q]);
        if (try_condition(w, &c, true)) {
            dd_vec_push(s->pool, &s->completion, order[q]);
            left--;
        }
    }
}

/* ---- states: G y = 0 solved as A y_other = -G_states s ---- */

typedef struct state_system {
    dd_csc g, a; /* all columns; the columns that are not states */
    dd_linsolver *solver;
    uint32_t total, rows, dof;
    uint32_t *position; /* unknown -> column of a, DD_NO_INDEX for a state */
    uint32_t *states;   /* dof unknowns */
    double *rhs;        /* rows */
    double *scale;      /* unknown -> its column's scale */
} state_system;

static void free_states(dd_context *ctx, state_system *ss)
{
    dd_linsolver_free(ss->solver);
    dd_csc_free(ctx, &ss->g);
    dd_csc_free(ctx, &ss->a);
}

/* Matches rows with unknowns in the order given: those left over are the states. Never raises. */
static dd_status choose_states(dd_context *ctx, state_system *ss, const uint32_t *wanted_last, uint32_t *match,
                               uint32_t *back, bool *found)
{
    uint32_t size = 0, states = 0;
    dd_pattern transposed = {ss->total, ss->rows, ss->g.ptr, ss->g.idx};
    dd_status st = dd_graph_match(&size, ctx, &transposed, wanted_last, false, match, back);
    *found = st == DD_OK && size == ss->rows;
    if (!*found) {
        return st;
    }
    /* unknowns that no row is matched with are the states; the others belong to A */
    uint32_t entries = 0;
    for (uint32_t u = 0; u < ss->total; u++) {
        ss->position[u] = match[u]; /* matched entries on the diagonal */
        entries += match[u] != DD_NO_INDEX ? ss->g.ptr[u + 1] - ss->g.ptr[u] : 0;
        if (match[u] == DD_NO_INDEX) {
            ss->states[states++] = u;
        }
    }
    /* A has the columns in the order of the rows they are matched with */
    st = dd_csc_new(&ss->a, ctx, ss->rows, ss->rows, entries > 0 ? entries : 1);
    for (uint32_t r = 0, at = 0; st == DD_OK && r < ss->rows; r++) {
        for (uint32_t k = ss->g.ptr[back[r]]; k < ss->g.ptr[back[r] + 1]; k++) {
            ss->a.idx[at] = ss->g.idx[k];
            ss->a.val[at++] = ss->g.val[k];
        }
        ss->a.ptr[r + 1] = at;
    }
    return st;
}

static dd_status factor_states(dd_context *ctx, state_system *ss, bool *regular)
{
    *regular = ss->rows == 0;
    if (ss->rows == 0) {
        return DD_OK;
    }
    dd_status st = dd_linsolver_new(&ss->solver, ctx, "klu");
    if (st == DD_OK) {
        /* a matching can be singular in numbers: pivots below this part of the largest do not count */
        dd_linsolver_set_singular(ss->solver, least_pivot);
        dd_linsolver_set_one_block(ss->solver);
        st = dd_linsolver_analyse(ss->solver, &ss->a);
    }
    if (st == DD_OK) {
        st = dd_linsolver_factor(ss->solver, &ss->a);
    }
    *regular = st == DD_OK && !dd_linsolver_get_info(ss->solver).singular;
    return st;
}

/* The direction y (total) for values s of the states (dof): s itself there, and what follows elsewhere. */
static dd_status follow(state_system *ss, const double *values, double *y)
{
    /* A y = -G s, in scaled columns */
    memset(ss->rhs, 0, (ss->rows + 1) * sizeof *ss->rhs);
    for (uint32_t q = 0; q < ss->dof; q++) {
        uint32_t u = ss->states[q];
        for (uint32_t k = ss->g.ptr[u]; k < ss->g.ptr[u + 1]; k++) {
            ss->rhs[ss->g.idx[k]] -= ss->g.val[k] * values[q];
        }
        y[u] = values[q] * ss->scale[u];
    }
    dd_status st = ss->rows > 0 ? dd_linsolver_solve(ss->solver, 1, ss->rhs) : DD_OK;
    for (uint32_t u = 0; u < ss->total; u++) {
        if (ss->position[u] != DD_NO_INDEX) {
            y[u] = ss->rhs[ss->position[u]] * ss->scale[u];
        }
    }
    return st;
}

/* ---- many degrees of freedom ---- */

static bool is_state(const tangent_work *w, const dd_condition *c)
{
    return c->col != DD_NO_INDEX && w->state_of[w->t.offset[c->col]] != DD_NO_INDEX;
}

/* Conditions on anything but states: rank of [G; C], the rows of G first, then the conditions as given. */
static dd_status rank_conditions(tangent_work *w, const dd_condition_vec *list, uint8_t *dependent)
{
    const state_system *ss = w->states;
    dd_index_vec row = {0}, col = {0};
    DD_VEC(double) val = {0};
    /* G is scaled already */
    for (uint32_t u = 0; u < ss->total; u++) {
        for (uint32_t k = ss->g.ptr[u]; k < ss->g.ptr[u + 1]; k++) {
            dd_vec_push(w->scratch, &row, ss->g.idx[k]);
            dd_vec_push(w->scratch, &col, u);
            dd_vec_push(w->scratch, &val, ss->g.val[k]);
        }
    }
    /* conditions in the same columns, each of size 1 */
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_condition *c = &list->data[i];
        double most = 0;
        for (uint32_t k = 0; k < c->idx.len; k++) {
            most = fmax(most, fabs(c->val.data[k] * ss->scale[c->idx.data[k]]));
        }
        for (uint32_t k = 0; k < c->idx.len && most > 0; k++) {
            dd_vec_push(w->scratch, &row, ss->rows + i);
            dd_vec_push(w->scratch, &col, c->idx.data[k]);
            dd_vec_push(w->scratch, &val, c->val.data[k] * ss->scale[c->idx.data[k]] / most);
        }
    }
    /* a condition that depends on rows before it says nothing new */
    dd_csc a = {0};
    dd_rowspace_info info = {0};
    dd_context *ctx = w->s->ctx;
    dd_status st = dd_csc_from_triplets(&a, ctx, ss->rows + list->len, ss->total,
                                        &(dd_triplets){row.len, row.data, col.data, val.data}, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, ctx, &a, NULL, dependent, NULL, NULL, NULL);
    }
    dd_csc_free(ctx, &a);
    return st;
}

static void count_conditions(tangent_work *w, const dd_condition_vec *list)
{
    dd_system *s = w->s;
    bool only_states = true;
    for (uint32_t i = 0; i < list->len; i++) {
        only_states = only_states && is_state(w, &list->data[i]);
    }
    /* different states are independent of each other: no rank is needed for them */
    uint8_t *dependent = dd_pool_alloc_array(w->scratch, w->states->rows + list->len + 1, 1);
    if (!only_states) {
        dd_system_must(s, rank_conditions(w, list, dependent), "initial conditions");
    }
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_condition *c = &list->data[i];
        bool independent = c->idx.len > 0 && !dependent[w->states->rows + i];
        count_condition(s, c, independent);
        if (is_state(w, c)) {
            w->state_given[w->state_of[w->t.offset[c->col]]] = true;
        }
    }
}

static dd_status open_directions(tangent_work *w, bool *open, double *values, double *y)
{
    state_system *ss = w->states;
    dd_status st = DD_OK;
    for (uint32_t salt = 0; st == DD_OK && salt < 2; salt++) {
        double most = 0;
        for (uint32_t q = 0; q < ss->dof; q++) {
            /* the given ones at rest, the others moved by generic amounts: what follows moves too, unless by
             * accident */
            values[q] = w->state_given[q] ? 0.0 : 1.5 + dd_noise(q, salt, 9);
        }
        st = follow(ss, values, y);
        for (uint32_t u = 0; u < ss->total; u++) {
            most = fmax(most, fabs(y[u]) / ss->scale[u]);
        }
        for (uint32_t j = 0; j < w->s->ncols; j++) {
            open[j] = open[j] || fabs(y[w->t.offset[j]]) / ss->scale[w->t.offset[j]] > least_motion * most;
        }
    }
    return st;
}

static void judge_many(tangent_work *w, const double *x, uint32_t stride)
{
    dd_system *s = w->s;
    state_system *ss = w->states;
    w->state_of = dd_pool_alloc_array(w->scratch, w->t.total + 1, sizeof *w->state_of);
    w->state_given = dd_pool_alloc_array(w->scratch, ss->dof + 1, sizeof *w->state_given);
    /* DD_NO_INDEX everywhere */
    memset(w->state_of, 0xff, (w->t.total + 1) * sizeof *w->state_of);
    for (uint32_t q = 0; q < ss->dof; q++) {
        w->state_of[ss->states[q]] = q;
    }
    /* what is given, and what that leaves open */
    dd_condition_vec list = dd_tangent_conditions(&w->t, x, stride, s->pool);
    s->missing = (uint32_t)s->dof;
    count_conditions(w, &list);
    bool *open = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *open);
    double *values = dd_pool_alloc_array(w->scratch, ss->dof + 1, sizeof *values);
    double *y = dd_pool_alloc_array(w->scratch, w->t.total + 1, sizeof *y);
    if (s->missing > 0) {
        dd_system_must(s, open_directions(w, open, values, y), "initial conditions");
    }
    /* the states that are not given complete it: they were matched last because they are preferred */
    for (uint32_t j = 0, left = s->missing; j < s->declared && s->missing > 0; j++) {
        uint32_t state = w->state_of[w->t.offset[j]];
        if (open[j]) {
            dd_vec_push(s->pool, &s->free_choice, j);
        }
        if (left > 0 && state != DD_NO_INDEX && !w->state_given[state]) {
            dd_vec_push(s->pool, &s->completion, j);
            left--;
        }
    }
}

/* ---- all together ---- */

/* Unknowns in the order they should be matched: derivatives and algebraic ones, then values by rising preference, given
 * values at the very end. */
static uint32_t *match_order(tangent_work *w)
{
    dd_system *s = w->s;
    uint32_t *order = dd_pool_alloc_array(w->scratch, w->t.total + 1, sizeof *order), count = 0;
    uint32_t *preferred = preferred_columns(s, w->scratch);
    /* derivatives are to be solved for, the highest first */
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t m = s->off.d[j]; m > 0; m--) {
            order[count++] = w->t.offset[j] + m;
        }
    }
    /* what is matched last stays unmatched, which makes it a state */
    for (int fixed = 0; fixed < 2; fixed++) {
        for (uint32_t q = s->ncols; q-- > 0;) {
            if (s->model->vars.data[s->unknown[preferred[q]]].fixed == fixed) {
                order[count++] = w->t.offset[preferred[q]];
            }
        }
    }
    return order;
}

typedef struct initial_run {
    tangent_work *w;
    state_system *ss;
    const double *x;
    uint32_t stride;
    bool regular;
} initial_run;

static double *dense_directions(tangent_work *w, state_system *ss)
{
    double *tangent = dd_pool_alloc_array(w->scratch, (size_t)w->t.total * w->dof + 1, sizeof *tangent);
    double *values = dd_pool_alloc_array(w->scratch, w->dof + 1, sizeof *values);
    /* one state moves by 1: a basis of the tangent space */
    for (uint32_t q = 0; q < w->dof; q++) {
        values[q] = 1.0;
        dd_system_must(w->s, follow(ss, values, tangent + (size_t)q * w->t.total), "initial conditions");
        values[q] = 0.0;
    }
    return tangent;
}

/* The matched set is singular here: the null space itself. */
static double *dense_null_space(tangent_work *w, const state_system *ss)
{
    double *g = dd_pool_alloc_array(w->scratch, (size_t)ss->rows * w->t.total + 1, sizeof *g);
    double *null = dd_pool_alloc_array(w->scratch, (size_t)w->t.total * w->t.total + 1, sizeof *null);
    dd_csc_to_dense(&ss->g, g, ss->rows);
    dd_rank_info info;
    dd_system_must(w->s,
                   dd_rank_dense(&info, w->s->ctx, &(dd_dense){ss->rows, w->t.total, g, ss->rows > 0 ? ss->rows : 1},
                                 rank_tolerance, NULL, NULL, null),
                   "initial conditions");
    /* back from scaled columns */
    for (uint32_t q = 0; q < w->dof; q++) {
        for (uint32_t u = 0; u < w->t.total; u++) {
            null[(size_t)q * w->t.total + u] *= ss->scale[u];
        }
    }
    w->dof = w->t.total - info.rank < w->dof ? w->t.total - info.rank : w->dof;
    return null;
}

/* How far an unknown moves along all directions, in its own scale: does not depend on the basis of a null space. */
static double motion(const tangent_work *w, const state_system *ss, const double *tangent, uint32_t u)
{
    double sum = 0;
    for (uint32_t q = 0; q < w->dof; q++) {
        const double t = tangent[(size_t)q * w->t.total + u] / ss->scale[u];
        sum += t * t;
    }
    return sqrt(sum);
}

/* Changes every coefficient a little, in G and in A. */
static void disturb(state_system *ss)
{
    for (uint32_t u = 0; u < ss->total; u++) {
        for (uint32_t k = ss->g.ptr[u]; k < ss->g.ptr[u + 1]; k++) {
            ss->g.val[k] *= 1 + disturbance * dd_noise(k, u, 11);
            if (ss->a.ptr && ss->position[u] != DD_NO_INDEX) {
                ss->a.val[ss->a.ptr[ss->position[u]] + k - ss->g.ptr[u]] = ss->g.val[k];
            }
        }
    }
}

/* Unknowns that rest in every direction because terms cancel (u - v = 0 and u - 2*v = 0) move by rounding errors in
 * numbers, and a condition on them would look as good as any. Coefficients that are changed a little tell them apart:
 * an error changes by far more than itself, a small motion by a small part of it. */
static void still_noise(tangent_work *w, state_system *ss, bool matched, double *tangent)
{
    double most = 0;
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        most = fmax(most, motion(w, ss, tangent, w->t.offset[j]));
    }
    bool suspect = false;
    for (uint32_t u = 0; u < w->t.total && !suspect; u++) {
        const double here = motion(w, ss, tangent, u);
        suspect = here > 0 && here < suspect_motion * most;
    }
    if (!suspect) {
        return;
    }
    /* the same directions of the disturbed rows, which are not needed any more */
    const uint32_t dof = w->dof;
    disturb(ss);
    if (matched && ss->rows > 0) {
        dd_system_must(w->s, dd_linsolver_factor(ss->solver, &ss->a), "initial conditions");
    }
    const double *other = matched ? dense_directions(w, ss) : dense_null_space(w, ss);
    if (w->dof != dof) {
        w->dof = dof;
        return;
    }
    for (uint32_t u = 0; u < w->t.total; u++) {
        const double here = motion(w, ss, tangent, u), there = motion(w, ss, other, u);
        const bool noise = fabs(there - here) > 0.5 * here || (!matched && here < null_noise);
        if (here < suspect_motion * most && noise) {
            for (uint32_t q = 0; q < dof; q++) {
                tangent[(size_t)q * w->t.total + u] = 0;
            }
        }
    }
}

static void run_initial(void *arg)
{
    initial_run *r = arg;
    tangent_work *w = r->w;
    /* from exact but dense to sparse but state by state */
    if (!r->regular && w->t.total > MAX_DENSE_TOTAL) {
        dd_system_warn(w->s, "no set of states was found at this point: initial values were not examined");
    } else if (!r->regular || w->dof <= MAX_DENSE_DOF) {
        double *tangent = r->regular ? dense_directions(w, r->ss) : dense_null_space(w, r->ss);
        still_noise(w, r->ss, r->regular, tangent);
        w->tangent = tangent;
        judge_dense(w, r->x, r->stride);
    } else {
        w->states = r->ss;
        judge_many(w, r->x, r->stride);
    }
}

void dd_system_initial_conditions(dd_system *s)
{
    tangent_work w = {.s = s, .scratch = dd_pool_child(s->pool), .dof = (uint32_t)s->dof};
    w.t = dd_tangent_new(s, dd_system_numeric(s), s->off.d, 0, w.scratch);
    state_system ss = {.total = w.t.total, .dof = (uint32_t)s->dof};
    /* G: rows f_i^(k), k <= c_i, in the unknowns x_j^(k), k <= d_j */
    ss.scale = dd_pool_alloc_array(w.scratch, w.t.total + 1, sizeof *ss.scale);
    dd_tangent_rows(&w.t, s->point.x, s->point.order + 1, ss.scale);
    ss.rows = w.t.rows;
    ss.position = dd_pool_alloc_array(w.scratch, w.t.total + 1, sizeof *ss.position);
    ss.states = dd_pool_alloc_array(w.scratch, w.t.total + 1, sizeof *ss.states);
    ss.rhs = dd_pool_alloc_array(w.scratch, ss.rows + 1, sizeof *ss.rhs);
    uint32_t *match = dd_pool_alloc_array(w.scratch, w.t.total + 1, sizeof *match);
    uint32_t *back = dd_pool_alloc_array(w.scratch, ss.rows + 1, sizeof *back);
    /* states by matching, confirmed by a factorisation */
    uint32_t *order = match_order(&w);
    initial_run run = {.w = &w, .ss = &ss, .x = s->point.x, .stride = s->point.order + 1};
    bool found = false;
    dd_status st = dd_csc_from_triplets(&ss.g, s->ctx, ss.rows, w.t.total,
                                        &(dd_triplets){w.t.row.len, w.t.row.data, w.t.col.data, w.t.val.data}, NULL);
    if (st == DD_OK) {
        st = choose_states(s->ctx, &ss, order, match, back, &found);
    }
    if (st == DD_OK && found) {
        st = factor_states(s->ctx, &ss, &run.regular);
    }
    if (st == DD_OK) {
        /* the solver's memory is not in a pool: a failure in between must not lose it */
        st = dd_protect(s->ctx, run_initial, &run);
    }
    free_states(s->ctx, &ss);
    if (st == DD_INVALID_ARGUMENT) {
        dd_system_warn(s,
                       "some derivatives are not finite numbers at the point that was found: initial values were not "
                       "examined; other start values may help");
        st = DD_OK;
    }
    dd_system_must(s, st, "initial conditions");
    dd_pool_free(w.scratch);
}

void dd_system_initial_from_tangent(dd_system *s, const double *tangent, uint32_t dof, const double *x, uint32_t stride)
{
    tangent_work w = {.s = s, .scratch = dd_pool_child(s->pool), .dof = dof};
    w.t = dd_tangent_new(s, dd_system_numeric(s), NULL, 0, w.scratch);
    double *clean = dd_pool_alloc_array(w.scratch, (size_t)w.t.total * dof + 1, sizeof *clean);
    /* directions have length 1: what ranks call zero does not move */
    for (uint32_t q = 0; q < dof; q++) {
        for (uint32_t j = 0; j < w.t.total; j++) {
            const double part = tangent[(size_t)q * w.t.total + j];
            clean[(size_t)q * w.t.total + j] = fabs(part) > independent_part ? part : 0;
        }
    }
    w.tangent = clean;
    judge_dense(&w, x, stride);
    dd_pool_free(w.scratch);
}
