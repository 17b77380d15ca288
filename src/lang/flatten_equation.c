/* flatten_equation.c - bindings, equations and assertions to groups of scalar rows. */
#include <math.h>

#include "lang/flatten.h"

static const char *doc_of(const dd_flattener *fl, uint32_t doc)
{
    return doc != 0 ? dd_names_get(fl->m->names, doc) : "";
}

/* lhs - rhs for each scalar, into the left side's elements. False after a message about sizes or types. */
static bool subtract_sides(dd_flattener *fl, dd_form lhs, dd_form rhs, const dd_form_env *env, dd_span span,
                           dd_value *left)
{
    /* both sides have one shape and are numbers; Boolean equations would need events */
    dd_value right;
    if (!dd_flat_value(fl, lhs, env, false, left) || !dd_flat_value(fl, rhs, env, false, &right)) {
        return false;
    }
    if (!dd_value_same_shape(left, &right)) {
        dd_error(fl->ctx, span,
                 "the sides of this equation have different sizes: the left side %s%s, the right side %s%s",
                 left->ndim == 0 ? "is " : "has ", dd_flat_size(fl, left), right.ndim == 0 ? "is " : "has ",
                 dd_flat_size(fl, &right));
        return false;
    }
    if (left->type == DD_TYPE_BOOLEAN || right.type == DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, span,
                 "an equation is between numbers; equations between Booleans need events, which are not supported yet");
        return false;
    }
    /* the residual l - r, scalar by scalar */
    for (uint32_t i = 0; i < left->size; i++) {
        left->elems[i] = dd_sub(fl->m->dag, left->elems[i], right.elems[i]);
    }
    return true;
}

/* ---- known velocities ---- */

/* The symbol of a whole variable, 0 for anything else. */
static uint32_t whole_symbol(const dd_forms *forms, dd_form f)
{
    const dd_form_node *node = dd_form_get(forms, f);
    return node->op == DD_FORM_REF && node->nargs == 0 ? node->payload : 0;
}

/* der(p) = v and v = der(p): reports then write v for der(p). */
static void note_velocity(dd_flattener *fl, dd_form derivative, dd_form other)
{
    dd_forms *forms = fl->m->forms;
    /* exactly der(x) and a whole variable; the first equation of this kind names the velocity */
    if (dd_form_get(forms, derivative)->op != DD_FORM_DER) {
        return;
    }
    uint32_t of = whole_symbol(forms, dd_form_arg(forms, derivative, 0)), is = whole_symbol(forms, other);
    if (of == 0 || is == 0 || of == is || !dd_forms_symbol(forms, is)->varies || !dd_forms_symbol(forms, of)->varies) {
        return;
    }
    if (dd_forms_symbol(forms, of)->velocity == 0) {
        dd_forms_symbol(forms, of)->velocity = is;
    }
}

/* ---- bindings ---- */

/* An input that the model itself defines as a function of time stays an input, with a known value. */
static void bind_input(dd_flattener *fl, dd_flat_decl *decl, dd_form binding)
{
    dd_value v;
    /* an input is known from outside: its value may depend on time and parameters, not on the solution */
    dd_form varying = dd_find_varying(fl->m->forms, binding, false);
    if (varying != DD_FORM_NONE) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, varying)->span,
                 "the input %s is given as a function of a variable: declare it without "
                 "`input`",
                 decl->printed);
        return;
    }
    if (!dd_flat_value(fl, binding, NULL, false, &v)) {
        return;
    }
    /* values are kept with the variable; an input has no row */
    dd_array *a = &fl->m->arrays.data[decl->array];
    if (!dd_flat_fits(a, &v) || (a->ndim > 0 && v.ndim == 0)) {
        dd_error(fl->ctx, decl->ast->span, "%s has %s, but its value %s%s", decl->printed, dd_flat_array_size(fl, a),
                 v.ndim == 0 ? "is " : "has ", dd_flat_size(fl, &v));
        return;
    }
    a->binding = binding;
    for (uint32_t i = 0; i < a->size; i++) {
        fl->m->vars.data[a->first + i].binding = v.elems[i];
        fl->m->vars.data[a->first + i].has_value = true;
    }
}

static void set_input(dd_flattener *fl, uint32_t var, dd_expr value)
{
    fl->m->vars.data[var].binding = value;
    fl->m->vars.data[var].has_value = true;
}

/* Real v = e: the equation v = e. */
static void bind_variable(dd_flattener *fl, dd_flat_decl *decl, dd_form binding)
{
    dd_value v;
    dd_span span = decl->value_span;
    if (!dd_flat_value(fl, binding, NULL, false, &v)) {
        return;
    }
    /* a variable and its value agree in shape, and both are numbers */
    dd_array *a = &fl->m->arrays.data[decl->array];
    if (!dd_flat_fits(a, &v) || (a->ndim > 0 && v.ndim == 0)) {
        dd_error(fl->ctx, span, "%s %s%s, but its value %s%s", decl->printed, a->ndim == 0 ? "is " : "has ",
                 dd_flat_array_size(fl, a), v.ndim == 0 ? "is " : "has ", dd_flat_size(fl, &v));
        return;
    }
    if (v.type == DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, span, "%s is a number, but its value is Boolean", decl->printed);
        return;
    }
    /* v = e is the row v - e = 0; e is also kept for lagrange, which puts it in */
    a->binding = binding;
    for (uint32_t i = 0; i < v.size; i++) {
        fl->m->vars.data[a->first + i].binding = v.elems[i];
        v.elems[i] = dd_sub(fl->m->dag, dd_model_symbol(fl->m, a->first + i), v.elems[i]);
    }
    dd_form lhs = dd_form_new(fl->m->forms, DD_FORM_REF, 0, a->symbol, NULL, 0, span);
    note_velocity(fl, binding, lhs);
    if (v.size > 0) {
        dd_group group = {.lhs = lhs, .rhs = binding, .span = span, .doc = "", .origin = DD_ORIGIN_BINDING};
        dd_model_add_group(fl->m, group, v.elems, v.size);
    }
}

void dd_flat_bindings(dd_flattener *fl)
{
    /* inputs get values, variables get equations; messages name the component that modified them */
    for (uint32_t i = 0; i < fl->order.len && dd_context_error_count(fl->ctx) <= DD_FLAT_MAX_ERRORS; i++) {
        dd_flat_decl *decl = fl->decls.data[fl->order.data[i]];
        if (decl->broken || decl->array == DD_NO_INDEX || decl->variability != DD_AST_VARIABLE) {
            continue;
        }
        size_t before = dd_context_error_count(fl->ctx);
        dd_form binding = decl->binding != DD_FORM_NONE
                              ? dd_flat_resolve_mod(fl, decl->binding, &decl->member->value_mod)
                              : DD_FORM_NONE;
        if (binding != DD_FORM_NONE && decl->is_input) {
            bind_input(fl, decl, binding);
        } else if (binding != DD_FORM_NONE) {
            bind_variable(fl, decl, binding);
        }
        if (decl->is_input) {
            dd_flat_apply_settings(fl, decl, set_input);
        }
        if (dd_context_error_count(fl->ctx) > before) {
            dd_member_note(fl, decl->member, decl->member->value_mod.place);
        }
        dd_flat_recycle(fl, fl->m->arrays.data[decl->array].size);
        dd_check_stop(fl->ctx);
    }
}

/* ---- equations ---- */

/* A side that may be a record or several values. */
static bool has_function(const dd_flattener *fl, dd_form side)
{
    const dd_form_op op = (dd_form_op)dd_form_get(fl->m->forms, side)->op;
    return op == DD_FORM_USER_CALL || op == DD_FORM_TUPLE;
}

static void add_equality(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env)
{
    dd_value residual = {0};
    /* functions may return records and several values: rows then come member by member */
    if (has_function(fl, eq->lhs) || has_function(fl, eq->rhs)) {
        dd_expr_vec rows = {0};
        eq->failed = !dd_function_equation(fl, eq, env, &rows);
        residual.elems = rows.data;
        residual.size = rows.len;
    } else {
        eq->failed = !subtract_sides(fl, eq->lhs, eq->rhs, env, eq->span, &residual);
    }
    if (eq->failed) {
        return;
    }
    /* an equation of size zero has no rows and leaves no group */
    if (residual.size > 0) {
        dd_group group = {.lhs = eq->lhs,
                          .rhs = eq->rhs,
                          .env = env,
                          .span = eq->span,
                          .doc = doc_of(fl, eq->doc),
                          .origin = DD_ORIGIN_EQUATION};
        if (section == DD_AST_INITIAL) {
            dd_model_add_initial_group(fl->m, group, residual.elems, residual.size);
        } else {
            dd_model_add_group(fl->m, group, residual.elems, residual.size);
        }
    }
    /* reports write v for der(p) if the equation holds as a whole, not per iteration */
    if (section == DD_AST_EQUATIONS && env == NULL) {
        note_velocity(fl, eq->lhs, eq->rhs);
        note_velocity(fl, eq->rhs, eq->lhs);
    }
    dd_flat_recycle(fl, residual.size);
}

static void add_assertion(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    dd_value v;
    if (!dd_flat_value(fl, eq->lhs, env, false, &v)) {
        eq->failed = true;
        return;
    }
    /* the condition is kept as an expression: it is evaluated at the start or during the run */
    if (v.ndim != 0 || v.type != DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, eq->lhs)->span, "assert needs a condition, such as x > 0");
        eq->failed = true;
        return;
    }
    dd_assertion assertion = {.condition = v.elems[0],
                              .form = eq->lhs,
                              .env = env,
                              .message = doc_of(fl, eq->doc),
                              .span = eq->span,
                              .is_warning = eq->is_warning};
    dd_vec_push(fl->m->pool, &fl->m->assertions, assertion);
    dd_flat_recycle(fl, 1);
}

/* f(x); alone: its assertions become those of the model. */
static void add_call(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    dd_leaf **lists;
    uint32_t *counts;
    const dd_form_node node = *dd_form_get(fl->m->forms, eq->lhs);
    if (node.op != DD_FORM_USER_CALL) {
        dd_error(fl->ctx, node.span, "only functions with an algorithm can be called alone");
        eq->failed = true;
        return;
    }
    eq->failed = !dd_elaborate_outputs(&fl->el, eq->lhs, env, &lists, &counts);
    dd_flat_recycle(fl, 1);
}

static void add_statement(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env)
{
    if (eq->kind == DD_AST_ASSERT) {
        add_assertion(fl, eq, env);
    } else if (eq->kind == DD_AST_LAGRANGE) {
        dd_flat_lagrange(fl, eq, env);
    } else if (eq->kind == DD_AST_CONNECT) {
        dd_flat_add_connect(fl, eq, env);
    } else if (eq->kind == DD_AST_CALL) {
        add_call(fl, eq, env);
    } else {
        add_equality(fl, eq, section, env);
    }
}

/* One list of one class, in one instance. Statements that failed in one instance are skipped in the next. */
static void add_section(dd_flattener *fl, dd_ast_class *class, dd_ast_section section, bool only)
{
    dd_ast_equation *list = class->equations[section];
    if (list == NULL) {
        return;
    }
    /* the tree itself has one owner; components of one class resolve the same text differently and need copies */
    list = only ? list : dd_flat_copy_list(fl, list);
    dd_flat_resolve_list(fl, list, section);
    dd_flat_walk_list(fl, list, section, NULL, add_statement);
    if (!only) {
        dd_flat_note_failures(class->equations[section], list);
    }
}

static void add_instance(dd_flattener *fl, dd_instance *in)
{
    /* components first: their equations come before those of this instance */
    for (uint32_t i = 0; i < in->n_members; i++) {
        dd_member *member = in->members[i];
        for (uint32_t k = 0; !member->is_leaf && !member->removed && !member->broken && k < member->count; k++) {
            add_instance(fl, member->elements[k]);
            if (dd_context_error_count(fl->ctx) > DD_FLAT_MAX_ERRORS) {
                return;
            }
        }
    }
    size_t before = dd_context_error_count(fl->ctx);
    /* sources: the class and those it extends, in order */
    for (uint32_t i = 0; i < in->sources.len; i++) {
        fl->place = (dd_place){in, in->sources.data[i]};
        for (int section = DD_AST_EQUATIONS; section <= DD_AST_INITIAL; section++) {
            add_section(fl, in->sources.data[i], (dd_ast_section)section, in->of == NULL);
        }
    }
    if (dd_context_error_count(fl->ctx) > before) {
        dd_instance_note(fl, in);
    }
}

void dd_flat_equations(dd_flattener *fl)
{
    /* connections last: only then is every set complete */
    add_instance(fl, fl->root);
    fl->place = (dd_place){fl->root, fl->class};
    dd_flat_connections(fl);
}

/* Assertions that parameters alone decide fail here and now. */
void dd_flat_check_assertions(dd_flattener *fl)
{
    for (uint32_t i = 0; i < fl->m->assertions.len; i++) {
        const dd_assertion *a = &fl->m->assertions.data[i];
        dd_expr_vec symbols = {0};
        /* known now: no variables, no time, no parameter that an optimization decides */
        dd_symbols(fl->m->dag, a->condition, true, &symbols, fl->pool);
        bool constant = true;
        for (uint32_t k = 0; k < symbols.len; k++) {
            constant = constant && dd_op_of(fl->m->dag, symbols.data[k]) == DD_OP_PARAM &&
                       !fl->m->vars.data[dd_symbol_id(fl->m->dag, symbols.data[k])].free;
        }
        dd_vec_free(fl->pool, &symbols);
        double value;
        uint32_t culprit;
        bool fails = constant && dd_model_evaluate(fl->m, a->condition, false, &value, &culprit) && value == 0;
        if (fails && a->is_warning) {
            dd_warning(fl->ctx, a->span, "%s", a->message);
        } else if (fails) {
            dd_error(fl->ctx, a->span, "assertion failed: %s", a->message);
        }
    }
}
