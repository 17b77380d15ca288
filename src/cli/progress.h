/* progress.h - one line on standard error that says how far a run is: a bar, the time reached, the step size. */
#ifndef DD_CLI_PROGRESS_H
#define DD_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
    bool shown;
    bool drawn; /* there is a line to be erased */
    double begin, end;
    double next; /* clock: not before this */
} cli_progress;

/* Shown on terminals; always or never when asked. */
cli_progress cli_progress_new(bool always, bool never);
/* For the progress option of a run; user is a cli_progress *. Draws ten times a second at most. */
void cli_progress_show(void *user, double t, double h);
/* The same for work of several runs: what is being done, runs done, runs in all. */
void cli_progress_count(void *user, const char *what, uint32_t done, uint32_t of);
/* Erases the line. */
void cli_progress_end(cli_progress *bar);

#endif
