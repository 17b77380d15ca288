/* instance_mods.c - modifications that travel down the tree of components: lists with the strongest first. */
#include <string.h>

#include "lang/flatten.h"

enum { MOST_LISTED = 12 }; /* parameters in a note: more are no help */

/* Written as a.b = 1, not as a(b = 1)? */
static bool is_dotted(const dd_flattener *fl, const dd_ast_mod *ast)
{
    size_t length;
    const char *text = dd_source_text(fl->ctx, ast->span.file, &length);
    return ast->nested != NULL && ast->span.end < length && text[ast->span.end] == '.';
}

/* The value that two modifications of the same name both set; NULL: none. Recursion: the parser limits the
 * nesting. */
static const dd_ast_mod *clash(const dd_ast_mod *a, const dd_ast_mod *b)
{
    /* both set a value, or both modify the same thing further inside */
    if (a->value != DD_FORM_NONE && b->value != DD_FORM_NONE) {
        return b;
    }
    for (const dd_ast_mod *x = a->nested; x != NULL; x = x->next) {
        for (const dd_ast_mod *y = b->nested; y != NULL; y = y->next) {
            const dd_ast_mod *found = x->name == y->name ? clash(x, y) : NULL;
            if (found != NULL) {
                return found;
            }
        }
    }
    return NULL;
}

/* The same name twice in one list: a.b = 1, a.c = 2 belong together; the rest is reported. */
static bool may_repeat(dd_flattener *fl, const dd_ast_mod *list, const dd_ast_mod *ast)
{
    const char *name = dd_names_get(fl->m->names, ast->name);
    bool dotted = is_dotted(fl, ast);
    /* dotted ones may repeat (a.b = 1, a.c = 2) as long as they do not meet */
    for (const dd_ast_mod *before = list; before != ast; before = before->next) {
        if (before->name != ast->name) {
            continue;
        }
        const dd_ast_mod *both = clash(before, ast);
        if (both != NULL) {
            dd_error(fl->ctx, both->span, "%s is given twice", dd_names_get(fl->m->names, both->name));
            return false;
        }
        if (!dotted && !is_dotted(fl, before)) {
            dd_error(fl->ctx, ast->span,
                     ast->nested == NULL
                         ? "%s is given twice"
                         : "%s is modified twice: write all of it in one place, %s(start = .., min = ..)",
                     name, name);
            return false;
        }
    }
    return true;
}

dd_mod *dd_mods_new(dd_flattener *fl, const dd_ast_mod *list, dd_place place, bool optimization)
{
    /* one by one, in the order of the text; a table only where there is something to compare */
    dd_mod *first = NULL, **end = &first;
    if (list == NULL) {
        return NULL;
    }
    dd_map seen = dd_map_new(fl->pool);
    for (const dd_ast_mod *ast = list; ast != NULL; ast = ast->next) {
        if (list->next != NULL && dd_map_get(&seen, ast->name) != 0 && !may_repeat(fl, list, ast)) {
            continue;
        }
        if (list->next != NULL) {
            dd_map_put(&seen, ast->name, 1);
        }
        dd_mod *mod = dd_pool_alloc(fl->pool, sizeof *mod);
        *mod = (dd_mod){.ast = ast, .place = place, .optimization = optimization};
        mod->used = dd_pool_alloc(fl->pool, sizeof *mod->used);
        *end = mod;
        end = &mod->next;
    }
    dd_map_free(&seen);
    return first;
}

/* A copy of `strong` that ends in `weak`. */
dd_mod *dd_mods_join(dd_flattener *fl, const dd_mod *strong, dd_mod *weak)
{
    dd_mod *first = weak, **end = &first;
    /* the copies are needed: lists share their ends, and `next` belongs to one list */
    for (; strong != NULL; strong = strong->next) {
        dd_mod *mod = dd_pool_alloc(fl->pool, sizeof *mod);
        *mod = *strong;
        *end = mod;
        end = &mod->next;
        *end = weak;
    }
    return first;
}

/* A modification of a member as it applies below it: `each` says that its values are not arrays over the elements
 * of the component around. */
dd_mod dd_mod_below(const dd_mod *mod)
{
    /* `each`: the subscripts that the array directly above added are taken back */
    dd_mod below = *mod;
    below.next = NULL;
    if (mod->ast->each) {
        below.n_element -= mod->own;
    }
    below.own = 0;
    return below;
}

/* final holds against everything outside it, protected against everything that does not inherit. */
static void check_allowed(dd_flattener *fl, const dd_member *member, const dd_mod *mod, const dd_mod *stronger)
{
    /* the three reasons, strongest first */
    if (member->ast->is_final) {
        dd_error(fl->ctx, mod->ast->span, "%s is final and cannot be modified", member->path);
        dd_note(fl->ctx, member->ast->span, "%s is declared here", member->path);
    } else if (stronger != NULL && (mod->ast->is_final || mod->is_final) &&
               (stronger->place.instance != mod->place.instance || stronger->place.class != mod->place.class)) {
        dd_error(fl->ctx, stronger->ast->span, "%s was modified as final and cannot be modified again", member->path);
        dd_note(fl->ctx, mod->ast->span, "here it was made final");
    } else if (member->is_protected && mod->place.instance != member->parent) {
        dd_error(fl->ctx, mod->ast->span, "%s is protected: it cannot be modified from outside its class",
                 member->path);
        dd_note(fl->ctx, member->ast->span, "%s is declared here", member->path);
    }
}

dd_mod *dd_mods_for_member(dd_flattener *fl, const dd_member *member, dd_mod *mods)
{
    dd_mod *first = NULL, **end = &first;
    const dd_mod *strongest = NULL;
    /* all modifications of this name, strongest first; their nested ones apply inside the member, written at the
     * same place */
    for (const dd_mod *mod = mods; mod != NULL; mod = mod->next) {
        if (mod->ast->name != member->ast->name) {
            continue;
        }
        *mod->used = true;
        check_allowed(fl, member, mod, strongest);
        strongest = strongest != NULL ? strongest : mod;
        dd_mod below = dd_mod_below(mod);
        dd_mod *nested = dd_mods_new(fl, mod->ast->nested, mod->place, mod->optimization);
        for (dd_mod *m = nested; m != NULL; m = m->next) {
            m->element = below.element;
            m->sizes = below.sizes;
            m->n_element = below.n_element;
            m->is_final = mod->is_final || mod->ast->is_final;
            *end = m;
            end = &m->next;
        }
    }
    /* the weakest: those of the declaration */
    *end = dd_mods_new(fl, member->ast->mods, (dd_place){member->parent, member->owner},
                       member->owner->kind == DD_CLASS_OPTIMIZATION);
    return first;
}

dd_mod *dd_mods_for_element(dd_flattener *fl, const dd_mod *mods, const uint32_t *at, const uint32_t *dims, uint32_t n)
{
    /* not an array: nothing to select */
    if (n == 0) {
        return dd_mods_join(fl, mods, NULL);
    }
    dd_mod *first = NULL, **end = &first;
    for (; mods != NULL; mods = mods->next) {
        dd_mod *mod = dd_pool_alloc(fl->pool, sizeof *mod);
        *mod = *mods;
        mod->next = NULL;
        /* subscripts of this element behind those of the arrays around it; sizes in the second half of the same
         * block */
        const uint32_t before = mods->n_element, count = before + n;
        uint32_t *element = dd_pool_alloc_array(fl->pool, 2u * count, sizeof *element);
        if (before > 0) {
            memcpy(element, mods->element, before * sizeof *element);
            memcpy(element + count, mods->sizes, before * sizeof *element);
        }
        memcpy(element + before, at, n * sizeof *element);
        memcpy(element + count + before, dims, n * sizeof *element);
        mod->element = element;
        mod->sizes = element + count;
        mod->n_element = mods->n_element + n;
        mod->own = n;
        *end = mod;
        end = &mod->next;
    }
    return first;
}

/* "; its parameters are k, d": what may be set where no name is near. Empty: there are none, or too many to list. */
static const char *parameters_of(const dd_flattener *fl, const dd_instance *in)
{
    dd_text list = dd_text_new(fl->pool);
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n_members; i++) {
        const dd_ast_decl *d = in->members[i]->ast;
        if (d->variability == DD_AST_PARAMETER && !d->is_protected) {
            dd_text_printf(&list, "%s%s", n > 0 ? ", " : "", dd_names_get(fl->m->names, d->name));
            n++;
        }
    }
    return n == 0 || n > MOST_LISTED
               ? ""
               : dd_pool_printf(fl->pool, "; %s %s", n == 1 ? "its parameter is" : "its parameters are",
                                dd_text_str(&list));
}

/* Reports modifications that matched nothing: they name something that does not exist. */
void dd_mods_check(dd_flattener *fl, dd_instance *in, const dd_mod *own, const dd_ast_class *class)
{
    for (const dd_mod *mod = own; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->ast->name);
        if (!*mod->used) {
            *mod->used = true; /* once for all elements */
            const char *near = dd_instance_suggest(fl, in, name);
            dd_error(fl->ctx, mod->ast->span,
                     near != NULL ? "%s has no member %s: did you mean %s?" : "%s has no member %s",
                     dd_class_full_name(fl->library, class, fl->pool), name, near);
            dd_note(fl->ctx, class->span, "%s is defined here%s", dd_class_full_name(fl->library, class, fl->pool),
                    near == NULL ? parameters_of(fl, in) : "");
            in->broken = true;
        }
    }
}
