/* export_time.c - the time of every sample of a generated controller: linked beside its source and main.c, whose calls of
 * CLASS_prepare and CLASS_step come here first (-Wl,--wrap). Milliseconds of the processor go to file descriptor 3, a line each.
 *
 *     cc -DCLASS=PendulumNMPC -include PendulumNMPC.h export_time.c PendulumNMPC.o main.o -Wl,--wrap=PendulumNMPC_prepare,... */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#define PASTE(a, b, c) a##b##c
#define NAMED(a, b, c) PASTE(a, b, c)
#define CONTROLLER NAMED(, CLASS, _controller)

void NAMED(__real_, CLASS, _prepare)(CONTROLLER *c);
int NAMED(__real_, CLASS, _step)(CONTROLLER *c, const double *y, double *u);
void NAMED(__wrap_, CLASS, _prepare)(CONTROLLER *c);
int NAMED(__wrap_, CLASS, _step)(CONTROLLER *c, const double *y, double *u);

static double before; /* the measurement */

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

void NAMED(__wrap_, CLASS, _prepare)(CONTROLLER *c)
{
    const double began = milliseconds();
    NAMED(__real_, CLASS, _prepare)(c);
    before = milliseconds() - began;
}

int NAMED(__wrap_, CLASS, _step)(CONTROLLER *c, const double *y, double *u)
{
    static FILE *out;
    const double began = milliseconds();
    const int status = NAMED(__real_, CLASS, _step)(c, y, u);
    const double took = before + milliseconds() - began;
    out = out == NULL ? fdopen(3, "w") : out;
    if (out != NULL) {
        fprintf(out, "%.9f\n", took);
    }
    return status;
}
