/* library_main.c - the class of a file to flatten: the one that is named, or the last that no other uses. */
#include <string.h>

#include "lang/lexer.h"
#include "lang/library_private.h"
#include "lang/parser.h"

typedef struct class_list {
    dd_ast_class **data;
    uint32_t len, cap;
} class_list;

/* All classes of the file, packages before their members, in the order they are written. */
static class_list list_classes(dd_library *lib)
{
    class_list list = {0};
    dd_ast_class *c = lib->ast->classes;
    const dd_ast_class *around = c != NULL ? c->parent : NULL; /* the package of a file with `within` */
    /* depth first without recursion: down to nested classes, then along, then up */
    while (c != NULL) {
        dd_vec_push(lib->pool, &list, c);
        if (c->classes != NULL) {
            c = c->classes;
            continue;
        }
        while (c != NULL && c->next == NULL) {
            c = c->parent != around ? c->parent : NULL;
        }
        c = c != NULL ? c->next : NULL;
    }
    return list;
}

static bool can_be_model(const dd_ast_class *c)
{
    return c->kind == DD_CLASS_MODEL || c->kind == DD_CLASS_BLOCK || c->kind == DD_CLASS_CLASS ||
           c->kind == DD_CLASS_OPTIMIZATION;
}

/* Not partial, and not written inside another model; a `class` without contents only holds documentation. */
static bool is_candidate(const dd_ast_class *c)
{
    /* a class nested in a model is a part of it */
    bool empty = c->decls == NULL && c->extends == NULL && c->equations[DD_AST_EQUATIONS] == NULL && !c->is_short;
    bool ok = can_be_model(c) && !c->is_partial && !(c->kind == DD_CLASS_CLASS && empty);
    for (const dd_ast_class *p = c->parent; ok && p != NULL; p = p->parent) {
        ok = p->kind == DD_CLASS_PACKAGE;
    }
    return ok;
}

/* ---- without a name ---- */

static void mark_used(dd_library *lib, dd_ast_class *user, const dd_ast_name *name)
{
    /* a class that uses itself is still unused */
    dd_element e = name->n > 0 ? dd_lookup_path(lib, user, name, NULL) : (dd_element){.kind = DD_ELEMENT_NONE};
    if (e.kind == DD_ELEMENT_CLASS && e.class != user) {
        e.class->used = true;
    }
}

static void mark_all_used(dd_library *lib, const class_list *list)
{
    lib->own_only = lib->ast->within.n == 0; /* other files use nothing of this one */
    /* used: extended, declared with, or the base of a short class */
    for (uint32_t i = 0; i < list->len; i++) {
        dd_ast_class *c = list->data[i];
        for (const dd_ast_extends *e = c->extends; e != NULL; e = e->next) {
            mark_used(lib, c, &e->name);
        }
        for (const dd_ast_decl *d = c->decls; d != NULL; d = d->next) {
            mark_used(lib, c, &d->type.name);
        }
        mark_used(lib, c->parent, &c->base.name);
    }
    lib->own_only = false;
    dd_library_forget_bases(list->data, list->len);
}

static dd_ast_class *last_unused(dd_library *lib, const class_list *list, bool *several)
{
    uint32_t candidates = 0, unused = 0;
    dd_ast_class *last = NULL, *chosen = NULL;
    /* one candidate needs no search for users */
    for (uint32_t i = 0; i < list->len; i++) {
        candidates += is_candidate(list->data[i]);
    }
    if (candidates > 1) {
        mark_all_used(lib, list);
    }
    /* the last candidate that nobody uses; if all are used, the last one */
    for (uint32_t i = 0; i < list->len; i++) {
        dd_ast_class *c = list->data[i];
        if (is_candidate(c)) {
            last = c;
            chosen = c->used ? chosen : c;
            unused += !c->used;
        }
    }
    *several = candidates > 1 && unused != 1;
    return chosen != NULL ? chosen : last;
}

static void report_no_model(dd_library *lib, const class_list *list)
{
    dd_span top = {lib->file, 0, 0};
    if (list->len == 0) {
        dd_error(lib->ctx, top, "there is no model here: expected `model NAME ... end NAME;`");
        return;
    }
    /* the message names what the file contains instead */
    bool partial = false;
    for (uint32_t i = 0; i < list->len; i++) {
        partial |= can_be_model(list->data[i]) && list->data[i]->is_partial;
    }
    dd_error(lib->ctx, top,
             partial ? "there is no complete model here, only partial ones, which others extend"
                     : "there is no model here, only classes of other kinds: the first is a %s",
             dd_class_kind_word(list->data[0]->kind));
}

/* ---- with a name ---- */

/* a.b.'c d' as parts; false when it is not a name. */
static bool split_name(dd_library *lib, const char *text, dd_ast_name *out)
{
    DD_VEC(uint32_t) parts = {0};
    const char *s = text;
    out->global = *s == '.';
    s += out->global;
    /* quoted parts may contain dots and escaped quotes */
    for (;;) {
        size_t n = 0;
        if (*s == '\'') {
            for (n = 1; s[n] != '\0' && s[n] != '\''; n++) {
                n += s[n] == '\\' && s[n + 1] != '\0';
            }
            n += s[n] == '\'';
        } else {
            n = strcspn(s, ".");
        }
        if (n == 0) {
            return false;
        }
        dd_vec_push(lib->pool, &parts, dd_name_id(lib->names, s, n));
        s += n;
        if (*s != '.') {
            break;
        }
        s++;
    }
    out->parts = parts.data;
    out->n = parts.len;
    return *s == '\0';
}

/* The only class of the file with this name, at any level. */
static dd_ast_class *find_anywhere(const class_list *list, uint32_t name)
{
    dd_ast_class *found = NULL;
    /* clear only if it is the only one */
    for (uint32_t i = 0; i < list->len; i++) {
        if (list->data[i]->name == name) {
            if (found != NULL) {
                return NULL;
            }
            found = list->data[i];
        }
    }
    return found;
}

static void report_unknown(dd_library *lib, const class_list *list, const char *name)
{
    DD_VEC(const char *) candidates = {0};
    dd_span top = {lib->file, 0, 0};
    /* the nearest name, or at least one that exists */
    for (uint32_t i = 0; i < list->len; i++) {
        if (can_be_model(list->data[i])) {
            dd_vec_push(lib->pool, &candidates, dd_class_full_name(lib, list->data[i], lib->pool));
        }
    }
    const char *near = candidates.len > 0 ? dd_closest_name(name, candidates.data, candidates.len) : NULL;
    if (near != NULL) {
        dd_error(lib->ctx, top, "there is no class %s here: did you mean %s?", name, near);
    } else if (candidates.len > 0) {
        dd_error(lib->ctx, top, "there is no class %s here; the last one is %s", name,
                 candidates.data[candidates.len - 1]);
    } else {
        dd_error(lib->ctx, top, "there is no class %s here", name);
    }
}

static dd_ast_class *find_named(dd_library *lib, const class_list *list, const char *text)
{
    dd_ast_name name = {0};
    uint32_t rest;
    if (!split_name(lib, text, &name)) {
        report_unknown(lib, list, text);
        return NULL;
    }
    /* as a name seen from the file; a single name may also be that of a nested class, if only one has it */
    const dd_ast_class *first = lib->ast->classes;
    dd_element e = dd_lookup_path(lib, first != NULL ? first->parent : NULL, &name, &rest);
    dd_ast_class *class = e.kind == DD_ELEMENT_CLASS ? e.class : NULL;
    if (class == NULL && e.kind == DD_ELEMENT_BROKEN) {
        return NULL;
    }
    if (class == NULL && name.n == 1) {
        class = find_anywhere(list, name.parts[0]);
    }
    if (class == NULL) {
        report_unknown(lib, list, text);
    } else if (!can_be_model(class)) {
        dd_error(lib->ctx, class->span, "%s is a %s; a model, block or optimization is needed", text,
                 dd_class_kind_word(class->kind));
        return NULL;
    } else if (class->is_partial) {
        dd_error(lib->ctx, class->span, "%s is partial: it must be extended and is not complete by itself", text);
        return NULL;
    }
    return class;
}

dd_ast_class *dd_library_main_class(dd_library *lib, const char *name, bool *several)
{
    class_list list = list_classes(lib);
    *several = false;
    if (name != NULL) {
        return find_named(lib, &list, name);
    }
    dd_ast_class *class = last_unused(lib, &list, several);
    if (class == NULL) {
        report_no_model(lib, &list);
    }
    return class;
}
