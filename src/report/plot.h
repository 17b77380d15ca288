/* plot.h - lines over an axis, as inline SVG: nice ticks, a legend, marked moments.
 *
 * Long series are thinned out to a few points per pixel column (first, lowest, highest, last), so the picture is the
 * same and its size does not grow with the data. Values that are not finite interrupt a line. */
#ifndef DD_REPORT_PLOT_H
#define DD_REPORT_PLOT_H

#include "base/text.h"

typedef enum dd_line_style {
    DD_LINE_PLAIN,
    DD_LINE_DASHED,
    DD_LINE_POINTS, /* a dot per value */
    DD_LINE_BARS,
    DD_LINE_MARKED, /* a line with a dot per value: few, measured ones */
    DD_LINE_AREA    /* of a path: what its closed line is around is filled */
} dd_line_style;

typedef struct dd_plot_line {
    const char *name;
    const double *y; /* y[i * stride] at x[i * stride] of the plot */
    dd_line_style style;
    const char *unit; /* NULL: that of the figure */
    uint32_t colour;  /* 1 to DD_PLOT_COLOURS; 0: by its place */
    bool hidden;      /* on a page: shown when its name is clicked at */
    const double *x;  /* not NULL: y[i] at x[i], `count` of them, instead */
    uint64_t count;
    bool bounded; /* on a page the line is marked where it is at `lower` or `upper` instead of those of the plot */
    double lower, upper; /* not finite: none */
} dd_plot_line;

typedef struct dd_plot {
    const double *x; /* does not decrease, unless it is a path */
    uint64_t count;  /* points of x and of every line */
    size_t stride;   /* of x and y */
    const dd_plot_line *lines;
    uint32_t n_lines;
    const char *x_name, *x_unit; /* x_unit may be NULL */
    bool x_whole;                /* whole numbers: iterations, intervals */
    const double *marks;         /* moments marked by vertical lines */
    uint32_t n_marks;
    const char *mark_name; /* of one of them, in the legend; NULL: "event" */
    const double *levels;  /* dashed horizontal lines: bounds; those far from the data are left out */
    uint32_t n_levels;
    bool bounded;          /* below `lower` and above `upper` is forbidden; infinite: nothing is */
    double lower, upper;   /* these are among the levels */
    bool log_x;            /* of a path: its x axis is logarithmic, as log */
    bool log;              /* the y axis is logarithmic; values that are not positive interrupt a line */
    double x_end;          /* the axis reaches at least to here: where the data should have ended; not for a path */
    const char *caption;   /* above the frame; NULL: none */
    bool path;             /* y over another variable, which may go to and fro */
    const double *heat;    /* not NULL: lines are rows of colours at these heights, not curves */
    const char *heat_name; /* of the heights */
    bool equal;            /* a path whose two axes have the same scale */
} dd_plot;

enum { DD_PLOT_COLOURS = 7 }; /* lines beyond this many repeat colours */

/* Appends one <svg> element. Raises when memory runs out. */
void dd_plot_svg(dd_text *out, const dd_plot *plot);

/* Appends a whole SVG file: a headline and plots, one below the other. The texts may be "". */
void dd_plot_picture(dd_text *out, const char *title, const char *subtitle, const dd_plot *plots, uint32_t count);

/* The colour of line k: "#0072b2". */
const char *dd_plot_colour(uint32_t k);

/* The style sheet of plots, for the <style> element around them. */
extern const char dd_plot_style[];

/* Text as HTML or SVG content: special characters escaped, made valid UTF-8. */
void dd_html_text(dd_text *out, const char *text);

/* ---- axes ---- */

typedef struct dd_axis {
    double low, high;  /* the range it shows */
    double step;       /* of the ticks, 1, 2 or 5 times a power of ten */
    double first;      /* the first tick at or above low */
    uint32_t ticks;    /* how many */
    int exponent;      /* labels are in units of 10^exponent */
    uint32_t decimals; /* of labels */
} dd_axis;

/* An axis over [low, high] with about `wanted` ticks. whole: it begins and ends with a tick. */
dd_axis dd_axis_new(double low, double high, uint32_t wanted, bool whole);

/* The same for logarithms: low and high are exponents, and so are the ticks. */
dd_axis dd_axis_new_log(double low, double high, uint32_t wanted);

/* Tick i and its label. */
double dd_axis_tick(const dd_axis *axis, uint32_t i);
void dd_axis_label(const dd_axis *axis, uint32_t i, char out[40]);

#endif
