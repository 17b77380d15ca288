/* start_words.c - messages and reasons of a start, in the user's words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "init/start_impl.h"

enum { MAX_WORDS = 4096 };

void dd_start_say(start_work *w, const char *format, ...)
{
    char buffer[MAX_WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    dd_vec_push(w->pool, &w->out->messages, (const char *)dd_pool_strdup(w->pool, buffer));
}

bool dd_start_refuse(start_work *w, const char *format, ...)
{
    char buffer[MAX_WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(buffer, sizeof buffer, format, args);
    va_end(args);
    w->out->ok = false;
    w->out->reason = dd_pool_strdup(w->pool, buffer);
    return false;
}

const char *dd_start_number(start_work *w, double v)
{
    char digits[32], shortest[32];
    /* six digits, then the shortest text that reads back as that number */
    dd_snprintf(digits, sizeof digits, "%.6g", v);
    const char *end;
    double rounded = dd_number_parse(digits, &end);
    return dd_pool_strdup(w->scratch, dd_number_text(isfinite(v) ? rounded : v, shortest));
}

const char *dd_start_names(start_work *w, const uint32_t *cols, uint32_t count, uint32_t most)
{
    dd_text text = dd_text_new(w->scratch);
    for (uint32_t i = 0; i < count && i < most; i++) {
        dd_text_printf(&text, "%s%s", i > 0 ? ", " : "", dd_system_column_name(w->s, cols[i], w->scratch));
    }
    if (count > most) {
        dd_text_printf(&text, " and %u more", count - most);
    }
    return dd_text_str(&text);
}

const char *dd_start_row_words(start_work *w, uint32_t row, uint32_t order)
{
    if (row >= w->rows.n) {
        /* conditions list fixed values first, then the initial equations */
        uint32_t at = w->conditions.len - w->s->model->initial_rows.len + (row - w->rows.n);
        return dd_pool_printf(w->scratch, "the initial equation `%s`", w->conditions.data[at].text);
    }
    const char *words = dd_system_row_words(w->s, &w->rows.eqs.data[row], w->scratch);
    if (order == 0) {
        return words;
    }
    return order == 1 ? dd_pool_printf(w->scratch, "the derivative of %s", words)
                      : dd_pool_printf(w->scratch, "derivative %u of %s", order, words);
}

const char *dd_start_unknown_name(start_work *w, uint32_t col, uint32_t order)
{
    const char *name = dd_system_column_name(w->s, col, w->scratch);
    if (order == 0) {
        return name;
    }
    return order == 1 ? dd_pool_printf(w->scratch, "der(%s)", name)
                      : dd_pool_printf(w->scratch, "derivative %u of %s", order, name);
}

const char *dd_start_unknown_text(start_work *w, uint32_t col, uint32_t order, double value)
{
    return dd_pool_printf(w->scratch, "%s = %s", dd_start_unknown_name(w, col, order), dd_start_number(w, value));
}
