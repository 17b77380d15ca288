/* solver.h - the interface of a method of dd_linsolver (private). */
#ifndef DD_LA_SOLVER_H
#define DD_LA_SOLVER_H

#include "la/linsolver.h"

typedef struct dd_solver_method {
    const char *name;
    size_t state_size; /* ls->state: zeroed when there is no pattern */
    dd_status (*analyse)(dd_linsolver *ls);
    /* factors into ls->state and fills info->singular, structural, column, rank, rcond, fill and bad_pivots;
     * reuse: with the pivots of the last (regular) factor */
    dd_status (*factor)(dd_linsolver *ls, const dd_csc *a, bool reuse);
    uint32_t (*weakest)(const dd_linsolver *ls); /* the column with the smallest pivot of the last factor */
    dd_status (*solve)(dd_linsolver *ls, uint32_t nrhs, double *b, bool transposed);
    dd_status (*condition)(dd_linsolver *ls, const dd_csc *a, double *condition);
    void (*clear)(dd_linsolver *ls); /* frees the contents of the state; a zeroed state is fine */
} dd_solver_method;

struct dd_linsolver {
    dd_context *ctx;
    const dd_solver_method *method;
    void *state;
    dd_csc pattern; /* copy; val unused */
    dd_linsolver_info info;
    double rcond_limit;
    bool one_block;  /* no block-triangular form is looked for */
    bool factored;   /* a regular factor is there */
    bool bad_pivots; /* after a refactor: growth says that pivots should be chosen again */
};

extern const dd_solver_method dd_solver_dense, dd_solver_klu;

#endif
