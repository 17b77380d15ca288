/* transcription_kinks.h - variables and rows of kinks (kinks.h) in a transcription. */
#ifndef DD_OCP_TRANSCRIPTION_KINKS_H
#define DD_OCP_TRANSCRIPTION_KINKS_H

#include "ocp/transcription.h"

/* A point of a family where kinks have values. */
typedef struct dd_kink_place {
    uint32_t family, point;
    uint32_t interval, number; /* of the point of the mesh; interval UINT32_MAX: of no single one */
    double theta;
} dd_kink_place;

/* ---- building; all of this raises ---- */
/* Has it one value in an interval? */
bool dd_transcription_shares(const dd_transcription *t, const dd_kink *kink);
/* One variable. */
uint32_t dd_transcription_add_kink(dd_transcription *t, uint32_t kink, uint32_t k, uint32_t j);
/* The variables of the integrand's kinks at a collocation point, and the one of kink i of its list. */
void dd_transcription_point_kinks(dd_transcription *t, uint32_t k, uint32_t j);
uint32_t dd_transcription_kink_at(const dd_transcription *t, uint32_t k, uint32_t j, uint32_t i);
/* Symbols and pieces of some kinks, in this order, for the inputs and outputs of a family. */
void dd_transcription_kink_symbols(const dd_transcription *t, const dd_index_vec *list, dd_expr_vec *inputs);
void dd_transcription_kink_pieces(const dd_transcription *t, const dd_index_vec *list, dd_expr_vec *outputs);
/* The rows of one kink; its pieces are outputs of the family from `output` on. */
void dd_transcription_kink_rows(dd_transcription *t, const dd_kink_place *at, uint32_t kink, uint32_t variable,
                                uint32_t output);
/* Variables, inputs and rows of all kinks of a list at a point. */
void dd_transcription_kinks_of_point(dd_transcription *t, const dd_kink_place *at, const dd_index_vec *list,
                                     uint32_t input, uint32_t output);
/* All of the integrand at a collocation point; of a row or a cost at instants, whose family has one point. */
void dd_transcription_integrand_kinks(dd_transcription *t, const dd_kink_place *at);
void dd_transcription_boundary_kinks(dd_transcription *t, uint32_t family, const dd_index_vec *kinks, uint32_t input);

/* ---- using ---- */
/* Sets the variables of kinks in y a little beyond their kinks; as they are where something has no value. Raises. */
void dd_transcription_start_kinks(const dd_transcription *t, double *y);
/* Are the variables of kinks in rates at their kinks? Raises. */
bool dd_transcription_kinks_tight(const dd_transcription *t, const double *y);
/* The objective as the user wrote it. False: there are no kinks, or it has no value. Raises. */
bool dd_transcription_objective(const dd_transcription *t, const double *y, double *value);
/* For every variable of a kink the one an interval later; itself where there is none. Raises. */
void dd_transcription_shift_kinks(const dd_transcription *t, uint32_t *to);

#endif
