/* flatten_record.c - equations and bindings between records: one for each member. */
#include "lang/flatten.h"

/* The path with one more part. */
static dd_form with_member(dd_flattener *fl, dd_form path, uint32_t name, dd_span span)
{
    dd_forms *forms = fl->m->forms;
    dd_form parts[DD_TARGET_MAX + 1];
    const dd_form_node node = *dd_form_get(forms, path);
    uint32_t n = 0;
    /* the parts of a path are copied, a name is its own first part */
    if (node.op == DD_FORM_PATH) {
        for (; n < node.nargs && n < DD_TARGET_MAX; n++) {
            parts[n] = dd_form_arg(forms, path, n);
        }
    } else {
        parts[n++] = path;
    }
    parts[n++] = dd_form_new(forms, DD_FORM_NAME, 0, name, NULL, 0, span);
    return dd_form_new(forms, DD_FORM_PATH, node.op == DD_FORM_PATH ? node.sub : 0, 0, parts, n, span);
}

/* The record that a form names at this place; NULL when it is something else. */
static dd_member *record_named(dd_flattener *fl, dd_form f, dd_place place)
{
    dd_target t;
    /* only names and paths can be components */
    const dd_form_op op = (dd_form_op)dd_form_get(fl->m->forms, f)->op;
    if (op != DD_FORM_NAME && op != DD_FORM_PATH) {
        return NULL;
    }
    dd_flat_follow(fl, place, f, &t);
    if (t.kind != DD_TARGET_COMPONENT || t.members[t.n - 1]->class->kind != DD_CLASS_RECORD) {
        return NULL;
    }
    return t.members[t.n - 1];
}

/* The record whose constructor the form calls, R(a = 1, b = 2) or R(1, 2); NULL when it is something else. */
static dd_ast_class *constructor(dd_flattener *fl, dd_form f, dd_place place)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    dd_target t;
    /* the class by its name or path, as any other class */
    if (node.op != DD_FORM_UNKNOWN_CALL) {
        return NULL;
    }
    dd_form name = node.sub != 0 ? dd_form_arg(forms, f, 0)
                                 : dd_form_new(forms, DD_FORM_NAME, 0, node.payload, NULL, 0, node.span);
    dd_flat_follow(fl, place, name, &t);
    return t.kind == DD_TARGET_CLASS && t.class->kind == DD_CLASS_RECORD ? t.class : NULL;
}

/* Arguments of a constructor begin behind its path. */
static uint32_t first_argument(const dd_flattener *fl, dd_form f)
{
    return dd_form_get(fl->m->forms, f)->sub != 0 ? 1 : 0;
}

static bool is_argument(const dd_member *field)
{
    return field->ast->variability != DD_AST_CONSTANT;
}

/* The argument of a constructor for this member; DD_FORM_NONE when its default holds. */
static dd_form argument_for(dd_flattener *fl, dd_form f, const dd_instance *record, uint32_t index)
{
    /* by position among the arguments, or by name; constants are not arguments */
    dd_forms *forms = fl->m->forms;
    uint32_t n = dd_form_get(forms, f)->nargs, at = first_argument(fl, f);
    for (uint32_t i = 0; i < index; i++) {
        at += is_argument(record->members[i]);
    }
    for (uint32_t i = first_argument(fl, f); i < n; i++) {
        dd_form arg = dd_form_arg(forms, f, i);
        const dd_form_node *a = dd_form_get(forms, arg);
        bool named = a->op == DD_FORM_NAMED_ARG;
        if (named ? a->payload == record->members[index]->ast->name : i == at) {
            return named ? dd_form_arg(forms, arg, 0) : arg;
        }
    }
    return DD_FORM_NONE;
}

/* Every field of the record is one of the class, too. */
static bool has_fields(dd_flattener *fl, dd_ast_class *class, const dd_instance *record)
{
    bool all = true;
    /* records of other classes fit if they have the fields that are needed */
    for (uint32_t i = 0; i < record->n_members && all && class != record->class; i++) {
        all = dd_lookup_member(fl->library, class, record->members[i]->ast->name).kind == DD_ELEMENT_DECL;
    }
    return all;
}

/* Do the arguments of a constructor fit the record they are for? */
static bool check_constructor(dd_flattener *fl, dd_form f, dd_ast_class *class, const dd_instance *record)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    const char *name = dd_class_full_name(fl->library, class, fl->pool);
    uint32_t fields = 0, given = node.nargs - first_argument(fl, f);
    if (!has_fields(fl, class, record)) {
        dd_error(fl->ctx, node.span, "%s is a record %s, but the value is a record %s", record->path,
                 dd_class_full_name(fl->library, record->class, fl->pool), name);
        return false;
    }
    /* every argument has a value: given, modified, or by default */
    for (uint32_t i = 0; i < record->n_members; i++) {
        const dd_member *field = record->members[i];
        fields += is_argument(field);
        if (is_argument(field) && field->ast->binding == DD_FORM_NONE && field->value_mod.ast == NULL &&
            argument_for(fl, f, record, i) == DD_FORM_NONE) {
            dd_error(fl->ctx, node.span, "%s: the field %s is not given and has no default", name,
                     dd_names_get(fl->m->names, field->ast->name));
            return false;
        }
    }
    if (given > fields) {
        dd_error(fl->ctx, node.span, "%s has %u field%s, but %u values are given", name, fields, fields == 1 ? "" : "s",
                 given);
        return false;
    }
    /* named arguments must name fields */
    for (uint32_t i = first_argument(fl, f); i < node.nargs; i++) {
        const dd_form_node *a = dd_form_get(forms, dd_form_arg(forms, f, i));
        if (a->op == DD_FORM_NAMED_ARG && dd_instance_find(record, a->payload) == NULL) {
            dd_error(fl->ctx, a->span, "%s has no field %s", name, dd_names_get(fl->m->names, a->payload));
            return false;
        }
    }
    return true;
}

/* ---- bindings ---- */

/* NAME x or x[i, :] with these subscripts, in the place of what is left open. */
static dd_form subscripted(dd_flattener *fl, dd_form name, const uint32_t *at, uint32_t n)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, name);
    dd_form subscripts[DD_MAX_DIMS];
    /* subscripts go to the open dimensions, in order; given ones stay */
    uint32_t count = node.nargs == 0 ? n : node.nargs, used = 0;
    if (count > DD_MAX_DIMS) {
        return name;
    }
    for (uint32_t d = 0; d < count; d++) {
        dd_form given = node.nargs == 0 ? DD_FORM_NONE : dd_form_arg(forms, name, d);
        bool open = given == DD_FORM_NONE || dd_form_get(forms, given)->op == DD_FORM_COLON;
        subscripts[d] = open && used < n ? dd_form_number(forms, at[used], node.span) : given;
        used += open;
    }
    return used == n ? dd_form_new(forms, DD_FORM_NAME, node.sub, node.payload, subscripts, count, node.span) : name;
}

/* The same at the end of a PATH. */
static dd_form with_subscripts(dd_flattener *fl, dd_form value, const uint32_t *at, uint32_t n)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, value);
    dd_form args[DD_TARGET_MAX];
    if (node.op == DD_FORM_NAME || node.nargs > DD_TARGET_MAX) {
        return node.op == DD_FORM_NAME ? subscripted(fl, value, at, n) : value;
    }
    /* only the last part is indexed */
    for (uint32_t i = 0; i < node.nargs; i++) {
        args[i] = dd_form_arg(forms, value, i);
    }
    args[node.nargs - 1] = subscripted(fl, args[node.nargs - 1], at, n);
    return dd_form_new(forms, DD_FORM_PATH, node.sub, node.payload, args, node.nargs, node.span);
}

/* The element of a value that is an array of records; a single record is for all. */
static dd_form element_of(dd_flattener *fl, dd_form value, dd_place place, const uint32_t *at, const uint32_t *sizes,
                          uint32_t n)
{
    /* down nested lists; a named array of records is indexed, a single record is for all */
    for (uint32_t d = 0; d < n; d++) {
        const dd_form_node node = *dd_form_get(fl->m->forms, value);
        if (node.op == DD_FORM_NAME || node.op == DD_FORM_PATH) {
            const dd_member *named = record_named(fl, value, place);
            return named != NULL && named->ndim == 0 ? value : with_subscripts(fl, value, at + d, n - d);
        }
        if (node.op != DD_FORM_ARRAY) {
            return value;
        }
        if (at[d] > node.nargs || node.nargs != sizes[d]) {
            dd_error(fl->ctx, node.span, "%u value%s for an array of %u records", node.nargs,
                     node.nargs == 1 ? "" : "s", sizes[d]);
            return DD_FORM_NONE;
        }
        value = dd_form_arg(fl->m->forms, value, at[d] - 1);
    }
    return value;
}

/* A modification of one field from further outside than the value of the whole record is stronger. */
static bool keeps_own(const dd_member *field, dd_place place)
{
    /* compared by depth: the instance nearer to the root is further outside */
    const dd_instance *own = field->value_mod.ast != NULL ? field->value_mod.place.instance : NULL;
    return own != NULL && place.instance != NULL && own->depth < place.instance->depth;
}

static bool bind_element(dd_flattener *fl, dd_member *member, dd_instance *in, dd_form value)
{
    /* three kinds of values: a record by name, a constructor, any other expression */
    dd_place place = member->value_mod.place;
    const dd_member *named = record_named(fl, value, place);
    dd_ast_class *made = constructor(fl, value, place);
    if (made != NULL && !check_constructor(fl, value, made, in)) {
        return false;
    }
    for (uint32_t i = 0; i < in->n_members; i++) {
        dd_member *field = in->members[i];
        dd_form part;
        if (field->ast->variability == DD_AST_CONSTANT || keeps_own(field, place)) {
            continue;
        }
        /* r.field, the constructor's argument, or .field of the expression */
        if (named != NULL) {
            part = with_member(fl, value, field->ast->name, member->value_span);
        } else if (made == NULL) {
            part = dd_form_new(fl->m->forms, DD_FORM_ELEMENT, 1, field->ast->name, &value, 1, member->value_span);
        } else {
            part = argument_for(fl, value, in, i);
        }
        if (part == DD_FORM_NONE) {
            continue; /* its default holds */
        }
        /* the field is modified as if this value had been written at it */
        field->value = part;
        field->value_mod = (dd_mod){.place = place};
        field->value_span = member->value_span;
        field->is_final = field->is_final || member->is_final;
    }
    return true;
}

bool dd_record_bind(dd_flattener *fl, dd_member *member)
{
    if (member->value == DD_FORM_NONE) {
        return true;
    }
    /* a member of an array of components takes its part first */
    dd_place place = member->value_mod.place;
    dd_form whole = element_of(fl, member->value, place, member->value_mod.element, member->value_mod.sizes,
                               member->value_mod.n_element);
    /* then every element of an array of records gets its own: subscripts of element k, row-major */
    for (uint32_t k = 0; k < member->count && whole != DD_FORM_NONE; k++) {
        uint32_t at[DD_MAX_DIMS], rest = k;
        for (uint32_t d = member->ndim; d-- > 0;) {
            at[d] = rest % member->dims[d] + 1;
            rest /= member->dims[d];
        }
        dd_form value = element_of(fl, whole, place, at, member->dims, member->ndim);
        if (value == DD_FORM_NONE || !bind_element(fl, member, member->elements[k], value)) {
            return false;
        }
    }
    return whole != DD_FORM_NONE;
}

/* ---- equations ---- */

/* One side of an equation between records, whose members are asked for one by one. */
typedef struct record_side {
    dd_form form;
    const dd_member *named;
    dd_ast_class *made;
} record_side;

static record_side read_side(dd_flattener *fl, dd_form f)
{
    return (record_side){f, record_named(fl, f, fl->place), constructor(fl, f, fl->place)};
}

static dd_form side_member(dd_flattener *fl, const record_side *side, const dd_instance *like, uint32_t i, dd_span span)
{
    return side->named != NULL  ? with_member(fl, side->form, like->members[i]->ast->name, span)
           : side->made != NULL ? argument_for(fl, side->form, like, i)
                                : DD_FORM_NONE;
}

bool dd_record_equation(dd_flattener *fl, dd_ast_equation *eq)
{
    /* at least one side names a record: it says which members there are */
    record_side left = read_side(fl, eq->lhs), right = read_side(fl, eq->rhs);
    const dd_member *like = left.named != NULL ? left.named : right.named;
    if (like == NULL || like->count == 0) {
        return false;
    }
    const record_side *made = left.made != NULL ? &left : right.made != NULL ? &right : NULL;
    if (made != NULL && !check_constructor(fl, made->form, made->made, like->elements[0])) {
        eq->failed = true;
        eq->kind = DD_AST_LIST;
        return true;
    }
    /* one equation per variable member, in the place of this one; parameters have their own values */
    dd_ast_equation **end = &eq->body;
    const dd_instance *in = like->elements[0];
    for (uint32_t i = 0; i < in->n_members; i++) {
        if (in->members[i]->variability != DD_AST_VARIABLE) {
            continue;
        }
        dd_form l = side_member(fl, &left, in, i, eq->span), r = side_member(fl, &right, in, i, eq->span);
        if (l == DD_FORM_NONE || r == DD_FORM_NONE) {
            return false;
        }
        dd_ast_equation *part = dd_pool_alloc(fl->pool, sizeof *part);
        *part = (dd_ast_equation){.kind = DD_AST_EQUALITY, .lhs = l, .rhs = r, .doc = eq->doc, .span = eq->span};
        *end = part;
        end = &part->next;
    }
    eq->kind = DD_AST_LIST;
    return true;
}

/* ---- values ---- */

dd_form dd_record_value(dd_flattener *fl, dd_resolver *r, dd_form f, const dd_member *member)
{
    dd_forms *forms = fl->m->forms;
    /* R(field1 = r.field1, ...): a record used as a value is built from its members */
    uint32_t base = r->stack.len;
    bool ok = member->count > 0;
    const dd_instance *in = ok ? member->elements[0] : NULL;
    dd_span span = dd_form_get(forms, f)->span;
    for (uint32_t i = 0; ok && i < in->n_members; i++) {
        uint32_t name = in->members[i]->ast->name;
        if (in->members[i]->variability == DD_AST_CONSTANT) {
            continue;
        }
        dd_form field = dd_resolve(r, with_member(fl, f, name, span));
        ok = field != DD_FORM_NONE;
        if (ok) {
            field = dd_form_new(forms, DD_FORM_NAMED_ARG, 0, name, &field, 1, span);
            dd_vec_push(r->pool, &r->stack, field);
        }
    }
    uint32_t n = r->stack.len - base;
    r->stack.len = base;
    return ok ? dd_functions_call(fl->el.functions, member->class, dd_vec_from(&r->stack, base), n, span)
              : DD_FORM_NONE;
}

/* ---- functions on one side ---- */

static bool subtract_leaves(dd_flattener *fl, const dd_leaf *a, uint32_t n_a, const dd_leaf *b, uint32_t n_b,
                            dd_span span, dd_expr_vec *rows)
{
    /* leaf by leaf: the scalars and arrays that a record consists of */
    if (n_a != n_b) {
        dd_error(fl->ctx, span, "the sides of this equation are records of different kinds");
        return false;
    }
    for (uint32_t i = 0; i < n_a; i++) {
        if (!dd_value_same_shape(&a[i].value, &b[i].value)) {
            dd_error(fl->ctx, span,
                     "the sides of this equation have different sizes%s%s: the left side %s%s, the right "
                     "side %s%s",
                     a[i].path[0] != '\0' ? " in " : "", a[i].path[0] != '\0' ? a[i].path + 1 : "",
                     a[i].value.ndim == 0 ? "is " : "has ", dd_flat_size(fl, &a[i].value),
                     b[i].value.ndim == 0 ? "is " : "has ", dd_flat_size(fl, &b[i].value));
            return false;
        }
        for (uint32_t k = 0; k < a[i].value.size; k++) {
            dd_expr row = dd_sub(fl->m->dag, a[i].value.elems[k], b[i].value.elems[k]);
            dd_vec_push(fl->scratch, rows, row);
        }
    }
    return true;
}

/* (a, , b) = f(x) */
static bool tuple_rows(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, dd_expr_vec *rows)
{
    dd_forms *forms = fl->m->forms;
    if (dd_form_get(forms, eq->rhs)->op != DD_FORM_USER_CALL) {
        dd_error(fl->ctx, eq->span, "several values (a, b) come from a function: (a, b) = f(x)");
        return false;
    }
    /* outputs in order; a place left empty is not used */
    uint32_t n = dd_form_get(forms, eq->lhs)->nargs, outputs = dd_functions_outputs(fl->el.functions, eq->rhs);
    dd_leaf **lists;
    uint32_t *counts;
    if (!dd_elaborate_outputs(&fl->el, eq->rhs, env, &lists, &counts)) {
        return false;
    }
    if (n > outputs) {
        dd_error(fl->ctx, eq->span, "%s has %u output%s, but %u are used",
                 dd_forms_function_name(forms, dd_form_get(forms, eq->rhs)->payload), outputs, outputs == 1 ? "" : "s",
                 n);
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        dd_form target = dd_form_arg(forms, eq->lhs, i);
        dd_leaf *leaves;
        uint32_t count;
        if (dd_form_get(forms, target)->op == DD_FORM_COLON) {
            continue;
        }
        if (!dd_elaborate_leaves(&fl->el, target, env, &leaves, &count) ||
            !subtract_leaves(fl, leaves, count, lists[i], counts[i], eq->span, rows)) {
            return false;
        }
    }
    return true;
}

bool dd_function_equation(dd_flattener *fl, const dd_ast_equation *eq, const dd_form_env *env, dd_expr_vec *rows)
{
    dd_leaf *left, *right;
    uint32_t n_left, n_right;
    if (dd_form_get(fl->m->forms, eq->lhs)->op == DD_FORM_TUPLE) {
        return tuple_rows(fl, eq, env, rows);
    }
    return dd_elaborate_leaves(&fl->el, eq->lhs, env, &left, &n_left) &&
           dd_elaborate_leaves(&fl->el, eq->rhs, env, &right, &n_right) &&
           subtract_leaves(fl, left, n_left, right, n_right, eq->span, rows);
}
