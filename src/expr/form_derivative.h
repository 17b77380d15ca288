/* form_derivative.h - the rules of differentiation shared by form_derivative*.c.
 *
 * A rule returns DD_FORM_ZERO for a derivative that vanishes, of whatever shape, and DD_FORM_NONE where there is no
 * readable derivative. */
#ifndef DD_EXPR_FORM_DERIVATIVE_H
#define DD_EXPR_FORM_DERIVATIVE_H

#include "expr/form_build.h"

typedef struct dd_deriver {
    dd_forms *forms;
    uint32_t visits, before; /* before: number of forms at the beginning */
} dd_deriver;

static inline dd_form dd_derive_arg(const dd_deriver *d, dd_form f, uint32_t i)
{
    return dd_form_arg(d->forms, f, i);
}

static inline dd_form dd_derive_integer(dd_deriver *d, int64_t value)
{
    return dd_fb_integer(d->forms, value);
}

static inline dd_form dd_derive_call1(dd_deriver *d, dd_form_fn fn, dd_form a)
{
    return dd_fb_call(d->forms, fn, &a, 1);
}

typedef dd_form (*dd_form_product)(dd_forms *forms, dd_form a, dd_form b);

/* The derivative of any form. */
dd_form dd_derive(dd_deriver *d, dd_form f);

/* times(a, b)' = times(a, b') + times(a', b) */
dd_form dd_derive_product_rule(dd_deriver *d, dd_form a, dd_form b, dd_form_product times);
/* b - 1, as a number where b is one */
dd_form dd_derive_one_less(dd_deriver *d, dd_form b);

/* form_derivative_call.c */
dd_form dd_derive_call(dd_deriver *d, dd_form f);
dd_form dd_derive_user_call(dd_deriver *d, dd_form f);
dd_form dd_derive_element(dd_deriver *d, dd_form f);
dd_form dd_derive_parts(dd_deriver *d, dd_form f, uint32_t first, uint32_t step);
dd_form dd_derive_matrix(dd_deriver *d, dd_form f);
dd_form dd_derive_range(dd_deriver *d, dd_form f);
dd_form dd_derive_shaped(dd_deriver *d, dd_form rate, dd_form like);

#endif
