/* alternatives_find.c - controls as rows of letters (at the lower bound, at the upper one, between), and what to
 * change in them. */
#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "ocp/alternatives_impl.h"

enum { LOWER, UPPER, BETWEEN };
enum {
    LEAST_LONG = 3,    /* times as long as an exception: a long run */
    LONGEST_SPIKE = 3, /* values */
    LEAST_HELD = 5     /* values at a bound of which the first can be compared with the others */
};
#define AT_BOUND 1e-3    /* of the range of a control: nearer is at the bound */
#define MOSTLY 0.6       /* of its values at bounds: the control switches */
#define SHORT_RUN 0.04   /* of all values of a control: no longer is an exception */
#define LONG_DETOUR 0.3  /* of all values of a control: no longer is left out */
#define SMALL_PRICE 0.1  /* of the mean multiplier of a bound: beside a switch that is not sure of its place */
#define ONE_SIDED 0.3    /* of the multiplier on the other side of a switch; where it belongs they are equal */
#define LEAP 0.3         /* of the range of its values, from a bound to a value inside or back */
#define SPIKE 2          /* times the difference of the values beside it, */
#define LEAST_SPIKE 0.05 /* and of the range of the values: a value that stands out */
#define MOST_SPIKES 0.3  /* of all values: more are no exceptions */
#define HIGH_PRICE 0.7   /* of the mean multiplier of a run at a bound: it does not begin at zero */

/* ---- reading ---- */

static uint8_t letter_of(const dd_searcher *s, uint32_t j)
{
    double x = s->p->result.x[j], low = s->nlp->x_lower[j], high = s->nlp->x_upper[j], room = AT_BOUND * (high - low);
    return x <= low + room ? LOWER : x >= high - room ? UPPER : BETWEEN;
}

static double price_of(const dd_searcher *s, uint32_t j)
{
    return fmax(fabs(s->p->result.z_lower[j]), fabs(s->p->result.z_upper[j]));
}

static void read_controls(dd_searcher *s, const dd_column *columns)
{
    const dd_ocp_problem *o = s->p->problem;
    for (uint32_t i = 0; i < o->u.len; i++) {
        dd_sequence q = {.of = &o->u.data[i]};
        dd_vec_push(s->pool, &s->controls, q);
    }
    for (uint32_t j = 0; j < s->nlp->n; j++) {
        /* only two finite bounds make letters; variables are numbered in the order of time */
        bool two =
            isfinite(s->nlp->x_lower[j]) && isfinite(s->nlp->x_upper[j]) && s->nlp->x_upper[j] > s->nlp->x_lower[j];
        if (columns[j].kind == DD_COLUMN_CONTROL && two) {
            dd_vec_push(s->pool, &s->controls.data[columns[j].index].column, j);
        }
    }
    for (uint32_t i = 0; i < s->controls.len; i++) {
        dd_sequence *q = &s->controls.data[i];
        uint32_t held = 0;
        q->letter = dd_pool_alloc_array(s->pool, q->column.len + 1, sizeof *q->letter);
        /* mean multiplier of active bounds: the price of a value that is really held */
        for (uint32_t k = 0; k < q->column.len; k++) {
            q->letter[k] = letter_of(s, q->column.data[k]);
            held += q->letter[k] != BETWEEN;
            q->price += q->letter[k] != BETWEEN ? price_of(s, q->column.data[k]) : 0;
        }
        q->price = held > 0 ? q->price / held : 0;
        /* bang-bang in most of its values */
        q->switches = q->column.len > 0 && held >= MOSTLY * q->column.len;
    }
}

/* ---- changes ---- */

static void set_value(dd_searcher *s, dd_change *c, const dd_sequence *q, uint32_t k, uint8_t letter)
{
    uint32_t j = q->column.data[k];
    dd_vec_push(s->pool, &c->column, j);
    dd_vec_push(s->pool, &c->value, letter == LOWER ? s->nlp->x_lower[j] : s->nlp->x_upper[j]);
}

static uint32_t run_end(const dd_sequence *q, uint32_t k)
{
    uint32_t end = k;
    while (end < q->column.len && q->letter[end] == q->letter[k]) {
        end++;
    }
    return end;
}

static uint32_t run_begin(const dd_sequence *q, uint32_t k)
{
    uint32_t begin = k;
    while (begin > 0 && q->letter[begin - 1] == q->letter[k]) {
        begin--;
    }
    return begin;
}

/* The bound that both neighbours of the run [k, end) have, or the only one where it is first or last; BETWEEN: none.
 * A value between the bounds at an end may have a purpose, except where the horizon is free: there it may be a wait
 * before the motion or behind it, or a switch too many, that the time itself could do without. */
static uint8_t surrounding(const dd_searcher *s, const dd_sequence *q, uint32_t k, uint32_t end)
{
    uint32_t n = q->column.len, most = (uint32_t)fmax(1, SHORT_RUN * n);
    uint8_t left = k > 0 ? q->letter[k - 1] : BETWEEN, right = end < n ? q->letter[end] : BETWEEN;
    /* runs beside: an exception is short among long ones */
    uint32_t before = k > 0 ? k - run_begin(q, k - 1) : 0, after = end < n ? run_end(q, end) - end : 0;
    const bool free_time = s->p->problem->free_t0 || s->p->problem->free_tf;
    bool inside = k > 0 && end < n, purpose = q->letter[k] == BETWEEN && !(free_time && q->switches);
    /* too long, or between different bounds, or a value between the bounds at an end */
    if (end - k > most || (inside && left != right) || (!inside && purpose)) {
        return BETWEEN;
    }
    /* together at least three times as long as the run itself */
    return before + after >= LEAST_LONG * (end - k) ? (k > 0 ? left : right) : BETWEEN;
}

static void find_exceptions(dd_searcher *s)
{
    dd_change all = {.bounds = true, .words = "all exceptions among long runs at a bound"};
    uint32_t count = 0;
    /* every short run becomes a change; all of them together another */
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 0, end; k < q->column.len; k = end) {
            end = run_end(q, k);
            uint8_t to = surrounding(s, q, k, end);
            if (to == BETWEEN) {
                continue;
            }
            dd_change one = {.bounds = true,
                             .words =
                                 dd_pool_printf(s->p->problem->pool, "%s in %u interval%s set to its %s bound", name,
                                                end - k, end - k == 1 ? "" : "s", to == LOWER ? "lower" : "upper")};
            for (uint32_t m = k; m < end; m++) {
                set_value(s, &one, q, m, to);
                set_value(s, &all, q, m, to);
            }
            dd_vec_push(s->pool, &s->changes, one);
            count++;
        }
    }
    if (count > 1) { /* together first: usually they have one cause */
        dd_vec_push(s->pool, &s->changes, all);
        dd_change first = s->changes.data[0];
        s->changes.data[0] = s->changes.data[s->changes.len - 1];
        s->changes.data[s->changes.len - 1] = first;
    }
}

/* A switch from bound to bound within no time, where the multiplier on one side is small: the other side goes on
 * there. The multipliers are means of the switching function over their intervals. It is nearly linear about its
 * zero, so they are equal where the switch is right, and one is less than a third of the other where the zero is
 * so far inside an interval that a quarter of it or more belongs to the other bound. */
static void find_loose_switches(dd_searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const char *name = dd_model_var_name_dup(s->p->problem->model, q->of->var, s->p->problem->pool);
        for (uint32_t k = 1; q->switches && k < q->column.len; k++) {
            bool jump = q->letter[k] != q->letter[k - 1] && q->letter[k] != BETWEEN && q->letter[k - 1] != BETWEEN;
            /* means of the switching function on both sides of the switch */
            double before = price_of(s, q->column.data[k - 1]), after = price_of(s, q->column.data[k]);
            double small = fmin(before, after), large = fmax(before, after);
            /* equal prices: the switch is where it belongs */
            if (!jump || small > SMALL_PRICE * q->price || small > ONE_SIDED * large) {
                continue;
            }
            /* the side with the small multiplier takes the value of the other */
            dd_change one = {.bounds = true,
                             .words = dd_pool_printf(s->p->problem->pool, "a switch of %s one interval %s", name,
                                                     before < after ? "earlier" : "later")};
            set_value(s, &one, q, before < after ? k - 1 : k, q->letter[before < after ? k : k - 1]);
            dd_vec_push(s->pool, &s->changes, one);
        }
    }
}

/* A control that runs between its bounds on both sides of a visit to them, as on a singular arc, may do without the
 * visit: a straight line takes its place. [from, to): the visit. */
static void add_detour(dd_searcher *s, const dd_column *columns, const dd_sequence *q, uint32_t from, uint32_t to)
{
    const uint32_t a = q->column.data[from - 1], b = q->column.data[to];
    const double *x = s->p->result.x, length = columns[b].theta - columns[a].theta;
    dd_change one = {
        .words = dd_pool_printf(s->p->problem->pool, "%s between its bounds throughout, without %u values there",
                                dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool), to - from)};
    /* straight line between the values beside the visit */
    for (uint32_t k = from; k < to; k++) {
        uint32_t j = q->column.data[k];
        double part = length > 0 ? (columns[j].theta - columns[a].theta) / length : 0.5;
        dd_vec_push(s->pool, &one.column, j);
        dd_vec_push(s->pool, &one.value, (1 - part) * x[a] + part * x[b]);
    }
    dd_vec_push(s->pool, &s->changes, one);
}

/* The same visit one value earlier or later. */
static void add_shifted(dd_searcher *s, const dd_sequence *q, uint32_t from, uint32_t to, bool later)
{
    const double *x = s->p->result.x;
    dd_change one = {.words = dd_pool_printf(s->p->problem->pool, "%s %s at its bounds by one interval",
                                             dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool),
                                             later ? "later" : "earlier")};
    /* values move by one place; the place that becomes free takes that of its neighbour */
    for (uint32_t k = from - !later; k < to + later; k++) {
        dd_vec_push(s->pool, &one.column, q->column.data[k]);
        dd_vec_push(s->pool, &one.value, x[q->column.data[later ? k - 1 : k + 1]]);
    }
    dd_vec_push(s->pool, &s->changes, one);
}

static void find_detours(dd_searcher *s, const dd_column *columns)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const uint32_t n = q->column.len, least = (uint32_t)fmax(2, SHORT_RUN * n);
        uint32_t calm = 0, from = 0; /* values between the bounds so far; where a visit to the bounds began */
        /* visits are counted between two calm parts of sufficient length */
        for (uint32_t k = 0, end; !q->switches && k < n; k = end) {
            end = run_end(q, k);
            bool quiet = q->letter[k] == BETWEEN && end - k >= least;
            if (quiet && from > 0 && k - from <= LONG_DETOUR * n) {
                add_detour(s, columns, q, from, k);
                add_shifted(s, q, from, k, false);
                add_shifted(s, q, from, k, true);
            }
            /* the next visit begins behind this part */
            if (quiet) {
                calm = end;
                from = 0;
            } else if (from == 0 && calm == k && k > 0) {
                from = k;
            }
        }
    }
}

/* ---- jumps ---- */

static void add_jump(dd_searcher *s, const dd_sequence *q, uint32_t k, uint32_t by, bool later)
{
    const double *x = s->p->result.x;
    dd_change one = {.jump = true,
                     .words = dd_pool_printf(s->p->problem->pool, "a jump of %s %s %s",
                                             dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool),
                                             by == 1 ? "one interval" : "some intervals", later ? "later" : "earlier")};
    for (uint32_t m = 0; m < by; m++) {
        dd_vec_push(s->pool, &one.column, q->column.data[later ? k + m : k - 1 - m]);
        dd_vec_push(s->pool, &one.value, x[q->column.data[later ? k - 1 : k]]);
    }
    dd_vec_push(s->pool, &s->changes, one);
}

/* Of the values of a control. */
static double range_of(const dd_searcher *s, const dd_sequence *q)
{
    double low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < q->column.len; k++) {
        low = fmin(low, s->p->result.x[q->column.data[k]]);
        high = fmax(high, s->p->result.x[q->column.data[k]]);
    }
    return high - low;
}

/* Of the values in [from, to). */
static double mean_price(const dd_searcher *s, const dd_sequence *q, uint32_t from, uint32_t to)
{
    double sum = 0;
    for (uint32_t k = from; k < to; k++) {
        sum += price_of(s, q->column.data[k]);
    }
    return sum / (to - from);
}

/* A jump between a bound and a value inside where the bound has a high price at once: the cost has a minimum in the
 * control on either side, with a maximum between them (a reactor that is heated to the limit once nothing is left to
 * lose). Then each interval is a local minimum of the place of the jump, and no multiplier shows on which side a better
 * one is. Where the control enters linearly, the price of a bound begins at zero beside, or inside of, a value between:
 * linear in a run of five, it begins with at most three sevenths of the mean. */
static void find_jumps(dd_searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const double range = range_of(s, q); /* bounds may be far from all values */
        for (uint32_t k = 1; k < q->column.len; k++) {
            const uint32_t a = q->column.data[k - 1], b = q->column.data[k];
            const bool inside = q->letter[k] == BETWEEN, inside_before = q->letter[k - 1] == BETWEEN;
            const double leap = fabs(s->p->result.x[b] - s->p->result.x[a]);
            if (inside == inside_before || leap <= LEAP * range) {
                continue;
            }
            /* the run at the bound: before the jump, or behind it */
            const uint32_t from = inside ? run_begin(q, k - 1) : k, to = inside ? k : run_end(q, k);
            const double price = price_of(s, inside ? a : b);
            if (to - from >= LEAST_HELD && price > HIGH_PRICE * mean_price(s, q, from, to)) {
                /* where that has gained something before, farther at once */
                for (uint32_t by = s->reach; by > 0; by = by > 1 ? 1 : 0) {
                    if (k + by <= q->column.len) {
                        add_jump(s, q, k, by, true);
                    }
                    if (k >= by) {
                        add_jump(s, q, k, by, false);
                    }
                }
            }
        }
    }
}

/* ---- levels ---- */

/* Values that lie in two heaps with a wide gap between them: where the cost has several minima in the control, each
 * interval may have taken one by chance. */
static void add_level(dd_searcher *s, const dd_sequence *q, double middle, bool upper)
{
    const double *x = s->p->result.x;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t k = 0; k < q->column.len; k++) {
        const bool member = (x[q->column.data[k]] > middle) == upper;
        sum += member ? x[q->column.data[k]] : 0;
        count += member;
    }
    /* all of the other heap move to the mean of this one */
    dd_change one = {.level = true,
                     .words = dd_pool_printf(s->p->problem->pool, "%s on its %s level throughout",
                                             dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool),
                                             upper ? "upper" : "lower")};
    for (uint32_t k = 0; k < q->column.len; k++) {
        if ((x[q->column.data[k]] > middle) != upper) {
            dd_vec_push(s->pool, &one.column, q->column.data[k]);
            dd_vec_push(s->pool, &one.value, sum / count);
        }
    }
    dd_vec_push(s->pool, &s->changes, one);
}

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The middle of the widest gap between sorted values, if it is wide against their range; else NAN. */
static double widest_gap(dd_searcher *s, const dd_sequence *q)
{
    const uint32_t n = q->column.len;
    double *v = dd_pool_alloc_array(s->pool, n + 1, sizeof *v), gap = 0, middle = NAN;
    for (uint32_t k = 0; k < n; k++) {
        v[k] = s->p->result.x[q->column.data[k]];
    }
    qsort(v, n, sizeof *v, compare_numbers);
    for (uint32_t k = 1; k < n; k++) {
        if (v[k] - v[k - 1] > gap) {
            gap = v[k] - v[k - 1];
            middle = (v[k] + v[k - 1]) / 2;
        }
    }
    return n > 1 && gap > DD_CONTROL_JUMP * (v[n - 1] - v[0]) ? middle : NAN;
}

static void find_levels(dd_searcher *s)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const double middle = q->switches ? NAN : widest_gap(s, q);
        if (isfinite(middle)) {
            add_level(s, q, middle, false);
            add_level(s, q, middle, true);
        }
    }
}

/* ---- spikes ---- */

/* Does the run [k, end) stand out from the values on both sides of it, which are near each other? */
static bool stands_out(const dd_searcher *s, const dd_sequence *q, uint32_t k, uint32_t end, double range)
{
    const double *x = s->p->result.x, before = x[q->column.data[k - 1]], after = x[q->column.data[end]];
    const double least = SPIKE * fabs(after - before) + LEAST_SPIKE * range;
    bool above = true, below = true;
    for (uint32_t m = k; m < end; m++) {
        const double v = x[q->column.data[m]];
        above = above && v > fmax(before, after) + least;
        below = below && v < fmin(before, after) - least;
    }
    return above || below;
}

static uint32_t spike_at(const dd_searcher *s, const dd_sequence *q, uint32_t k, double range)
{
    for (uint32_t end = k + 1; end <= k + LONGEST_SPIKE && end < q->column.len; end++) {
        if (stands_out(s, q, k, end, range)) {
            return end;
        }
    }
    return k;
}

/* The first or the last value, off the bounds and far from its neighbour, takes the value of that. */
static void add_end(const dd_searcher *s, const dd_sequence *q, bool last, double range, dd_change *all)
{
    const uint32_t k = last ? q->column.len - 1 : 0, beside = last ? k - 1 : 1;
    const double *x = s->p->result.x, to = x[q->column.data[beside]];
    if (q->letter[k] == BETWEEN && fabs(x[q->column.data[k]] - to) > DD_CONTROL_JUMP * range) {
        dd_vec_push(s->pool, &all->column, q->column.data[k]);
        dd_vec_push(s->pool, &all->value, to);
    }
}

/* Values of single intervals that stand out from a smooth control: where the equations have a kink in the control, such as
 * max(0, u), each interval may be stuck at it, since the slope that Newton's method sees there is that of one side. */
static void find_spikes(dd_searcher *s, const dd_column *columns)
{
    for (uint32_t i = 0; i < s->controls.len; i++) {
        const dd_sequence *q = &s->controls.data[i];
        const double *x = s->p->result.x, range = range_of(s, q);
        dd_change all = {.level = true};
        /* the values of a spike go onto the line between its neighbours */
        for (uint32_t k = 1; k < q->column.len; k++) {
            const uint32_t end = spike_at(s, q, k, range), n = end - k;
            for (uint32_t m = k; m < end; m++) {
                const uint32_t a = q->column.data[k - 1], b = q->column.data[end], j = q->column.data[m];
                const double length = columns[b].theta - columns[a].theta;
                const double part = length > 0 ? (columns[j].theta - columns[a].theta) / length : 0.5;
                dd_vec_push(s->pool, &all.column, j);
                dd_vec_push(s->pool, &all.value, (1 - part) * x[a] + part * x[b]);
            }
            k += n;
        }
        if (q->column.len > LONGEST_SPIKE) {
            add_end(s, q, false, range, &all);
            add_end(s, q, true, range, &all);
        }
        if (all.column.len > 0 && all.column.len <= MOST_SPIKES * q->column.len) {
            all.words =
                dd_pool_printf(s->p->problem->pool, "%s without %u values that stand out",
                               dd_model_var_name_dup(s->p->problem->model, q->of->var, s->pool), all.column.len);
            dd_vec_push(s->pool, &s->changes, all);
        }
    }
}

void dd_searcher_find(dd_searcher *s, const dd_column *columns)
{
    read_controls(s, columns);
    find_exceptions(s);
    find_loose_switches(s);
    find_detours(s, columns);
    find_jumps(s);
    find_levels(s);
    find_spikes(s, columns);
}
