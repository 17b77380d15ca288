/* lang.c - the front end's two entrances: a text to a flat model, and one equation in the scope of a flat model. */
#include "lang/lang.h"

#include <string.h>

#include "base/text.h"
#include "lang/flatten.h"
#include "lang/lexer.h"
#include "lang/parser.h"

static void raise_errors(dd_context *ctx, const char *file, size_t before)
{
    size_t n = dd_context_error_count(ctx) - before;
    if (n > 0) {
        dd_raise(ctx, DD_INVALID_MODEL, "%s has %zu error%s", file, n, n == 1 ? "" : "s");
    }
}

dd_model *dd_lang_load(dd_context *ctx, dd_pool *pool, const dd_lang_source *source, const char **choice)
{
    /* every stage stops after errors: the next one would report consequences */
    size_t before = dd_context_error_count(ctx);
    dd_model *m = dd_model_create(ctx, pool, "");
    /* syntax lives in its own pool, freed when the flat model is complete */
    dd_ast_file ast = {0};
    dd_pool *syntax = dd_pool_child(pool);
    uint32_t file = dd_source_add(ctx, source->file, source->text, source->length);
    dd_parser parser = dd_parser_new(ctx, syntax, m->forms, file, 0);
    dd_parse_file(&parser, &ast);
    raise_errors(ctx, source->file, before);

    dd_library *library = dd_library_new(syntax, m->forms, &ast, file, source->paths);
    raise_errors(ctx, source->file, before);
    /* one text may be reached by many instances: the same message at the same place is reported once */
    dd_flattener fl = dd_flattener_new(m, library, file);
    dd_report_once(ctx, true);
    dd_flatten(&fl, source->class_name, source->settings, source->n_settings, choice);
    dd_report_once(ctx, false);
    raise_errors(ctx, source->file, before);
    /* values of parameters, then the assertions they decide */
    dd_model_settle_values(m);
    raise_errors(ctx, source->file, before);
    dd_flat_check_assertions(&fl);
    raise_errors(ctx, source->file, before);
    /* drawings come last: they must not change anything else */
    dd_report_once(ctx, true);
    dd_flat_draw(&fl);
    dd_report_once(ctx, false);
    raise_errors(ctx, source->file, before);
    dd_pool_free(fl.pool);
    dd_pool_free(syntax);
    return m;
}

/* ---- one equation ---- */

const char *dd_lang_time_meant(const char *name)
{
    static const char *const time[] = {"time"};
    return strcmp(name, "t") == 0 ? *time : dd_closest_name(name, time, 1);
}

typedef struct model_scope {
    dd_model *m;
    dd_pool *scratch;
} model_scope;

/* The array that NAME or PATH f names, as its declaration prints it; *last: the part whose subscripts are its own. */
static uint32_t array_named(const model_scope *s, dd_form f, dd_form *last)
{
    const dd_forms *forms = s->m->forms;
    const dd_form_node node = *dd_form_get(forms, f);
    /* arm[2].th: parts with their subscripts, the last one without */
    dd_text text = dd_text_new(s->scratch);
    uint32_t parts = node.op == DD_FORM_PATH ? node.nargs : 1;
    for (uint32_t i = 0; i + 1 < parts; i++) {
        dd_form_print(forms, dd_form_arg(forms, f, i), NULL, &text);
        dd_text_add_char(&text, '.');
    }
    *last = node.op == DD_FORM_PATH ? dd_form_arg(forms, f, parts - 1) : f;
    dd_text_add(&text, dd_name_quoted(s->scratch, dd_names_get(s->m->names, dd_form_get(forms, *last)->payload)));
    return dd_model_find_array(s->m, dd_text_str(&text));
}

static bool is_variable(void *user, dd_form f)
{
    dd_form last;
    return array_named(user, f, &last) != DD_NO_INDEX;
}

static dd_form find_in_model(void *user, dd_resolver *r, dd_form f)
{
    const model_scope *s = user;
    dd_form last, subscripts[DD_MAX_DIMS];
    /* as declared in the flat model, with quotes and subscripts of its components */
    uint32_t array = array_named(s, f, &last);
    dd_span span = dd_form_get(s->m->forms, f)->span;
    if (array == DD_NO_INDEX) {
        dd_text text = dd_text_new(s->scratch);
        dd_form_print(s->m->forms, f, NULL, &text);
        const char *meant = dd_lang_time_meant(dd_text_str(&text));
        dd_error(s->m->ctx, span, meant != NULL ? "%s is not declared: did you mean %s?" : "%s is not declared",
                 dd_text_str(&text), meant);
        return DD_FORM_NONE;
    }
    uint32_t n = dd_form_get(s->m->forms, last)->nargs;
    if (n > DD_MAX_DIMS) {
        dd_error(s->m->ctx, span, "more than %d subscripts, the limit", DD_MAX_DIMS);
        return DD_FORM_NONE;
    }
    /* the subscripts of the array itself */
    for (uint32_t i = 0; i < n; i++) {
        subscripts[i] = dd_resolve(r, dd_form_arg(s->m->forms, last, i));
        if (subscripts[i] == DD_FORM_NONE) {
            return DD_FORM_NONE;
        }
    }
    return dd_form_new(s->m->forms, DD_FORM_REF, 0, s->m->arrays.data[array].symbol, subscripts, n, span);
}

static bool subtract(dd_model *m, dd_span span, dd_value *left, const dd_value *right)
{
    if (!dd_value_same_shape(left, right)) {
        dd_error(m->ctx, span, "the sides of this equation have different sizes");
        return false;
    }
    for (uint32_t i = 0; i < left->size; i++) {
        left->elems[i] = dd_sub(m->dag, left->elems[i], right->elems[i]);
    }
    return true;
}

bool dd_lang_read_equation(dd_model *m, dd_pool *scratch, const char *text, dd_expr **rows, uint32_t *count)
{
    return dd_lang_read_relation(m, scratch, "equation", text, rows, count);
}

bool dd_lang_read_relation(dd_model *m, dd_pool *scratch, const char *source_name, const char *text, dd_expr **rows,
                           uint32_t *count)
{
    dd_form lhs, rhs;
    dd_value left, right;
    model_scope user = {m, scratch};
    /* parsed as a separate source, so that messages have a place */
    uint32_t source = dd_source_add(m->ctx, source_name, text, strlen(text));
    dd_parser parser = dd_parser_new(m->ctx, scratch, m->forms, source, 0);
    size_t before = dd_context_error_count(m->ctx);
    if (!dd_parse_equation_text(&parser, &lhs, &rhs) || dd_context_error_count(m->ctx) > before) {
        return false;
    }
    dd_resolver r = dd_resolver_new(scratch, m->forms,
                                    (dd_scope){.user = &user, .reference = find_in_model, .is_variable = is_variable});
    r.no_points = m->optimization != NULL ? NULL : "which is allowed only in an optimization";
    lhs = dd_resolve(&r, lhs);
    rhs = rhs != DD_FORM_NONE ? dd_resolve(&r, rhs) : rhs;
    if (dd_context_error_count(m->ctx) > before) {
        return false;
    }
    /* elaborated in the model's dag; without a right side the expression is the residual */
    dd_elaborator e = dd_elaborator_new(m, scratch);
    e.in_optimization = m->optimization != NULL;
    if (!dd_elaborate(&e, lhs, NULL, &left) || (rhs != DD_FORM_NONE && !dd_elaborate(&e, rhs, NULL, &right))) {
        return false;
    }
    if (rhs != DD_FORM_NONE && !subtract(m, (dd_span){source, 0, (uint32_t)strlen(text)}, &left, &right)) {
        return false;
    }
    *rows = left.elems;
    *count = left.size;
    return true;
}
