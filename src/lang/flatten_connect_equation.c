/* flatten_connect_equation.c - the equations of all connection sets (Modelica 9.2), the sources of causal ones and the
 * balance of connector classes (9.3). */
#include <string.h>

#include "lang/flatten_connect.h"

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
        const uint32_t subscript = rest / stride + 1;
        subscripts[d] = dd_form_number(fl->m->forms, subscript, span);
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

static void add_rows(dd_flattener *fl, dd_group group, dd_expr *rows, uint32_t count)
{
    if (count > 0) {
        group.doc = "";
        group.origin = DD_ORIGIN_CONNECTION;
        dd_model_add_group(fl->m, group, rows, count);
    }
    dd_flat_recycle(fl, count);
}

/* The value of NAME in annotation(Daedal(NAME = value)) of a class; NULL without. */
static const dd_ast_mod *note_of(const dd_flattener *fl, const dd_ast_class *class, const char *name)
{
    for (const dd_ast_mod *mod = class->annotation; mod != NULL; mod = mod->next) {
        for (const dd_ast_mod *m = mod->nested; m != NULL; m = m->next) {
            if (strcmp(dd_names_get(fl->m->names, mod->name), "Daedal") == 0 &&
                strcmp(dd_names_get(fl->m->names, m->name), name) == 0) {
                return m;
            }
        }
    }
    return NULL;
}

/* What the connector of a leaf says about its unknowns when the parts do not determine them; NULL without. */
static const char *undetermined_note(const dd_flattener *fl, const dd_member *leaf)
{
    const dd_ast_mod *note = leaf->parent->class ? note_of(fl, leaf->parent->class, "undetermined") : NULL;
    if (note == NULL || note->value == DD_FORM_NONE) {
        return NULL;
    }
    const dd_form_node *node = dd_form_get(fl->m->forms, note->value);
    return node->op == DD_FORM_STRING ? dd_names_get(fl->m->names, node->payload) : NULL;
}

/* first = other */
static void add_potential(dd_flattener *fl, uint32_t first, uint32_t other)
{
    struct dd_connections *c = dd_connections_of(fl);
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
    dd_group group = {.lhs = node_form(fl, &a, b.span), .rhs = node_form(fl, &b, b.span), .span = b.span};
    group.undetermined = undetermined_note(fl, a.leaf);
    add_rows(fl, group, rows, n);
}

/* The sum of all flows of the set is zero. */
static void add_flow(dd_flattener *fl, uint32_t first)
{
    struct dd_connections *c = dd_connections_of(fl);
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
    add_rows(fl, (dd_group){.lhs = lhs, .rhs = zero, .span = span}, rows, n);
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
    struct dd_connections *c = dd_connections_of(fl);
    /* 9.3: causal connectors have one source in a set; a second one would overdetermine the signal */
    const dd_connected *source = NULL;
    for (uint32_t at = first; at != DD_NO_INDEX; at = c->nodes.data[at].next) {
        const dd_connected *n = &c->nodes.data[at];
        bool is_source = n->outside ? n->leaf->causal_input && !is_hidden(n->leaf) : n->leaf->causal_output;
        if (!is_source) {
            continue;
        }
        if (source != NULL && (source->array != n->array || source->element != n->element)) {
            dd_error(fl->ctx, n->span,
                     "%s and %s are connected, and both determine the value: only one source is allowed",
                     node_name(fl, source), node_name(fl, n));
            return false;
        }
        source = n;
    }
    return true;
}

static void add_set(dd_flattener *fl, uint32_t first)
{
    struct dd_connections *c = dd_connections_of(fl);
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
    if (dd_map_get(&dd_connections_of(fl)->checked, key) != 0) {
        return;
    }
    dd_map_put(&dd_connections_of(fl)->checked, key, 1);
    /* 9.3.1: connecting n flows and n potentials adds as many equations as unknowns, unless the numbers are meant to differ */
    count_members(fl, in, &flows, &potentials);
    if (flows == potentials || note_of(fl, in->class, "balanced") != NULL) {
        return;
    }
    dd_error(fl->ctx, in->class->span,
             "the connector %s is not balanced: it has %llu flow variable%s, but %llu other%s; connecting would add "
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
                uint32_t parts = dd_connect_node_count(fl, member);
                bool whole = !member->is_connector || fl->m->arrays.data[decl->array].ndim == 0;
                for (uint32_t k = 0; k < parts; k++) {
                    dd_connect_node(fl, member, whole ? DD_NO_INDEX : k, false, span);
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
    struct dd_connections *c = dd_connections_of(fl);
    for (uint32_t i = 0; i < c->nodes.len; i++) {
        if (c->nodes.data[i].parent == i) {
            add_set(fl, i);
            dd_check_stop(fl->ctx);
        }
    }
}
