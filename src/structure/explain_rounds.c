/* explain_rounds.c - the differentiations, one step each: the constraints of the step before are differentiated, known
 * derivatives are put in, and what results is free of derivatives again (a hidden constraint) or determines one. After
 * as many steps as the index says nothing is free of derivatives. */
#include <string.h>

#include "structure/assigning.h"
#include "structure/explain.h"
#include "structure/report.h"

enum {
    MOST_PUT_IN = 6, /* substitutions shown for one formula */
    MOST_NODES = 300 /* of a last derivative that is printed */
};

typedef struct rounds {
    dd_explanation *x;
    dd_pool *scratch;
    dd_map visible_by_order, hidden_by_order; /* (eq, order) -> 1 + place in the list */
    dd_map hidden_at;                         /* (eq, level) -> 1 + place in s->hidden */
    dd_explain_step *step;
    uint32_t k;             /* the differentiation at hand */
    dd_map put_in;          /* derivative -> the last step in which it was put in */
    dd_map known;           /* derivative -> 1: determined by a differentiated equation */
    dd_expr_vec determined; /* those of this step */
    uint32_t determining;   /* rows of this step that contain them */
} rounds;

static uint64_t key_of(uint32_t eq, uint32_t level)
{
    return ((uint64_t)eq << 32) | level;
}

/* The scalar rows of a formula: of one order, in the order of the list. NULL where only ranks are known. */
static const dd_constraint_row *rows_of(const rounds *r, const dd_text_row *t, bool hidden)
{
    const dd_constraint_row_vec *list = hidden ? &r->x->s->hidden : &r->x->s->visible;
    const uint32_t at =
        (uint32_t)dd_map_get(hidden ? &r->hidden_by_order : &r->visible_by_order, key_of(t->eq, t->text.order));
    return at > 0 && at - 1 + t->text.rows <= list->len ? &list->data[at - 1] : NULL;
}

static const char *label_of(const rounds *r, const dd_text_row *t, uint32_t level)
{
    return dd_explain_row_label(r->x, t->eq, level, t->text.rows > 1);
}

static const char *printed(const rounds *r, dd_expr e)
{
    dd_text text = dd_text_new(r->x->pool);
    dd_namer namer = dd_model_namer(r->x->s->model);
    dd_print(r->x->s->model->dag, e, &namer, &text);
    return dd_text_str(&text);
}

/* ---- what is put in ---- */

static void add_rate(rounds *r, dd_expr symbol)
{
    const dd_system *s = r->x->s;
    dd_dag *dag = s->model->dag;
    const uint32_t col = s->column[dd_symbol_id(dag, symbol)];
    const bool by_row = s->rate[col] != DD_EXPR_NONE;
    dd_expr rate = by_row ? s->rate[col] : s->assigned_rate[col];
    for (uint32_t order = dd_symbol_order(dag, symbol); order > 1; order--) { /* only of assigned variables */
        rate = dd_system_put_rates(s, dd_system_derivative(s, rate));
    }
    dd_expr *value = dd_pool_alloc(r->x->pool, sizeof *value);
    *value = dd_sub(dag, symbol, rate);
    const char *row = by_row ? dd_explain_row_label(r->x, s->rate_row[col], 0, false) : "";
    dd_explain_push(
        r->x, r->step,
        (dd_explain_line){.words = row[0] ? dd_pool_printf(r->x->pool, "with %s", row) : "with",
                          .formula = dd_pool_printf(r->x->pool, "%s = %s", printed(r, symbol), printed(r, rate)),
                          .values = value,
                          .n_values = 1});
}

/* The derivatives in the rows that are known in closed form: first ones, and all of variables that are assigned. */
static void add_put_in(rounds *r, const dd_constraint_row *rows, uint32_t n)
{
    const dd_system *s = r->x->s;
    dd_dag *dag = s->model->dag;
    uint32_t shown = 0;
    for (uint32_t i = 0; i < n; i++) {
        dd_expr_vec symbols = {0};
        dd_symbols(dag, rows[i].raw, false, &symbols, r->scratch);
        for (uint32_t k = 0; k < symbols.len && shown < MOST_PUT_IN; k++) {
            const uint32_t col = s->column[dd_symbol_id(dag, symbols.data[k])];
            const uint32_t order = col != DD_NO_INDEX ? dd_symbol_order(dag, symbols.data[k]) : 0;
            const bool by_row = order == 1 && s->rate[col] != DD_EXPR_NONE;
            const bool known =
                by_row || (order >= 1 && s->rate[col] == DD_EXPR_NONE && s->assigned_rate[col] != DD_EXPR_NONE);
            if (known && dd_map_get(&r->put_in, symbols.data[k]) != r->k) {
                dd_map_put(&r->put_in, symbols.data[k], r->k);
                add_rate(r, symbols.data[k]);
                shown++;
            }
        }
    }
}

/* ---- one formula differentiated ---- */

static const dd_expr *values_of(const rounds *r, const dd_constraint_row *rows, uint32_t n, bool raw)
{
    dd_expr *values = dd_pool_alloc_array(r->x->pool, n + 1, sizeof *values);
    for (uint32_t i = 0; i < n; i++) {
        values[i] = raw ? rows[i].raw : rows[i].expr;
    }
    return values;
}

/* A hidden constraint: the derivative, what is put in, the result. */
static void add_hidden(rounds *r, const dd_text_row *t)
{
    const dd_constraint_text *c = &t->text;
    const dd_constraint_row *rows = rows_of(r, t, true);
    const uint32_t level = rows ? rows->level : 0;
    const bool put_in = rows && strcmp(c->equation, c->differentiated) != 0;
    const char *words = level > 0 ? dd_pool_printf(r->x->pool, "d/dt of %s", label_of(r, t, level - 1)) : "combined";
    dd_explain_push(r->x, r->step,
                    (dd_explain_line){.label = put_in ? "" : label_of(r, t, level),
                                      .words = words,
                                      .formula = c->differentiated,
                                      .from = c->from,
                                      .values = rows ? values_of(r, rows, c->rows, true) : NULL,
                                      .n_values = rows ? c->rows : 0});
    if (put_in) {
        add_put_in(r, rows, c->rows);
        dd_explain_push(r->x, r->step,
                        (dd_explain_line){.label = label_of(r, t, level),
                                          .words = "that is",
                                          .formula = c->equation,
                                          .values = values_of(r, rows, c->rows, false),
                                          .n_values = c->rows});
    }
}

/* The derivatives that are left in e and were not determined before. */
static void note_determined(rounds *r, dd_expr e)
{
    const dd_system *s = r->x->s;
    dd_dag *dag = s->model->dag;
    dd_expr_vec symbols = {0};
    dd_symbols(dag, e, false, &symbols, r->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const bool rate =
            dd_symbol_order(dag, symbols.data[i]) > 0 && s->column[dd_symbol_id(dag, symbols.data[i])] != DD_NO_INDEX;
        if (rate && dd_map_get(&r->known, symbols.data[i]) == 0) {
            dd_map_put(&r->known, symbols.data[i], 1);
            dd_vec_push(r->scratch, &r->determined, symbols.data[i]);
        }
    }
    dd_vec_free(r->scratch, &symbols);
}

/* "This determines der(R1).", after all lines of a step. Before the last step,
 * fewer rows than derivatives only relate them. */
static const char *determined_words(rounds *r, bool last)
{
    enum { MOST_NAMED = 12 };
    const char *begin = !last && r->determined.len > r->determining ? "This relates " : "This determines ";
    dd_text text = dd_text_new(r->x->pool);
    for (uint32_t i = 0; i < r->determined.len && i < MOST_NAMED; i++) {
        dd_text_printf(&text, "%s`%s`", i > 0 ? ", " : begin, printed(r, r->determined.data[i]));
    }
    if (r->determined.len > MOST_NAMED) {
        dd_text_printf(&text, " and %u more", r->determined.len - MOST_NAMED);
    }
    dd_text_add(&text, r->determined.len > 0 ? ". " : "");
    return dd_text_str(&text);
}

/* The last derivative of a constraint: it determines a derivative instead of hiding another constraint. */
static void add_determining(rounds *r, const dd_constraint_row *c)
{
    const dd_system *s = r->x->s;
    const dd_expr plain = dd_system_derivative(s, c->expr), reduced = dd_system_put_rates(s, plain);
    /* the row that a rate was taken from would read 0 = 0 with that rate put in */
    const dd_expr derivative = reduced == dd_num(s->model->dag, 0) ? plain : reduced;
    const char *words = dd_pool_printf(r->x->pool, "d/dt of %s", dd_explain_row_label(r->x, c->eq, c->level, false));
    if (!dd_system_is_short(s, derivative, MOST_NODES, r->scratch)) {
        dd_explain_push(r->x, r->step, (dd_explain_line){.words = words, .formula = ""});
        return;
    }
    const char *label = dd_explain_row_label(r->x, c->eq, c->level + 1, false);
    dd_expr *value = dd_pool_alloc(r->x->pool, sizeof *value);
    *value = dd_system_divide_content(s, derivative);
    dd_explain_line line = {.label = label, .words = words, .values = value, .n_values = 1};
    line.formula = dd_system_print_shorter(s, value, r->x->pool);
    dd_explain_push(r->x, r->step, line);
    note_determined(r, *value);
    r->determining++;
}

/* ---- one step ---- */

static void add_lasting(rounds *r, const dd_constraint_row_vec *list)
{
    for (uint32_t i = 0; i < list->len; i++) {
        const dd_constraint_row *c = &list->data[i];
        if (dd_explain_order(r->x->s, c->order) + 1 == r->k &&
            dd_map_get(&r->hidden_at, key_of(c->eq, c->level + 1)) == 0) {
            dd_check_stop(r->x->s->ctx);
            add_determining(r, c);
        }
    }
}

static const char *ordinal(dd_pool *pool, uint32_t k)
{
    static const char *const words[] = {"", "First", "Second", "Third", "Fourth", "Fifth"};
    return k < sizeof words / sizeof *words ? dd_pool_printf(pool, "%s differentiation", words[k])
                                            : dd_pool_printf(pool, "Differentiation %u", k);
}

/* What is differentiated: the formulas of the order before. */
static const char *sources(const rounds *r)
{
    enum { MOST_NAMED = 12 };
    const dd_system *s = r->x->s;
    const dd_text_row_vec *texts = r->k == 1 ? &s->visible_text : &s->hidden_text;
    dd_text text = dd_text_new(r->x->pool);
    uint32_t n = 0;
    for (uint32_t i = 0; i < texts->len; i++) {
        const dd_constraint_row *rows = rows_of(r, &texts->data[i], r->k > 1);
        if (dd_explain_order(s, texts->data[i].text.order) + 1 != r->k || !rows) {
            continue;
        }
        if (n++ < MOST_NAMED) {
            dd_text_printf(&text, "%s%s", n > 1 ? ", " : "", label_of(r, &texts->data[i], rows->level));
        }
    }
    dd_text_add(&text, n > MOST_NAMED ? dd_pool_printf(r->x->pool, " and %u more", n - MOST_NAMED) : "");
    return dd_text_str(&text);
}

/* der(p) is called v where the model says so. */
static const char *named_velocities(const rounds *r)
{
    const dd_system *s = r->x->s;
    dd_dag *dag = s->model->dag;
    const dd_constraint_row_vec *list = r->k == 1 ? &s->visible : &s->hidden;
    bool *seen = dd_pool_alloc_array(r->scratch, s->ncols + 1, sizeof *seen);
    for (uint32_t i = 0; i < list->len; i++) {
        dd_expr_vec symbols = {0};
        if (dd_explain_order(s, list->data[i].order) + 1 != r->k) {
            continue;
        }
        dd_symbols(dag, list->data[i].expr, false, &symbols, r->scratch);
        for (uint32_t e = 0; e < symbols.len; e++) {
            const uint32_t var = dd_symbol_id(dag, symbols.data[e]), col = s->column[var];
            seen[col == DD_NO_INDEX ? s->ncols : col] = col != DD_NO_INDEX && s->velocity[var] != DD_NO_INDEX;
        }
        dd_vec_free(r->scratch, &symbols);
    }
    /* both lists in the order of the unknowns */
    dd_index_vec from = {0}, to = {0};
    for (uint32_t j = 0; j < s->declared; j++) {
        const uint32_t velocity = seen[j] ? s->velocity[s->unknown[j]] : DD_NO_INDEX;
        if (velocity != DD_NO_INDEX && s->column[velocity] != DD_NO_INDEX &&
            !s->model->arrays.data[s->model->vars.data[velocity].array].introduced) {
            dd_vec_push(r->scratch, &from, j);
            dd_vec_push(r->scratch, &to, s->column[velocity]);
        }
    }
    dd_text text = dd_text_new(r->x->pool);
    if (from.len > 0) {
        dd_text_add(&text, " The derivative of ");
        dd_report_columns(s, from.data, from.len, MOST_PUT_IN, &text);
        dd_text_add(&text, " is ");
        dd_report_columns(s, to.data, to.len, MOST_PUT_IN, &text);
        dd_text_add(&text, ".");
    }
    return dd_text_str(&text);
}

/* How many rows are free of derivatives after this step. */
static uint32_t count_order(const rounds *r)
{
    const dd_constraint_row_vec *list = &r->x->s->hidden;
    uint32_t n = 0;
    for (uint32_t i = 0; i < list->len; i++) {
        n += dd_explain_order(r->x->s, list->data[i].order) == r->k;
    }
    return n;
}

static const char *last_words(const rounds *r)
{
    const uint32_t n = r->x->s->declared;
    return dd_pool_printf(r->x->pool,
                          "Now every derivative is determined: dF/dx' has rank %u of %u, and the equations are an ODE.",
                          n, n);
}

/* Constraints are left: one more differentiation. */
static const char *next_words(const rounds *r)
{
    const uint32_t n = r->x->s->declared, left = r->step->constraints;
    if (left == 0) {
        return "Not every derivative is determined yet.";
    }
    const char *rank = r->step->rank == DD_NO_INDEX
                           ? ""
                           : dd_pool_printf(r->x->pool, " dF/dx' has rank %u of %u now.", r->step->rank, n);
    return dd_pool_printf(
        r->x->pool, "%s.%s The index is above %u.",
        left == 1 ? "One equation is free of derivatives again: a hidden constraint"
                  : dd_pool_printf(r->x->pool, "%u equations are free of derivatives again: hidden constraints", left),
        rank, r->k);
}

/* Constraints that ranks alone have shown, with formulas but without rows: a factor on which the solution stays. */
static void add_known_to_hold(rounds *r)
{
    const dd_text_row_vec *texts = &r->x->s->visible_text;
    for (uint32_t i = 0; i < texts->len && r->k == 1; i++) {
        if (!texts->data[i].together) {
            dd_explain_push(
                r->x, r->step,
                (dd_explain_line){.words = "holds along the solution", .formula = texts->data[i].text.equation});
        }
    }
}

static void add_round(rounds *r)
{
    const dd_system *s = r->x->s;
    dd_pool *pool = r->x->pool;
    const bool last = r->k == (uint32_t)s->index;
    r->step = dd_explain_add(r->x, DD_EXPLAIN_DIFFERENTIATE, ordinal(pool, r->k));
    r->step->order = r->k;
    r->determined.len = r->determining = 0;
    const char *from = sources(r);
    r->step->text = from[0] ? dd_pool_printf(pool, "Free of derivatives, and therefore differentiated: %s.%s", from,
                                             named_velocities(r))
                            : "Formulas are not available for this step: the ranks of the differentiated equations at "
                              "a consistent point decide.";
    if (!from[0]) {
        add_known_to_hold(r);
    }
    /* the hidden constraints of this order, then what determines a derivative */
    for (uint32_t i = 0; i < s->hidden_text.len; i++) {
        if (dd_explain_order(s, s->hidden_text.data[i].text.order) == r->k) {
            add_hidden(r, &s->hidden_text.data[i]);
        }
    }
    add_lasting(r, &s->visible);
    add_lasting(r, &s->hidden);
    r->step->constraints = last ? 0 : count_order(r);
    const uint32_t claimed = s->declared - r->step->constraints;
    /* after the last one the certificate of the analysis is better than any rank of numbers; before, the numbers must
     * agree with the count */
    r->step->rank = last || dd_explain_rank_after(r->x, r->k) == claimed ? claimed : DD_NO_INDEX;
    r->step->behind = dd_pool_printf(pool, "%s%s", determined_words(r, last), last ? last_words(r) : next_words(r));
}

/* Finding rows by what formulas say about them. */
static dd_map by_order(const dd_constraint_row_vec *list, dd_pool *scratch)
{
    dd_map map = dd_map_new(scratch);
    for (uint32_t i = list->len; i-- > 0;) { /* the first one of a key stays */
        dd_map_put(&map, key_of(list->data[i].eq, list->data[i].order), i + 1);
    }
    return map;
}

void dd_explain_rounds(dd_explanation *x)
{
    const dd_system *s = x->s;
    rounds r = {.x = x, .scratch = dd_pool_child(x->pool)};
    r.visible_by_order = by_order(&s->visible, r.scratch);
    r.hidden_by_order = by_order(&s->hidden, r.scratch);
    r.hidden_at = dd_map_new(r.scratch);
    r.put_in = dd_map_new(r.scratch);
    r.known = dd_map_new(r.scratch);
    for (uint32_t i = 0; i < s->hidden.len; i++) {
        dd_map_put(&r.hidden_at, key_of(s->hidden.data[i].eq, s->hidden.data[i].level), i + 1);
    }
    for (r.k = 1; r.k <= (uint32_t)s->index; r.k++) {
        add_round(&r);
    }
    dd_pool_free(r.scratch);
}
