/* flatten_data.c - annotation(Daedal(data = "file.csv")): the columns of a table of measurements as known functions of
 * time.
 *
 * A column whose name nothing else has becomes an input of that name before the text is resolved, so that its name is
 * known; one that is named like an input of the model supplies that input. An empty field is a measurement that was
 * not made.
 */
#include <math.h>
#include <string.h>

#include "lang/flatten.h"
#include "result/table.h"

enum { FEW = 16 }; /* rows that a column has room for at first */

typedef struct reading {
    dd_flattener *fl;
    dd_span span;
    const char *file;
    dd_table_reader table;
    DD_VEC(uint32_t) field;   /* per column */
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
    dd_error(r->fl->ctx, r->span, "%s:%u: %s", r->file, r->table.csv.line, what);
    return false;
}

/* Names are unique and not empty. */
static bool check_name(reading *r, uint32_t field)
{
    char **names = r->table.csv.field;
    if (names[field][0] == '\0') {
        return refuse(r, dd_pool_printf(r->fl->pool, "column %u has no name", field + 1));
    }
    for (uint32_t k = 0; k < field; k++) {
        if (strcmp(names[k], names[field]) == 0) {
            return refuse(r, dd_pool_printf(r->fl->pool, "the column `%s` appears twice", names[field]));
        }
    }
    return true;
}

static bool read_header(reading *r)
{
    dd_flattener *fl = r->fl;
    if (!dd_table_header(&r->table)) {
        return refuse(r, r->table.problem);
    }
    /* one column must be the time, the others are data */
    for (uint32_t i = 0; i < r->table.fields; i++) {
        if (!check_name(r, i)) {
            return false;
        }
        if (i != r->table.time) {
            dd_data_column c = {.name = dd_pool_strdup(fl->m->pool, r->table.csv.field[i]), .var = DD_NO_INDEX};
            c.rows = dd_table_of_pool(fl->m->pool, 1);
            c.rows->expected = FEW;
            dd_vec_push(fl->m->pool, r->into, c);
            dd_vec_push(fl->pool, &r->field, i);
        }
    }
    return dd_table_require_time(&r->table) || refuse(r, r->table.problem);
}

/* A row: an empty field leaves its column without a sample there, so each column has its own times. */
static bool add_row(reading *r, const double *row)
{
    for (uint32_t i = 0; i < r->into->len; i++) {
        dd_table *rows = r->into->data[i].rows;
        if (isnan(row[1 + i])) {
            continue;
        }
        if (rows->count > 0 && row[0] < dd_table_time(rows, rows->count - 1)) {
            return refuse(r, "time goes backwards");
        }
        dd_table_push(rows, r->fl->m->pool, row[0], &row[1 + i]);
    }
    return true;
}

static bool read_records(reading *r)
{
    double *row = dd_pool_alloc_array(r->fl->pool, (size_t)r->into->len + 1, sizeof *row);
    dd_table_choose(&r->table, r->field.data, r->field.len);
    r->table.blanks = true;
    while (dd_table_next(&r->table, row)) {
        if (!add_row(r, row)) {
            return false;
        }
    }
    if (r->table.problem != NULL) {
        return refuse(r, r->table.wrong == r->table.time ? "the time is not a finite number" : r->table.problem);
    }
    /* a column of blanks cannot be interpolated */
    for (uint32_t i = 0; i < r->into->len; i++) {
        if (r->into->data[i].rows->count == 0) {
            return refuse(r, dd_pool_printf(r->fl->pool, "the column `%s` contains no number", r->into->data[i].name));
        }
    }
    return true;
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
    /* no file: an error only if the model needs its columns (dd_flat_explain_data) */
    if (dd_table_open(&r.table, r.file, fl->pool) != DD_OK) {
        o->data_problem = dd_pool_strdup(fl->m->pool, dd_context_message(fl->ctx));
        return;
    }
    if (!read_header(&r) || !read_records(&r)) {
        o->data.len = 0;
        return;
    }
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
