/* attempt.c - attempts at an answer from one set of rows, from the best case (regular at the given start) to the worst
 * (nothing is confirmed). Which is made when: analyse.c. */
#include "structure/attempt.h"

#include "structure/rows.h"

#include <math.h>

#include "structure/answer.h"
#include "structure/blame.h"
#include "structure/field.h"
#include "structure/impossible.h"
#include "structure/verify.h"

dd_system *dd_attempt_new(const dd_system *rows)
{
    dd_system *a = dd_pool_alloc(rows->pool, sizeof *a);
    *a = *rows;
    a->unanswered = rows;
    a->warnings = dd_answer_copied_strings(a->pool, &rows->warnings);
    return a;
}

/* ---- regular ---- */

dd_system *dd_attempt_regular(const dd_system *rows, const dd_taylor_point *point, bool given)
{
    dd_system *a = dd_attempt_new(rows);
    a->point = *point;
    a->point_given = given;
    dd_answer_from_offsets(a);
    dd_verify_counts(a);
    return a;
}

/* Says when the fixed values contradict the equations: asked only where the point found is elsewhere. */
static void warn_fixed(dd_system *s)
{
    enum { MOST_NAMES = 6 };
    const double moved_by = 1e-6; /* of its size: less is the accuracy of a computed point */
    dd_text given = dd_text_new(s->pool);
    uint32_t count = 0, moved = 0, row;
    for (uint32_t j = 0; j < s->declared; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        double value = s->point.x[(size_t)j * (s->point.order + 1)];
        char number[32];
        if (v->fixed && count++ < MOST_NAMES) {
            dd_text_printf(&given, "%s%s = %s", count > 1 ? ", " : "", dd_system_column_name(s, j, s->pool),
                           dd_number_text(v->start_value, number));
        }
        moved += v->fixed && !(fabs(value - v->start_value) <= moved_by * fmax(fabs(v->start_value), s->size[j]));
    }
    if (moved == 0) {
        return;
    }
    /* another point was found by moving them; can they be kept, with all unknowns free? */
    dd_pool *scratch = dd_pool_child(s->pool);
    bool defined;
    dd_numeric *nm = dd_system_numeric(s);
    if (!dd_system_fixed_hold(s, nm, s->point.x, s->point.order + 1, s->off.max_c, &row, &defined, scratch)) {
        const char *words = dd_system_row_words(s, &s->eqs.data[row], scratch);
        dd_system_warn(s, "the fixed value%s %s%s cannot hold%s: %s %s", count == 1 ? "" : "s", dd_text_str(&given),
                       count > MOST_NAMES ? " ..." : "", count == 1 ? "" : " together", words,
                       defined ? "is not satisfied with them" : "is not defined there");
    }
    dd_pool_free(scratch);
}

void dd_attempt_complete(dd_system *answer)
{
    dd_system_initial_conditions(answer);
    /* dense algebra, for words that nobody reads where unknowns have left: a start that cannot be is found by others there */
    if (!answer->options.fewer_unknowns) {
        warn_fixed(answer);
    }
}

/* ---- without a point ---- */

/* Start values where they are written, generic values elsewhere: not consistent, but good enough for ranks. */
static void guess_point(dd_system *s)
{
    uint32_t order = s->off.max_d + 1;
    s->point = (dd_taylor_point){.order = order};
    s->point.x = dd_pool_alloc_array(s->pool, (size_t)s->ncols * (order + 1) + 1, sizeof *s->point.x);
    dd_point_guess(s, DD_GUESS_FILLED, 1, order, s->point.x);
}

/* A pencil has as many degrees of freedom as the offsets promise if and only if the Jacobian is regular, and then every
 * equation can be satisfied. */
dd_system *dd_attempt_without_point(const dd_system *rows)
{
    dd_system *a = dd_attempt_new(rows);
    dd_pencil_index p = dd_field_pencil(a, &a->inc, false);
    if (!p.known || !p.regular || (int64_t)a->inc.n - p.visible - p.hidden != a->off.dof) {
        return NULL;
    }
    guess_point(a);
    dd_answer_from_offsets(a);
    dd_verify_counts(a);
    dd_system_initial_conditions(a);
    return a;
}

/* ---- unconfirmed ---- */

/* The first row that is not finite at generic points, as x/a with a = 0; DD_NO_INDEX without. */
static uint32_t undefined_row(dd_system *s)
{
    enum { ORDER = 1, POINTS = 3 };
    dd_pool *scratch = dd_pool_child(s->pool);
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (ORDER + 1) + 1, sizeof *x);
    uint8_t *defined = dd_pool_alloc_array(scratch, s->inc.n + 1, 1);
    dd_numeric *nm = dd_system_numeric(s);
    /* several points: log(x) has no value at a negative one, and that says nothing about the row */
    for (uint32_t salt = 0; salt < POINTS; salt++) {
        nm->t0 = dd_system_generic_time(s, salt);
        dd_point_guess(s, DD_GUESS_RANDOM, salt, ORDER, x);
        const double *f = dd_numeric_residual_series(nm, x, ORDER + 1, 0);
        for (uint32_t i = 0; i < s->inc.n; i++) {
            defined[i] = defined[i] || isfinite(f[i]);
        }
    }
    uint32_t row = 0;
    while (row < s->inc.n && defined[row]) {
        row++;
    }
    dd_pool_free(scratch);
    return row < s->inc.n ? row : DD_NO_INDEX;
}

/* Why nothing was confirmed; no words where a consistent point was found and is singular (those are said elsewhere). */
static void warn_unconfirmed(dd_system *s, const dd_witness *w)
{
    const uint32_t undefined = w->any_consistent ? DD_NO_INDEX : undefined_row(s), before = s->warnings.len;
    if (s->array->given_up) {
        dd_system_warn(s,
                       "the ranks of the differentiated equations would decide, but computing them reached its work "
                       "limit: index and degrees of freedom are those of the structure, unconfirmed%s%s",
                       w->where.n_rows > 0 ? "; near the start values " : "",
                       w->where.n_rows > 0 ? dd_blame_dependent(s, &w->where) : "");
    } else if (undefined != DD_NO_INDEX) {
        dd_system_warn(
            s,
            "%s has no finite value for any values of the unknowns: check its parameters. The answer is that "
            "of the structure, unconfirmed",
            dd_system_row_words(s, &s->eqs.data[undefined], s->pool));
    } else if (!w->any_consistent) {
        dd_system_warn(
            s,
            "no point that satisfies all equations was found from the start values; the largest residual is that "
            "of %s; give better start values. The answer is that of the structure, unconfirmed",
            dd_system_row_words(s, &s->eqs.data[w->failed_row], s->pool));
    } else if (s->warnings.len == 0) {
        /* "see the warnings" needs one */
        dd_system_warn(s,
                       "the ranks at the points that were tried do not decide: index and degrees of freedom are those "
                       "of the structure, unconfirmed; other start values may help");
    }
    s->unconfirmed = s->warnings.len > before ? s->warnings.data[before] : NULL;
}

dd_system *dd_attempt_unconfirmed(const dd_system *rows, const dd_witness *w)
{
    dd_system *a = dd_attempt_new(rows);
    a->certificate = DD_CERTIFICATE_UNDECIDED;
    warn_unconfirmed(a, w);
    if (w->regular) {
        a->point = w->point;
    } else {
        guess_point(a);
    }
    dd_answer_from_offsets(a);
    /* no point was found where the rows hold; one may not exist */
    const char *contradiction = dd_blame_hidden(a);
    if (contradiction) {
        dd_system *refused = dd_attempt_new(rows);
        refused->certificate = DD_CERTIFICATE_UNDECIDED;
        refused->warnings.len = 0;
        dd_answer_refuse(refused, DD_VERDICT_INCONSISTENT, contradiction);
        return refused;
    }
    dd_system_initial_conditions(a);
    return a;
}

void dd_system_forget_unconfirmed(dd_system *s)
{
    dd_string_vec kept = {0};
    for (uint32_t i = 0; i < s->warnings.len; i++) {
        if (s->warnings.data[i] != s->unconfirmed) {
            dd_vec_push(s->pool, &kept, s->warnings.data[i]);
        }
    }
    s->warnings = kept;
    s->unconfirmed = NULL;
}

/* ---- singular at the start ---- */

void dd_attempt_warn_singular_start(dd_system *s, const dd_regularity *at, const double *x, uint32_t stride,
                                    bool regular_elsewhere)
{
    s->start = DD_START_SINGULAR;
    dd_system_warn(s,
                   regular_elsewhere ? "the given start is singular: %s, at %s; other values are not (try %s)"
                                     : "the given start is singular: %s, at %s",
                   dd_blame_dependent(s, at), dd_system_values_of_rows(s, at->rows, at->n_rows, x, stride, s->pool),
                   dd_option_word(s->ctx, "--set"));
}

/* Equations were differentiated before they were combined: ranks of the combined rows say nothing about the index. */
static bool is_deep(const dd_system *rows)
{
    bool deep = false;
    for (uint32_t i = 0; i < rows->eqs.len && !deep; i++) {
        deep = rows->eqs.data[i].depth > 0;
    }
    return deep;
}

dd_system *dd_attempt_at_singular_start(const dd_system *rows, const dd_witness *w)
{
    /* g^p = 0 with p > 1: its gradient p g^(p-1) dg vanishes wherever it holds, and no differentiation helps */
    dd_system *a = dd_attempt_new(rows);
    if (w->where.zero_row && dd_power_base(a, a->eqs.data[w->where.rows[0]].residual) != DD_EXPR_NONE) {
        dd_answer_refuse(a, DD_VERDICT_SINGULAR, dd_blame_no_index(a, &w->where, NULL));
        return a;
    }
    bool consistent = false;
    const dd_system *from = is_deep(rows) ? dd_rows_written(rows) : rows;
    a = dd_attempt_by_array(from, w->start.x, w->start.order + 1, &w->where, w->regular, &consistent);
    return a || !rows->array->given_up ? a : dd_attempt_unconfirmed(rows, w);
}

dd_system *dd_attempt_beside_singular_start(const dd_system *rows, const dd_witness *w)
{
    /* a guess at which the iteration ended is not the start: the regular point answers. With other guesses for values
     * that are not fixed it answers too, but the start that was written is singular */
    const bool no_start = w->regular && !w->start.consistent;
    const bool other_guess = w->regular && w->guess == DD_GUESS_LOOSE && !w->moved;
    dd_system *a = dd_attempt_new(rows);
    if (no_start || other_guess) {
        a->point = w->point;
        if (!no_start) {
            a->certificate = DD_CERTIFICATE_UNDECIDED;
            dd_attempt_warn_singular_start(a, &w->where, w->start.x, w->start.order + 1, true);
        }
        dd_answer_from_offsets(a);
        dd_system_initial_conditions(a);
        return a;
    }
    if (!w->start.consistent) {
        return dd_attempt_unconfirmed(rows, w);
    }
    dd_attempt_warn_singular_start(a, &w->where, w->start.x, w->start.order + 1, w->regular);
    dd_answer_refuse(a, DD_VERDICT_SINGULAR, dd_blame_no_index(a, &w->where, NULL));
    return a;
}
