/* names.c - columns, rows and warnings in the user's words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "structure/substitute.h"

const char *dd_system_column_name(const dd_system *s, uint32_t col, dd_pool *pool)
{
    return dd_model_var_name_dup(s->model, s->unknown[col], pool);
}

/* The length of a name without its last part, 0 when it has one part only; points in quoted names do not count. */
static size_t length_of_owner(const char *name, size_t length)
{
    size_t end = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        quoted = quoted != (name[i] == '\'');
        end = name[i] == '.' && !quoted ? i : end;
    }
    return end;
}

const char *dd_system_part_of(const dd_system *s, const dd_eq *eq, dd_pool *pool)
{
    const dd_model *m = s->model;
    dd_expr_vec symbols = {0};
    dd_symbols_of_all(m->dag, &m->rows.data[eq->row].residual, 1, false, &symbols, pool);
    const char *first = NULL;
    size_t length = 0;
    /* what the names of its variables have in common, in whole parts; of a connection the first connector */
    const bool connection = m->groups.data[m->rows.data[eq->row].group].origin == DD_ORIGIN_CONNECTION;
    for (uint32_t i = 0; i < symbols.len && !(connection && first); i++) {
        if (dd_op_of(m->dag, symbols.data[i]) != DD_OP_VAR) {
            continue;
        }
        const char *name = dd_model_var_name_dup(m, dd_symbol_id(m->dag, symbols.data[i]), pool);
        if (first == NULL) {
            first = name;
            length = length_of_owner(name, strlen(name));
        }
        while (length > 0 && (strncmp(first, name, length) != 0 || name[length] != '.')) {
            length = length_of_owner(first, length);
        }
    }
    return dd_pool_printf(pool, "%.*s", (int)length, first ? first : "");
}

const char *dd_system_unconnected(const dd_system *s, const dd_eq *eq, dd_pool *pool)
{
    const dd_model *m = s->model;
    const dd_row *row = &m->rows.data[eq->row];
    if (m->groups.data[row->group].origin != DD_ORIGIN_CONNECTION || eq->converted ||
        dd_op_of(m->dag, row->residual) != DD_OP_VAR) {
        return NULL;
    }
    /* the flow's name without its last part */
    const char *flow = dd_model_var_name_dup(m, dd_symbol_id(m->dag, row->residual), pool);
    const size_t length = length_of_owner(flow, strlen(flow));
    return length > 0 ? dd_pool_printf(pool, "%.*s", (int)length, flow) : flow;
}

const char *dd_system_row_words(const dd_system *s, const dd_eq *eq, dd_pool *pool)
{
    const dd_model *m = s->model;
    const dd_group *g = &m->groups.data[m->rows.data[eq->row].group];
    dd_text text = dd_text_new(pool);
    dd_text_add_char(&text, '`');
    /* a combination as it is, a declaration with its name, else the row as written */
    if (eq->converted && !eq->definition) {
        dd_model_print_residual(m, dd_system_without_auxiliaries(s, eq->residual), &text);
    } else if (g->origin == DD_ORIGIN_BINDING && g->lhs != DD_FORM_NONE) {
        dd_model_print_group(m, g, &text);
    } else {
        dd_model_print_row(m, eq->row, &text);
    }
    dd_text_add_char(&text, '`');
    const char *place = eq->from ? eq->from : dd_model_place(m, g->span, pool);
    const char *alone = dd_system_unconnected(s, eq, pool);
    if (alone) { /* the place is where the connector is declared, which says nothing about its use */
        dd_text_printf(&text, " (nothing is connected to %s)", alone);
    } else if (g->doc[0] && g->lhs == DD_FORM_NONE) {
        dd_text_printf(&text, " (%s%s%s)", g->doc, place[0] ? ", " : "", place);
    } else if (place[0]) {
        dd_text_printf(&text, " (%s)", place);
    }
    return dd_text_str(&text);
}

void dd_system_must(const dd_system *s, dd_status status, const char *what)
{
    if (status == DD_INVALID_ARGUMENT) { /* what the kernels refuse here are the model's own numbers */
        dd_raise(s->ctx, DD_INVALID_MODEL,
                 "%s: some numbers are too large or too small to compute with; check start and nominal values", what);
    }
    if (status != DD_OK) {
        dd_raise(s->ctx, status, "%s: %s", what, dd_status_text(status));
    }
}

void dd_system_warn(dd_system *s, const char *format, ...)
{
    char buffer[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    for (uint32_t i = 0; i < s->warnings.len; i++) {
        if (strcmp(s->warnings.data[i], buffer) == 0) {
            return;
        }
    }
    dd_vec_push(s->pool, &s->warnings, (const char *)dd_pool_strdup(s->pool, buffer));
}
