/* ocp_table.c - places first, then values, then rows that repeat the one before are taken out. */
#include "ocp/ocp_table.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "ocp/phases.h"
#include "ocp/reading.h"

enum { PROBES = 4, SMOOTH = 400, GLANCES = 32 };
#define BETWEEN_ROWS 1e-7  /* of a control: error of linear interpolation; a tenth of the promise */
#define PICTURE_ROWS 1e-4  /* the same for a picture: less than a pixel */
#define SMALL_CONTROL 1e-3 /* of its expected size: below this the expected size decides */
#define NO_JUMP 1e-9       /* of a column's size */
#define NO_COSTATE_JUMP 1e-6
#define JUST_BEFORE 1e-13 /* of an interval */

typedef struct building {
    dd_ocp *p;
    dd_ocp_table *table;
    dd_pool *pool;
    DD_VEC(dd_table_column) names; /* per column */
    double *size;                  /* per control */
    double between;                /* error of linear interpolation, of size */
    uint32_t least;                /* pieces between two points */
    double part;                   /* of the pieces wanted: there is room for it */
    double *u[3];
} building;

/* ---- places ---- */

static void measure_controls(building *b)
{
    const dd_transcription *t = b->p->transcription;
    uint32_t nu = b->p->problem->u.len;
    /* a control that is nearly zero is measured by a part of its expected size */
    for (uint32_t i = 0; i < nu; i++) {
        b->size[i] = SMALL_CONTROL * b->p->problem->u.data[i].scale;
    }
    /* the largest value at nodes and points */
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        for (uint32_t j = 0; j <= dd_transcription_points(t, k) + 1; j++) {
            double theta = j == 0                               ? t->mesh.theta[k]
                           : j <= dd_transcription_points(t, k) ? dd_transcription_point(t, k, j - 1)
                                                                : t->mesh.theta[k + 1];
            dd_transcription_control(t, b->p->result.x, k, theta, b->u[0]);
            for (uint32_t i = 0; i < nu; i++) {
                b->size[i] = fmax(b->size[i], fabs(b->u[0][i]));
            }
        }
    }
}

/* Pieces of a gap between two points that linear interpolation of the controls wants. It is off by |u''| w^2 / 8
 * over a piece of width w at most: measured in the middle of a few pieces, which determines the number. */
static double pieces_wanted(building *b, uint32_t k, double begin, double end)
{
    const dd_transcription *t = b->p->transcription;
    const double *y = b->p->result.x;
    double worst = 0, width = (end - begin) / PROBES;
    if (t->mesh.control != DD_CONTROL_POLYNOMIAL) {
        return 1;
    }
    double inside = JUST_BEFORE * (end - begin); /* polynomials of steps end where the next ones begin */
    /* |u(mid) - (u(left) + u(right))/2| = |u''| w^2 / 8 */
    for (uint32_t i = 0; i < PROBES; i++) {
        double left = begin + i * width, right = left + width;
        dd_transcription_control(t, y, k, left, b->u[0]);
        dd_transcription_control(t, y, k, 0.5 * (left + right), b->u[1]);
        dd_transcription_control(t, y, k, i + 1 < PROBES ? right : end - inside, b->u[2]);
        for (uint32_t c = 0; c < b->p->problem->u.len; c++) {
            double off = fabs(b->u[1][c] - 0.5 * (b->u[0][c] + b->u[2][c]));
            worst = fmax(worst, off / (b->between * b->size[c]));
        }
    }
    /* error falls with the square of the number of pieces */
    return fmin(fmax(1, PROBES * sqrt(worst)), DD_TABLE_MOST);
}

/* The end of gap j of interval k: a point, or the end of the interval. */
static double gap_end(const dd_transcription *t, uint32_t k, uint32_t j)
{
    return j < dd_transcription_points(t, k) ? dd_transcription_point(t, k, j) : t->mesh.theta[k + 1];
}

/* A control that oscillates in every interval wants hundreds of rows in each: all gaps get the same part of what they
 * want, so the error between rows is about the same everywhere. Every phase has these rows. */
static void share_rows(building *b)
{
    const dd_transcription *t = b->p->transcription;
    const uint32_t phases = dd_ocp_phase_count(b->p->problem);
    double wanted = 0;
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        double begin = t->mesh.theta[k];
        dd_check_stop(b->p->ctx);
        for (uint32_t j = 0; j <= dd_transcription_points(t, k); j++) {
            wanted += pieces_wanted(b, k, begin, gap_end(t, k, j));
            begin = gap_end(t, k, j);
        }
    }
    const double room = fmax((double)DD_TABLE_ROWS / (phases > 0 ? phases : 1), (double)DD_TABLE_EACH * t->mesh.n);
    b->part = fmin(1, room / wanted);
}

static uint32_t pieces_given(building *b, uint32_t k, double begin, double end)
{
    const double pieces = ceil(b->part * pieces_wanted(b, k, begin, end));
    return pieces > b->least ? (uint32_t)pieces : b->least;
}

static void add_place(building *b, uint32_t k, double theta, bool left)
{
    const dd_mesh *mesh = &b->p->transcription->mesh;
    bool inside = left && theta < mesh->theta[k + 1];
    double read = inside ? theta - JUST_BEFORE * (mesh->theta[k + 1] - mesh->theta[k]) : theta;
    dd_vec_push(b->pool, &b->table->places, ((dd_ocp_place){k, theta, read, left}));
}

/* Is this point inside an interval the end of a step of shooting, where polynomial controls and z may jump? */
static bool is_step_end(const dd_transcription *t, uint32_t k, double theta)
{
    double at = (theta - t->mesh.theta[k]) / (t->mesh.theta[k + 1] - t->mesh.theta[k]) * t->mesh.substeps;
    return t->shooting != NULL && fabs(at - round(at)) < 1e-9;
}

static void add_interval(building *b, uint32_t k)
{
    const dd_transcription *t = b->p->transcription;
    uint32_t points = dd_transcription_points(t, k);
    double begin = t->mesh.theta[k];
    /* the left end, then each gap in pieces */
    add_place(b, k, begin, false);
    for (uint32_t j = 0; j <= points; j++) {
        double end = gap_end(t, k, j);
        uint32_t pieces = pieces_given(b, k, begin, end);
        for (uint32_t i = 1; i < pieces; i++) {
            add_place(b, k, begin + (end - begin) * i / pieces, false);
        }
        /* where something may jump there are two rows: limits from both sides */
        if (j == points || is_step_end(t, k, end)) {
            add_place(b, k, end, true);
        }
        if (j < points) {
            add_place(b, k, end, false);
        }
        begin = end;
    }
}

/* Equal parts of the horizon, whatever the mesh. */
static void add_glances(building *b)
{
    const dd_mesh *mesh = &b->p->transcription->mesh;
    uint32_t k = 0;
    for (uint32_t i = 0; i <= GLANCES; i++) {
        const double theta = (double)i / GLANCES;
        while (k + 1 < mesh->n && mesh->theta[k + 1] < theta) {
            k++;
        }
        add_place(b, k, theta, i > 0);
    }
}

/* Intervals with their points; as many rows between them as their use wants. */
static void add_intervals(building *b, dd_ocp_rows rows)
{
    const dd_transcription *t = b->p->transcription;
    const bool smooth = rows == DD_ROWS_PICTURE;
    /* a picture needs about 400 points in all */
    b->least = smooth ? 1 + SMOOTH / (t->mesh.n * (1 + dd_transcription_points(t, 0))) : 1;
    const uint32_t nu = b->p->problem->u.len;
    b->size = dd_pool_alloc_array(b->pool, nu + 1, sizeof *b->size);
    for (int i = 0; i < 3; i++) {
        b->u[i] = dd_pool_alloc_array(b->pool, nu + 1, sizeof *b->u[i]);
    }
    b->between = smooth ? PICTURE_ROWS : BETWEEN_ROWS;
    measure_controls(b);
    share_rows(b);
    for (uint32_t k = 0; k < t->mesh.n; k++) {
        dd_check_stop(b->p->ctx);
        add_interval(b, k);
    }
}

/* ---- columns ---- */

static void add_column(building *b, dd_ocp_column_kind kind, dd_table_column name, uint32_t index)
{
    dd_vec_push(b->pool, &b->table->columns, ((dd_ocp_column){kind, index}));
    dd_vec_push(b->pool, &b->names, name);
}

static const char *costate_name(building *b, const dd_decision *d)
{
    const char *name = dd_model_var_name_dup(b->p->system->model, d->var, b->pool);
    return dd_pool_printf(b->pool, d->order > 0 ? "costate(der(%s))" : "costate(%s)", name);
}

static void add_columns(building *b, const dd_multipliers *m)
{
    const dd_ocp_problem *o = b->p->problem;
    /* variables, then costates, then densities */
    for (uint32_t i = 0; i < b->p->outputs->vars.len; i++) {
        const dd_model *model = b->p->system->model;
        const char *unit = model->arrays.data[model->vars.data[b->p->outputs->vars.data[i]].array].unit;
        add_column(b, DD_COLUMN_VARIABLE, (dd_table_column){dd_reading_name(b->p, i, b->pool), unit}, i);
    }
    for (uint32_t i = 0; m != NULL && i < o->x.len; i++) {
        add_column(b, DD_COLUMN_COSTATE, (dd_table_column){costate_name(b, &o->x.data[i]), ""}, i);
    }
    for (uint32_t i = 0; m != NULL && i < dd_multipliers_count(m); i++) {
        add_column(b, DD_COLUMN_MULTIPLIER, (dd_table_column){dd_multipliers_name(m, i), ""}, i);
    }
}

/* ---- values ---- */

static void fill(building *b, const dd_multipliers *m)
{
    dd_ocp_table *table = b->table;
    dd_reading r = dd_reading_new(b->p, b->pool);
    uint32_t n = b->p->outputs->vars.len, nx = b->p->problem->x.len;
    table->rows = dd_table_of_pool(b->pool, table->columns.len);
    table->rows->columns = b->names.data;
    dd_table_reserve(table->rows, b->pool, table->places.len);
    /* a row per place; costates by the polynomial of its interval */
    for (uint32_t row = 0; row < table->places.len; row++) {
        const dd_ocp_place *at = &table->places.data[row];
        double *to = dd_table_push_row(table->rows, b->pool);
        dd_check_stop(b->p->ctx);
        dd_reading_at(&r, at->read, at->left);
        *to++ = dd_transcription_time(b->p->transcription, b->p->result.x, at->theta);
        memcpy(to, r.values, n * sizeof *to);
        if (m != NULL) {
            dd_multipliers_costates(m, at->interval, at->read, to + n);
            for (uint32_t i = 0; i < dd_multipliers_count(m); i++) {
                to[n + nx + i] = dd_multipliers_density(m, i, at->interval, at->read);
            }
        }
    }
}

/* Sizes of columns: a jump is relative to them. */
static double *column_sizes(const building *b)
{
    const dd_table *t = b->table->rows;
    double *size = dd_pool_alloc_array(b->pool, t->width + 1, sizeof *size);
    for (uint64_t row = 0; row < t->count; row++) {
        for (uint32_t c = 0; c < t->width; c++) {
            size[c] = fmax(size[c], fabs(dd_table_row(t, row)[c]));
        }
    }
    return size;
}

static bool same_row(const dd_ocp_table *t, const double *a, const double *b, const double *size)
{
    bool same = a[0] == b[0];
    for (uint32_t c = 1; c < t->rows->width && same; c++) {
        /* costates have a few digits less */
        double near = t->columns.data[c - 1].kind == DD_COLUMN_VARIABLE ? NO_JUMP : NO_COSTATE_JUMP;
        same = fabs(a[c] - b[c]) <= near * size[c] || (isnan(a[c]) && isnan(b[c]));
    }
    return same;
}

/* A time at which nothing jumps has one row. */
static void merge_rows(const building *b)
{
    dd_ocp_table *t = b->table;
    dd_table *rows = t->rows;
    const double *size = column_sizes(b);
    uint32_t kept = 0;
    /* in place: a row that repeats the one before leaves */
    for (uint32_t row = 0; row < rows->count; row++) {
        const double *from = dd_table_row(rows, row);
        if (kept > 0 && same_row(t, dd_table_row(rows, kept - 1), from, size)) {
            continue;
        }
        memmove(rows->data + (size_t)kept * rows->width, from, rows->width * sizeof *from);
        t->places.data[kept++] = t->places.data[row];
    }
    rows->count = t->places.len = kept;
}

dd_ocp_table *dd_ocp_table_new(dd_ocp *p, bool multipliers, dd_ocp_rows rows, dd_pool *pool)
{
    building b = {.p = p, .pool = pool, .table = dd_pool_alloc(pool, sizeof *b.table)};
    if (rows == DD_ROWS_GLANCE) {
        add_glances(&b);
    } else {
        add_intervals(&b, rows);
    }
    const dd_multipliers *m = multipliers ? dd_multipliers_new(p->transcription, &p->result, pool) : NULL;
    add_columns(&b, m);
    fill(&b, m);
    merge_rows(&b);
    return b.table;
}

/* ---- the file ---- */

typedef struct write_call {
    dd_ocp *p;
    dd_pool *pool;
    const dd_ocp_table *table;
    dd_table_rows rows;      /* what is written */
    dd_phase_columns phases; /* with phases */
    double *row;             /* the same: one row of the file, */
    bool *blank;             /* and its empty fields */
} write_call;

/* With phases: columns by their names inside a phase. */
static dd_phase_columns columns_of_phases(dd_ocp *p, const dd_ocp_table *t, dd_pool *pool)
{
    const char **names = dd_pool_alloc_array(pool, t->columns.len + 1, sizeof *names);
    uint32_t *var = dd_pool_alloc_array(pool, t->columns.len + 1, sizeof *var);
    dd_reading r = dd_reading_new(p, pool);
    /* multipliers belong to no variable: their name says the phase */
    for (uint32_t i = 0; i < t->columns.len; i++) {
        const dd_ocp_column *c = &t->columns.data[i];
        names[i] = t->rows->columns[i].name;
        var[i] = c->kind == DD_COLUMN_VARIABLE ? p->outputs->vars.data[c->index] : DD_NO_INDEX;
    }
    return dd_ocp_phase_columns(p->problem, names, var, t->columns.len, r.params, pool);
}

static const char *phase_field(void *user, uint32_t field)
{
    const write_call *call = user;
    return field == 0 ? "time" : field == 1 ? "phase" : call->phases.name[field - 2];
}

/* One phase after the other, in the order of their starts. */
static const double *phase_row(void *user, uint64_t i, const bool **blank)
{
    const write_call *call = user;
    const dd_table *rows = call->table->rows;
    const double *value = dd_table_row(rows, i % rows->count);
    dd_ocp_phase_row(&call->phases, call->phases.order[i / rows->count], value, call->row, call->blank);
    *blank = call->blank;
    return call->row;
}

static void build_table(void *user)
{
    write_call *call = user;
    const uint32_t phases = dd_ocp_phase_count(call->p->problem);
    call->table = dd_ocp_table_new(call->p, call->p->options.multipliers, DD_ROWS_FILE, call->pool);
    call->rows = dd_table_stored_rows(call->table->rows);
    if (phases > 0) {
        call->phases = columns_of_phases(call->p, call->table, call->pool);
        const uint32_t fields = 2 + call->phases.n;
        call->row = dd_pool_alloc_array(call->pool, fields, sizeof *call->row);
        call->blank = dd_pool_alloc_array(call->pool, fields, sizeof *call->blank);
        call->rows = (dd_table_rows){call, phases * call->table->rows->count, fields, phase_field, phase_row};
    }
}

dd_status dd_ocp_write_csv(dd_ocp *p, const char *path)
{
    if (p == NULL || path == NULL) {
        return DD_INVALID_ARGUMENT;
    }
    if (!dd_ocp_has_trajectory(p)) {
        return dd_fail(p->ctx, DD_INVALID_ARGUMENT, "there is no trajectory to write");
    }
    /* a separate pool: tables are large */
    write_call call = {.p = p, .pool = dd_pool_new(p->ctx)};
    if (call.pool == NULL) {
        return dd_fail(p->ctx, DD_OUT_OF_MEMORY, "%s", dd_status_text(DD_OUT_OF_MEMORY));
    }
    const dd_respite before = dd_respite_begin(p->ctx);
    dd_status status = dd_protect(p->ctx, build_table, &call);
    if (status == DD_OK) {
        status = dd_table_write(p->ctx, path, &call.rows);
    }
    dd_respite_end(p->ctx, &before);
    dd_pool_free(call.pool);
    return status;
}
