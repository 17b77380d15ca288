/* archive.h - an FMU as a file: a zip archive unpacked, its modelDescription.xml read and checked against rules written
 * from the specifications of FMI 2.0.4 (section 2.2) and 3.0 (section 2.4). For the importer of the tests. */
#ifndef DD_TESTS_FMU_ARCHIVE_H
#define DD_TESTS_FMU_ARCHIVE_H

#include <stddef.h>

typedef struct fmu_variable {
    const char *name, *causality, *variability, *initial, *start, *unit, *derivative, *min, *max, *nominal;
    unsigned int reference;
} fmu_variable;

typedef struct fmu_unknown {
    int list;                 /* 0: outputs, 1: derivatives, 2: initial unknowns, 3: event indicators */
    int variable;             /* place in the list of variables */
    const char *dependencies; /* places or references as written; NULL: none given */
    const char *kinds;        /* one word for each of them; NULL: none given */
} fmu_unknown;

typedef struct fmu_description {
    int version; /* 2 or 3 */
    const char *identifier, *token, *model, *convention;
    const char *experiment[4]; /* start, stop, tolerance, step; NULL: not given */
    fmu_variable *variables;
    int n_variables;
    fmu_unknown *unknowns;
    int n_unknowns;
    int indicators;
    char library[4096];
} fmu_description;

/* Unpacks into the folder and reads. Ends the program with a message when something is wrong. */
void fmu_open(fmu_description *d, const char *archive, const char *folder);
/* The variable that an entry of dependencies names; ends the program when there is none. */
int fmu_dependency(const fmu_description *d, const char *entry);
/* rules.c: what no list of attributes says; ends the program when something is wrong. */
void fmu_check_rules(const fmu_description *d);
void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
