/* form_build.h - forms made the way a person would write them: zeros and ones left out, signs and numbers in front,
 * like terms collected, no double minus. Used for derivatives; the forms of the user's text are never touched.
 *
 * DD_FORM_ZERO means "a zero of whatever shape fits" while a form is being built. It goes in and comes out;
 * dd_fb_zero_like chooses its shape. Arguments must not be DD_FORM_NONE. */
#ifndef DD_EXPR_FORM_BUILD_H
#define DD_EXPR_FORM_BUILD_H

#include "expr/form_decimal.h"
#include "expr/form_private.h"

#define DD_FORM_ZERO UINT32_MAX

dd_form dd_fb_new(dd_forms *forms, dd_form_op op, const dd_form *args, uint32_t n); /* plain */
dd_form dd_fb_call(dd_forms *forms, dd_form_fn fn, const dd_form *args, uint32_t n);
dd_form dd_fb_integer(dd_forms *forms, int64_t value);
dd_form dd_fb_decimal(dd_forms *forms, dd_decimal_number value);

/* The number of a literal, also with a sign. */
bool dd_fb_literal(const dd_forms *forms, dd_form f, dd_decimal_number *out);
/* f = c*rest; rest is DD_FORM_NONE for a number, f itself when c is 1. */
dd_form dd_fb_split(dd_forms *forms, dd_form f, dd_decimal_number *c);
dd_form dd_fb_scale(dd_forms *forms, dd_decimal_number c, dd_form f);

dd_form dd_fb_neg(dd_forms *forms, dd_form a);
dd_form dd_fb_sum(dd_forms *forms, const dd_form *terms, uint32_t n);
dd_form dd_fb_add(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_sub(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_mul(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_div(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_pow(dd_forms *forms, dd_form a, dd_form b);
/* Element by element; the plain operations where both are scalars. */
dd_form dd_fb_emul(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_ediv(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_epow(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_eadd(dd_forms *forms, dd_form a, dd_form b);
dd_form dd_fb_esub(dd_forms *forms, dd_form a, dd_form b);

/* A zero with the shape of f; DD_FORM_NONE when that is not known. */
dd_form dd_fb_zero_like(dd_forms *forms, dd_form f);

/* form_terms.c: equal up to the order of commuting factors, and a hash that agrees with it. */
uint64_t dd_fb_key(const dd_forms *forms, dd_form f);
bool dd_fb_same(const dd_forms *forms, dd_form a, dd_form b);
#define DD_FB_MAX_FACTORS 24
/* Factors of a product of scalars, in order; 0 when there are more than fit. A form that is not such a product is one
 * factor. */
uint32_t dd_fb_factors(const dd_forms *forms, dd_form f, dd_form factors[DD_FB_MAX_FACTORS]);

#endif
