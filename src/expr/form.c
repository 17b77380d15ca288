/* form.c - the store of forms: nodes and their arguments in two growing tables, symbols and loop variables beside them.
 *
 *   nodes   op | payload | args --+      facts   hash | ndim    (same index: known when a node is made)
 *   links   ... f7 f9 f12 ...  <--+
 *
 * Nothing is shared or simplified here. The hash covers the structure without the spans, so that equality of large
 * forms is decided quickly; the number of dimensions follows from the arguments (form_shape.c).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "expr/form_private.h"

dd_forms *dd_forms_new(dd_pool *pool, dd_names *names)
{
    dd_forms *forms = dd_pool_alloc(pool, sizeof *forms);
    forms->pool = pool;
    forms->names = names;
    /* number 0 is "none" in every table */
    dd_vec_push(pool, &forms->nodes, (dd_form_node){0});
    dd_vec_push(pool, &forms->facts, (dd_form_fact){.ndim = -1});
    dd_vec_push(pool, &forms->symbols, (dd_form_symbol){.name = ""});
    dd_vec_push(pool, &forms->loops, 0);
    dd_vec_push(pool, &forms->functions, "");
    return forms;
}

dd_names *dd_forms_names(const dd_forms *forms)
{
    return forms->names;
}

uint32_t dd_forms_add_symbol(dd_forms *forms, dd_form_symbol symbol)
{
    dd_vec_push(forms->pool, &forms->symbols, symbol);
    return forms->symbols.len - 1;
}

dd_form_symbol *dd_forms_symbol(dd_forms *forms, uint32_t symbol)
{
    assert(symbol > 0 && symbol < forms->symbols.len);
    return &forms->symbols.data[symbol];
}

uint32_t dd_forms_add_loop(dd_forms *forms, uint32_t name_id)
{
    dd_vec_push(forms->pool, &forms->loops, name_id);
    return forms->loops.len - 1;
}

uint32_t dd_forms_loop_name(const dd_forms *forms, uint32_t loop)
{
    assert(loop > 0 && loop < forms->loops.len);
    return forms->loops.data[loop];
}

uint32_t dd_forms_add_function(dd_forms *forms, const char *name)
{
    dd_vec_push(forms->pool, &forms->functions, name);
    return forms->functions.len - 1;
}

const char *dd_forms_function_name(const dd_forms *forms, uint32_t function)
{
    assert(function > 0 && function < forms->functions.len);
    return forms->functions.data[function];
}

static uint16_t depth_above(const dd_forms *forms, const dd_form *args, uint32_t nargs)
{
    uint16_t deepest = 0;
    for (uint32_t i = 0; i < nargs; i++) {
        uint16_t depth = forms->nodes.data[args[i]].depth;
        if (depth > deepest) {
            deepest = depth;
        }
    }
    return (uint16_t)(deepest + 1);
}

static uint64_t structure_hash(const dd_forms *forms, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args,
                               uint32_t nargs)
{
    /* spans are left out: the same text in two places is equal */
    uint64_t hash = dd_hash_mix((uint64_t)op << 8 | sub, (uint64_t)payload << 32 | nargs);
    for (uint32_t i = 0; i < nargs; i++) {
        hash = dd_hash_mix(hash, forms->facts.data[args[i]].hash);
    }
    return hash;
}

/* Appends the arguments. They may lie inside the table itself, which moves when it grows: hence by offset. */
static uint32_t append_links(dd_forms *forms, const dd_form *args, uint32_t nargs)
{
    uint32_t at = forms->links.len;
    uint64_t needed = (uint64_t)at + nargs;
    if (needed > forms->links.cap) {
        /* args may point into the table that is about to move */
        bool inside = at > 0 && args >= forms->links.data && args < forms->links.data + at;
        size_t offset = inside ? (size_t)(args - forms->links.data) : 0;
        dd_vec_reserve(forms->pool, &forms->links, needed);
        args = inside ? forms->links.data + offset : args;
    }
    /* memcpy with a NULL source is undefined even for zero bytes */
    if (nargs > 0) {
        memcpy(forms->links.data + at, args, nargs * sizeof *args);
    }
    forms->links.len = at + nargs;
    return at;
}

dd_form dd_form_new(dd_forms *forms, dd_form_op op, uint8_t sub, uint32_t payload, const dd_form *args, uint32_t nargs,
                    dd_span span)
{
    /* the depth bounds every recursion over forms */
    uint16_t depth = depth_above(forms, args, nargs);
    if (depth > DD_FORM_MAX_DEPTH) {
        dd_raise(dd_pool_context(forms->pool), DD_LIMIT, "an expression is nested more than %d levels deep",
                 DD_FORM_MAX_DEPTH);
    }
    dd_form_fact fact = {structure_hash(forms, op, sub, payload, args, nargs),
                         dd_form_ndim_of(forms, op, sub, payload, args, nargs)};
    dd_form_node node = {(uint8_t)op, sub, depth, payload, 0, nargs, span};
    node.args = append_links(forms, args, nargs);
    dd_vec_push(forms->pool, &forms->facts, fact);
    dd_vec_push(forms->pool, &forms->nodes, node);
    return forms->nodes.len - 1;
}

dd_form dd_form_number(dd_forms *forms, double value, dd_span span)
{
    char buffer[32];
    const char *text = dd_number_text(fabs(value), buffer);
    /* a literal has no sign: -2 is the negation of 2 */
    dd_form number =
        dd_form_new(forms, DD_FORM_NUM, 0, dd_names_intern(forms->names, text, strlen(text)), NULL, 0, span);
    return value < 0 ? dd_form_new(forms, DD_FORM_NEG, 0, 0, &number, 1, span) : number;
}

const dd_form_node *dd_form_get(const dd_forms *forms, dd_form f)
{
    assert(f < forms->nodes.len);
    return &forms->nodes.data[f];
}

const dd_form *dd_form_args(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    return node->nargs == 0 ? NULL : forms->links.data + node->args;
}

dd_form dd_form_arg(const dd_forms *forms, dd_form f, uint32_t i)
{
    assert(i < dd_form_get(forms, f)->nargs);
    return dd_form_args(forms, f)[i];
}

int dd_form_ndim(const dd_forms *forms, dd_form f)
{
    assert(f < forms->facts.len);
    return forms->facts.data[f].ndim;
}

uint64_t dd_form_hash(const dd_forms *forms, dd_form f)
{
    return forms->facts.data[f].hash;
}

bool dd_form_equal(const dd_forms *forms, dd_form a, dd_form b)
{
    if (a == b) {
        return true;
    }
    const dd_form_node *x = dd_form_get(forms, a), *y = dd_form_get(forms, b);
    /* different hashes settle nearly all comparisons */
    if (dd_form_hash(forms, a) != dd_form_hash(forms, b) || x->op != y->op || x->sub != y->sub ||
        x->payload != y->payload || x->nargs != y->nargs) {
        return false;
    }
    for (uint32_t i = 0; i < x->nargs; i++) {
        if (!dd_form_equal(forms, forms->links.data[x->args + i], forms->links.data[y->args + i])) {
            return false;
        }
    }
    return true;
}

/* Is the literal's text a zero: only 0 digits before an exponent? */
static bool zero_text(const char *text)
{
    for (; *text != 0 && *text != 'e' && *text != 'E'; text++) {
        if (*text != '0' && *text != '.') {
            return false;
        }
    }
    return true;
}

bool dd_form_is_zero(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    /* zero as it is written: numbers, zeros(...), fill(0, ...), arrays of zeros */
    switch (node->op) {
    case DD_FORM_NUM:
        return zero_text(dd_names_get(forms->names, node->payload));
    case DD_FORM_NEG:
        return dd_form_is_zero(forms, forms->links.data[node->args]);
    case DD_FORM_CALL:
        return node->sub == DD_FN_ZEROS ||
               (node->sub == DD_FN_FILL && dd_form_is_zero(forms, forms->links.data[node->args]));
    case DD_FORM_ARRAY:
    case DD_FORM_MATRIX:
    case DD_FORM_ROW:
        for (uint32_t i = 0; i < node->nargs; i++) {
            if (!dd_form_is_zero(forms, forms->links.data[node->args + i])) {
                return false;
            }
        }
        return true;
    default:
        return false;
    }
}

/* ---- replacing ---- */

static dd_form replace_leaves(dd_forms *forms, dd_form f, dd_form_op op, uint32_t payload, dd_form value)
{
    const dd_form_node node = *dd_form_get(forms, f);
    if (node.op == op && node.payload == payload) {
        return value;
    }
    if (node.nargs == 0) {
        return f;
    }
    dd_form *args = dd_pool_alloc_array(forms->pool, node.nargs, sizeof *args);
    bool changed = false;
    /* a new node only where something below has changed */
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_form before = dd_form_arg(forms, f, i);
        args[i] = replace_leaves(forms, before, op, payload, value);
        changed = changed || args[i] != before;
    }
    return changed ? dd_form_new(forms, (dd_form_op)node.op, node.sub, node.payload, args, node.nargs, node.span) : f;
}

dd_form dd_form_replace_loop(dd_forms *forms, dd_form f, uint32_t loop, dd_form value)
{
    return replace_leaves(forms, f, DD_FORM_LOOP, loop, value);
}

dd_form dd_form_replace_end(dd_forms *forms, dd_form f, dd_form value)
{
    return replace_leaves(forms, f, DD_FORM_END, 0, value);
}
