/* numeric.h - a set of first-order rows as numbers: residuals, partial derivatives and their Taylor series at a
 * point. */
#ifndef DD_STRUCTURE_NUMERIC_H
#define DD_STRUCTURE_NUMERIC_H

#include "eval/tape.h"
#include "structure/system.h"

/* What a system does not determine itself. */
typedef struct dd_outside {
    double time;
    const double *inputs; /* Taylor coefficients: var * input_stride + k, 0 beyond; NULL: generic ones */
    uint32_t input_stride;
} dd_outside;

/* A symbol: where its number, or its series, comes from. */
typedef struct dd_numeric_source {
    enum { DD_SOURCE_UNKNOWN, DD_SOURCE_INPUT, DD_SOURCE_PARAMETER, DD_SOURCE_TIME } kind;
    uint32_t place; /* column, variable, parameter */
    uint32_t order; /* of the derivative */
} dd_numeric_source;

typedef struct dd_numeric {
    const dd_system *s;
    dd_pool *pool;
    const dd_eq_vec *eqs;
    const dd_incidence *inc;
    const dd_numeric_source *source; /* n_symbols: inputs of both tapes */
    uint32_t n_symbols;
    dd_tape *residuals; /* inc->n outputs */
    dd_tape *partials;  /* n_partials outputs */
    uint32_t n_partials;
    uint32_t *slot0, *slot1; /* per entry of inc: output of partials, DD_NO_INDEX when absent */
    double t0;               /* the time, and the inputs, as in dd_outside */
    const double *inputs;
    uint32_t input_stride;
    double *in, *out;            /* series buffers, grown with the order */
    double *partial, *magnitude; /* n_partials: plain values of the last dd_numeric_partials */
    const bool *vanishing;       /* per entry of inc: treated as zero (doubt.c); NULL: none does */
    size_t in_size, out_size;
} dd_numeric;

/* At the start time, with generic inputs. Rows that s has compiled already, which those of the incidence s->inc are, share
 * their instructions. */
dd_numeric *dd_numeric_new(const dd_system *s, const dd_eq_vec *eqs, const dd_incidence *inc, dd_pool *pool);

/* From now on at this time and with these inputs, which must stay where they are. */
void dd_numeric_set_outside(dd_numeric *nm, const dd_outside *at);
dd_outside dd_numeric_outside(const dd_numeric *nm);

/* For the analysis, which owns the system: the one of s->eqs and s->inc, kept in the system; set back to the start
 * time. */
dd_numeric *dd_system_numeric(dd_system *s);

/* Residual series to `order` at the point (x: ncols * stride coefficients): the result has (order + 1) per row. */
const double *dd_numeric_residual_series(dd_numeric *nm, const double *x, uint32_t stride, uint32_t order);

/* Series of all partials, (order + 1) per output. */
const double *dd_numeric_partial_series(dd_numeric *nm, const double *x, uint32_t stride, uint32_t order);

/* Plain partials with magnitudes at the point, into nm->partial and nm->magnitude. False when one is not finite. */
bool dd_numeric_partials(dd_numeric *nm, const double *x, uint32_t stride);

/* The same without magnitudes, at a third of the work: nm->magnitude stays as it was. */
bool dd_numeric_partial_values(dd_numeric *nm, const double *x, uint32_t stride);

/* Partial of entry e at its highest derivative (sigma), from the last dd_numeric_partials. */
double dd_numeric_tight(const dd_numeric *nm, uint32_t entry, double *magnitude);

/* Where any expression in the symbols of the system has a value: all x' and more are known. */
typedef struct dd_numeric_place {
    const double *x; /* ncols * stride Taylor coefficients; NULL with stride 0 for expressions without unknowns */
    uint32_t stride;
    dd_outside outside;
} dd_numeric_place;

/* Expressions that are evaluated at several places. */
typedef struct dd_numeric_list {
    const dd_numeric_source *source;
    uint32_t n_symbols;
    dd_tape *tape;
} dd_numeric_list;
dd_numeric_list dd_numeric_list_new(const dd_system *s, const dd_expr *exprs, uint32_t m, dd_pool *pool);
/* Values there, with the numbers of s, which may be another variant of the system: as dd_numeric_values. */
void dd_numeric_list_at(const dd_numeric_list *list, const dd_system *s, const dd_numeric_place *at, double *out,
                        double *magnitude, dd_pool *scratch);

/* The same where unknowns have errors of the size of their units, as those near zero may have: magnitude[m] is that of terms with
 * |x| at least that. */
void dd_numeric_list_by_units(const dd_numeric_list *list, const dd_system *s, const dd_numeric_place *at, double *out,
                              double *magnitude, dd_pool *scratch);

/* Values of m expressions there: out[m], with magnitude[m] of the terms they are computed from. */
void dd_numeric_values(const dd_system *s, const dd_expr *exprs, uint32_t m, const dd_numeric_place *at, double *out,
                       double *magnitude, dd_pool *scratch);
/* The same for one expression. */
double dd_numeric_value(const dd_system *s, dd_expr e, const dd_numeric_place *at, double *magnitude, dd_pool *scratch);

/* The generic inputs that are used where none are given, in the layout of dd_outside. */
const double *dd_system_general_inputs(const dd_system *s, uint32_t stride, dd_pool *pool);

/* A repeatable pseudo-random number in (-1, 1) for three integers. */
double dd_noise(uint32_t a, uint32_t b, uint32_t c);

/* What one of a column is, in two opinions: its size; and its written start, which may be small on purpose (1e-8 m^3) or
 * by accident. Derivatives by columns are compared in such units; what one of them shows is there. */
enum { DD_UNITS = 2 };
double dd_system_unit(const dd_system *s, uint32_t col, uint32_t opinion);

/* An input that nothing feeds: its start value, which is 0 where none is written. */
double dd_system_unfed_input(const dd_system *s, uint32_t var);

/* Start of the time axis: experiment(StartTime) or 0. */
double dd_system_start_time(const dd_system *s);

/* Times at which nothing vanishes by accident, for generic points: k = 0, 1, 2, ... come nearer to the start. */
double dd_system_generic_time(const dd_system *s, uint32_t k);

#endif
