/* condense_numbers.c - parameters that keep their values are numbers in what condensing leaves.
 *
 * Most entries of axes, of points on a body and of its inertia are zeros, and most lengths are shared: with numbers, terms
 * vanish and others can be collected (expr/waves.h), so that a mechanism made of parts has the short formulas of its
 * energies. Rows get their numbers before anything is eliminated. */
#include <math.h>

#include "expr/waves.h"
#include "structure/condense_impl.h"

/* Terms of a row that is written as one sum: the balance of torques at a joint of a closed loop has about ten. */
enum { MOST_TERMS_OF_ROW = 12 };

/* Parameters that follow from decided ones are decided too. */
static void leave_out_followers(const dd_condenser *w, bool *number)
{
    const dd_model *m = w->s->model;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < m->vars.len; i++) {
            dd_expr_vec symbols = {0};
            if (!number[i] || m->vars.data[i].binding == DD_EXPR_NONE) {
                continue;
            }
            dd_symbols(w->dag, m->vars.data[i].binding, true, &symbols, w->scratch);
            for (uint32_t k = 0; k < symbols.len && number[i]; k++) {
                number[i] =
                    dd_op_of(w->dag, symbols.data[k]) != DD_OP_PARAM || number[dd_symbol_id(w->dag, symbols.data[k])];
            }
            changed = changed || !number[i];
            dd_vec_free(w->scratch, &symbols);
        }
    }
}

void dd_condense_find_numbers(dd_condenser *w)
{
    const dd_model *m = w->s->model;
    bool *number = dd_pool_alloc_array(w->scratch, m->vars.len + 1, sizeof *number), decided = false;
    if (!w->s->options.parameters_stay) {
        return;
    }
    for (uint32_t i = 0; i < m->vars.len; i++) {
        number[i] = m->vars.data[i].kind != DD_KIND_PARAMETER || !m->vars.data[i].free;
        decided = decided || !number[i];
    }
    if (decided) {
        leave_out_followers(w, number);
    }
    w->number = number;
}

dd_expr dd_condense_number(void *user, dd_expr symbol)
{
    const dd_condenser *w = user;
    const uint32_t var = dd_op_of(w->dag, symbol) == DD_OP_PARAM ? dd_symbol_id(w->dag, symbol) : DD_NO_INDEX;
    const bool known = var < w->s->model->vars.len && w->number[var] && isfinite(w->s->parameter[var]);
    return known ? dd_num(w->dag, w->s->parameter[var]) : DD_EXPR_NONE;
}

/* Does a parameter that is zero multiply an algebraic unknown of the row as it is written? */
static bool scales_unknowns(dd_condenser *w, uint32_t row)
{
    const dd_incidence *inc = &w->s->inc;
    dd_expr_vec symbols = {0};
    bool scales = false;
    for (uint32_t k = inc->ptr[row]; k < inc->ptr[row + 1]; k++) {
        if (w->algebraic[inc->idx[k]] && inc->partial0[k] != DD_EXPR_NONE) {
            dd_symbols(w->dag, inc->partial0[k], true, &symbols, w->scratch);
        }
    }
    for (uint32_t i = 0; i < symbols.len && !scales; i++) {
        const dd_expr value = dd_condense_number(w, symbols.data[i]);
        scales = value != DD_EXPR_NONE && dd_is_num(w->dag, value, 0);
    }
    dd_vec_free(w->scratch, &symbols);
    return scales;
}

dd_expr dd_condense_first(dd_condenser *w, uint32_t row)
{
    const dd_expr e = w->s->eqs.data[row].residual;
    return w->number == NULL || scales_unknowns(w, row) ? e : dd_substitute(w->dag, e, dd_condense_number, w);
}

void dd_condense_shorten(dd_condenser *w, dd_expr *rows, uint32_t n)
{
    if (w->number != NULL) {
        dd_substitute_all(w->dag, rows, n, dd_condense_number, w, rows);
        dd_collect_waves(w->dag, rows, n, MOST_TERMS_OF_ROW);
    }
}
