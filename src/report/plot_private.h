/* plot_private.h - a picture while it is drawn, for the files plot*.c. */
#ifndef DD_REPORT_PLOT_PRIVATE_H
#define DD_REPORT_PLOT_PRIVATE_H

#include <math.h>

#include "report/plot.h"

typedef struct picture {
    const dd_plot *plot;
    dd_text *out;
    dd_axis x, y;
    double left, right, top, bottom; /* the frame */
    double height;                   /* of the whole */
} picture;

extern const char *const dd_plot_colours[DD_PLOT_COLOURS];

/* The points of a line: x[i * stride], y[i * stride]. */
typedef struct dd_plot_points {
    const double *x, *y;
    uint64_t count;
    size_t stride;
} dd_plot_points;

static inline dd_plot_points dd_plot_series(const dd_plot *plot, uint32_t k)
{
    const dd_plot_line *l = &plot->lines[k];
    return l->x != NULL ? (dd_plot_points){l->x, l->y, l->count, 1}
                        : (dd_plot_points){plot->x, l->y, plot->count, plot->stride};
}

static inline uint32_t dd_plot_line_colour(const dd_plot *plot, uint32_t k)
{
    return plot->lines[k].colour > 0 ? plot->lines[k].colour - 1 : k % DD_PLOT_COLOURS;
}

/* A value as the axis shows it. */
static inline double dd_plot_shown(const dd_plot *plot, double y)
{
    return !plot->log ? y : y > 0 ? log10(y) : NAN;
}

static inline double dd_plot_shown_x(const dd_plot *plot, double x)
{
    return !plot->log_x ? x : x > 0 ? log10(x) : NAN;
}

static inline double dd_plot_at_x(const picture *p, double x)
{
    return p->left + (x - p->x.low) / (p->x.high - p->x.low) * (p->right - p->left);
}

static inline double dd_plot_at_y(const picture *p, double y)
{
    return p->bottom - (y - p->y.low) / (p->y.high - p->y.low) * (p->bottom - p->top);
}

/* A bound is active nearer than this part of the distance of the bounds (as in web/draw.js). */
#define DD_AT_BOUND 1e-4

/* plot_heat.c: all lines as rows of colours, with the range they stand for. */
void dd_plot_heat_svg(picture *p);

/* plot_lines.c: line k of the plot. */
void dd_plot_line_svg(picture *p, uint32_t k);

#endif
