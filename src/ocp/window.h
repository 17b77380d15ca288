/* window.h - the program of a moving-horizon estimator: what stands at the nodes of a window of samples.
 *
 *     min  |(x_0, p) - mean|^2_A  +  sum over nodes k >= 1 of  sum_i (c_ki (h_i(x_k, z_k, u_k, p) - y_ki))^2
 *                                                             + dt sum_i (w_ki/sigma_i)^2
 *     s.t. collocation in every interval, constant w, c(x_N, p, t_N) = 0: invariants at the end
 *
 * Node k is the last Radau point of interval k - 1, so algebraic variables are known there. Interval 0 has no length: its
 * end is the first sample. So have all intervals before the first sample as long as the window fills. The numbers (inputs,
 * times, y, c, mean, A) are constant parts of inputs and constants of families: nothing is compiled again.
 */
#ifndef DD_OCP_WINDOW_H
#define DD_OCP_WINDOW_H

#include "ocp/transcription.h"

typedef struct dd_window {
    dd_expr *h; /* what is measured, resolved */
    uint32_t n_measured;
    const double *sigma; /* one per control of the problem: all of them are process noise */
    double dt;
    /* filled when the program is built */
    uint32_t nodes, end, arrival; /* families; end: UINT32_MAX without invariants */
    uint32_t y_input;             /* of the nodes: y, then c */
} dd_window;

/* Adds the terms to the program that is being built. Raises. */
void dd_window_add(dd_transcription *t);

/* ---- numbers, at any time afterwards; nothing is allocated ---- */
/* Interval k: its length, the times of its d points, and the values of data there (d times o->data.len). */
void dd_window_set_interval(dd_transcription *t, uint32_t k, double length, const double *times, const double *data);
/* Node k + 1: measured values and 1/sigma; missing ones have c = 0 and any finite y. */
void dd_window_set_node(dd_transcription *t, uint32_t k, const double *y, const double *c);
/* mean (n) and A (n by n, its lower triangle is read) of (x_0, p) in the scales of the program; work: n + n (n + 1)/2. */
void dd_window_set_arrival(dd_transcription *t, const double *mean, const double *a, double *work);
/* Parameters that are not decided: from o->constant_value. */
void dd_window_set_constants(dd_transcription *t);

#endif
