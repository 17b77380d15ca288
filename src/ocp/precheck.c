/* precheck.c - contradictions that are there before any solve: bounds against bounds, the start against what holds at
 * all times, and every row against the bounds of its variables (range.h). */
#include "ocp/precheck.h"

#include <math.h>
#include <string.h>

#include "ocp/known.h"
#include "ocp/shooting.h"

enum { SAMPLES = 20, MOST_PAIRED = 60, MOST_NAMED = 3 };
#define ROOM 1e-7          /* a row that fails by less, relative, is left to the solver */
#define ROOM_AT_START 1e-6 /* relative: a start that was computed meets bounds to this */
#define INSIDE 1e-2        /* scaled: as far as solvers begin inside bounds (W&B section 3.6) */
#define SAME_NUMBER 1e-12  /* width of a range that is one number but for rounding */

bool dd_ocp_refuse(dd_ocp *p, dd_ocp_status status, const char *reason)
{
    p->info.status = status;
    p->info.reason = reason;
    return false;
}

/* ---- bounds ---- */

static const char *name_of(const dd_ocp_problem *o, const dd_decision *d)
{
    const char *name = dd_model_var_name_dup(o->model, d->var, o->pool);
    return d->order > 0 ? dd_pool_printf(o->pool, "der(%s)", name) : name;
}

const char *dd_ocp_bound_name(const dd_ocp_problem *o, const dd_decision *d, bool upper)
{
    const char *from = upper ? d->upper_from : d->lower_from;
    return from != NULL ? from
                        : dd_pool_printf(o->pool, upper ? "%s <= %g (its max)" : "%s >= %g (its min)", name_of(o, d),
                                         upper ? d->upper : d->lower);
}

/* min > max cannot be met by anything. */
static bool check_bounds(dd_ocp *p, const dd_decision_vec *list)
{
    const dd_ocp_problem *o = p->problem;
    /* between min and max, or between constraints that became bounds */
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_decision *d = &list->data[i];
        if (d->lower <= d->upper) {
            continue;
        }
        if (d->lower_from == NULL && d->upper_from == NULL) {
            return dd_ocp_refuse(
                p, DD_OCP_INFEASIBLE,
                dd_pool_printf(p->pool, "%s has min = %g above max = %g", name_of(o, d), d->lower, d->upper));
        }
        return dd_ocp_refuse(p, DD_OCP_INFEASIBLE,
                             dd_pool_printf(p->pool, "%s and %s contradict each other at all times",
                                            dd_ocp_bound_name(o, d, false), dd_ocp_bound_name(o, d, true)));
    }
    return true;
}

/* A start that is given must lie within the bounds that hold at all times. */
static bool check_start(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    for (uint32_t i = 0; i < o->x.len && o->start_known; i++) {
        const dd_decision *d = &o->x.data[i];
        /* start values are rounded where they were computed */
        double room = ROOM_AT_START * fmax(d->scale, fabs(o->x_start[i]));
        bool low = o->x_start[i]<d->lower - room, high = o->x_start[i]> d->upper + room;
        if (low || high) {
            return dd_ocp_refuse(p, DD_OCP_INFEASIBLE,
                                 dd_pool_printf(p->pool, "%s starts at %g, but %s must hold at all times",
                                                name_of(o, d), o->x_start[i], dd_ocp_bound_name(o, d, high)));
        }
    }
    return true;
}

static bool check_times(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    /* reversed bounds, then a horizon that cannot have a length */
    const char *which = o->tf_lower > o->tf_upper ? "finalTime" : o->t0_lower > o->t0_upper ? "startTime" : NULL;
    if (which != NULL) {
        bool end = o->tf_lower > o->tf_upper;
        return dd_ocp_refuse(p, DD_OCP_INFEASIBLE,
                             dd_pool_printf(p->pool, "%s has min = %g above max = %g", which,
                                            end ? o->tf_lower : o->t0_lower, end ? o->tf_upper : o->t0_upper));
    }
    if (o->tf_upper <= o->t0_lower) {
        return dd_ocp_refuse(p, DD_OCP_INFEASIBLE,
                             dd_pool_printf(p->pool, "finalTime is %g%s, which is not after startTime, %g", o->tf_upper,
                                            o->free_tf ? " at most" : "", o->t0_lower));
    }
    return true;
}

bool dd_ocp_check_problem(dd_ocp *p)
{
    const dd_ocp_problem *o = p->problem;
    /* contradictions found while the problem was set up, then bounds */
    if (o->reason != NULL) {
        dd_ocp_status status = o->not_finite   ? DD_OCP_EVALUATION_ERROR
                               : o->infeasible ? DD_OCP_INFEASIBLE
                                               : DD_OCP_INVALID_MODEL;
        return dd_ocp_refuse(p, status, o->reason);
    }
    return check_times(p) && check_bounds(p, &o->x) && check_bounds(p, &o->z) && check_bounds(p, &o->u) &&
           check_bounds(p, &o->p) && check_start(p);
}

/* ---- rows over bounds ---- */

typedef struct checker {
    dd_ocp *p;
    dd_ocp_problem *o;
    dd_known known;
} checker;

/* By how much a row fails whatever is chosen; 0 or less: it may hold. */
static double shortfall(checker *c, const dd_ocp_row *row)
{
    /* interval arithmetic over the bounds of everything the row contains */
    dd_range r = dd_known_range(&c->known, row->e);
    double low = row->dropped ? row->guard_lower : row->lower, high = row->dropped ? row->guard_upper : row->upper;
    /* disjoint from [low, high] by more than rounding */
    double off = fmax(low - r.high, r.low - high);
    double size = fmax(isfinite(r.low) ? fabs(r.low) : 0, isfinite(r.high) ? fabs(r.high) : 0);
    return off > ROOM * fmax(1, size) ? off : 0;
}

/* " within x <= 2 and u >= 0": the bounds that a row has to do with. */
static const char *bounds_words(checker *c, dd_expr e)
{
    const dd_ocp_problem *o = c->o;
    dd_text text = dd_text_new(o->pool);
    dd_expr_vec symbols = {0};
    uint32_t shown = 0;
    /* the finite bounds behind a verdict, at most three */
    dd_symbols(o->dag, e, true, &symbols, c->known.pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const dd_decision *d = dd_known_decision(&c->known, symbols.data[i]);
        for (int side = 0; side < 2 && d != NULL && shown < MOST_NAMED; side++) {
            if (isfinite(side == 0 ? d->lower : d->upper)) {
                dd_text_add(&text, shown++ == 0 ? " with " : " and ");
                dd_text_add(&text, dd_ocp_bound_name(o, d, side == 1));
            }
        }
    }
    return dd_text_str(&text);
}

static bool refuse_row(checker *c, const dd_ocp_row *row, double off, const char *when)
{
    const char *bounds = bounds_words(c, row->e);
    return dd_ocp_refuse(c->p, DD_OCP_INFEASIBLE,
                         dd_pool_printf(c->p->pool, "%s cannot hold%s%s: it fails by %.3g at least, whatever is chosen",
                                        row->name, when, bounds, off));
}

/* A row in states must hold at the start as well. */
static bool check_row_at_start(checker *c, const dd_ocp_row *row)
{
    const dd_ocp_problem *o = c->o;
    /* equalities are for the ranking; rows with controls alone do not know the start */
    if (!o->start_known || row->at_points || row->of_control || row->lower == row->upper) {
        return true;
    }
    c->known.start = o->x_start;
    c->known.time = (dd_range){o->t0_value, o->t0_value};
    double off = shortfall(c, row);
    bool fine = off == 0 || refuse_row(c, row, off, " at the given start");
    c->known.start = NULL;
    return fine;
}

static bool check_path_row(checker *c, const dd_ocp_row *row)
{
    const dd_ocp_problem *o = c->o;
    /* over the whole horizon at once */
    c->known.time = (dd_range){o->t0_lower, o->tf_upper};
    double off = shortfall(c, row);
    if (off > 0) {
        return refuse_row(c, row, off, "");
    }
    /* explicit in time: at single times the range is narrower */
    for (uint32_t i = 1; i <= SAMPLES && !o->free_t0 && !o->free_tf && dd_depends(o->dag, row->e, o->time); i++) {
        double t = o->t0_value + (o->tf_value - o->t0_value) * i / SAMPLES;
        c->known.time = (dd_range){t, t};
        off = shortfall(c, row);
        if (off > 0) {
            return refuse_row(c, row, off, dd_pool_printf(o->pool, " at time %.4g", t));
        }
    }
    return check_row_at_start(c, row);
}

/* An inequality that the bounds alone guarantee. */
static void note_idle(checker *c, const dd_ocp_row *row)
{
    c->known.time = (dd_range){c->o->t0_lower, c->o->tf_upper};
    /* a range inside the bounds: the row is idle */
    dd_range r = dd_known_range(&c->known, row->e);
    if (row->lower != row->upper && !row->dropped && r.low >= row->lower && r.high <= row->upper) {
        const char *words =
            dd_pool_printf(c->o->pool, "%s always holds%s: it has no effect", row->name, bounds_words(c, row->e));
        dd_vec_push(c->o->pool, &c->o->messages, words);
    }
}

/* ---- pairs of rows ---- */

/* e of a and sign * e of b differ by a number: then each bounds the other. */
static bool contradict(checker *c, const dd_ocp_row *a, const dd_ocp_row *b, int sign, double *off)
{
    dd_dag *dag = c->o->dag;
    /* the difference, or the sum, is a number: each row bounds the other */
    dd_range d = dd_known_range(&c->known, sign > 0 ? dd_sub(dag, a->e, b->e) : dd_add(dag, a->e, b->e));
    if (!(d.high - d.low <= SAME_NUMBER * fmax(1, fabs(d.low)))) {
        return false;
    }
    /* bounds of b in terms of a's expression */
    double low = d.low + (sign > 0 ? b->lower : -b->upper), high = d.low + (sign > 0 ? b->upper : -b->lower);
    *off = fmax(a->lower, low) - fmin(a->upper, high);
    return *off > ROOM * fmax(1, fabs(d.low));
}

static bool check_pairs(checker *c, const dd_ocp_row_vec *rows, const char *when)
{
    /* quadratic in the number of rows, so only for few of them */
    for (uint32_t i = 0; i < rows->len && rows->len <= MOST_PAIRED; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const dd_ocp_row *a = &rows->data[k], *b = &rows->data[i];
            double off;
            if (!a->dropped && !b->dropped && (contradict(c, a, b, 1, &off) || contradict(c, a, b, -1, &off))) {
                return dd_ocp_refuse(c->p, DD_OCP_INFEASIBLE,
                                     dd_pool_printf(c->p->pool, "%s contradicts %s%s: together they fail by %.3g",
                                                    b->name, a->name, when, off));
            }
        }
    }
    return true;
}

static bool occurs(const dd_expr_vec *symbols, dd_expr symbol)
{
    for (uint32_t i = 0; i < symbols->len; i++) {
        if (symbols->data[i] == symbol) {
            return true;
        }
    }
    return false;
}

/* Controls that neither the model nor cost and constraints contain: the result has values of them all the same. */
static void note_unused_controls(dd_ocp_problem *o, dd_pool *scratch)
{
    dd_expr_vec all = {0}, symbols = {0};
    /* all that holds along the motion, then what holds at instants */
    dd_vec_push(scratch, &all, o->integrand != DD_EXPR_NONE ? o->integrand : o->time);
    dd_vec_push(scratch, &all, o->mayer != DD_EXPR_NONE ? o->mayer : o->time);
    for (uint32_t i = 0; i < o->f.len; i++) {
        dd_vec_push(scratch, &all, o->f.data[i]);
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        dd_vec_push(scratch, &all, o->g.data[i]);
    }
    for (uint32_t i = 0; i < o->path.len; i++) {
        dd_vec_push(scratch, &all, o->path.data[i].e);
    }
    for (uint32_t i = 0; i < o->points.len; i++) {
        dd_vec_push(scratch, &all, o->points.data[i].e);
    }
    dd_symbols_of_all(o->dag, all.data, all.len, true, &symbols, scratch);
    for (uint32_t j = 0; j < o->u.len; j++) {
        bool used = occurs(&symbols, o->u.data[j].symbol);
        for (uint32_t i = 0; i < o->instants.len && !used; i++) {
            const dd_expr_vec *there = &o->instants.data[i].u;
            used = j < there->len && occurs(&symbols, there->data[j]);
        }
        if (!used) {
            const char *words =
                dd_pool_printf(o->pool,
                               "nothing depends on the input %s: all values of it are as good as the one "
                               "that is reported",
                               name_of(o, &o->u.data[j]));
            dd_vec_push(o->pool, &o->messages, words);
        }
    }
}

bool dd_ocp_check_rows(dd_ocp *p)
{
    dd_ocp_problem *o = p->problem;
    dd_pool *scratch = dd_pool_child(p->pool);
    checker c = {.p = p, .o = o, .known = dd_known_new(o, scratch)};
    bool fine = true;
    /* single rows at all times, at points, then pairs; remarks only when all is fine */
    for (uint32_t i = 0; i < o->path.len && fine; i++) {
        fine = check_path_row(&c, &o->path.data[i]);
    }
    c.known.time = (dd_range){o->t0_lower, o->tf_upper};
    for (uint32_t i = 0; i < o->points.len && fine; i++) {
        double off = shortfall(&c, &o->points.data[i]);
        fine = off == 0 || refuse_row(&c, &o->points.data[i], off, "");
    }
    fine = fine && check_pairs(&c, &o->path, " at all times") && check_pairs(&c, &o->points, "");
    for (uint32_t i = 0; i < o->path.len && fine; i++) {
        note_idle(&c, &o->path.data[i]);
    }
    for (uint32_t i = 0; i < o->points.len && fine; i++) {
        note_idle(&c, &o->points.data[i]);
    }
    if (fine) {
        note_unused_controls(o, scratch);
    }
    dd_pool_free(scratch);
    return fine;
}

/* ---- the guess ---- */

/* Do all functions have values at y? */
static bool has_values(dd_ocp *p, const double *y)
{
    dd_transcription *t = p->transcription;
    uint32_t family, point, output;
    return !dd_elements_nonfinite(t->elements, y, &family, &point, &output) &&
           (t->shooting == NULL || dd_shooting_failure(t->shooting, y, "") == NULL);
}

/* The guess a little inside its bounds, where solvers begin anyway: on them log(c), c >= 0, has no value. False: it has none
 * there either. */
static bool leave_bounds(dd_ocp *p)
{
    const dd_nlp *nlp = p->transcription->nlp;
    double *y = dd_pool_alloc_array(p->mesh_pool, (size_t)nlp->n + 1, sizeof *y);
    for (uint32_t i = 0; i < nlp->n; i++) {
        const double low = nlp->x_lower[i], high = nlp->x_upper[i], width = fmin(1, high - low);
        y[i] = fmax(p->result.x[i], isfinite(low) ? low + INSIDE * width : -INFINITY);
        y[i] = fmin(y[i], isfinite(high) ? high - INSIDE * width : INFINITY);
    }
    const bool fine = has_values(p, y);
    if (fine && nlp->n > 0) {
        memcpy(p->result.x, y, nlp->n * sizeof *y);
    }
    return fine;
}

bool dd_ocp_check_guess(dd_ocp *p)
{
    dd_transcription *t = p->transcription;
    uint32_t family, point, output;
    if (has_values(p, p->result.x) || leave_bounds(p)) {
        return true;
    }
    /* which of the functions */
    if (!dd_elements_nonfinite(t->elements, p->result.x, &family, &point, &output)) {
        const char *reason =
            t->shooting != NULL ? dd_shooting_failure(t->shooting, p->result.x, " of the guess") : NULL;
        return reason == NULL || dd_ocp_refuse(p, DD_OCP_EVALUATION_ERROR, reason);
    }
    return dd_ocp_refuse(p, DD_OCP_EVALUATION_ERROR,
                         dd_transcription_nonfinite_words(t, p->result.x, family, point, output, " of the guess"));
}
