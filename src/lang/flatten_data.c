/* flatten_data.c - annotation(Daedal(data = "file.csv")): the columns of a table of measurements as known functions of
 * time.
 *
 * A column whose name nothing else has becomes an input of that name before the text is resolved, so that its name is
 * known; one that is named like an input of the model supplies that input. An empty field is a measurement that was
 * not made.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "lang/flatten.h"
#include "result/csv.h"

enum { MOST_BYTES = 1 << 30 };

typedef DD_VEC(double) number_vec;

typedef struct reading {
    dd_flattener *fl;
    dd_span span;
    const char *file;
    dd_csv_reader csv;
    uint32_t time;            /* field of the time */
    number_vec *t, *v;        /* per field */
    dd_data_column_vec *into; /* the columns, in the order of the fields without time */
} reading;

/* ---- the annotation ---- */

/* The setting data = "..." of the class itself; NULL without. */
static const dd_ast_mod *find_setting(const dd_flattener *fl)
{
    for (const dd_ast_mod *mod = fl->class->annotation; mod != NULL; mod = mod->next) {
        /* Daedal(data = "...") with a text; other types are reported when the annotations are read */
        bool ours = strcmp(dd_names_get(fl->m->names, mod->name), "Daedal") == 0;
        for (const dd_ast_mod *item = ours ? mod->nested : NULL; item != NULL; item = item->next) {
            bool text = item->value != DD_FORM_NONE && dd_form_get(fl->m->forms, item->value)->op == DD_FORM_STRING;
            if (text && strcmp(dd_names_get(fl->m->names, item->name), "data") == 0) {
                return item;
            }
        }
    }
    return NULL;
}

/* Relative names are looked for beside the file of the class. */
static const char *path_of(const dd_flattener *fl, const char *name)
{
    const char *model = dd_source_name(fl->ctx, fl->class->file), *slash = strrchr(model, '/');
    if (name[0] == '/' || slash == NULL) {
        return name;
    }
    return dd_pool_printf(fl->pool, "%.*s/%s", (int)(slash - model), model, name);
}

/* ---- the table ---- */

static bool refuse(reading *r, const char *what)
{
    dd_error(r->fl->ctx, r->span, "%s:%u: %s", r->file, r->csv.line, what);
    return false;
}

static bool read_header(reading *r)
{
    dd_flattener *fl = r->fl;
    if (!dd_csv_next(&r->csv)) {
        return refuse(r, r->csv.problem != NULL ? r->csv.problem : "the file is empty");
    }
    /* one column must be the time; names are unique and not empty */
    r->time = DD_NO_INDEX;
    for (uint32_t i = 0; i < r->csv.count; i++) {
        const char *name = dd_pool_strdup(fl->m->pool, r->csv.field[i]);
        if (r->time == DD_NO_INDEX && strcmp(name, "time") == 0) {
            r->time = i;
        } else if (name[0] == '\0') {
            return refuse(r, dd_pool_printf(fl->pool, "column %u has no name", i + 1));
        }
        for (uint32_t k = 0; k < r->into->len; k++) {
            if (strcmp(r->into->data[k].name, name) == 0) {
                return refuse(r, dd_pool_printf(fl->pool, "the column `%s` appears twice", name));
            }
        }
        dd_vec_push(fl->m->pool, r->into, (dd_data_column){.name = name, .var = DD_NO_INDEX});
    }
    return r->time != DD_NO_INDEX || refuse(r, "no column is named `time`");
}

static bool is_blank(const char *field)
{
    return field[strspn(field, " \t")] == '\0';
}

static bool read_record(reading *r)
{
    double time, value;
    if (r->csv.count != r->into->len) {
        return refuse(r, dd_pool_printf(r->fl->pool, "%u fields, but the header has %u", r->csv.count, r->into->len));
    }
    /* the row: a time, and a number or nothing in every other field */
    if (!dd_csv_read_number(r->csv.field[r->time], &time)) {
        return refuse(r, "the time is not a finite number");
    }
    for (uint32_t i = 0; i < r->csv.count; i++) {
        const char *field = r->csv.field[i];
        if (i == r->time || is_blank(field)) {
            continue;
        }
        /* an empty field leaves the column without a sample here, so each column has its own times */
        if (!dd_csv_field_number(&r->csv, i, &value)) {
            return refuse(r, r->csv.problem);
        }
        if (r->t[i].len > 0 && time < r->t[i].data[r->t[i].len - 1]) {
            return refuse(r, "time goes backwards");
        }
        dd_vec_push(r->fl->m->pool, &r->t[i], time);
        dd_vec_push(r->fl->m->pool, &r->v[i], value);
    }
    return true;
}

static bool read_records(reading *r)
{
    /* one list of samples per column, since blanks make them unequal */
    r->t = dd_pool_alloc_array(r->fl->pool, r->into->len + 1, sizeof *r->t);
    r->v = dd_pool_alloc_array(r->fl->pool, r->into->len + 1, sizeof *r->v);
    while (dd_csv_next(&r->csv)) {
        dd_check_stop(r->fl->ctx);
        if (!read_record(r)) {
            return false;
        }
    }
    if (r->csv.problem != NULL) {
        return refuse(r, r->csv.problem);
    }
    /* hand the lists over; a column of blanks cannot be interpolated */
    for (uint32_t i = 0; i < r->into->len; i++) {
        dd_data_column *c = &r->into->data[i];
        c->n = r->t[i].len;
        c->time = r->t[i].data;
        c->value = r->v[i].data;
        if (i != r->time && c->n == 0) {
            return refuse(r, dd_pool_printf(r->fl->pool, "the column `%s` contains no number", c->name));
        }
    }
    return true;
}

static void drop_time(dd_data_column_vec *list, uint32_t time)
{
    for (uint32_t i = time; i + 1 < list->len; i++) {
        list->data[i] = list->data[i + 1];
    }
    list->len--;
}

/* ---- names ---- */

static void declare_column(dd_flattener *fl, const char *name, dd_span span)
{
    uint32_t id = dd_names_intern(fl->m->names, name, strlen(name));
    /* a declaration of that name exists: the column supplies it, or is not used */
    if (dd_instance_find(fl->root, id) != NULL) {
        return;
    }
    /* input Real NAME, as if it were written in the class */
    dd_ast_decl *ast = dd_pool_alloc(fl->pool, sizeof *ast);
    uint32_t *real = dd_pool_alloc(fl->pool, sizeof *real);
    *real = dd_names_intern(fl->m->names, "Real", 4);
    ast->is_input = true;
    ast->span = span;
    ast->type = (dd_ast_type_ref){.name = {.parts = real, .n = 1, .span = span}, .span = span};
    ast->name = id;
    dd_instance_add(fl, fl->root, ast);
}

void dd_flat_declare_data(dd_flattener *fl)
{
    /* the table is read before the tree of components, because its columns are names in it */
    const dd_ast_mod *mod = find_setting(fl);
    if (mod == NULL) {
        return;
    }
    dd_optimization *o = fl->m->optimization;
    const char *name = dd_names_get(fl->m->names, dd_form_get(fl->m->forms, mod->value)->payload);
    reading r = {.fl = fl, .span = mod->span, .file = path_of(fl, name), .into = &o->data};
    char *text;
    size_t length;
    /* no file: an error only if the model needs its columns (dd_flat_explain_data) */
    if (dd_file_read(fl->pool, r.file, MOST_BYTES, &text, &length) != DD_OK) {
        o->data_problem = dd_pool_strdup(fl->m->pool, dd_context_message(fl->ctx));
        return;
    }
    r.csv = dd_csv_reader_new(fl->pool, text, length);
    if (!read_header(&r) || !read_records(&r)) {
        o->data.len = 0;
        return;
    }
    drop_time(&o->data, r.time);
    /* every plain name becomes an input unless the class declares it */
    for (uint32_t i = 0; i < o->data.len; i++) {
        bool element = strchr(o->data.data[i].name, '[') != NULL || strchr(o->data.data[i].name, '.') != NULL;
        if (!element) { /* p[1] and arm.phi are names of the model, or nothing */
            declare_column(fl, o->data.data[i].name, mod->span);
        }
    }
}

void dd_flat_explain_data(dd_flattener *fl)
{
    const char *problem = fl->m->optimization->data_problem;
    if (problem != NULL && dd_context_error_count(fl->ctx) > 0) {
        dd_note(fl->ctx, find_setting(fl)->span, "%s: its columns are unknown", problem);
    }
}

/* A column that is named like something else than an input is fine: the file may contain all variables of a run. */
void dd_flat_connect_data(dd_flattener *fl)
{
    dd_optimization *o = fl->m->optimization;
    /* by printed name, first match; inputs that have a value already are given otherwise */
    for (uint32_t i = 0; i < o->data.len; i++) {
        for (uint32_t v = 0; v < fl->m->vars.len && o->data.data[i].var == DD_NO_INDEX; v++) {
            const dd_variable *x = &fl->m->vars.data[v];
            if (x->kind == DD_KIND_INPUT && !x->has_value) {
                dd_text name = dd_text_new(fl->pool);
                dd_model_var_name(fl->m, v, &name);
                o->data.data[i].var = strcmp(dd_text_str(&name), o->data.data[i].name) == 0 ? v : DD_NO_INDEX;
            }
        }
    }
}
