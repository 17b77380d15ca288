/* groups.c - variables that the theory treats alike. Of equations of index 1 these are the differential and the
 * algebraic ones. Of equations of higher index as written, the order also depends on how often a variable is
 * differentiated by the reduction: twice (positions of mechanics), once (velocities), not at all (multipliers). */
#include <string.h>

#include "study/study_impl.h"

static const char *level_name(const dd_study *study, uint32_t level, uint32_t highest)
{
    if (level == 0) {
        return "algebraic";
    }
    if (highest == 1) {
        return "differential";
    }
    return level == 1 ? "velocity" : level == 2 ? "position" : dd_pool_printf(study->pool, "level %u", level);
}

/* times that the reduction differentiates this variable; where only the kind matters: 1 or 0 */
static uint32_t level_of(const dd_system *s, uint32_t column, bool original)
{
    const uint32_t most = DD_MOST_GROUPS - 1;
    if (!original || !s->off.d) {
        return s->differentiated[column] ? 1 : 0;
    }
    return s->off.d[column] < most ? s->off.d[column] : most;
}

/* Is the column, or the array it belongs to, in the list? */
static bool is_listed(const dd_string_vec *list, const char *name, bool *found)
{
    bool listed = list->len == 0;
    for (uint32_t i = 0; i < list->len; i++) {
        const size_t length = strlen(list->data[i]);
        const bool same = strncmp(name, list->data[i], length) == 0 && (name[length] == '\0' || name[length] == '[');
        found[i] = found[i] || same;
        listed = listed || same;
    }
    return listed;
}

dd_groups dd_study_groups(const dd_study *study, bool original)
{
    const dd_system *s = study->system;
    dd_pool *pool = study->pool;
    dd_groups g = {.of = dd_pool_alloc_array(pool, s->declared + 1, sizeof *g.of)};
    dd_string_vec list = {0};
    if (study->options.variables) {
        list = dd_study_names(pool, dd_option_word(study->ctx, "--variables"), study->options.variables);
    }
    bool *found = dd_pool_alloc_array(pool, list.len + 1, sizeof *found);
    bool present[DD_MOST_GROUPS] = {false};
    /* the level of every variable that is compared */
    for (uint32_t c = 0; c < s->declared; c++) {
        const bool listed = is_listed(&list, dd_system_column_name(s, c, pool), found);
        g.of[c] = listed ? level_of(s, c, original) : UINT32_MAX;
        if (listed) {
            present[g.of[c]] = true;
        }
    }
    for (uint32_t i = 0; i < list.len; i++) {
        if (!found[i]) {
            dd_raise(study->ctx, DD_INVALID_ARGUMENT, "option %s: %s has no variable \"%s\"",
                     dd_option_word(study->ctx, "--variables"), s->model->name, list.data[i]);
        }
    }
    /* a group per level that occurs, the highest first */
    uint32_t highest = 0, group_of[DD_MOST_GROUPS] = {0};
    for (uint32_t level = DD_MOST_GROUPS; level-- > 0;) {
        if (present[level]) {
            highest = level > highest ? level : highest;
            group_of[level] = g.count;
            g.level[g.count] = level;
            g.name[g.count++] = level_name(study, level, highest);
        }
    }
    for (uint32_t c = 0; c < s->declared; c++) {
        g.of[c] = g.of[c] == UINT32_MAX ? UINT32_MAX : group_of[g.of[c]];
    }
    return g;
}
