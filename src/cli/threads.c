/* threads.c - how many threads a library of linear algebra may use; our own are in base/team.h. */
#include <dlfcn.h>
#include <string.h>

#include "cli/cli.h"

void cli_limit_threads(uint64_t most)
{
    /* OpenBLAS reads its environment before main: it must be called. Other libraries of BLAS have one thread or
     * OpenMP's. */
    void *symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    void (*set)(int count);
    memcpy(&set, &symbol, sizeof set); /* a pointer to a function, which C cannot cast from one to data */
    if (symbol != NULL) {
        set((int)most);
    }
}
