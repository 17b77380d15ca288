/* reference_family.c - families: the members of all elements of an array of components under one symbol, arm.th with
 * the subscripts of arm in front of those of th. */
#include <string.h>

#include "lang/lexer.h"
#include "lang/reference_private.h"

/* The dimensions of the components at one level become dimensions of the family. */
static bool add_dims(dd_flattener *fl, dd_form f, const dd_member *like, dd_family *family)
{
    for (uint32_t d = 0; d < like->ndim; d++) {
        if (family->view.ndim == DD_MAX_DIMS) {
            dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s has more than %d dimensions, the limit",
                     dd_path_printed(fl, f), DD_MAX_DIMS);
            return false;
        }
        family->view.dims[family->view.ndim++] = like->dims[d];
    }
    return true;
}

typedef enum below_result { BELOW_FOUND, BELOW_DIFFERS, BELOW_BROKEN } below_result;

/* The members like `wanted` in all elements of `of`, appended to next[*at]. `of` must have the shape of `like`. */
static below_result add_below(dd_flattener *fl, const dd_member *of, const dd_member *like, const dd_member *wanted,
                              dd_member **next, uint32_t *at)
{
    if (of->count != like->count || of->ndim != like->ndim ||
        memcmp(of->dims, like->dims, like->ndim * sizeof like->dims[0]) != 0) {
        return BELOW_DIFFERS;
    }
    for (uint32_t k = 0; k < of->count; k++) {
        dd_member *below = dd_instance_find(of->elements[k], wanted->ast->name);
        if (below == NULL || !dd_member_expand(fl, below) || below->removed || below->is_leaf != wanted->is_leaf) {
            return below != NULL && below->broken ? BELOW_BROKEN : BELOW_DIFFERS;
        }
        next[(*at)++] = below;
    }
    return BELOW_FOUND;
}

bool dd_family_members(dd_flattener *fl, const dd_target *t, dd_form f, dd_family *family, dd_member ***leaves)
{
    dd_member **now = dd_pool_alloc_array(fl->pool, 1, sizeof *now);
    uint32_t n = 1;
    /* level by level, row-major: all members reached so far, times the elements of each */
    now[0] = t->members[t->open];
    for (uint32_t level = t->open; level < t->n && !t->members[level]->is_leaf; level++) {
        const dd_member *like = t->members[level];
        if (!add_dims(fl, f, like, family)) {
            return false;
        }
        dd_member **next = dd_pool_alloc_array(fl->pool, (uint64_t)n * like->count + 1, sizeof *next);
        uint32_t at = 0;
        for (uint32_t i = 0; i < n; i++) {
            below_result found = add_below(fl, now[i], like, t->members[level + 1], next, &at);
            /* a broken member was reported where it is declared */
            if (found == BELOW_DIFFERS) {
                dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                         "%s refers to members of several components, but they differ in size: %s is not like %s",
                         dd_path_printed(fl, f), now[i]->path, like->path);
            }
            if (found != BELOW_FOUND) {
                return false;
            }
        }
        now = next;
        n = at;
    }
    *leaves = now;
    family->count = n;
    return true;
}

static bool fill_family(dd_flattener *fl, dd_form f, const dd_target *t, dd_family *family)
{
    dd_member **leaves;
    if (!dd_family_members(fl, t, f, family, &leaves)) {
        return false;
    }
    /* the members themselves: all declared, all of the shape of the first */
    uint32_t outer = family->view.ndim;
    family->firsts = dd_pool_alloc_array(fl->m->pool, family->count + 1, sizeof *family->firsts);
    for (uint32_t i = 0; i < family->count; i++) {
        const dd_flat_decl *decl = dd_reference_declared(fl, leaves[i]);
        if (decl->broken || decl->array == DD_NO_INDEX) {
            return false;
        }
        const dd_array *a = &fl->m->arrays.data[decl->array];
        if (i == 0) {
            family->leaf_size = a->size;
            family->view.kind = a->kind;
            family->view.type = a->type;
            if (outer + a->ndim > DD_MAX_DIMS) {
                dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s has more than %d dimensions, the limit",
                         dd_path_printed(fl, f), DD_MAX_DIMS);
                return false;
            }
            for (uint32_t d = 0; d < a->ndim; d++) {
                family->view.dims[family->view.ndim++] = a->dims[d];
            }
        }
        /* the dimensions behind the outer ones are those of the member */
        bool same = outer + a->ndim == family->view.ndim &&
                    memcmp(a->dims, family->view.dims + outer, a->ndim * sizeof a->dims[0]) == 0;
        if (!same) {
            dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                     "%s refers to members of several components, but %s has another size than %s",
                     dd_path_printed(fl, f), leaves[i]->path, leaves[0]->path);
            return false;
        }
        family->firsts[i] = a->first;
    }
    family->view.size = family->count * family->leaf_size;
    return true;
}

/* The text that distinguishes families: the beginning of the path, then its parts. */
static const char *family_name(dd_flattener *fl, const dd_target *t, dd_form_part **parts)
{
    /* arm.th and its parts, with the number of subscripts that each part takes */
    uint32_t n = t->n - t->open;
    dd_text text = dd_text_new(fl->m->pool);
    *parts = dd_pool_alloc_array(fl->m->pool, n, sizeof **parts);
    for (uint32_t i = 0; i < n; i++) {
        const dd_member *member = t->members[t->open + i];
        const char *piece = i == 0
                                ? dd_pool_strdup(fl->m->pool, member->path)
                                : dd_pool_printf(fl->m->pool, ".%s",
                                                 dd_name_quoted(fl->m->pool, dd_reference_text(fl, member->ast->name)));
        (*parts)[i] = (dd_form_part){piece, member->ndim};
        dd_text_add(&text, piece);
    }
    return dd_text_str(&text);
}

static uint32_t family_symbol(dd_flattener *fl, dd_form f, const dd_target *t)
{
    dd_form_part *parts;
    const char *name = family_name(fl, t, &parts);
    /* one symbol per family, whatever the number of references */
    uint32_t id = dd_names_intern(fl->m->names, name, strlen(name));
    uint32_t known = dd_map_get(&fl->family_by_name, id);
    if (known != 0) {
        return known;
    }
    dd_family *family = dd_pool_alloc(fl->m->pool, sizeof *family);
    family->view.name = name;
    family->view.first = DD_NO_INDEX;
    if (!fill_family(fl, f, t, family)) {
        return 0;
    }
    /* the last part takes all subscripts that the others leave */
    uint32_t n = t->n - t->open;
    parts[n - 1].ndim = (uint32_t)family->view.ndim;
    bool varies = family->view.kind == DD_KIND_VARIABLE || family->view.kind == DD_KIND_INPUT;
    dd_form_symbol symbol = {.name = name, .ndim = family->view.ndim, .varies = varies, .parts = parts, .n_parts = n};
    family->view.symbol = dd_forms_add_symbol(fl->m->forms, symbol);
    dd_elaborator_add_family(&fl->el, family);
    dd_map_put(&fl->family_by_name, id, family->view.symbol);
    return family->view.symbol;
}

/* Subscripts of the parts from the first open one on: those written, `:` for those left out. */
bool dd_family_reference(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_target *t, dd_form *out)
{
    uint32_t symbol = family_symbol(fl, f, t), base = r->stack.len;
    bool any = false, ok = symbol != 0;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    /* written subscripts as they are; a part without any takes all of its elements */
    for (uint32_t i = t->open; i < t->n && ok; i++) {
        uint32_t part = t->first_part + i, n = dd_path_subscripts(fl, f, part);
        const dd_member *member = t->members[i];
        if (!member->is_leaf && n != 0 && n != member->ndim) {
            dd_error(fl->ctx, span, "%s has %u dimension%s, but %u subscript%s", member->path, member->ndim,
                     member->ndim == 1 ? "" : "s", n, n == 1 ? "" : "s");
            ok = false;
        }
        for (uint32_t d = 0; d < n && ok; d++) {
            dd_form subscript = dd_resolve(r, dd_form_arg(fl->m->forms, dd_path_part(fl, f, part), d));
            ok = subscript != DD_FORM_NONE;
            any = true;
            dd_vec_push(r->pool, &r->stack, subscript);
        }
        for (uint32_t d = n; d < member->ndim && !member->is_leaf && ok; d++) {
            dd_form all = dd_form_new(fl->m->forms, DD_FORM_COLON, 0, 0, NULL, 0, span);
            dd_vec_push(r->pool, &r->stack, all);
        }
    }
    uint32_t n = any ? r->stack.len - base : 0;
    *out = ok ? dd_form_new(fl->m->forms, DD_FORM_REF, 0, symbol, dd_vec_from(&r->stack, base), n, span) : DD_FORM_NONE;
    r->stack.len = base;
    return ok;
}
