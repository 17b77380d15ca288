/* names.c - lists in settings, split at commas outside of brackets. */
#include "control/names.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/context.h"

/* The next entry without blanks around it, in the pool; NULL at the end. */
static char *next_entry(const char **list, dd_pool *pool)
{
    const char *begin = *list;
    int depth = 0;
    if (begin == NULL || *begin == '\0') {
        return NULL;
    }
    const char *end = begin;
    for (; *end != '\0' && (depth > 0 || *end != ','); end++) {
        depth += *end == '[' || *end == '(' ? 1 : *end == ']' || *end == ')' ? -1 : 0;
    }
    *list = *end == ',' ? end + 1 : end;
    while (begin < end && isspace((unsigned char)*begin)) {
        begin++;
    }
    while (end > begin && isspace((unsigned char)end[-1])) {
        end--;
    }
    return dd_pool_strndup(pool, begin, (size_t)(end - begin));
}

static double read_number(dd_context *ctx, const char *text, const char *what)
{
    const char *end;
    while (isspace((unsigned char)*text)) {
        text++;
    }
    const double value = dd_number_parse(text, &end);
    while (isspace((unsigned char)*end)) {
        end++;
    }
    if (end == text || *end != '\0' || !isfinite(value)) {
        dd_raise(ctx, DD_INVALID_ARGUMENT, "%s: \"%s\" is not a number", what, text);
    }
    return value;
}

dd_named_vec dd_read_names(const dd_system *s, const char *list, const char *what, dd_pool *pool)
{
    dd_named_vec found = {0};
    const dd_model *m = s->model;
    uint32_t entry = 0;
    for (char *name = next_entry(&list, pool); name != NULL; name = next_entry(&list, pool), entry++) {
        double number = NAN;
        char *colon = strrchr(name, ':');
        if (colon != NULL) {
            number = read_number(s->ctx, colon + 1, what);
            *colon = '\0';
            while (colon > name && isspace((unsigned char)colon[-1])) {
                *--colon = '\0';
            }
        }
        /* an array for all its elements, else one scalar */
        const uint32_t array = dd_model_find_array(m, name);
        if (array != DD_NO_INDEX && m->arrays.data[array].size != 1) {
            for (uint32_t i = 0; i < m->arrays.data[array].size; i++) {
                dd_vec_push(pool, &found, (dd_named){m->arrays.data[array].first + i, entry, number});
            }
            continue;
        }
        dd_vec_push(pool, &found, (dd_named){dd_system_need(s, name, what, pool), entry, number});
    }
    return found;
}

dd_number_vec dd_read_numbers(dd_context *ctx, const char *list, const char *what, dd_pool *pool)
{
    dd_number_vec found = {0};
    for (const char *text = next_entry(&list, pool); text != NULL; text = next_entry(&list, pool)) {
        dd_vec_push(pool, &found, read_number(ctx, text, what));
    }
    return found;
}

uint32_t dd_place_in_sim(const dd_system *s, const char *name, dd_pool *pool)
{
    const uint32_t var = dd_system_find(s, name, pool);
    const uint32_t column = var != DD_NO_INDEX ? s->column[var] : DD_NO_INDEX;
    return column < s->declared ? column : s->declared;
}
