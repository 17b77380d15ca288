/* step_record.h - the last step of an integrator as relations between vectors: all that its derivatives by parameters
 * need.
 *
 * Every method here is a general linear method (Butcher). From inputs y_m (x of the last point, or a history) it finds
 * stages W_i with rates K_i, and the end e of the step,
 *
 *     W_i = sum_m base_m y_m + h sum_j A_ij K_j,   F(K_i, W_i, t_i) = 0      (x; z of W_i is a separate unknown)
 *     e   = sum_m base_m y_m + h sum_i b_i K_i     (x; z is that of the last stage, or solved for at the end)
 *
 * moves e onto the invariants, and hands on  y_m := sum_k keep_mk y_k + take_m e. Where the step size of a history
 * changes, y := mix y comes first. All of this is linear but for F and the projection. */
#ifndef DD_INTEG_STEP_RECORD_H
#define DD_INTEG_STEP_RECORD_H

#include "integ/integrator.h"
#include "methods/tableau.h"

enum { DD_RECORD_INPUTS = 8, DD_RECORD_STAGES = DD_TABLEAU_STAGES + 4 };

/* The caller provides time, point, rate and A for `room` stages; with point == NULL only the most stages (extra ones
 * included) and inputs that will ever occur are filled in. */
struct dd_step_record {
    uint32_t stages, extra, inputs; /* extra: stages of the dense output alone, after the others */
    bool coupled;                   /* A is not lower triangular */
    bool first_known;               /* stage 0 is the last point with its w' and z */
    bool end_solved;                /* w' and z at the end follow from x there; otherwise they are the last stage's, */
    bool end_continued;             /* or the sum of those of all stages with the weights `end` */
    bool mixed;
    uint32_t end_stage; /* an extra stage that is the end of the step, DD_NO_INDEX: none */
    double h;
    double base[DD_RECORD_INPUTS], take[DD_RECORD_INPUTS];
    double mix[DD_RECORD_INPUTS][DD_RECORD_INPUTS], keep[DD_RECORD_INPUTS][DD_RECORD_INPUTS];
    double b[DD_RECORD_STAGES], end[DD_RECORD_STAGES];

    /* projection: n each, what was added, D of its norm, and w at the start of the step; shift == NULL: none. D_j grows
     * with |w_j| by scale_slope (scale_floor: it is dd_fixed_scale), w at the start of the step, or (scale_both) the larger
     * of that and the end before projection. */
    const double *shift, *scale, *old;
    double scale_slope;
    bool scale_floor, scale_both;

    /* where inputs are points of a grid (y_m at times[m + 1], the end of the step at times[0]) and the coefficients follow
     * from their times; interpolate does too, so that times may be moved and put back to see how. NULL: other methods. */
    double *times;
    double *const *points;

    uint32_t room;
    double *A;            /* room x room, row-major with leading dimension room */
    double *time;         /* room */
    double *point, *rate; /* room x n: W_i, K_i */
};

/* A value of the dense output as a sum over the vectors of the step: inputs before, and after; W_i; h K_i; what
 * projection added; w' at both ends. */
typedef struct dd_step_weights {
    double input[DD_RECORD_INPUTS], output[DD_RECORD_INPUTS];
    double value[DD_RECORD_STAGES], rate[DD_RECORD_STAGES];
    double shift, old_slope, new_slope;
} dd_step_weights;

struct dd_step_dense {
    bool solved; /* z and x' follow from x(t) by the equations; z and slope are then unused */
    dd_step_weights x, z, slope;
};

/* The record of a Runge-Kutta step: one input, e is handed on. */
static inline void dd_record_one_input(dd_step_record *r, double h)
{
    r->inputs = 1;
    r->h = h;
    r->base[0] = r->take[0] = 1;
    r->end_stage = DD_NO_INDEX;
}

#endif
