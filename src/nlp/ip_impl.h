/* ip_impl.h - what the files of the interior-point solver share.
 *
 * The method is that of Waechter and Biegler ("On the implementation of an interior-point filter line-search algorithm
 * for large-scale nonlinear programming", Mathematical Programming 106, 2006), called W&B below. Rows become equations
 * with *auxiliary* variables t, each of which appears in one row only:
 *
 *     min f(x) + cost^T t   s.t.   c_i(x) + sum of sign_j t_j (row_j = i) = rhs_i,   l <= w <= u,   w = (x, t)
 *
 * An inequality has one with sign -1 and the bounds of the row; in the restoration phase every row also has p (sign -1)
 * and n (sign +1), both >= 0 at a cost. Auxiliary variables have no curvature but that of the barrier, so they are
 * eliminated before the factorisation: they only add to q in kkt_system.h, and both phases have the same pattern. All
 * quantities are scaled (scaling.h) unless a name says otherwise.
 *
 *     ip.c           the loop, ends            ip_setup.c      memory, scaling, bounds, where to begin
 *     ip_values.c    functions, residuals      ip_direction.c  linear systems, inertia
 *     ip_products.c  products with A           ip_restore.c    the restoration phase
 *     ip_search.c    line search, filter       ip_watch.c      the point to come back to
 *     ip_quasi.c     no second derivatives     ip_soft.c       steps before a restoration
 *     ip_barrier.c   the barrier parameter     ip_square.c     as many rows as variables
 *     ip_vectors.c   sums of vectors
 */
#ifndef DD_NLP_IP_IMPL_H
#define DD_NLP_IP_IMPL_H

#include "nlp/kkt_system.h"
#include "nlp/nlp.h"

#define DD_IP_ELASTIC 1000.0       /* rho of W&B (30): large beside the proximity term */
#define DD_IP_LEAST_PRECISION 1e-5 /* of the last barrier: below, rounding decides */

/* A point and the functions there. */
typedef struct dd_ip_point {
    double *w;               /* nw */
    double *c;               /* m: residuals of the equations */
    double objective;        /* f + cost^T t */
    double theta;            /* |c|_1 */
    double largest;          /* |c|_infinity */
    uint64_t serial;         /* of x; 0: not evaluated */
    double barrier;          /* barrier terms over mu, */
    uint64_t barrier_serial; /* of the point with this serial */
} dd_ip_point;

/* The size of the optimality conditions' residuals, largest components. */
typedef struct dd_ip_errors {
    double dual, primal, complementarity; /* complementarity: |z (w - bound) - mu| */
    double total;                         /* E_mu of W&B (5) */
    double least, most;                   /* products z (w - bound) */
    double rounding;                      /* of w in these products: none can be computed better */
    double noise;                         /* what rounding of multipliers does to dual and complementarity; 0: little */
} dd_ip_errors;

typedef struct dd_ip_filter {
    double (*pairs)[2]; /* theta, phi: nothing beyond both is accepted */
    uint32_t length, room;
} dd_ip_filter;

typedef struct dd_ip_quasi dd_ip_quasi;

/* Shared by the two phases: scaled functions and the linear solver. */
typedef struct dd_ip_base {
    dd_context *ctx;
    const dd_nlp *nlp;
    const dd_nlp_options *options;
    dd_nlp_result *result;
    dd_team *team, *own_team; /* NULL: one thread; the one that was made here */
    dd_kkt_pattern pattern;
    dd_kkt_system *kkt;
    bool *fixed, *equality, *idle; /* n, m, m; idle: rows without bounds */
    bool any_fixed, any_idle;
    bool square;             /* as many equalities as variables that are not fixed */
    bool scaled_x, scaled_c; /* any x_scale, any c_scale differs from 1 */
    bool scaled_jacobian;    /* any jacobian_scale does */
    bool by_rows;            /* the entries of the Jacobian come row by row, */
    uint32_t *row_end;       /* m: and end here */
    uint32_t *hessian_end;   /* n: the same for a Hessian with a long row; NULL: it has none, or another order */
    double f_scale, *x_scale, *c_scale, *jacobian_scale, *hessian_scale;
    double *x, *lambda;   /* unscaled, for calls */
    double *rhs;          /* m */
    uint64_t last_serial; /* the newest given to a point */
    uint64_t evaluated;   /* the point at which functions were asked for last */
    double *jacobian, *hessian;
    bool jacobian_factored; /* the last factorisation was with this Jacobian */
    bool careful;           /* linear systems are factored with care, the fast way left large residuals */
    bool care_failed;       /* care did not help: the systems themselves are nearly singular */
    double *best;
    double best_objective, best_violation;
    double seconds_evaluate, seconds_factor;
    uint32_t iterations, factorizations;
    double begin;        /* clock */
    dd_ip_quasi *quasi;  /* NULL: the program has second derivatives */
    struct dd_ip *inner; /* the restoration phase; NULL: not needed so far */
    bool stopped;        /* by progress or stop */
    bool failed;         /* a function had no value since the last accepted step */
    dd_status status;
    /* one block of memory each */
    void *memory;
    size_t bytes;
    double *scaling;    /* the part of it that holds the scale factors */
    bool scaling_holds; /* where the solve before ended they were right */
} dd_ip_base;

typedef struct dd_ip dd_ip;

/* One phase. */
struct dd_ip {
    dd_ip_base *base;
    dd_ip *outer;           /* restoration: the phase it serves */
    uint32_t n, m, nt, nw;  /* nw = n + nt */
    uint32_t *row;          /* nt */
    double *sign, *cost;    /* nt */
    double *lower, *upper;  /* nw */
    uint32_t *low, *high;   /* variables with a lower, an upper bound */
    uint32_t n_low, n_high; /* how many */
    double *damping;        /* nw: kappa_d on variables with one bound only, with its sign */
    double *low_inverse;    /* n_low: 1 / (w - lower) at the point with this serial, */
    double *high_inverse;   /* n_high: 1 / (upper - w) */
    uint64_t inverse_serial;

    dd_ip_point now, trial;
    double *y, *zl, *zu; /* m, nw, nw */
    double *gradient;    /* n, of f at now */
    double *dual;        /* nw: gradient of the Lagrangian at now */
    double mu, tau;
    double mu_before;    /* mu before it fell in this iteration */
    dd_ip_errors before; /* residuals where the last step began, */
    bool has_before;     /* if there was one */

    double *dw, *dy, *dzl, *dzu; /* the step */
    double *sw, *sy, *sc;        /* nw, m, m: a second-order correction, its residuals */
    double *sigma, *p, *q;       /* nw: barrier's curvature; nw: whole diagonal; m */
    double *rw, *rc, *ew, *ec;   /* right-hand sides and residuals: nw, m, nw, m */
    double sides_mu;             /* the barrier for which rw and rc were set with the residuals at now; NaN: not so */
    bool doubtful;   /* the last system had to be regularised: the first inertia is likely to be wrong again */
    bool begun;      /* dw and dy hold them, and the factorisation has begun to solve */
    double *aw, *ac; /* nw, m: work memory of solves */
    double delta_w, last_delta; /* regularisation now, and the last that was needed */
    uint32_t shrinks;           /* how often in a row the first and smaller one was enough, after whole steps */
    double least_delta;         /* with less steps were too long: the search cut them */
    double delta_c, *row_delta; /* of all rows; m: of those that depend on others */
    bool loose;                 /* any row_delta is not zero, */
    bool has_deltas;            /* or delta_c */
    bool row_deltas_zero;       /* row_delta is known to be zero, */
    bool q_zero;                /* and q */
    uint32_t *found;            /* m: these */
    bool plain;                 /* the last factorisation has no Hessian */

    double theta_max, theta_min;
    dd_ip_filter filter;
    bool restored; /* since the barrier fell; the last time from a point with these theta and phi */
    double restored_theta, restored_phi;
    bool filter_refused;       /* the last trial improved on the present point, but the filter refused it */
    uint32_t refused, forgets; /* steps in a row that were cut so; how often the filter was emptied for it */
    double theta, phi, slope;  /* what trial points are compared with: |c|_1, the barrier function, its slope */
    double alpha, alpha_dual;
    uint32_t trials;
    uint32_t tiny_steps;
    bool blocked;       /* bounds cut the present step short, far from feasible points */
    uint32_t shortened; /* accepted steps in a row that were cut */
    uint32_t acceptable;
    uint32_t sloping;             /* steps from points whose gradient is small only as it was scaled */
    uint32_t polished;            /* steps behind the first point that meets the tolerance */
    bool strayed;                 /* iterates ran off without being feasible, and were restored once */
    uint32_t window, short_steps; /* iterations since the violation was noted, and how many of them had short steps */
    double window_theta;          /* the violation then */
    double precision;             /* factor of the last barrier: below 1 where the objective was scaled down */
    uint32_t soft;                /* soft restoration steps in a row */

    uint32_t watch; /* whole steps without a test so far, plus one; 0: none */
    double *watch_memory, watch_alpha_dual;
    bool watch_failed; /* the last ones led to nothing */

    /* restoration only */
    double zeta, *reference, *weight; /* n */
    double reference_residual;        /* the largest where it began */
    bool left;                        /* the outer phase accepts the point */
    bool centred;                     /* elastic variables were computed again after a failed search */
    dd_nlp_status inner_end;          /* outer phase: why the restoration was stopped */
    bool costless;                    /* the objective had no slope where the solve began */
    uint32_t solutions;               /* of such a program so far */

    void *memory;
    size_t bytes;
};

/* ---- ip_setup.c ---- */
dd_status dd_ip_base_new(dd_ip_base *b);
void dd_ip_base_free(dd_ip_base *b);
/* Could what was made for another solve serve this program: the same patterns, the same kinds of rows and variables? */
bool dd_ip_base_fits(const dd_ip_base *b, const dd_nlp *nlp, const dd_nlp_options *options);
/* For the next solve of a program that fits: nlp, options and result are set. Allocates nothing. */
void dd_ip_base_again(dd_ip_base *b);
/* Where a solve has found a solution, its derivatives say whether the next one, if it begins there, can do with the same scale
 * factors. */
void dd_ip_look_at_scaling(dd_ip *ip, dd_nlp_status status);
/* A phase: of the program, or the restoration of `outer`. Memory that it has from a solve before is used again. */
dd_status dd_ip_new(dd_ip *ip, dd_ip_base *b, dd_ip *outer);
void dd_ip_free(dd_ip *ip);
/* The first point: the caller's, moved into the interior; multipliers. False: a function has no value there. */
bool dd_ip_start(dd_ip *ip);
/* Pushes component i inside its bounds by at least a part of their distance. */
double dd_ip_inside(const dd_ip *ip, uint32_t i, double value, double push);
void dd_ip_least_squares_multipliers(dd_ip *ip, double most);

/* ---- ip_values.c ---- */
/* Objective and residuals at point->w. False: not finite. */
bool dd_ip_evaluate(dd_ip *ip, dd_ip_point *point);
/* Gradient and Jacobian at now, and the gradient of the Lagrangian. False: not finite. */
bool dd_ip_derivatives(dd_ip *ip);
void dd_ip_lagrangian(dd_ip *ip);
bool dd_ip_hessian(dd_ip *ip);
double dd_ip_barrier(const dd_ip *ip, dd_ip_point *point);
/* Makes low_inverse and high_inverse those of now. */
void dd_ip_set_inverses(dd_ip *ip);
/* Slope of the barrier function along dw at now. */
double dd_ip_slope(dd_ip *ip, const double *dw);
dd_ip_errors dd_ip_measure(const dd_ip *ip, double mu);
/* Is what is left of every row at now no more than the rounding of its terms, or than `fine` in the user's units?
 * Spoils ec. */
bool dd_ip_rows_are_rounding(dd_ip *ip, double fine);
/* Where no step leads further: leaves out of *e what is rounding of terms that cancel, of states or costs that are
 * large and whose size the guess did not show. Spoils ec and ew. */
void dd_ip_excuse_rounding(dd_ip *ip, dd_ip_errors *e);
/* The gradient of the Lagrangian, scaled, that is this part of objective and gradient in the user's units: an objective
 * that is steep at the start was scaled down by that, and may be flat at the solution. */
double dd_ip_slope_allowed(const dd_ip *ip, double part);
/* The same residuals for another mu. */
dd_ip_errors dd_ip_errors_for(const dd_ip_errors *e, double mu);
/* The largest magnitude; NaN and infinities are found too. */
double dd_ip_largest(const double *v, uint32_t n);
/* The largest residual of the equations, in the user's units: what is violated beside relaxed bounds. */
double dd_ip_residual(const dd_ip *ip);
/* The program's own violation and objective at a point of the first phase, in the user's units. */
double dd_ip_true_violation(const dd_ip *ip, const dd_ip_point *point);
double dd_ip_true_objective(const dd_ip *ip, const dd_ip_point *point);
void dd_ip_unscaled(const dd_ip_base *b, const double *scaled, double *x);

/* ---- ip_vectors.c: out may be one of the others ---- */
void dd_ip_add_scaled(double *out, const double *a, double factor, const double *b, uint32_t n); /* a + factor b */
void dd_ip_add_constant(double *out, const double *a, double constant, uint32_t n);              /* a + constant */
void dd_ip_subtract_product(double *out, const double *a, const double *b, const double *c, uint32_t n); /* a - b c */
void dd_ip_add_subtract(double *out, const double *a, const double *b, const double *c, uint32_t n);     /* a + b - c */
void dd_ip_subtract_both(double *out, const double *a, const double *b, const double *c, uint32_t n);    /* a - b - c */
void dd_ip_negate(double *out, const double *a, uint32_t n);

/* ---- ip_products.c ---- */
/* out += A^T y, A: derivative of the equations by w */
void dd_ip_add_transposed(const dd_ip *ip, const double *y, double *out);
/* What dw and dy leave of the right-hand sides of the present system, in ew and ec; returns the largest. */
double dd_ip_system_residual(dd_ip *ip, const double *rw, const double *rc, const double *dw, const double *dy);

/* ---- ip_direction.c ---- */
/* Factors with the right inertia. False: not possible (base->status, or the regularisation grew without end). */
bool dd_ip_factor(dd_ip *ip);
/* How far a step may go, at most 1, W&B (15): variables, multipliers of bounds. */
typedef struct dd_ip_reach {
    double primal, dual;
} dd_ip_reach;
/* After a factorisation: the step to mu = 0 at now, for a look at how far it may go to the bounds themselves. False: not
 * finite. */
bool dd_ip_probe(dd_ip *ip, dd_ip_reach *reach);
/* What regularises a row of the present system. */
double dd_ip_delta_of(const dd_ip *ip, uint32_t row);
/* The step for residuals c (m) of the equations; dzl, dzu too unless `primal_only`. False: not finite. */
bool dd_ip_direction(dd_ip *ip, const double *c, double *dw, double *dy);
/* dzl and dzu for dw and this mu, and how far the step may go with this tau: what they need is read once. */
dd_ip_reach dd_ip_bound_steps(dd_ip *ip, double mu, double tau);
/* Solves with p, q as they are set: right-hand sides rw (nw), rc (m) to dw, dy, with refinement. */
bool dd_ip_solve(dd_ip *ip, const double *rw, const double *rc, double *dw, double *dy);
bool dd_ip_factor_plain(dd_ip *ip, double on_diagonal);

/* ---- ip_barrier.c ---- */
double dd_ip_least_barrier(const dd_ip *ip);
void dd_ip_set_barrier(dd_ip *ip, double mu); /* and tau */
/* Is the barrier problem solved, and is there a smaller barrier? */
bool dd_ip_barrier_falls(const dd_ip *ip, const dd_ip_errors *now);
/* Smaller as long as the present barrier problem counts as solved; tiny: whether or not it is, once. */
void dd_ip_update_barrier(dd_ip *ip, const dd_ip_errors *now, bool tiny);
/* Does a system with this regularisation ask for a probe? */
bool dd_ip_probes(const dd_ip *ip, double delta);
/* After a factorisation: smaller still, where the step to mu = 0 meets no bound. False: that step is not finite. */
bool dd_ip_probe_barrier(dd_ip *ip);

/* ---- ip_quasi.c ---- */
dd_status dd_ip_quasi_new(dd_ip_quasi **out, dd_context *ctx, uint32_t n, uint32_t m);
void dd_ip_quasi_free(dd_ip_quasi *q, dd_context *ctx); /* NULL is fine */
void dd_ip_quasi_forget(dd_ip_quasi *q);
double dd_ip_quasi_sigma(const dd_ip_quasi *q);
/* Around the derivatives of an accepted step: before them (x_old: the point that was left), and after. */
void dd_ip_quasi_leave(dd_ip *ip, const double *x_old);
void dd_ip_quasi_arrive(dd_ip *ip);
/* The part of the Hessian that is not sigma I: out -= its product with x, after a factorisation, corrections of solutions. */
void dd_ip_quasi_subtract(const dd_ip_quasi *q, const double *x, double *out);
void dd_ip_quasi_factored(dd_ip *ip);
void dd_ip_quasi_correct(const dd_ip *ip, double *dx, double *dy);

/* ---- ip_search.c ---- */
typedef enum dd_ip_found { DD_IP_ACCEPTED, DD_IP_TINY, DD_IP_NONE, DD_IP_STOPPED } dd_ip_found;
/* A step length, at most `reach`; the trial point becomes the present one. */
dd_ip_found dd_ip_search(dd_ip *ip, dd_ip_reach reach);
double dd_ip_to_boundary(const dd_ip *ip, const double *dw, double tau);
double dd_ip_dual_to_boundary(const dd_ip *ip, double tau);
void dd_ip_reset_filter(dd_ip *ip);
void dd_ip_filter_add(dd_ip *ip, double theta, double phi);
bool dd_ip_filter_accepts(const dd_ip *ip, double theta, double phi);
/* Is (theta, phi) better than the present iterate by a margin? */
bool dd_ip_improves(const dd_ip *ip, double theta, double phi);
/* The trial point becomes the present one; bound multipliers by alpha_dual, kept near mu / distance. */
void dd_ip_accept(dd_ip *ip, double alpha_y);

void dd_ip_set_reference(dd_ip *ip);

/* ---- ip_watch.c ---- */
size_t dd_ip_watch_length(size_t nw, size_t m); /* doubles of watch_memory */
void dd_ip_watch_begin(dd_ip *ip);
/* Back to the point and step of dd_ip_watch_begin. */
bool dd_ip_watch_return(dd_ip *ip);

/* ---- ip_soft.c ---- */
/* Takes the whole step if it reduces the residuals of the optimality conditions; the derivatives there are known then. */
bool dd_ip_soft_step(dd_ip *ip);

/* ---- ip_restore.c ---- */
typedef enum dd_ip_restored {
    DD_IP_RESTORED,
    DD_IP_INFEASIBLE,
    DD_IP_RESTORE_FAILED,
    DD_IP_RESTORE_STOPPED
} dd_ip_restored;
dd_ip_restored dd_ip_restore(dd_ip *ip);
/* In the restoration phase: would the outer phase go on from here? Its trial point is then set. */
bool dd_ip_outer_accepts(dd_ip *inner);
/* Elastic variables and their multipliers that fit the present x and t. */
void dd_ip_centre_elastic(dd_ip *inner);

/* ---- ip_square.c ---- */
bool dd_ip_is_square(const dd_ip_base *b);
/* At a point where the rows of a square program hold: true where multipliers of the rows alone meet the optimality
 * conditions; they are the present ones then, with *e. */
bool dd_ip_square_ends(dd_ip *ip, dd_ip_errors *e);
/* A program whose objective has no slope: every point at which the rows hold is optimal. True after some of them, where
 * multipliers go anywhere (rows whose only solution is at bounds); they are zero then. */
bool dd_ip_ends_without_cost(dd_ip *ip);

/* ---- ip.c ---- */
/* Runs a phase to its end. */
dd_nlp_status dd_ip_run(dd_ip *ip);
/* Called after every accepted step; true: stop. */
bool dd_ip_report(dd_ip *ip, const dd_ip_errors *errors);
bool dd_ip_must_stop(dd_ip_base *b);

#endif
