/* flatten_record.c - equations and bindings between records: one for each member. */
#include "lang/flatten.h"

/* The path with one more part. */
static dd_form with_member(dd_flattener *fl, dd_form path, uint32_t name, dd_span span)
{
    dd_forms *forms = fl->m->forms;
    dd_form parts[DD_TARGET_MAX + 1];
    const dd_form_node node = *dd_form_get(forms, path);
    uint32_t n = 0;
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

/* The record that a form names where it stands; NULL when it is something else. */
static dd_member *record_named(dd_flattener *fl, dd_form f, dd_place place)
{
    dd_target t;
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

/* R(a = 1, b = 2) or R(1, 2), the constructor of the record: the value of its member number `index`, DD_FORM_NONE when
 * it is not given there. False when the form is no such call. */
static bool constructed(dd_flattener *fl, dd_form f, dd_place place, const dd_instance *record, uint32_t index,
                        dd_form *out)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    dd_target t;
    if (node.op != DD_FORM_UNKNOWN_CALL) {
        return false;
    }
    uint32_t first = node.sub != 0 ? 1 : 0;
    dd_form name =
        first != 0 ? dd_form_arg(forms, f, 0) : dd_form_new(forms, DD_FORM_NAME, 0, node.payload, NULL, 0, node.span);
    dd_flat_follow(fl, place, name, &t);
    if (t.kind != DD_TARGET_CLASS || t.class->kind != DD_CLASS_RECORD) {
        return false;
    }
    *out = DD_FORM_NONE;
    for (uint32_t i = first; i < node.nargs; i++) {
        dd_form arg = dd_form_arg(forms, f, i);
        const dd_form_node *a = dd_form_get(forms, arg);
        bool named = a->op == DD_FORM_NAMED_ARG;
        if (named ? a->payload == record->members[index]->ast->name : i - first == index) {
            *out = named ? dd_form_arg(forms, arg, 0) : arg;
        }
    }
    return true;
}

/* ---- bindings ---- */

/* Element k of a value that is an array of records. */
static dd_form element_of(dd_flattener *fl, dd_form value, const dd_member *member, uint32_t k)
{
    dd_forms *forms = fl->m->forms;
    const dd_form_node node = *dd_form_get(forms, value);
    if (member->ndim == 0) {
        return value;
    }
    if (node.op == DD_FORM_ARRAY && member->ndim == 1 && k < node.nargs) {
        return dd_form_arg(forms, value, k);
    }
    if (node.op == DD_FORM_NAME && node.nargs == 0 && member->ndim == 1) {
        dd_form subscript = dd_form_number(forms, k + 1, node.span);
        return dd_form_new(forms, DD_FORM_NAME, node.sub, node.payload, &subscript, 1, node.span);
    }
    return value;
}

static bool bind_element(dd_flattener *fl, dd_member *member, dd_instance *in, dd_form value)
{
    dd_place place = member->value_mod.place;
    bool named = record_named(fl, value, place) != NULL;
    for (uint32_t i = 0; i < in->n_members; i++) {
        dd_member *field = in->members[i];
        dd_form part;
        if (field->variability == DD_AST_CONSTANT) {
            continue;
        }
        if (named) {
            part = with_member(fl, value, field->ast->name, member->value_span);
        } else if (!constructed(fl, value, place, in, i, &part)) {
            dd_error(fl->ctx, member->value_span, "a record cannot be bound to this");
            return false;
        } else if (part == DD_FORM_NONE) {
            continue; /* its default holds */
        }
        field->value = part;
        field->value_mod = (dd_mod){.place = place};
        field->value_span = member->value_span;
        field->is_final = field->is_final || member->is_final;
    }
    return true;
}

bool dd_record_bind(dd_flattener *fl, dd_member *member)
{
    for (uint32_t k = 0; member->value != DD_FORM_NONE && k < member->count; k++) {
        if (!bind_element(fl, member, member->elements[k], element_of(fl, member->value, member, k))) {
            return false;
        }
    }
    return true;
}

/* ---- equations ---- */

static dd_form side(dd_flattener *fl, dd_form f, const dd_instance *like, uint32_t i, dd_span span)
{
    dd_form part = DD_FORM_NONE;
    if (record_named(fl, f, fl->place) != NULL) {
        return with_member(fl, f, like->members[i]->ast->name, span);
    }
    return constructed(fl, f, fl->place, like, i, &part) ? part : DD_FORM_NONE;
}

bool dd_record_equation(dd_flattener *fl, dd_ast_equation *eq)
{
    dd_member *left = record_named(fl, eq->lhs, fl->place), *right = record_named(fl, eq->rhs, fl->place);
    const dd_member *like = left != NULL ? left : right;
    if (like == NULL || like->count == 0) {
        return false;
    }
    dd_ast_equation **end = &eq->body;
    const dd_instance *in = like->elements[0];
    for (uint32_t i = 0; i < in->n_members; i++) {
        if (in->members[i]->variability != DD_AST_VARIABLE) {
            continue;
        }
        dd_form l = side(fl, eq->lhs, in, i, eq->span), r = side(fl, eq->rhs, in, i, eq->span);
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
