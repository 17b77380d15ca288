/* elaborate_element.c - variables of functions, elements and fields of values. Subscripts of a.b[i].c[j] are gathered
 * first: a field of an array of records is an array with the dimensions of both. */
#include <math.h>
#include <string.h>

#include "lang/function_private.h"

#define QUICK_LIMIT INT64_C(1000000000)

static uint32_t variable_of(const dd_el *el, dd_form f)
{
    return dd_form_get(el->forms, f)->payload - el->frame->fn->first_local;
}

/* The variable, with its first value computed on the first use. NULL after a message. */
static dd_ev *variable(dd_el *el, dd_form f)
{
    /* values are started on the first use: a binding may need variables declared later */
    uint32_t i = variable_of(el, f);
    if (el->frame->values[i].type >= DD_EV_PENDING && !dd_function_start_variable(el, i)) {
        return NULL;
    }
    return &el->frame->values[i];
}

/* ---- chains of fields ---- */

static bool add_subscript(dd_el *el, dd_form f, dd_form subscript, dd_form *subscripts, uint32_t *n)
{
    if (*n == DD_MOST_SUBSCRIPTS) {
        return dd_el_fail(el, f, "%s has more than %d subscripts", dd_el_text(el, f), DD_MOST_SUBSCRIPTS);
    }
    subscripts[(*n)++] = subscript;
    return true;
}

/* The subscripts written at one part of the chain; `skip`: arguments before them. */
static bool add_own(dd_el *el, dd_form f, uint32_t skip, dd_form *subscripts, uint32_t *n)
{
    uint32_t count = dd_form_get(el->forms, f)->nargs;
    for (uint32_t i = skip; i < count; i++) {
        if (!add_subscript(el, f, dd_form_arg(el->forms, f, i), subscripts, n)) {
            return false;
        }
    }
    return true;
}

/* The field of a record value; NULL after a message. */
static dd_ev *field_of(dd_el *el, dd_form f, const dd_ev *v)
{
    /* v is a record and has a field of this name, or the user's text is wrong */
    uint32_t name = dd_form_get(el->forms, f)->payload;
    dd_form whole = dd_form_arg(el->forms, f, 0);
    if (v->type != DD_EV_RECORD) {
        dd_el_fail(el, f, "%s is not a record, so it has no field %s", dd_el_text(el, whole),
                   dd_names_get(el->m->names, name));
        return NULL;
    }
    uint32_t place = dd_map_get(&v->record->type->by_name, name);
    if (place == 0) {
        dd_el_fail(el, f, "%s has no field %s: it is a record %s", dd_el_text(el, whole),
                   dd_names_get(el->m->names, name), v->record->type->name);
        return NULL;
    }
    return &v->record->fields[place - 1];
}

/* Recursion: as deep as the form. */
dd_ev *dd_el_locate(dd_el *el, dd_form f, dd_form *subscripts, uint32_t *n)
{
    /* the chain begins at a variable: its subscripts are the first */
    const dd_form_node *node = dd_form_get(el->forms, f);
    if (node->op == DD_FORM_LOCAL) {
        dd_ev *v = variable(el, f);
        *n = 0;
        return v != NULL && add_own(el, f, 0, subscripts, n) ? v : NULL;
    }
    /* then field by field; subscripts of the parts in front come first, as dimensions do */
    dd_ev *v = dd_el_locate(el, dd_form_arg(el->forms, f, 0), subscripts, n);
    if (v == NULL) {
        return NULL;
    }
    dd_ev *field = field_of(el, f, v);
    if (field == NULL) {
        return NULL;
    }
    /* subscripts left out in front of others mean all elements */
    while (node->nargs > 1 && *n < v->ndim) {
        if (!add_subscript(el, f, el->e->functions->colon, subscripts, n)) {
            return NULL;
        }
    }
    return add_own(el, f, 1, subscripts, n) ? field : NULL;
}

/* Does f begin with a variable, with nothing but fields behind? */
static bool is_chain(const dd_el *el, dd_form f)
{
    const dd_form_node *node = dd_form_get(el->forms, f);
    while (node->op == DD_FORM_ELEMENT && node->sub != 0) {
        node = dd_form_get(el->forms, dd_form_arg(el->forms, f, 0));
        f = dd_form_arg(el->forms, f, 0);
    }
    return node->op == DD_FORM_LOCAL && el->frame != NULL;
}

bool dd_el_local_shape(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form subscripts[DD_MOST_SUBSCRIPTS];
    uint32_t n;
    const dd_form_node *node = dd_form_get(el->forms, f);
    /* size(x) of a variable without a value: the shape is enough */
    if ((node->op != DD_FORM_LOCAL && node->op != DD_FORM_ELEMENT) || !is_chain(el, f)) {
        return false;
    }
    const dd_ev *v = dd_el_locate(el, f, subscripts, &n);
    if (v == NULL || n > 0 || v->type == DD_EV_UNSET) {
        return false;
    }
    *out = *v;
    return true;
}

/* ---- picking ---- */

static dd_array shape_of(dd_el *el, dd_form f, const dd_ev *v)
{
    /* a name for messages about subscripts: the variable, the expression indexed, or the whole chain */
    const dd_form_node *node = dd_form_get(el->forms, f);
    const char *name;
    if (node->op == DD_FORM_LOCAL) {
        name = dd_names_get(el->m->names, dd_forms_loop_name(el->forms, node->payload));
    } else if (node->op == DD_FORM_ELEMENT && node->sub == 0) {
        name = dd_el_text(el, dd_form_arg(el->forms, f, 0));
    } else {
        name = dd_el_text(el, f);
    }
    dd_array a = {.name = name, .ndim = v->ndim};
    memcpy(a.dims, v->dims, sizeof a.dims);
    return a;
}

static bool no_value(dd_el *el, dd_form f)
{
    return dd_el_fail(el, f, "%s is used before it has a value%s%s", dd_el_text(el, f), el->frame != NULL ? " in " : "",
                      el->frame != NULL ? el->frame->fn->name : "");
}

/* The part of a plain value that s picks; further dimensions of v are taken whole. */
static bool pick_plain(dd_el *el, dd_form f, const dd_ev *v, const dd_selection *given, uint32_t given_ndim, dd_ev *out)
{
    dd_selection s[DD_MAX_DIMS];
    uint64_t dims[DD_MAX_DIMS] = {0};
    uint32_t ndim = 0, at[DD_MAX_DIMS] = {0};
    /* dimensions without a subscript are taken whole; scalar subscripts drop their dimension */
    for (uint32_t d = 0; d < v->ndim; d++) {
        s[d] = d < given_ndim ? given[d] : (dd_selection){.count = v->dims[d], .step = 1};
        if (!s[d].scalar) {
            dims[ndim++] = s[d].count;
        }
    }
    if (!dd_ev_new(el, f, out, ndim, dims, (dd_base_type)v->type)) {
        return false;
    }
    /* an odometer over the picked positions; holes are elements that were never assigned */
    dd_expr *elems = ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; k < out->size; k++) {
        elems[k] = dd_ev_elems(v)[dd_selection_place(s, v->dims, v->ndim, at)];
        if (elems[k] == DD_EXPR_NONE) {
            return no_value(el, f);
        }
        dd_selection_next(s, v->ndim, at);
    }
    return true;
}

static bool pick_selected(dd_el *el, dd_form f, const dd_ev *v, const dd_selection *s, uint32_t ndim, dd_ev *out)
{
    /* a record picks the same elements of every field; nested records recurse */
    if (v->type >= DD_EV_UNSET) {
        return no_value(el, f);
    }
    if (v->type != DD_EV_RECORD) {
        return pick_plain(el, f, v, s, ndim, out);
    }
    dd_ev_record_new(el->scratch, v->record->type, out);
    /* the shape of the array of records that is left */
    for (uint32_t d = 0; d < v->ndim; d++) {
        if (d >= ndim || !s[d].scalar) {
            out->dims[out->ndim++] = d < ndim ? s[d].count : v->dims[d];
            out->size *= out->dims[out->ndim - 1];
        }
    }
    for (uint32_t k = 0; k < dd_record_size(v->record->type); k++) {
        if (!pick_selected(el, f, &v->record->fields[k], s, ndim, &out->record->fields[k])) {
            return false;
        }
    }
    return true;
}

bool dd_el_pick(dd_el *el, dd_form f, const dd_ev *v, const dd_form *subscripts, uint32_t n, dd_ev *out)
{
    dd_selection s[DD_MAX_DIMS] = {0};
    uint64_t dims[DD_MAX_DIMS];
    uint32_t ndim = 0;
    /* not assigned at all: no subscript can help */
    if (v->type >= DD_EV_UNSET) {
        return no_value(el, f);
    }
    if (n > 0) {
        dd_array shape = shape_of(el, f, v);
        if (!dd_el_select(el, f, subscripts, n, &shape, s, dims, &ndim)) {
            return false;
        }
    }
    return pick_selected(el, f, v, s, n > 0 ? v->ndim : 0, out);
}

/* ---- entry points ---- */

bool dd_el_local(dd_el *el, dd_form f, dd_ev *out)
{
    if (el->frame == NULL) {
        return dd_el_fail(el, f, "%s is a variable of a function and has no value here", dd_el_text(el, f));
    }
    /* scalars, the common case, without any subscript work */
    const dd_ev *v = variable(el, f);
    if (v == NULL) {
        return false;
    }
    if (v->ndim == 0 && v->type <= DD_TYPE_BOOLEAN && dd_form_get(el->forms, f)->nargs == 0) {
        *out = *v;
        return v->one != DD_EXPR_NONE || no_value(el, f);
    }
    dd_form subscripts[DD_MOST_SUBSCRIPTS];
    uint32_t n = 0;
    return add_own(el, f, 0, subscripts, &n) && dd_el_pick(el, f, v, subscripts, n, out);
}

/* The value that elements of `f` are taken from. Outside loops and functions it is the same every time: an array that
 * is spread over the components of an array is computed once. */
static bool whole_value(dd_el *el, dd_form f, dd_ev *out)
{
    dd_elaborator *e = el->e;
    /* in a loop or a function the value changes: nothing is kept */
    if (e->keep == NULL || el->env != NULL || el->frame != NULL) {
        return dd_el_any(el, f, out);
    }
    /* with parameters_only a variable is an error, without it is not: two entries */
    uint64_t key = 2 * (uint64_t)f + e->parameters_only;
    uint32_t known = dd_map_get(&e->whole_of_form, key);
    if (known == 0) {
        if (!dd_el_any(el, f, out)) {
            return false;
        }
        /* scalars and records are cheap or rare, and not kept */
        if (out->ndim == 0 || out->type > DD_TYPE_BOOLEAN) {
            return true;
        }
        /* a copy in the pool that outlives the equation */
        dd_value kept = {.ndim = out->ndim, .size = out->size, .type = (dd_base_type)out->type};
        memcpy(kept.dims, out->dims, sizeof kept.dims);
        kept.elems = dd_pool_alloc_array(e->keep, out->size + 1u, sizeof *kept.elems);
        if (out->size > 0) {
            memcpy(kept.elems, out->elems, out->size * sizeof *kept.elems);
        }
        dd_vec_push(e->keep, &e->wholes, kept);
        known = e->wholes.len;
        dd_map_put(&e->whole_of_form, key, known);
    }
    /* the kept value, sharing its scalars: dd_el_pick copies those that it picks */
    const dd_value *v = &e->wholes.data[known - 1];
    *out = (dd_ev){.ndim = (uint8_t)v->ndim, .type = (uint8_t)v->type, .one = DD_EXPR_NONE, .size = v->size};
    memcpy(out->dims, v->dims, sizeof out->dims);
    out->elems = v->elems;
    return true;
}

bool dd_el_element(dd_el *el, dd_form f, dd_ev *out)
{
    dd_form subscripts[DD_MOST_SUBSCRIPTS];
    uint32_t n = 0;
    /* a chain on a variable is followed in place, without copying the whole record */
    if (is_chain(el, f)) {
        const dd_ev *v = dd_el_locate(el, f, subscripts, &n);
        return v != NULL && dd_el_pick(el, f, v, subscripts, n, out);
    }
    /* any other value: compute it, take the field, then the subscripts */
    dd_ev whole;
    if (!whole_value(el, dd_form_arg(el->forms, f, 0), &whole)) {
        return false;
    }
    const dd_ev *v = dd_form_get(el->forms, f)->sub != 0 ? field_of(el, f, &whole) : &whole;
    for (uint32_t d = 0; v != NULL && v != &whole && dd_form_get(el->forms, f)->nargs > 1 && d < whole.ndim; d++) {
        subscripts[n++] = el->e->functions->colon;
    }
    return v != NULL && add_own(el, f, 1, subscripts, &n) && dd_el_pick(el, f, v, subscripts, n, out);
}

bool dd_el_quick_local(dd_el *el, dd_form f, int64_t *out)
{
    /* a number already known: no expression needs to be made for a subscript */
    if (el->frame == NULL || dd_form_get(el->forms, f)->nargs > 0) {
        return false;
    }
    const dd_ev *v = &el->frame->values[variable_of(el, f)];
    int64_t den;
    return v->ndim == 0 && v->type == DD_TYPE_INTEGER && v->one != DD_EXPR_NONE &&
           dd_op_of(el->dag, v->one) == DD_OP_NUM && dd_num_rational(el->dag, v->one, out, &den) && den == 1 &&
           *out > -QUICK_LIMIT && *out < QUICK_LIMIT;
}
