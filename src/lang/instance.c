/* instance.c - from classes to the tree of components: members are collected with what they inherit, and expanded
 * when something needs them. */
#include "lang/instance.h"

#include <string.h>

#include "lang/flatten.h"
#include "lang/lexer.h"

#define FEW 8                 /* members that are searched one by one */
#define MAX_INSTANCES 1000000 /* of one model */

static const char *text_of(const dd_flattener *fl, uint32_t name)
{
    return dd_names_get(fl->m->names, name);
}

dd_member *dd_instance_find(const dd_instance *instance, uint32_t name)
{
    if (instance->n_members <= FEW) { /* most: no table for each resistor */
        for (uint32_t i = 0; i < instance->n_members; i++) {
            if (instance->members[i]->ast->name == name) {
                return instance->members[i];
            }
        }
        return NULL;
    }
    uint32_t at = dd_map_get(&instance->by_name, name);
    return at != 0 ? instance->members[at - 1] : NULL;
}

const char *dd_instance_suggest(dd_flattener *fl, const dd_instance *in, const char *name)
{
    if (in == NULL || !dd_flat_may_suggest(fl)) {
        return NULL;
    }
    /* constants of a package, or all members of a component */
    const char **candidates = dd_pool_alloc_array(fl->pool, in->n_members + 1, sizeof *candidates);
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_members; i++) {
        if (!in->is_package || in->members[i]->ast->variability == DD_AST_CONSTANT) {
            candidates[n++] = dd_name_quoted(fl->pool, text_of(fl, in->members[i]->ast->name));
        }
    }
    return dd_closest_name(name, candidates, n);
}

dd_instance *dd_member_element(const dd_member *member, const int64_t *subscripts)
{
    /* row-major position of the element */
    uint32_t at = 0;
    for (uint32_t d = 0; d < member->ndim; d++) {
        at = at * member->dims[d] + (uint32_t)(subscripts[d] - 1);
    }
    return member->elements[at];
}

void dd_instance_note(dd_flattener *fl, const dd_instance *instance)
{
    if (instance->of == NULL) {
        return;
    }
    /* "inside arm[2], an Arm declared here" */
    dd_note(fl->ctx, instance->of->ast->span, "inside %s, %s %s declared here", instance->path,
            strchr("AEIOUaeiou", text_of(fl, instance->class->name)[0]) != NULL ? "an" : "a",
            dd_class_full_name(fl->library, instance->class, fl->pool));
}

void dd_member_note(dd_flattener *fl, const dd_member *member, dd_place written)
{
    if (written.instance != NULL && written.instance != member->parent) {
        dd_note(fl->ctx, member->ast->span, "%s is declared here", member->path);
        dd_instance_note(fl, written.instance);
    } else {
        dd_instance_note(fl, member->parent);
    }
}

/* ---- members ---- */

static bool check_name(dd_flattener *fl, dd_instance *in, dd_ast_decl *ast, const dd_ast_class *owner)
{
    const dd_member *first = dd_instance_find(in, ast->name);
    if (first != NULL) {
        if (first->ast != ast) { /* the same declaration may be inherited along two paths */
            dd_error(fl->ctx, ast->span, "%s is declared twice, the first time in line %u",
                     dd_name_quoted(fl->pool, text_of(fl, ast->name)),
                     (unsigned)dd_span_line(fl->ctx, first->ast->span));
            if (first->owner != owner) {
                dd_note(fl->ctx, first->ast->span, "%s has this one from %s, and the other one from %s",
                        text_of(fl, in->class->name), text_of(fl, first->owner->name), text_of(fl, owner->name));
            }
        }
        return false;
    }
    if (strcmp(text_of(fl, ast->name), "time") == 0) {
        dd_error(fl->ctx, ast->span, "`time` is the name of the time itself: choose another name");
        return false;
    }
    return true;
}

static const char *member_path(dd_flattener *fl, const dd_instance *in, const dd_ast_decl *ast)
{
    const char *name = dd_name_quoted(fl->pool, text_of(fl, ast->name));
    return in->path[0] == '\0' ? name : dd_pool_printf(fl->pool, "%s.%s", in->path, name);
}

/* Chooses between the values given to a declaration: the outermost one applies. */
static void choose_value(dd_member *member, const dd_mod *list)
{
    /* the declaration's own value, unless a modification has one; `final` of a weaker one still holds */
    member->value = member->ast->binding;
    member->value_mod = (dd_mod){.place = {member->parent, member->owner}};
    member->value_span = member->ast->span;
    bool chosen = false;
    for (const dd_mod *mod = list; mod != NULL; mod = mod->next) {
        if (mod->ast->name != member->ast->name || mod->ast->value == DD_FORM_NONE) {
            continue;
        }
        if (!chosen) {
            member->value = mod->ast->value;
            member->value_mod = dd_mod_below(mod);
            member->value_span = mod->ast->span;
            chosen = true;
        }
        member->is_final = member->is_final || mod->ast->is_final;
    }
}

static void add_member(dd_flattener *fl, dd_instance *in, dd_ast_decl *ast, dd_ast_class *owner, dd_mod *mods,
                       bool hidden)
{
    if (!check_name(fl, in, ast, owner)) {
        return;
    }
    /* as declared; variability and visibility come from around, too */
    dd_member *member = dd_pool_alloc(fl->pool, sizeof *member);
    member->parent = in;
    member->ast = ast;
    member->owner = owner;
    member->path = member_path(fl, in, ast);
    member->decl = DD_NO_INDEX;
    member->is_protected = hidden || ast->is_protected;
    member->variability = ast->variability;
    if (in->of != NULL && in->of->variability > member->variability) {
        member->variability = in->of->variability; /* parameter Record r: its members are parameters */
    }
    /* its value, then the modifications that apply to its attributes or members */
    choose_value(member, mods);
    member->mods = dd_mods_for_member(fl, member, mods);
    /* members are few: the list doubles, and the table is built when there are more than FEW */
    if (in->n_members == in->cap_members) {
        uint32_t cap = in->cap_members == 0 ? 4 : 2 * in->cap_members;
        dd_member **grown = dd_pool_alloc_array(fl->pool, cap, sizeof *grown);
        if (in->n_members > 0) {
            memcpy(grown, in->members, in->n_members * sizeof *grown);
        }
        in->members = grown;
        in->cap_members = cap;
    }
    in->members[in->n_members++] = member;
    for (uint32_t i = in->n_members == FEW + 1 ? 0 : in->n_members - 1; in->n_members > FEW && i < in->n_members; i++) {
        dd_map_put(&in->by_name, in->members[i]->ast->name, i + 1);
    }
}

static bool has_source(const dd_instance *in, const dd_ast_class *class)
{
    for (uint32_t i = 0; i < in->sources.len; i++) {
        if (in->sources.data[i] == class) {
            return true;
        }
    }
    return false;
}

/* A class that is inherited along two paths and modified on the second. */
static void report_second(dd_flattener *fl, dd_instance *in, const dd_ast_class *class, const dd_ast_class *base,
                          const dd_mod *mods)
{
    dd_error(
        fl->ctx, mods->ast->span,
        "%s is inherited along two paths, and %s modifies it on the second one: modify it in %s, which inherits both",
        dd_class_full_name(fl->library, base, fl->pool), text_of(fl, class->name), text_of(fl, in->class->name));
    dd_note(fl->ctx, in->class->span, "%s is defined here", text_of(fl, in->class->name));
    in->broken = true;
}

/* Collects the declarations of a class and of those it extends, in the order of the text. */
static void collect(dd_flattener *fl, dd_instance *in, dd_ast_class *class, dd_mod *mods, bool hidden, uint32_t depth)
{
    if (has_source(in, class)) {
        return; /* inherited along two paths: once is enough */
    }
    dd_ast_decl *own = class->decls;
    /* declarations up to each extends clause, then the base in its place: the order of the text */
    for (dd_ast_extends *e = class->extends; e != NULL; e = e->next) {
        dd_ast_decl *stop = e->before != NULL ? e->before->next : class->decls;
        for (; own != stop; own = own->next) {
            add_member(fl, in, own, class, mods, hidden);
        }
        dd_ast_class *base = dd_lookup_base(fl->library, class, e);
        if (base == NULL || !dd_flat_may_extend(fl, class, base, e)) {
            in->broken = true;
            continue;
        }
        if (depth >= DD_INSTANCE_MAX_DEPTH) {
            dd_error(fl->ctx, e->span, "classes extend each other more than %d times, the limit",
                     DD_INSTANCE_MAX_DEPTH);
            in->broken = true;
            continue;
        }
        /* modifications of the clause are weaker than those from outside */
        dd_mod *own_mods = dd_mods_new(fl, e->mods, (dd_place){in, class}, class->kind == DD_CLASS_OPTIMIZATION);
        if (own_mods != NULL && has_source(in, base)) {
            report_second(fl, in, class, base, own_mods);
            continue;
        }
        dd_mod *joined = dd_mods_join(fl, mods, own_mods);
        collect(fl, in, base, joined, hidden || e->is_protected, depth + 1);
        dd_mods_check(fl, in, own_mods, base);
    }
    /* the declarations behind the last clause */
    for (; own != NULL; own = own->next) {
        add_member(fl, in, own, class, mods, hidden);
    }
    dd_vec_push(fl->pool, &in->sources, class);
}

void dd_instance_add(dd_flattener *fl, dd_instance *in, dd_ast_decl *ast)
{
    add_member(fl, in, ast, in->class, in->mods, false);
}

static dd_instance *new_instance(dd_flattener *fl, dd_ast_class *class, dd_instance *parent, dd_member *of,
                                 const char *path, dd_mod *mods)
{
    /* members come later, by collect */
    dd_instance *in = dd_pool_alloc(fl->pool, sizeof *in);
    in->parent = parent;
    in->of = of;
    in->class = class;
    in->path = path;
    in->depth = parent != NULL ? parent->depth + 1 : 0;
    in->by_name = dd_map_new(fl->pool);
    in->mods = mods;
    fl->n_instances++;
    return in;
}

dd_instance *dd_instance_package(dd_flattener *fl, dd_ast_class *class)
{
    /* one instance per package: its constants exist once */
    uint64_t key = (uint64_t)(uintptr_t) class;
    uint32_t known = dd_map_get(&fl->package_by_class, key);
    if (known != 0) {
        return fl->packages.data[known - 1];
    }
    dd_instance *in = new_instance(fl, class, NULL, NULL, dd_class_full_name(fl->library, class, fl->pool), NULL);
    in->is_package = true;
    dd_vec_push(fl->pool, &fl->packages, in);
    dd_map_put(&fl->package_by_class, key, fl->packages.len);
    collect(fl, in, class, NULL, false, 0);
    return in;
}

/* ---- components ---- */

/* component if condition */
static bool read_condition(dd_flattener *fl, dd_member *member)
{
    bool there;
    dd_place place = {member->parent, member->owner};
    if (member->ast->condition == DD_FORM_NONE) {
        return true;
    }
    /* the condition is a parameter expression, needed now */
    if (!dd_flat_boolean_at(fl, member->ast->condition, place, &there)) {
        return false;
    }
    member->removed = member->removed || !there;
    return true;
}

static bool component_size(dd_flattener *fl, dd_member *member, const dd_type_end *end)
{
    uint64_t count = 1;
    /* every dimension is known now; the product saturates */
    for (uint32_t d = 0; d < end->ndim; d++) {
        if (dd_form_get(fl->m->forms, end->dims[d])->op == DD_FORM_COLON) {
            dd_error(fl->ctx, member->ast->span, "the number of elements of %s must be given: %s[n]", member->path,
                     member->path);
            return false;
        }
        if (!dd_flat_size_at(fl, end->dims[d], end->places[d], member->path, &member->dims[d])) {
            return false;
        }
        count *= member->dims[d];
        if (count > MAX_INSTANCES) {
            count = MAX_INSTANCES + 1;
        }
    }
    if (count + fl->n_instances > MAX_INSTANCES) {
        dd_error(fl->ctx, member->ast->span, "with %s the model has more than %d components, the limit", member->path,
                 MAX_INSTANCES);
        return false;
    }
    member->ndim = end->ndim;
    member->count = (uint32_t)count;
    return true;
}

static const char *element_path(dd_flattener *fl, const dd_member *member, const uint32_t *at)
{
    /* the usual cases without a text buffer */
    if (member->ndim <= 1) {
        return member->ndim == 0 ? member->path : dd_pool_printf(fl->pool, "%s[%u]", member->path, at[0]);
    }
    dd_text text = dd_text_new(fl->pool);
    dd_text_add(&text, member->path);
    for (uint32_t d = 0; d < member->ndim; d++) {
        dd_text_printf(&text, "%s%u", d == 0 ? "[" : ",", at[d]);
    }
    dd_text_add(&text, member->ndim > 0 ? "]" : "");
    return dd_text_str(&text);
}

static bool make_elements(dd_flattener *fl, dd_member *member)
{
    uint32_t at[DD_MAX_DIMS];
    bool ok = true;
    for (uint32_t d = 0; d < DD_MAX_DIMS; d++) {
        at[d] = 1;
    }
    member->elements = dd_pool_alloc_array(fl->pool, member->count + 1, sizeof(dd_instance *));
    /* element k has the modifications that are meant for it, and its own members */
    for (uint32_t k = 0; k < member->count && ok; k++) {
        dd_mod *mods = dd_mods_for_element(fl, member->mods, at, member->dims, member->ndim);
        dd_instance *in = new_instance(fl, member->class, member->parent, member, element_path(fl, member, at), mods);
        member->elements[k] = in;
        collect(fl, in, member->class, mods, false, 0);
        /* every phase has its own times */
        if (member->class->kind == DD_CLASS_OPTIMIZATION) {
            dd_flat_declare_phase_times(fl, in);
        }
        dd_mods_check(fl, in, mods, member->class);
        if (k > 0) { /* the same for all */
            dd_vec_free(fl->pool, &in->sources);
            in->sources.data = member->elements[0]->sources.data;
            in->sources.len = member->elements[0]->sources.len;
        }
        ok = !in->broken;
        /* the next subscripts, the last one fastest */
        for (uint32_t d = member->ndim; d-- > 0;) {
            if (++at[d] <= member->dims[d]) {
                break;
            }
            at[d] = 1;
        }
        dd_check_stop(fl->ctx);
    }
    return ok;
}

static bool expand_component(dd_flattener *fl, dd_member *member, const dd_type_end *end)
{
    member->class = end->class;
    /* an endless tree would stop here at the latest */
    if (member->parent->depth >= DD_INSTANCE_MAX_DEPTH) {
        dd_error(fl->ctx, member->ast->span, "components are nested more than %d deep, the limit",
                 DD_INSTANCE_MAX_DEPTH);
        return false;
    }
    if (!component_size(fl, member, end)) {
        return false;
    }
    /* a value for a component makes sense if it is a record: its fields take the parts */
    if (member->value != DD_FORM_NONE && member->class->kind != DD_CLASS_RECORD) {
        dd_error(fl->ctx, member->value_span, "%s is a component: only records and variables are bound with `=`",
                 member->path);
        return false;
    }
    return make_elements(fl, member) && dd_record_bind(fl, member);
}

static bool expand_leaf(dd_flattener *fl, dd_member *member, const dd_type_end *end)
{
    member->is_leaf = true;
    member->enumeration = end->class;
    return dd_flat_add_leaf(fl, member, (dd_base_type)end->predefined, end->ndim, end->dims, end->places);
}

bool dd_member_expand(dd_flattener *fl, dd_member *member)
{
    dd_type_end end;
    /* open: its size or type needs a member that needs this one */
    if (member->state == DD_MEMBER_DONE) {
        return !member->broken;
    }
    if (member->state == DD_MEMBER_OPEN) {
        if (!member->broken) {
            dd_error(fl->ctx, member->ast->span, "the type or size of %s depends on itself", member->path);
        }
        member->broken = true;
        return false;
    }
    member->state = DD_MEMBER_OPEN;
    /* prefixes from the declaration, and from the record or connector around */
    const dd_member *around = member->parent->of; /* prefixes of a record are those of its members */
    bool record = around != NULL && around->class != NULL && around->class->kind == DD_CLASS_RECORD;
    member->causal_input = member->ast->is_input || (record && around->causal_input);
    member->causal_output = member->ast->is_output || (record && around->causal_output);
    member->is_flow = member->ast->is_flow || (around != NULL && around->is_flow);
    /* its type, then whether it exists, then its contents */
    bool ok = dd_member_type(fl, member, &end) && read_condition(fl, member);
    if (ok && !member->removed) {
        ok = end.predefined >= 0 ? expand_leaf(fl, member, &end) : expand_component(fl, member, &end);
    }
    member->broken = member->broken || !ok;
    member->state = DD_MEMBER_DONE;
    return !member->broken;
}

/* ---- all of it ---- */

/* Expands everything below, and lists the leaves in the order of the text. */
static void expand_all(dd_flattener *fl, dd_instance *in)
{
    /* depth first in the order of the text; messages inside a component name it */
    for (uint32_t i = 0; i < in->n_members; i++) {
        dd_member *member = in->members[i];
        size_t before = dd_context_error_count(fl->ctx);
        bool ok = dd_member_expand(fl, member);
        if (dd_context_error_count(fl->ctx) > before) {
            dd_instance_note(fl, in);
        }
        if (!ok || member->removed) {
            continue;
        }
        if (member->is_leaf) {
            dd_vec_push(fl->pool, &fl->order, member->decl);
            continue;
        }
        for (uint32_t k = 0; k < member->count; k++) {
            expand_all(fl, member->elements[k]);
        }
        if (dd_context_error_count(fl->ctx) > DD_FLAT_MAX_ERRORS) {
            return;
        }
    }
}

dd_instance *dd_instance_root(dd_flattener *fl, dd_ast_class *class)
{
    dd_instance *in = new_instance(fl, class, NULL, NULL, "", NULL);
    fl->root = in;
    /* members, then times and columns of data, which are names like any others, then everything below */
    collect(fl, in, class, NULL, false, 0);
    if (class->kind == DD_CLASS_OPTIMIZATION) {
        dd_flat_declare_times(fl);
        dd_flat_declare_data(fl);
    }
    expand_all(fl, in);
    return in;
}
