/* study_page.c - the page of a study: summary, plots, points. */
#include "base/context.h"
#include "report/page.h"
#include "report/written.h"
#include "study/study_impl.h"

/* A grid as a table of texts; without rows: nothing. */
static void add_table(dd_page_writer *w, const char *title, const dd_grid *g, dd_pool *pool)
{
    enum { MOST_ROWS = 200 }; /* more are read in a file: these are five pages of paper */
    const uint32_t rows = dd_grid_rows(g), least = rows / MOST_ROWS + (rows % MOST_ROWS > 0);
    const uint32_t every = least + (least > 0 && least % 2 == 0); /* odd: local and global errors take turns */
    const uint32_t shown = every > 0 ? (rows - 1) / every + 1 : 0;
    if (rows == 0) {
        return;
    }
    dd_page_section(w, title);
    const char **headings = dd_pool_alloc_array(pool, g->n_columns + 1, sizeof *headings);
    uint32_t *kept = dd_pool_alloc_array(pool, g->n_columns + 1, sizeof *kept), n = 0, words = 0;
    for (uint32_t c = 0; c < g->n_columns; c++) {
        if (!dd_grid_is_empty(g, c)) {
            words += words == n && g->columns[c].digits == 0;
            headings[n] = g->columns[c].heading ? g->columns[c].heading : g->columns[c].name;
            kept[n++] = c;
        }
    }
    /* each cell as people read it */
    const char **cells = dd_pool_alloc_array(pool, (size_t)shown * n + 1, sizeof *cells);
    for (uint32_t i = 0; i < shown; i++) {
        for (uint32_t k = 0; k < n; k++) {
            char buffer[40];
            cells[i * n + k] =
                dd_pool_strdup(pool, dd_cell_text(dd_grid_at(g, i * every, kept[k]), &g->columns[kept[k]], buffer));
        }
    }
    const char *note =
        rows > shown ? dd_pool_printf(pool, "%u of %u rows, evenly spaced; the CSV file has them all", shown, rows)
                     : "";
    dd_page_add_grid(w, &(dd_page_grid){.title = "",
                                        .note = note,
                                        .headings = headings,
                                        .cells = cells,
                                        .n_columns = n,
                                        .n_rows = shown,
                                        .words = words});
}

static void add_figures(dd_page_writer *w, dd_study *study, dd_pool *pool)
{
    for (uint32_t i = 0; i < study->plots.len; i++) {
        dd_page_figure figure = {
            .title = study->plots.data[i].caption, .doc = "", .unit = "", .note = "", .plot = study->plots.data[i]};
        figure.plot.caption = NULL;
        dd_page_add_figure(w, &figure);
    }
    /* regions are a picture of their own kind */
    if (study->options.kind == DD_STUDY_REGIONS) {
        dd_text svg = dd_text_new(pool);
        dd_study_regions_picture(study, "", "", &svg);
        dd_page_add_picture(w, "stability regions", "filled where a step does not amplify", dd_text_str(&svg));
    }
}

static void page_body(void *arg)
{
    dd_written *out = arg;
    dd_study *study = out->user;
    const dd_page_head head = {.title = dd_study_subject(study),
                               .subtitle = "daedal study",
                               .doc = study->headline,
                               .failure = study->info.reason};
    dd_page_writer *w = dd_page_begin(out->pool, &head);
    add_table(w, "Summary", &study->summary, out->pool);
    if (study->plots.len > 0 || study->options.kind == DD_STUDY_REGIONS) {
        dd_page_section(w, "Plots");
        add_figures(w, study, out->pool);
    }
    add_table(w, "Points", &study->points, out->pool);
    dd_page_add_list(w, study->notes.data, study->notes.len);
    out->text = dd_text_new(out->pool);
    dd_page_end(w, &out->text);
}

dd_status dd_study_write_report(dd_study *study, const char *path)
{
    if (!study || !path) {
        return DD_INVALID_ARGUMENT;
    }
    dd_written out = {.ctx = study->ctx, .user = study, .path = path};
    return dd_study_note_file(study, DD_STUDY_FILE_PAGE, path, dd_written_make(&out, page_body));
}
