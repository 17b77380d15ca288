/* flat.c - the flat model printed in its own language: arrays as declared, loops written out, lagrange() as the
 * equations it stands for. The text checks to the same result. */
#include <math.h>
#include <string.h>

#include "model/model.h"

static const char *kind_word(const dd_array *a)
{
    switch (a->kind) {
    case DD_KIND_INPUT: return "input ";
    case DD_KIND_PARAMETER: return "parameter ";
    case DD_KIND_CONSTANT: return "constant ";
    default: return a->is_output ? "output " : "";
    }
}

static const char *type_word(dd_base_type type)
{
    return type == DD_TYPE_INTEGER ? "Integer" : type == DD_TYPE_BOOLEAN ? "Boolean" : "Real";
}

static void add_number(dd_text *out, double v)
{
    char buffer[32];
    dd_text_add(out, dd_number_text(v, buffer));
}

static void add_quoted(dd_text *out, const char *s)
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

/* One scalar of an attribute or binding. */
typedef void (*print_element)(const dd_model *m, uint32_t var, dd_text *out);

/* Nested braces over the elements of an array, row-major. */
static void add_elements(const dd_model *m, const dd_array *a, print_element print, dd_text *out)
{
    for (uint32_t e = 0; e < a->size; e++) {
        uint32_t stride = 1;
        uint32_t opened = 0;
        for (int d = a->ndim - 1; d >= 0 && e % (stride *= a->dims[d]) == 0; d--) {
            opened++;
        }
        if (e > 0) {
            dd_text_add(out, ", ");
        }
        for (uint32_t i = 0; i < opened; i++) {
            dd_text_add_char(out, '{');
        }
        print(m, a->first + e, out);
        stride = 1;
        for (int d = a->ndim - 1; d >= 0 && (e + 1) % (stride *= a->dims[d]) == 0; d--) {
            dd_text_add_char(out, '}');
        }
    }
}

static void print_expr(const dd_model *m, dd_expr e, dd_text *out)
{
    dd_namer namer = dd_model_namer(m);
    namer.element = NULL; /* elements one by one: the text is a declaration, not a formula to be read as a whole */
    dd_print(m->dag, e, &namer, out);
}

static void print_start(const dd_model *m, uint32_t var, dd_text *out)
{
    dd_expr e = m->vars.data[var].start;
    if (e != DD_EXPR_NONE) {
        print_expr(m, e, out);
    } else {
        add_number(out, m->vars.data[var].start_value);
    }
}

static void print_min(const dd_model *m, uint32_t var, dd_text *out)
{
    dd_expr e = m->vars.data[var].min;
    e != DD_EXPR_NONE ? print_expr(m, e, out) : add_number(out, m->vars.data[var].min_value);
}

static void print_max(const dd_model *m, uint32_t var, dd_text *out)
{
    dd_expr e = m->vars.data[var].max;
    e != DD_EXPR_NONE ? print_expr(m, e, out) : add_number(out, m->vars.data[var].max_value);
}

static void print_nominal(const dd_model *m, uint32_t var, dd_text *out)
{
    dd_expr e = m->vars.data[var].nominal;
    e != DD_EXPR_NONE ? print_expr(m, e, out) : add_number(out, m->vars.data[var].nominal_value);
}

static void print_fixed(const dd_model *m, uint32_t var, dd_text *out)
{
    dd_text_add(out, m->vars.data[var].fixed ? "true" : "false");
}

static void print_value(const dd_model *m, uint32_t var, dd_text *out)
{
    const dd_variable *v = &m->vars.data[var];
    if (m->arrays.data[v->array].type == DD_TYPE_BOOLEAN) {
        dd_text_add(out, v->value != 0 ? "true" : "false");
    } else if (v->binding != DD_EXPR_NONE) {
        print_expr(m, v->binding, out);
    } else {
        add_number(out, v->value);
    }
}

static const char *select_word(dd_state_select select)
{
    static const char *const words[] = {"StateSelect.never", "StateSelect.avoid", "StateSelect.default",
                                        "StateSelect.prefer", "StateSelect.always"};
    return words[select];
}

static void attribute(dd_text *out, bool *first, const char *name)
{
    dd_text_printf(out, "%s%s = ", *first ? "(" : ", ", name);
    *first = false;
}

static void array_attribute(const dd_model *m, const dd_array *a, bool *first, const char *name, print_element print,
                            dd_text *out)
{
    attribute(out, first, name);
    add_elements(m, a, print, out);
}

static void add_attributes(const dd_model *m, const dd_array *a, dd_text *out)
{
    bool start = false, fixed = false, min = false, max = false, nominal = false, first = true;
    dd_state_select select = DD_SELECT_DEFAULT;
    for (uint32_t e = 0; e < a->size; e++) {
        const dd_variable *v = &m->vars.data[a->first + e];
        start |= v->has_start;
        fixed |= v->fixed;
        min |= v->has_min;
        max |= v->has_max;
        nominal |= v->has_nominal;
        select = v->select;
    }
    if (start) {
        array_attribute(m, a, &first, "start", print_start, out);
    }
    if (fixed) {
        array_attribute(m, a, &first, "fixed", print_fixed, out);
    }
    if (min) {
        array_attribute(m, a, &first, "min", print_min, out);
    }
    if (max) {
        array_attribute(m, a, &first, "max", print_max, out);
    }
    if (nominal) {
        array_attribute(m, a, &first, "nominal", print_nominal, out);
    }
    if (select != DD_SELECT_DEFAULT) {
        attribute(out, &first, "stateSelect");
        dd_text_add(out, select_word(select));
    }
    if (a->unit[0]) {
        attribute(out, &first, "unit");
        add_quoted(out, a->unit);
    }
    if (!first) {
        dd_text_add_char(out, ')');
    }
}

static void add_declaration(const dd_model *m, const dd_array *a, dd_text *out)
{
    dd_text_printf(out, "  %s%s %s", kind_word(a), type_word(a->type), a->name);
    for (uint8_t d = 0; d < a->ndim; d++) {
        dd_text_printf(out, "%s%u%s", d == 0 ? "[" : ", ", a->dims[d], d + 1 == a->ndim ? "]" : "");
    }
    add_attributes(m, a, out);
    bool constant = a->kind == DD_KIND_PARAMETER || a->kind == DD_KIND_CONSTANT;
    if (constant && a->size > 0) {
        dd_text_add(out, " = ");
        add_elements(m, a, print_value, out);
    } else if (a->binding != DD_FORM_NONE) {
        dd_text_add(out, " = ");
        dd_form_print(m->forms, a->binding, NULL, out);
    } else if (a->kind == DD_KIND_INPUT && a->size > 0 && m->vars.data[a->first].has_value) {
        dd_text_add(out, " = ");
        add_elements(m, a, print_value, out);
    }
    if (a->doc[0]) {
        dd_text_add_char(out, ' ');
        add_quoted(out, a->doc);
    }
    dd_text_add(out, ";\n");
}

static void add_equation(const dd_model *m, const dd_group *g, const dd_row_vec *rows, dd_text *out)
{
    if (g->lhs == DD_FORM_NONE) {
        for (uint32_t i = 0; i < g->count; i++) {
            dd_text_add(out, "  ");
            dd_model_print_residual(m, rows->data[g->first + i].residual, out);
            dd_text_add(out, ";\n");
        }
        return;
    }
    dd_text_add(out, "  ");
    dd_model_print_group(m, g, out);
    if (g->doc[0]) {
        dd_text_add_char(out, ' ');
        add_quoted(out, g->doc);
    }
    dd_text_add(out, ";\n");
}

static void add_experiment(const dd_experiment *x, dd_text *out)
{
    const char *separator = "";
    const struct {
        bool has;
        const char *name;
        double value;
    } items[] = {{x->has_start, "StartTime", x->start},
                 {x->has_stop, "StopTime", x->stop},
                 {x->has_tolerance, "Tolerance", x->tolerance},
                 {x->has_interval, "Interval", x->interval}};
    if (!(x->has_start || x->has_stop || x->has_tolerance || x->has_interval)) {
        return;
    }
    dd_text_add(out, "  annotation(experiment(");
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (items[i].has) {
            dd_text_printf(out, "%s%s = ", separator, items[i].name);
            add_number(out, items[i].value);
            separator = ", ";
        }
    }
    dd_text_add(out, "));\n");
}

void dd_model_print_flat(const dd_model *m, dd_text *out)
{
    dd_text_printf(out, "model %s", m->name);
    if (m->doc[0]) {
        dd_text_add_char(out, ' ');
        add_quoted(out, m->doc);
    }
    dd_text_add_char(out, '\n');
    for (uint32_t i = 0; i < m->arrays.len; i++) {
        const dd_array *a = &m->arrays.data[i];
        if (!a->introduced && a->kind != DD_KIND_POINT) {
            add_declaration(m, a, out);
        }
    }
    if (m->initial_groups.len > 0) {
        dd_text_add(out, "initial equation\n");
        for (uint32_t i = 0; i < m->initial_groups.len; i++) {
            add_equation(m, &m->initial_groups.data[i], &m->initial_rows, out);
        }
    }
    dd_text_add(out, "equation\n");
    for (uint32_t i = 0; i < m->groups.len; i++) {
        const dd_group *g = &m->groups.data[i];
        if (g->origin != DD_ORIGIN_BINDING && g->origin != DD_ORIGIN_VELOCITY) {
            add_equation(m, g, &m->rows, out);
        }
    }
    for (uint32_t i = 0; i < m->assertions.len; i++) {
        dd_text_add(out, "  assert(");
        print_expr(m, m->assertions.data[i].condition, out);
        dd_text_add(out, ", ");
        add_quoted(out, m->assertions.data[i].message);
        dd_text_add(out, ");\n");
    }
    add_experiment(&m->experiment, out);
    dd_text_printf(out, "end %s;\n", m->name);
}
