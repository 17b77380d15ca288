/* plot.c - one picture: frame, ticks, marks, lines, legend. */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { WIDTH = 640, HEIGHT = 260, TOP = 16, BOTTOM = 40, CAPTION = 20, MOST_MARKS = 200, LEGEND_ROW = 17 };
enum { LEAST_FRAME = 130, MOST_FRAME = 320, LABEL_ROOM = 45 }; /* height of the frame where both axes have one scale */

const char dd_plot_style[] =
    "svg text{font-size:11.5px;fill:#333}.m{text-anchor:middle}.r{text-anchor:end}svg .c{font-weight:600}\n"
    "svg path{fill:none}.g{stroke:#e6e6e6}.f{stroke:#888}.l{stroke-width:1.7;stroke-linejoin:round}"
    ".e{stroke:#999;stroke-dasharray:3 3}\n";

/* colours that differ for colour-blind eyes and in print (after Okabe and Ito) */
static const char *const colours[DD_PLOT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                     "#56b4e9", "#b58900", "#444444"};

typedef struct picture {
    const dd_plot *plot;
    dd_text *out;
    dd_axis x, y;
    double left, right, top, bottom; /* the frame */
    double height;                   /* of the whole */
} picture;

void dd_html_text(dd_text *out, const char *text)
{
    const size_t length = strlen(text);
    for (size_t i = 0; i < length;) {
        uint32_t code;
        const size_t n = dd_utf8_decode(text + i, length - i, &code);
        /* characters with a meaning in HTML and control characters; broken UTF-8 is replaced */
        if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\'' || code < ' ') {
            dd_text_printf(out, "&#%u;", code < ' ' ? (unsigned)' ' : (unsigned)code);
        } else if (code == UINT32_MAX) {
            dd_text_add(out, DD_UTF8_REPLACEMENT);
        } else {
            dd_text_add_n(out, text + i, n);
        }
        i += n;
    }
}

static uint32_t width_of(const char *text)
{
    const size_t length = strlen(text);
    uint32_t columns = 0, code;
    /* wide characters take two columns */
    for (size_t i = 0; i < length;) {
        i += dd_utf8_decode(text + i, length - i, &code);
        columns += dd_utf8_width(code);
    }
    return columns;
}

/* ---- extent ---- */

typedef struct extent {
    double low, high;
} extent;

/* A value as the axis shows it. */
static double shown(const dd_plot *plot, double y)
{
    return !plot->log ? y : y > 0 ? log10(y) : NAN;
}

static extent with_values(extent e, const dd_plot *plot, const double *y, bool of_y)
{
    for (uint64_t i = 0; i < plot->count; i++) {
        /* only finite values have an extent */
        const double value = of_y ? shown(plot, y[i * plot->stride]) : y[i * plot->stride];
        if (isfinite(value)) {
            e.low = fmin(e.low, value);
            e.high = fmax(e.high, value);
        }
    }
    return e;
}

/* Nearer to the data than their own extent, or than their size where that is small. */
static bool level_shown(extent data, double level)
{
    /* a bound far away would squeeze the data to a line */
    const double room = fmax(data.high - data.low, 0.1 * fmax(fabs(data.low), fabs(data.high)));
    return isfinite(level) && level >= data.low - room && level <= data.high + room;
}

static extent with_levels(extent e, const dd_plot *plot)
{
    const extent data = e;
    for (uint32_t i = 0; i < plot->n_levels; i++) {
        const double level = shown(plot, plot->levels[i]);
        if (level_shown(data, level)) {
            e.low = fmin(e.low, level);
            e.high = fmax(e.high, level);
        }
    }
    return e;
}

static extent extent_of_lines(const dd_plot *plot)
{
    extent e = {INFINITY, -INFINITY};
    /* the lines, then the bounds near them */
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        e = with_values(e, plot, plot->lines[k].y, true);
    }
    if (plot->n_levels > 0 &&
        e.high - e.low < 1e-6 * fabs(e.high)) { /* at a bound but for a solver's tolerance: level */
        e.low = e.high;
    }
    return with_levels(e.low > e.high ? (extent){0, 0} : e, plot);
}

static extent extent_of_x(const dd_plot *plot)
{
    /* a path may go back and forth: its extent is that of its values */
    if (plot->path) {
        const extent e = with_values((extent){INFINITY, -INFINITY}, plot, plot->x, false);
        return e.low > e.high ? (extent){0, 0} : e;
    }
    /* time runs forward; the axis also reaches the planned end */
    const double begin = plot->count > 0 ? plot->x[0] : 0,
                 end = plot->count > 0 ? plot->x[(plot->count - 1) * plot->stride] : 1;
    return (extent){begin, fmax(end, plot->x_end)};
}

static double at_x(const picture *p, double x)
{
    return p->left + (x - p->x.low) / (p->x.high - p->x.low) * (p->right - p->left);
}

static double at_y(const picture *p, double y)
{
    return p->bottom - (y - p->y.low) / (p->y.high - p->y.low) * (p->bottom - p->top);
}

/* ---- frame ---- */

static void add_power(dd_text *out, int exponent)
{
    dd_text_printf(out,
                   "\xC3\x97"
                   "10<tspan dy=\"-4\" font-size=\"8\">%s%d</tspan>",
                   exponent < 0 ? "\xE2\x88\x92" : "", exponent < 0 ? -exponent : exponent);
}

/* A power of ten on a logarithmic axis. */
static void y_label(const picture *p, uint32_t i, char label[80])
{
    char exponent[40];
    dd_axis_label(&p->y, i, p->plot->log ? exponent : label);
    if (p->plot->log) {
        snprintf(label, 80, "10<tspan dy=\"-4\" font-size=\"8\">%s</tspan>", exponent);
    }
}

static void add_levels(const picture *p)
{
    for (uint32_t i = 0; i < p->plot->n_levels; i++) {
        const double level = shown(p->plot, p->plot->levels[i]);
        if (level >= p->y.low && level <= p->y.high) {
            dd_text_printf(
                p->out,
                "<path stroke=\"#999999\" stroke-dasharray=\"7 3\" d=\"M%.1f %.1fH%.1f\"><title>bound</title>"
                "</path>",
                p->left, at_y(p, level), p->right);
        }
    }
}

static void add_ticks(picture *p)
{
    char label[80];
    /* horizontal grid lines with their labels */
    for (uint32_t i = 0; i < p->y.ticks; i++) {
        const double y = at_y(p, dd_axis_tick(&p->y, i));
        y_label(p, i, label);
        dd_text_printf(p->out,
                       "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"r\">%s</text>",
                       p->left, y, p->right, p->left - 6, y + 4, label);
    }
    /* vertical ones */
    for (uint32_t i = 0; i < p->x.ticks; i++) {
        const double x = at_x(p, dd_axis_tick(&p->x, i));
        dd_axis_label(&p->x, i, label);
        dd_text_printf(p->out,
                       "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"m\">%s</text>", x,
                       p->top, p->bottom, x, p->bottom + 15, label);
    }
    /* a common power of ten above the axis */
    if (p->y.exponent != 0) {
        dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", p->left, p->top - 5);
        add_power(p->out, p->y.exponent);
        dd_text_add(p->out, "</text>");
    }
    /* the frame is two lines: left and bottom */
    dd_text_printf(p->out, "<path class=\"f\" d=\"M%.1f %.1fV%.1fH%.1f\"/>", p->left, p->top, p->bottom, p->right);
    dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.0f\" class=\"m\">", 0.5 * (p->left + p->right), p->height - 6);
    dd_html_text(p->out, p->plot->x_name);
    if (p->x.exponent != 0) {
        dd_text_add(p->out, " ");
        add_power(p->out, p->x.exponent);
    }
    dd_text_add(p->out, "</text>");
}

static void add_marks(picture *p)
{
    const dd_plot *plot = p->plot;
    /* hundreds of marks would hide the lines */
    if (plot->n_marks == 0 || plot->n_marks > MOST_MARKS) {
        return;
    }
    dd_text_add(p->out, "<path class=\"e\" d=\"");
    for (uint32_t i = 0; i < plot->n_marks; i++) {
        if (plot->marks[i] >= p->x.low && plot->marks[i] <= p->x.high) {
            dd_text_printf(p->out, "M%.1f %.1fV%.1f", at_x(p, plot->marks[i]), p->top, p->bottom);
        }
    }
    dd_text_printf(p->out, "\"><title>%s</title></path>", plot->mark_name != NULL ? plot->mark_name : "events");
}

/* ---- lines ---- */

/* The points of one pixel column, thinned out to the first, lowest, highest and last. */
typedef struct bin {
    uint64_t first, low, high, last; /* rows; count 0: empty */
    uint64_t count;
    long column;
} bin;

typedef struct pen {
    picture *p;
    const double *y;
    bool down; /* the line goes on */
} pen;

static void draw_to(pen *w, uint64_t i)
{
    const dd_plot *plot = w->p->plot;
    dd_text_printf(w->p->out, "%s%.1f %.1f", w->down ? "L" : "M", at_x(w->p, plot->x[i * plot->stride]),
                   at_y(w->p, shown(plot, w->y[i * plot->stride])));
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

static void add_points(pen *w)
{
    const dd_plot *plot = w->p->plot;
    bin b = {0};
    for (uint64_t i = 0; i < plot->count; i++) {
        const double y = w->y[i * plot->stride];
        look_at_limits(w, i);
        /* a gap interrupts the line */
        if (!isfinite(shown(plot, y)) || !isfinite(plot->x[i * plot->stride])) {
            flush_bin(w, &b);
            w->down = false;
            continue;
        }
        /* a new pixel column: the old one is finished */
        const long column = (long)floor(at_x(w->p, plot->x[i * plot->stride]));
        if (b.count > 0 && column != b.column) {
            flush_bin(w, &b);
        }
        if (b.count++ == 0) {
            b.first = b.low = b.high = i;
            b.column = column;
        }
        b.last = i;
        b.low = y < w->y[b.low * plot->stride] ? i : b.low;
        b.high = y > w->y[b.high * plot->stride] ? i : b.high;
    }
    flush_bin(w, &b);
}

/* A path point by point, without those next to the last one: columns mean nothing where it turns back. */
static void add_path(pen *w)
{
    const dd_plot *plot = w->p->plot;
    double x = 0, y = 0;
    for (uint64_t i = 0; i < plot->count; i++) {
        look_at_limits(w, i);
        const double at[2] = {plot->x[i * plot->stride], w->y[i * plot->stride]};
        /* points closer than half a pixel to the last one are skipped */
        if (!isfinite(at[0]) || !isfinite(at[1])) {
            w->down = false;
        } else if (!w->down || i + 1 == plot->count ||
                   fabs(at_x(w->p, at[0]) - x) + fabs(at_y(w->p, at[1]) - y) > 0.4) {
            x = at_x(w->p, at[0]);
            y = at_y(w->p, at[1]);
            draw_to(w, i);
        }
    }
}

static void add_line(picture *p, uint32_t k)
{
    enum { LONG_PATH = 50000 };
    pen w = {.p = p, .y = p->plot->lines[k].y};
    dd_text_printf(p->out, "<path class=\"l\" stroke=\"%s\" d=\"", colours[k % DD_PLOT_COLOURS]);
    /* long paths are thinned out by columns: their details are below a pixel anyway */
    if (p->plot->path && p->plot->count < LONG_PATH) {
        add_path(&w);
    } else {
        add_points(&w);
    }
    dd_text_add(p->out, "\"><title>");
    dd_html_text(p->out, p->plot->lines[k].name);
    dd_text_add(p->out, "</title></path>");
}

/* A single line needs no name: the caption has it. */
static uint32_t named_lines(const dd_plot *plot)
{
    return plot->n_lines == 1 ? 0 : plot->n_lines;
}

static void add_legend(picture *p)
{
    const double x = p->right + 12;
    const uint32_t named = named_lines(p->plot);
    /* a short line of the colour, then the name */
    for (uint32_t k = 0; k < named; k++) {
        const double y = p->top + 8 + LEGEND_ROW * (double)k;
        dd_text_printf(p->out, "<path class=\"l\" stroke=\"%s\" d=\"M%.1f %.1fh14\"/><text x=\"%.1f\" y=\"%.1f\">",
                       colours[k % DD_PLOT_COLOURS], x, y, x + 19, y + 4);
        dd_html_text(p->out, p->plot->lines[k].name);
        dd_text_add(p->out, "</text>");
    }
    /* the dashed line of events */
    if (p->plot->n_marks > 0 && p->plot->n_marks <= MOST_MARKS) {
        const double y = p->top + 8 + LEGEND_ROW * (double)named;
        dd_text_printf(p->out, "<path class=\"e\" d=\"M%.1f %.1fh14\"/><text x=\"%.1f\" y=\"%.1f\">%s</text>", x, y,
                       x + 19, y + 4,
                       p->plot->mark_name != NULL ? p->plot->mark_name
                       : p->plot->n_marks == 1    ? "event"
                                                  : "events");
    }
}

/* ---- all together ---- */

/* One scale on both axes: the frame gets the shape of the data; where that is too flat the other axis is
 * widened, and where it is too high the frame becomes narrower. */
static void equalize(picture *p)
{
    /* width decides the scale, unless the frame would be too high */
    double scale = (p->right - p->left) / (p->x.high - p->x.low); /* pixels per unit */
    double height = scale * (p->y.high - p->y.low);
    if (height > MOST_FRAME) {
        scale *= MOST_FRAME / height;
        height = MOST_FRAME;
        p->right = p->left + scale * (p->x.high - p->x.low);
        const double room = (p->right - p->left) / LABEL_ROOM;
        p->x = dd_axis_new(p->x.low, p->x.high, room < 2 ? 2 : room > 7 ? 7 : (uint32_t)room, false);
    }
    /* too flat: show more of the y axis */
    if (height < LEAST_FRAME) {
        const double more = 0.5 * (LEAST_FRAME - height) / scale;
        p->y = dd_axis_new(p->y.low - more, p->y.high + more, 5, false);
        height = LEAST_FRAME;
    }
    p->bottom = p->top + height;
    p->height = p->bottom + BOTTOM;
}

static picture measure(const dd_plot *plot, dd_text *out)
{
    enum { LETTER = 7, LEAST_LEFT = 34 };
    /* room above for the caption */
    const double top = plot->caption ? TOP + CAPTION : TOP, height = plot->caption ? HEIGHT + CAPTION : HEIGHT;
    picture p = {.plot = plot, .out = out, .top = top, .bottom = height - BOTTOM, .height = height};
    const extent x = extent_of_x(plot), y = extent_of_lines(plot);
    /* ticks at the ends of the data where they nearly fit */
    const double spare = 0.004; /* of the extent: less than a pixel beyond a tick needs no other tick */
    const double sx = plot->path ? spare * (x.high - x.low) : 0, sy = spare * (y.high - y.low);
    p.x = dd_axis_new(x.low + sx, x.high - sx, 7, plot->path);
    p.y = plot->log ? dd_axis_new_log(y.low, y.high, 6) : dd_axis_new(y.low + sy, y.high - sy, 5, true);
    /* the widest label and the longest name decide the margins */
    uint32_t widest = 0, names = 0;
    char label[40];
    for (uint32_t i = 0; i < p.y.ticks; i++) {
        dd_axis_label(&p.y, i, label);
        const uint32_t width = width_of(label) + (plot->log ? 1 : 0);
        widest = width > widest ? width : widest;
    }
    for (uint32_t k = 0; k < named_lines(plot); k++) {
        names = width_of(plot->lines[k].name) > names ? width_of(plot->lines[k].name) : names;
    }
    const uint32_t mark = plot->n_marks == 0 ? 0 : plot->mark_name != NULL ? width_of(plot->mark_name) : 6;
    names = names < mark ? mark : names > 24 ? 24 : names;
    /* labels on the left, legend on the right */
    p.left = fmax(LEAST_LEFT, 12 + LETTER * (double)widest);
    p.right = names > 0 ? WIDTH - 40 - LETTER * (double)names : WIDTH - 14;
    if (plot->path && plot->equal) {
        equalize(&p);
    }
    return p;
}

static void draw(picture *p)
{
    /* beside the power of ten, where there is one */
    if (p->plot->caption) {
        dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"c\">", p->y.exponent != 0 ? p->left + 40 : p->left,
                       p->top - 10);
        dd_html_text(p->out, p->plot->caption);
        dd_text_add(p->out, "</text>");
    }
    /* grid below, lines above */
    add_ticks(p);
    add_marks(p);
    add_levels(p);
    for (uint32_t k = p->plot->n_lines; k-- > 0;) { /* the first one on top */
        add_line(p, k);
    }
    add_legend(p);
}

void dd_plot_svg(dd_text *out, const dd_plot *plot)
{
    picture p = measure(plot, out);
    dd_text_printf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\">", WIDTH, p.height);
    draw(&p);
    dd_text_add(out, "</svg>\n");
}

/* Frames begin and end together, so that equal times are below each other; but not those with one scale. */
static void align(picture *p, const dd_plot *plots, uint32_t count)
{
    for (uint32_t i = 0; i < count && !p->plot->equal; i++) {
        const picture other = measure(&plots[i], p->out);
        p->left = plots[i].equal ? p->left : fmax(p->left, other.left);
        p->right = plots[i].equal ? p->right : fmin(p->right, other.right);
    }
}

void dd_plot_picture(dd_text *out, const char *title, const char *subtitle, const dd_plot *plots, uint32_t count)
{
    enum { HEADLINE = 28, SIDE = 8 };
    double height = HEADLINE;
    /* the height is the sum over the plots, each with its own shape */
    for (uint32_t i = 0; i < count; i++) {
        height += ceil(measure(&plots[i], out).height);
    }
    /* head: title for readers of the screen, style, white ground */
    dd_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
                   "role=\"img\" font-family=\"Helvetica,Arial,sans-serif\">\n<title>",
                   WIDTH + 2 * SIDE, height, WIDTH + 2 * SIDE, height);
    dd_html_text(out, title);
    dd_text_printf(out, "</title>\n<style>%ssvg .h{font-size:14px;font-weight:600}</style>\n", dd_plot_style);
    dd_text_printf(
        out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"20\"><tspan class=\"h\">",
        2 * SIDE);
    dd_html_text(out, title);
    dd_text_add(out, "</tspan><tspan dx=\"10\">");
    dd_html_text(out, subtitle);
    dd_text_add(out, "</tspan></text>\n");
    /* the plots, one below the other, with common margins */
    double top = HEADLINE;
    for (uint32_t i = 0; i < count; i++) {
        picture p = measure(&plots[i], out);
        align(&p, plots, count);
        dd_text_printf(out, "<g transform=\"translate(%d %.0f)\">", SIDE, top);
        draw(&p);
        dd_text_add(out, "</g>\n");
        top += ceil(p.height);
    }
    dd_text_add(out, "</svg>\n");
}
