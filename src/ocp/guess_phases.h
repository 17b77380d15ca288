/* guess_phases.h - a guess for an optimization with phases from a table with a column `phase`, as optimize -o
 * writes it. */
#ifndef DD_OCP_GUESS_PHASES_H
#define DD_OCP_GUESS_PHASES_H

#include "ocp/guess_table.h"

/* Columns go by their names inside a phase; the times of each phase are stretched to its own, and free times of
 * phases begin with those of the file. Reads a file that was opened and fills an empty table. Raises DD_INVALID_MODEL with "file:line: ...". */
void dd_guess_phases_read(dd_ocp_problem *o, dd_table_reader *file, dd_guess_table *table, dd_pool *scratch);

#endif
