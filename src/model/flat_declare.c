/* flat_declare.c - declarations of the flat listing. Attributes and values are written per element, and once where all
 * elements have the same: p[3](start = {1, 0, 0}, nominal = 2), A[2, 2] = {{1, 2}, {3, 4}}, k[1000] = fill(5, 1000). */
#include <math.h>

#include "model/flat.h"

enum { FILL_FROM = 4 }; /* equal elements from which fill() is shorter to read */

/* One scalar of an attribute or value. */
typedef void (*print_element)(const dd_model *m, uint32_t var, dd_text *out);
typedef bool (*same_element)(const dd_variable *a, const dd_variable *b);

/* ---- elements ---- */

/* Nested braces over the elements of an array, row-major. */
static void add_elements(const dd_model *m, const dd_array *a, print_element print, dd_text *out)
{
    for (uint32_t e = 0; e < a->size; e++) {
        dd_text_add(out, e > 0 ? ", " : "");
        /* a brace opens where e is a multiple of the size of a subarray, counted from the innermost dimension */
        uint32_t stride = 1;
        for (int d = a->ndim - 1; d >= 0 && e % (stride *= a->dims[d]) == 0; d--) {
            dd_text_add_char(out, '{');
        }
        print(m, a->first + e, out);
        /* and closes where the next element is */
        stride = 1;
        for (int d = a->ndim - 1; d >= 0 && (e + 1) % (stride *= a->dims[d]) == 0; d--) {
            dd_text_add_char(out, '}');
        }
    }
}

static bool all_same(const dd_model *m, const dd_array *a, same_element same)
{
    for (uint32_t e = 1; e < a->size; e++) {
        if (!same(&m->vars.data[a->first], &m->vars.data[a->first + e])) {
            return false;
        }
    }
    return true;
}

static bool any(const dd_model *m, const dd_array *a, bool (*given)(const dd_variable *v))
{
    for (uint32_t e = 0; e < a->size; e++) {
        if (given(&m->vars.data[a->first + e])) {
            return true;
        }
    }
    return false;
}

static bool every(const dd_model *m, const dd_array *a, bool (*given)(const dd_variable *v))
{
    for (uint32_t e = 0; e < a->size; e++) {
        if (!given(&m->vars.data[a->first + e])) {
            return false;
        }
    }
    return true;
}

static void add_truth(dd_text *out, bool value)
{
    dd_text_add(out, value ? "true" : "false");
}

/* An expression, or the default number when none was given. Truth values are the numbers 0 and 1. */
static void add_given(const dd_model *m, uint32_t var, dd_expr e, double otherwise, dd_text *out)
{
    /* Boolean attributes are numbers in the flat model, and words in the text */
    bool boolean = m->arrays.data[m->vars.data[var].array].type == DD_TYPE_BOOLEAN;
    if (boolean && (e == DD_EXPR_NONE || dd_op_of(m->dag, e) == DD_OP_NUM)) {
        add_truth(out, (e == DD_EXPR_NONE ? otherwise : dd_num_value(m->dag, e)) != 0);
    } else if (e != DD_EXPR_NONE) {
        dd_listing_expr(m, e, false, out);
    } else {
        dd_listing_number(out, otherwise);
    }
}

/* ---- attributes: is it given, is it the same, print it ---- */

static bool start_given(const dd_variable *v)
{
    return v->has_start;
}

static bool start_same(const dd_variable *a, const dd_variable *b)
{
    return a->has_start == b->has_start && a->start == b->start;
}

static void start_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_given(m, var, m->vars.data[var].start, m->vars.data[var].start_value, out);
}

static bool min_given(const dd_variable *v)
{
    return v->has_min;
}

static bool min_same(const dd_variable *a, const dd_variable *b)
{
    return a->has_min == b->has_min && a->min == b->min;
}

static void min_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_given(m, var, m->vars.data[var].min, m->vars.data[var].min_value, out);
}

static bool max_given(const dd_variable *v)
{
    return v->has_max;
}

static bool max_same(const dd_variable *a, const dd_variable *b)
{
    return a->has_max == b->has_max && a->max == b->max;
}

static void max_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_given(m, var, m->vars.data[var].max, m->vars.data[var].max_value, out);
}

static bool nominal_given(const dd_variable *v)
{
    return v->has_nominal;
}

static bool nominal_same(const dd_variable *a, const dd_variable *b)
{
    return a->has_nominal == b->has_nominal && a->nominal == b->nominal;
}

static void nominal_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_given(m, var, m->vars.data[var].nominal, m->vars.data[var].nominal_value, out);
}

static bool fixed_given(const dd_variable *v)
{
    return v->fixed;
}

static bool fixed_same(const dd_variable *a, const dd_variable *b)
{
    return a->fixed == b->fixed;
}

static void fixed_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_truth(out, m->vars.data[var].fixed);
}

static bool free_given(const dd_variable *v)
{
    return v->free;
}

static bool free_same(const dd_variable *a, const dd_variable *b)
{
    return a->free == b->free;
}

static void free_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_truth(out, m->vars.data[var].free);
}

static bool guess_given(const dd_variable *v)
{
    return v->guess != DD_EXPR_NONE;
}

static bool guess_same(const dd_variable *a, const dd_variable *b)
{
    return a->guess == b->guess;
}

/* Without a guess `start` is the guess. */
static void guess_print(const dd_model *m, uint32_t var, dd_text *out)
{
    const dd_variable *v = &m->vars.data[var];
    add_given(m, var, v->guess != DD_EXPR_NONE ? v->guess : v->start, v->start_value, out);
}

static bool select_given(const dd_variable *v)
{
    return v->select != DD_SELECT_DEFAULT;
}

static bool select_same(const dd_variable *a, const dd_variable *b)
{
    return a->select == b->select;
}

static void select_print(const dd_model *m, uint32_t var, dd_text *out)
{
    static const char *const words[] = {"never", "avoid", "default", "prefer", "always"};
    dd_text_printf(out, "StateSelect.%s", words[m->vars.data[var].select]);
}

static const struct {
    const char *name;
    bool (*given)(const dd_variable *v);
    same_element same;
    print_element print;
} attributes[] = {
    {"start", start_given, start_same, start_print},
    {"fixed", fixed_given, fixed_same, fixed_print},
    {"min", min_given, min_same, min_print},
    {"max", max_given, max_same, max_print},
    {"nominal", nominal_given, nominal_same, nominal_print},
    {"stateSelect", select_given, select_same, select_print},
    {"free", free_given, free_same, free_print},
    {"initialGuess", guess_given, guess_same, guess_print},
};

static void begin_attribute(dd_text *out, bool *first, const char *name)
{
    dd_text_printf(out, "%s%s = ", *first ? "(" : ", ", name);
    *first = false;
}

void dd_listing_attributes(const dd_model *m, const dd_array *a, dd_text *out)
{
    /* attributes that are texts belong to the whole array */
    const struct {
        const char *name, *text;
    } texts[] = {{"unit", a->unit}, {"displayUnit", a->display_unit}, {"quantity", a->quantity}};
    bool first = true;
    /* given for some elements: written for all, the others with their defaults */
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!any(m, a, attributes[i].given)) {
            continue;
        }
        begin_attribute(out, &first, attributes[i].name);
        if (all_same(m, a, attributes[i].same)) {
            attributes[i].print(m, a->first, out); /* one value goes for every element */
        } else {
            add_elements(m, a, attributes[i].print, out);
        }
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].text[0]) {
            begin_attribute(out, &first, texts[i].name);
            dd_listing_string(out, texts[i].text);
        }
    }
    dd_text_add(out, first ? "" : ")");
}

/* ---- values ---- */

/* A free parameter may have no declared value: its value is then an initial guess. */
static bool value_given(const dd_variable *v)
{
    return v->has_value && (v->binding != DD_EXPR_NONE || !v->free);
}

/* A variable whose binding is known element by element only: members of components, values of functions. */
static bool binding_given(const dd_variable *v)
{
    return v->kind == DD_KIND_VARIABLE && v->binding != DD_EXPR_NONE;
}

static bool value_same(const dd_variable *a, const dd_variable *b)
{
    return a->binding == b->binding && a->value == b->value && signbit(a->value) == signbit(b->value);
}

static void value_print(const dd_model *m, uint32_t var, dd_text *out)
{
    add_given(m, var, m->vars.data[var].binding, m->vars.data[var].value, out);
}

static void add_element_values(const dd_model *m, const dd_array *a, dd_text *out)
{
    dd_text_add(out, " = ");
    /* short or unequal: element by element; otherwise fill(value, sizes) */
    if (a->ndim == 0 || a->size < FILL_FROM || !all_same(m, a, value_same)) {
        add_elements(m, a, value_print, out);
        return;
    }
    dd_text_add(out, "fill(");
    value_print(m, a->first, out);
    for (uint8_t d = 0; d < a->ndim; d++) {
        dd_text_printf(out, ", %u", a->dims[d]);
    }
    dd_text_add_char(out, ')');
}

void dd_listing_value(const dd_model *m, const dd_array *a, dd_text *out)
{
    bool varies = a->kind == DD_KIND_VARIABLE;
    /* as written, unless single elements may have been set to something else */
    bool whole = varies || a->size == 0 || (a->ndim == 0 && a->kind != DD_KIND_INPUT);
    bool listable = a->binding != DD_FORM_NONE && dd_form_listable(m->forms, a->binding, NULL);
    if (whole && listable) {
        dd_text_add(out, " = ");
        dd_form_print(m->forms, a->binding, NULL, out);
    } else if (a->size > 0 && every(m, a, varies ? binding_given : value_given)) {
        add_element_values(m, a, out);
    }
}

/* Single elements of an input that are given by --set: a declaration cannot say this, a comment can. */
static void add_partial_values(const dd_model *m, const dd_array *a, dd_text *out)
{
    if (a->kind != DD_KIND_INPUT || every(m, a, value_given)) {
        return;
    }
    for (uint32_t i = a->first; i < a->first + a->size; i++) {
        if (value_given(&m->vars.data[i])) {
            dd_text_add(out, "  // given: ");
            dd_model_var_name(m, i, out);
            dd_text_add(out, " = ");
            value_print(m, i, out);
            dd_text_add_char(out, '\n');
        }
    }
}

/* ---- declarations ---- */

static const char *kind_word(const dd_array *a)
{
    switch (a->kind) {
    case DD_KIND_INPUT:
        return "input ";
    case DD_KIND_PARAMETER:
        return "parameter ";
    case DD_KIND_CONSTANT:
        return "constant ";
    default:
        return a->is_output ? "output " : "";
    }
}

static const char *type_word(dd_base_type type)
{
    return type == DD_TYPE_INTEGER ? "Integer" : type == DD_TYPE_BOOLEAN ? "Boolean" : "Real";
}

void dd_listing_declaration(const dd_model *m, const dd_array *a, dd_text *out)
{
    /* kind, type, name and sizes: "  parameter Real p[3, 2]" */
    dd_text_printf(out, "  %s%s %s", kind_word(a), type_word(a->type), a->name);
    for (uint8_t d = 0; d < a->ndim; d++) {
        dd_text_printf(out, "%s%u%s", d == 0 ? "[" : ", ", a->dims[d], d + 1 == a->ndim ? "]" : "");
    }
    dd_listing_attributes(m, a, out);
    dd_listing_value(m, a, out);
    if (a->doc[0]) {
        dd_text_add_char(out, ' ');
        dd_listing_string(out, a->doc);
    }
    dd_text_add(out, ";\n");
    add_partial_values(m, a, out);
}
