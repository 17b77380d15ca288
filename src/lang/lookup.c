/* lookup.c - the meaning of a name at a place in a class, by the rules of Modelica (5.3 and 13.2 of the specification).
 *
 * A name is looked for among the members of the class itself and those it inherits, then among its imports, then in
 * the class around it, and so on; at the end at the top level. The base classes of a class are looked up once, when
 * they are first needed, by a walk over all classes above it that also finds circles; a search for a member then only
 * follows pointers. While the bases of a class are being looked up its inherited members are not seen, which is also
 * the rule of the language (the name in an extends clause is not found through such a clause).
 */
#include "lang/lexer.h"
#include "lang/library_private.h"
#include "lang/parser.h"

static const dd_element nothing = {.kind = DD_ELEMENT_NONE};
static const dd_element broken = {.kind = DD_ELEMENT_BROKEN};

const char *dd_library_name(const dd_library *lib, uint32_t id)
{
    return dd_name_quoted(lib->pool, dd_names_get(lib->names, id));
}

static dd_element class_element(dd_ast_class *class)
{
    return (dd_element){.kind = DD_ELEMENT_CLASS, .class = class};
}

/* ---- members of one class ---- */

void dd_library_add_nested(dd_library *lib, dd_ast_class *class, dd_ast_class *nested)
{
    /* the first definition of a name stays; a second one in the same class is an error */
    uint32_t first = dd_map_get(&class->class_by_name, nested->name);
    if (first != 0) {
        const dd_ast_class *before = class->nested[first - 1];
        dd_error(lib->ctx, nested->span, "the %s %s is defined twice, the first time in line %u",
                 nested->kind == DD_CLASS_TYPE ? "type" : "class", dd_library_name(lib, nested->name),
                 (unsigned)dd_span_line(lib->ctx, before->span));
        return;
    }
    class->nested = class->n_nested < class->cap_nested
                        ? class->nested
                        : dd_vec_grow(lib->pool, class->nested, &class->cap_nested, (uint64_t) class->n_nested + 1,
                                      sizeof(dd_ast_class *));
    class->nested[class->n_nested++] = nested;
    dd_map_put(&class->class_by_name, nested->name, class->n_nested);
}

void dd_library_index(dd_library *lib, dd_ast_class *class)
{
    if (class->indexed) {
        return;
    }
    /* once per class: tables from names to nested classes and to declarations */
    class->indexed = true;
    class->class_by_name = dd_map_new(lib->pool);
    class->decl_by_name = dd_map_new(lib->pool);
    for (dd_ast_class *c = class->classes; c != NULL; c = c->next) {
        dd_library_add_nested(lib, class, c);
    }
    uint32_t n = 0;
    for (dd_ast_decl *d = class->decls; d != NULL; d = d->next) {
        n++;
    }
    class->members = dd_pool_alloc_array(lib->pool, n + 1, sizeof *class->members);
    n = 0;
    for (dd_ast_decl *d = class->decls; d != NULL; d = d->next) {
        class->members[n++] = d;
        if (dd_map_get(&class->decl_by_name, d->name) == 0) { /* a second one is reported where it is declared */
            dd_map_put(&class->decl_by_name, d->name, n);
        }
    }
}

static dd_element find_literal(dd_ast_class *class, uint32_t name)
{
    /* literals are numbered from 1, as their values are */
    uint32_t number = 0;
    for (const dd_ast_literal *l = class->literals; l != NULL; l = l->next) {
        number++;
        if (l->name == name) {
            return (dd_element){.kind = DD_ELEMENT_LITERAL, .class = class, .literal = number};
        }
    }
    return nothing;
}

/* Written in the class itself, or in a file of its folder. */
static dd_element find_own(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    /* declarations before classes before literals; a folder package may have the name in a file not read yet */
    dd_library_index(lib, class);
    uint32_t index = dd_map_get(&class->decl_by_name, name);
    if (index != 0) {
        return (dd_element){.kind = DD_ELEMENT_DECL, .class = class, .owner = class, .decl = class->members[index - 1]};
    }
    index = dd_map_get(&class->class_by_name, name);
    if (index != 0) {
        return class_element(class->nested[index - 1]);
    }
    if (class->is_enumeration) {
        return find_literal(class, name);
    }
    return class->folder != NULL && !lib->own_only ? dd_library_folder_member(lib, class, name) : nothing;
}

/* ---- base classes ---- */

/* One of the edges class -> base: an extends clause, or the right side of a short definition. */
typedef struct base_edge {
    const dd_ast_name *name;
    dd_ast_class **target;
    dd_ast_found *found;
    dd_span span;
} base_edge;

/* The n-th edge; false past the last. `at` remembers the clause between calls, NULL at the first. */
static bool next_edge(dd_ast_class *class, dd_ast_extends **at, bool *began, base_edge *edge)
{
    /* a short class has one edge, a long one an edge per extends clause; enumerations have none */
    if (class->is_short) {
        if (*began || class->is_enumeration || class->base.name.n == 0) {
            return false;
        }
        *began = true;
        *edge = (base_edge){&class->base.name, &class->base_target, &class->base_found, class->base.span};
        return true;
    }
    *at = *began ? (*at)->next : class->extends;
    *began = true;
    if (*at == NULL) {
        return false;
    }
    *edge = (base_edge){&(*at)->name, &(*at)->target, &(*at)->found, (*at)->span};
    return true;
}

static bool enter(dd_library *lib, dd_span span)
{
    /* names that wait for names: the limit bounds the recursion in C */
    if (lib->depth < DD_LIBRARY_MAX_DEPTH) {
        lib->depth++;
        return true;
    }
    dd_error(lib->ctx, span, "the names here depend on each other over more than %d steps, the limit",
             DD_LIBRARY_MAX_DEPTH);
    return false;
}

static dd_element find_import(dd_library *lib, dd_ast_class *class, uint32_t name);
static dd_element follow(dd_library *lib, dd_element element, const dd_ast_name *name, uint32_t *rest);

static dd_element find_predefined(dd_library *lib, uint32_t name)
{
    for (int i = 0; i < 4; i++) {
        if (lib->predefined[i] == name) {
            return (dd_element){.kind = DD_ELEMENT_PREDEFINED, .type = i};
        }
    }
    return nothing;
}

/* The first part of a name in an extends clause of `class`: not among inherited members. */
static dd_element find_first_of_base(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    /* a short definition is seen from around itself; a long class has its own members and imports first */
    if (class->is_short) {
        return dd_lookup(lib, class->parent, name);
    }
    /* inherited members are left out: this search is what finds them */
    dd_element e = find_own(lib, class, name);
    if (e.kind == DD_ELEMENT_NONE) {
        e = find_import(lib, class, name);
    }
    if (e.kind != DD_ELEMENT_NONE) {
        return e;
    }
    return class->is_encapsulated ? find_predefined(lib, name) : dd_lookup(lib, class->parent, name);
}

static void find_base(dd_library *lib, dd_ast_class *class, const base_edge *edge)
{
    uint32_t rest = 0;
    /* a base is found once and kept in its clause; also that it is predefined, or wrong */
    dd_element e = broken;
    if (enter(lib, edge->span)) {
        e = edge->name->global ? dd_library_top(lib, edge->name->parts[0])
                               : find_first_of_base(lib, class, edge->name->parts[0]);
        e = follow(lib, e, edge->name, &rest);
        lib->depth--;
    }
    bool all = rest == edge->name->n;
    if (e.kind == DD_ELEMENT_CLASS && all) {
        *edge->target = e.class;
        *edge->found = DD_AST_FOUND;
    } else if (e.kind == DD_ELEMENT_PREDEFINED && all) {
        *edge->found = DD_AST_PREDEFINED;
    } else {
        *edge->found = DD_AST_WRONG;
        if (!lib->own_only) {
            dd_lookup_report(lib, class->is_short ? class->parent : class, edge->name, e, rest, "a class");
        }
    }
}

static void report_circle(dd_library *lib, const dd_ast_class *class, const base_edge *edge)
{
    const char *name = dd_class_full_name(lib, class, lib->pool);
    /* the name that closes the circle, with the class it goes through */
    const char *other = dd_class_full_name(lib, *edge->target, lib->pool);
    if (class == *edge->target) {
        dd_error(lib->ctx, edge->span, class->is_short ? "%s is defined by itself" : "%s extends itself", name);
    } else {
        dd_error(lib->ctx, edge->span,
                 class->is_short ? "%s is defined by itself: as %s, which leads back to %s"
                                 : "%s extends itself: it extends %s, which leads back to %s",
                 name, other, name);
    }
}

typedef struct walk_step {
    dd_ast_class *class;
    dd_ast_extends *at;
    bool began;
} walk_step;

/* Looks up the bases of the class and of all classes above it; an edge that closes a circle is cut after a message. */
static void ensure_bases(dd_library *lib, dd_ast_class *class)
{
    /* bases: 0 not looked up, 1 under way, 2 done */
    if (class->bases != 0) {
        return;
    }
    if (class->extends == NULL && !class->is_short) {
        class->bases = 2;
        return;
    }
    DD_VEC(walk_step) steps = {0};
    /* depth first over extends clauses with an explicit stack, so that long chains are fine */
    class->bases = 1;
    dd_vec_push(lib->pool, &steps, (walk_step){.class = class});
    while (steps.len > 0) {
        walk_step *step = &steps.data[steps.len - 1];
        dd_ast_class *at = step->class;
        base_edge edge;
        if (!next_edge(at, &step->at, &step->began, &edge)) {
            at->bases = 2;
            steps.len--;
            continue;
        }
        /* an edge is resolved when it is first walked over */
        if (*edge.found == DD_AST_UNKNOWN) {
            find_base(lib, at, &edge);
        }
        if (*edge.found != DD_AST_FOUND || (*edge.target)->bases == 2) {
            continue;
        }
        /* back at a class under way: a circle. The edge is cut, so that searches for members end */
        if ((*edge.target)->bases == 1) {
            if (!lib->own_only) {
                report_circle(lib, at, &edge);
            }
            *edge.found = DD_AST_WRONG;
            *edge.target = NULL;
            continue;
        }
        (*edge.target)->bases = 1;
        dd_vec_push(lib->pool, &steps, (walk_step){.class = *edge.target});
    }
    dd_vec_free(lib->pool, &steps);
}

void dd_library_forget_bases(dd_ast_class *const *classes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        dd_ast_extends *at = NULL;
        bool began = false;
        base_edge edge;
        classes[i]->bases = 0;
        while (next_edge(classes[i], &at, &began, &edge)) {
            *edge.found = DD_AST_UNKNOWN;
            *edge.target = NULL;
        }
    }
}

dd_ast_class *dd_lookup_base(dd_library *lib, dd_ast_class *class, const dd_ast_extends *extends)
{
    ensure_bases(lib, class);
    return extends->target;
}

dd_element dd_lookup_short(dd_library *lib, dd_ast_class *class)
{
    ensure_bases(lib, class);
    /* a class, a predefined type, or a message that was given before */
    if (class->base_found == DD_AST_FOUND) {
        return class_element(class->base_target);
    }
    if (class->base_found != DD_AST_PREDEFINED) {
        return broken;
    }
    return dd_lookup(lib, NULL, class->base.name.parts[0]);
}

/* ---- inherited members ---- */

/* The bases of a class onto the stack, the first on top. */
void dd_library_push_bases(dd_library *lib, dd_ast_class *class)
{
    uint32_t begin = lib->stack.len;
    dd_ast_extends *at = NULL;
    bool began = false;
    base_edge edge;
    /* pushed in order, then reversed: the first clause must be searched first */
    while (next_edge(class, &at, &began, &edge)) {
        if (*edge.found == DD_AST_FOUND) {
            dd_vec_push(lib->pool, &lib->stack, *edge.target);
        }
    }
    for (uint32_t i = begin, k = lib->stack.len; i + 1 < k; i++, k--) {
        dd_ast_class *c = lib->stack.data[i];
        lib->stack.data[i] = lib->stack.data[k - 1];
        lib->stack.data[k - 1] = c;
    }
}

/* Through all classes above this one, each once, in the order they are written. */
static dd_element find_member(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    /* own members come before inherited ones */
    dd_element e = find_own(lib, class, name);
    if (e.kind != DD_ELEMENT_NONE || (class->extends == NULL && !class->is_short)) {
        return e;
    }
    ensure_bases(lib, class);
    /* every class once, however many ways lead to it: marked with the number of this search */
    uint32_t begin = lib->stack.len, search = ++lib->search;
    class->visited = search;
    dd_library_push_bases(lib, class);
    while (lib->stack.len > begin && e.kind == DD_ELEMENT_NONE) {
        dd_ast_class *base = lib->stack.data[--lib->stack.len];
        if (base->visited == search) {
            continue;
        }
        base->visited = search;
        e = find_own(lib, base, name);
        dd_library_push_bases(lib, base);
    }
    lib->stack.len = begin;
    /* reached through the class that was asked, though written in a base */
    if (e.kind == DD_ELEMENT_DECL) {
        e.class = class;
    }
    return e;
}

dd_element dd_lookup_member(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    if (!enter(lib, class->span)) {
        return broken;
    }
    dd_element e = find_member(lib, class, name);
    lib->depth--;
    return e;
}

/* ---- imports ---- */

/* The thing an import names; NONE when it is not there. */
static dd_element resolve_import(dd_library *lib, const dd_ast_import *import, uint32_t *rest)
{
    *rest = 0;
    return follow(lib, dd_library_top(lib, import->name.parts[0]), &import->name, rest);
}

static dd_element report_import(dd_library *lib, dd_ast_import *import, dd_element e, uint32_t rest)
{
    if (!import->reported && !lib->own_only) {
        import->reported = true;
        dd_ast_name name = import->name;
        name.global = true; /* imports are read from the top level */
        dd_lookup_report(lib, NULL, &name, e, rest, import->all ? "a package" : "a class");
    }
    return broken;
}

static dd_element find_qualified(dd_library *lib, dd_ast_import *import)
{
    uint32_t rest;
    dd_element e = resolve_import(lib, import, &rest);
    /* the whole path must exist; a wrong import is reported once, at its first use */
    bool ok = e.kind != DD_ELEMENT_NONE && e.kind != DD_ELEMENT_BROKEN && rest == import->name.n;
    return ok ? e : report_import(lib, import, e, rest);
}

static dd_element find_in_package(dd_library *lib, dd_ast_import *import, uint32_t name)
{
    uint32_t rest;
    dd_element e = resolve_import(lib, import, &rest);
    if (e.kind != DD_ELEMENT_CLASS || rest != import->name.n) {
        report_import(lib, import, e, rest);
        return nothing;
    }
    return dd_lookup_member(lib, e.class, name);
}

static dd_element find_import(dd_library *lib, dd_ast_class *class, uint32_t name)
{
    /* import C = A.B and import A.B by their name, then import A.* in order (13.2) */
    for (dd_ast_import *i = class->imports; i != NULL; i = i->next) {
        if (!i->all && i->alias == name) {
            return find_qualified(lib, i);
        }
    }
    dd_element found = nothing;
    for (dd_ast_import *i = class->imports; i != NULL && found.kind == DD_ELEMENT_NONE; i = i->next) {
        if (i->all) {
            found = find_in_package(lib, i, name);
        }
    }
    return found;
}

/* ---- scopes ---- */

/* A short definition has no scope of its own: names are seen from the class around it. */
static dd_element find_in_scopes(dd_library *lib, dd_ast_class *scope, uint32_t name)
{
    dd_element e = nothing;
    /* outwards from the innermost class; `encapsulated` ends the walk (5.3.1) */
    for (dd_ast_class *c = scope; c != NULL && e.kind == DD_ELEMENT_NONE; c = c->parent) {
        if (!c->is_short) {
            e = find_member(lib, c, name);
            if (e.kind == DD_ELEMENT_NONE) {
                e = find_import(lib, c, name);
            }
        }
        if (c->is_encapsulated) {
            return e;
        }
    }
    return e.kind == DD_ELEMENT_NONE ? dd_library_top(lib, name) : e;
}

dd_element dd_lookup(dd_library *lib, dd_ast_class *scope, uint32_t name)
{
    /* predefined types cannot be redefined, predefined enumerations can */
    dd_element e = find_predefined(lib, name);
    if (e.kind != DD_ELEMENT_NONE) {
        return e;
    }
    if (!enter(lib, scope != NULL ? scope->span : DD_NO_SPAN)) {
        return broken;
    }
    e = find_in_scopes(lib, scope, name);
    lib->depth--;
    for (dd_ast_class *c = lib->enumerations; c != NULL && e.kind == DD_ELEMENT_NONE; c = c->next) {
        e = c->name == name ? class_element(c) : nothing;
    }
    return e;
}

/* The parts after the first, as members of what was found. */
static dd_element follow(dd_library *lib, dd_element element, const dd_ast_name *name, uint32_t *rest)
{
    *rest = 0;
    if (element.kind == DD_ELEMENT_NONE || element.kind == DD_ELEMENT_BROKEN) {
        return element;
    }
    /* members of classes as long as there are classes; a component ends the walk, its members are instances */
    for (*rest = 1; *rest < name->n && element.kind == DD_ELEMENT_CLASS; (*rest)++) {
        dd_element next = dd_lookup_member(lib, element.class, name->parts[*rest]);
        if (next.kind == DD_ELEMENT_NONE || next.kind == DD_ELEMENT_BROKEN) {
            return next;
        }
        element = next;
    }
    return element;
}

dd_element dd_lookup_path(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name, uint32_t *rest)
{
    uint32_t read;
    dd_element e = name->global ? dd_library_top(lib, name->parts[0]) : dd_lookup(lib, scope, name->parts[0]);
    e = follow(lib, e, name, &read);
    /* parts that remain are fine behind a component, otherwise the name does not exist */
    if (e.kind != DD_ELEMENT_DECL && e.kind != DD_ELEMENT_BROKEN && read < name->n) {
        e = nothing;
    }
    if (rest != NULL) {
        *rest = read;
    }
    return e;
}

dd_ast_class *dd_lookup_class(dd_library *lib, dd_ast_class *scope, const dd_ast_name *name)
{
    uint32_t rest;
    dd_element e = dd_lookup_path(lib, scope, name, &rest);
    if (e.kind == DD_ELEMENT_CLASS && rest == name->n) {
        return e.class;
    }
    dd_lookup_report(lib, scope, name, e, rest, "a class");
    return NULL;
}
