/* main.c - the table of commands. Each command is in cmd_<name>.c. */
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#endif

#include "cli/cli.h"
#include "daedal/version.h"

const cli_command cli_commands[] = {
    {"check", "analyses a model: index, hidden constraints, degrees of freedom, initial values", cmd_check},
    {"simulate", "integrates a model from a consistent start: trajectory, plots, sensitivities", cmd_simulate},
    {"linearize", "computes A, B, C, D and eigenvalues of a model at a point of its solution", cmd_linearize},
    {"study", "measures orders, work, drift and stability over steps, meshes and methods", cmd_study},
    {"methods", "lists Runge-Kutta methods: order, stability, cost; reads tableaux from files", cmd_methods},
    {"optimize", "solves an optimization class: optimal control, parameters, fits to data", cmd_optimize},
    {"control", "closes the loop: solves an optimization class at every sample, simulates the plant", cmd_control},
    {"export", "writes a model as C code without dependencies, or as an FMU", cmd_export},
    {"help", "prints this list, or the options of one command: daedal help check", cmd_help},
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++) {
        if (strcmp(cli_commands[i].name, name) == 0) {
            return &cli_commands[i];
        }
    }
    return NULL;
}

static int dispatch(int argc, char **argv)
{
    /* without a verb: the list, as an error */
    if (argc < 2) {
        cmd_help(0, NULL);
        return CLI_USAGE;
    }
    const char *verb = argv[1];
    if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0) {
        printf("daedal %s\n", dd_version());
        return CLI_DONE;
    }
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) {
        return cmd_help(argc - 1, argv + 1);
    }
    const cli_command *command = cli_find_command(verb);
    return command ? command->run(argc - 1, argv + 1) : cli_unknown_command(verb);
}

/* OpenBLAS, where it is the BLAS, starts threads for matrices that are far too small for them. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

/* Memory that is given back is used again instead of fresh pages: first touching these takes a tenth of a large solve.
 * Bytes: blocks that have pages of their own (no more is allowed), and free memory that is kept. */
enum { OWN_PAGES = 1 << 25, KEPT_FREE = 1 << 30 };

static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, OWN_PAGES);
    mallopt(M_TRIM_THRESHOLD, KEPT_FREE);
#endif
}

/* A first piece of the heap in large pages, where the system offers them: it costs nothing until it is used, and then one
 * page is touched instead of five hundred, which is a seventh of a solve of some milliseconds. What lies before the first
 * large page stays unused: it would be touched in small ones, and how much of it there is changes from run to run. */
enum { LARGE_PAGE = 1 << 21, FIRST_PIECE = 12 * LARGE_PAGE, BLOCK_HEAD = 64 };

static void use_large_pages(void)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    static void *volatile unused; /* else the compiler leaves out its request */
    if (unused) {
        return; /* a program that calls this main again, as a test does */
    }
    char *piece = malloc(FIRST_PIECE);
    const size_t before = (LARGE_PAGE - (uintptr_t)piece % LARGE_PAGE) % LARGE_PAGE;
    if (piece != NULL) {
        (void)madvise(piece + before, FIRST_PIECE - LARGE_PAGE, MADV_HUGEPAGE);
    }
    free(piece); /* the next requests are served from it */
    unused = before > BLOCK_HEAD ? malloc(before - BLOCK_HEAD) : NULL;
#endif
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double began;

double cli_seconds(void)
{
    return now() - began;
}

int main(int argc, char **argv)
{
    /* time before main is not counted */
    began = now();
    keep_memory();
    use_large_pages();
    if (openblas_set_num_threads) {
        openblas_set_num_threads(1);
    }
    /* the verb decides everything else */
    int code = dispatch(argc, argv);
    code = code == CLI_DONE && cli_pictures_failed() ? CLI_SAID_NO : code;
    /* a full disk or a closed pipe shows only now */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_complain("standard output could not be written");
        return code == CLI_DONE ? CLI_SAID_NO : code;
    }
    return code;
}
