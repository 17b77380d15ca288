/* values.c - numbers for parameters and attributes.
 *
 * Parameters may be bound to expressions in other parameters; values are found depth first with an explicit stack, so a
 * long chain of bindings does not overflow, and a cycle is reported as the chain of names that closes it.
 */
#include <float.h>
#include <math.h>

#include "expr/value.h"
#include "model/model.h"

enum { MAX_ERRORS = 100 }; /* then the remaining parameters are not checked, as in lang/flatten.h */
enum { COLOUR_NEW = 0, COLOUR_OPEN, COLOUR_DONE, COLOUR_FAILED };

typedef struct settler {
    dd_model *m;
    dd_pool *scratch;
    uint8_t *colour;        /* per var */
    DD_VEC(uint32_t) stack; /* parameters to be looked at, the next on top */
    DD_VEC(uint32_t) path;  /* those among them that wait for others, each for the one after it */
    dd_expr_vec symbols;
} settler;

static double parameter_value(void *user, dd_expr symbol)
{
    dd_model *m = user;
    /* NaN for a variable: an expression that needs it has no value */
    if (dd_op_of(m->dag, symbol) != DD_OP_PARAM) {
        return NAN;
    }
    return m->vars.data[dd_symbol_id(m->dag, symbol)].value;
}

static bool is_parameter(const dd_variable *v)
{
    return v->kind == DD_KIND_PARAMETER || v->kind == DD_KIND_CONSTANT;
}

/* var is on the path: from there on every parameter needs the next, and the last one needs var. */
static void report_cycle(settler *s, uint32_t var)
{
    enum { SHOWN = 10 };
    dd_text chain = dd_text_new(s->scratch);
    /* back along the path to the first appearance of var */
    uint32_t at = s->path.len, links = 0;
    while (s->path.data[--at] != var) {
    }
    /* the chain var -> ... -> var; a long one is cut in the middle */
    for (; at < s->path.len; at++, links++) {
        if (links >= SHOWN && at + 1 < s->path.len) {
            dd_text_add(&chain, links == SHOWN ? "... -> " : "");
            continue;
        }
        dd_model_var_name(s->m, s->path.data[at], &chain);
        dd_text_add(&chain, " -> ");
    }
    dd_model_var_name(s->m, var, &chain);
    dd_error(s->m->ctx, s->m->arrays.data[s->m->vars.data[var].array].span,
             "parameters depend on each other in a cycle: %s; give one of them a number", dd_text_str(&chain));
}

static void report_missing(settler *s, uint32_t var)
{
    const dd_array *a = &s->m->arrays.data[s->m->vars.data[var].array];
    const char *name = dd_model_var_name_dup(s->m, var, s->scratch);
    dd_error(s->m->ctx, a->span, "%s %s has no value: give one in the model, or with %s %s=VALUE",
             a->kind == DD_KIND_CONSTANT ? "constant" : "parameter", name, dd_option_word(s->m->ctx, "--set"), name);
}

static void finish_top(settler *s)
{
    /* the path holds the waiting ones only, so its top may be another parameter */
    uint32_t var = s->stack.data[--s->stack.len];
    if (s->path.len > 0 && s->path.data[s->path.len - 1] == var) {
        s->path.len--;
    }
    s->colour[var] = COLOUR_DONE;
}

/* Pushes the parameters that `binding` needs and that have no value yet. Returns false when one of them cannot have
 * one. */
static bool push_needs(settler *s, dd_expr binding)
{
    dd_model *m = s->m;
    /* only parameters can have values before the run; variables in a binding are the front end's error */
    s->symbols.len = 0;
    dd_symbols(m->dag, binding, true, &s->symbols, s->scratch);
    for (uint32_t i = 0; i < s->symbols.len; i++) {
        if (dd_op_of(m->dag, s->symbols.data[i]) != DD_OP_PARAM) {
            continue;
        }
        uint32_t other = dd_symbol_id(m->dag, s->symbols.data[i]);
        if (m->vars.data[other].has_value || s->colour[other] == COLOUR_DONE) {
            continue;
        }
        /* an open parameter waits for this one: the chain is closed */
        if (s->colour[other] == COLOUR_OPEN) {
            report_cycle(s, other);
        }
        if (s->colour[other] == COLOUR_OPEN || s->colour[other] == COLOUR_FAILED) {
            return false;
        }
        dd_vec_push(s->scratch, &s->stack, other);
    }
    return true;
}

/* Finishes the parameter on top of the stack, or pushes those it waits for. Returns false on a failure. */
static bool settle_top(settler *s)
{
    dd_model *m = s->m;
    uint32_t var = s->stack.data[s->stack.len - 1];
    dd_variable *v = &m->vars.data[var];
    /* it may have been finished since it was pushed, by another one that needed it too */
    if (v->has_value || s->colour[var] == COLOUR_DONE) {
        finish_top(s);
        return true;
    }
    if (s->colour[var] == COLOUR_FAILED) {
        return false;
    }
    /* nothing determines it */
    if (v->binding == DD_EXPR_NONE) {
        report_missing(s, var);
        s->colour[var] = COLOUR_FAILED;
        return false;
    }
    /* on the first visit it joins the path; it is visited again when all it needs has a value */
    if (s->colour[var] == COLOUR_NEW) {
        s->colour[var] = COLOUR_OPEN;
        dd_vec_push(s->scratch, &s->path, var);
    }
    uint32_t before = s->stack.len;
    if (!push_needs(s, v->binding)) {
        return false;
    }
    /* nothing was pushed: everything it needs is known */
    if (s->stack.len == before) {
        v->value = dd_value_of(m->dag, v->binding, parameter_value, m, s->scratch);
        v->has_value = true;
        finish_top(s);
    }
    return true;
}

/* False when var cannot have a value: then one message was reported, and those that wait for it fail silently. */
static bool settle(settler *s, uint32_t var)
{
    /* depth first; every turn finishes a parameter or opens one, and the path is the chain of those that wait */
    s->stack.len = s->path.len = 0;
    dd_vec_push(s->scratch, &s->stack, var);
    while (s->stack.len > 0) {
        dd_check_stop(s->m->ctx);
        if (!settle_top(s)) {
            /* whatever waits for a failed parameter fails with it, without a message */
            for (uint32_t i = 0; i < s->path.len; i++) {
                s->colour[s->path.data[i]] = COLOUR_FAILED;
            }
            return false;
        }
    }
    return true;
}

static settler new_settler(dd_model *m)
{
    settler s = {.m = m, .scratch = dd_pool_child(m->pool)};
    s.colour = dd_pool_alloc_array(s.scratch, m->vars.len + 1, 1);
    return s;
}

/* Parameters in e shape the model, and so do those that their values are made of. */
static void mark_shaping(dd_model *m, dd_expr e, dd_pool *scratch)
{
    /* a worklist over the bindings; the mark `structural` also says that a parameter was visited */
    dd_expr_vec symbols = {0};
    dd_symbols(m->dag, e, true, &symbols, scratch);
    while (symbols.len > 0) {
        dd_expr symbol = symbols.data[--symbols.len];
        dd_variable *v = dd_op_of(m->dag, symbol) == DD_OP_PARAM ? &m->vars.data[dd_symbol_id(m->dag, symbol)] : NULL;
        if (v && v->kind == DD_KIND_PARAMETER && !v->structural) {
            v->structural = true;
            if (v->binding != DD_EXPR_NONE) {
                dd_symbols(m->dag, v->binding, true, &symbols, scratch);
            }
        }
    }
}

bool dd_model_evaluate(dd_model *m, dd_expr e, bool mark_structural, double *value, uint32_t *culprit)
{
    *culprit = DD_NO_INDEX;
    /* a number needs no search */
    if (dd_op_of(m->dag, e) == DD_OP_NUM) {
        *value = dd_num_value(m->dag, e);
        return true;
    }
    dd_pool *scratch = dd_pool_child(m->pool);
    /* colours are made on the first need: most expressions are in parameters that have values already */
    settler s = {.m = m, .scratch = scratch};
    dd_expr_vec symbols = {0};
    dd_symbols(m->dag, e, true, &symbols, scratch);
    bool ok = true;
    /* time and variables have no value before the run; the variable is reported back */
    for (uint32_t i = 0; ok && i < symbols.len; i++) {
        if (dd_op_of(m->dag, symbols.data[i]) == DD_OP_TIME) {
            ok = false;
            break;
        }
        /* parameters that were not settled yet are settled now, with what they need */
        uint32_t var = dd_symbol_id(m->dag, symbols.data[i]);
        dd_variable *v = &m->vars.data[var];
        if (!is_parameter(v)) {
            *culprit = var;
            ok = false;
            break;
        }
        if (!v->has_value) {
            if (!s.colour) {
                s.colour = dd_pool_alloc_array(scratch, m->vars.len + 1, 1);
            }
            ok = settle(&s, var);
            *culprit = ok ? DD_NO_INDEX : var;
        }
    }
    /* sizes and branches depend on them: an optimization cannot decide them, a run cannot differentiate by them */
    if (ok && mark_structural) {
        mark_shaping(m, e, scratch);
    }
    if (ok) {
        *value = dd_value_of(m->dag, e, parameter_value, m, scratch);
    }
    dd_pool_free(scratch);
    return ok;
}

/* Attribute expression -> number; a variable in it is the front end's error, here it just stays at the default.
 * The largest finite numbers mean no bound: a list of bounds writes them for elements without one. */
static void settle_attribute(dd_model *m, dd_expr e, double *value)
{
    double v;
    uint32_t culprit;
    if (e != DD_EXPR_NONE && dd_model_evaluate(m, e, false, &v, &culprit)) {
        *value = v >= DBL_MAX ? INFINITY : v <= -DBL_MAX ? -INFINITY : v;
    }
}

void dd_model_settle_values(dd_model *m)
{
    /* every parameter without a value, except those that an optimization decides */
    settler s = new_settler(m);
    bool ok = true;
    for (uint32_t i = 0; i < m->vars.len; i++) {
        if (is_parameter(&m->vars.data[i]) && !m->vars.data[i].has_value && !m->vars.data[i].free) {
            ok = settle(&s, i) && ok;
            /* enough messages: a model that was read wrongly would repeat the same one for every parameter */
            if (!ok && dd_context_error_count(m->ctx) >= MAX_ERRORS) {
                break;
            }
        }
    }
    dd_pool_free(s.scratch);
    if (!ok) {
        dd_raise(m->ctx, DD_INVALID_MODEL, "parameters without values");
    }
    /* attributes after the parameters they are written in */
    for (uint32_t i = 0; i < m->vars.len; i++) {
        dd_variable *v = &m->vars.data[i];
        settle_attribute(m, v->start, &v->start_value);
        settle_attribute(m, v->min, &v->min_value);
        settle_attribute(m, v->max, &v->max_value);
        settle_attribute(m, v->nominal, &v->nominal_value);
    }
}
