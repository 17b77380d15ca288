/* printed.c - the equations of the three forms. Start reading at dd_printed_new(). */
#include "structure/printed.h"

#include "expr/walk.h"
#include "structure/closed_form.h"
#include "structure/equations.h"

/* Of all formulas written out, and more for each row: longer ones nobody reads, and they are slow to parse. */
static const double MOST_NODES = 2e5, MORE_PER_ROW = 100;

typedef struct maker {
    dd_printed *p;
    const dd_system *s;
    dd_pool *pool, *scratch;
    dd_map value; /* symbol -> what is put in for it */
} maker;

/* ---- rows ---- */

/* "from file:4, differentiated twice" */
static const char *origin(const maker *k, uint32_t eq, uint32_t level)
{
    const dd_model *m = k->s->model;
    const dd_eq *row = &k->s->eqs.data[eq];
    const dd_group *g = &m->groups.data[m->rows.data[row->row].group];
    const char *place = row->from ? row->from : dd_model_place(m, g->span, k->pool);
    dd_text text = dd_text_new(k->pool);
    dd_text_printf(&text, "%s%s", place[0] ? "from " : g->doc, place);
    if (row->converted) {
        dd_text_add(&text, ", combined");
    }
    if (level > 0) {
        dd_text_add(&text, level == 1   ? ", differentiated once"
                           : level == 2 ? ", differentiated twice"
                                        : dd_pool_printf(k->pool, ", differentiated %u times", level));
    }
    return dd_text_str(&text);
}

static void add_row(maker *k, dd_printed_row_vec *list, dd_expr residual, dd_expr solve_for, const char *doc)
{
    dd_vec_push(k->pool, list, ((dd_printed_row){residual, solve_for, doc}));
}

static dd_expr put_value(void *user, dd_expr symbol)
{
    return (dd_expr)dd_map_get(&((maker *)user)->value, symbol);
}

static dd_expr put(maker *k, dd_expr e)
{
    return dd_substitute(k->s->model->dag, e, put_value, k);
}

static void refuse(maker *k, const char *reason)
{
    k->p->refusal = reason;
}

static const char *symbol_names(maker *k, const dd_expr *symbols, uint32_t n)
{
    enum { MOST_NAMES = 8 };
    dd_text text = dd_text_new(k->pool);
    dd_namer namer = dd_model_namer(k->s->model);
    for (uint32_t i = 0; i < n && i < MOST_NAMES; i++) {
        dd_text_add(&text, i > 0 ? ", " : "");
        dd_print(k->s->model->dag, symbols[i], &namer, &text);
    }
    dd_text_add(&text, n > MOST_NAMES ? dd_pool_printf(k->pool, " and %u more", n - MOST_NAMES) : "");
    return dd_text_str(&text);
}

/* ---- reduced and semi-explicit: the rows of the reduction ---- */

/* What differentiation leaves has common factors, and sums over arrays that show when multiplied out. */
static dd_expr readable(maker *k, dd_expr e, uint32_t level)
{
    if (level > 0) {
        e = dd_system_divide_content(k->s, e);
        dd_system_print_shorter(k->s, &e, k->scratch);
    }
    return e;
}

/* Columns whose derivative stands in a row as written. */
static bool *rates_as_written(maker *k)
{
    const dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    bool *written = dd_pool_alloc_array(k->scratch, s->ncols + 1, sizeof *written);
    dd_expr_vec symbols = {0};
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        symbols.len = 0;
        if (s->reduced.rows.data[i].level == 0) {
            dd_symbols(dag, s->reduced.rows.data[i].raw, false, &symbols, k->scratch);
        }
        for (uint32_t e = 0; e < symbols.len; e++) {
            const uint32_t col = s->column[dd_symbol_id(dag, symbols.data[e])];
            if (col != DD_NO_INDEX && dd_symbol_order(dag, symbols.data[e]) == 1) {
                written[col] = true;
            }
        }
    }
    return written;
}

/* Second and higher derivatives without a name become variables. So does x' where no row gives it as a formula: of all
 * columns, or of those that only differentiated rows determine (kept: NULL, or the others). Derivatives that cancel
 * between differentiated rows would hide constraints from the next analysis. */
static void add_unknowns(maker *k, const bool *kept)
{
    const dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    for (uint32_t i = 0; i < s->reduced.x.len; i++) {
        const uint32_t var = dd_symbol_id(dag, s->reduced.x.data[i]), col = s->column[var];
        const dd_expr rate = dd_var(dag, var, 1);
        if (s->rate[col] != DD_EXPR_NONE) {
            dd_map_put(&k->value, rate, s->rate[col]);
        } else if (!kept || !kept[col]) {
            dd_vec_push(k->pool, &k->p->added, rate);
        }
    }
    k->p->n_rates = k->p->added.len;
    for (uint32_t i = 0; i < s->reduced.z.len; i++) {
        if (dd_symbol_order(dag, s->reduced.z.data[i]) > 0) {
            dd_vec_push(k->pool, &k->p->added, s->reduced.z.data[i]);
        }
    }
}

static void add_reduced_invariants(maker *k)
{
    for (uint32_t i = 0; i < k->s->reduced.invariants.len; i++) {
        const dd_constraint_row *c = &k->s->reduced.invariants.data[i];
        add_row(k, &k->p->initial, readable(k, c->expr, c->level), DD_EXPR_NONE, origin(k, c->eq, c->level));
    }
}

static void make_reduced(maker *k)
{
    add_unknowns(k, rates_as_written(k));
    for (uint32_t i = 0; i < k->s->reduced.rows.len; i++) {
        const dd_constraint_row *c = &k->s->reduced.rows.data[i];
        const dd_expr e = c->level > 0 ? put(k, c->raw) : c->raw;
        add_row(k, &k->p->rows, readable(k, e, c->level), DD_EXPR_NONE, origin(k, c->eq, c->level));
    }
    add_reduced_invariants(k);
}

/* x' = f, 0 = g: rows that give a rate as they are, and the others with the rates put in. A rate without a formula is
 * an algebraic unknown a, with x' = a. */
static void make_semi_explicit(maker *k)
{
    const dd_system *s = k->s;
    dd_dag *dag = s->model->dag;
    uint32_t *gives = dd_pool_alloc_array(k->scratch, s->eqs.len + 1, sizeof *gives); /* row -> 1 + column */
    add_unknowns(k, NULL);
    for (uint32_t j = 0; j < s->ncols; j++) {
        if (s->rate[j] != DD_EXPR_NONE && s->off.d[j] > 0) {
            gives[s->rate_row[j]] = j + 1;
        }
    }
    for (uint32_t i = 0; i < s->reduced.rows.len; i++) {
        const dd_constraint_row *c = &s->reduced.rows.data[i];
        const uint32_t col = c->level == 0 ? gives[c->eq] : 0;
        const char *doc = origin(k, c->eq, c->level);
        if (col > 0) {
            const dd_expr rate = dd_var(dag, s->unknown[col - 1], 1);
            add_row(k, &k->p->rows, dd_sub(dag, rate, s->rate[col - 1]), rate, doc);
        } else {
            add_row(k, &k->p->rows, readable(k, put(k, c->raw), c->level), DD_EXPR_NONE, doc);
        }
    }
    add_reduced_invariants(k);
}

/* ---- normal ---- */

/* Rates that no row gives as a formula, and the algebraic unknowns: what the other rows determine together. */
static dd_expr_vec implicit_unknowns(maker *k, const dd_equations *q)
{
    dd_dag *dag = k->s->model->dag;
    dd_expr_vec out = {0};
    bool *explicit_rate = dd_pool_alloc_array(k->scratch, q->x.len + 1, sizeof *explicit_rate);
    for (uint32_t i = 0; i < q->rows.len; i++) {
        if (q->rate_of.data[i] != DD_NO_INDEX) {
            explicit_rate[q->rate_of.data[i]] = true;
        }
    }
    for (uint32_t i = 0; i < q->x.len; i++) {
        if (!explicit_rate[i]) {
            dd_vec_push(k->pool, &out, dd_var(dag, dd_symbol_id(dag, q->x.data[i]), 1));
        }
    }
    for (uint32_t i = 0; i < q->z.len; i++) {
        dd_vec_push(k->pool, &out, q->z.data[i]);
    }
    return out;
}

/* x' = f for every explicit rate, with the implicit unknowns put in. */
static void add_rates(maker *k, const dd_equations *q)
{
    dd_dag *dag = k->s->model->dag;
    for (uint32_t i = 0; i < q->rows.len; i++) {
        if (q->rate_of.data[i] != DD_NO_INDEX) {
            const dd_expr rate = dd_var(dag, dd_symbol_id(dag, q->x.data[q->rate_of.data[i]]), 1);
            add_row(k, &k->p->rows, dd_sub(dag, rate, put(k, q->rate.data[i])), rate,
                    origin(k, q->row_eq.data[i], q->row_level.data[i]));
            /* what follows, assigned variables, contains the rate itself */
            dd_map_put(&k->value, rate, put(k, q->rate.data[i]));
        }
    }
}

/* Variables that have formulas; their derivatives are not needed. */
static void add_assigned(maker *k, const dd_equations *q)
{
    dd_dag *dag = k->s->model->dag;
    for (uint32_t i = 0; i < q->assigned.len; i++) {
        const dd_assigned *a = &q->assigned.data[i];
        if (dd_symbol_order(dag, a->symbol) == 0) {
            /* twice: a rate that is put in contains implicit unknowns */
            add_row(k, &k->p->rows, dd_sub(dag, a->symbol, put(k, put(k, a->value))), a->symbol, "");
        }
    }
}

static void add_invariants(maker *k, const dd_equations *q)
{
    for (uint32_t i = 0; i < q->invariants.len; i++) {
        add_row(k, &k->p->initial, q->invariants.data[i], DD_EXPR_NONE,
                origin(k, q->invariant_eq.data[i], q->invariant_level.data[i]));
    }
}

/* The implicit unknowns as formulas in x, where small linear blocks are all there is to solve. */
static void make_normal(maker *k, const dd_equations *q, const dd_expr_vec *unknowns)
{
    const uint32_t n = unknowns->len;
    dd_dag *dag = k->s->model->dag;
    dd_expr_vec rows = {0}, open = {0};
    dd_expr *value = dd_pool_alloc_array(k->scratch, n + 1, sizeof *value);
    bool *wanted = dd_pool_alloc_array(k->scratch, n + 1, sizeof *wanted);
    for (uint32_t i = 0; i < q->rows.len; i++) {
        if (q->rate_of.data[i] == DD_NO_INDEX) {
            dd_vec_push(k->scratch, &rows, q->rows.data[i]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        wanted[i] = true;
    }
    if (rows.len == n) {
        dd_closed_forms(k->s, rows.data, unknowns->data, n, wanted, value, k->scratch);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (value[i] == DD_EXPR_NONE) {
            dd_vec_push(k->scratch, &open, unknowns->data[i]);
        } else {
            dd_map_put(&k->value, unknowns->data[i], value[i]);
        }
    }
    if (open.len > 0) {
        refuse(k,
               dd_pool_printf(k->pool,
                              "there is no normal form in closed form: %s remain%s, in equations that are not linear "
                              "or couple more than three unknowns; the semi-explicit form exists",
                              symbol_names(k, open.data, open.len), open.len == 1 ? "s" : ""));
        return;
    }
    add_rates(k, q);
    /* z = xi, x' = xi; higher derivatives are put in, and are no variables of the model */
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t order = dd_symbol_order(dag, unknowns->data[i]);
        if (order == 0 || i + q->z.len < n) {
            add_row(k, &k->p->rows, dd_sub(dag, unknowns->data[i], value[i]), unknowns->data[i], "");
        }
    }
    add_assigned(k, q);
    add_invariants(k, q);
}

/* ---- size ---- */

/* Nodes of all formulas, shared parts counted as often as they are written. */
static double written_size(maker *k)
{
    dd_dag *dag = k->s->model->dag;
    dd_expr_vec roots = {0};
    for (uint32_t i = 0; i < k->p->rows.len; i++) {
        dd_vec_push(k->scratch, &roots, k->p->rows.data[i].residual);
    }
    dd_walk walk = dd_walk_new(dag, roots.data, roots.len, 0);
    double *size = dd_pool_alloc_array(k->scratch, walk.n + 1, sizeof *size), sum = 0;
    for (uint32_t i = 0; i < walk.n; i++) {
        size[i] = 1;
        for (uint32_t a = 0; a < dd_arg_count(dag, walk.nodes[i]); a++) {
            size[i] += size[dd_walk_place(dag, &walk, dd_arg(dag, walk.nodes[i], a))];
        }
    }
    for (uint32_t i = 0; i < roots.len; i++) {
        sum += size[dd_walk_place(dag, &walk, roots.data[i])];
    }
    dd_walk_free(dag, &walk);
    return sum;
}

/* Why no form of this system can be printed; NULL otherwise. */
static const char *cannot(const dd_system *s, dd_pool *pool)
{
    if (s->verdict != DD_VERDICT_OK) {
        return dd_pool_printf(pool, "the model has no reduced form: %s", s->reason);
    }
    if (s->model->optimization) {
        return "an optimization class has no reduced form: name the model that it extends";
    }
    if (s->reduced.rows.len == 0 && s->declared > 0) {
        return "the model has no reduced form in formulas: its index follows from ranks of the differentiated "
               "equations "
               "alone";
    }
    return NULL;
}

dd_printed *dd_printed_new(const dd_system *s, dd_printed_form form, dd_pool *pool)
{
    dd_printed *p = dd_pool_alloc(pool, sizeof *p);
    *p = (dd_printed){.s = s, .form = form, .refusal = cannot(s, pool)};
    if (p->refusal) {
        return p;
    }
    /* the rows of the form, then whether they can be written out */
    maker k = {.p = p, .s = s, .pool = pool, .scratch = dd_pool_child(pool)};
    k.value = dd_map_new(k.scratch);
    if (form == DD_PRINT_REDUCED) {
        make_reduced(&k);
    } else if (form == DD_PRINT_SEMI_EXPLICIT) {
        make_semi_explicit(&k);
    } else {
        const dd_equations *q = dd_system_equations(s, DD_EQUATIONS_WHOLE, 0, pool);
        const dd_expr_vec unknowns = implicit_unknowns(&k, q);
        make_normal(&k, q, &unknowns);
    }
    if (!p->refusal) {
        const double size = written_size(&k);
        if (size > MOST_NODES + MORE_PER_ROW * p->rows.len) {
            refuse(&k, dd_pool_printf(pool, "written out, the formulas of this form have %.2g parts: too many to print",
                                      size));
        }
    }
    dd_pool_free(k.scratch);
    return p;
}
