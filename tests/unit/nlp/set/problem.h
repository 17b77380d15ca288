/* problem.h - a problem of the set: formulas (formula.h), a start, and what is known of its solution. */
#ifndef DD_TESTS_NLP_PROBLEM_H
#define DD_TESTS_NLP_PROBLEM_H

#include <math.h>
#include <stdint.h>

/* Objective values are closed forms or as published, to at least nine digits. */
typedef struct set_problem {
    const char *name;
    uint32_t n;
    const char *objective, *rows, *bounds, *start;
    const char *verdict; /* right ones, "optimal|acceptable" */
    double optimum;      /* NAN: there is none */
    double other;        /* another local minimum that may be found; 0: none */
    double within;       /* of max(1, |optimum|); 0: 1e-6. Larger where the comment says why */
} set_problem;

#endif
