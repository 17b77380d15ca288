/* alternatives_impl.h - controls as rows of letters, and changes of them. Private to alternatives*.c. */
#ifndef DD_OCP_ALTERNATIVES_IMPL_H
#define DD_OCP_ALTERNATIVES_IMPL_H

#include "ocp/alternatives.h"
#include "ocp/columns.h"

#define DD_CONTROL_JUMP 0.5 /* of the range of a control: a switch */

/* One control over the horizon. */
typedef struct dd_sequence {
    const dd_decision *of;
    DD_VEC(uint32_t) column; /* in the order of time */
    uint8_t *letter;
    bool switches; /* at a bound nearly always */
    double price;  /* mean multiplier of its bounds where they hold it */
} dd_sequence;

typedef struct dd_change {
    bool bounds; /* all values are bounds: the multipliers of the solution are a guide */
    bool level;  /* one level of a control throughout: tried although the solve was short */
    bool jump;   /* a jump elsewhere, tried likewise */
    DD_VEC(uint32_t) column;
    DD_VEC(double) value;
    const char *words;
} dd_change;

typedef struct dd_searcher {
    dd_ocp *p;
    const dd_nlp *nlp;
    dd_pool *pool;
    DD_VEC(dd_sequence) controls;
    DD_VEC(dd_change) changes;
    uint32_t reach;                 /* of jumps elsewhere: intervals */
    uint32_t budget, begun, solves; /* iterations to spend, those before the search; alternatives since */
} dd_searcher;

/* Reads the controls of the present solution and lists what may be changed in them. Raises. */
void dd_searcher_find(dd_searcher *s, const dd_column *columns);

#endif
