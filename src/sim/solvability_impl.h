/* solvability_impl.h - the watch on solvability, for its files: solvability.c (suspicions), solvability_point.c
 * (creation, points), solvability_locate.c and solvability_minimum.c (closing in), solvability_order.c (what becomes of the
 * solution there), solvability_words.c. */
#ifndef DD_SIM_SOLVABILITY_IMPL_H
#define DD_SIM_SOLVABILITY_IMPL_H

#include "la/pencil.h"
#include "sim/solvability.h"

enum {
    DD_SOLVABILITY_RECORDS = 256, /* points that lead to a suspicious place */
    DD_SOLVABILITY_HISTORY = 64,  /* points kept of the way so far; a quarter of that for more than */
    DD_SOLVABILITY_LARGE = 1000,  /* that many unknowns */
};

typedef struct dd_solv_state {
    double t;
    double *w, *wdot; /* n of the watched equations */
    bool valid;
} dd_solv_state;

/* Points that lead to a place. */
typedef struct dd_solv_records {
    uint32_t count;
    double *t;
    double *value; /* of all items, record after record */
    double *size;  /* the same for the largest unknown that each item determines */
    double *reach; /* and for the largest state among those whose rates it determines */
} dd_solv_records;

struct dd_solvability {
    dd_sim *sim;
    dd_context *ctx;
    dd_numbers *numbers; /* whose numbers are watched: those of the run, or */
    dd_numbers *own;     /* the reduced system beside a run of the equations as written */
    dd_slopes *slopes;   /* its x' and z */
    uint32_t *column;    /* per unknown of `own`: the declared column, DD_NO_INDEX */
    double *g;           /* its switching functions */
    uint32_t n, count;   /* unknowns, items */
    dd_integrator *scout;
    uint32_t scouted; /* its steps for this suspicion */
    double *atol;
    bool failed;
    bool needs_slopes; /* at every point of a run of other equations */
    bool has_unknowns; /* the numbers contain x' or z: inside a step these are solved for */

    double t[3], *v[3];     /* the last samples, the latest first; NaN: none */
    dd_solv_state *history; /* accepted points of this mode in the order of time, the near ones densely */
    uint32_t kept, room;    /* of them */
    double mode_start;
    dd_solv_state point;    /* a sample */
    dd_solv_state lo;       /* closing in: the last point before the place */
    double added;           /* errors that a scout may bring along from a long way, relative */
    dd_solv_state accurate; /* on the solution, beside a run by given steps */
    dd_solv_state kept_lo;  /* the same of a first finding, while another is looked for */
    dd_solv_state begin;    /* where the scout begins again and again */
    dd_solv_state there;    /* where it is */
    dd_solv_state nearest;  /* a third point of the way to a place */
    dd_solv_state start;    /* where it started, for runs of other equations */
    double *values;         /* declared columns and assertions */
    double *probe, *before; /* items: at a point; where closing in began */
    dd_solv_records records;
    double *ends;                /* per item: its value at the end of the last step */
    double *peak;                /* per item: the largest value of this mode, */
    double *near_zero;           /* and what is near zero beside it: below it the way so far is looked at */
    double *modes, *switching;   /* of the relations: kept while others are tried, their functions, */
    double *far;                 /* and distances from where they turn */
    uint32_t *given_up;          /* per item: minima that came to nothing, */
    uint32_t *fruitless;         /* suspicions of any kind for which scouts were sent in vain; */
    uint64_t scouted_in_run;     /* their steps */
    uint32_t in_vain;            /* and the same of steps in which z may have left its branch */
    bool coarse;                 /* the last step was long: samples within it are those of a cubic */
    bool crossed;                /* a number has changed its sign in the last step, and did not vanish; */
    bool left;                   /* the step ended on another branch: the right one in nearest */
    const char *doubt;           /* NULL, or what is said at the end of a run that ends well, */
    bool doubt_told;             /* once */
    double *m, *j;               /* values on the pattern, */
    double *row, *rhs, *carried; /* n: errors of rows; scratch */
    double *error[2], *lost;     /* n: errors of the solution by rounding, where coefficients have faded; the larger */
    dd_pencil *solver;           /* NULL: not yet needed */
    double drowned_at;           /* where a minimum is no more than errors make of it; NaN: nowhere */
    double depth; /* the lowest |value| of the valley that was looked into last; infinite: there was none */
};

/* The last accepted point; NULL: none. */
static inline const dd_solv_state *dd_solv_last(const dd_solvability *s)
{
    return s->kept > 0 ? &s->history[s->kept - 1] : NULL;
}

/* Values at a point, NaN where there are none. */
void dd_solv_values(dd_solvability *s, const dd_solv_state *at, double *v);
/* Appends a point with its values, unless there are enough. */
void dd_solv_record(dd_solvability *s, const dd_solv_state *at, const double *v);
/* A point of the run in the unknowns of the watched equations. */
void dd_solv_take(dd_solvability *s, double t, const double *w, const double *wdot, dd_solv_state *out);
void dd_solv_copy(const dd_solvability *s, dd_solv_state *to, double t, const double *w, const double *wdot);

/* ---- solvability_noise.c ---- */
/* Did item k turn at a value that errors of the run explain, once? The scout decides; else it cannot be told. */
bool dd_solv_turned_in_noise(dd_solvability *s, uint32_t k, dd_singular *out);
/* Where errors of the run hide item k: does the scout, whose errors are smaller, see it vanish on its way from the beginning
 * of the mode? */
bool dd_solv_scout_sees(dd_solvability *s, uint32_t k, dd_singular *out);

/* ---- solvability_branch.c ---- */
/* A point between a and b by cubic Hermite interpolation: good enough for a suspicion, and cheaper than dense
 * output. z is a line only as a guess: in a long step z^2 = x^2 may go down to zero and up again. False: it stays one, no z was
 * found. */
bool dd_solv_between(const dd_solvability *s, const dd_solv_state *a, const dd_solv_state *b, double t,
                     dd_solv_state *out);
/* An explicit method solves for z at single points, and behind a fold it finds the root of another branch: is there no smooth
 * way of z through the last step? */
bool dd_solv_leaves_branch(dd_solvability *s, const dd_solv_state *last, bool long_step);
/* Is the end of the last step, s->point, on another branch than the one that the scout follows from where the step began? Then
 * the same x with the unknowns of that one is in s->nearest. */
bool dd_solv_is_on_other_branch(dd_solvability *s, const dd_solv_state *last);

/* What errors of the size of a tolerance (atol 0: rtol times the nominal values) make of item k at a point: all unknowns
 * moved at once. Spoils there and probe. */
double dd_solv_noise(dd_solvability *s, uint32_t k, const dd_solv_state *at, double rtol, double atol);
/* What errors of one tolerance in the states make of its square, with z that follows them: next to a fold, as y of y^2 = x, it
 * is the square that depends on them evenly. 0: not known. */
double dd_solv_noise_of_square(dd_solvability *s, uint32_t k, const dd_solv_state *at);
/* Values this many times larger have a sign. */
#define DD_SOLV_ABOVE 3.0
/* Of the largest value so far: what is no more may be on its way to zero. */
#define DD_SOLV_LOW 0.1
/* Of the way so far: a singular point this near ahead is to blame for a failure. */
#define DD_SOLV_REACH 0.01

/* Are digits of a state lost to rounding errors, since a coefficient has faded? lo is then the point. */
bool dd_solv_is_faint(dd_solvability *s, dd_singular *found);
/* The same after a failed step: do they disturb Newton's method? */
bool dd_solv_was_faint(dd_solvability *s, dd_singular *found);

/* Does the value of item k depend on states whose rates it determines? */
bool dd_solv_depends_on_own(dd_solvability *s, uint32_t k, const dd_solv_state *at);

/* From `from` towards hi: does item k (DD_NO_INDEX: any) lose its sign or fall to the floor, or the scout its way?
 * True: a number tends to zero there, *found says which. */
bool dd_solv_close_in(dd_solvability *s, const dd_solv_state *from, double hi, uint32_t k, double floor,
                      dd_singular *found);
/* What is as good as zero, relative to the largest value: rounding, and where the constraints c = 0 drift by e,
 * branches that cross (c = x*y) part at a distance of sqrt(e), where the square of a distance is e. */
double dd_solv_nothing(const dd_solvability *s);

/* By the way so far: does item k fall with a power of the distance to a place at most `reach` ahead? way: the
 * decades of distance over which it must do so; a factor that fades falls by orders of magnitude within one or two. */
bool dd_solv_approaches(dd_solvability *s, uint32_t k, double way, double reach, dd_singular *found);

/* Of the way to a singular point: where its last part begins, and a point that many times nearer. */
#define DD_SOLV_NEAR 0.01
#define DD_SOLV_NEARER 4.0
/* Where unknowns arrive with an infinite slope: corrects found->kind and sets steep, from three points before the place,
 * begin, there and nearest, and the states of lo, next to it. Spoils there. */
void dd_solv_tell_order(dd_solvability *s, dd_singular *found);
/* The same by the way so far, if its last point is next to the place; lo as above. */
void dd_solv_tell_order_by_history(dd_solvability *s, dd_singular *found);

/* Did the scout see item k turn above zero and rise tenfold on either side, in steps over which it changes little? Noise does
 * not do that, nor does a jump to another root; and where the lowest values are those of (t - t*)^2 at some distance, the
 * parabola through them is lower still. */
bool dd_solv_turns_above_zero(const dd_solvability *s, uint32_t k);

bool dd_solv_make_scout(dd_solvability *s);
/* Its errors must be smaller than what it looks for. */
double dd_solv_scout_tolerance(const dd_solvability *s);
/* One step of the scout; false: there is none, or enough was done for one suspicion, or the run is to stop. */
bool dd_solv_step(dd_solvability *s, double bound);
void dd_solv_send(dd_solvability *s, const dd_solv_state *from, double h);
/* Walks the scout from a point to t, where it is `there`; false when it does not arrive. */
bool dd_solv_walk(dd_solvability *s, const dd_solv_state *from, double t);
/* Is this point on the other side of a relation than the branch in force? Relations are frozen for the scout. */
bool dd_solv_is_beyond_kink(dd_solvability *s, const dd_solv_state *at);
/* Does the run not get to a place within or behind its last step, since it changes its branch before? */
bool dd_solv_is_left_before(dd_solvability *s, const dd_singular *found);
/* An equation says d u = b for its number d and its unknown u: what errors of the scout make of b. */
double dd_solv_other_side(const dd_solvability *s, uint32_t k);
/* By the records: do the unknowns of item k grow without bound towards a place? */
bool dd_solv_unknowns_grow(const dd_solvability *s, uint32_t k, double place, double nearest);

/* |item k| within the last step of the run. */
double dd_solv_in_run(dd_solvability *s, uint32_t k, double t);
/* The lowest point of |item k| within the last step of the run: is it zero? promised: where a parabola says it is;
 * least: the lowest value seen, reference: the largest. */
bool dd_solv_lowest_in_run(dd_solvability *s, uint32_t k, double from, double until, double promised, double least,
                           double reference, dd_singular *found);
/* Between two samples of different sign in the last step of the run: a zero? */
bool dd_solv_crosses_in_run(dd_solvability *s, uint32_t k, double from, double until, dd_singular *found);
/* Is the end of the last step a zero of item k, which depends on time alone and fell there by orders of magnitude? */
bool dd_solv_collapses_in_run(dd_solvability *s, uint32_t k, double from, double until, dd_singular *found);
/* The lowest point between `from` and `until`, along the scout. */
bool dd_solv_lowest(dd_solvability *s, const dd_solv_state *from, double until, uint32_t k, double reference,
                    dd_singular *found);

#endif
