/* switches_impl.h - rewriting what has a kink or jumps, for its files: switches.c (kinks, relations, lists),
 * switches_roots.c (powers with exponents that are not integers). */
#ifndef DD_DYNAMICS_SWITCHES_IMPL_H
#define DD_DYNAMICS_SWITCHES_IMPL_H

#include "dynamics/switches.h"

typedef enum dd_variation { DD_VARIES_NOT, DD_VARIES_TIME, DD_VARIES_STATE } dd_variation;

typedef struct dd_rewriting {
    const dd_system *s;
    dd_dag *dag;
    dd_pool *pool, *scratch;
    bool kinks;          /* min, max, abs and sign too */
    bool limited;        /* powers end at their margin */
    bool known_only;     /* no new s, k, margins */
    uint32_t fresh;      /* the next variable */
    dd_switch_vec *out;  /* gets signs, slopes and margins */
    bool inside;         /* relations within noEvent too */
    bool jumps;          /* something else jumps there */
    dd_map sign, margin; /* origin -> 1 + index in out */
    dd_map literal;      /* the same of relations within noEvent */
    dd_map open;         /* nodes that are reached without noEvent */
    dd_map known;        /* nodes of the switches that are known */
    dd_map signed_argument;
    dd_map shown;        /* relation or floor -> what was written */
    dd_map hard, soft;   /* relations of the model; of kinks (1: min, max; 2: abs) */
    dd_map strict;       /* relations b <= a that are to be b < a */
    dd_map timed;        /* relations of kinks in roots of the time: steps end at them */
    dd_expr_vec watched; /* those of them that the expressions do not contain */
} dd_rewriting;

/* Nodes that the expressions reach, each once, arguments first; inside: also through noEvent. */
dd_expr_vec dd_switches_reachable(dd_dag *dag, const dd_expr *exprs, uint32_t n, bool inside, dd_pool *scratch);
dd_variation dd_switches_variation(const dd_system *s, dd_expr g, dd_pool *scratch);
/* A frozen number of this kind, appended to the list. */
void dd_switches_add_number(dd_rewriting *r, dd_switch_kind kind, dd_expr origin, dd_expr g);
/* A relation that makes no event. */
dd_expr dd_switches_silent(dd_dag *dag, dd_op op, dd_expr a, dd_expr b);

/* g = rate*time - rate*at with known numbers? */
bool dd_switches_is_moment(const dd_system *s, dd_expr g, double *rate, double *at);
/* Is a^p to be continued below zero? p > 0 and no integer, a no constant. */
bool dd_switches_is_root(dd_rewriting *r, dd_expr a, dd_expr p);
/* Its odd continuation; origin: the power as written. */
dd_expr dd_switches_root(dd_rewriting *r, dd_expr origin, dd_expr a, dd_expr p);
/* Is a^p, as written, a root of the time alone without relations in it? */
bool dd_switches_is_root_of_time(const dd_rewriting *r, dd_expr a, dd_expr p);
/* What takes its place; e: the power, with arguments a rewritten. */
dd_expr dd_switches_root_of_time(dd_rewriting *r, dd_expr e, const dd_expr *a);

#endif
