/* grid.c - tables of numbers and words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_impl.h"

dd_grid dd_grid_new(dd_pool *pool, const dd_grid_column *columns, uint32_t n)
{
    return (dd_grid){.pool = pool, .columns = columns, .n_columns = n};
}

void dd_grid_word(dd_grid *g, const char *word)
{
    dd_vec_push(g->pool, &g->cells, (dd_cell){word, NAN});
}

void dd_grid_number(dd_grid *g, double number)
{
    dd_vec_push(g->pool, &g->cells, (dd_cell){NULL, number});
}

uint32_t dd_grid_rows(const dd_grid *g)
{
    return g->n_columns > 0 ? g->cells.len / g->n_columns : 0;
}

const dd_cell *dd_grid_at(const dd_grid *g, uint32_t row, uint32_t column)
{
    return &g->cells.data[row * g->n_columns + column];
}

const char *dd_cell_text(const dd_cell *cell, const dd_grid_column *column, char buffer[40])
{
    if (cell->word) {
        return cell->word;
    }
    if (isnan(cell->number)) {
        return "-";
    }
    dd_snprintf(buffer, 40, column->digits < 0 ? "%.*f" : "%.*g", abs(column->digits), cell->number);
    if (strtod(buffer, NULL) == 0 && buffer[0] == '-') { /* rounded to 0: no sign */
        memmove(buffer, buffer + 1, strlen(buffer));
    }
    return buffer;
}

static bool has_word(const dd_grid *g, uint32_t row, uint32_t column, const char *word)
{
    return column == UINT32_MAX || strcmp(dd_grid_at(g, row, column)->word, word) == 0;
}

uint32_t dd_grid_find(const dd_grid *g, uint32_t column, const char *word, uint32_t other, const char *other_word)
{
    const uint32_t rows = dd_grid_rows(g);
    uint32_t i = 0;
    while (i < rows && !(has_word(g, i, column, word) && has_word(g, i, other, other_word))) {
        i++;
    }
    return i;
}

dd_string_vec dd_grid_words(const dd_grid *g, uint32_t column, uint32_t group_column, const char *group, dd_pool *pool)
{
    dd_string_vec words = {0};
    for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
        const char *word = dd_grid_at(g, i, column)->word;
        bool known = group && !has_word(g, i, group_column, group);
        for (uint32_t k = 0; k < words.len && !known; k++) {
            known = strcmp(words.data[k], word) == 0;
        }
        if (!known) {
            dd_vec_push(pool, &words, word);
        }
    }
    return words;
}

bool dd_grid_is_empty(const dd_grid *g, uint32_t column)
{
    for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
        const dd_cell *cell = dd_grid_at(g, i, column);
        if (cell->word ? cell->word[0] != '\0' : !isnan(cell->number)) {
            return false;
        }
    }
    return true;
}
