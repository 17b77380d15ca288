/* impossible.c - what the given values force, row by row, until one row cannot hold.
 *
 * Known from the start are the fixed values, the parameters and the time; all are exact numbers of the dag. Put into
 * the rows f_i^(k), k <= c_i, and the initial equations, three rules say more:
 *
 *     c*y + b = 0 with numbers c <> 0 and b              y = -b/c
 *     sum of terms that are never negative = 0           every one is 0: x^2 + y^2 = 0 leaves x = y = 0
 *     a number that is not 0 = 0, or such a sum = -1     no values exist
 *
 * A coefficient that is zero takes its unknown out of a row, exactly: with x = 1, (x - 1)*lam = 1 reads 0 = 1. Nothing
 * is guessed, so what comes out is a proof, up to the rounding of functions, which is allowed for.
 */
#include "structure/impossible.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"

enum {
    MOST_ROWS = 600,  /* rows and derivatives that are looked at: each sweep costs all of them */
    MOST_SWEEPS = 50, /* a chain of as many rows, in the worst order */
    MOST_NAMES = 6
};
static const double rounding = 1e-9; /* of the terms of a row: what is left by rounding is no contradiction */

typedef struct fact_row {
    dd_expr residual;
    uint32_t eq, order; /* derivative of a row of s->eqs; eq = DD_NO_INDEX: an initial equation, */
    uint32_t initial;   /* its number */
} fact_row;
typedef DD_VEC(fact_row) fact_row_vec;

typedef struct facts {
    const dd_system *s;
    dd_dag *dag;
    dd_pool *pool;
    dd_map known;   /* symbol -> its number (NUM) */
    dd_map because; /* symbol -> 1 + the row that determined it; fixed values have none */
    uint32_t row;   /* the row at hand */
    fact_row_vec rows;
    double *x; /* the known numbers as Taylor coefficients, 0 elsewhere */
    uint32_t stride;
    uint32_t failed; /* row that cannot hold */
    bool never;      /* its terms have the wrong sign for all values (else: a number is left) */
    double left;     /* that number */
} facts;

/* ---- rows ---- */

static dd_expr known_symbol(void *user, dd_expr symbol)
{
    const facts *f = user;
    dd_op op = dd_op_of(f->dag, symbol);
    if (op == DD_OP_TIME) {
        return dd_num(f->dag, dd_system_start_time(f->s));
    }
    if (op == DD_OP_PARAM) {
        return dd_num(f->dag, f->s->parameter[dd_symbol_id(f->dag, symbol)]);
    }
    return (dd_expr)dd_map_get(&f->known, symbol);
}

static void learn(facts *f, dd_expr symbol, dd_expr number)
{
    uint32_t col = f->s->column[dd_symbol_id(f->dag, symbol)], order = dd_symbol_order(f->dag, symbol);
    double value = dd_num_value(f->dag, number);
    /* derivative to Taylor coefficient */
    for (uint32_t k = 2; k <= order; k++) {
        value /= k;
    }
    if (col != DD_NO_INDEX && order < f->stride) {
        f->x[(size_t)col * f->stride + order] = value;
    }
    dd_map_put(&f->known, symbol, number);
    if (f->row != DD_NO_INDEX) {
        dd_map_put(&f->because, symbol, f->row + 1);
    }
}

/* False when there are too many. */
static bool collect_rows(facts *f)
{
    const dd_system *s = f->s;
    uint64_t count = s->model->initial_rows.len;
    for (uint32_t i = 0; i < s->inc.n; i++) {
        count += s->off.c[i] + 1;
    }
    if (count > MOST_ROWS) {
        return false;
    }
    /* everything that holds at the start: rows with their derivatives, initial equations, */
    for (uint32_t i = 0; i < s->inc.n; i++) {
        dd_expr e = s->eqs.data[i].residual;
        for (uint32_t k = 0; k <= s->off.c[i]; k++) {
            dd_vec_push(f->pool, &f->rows, ((fact_row){.residual = e, .eq = i, .order = k}));
            e = k < s->off.c[i] ? dd_system_derivative(s, e) : e;
        }
    }
    for (uint32_t i = 0; i < s->model->initial_rows.len; i++) {
        dd_expr e = dd_system_lower(s, s->model->initial_rows.data[i].residual);
        dd_vec_push(f->pool, &f->rows, ((fact_row){.residual = e, .eq = DD_NO_INDEX, .initial = i}));
    }
    /* fixed values, known before any row is looked at */
    for (uint32_t j = 0; j < s->declared; j++) {
        const dd_variable *v = &s->model->vars.data[s->unknown[j]];
        if (v->fixed && isfinite(v->start_value)) {
            learn(f, dd_var(f->dag, s->unknown[j], 0), dd_num(f->dag, v->start_value));
        }
    }
    return true;
}

/* ---- rules ---- */

static double value_of(facts *f, dd_expr e, double *magnitude)
{
    const dd_numeric_place place = {f->x, f->stride, {.time = dd_system_start_time(f->s)}};
    return dd_numeric_value(f->s, e, &place, magnitude, f->pool);
}

/* Numbers left, whether folded or functions of numbers. */
static bool is_number(facts *f, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_symbols(f->dag, e, true, &symbols, f->pool);
    return symbols.len == 0;
}

/* Is every unknown of the row known? Others have dropped out of it. */
static bool all_known(facts *f, uint32_t row)
{
    dd_expr_vec symbols = {0};
    bool all = true;
    dd_symbols(f->dag, f->rows.data[row].residual, false, &symbols, f->pool);
    for (uint32_t i = 0; i < symbols.len && all; i++) {
        all = known_symbol(f, symbols.data[i]) != DD_EXPR_NONE;
    }
    return all;
}

/* A row without unknowns: does it hold, as far as rounding allows? The terms are those of the row as it was. */
static bool number_holds(facts *f, uint32_t row, dd_expr e)
{
    /* the row as it was: 1e-17 left of terms of size 1 is rounding */
    double size, magnitude, value = value_of(f, e, &size);
    value_of(f, f->rows.data[row].residual, &magnitude);
    f->left = value;
    if (!isfinite(value)) { /* x/0 says nothing about x: the parameter is to blame (analyse.c) */
        return !all_known(f, row);
    }
    return fabs(value) <= rounding * fmax(magnitude, fabs(value)) || isinf(magnitude);
}

/* c*y + b = 0. Returns true when y became known. */
static bool solve_linear(facts *f, dd_expr e)
{
    dd_expr_vec symbols = {0};
    dd_expr coefficient, rest;
    dd_symbols(f->dag, e, true, &symbols, f->pool);
    if (symbols.len != 1 || f->s->column[dd_symbol_id(f->dag, symbols.data[0])] == DD_NO_INDEX ||
        !dd_linear(f->dag, e, symbols.data, 1, &coefficient, &rest)) {
        return false;
    }
    /* exact while it is a number of the dag, else to rounding */
    dd_expr solution = dd_neg(f->dag, dd_div(f->dag, rest, coefficient));
    double size, value = value_of(f, solution, &size);
    if (!isfinite(value)) {
        return false;
    }
    learn(f, symbols.data[0], dd_op_of(f->dag, solution) == DD_OP_NUM ? solution : dd_num(f->dag, value));
    return true;
}

static bool is_even_power(facts *f, dd_expr e)
{
    int64_t num, den;
    return dd_op_of(f->dag, e) == DD_OP_POW && dd_op_of(f->dag, dd_arg(f->dag, e, 1)) == DD_OP_NUM &&
           dd_num_rational(f->dag, dd_arg(f->dag, e, 1), &num, &den) && num > 0 && den == 1 && num % 2 == 0;
}

static bool is_root(facts *f, dd_expr e)
{
    int64_t num, den;
    return dd_op_of(f->dag, e) == DD_OP_POW && dd_op_of(f->dag, dd_arg(f->dag, e, 1)) == DD_OP_NUM &&
           dd_num_rational(f->dag, dd_arg(f->dag, e, 1), &num, &den) && num > 0 && den == 2;
}

/* 1: never negative, 2: always positive, 0: not known; -1 and -2 the other way round. *base: it is 0 only where this
 * is. */
static int sign_of_factor(facts *f, dd_expr e, dd_expr *base)
{
    *base = DD_EXPR_NONE;
    switch (dd_op_of(f->dag, e)) {
    /* zero is not a factor: products with it are gone */
    case DD_OP_NUM:
        return dd_num_value(f->dag, e) > 0 ? 2 : -2;
    case DD_OP_EXP:
    case DD_OP_COSH:
        return 2;
    case DD_OP_ABS:
        *base = dd_arg(f->dag, e, 0);
        return 1;
    default:
        break;
    }
    if (is_even_power(f, e) || is_root(f, e)) {
        *base = dd_arg(f->dag, e, 0);
        return 1;
    }
    return 0;
}

static int sign_of_term(facts *f, dd_expr e, dd_expr *base)
{
    if (dd_op_of(f->dag, e) != DD_OP_MUL) {
        return sign_of_factor(f, e, base);
    }
    int sign = 2, direction = 1;
    *base = DD_EXPR_NONE;
    for (uint32_t i = 0; i < dd_arg_count(f->dag, e); i++) {
        dd_expr inner;
        int one = sign_of_factor(f, dd_arg(f->dag, e, i), &inner);
        /* two factors that may vanish: which of them does is open */
        if (one == 0 || (inner != DD_EXPR_NONE && *base != DD_EXPR_NONE)) {
            return 0;
        }
        *base = inner != DD_EXPR_NONE ? inner : *base;
        direction = one < 0 ? -direction : direction;
        sign = abs(one) < sign ? abs(one) : sign;
    }
    return direction * sign;
}

typedef enum sum_outcome { SUM_UNKNOWN, SUM_LEARNT, SUM_NEVER } sum_outcome;

/* A sum of terms of one sign. */
static sum_outcome judge_sum(facts *f, dd_expr e)
{
    bool sum = dd_op_of(f->dag, e) == DD_OP_ADD, positive = false, learnt = false;
    uint32_t terms = sum ? dd_arg_count(f->dag, e) : 1;
    int direction = 0;
    /* terms of both signs may cancel */
    for (uint32_t i = 0; i < terms; i++) {
        dd_expr base;
        int one = sign_of_term(f, sum ? dd_arg(f->dag, e, i) : e, &base);
        if (one == 0 || one * direction < 0) {
            return SUM_UNKNOWN;
        }
        direction = one < 0 ? -1 : 1;
        positive = positive || abs(one) == 2;
    }
    /* something positive and nothing negative is never 0 */
    if (positive) {
        return SUM_NEVER;
    }
    /* all vanish; where the base is linear in one unknown, that becomes known */
    for (uint32_t i = 0; i < terms; i++) {
        dd_expr base;
        sign_of_term(f, sum ? dd_arg(f->dag, e, i) : e, &base);
        learnt = solve_linear(f, base) || learnt;
    }
    return learnt ? SUM_LEARNT : SUM_UNKNOWN;
}

/* One look at a row. *learnt: something became known. False when it cannot hold. */
static bool look(facts *f, uint32_t row, bool *done, bool *learnt)
{
    /* what is left with everything that is known put in */
    dd_expr e = dd_substitute(f->dag, f->rows.data[row].residual, known_symbol, f);
    f->never = false;
    f->row = row;
    if (is_number(f, e)) {
        *done = true;
        return number_holds(f, row, e);
    }
    if (solve_linear(f, e)) {
        *done = *learnt = true;
        return true;
    }
    sum_outcome sum = judge_sum(f, e);
    *learnt = *learnt || sum == SUM_LEARNT;
    f->never = sum == SUM_NEVER;
    return sum != SUM_NEVER;
}

/* True when some row cannot hold. */
static bool contradiction(facts *f)
{
    bool *done = dd_pool_alloc_array(f->pool, f->rows.len + 1, sizeof *done);
    bool learnt = true;
    /* until nothing new is learnt */
    for (uint32_t sweep = 0; sweep < MOST_SWEEPS && learnt; sweep++) {
        learnt = false;
        dd_check_stop(f->s->ctx);
        for (uint32_t i = 0; i < f->rows.len; i++) {
            if (!done[i] && !look(f, i, &done[i], &learnt)) {
                f->failed = i;
                return true;
            }
        }
    }
    return false;
}

/* ---- words ---- */

static void add_symbol_value(const dd_system *s, dd_expr symbol, double value, uint32_t count, dd_text *out)
{
    char number[32];
    dd_namer namer = dd_model_namer(s->model);
    uint32_t col = s->column[dd_symbol_id(s->model->dag, symbol)];
    bool fixed =
        col != DD_NO_INDEX && dd_symbol_order(s->model->dag, symbol) == 0 && s->model->vars.data[s->unknown[col]].fixed;
    dd_text_add(out, count > 0 ? ", " : "");
    dd_print(s->model->dag, symbol, &namer, out);
    dd_text_printf(out, " = %s%s", dd_number_text(value, number), fixed ? " (fixed)" : "");
}

/* A list of names or values, which ends somewhere. */
typedef struct word_list {
    dd_text text;
    uint32_t count;
} word_list;

static void add_symbol(facts *f, dd_expr symbol, word_list *list)
{
    dd_namer namer = dd_model_namer(f->s->model);
    if (list->count < MOST_NAMES) {
        dd_text_add(&list->text, list->count > 0 ? ", " : "");
        dd_print(f->dag, symbol, &namer, &list->text);
    }
    list->count++;
}

/* What is known of the symbols of a row, and what dropped out of it. */
static void row_facts(facts *f, dd_expr residual, word_list *values, word_list *dropped)
{
    dd_expr_vec symbols = {0};
    char time[32];
    dd_symbols(f->dag, residual, true, &symbols, f->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        dd_op op = dd_op_of(f->dag, symbols.data[i]);
        dd_expr number = op == DD_OP_PARAM ? DD_EXPR_NONE : known_symbol(f, symbols.data[i]);
        /* a symbol without a value is not in the row any more: its coefficient is zero */
        if (op == DD_OP_VAR && number == DD_EXPR_NONE) {
            add_symbol(f, symbols.data[i], dropped);
        } else if (op == DD_OP_VAR && values->count < MOST_NAMES) {
            add_symbol_value(f->s, symbols.data[i], dd_num_value(f->dag, number), values->count++, &values->text);
        } else if (op == DD_OP_TIME && values->count < MOST_NAMES) {
            dd_text_printf(&values->text, "%stime = %s", values->count++ > 0 ? ", " : "",
                           dd_number_text(dd_system_start_time(f->s), time));
        }
    }
}

/* The rows behind the failed one, itself the first. */
static dd_index_vec rows_behind(facts *f)
{
    dd_index_vec rows = {0};
    bool *seen = dd_pool_alloc_array(f->pool, f->rows.len + 1, sizeof *seen);
    dd_vec_push(f->pool, &rows, f->failed);
    seen[f->failed] = true;
    /* back along what each value was learnt from */
    for (uint32_t q = 0; q < rows.len; q++) {
        dd_expr_vec symbols = {0};
        dd_symbols(f->dag, f->rows.data[rows.data[q]].residual, false, &symbols, f->pool);
        for (uint32_t i = 0; i < symbols.len; i++) {
            uint32_t row = dd_map_get(&f->because, symbols.data[i]);
            if (row > 0 && !seen[row - 1]) {
                seen[row - 1] = true;
                dd_vec_push(f->pool, &rows, row - 1);
            }
        }
    }
    return rows;
}

/* A row behind the failed one from which an unknown dropped out; DD_NO_INDEX without. */
static uint32_t row_that_lost(facts *f, const dd_index_vec *rows)
{
    for (uint32_t q = 0; q < rows->len; q++) {
        word_list values = {.text = dd_text_new(f->pool)}, dropped = {.text = dd_text_new(f->pool)};
        row_facts(f, f->rows.data[rows->data[q]].residual, &values, &dropped);
        if (dropped.count > 0 && !(f->never && q == 0)) {
            return rows->data[q];
        }
    }
    return DD_NO_INDEX;
}

static const char *row_name(facts *f, const fact_row *r)
{
    if (r->eq == DD_NO_INDEX) {
        dd_text text = dd_text_new(f->pool);
        dd_text_add(&text, "the initial equation `");
        dd_model_print_residual(f->s->model, f->s->model->initial_rows.data[r->initial].residual, &text);
        dd_text_add(&text, "`");
        return dd_text_str(&text);
    }
    const char *words = dd_system_row_words(f->s, &f->s->eqs.data[r->eq], f->pool);
    return r->order == 0   ? words
           : r->order == 1 ? dd_pool_printf(f->pool, "the derivative of %s", words)
                           : dd_pool_printf(f->pool, "derivative %u of %s", r->order, words);
}

/* " with x = 1 (fixed)": the fixed values behind it. */
static const char *fixed_behind(facts *f, const dd_index_vec *rows)
{
    word_list list = {.text = dd_text_new(f->pool)};
    dd_map seen = dd_map_new(f->pool);
    for (uint32_t q = 0; q < rows->len; q++) {
        dd_expr_vec symbols = {0};
        dd_symbols(f->dag, f->rows.data[rows->data[q]].residual, false, &symbols, f->pool);
        for (uint32_t i = 0; i < symbols.len && list.count < MOST_NAMES; i++) {
            dd_expr number = known_symbol(f, symbols.data[i]);
            /* known, but learnt from no row: given */
            if (number != DD_EXPR_NONE && !dd_map_get(&f->because, symbols.data[i]) &&
                !dd_map_get(&seen, symbols.data[i])) {
                dd_map_put(&seen, symbols.data[i], 1);
                add_symbol_value(f->s, symbols.data[i], dd_num_value(f->dag, number), list.count++, &list.text);
            }
        }
    }
    return list.count > 0 ? dd_pool_printf(f->pool, " with %s", dd_text_str(&list.text)) : "";
}

/* "leaves 3 = 0" */
static const char *what_is_left(facts *f, const word_list *open)
{
    char number[32];
    return f->never            ? dd_pool_printf(f->pool, "has no solution for %s", dd_text_str(&open->text))
           : isfinite(f->left) ? dd_pool_printf(f->pool, "reduces to %s = 0", dd_number_text(f->left, number))
                               : "has no finite value";
}

/* Does the proof need nothing of the start: no initial equation, no fixed value, no time? Then no values exist at
 * all. */
static bool holds_always(facts *f, const dd_index_vec *rows)
{
    bool always = *fixed_behind(f, rows) == 0;
    for (uint32_t q = 0; q < rows->len && always; q++) {
        const fact_row *r = &f->rows.data[rows->data[q]];
        dd_expr_vec symbols = {0};
        dd_symbols(f->dag, r->residual, true, &symbols, f->pool);
        always = r->eq != DD_NO_INDEX;
        for (uint32_t i = 0; i < symbols.len && always; i++) {
            always = dd_op_of(f->dag, symbols.data[i]) != DD_OP_TIME;
        }
    }
    return always;
}

static const char *explain(facts *f, bool *always, dd_pool *pool)
{
    /* the rows the proof needs, and the one from which an unknown was lost, if any */
    dd_index_vec rows = rows_behind(f);
    *always = holds_always(f, &rows);
    uint32_t lost = row_that_lost(f, &rows);
    word_list values = {.text = dd_text_new(f->pool)}, open = {.text = dd_text_new(f->pool)};
    word_list ignored = {.text = dd_text_new(f->pool)}, dropped = {.text = dd_text_new(f->pool)};
    row_facts(f, f->rows.data[f->failed].residual, &values, &open);
    const char *fixed = fixed_behind(f, &rows), *end = what_is_left(f, &open),
               *name = row_name(f, &f->rows.data[f->failed]);
    const char *where = values.count > 0 ? dd_pool_printf(f->pool, "where %s, ", dd_text_str(&values.text)) : "";
    /* plain: the given values contradict the row */
    if (lost == DD_NO_INDEX) {
        return dd_pool_printf(pool, "%s%s: %s%s %s",
                              *always ? "no values satisfy the equations" : "no consistent start exists", fixed, where,
                              name, end);
    }
    /* singular: the values take an unknown out of a row that should have determined it */
    row_facts(f, f->rows.data[lost].residual, &ignored, &dropped);
    const char *start =
        *always ? "no values satisfy the equations: "
                : dd_pool_printf(f->pool, "the given start is singular, and no consistent one exists%s: ", fixed);
    const char *gone = dd_pool_printf(f->pool, "%s drop%s out of %s", dd_text_str(&dropped.text),
                                      dropped.count > 1 ? "" : "s", row_name(f, &f->rows.data[lost]));
    return lost == f->failed ? dd_pool_printf(pool, "%s%s%s, which %s", start, where, gone, end)
                             : dd_pool_printf(pool, "%s%s, and %s%s %s", start, gone, where, name, end);
}

const char *dd_system_impossible(const dd_system *s, bool *always, dd_pool *pool)
{
    facts f = {.s = s, .dag = s->model->dag, .pool = dd_pool_child(pool), .stride = s->off.max_d + 2};
    f.known = dd_map_new(f.pool);
    f.because = dd_map_new(f.pool);
    f.row = DD_NO_INDEX;
    f.x = dd_pool_alloc_array(f.pool, (size_t)s->ncols * f.stride + 1, sizeof *f.x);
    const char *why = collect_rows(&f) && contradiction(&f) ? explain(&f, always, pool) : NULL;
    dd_pool_free(f.pool);
    return why;
}

const char *dd_system_values_of_rows(const dd_system *s, const uint32_t *rows, uint32_t n, const double *x,
                                     uint32_t stride, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    dd_pool *scratch = dd_pool_child(pool);
    dd_map seen = dd_map_new(scratch);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        dd_expr_vec symbols = {0};
        dd_symbols(s->model->dag, s->eqs.data[rows[i]].residual, false, &symbols, scratch);
        /* values of variables alone: derivatives are not what was given */
        for (uint32_t k = 0; k < symbols.len && count < MOST_NAMES; k++) {
            uint32_t col = s->column[dd_symbol_id(s->model->dag, symbols.data[k])];
            if (col < s->declared && dd_symbol_order(s->model->dag, symbols.data[k]) == 0 &&
                !dd_map_get(&seen, symbols.data[k])) {
                dd_map_put(&seen, symbols.data[k], 1);
                double value = x[(size_t)col * stride]; /* to six digits: a fold is not known better */
                add_symbol_value(s, symbols.data[k], strtod(dd_pool_printf(scratch, "%.6g", value), NULL), count++,
                                 &text);
            }
        }
    }
    dd_pool_free(scratch);
    return dd_text_str(&text);
}
