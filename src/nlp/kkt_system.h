/* kkt_system.h - the linear systems of an interior-point iteration, behind one interface.
 *
 *     [ H + diag(p)    J^T     ] [ dx ]   [ r ]
 *     [ J          -diag(q)    ] [ dy ] = [ s ],      p, q >= 0
 *
 * on the variables that are not fixed. H: lower triangle, J: as the program lists its entries (several entries may share
 * a place: they add up). Slacks of inequalities were eliminated before: their rows have q > 0, equalities have q = 0 or
 * the regularisation delta_c. Rows that determine a variable by the shape need no regularisation: they have full rank
 * by themselves, and the chain condenses them only while their q is 0. The right inertia is: as many negative
 * eigenvalues as rows, no zero, the rest positive.
 *
 * Kinds: dense (dense_kkt.c: small), chain (chain.c: programs with a shape), general (sparse_kkt.c: any pattern, and
 * shapes with hundreds of states).
 * Everything is allocated by `make`. Factorisations and solves allocate nothing, with three exceptions: pivots that are
 * delayed by more than was foreseen, sparse leaves whose pivots must be chosen again, and the first system that the chain
 * passes on to the general kind.
 */
#ifndef DD_NLP_KKT_SYSTEM_H
#define DD_NLP_KKT_SYSTEM_H

#include <stdbool.h>

#include "base/context.h"
#include "base/team.h"
#include "nlp/shape.h"

typedef struct dd_kkt_pattern {
    uint32_t n, m;
    uint32_t hessian_nnz, jacobian_nnz;
    const uint32_t *hessian_row, *hessian_col; /* row >= col */
    const uint32_t *jacobian_row, *jacobian_col;
    const bool *fixed;         /* n: these variables are not there; NULL: none is fixed */
    const bool *equality;      /* m: rows that hold with equality (q = 0 as a rule) */
    const dd_nlp_shape *shape; /* NULL: unknown */
    dd_team *team;             /* threads that share the work; NULL: one */
} dd_kkt_pattern;

typedef struct dd_kkt_values {
    const double *hessian, *jacobian; /* values of the entries above */
    const double *p;                  /* n */
    const double *q;                  /* m */
    bool no_q;                        /* q is known to be zero */
    bool same_jacobian;               /* the Jacobian has the values of the last factorisation: factors may be kept */
    bool careful;                     /* accuracy before speed: the chain passes the system on to the general kind */
    bool only_right;                  /* other inertias than the right one need not be known: `wrong` will do */
    double *r, *s;                    /* n, m: right-hand sides of the solve that follows; NULL: not known yet */
} dd_kkt_values;

typedef struct dd_kkt_inertia {
    uint32_t negative, zero; /* eigenvalues; the others are positive */
    bool broken;             /* a value is not finite, or became so during the factorisation */
    bool wrong; /* the factorisation was given up, since the inertia cannot be right; nothing else is known */
    bool begun; /* r and s of the values are on their way: the next solve is with them, and ends it */
} dd_kkt_inertia;

typedef struct dd_kkt_system dd_kkt_system;

/* What a kind of factorisation can do. */
typedef struct dd_kkt_kind {
    const char *name;
    /* Can it factor this pattern? Cheap. */
    bool (*suits)(const dd_kkt_pattern *pattern);
    /* The arrays of the pattern, and its team, must live as long. Fails with DD_OUT_OF_MEMORY, or with what the
     * context's limits say. */
    dd_status (*make)(dd_kkt_system **out, dd_context *ctx, const dd_kkt_pattern *pattern);
    void (*free)(dd_kkt_system *k);
    /* DD_OUT_OF_MEMORY, or what the context's limits say (DD_TIME_LIMIT, DD_INTERRUPTED) in long factorisations. */
    dd_status (*factor)(dd_kkt_system *k, const dd_kkt_values *values, dd_kkt_inertia *out);
    /* Solves with the last factorisation: r[n], s[m] are replaced by dx, dy; components of fixed variables become 0. Where s
     * follows r directly, chains copy nothing.
     * With zero eigenvalues: some solution of the regular part, the components of zero pivots are 0. */
    void (*solve)(dd_kkt_system *k, double *r, double *s);
    /* Rows whose pivots were zero in the last factorisation: dependent on the others. Returns how many there are; writes
     * at most `most`. */
    uint32_t (*dependent)(const dd_kkt_system *k, uint32_t *rows, uint32_t most);
} dd_kkt_kind;

struct dd_kkt_system {
    const dd_kkt_kind *kind;
    dd_context *ctx;
};

/* sparse_kkt.c: suits every pattern. */
extern const dd_kkt_kind dd_kkt_general;

#endif
