/* draw.h - Daedal(draw(...)) in a class: shapes between expressions of its variables (docs/animation.md).
 *
 *   draw.c          which instances draw what; names, lists, loops and branches of shapes
 *   draw_shape.c    one shape: its points and keywords
 *   draw_values.c   points, vectors, numbers, rotations
 *   draw_view.c     where one looks from
 *   draw_colour.c   colours by name
 */
#ifndef DD_LANG_DRAW_H
#define DD_LANG_DRAW_H

#include "lang/flatten.h"
#include "model/drawing.h"

/* What one shape is made from. */
typedef struct dd_draw {
    dd_flattener *fl; /* its model has a dag for the drawing alone */
    dd_drawing *drawing;
    const dd_instance *instance;
    const char *name; /* of the shape in draw(...) */
} dd_draw;

/* ---- draw_shape.c ---- */
/* The kind of this name; DD_SHAPE_COUNT when there is none. */
dd_shape_kind dd_draw_kind(const char *name);
/* Adds the shape of a call whose arguments are resolved. False after a message. */
bool dd_draw_shape(dd_draw *d, dd_form call, const dd_form_env *env);

/* ---- draw_view.c ---- */
void dd_draw_view(dd_draw *d, const dd_ast_mod *list);

/* ---- draw_values.c: each false after a message ---- */
/* A shape that is being read: its numbers are put together at the end, points first. */
typedef struct dd_draw_reading {
    dd_draw *d;
    dd_scene_shape shape;
    const dd_form_env *env;
    const char *usage; /* an example of the kind, for messages */
    uint32_t dims;     /* coordinates of its points; 0: not known yet */
    dd_expr_vec points;
    dd_expr part[DD_PART_COUNT][6];
    unsigned given;    /* keywords, as bits of draw_shape.c */
    const char *words; /* text(p, words) */
} dd_draw_reading;

/* A point; in a line also the rows of a matrix. */
bool dd_draw_point(dd_draw_reading *r, dd_form f);
void dd_draw_push_point(dd_draw_reading *r, const dd_expr at[3]);
/* what: the beginning of the message about another size */
bool dd_draw_vector(dd_draw_reading *r, dd_form f, const char *what, dd_expr to[3]);
bool dd_draw_scalar(dd_draw_reading *r, dd_form f, const char *name, dd_expr *to);
/* A number that stays the same during a run. */
bool dd_draw_constant(dd_draw_reading *r, dd_form f, const char *name, double *to);
bool dd_draw_rotation(dd_draw_reading *r, dd_form f);
void dd_draw_no_rotation(dd_draw_reading *r);

/* ---- draw_colour.c ---- */
/* 0xrrggbb of a name or of "#rrggbb"; -1 when it is neither. */
int32_t dd_colour_named(const char *text);
/* The nearest name of a colour; NULL when none is near. */
const char *dd_colour_suggest(const char *text);

#endif
