/* problem_resolve.c - expressions of the model in decisions: states, algebraic variables, controls, parameters.
 *
 * Three things are put in: what the reduced equations assign, parameters that follow from a decided one (their
 * bindings, innermost first, so that one substitution does it), and algebraic unknowns that a row determines in
 * closed form.
 */
#include <math.h>
#include <string.h>

#include "ocp/problem_impl.h"

/* ---- parameters that follow from decided ones ---- */

/* The parameter of the model that a symbol is; DD_NO_INDEX: none. */
static uint32_t parameter_of(const dd_ocp_problem *o, dd_expr symbol)
{
    uint32_t var = dd_op_of(o->dag, symbol) == DD_OP_PARAM ? dd_symbol_id(o->dag, symbol) : DD_NO_INDEX;
    return var < o->model->vars.len ? var : DD_NO_INDEX; /* values at instants have numbers past those of the model */
}

static bool is_bound_parameter(const dd_ocp_problem *o, const dd_variable *v)
{
    return v->kind == DD_KIND_PARAMETER && !v->free && v->binding != DD_EXPR_NONE &&
           dd_op_of(o->dag, v->binding) != DD_OP_NUM;
}

/* Edges from each parameter to those whose bindings contain it. */
typedef struct followers {
    dd_index_vec to, next; /* per edge; next: the edge after it from the same parameter; edge 0 is none */
    uint32_t *first;       /* per variable: an edge */
    uint32_t *waits;       /* per variable: parameters in its binding that are bound and decided themselves */
} followers;

static followers find_followers(const dd_ocp_problem *o, dd_pool *pool)
{
    uint32_t n = o->model->vars.len;
    followers f = {.first = dd_pool_alloc_array(pool, n + 1, sizeof *f.first),
                   .waits = dd_pool_alloc_array(pool, n + 1, sizeof *f.waits)};
    /* linked lists in arrays; edge 0 ends a list */
    dd_vec_push(pool, &f.to, DD_NO_INDEX);
    dd_vec_push(pool, &f.next, 0);
    for (uint32_t i = 0; i < n; i++) {
        const dd_variable *v = &o->model->vars.data[i];
        dd_expr_vec symbols = {0};
        if (!is_bound_parameter(o, v)) {
            continue;
        }
        /* an edge from every parameter in the binding */
        dd_symbols(o->dag, v->binding, true, &symbols, pool);
        for (uint32_t k = 0; k < symbols.len; k++) {
            uint32_t from = parameter_of(o, symbols.data[k]);
            if (from != DD_NO_INDEX) {
                dd_vec_push(pool, &f.next, f.first[from]);
                f.first[from] = f.to.len;
                dd_vec_push(pool, &f.to, i);
            }
        }
        dd_vec_free(pool, &symbols);
    }
    return f;
}

/* Marks parameters that follow from decided ones, with the number of marked ones that each binding waits for. */
static void mark_decided(dd_ocp_problem *o, followers *f, dd_pool *pool)
{
    uint32_t n = o->model->vars.len, count = 0;
    uint32_t *queue = dd_pool_alloc_array(pool, n + 1, sizeof *queue); /* each is in it once at most */
    /* breadth first from the free parameters */
    for (uint32_t i = 0; i < n; i++) {
        o->decided[i] = o->model->vars.data[i].free;
        if (o->decided[i]) {
            queue[count++] = i;
        }
    }
    for (uint32_t head = 0; head < count; head++) {
        uint32_t from = queue[head];
        for (uint32_t e = f->first[from]; e != 0; e = f->next.data[e]) {
            uint32_t to = f->to.data[e];
            /* a binding waits for bound ones only: free parameters are symbols for good */
            f->waits[to] += o->model->vars.data[from].free ? 0 : 1;
            if (!o->decided[to]) {
                o->decided[to] = true;
                queue[count++] = to;
            }
        }
    }
}

static dd_expr put_bound(void *user, dd_expr symbol)
{
    const dd_ocp_problem *o = user;
    uint32_t var = parameter_of(o, symbol);
    return var != DD_NO_INDEX ? o->bound[var] : DD_EXPR_NONE;
}

void dd_ocp_find_decided(dd_ocp_problem *o)
{
    uint32_t n = o->model->vars.len;
    dd_pool *scratch = dd_pool_child(o->pool);
    uint32_t *ready = dd_pool_alloc_array(scratch, n + 1, sizeof *ready), count = 0;
    o->decided = dd_pool_alloc_array(o->pool, n + 1, sizeof *o->decided);
    o->bound = dd_pool_alloc_array(o->pool, n + 1, sizeof *o->bound);
    followers f = find_followers(o, scratch);
    mark_decided(o, &f, scratch);
    /* topological order: bindings without open ones first */
    for (uint32_t i = 0; i < n; i++) {
        o->bound[i] = DD_EXPR_NONE;
        if (o->decided[i] && !o->model->vars.data[i].free && f.waits[i] == 0) {
            ready[count++] = i;
        }
    }
    /* each binding is substituted once, with bindings that are final already */
    for (uint32_t head = 0; head < count; head++) {
        uint32_t from = ready[head];
        o->bound[from] = dd_substitute(o->dag, o->model->vars.data[from].binding, put_bound, o);
        for (uint32_t e = f.first[from]; e != 0; e = f.next.data[e]) {
            if (--f.waits[f.to.data[e]] == 0) {
                ready[count++] = f.to.data[e];
            }
        }
    }
    dd_pool_free(scratch);
}

bool dd_ocp_depends_on_decided(const dd_ocp_problem *o, dd_expr e)
{
    dd_expr_vec symbols = {0};
    bool found = false;
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    for (uint32_t i = 0; i < symbols.len && !found; i++) {
        uint32_t var = parameter_of(o, symbols.data[i]);
        found = var != DD_NO_INDEX && o->decided[var];
    }
    dd_vec_free(o->pool, &symbols);
    return found;
}

bool dd_ocp_number(const dd_ocp_problem *o, dd_expr e, double *value)
{
    dd_expr_vec symbols = {0};
    uint32_t culprit;
    bool known = true;
    dd_symbols(o->dag, e, true, &symbols, o->pool);
    /* parameters only: anything else has no number */
    for (uint32_t i = 0; i < symbols.len; i++) {
        known = known && parameter_of(o, symbols.data[i]) != DD_NO_INDEX;
    }
    dd_vec_free(o->pool, &symbols);
    return known && dd_model_evaluate(o->model, e, false, value, &culprit) && isfinite(*value);
}

/* ---- assignments ---- */

typedef struct elimination {
    dd_ocp_problem *o;
    dd_expr symbol, value;
} elimination;

static dd_expr put_value(void *user, dd_expr symbol)
{
    const elimination *e = user;
    return symbol == e->symbol ? e->value : DD_EXPR_NONE;
}

/* The z that may leave, those without bounds (bounds are a variable's own), and their coefficients in a row: of all at
 * once where the row is linear in all, which is one pass over a long row instead of one for each. */
typedef struct candidates {
    dd_expr_vec symbol, coefficient;
    dd_index_vec which; /* places in z */
} candidates;

/* Those first of which the text says nothing: a guess or a start value should not leave where something else can. */
static candidates free_unknowns(const dd_ocp_problem *o, dd_pool *pool)
{
    candidates c = {0};
    for (int said = 0; said < 2; said++) {
        for (uint32_t i = 0; i < o->z.len; i++) {
            const dd_decision *d = &o->z.data[i];
            const dd_variable *v = &o->model->vars.data[d->var];
            const bool has_guess = d->order == 0 && (v->guess != DD_EXPR_NONE || v->has_start);
            if (!isfinite(d->lower) && !isfinite(d->upper) && has_guess == (said == 1)) {
                dd_vec_push(pool, &c.which, i);
                dd_vec_push(pool, &c.symbol, d->symbol);
                dd_vec_push(pool, &c.coefficient, DD_EXPR_NONE);
            }
        }
    }
    return c;
}

/* A row a z + b = 0 with a number a, for a z without bounds: z is put in everywhere and is no unknown any more. */
static bool assignment(dd_ocp_problem *o, dd_expr row, uint32_t *which, dd_expr *value)
{
    dd_pool *scratch = dd_pool_child(o->pool);
    candidates c = free_unknowns(o, scratch);
    bool found = false;
    const bool all = dd_linear_coefficients(o->dag, row, c.symbol.data, c.symbol.len, c.coefficient.data);
    for (uint32_t i = 0; i < c.symbol.len && !found; i++) {
        dd_expr *symbol = &c.symbol.data[i], a = c.coefficient.data[i];
        /* divided by a number: no division by zero later */
        found = (all || dd_linear_coefficients(o->dag, row, symbol, 1, &a)) && dd_op_of(o->dag, a) == DD_OP_NUM &&
                dd_num_value(o->dag, a) != 0;
        if (found) {
            *which = c.which.data[i];
            *value = dd_neg(o->dag, dd_div(o->dag, dd_linear_rest(o->dag, row, symbol, 1), a));
        }
    }
    dd_pool_free(scratch);
    return found;
}

static void eliminate(dd_ocp_problem *o, uint32_t row, uint32_t which, dd_expr value)
{
    elimination e = {o, o->z.data[which].symbol, value};
    /* everywhere at once: dynamics, rows and earlier assignments */
    for (uint32_t i = 0; i < o->f.len; i++) {
        o->f.data[i] = dd_substitute(o->dag, o->f.data[i], put_value, &e);
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        o->g.data[i] = dd_substitute(o->dag, o->g.data[i], put_value, &e);
    }
    for (uint32_t i = 0; i < o->assigned.len; i++) {
        o->assigned.data[i].value = dd_substitute(o->dag, o->assigned.data[i].value, put_value, &e);
    }
    dd_vec_push(o->pool, &o->assigned, ((dd_assigned){e.symbol, value}));
    /* row and unknown leave together, so that g stays square */
    memmove(&o->g.data[row], &o->g.data[row + 1], (o->g.len - row - 1) * sizeof *o->g.data);
    memmove(&o->g_row.data[row], &o->g_row.data[row + 1], (o->g_row.len - row - 1) * sizeof *o->g_row.data);
    memmove(&o->z.data[which], &o->z.data[which + 1], (o->z.len - which - 1) * sizeof *o->z.data);
    o->g.len--;
    o->g_row.len--;
    o->z.len--;
}

void dd_ocp_eliminate_assignments(dd_ocp_problem *o)
{
    /* the same row number again after a removal: another row has moved there */
    for (uint32_t row = 0; row < o->g.len;) {
        uint32_t which;
        dd_expr value;
        if (assignment(o, o->g.data[row], &which, &value)) {
            eliminate(o, row, which, value);
        } else {
            row++;
        }
    }
}

static dd_expr put_assigned(void *user, dd_expr symbol)
{
    const dd_ocp_problem *o = user;
    for (uint32_t i = 0; i < o->assigned.len; i++) {
        if (o->assigned.data[i].symbol == symbol) {
            return o->assigned.data[i].value;
        }
    }
    return DD_EXPR_NONE;
}

/* ---- all of it ---- */

void dd_ocp_resolve_all(dd_ocp_problem *o, dd_expr *e, uint32_t n)
{
    /* operators and assignments of the equations first, then bindings, and our own */
    dd_equations_resolve_all(o->system, o->equations, e, n);
    dd_substitute_all(o->dag, e, n, put_bound, o, e);
    if (o->assigned.len > 0) {
        dd_substitute_all(o->dag, e, n, put_assigned, o, e);
    }
}

dd_expr dd_ocp_resolve(dd_ocp_problem *o, dd_expr e)
{
    dd_ocp_resolve_all(o, &e, 1);
    return e;
}
