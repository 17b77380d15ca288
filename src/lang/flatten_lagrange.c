/* flatten_lagrange.c - the statement lagrange(q = , T = , V = , ...): its arguments checked, variables that are
 * bound in their declaration put in, equations of motion from mech/lagrange.h, constraints as equations the way
 * they are written. */
#include <string.h>

#include "lang/flatten.h"
#include "mech/lagrange.h"

typedef enum argument {
    ARG_Q,
    ARG_T,
    ARG_V,
    ARG_D,
    ARG_C,
    ARG_A,
    ARG_FORCE,
    ARG_LAMBDA,
    ARG_FORCES,
    ARG_POINTS,
    ARG_COUNT
} argument;

static const char *const argument_names[ARG_COUNT] = {"q", "T", "V", "D", "c", "a", "Q", "lambda", "forces", "points"};

typedef struct statement {
    dd_flattener *fl;
    const dd_ast_equation *eq;
    const dd_form_env *env;
    const dd_ast_mod *mod[ARG_COUNT]; /* NULL when left out */
    dd_value value[ARG_COUNT];
    dd_map is_q; /* var + 1 -> 1 */
} statement;

static bool given(const statement *s, argument a)
{
    return s->mod[a] != NULL;
}

static dd_span span_of(const statement *s, argument a)
{
    return s->mod[a]->span;
}

/* ---- reading the arguments ---- */

static bool find_arguments(statement *s)
{
    dd_flattener *fl = s->fl;
    /* arguments by name, each once, each with a value */
    for (const dd_ast_mod *mod = s->eq->mods; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        int a = 0;
        while (a < ARG_COUNT && strcmp(name, argument_names[a]) != 0) {
            a++;
        }
        if (a == ARG_COUNT || mod->nested != NULL) {
            const char *near = dd_closest_name(name, argument_names, ARG_COUNT);
            dd_error(fl->ctx, mod->span,
                     near != NULL
                         ? "lagrange has no argument %s: did you mean %s?"
                         : "lagrange has no argument %s; there are q, T, V, D, c, a, Q, lambda, forces and points",
                     name, near);
            return false;
        }
        if (mod->value == DD_FORM_NONE) {
            dd_error(fl->ctx, mod->span, "the argument %s of lagrange needs a value: %s = ...", name, name);
            return false;
        }
        if (s->mod[a] != NULL) {
            dd_error(fl->ctx, mod->span, "the argument %s of lagrange is given twice", name);
            return false;
        }
        s->mod[a] = mod;
    }
    /* coordinates and kinetic energy cannot be left out */
    if (!given(s, ARG_Q) || !given(s, ARG_T)) {
        dd_error(fl->ctx, s->eq->span, "lagrange needs %s",
                 given(s, ARG_Q) ? "the kinetic energy, T = ..." : "its coordinates, q = {..} or q = p");
        return false;
    }
    return true;
}

static bool elaborate_arguments(statement *s)
{
    bool ok = true;
    /* all of them, so that one run reports all mistakes */
    for (int a = 0; a < ARG_COUNT; a++) {
        if (s->mod[a] != NULL && !dd_flat_value(s->fl, s->mod[a]->value, s->env, false, &s->value[a])) {
            ok = false;
        } else if (s->mod[a] != NULL && s->value[a].type == DD_TYPE_BOOLEAN) {
            dd_error(s->fl->ctx, span_of(s, (argument)a), "the argument %s of lagrange is a number, not a Boolean",
                     argument_names[a]);
            ok = false;
        }
    }
    return ok;
}

/* ---- checking sizes ---- */

static bool check_dimensions(statement *s, argument a, uint32_t ndim)
{
    const dd_value *v = &s->value[a];
    if (!given(s, a) || v->ndim == ndim) {
        return true;
    }
    /* energies are scalars, everything else a vector */
    const char *name = argument_names[a];
    if (ndim == 0) {
        dd_error(s->fl->ctx, span_of(s, a), "%s is an energy and must be a scalar, but it has %s", name,
                 dd_flat_size(s->fl, v));
    } else if (v->ndim == 0) {
        dd_error(s->fl->ctx, span_of(s, a), "%s must be a vector, but it is a scalar: write %s = {..}", name, name);
    } else {
        dd_error(s->fl->ctx, span_of(s, a), "%s must be a vector, but it has %s", name, dd_flat_size(s->fl, v));
    }
    return false;
}

static bool check_multipliers(statement *s)
{
    /* one multiplier per constraint, holonomic ones first */
    uint32_t needed = s->value[ARG_C].size + s->value[ARG_A].size;
    uint32_t have = given(s, ARG_LAMBDA) ? s->value[ARG_LAMBDA].size : 0;
    if (needed == have) {
        return true;
    }
    if (!given(s, ARG_LAMBDA)) {
        dd_error(s->fl->ctx, s->eq->span, "%u constraint%s: declare Real lam[%u] and set lambda = lam", needed,
                 needed == 1 ? " needs a multiplier" : "s need multipliers", needed);
    } else {
        dd_error(s->fl->ctx, span_of(s, ARG_LAMBDA),
                 needed == 1 ? "lambda has size %u, but there is %u constraint (c has %u, a has %u)"
                             : "lambda has size %u, but there are %u constraints (c has %u, a has %u)",
                 have, needed, s->value[ARG_C].size, s->value[ARG_A].size);
    }
    return false;
}

static bool check_forces(statement *s)
{
    /* both or neither; equal shapes, as lists of vectors or flat */
    if (given(s, ARG_FORCES) != given(s, ARG_POINTS)) {
        argument alone = given(s, ARG_FORCES) ? ARG_FORCES : ARG_POINTS;
        dd_error(s->fl->ctx, span_of(s, alone), "forces and points belong together: %s is missing",
                 alone == ARG_FORCES ? "points, where the forces act," : "forces, which act at the points,");
        return false;
    }
    if (!given(s, ARG_FORCES)) {
        return true;
    }
    const dd_value *f = &s->value[ARG_FORCES], *p = &s->value[ARG_POINTS];
    if (f->ndim == 0 || f->ndim > 2 || !dd_value_same_shape(f, p)) {
        dd_error(s->fl->ctx, span_of(s, ARG_FORCES),
                 "forces and points are lists of Cartesian vectors of the same size, {F1, F2} and {p1, p2}; "
                 "forces %s%s, points %s%s",
                 f->ndim == 0 ? "is " : "has ", dd_flat_size(s->fl, f), p->ndim == 0 ? "is " : "has ",
                 dd_flat_size(s->fl, p));
        return false;
    }
    return true;
}

static bool check_sizes(statement *s)
{
    /* dimensions first, then the sizes that belong together */
    bool ok = check_dimensions(s, ARG_Q, 1) && check_dimensions(s, ARG_T, 0) && check_dimensions(s, ARG_V, 0) &&
              check_dimensions(s, ARG_D, 0) && check_dimensions(s, ARG_C, 1) && check_dimensions(s, ARG_A, 1) &&
              check_dimensions(s, ARG_FORCE, 1) && check_dimensions(s, ARG_LAMBDA, 1) && check_forces(s) &&
              check_multipliers(s);
    if (ok && given(s, ARG_FORCE) && s->value[ARG_FORCE].size != s->value[ARG_Q].size) {
        dd_error(s->fl->ctx, span_of(s, ARG_FORCE),
                 s->value[ARG_Q].size == 1 ? "Q has size %u, but there is %u coordinate q"
                                           : "Q has size %u, but there are %u coordinates q",
                 s->value[ARG_FORCE].size, s->value[ARG_Q].size);
        ok = false;
    }
    return ok;
}

/* ---- checking what the expressions hold ---- */

/* q and lambda are lists of different variables. */
static bool check_variables(statement *s, argument a, bool unbound)
{
    dd_flattener *fl = s->fl;
    const dd_value *v = &s->value[a];
    dd_map seen = dd_map_new(fl->scratch);
    /* each is a declared variable, appears once, and (coordinates) has no binding */
    for (uint32_t i = 0; i < v->size; i++) {
        dd_expr e = v->elems[i];
        bool variable = dd_op_of(fl->m->dag, e) == DD_OP_VAR && dd_symbol_order(fl->m->dag, e) == 0;
        uint32_t var = variable ? dd_symbol_id(fl->m->dag, e) : 0;
        if (!variable || fl->m->vars.data[var].kind != DD_KIND_VARIABLE) {
            dd_error(fl->ctx, span_of(s, a), "element %u of %s is not a variable of the model", i + 1,
                     argument_names[a]);
            return false;
        }
        const char *name = dd_model_var_name_dup(fl->m, var, fl->pool);
        if (dd_map_get(&seen, (uint64_t)var + 1) != 0) {
            dd_error(fl->ctx, span_of(s, a), "%s appears twice in %s", name, argument_names[a]);
            return false;
        }
        if (unbound && fl->m->vars.data[var].binding != DD_EXPR_NONE) {
            dd_error(fl->ctx, span_of(s, a),
                     "%s is a coordinate, so its motion follows from lagrange: declare it without `= ...`", name);
            return false;
        }
        dd_map_put(&seen, (uint64_t)var + 1, 1);
    }
    /* kept for the checks of the contents */
    if (a == ARG_Q) {
        s->is_q = seen;
    }
    return true;
}

/* Looks at every variable of an expression: coordinates up to this order of derivative, inputs, and, when
 * `others`, anything else. */
static bool check_contents(statement *s, argument a, dd_expr e, uint32_t max_order, bool others)
{
    dd_flattener *fl = s->fl;
    dd_expr_vec symbols = {0};
    /* every symbol: a coordinate of low enough order, an input, or one of the others where they are allowed */
    dd_symbols(fl->m->dag, e, false, &symbols, fl->scratch);
    for (uint32_t i = 0; i < symbols.len; i++) {
        uint32_t var = dd_symbol_id(fl->m->dag, symbols.data[i]), order = dd_symbol_order(fl->m->dag, symbols.data[i]);
        const char *name = dd_model_var_name_dup(fl->m, var, fl->pool);
        bool is_q = dd_map_get(&s->is_q, (uint64_t)var + 1) != 0;
        if (!is_q && fl->m->vars.data[var].kind != DD_KIND_INPUT && !others) {
            dd_error(fl->ctx, span_of(s, a),
                     "%s contains %s, which is neither a coordinate in q, nor the derivative of one, nor time, a "
                     "parameter or "
                     "an input; if %s is a speed, declare it as Real %s = der(..)",
                     argument_names[a], name, name, fl->m->arrays.data[fl->m->vars.data[var].array].name);
            return false;
        }
        if (is_q && order > max_order) {
            static const char *const advice[ARG_COUNT] = {
                [ARG_V] = ": a potential depends on positions only, dissipation goes into D and other forces into Q",
                [ARG_C] = ": constraints on speeds go into a",
                [ARG_POINTS] = ": points depend on positions only"};
            dd_error(fl->ctx, span_of(s, a),
                     order == 1 ? "%s contains der(%s)%s" : "%s contains a higher derivative of %s%s",
                     argument_names[a], name, advice[a] != NULL ? advice[a] : "");
            return false;
        }
    }
    return true;
}

/* Puts bound variables in and checks each element. */
static bool prepare(statement *s, argument a, uint32_t max_order, bool others)
{
    /* bound variables are put in first: T may be written with Real v = der(p) */
    for (uint32_t i = 0; given(s, a) && i < s->value[a].size; i++) {
        if (!dd_flat_inline(s->fl, &s->value[a].elems[i]) ||
            !check_contents(s, a, s->value[a].elems[i], max_order, others)) {
            return false;
        }
    }
    return true;
}

/* a = 0 must be linear in der(q). */
static bool check_linear(statement *s)
{
    dd_flattener *fl = s->fl;
    const dd_value *q = &s->value[ARG_Q];
    if (!given(s, ARG_A)) {
        return true;
    }
    /* linear in q': the coefficients da/dq' do not contain q' */
    dd_expr *rates = dd_pool_alloc_array(fl->scratch, q->size, sizeof *rates);
    dd_expr *coefficients = dd_pool_alloc_array(fl->scratch, q->size, sizeof *coefficients), rest;
    for (uint32_t i = 0; i < q->size; i++) {
        rates[i] = dd_var(fl->m->dag, dd_symbol_id(fl->m->dag, q->elems[i]), 1);
    }
    for (uint32_t i = 0; i < s->value[ARG_A].size; i++) {
        if (!dd_linear(fl->m->dag, s->value[ARG_A].elems[i], rates, q->size, coefficients, &rest)) {
            dd_error(fl->ctx, span_of(s, ARG_A), "element %u of a is not linear in the derivatives of the coordinates",
                     i + 1);
            return false;
        }
    }
    return true;
}

/* ---- the constraints as equations ---- */

static void add_constraint_group(statement *s, dd_form lhs, dd_form rhs, const dd_form_env *env, dd_span span,
                                 const dd_expr *rows, uint32_t count)
{
    const char *doc = s->eq->doc != 0 ? dd_names_get(s->fl->m->names, s->eq->doc) : "";
    dd_group group = {.lhs = lhs, .rhs = rhs, .env = env, .span = span, .doc = doc, .origin = DD_ORIGIN_CONSTRAINT};
    dd_model_add_group(s->fl->m, group, rows, count);
}

/* {e for i in r}: one equation e = 0 per value of i. */
static bool add_comprehension(statement *s, dd_form f, const dd_value *v, dd_span span, dd_form zero)
{
    const dd_forms *forms = s->fl->m->forms;
    double *values;
    uint64_t count;
    bool all_integer;
    if (!dd_elaborate_range(&s->fl->el, dd_form_arg(forms, f, 2), s->env, &values, &count, &all_integer) ||
        count != v->size) {
        return false;
    }
    /* the body with an environment per iteration: reports show each equation with its own numbers */
    uint32_t loop = dd_form_get(forms, dd_form_arg(forms, f, 1))->payload;
    for (uint32_t i = 0; i < v->size; i++) {
        dd_form_env *env = dd_pool_alloc(s->fl->m->pool, sizeof *env);
        *env = (dd_form_env){.loop = loop, .value = dd_saturated(values[i]), .real = values[i], .outer = s->env};
        add_constraint_group(s, dd_form_arg(forms, f, 0), zero, env, span, &v->elems[i], 1);
    }
    return true;
}

static dd_form zeros_form(dd_forms *forms, uint32_t n, dd_span span)
{
    dd_form size = dd_form_number(forms, n, span);
    return dd_form_new(forms, DD_FORM_CALL, DD_FN_ZEROS, 0, &size, 1, span);
}

/* c = 0 or a = 0, each element by itself where the text has elements. */
static void add_constraints(statement *s, argument a)
{
    if (!given(s, a) || s->value[a].size == 0) {
        return;
    }
    /* as the text has it: a list, a comprehension, or one array equation */
    dd_forms *forms = s->fl->m->forms;
    dd_form f = s->mod[a]->value;
    const dd_form_node node = *dd_form_get(forms, f);
    const dd_value *v = &s->value[a];
    dd_form zero = dd_form_number(forms, 0, node.span);
    if (node.op == DD_FORM_ARRAY && node.nargs == v->size) {
        for (uint32_t i = 0; i < v->size; i++) {
            dd_form element = dd_form_arg(forms, f, i);
            add_constraint_group(s, element, zero, s->env, dd_form_get(forms, element)->span, &v->elems[i], 1);
        }
        return;
    }
    if (node.op == DD_FORM_COMPREHENSION && node.nargs == 3 && add_comprehension(s, f, v, node.span, zero)) {
        return;
    }
    add_constraint_group(s, f, zeros_form(forms, v->size, node.span), s->env, node.span, v->elems, v->size);
}

/* ---- the equations of motion ---- */

static dd_expr scalar_or_none(const statement *s, argument a)
{
    return given(s, a) ? s->value[a].elems[0] : DD_EXPR_NONE;
}

static void add_motion(statement *s)
{
    dd_model *m = s->fl->m;
    const dd_value *v = s->value;
    /* every argument that was left out is NONE, NULL or of size 0 */
    dd_lagrange in = {.q = v[ARG_Q].elems,
                      .nq = v[ARG_Q].size,
                      .T = scalar_or_none(s, ARG_T),
                      .V = scalar_or_none(s, ARG_V),
                      .D = scalar_or_none(s, ARG_D),
                      .c = v[ARG_C].elems,
                      .nc = v[ARG_C].size,
                      .a = v[ARG_A].elems,
                      .na = v[ARG_A].size,
                      .lambda = v[ARG_LAMBDA].elems,
                      .Q = v[ARG_FORCE].elems,
                      .forces = v[ARG_FORCES].elems,
                      .points = v[ARG_POINTS].elems,
                      .nf = v[ARG_FORCES].size};
    dd_expr *residuals = dd_pool_alloc_array(s->fl->scratch, in.nq, sizeof *residuals);
    dd_lagrange_equations(m->dag, &in, residuals, s->fl->scratch);
    in.first_group = m->groups.len;
    dd_vec_push(m->pool, &m->lagrange, (const dd_lagrange *)dd_lagrange_copy(&in, m->pool));
    /* one group per equation of motion, named after its coordinate */
    for (uint32_t i = 0; i < in.nq; i++) {
        const char *name = dd_model_var_name_dup(m, dd_symbol_id(m->dag, in.q[i]), s->fl->scratch);
        dd_group group = {.span = s->eq->span, .env = s->env, .origin = DD_ORIGIN_LAGRANGE};
        group.doc = dd_pool_printf(m->pool, "equation of motion of %s", name);
        dd_model_add_group(m, group, &residuals[i], 1);
    }
}

/* The constraints as written, bound variables not put in: reports show them like this. */
static void keep_rows(statement *s, argument a, dd_value *copy)
{
    *copy = s->value[a];
    copy->elems = dd_pool_alloc_array(s->fl->scratch, copy->size, sizeof *copy->elems);
    if (copy->size > 0) {
        memcpy(copy->elems, s->value[a].elems, copy->size * sizeof *copy->elems);
    }
}

void dd_flat_lagrange(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    statement s = {.fl = fl, .eq = eq, .env = env};
    /* prepare puts bound variables in; the rows of the constraints are kept as written */
    dd_value written_c, written_a;
    eq->failed = true; /* until everything was fine */
    if (!find_arguments(&s) || !elaborate_arguments(&s) || !check_sizes(&s)) {
        return;
    }
    keep_rows(&s, ARG_C, &written_c);
    keep_rows(&s, ARG_A, &written_a);
    if (!check_variables(&s, ARG_Q, true) || (given(&s, ARG_LAMBDA) && !check_variables(&s, ARG_LAMBDA, false))) {
        return;
    }
    /* highest derivative of a coordinate, and whether other variables may appear: as in build_lagrange.c */
    if (!prepare(&s, ARG_T, 1, false) || !prepare(&s, ARG_V, 0, false) || !prepare(&s, ARG_D, 1, true) ||
        !prepare(&s, ARG_C, 0, false) || !prepare(&s, ARG_A, 1, true) || !prepare(&s, ARG_POINTS, 0, true) ||
        !check_linear(&s)) {
        return;
    }
    /* the motion from the prepared expressions, the constraints as written */
    add_motion(&s);
    s.value[ARG_C] = written_c;
    s.value[ARG_A] = written_a;
    add_constraints(&s, ARG_C);
    add_constraints(&s, ARG_A);
    eq->failed = false;
    dd_flat_recycle(fl, UINT32_MAX / 2);
}
