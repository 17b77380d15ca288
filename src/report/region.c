/* region.c - level lines by marching squares, drawn as filled closed paths.
 *
 * The window is covered by a grid with one more ring of points, which are treated as outside: so every level line is
 * closed and the region ends at the frame. Where a line crosses an edge of the grid is found by bisection on the
 * function itself, so the picture is smooth on a coarse grid. Cells with two separate corners inside are decided by the
 * value at their middle.
 *
 *      corner 3 -- edge 2 -- corner 2      a line enters a cell through one edge whose ends differ
 *         |                     |          and leaves it through another one
 *       edge 3               edge 1
 *         |                     |
 *      corner 0 -- edge 0 -- corner 1
 */
#include "report/region.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot.h"

enum {
    CELLS = 200,        /* per side */
    POINTS = CELLS + 3, /* with the ring around */
    COARSE = 160,       /* cells per side when the window is chosen */
    BISECTIONS = 12,
    SIDE = 520, /* of the picture, in pixels */
    LEFT = 64,
    TOP = 56,
    WIDTH = LEFT + SIDE + 28,
    HEIGHT = TOP + SIDE + 84
};

/* attributes, not a style sheet: pages allow no styles but their own, which give these classes the colours of the theme */
#define GRID "stroke=\"#888\" stroke-opacity=\".25\" fill=\"none\""
#define LEVEL_1 "fill=\"#2b6cb0\" fill-opacity=\".28\""
#define LEVEL_2 "fill=\"#2b6cb0\" fill-opacity=\".28\""
#define LEVEL_3 "fill=\"#2b6cb0\" fill-opacity=\".34\""
#define EDGE "fill=\"none\" stroke=\"#1a4f85\" stroke-width=\"1.6\" stroke-linejoin=\"round\""

typedef struct {
    const dd_region *region;
    dd_text *out;
    double left, bottom, size; /* the window: a square */
    double *values;            /* POINTS x POINTS, row by row from the bottom */
    uint8_t *used;             /* edges that a line has passed: 1 horizontal, 2 vertical, at the cell's corner 0 */
    double level;
} picture;

/* ---- the window ---- */

typedef struct {
    double left, right, top; /* of the boundary; symmetric to the real axis */
    bool found;
} extent;

/* the box around all places where the value passes 1 on a coarse grid over [-reach, reach]^2, upper half */
static extent find_extent(const dd_region *g)
{
    extent e = {0};
    /* the lower half is the mirror image */
    const double h = 2 * g->reach / COARSE;
    for (int j = 0; j < COARSE / 2; j++) {
        for (int i = 0; i < COARSE; i++) {
            const double x = -g->reach + h * i, y = h * j;
            const bool inside = g->value(g->user, x, y) <= 1;
            const bool differs =
                inside != (g->value(g->user, x + h, y) <= 1) || inside != (g->value(g->user, x, y + h) <= 1);
            /* a neighbour on the other side: the boundary passes between */
            if (differs) {
                e.left = e.found ? fmin(e.left, x) : x;
                e.right = e.found ? fmax(e.right, x + h) : x + h;
                e.top = fmax(e.top, y + h);
                e.found = true;
            }
        }
    }
    return e;
}

/* a square that holds all boundaries and the origin, with a margin, symmetric to the real axis */
static void choose_window(picture *p, const dd_region *regions, uint32_t count)
{
    extent e = {0};
    double reach = 0;
    for (uint32_t k = 0; k < count; k++) {
        const extent one = find_extent(&regions[k]);
        reach = fmax(reach, regions[k].reach);
        e.left = one.found ? fmin(e.left, one.left) : e.left;
        e.right = one.found ? fmax(e.right, one.right) : e.right;
        e.top = one.found ? fmax(e.top, one.top) : e.top;
        e.found = e.found || one.found;
    }
    /* no boundary within reach: show all of it */
    if (!e.found) {
        e = (extent){.left = -reach, .right = reach, .top = reach};
    }
    /* 16 % around it, but never beyond the reach */
    const double size = 1.16 * fmax(fmax(e.right - e.left, 2 * e.top), 0.1);
    p->size = fmin(size, 2 * reach);
    p->left = 0.5 * (e.left + e.right) - 0.5 * p->size;
    p->bottom = -0.5 * p->size;
}

/* ---- the grid ---- */

static double grid_x(const picture *p, int i)
{
    const int k = i < 1 ? 0 : i > CELLS + 1 ? CELLS : i - 1; /* the ring lies on the frame */
    return p->left + p->size * k / CELLS;
}

static double grid_y(const picture *p, int j)
{
    const int k = j < 1 ? 0 : j > CELLS + 1 ? CELLS : j - 1;
    return p->bottom + p->size * k / CELLS;
}

static bool in_ring(int i, int j)
{
    return i < 1 || j < 1 || i > CELLS + 1 || j > CELLS + 1;
}

static void sample(picture *p)
{
    for (int j = 0; j < POINTS; j++) {
        for (int i = 0; i < POINTS; i++) {
            /* the ring is outside by definition: level lines close along the frame */
            p->values[j * POINTS + i] =
                in_ring(i, j) ? HUGE_VAL : p->region->value(p->region->user, grid_x(p, i), grid_y(p, j));
        }
    }
}

static bool is_inside(const picture *p, int i, int j)
{
    return p->values[j * POINTS + i] <= p->level;
}

/* ---- level lines ---- */

typedef struct {
    int i, j, edge; /* cell by its corner 0, and the edge through which the line leaves it */
} place;

/* the two ends of an edge of cell (i, j) */
static void edge_ends(place at, int *i0, int *j0, int *i1, int *j1)
{
    static const int corner_x[] = {0, 1, 1, 0}, corner_y[] = {0, 0, 1, 1};
    const int a = at.edge, b = (at.edge + 1) % 4;
    *i0 = at.i + corner_x[a];
    *j0 = at.j + corner_y[a];
    *i1 = at.i + corner_x[b];
    *j1 = at.j + corner_y[b];
}

/* Where the value passes the level between the ends of the edge; an end in the ring is the frame itself. */
static void crossing(const picture *p, place at, double *x, double *y)
{
    int i0, j0, i1, j1;
    edge_ends(at, &i0, &j0, &i1, &j1);
    /* from the inside to the outside */
    double inner[2] = {grid_x(p, i0), grid_y(p, j0)}, outer[2] = {grid_x(p, i1), grid_y(p, j1)};
    if (!is_inside(p, i0, j0)) {
        const double kept[2] = {inner[0], inner[1]};
        memcpy(inner, outer, sizeof inner);
        memcpy(outer, kept, sizeof outer);
    }
    /* bisection on the function; at the ring the frame is the boundary */
    for (int k = 0; k < BISECTIONS && !in_ring(i0, j0) && !in_ring(i1, j1); k++) {
        const double mx = 0.5 * (inner[0] + outer[0]), my = 0.5 * (inner[1] + outer[1]);
        double *moved = p->region->value(p->region->user, mx, my) <= p->level ? inner : outer;
        moved[0] = mx;
        moved[1] = my;
    }
    *x = 0.5 * (inner[0] + outer[0]);
    *y = 0.5 * (inner[1] + outer[1]);
}

/* the mark of an edge: each edge belongs to the cell whose corner 0 is its lower or left end */
static uint8_t *edge_mark(picture *p, place at, uint8_t *bit)
{
    /* right and upper edges belong to the next cell */
    const int i = at.i + (at.edge == 1), j = at.j + (at.edge == 2);
    *bit = at.edge % 2 == 0 ? 1 : 2;
    return &p->used[j * POINTS + i];
}

static bool crosses(const picture *p, place at)
{
    int i0, j0, i1, j1;
    edge_ends(at, &i0, &j0, &i1, &j1);
    return is_inside(p, i0, j0) != is_inside(p, i1, j1);
}

/* From the edge through which the line came into the cell to the one through which it leaves: with all four edges
 * crossed, the value in the middle decides which two belong together. */
static int way_out(const picture *p, place in)
{
    int crossed = 0, last = 0;
    /* edges other than the one of entry that the line crosses */
    for (int edge = 0; edge < 4; edge++) {
        if (edge != in.edge && crosses(p, (place){in.i, in.j, edge})) {
            crossed++;
            last = edge;
        }
    }
    /* the usual case: one way out */
    if (crossed == 1) {
        return last;
    }
    /* a saddle: the middle decides which corners are connected */
    const double x = 0.5 * (grid_x(p, in.i) + grid_x(p, in.i + 1)), y = 0.5 * (grid_y(p, in.j) + grid_y(p, in.j + 1));
    const bool middle = p->region->value(p->region->user, x, y) <= p->level;
    /* the first corner of the edge belongs to the middle: the line goes around the second one, else around the first */
    int i0, j0, i1, j1;
    edge_ends(in, &i0, &j0, &i1, &j1);
    return is_inside(p, i0, j0) == middle ? (in.edge + 1) % 4 : (in.edge + 3) % 4;
}

static place neighbour(place at)
{
    static const int step_x[] = {0, 1, 0, -1}, step_y[] = {-1, 0, 1, 0};
    return (place){at.i + step_x[at.edge], at.j + step_y[at.edge], (at.edge + 2) % 4};
}

static void add_point(const picture *p, char command, double x, double y)
{
    dd_text_printf(p->out, "%c%.2f %.2f", command, LEFT + SIDE * (x - p->left) / p->size,
                   TOP + SIDE * (1 - (y - p->bottom) / p->size));
}

/* follows one closed line and writes it */
static void trace(picture *p, place at)
{
    char command = 'M';
    uint8_t bit;
    uint8_t *mark = edge_mark(p, at, &bit);
    /* until the line is back at its first edge */
    while (!(*mark & bit)) {
        double x, y;
        *mark |= bit;
        crossing(p, at, &x, &y);
        add_point(p, command, x, y);
        command = 'L';
        const place in = neighbour(at);
        at = (place){in.i, in.j, way_out(p, in)};
        mark = edge_mark(p, at, &bit);
    }
    dd_text_add_char(p->out, 'Z');
}

/* all lines of one level as one path */
static void add_level(picture *p, double level, const char *style)
{
    p->level = level;
    /* one path for all lines of the level: even-odd filling makes holes */
    memset(p->used, 0, (size_t)POINTS * POINTS);
    dd_text_printf(p->out, "<path fill-rule=\"evenodd\" %s d=\"", style);
    for (int j = 0; j < POINTS - 1; j++) {
        for (int i = 0; i < POINTS - 1; i++) {
            /* lower and left edge of each cell: every edge once */
            for (int edge = 0; edge < 4; edge += 3) {
                const place at = {i, j, edge};
                uint8_t bit;
                const uint8_t *mark = edge_mark(p, at, &bit);
                if (!(*mark & bit) && crosses(p, at)) {
                    trace(p, at);
                }
            }
        }
    }
    dd_text_add(p->out, "\"/>\n");
}

/* ---- axes ---- */

/* 1, 2 or 5 times a power of ten, so that about six of them fit */
static double tick_step(double size)
{
    const double raw = size / 6, power = pow(10, floor(log10(raw)));
    const double digit = raw / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

static void add_tick(const picture *p, bool horizontal, double value)
{
    const double start = horizontal ? p->left : p->bottom;
    /* position along the axis in pixels */
    const double at = SIDE * (value - start) / p->size;
    char number[32];
    if (horizontal) {
        const double x = LEFT + at;
        dd_text_printf(p->out, "<path " GRID " d=\"M%.2f %dV%d\"/>", x, TOP, TOP + SIDE);
        dd_text_printf(p->out, "<text x=\"%.2f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x, TOP + SIDE + 20,
                       dd_number_text(value, number));
    } else {
        const double y = TOP + SIDE - at;
        dd_text_printf(p->out, "<path " GRID " d=\"M%d %.2fH%d\"/>", LEFT, y, LEFT + SIDE);
        dd_text_printf(p->out, "<text x=\"%d\" y=\"%.2f\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 4.5,
                       dd_number_text(value, number));
    }
}

static void add_axes(const picture *p)
{
    const double step = tick_step(p->size);
    for (int horizontal = 0; horizontal < 2; horizontal++) {
        const double start = horizontal ? p->left : p->bottom;
        /* whole multiples of the step within the window */
        const int first = (int)ceil(start / step), last = (int)floor((start + p->size) / step);
        for (int k = first; k <= last; k++) {
            add_tick(p, horizontal, round(k * step * 1e9) / 1e9);
        }
    }
    /* the axes through the origin, the frame, and the names */
    const double x = LEFT - SIDE * p->left / p->size, y = TOP + SIDE * (1 + p->bottom / p->size);
    dd_text_printf(p->out, "<path class=\"f\" fill=\"none\" stroke=\"#222\" d=\"M%.2f %dV%dM%d %.2fH%d\"/>\n", x, TOP,
                   TOP + SIDE, LEFT, y, LEFT + SIDE);
    dd_text_printf(p->out,
                   "<rect class=\"f\" fill=\"none\" stroke=\"#222\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                   LEFT, TOP, SIDE, SIDE);
    dd_text_printf(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">Re z</text>\n", LEFT + SIDE / 2,
                   TOP + SIDE + 40);
    dd_text_printf(p->out, "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">Im z</text>\n",
                   TOP + SIDE / 2);
}

/* ---- the whole ---- */

static void add_text(const picture *p, int x, int y, const char *attributes, const char *text)
{
    dd_text_printf(p->out, "<text x=\"%d\" y=\"%d\" %s>", x, y, attributes);
    dd_text_add_xml(p->out, text);
    dd_text_add(p->out, "</text>\n");
}

static void add_legend(const picture *p)
{
    static const char *const fills[] = {LEVEL_1, LEVEL_2, LEVEL_3};
    const char *texts[] = {p->region->label, "at most 1/2", "at most 1/10"};
    int x = LEFT;
    for (int k = 0; k < 3; k++) {
        /* shades lie on top of each other, as in the picture */
        const int y = TOP + SIDE + 66;
        for (int layer = 0; layer <= k; layer++) {
            dd_text_printf(p->out, "<rect %s x=\"%d\" y=\"%d\" width=\"14\" height=\"14\"/>", fills[layer], x, y - 12);
        }
        add_text(p, x + 20, y, "", texts[k]);
        x += 34 + 8 * (int)strlen(texts[k]);
    }
}

static void add_head(const picture *p, const char *title, const char *subtitle, int height)
{
    /* size, title, style, white ground, headlines */
    dd_text_printf(
        p->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
        "class=\"region\">\n",
        WIDTH, height, WIDTH, height);
    dd_text_add(p->out, "<title>");
    dd_text_add_xml(p->out, title);
    dd_text_add(p->out, "</title>\n");
    dd_text_printf(p->out,
                   "<rect class=\"w\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n"
                   "<g font-family=\"sans-serif\" font-size=\"14\" fill=\"#222\">\n",
                   WIDTH, height);
    add_text(p, LEFT, 24, "font-size=\"17\" font-weight=\"600\"", title);
    if (subtitle) {
        add_text(p, LEFT, 44, "fill=\"#555\"", subtitle);
    }
}

static picture new_picture(dd_text *out)
{
    picture p = {.out = out};
    p.values = dd_pool_alloc_array(out->pool, (size_t)POINTS * POINTS, sizeof *p.values);
    p.used = dd_pool_alloc_array(out->pool, (size_t)POINTS * POINTS, 1);
    return p;
}

void dd_region_svg(dd_text *out, const dd_region *region)
{
    picture p = new_picture(out);
    p.region = region;
    /* the grid once; then one level after the other, the boundary last */
    choose_window(&p, region, 1);
    sample(&p);
    add_head(&p, region->title, region->subtitle, HEIGHT);
    add_level(&p, 1, LEVEL_1);
    add_level(&p, 0.5, LEVEL_2);
    add_level(&p, 0.1, LEVEL_3);
    add_level(&p, 1, EDGE);
    add_axes(&p);
    add_legend(&p);
    dd_text_add(out, "</g>\n</svg>\n");
}

/* ---- several ---- */

enum { LEGEND_COLUMNS = 3, LEGEND_LINE = 20 };

/* Labels with their colours below the picture, a few in a line. */
static void add_labels(const picture *p, const dd_region *regions, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const int x = LEFT + (int)(k % LEGEND_COLUMNS) * (SIDE / LEGEND_COLUMNS);
        const int y = TOP + SIDE + 66 + LEGEND_LINE * (int)(k / LEGEND_COLUMNS);
        const char *colour = dd_plot_colour(k);
        dd_text_printf(p->out,
                       "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"14\" fill=\"%s\" fill-opacity=\".15\" "
                       "stroke=\"%s\" stroke-width=\"2\"/>",
                       x, y - 12, colour, colour);
        add_text(p, x + 20, y, "", regions[k].label);
    }
}

void dd_regions_svg(dd_text *out, const char *title, const char *subtitle, const dd_region *regions, uint32_t count)
{
    picture p = new_picture(out);
    const int lines = (int)((count + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS);
    choose_window(&p, regions, count);
    add_head(&p, title, subtitle, HEIGHT + LEGEND_LINE * (lines - 1));
    /* each by itself: its inside lightly, its boundary in full colour */
    for (uint32_t k = 0; k < count; k++) {
        char style[160];
        snprintf(style, sizeof style,
                 "fill=\"%s\" fill-opacity=\".07\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\"",
                 dd_plot_colour(k), dd_plot_colour(k));
        p.region = &regions[k];
        sample(&p);
        add_level(&p, 1, style);
    }
    /* boundaries that end at the frame run along it: covered */
    dd_text_printf(out,
                   "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"v\" fill=\"none\" stroke=\"#fff\" "
                   "stroke-width=\"4\"/>\n",
                   LEFT, TOP, SIDE, SIDE);
    add_axes(&p);
    add_labels(&p, regions, count);
    dd_text_add(out, "</g>\n</svg>\n");
}
