/* condense_impl.h - the work shared by condense.c (single rows), condense_block.c (groups of rows),
 * condense_root.c (rows in one column), condense_rates.c (rates of what stays), condense_numbers.c (parameters as numbers) and condense_rest.c (what is left). */
#ifndef DD_STRUCTURE_CONDENSE_IMPL_H
#define DD_STRUCTURE_CONDENSE_IMPL_H

#include "structure/condense.h"

enum { DD_CONDENSE_POINTS = 4 }; /* generic points at which identities are decided */

typedef struct dd_live_row {
    dd_expr e;          /* residual, in what is left when it is not stale */
    dd_index_vec cols;  /* distinct columns in it, of any order */
    uint32_t algebraic; /* how many of them are nowhere differentiated */
    bool gone, stale;
    bool tried, tried_group; /* in vain since it was looked at; as one of a group */
    bool tried_root;         /* as a row in one column alone */
    bool tried_differential; /* the same for one of several differential columns, */
    bool tried_preferred;    /* preferred states among them */
    bool tried_several;      /* the algebraic column among several was looked for: */
    uint32_t given;          /* that column, DD_NO_INDEX when there is none, */
    dd_expr given_value;     /* and its value */
    bool rates;              /* contains a derivative of a column that is left */
    bool own_rates;          /* had one as written: it determines that derivative */
} dd_live_row;

typedef struct dd_condenser {
    const dd_system *s;
    dd_dag *dag;
    dd_pool *scratch;
    dd_live_row *row;
    dd_expr *h;              /* per column */
    bool *algebraic;         /* per column: nowhere differentiated as written, and no velocity */
    dd_map rate_of;          /* VAR(x, m) of a column with h -> the m-th derivative of h */
    dd_expr *rate;           /* per column that stays: x' as a formula, where it is known; else DD_EXPR_NONE */
    uint32_t *rate_row;      /* the row that says so, in which it is not put in */
    uint32_t reading;        /* the row that values are put into; DD_NO_INDEX: none */
    bool preferred_too;      /* at this time also columns that the text prefers as states */
    uint32_t settled;        /* differential columns that went */
    const bool *number;      /* per variable: no decision changes this parameter; NULL: parameters stay symbols */
    dd_index_vec live;       /* rows that are left, in their order; some have gone since it was written */
    dd_index_vec *rows_with; /* per column: rows in which it was seen */
    double *generic[DD_CONDENSE_POINTS];   /* values of all columns, made when first needed */
    double *parameter[DD_CONDENSE_POINTS]; /* of all parameters; decided ones are generic */
} dd_condenser;

/* The row's residual in what is left, and the columns in it. */
const dd_live_row *dd_condense_look(dd_condenser *w, uint32_t row);
/* May this column be eliminated? Those that the text prefers as states come last. */
bool dd_condense_may_go(const dd_condenser *w, uint32_t col);
/* Does e contain one of the columns, or a derivative of one? */
bool dd_condense_contains(dd_condenser *w, dd_expr e, const uint32_t *cols, uint32_t n);
/* The column is h from now on. */
void dd_condense_settle(dd_condenser *w, uint32_t col, dd_expr h);
/* Rows of one equation of the text that determine a few unknowns together. True when something went. */
bool dd_condense_group(dd_condenser *w, const uint32_t *rows, uint32_t n);

/* A row in one column and nothing else, not linear in it (condense_root.c). True when that is a number now. */
bool dd_condense_root(dd_condenser *w, uint32_t row);

/* Rates of columns that stay, where rows ask for them (condense_rates.c). True when a rate is known now. */
bool dd_condense_rates(dd_condenser *w);

/* Is e a number that no optimisation changes, not 0 and not zero but for rounding? By its form. */
bool dd_condense_is_constant(dd_condenser *w, dd_expr e);
/* ---- identities, decided at generic points (condense_block.c) ---- */
bool dd_condense_vanishes(dd_condenser *w, dd_expr e);
/* The constant that e equals at all points; false when it is not constant, or zero. */
bool dd_condense_is_number(dd_condenser *w, dd_expr e, double *number);
/* The values of n expressions at one of the points, 0 to DD_CONDENSE_POINTS - 1. */
void dd_condense_values(dd_condenser *w, const dd_expr *e, uint32_t n, uint32_t point, double *value);

/* Something is gained: differential variables went, and none of them left its velocity behind as a state (that of a
 * body on a ball joint, whose quaternion has rates without names). */
bool dd_condense_gains(const dd_condenser *w);
/* ---- condense_numbers.c: nothing of it happens unless parameters keep their values ---- */
void dd_condense_find_numbers(dd_condenser *w);
/* A parameter as a number, for dd_substitute. */
dd_expr dd_condense_number(void *condenser, dd_expr symbol);
/* The row with numbers. Only parameters that multiply an algebraic unknown stay, when one of them is zero: else a row in
 * which one component of a torque is left would determine it alone, and balances would be written from the base to the tip
 * of an arm, with longer formulas. */
dd_expr dd_condense_first(dd_condenser *w, uint32_t row);
/* What is left: all parameters as numbers, then collected. In place. */
void dd_condense_shorten(dd_condenser *w, dd_expr *rows, uint32_t n);
/* The value of a differential column, before anybody differentiates it: with numbers, and collected where that is much shorter. The
 * place of a body on two hinges is a product of four half angles, or of two whole ones. */
dd_expr dd_condense_collected(dd_condenser *w, dd_expr value);
/* Fills out->system with what is left; false: it is too large, or not certified at the consistent point. */
bool dd_condense_rest(dd_condenser *w, dd_condensed *out, dd_pool *pool);

#endif
