/* daedal_main.h - `main` of src/cli/main.c under the name it has inside a fuzz target. */
#ifndef DD_TESTS_FUZZ_DAEDAL_MAIN_H
#define DD_TESTS_FUZZ_DAEDAL_MAIN_H

int daedal_main(int argc, char **argv);

/* The program leaves a solver that is inside a factorisation to the end of the process; here the process goes on, and
 * dd_context_free waits for the solver. */
#include <stdlib.h>
#define _Exit(code) ((void)(code))

#endif
