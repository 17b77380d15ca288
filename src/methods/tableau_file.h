/* tableau_file.h - Runge-Kutta methods from JSON files:
 *
 *     {"A": [[0, 0], ["2/3", 0]], "b": ["1/4", "3/4"], "c": [0, "2/3"], "bhat": [1, 0], "name": "mine"}
 *
 * Entries are numbers or formulas in quotes (expression.h). c, bhat and name may be left out. What `daedal methods
 * --json` prints can be read back: its other keys are ignored, and bhat is also looked for in "embedded". */
#ifndef DD_METHODS_TABLEAU_FILE_H
#define DD_METHODS_TABLEAU_FILE_H

#include "methods/tableau.h"

/* The orders are found by the order conditions. DD_IO, DD_LIMIT (more than 4 MiB), or DD_INVALID_MODEL with diagnostics
 * at file:line:column. */
dd_status dd_tableau_read(dd_tableau **out, dd_context *ctx, const char *path);

/* The same from a text, called `name` in messages. */
dd_status dd_tableau_read_text(dd_tableau **out, dd_context *ctx, const char *name, const char *text, size_t length);

#endif
