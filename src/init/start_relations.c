/* start_relations.c - relations at the start: values decide them and they decide values.
 *
 * Blocks are solved in the order in which values depend on values; a relation may be on a value that is found later. So
 * the solution is taken as the next guess, until no relation changes any more or all rows hold. Relations that go on
 * changing are tried halfway between the last two solutions as well, where another of their combinations may hold; else
 * they are named. */
#include <math.h>
#include <string.h>

#include "init/start_impl.h"

static bool jumps(dd_op op)
{
    switch (op) {
    case DD_OP_LT:
    case DD_OP_LE:
    case DD_OP_FLOOR:
    case DD_OP_CEIL:
    case DD_OP_MOD:
    case DD_OP_SIGN:
        return true;
    default:
        return false;
    }
}

void dd_start_collect_relations(start_work *w)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec stack = {0};
    dd_map seen = dd_map_new(w->scratch);
    /* every expression once, with an explicit stack: depth is up to the model */
    for (uint32_t i = 0; i < w->rows.eqs.len; i++) {
        dd_vec_push(w->scratch, &stack, w->rows.eqs.data[i].residual);
        while (stack.len > 0) {
            dd_expr e = stack.data[--stack.len];
            if (dd_map_get(&seen, e)) {
                continue;
            }
            dd_map_put(&seen, e, 1);
            if (jumps(dd_op_of(dag, e))) {
                dd_vec_push(w->scratch, &w->relations, e);
                dd_vec_push(w->scratch, &w->relation_row, i);
            }
            for (uint32_t k = 0; k < dd_arg_count(dag, e); k++) {
                dd_vec_push(w->scratch, &stack, dd_arg(dag, e, k));
            }
        }
    }
    const uint32_t n = w->relations.len;
    w->relation_before = dd_pool_alloc_array(w->scratch, n + 1, sizeof(double));
    w->relation_now = dd_pool_alloc_array(w->scratch, n + 1, sizeof(double));
    w->relation_size = dd_pool_alloc_array(w->scratch, n + 1, sizeof(double));
}

/* Values of all relations at x. */
static void look(start_work *w, const double *x, double *values)
{
    const dd_numeric_place at = {x, w->stride, w->at};
    dd_numeric_values(w->s, w->relations.data, w->relations.len, &at, values, w->relation_size, w->scratch);
}

/* mod changes with its arguments all the time: its jumps alone count. */
static bool changed(const start_work *w, uint32_t k)
{
    const double a = w->relation_before[k], b = w->relation_now[k];
    if (dd_op_of(w->s->model->dag, w->relations.data[k]) == DD_OP_MOD) {
        return !(fabs(a - b) <= 0.5 * fmax(fabs(a), fabs(b)));
    }
    return a != b;
}

static bool any_changed(const start_work *w)
{
    for (uint32_t k = 0; k < w->relations.len; k++) {
        if (changed(w, k)) {
            return true;
        }
    }
    return false;
}

/* "`x < 1` in `b = if x < 1 then 1 else 0` (f.mo:3)" */
static void name_relations(start_work *w, dd_text *out)
{
    enum { MOST = 3 };
    dd_dag *dag = w->s->model->dag;
    const dd_namer namer = dd_model_namer(w->s->model);
    uint32_t count = 0;
    for (uint32_t k = 0; k < w->relations.len; k++) {
        if (changed(w, k) && count++ < MOST) {
            dd_text_printf(out, "%s`", count > 1 ? ", " : "");
            dd_print(dag, w->relations.data[k], &namer, out);
            dd_text_printf(out, "` in %s", dd_start_row_words(w, w->relation_row.data[k], 0));
        }
    }
    if (count > MOST) {
        dd_text_printf(out, " and %u more", count - MOST);
    }
}

static bool refuse_alternation(start_work *w)
{
    dd_text text = dd_text_new(w->scratch);
    name_relations(w, &text);
    return dd_start_refuse(
        w,
        "no initial values were found: relations alternate (%s): with either value the equations and "
        "initial conditions lead to the other one; change the initial conditions, or the start value "
        "that such a relation depends on",
        dd_text_str(&text));
}

/* A block could not be solved: relations that are others where it ended are part of the reason. */
static void mention_relations(start_work *w)
{
    look(w, w->guess, w->relation_before);
    look(w, w->x, w->relation_now);
    if (any_changed(w)) {
        dd_text text = dd_text_new(w->scratch);
        name_relations(w, &text);
        dd_start_refuse(
            w, "%s; on the way relations change (%s): perhaps there is no solution with either of their values",
            w->out->reason, dd_text_str(&text));
    }
}

/* The solution, or a point halfway to it, is the next guess. */
static void move_guess(start_work *w, double part)
{
    const size_t total = (size_t)w->s->ncols * w->stride;
    for (size_t q = 0; q < total; q++) {
        w->guess[q] += part * (w->x[q] - w->guess[q]);
    }
}

/* Solves until relations and values agree; w->relation_before and _now are those of the last round. */
static bool solve_rounds(start_work *w, const start_choice *choice, bool *settled)
{
    enum { PLAIN = 20, DAMPED = 10 };
    const double holds = 1e-8; /* relative residual of rows that Newton has solved, with room for rounding */
    /* relations before, values, relations after: until they agree, or the rows hold with either */
    const uint32_t rounds = PLAIN + DAMPED + w->relations.len; /* a chain of relations takes a round each at most */
    bool agreed = false;
    *settled = false;
    for (uint32_t round = 0; round < rounds && !*settled; round++) {
        look(w, w->guess, w->relation_before);
        if (!dd_start_solve(w, choice)) {
            mention_relations(w);
            return false;
        }
        look(w, w->x, w->relation_now);
        /* blocks that were solved on the way saw old values beside new ones: relations that are as they were say nothing about
         * those between, unless they agreed before */
        const bool agrees = !any_changed(w);
        *settled = (agrees && agreed) || dd_start_residual(w, choice) <= holds;
        agreed = agrees;
        /* whole steps first; a cycle may break halfway between two solutions */
        if (!*settled) {
            move_guess(w, round + DAMPED < rounds ? 1.0 : 0.5);
        }
    }
    return true;
}

bool dd_start_solve_settled(start_work *w, const start_choice *choice)
{
    if (w->relations.len == 0) {
        return dd_start_solve(w, choice);
    }
    const size_t total = (size_t)w->s->ncols * w->stride;
    double *guess = dd_pool_alloc_array(w->scratch, total + 1, sizeof *guess);
    memcpy(guess, w->guess, total * sizeof *guess);
    /* held values are known: relations on them are right from the first round */
    for (uint32_t j = 0; j < w->s->ncols; j++) {
        if (w->held[j]) {
            w->guess[(size_t)j * w->stride] = w->value[j];
        }
    }
    bool settled, solved = solve_rounds(w, choice, &settled);
    if (solved && !settled) {
        refuse_alternation(w);
    }
    memcpy(w->guess, guess, total * sizeof *guess);
    return solved && settled;
}
