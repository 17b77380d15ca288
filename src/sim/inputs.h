/* inputs.h - inputs of a model from the columns of a CSV file, or held at numbers that are set from outside.
 *
 * A column is a series (result/series.h): the run stops at its jumps and starts again in the next piece. Before the first
 * row and after the last one their values are held. An input that is set from outside is a jump as well: its new value
 * applies from dd_inputs_enter on.
 */
#ifndef DD_SIM_INPUTS_H
#define DD_SIM_INPUTS_H

#include "daedal/sim.h"
#include "dynamics/numbers.h"

typedef struct dd_inputs dd_inputs;

typedef struct dd_inputs_options {
    const char *path; /* NULL: no file */
    bool hold;        /* inputs without a column are held */
    void (*call)(void *user, double t,
                 double *values); /* gives the held ones, in the order of dd_inputs_held; or NULL */
    void *call_user;
    dd_interpolation interpolation;
    double start, stop; /* of the run: messages report a file that does not cover it */
    double tol;         /* corners that are smaller, relative to the size of the input, are stepped across */
    /* names of sensitivities: in a column of which values are named (u@0.5) all rows count, jumps by 0 too */
    const char *const *names;
    uint32_t n_names;
} dd_inputs_options;

/* Reads the file. Columns that are not named like an input are ignored. In the pool; messages are added. Raises DD_IO
 * when the file cannot be read, DD_INVALID_MODEL with "file:line: ..." when its content is wrong. */
dd_inputs *dd_inputs_new(const dd_system *s, const dd_inputs_options *options, dd_string_vec *messages, dd_pool *pool);

/* The file that it was read from; NULL: none. */
const char *dd_inputs_path(const dd_inputs *in);

/* Variables that have a column or are held. */
const dd_index_vec *dd_inputs_supplied(const dd_inputs *in);

/* Held variables: how many, and the i-th. */
uint32_t dd_inputs_held(const dd_inputs *in, uint32_t i, uint32_t *var);
/* The next value of a held variable; false: it is not held. */
bool dd_inputs_hold(dd_inputs *in, uint32_t var, double value);

/* Becomes the source of q's inputs. NULL, or why that is not possible: a derivative that the form does not have, a jump
 * where a constraint needs a continuous input. */
const char *dd_inputs_connect(dd_inputs *in, dd_numbers *q);

/* From now on the piece that follows t is in force, also at t itself, and the values that were set. Enough at the start and
 * at every jump. */
void dd_inputs_enter(dd_inputs *in, double t);

/* The first jump after t, the first corner after t that is worth a step's end; INFINITY without. */
double dd_inputs_next_jump(const dd_inputs *in, double t);
double dd_inputs_next_corner(const dd_inputs *in, double t);

/* Does `call` give other values at t than when this was asked last? */
bool dd_inputs_has_jumped(dd_inputs *in, double t);

/* u^(order)(t) of a supplied variable, in the piece entered last; 0 where the form has no such derivative. */
double dd_inputs_value(dd_inputs *in, uint32_t var, uint32_t order, double t);

/* Values of a supplied variable that derivatives are taken by: its rows from one time to another. Of rows at the
 * same time those inside count; where both times are one, the row behind a jump, or (before) the one before it.
 * Returns NULL, or why there are none. Before dd_inputs_connect. */
typedef struct dd_input_rows {
    double from, to;
    bool before;
} dd_input_rows;
const char *dd_inputs_add_basis(dd_inputs *in, uint32_t var, const dd_input_rows *rows, uint32_t *basis);

/* The derivative of u^(order)(t) by them. */
double dd_inputs_basis(dd_inputs *in, uint32_t basis, uint32_t order, double t);

/* Taylor coefficients u^(k)(t)/k!, k < stride, of all inputs by variable: out[var * stride + k]; others keep
 * their start value. */
void dd_inputs_taylor(dd_inputs *in, double t, uint32_t stride, double *out);

#endif
