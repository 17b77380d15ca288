/* first_order.c - model rows of any order to first-order rows F(x', x, t) = 0.
 *
 * The derivative of x is called v when some row says v = der(x), otherwise a velocity der(x) is introduced where second
 * derivatives appear, and where a cost, a constraint or an initial equation of an optimization contains a derivative that no
 * equation does. In every other row der(x) is then v and der(der(x)) is der(v); given inputs are put in.
 */
#include <math.h>

#include "structure/followers.h"

typedef struct lowering {
    dd_system *s;
    dd_pool *scratch;
    DD_VEC(uint32_t) order;    /* per var: highest derivative that appears */
    DD_VEC(uint32_t) velocity; /* per var */
    dd_index_vec work;         /* vars whose order grew */
} lowering;

/* v - der(x) = 0 with two variables: x gets v as its velocity. */
static bool velocity_row(dd_model *m, dd_expr residual, dd_pool *scratch, uint32_t *x, uint32_t *v)
{
    dd_dag *dag = m->dag;
    if (dd_op_of(dag, residual) != DD_OP_ADD || dd_arg_count(dag, residual) != 2) {
        return false;
    }
    dd_expr_vec symbols = {0};
    dd_symbols(dag, residual, true, &symbols, scratch);
    /* exactly one variable and one first derivative, with coefficients of 1 and -1: a factor would be a change of
     * units */
    bool found = false;
    if (symbols.len == 2 && dd_op_of(dag, symbols.data[0]) == DD_OP_VAR &&
        dd_op_of(dag, symbols.data[1]) == DD_OP_VAR) {
        uint32_t first_order = dd_symbol_order(dag, symbols.data[0]);
        dd_expr rate = first_order == 1 ? symbols.data[0] : symbols.data[1];
        dd_expr level = first_order == 1 ? symbols.data[1] : symbols.data[0];
        *x = dd_symbol_id(dag, rate);
        *v = dd_symbol_id(dag, level);
        found = dd_symbol_order(dag, rate) == 1 && dd_symbol_order(dag, level) == 0 && *x != *v &&
                m->vars.data[*x].kind == DD_KIND_VARIABLE && m->vars.data[*v].kind == DD_KIND_VARIABLE &&
                (residual == dd_sub(dag, rate, level) || residual == dd_sub(dag, level, rate));
    }
    dd_vec_free(scratch, &symbols);
    return found;
}

/* Declarations `v = der(x)` count before equations. A variable is the velocity of one variable only. */
static void find_velocities(lowering *l, uint8_t *is_velocity_row)
{
    dd_model *m = l->s->model;
    bool *taken = dd_pool_alloc_array(l->scratch, m->vars.len + 1, sizeof *taken);
    /* the declaration of v says more about its meaning than an equation among many */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < m->rows.len; r++) {
            bool binding = m->groups.data[m->rows.data[r].group].origin == DD_ORIGIN_BINDING;
            uint32_t x, v;
            if (binding == (pass == 0) && velocity_row(m, m->rows.data[r].residual, l->scratch, &x, &v) &&
                l->velocity.data[x] == DD_NO_INDEX && !taken[v]) {
                l->velocity.data[x] = v;
                taken[v] = true;
                is_velocity_row[r] = 1;
            }
        }
    }
}

static void note_order(lowering *l, uint32_t var, uint32_t order)
{
    if (order > l->order.data[var]) {
        l->order.data[var] = order;
        if (order >= 2) {
            dd_vec_push(l->scratch, &l->work, var);
        }
    }
}

static void scan_orders(lowering *l, const dd_row_vec *rows)
{
    dd_model *m = l->s->model;
    dd_expr_vec symbols = {0};
    for (uint32_t r = 0; r < rows->len; r++) {
        symbols.len = 0;
        dd_symbols(m->dag, rows->data[r].residual, false, &symbols, l->scratch);
        for (uint32_t i = 0; i < symbols.len; i++) {
            uint32_t var = dd_symbol_id(m->dag, symbols.data[i]);
            if (m->vars.data[var].kind == DD_KIND_VARIABLE) {
                note_order(l, var, dd_symbol_order(m->dag, symbols.data[i]));
            }
        }
    }
}

/* A derivative that only the cost, a constraint or an initial equation of an optimization contains: with a velocity of its own it
 * is an unknown like others, and the reduction determines it. */
static void scan_asked(lowering *l)
{
    dd_model *m = l->s->model;
    dd_expr_vec symbols = {0};
    const dd_expr_vec all = dd_model_asked(m, l->scratch);
    dd_symbols_of_all(m->dag, all.data, all.len, false, &symbols, l->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        const uint32_t var = dd_symbol_id(m->dag, symbols.data[i]), order = dd_symbol_order(m->dag, symbols.data[i]);
        const bool unknown = m->vars.data[var].kind == DD_KIND_VARIABLE;
        if (unknown && order > 0 && l->order.data[var] == 0 && l->velocity.data[var] == DD_NO_INDEX) {
            note_order(l, var, order + 1);
        }
    }
}

/* A new array of velocities for the whole array of `var` when all of it needs them, else for the one scalar. */
static void introduce_velocity(lowering *l, uint32_t var)
{
    dd_model *m = l->s->model;
    dd_array base = m->arrays.data[m->vars.data[var].array];
    /* an array of which all elements need one gets an array of velocities, so that formulas stay formulas of arrays */
    bool whole = true;
    for (uint32_t e = 0; e < base.size; e++) {
        whole = whole && l->order.data[base.first + e] >= 2 && l->velocity.data[base.first + e] == DD_NO_INDEX;
    }
    uint32_t first = whole ? base.first : var;
    uint32_t count = whole ? base.size : 1;
    const char *name = whole ? dd_pool_printf(m->pool, "der(%s)", base.name)
                             : dd_pool_printf(m->pool, "der(%s)", dd_model_var_name_dup(m, var, l->scratch));
    /* the row der(x) - v = 0 that defines each; v inherits the derivatives of x that are left */
    uint32_t index =
        dd_model_add_array(m, name, base.dims, whole ? base.ndim : 0, DD_KIND_VARIABLE, DD_TYPE_REAL, base.span);
    m->arrays.data[index].introduced = true;
    m->arrays.data[index].derivative_of = first;
    for (uint32_t e = 0; e < count; e++) {
        uint32_t v = m->arrays.data[index].first + e;
        dd_vec_push(l->scratch, &l->order, 0);
        dd_vec_push(l->scratch, &l->velocity, DD_NO_INDEX);
        l->velocity.data[first + e] = v;
        dd_expr residual = dd_sub(m->dag, dd_var(m->dag, first + e, 1), dd_var(m->dag, v, 0));
        dd_group group = {.origin = DD_ORIGIN_VELOCITY, .span = base.span};
        dd_model_add_group(m, group, &residual, 1);
        note_order(l, v, l->order.data[first + e] - 1);
    }
}

static void close_orders(lowering *l)
{
    while (l->work.len > 0) {
        dd_check_stop(l->s->ctx);
        uint32_t var = l->work.data[--l->work.len];
        /* der(der(x)) is der(v), and v may need a velocity itself */
        if (l->velocity.data[var] == DD_NO_INDEX) {
            introduce_velocity(l, var);
        } else {
            note_order(l, l->velocity.data[var], l->order.data[var] - 1);
        }
    }
}

static dd_expr input_rate(const dd_system *s, uint32_t var, uint32_t order)
{
    dd_expr e = s->model->vars.data[var].binding;
    if (s->options.input_offsets && order == 0) {
        return dd_add(s->model->dag, e, dd_param(s->model->dag, var));
    }
    for (uint32_t k = 0; k < order; k++) {
        e = dd_total_derivative(s->model->dag, e, NULL, NULL);
    }
    return e;
}

static bool is_follower(const dd_system *s, uint32_t var)
{
    return s->follower != NULL && s->follower[var] != DD_EXPR_NONE;
}

static dd_expr lower_symbol(void *user, dd_expr symbol)
{
    const dd_system *s = user;
    dd_dag *dag = s->model->dag;
    if (dd_op_of(dag, symbol) != DD_OP_VAR) {
        return DD_EXPR_NONE;
    }
    uint32_t var = dd_symbol_id(dag, symbol);
    uint32_t order = dd_symbol_order(dag, symbol);
    const dd_variable *v = &s->model->vars.data[var];
    /* a given input is its formula, differentiated as often as asked; a general one stays a symbol of any order */
    if (v->kind == DD_KIND_INPUT) {
        return v->has_value && v->binding != DD_EXPR_NONE && !s->options.general_inputs ? input_rate(s, var, order)
                                                                                        : DD_EXPR_NONE;
    }
    /* a follower is its value, which contains none */
    if (is_follower(s, var)) {
        dd_expr value = s->follower[var];
        for (uint32_t k = 0; k < order; k++) {
            value = dd_system_derivative(s, value);
        }
        return value;
    }
    /* x^(m) is v^(m-1), and so on along the chain of velocities */
    uint32_t left = order;
    while (left > 0 && s->velocity[var] != DD_NO_INDEX) {
        var = s->velocity[var];
        left--;
    }
    return left == order ? DD_EXPR_NONE : dd_var(dag, var, left);
}

dd_expr dd_system_lower(const dd_system *s, dd_expr e)
{
    return dd_substitute(s->model->dag, e, lower_symbol, (void *)s); /* which only reads it */
}

dd_expr dd_system_derivative(const dd_system *s, dd_expr e)
{
    return dd_system_lower(s, dd_total_derivative(s->model->dag, e, NULL, NULL));
}

void dd_system_derivatives(const dd_system *s, dd_expr *e, uint32_t n)
{
    dd_total_derivatives(s->model->dag, e, n, NULL, NULL, e);
    dd_substitute_all(s->model->dag, e, n, lower_symbol, (void *)s, e);
}

static void number_columns(dd_system *s)
{
    dd_model *m = s->model;
    s->shown = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->shown);
    s->column = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->column);
    s->unknown = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->unknown);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        bool unknown = m->vars.data[v].kind == DD_KIND_VARIABLE && !m->arrays.data[m->vars.data[v].array].auxiliary;
        if (unknown) {
            s->shown[s->n_shown++] = v;
        }
        unknown = unknown && !is_follower(s, v);
        s->column[v] = unknown ? s->ncols : DD_NO_INDEX;
        if (unknown) {
            s->unknown[s->ncols++] = v;
        }
    }
    s->declared = s->ncols;
    s->differentiated = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->differentiated);
    s->size = dd_pool_alloc_array(s->pool, s->ncols + 1, sizeof *s->size);
    for (uint32_t j = 0; j < s->ncols; j++) {
        const dd_variable *v = &m->vars.data[s->unknown[j]];
        /* a start below 1 is no size: it may be small by accident */
        double nominal = fabs(v->nominal_value), start = fabs(v->start_value);
        s->size[j] = v->has_nominal && nominal > 0 ? nominal : v->has_start && start > 1 ? start : 1.0;
    }
}

/* Tells forms which array is the derivative of which, so that formulas show v instead of der(p). */
static void link_forms(dd_system *s)
{
    dd_model *m = s->model;
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        const dd_array *a = &m->arrays.data[i];
        uint32_t v = a->kind == DD_KIND_VARIABLE && a->size > 0 ? s->velocity[a->first] : DD_NO_INDEX;
        if (v == DD_NO_INDEX) {
            continue;
        }
        const dd_array *b = &m->arrays.data[m->vars.data[v].array];
        /* only whole arrays that belong together element by element */
        bool same = !b->introduced && b->first == v && b->size == a->size && b->ndim == a->ndim;
        for (uint32_t e = 0; same && e < a->size; e++) {
            same = s->velocity[a->first + e] == b->first + e;
        }
        if (same) {
            dd_forms_symbol(m->forms, a->symbol)->velocity = b->symbol;
        }
    }
}

/* Numbers for parameters; a free one without a value takes its guess, else something generic. */
static void settle_parameters(dd_system *s)
{
    dd_model *m = s->model;
    s->parameter = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->parameter);
    for (uint32_t i = 0; i < m->vars.len; i++) {
        const dd_variable *v = &m->vars.data[i];
        /* generic and near 1: a rank must not drop because two free parameters are equal */
        double value = 1.0 + (double)(i % 7) / 16.0;
        uint32_t culprit;
        if (v->kind == DD_KIND_INPUT) {
            value = 0; /* what options.input_offsets adds */
        } else if (v->has_value) {
            value = v->value;
        } else if (v->guess != DD_EXPR_NONE && v->kind == DD_KIND_PARAMETER) {
            double guess;
            value = dd_model_evaluate(m, v->guess, false, &guess, &culprit) ? guess : value;
        }
        s->parameter[i] = value;
    }
}

/* With all names known, every row is lowered; rows v = der(x) themselves would become 0 = 0. */
static void take_rows(dd_system *s, const uint8_t *is_velocity_row, uint32_t written, dd_pool *scratch)
{
    dd_model *m = s->model;
    dd_expr *rows = dd_pool_alloc_array(scratch, m->rows.len + 1, sizeof *rows);
    uint8_t *gone = dd_pool_alloc_array(scratch, m->rows.len + 1, sizeof *gone);
    for (uint32_t r = 0; r < m->rows.len; r++) {
        const dd_expr residual = m->rows.data[r].residual;
        rows[r] = r >= written || is_velocity_row[r] ? residual : dd_system_lower(s, residual);
    }
    if (s->options.fewer_unknowns) {
        dd_system_find_followers(s, rows, gone);
    }
    for (uint32_t r = 0; r < m->rows.len; r++) {
        if (!gone[r]) {
            dd_vec_push(s->pool, &s->original, ((dd_eq){.residual = rows[r], .row = r}));
        }
    }
}

void dd_system_first_order(dd_system *s)
{
    dd_model *m = s->model;
    /* inputs become formula + offset, with the offset a parameter that is 0 now */
    for (uint32_t v = 0; v < m->vars.len && s->options.input_offsets; v++) {
        m->vars.data[v].value = m->vars.data[v].kind == DD_KIND_INPUT ? 0.0 : m->vars.data[v].value;
    }
    /* nothing is differentiated so far, and nothing has a velocity */
    lowering l = {.s = s, .scratch = dd_pool_child(s->pool)};
    dd_vec_reserve(l.scratch, &l.order, m->vars.len + 1);
    dd_vec_reserve(l.scratch, &l.velocity, m->vars.len + 1);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        dd_vec_push(l.scratch, &l.order, 0);
        dd_vec_push(l.scratch, &l.velocity, DD_NO_INDEX);
    }
    uint32_t written = m->rows.len;
    uint8_t *is_velocity_row = dd_pool_alloc_array(l.scratch, written + 1, 1);
    /* velocities that the text names, then those that higher derivatives need */
    find_velocities(&l, is_velocity_row);
    scan_orders(&l, &m->rows);
    scan_asked(&l);
    scan_orders(&l, &m->initial_rows);
    close_orders(&l);
    s->velocity = dd_pool_alloc_array(s->pool, m->vars.len + 1, sizeof *s->velocity);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        s->velocity[v] = l.velocity.data[v];
    }
    settle_parameters(s);
    take_rows(s, is_velocity_row, written, l.scratch);
    number_columns(s);
    link_forms(s);
    dd_pool_free(l.scratch);
}
