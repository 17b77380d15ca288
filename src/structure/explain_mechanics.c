/* explain_mechanics.c - lagrange(...) as one would work it out: energies, L = T - V, then for each coordinate the terms
 * d/dt dL/dq', dL/dq, dissipation, constraint forces and generalised forces. */
#include "mech/lagrange.h"
#include "structure/explain.h"

enum {
    MOST_COORDINATES = 12, /* whose terms are worked out for people */
    MOST_LENGTH = 1200     /* characters of a term; a longer one says nothing */
};

typedef struct mechanics {
    dd_explanation *x;
    const dd_lagrange *in;
    dd_lagrange_terms terms;
} mechanics;

static const char *printed(const mechanics *k, dd_expr e)
{
    dd_text text = dd_text_new(k->x->pool);
    dd_namer namer = dd_model_namer(k->x->s->model);
    dd_print(k->x->s->model->dag, e, &namer, &text);
    return text.len <= MOST_LENGTH ? dd_text_str(&text) : "";
}

/* name = value, in the velocities that the model names. Nothing is added for a value that is absent or 0. */
static void add_value(mechanics *k, dd_explain_step *step, const char *name, const char *tex, dd_expr e)
{
    const dd_system *s = k->x->s;
    if (e == DD_EXPR_NONE || dd_is_num(s->model->dag, e, 0)) {
        return;
    }
    dd_expr *value = dd_pool_alloc(k->x->pool, sizeof *value);
    *value = dd_system_lower(s, e);
    const char *formula = printed(k, *value);
    dd_explain_push(
        k->x, step,
        (dd_explain_line){.name = name,
                          .name_tex = tex,
                          .words = formula[0] ? "" : dd_pool_printf(k->x->pool, "%s is too long to print", name),
                          .formula = formula,
                          .values = value,
                          .n_values = 1});
}

static void add_list(mechanics *k, dd_explain_step *step, const char *name, const dd_expr *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        add_value(k, step, n > 1 ? dd_pool_printf(k->x->pool, "%s%u", name, i + 1) : name,
                  n > 1 ? dd_pool_printf(k->x->pool, "%s_{%u}", name, i + 1) : name, list[i]);
    }
}

/* T, V, L, D and the constraints. */
static void add_energies(mechanics *k)
{
    const dd_lagrange *in = k->in;
    dd_dag *dag = k->x->s->model->dag;
    dd_explain_step *step = dd_explain_add(k->x, DD_EXPLAIN_LAGRANGE, "Lagrange's equations");
    step->text = dd_pool_printf(k->x->pool, "For every coordinate q: d/dt dL/dq' - dL/dq%s%s = %s, with L = T - V.%s",
                                in->D != DD_EXPR_NONE ? " + dD/dq'" : "", in->nc > 0 ? " + (dc/dq)^T lambda" : "",
                                in->Q || in->nf > 0 ? "generalised forces" : "0",
                                in->nc + in->na > 0 ? " The constraints are equations of their own, and each has a "
                                                      "multiplier lambda, which is an algebraic unknown."
                                                    : "");
    add_value(k, step, "T", "T", in->T);
    add_value(k, step, "V", "V", in->V);
    add_value(k, step, "L", "L", in->V == DD_EXPR_NONE ? in->T : dd_sub(dag, in->T, in->V));
    add_value(k, step, "D", "D", in->D);
    add_list(k, step, "c", in->c, in->nc);
    add_list(k, step, "a", in->a, in->na);
}

/* The terms of one coordinate, and the equation that they make. */
static void add_coordinate(mechanics *k, uint32_t i)
{
    const dd_lagrange_terms *t = &k->terms;
    const dd_model *m = k->x->s->model;
    const char *q = dd_model_var_name_dup(m, dd_symbol_id(m->dag, k->in->q[i]), k->x->pool);
    dd_explain_step *step =
        dd_explain_add(k->x, DD_EXPLAIN_MOTION, dd_pool_printf(k->x->pool, "The equation of motion of `%s`", q));
    add_value(k, step, "dL/dq'", "\\frac{\\partial L}{\\partial \\dot{q}}", t->momentum[i]);
    add_value(k, step, "d/dt dL/dq'", "\\frac{d}{dt}\\frac{\\partial L}{\\partial \\dot{q}}", t->momentum_rate[i]);
    add_value(k, step, "dL/dq", "\\frac{\\partial L}{\\partial q}", t->along_q[i]);
    add_value(k, step, "dD/dq'", "\\frac{\\partial D}{\\partial \\dot{q}}", t->dissipation[i]);
    add_value(k, step, "constraint force", "F_{c}", t->constraint[i]);
    add_value(k, step, "generalised force", "F_{q}", t->force[i]);
    const uint32_t group = k->in->first_group + i;
    dd_explain_push(k->x, step,
                    dd_explain_equation(k->x, k->x->group_label[group], "together",
                                        dd_system_lower(k->x->s, m->rows.data[m->groups.data[group].first].residual)));
}

void dd_explain_mechanics(dd_explanation *x)
{
    const dd_model *m = x->s->model;
    for (uint32_t i = 0; i < m->lagrange.len; i++) {
        mechanics k = {.x = x, .in = m->lagrange.data[i]};
        k.terms = dd_lagrange_terms_of(m->dag, k.in, x->pool);
        add_energies(&k);
        for (uint32_t q = 0; q < k.in->nq && (x->all || q < MOST_COORDINATES); q++) {
            dd_check_stop(x->s->ctx);
            add_coordinate(&k, q);
        }
    }
}
