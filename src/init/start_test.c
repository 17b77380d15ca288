/* start_test.c - the start that a model asks for, tested for `daedal check`.
 *
 * The analysis confirms its answer at a consistent point near the start values. Where that point has the fixed values
 * and satisfies the initial equations it is the start itself. Otherwise the start is computed as a simulation computes
 * it, and the answer is given at that point; where there is none, the reason becomes a warning: a proof where there is
 * one. (It is not part of the analysis, because initialisation is above that.)
 */
#include <math.h>

#include "init/start.h"
#include "structure/impossible.h"
#include "structure/numeric.h"

static const double holds_to = 1e-9; /* of the terms of an initial equation */

static bool initial_equations_hold(dd_system *s, dd_pool *scratch)
{
    bool hold = true;
    for (uint32_t i = 0; i < s->model->initial_rows.len && hold; i++) {
        dd_expr e = dd_system_lower(s, s->model->initial_rows.data[i].residual);
        const dd_numeric_place at = {s->point.x, s->point.order + 1, {.time = dd_system_start_time(s)}};
        double size, value = dd_numeric_value(s, e, &at, &size, scratch);
        hold = fabs(value) <= holds_to * size;
    }
    return hold;
}

static bool has_open_inputs(const dd_system *s)
{
    bool any = false;
    for (uint32_t v = 0; v < s->model->vars.len && !any; v++) {
        any = s->model->vars.data[v].kind == DD_KIND_INPUT && !s->model->vars.data[v].has_value;
    }
    return any;
}

/* held: the point of the analysis satisfies all that the proof is made of, by rounding then. */
static void warn_impossible(dd_system *s, const char *why, bool held)
{
    s->start = DD_START_IMPOSSIBLE;
    s->certificate = DD_CERTIFICATE_UNDECIDED;
    if (held) {
        s->point.consistent = s->point_given = false;
    }
    dd_system_forget_unconfirmed(s);
    dd_system_warn(s, "%s. The answer is that of %s", why,
                   s->point.consistent ? "points that are consistent: other values, or other times"
                                       : "the structure alone");
}

/* Nothing is said where nothing is given that could be wrong. */
static void warn_not_found(dd_system *s, const dd_start *found)
{
    if (s->given_count > 0) {
        s->start = DD_START_NOT_FOUND;
        s->certificate = DD_CERTIFICATE_UNDECIDED;
        dd_system_forget_unconfirmed(s);
        dd_system_warn(
            s,
            "no consistent start with the given initial values was found, which does not prove that there is "
            "none: %s. The answer is that of %s",
            found->reason, s->point.consistent ? "other values" : "the structure alone");
    }
}

/* Inputs that are not given: general ones first, as the answer takes them, then 0 as a simulation does. */
static dd_start find_start(const dd_system *s, dd_pool *scratch)
{
    dd_start_options o = dd_start_options_default();
    o.auto_init = true;
    dd_start found = {.reason = ""};
    if (has_open_inputs(s)) {
        dd_outside at = {.time = dd_system_start_time(s), .input_stride = s->off.max_d + 3};
        at.inputs = dd_system_general_inputs(s, at.input_stride, scratch);
        found = dd_system_start(s, &at, &o, scratch);
    }
    return found.ok ? found : dd_system_start(s, NULL, &o, scratch);
}

static void test_start(void *arg)
{
    dd_system *s = arg;
    /* nothing to test where the model itself is wrong */
    if (s->verdict != DD_VERDICT_OK || s->start == DD_START_SINGULAR || s->ncols == 0) {
        return;
    }
    dd_pool *scratch = dd_pool_child(s->pool);
    /* a proof of impossibility comes first: it is exact, a search could only fail, and a point of numbers may be where 1 + exp(z)
     * is 1 by rounding */
    bool by_array = s->certificate == DD_CERTIFICATE_DERIVATIVE_ARRAY;
    bool always = false;
    const char *why = by_array ? NULL : dd_system_impossible(s, &always, scratch);
    /* the point of the analysis is the start: nothing to compute */
    const bool held = s->point_given && initial_equations_hold(s, scratch);
    if (!why && held && s->certificate != DD_CERTIFICATE_UNDECIDED) {
        s->start = DD_START_CONSISTENT;
        dd_pool_free(scratch);
        return;
    }
    dd_start found = {.reason = ""};
    if (!why) {
        /* otherwise compute the start as a simulation would */
        found = find_start(s, scratch);
    }
    if (why && always) {
        dd_system_refuse_inconsistent(s, dd_pool_printf(s->pool, "%s", why));
    } else if (why) {
        warn_impossible(s, why, held);
    } else if (!found.ok) {
        warn_not_found(s, &found);
    } else if (by_array || dd_system_answer_at(s, found.x, found.stride)) {
        /* a start was found, and the answer holds there too */
        s->start = DD_START_CONSISTENT;
    }
    dd_pool_free(scratch);
}

dd_status dd_system_test_start(dd_system *system)
{
    if (!system) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_system before = *system; /* lists are replaced, not changed: after a failure it is as it was */
    dd_status st = dd_protect(system->ctx, test_start, system);
    if (st != DD_OK) {
        *system = before;
    }
    return st;
}
