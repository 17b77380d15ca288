/* study_text.c - a study for people: its summary, then its points; errors over steps as a table with a column per
 * method. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "study/study_impl.h"

/* ---- grids ---- */

static const char *heading(const dd_grid_column *c)
{
    return c->heading ? c->heading : c->name;
}

/* A cell of the head or of a row, in columns of these widths; 0: the column is left out. */
static void add_cell(dd_text *line, const dd_grid_column *column, const char *text, uint32_t width)
{
    const int pad = (int)(width - dd_utf8_columns(text));
    const bool right = column->digits != 0;
    if (width > 0) {
        dd_text_printf(line, "  %*s", right ? pad : 0, "");
        dd_text_add(line, text);
        dd_text_printf(line, "%*s", right ? 0 : pad, "");
    }
}

/* The line without blanks at its end. */
static void end_line(dd_text *out, dd_text *line)
{
    while (line->len > 0 && line->data[line->len - 1] == ' ') {
        line->data[--line->len] = '\0';
    }
    dd_text_add(out, dd_text_str(line));
    dd_text_add_char(out, '\n');
    dd_text_clear(line);
}

/* The first `count` rows, in columns as wide as their widest cell; empty ones are left out. */
static void add_grid(dd_text *out, const dd_grid *g, uint32_t count)
{
    uint32_t *width = dd_pool_alloc_array(out->pool, g->n_columns + 1, sizeof *width);
    dd_text line = dd_text_new(out->pool);
    char buffer[40];
    for (uint32_t c = 0; c < g->n_columns; c++) {
        width[c] = dd_grid_is_empty(g, c) ? 0 : dd_utf8_columns(heading(&g->columns[c]));
        for (uint32_t i = 0; i < count && width[c] > 0; i++) {
            const uint32_t w = dd_utf8_columns(dd_cell_text(dd_grid_at(g, i, c), &g->columns[c], buffer));
            width[c] = w > width[c] ? w : width[c];
        }
    }
    /* the head, then the rows */
    for (uint32_t c = 0; c < g->n_columns; c++) {
        add_cell(&line, &g->columns[c], heading(&g->columns[c]), width[c]);
    }
    end_line(out, &line);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < g->n_columns; c++) {
            add_cell(&line, &g->columns[c], dd_cell_text(dd_grid_at(g, i, c), &g->columns[c], buffer), width[c]);
        }
        end_line(out, &line);
    }
}

/* ---- errors over steps ---- */

/* Columns of the points of a study of order: both kinds have them in this order. */
enum { METHOD, GROUP, STEP, ERROR, USE = 5 };

/* The rows of one group: a line per step, a column per method. Errors outside of the asymptotic range in brackets. */
static void add_pivot(dd_text *out, const dd_grid *g, const char *group)
{
    const dd_string_vec methods = dd_grid_words(g, METHOD, GROUP, group, out->pool);
    dd_grid_column *columns = dd_pool_alloc_array(out->pool, methods.len + 1, sizeof *columns);
    columns[0] = g->columns[STEP];
    for (uint32_t k = 0; k < methods.len; k++) {
        columns[k + 1] = (dd_grid_column){methods.data[k], NULL, 3};
    }
    dd_grid pivot = dd_grid_new(out->pool, columns, methods.len + 1);
    uint32_t steps = 0; /* of the first method: the others have the same */
    for (uint32_t i = 0; i < dd_grid_rows(g); i++) {
        const bool first = strcmp(dd_grid_at(g, i, METHOD)->word, methods.data[0]) == 0;
        steps += first && strcmp(dd_grid_at(g, i, GROUP)->word, group) == 0;
    }
    for (uint32_t n = 0; n < steps; n++) {
        for (uint32_t k = 0; k < methods.len; k++) {
            const uint32_t row = dd_grid_find(g, METHOD, methods.data[k], GROUP, group) + n;
            const char *use = dd_grid_at(g, row, USE)->word;
            char buffer[40];
            if (k == 0) {
                dd_grid_number(&pivot, dd_grid_at(g, row, STEP)->number);
            }
            const char *text = dd_cell_text(dd_grid_at(g, row, ERROR), &columns[k + 1], buffer);
            dd_grid_word(&pivot, *use == '\0' || strcmp(use, "failed") == 0 ? dd_pool_printf(out->pool, "%s ", text)
                                                                            : dd_pool_printf(out->pool, "(%s)", text));
        }
    }
    dd_text_printf(out, "\n  error, %s\n", group);
    add_grid(out, &pivot, dd_grid_rows(&pivot));
}

static void add_pivots(dd_text *out, const dd_study *study)
{
    const dd_string_vec groups = dd_grid_words(&study->points, GROUP, UINT32_MAX, NULL, out->pool);
    bool brackets = false;
    for (uint32_t k = 0; k < groups.len; k++) {
        add_pivot(out, &study->points, groups.data[k]);
    }
    for (uint32_t i = 0; i < dd_grid_rows(&study->points); i++) {
        const char *use = dd_grid_at(&study->points, i, USE)->word;
        brackets = brackets || strcmp(use, "coarse") == 0 || strcmp(use, "rounding") == 0;
    }
    if (brackets) {
        dd_text_add(out, "  (in brackets: not in the range that the order was taken from)\n");
    }
}

/* Why runs failed, each reason once with the first method that has it. */
static void add_reasons(dd_text *out, const dd_grid *g)
{
    uint32_t note = UINT32_MAX;
    for (uint32_t c = 0; c < g->n_columns; c++) {
        note = strcmp(g->columns[c].name, "note") == 0 ? c : note;
    }
    dd_string_vec reasons = {0};
    if (note != UINT32_MAX) {
        reasons = dd_grid_words(g, note, UINT32_MAX, NULL, out->pool);
    }
    for (uint32_t k = 0; k < reasons.len; k++) {
        if (*reasons.data[k] != '\0') {
            const uint32_t row = dd_grid_find(g, note, reasons.data[k], UINT32_MAX, NULL);
            const char *method = dd_grid_at(g, row, METHOD)->word;
            const bool named = strncmp(reasons.data[k], method, strlen(method)) == 0;
            dd_text_printf(out, "  %s%s%s\n", named ? "" : method, named ? "" : ": ", reasons.data[k]);
        }
    }
}

void dd_study_write_text(dd_study *study, dd_text *out, bool colour)
{
    enum { MOST_ROWS = 30 }; /* of points beside a summary: files have them all */
    const uint32_t rows = dd_grid_rows(&study->points), summary = dd_grid_rows(&study->summary);
    dd_text_printf(out, "%s%s%s: %s\n", colour ? "\033[1m" : "", dd_study_subject(study), colour ? "\033[0m" : "",
                   study->headline);
    if (study->info.status != DD_STUDY_OK) {
        dd_text_printf(out, "  %s: %s\n", dd_study_status_name(study->info.status), study->info.reason);
    }
    if (summary > 0) {
        dd_text_add_char(out, '\n');
        add_grid(out, &study->summary, summary);
    }
    /* errors over steps in short, other points as they are, unless they are a trajectory */
    if (study->options.kind == DD_STUDY_ORDER && rows > 0) {
        add_pivots(out, study);
        add_reasons(out, &study->points);
    } else if (rows > 0 && (summary == 0 || rows <= MOST_ROWS)) {
        dd_text_add_char(out, '\n');
        add_grid(out, &study->points, rows);
    }
    for (uint32_t i = 0; i < study->notes.len; i++) {
        dd_text_printf(out, "  %s\n", study->notes.data[i]);
    }
    for (size_t i = 0; i < sizeof study->files / sizeof *study->files; i++) {
        if (study->files[i]) {
            dd_text_printf(out, "  written: %s\n", study->files[i]);
        }
    }
}
