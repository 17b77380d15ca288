/* model.c - making a flat model: arrays with their scalars, equation groups with their rows. */
#include "model/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const uint64_t max_variables = 10000000; /* scalars of one model; keeps all indices far below 2^32 */

dd_model *dd_model_create(dd_context *ctx, dd_pool *pool, const char *name)
{
    dd_model *m = dd_pool_alloc(pool, sizeof *m);
    m->ctx = ctx;
    m->pool = pool;
    m->name = dd_pool_strdup(pool, name);
    m->doc = "";
    m->source = "";
    m->names = dd_names_new(pool);
    m->dag = dd_dag_new(pool, 0);
    m->forms = dd_forms_new(pool, m->names);
    m->array_by_name = dd_map_new(pool);
    return m;
}

static dd_variable default_variable(uint32_t array, uint32_t element, dd_var_kind kind)
{
    return (dd_variable){.array = array,
                         .element = element,
                         .kind = kind,
                         .select = DD_SELECT_DEFAULT,
                         .min_value = -INFINITY,
                         .max_value = INFINITY,
                         .nominal_value = 1.0};
}

static uint64_t checked_size(dd_model *m, const char *name, const uint32_t *dims, uint8_t ndim)
{
    /* a product with saturation: dims may be any numbers, the size must not wrap around */
    uint64_t size = 1;
    bool empty = false;
    for (uint8_t i = 0; i < ndim; i++) {
        empty = empty || dims[i] == 0;
        size *= dims[i] > 0 ? dims[i] : 1;
        size = size > max_variables ? max_variables + 1 : size; /* saturates: no overflow */
    }
    size = empty ? 0 : size;
    if (size + m->vars.len > max_variables) {
        dd_raise(m->ctx, DD_LIMIT, "%s exceeds the limit of %llu scalar variables", name,
                 (unsigned long long)max_variables);
    }
    return size;
}

uint32_t dd_model_add_array(dd_model *m, const char *name, const uint32_t *dims, uint8_t ndim, dd_var_kind kind,
                            dd_base_type type, dd_span span)
{
    /* the record of the array: texts are "" rather than NULL, so printing needs no case */
    assert(ndim <= DD_MAX_DIMS);
    uint64_t size = checked_size(m, name, dims, ndim);
    dd_array a = {.name = dd_pool_strdup(m->pool, name),
                  .ndim = ndim,
                  .size = (uint32_t)size,
                  .first = m->vars.len,
                  .kind = kind,
                  .type = type,
                  .span = span,
                  .doc = "",
                  .unit = "",
                  .display_unit = "",
                  .quantity = ""};
    if (ndim > 0) {
        memcpy(a.dims, dims, ndim * sizeof *dims);
    }
    /* the symbol its forms refer to; the printer asks whether it depends on time */
    bool varies = kind == DD_KIND_VARIABLE || kind == DD_KIND_INPUT;
    a.symbol = dd_forms_add_symbol(m->forms, (dd_form_symbol){.name = a.name, .ndim = ndim, .varies = varies});
    uint32_t index = m->arrays.len;
    dd_vec_push(m->pool, &m->arrays, a);
    while (m->symbol_arrays.len < a.symbol) { /* families such as arm.th have symbols without an array */
        dd_vec_push(m->pool, &m->symbol_arrays, 0);
    }
    dd_vec_push(m->pool, &m->symbol_arrays, index + 1);
    /* the scalars follow each other, so that element e is variable first + e */
    dd_vec_reserve(m->pool, &m->vars, m->vars.len + size);
    for (uint32_t e = 0; e < a.size; e++) {
        dd_vec_push(m->pool, &m->vars, default_variable(index, e, kind));
    }
    /* the first array of a name is the one found by it */
    uint32_t id = dd_names_intern(m->names, name, strlen(name));
    if (dd_map_get(&m->array_by_name, id) == 0) {
        dd_map_put(&m->array_by_name, id, index + 1);
    }
    return index;
}

#define COPY_LIST(pool, to, from)                                                                                      \
    do {                                                                                                               \
        (to)->data = NULL;                                                                                             \
        (to)->len = (to)->cap = 0;                                                                                     \
        if ((from)->len > 0) {                                                                                         \
            dd_vec_reserve((pool), (to), (from)->len);                                                                 \
            memcpy((to)->data, (from)->data, (from)->len * sizeof *(from)->data);                                      \
            (to)->len = (from)->len;                                                                                   \
        }                                                                                                              \
    } while (0)

dd_model *dd_model_copy(const dd_model *m, dd_pool *pool)
{
    /* a shallow copy, then separate lists where the copy may grow; dag and forms only grow and are shared */
    dd_model *c = dd_pool_alloc(pool, sizeof *c);
    *c = *m;
    c->pool = pool;
    COPY_LIST(pool, &c->arrays, &m->arrays);
    COPY_LIST(pool, &c->vars, &m->vars);
    COPY_LIST(pool, &c->groups, &m->groups);
    COPY_LIST(pool, &c->rows, &m->rows);
    COPY_LIST(pool, &c->initial_groups, &m->initial_groups);
    COPY_LIST(pool, &c->initial_rows, &m->initial_rows);
    COPY_LIST(pool, &c->symbol_arrays, &m->symbol_arrays);
    COPY_LIST(pool, &c->lagrange, &m->lagrange);
    c->array_by_name = dd_map_new(pool);
    for (uint32_t i = 0; i < m->arrays.len; i++) { /* the first of a name wins, as in dd_model_add_array */
        uint32_t id = dd_names_intern(m->names, m->arrays.data[i].name, strlen(m->arrays.data[i].name));
        if (dd_map_get(&c->array_by_name, id) == 0) {
            dd_map_put(&c->array_by_name, id, i + 1);
        }
    }
    return c;
}

uint32_t dd_model_find_array(const dd_model *m, const char *name)
{
    uint32_t id = dd_names_find(m->names, name, strlen(name));
    uint32_t entry = id ? dd_map_get(&m->array_by_name, id) : 0;
    return entry ? entry - 1 : DD_NO_INDEX;
}

uint32_t dd_model_array_of(const dd_model *m, uint32_t symbol)
{
    return symbol < m->symbol_arrays.len ? m->symbol_arrays.data[symbol] - 1 : DD_NO_INDEX;
}

dd_expr dd_model_symbol(dd_model *m, uint32_t var)
{
    dd_var_kind kind = m->vars.data[var].kind;
    /* what does not change during a run is PARAM, and drops out of time derivatives */
    bool constant = kind == DD_KIND_PARAMETER || kind == DD_KIND_CONSTANT || kind == DD_KIND_POINT;
    return constant ? dd_param(m->dag, var) : dd_var(m->dag, var, 0);
}

dd_expr_vec dd_model_asked(const dd_model *m, dd_pool *pool)
{
    const dd_optimization *opt = m->optimization;
    dd_expr_vec all = {0};
    if (opt != NULL) {
        const dd_expr cost[] = {opt->objective, opt->integrand};
        for (int i = 0; i < 2; i++) {
            if (cost[i] != DD_EXPR_NONE) {
                dd_vec_push(pool, &all, cost[i]);
            }
        }
        for (uint32_t i = 0; i < opt->constraints.len; i++) {
            dd_vec_push(pool, &all, opt->constraints.data[i].lhs);
            dd_vec_push(pool, &all, opt->constraints.data[i].rhs);
        }
        for (uint32_t i = 0; i < m->initial_rows.len; i++) {
            dd_vec_push(pool, &all, m->initial_rows.data[i].residual);
        }
    }
    return all;
}

static uint32_t add_group(dd_model *m, dd_group_vec *groups, dd_row_vec *rows, dd_group group, const dd_expr *residuals,
                          uint32_t count)
{
    uint32_t index = groups->len;
    /* the rows of a group are contiguous: first and count describe them */
    group.first = rows->len;
    group.count = count;
    if (!group.doc) {
        group.doc = "";
    }
    dd_vec_push(m->pool, groups, group);
    for (uint32_t i = 0; i < count; i++) {
        dd_vec_push(m->pool, rows, ((dd_row){.residual = residuals[i], .group = index}));
    }
    return index;
}

uint32_t dd_model_add_group(dd_model *m, dd_group group, const dd_expr *residuals, uint32_t count)
{
    return add_group(m, &m->groups, &m->rows, group, residuals, count);
}

uint32_t dd_model_add_initial_group(dd_model *m, dd_group group, const dd_expr *residuals, uint32_t count)
{
    return add_group(m, &m->initial_groups, &m->initial_rows, group, residuals, count);
}
