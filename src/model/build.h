/* build.h - shared by the building calls of the C API.
 *
 *   dd_expr_add(m, a, b) -> dd_build(m, "dd_expr_add", body, &call) -> body: checks (dd_build_need_*), then works
 *
 * The first failure stays in the model with its message; every later building call returns it without doing anything.
 */
#ifndef DD_MODEL_BUILD_H
#define DD_MODEL_BUILD_H

#include "model/model.h"

/* Runs one building call; `call` is its name, which begins the message of a failure. m is not NULL. */
dd_status dd_build(dd_model *m, const char *call, void (*body)(void *arg), void *arg);

/* Inside a building call: ends it with DD_INVALID_ARGUMENT. */
_Noreturn void dd_build_refuse(dd_model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Inside a building call: refuses anything that is not an expression of this model, or that is true or false
 * instead of a number. `what` names the argument, `i` its element (DD_NO_INDEX: it is not an array). */
void dd_build_need_expr(dd_model *m, dd_expr e, const char *what, uint32_t i);
void dd_build_need_number(dd_model *m, dd_expr e, const char *what, uint32_t i);
void dd_build_need_numbers(dd_model *m, const dd_expr *list, uint32_t n, const char *what);

/* A relation, `and`, `or`, `not`. A number that such an expression was folded to is not recognised. */
bool dd_build_is_condition(const dd_model *m, dd_expr e);

#endif
