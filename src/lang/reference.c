/* reference.c - names in expressions to symbols.
 *
 * A path is followed member by member from the instance it is written in, or through classes to a constant of a
 * package. Where it passes an array of components without fixed subscripts it means all their members at once: a
 * family, which has a separate symbol with the subscripts of all parts of the path in order.
 */
#include <string.h>

#include "lang/flatten.h"
#include "lang/lexer.h"

static const char *text_of(const dd_flattener *fl, uint32_t name)
{
    return dd_names_get(fl->m->names, name);
}

/* ---- parts of a path ---- */

static uint32_t part_count(const dd_flattener *fl, dd_form f)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, f);
    return node->op == DD_FORM_PATH ? node->nargs : 1;
}

static dd_form part_form(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, f)->op == DD_FORM_PATH ? dd_form_arg(fl->m->forms, f, i) : f;
}

static uint32_t part_name(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, part_form(fl, f, i))->payload;
}

static uint32_t part_subscripts(const dd_flattener *fl, dd_form f, uint32_t i)
{
    return dd_form_get(fl->m->forms, part_form(fl, f, i))->nargs;
}

/* All subscripts of the part are plain numbers, in range. */
static bool fixed_subscripts(const dd_flattener *fl, dd_form f, uint32_t i, const dd_member *member, int64_t *out)
{
    /* digits only, all subscripts given, each within its dimension */
    dd_form part = part_form(fl, f, i);
    uint32_t n = part_subscripts(fl, f, i);
    if (n != member->ndim) {
        return false;
    }
    for (uint32_t d = 0; d < n; d++) {
        const dd_form_node *node = dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, part, d));
        const char *text = node->op == DD_FORM_NUM ? text_of(fl, node->payload) : "";
        if (strlen(text) == 0 || strlen(text) > 9 || strspn(text, "0123456789") != strlen(text)) {
            return false;
        }
        out[d] = 0;
        for (const char *c = text; *c != '\0'; c++) {
            out[d] = 10 * out[d] + (*c - '0');
        }
        if (out[d] < 1 || out[d] > member->dims[d]) {
            return false;
        }
    }
    return true;
}

/* ---- following a path ---- */

/* Steps from member `at` of the path down the tree. The chain is one representative of the members that the path
 * means. */
static void follow(dd_flattener *fl, dd_form f, uint32_t part, dd_member *member, dd_target *t)
{
    /* members until the last part; `open` notes where the path stops naming one instance */
    uint32_t parts = part_count(fl, f);
    t->first_part = part;
    t->open = UINT32_MAX;
    for (;; part++) {
        t->part = part;
        if (t->n == DD_TARGET_MAX) {
            t->kind = DD_TARGET_NONE;
            return;
        }
        t->members[t->n++] = member;
        /* every member is expanded as it is reached: its type decides what the next part can be */
        if (!dd_member_expand(fl, member)) {
            t->kind = DD_TARGET_BROKEN;
            return;
        }
        if (member->removed) {
            t->kind = DD_TARGET_REMOVED;
            return;
        }
        /* the end of the path, or a variable in the middle of it */
        if (member->is_leaf || part + 1 == parts) {
            t->kind = member->is_leaf && part + 1 < parts ? DD_TARGET_NONE
                      : member->is_leaf                   ? DD_TARGET_LEAF
                                                          : DD_TARGET_COMPONENT;
            t->part = part + 1;
            return;
        }
        int64_t at[DD_MAX_DIMS] = {0};
        dd_instance *next;
        /* one instance by fixed subscripts, or any (the first) for a family of members */
        if (t->open == UINT32_MAX &&
            (member->ndim == 0 ? part_subscripts(fl, f, part) == 0 : fixed_subscripts(fl, f, part, member, at))) {
            next = dd_member_element(member, at);
        } else if (member->count == 0) {
            t->kind = DD_TARGET_EMPTY;
            t->open = t->open == UINT32_MAX ? t->n - 1 : t->open;
            return;
        } else {
            t->open = t->open == UINT32_MAX ? t->n - 1 : t->open;
            next = member->elements[0];
        }
        member = dd_instance_find(next, part_name(fl, f, part + 1));
        t->last = next;
        if (member == NULL) {
            t->kind = DD_TARGET_NONE;
            t->part = part + 1;
            return;
        }
        /* members of the instance itself were found before; from outside protected ones are not seen */
        if (member->is_protected) {
            t->kind = DD_TARGET_PROTECTED;
            t->members[0] = member;
            return;
        }
    }
}

/* A path that begins with a class: a constant of a package, a literal of an enumeration, or the class itself. */
static void follow_classes(dd_flattener *fl, dd_form f, dd_element found, dd_target *t)
{
    uint32_t parts = part_count(fl, f), part = 0;
    /* through packages to the last class */
    while (found.kind == DD_ELEMENT_CLASS && part + 1 < parts) {
        t->class = found.class;
        found = dd_lookup_member(fl->library, found.class, part_name(fl, f, ++part));
    }
    t->part = part;
    switch (found.kind) {
    case DD_ELEMENT_CLASS:
        t->kind = DD_TARGET_CLASS;
        t->class = found.class;
        return;
    case DD_ELEMENT_LITERAL:
        t->kind = part + 1 == parts ? DD_TARGET_LITERAL : DD_TARGET_NONE;
        t->class = found.class;
        t->literal = found.literal;
        return;
    /* a declaration in a class: constants are held by an instance of their package */
    case DD_ELEMENT_DECL: {
        dd_instance *package = dd_instance_package(fl, found.class != NULL ? found.class : found.owner);
        dd_member *member = dd_instance_find(package, part_name(fl, f, part));
        if (member == NULL) {
            t->kind = DD_TARGET_BROKEN;
        } else if (member->ast->variability != DD_AST_CONSTANT) {
            t->kind = DD_TARGET_NO_CONSTANT;
            t->members[0] = member;
        } else {
            t->package = true;
            t->last = package;
            follow(fl, f, part, member, t);
        }
        return;
    }
    case DD_ELEMENT_BROKEN:
        t->kind = DD_TARGET_BROKEN;
        return;
    default:
        t->kind = DD_TARGET_NONE;
        return;
    }
}

void dd_flat_follow(dd_flattener *fl, dd_place place, dd_form f, dd_target *t)
{
    memset(t, 0, sizeof *t);
    /* members of the instance first, then what its class sees (5.3.2); .a.b begins at the top level */
    bool global = dd_form_get(fl->m->forms, f)->op == DD_FORM_PATH && dd_form_get(fl->m->forms, f)->sub != 0;
    uint32_t name = part_name(fl, f, 0);
    dd_member *member = place.instance != NULL && !global ? dd_instance_find(place.instance, name) : NULL;
    if (member != NULL) {
        t->last = place.instance;
        follow(fl, f, 0, member, t);
        return;
    }
    follow_classes(fl, f, dd_lookup(fl->library, global ? NULL : place.class, name), t);
}

/* ---- messages ---- */

static const char *path_text(dd_flattener *fl, dd_form f)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, NULL, &text);
    return dd_text_str(&text);
}

/* A first part that nothing has: perhaps a declaration with quotes, 'a.b', was meant. */
static bool report_quoted(dd_flattener *fl, dd_form f)
{
    const char *text = path_text(fl, f);
    uint32_t id = fl->place.instance != NULL ? dd_names_find(fl->m->names, text, strlen(text)) : 0;
    if (id == 0 || dd_instance_find(fl->place.instance, id) == NULL) {
        return false;
    }
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s is declared with quotes: write '%s'", text, text);
    return true;
}

static void report_first(dd_flattener *fl, dd_form f)
{
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    const char *name = text_of(fl, part_name(fl, f, 0));
    uint32_t key = part_name(fl, f, 0);
    /* one message per name, and the two special cases first */
    if (dd_map_get(&fl->resolver.reported, key) != 0 || report_quoted(fl, f) || dd_phase_report_time(fl, name, span)) {
        return;
    }
    dd_map_put(&fl->resolver.reported, key, 1);
    if (strcmp(name, "StateSelect") == 0) {
        dd_error(fl->ctx, span, "%s can stand only in stateSelect = ...", path_text(fl, f));
        return;
    }
    /* the nearest member, or for a path the nearest class */
    const char *near = dd_instance_suggest(fl, fl->place.instance, name);
    if (near == NULL && part_count(fl, f) > 1) {
        near = dd_lookup_suggest(fl->library, fl->place.class, name);
    }
    dd_error(fl->ctx, span, near != NULL ? "%s is not declared: did you mean %s?" : "%s is not declared", name, near);
}

void dd_flat_report_member(dd_flattener *fl, const dd_instance *in, uint32_t name, dd_span span)
{
    const char *text = dd_name_quoted(fl->pool, text_of(fl, name)),
               *near = dd_instance_suggest(fl, in, text_of(fl, name));
    /* at the top level there is no component to name */
    if (in->path[0] == '\0') {
        dd_error(fl->ctx, span, near != NULL ? "%s is not declared: did you mean %s?" : "%s is not declared", text,
                 near);
        return;
    }
    dd_error(fl->ctx, span, near != NULL ? "%s has no member %s: did you mean %s?" : "%s has no member %s", in->path,
             text, near);
}

static void report_part(dd_flattener *fl, dd_form f, const dd_target *t)
{
    dd_form part = part_form(fl, f, t->part);
    dd_span span = dd_form_get(fl->m->forms, part)->span;
    const char *name = text_of(fl, part_name(fl, f, t->part)), *near;
    /* a member of a class, of a variable, or of a component */
    if (t->class != NULL && t->n == 0) {
        near = dd_lookup_suggest_member(fl->library, t->class, name);
        const char *owner = dd_class_full_name(fl->library, t->class, fl->pool);
        dd_error(fl->ctx, span, near != NULL ? "%s has no member %s: did you mean %s?" : "%s has no member %s", owner,
                 name, near);
        return;
    }
    const dd_member *owner = t->members[t->n - 1];
    if (owner->is_leaf) {
        dd_error(fl->ctx, span, "%s is a variable: it has no member %s", owner->path, name);
        return;
    }
    near = dd_instance_suggest(fl, t->last, name);
    dd_error(fl->ctx, span, near != NULL ? "%s has no member %s: did you mean %s?" : "%s has no member %s", owner->path,
             name, near);
}

static void report_target(dd_flattener *fl, dd_form f, const dd_target *t)
{
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    /* the path does not lead to a value: why, and what would */
    switch (t->kind) {
    case DD_TARGET_NONE:
        if (t->n == 0 && t->part == 0 && t->class == NULL) {
            report_first(fl, f);
        } else {
            report_part(fl, f, t);
        }
        break;
    case DD_TARGET_REMOVED:
        if (t->members[t->n - 1]->is_text) {
            dd_error(fl->ctx, span, "%s is a text: expressions with `String` are not supported yet",
                     t->members[t->n - 1]->path);
            break;
        }
        dd_error(fl->ctx, span, "%s is not there: the condition of its declaration in line %u is false",
                 t->members[t->n - 1]->path, (unsigned)dd_span_line(fl->ctx, t->members[t->n - 1]->ast->span));
        dd_note(fl->ctx, t->members[t->n - 1]->ast->span, "%s is declared here", t->members[t->n - 1]->path);
        break;
    case DD_TARGET_PROTECTED:
        dd_error(fl->ctx, span, "%s is protected: it cannot be used from outside its class", t->members[0]->path);
        dd_note(fl->ctx, t->members[0]->ast->span, "%s is declared here", t->members[0]->path);
        break;
    case DD_TARGET_NO_CONSTANT:
        dd_error(fl->ctx, span, "%s is not a constant: from outside a component only constants of classes can be used",
                 path_text(fl, f));
        break;
    case DD_TARGET_COMPONENT:
        dd_error(fl->ctx, span, "%s is a component, not a number: name one of its variables, such as %s.%s",
                 path_text(fl, f), path_text(fl, f),
                 t->last != NULL && t->members[t->n - 1]->count > 0 && t->members[t->n - 1]->elements[0]->n_members > 0
                     ? text_of(fl, t->members[t->n - 1]->elements[0]->members[0]->ast->name)
                     : "x");
        break;
    case DD_TARGET_CLASS:
        dd_error(fl->ctx, span, "%s is a class, not a value", path_text(fl, f));
        break;
    default:
        break; /* reported where it went wrong */
    }
}

/* ---- symbols ---- */

/* The declaration of a constant that an equation needs now. */
static dd_flat_decl *declared(dd_flattener *fl, const dd_member *member)
{
    dd_flat_decl *decl = fl->decls.data[member->decl];
    /* constants of packages are declared on first use */
    if (decl->state == DD_FLAT_NEW && (fl->declaring_done || member->variability == DD_AST_CONSTANT)) {
        dd_flat_declare_with_needs(fl, member->decl);
    }
    return decl;
}

/* E.second: an Integer constant of that name. */
static dd_form literal_form(dd_flattener *fl, const dd_target *t, dd_span span)
{
    const dd_ast_literal *literal = t->class->literals;
    if (t->class->span.file == 0) { /* StateSelect: no declaration in the text */
        return dd_form_number(fl->m->forms, t->literal, span);
    }
    for (uint32_t i = 1; i < t->literal; i++) {
        literal = literal->next;
    }
    /* a constant of the model named by the full path, made on first use */
    const char *name = dd_pool_printf(fl->m->pool, "%s.%s", dd_class_full_name(fl->library, t->class, fl->pool),
                                      dd_name_quoted(fl->pool, text_of(fl, literal->name)));
    uint32_t array = dd_model_find_array(fl->m, name);
    if (array == DD_NO_INDEX) {
        array = dd_model_add_array(fl->m, name, NULL, 0, DD_KIND_CONSTANT, DD_TYPE_INTEGER, literal->span);
        dd_array *a = &fl->m->arrays.data[array];
        a->binding = dd_form_number(fl->m->forms, t->literal, literal->span);
        dd_variable *v = &fl->m->vars.data[fl->m->arrays.data[array].first];
        v->binding = dd_rational(fl->m->dag, t->literal, 1);
        v->value = t->literal;
        v->has_value = true;
    }
    dd_flat_is_of(fl, fl->m->arrays.data[array].symbol, t->class);
    return dd_form_new(fl->m->forms, DD_FORM_REF, 0, fl->m->arrays.data[array].symbol, NULL, 0, span);
}

/* An enumeration as a range: for i in E, or its number of values as a size. */
static dd_form enumeration_range(dd_flattener *fl, const dd_ast_class *class, dd_span span)
{
    dd_form ends[] = {dd_form_number(fl->m->forms, 1, span), dd_form_number(fl->m->forms, class->n_literals, span)};
    return dd_form_new(fl->m->forms, DD_FORM_RANGE, 0, 0, ends, 2, span);
}

/* ---- families ---- */

/* Instances, then leaves, that the open part of a path reaches, row-major; the sizes must agree. */
static bool gather_members(dd_flattener *fl, const dd_target *t, dd_form f, dd_family *family, dd_member ***leaves)
{
    dd_member **now = dd_pool_alloc_array(fl->pool, 1, sizeof *now);
    uint32_t n = 1;
    /* level by level: all members reached so far, times the elements of each */
    now[0] = t->members[t->open];
    for (uint32_t level = t->open; level < t->n; level++) {
        const dd_member *like = t->members[level];
        if (like->is_leaf) {
            break;
        }
        /* the dimensions of every level become dimensions of the family */
        for (uint32_t d = 0; d < like->ndim; d++) {
            if (family->view.ndim == DD_MAX_DIMS) {
                dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s has more than %d dimensions, the limit",
                         path_text(fl, f), DD_MAX_DIMS);
                return false;
            }
            family->view.dims[family->view.ndim++] = like->dims[d];
        }
        uint64_t total = (uint64_t)n * like->count;
        dd_member **next = dd_pool_alloc_array(fl->pool, total + 1, sizeof *next);
        uint32_t at = 0, name = t->members[level + 1]->ast->name;
        /* every instance must have the same shape and a member of that name and kind */
        for (uint32_t i = 0; i < n; i++) {
            bool same = now[i]->count == like->count && now[i]->ndim == like->ndim &&
                        memcmp(now[i]->dims, like->dims, like->ndim * sizeof like->dims[0]) == 0;
            for (uint32_t k = 0; same && k < now[i]->count; k++) {
                dd_member *below = dd_instance_find(now[i]->elements[k], name);
                if (below == NULL || !dd_member_expand(fl, below) || below->removed ||
                    below->is_leaf != t->members[level + 1]->is_leaf) {
                    same = below != NULL && below->broken;
                    if (same) {
                        return false;
                    }
                    break;
                }
                next[at++] = below;
            }
            if (!same) {
                dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span,
                         "%s stands for members of several components, but they differ in size: %s is not like %s",
                         path_text(fl, f), now[i]->path, like->path);
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
    if (!gather_members(fl, t, f, family, &leaves)) {
        return false;
    }
    /* the members themselves: all declared, all of the shape of the first */
    uint32_t outer = family->view.ndim;
    family->firsts = dd_pool_alloc_array(fl->m->pool, family->count + 1, sizeof *family->firsts);
    for (uint32_t i = 0; i < family->count; i++) {
        const dd_flat_decl *decl = declared(fl, leaves[i]);
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
                         path_text(fl, f), DD_MAX_DIMS);
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
                     "%s stands for members of several components, but %s has another size than %s", path_text(fl, f),
                     leaves[i]->path, leaves[0]->path);
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
        const char *piece =
            i == 0 ? dd_pool_strdup(fl->m->pool, member->path)
                   : dd_pool_printf(fl->m->pool, ".%s", dd_name_quoted(fl->m->pool, text_of(fl, member->ast->name)));
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
static bool family_reference(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_target *t, dd_form *out)
{
    uint32_t symbol = family_symbol(fl, f, t), base = r->stack.len;
    bool any = false, ok = symbol != 0;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    /* written subscripts as they are; a part without any takes all of its elements */
    for (uint32_t i = t->open; i < t->n && ok; i++) {
        uint32_t part = t->first_part + i, n = part_subscripts(fl, f, part);
        const dd_member *member = t->members[i];
        if (!member->is_leaf && n != 0 && n != member->ndim) {
            dd_error(fl->ctx, span, "%s has %u dimension%s, but %u subscript%s", member->path, member->ndim,
                     member->ndim == 1 ? "" : "s", n, n == 1 ? "" : "s");
            ok = false;
        }
        for (uint32_t d = 0; d < n && ok; d++) {
            dd_form subscript = dd_resolve(r, dd_form_arg(fl->m->forms, part_form(fl, f, part), d));
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

/* A path through an array of no components: an array without elements. */
static dd_form empty_reference(dd_flattener *fl, const dd_target *t, dd_span span)
{
    dd_form sizes[DD_MAX_DIMS];
    uint32_t n = 0;
    /* zeros of the sizes along the path, one of which is 0 */
    for (uint32_t i = t->open; i < t->n; i++) {
        for (uint32_t d = 0; d < t->members[i]->ndim && n < DD_MAX_DIMS; d++) {
            sizes[n++] = dd_form_number(fl->m->forms, t->members[i]->dims[d], span);
        }
    }
    return dd_form_new(fl->m->forms, DD_FORM_CALL, DD_FN_ZEROS, 0, sizes, n, span);
}

/* ---- the resolver's questions ---- */

static dd_form plain_reference(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_target *t)
{
    const dd_flat_decl *decl = declared(fl, t->members[t->n - 1]);
    if (decl->broken || decl->array == DD_NO_INDEX) {
        return DD_FORM_NONE;
    }
    /* only the last part has subscripts that are still open: the others chose the instance */
    dd_form last = part_form(fl, f, part_count(fl, f) - 1);
    uint32_t n = dd_form_get(fl->m->forms, last)->nargs, base = r->stack.len;
    bool ok = true;
    for (uint32_t d = 0; d < n; d++) {
        dd_form subscript = dd_resolve(r, dd_form_arg(fl->m->forms, last, d));
        ok = ok && subscript != DD_FORM_NONE;
        dd_vec_push(r->pool, &r->stack, subscript);
    }
    uint32_t symbol = fl->m->arrays.data[decl->array].symbol;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    dd_form out =
        ok ? dd_form_new(fl->m->forms, DD_FORM_REF, 0, symbol, dd_vec_from(&r->stack, base), n, span) : DD_FORM_NONE;
    r->stack.len = base;
    return out;
}

dd_form dd_flat_reference(void *user, dd_resolver *r, dd_form f)
{
    dd_flattener *fl = user;
    dd_target t;
    dd_form out;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    dd_flat_follow(fl, fl->place, f, &t);
    /* a variable, or the members of several components */
    switch (t.kind) {
    case DD_TARGET_LEAF:
        if (t.open == UINT32_MAX) {
            return plain_reference(fl, r, f, &t);
        }
        family_reference(fl, r, f, &t, &out);
        return out;
    /* a record by name is a value; any other component is not */
    case DD_TARGET_COMPONENT: {
        const dd_member *member = t.members[t.n - 1];
        bool one = member->ndim == part_subscripts(fl, f, part_count(fl, f) - 1);
        if (member->class->kind == DD_CLASS_RECORD && one) {
            return dd_record_value(fl, r, f, member);
        }
        break;
    }
    case DD_TARGET_EMPTY:
        return empty_reference(fl, &t, span);
    case DD_TARGET_LITERAL:
        return literal_form(fl, &t, span);
    /* an enumeration is the range of its values */
    case DD_TARGET_CLASS:
        if (t.class->is_enumeration) {
            return enumeration_range(fl, t.class, span);
        }
        break;
    default:
        break;
    }
    report_target(fl, f, &t);
    return DD_FORM_NONE;
}

bool dd_flat_is_variable(void *user, dd_form f)
{
    dd_flattener *fl = user;
    dd_target t;
    dd_flat_follow(fl, fl->place, f, &t);
    return t.kind == DD_TARGET_LEAF || t.kind == DD_TARGET_BROKEN;
}

/* size(arm, 1), size(arm): of an array of components. */
bool dd_flat_component_size(void *user, dd_form f, dd_form *out)
{
    dd_flattener *fl = user;
    dd_target t;
    dd_span span = dd_form_get(fl->m->forms, f)->span;
    const dd_form_op op = (dd_form_op)dd_form_get(fl->m->forms, f)->op;
    if (op != DD_FORM_NAME && op != DD_FORM_PATH) {
        return false;
    }
    /* only a single array of components, not a family of them */
    dd_flat_follow(fl, fl->place, f, &t);
    if (t.kind != DD_TARGET_COMPONENT || t.open != UINT32_MAX) {
        return false;
    }
    const dd_member *member = t.members[t.n - 1];
    /* an array of zeros of the same size: size() needs nothing else */
    dd_form sizes[DD_MAX_DIMS];
    for (uint32_t d = 0; d < member->ndim; d++) {
        sizes[d] = dd_form_number(fl->m->forms, member->dims[d], span);
    }
    *out = dd_form_new(fl->m->forms, DD_FORM_CALL, DD_FN_ZEROS, 0, sizes, member->ndim, span);
    return member->ndim > 0;
}

/* The declarations that must exist before an expression with this name in it can be evaluated. */
void dd_flat_add_needs(dd_flattener *fl, dd_place place, dd_form f)
{
    dd_target t;
    dd_flat_follow(fl, place, f, &t);
    if (t.kind != DD_TARGET_LEAF) {
        return;
    }
    /* one declaration, or those of all members of a family */
    if (t.open == UINT32_MAX) {
        dd_vec_push(fl->pool, &fl->deps, t.members[t.n - 1]->decl);
        return;
    }
    dd_family family = {0};
    dd_member **leaves;
    if (gather_members(fl, &t, f, &family, &leaves)) {
        for (uint32_t i = 0; i < family.count; i++) {
            dd_vec_push(fl->pool, &fl->deps, leaves[i]->decl);
        }
    }
}
