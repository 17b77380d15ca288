/* flatten_attribute.c - start, fixed, min, ... of declarations: the outermost modification applies, then those
 * of the declaration, then of its type; --set is stronger than all. A scalar applies to every element of an array,
 * with or without `each`. */
#include <string.h>

#include "lang/flatten.h"
#include "lang/parser.h"

typedef enum attribute {
    ATTR_START,
    ATTR_FIXED,
    ATTR_MIN,
    ATTR_MAX,
    ATTR_NOMINAL,
    ATTR_UNIT,
    ATTR_DISPLAY_UNIT,
    ATTR_QUANTITY,
    ATTR_STATE_SELECT,
    ATTR_FREE,
    ATTR_INITIAL_GUESS,
    ATTR_COUNT
} attribute;

static const char *const attribute_names[ATTR_COUNT] = {"start",       "fixed", "min",         "max",
                                                        "nominal",     "unit",  "displayUnit", "quantity",
                                                        "stateSelect", "free",  "initialGuess"};

static const char *mod_name(const dd_flattener *fl, const dd_ast_mod *mod)
{
    return dd_names_get(fl->m->names, mod->name);
}

static void report_unknown(dd_flattener *fl, const dd_flat_decl *decl, const dd_ast_mod *mod)
{
    const char *name = mod_name(fl, mod), *near = dd_closest_name(name, attribute_names, ATTR_COUNT);
    dd_error(fl->ctx, mod->span,
             near != NULL ? "%s has no attribute %s: did you mean %s?"
                          : "%s has no attribute %s; there are start, fixed, min, max, nominal, unit, displayUnit, "
                            "quantity and stateSelect",
             decl->printed, name, near);
}

/* Which attribute, and is it allowed here? ATTR_COUNT after a message. */
static attribute find_attribute(dd_flattener *fl, const dd_flat_decl *decl, bool optimization, const dd_ast_mod *mod)
{
    /* by name; a name that is not an attribute is reported with the nearest one */
    const char *name = mod_name(fl, mod);
    int a = 0;
    while (a < ATTR_COUNT && strcmp(name, attribute_names[a]) != 0) {
        a++;
    }
    if (a == ATTR_COUNT) {
        report_unknown(fl, decl, mod);
        return ATTR_COUNT;
    }
    /* Optimica's attributes have no meaning for a simulation */
    if ((a == ATTR_FREE || a == ATTR_INITIAL_GUESS) && !optimization) {
        dd_error(fl->ctx, mod->span,
                 "`%s` is known only in an `optimization`: in its own declarations and in extends M(x(%s = ...))", name,
                 name);
        return ATTR_COUNT;
    }
    /* only parameters can be decided once: everything else is decided at all times */
    if (a == ATTR_FREE && decl->variability != DD_AST_PARAMETER) {
        dd_error(fl->ctx, mod->span, "`free` is for parameters: variables and inputs are always decided, and %s is %s",
                 decl->printed,
                 decl->variability == DD_AST_CONSTANT ? "a constant"
                 : decl->is_input                     ? "an input"
                                                      : "a variable");
        return ATTR_COUNT;
    }
    /* an attribute is always a value, never a modification of something inside */
    if (mod->nested != NULL || mod->value == DD_FORM_NONE) {
        dd_error(fl->ctx, mod->span, "the attribute %s needs a value: %s = ...", name, name);
        return ATTR_COUNT;
    }
    return (attribute)a;
}

/* ---- the kinds of values ---- */

/* Resolves and elaborates, checks the size. guess: it may contain time. */
static bool attribute_value(dd_flattener *fl, const dd_flat_decl *decl, const dd_mod *at, bool guess, dd_value *v)
{
    /* a guess may be a function of time; every other attribute is known before the run */
    const dd_ast_mod *mod = at->ast;
    dd_form f = dd_flat_resolve_mod(fl, mod->value, at);
    if (f == DD_FORM_NONE) {
        return false;
    }
    bool over_time = guess && decl->variability == DD_AST_VARIABLE;
    dd_form varying = over_time ? dd_find_varying(fl->m->forms, f, false) : DD_FORM_NONE;
    if (varying != DD_FORM_NONE) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, varying)->span,
                 "an initialGuess is made of numbers, parameters and time");
        return false;
    }
    if (!dd_flat_value(fl, f, NULL, !over_time, v)) {
        return false;
    }
    /* a scalar applies to all elements, an array must have the declared shape */
    const dd_array *a = &fl->m->arrays.data[decl->array];
    if (!dd_flat_fits(a, v)) {
        dd_error(fl->ctx, mod->span, "%s %s%s, but %s has %s", decl->printed, a->ndim == 0 ? "is " : "has ",
                 dd_flat_array_size(fl, a), mod_name(fl, mod), dd_flat_size(fl, v));
        return false;
    }
    /* 7.2.5: `each` says that the value is for every element, so it must be a scalar */
    if (mod->each && v->ndim != 0) {
        dd_error(fl->ctx, mod->span, "`each` sets every element to the same value, but %s has %s: leave out `each`",
                 mod_name(fl, mod), dd_flat_size(fl, v));
        return false;
    }
    return true;
}

static void store_expression(dd_variable *v, attribute which, dd_expr e)
{
    switch (which) {
    case ATTR_START:
        v->start = e;
        v->has_start = true;
        break;
    case ATTR_MIN:
        v->min = e;
        v->has_min = true;
        break;
    case ATTR_MAX:
        v->max = e;
        v->has_max = true;
        break;
    case ATTR_NOMINAL:
        v->nominal = e;
        v->has_nominal = true;
        break;
    default:
        v->guess = e;
        break;
    }
}

static void set_expression(dd_flattener *fl, const dd_flat_decl *decl, const dd_mod *at, attribute which)
{
    const dd_ast_mod *mod = at->ast;
    dd_value value;
    if (!attribute_value(fl, decl, at, which == ATTR_INITIAL_GUESS, &value)) {
        return;
    }
    /* a Boolean parameter has Boolean bounds and start values, a number has numbers */
    if ((value.type == DD_TYPE_BOOLEAN) != (decl->type == DD_TYPE_BOOLEAN)) {
        dd_error(fl->ctx, mod->span,
                 value.type == DD_TYPE_BOOLEAN ? "%s is a number, not a Boolean" : "%s is a Boolean here",
                 mod_name(fl, mod));
        return;
    }
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        store_expression(&fl->m->vars.data[a->first + i], which, value.elems[value.ndim == 0 ? 0 : i]);
    }
}

/* fixed, free: true or false now. */
static void set_flag(dd_flattener *fl, const dd_flat_decl *decl, const dd_mod *at, attribute which)
{
    const dd_ast_mod *mod = at->ast;
    dd_value value;
    if (!attribute_value(fl, decl, at, false, &value)) {
        return;
    }
    if (value.type != DD_TYPE_BOOLEAN) {
        dd_error(fl->ctx, mod->span, "%s is true or false", mod_name(fl, mod));
        return;
    }
    /* every element gets its expression; the number follows when all parameters have values */
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        double number;
        uint32_t culprit;
        if (!dd_model_evaluate(fl->m, value.elems[value.ndim == 0 ? 0 : i], true, &number, &culprit)) {
            return;
        }
        dd_variable *v = &fl->m->vars.data[a->first + i];
        if (which == ATTR_FREE) {
            v->free = number != 0;
        } else if (decl->variability == DD_AST_VARIABLE) {
            v->fixed = number != 0;
        } else if (number == 0) {
            dd_error(fl->ctx, mod->span, "fixed = false on a parameter (computed at the start) is not supported yet");
            return;
        }
    }
}

static void set_text(dd_flattener *fl, const dd_flat_decl *decl, const dd_ast_mod *mod, attribute which)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, mod->value);
    /* texts are literals; they are kept as written */
    if (node->op != DD_FORM_STRING) {
        dd_error(fl->ctx, mod->span, "%s is a text in quotes, as in %s = \"m/s\"", mod_name(fl, mod),
                 mod_name(fl, mod));
        return;
    }
    const char *text = dd_names_get(fl->m->names, node->payload);
    dd_array *a = &fl->m->arrays.data[decl->array];
    if (which == ATTR_UNIT) {
        a->unit = text;
    } else if (which == ATTR_DISPLAY_UNIT) {
        a->display_unit = text;
    } else {
        a->quantity = text;
    }
}

static bool select_named(dd_flattener *fl, dd_form f, dd_state_select *out)
{
    /* compared by name: the enumeration has no class in the text */
    static const char *const names[] = {"never", "avoid", "default", "prefer", "always"};
    const char *text = dd_path_text(fl->m->forms, f, fl->pool);
    for (int i = 0; i < 5 && text != NULL && strncmp(text, "StateSelect.", 12) == 0; i++) {
        if (strcmp(text + 12, names[i]) == 0) {
            *out = (dd_state_select)i;
            return true;
        }
    }
    return false;
}

/* StateSelect is an enumeration: one of its names for all elements, or any value of that type. */
static void set_select(dd_flattener *fl, const dd_flat_decl *decl, const dd_mod *at)
{
    dd_value value;
    dd_state_select select;
    /* named: one value for all elements, without evaluation */
    if (select_named(fl, at->ast->value, &select)) {
        for (uint32_t i = 0; i < fl->m->arrays.data[decl->array].size; i++) {
            fl->m->vars.data[fl->m->arrays.data[decl->array].first + i].select = select;
        }
        return;
    }
    if (!attribute_value(fl, decl, at, false, &value)) {
        return;
    }
    /* computed: a number from 1 to 5, the position in the enumeration */
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        double number = 0;
        uint32_t culprit;
        bool known = dd_model_evaluate(fl->m, value.elems[value.ndim == 0 ? 0 : i], true, &number, &culprit);
        if (!known || value.type != DD_TYPE_INTEGER || !(number >= 1 && number <= 5)) {
            dd_error(fl->ctx, dd_form_get(fl->m->forms, at->ast->value)->span,
                     "stateSelect is StateSelect.never, .avoid, .default, .prefer or .always");
            return;
        }
        fl->m->vars.data[a->first + i].select = (dd_state_select)(number - 1);
    }
}

/* ---- all of them ---- */

/* The strongest modification of each attribute applies. */
static void apply_mod(dd_flattener *fl, const dd_flat_decl *decl, const dd_mod *at, bool *seen)
{
    /* modifications come strongest first, so the first one of an attribute wins and later ones are ignored */
    attribute which = find_attribute(fl, decl, at->optimization, at->ast);
    if (which == ATTR_COUNT || seen[which]) {
        return;
    }
    seen[which] = true;
    switch (which) {
    case ATTR_FIXED:
    case ATTR_FREE:
        set_flag(fl, decl, at, which);
        break;
    case ATTR_UNIT:
    case ATTR_DISPLAY_UNIT:
    case ATTR_QUANTITY:
        set_text(fl, decl, at->ast, which);
        break;
    case ATTR_STATE_SELECT:
        set_select(fl, decl, at);
        break;
    default:
        set_expression(fl, decl, at, which);
        break;
    }
}

static void apply_mods(dd_flattener *fl, const dd_flat_decl *decl)
{
    bool seen[ATTR_COUNT] = {false};
    for (const dd_mod *at = decl->member->mods; at != NULL; at = at->next) {
        size_t before = dd_context_error_count(fl->ctx);
        apply_mod(fl, decl, at, seen);
        if (dd_context_error_count(fl->ctx) > before) {
            dd_member_note(fl, decl->member, at->place);
        }
    }
}

static void set_start(dd_flattener *fl, uint32_t var, dd_expr value)
{
    fl->m->vars.data[var].start = value;
    fl->m->vars.data[var].has_start = true;
    fl->m->vars.data[var].set_start = true;
}

/* The number nearest to a guess that min and max allow. */
static double within_bounds(dd_flattener *fl, const dd_variable *v, double number)
{
    double bound;
    uint32_t culprit;
    /* a guess outside the bounds would start the solver at an infeasible point */
    if (v->min != DD_EXPR_NONE && dd_model_evaluate(fl->m, v->min, false, &bound, &culprit) && number < bound) {
        number = bound;
    }
    if (v->max != DD_EXPR_NONE && dd_model_evaluate(fl->m, v->max, false, &bound, &culprit) && number > bound) {
        number = bound;
    }
    return number;
}

/* A free parameter may have no value: then its initial guess is used. */
static void value_from_guess(dd_flattener *fl, dd_flat_decl *decl)
{
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        dd_variable *v = &fl->m->vars.data[a->first + i];
        /* initialGuess, or start, or 0 */
        dd_expr e = v->guess != DD_EXPR_NONE ? v->guess : v->start;
        double number = 0;
        uint32_t culprit;
        if (v->binding != DD_EXPR_NONE) {
            continue;
        }
        /* not free: nothing will ever decide it */
        if (!v->free) {
            dd_flat_report_valueless(fl, decl);
            dd_instance_note(fl, decl->member->parent);
            return;
        }
        if (e != DD_EXPR_NONE && !dd_model_evaluate(fl->m, e, false, &number, &culprit)) {
            decl->broken = true;
            return;
        }
        v = &fl->m->vars.data[a->first + i];
        v->value = within_bounds(fl, v, number);
        v->has_value = true;
    }
}

/* --set on a free parameter is its initial guess. */
static void guess_from_settings(dd_flattener *fl, const dd_flat_decl *decl)
{
    const dd_array *a = &fl->m->arrays.data[decl->array];
    for (uint32_t i = 0; i < a->size; i++) {
        dd_variable *v = &fl->m->vars.data[a->first + i];
        if (v->free && v->binding != DD_EXPR_NONE) {
            v->guess = v->binding;
        }
    }
}

bool dd_flat_may_be_free(const dd_flattener *fl, const dd_flat_decl *decl)
{
    for (const dd_mod *at = decl->member->mods; at != NULL; at = at->next) {
        if (at->optimization && strcmp(mod_name(fl, at->ast), attribute_names[ATTR_FREE]) == 0) {
            return true;
        }
    }
    return false;
}

static void set_attributes(dd_flattener *fl, dd_flat_decl *decl)
{
    /* the text first, --set last: it is stronger */
    apply_mods(fl, decl);
    if (decl->variability == DD_AST_VARIABLE && !decl->is_input) {
        dd_flat_apply_settings(fl, decl, set_start);
    }
    /* for a free parameter the value of --set is where the search begins, not a constraint */
    if (decl->settings != NULL && decl->variability == DD_AST_PARAMETER) {
        guess_from_settings(fl, decl);
    }
    if (decl->valueless) {
        value_from_guess(fl, decl);
    }
    dd_flat_recycle(fl, fl->m->arrays.data[decl->array].size);
}

static void set_attributes_of(dd_flattener *fl, bool valueless)
{
    for (uint32_t i = 0; i < fl->order.len; i++) {
        dd_flat_decl *decl = fl->decls.data[fl->order.data[i]];
        if (!decl->broken && decl->array != DD_NO_INDEX && decl->valueless == valueless) {
            set_attributes(fl, decl);
        }
        if (dd_context_error_count(fl->ctx) > DD_FLAT_MAX_ERRORS) {
            return;
        }
    }
}

/* Parameters whose guess is their value come first: other parameters and attributes may need it. */
void dd_flat_attributes(dd_flattener *fl)
{
    /* free parameters take their guesses; parameters bound to them can be computed then; attributes of the rest
     * last */
    set_attributes_of(fl, true);
    for (uint32_t i = 0; i < fl->order.len; i++) {
        dd_flat_decl *decl = fl->decls.data[fl->order.data[i]];
        if (decl->waits && !decl->broken) {
            decl->broken = !dd_flat_evaluate(fl, decl);
        }
    }
    set_attributes_of(fl, false);
}
