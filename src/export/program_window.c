/* program_window.c - the window of a moving-horizon estimator as a second program of the export, with a prefix of its own.
 *
 * Its functions and tables are made as those of the plan; inputs that every sample sets are slots with a kind (sections.h), the
 * numbers of the arrival cost are parameters behind those of the class. The code around it is runtime/arrival.c and window.c. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "export/program.h"

static uint32_t arrival_length(const dd_mhe *m)
{
    const uint32_t n = m->arrival.n;
    return n + n * (n + 1) / 2;
}

/* The parameters of the class as they are, then the mean and the weights of the prior. */
static void list_parameters(dd_program_export *window, const dd_export_items *of_class)
{
    const dd_ocp_function_spec *arrival =
        &dd_elements_family(window->t->elements, window->mhe->window.arrival).function->spec;
    dd_export *x = window->x;
    x->p = (dd_export_items){0};
    for (uint32_t i = 0; i < of_class->len; i++) {
        dd_vec_push(x->pool, &x->p, of_class->data[i]);
    }
    for (uint32_t i = 0; i < arrival->n_constants; i++) {
        const dd_export_item item = {.symbol = arrival->constants[i], .var = DD_NO_INDEX, .formula = DD_EXPR_NONE};
        dd_vec_push(x->pool, &x->p, item);
    }
}

/* Where the first solve begins, as in the library: the guess, without multipliers. */
static const dd_nlp_result *first_point(const dd_program_export *window)
{
    const dd_nlp *nlp = window->t->nlp;
    dd_nlp_result *r = dd_pool_alloc(window->pool, sizeof *r);
    *r = (dd_nlp_result){.x = dd_elements_start(window->t->elements)};
    r->lambda = dd_pool_alloc_array(window->pool, (size_t)nlp->m + 1, sizeof *r->lambda);
    r->z_lower = dd_pool_alloc_array(window->pool, (size_t)nlp->n + 1, sizeof *r->z_lower);
    r->z_upper = dd_pool_alloc_array(window->pool, (size_t)nlp->n + 1, sizeof *r->z_upper);
    return r;
}

/* Lengths as they are once the window is full: the order of elimination is chosen for these. */
static void fill_window(const dd_program_export *px)
{
    const dd_mhe *m = px->mhe;
    const uint32_t n_inputs = m->model->n_inputs;
    double *data = dd_pool_alloc_array(px->pool, (size_t)m->degree * m->n_data + 1, sizeof *data);
    double *times = dd_pool_alloc_array(px->pool, m->degree + 1, sizeof *times);
    for (uint32_t j = 0; j < m->degree; j++) {
        times[j] = px->control->first;
        for (uint32_t i = 0; i < m->n_data; i++) {
            data[j * m->n_data + i] = i + n_inputs < m->n_data
                                          ? m->data[((size_t)m->size * m->degree - 1) * m->n_data + i]
                                          : px->first_u[i + n_inputs - m->n_data];
        }
    }
    for (uint32_t k = 0; k < m->size; k++) {
        dd_window_set_interval(m->t, k, k > 0 ? m->dt : 0, times, data);
    }
}

/* Runtime code takes the slopes of an interval from its condensed rows, which must determine all of its points. */
static void check_shape(const dd_program_export *window)
{
    const dd_ocp_problem *o = window->o;
    for (uint32_t k = 0; k < window->s->n; k++) {
        const dd_section *c = &window->s->section[k];
        if (c->nd != window->mhe->degree * (o->x.len + o->z.len) || c->nf != o->u.len || c->nn != 0 ||
            window->s->border != o->p.len) {
            dd_raise(window->x->ctx, DD_INVALID_MODEL,
                     "the estimator (mhe) of %s has intervals whose equations do not determine their points one by "
                     "one, which generated code needs",
                     window->x->system->model->name);
        }
    }
}

/* Estimated parameters by their names. In bounds they would be numbers of the export. */
static void name_estimated(dd_program_export *px)
{
    for (uint32_t i = 0; i < px->mhe->o->p.len; i++) {
        for (uint32_t k = 0; k < px->x->p.len; k++) {
            const dd_export_item *item = &px->x->p.data[k];
            if (item->var != px->mhe->o->p.data[i].var) {
                continue;
            }
            if (item->fixed) {
                dd_raise(px->x->ctx, DD_INVALID_MODEL,
                         "mhe estimates %s, but bounds contain it, which generated code has as numbers: write them as "
                         "constraints instead",
                         item->name);
            }
            dd_vec_push(px->pool, &px->estimated, *item);
        }
    }
}

void dd_program_make_window(dd_program_export *px)
{
    dd_program_export *window = dd_pool_alloc(px->pool, sizeof *window);
    dd_export *x = dd_pool_alloc(px->pool, sizeof *x);
    *x = *px->x;
    x->name = dd_pool_printf(px->pool, "%s_window", px->x->name);
    *window = (dd_program_export){.x = x, .pool = px->pool, .mhe = px->mhe, .o = px->mhe->o, .t = px->mhe->t};
    window->tolerance = px->tolerance;
    window->iterations = px->iterations;
    window->t0 = px->mhe->o->t0_value;
    window->tf = px->mhe->o->tf_value;
    window->result = first_point(window);
    name_estimated(px);
    fill_window(px);
    window->s = dd_sections_new(window->t, window->result->x, px->pool);
    check_shape(window);
    list_parameters(window, &px->x->p);
    dd_program_write_functions(window);
    px->window = window;
}

/* ---- functions at one point: w = (x, z, p), u = (noise, data) ---- */

static dd_derivative *add_at_point(dd_program_export *px, const char *name, const char *comment, const dd_expr *values,
                                   uint32_t n, bool slopes)
{
    const dd_ocp_problem *o = px->o;
    const dd_decision_vec *lists[] = {&o->x, &o->z, &o->p};
    dd_expr_vec w = {0}, u = {0};
    for (int l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < lists[l]->len; i++) {
            dd_vec_push(px->pool, &w, lists[l]->data[i].symbol);
        }
    }
    for (uint32_t i = 0; i < o->u.len + o->data.len; i++) {
        dd_vec_push(px->pool, &u, i < o->u.len ? o->u.data[i].symbol : o->data.data[i - o->u.len].symbol);
    }
    const dd_c_argument arguments[] = {{"t", &o->time, 1, true},
                                       {"w", w.data, w.len, false},
                                       {"u", u.data, u.len, false},
                                       {"p", dd_program_parameter_symbols(px, w.data, w.len), px->x->p.len, false}};
    if (!slopes) {
        dd_program_add_function(px, name, comment, arguments, 4, values, n);
        return NULL;
    }
    dd_derivative *d = dd_jacobian_new(px->pool, o->dag, values, n, w.data, w.len);
    dd_program_add_function(px, dd_pool_printf(px->pool, "%s_slopes", name), comment, arguments, 4, d->entries,
                            d->ptr[d->ncols]);
    return d;
}

void dd_program_window_functions(dd_program_export *px)
{
    dd_ocp_problem *o = px->o;
    const dd_mhe *m = px->mhe;
    dd_expr_vec invariants = {0}, states = {0};
    for (uint32_t i = 0; i < o->equations->invariants.len; i++) {
        dd_vec_push(px->pool, &invariants, dd_ocp_resolve(o, o->equations->invariants.data[i]));
    }
    for (uint32_t i = 0; i < m->n_states; i++) {
        dd_vec_push(px->pool, &states, dd_ocp_resolve(o, dd_model_symbol(o->model, m->state_var[i])));
    }
    px->n_rows = invariants.len;
    add_at_point(px, "measured", "the measured variables at w = (x, z, p)", m->window.h, m->window.n_measured, false);
    px->h = add_at_point(px, "measured", "their derivatives by w, column by column", m->window.h, m->window.n_measured,
                         true);
    px->rows = add_at_point(px, "invariants", "derivatives of the invariants by w, column by column", invariants.data,
                            invariants.len, true);
    add_at_point(px, "states", "the states of the class", states.data, states.len, false);
}

/* ---- sizes and tables ---- */

void dd_program_window_sizes(const dd_program_export *px, dd_text *out)
{
    const dd_mhe *m = px->mhe;
    const dd_size_entry list[] = {
        {"SAMPLES", m->size, "of the window"},
        {"MEASURED", m->window.n_measured, "measurements of a sample"},
        {"STATES", m->n_states, "of the class"},
        {"N", m->arrival.n, "states and parameters that the prior is of"},
        {"INVARIANTS", px->n_rows, ""},
        {"DATA", m->n_data, "columns of data, the inputs of the class among them"},
        {"FIRST_DATA", m->model->first_data, "where these begin"},
        {"CLASS_NP", px->x->p.len - arrival_length(m), "parameters of the class"},
        {"NNZ_MEASURED", px->h->ptr[px->h->ncols], ""},
        {"NNZ_INVARIANTS", px->rows->ptr[px->rows->ncols], ""},
    };
    dd_program_put_sizes(px, out, list, sizeof list / sizeof *list);
    dd_program_put_number(px, out, "PERIOD", m->dt, "seconds between samples");
    dd_text_printf(out, "#define %s_ROOM(n) ((n) > 0 ? (n) : 1)\n", px->x->name);
}

static void slot_tables(const dd_program_export *px, dd_text *out)
{
    const dd_sections *s = px->s;
    dd_id_vec kind = {0}, point = {0};
    for (uint32_t k = 0; k <= s->n; k++) {
        const dd_section *c = k < s->n ? &s->section[k] : &s->wide;
        for (uint32_t i = 0; i < c->slot_kind.len; i++) {
            dd_vec_push(px->pool, &kind, c->slot_kind.data[i]);
            dd_vec_push(px->pool, &point, c->slot_point.data[i]);
        }
    }
    dd_program_put_ids(px, out, "slot_kind", kind.data, kind.len);
    dd_program_put_ids(px, out, "slot_point", point.data, point.len);
}

/* Units and scales of v = (x, p), units of noise behind them; first errors; variances of noise over a sample. */
static void prior_tables(const dd_program_export *px, dd_text *out)
{
    const dd_mhe *m = px->mhe;
    const dd_ocp_problem *o = px->o;
    dd_real_vec unit = {0}, scale = {0}, error = {0}, noise = {0};
    for (uint32_t i = 0; i < m->arrival.n; i++) {
        const bool state = i < o->x.len;
        dd_vec_push(px->pool, &unit, state ? px->s->x_unit[i] : 1);
        dd_vec_push(px->pool, &scale, state ? o->x.data[i].scale : o->p.data[i - o->x.len].scale);
        dd_vec_push(px->pool, &error, dd_arrival_first_error(m, i));
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        const double sigma = m->window.sigma[i] / o->u.data[i].scale;
        dd_vec_push(px->pool, &unit, px->s->u_unit[i]);
        dd_vec_push(px->pool, &noise, sigma * sigma / m->dt);
    }
    dd_export_double_table(px->x, out, "unit", unit.data, unit.len);
    dd_export_double_table(px->x, out, "scale", scale.data, scale.len);
    dd_export_double_table(px->x, out, "error", error.data, error.len);
    dd_export_double_table(px->x, out, "noise", noise.data, noise.len);
}

void dd_program_window_tables(const dd_program_export *px, dd_text *out)
{
    const dd_mhe *m = px->mhe;
    slot_tables(px, out);
    prior_tables(px, out);
    dd_export_double_table(px->x, out, "sigma", m->sigma, m->window.n_measured);
    dd_program_put_ints(px, out, "measured_ptr", px->h->ptr, px->h->ncols + 1);
    dd_program_put_ints(px, out, "measured_row", px->h->idx, px->h->ptr[px->h->ncols]);
    dd_program_put_ints(px, out, "invariants_ptr", px->rows->ptr, px->rows->ncols + 1);
    dd_program_put_ints(px, out, "invariants_row", px->rows->idx, px->rows->ptr[px->rows->ncols]);
}
