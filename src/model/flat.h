/* flat.h - shared by the parts of the flat listing. */
#ifndef DD_MODEL_FLAT_H
#define DD_MODEL_FLAT_H

#include "model/model.h"

/* "text" with escapes. */
void dd_listing_string(dd_text *out, const char *s);
/* A number the language reads back; an infinite one becomes the largest finite number, which means no bound. */
void dd_listing_number(dd_text *out, double value);
/* An expression; arrays: sums over arrays are written as products of arrays. */
void dd_listing_expr(const dd_model *m, dd_expr e, bool arrays, dd_text *out);

/* ---- flat_declare.c ---- */
/* (start = .., fixed = ..), nothing when no attribute is given. */
void dd_listing_attributes(const dd_model *m, const dd_array *a, dd_text *out);
/* = value, nothing without one. */
void dd_listing_value(const dd_model *m, const dd_array *a, dd_text *out);
void dd_listing_declaration(const dd_model *m, const dd_array *a, dd_text *out);

/* ---- flat_optimization.c ---- */
/* optimization NAME(objective = .., finalTime = ..), without the description behind it. */
void dd_listing_header(const dd_model *m, dd_text *out);
void dd_listing_constraints(const dd_model *m, dd_text *out);

#endif
