/* naming.c - the names of variables and equations in every message and report. */
#include <string.h>

#include "model/model.h"

/* Subscripts of element e of an array, from 1: [2] or [1,3]. */
static void add_subscripts(const dd_array *a, uint32_t e, dd_text *out)
{
    /* row-major: the last subscript varies fastest */
    uint32_t stride = a->size;
    for (uint8_t d = 0; d < a->ndim; d++) {
        stride /= a->dims[d];
        dd_text_add_char(out, d == 0 ? '[' : ',');
        dd_text_add_uint(out, e / stride + 1);
        e %= stride;
    }
    if (a->ndim > 0) {
        dd_text_add_char(out, ']');
    }
}

/* Names of introduced velocities: der( as often as needed around the declared name. */
static void add_times(dd_text *out, const char *piece, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        dd_text_add(out, piece);
    }
}

void dd_model_var_name(const dd_model *m, uint32_t var, dd_text *out)
{
    const dd_variable *v = &m->vars.data[var];
    const dd_array *a = &m->arrays.data[v->array];
    /* an introduced velocity has no name: go down to what was declared and count the derivatives */
    uint32_t order = 0;
    for (; a->introduced; order++) {
        v = &m->vars.data[a->derivative_of + v->element];
        a = &m->arrays.data[v->array];
    }
    add_times(out, "der(", order);
    dd_text_add(out, a->name);
    add_subscripts(a, v->element, out);
    add_times(out, ")", order);
}

const char *dd_model_var_name_dup(const dd_model *m, uint32_t var, dd_pool *pool)
{
    dd_text text = dd_text_new(pool);
    dd_model_var_name(m, var, &text);
    return dd_text_str(&text);
}

static void namer_name(void *user, bool is_param, uint32_t id, dd_text *out)
{
    const dd_model *m = user;
    if (!is_param && id >= m->vars.len) { /* a number that the run sets (dynamics/switches.h) */
        dd_text_add(out, "...");
        return;
    }
    dd_model_var_name(m, id, out);
}

static bool namer_element(void *user, bool is_param, uint32_t id, uint32_t *array, uint32_t *index, uint32_t *size)
{
    const dd_model *m = user;
    if (!is_param && id >= m->vars.len) {
        return false;
    }
    const dd_variable *v = &m->vars.data[id];
    const dd_array *a = &m->arrays.data[v->array];
    /* vectors only: sums over them are printed as products of arrays */
    if (a->ndim != 1) {
        return false;
    }
    *array = v->array;
    *index = v->element;
    *size = a->size;
    return true;
}

static void namer_array_name(void *user, bool is_param, uint32_t array, dd_text *out)
{
    (void)is_param;
    const dd_model *m = user;
    const dd_array *a = &m->arrays.data[array];
    /* as in dd_model_var_name, for the whole array */
    uint32_t order = 0;
    for (; a->introduced; order++) {
        a = &m->arrays.data[m->vars.data[a->derivative_of].array];
    }
    add_times(out, "der(", order);
    dd_text_add(out, a->name);
    add_times(out, ")", order);
}

dd_namer dd_model_namer(const dd_model *m)
{
    return (dd_namer){
        .user = (void *)(uintptr_t)m, .name = namer_name, .element = namer_element, .array_name = namer_array_name};
}

/* The derivative that a row may define, for printing it as der(x) = ...: the only one in it. */
static dd_expr leading_symbol(const dd_model *m, dd_expr residual, dd_pool *scratch)
{
    dd_expr_vec symbols = {0};
    dd_symbols(m->dag, residual, false, &symbols, scratch);
    /* one derivative in the row: it can be written der(x) = ...; with several, none is preferred */
    dd_expr best = DD_EXPR_NONE;
    uint32_t derivatives = 0;
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_symbol_order(m->dag, symbols.data[i]) > 0) {
            best = symbols.data[i];
            derivatives++;
        }
    }
    return derivatives == 1 ? best : DD_EXPR_NONE;
}

void dd_model_print_residual(const dd_model *m, dd_expr residual, dd_text *out)
{
    dd_namer namer = dd_model_namer(m);
    if (dd_op_of(m->dag, residual) == DD_OP_IF) { /* an equation that begins with `if` is another thing */
        dd_text_add_char(out, '(');
        dd_print(m->dag, residual, &namer, out);
        dd_text_add(out, ") = 0");
        return;
    }
    dd_pool *scratch = dd_pool_child(out->pool);
    dd_expr symbol = leading_symbol(m, residual, scratch);
    dd_print_equation(m->dag, residual, symbol, &namer, out);
    dd_pool_free(scratch);
}

void dd_model_print_row(const dd_model *m, uint32_t row, dd_text *out)
{
    const dd_row *r = &m->rows.data[row];
    const dd_group *g = &m->groups.data[r->group];
    /* rows of an array equation have no form each: they are printed from their residuals */
    if (g->lhs != DD_FORM_NONE && g->count == 1) {
        dd_model_print_group(m, g, out);
    } else {
        dd_model_print_residual(m, r->residual, out);
    }
}

/* The list of rows that `first` and `count` of a group refer to. */
static const dd_row *rows_of(const dd_model *m, const dd_group *g)
{
    bool initial =
        m->initial_groups.len > 0 && g >= m->initial_groups.data && g < m->initial_groups.data + m->initial_groups.len;
    return initial ? m->initial_rows.data : m->rows.data;
}

void dd_model_print_left(const dd_model *m, dd_form lhs, const dd_form_env *env, dd_text *out)
{
    /* "if a then b else c = d" would be read as an if equation */
    bool wrap = dd_form_get(m->forms, lhs)->op == DD_FORM_IF;
    dd_text_add(out, wrap ? "(" : "");
    dd_form_print(m->forms, lhs, env, out);
    dd_text_add(out, wrap ? ")" : "");
}

void dd_model_print_group(const dd_model *m, const dd_group *g, dd_text *out)
{
    if (g->lhs != DD_FORM_NONE) {
        dd_model_print_left(m, g->lhs, g->env, out);
        dd_text_add(out, " = ");
        dd_form_print(m->forms, g->rhs, g->env, out);
        return;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        if (i > 0) {
            dd_text_add(out, "; ");
        }
        dd_model_print_residual(m, rows_of(m, g)[g->first + i].residual, out);
    }
}

const char *dd_model_place(const dd_model *m, dd_span span, dd_pool *pool)
{
    if (span.file == 0) {
        return m->source;
    }
    return dd_pool_printf(pool, "%s:%u", dd_source_name(m->ctx, span.file), dd_span_line(m->ctx, span));
}
