/* program_functions.c - the functions of an optimization as C: families with sparse derivatives, parameters, and what the
 * estimator of a controller needs. */
#include "export/program.h"

dd_expr *dd_program_parameter_symbols(const dd_program_export *px, const dd_expr *inputs, uint32_t n)
{
    const dd_export_items *p = &px->x->p;
    enum { FAR = 1000000 }; /* beyond the numbers of all families */
    dd_expr *out = dd_pool_alloc_array(px->pool, (size_t)p->len + 1, sizeof *out);
    for (uint32_t i = 0; i < p->len; i++) {
        out[i] = p->data[i].symbol;
        for (uint32_t k = 0; k < n; k++) {
            out[i] = inputs[k] == p->data[i].symbol ? dd_param(px->o->dag, px->o->fresh + FAR + i) : out[i];
        }
    }
    return out;
}

static void add_function(dd_program_export *px, const char *name, const char *comment, const dd_c_argument *arguments,
                         uint32_t n_arguments, const dd_expr *values, uint32_t n, uint32_t lanes)
{
    const dd_c_function f = {.name = dd_pool_printf(px->pool, "%s_%s", px->x->name, name),
                             .comment = comment,
                             .local = true,
                             .lanes = lanes,
                             .arguments = arguments,
                             .n_arguments = n_arguments,
                             .results = &(dd_c_result){"out", values, n},
                             .n_results = 1};
    dd_c_add_function(&px->x->writer, &f);
}

void dd_program_add_function(dd_program_export *px, const char *name, const char *comment,
                             const dd_c_argument *arguments, uint32_t n_arguments, const dd_expr *values, uint32_t n)
{
    add_function(px, name, comment, arguments, n_arguments, values, n, 0);
}

/* At a point of each interval of a batch. */
static void add_family(dd_program_export *px, uint32_t number)
{
    const dd_ocp_function *f = dd_elements_family(px->t->elements, px->s->families.data[number]).function;
    const dd_ocp_function_spec *s = &f->spec;
    dd_expr *weights = dd_pool_alloc_array(px->pool, (size_t)s->n_out + 1, sizeof *weights);
    for (uint32_t i = 0; i < s->n_out; i++) {
        weights[i] = dd_param(px->o->dag, s->fresh + i);
    }
    const dd_expr *parameters = dd_program_parameter_symbols(px, s->inputs, s->n_in);
    const dd_c_argument in = {"in", s->inputs, s->n_in, false}, wt = {"wt", weights, s->n_out, false};
    const dd_c_argument p = {"p", parameters, px->x->p.len, false};
    add_function(px, dd_pool_printf(px->pool, "f%u", number), "values", (dd_c_argument[]){in, p}, 2, s->outputs,
                 s->n_out, 1);
    add_function(px, dd_pool_printf(px->pool, "f%u_first", number), "its Jacobian, column by column",
                 (dd_c_argument[]){in, p}, 2, f->jacobian->entries, f->jacobian->ptr[s->n_in], 1);
    add_function(px, dd_pool_printf(px->pool, "f%u_second", number), "the Hessian of wt^T f, one triangle",
                 (dd_c_argument[]){in, wt, p}, 3, f->hessian->entries, f->hessian->ptr[s->n_in], 2);
}

static void add_parameters(dd_program_export *px)
{
    const dd_export_items *p = &px->x->p;
    dd_expr *formulas = dd_pool_alloc_array(px->pool, (size_t)p->len + 1, sizeof *formulas);
    for (uint32_t i = 0; i < p->len; i++) {
        formulas[i] = p->data[i].formula != DD_EXPR_NONE ? p->data[i].formula : p->data[i].symbol;
    }
    const dd_c_argument argument = {"p", dd_program_parameter_symbols(px, NULL, 0), p->len, false};
    dd_program_add_function(px, "parameters", "all parameters from the independent ones", &argument, 1, formulas,
                            p->len);
}

/* Values at (x, z), and their derivatives by these if asked for. */
static dd_derivative *add_local(dd_program_export *px, const char *name, const char *comment, const dd_expr *values,
                                uint32_t n, bool slopes)
{
    const dd_ocp_problem *o = px->control->problem;
    dd_expr_vec w = {0}, u = {0};
    for (uint32_t i = 0; i < o->x.len + o->z.len; i++) {
        dd_vec_push(px->pool, &w, i < o->x.len ? o->x.data[i].symbol : o->z.data[i - o->x.len].symbol);
    }
    for (uint32_t i = 0; i < o->u.len; i++) {
        dd_vec_push(px->pool, &u, o->u.data[i].symbol);
    }
    const dd_c_argument arguments[] = {{"t", &o->time, 1, true},
                                       {"w", w.data, w.len, false},
                                       {"u", u.data, u.len, false},
                                       {"p", dd_program_parameter_symbols(px, NULL, 0), px->x->p.len, false}};
    dd_program_add_function(px, name, comment, arguments, 4, values, n);
    if (!slopes) {
        return NULL;
    }
    dd_derivative *d = dd_jacobian_new(px->pool, o->dag, values, n, w.data, w.len);
    dd_program_add_function(px, dd_pool_printf(px->pool, "%s_slopes", name), "its derivatives by w, column by column",
                            arguments, 4, d->entries, d->ptr[d->ncols]);
    return d;
}

/* Measured variables; then the invariants and algebraic equations that hold at every time. */
static void add_estimator(dd_program_export *px)
{
    dd_ocp_problem *o = px->control->problem;
    const dd_estimator *e = px->control->estimator;
    dd_expr_vec h = {0}, rows = {0};
    for (uint32_t i = 0; i < e->measured.len; i++) {
        dd_vec_push(px->pool, &h, dd_ocp_resolve(o, dd_model_symbol(o->model, e->measured.data[i].var)));
    }
    for (uint32_t i = 0; i < o->equations->invariants.len; i++) {
        dd_vec_push(px->pool, &rows, dd_ocp_resolve(o, o->equations->invariants.data[i]));
    }
    for (uint32_t i = 0; i < o->g.len; i++) {
        dd_vec_push(px->pool, &rows, o->g.data[i]);
    }
    px->n_rows = rows.len;
    px->h = add_local(px, "measured", "the measured variables at w = (x, z)", h.data, h.len, true);
    px->rows = add_local(px, "rows", "rows that hold at all times", rows.data, rows.len, true);
    if (px->control->options.delay > 0) {
        add_local(px, "rates", "x', where the rows hold", o->f.data, o->f.len, false);
    }
}

/* NAME_call_values and its like: a function by its number. */
static void add_calls(const dd_program_export *px)
{
    static const struct {
        const char *name, *suffix, *passed;
    } kinds[] = {{"values", "", "in, p"}, {"first", "_first", "in, p"}, {"second", "_second", "in, wt, p"}};
    dd_text *out = &px->x->writer.code;
    for (int i = 0; i < 3; i++) {
        const char *n = px->x->name;
        dd_text_printf(out, "static void %s_call_%s(int family, ", n, kinds[i].name);
        dd_text_printf(out, i < 2 ? "const %s_v *in" : "const %s_v *in, const %s_v *wt", n, n);
        dd_text_printf(out, ", const double *p, %s_v *out)\n{\n    switch (family) {\n", n);
        for (uint32_t f = 0; f < px->s->families.len; f++) {
            dd_text_printf(out, "    case %u:\n        %s_f%u%s(%s, out);\n        break;\n", f, px->x->name, f,
                           kinds[i].suffix, kinds[i].passed);
        }
        dd_text_add(out, "    default:\n        break;\n    }\n}\n\n");
    }
}

void dd_program_write_functions(dd_program_export *px)
{
    px->x->writer = dd_c_writer_new(px->pool, px->o->dag, px->x->name);
    for (uint32_t i = 0; i < px->s->families.len; i++) {
        add_family(px, i);
    }
    if (px->ocp == NULL) {
        dd_program_window_functions(px);
    } else {
        add_parameters(px);
    }
    if (px->control != NULL) {
        add_estimator(px);
    }
    add_calls(px);
}
