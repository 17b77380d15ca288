/* page.h - a page about a run: one HTML file that needs no other, works without scripts and prints well.
 *
 *     dd_page_writer *w = dd_page_begin(pool, &head);
 *     dd_page_section(w, "States");        a heading, and an entry of the contents
 *     dd_page_figure(w, &figure);          figures of a section stand side by side
 *     dd_page_rows(w, &table);             tables of two columns
 *     dd_page_grid(w, &grid);              tables of many
 *     dd_page_markup(w, "<math>...");      what we wrote ourselves, as it is
 *     dd_page_end(w, &text);               contents, numbers of the figures, scripts
 *
 * A figure is a picture (SVG) and, where scripts run, an interactive plot of the same numbers. The numbers of all
 * figures are columns at the end of the page: figures that share a column share its text. docs/reports.md defines the
 * format. Every text of a model passes through dd_html_text or dd_page_json: it cannot become markup. */
#ifndef DD_REPORT_PAGE_H
#define DD_REPORT_PAGE_H

#include "report/plot.h"

typedef struct dd_page_head {
    const char *title, *subtitle, *doc; /* doc may be "" */
    const char *failure;                /* why it did not reach its end; "" when it did */
    const char *note;                   /* a caveat although it did; NULL or "": none */
} dd_page_head;

typedef struct dd_page_figure {
    const char *heading;            /* a new section begins with this one; NULL: none */
    const char *title, *doc, *unit; /* doc and unit may be "" */
    const char *note;               /* "8 of 200 shown"; "" without */
    dd_plot plot;
} dd_page_figure;

typedef struct dd_page_row {
    const char *name, *value;
} dd_page_row;

typedef struct dd_page_table {
    const char *title, *note; /* note may be "" */
    const dd_page_row *rows;
    uint32_t count;
} dd_page_table;

typedef struct dd_page_grid {
    const char *title, *note;    /* title and note may be "" */
    const char *const *headings; /* n_columns */
    const char *const *cells;    /* row by row; NULL is an empty cell */
    uint32_t n_columns, n_rows;
    uint32_t words; /* the first columns are words, the others numbers */
} dd_page_grid;

typedef struct dd_page_writer dd_page_writer;

/* All of them raise when memory runs out. Texts and numbers must stay as they are until dd_page_end. */
dd_page_writer *dd_page_begin(dd_pool *pool, const dd_page_head *head);
void dd_page_section(dd_page_writer *w, const char *title);
void dd_page_add_figure(dd_page_writer *w, const dd_page_figure *figure);
void dd_page_add_table(dd_page_writer *w, const dd_page_table *table); /* without rows: nothing */
void dd_page_add_grid(dd_page_writer *w, const dd_page_grid *grid);
void dd_page_add_note(dd_page_writer *w, const char *text); /* "": nothing */
void dd_page_add_list(dd_page_writer *w, const char *const *items, uint32_t count);
/* A figure that is a picture alone, and says what it shows. */
void dd_page_add_picture(dd_page_writer *w, const char *title, const char *doc, const char *svg);
void dd_page_add_markup(dd_page_writer *w, const char *html);
/* Scripts whose names begin with this (scene: scene.js, scene_draw.js); those of plots are always there. */
void dd_page_use_scripts(dd_page_writer *w, const char *prefix);
/* The number of a column, for JSON of other blocks: element i is values[i * stride]. */
uint32_t dd_page_column(dd_page_writer *w, const double *values, uint64_t count, size_t stride);
/* JSON inside a <script> element: no character of it can end the element. */
void dd_page_json(dd_text *out, const char *json);
/* Appends the whole page. */
void dd_page_end(dd_page_writer *w, dd_text *out);

/* ---- a page in the usual order: figures, messages, tables ---- */

struct dd_scene;

typedef struct dd_page {
    dd_page_head head;
    const struct dd_scene *scene; /* comes first; NULL: nothing moves */
    const dd_page_figure *figures;
    uint32_t n_figures;
    void (*more)(dd_page_writer *w, void *user); /* sections behind the figures; NULL: none */
    void *more_user;
    const char *figures_note;    /* "" without */
    const dd_page_table *tables; /* those without rows are left out */
    uint32_t n_tables;
    const char *const *messages;
    uint32_t n_messages;
} dd_page;

/* Appends the whole page. Raises when memory runs out. */
void dd_page_html(dd_text *out, const dd_page *page);

#endif
