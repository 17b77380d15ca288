/* function_assign.c - assignment to variables of a function, to elements and slices of them and to fields of
 * records. */
#include <string.h>

#include "lang/function_private.h"

/* ---- types ---- */

bool dd_function_type_fits(const dd_fvar *var, const dd_ev *value)
{
    /* an Integer fits where a Real is declared, not the other way round (no implicit rounding) */
    switch (var->type) {
    case DD_TYPE_REAL:
        return value->type == DD_TYPE_REAL || value->type == DD_TYPE_INTEGER;
    case DD_EV_RECORD:
        return value->type == DD_EV_RECORD && dd_record_same(var->record, value->record->type);
    default:
        return value->type == var->type;
    }
}

const char *dd_function_type_name(const dd_fvar *var)
{
    static const char *const names[] = {"Real", "Integer", "Boolean"};
    return var->type == DD_EV_RECORD ? var->record->name : names[var->type];
}

static const char *value_type(const dd_ev *v)
{
    static const char *const names[] = {"Real", "Integer", "Boolean"};
    return v->type == DD_EV_RECORD      ? dd_record_name(v->record->type)
           : v->type <= DD_TYPE_BOOLEAN ? names[v->type]
                                        : "?";
}

/* The declaration behind the target: the variable, or the field. */
static const dd_fvar *declaration(const dd_el *el, dd_form target)
{
    const dd_form_node *node = dd_form_get(el->forms, target);
    if (node->op == DD_FORM_LOCAL) {
        return &el->frame->fn->vars[node->payload - el->frame->fn->first_local];
    }
    uint32_t name = node->payload;
    const dd_fvar *owner = declaration(el, dd_form_arg(el->forms, target, 0));
    return &owner->record->vars[dd_map_get(&owner->record->by_name, name) - 1];
}

/* ---- storing ---- */

/* Values of Real variables are Real, also when an Integer is assigned. */
static void set_type(dd_ev *target, const dd_fvar *var)
{
    target->type = var->type == DD_EV_RECORD ? DD_EV_RECORD : var->type;
}

static bool store_whole(dd_el *el, dd_form at, const dd_fvar *var, dd_ev *target, const dd_ev *value)
{
    /* a declared size is kept; an open one `:` takes that of the value */
    bool sized = target->type <= DD_EV_RECORD;
    for (uint32_t d = 0; d < var->ndim; d++) {
        sized = sized && dd_form_get(el->forms, var->dims[d])->op != DD_FORM_COLON;
    }
    bool fits = sized ? dd_ev_same_shape(target, value) : value->ndim == var->ndim || target->type == DD_EV_UNSET;
    if (!fits) {
        return dd_el_fail(el, at, "%s %s, but the value assigned to it %s", var->name, dd_el_has(el, target),
                          dd_el_has(el, value));
    }
    /* in place where memory is there, else a copy in the frame's pool */
    if (sized && value->type <= DD_TYPE_BOOLEAN && target->ndim > 0) {
        memcpy(target->elems, value->elems, value->size * sizeof *value->elems);
    } else {
        dd_ev_copy(el->frame->pool, value, target);
    }
    set_type(target, var);
    return true;
}

/* Puts the value where the selection points; further dimensions of a field are taken whole. */
static bool scatter(dd_el *el, dd_form at, dd_ev *target, const dd_selection *given, uint32_t given_ndim,
                    const dd_ev *value)
{
    /* records: the same elements of every field */
    if (target->type == DD_EV_RECORD) {
        for (uint32_t i = 0; i < target->record->type->n_inputs; i++) {
            if (!scatter(el, at, &target->record->fields[i], given, given_ndim, &value->record->fields[i])) {
                return false;
            }
        }
        return true;
    }
    dd_selection s[DD_MAX_DIMS];
    uint32_t place[DD_MAX_DIMS] = {0}, ndim = 0, dims[DD_MAX_DIMS];
    if (target->type >= DD_EV_UNSET || value->type >= DD_EV_UNSET) {
        return dd_el_fail(el, at, "an element of a variable without a size cannot be assigned: assign the whole first");
    }
    /* dimensions without a subscript are taken whole; scalar subscripts drop theirs */
    for (uint32_t d = 0; d < target->ndim; d++) {
        s[d] = d < given_ndim ? given[d] : (dd_selection){.count = target->dims[d], .step = 1};
        if (!s[d].scalar) {
            dims[ndim++] = s[d].count;
        }
    }
    dd_ev picked = {.ndim = (uint8_t)ndim};
    memcpy(picked.dims, dims, ndim * sizeof *dims);
    if (!dd_ev_same_shape(&picked, value)) {
        return dd_el_fail(el, at, "the part that is assigned %s, but the value %s", dd_el_has(el, &picked),
                          dd_el_has(el, value));
    }
    dd_expr *elems = target->ndim == 0 ? &target->one : target->elems;
    /* an odometer over the selected places */
    for (uint32_t k = 0; k < value->size; k++) {
        elems[dd_selection_place(s, target->dims, target->ndim, place)] = dd_ev_elems(value)[k];
        dd_selection_next(s, target->ndim, place);
    }
    return true;
}

static bool store_part(dd_el *el, dd_form form, dd_form at, const dd_fvar *var, dd_ev *target,
                       const dd_form *subscripts, uint32_t n, const dd_ev *value)
{
    dd_selection s[DD_MAX_DIMS] = {0};
    uint64_t dims[DD_MAX_DIMS];
    uint32_t ndim;
    /* elements need an array to be in */
    if (target->type >= DD_EV_UNSET) {
        return dd_el_fail(el, form, "%s has no size yet: an element cannot be assigned before the whole", var->name);
    }
    dd_array shape = {.name = var->name, .ndim = target->ndim};
    memcpy(shape.dims, target->dims, sizeof shape.dims);
    return dd_el_select(el, form, subscripts, n, &shape, s, dims, &ndim) &&
           scatter(el, at, target, s, target->ndim, value);
}

bool dd_function_assign(dd_el *el, dd_form target, dd_form at, const dd_ev *value)
{
    dd_form subscripts[DD_MOST_SUBSCRIPTS];
    uint32_t n;
    /* the place in the frame, with all subscripts of the chain */
    dd_ev *place = dd_el_locate(el, target, subscripts, &n);
    if (place == NULL) {
        return false;
    }
    const dd_fvar *var = declaration(el, target);
    if (!dd_function_type_fits(var, value)) {
        return dd_el_fail(el, at, "%s is %s, but the value assigned to it is %s", var->name, dd_function_type_name(var),
                          value_type(value));
    }
    return n == 0 ? store_whole(el, at, var, place, value)
                  : store_part(el, target, at, var, place, subscripts, n, value);
}

bool dd_function_assign_tuple(dd_el *el, dd_form tuple, dd_form call)
{
    dd_ev *outs;
    uint32_t n, count = dd_form_get(el->forms, tuple)->nargs;
    /* all outputs from one run of the function; an empty place is not assigned */
    if (!dd_el_user_call_all(el, call, &outs, &n)) {
        return false;
    }
    if (count > n) {
        return dd_el_fail(el, tuple, "%u values are assigned, but %s has %u output%s", count,
                          dd_forms_function_name(el->forms, dd_form_get(el->forms, call)->payload), n,
                          n == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < count; i++) {
        dd_form target = dd_form_arg(el->forms, tuple, i);
        if (dd_form_get(el->forms, target)->op != DD_FORM_COLON && !dd_function_assign(el, target, call, &outs[i])) {
            return false;
        }
    }
    return true;
}
