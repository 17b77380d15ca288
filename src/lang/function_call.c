/* function_call.c - calls of functions: arguments are bound to the inputs, sizes compared with what is declared, the
 * other variables get their first values, the statements run, and the outputs are copied out. A
 * call with arrays where less is declared goes through them element by element (Modelica 12.4.6). */
#include <stdio.h>
#include <string.h>

#include "lang/function_private.h"

#define CALL_WORK 10     /* statements that a call is worth, besides those inside it */
#define MOST_WEIGHT 5000 /* depths of the expressions of all calls under way together: bounds the recursion */

/* ---- variables ---- */

static bool read_size(dd_el *el, const dd_fvar *var, uint32_t d, uint64_t *out)
{
    int64_t n;
    char role[96];
    snprintf(role, sizeof role, "the size of %.60s", var->name);
    if (!dd_el_integer(el, var->dims[d], role, &n)) {
        return false;
    }
    if (n < 0) {
        return dd_el_fail(el, var->dims[d], "the size of %s must not be negative, but it is %lld", var->name,
                          (long long)n);
    }
    *out = (uint64_t)n;
    return true;
}

/* Compares the value of a variable with its declared sizes. */
static bool check_sizes(dd_el *el, dd_form at, const dd_fvar *var, const dd_ev *v)
{
    /* declared sizes may depend on other inputs, so they are computed in the frame */
    for (uint32_t d = 0; d < var->ndim; d++) {
        uint64_t n;
        if (dd_form_get(el->forms, var->dims[d])->op == DD_FORM_COLON) {
            continue;
        }
        if (!read_size(el, var, d, &n)) {
            return false;
        }
        if (n == v->dims[d]) {
            continue;
        }
        if (var->ndim == 1) {
            return dd_el_fail(el, at, "%s: %s has size %llu, but the value given to it %s", el->frame->fn->name,
                              var->name, (unsigned long long)n, dd_el_has(el, v));
        }
        return dd_el_fail(el, at, "%s: dimension %u of %s has size %llu, but the value given to it %s",
                          el->frame->fn->name, d + 1, var->name, (unsigned long long)n, dd_el_has(el, v));
    }
    return true;
}

static const char *kind_of(const dd_ev *v)
{
    static const char *const names[] = {"Real", "Integer", "Boolean"};
    return v->type == DD_EV_RECORD ? dd_record_name(v->record->type) : names[v->type];
}

static bool check_type(dd_el *el, dd_form at, const dd_function *fn, const dd_fvar *var, const dd_ev *v)
{
    return dd_function_type_fits(var, v) || dd_el_fail(el, at, "%s: %s is %s, but the value given to it is %s",
                                                       fn->name, var->name, dd_function_type_name(var), kind_of(v));
}

static bool check_ndim(dd_el *el, dd_form at, const dd_function *fn, const dd_fvar *var, const dd_ev *v)
{
    return v->ndim == var->ndim ||
           dd_el_fail(el, at, "%s: %s has %u dimension%s, but the value given to it %s", fn->name, var->name, var->ndim,
                      var->ndim == 1 ? "" : "s", dd_el_has(el, v));
}

static bool without_value(dd_el *el, const dd_fvar *var, dd_ev *out);

/* All fields of a record that has no value: those with a default have it. */
static bool record_without_value(dd_el *el, const dd_fvar *var, dd_ev *out)
{
    dd_functions *fs = el->e->functions;
    dd_function *type = var->record;
    if (!dd_function_prepare(fs, type)) {
        return false;
    }
    /* the defaults of the fields are evaluated in a separate frame: they may refer to each other */
    dd_call_frame frame = {.fn = type, .pool = el->frame->pool, .caller = el->frame, .depth = el->frame->depth + 1};
    dd_el inner = *el;
    inner.frame = &frame;
    frame.values = dd_pool_alloc_array(frame.pool, type->n_vars + 1u, sizeof *frame.values);
    for (uint32_t i = 0; i < type->n_vars; i++) {
        frame.values[i].type = DD_EV_PENDING;
    }
    dd_ev_record_new(frame.pool, type, out);
    /* each field on demand: another one may have started it already */
    for (uint32_t i = 0; i < type->n_vars; i++) {
        if (frame.values[i].type == DD_EV_PENDING && !dd_function_start_variable(&inner, i)) {
            return false;
        }
        out->record->fields[i] = frame.values[i];
    }
    return true;
}

/* n copies of a value, with these dimensions in front. */
static bool repeat(dd_el *el, const dd_ev *v, const uint64_t *dims, uint32_t ndim, dd_ev *out)
{
    dd_ev all = *v;
    uint64_t n = 1;
    /* without a size or with too many dimensions it stays without a value */
    if (v->ndim + ndim > DD_MAX_DIMS || v->type >= DD_EV_UNSET) {
        out->type = DD_EV_UNSET;
        return true;
    }
    /* the repeated dimensions are in front; the scalars repeat with period v->size */
    for (uint32_t d = 0; d < ndim; d++) {
        n *= dims[d];
        all.dims[d] = (uint32_t)dims[d];
    }
    memcpy(all.dims + ndim, v->dims, v->ndim * sizeof *v->dims);
    all.ndim = (uint8_t)(v->ndim + ndim);
    all.size = (uint32_t)(n * v->size);
    if (v->type == DD_EV_RECORD) {
        dd_ev_record_new(el->scratch, v->record->type, out);
        dd_record_value *record = out->record;
        *out = all;
        out->record = record;
        for (uint32_t i = 0; i < dd_record_size(record->type); i++) {
            repeat(el, &v->record->fields[i], dims, ndim, &record->fields[i]);
        }
        return true;
    }
    all.elems = dd_pool_alloc_array(el->scratch, all.size, sizeof *all.elems);
    for (uint32_t k = 0; k < all.size; k++) {
        all.elems[k] = dd_ev_elems(v)[k % v->size];
    }
    *out = all;
    return true;
}

/* A variable that nothing was assigned to: its size, if it has one. */
static bool without_value(dd_el *el, const dd_fvar *var, dd_ev *out)
{
    uint64_t dims[DD_MAX_DIMS];
    /* an open size: it is known with the first assignment only */
    for (uint32_t d = 0; d < var->ndim; d++) {
        if (dd_form_get(el->forms, var->dims[d])->op == DD_FORM_COLON) {
            *out = (dd_ev){.type = DD_EV_UNSET, .ndim = 0};
            return true;
        }
        if (!read_size(el, var, d, &dims[d])) {
            return false;
        }
    }
    if (var->type == DD_EV_RECORD) {
        dd_ev one;
        return record_without_value(el, var, &one) &&
               (var->ndim == 0 ? (*out = one, true) : repeat(el, &one, dims, var->ndim, out));
    }
    dd_form blamed = var->ndim > 0 ? var->dims[0] : el->frame->at;
    if (!dd_ev_new(el, blamed, out, var->ndim, dims, (dd_base_type)var->type)) {
        return false;
    }
    /* sized but empty: elements may be assigned one by one, reading them before is an error */
    dd_expr *elems = var->ndim == 0 ? &out->one : out->elems;
    for (uint32_t k = 0; k < out->size; k++) {
        elems[k] = DD_EXPR_NONE;
    }
    return true;
}

static bool first_value(dd_el *el, const dd_fvar *var, dd_ev *out)
{
    if (var->binding == DD_FORM_NONE) {
        return without_value(el, var, out);
    }
    const dd_function *fn = el->frame->fn;
    dd_ev v;
    /* type, dimensions and sizes must agree with the declaration */
    if (!dd_el_any(el, var->binding, &v) || !check_type(el, var->binding, fn, var, &v) ||
        !check_ndim(el, var->binding, fn, var, &v) || !check_sizes(el, var->binding, var, &v)) {
        return false;
    }
    dd_ev_copy(el->frame->pool, &v, out);
    out->type = var->type;
    return true;
}

bool dd_function_start_variable(dd_el *el, uint32_t variable)
{
    dd_call_frame *frame = el->frame;
    const dd_fvar *var = &frame->fn->vars[variable];
    /* needed while it is computed: its first value needs itself */
    if (frame->values[variable].type == DD_EV_OPEN) {
        if (el->e->quiet == 0) {
            dd_error(el->m->ctx, var->ast->span, "%s: the first value or the size of %s needs %s itself",
                     frame->fn->name, var->name, var->name);
        }
        return false;
    }
    /* computed without the loops and subscripts around the place that needs it */
    frame->values[variable].type = DD_EV_OPEN;
    dd_el own = *el;
    own.env = NULL;
    own.end = -1;
    own.scratch = frame->pool;
    dd_ev v = {0};
    if (!first_value(&own, var, &v)) {
        frame->values[variable].type = DD_EV_PENDING;
        return false;
    }
    frame->values[variable] = v;
    return true;
}

/* ---- one call ---- */

/* Values for all inputs, then first values for all other variables. */
static bool bind_inputs(dd_el *el, dd_form f, const dd_ev *args)
{
    dd_call_frame *frame = el->frame;
    dd_function *fn = frame->fn;
    /* everything starts pending; arguments first, because sizes and defaults refer to them */
    for (uint32_t i = 0; i < fn->n_vars; i++) {
        frame->values[i].type = DD_EV_PENDING;
    }
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        const dd_fvar *var = &fn->vars[fn->inputs[i]];
        if (args[i].type == DD_EV_UNSET) {
            continue;
        }
        if (!check_type(el, f, fn, var, &args[i]) || !check_ndim(el, f, fn, var, &args[i])) {
            return false;
        }
        dd_ev_copy(frame->pool, &args[i], &frame->values[fn->inputs[i]]);
        frame->values[fn->inputs[i]].type = var->type;
    }
    /* sizes after all arguments are known: input Real A[n, n] with n given behind it */
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        uint32_t variable = fn->inputs[i];
        bool given = frame->values[variable].type != DD_EV_PENDING;
        if (given && !check_sizes(el, f, &fn->vars[variable], &frame->values[variable])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < fn->n_vars; i++) {
        if (frame->values[i].type == DD_EV_PENDING && !dd_function_start_variable(el, i)) {
            return false;
        }
    }
    return true;
}

static bool take_outputs(dd_el *el, dd_form f, dd_pool *pool, dd_ev *outs)
{
    dd_call_frame *frame = el->frame;
    dd_function *fn = frame->fn;
    /* a record constructor returns its variables, a function its outputs */
    if (fn->is_record) {
        dd_ev_record_new(pool, fn, &outs[0]);
        for (uint32_t i = 0; i < fn->n_vars; i++) {
            dd_ev_copy(pool, &frame->values[i], &outs[0].record->fields[i]);
        }
        return true;
    }
    for (uint32_t i = 0; i < fn->n_outputs; i++) {
        uint32_t variable = fn->outputs[i];
        if (!dd_ev_complete(&frame->values[variable])) {
            return dd_el_fail(el, f, "%s ends without a value for its output %s%s", fn->name, fn->vars[variable].name,
                              fn->body == NULL ? ": it has no algorithm" : "");
        }
        dd_ev_copy(pool, &frame->values[variable], &outs[i]);
    }
    return true;
}

static bool run_frame(dd_el *el, dd_form f, const dd_ev *args, dd_pool *pool, dd_ev *outs, dd_ev *inputs)
{
    dd_call_frame *frame = el->frame;
    /* inputs, statements, then the values of all returns selected by their conditions */
    if (!bind_inputs(el, f, args)) {
        return false;
    }
    for (uint32_t i = 0; inputs != NULL && i < frame->fn->n_inputs; i++) {
        dd_ev_copy(pool, &frame->values[frame->fn->inputs[i]], &inputs[i]);
    }
    dd_fflow flow = dd_function_run(el, frame->fn->body);
    if (flow == DD_FLOW_FAILED || !dd_frame_merge_exits(el, f, frame->returns, false)) {
        return false;
    }
    return take_outputs(el, f, pool, outs);
}

/* A recursion inside a branch that is only tried would not end: the branch is then decided by value. */
static bool recurs_in_trial(const dd_el *el, const dd_function *fn)
{
    for (const dd_call_frame *frame = el->frame; frame != NULL && el->e->quiet > 0; frame = frame->caller) {
        if (frame->fn == fn && frame->depth <= el->e->tried_at) {
            return true;
        }
    }
    return false;
}

static bool check_depth(dd_el *el, dd_form f, const dd_call_frame *frame)
{
    if (frame->depth <= DD_FUNCTION_MAX_DEPTH && frame->weight <= MOST_WEIGHT) {
        return true;
    }
    return dd_el_fail(el, f, "%s: more than %u calls inside each other: does the recursion end?", frame->fn->name,
                      frame->depth - 1);
}

bool dd_function_call_plain(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs)
{
    return dd_function_call_keeping(el, f, fn, args, outs, NULL);
}

bool dd_function_call_keeping(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs, dd_ev *inputs)
{
    dd_functions *fs = el->e->functions;
    dd_call_frame frame = {.fn = fn, .caller = el->frame, .at = f};
    /* depth counts calls, weight the nesting of expressions: both bound the recursion in C */
    frame.depth = el->frame != NULL ? el->frame->depth + 1 : 1;
    frame.weight = (el->frame != NULL ? el->frame->weight : 0) + dd_form_get(el->forms, f)->depth;
    if (!dd_function_prepare(fs, fn) || !check_depth(el, f, &frame) || recurs_in_trial(el, fn) ||
        !dd_function_count(el, &frame, CALL_WORK, dd_form_get(el->forms, f)->span)) {
        return false;
    }
    /* values live as long as the call; temporaries are freed from time to time */
    frame.pool = dd_pool_child(el->scratch);
    frame.temporary = dd_pool_child(frame.pool);
    frame.values = dd_pool_alloc_array(frame.pool, fn->n_vars + 1u, sizeof *frame.values);
    dd_el inner = *el;
    inner.env = NULL;
    inner.end = -1;
    inner.scratch = frame.temporary;
    inner.frame = &frame;
    bool ok = run_frame(&inner, f, args, el->scratch, outs, inputs);
    dd_pool_free(frame.pool);
    return ok;
}

static bool call_one(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs)
{
    return dd_function_has_derivative(el->e->functions, fn) ? dd_function_call_derived(el, f, fn, args, outs)
                                                            : dd_function_call_plain(el, f, fn, args, outs);
}

/* ---- element by element ---- */

/* Element k of an array of values with `ndim` dimensions each, sharing its scalars. */
static void slice(dd_pool *pool, const dd_ev *v, uint32_t ndim, uint32_t extra, uint32_t k, dd_ev *out)
{
    /* the shape of one element; its scalars are a window into those of the array */
    dd_ev part = *v;
    part.ndim = (uint8_t)ndim;
    part.size = 1;
    for (uint32_t d = 0; d < ndim; d++) {
        part.dims[d] = v->dims[extra + d];
        part.size *= part.dims[d];
    }
    if (v->type == DD_EV_RECORD) {
        dd_ev_record_new(pool, v->record->type, out);
        part.record = out->record;
        for (uint32_t i = 0; i < dd_record_size(v->record->type); i++) {
            const dd_ev *field = &v->record->fields[i];
            slice(pool, field, field->ndim - extra, extra, k, &part.record->fields[i]);
        }
    } else if (ndim == 0) {
        part.one = v->elems[k];
    } else {
        part.elems = v->elems + (size_t)k * part.size;
    }
    *out = part;
}

/* The leading dimension of a value becomes `extra` dimensions. */
static bool spread(dd_ev *v, const uint32_t *dims, uint32_t extra)
{
    /* dims replace the leading dimension in the value and in all its fields */
    if (v->ndim - 1u + extra > DD_MAX_DIMS) {
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; v->type == DD_EV_RECORD && ok && i < dd_record_size(v->record->type); i++) {
        ok = spread(&v->record->fields[i], dims, extra);
    }
    memmove(v->dims + extra, v->dims + 1, (v->ndim - 1u) * sizeof *v->dims);
    memcpy(v->dims, dims, extra * sizeof *dims);
    v->ndim = (uint8_t)(v->ndim - 1 + extra);
    return ok;
}

/* How many dimensions the arguments have more than is declared, and their sizes. False after a message. */
static bool find_extra(dd_el *el, dd_form f, const dd_function *fn, const dd_ev *args, uint32_t *extra, uint32_t *dims)
{
    *extra = 0;
    /* 12.4.6: all arguments with more dimensions than declared must have the same extra ones */
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        const dd_fvar *var = &fn->vars[fn->inputs[i]];
        if (args[i].type == DD_EV_UNSET || args[i].ndim <= var->ndim) {
            continue;
        }
        uint32_t more = args[i].ndim - var->ndim;
        if (*extra == 0) {
            *extra = more;
            memcpy(dims, args[i].dims, more * sizeof *dims);
        } else if (more != *extra || memcmp(dims, args[i].dims, more * sizeof *dims) != 0) {
            return dd_el_fail(el, f, "%s is called with arrays of different sizes: %s %s", fn->name, var->name,
                              dd_el_has(el, &args[i]));
        }
    }
    return true;
}

/* A call with empty arrays: the outputs are empty too. */
static bool call_with_nothing(dd_el *el, dd_form f, const dd_function *fn, const uint32_t *dims, uint32_t extra,
                              dd_ev *outs)
{
    /* only scalar outputs have a known shape without running the function */
    uint64_t sizes[DD_MAX_DIMS];
    for (uint32_t d = 0; d < extra; d++) {
        sizes[d] = dims[d];
    }
    for (uint32_t i = 0; i < fn->n_results; i++) {
        const dd_fvar *var = fn->is_record ? NULL : &fn->vars[fn->outputs[i]];
        if (var == NULL || var->ndim > 0 || var->type == DD_EV_RECORD) {
            return dd_el_fail(el, f, "%s is called for each element of an array, but this is empty", fn->name);
        }
        if (!dd_ev_new(el, f, &outs[i], extra, sizes, (dd_base_type)var->type)) {
            return false;
        }
    }
    return true;
}

bool dd_function_call(dd_el *el, dd_form f, dd_function *fn, const dd_ev *args, dd_ev *outs)
{
    /* a plain call, or one per element of the extra dimensions, row-major */
    uint32_t extra, dims[DD_MAX_DIMS], count = 1;
    if (!find_extra(el, f, fn, args, &extra, dims)) {
        return false;
    }
    if (extra == 0) {
        return call_one(el, f, fn, args, outs);
    }
    for (uint32_t d = 0; d < extra; d++) {
        count *= dims[d];
    }
    if (count == 0) {
        return call_with_nothing(el, f, fn, dims, extra, outs);
    }
    dd_ev *part = dd_pool_alloc_array(el->scratch, fn->n_inputs + 1u, sizeof *part);
    dd_ev *some = dd_pool_alloc_array(el->scratch, fn->n_results, sizeof *some);
    /* argument i: its element k, or the whole when it has no extra dimensions */
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < fn->n_inputs; i++) {
            uint32_t ndim = fn->vars[fn->inputs[i]].ndim;
            part[i] = args[i];
            if (args[i].type != DD_EV_UNSET && args[i].ndim > ndim) {
                slice(el->scratch, &args[i], ndim, extra, k, &part[i]);
            }
        }
        if (!call_one(el, f, fn, part, some)) {
            return false;
        }
        for (uint32_t i = 0; i < fn->n_results; i++) {
            if (!dd_ev_append(el, f, &some[i], k, count, &outs[i])) {
                return dd_el_fail(el, f, "%s returns values of different sizes for the elements of its arguments",
                                  fn->name);
            }
        }
    }
    /* results were appended along one dimension: restore the shape of the arguments */
    for (uint32_t i = 0; i < fn->n_results; i++) {
        if (!spread(&outs[i], dims, extra)) {
            return dd_el_fail(el, f, "%s: an output would have more than %d dimensions", fn->name, DD_MAX_DIMS);
        }
    }
    return true;
}

/* The last message is about the place of the call itself. */
static bool told_here(dd_el *el, dd_form f)
{
    const dd_context *ctx = el->m->ctx;
    dd_diagnostic last = dd_context_diagnostic(ctx, dd_context_diagnostic_count(ctx) - 1);
    dd_span span = dd_form_get(el->forms, f)->span;
    return last.line == dd_span_line(ctx, span) && last.column == dd_span_column(ctx, span) &&
           strcmp(last.file, dd_source_name(ctx, span.file)) == 0;
}

/* ---- forms ---- */

bool dd_el_user_call_all(dd_el *el, dd_form f, dd_ev **outs, uint32_t *n)
{
    dd_function *fn = dd_function_numbered(el->e->functions, dd_form_get(el->forms, f)->payload);
    /* arguments in the order of the inputs; a colon means the default */
    dd_ev *args = dd_pool_alloc_array(el->scratch, fn->n_inputs + 1u, sizeof *args);
    *n = fn->n_results;
    *outs = dd_pool_alloc_array(el->scratch, fn->n_results, sizeof **outs);
    for (uint32_t i = 0; i < fn->n_inputs; i++) {
        dd_form arg = dd_form_arg(el->forms, f, i);
        if (dd_form_get(el->forms, arg)->op == DD_FORM_COLON) {
            args[i].type = DD_EV_UNSET;
        } else if (!dd_el_any(el, arg, &args[i])) {
            return false;
        }
    }
    /* the outermost call says where it is, behind messages from inside the function */
    size_t messages = dd_context_diagnostic_count(el->m->ctx);
    if (el->frame == NULL) {
        el->e->statements = 0;
    }
    bool ok = dd_function_call(el, f, fn, args, *outs);
    if (!ok && el->frame == NULL && dd_context_diagnostic_count(el->m->ctx) > messages && !told_here(el, f)) {
        dd_note(el->m->ctx, dd_form_get(el->forms, f)->span, "in this call of %s", fn->name);
    }
    return ok;
}

dd_expr dd_el_without_events(const dd_el *el, dd_expr e)
{
    return el->frame->fn->makes_events ? e : dd_unary(el->dag, DD_OP_NOEVENT, e);
}

bool dd_el_user_call(dd_el *el, dd_form f, dd_ev *out)
{
    dd_ev *outs;
    uint32_t n, which = dd_form_get(el->forms, f)->sub;
    if (el->e->functions == NULL) {
        return dd_el_fail(el, f, "functions cannot be called here");
    }
    if (!dd_el_user_call_all(el, f, &outs, &n)) {
        return false;
    }
    if (n == 0) {
        return dd_el_fail(el, f, "%s has no output: its call has no value",
                          dd_function_numbered(el->e->functions, dd_form_get(el->forms, f)->payload)->name);
    }
    *out = outs[which];
    return true;
}

/* ---- leaves of records ---- */

typedef DD_VEC(dd_leaf) leaf_vec;

static void add_leaves(dd_el *el, const dd_ev *v, const char *path, leaf_vec *out)
{
    /* fields in order, nested ones by their path */
    if (v->type != DD_EV_RECORD) {
        dd_leaf leaf = {.path = path};
        dd_ev_to_value(v, el->scratch, &leaf.value);
        dd_vec_push(el->scratch, out, leaf);
        return;
    }
    for (uint32_t i = 0; i < dd_record_size(v->record->type); i++) {
        const char *name = v->record->type->vars[i].name;
        add_leaves(el, &v->record->fields[i], dd_pool_printf(el->scratch, "%s.%s", path, name), out);
    }
}

bool dd_elaborate_leaves(dd_elaborator *e, dd_form f, const dd_form_env *env, dd_leaf **leaves, uint32_t *n)
{
    dd_el el = dd_el_begin(e, env);
    dd_ev v;
    leaf_vec list = {0};
    if (!dd_el_any(&el, f, &v)) {
        return false;
    }
    add_leaves(&el, &v, "", &list);
    *leaves = list.data;
    *n = list.len;
    return true;
}

bool dd_elaborate_outputs(dd_elaborator *e, dd_form call, const dd_form_env *env, dd_leaf ***lists, uint32_t **counts)
{
    dd_el el = dd_el_begin(e, env);
    dd_ev *outs;
    uint32_t n;
    if (!dd_el_user_call_all(&el, call, &outs, &n)) {
        return false;
    }
    *lists = dd_pool_alloc_array(e->scratch, n, sizeof **lists);
    *counts = dd_pool_alloc_array(e->scratch, n, sizeof **counts);
    for (uint32_t i = 0; i < n; i++) {
        leaf_vec list = {0};
        add_leaves(&el, &outs[i], "", &list);
        (*lists)[i] = list.data;
        (*counts)[i] = list.len;
    }
    return true;
}
