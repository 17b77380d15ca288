/* functions.c - the functions of a model as C: rows, invariants, variables, relations, with sparse derivatives. */
#include <math.h>

#include "export/export_impl.h"

enum { TIME, RATES, UNKNOWNS, INPUTS, PARAMETERS, MODES, ARGUMENTS };

/* The arguments that all functions have, in this order: t, v, w, u, p, mode. */
typedef struct signature {
    dd_expr time;
    dd_expr_vec u, p;
    dd_c_argument list[ARGUMENTS];
} signature;

static void make_signature(dd_export *x, signature *s)
{
    s->time = dd_time(x->system->model->dag);
    for (uint32_t i = 0; i < x->u.len; i++) {
        dd_vec_push(x->pool, &s->u, x->u.data[i].symbol);
    }
    for (uint32_t i = 0; i < x->p.len; i++) {
        dd_vec_push(x->pool, &s->p, x->p.data[i].symbol);
    }
    s->list[TIME] = (dd_c_argument){"t", &s->time, 1, true};
    s->list[RATES] = (dd_c_argument){"v", x->v.data, x->v.len, false};
    s->list[UNKNOWNS] = (dd_c_argument){"w", x->q->w.data, x->q->w.len, false};
    s->list[INPUTS] = (dd_c_argument){"u", s->u.data, s->u.len, false};
    s->list[PARAMETERS] = (dd_c_argument){"p", s->p.data, s->p.len, false};
    s->list[MODES] = (dd_c_argument){"mode", x->modes.data, x->modes.len, false};
}

static void add(dd_export *x, const signature *s, const char *name, const char *comment, const dd_c_result *results,
                uint32_t n_results)
{
    const char *full = dd_pool_printf(x->pool, "%s_%s", x->name, name);
    dd_c_add_function(&x->writer, &(dd_c_function){.name = full,
                                                   .comment = comment,
                                                   .arguments = s->list,
                                                   .n_arguments = ARGUMENTS,
                                                   .results = results,
                                                   .n_results = n_results});
    dd_vec_push(x->pool, &x->functions, full);
}

/* Values and their derivatives by v, w and u. */
static void add_with_jacobian(dd_export *x, const signature *s, dd_export_matrix *out, const char *name,
                              const dd_expr *values, uint32_t m, const char *comment)
{
    dd_expr_vec wanted = {0};
    for (uint32_t k = RATES; k <= INPUTS; k++) {
        for (uint32_t i = 0; i < s->list[k].n; i++) {
            dd_vec_push(x->pool, &wanted, s->list[k].symbols[i]);
        }
    }
    add(x, s, name, comment, &(dd_c_result){"out", values, m}, 1);
    out->name = name;
    out->d = dd_jacobian_new(x->pool, x->system->model->dag, values, m, wanted.data, wanted.len);
    add(x, s, dd_pool_printf(x->pool, "%s_jacobian", name),
        dd_pool_printf(x->pool, "its derivatives, the entries of %s_%s_row column by column", x->name, name),
        &(dd_c_result){"out", out->d->entries, out->d->ptr[out->d->ncols]}, 1);
}

/* x' in the order of x. */
static void add_rates(dd_export *x, const signature *s)
{
    const dd_equations *eq = x->q->equations;
    dd_expr *rates = dd_pool_alloc_array(x->pool, x->n + 1, sizeof *rates);
    dd_dag *dag = x->system->model->dag;
    /* the compiled rows have switches and inputs in place: x' is what is left of the row beside it */
    for (uint32_t i = 0; i < x->n; i++) {
        const uint32_t k = eq->rate_of.data[i];
        rates[k] = dd_sub(dag, x->v.data[k], x->q->row_values.data[i]);
    }
    add(x, s, "rates", "x' = f", &(dd_c_result){"out", rates, x->n}, 1);
}

/* Parameters that follow from others, and moments at which conditions on time alone change. */
static void add_parameter_functions(dd_export *x, const signature *s)
{
    dd_expr_vec formulas = {0}, moments = {0};
    dd_dag *dag = x->system->model->dag;
    /* independent parameters are copied, moments of other conditions are infinite */
    for (uint32_t i = 0; i < x->p.len; i++) {
        const dd_expr formula = x->p.data[i].formula;
        dd_vec_push(x->pool, &formulas, formula != DD_EXPR_NONE ? formula : x->p.data[i].symbol);
    }
    for (uint32_t i = 0; i < x->moments.len; i++) {
        const dd_expr at = x->moments.data[i];
        dd_vec_push(x->pool, &moments, at != DD_EXPR_NONE ? at : dd_num(dag, HUGE_VAL));
    }
    /* functions of p alone */
    const struct {
        const char *name, *comment;
        const dd_expr_vec *values;
    } list[] = {{"parameters", "all parameters from the independent ones; out must not be p", &formulas},
                {"moments", "per condition: when a condition on time alone changes; HUGE_VAL for others", &moments}};
    for (uint32_t i = 0; i < 2; i++) {
        const char *full = dd_pool_printf(x->pool, "%s_%s", x->name, list[i].name);
        dd_c_add_function(&x->writer,
                          &(dd_c_function){.name = full,
                                           .comment = list[i].comment,
                                           .arguments = &s->list[PARAMETERS],
                                           .n_arguments = 1,
                                           .results = &(dd_c_result){"out", list[i].values->data, list[i].values->len},
                                           .n_results = 1});
        dd_vec_push(x->pool, &x->functions, full);
    }
}

void dd_export_write_functions(dd_export *x)
{
    const dd_numbers *q = x->q;
    signature s = {0};
    make_signature(x, &s);
    x->writer = dd_c_writer_new(x->pool, x->system->model->dag, x->name);
    add_with_jacobian(x, &s, &x->residual, "residual", q->row_values.data, x->n, "F(x', x, z, u, p, t) = 0: N values");
    if (x->explicit_rates) {
        add_rates(x, &s);
    }
    add_with_jacobian(x, &s, &x->invariants, "invariants", q->invariant_values.data, q->invariant_values.len,
                      "c(x, u, p, t) = 0, true along solutions: NC values");
    add_with_jacobian(x, &s, &x->outputs, "outputs", q->output_values.data, x->y.len,
                      "every declared variable: NY values");
    const uint32_t asserted = q->output_values.len - x->y.len;
    add(x, &s, "assertions", "conditions of assertions: 1 where they hold, NA values",
        &(dd_c_result){"out", q->output_values.data + x->y.len, asserted}, 1);
    add_with_jacobian(x, &s, &x->switching, "switching", q->switch_values.data, q->switch_values.len,
                      "switching functions, whose signs decide the conditions: NS values");
    add_parameter_functions(x, &s);
}
