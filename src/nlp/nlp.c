/* nlp.c - defaults and names. */
#include "nlp/nlp.h"

const char *dd_nlp_status_name(dd_nlp_status status)
{
    static const char *const names[] = {"optimal",         "acceptable", "infeasible",       "unbounded",
                                        "iteration_limit", "time_limit", "evaluation_error", "interrupted",
                                        "overdetermined",  "failed"};
    return names[status];
}

dd_nlp_options dd_nlp_options_default(void)
{
    return (dd_nlp_options){.tolerance = 1e-8, .max_iterations = 3000};
}
