/* tableau.h - Runge-Kutta methods: their coefficients by name, from arrays, or from a file.
 *
 *     c | A         X_i = x_n + h sum_j A_ij k_j,   k_i = x'(t_n + c_i h, X_i)
 *    ---+----       x_{n+1} = x_n + h sum_i b_i k_i
 *       | b         embedded:  sum_i (b_i - bhat_i) k_i h  estimates the error
 *
 * Coefficients are kept in 113 bits (for analysis) and rounded once to double (for integration). A tableau never
 * changes after creation; several threads may read it. */
#ifndef DD_METHODS_TABLEAU_H
#define DD_METHODS_TABLEAU_H

#include "base/context.h"
#include "methods/quad.h"

enum {
    DD_TABLEAU_STAGES = 64,        /* the most, in files and of chebyshev-N */
    DD_TABLEAU_FAMILY_STAGES = 20, /* the most of gauss-S, radau-S, lobatto-S */
    DD_TABLEAU_CHEBYSHEV = 65,     /* the largest N of chebyshev-N: N points, N - 1 of them stages */
    DD_TABLEAU_NAME = 64           /* bytes of a name with its end */
};

typedef enum dd_tableau_family {
    DD_FAMILY_OTHER,
    DD_FAMILY_GAUSS,
    DD_FAMILY_RADAU_IIA,
    DD_FAMILY_LOBATTO_IIIA,
    DD_FAMILY_LOBATTO_IIIB,
    DD_FAMILY_LOBATTO_IIIC,
    DD_FAMILY_CHEBYSHEV
} dd_tableau_family;

typedef enum dd_tableau_structure {
    DD_TABLEAU_EXPLICIT, /* A_ij = 0 for j >= i */
    DD_TABLEAU_DIAGONAL, /* A_ij = 0 for j > i: one stage after the other, each by itself implicit or explicit */
    DD_TABLEAU_IMPLICIT
} dd_tableau_structure;

/* A continuous extension:
 *     x(t_n + theta h) = x_n + h sum_{i < stages} k_i sum_{d = 1..degree} B[i * degree + d - 1] theta^d.
 * Stages beyond those of the method itself (dop853 has four) are computed only when it is used. */
typedef struct dd_tableau_dense {
    uint32_t stages; /* in all, at least those of the method; 0: the method has no continuous extension here */
    uint32_t degree, order;
    const double *A; /* rows of the stages beyond: (stages - method's) x stages, row-major; NULL when there are none */
    const double *c; /* their nodes */
    const double *B; /* stages x degree, row-major */
    const dd_quad *exact_A, *exact_c, *exact_B;
} dd_tableau_dense;

/* The same numbers before rounding. */
typedef struct dd_tableau_exact {
    const dd_quad *A, *b, *c, *bhat, *bhat_low;
    dd_quad accuracy; /* relative accuracy of the entries: 2^-113 unless they were given as rounded decimals */
} dd_tableau_exact;

typedef struct dd_tableau {
    char name[DD_TABLEAU_NAME];
    dd_tableau_family family;
    dd_tableau_structure structure;
    uint32_t stages;               /* s */
    uint32_t order;                /* of b */
    uint32_t embedded_order;       /* of bhat; 0: there is none */
    uint32_t low_order;            /* of bhat_low; 0: there is none */
    const double *A, *b, *c;       /* s x s row-major: A[i * s + j]; s; s */
    const double *bhat, *bhat_low; /* s each or NULL; dop853 alone has the second (its error estimate uses both) */
    bool collocation;              /* stages are values of one polynomial of degree s: u'(c_i) = k_i, u(0) = x_n */
    bool stiffly_accurate;         /* the last row of A is b: x_{n+1} is the last stage */
    bool first_same_as_last;       /* explicit and stiffly accurate: the last k is the first one of the next step */
    dd_tableau_dense dense;
    dd_tableau_exact exact;
    dd_context *ctx;
    size_t bytes;
} dd_tableau;

/* Coefficients for dd_tableau_new_from: s x s, s, and optionally c (NULL: row sums), bhat and bhat_low (NULL: none). */
typedef struct dd_tableau_input {
    const char *name;
    uint32_t stages;
    const dd_quad *A, *b, *c, *bhat, *bhat_low;
    dd_quad accuracy; /* 0: full */
    dd_tableau_family family;
    uint32_t order, embedded_order, low_order; /* 0: found by the order conditions, see order.h */
} dd_tableau_input;

/* A method by its name: euler midpoint ralston2 heun2 generic2:ALPHA generic3:ALPHA rk4 ... dop853, implicit-euler
 * trapezoidal ... , gauss-S radau-S lobatto-S lobatto-iiia-S lobatto-iiib-S, chebyshev-N. DD_INVALID_ARGUMENT with a
 * message for a person ("there is no method "rk5"; did you mean "rk4"?") otherwise; "bdf-M" is not a tableau, see
 * multistep.h. */
dd_status dd_tableau_new(dd_tableau **out, dd_context *ctx, const char *name);
/* Our name of a method that has another one elsewhere ("backward-euler"), for messages; NULL: none. */
const char *dd_tableau_other_name(const char *name);

/* A method by its coefficients, which are copied; checks sizes and that every number is finite. */
dd_status dd_tableau_new_from(dd_tableau **out, dd_context *ctx, const dd_tableau_input *input);

void dd_tableau_free(dd_tableau *tableau); /* NULL is fine */

/* Names to show in a list: all single methods, and the small members of the families. NULL when i is past the end. */
const char *dd_tableau_listed(uint32_t i);

#endif
