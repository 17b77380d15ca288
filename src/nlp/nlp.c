/* nlp.c - defaults and names. */
#include "nlp/nlp.h"

const char *dd_nlp_status_name(dd_nlp_status status)
{
#define STATUS_NAME(id, name) name,
    static const char *const names[] = {DD_NLP_STATUS_LIST(STATUS_NAME)};
#undef STATUS_NAME
    return (size_t)status < sizeof names / sizeof names[0] ? names[status] : "unknown";
}

dd_nlp_options dd_nlp_options_default(void)
{
    return (dd_nlp_options){.tolerance = 1e-8, .max_iterations = 3000};
}
