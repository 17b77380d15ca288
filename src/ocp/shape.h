/* shape.h - where the variables and rows of a transcription are on the chain of its intervals (nlp/shape.h).
 *
 * States and constant or linear controls belong to nodes, values at collocation points and polynomial controls to the
 * inside of their interval, parameters and free times to the border. A row is where its variables are, and at the border
 * when they are further apart than an interval. Variables that meet in an entry of the Hessian although they are far
 * apart (a cost of the values at both ends) go to the border until none do.
 *
 * Phases are stacked in a common time: node k of the mesh has the states of all of them. On the chain they follow each
 * other instead, in the order of their starts, with an interval for the rows that link neighbours:
 *
 *     phase 1: node 0 .. node N --- links --- phase 2: node N+1 .. node 2N+1 --- links --- ..
 */
#ifndef DD_OCP_SHAPE_H
#define DD_OCP_SHAPE_H

#include "nlp/shape.h"
#include "ocp/transcription.h"

/* Of t->nlp, in the pool of t. NULL: too many variables would be at the border. Raises. */
const dd_nlp_shape *dd_ocp_shape(const dd_transcription *t);

#endif
