/* variant.c - copies of what has numbers, and setting them. */
#include "structure/variant.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "structure/numeric.h"

static bool contains(const dd_model *m, dd_expr e, dd_expr symbol)
{
    return e != DD_EXPR_NONE && dd_depends(m->dag, e, symbol);
}

/* Every parameter that a binding, an attribute or a coefficient of the analysis is written in is not alone. */
static void find_alone(dd_variant *v)
{
    const dd_model *m = v->system->model;
    dd_expr_vec symbols = {0};
    /* all symbols of these expressions in one list */
    for (uint32_t i = 0; i < m->vars.len; i++) {
        const dd_variable *x = &m->vars.data[i];
        const dd_expr list[] = {x->binding, x->start, x->min, x->max, x->nominal};
        v->alone[i] = true;
        for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
            if (list[k] != DD_EXPR_NONE) {
                dd_symbols(m->dag, list[k], true, &symbols, v->pool);
            }
        }
    }
    for (uint32_t i = 0; i < v->system->conditions.len; i++) {
        dd_symbols(m->dag, v->system->conditions.data[i].value, true, &symbols, v->pool);
    }
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_op_of(m->dag, symbols.data[i]) == DD_OP_PARAM && dd_symbol_id(m->dag, symbols.data[i]) < m->vars.len) {
            v->alone[dd_symbol_id(m->dag, symbols.data[i])] = false;
        }
    }
    dd_vec_free(v->pool, &symbols);
}

dd_variant *dd_variant_new(const dd_system *s, dd_pool *pool)
{
    dd_variant *v = dd_pool_alloc(pool, sizeof *v);
    dd_system *own = dd_pool_alloc(pool, sizeof *own);
    /* expressions, rows and the condensed system are symbolic: they are shared */
    *own = *s;
    own->model = dd_model_copy(s->model, pool);
    own->parameter = dd_pool_alloc_array(pool, s->model->vars.len + 1, sizeof *own->parameter);
    memcpy(own->parameter, s->parameter, s->model->vars.len * sizeof *own->parameter);
    own->numeric = NULL;
    *v = (dd_variant){.base = s, .system = own, .pool = pool};
    v->alone = dd_pool_alloc_array(pool, s->model->vars.len + 1, sizeof *v->alone);
    find_alone(v);
    return v;
}

/* ---- names ---- */

static bool is_shown(const dd_system *s, uint32_t var)
{
    const dd_variable *v = &s->model->vars.data[var];
    return v->kind != DD_KIND_POINT && !s->model->arrays.data[v->array].auxiliary;
}

static bool same_but_blanks(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ') {
            a++;
        }
        while (*b == ' ') {
            b++;
        }
        if (*a != *b || *a == '\0') {
            return *a == *b;
        }
    }
}

uint32_t dd_system_find(const dd_system *s, const char *name, dd_pool *scratch)
{
    dd_text text = dd_text_new(scratch);
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        if (is_shown(s, v)) {
            dd_text_clear(&text);
            dd_model_var_name(s->model, v, &text);
            if (same_but_blanks(dd_text_str(&text), name)) {
                return v;
            }
        }
    }
    return DD_NO_INDEX;
}

uint32_t dd_system_need(const dd_system *s, const char *name, const char *what, dd_pool *scratch)
{
    const uint32_t found = dd_system_find(s, name, scratch);
    if (found != DD_NO_INDEX) {
        return found;
    }
    /* the closest of all names is probably meant */
    const char **names = dd_pool_alloc_array(scratch, s->model->vars.len + 1, sizeof *names);
    size_t count = 0;
    for (uint32_t v = 0; v < s->model->vars.len; v++) {
        if (is_shown(s, v)) {
            names[count++] = dd_model_var_name_dup(s->model, v, scratch);
        }
    }
    const char *meant = dd_closest_name(name, names, count);
    dd_raise(s->ctx, DD_INVALID_ARGUMENT, meant ? "%s has no %s \"%s\"; did you mean \"%s\"?" : "%s has no %s \"%s\"",
             s->model->name, what, name, meant);
}

/* ---- values ---- */

const char *dd_system_refuses(const dd_system *s, uint32_t var)
{
    const dd_variable *x = &s->model->vars.data[var];
    if (x->kind == DD_KIND_CONSTANT) {
        return "is a constant";
    }
    if (x->kind == DD_KIND_PARAMETER && x->structural) {
        return "shapes the model (a size, a branch, or a coefficient that vanishes): set it before the analysis";
    }
    if (x->kind == DD_KIND_PARAMETER && x->free) {
        return "is decided by the optimization";
    }
    return NULL;
}

/* A coefficient in parameters alone that the analysis relies on, and that is zero now; NULL: none. */
static const char *vanished(const dd_system *s, dd_pool *scratch)
{
    for (uint32_t i = 0; i < s->conditions.len; i++) {
        double value;
        uint32_t culprit;
        const dd_expr e = s->conditions.data[i].value;
        if (dd_model_evaluate(s->model, e, false, &value, &culprit) && value == 0) {
            dd_text text = dd_text_new(scratch);
            dd_namer namer = dd_model_namer(s->model);
            dd_print(s->model->dag, e, &namer, &text);
            return dd_text_str(&text);
        }
    }
    return NULL;
}

typedef struct set_call {
    dd_variant *v;
    uint32_t var;
    double value;
    dd_pool *scratch;
    dd_variable *vars; /* before; NULL: nothing was changed yet */
    double *parameter;
} set_call;

/* Parameters that are bound to var, directly or through others. */
static void mark_followers(const set_call *call, bool *marked)
{
    const dd_model *m = call->v->system->model;
    dd_index_vec open = {0};
    dd_vec_push(call->scratch, &open, call->var);
    /* bindings have no cycles: each is opened once */
    while (open.len > 0) {
        const dd_expr symbol = dd_param(m->dag, open.data[--open.len]);
        for (uint32_t i = 0; i < m->vars.len; i++) {
            const dd_variable *x = &m->vars.data[i];
            if (!marked[i] && x->kind == DD_KIND_PARAMETER && i != call->var && contains(m, x->binding, symbol)) {
                marked[i] = true;
                dd_vec_push(call->scratch, &open, i);
            }
        }
    }
}

/* Values that follow are computed again from their bindings, then attributes. */
static void follow(void *user)
{
    set_call *call = user;
    dd_system *s = call->v->system;
    dd_model *m = s->model;
    bool *marked = dd_pool_alloc_array(call->scratch, m->vars.len + 1, sizeof *marked);
    mark_followers(call, marked);
    /* the numbers before are kept until all that follows is known */
    dd_variable *vars = dd_pool_alloc_array(call->scratch, m->vars.len + 1, sizeof *vars);
    call->parameter = dd_pool_alloc_array(call->scratch, m->vars.len + 1, sizeof *call->parameter);
    memcpy(vars, m->vars.data, m->vars.len * sizeof *vars);
    memcpy(call->parameter, s->parameter, m->vars.len * sizeof *call->parameter);
    call->vars = vars;
    m->vars.data[call->var].value = call->value;
    for (uint32_t i = 0; i < m->vars.len; i++) {
        m->vars.data[i].has_value = m->vars.data[i].has_value && !marked[i];
    }
    dd_model_settle_values(m);
    s->parameter[call->var] = call->value;
    for (uint32_t i = 0; i < m->vars.len; i++) {
        s->parameter[i] = marked[i] ? m->vars.data[i].value : s->parameter[i];
    }
    const char *zero = vanished(s, call->scratch);
    if (zero != NULL) {
        dd_raise(s->ctx, DD_INVALID_ARGUMENT, "with %s = %g the coefficient %s vanishes, on which the analysis relies",
                 dd_model_var_name_dup(m, call->var, call->scratch), call->value, zero);
    }
}

static void refuse(void *user)
{
    const set_call *call = user;
    const dd_system *s = call->v->system;
    const bool parameter = s->model->vars.data[call->var].kind == DD_KIND_PARAMETER;
    const char *why = dd_system_refuses(s, call->var);
    why = why == NULL && !parameter ? "is not a parameter" : why;
    why = why == NULL && s->options.parameters_stay
              ? "keeps its value, as the analysis assumes: analyse without parameters_stay"
              : why;
    dd_raise(s->ctx, DD_INVALID_ARGUMENT, "%s %s", dd_model_var_name_dup(s->model, call->var, call->scratch),
             why != NULL ? why : "must be a finite number");
}

dd_status dd_variant_set(dd_variant *v, uint32_t var, double value)
{
    dd_system *s = v->system;
    const bool fine = s->model->vars.data[var].kind == DD_KIND_PARAMETER && dd_system_refuses(s, var) == NULL &&
                      !s->options.parameters_stay;
    if (fine && isfinite(value) && v->alone[var]) {
        s->parameter[var] = s->model->vars.data[var].value = value;
        return DD_OK;
    }
    set_call call = {.v = v, .var = var, .value = value, .scratch = dd_pool_new(s->ctx)};
    if (call.scratch == NULL) {
        return dd_fail(s->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    const dd_status st = dd_protect(s->ctx, fine && isfinite(value) ? follow : refuse, &call);
    if (st != DD_OK && call.vars != NULL) {
        memcpy(s->model->vars.data, call.vars, s->model->vars.len * sizeof *call.vars);
        memcpy(s->parameter, call.parameter, s->model->vars.len * sizeof *call.parameter);
    }
    dd_pool_free(call.scratch);
    return st;
}

void dd_variant_set_start(dd_variant *v, uint32_t var, double value)
{
    dd_model *m = v->system->model;
    dd_variable *x = &m->vars.data[var];
    x->start = dd_num(m->dag, value);
    x->start_value = value;
    x->has_start = true;
}

void dd_variant_set_bound(dd_variant *v, uint32_t var, bool upper, double value)
{
    dd_model *m = v->system->model;
    dd_variable *x = &m->vars.data[var];
    const dd_expr number = isfinite(value) ? dd_num(m->dag, value) : DD_EXPR_NONE;
    *(upper ? &x->max : &x->min) = number;
    *(upper ? &x->max_value : &x->min_value) = value;
    *(upper ? &x->has_max : &x->has_min) = number != DD_EXPR_NONE;
}
