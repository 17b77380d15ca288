/* answer.c - an answer from the offsets: index, constraints, reduced system, and what they rely on. Start reading
 * at dd_answer_from_offsets(). */
#include "structure/answer.h"

#include <assert.h>
#include <string.h>

#include "structure/certificate.h"
#include "structure/substitute.h"
#include "structure/verify.h"

enum { MAX_CONDITIONS = 10 }; /* pivots and input derivatives that are listed: nobody reads more */

void dd_answer_set_kind(dd_system *s)
{
    bool any_rate = false, all = s->declared > 0;
    for (uint32_t j = 0; j < s->declared; j++) {
        any_rate = any_rate || s->differentiated[j];
        all = all && s->differentiated[j];
    }
    /* without an index: an ODE by its looks, when every variable has a derivative */
    const bool ode = s->index < 0 ? all : s->index == 0 && s->declared > 0;
    s->kind = ode ? DD_SYSTEM_ODE : any_rate ? DD_SYSTEM_DAE : DD_SYSTEM_ALGEBRAIC;
}

void dd_answer_refuse(dd_system *s, dd_verdict verdict, const char *reason)
{
    s->verdict = verdict;
    s->reason = reason;
    s->index = s->dof = -1;
    dd_answer_set_kind(s);
}

void dd_answer_take_counts(dd_system *s, uint32_t index, uint32_t visible, uint32_t hidden)
{
    s->index = (int)index;
    s->constraint_count = visible;
    s->hidden_count = hidden;
    dd_answer_set_kind(s);
}

bool dd_answer_agrees(const dd_system *s)
{
    return s->visible.len == s->constraint_count && s->hidden.len == s->hidden_count;
}

dd_string_vec dd_answer_copied_strings(dd_pool *pool, const dd_string_vec *from)
{
    dd_string_vec list = {0};
    for (uint32_t i = 0; i < from->len; i++) {
        dd_vec_push(pool, &list, from->data[i]);
    }
    return list;
}

/* The largest number of differentiations of an equation of the user, those in combined rows included. */
static uint32_t converted_index(const dd_system *s)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < s->inc.n; i++) {
        if (s->eqs.data[i].definition) {
            continue; /* differentiating a definition differentiates no equation of the user */
        }
        /* offsets with d_j >= 1 count until every x' is determined; depth is what the combination contains already */
        uint32_t behind = s->off.c1[i] + s->eqs.data[i].depth;
        index = behind > index ? behind : index;
    }
    return index;
}

/* ---- what the answer relies on ---- */

static void strip_and_print(dd_system *s, dd_expr e, dd_text *out)
{
    dd_dag *dag = s->model->dag;
    dd_namer namer = dd_model_namer(s->model);
    e = dd_system_without_auxiliaries(s, e);
    if (dd_op_of(dag, e) == DD_OP_MUL && dd_op_of(dag, dd_arg(dag, e, 0)) == DD_OP_NUM) {
        e = dd_div(dag, e, dd_arg(dag, e, 0));
    }
    dd_print(dag, e, &namer, out);
}

static bool is_generic_input(dd_system *s, dd_expr e, dd_pool *scratch, bool *has_unknown)
{
    dd_expr_vec symbols = {0};
    bool input = false;
    *has_unknown = false;
    dd_symbols(s->model->dag, e, false, &symbols, scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        bool is_input = s->model->vars.data[dd_symbol_id(s->model->dag, symbols.data[i])].kind == DD_KIND_INPUT;
        input = input || is_input;
        *has_unknown = *has_unknown || !is_input;
    }
    dd_vec_free(scratch, &symbols);
    return input;
}

/* What must not vanish for the answer to hold: pivots of scalar blocks that are not numbers. */
static void note_conditions(dd_system *s, dd_pool *scratch)
{
    const dd_incidence *inc = &s->inc;
    dd_blocks blocks = dd_system_blocks(s, inc, &s->off, scratch);
    dd_map seen = dd_map_new(scratch);
    for (uint32_t b = 0; b < blocks.count && s->structural_conditions.len < MAX_CONDITIONS; b++) {
        /* the determinant of a larger block is no formula to read */
        if (blocks.ptr[b + 1] - blocks.ptr[b] != 1) {
            continue;
        }
        uint32_t row = blocks.row_perm[blocks.ptr[b]], col = blocks.col_perm[blocks.ptr[b]];
        for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
            /* what the row is divided by when it is solved for its variable */
            dd_expr pivot = inc->sigma[e] == 1 ? inc->partial1[e] : inc->partial0[e];
            if (inc->idx[e] != col || dd_op_of(s->model->dag, pivot) == DD_OP_NUM || dd_map_get(&seen, pivot)) {
                continue;
            }
            dd_map_put(&seen, pivot, 1);
            dd_text text = dd_text_new(s->pool);
            strip_and_print(s, pivot, &text);
            bool has_unknown;
            /* an input is taken as general: where it vanishes, the structure is another */
            if (is_generic_input(s, pivot, scratch, &has_unknown) && !has_unknown) {
                dd_system_warn(s,
                               "%s is treated as a general input: where %s = 0, %s%s%s drops out of %s and the answer "
                               "changes (try %s)",
                               dd_text_str(&text), dd_text_str(&text), inc->sigma[e] ? "der(" : "",
                               dd_system_column_name(s, col, scratch), inc->sigma[e] ? ")" : "",
                               dd_system_row_words(s, &s->eqs.data[row], scratch), dd_option_word(s->ctx, "--set"));
            }
            /* for people, and for the watch of a simulation */
            dd_text_add(&text, " <> 0");
            dd_vec_push(s->pool, &s->structural_conditions, dd_text_str(&text));
            dd_vec_push(s->pool, &s->conditions, ((dd_pivot){pivot, row, col}));
        }
    }
}

/* ---- assigned variables ---- */

/* The one algebraic variable of a row that is not known yet, if the row is free of derivatives and reads x = h(...). */
static uint32_t assigned_column(dd_system *s, const dd_incidence *inc, uint32_t row, const bool *known)
{
    uint32_t open = DD_NO_INDEX, entry = 0;
    for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
        bool unknown = !known[inc->idx[e]];
        if (inc->sigma[e] == 1 || (unknown && open != DD_NO_INDEX)) {
            return DD_NO_INDEX;
        }
        open = unknown ? inc->idx[e] : open;
        entry = unknown ? e : entry;
    }
    if (open == DD_NO_INDEX || dd_op_of(s->model->dag, inc->partial0[entry]) != DD_OP_NUM) {
        return DD_NO_INDEX;
    }
    return open;
}

/* Of the rows as written, where rows were combined: what follows from the differentiated variables by one formula after
 * the other. */
static void count_assigned_as_written(dd_system *s, dd_pool *scratch)
{
    enum { SWEEPS = 50 }; /* each finds at least one more; chains against the order of the text are rarely longer */
    const dd_system written = dd_verify_written(s, scratch);
    bool *known = dd_pool_alloc_array(scratch, s->declared + 1, sizeof *known);
    memcpy(known, s->differentiated, s->declared * sizeof *known);
    for (uint32_t sweep = 0, before = UINT32_MAX; sweep < SWEEPS && s->assigned_count != before; sweep++) {
        before = s->assigned_count;
        for (uint32_t i = 0; i < written.inc.n; i++) {
            uint32_t col = assigned_column(s, &written.inc, i, known);
            if (col != DD_NO_INDEX) {
                known[col] = true;
                s->assigned_count++;
            }
        }
    }
}

static void count_assigned(dd_system *s, dd_pool *scratch)
{
    if (s->certificate == DD_CERTIFICATE_CONVERTED) {
        count_assigned_as_written(s, scratch);
        return;
    }
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    for (uint32_t b = 0; b < blocks.count; b++) {
        if (blocks.ptr[b + 1] - blocks.ptr[b] != 1) {
            continue;
        }
        uint32_t row = blocks.row_perm[blocks.ptr[b]], col = blocks.col_perm[blocks.ptr[b]];
        /* x = h(...): an algebraic variable alone in its block, with a number as coefficient */
        dd_expr symbol = dd_var(s->model->dag, s->unknown[col], 0), coefficient, rest;
        if (s->off.d[col] == 0 && s->off.c[row] == 0 && col < s->declared &&
            dd_linear(s->model->dag, s->eqs.data[row].residual, &symbol, 1, &coefficient, &rest) &&
            dd_op_of(s->model->dag, coefficient) == DD_OP_NUM) {
            s->assigned_count++;
        }
    }
}

/* ---- derivatives of inputs ---- */

/* The hidden constraint (or equation) that asks for the derivative of an input. */
static const char *asking_text(dd_system *s, uint32_t eq, dd_expr rate)
{
    /* a hidden constraint explains it better than the row it came from */
    for (uint32_t i = 0; i < s->hidden.len; i++) {
        if (s->hidden.data[i].eq == eq && dd_depends(s->model->dag, s->hidden.data[i].raw, rate)) {
            dd_text text = dd_text_new(s->pool);
            dd_text_add(&text, "the hidden constraint `");
            dd_model_print_residual(s->model, s->hidden.data[i].raw, &text);
            dd_text_add(&text, "`");
            return dd_text_str(&text);
        }
    }
    return dd_system_row_words(s, &s->eqs.data[eq], s->pool);
}

static void warn_input_rates(dd_system *s)
{
    dd_dag *dag = s->model->dag;
    dd_namer namer = dd_model_namer(s->model);
    for (uint32_t i = 0; i < s->reduced.input_rates.len && i < MAX_CONDITIONS; i++) {
        dd_expr rate = s->reduced.input_rates.data[i];
        bool highest = true;
        /* only the highest derivative of each input is worth a line */
        for (uint32_t q = 0; q < s->reduced.input_rates.len; q++) {
            dd_expr other = s->reduced.input_rates.data[q];
            highest = highest && (dd_symbol_id(dag, other) != dd_symbol_id(dag, rate) ||
                                  dd_symbol_order(dag, other) <= dd_symbol_order(dag, rate));
        }
        if (highest) {
            dd_text text = dd_text_new(s->pool);
            dd_print(dag, rate, &namer, &text);
            dd_system_warn(s, "%s needs %s: give the input as a formula that can be differentiated that often",
                           asking_text(s, s->reduced.input_rate_rows.data[i], rate), dd_text_str(&text));
        }
    }
}

/* ---- auxiliaries stay unseen ---- */

/* The constraints among the rows, in the user's unknowns: without definitions, and without rows that turn out to
 * contain derivatives. */
static void hide_auxiliaries(dd_system *s, dd_constraint_row_vec *rows, dd_constraint_row_vec *implicit,
                             dd_pool *scratch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rows->len; i++) {
        dd_constraint_row c = rows->data[i];
        if (s->eqs.data[c.eq].definition) {
            continue;
        }
        /* in the user's unknowns it may contain a derivative after all */
        const dd_expr raw = c.raw;
        c.raw = dd_system_without_auxiliaries(s, c.raw);
        c.expr = dd_system_put_rates(s, c.raw);
        /* a derivative of a constraint is one as it is, where only an auxiliary could replace its derivatives */
        const bool replaced = dd_system_without_auxiliaries(s, c.expr) != c.expr;
        const bool derived = replaced && raw == c.raw && c.level > 0;
        c.expr = replaced ? c.raw : c.expr;
        if (derived || !dd_system_has_rates(s, c.expr, scratch)) {
            rows->data[kept++] = c;
        } else {
            dd_vec_push(scratch, implicit, c);
        }
    }
    rows->len = kept;
}

/* Constraints that are left when an expression of derivatives is eliminated from several equations, exp(x' + y') = f
 * and sin(x' + y') = g, have no formula of their own: the equations are named together. */
static void write_implicit(dd_system *s, const dd_constraint_row_vec *implicit)
{
    enum { MOST_NAMED = 6 };
    const uint32_t shown = s->visible.len;
    if (implicit->len < 2 || implicit->len > MOST_NAMED || s->constraint_count <= shown) {
        return;
    }
    dd_text equation = dd_text_new(s->pool), from = dd_text_new(s->pool);
    for (uint32_t i = 0; i < implicit->len; i++) {
        const dd_group *g = &s->model->groups.data[s->model->rows.data[s->eqs.data[implicit->data[i].eq].row].group];
        dd_text_add(&equation, i == 0 ? "" : i + 1 == implicit->len ? " and " : ", ");
        dd_model_print_residual(s->model, implicit->data[i].raw, &equation);
        dd_text_printf(&from, "%s%s", i == 0 ? "" : ", ", dd_model_place(s->model, g->span, s->pool));
    }
    dd_text_add(&equation, ", with the derivatives eliminated");
    const dd_text_row row = {
        .eq = implicit->data[0].eq,
        .together = true,
        .text = {dd_text_str(&equation), dd_text_str(&equation), 0, s->constraint_count - shown, dd_text_str(&from)}};
    dd_vec_push(s->pool, &s->visible_text, row);
}

/* Will somebody read the formulas of the constraints, or are they counted by what is in them? */
static bool formulas_matter(const dd_system *s)
{
    return s->options.max_formulas != 1 || !s->options.trust_structure || s->options.explain || s->ncols > s->declared;
}

void dd_answer_from_offsets(dd_system *s)
{
    assert(s->point.x);
    dd_pool *scratch = dd_pool_child(s->pool);
    /* a transversal of value dof with a regular Jacobian leaves that many initial values free (Pryce 2001) */
    s->verdict = DD_VERDICT_OK;
    s->index = (int)converted_index(s);
    s->dof = (int)s->off.dof;
    dd_system_reduce(s);
    if (formulas_matter(s)) {
        dd_system_close_constraints(s);
    }
    dd_constraint_row_vec implicit = {0}, later = {0};
    /* unknowns of substitute.c are not the user's: constraints are shown, and counted, without them */
    if (s->ncols > s->declared) {
        hide_auxiliaries(s, &s->visible, &implicit, scratch);
        hide_auxiliaries(s, &s->hidden, &later, scratch);
        dd_verify_constraint_counts(s, scratch);
    }
    dd_answer_set_kind(s);
    /* what is said about it */
    dd_system_write_formulas(s);
    write_implicit(s, &implicit);
    note_conditions(s, scratch);
    count_assigned(s, scratch);
    warn_input_rates(s);
    dd_pool_free(scratch);
}
