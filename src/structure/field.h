/* field.h - exact decisions: expressions as elements of the prime field of 2^61 - 1.
 *
 * Rounding has no place there, so a rank or a zero does not depend on units: microfarads beside kiloohms are as good
 * as ones. Numbers are taken as the decimals they were written as; unknowns and time become generic elements, hence a
 * value is zero, or a rank low, for that reason alone or by an accident of probability 1e-15 (Schwartz and Zippel).
 */
#ifndef DD_STRUCTURE_FIELD_H
#define DD_STRUCTURE_FIELD_H

#include "base/hash.h"
#include "structure/system.h"

/* What is known of a value; the largest of an expression's parts applies. */
typedef enum dd_field_kind {
    DD_FIELD_CONSTANT,  /* rational in numbers and parameters */
    DD_FIELD_GENERIC,   /* rational in unknowns too */
    DD_FIELD_AS_SYMBOL, /* functions like sin(x), and inexact numbers like sqrt(2), are separate generic elements: a
                           value that is not zero, or a full rank, may be so for want of an identity */
    DD_FIELD_UNDEFINED  /* divides by zero */
} dd_field_kind;

typedef struct dd_field {
    dd_system *s;
    dd_pool *pool;
    uint32_t salt; /* another salt: other generic elements */
    dd_map seen;   /* expression -> place in the vectors + 1 */
    DD_VEC(uint64_t) value;
    DD_VEC(uint8_t) kind;
} dd_field;

dd_field dd_field_new(dd_system *s, uint32_t salt, dd_pool *pool);
dd_field_kind dd_field_value(dd_field *f, dd_expr e, uint64_t *value);

/* Elimination row by row of a rows x cols matrix, by rows, on its first `lead` columns: pivots are 1, dependent[i] says
 * that row i is zero there. Returns the rank. Work: rows^2 * cols. pivot: room for `rows`. */
uint32_t dd_field_eliminate(uint64_t *a, uint32_t rows, uint32_t cols, uint32_t lead, bool *dependent, uint32_t *pivot);

/* num/den = value with small numbers; false when there are none. */
bool dd_field_rational(uint64_t value, int64_t *num, int64_t *den);

uint64_t dd_field_div(uint64_t a, uint64_t b);

/* E x' + A x = f(t) with constant matrices: the index of the pencil by shuffles (Luenberger 1978). Each round
 * eliminates on E and differentiates the rows that are free of x'. */
typedef struct dd_pencil_index {
    bool known;   /* there are not too many rows, and the coefficients are constant where they must be */
    bool regular; /* det(E s + A) is not identically zero */
    uint32_t index, visible, hidden;
} dd_pencil_index;

/* generic: coefficients that are not constant are treated as generic constants. */
enum { DD_PENCIL_MOST = 400 }; /* rows: a round costs their cube at worst */
dd_pencil_index dd_field_pencil(dd_system *s, const dd_incidence *inc, bool generic);

#endif
