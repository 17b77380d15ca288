/* sim_page.c - a simulation as a page with plots. */
#include "sim/sim_impl.h"

dd_status dd_sim_write_report(dd_sim *sim, const char *path)
{
    (void)path;
    return dd_fail(sim->ctx, DD_INVALID_ARGUMENT, "plots are not available yet");
}
