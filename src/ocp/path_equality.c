/* path_equality.c - equalities at all times: which follow, which can hold, and by which controls. The test is the
 * rank of the algebraic equations and these rows in algebraic variables and controls, at states of the guess. */
#include "ocp/path_equality.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "eval/derivative.h"
#include "la/dense.h"
#include "ocp/boundary.h"
#include "ocp/compiled.h"
#include "ocp/path_kept.h"

enum { SAMPLES = 3 };     /* times at which the rank is taken: the largest is taken */
enum { SEARCHES = 8 };    /* for a point on a row and the invariants */
#define FIRST_SAMPLE 0.13 /* theta of the samples: off the nodes of usual meshes and off symmetric places */
#define NEXT_SAMPLE 0.31
#define OFF 1e-6      /* residual of a row that contradicts the invariants */
#define RANK_CUT 1e-9 /* of the largest singular value: rounding of exact derivatives */

static bool is_equality(const dd_ocp_row *row)
{
    return row->lower == row->upper;
}

static void refuse(dd_ocp_problem *o, const char *reason)
{
    if (o->reason == NULL) {
        o->reason = reason;
        o->infeasible = true;
    }
    dd_vec_push(o->pool, &o->contradictions, reason);
}

static bool mentions(dd_ocp_problem *o, dd_expr e, const dd_decision_vec *list)
{
    bool found = false;
    for (uint32_t i = 0; i < list->len && !found; i++) {
        found = dd_depends(o->dag, e, list->data[i].symbol);
    }
    return found;
}

/* ---- rows that the invariants imply ---- */

typedef struct end_states {
    const dd_guess *guess;
    double *z, *u;
} end_states;

static void states_at(void *user, double theta, double *x)
{
    const end_states *s = user;
    s->guess->at(s->guess->user, theta, theta >= 1, x, s->z, s->u);
}

/* As a row at the end, where nothing is known, it is ranked with the invariants there. */
static bool follows(dd_ocp_problem *o, const dd_ocp_row *row, const dd_ranking_values *guess, bool *contradicts)
{
    /* its only row, at the end of the horizon: ranked with the invariants there */
    dd_ocp_row there = *row;
    uint32_t at = o->points.len;
    there.e = dd_ocp_at(o, 1, row->e);
    dd_vec_push(o->pool, &o->points, there);
    dd_ranking *k = dd_ranking_new(o, at, at + 1, true, o->pool);
    bool result = false;
    *contradicts = false;
    if (k != NULL) {
        double off = dd_ranking_find(k, guess, SEARCHES);
        uint32_t output = k->outputs.len - 1;
        bool *varies = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *varies);
        bool *moves = dd_pool_alloc_array(k->pool, k->inputs.len + 1, sizeof *moves);
        dd_ranking_select(k);
        dd_ranking_varies(k, varies, moves);
        /* off the invariants at every point that was found; or on all of them, and constant along them */
        *contradicts = !k->kept[output] && off > OFF;
        result = !k->kept[output] && !varies[output] && off < DD_RANKING_FOUND;
    }
    dd_ranking_free(k);
    o->points.len = at;
    return result;
}

/* ---- the control it needs ---- */

static bool linear_in_controls(dd_ocp_problem *o, const dd_ocp_row *row, dd_pool *scratch)
{
    uint32_t n = o->u.len + 1;
    dd_expr *symbols = dd_pool_alloc_array(scratch, 2 * (size_t)n, sizeof *symbols), rest;
    /* linear in controls and time: then it holds between two nodes when it holds at both */
    for (uint32_t i = 0; i < o->u.len; i++) {
        symbols[i] = o->u.data[i].symbol;
    }
    symbols[o->u.len] = o->time;
    bool data = false;
    for (uint32_t i = 0; i < o->data.len; i++) {
        data = data || dd_depends(o->dag, row->e, o->data.data[i].symbol);
    }
    return !data && !mentions(o, row->e, &o->x) && !mentions(o, row->e, &o->z) &&
           dd_linear(o->dag, row->e, symbols, n, symbols + n, &rest);
}

static bool holds_with(dd_ocp_problem *o, dd_ocp_row *row, dd_control_kind control, dd_pool *scratch)
{
    /* constant controls can keep rows in controls alone, polynomials any row at their points */
    row->at_nodes = control == DD_CONTROL_LINEAR && linear_in_controls(o, row, scratch);
    return control == DD_CONTROL_POLYNOMIAL || (control == DD_CONTROL_CONSTANT && row->of_control) || row->at_nodes;
}

/* ---- ranks ---- */

typedef struct freedom {
    dd_ocp_problem *o;
    dd_pool *pool;
    dd_expr_vec inputs, outputs; /* x, z, u, p, time; g, then the rows */
    dd_index_vec rows;
    const dd_derivative *derivative;
    dd_program_work *work;
    double *v, *entries, *jac;
} freedom;

static void add_inputs(freedom *f, const dd_decision_vec *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        dd_vec_push(f->pool, &f->inputs, list->data[i].symbol);
    }
}

static void prepare(freedom *f)
{
    dd_ocp_problem *o = f->o;
    /* derivatives by z and u only: states are given at each time */
    add_inputs(f, &o->z);
    add_inputs(f, &o->u);
    uint32_t n = f->inputs.len;
    for (uint32_t i = 0; i < o->g.len; i++) {
        dd_vec_push(f->pool, &f->outputs, o->g.data[i]);
    }
    for (uint32_t i = 0; i < o->path.len; i++) {
        if (is_equality(&o->path.data[i])) {
            dd_vec_push(f->pool, &f->rows, i);
            dd_vec_push(f->pool, &f->outputs, o->path.data[i].e);
        }
    }
    /* x, p, time and data come after the columns that are differentiated by */
    f->derivative = dd_jacobian_new(f->pool, o->dag, f->outputs.data, f->outputs.len, f->inputs.data, n);
    add_inputs(f, &o->x);
    add_inputs(f, &o->p);
    dd_vec_push(f->pool, &f->inputs, o->time);
    for (uint32_t i = 0; i < o->data.len; i++) {
        dd_vec_push(f->pool, &f->inputs, o->data.data[i].symbol);
    }
    f->v = dd_pool_alloc_array(f->pool, f->inputs.len + 1, sizeof *f->v);
    f->entries = dd_pool_alloc_array(f->pool, f->derivative->ptr[n] + 1, sizeof *f->entries);
    f->jac = dd_pool_alloc_array(f->pool, (size_t)f->outputs.len * n + 1, sizeof *f->jac);
    f->work = dd_ocp_compile(o, f->inputs.data, f->inputs.len, f->derivative->entries, f->derivative->ptr[n], f->pool);
}

/* Scaled derivatives by z and u at a time of the guess, a little off it: a guess of zeros is too special. */
static bool evaluate(freedom *f, const dd_guess *guess, double theta)
{
    dd_ocp_problem *o = f->o;
    uint32_t n = o->z.len + o->u.len, m = f->outputs.len, at;
    double *z = f->v, *u = z + o->z.len, *x = u + o->u.len;
    memset(f->v, 0, f->inputs.len * sizeof *f->v);
    /* values of the guess at this time */
    guess->at(guess->user, theta, false, x, z, u);
    for (uint32_t i = 0; i < o->p.len; i++) {
        x[o->x.len + i] = o->p.data[i].start_value;
    }
    /* off the guess by a hundredth and a bit, differently for each: zeros of a guess are zeros of derivatives */
    for (at = 0; at < n + o->x.len; at++) {
        const dd_decision *d = at < o->z.len ? &o->z.data[at] : at < n ? &o->u.data[at - o->z.len] : &o->x.data[at - n];
        f->v[at] += d->scale * (0.01 + 0.003 * (at % 7));
    }
    f->v[n + o->x.len + o->p.len] = o->t0_value + theta * (o->tf_value - o->t0_value);
    const double *in[] = {f->v};
    dd_program_eval(f->work, in, f->entries);
    /* unit columns: a change by one expected size */
    memset(f->jac, 0, (size_t)m * n * sizeof *f->jac);
    bool finite = true;
    for (uint32_t j = 0; j < n; j++) {
        double scale = j < o->z.len ? o->z.data[j].scale : o->u.data[j - o->z.len].scale;
        for (uint32_t e = f->derivative->ptr[j]; e < f->derivative->ptr[j + 1]; e++) {
            f->jac[(size_t)j * m + f->derivative->idx[e]] = f->entries[e] * scale;
            finite = finite && isfinite(f->entries[e]);
        }
    }
    return finite;
}

/* Rank of the algebraic equations and the first `rows` rows. */
static uint32_t rank_of_first(const freedom *f, uint32_t rows)
{
    dd_rank_info info = {0};
    uint32_t m = f->outputs.len, n = f->o->z.len + f->o->u.len;
    dd_status st = dd_rank_dense(&info, dd_pool_context(f->pool), &(dd_dense){f->o->g.len + rows, n, f->jac, m},
                                 RANK_CUT, NULL, NULL, NULL);
    return st == DD_OK ? info.rank : f->o->g.len + rows;
}

static const char *too_free_words(dd_ocp_problem *o, const dd_ocp_row *row)
{
    bool any = mentions(o, row->e, &o->u) || mentions(o, row->e, &o->z);
    return dd_pool_printf(
        o->pool,
        "%s must hold at all times, but %s: it raises the index of the model; write it as an equation "
        "of the model, and declare the control that has to keep it as a variable instead of an input",
        row->name, any ? "no control is left that acts on it directly" : "it contains states alone");
}

static void check_freedom(dd_ocp_problem *o, const dd_guess *guess, dd_pool *pool)
{
    freedom f = {.o = o, .pool = pool};
    prepare(&f);
    uint32_t *rank = dd_pool_alloc_array(pool, f.rows.len + 2, sizeof *rank);
    /* the largest rank of a few times: a guess may be singular at one of them */
    for (int sample = 0; sample < SAMPLES; sample++) {
        bool finite = evaluate(&f, guess, FIRST_SAMPLE + NEXT_SAMPLE * sample);
        for (uint32_t i = 0; i <= f.rows.len; i++) {
            uint32_t now = finite ? rank_of_first(&f, i) : o->g.len + i;
            rank[i] = now > rank[i] ? now : rank[i];
        }
    }
    /* a row that adds no rank has no control that could keep it: it is a constraint on states, of higher index */
    for (uint32_t i = 0; i < f.rows.len; i++) {
        if (rank[i + 1] == rank[i]) {
            refuse(o, too_free_words(o, &o->path.data[f.rows.data[i]]));
        }
    }
}

/* ---- all of it ---- */

static void take_out_row(dd_ocp_problem *o, uint32_t i)
{
    const char *words = dd_pool_printf(o->pool, "%s at all times is left out: it follows from the model's constraints",
                                       o->path.data[i].name);
    dd_vec_push(o->pool, &o->messages, words);
    memmove(&o->path.data[i], &o->path.data[i + 1], (o->path.len - i - 1) * sizeof *o->path.data);
    o->path.len--;
}

/* The equations keep it: it is imposed at the start alone, where it may follow from start values. */
static void impose_at_start(dd_ocp_problem *o, uint32_t i, const dd_expr *level, uint32_t levels)
{
    const dd_ocp_row row = o->path.data[i];
    /* the row, then its derivatives */
    for (uint32_t k = 0; k < levels; k++) {
        dd_ocp_row there = row;
        there.e = dd_ocp_at(o, 0, level[k]);
        there.lower = there.upper = there.value = k == 0 ? row.lower : 0;
        there.name = dd_pool_printf(o->pool, "%s%s at the start",
                                    k == 0   ? ""
                                    : k == 1 ? "the derivative of "
                                             : "the second derivative of ",
                                    row.name);
        dd_vec_push(o->pool, &o->points, there);
    }
    const char *words =
        dd_pool_printf(o->pool, "%s at all times is imposed at the start alone%s: the equations of the model keep it",
                       row.name, levels > 1 ? ", with its derivative" : "");
    dd_vec_push(o->pool, &o->messages, words);
    memmove(&o->path.data[i], &o->path.data[i + 1], (o->path.len - i - 1) * sizeof *o->path.data);
    o->path.len--;
}

static void check_states_only(dd_ocp_problem *o, const dd_guess *guess, dd_pool *scratch)
{
    end_states s = {guess, dd_pool_alloc_array(scratch, o->z.len + 1, sizeof *s.z),
                    dd_pool_alloc_array(scratch, o->u.len + 1, sizeof *s.u)};
    const dd_ranking_values values = {&s, states_at};
    /* rows in states alone may be invariants in other words */
    for (uint32_t i = 0; i < o->path.len;) {
        dd_ocp_row *row = &o->path.data[i];
        bool states = is_equality(row) && !mentions(o, row->e, &o->z) && !mentions(o, row->e, &o->u);
        bool contradicts = false;
        if (states && o->equations->invariants.len > 0 && follows(o, row, &values, &contradicts)) {
            take_out_row(o, i);
            continue;
        }
        if (contradicts) {
            refuse(o,
                   dd_pool_printf(o->pool, "%s at all times contradicts %s", row->name, dd_ocp_invariant_words(o, 0)));
        }
        dd_expr level[DD_KEPT_MOST];
        const uint32_t levels = states && !contradicts ? dd_ocp_path_kept(o, row, guess, level, scratch) : 0;
        if (levels > 0) {
            impose_at_start(o, i, level, levels);
            continue;
        }
        i++;
    }
}

bool dd_ocp_path_needs_polynomial(const dd_ocp_problem *o)
{
    bool needs = false;
    for (uint32_t i = 0; i < o->path.len; i++) {
        needs = needs || (is_equality(&o->path.data[i]) && !o->path.data[i].of_control);
    }
    return needs;
}

void dd_ocp_path_equalities(dd_ocp_problem *o, dd_control_kind control, const dd_guess *guess, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(pool);
    bool any = false;
    /* redundant rows first, then ranks, then the kind of control */
    check_states_only(o, guess, scratch);
    for (uint32_t i = 0; i < o->path.len; i++) {
        any = any || is_equality(&o->path.data[i]);
    }
    if (any && o->reason == NULL) {
        check_freedom(o, guess, scratch);
    }
    for (uint32_t i = 0; i < o->path.len && o->reason == NULL; i++) {
        dd_ocp_row *row = &o->path.data[i];
        if (is_equality(row) && !holds_with(o, row, control, scratch)) {
            refuse(o, dd_pool_printf(o->pool,
                                     "%s must hold at all times, which a control that is %s in an interval cannot "
                                     "achieve: use %s polynomial",
                                     row->name, control == DD_CONTROL_CONSTANT ? "constant" : "linear",
                                     dd_option_word(dd_pool_context(o->pool), "--control")));
        }
    }
    dd_pool_free(scratch);
}
