/* witness.h - the consistent point at which an answer of the structure is confirmed. */
#ifndef DD_STRUCTURE_WITNESS_H
#define DD_STRUCTURE_WITNESS_H

#include "structure/point.h"

typedef struct dd_witness {
    bool regular;          /* there is a consistent point at which the Jacobian is regular: */
    dd_taylor_point point; /* this one, */
    dd_nearness guess;     /* and how it was found */
    bool moved;            /* fixed values are others there */
    bool singular_start;   /* the start values lead to a point where it is singular: */
    dd_taylor_point start;
    dd_regularity where; /* there */
    bool stuck; /* the start was not found because a gradient vanishes at guesses (not at values that were found) */
    bool any_consistent;
    uint32_t failed_row; /* no consistent point from the start values: a row that is not satisfied */
} dd_witness;

/* Looks for a point with the fixed values and the start values if possible, then with other guesses, then with other
 * fixed values, then anywhere. */
dd_witness dd_system_find_witness(dd_system *s);

#endif
