/* lists.c - the lists of a study from their texts: names with commas, progressions "first:factor:count". */
#include <math.h>
#include <string.h>

#include "study/study_impl.h"

enum { MOST_ITEMS = 1000 };

/* [from, to) without blanks around it. */
static char *trimmed(dd_pool *pool, const char *from, const char *to)
{
    while (from < to && *from == ' ') {
        from++;
    }
    while (to > from && to[-1] == ' ') {
        to--;
    }
    return dd_pool_strndup(pool, from, (size_t)(to - from));
}

dd_string_vec dd_study_names(dd_pool *pool, const char *option, const char *text)
{
    dd_context *ctx = dd_pool_context(pool);
    dd_string_vec names = {0};
    int depth = 0;
    const char *begin = text;
    for (const char *at = text;; at++) {
        depth += (*at == '[') - (*at == ']');
        /* a comma inside brackets belongs to the name: p[1,2] */
        if (*at != '\0' && (*at != ',' || depth > 0)) {
            continue;
        }
        const char *name = trimmed(pool, begin, at);
        if (*name == '\0' || names.len == MOST_ITEMS) {
            dd_raise(ctx, DD_INVALID_ARGUMENT,
                     "option %s: expected at most %d names with commas between them, not \"%s\"", option, MOST_ITEMS,
                     text);
        }
        dd_vec_push(pool, &names, name);
        begin = at + 1;
        if (*at == '\0') {
            return names;
        }
    }
}

_Noreturn static void refuse(dd_pool *pool, const char *option, const char *text, bool whole)
{
    dd_raise(dd_pool_context(pool), DD_INVALID_ARGUMENT,
             "option %s: expected positive%s numbers with commas, or FIRST:FACTOR:COUNT, not \"%s\"", option,
             whole ? " whole" : "", text);
}

/* a number that ends with this character */
static bool read_number(const char **at, char end, double *value)
{
    const char *behind;
    *value = dd_number_parse(*at, &behind);
    const bool ok = behind != *at && *behind == end && isfinite(*value) && *value > 0;
    *at = behind + 1;
    return ok;
}

static dd_number_vec read_progression(dd_pool *pool, const char *option, const char *text, bool whole)
{
    double first, factor, count;
    const char *at = text;
    dd_number_vec list = {0};
    if (!read_number(&at, ':', &first) || !read_number(&at, ':', &factor) || !read_number(&at, '\0', &count) ||
        count != floor(count) || count > MOST_ITEMS || factor == 1) {
        refuse(pool, option, text, whole);
    }
    /* powers, not repeated products: 0.1*0.5^k is rounded once */
    for (uint32_t k = 0; k < (uint32_t)count; k++) {
        const double value = first * pow(factor, k);
        dd_vec_push(pool, &list, whole ? fmax(round(value), 1) : value);
    }
    return list;
}

dd_number_vec dd_study_numbers(dd_pool *pool, const char *option, const char *text, bool whole)
{
    if (strchr(text, ':')) {
        return read_progression(pool, option, text, whole);
    }
    dd_number_vec list = {0};
    const dd_string_vec words = dd_study_names(pool, option, text);
    /* one by one: a list has no rule to round by */
    for (uint32_t i = 0; i < words.len; i++) {
        const char *at = words.data[i];
        double value;
        if (!read_number(&at, '\0', &value) || (whole && value != floor(value))) {
            refuse(pool, option, text, whole);
        }
        dd_vec_push(pool, &list, value);
    }
    return list;
}
