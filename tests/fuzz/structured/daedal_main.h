/* daedal_main.h - `main` of src/cli/main.c under the name it has inside a fuzz target. */
#ifndef DD_TESTS_FUZZ_DAEDAL_MAIN_H
#define DD_TESTS_FUZZ_DAEDAL_MAIN_H

int daedal_main(int argc, char **argv);

#endif
