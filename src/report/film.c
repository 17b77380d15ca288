/* film.c - a motion as one picture: a few poses at equal distances in time, the first ones faint, the last one solid, and the
 * trails that lead there. 3D scenes are seen from a direction without perspective, and painted from the back to the front. */
#include "report/film.h"

#include <math.h>
#include <string.h>

#include "report/plot.h"

enum {
    WIDTH = 760,
    NARROWEST = 420,
    HIGHEST = 560,
    LOWEST = 240,
    MARGIN = 26,
    TRAIL_POINTS = 600,
    GRID_LINES = 10,
    MANY_SHAPES = 300,
    MOST_REPEATED = 2000
};

/* ---- the view ---- */

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double a[3])
{
    const double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (uint32_t k = 0; k < 3 && length > 0; k++) {
        a[k] /= length;
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void dd_film_project(const dd_film_view *v, const double at[3], double xy[2], double *depth)
{
    const double d[3] = {at[0] - v->centre[0], at[1] - v->centre[1], at[2] - v->centre[2]};
    xy[0] = 0.5 * v->width + v->scale * dot(d, v->right);
    xy[1] = 0.5 * v->height - v->scale * dot(d, v->up);
    *depth = dot(d, v->ahead);
}

static void look(dd_film_view *v, const dd_scene *s)
{
    /* from the front in the plane, else a little from above and from the side; straight down has north up */
    static const double front[3] = {0, -1, 0}, corner[3] = {0.45, -1, 0.42};
    double up[3] = {0, 0, 1};
    const double *from = s->view.has_from ? s->view.from : v->plane ? front : corner;
    for (uint32_t k = 0; k < 3; k++) {
        v->ahead[k] = -from[k];
    }
    normalize(v->ahead);
    if (fabs(v->ahead[2]) > 0.999) {
        up[1] = 1;
        up[2] = 0;
    }
    cross(v->ahead, up, v->right);
    normalize(v->right);
    cross(v->right, v->ahead, v->up);
}

/* The projection of the box around everything fills the picture. */
static void fit(dd_film_view *v, const dd_scene *s)
{
    double low[3], high[3], x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
    dd_scene_bounds(s, low, high);
    v->extent = hypot(hypot(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    v->extent = v->extent > 0 ? v->extent : 1;
    for (uint32_t k = 0; k < 3; k++) {
        v->centre[k] = s->view.has_centre ? s->view.centre[k] : 0.5 * (low[k] + high[k]);
    }
    for (uint32_t corner = 0; corner < 8; corner++) {
        const double d[3] = {(corner & 1 ? high : low)[0] - v->centre[0], (corner & 2 ? high : low)[1] - v->centre[1],
                             (corner & 4 ? high : low)[2] - v->centre[2]};
        const double across = dot(d, v->right), above = dot(d, v->up);
        x[0] = fmin(x[0], across), x[1] = fmax(x[1], across);
        y[0] = fmin(y[0], above), y[1] = fmax(y[1], above);
    }
    /* room for radii; the picture is as high as it needs to be, within limits */
    const double room = 0.06 * v->extent;
    const double wide = s->view.has_width ? s->view.width : fmax(x[1] - x[0] + room, 0.4 * v->extent);
    const double tall = fmax(y[1] - y[0] + room, 0.2 * v->extent);
    v->width = WIDTH;
    v->scale = (WIDTH - 2 * MARGIN) / wide;
    v->height = fmin(fmax(v->scale * tall + 2 * MARGIN, LOWEST), HIGHEST);
    v->scale = s->view.has_width ? v->scale : fmin(v->scale, (v->height - 2 * MARGIN) / tall);
    v->width = fmin(fmax(v->scale * wide + 2 * MARGIN, NARROWEST), WIDTH);
    /* the middle of what is seen */
    for (uint32_t k = 0; k < 3 && !s->view.has_centre; k++) {
        v->centre[k] += 0.5 * (x[0] + x[1]) * v->right[k] + 0.5 * (y[0] + y[1]) * v->up[k];
    }
}

/* ---- what does not move ---- */

static void add_line(const dd_film *film, const double a[3], const double b[3])
{
    double from[2], to[2], depth;
    dd_film_project(&film->view, a, from, &depth);
    dd_film_project(&film->view, b, to, &depth);
    dd_text_printf(film->out, "M%.1f %.1fL%.1f %.1f", from[0], from[1], to[0], to[1]);
}

/* A grid in space, a line in the plane. */
static void add_ground(const dd_film *film, const dd_scene_motion *m, const dd_scene_shape *shape)
{
    const dd_film_view *v = &film->view;
    const double z = dd_scene_number(film->scene, m, m->frames - 1, shape, 2);
    const double half = v->plane ? 0.5 * v->width / v->scale : 0.6 * v->extent, step = 2 * half / GRID_LINES;
    dd_text_add(film->out, "<path class=\"ground\" d=\"");
    for (uint32_t i = 0; i <= GRID_LINES && !v->plane; i++) {
        const double at = -half + i * step, x = v->centre[0], y = v->centre[1];
        add_line(film, (double[]){x + at, y - half, z}, (double[]){x + at, y + half, z});
        add_line(film, (double[]){x - half, y + at, z}, (double[]){x + half, y + at, z});
    }
    if (v->plane) {
        add_line(film, (double[]){v->centre[0] - half, 0, z}, (double[]){v->centre[0] + half, 0, z});
    }
    dd_text_add(film->out, "\"/>\n");
}

static void add_trail(const dd_film *film, const dd_scene_motion *m, uint32_t index, bool over)
{
    const dd_scene_shape *shape = &film->scene->shapes[index];
    /* a point per few frames is smooth enough; a trail of limited duration is drawn as the end sees it */
    const uint32_t every = m->frames / TRAIL_POINTS + 1, last = m->frames - 1;
    const double since = shape->look.scale > 0 ? m->time[last] - shape->look.scale : -INFINITY;
    bool down = false;
    dd_text_add(film->out, "<path class=\"trail\" stroke=\"");
    dd_film_add_colour(film->out, over ? 0x8a929b : film->colour[index], 1);
    dd_text_add(film->out, over ? "\" stroke-dasharray=\"5 4\" d=\"" : "\" d=\"");
    for (uint32_t f = 0; f < m->frames; f = f + every <= last || f == last ? f + every : last) {
        double at[3], xy[2], depth;
        for (uint32_t k = 0; k < 3; k++) {
            at[k] = dd_scene_number(film->scene, m, f, shape, k);
        }
        dd_film_project(&film->view, at, xy, &depth);
        if (m->time[f] < since || !isfinite(xy[0]) || !isfinite(xy[1])) {
            down = false;
            continue;
        }
        dd_text_printf(film->out, "%s%.1f %.1f", down ? "L" : "M", xy[0], xy[1]);
        down = true;
    }
    dd_text_add(film->out, "\"/>\n");
}

static void add_still(const dd_film *film)
{
    const dd_scene *s = film->scene;
    for (uint32_t i = 0; i < s->n_shapes; i++) {
        if (s->shapes[i].kind == DD_SHAPE_GROUND) {
            add_ground(film, &s->motions[0], &s->shapes[i]);
        }
    }
    /* trails of motions laid over the run first: the run is on top */
    for (uint32_t k = s->n_motions; k-- > 0;) {
        for (uint32_t i = 0; i < s->n_shapes; i++) {
            if (s->shapes[i].kind == DD_SHAPE_TRAIL) {
                add_trail(film, &s->motions[k], i, k > 0);
            }
        }
    }
}

/* ---- poses ---- */

static void add_pose(const dd_film *film, const dd_scene_motion *m, uint32_t frame, double opacity, bool labels)
{
    dd_piece_vec pieces = {0};
    for (uint32_t i = 0; i < film->scene->n_shapes; i++) {
        dd_film_shape(film, m, frame, i, labels, &pieces);
    }
    dd_text_printf(film->out, "<g opacity=\"%.2f\">\n", opacity);
    dd_film_paint(film, &pieces);
    dd_text_add(film->out, "</g>\n");
    dd_vec_free(film->pool, &pieces);
}

static void add_poses(const dd_film *film)
{
    const dd_scene *s = film->scene;
    /* the end of every motion laid over the run, faint */
    for (uint32_t k = s->n_motions; k-- > 1;) {
        add_pose(film, &s->motions[k], s->motions[k].frames - 1, 0.35, false);
    }
    const dd_scene_motion *m = &s->motions[0];
    const double begin = m->time[0], end = m->time[m->frames - 1];
    uint32_t last = UINT32_MAX;
    /* of very many shapes the end alone: more would hide each other, and the file would be large */
    for (uint32_t i = s->n_shapes > MOST_REPEATED ? DD_FILM_POSES - 1 : 0; i < DD_FILM_POSES; i++) {
        const double part = (double)i / (DD_FILM_POSES - 1);
        const uint32_t frame = i + 1 == DD_FILM_POSES ? m->frames - 1 : dd_scene_frame(m, begin + part * (end - begin));
        /* a run of few frames has fewer poses */
        if (frame != last || i + 1 == DD_FILM_POSES) {
            add_pose(film, m, frame, 0.12 + 0.88 * part * part, i + 1 == DD_FILM_POSES);
        }
        last = frame;
    }
}

/* ---- the picture ---- */

static const char style[] = ".trail{fill:none;stroke-width:1.4;stroke-opacity:.75;stroke-linejoin:round}"
                            ".ground{fill:none;stroke:#9aa5b1;stroke-width:.7;stroke-opacity:.6}"
                            ".words{font:13px system-ui,Helvetica,Arial,sans-serif;fill:#39424c}";

void dd_film_svg(dd_text *out, const dd_scene *s, const char *title, bool file, dd_pool *pool)
{
    dd_film film = {.scene = s,
                    .colour = dd_film_colours(s, pool),
                    .longest = dd_scene_longest(s, pool),
                    .coarse = s->n_shapes > MANY_SHAPES,
                    .pool = pool,
                    .out = out,
                    .view.plane = dd_scene_is_plane(s)};
    look(&film.view, s);
    fit(&film.view, s);
    dd_text_printf(out, "<svg class=\"film\" %sviewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
                   file ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", film.view.width, film.view.height);
    dd_text_add(out, "<title>");
    dd_html_text(out, title);
    dd_text_add(out, "</title>\n");
    /* a file has a background and its own style: it may be shown anywhere */
    if (file) {
        dd_text_printf(out, "<style>%s</style>\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n", style,
                       film.view.width, film.view.height);
    }
    add_still(&film);
    add_poses(&film);
    dd_text_add(out, "</svg>\n");
}
