/* boundary_touch.c - rows that touch a constraint where they hold.
 *
 * x(finalTime) = 1 on the circle x^2 + y^2 = 1: at (1, 0) both gradients are parallel, because the row asks for
 * the largest value that x can have. Such a row has no multiplier, and solvers meet it to half of the digits. It
 * says the same as y(finalTime) = 0 on this side of the circle: the states in which it is extreme take the values
 * there. Where these values are the same from all points around, they are imposed in its place.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/boundary_impl.h"

#define CHANGES 1e-7   /* of the size of a row along a step of some hundredths, from which on it is a change */
#define FREE 0.1       /* of the largest component of a tangent: the state moves along it */
#define ROUNDING 1e-10 /* of its expected size: a value there is zero */

/* States along which a row that touches is extreme, at most `most`; returns how many. */
static uint32_t flat_states(dd_ranking *k, uint32_t output, uint32_t *states, uint32_t most)
{
    uint32_t n = k->inputs.len, count = 0;
    double *direction = dd_pool_alloc_array(k->pool, n + 1, sizeof *direction);
    double *after = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *after);
    /* a unit step of a single state along the kept rows: does the row change, though its gradient says it
     * cannot? */
    for (uint32_t j = 0; j < k->n_states && count < most; j++) {
        memset(direction, 0, n * sizeof *direction);
        direction[j] = 1;
        if (!k->fixed[j] && dd_ranking_tangent(k, direction) && fabs(direction[j]) > FREE &&
            dd_ranking_step(k, direction, after) && fabs(after[output] - k->r[output]) > CHANGES * k->size[output]) {
            states[count++] = j;
        }
    }
    return count;
}

/* Is the row extreme in each of the states by itself? Not when it is one in a combination of them: then it does not
 * change when they move together, all one way or one against the others. */
static bool each_by_itself(dd_ranking *k, uint32_t output, const uint32_t *states, uint32_t count)
{
    double *after = dd_pool_alloc_array(k->pool, k->outputs.len + 1, sizeof *after);
    double *direction = dd_pool_alloc_array(k->pool, k->inputs.len + 1, sizeof *direction);
    bool each = true;
    /* all combinations of signs: the row could be extreme in x + y or x - y */
    for (uint32_t signs = 0; signs < 1u << (count - 1) && each && count > 1; signs++) {
        memset(direction, 0, k->inputs.len * sizeof *direction);
        for (uint32_t h = 0; h < count; h++) {
            direction[states[h]] = (signs >> h & 1) != 0 ? -1 : 1;
        }
        each = dd_ranking_tangent(k, direction) && dd_ranking_step(k, direction, after) &&
               fabs(after[output] - k->r[output]) > CHANGES * k->size[output];
    }
    return each;
}

static double rounded(const dd_ranking *k, uint32_t state)
{
    return fabs(k->v[state]) < ROUNDING * k->scale[state] ? 0 : k->v[state];
}

static const char *value_row(const dd_ranking *k, uint32_t state)
{
    return dd_pool_printf(k->o->pool, "%s = %.6g", dd_ranking_input_name(k, state), rounded(k, state));
}

static void impose(dd_ranking *k, uint32_t output, const uint32_t *states, uint32_t count)
{
    dd_ocp_problem *o = k->o;
    dd_span span = o->points.data[k->rows.data[output - k->invariant_of.len]].span;
    /* each state at its value there, as a row of the user's problem */
    for (uint32_t i = 0; i < count; i++) {
        double value = rounded(k, states[i]);
        dd_ocp_row row = {.e = k->inputs.data[states[i]], .lower = value, .upper = value, .value = fabs(value)};
        row.name = value_row(k, states[i]);
        row.span = span;
        dd_vec_push(o->pool, &o->points, row);
    }
}

void dd_ocp_touching_row(dd_ranking *k, uint32_t output)
{
    dd_ocp_problem *o = k->o;
    /* states in which it is extreme: one, or a few */
    uint32_t states[DD_BOUNDARY_NAMED], count = flat_states(k, output, states, DD_BOUNDARY_NAMED);
    const char *parts = dd_boundary_parts_of(k, output), *row = dd_boundary_output_words(k, output);
    bool few = count > 0 && count < DD_BOUNDARY_NAMED, each = few && each_by_itself(k, output, states, count);
    dd_string_vec names = {0};
    /* to the extreme point itself: there the states have their values, if the row holds there and they are
     * isolated */
    if (each) {
        dd_ranking_extreme(k, output, states, count);
        each = fabs(k->r[output]) < DD_RANKING_FOUND * k->size[output] && dd_ranking_returns(k, states, count);
    }
    /* with values where these are imposed, without them as advice */
    for (uint32_t i = 0; i < count; i++) {
        dd_boundary_add_name(&names, each ? value_row(k, states[i]) : dd_ranking_input_name(k, states[i]), o->pool);
    }
    const char *list = dd_boundary_join(&names, o->pool);
    const char *advice =
        each  ? dd_pool_printf(o->pool, "imposed instead: %s", list)
        : few ? dd_pool_printf(o->pool, "write a condition on %s instead, and an inequality for the side", list)
              : "ask for it through the variables in which it is extreme";
    const char *words =
        dd_pool_printf(o->pool,
                       "%s touches %s where it holds instead of crossing it: the gradients are parallel "
                       "there, so a solver would meet it slowly and to half of the digits; %s",
                       row, parts, advice);
    /* reported in any case; replaced only where the values are sure */
    dd_vec_push(o->pool, &o->traps, words);
    dd_vec_push(o->pool, &o->messages, words);
    if (each) {
        impose(k, output, states, count);
        dd_boundary_drop(k, output, dd_pool_printf(o->pool, "%s with %s, imposed in its place", parts, list));
    }
}
