/* sensitivity_names.c - from the names of --sensitivity to what derivatives are taken by: parameters, start values,
 * inputs to which a constant is added, and values of an input's table,
 *
 *     u@0.5    the row at time 0.5 (where there are two, the one behind the jump; u@0.5- the one before it)
 *     u@0:0.5  all rows from 0 to 0.5, on the inner side of jumps: one value of a piecewise constant input */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/text.h"
#include "sim/sensitivity.h"

/* ---- how parameters change with each other ---- */

typedef struct link { /* var is bound to an expression that contains `from` */
    uint32_t var, from;
    double factor;
} link;
typedef DD_VEC(link) link_vec;

/* Every parameter that a binding contains, with the derivative of the binding by it. */
static link_vec find_links(dd_sim *sim, dd_pool *scratch)
{
    const dd_system *s = sim->system;
    dd_dag *dag = s->model->dag;
    link_vec links = {0};
    dd_expr_vec symbols = {0}, partials = {0};
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        const dd_variable *x = &s->model->vars.data[v];
        if (x->kind != DD_KIND_PARAMETER || x->binding == DD_EXPR_NONE) {
            continue;
        }
        symbols.len = partials.len = 0;
        dd_partials(dag, x->binding, true, &symbols, &partials, scratch);
        for (uint32_t i = 0; i < symbols.len; i++) {
            if (dd_op_of(dag, symbols.data[i]) == DD_OP_PARAM) {
                link l = {.var = v, .from = dd_symbol_id(dag, symbols.data[i])};
                uint32_t culprit;
                if (dd_model_evaluate(s->model, partials.data[i], false, &l.factor, &culprit)) {
                    dd_vec_push(scratch, &links, l);
                }
            }
        }
    }
    return links;
}

/* Inputs that keep a start value which changes with parameters: in the equations of the start they are symbols. */
static void add_unfed(dd_sim *sim, dd_direction *d)
{
    const dd_model *m = sim->system->model;
    const uint32_t count = d->symbols.len;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const dd_variable *x = &m->vars.data[v];
        double sum = 0;
        for (uint32_t i = 0; i < count && x->kind == DD_KIND_INPUT && x->start != DD_EXPR_NONE && !x->has_value; i++) {
            double partial = 0;
            uint32_t culprit;
            dd_model_evaluate(sim->system->model, dd_diff(m->dag, x->start, d->symbols.data[i]), false, &partial,
                              &culprit);
            sum += partial * d->change.data[i];
        }
        if (sum != 0 && !dd_sim_is_fed(sim, v)) {
            dd_vec_push(sim->pool, &d->symbols, dd_var(m->dag, v, 0));
            dd_vec_push(sim->pool, &d->change, sum);
        }
    }
}

/* All parameters that change with `var`, by the chain rule: passes over the bindings until nothing changes any more. */
static dd_direction direction_of(dd_sim *sim, const link_vec *links, uint32_t var, dd_pool *scratch)
{
    dd_model *m = sim->system->model;
    dd_direction d = {0};
    double *change = dd_pool_alloc_array(scratch, m->vars.len + 1, sizeof *change);
    double *next = dd_pool_alloc_array(scratch, m->vars.len + 1, sizeof *next);
    change[var] = 1;
    /* bindings have no cycles: the passes end */
    for (bool again = true; again;) {
        memset(next, 0, m->vars.len * sizeof *next);
        next[var] = 1;
        for (uint32_t i = 0; i < links->len; i++) {
            const link *l = &links->data[i];
            next[l->var] += l->var == var ? 0.0 : l->factor * change[l->from];
        }
        again = memcmp(next, change, m->vars.len * sizeof *next) != 0;
        memcpy(change, next, m->vars.len * sizeof *next);
        dd_check_stop(sim->ctx);
    }
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (change[v] != 0) {
            dd_vec_push(sim->pool, &d.symbols, dd_param(m->dag, v));
            dd_vec_push(sim->pool, &d.change, change[v]);
        }
    }
    add_unfed(sim, &d);
    return d;
}

/* u + a constant: the symbol itself where a table or nothing feeds it, else the parameter that its formula has
 * beside it. */
static dd_direction offset_of(dd_sim *sim, uint32_t var)
{
    dd_dag *dag = sim->system->model->dag;
    dd_direction d = {0};
    dd_vec_push(sim->pool, &d.symbols, dd_param(dag, var));
    dd_vec_push(sim->pool, &d.change, 1.0);
    dd_vec_push(sim->pool, &d.symbols, dd_var(dag, var, 0));
    dd_vec_push(sim->pool, &d.change, 1.0);
    return d;
}

/* The symbols of an input from a table along its basis; for the start as polynomials that have its derivatives
 * there. */
static dd_direction along_table(dd_sim *sim, uint32_t var, uint32_t basis)
{
    enum { ORDERS = 3 };
    dd_dag *dag = sim->system->model->dag;
    dd_direction d = {.of_table = true, .var = var, .basis = basis};
    const dd_expr since = dd_sub(dag, dd_time(dag), dd_num(dag, sim->t0));
    for (uint32_t k = 0; k < ORDERS; k++) {
        dd_expr seed = dd_rational(dag, 0, 1), power = dd_rational(dag, 1, 1);
        for (uint32_t m = k; m < ORDERS; m++) { /* u^(k) = sum of u^(m) (t - t0)^(m - k)/(m - k)! */
            power = m == k ? power : dd_div(dag, dd_mul(dag, power, since), dd_rational(dag, m - k, 1));
            seed = dd_add(dag, seed, dd_mul(dag, dd_num(dag, dd_inputs_basis(sim->inputs, basis, m, sim->t0)), power));
        }
        dd_vec_push(sim->pool, &d.symbols, dd_var(dag, var, k));
        dd_vec_push(sim->pool, &d.change, dd_inputs_basis(sim->inputs, basis, k, sim->t0));
        dd_vec_push(sim->pool, &d.seeds, seed);
    }
    return d;
}

/* ---- names ---- */

/* A name of the options: scalars, and which values of their tables. */
typedef struct wanted {
    uint32_t first, count;
    const char *values; /* "@..." without blanks; NULL: not of a table */
    dd_input_rows rows;
} wanted;

static const char *without_blanks(const char *text, dd_pool *pool)
{
    char *out = dd_pool_alloc_array(pool, strlen(text) + 1, 1);
    size_t length = 0;
    for (const char *c = text; *c; c++) {
        if (*c != ' ') {
            out[length++] = *c;
        }
    }
    return out;
}

static bool shown(const dd_sim *sim, uint32_t v)
{
    return !sim->system->model->arrays.data[sim->system->model->vars.data[v].array].auxiliary;
}

static void unknown_name(dd_sim *sim, const char *name, dd_pool *scratch)
{
    const dd_model *m = sim->system->model;
    const char **names = dd_pool_alloc_array(scratch, m->vars.len + 1, sizeof *names);
    size_t count = 0;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        const dd_var_kind kind = m->vars.data[v].kind;
        if (shown(sim, v) && (kind == DD_KIND_PARAMETER || kind == DD_KIND_VARIABLE || kind == DD_KIND_INPUT)) {
            names[count++] = dd_model_var_name_dup(m, v, scratch);
        }
    }
    const char *meant = dd_closest_name(name, names, count);
    if (meant) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT,
                 "sensitivity: there is no parameter or variable \"%s\"; did you mean \"%s\"?", name, meant);
    }
    dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "sensitivity: there is no parameter or variable \"%s\"", name);
}

/* The scalar with the name, DD_NO_INDEX without. Blanks are ignored. */
static uint32_t find_scalar(const dd_sim *sim, const char *name, dd_pool *scratch)
{
    const dd_model *m = sim->system->model;
    const char *given = without_blanks(name, scratch);
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (shown(sim, v) && strcmp(dd_model_var_name_dup(m, v, scratch), given) == 0) {
            return v;
        }
    }
    return DD_NO_INDEX;
}

/* Raises when no derivative by it is possible. */
static void check_kind(dd_sim *sim, uint32_t v, const char *name)
{
    const dd_model *m = sim->system->model;
    const dd_variable *x = &m->vars.data[v];
    const dd_array *a = &m->arrays.data[x->array];
    const char *why = NULL;
    if (x->kind == DD_KIND_CONSTANT) {
        why = "it is a constant; declare it as a parameter";
    } else if (a->type != DD_TYPE_REAL) {
        why = "it is not a Real";
    } else if (x->kind == DD_KIND_PARAMETER && x->structural) {
        why = "the structure of the model depends on its value";
    } else if (x->kind == DD_KIND_VARIABLE && sim->system->column[v] == DD_NO_INDEX) {
        why = "it is not an unknown of the equations";
    } else if (x->kind != DD_KIND_PARAMETER && x->kind != DD_KIND_VARIABLE && x->kind != DD_KIND_INPUT) {
        why = "it is neither a parameter nor a variable nor an input";
    }
    if (why) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "sensitivity: no derivative by %s, %s", name, why);
    }
}

/* The values of the table of input v that w names. */
static dd_direction values_of(dd_sim *sim, const wanted *w, uint32_t v, const char *name)
{
    uint32_t basis = DD_NO_INDEX;
    const char *why = sim->system->model->vars.data[v].kind != DD_KIND_INPUT
                          ? "it is not an input, and only tables of inputs have rows"
                      : !sim->inputs ? dd_pool_printf(sim->pool, "the input has no table (%s FILE.csv)",
                                                      dd_option_word(sim->ctx, "--input"))
                                     : dd_inputs_add_basis(sim->inputs, v, &w->rows, &basis);
    if (why) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "sensitivity: no derivative by %s, %s", name, why);
    }
    return along_table(sim, v, basis);
}

static void add_name(dd_sim *sim, dd_sim_sens *q, const link_vec *links, const wanted *w, uint32_t v, dd_pool *scratch)
{
    const char *name = dd_model_var_name_dup(sim->system->model, v, sim->pool);
    name = w->values ? dd_pool_printf(sim->pool, "%s%s", name, w->values) : name;
    check_kind(sim, v, name);
    for (uint32_t k = 0; k < q->count; k++) {
        if (strcmp(q->name[k], name) == 0) {
            return; /* asked for twice */
        }
    }
    const dd_var_kind kind = sim->system->model->vars.data[v].kind;
    dd_direction d = {0};
    if (w->values) {
        d = values_of(sim, w, v, name);
    } else if (kind == DD_KIND_PARAMETER) {
        d = direction_of(sim, links, v, scratch);
    } else if (kind == DD_KIND_INPUT) {
        d = offset_of(sim, v);
    }
    q->name[q->count] = name;
    q->start_of[q->count++] = kind == DD_KIND_VARIABLE ? sim->system->column[v] : DD_NO_INDEX;
    dd_vec_push(sim->pool, &q->directions, d);
}

/* "@T", "@T-" or "@A:B" */
static void read_rows(dd_sim *sim, const char *name, wanted *w)
{
    const char *end;
    w->rows.from = w->rows.to = dd_number_parse(w->values + 1, &end);
    bool good = end != w->values + 1;
    if (good && *end == ':') {
        const char *second = end + 1;
        w->rows.to = dd_number_parse(second, &end);
        good = end != second && w->rows.from < w->rows.to;
    } else if (good && *end == '-') {
        w->rows.before = true;
        end++;
    }
    if (!good || *end || !isfinite(w->rows.from) || !isfinite(w->rows.to)) {
        dd_raise(
            sim->ctx, DD_INVALID_ARGUMENT,
            "sensitivity: \"%s\" names no values of a table: u@0.5 is the row at time 0.5, u@0.5- the one before a "
            "jump there, u@0:0.5 are all from 0 to 0.5",
            name);
    }
}

/* The meaning of a name of the options; raises when it is nothing. */
static wanted resolve(dd_sim *sim, const char *name, dd_pool *scratch)
{
    const dd_model *m = sim->system->model;
    wanted w = {.first = find_scalar(sim, name, scratch), .count = 1};
    const char *at = w.first == DD_NO_INDEX ? strrchr(name, '@') : NULL;
    const char *base = name;
    if (at) {
        base = dd_pool_printf(scratch, "%.*s", (int)(at - name), name);
        w.values = without_blanks(at, sim->pool);
        w.first = find_scalar(sim, base, scratch);
        read_rows(sim, name, &w);
    }
    const uint32_t array = w.first == DD_NO_INDEX ? dd_model_find_array(m, without_blanks(base, scratch)) : DD_NO_INDEX;
    if (w.first == DD_NO_INDEX && array == DD_NO_INDEX) {
        unknown_name(sim, base, scratch);
    }
    if (array != DD_NO_INDEX) {
        w.first = m->arrays.data[array].first;
        w.count = m->arrays.data[array].size;
    }
    return w;
}

void dd_sim_sens_system(dd_sim *sim)
{
    const dd_sim_options *o = &sim->options;
    dd_pool *scratch = dd_pool_child(sim->pool);
    bool offsets = false;
    for (uint32_t i = 0; i < o->n_sensitivity; i++) {
        const wanted w = resolve(sim, o->sensitivity[i], scratch);
        for (uint32_t v = w.first; v < w.first + w.count && !w.values; v++) {
            const dd_variable *x = &sim->system->model->vars.data[v];
            offsets = offsets || (x->kind == DD_KIND_INPUT && x->has_value && x->binding != DD_EXPR_NONE);
        }
    }
    dd_pool_free(scratch);
    if (offsets && !sim->own_system) {
        dd_analyse_options options = sim->system->options;
        options.input_offsets = true;
        dd_status st = dd_model_analyse(&sim->own_system, sim->system->model, &options);
        if (st != DD_OK) {
            dd_raise(sim->ctx, st, "%s", dd_pool_strdup(sim->pool, dd_context_message(sim->ctx)));
        }
        sim->system = sim->own_system;
    }
}

dd_sim_sens *dd_sim_sens_new(dd_sim *sim)
{
    const dd_sim_options *o = &sim->options;
    if (o->n_sensitivity == 0) {
        return NULL;
    }
    dd_pool *scratch = dd_pool_child(sim->pool);
    dd_sim_sens *q = dd_pool_alloc(sim->pool, sizeof *q);
    *q = (dd_sim_sens){0};
    size_t most = 0;
    for (uint32_t i = 0; i < o->n_sensitivity; i++) {
        most += resolve(sim, o->sensitivity[i], scratch).count;
    }
    q->name = dd_pool_alloc_array(sim->pool, most + 1, sizeof *q->name);
    q->start_of = dd_pool_alloc_array(sim->pool, most + 1, sizeof *q->start_of);
    link_vec links = find_links(sim, scratch);
    for (uint32_t i = 0; i < o->n_sensitivity; i++) {
        const wanted w = resolve(sim, o->sensitivity[i], scratch);
        for (uint32_t v = w.first; v < w.first + w.count; v++) {
            add_name(sim, q, &links, &w, v, scratch);
        }
    }
    dd_pool_free(scratch);
    return q;
}
