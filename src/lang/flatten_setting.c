/* flatten_setting.c - --set NAME=VALUE. Each setting is a small separate source text named "--set" (or what the caller calls
 * it), so that its messages have a place like all others. Values are made of numbers; those of inputs also of time. */
#include <string.h>

#include "lang/flatten.h"
#include "lang/parser.h"

static dd_form find_nothing(void *user, dd_resolver *r, dd_form f)
{
    (void)user, (void)r, (void)f;
    return DD_FORM_NONE;
}

/* NAME=VALUE parsed; false after a message. */
static bool parse_setting(dd_flattener *fl, const dd_setting *setting, dd_flat_setting *out)
{
    const char *set = fl->settings_from;
    /* the text NAME=VALUE as a separate source, so that messages can point into it */
    dd_text text = dd_text_new(fl->pool);
    dd_text_add(&text, setting->name);
    dd_text_add_char(&text, '=');
    dd_text_add(&text, setting->value);
    size_t before = dd_context_error_count(fl->ctx);
    uint32_t file = dd_source_add(fl->ctx, set, dd_text_str(&text), text.len);
    dd_parser p = dd_parser_new(fl->ctx, fl->pool, fl->m->forms, file, 0);
    out->span = (dd_span){file, 0, (uint32_t)strlen(setting->name)};
    out->value_span = (dd_span){file, out->span.end + 1, (uint32_t)text.len};
    /* a reference up to `=` */
    if (strlen(setting->name) == 0) {
        dd_error(fl->ctx, out->span, "%s needs a name, as in %s k=3", set, set);
        return false;
    }
    out->reference = dd_parse_reference_text(&p, DD_TOK_EQUALS);
    if (out->reference == DD_FORM_NONE) {
        return false;
    }
    /* then one expression to the end */
    dd_parse_advance(&p);
    if (dd_parse_at(&p, DD_TOK_EOF)) {
        dd_parse_error(&p, out->value_span, "%s %s needs a value, as in %s %s=3", set, setting->name, set,
                       setting->name);
        return false;
    }
    dd_form rest;
    if (!dd_parse_equation_text(&p, &out->value, &rest)) {
        return false;
    }
    if (rest != DD_FORM_NONE) {
        dd_parse_error(&p, out->value_span, "%s takes one value, as in %s k=3", set, set);
        return false;
    }
    return dd_context_error_count(fl->ctx) == before;
}

/* Names other than time are not allowed in a value: nan, inf, other parameters. */
static bool resolve_setting(dd_flattener *fl, dd_flat_setting *setting)
{
    /* there is no scope outside the model: numbers only */
    dd_form name = dd_find_op(fl->m->forms, setting->value, DD_FORM_NAME);
    if (name != DD_FORM_NONE) {
        const dd_form_node *node = dd_form_get(fl->m->forms, name);
        dd_error(fl->ctx, node->span, "the value of %s is made of numbers, but contains the name %s", fl->settings_from,
                 dd_names_get(fl->m->names, node->payload));
        return false;
    }
    dd_resolver r = dd_resolver_new(fl->pool, fl->m->forms, (dd_scope){.reference = find_nothing});
    setting->value = dd_resolve(&r, setting->value);
    return setting->value != DD_FORM_NONE;
}

/* The part of a reference that has the subscripts of the variable itself. */
static dd_form last_part(const dd_flattener *fl, dd_form reference)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, reference);
    return node->op == DD_FORM_PATH ? dd_form_arg(fl->m->forms, reference, node->nargs - 1) : reference;
}

uint32_t dd_flat_setting_subscripts(const dd_flattener *fl, const dd_flat_setting *setting)
{
    return dd_form_get(fl->m->forms, last_part(fl, setting->reference))->nargs;
}

/* The path as a declaration would print it, without the subscripts at its end. */
static const char *path_of(dd_flattener *fl, const dd_flat_setting *setting)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form last = last_part(fl, setting->reference);
    const dd_form_node node = *dd_form_get(fl->m->forms, last);
    /* printed as a declaration would be: arm[2].J, quotes included */
    dd_form bare = dd_form_new(fl->m->forms, DD_FORM_NAME, node.sub, node.payload, NULL, 0, node.span);
    if (last != setting->reference) {
        uint32_t n = dd_form_get(fl->m->forms, setting->reference)->nargs;
        for (uint32_t i = 0; i + 1 < n; i++) {
            dd_form_print(fl->m->forms, dd_form_arg(fl->m->forms, setting->reference, i), NULL, &text);
            dd_text_add_char(&text, '.');
        }
    }
    dd_form_print(fl->m->forms, bare, NULL, &text);
    return dd_text_str(&text);
}

/* Can it be set, and to this value? */
static bool check_target(dd_flattener *fl, const dd_flat_decl *decl, const dd_flat_setting *setting)
{
    /* constants and final declarations are part of the model */
    if (decl->variability == DD_AST_CONSTANT || decl->is_final) {
        dd_error(fl->ctx, setting->span, "%s is %s and cannot be set", decl->printed,
                 decl->variability == DD_AST_CONSTANT ? "a constant" : "final");
        return false;
    }
    /* time may appear in the value of an input only */
    dd_form time = decl->is_input ? DD_FORM_NONE : dd_find_op(fl->m->forms, setting->value, DD_FORM_TIME);
    if (time != DD_FORM_NONE) {
        dd_error(fl->ctx, dd_form_get(fl->m->forms, time)->span,
                 "only an input can be set to a function of time, and %s is %s", decl->printed,
                 decl->variability == DD_AST_PARAMETER ? "a parameter" : "a variable");
        return false;
    }
    return true;
}

void dd_flat_read_settings(dd_flattener *fl, const dd_setting *settings, uint32_t n)
{
    dd_flat_setting **end = &fl->settings;
    fl->settings_from = n > 0 && settings[0].from != NULL ? settings[0].from : dd_option_word(fl->ctx, "--set");
    /* in the order given: a later setting of the same variable is applied on top */
    for (uint32_t i = 0; i < n; i++) {
        dd_flat_setting *setting = dd_pool_alloc(fl->pool, sizeof *setting);
        if (!parse_setting(fl, &settings[i], setting)) {
            continue;
        }
        if (!resolve_setting(fl, setting)) { /* already reported: a number in its place avoids a second message */
            setting->value = dd_form_number(fl->m->forms, 1.0, setting->value_span);
        }
        setting->path = path_of(fl, setting);
        *end = setting;
        end = &setting->next;
    }
}

/* The path without any subscripts: --set arm.J=0.1 applies to all arms. */
static const char *without_subscripts(dd_flattener *fl, const char *path)
{
    dd_text text = dd_text_new(fl->pool);
    /* quotes protect brackets: '[a]'.b[2] becomes '[a]'.b */
    bool quoted = false, inside = false;
    for (const char *c = path; *c != '\0'; c++) {
        quoted = *c == '\'' ? !quoted : quoted;
        inside = !quoted && *c == '[' ? true : inside;
        if (!inside) {
            dd_text_add_char(&text, *c);
        }
        inside = !quoted && *c == ']' ? false : inside;
    }
    return dd_text_str(&text);
}

void dd_flat_attach_settings(dd_flattener *fl, dd_flat_decl *decl)
{
    dd_flat_setting **end = &decl->settings;
    if (fl->settings == NULL || decl->member->parent->is_package) {
        return;
    }
    /* p, arm[2].J by its full name, arm.J for all arms */
    const char *bare = strchr(decl->printed, '[') != NULL ? without_subscripts(fl, decl->printed) : decl->printed;
    for (dd_flat_setting *s = fl->settings; s != NULL; s = s->next) {
        if (strcmp(s->path, decl->printed) != 0 && strcmp(s->path, bare) != 0) {
            continue;
        }
        s->used = true;
        /* a copy per declaration, since each has its own list */
        if (check_target(fl, decl, s)) {
            dd_flat_setting *copy = dd_pool_alloc(fl->pool, sizeof *copy);
            *copy = *s;
            copy->same = NULL;
            *end = copy;
            end = &copy->same;
        }
    }
}

void dd_flat_report_unused_settings(dd_flattener *fl)
{
    for (const dd_flat_setting *s = fl->settings; s != NULL; s = s->next) {
        if (s->used) {
            continue;
        }
        /* nothing took it: a mistyped name, most likely */
        const char *near = dd_flat_suggest(fl, s->path);
        dd_error(fl->ctx, s->span,
                 near != NULL ? "%s has no parameter or variable %s: did you mean %s?"
                              : "%s has no parameter or variable %s",
                 fl->m->name, s->path, near);
    }
}

/* ---- applying ---- */

/* The element that p[2] or A[1,2] names, from 0. */
static bool find_element(dd_flattener *fl, const dd_array *a, dd_form reference, uint32_t *element)
{
    uint32_t n = dd_form_get(fl->m->forms, reference)->nargs;
    dd_span span = dd_form_get(fl->m->forms, reference)->span;
    if (n != a->ndim) {
        dd_error(fl->ctx, span, "%s has %u dimension%s, but %u subscript%s given", a->name, a->ndim,
                 a->ndim == 1 ? "" : "s", n, n == 1 ? " is" : "s are");
        return false;
    }
    /* Horner's rule over the subscripts, each checked */
    *element = 0;
    for (uint32_t d = 0; d < n; d++) {
        dd_form subscript = dd_form_arg(fl->m->forms, reference, d);
        int64_t value;
        if (dd_form_get(fl->m->forms, subscript)->op == DD_FORM_COLON ||
            !dd_elaborate_integer(&fl->el, subscript, NULL, &value)) {
            dd_error(fl->ctx, span, "%s takes one element, p[2]=0.3, or the whole array, p={..}", fl->settings_from);
            return false;
        }
        if (value < 1 || value > a->dims[d]) {
            dd_error(fl->ctx, span, "subscript %lld is out of range: %s has %s", (long long)value, a->name,
                     dd_flat_array_size(fl, a));
            return false;
        }
        *element = *element * a->dims[d] + (uint32_t)(value - 1);
    }
    return true;
}

static bool check_type(dd_flattener *fl, const dd_array *a, const dd_value *v, dd_span span)
{
    if ((a->type == DD_TYPE_BOOLEAN) != (v->type == DD_TYPE_BOOLEAN)) {
        dd_error(fl->ctx, span,
                 a->type == DD_TYPE_BOOLEAN ? "%s is Boolean: set it to true or false"
                                            : "%s is a number, not a Boolean",
                 a->name);
        return false;
    }
    return true;
}

static bool apply_one(dd_flattener *fl, dd_flat_decl *decl, const dd_flat_setting *setting, dd_apply_setting apply)
{
    dd_value v;
    /* the value in numbers, of the right type */
    dd_array a = fl->m->arrays.data[decl->array]; /* a copy: elaboration may add arrays */
    if (!dd_flat_value(fl, setting->value, NULL, false, &v) || !check_type(fl, &a, &v, setting->value_span)) {
        return false;
    }
    /* one element, or the whole */
    if (dd_flat_setting_subscripts(fl, setting) > 0) {
        uint32_t element;
        if (!find_element(fl, &a, last_part(fl, setting->reference), &element)) {
            return false;
        }
        if (v.ndim != 0) {
            dd_error(fl->ctx, setting->value_span, "one element takes one number, not an array of %s",
                     dd_flat_size(fl, &v));
            return false;
        }
        apply(fl, a.first + element, v.elems[0]);
        return true;
    }
    if (!dd_flat_fits(&a, &v)) {
        dd_error(fl->ctx, setting->value_span, "%s %s%s, but the value has %s", a.name, a.ndim == 0 ? "is " : "has ",
                 dd_flat_array_size(fl, &a), dd_flat_size(fl, &v));
        return false;
    }
    for (uint32_t i = 0; i < a.size; i++) {
        apply(fl, a.first + i, v.elems[v.ndim == 0 ? 0 : i]);
    }
    return true;
}

/* Numbers must be finite wherever they do not depend on time. */
static bool check_finite(dd_flattener *fl, const dd_flat_decl *decl, const dd_flat_setting *setting)
{
    dd_value v;
    double number;
    uint32_t culprit;
    /* inputs may depend on time, so their values are not known yet */
    if (decl->is_input || !dd_flat_value(fl, setting->value, NULL, false, &v)) {
        return decl->is_input;
    }
    for (uint32_t i = 0; i < v.size; i++) {
        if (!dd_model_evaluate(fl->m, v.elems[i], false, &number, &culprit) || !(number - number == 0)) {
            dd_error(fl->ctx, setting->value_span, "the value of %s must be a finite number", fl->settings_from);
            return false;
        }
    }
    return true;
}

void dd_flat_apply_settings(dd_flattener *fl, dd_flat_decl *decl, dd_apply_setting apply)
{
    for (const dd_flat_setting *s = decl->settings; s != NULL; s = s->same) {
        decl->value_span = s->span;
        if (!check_finite(fl, decl, s) || !apply_one(fl, decl, s, apply)) {
            decl->broken = true;
        }
    }
}
