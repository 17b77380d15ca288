/* phases_order.c - the phase each variable belongs to, and equations of first order in the phase's own time.
 *
 * A variable declared in a phase is of that phase; one of the class around them (a bound abbreviation, a component) is
 * of the phase whose variables its equations contain. Higher derivatives get names before the time is scaled, so that
 * der(x) keeps its meaning in every report: v = der(x) makes v the derivative of x, and where der(der(x))
 * has no such name one is introduced.
 */
#include <string.h>

#include "lang/phases.h"

/* ---- phases of variables ---- */

static uint32_t phase_of_instance(const dd_flattener *fl, const dd_instance *in)
{
    /* the component directly below the class around */
    while (in->parent != NULL && in->parent != fl->root) {
        in = in->parent;
    }
    for (uint32_t i = 0; in->parent == fl->root && i < fl->phases->list.len; i++) {
        if (fl->phases->list.data[i].in == in) {
            return i + 1;
        }
    }
    return 0;
}

static void phases_of_declarations(dd_flattener *fl)
{
    dd_phases *ph = fl->phases;
    /* per variable: no phase, order 0, no velocity */
    for (uint32_t i = 0; i < fl->m->vars.len; i++) {
        dd_vec_push(fl->pool, &ph->of, 0);
        dd_vec_push(fl->pool, &ph->order, 0);
        dd_vec_push(fl->pool, &ph->velocity, DD_NO_INDEX);
    }
    /* variables of a phase by the instance that declares them */
    for (uint32_t i = 0; i < fl->decls.len; i++) {
        const dd_flat_decl *decl = fl->decls.data[i];
        uint32_t phase = decl->array != DD_NO_INDEX ? phase_of_instance(fl, decl->member->parent) : 0;
        for (uint32_t k = 0; phase != 0 && k < fl->m->arrays.data[decl->array].size; k++) {
            ph->of.data[fl->m->arrays.data[decl->array].first + k] = phase;
        }
    }
}

static void report_two(dd_flattener *fl, uint32_t a, uint32_t b, dd_span span, const char *what)
{
    const char *first = dd_model_var_name_dup(fl->m, a, fl->pool), *second = dd_model_var_name_dup(fl->m, b, fl->pool);
    const char *p = dd_phase_get(fl, fl->phases->of.data[a])->in->path;
    const char *q = dd_phase_get(fl, fl->phases->of.data[b])->in->path;
    dd_error(fl->ctx, span,
             "%s has %s of the phase %s and %s of the phase %s, which run at different times: phases are linked by "
             "values at one time, such as %s(%s.finalTime)",
             what, first, p, second, q, first, p);
}

bool dd_phases_of(dd_flattener *fl, dd_expr e, dd_span span, const char *what, uint32_t hint, uint32_t *phase)
{
    dd_expr_vec symbols = {0};
    uint32_t found = DD_NO_INDEX;
    bool ok = true;
    *phase = hint;
    /* all variables with a phase must have the same one; parameters have none */
    dd_symbols(fl->m->dag, e, false, &symbols, fl->pool);
    for (uint32_t i = 0; i < symbols.len && ok; i++) {
        uint32_t var = dd_symbol_id(fl->m->dag, symbols.data[i]);
        uint32_t p = var < fl->phases->of.len ? fl->phases->of.data[var] : 0;
        if (p == 0) {
            continue;
        }
        if (found != DD_NO_INDEX && p != *phase) {
            report_two(fl, found, var, span, what);
            ok = false;
        } else if (found == DD_NO_INDEX) {
            found = var;
            *phase = p;
        }
    }
    dd_vec_free(fl->pool, &symbols);
    return ok;
}

/* Gives the variables of a row without a phase that of the others. 0: nothing new, 1: something, -1: a message. */
static int spread_row(dd_flattener *fl, const dd_row *row, dd_span span)
{
    dd_expr_vec symbols = {0};
    uint32_t phase;
    int changed = 0;
    if (!dd_phases_of(fl, row->residual, span, "this equation", 0, &phase)) {
        return -1;
    }
    /* the others are of the phase that this row has */
    dd_symbols(fl->m->dag, row->residual, false, &symbols, fl->pool);
    for (uint32_t i = 0; i < symbols.len && phase != 0; i++) {
        uint32_t var = dd_symbol_id(fl->m->dag, symbols.data[i]);
        if (fl->phases->of.data[var] == 0) {
            fl->phases->of.data[var] = phase;
            changed = 1;
        }
    }
    dd_vec_free(fl->pool, &symbols);
    return changed;
}

static bool spread_phases(dd_flattener *fl)
{
    const dd_model *m = fl->m;
    /* to a fixed point: a chain of abbreviations takes as many rounds as it is long */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = 0; r < m->rows.len; r++) {
            int did = spread_row(fl, &m->rows.data[r], m->groups.data[m->rows.data[r].group].span);
            if (did < 0) {
                return false;
            }
            changed = changed || did > 0;
        }
        dd_check_stop(fl->ctx);
    }
    return true;
}

/* Variables of the class around the phases that no equation joins to one. */
static bool check_phases(dd_flattener *fl)
{
    for (uint32_t i = 0; i < fl->m->vars.len; i++) {
        const dd_variable *v = &fl->m->vars.data[i];
        bool varies = v->kind == DD_KIND_VARIABLE || v->kind == DD_KIND_INPUT;
        if (varies && fl->phases->of.data[i] == 0) {
            dd_error(
                fl->ctx, fl->m->arrays.data[v->array].span,
                "%s belongs to no phase: variables outside phases are computed from those of one phase; declare it "
                "in the class of a phase",
                dd_model_var_name_dup(fl->m, i, fl->pool));
            return false;
        }
    }
    return true;
}

/* ---- first order ---- */

/* v - der(x) = 0 with two variables. */
static bool velocity_row(dd_flattener *fl, dd_expr residual, uint32_t *x, uint32_t *v)
{
    dd_dag *dag = fl->m->dag;
    dd_expr_vec symbols = {0};
    /* exactly two symbols, der(x) and v, and nothing but their difference */
    dd_symbols(dag, residual, true, &symbols, fl->pool);
    bool found = false;
    if (symbols.len == 2 && dd_op_of(dag, symbols.data[0]) == DD_OP_VAR &&
        dd_op_of(dag, symbols.data[1]) == DD_OP_VAR) {
        bool first = dd_symbol_order(dag, symbols.data[0]) == 1;
        dd_expr rate = symbols.data[first ? 0 : 1], level = symbols.data[first ? 1 : 0];
        *x = dd_symbol_id(dag, rate);
        *v = dd_symbol_id(dag, level);
        found = dd_symbol_order(dag, rate) == 1 && dd_symbol_order(dag, level) == 0 && *x != *v &&
                fl->m->vars.data[*x].kind == DD_KIND_VARIABLE && fl->m->vars.data[*v].kind == DD_KIND_VARIABLE &&
                (residual == dd_sub(dag, rate, level) || residual == dd_sub(dag, level, rate));
    }
    dd_vec_free(fl->pool, &symbols);
    return found;
}

/* Declarations `v = der(x)` take precedence over equations. A variable is the velocity of one variable only. */
static bool *find_velocities(dd_flattener *fl)
{
    const dd_model *m = fl->m;
    bool *taken = dd_pool_alloc_array(fl->pool, m->vars.len + 1, sizeof *taken);
    bool *is_velocity_row = dd_pool_alloc_array(fl->pool, m->rows.len + 1, sizeof *is_velocity_row);
    /* bindings in the first pass, equations in the second */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < m->rows.len; r++) {
            bool binding = m->groups.data[m->rows.data[r].group].origin == DD_ORIGIN_BINDING;
            uint32_t x, v;
            if (binding == (pass == 0) && velocity_row(fl, m->rows.data[r].residual, &x, &v) &&
                fl->phases->velocity.data[x] == DD_NO_INDEX && !taken[v]) {
                fl->phases->velocity.data[x] = v;
                taken[v] = true;
                is_velocity_row[r] = true;
            }
        }
    }
    return is_velocity_row;
}

static void note_orders(dd_flattener *fl, dd_expr e, dd_phase_index_vec *high)
{
    dd_expr_vec symbols = {0};
    /* the highest order of each variable; those of order 2 and more are collected */
    dd_symbols(fl->m->dag, e, false, &symbols, fl->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(fl->m->dag, symbols.data[i]), order = dd_symbol_order(fl->m->dag, symbols.data[i]);
        if (fl->m->vars.data[var].kind == DD_KIND_VARIABLE && order > fl->phases->order.data[var]) {
            fl->phases->order.data[var] = order;
            if (order >= 2) {
                dd_vec_push(fl->pool, high, var);
            }
        }
    }
    dd_vec_free(fl->pool, &symbols);
}

/* A velocity for one variable that has none: der(x), with the equation der(x) = v. */
static void introduce_velocity(dd_flattener *fl, uint32_t var)
{
    /* v = der(x) as a variable of the same phase, with its row */
    dd_model *m = fl->m;
    dd_span span = m->arrays.data[m->vars.data[var].array].span;
    const char *name = dd_pool_printf(m->pool, "der(%s)", dd_model_var_name_dup(m, var, fl->pool));
    uint32_t index = dd_model_add_array(m, name, NULL, 0, DD_KIND_VARIABLE, DD_TYPE_REAL, span);
    uint32_t v = m->arrays.data[index].first;
    dd_vec_push(fl->pool, &fl->phases->of, fl->phases->of.data[var]);
    dd_vec_push(fl->pool, &fl->phases->order, 0);
    dd_vec_push(fl->pool, &fl->phases->velocity, DD_NO_INDEX);
    fl->phases->velocity.data[var] = v;
    dd_expr residual = dd_sub(m->dag, dd_var(m->dag, var, 1), dd_var(m->dag, v, 0));
    /* it has no form: the listing prints the row */
    dd_group group = {.origin = DD_ORIGIN_EQUATION, .span = span, .doc = "", .stacked = true};
    dd_model_add_group(m, group, &residual, 1);
}

static void close_orders(dd_flattener *fl, dd_phase_index_vec *high)
{
    dd_phases *ph = fl->phases;
    /* order k of x is order k - 1 of its velocity; a worklist lowers it to first order */
    while (high->len > 0) {
        uint32_t var = high->data[--high->len], order = ph->order.data[var];
        if (order < 2) {
            continue;
        }
        if (ph->velocity.data[var] == DD_NO_INDEX) {
            introduce_velocity(fl, var);
        }
        uint32_t v = ph->velocity.data[var];
        ph->order.data[var] = 1;
        if (order - 1 > ph->order.data[v]) {
            ph->order.data[v] = order - 1;
            dd_vec_push(fl->pool, high, v);
        }
        dd_check_stop(fl->ctx);
    }
}

static dd_expr named_derivative(void *user, dd_expr symbol)
{
    const dd_flattener *fl = user;
    dd_dag *dag = fl->m->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    /* as many steps along velocities as there are */
    uint32_t var = dd_symbol_id(dag, symbol), order = dd_symbol_order(dag, symbol), left = order;
    while (left > 0 && var < fl->phases->velocity.len && fl->phases->velocity.data[var] != DD_NO_INDEX) {
        var = fl->phases->velocity.data[var];
        left--;
    }
    return left == order ? DD_EXPR_NONE : dd_var(dag, var, left);
}

dd_expr dd_phases_lower(dd_flattener *fl, dd_expr e)
{
    return dd_substitute(fl->m->dag, e, named_derivative, fl);
}

/* Do the rows contain der(x) still, besides the one that names it? Then x is a state. */
static void lower_rows(dd_flattener *fl)
{
    dd_model *m = fl->m;
    uint32_t written = m->rows.len;
    /* rows that define a velocity keep their der(x), all others use its name */
    bool *is_velocity_row = find_velocities(fl);
    dd_phase_index_vec high = {0};
    /* orders over all rows, then velocities where they are missing */
    for (uint32_t r = 0; r < written; r++) {
        note_orders(fl, m->rows.data[r].residual, &high);
    }
    for (uint32_t r = 0; r < m->initial_rows.len; r++) {
        note_orders(fl, m->initial_rows.data[r].residual, &high);
    }
    close_orders(fl, &high);
    /* rewritten rows no longer match their forms: they are marked */
    for (uint32_t r = 0; r < written; r++) {
        dd_expr before = m->rows.data[r].residual;
        if (!is_velocity_row[r]) {
            m->rows.data[r].residual = dd_phases_lower(fl, before);
        }
        dd_group *g = &m->groups.data[m->rows.data[r].group];
        g->stacked = g->stacked || before != m->rows.data[r].residual;
    }
    for (uint32_t r = 0; r < m->initial_rows.len; r++) {
        m->initial_rows.data[r].residual = dd_phases_lower(fl, m->initial_rows.data[r].residual);
    }
}

bool dd_phases_first_order(dd_flattener *fl)
{
    phases_of_declarations(fl);
    if (!spread_phases(fl) || !check_phases(fl)) {
        return false;
    }
    lower_rows(fl);
    return true;
}
