/* panel.h - pictures and figures of a table over time: what --show asks for, or what the tool chooses.
 *
 * A request is "[KIND:] [CAPTION:] NAME, NAME ... [over NAME] [at TIME, TIME ...]" (docs/reports.md). A name means a
 * column or all elements of an array; ':' in brackets means every index (cell[:].T), 2:5 those from 2 to 5, '*' any
 * letters (*.phi). "over time [h]" changes the label of the time axis. KIND is
 *     profile    an array over its index, or over another array: a line for each of the times
 *     heat       the same for all times, as colours
 *     equal      both axes of a path in one scale */
#ifndef DD_REPORT_PANEL_H
#define DD_REPORT_PANEL_H

#include "report/page.h"
#include "result/table.h"

/* What a column is, in the order in which figures of it are wanted. */
typedef enum dd_curve_role { DD_ROLE_OUTPUT, DD_ROLE_STATE, DD_ROLE_INPUT, DD_ROLE_OTHER, DD_ROLES } dd_curve_role;

/* Columns of one array are neighbours and have the same number. */
typedef struct dd_curve {
    const char *doc;   /* may be "" */
    const char *title; /* of the whole array: the headline of its figure */
    uint32_t array;
    dd_curve_role role;
    double lower, upper; /* bounds to be drawn; not finite: none */
    double from, length; /* length > 0: a separate time, from + length*(the time of the row) */
} dd_curve;

/* Measured values of a column: dots beside its line. */
typedef struct dd_curve_dots {
    uint32_t column;
    const char *name;
    const double *x, *y; /* count */
    uint64_t count;
} dd_curve_dots;

/* A plot of one variable over another one that is a map: what stands still is drawn in it. */
typedef struct dd_curve_outline {
    const char *name;
    const double *x, *y; /* count */
    uint64_t count;
    dd_line_style style;
} dd_curve_outline;

typedef struct dd_curve_map {
    const char *x, *y; /* names of columns; NULL: there is no map */
    const dd_curve_outline *outlines;
    uint32_t count;
} dd_curve_map;

/* A number that does not change: arrays of such are places that profiles are drawn over. */
typedef struct dd_curve_place {
    const char *name, *title, *unit; /* title: of the whole array */
    double value;
} dd_curve_place;

typedef struct dd_curves {
    const dd_table *table;   /* with names and units */
    const dd_curve *columns; /* what pictures need beside them, per column */
    const double *marks;
    uint32_t n_marks;
    double x_end;       /* the time axis reaches to here */
    const char *x_name; /* of the times of the rows; NULL: time */
    const dd_curve_dots *dots;
    uint32_t n_dots;
    dd_curve_map map;
    const dd_curve_place *places; /* parameters of the model */
    uint32_t n_places;
    const bool *left_out; /* per column: no figure needs it; NULL: all may have one */
} dd_curves;

/* Columns from `first` to `end` - 1 without bounds that are constant, or equal another one, need no figures: connectors are
 * full of them. tables[2] receives them; returns how many found no place there. */
uint32_t dd_curves_leave_out(dd_curves *c, uint32_t first, uint32_t end, dd_page_table *tables, dd_pool *pool);
/* The columns, those first that people look for first: by their roles; constants and copies at the end. */
const uint32_t *dd_curves_order(const dd_curves *c, dd_pool *pool);

/* Appends an SVG file. Without requests: the first columns, arrays as wholes. Raises DD_INVALID_ARGUMENT for a request
 * that cannot be met. */
void dd_panels_picture(dd_text *out, const dd_curves *c, const char *title, const char *subtitle,
                       const char *const *requests, uint32_t count, dd_pool *pool);
/* Adds figures to a page: a section of what was asked for; without requests one per role, at most `most` figures. */
void dd_panels_page(dd_page_writer *page, const dd_curves *c, const char *const *requests, uint32_t count,
                    uint32_t most, dd_pool *pool);
/* Only looks at the requests; no data are needed. */
void dd_panels_check(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool);
/* Per column: is it in one of the requests? All are, without any. */
bool *dd_panels_chosen(const dd_curves *c, const char *const *requests, uint32_t count, dd_pool *pool);

/* The map of the curves, if there is one and they have its columns. */
bool dd_curves_map(const dd_curves *c, dd_page_figure *figure, dd_pool *pool);

typedef DD_VEC(dd_page_figure) dd_figure_vec;
/* Adds a figure per request under the heading "Shown". Raises as dd_panels_picture does. */
void dd_panels_figures(const dd_curves *c, const char *const *requests, uint32_t count, dd_figure_vec *out,
                       dd_pool *pool);
/* Adds a figure per array of the columns from `first` to `end` - 1, as long as there are fewer than `most` in all;
 * returns how many more there are. heading: of the first one, may be NULL. */
uint32_t dd_curves_figures(const dd_curves *c, uint32_t first, uint32_t end, const char *heading, uint32_t most,
                           dd_figure_vec *out, dd_pool *pool);

#endif
