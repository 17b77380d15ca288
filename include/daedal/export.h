/* export.h - DD_API marks what the shared library exports: the functions of these headers, and nothing else. */
#ifndef DAEDAL_EXPORT_H
#define DAEDAL_EXPORT_H

/* The library is compiled with -fvisibility=hidden; declarations with DD_API remain visible. */
#if defined(__GNUC__)
#define DD_API __attribute__((visibility("default")))
#else
#define DD_API
#endif

#endif
