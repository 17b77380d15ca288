/* scene.h - a moving picture as numbers: shapes, and where they are at each frame.
 *
 *   shape   kind, name, colour, and the places of its numbers:  points | size | axes | vector | radius
 *   place   a column that changes with the frames, or a constant                (dd_scene_number)
 *
 * Coordinates have three components, z up. A shape of the plane has x to the right and z up, and y = 0; a scene whose shapes
 * are all in the plane is seen from the front. docs/animation.md describes the shapes.
 */
#ifndef DD_REPORT_SCENE_H
#define DD_REPORT_SCENE_H

#include "base/text.h"

/* id, name in the language, points (0: any number from 2 on), what follows the points */
/* clang-format off */
#define DD_SHAPE_LIST(X)                                                                                               \
    X(POINT, "point", 1) X(SPHERE, "sphere", 1) X(LINE, "line", 0) X(CYLINDER, "cylinder", 2) X(SPRING, "spring", 2)   \
    X(BOX, "box", 1) X(HINGE, "hinge", 1) X(FRAME, "frame", 1) X(ARROW, "arrow", 1) X(TRAIL, "trail", 1) X(TEXT, "text", 1)                 \
    X(GROUND, "ground", 1)
/* clang-format on */
typedef enum dd_shape_kind {
#define DD_SHAPE_ENUM(id, ...) DD_SHAPE_##id,
    DD_SHAPE_LIST(DD_SHAPE_ENUM)
#undef DD_SHAPE_ENUM
        DD_SHAPE_COUNT
} dd_shape_kind;
const char *dd_shape_name(dd_shape_kind kind);

/* What a shape has beside its points, and how many numbers that is, in this order. */
typedef enum dd_shape_part {
    DD_PART_SIZE,   /* 3: of a box along its axes */
    DD_PART_AXES,   /* 6: the first and the second axis of the body in the world */
    DD_PART_VECTOR, /* 3: of an arrow */
    DD_PART_RADIUS, /* 1; of a frame: the length of its axes */
    DD_PART_COUNT
} dd_shape_part;
extern const uint8_t dd_shape_part_size[DD_PART_COUNT];

typedef struct dd_shape_look {
    const char *name;  /* of the drawing: "rod", "arm[2].rod" */
    const char *label; /* shown beside it; "" without */
    int32_t colour;    /* 0xrrggbb; -1: chosen automatically */
    double opacity;    /* from 0 to 1 */
    double scale;      /* arrow: length per unit, 0: automatic; trail: seconds, 0: all; spring: coils, 0: automatic */
} dd_shape_look;

typedef struct dd_scene_shape {
    dd_shape_kind kind;
    dd_shape_look look;
    bool plane;               /* two coordinates */
    bool closed;              /* line: from the last point back to the first */
    bool has[DD_PART_COUNT];  /* a part may be left out */
    uint32_t first, n_points; /* its numbers begin at places[first] */
} dd_scene_shape;

/* A number: in column `column` of the frames, or (column UINT32_MAX) `value` at all times. */
typedef struct dd_scene_place {
    uint32_t column;
    double value;
} dd_scene_place;

/* Where one looks from; what is not given is chosen. */
typedef struct dd_scene_view {
    bool has_from, has_centre, has_width;
    double from[3];      /* direction from the centre to the eye */
    double centre[3];    /* what is in the middle */
    double width;        /* what the picture shows from left to right */
    uint32_t follow;     /* its three numbers begin at places[follow]; UINT32_MAX: the view stays */
    const char *path[2]; /* names of two variables: a plot of the second over the first is a map; NULL: none */
} dd_scene_view;

/* One motion of all shapes: a row of `columns` numbers per frame. */
typedef struct dd_scene_motion {
    const char *name; /* "" for the run itself, the name of the file for one laid over it */
    const double *time;
    const float *columns; /* frame f, column c at [f * n_columns + c] */
    uint32_t frames;
} dd_scene_motion;

typedef struct dd_scene {
    const char *title;
    const dd_scene_shape *shapes;
    uint32_t n_shapes;
    const dd_scene_place *places;
    uint32_t n_places, n_columns;
    dd_scene_view view;
    const dd_scene_motion *motions; /* the run, then those laid over it */
    uint32_t n_motions;
    uint32_t left_out; /* shapes beyond the limit */
} dd_scene;

/* Are all its shapes in the plane? */
bool dd_scene_is_plane(const dd_scene *s);
/* The i-th number of a shape at a frame. */
double dd_scene_number(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, const dd_scene_shape *shape,
                       uint32_t i);
/* The point that the view follows; only where there is one. */
void dd_scene_follow(const dd_scene *s, const dd_scene_motion *m, uint32_t frame, double at[3]);
/* Where a part of a shape begins among its numbers. */
uint32_t dd_shape_offset(const dd_scene_shape *shape, dd_shape_part part);
/* The frame at time t, or before it. */
uint32_t dd_scene_frame(const dd_scene_motion *m, double t);

/* The smallest box around all points at all frames of all motions; {0, 0, 0} twice without points. */
void dd_scene_bounds(const dd_scene *s, double low[3], double high[3]);
/* Per shape: the length of the longest arrow of its name, over all frames; 0 for other shapes. */
const double *dd_scene_longest(const dd_scene *s, dd_pool *pool);

/* Appends the scene as a JSON object: shapes and view as text, frames as float32 in base64. */
void dd_scene_json(dd_text *out, const dd_scene *s);

/* ---- scene_page.c ---- */
struct dd_page_writer;
/* Adds a section with the motion; NULL: nothing moves. */
void dd_page_add_scene(struct dd_page_writer *w, const dd_scene *s, dd_pool *pool);

/* ---- film.c ---- */
enum { DD_FILM_POSES = 7 };
/* Appends an SVG picture: poses from translucent to opaque, trails, painted from the back to the front. file: a whole
 * file, else an element of a page. Raises when memory runs out. */
void dd_film_svg(dd_text *out, const dd_scene *s, const char *title, bool file, dd_pool *pool);

#endif
