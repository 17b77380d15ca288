/* mhe_model.h - the model of a class as a moving-horizon estimator needs it: process noise as inputs, the class's inputs as
 * data, estimated parameters free, and nothing that the optimization asks for. */
#ifndef DD_CONTROL_MHE_MODEL_H
#define DD_CONTROL_MHE_MODEL_H

#include "control/names.h"
#include "daedal/control.h"

typedef struct dd_mhe_model {
    dd_system *system;         /* analysed again; freed with the pool */
    dd_named_vec noise;        /* variables of the class with process noise, and their sigma */
    uint32_t *noise_input;     /* per noise: the input of the new model */
    dd_named_vec estimated;    /* parameters; number: initial error */
    dd_named_vec start_errors; /* of states: initial errors that are given */
    uint32_t n_inputs;         /* inputs of the class, the last ones of the data */
    uint32_t first_data;       /* where they begin */
} dd_mhe_model;

/* inputs: variables of the class's model that are decided by the controller. horizon: seconds. In the pool. Raises
 * DD_INVALID_ARGUMENT with the name of what cannot be done. */
dd_mhe_model *dd_mhe_model_new(const dd_system *s, const dd_control_options *options, const uint32_t *inputs,
                               uint32_t n_inputs, double horizon, dd_pool *pool);

#endif
