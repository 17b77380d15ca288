/* phases_connect.c - connect(a, b, m = jump, v = free) of two phases: for every state that both have by name
 *
 *     b.x(b.startTime) = a.x(a.finalTime) + jump
 *
 * Algebraic variables and controls are not linked, they follow from the rest. A start value that the class of b fixes
 * gives way to the link; one fixed where the phase is declared stays.
 */
#include <string.h>

#include "lang/phases.h"

typedef struct linking {
    dd_flattener *fl;
    dd_ast_equation *eq;
    const dd_form_env *env;
    const dd_flat_phase *a, *b;
    bool *used; /* per item of eq->mods */
} linking;

/* ---- names ---- */

static bool is_free(const dd_flattener *fl, dd_form f)
{
    const dd_form_node *node = f != DD_FORM_NONE ? dd_form_get(fl->m->forms, f) : NULL;
    return node != NULL && node->op == DD_FORM_NAME && node->nargs == 0 &&
           strcmp(dd_names_get(fl->m->names, node->payload), "free") == 0;
}

/* Jumps, at the end of body.v = .. too. */
static bool resolve_jumps(dd_flattener *fl, dd_ast_mod *list)
{
    bool ok = true;
    for (dd_ast_mod *mod = list; mod != NULL; mod = mod->next) {
        /* down to the value at the end of a dotted name */
        dd_ast_mod *last = mod;
        while (last->value == DD_FORM_NONE && last->nested != NULL && last->nested->next == NULL) {
            last = last->nested;
        }
        if (last->value != DD_FORM_NONE && !is_free(fl, last->value)) {
            last->value = dd_resolve(&fl->resolver, last->value);
            ok = ok && last->value != DD_FORM_NONE;
        }
    }
    return ok;
}

void dd_phase_resolve_connect(dd_flattener *fl, dd_ast_equation *eq)
{
    /* the names of phases stay; jumps and subscripts are resolved */
    dd_forms *forms = fl->m->forms;
    dd_form *sides[] = {&eq->lhs, &eq->rhs};
    eq->failed = !resolve_jumps(fl, eq->mods);
    for (int i = 0; i < 2; i++) {
        const dd_form_node node = *dd_form_get(forms, *sides[i]);
        dd_form subscripts[DD_MAX_DIMS];
        for (uint32_t d = 0; node.op == DD_FORM_NAME && d < node.nargs && d < DD_MAX_DIMS; d++) {
            subscripts[d] = dd_resolve(&fl->resolver, dd_form_arg(forms, *sides[i], d));
            eq->failed = eq->failed || subscripts[d] == DD_FORM_NONE;
        }
        if (node.op == DD_FORM_NAME && node.nargs > 0 && node.nargs <= DD_MAX_DIMS && !eq->failed) {
            *sides[i] = dd_form_new(forms, DD_FORM_NAME, node.sub, node.payload, subscripts, node.nargs, node.span);
        }
    }
}

static const char *text_of(dd_flattener *fl, dd_form f)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, NULL, &text);
    return dd_text_str(&text);
}

static const char *near_phase(dd_flattener *fl, const char *name)
{
    const char **names = dd_pool_alloc_array(fl->pool, fl->phases->list.len + 1, sizeof *names);
    for (uint32_t i = 0; i < fl->phases->list.len; i++) {
        names[i] = fl->phases->list.data[i].in->path;
    }
    return dd_closest_name(name, names, fl->phases->list.len);
}

static void report_no_phase(dd_flattener *fl, dd_form f, const dd_member *member)
{
    const char *name = text_of(fl, f), *near = fl->phases != NULL ? near_phase(fl, name) : NULL;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    /* a component that is not a phase, or no component at all */
    if (member != NULL) {
        dd_error(fl->ctx, span,
                 "%s is not a phase: in a constraint section connect joins two phases, components that are "
                 "optimization classes; connectors are joined in an `equation` section",
                 name);
    } else {
        dd_error(fl->ctx, span, near != NULL ? "there is no phase %s: did you mean %s?" : "there is no phase %s", name,
                 near);
    }
}

/* The element that the subscripts of a name choose; NULL after a message. */
static dd_instance *element(dd_flattener *fl, dd_form f, const dd_member *member, const dd_form_env *env)
{
    uint32_t n = dd_form_get(fl->m->forms, f)->nargs;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    int64_t at[DD_MAX_DIMS];
    /* subscripts choose one phase, each in range */
    if (n != member->ndim) {
        dd_error(fl->ctx, span,
                 member->ndim == 0 ? "%s is one phase, without subscripts"
                                   : "%s is an array of phases: name one, %s[1]",
                 member->path, member->path);
        return NULL;
    }
    for (uint32_t d = 0; d < n; d++) {
        if (!dd_elaborate_integer(&fl->el, dd_form_arg(fl->m->forms, f, d), env, &at[d])) {
            return NULL;
        }
        if (at[d] < 1 || at[d] > member->dims[d]) {
            dd_error(fl->ctx, span, "subscript %lld is out of range: %s has %u elements", (long long)at[d],
                     member->path, member->dims[d]);
            return NULL;
        }
    }
    return dd_member_element(member, at);
}

static const dd_flat_phase *find_phase(dd_flattener *fl, dd_form f, const dd_form_env *env)
{
    /* a plain name in the class around the phases */
    bool name = dd_form_get(fl->m->forms, f)->op == DD_FORM_NAME;
    uint32_t first = name ? dd_form_get(fl->m->forms, f)->payload
                          : dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, f, 0))->payload;
    const dd_member *member = fl->place.instance != NULL ? dd_instance_find(fl->place.instance, first) : NULL;
    bool phase = name && member != NULL && !member->is_leaf && member->class != NULL &&
                 member->class->kind == DD_CLASS_OPTIMIZATION && fl->place.instance == fl->root;
    if (!phase) {
        report_no_phase(fl, f, member);
        return NULL;
    }
    const dd_instance *in = element(fl, f, member, env);
    for (uint32_t i = 0; in != NULL && i < fl->phases->list.len; i++) {
        if (fl->phases->list.data[i].in == in) {
            return &fl->phases->list.data[i];
        }
    }
    return NULL;
}

/* ---- states ---- */

/* x of b.x, der(x) of der(b.x); NULL: not of this phase. */
static const char *local_name(const dd_flattener *fl, const dd_array *a, const dd_flat_phase *p)
{
    /* names of introduced velocities have the path inside der(..) */
    bool rate = strncmp(a->name, "der(", 4) == 0; /* a velocity that was introduced */
    const char *name = rate ? a->name + 4 : a->name;
    size_t n = strlen(p->in->path);
    if (a->kind != DD_KIND_VARIABLE || strncmp(name, p->in->path, n) != 0 || name[n] != '.') {
        return NULL;
    }
    return rate ? dd_pool_printf(fl->pool, "der(%s", name + n + 1) : name + n + 1;
}

static const dd_array *named_in(const dd_flattener *fl, const dd_flat_phase *p, const char *local)
{
    /* the inverse of local_name, in the other phase */
    bool rate = strncmp(local, "der(", 4) == 0;
    const char *name = rate ? dd_pool_printf(fl->pool, "der(%s.%s", p->in->path, local + 4)
                            : dd_pool_printf(fl->pool, "%s.%s", p->in->path, local);
    uint32_t array = dd_model_find_array(fl->m, name);
    return array != DD_NO_INDEX ? &fl->m->arrays.data[array] : NULL;
}

static bool is_state(const dd_flattener *fl, uint32_t var)
{
    return fl->phases->order.data[var] > 0;
}

/* How many elements of an array are states. */
static uint32_t states_of(const dd_flattener *fl, const dd_array *a)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->size; i++) {
        n += is_state(fl, a->first + i) ? 1 : 0;
    }
    return n;
}

static const char *list_states(const linking *l, const dd_flat_phase *p, bool common)
{
    dd_text text = dd_text_new(l->fl->pool);
    const dd_flat_phase *other = p == l->a ? l->b : l->a;
    /* states of one phase by their local names; `common`: those that both have */
    for (uint32_t i = 0; i < l->fl->m->arrays.len; i++) {
        const dd_array *a = &l->fl->m->arrays.data[i];
        const char *local = local_name(l->fl, a, p);
        if (local == NULL || states_of(l->fl, a) == 0) {
            continue;
        }
        const dd_array *there = named_in(l->fl, other, local);
        if (!common || (there != NULL && states_of(l->fl, there) > 0)) {
            dd_text_printf(&text, "%s%s", text.len > 0 ? ", " : "", local);
        }
    }
    return text.len > 0 ? dd_text_str(&text) : "none";
}

/* ---- jumps ---- */

/* The local name that m = .. or body.v = .. names, and the value. */
static const char *item_name(const dd_flattener *fl, const dd_ast_mod *mod, const dd_ast_mod **last)
{
    dd_text text = dd_text_new(fl->pool);
    /* a.b.c = value: the name with dots */
    dd_text_add(&text, dd_names_get(fl->m->names, mod->name));
    while (mod->value == DD_FORM_NONE && mod->nested != NULL && mod->nested->next == NULL) {
        mod = mod->nested;
        dd_text_printf(&text, ".%s", dd_names_get(fl->m->names, mod->name));
    }
    *last = mod;
    return dd_text_str(&text);
}

/* The jump of a state: DD_FORM_NONE when none is given. */
static dd_form jump_of(const linking *l, const char *local)
{
    /* the item is marked as used: those left over name no common state */
    uint32_t i = 0;
    for (const dd_ast_mod *mod = l->eq->mods; mod != NULL; mod = mod->next, i++) {
        const dd_ast_mod *last;
        if (strcmp(item_name(l->fl, mod, &last), local) == 0) {
            l->used[i] = true;
            return last->value;
        }
    }
    return DD_FORM_NONE;
}

static bool check_items(const linking *l)
{
    /* every item has a value and was used */
    uint32_t i = 0;
    for (const dd_ast_mod *mod = l->eq->mods; mod != NULL; mod = mod->next, i++) {
        const dd_ast_mod *last;
        const char *name = item_name(l->fl, mod, &last);
        if (last->value == DD_FORM_NONE || last->nested != NULL) {
            dd_error(l->fl->ctx, mod->span, "connect needs a value for %s: its jump, %s = -3, or %s = free", name, name,
                     name);
            return false;
        }
        if (!l->used[i]) {
            dd_error(l->fl->ctx, mod->span, "%s is not a state that both %s and %s have; those are: %s", name,
                     l->a->in->path, l->b->in->path, list_states(l, l->b, true));
            return false;
        }
    }
    return true;
}

/* ---- rows ---- */

static dd_form point_form(const linking *l, const dd_array *of, uint32_t time_var, const dd_form *subscripts,
                          uint32_t n)
{
    dd_forms *forms = l->fl->m->forms;
    dd_span span = l->eq->span;
    /* x(time) with the symbols of the flat model */
    const dd_array *time = &l->fl->m->arrays.data[l->fl->m->vars.data[time_var].array];
    dd_form args[2] = {dd_form_new(forms, DD_FORM_REF, 0, of->symbol, subscripts, n, span),
                       dd_form_new(forms, DD_FORM_REF, 0, time->symbol, NULL, 0, span)};
    return dd_form_new(forms, DD_FORM_POINT, 0, 0, args, 2, span);
}

/* One row, or those of a whole array. */
static void add_row(const linking *l, const dd_array *a, const dd_array *b, dd_form jump, const dd_form *subscripts,
                    uint32_t n)
{
    dd_forms *forms = l->fl->m->forms;
    dd_ast_equation *row = dd_pool_alloc(l->fl->pool, sizeof *row);
    *row = (dd_ast_equation){.kind = DD_AST_CONSTRAINT, .rel = DD_REL_EQ, .span = l->eq->span};
    /* b.x(b.startTime) = a.x(a.finalTime) + jump */
    row->lhs = point_form(l, b, l->b->start_var, subscripts, n);
    row->rhs = point_form(l, a, l->a->final_var, subscripts, n);
    if (jump != DD_FORM_NONE) {
        dd_form terms[] = {row->rhs, jump};
        /* element by element, a jump that is an array contributes one element */
        if (n > 0 && dd_form_ndim(forms, jump) > 0) {
            dd_form args[DD_MAX_DIMS + 1] = {jump};
            memcpy(args + 1, subscripts, n * sizeof *args);
            terms[1] = dd_form_new(forms, DD_FORM_ELEMENT, 0, 0, args, n + 1, l->eq->span);
        }
        row->rhs = dd_form_new(forms, DD_FORM_SUM, 0, 0, terms, 2, l->eq->span);
    }
    dd_flat_add_constraint(l->fl, row, DD_AST_CONSTRAINTS, l->env);
    l->eq->failed = l->eq->failed || row->failed;
}

static void add_elements(const linking *l, const dd_array *a, const dd_array *b, dd_form jump)
{
    /* only elements that are states on both sides */
    for (uint32_t i = 0; i < b->size && !l->eq->failed; i++) {
        dd_form subscripts[DD_MAX_DIMS];
        uint32_t rest = i;
        if (!is_state(l->fl, a->first + i) || !is_state(l->fl, b->first + i)) {
            continue;
        }
        for (uint32_t d = b->ndim; d-- > 0;) {
            subscripts[d] = dd_form_number(l->fl->m->forms, 1.0 + rest % b->dims[d], l->eq->span);
            rest /= b->dims[d];
        }
        add_row(l, a, b, jump, subscripts, b->ndim);
    }
}

/* `fixed` of the class gives way to the link; one that is written where the phase is declared stays. */
static void release_start(dd_flattener *fl, const dd_array *b)
{
    /* the declaration behind the array, then the strongest `fixed` that applies to it */
    const dd_flat_decl *decl = NULL;
    for (uint32_t i = 0; i < fl->decls.len && decl == NULL; i++) {
        bool same = fl->decls.data[i]->array != DD_NO_INDEX && &fl->m->arrays.data[fl->decls.data[i]->array] == b;
        decl = same ? fl->decls.data[i] : NULL;
    }
    /* written inside the class of the phase: released. Written at the phase: kept */
    for (const dd_mod *at = decl != NULL ? decl->member->mods : NULL; at != NULL; at = at->next) {
        if (strcmp(dd_names_get(fl->m->names, at->ast->name), "fixed") == 0) {
            for (uint32_t i = 0; at->place.instance != fl->root && i < b->size; i++) {
                fl->m->vars.data[b->first + i].fixed = false;
            }
            return;
        }
    }
}

static bool same_size(const linking *l, const char *local, const dd_array *a, const dd_array *b)
{
    bool same = a->ndim == b->ndim && memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims) == 0;
    if (!same) {
        dd_error(l->fl->ctx, l->eq->span, "%s has %s in %s, but %s in %s: leave it out with %s = free", local,
                 dd_flat_array_size(l->fl, a), l->a->in->path, dd_flat_array_size(l->fl, b), l->b->in->path, local);
    }
    return same;
}

/* 1: linked or left out on purpose; 0: nothing to link; -1: a message. */
static int link_array(const linking *l, uint32_t index)
{
    dd_flattener *fl = l->fl;
    /* arrays of b that a has under the same local name, with states in both */
    const char *local = local_name(fl, &fl->m->arrays.data[index], l->b);
    const dd_array *found = local != NULL ? named_in(fl, l->a, local) : NULL;
    if (found == NULL) {
        return 0;
    }
    const dd_array a = *found, b = fl->m->arrays.data[index]; /* copies: points add arrays */
    uint32_t n_a = states_of(fl, &a), n_b = states_of(fl, &b);
    if (n_a == 0 || n_b == 0) {
        return 0;
    }
    /* free: left out on purpose */
    dd_form jump = jump_of(l, local);
    if (is_free(fl, jump)) {
        return 1;
    }
    if (!same_size(l, local, &a, &b)) {
        return -1;
    }
    release_start(fl, &fl->m->arrays.data[index]);
    /* all elements are states: one row for the array */
    if (n_a == a.size && n_b == b.size) {
        add_row(l, &a, &b, jump, NULL, 0);
    } else {
        add_elements(l, &a, &b, jump);
    }
    return l->eq->failed ? -1 : 1;
}

void dd_phase_add_connect(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    linking l = {.fl = fl, .eq = eq, .env = env};
    /* connect in a constraint section of a class without phases */
    if (fl->phases == NULL) {
        report_no_phase(fl, eq->lhs, fl->root->members != NULL ? fl->root->members[0] : NULL);
        eq->failed = true;
        return;
    }
    uint32_t n_items = 0, arrays = fl->m->arrays.len;
    for (const dd_ast_mod *mod = eq->mods; mod != NULL; mod = mod->next) {
        n_items++;
    }
    l.used = dd_pool_alloc_array(fl->pool, n_items + 1, sizeof *l.used);
    /* both phases, then all their common states */
    l.a = find_phase(fl, eq->lhs, env);
    l.b = l.a != NULL ? find_phase(fl, eq->rhs, env) : NULL;
    int linked = 0;
    for (uint32_t i = 0; l.b != NULL && i < arrays && linked >= 0; i++) {
        int did = link_array(&l, i);
        linked = did < 0 ? -1 : linked + did;
    }
    /* nothing was linked: a message with the states of both */
    if (l.b != NULL && linked == 0) {
        dd_error(fl->ctx, eq->span,
                 "%s and %s have no state of the same name that could be linked: the states of %s are %s, those of %s "
                 "%s",
                 l.a->in->path, l.b->in->path, l.a->in->path, list_states(&l, l.a, false), l.b->in->path,
                 list_states(&l, l.b, false));
    }
    eq->failed = l.b == NULL || linked <= 0 || !check_items(&l);
}
