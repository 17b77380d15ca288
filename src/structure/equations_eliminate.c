/* equations_eliminate.c - algebraic unknowns that a row determines are eliminated by a queue, as in forward
 * substitution: a row with one unknown left that it is linear in determines it (the coefficient cannot vanish where the
 * system is of index 1). Then rows that are linear in an unknown with a number as coefficient determine that one
 * (tearing), which may leave others with a single unknown. An unknown stays when putting it in would fill the Jacobian:
 * its row has many symbols and many rows use it. Start reading at dd_equations_eliminate(). */
#include "structure/equations_impl.h"

enum {
    ALWAYS = 64,  /* columns up to which fill does not matter: dense algebra is as fast */
    MOST_FILL = 4 /* entries a substitution may add, relative to those it takes away */
};

/* ---- which rows contain which unknown ---- */

static void note_unknowns(dd_equations_work *w)
{
    w->place = dd_map_new(w->scratch);
    for (uint32_t i = 0; i < w->z.len; i++) {
        dd_map_put(&w->place, w->z.data[i], i + 1);
    }
    uint32_t nz = w->z.len, rows = w->rows.len;
    w->value = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->value);
    w->kept = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->kept);
    w->uses = dd_pool_alloc_array(w->scratch, nz + 1, sizeof *w->uses);
    w->done = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *w->done);
    w->left = dd_pool_alloc_array(w->scratch, rows + 1, sizeof *w->left);
    w->ptr = dd_pool_alloc_array(w->scratch, nz + 2, sizeof *w->ptr);
}

/* A row with a derivative that is no explicit rate cannot determine an algebraic unknown: it determines that
 * derivative. */
static bool has_unknown_rate(const dd_equations_work *w, const dd_expr_vec *symbols)
{
    const dd_system *s = w->s;
    dd_dag *dag = s->model->dag;
    for (uint32_t i = 0; i < symbols->len; i++) {
        uint32_t col = s->column[dd_symbol_id(dag, symbols->data[i])];
        if (col != DD_NO_INDEX && dd_symbol_order(dag, symbols->data[i]) == 1) {
            return true;
        }
    }
    return false;
}

/* One row: counted in the columns of its unknowns, or added to their lists. */
static void note_row(dd_equations_work *w, uint32_t row, const dd_expr_vec *symbols, bool fill)
{
    /* where it is blocked, a count that never comes down to 1 */
    w->left[row] = has_unknown_rate(w, symbols) ? UINT32_MAX / 2 : 0;
    for (uint32_t k = 0; k < symbols->len; k++) {
        uint32_t z = dd_equations_place(w, symbols->data[k]);
        if (z == DD_NO_INDEX) {
            continue;
        }
        w->left[row]++;
        if (fill) {
            w->list[w->ptr[z]++] = row;
        } else {
            w->ptr[z + 1]++;
            w->uses[z]++;
        }
    }
}

/* Which rows contain which unknown, both ways. */
static void note_incidence(dd_equations_work *w, const dd_expr_vec *rates)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr_vec symbols = {0};
    /* sizes first, then the lists themselves */
    for (int fill = 0; fill < 2; fill++) {
        for (uint32_t i = 0; i < w->rows.len; i++) {
            symbols.len = 0;
            dd_symbols(dag, w->rows.data[i].expr, false, &symbols, w->scratch);
            note_row(w, i, &symbols, fill);
        }
        if (!fill) {
            for (uint32_t z = 0; z < w->z.len; z++) {
                w->ptr[z + 1] += w->ptr[z];
            }
            w->list = dd_pool_alloc_array(w->scratch, w->ptr[w->z.len] + 1, sizeof *w->list);
        }
    }
    for (uint32_t z = w->z.len; z > 0; z--) { /* filling moved every start to the next one */
        w->ptr[z] = w->ptr[z - 1];
    }
    w->ptr[0] = 0;
    /* rates use unknowns too: what is put in fills their rows as well */
    for (uint32_t i = 0; i < rates->len; i++) {
        symbols.len = 0;
        dd_symbols(dag, rates->data[i], false, &symbols, w->scratch);
        for (uint32_t k = 0; k < symbols.len; k++) {
            uint32_t z = dd_equations_place(w, symbols.data[k]);
            if (z != DD_NO_INDEX) {
                w->uses[z]++;
            }
        }
    }
}

/* ---- one row, one unknown ---- */

static bool would_fill(const dd_equations_work *w, uint32_t z, dd_expr value)
{
    if (w->s->ncols <= ALWAYS) {
        return false;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(w->s->model->dag, value, false, &symbols, w->scratch);
    /* a row of `many` symbols put into `uses` rows, against what it takes away */
    uint64_t many = symbols.len, uses = w->uses[z];
    dd_vec_free(w->scratch, &symbols);
    return many * uses > MOST_FILL * (many + uses);
}

/* One unknown less in the rows that contain z. */
static void settle(dd_equations_work *w, uint32_t z)
{
    for (uint32_t k = w->ptr[z]; k < w->ptr[z + 1]; k++) {
        uint32_t i = w->list[k];
        if (--w->left[i] == 1 && !w->done[i]) {
            dd_vec_push(w->scratch, &w->queue, i);
        }
    }
}

/* The only unknown left in a resolved row; DD_NO_INDEX when there are none or several, or derivatives. */
static uint32_t only_unknown(dd_equations_work *w, dd_expr row)
{
    dd_expr_vec symbols = {0};
    uint32_t found = DD_NO_INDEX, count = 0;
    dd_symbols(w->s->model->dag, row, false, &symbols, w->scratch);
    for (uint32_t k = 0; k < symbols.len; k++) {
        uint32_t z = dd_equations_place(w, symbols.data[k]);
        /* kept unknowns are known as far as this row is concerned */
        if (z != DD_NO_INDEX && !w->kept[z]) {
            found = z;
            count++;
        }
    }
    bool blocked = has_unknown_rate(w, &symbols);
    dd_vec_free(w->scratch, &symbols);
    return count == 1 && !blocked ? found : DD_NO_INDEX;
}

static bool has_variable(dd_equations_work *w, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(w->s->model->dag, e, false, &symbols, w->scratch);
    for (uint32_t k = 0; k < symbols.len && !found; k++) {
        found = dd_op_of(w->s->model->dag, symbols.data[k]) == DD_OP_VAR;
    }
    dd_vec_free(w->scratch, &symbols);
    return found;
}

static bool solve_for(dd_equations_work *w, dd_expr row, uint32_t z, bool number_only, dd_expr *value)
{
    dd_dag *dag = w->s->model->dag;
    dd_expr coefficient;
    if (!dd_linear_coefficients(dag, row, &w->z.data[z], 1, &coefficient) || dd_is_num(dag, coefficient, 0) ||
        (number_only && dd_op_of(dag, coefficient) != DD_OP_NUM)) {
        return false;
    }
    /* coefficient * z + rest = 0 */
    *value = dd_neg(dag, dd_div(dag, dd_linear_rest(dag, row, &w->z.data[z], 1), coefficient));
    return true;
}

/* Row i determines z from here on; the divisor is kept where it can vanish during the run. */
static void assign_unknown(dd_equations_work *w, uint32_t i, uint32_t z, dd_expr value)
{
    const dd_constraint_row *c = &w->rows.data[i];
    dd_expr coefficient;
    /* where the divisor vanishes the row does not determine z: a simulation watches it */
    if (dd_linear_coefficients(w->s->model->dag, c->expr, &w->z.data[z], 1, &coefficient) &&
        !dd_equations_constant(w, coefficient)) {
        dd_vec_push(w->pool, &w->q->divisors, ((dd_divisor){coefficient, w->z.data[z], c->eq, c->level}));
    }
    w->value[z] = value;
    w->done[i] = true;
}

/* Undivided form: z would be a quotient with variables below. */
static bool is_quotient(dd_equations_work *w, dd_expr row, uint32_t z)
{
    dd_expr coefficient;
    return w->undivided && dd_linear_coefficients(w->s->model->dag, row, &w->z.data[z], 1, &coefficient) &&
           has_variable(w, coefficient);
}

/* ---- queue and tearing ---- */

static void run_queue(dd_equations_work *w)
{
    for (uint32_t at = 0; at < w->queue.len; at++) {
        dd_check_stop(w->s->ctx);
        uint32_t i = w->queue.data[at];
        if (w->done[i]) {
            continue;
        }
        dd_constraint_row *c = &w->rows.data[i];
        /* values found since the row was queued */
        c->expr = dd_equations_put(w, c->expr);
        uint32_t z = only_unknown(w, c->expr);
        dd_expr value;
        if (z == DD_NO_INDEX || !solve_for(w, c->expr, z, false, &value)) {
            continue;
        }
        if (would_fill(w, z, value) || is_quotient(w, c->expr, z)) {
            w->kept[z] = true; /* known to the rows that follow, but as an unknown */
        } else {
            assign_unknown(w, i, z, value);
        }
        settle(w, z);
    }
    w->queue.len = 0;
}

/* Values found by tearing contain other unknowns, which may have got values since: any of them, or only this one. */
static void resolve_values(dd_equations_work *w, uint32_t only)
{
    dd_dag *dag = w->s->model->dag;
    for (uint32_t z = 0; z < w->z.len; z++) {
        if (w->value[z] != DD_EXPR_NONE && (only == DD_NO_INDEX || dd_depends(dag, w->value[z], w->z.data[only]))) {
            w->value[z] = dd_equations_put(w, w->value[z]);
        }
    }
}

static bool tear_row(dd_equations_work *w, uint32_t i)
{
    dd_dag *dag = w->s->model->dag;
    dd_constraint_row *c = &w->rows.data[i];
    c->expr = dd_equations_put(w, c->expr);
    /* one unknown left: any coefficient will do, as in the queue */
    uint32_t single = only_unknown(w, c->expr), best = DD_NO_INDEX;
    dd_expr value = DD_EXPR_NONE, found;
    if (single != DD_NO_INDEX && solve_for(w, c->expr, single, false, &found) && !is_quotient(w, c->expr, single)) {
        best = single;
        value = found;
    }
    /* several: the first with a number as coefficient, which can never vanish */
    dd_expr_vec symbols = {0};
    dd_symbols(dag, c->expr, false, &symbols, w->scratch);
    bool blocked = has_unknown_rate(w, &symbols);
    for (uint32_t k = 0; k < symbols.len && best == DD_NO_INDEX && !blocked; k++) {
        uint32_t z = dd_equations_place(w, symbols.data[k]);
        if (z != DD_NO_INDEX && !w->kept[z] && solve_for(w, c->expr, z, true, &found)) {
            best = z;
            value = found;
        }
    }
    dd_vec_free(w->scratch, &symbols);
    if (best == DD_NO_INDEX || would_fill(w, best, value)) {
        return false;
    }
    /* earlier values may contain it */
    assign_unknown(w, i, best, value);
    resolve_values(w, best);
    return true;
}

static void tear(dd_equations_work *w)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < w->rows.len; i++) {
        open += !w->done[i];
    }
    /* each round looks at all rows that are open */
    bool changed = open <= DD_EQUATIONS_TORN && w->z.len <= DD_EQUATIONS_TORN;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < w->rows.len; i++) {
            dd_check_stop(w->s->ctx);
            changed = (!w->done[i] && tear_row(w, i)) || changed;
        }
    }
}

void dd_equations_eliminate(dd_equations_work *w, const dd_expr_vec *rates)
{
    note_unknowns(w);
    note_incidence(w, rates);
    /* rows that are ready at once */
    for (uint32_t i = 0; i < w->rows.len; i++) {
        if (w->left[i] == 1) {
            dd_vec_push(w->scratch, &w->queue, i);
        }
    }
    run_queue(w);
    /* forward substitution is done; tearing needs all values in the unknowns that are left */
    resolve_values(w, DD_NO_INDEX);
    tear(w);
}
