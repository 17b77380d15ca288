/* progress.c - drawing the line of progress.h. The first drawing waits a little, so that short runs show nothing. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

enum { WIDTH = 30 };
static const double first_after = 0.3, then_every = 0.1;

cli_progress cli_progress_new(bool always, bool never)
{
    return (cli_progress){.shown = !never && (always || isatty(STDERR_FILENO) == 1),
                          .next = cli_seconds() + (always ? 0.0 : first_after)};
}

void cli_progress_show(void *user, double t, double h)
{
    cli_progress *bar = user;
    const double clock = cli_seconds();
    /* a few times a second at most */
    if (!bar->shown || clock < bar->next) {
        return;
    }
    bar->next = clock + then_every;
    bar->drawn = true;
    /* the part of the time range that is done */
    const double span = bar->end - bar->begin;
    double part = span > 0 ? (t - bar->begin) / span : 0.0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    /* a bar, the time, the step; the line is drawn over itself */
    char done[WIDTH + 1];
    const size_t filled = (size_t)(part * WIDTH);
    memset(done, '=', filled);
    memset(done + filled, ' ', WIDTH - filled);
    done[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f%%  time %-10.6g step %-8.2g", done, 100 * part, t, h);
    fflush(stderr);
}

void cli_progress_end(cli_progress *bar)
{
    if (bar->drawn) {
        fprintf(stderr, "\r%*s\r", WIDTH + 45, "");
        fflush(stderr);
        bar->drawn = false;
    }
}
