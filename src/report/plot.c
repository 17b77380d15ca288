/* plot.c - one picture: frame, ticks, marks, bounds, legend. */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/plot_private.h"

enum { WIDTH = 640, HEIGHT = 260, TOP = 16, BOTTOM = 40, CAPTION = 20, MOST_MARKS = 200, LEGEND_ROW = 17 };
enum { LEAST_FRAME = 130, MOST_FRAME = 320, LABEL_ROOM = 45 }; /* height of the frame where both axes have one scale */

const char dd_plot_style[] =
    "svg text{font-size:11.5px;fill:#333}.m{text-anchor:middle}.r{text-anchor:end}svg .c{font-weight:600}\n"
    "svg path:not(.a){fill:none}.g{stroke:#e6e6e6}.f{stroke:#888}.l{stroke-width:1.7;stroke-linejoin:round}"
    ".e{stroke:#999;stroke-dasharray:3 3}\n";

/* colours that differ for colour-blind eyes and in print (after Okabe and Ito) */
const char *const dd_plot_colours[DD_PLOT_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#b58900", "#444444"};

const char *dd_plot_colour(uint32_t k)
{
    return dd_plot_colours[k % DD_PLOT_COLOURS];
}

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

/* ---- extent ---- */

typedef struct extent {
    double low, high;
} extent;

static extent with_values(extent e, const dd_plot *plot, const dd_plot_points *s, bool of_y)
{
    for (uint64_t i = 0; i < s->count; i++) {
        /* only finite values have an extent */
        const double value =
            of_y ? dd_plot_shown(plot, s->y[i * s->stride]) : dd_plot_shown_x(plot, s->x[i * s->stride]);
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
        const double level = dd_plot_shown(plot, plot->levels[i]);
        if (level_shown(data, level)) {
            e.low = fmin(e.low, level);
            e.high = fmax(e.high, level);
        }
    }
    return e;
}

/* Heights of a heat map, half a row beyond the first and the last. */
static extent extent_of_heat(const dd_plot *plot)
{
    extent e = {INFINITY, -INFINITY};
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        e.low = fmin(e.low, plot->heat[k]);
        e.high = fmax(e.high, plot->heat[k]);
    }
    const double half = plot->n_lines > 1 ? 0.5 * (e.high - e.low) / (plot->n_lines - 1) : 0.5;
    return (extent){e.low - half, e.high + half};
}

static extent extent_of_lines(const dd_plot *plot)
{
    extent e = {INFINITY, -INFINITY};
    if (plot->heat != NULL) {
        return extent_of_heat(plot);
    }
    /* the lines, then the bounds near them */
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        const dd_plot_points one = dd_plot_series(plot, k);
        e = with_values(e, plot, &one, true);
        e.low = plot->lines[k].style == DD_LINE_BARS && !plot->log ? fmin(e.low, 0) : e.low;
    }
    if (plot->n_levels > 0 &&
        e.high - e.low < 1e-6 * fabs(e.high)) { /* at a bound but for a solver's tolerance: level */
        e.low = e.high;
    }
    return with_levels(e.low > e.high ? (extent){0, 0} : e, plot);
}

/* Lines with an x to themselves, paths: the extent of the values. */
static extent extent_of_all_x(const dd_plot *plot, extent e)
{
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        const dd_plot_points one = dd_plot_series(plot, k);
        if (plot->path || plot->lines[k].x != NULL) {
            e = with_values(e, plot, &one, false);
        }
    }
    return e.low > e.high ? (extent){0, 0} : e;
}

static extent extent_of_x(const dd_plot *plot)
{
    /* a path may go back and forth: its extent is that of its values */
    if (plot->path || plot->count == 0) {
        return extent_of_all_x(plot, (extent){INFINITY, -INFINITY});
    }
    /* time runs forward; the axis also reaches the planned end; half of a bar stands beyond its middle */
    const double begin = plot->x[0], end = plot->x[(plot->count - 1) * plot->stride];
    const bool bars = plot->count > 1 && plot->n_lines > 0 && plot->lines[0].style == DD_LINE_BARS;
    const double half = bars ? 0.5 * (plot->x[plot->stride] - begin) : 0;
    return extent_of_all_x(plot, (extent){begin - half, fmax(end + half, plot->x_end)});
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

/* The forbidden side of a bound, as far as it is in the frame. */
static void shade(const picture *p, double from, double to)
{
    const double low = fmax(from, p->y.low), high = fmin(to, p->y.high);
    if (high > low) {
        dd_text_printf(p->out,
                       "<rect class=\"b\" fill=\"#b3261e\" fill-opacity=\"0.08\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                       "height=\"%.1f\"/>",
                       p->left, dd_plot_at_y(p, high), p->right - p->left,
                       dd_plot_at_y(p, low) - dd_plot_at_y(p, high));
    }
}

static void add_levels(const picture *p)
{
    if (p->plot->bounded) {
        shade(p, -INFINITY, dd_plot_shown(p->plot, p->plot->lower));
        shade(p, dd_plot_shown(p->plot, p->plot->upper), INFINITY);
    }
    for (uint32_t i = 0; i < p->plot->n_levels; i++) {
        const double level = dd_plot_shown(p->plot, p->plot->levels[i]);
        if (level >= p->y.low && level <= p->y.high) {
            dd_text_printf(
                p->out,
                "<path stroke=\"#999999\" stroke-dasharray=\"7 3\" d=\"M%.1f %.1fH%.1f\"><title>bound</title>"
                "</path>",
                p->left, dd_plot_at_y(p, level), p->right);
        }
    }
}

static void add_x_tick(picture *p, double value, const char *label)
{
    const double x = dd_plot_at_x(p, value);
    dd_text_printf(p->out, "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"m\">%s</text>",
                   x, p->top, p->bottom, x, p->bottom + 15, label);
}

/* n times a power of ten: 0.02 is easier to read than 2e-2, 10^6 than 1000000. */
static void log_label(double n, int decade, char label[80])
{
    char number[32];
    if (abs(decade) < 5) {
        snprintf(label, 80, "%s", dd_number_text(n * pow(10, decade), number));
    } else {
        snprintf(label, 80, "%s%s10<tspan dy=\"-4\" font-size=\"8\">%s%d</tspan>",
                 n > 1 ? dd_number_text(n, number) : "", n > 1 ? "\xC2\xB7" : "", decade < 0 ? "\xE2\x88\x92" : "",
                 abs(decade));
    }
}

/* Powers of ten, and 2 and 5 times those where there is room. */
static void add_log_ticks(picture *p)
{
    const double few = 3, slack = 1e-9; /* powers of ten; a tick that misses the end by rounding is one */
    static const double digits[] = {1, 2, 5};
    const int per_decade = p->x.high - p->x.low <= few ? 3 : 1;
    for (int decade = (int)floor(p->x.low); decade <= (int)ceil(p->x.high); decade++) {
        for (int k = 0; k < per_decade; k++) {
            const double tick = decade + log10(digits[k]);
            if (tick >= p->x.low - slack && tick <= p->x.high + slack) {
                char label[80];
                log_label(digits[k], decade, label);
                add_x_tick(p, tick, label);
            }
        }
    }
}

static void add_ticks(picture *p)
{
    char label[80];
    /* horizontal grid lines with their labels */
    for (uint32_t i = 0; i < p->y.ticks; i++) {
        const double y = dd_plot_at_y(p, dd_axis_tick(&p->y, i));
        y_label(p, i, label);
        dd_text_printf(p->out,
                       "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/><text x=\"%.1f\" y=\"%.1f\" class=\"r\">%s</text>",
                       p->left, y, p->right, p->left - 6, y + 4, label);
    }
    /* vertical ones; a logarithmic axis has no ticks of equal distance */
    for (uint32_t i = 0; i < p->x.ticks; i++) {
        dd_axis_label(&p->x, i, label);
        add_x_tick(p, dd_axis_tick(&p->x, i), label);
    }
    if (p->plot->log_x) {
        add_log_ticks(p);
    }
    /* above the axis: what the heights of a heat map are, a common power of ten */
    const char *heights = p->plot->heat_name != NULL ? p->plot->heat_name : "";
    if (heights[0] != '\0' || p->y.exponent != 0) {
        dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\">", p->left, p->top - 5);
        dd_html_text(p->out, heights);
        if (p->y.exponent != 0) {
            dd_text_add(p->out, heights[0] != '\0' ? " " : "");
            add_power(p->out, p->y.exponent);
        }
        dd_text_add(p->out, "</text>");
    }
    /* the frame is two lines: left and bottom */
    dd_text_printf(p->out, "<path class=\"f\" d=\"M%.1f %.1fV%.1fH%.1f\"/>", p->left, p->top, p->bottom, p->right);
    dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.0f\" class=\"m\">", 0.5 * (p->left + p->right), p->height - 6);
    dd_html_text(p->out, p->plot->x_name);
    if (p->plot->x_unit != NULL && p->plot->x_unit[0] != '\0') {
        dd_text_add(p->out, " [");
        dd_html_text(p->out, p->plot->x_unit);
        dd_text_add(p->out, "]");
    }
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
            dd_text_printf(p->out, "M%.1f %.1fV%.1f", dd_plot_at_x(p, plot->marks[i]), p->top, p->bottom);
        }
    }
    dd_text_printf(p->out, "\"><title>%s</title></path>", plot->mark_name != NULL ? plot->mark_name : "events");
}

/* ---- legend ---- */

/* A single line needs no name: the caption has it. */
static uint32_t named_lines(const dd_plot *plot)
{
    return plot->n_lines == 1 || plot->heat != NULL ? 0 : plot->n_lines;
}

static void add_legend(picture *p)
{
    const double x = p->right + 12;
    const uint32_t named = named_lines(p->plot);
    /* a short line of the colour, then the name */
    for (uint32_t k = 0; k < named; k++) {
        const double y = p->top + 8 + LEGEND_ROW * (double)k;
        const bool dashed = p->plot->lines[k].style == DD_LINE_DASHED;
        dd_text_printf(p->out, "<path class=\"l\" stroke=\"%s\"%s d=\"M%.1f %.1fh14\"/><text x=\"%.1f\" y=\"%.1f\">",
                       dd_plot_colours[dd_plot_line_colour(p->plot, k)], dashed ? " stroke-dasharray=\"5 2\"" : "", x,
                       y, x + 19, y + 4);
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

/* Exponents with a little room on both sides; its ticks are those of add_log_ticks. */
static dd_axis log_axis(extent x)
{
    const double room = fmax(0.04 * (x.high - x.low), 0.05);
    return (dd_axis){.low = x.low - room, .high = x.high + room, .step = 1};
}

static bool has_bars(const dd_plot *plot)
{
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        if (plot->lines[k].style == DD_LINE_BARS) {
            return true;
        }
    }
    return false;
}

/* Counts and orders: there is nothing between two whole numbers. */
static bool all_whole(const dd_plot *plot)
{
    enum { MOST = 2000 }; /* values that are looked at, per line */
    const bool bars = has_bars(plot);
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        if (bars && plot->lines[k].style != DD_LINE_BARS) {
            continue; /* a curve over counts is none */
        }
        const dd_plot_points s = dd_plot_series(plot, k);
        for (uint64_t i = 0; i < s.count && i < MOST; i++) {
            const double y = s.y[i * s.stride];
            if (isfinite(y) && y != nearbyint(y)) {
                return false;
            }
        }
    }
    return true;
}

static dd_axis whole_axis(dd_axis a)
{
    const double low = floor(a.low), high = fmax(ceil(a.high), low + 1);
    return a.step >= 1 ? a : dd_axis_new(low, high, (uint32_t)(high - low), true);
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
    p.x = plot->log_x ? log_axis(x) : dd_axis_new(x.low + sx, x.high - sx, 7, plot->path);
    p.y = plot->log ? dd_axis_new_log(y.low, y.high, 6) : dd_axis_new(y.low + sy, y.high - sy, 5, plot->heat == NULL);
    p.x = plot->x_whole ? whole_axis(p.x) : p.x;
    p.y = !plot->log && plot->heat == NULL && all_whole(plot) ? whole_axis(p.y) : p.y;
    /* the widest label and the longest name decide the margins */
    uint32_t widest = 0, names = 0;
    char label[40];
    for (uint32_t i = 0; i < p.y.ticks; i++) {
        dd_axis_label(&p.y, i, label);
        const uint32_t width = dd_utf8_columns(label) + (plot->log ? 1 : 0);
        widest = width > widest ? width : widest;
    }
    for (uint32_t k = 0; k < named_lines(plot); k++) {
        names = dd_utf8_columns(plot->lines[k].name) > names ? dd_utf8_columns(plot->lines[k].name) : names;
    }
    const uint32_t mark = plot->n_marks == 0 ? 0 : plot->mark_name != NULL ? dd_utf8_columns(plot->mark_name) : 6;
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
    if (p->plot->heat != NULL) {
        dd_plot_heat_svg(p);
        return;
    }
    /* bars below everything else; of the others the first one on top */
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t k = p->plot->n_lines; k-- > 0;) {
            if ((p->plot->lines[k].style == DD_LINE_BARS) == (pass == 0)) {
                dd_plot_line_svg(p, k);
            }
        }
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
