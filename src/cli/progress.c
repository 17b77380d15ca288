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

/* Is it time to draw again? A few times a second at most. */
static bool is_due(cli_progress *bar)
{
    const double clock = cli_seconds();
    if (!bar->shown || clock < bar->next) {
        return false;
    }
    bar->next = clock + then_every;
    bar->drawn = true;
    return true;
}

/* The bar; the line is drawn over itself. */
static void draw_bar(double part)
{
    char done[WIDTH + 1];
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    const size_t filled = (size_t)(part * WIDTH);
    memset(done, '=', filled);
    memset(done + filled, ' ', WIDTH - filled);
    done[WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %3.0f%%  ", done, 100 * part);
}

void cli_progress_show(void *user, double t, double h)
{
    cli_progress *bar = user;
    if (!is_due(bar)) {
        return;
    }
    /* the part of the time range that is done, the time, the step */
    const double span = bar->end - bar->begin;
    draw_bar(span > 0 ? (t - bar->begin) / span : 0.0);
    fprintf(stderr, "time %-10.6g step %-8.2g", t, h);
    fflush(stderr);
}

void cli_progress_count(void *user, const char *what, uint32_t done, uint32_t of)
{
    cli_progress *bar = user;
    if (!is_due(bar)) {
        return;
    }
    draw_bar(of > 0 ? (double)done / of : 0.0);
    fprintf(stderr, "%-28.28s", what);
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
