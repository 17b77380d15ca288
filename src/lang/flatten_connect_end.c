/* flatten_connect_end.c - one end of connect, such as arm[2].flange or r[1:3].p: the path is followed part by part, and
 * subscripts of arrays choose the components to go on in. */
#include <string.h>

#include "lang/flatten_connect.h"

/* The positions that one subscript chooses: a number, a range or a vector of integers. */
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

const char *dd_connect_text(dd_flattener *fl, dd_form f, const dd_form_env *env)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, env, &text);
    return dd_text_str(&text);
}

static bool fail_end(dd_flattener *fl, dd_form f, const dd_form_env *env, const char *why)
{
    dd_error(fl->ctx, dd_form_get(fl->m->forms, f)->span, "%s %s", dd_connect_text(fl, f, env), why);
    return false;
}

/* The members that the path of one end has reached so far: all have the same shape. */
typedef struct end_step {
    dd_form whole, part;
    const dd_form_env *env;
    bool first, last;
    DD_VEC(dd_instance *) next; /* components to go on in */
} end_step;

/* An array that the subscripts of a part choose from, and the positions in it that they choose, row-major. */
typedef struct connector_array {
    const char *name;
    const uint32_t *dims;
    uint32_t ndim;
    uint32_t *at, n; /* result */
} connector_array;

static bool check_count(dd_flattener *fl, dd_form part, const connector_array *a)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, part);
    if (node->nargs <= a->ndim) {
        return true;
    }
    if (a->ndim == 0) {
        dd_error(fl->ctx, node->span, "%s is not an array: it takes no subscripts", a->name);
        return false;
    }
    dd_error(fl->ctx, node->span, "%s has %u dimension%s, but %u subscript%s", a->name, a->ndim,
             a->ndim == 1 ? "" : "s", node->nargs, node->nargs == 1 ? "" : "s");
    return false;
}

static choice choose_all(dd_flattener *fl, uint32_t size)
{
    choice all = {.count = size, .at = dd_pool_alloc_array(fl->scratch, size + 1, sizeof(uint32_t))};
    for (uint32_t i = 0; i < size; i++) {
        all.at[i] = i;
    }
    return all;
}

/* Fills a->at, and adds the dimensions that the subscripts leave to the shape. */
static bool choose(dd_flattener *fl, const end_step *step, connector_array *a, dd_connect_end *shape)
{
    uint32_t given = dd_form_get(fl->m->forms, step->part)->nargs;
    choice c[DD_MAX_DIMS];
    uint64_t total = 1;
    if (!check_count(fl, step->part, a)) {
        return false;
    }
    /* per dimension: the positions chosen by its subscript, or all of them */
    for (uint32_t d = 0; d < a->ndim; d++) {
        if (d >= given) {
            c[d] = choose_all(fl, a->dims[d]);
        } else if (!read_choice(fl, dd_form_arg(fl->m->forms, step->part, d), step->env, a->dims[d], a->name, &c[d])) {
            return false;
        }
        /* a scalar subscript drops its dimension from the shape */
        if (!c[d].scalar && shape->ndim < DD_MAX_DIMS) {
            shape->dims[shape->ndim++] = c[d].count;
        }
        total *= c[d].count;
    }
    /* the product of the choices: k in mixed radix of their counts, the last dimension fastest */
    a->n = (uint32_t)total;
    a->at = dd_pool_alloc_array(fl->scratch, total + 1, sizeof *a->at);
    for (uint64_t k = 0; k < total; k++) {
        uint64_t rest = k, flat = 0, stride = 1;
        for (uint32_t d = a->ndim; d-- > 0;) {
            flat += stride * c[d].at[rest % c[d].count];
            rest /= c[d].count;
            stride *= a->dims[d];
        }
        a->at[k] = (uint32_t)flat;
    }
    return true;
}

static bool step_leaf(dd_flattener *fl, end_step *step, dd_member *member, dd_connect_end *shape, dd_connect_end *out)
{
    /* a variable ends the path */
    if (!step->last) {
        return fail_end(fl, step->whole, step->env, "is not a connector");
    }
    /* a broken declaration was reported where it is */
    const dd_flat_decl *decl = fl->decls.data[member->decl];
    if (decl->broken || decl->array == DD_NO_INDEX) {
        return false;
    }
    const dd_array a = fl->m->arrays.data[decl->array];
    connector_array connectors = {.name = a.name, .dims = a.dims, .ndim = a.ndim};
    if (!choose(fl, step, &connectors, shape)) {
        return false;
    }
    /* a connector that is a variable: the element itself is the node */
    out->is_leaf = true;
    for (uint32_t k = 0; k < connectors.n; k++) {
        dd_connect_leaf element = {member, a.ndim == 0 ? DD_NO_INDEX : connectors.at[k]};
        dd_vec_push(fl->scratch, &out->elements, element);
    }
    return true;
}

static bool step_component(dd_flattener *fl, end_step *step, dd_member *member, dd_connect_end *shape)
{
    connector_array components = {.name = member->path, .dims = member->dims, .ndim = member->ndim};
    if (!choose(fl, step, &components, shape)) {
        return false;
    }
    /* the path goes on in every chosen component */
    for (uint32_t k = 0; k < components.n; k++) {
        dd_vec_push(fl->scratch, &step->next, member->elements[components.at[k]]);
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

bool dd_connect_same_shape(const dd_connect_end *a, const dd_connect_end *b)
{
    return a->ndim == b->ndim && memcmp(a->dims, b->dims, a->ndim * sizeof a->dims[0]) == 0;
}

/* One part of the path: from the instances reached so far to the members of this name. */
static bool take_step(dd_flattener *fl, end_step *step, dd_instance *const *now, uint32_t n, dd_connect_end *out)
{
    uint32_t name = dd_form_get(fl->m->forms, step->part)->payload;
    /* all instances must add the same dimensions, so each begins from the shape before this part */
    const dd_connect_end before = *out;
    for (uint32_t i = 0; i < n; i++) {
        dd_member *member = dd_instance_find(now[i], name);
        dd_connect_end shape = before;
        if (!check_step(fl, step, now[i], member)) {
            return false;
        }
        /* a conditional component that does not exist: the connection goes with it */
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
        if (i > 0 && !dd_connect_same_shape(&shape, out)) {
            return fail_end(fl, step->whole, step->env, "refers to members of several components, of different sizes");
        }
        out->ndim = shape.ndim;
        memcpy(out->dims, shape.dims, sizeof shape.dims);
    }
    return true;
}

/* Follows one end of connect, whose subscripts are resolved, under the values of the loops around. */
bool dd_connect_read_end(dd_flattener *fl, dd_form f, const dd_form_env *env, dd_connect_end *out)
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
