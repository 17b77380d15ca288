/* witness.c - consistent points from better to worse guesses, until the Jacobian is regular at one. */
#include "structure/witness.h"
#include <math.h>
#include <string.h>

enum { MAX_ORDER = 40 }; /* Taylor coefficients of higher order are noise: k! times a rounding error */

/* Is the point a start that was given? Not where a differentiated variable without a start value is elsewhere than
 * at its default: it followed from a guess for something else (spread.c), and nobody asked for that. */
static bool is_given(const dd_system *s, const dd_taylor_point *point, dd_nearness guess)
{
    bool given = guess <= DD_GUESS_FILLED;
    for (uint32_t j = 0; j < s->declared && given && point->consistent; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        /* 0, or the bound nearest to it */
        double value = point->x[(size_t)j * (point->order + 1)], least = fmin(fmax(0.0, v->min_value), v->max_value);
        given = !s->differentiated[j] || v->has_start || fabs(value - least) <= 1e-6 * s->size[j];
    }
    return given;
}

/* Newton's method cannot leave a guess where a gradient vanishes. Was that all? With the unknowns that it sought
 * elsewhere, and what had been found before as it is, the Jacobian is regular then. */
static bool is_stuck(dd_system *s, dd_numeric *nm, const dd_blocks *blocks, const dd_taylor_point *point)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    uint32_t stride = point->order + 1;
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * stride + 1, sizeof *x);
    memcpy(x, point->x, (size_t)s->ncols * stride * sizeof *x);
    for (uint32_t j = 0; j < s->ncols; j++) {
        /* what the failed stage sought: x_j^(d_j + l) and higher, of its block */
        int64_t first = (int64_t)s->off.d[j] + point->failed_level;
        bool sought = point->failed_block == DD_NO_INDEX || blocks->block_of_col[j] == point->failed_block;
        for (int64_t k = first; k < stride && first >= 0 && sought; k++) {
            bool held = k == 0 && s->model->vars.data[s->unknown[j]].fixed;
            x[(size_t)j * stride + (size_t)k] +=
                held ? 0.0 : DD_DISTURBANCE * s->size[j] * dd_noise(j, (uint32_t)k, 33);
        }
    }
    dd_regularity at = dd_system_regularity(s, nm, &s->off, blocks, x, stride, false, scratch);
    dd_pool_free(scratch);
    return at.finite && !at.singular;
}

/* A singular point is the start only when it is consistent with the fixed values; one that is not is kept until
 * there is a better one (Newton's method cannot leave a guess where a gradient vanishes, and that says nothing). */
static void note_singular(dd_witness *w, const dd_taylor_point *point, const dd_regularity *at)
{
    if (!(w->singular_start && w->start.consistent)) {
        w->singular_start = true;
        w->start = *point;
        w->where = *at;
    }
}

static void take(dd_witness *w, const dd_taylor_point *point, dd_nearness guess, bool moved)
{
    w->regular = true;
    w->point = *point;
    w->guess = guess;
    w->moved = moved;
}

dd_witness dd_system_find_witness(dd_system *s)
{
    dd_witness w = {0};
    if (s->off.max_d > MAX_ORDER) {
        return w;
    }
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_numeric *nm = dd_system_numeric(s);
    uint32_t order = s->off.max_d + 1;
    for (dd_nearness guess = DD_GUESS_START; guess < DD_GUESS_COUNT; guess++) {
        if (w.regular && guess > DD_GUESS_LOOSE) {
            break; /* with fixed values that moved: the guesses that are left would not hold them either */
        }
        dd_check_stop(s->ctx);
        /* from the values of the text to anything at all */
        dd_taylor_point point = dd_point_consistent(s, nm, &s->off, &blocks, guess, order, s->pool);
        dd_regularity at = dd_point_regularity(s, nm, &s->off, &blocks, &point, s->pool);
        bool moved = point.consistent && dd_point_moved(s, &point, DD_MOVED);
        if (!point.consistent && guess == DD_GUESS_START) {
            w.failed_row = point.failed_row;
        }
        /* neither a solution nor a singular guess: it says nothing */
        if (!at.finite || (!point.consistent && !at.singular)) {
            continue;
        }
        w.any_consistent = w.any_consistent || point.consistent;
        /* singular where the text begins: kept, while better points are sought */
        if (at.singular && is_given(s, &point, guess)) {
            w.stuck = w.stuck || (!point.consistent && is_stuck(s, nm, &blocks, &point));
            note_singular(&w, &point, &at);
        } else if (!at.singular && !moved) {
            /* regular with the fixed values: the best there is */
            take(&w, &point, guess, false);
            break;
        } else if (!at.singular && !w.regular) {
            /* regular with other fixed values: taken if nothing better follows */
            take(&w, &point, guess, true);
        }
    }
    dd_pool_free(scratch);
    return w;
}
