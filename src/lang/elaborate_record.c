/* elaborate_record.c - records as values: a list of fields. An array of records keeps each field as one array with the
 * dimensions of the array in front. Recursion is as deep as records are nested, which the classes limit. */
#include <string.h>

#include "lang/function_private.h"

uint32_t dd_record_size(const dd_function *type)
{
    return type->n_inputs;
}

const char *dd_record_name(const dd_function *type)
{
    return type->name;
}

bool dd_record_same(const dd_function *a, const dd_function *b)
{
    if (a == b) {
        return true;
    }
    /* records are equal by the names of their fields, wherever they were declared */
    bool same = a->n_inputs == b->n_inputs;
    for (uint32_t i = 0; same && i < a->n_inputs; i++) {
        same = a->vars[i].ast->name == b->vars[i].ast->name;
    }
    return same;
}

void dd_ev_record_new(dd_pool *pool, dd_function *type, dd_ev *out)
{
    *out = (dd_ev){.type = DD_EV_RECORD, .size = 1};
    out->record = dd_pool_alloc(pool, sizeof *out->record);
    out->record->type = type;
    out->record->fields = dd_pool_alloc_array(pool, type->n_inputs + 1u, sizeof *out->record->fields);
}

void dd_ev_copy(dd_pool *pool, const dd_ev *v, dd_ev *out)
{
    /* plain values: scalars are copied with the struct, arrays need new memory */
    if (v->type != DD_EV_RECORD) {
        dd_ev copy = *v;
        if (v->ndim > 0 && v->type <= DD_TYPE_BOOLEAN) {
            copy.elems = dd_pool_alloc_array(pool, v->size, sizeof *copy.elems);
            memcpy(copy.elems, v->elems, v->size * sizeof *copy.elems);
        }
        *out = copy;
        return;
    }
    /* records: the shape, then field by field */
    dd_ev copy;
    dd_ev_record_new(pool, v->record->type, &copy);
    copy.ndim = v->ndim;
    copy.size = v->size;
    memcpy(copy.dims, v->dims, sizeof copy.dims);
    for (uint32_t i = 0; i < v->record->type->n_inputs; i++) {
        dd_ev_copy(pool, &v->record->fields[i], &copy.record->fields[i]);
    }
    *out = copy;
}

static bool choose_records(dd_el *el, dd_expr condition, const dd_ev *a, const dd_ev *b, dd_ev *out)
{
    /* fields are chosen one by one; the condition is shared */
    dd_function *type = a->record->type;
    if (!dd_record_same(type, b->record->type)) {
        return false;
    }
    dd_ev chosen;
    dd_ev_record_new(el->scratch, type, &chosen);
    chosen.ndim = a->ndim;
    chosen.size = a->size;
    memcpy(chosen.dims, a->dims, sizeof chosen.dims);
    for (uint32_t i = 0; i < type->n_inputs; i++) {
        if (!dd_ev_choose(el, condition, &a->record->fields[i], &b->record->fields[i], &chosen.record->fields[i])) {
            return false;
        }
    }
    *out = chosen;
    return true;
}

bool dd_ev_choose(dd_el *el, dd_expr condition, const dd_ev *a, const dd_ev *b, dd_ev *out)
{
    /* a variable that one branch leaves without a value has none after the if */
    if (a->type >= DD_EV_UNSET || b->type >= DD_EV_UNSET) {
        *out = a->type >= DD_EV_UNSET ? *a : *b;
        out->type = DD_EV_UNSET;
        return true;
    }
    /* one kind and one shape, or there is no common value */
    bool same_kind = (a->type == DD_EV_RECORD) == (b->type == DD_EV_RECORD) &&
                     (a->type == DD_TYPE_BOOLEAN) == (b->type == DD_TYPE_BOOLEAN);
    if (!same_kind || !dd_ev_same_shape(a, b)) {
        return false;
    }
    if (a->type == DD_EV_RECORD) {
        return choose_records(el, condition, a, b, out);
    }
    dd_ev chosen;
    dd_ev_like(el, &chosen, a);
    chosen.type = (uint8_t)dd_ev_join(a, b);
    dd_expr *elems = chosen.ndim == 0 ? &chosen.one : chosen.elems;
    /* an element that one branch left open stays open */
    for (uint32_t k = 0; k < a->size; k++) {
        dd_expr x = dd_ev_elems(a)[k], y = dd_ev_elems(b)[k];
        elems[k] = x == DD_EXPR_NONE || y == DD_EXPR_NONE ? DD_EXPR_NONE : dd_if(el->dag, condition, x, y);
    }
    *out = chosen;
    return true;
}

/* ---- arrays of values of one kind, {R(..), R(..)} ---- */

bool dd_ev_append(dd_el *el, dd_form f, const dd_ev *part, uint32_t i, uint32_t n, dd_ev *out)
{
    /* records: the first part makes the array, every field gets the leading dimension */
    if (part->type == DD_EV_RECORD) {
        if (i == 0) {
            dd_ev_record_new(el->scratch, part->record->type, out);
            out->ndim = (uint8_t)(part->ndim + 1);
            out->dims[0] = n;
            memcpy(out->dims + 1, part->dims, part->ndim * sizeof *part->dims);
            out->size = n * part->size;
        }
        bool same = out->type == DD_EV_RECORD && dd_record_same(out->record->type, part->record->type);
        for (uint32_t k = 0; same && k < part->record->type->n_inputs; k++) {
            same = dd_ev_append(el, f, &part->record->fields[k], i, n, &out->record->fields[k]);
        }
        return same;
    }
    if (part->type >= DD_EV_UNSET) {
        return false;
    }
    /* plain values: the first part fixes the shape, the others are copied behind it */
    if (i == 0) {
        uint64_t dims[DD_MAX_DIMS + 1] = {n};
        for (uint32_t d = 0; d < part->ndim; d++) {
            dims[d + 1] = part->dims[d];
        }
        if (!dd_ev_new(el, f, out, part->ndim + 1u, dims, (dd_base_type)part->type)) {
            return false;
        }
    }
    bool same = out->type <= DD_TYPE_BOOLEAN && out->ndim == part->ndim + 1 &&
                memcmp(out->dims + 1, part->dims, part->ndim * sizeof *part->dims) == 0;
    if (same) {
        memcpy(out->elems + (size_t)i * part->size, dd_ev_elems(part), part->size * sizeof *out->elems);
        out->type = (uint8_t)dd_ev_join(out, part);
    }
    return same;
}

bool dd_el_record_array(dd_el *el, dd_form f, dd_ev *out)
{
    uint32_t n = dd_form_get(el->forms, f)->nargs;
    dd_ev all = {0};
    for (uint32_t i = 0; i < n; i++) {
        dd_ev part;
        if (!dd_el_any(el, dd_form_arg(el->forms, f, i), &part)) {
            return false;
        }
        if (part.ndim >= DD_MAX_DIMS || !dd_ev_append(el, f, &part, i, n, &all)) {
            return dd_el_fail(el, f, "the elements of %s are not records of one kind with fields of equal sizes",
                              dd_el_text(el, f));
        }
    }
    *out = all;
    return true;
}

/* ---- all scalars ---- */

uint32_t dd_ev_count(const dd_ev *v)
{
    if (v->type != DD_EV_RECORD) {
        return v->size;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->record->type->n_inputs; i++) {
        count += dd_ev_count(&v->record->fields[i]);
    }
    return count;
}

void dd_ev_scalars(const dd_ev *v, dd_expr *out)
{
    if (v->type != DD_EV_RECORD) {
        memcpy(out, dd_ev_elems(v), v->size * sizeof *out);
        return;
    }
    for (uint32_t i = 0; i < v->record->type->n_inputs; i++) {
        dd_ev_scalars(&v->record->fields[i], out);
        out += dd_ev_count(&v->record->fields[i]);
    }
}

bool dd_ev_complete(const dd_ev *v)
{
    if (v->type >= DD_EV_UNSET) {
        return false;
    }
    bool complete = true;
    if (v->type == DD_EV_RECORD) {
        for (uint32_t i = 0; complete && i < v->record->type->n_inputs; i++) {
            complete = dd_ev_complete(&v->record->fields[i]);
        }
        return complete;
    }
    for (uint32_t k = 0; complete && k < v->size; k++) {
        complete = dd_ev_elems(v)[k] != DD_EXPR_NONE;
    }
    return complete;
}
