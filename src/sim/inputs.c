/* inputs.c - inputs from outside: a table, read, connected with the numbers of a model, asked for jumps and corners; held
 * values. */
#include "sim/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/series.h"
#include "structure/numeric.h"

enum { MOST_NAMES = 1000 };

typedef DD_VEC(double) number_vec;

struct dd_inputs {
    const dd_system *system;
    dd_pool *pool;
    dd_inputs_options options;
    dd_index_vec supplied; /* variables: those with a column, then those that are held */
    uint32_t n_columns;    /* how many of them have a column */
    dd_series *columns;    /* one each */
    double *held, *next;   /* per held variable: its value, and the one from the next jump on */
    double *called;        /* what `call` returned last */
    double *noted;         /* what it returned when dd_inputs_has_jumped was asked last */
    uint32_t *column_of;   /* variable -> place in supplied, DD_NO_INDEX */
    number_vec jumps, corners;
    DD_VEC(dd_series) bases; /* what derivatives are taken by */
    /* of the numbers it is connected with: per symbol */
    uint32_t n_wanted;
    uint32_t *wanted_column, *wanted_order;
};

/* ---- reading ---- */

typedef struct reading {
    dd_inputs *in;
    dd_pool *scratch;
    dd_table_reader file;
    dd_index_vec field;      /* per supplied variable: its field */
    dd_table *table;         /* a column per supplied variable */
    bool overridden;         /* --set gives an input that has a column */
    dd_string_vec *messages; /* of the simulation */
} reading;

static bool is_open_input(const dd_model *m, uint32_t var)
{
    return m->vars.data[var].kind == DD_KIND_INPUT;
}

/* No column fits: says what there is. */
_Noreturn static void refuse_columns(reading *r)
{
    const dd_model *m = r->in->system->model;
    /* the input whose name is closest to a column is probably meant */
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (uint32_t v = 0; v < m->vars.len && count < MOST_NAMES; v++) {
        if (is_open_input(m, v)) {
            names[count++] = dd_model_var_name_dup(m, v, r->scratch);
        }
    }
    if (count == 0) {
        dd_raise(m->ctx, DD_INVALID_MODEL, "%s: the model %s has no inputs", r->in->options.path, m->name);
    }
    for (uint32_t i = 0; i < r->file.fields; i++) {
        const char *name = r->file.csv.field[i];
        const char *meant = i == r->file.time ? NULL : dd_closest_name(name, names, count);
        if (meant) {
            dd_table_refuse(
                &r->file,
                dd_pool_printf(r->scratch, "no column is named like an input; is `%s` the input `%s`?", name, meant));
        }
    }
    dd_table_refuse(&r->file, dd_pool_printf(r->scratch, "no column is named like an input; the model has %s%s",
                                             names[0], count > 1 ? ", ..." : ""));
}

/* Field i of the header is named like the input var. */
static void take_column(reading *r, uint32_t i, uint32_t var)
{
    dd_inputs *in = r->in;
    const char *name = r->file.csv.field[i];
    /* a column twice is a mistake, a formula by --set is not */
    if (in->column_of[var] != DD_NO_INDEX) {
        dd_table_refuse(&r->file, dd_pool_printf(r->scratch, "the column `%s` appears twice", name));
    }
    if (in->system->model->vars.data[var].has_value) {
        r->overridden = true;
        dd_vec_push(in->pool, r->messages,
                    dd_pool_printf(in->pool, "%s is given by %s; its column in %s is not used", name,
                                   dd_option_word(dd_pool_context(in->pool), "--set"), in->options.path));
        return;
    }
    in->column_of[var] = in->supplied.len;
    dd_vec_push(in->pool, &in->supplied, var);
    dd_vec_push(r->scratch, &r->field, i);
}

static void match_columns(reading *r, const dd_names *names, const dd_index_vec *var_of)
{
    /* unknown columns are ignored: files of results have many */
    for (uint32_t i = 0; i < r->file.fields; i++) {
        const char *name = r->file.csv.field[i];
        const uint32_t id = dd_names_find(names, name, strlen(name));
        if (i != r->file.time && id > 0 && id <= var_of->len) {
            take_column(r, i, var_of->data[id - 1]);
        }
    }
}

static void read_header(reading *r)
{
    const dd_model *m = r->in->system->model;
    /* names of inputs in a hash table, since there may be thousands of columns */
    dd_names *names = dd_names_new(r->scratch);
    dd_index_vec var_of = {0}; /* by name id - 1 */
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (is_open_input(m, v)) {
            const char *name = dd_model_var_name_dup(m, v, r->scratch);
            dd_names_intern(names, name, strlen(name));
            dd_vec_push(r->scratch, &var_of, v);
        }
    }
    if (!dd_table_header(&r->file)) {
        dd_table_refuse(&r->file, r->file.problem);
    }
    match_columns(r, names, &var_of);
    if (!dd_table_require_time(&r->file)) {
        dd_table_refuse(&r->file, r->file.problem);
    }
    if (r->in->supplied.len == 0 && !r->overridden) {
        refuse_columns(r);
    }
}

static void read_rows(reading *r)
{
    dd_table_choose(&r->file, r->field.data, r->field.len);
    r->table = dd_table_of_pool(r->scratch, r->field.len);
    if (!dd_table_read(&r->file, r->table, r->scratch)) {
        dd_table_refuse(&r->file, r->file.problem);
    }
    if (r->table->count == 0) {
        dd_table_refuse(&r->file, "there are no rows below the header");
    }
}

/* ---- moments ---- */

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void sort_moments(number_vec *v)
{
    if (v->len > 0) {
        qsort(v->data, v->len, sizeof *v->data, compare_numbers);
    }
}

/* A corner is noted where the lines before and after it differ, over the shorter of both intervals, by more than the
 * tolerance sees; `all` of them where values of the column may change. Beyond the ends the value is held: slope 0. */
static void note_corners(dd_inputs *in, const dd_series *c, bool all, uint32_t begin, uint32_t end)
{
    /* relative to the size of the column */
    double size = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        size = fmax(size, fabs(c->v[i]));
    }
    for (uint32_t i = begin; i < end; i++) {
        const bool left = i > begin, right = i + 1 < end;
        /* splines are smooth inside a piece */
        if (c->curvature && left && right) {
            continue;
        }
        const double h0 = left ? c->t[i] - c->t[i - 1] : INFINITY, h1 = right ? c->t[i + 1] - c->t[i] : INFINITY;
        const double s0 = left ? (c->v[i] - c->v[i - 1]) / h0 : 0.0, s1 = right ? (c->v[i + 1] - c->v[i]) / h1 : 0.0;
        /* the difference of the two lines over the shorter interval */
        const double shorter = fmin(h0, h1);
        if (isfinite(shorter) && (all || fabs(s1 - s0) * shorter > in->options.tol * size)) {
            dd_vec_push(in->pool, &in->corners, c->t[i]);
        }
    }
}

static void note_moments(dd_inputs *in, const dd_series *c, bool all)
{
    for (uint32_t p = 0; p < c->pieces; p++) {
        if (p > 0) {
            dd_vec_push(in->pool, &in->jumps, c->t[c->first[p]]);
        }
        note_corners(in, c, all, c->first[p], c->first[p + 1]);
    }
}

/* ---- messages ---- */

static void tell_coverage(reading *r)
{
    const dd_inputs *in = r->in;
    const dd_inputs_options *o = &in->options;
    const double begin = dd_table_time(r->table, 0), end = dd_table_time(r->table, r->table->count - 1);
    /* constant continuation is reported, since it may not be what was meant */
    if (begin > o->start) {
        dd_vec_push(
            in->pool, r->messages,
            dd_pool_printf(in->pool, "%s begins at time %.10g: its first values are held before", o->path, begin));
    }
    if (end < o->stop) {
        dd_vec_push(in->pool, r->messages,
                    dd_pool_printf(in->pool, "%s ends at time %.10g: its last values are held after", o->path, end));
    }
}

/* ---- all of it ---- */

/* Is `name` of the form base@..., blanks aside? */
static bool is_value_of(const char *name, const char *base)
{
    for (; *name && *base; name++) {
        if (*name != ' ') {
            if (*name != *base) {
                return false;
            }
            base++;
        }
    }
    while (*name == ' ') {
        name++;
    }
    return !*base && *name == '@';
}

/* Are values of the variable among the names, by its own name or its array's? */
static bool values_named(const dd_inputs *in, uint32_t var, dd_pool *scratch)
{
    const dd_model *m = in->system->model;
    const char *own = dd_model_var_name_dup(m, var, scratch), *array = m->arrays.data[m->vars.data[var].array].name;
    bool named = false;
    for (uint32_t i = 0; i < in->options.n_names; i++) {
        named = named || is_value_of(in->options.names[i], own) || is_value_of(in->options.names[i], array);
    }
    return named;
}

static void read_file(reading *r)
{
    dd_inputs *in = r->in;
    const dd_status st = dd_table_open(&r->file, in->options.path, r->scratch);
    if (st != DD_OK) {
        dd_raise(in->system->ctx, st, "%s", dd_pool_strdup(in->pool, dd_context_message(in->system->ctx)));
    }
    read_header(r);
    read_rows(r);
    const uint32_t count = in->supplied.len;
    in->columns = dd_pool_alloc_array(in->pool, (size_t)count + 1, sizeof *in->columns);
    /* per input: a column, with its jumps and corners */
    for (uint32_t i = 0; i < count; i++) {
        const bool named = values_named(in, in->supplied.data[i], r->scratch);
        in->columns[i] =
            dd_series_new(r->table, i, in->options.interpolation == DD_INTERPOLATE_SPLINE, named, in->pool);
        note_moments(in, &in->columns[i], named);
    }
    sort_moments(&in->jumps);
    sort_moments(&in->corners);
    tell_coverage(r);
}

/* Inputs without a column or a formula, from their start values on. */
static void hold_others(dd_inputs *in)
{
    const dd_model *m = in->system->model;
    for (uint32_t v = 0; v < m->vars.len; v++) {
        if (is_open_input(m, v) && !m->vars.data[v].has_value && in->column_of[v] == DD_NO_INDEX) {
            in->column_of[v] = in->supplied.len;
            dd_vec_push(in->pool, &in->supplied, v);
        }
    }
    const uint32_t count = in->supplied.len - in->n_columns;
    in->held = dd_pool_alloc_array(in->pool, (size_t)count + 1, sizeof *in->held);
    in->next = dd_pool_alloc_array(in->pool, (size_t)count + 1, sizeof *in->next);
    in->called = dd_pool_alloc_array(in->pool, (size_t)count + 1, sizeof *in->called);
    in->noted = dd_pool_alloc_array(in->pool, (size_t)count + 1, sizeof *in->noted);
    for (uint32_t i = 0; i < count; i++) {
        in->held[i] = in->next[i] = dd_system_unfed_input(in->system, in->supplied.data[in->n_columns + i]);
    }
}

dd_inputs *dd_inputs_new(const dd_system *s, const dd_inputs_options *options, dd_string_vec *messages, dd_pool *pool)
{
    dd_inputs *in = dd_pool_alloc(pool, sizeof *in);
    in->system = s;
    in->pool = pool;
    in->options = *options;
    const uint32_t vars = s->model->vars.len;
    in->column_of = dd_pool_alloc_array(pool, (size_t)vars + 1, sizeof *in->column_of);
    memset(in->column_of, 0xff, vars * sizeof *in->column_of);
    if (options->path) {
        in->options.path = dd_pool_strdup(pool, options->path);
        reading r = {.in = in, .scratch = dd_pool_child(pool), .messages = messages};
        read_file(&r);
        dd_pool_free(r.scratch);
    }
    in->n_columns = in->supplied.len;
    if (options->hold) {
        hold_others(in);
    }
    dd_inputs_enter(in, options->start);
    return in;
}

const char *dd_inputs_path(const dd_inputs *in)
{
    return in->options.path;
}

const dd_index_vec *dd_inputs_supplied(const dd_inputs *in)
{
    return &in->supplied;
}

/* ---- the source of numbers ---- */

uint32_t dd_inputs_held(const dd_inputs *in, uint32_t i, uint32_t *var)
{
    const uint32_t count = in->supplied.len - in->n_columns;
    if (i < count) {
        *var = in->supplied.data[in->n_columns + i];
    }
    return count;
}

bool dd_inputs_hold(dd_inputs *in, uint32_t var, double value)
{
    const uint32_t at = in->column_of[var];
    const bool held = at != DD_NO_INDEX && at >= in->n_columns;
    if (held) {
        in->next[at - in->n_columns] = value;
    }
    return held;
}

/* u^(order)(t) at a place of `supplied`; held values have no derivatives. */
static double value_at(dd_inputs *in, uint32_t place, uint32_t order, double t)
{
    return place < in->n_columns      ? dd_series_value(&in->columns[place], order, t)
           : order > 0                ? 0
           : in->options.call != NULL ? in->called[place - in->n_columns]
                                      : in->held[place - in->n_columns];
}

static void call_at(dd_inputs *in, double t)
{
    if (in->options.call != NULL) {
        in->options.call(in->options.call_user, t, in->called);
    }
}

static void values(void *user, double t, double *out)
{
    dd_inputs *in = user;
    call_at(in, t);
    for (uint32_t i = 0; i < in->n_wanted; i++) {
        out[i] = value_at(in, in->wanted_column[i], in->wanted_order[i], t);
    }
}

static double basis_value(void *user, uint32_t basis, uint32_t order, double t)
{
    return dd_inputs_basis(user, basis, order, t);
}

static const char *symbol_text(const dd_inputs *in, dd_expr symbol)
{
    dd_namer namer = dd_model_namer(in->system->model);
    dd_text text = dd_text_new(in->pool);
    dd_print(in->system->model->dag, symbol, &namer, &text);
    return dd_text_str(&text);
}

/* The equation that asks for this derivative of an input. */
static const char *asking_row(const dd_inputs *in, dd_expr symbol)
{
    const dd_system *s = in->system;
    for (uint32_t i = 0; i < s->reduced.input_rates.len; i++) {
        const uint32_t row = s->reduced.input_rate_rows.data[i];
        if (s->reduced.input_rates.data[i] == symbol && row < s->eqs.len) {
            return dd_system_row_words(s, &s->eqs.data[row], in->pool);
        }
    }
    return "the model";
}

static const char *refuse_derivative(const dd_inputs *in, dd_expr symbol, bool held)
{
    if (held) {
        return dd_pool_printf(
            in->pool,
            "%s needs %s, but the input is held at values from outside, which has no derivatives: make it "
            "a state with its derivative as the new input",
            asking_row(in, symbol), symbol_text(in, symbol));
    }
    const bool spline = in->options.interpolation == DD_INTERPOLATE_SPLINE;
    const dd_context *ctx = dd_pool_context(in->pool);
    const char *remedy = spline ? dd_pool_printf(in->pool, "give the input as a formula: %s NAME=EXPRESSION",
                                                 dd_option_word(ctx, "--set"))
                                : dd_pool_printf(in->pool, "%s spline has two", dd_option_word(ctx, "--interpolate"));
    return dd_pool_printf(in->pool, "%s needs %s, but %s is interpolated %s, which has %s; %s", asking_row(in, symbol),
                          symbol_text(in, symbol), in->options.path, spline ? "by cubic splines" : "linearly",
                          spline ? "two derivatives" : "no derivatives", remedy);
}

/* The first jump within the run of a column of which derivatives are needed. */
static const char *refuse_jump(const dd_inputs *in, dd_expr symbol, const dd_series *c)
{
    for (uint32_t p = 1; p < c->pieces; p++) {
        const double at = c->t[c->first[p]];
        if (at > in->options.start && at < in->options.stop) {
            return dd_pool_printf(in->pool,
                                  "%s needs %s, but the input jumps at time %.10g in %s: what a constraint ties to it "
                                  "would have to jump, too",
                                  asking_row(in, symbol), symbol_text(in, symbol), at, in->options.path);
        }
    }
    return NULL;
}

const char *dd_inputs_connect(dd_inputs *in, dd_numbers *q)
{
    dd_dag *dag = in->system->model->dag;
    /* a line has no derivative to speak of, a cubic spline two */
    const uint32_t most = in->options.interpolation == DD_INTERPOLATE_SPLINE ? 2 : 0;
    in->n_wanted = q->inputs.len;
    in->wanted_column = dd_pool_alloc_array(in->pool, (size_t)in->n_wanted + 1, sizeof *in->wanted_column);
    in->wanted_order = dd_pool_alloc_array(in->pool, (size_t)in->n_wanted + 1, sizeof *in->wanted_order);
    for (uint32_t i = 0; i < in->n_wanted; i++) {
        const dd_expr symbol = q->inputs.data[i];
        const uint32_t column = in->column_of[dd_symbol_id(dag, symbol)];
        in->wanted_column[i] = column;
        in->wanted_order[i] = dd_symbol_order(dag, symbol);
        /* the table cannot supply what the equations ask for */
        const bool held = column >= in->n_columns;
        if (in->wanted_order[i] > (held ? 0 : most)) {
            return refuse_derivative(in, symbol, held);
        }
        const char *jump = in->wanted_order[i] > 0 ? refuse_jump(in, symbol, &in->columns[column]) : NULL;
        if (jump) {
            return jump;
        }
    }
    q->source = (dd_input_source){.user = in, .values = values, .basis = basis_value};
    return NULL;
}

/* ---- looking ---- */

void dd_inputs_enter(dd_inputs *in, double t)
{
    for (uint32_t i = 0; i < in->n_columns; i++) {
        dd_series_enter(&in->columns[i], t);
    }
    for (uint32_t i = in->n_columns; i < in->supplied.len; i++) {
        in->held[i - in->n_columns] = in->next[i - in->n_columns];
    }
    for (uint32_t i = 0; i < in->bases.len; i++) {
        dd_series_enter(&in->bases.data[i], t);
    }
}

static double first_after(const number_vec *v, double t)
{
    uint32_t low = 0, high = v->len;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (v->data[middle] <= t) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < v->len ? v->data[low] : INFINITY;
}

double dd_inputs_next_jump(const dd_inputs *in, double t)
{
    return first_after(&in->jumps, t);
}

double dd_inputs_next_corner(const dd_inputs *in, double t)
{
    return first_after(&in->corners, t);
}

bool dd_inputs_has_jumped(dd_inputs *in, double t)
{
    const uint32_t count = in->options.call != NULL ? in->supplied.len - in->n_columns : 0;
    bool jumped = false;
    call_at(in, t);
    for (uint32_t i = 0; i < count; i++) {
        jumped = jumped || in->called[i] != in->noted[i];
        in->noted[i] = in->called[i];
    }
    return jumped;
}

double dd_inputs_value(dd_inputs *in, uint32_t var, uint32_t order, double t)
{
    call_at(in, t);
    return value_at(in, in->column_of[var], order, t);
}

void dd_inputs_taylor(dd_inputs *in, double t, uint32_t stride, double *out)
{
    const uint32_t vars = in->system->model->vars.len;
    /* inputs that are not in the file are constants */
    memset(out, 0, (size_t)vars * stride * sizeof *out);
    for (uint32_t v = 0; v < vars; v++) {
        out[(size_t)v * stride] = dd_system_unfed_input(in->system, v);
    }
    call_at(in, t);
    /* Taylor coefficients u^(k)/k! */
    for (uint32_t i = 0; i < in->supplied.len; i++) {
        double factorial = 1;
        for (uint32_t k = 0; k < stride; k++) {
            factorial *= k > 1 ? k : 1;
            out[(size_t)in->supplied.data[i] * stride + k] = value_at(in, i, k, t) / factorial;
        }
    }
}

/* ---- values of a column ---- */

/* The first row at t or later, but for rounding; c->n without. */
static uint32_t first_row(const dd_series *c, double t, double rounding)
{
    uint32_t low = 0, high = c->n;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (c->t[middle] < t - rounding) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static const char *no_row(dd_inputs *in, const dd_series *c, const dd_input_rows *rows, uint32_t behind)
{
    if (rows->from < rows->to) {
        return dd_pool_printf(in->pool, "%s has no row between the times %.10g and %.10g", in->options.path, rows->from,
                              rows->to);
    }
    const bool left = behind == c->n || (behind > 0 && rows->from - c->t[behind - 1] < c->t[behind] - rows->from);
    return dd_pool_printf(in->pool, "%s has no row at time %.10g; the nearest one is at %.10g", in->options.path,
                          rows->from, c->t[left ? behind - 1 : behind]);
}

const char *dd_inputs_add_basis(dd_inputs *in, uint32_t var, const dd_input_rows *rows, uint32_t *basis)
{
    if (in->column_of[var] == DD_NO_INDEX || in->column_of[var] >= in->n_columns) {
        return in->options.path ? dd_pool_printf(in->pool, "no column of %s feeds it", in->options.path)
                                : "it has no table";
    }
    const dd_series *c = &in->columns[in->column_of[var]];
    /* times in names are decimal: compare to nine digits */
    const double rounding = 1e-9 * fmax(c->t[c->n - 1] - c->t[0], fabs(rows->from));
    uint32_t first = first_row(c, rows->from, rounding), last = first;
    while (last + 1 < c->n && c->t[last + 1] <= rows->to + rounding) {
        last++;
    }
    if (first == c->n || c->t[first] > rows->to + rounding) {
        return no_row(in, c, rows, first);
    }
    /* at a jump: its left or its right row */
    if (rows->from == rows->to) {
        first = last = rows->before ? first : last;
    } else if (first < last) { /* inside of jumps at both ends */
        first += c->t[first + 1] == c->t[first] && fabs(c->t[first] - rows->from) <= rounding;
        last -= last > first && c->t[last - 1] == c->t[last] && fabs(c->t[last] - rows->to) <= rounding;
    }
    *basis = in->bases.len;
    dd_vec_push(in->pool, &in->bases, dd_series_basis(c, first, last, in->pool));
    return NULL;
}

double dd_inputs_basis(dd_inputs *in, uint32_t basis, uint32_t order, double t)
{
    return dd_series_value(&in->bases.data[basis], order, t);
}
