/* names.c - columns, rows and warnings in the user's words. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "structure/substitute.h"

const char *dd_system_column_name(const dd_system *s, uint32_t col, dd_pool *pool)
{
    return dd_model_var_name_dup(s->model, s->unknown[col], pool);
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
    if (g->doc[0] && g->lhs == DD_FORM_NONE) {
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
