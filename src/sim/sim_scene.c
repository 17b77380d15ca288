/* sim_scene.c - the motion of a simulation: the drawing of its model along the rows and the points between them. */
#include "dynamics/drawn.h"
#include "expr/value.h"
#include "report/written.h"
#include "sim/sim_impl.h"
#include "structure/numeric.h"

typedef struct moment {
    const dd_sim *sim;
    double t;
} moment;

static double symbol_value(void *user, dd_expr symbol)
{
    const moment *at = user;
    const dd_dag *dag = at->sim->system->model->dag;
    return dd_op_of(dag, symbol) == DD_OP_TIME ? at->t : at->sim->system->parameter[dd_symbol_id(dag, symbol)];
}

/* An input has no column: its formula, its table, or the value that it keeps. */
static double input_value(void *user, uint32_t var, double t)
{
    dd_sim *sim = user;
    const dd_index_vec *supplied = sim->inputs ? dd_inputs_supplied(sim->inputs) : NULL;
    for (uint32_t i = 0; supplied && i < supplied->len; i++) {
        if (supplied->data[i] == var) {
            dd_inputs_enter(sim->inputs, t);
            return dd_inputs_value(sim->inputs, var, 0, t);
        }
    }
    const dd_model *m = sim->system->model;
    const dd_variable *v = &m->vars.data[var];
    if (!v->has_value || v->binding == DD_EXPR_NONE) {
        return dd_system_unfed_input(sim->system, var);
    }
    dd_pool *scratch = dd_pool_child(sim->pool);
    const double value = dd_value_of(m->dag, v->binding, symbol_value, &(moment){sim, t}, scratch);
    dd_pool_free(scratch);
    return value;
}

dd_scene *dd_sim_scene(dd_sim *sim, dd_pool *pool)
{
    const dd_curves curves = dd_sim_curves(sim, true, pool);
    const dd_drawn_rows run = {.name = "", .table = curves.table, .input = input_value, .user = sim};
    return dd_drawn_scene(sim->system->model, sim->system->parameter, &run, sim->overlays.data, sim->overlays.len,
                          pool);
}

/* ---- the film strip ---- */

dd_status dd_sim_set_overlays(dd_sim *sim, const char *const *files, uint32_t count)
{
    if (!sim || (count > 0 && !files)) {
        return DD_INVALID_ARGUMENT;
    }
    return dd_drawn_set_overlays(sim->system->model, sim->system->parameter, files, count, &sim->overlays, sim->pool);
}

static void film_body(void *arg)
{
    dd_written *out = arg;
    dd_sim *sim = out->user;
    dd_written_film(out, dd_sim_scene(sim, out->pool));
    sim->filmed = dd_pool_strdup(sim->pool, out->path);
}

dd_status dd_sim_write_film(dd_sim *sim, const char *path)
{
    if (!sim || !path) {
        return DD_INVALID_ARGUMENT;
    }
    if (!sim->started || sim->rows.count == 0) {
        return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to draw");
    }
    const dd_status st = dd_written_make(&(dd_written){.ctx = sim->ctx, .user = sim, .path = path}, film_body);
    if (st != DD_OK) {
        sim->filmed = NULL;
    }
    return st;
}
