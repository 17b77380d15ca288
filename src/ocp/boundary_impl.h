/* boundary_impl.h - shared by boundary.c and boundary_touch.c. */
#ifndef DD_OCP_BOUNDARY_IMPL_H
#define DD_OCP_BOUNDARY_IMPL_H

#include "ocp/boundary.h"

enum { DD_BOUNDARY_NAMED = 4 }; /* rows named at most in a sentence */

const char *dd_boundary_output_words(dd_ranking *k, uint32_t output);
/* The parts of the gradient of a row, in the user's words: invariants first. */
const char *dd_boundary_parts_of(dd_ranking *k, uint32_t output);
void dd_boundary_add_name(dd_string_vec *names, const char *name, dd_pool *pool);
const char *dd_boundary_join(const dd_string_vec *names, dd_pool *pool);
/* The row is left out and kept as a guard; from: its source. */
void dd_boundary_drop(dd_ranking *k, uint32_t output, const char *from);

/* ---- boundary_touch.c ---- */
/* A row that touches the others: it is replaced by what makes it extreme where that is certain, and stays
 * otherwise; both are said. */
void dd_ocp_touching_row(dd_ranking *k, uint32_t output);

#endif
