/* rows.c - sets of rows for an answer, and how one follows from another. Start reading at dd_rows_repair(). */
#include "structure/rows.h"

#include <math.h>
#include <string.h>

#include "structure/answer.h"
#include "structure/blame.h"
#include "structure/exact.h"
#include "structure/factor.h"
#include "structure/substitute.h"

static dd_eq_vec copied_rows(dd_pool *pool, const dd_eq_vec *from)
{
    dd_eq_vec list = {0};
    for (uint32_t i = 0; i < from->len; i++) {
        dd_vec_push(pool, &list, from->data[i]);
    }
    return list;
}

/* Incidence and offsets of eqs after a change. */
static void structure_again(dd_system *s)
{
    s->numeric = NULL;
    s->inc = dd_system_incidence(s, &s->eqs, s->pool);
    s->off = dd_system_offsets(s, &s->inc, s->pool);
}

/* A copy whose rows can be changed. What the rows are compiled to is shared until they change. */
static dd_system *branch(const dd_system *rows)
{
    dd_system *b = dd_pool_alloc(rows->pool, sizeof *b);
    *b = *rows;
    b->original = copied_rows(b->pool, &rows->original);
    b->eqs = copied_rows(b->pool, &rows->eqs);
    b->warnings = dd_answer_copied_strings(b->pool, &rows->warnings);
    b->meaning = (dd_expr_vec){0};
    for (uint32_t i = 0; i < rows->meaning.len; i++) {
        dd_vec_push(b->pool, &b->meaning, rows->meaning.data[i]);
    }
    return b;
}

/* A row of numbers, parameters and the time alone that does not read 0 = 0: it has no solution. */
static bool cannot_hold(dd_system *s, uint32_t row, dd_exact *exact)
{
    dd_expr_vec symbols = {0};
    dd_symbols(s->model->dag, s->eqs.data[row].residual, false, &symbols, exact->scratch);
    bool known = s->inc.ptr[row] == s->inc.ptr[row + 1];
    for (uint32_t i = 0; i < symbols.len && known; i++) {
        known = dd_op_of(s->model->dag, symbols.data[i]) != DD_OP_VAR; /* an input: some of its values may do */
    }
    return known && !dd_exact_vanishes(exact, s->eqs.data[row].residual);
}

/* No transversal: a row that cannot hold, otherwise the places where there is too much or too little. */
static dd_rows_state refuse_structure(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_exact exact = dd_exact_new(s, scratch);
    uint32_t row = 0;
    while (row < s->inc.n && !cannot_hold(s, row, &exact)) {
        row++;
    }
    dd_pool_free(scratch);
    if (row < s->inc.n) {
        const dd_conversion_result found = {.n_rows = 1, .rows = &row, .combination = s->eqs.data[row].residual};
        dd_answer_refuse(s, DD_VERDICT_INCONSISTENT, dd_blame_contradiction(s, &found));
    } else {
        dd_answer_refuse(s, DD_VERDICT_SINGULAR, dd_blame_structure(s));
    }
    return DD_ROWS_REFUSED;
}

dd_rows_state dd_rows_first(dd_system *s)
{
    dd_system_first_order(s);
    s->structural_index = -1;
    s->eqs = copied_rows(s->pool, &s->original);
    dd_check_stop(s->ctx);
    s->inc = dd_system_incidence(s, &s->eqs, s->pool);
    dd_check_stop(s->ctx);
    /* coefficients that vanish for the given parameters are gone by now: they are not part of what is "written" */
    s->original = copied_rows(s->pool, &s->eqs);
    if (s->eqs.len != s->ncols) {
        dd_answer_refuse(s, DD_VERDICT_UNBALANCED, dd_blame_structure(s));
        return DD_ROWS_REFUSED;
    }
    s->off = dd_system_offsets(s, &s->inc, s->pool);
    if (!s->off.perfect) {
        return refuse_structure(s);
    }
    s->structural_index = (int)s->off.max_c1;
    s->certificate = DD_CERTIFICATE_STRUCTURAL;
    dd_check_stop(s->ctx);
    return DD_ROWS_REGULAR;
}

/* ---- generic rank ---- */

/* Do two points leave the same direction open? */
static bool same_direction(const dd_regularity *a, const dd_regularity *b)
{
    const double rounding = 1e-6; /* of null vectors of norm 1, by elimination */
    bool same = a->n_cols == b->n_cols;
    for (uint32_t i = 0; i < a->n_cols && same; i++) {
        /* up to a factor, that of the first column */
        same = a->cols[i] == b->cols[i] && fabs(a->col_coef[i] * b->col_coef[0] - b->col_coef[i] * a->col_coef[0]) <=
                                               rounding * fabs(a->col_coef[0] * b->col_coef[0]);
    }
    return same;
}

/* The Jacobian at generic points: regular as soon as one of them shows it, since a determinant that does not vanish
 * identically vanishes on a set of measure zero only. Not finite anywhere is treated as regular: nothing is proved. */
static dd_regularity generic_rank(dd_system *s, dd_numeric *nm, const dd_blocks *blocks, dd_pool *scratch)
{
    enum { ORDER = 2, POINTS = 3 };
    dd_regularity singular = {0};
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (ORDER + 1) + 1, sizeof *x);
    for (uint32_t salt = 1; salt <= POINTS; salt++) {
        nm->t0 = dd_system_generic_time(s, salt);
        dd_point_guess(s, DD_GUESS_RANDOM, salt, ORDER, x);
        dd_regularity at = dd_system_regularity(s, nm, &s->off, blocks, x, ORDER + 1, true, scratch);
        if (at.finite && !at.singular) {
            return (dd_regularity){0};
        }
        at.constant = at.finite && singular.finite && same_direction(&singular, &at);
        singular = at.finite ? at : singular;
    }
    return singular;
}

/* Small systems with a regular Jacobian are left as written: the derivative array verifies their index (verify.c). */
static bool structure_deceives(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_numeric *nm = dd_system_numeric(s);
    bool deceives = dd_array_rows(s, s->off.max_c1) > DD_ARRAY_CHEAP || generic_rank(s, nm, &blocks, scratch).singular;
    dd_pool_free(scratch);
    return deceives;
}

/* ---- repair ---- */

/* Redundant or contradicting rows that a combination has uncovered: the verdict. */
static bool refuse_found(dd_system *s, const dd_conversion_result *r, const dd_regularity *where)
{
    if (r->outcome == DD_CONVERSION_REDUNDANT) {
        dd_answer_refuse(s, DD_VERDICT_SINGULAR, dd_blame_redundant(s, r, where));
    } else if (r->outcome == DD_CONVERSION_CONTRADICTION) {
        dd_answer_refuse(s, DD_VERDICT_INCONSISTENT, dd_blame_contradiction(s, r));
    }
    return r->outcome == DD_CONVERSION_REDUNDANT || r->outcome == DD_CONVERSION_CONTRADICTION;
}

/* After rows were replaced. */
static dd_rows_state structure_of_converted(dd_system *s)
{
    s->certificate = DD_CERTIFICATE_CONVERTED;
    structure_again(s);
    if (!s->off.perfect) {
        return refuse_structure(s);
    }
    return DD_ROWS_REGULAR;
}

/* Rows whose derivative parts depend on each other are combined until those that contain derivatives are
 * independent. */
static dd_rows_state combine_rates(dd_system *s)
{
    s->rates_combined = true;
    dd_pool *scratch = dd_pool_child(s->pool);
    uint32_t replaced;
    dd_conversion_result r = dd_system_reduce_rates(s, dd_system_numeric(s), &s->eqs, &replaced, scratch);
    dd_rows_state state = DD_ROWS_REGULAR;
    if (refuse_found(s, &r, &(dd_regularity){0})) {
        state = DD_ROWS_REFUSED;
    } else if (replaced > 0) {
        state = structure_of_converted(s);
    }
    dd_pool_free(scratch);
    return state;
}

/* One round: replaces rows of the first block that is singular at generic points. *again: rows were replaced. */
static dd_rows_state convert_once(dd_system *s, bool *again)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_numeric *nm = dd_system_numeric(s);
    const dd_regularity where = generic_rank(s, nm, &blocks, scratch);
    dd_rows_state state = DD_ROWS_REGULAR;
    *again = false;
    if (where.singular) {
        /* an exact combination of rows; where its coefficients contain leading derivatives, new unknowns instead */
        dd_conversion_result r = dd_system_convert(s, nm, &s->off, &blocks, where.block, &s->eqs, scratch);
        *again = r.outcome == DD_CONVERSION_DONE || (r.outcome == DD_CONVERSION_NOT_POSSIBLE &&
                                                     dd_system_substitute(s, nm, &blocks, where.block, scratch));
        state = refuse_found(s, &r, &where) ? DD_ROWS_REFUSED : *again ? DD_ROWS_REGULAR : DD_ROWS_DECEPTIVE;
    }
    dd_pool_free(scratch);
    return state;
}

/* Replaces rows until the Jacobian is regular at generic points. Each round lowers the value of the transversal (the
 * degrees of freedom), which bounds their number; a round that does not met the conditions of the theory by chance. */
static dd_rows_state convert(dd_system *s)
{
    const int64_t rounds = s->off.dof + s->ncols + 1;
    for (int64_t round = 0; round <= rounds; round++) {
        dd_check_stop(s->ctx);
        bool again;
        const int64_t value = s->off.dof;
        dd_rows_state state = convert_once(s, &again);
        if (!again) {
            return state;
        }
        if (structure_of_converted(s) == DD_ROWS_REFUSED) {
            return DD_ROWS_REFUSED;
        }
        if (s->off.dof >= value) {
            return DD_ROWS_DECEPTIVE;
        }
    }
    return DD_ROWS_REGULAR;
}

dd_rows_state dd_rows_repair(dd_system *s)
{
    if (structure_deceives(s) && combine_rates(s) == DD_ROWS_REFUSED) {
        return DD_ROWS_REFUSED;
    }
    return convert(s);
}

/* ---- other rows ---- */

static bool same_rows(const dd_eq_vec *a, const dd_eq_vec *b)
{
    bool same = true;
    for (uint32_t i = 0; i < a->len && same; i++) {
        same = a->data[i].residual == b->data[i].residual;
    }
    return same;
}

dd_system *dd_rows_combined(dd_system *rows, dd_rows_state *state)
{
    if (rows->rates_combined) {
        return NULL;
    }
    rows->rates_combined = true;
    dd_system *next = branch(rows);
    *state = combine_rates(next);
    if (*state == DD_ROWS_REFUSED) {
        return next;
    }
    if (same_rows(&rows->eqs, &next->eqs)) {
        return NULL;
    }
    *state = convert(next);
    return next;
}

/* The factor of the first dependent row on which the start lies; only of rows that are still as written, and once. */
static dd_expr factor_of_start(dd_system *s, const dd_witness *w, uint32_t *row)
{
    *row = w->where.n_rows > 0 ? w->where.rows[0] : DD_NO_INDEX;
    const bool as_written = *row < s->original.len && s->ncols == s->declared &&
                            s->eqs.data[*row].residual == s->original.data[*row].residual;
    return !s->on_factor && w->start.consistent && as_written
               ? dd_vanishing_factor(s, *row, w->start.x, w->start.order + 1)
               : DD_EXPR_NONE;
}

dd_system *dd_rows_on_factor(const dd_system *rows, const dd_witness *w)
{
    dd_system *s = branch(rows);
    uint32_t row;
    const dd_expr factor = factor_of_start(s, w, &row);
    if (factor == DD_EXPR_NONE) {
        return NULL;
    }
    const dd_group *g = &s->model->groups.data[s->model->rows.data[s->eqs.data[row].row].group];
    /* the derivatives of the row leave with the other factor */
    s->differentiated = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->differentiated);
    memcpy(s->differentiated, rows->differentiated, s->ncols * sizeof *s->differentiated);
    for (uint32_t e = s->inc.ptr[row]; e < s->inc.ptr[row + 1]; e++) {
        s->differentiated[s->inc.idx[e]] = s->differentiated[s->inc.idx[e]] && s->inc.sigma[e] == 0;
    }
    s->eqs.data[row].residual = factor;
    s->eqs.data[row].converted = true;
    s->eqs.data[row].from = dd_model_place(s->model, g->span, s->pool);
    structure_again(s);
    if (!s->off.perfect) {
        return NULL;
    }
    s->original.data[row] = s->eqs.data[row];
    s->on_factor = true;
    dd_system_warn(s,
                   "%s is a product, and the initial values lie on its factor %s: this answer holds along the solution "
                   "that stays there; other solutions pass through, and from other initial values the index is %d",
                   dd_system_row_words(rows, &rows->eqs.data[row], s->pool),
                   dd_system_row_words(s, &s->eqs.data[row], s->pool), rows->structural_index);
    s->structural_index = (int)s->off.max_c1;
    return s;
}

dd_system *dd_rows_written(const dd_system *rows)
{
    dd_system *s = branch(rows);
    s->column = dd_pool_alloc_array(s->pool, s->model->vars.len + 1, sizeof *s->column);
    memcpy(s->column, rows->column, s->model->vars.len * sizeof *s->column);
    dd_system_drop_auxiliaries(s);
    s->eqs = copied_rows(s->pool, &s->original);
    structure_again(s);
    return s;
}
