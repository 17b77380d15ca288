/* panel_private.h - a request that was read, for the files that make plots of it. */
#ifndef DD_REPORT_PANEL_PRIVATE_H
#define DD_REPORT_PANEL_PRIVATE_H

#include "report/panel.h"

#define DD_NO_COLUMN UINT32_MAX
enum { DD_MOST_LINES = 3 * DD_PLOT_COLOURS };

typedef enum dd_panel_kind { DD_PANEL_LINES, DD_PANEL_PROFILE, DD_PANEL_HEAT } dd_panel_kind;

typedef struct dd_panel {
    dd_panel_kind kind;
    DD_VEC(uint32_t) columns;
    DD_VEC(uint32_t) over;        /* none: time, or the index of a profile */
    DD_VEC(uint32_t) over_places; /* in place of `over`: numbers that do not change */
    DD_VEC(double) times;         /* of a profile; none: chosen evenly */
    const char *caption;          /* NULL: none given */
    const char *x_name;           /* "over time [h]"; NULL: not given */
    bool equal;                   /* asked for */
} dd_panel;

/* request.c: reads one; raises DD_INVALID_ARGUMENT for one that cannot be met. */
dd_panel dd_panel_read(const dd_curves *c, const char *request, dd_pool *pool);
/* Does the pattern name this variable, or an array that it is an element of? */
bool dd_panel_matches(const char *pattern, const char *name);

/* "" for the unit 1. */
const char *dd_panel_unit(const dd_curves *c, uint32_t column);
/* "name [unit]", or the name alone. */
const char *dd_panel_with_unit(dd_pool *pool, const char *name, const char *unit);

/* panel.c: the plot of lines over time or another variable. */
dd_plot dd_panel_plot(const dd_curves *c, const dd_panel *p, dd_pool *pool);
/* profile.c: that of a profile or a heat map. */
dd_plot dd_panel_profile(const dd_curves *c, const dd_panel *p, dd_pool *pool);

/* choice.c: figures that nobody asked for by name. */
void dd_choice_page(dd_page_writer *page, const dd_curves *c, uint32_t most, dd_pool *pool);

#endif
