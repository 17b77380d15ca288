/* transcription_impl.h - where things are in the variables, for those who build the program and those who read it. */
#ifndef DD_OCP_TRANSCRIPTION_IMPL_H
#define DD_OCP_TRANSCRIPTION_IMPL_H

#include "ocp/transcription.h"

#define NONE UINT32_MAX

/* Variables of state, algebraic variable and control i at point j of interval k; j = 0: the node it begins at. */
static inline uint32_t dd_transcription_x(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return j == 0 ? t->x_at[k] + i : t->point_at[k * DD_DEGREE_MOST + j - 1] + i;
}

static inline uint32_t dd_transcription_z(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return t->point_at[k * DD_DEGREE_MOST + j - 1] + t->o->x.len + i;
}

static inline uint32_t dd_transcription_u(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i)
{
    return t->point_at[k * DD_DEGREE_MOST + j - 1] + t->o->x.len + t->o->z.len + i;
}

static inline uint32_t dd_transcription_inputs(const dd_ocp_problem *o)
{
    return o->x.len + o->z.len + o->u.len + o->p.len + 3 + o->data.len;
}

/* Weights of the values at the d collocation points, w[1..d], for z and polynomial controls at theta. */
void dd_transcription_point_weights(const dd_transcription *t, uint32_t k, double theta, double *w);

#endif
