/* names.h - lists of names and numbers in settings: "V, cA", "cA: 0.01", names of arrays for all their elements. */
#ifndef DD_CONTROL_NAMES_H
#define DD_CONTROL_NAMES_H

#include "structure/variant.h"

/* A scalar of a model that a list names, which entry of the list named it, and the number behind its colon (NaN: none). */
typedef struct dd_named {
    uint32_t var, entry;
    double number;
} dd_named;
typedef DD_VEC(dd_named) dd_named_vec;

/* Reads "NAME[: NUMBER], ...". what: "measured", for messages. Raises DD_INVALID_ARGUMENT for names that do not exist,
 * with the closest one, and for entries that cannot be read. */
dd_named_vec dd_read_names(const dd_system *s, const char *list, const char *what, dd_pool *pool);
/* Reads "0.1, 0.2"; as many as there are, at least `least`. Raises likewise. */
typedef DD_VEC(double) dd_number_vec;
dd_number_vec dd_read_numbers(dd_context *ctx, const char *list, const char *what, dd_pool *pool);

/* The place of a variable among those of a simulation of `s`; their number: there is none of this name. Raises where memory
 * ends, which dd_sim_find cannot tell from a name that is not there. */
uint32_t dd_place_in_sim(const dd_system *s, const char *name, dd_pool *pool);

#endif
