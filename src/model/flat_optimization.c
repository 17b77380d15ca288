/* flat_optimization.c - the parts that only an optimization class has: the header with objective and times, and the
 * constraint section.
 *
 *   optimization SwingUp(objective = finalTime, startTime = 0, finalTime(free = true, min = 0.5))
 *     ... declarations and equations as in a model ...
 *   constraint
 *     s(finalTime) = 0;
 */
#include "model/flat.h"

static void add_expression_item(const dd_model *m, const char *name, dd_expr e, dd_text *out)
{
    if (e != DD_EXPR_NONE) {
        dd_text_printf(out, "%s = ", name);
        dd_listing_expr(m, e, true, out);
        dd_text_add(out, ", ");
    }
}

/* startTime and finalTime are parameters that are declared in the header. */
static void add_time_item(const dd_model *m, uint32_t var, dd_text *out)
{
    const dd_array *a = &m->arrays.data[m->vars.data[var].array];
    dd_text_add(out, a->name);
    dd_listing_attributes(m, a, out);
    dd_listing_value(m, a, out);
}

void dd_listing_header(const dd_model *m, dd_text *out)
{
    const dd_optimization *o = m->optimization;
    /* times come last, as parameters that the class always has */
    dd_text_printf(out, "optimization %s(", m->name);
    add_expression_item(m, "objective", o->objective, out);
    add_expression_item(m, "objectiveIntegrand", o->integrand, out);
    add_time_item(m, o->start_var, out);
    dd_text_add(out, ", ");
    add_time_item(m, o->final_var, out);
    dd_text_add_char(out, ')');
}

/* The scalars of one array constraint follow each other and share its forms. (Those of phases are written one by one:
 * their forms are in another time.) */
static bool same_statement(const dd_model *m, const dd_constraint *a, const dd_constraint *b)
{
    return m->optimization->phases.len == 0 && a->lhs_form != DD_FORM_NONE && a->lhs_form == b->lhs_form &&
           a->rhs_form == b->rhs_form && a->env == b->env;
}

static void add_constraint(const dd_model *m, const dd_constraint *c, dd_text *out)
{
    static const char *const relations[] = {
        [DD_CONSTRAINT_EQ] = " = ", [DD_CONSTRAINT_LE] = " <= ", [DD_CONSTRAINT_GE] = " >= "};
    dd_text_add(out, "  ");
    /* as written where the text can be read back; the forms of phases are in another time and are not */
    if (c->lhs_form != DD_FORM_NONE && m->optimization->phases.len == 0 &&
        dd_form_listable(m->forms, c->lhs_form, c->env) && dd_form_listable(m->forms, c->rhs_form, c->env)) {
        dd_model_print_left(m, c->lhs_form, c->env, out);
        dd_text_add(out, relations[c->relation]);
        dd_form_print(m->forms, c->rhs_form, c->env, out);
    } else {
        dd_listing_expr(m, c->lhs, true, out);
        dd_text_add(out, relations[c->relation]);
        dd_listing_expr(m, c->rhs, true, out);
    }
    dd_text_add(out, ";\n");
}

void dd_listing_constraints(const dd_model *m, dd_text *out)
{
    const dd_optimization *o = m->optimization;
    if (o->constraints.len > 0) {
        dd_text_add(out, "constraint\n");
    }
    /* the scalars of one array constraint print as one statement, with the first of them */
    for (uint32_t i = 0; i < o->constraints.len; i++) {
        if (i == 0 || !same_statement(m, &o->constraints.data[i - 1], &o->constraints.data[i])) {
            add_constraint(m, &o->constraints.data[i], out);
        }
    }
}
