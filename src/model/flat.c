/* flat.c - the flat model printed in its own language: arrays as declared, loops written out, lagrange() as its
 * equations of motion. Checking the text again leads to the same result. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "model/flat.h"

/* ---- pieces ---- */

void dd_listing_number(dd_text *out, double value)
{
    char buffer[32];
    /* the language has no infinity; the largest number means "no bound" when it is read back */
    double finite = isinf(value) ? copysign(DBL_MAX, value) : value;
    dd_text_add(out, dd_number_text(finite, buffer));
}

void dd_listing_string(dd_text *out, const char *s)
{
    dd_text_add_char(out, '"');
    for (; *s; s++) {
        if (*s == '\n') {
            dd_text_add(out, "\\n");
            continue;
        }
        if (*s == '"' || *s == '\\') {
            dd_text_add_char(out, '\\');
        }
        dd_text_add_char(out, *s);
    }
    dd_text_add_char(out, '"');
}

void dd_listing_expr(const dd_model *m, dd_expr e, bool arrays, dd_text *out)
{
    dd_namer namer = dd_model_namer(m);
    if (!arrays) {
        namer.element = NULL; /* elements one by one: the text is a declaration, not a formula to be read as a whole */
    }
    dd_print(m->dag, e, &namer, out);
}

static void end_statement(const char *doc, dd_text *out)
{
    if (doc[0]) {
        dd_text_add_char(out, ' ');
        dd_listing_string(out, doc);
    }
    dd_text_add(out, ";\n");
}

/* ---- equations ---- */

static void add_equation(const dd_model *m, const dd_group *g, const dd_row_vec *rows, dd_text *out)
{
    /* as written, arrays and sums kept, if every part of it can be read back; otherwise scalar by scalar */
    if (g->lhs != DD_FORM_NONE && !g->stacked && dd_form_listable(m->forms, g->lhs, g->env) &&
        dd_form_listable(m->forms, g->rhs, g->env)) {
        dd_text_add(out, "  ");
        dd_model_print_group(m, g, out);
        end_statement(g->doc, out);
        return;
    }
    for (uint32_t i = 0; i < g->count; i++) {
        const dd_row *row = &rows->data[g->first + i];
        dd_text_add(out, "  ");
        if (row->solve_for != DD_EXPR_NONE) {
            dd_namer namer = dd_model_namer(m);
            dd_print_equation(m->dag, row->residual, row->solve_for, &namer, out);
        } else {
            dd_model_print_residual(m, row->residual, out);
        }
        end_statement(g->doc, out);
    }
}

static void add_initial_equations(const dd_model *m, dd_text *out)
{
    if (m->initial_groups.len > 0) {
        dd_text_add(out, "initial equation\n");
    }
    for (uint32_t i = 0; i < m->initial_groups.len; i++) {
        add_equation(m, &m->initial_groups.data[i], &m->initial_rows, out);
    }
}

/* Truth values are numbers: a condition that became one is written as the word. */
static void add_assertion(const dd_model *m, const dd_assertion *a, dd_text *out)
{
    dd_text_add(out, "  assert(");
    if (a->form != DD_FORM_NONE && dd_form_listable(m->forms, a->form, a->env)) {
        dd_form_print(m->forms, a->form, a->env, out);
    } else if (dd_op_of(m->dag, a->condition) == DD_OP_NUM) {
        dd_text_add(out, dd_num_value(m->dag, a->condition) != 0 ? "true" : "false");
    } else {
        dd_listing_expr(m, a->condition, false, out);
    }
    dd_text_add(out, ", ");
    dd_listing_string(out, a->message);
    dd_text_add(out, a->is_warning ? ", AssertionLevel.warning);\n" : ");\n");
}

static void add_equations(const dd_model *m, dd_text *out)
{
    /* the heading comes with the first thing under it: a model without equations has none */
    const char *heading = "equation\n";
    for (uint32_t i = 0; i < m->groups.len; i++) {
        const dd_group *g = &m->groups.data[i];
        if ((g->origin == DD_ORIGIN_BINDING || g->origin == DD_ORIGIN_VELOCITY) && !g->stacked) {
            continue; /* the declaration says it; made by the tool */
        }
        dd_text_add(out, heading);
        heading = "";
        add_equation(m, g, &m->rows, out);
    }
    for (uint32_t i = 0; i < m->assertions.len; i++) {
        dd_text_add(out, heading);
        heading = "";
        add_assertion(m, &m->assertions.data[i], out);
    }
}

/* ---- annotations ---- */

static void add_experiment(const dd_experiment *x, dd_text *out)
{
    const char *separator = "experiment(";
    /* the items in the language's order; the first one opens the parenthesis */
    const struct {
        bool has;
        const char *name;
        double value;
    } items[] = {{x->has_start, "StartTime", x->start},
                 {x->has_stop, "StopTime", x->stop},
                 {x->has_tolerance, "Tolerance", x->tolerance},
                 {x->has_interval, "Interval", x->interval}};
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (items[i].has) {
            dd_text_printf(out, "%s%s = ", separator, items[i].name);
            dd_listing_number(out, items[i].value);
            separator = ", ";
        }
    }
    dd_text_add_char(out, ')');
}

static void add_annotation(const dd_model *m, dd_text *out)
{
    const dd_experiment *x = &m->experiment;
    /* which parts there are: experiment(...) and Daedal(data, sigma); nothing is written without any */
    bool experiment = x->has_start || x->has_stop || x->has_tolerance || x->has_interval;
    bool data = m->optimization && m->optimization->data_file[0];
    bool sigma = m->optimization && m->optimization->data_sigma > 0;
    if (!experiment && !data && !sigma) {
        return;
    }
    dd_text_add(out, "  annotation(");
    if (experiment) {
        add_experiment(x, out);
    }
    if (data || sigma) {
        dd_text_add(out, experiment ? ", Daedal(" : "Daedal(");
        if (data) {
            dd_text_add(out, "data = ");
            dd_listing_string(out, m->optimization->data_file);
        }
        if (sigma) {
            dd_text_add(out, data ? ", sigma = " : "sigma = ");
            dd_listing_number(out, m->optimization->data_sigma);
        }
        dd_text_add_char(out, ')');
    }
    dd_text_add(out, ");\n");
}

/* ---- the whole ---- */

static bool is_declared(const dd_model *m, const dd_array *a)
{
    const dd_optimization *o = m->optimization;
    /* startTime and finalTime appear in the header of an optimization class */
    bool in_header = o && a->size > 0 && (a->first == o->start_var || a->first == o->final_var);
    return !a->introduced && !a->auxiliary && a->kind != DD_KIND_POINT && !in_header;
}

/* ---- names ---- */

/* arm[2].th: the name of a member of a component, which a listing declares as one name in quotes. */
static bool is_path(const char *name)
{
    bool quoted = false;
    for (; *name; name++) {
        /* a dot or bracket outside quotes; inside them a backslash takes the next character as it is */
        if (quoted && *name == '\\' && name[1]) {
            name++;
        } else if (*name == '\'') {
            quoted = !quoted;
        } else if (!quoted && (*name == '.' || *name == '[')) {
            return true;
        }
    }
    return false;
}

static const char *quoted_path(dd_pool *pool, const char *name)
{
    dd_text text = dd_text_new(pool);
    dd_text_add_char(&text, '\'');
    for (; *name; name++) {
        dd_text_add(&text, *name == '\'' || *name == '\\' ? "\\" : "");
        dd_text_add_char(&text, *name);
    }
    dd_text_add_char(&text, '\'');
    return dd_text_str(&text);
}

/* Puts the names of members in quotes, or (back) the names that were there. */
static void exchange_names(dd_model *m, const char **names)
{
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        const char *other = names[i];
        /* the name lives twice, in the array and in the symbol of its forms: both change */
        names[i] = m->arrays.data[i].name;
        m->arrays.data[i].name = other;
        dd_forms_symbol(m->forms, m->arrays.data[i].symbol)->name = other;
    }
}

/* With phases: the part of its phase at which a value is taken. */
static const char *common_time(const dd_model *m, const dd_point *p, dd_pool *pool)
{
    char number[32];
    return dd_pool_printf(pool, "(%s)", dd_number_text(dd_num_value(m->dag, p->time), number));
}

/* x(finalTime): values at one time are named after their variables, which have their names of the listing now. */
static const char **point_names(const dd_model *m, dd_pool *pool)
{
    /* starting from the names as they are; only points get others */
    const char **names = dd_pool_alloc_array(pool, m->arrays.len + 1, sizeof *names);
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        names[i] = m->arrays.data[i].name;
    }
    for (uint32_t k = 0; m->optimization && k < m->optimization->points.len; k++) {
        /* without phases the time stays as written, "(finalTime)"; with phases it is a number, the part of the
         * phase */
        const dd_point *p = &m->optimization->points.data[k];
        uint32_t array = m->vars.data[p->var].array;
        const char *time = m->optimization->phases.len > 0 ? common_time(m, p, pool) : strrchr(names[array], '(');
        if (time) {
            names[array] = dd_pool_printf(pool, "%s%s", dd_model_var_name_dup(m, p->of, pool), time);
        }
    }
    return names;
}

static void print_listing(const dd_model *m, dd_text *out)
{
    /* header, description, declarations, equations, constraints, annotation: the order of the grammar */
    if (m->optimization) {
        dd_listing_header(m, out);
    } else {
        dd_text_printf(out, "model %s", m->name);
    }
    if (m->doc[0]) {
        dd_text_add_char(out, ' ');
        dd_listing_string(out, m->doc);
    }
    dd_text_add_char(out, '\n');
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        if (is_declared(m, &m->arrays.data[i])) {
            dd_listing_declaration(m, &m->arrays.data[i], out);
        }
    }
    add_initial_equations(m, out);
    add_equations(m, out);
    if (m->optimization) {
        dd_listing_constraints(m, out);
    }
    add_annotation(m, out);
    dd_text_printf(out, "end %s;\n", m->name);
}

void dd_model_print_flat(const dd_model *m, dd_text *out)
{
    dd_model *named = (dd_model *)(uintptr_t)m; /* its names change for the time of the listing */
    dd_pool *pool = dd_pool_child(out->pool);
    const char **names = dd_pool_alloc_array(pool, m->arrays.len + 1, sizeof *names);
    /* members of components, arm[2].th, become one quoted name each */
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        const char *name = m->arrays.data[i].name;
        names[i] = is_path(name) && m->arrays.data[i].kind != DD_KIND_POINT ? quoted_path(pool, name) : name;
    }
    /* two exchanges, since the names of points are built from the quoted names; undone in reverse order */
    exchange_names(named, names);
    const char **points = point_names(m, pool);
    exchange_names(named, points);
    dd_forms_set_listing(m->forms, true);
    print_listing(m, out);
    dd_forms_set_listing(m->forms, false);
    exchange_names(named, points);
    exchange_names(named, names);
    dd_pool_free(pool);
}
