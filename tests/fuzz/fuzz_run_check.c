/* The whole of `daedal check`: models and options. */
#include "structured/structured.h"

const char *const fuzz_verb = "check";
const char *const fuzz_options[] = {
    "--json",    "--json",     "-v",           "--flat",        "--set a=0",      "--set m=0",       "--set x=1",
    "--set u=0", "--set L=-1", "--set p[1]=2", "--fail-at 200", "--fail-at 3000", "--max-memory 1M", NULL};
