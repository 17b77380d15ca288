/* fmu_variables.c - the variables of an FMU: time, declared variables, inputs, parameters, derivatives, indicators. */
#include <string.h>

#include "export/fmu_impl.h"

static void add(dd_fmu *f, dd_fmu_variable v)
{
    dd_vec_push(f->x->pool, &f->variables, v);
}

static void find_states(dd_fmu *f)
{
    dd_export *x = f->x;
    f->state_place = dd_pool_alloc_array(x->pool, x->nx + 1, sizeof *f->state_place);
    f->state_output = dd_pool_alloc_array(x->pool, x->nx + 1, sizeof *f->state_output);
    for (uint32_t j = 0; j < x->nx; j++) {
        f->state_output[j] = DD_NO_INDEX;
        for (uint32_t i = 0; i < x->y.len; i++) {
            f->state_output[j] = x->y.data[i].symbol == x->w.data[j].symbol ? i : f->state_output[j];
        }
        if (f->state_output[j] == DD_NO_INDEX) {
            dd_raise(x->ctx, DD_INVALID_MODEL,
                     "%s cannot be an FMU: its equations are integrated with a state that the analysis has introduced "
                     "(%s) and that has no name in the model",
                     x->system->model->name, x->w.data[j].name);
        }
    }
}

/* Declared variables; those that are states can be set. */
static void add_variables(dd_fmu *f, uint32_t first, uint32_t first_state)
{
    dd_export *x = f->x;
    const dd_model *m = x->system->model;
    uint32_t *state = dd_pool_alloc_array(x->pool, x->y.len + 1, sizeof *state);
    for (uint32_t j = 0; j < x->nx; j++) {
        state[f->state_output[j]] = j + 1;
    }
    for (uint32_t i = 0; i < x->y.len; i++) {
        const dd_export_item *item = &x->y.data[i];
        dd_fmu_variable v = {
            .kind = DD_FMU_VARIABLE, .name = item->name, .reference = first + i, .place = i, .var = item->var};
        v.output = m->arrays.data[m->vars.data[item->var].array].is_output;
        if (state[i] > 0) {
            v.kind = DD_FMU_STATE;
            v.place = state[i] - 1;
            v.reference = first_state + v.place;
            v.has_start = true;
            v.start = x->w0[v.place];
            f->state_place[v.place] = f->variables.len;
        }
        add(f, v);
    }
}

static void add_inputs_and_parameters(dd_fmu *f, uint32_t first_input, uint32_t first_parameter)
{
    dd_export *x = f->x;
    f->input_place = dd_pool_alloc_array(x->pool, x->u.len + 1, sizeof *f->input_place);
    f->parameter_place = dd_pool_alloc_array(x->pool, x->p.len + 1, sizeof *f->parameter_place);
    for (uint32_t i = 0; i < x->u.len; i++) {
        f->input_place[i] = f->variables.len;
        add(f, (dd_fmu_variable){.kind = DD_FMU_INPUT,
                                 .name = x->u.data[i].name,
                                 .reference = first_input + i,
                                 .place = i,
                                 .var = x->u.data[i].order == 0 ? x->u.data[i].var : DD_NO_INDEX,
                                 .has_start = true,
                                 .start = x->u.data[i].start});
    }
    for (uint32_t i = 0; i < x->p.len; i++) {
        const dd_export_item *p = &x->p.data[i];
        f->parameter_place[i] = DD_NO_INDEX;
        if (p->fixed) {
            continue; /* shaped the equations: a constant of the code */
        }
        f->parameter_place[i] = f->variables.len;
        const bool follows = p->formula != DD_EXPR_NONE;
        add(f, (dd_fmu_variable){.kind = follows ? DD_FMU_CALCULATED_PARAMETER : DD_FMU_PARAMETER,
                                 .name = p->name,
                                 .reference = first_parameter + i,
                                 .place = i,
                                 .var = p->var,
                                 .has_start = !follows,
                                 .start = p->start});
    }
}

/* der(x), unless a velocity that the analysis has introduced is called so already. */
static const char *derivative_name(const dd_fmu *f, uint32_t j)
{
    dd_export *x = f->x;
    const char *name = dd_pool_printf(x->pool, "der(%s)", x->w.data[j].name);
    for (uint32_t i = 0; i < x->y.len; i++) {
        if (strcmp(x->y.data[i].name, name) == 0) {
            return dd_pool_printf(x->pool, "'rate of %s'", x->w.data[j].name);
        }
    }
    return name;
}

static void add_derivatives(dd_fmu *f, uint32_t first)
{
    dd_export *x = f->x;
    for (uint32_t j = 0; j < x->nx; j++) {
        add(f, (dd_fmu_variable){.kind = DD_FMU_DERIVATIVE,
                                 .name = derivative_name(f, j),
                                 .reference = first + j,
                                 .place = j,
                                 .var = DD_NO_INDEX,
                                 .of = f->state_place[j]});
    }
}

static void add_indicators(dd_fmu *f, uint32_t first)
{
    dd_export *x = f->x;
    for (uint32_t k = 0; k < x->q->switches.len; k++) {
        const dd_switch *s = &x->q->switches.data[k];
        const bool number = s->kind == DD_SWITCH_SLOPE || s->kind == DD_SWITCH_MARGIN;
        if (!number && x->moments.data[k] == DD_EXPR_NONE) {
            dd_vec_push(x->pool, &f->indicated, k);
        }
    }
    /* in FMI 3 event indicators are variables; FMI 2 only counts them */
    for (uint32_t i = 0; i < f->indicated.len && x->options.fmi == 3; i++) {
        add(f, (dd_fmu_variable){.kind = DD_FMU_INDICATOR,
                                 .name = dd_pool_printf(x->pool, "'event indicator %u'", i + 1),
                                 .reference = first + i,
                                 .place = i,
                                 .var = DD_NO_INDEX});
    }
}

void dd_fmu_list(dd_fmu *f)
{
    dd_export *x = f->x;
    /* the order of the references is that of runtime/fmu.c.in */
    const uint32_t y = 1, u = y + x->y.len, p = u + x->u.len, dx = p + x->p.len, state = dx + x->nx, g = state + x->nx;
    find_states(f);
    add(f, (dd_fmu_variable){.kind = DD_FMU_TIME, .name = "time", .var = DD_NO_INDEX});
    add_variables(f, y, state);
    add_inputs_and_parameters(f, u, p);
    add_derivatives(f, dx);
    add_indicators(f, g);
}
