/* drawn.c - the expressions of a drawing, compiled once and evaluated at the rows of trajectories. Numbers that no variable
 * enters are constants of the scene; equal expressions are one column. */
#include "dynamics/drawn.h"

#include <string.h>

#include "base/context.h"
#include "eval/tape.h"
#include "expr/value.h"
#include "report/written.h"

/* Frames beyond the first number are not told apart; the second bounds the size of a page, in numbers. */
enum { MOST_FRAMES = 3000, MOST_NUMBERS = 3000000, LEAST_FRAMES = 50 };

typedef struct drawn {
    const dd_model *m;
    const double *parameter;
    dd_drawing *drawing;
    dd_pool *pool;
    dd_expr_vec symbols; /* VAR, PARAM and TIME nodes that columns contain */
    dd_map symbol_seen;
    dd_expr_vec columns; /* what changes */
    dd_map column_of;    /* expression -> column + 1 */
    dd_scene_place *places;
    dd_tape *tape; /* symbols to columns */
} drawn;

/* ---- columns ---- */

static double parameter_value(void *user, dd_expr symbol)
{
    const drawn *d = user;
    return d->parameter[dd_symbol_id(d->drawing->dag, symbol)];
}

/* The place of a number: a column when something in it changes during a run. */
static dd_scene_place place_of(drawn *d, dd_expr e)
{
    dd_dag *dag = d->drawing->dag;
    const uint32_t known = dd_map_get(&d->column_of, e);
    dd_expr_vec symbols = {0};
    bool changes = false;
    if (known != 0) {
        return (dd_scene_place){known - 1, 0};
    }
    dd_symbols(dag, e, true, &symbols, d->pool);
    for (uint32_t i = 0; i < symbols.len; i++) {
        changes = changes || dd_op_of(dag, symbols.data[i]) != DD_OP_PARAM;
    }
    if (!changes) {
        return (dd_scene_place){UINT32_MAX, dd_value_of(dag, e, parameter_value, d, d->pool)};
    }
    /* a new column, and the symbols that are new with it */
    for (uint32_t i = 0; i < symbols.len; i++) {
        if (dd_map_get(&d->symbol_seen, symbols.data[i]) == 0) {
            dd_map_put(&d->symbol_seen, symbols.data[i], 1);
            dd_vec_push(d->pool, &d->symbols, symbols.data[i]);
        }
    }
    dd_vec_push(d->pool, &d->columns, e);
    dd_map_put(&d->column_of, e, d->columns.len);
    return (dd_scene_place){d->columns.len - 1, 0};
}

static void compile(drawn *d)
{
    const dd_expr_vec *numbers = &d->drawing->numbers;
    d->column_of = dd_map_new(d->pool);
    d->symbol_seen = dd_map_new(d->pool);
    d->places = dd_pool_alloc_array(d->pool, (size_t)numbers->len + 1, sizeof *d->places);
    for (uint32_t i = 0; i < numbers->len; i++) {
        d->places[i] = place_of(d, numbers->data[i]);
    }
    d->tape = dd_tape_new(d->pool, d->drawing->dag, d->symbols.data, d->symbols.len, d->columns.data, d->columns.len);
}

/* ---- frames ---- */

/* Where the symbols of the tape come from, for one trajectory. */
typedef struct source {
    const dd_drawn_rows *rows;
    uint32_t *
        column; /* per symbol: of the table from 1, its time 0; DD_NO_INDEX: a parameter, or an input without a column */
    double *in;
} source;

static uint32_t column_named(const dd_table *t, const char *name)
{
    for (uint32_t c = 0; c + 1 < t->width; c++) {
        if (strcmp(t->columns[c].name, name) == 0) {
            return c + 1;
        }
    }
    return DD_NO_INDEX;
}

static void find_columns(const drawn *d, source *s)
{
    const dd_dag *dag = d->drawing->dag;
    s->column = dd_pool_alloc_array(d->pool, (size_t)d->symbols.len + 1, sizeof *s->column);
    s->in = dd_pool_alloc_array(d->pool, (size_t)d->symbols.len + 1, sizeof *s->in);
    for (uint32_t i = 0; i < d->symbols.len; i++) {
        const dd_op op = dd_op_of(dag, d->symbols.data[i]);
        s->column[i] = op == DD_OP_TIME ? 0 : DD_NO_INDEX;
        if (op == DD_OP_TIME) {
            continue;
        }
        const uint32_t var = dd_symbol_id(dag, d->symbols.data[i]);
        if (op == DD_OP_PARAM) {
            s->in[i] = d->parameter[var];
            continue;
        }
        const char *name = dd_model_var_name_dup(d->m, var, d->pool);
        s->column[i] = column_named(s->rows->table, name);
        if (s->column[i] == DD_NO_INDEX && d->m->vars.data[var].kind != DD_KIND_INPUT) {
            dd_raise(d->m->ctx, DD_INVALID_ARGUMENT, "%s has no column %s, which the drawing of %s needs",
                     s->rows->name[0] != '\0' ? s->rows->name : "the trajectory", name, d->m->name);
        }
    }
}

static void evaluate(const drawn *d, source *s, const double *row, double *values, float *out)
{
    const dd_dag *dag = d->drawing->dag;
    for (uint32_t i = 0; i < d->symbols.len; i++) {
        if (s->column[i] != DD_NO_INDEX) {
            s->in[i] = row[s->column[i]];
        } else if (dd_op_of(dag, d->symbols.data[i]) == DD_OP_VAR) {
            s->in[i] = s->rows->input != NULL
                           ? s->rows->input(s->rows->user, dd_symbol_id(dag, d->symbols.data[i]), row[0])
                           : 0;
        }
    }
    dd_tape_eval(d->tape, s->in, values);
    for (uint32_t c = 0; c < d->columns.len; c++) {
        out[c] = (float)values[c];
    }
}

/* All rows, or as many as are told apart, at equal distances of time. */
static dd_scene_motion make_motion(const drawn *d, const dd_drawn_rows *rows)
{
    const dd_table *t = rows->table;
    const uint32_t width = d->columns.len > 0 ? d->columns.len : 1;
    const uint32_t room = MOST_NUMBERS / width < LEAST_FRAMES ? LEAST_FRAMES : MOST_NUMBERS / width;
    const uint32_t most = room < MOST_FRAMES ? room : MOST_FRAMES;
    const uint32_t n = t->count < most ? (uint32_t)t->count : most;
    const double begin = dd_table_time(t, 0), end = dd_table_time(t, t->count - 1);
    double *time = dd_pool_alloc_array(d->pool, n, sizeof *time);
    double *values = dd_pool_alloc_array(d->pool, (size_t)width + 1, sizeof *values);
    float *columns = dd_pool_alloc_array(d->pool, (size_t)n * width, sizeof *columns);
    source s = {.rows = rows};
    find_columns(d, &s);
    for (uint32_t f = 0; f < n; f++) {
        uint64_t row = f;
        if (n < t->count) { /* the last row at or before an equidistant time */
            const double at = begin + (end - begin) * f / (n - 1);
            row = f + 1 == n ? t->count - 1 : dd_table_find(t, at, at, true).row;
        }
        time[f] = dd_table_time(t, row);
        evaluate(d, &s, dd_table_row(t, row), values, columns + (size_t)f * d->columns.len);
        dd_check_stop(d->m->ctx);
    }
    return (dd_scene_motion){.name = rows->name, .time = time, .columns = columns, .frames = n};
}

/* ---- from a file ---- */

static dd_table *read_table(const dd_model *m, const char *path, dd_pool *pool)
{
    dd_table_reader r;
    const dd_status status = dd_table_open(&r, path, pool);
    if (status != DD_OK) {
        dd_raise(m->ctx, status, "%s", dd_pool_strdup(pool, dd_context_message(m->ctx)));
    }
    if (!dd_table_header(&r) || !dd_table_require_time(&r)) {
        dd_table_refuse(&r, r.problem);
    }
    /* all columns: which ones are needed is known when the drawing is compiled */
    uint32_t *fields = dd_pool_alloc_array(pool, (size_t)r.fields + 1, sizeof *fields);
    dd_table_column *names = dd_pool_alloc_array(pool, (size_t)r.fields + 1, sizeof *names);
    uint32_t n = 0;
    for (uint32_t k = 0; k < r.fields; k++) {
        if (k != r.time) {
            names[n] = (dd_table_column){dd_pool_strdup(pool, r.csv.field[k]), ""};
            fields[n++] = k;
        }
    }
    dd_table *table = dd_table_of_pool(pool, n);
    r.blanks = r.nans = true; /* columns that nobody draws may hold anything */
    dd_table_choose(&r, fields, n);
    if (!dd_table_read(&r, table, pool)) {
        dd_table_refuse(&r, r.problem);
    }
    if (table->count == 0) {
        dd_table_refuse(&r, "the file has no rows");
    }
    table->columns = names;
    return table;
}

/* ---- the scene ---- */

dd_scene *dd_drawn_scene(const dd_model *m, const double *parameter, const dd_drawn_rows *run, const char *const *files,
                         uint32_t n, dd_pool *pool)
{
    if (m->drawing == NULL || m->drawing->shapes.len == 0 || run->table->count == 0) {
        return NULL;
    }
    drawn d = {.m = m, .parameter = parameter, .drawing = m->drawing, .pool = pool};
    compile(&d);
    dd_scene_motion *motions = dd_pool_alloc_array(pool, (size_t)n + 1, sizeof *motions);
    motions[0] = make_motion(&d, run);
    for (uint32_t i = 0; i < n; i++) {
        const dd_drawn_rows rows = {.name = files[i], .table = read_table(m, files[i], pool)};
        motions[i + 1] = make_motion(&d, &rows);
        /* a page may be sent around: the name of the file without its folders */
        const char *slash = strrchr(files[i], '/');
        motions[i + 1].name = dd_pool_strdup(pool, slash != NULL ? slash + 1 : files[i]);
    }
    dd_scene *s = dd_pool_alloc(pool, sizeof *s);
    *s = (dd_scene){.title = m->name,
                    .shapes = m->drawing->shapes.data,
                    .n_shapes = m->drawing->shapes.len,
                    .places = d.places,
                    .n_places = m->drawing->numbers.len,
                    .n_columns = d.columns.len,
                    .view = m->drawing->view,
                    .motions = motions,
                    .n_motions = n + 1,
                    .left_out = m->drawing->left_out};
    return s;
}

/* ---- before a run ---- */

typedef struct overlay_call {
    const dd_model *m;
    const double *parameter;
    dd_string_vec *kept;
    dd_pool *pool; /* of the names */
} overlay_call;

static void overlay_body(void *arg)
{
    const dd_written *out = arg;
    const overlay_call *call = out->user;
    const dd_model *m = call->m;
    call->kept->len = 0;
    if (m->drawing == NULL || m->drawing->shapes.len == 0) {
        dd_raise(m->ctx, DD_INVALID_ARGUMENT,
                 "%s draws nothing: parts of Daedal.Mechanics do, and so does an annotation such as "
                 "annotation(Daedal(draw(bob = point(p)))); see docs/animation.md",
                 m->name);
    }
    drawn d = {.m = m, .parameter = call->parameter, .drawing = m->drawing, .pool = out->pool};
    compile(&d);
    for (uint32_t i = 0; i < out->n_requests; i++) {
        const dd_drawn_rows rows = {.name = out->requests[i], .table = read_table(m, out->requests[i], out->pool)};
        source s = {.rows = &rows};
        find_columns(&d, &s);
        dd_vec_push(call->pool, call->kept, (const char *)dd_pool_strdup(call->pool, out->requests[i]));
    }
}

dd_status dd_drawn_set_overlays(const dd_model *m, const double *parameter, const char *const *files, uint32_t n,
                                dd_string_vec *kept, dd_pool *pool)
{
    overlay_call call = {m, parameter, kept, pool};
    return dd_written_make(&(dd_written){.ctx = m->ctx, .user = &call, .requests = files, .n_requests = n},
                           overlay_body);
}
