/* analyse.c - the whole analysis, from a flat model to a dd_system. Start reading at analyse().
 *
 *   first order -> balance -> offsets -> generic rank -> (combine rows, again) -> consistent point -> rank there
 *        regular:  index, constraints and reduced system from the offsets
 *        singular: ranks of the derivative array at that point
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "la/rank_sparse.h"
#include "structure/blame.h"
#include "structure/factor.h"
#include "structure/field.h"
#include "structure/impossible.h"
#include "structure/substitute.h"
#include "structure/witness.h"

dd_analyse_options dd_analyse_options_default(void)
{
    return (dd_analyse_options){.rank_tolerance = 1e-9, .max_index = 12};
}

enum { MAX_POINT_ORDER = 40, MAX_CONDITIONS = 10 };

static void set_kind(dd_system *s)
{
    bool any_rate = false;
    for (uint32_t j = 0; j < s->declared; j++) {
        any_rate = any_rate || s->differentiated[j];
    }
    s->kind = s->index == 0 && s->declared > 0 ? DD_SYSTEM_ODE : any_rate ? DD_SYSTEM_DAE : DD_SYSTEM_ALGEBRAIC;
    if (s->index < 0) {
        bool all = s->declared > 0;
        for (uint32_t j = 0; j < s->declared; j++) {
            all = all && s->differentiated[j];
        }
        s->kind = all ? DD_SYSTEM_ODE : any_rate ? DD_SYSTEM_DAE : DD_SYSTEM_ALGEBRAIC;
    }
}

static void refuse(dd_system *s, dd_verdict verdict, const char *reason)
{
    s->verdict = verdict;
    s->reason = reason;
    s->index = s->dof = -1;
    set_kind(s);
}

/* Rows as written, their incidence and offsets. */
static void set_rows(dd_system *s, const dd_eq_vec *from)
{
    s->eqs.len = 0;
    for (uint32_t i = 0; i < from->len; i++) {
        dd_vec_push(s->pool, &s->eqs, from->data[i]);
    }
}

static void structure_again(dd_system *s)
{
    s->numeric = NULL;
    s->inc = dd_system_incidence(s, &s->eqs, s->pool);
    s->off = dd_system_offsets(s, &s->inc, s->pool);
}

/* Rows of the derivative array that would decide, and how many are worth it. */
enum { CHEAP_ROWS = 160, CONVERTED_ROWS = 500 };

static uint32_t verification_rows(const dd_system *s, uint32_t index)
{
    return index > 1000 ? UINT32_MAX : (index + 3) * s->ncols;
}

/* ---- generic rank and conversion ---- */

typedef struct generic {
    bool singular;
    dd_regularity where;
} generic;

static generic generic_rank(dd_system *s, dd_numeric *nm, const dd_blocks *blocks, dd_pool *scratch)
{
    enum { ORDER = 2 };
    generic g = {0};
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (ORDER + 1) + 1, sizeof *x);
    for (uint32_t salt = 1; salt <= 3; salt++) {
        nm->t0 = dd_system_generic_time(s, salt);
        dd_point_guess(s, DD_GUESS_RANDOM, salt, ORDER, x);
        dd_regularity at = dd_system_regularity(s, nm, &s->off, blocks, x, ORDER + 1, true, scratch);
        if (at.finite && !at.singular) {
            return (generic){0};
        }
        if (at.finite) {
            g.singular = true;
            g.where = at;
        }
    }
    return g;
}

/* Combines rows until the Jacobian is regular at generic points. False when the verdict is already there. */
static bool convert_rows(dd_system *s, bool *stuck)
{
    *stuck = false;
    int64_t rounds = s->off.dof + s->ncols + 1; /* each conversion lowers the value of the transversal */
    for (int64_t round = 0; round <= rounds; round++) {
        dd_check_stop(s->ctx);
        dd_pool *scratch = dd_pool_child(s->pool);
        dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
        dd_numeric *nm = dd_system_numeric(s);
        generic g = generic_rank(s, nm, &blocks, scratch);
        if (!g.singular) {
            dd_pool_free(scratch);
            return true;
        }
        dd_conversion_result r = dd_system_convert(s, nm, &s->off, &blocks, g.where.block, &s->eqs, scratch);
        if (r.outcome == DD_CONVERSION_REDUNDANT) {
            refuse(s, DD_VERDICT_SINGULAR, dd_blame_redundant(s, &r, &g.where));
        } else if (r.outcome == DD_CONVERSION_CONTRADICTION) {
            refuse(s, DD_VERDICT_INCONSISTENT, dd_blame_contradiction(s, &r));
        }
        bool done = r.outcome == DD_CONVERSION_DONE || (r.outcome == DD_CONVERSION_NOT_POSSIBLE &&
                                                        dd_system_substitute(s, nm, &blocks, g.where.block, scratch));
        dd_pool_free(scratch);
        if (!done) {
            *stuck = r.outcome == DD_CONVERSION_NOT_POSSIBLE;
            return *stuck;
        }
        s->certificate = DD_CERTIFICATE_CONVERTED;
        int64_t value = s->off.dof;
        structure_again(s);
        if (s->off.perfect && s->off.dof >= value) { /* no progress: the theory's conditions were met by chance only */
            *stuck = true;
            return true;
        }
        if (!s->off.perfect) {
            refuse(s, DD_VERDICT_SINGULAR, dd_blame_structure(s));
            return false;
        }
    }
    return true;
}

/* Small systems with a regular Jacobian are left as written: their index is verified by definition below. */
static bool structure_deceives(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_numeric *nm = dd_system_numeric(s);
    bool deceives = verification_rows(s, s->off.max_c1) > CHEAP_ROWS || generic_rank(s, nm, &blocks, scratch).singular;
    dd_pool_free(scratch);
    return deceives;
}

/* False when the verdict is already there. */
static bool independent_rates(dd_system *s)
{
    s->rates_combined = true;
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_numeric *nm = dd_system_numeric(s);
    uint32_t replaced;
    dd_conversion_result r = dd_system_reduce_rates(s, nm, &s->eqs, &replaced, scratch);
    if (r.outcome == DD_CONVERSION_REDUNDANT) {
        refuse(s, DD_VERDICT_SINGULAR, dd_blame_redundant(s, &r, &(dd_regularity){0}));
    } else if (r.outcome == DD_CONVERSION_CONTRADICTION) {
        refuse(s, DD_VERDICT_INCONSISTENT, dd_blame_contradiction(s, &r));
    } else if (replaced > 0) {
        s->certificate = DD_CERTIFICATE_CONVERTED;
        structure_again(s);
        if (!s->off.perfect) {
            refuse(s, DD_VERDICT_SINGULAR, dd_blame_structure(s));
        }
    }
    dd_pool_free(scratch);
    return s->reason[0] == 0;
}

/* ---- answers ---- */

static uint32_t converted_index(const dd_system *s)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < s->inc.n; i++) {
        if (s->eqs.data[i].definition) {
            continue; /* differentiating a definition differentiates no equation of the user */
        }
        uint32_t behind = s->off.c1[i] + s->eqs.data[i].depth;
        index = behind > index ? behind : index;
    }
    return index;
}

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
        if (blocks.ptr[b + 1] - blocks.ptr[b] != 1) {
            continue;
        }
        uint32_t row = blocks.row_perm[blocks.ptr[b]], col = blocks.col_perm[blocks.ptr[b]];
        for (uint32_t e = inc->ptr[row]; e < inc->ptr[row + 1]; e++) {
            dd_expr pivot = inc->sigma[e] == 1 ? inc->partial1[e] : inc->partial0[e];
            if (inc->idx[e] != col || dd_op_of(s->model->dag, pivot) == DD_OP_NUM || dd_map_get(&seen, pivot)) {
                continue;
            }
            dd_map_put(&seen, pivot, 1);
            dd_text text = dd_text_new(s->pool);
            strip_and_print(s, pivot, &text);
            bool has_unknown;
            if (is_generic_input(s, pivot, scratch, &has_unknown) && !has_unknown) {
                dd_system_warn(s,
                               "%s is taken as a general input: where %s = 0, %s%s%s drops out of %s and the answer "
                               "changes (try --set)",
                               dd_text_str(&text), dd_text_str(&text), inc->sigma[e] ? "der(" : "",
                               dd_system_column_name(s, col, scratch), inc->sigma[e] ? ")" : "",
                               dd_system_row_words(s, &s->eqs.data[row], scratch));
            }
            dd_text_add(&text, " <> 0");
            dd_vec_push(s->pool, &s->structural_conditions, dd_text_str(&text));
            dd_vec_push(s->pool, &s->conditions, ((dd_pivot){pivot, row, col}));
        }
    }
}

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

/* Of the rows as written, where rows were combined: what follows from the differentiated variables by
 * one formula after the other. */
static void count_assigned_as_written(dd_system *s, dd_pool *scratch)
{
    enum { SWEEPS = 50 };
    uint32_t ncols = s->ncols;
    s->ncols = s->declared;
    dd_incidence inc = dd_system_incidence(s, &s->original, scratch);
    s->ncols = ncols;
    bool *known = dd_pool_alloc_array(scratch, s->declared + 1, sizeof *known);
    memcpy(known, s->differentiated, s->declared * sizeof *known);
    for (uint32_t sweep = 0, before = UINT32_MAX; sweep < SWEEPS && s->assigned_count != before; sweep++) {
        before = s->assigned_count;
        for (uint32_t i = 0; i < inc.n; i++) {
            uint32_t col = assigned_column(s, &inc, i, known);
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
        dd_expr symbol = dd_var(s->model->dag, s->unknown[col], 0), coefficient, rest;
        if (s->off.d[col] == 0 && s->off.c[row] == 0 && col < s->declared &&
            dd_linear(s->model->dag, s->eqs.data[row].residual, &symbol, 1, &coefficient, &rest) &&
            dd_op_of(s->model->dag, coefficient) == DD_OP_NUM) {
            s->assigned_count++;
        }
    }
}

/* The hidden constraint (or equation) that asks for the derivative of an input. */
static const char *asking_text(dd_system *s, uint32_t eq, dd_expr rate)
{
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
        for (uint32_t q = 0; q < s->reduced.input_rates.len; q++) {
            dd_expr other = s->reduced.input_rates.data[q];
            highest = highest && (dd_symbol_id(dag, other) != dd_symbol_id(dag, rate) ||
                                  dd_symbol_order(dag, other) <= dd_symbol_order(dag, rate));
        }
        if (highest) {
            dd_text text = dd_text_new(s->pool);
            dd_print(dag, rate, &namer, &text);
            dd_system_warn(s, "%s needs %s: give the input a form that can be differentiated so often",
                           asking_text(s, s->reduced.input_rate_rows.data[i], rate), dd_text_str(&text));
        }
    }
}

/* ---- auxiliaries stay unseen ---- */

/* The constraints among the rows, in the user's unknowns: definitions are none, nor are rows that turn out to contain
 * derivatives. */
static void hide_auxiliaries(dd_system *s, dd_constraint_row_vec *rows, dd_pool *scratch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < rows->len; i++) {
        dd_constraint_row c = rows->data[i];
        if (s->eqs.data[c.eq].definition) {
            continue;
        }
        c.raw = dd_system_without_auxiliaries(s, c.raw);
        c.expr = dd_system_put_rates(s, c.raw);
        if (!dd_system_has_rates(s, c.expr, scratch)) {
            rows->data[kept++] = c;
        }
    }
    rows->len = kept;
}

/* The rank of dF/dx' at the point; false where it has no finite values. */
static bool rank_of_rates(dd_system *s, dd_numeric *nm, uint32_t *rank, dd_pool *scratch)
{
    const dd_incidence *inc = nm->inc;
    DD_VEC(uint32_t) row = {0}, col = {0};
    DD_VEC(double) val = {0};
    if (!dd_numeric_partials(nm, s->point.x, s->point.order + 1)) {
        return false;
    }
    for (uint32_t i = 0; i < inc->n; i++) {
        for (uint32_t e = inc->ptr[i]; e < inc->ptr[i + 1]; e++) {
            if (inc->sigma[e] == 1) {
                double magnitude;
                dd_vec_push(scratch, &row, i);
                dd_vec_push(scratch, &col, inc->idx[e]);
                dd_vec_push(scratch, &val, dd_numeric_tight(nm, e, &magnitude));
            }
        }
    }
    uint8_t *dependent = dd_pool_alloc_array(scratch, inc->n + 1, 1);
    dd_csc a = {0};
    dd_rowspace_info info = {0};
    dd_status st = dd_csc_from_triplets(&a, s->ctx, inc->n, s->declared, row.len, row.data, col.data, val.data, NULL);
    if (st == DD_OK) {
        st = dd_rank_sparse(&info, s->ctx, &a, NULL, NULL, dependent, NULL, NULL, NULL);
    }
    dd_csc_free(s->ctx, &a);
    dd_system_must(s, st, "rank analysis");
    *rank = info.rank;
    return true;
}

/* Visible constraints are what dF/dx' of the rows as written leaves open; the hidden ones are the rest. (At a point that
 * is only a guess the rank may be below the degrees of freedom: then there is no rest.) */
static void count_as_written(dd_system *s, dd_pool *scratch)
{
    dd_incidence inc = dd_system_incidence(s, &s->original, scratch);
    uint32_t rank, rest = s->declared - (uint32_t)s->dof;
    bool known = rank_of_rates(s, dd_numeric_new(s, &s->original, &inc, scratch), &rank, scratch);
    uint32_t visible = known ? s->declared - rank : s->visible.len;
    s->constraint_count = visible < rest ? visible : rest;
    s->hidden_count = rest - s->constraint_count;
}

/* Needs s->point: where rows were substituted, ranks are taken there. */
static void answer_from_offsets(dd_system *s)
{
    assert(s->point.x);
    dd_pool *scratch = dd_pool_child(s->pool);
    s->verdict = DD_VERDICT_OK;
    s->index = (int)converted_index(s);
    s->dof = (int)s->off.dof;
    dd_system_reduce(s);
    if (s->ncols > s->declared) {
        hide_auxiliaries(s, &s->visible, scratch);
        hide_auxiliaries(s, &s->hidden, scratch);
        count_as_written(s, scratch);
    }
    set_kind(s);
    dd_system_write_formulas(s);
    note_conditions(s, scratch);
    count_assigned(s, scratch);
    warn_input_rates(s);
    dd_pool_free(scratch);
}

/* A row whose derivatives all drop out at the point, shown without them. */
static void visible_at_point(dd_system *s, const dd_array_verdict *v, dd_pool *scratch)
{
    dd_dag *dag = s->model->dag;
    dd_namer namer = dd_model_namer(s->model);
    for (uint32_t i = 0; i < s->eqs.len; i++) {
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
            double value, magnitude;
            dd_numeric_values(s, &coefficient[q], 1, v->x, v->stride, dd_system_start_time(s), &value, &magnitude,
                              scratch);
            drops = fabs(value) <= 1e-9 * fmax(magnitude, 1e-300);
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
    s->constraint_count = v->visible;
    s->hidden_count = v->hidden;
    s->dof = (int)s->ncols - (int)v->visible - (int)v->hidden;
    s->point = (dd_taylor_point){.order = v->stride - 1, .x = v->x, .consistent = true};
    set_kind(s);
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
        for (uint32_t j = 0; j < s->ncols && start > 0; j++) {
            for (uint32_t k = 1; k < stride; k++) {
                guess[(size_t)j * stride + k] +=
                    s->size[j] * (start % 3 == 0 ? 10.0 : start % 3) * dd_noise(j, k, 40 + start);
            }
        }
        dd_array_verdict v = dd_system_derivative_array(s, nm, guess, stride, true, s->pool);
        if (v.decided && !v.motion_varies) {
            best = v;
            break;
        }
        best = (v.decided && !best.decided) || (v.consistent && !best.consistent) ? v : best;
        if (v.exhausted) {
            best.exhausted = true;
            break;
        }
    }
    dd_pool_free(scratch);
    return best;
}

/* The Jacobian is singular at the start values (or everywhere and no combination was found): the definition decides. */
static bool decide_by_array(dd_system *s, const double *x, uint32_t stride, const dd_regularity *where,
                            bool also_elsewhere, bool *consistent)
{
    dd_array_verdict v = try_array(s, x, stride);
    *consistent = *consistent || v.consistent;
    if (!v.decided || v.motion_varies) {
        return false;
    }
    if (!v.finite_index) {
        refuse(s, DD_VERDICT_SINGULAR, dd_blame_no_index(s, where, &v));
        s->certificate = DD_CERTIFICATE_DERIVATIVE_ARRAY;
        return true;
    }
    answer_from_array(s, &v);
    if (also_elsewhere) {
        dd_system_warn(s,
                       "the equations are singular at the initial values (%s): this answer holds along the solution "
                       "that stays there; "
                       "other solutions pass through, and from other initial values the index is %d",
                       where->n_rows > 0 ? dd_system_row_words(s, &s->eqs.data[where->rows[0]], s->pool) : "",
                       s->structural_index);
    }
    return true;
}

static void guess_point(dd_system *s)
{
    uint32_t order = s->off.max_d + 1;
    s->point = (dd_taylor_point){.order = order};
    s->point.x = dd_pool_alloc_array(s->pool, (size_t)s->ncols * (order + 1) + 1, sizeof *s->point.x);
    dd_point_guess(s, DD_GUESS_FILLED, 1, order, s->point.x);
}

/* The first row that is not finite at generic points, as x/a with a = 0; DD_NO_INDEX without. */
static uint32_t undefined_row(dd_system *s)
{
    enum { ORDER = 1, POINTS = 3 };
    dd_pool *scratch = dd_pool_child(s->pool);
    double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (ORDER + 1) + 1, sizeof *x);
    uint8_t *defined = dd_pool_alloc_array(scratch, s->inc.n + 1, 1);
    dd_numeric *nm = dd_system_numeric(s);
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

static void answer_undecided(dd_system *s, const dd_witness *c)
{
    s->certificate = DD_CERTIFICATE_UNDECIDED;
    uint32_t undefined = c->any_consistent ? DD_NO_INDEX : undefined_row(s), before = s->warnings.len;
    if (s->array_given_up) {
        dd_system_warn(s,
                       "the ranks of the differentiated equations would decide, but that was given up at its limit of "
                       "work: index and degrees of freedom are those of the structure, unconfirmed%s%s",
                       c->where.n_rows > 0 ? "; near the start values " : "",
                       c->where.n_rows > 0 ? dd_blame_dependent(s, &c->where) : "");
    } else if (undefined != DD_NO_INDEX) {
        dd_system_warn(
            s,
            "%s has no finite value for any values of the unknowns: look at the parameters in it. The answer is "
            "the structural one, unconfirmed",
            dd_system_row_words(s, &s->eqs.data[undefined], s->pool));
    } else if (!c->any_consistent) {
        dd_system_warn(s,
                       "no point that satisfies all equations was found from the start values; the worst is %s; "
                       "give better start values. The answer is the structural one, unconfirmed",
                       dd_system_row_words(s, &s->eqs.data[c->failed_row], s->pool));
    }
    s->unconfirmed = s->warnings.len > before ? s->warnings.data[before] : NULL;
    if (!c->regular) {
        guess_point(s);
    }
    answer_from_offsets(s);
    dd_system_initial_conditions(s);
}

/* The point by its values: what no formula says. */
static void warn_singular_start(dd_system *s, const dd_regularity *at, const double *x, uint32_t stride,
                                bool regular_elsewhere)
{
    s->start = DD_START_SINGULAR;
    dd_system_warn(s, "the given start is singular: %s, at %s%s", dd_blame_dependent(s, at),
                   dd_system_values_of_rows(s, at->rows, at->n_rows, x, stride, s->pool),
                   regular_elsewhere ? "; other values are not (try --set)" : "");
}

static void finish(dd_system *s);

/* The start lies on a factor of a row, and nothing else decides: (x1 - x2)*(der(x2) + 1) = 0 from x1 = x2. The solution that
 * stays there has that factor for its equation. False when there is none. */
static bool answer_on_factor(dd_system *s, const dd_witness *c)
{
    const uint32_t row = c->where.n_rows > 0 ? c->where.rows[0] : DD_NO_INDEX;
    const bool as_written =
        row < s->original.len && s->ncols == s->declared && s->eqs.data[row].residual == s->original.data[row].residual;
    const dd_expr factor = !s->on_factor && c->start.consistent && as_written
                               ? dd_vanishing_factor(s, row, c->start.x, c->start.order + 1)
                               : DD_EXPR_NONE;
    if (factor == DD_EXPR_NONE) {
        return false;
    }
    const dd_eq before = s->eqs.data[row];
    const char *words = dd_system_row_words(s, &before, s->pool);
    const dd_group *g = &s->model->groups.data[s->model->rows.data[before.row].group];
    for (uint32_t e = s->inc.ptr[row]; e < s->inc.ptr[row + 1]; e++) {
        s->differentiated[s->inc.idx[e]] = s->differentiated[s->inc.idx[e]] && s->inc.sigma[e] == 0;
    }
    s->eqs.data[row].residual = factor;
    s->eqs.data[row].converted = true;
    s->eqs.data[row].from = dd_model_place(s->model, g->span, s->pool);
    structure_again(s);
    if (!s->off.perfect) {
        s->eqs.data[row] = before;
        structure_again(s);
        return false;
    }
    s->original.data[row] = s->eqs.data[row];
    s->on_factor = true;
    dd_system_warn(s,
                   "%s is a product, and the initial values lie on its factor %s: this answer holds along the solution "
                   "that stays there; other solutions pass through, and from other initial values the index is %d",
                   words, dd_system_row_words(s, &s->eqs.data[row], s->pool), s->structural_index);
    s->structural_index = (int)s->off.max_c1;
    finish(s);
    return true;
}

static void answer_at_singular_start(dd_system *s, const dd_witness *c)
{
    bool regular_elsewhere = c->regular;
    if (c->where.zero_row && dd_power_base(s, s->eqs.data[c->where.rows[0]].residual) != DD_EXPR_NONE) {
        refuse(s, DD_VERDICT_SINGULAR, dd_blame_no_index(s, &c->where, NULL));
        return;
    }
    bool consistent = false;
    if (decide_by_array(s, c->start.x, c->start.order + 1, &c->where, regular_elsewhere, &consistent)) {
        return;
    }
    if (s->array_given_up) {
        answer_undecided(s, c);
        return;
    }
    if (answer_on_factor(s, c)) {
        return;
    }
    if (c->regular && !c->start.consistent) {
        answer_from_offsets(s);
        dd_system_initial_conditions(s);
        return;
    }
    if (c->regular && c->guess == DD_GUESS_LOOSE && !c->moved) {
        s->certificate = DD_CERTIFICATE_UNDECIDED;
        warn_singular_start(s, &c->where, c->start.x, c->start.order + 1, true);
        answer_from_offsets(s);
        dd_system_initial_conditions(s);
        return;
    }
    if (!c->start.consistent) {
        answer_undecided(s, c);
        return;
    }
    warn_singular_start(s, &c->where, c->start.x, c->start.order + 1, regular_elsewhere);
    refuse(s, DD_VERDICT_SINGULAR, dd_blame_no_index(s, &c->where, NULL));
}

static void take_counts(dd_system *s, uint32_t index, uint32_t visible, uint32_t hidden)
{
    s->index = (int)index;
    s->constraint_count = visible;
    s->hidden_count = hidden;
    set_kind(s);
}

/* Constant coefficients: the rows as written are a matrix pencil, whose index is found exactly. Generic: the same for
 * coefficients that vary, which is no proof but right unless they are related in ways that only solutions know. */
static bool verify_by_pencil(dd_system *s, const dd_incidence *inc, bool any_coefficients)
{
    dd_pencil_index p = dd_field_pencil(s, inc, any_coefficients);
    if (!p.known || !p.regular || (int)(s->declared - p.visible - p.hidden) != s->dof) {
        return false;
    }
    take_counts(s, p.index, p.visible, p.hidden);
    return true;
}

/* The definition, where it is cheap: ranks of the derivative array of the rows as written. */
static bool verify_by_array(dd_system *s, const dd_incidence *inc, dd_pool *scratch)
{
    uint32_t rows = verification_rows(s, (uint32_t)s->index);
    if (rows > (s->certificate == DD_CERTIFICATE_CONVERTED ? CONVERTED_ROWS : CHEAP_ROWS)) {
        return false;
    }
    dd_numeric *nm = dd_numeric_new(s, &s->original, inc, scratch);
    dd_array_verdict v = dd_system_derivative_array(s, nm, s->point.x, s->point.order + 1, false, scratch);
    /* a regular Jacobian proves the degrees of freedom: an array that finds others is too badly scaled to be
     * believed */
    if (!v.decided || !v.finite_index || !v.clear || (int)(s->declared - v.visible - v.hidden) != s->dof) {
        return false;
    }
    take_counts(s, v.index, v.visible, v.hidden);
    return true;
}

/* Combined rows contain differentiated ones: how often these really are needed is what the combination alone does not
 * tell. */
static void warn_upper_bound(dd_system *s)
{
    uint32_t sure = 0;
    for (uint32_t i = 0; i < s->inc.n; i++) {
        if (!s->eqs.data[i].definition && s->eqs.data[i].depth == 0) {
            sure = s->off.c1[i] > sure ? s->off.c1[i] : sure;
        }
    }
    if ((int)sure < s->index) {
        dd_system_warn(s, "the index is at most %d, as equations were differentiated before they were combined",
                       s->index);
    }
}

/* What a simulation needs to know, from one rank. A regular Jacobian proves the degrees of freedom, so dF/dx' of the rows
 * as written gives the number of hidden constraints: without any the index is 0 or 1, else the structure's, an upper
 * bound, will do. */
static bool verify_counts(dd_system *s, const dd_incidence *inc, dd_pool *scratch)
{
    uint32_t rank;
    if (!s->options.trust_structure ||
        !rank_of_rates(s, dd_numeric_new(s, &s->original, inc, scratch), &rank, scratch)) {
        return false;
    }
    int64_t visible = (int64_t)s->declared - rank, hidden = (int64_t)rank - s->dof;
    bool structural = s->certificate == DD_CERTIFICATE_STRUCTURAL && s->index > 1 && visible == s->visible.len;
    if (hidden != 0 && !(hidden > 0 && structural)) {
        return false;
    }
    take_counts(s, hidden > 0 ? (uint32_t)s->index : visible > 0, (uint32_t)visible, (uint32_t)hidden);
    return true;
}

/* Where the rows as written say something else than the structure (structural_index), they count. */
static void verify_by_definition(dd_system *s)
{
    bool converted = s->certificate == DD_CERTIFICATE_CONVERTED;
    if (s->ncols == 0 || s->declared > DD_PENCIL_MOST) {
        if (converted) {
            warn_upper_bound(s);
        }
        return;
    }
    dd_pool *scratch = dd_pool_child(s->pool);
    uint32_t ncols = s->ncols;
    s->ncols = s->declared; /* the rows as written know no auxiliaries; those columns are the last */
    dd_incidence inc = dd_system_incidence(s, &s->original, scratch);
    bool done = verify_counts(s, &inc, scratch) || verify_by_pencil(s, &inc, false) ||
                verify_by_array(s, &inc, scratch) || (converted && verify_by_pencil(s, &inc, true));
    s->ncols = ncols;
    dd_pool_free(scratch);
    if (!done && converted) {
        warn_upper_bound(s);
    }
}

static void finish_stuck(dd_system *s, const dd_witness *c);

/* Combines rows with dependent derivative parts and goes on with the result; false when there are none. */
static bool combine_and_finish(dd_system *s)
{
    dd_eq_vec before = {0};
    for (uint32_t i = 0; i < s->eqs.len; i++) {
        dd_vec_push(s->pool, &before, s->eqs.data[i]);
    }
    bool stuck, changed = false, open = independent_rates(s);
    for (uint32_t i = 0; i < before.len; i++) {
        changed = changed || s->eqs.data[i].residual != before.data[i].residual;
    }
    if (open && !changed) {
        return false;
    }
    if (open && convert_rows(s, &stuck)) {
        if (stuck) {
            finish_stuck(s, NULL);
        } else {
            finish(s);
        }
    }
    return true;
}

/* No consistent point was found, but where coefficients are constant none is needed: the pencil has as many degrees of
 * freedom as the offsets promise if and only if the Jacobian is regular, and then every equation can be satisfied. */
static bool answer_without_point(dd_system *s)
{
    dd_pencil_index p = dd_field_pencil(s, &s->inc, false);
    if (!p.known || !p.regular || (int64_t)s->inc.n - p.visible - p.hidden != s->off.dof) {
        return false;
    }
    guess_point(s);
    answer_from_offsets(s);
    verify_by_definition(s);
    dd_system_initial_conditions(s);
    return true;
}

/* The first warnings, as a list of their own: what was listed before stays where it is (dd_system_test_start). */
static dd_string_vec first_warnings(dd_system *s, uint32_t count)
{
    dd_string_vec list = {0};
    for (uint32_t i = 0; i < count; i++) {
        dd_vec_push(s->pool, &list, s->warnings.data[i]);
    }
    return list;
}

/* What answer_from_offsets has listed, so that another set of rows or another point can be tried. */
static void forget_answer(dd_system *s, uint32_t warnings)
{
    s->visible = s->hidden = (dd_constraint_row_vec){0};
    s->visible_text = s->hidden_text = (dd_text_row_vec){0};
    s->structural_conditions = s->given = s->redundant_given = (dd_string_vec){0};
    s->free_choice = s->completion = (dd_index_vec){0};
    s->warnings = first_warnings(s, warnings);
    s->reduced = (dd_reduced){0};
    s->assigned_count = 0;
    s->given_count = s->missing = s->excess = 0;
}

void dd_system_refuse_inconsistent(dd_system *s, const char *reason)
{
    forget_answer(s, 0);
    s->constraint_count = s->hidden_count = 0;
    s->certificate = DD_CERTIFICATE_UNDECIDED;
    refuse(s, DD_VERDICT_INCONSISTENT, reason);
}

/* Says when the fixed values contradict the equations: asked only where the point found is elsewhere. */
static void warn_fixed(dd_system *s)
{
    enum { MOST_NAMES = 6 };
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
        moved += v->fixed && !(fabs(value - v->start_value) <= 1e-6 * fmax(fabs(v->start_value), s->size[j]));
    }
    if (moved == 0) {
        return;
    }
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

/* Rows with dependent derivatives hide constraints from the structure, which is right all the same at times: it says so
 * of other formulas. Combining the rows gives the ones that were counted. */
static void answer_regular(dd_system *s)
{
    uint32_t warnings = s->warnings.len;
    answer_from_offsets(s);
    verify_by_definition(s);
    bool agree = s->visible.len == s->constraint_count && s->hidden.len == s->hidden_count;
    if (!agree && !s->rates_combined) {
        forget_answer(s, warnings);
        if (combine_and_finish(s)) {
            return;
        }
        answer_from_offsets(s);
        verify_by_definition(s);
    }
    dd_system_initial_conditions(s);
    warn_fixed(s);
}

static void finish(dd_system *s)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    dd_witness c = {0};
    s->general_warnings = s->warnings.len;
    if (s->off.max_d <= MAX_POINT_ORDER) {
        c = dd_system_find_witness(s, scratch);
    }
    /* where Newton's method could not leave a guess, another guess is as good */
    bool left = c.regular && !c.moved && !c.start.consistent && c.stuck;
    bool singular_start = c.singular_start && !left && (!c.regular || c.moved || c.guess > DD_GUESS_FILLED);
    /* x' - y = 0 and a + (x' - y)*u = 0 look regular away from their solutions only: combining rows may help */
    bool answered = (!c.regular && answer_without_point(s)) ||
                    ((singular_start || !c.regular) && !s->rates_combined && combine_and_finish(s));
    if (answered) {
        dd_pool_free(scratch);
        return;
    }
    if (singular_start) {
        answer_at_singular_start(s, &c);
    } else if (!c.regular && verification_rows(s, 2) <= CONVERTED_ROWS) {
        finish_stuck(s, &c);
    } else if (!c.regular) {
        answer_undecided(s, &c);
    } else {
        s->point_given = !c.moved;
        answer_regular(s);
    }
    dd_pool_free(scratch);
}

static bool any_converted(const dd_system *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->eqs.len && !any; i++) {
        any = s->eqs.data[i].converted;
    }
    return any;
}

bool dd_system_answer_at(dd_system *s, const double *x, uint32_t stride)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    uint32_t order = s->off.max_d + 1;
    dd_taylor_point point = {.order = order, .consistent = true};
    point.x = dd_pool_alloc_array(s->pool, (size_t)s->ncols * (order + 1) + 1, sizeof *point.x);
    for (uint32_t j = 0; j < s->ncols; j++) {
        for (uint32_t k = 0; k <= order && k < stride; k++) {
            point.x[(size_t)j * (order + 1) + k] = x[(size_t)j * stride + k];
        }
    }
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_regularity at = dd_point_regularity(s, dd_system_numeric(s), &s->off, &blocks, &point, s->pool);
    bool regular = !at.singular;
    if (!at.finite) {
        /* a slope of sqrt at 0: no rank can be taken there, and that is no reason to call the start singular */
    } else if (regular) {
        s->point = point;
        s->point_given = true;
        s->certificate = any_converted(s) ? DD_CERTIFICATE_CONVERTED : DD_CERTIFICATE_STRUCTURAL;
        forget_answer(s, s->general_warnings);
        answer_regular(s);
    } else {
        s->certificate = DD_CERTIFICATE_UNDECIDED;
        dd_system_forget_unconfirmed(s);
        warn_singular_start(s, &at, point.x, order + 1, s->point.consistent);
    }
    dd_pool_free(scratch);
    return regular;
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
            linear = linear && symbols.len == 0;
        }
    }
    dd_pool_free(scratch);
    return linear;
}

/* The rows at hand and what was made of them, to come back to. */
typedef struct kept_rows {
    dd_eq_vec eqs;
    dd_incidence inc;
    dd_offsets off;
    dd_numeric *numeric;
    uint32_t ncols;
} kept_rows;

static kept_rows rows_as_written(dd_system *s)
{
    kept_rows kept = {.inc = s->inc, .off = s->off, .numeric = s->numeric, .ncols = s->ncols};
    for (uint32_t i = 0; i < s->eqs.len; i++) {
        dd_vec_push(s->pool, &kept.eqs, s->eqs.data[i]);
    }
    dd_system_drop_auxiliaries(s);
    set_rows(s, &s->original);
    structure_again(s);
    return kept;
}

static void rows_again(dd_system *s, const kept_rows *kept)
{
    dd_system_restore_auxiliaries(s, kept->ncols);
    set_rows(s, &kept->eqs);
    s->inc = kept->inc;
    s->off = kept->off;
    s->numeric = kept->numeric;
}

/* No combination of rows repairs the structure, or no point was found where it could be confirmed (c): ranks of the
 * derivative array of the rows as written. */
static void finish_stuck(dd_system *s, const dd_witness *c)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    kept_rows kept = rows_as_written(s);
    dd_blocks blocks = dd_system_blocks(s, &s->inc, &s->off, scratch);
    dd_numeric *nm = dd_system_numeric(s);
    uint32_t order = s->off.max_d + 1;
    bool consistent = false;
    dd_regularity where = {0};
    for (dd_nearness guess = DD_GUESS_START; guess < DD_GUESS_COUNT; guess++) {
        double *x = dd_pool_alloc_array(scratch, (size_t)s->ncols * (order + 1) + 1, sizeof *x);
        dd_point_guess(s, guess, 1, order, x);
        dd_regularity at = dd_system_regularity(s, nm, &s->off, &blocks, x, order + 1, false, scratch);
        if (decide_by_array(s, x, order + 1, &at, false, &consistent)) {
            dd_pool_free(scratch);
            return;
        }
        where = at.singular || !where.finite ? at : where;
    }
    if (!consistent && !s->array_given_up && verification_rows(s, 2) <= CONVERTED_ROWS && where.singular &&
        is_linear(s)) {
        /* dependent rows, and their derivatives cannot be satisfied together: for linear rows that is a proof */
        refuse(s, DD_VERDICT_SINGULAR, dd_blame_no_index(s, &where, NULL));
        dd_pool_free(scratch);
        return;
    }
    dd_witness none = {.any_consistent = true};
    if (c) { /* combined rows are nearer to the truth: the structure of those as written is known to deceive */
        rows_again(s, &kept);
    } else if (!s->array_given_up) {
        dd_system_warn(
            s, "the structure of the equations is deceptive (their Jacobian is singular) and no repair was found: "
               "index and degrees of freedom are lower bounds");
    }
    answer_undecided(s, c ? c : &none);
    dd_pool_free(scratch);
}

static void analyse(dd_system *s)
{
    dd_system_first_order(s);
    s->structural_index = -1;
    set_rows(s, &s->original);
    dd_check_stop(s->ctx);
    s->inc = dd_system_incidence(s, &s->eqs, s->pool);
    dd_check_stop(s->ctx);
    s->original.len = 0; /* rows as written, with vanishing coefficients taken out */
    for (uint32_t i = 0; i < s->eqs.len; i++) {
        dd_vec_push(s->pool, &s->original, s->eqs.data[i]);
    }
    if (s->eqs.len != s->ncols) {
        refuse(s, DD_VERDICT_UNBALANCED, dd_blame_structure(s));
        return;
    }
    s->off = dd_system_offsets(s, &s->inc, s->pool);
    if (!s->off.perfect) {
        refuse(s, DD_VERDICT_SINGULAR, dd_blame_structure(s));
        return;
    }
    s->structural_index = (int)s->off.max_c1;
    s->certificate = DD_CERTIFICATE_STRUCTURAL;
    dd_check_stop(s->ctx);
    bool stuck;
    if ((structure_deceives(s) && !independent_rates(s)) || !convert_rows(s, &stuck)) {
        return;
    }
    if (stuck) {
        finish_stuck(s, NULL);
    } else {
        finish(s);
    }
}

typedef struct analyse_call {
    const dd_model *model;
    dd_pool *pool;
    const dd_analyse_options *options;
    dd_system *system;
} analyse_call;

static void analyse_body(void *arg)
{
    analyse_call *call = arg;
    dd_system *s = dd_pool_alloc(call->pool, sizeof *s);
    call->system = s;
    s->model = dd_model_copy(call->model, call->pool); /* velocities and auxiliary unknowns are added to it */
    s->ctx = call->model->ctx;
    s->pool = call->pool;
    s->options = call->options ? *call->options : dd_analyse_options_default();
    s->reason = "";
    analyse(s);
}

dd_status dd_model_analyse(dd_system **out, const dd_model *model, const dd_analyse_options *options)
{
    if (out) {
        *out = NULL;
    }
    if (!out || !model) {
        return DD_INVALID_ARGUMENT;
    }
    if (model->failure != DD_OK) {
        return dd_model_first_failure(model);
    }
    analyse_call call = {.model = model, .options = options, .pool = dd_pool_new(model->ctx)};
    if (!call.pool) {
        return dd_fail(model->ctx, DD_OUT_OF_MEMORY, "memory ran out");
    }
    dd_status st = dd_protect(model->ctx, analyse_body, &call);
    if (st != DD_OK) {
        dd_pool_free(call.pool);
        return st;
    }
    *out = call.system;
    return DD_OK;
}

void dd_system_free(dd_system *s)
{
    if (s) {
        dd_pool_free(s->pool);
    }
}
