/* draw.h - Daedal(draw(...)) in a class: shapes between expressions of its variables (docs/animation.md).
 *
 *   draw.c          which instances draw what; names, lists, loops and branches of shapes
 *   draw_shape.c    one shape: its points and keywords
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
/* view(from = .., centre = .., width = .., follow = ..) */
void dd_draw_view(dd_draw *d, const dd_ast_mod *list);

/* ---- draw_colour.c ---- */
/* 0xrrggbb of a name or of "#rrggbb"; -1 when it is neither. */
int32_t dd_colour_named(const char *text);
/* The nearest name of a colour; NULL when none is near. */
const char *dd_colour_suggest(const char *text);

#endif
