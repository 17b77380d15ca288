/* flatten_connect.c - connect(a, b): connection sets and their equations.
 *
 * Every scalar or array in a connector is a node, twice: seen from inside the component that holds the connector
 * (another component is connected to it) and from outside (the component's own equations connect it). connect joins
 * nodes to sets (union-find). A set of potentials adds a1 = a2, a1 = a3, ...; a set of flows adds sum = 0 with the
 * nodes seen from outside negative; a flow that nothing is connected to is zero.
 */
#include <string.h>

#include "lang/flatten.h"

/* ---- nodes ---- */

typedef struct dd_connected {
    uint32_t parent;  /* union-find; the root is the first of its set */
    uint32_t next;    /* in its set, in the order of joining; DD_NO_INDEX behind the last */
    uint32_t last;    /* of the root: the end of that list */
    uint32_t array;   /* of the model */
    uint32_t element; /* DD_NO_INDEX: the whole array */
    bool outside;
    const dd_member *leaf;
    dd_span span; /* of the first connect that names it */
} dd_connected;

struct dd_connections {
    DD_VEC(dd_connected) nodes;
    dd_map by_key;
    dd_map checked; /* connector classes */
};

static struct dd_connections *connections_of(dd_flattener *fl)
{
    if (fl->connections == NULL) {
        fl->connections = dd_pool_alloc(fl->pool, sizeof *fl->connections);
        fl->connections->by_key = dd_map_new(fl->pool);
        fl->connections->checked = dd_map_new(fl->pool);
    }
    return fl->connections;
}

static uint32_t node_of(dd_flattener *fl, const dd_member *leaf, uint32_t element, bool outside, dd_span span)
{
    /* a node is an array or an element of one, seen from one side; it is made on first mention */
    struct dd_connections *c = connections_of(fl);
    uint32_t array = fl->decls.data[leaf->decl]->array;
    /* open addressing by hand: the map has one value per key, and two nodes may share a hash */
    uint64_t key = dd_hash_mix(dd_hash_mix(array + 1, element), outside ? 2 : 1);
    for (;; key++) { /* a key taken by another node moves on */
        uint32_t at = dd_map_get(&c->by_key, key);
        if (at == 0) {
            break;
        }
        const dd_connected *n = &c->nodes.data[at - 1];
        if (n->array == array && n->element == element && n->outside == outside) {
            return at - 1;
        }
    }
    uint32_t index = c->nodes.len;
    dd_connected node = {.parent = index,
                         .next = DD_NO_INDEX,
                         .last = index,
                         .array = array,
                         .element = element,
                         .outside = outside,
                         .leaf = leaf,
                         .span = span};
    dd_vec_push(fl->pool, &c->nodes, node);
    dd_map_put(&c->by_key, key, index + 1);
    return index;
}

/* An array in a connector is one node; an array of connectors that are variables has one for each element. */
static uint32_t node_count(const dd_flattener *fl, const dd_member *leaf)
{
    const dd_array *a = &fl->m->arrays.data[fl->decls.data[leaf->decl]->array];
    return leaf->is_connector && a->ndim > 0 ? a->size : 1;
}

static uint32_t find_set(struct dd_connections *c, uint32_t n)
{
    /* path halving keeps the trees flat without recursion */
    while (c->nodes.data[n].parent != n) {
        c->nodes.data[n].parent = c->nodes.data[c->nodes.data[n].parent].parent;
        n = c->nodes.data[n].parent;
    }
    return n;
}

/* The older set keeps its place in the order. */
static void join(struct dd_connections *c, uint32_t a, uint32_t b)
{
    uint32_t x = find_set(c, a), y = find_set(c, b);
    if (x == y) {
        return;
    }
    /* the smaller root wins, so the equations come in the order of the text; lists are joined in O(1) */
    uint32_t low = x < y ? x : y, high = x < y ? y : x;
    c->nodes.data[high].parent = low;
    c->nodes.data[c->nodes.data[low].last].next = high;
    c->nodes.data[low].last = c->nodes.data[high].last;
}

/* ---- what connect names ---- */

/* One scalar of a connector that is a variable. */
typedef struct leaf_element {
    const dd_member *leaf;
    uint32_t element; /* DD_NO_INDEX: it is a scalar */
} leaf_element;

/* One end: a list of connectors, with the shape it was written with. */
typedef struct end_list {
    DD_VEC(dd_instance *) instances; /* connectors with members */
    DD_VEC(leaf_element) elements;   /* connectors that are variables */
    bool is_leaf;
    uint32_t ndim;
    uint64_t dims[DD_MAX_DIMS];
    bool outside, removed;
} end_list;

/* Subscripts of a part that are given: each a number, a range or a vector of integers. */
typedef struct choice {
    uint32_t count;
    uint32_t *at; /* from 0 */
    bool scalar;
} choice;

static bool read_choice(dd_flattener *fl, dd_form subscript, const dd_form_env *env, uint32_t size, const char *of,
                        choice *out)
{
    /* `end` is the size of this dimension: replaced before anything is evaluated */
    const dd_form_op op = (dd_form_op)dd_form_get(fl->m->forms, subscript)->op;
    dd_span span = dd_form_get(fl->m->forms, subscript)->span;
    if (dd_find_op(fl->m->forms, subscript, DD_FORM_END) != DD_FORM_NONE) {
        subscript = dd_form_replace_end(fl->m->forms, subscript, dd_form_number(fl->m->forms, size, span));
    }
    /* one number, a vector of them, or all */
    double *values = NULL;
    uint64_t count = size;
    bool all_integer = true, vector = op == DD_FORM_COLON || dd_form_ndim(fl->m->forms, subscript) > 0;
    double one[1];
    if (op != DD_FORM_COLON) {
        int64_t value;
        bool ok = vector ? dd_elaborate_range(&fl->el, subscript, env, &values, &count, &all_integer)
                         : dd_elaborate_integer(&fl->el, subscript, env, &value);
        if (!ok) {
            return false;
        }
        if (!vector) {
            one[0] = (double)value;
            values = one;
            count = 1;
        }
    }
    /* as positions from 0, each checked */
    out->count = (uint32_t)count;
    out->scalar = !vector;
    out->at = dd_pool_alloc_array(fl->scratch, count + 1, sizeof *out->at);
    for (uint64_t i = 0; i < count; i++) {
        double v = values != NULL ? values[i] : (double)(i + 1);
        if (!(v >= 1 && v <= size) || !all_integer) {
            dd_error(fl->ctx, span, "subscript %lld is out of range: %s has size %u", (long long)dd_saturated(v), of,
                     size);
            return false;
        }
        out->at[i] = (uint32_t)v - 1;
    }
    return true;
}

/* Positions in an array of these dims that the subscripts of a part choose, row-major, and the shape they add. */
static bool choose(dd_flattener *fl, dd_form part, const dd_form_env *env, const uint32_t *dims, uint32_t ndim,
                   const char *of, end_list *shape, uint32_t **positions, uint32_t *n)
{
    /* a connector that is not an array takes no subscripts */
    uint32_t given = dd_form_get(fl->m->forms, part)->nargs;
    choice c[DD_MAX_DIMS];
    uint64_t total = 1;
    if (given > ndim) {
        if (ndim == 0) {
            dd_error(fl->ctx, dd_form_get(fl->m->forms, part)->span, "%s is no array: it takes no subscripts", of);
            return false;
        }
        dd_error(fl->ctx, dd_form_get(fl->m->forms, part)->span, "%s has %u dimension%s, but %u subscript%s", of, ndim,
                 ndim == 1 ? "" : "s", given, given == 1 ? "" : "s");
        return false;
    }
    /* per dimension: the positions chosen by its subscript, or all of them */
    for (uint32_t d = 0; d < ndim; d++) {
        if (d < given) {
            if (!read_choice(fl, dd_form_arg(fl->m->forms, part, d), env, dims[d], of, &c[d])) {
                return false;
            }
        } else {
            c[d] = (choice){.count = dims[d], .at = dd_pool_alloc_array(fl->scratch, dims[d] + 1, sizeof(uint32_t))};
            for (uint32_t i = 0; i < dims[d]; i++) {
                c[d].at[i] = i;
            }
        }
        /* a scalar subscript drops its dimension from the shape */
        if (!c[d].scalar && shape->ndim < DD_MAX_DIMS) {
            shape->dims[shape->ndim++] = c[d].count;
        }
        total *= c[d].count;
    }
    /* the product of the choices: k in mixed radix of their counts, the last dimension fastest */
    *positions = dd_pool_alloc_array(fl->scratch, total + 1, sizeof **positions);
    for (uint64_t k = 0; k < total; k++) {
        uint64_t rest = k, flat = 0, stride = 1;
        for (uint32_t d = ndim; d-- > 0;) {
            flat += stride * c[d].at[rest % c[d].count];
            rest /= c[d].count;
            stride *= dims[d];
        }
        (*positions)[k] = (uint32_t)flat;
    }
    *n = (uint32_t)total;
    return true;
}

static const char *end_text(dd_flattener *fl, dd_form f, const dd_form_env *env)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, env, &text);
    return dd_text_str(&text);
}

static bool fail_end(dd_flattener *fl, dd_form f, const dd_form_env *env, const char *why)
{
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s %s", end_text(fl, f, env), why);
    return false;
}

/* The members that the path of one end has reached so far: all have the same shape. */
typedef struct end_step {
    dd_form whole, part;
    const dd_form_env *env;
    bool first, last;
    DD_VEC(dd_instance *) next; /* components to go on in */
} end_step;

static bool step_leaf(dd_flattener *fl, end_step *step, dd_member *member, end_list *shape, end_list *out)
{
    uint32_t *at, n;
    /* a variable ends the path */
    if (!step->last) {
        return fail_end(fl, step->whole, step->env, "is not a connector");
    }
    /* what was reported at its declaration stays silent here */
    const dd_flat_decl *decl = fl->decls.data[member->decl];
    if (decl->broken || decl->array == DD_NO_INDEX) {
        return false;
    }
    const dd_array a = fl->m->arrays.data[decl->array];
    if (!choose(fl, step->part, step->env, a.dims, a.ndim, a.name, shape, &at, &n)) {
        return false;
    }
    /* a connector that is a variable: the element itself is the node */
    out->is_leaf = true;
    for (uint32_t k = 0; k < n; k++) {
        leaf_element element = {member, a.ndim == 0 ? DD_NO_INDEX : at[k]};
        dd_vec_push(fl->scratch, &out->elements, element);
    }
    return true;
}

static bool step_component(dd_flattener *fl, end_step *step, dd_member *member, end_list *shape)
{
    uint32_t *at, n;
    if (!choose(fl, step->part, step->env, member->dims, member->ndim, member->path, shape, &at, &n)) {
        return false;
    }
    /* the path goes on in every chosen component */
    for (uint32_t k = 0; k < n; k++) {
        dd_vec_push(fl->scratch, &step->next, member->elements[at[k]]);
    }
    return true;
}

/* May connect name this member? Its value is then found. */
static bool check_step(dd_flattener *fl, const end_step *step, dd_instance *in, dd_member *member)
{
    if (member == NULL) {
        uint32_t name = dd_form_get(fl->m->forms, step->part)->payload;
        dd_flat_report_member(fl, in, name, dd_form_get(fl->m->forms, step->part)->span);
        return false;
    }
    if (member->is_protected && !step->first) {
        return fail_end(fl, step->whole, step->env, "is protected: it cannot be connected from outside its class");
    }
    return dd_member_expand(fl, member);
}

static bool same_shape(const end_list *a, const end_list *b)
{
    return a->ndim == b->ndim && memcmp(a->dims, b->dims, a->ndim * sizeof a->dims[0]) == 0;
}

/* One part of the path: from the instances reached so far to the members of this name. */
static bool take_step(dd_flattener *fl, end_step *step, dd_instance *const *now, uint32_t n, end_list *out)
{
    uint32_t name = dd_form_get(fl->m->forms, step->part)->payload;
    /* all instances must add the same dimensions, so each begins from the shape before this part */
    const end_list before = *out;
    for (uint32_t i = 0; i < n; i++) {
        dd_member *member = dd_instance_find(now[i], name);
        end_list shape = before;
        if (!check_step(fl, step, now[i], member)) {
            return false;
        }
        /* a conditional component that is not there: the connection goes with it */
        if (member->removed) {
            out->removed = true;
            return true;
        }
        if (step->last && !member->is_connector) {
            return fail_end(fl, step->whole, step->env,
                            "is not a connector: connect joins components whose class is a `connector`");
        }
        /* 9.1.2: a connector of the instance itself is seen from outside, one of a component from inside */
        out->outside = step->first ? member->is_connector : out->outside;
        if (!(member->is_leaf ? step_leaf(fl, step, member, &shape, out) : step_component(fl, step, member, &shape))) {
            return false;
        }
        /* arm.flange for several arms: every arm must contribute the same shape */
        if (i > 0 && !same_shape(&shape, out)) {
            return fail_end(fl, step->whole, step->env, "stands for members of several components, of different sizes");
        }
        out->ndim = shape.ndim;
        memcpy(out->dims, shape.dims, sizeof shape.dims);
    }
    return true;
}

/* Follows one end of connect, whose subscripts are resolved, under the values of the loops around. */
static bool read_end(dd_flattener *fl, dd_form f, const dd_form_env *env, end_list *out)
{
    dd_forms *forms = fl->m->forms;
    /* part by part from the instance where connect is written; arrays multiply the instances */
    bool path = dd_form_get(forms, f)->op == DD_FORM_PATH;
    uint32_t parts = path ? dd_form_get(forms, f)->nargs : 1, n = 1;
    dd_instance *const *now = &fl->place.instance;
    for (uint32_t p = 0; p < parts && !out->removed; p++) {
        dd_form part = path ? dd_form_arg(forms, f, p) : f;
        end_step step = {.whole = f, .part = part, .env = env, .first = p == 0, .last = p + 1 == parts};
        if (!take_step(fl, &step, now, n, out)) {
            return false;
        }
        now = step.next.data;
        n = step.next.len;
    }
    for (uint32_t i = 0; i < n && !out->removed; i++) {
        dd_vec_push(fl->scratch, &out->instances, now[i]);
    }
    return true;
}

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
    struct dd_connections *c = connections_of(fl);
    uint32_t parts = node_count(fl, a);
    for (uint32_t k = 0; k < parts; k++) {
        uint32_t element = a->is_connector && ax->ndim > 0 ? k : DD_NO_INDEX;
        uint32_t na = node_of(fl, a, element, a_outside, span), nb = node_of(fl, b, element, b_outside, span);
        join(c, na, nb);
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

static const char *shape_text(dd_flattener *fl, const end_list *e)
{
    dd_text text = dd_text_new(fl->pool);
    for (uint32_t d = 0; d < e->ndim; d++) {
        dd_text_printf(&text, "%s%llu", d == 0 ? "of size " : " x ", (unsigned long long)e->dims[d]);
    }
    return e->ndim == 0 ? "a single one" : dd_text_str(&text);
}

static void report_shapes(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, const end_list *a,
                          const end_list *b)
{
    const char *left = end_text(fl, eq->lhs, env), *right = end_text(fl, eq->rhs, env);
    if (a->is_leaf != b->is_leaf) {
        dd_error(fl->ctx, eq->span, "%s and %s cannot be connected: %s is a variable, %s has members", left, right,
                 a->is_leaf ? left : right, a->is_leaf ? right : left);
        return;
    }
    dd_error(fl->ctx, eq->span, "%s and %s cannot be connected: the first is %s, the second %s", left, right,
             shape_text(fl, a), shape_text(fl, b));
}

/* Connectors that are variables are joined element by element. */
static bool join_elements(dd_flattener *fl, const end_list *a, const end_list *b, dd_span span)
{
    struct dd_connections *c = connections_of(fl);
    /* element by element; both ends have the same shape here */
    for (uint32_t k = 0; k < a->elements.len; k++) {
        const leaf_element x = a->elements.data[k], y = b->elements.data[k];
        if (!check_pair(fl, x.leaf, y.leaf, x.leaf->path, y.leaf->path, span)) {
            return false;
        }
        uint32_t na = node_of(fl, x.leaf, x.element, a->outside, span);
        uint32_t nb = node_of(fl, y.leaf, y.element, b->outside, span);
        join(c, na, nb);
    }
    return true;
}

void dd_flat_add_connect(dd_flattener *fl, dd_ast_equation *eq, const dd_form_env *env)
{
    /* both ends under the values of the loops around */
    end_list a = {0}, b = {0};
    if (!read_end(fl, eq->lhs, env, &a) || !read_end(fl, eq->rhs, env, &b)) {
        eq->failed = true;
        return;
    }
    if (a.removed || b.removed) {
        return; /* a conditional component that is not there takes its connections with it */
    }
    /* connectors pair up one to one: equal shapes, and both variables or both with members */
    if (!same_shape(&a, &b) || a.is_leaf != b.is_leaf) {
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
    /* only subscripts are resolved: what the parts name may depend on loop variables */
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

/* ---- equations ---- */

static dd_form node_form(dd_flattener *fl, const dd_connected *n, dd_span span)
{
    const dd_array *a = &fl->m->arrays.data[n->array];
    dd_form subscripts[DD_MAX_DIMS];
    uint32_t symbol = a->symbol, count = n->element == DD_NO_INDEX ? 0 : a->ndim, rest = n->element, stride = a->size;
    uint32_t dims[DD_MAX_DIMS];
    memcpy(dims, a->dims, sizeof dims);
    /* the subscripts of the element, row-major */
    for (uint32_t d = 0; d < count; d++) {
        stride /= dims[d];
        subscripts[d] = dd_form_number(fl->m->forms, rest / stride + 1, span);
        rest %= stride;
    }
    return dd_form_new(fl->m->forms, DD_FORM_REF, 0, symbol, subscripts, count, span);
}

static dd_expr node_scalar(dd_flattener *fl, const dd_connected *n, uint32_t k)
{
    const dd_array *a = &fl->m->arrays.data[n->array];
    return dd_model_symbol(fl->m, a->first + (n->element == DD_NO_INDEX ? k : n->element));
}

static uint32_t node_size(const dd_flattener *fl, const dd_connected *n)
{
    return n->element == DD_NO_INDEX ? fl->m->arrays.data[n->array].size : 1;
}

static void add_rows(dd_flattener *fl, dd_form lhs, dd_form rhs, dd_expr *rows, uint32_t count, dd_span span)
{
    if (count > 0) {
        dd_group group = {.lhs = lhs, .rhs = rhs, .span = span, .doc = "", .origin = DD_ORIGIN_CONNECTION};
        dd_model_add_group(fl->m, group, rows, count);
    }
    dd_flat_recycle(fl, count);
}

/* first = other */
static void add_potential(dd_flattener *fl, uint32_t first, uint32_t other)
{
    struct dd_connections *c = connections_of(fl);
    /* a potential: first - other = 0 for every scalar of the node */
    const dd_connected a = c->nodes.data[first], b = c->nodes.data[other];
    uint32_t n = node_size(fl, &a);
    dd_expr *rows = dd_pool_alloc_array(fl->scratch, n + 1, sizeof *rows);
    for (uint32_t k = 0; k < n; k++) {
        rows[k] = dd_sub(fl->m->dag, node_scalar(fl, &a, k), node_scalar(fl, &b, k));
    }
    if (a.array == b.array && a.element == b.element) {
        return; /* the two sides of one connector */
    }
    add_rows(fl, node_form(fl, &a, b.span), node_form(fl, &b, b.span), rows, n, b.span);
}

/* The sum of all flows of the set is zero. */
static void add_flow(dd_flattener *fl, uint32_t first)
{
    struct dd_connections *c = connections_of(fl);
    /* 9.2: the flows of a set sum to zero, those seen from outside with a minus sign */
    uint32_t n = node_size(fl, &c->nodes.data[first]);
    dd_expr_vec terms = {0};
    DD_VEC(dd_form) forms = {0};
    dd_expr *rows = dd_pool_alloc_array(fl->scratch, n + 1, sizeof *rows);
    dd_span span = c->nodes.data[first].span;
    bool all_outside = true; /* then the signs do not matter */
    for (uint32_t at = first; at != DD_NO_INDEX; at = c->nodes.data[at].next) {
        all_outside = all_outside && c->nodes.data[at].outside;
    }
    /* scalar by scalar; the form is the same for all, so it is built with the first one */
    for (uint32_t k = 0; k < n; k++) {
        terms.len = 0;
        for (uint32_t at = first; at != DD_NO_INDEX; at = c->nodes.data[at].next) {
            const dd_connected node = c->nodes.data[at];
            bool minus = node.outside && !all_outside;
            dd_expr e = node_scalar(fl, &node, k);
            dd_vec_push(fl->scratch, &terms, minus ? dd_neg(fl->m->dag, e) : e);
            if (k == 0) {
                dd_form f = node_form(fl, &node, span);
                f = minus ? dd_form_new(fl->m->forms, DD_FORM_NEG, 0, 0, &f, 1, span) : f;
                dd_vec_push(fl->scratch, &forms, f);
            }
        }
        rows[k] = dd_sum(fl->m->dag, terms.data, terms.len);
    }
    /* the equation as reports show it: sum = 0, or = zeros(n) for arrays */
    dd_form lhs =
        forms.len == 1 ? forms.data[0] : dd_form_new(fl->m->forms, DD_FORM_SUM, 0, 0, forms.data, forms.len, span);
    const dd_array *a = &fl->m->arrays.data[c->nodes.data[first].array];
    dd_form zero = dd_form_number(fl->m->forms, 0, span);
    if (c->nodes.data[first].element == DD_NO_INDEX && a->ndim > 0) {
        dd_form sizes[DD_MAX_DIMS];
        uint32_t ndim = a->ndim;
        for (uint32_t d = 0; d < ndim; d++) {
            sizes[d] = dd_form_number(fl->m->forms, fl->m->arrays.data[c->nodes.data[first].array].dims[d], span);
        }
        zero = dd_form_new(fl->m->forms, DD_FORM_CALL, DD_FN_ZEROS, 0, sizes, ndim, span);
    }
    add_rows(fl, lhs, zero, rows, n, span);
}

static const char *node_name(dd_flattener *fl, const dd_connected *n)
{
    const dd_array *a = &fl->m->arrays.data[n->array];
    return n->element == DD_NO_INDEX ? a->name : dd_model_var_name_dup(fl->m, a->first + n->element, fl->pool);
}

/* A protected connector is not visible from outside: an input there is connected inside, or has an equation. */
static bool is_hidden(const dd_member *leaf)
{
    const dd_member *m = leaf;
    while (!m->is_protected && m->parent->of != NULL && m->parent->of->is_connector) {
        m = m->parent->of;
    }
    return m->is_protected;
}

/* A set with inputs and outputs has one source: an output of a component, or an input of the model around. */
static bool check_sources(dd_flattener *fl, uint32_t first)
{
    struct dd_connections *c = connections_of(fl);
    /* 9.3: causal connectors have one source in a set; a second one would overdetermine the signal */
    const dd_connected *source = NULL;
    for (uint32_t at = first; at != DD_NO_INDEX; at = c->nodes.data[at].next) {
        const dd_connected *n = &c->nodes.data[at];
        bool is_source = n->outside ? n->leaf->causal_input && !is_hidden(n->leaf) : n->leaf->causal_output;
        if (!is_source) {
            continue;
        }
        if (source != NULL && (source->array != n->array || source->element != n->element)) {
            dd_error(fl->ctx, n->span, "%s and %s both give a value, and they are connected: one of them is too much",
                     node_name(fl, source), node_name(fl, n));
            return false;
        }
        source = n;
    }
    return true;
}

static void add_set(dd_flattener *fl, uint32_t first)
{
    struct dd_connections *c = connections_of(fl);
    /* flows add one equation, potentials one for every node but the first */
    if (c->nodes.data[first].leaf->is_flow) {
        add_flow(fl, first);
        return;
    }
    if (!check_sources(fl, first)) {
        return;
    }
    for (uint32_t at = c->nodes.data[first].next; at != DD_NO_INDEX; at = c->nodes.data[at].next) {
        add_potential(fl, first, at);
    }
}

/* ---- connectors by themselves ---- */

/* annotation(Daedal(balanced = false)): the numbers are meant to differ. */
static bool says_unbalanced(const dd_flattener *fl, const dd_ast_class *class)
{
    for (const dd_ast_mod *mod = class->annotation; mod != NULL; mod = mod->next) {
        for (const dd_ast_mod *m = mod->nested; m != NULL; m = m->next) {
            if (strcmp(dd_names_get(fl->m->names, mod->name), "Daedal") == 0 &&
                strcmp(dd_names_get(fl->m->names, m->name), "balanced") == 0) {
                return true;
            }
        }
    }
    return false;
}

/* Scalars of a connector that are flows, and those that are neither flows, inputs, outputs nor parameters. */
static void count_members(const dd_flattener *fl, const dd_instance *in, uint64_t *flows, uint64_t *potentials)
{
    /* parameters and causal variables bring no equation with a connection, so they do not enter the balance */
    for (uint32_t i = 0; i < in->n_members; i++) {
        const dd_member *member = in->members[i];
        if (member->removed || member->broken || member->variability != DD_AST_VARIABLE || member->causal_input ||
            member->causal_output) {
            continue;
        }
        for (uint32_t k = 0; !member->is_leaf && k < member->count; k++) {
            count_members(fl, member->elements[k], flows, potentials);
        }
        if (member->is_leaf && fl->decls.data[member->decl]->array != DD_NO_INDEX) {
            *(member->is_flow ? flows : potentials) += fl->m->arrays.data[fl->decls.data[member->decl]->array].size;
        }
    }
}

/* As many flows as potentials: otherwise connecting adds too many or too few equations. Once per class. */
static void check_balance(dd_flattener *fl, const dd_instance *in)
{
    uint64_t key = (uint64_t)(uintptr_t)in->class, flows = 0, potentials = 0;
    if (dd_map_get(&connections_of(fl)->checked, key) != 0) {
        return;
    }
    dd_map_put(&connections_of(fl)->checked, key, 1);
    /* 9.3.1: connecting n flows and n potentials adds as many equations as unknowns */
    count_members(fl, in, &flows, &potentials);
    if (flows == potentials || says_unbalanced(fl, in->class)) {
        return;
    }
    dd_error(fl->ctx, in->class->span,
             "the connector %s is not balanced: it has %llu flow variable%s, but %llu other%s; connecting would give "
             "too %s equations",
             dd_class_full_name(fl->library, in->class, fl->pool), (unsigned long long)flows, flows == 1 ? "" : "s",
             (unsigned long long)potentials, potentials == 1 ? "" : "s", flows > potentials ? "few" : "many");
}

/* ---- all of them ---- */

/* Flows of all connectors below get a node seen from inside: alone in its set it is zero. */
static void add_unconnected(dd_flattener *fl, dd_instance *in, bool connector)
{
    for (uint32_t i = 0; i < in->n_members; i++) {
        dd_member *member = in->members[i];
        if (member->broken || member->removed) {
            continue;
        }
        /* variables inside a connector of a connector belong to it, too */
        bool here = connector || member->is_connector;
        if (member->is_leaf) {
            const dd_flat_decl *decl = fl->decls.data[member->decl];
            /* flows without a binding need an equation, and it is 0 if nobody connects them */
            bool flow = here && member->is_flow && !decl->broken && decl->array != DD_NO_INDEX;
            if (flow && member->variability == DD_AST_VARIABLE && decl->binding == DD_FORM_NONE) {
                dd_span span = member->parent->of != NULL ? member->parent->of->ast->span : member->ast->span;
                uint32_t parts = node_count(fl, member);
                bool whole = !member->is_connector || fl->m->arrays.data[decl->array].ndim == 0;
                for (uint32_t k = 0; k < parts; k++) {
                    node_of(fl, member, whole ? DD_NO_INDEX : k, false, span);
                }
            }
            continue;
        }
        for (uint32_t k = 0; k < member->count; k++) {
            /* once per connector class, at its outermost level */
            if (member->is_connector && !connector) {
                check_balance(fl, member->elements[k]);
            }
            add_unconnected(fl, member->elements[k], here);
        }
    }
}

void dd_flat_connections(dd_flattener *fl)
{
    if (dd_context_error_count(fl->ctx) > 0) {
        return; /* sets may be incomplete */
    }
    add_unconnected(fl, fl->root, false);
    /* roots in the order of their making: the order of the text */
    struct dd_connections *c = connections_of(fl);
    for (uint32_t i = 0; i < c->nodes.len; i++) {
        if (c->nodes.data[i].parent == i) {
            add_set(fl, i);
            dd_check_stop(fl->ctx);
        }
    }
}
