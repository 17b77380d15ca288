/* settled.c - a parameter is settled unless it is decided by an optimisation, or follows from one that is. */
#include "structure/settled.h"

#include <math.h>

/* Parameters that follow from decided ones are decided too. */
static void leave_out_followers(const dd_system *s, bool *settled, dd_pool *scratch)
{
    const dd_model *m = s->model;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < m->vars.len; i++) {
            dd_expr_vec symbols = {0};
            if (!settled[i] || m->vars.data[i].binding == DD_EXPR_NONE) {
                continue;
            }
            dd_symbols(m->dag, m->vars.data[i].binding, true, &symbols, scratch);
            for (uint32_t k = 0; k < symbols.len && settled[i]; k++) {
                settled[i] =
                    dd_op_of(m->dag, symbols.data[k]) != DD_OP_PARAM || settled[dd_symbol_id(m->dag, symbols.data[k])];
            }
            changed = changed || !settled[i];
            dd_vec_free(scratch, &symbols);
        }
    }
}

const bool *dd_settled_parameters(const dd_system *s, dd_pool *pool)
{
    const dd_model *m = s->model;
    bool decided = false;
    if (!s->options.parameters_stay) {
        return NULL;
    }
    bool *settled = dd_pool_alloc_array(pool, m->vars.len + 1, sizeof *settled);
    for (uint32_t i = 0; i < m->vars.len; i++) {
        settled[i] = m->vars.data[i].kind != DD_KIND_PARAMETER || !m->vars.data[i].free;
        decided = decided || !settled[i];
    }
    if (decided) {
        leave_out_followers(s, settled, pool);
    }
    return settled;
}

dd_expr dd_settled_number(const dd_system *s, const bool *settled, dd_expr symbol)
{
    dd_dag *dag = s->model->dag;
    const uint32_t var = dd_op_of(dag, symbol) == DD_OP_PARAM ? dd_symbol_id(dag, symbol) : DD_NO_INDEX;
    const bool known = var < s->model->vars.len && settled[var] && isfinite(s->parameter[var]);
    return known ? dd_num(dag, s->parameter[var]) : DD_EXPR_NONE;
}
