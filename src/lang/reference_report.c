/* reference_report.c - messages about names in expressions that mean nothing, or nothing that has a value. */
#include <string.h>

#include "lang/lang.h"
#include "lang/lexer.h"
#include "lang/reference_private.h"

const char *dd_path_printed(dd_flattener *fl, dd_form f)
{
    dd_text text = dd_text_new(fl->pool);
    dd_form_print(fl->m->forms, f, NULL, &text);
    return dd_text_str(&text);
}

/* A first part that nothing has: perhaps a declaration with quotes, 'a.b', was meant. */
static bool report_quoted(dd_flattener *fl, dd_form f)
{
    const char *text = dd_path_printed(fl, f);
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
    const char *name = dd_reference_text(fl, dd_path_name(fl, f, 0));
    uint32_t key = dd_path_name(fl, f, 0);
    /* one message per name, and the two special cases first */
    if (dd_map_get(&fl->resolver.reported, key) != 0 || report_quoted(fl, f) || dd_phase_report_time(fl, name, span)) {
        return;
    }
    dd_map_put(&fl->resolver.reported, key, 1);
    if (strcmp(name, "StateSelect") == 0) {
        dd_error(fl->ctx, span, "%s is allowed only in stateSelect = ...", dd_path_printed(fl, f));
        return;
    }
    /* the nearest member, or for a path the nearest class */
    const char *near = dd_instance_suggest(fl, fl->place.instance, name);
    if (near == NULL && dd_path_count(fl, f) > 1) {
        near = dd_lookup_suggest(fl->library, fl->place.class, name);
    }
    if (near == NULL && dd_path_count(fl, f) == 1) {
        near = dd_lang_time_meant(name);
    }
    if (near != NULL) {
        dd_error(fl->ctx, span, "%s is not declared: did you mean %s?", name, near);
    } else if (dd_path_count(fl, f) > 1) {
        dd_error(fl->ctx, span, "%s is not declared", name); /* a component or a package: who knows which */
    } else {
        const char *quoted = dd_name_quoted(fl->pool, name);
        dd_error(fl->ctx, span,
                 "%s is not declared: declare it, as `parameter Real %s = ...;` or, if unknown, `Real %s;`", name,
                 quoted, quoted);
    }
}

void dd_flat_report_member(dd_flattener *fl, const dd_instance *in, uint32_t name, dd_span span)
{
    const char *text = dd_name_quoted(fl->pool, dd_reference_text(fl, name)),
               *near = dd_instance_suggest(fl, in, dd_reference_text(fl, name));
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
    dd_form part = dd_path_part(fl, f, t->part);
    dd_span span = dd_form_get(fl->m->forms, part)->span;
    const char *name = dd_reference_text(fl, dd_path_name(fl, f, t->part)), *near;
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

void dd_reference_report(dd_flattener *fl, dd_form f, const dd_target *t)
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
        dd_error(fl->ctx, span, "%s does not exist: the condition of its declaration in line %u is false",
                 t->members[t->n - 1]->path, (unsigned)dd_span_line(fl->ctx, t->members[t->n - 1]->ast->span));
        dd_note(fl->ctx, t->members[t->n - 1]->ast->span, "%s is declared here", t->members[t->n - 1]->path);
        break;
    case DD_TARGET_PROTECTED:
        dd_error(fl->ctx, span, "%s is protected: it cannot be used from outside its class", t->members[0]->path);
        dd_note(fl->ctx, t->members[0]->ast->span, "%s is declared here", t->members[0]->path);
        break;
    case DD_TARGET_NO_CONSTANT:
        dd_error(fl->ctx, span, "%s is not a constant: from outside a component only constants of classes can be used",
                 dd_path_printed(fl, f));
        break;
    case DD_TARGET_COMPONENT:
        dd_error(fl->ctx, span, "%s is a component, not a number: name one of its variables, such as %s.%s",
                 dd_path_printed(fl, f), dd_path_printed(fl, f),
                 t->last != NULL && t->members[t->n - 1]->count > 0 && t->members[t->n - 1]->elements[0]->n_members > 0
                     ? dd_reference_text(fl, t->members[t->n - 1]->elements[0]->members[0]->ast->name)
                     : "x");
        break;
    case DD_TARGET_CLASS:
        dd_error(fl->ctx, span, "%s is a class, not a value", dd_path_printed(fl, f));
        break;
    default:
        break; /* reported where it went wrong */
    }
}
