/* rows.h - the sets of rows from which an answer is attempted: as written, with independent derivative parts, converted
 * until their Jacobian is regular at generic points, on a factor.
 *
 * Each is a dd_system whose answer is still empty. One that attempts were made from is not changed any more: another
 * set of rows is another object, with separate lists. (All share the model, to which auxiliary unknowns are added.)
 */
#ifndef DD_STRUCTURE_ROWS_H
#define DD_STRUCTURE_ROWS_H

#include "structure/witness.h"

typedef enum dd_rows_state {
    DD_ROWS_REGULAR,   /* the Jacobian is regular at generic points */
    DD_ROWS_DECEPTIVE, /* it is singular, and no combination or substitution repairs it */
    DD_ROWS_REFUSED    /* the verdict is there: redundant or contradicting equations */
} dd_rows_state;

/* The model as first-order rows with incidence and offsets; where the counts or the structure do not match, the
 * verdict. */
dd_rows_state dd_rows_first(dd_system *s);

/* Makes the rows fit for an answer, in place: independent derivative parts where the structure may deceive, then
 * combinations until the Jacobian is regular at generic points. */
dd_rows_state dd_rows_repair(dd_system *s);

/* The rows with their derivative parts combined and repaired again, NULL when that changes none or was done before
 * (which is noted in rows). */
dd_system *dd_rows_combined(dd_system *rows, dd_rows_state *state);

/* The start lies on a factor of a row, (x1 - x2)*(der(x2) + 1) = 0 from x1 = x2: the rows with that factor in its
 * place. The solution that stays there satisfies them. NULL when there is no such factor. */
dd_system *dd_rows_on_factor(const dd_system *rows, const dd_witness *w);

/* The rows as written, without auxiliary unknowns. */
dd_system *dd_rows_written(const dd_system *rows);

#endif
