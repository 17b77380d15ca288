/* calls.h - the functions of FMI 2.0 and 3.0 behind one set of calls, for the importer of the tests. */
#ifndef DD_TESTS_FMU_CALLS_H
#define DD_TESTS_FMU_CALLS_H

#include <stdbool.h>

#include "archive.h"

extern fmu_description d;
extern void *library;
extern int messages, blocks; /* that the FMU has logged; of memory that it holds */

/* The function fmi2TWO or fmi3THREE; ends the program when there is none. */
void *find(const char *two, const char *three);
/* NULL when it is refused. */
void *instantiate(bool cosimulation, const char *token);
void release_instance(void *c);
/* Calls that take the instance alone. */
int plain(const char *two, const char *three, void *c);
/* Ends the program unless status is 0. */
void must(int status, const char *what);
int get(void *c, const unsigned int *vr, size_t n, double *value);
int set(void *c, const unsigned int *vr, size_t n, const double *value);
/* Through the initialization. */
void begin(void *c, double tolerance);
int do_step(void *c, double t, double h);
/* Discrete states until no more is needed; the next moment that is known, and whether states changed. */
double update(void *c, bool *values);
/* Calls that fill an array. */
void vector(const char *two, const char *three, void *c, double *out, size_t n);
void set_time(void *c, double t);
/* Is an event wanted? */
bool completed(void *c);
int derivative(const char *kind, void *c, const unsigned int *unknown, size_t n, const unsigned int *known, size_t m,
               const double *seed, double *out);

#endif
