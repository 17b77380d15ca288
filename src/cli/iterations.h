/* iterations.h - the table of a solver's iterations on standard error. */
#ifndef DD_CLI_ITERATIONS_H
#define DD_CLI_ITERATIONS_H

#include "daedal/optimize.h"

typedef struct cli_iterations {
    bool shown;
    uint32_t solve; /* the last one seen */
    uint32_t lines; /* since the last header */
} cli_iterations;

/* Shown on terminals; always or never when asked. */
cli_iterations cli_iterations_new(bool always, bool never);
/* For the progress option of an optimization; user is a cli_iterations *. Never stops it. */
bool cli_iterations_show(void *user, const dd_ocp_iteration *it);

#endif
