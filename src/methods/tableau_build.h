/* tableau_build.h - room in which a method is put together before its final size is known. */
#ifndef DD_METHODS_TABLEAU_BUILD_H
#define DD_METHODS_TABLEAU_BUILD_H

#include "methods/tableau.h"

enum { DD_DENSE_STAGES = 16, DD_DENSE_DEGREE = 7 };

typedef struct dd_tableau_room {
    dd_quad A[DD_TABLEAU_STAGES * DD_TABLEAU_STAGES];
    dd_quad b[DD_TABLEAU_STAGES], c[DD_TABLEAU_STAGES], bhat[DD_TABLEAU_STAGES], bhat_low[DD_TABLEAU_STAGES];
    uint32_t dense_stages, dense_degree, dense_order; /* stages 0: none */
    dd_quad dense_A[DD_DENSE_STAGES * DD_DENSE_STAGES], dense_c[DD_DENSE_STAGES];
    dd_quad dense_B[DD_DENSE_STAGES * DD_DENSE_DEGREE];
} dd_tableau_room;

/* Turns the room into a tableau; input points into it or elsewhere, dense is taken from room (NULL: none). */
dd_status dd_tableau_finish(dd_tableau **out, dd_context *ctx, const dd_tableau_input *input,
                            const dd_tableau_room *room);

/* gauss-S and the other families; s and the family were checked before. */
void dd_tableau_fill_family(dd_tableau_room *room, dd_tableau_input *input);

/* A row of the table. */
struct dd_table_row;
void dd_tableau_fill_row(dd_tableau_room *room, dd_tableau_input *input, const struct dd_table_row *row);

/* generic2:ALPHA (order 2) and generic3:ALPHA (order 3); false when there is no method with this alpha. */
bool dd_tableau_fill_generic(dd_tableau_room *room, dd_tableau_input *input, uint32_t order, dd_quad alpha);

#endif
