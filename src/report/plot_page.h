/* plot_page.h - a page about a run: headline, verdict, plots, tables, messages; one HTML file that needs no other. */
#ifndef DD_REPORT_PLOT_PAGE_H
#define DD_REPORT_PLOT_PAGE_H

#include "report/plot.h"

typedef struct dd_page_figure {
    const char *heading;            /* a new group of figures begins with this one; NULL: none */
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

typedef struct dd_page {
    const char *title, *subtitle, *doc; /* doc may be "" */
    const char *failure;                /* why it did not reach its end; "" when it did */
    const char *note;                   /* a caveat although it did; NULL or "": none */
    const dd_page_figure *figures;
    uint32_t n_figures;
    const char *figures_note;    /* "" without */
    const dd_page_table *tables; /* those without rows are left out */
    uint32_t n_tables;
    const char *const *messages;
    uint32_t n_messages;
} dd_page;

/* Appends the whole page. Raises when memory runs out. */
void dd_page_html(dd_text *out, const dd_page *page);

#endif
