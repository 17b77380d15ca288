/* loop_scene.c - the motion of a closed loop: the drawing of the plant, or of the class, along the record. */
#include "control/loop.h"
#include "dynamics/drawn.h"
#include "report/written.h"

/* The model that draws: the plant where it does, else the class, whose variables have the same names. */
static const dd_system *drawing_system(const dd_loop *l)
{
    return l->plant_system != NULL && l->plant_system->model->drawing != NULL ? l->plant_system : l->system;
}

dd_scene *dd_loop_scene(dd_loop *l, dd_pool *pool)
{
    const dd_system *s = drawing_system(l);
    if (s->model->drawing == NULL || l->recorded.rows != NULL || l->record.count == 0) {
        return NULL;
    }
    const dd_curves curves = dd_loop_curves(l, true, pool);
    const dd_drawn_rows run = {.name = "", .table = curves.table};
    return dd_drawn_scene(s->model, s->parameter, &run, l->overlays.data, l->overlays.len, pool);
}

/* ---- public ---- */

dd_status dd_loop_set_overlays(dd_loop *l, const char *const *files, uint32_t count)
{
    if (l == NULL || (count > 0 && files == NULL)) {
        return DD_INVALID_ARGUMENT;
    }
    const dd_system *s = drawing_system(l);
    return dd_drawn_set_overlays(s->model, s->parameter, files, count, &l->overlays, l->pool);
}

static void film_body(void *arg)
{
    dd_written *out = arg;
    dd_written_film(out, dd_loop_scene(out->user, out->pool));
}

dd_status dd_loop_write_film(dd_loop *l, const char *path)
{
    if (l == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (l->record.count == 0) {
        return dd_fail(l->ctx, DD_INVALID_ARGUMENT, "there is no record to draw");
    }
    return dd_written_make(&(dd_written){.ctx = l->ctx, .user = l, .path = path}, film_body);
}
