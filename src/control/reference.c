/* reference.c - set-points from a file: step functions that change at samples, set one by one or known over the
 * horizon. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "control/controller.h"

#define ROUNDING 1e-9 /* of a sample period: a change at a sample applies there */

/* The first sample at or after t. */
static double next_sample(const dd_control *c, double t)
{
    const double period = c->options.sample_period, start = c->t;
    return start + ceil((t - start) / period - ROUNDING) * period;
}

/* Rows with a jump at every change: two rows of equal time. */
static dd_table *as_steps(const dd_control *c, uint32_t column)
{
    const dd_table *rows = c->reference.rows;
    dd_table *steps = dd_table_of_pool(c->pool, 1);
    for (uint64_t i = 0; i < rows->count; i++) {
        const double t = next_sample(c, dd_table_time(rows, i)), value = dd_table_row(rows, i)[1 + column];
        if (i > 0) {
            const double before = dd_table_row(rows, i - 1)[1 + column];
            dd_table_push(steps, c->pool, t, &before);
        }
        dd_table_push(steps, c->pool, t, &value);
    }
    return steps;
}

static void take_columns(dd_control *c, dd_table_reader *file)
{
    dd_reference *r = &c->reference;
    uint32_t *fields = dd_pool_alloc_array(c->pool, file->fields + 1, sizeof *fields);
    uint32_t count = 0;
    /* every column but the time must name a parameter that can be set during the loop */
    for (uint32_t i = 0; i < file->fields; i++) {
        if (i == file->time) {
            continue;
        }
        const char *name = dd_pool_strdup(c->pool, file->csv.field[i]);
        const uint32_t var = dd_system_find(c->system, name, c->pool);
        if (var == DD_NO_INDEX) {
            dd_raise(c->ctx, DD_INVALID_ARGUMENT, "%s: %s has no parameter \"%s\"", c->options.reference,
                     c->system->model->name, name);
        }
        const char *why = c->system->model->vars.data[var].kind != DD_KIND_PARAMETER
                              ? "is not a parameter of the class"
                              : dd_system_refuses(c->system, var);
        if (why != NULL) {
            dd_raise(c->ctx, DD_INVALID_MODEL, "%s: the column %s %s", c->options.reference, name, why);
        }
        dd_vec_push(c->pool, &r->names, (dd_named){var, count, NAN});
        fields[count++] = i;
    }
    if (!dd_table_require_once(file, fields, count)) {
        dd_table_refuse(file, file->problem);
    }
    dd_table_choose(file, fields, count);
}

void dd_reference_read(dd_control *c)
{
    dd_reference *r = &c->reference;
    if (c->options.reference == NULL) {
        return;
    }
    dd_table_reader file = {0};
    const dd_status st = dd_table_open(&file, c->options.reference, c->pool);
    if (st != DD_OK) {
        dd_raise(c->ctx, st, "%s", dd_pool_strdup(c->pool, dd_context_message(c->ctx)));
    }
    if (!dd_table_header(&file) || !dd_table_require_time(&file)) {
        dd_table_refuse(&file, file.problem);
    }
    take_columns(c, &file);
    r->rows = dd_table_of_pool(c->pool, r->names.len);
    if (!dd_table_read(&file, r->rows, c->pool)) {
        dd_table_refuse(&file, file.problem);
    }
    if (r->rows->count == 0) {
        dd_raise(c->ctx, DD_INVALID_MODEL, "%s has no rows", c->options.reference);
    }
    /* no value holds yet; with preview each column is a function of time in the program */
    r->value = dd_pool_alloc_array(c->pool, r->names.len + 1, sizeof *r->value);
    for (uint32_t i = 0; i < r->names.len; i++) {
        r->value[i] = NAN;
        if (c->options.preview) {
            const dd_data_column column = {dd_model_var_name_dup(c->system->model, r->names.data[i].var, c->pool),
                                           r->names.data[i].var, as_steps(c, i)};
            dd_vec_push(c->pool, &c->preview, column);
        }
    }
}

dd_status dd_reference_apply(dd_control *c)
{
    dd_reference *r = &c->reference;
    dd_status st = DD_OK;
    for (uint32_t i = 0; i < r->names.len && st == DD_OK && r->rows != NULL; i++) {
        /* the last row at or before the sample; before the first one its value */
        uint64_t row = 0;
        while (row + 1 < r->rows->count &&
               dd_table_time(r->rows, row + 1) <= c->t + ROUNDING * c->options.sample_period) {
            row++;
        }
        const double value = dd_table_row(r->rows, row)[1 + i];
        if (value != r->value[i]) {
            c->jumped = c->jumped || !c->options.preview; /* with preview the plan knew it */
            r->value[i] = value;
            st = dd_ocp_set_parameter(c->ocp, r->names.data[i].var, value);
        }
    }
    return st;
}
