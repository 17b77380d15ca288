/* incidence.c - which unknowns appear in which rows, with the symbolic partial derivatives.
 *
 * Parameters are data: a coefficient made of parameters alone that is zero at their values takes its variable out of
 * the row (C*der(v) = i with C = 0 is algebraic). The parameters then become structural and a warning says so.
 */
#include <assert.h>

#include "structure/system.h"

/* Does the expression contain parameters but no variable and not time? */
static bool parameters_only(dd_dag *dag, dd_expr e, dd_expr_vec *symbols, dd_pool *scratch)
{
    if (dd_op_of(dag, e) == DD_OP_NUM) {
        return false;
    }
    symbols->len = 0;
    dd_symbols(dag, e, true, symbols, scratch);
    for (uint32_t i = 0; i < symbols->len; i++) {
        if (dd_op_of(dag, symbols->data[i]) != DD_OP_PARAM) {
            return false;
        }
    }
    return symbols->len > 0;
}

typedef struct fixing {
    dd_model *m;
    const dd_expr_vec *params;
} fixing;

static dd_expr fixed_value(void *user, dd_expr symbol)
{
    const fixing *f = user;
    for (uint32_t i = 0; i < f->params->len; i++) {
        if (f->params->data[i] == symbol) {
            return dd_num(f->m->dag, f->m->vars.data[dd_symbol_id(f->m->dag, symbol)].value);
        }
    }
    return DD_EXPR_NONE;
}

static void describe_values(dd_system *s, const dd_expr_vec *params, dd_text *out)
{
    for (uint32_t i = 0; i < params->len; i++) {
        uint32_t var = dd_symbol_id(s->model->dag, params->data[i]);
        char number[32];
        dd_text_add(out, i > 0 ? ", " : "");
        dd_model_var_name(s->model, var, out);
        dd_text_printf(out, " = %s", dd_number_text(s->model->vars.data[var].value, number));
    }
}

/* An entry of an array that reads 0 in the text, as matrices and vectors have; it may be handed on (g = world.g). */
static dd_expr written_zero(void *user, dd_expr symbol)
{
    enum { MOST_HANDED_ON = 100 }; /* bindings along which a zero is followed */
    dd_model *m = user;
    dd_expr e = symbol;
    /* along bindings: p = q = {0, 0, 1} */
    for (int i = 0; i < MOST_HANDED_ON && e != DD_EXPR_NONE && dd_op_of(m->dag, e) == DD_OP_PARAM; i++) {
        const dd_variable *v = &m->vars.data[dd_symbol_id(m->dag, e)];
        e = m->arrays.data[v->array].ndim == 0 ? DD_EXPR_NONE : v->binding;
    }
    return e != DD_EXPR_NONE && dd_is_num(m->dag, e, 0) ? e : DD_EXPR_NONE;
}

/* A coefficient that vanishes because of written zeros: nobody is surprised. */
static bool expected_to_vanish(dd_system *s, dd_expr coefficient)
{
    return dd_is_num(s->model->dag, dd_substitute(s->model->dag, coefficient, written_zero, s->model), 0);
}

/* Many such terms are one thing to say. */
static void warn_dropped(dd_system *s, const dd_string_vec *dropped)
{
    enum { MOST = 3 };
    for (uint32_t i = 0; i < dropped->len && (i == 0 || dropped->len <= MOST); i++) {
        dd_system_warn(s, "%s", dropped->data[i]);
    }
    if (dropped->len > MOST) {
        dd_system_warn(s, "%u more terms drop out of the equations for values like these", dropped->len - 1);
    }
}

/* Puts the parameters' values into the row and says so. */
static void drop_term(dd_system *s, dd_eq *eq, dd_expr symbol, dd_expr coefficient, const dd_expr_vec *params,
                      dd_string_vec *dropped, dd_pool *scratch)
{
    dd_model *m = s->model;
    /* said once, unless the text itself writes the zero */
    dd_text values = dd_text_new(scratch), name = dd_text_new(scratch);
    dd_namer namer = dd_model_namer(m);
    describe_values(s, params, &values);
    dd_print(m->dag, symbol, &namer, &name);
    if (!expected_to_vanish(s, coefficient)) {
        dd_vec_push(s->pool, dropped,
                    dd_pool_printf(s->pool, "with %s, %s drops out of %s: the answer holds for this value",
                                   dd_text_str(&values), dd_text_str(&name), dd_system_row_words(s, eq, scratch)));
    }
    /* from here on these parameters cannot be changed without another analysis */
    for (uint32_t i = 0; i < params->len; i++) {
        m->vars.data[dd_symbol_id(m->dag, params->data[i])].structural = true;
    }
    fixing f = {m, params};
    eq->residual = dd_substitute(m->dag, eq->residual, fixed_value, &f);
}

typedef struct row_scan {
    dd_expr_vec symbols, partials, params;
    dd_string_vec dropped; /* warnings */
    dd_pool *scratch;
} row_scan;

/* Whether the optimiser decides one of these parameters: its value is a guess, and a guess of 0 drops nothing. */
static bool any_decided(const dd_system *s, const dd_expr_vec *params)
{
    const dd_model *m = s->model;
    bool any = false;
    for (uint32_t i = 0; i < params->len; i++) {
        any = any || m->vars.data[dd_symbol_id(m->dag, params->data[i])].free;
    }
    return any;
}

/* Partials of one row; repeats after a coefficient was found to vanish. Values are the parameters' values, so each pass
 * removes at least one parameter from the row and the loop ends. */
static void scan_row(dd_system *s, dd_eq *eq, row_scan *scan)
{
    dd_dag *dag = s->model->dag;
    for (bool again = true; again;) {
        again = false;
        scan->symbols.len = scan->partials.len = 0;
        dd_partials(dag, eq->residual, false, &scan->symbols, &scan->partials, scan->scratch);
        for (uint32_t i = 0; i < scan->symbols.len && !again; i++) {
            double value;
            uint32_t culprit;
            /* a coefficient of parameters alone that is exactly 0 */
            if (dd_op_of(dag, scan->partials.data[i]) != DD_OP_NUM &&
                parameters_only(dag, scan->partials.data[i], &scan->params, scan->scratch) &&
                !any_decided(s, &scan->params) &&
                dd_model_evaluate(s->model, scan->partials.data[i], false, &value, &culprit) && value == 0) {
                drop_term(s, eq, scan->symbols.data[i], scan->partials.data[i], &scan->params, &scan->dropped,
                          scan->scratch);
                again = true;
            }
        }
    }
}

typedef struct builder {
    DD_VEC(uint32_t) idx;
    DD_VEC(int32_t) sigma;
    dd_expr_vec partial0, partial1;
    uint32_t *seen; /* per column: entry + 1 of this row, stamped by row */
    uint32_t *stamp;
} builder;

static void add_entries(dd_system *s, builder *b, uint32_t row, bool as_written, const row_scan *scan, dd_pool *pool)
{
    dd_dag *dag = s->model->dag;
    for (uint32_t i = 0; i < scan->symbols.len; i++) {
        uint32_t var = dd_symbol_id(dag, scan->symbols.data[i]);
        uint32_t order = dd_symbol_order(dag, scan->symbols.data[i]);
        uint32_t col = s->column[var];
        if (col == DD_NO_INDEX) {
            continue;
        }
        /* first time in this row; x and x' share an entry */
        if (b->stamp[col] != row + 1) {
            b->stamp[col] = row + 1;
            b->seen[col] = b->idx.len;
            dd_vec_push(pool, &b->idx, col);
            dd_vec_push(pool, &b->sigma, 0);
            dd_vec_push(pool, &b->partial0, DD_EXPR_NONE);
            dd_vec_push(pool, &b->partial1, DD_EXPR_NONE);
        }
        uint32_t at = b->seen[col];
        assert(at < b->idx.len && b->partial0.data && b->partial1.data); /* the entry was pushed in this row */
        /* the highest derivative decides sigma */
        if (order == 0) {
            b->partial0.data[at] = scan->partials.data[i];
        } else {
            b->partial1.data[at] = scan->partials.data[i];
            b->sigma.data[at] = 1;
            s->differentiated[col] = s->differentiated[col] || as_written;
        }
    }
}

dd_incidence dd_system_incidence(dd_system *s, dd_eq_vec *eqs, dd_pool *pool)
{
    dd_pool *scratch = dd_pool_child(s->pool);
    builder b = {0};
    b.seen = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *b.seen);
    b.stamp = dd_pool_alloc_array(scratch, s->ncols + 1, sizeof *b.stamp);
    row_scan scan = {.scratch = scratch};
    uint32_t *ptr = dd_pool_alloc_array(pool, eqs->len + 1, sizeof *ptr);
    for (uint32_t i = 0; i < eqs->len; i++) {
        dd_check_stop(s->ctx);
        /* may change the row */
        scan_row(s, &eqs->data[i], &scan);
        add_entries(s, &b, i, !eqs->data[i].converted, &scan, pool);
        ptr[i + 1] = b.idx.len;
    }
    warn_dropped(s, &scan.dropped);
    dd_pool_free(scratch);
    return (dd_incidence){.n = eqs->len,
                          .ncols = s->ncols,
                          .ptr = ptr,
                          .idx = b.idx.data,
                          .sigma = b.sigma.data,
                          .partial0 = b.partial0.data,
                          .partial1 = b.partial1.data};
}
