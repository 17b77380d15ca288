/* drawing.h - what a model draws: the shapes of Daedal(draw(...)) as expressions of its variables.
 *
 * They are read with the model and used only for pictures. They live in a dag of their own: the order of terms in a dag follows
 * the order in which they were made, so that one dag would make the numbers of a run depend on its pictures. */
#ifndef DD_MODEL_DRAWING_H
#define DD_MODEL_DRAWING_H

#include "expr/dag.h"
#include "report/scene.h"

typedef DD_VEC(dd_scene_shape) dd_scene_shape_vec;

typedef struct dd_drawing {
    dd_dag *dag;               /* VAR and PARAM are those of the model */
    dd_scene_shape_vec shapes; /* places are numbers here: the same indices */
    dd_expr_vec numbers;
    dd_scene_view view; /* follow: the first of three numbers */
    uint32_t left_out;  /* shapes beyond the limit */
} dd_drawing;

#endif
