/* flatten_connect.c - connect(a, b): connection sets and their equations.
 *
 * Every scalar or array in a connector is a node, twice: seen from inside the component that holds the connector
 * (another component is connected to it) and from outside (the component's own equations connect it). connect joins
 * nodes to sets (union-find). A set of potentials adds a1 = a2, a1 = a3, ...; a set of flows adds sum = 0 with the
 * nodes seen from outside negative; a flow that nothing is connected to is zero.
 *
 *   flatten_connect_end.c       the connectors that one end of connect names
 *   flatten_connect.c           two ends joined, member by member
 *   flatten_connect_set.c       nodes and sets
 *   flatten_connect_equation.c  the equations of all sets, and checks of connectors
 */
#include <string.h>

#include "lang/flatten_connect.h"

/* ---- joining ---- */

/* May these two variables be in one set? */
static bool check_pair(dd_flattener *fl, const dd_member *a, const dd_member *b, const char *name_a, const char *name_b,
                       dd_span span)
{
    /* Kirchhoff's law and equality cannot be one set */
    if (a->is_flow != b->is_flow) {
        dd_error(fl->ctx, span, "%s and %s cannot be connected: one is a flow, the other is not", name_a, name_b);
        return false;
    }
    return true;
}

static bool join_leaves(dd_flattener *fl, const dd_member *a, bool a_outside, const dd_member *b, bool b_outside,
                        dd_span span)
{
    /* variables of the same shape and kind, or a message with both names */
    const dd_flat_decl *x = fl->decls.data[a->decl], *y = fl->decls.data[b->decl];
    if (x->broken || y->broken || x->array == DD_NO_INDEX || y->array == DD_NO_INDEX) {
        return false;
    }
    const dd_array *ax = &fl->m->arrays.data[x->array], *ay = &fl->m->arrays.data[y->array];
    if (ax->ndim != ay->ndim || memcmp(ax->dims, ay->dims, ax->ndim * sizeof ax->dims[0]) != 0) {
        dd_error(fl->ctx, span, "%s and %s cannot be connected: they have different sizes, %s and %s", ax->name,
                 ay->name, dd_flat_array_size(fl, ax), dd_flat_array_size(fl, ay));
        return false;
    }
    if (!check_pair(fl, a, b, ax->name, ay->name, span)) {
        return false;
    }
    if (a->variability != DD_AST_VARIABLE || b->variability != DD_AST_VARIABLE) {
        return true; /* parameters of connectors have their own values */
    }
    /* one node for the array, or one per element where the elements are connectors */
    struct dd_connections *c = dd_connections_of(fl);
    uint32_t parts = dd_connect_node_count(fl, a);
    for (uint32_t k = 0; k < parts; k++) {
        uint32_t element = a->is_connector && ax->ndim > 0 ? k : DD_NO_INDEX;
        uint32_t na = dd_connect_node(fl, a, element, a_outside, span),
                 nb = dd_connect_node(fl, b, element, b_outside, span);
        dd_connect_join(c, na, nb);
    }
    return true;
}

static bool missing_member(dd_flattener *fl, const dd_instance *has, const dd_instance *lacks, uint32_t name,
                           dd_span span)
{
    dd_error(fl->ctx, span, "%s and %s cannot be connected: %s has %s, which %s does not have", has->path, lacks->path,
             has->path, dd_names_get(fl->m->names, name), lacks->path);
    return false;
}

static bool is_there(dd_flattener *fl, dd_member *member)
{
    return dd_member_expand(fl, member) && !member->removed;
}

static bool join_instances(dd_flattener *fl, dd_instance *a, bool a_outside, dd_instance *b, bool b_outside,
                           dd_span span)
{
    /* every member has a partner of its name on the other side, unless it is conditional and absent */
    for (uint32_t i = 0; i < b->n_members; i++) {
        if (dd_instance_find(a, b->members[i]->ast->name) == NULL && is_there(fl, b->members[i])) {
            return missing_member(fl, b, a, b->members[i]->ast->name, span);
        }
    }
    /* member by member: variables are joined, connectors inside connectors recurse */
    for (uint32_t i = 0; i < a->n_members; i++) {
        dd_member *x = a->members[i], *y = dd_instance_find(b, x->ast->name);
        if (y == NULL) {
            if (!is_there(fl, x)) {
                continue;
            }
            return missing_member(fl, a, b, x->ast->name, span);
        }
        if (!dd_member_expand(fl, x) || !dd_member_expand(fl, y)) {
            return false;
        }
        if (x->removed || y->removed) {
            continue;
        }
        if (x->is_leaf != y->is_leaf || (!x->is_leaf && x->count != y->count)) {
            dd_error(fl->ctx, span, "%s and %s cannot be connected: they are of different kinds", x->path, y->path);
            return false;
        }
        if (x->is_leaf) {
            if (!join_leaves(fl, x, a_outside, y, b_outside, span)) {
                return false;
            }
            continue;
        }
        for (uint32_t k = 0; k < x->count; k++) { /* connectors inside connectors: as deep as declarations */
            if (!join_instances(fl, x->elements[k], a_outside, y->elements[k], b_outside, span)) {
                return false;
            }
        }
    }
    return true;
}

static const char *shape_text(dd_flattener *fl, const dd_connect_end *e)
{
    dd_text text = dd_text_new(fl->pool);
    for (uint32_t d = 0; d < e->ndim; d++) {
        dd_text_printf(&text, "%s%llu", d == 0 ? "of size " : " x ", (unsigned long long)e->dims[d]);
    }
    return e->ndim == 0 ? "a single one" : dd_text_str(&text);
}

static void report_shapes(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, const dd_connect_end *a,
                          const dd_connect_end *b)
{
    const char *left = dd_connect_text(fl, eq->lhs, env), *right = dd_connect_text(fl, eq->rhs, env);
    if (a->is_leaf != b->is_leaf) {
        dd_error(fl->ctx, eq->span, "%s and %s cannot be connected: %s is a variable, %s has members", left, right,
                 a->is_leaf ? left : right, a->is_leaf ? right : left);
        return;
    }
    dd_error(fl->ctx, eq->span, "%s and %s cannot be connected: the first is %s, the second %s", left, right,
             shape_text(fl, a), shape_text(fl, b));
}

/* Connectors that are variables are joined element by element. */
static bool join_elements(dd_flattener *fl, const dd_connect_end *a, const dd_connect_end *b, dd_span span)
{
    struct dd_connections *c = dd_connections_of(fl);
    /* element by element; both ends have the same shape here */
    for (uint32_t k = 0; k < a->elements.len; k++) {
        const dd_connect_leaf x = a->elements.data[k], y = b->elements.data[k];
        if (!check_pair(fl, x.leaf, y.leaf, x.leaf->path, y.leaf->path, span)) {
            return false;
        }
        uint32_t na = dd_connect_node(fl, x.leaf, x.element, a->outside, span);
        uint32_t nb = dd_connect_node(fl, y.leaf, y.element, b->outside, span);
        dd_connect_join(c, na, nb);
    }
    return true;
}

void dd_flat_add_connect(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    /* both ends under the values of the loops around */
    dd_connect_end a = {0}, b = {0};
    if (!dd_connect_read_end(fl, eq->lhs, env, &a) || !dd_connect_read_end(fl, eq->rhs, env, &b)) {
        eq->failed = true;
        return;
    }
    if (a.removed || b.removed) {
        return; /* a conditional component that is not there takes its connections with it */
    }
    /* connectors pair up one to one: equal shapes, and both variables or both with members */
    if (!dd_connect_same_shape(&a, &b) || a.is_leaf != b.is_leaf) {
        report_shapes(fl, eq, env, &a, &b);
        eq->failed = true;
        return;
    }
    if (a.is_leaf) {
        eq->failed = !join_elements(fl, &a, &b, eq->span);
    }
    for (uint32_t k = 0; k < a.instances.len && !eq->failed; k++) {
        eq->failed = !join_instances(fl, a.instances.data[k], a.outside, b.instances.data[k], b.outside, eq->span);
    }
    dd_flat_recycle(fl, a.instances.len + a.elements.len);
}

/* Names in the subscripts of both ends; the parts stay names, to be followed in each iteration. */
static bool resolve_end(dd_flattener *fl, dd_form *f)
{
    dd_forms *forms = fl->m->forms;
    /* a name or a path; anything else cannot be connected */
    dd_form_node node = *dd_form_get(forms, *f);
    bool path = node.op == DD_FORM_PATH;
    if (node.op != DD_FORM_NAME && !path) {
        dd_error(fl->ctx, node.span, "connect joins two connectors, each named by a path such as r1.p or r[3].n");
        return false;
    }
    uint32_t parts = path ? node.nargs : 1;
    if (parts > DD_TARGET_MAX) {
        dd_error(fl->ctx, node.span, "this path has more than %d parts, the limit", DD_TARGET_MAX);
        return false;
    }
    /* only subscripts are resolved: the components that the parts name may depend on loop variables */
    dd_form resolved[DD_TARGET_MAX];
    for (uint32_t p = 0; p < parts; p++) {
        dd_form part = path ? dd_form_arg(forms, *f, p) : *f;
        dd_form_node at = *dd_form_get(forms, part);
        dd_form subscripts[DD_MAX_DIMS];
        if (at.nargs > DD_MAX_DIMS) {
            dd_error(fl->ctx, at.span, "more than %d subscripts, the limit", DD_MAX_DIMS);
            return false;
        }
        for (uint32_t d = 0; d < at.nargs; d++) {
            subscripts[d] = dd_resolve(&fl->resolver, dd_form_arg(forms, part, d));
            if (subscripts[d] == DD_FORM_NONE) {
                return false;
            }
        }
        resolved[p] = dd_form_new(forms, DD_FORM_NAME, at.sub, at.payload, subscripts, at.nargs, at.span);
    }
    *f = path ? dd_form_new(forms, DD_FORM_PATH, node.sub, 0, resolved, parts, node.span) : resolved[0];
    return true;
}

void dd_flat_resolve_connect(dd_flattener *fl, dd_ast_equation *eq)
{
    bool left = resolve_end(fl, &eq->lhs), right = resolve_end(fl, &eq->rhs);
    eq->failed = !left || !right;
}
