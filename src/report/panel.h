/* panel.h - pictures and figures of a table over time.
 *
 * A picture has a panel for each request "[CAPTION:] NAME, NAME ... [over NAME]". A name means a column or all elements
 * of an array; ':' in brackets means every index (cell[:].T). "over time [h]" changes the label of the time axis. */
#ifndef DD_REPORT_PANEL_H
#define DD_REPORT_PANEL_H

#include "report/page.h"
#include "result/table.h"

/* Columns of one array are neighbours and have the same number. */
typedef struct dd_curve {
    const char *doc;   /* may be "" */
    const char *title; /* of the whole array: the headline of its figure */
    uint32_t array;
    double lower, upper; /* bounds to be drawn; not finite: none */
    double from, length; /* length > 0: a separate time, from + length*(the time of the row) */
} dd_curve;

typedef struct dd_curves {
    const dd_table *table;   /* with names and units */
    const dd_curve *columns; /* what pictures need beside them, per column */
    const double *marks;
    uint32_t n_marks;
    double x_end;       /* the time axis reaches to here */
    const char *x_name; /* of the times of the rows; NULL: time */
} dd_curves;

/* Appends an SVG file. Without requests: the first columns, arrays as wholes. Raises DD_INVALID_ARGUMENT for a request
 * that cannot be met. */
void dd_panels_picture(dd_text *out, const dd_curves *c, const char *title, const char *subtitle,
                       const char *const *requests, uint32_t count, dd_pool *pool);
/* Only looks at the requests; no data are needed. */
void dd_panels_check(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool);

typedef DD_VEC(dd_page_figure) dd_figure_vec;
/* Adds a figure per array of the columns from `first` to `end` - 1, as long as there are fewer than `most` in all;
 * returns how many columns were left out. heading: of the first one, may be NULL. */
uint32_t dd_curves_figures(const dd_curves *c, uint32_t first, uint32_t end, const char *heading, uint32_t most,
                           dd_figure_vec *out, dd_pool *pool);

#endif
