/* elaborate_value.c - values with their shapes, and the words that messages use for them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lang/elaborate_private.h"

#define LONGEST_OPERAND 60 /* characters of an operand shown in a message */

/* ---- shapes ---- */

bool dd_ev_new(dd_el *el, dd_form f, dd_ev *out, uint32_t ndim, const uint64_t *dims, dd_base_type type)
{
    if (ndim > DD_MAX_DIMS) {
        return dd_el_fail(el, f, "%s has %u dimensions; at most %d are supported", dd_el_text(el, f), ndim,
                          DD_MAX_DIMS);
    }
    /* the size is checked before each product can overflow: both factors fit 32 bits */
    uint64_t size = 1;
    out->ndim = (uint8_t)ndim;
    out->type = (uint8_t)type;
    for (uint32_t d = 0; d < ndim; d++) {
        size = dims[d] > UINT32_MAX ? UINT64_MAX : size * dims[d];
        if (size > el->e->max_elements || size > UINT32_MAX) {
            dd_text text = dd_text_new(el->scratch);
            for (uint32_t k = 0; k < ndim; k++) {
                dd_text_printf(&text, k == 0 ? "%llu" : " x %llu", (unsigned long long)dims[k]);
            }
            return dd_el_fail(el, f, "%s has size %s, more than the limit of %llu elements", dd_el_text(el, f),
                              dd_text_str(&text), (unsigned long long)el->e->max_elements);
        }
        out->dims[d] = (uint32_t)dims[d];
    }
    out->size = (uint32_t)size;
    out->elems = ndim == 0 ? NULL : dd_pool_alloc_array(el->scratch, out->size, sizeof *out->elems);
    return true;
}

void dd_ev_like(dd_el *el, dd_ev *out, const dd_ev *like)
{
    *out = *like;
    if (like->ndim > 0) {
        out->elems = dd_pool_alloc_array(el->scratch, like->size, sizeof *out->elems);
    }
}

bool dd_ev_same_shape(const dd_ev *a, const dd_ev *b)
{
    return a->ndim == b->ndim && (a->ndim == 0 || memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims) == 0);
}

dd_base_type dd_ev_join(const dd_ev *a, const dd_ev *b)
{
    return a->type == b->type ? (dd_base_type)a->type : DD_TYPE_REAL;
}

bool dd_value_same_shape(const dd_value *a, const dd_value *b)
{
    return a->ndim == b->ndim && (a->ndim == 0 || memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims) == 0);
}

static void describe(const uint32_t *dims, uint32_t ndim, dd_text *out)
{
    dd_text_add(out, ndim == 0 ? "a scalar" : "");
    for (uint32_t d = 0; d < ndim; d++) {
        dd_text_printf(out, d == 0 ? "%u" : " x %u", dims[d]);
    }
}

void dd_value_describe(const dd_value *v, dd_text *out)
{
    describe(v->dims, v->ndim, out);
}

/* ---- messages ---- */

bool dd_el_fail(dd_el *el, dd_form f, const char *format, ...)
{
    va_list args, again;
    /* a branch of a function that is only tried: its failure is an answer, not an error of the user */
    if (el->e->quiet > 0) {
        return false;
    }
    va_start(args, format);
    /* measured first, because operands in the message can have any length */
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = dd_pool_alloc(el->scratch, length < 0 ? 1 : (size_t)length + 1);
    if (length >= 0) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    dd_error(el->m->ctx, dd_form_get(el->forms, f)->span, "%s", text);
    return false;
}

const char *dd_el_text(dd_el *el, dd_form f)
{
    dd_text text = dd_text_new(el->scratch);
    dd_form_print(el->forms, f, el->env, &text);
    if (text.len > LONGEST_OPERAND) {
        /* never cut a character in two */
        size_t cut = LONGEST_OPERAND - 3;
        while (cut > 0 && ((unsigned char)text.data[cut] & 0xC0) == 0x80) {
            cut--;
        }
        return dd_pool_printf(el->scratch, "%.*s...", (int)cut, text.data);
    }
    return dd_text_str(&text);
}

const char *dd_el_has(dd_el *el, const dd_ev *v)
{
    dd_text text = dd_text_new(el->scratch);
    dd_text_add(&text, v->ndim == 0 ? "is " : "has size ");
    describe(v->dims, v->ndim, &text);
    return dd_text_str(&text);
}

bool dd_el_numeric(dd_el *el, dd_form f, const dd_ev *v, const char *operation)
{
    return v->type < DD_TYPE_BOOLEAN ||
           dd_el_fail(el, f, "%s needs numbers, but %s is Boolean", operation, dd_el_text(el, f));
}

bool dd_el_boolean_typed(dd_el *el, dd_form f, const dd_ev *v, const char *operation)
{
    return v->type == DD_TYPE_BOOLEAN ||
           dd_el_fail(el, f, "%s needs Booleans, but %s is a number", operation, dd_el_text(el, f));
}

bool dd_el_unequal(dd_el *el, dd_form f, const char *operation, dd_form a, const dd_ev *va, dd_form b, const dd_ev *vb)
{
    return dd_el_fail(el, f, "%s needs equal sizes: %s %s, %s %s", operation, dd_el_text(el, a), dd_el_has(el, va),
                      dd_el_text(el, b), dd_el_has(el, vb));
}
