/* elaborate_index.c - references and their subscripts. Only the scalars that are asked for are made: x[i + 1] costs
 * the same whatever the size of x. */
#include <math.h>

#include "lang/elaborate_private.h"

static const dd_family *family_of(const dd_el *el, uint32_t symbol)
{
    uint32_t at = el->e->families.len > 0 ? dd_map_get(&el->e->family_of_symbol, symbol) : 0;
    return at != 0 ? el->e->families.data[at - 1] : NULL;
}

const dd_array *dd_el_array(const dd_el *el, dd_form reference)
{
    /* a symbol belongs to one array, or to a family: the members of an array of components seen as one */
    uint32_t symbol = dd_form_get(el->forms, reference)->payload, array = dd_model_array_of(el->m, symbol);
    if (array != DD_NO_INDEX) {
        return &el->m->arrays.data[array];
    }
    const dd_family *family = family_of(el, symbol);
    if (family == NULL) {
        dd_raise(el->m->ctx, DD_INVALID_MODEL, "a reference to a symbol that no declaration made");
    }
    return &family->view;
}

void dd_elaborator_add_family(dd_elaborator *e, const dd_family *family)
{
    dd_vec_push(e->model->pool, &e->families, family);
    dd_map_put(&e->family_of_symbol, family->view.symbol, e->families.len);
}

/* ---- scalars of an array ---- */

/* The literal that element `element` of a constant is bound to; NONE when it is not bound to a literal. */
static dd_expr literal_of_constant(dd_el *el, const dd_array *a, uint32_t element)
{
    /* down the nested braces {{..}, {..}}, one dimension at a time; element is split into its subscripts */
    dd_form f = a->binding;
    uint32_t stride = a->size;
    for (uint32_t d = 0; d < a->ndim && f != DD_FORM_NONE; d++) {
        const dd_form_node *node = dd_form_get(el->forms, f);
        stride /= a->dims[d];
        uint32_t at = element / stride;
        element %= stride;
        f = node->op == DD_FORM_ARRAY && node->nargs == a->dims[d] ? dd_form_arg(el->forms, f, at) : DD_FORM_NONE;
    }
    if (f == DD_FORM_NONE) {
        return DD_EXPR_NONE;
    }
    /* literals may have a minus sign; anything else is left to the symbol */
    bool minus = dd_form_get(el->forms, f)->op == DD_FORM_NEG;
    const dd_form_node *node = dd_form_get(el->forms, minus ? dd_form_arg(el->forms, f, 0) : f);
    if (node->op == DD_FORM_BOOL && !minus) {
        return dd_num(el->dag, node->payload != 0);
    }
    if (node->op != DD_FORM_NUM) {
        return DD_EXPR_NONE;
    }
    dd_expr value = dd_el_literal(el, node->payload)->expr;
    return minus ? dd_neg(el->dag, value) : value;
}

static dd_expr own_element(dd_el *el, const dd_array *a, uint32_t element)
{
    /* constants are put in as numbers: formulas fold, and no parameter is left to be evaluated */
    if (a->kind == DD_KIND_CONSTANT) {
        dd_expr literal = literal_of_constant(el, a, element);
        if (literal != DD_EXPR_NONE) {
            return literal;
        }
    }
    return dd_model_symbol(el->m, a->first + element);
}

/* Element of an array, or of what a family shows as one. */
static dd_expr element_of(dd_el *el, const dd_array *a, uint32_t element)
{
    /* families have no scalars; member element/leaf_size has them */
    const dd_family *family = a->first == DD_NO_INDEX ? family_of(el, a->symbol) : NULL;
    if (family == NULL) {
        return own_element(el, a, element);
    }
    uint32_t var = family->firsts[element / family->leaf_size] + element % family->leaf_size;
    const dd_variable *v = &el->m->vars.data[var];
    return own_element(el, &el->m->arrays.data[v->array], v->element);
}

static bool allowed(dd_el *el, dd_form f, const dd_array *a)
{
    if (!el->e->parameters_only || a->kind == DD_KIND_PARAMETER || a->kind == DD_KIND_CONSTANT) {
        return true;
    }
    return dd_el_fail(el, f, "only parameters and constants are allowed here, but %s is %s", a->name,
                      a->kind == DD_KIND_INPUT ? "an input" : "a variable");
}

static bool whole(dd_el *el, dd_form f, const dd_array *a, dd_ev *out)
{
    /* a scalar without memory, an array with all its scalars */
    uint64_t dims[DD_MAX_DIMS];
    if (a->ndim == 0) {
        dd_ev_set(out, element_of(el, a, 0), a->type);
        return true;
    }
    for (uint32_t d = 0; d < a->ndim; d++) {
        dims[d] = a->dims[d];
    }
    if (!dd_ev_new(el, f, out, a->ndim, dims, a->type)) {
        return false;
    }
    for (uint32_t k = 0; k < a->size; k++) {
        out->elems[k] = element_of(el, a, k);
    }
    return true;
}

/* ---- subscripts ---- */

static bool check_subscript(dd_el *el, dd_form subscript, const dd_array *a, uint32_t d, int64_t value)
{
    /* subscripts are from 1; the message names the dimension when there are several */
    if (value >= 1 && value <= a->dims[d]) {
        return true;
    }
    if (a->ndim == 1) {
        return dd_el_fail(el, subscript, "subscript %lld is out of range: %s has size %u", (long long)value, a->name,
                          a->dims[d]);
    }
    return dd_el_fail(el, subscript, "subscript %lld is out of range: dimension %u of %s has size %u", (long long)value,
                      d + 1, a->name, a->dims[d]);
}

static bool select_range(dd_el *el, dd_form f, const dd_array *a, uint32_t d, dd_selection *out)
{
    dd_el_range range;
    if (!dd_el_read_range(el, f, &range)) {
        return false;
    }
    if (!range.integer) {
        return dd_el_fail(el, f, "a subscript must be an Integer, but %s is Real", dd_el_text(el, f));
    }
    /* positions from 0; only the ends can be out of range, since the steps are equal */
    *out = (dd_selection){
        .count = (uint32_t)range.count, .first = dd_saturated(range.first) - 1, .step = dd_saturated(range.step)};
    if (range.count == 0) {
        return true;
    }
    int64_t last = dd_saturated(range.first) + (int64_t)(range.count - 1) * dd_saturated(range.step);
    return check_subscript(el, f, a, d, dd_saturated(range.first)) && check_subscript(el, f, a, d, last);
}

/* A vector of integers as a subscript, or a scalar that needs evaluation. */
static bool select_values(dd_el *el, dd_form f, const dd_array *a, uint32_t d, dd_selection *out)
{
    dd_ev v;
    if (!dd_el_form(el, f, &v)) {
        return false;
    }
    /* one Integer or a vector of them, known from parameters */
    if (v.ndim > 1 || v.type != DD_TYPE_INTEGER) {
        return dd_el_fail(el, f, "a subscript must be an Integer or a vector of Integers, but %s %s", dd_el_text(el, f),
                          v.ndim > 1                  ? dd_el_has(el, &v)
                          : v.type == DD_TYPE_BOOLEAN ? "is Boolean"
                                                      : "is Real; div(a, b) and integer(x) return Integers");
    }
    /* every element is checked: a list has no order */
    uint32_t *list = dd_pool_alloc_array(el->scratch, v.size, sizeof *list);
    for (uint32_t k = 0; k < v.size; k++) {
        double number;
        if (!dd_el_evaluate(el, f, dd_ev_elems(&v)[k], "a subscript", &number)) {
            return false;
        }
        bool integer = number == floor(number) && fabs(number) < DD_INTEGER_LIMIT;
        if (!integer || !check_subscript(el, f, a, d, dd_saturated(number))) {
            return integer ? false
                           : dd_el_fail(el, f, "a subscript must be an Integer, but %s is not", dd_el_text(el, f));
        }
        list[k] = (uint32_t)number - 1;
    }
    *out = (dd_selection){.scalar = v.ndim == 0, .count = v.size, .list = list};
    return true;
}

static bool read_subscript(dd_el *el, dd_form f, const dd_array *a, uint32_t d, dd_selection *out)
{
    int64_t value;
    /* `:` takes the dimension whole */
    if (dd_form_get(el->forms, f)->op == DD_FORM_COLON) {
        *out = (dd_selection){.count = a->dims[d], .step = 1};
        return true;
    }
    /* `end` is the size of this dimension while its subscript is read; subscripts may be nested */
    int64_t outer_end = el->end;
    el->end = a->dims[d];
    bool ok;
    /* the quick way needs no expressions: this is the path of x[i + 1] in loops */
    if (dd_el_quick_integer(el, f, &value)) {
        *out = (dd_selection){.scalar = true, .count = 1, .first = value - 1};
        ok = check_subscript(el, f, a, d, value);
    } else if (dd_form_get(el->forms, f)->op == DD_FORM_RANGE) {
        ok = select_range(el, f, a, d, out);
    } else {
        ok = select_values(el, f, a, d, out);
    }
    el->end = outer_end;
    return ok;
}

bool dd_el_select(dd_el *el, dd_form f, const dd_form *subscripts, uint32_t n, const dd_array *a, dd_selection *s,
                  uint64_t *dims, uint32_t *ndim)
{
    /* one selection per dimension; scalar subscripts drop their dimension from the result */
    *ndim = 0;
    if (n > a->ndim) {
        return dd_el_fail(el, f, "%s has %u dimension%s, but %u subscript%s", a->name, a->ndim, a->ndim == 1 ? "" : "s",
                          n, n == 1 ? "" : "s");
    }
    for (uint32_t d = 0; d < a->ndim; d++) {
        if (d >= n) {
            s[d] = (dd_selection){.count = a->dims[d], .step = 1}; /* A[1] is A[1, :] */
        } else if (!read_subscript(el, subscripts[d], a, d, &s[d])) {
            return false;
        }
        if (!s[d].scalar) {
            dims[(*ndim)++] = s[d].count;
        }
    }
    return true;
}

uint32_t dd_selection_place(const dd_selection *s, const uint32_t *dims, uint32_t ndim, const uint32_t *at)
{
    /* Horner's rule over the dimensions: row-major position of the picked element */
    uint32_t element = 0;
    for (uint32_t d = 0; d < ndim; d++) {
        element = element * dims[d] + dd_selected(&s[d], at[d]);
    }
    return element;
}

void dd_selection_next(const dd_selection *s, uint32_t ndim, uint32_t *at)
{
    /* the last dimension first; a full turn carries over to the one before */
    for (uint32_t d = ndim; d-- > 0;) {
        if (++at[d] < s[d].count) {
            break;
        }
        at[d] = 0;
    }
}

/* Copies the selected scalars, row-major: an odometer over the positions of each dimension. */
static void gather(dd_el *el, const dd_array *a, const dd_selection *s, dd_ev *out)
{
    uint32_t at[DD_MAX_DIMS] = {0};
    dd_expr *elems = out->ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; k < out->size; k++) {
        elems[k] = element_of(el, a, dd_selection_place(s, a->dims, a->ndim, at));
        dd_selection_next(s, a->ndim, at);
    }
}

bool dd_el_reference(dd_el *el, dd_form f, dd_ev *out)
{
    const dd_array *a = dd_el_array(el, f);
    const dd_form_node *node = dd_form_get(el->forms, f);
    uint32_t n = node->nargs, ndim;
    /* a size or an attribute may not depend on variables */
    if (!allowed(el, f, a)) {
        return false;
    }
    /* no subscripts: all scalars. With subscripts: only those that they pick */
    if (n == 0) {
        return whole(el, f, a, out);
    }
    dd_selection s[DD_MAX_DIMS] = {0};
    uint64_t dims[DD_MAX_DIMS];
    dd_form subscripts[DD_MAX_DIMS + 1] = {0};
    for (uint32_t i = 0; i < n && i <= DD_MAX_DIMS; i++) {
        subscripts[i] = dd_form_arg(el->forms, f, i);
    }
    if (!dd_el_select(el, f, subscripts, n, a, s, dims, &ndim)) {
        return false;
    }
    /* all subscripts scalar: one scalar, for which gather needs no array */
    if (ndim == 0) {
        dd_ev_set(out, DD_EXPR_NONE, a->type);
    } else if (!dd_ev_new(el, f, out, ndim, dims, a->type)) {
        return false;
    }
    gather(el, a, s, out);
    return true;
}
