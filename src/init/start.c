/* start.c - consistent initial values: conditions, completion, solution, and the messages about them.
 *
 * The rank decisions need a point and the point needs the decisions: they are made at the point of the analysis, the
 * system is solved, and where they would be different at the solution they are made again there.
 */
#include "init/start.h"

#include <math.h>
#include <string.h>

#include "init/start_impl.h"
#include "structure/impossible.h"
#include "structure/point.h"

dd_start_options dd_start_options_default(void)
{
    return (dd_start_options){.tol = 1e-6};
}

/* ---- preparing ---- */

static void fill_guess(start_work *w)
{
    const dd_system *s = w->s;
    /* written starts and defaults at order 0; higher derivatives follow along the equations */
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        w->guess[(size_t)j * w->stride] = v->has_start ? v->start_value : dd_start_default(s, j);
    }
    dd_point_spread(s, w->numeric, w->stride, w->guess, NULL);
}

static void prepare(start_work *w)
{
    const dd_system *s = w->s;
    /* rows first: initial equations with der() of an algebraic variable raise the order of everything (w->extra) */
    w->numeric = dd_numeric_new(s, &s->eqs, &s->inc, w->scratch);
    dd_numeric_set_outside(w->numeric, &w->at);
    dd_start_collect_rows(w);
    dd_start_collect_relations(w);
    /* unknowns are the derivatives x_j^(m), m <= d_j + extra, numbered column by column */
    w->shape = dd_tangent_new(s, w->numeric, s->off.d, w->extra, w->scratch);
    w->conditions = dd_tangent_conditions(&w->shape, s->point.x, s->point.order + 1, w->scratch);
    w->stride = s->off.max_d + w->extra + 2;
    w->guess = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * w->stride + 1, sizeof *w->guess);
    w->x = dd_pool_alloc_array(w->pool, (size_t)s->ncols * w->stride + 1, sizeof *w->x);
    w->held = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->held);
    w->value = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->value);
    w->speed = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->speed);
    /* speeds among the columns: zero is a natural default for them */
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        if (s->velocity[v] != DD_NO_INDEX && s->column[s->velocity[v]] != DD_NO_INDEX) {
            w->speed[s->column[s->velocity[v]]] = true;
        }
    }
    for (uint32_t j = 0; j < s->ncols; j++) {
        w->value[j] = s->model->vars.data[s->unknown[j]].start_value;
    }
    fill_guess(w);
    dd_start_prepare_choice(w);
    w->out->x = w->x;
    w->out->stride = w->stride;
}

/* ---- the choice and its consequences ---- */

static void hold(start_work *w, const start_choice *c)
{
    /* a condition holds its column, unless it follows from others */
    memset(w->held, 0, (w->s->ncols + 1) * sizeof *w->held);
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        uint32_t col = w->conditions.data[i].col;
        if (col != DD_NO_INDEX) {
            w->held[col] = !c->dependent[i];
        }
    }
    /* starts and kept values are as given; speeds and defaults get the default value */
    const dd_index_vec *lists[] = {&c->starts, &c->kept, &c->zeros, &c->defaults};
    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            uint32_t col = lists[k]->data[i];
            w->held[col] = true;
            if (k > 1) {
                w->value[col] = dd_start_default(w->s, col);
            }
        }
    }
}

static bool refuse_missing(start_work *w, const start_choice *c)
{
    enum { MOST = 10 };
    const dd_system *s = w->s;
    /* no candidate would complete the conditions: the matrix lost rank at this very point */
    if (c->open.len == 0) {
        return dd_start_refuse(w,
                               "%u initial condition%s missing and no variable is free there: the equations are "
                               "singular at the start values, or dependent up to the rounding of their numbers "
                               "(inputs that are not given are 0)",
                               c->missing, c->missing > 1 ? "s are" : " is");
    }
    /* where no written start was taken, name all states that the analysis left open */
    const dd_index_vec *open = c->starts.len == 0 && s->free_choice.len > 0 ? &s->free_choice : &c->open;
    return dd_start_refuse(
        w,
        "%u initial condition%s missing: fix %u of %s, for example %s, or write start values for them; "
        "%s takes the default 0",
        c->missing, c->missing > 1 ? "s are" : " is", c->missing, dd_start_names(w, open->data, open->len, MOST),
        dd_start_names(w, c->open.data, c->open.len, MOST), dd_option_word(s->ctx, "--auto-init"));
}

/* ---- surplus conditions ---- */

/* Residual of a condition at x, and the size of its terms. */
static double condition_residual(start_work *w, uint32_t i, double *size)
{
    const dd_condition *c = &w->conditions.data[i];
    const dd_system *s = w->s;
    /* a fixed value: its own size; an initial equation: the size of the terms it is computed from */
    if (c->col != DD_NO_INDEX) {
        double x = w->x[(size_t)c->col * w->stride];
        *size = fmax(fmax(fabs(x), fabs(w->value[c->col])), s->size[c->col]);
        return x - w->value[c->col];
    }
    const dd_numeric_place at = {w->x, w->stride, w->at};
    double r = dd_numeric_value(s, w->rows.eqs.data[w->rows.n + c->row].residual, &at, size, w->scratch);
    *size = fmax(*size, 1e-3);
    return r;
}

static bool holds(start_work *w, uint32_t i)
{
    double size, r = condition_residual(w, i, &size);
    return fabs(r) <= w->o->tol * size;
}

static bool contradictory(start_work *w, const start_choice *c)
{
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (c->dependent[i] && !holds(w, i)) {
            return true;
        }
    }
    return false;
}

/* Solves with the choice. Conditions that were found dependent at another point and do not hold at the solution are
 * judged again there. */
static bool solve(start_work *w, start_choice *choice)
{
    enum { PASSES = 3 };
    /* decide, solve, and look whether the conditions dropped as dependent hold at the solution */
    for (int pass = 0;; pass++) {
        if (choice->missing > 0) {
            return refuse_missing(w, choice);
        }
        hold(w, choice);
        if (!dd_start_solve_settled(w, choice)) {
            return false;
        }
        /* dependent conditions that hold are merely redundant */
        if (pass == PASSES || !contradictory(w, choice)) {
            return true;
        }
        /* they depended on the others elsewhere only: decide again where the solution is */
        start_choice again = dd_start_choose_at(w, w->x, w->stride);
        if (dd_start_same_choice(w, choice, &again)) {
            return true;
        }
        *choice = again;
    }
}

/* Solves with another choice, which must be complete. */
static bool retry(start_work *w, start_choice *choice, start_choice other)
{
    if (other.missing > 0 || dd_start_same_choice(w, choice, &other) || !solve(w, &other) || contradictory(w, &other)) {
        return false;
    }
    *choice = other;
    return true;
}

/* Initial equations may be dependent where they do not hold (x = y^2, x*y = 1 at 0), and independent at their solution: with
 * the choice by pattern, if the ranks at its solution are those. */
static bool find_by_pattern(start_work *w, start_choice *choice)
{
    if (w->rows.eqs.len == w->rows.n || !w->pattern_decides || !retry(w, choice, dd_start_choose_by_pattern(w))) {
        return false;
    }
    const start_choice there = dd_start_choose_at(w, w->x, w->stride);
    return dd_start_same_choice(w, choice, &there);
}

/* Is nothing missing but a solution? Then what find_by_pattern said is the reason. */
static bool misses_a_solution(start_work *w, const start_choice *choice)
{
    const bool tried = w->rows.eqs.len > w->rows.n && w->pattern_decides && choice->missing > 0;
    return tried && dd_start_choose_by_pattern(w).missing == 0 && dd_start_pattern_is_generic(w);
}

/* Decides and solves; where that fails, once more with the decisions at the point of the analysis, and by pattern. */
static bool find(start_work *w, start_choice *choice)
{
    /* first at the start values, or near them */
    *choice = dd_start_choose(w);
    if (solve(w, choice)) {
        return !contradictory(w, choice) || find_by_pattern(w, choice) || solve(w, choice);
    }
    /* the first failure is the one to report: it belongs to the values as given */
    const char *reason = w->out->reason;
    if ((choice->missing == 0 && retry(w, choice, dd_start_choose_at(w, w->s->point.x, w->s->point.order + 1))) ||
        find_by_pattern(w, choice)) {
        w->out->reason = "";
        return true;
    }
    w->out->reason = misses_a_solution(w, choice) ? w->out->reason : reason;
    return false;
}

/* Fixed values that have no solution or contradict each other: the nearest ones that do not. What a point at the edge
 * (x = 1 on a circle) leaves open stays where it is there. */
static bool project(start_work *w, start_choice *choice, bool found)
{
    const dd_system *s = w->s;
    const char *reason = w->out->reason;
    /* without a consistent point there is nothing to project onto */
    if (!found && !s->point.consistent) {
        return false;
    }
    /* onto the set of solutions, from the solution of the other conditions or from the point of the analysis */
    double *x = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * w->stride + 1, sizeof *x);
    memcpy(x, w->x, (size_t)s->ncols * w->stride * sizeof *x);
    bool near = dd_start_project(w, choice, found ? x : s->point.x, found ? w->stride : s->point.order + 1);
    if (!near) {
        return found ? dd_start_refuse(w, "no consistent point near the fixed values was found") : false;
    }
    w->projected = true;
    /* values were moved: decide again at the projected point, and keep the values there that this leaves open */
    memcpy(w->guess, w->x, (size_t)s->ncols * w->stride * sizeof *w->guess);
    *choice = dd_start_choose_at(w, w->x, w->stride);
    for (uint32_t i = 0; i < choice->open.len; i++) {
        uint32_t col = choice->open.data[i];
        w->value[col] = w->x[(size_t)col * w->stride];
        dd_vec_push(w->scratch, &choice->kept, col);
    }
    /* all open columns are held now, so the system is square again */
    choice->missing -= choice->open.len;
    w->out->reason = reason;
    if (!solve(w, choice)) {
        return false;
    }
    w->out->reason = "";
    return true;
}

static bool refuse_contradiction(start_work *w, const start_choice *c)
{
    enum { MOST = 5 };
    dd_text text = dd_text_new(w->scratch);
    uint32_t count = 0, first = 0;
    /* every condition that was dropped and does not hold, the first few by name */
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (!c->dependent[i] || holds(w, i)) {
            continue;
        }
        first = count == 0 ? i : first;
        if (count++ < MOST) {
            double size, r = condition_residual(w, i, &size);
            dd_text_printf(&text, "%s%s (residual %s)", count > 1 ? ", " : "", w->conditions.data[i].text,
                           dd_start_number(w, r));
        }
    }
    if (count > MOST) {
        dd_text_printf(&text, " and %u more", count - MOST);
    }
    /* the conditions that the first of them depends on are the ones to free */
    const char *partners = dd_start_partners(w, first);
    const char *or_project =
        w->o->project ? ""
                      : dd_pool_printf(w->scratch, ", or let %s move them", dd_option_word(w->s->ctx, "--project"));
    return dd_start_refuse(w, "the initial conditions contradict the equations: %s; free one of: %s%s",
                           dd_text_str(&text), partners, or_project);
}

/* ---- messages ---- */

static void say_each(start_work *w, const dd_index_vec *cols, const char *what)
{
    enum { MOST = 100 };
    char number[32];
    for (uint32_t i = 0; i < cols->len && i < MOST; i++) {
        dd_start_say(w, "%s: %s = %s", what, dd_system_column_name(w->s, cols->data[i], w->scratch),
                     dd_number_text(w->value[cols->data[i]], number));
    }
    if (cols->len > MOST) {
        dd_start_say(w, "%s: %u more, from %s on", what, cols->len - MOST,
                     dd_system_column_name(w->s, cols->data[MOST], w->scratch));
    }
}

static void report(start_work *w, const start_choice *c)
{
    /* values that were given and not used; projected ones were reported already */
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (c->dependent[i] && !(w->projected && w->conditions.data[i].col != DD_NO_INDEX)) {
            dd_start_say(w, "dropped, it follows from the equations and the other conditions: %s",
                         w->conditions.data[i].text);
        }
    }
    say_each(w, &c->starts, "taken from its start value");
    say_each(w, &c->defaults, "taken from the default start value");
    say_each(w, &c->zeros, "taken from zero, no start value is written for this speed");
    say_each(w, &c->kept, "kept where the projection put it");
}

/* Start values that were asked for on the command line and turned out to be guesses only. */
static void report_unused(start_work *w)
{
    const dd_system *s = w->s;
    /* a value that the user set should not be ignored silently */
    for (uint32_t j = 0; j < s->declared; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        const double x = w->x[(size_t)j * w->stride];
        const bool applied = v->fixed || (w->held && w->held[j]);
        if (v->set_start && !applied && fabs(x - v->start_value) > w->o->tol * fmax(s->size[j], fabs(x))) {
            const char *name = dd_system_column_name(s, j, w->scratch);
            dd_start_say(w, "%s = %s, as set, was only a guess: %s starts at %s (fixed = true makes it a condition)",
                         name, dd_start_number(w, v->start_value), name, dd_start_number(w, x));
        }
    }
}

/* ---- systems that only the derivative array decided ---- */

static bool start_from_array(start_work *w)
{
    const dd_system *s = w->s;
    /* the point of the derivative array is the start: no square system exists that could be solved for another one */
    w->stride = s->point.order + 1;
    w->x = dd_pool_alloc_array(w->pool, (size_t)s->ncols * w->stride + 1, sizeof *w->x);
    memcpy(w->x, s->point.x, (size_t)s->ncols * w->stride * sizeof *w->x);
    w->out->x = w->x;
    w->out->stride = w->stride;
    dd_start_say(w, "the initial values are those of the point at which the index was decided by the derivative array");
    /* it has to agree with the fixed values */
    for (uint32_t j = 0; j < s->declared; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        double x = w->x[(size_t)j * w->stride];
        if (v->fixed && fabs(x - v->start_value) > w->o->tol * fmax(s->size[j], fabs(x))) {
            return dd_start_refuse(w, "no consistent point with %s = %s was found: it is %s at the nearest one",
                                   dd_system_column_name(s, j, w->scratch), dd_start_number(w, v->start_value),
                                   dd_start_number(w, x));
        }
    }
    /* values that nothing determines were chosen by the point */
    for (uint32_t i = 0; i < s->completion.len; i++) {
        uint32_t col = s->completion.data[i];
        dd_start_say(w, "taken from the consistent point: %s = %s", dd_system_column_name(s, col, w->scratch),
                     dd_start_number(w, w->x[(size_t)col * w->stride]));
    }
    report_unused(w);
    w->out->rates = true;
    w->out->no_derivative = "the start was found by the derivative array, which is not differentiated";
    return true;
}

/* ---- all together ---- */

static bool needs_rates(const start_work *w)
{
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        if (w->s->off.d[j] + w->extra == 0) {
            return true;
        }
    }
    return false;
}

/* No solution with the conditions that count, and there are more: these may be the better ones. */
static void mention_surplus(start_work *w, const start_choice *c)
{
    for (uint32_t i = 0; i < w->conditions.len && c->missing == 0; i++) {
        if (c->dependent[i]) {
            dd_start_refuse(w, "%s; there are more conditions than degrees of freedom: %s was not used", w->out->reason,
                            w->conditions.data[i].text);
            return;
        }
    }
}

static bool has_fixed(const start_work *w)
{
    return w->conditions.len > 0 && w->conditions.data[0].col != DD_NO_INDEX;
}

/* Is a value beyond all sizes of the model? Where y = 0 to rounding, y*vy = -1 has such a solution and none. */
static bool is_huge(const start_work *w)
{
    const double huge = 1e10;
    bool any = false;
    for (uint32_t col = 0; col < w->s->ncols; col++) {
        any = any || fabs(w->x[(size_t)col * w->stride]) > huge * w->s->size[col];
    }
    return any;
}

static bool start(start_work *w)
{
    const dd_system *s = w->s;
    if (s->verdict != DD_VERDICT_OK) {
        return dd_start_refuse(w, "%s", s->reason);
    }
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return start_from_array(w);
    }
    /* choose and solve; then, if allowed, the nearest consistent values */
    start_choice choice;
    prepare(w);
    bool found = find(w, &choice);
    if (w->o->project && has_fixed(w) && choice.missing == 0 && (!found || contradictory(w, &choice))) {
        found = project(w, &choice, found);
    }
    /* no solution, or one by rounding errors: a proof that there is none is the best reason */
    if (!found || is_huge(w)) {
        bool always;
        const char *why = w->at.time == dd_system_start_time(s) ? dd_system_impossible(s, &always, w->scratch) : NULL;
        if (why) {
            return has_fixed(w) ? dd_start_refuse(w, "%s; change what is fixed, or let %s move it", why,
                                                  dd_option_word(s->ctx, "--project"))
                                : dd_start_refuse(w, "%s", why);
        }
    }
    if (!found) {
        mention_surplus(w, &choice);
        return false;
    }
    /* a solution of the other conditions that violates one of those dropped */
    if (contradictory(w, &choice)) {
        return refuse_contradiction(w, &choice);
    }
    report(w, &choice);
    report_unused(w);
    /* the start is there: its quality, the rates that solving did not determine, its derivatives */
    w->out->residual = dd_start_residual(w, &choice);
    w->out->rates = !needs_rates(w) || dd_start_rates(w);
    if (w->o->directions) {
        dd_start_derivative(w, &choice);
    }
    return true;
}

typedef struct start_call {
    start_work *work;
    bool ok;
} start_call;

static void start_body(void *arg)
{
    start_call *call = arg;
    call->ok = start(call->work);
}

dd_start dd_system_start(const dd_system *s, const dd_outside *at, const dd_start_options *options, dd_pool *pool)
{
    dd_start out = {.reason = ""};
    dd_start_options defaults = dd_start_options_default();
    start_work w = {.s = s, .o = options ? options : &defaults, .pool = pool, .out = &out};
    w.scratch = dd_pool_child(pool);
    w.at = at ? *at : (dd_outside){.time = dd_system_start_time(s)};
    /* inputs without values are constant at their start value */
    if (!w.at.inputs) {
        double *unfed = dd_pool_alloc_array(w.scratch, s->model->vars.len + 1, sizeof *unfed);
        for (uint32_t v = 0; v < s->model->vars.len; v++) {
            unfed[v] = dd_system_unfed_input(s, v);
        }
        w.at.inputs = unfed;
        w.at.input_stride = 1;
    }
    start_call call = {.work = &w};
    dd_status st = dd_protect(s->ctx, start_body, &call);
    if (st != DD_OK) {
        dd_raise(s->ctx, st, "%s", dd_pool_strdup(pool, dd_context_message(s->ctx)));
    }
    out.ok = call.ok;
    dd_pool_free(w.scratch);
    return out;
}
