/* again_soft.c - an infeasible program with path inequalities and bounds of states that give way.
 *
 * First the smallest amounts by which they must, one per row of the problem, by the elastic program; then the cost, with
 * the rows open by these amounts. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "nlp/elastic.h"
#include "ocp/again.h"
#include "ocp/again_impl.h"

#define OPENED 1.01       /* times the smallest amount, */
#define OPENED_LEAST 1e-6 /* and this much of the expected size: an interior is left */
#define NAMED 1e-5        /* of the expected size: rows that gave way by more are named */
#define ALONE 0.5         /* of the largest part, where none is that large: rows that gave way by more are named then */
#define EXACT 1e-2 /* of the tolerance: errors of all products add up in the amounts, from which the inputs follow */
#define EXACT_LEAST 1e-12
#define LAST_BARRIER 1e-4  /* of the tolerance, as in control/controller_solve.c */
#define LAST_ITERATIONS 10 /* it takes one to three */
#define PROXIMITY 1e-6     /* weight of the distance to the guess: it decides where nothing else does */

typedef struct softening {
    dd_ocp *p;
    const dd_ocp_again *how;
    dd_pool *pool;
    dd_soft_groups group;
    double *amount; /* groups: in the program's own scale */
    double moved;
    uint32_t iterations; /* of all solves */
    double *found;       /* the point with the smallest amounts */
    const char *names;
} softening;

static void group_variables(const dd_soft_groups *g, uint32_t first, uint32_t count, uint32_t group)
{
    for (uint32_t i = 0; i < count; i++) {
        g->variable[first + i] = group + i;
    }
}

dd_soft_groups dd_soft_groups_of(const dd_transcription *t, dd_pool *pool)
{
    const dd_ocp_problem *o = t->o;
    const uint32_t n = t->nlp->n, m = t->nlp->m, x = o->path.len, z = x + o->x.len;
    dd_soft_groups g = {.count = z + o->z.len};
    g.row = dd_pool_alloc_array(pool, (size_t)m + 1, sizeof *g.row);
    g.variable = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *g.variable);
    g.size = dd_pool_alloc_array(pool, (size_t)g.count + 1, sizeof *g.size);
    memset(g.row, 0xff, (size_t)m * sizeof *g.row);
    memset(g.variable, 0xff, (size_t)n * sizeof *g.variable);
    /* equalities stay: no motion would be left */
    for (uint32_t row = 0; row < m; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if (tag->kind == DD_ROW_PATH && o->path.data[tag->index].lower != o->path.data[tag->index].upper) {
            g.row[row] = tag->index;
        }
    }
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        group_variables(&g, t->x_at[k], o->x.len, x);
        for (uint32_t j = 1; k < t->mesh.n && j <= t->mesh.degree[k]; j++) {
            const uint32_t at = t->point_at[k * DD_DEGREE_MOST + j - 1];
            group_variables(&g, at, o->x.len, x);
            group_variables(&g, at + o->x.len, o->z.len, z);
        }
    }
    for (uint32_t i = 0; i < g.count; i++) {
        g.size[i] = i < x ? fmax(1, o->path.data[i].value) : 1;
    }
    return g;
}

/* The variable of a group; NULL: a path row. */
static const dd_decision *decision_of(const dd_ocp_problem *o, uint32_t group)
{
    const uint32_t k = group - o->path.len;
    return group < o->path.len ? NULL : k < o->x.len ? &o->x.data[k] : &o->z.data[k - o->x.len];
}

double dd_soft_unit(const dd_ocp_problem *o, uint32_t group)
{
    const dd_decision *d = decision_of(o, group);
    return d == NULL ? 1 : d->scale * dd_ocp_bound_factor(o, d);
}

const char *dd_soft_name(const dd_ocp_problem *o, uint32_t group, bool upper, dd_pool *pool)
{
    const dd_decision *d = decision_of(o, group);
    const char *from = d == NULL ? o->path.data[group].name : upper ? d->upper_from : d->lower_from;
    return from != NULL || d == NULL ? from : dd_model_var_name_dup(o->model, d->var, pool);
}

static void release(void *elastic)
{
    dd_elastic_free(elastic);
}

/* The smallest amounts, into s->amount. False: there is no motion even so. */
static bool find_amounts(softening *s)
{
    dd_ocp *p = s->p;
    const dd_nlp *nlp = p->transcription->nlp;
    double *weight = dd_pool_alloc_array(s->pool, (size_t)s->group.count + 1, sizeof *weight);
    for (uint32_t i = 0; i < s->group.count; i++) {
        weight[i] = 1;
    }
    const dd_elastic_spec spec = {.groups = s->group.count,
                                  .weight = weight,
                                  .unit = s->group.size,
                                  .row_lower = s->group.row,
                                  .row_upper = s->group.row,
                                  .variable_lower = s->group.variable,
                                  .variable_upper = s->group.variable,
                                  .reference = p->result.x,
                                  .proximity = PROXIMITY};
    dd_elastic *elastic;
    dd_status st = dd_elastic_new(&elastic, p->ctx, nlp, &spec);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_status_text(st));
    }
    dd_pool_keep(s->pool, elastic, release);
    /* from the guess, with amounts of one size */
    const dd_nlp *soft = dd_elastic_nlp(elastic);
    dd_nlp_result r = {.x = dd_pool_alloc_array(s->pool, (size_t)soft->n + 1, sizeof(double)),
                       .lambda = dd_pool_alloc_array(s->pool, (size_t)soft->m + 1, sizeof(double)),
                       .z_lower = dd_pool_alloc_array(s->pool, (size_t)soft->n + 1, sizeof(double)),
                       .z_upper = dd_pool_alloc_array(s->pool, (size_t)soft->n + 1, sizeof(double))};
    memcpy(r.x, p->result.x, nlp->n * sizeof *r.x);
    for (uint32_t i = 0; i < s->group.count; i++) {
        r.x[nlp->n + i] = 1;
    }
    dd_nlp_options options = dd_ocp_solver_options(p);
    options.tolerance = fmax(EXACT * p->options.tolerance, EXACT_LEAST);
    options.max_iterations = s->how->max_iterations;
    options.max_seconds = s->how->max_seconds;
    st = dd_nlp_solve(p->ctx, soft, &options, &r);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    s->iterations += r.iterations;
    for (uint32_t i = 0; i < s->group.count; i++) {
        s->amount[i] = fmax(0, r.x[nlp->n + i]) * s->group.size[i];
    }
    memcpy(p->result.x, r.x, nlp->n * sizeof *r.x);
    return r.status == DD_NLP_OPTIMAL || r.status == DD_NLP_ACCEPTABLE;
}

static double largest_part(const softening *s)
{
    double largest = 0;
    for (uint32_t i = 0; i < s->group.count; i++) {
        largest = fmax(largest, s->amount[i] / s->group.size[i]);
    }
    return largest;
}

static void open_rows(const softening *s)
{
    dd_elements *e = s->p->transcription->elements;
    const dd_nlp *nlp = s->p->transcription->nlp;
    double *lower = dd_elements_row_lower(e), *upper = dd_elements_row_upper(e);
    for (uint32_t row = 0; row < nlp->m; row++) {
        const uint32_t g = s->group.row[row];
        const double by = g != DD_ELASTIC_HARD ? OPENED * s->amount[g] + OPENED_LEAST * s->group.size[g] : 0;
        lower[row] -= by;
        upper[row] += by;
    }
    lower = dd_elements_lower(e);
    upper = dd_elements_upper(e);
    for (uint32_t i = 0; i < nlp->n; i++) {
        const uint32_t g = s->group.variable[i];
        const double by = g != DD_ELASTIC_HARD ? OPENED * s->amount[g] + OPENED_LEAST * s->group.size[g] : 0;
        lower[i] -= by;
        upper[i] += by;
    }
}

/* Of a variable with two bounds, which one gave way: the one that the point with the smallest amounts is nearer to, or beyond. */
static bool is_upper(const softening *s, uint32_t group)
{
    const dd_nlp *nlp = s->p->transcription->nlp;
    const double *x = s->p->result.x;
    double below = -INFINITY, above = -INFINITY;
    for (uint32_t i = 0; i < nlp->n; i++) {
        if (s->group.variable[i] == group) {
            below = fmax(below, nlp->x_lower[i] - x[i]);
            above = fmax(above, x[i] - nlp->x_upper[i]);
        }
    }
    return above > below;
}

/* "s <= 1 by 0.02, x by 0.1", in the user's units: the rows that gave way by more than this part of their size. */
static void name_rows(softening *s, double least)
{
    const dd_ocp_problem *o = s->p->problem;
    dd_text text = dd_text_new(s->p->pool);
    for (uint32_t i = 0; i < s->group.count; i++) {
        if (s->amount[i] > least * s->group.size[i]) {
            const double amount = s->amount[i] * dd_soft_unit(o, i);
            dd_text_printf(&text, "%s%s by %.3g", text.len > 0 ? ", " : "",
                           dd_soft_name(o, i, is_upper(s, i), s->p->pool), amount);
            s->moved = fmax(s->moved, amount);
        }
    }
    s->names = dd_text_str(&text);
}

/* The cost with the rows as they are now, from the point with the smallest amounts; its multipliers are not known. */
static void run_opened(softening *s)
{
    const dd_nlp *nlp = s->p->transcription->nlp;
    const dd_nlp_result *r = &s->p->result;
    memset(r->lambda, 0, nlp->m * sizeof *r->lambda);
    memset(r->z_lower, 0, nlp->n * sizeof *r->z_lower);
    memset(r->z_upper, 0, nlp->n * sizeof *r->z_upper);
    dd_ocp_again how = *s->how;
    how.barrier = how.barrier > 0 ? how.barrier : 0.1;
    dd_ocp_run_program(s->p, nlp, &how);
    /* once more with the last barrier of other samples: inputs beside bounds with small multipliers are far from them else */
    s->iterations += r->iterations;
    if (r->status == DD_NLP_OPTIMAL) {
        dd_ocp_copy_plan(s->p, s->found, false);
        how.barrier = LAST_BARRIER * s->p->options.tolerance;
        how.max_iterations = LAST_ITERATIONS;
        dd_ocp_run_program(s->p, nlp, &how);
        if (r->status != DD_NLP_OPTIMAL) {
            dd_ocp_copy_plan(s->p, s->found, true);
            s->p->result.status = DD_NLP_OPTIMAL;
        }
        s->iterations += r->iterations;
    }
}

static void soften_body(void *user)
{
    softening *s = user;
    dd_ocp *p = s->p;
    s->pool = dd_pool_child(p->pool);
    dd_ocp_refresh(p);
    s->group = dd_soft_groups_of(p->transcription, s->pool);
    s->amount = dd_pool_alloc_array(s->pool, (size_t)s->group.count + 1, sizeof *s->amount);
    s->found = dd_pool_alloc_array(s->pool, dd_ocp_plan_length(p) + 1, sizeof *s->found);
    if (find_amounts(s)) {
        dd_ocp_copy_plan(p, s->found, false);
        name_rows(s, NAMED);
        if (s->moved > 0) {
            open_rows(s);
        }
        run_opened(s);
        /* feasible as it is, says the elastic program, but for amounts that are too small to name: then for these */
        if (s->moved == 0 && p->result.status != DD_NLP_OPTIMAL && p->result.status != DD_NLP_ACCEPTABLE) {
            dd_ocp_copy_plan(p, s->found, true);
            name_rows(s, largest_part(s) * ALONE);
            open_rows(s);
            run_opened(s);
        }
    } else {
        p->result.status = DD_NLP_INFEASIBLE;
    }
    p->result.iterations = s->iterations;
    p->bounds_set = true; /* the next solve has all rows as they were */
    dd_pool_free(s->pool);
}

dd_status dd_ocp_solve_softened(dd_ocp *p, const dd_ocp_again *how, double *moved, const char **names)
{
    const double began = dd_clock_seconds();
    softening s = {.p = p, .how = how, .names = ""};
    const dd_status st = dd_protect(p->ctx, soften_body, &s);
    if (st == DD_OK) {
        dd_ocp_tell_again(p, began);
    }
    if (moved != NULL) {
        *moved = s.moved;
    }
    if (names != NULL) {
        *names = s.names;
    }
    return st;
}
