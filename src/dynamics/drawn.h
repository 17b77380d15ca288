/* drawn.h - the drawing of a model along a trajectory: a scene. */
#ifndef DD_DYNAMICS_DRAWN_H
#define DD_DYNAMICS_DRAWN_H

#include "model/drawing.h"
#include "model/model.h"
#include "report/panel.h"
#include "structure/system.h"

/* A trajectory: variables are found by the names of the columns. */
typedef struct dd_drawn_rows {
    const char *name;      /* of a motion laid over the run: its file; "" for the run */
    const dd_table *table; /* with names */
    /* The value of an input that has no column; NULL: inputs without one are 0. */
    double (*input)(void *user, uint32_t var, double t);
    void *user;
} dd_drawn_rows;

/* The scene of a model with a drawing: the run, then other trajectories of the same model from CSV files. parameter: the
 * number of every variable that is a parameter. NULL: there is nothing to draw, or no row. Raises DD_INVALID_ARGUMENT when a
 * trajectory lacks a variable that is drawn. */
dd_scene *dd_drawn_scene(const dd_model *m, const double *parameter, const dd_drawn_rows *run, const char *const *files,
                         uint32_t n, dd_pool *pool);

/* Looks before a run whether there is something to draw, and whether these files can be laid over it; keeps their names in the
 * pool then. */
dd_status dd_drawn_set_overlays(const dd_model *m, const double *parameter, const char *const *files, uint32_t n,
                                dd_string_vec *kept, dd_pool *pool);

/* ---- outlines.c ---- */
/* What view(path = {x, y}) asks for: the plot of y over x with all shapes that stand still; without names where there is no
 * such view. Raises. */
dd_curve_map dd_drawn_map(const dd_model *m, const double *parameter, dd_pool *pool);
/* Adds parameters that are elements of arrays, or of parts in arrays, to the curves, as places that profiles may be drawn over. */
void dd_drawn_places(dd_curves *c, const dd_model *m, const double *parameter, dd_pool *pool);

#endif
