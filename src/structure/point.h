/* point.h - points where ranks are taken: near the start values and on all constraints, or at random. */
#ifndef DD_STRUCTURE_POINT_H
#define DD_STRUCTURE_POINT_H

#include "structure/certificate.h"

/* What may differ from the start values of the text. */
typedef enum dd_nearness {
    DD_GUESS_START,     /* start values, 0 where none is written */
    DD_GUESS_FILLED,    /* variables without a start get generic values */
    DD_GUESS_LOOSE,     /* start values that are not fixed are disturbed as well */
    DD_GUESS_DISTURBED, /* all values are disturbed */
    DD_GUESS_RANDOM,    /* everything generic, start values ignored */
    DD_GUESS_COUNT
} dd_nearness;

/* Disturbed values, in sizes: far enough to leave a symmetric position, near enough to converge. */
#define DD_DISTURBANCE 0.15

/* Fills ncols * (order + 1) Taylor coefficients. */
void dd_point_guess(const dd_system *s, dd_nearness guess, uint32_t salt, uint32_t order, double *x);

/* Values of variables without a start, x[j * stride], from those that have one, where rows determine them
 * (spread.c). first: ncols, set where that was done from fixed values and the starts that count most; or NULL. */
void dd_point_spread(const dd_system *s, dd_numeric *nm, uint32_t stride, double *x, bool *first);

/* A point on f_i^(k) = 0, k <= c_i, near the guess. order: at least max_d + 1. */
dd_taylor_point dd_point_consistent(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                    dd_nearness guess, uint32_t order, dd_pool *pool);
/* The same near x0: ncols * (order + 1) coefficients. */
dd_taylor_point dd_point_solve(const dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                               const double *x0, uint32_t order, dd_pool *pool);

/* Fixed values that moved by more of their size are no longer what was given. */
#define DD_MOVED 1e-9
/* Does some fixed variable have another value at the point than the one given, by more than `tolerance` of its size? */
bool dd_point_moved(const dd_system *s, const dd_taylor_point *point, double tolerance);

/* dd_system_regularity at a point that was computed: singular also where it cannot be distinguished from a singular
 * point (doubt.c). */
dd_regularity dd_point_regularity(dd_system *s, dd_numeric *nm, const dd_offsets *off, const dd_blocks *blocks,
                                  const dd_taylor_point *point, dd_pool *pool);

#endif
