/* options.h - options by their names: the same lists for the command line, for programs and for interfaces to other
 * languages. A value is checked when it is set, before any model is read.
 *
 *     char why[DD_OPTION_WHY];
 *     dd_sim_options o = dd_sim_options_default();
 *     if (!dd_sim_options_set(&o, "tol", "1e-8", why)) { puts(why); }
 */
#ifndef DAEDAL_OPTIONS_H
#define DAEDAL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "daedal/export.h"
#include "daedal/optimize.h"
#include "daedal/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dd_option_kind {
    DD_OPTION_FLAG,     /* set by its name alone: value NULL, "true" or "false" */
    DD_OPTION_REAL,     /* any finite number */
    DD_OPTION_POSITIVE, /* a number above 0, and below `most` if that is not 0 */
    DD_OPTION_COUNT,    /* a whole number from `least` to `most` */
    DD_OPTION_WORD,     /* one of `words` */
    DD_OPTION_TEXT      /* a name or a path; it is not copied */
} dd_option_kind;

typedef struct dd_option {
    const char *name; /* "tol" */
    dd_option_kind kind;
    const char *value; /* the name of the value in the help ("R"); NULL for flags */
    const char *help;
    const char *const *words; /* NULL after the last */
    double least, most;
} dd_option;

enum { DD_OPTION_WHY = 200 }; /* bytes for a reason */

/* Option i of a simulation; NULL after the last. */
DD_API const dd_option *dd_sim_option(uint32_t i);
/* Sets one option from text. On false `why` (DD_OPTION_WHY bytes) says what was expected, and nothing has changed. */
DD_API bool dd_sim_options_set(dd_sim_options *options, const char *name, const char *value, char *why);

/* The same for an optimization. */
DD_API const dd_option *dd_ocp_option(uint32_t i);
DD_API bool dd_ocp_options_set(dd_ocp_options *options, const char *name, const char *value, char *why);

#ifdef __cplusplus
}
#endif
#endif
