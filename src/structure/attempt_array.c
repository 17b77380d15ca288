/* attempt_array.c - attempts by the definition itself: ranks of the derivative array [F; F'; ...; F^(k)] at a point.
 * They serve where the system Jacobian is singular: at the start only, or everywhere while no combination of rows
 * repairs it. */
#include <math.h>
#include <string.h>

#include "structure/answer.h"
#include "structure/attempt.h"
#include "structure/blame.h"
#include "structure/rows.h"

#define DROPS 1e-9 /* a coefficient below this part of the terms it is computed from is zero */

/* A row whose derivatives all drop out at the point, shown without them. */
static void visible_at_point(dd_system *s, const dd_array_verdict *v, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_namer namer = dd_model_namer(s->model);
    const dd_numeric_place at = {v->x, v->stride, {.time = dd_system_start_time(s)}};
    for (uint32_t i = 0; i < s->eqs.len; i++) {
        /* the row as sum of coefficient_q x_q' + rest; one that is not linear in its derivatives keeps them */
        dd_expr_vec rates = {0};
        dd_expr residual = s->eqs.data[i].residual, rest = residual;
        for (uint32_t e = s->inc.ptr[i]; e < s->inc.ptr[i + 1]; e++) {
            if (s->inc.sigma[e] == 1) {
                dd_vec_push(scratch, &rates, dd_var(dag, s->unknown[s->inc.idx[e]], 1));
            }
        }
        dd_expr *coefficient = dd_pool_alloc_array(scratch, rates.len + 1, sizeof *coefficient);
        bool drops = rates.len == 0 || dd_linear(dag, residual, rates.data, rates.len, coefficient, &rest);
        for (uint32_t q = 0; q < rates.len && drops; q++) {
            double magnitude, value = dd_numeric_value(s, coefficient[q], &at, &magnitude, scratch);
            drops = fabs(value) <= DROPS * fmax(magnitude, 1e-300);
        }
        if (drops) {
            dd_text text = dd_text_new(s->pool);
            dd_print_equation(dag, rest, DD_EXPR_NONE, &namer, &text);
            dd_text_row t = {.eq = i};
            const dd_group *g = &s->model->groups.data[s->model->rows.data[s->eqs.data[i].row].group];
            t.text = (dd_constraint_text){dd_text_str(&text), dd_text_str(&text), 0, 1,
                                          dd_model_place(s->model, g->span, s->pool)};
            dd_vec_push(s->pool, &s->visible_text, t);
        }
    }
}

static void answer_from_array(dd_system *s, const dd_array_verdict *v)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    s->verdict = DD_VERDICT_OK;
    s->certificate = DD_CERTIFICATE_DERIVATIVE_ARRAY;
    s->index = (int)v->index;
    /* ranks count; the formulas of the structure would be those of another system */
    s->constraint_count = v->visible;
    s->hidden_count = v->hidden;
    s->dof = (int)s->ncols - (int)v->visible - (int)v->hidden;
    s->point = (dd_taylor_point){.order = v->stride - 1, .x = v->x, .consistent = true};
    dd_answer_set_kind(s);
    visible_at_point(s, v, scratch);
    dd_system_initial_from_tangent(s, v->tangent, v->dof, v->x, v->stride);
    dd_pool_free(scratch);
}

/* Derivatives that are not unique at a singular point ((x1' - x2')*(x2' + 1) = 0) depend on where the iteration starts:
 * a few generic starts, until one lies on a solution along which the ranks stay. */
static dd_array_verdict try_array(dd_system *s, const double *x, uint32_t stride)
{
    enum { STARTS = 12 };
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_numeric *nm = dd_system_numeric(s);
    double *guess = dd_pool_alloc_array(scratch, (size_t)s->ncols * stride + 1, sizeof *guess);
    dd_array_verdict best = {0};
    for (uint32_t start = 0; start < STARTS; start++) {
        memcpy(guess, x, (size_t)s->ncols * stride * sizeof *x);
        /* other derivatives, of 1, 2 or 10 times the size; values stay where they are */
        for (uint32_t j = 0; j < s->ncols && start > 0; j++) {
            for (uint32_t k = 1; k < stride; k++) {
                guess[(size_t)j * stride + k] +=
                    s->size[j] * (start % 3 == 0 ? 10.0 : start % 3) * dd_noise(j, k, 40 + start);
            }
        }
        dd_array_verdict v = dd_system_derivative_array(s, nm, guess, stride, true, s->pool);
        /* a solution along which the answer stays */
        if (v.decided && !v.motion_varies) {
            best = v;
            break;
        }
        /* else the best that can be said: decided before consistent */
        best = (v.decided && !best.decided) || (v.consistent && !best.consistent) ? v : best;
        if (v.exhausted) {
            best.exhausted = true;
            break;
        }
    }
    dd_pool_free(scratch);
    return best;
}

dd_system *dd_attempt_by_array(const dd_system *rows, const double *x, uint32_t stride, const dd_regularity *where,
                               bool elsewhere, bool *consistent)
{
    dd_system *a = dd_attempt_new(rows);
    const dd_array_verdict v = try_array(a, x, stride);
    *consistent = *consistent || v.consistent;
    /* that there is no index is said only where ranks leave no doubt */
    if (!v.decided || v.motion_varies || (!v.finite_index && !v.clear)) {
        return NULL;
    }
    if (!v.finite_index) {
        dd_answer_refuse(a, DD_VERDICT_SINGULAR, dd_blame_no_index(a, where, &v));
        a->certificate = DD_CERTIFICATE_DERIVATIVE_ARRAY;
        return a;
    }
    answer_from_array(a, &v);
    a->others_pass = elsewhere;
    if (elsewhere) {
        dd_system_warn(a,
                       "the equations are singular at the initial values (%s): this answer holds along the solution "
                       "that stays there; "
                       "other solutions pass through, and from other initial values the index is %d",
                       where->n_rows > 0 ? dd_system_row_words(a, &a->eqs.data[where->rows[0]], a->pool) : "",
                       a->structural_index);
    }
    return a;
}

/* All partial derivatives are constant in the unknowns. */
static bool is_linear(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    bool linear = true;
    for (uint32_t e = 0; e < s->inc.ptr[s->inc.n] && linear; e++) {
        const dd_expr both[] = {s->inc.partial0[e], s->inc.partial1[e]};
        for (int k = 0; k < 2; k++) {
            dd_expr_vec symbols = {0};
            if (both[k] != DD_EXPR_NONE) {
                dd_symbols(s->model->dag, both[k], false, &symbols, scratch);
            }
            /* no variable and no time in a partial; parameters are numbers */
            linear = linear && symbols.len == 0;
        }
    }
    dd_pool_free(scratch);
    return linear;
}

/* The array of the written rows near one guess after the other; *where: the first singular point otherwise. */
static dd_system *array_near_guesses(dd_system *written, dd_regularity *where, bool *consistent)
{
    dd_pool *scratch = dd_pool_child(written->pool);
    const dd_blocks blocks = dd_system_blocks(written, &written->inc, &written->off, scratch);
    const uint32_t order = written->off.max_d + 1;
    dd_system *a = NULL;
    for (dd_nearness guess = DD_GUESS_START; guess < DD_GUESS_COUNT && !a; guess++) {
        double *x = dd_pool_alloc_array(scratch, (size_t)written->ncols * (order + 1) + 1, sizeof *x);
        dd_point_guess(written, guess, 1, order, x);
        dd_regularity at = dd_system_regularity(written, dd_system_numeric(written), &written->off, &blocks, x,
                                                order + 1, false, written->pool);
        a = dd_attempt_by_array(written, x, order + 1, &at, false, consistent);
        *where = at.singular || !where->finite ? at : *where;
    }
    dd_pool_free(scratch);
    return a;
}

dd_system *dd_attempt_by_definition(const dd_system *rows)
{
    bool consistent = false;
    dd_regularity where = {0};
    return array_near_guesses(dd_rows_written(rows), &where, &consistent);
}

dd_system *dd_attempt_as_written(const dd_system *rows, const dd_witness *w)
{
    dd_system *written = dd_rows_written(rows);
    bool consistent = false;
    dd_regularity where = {0};
    dd_system *a = array_near_guesses(written, &where, &consistent);
    if (a) {
        return a;
    }
    /* dependent rows, and their derivatives cannot be satisfied together: for linear rows that is a proof */
    const bool small = dd_array_rows(written, 2) <= DD_ARRAY_CONVERTED;
    if (!consistent && !written->array->given_up && small && where.singular && is_linear(written)) {
        a = dd_attempt_new(written);
        dd_answer_refuse(a, DD_VERDICT_SINGULAR, dd_blame_no_index(a, &where, NULL));
        return a;
    }
    /* combined rows are nearer to the truth: the structure of those as written is known to deceive */
    if (w) {
        return dd_attempt_unconfirmed(rows, w);
    }
    if (!written->array->given_up) {
        dd_system_warn(
            written,
            "the structure of the equations is deceptive (their Jacobian is singular) and no repair was found: "
            "index and degrees of freedom are lower bounds");
    }
    return dd_attempt_unconfirmed(written, &(dd_witness){.any_consistent = true});
}
