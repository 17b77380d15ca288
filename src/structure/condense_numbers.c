/* condense_numbers.c - parameters that keep their values are numbers in what condensing leaves.
 *
 * Most entries of axes, of points on a body and of its inertia are zeros, and most lengths are shared: with numbers, terms
 * vanish and others can be collected (expr/waves.h), so that a mechanism made of parts has the short formulas of its
 * energies. Rows get their numbers before anything is eliminated. */
#include "expr/waves.h"
#include "structure/condense_impl.h"
#include "structure/settled.h"

/* Terms of a row that is written as one sum: the balance of torques at a joint of a closed loop has about ten. */
enum {
    MOST_TERMS_OF_ROW = 12,
    MOST_TERMS_OF_VALUE = 4 /* of a place or a speed, before it is differentiated: each term becomes several */
};

void dd_condense_find_numbers(dd_condenser *w)
{
    w->number = dd_settled_parameters(w->s, w->scratch);
}

dd_expr dd_condense_number(void *user, dd_expr symbol)
{
    const dd_condenser *w = user;
    return dd_settled_number(w->s, w->number, symbol);
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

dd_expr dd_condense_collected(dd_condenser *w, dd_expr value)
{
    if (w->number == NULL) {
        return value;
    }
    return dd_collect_waves_near(w->dag, dd_substitute(w->dag, value, dd_condense_number, w), MOST_TERMS_OF_VALUE);
}
