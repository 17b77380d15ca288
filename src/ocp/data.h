/* data.h - measured data of an optimization: columns of a table as known functions of time.
 *
 * Between its rows a column is linear, beyond them its first and last values are held; rows of equal time are a jump.
 * In the problem a column is a symbol like a control that is not decided: functions at many points get its
 * value there, values at one time are numbers.
 */
#ifndef DD_OCP_DATA_H
#define DD_OCP_DATA_H

#include "ocp/problem.h"

/* At a jump: the value after it, or (left) before it. */
double dd_data_at(const dd_data_column *column, double t, bool left);

/* The columns that supply inputs of the model, into o->data; a reason when they cannot be used. Raises. */
void dd_ocp_read_data(dd_ocp_problem *o);
/* Parameters that are known functions of time, as data. NULL: none. Raises. */
void dd_ocp_add_preview(dd_ocp_problem *o, const dd_data_column_vec *columns);
/* Is this symbol such a parameter? And its symbol at an instant; DD_EXPR_NONE for other symbols. Raises. */
bool dd_ocp_is_preview(const dd_ocp_problem *o, dd_expr symbol);
dd_expr dd_ocp_preview_at(dd_ocp_problem *o, dd_expr symbol, double theta);
/* Is this input supplied by a column? */
bool dd_ocp_is_data(const dd_ocp_problem *o, uint32_t var);
/* The number that a data symbol is at a time; DD_EXPR_NONE for other symbols. */
dd_expr dd_ocp_data_number(const dd_ocp_problem *o, dd_expr symbol, double t);
/* Inputs at t as Taylor coefficients of order 0, for dd_outside with input_stride 1; NULL without data. */
const double *dd_ocp_data_inputs(const dd_ocp_problem *o, double t);

#endif
