/* sensitivity_names.c - from the names of --sensitivity to what derivatives are taken by. */
#include <string.h>

#include "base/context.h"
#include "sim/sensitivity.h"

/* ---- how parameters change with each other ---- */

typedef struct link { /* var is bound to an expression that contains `from` */
    uint32_t var, from;
    double factor;
} link;
typedef DD_VEC(link) link_vec;

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

/* All parameters that change with `var`, by the chain rule: passes over the bindings until nothing changes any more. */
static dd_direction direction_of(dd_sim *sim, const link_vec *links, uint32_t var, dd_pool *scratch)
{
    dd_model *m = sim->system->model;
    dd_direction d = {0};
    double *change = dd_pool_alloc_array(scratch, m->vars.len + 1, sizeof *change);
    double *next = dd_pool_alloc_array(scratch, m->vars.len + 1, sizeof *next);
    change[var] = 1;
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
    return d;
}

/* ---- names ---- */

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
        if (shown(sim, v) && (kind == DD_KIND_PARAMETER || kind == DD_KIND_VARIABLE)) {
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

/* The scalar with the name, DD_NO_INDEX without. Blanks do not count. */
static uint32_t find_scalar(const dd_sim *sim, const char *name, dd_pool *scratch)
{
    const dd_model *m = sim->system->model;
    char *wanted = dd_pool_alloc_array(scratch, strlen(name) + 1, 1);
    size_t length = 0;
    for (const char *c = name; *c; c++) {
        if (*c != ' ') {
            wanted[length++] = *c;
        }
    }
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (shown(sim, v) && strcmp(dd_model_var_name_dup(m, v, scratch), wanted) == 0) {
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
    } else if (x->kind == DD_KIND_INPUT) {
        why = "it is an input; a parameter in its formula can be used";
    } else if (a->type != DD_TYPE_REAL) {
        why = "it is not a Real";
    } else if (x->kind == DD_KIND_PARAMETER && x->structural) {
        why = "the structure of the model depends on its value";
    } else if (x->kind == DD_KIND_VARIABLE && sim->system->column[v] == DD_NO_INDEX) {
        why = "it is no unknown of the equations";
    } else if (x->kind != DD_KIND_PARAMETER && x->kind != DD_KIND_VARIABLE) {
        why = "it is neither a parameter nor a variable";
    }
    if (why) {
        dd_raise(sim->ctx, DD_INVALID_ARGUMENT, "sensitivity: no derivative by %s, %s", name, why);
    }
}

static void add_name(dd_sim *sim, dd_sim_sens *q, const link_vec *links, uint32_t v, dd_pool *scratch)
{
    const char *name = dd_model_var_name_dup(sim->system->model, v, sim->pool);
    check_kind(sim, v, name);
    for (uint32_t k = 0; k < q->count; k++) {
        if (strcmp(q->name[k], name) == 0) {
            return; /* asked for twice */
        }
    }
    const bool parameter = sim->system->model->vars.data[v].kind == DD_KIND_PARAMETER;
    dd_direction d = {0};
    if (parameter) {
        d = direction_of(sim, links, v, scratch);
    }
    q->name[q->count] = name;
    q->start_of[q->count++] = parameter ? DD_NO_INDEX : sim->system->column[v];
    dd_vec_push(sim->pool, &q->directions, d);
}

dd_sim_sens *dd_sim_sens_new(dd_sim *sim)
{
    const dd_model *m = sim->system->model;
    const dd_sim_options *o = &sim->options;
    if (o->n_sensitivity == 0) {
        return NULL;
    }
    dd_pool *scratch = dd_pool_child(sim->pool);
    dd_sim_sens *q = dd_pool_alloc(sim->pool, sizeof *q);
    *q = (dd_sim_sens){0};
    q->name = dd_pool_alloc_array(sim->pool, m->vars.len + 1, sizeof *q->name);
    q->start_of = dd_pool_alloc_array(sim->pool, m->vars.len + 1, sizeof *q->start_of);
    link_vec links = find_links(sim, scratch);
    for (uint32_t i = 0; i < o->n_sensitivity; i++) {
        const uint32_t scalar = find_scalar(sim, o->sensitivity[i], scratch);
        const uint32_t array = scalar == DD_NO_INDEX ? dd_model_find_array(m, o->sensitivity[i]) : DD_NO_INDEX;
        if (scalar == DD_NO_INDEX && array == DD_NO_INDEX) {
            unknown_name(sim, o->sensitivity[i], scratch);
        }
        const uint32_t first = array == DD_NO_INDEX ? scalar : m->arrays.data[array].first;
        const uint32_t count = array == DD_NO_INDEX ? 1 : m->arrays.data[array].size;
        for (uint32_t v = first; v < first + count; v++) {
            add_name(sim, q, &links, v, scratch);
        }
    }
    dd_pool_free(scratch);
    return q;
}
