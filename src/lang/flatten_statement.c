/* flatten_statement.c - loops and branches of equation sections.
 *
 * Names are resolved once per statement, whatever the number of iterations; then the tree is walked with an
 * environment of loop values per iteration. An `if` whose conditions are made of parameters and loop indices picks a
 * branch, and the others are not even resolved; one whose conditions change with time becomes if-expressions,
 * equation by equation.
 */
#include <string.h>

#include "lang/flatten.h"

/* ---- if equations that change with time ---- */

typedef DD_VEC(dd_ast_equation *) equation_vec;

/* The plain equations of a branch in order; false when it holds anything else. */
static bool collect_plain(dd_flattener *fl, dd_ast_equation *list, equation_vec *out)
{
    for (dd_ast_equation *eq = list; eq != NULL; eq = eq->next) {
        if (eq->failed) {
            return false; /* reported */
        }
        if (eq->kind == DD_AST_LIST) {
            if (!collect_plain(fl, eq->body, out)) {
                return false;
            }
        } else if (eq->kind == DD_AST_EQUALITY) {
            dd_vec_push(fl->pool, out, eq);
        } else {
            dd_error(
                fl->ctx, eq->span,
                "only plain equations are allowed in an `if` whose condition changes with time; anything else there is "
                "not supported yet");
            return false;
        }
    }
    return true;
}

static bool same_form(const dd_forms *forms, dd_form a, dd_form b)
{
    /* by structure; both are resolved, so equal names are equal symbols */
    const dd_form_node *x = dd_form_get(forms, a), *y = dd_form_get(forms, b);
    bool same = x->op == y->op && x->sub == y->sub && x->payload == y->payload && x->nargs == y->nargs;
    for (uint32_t i = 0; same && i < x->nargs; i++) {
        same = same_form(forms, dd_form_arg(forms, a, i), dd_form_arg(forms, b, i));
    }
    return same;
}

/* The right side of the k-th equation in one branch, for the left side `lhs` (DD_FORM_NONE: 0). */
static dd_form right_side(dd_flattener *fl, const dd_ast_equation *eq, dd_form lhs)
{
    dd_forms *forms = fl->m->forms;
    if (lhs != DD_FORM_NONE && same_form(forms, lhs, eq->lhs)) {
        return eq->rhs;
    }
    /* move the left side over: l2 = r2 becomes l1 = r2 - l2 + l1 */
    dd_form minus = dd_form_new(forms, DD_FORM_NEG, 0, 0, &eq->lhs, 1, eq->span);
    dd_form terms[] = {eq->rhs, minus, lhs}; /* l1 = r2 - l2 + l1 is l2 = r2 */
    return dd_form_new(forms, DD_FORM_SUM, 0, 0, terms, lhs != DD_FORM_NONE ? 3 : 2, eq->span);
}

/* if c then l1 = r1 else l2 = r2, for the k-th equations of all branches:
 *   l = if c then r1 else r2            when the left sides are the same
 *   0 = if c then r1 - l1 else r2 - l2  when they are scalars */
static dd_ast_equation *merge_equation(dd_flattener *fl, const dd_ast_equation *eq, const equation_vec *branches,
                                       uint32_t n, uint32_t k)
{
    dd_forms *forms = fl->m->forms;
    const dd_ast_equation *first = branches[0].data[k];
    DD_VEC(dd_form) args = {0};
    bool same = true;
    /* the left side survives if all branches agree on it, or if it is an array, whose zero has no form */
    for (uint32_t b = 1; b < n; b++) {
        same = same && same_form(forms, first->lhs, branches[b].data[k]->lhs);
    }
    dd_form lhs = same || dd_form_ndim(forms, first->lhs) != 0 ? first->lhs : DD_FORM_NONE;
    /* c1, value1, c2, value2, ..., value of else */
    uint32_t b = 0;
    for (const dd_ast_branch *branch = eq->branches; branch != NULL; branch = branch->next, b++) {
        if (branch->condition != DD_FORM_NONE) {
            dd_vec_push(fl->pool, &args, branch->condition);
        }
        dd_form value = right_side(fl, branches[b].data[k], lhs);
        dd_vec_push(fl->pool, &args, value);
    }
    dd_ast_equation *merged = dd_pool_alloc(fl->pool, sizeof *merged);
    *merged = (dd_ast_equation){.kind = DD_AST_EQUALITY, .span = first->span, .doc = first->doc};
    merged->lhs = lhs != DD_FORM_NONE ? lhs : dd_form_number(forms, 0, first->span);
    merged->rhs = dd_form_new(forms, DD_FORM_IF, 0, 0, args.data, args.len, merged->span);
    return merged;
}

static bool check_branches(dd_flattener *fl, const dd_ast_equation *eq, const equation_vec *branches, uint32_t n)
{
    const dd_ast_branch *branch = eq->branches;
    /* every mode of the system needs the same number of equations */
    for (uint32_t i = 0; i < n && branch != NULL; i++, branch = branch->next) {
        if (branches[i].len != branches[0].len) {
            dd_error(fl->ctx, branch->span,
                     "the branches of an `if` whose condition changes with time need the same number of equations; "
                     "the first has %u, this one %u",
                     branches[0].len, branches[i].len);
            return false;
        }
        if (branch->next == NULL && branch->condition != DD_FORM_NONE) {
            dd_error(fl->ctx, eq->span,
                     "an `if` whose condition changes with time needs an `else` with the same number of equations");
            return false;
        }
    }
    return true;
}

static void merge_branches(dd_flattener *fl, dd_ast_equation *eq)
{
    uint32_t n = 0;
    for (const dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        n++;
    }
    /* the plain equations of every branch, then the k-th of all branches together */
    equation_vec *branches = dd_pool_alloc_array(fl->pool, n, sizeof *branches);
    bool ok = true;
    n = 0;
    for (const dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        ok = collect_plain(fl, b->body, &branches[n++]) && ok;
    }
    if (!ok || !check_branches(fl, eq, branches, n)) {
        eq->failed = true;
        return;
    }
    dd_ast_equation **end = &eq->body;
    for (uint32_t k = 0; k < branches[0].len; k++) {
        *end = merge_equation(fl, eq, branches, n, k);
        end = &(*end)->next;
    }
    eq->kind = DD_AST_LIST;
}

/* ---- copies ---- */

dd_ast_equation *dd_flat_copy_list(dd_flattener *fl, dd_ast_equation *list)
{
    dd_ast_equation *first = NULL, **end = &first;
    for (; list != NULL; list = list->next) {
        /* everything that resolving writes to is copied: statements, branches, arguments. Forms are shared, they
         * never change */
        dd_ast_equation *eq = dd_pool_alloc(fl->pool, sizeof *eq);
        *eq = *list;
        eq->next = NULL;
        eq->body = dd_flat_copy_list(fl, list->body);
        dd_ast_branch **branch_end = &eq->branches;
        for (const dd_ast_branch *b = list->branches; b != NULL; b = b->next) {
            dd_ast_branch *branch = dd_pool_alloc(fl->pool, sizeof *branch);
            *branch = *b;
            branch->body = dd_flat_copy_list(fl, b->body);
            *branch_end = branch;
            branch_end = &branch->next;
            *branch_end = NULL;
        }
        dd_ast_mod **mod_end = &eq->mods;
        for (const dd_ast_mod *m = list->mods; m != NULL; m = m->next) {
            dd_ast_mod *mod = dd_pool_alloc(fl->pool, sizeof *mod);
            *mod = *m;
            *mod_end = mod;
            mod_end = &mod->next;
            *mod_end = NULL;
        }
        *end = eq;
        end = &eq->next;
    }
    return first;
}

void dd_flat_note_failures(dd_ast_equation *original, const dd_ast_equation *copy)
{
    /* lists may differ where an `if` was merged: then only the statement itself is marked */
    for (; original != NULL && copy != NULL; original = original->next, copy = copy->next) {
        original->failed = original->failed || copy->failed;
        if (original->kind == copy->kind) {
            dd_flat_note_failures(original->body, copy->body);
            dd_ast_branch *a = original->branches;
            for (const dd_ast_branch *b = copy->branches; a != NULL && b != NULL; a = a->next, b = b->next) {
                dd_flat_note_failures(a->body, b->body);
            }
        }
    }
}

/* ---- resolving ---- */

static bool resolve_in_place(dd_flattener *fl, dd_form *f)
{
    *f = dd_resolve(&fl->resolver, *f);
    return *f != DD_FORM_NONE;
}

/* Conditions of parameters alone, the same for all iterations of the loops around: the branch that is taken
 * replaces the `if`, and the others are not even resolved: they may name things that do not exist. */
static void take_branch(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section)
{
    /* the first branch whose condition holds, or else */
    dd_ast_equation *body = NULL;
    for (dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        bool taken = b->condition == DD_FORM_NONE;
        if (!taken && !dd_elaborate_boolean(&fl->el, b->condition, NULL, &taken)) {
            eq->failed = true;
            return;
        }
        if (taken) {
            body = b->body;
            break;
        }
    }
    eq->kind = DD_AST_LIST;
    eq->body = body;
    dd_flat_resolve_list(fl, body, section);
}

static void resolve_if(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section)
{
    dd_form varying = DD_FORM_NONE, looped = DD_FORM_NONE;
    /* conditions first: they decide which branches are resolved at all */
    for (dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        if (b->condition == DD_FORM_NONE) {
            continue;
        }
        if (!resolve_in_place(fl, &b->condition)) {
            eq->failed = true;
            return;
        }
        varying = varying != DD_FORM_NONE ? varying : dd_find_varying(fl->m->forms, b->condition, true);
        looped = looped != DD_FORM_NONE ? looped : dd_find_op(fl->m->forms, b->condition, DD_FORM_LOOP);
    }
    /* known now: one branch is taken */
    if (varying == DD_FORM_NONE && looped == DD_FORM_NONE) {
        take_branch(fl, eq, section);
        return;
    }
    /* known per iteration, or never: all branches must make sense */
    for (dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        dd_flat_resolve_list(fl, b->body, section);
    }
    if (varying == DD_FORM_NONE) {
        return;
    }
    /* a constraint that comes and goes has no place in the discretised problem */
    if (section == DD_AST_CONSTRAINTS) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, varying)->span,
                 "an `if` around constraints can depend on parameters and loop indices "
                 "only");
        eq->failed = true;
        return;
    }
    merge_branches(fl, eq);
}

/* "a" + "b": the text of an assertion, in eq->doc. */
static bool fold_text(dd_flattener *fl, dd_form f, dd_text *out)
{
    const dd_form_node node = *dd_form_get(fl->m->forms, f);
    if (node.op == DD_FORM_STRING) {
        dd_text_add(out, dd_names_get(fl->m->names, node.payload));
        return true;
    }
    bool ok = node.op == DD_FORM_SUM;
    for (uint32_t i = 0; ok && i < node.nargs; i++) {
        ok = fold_text(fl, dd_form_arg(fl->m->forms, f, i), out);
    }
    return ok;
}

static void resolve_assert(dd_flattener *fl, dd_ast_equation *eq)
{
    dd_text text = dd_text_new(fl->pool);
    eq->failed = !resolve_in_place(fl, &eq->lhs);
    if (!fold_text(fl, eq->rhs, &text)) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, eq->rhs)->span, "the message of assert is a text in quotes");
        eq->failed = true;
        return;
    }
    eq->doc = dd_names_intern(fl->m->names, dd_text_str(&text), text.len);
}

static void resolve_statement(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section)
{
    /* records become a list of equations between their members */
    switch (eq->kind) {
    case DD_AST_EQUALITY:
    case DD_AST_CONSTRAINT: {
        if (eq->kind == DD_AST_EQUALITY && dd_record_equation(fl, eq)) {
            dd_flat_resolve_list(fl, eq->body, section);
            break;
        }
        bool left = resolve_in_place(fl, &eq->lhs), right = resolve_in_place(fl, &eq->rhs);
        eq->failed = !left || !right;
        break;
    }
    case DD_AST_FOR:
        eq->failed = !resolve_in_place(fl, &eq->rhs);
        dd_resolve_push_loop(&fl->resolver, eq->loop);
        dd_flat_resolve_list(fl, eq->body, section);
        dd_resolve_pop_loop(&fl->resolver);
        break;
    case DD_AST_IF:
        resolve_if(fl, eq, section);
        break;
    case DD_AST_ASSERT:
        resolve_assert(fl, eq);
        break;
    case DD_AST_CALL:
        eq->failed = !resolve_in_place(fl, &eq->lhs);
        break;
    case DD_AST_LAGRANGE:
        for (dd_ast_mod *mod = eq->mods; mod != NULL; mod = mod->next) {
            bool ok = mod->value == DD_FORM_NONE || resolve_in_place(fl, &mod->value);
            eq->failed = eq->failed || !ok;
        }
        break;
    case DD_AST_CONNECT:
        if (section == DD_AST_CONSTRAINTS) {
            dd_phase_resolve_connect(fl, eq);
            break;
        }
        dd_flat_resolve_connect(fl, eq);
        break;
    case DD_AST_LIST:
        dd_flat_resolve_list(fl, eq->body, section);
        break;
    default:
        eq->failed = true;
        break;
    }
}

void dd_flat_resolve_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section)
{
    for (dd_ast_equation *eq = list; eq != NULL; eq = eq->next) {
        if (!eq->failed) {
            resolve_statement(fl, eq, section);
        }
    }
}

/* ---- walking ---- */

/* Counts iterations of all loops together: the size of the flat model, and the time it takes, stay bounded. */
static bool count_iterations(dd_flattener *fl, dd_ast_equation *eq, uint64_t count)
{
    /* one limit for all loops together, counted before the first iteration */
    fl->iterations += count;
    if (fl->iterations <= DD_FLAT_MAX_ITERATIONS) {
        return true;
    }
    dd_error(fl->ctx, eq->span, "the loops of the model run more than %u times in all, the limit",
             DD_FLAT_MAX_ITERATIONS);
    eq->failed = true;
    return false;
}

/* Is there anything left to do in a body? */
static bool any_alive(const dd_ast_equation *body)
{
    while (body != NULL && body->failed) {
        body = body->next;
    }
    return body != NULL;
}

static void walk_for(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env,
                     dd_flat_leaf leaf)
{
    double *values, *kept;
    uint64_t count;
    bool all_integer;
    /* the range may depend on the loops outside */
    if (!dd_elaborate_range(&fl->el, eq->rhs, env, &values, &count, &all_integer)) {
        eq->failed = true;
        return;
    }
    if (count == 0 || !count_iterations(fl, eq, count)) {
        return;
    }
    kept = dd_block_resize(fl->pool, NULL, count * sizeof *kept); /* the scratch pool may be replaced inside the loop */
    memcpy(kept, values, count * sizeof *kept);
    /* statements that failed once are not tried in every iteration */
    for (uint64_t i = 0; i < count && !eq->failed && any_alive(eq->body); i++) {
        dd_form_env *inner = dd_pool_alloc(fl->m->pool, sizeof *inner); /* equations keep it */
        *inner = (dd_form_env){.loop = eq->loop, .value = dd_saturated(kept[i]), .real = kept[i], .outer = env};
        dd_flat_walk_list(fl, eq->body, section, inner, leaf);
        dd_check_stop(fl->ctx);
    }
    dd_block_free(fl->pool, kept);
}

static void walk_if(dd_flattener *fl, dd_ast_equation *eq, dd_ast_section section, const dd_form_env *env,
                    dd_flat_leaf leaf)
{
    /* conditions of parameters and loop variables: decided per iteration */
    for (dd_ast_branch *b = eq->branches; b != NULL; b = b->next) {
        bool taken = b->condition == DD_FORM_NONE;
        if (!taken && !dd_elaborate_boolean(&fl->el, b->condition, env, &taken)) {
            eq->failed = true;
            return;
        }
        if (taken) {
            dd_flat_walk_list(fl, b->body, section, env, leaf);
            return;
        }
    }
}

void dd_flat_walk_list(dd_flattener *fl, dd_ast_equation *list, dd_ast_section section, const dd_form_env *env,
                       dd_flat_leaf leaf)
{
    /* loops and branches are walked, everything else is a leaf */
    for (dd_ast_equation *eq = list; eq != NULL; eq = eq->next) {
        if (eq->failed) {
            continue;
        }
        switch (eq->kind) {
        case DD_AST_FOR:
            walk_for(fl, eq, section, env, leaf);
            break;
        case DD_AST_IF:
            walk_if(fl, eq, section, env, leaf);
            break;
        case DD_AST_LIST:
            dd_flat_walk_list(fl, eq->body, section, env, leaf);
            break;
        default:
            leaf(fl, eq, section, env);
            break;
        }
    }
}
