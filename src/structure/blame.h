/* blame.h - reasons in the user's words: which equations and variables are to blame. */
#ifndef DD_STRUCTURE_BLAME_H
#define DD_STRUCTURE_BLAME_H

#include "structure/certificate.h"
#include "structure/convert.h"
#include "structure/derivative_array.h"

/* No transversal: what is over-determined and what is under-determined (Dulmage-Mendelsohn). */
const char *dd_blame_structure(dd_system *s);

/* A combination of rows that is 0 = 0: which equation is superfluous and which unknowns stay open. */
const char *dd_blame_redundant(dd_system *s, const dd_conversion_result *found, const dd_regularity *where);

/* A combination of rows that cannot hold. */
const char *dd_blame_contradiction(dd_system *s, const dd_conversion_result *found);
/* A hidden constraint of the answer that is a number other than zero, in words; NULL: none is. */
const char *dd_blame_hidden(dd_system *s);

/* A row g^p = 0 with p > 1, or such a factor: g; else DD_EXPR_NONE. Its gradient p g^(p-1) dg vanishes wherever it
 * holds, and so do those of all its derivatives: it can never determine what g = 0 would. */
dd_expr dd_power_base(dd_system *s, dd_expr residual);

/* Rows that depend on each other at the point. */
const char *dd_blame_dependent(dd_system *s, const dd_regularity *where);

/* No finite index at the point. */
const char *dd_blame_no_index(dd_system *s, const dd_regularity *where, const dd_array_verdict *array);

#endif
