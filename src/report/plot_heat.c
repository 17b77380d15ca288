/* plot_heat.c - a heat map: a row of colours per line, from its lowest value (dark) to its highest (bright). */
#include "base/context.h"
#include "report/plot_private.h"

enum { COLUMNS = 160, ROWS = 80, SHADES = 5 }; /* cells that a picture can show; corners of the colour scale */

/* A scale that grows in brightness evenly, also for colour-blind eyes and in print. */
static void colour_of(double part, unsigned rgb[3])
{
    static const double scale[SHADES][3] = {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};
    const double at = fmin(fmax(part, 0), 1) * (SHADES - 1);
    const int k = at >= SHADES - 1 ? SHADES - 2 : (int)at;
    for (int i = 0; i < 3; i++) {
        rgb[i] = (unsigned)nearbyint(scale[k][i] + (at - k) * (scale[k + 1][i] - scale[k][i]));
    }
}

/* The value of a line at x: that of the last point not behind it. */
static double value_at(const dd_plot_points *s, double x, uint64_t *from)
{
    while (*from + 1 < s->count && s->x[(*from + 1) * s->stride] <= x) {
        (*from)++;
    }
    return s->y[*from * s->stride];
}

static void find_range(const dd_plot *plot, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t k = 0; k < plot->n_lines; k++) {
        const dd_plot_points s = dd_plot_series(plot, k);
        for (uint64_t i = 0; i < s.count; i++) {
            const double value = s.y[i * s.stride];
            *low = isfinite(value) ? fmin(*low, value) : *low;
            *high = isfinite(value) ? fmax(*high, value) : *high;
        }
    }
}

/* Where the row of line k begins and ends: half way to its neighbours among the rows drawn, or at the frame. */
static void find_edges(const picture *p, uint32_t k, uint32_t every, double *bottom, double *top)
{
    const double *at = p->plot->heat;
    *bottom = -INFINITY;
    *top = INFINITY;
    for (uint32_t i = 0; i < p->plot->n_lines; i += every) {
        *bottom = at[i] < at[k] ? fmax(*bottom, 0.5 * (at[i] + at[k])) : *bottom;
        *top = at[i] > at[k] ? fmin(*top, 0.5 * (at[i] + at[k])) : *top;
    }
    *bottom = dd_plot_at_y(p, fmax(*bottom, p->y.low));
    *top = dd_plot_at_y(p, fmin(*top, p->y.high));
}

static void add_row(picture *p, uint32_t k, uint32_t every, double low, double high)
{
    const dd_plot_points s = dd_plot_series(p->plot, k);
    const double width = (p->right - p->left) / COLUMNS;
    double bottom, top;
    find_edges(p, k, every, &bottom, &top);
    uint64_t from = 0;
    for (uint32_t i = 0; i < COLUMNS; i++) {
        unsigned rgb[3];
        const double x = p->x.low + (i + 0.5) / COLUMNS * (p->x.high - p->x.low);
        const double value = value_at(&s, x, &from);
        if (isfinite(value)) {
            colour_of(high > low ? (value - low) / (high - low) : 0.5, rgb);
            /* a little wider than a cell: no seams between them */
            dd_text_printf(p->out,
                           "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%02x%02x%02x\"/>",
                           p->left + i * width, top, width + 0.4, bottom - top + 0.4, rgb[0], rgb[1], rgb[2]);
        }
    }
}

void dd_plot_heat_svg(picture *p)
{
    const uint32_t n = p->plot->n_lines, every = n / ROWS + 1;
    double low, high;
    find_range(p->plot, &low, &high);
    /* of very many rows some: each as high as those it stands for */
    dd_text_add(p->out, "<g shape-rendering=\"crispEdges\">"); /* no pattern of half-covered pixels */
    for (uint32_t k = 0; k < n && p->plot->count > 0; k += every) {
        add_row(p, k, every, low, high);
        dd_check_stop(dd_pool_context(p->out->pool));
    }
    dd_text_add(p->out, "</g>");
    dd_text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"r\">%.4g (dark) to %.4g (bright)</text>", p->right,
                   p->top - 5, low, high);
}
