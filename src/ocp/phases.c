/* phases.c - times of phases, and what is told of them. */
#include "ocp/phases.h"

#include <math.h>
#include <string.h>

#include "expr/value.h"

uint32_t dd_ocp_phase_count(const dd_ocp_problem *o)
{
    return o->model->optimization->phases.len;
}

/* ---- times ---- */

typedef struct parameters {
    const dd_ocp_problem *o;
    const double *p;
} parameters;

static double value_of(void *user, dd_expr symbol)
{
    const parameters *v = user;
    for (uint32_t i = 0; v->p != NULL && i < v->o->p.len; i++) {
        if (v->o->p.data[i].symbol == symbol) {
            return v->p[i];
        }
    }
    return v->o->system->parameter[dd_symbol_id(v->o->dag, symbol)];
}

void dd_ocp_phase_times(const dd_ocp_problem *o, uint32_t phase, const double *p, double *start, double *final)
{
    const dd_phase *ph = &o->model->optimization->phases.data[phase];
    parameters values = {o, p};
    dd_pool *scratch = dd_pool_child(o->pool);
    *start = dd_value_of(o->dag, ph->start, value_of, &values, scratch);
    *final = *start + dd_value_of(o->dag, ph->length, value_of, &values, scratch);
    dd_pool_free(scratch);
}

void dd_ocp_phase_span(const dd_ocp_problem *o, const double *p, double *start, double *final)
{
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double a, b;
        dd_ocp_phase_times(o, i, p, &a, &b);
        *start = i == 0 ? a : fmin(a, *start);
        *final = i == 0 ? b : fmax(b, *final);
    }
}

/* ---- words ---- */

void dd_ocp_phases_json(dd_json *j, const dd_ocp_problem *o, const double *p)
{
    if (dd_ocp_phase_count(o) == 0) {
        return;
    }
    dd_json_key(j, "phases");
    dd_json_begin_array(j);
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double start, final;
        dd_ocp_phase_times(o, i, p, &start, &final);
        dd_json_begin_object(j);
        dd_json_key(j, "name");
        dd_json_string(j, o->model->optimization->phases.data[i].name);
        dd_json_key(j, "startTime");
        dd_json_number(j, start);
        dd_json_key(j, "finalTime");
        dd_json_number(j, final);
        dd_json_end_object(j);
    }
    dd_json_end_array(j);
}

void dd_ocp_phases_text(dd_text *text, const dd_ocp_problem *o, const double *p)
{
    for (uint32_t i = 0; i < dd_ocp_phase_count(o); i++) {
        double start, final;
        dd_ocp_phase_times(o, i, p, &start, &final);
        dd_text_printf(text, "  phase %u, %s: from time %.10g to %.10g\n", i + 1,
                       o->model->optimization->phases.data[i].name, start, final);
    }
}

/* ---- columns ---- */

/* x[2] of six.x[2], der(x) of der(six.x). */
static const char *local_name(const dd_ocp_problem *o, uint32_t var, const char *phase, dd_pool *pool)
{
    const char *name = dd_model_var_name_dup(o->model, var, pool);
    bool rate = strncmp(name, "der(", 4) == 0;
    const char *path = rate ? name + 4 : name;
    size_t n = strlen(phase);
    if (strncmp(path, phase, n) != 0 || path[n] != '.') {
        return name; /* of the class around the phases */
    }
    return rate ? dd_pool_printf(pool, "der(%s", path + n + 1) : path + n + 1;
}

static void sort_by_start(const dd_ocp_problem *o, const double *p, uint32_t *order, dd_pool *pool)
{
    uint32_t n = dd_ocp_phase_count(o);
    double *start = dd_pool_alloc_array(pool, n + 1, sizeof *start), final;
    for (uint32_t i = 0; i < n; i++) {
        dd_ocp_phase_times(o, i, p, &start[i], &final);
        uint32_t at = i;
        for (; at > 0 && start[order[at - 1]] > start[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

dd_phase_columns dd_ocp_phase_columns(const dd_ocp_problem *o, const dd_index_vec *vars, const double *p, dd_pool *pool)
{
    const dd_optimization *opt = o->model->optimization;
    dd_phase_columns c = {0};
    uint32_t phases = opt->phases.len;
    dd_names *names = dd_names_new(pool);
    dd_map column_of = dd_map_new(pool);
    uint32_t *column = dd_pool_alloc_array(pool, vars->len + 1, sizeof *column);
    c.name = dd_pool_alloc_array(pool, vars->len + 1, sizeof *c.name);
    c.order = dd_pool_alloc_array(pool, phases + 1, sizeof *c.order);
    for (uint32_t i = 0; i < vars->len; i++) {
        uint32_t var = vars->data[i], phase = var < opt->n_phase_of ? opt->phase_of[var] : 0;
        const char *name = phase != 0 ? local_name(o, var, opt->phases.data[phase - 1].name, pool)
                                      : dd_model_var_name_dup(o->model, var, pool);
        uint32_t id = dd_names_intern(names, name, strlen(name));
        if (dd_map_get(&column_of, id) == 0) {
            c.name[c.n] = name;
            dd_map_put(&column_of, id, ++c.n);
        }
        column[i] = dd_map_get(&column_of, id) - 1;
    }
    c.source = dd_pool_alloc_array(pool, (size_t)phases * c.n + 1, sizeof *c.source);
    memset(c.source, 0xff, (size_t)phases * c.n * sizeof *c.source);
    for (uint32_t i = 0; i < vars->len; i++) {
        uint32_t phase = vars->data[i] < opt->n_phase_of ? opt->phase_of[vars->data[i]] : 0;
        for (uint32_t k = 0; k < phases; k++) {
            if (phase == 0 || phase == k + 1) {
                c.source[k * c.n + column[i]] = i;
            }
        }
    }
    sort_by_start(o, p, c.order, pool);
    return c;
}
