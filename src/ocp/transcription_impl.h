/* transcription_impl.h - where things are in the variables, for those who build the program and those who read it. */
#ifndef DD_OCP_TRANSCRIPTION_IMPL_H
#define DD_OCP_TRANSCRIPTION_IMPL_H

#include "ocp/transcription.h"

#define NONE UINT32_MAX
#define DD_NO_WEIGHT 1e-14 /* a weight of interpolation below this is rounding: it would only fill the patterns */

static inline uint32_t dd_transcription_inputs(const dd_ocp_problem *o)
{
    return o->x.len + o->z.len + o->u.len + o->p.len + 3 + o->data.len;
}

/* Weights of the values at the d collocation points, w[1..d], for z and polynomial controls at theta. */
void dd_transcription_point_weights(const dd_transcription *t, uint32_t k, double theta, double *w);

/* Are symbols of an instant among these? */
bool dd_transcription_uses(const dd_ocp_problem *o, const dd_expr_vec *symbols, const dd_instant *at);

/* ---- transcription_inputs.c: inputs of point `point` of a family, from number `input` on ---- */

/* The symbols that all families begin with: x, z, u, p, time, t0, tf, data. Returns how many there are. */
uint32_t dd_transcription_common_inputs(const dd_ocp_problem *o, dd_expr *out);
/* Their values at point j of interval k; j = 0: its left end, j = d + 1: its right end, both without z. */
void dd_transcription_fill_common(dd_transcription *t, uint32_t family, uint32_t point, uint32_t k, uint32_t j);
/* of_t0 t0 + of_tf tf */
void dd_transcription_time_terms(dd_transcription *t, uint32_t family, uint32_t point, uint32_t input, double of_t0,
                                 double of_tf);
void dd_transcription_parameter_terms(dd_transcription *t, uint32_t family, uint32_t point, uint32_t input);
/* x, z, u and time at an instant, for the only point of a family. */
void dd_transcription_instant_terms(dd_transcription *t, uint32_t family, uint32_t input, const dd_instant *at);

#endif
