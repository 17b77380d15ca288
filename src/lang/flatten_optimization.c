/* flatten_optimization.c - what an `optimization` class has beyond a model: times, objective, constraints. */
#include <math.h>
#include <string.h>

#include "lang/flatten.h"

typedef enum header_item { ITEM_OBJECTIVE, ITEM_INTEGRAND, ITEM_START, ITEM_FINAL, ITEM_COUNT } header_item;

static const char *const item_names[ITEM_COUNT] = {"objective", "objectiveIntegrand", "startTime", "finalTime"};

const dd_ast_mod *dd_flat_header_item(const dd_flattener *fl, const dd_ast_class *class, const char *name)
{
    for (const dd_ast_mod *mod = class->header; mod != NULL; mod = mod->next) {
        if (strcmp(dd_names_get(fl->m->names, mod->name), name) == 0) {
            return mod;
        }
    }
    return NULL;
}

static const dd_ast_mod *find_item(const dd_flattener *fl, header_item item)
{
    return dd_flat_header_item(fl, fl->class, item_names[item]);
}

void dd_flat_check_header(dd_flattener *fl, const dd_ast_class *class)
{
    bool seen[ITEM_COUNT] = {false};
    /* each item known, given once, with a value where it needs one */
    for (const dd_ast_mod *mod = class->header; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        int item = 0;
        while (item < ITEM_COUNT && strcmp(name, item_names[item]) != 0) {
            item++;
        }
        if (item == ITEM_COUNT) {
            const char *near = dd_closest_name(name, item_names, ITEM_COUNT);
            dd_error(fl->ctx, mod->span,
                     near != NULL ? "an optimization has no attribute %s: did you mean %s?"
                                  : "an optimization has no attribute %s; there are objective, objectiveIntegrand, "
                                    "startTime and finalTime",
                     name, near);
        } else if (seen[item]) {
            dd_error(fl->ctx, mod->span, "%s is given twice", name);
        } else if (item <= ITEM_INTEGRAND && (mod->nested != NULL || mod->value == DD_FORM_NONE)) {
            dd_error(fl->ctx, mod->span, "%s needs a value: %s = ...", name, name);
        } else {
            seen[item] = true;
        }
    }
}

/* ---- times ---- */

/* startTime or finalTime as `parameter Real`, with its attributes in the header. */
void dd_flat_declare_time(dd_flattener *fl, dd_instance *in, const char *text, const dd_ast_mod *mod, dd_span span,
                          double default_value)
{
    /* the name belongs to the header: a declaration of it in the class is an error */
    uint32_t name = dd_names_intern(fl->m->names, text, strlen(text));
    dd_member *taken = dd_instance_find(in, name);
    if (taken != NULL) {
        dd_error(fl->ctx, taken->ast->span,
                 "%s is a time of the optimization and set in its header: choose another name", text);
        taken->broken = true;
        taken->state = DD_MEMBER_DONE;
        return;
    }
    /* parameter Real NAME(...) = ..., as if it were written in the class */
    dd_ast_decl *ast = dd_pool_alloc(fl->pool, sizeof *ast);
    ast->variability = DD_AST_PARAMETER;
    ast->span = span;
    uint32_t *real = dd_pool_alloc(fl->pool, sizeof *real);
    *real = dd_names_intern(fl->m->names, "Real", 4);
    ast->type = (dd_ast_type_ref){.name = {.parts = real, .n = 1, .span = ast->span}, .span = ast->span};
    ast->name = name;
    ast->mods = mod != NULL ? mod->nested : NULL;
    ast->binding = mod != NULL            ? mod->value
                   : isnan(default_value) ? DD_FORM_NONE
                                          : dd_form_number(fl->m->forms, default_value, ast->span);
    dd_instance_add(fl, in, ast);
}

void dd_flat_declare_times(dd_flattener *fl)
{
    /* from here on the model is an optimization; with phases each of them has its own times */
    fl->m->optimization = dd_pool_alloc(fl->m->pool, sizeof *fl->m->optimization);
    fl->m->optimization->data_file = "";
    dd_flat_check_header(fl, fl->class);
    if (dd_phases_find(fl)) {
        return;
    }
    if (find_item(fl, ITEM_FINAL) == NULL) {
        dd_error(
            fl->ctx, fl->class->span,
            "the optimization has no final time: give finalTime = 10 or finalTime(free = true, ...) in its header");
    }
    /* startTime defaults to 0; without finalTime the error above is reported and 1 keeps the rest going */
    for (int item = ITEM_START; item <= ITEM_FINAL; item++) {
        const dd_ast_mod *mod = find_item(fl, (header_item)item);
        dd_flat_declare_time(fl, fl->root, item_names[item], mod, mod != NULL ? mod->span : fl->class->span,
                             item == ITEM_START ? 0 : 1);
    }
}

static double number_or(dd_flattener *fl, dd_expr e, double otherwise)
{
    double value;
    uint32_t culprit;
    return e != DD_EXPR_NONE && dd_model_evaluate(fl->m, e, false, &value, &culprit) ? value : otherwise;
}

/* A free final time without a guess begins one second after the start, or as near to that as its bounds allow. */
void dd_flat_guess_final_time(dd_flattener *fl, uint32_t final_var, double start)
{
    dd_variable *v = &fl->m->vars.data[final_var];
    /* anything else that determines it comes first */
    if (!v->free || v->binding != DD_EXPR_NONE || v->guess != DD_EXPR_NONE || v->start != DD_EXPR_NONE) {
        return;
    }
    /* start + 1, moved into [min, max] */
    double t = start + 1, least = number_or(fl, v->min, t), most = number_or(fl, v->max, t);
    v->value = t < least ? least : t > most ? most : t;
}

static dd_time_bound time_bound(const dd_variable *v)
{
    return (dd_time_bound){.free = v->free, .value = v->binding, .min = v->min, .max = v->max, .guess = v->guess};
}

static bool fill_times(dd_flattener *fl)
{
    /* both are parameters of the class, and scalars */
    uint32_t vars[2];
    for (int i = 0; i < 2; i++) {
        const char *name = item_names[ITEM_START + i];
        const dd_flat_decl *decl = dd_flat_find(fl, dd_names_intern(fl->m->names, name, strlen(name)));
        if (decl == NULL || decl->broken || decl->array == DD_NO_INDEX || fl->m->arrays.data[decl->array].ndim != 0) {
            return false;
        }
        vars[i] = fl->m->arrays.data[decl->array].first;
    }
    dd_optimization *o = fl->m->optimization;
    dd_flat_guess_final_time(fl, vars[1], fl->m->vars.data[vars[0]].value);
    const dd_variable *start = &fl->m->vars.data[vars[0]], *final = &fl->m->vars.data[vars[1]];
    o->start_var = vars[0];
    o->final_var = vars[1];
    o->start = time_bound(start);
    o->final = time_bound(final);
    /* fixed times are compared now; free ones by the solver, through their bounds */
    if (!start->free && !final->free && !(final->value > start->value)) {
        char a[32], b[32];
        dd_span span = fl->m->arrays.data[final->array].span;
        dd_error(fl->ctx, span, "finalTime (%s) must lie after startTime (%s)", dd_number_text(final->value, a),
                 dd_number_text(start->value, b));
    }
    return true;
}

/* ---- objective ---- */

static dd_expr scalar_of(dd_flattener *fl, dd_form f, const dd_ast_mod *mod, const char *name)
{
    dd_value v;
    /* point values x(t) are allowed while the header is read */
    fl->el.in_optimization = true;
    bool ok = dd_flat_value(fl, f, NULL, false, &v);
    fl->el.in_optimization = false;
    if (!ok) {
        return DD_EXPR_NONE;
    }
    if (v.ndim != 0 || v.type == DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, mod->span, "%s must be a scalar number, but it %s%s", name, v.ndim != 0 ? "has " : "is ",
                 v.ndim != 0 ? dd_flat_size(fl, &v) : "Boolean");
        return DD_EXPR_NONE;
    }
    return v.elems[0];
}

static dd_expr read_objective(dd_flattener *fl, const dd_ast_mod *mod)
{
    /* the objective is a number: values at instants, free parameters and times, not functions of time */
    dd_form f = dd_resolve(&fl->resolver, mod->value);
    if (f == DD_FORM_NONE) {
        return DD_EXPR_NONE;
    }
    dd_form path = dd_find_varying(fl->m->forms, f, true);
    if (path != DD_FORM_NONE && dd_form_get(fl->m->forms, path)->op == DD_FORM_TIME) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, path)->span,
                 "the objective is one number and cannot depend on time: use finalTime, or "
                 "objectiveIntegrand, whose integral is minimised");
        return DD_EXPR_NONE;
    }
    if (path != DD_FORM_NONE) {
        dd_text text = dd_text_new(fl->pool);
        dd_form_print(fl->m->forms, path, NULL, &text);
        dd_error(fl->ctx, dd_form_get(fl->m->forms, path)->span,
                 "%s changes with time, the objective is one number: use its value at one time, such as "
                 "%s(finalTime), or objectiveIntegrand, whose integral is minimised",
                 dd_text_str(&text), dd_text_str(&text));
        return DD_EXPR_NONE;
    }
    return scalar_of(fl, f, mod, "objective");
}

static dd_expr read_integrand(dd_flattener *fl, const dd_ast_mod *mod)
{
    /* under the integral there is no instant to take values at */
    const char *before = fl->resolver.no_points;
    fl->resolver.no_points = "which is not allowed in objectiveIntegrand: move it to objective";
    dd_form f = dd_resolve(&fl->resolver, mod->value);
    fl->resolver.no_points = before;
    return f != DD_FORM_NONE ? scalar_of(fl, f, mod, "objectiveIntegrand") : DD_EXPR_NONE;
}

/* ---- constraints ---- */

static bool constraint_relation(dd_flattener *fl, const dd_ast_equation *eq, dd_constraint_relation *out)
{
    switch (eq->rel) {
    case DD_REL_EQ:
        *out = DD_CONSTRAINT_EQ;
        return true;
    case DD_REL_LE:
        *out = DD_CONSTRAINT_LE;
        return true;
    case DD_REL_GE:
        *out = DD_CONSTRAINT_GE;
        return true;
    /* a strict inequality describes an open set: the minimum may not be attained */
    case DD_REL_LT:
    case DD_REL_GT:
        dd_error(fl->ctx, eq->span, "a strict inequality has no largest or smallest point: write `%s`",
                 eq->rel == DD_REL_LT ? "<=" : ">=");
        return false;
    case DD_REL_NE:
        break;
    }
    dd_error(fl->ctx, eq->span, "`<>` is not a constraint: use `=`, `<=` or `>=`");
    return false;
}

/* A constraint holds for all times, or between values at certain times: not both. */
static bool check_mixture(dd_flattener *fl, const dd_ast_equation *eq)
{
    const dd_forms *forms = fl->m->forms;
    /* the first thing of either kind, on any side */
    dd_form path = dd_find_varying(forms, eq->lhs, true), point = dd_find_op(forms, eq->lhs, DD_FORM_POINT);
    path = path != DD_FORM_NONE ? path : dd_find_varying(forms, eq->rhs, true);
    point = point != DD_FORM_NONE ? point : dd_find_op(forms, eq->rhs, DD_FORM_POINT);
    if (path == DD_FORM_NONE || point == DD_FORM_NONE) {
        return true;
    }
    dd_text a = dd_text_new(fl->pool), b = dd_text_new(fl->pool);
    dd_form_print(forms, path, NULL, &a);
    dd_form_print(forms, point, NULL, &b);
    dd_error(fl->ctx, eq->span, "this mixes %s at all times with %s at one time, which is not supported yet",
             dd_text_str(&a), dd_text_str(&b));
    return false;
}

static bool constraint_sides(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, dd_value *l,
                             dd_value *r)
{
    /* sides of one shape, both numbers; x(t) allowed */
    fl->el.in_optimization = true;
    bool ok = dd_flat_value(fl, eq->lhs, env, false, l) && dd_flat_value(fl, eq->rhs, env, false, r);
    fl->el.in_optimization = false;
    if (!ok) {
        return false;
    }
    if (!dd_value_same_shape(l, r)) {
        dd_error(fl->ctx, eq->span,
                 "the sides of this constraint have different sizes: the left side %s%s, the right side %s%s",
                 l->ndim == 0 ? "is " : "has ", dd_flat_size(fl, l), r->ndim == 0 ? "is " : "has ",
                 dd_flat_size(fl, r));
        return false;
    }
    if (l->type == DD_TYPE_BOOLEAN || r->type == DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, eq->span, "a constraint is between numbers, not Booleans");
        return false;
    }
    return true;
}

void dd_flat_add_constraint(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env)
{
    dd_constraint_relation relation;
    dd_value l, r;
    (void)section;
    /* between phases, connect is a constraint */
    if (eq->kind == DD_AST_CONNECT) {
        dd_phase_add_connect(fl, eq, env);
        return;
    }
    if (eq->kind != DD_AST_CONSTRAINT) {
        dd_error(fl->ctx, eq->span,
                 "only constraints are allowed in a constraint section: move this to an equation section");
        eq->failed = true;
        return;
    }
    if (!constraint_relation(fl, eq, &relation) || !check_mixture(fl, eq) || !constraint_sides(fl, eq, env, &l, &r)) {
        eq->failed = true;
        return;
    }
    /* one constraint per scalar; all share the forms for reports */
    for (uint32_t i = 0; i < l.size; i++) {
        dd_constraint c = {.lhs = l.elems[i],
                           .rhs = r.elems[i],
                           .relation = relation,
                           .lhs_form = eq->lhs,
                           .rhs_form = eq->rhs,
                           .env = env,
                           .span = eq->span,
                           .phase = dd_phase_current(fl)};
        dd_vec_push(fl->m->pool, &fl->m->optimization->constraints, c);
    }
    dd_flat_recycle(fl, l.size);
}

static dd_expr plus(dd_flattener *fl, dd_expr a, dd_expr b)
{
    return a == DD_EXPR_NONE ? b : b == DD_EXPR_NONE ? a : dd_add(fl->m->dag, a, b);
}

dd_expr dd_flat_objectives(dd_flattener *fl, const dd_ast_class *class)
{
    const dd_ast_mod *objective = dd_flat_header_item(fl, class, item_names[ITEM_OBJECTIVE]);
    const dd_ast_mod *integrand = dd_flat_header_item(fl, class, item_names[ITEM_INTEGRAND]);
    dd_optimization *o = fl->m->optimization;
    /* several headers (phases) add up */
    if (objective != NULL && objective->value != DD_FORM_NONE) {
        o->objective = plus(fl, o->objective, read_objective(fl, objective));
    }
    return integrand != NULL && integrand->value != DD_FORM_NONE ? read_integrand(fl, integrand) : DD_EXPR_NONE;
}

void dd_flat_constraints(dd_flattener *fl, dd_ast_equation *list)
{
    dd_flat_resolve_list(fl, list, DD_AST_CONSTRAINTS);
    dd_flat_walk_list(fl, list, DD_AST_CONSTRAINTS, NULL, dd_flat_add_constraint);
}

void dd_flat_optimization(dd_flattener *fl)
{
    const char *before = fl->resolver.no_points;
    if (fl->phases != NULL) {
        fl->resolver.no_points = NULL;
        dd_flat_phases(fl);
        fl->resolver.no_points = before;
        return;
    }
    if (!fill_times(fl)) {
        return;
    }
    dd_flat_connect_data(fl);
    fl->resolver.no_points = NULL;
    fl->m->optimization->integrand = dd_flat_objectives(fl, fl->class);
    dd_flat_constraints(fl, fl->class->equations[DD_AST_CONSTRAINTS]);
    fl->resolver.no_points = before;
    dd_flat_explain_data(fl);
}
