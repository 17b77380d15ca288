/* plot_lines.c - the lines of a picture: thinned out to what can be seen, as points or as bars. */
#include "base/context.h"
#include "report/plot_private.h"

/* The points of one pixel column, thinned out to the first, lowest, highest and last. */
typedef struct bin {
    uint64_t first, low, high, last; /* rows; count 0: empty */
    uint64_t count;
    long column;
} bin;

typedef struct pen {
    picture *p;
    dd_plot_points s;
    bool down; /* the line goes on */
} pen;

static double x_of(const pen *w, uint64_t i)
{
    return dd_plot_at_x(w->p, dd_plot_shown_x(w->p->plot, w->s.x[i * w->s.stride]));
}

static double y_of(const pen *w, uint64_t i)
{
    return dd_plot_at_y(w->p, dd_plot_shown(w->p->plot, w->s.y[i * w->s.stride]));
}

static void draw_to(pen *w, uint64_t i)
{
    dd_text_printf(w->p->out, "%s%.1f %.1f", w->down ? "L" : "M", x_of(w, i), y_of(w, i));
    w->down = true;
}

static void flush_bin(pen *w, bin *b)
{
    /* first, lower and higher in their order, last: the outline of all points in this column */
    if (b->count == 0) {
        return;
    }
    const uint64_t early = b->low < b->high ? b->low : b->high, late = b->low < b->high ? b->high : b->low;
    draw_to(w, b->first);
    if (early != b->first && early != b->last) {
        draw_to(w, early);
    }
    if (late != early && late != b->first && late != b->last) {
        draw_to(w, late);
    }
    if (b->last != b->first) {
        draw_to(w, b->last);
    }
    b->count = 0;
}

/* A line may have millions of points. */
static void look_at_limits(const pen *w, uint64_t i)
{
    enum { EVERY = 1 << 14 };
    if (i % EVERY == 0) {
        dd_check_stop(dd_pool_context(w->p->out->pool));
    }
}

static void add_outline(pen *w)
{
    bin b = {0};
    for (uint64_t i = 0; i < w->s.count; i++) {
        const double y = w->s.y[i * w->s.stride];
        look_at_limits(w, i);
        /* a gap interrupts the line */
        if (!isfinite(y_of(w, i)) || !isfinite(x_of(w, i))) {
            flush_bin(w, &b);
            w->down = false;
            continue;
        }
        /* a new pixel column: the old one is finished */
        const long column = (long)floor(x_of(w, i));
        if (b.count > 0 && column != b.column) {
            flush_bin(w, &b);
        }
        if (b.count++ == 0) {
            b.first = b.low = b.high = i;
            b.column = column;
        }
        b.last = i;
        b.low = y < w->s.y[b.low * w->s.stride] ? i : b.low;
        b.high = y > w->s.y[b.high * w->s.stride] ? i : b.high;
    }
    flush_bin(w, &b);
}

/* A path point by point, without those next to the last one: columns mean nothing where it turns back. */
static void add_path(pen *w)
{
    double x = 0, y = 0;
    for (uint64_t i = 0; i < w->s.count; i++) {
        look_at_limits(w, i);
        /* points closer than half a pixel to the last one are skipped */
        if (!isfinite(x_of(w, i)) || !isfinite(y_of(w, i))) {
            w->down = false;
        } else if (!w->down || i + 1 == w->s.count || fabs(x_of(w, i) - x) + fabs(y_of(w, i) - y) > 0.4) {
            x = x_of(w, i);
            y = y_of(w, i);
            draw_to(w, i);
        }
    }
}

/* Dots: lines of no length with round ends. Of very many, evenly some. */
static void add_dots(pen *w)
{
    enum { MOST_DOTS = 4000 };
    const uint64_t every = w->s.count / MOST_DOTS + 1;
    for (uint64_t i = 0; i < w->s.count; i += every) {
        if (isfinite(x_of(w, i)) && isfinite(y_of(w, i))) {
            dd_text_printf(w->p->out, "M%.1f %.1fh0", x_of(w, i), y_of(w, i));
        }
    }
}

/* Bars from the foot of the axis, or from zero where that is above it. */
static void add_bars(pen *w)
{
    const double zero = w->p->plot->log ? w->p->y.low : fmax(0, w->p->y.low), foot = dd_plot_at_y(w->p, zero);
    for (uint64_t i = 0; i < w->s.count; i++) {
        if (isfinite(y_of(w, i))) {
            dd_text_printf(w->p->out, "M%.1f %.1fV%.1f", x_of(w, i), foot, y_of(w, i));
        }
    }
}

/* The width of a bar: a little less than the distance of two. */
static double bar_width(const pen *w)
{
    const double frame = w->p->right - w->p->left;
    return w->s.count < 2 ? 0.1 * frame : fmax(1, 0.9 * (x_of(w, 1) - x_of(w, 0)));
}

/* Where a bound is active: a broad band below the line. */
static void add_active(const pen *line, const char *colour)
{
    const dd_plot *plot = line->p->plot;
    const dd_plot_points *s = &line->s;
    const double wide = plot->upper - plot->lower,
                 near = DD_AT_BOUND *
                        (isfinite(wide) ? wide : fmax(1, fabs(isfinite(plot->upper) ? plot->upper : plot->lower)));
    double *y = dd_pool_alloc_array(line->p->out->pool, s->count * s->stride + 1, sizeof *y);
    bool any = false;
    for (uint64_t i = 0; i < s->count; i++) {
        const double value = s->y[i * s->stride];
        const bool active = value - plot->lower <= near || plot->upper - value <= near;
        y[i * s->stride] = active ? value : (double)NAN;
        any = any || active;
    }
    if (any) {
        pen w = {.p = line->p, .s = {s->x, y, s->count, s->stride}};
        dd_text_printf(line->p->out, "<path stroke=\"%s\" stroke-width=\"7\" stroke-opacity=\"0.3\" d=\"", colour);
        add_outline(&w);
        dd_text_add(line->p->out, "\"><title>bound active</title></path>");
    }
}

void dd_plot_line_svg(picture *p, uint32_t k)
{
    enum { LONG_PATH = 50000 };
    const dd_line_style style = p->plot->lines[k].style;
    const char *colour = dd_plot_colours[dd_plot_line_colour(p->plot, k)];
    pen w = {.p = p, .s = dd_plot_series(p->plot, k)};
    if (p->plot->bounded) {
        add_active(&w, colour);
    }
    /* what differs from a plain line is said in attributes */
    if (style == DD_LINE_POINTS) {
        dd_text_printf(p->out, "<path stroke=\"%s\" stroke-linecap=\"round\" stroke-width=\"5\" d=\"", colour);
        add_dots(&w);
    } else if (style == DD_LINE_BARS) {
        dd_text_printf(p->out, "<path stroke=\"%s\" stroke-width=\"%.1f\" d=\"", colour, bar_width(&w));
        add_bars(&w);
    } else {
        /* the inside of an area has the colour of its line, and may not be styled from here: pages forbid that */
        dd_text_printf(p->out, "<path class=\"l%s\" stroke=\"%s\"%s%s%s d=\"", style == DD_LINE_AREA ? " a" : "",
                       colour, style == DD_LINE_DASHED ? " stroke-dasharray=\"6 3\"" : "",
                       style == DD_LINE_AREA ? " fill-opacity=\"0.18\" fill=\"" : "",
                       style == DD_LINE_AREA ? dd_pool_printf(p->out->pool, "%s\"", colour) : "");
        /* long paths are thinned out by columns: their details are below a pixel anyway */
        if (p->plot->path && w.s.count < LONG_PATH) {
            add_path(&w);
        } else {
            add_outline(&w);
        }
    }
    if (style == DD_LINE_MARKED) { /* the dots are another path of the same colour */
        w.down = false;
        dd_text_printf(p->out, "\"/><path stroke=\"%s\" stroke-linecap=\"round\" stroke-width=\"5.5\" d=\"", colour);
        add_dots(&w);
    }
    dd_text_add(p->out, "\"><title>");
    dd_html_text(p->out, p->plot->lines[k].name);
    dd_text_add(p->out, "</title></path>");
}
