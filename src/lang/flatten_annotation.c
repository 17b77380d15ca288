/* flatten_annotation.c - experiment(StartTime, StopTime, Tolerance, Interval) and Daedal(...); other annotations
 * are for other tools. */
#include <string.h>

#include "lang/flatten.h"

typedef struct experiment_item {
    const char *name;
    bool positive;
} experiment_item;

static const experiment_item items[] = {
    {"StartTime", false}, {"StopTime", false}, {"Tolerance", true}, {"Interval", true}};

static void store_item(dd_experiment *e, size_t item, double value)
{
    switch (item) {
    case 0:
        e->has_start = true;
        e->start = value;
        break;
    case 1:
        e->has_stop = true;
        e->stop = value;
        break;
    case 2:
        e->has_tolerance = true;
        e->tolerance = value;
        break;
    default:
        e->has_interval = true;
        e->interval = value;
        break;
    }
}

static void read_experiment(dd_flattener *fl, const dd_ast_mod *list)
{
    const char *names[] = {items[0].name, items[1].name, items[2].name, items[3].name};
    for (const dd_ast_mod *mod = list; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        size_t i = 0;
        double value;
        /* which item it is; an unknown one is ignored (other tools have theirs) unless it looks mistyped */
        while (i < 4 && strcmp(name, names[i]) != 0) {
            i++;
        }
        if (i == 4) {
            const char *near = dd_closest_name(name, names, 4);
            if (near != NULL) {
                dd_warning(fl->ctx, mod->span, "experiment has no setting %s: did you mean %s?", name, near);
            }
            continue;
        }
        /* the value may be any expression in parameters */
        dd_form f = mod->value != DD_FORM_NONE ? dd_resolve(&fl->resolver, mod->value) : DD_FORM_NONE;
        if (f == DD_FORM_NONE || !dd_flat_number(fl, f, &value)) {
            if (mod->value == DD_FORM_NONE) {
                dd_error(fl->ctx, mod->span, "%s needs a value: %s = ...", name, name);
            }
            continue;
        }
        if (items[i].positive && !(value > 0)) {
            dd_error(fl->ctx, mod->span, "%s must be positive", name);
            continue;
        }
        store_item(&fl->m->experiment, i, value);
    }
}

static void read_sigma(dd_flattener *fl, const dd_ast_mod *mod)
{
    double value;
    /* the value is a number in parameters, like those of experiment */
    dd_form f = mod->value != DD_FORM_NONE ? dd_resolve(&fl->resolver, mod->value) : DD_FORM_NONE;
    if (f == DD_FORM_NONE || !dd_flat_number(fl, f, &value)) {
        return;
    }
    if (!(value > 0)) {
        dd_error(fl->ctx, mod->span, "sigma, the standard deviation of a measurement, must be positive");
    } else if (fl->m->optimization != NULL) {
        fl->m->optimization->data_sigma = value;
    }
}

/* ---- closed loops ---- */

/* A value as an option would be given: numbers, texts, true and false, lists of them. False: something else. */
static bool add_value(dd_flattener *fl, dd_form f, dd_text *out)
{
    const dd_form_node *node = dd_form_get(fl->m->forms, f);
    const uint32_t count = node->op == DD_FORM_ARRAY ? node->nargs : 0;
    char digits[32];
    double value;
    switch (node->op) {
    case DD_FORM_STRING:
        dd_text_add(out, dd_names_get(fl->m->names, node->payload));
        return true;
    case DD_FORM_BOOL:
        dd_text_add(out, node->payload != 0 ? "true" : "false");
        return true;
    case DD_FORM_ARRAY:
        for (uint32_t i = 0; i < count; i++) {
            dd_text_add(out, i > 0 ? "," : "");
            if (!add_value(fl, dd_form_arg(fl->m->forms, f, i), out)) {
                return false;
            }
        }
        return true;
    /* numbers may be formulas of parameters */
    default:
        f = dd_resolve(&fl->resolver, f);
        if (f == DD_FORM_NONE || !dd_flat_number(fl, f, &value)) {
            return false;
        }
        dd_text_add(out, dd_number_text(value, digits));
        return true;
    }
}

/* samplePeriod -> sample-period */
static const char *option_name(dd_flattener *fl, const char *section, const char *name)
{
    dd_text text = dd_text_new(fl->m->pool);
    const bool both = strcmp(section, "mhe") == 0 && strcmp(name, "horizon") == 0; /* the plan has a horizon too */
    dd_text_add(&text, both ? "mhe-" : "");
    for (const char *c = name; *c != '\0'; c++) {
        if (*c >= 'A' && *c <= 'Z') {
            dd_text_add_char(&text, '-');
            dd_text_add_char(&text, (char)(*c - 'A' + 'a'));
        } else {
            dd_text_add_char(&text, *c);
        }
    }
    return dd_text_str(&text);
}

static void read_control(dd_flattener *fl, const char *section, const dd_ast_mod *list, dd_span span)
{
    dd_optimization *opt = fl->m->optimization;
    if (opt == NULL) {
        dd_warning(fl->ctx, span, "%s is used only in an `optimization`", section);
        return;
    }
    *(strcmp(section, "mhe") == 0 ? &opt->has_mhe : &opt->has_nmpc) = true;
    for (const dd_ast_mod *mod = list; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        dd_text value = dd_text_new(fl->m->pool);
        if (mod->value == DD_FORM_NONE || !add_value(fl, mod->value, &value)) {
            dd_error(fl->ctx, mod->span, "%s needs a number, a text in quotes, or a list of them: %s = ...", name,
                     name);
            continue;
        }
        const dd_control_setting setting = {option_name(fl, section, name), dd_text_str(&value), mod->span};
        dd_vec_push(fl->m->pool, &opt->control, setting);
    }
}

/* Daedal(...) is nobody else's: a name that means nothing is a mistake. */
static void check_setting(dd_flattener *fl, const dd_ast_mod *mod)
{
    static const char *const known[] = {"balanced", "data", "draw", "mhe", "nmpc", "sigma", "undetermined"};
    enum { KNOWN = sizeof known / sizeof *known };
    const char *name = dd_names_get(fl->m->names, mod->name);
    for (size_t i = 0; i < KNOWN; i++) {
        if (strcmp(name, known[i]) == 0) {
            return;
        }
    }
    const char *near = dd_closest_name(name, known, KNOWN);
    if (strcmp(name, "path") == 0 || strcmp(name, "view") == 0) {
        dd_warning(fl->ctx, mod->span, "%s belongs into draw: Daedal(draw(view(%s)))", name,
                   name[0] == 'p' ? "path = {x, y}" : "width = 2");
    } else {
        dd_warning(fl->ctx, mod->span, "Daedal has no setting %s%s%s%s", name, near != NULL ? ": did you mean " : "",
                   near != NULL ? near : "", near != NULL ? "?" : "");
    }
}

static void read_tool_settings(dd_flattener *fl, const dd_ast_mod *list)
{
    for (const dd_ast_mod *mod = list; mod != NULL; mod = mod->next) {
        check_setting(fl, mod);
        if (strcmp(dd_names_get(fl->m->names, mod->name), "sigma") == 0) {
            read_sigma(fl, mod);
        }
        const char *name = dd_names_get(fl->m->names, mod->name);
        if (strcmp(name, "nmpc") == 0 || strcmp(name, "mhe") == 0) {
            read_control(fl, name, mod->nested, mod->span);
        }
        /* the file is read by flatten_data.c before the names of the class resolve; here its name is kept for
         * reports */
        if (strcmp(dd_names_get(fl->m->names, mod->name), "data") != 0) {
            continue;
        }
        const dd_form_node *node = dd_form_get(fl->m->forms, mod->value);
        if (mod->value == DD_FORM_NONE || node->op != DD_FORM_STRING) {
            dd_error(fl->ctx, mod->span, "data is the name of a file in quotes, as in data = \"file.csv\"");
        } else if (fl->m->optimization == NULL) {
            dd_warning(fl->ctx, mod->span, "data is used only in an `optimization`");
        } else {
            fl->m->optimization->data_file = dd_names_get(fl->m->names, node->payload);
        }
    }
}

void dd_flat_annotations(dd_flattener *fl, dd_ast_class *class)
{
    for (const dd_ast_mod *mod = class->annotation; mod != NULL; mod = mod->next) {
        const char *name = dd_names_get(fl->m->names, mod->name);
        if (strcmp(name, "experiment") == 0) {
            read_experiment(fl, mod->nested);
        } else if (strcmp(name, "Daedal") == 0) {
            read_tool_settings(fl, mod->nested);
        }
    }
}
