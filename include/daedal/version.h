/* version.h - the version of the library. The build reads it from here too. */
#ifndef DAEDAL_VERSION_H
#define DAEDAL_VERSION_H

#include "daedal/export.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DD_VERSION_MAJOR 0
#define DD_VERSION_MINOR 1
#define DD_VERSION_PATCH 0
#define DD_VERSION "0.1.0"

/* The version of the library in use, which may differ from DD_VERSION if the library is shared. */
DD_API const char *dd_version(void);

#ifdef __cplusplus
}
#endif
#endif
