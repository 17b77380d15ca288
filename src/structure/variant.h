/* variant.h - the same analysed system with other numbers: values of parameters, and start values.
 *
 * After the analysis a system is const, and many may read it. A variant shares its equations, reduction and names, and has
 * separate numbers that can be set; everything that takes a const dd_system takes that of a variant. Parameters that shaped
 * the model or the analysis cannot be set: they need a new analysis.
 */
#ifndef DD_STRUCTURE_VARIANT_H
#define DD_STRUCTURE_VARIANT_H

#include "structure/system.h"

typedef struct dd_variant {
    const dd_system *base; /* as it was */
    dd_system *system;     /* with its own numbers */
    dd_pool *pool;
    bool *alone; /* per variable of the model: a parameter from which no other number follows, and no coefficient */
} dd_variant;

/* In the pool; the system must outlive it. Raises. */
dd_variant *dd_variant_new(const dd_system *s, dd_pool *pool);

/* The scalar with this name ("k", "p[2]", blanks ignored) among parameters, variables and inputs; DD_NO_INDEX: none. */
uint32_t dd_system_find(const dd_system *s, const char *name, dd_pool *scratch);
/* The same; raises DD_INVALID_ARGUMENT with the closest name when there is none. what: "parameter", for the message. */
uint32_t dd_system_need(const dd_system *s, const char *name, const char *what, dd_pool *scratch);

/* Why the number of this scalar cannot be set, in words that follow its name ("is a constant"); NULL: it can. */
const char *dd_system_refuses(const dd_system *s, uint32_t var);

/* Sets a parameter; those bound to it and attributes written in it follow. DD_INVALID_ARGUMENT, with everything as before
 * and a message, when it is refused or a coefficient that the analysis relies on would vanish. Allocates nothing where
 * it stands alone. */
dd_status dd_variant_set(dd_variant *v, uint32_t var, double value);

/* Sets the start value of a variable, or its min (max with `upper`). Raises. */
void dd_variant_set_start(dd_variant *v, uint32_t var, double value);
void dd_variant_set_bound(dd_variant *v, uint32_t var, bool upper, double value);

#endif
