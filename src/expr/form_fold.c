/* form_fold.c - forms seen in an environment: integers made of bound loop variables are computed, branches that they
 * decide are taken, terms that vanish are left out; and which forms fit into a listing. */
#include "expr/form_fold.h"

#include <math.h>

const dd_form_env *dd_view_binding(const dd_form_view *v, uint32_t loop)
{
    const dd_form_env *env = v->env;
    while (env != NULL && env->loop != loop) {
        env = env->outer;
    }
    return env;
}

bool dd_view_env_is_integer(const dd_form_env *env)
{
    return env->real == floor(env->real);
}

#define FOLD_LIMIT INT64_C(1000000000) /* products of two still fit */

static bool literal_integer(const char *text, int64_t *value)
{
    /* ten digits at most: products of two stay within 64 bits */
    int64_t v = 0;
    for (; *text >= '0' && *text <= '9' && v < FOLD_LIMIT; text++) {
        v = 10 * v + (*text - '0');
    }
    *value = v;
    return *text == 0;
}

/* The value of a form made of integers and bound loop variables alone. *bound: contains a loop variable. */
bool dd_view_fold(const dd_form_view *v, dd_form f, int64_t *value, bool *bound)
{
    const dd_form_node *node = dd_form_get(v->forms, f);
    /* an empty product is 1, an empty sum 0 */
    int64_t part, total = node->op == DD_FORM_MUL;
    switch (node->op) {
    case DD_FORM_NUM:
        return literal_integer(dd_names_get(v->forms->names, node->payload), value) && *value < FOLD_LIMIT;
    case DD_FORM_LOOP: {
        const dd_form_env *env = dd_view_binding(v, node->payload);
        if (env == NULL || !dd_view_env_is_integer(env)) {
            return false;
        }
        *bound = true;
        *value = env->value;
        return *value > -FOLD_LIMIT && *value < FOLD_LIMIT;
    }
    case DD_FORM_NEG:
    case DD_FORM_SUM:
    case DD_FORM_MUL:
        /* an operator folds when all its arguments do, within the limit */
        for (uint32_t i = 0; i < node->nargs; i++) {
            if (!dd_view_fold(v, dd_form_arg(v->forms, f, i), &part, bound)) {
                return false;
            }
            total = node->op == DD_FORM_MUL ? total * part : node->op == DD_FORM_NEG ? -part : total + part;
            if (total <= -FOLD_LIMIT || total >= FOLD_LIMIT) {
                return false;
            }
        }
        *value = total;
        return true;
    default:
        return false;
    }
}

/* Compares two integers by a dd_form_rel. */
static bool holds(uint8_t relation, int64_t a, int64_t b)
{
    switch (relation) {
    case DD_REL_LT:
        return a < b;
    case DD_REL_LE:
        return a <= b;
    case DD_REL_GT:
        return a > b;
    case DD_REL_GE:
        return a >= b;
    case DD_REL_EQ:
        return a == b;
    default:
        return a != b;
    }
}

/* An if-form whose conditions the loop variables decide is the branch taken: `if i > 1 then x[i - 1] else 0` is x[1]
 * for i = 2, and x[0] is not mentioned for i = 1. */
static dd_form taken_branch(const dd_form_view *v, dd_form f)
{
    while (v->env != NULL && dd_form_get(v->forms, f)->op == DD_FORM_IF) {
        /* conditions in order: the first that holds decides */
        uint32_t n = dd_form_get(v->forms, f)->nargs, i = 0;
        for (; i + 1 < n; i += 2) {
            const dd_form c = dd_form_arg(v->forms, f, i);
            const dd_form_node *condition = dd_form_get(v->forms, c);
            int64_t a, b;
            bool bound = false;
            /* a condition without a loop variable is the model's, not ours to decide */
            if (condition->op != DD_FORM_REL || !dd_view_fold(v, dd_form_arg(v->forms, c, 0), &a, &bound) ||
                !dd_view_fold(v, dd_form_arg(v->forms, c, 1), &b, &bound) || !bound) {
                return f;
            }
            if (holds(condition->sub, a, b)) {
                break;
            }
        }
        /* the branch taken may be another if */
        f = dd_form_arg(v->forms, f, i + 1 < n ? i + 1 : n - 1);
    }
    return f;
}

/* A term of a sum whose branch taken is 0: it is left out. */
bool dd_view_term_vanishes(const dd_form_view *v, dd_form term)
{
    /* -(if ...) vanishes with its branch */
    const dd_form_node *node = dd_form_get(v->forms, term);
    if (node->op == DD_FORM_NEG) {
        term = dd_form_arg(v->forms, term, 0);
        node = dd_form_get(v->forms, term);
    }
    if (v->env == NULL || node->op != DD_FORM_IF) {
        return false;
    }
    dd_form taken = taken_branch(v, term);
    return taken != term && dd_form_get(v->forms, taken)->op == DD_FORM_NUM && dd_form_is_zero(v->forms, taken);
}

/* The part of f that remains to be printed in this environment: the branch taken, the only term of a sum that does not
 * vanish. */
dd_form dd_view_effective(const dd_form_view *v, dd_form f)
{
    for (;;) {
        f = taken_branch(v, f);
        const dd_form_node *node = dd_form_get(v->forms, f);
        /* sums lose the terms that vanish here; a single one left is printed by itself */
        if (v->env == NULL || node->op != DD_FORM_SUM) {
            return f;
        }
        uint32_t left = 0, n = node->nargs;
        dd_form only = f;
        for (uint32_t i = 0; i < n; i++) {
            dd_form term = dd_form_arg(v->forms, f, i);
            if (!dd_view_term_vanishes(v, term)) {
                left++;
                only = term;
            }
        }
        if (left != 1 || left == n) {
            return f;
        }
        f = only;
    }
}

/* Does f become a number only because of the environment? */
bool dd_view_folds(const dd_form_view *v, dd_form f, int64_t *value)
{
    bool bound = false;
    return v->env != NULL && dd_view_fold(v, f, value, &bound) && bound;
}

/* How many terms of a sum are integers, one of them by the environment: then they are printed as one, at the end. */
bool dd_view_sum_folds(const dd_form_view *v, dd_form f, int64_t *constant)
{
    uint32_t count = 0;
    bool bound = false;
    int64_t value;
    *constant = 0;
    if (v->env == NULL) {
        return false;
    }
    /* integers are joined only when the environment made one of them */
    for (uint32_t i = 0; i < dd_form_get(v->forms, f)->nargs; i++) {
        bool of_term = false;
        if (dd_view_fold(v, dd_form_arg(v->forms, f, i), &value, &of_term)) {
            *constant += value;
            count++;
            bound = bound || of_term;
        }
    }
    return bound && count > 1;
}

/* ---- listings ---- */

/* All subscripts but those of the member itself are numbers: it is one member of one component. */
static bool one_member(const dd_form_view *v, dd_form f, const dd_form_node *node)
{
    const dd_form_symbol *symbol = &v->forms->symbols.data[node->payload];
    uint32_t outer = 0;
    /* subscripts in front of the member select the component */
    for (uint32_t i = 0; symbol->parts != NULL && i + 1 < symbol->n_parts; i++) {
        outer += symbol->parts[i].ndim;
    }
    if (symbol->parts == NULL) {
        return true;
    }
    bool fixed = node->nargs >= outer;
    /* known numbers only */
    for (uint32_t i = 0; i < outer && fixed; i++) {
        int64_t value;
        bool bound = false;
        fixed = dd_view_fold(v, dd_form_arg(v->forms, f, i), &value, &bound);
    }
    return fixed;
}

static bool listable(const dd_form_view *v, dd_form f)
{
    const dd_form_node node = *dd_form_get(v->forms, f);
    if (node.op == DD_FORM_USER_CALL || node.op == DD_FORM_ELEMENT || node.op == DD_FORM_TUPLE ||
        (node.op == DD_FORM_REF && !one_member(v, f, &node))) {
        return false;
    }
    for (uint32_t i = 0; i < node.nargs; i++) {
        if (!listable(v, dd_form_arg(v->forms, f, i))) {
            return false;
        }
    }
    return true;
}

bool dd_form_listable(const dd_forms *forms, dd_form f, const dd_form_env *env)
{
    dd_form_view v = {forms, env};
    return listable(&v, f);
}

void dd_forms_set_listing(dd_forms *forms, bool listing)
{
    forms->listing = listing;
}
