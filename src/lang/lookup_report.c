/* lookup_report.c - full names of classes, the nearest name for a mistyped one, and messages about names that are
 * not there or mean something else. */
#include <string.h>

#include "lang/lexer.h"
#include "lang/library_private.h"
#include "lang/parser.h"

const char *dd_class_full_name(dd_library *lib, const dd_ast_class *class, dd_pool *pool)
{
    DD_VEC(const dd_ast_class *) outward = {0};
    dd_text text = dd_text_new(pool);
    /* from the class outwards, printed from the outside in */
    for (const dd_ast_class *c = class; c != NULL; c = c->parent) {
        dd_vec_push(pool, &outward, c);
    }
    for (uint32_t i = outward.len; i-- > 0;) {
        dd_text_add(&text, dd_name_quoted(pool, dd_names_get(lib->names, outward.data[i]->name)));
        if (i > 0) {
            dd_text_add_char(&text, '.');
        }
    }
    dd_vec_free(pool, &outward);
    return dd_text_str(&text);
}

/* ---- suggestions ---- */

enum { MAX_CANDIDATES = 20000 };
typedef struct candidates {
    const char **data;
    uint32_t len, cap;
} candidates;

static void add_candidate(dd_library *lib, candidates *list, uint32_t name)
{
    if (list->len < MAX_CANDIDATES) {
        dd_vec_push(lib->pool, list, dd_library_name(lib, name));
    }
}

static void add_members(dd_library *lib, dd_ast_class *class, candidates *list)
{
    /* as find_member, but collecting: everything the class has or inherits */
    uint32_t begin = lib->stack.len, search = ++lib->search;
    dd_vec_push(lib->pool, &lib->stack, class);
    while (lib->stack.len > begin) {
        dd_ast_class *c = lib->stack.data[--lib->stack.len];
        if (c->visited == search) {
            continue;
        }
        c->visited = search;
        for (const dd_ast_class *n = c->classes; n != NULL; n = n->next) {
            add_candidate(lib, list, n->name);
        }
        for (const dd_ast_decl *d = c->decls; d != NULL; d = d->next) {
            add_candidate(lib, list, d->name);
        }
        for (const dd_ast_literal *l = c->literals; l != NULL; l = l->next) {
            add_candidate(lib, list, l->name);
        }
        /* members in files that were not read are candidates as well */
        if (c->folder != NULL) {
            const char **files;
            uint32_t n;
            dd_library_folder_candidates(lib, c, lib->pool, &files, &n);
            for (uint32_t i = 0; i < n && list->len < MAX_CANDIDATES; i++) {
                dd_vec_push(lib->pool, list, files[i]);
            }
        }
        dd_library_push_bases(lib, c);
    }
}

static const char *closest(dd_library *lib, candidates *list, const char *name)
{
    const char *near = dd_closest_name(name, list->data, list->len);
    dd_block_free(lib->pool, list->data);
    return near;
}

/* The predefined types by their names in other languages. */
static const char *habit(const char *name)
{
    static const char *const habits[][2] = {{"double", "Real"},     {"float", "Real"},     {"number", "Real"},
                                            {"int", "Integer"},     {"bool", "Boolean"},   {"real", "Real"},
                                            {"integer", "Integer"}, {"boolean", "Boolean"}};
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        if (strcmp(name, habits[i][0]) == 0) {
            return habits[i][1];
        }
    }
    return NULL;
}

const char *dd_lookup_suggest(dd_library *lib, dd_ast_class *scope, const char *name)
{
    candidates list = {0};
    if (habit(name) != NULL) {
        return habit(name);
    }
    if (lib->suggestions++ >= DD_LIBRARY_MAX_SUGGESTIONS) {
        return NULL;
    }
    /* everything that is visible from the scope: members, imports, the top level, predefined types */
    for (dd_ast_class *c = scope; c != NULL; c = c->is_encapsulated ? NULL : c->parent) {
        add_members(lib, c, &list);
        for (const dd_ast_import *i = c->imports; i != NULL; i = i->next) {
            if (!i->all) {
                add_candidate(lib, &list, i->alias);
            }
        }
    }
    for (uint32_t i = 0; i < lib->classes.len; i++) {
        add_candidate(lib, &list, lib->classes.data[i]->name);
    }
    for (int i = 0; i < 4; i++) {
        add_candidate(lib, &list, lib->predefined[i]);
    }
    return closest(lib, &list, name);
}

const char *dd_lookup_suggest_member(dd_library *lib, dd_ast_class *class, const char *name)
{
    candidates list = {0};
    if (lib->suggestions++ >= DD_LIBRARY_MAX_SUGGESTIONS) {
        return NULL;
    }
    add_members(lib, class, &list);
    return closest(lib, &list, name);
}

/* ---- messages ---- */

/* The class that was read last before part number `rest` was not found in it; NULL when there is none. */
static dd_ast_class *owner_of_part(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, uint32_t rest)
{
    dd_ast_name before = *name;
    before.n = rest;
    dd_element e = rest > 0 ? dd_lookup_path(lib, scope, &before, NULL) : (dd_element){.kind = DD_ELEMENT_NONE};
    return e.kind == DD_ELEMENT_CLASS ? e.class : NULL;
}

static void report_missing(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, uint32_t rest,
                           const char *needed)
{
    /* part number `rest` is missing; the class before it says where */
    const char *part = dd_library_name(lib, name->parts[rest]);
    const char *noun = strchr(needed, ' ') != NULL ? strchr(needed, ' ') + 1 : needed;
    dd_ast_class *owner = owner_of_part(lib, scope, name, rest);
    const char *near = owner != NULL ? dd_lookup_suggest_member(lib, owner, part) : NULL;
    if (rest == 0) {
        near = dd_lookup_suggest(lib, name->global ? NULL : scope, part);
    }
    const char *where = owner != NULL ? dd_class_full_name(lib, owner, lib->pool) : "";
    const char *in = owner != NULL ? " in " : "";
    const char *whole = rest == 0 && name->n > 1 ? dd_ast_name_text(lib->names, name, lib->pool) : NULL;
    dd_text text = dd_text_new(lib->pool);
    /* A.B.c with an unknown A, or one name inside a known class */
    if (whole != NULL) {
        dd_text_printf(&text, "%s: there is no package or class %s", whole, part);
    } else {
        dd_text_printf(&text, "there is no %s %s%s%s", noun, part, in, where);
    }
    /* another file is found by the name of its class */
    if (rest == 0 && whole == NULL && near == NULL && strcmp(noun, "class") == 0) {
        dd_text_printf(&text, "; in another file it would be found as %s.mo, in this folder or one of the libraries",
                       part);
    }
    dd_error(lib->ctx, name->span, near != NULL ? "%.400s: did you mean %s?" : "%.400s", dd_text_str(&text), near);
}

void dd_lookup_report(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, dd_element element, uint32_t rest,
                      const char *needed)
{
    const char *text = dd_ast_name_text(lib->names, name, lib->pool);
    switch (element.kind) {
    /* BROKEN was reported, NONE does not exist, the others are not of the kind that is needed */
    case DD_ELEMENT_BROKEN:
        return;
    case DD_ELEMENT_NONE:
        report_missing(lib, scope, name, rest < name->n ? rest : 0, needed);
        return;
    case DD_ELEMENT_CLASS: {
        const char *kind = dd_class_kind_word(element.class->kind);
        dd_error(lib->ctx, name->span, "%s is %s %s; %s is needed here", text, strchr("aeiou", kind[0]) ? "an" : "a",
                 kind, needed);
        return;
    }
    case DD_ELEMENT_DECL:
        dd_error(lib->ctx, name->span, "%s is %s; %s is needed here", text,
                 element.decl->variability == DD_AST_CONSTANT    ? "a constant"
                 : element.decl->variability == DD_AST_PARAMETER ? "a parameter"
                                                                 : "a variable",
                 needed);
        return;
    case DD_ELEMENT_LITERAL:
        dd_error(lib->ctx, name->span, "%s is a value of the enumeration %s; %s is needed here", text,
                 dd_class_full_name(lib, element.class, lib->pool), needed);
        return;
    case DD_ELEMENT_PREDEFINED:
        dd_error(lib->ctx, name->span, "%s is a predefined type; %s is needed here", text, needed);
        return;
    }
}
