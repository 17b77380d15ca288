/* parse_range.c - the range of `for i loop`, which the language takes from the use of i: a subscript x[i] makes it
 * 1:size(x, 1), a subscript arm[2].y[k, i] makes it 1:size(arm[2].y, 2). */
#include "lang/parser.h"

/* 1:size(reference, dimension) */
static dd_form make_range(dd_parser *p, dd_form reference, uint32_t dimension, dd_span span)
{
    dd_form size[] = {reference, dd_form_number(p->forms, dimension, span)};
    dd_form ends[] = {dd_form_number(p->forms, 1, span), dd_parse_make(p, DD_FORM_CALL, DD_FN_SIZE, 0, size, 2, span)};
    return dd_parse_make(p, DD_FORM_RANGE, 0, 0, ends, 2, span);
}

/* Which of its subscripts is the name alone, from 1; 0: none. */
static uint32_t subscript_of(const dd_forms *forms, dd_form reference, uint32_t name)
{
    uint32_t n = dd_form_get(forms, reference)->nargs;
    for (uint32_t i = 0; i < n; i++) {
        const dd_form_node *s = dd_form_get(forms, dd_form_arg(forms, reference, i));
        if (s->op == DD_FORM_NAME && s->payload == name && s->nargs == 0) {
            return i + 1;
        }
    }
    return 0;
}

static dd_form without_subscripts(dd_parser *p, dd_form name)
{
    dd_form_node node = *dd_form_get(p->forms, name);
    return dd_parse_make(p, DD_FORM_NAME, 0, node.payload, NULL, 0, node.span);
}

static dd_form range_of_path(dd_parser *p, dd_form path, uint32_t name)
{
    dd_form_node node = *dd_form_get(p->forms, path);
    DD_VEC(dd_form) parts = {0};
    /* the first part that has the loop variable as a subscript determines the size; parts behind it do not matter */
    for (uint32_t i = 0; i < node.nargs; i++) {
        dd_form part = dd_form_arg(p->forms, path, i);
        uint32_t dimension = subscript_of(p->forms, part, name);
        if (dimension == 0) {
            dd_vec_push(p->pool, &parts, part);
            continue;
        }
        dd_form last = without_subscripts(p, part);
        dd_vec_push(p->pool, &parts, last);
        if (parts.len > 1 || node.sub != 0) {
            last = dd_parse_make(p, DD_FORM_PATH, node.sub, 0, parts.data, parts.len, node.span);
        }
        return make_range(p, last, dimension, node.span);
    }
    return DD_FORM_NONE;
}

dd_form dd_parse_range_from(dd_parser *p, dd_form f, uint32_t name)
{
    if (f == DD_FORM_NONE) {
        return f;
    }
    /* a subscript of this name, or of one inside its arguments; depth first, in the order of the text */
    dd_form_node node = *dd_form_get(p->forms, f);
    dd_form range = DD_FORM_NONE;
    if (node.op == DD_FORM_NAME && subscript_of(p->forms, f, name) != 0) {
        return make_range(p, without_subscripts(p, f), subscript_of(p->forms, f, name), node.span);
    }
    if (node.op == DD_FORM_PATH) {
        range = range_of_path(p, f, name);
    }
    for (uint32_t i = 0; i < node.nargs && range == DD_FORM_NONE; i++) {
        range = dd_parse_range_from(p, dd_form_arg(p->forms, f, i), name);
    }
    return range;
}

static dd_form range_from_list(dd_parser *p, const dd_ast_equation *list, uint32_t name)
{
    dd_form range = DD_FORM_NONE;
    /* the sides, then what is nested: the first use in the order of the text decides */
    for (const dd_ast_equation *eq = list; eq != NULL && range == DD_FORM_NONE; eq = eq->next) {
        range = dd_parse_range_from(p, eq->lhs, name);
        range = range != DD_FORM_NONE ? range : dd_parse_range_from(p, eq->rhs, name);
        range = range != DD_FORM_NONE ? range : range_from_list(p, eq->body, name);
        for (const dd_ast_branch *b = eq->branches; b != NULL && range == DD_FORM_NONE; b = b->next) {
            range = dd_parse_range_from(p, b->condition, name);
            range = range != DD_FORM_NONE ? range : range_from_list(p, b->body, name);
        }
        for (const dd_ast_mod *m = eq->mods; m != NULL && range == DD_FORM_NONE; m = m->next) {
            range = dd_parse_range_from(p, m->value, name);
        }
    }
    return range;
}

void dd_parse_no_range(dd_parser *p, dd_span span, uint32_t name)
{
    dd_parse_error(
        p, span,
        "no array here has %.60s alone as a subscript, which would determine its range: write `for %.60s in 1:n`",
        dd_parse_name(p, name), dd_parse_name(p, name));
}

void dd_parse_find_range(dd_parser *p, dd_ast_equation *loop)
{
    if (loop->rhs != DD_FORM_NONE) {
        return;
    }
    uint32_t name = dd_forms_loop_name(p->forms, loop->loop);
    loop->rhs = range_from_list(p, loop->body, name);
    if (loop->rhs == DD_FORM_NONE) {
        dd_parse_no_range(p, loop->span, name);
    }
}
