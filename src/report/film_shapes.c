/* film_shapes.c - the shapes of one pose as flat pieces. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "report/film.h"

/* Sizes of what has none, as parts of the scene; an arrow of the greatest length is LONGEST of it. */
static const double LINE_PART = 0.007, POINT_PART = 0.013, LONGEST = 0.22, FRAME_PART = 0.09, SPRING_PART = 0.02,
                    HINGE_PART = 0.012;
/* Lines and disks are never thinner than this, in pixels. */
static const double THINNEST = 0.9, SMALLEST = 2.2;
enum { COILS = 9, SPRING_STEPS = 6, LONG_PIECES = 8 };

static const int32_t palette[] = {0x2f7fc1, 0xe07a1f, 0x2a9d78, 0x7d5ba6, 0xd1495b, 0x17858f, 0xc99a2e, 0x6c7f93};

/* Elements of an array of components have one name: subscripts do not count. */
static uint64_t bare_name(const char *name, dd_text *scratch)
{
    dd_text_clear(scratch);
    for (const char *c = name; *c != '\0'; c += *c == '[' ? strcspn(c, "]") : 1) {
        dd_text_add_char(scratch, *c);
    }
    return dd_hash_bytes(dd_text_str(scratch), scratch->len);
}

const int32_t *dd_film_colours(const dd_scene *s, dd_pool *pool)
{
    enum { COLOURS = sizeof palette / sizeof *palette };
    int32_t *colours = dd_pool_alloc_array(pool, (size_t)s->n_shapes + 1, sizeof *colours);
    dd_text scratch = dd_text_new(pool);
    dd_map number_of = dd_map_new(pool);
    uint64_t last = 0;
    uint32_t number = 0;
    for (uint32_t i = 0; i < s->n_shapes; i++) {
        const dd_scene_shape *shape = &s->shapes[i];
        const uint64_t name = bare_name(shape->look.name, &scratch);
        /* a name that differs from its neighbour gets the next number; the first of a name decides */
        number += i == 0 || name != last;
        last = name;
        if (dd_map_get(&number_of, name) == 0) {
            dd_map_put(&number_of, name, number);
        }
        colours[i] = shape->look.colour >= 0         ? shape->look.colour
                     : shape->kind == DD_SHAPE_ARROW ? 0xd1495b
                     : shape->kind == DD_SHAPE_HINGE ? 0x39424c
                                                     : palette[(dd_map_get(&number_of, name) - 1) % COLOURS];
    }
    return colours;
}

typedef struct making {
    const dd_film *film;
    const dd_scene_motion *m;
    uint32_t frame;
    const dd_scene_shape *shape;
    int32_t colour;
    dd_piece_vec *out;
} making;

static double number(const making *k, uint32_t i)
{
    return dd_scene_number(k->film->scene, k->m, k->frame, k->shape, i);
}

static void point_of(const making *k, uint32_t i, double at[3])
{
    for (uint32_t c = 0; c < 3; c++) {
        at[c] = number(k, 3 * i + c);
    }
}

static double radius_of(const making *k, double part)
{
    return k->shape->has[DD_PART_RADIUS] ? fabs(number(k, dd_shape_offset(k->shape, DD_PART_RADIUS)))
                                         : part * k->film->view.extent;
}

static dd_piece new_piece(const making *k, dd_piece_kind kind)
{
    return (dd_piece){.kind = kind, .opacity = k->shape->look.opacity, .colour = k->colour};
}

/* ---- disks, strokes, words ---- */

static void add_disk(making *k, const double at[3], double radius)
{
    dd_piece p = new_piece(k, DD_PIECE_DISK);
    dd_film_project(&k->film->view, at, p.xy, &p.depth);
    p.depth -= radius;
    p.radius = fmax(k->film->view.scale * radius, SMALLEST);
    dd_vec_push(k->film->pool, k->out, p);
}

static void add_cap(making *k, const double at[3], double radius, double depth)
{
    dd_piece p = new_piece(k, DD_PIECE_CAP);
    double own;
    dd_film_project(&k->film->view, at, p.xy, &own);
    p.depth = depth;
    p.radius = radius;
    dd_vec_push(k->film->pool, k->out, p);
}

/* A long stroke in several pieces, each with its own depth: other shapes may be before one end and behind the other. Caps at
 * its ends are painted just before the piece they belong to. */
static void add_stroke(making *k, const double a[3], const double b[3], double radius, uint32_t pieces)
{
    const double width = fmax(k->film->view.scale * radius, THINNEST), behind = 1e-6 * k->film->view.extent;
    for (uint32_t i = 0; i < pieces; i++) {
        dd_piece p = new_piece(k, DD_PIECE_STROKE);
        double ends[2][3], depth[2];
        for (uint32_t c = 0; c < 3; c++) {
            ends[0][c] = a[c] + (b[c] - a[c]) * i / pieces;
            ends[1][c] = a[c] + (b[c] - a[c]) * (i + 1) / pieces;
        }
        dd_film_project(&k->film->view, ends[0], p.xy, &depth[0]);
        dd_film_project(&k->film->view, ends[1], p.xy + 2, &depth[1]);
        p.depth = 0.5 * (depth[0] + depth[1]);
        p.radius = width;
        if (i == 0) {
            add_cap(k, a, width, p.depth + behind);
        }
        if (i + 1 == pieces) {
            add_cap(k, b, width, p.depth + behind);
        }
        dd_vec_push(k->film->pool, k->out, p);
    }
}

static uint32_t pieces_of(const making *k)
{
    return k->film->view.plane || k->film->coarse || k->shape->look.opacity < 1 ? 1 : LONG_PIECES;
}

static void add_words(making *k, const char *words, double beside)
{
    dd_piece p = new_piece(k, DD_PIECE_WORDS);
    double at[3];
    point_of(k, 0, at);
    dd_film_project(&k->film->view, at, p.xy, &p.depth);
    p.xy[0] += k->film->view.scale * beside + 6;
    p.xy[1] -= k->film->view.scale * beside + 4;
    p.words = words;
    dd_vec_push(k->film->pool, k->out, p);
}

static void add_line(making *k)
{
    const double radius = radius_of(k, LINE_PART);
    const uint32_t n = k->shape->n_points, segments = k->shape->closed ? n : n - 1;
    for (uint32_t i = 0; i < segments; i++) {
        double a[3], b[3];
        point_of(k, i, a);
        point_of(k, (i + 1) % n, b);
        add_stroke(k, a, b, radius, n > 12 ? 1 : pieces_of(k));
    }
}

/* ---- vectors ---- */

static void sum_of(const double a[3], double s, const double b[3], double out[3])
{
    for (uint32_t c = 0; c < 3; c++) {
        out[c] = a[c] + s * b[c];
    }
}

static double length_of(const double a[3])
{
    return hypot(hypot(a[0], a[1]), a[2]);
}

/* Two directions across a. */
static void across(const double a[3], double u[3], double w[3])
{
    const double length = length_of(a);
    const double d[3] = {length > 0 ? a[0] / length : 0, length > 0 ? a[1] / length : 0,
                         length > 0 ? a[2] / length : 1};
    const double other[3] = {fabs(d[1]) < 0.9 ? 0 : 1, fabs(d[1]) < 0.9 ? 1 : 0, 0};
    const double u1[3] = {d[1] * other[2] - d[2] * other[1], d[2] * other[0] - d[0] * other[2],
                          d[0] * other[1] - d[1] * other[0]};
    const double norm = length_of(u1);
    for (uint32_t c = 0; c < 3; c++) {
        u[c] = u1[c] / (norm > 0 ? norm : 1);
    }
    w[0] = d[1] * u[2] - d[2] * u[1];
    w[1] = d[2] * u[0] - d[0] * u[2];
    w[2] = d[0] * u[1] - d[1] * u[0];
}

/* From a along v, with a head at its end. */
static void add_arrow(making *k, const double a[3], const double v[3], double radius)
{
    const double length = length_of(v), head = fmin(5 * radius, 0.6 * length);
    double neck[3], tip[3], depth;
    if (!(length > 0)) {
        return;
    }
    sum_of(a, 1 - head / length, v, neck);
    sum_of(a, 1, v, tip);
    add_stroke(k, a, neck, radius, 1);
    dd_piece p = new_piece(k, DD_PIECE_HEAD);
    dd_film_project(&k->film->view, neck, p.xy, &p.depth);
    dd_film_project(&k->film->view, tip, p.xy + 2, &depth);
    p.depth = fmin(p.depth, depth) - radius;
    p.radius = fmax(k->film->view.scale * 2.2 * radius, 2.5);
    dd_vec_push(k->film->pool, k->out, p);
}

static void add_force(making *k)
{
    const uint32_t at = dd_shape_offset(k->shape, DD_PART_VECTOR);
    const double longest = k->film->longest[k->shape - k->film->scene->shapes];
    const double scale = k->shape->look.scale != 0 ? k->shape->look.scale
                         : longest > 0             ? LONGEST * k->film->view.extent / longest
                                                   : 0;
    double a[3], v[3];
    point_of(k, 0, a);
    for (uint32_t c = 0; c < 3; c++) {
        v[c] = scale * number(k, at + c);
    }
    add_arrow(k, a, v, radius_of(k, LINE_PART));
}

/* The three axes of a body in the world. */
static void axes_of(const making *k, double axes[3][3])
{
    const uint32_t at = dd_shape_offset(k->shape, DD_PART_AXES);
    for (uint32_t c = 0; c < 3; c++) {
        axes[0][c] = number(k, at + c);
        axes[1][c] = number(k, at + 3 + c);
    }
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t d = (c + 1) % 3, e = (c + 2) % 3;
        axes[2][c] = axes[0][d] * axes[1][e] - axes[0][e] * axes[1][d];
    }
}

static void add_frame(making *k)
{
    static const int32_t colours[3] = {0xd1495b, 0x2a9d78, 0x2f7fc1};
    const double length = radius_of(k, FRAME_PART);
    double a[3], axes[3][3], v[3];
    point_of(k, 0, a);
    axes_of(k, axes);
    for (uint32_t i = 0; i < 3; i++) {
        if (k->shape->plane && i == 1) { /* it points away from the eye */
            continue;
        }
        sum_of((double[]){0, 0, 0}, length, axes[i], v);
        k->colour = k->shape->plane && i == 2 ? colours[1] : colours[i];
        add_arrow(k, a, v, 0.05 * length);
    }
}

/* ---- bodies ---- */

static void add_face(making *k, const double centre[3], const double normal[3], const double u[3], const double w[3],
                     bool smooth)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const dd_film_view *v = &k->film->view;
    const double length = length_of(normal);
    const double facing =
        length > 0 ? -(normal[0] * v->ahead[0] + normal[1] * v->ahead[1] + normal[2] * v->ahead[2]) / length : 0;
    if (facing <= 1e-6) { /* the other faces hide it */
        return;
    }
    dd_piece p = new_piece(k, DD_PIECE_FACE);
    double at[3], depth, rise = normal[2] / length;
    for (uint32_t i = 0; i < 4; i++) {
        sum_of(centre, corner[i][0], u, at);
        sum_of(at, corner[i][1], w, at);
        dd_film_project(v, at, p.xy + 2 * i, &depth);
        p.depth += 0.25 * depth;
    }
    p.smooth = smooth;
    p.light = v->plane ? 0.7 : 0.45 + 0.25 * facing + 0.35 * rise;
    dd_vec_push(k->film->pool, k->out, p);
}

static void add_box(making *k)
{
    const uint32_t at = dd_shape_offset(k->shape, DD_PART_SIZE);
    double centre[3], axes[3][3], face[3];
    point_of(k, 0, centre);
    axes_of(k, axes);
    for (uint32_t i = 0; i < 3; i++) {
        const double half = fmax(0.5 * fabs(number(k, at + i)), 0.005 * k->film->view.extent); /* a plate can be seen */
        for (uint32_t c = 0; c < 3; c++) {
            axes[i][c] *= half;
        }
    }
    for (uint32_t i = 0; i < 6; i++) {
        const double sign = i < 3 ? 1 : -1, *normal = axes[i % 3];
        sum_of(centre, sign, normal, face);
        add_face(k, face, (double[]){sign * normal[0], sign * normal[1], sign * normal[2]}, axes[(i + 1) % 3],
                 axes[(i + 2) % 3], false);
    }
}

/* A part of the lid of a cylinder: from the middle to two neighbours on the rim. */
static void add_wedge(making *k, const double middle[3], const double normal[3], const double a[3], const double b[3])
{
    const dd_film_view *v = &k->film->view;
    const double length = length_of(normal);
    const double facing =
        length > 0 ? -(normal[0] * v->ahead[0] + normal[1] * v->ahead[1] + normal[2] * v->ahead[2]) / length : 0;
    if (facing <= 1e-6) {
        return;
    }
    const double *corner[DD_FACE_CORNERS] = {middle, a, b, middle};
    dd_piece p = new_piece(k, DD_PIECE_FACE);
    double depth;
    for (uint32_t i = 0; i < DD_FACE_CORNERS; i++) {
        dd_film_project(v, corner[i], p.xy + 2 * i, &depth);
        p.depth = i == 0 ? depth : p.depth; /* one depth for the whole lid: its parts stay together */
    }
    p.smooth = true;
    p.light = 0.45 + 0.25 * facing + 0.35 * normal[2] / length;
    dd_vec_push(k->film->pool, k->out, p);
}

/* A prism of so many sides that it looks round, with its lids. */
static void add_tube(making *k, const double a[3], const double b[3], double radius)
{
    enum { SIDES = 24 };
    const double turn = 2 * 3.14159265358979323846 / SIDES;
    double along[3], back[3], u[3], w[3], rim[2][3], side[3];
    if (k->film->view.plane || k->film->coarse) {
        add_stroke(k, a, b, radius, 1);
        return;
    }
    sum_of(b, -1, a, along);
    sum_of(a, -1, b, back);
    across(along, u, w);
    for (uint32_t i = 0; i < SIDES; i++) {
        double normal[3], face[3], half[3];
        const double phi = i * turn, wide = radius * sin(0.5 * turn);
        for (uint32_t c = 0; c < 3; c++) {
            normal[c] = cos(phi) * u[c] + sin(phi) * w[c];
            side[c] = wide * (cos(phi) * w[c] - sin(phi) * u[c]);
            half[c] = 0.5 * along[c];
            face[c] = 0.5 * (a[c] + b[c]) + radius * cos(0.5 * turn) * normal[c];
        }
        add_face(k, face, normal, half, side, true);
        /* both lids from the same two points of the rim */
        for (uint32_t end = 0; end < 2; end++) {
            for (uint32_t c = 0; c < 3; c++) {
                const double middle = face[c] + (end == 0 ? half[c] : -half[c]);
                rim[0][c] = middle - side[c];
                rim[1][c] = middle + side[c];
            }
            add_wedge(k, end == 0 ? b : a, end == 0 ? along : back, rim[0], rim[1]);
        }
    }
}

static void add_cylinder(making *k)
{
    double a[3], b[3];
    point_of(k, 0, a);
    point_of(k, 1, b);
    add_tube(k, a, b, radius_of(k, LINE_PART));
}

/* A short cylinder along its axis, in the plane a ring: as large as the scene suggests. */
static void add_hinge(making *k)
{
    const double radius = radius_of(k, HINGE_PART);
    double at[3], axis[3], a[3], b[3];
    point_of(k, 0, at);
    if (!k->shape->has[DD_PART_VECTOR]) {
        add_disk(k, at, radius);
        return;
    }
    for (uint32_t c = 0; c < 3; c++) {
        axis[c] = number(k, dd_shape_offset(k->shape, DD_PART_VECTOR) + c);
    }
    const double length = length_of(axis);
    sum_of(at, length > 0 ? -1.5 * radius / length : 0, axis, a);
    sum_of(at, length > 0 ? 1.5 * radius / length : 0, axis, b);
    add_tube(k, a, b, radius);
}

static void add_spring(making *k)
{
    const double radius = radius_of(k, SPRING_PART),
                 coils = k->shape->look.scale > 0 ? fmin(k->shape->look.scale, 200) : COILS;
    const uint32_t steps = (uint32_t)ceil(coils * (k->film->view.plane ? 2 : SPRING_STEPS));
    double a[3], b[3], along[3], u[3], w[3], last[3], at[3];
    point_of(k, 0, a);
    point_of(k, 1, b);
    if (k->film->coarse) {
        add_stroke(k, a, b, 0.3 * LINE_PART * k->film->view.extent, 1);
        return;
    }
    sum_of(b, -1, a, along);
    across(along, u, w);
    memcpy(last, a, sizeof last);
    for (uint32_t i = 0; i <= steps + 1; i++) {
        /* straight ends, a zigzag in the plane, a helix in space */
        const double part = i > steps ? 1 : 0.1 + 0.8 * i / steps, phi = 2 * 3.14159265358979323846 * coils * i / steps;
        const double side = i == 0 || i >= steps ? 0 : k->film->view.plane ? (i % 2 ? 1 : -1) : cos(phi);
        const double other = i == 0 || i >= steps || k->film->view.plane ? 0 : sin(phi);
        sum_of(a, part, along, at);
        sum_of(at, radius * side, u, at);
        sum_of(at, radius * other, w, at);
        add_stroke(k, last, at, 0.3 * LINE_PART * k->film->view.extent, 1);
        memcpy(last, at, sizeof last);
    }
}

/* ---- all kinds ---- */

void dd_film_shape(const dd_film *film, const dd_scene_motion *m, uint32_t frame, uint32_t index, bool labels,
                   dd_piece_vec *out)
{
    const dd_scene_shape *shape = &film->scene->shapes[index];
    making k = {film, m, frame, shape, film->colour[index], out};
    const uint32_t before = out->len;
    double at[3];
    point_of(&k, 0, at);
    switch (shape->kind) {
    case DD_SHAPE_POINT:
    case DD_SHAPE_SPHERE:
        add_disk(&k, at, radius_of(&k, POINT_PART));
        break;
    case DD_SHAPE_LINE:
        add_line(&k);
        break;
    case DD_SHAPE_CYLINDER:
        add_cylinder(&k);
        break;
    case DD_SHAPE_SPRING:
        add_spring(&k);
        break;
    case DD_SHAPE_BOX:
        add_box(&k);
        break;
    case DD_SHAPE_HINGE:
        add_hinge(&k);
        break;
    case DD_SHAPE_FRAME:
        add_frame(&k);
        break;
    case DD_SHAPE_ARROW:
        add_force(&k);
        break;
    default: /* trails, ground and words do not belong to a pose */
        break;
    }
    const bool words = shape->look.label[0] != '\0' && (labels || shape->kind == DD_SHAPE_TEXT);
    if (words && shape->kind != DD_SHAPE_TRAIL) {
        add_words(&k, shape->look.label, shape->kind == DD_SHAPE_TEXT ? 0 : radius_of(&k, POINT_PART));
    }
    /* in the plane later shapes are in front */
    for (uint32_t i = before; film->view.plane && i < out->len; i++) {
        out->data[i].depth = out->data[i].depth * 1e-3 - (double)index * film->view.extent;
    }
}
