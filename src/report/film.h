/* film.h - shared by the files of the film strip.
 *
 *   film.c         the view, the poses in time, trails and ground
 *   film_shapes.c  shapes of one pose as pieces: disks, strokes, faces, words
 *   film_paint.c   pieces sorted by depth, and written as SVG
 */
#ifndef DD_REPORT_FILM_H
#define DD_REPORT_FILM_H

#include "report/scene.h"

enum { DD_FACE_CORNERS = 4 };

/* Orthographic: x to the right, y down, in pixels; depth grows away from the eye, in units of the model. */
typedef struct dd_film_view {
    double right[3], up[3], ahead[3]; /* axes of the picture */
    double centre[3];
    double scale; /* pixels per unit */
    double width, height;
    double extent; /* size of the scene: lines and points without a radius take a part of it */
    bool plane;
} dd_film_view;

typedef enum dd_piece_kind {
    DD_PIECE_DISK,
    DD_PIECE_CAP, /* the round end of a stroke */
    DD_PIECE_STROKE,
    DD_PIECE_FACE,
    DD_PIECE_HEAD,
    DD_PIECE_WORDS
} dd_piece_kind;

/* Something flat on the picture. */
typedef struct dd_piece {
    dd_piece_kind kind;
    double depth;
    double xy[2 * DD_FACE_CORNERS]; /* disk, cap, words: one point; stroke, head: two */
    double radius;                  /* disk; half the width of a stroke */
    double light;                   /* face: from 0 (dark) to 1 */
    bool smooth;                    /* face: one of a round body, without edges */
    double opacity;
    int32_t colour;
    const char *words;
} dd_piece;
typedef DD_VEC(dd_piece) dd_piece_vec;

typedef struct dd_film {
    const dd_scene *scene;
    const int32_t *colour; /* per shape */
    const double *longest; /* per shape: the greatest length of an arrow of its name */
    bool coarse;           /* so many shapes that each is drawn simply */
    dd_film_view view;
    dd_pool *pool;
    dd_text *out;
} dd_film;

/* ---- film.c ---- */
void dd_film_project(const dd_film_view *v, const double at[3], double xy[2], double *depth);

/* ---- film_shapes.c ---- */
/* Adds the pieces of a shape at a frame. labels: with its words. */
void dd_film_shape(const dd_film *film, const dd_scene_motion *m, uint32_t frame, uint32_t shape, bool labels,
                   dd_piece_vec *out);
/* The colour of every shape: its own, or one of a list, the same for all shapes of one name. */
const int32_t *dd_film_colours(const dd_scene *s, dd_pool *pool);

/* ---- film_paint.c ---- */
/* Sorts the pieces from the back to the front and appends them. */
void dd_film_paint(const dd_film *film, dd_piece_vec *pieces);
/* rgb(...) of a colour with more or less light: 1 as it is. */
void dd_film_add_colour(dd_text *out, int32_t colour, double light);

#endif
