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
#define PROXIMITY 1e-6    /* weight of the distance to the guess: it decides where nothing else does */

typedef struct softening {
    dd_ocp *p;
    const dd_ocp_again *how;
    dd_pool *pool;
    uint32_t groups;     /* path rows, then x, then z */
    uint32_t *row_group; /* m, n: the group of a row or variable, DD_ELASTIC_HARD */
    uint32_t *variable_group;
    double *size, *amount; /* groups: in the program's own scale */
    double moved;
    double *found; /* the point with the smallest amounts */
    const char *names;
} softening;

static void group_variables(softening *s, uint32_t first, uint32_t count, uint32_t group)
{
    for (uint32_t i = 0; i < count; i++) {
        s->variable_group[first + i] = group + i;
    }
}

static void make_groups(softening *s)
{
    const dd_transcription *t = s->p->transcription;
    const dd_ocp_problem *o = t->o;
    const uint32_t n = t->nlp->n, m = t->nlp->m, x = o->path.len, z = x + o->x.len;
    s->groups = z + o->z.len;
    s->row_group = dd_pool_alloc_array(s->pool, (size_t)m + 1, sizeof *s->row_group);
    s->variable_group = dd_pool_alloc_array(s->pool, (size_t)n + 1, sizeof *s->variable_group);
    s->size = dd_pool_alloc_array(s->pool, (size_t)s->groups + 1, sizeof *s->size);
    s->amount = dd_pool_alloc_array(s->pool, (size_t)s->groups + 1, sizeof *s->amount);
    memset(s->row_group, 0xff, (size_t)m * sizeof *s->row_group);
    memset(s->variable_group, 0xff, (size_t)n * sizeof *s->variable_group);
    /* equalities stay: no motion would be left */
    for (uint32_t row = 0; row < m; row++) {
        const dd_row_tag *tag = &t->tags.data[row];
        if (tag->kind == DD_ROW_PATH && o->path.data[tag->index].lower != o->path.data[tag->index].upper) {
            s->row_group[row] = tag->index;
        }
    }
    for (uint32_t k = 0; k <= t->mesh.n; k++) {
        group_variables(s, t->x_at[k], o->x.len, x);
        for (uint32_t j = 1; k < t->mesh.n && j <= t->mesh.degree[k]; j++) {
            const uint32_t at = t->point_at[k * DD_DEGREE_MOST + j - 1];
            group_variables(s, at, o->x.len, x);
            group_variables(s, at + o->x.len, o->z.len, z);
        }
    }
    for (uint32_t i = 0; i < s->groups; i++) {
        s->size[i] = i < x ? fmax(1, o->path.data[i].value) : 1;
    }
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
    double *weight = dd_pool_alloc_array(s->pool, (size_t)s->groups + 1, sizeof *weight);
    for (uint32_t i = 0; i < s->groups; i++) {
        weight[i] = 1;
    }
    const dd_elastic_spec spec = {.groups = s->groups,
                                  .weight = weight,
                                  .unit = s->size,
                                  .row_lower = s->row_group,
                                  .row_upper = s->row_group,
                                  .variable_lower = s->variable_group,
                                  .variable_upper = s->variable_group,
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
    for (uint32_t i = 0; i < s->groups; i++) {
        r.x[nlp->n + i] = 1;
    }
    dd_nlp_options options = dd_ocp_solver_options(p);
    options.tolerance = fmax(p->options.tolerance, NAMED * 0.1);
    options.max_iterations = p->options.max_iterations;
    options.max_seconds = s->how->max_seconds;
    st = dd_nlp_solve(p->ctx, soft, &options, &r);
    if (st != DD_OK) {
        dd_raise(p->ctx, st, "%s", dd_pool_strdup(p->pool, dd_context_message(p->ctx)));
    }
    for (uint32_t i = 0; i < s->groups; i++) {
        s->amount[i] = fmax(0, r.x[nlp->n + i]) * s->size[i];
    }
    memcpy(p->result.x, r.x, nlp->n * sizeof *r.x);
    return r.status == DD_NLP_OPTIMAL || r.status == DD_NLP_ACCEPTABLE;
}

static double largest_part(const softening *s)
{
    double largest = 0;
    for (uint32_t i = 0; i < s->groups; i++) {
        largest = fmax(largest, s->amount[i] / s->size[i]);
    }
    return largest;
}

static void open_rows(const softening *s)
{
    dd_elements *e = s->p->transcription->elements;
    const dd_nlp *nlp = s->p->transcription->nlp;
    double *lower = dd_elements_row_lower(e), *upper = dd_elements_row_upper(e);
    for (uint32_t row = 0; row < nlp->m; row++) {
        const uint32_t g = s->row_group[row];
        const double by = g != DD_ELASTIC_HARD ? OPENED * s->amount[g] + OPENED_LEAST * s->size[g] : 0;
        lower[row] -= by;
        upper[row] += by;
    }
    lower = dd_elements_lower(e);
    upper = dd_elements_upper(e);
    for (uint32_t i = 0; i < nlp->n; i++) {
        const uint32_t g = s->variable_group[i];
        const double by = g != DD_ELASTIC_HARD ? OPENED * s->amount[g] + OPENED_LEAST * s->size[g] : 0;
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
        if (s->variable_group[i] == group) {
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
    for (uint32_t i = 0; i < s->groups; i++) {
        const uint32_t k = i - o->path.len;
        const bool path = i < o->path.len, state = !path && k < o->x.len;
        const dd_decision *d = path ? NULL : state ? &o->x.data[k] : &o->z.data[k - o->x.len];
        const double amount = s->amount[i] * (path ? 1 : d->scale * dd_ocp_bound_factor(o, d));
        if (s->amount[i] <= least * s->size[i]) {
            continue;
        }
        const char *from = path ? o->path.data[i].name : is_upper(s, i) ? d->upper_from : d->lower_from;
        const char *name = from != NULL || path ? from : dd_model_var_name_dup(o->model, d->var, s->p->pool);
        dd_text_printf(&text, "%s%s by %.3g", text.len > 0 ? ", " : "", name, amount);
        s->moved = fmax(s->moved, amount);
    }
    s->names = dd_text_str(&text);
}

/* The cost with the rows as they are now, from the point with the smallest amounts; its multipliers are not known. */
static void run_opened(const softening *s)
{
    const dd_nlp *nlp = s->p->transcription->nlp;
    const dd_nlp_result *r = &s->p->result;
    memset(r->lambda, 0, nlp->m * sizeof *r->lambda);
    memset(r->z_lower, 0, nlp->n * sizeof *r->z_lower);
    memset(r->z_upper, 0, nlp->n * sizeof *r->z_upper);
    dd_ocp_again how = *s->how;
    how.barrier = how.barrier > 0 ? how.barrier : 0.1;
    dd_ocp_run_program(s->p, nlp, &how);
}

static void soften_body(void *user)
{
    softening *s = user;
    dd_ocp *p = s->p;
    s->pool = dd_pool_child(p->pool);
    dd_ocp_refresh(p);
    make_groups(s);
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
