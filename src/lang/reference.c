/* reference.c - names in expressions to symbols.
 *
 * A path is followed member by member from the instance it is written in, or through classes to a constant of a
 * package. Where it passes an array of components without fixed subscripts it means all their members at once: a
 * family, which has a separate symbol with the subscripts of all parts of the path in order.
 */
#include <string.h>

#include "lang/lexer.h"
#include "lang/reference_private.h"

/* ---- following a path ---- */

/* All subscripts of the part are plain numbers, in range. */
static bool fixed_subscripts(const dd_flattener *fl, dd_form f, uint32_t i, const dd_member *member, int64_t *out)
{
    /* digits only, all subscripts given, each within its dimension */
    dd_form part = dd_path_part(fl, f, i);
    uint32_t n = dd_path_subscripts(fl, f, i);
    if (n != member->ndim) {
        return false;
    }
    for (uint32_t d = 0; d < n; d++) {
        const dd_form_node *node = dd_form_get(fl->m->forms, dd_form_arg(fl->m->forms, part, d));
        const char *text = node->op == DD_FORM_NUM ? dd_reference_text(fl, node->payload) : "";
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

/* Steps from member `at` of the path down the tree. The chain is one representative of the members that the path
 * means. */
static void follow(dd_flattener *fl, dd_form f, uint32_t part, dd_member *member, dd_target *t)
{
    /* members until the last part; `open` notes where the path stops naming one instance */
    uint32_t parts = dd_path_count(fl, f);
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
            (member->ndim == 0 ? dd_path_subscripts(fl, f, part) == 0 : fixed_subscripts(fl, f, part, member, at))) {
            next = dd_member_element(member, at);
        } else if (member->count == 0) {
            t->kind = DD_TARGET_EMPTY;
            t->open = t->open == UINT32_MAX ? t->n - 1 : t->open;
            return;
        } else {
            t->open = t->open == UINT32_MAX ? t->n - 1 : t->open;
            next = member->elements[0];
        }
        member = dd_instance_find(next, dd_path_name(fl, f, part + 1));
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
    uint32_t parts = dd_path_count(fl, f), part = 0;
    /* through packages to the last class */
    while (found.kind == DD_ELEMENT_CLASS && part + 1 < parts) {
        t->class = found.class;
        found = dd_lookup_member(fl->library, found.class, dd_path_name(fl, f, ++part));
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
        dd_member *member = dd_instance_find(package, dd_path_name(fl, f, part));
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
    uint32_t name = dd_path_name(fl, f, 0);
    dd_member *member = place.instance != NULL && !global ? dd_instance_find(place.instance, name) : NULL;
    if (member != NULL) {
        t->last = place.instance;
        follow(fl, f, 0, member, t);
        return;
    }
    follow_classes(fl, f, dd_lookup(fl->library, global ? NULL : place.class, name), t);
}

/* ---- symbols ---- */

/* The declaration of a constant that an equation needs now. */
dd_flat_decl *dd_reference_declared(dd_flattener *fl, const dd_member *member)
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
                                      dd_name_quoted(fl->pool, dd_reference_text(fl, literal->name)));
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

/* ---- the resolver's questions ---- */

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

static dd_form plain_reference(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_target *t)
{
    const dd_flat_decl *decl = dd_reference_declared(fl, t->members[t->n - 1]);
    if (decl->broken || decl->array == DD_NO_INDEX) {
        return DD_FORM_NONE;
    }
    /* only the last part has subscripts that are still open: the others chose the instance */
    dd_form last = dd_path_part(fl, f, dd_path_count(fl, f) - 1);
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
        dd_family_reference(fl, r, f, &t, &out);
        return out;
    /* a record by name is a value; any other component is not */
    case DD_TARGET_COMPONENT: {
        const dd_member *member = t.members[t.n - 1];
        bool one = member->ndim == dd_path_subscripts(fl, f, dd_path_count(fl, f) - 1);
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
    dd_reference_report(fl, f, &t);
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
    if (dd_family_members(fl, &t, f, &family, &leaves)) {
        for (uint32_t i = 0; i < family.count; i++) {
            dd_vec_push(fl->pool, &fl->deps, leaves[i]->decl);
        }
    }
}
