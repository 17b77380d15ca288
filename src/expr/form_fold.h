/* form_fold.h - forms seen in an environment that binds loop variables; shared by form_fold.c and form_print.c. */
#ifndef DD_EXPR_FORM_FOLD_H
#define DD_EXPR_FORM_FOLD_H

#include "expr/form_private.h"

typedef struct dd_form_view {
    const dd_forms *forms;
    const dd_form_env *env; /* NULL: nothing is bound */
} dd_form_view;

/* The binding of a loop variable; NULL when it is free. */
const dd_form_env *dd_view_binding(const dd_form_view *v, uint32_t loop);
bool dd_view_env_is_integer(const dd_form_env *env);

/* The value of a form made of integers and bound loop variables alone. *bound: contains a loop variable. */
bool dd_view_fold(const dd_form_view *v, dd_form f, int64_t *value, bool *bound);
/* Does f become a number only because of the environment? */
bool dd_view_folds(const dd_form_view *v, dd_form f, int64_t *value);
/* Are several terms of a sum integers, one of them by the environment? Then they are printed as one, at the end. */
bool dd_view_sum_folds(const dd_form_view *v, dd_form f, int64_t *constant);

/* A term of a sum whose branch taken is 0: it is left out. */
bool dd_view_term_vanishes(const dd_form_view *v, dd_form term);
/* The part of f that remains in this environment: the branch taken, the only term of a sum that does not vanish. */
dd_form dd_view_effective(const dd_form_view *v, dd_form f);

#endif
