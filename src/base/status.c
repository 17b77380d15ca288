/* status.c - names and texts of statuses, expanded from the one list in status.h. */
#include "daedal/status.h"

#include <string.h>

static const char *const names[] = {
#define DD_STATUS_NAME(id, name, text) name,
    DD_STATUS_LIST(DD_STATUS_NAME)
#undef DD_STATUS_NAME
};

static const char *const texts[] = {
#define DD_STATUS_TEXT(id, name, text) text,
    DD_STATUS_LIST(DD_STATUS_TEXT)
#undef DD_STATUS_TEXT
};

static int is_known(dd_status status)
{
    return (unsigned)status < (unsigned)DD_STATUS_COUNT;
}

const char *dd_status_name(dd_status status)
{
    return is_known(status) ? names[status] : "unknown";
}

const char *dd_status_text(dd_status status)
{
    return is_known(status) ? texts[status] : "an unknown status";
}

dd_status dd_status_from_name(const char *name)
{
    for (unsigned i = 0; name && i < DD_STATUS_COUNT; i++) {
        if (strcmp(names[i], name) == 0) {
            return (dd_status)i;
        }
    }
    return DD_STATUS_COUNT;
}
