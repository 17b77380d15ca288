/* version.c - the version that this library was built as. */
#include "daedal/version.h"

const char *dd_version(void)
{
    return DD_VERSION;
}
