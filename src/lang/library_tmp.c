#include "lang/library.h"
#include <string.h>
struct dd_library {
    dd_pool *pool;
    dd_forms *forms;
    dd_ast_file *ast;
    uint32_t file;
};
dd_library *dd_library_new(dd_pool *pool, dd_forms *forms, dd_ast_file *ast, uint32_t file, const char *const *paths)
{
    (void)paths;
    dd_library *l = dd_pool_alloc(pool, sizeof *l);
    *l = (dd_library){pool, forms, ast, file};
    return l;
}
static const char *nm(dd_library *l, uint32_t id)
{
    return dd_names_get(dd_forms_names(l->forms), id);
}
static dd_element in_list(dd_ast_class *c, uint32_t name)
{
    for (; c; c = c->next)
        if (c->name == name)
            return (dd_element){.kind = DD_ELEMENT_CLASS, .class = c};
    return (dd_element){0};
}
dd_element dd_lookup_member(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    dd_element e = in_list(class->classes, name);
    if (e.kind)
        return e;
    for (dd_ast_decl *d = class->decls; d; d = d->next)
        if (d->name == name)
            return (dd_element){.kind = DD_ELEMENT_DECL, .class = class, .owner = class, .decl = d};
    uint32_t k = 1;
    for (dd_ast_literal *l = class->literals; l; l = l->next, k++)
        if (l->name == name)
            return (dd_element){.kind = DD_ELEMENT_LITERAL, .class = class, .literal = k};
    for (dd_ast_extends *x = class->extends; x; x = x->next) {
        dd_ast_class *b = dd_lookup_base(lib, class, x);
        if (b) {
            e = dd_lookup_member(lib, b, name);
            if (e.kind) {
                if (e.kind == DD_ELEMENT_DECL)
                    e.class = class;
                return e;
            }
        }
    }
    return (dd_element){0};
}
dd_element dd_lookup(dd_library *lib, dd_ast_class *scope, uint32_t name)
{
    static const char *const p[] = {"Real", "Integer", "Boolean", "String"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(p[i], nm(lib, name)))
            return (dd_element){.kind = DD_ELEMENT_PREDEFINED, .type = i};
    for (; scope; scope = scope->parent) {
        dd_element e = dd_lookup_member(lib, scope, name);
        if (e.kind)
            return e;
    }
    return in_list(lib->ast->classes, name);
}
dd_element dd_lookup_path(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, uint32_t *failed)
{
    dd_element e = dd_lookup(lib, name->global ? NULL : scope, name->parts[0]);
    uint32_t i = 1;
    for (; e.kind == DD_ELEMENT_CLASS && i < name->n; i++)
        e = dd_lookup_member(lib, e.class, name->parts[i]);
    *failed = i - 1;
    return e;
}
dd_ast_class *dd_lookup_class(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name)
{
    uint32_t f;
    dd_element e = dd_lookup_path(lib, scope, name, &f);
    if (e.kind == DD_ELEMENT_CLASS)
        return e.class;
    dd_error(dd_pool_context(lib->pool), name->span, "there is no class %s", nm(lib, name->parts[f]));
    return NULL;
}
dd_ast_class *dd_lookup_base(dd_library *lib, dd_ast_class *class, const dd_ast_extends *extends)
{
    uint32_t f;
    dd_element e = in_list(class->classes, extends->name.parts[0]);
    if (!e.kind)
        return dd_lookup_class(lib, class->parent, &extends->name);
    (void)f;
    return e.class;
}
const char *dd_class_full_name(dd_library *lib, const dd_ast_class *class, dd_pool *pool)
{
    return class->parent
               ? dd_pool_printf(pool, "%s.%s", dd_class_full_name(lib, class->parent, pool), nm(lib, class->name))
               : nm(lib, class->name);
}
const char *dd_lookup_suggest(dd_library *lib, dd_ast_class *scope, const char *name)
{
    (void)lib, (void)scope, (void)name;
    return NULL;
}
const char *dd_lookup_suggest_member(dd_library *lib, dd_ast_class *scope, const char *name)
{
    (void)lib, (void)scope, (void)name;
    return NULL;
}
dd_ast_class *dd_library_classes(dd_library *lib)
{
    return lib->ast->classes;
}
dd_ast_class *dd_library_main_class(dd_library *lib, const char *name, bool *several)
{
    dd_ast_class *last = NULL;
    *several = false;
    for (dd_ast_class *c = lib->ast->classes; c; c = c->next) {
        if (c->kind == DD_CLASS_PACKAGE) {
            for (dd_ast_class *d = c->classes; d; d = d->next)
                if (d->kind == DD_CLASS_MODEL)
                    last = d;
        } else if (c->kind != DD_CLASS_TYPE && (name == NULL || !strcmp(name, nm(lib, c->name))))
            last = c;
    }
    return last;
}
