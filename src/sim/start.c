/* start.c - consistent initial values: conditions, completion, solution, and what is said about them.
 *
 * The rank decisions need a point and the point needs the decisions: they are made at the point of the analysis, the
 * system is solved, and where they would be different at the solution they are made again there.
 */
#include "sim/start.h"

#include <math.h>
#include <string.h>

#include "sim/start_impl.h"

dd_start_options dd_start_options_default(void)
{
    return (dd_start_options){.tol = 1e-6};
}

/* ---- preparing ---- */

static void fill_guess(start_work *w)
{
    dd_system *s = w->s;
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        w->guess[(size_t)j * w->stride] = v->has_start ? v->start_value : start_default(s, j);
    }
}

static void prepare(start_work *w)
{
    dd_system *s = w->s;
    start_collect_rows(w);
    w->shape = dd_tangent_new(s, s->off.d, w->extra, w->scratch);
    w->conditions = dd_tangent_conditions(&w->shape, s->point.x, s->point.order + 1, w->scratch);
    w->stride = s->off.max_d + w->extra + 2;
    w->guess = dd_pool_alloc_array(w->scratch, (size_t)s->ncols * w->stride + 1, sizeof *w->guess);
    w->x = dd_pool_alloc_array(w->pool, (size_t)s->ncols * w->stride + 1, sizeof *w->x);
    w->held = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->held);
    w->value = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->value);
    w->speed = dd_pool_alloc_array(w->scratch, s->ncols + 1, sizeof *w->speed);
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        if (s->velocity[v] != DD_NO_INDEX && s->column[s->velocity[v]] != DD_NO_INDEX) {
            w->speed[s->column[s->velocity[v]]] = true;
        }
    }
    for (uint32_t j = 0; j < s->ncols; j++) {
        w->value[j] = s->model->vars.data[s->unknown[j]].start_value;
    }
    fill_guess(w);
    w->out->x = w->x;
    w->out->stride = w->stride;
}

/* ---- the choice and what it leads to ---- */

static void hold(start_work *w, const start_choice *c)
{
    memset(w->held, 0, (w->s->ncols + 1) * sizeof *w->held);
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        uint32_t col = w->conditions.data[i].col;
        if (col != DD_NO_INDEX) {
            w->held[col] = !c->dependent[i];
        }
    }
    const dd_index_vec *lists[] = {&c->starts, &c->zeros, &c->defaults};
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < lists[k]->len; i++) {
            uint32_t col = lists[k]->data[i];
            w->held[col] = true;
            if (k > 0) {
                w->value[col] = start_default(w->s, col);
            }
        }
    }
}

static bool refuse_missing(start_work *w, const start_choice *c)
{
    enum { MOST = 10 };
    dd_system *s = w->s;
    const dd_index_vec *open = c->starts.len == 0 && s->free_choice.len > 0 ? &s->free_choice : &c->open;
    return start_refuse(w,
                        "%u initial condition%s missing: give start values for, or fix, %u of %s (for example %s); "
                        "--auto-init takes default starts (0)",
                        c->missing, c->missing > 1 ? "s are" : " is", c->missing,
                        start_names(w, open->data, open->len, MOST), start_names(w, c->open.data, c->open.len, MOST));
}

/* Decides, solves, and decides again where the solution asks for it. */
static bool find(start_work *w, start_choice *choice)
{
    enum { PASSES = 3 };
    dd_system *s = w->s;
    *choice = start_choose(w, s->point.x, s->point.order + 1);
    for (int pass = 0;; pass++) {
        if (choice->missing > 0) {
            return refuse_missing(w, choice);
        }
        hold(w, choice);
        if (!start_solve(w, choice)) {
            return false;
        }
        start_choice again = start_choose(w, w->x, w->stride);
        if (start_same_choice(w, choice, &again)) {
            return true;
        }
        if (pass == PASSES) {
            return again.singular ? true
                                  : start_refuse(w, "which initial conditions are independent changes from point to "
                                                    "point; fix other variables");
        }
        *choice = again;
    }
}

/* ---- surplus conditions ---- */

/* Residual of a condition at x, and the size of its terms. */
static double condition_residual(start_work *w, uint32_t i, double *size)
{
    const dd_condition *c = &w->conditions.data[i];
    dd_system *s = w->s;
    if (c->col != DD_NO_INDEX) {
        double x = w->x[(size_t)c->col * w->stride];
        *size = fmax(fmax(fabs(x), fabs(w->value[c->col])), s->size[c->col]);
        return x - w->value[c->col];
    }
    double r;
    dd_numeric_values(s, &w->rows.eqs.data[w->rows.n + c->row].residual, 1, w->x, w->stride, dd_system_start_time(s),
                      &r, size, w->scratch);
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

static bool refuse_contradiction(start_work *w, const start_choice *c)
{
    enum { MOST = 5 };
    dd_text text = dd_text_new(w->scratch);
    uint32_t count = 0, first = 0;
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (!c->dependent[i] || holds(w, i)) {
            continue;
        }
        first = count == 0 ? i : first;
        if (count++ < MOST) {
            double size, r = condition_residual(w, i, &size);
            dd_text_printf(&text, "%s%s (residual %s)", count > 1 ? ", " : "", w->conditions.data[i].text,
                           start_number(w, r));
        }
    }
    if (count > MOST) {
        dd_text_printf(&text, " and %u more", count - MOST);
    }
    const char *partners = start_partners(w, first, w->x, w->stride);
    return start_refuse(w, "the initial conditions contradict the equations: %s; free one of: %s%s", dd_text_str(&text),
                        partners, w->o->project ? "" : ", or let --project move them");
}

/* ---- messages ---- */

static void report(start_work *w, const start_choice *c)
{
    char number[32];
    dd_system *s = w->s;
    for (uint32_t i = 0; i < w->conditions.len; i++) {
        if (c->dependent[i]) {
            start_say(w, "dropped, it follows from the equations and the other conditions: %s",
                      w->conditions.data[i].text);
        }
    }
    for (uint32_t i = 0; i < c->starts.len; i++) {
        uint32_t col = c->starts.data[i];
        start_say(w, "taken from its start value: %s = %s", dd_system_column_name(s, col, w->scratch),
                  dd_number_text(w->value[col], number));
    }
    for (uint32_t i = 0; i < c->defaults.len; i++) {
        uint32_t col = c->defaults.data[i];
        start_say(w, "taken from the default start value: %s = %s", dd_system_column_name(s, col, w->scratch),
                  dd_number_text(w->value[col], number));
    }
    for (uint32_t i = 0; i < c->zeros.len; i++) {
        uint32_t col = c->zeros.data[i];
        start_say(w, "taken as %s, no start value is written for this speed: %s = %s",
                  dd_number_text(w->value[col], number), dd_system_column_name(s, col, w->scratch), number);
    }
}

/* ---- systems that only the derivative array decided ---- */

static bool start_from_array(start_work *w)
{
    dd_system *s = w->s;
    w->stride = s->point.order + 1;
    w->x = dd_pool_alloc_array(w->pool, (size_t)s->ncols * w->stride + 1, sizeof *w->x);
    memcpy(w->x, s->point.x, (size_t)s->ncols * w->stride * sizeof *w->x);
    w->out->x = w->x;
    w->out->stride = w->stride;
    start_say(w, "the initial values are those of the point at which the index was decided by the derivative array");
    for (uint32_t j = 0; j < s->declared; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        double x = w->x[(size_t)j * w->stride];
        if (v->fixed && fabs(x - v->start_value) > w->o->tol * fmax(s->size[j], fabs(x))) {
            return start_refuse(w, "no consistent point with %s = %s was found: it is %s at the nearest one",
                                dd_system_column_name(s, j, w->scratch), start_number(w, v->start_value),
                                start_number(w, x));
        }
    }
    for (uint32_t i = 0; i < s->completion.len; i++) {
        uint32_t col = s->completion.data[i];
        start_say(w, "taken from the consistent point: %s = %s", dd_system_column_name(s, col, w->scratch),
                  start_number(w, w->x[(size_t)col * w->stride]));
    }
    w->out->rates = true;
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

static bool start(start_work *w)
{
    dd_system *s = w->s;
    if (s->verdict != DD_VERDICT_OK) {
        return start_refuse(w, "%s", s->reason);
    }
    if (s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY) {
        return start_from_array(w);
    }
    start_choice choice;
    prepare(w);
    if (!find(w, &choice)) {
        return false;
    }
    if (contradictory(w, &choice)) {
        return refuse_contradiction(w, &choice);
    }
    report(w, &choice);
    w->out->residual = start_residual(w);
    w->out->rates = !needs_rates(w) || start_rates(w);
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

dd_start dd_system_start(dd_system *s, const dd_start_options *options, dd_pool *pool)
{
    dd_start out = {.reason = ""};
    dd_start_options defaults = dd_start_options_default();
    start_work w = {.s = s, .o = options ? options : &defaults, .pool = pool, .out = &out};
    w.scratch = dd_pool_child(pool);
    const double *inputs = s->inputs;
    if (!inputs) {
        s->inputs = dd_pool_alloc_array(w.scratch, s->model->vars.len + 1, sizeof *s->inputs);
        s->input_stride = 1;
    }
    start_call call = {.work = &w};
    dd_status st = dd_protect(s->ctx, start_body, &call);
    s->inputs = inputs;
    if (st != DD_OK) {
        dd_raise(s->ctx, st, "%s", dd_pool_strdup(pool, dd_context_message(s->ctx)));
    }
    out.ok = call.ok;
    dd_pool_free(w.scratch);
    return out;
}
