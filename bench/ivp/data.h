/* data.h - reference values (tests/verify/ivp/reference.txt) and recorded runs of other codes (recorded.txt). */
#ifndef IVP_DATA_H
#define IVP_DATA_H

#include "curve.h"

enum { IVP_MAX_N = 400, IVP_MAX_REQUIRE = 8 };

typedef struct ivp_reference {
    int n;
    double stop, factor; /* atol/rtol */
    double value[IVP_MAX_N];
    unsigned char counts[IVP_MAX_N];
    char name[IVP_MAX_N][16]; /* of the model's variable */
} ivp_reference;

/* Finds a problem in the file; 0, or -1 when it is not there or the file is wrong. */
int ivp_read_reference(const char *path, const char *problem, ivp_reference *out);

/* The recorded runs of a code on a problem; none: an empty curve. -1 when the file cannot be read. */
int ivp_read_recorded(const char *path, const char *problem, const char *code, ivp_curve *out);

#endif
